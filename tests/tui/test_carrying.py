"""/export, /import, /attach and /persona: asked for on the screen, done beside it, told in words.

Longer than most: exports and imports share one home and one way of walking through the dialogs.
"""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static
from tui.conftest import Open, Patient, write
from tui.fakes import PASSPHRASE, FakeLocket

from assistant.tui.screens.chat import ChatScreen
from assistant.tui.screens.export import ExportScreen
from assistant.tui.screens.import_ import ImportScreen
from assistant.tui.screens.unlock import UnlockScreen
from assistant.tui.widgets.answer import UserView
from assistant.tui.widgets.choice import CHOSEN, OTHER, Choice
from assistant.tui.widgets.drafts import Drafts
from assistant.tui.widgets.prompt_input import PromptInput


def field(pilot: Pilot[Any], name: str) -> Input:
    return pilot.app.screen.query_one(name, Input)


def words(pilot: Pilot[Any], name: str = "#carry-words") -> str:
    return str(pilot.app.screen.query_one(name, Static).content)


def told(pilot: Pilot[Any]) -> str:
    return " ".join(str(note.message) for note in pilot.app._notifications)


async def command(pilot: Pilot[Any], typed: str) -> None:
    prompt = pilot.app.screen.query_one(PromptInput)
    prompt.put(typed)
    await pilot.pause()
    prompt.close_completions()
    await pilot.press("enter")


async def exporting(pilot: Pilot[Any], wait: Patient, file: Path) -> None:
    await command(pilot, f"/export {file}")
    await wait(pilot, lambda: isinstance(pilot.app.screen, ExportScreen) and pilot.app.screen.query("#two"))
    await wait(pilot, lambda: field(pilot, "#file").has_focus)
    assert field(pilot, "#file").value == str(file)
    await pilot.press("enter")
    await wait(pilot, lambda: field(pilot, "#one").has_focus or words(pilot))


async def importing(pilot: Pilot[Any], wait: Patient, file: Path) -> None:
    await command(pilot, f"/import {file}")
    await wait(pilot, lambda: isinstance(pilot.app.screen, ImportScreen) and pilot.app.screen.query("#lines"))


async def test_an_export_asks_for_its_passphrase_twice_and_says_what_was_written(
    chatting: Open, wait_for_workers: Patient, locket: FakeLocket, tmp_path: Path
) -> None:
    async with chatting() as pilot:
        await exporting(pilot, wait_for_workers, tmp_path / "memory.age")
        await write(pilot, "short")
        await pilot.press("enter")
        assert "At least" in words(pilot)
        await write(pilot, " and long")
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: field(pilot, "#two").has_focus)
        await write(pilot, "short and wrong")
        await pilot.press("enter")
        assert words(pilot) == "The two are not the same."
        field(pilot, "#two").value = "short and long"
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: "1,400 records, 1,200 bytes" in words(pilot, "#lines"))
        assert locket.carried == [("export", "memory.age", "short and long", "all")]
        assert field(pilot, "#one").value == field(pilot, "#two").value == ""
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: isinstance(pilot.app.screen, ChatScreen))


@pytest.mark.parametrize("there", [False, True])
async def test_one_enter_after_the_passphrases_writes_though_the_file_was_passed_by_with_tab(
    chatting: Open, wait_for_workers: Patient, locket: FakeLocket, tmp_path: Path, there: bool
) -> None:
    file = tmp_path / "memory.age"
    if there:
        file.write_text("the older one")
    locket.carry_hold = asyncio.Event()
    async with chatting() as pilot:
        await command(pilot, f"/export {file}")
        await wait_for_workers(pilot, lambda: pilot.app.screen.query("#two"))
        field(pilot, "#one").focus()
        await wait_for_workers(pilot, lambda: field(pilot, "#one").has_focus)
        await write(pilot, PASSPHRASE)
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: field(pilot, "#two").has_focus)
        await write(pilot, PASSPHRASE)
        await pilot.press("enter")
        if there:
            await wait_for_workers(pilot, lambda: "is there already" in words(pilot))
            assert not locket.carried
            await wait_for_workers(pilot, lambda: field(pilot, "#file").has_focus)
            await pilot.press("enter")
        await wait_for_workers(pilot, lambda: locket.carried)
        assert locket.carried == [("export", "memory.age", PASSPHRASE, "all")]


