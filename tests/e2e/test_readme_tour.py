"""The README's walk through the verbs: every command as it stands there, in its order, and what it says comes of it."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from on_a_terminal import age_program, answer
from real_home import Home, link_model

README = Path(__file__).resolve().parents[2] / "README.md"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ARCHIVE_WORDS = "words for the file alone"
TOUR_USES = ("ask", "memory list", "memory show", "memory why", "memory forget", "export", "import", "age -d")

pytestmark = pytest.mark.timeout(900)


@dataclass(frozen=True, slots=True)
class Step:
    """A command with the lines that the README shows below it."""

    command: str
    shown: tuple[str, ...]

    def missing(self, printed: str) -> list[str]:
        """Give the shown lines that were not printed, or not in this order; `…` stands for anything."""
        left = iter(printed.splitlines())
        return [
            line
            for line in self.shown
            if line != "…" and not any(_pattern(line).fullmatch(one) for one in left)
        ]


def _pattern(line: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in line.split("…")))


def steps() -> Iterator[Step]:
    """Read the commands and what follows each."""
    for block in BLOCK.findall(README.read_text(encoding="utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *shown = part.splitlines()
            yield Step(command, tuple(shown))


def _run(step: Step, where: Path, environment: Mapping[str, str]) -> str:
    """Run a command in a shell as somebody does who has the passphrase in a variable."""
    if step.command.startswith("age "):  # it takes a passphrase from a terminal only
        answer(["sh", "-c", f"cd '{where}' && {step.command}"], [ARCHIVE_WORDS])
        return ""
    done = subprocess.run(
        ["bash", "-c", step.command],
        cwd=where,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=240,
        check=False,
    )
    allowed = {0, 1} if step.command.startswith("grep ") else {0}  # grep returns 1 for "none"
    assert done.returncode in allowed, f"{step.command}\n{done.stdout}"
    return done.stdout


def test_the_walk_covers_what_locket_is_for() -> None:
    walk = "\n".join(step.command for step in steps())
    assert [words for words in TOUR_USES if words not in walk] == []


def test_every_command_of_the_walk_does_what_the_readme_says(
    tmp_path: Path, starter_model: Path, minilm_model: Path
) -> None:
    age_program()
    home = Home(tmp_path / "home")
    for model in (starter_model, minilm_model):
        link_model(model, home.path / "models")
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = home.environment({"PATH": programs, "LOCKET_ARCHIVE_PASSPHRASE": ARCHIVE_WORDS})
    for step in steps():
        printed = _run(step, tmp_path, environment)
        assert step.missing(printed) == [], f"$ {step.command}\n{printed}"


def test_a_shown_line_that_is_not_printed_is_missed() -> None:
    step = Step("locket", ("one … three", "…", "four"))
    assert step.missing("one two three\nfour\n") == []
    assert step.missing("four\none two three\n") == ["four"]
    assert step.missing("one two\n") == ["one … three", "four"]
