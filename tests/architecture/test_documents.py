"""What the README and its neighbours name exists: verbs, options, exit codes, targets, files, tests."""

import re
import shlex
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import click
import pytest

from assistant.cli import FORMAT, cli
from assistant.problems import Exit

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
VERBS = ROOT / "assistant" / "verbs" / "FORMAT.md"
FORMATS = [VERBS, ROOT / "memory" / "vault" / "FORMAT.md", ROOT / "memory" / "transfer" / "FORMAT.md"]
DOCUMENTS = [README, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", ROOT / "SECURITY.md", *FORMATS]


def _fenced_lines(text: str) -> Iterator[str]:
    for block in re.findall(r"```(?:sh|console)?\n(.*?)```", text, flags=re.DOTALL):
        yield from block.splitlines()


def _documented_lines() -> list[str]:
    """Every `locket …` in a fenced block or in backquotes, alternatives (`list|show`) written out."""
    called = re.compile(r"(?:^|\| |^\$ |^\$ [A-Z_]+=\w+ |\$\()locket ([^$)]+)(?=$|[$)])")
    candidates: list[str] = []
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        candidates += [found for line in _fenced_lines(text) for found in called.findall(line)]
        candidates += re.findall(r"`locket ([^`]+)`", text)
    lines: set[str] = set()
    for candidate in candidates:
        words = shlex.split(candidate.partition(" | ")[0], comments=True)
        lines |= {shlex.join(choice) for choice in product(*(word.split("|") for word in words))}
    return sorted(lines)


def test_commands_are_found_in_every_way_they_are_written() -> None:
    lines = " ".join(_documented_lines())
    for words in (
        "memory forget --about",
        "memory list --subject",
        "import memory.age",
        "ask -c",
        "vault lock",
    ):
        assert words in lines


@pytest.mark.parametrize("line", _documented_lines())
def test_a_documented_verb_and_its_options_exist(line: str) -> None:
    """Words are followed as far as they name a group; what comes after the verb are its arguments."""
    command: click.Command = cli
    words = shlex.split(line)
    while words and isinstance(command, click.Group) and not words[0].startswith("-"):
        found = command.get_command(click.Context(command), words[0])
        assert found is not None, f"locket {line}: there is no {words[0]!r}"
        command, words = found, words[1:]
    known = {spelling for parameter in command.params for spelling in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= known


def test_the_readme_lists_every_exit_code_and_no_other() -> None:
    listed = re.findall(r"^\| (\d+) \|", README.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert [int(code) for code in listed] == sorted(Exit)


def test_a_documented_make_target_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, flags=re.MULTILINE))
    named: set[str] = set()
    for document in DOCUMENTS:
        named |= set(
            re.findall(r"(?:`|^)make ([a-z-]+)", document.read_text(encoding="utf-8"), flags=re.MULTILINE)
        )
    assert named
    assert named <= targets


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_linked_file_exists(document: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_named_file_of_this_repository_exists(document: Path) -> None:
    """Tests that hold a promise, above all: a promise whose test has moved is a promise nobody keeps."""
    text = document.read_text(encoding="utf-8")
    named = re.findall(r"`((?:tests|packaging|assistant|memory|models)/[\w./-]+\.\w+)`", text)
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_promise_of_the_security_page_names_a_test() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8").partition("## What is promised")[2]
    text = text.partition("\n## ")[0]
    promises = re.findall(r"^\| (?!promise|---)([^|]+) \| ([^|]+) \|$", text, flags=re.MULTILINE)
    assert promises
    assert [promise for promise, tests in promises if "`tests/" not in tests] == []


def test_the_picture_is_a_picture() -> None:
    (picture,) = re.findall(r"!\[[^]]+\]\(([^)]+)\)", README.read_text(encoding="utf-8"))
    assert "<svg" in (ROOT / picture).read_text(encoding="utf-8")[:200]


def test_the_version_of_the_shapes_is_the_documented_one() -> None:
    assert f'`"format": {FORMAT}`' in VERBS.read_text(encoding="utf-8")