async def test_an_enter_while_the_file_is_looked_at_is_remembered_and_nobody_is_sent_back(
    chatting: Open,
    wait_for_workers: Patient,
    locket: FakeLocket,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looking = threading.Event()

    def slow(_: Path) -> str:
        looking.wait(30)
        return ""

    monkeypatch.setattr("assistant.tui.screens.export.target_refusal", slow)
    async with chatting() as pilot:
        await command(pilot, f"/export {tmp_path / 'memory.age'}")
        await wait_for_workers(pilot, lambda: pilot.app.screen.query("#two"))
        await wait_for_workers(pilot, lambda: field(pilot, "#file").has_focus)
        await pilot.press("enter")
        field(pilot, "#one").value = field(pilot, "#two").value = PASSPHRASE
        field(pilot, "#two").focus()
        await wait_for_workers(pilot, lambda: field(pilot, "#two").has_focus)
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: words(pilot) == "Writing…")
        looking.set()
        await wait_for_workers(pilot, lambda: locket.carried)
        assert field(pilot, "#two").has_focus or words(pilot, "#lines")


async def test_a_part_can_be_exported(
    chatting: Open, wait_for_workers: Patient, locket: FakeLocket, tmp_path: Path
) -> None:
    async with chatting() as pilot:
        await exporting(pilot, wait_for_workers, tmp_path / "memory.age")
        choices = list(pilot.app.screen.query(Choice))
        choices[1].value = True
        await wait_for_workers(pilot, lambda: [one.BUTTON_INNER for one in choices] == [OTHER, CHOSEN, OTHER])
        await pilot.press("ctrl+g", "enter")
        await wait_for_workers(pilot, lambda: locket.carried)
        assert locket.carried[0][3] == "memory"


async def test_a_file_that_is_there_is_written_over_by_a_second_enter_only(
    chatting: Open, wait_for_workers: Patient, locket: FakeLocket, tmp_path: Path
) -> None:
    (tmp_path / "memory.age").write_text("the older one")
    async with chatting() as pilot:
        await exporting(pilot, wait_for_workers, tmp_path / "memory.age")
        assert "is there already" in words(pilot)
        assert not field(pilot, "#one").has_focus
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: field(pilot, "#one").has_focus)


async def test_a_missing_folder_is_said_before_anything_is_asked(
    chatting: Open, wait_for_workers: Patient, locket: FakeLocket, tmp_path: Path
) -> None:
    async with chatting() as pilot:
        await exporting(pilot, wait_for_workers, tmp_path / "nowhere" / "memory.age")
        assert "There is no folder" in words(pilot)


async def test_escape_stops_an_export_and_then_closes(
    chatting: Open, wait_for_workers: Patient, locket: FakeLocket, tmp_path: Path
) -> None:
    locket.carry_hold = asyncio.Event()
    async with chatting() as pilot:
        await exporting(pilot, wait_for_workers, tmp_path / "memory.age")
        await pilot.press("ctrl+g", "enter")
        await wait_for_workers(pilot, lambda: words(pilot) == "1,200 records of 3,700")
        await pilot.press("escape")
        await wait_for_workers(pilot, lambda: words(pilot, "#dialog-title") == "Stopped.")
        assert words(pilot, "#lines") == "No file was written."
        assert not (tmp_path / "memory.age").exists()
        await pilot.press("escape")
        await wait_for_workers(pilot, lambda: isinstance(pilot.app.screen, ChatScreen))


async def test_an_archive_is_looked_at_before_it_is_taken_in(
    chatting: Open, wait_for_workers: Patient, locket: FakeLocket, tmp_path: Path
) -> None:
    (tmp_path / "memory.age").write_bytes(b"age-encryption.org/v1\n")
    async with chatting() as pilot:
        await importing(pilot, wait_for_workers, tmp_path / "memory.age")
        await wait_for_workers(pilot, lambda: field(pilot, "#one").has_focus)
        await write(pilot, "wrong")
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: "passphrase" in words(pilot) and field(pilot, "#one").has_focus)
        assert field(pilot, "#one").value == ""
        await write(pilot, PASSPHRASE)
        await pilot.press("enter")
        await wait_for_workers(
            pilot, lambda: "new: 12 conversations, 418 messages, 3 facts" in words(pilot, "#lines")
        )
        assert "Nothing has been changed yet" in words(pilot)
        await pilot.press("t")  # an archive keeps its own trust
        assert [step for step, *_ in locket.carried] == ["look", "look"]
        await pilot.press("y")
        await wait_for_workers(pilot, lambda: words(pilot, "#dialog-title") == "Imported.")
        assert locket.carried[-1] == ("take", "memory.age", PASSPHRASE, False)
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: isinstance(pilot.app.screen, ChatScreen))


