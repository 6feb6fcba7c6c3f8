"""The repository keeps its own rules: what is where, how long, and what no file may say."""

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("assistant", "memory", "models")
LONGEST_WITHOUT_A_REASON = 300
REASON = re.compile(r"300 lines|[Ll]onger than (most|usual|300)")

# Built from pieces, so that this file does not hold what it looks for.
FORBIDDEN_TEXT = re.compile(
    "|".join(["/" + "root/", "/" + "home/[a-z]", r"\.\./" + "shared", "/" + "work/main"])
)
MAY_SAY_ANYTHING = {".ci/run"}

IMPORTED_AS = {
    "markdown-it-py": "markdown_it",
    "huggingface-hub": "huggingface_hub",
    "llama-cpp-python": "llama_cpp",
    "sqlite-utils": "sqlite_utils",
    "sqlite-vec": "sqlite_vec",
}
IMPORTED_AS |= {"sentence-transformers": "sentence_transformers"}


@cache
def _tracked() -> tuple[Path, ...]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return tuple(path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file())


def _sources(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def _text_of(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def _project() -> dict[str, object]:
    return dict(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"])


def _requirement_name(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found, requirement
    return found[0].lower()


def test_no_folder_of_tests_is_a_package() -> None:
    """`tests/memory/__init__.py` would hide the package `memory` from every test."""
    assert list((ROOT / "tests").rglob("__init__.py")) == []


def test_packaging_is_no_package() -> None:
    """It would hide the library of the same name from pytest."""
    assert not (ROOT / "packaging" / "__init__.py").exists()


def test_a_long_file_says_at_its_top_why() -> None:
    unexplained = []
    for path in _sources(*PACKAGES, "tests", "packaging"):
        text = path.read_text(encoding="utf-8")
        docstring = ast.get_docstring(ast.parse(text)) or ""
        if text.count("\n") > LONGEST_WITHOUT_A_REASON and not REASON.search(" ".join(docstring.split())):
            unexplained.append(str(path.relative_to(ROOT)))
    assert unexplained == []


def test_every_module_says_what_it_owns() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in _sources(*PACKAGES, "packaging")
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert silent == []


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in _tracked()
        if str(path.relative_to(ROOT)) not in MAY_SAY_ANYTHING
        for match in FORBIDDEN_TEXT.finditer(_text_of(path) or "")
    ]
    assert found == []


def test_constraints_are_plain_pins() -> None:
    """Anything else (a marker, a local version, an address) breaks on another Python or another machine."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    odd = [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*", line)]
    assert odd == []
    assert len(lines) == len({line.partition("==")[0].lower().replace("_", "-") for line in lines})


def _declared() -> dict[str, list[str]]:
    project = _project()
    extras = project["optional-dependencies"]
    core = project["dependencies"]
    assert isinstance(extras, dict)
    assert isinstance(core, list)
    return {"core": core, **extras}


def test_everything_declared_is_pinned() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {line.partition("==")[0].lower().replace("_", "-") for line in lines}
    declared = {_requirement_name(each) for group in _declared().values() for each in group}
    assert declared - pinned - {"locket-assistant"} == set()


def _needed_at_run_time() -> list[str]:
    groups = _declared()
    names = {
        _requirement_name(each) for name in groups if name not in {"dev", "all"} for each in groups[name]
    }
    # nothing of ours imports torch: it is named to keep sentence-transformers from choosing one
    return sorted(names - {"torch"})


@pytest.mark.parametrize("name", _needed_at_run_time())
def test_nothing_is_declared_that_nothing_imports(name: str) -> None:
    module = IMPORTED_AS.get(name, name)
    wanted = re.compile(
        rf"""^\s*(?:import|from) {module}\b|import_module\(["']{module}|find_spec\(["']{module}""",
        re.MULTILINE,
    )
    assert any(wanted.search(path.read_text(encoding="utf-8")) for path in _sources(*PACKAGES))


def test_the_three_packages_are_the_distribution() -> None:
    found = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert found == set(PACKAGES)


def test_every_file_that_is_no_code_goes_into_the_wheel() -> None:
    """A style sheet or a catalogue that stays behind is only missed by those who install the wheel."""
    suffixes = {path.suffix for path in _tracked() if path.relative_to(ROOT).parts[0] in PACKAGES} - {".py"}
    package_data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = package_data["tool"]["setuptools"]["package-data"]["*"]
    named = {f".{pattern.rpartition('.')[2]}" for pattern in patterns} | {""}
    assert suffixes <= {*named, ".typed"}
