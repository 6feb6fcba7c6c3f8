"""Killed between any two steps of forgetting: the rows are all there or all gone, and the proof is finished later."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from forget_builders import Life, open_test_vault

from memory.forget import Seal, Selection
from memory.store import jobs
from memory.vault.check import check_connection
from memory.vault.crashpoints import VARIABLE

DOG = "My dog is called Zubrowka and I'm allergic to peanuts"
BEFORE = ("forget.began", "forget.rewritten", "forget.removed", "forget.marked")
AFTER = ("forget.committed", "forget.truncated", "forget.verified")
WORKER = """
import sys
from pathlib import Path
from forget_builders import Life, open_test_vault
from memory.forget import Selection

life = Life(open_test_vault(Path(sys.argv[1])))
plan = life.memory.forget_preview(Selection(ids=(life.fact("Zubrowka").id,)))
life.memory.forget(plan)
"""


@pytest.fixture(scope="module")
def told(pristine_vault: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed vault in which something was told and repeated."""
    folder = tmp_path_factory.mktemp("told") / "vault"
    shutil.copytree(pristine_vault, folder)
    with open_test_vault(folder) as vault:
        life = Life(vault)
        life.turn(DOG, "Zubrowka is a nice name for a dog.")
        life.turn("What is my dog called?", "Your dog is called Zubrowka.")
    return folder


def kill_at(place: str, folder: Path) -> None:
    """Forget in a process of its own that is killed at a named place."""
    tests = Path(__file__).resolve().parents[1]
    environment = os.environ | {VARIABLE: place, "PYTHONPATH": f"{tests}:{tests.parent}"}
    done = subprocess.run(
        [sys.executable, "-c", WORKER, str(folder)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr


@pytest.mark.parametrize("place", [*BEFORE, *AFTER, "forget.certified"])
def test_all_or_nothing_and_finished_after_unlock(place: str, told: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(told, tmp_path / "vault")
    kill_at(place, folder)
    with open_test_vault(folder) as vault:
        life = Life(vault)
        assert check_connection(vault.db).problems == ()
        if place in BEFORE:
            assert life.fact("Zubrowka").is_current
            assert ("message", "text") in life.held("Zubrowka")
            assert life.memory.finish_forgetting() == []
            outcome = life.memory.forget(
                life.memory.forget_preview(Selection(ids=(life.fact("Zubrowka").id,)))
            )
            assert outcome.certificate is not None, outcome.retry
        else:
            assert life.held("Zubrowka") == []
            finished = life.memory.finish_forgetting()
            assert [one.certificate is not None for one in finished] == ([True] if place in AFTER else [])
        ((certificate, seal),) = life.memory.certificates()
        assert seal is Seal.FITS
        if place in AFTER:
            assert "not searched" in certificate.payload["checks"]["pages"]
        assert life.pages_with("Zubrowka") == 0
        assert not [job for job in jobs.list_jobs(vault.db) if job.kind == "forget-verify"]
