import os
from pathlib import Path

import pytest

from models.machine_memory import machine_memory

WHOLE = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def limit(folder: Path, name: str, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


def group(tmp_path: Path, line: str) -> Path:
    ours = tmp_path / "ours"
    ours.write_text(line)
    return ours


def test_the_smallest_limit_around_this_process_counts(tmp_path: Path) -> None:
    limit(tmp_path, "memory.max", "max\n")
    limit(tmp_path / "user", "memory.max", "500000000\n")
    limit(tmp_path / "user" / "app", "memory.max", "700000000\n")
    assert machine_memory(groups=tmp_path, ours=group(tmp_path, "0::/user/app\n")) == 500_000_000


def test_the_older_layout_is_understood(tmp_path: Path) -> None:
    limit(tmp_path / "memory" / "box", "memory.limit_in_bytes", "600000000\n")
    lines = "5:cpu,cpuacct:/box\n4:memory:/box\n"
    assert machine_memory(groups=tmp_path, ours=group(tmp_path, lines)) == 600_000_000


@pytest.mark.parametrize("text", ["max\n", "", "-1", "none", "9223372036854771712\n"])
def test_without_a_limit_it_is_what_the_machine_has(tmp_path: Path, text: str) -> None:
    limit(tmp_path, "memory.max", text)
    assert machine_memory(groups=tmp_path, ours=group(tmp_path, "0::/\n")) == WHOLE


@pytest.mark.parametrize("line", ["", "nonsense", "0::/../../..\n", "0::/gone\n"])
def test_what_cannot_be_read_does_not_count(tmp_path: Path, line: str) -> None:
    assert machine_memory(groups=tmp_path, ours=group(tmp_path, line)) == WHOLE
    assert machine_memory(groups=tmp_path, ours=tmp_path / "missing") == WHOLE
