"""Forgetting through the verbs, each in a process of its own: looked at, refused, done, proved, and not brought back."""

import json
from pathlib import Path

import pytest
from real_home import Home

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A store without models that was told three things."""
    home = Home(tmp_path / "home")
    assert home.run("vault", "init").returncode == 0
    for text in ("my dog is called Zubrowka", "Zubrowka is the name of a lake", "the bins go out on Tuesday"):
        assert home.run("memory", "add", text).returncode == 0
    return home


def ident(home: Home, text: str) -> str:
    (found,) = [item["id"] for item in home.json("memory", "list")["items"] if item["text"] == text]
    return str(found)


def test_a_memory_is_shown_forgotten_and_proved(home: Home) -> None:
    dog = ident(home, "my dog is called Zubrowka")
    plan = home.json("memory", "forget", dog, "--dry-run")["plan"]
    assert [target["id"] for target in plan["chosen"]] == [dog]
    refused = home.run("memory", "forget", dog)
    assert refused.returncode == 2
    assert "--yes" in refused.stderr
    assert ident(home, "my dog is called Zubrowka") == dog

    done = home.json("memory", "forget", dog, "--yes")

    assert done["forgotten"] == {"fact": 1}
    assert done["certificate"]["checks"]["pages"]["unexplained"] == 0
    assert "Zubrowka" not in json.dumps(done)
    assert home.run("memory", "show", dog).returncode == 2
    (kept,) = home.json("memory", "certificates")["certificates"]
    assert kept["genuine"]
    assert kept["id"] == done["certificate"]["id"]
    undone = home.run("memory", "undo")
    assert undone.returncode != 0
    (mark,) = home.json("memory", "tombstones")["tombstones"]
    assert home.json("memory", "tombstones", "--remove", mark["id"])["tombstones"] == []


def test_words_are_forgotten_wherever_they_stand_but_for_what_is_kept(home: Home) -> None:
    lake = ident(home, "Zubrowka is the name of a lake")
    done = home.run("memory", "forget", "--about", "zubrowka", "--keep", lake[:14], "--yes")
    assert done.returncode == 0, done.stderr
    assert "Certificate" in done.stdout
    assert "not reached" in done.stdout
    texts = [item["text"] for item in home.json("memory", "list")["items"]]
    assert texts == ["Zubrowka is the name of a lake", "the bins go out on Tuesday"]


def test_what_is_not_there_has_words_and_an_exit_code(home: Home) -> None:
    nothing = home.run("memory", "forget", "--about", "heron", "--yes")
    assert nothing.returncode == 2
    assert "nothing like that" in nothing.stderr
    unasked = home.run("memory", "forget", "--yes")
    assert unasked.returncode == 2
    date = home.run("memory", "forget", "--since", "yesterday", "--yes")
    assert (date.returncode, "2026-03-01" in date.stderr) == (2, True)
