"""Told, told otherwise, asked in a new conversation: the real starter model answers with the newer value.

One process says everything, as a person at `chat --plain` would, each line in a conversation of its own, so that
nothing but memory can carry a value over. The answers are read from the store.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from real_home import Home, link_model

pytestmark = pytest.mark.timeout(600)

PAIRS = {
    "job": (
        "I work as a nurse.",
        "Actually, I work as a teacher now.",
        "What is my job?",
        "teacher",
        "nurse",
    ),
    "city": (
        "I live in Lisbon.",
        "I moved to Porto last week.",
        "Which city do I live in?",
        "Porto",
        "Lisbon",
    ),
    "pet": ("My cat is called Miso.", "My cat is called Nori now.", "What is my cat called?", "Nori", "Miso"),
    "allergy": (
        "I'm allergic to peanuts.",
        "Actually, I'm allergic to shellfish, not peanuts.",
        "What am I allergic to?",
        "shellfish",
        "peanuts",
    ),
    "relative": (
        "My sister Ingrid lives in Oslo.",
        "My sister Ingrid moved to Bergen.",
        "Where does my sister Ingrid live?",
        "Bergen",
        "Oslo",
    ),
    "favourite": (
        "My favourite colour is green.",
        "My favourite colour is blue now.",
        "What is my favourite colour?",
        "blue",
        "green",
    ),
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, starter_model: Path, minilm_model: Path) -> Home:
    """A store that was told everything twice, and then asked."""
    home = Home(tmp_path_factory.mktemp("home"))
    link_model(starter_model, home.path / "models")
    link_model(minilm_model, home.path / "models")
    assert home.run("vault", "init").returncode == 0
    for part in (0, 1):
        lines = [pair[part] for pair in PAIRS.values()]
        assert home.run("chat", "--plain", text="\n/new\n".join([*lines, "/quit\n"])).returncode == 0
    questions = [pair[2] for pair in PAIRS.values()]
    assert home.run("chat", "--plain", text="\n/new\n".join([*questions, "/quit\n"])).returncode == 0
    return home


@pytest.fixture(scope="module")
def talks(home: Home) -> Mapping[str, Any]:
    """The conversations in which something was asked, by the question."""
    questions = {pair[2] for pair in PAIRS.values()}
    listed = [c for c in home.json("conversations", "list")["conversations"] if c["title"] in questions]
    shown = [home.json("conversations", "show", one["id"])["messages"] for one in listed]
    return {messages[0]["text"]: messages for messages in shown}


@pytest.mark.parametrize("pair", PAIRS)
def test_a_new_conversation_answers_with_the_newer_value(
    home: Home, talks: Mapping[str, Any], pair: str
) -> None:
    _, _, question, new, old = PAIRS[pair]
    asked, answer = talks[question]
    assert new.casefold() in answer["text"].casefold(), answer["text"]
    assert old.casefold() not in answer["text"].casefold(), answer["text"]
    why = home.json("memory", "why", asked["id"])
    assert any(new in item["text"] for item in why["recalled"])
    assert not any(old in item["text"] and new not in item["text"] for item in why["recalled"])


def test_the_older_values_are_only_history(home: Home) -> None:
    current = json.dumps([i for i in home.json("memory", "list")["items"] if i["kind"] != "episode"])
    past = {i["value"]: i["state"] for i in home.json("memory", "history")["items"]}
    for _, _, _, new, old in PAIRS.values():
        assert new in current
        assert old not in current
        assert past[old] == "superseded"
