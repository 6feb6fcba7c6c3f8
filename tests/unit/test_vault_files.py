from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import vault_builders as build

from memory.vault import crashpoints, files
from memory.vault.errors import DiskFull, StoreUnwritable


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_everything_in_a_vault_is_for_its_owner_only(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        with build.fresh(tmp_path / "v") as vault:
            build.say(vault, "hello")
            assert mode(vault.folder) == 0o700
            assert {path.name: mode(path) for path in vault.folder.iterdir()} == dict.fromkeys(
                ["vault.db", "vault.db-shm", "vault.db-wal", "vault.key", "vault.lock"], 0o600
            )
    finally:
        os.umask(old)


def test_modes_that_are_too_open_are_closed_and_told(tmp_path: Path) -> None:
    with build.make(tmp_path / "v"):
        pass
    (tmp_path / "v").chmod(0o755)
    (tmp_path / "v" / "vault.key").chmod(0o644)
    with build.reopen(tmp_path / "v", writer=False) as vault:
        assert [word.split()[0] for word in vault.notices] == ["v", "vault.key"]
        assert mode(tmp_path / "v" / "vault.key") == 0o644
    with build.reopen(tmp_path / "v") as vault:
        assert "0644" in vault.notices[1]
    assert (mode(tmp_path / "v"), mode(tmp_path / "v" / "vault.key")) == (0o700, 0o600)
    with build.reopen(tmp_path / "v") as vault:
        assert vault.notices == ()


def test_a_failed_replacement_leaves_the_old_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "vault.key"
    path.write_bytes(b"old")

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(DiskFull):
            files.write_atomically(path, b"new", named="test")
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (b"old", [path])


def test_a_refusal_is_not_called_a_full_disk(tmp_path: Path) -> None:
    with pytest.raises(StoreUnwritable), files.disk_errors("x"):
        raise PermissionError(13, "Permission denied")
    with pytest.raises(FileNotFoundError), files.disk_errors("x"):
        raise FileNotFoundError(2, "gone")


def test_a_crash_point_kills_on_the_passage_that_was_asked_for() -> None:
    code = (
        "from memory.vault.crashpoints import point\nfor n in range(9): print(n, flush=True); point('here')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=False,
        env={**os.environ, crashpoints.VARIABLE: "here:3"},
    )
    assert (done.stdout.split(), done.returncode) == ([b"0", b"1", b"2"], -9)


@pytest.mark.skipif(sys.platform != "linux", reason="dumpability is a Linux notion")
def test_a_hardened_process_leaves_no_core_and_cannot_be_dumped() -> None:
    code = (
        "import ctypes, os, resource\n"
        "from memory.vault.hardening import harden_process, PR_GET_DUMPABLE\n"
        "missing = harden_process()\n"
        "print(missing, resource.getrlimit(resource.RLIMIT_CORE), ctypes.CDLL(None).prctl(PR_GET_DUMPABLE),"
        " oct(os.umask(0)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "() (0, 0) 0 0o77"
