from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import vault_builders as build

from memory.vault.errors import StoreInUse
from memory.vault.lock import acquire, find_holder, process_start
from memory.vault.status import vault_status

HOLD = (
    "import sys; from pathlib import Path; from memory.vault.lock import acquire\n"
    "lock = acquire(Path(sys.argv[1]), since='noon'); print('held', flush=True); sys.stdin.read()"
)


def holding_process(path: Path) -> subprocess.Popen[bytes]:
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"held\n"
    return child


def end(child: subprocess.Popen[bytes], how: int) -> None:
    child.send_signal(how)
    child.communicate(timeout=20)


def test_a_second_writer_learns_who_holds_the_store(tmp_path: Path) -> None:
    child = holding_process(tmp_path / "lock")
    try:
        with pytest.raises(StoreInUse) as caught:
            acquire(tmp_path / "lock", since="later")
        assert (caught.value.pid, caught.value.since) == (child.pid, "noon")
        holder = find_holder(tmp_path / "lock")
        assert holder is not None
        assert (holder.pid, holder.started) == (child.pid, process_start(child.pid))
    finally:
        end(child, signal.SIGKILL)


def test_the_lock_of_a_killed_writer_is_free_and_recognised(tmp_path: Path) -> None:
    child = holding_process(tmp_path / "lock")
    end(child, signal.SIGKILL)
    assert b"noon" in (tmp_path / "lock").read_bytes()
    assert find_holder(tmp_path / "lock") is None
    lock = acquire(tmp_path / "lock", since="later")
    assert lock.stale is not None
    assert lock.stale.pid == child.pid
    lock.release()
    lock.release()
    assert (tmp_path / "lock").read_bytes() == b""


def test_readers_work_beside_a_writer_and_see_its_commits(tmp_path: Path) -> None:
    with build.make(tmp_path / "v") as vault:
        build.say(vault, "first")
        with pytest.raises(StoreInUse) as caught:
            build.reopen(tmp_path / "v")
        assert caught.value.pid == os.getpid()
        with build.reopen(tmp_path / "v", writer=False) as reader:
            build.say(vault, "second")
            assert build.said(reader) == ["first", "second"]
        build.say(vault, "third")
        assert build.said(vault) == ["first", "second", "third"]
    with build.reopen(tmp_path / "v", writer=False) as reader:
        assert build.said(reader) == ["first", "second", "third"]


def test_status_tells_without_any_secret_and_changes_nothing(tmp_path: Path) -> None:
    assert not vault_status(tmp_path / "none").exists
    with build.make(tmp_path / "v"):
        status = vault_status(tmp_path / "v", allow_cheap=True)
        assert status.in_use_by is not None
        assert status.in_use_by.pid == os.getpid()
    before = build.picture(tmp_path)
    status = vault_status(tmp_path / "v", allow_cheap=True)
    assert (status.exists, status.in_use_by, status.problem) == (True, None, None)
    assert [slot.kind for slot in status.slots] == ["passphrase"]
    assert status.store_bytes > 0
    assert build.picture(tmp_path) == before
