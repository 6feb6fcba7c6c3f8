"""The wheel that takes minutes to make is made once a processor, and a failed build leaves nothing behind."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import llama_wheel
import pytest
from llama_wheel import BuildFailed, build_wheel, find_wheel

BUILDS = """#!{python}
import pathlib, sys, zipfile
folder = pathlib.Path(sys.argv[sys.argv.index("--wheel-dir") + 1])
folder.mkdir(parents=True)
with zipfile.ZipFile(folder / "llama_cpp_python-9.9-py3-none-any.whl", "w") as wheel:
    wheel.writestr("llama_cpp/__init__.py", "a whole wheel")
"""
FAILS = """#!{python}
import sys
print("CMake Error: no such thing")
sys.exit(1)
"""

HANGS = """#!{python}
import pathlib, subprocess, sys
compiler = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
pathlib.Path("{marker}").write_text(str(compiler.pid) + chr(10))
compiler.wait()
"""
PACKAGING = Path(llama_wheel.__file__).parent


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for a condition, half a minute at most."""
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    """Say whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("CMAKE_ARGS", raising=False)
    return tmp_path / "cache"


def _program(tmp_path: Path, source: str) -> Path:
    program = tmp_path / "python"
    program.write_text(source.format(python=sys.executable), encoding="utf-8")
    program.chmod(0o755)
    return program


def test_a_built_wheel_is_found_the_next_time(tmp_path: Path, cache: Path) -> None:
    assert find_wheel("9.9") is None
    built = build_wheel(_program(tmp_path, BUILDS), "9.9")
    assert find_wheel("9.9") == built
    assert built.is_relative_to(cache)
    assert b"a whole wheel" in built.read_bytes()


@pytest.mark.parametrize("damage", ["cut", "changed", "empty"])
def test_a_damaged_wheel_is_built_again(tmp_path: Path, damage: str) -> None:
    """It would fail to install at every start, and nobody would know which file to remove."""
    built = build_wheel(_program(tmp_path, BUILDS), "9.9")
    whole = built.read_bytes()
    damaged = {"cut": whole[:-30], "changed": whole.replace(b"whole", b"hole!"), "empty": b""}[damage]
    built.write_bytes(damaged)
    assert find_wheel("9.9") is None
    assert build_wheel(_program(tmp_path, BUILDS), "9.9").read_bytes() != damaged
    assert find_wheel("9.9") == built


def test_another_version_is_another_wheel(tmp_path: Path) -> None:
    build_wheel(_program(tmp_path, BUILDS), "9.9")
    assert find_wheel("9.8") is None


def test_a_wheel_for_another_processor_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would end in an illegal instruction in the middle of a chat."""
    build_wheel(_program(tmp_path, BUILDS), "9.9")
    monkeypatch.setattr(llama_wheel, "_processor_abilities", lambda: ["avx"])
    assert find_wheel("9.9") is None


def test_other_build_flags_are_another_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_wheel(_program(tmp_path, BUILDS), "9.9")
    monkeypatch.setenv("CMAKE_ARGS", "-DGGML_NATIVE=OFF")
    assert find_wheel("9.9") is None


def test_a_failed_build_says_its_last_words_and_leaves_nothing(tmp_path: Path, cache: Path) -> None:
    with pytest.raises(BuildFailed, match="CMake Error: no such thing"):
        build_wheel(_program(tmp_path, FAILS), "9.9")
    assert find_wheel("9.9") is None
    assert list((cache / "locket" / "wheels").iterdir()) == []


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes through /proc")
def test_an_interrupted_build_ends_its_compilers(tmp_path: Path, cache: Path) -> None:
    """Nobody wants two cores busy for minutes after pressing ctrl+c."""
    marker = tmp_path / "compiler.pid"
    program = _program(tmp_path, HANGS.replace("{marker}", str(marker)))
    script = f"import sys; sys.path.insert(0, {str(PACKAGING)!r}); import signal, pathlib, llama_wheel\n"
    script += "signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))\n"
    script += f"llama_wheel.build_wheel(pathlib.Path({str(program)!r}), '9.9')"
    building = subprocess.Popen([sys.executable, "-c", script])
    wait_until(lambda: marker.exists() and marker.read_text().endswith("\n"))
    compiler = int(marker.read_text())
    building.terminate()
    assert building.wait(timeout=30) == 143
    wait_until(lambda: not is_running(compiler))
    assert list((cache / "locket" / "wheels").iterdir()) == []
