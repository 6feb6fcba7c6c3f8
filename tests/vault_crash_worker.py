"""Runs vault jobs in forked children that are killed, starved of disk space or raced, and says how they ended.

One line of JSON in, one out. Forking from a process that has everything imported makes a kill cost milliseconds;
this process itself opens no store, since locks and connections must not cross a fork.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import vault_builders as build

from memory.vault import crashpoints, driver
from memory.vault.backup import list_backups
from memory.vault.errors import VaultError
from memory.vault.kdf import CHEAPEST
from memory.vault.keys import Passphrase
from memory.vault.restore import restore_backup
from memory.vault.rotate import rotate
from memory.vault.salvage import salvage
from memory.vault.slots import change_passphrase

driver.check_sqlite_utils()
for late in ("decimal", "sqlite_utils", "numpy"):
    importlib.import_module(
        late
    )  # now, not once in every child, and readable also for a child of another user

OTHER = "another passphrase"
REFUSED = 42
NOT_STARVED = 43


def second_schema(db: Any) -> None:
    db.conn.execute("ALTER TABLE note ADD COLUMN colour TEXT")


def create(folder: Path) -> None:
    build.fresh(folder).close()


def say(folder: Path) -> None:
    with build.reopen(folder) as vault:
        build.say(vault, *[f"{build.CANARY} {number} " + "words " * 400 for number in range(20)])


def rewrap(folder: Path) -> None:
    with build.reopen(folder) as vault:
        change_passphrase(vault, OTHER, params=CHEAPEST)


def turn(folder: Path) -> None:
    with build.reopen(folder) as vault:
        rotate(vault, [Passphrase(build.WORDS)], params=CHEAPEST)


def migrate(folder: Path) -> None:
    build.reopen(folder, migrate=second_schema, schema_version=2).close()


def backup(folder: Path) -> None:
    with build.reopen(folder) as vault:
        vault.backup()


def restore(folder: Path) -> None:
    restore_backup(
        folder,
        list_backups(folder)[0].path,
        Passphrase(build.WORDS),
        current=Passphrase(build.WORDS),
        reapply=lambda _old, _new: None,
        now=lambda: build.NOON,
        allow_cheap=True,
    )


def save(folder: Path) -> None:
    salvage(
        folder,
        Passphrase(build.WORDS),
        folder.with_name("saved"),
        build.WORDS,
        migrate=build.first_schema,
        schema_version=1,
        params=CHEAPEST,
        now=lambda: build.NOON,
        allow_cheap=True,
    )


def read(folder: Path) -> None:
    with build.reopen(folder, writer=False) as vault:
        print(build.said(vault), file=sys.stderr)


def talk(folder: Path) -> None:
    """Say, correct, back up and change the passphrase until killed, noting each acknowledged text."""
    acknowledged = os.open(folder.with_name("acknowledged"), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    words = build.WORDS
    try:
        vault = build.reopen(folder, words)
    except VaultError:
        words = OTHER
        vault = build.reopen(folder, words)
    start = len(build.said(vault))
    for number in range(start, start + 100_000):
        text = f"{build.CANARY} {number}"
        build.say(vault, text)
        os.write(acknowledged, f"{text}\n".encode())
        if number % 7 == 0:
            vault.checkpoint_truncate()
        if number % 11 == 0:
            words = OTHER if words == build.WORDS else build.WORDS
            change_passphrase(vault, words, params=CHEAPEST)
        if number % 17 == 0:
            rotate(vault, [Passphrase(words)], params=CHEAPEST)
        if number % 23 == 0:
            vault.now = lambda day=number: build.NOON + timedelta(days=day)  # type: ignore[misc]
            vault.backup_daily(kept=2)


JOBS: dict[str, Callable[[Path], None]] = {
    job.__name__: job for job in (create, say, rewrap, turn, migrate, backup, restore, save, read, talk)
}


def child(order: dict[str, Any]) -> int:
    folder = Path(order["folder"])
    if "crash_at" in order:
        os.environ[crashpoints.VARIABLE] = order["crash_at"]
    if "user" in order:
        os.setgid(order["user"])
        os.setuid(order["user"])
        if can_write(folder / "probe", 1):
            return NOT_STARVED
    if "limit" in order:
        resource.setrlimit(resource.RLIMIT_FSIZE, (order["limit"], order["limit"]))
        if can_write(folder.with_name("probe"), order["limit"] + 1):
            return NOT_STARVED
    try:
        JOBS[order["job"]](folder)
    except VaultError as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return REFUSED
    return 0


def can_write(path: Path, length: int) -> bool:
    try:
        path.write_bytes(b"x" * length)
    except OSError:
        return False
    finally:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
    return True


def start(order: dict[str, Any]) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 99
    try:
        code = child(order)
    except BaseException as error:  # noqa: BLE001 - the edge of a child that must not return
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
    finally:
        sys.stderr.flush()
        os._exit(code)


def kill_later(pid: int, order: dict[str, Any]) -> None:
    """Kill once the first text was acknowledged and the time asked for has passed."""
    acknowledged = Path(order["folder"]).with_name("acknowledged")
    size = acknowledged.stat().st_size if acknowledged.exists() else 0
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if acknowledged.exists() and acknowledged.stat().st_size > size:
            time.sleep(order["kill_after"])
            break
        time.sleep(0.001)
    os.kill(pid, signal.SIGKILL)


def main() -> None:
    for line in sys.stdin:
        order = json.loads(line)
        pids = [start(order) for _ in range(order.get("times", 1))]
        if "kill_after" in order:
            kill_later(pids[0], order)
        codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]
        sys.stdout.write(json.dumps(codes) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