async def test_a_passphrase_given_while_the_file_is_looked_at_leads_to_the_look(
    chatting: Open, wait_for_workers: Patient, locket: FakeLocket, tmp_path: Path
) -> None:
    for name in ("memory.age", "other.age"):
        (tmp_path / name).write_bytes(b"age-encryption.org/v1\n")
    async with chatting() as pilot:
        await importing(pilot, wait_for_workers, tmp_path / "memory.age")
        await wait_for_workers(pilot, lambda: field(pilot, "#one").has_focus)
        await pilot.press("enter")
        assert words(pilot) == "Type its passphrase."
        field(pilot, "#file").value = str(tmp_path / "other.age")  # and not looked at
        await write(pilot, PASSPHRASE)
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: "Nothing has been changed yet" in words(pilot))
        assert locket.carried == [("look", "other.age", PASSPHRASE, False)]


async def test_the_trust_of_another_programs_export_is_chosen_after_a_look(
    chatting: Open, wait_for_workers: Patient, locket: FakeLocket, tmp_path: Path
) -> None:
    (tmp_path / "list.txt").write_text("[2026-03-01] - I live in Lisbon\n")
    async with chatting() as pilot:
        await importing(pilot, wait_for_workers, tmp_path / "list.txt")
        await wait_for_workers(pilot, lambda: "wait in Review and" in words(pilot))
        assert "skipped  conversation 7: it holds no message" in words(pilot, "#lines")
        await pilot.press("t")
        await wait_for_workers(pilot, lambda: "recalled at once (t" in words(pilot))
        await pilot.press("y")
        await wait_for_workers(pilot, lambda: words(pilot, "#dialog-title") == "Imported.")
        assert locket.carried == [
            ("look", "list.txt", None, False),
            ("look", "list.txt", None, True),
            ("take", "list.txt", None, True),
        ]


async def test_leaving_after_the_look_takes_nothing_in(
    chatting: Open, wait_for_workers: Patient, locket: FakeLocket, tmp_path: Path
) -> None:
    (tmp_path / "list.txt").write_text("[2026-03-01] - I live in Lisbon\n")
    async with chatting() as pilot:
        await importing(pilot, wait_for_workers, tmp_path / "list.txt")
        await wait_for_workers(pilot, lambda: "wait in Review and" in words(pilot))
        await pilot.press("n")
        await wait_for_workers(pilot, lambda: isinstance(pilot.app.screen, ChatScreen))
        assert [step for step, *_ in locket.carried] == ["look"]


async def test_nothing_is_imported_beside_an_incognito_conversation(
    chatting: Open, wait_for_workers: Patient
) -> None:
    async with chatting() as pilot:
        await pilot.press("ctrl+t")
        await wait_for_workers(pilot, lambda: "Incognito" in words(pilot, "#welcome"))
        await command(pilot, "/import list.txt")
        await wait_for_workers(pilot, lambda: "Nothing is written beside" in told(pilot))


async def test_an_attached_file_waits_beside_the_text_and_goes_as_pasted(
    chatting: Open, wait_for_workers: Patient, locket: FakeLocket, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("I live in Nowhere.\n")
    async with chatting() as pilot:
        await command(pilot, f"/attach {tmp_path}/notes.txt")
        drafts = pilot.app.screen.query_one(Drafts)
        await wait_for_workers(pilot, lambda: "notes.txt of 18 characters" in str(drafts.content))
        await write(pilot, "Read this")
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: locket.asked)
        ((text, spans),) = locket.asked
        assert text == "Read this\n\n[file: notes.txt]\nI live in Nowhere."
        assert [text[a:b] for a, b in spans] == ["[file: notes.txt]\nI live in Nowhere."]
        assert not drafts.display
        view = pilot.app.screen.query(UserView).first(UserView)
        assert (
            str(view.query_one(".words", Static).content) == "Read this\n\n[file: notes.txt · 18 characters]"
        )
        await wait_for_workers(pilot, lambda: not pilot.app.screen.query_one(PromptInput).text)
        await pilot.press("up")
        prompt = pilot.app.screen.query_one(PromptInput)
        await wait_for_workers(pilot, lambda: prompt.text == "Read this")
        assert prompt.whole == (text, spans)
        await pilot.press("alt+backspace")
        assert prompt.whole == ("Read this", ())


@pytest.mark.parametrize(
    ("name", "reason"), [("no.txt", "There is no file"), (".", "is a folder"), ("picture.png", "is not text")]
)
async def test_what_cannot_be_attached_is_said(
    chatting: Open, wait_for_workers: Patient, tmp_path: Path, name: str, reason: str
) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\x00")
    async with chatting() as pilot:
        await command(pilot, f"/attach {tmp_path}/{name}")
        await wait_for_workers(pilot, lambda: reason in told(pilot))


