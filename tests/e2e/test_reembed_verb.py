"""Two real embedding models of one size, a GGUF file and a folder of its authors': never mixed up, and back again.

The verb runs as a process of its own, is killed in the middle, and goes on from there.
"""

import json
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from real_home import PASSPHRASE, Home, link_model

from assistant.settings import load_settings
from assistant.wiring import memory_of, open_store
from memory.records import ItemKind

pytestmark = [pytest.mark.model, pytest.mark.slow, pytest.mark.timeout(600)]

FACTS = 300
PLACES = ("harbour", "mill", "orchard", "library", "attic", "chapel", "quarry")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, minilm_model: Path, minilm_folder: Path) -> Home:
    """A store of a few hundred memories, embedded by the file."""
    pytest.importorskip("sentence_transformers")
    home = Home(tmp_path_factory.mktemp("home"))
    link_model(minilm_model, home.path / "models")
    link_model(minilm_folder, home.path / "models")
    assert home.run("vault", "init").returncode == 0
    settings = load_settings(home.environment())
    with open_store(settings, PASSPHRASE) as vault:
        memory = memory_of(settings, vault)
        for number in range(FACTS):
            memory.add_fact(f"Box {number} stands in the {PLACES[number % 7]} beside shelf {number % 31}")
    assert home.json("model", "reembed")["made"] == FACTS
    return home


def searched(home: Home) -> Any:
    return home.json("memory", "search", "what is kept near the books?")


def tables(home: Home) -> dict[str, list[tuple[object, ...]]]:
    settings = load_settings(home.environment())
    with open_store(settings, PASSPHRASE, writer=False) as vault:
        names = vault.db.execute("SELECT key, name FROM embedder ORDER BY key").fetchall()
        return {
            name: vault.db.execute(f"SELECT id, embedding, bits FROM item_vec_{key} ORDER BY id").fetchall()
            for key, name in names
        }


def test_killed_in_the_middle_it_goes_on_from_there_and_back_again_changes_nothing(
    home: Home, minilm_model: Path, minilm_folder: Path
) -> None:
    before = searched(home)
    (vectors,) = tables(home).values()
    process = home.start("model", "reembed", minilm_folder.name, "--json")
    made = 0
    deadline = time.monotonic() + 240
    while not made and process.poll() is None and time.monotonic() < deadline:
        made = len(tables(home).get(minilm_folder.name, ()))
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)
    made = len(tables(home)[minilm_folder.name])
    assert 0 < made < FACTS
    assert searched(home) == before

    rest = home.json("model", "reembed", minilm_folder.name)
    assert (rest["made"], rest["left"], rest["in_use"]) == (FACTS - made, 0, True)
    assert len(tables(home)) == 2
    assert searched(home)["items"]

    back = home.json("model", "reembed", minilm_model.name)
    assert (back["made"], back["in_use"]) == (0, True)
    assert tables(home)[back["embedder"]] == vectors
    assert searched(home) == before


def test_vectors_of_one_size_are_kept_apart(home: Home) -> None:
    assert {len(rows[0][1]) for rows in tables(home).values()} == {384 * 4}  # type: ignore[arg-type]
    states = json.dumps(home.json("memory", "stats"))
    assert ItemKind.FACT.value in states
