"""Kills at every named point and at random: no acknowledged word is lost, one passphrase works, nothing is in clear.

More than 300 lines: kills, full disks and races are told with one worker and one way of looking at what is left.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import vault_builders as build
from small_disk import fill, small_disk

from memory.vault.backup import list_backups
from memory.vault.check import check_connection
from memory.vault.errors import NoStore, WrongPassphrase
from memory.vault.vault import Vault

OTHER = "another passphrase"
KILLED = -9
REFUSED = 42
KILLS = int(os.environ.get("LOCKET_CRASH_KILLS", "60"))
KEPT = ["first", f"second {build.CANARY}", "third " + "words " * 2000]

POINTS = {
    "create": [
        "create.store-prepared",
        "keyfile.temp-written",
        "keyfile.renamed",
        "create.synced",
        "create.renamed",
    ],
    "rewrap": ["rewrap.wrapped", "keyfile.temp-written", "keyfile.renamed"],
    "turn": [
        "keyfile.temp-written",
        "keyfile.renamed",
        "rotate.both-keys",
        "rotate.rekeyed",
        "rotate.checkpointed",
        "keyfile.temp-written:2",
        "keyfile.renamed:2",
        "rotate.settled",
    ],
    "migrate": [
        "backup.store-copied",
        "backup.complete",
        "backup.renamed",
        "migration.backed-up",
        "migration.copied",
        "migration.migrated",
        "migration.synced",
        "migration.renamed",
    ],
    "backup": ["backup.store-copied", "keyfile.temp-written", "backup.complete", "backup.renamed"],
    "restore": [
        "restore.staged",
        "restore.decided",
        "restore.put-aside",
        "restore.put-in-place",
        "restore.put-aside:2",
        "restore.put-in-place:2",
    ],
}

SALVAGE_POINTS = [
    "create.store-prepared",
    "create.renamed",
    "salvage.filled",
    "salvage.moved",
    "salvage.synced",
    "salvage.renamed",
]


class Worker:
    """The process whose children are killed."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def run(self, job: str, folder: Path, **more: Any) -> list[int]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"job": job, "folder": str(folder), **more}) + "\n")
        self.process.stdin.flush()
        codes: list[int] = json.loads(self.process.stdout.readline())
        return codes


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """Return a folder in memory where there is one: a kill does not care, and nothing waits for a disk."""
    if not os.access("/dev/shm", os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(prefix="vault-crash-", dir="/dev/shm") as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        [sys.executable, str(root / "tests" / "vault_crash_worker.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=root,
        env={**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'tests'}", "OPENBLAS_NUM_THREADS": "1"},
    )
    with process:
        yield Worker(process)
        assert process.stdin is not None
        process.stdin.close()


def prepared(folder: Path) -> None:
    """Make a vault with something to lose, and a backup that has it too."""
    with build.make(folder) as vault:
        build.say(vault, *KEPT)
        vault.backup()


def only_opener(folder: Path, **more: Any) -> Vault:
    """Open with whichever passphrase works, and check that the other does not."""
    opened: list[Vault] = []
    for words in (build.WORDS, OTHER):
        try:
            opened.append(build.reopen(folder, words, **more))
        except WrongPassphrase:
            continue
        if len(opened) == 1 and words == build.WORDS:
            opened[0].close()
            with pytest.raises(WrongPassphrase):
                build.reopen(folder, OTHER, **more)
            opened[0] = build.reopen(folder, build.WORDS, **more)
            break
    assert len(opened) == 1
    return opened[0]


def nothing_in_clear(folder: Path) -> bool:
    return not any(b"heron" in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def litter(folder: Path) -> set[str]:
    """Return what lies in a vault's folder and does not belong there."""
    known = {"vault.db", "vault.key", "vault.lock", "backups"}
    known |= {f"vault.db{suffix}" for suffix in ("-wal", "-shm", "-journal")}  # SQLite's own, encrypted
    return {path.name for path in folder.iterdir()} - known


def made_or_can_be(folder: Path) -> None:
    """Check that a vault whose making was cut off is there whole, or not at all."""
    try:
        build.reopen(folder).close()
    except NoStore:
        build.fresh(folder).close()


def check_what_is_left(folder: Path, job: str) -> None:
    """Check after a job on a prepared vault, done or refused, that all is there and nothing else is."""
    if job == "create":
        made_or_can_be(folder)
        return
    with only_opener(folder, schema_version=None) as vault:
        said = build.said(vault)
        assert said[: len(KEPT)] == KEPT
        assert job == "say" or len(said) == len(KEPT)
        assert check_connection(vault.db).sound
    assert litter(folder) == set()
    assert nothing_in_clear(folder)


@pytest.mark.parametrize(("job", "name"), [(job, name) for job, names in POINTS.items() for name in names])
def test_a_kill_at_a_named_point_loses_nothing(tmp_path: Path, worker: Worker, job: str, name: str) -> None:
    folder = tmp_path / "v"
    if job != "create":
        prepared(folder)
    assert worker.run(job, folder, crash_at=name) == [KILLED]
    assert nothing_in_clear(tmp_path)
    if job == "create":
        made_or_can_be(folder)
        expected = []
    else:
        expected = KEPT
    version = schema_after(folder) if job == "migrate" else 1
    with only_opener(folder, schema_version=version) as vault:
        assert build.said(vault) == expected
        assert check_connection(vault.db).sound
        assert not vault.key_file.rotating
    assert litter(folder) == set()
    for card in list_backups(folder):
        shutil.copytree(card.path, tmp_path / "copy")
        with build.reopen(tmp_path / "copy", schema_version=None) as vault:
            assert build.said(vault) == expected
        shutil.rmtree(tmp_path / "copy")
    if job not in ("create", "rewrap", "migrate"):
        assert worker.run(job, folder) == [0]


def schema_after(folder: Path) -> int:
    with build.reopen(folder, schema_version=None) as vault:
        return int(vault.db.conn.execute("PRAGMA user_version").fetchone()[0])


def test_every_named_point_is_passed_by_the_job_it_is_listed_under(tmp_path: Path, worker: Worker) -> None:
    """The kill test proves it for the listed ones; this finds points in the code that nobody listed."""
    root = Path(__file__).parents[2] / "memory" / "vault"
    listed = {name.partition(":")[0] for names in (*POINTS.values(), SALVAGE_POINTS) for name in names}
    literal: set[str] = set()
    for path in root.glob("*.py"):
        for line in path.read_text().splitlines():
            if line.strip().startswith('point("'):
                literal.add(line.split('"')[1])
    assert literal - listed == set()


@pytest.mark.parametrize("name", SALVAGE_POINTS)
def test_a_killed_salvage_leaves_no_store_that_lacks_something(
    tmp_path: Path, worker: Worker, name: str
) -> None:
    folder, saved = tmp_path / "v", tmp_path / "saved"
    prepared(folder)
    before = build.picture(folder)
    assert worker.run("save", folder, crash_at=name) == [KILLED]
    assert nothing_in_clear(tmp_path)
    assert build.picture(folder) == before
    try:
        build.reopen(saved).close()
    except NoStore:
        assert worker.run("save", folder) == [0]
    with build.reopen(saved) as vault:
        assert build.said(vault) == KEPT
    assert litter(saved) == set()


@pytest.mark.parametrize("limit", [0, 200, 2000, 20_000, 45_000, 50_000, 60_000])
def test_a_salvage_onto_a_full_disk_leaves_no_store_that_lacks_something(
    tmp_path: Path, worker: Worker, limit: int
) -> None:
    folder, saved = tmp_path / "v", tmp_path / "saved"
    prepared(folder)
    before = build.picture(folder)
    (code,) = worker.run("save", folder, limit=limit)
    assert code in (0, REFUSED)
    assert build.picture(folder) == before
    if code == REFUSED:
        assert litter(saved) == set()
        with pytest.raises(NoStore):
            build.reopen(saved)
        assert worker.run("save", folder) == [0]
    with build.reopen(saved) as vault:
        assert build.said(vault) == KEPT


@pytest.mark.timeout(60 + 2 * KILLS)
def test_random_kills_lose_no_acknowledged_word(tmp_path: Path, worker: Worker) -> None:
    rng = random.Random(20260301)
    for kill in range(KILLS):
        folder = (
            tmp_path / str(kill // 40) / "v"
        )  # a fresh one now and then: a long history only slows the checks
        acknowledged = folder.with_name("acknowledged")
        if not folder.exists():
            folder.parent.mkdir()
            build.make(folder).close()
        assert worker.run("talk", folder, kill_after=rng.uniform(0, 0.08)) == [KILLED]
        lines = acknowledged.read_text().splitlines()
        with only_opener(folder) as vault:
            said = build.said(vault)
            assert said[: len(lines)] == lines
            assert len(said) - len(lines) <= 1, "at most one text was stored and not yet acknowledged"
            acknowledged.write_text("".join(f"{text}\n" for text in said))
            assert check_connection(vault.db).sound, kill
        assert nothing_in_clear(folder)
        assert litter(folder) == set()


@pytest.mark.parametrize("job", ["create", "say", "rewrap", "turn", "migrate", "backup", "restore"])
@pytest.mark.parametrize("limit", [0, 200, 2000, 6000, 20_000, 45_000, 70_000])
def test_a_full_disk_is_named_and_loses_nothing(tmp_path: Path, worker: Worker, job: str, limit: int) -> None:
    folder = tmp_path / "v"
    if job != "create":
        prepared(folder)
    (code,) = worker.run(job, folder, limit=limit)
    assert code in (0, REFUSED)
    if limit <= 6000:
        assert code == REFUSED
    check_what_is_left(folder, job)


@pytest.mark.parametrize("job", ["create", "say", "rewrap", "turn", "migrate", "backup", "restore", "read"])
@pytest.mark.parametrize("room", [0, 8192, 40_960, 81_920, 204_800])
def test_a_disk_without_room_is_named_and_loses_nothing(
    tmp_path: Path, worker: Worker, job: str, room: int
) -> None:
    """The disk is full for every file together, as it happens to people; elsewhere the limit is on each file."""
    place = tmp_path / "disk"
    folder = place / "v"
    with small_disk(place, 4 << 20) as mounted:
        if job != "create":
            prepared(folder)
        ballast = fill(place, room) if mounted else None
        (code,) = worker.run(job, folder, **({} if mounted else {"limit": room}))
        assert code in (0, REFUSED)
        if job == "read" and mounted:
            assert code == 0, "reading needs no room"
        elif room <= 8192 and job != "read":
            assert code == REFUSED
        if ballast is not None:
            ballast.unlink()
        check_what_is_left(folder, job)


def shut_in() -> list[Path]:
    """The folders that somebody else has to get through to run this code."""
    inside = (Path(__file__).resolve().parent, Path(sys.prefix).resolve())
    return [folder for path in inside for folder in (path, *path.parents)]


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="needs root to become somebody else")
def test_a_read_only_folder_can_be_read_and_is_named_when_written(worker: Worker) -> None:
    nobody = 65534
    if not all(parent.stat().st_mode & 0o005 == 0o005 for parent in shut_in()):
        pytest.skip("this checkout or its Python cannot be read by another user")
    outer = Path("/tmp") / f"vault-read-only-{os.getpid()}"
    folder = outer / "v"
    try:
        outer.mkdir()
        outer.chmod(0o755)  # whatever the umask is by now: somebody else must get through
        with build.make(folder) as vault:
            build.say(vault, "hello")
        (folder / "vault.lock").unlink()
        for path in (folder, *folder.iterdir()):
            os.chown(path, nobody, nobody)
            path.chmod(0o500 if path.is_dir() else 0o400)
        before = build.picture(folder)
        assert worker.run("read", folder, user=nobody) == [0]
        for job in ("say", "rewrap", "turn", "migrate", "backup"):
            assert worker.run(job, folder, user=nobody) == [REFUSED], job
        assert build.picture(folder) == before
    finally:
        shutil.rmtree(outer)


def test_of_two_racing_creators_one_wins(tmp_path: Path, worker: Worker) -> None:
    for number in range(8):
        folder = tmp_path / f"v{number}"
        codes = worker.run("create", folder, times=3)
        assert sorted(codes) == [0, REFUSED, REFUSED]
        build.reopen(folder).close()