async def test_tab_completes_the_path_of_a_command(
    chatting: Open, wait_for_workers: Patient, tmp_path: Path
) -> None:
    (tmp_path / "a folder").mkdir()
    (tmp_path / "a folder" / "notes.txt").touch()
    async with chatting() as pilot:
        prompt = pilot.app.screen.query_one(PromptInput)
        prompt.put(f"/attach {tmp_path}/a f")
        await pilot.press("tab")
        await wait_for_workers(pilot, lambda: prompt.text.endswith("/a folder/"))
        await pilot.press("tab")
        await wait_for_workers(pilot, lambda: prompt.text.endswith("/a folder/notes.txt"))


async def test_a_persona_is_shown_set_and_taken_back(
    chatting: Open, wait_for_workers: Patient, locket: FakeLocket
) -> None:
    async with chatting() as pilot:
        await command(pilot, "/persona")
        await wait_for_workers(pilot, lambda: "None. /persona WORDS" in told(pilot))
        await command(pilot, "/persona Be terse.")
        await wait_for_workers(pilot, lambda: locket.persona == "Be terse.")
        await command(pilot, "/persona none")
        await wait_for_workers(pilot, lambda: locket.persona == "")
        await wait_for_workers(pilot, lambda: "No persona any more." in told(pilot))


async def test_beside_an_incognito_conversation_it_is_said_how_far_a_persona_reaches(
    chatting: Open, wait_for_workers: Patient
) -> None:
    async with chatting() as pilot:
        await pilot.press("ctrl+t")
        await wait_for_workers(pilot, lambda: "Incognito" in words(pilot, "#welcome"))
        await command(pilot, "/persona")
        await wait_for_workers(pilot, lambda: "holds for this conversation only" in told(pilot))
        assert "every prompt of this profile" not in told(pilot)


async def test_the_settings_show_the_persona_that_the_profile_keeps(
    chatting: Open, wait_for_workers: Patient
) -> None:
    async with chatting() as pilot:
        await pilot.press("f2")
        await wait_for_workers(
            pilot, lambda: pilot.app.screen.query("#table") and "Be terse." in words(pilot, "#table")
        )


@pytest.mark.parametrize("working", [False, True])
async def test_locking_takes_the_dialog_away_and_stops_its_work(
    chatting: Open, wait_for_workers: Patient, locket: FakeLocket, tmp_path: Path, working: bool
) -> None:
    locket.carry_hold = asyncio.Event()
    async with chatting() as pilot:
        await exporting(pilot, wait_for_workers, tmp_path / "memory.age")
        await pilot.press("ctrl+g")
        if working:
            await pilot.press("enter")
            await wait_for_workers(pilot, lambda: words(pilot) == "1,200 records of 3,700")
        await pilot.press("ctrl+l")
        await wait_for_workers(pilot, lambda: isinstance(pilot.app.screen, UnlockScreen) and locket.closed)
        assert not any(isinstance(screen, ExportScreen) for screen in pilot.app.screen_stack)
        locket.carry_hold.set()
        await pilot.pause()
        assert pilot.app.return_code is None


async def test_a_long_export_that_gets_on_is_not_locked_away_and_its_end_can_be_read(
    chatting: Open, wait_for_workers: Patient, locket: FakeLocket, tmp_path: Path
) -> None:
    locket.carry_hold = asyncio.Event()
    now = [0.0]
    async with chatting(clock=lambda: now[0], tick=0.02) as pilot:
        await exporting(pilot, wait_for_workers, tmp_path / "memory.age")
        await pilot.press("ctrl+g", "enter")
        await wait_for_workers(pilot, lambda: words(pilot) == "1,200 records of 3,700")
        dialog = pilot.app.screen
        assert isinstance(dialog, ExportScreen)
        for record in range(1201, 1206):
            now[0] += 590
            dialog.show_progress(record, 3700)
            await wait_for_workers(pilot, lambda: f"{record:,}" in words(pilot))  # noqa: B023 - at once
        locket.carry_hold.set()
        await wait_for_workers(pilot, lambda: words(pilot, "#lines"))
        now[0] += 590
        await pilot.pause(0.1)
        assert pilot.app.screen is dialog
        now[0] += 590
        await wait_for_workers(pilot, lambda: isinstance(pilot.app.screen, UnlockScreen))


async def test_an_import_that_stands_still_is_locked_away_like_anything_else(
    chatting: Open, wait_for_workers: Patient, locket: FakeLocket, tmp_path: Path
) -> None:
    listed = tmp_path / "listed.txt"
    listed.write_text("[2026-03-01] - I live in Porto")
    locket.carry_hold = asyncio.Event()
    now = [0.0]
    async with chatting(clock=lambda: now[0], tick=0.02) as pilot:
        await importing(pilot, wait_for_workers, listed)
        await wait_for_workers(pilot, lambda: words(pilot) == "1,200 records of 3,700")
        now[0] += 601
        await wait_for_workers(pilot, lambda: isinstance(pilot.app.screen, UnlockScreen) and locket.closed)
