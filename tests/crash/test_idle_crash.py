"""Killed after the answer, in the middle of a reading, in the middle of an ending: the next start makes up for it."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from forget_builders import Life, open_test_vault

from memory.records import PromptMessage
from memory.vault.check import check_connection
from memory.vault.crashpoints import VARIABLE

STATED = "we adopted a beagle, Juno, she sleeps on the stairs"
GOAL = "Help me plan a weekend in Porto with Ines"
PROPOSED = {
    "facts": [
        {"quote": "she sleeps on the stairs", "subject": "Juno", "attribute": "likes", "value": "the stairs"}
    ]
}
TOLD = f"""
import json

class Told:
    parameters = 500_000_000

    def complete(self, messages, schema):
        return json.dumps({PROPOSED!r}) if "stairs" in messages[-1].text else '{{"facts": []}}'
"""
WORKER = """
import sys
from pathlib import Path
from forget_builders import Life, open_test_vault

life = Life(open_test_vault(Path(sys.argv[1])), embedder=False)
life.clock.advance(hours=2)
for _ in range(50):
    life.memory.idle(lambda: False, Told())
"""


class Told:
    """A model that proposes one thing about the beagle."""

    parameters = 500_000_000

    def complete(self, messages: Sequence[PromptMessage], schema: Mapping[str, Any]) -> str | None:
        return json.dumps(PROPOSED) if "stairs" in messages[-1].text else '{"facts": []}'


@pytest.fixture(scope="module")
def talked(pristine_vault: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault whose last words were answered and never looked at again."""
    folder = tmp_path_factory.mktemp("talked") / "vault"
    shutil.copytree(pristine_vault, folder)
    with open_test_vault(folder) as vault:
        life = Life(vault, embedder=False)
        turn, _ = life.turn(GOAL)
        life.turn(STATED, conversation=turn.conversation)
    return folder


def kill_at(place: str, folder: Path) -> None:
    tests = Path(__file__).resolve().parents[1]
    environment = os.environ | {VARIABLE: place, "PYTHONPATH": f"{tests}:{tests.parent}"}
    done = subprocess.run(
        [sys.executable, "-c", TOLD + WORKER, str(folder)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr


def outcome(folder: Path) -> tuple[list[str], list[str], list[str], int]:
    """Let idle work come to its end in a vault; return what there is then."""
    with open_test_vault(folder) as vault:
        life = Life(vault, embedder=False)
        life.clock.advance(hours=3)
        for _ in range(100):
            if not life.memory.idle(lambda: False, Told()):
                break
        else:
            pytest.fail("idle work never ends")
        assert check_connection(vault.db).sound
        reader = life.memory.reader
        return (
            sorted(f"{one.goal}|{one.summary}|{one.corrections}" for one in reader.list_episodes()),
            sorted(fact.text for fact in reader.list_facts()),
            sorted(f"{one.candidate.value}|{one.reason}" for one in reader.review_list()),
            len(reader.changes()),
        )


@pytest.mark.parametrize("place", ["read.answered", "read.judged", "boundary.kept"])
def test_a_kill_anywhere_in_idle_work_costs_nothing(place: str, talked: Path, tmp_path: Path) -> None:
    undisturbed = outcome(shutil.copytree(talked, tmp_path / "undisturbed"))
    killed = shutil.copytree(talked, tmp_path / "killed")
    kill_at(place, killed)
    assert outcome(killed) == undisturbed
    episodes, _, waiting, _ = undisturbed
    assert len(episodes) == 1
    assert any(one.startswith("the stairs|") for one in waiting)
