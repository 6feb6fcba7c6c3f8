"""`locket doctor`: looks at what Locket stands on and says what is wrong, without unlocking or changing anything.

Owns the list of questions; the answers belong to the modules that are asked. Nothing here touches a network.
"""

# ruff: noqa: PLC0415 - each question loads only what it needs

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click

from assistant.cli import Context, print_json, shared_options
from assistant.problems import Exit, to_problem
from assistant.settings import Settings
from assistant.times import day
from assistant.visible import echo

SPARE_BYTES = 200 << 20
SIGNS = {"ok": "ok", "note": "note", "wrong": "WRONG"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One answer."""

    about: str
    state: Literal["ok", "note", "wrong"]
    words: str


@click.command()
@shared_options
def doctor(context: Context) -> int:
    """Look for what could keep Locket from working or protect the store less than it should."""
    found = list(examine(context.settings))
    wrong = any(finding.state == "wrong" for finding in found)
    if context.as_json:
        print_json(
            well=not wrong,
            findings=[{"about": f.about, "state": f.state, "words": f.words} for f in found],
        )
    else:
        for finding in found:
            echo(f"{SIGNS[finding.state]:5}  {finding.about:11} {finding.words}")
    return int(Exit.FAILURE if wrong else Exit.OK)


def examine(settings: Settings) -> Iterator[Finding]:
    """Ask every question."""
    yield Finding("python", "ok", f"{platform.python_version()} on {platform.system()} {platform.machine()}")
    yield from _terminal()
    where = settings.paths.config
    yield Finding(
        "settings", "ok", str(where) if where.exists() else f"all as they come; {where} would hold yours"
    )
    yield from _store(settings)
    yield _space(settings)
    yield from _protection()
    yield from _models(settings)
    if settings.remote_url:
        yield Finding(
            "remote", "note", f"profiles that agreed to it send their conversations to {settings.remote_url}"
        )


def _terminal() -> Iterator[Finding]:
    encoding = (sys.stdout.encoding or "").lower()
    if encoding not in ("utf-8", "utf8"):
        yield Finding("terminal", "note", f"it speaks {encoding or 'an unknown encoding'}, not UTF-8")


def _store(settings: Settings) -> Iterator[Finding]:
    from memory.vault.backup import list_backups
    from memory.vault.driver import engine_version
    from memory.vault.layout import Layout
    from memory.vault.opening import judged_modes
    from memory.vault.status import vault_status

    yield Finding("encryption", "ok", engine_version())
    folder = settings.paths.vault
    found = vault_status(folder, allow_cheap=settings.cheap_kdf)
    if not found.exists:
        yield Finding("store", "note", f"there is none in {folder} yet; `locket` makes one")
        return
    problem = to_problem(found.problem) if found.problem is not None else None
    if problem is not None:
        yield Finding("store", "wrong", f"{problem.title}. {problem.detail} {problem.hint}")
    elif not Layout(folder).store.exists():
        yield Finding("store", "wrong", "vault.db is missing; restore a backup")
    else:
        yield Finding("store", "ok", f"{folder}, {found.store_bytes:,} bytes")
        for words in judged_modes(Layout(folder), change=False):
            yield Finding("privacy", "wrong", words)
    if settings.keyring and any(slot.kind == "keyring" for slot in found.slots):
        yield Finding(
            "keyring", "note", "the system's keyring unlocks the store for whoever uses this account"
        )
    if found.rotating or found.restoring:
        yield Finding("store", "note", "a rotation or restore was interrupted; the next opening finishes it")
    backups = list_backups(folder)
    newest = f"{len(backups)}, the newest of {day(backups[-1].made_at)}" if backups else "none yet"
    yield Finding("backups", "ok" if backups else "note", newest)


def _space(settings: Settings) -> Finding:
    place = settings.paths.vault
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free
    store = settings.paths.vault / "vault.db"
    needed = 2 * (store.stat().st_size if store.exists() else 0) + SPARE_BYTES
    words = f"{free / 1e9:,.1f} GB free beside the store"
    if free < needed:
        return Finding("disk", "wrong", f"{words}; a migration or rotation needs {needed / 1e9:,.1f} GB")
    return Finding("disk", "ok", words)


def _protection() -> Iterator[Finding]:
    from memory.vault.hardening import harden_process

    missing = harden_process()
    for words in missing:
        yield Finding("memory", "note", words)
    if not missing:
        yield Finding("memory", "ok", "no core dumps; other programs of yours may not look into the process")
    if areas := _swap_areas():
        words = f"on ({', '.join(areas)}): unless it is encrypted, parts of memory may stay there"
        yield Finding("swap", "note", words)


def _swap_areas(table: Path = Path("/proc/swaps")) -> list[str]:
    """Return where memory may be written to disk; compressed memory and device-mapper volumes are not listed."""
    try:
        lines = table.read_text(encoding="utf-8").splitlines()[1:]
    except OSError:
        return []
    areas = [line.split()[0] for line in lines if line.strip()]
    return [area for area in areas if not area.startswith(("/dev/zram", "/dev/dm-"))]


def _models(settings: Settings) -> Iterator[Finding]:
    from models import registry
    from models.errors import ModelError

    if importlib.util.find_spec("llama_cpp") is None:
        yield Finding("runtime", "wrong", "llama-cpp-python is not installed, so no model can answer")
    else:
        yield Finding("runtime", "ok", f"llama-cpp-python {importlib.metadata.version('llama-cpp-python')}")
    for about, choose, wanted in (
        ("chat model", registry.choose_chat, settings.model),
        ("embedder", registry.choose_embedder, settings.embedder),
    ):
        try:
            found = choose(settings.paths.models, wanted)
        except ModelError as error:
            problem = to_problem(error)
            words = f"{problem.title}. {problem.hint}" if problem else str(error)
            yield Finding(about, "wrong" if about == "chat model" else "note", words)
        else:
            yield Finding(about, "ok", found.name)
