"""What a process really loads, asked of `sys.modules` in a fresh one: contracts on paper miss late imports."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NATIVE_RUNTIMES = {"llama_cpp", "torch", "sentence_transformers"}

RUN_A_VERB = """
from assistant.__main__ import main
try:
    status = main()
except SystemExit as ended:
    status = ended.code
assert not status, status
"""

UNLOCK_THE_SCREEN = """
import asyncio, os, sys, time
from assistant.settings import load_settings
from assistant.tui.app import LocketApp
from assistant.tui.doors import real_doors

async def unlock():
    app = LocketApp(load_settings(os.environ), real_doors())
    async with app.run_test(size=(100, 30)) as pilot:
        deadline = time.monotonic() + 60
        while type(app.screen).__name__ != "UnlockScreen" and time.monotonic() < deadline:
            await pilot.pause(0.02)
        for character in sys.argv[1]:
            await pilot.press("space" if character == " " else character)
        await pilot.press("enter")
        while type(app.screen).__name__ != "ChatScreen" and time.monotonic() < deadline:
            await pilot.pause(0.02)
        assert type(app.screen).__name__ == "ChatScreen", app.screen
        await pilot.press("ctrl+q")

asyncio.run(unlock())
"""

WRAPPER = """
import json, sys
from network_guard import NetworkGuard
report, program = sys.argv.pop(), sys.argv.pop()
guard = NetworkGuard()
guard.install()
guard.active = True
try:
    exec(program)
finally:
    with open(report, "w", encoding="utf-8") as file:
        json.dump(sorted(sys.modules), file)
assert not guard.attempts, guard.attempts
"""


def _modules_after(program: str, tmp_path: Path, *arguments: str) -> set[str]:
    """Run a program in a fresh process without a network and list what it has loaded by its end."""
    report = tmp_path / "modules.json"
    ran = subprocess.run(
        [sys.executable, "-c", WRAPPER, *arguments, program, str(report)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
    return set(json.loads(report.read_text()))


def _top_level(modules: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules}


def _pure_modules() -> list[str]:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (pure,) = [contract for contract in contracts if contract.get("id") == "pure"]
    return list(pure["source_modules"])


def test_asking_for_the_version_loads_neither_runtime_nor_screen_nor_store(tmp_path: Path) -> None:
    loaded = _top_level(_modules_after(RUN_A_VERB, tmp_path, "--version"))
    assert not loaded & (NATIVE_RUNTIMES | {"textual", "sqlcipher3", "numpy"})


def test_listing_memories_loads_no_runtime_and_no_screen(
    tmp_path: Path, home_with_a_vault: Path, passphrase: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert home_with_a_vault.exists()
    monkeypatch.setenv("LOCKET_PASSPHRASE", passphrase)
    loaded = _top_level(_modules_after(RUN_A_VERB, tmp_path, "memory", "list"))
    assert "sqlcipher3" in loaded
    assert not loaded & (NATIVE_RUNTIMES | {"textual"})


def test_the_locked_screen_loads_no_store_and_no_runtime(tmp_path: Path) -> None:
    """What stands between the command and the first picture."""
    loaded = _top_level(_modules_after("import assistant.tui.app, assistant.tui.doors", tmp_path))
    assert "textual" in loaded
    assert not loaded & (NATIVE_RUNTIMES | {"sqlcipher3", "sqlite_utils", "numpy"})


def test_the_process_with_the_open_screen_loads_no_runtime(
    tmp_path: Path, home_with_a_vault: Path, passphrase: str
) -> None:
    """From the locked screen into a conversation, over the real store."""
    loaded = _top_level(_modules_after(UNLOCK_THE_SCREEN, tmp_path, passphrase))
    assert home_with_a_vault.exists()
    assert {"textual", "sqlcipher3"} <= loaded
    assert not loaded & NATIVE_RUNTIMES


def test_the_verbs_and_the_conversation_load_no_screen_and_no_arithmetic(tmp_path: Path) -> None:
    loaded = _top_level(_modules_after("import assistant.cli, assistant.chat.turn", tmp_path))
    assert not loaded & (NATIVE_RUNTIMES | {"textual", "numpy"})


def test_speaking_to_an_engine_loads_no_runtime(tmp_path: Path) -> None:
    loaded = _top_level(_modules_after("import models.engine.client, models.registry, models.gguf", tmp_path))
    assert not loaded & (NATIVE_RUNTIMES | {"numpy", "gguf", "memory", "assistant"})


@pytest.mark.parametrize("module", _pure_modules())
def test_a_pure_module_loads_the_standard_library_and_records_only(module: str, tmp_path: Path) -> None:
    loaded = _modules_after(f"import {module}", tmp_path)
    pure = _pure_modules()
    allowed = {"network_guard", *pure, *(name.rpartition(".")[0] for name in pure)}
    inside = tuple(f"{name}." for name in pure)
    foreign = {
        name
        for name in loaded - allowed
        if name.partition(".")[0] not in sys.stdlib_module_names
        and not name.startswith(inside)
        and not _starts_python(name)
    }
    assert foreign == set(), "list these in pyproject.toml if they are pure, else do not import them"


def _starts_python(module: str) -> bool:
    """Say whether the interpreter loads this by itself: site hooks of an environment, and the program."""
    return module.startswith(
        ("__editable__", "__main__", "_distutils_hack", "sitecustomize", "usercustomize")
    )


@pytest.mark.parametrize(
    "first", ["memory.store.migrations", "memory.vault.vault", "memory.vault.connection"]
)
def test_whatever_is_imported_first_the_store_raises_the_encrypted_drivers_errors(
    first: str, tmp_path: Path
) -> None:
    program = f"import {first}\nimport memory.vault.connection\nfrom memory.vault.driver import check_sqlite_utils\ncheck_sqlite_utils()"
    assert "sqlcipher3" in _modules_after(program, tmp_path)
