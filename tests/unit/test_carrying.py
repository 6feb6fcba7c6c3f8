"""A running Locket writes its memory to a file and takes files in, and can be told to stop: then nothing is left of it."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from turn_builders import Engines, hear, say

from assistant import wiring
from assistant.carrying import CarryStopped, is_own, remark_lines, report_lines
from assistant.chat.attached import Attached, with_blocks
from assistant.locket import Locket
from assistant.paths import holds_store
from assistant.settings import load_settings
from memory.transfer.errors import WrongArchivePassphrase
from memory.transfer.report import ImportReport, Skipped

PASSPHRASE = "otter lamp violet harbour"
OTHER = "quite another set of words"


def ignored(_done: int, _total: int) -> None:
    """Look at no progress."""


@asynccontextmanager
async def opened(home: Path) -> AsyncIterator[Locket]:
    settings = load_settings({"LOCKET_HOME": str(home), "LOCKET_TEST_CHEAP_KDF": "1"})
    if not holds_store(settings.paths.vault):
        wiring.create_store(settings, PASSPHRASE)
    locket = wiring.open_locket(settings, PASSPHRASE, Engines())
    try:
        yield locket
    finally:
        await locket.close()


async def values(locket: Locket) -> list[str]:
    return [fact.value for fact in await locket.read(lambda reader: reader.list_facts())]


async def test_what_one_locket_writes_another_takes_in_while_both_are_open(tmp_path: Path) -> None:
    file = tmp_path / "memory.age"
    steps: list[tuple[int, int]] = []
    async with opened(tmp_path / "one") as one, opened(tmp_path / "two") as two:
        await say(one, "My dog is called Biscuit")
        manifest = await one.export_file(file, OTHER, "all", lambda done, total: steps.append((done, total)))
        assert steps[-1] == (manifest.total, manifest.total)
        assert is_own(file)
        with pytest.raises(WrongArchivePassphrase):
            await two.import_file(file, "wrong", ignored, trust=False, dry_run=True)
        looked = await two.import_file(file, OTHER, ignored, trust=False, dry_run=True)
        assert looked.added["fact"] == 1
        assert await values(two) == []
        await two.import_file(file, OTHER, ignored, trust=False, dry_run=False)
        assert await values(two) == ["Biscuit"]
        assert (await say(two, "What is my dog called?")).failure is None


async def test_an_attached_file_is_nowhere_in_clear(tmp_path: Path) -> None:
    canary = "zubrowka-in-the-harbour"
    text, pasted = with_blocks("Read this", (), [Attached("notes.txt", f"The word is {canary}.").block])
    async with opened(tmp_path / "home") as locket:
        await locket.act(lambda memory: memory.keep_unsent(None, text))
        heard = await hear(locket.turn(text, conversation=None, pasted=pasted))
        assert heard.prompt is not None
        assert canary in heard.prompt.messages[-1].text
        found = await locket.act(lambda memory: memory.search("zubrowka"))
        assert canary in found[0].item.text
        await locket.export_file(tmp_path / "home" / "memory.age", OTHER, "all", ignored)
        written = [one for one in (tmp_path / "home").rglob("*") if one.is_file()]
        assert written
        assert [one for one in written if canary.encode() in bytes_of(one)] == []


def bytes_of(path: Path) -> bytes:
    """Return what is in a file; nothing when it was renamed meanwhile, as the day's backup is once it is whole."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


async def test_a_stopped_export_leaves_no_file(tmp_path: Path) -> None:
    async with opened(tmp_path / "home") as locket:
        await say(locket, "My dog is called Biscuit")
        (tmp_path / "out").mkdir()
        with pytest.raises(CarryStopped):
            await locket.export_file(
                tmp_path / "out" / "memory.age", OTHER, "all", lambda _done, _total: stop_now(locket)
            )
        assert list((tmp_path / "out").iterdir()) == []


def stop_now(locket: Locket) -> None:
    locket.stop_carrying()
    raise CarryStopped


async def test_a_stopped_import_changes_nothing(tmp_path: Path) -> None:
    listed = tmp_path / "listed.txt"
    listed.write_text("".join(f"[2026-03-01] - I have {n} boats in harbour {n}\n" for n in range(1, 40)))
    async with opened(tmp_path / "home") as locket:

        def tell(done: int, _total: int) -> None:
            if done == 5:
                locket.stop_carrying()

        with pytest.raises(CarryStopped):
            await locket.import_file(listed, None, tell, trust=True, dry_run=False)
        assert await values(locket) == []
        report = await locket.import_file(listed, None, ignored, trust=True, dry_run=False)
        assert sum(report.added.values()) == 39


async def test_locking_stops_an_import(tmp_path: Path) -> None:
    listed = tmp_path / "listed.txt"
    listed.write_text("".join(f"[2026-03-01] - I have {n} boats in harbour {n}\n" for n in range(1, 40)))
    async with opened(tmp_path / "home") as locket:
        closing = threading.Thread(target=locket.close_now)

        def tell(done: int, _total: int) -> None:
            if done == 5:
                closing.start()
                assert locket._halt.wait(10)

        with pytest.raises(CarryStopped):
            await locket.import_file(listed, None, tell, trust=True, dry_run=False)
        await asyncio.to_thread(closing.join)
    async with opened(tmp_path / "home") as locket:
        assert await values(locket) == []


def test_a_report_is_told_in_lines() -> None:
    report = ImportReport(
        added={"message": 1418, "fact": 3},
        skipped=(Skipped("conversation 7", "it holds no message"),),
        forgotten_elsewhere=("f1",),
    )
    assert report_lines(report) == ["added    3 fact, 1,418 message"]
    assert remark_lines(report)[0] == "skipped  conversation 7: it holds no message"
    assert remark_lines(report)[-1].endswith("locket memory forget f1")
    assert report_lines(ImportReport()) == ["nothing in it"]
