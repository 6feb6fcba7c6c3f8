"""Keys → messages → what a person sees, in a conversation.

More than 300 lines: one sentence after the other about one screen.
"""

import asyncio
from functools import partial
from typing import Any

import pytest
from textual.events import Key, Paste
from textual.pilot import Pilot
from textual.widgets import Markdown, Static
from tui.conftest import Open, Patient, write
from tui.fakes import FACTS, NOW, FakeLocket, conversation, fact, message, remembered

from assistant.tui.app import LocketApp
from assistant.tui.screens.chat import ChatScreen
from assistant.tui.screens.confirm import AskScreen, ConfirmScreen
from assistant.tui.screens.help import HelpScreen
from assistant.tui.screens.search import SearchScreen
from assistant.tui.screens.unlock import UnlockScreen
from assistant.tui.widgets.answer import AnswerView, UserView
from assistant.tui.widgets.completions import Completions
from assistant.tui.widgets.conversations import ConversationList
from assistant.tui.widgets.drafts import Drafts
from assistant.tui.widgets.prompt_input import PromptInput
from assistant.tui.widgets.record_list import RecordList
from assistant.tui.widgets.status_line import StatusLine
from assistant.tui.widgets.transcript import MOUNTED, Transcript
from memory.reader import OpenThread
from memory.records import Role


def chat(pilot: Pilot[Any]) -> ChatScreen:
    screen = pilot.app.screen
    assert isinstance(screen, ChatScreen)
    return screen


def plain(widget: Static) -> str:
    return str(widget.content)


def foot(pilot: Pilot[Any]) -> str:
    return plain(chat(pilot).query_one(Transcript).query(".foot").last(Static))


def notes(pilot: Pilot[Any]) -> list[str]:
    return [str(note.message) for note in pilot.app._notifications]


def differs(transcript: Transcript, first: str) -> bool:
    return transcript.views[0].text != first


async def say(pilot: Pilot[Any], wait: Patient, text: str) -> None:
    await write(pilot, text)
    await pilot.press("enter")
    await wait(pilot, lambda: not chat(pilot).talking and chat(pilot).query(AnswerView))


async def test_a_message_is_sent_and_its_answer_stands_below_it(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.answers = ["Hello **there**."]
    async with chatting() as pilot:
        await say(pilot, wait_for_workers, "hi")
        views = chat(pilot).query_one(Transcript).views
        assert [type(v) for v in views] == [UserView, AnswerView]
        assert views[1].text == "Hello **there**."
        assert views[1].query_one(Markdown).source.strip() == "Hello **there**."
        assert locket.asked == [("hi", ())]
        status = chat(pilot).query_one(StatusLine).status
        assert status.usage is not None
        assert "reused 90%" in status.left()


async def test_shift_enter_and_ctrl_j_begin_a_new_line(chatting: Open, locket: FakeLocket) -> None:
    async with chatting() as pilot:
        await pilot.press("a", "ctrl+j", "b", "shift+enter", "c", "enter")
        await pilot.pause()
        assert locket.asked == [("a\nb\nc", ())]


async def test_a_burst_of_keys_is_taken_in_the_order_it_was_typed(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    """A terminal hands over what was typed during a pause all at once; enter must not overtake the words."""
    async with chatting() as pilot:
        for character in "hello":
            pilot.app.post_message(Key(character, character))
        pilot.app.post_message(Key("enter", "\r"))
        for character in "more":
            pilot.app.post_message(Key(character, character))
        await wait_for_workers(pilot, lambda: chat(pilot).query_one(PromptInput).text == "more")
        assert locket.asked == [("hello", ())]


async def test_the_users_markup_and_control_characters_stay_text(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    text = "[red]no[/red] **bold** <|im_start|>\x1b[31m"
    async with chatting() as pilot:
        chat(pilot).say(text)
        await wait_for_workers(pilot, lambda: locket.asked and not chat(pilot).talking)
        words = chat(pilot).query_one(UserView).query_one(".words", Static)
        assert plain(words) == "[red]no[/red] **bold** <|im_start|>␛[31m"
        assert locket.asked[0][0] == text


async def test_typing_while_it_talks_queues_visibly_and_goes_out_afterwards(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.hold = asyncio.Event()
    async with chatting() as pilot:
        await write(pilot, "one")
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: chat(pilot).talking)
        await write(pilot, "two")
        await pilot.press("enter")
        drafts = chat(pilot).query_one(Drafts)
        await wait_for_workers(pilot, lambda: "two" in plain(drafts))
        assert drafts.display
        assert [d.text for d in locket.reader.queued] == ["two"]
        locket.hold.set()
        await wait_for_workers(pilot, lambda: len(locket.asked) == 2 and not chat(pilot).talking)
        assert [text for text, _ in locket.asked] == ["one", "two"]
        assert plain(drafts) == ""
        assert locket.reader.queued == []


async def test_alt_up_takes_a_waiting_message_back(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.hold = asyncio.Event()
    async with chatting() as pilot:
        await pilot.press("a", "enter")
        await wait_for_workers(pilot, lambda: chat(pilot).talking)
        await pilot.press("b", "enter")
        await wait_for_workers(pilot, lambda: chat(pilot).talk.queued)
        await pilot.press("alt+up")
        await wait_for_workers(pilot, lambda: chat(pilot).query_one(PromptInput).text == "b")
        assert chat(pilot).talk.queued == []
        assert locket.reader.queued == []
        locket.hold.set()


async def test_messages_that_waited_when_it_ended_come_back_as_unsent_text(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.memory.queue_draft(None, "was waiting")
    async with chatting() as pilot:
        prompt = chat(pilot).query_one(PromptInput)
        await wait_for_workers(pilot, lambda: prompt.text == "was waiting")
        await wait_for_workers(pilot, lambda: not locket.reader.queued)
        assert prompt.whole == ("was waiting", ((0, 11),))


async def test_escape_stops_the_answer_and_keeps_what_was_said(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.hold, locket.answers = asyncio.Event(), ["first second third"]
    async with chatting() as pilot:
        await pilot.press("a", "enter")
        await wait_for_workers(pilot, lambda: chat(pilot).talking)
        await wait_for_workers(pilot, lambda: (g := chat(pilot).query_one(Transcript).growing) and g.text)
        await pilot.press("escape")
        await wait_for_workers(pilot, lambda: not chat(pilot).talking)
        assert "stopped" in foot(pilot)
        assert chat(pilot).query_one(AnswerView).text == "first"


async def test_ctrl_c_stops_and_a_second_one_names_ctrl_q(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.hold = asyncio.Event()
    async with chatting() as pilot:
        await pilot.press("a", "enter")
        await wait_for_workers(pilot, lambda: chat(pilot).talking)
        await pilot.press("ctrl+c")
        await wait_for_workers(pilot, lambda: not chat(pilot).talking)
        assert notes(pilot) == []
        await pilot.press("ctrl+c")
        await pilot.pause()
        assert notes(pilot) == ["ctrl+q quits."]


async def test_an_answer_cut_short_says_so_and_how_to_go_on(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.ending = "length"
    async with chatting() as pilot:
        await say(pilot, wait_for_workers, "hi")
        assert "/continue" in foot(pilot)


async def test_what_was_remembered_stands_under_the_answer_and_u_undoes_it(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.decided = [remembered("I am allergic to peanuts")]
    async with chatting() as pilot:
        await say(pilot, wait_for_workers, "hi")
        assert "remembered: I am allergic to peanuts · /undo" in foot(pilot)
        await pilot.press("ctrl+up", "u")
        await wait_for_workers(pilot, lambda: "undone" in foot(pilot))
        assert "remembered" not in foot(pilot)


async def test_a_failing_engine_is_said_in_words_and_the_input_goes_on(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    from models.errors import EngineCrashed

    locket.failure = EngineCrashed("the process was killed")
    async with chatting() as pilot:
        await say(pilot, wait_for_workers, "hi")
        assert "The model's process ended unexpectedly" in foot(pilot)
        locket.failure = None
        await say(pilot, wait_for_workers, "again")
        await wait_for_workers(pilot, lambda: len(locket.asked) == 2 and not chat(pilot).talking)
        assert chat(pilot).query(AnswerView).last().text == "A short answer."


async def test_an_unforeseen_error_names_its_kind_and_no_word_of_the_user(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient, caplog: pytest.LogCaptureFixture
) -> None:
    locket.failure = KeyError("the secret word")
    async with chatting() as pilot:
        await say(pilot, wait_for_workers, "hi")
        assert "KeyError" in foot(pilot)
        assert "secret" not in foot(pilot)
    assert "secret" not in caplog.text
    assert "KeyError" in caplog.text


async def test_pasted_text_is_sent_with_its_span(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    async with chatting() as pilot:
        await write(pilot, "look: ")
        pilot.app.post_message(Paste("from \x1b[2Jelsewhere\r\nline"))
        await wait_for_workers(pilot, lambda: "line" in chat(pilot).query_one(PromptInput).text)
        await pilot.press("!", "enter")
        await pilot.pause()
        text, spans = locket.asked[0]
        assert text == "look: from ␛[2Jelsewhere\nline!"
        assert [text[a:b] for a, b in spans] == ["from ␛[2Jelsewhere\nline"]


async def test_what_is_pasted_behind_two_slashes_is_still_pasted(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    async with chatting() as pilot:
        await write(pilot, "//look ")
        pilot.app.post_message(Paste("I live in Porto"))
        await wait_for_workers(pilot, lambda: "Porto" in chat(pilot).query_one(PromptInput).text)
        await pilot.press("enter")
        await pilot.pause()
        text, spans = locket.asked[0]
        assert text == "/look I live in Porto"
        assert [text[a:b] for a, b in spans] == ["I live in Porto"]


async def test_a_megabyte_lies_beside_the_text_and_is_sent_whole(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    huge = "0123456789" * 100_000
    async with chatting() as pilot:
        await write(pilot, "read")
        pilot.app.post_message(Paste(huge))
        drafts = chat(pilot).query_one(Drafts)
        await wait_for_workers(pilot, lambda: "1,000,000 characters" in plain(drafts))
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: locket.asked and not chat(pilot).talking)
        assert locket.asked == [("read\n\n" + huge, ((6, 1_000_006),))]
        shown = plain(chat(pilot).query_one(UserView).query_one(".words", Static))
        assert len(shown) < 10_000
        assert not drafts.display


async def test_up_in_an_empty_field_brings_back_what_was_sent(chatting: Open, locket: FakeLocket) -> None:
    async with chatting() as pilot:
        prompt = chat(pilot).query_one(PromptInput)
        prompt.remember("older")
        prompt.remember("newer")
        await pilot.press("up")
        assert prompt.text == "newer"
        await pilot.press("up")
        assert prompt.text == "older"
        await pilot.press("down", "down")
        assert prompt.text == ""


async def test_commands_are_completed_as_they_are_typed(chatting: Open, wait_for_workers: Patient) -> None:
    async with chatting() as pilot:
        await write(pilot, "/re")
        offered = chat(pilot).query_one(Completions)
        await wait_for_workers(pilot, lambda: offered.display)
        assert [str(s.verb) for s in offered.specs] == ["regenerate", "remember", "review"]
        await pilot.press("down", "tab")
        assert chat(pilot).query_one(PromptInput).text == "/remember "
        await wait_for_workers(pilot, lambda: not offered.display)


async def test_escape_closes_the_offered_commands_first(chatting: Open, wait_for_workers: Patient) -> None:
    async with chatting() as pilot:
        await write(pilot, "/")
        offered = chat(pilot).query_one(Completions)
        await wait_for_workers(pilot, lambda: offered.display)
        await pilot.press("escape")
        await wait_for_workers(pilot, lambda: not offered.display)
        assert chat(pilot).query_one(PromptInput).text == "/"


async def test_an_unknown_command_is_not_sent_and_names_the_nearest(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    async with chatting() as pilot:
        await write(pilot, "/hlep")
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: notes(pilot))
        assert "/help" in notes(pilot)[0]
        assert locket.asked == []


async def test_every_command_does_something_or_says_that_it_cannot(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    from assistant.chat.commands import SPECS, Command, Verb, Wants

    leaving = {Verb.LOCK, Verb.QUIT}
    async with chatting() as pilot:
        await say(pilot, wait_for_workers, "hi")
        for spec in SPECS:
            if spec.verb in leaving:
                continue
            screen = chat(pilot)
            before = (
                len(notes(pilot)),
                len(locket.asked),
                screen.conversation,
                screen.panes.is_shown("inspector"),
            )
            prompt = screen.query_one(PromptInput).text
            screen.run_command(Command(spec.verb, "words" if spec.wants is Wants.WORDS else ""))

            def happened(screen: ChatScreen = screen, before: Any = before, prompt: str = prompt) -> bool:
                after = (
                    len(notes(pilot)),
                    len(locket.asked),
                    screen.conversation,
                    screen.panes.is_shown("inspector"),
                )
                return (
                    after != before
                    or pilot.app.screen is not screen
                    or screen.query_one(PromptInput).text != prompt
                )

            await wait_for_workers(pilot, happened)
            while pilot.app.screen is not screen:
                await pilot.press("escape")
                await pilot.pause()
            await wait_for_workers(pilot, lambda: not chat(pilot).talking)
            screen.panes.hide("inspector")
            screen.query_one(PromptInput).put("")
            if screen.conversation is None:
                await say(pilot, wait_for_workers, "hi")


async def test_a_selected_message_can_be_copied_and_edited(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.answers = ["See:\n```python\nprint(1)\n```\ndone"]
    async with chatting() as pilot:
        await say(pilot, wait_for_workers, "hi")
        await pilot.press("ctrl+up", "y")
        assert pilot.app.clipboard.startswith("See:")
        await pilot.press("c")
        assert pilot.app.clipboard == "print(1)"
        await pilot.press("up", "e")
        await pilot.pause()
        assert chat(pilot).query_one(PromptInput).text == "hi"
        assert chat(pilot).query_one(PromptInput).has_focus


async def test_links_in_an_answer_are_asked_about_and_not_followed(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(LocketApp, "open_url", lambda _, url, **__: opened.append(url))
    async with chatting() as pilot:
        screen = chat(pilot)
        locket.answers = ["[click](https://example.org/x)"]
        await say(pilot, wait_for_workers, "hi")
        markdown = screen.query_one(AnswerView).query_one(Markdown)
        markdown.post_message(Markdown.LinkClicked(markdown, "https://example.org/x"))
        await wait_for_workers(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        assert opened == []
        await pilot.press("n")
        await wait_for_workers(pilot, lambda: pilot.app.screen is screen)
        assert opened == []


async def test_a_long_conversation_mounts_a_window_of_it_and_more_on_scrolling(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.reader.talks = [conversation("c1", "long", 0)]
    locket.reader.said["c1"] = [
        message(f"m{n:03}", Role.USER if n % 2 == 0 else Role.ASSISTANT, f"message {n}") for n in range(100)
    ]
    async with chatting() as pilot:
        chat(pilot).open_conversation("c1")
        transcript = chat(pilot).query_one(Transcript)
        await wait_for_workers(pilot, lambda: transcript.views and transcript.views[-1].text == "message 99")
        assert len(transcript.views) <= MOUNTED
        first = transcript.views[0].text
        await pilot.press("ctrl+up", "g")
        await wait_for_workers(pilot, lambda: transcript.views[0].text != first)
        for _ in range(20):
            if transcript.views[0].text == "message 0":
                break
            before = transcript.views[0].text
            await pilot.press("g")
            await wait_for_workers(pilot, partial(differs, transcript, before))
        assert transcript.views[0].text == "message 0"
        assert len(transcript.views) <= MOUNTED


async def test_conversations_are_listed_by_day_and_one_is_opened(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.reader.talks = [conversation("c8", "Harbour walk", 0), conversation("c9", "Tax letter", 1)]
    locket.reader.said["c9"] = [message("m1", Role.USER, "about the letter")]
    async with chatting(size=(200, 60)) as pilot:
        rows = chat(pilot).query_one(ConversationList).query_one(RecordList)
        await wait_for_workers(pilot, lambda: len(rows.rows) == 4)
        assert [str(row.text).strip() for row in rows.rows] == [
            "Today",
            "Harbour walk",
            "Yesterday",
            "Tax letter",
        ]
        await pilot.press("ctrl+s", "G", "enter")
        await wait_for_workers(pilot, lambda: chat(pilot).conversation == "c9")
        assert chat(pilot).query_one(PromptInput).has_focus
        assert chat(pilot).query_one(UserView).text == "about the letter"


async def test_the_inspector_shows_what_the_prompt_carried_and_what_it_left_out(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    async with chatting() as pilot:
        await say(pilot, wait_for_workers, "hi")
        await pilot.press("f3")
        rows = chat(pilot).query_one("#answer-list", RecordList)
        await wait_for_workers(pilot, lambda: rows.rows and rows.has_focus)
        words = "\n".join(str(row.text) for row in rows.rows)
        assert "My dog is called Biscuit" in words
        assert "0.91" in words
        assert "12 tokens" in words
        assert "below the floor" in words
        budget = plain(chat(pilot).query_one("#budget", Static))
        assert "1,810 of 13,107 tokens" in budget
        assert "148 / 1,966" in budget


async def test_facts_are_pinned_edited_and_shown_with_their_source_by_keys(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.reader.facts = [FACTS[0]]
    locket.reader.said["c1"] = [message("m1", Role.USER, "By the way: My dog is called Biscuit, he is small")]
    async with chatting(size=(120, 40)) as pilot:
        await pilot.press("f3")
        await wait_for_workers(pilot, lambda: chat(pilot).query_one("#answer-list").has_focus)
        await pilot.press("right")
        facts = chat(pilot).query_one("#fact-list", RecordList)
        await wait_for_workers(pilot, lambda: facts.has_focus and facts.rows)
        await pilot.press("j", "enter")
        card = chat(pilot).query_one("#fact-card", Static)
        await wait_for_workers(pilot, lambda: "By the way" in plain(card))
        await pilot.press("p")
        await wait_for_workers(pilot, lambda: ("f1", {"pinned": True}) in locket.acts)
        await pilot.press("e")
        await wait_for_workers(pilot, lambda: isinstance(pilot.app.screen, AskScreen))
        await pilot.press("!", "enter")
        await wait_for_workers(pilot, lambda: ("f1", {"text": "My dog is called Biscuit!"}) in locket.acts)


async def test_a_fact_can_be_pinned_while_an_answer_is_being_made(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.reader.facts, locket.hold = [FACTS[0]], asyncio.Event()
    async with chatting() as pilot:
        await pilot.press("a", "enter")
        await wait_for_workers(pilot, lambda: chat(pilot).talking)
        await write(pilot, "/memory")
        await pilot.press("enter")
        facts = chat(pilot).query_one("#fact-list", RecordList)
        await wait_for_workers(pilot, lambda: facts.has_focus and facts.rows)
        await pilot.press("j", "p")
        await wait_for_workers(pilot, lambda: locket.acts)
        assert chat(pilot).talking
        locket.hold.set()


async def test_search_finds_and_opens(chatting: Open, locket: FakeLocket, wait_for_workers: Patient) -> None:
    locket.reader.talks = [conversation("c9", "Tax letter", 1)]
    locket.reader.said["c9"] = [message("m1", Role.USER, "about the letter")]
    async with chatting() as pilot:
        await pilot.press("ctrl+f")
        await wait_for_workers(pilot, lambda: isinstance(pilot.app.screen, SearchScreen))
        await write(pilot, "tax")
        results = pilot.app.screen.query_one(RecordList)
        await wait_for_workers(pilot, lambda: any(row.id for row in results.rows))
        await pilot.press("enter")
        await wait_for_workers(pilot, lambda: results.has_focus)
        await pilot.press("j", "enter")
        await wait_for_workers(pilot, lambda: isinstance(pilot.app.screen, ChatScreen))
        await wait_for_workers(pilot, lambda: chat(pilot).conversation == "c9")


async def test_help_lists_every_binding_with_its_words(chatting: Open, wait_for_workers: Patient) -> None:
    async with chatting() as pilot:
        await pilot.press("f1")
        await wait_for_workers(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        page = plain(pilot.app.screen.query_one("#help").query_one(Static))
        for words in (
            "stop, then back",
            "ctrl+up or alt+up",
            "undo the last change",
            "/remember WORDS",
            "shift",
        ):
            assert words in page
        await pilot.press("escape")
        await wait_for_workers(pilot, lambda: isinstance(pilot.app.screen, ChatScreen))


async def test_ctrl_n_begins_anew_and_ctrl_r_answers_again(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.answers = ["one", "two"]
    async with chatting() as pilot:
        await say(pilot, wait_for_workers, "hi")
        await pilot.press("ctrl+r")
        await wait_for_workers(
            pilot, lambda: (g := chat(pilot).query_one(Transcript).growing) and g.text == "two"
        )
        assert [v.text for v in chat(pilot).query_one(Transcript).views] == ["hi", "two"]
        await wait_for_workers(pilot, lambda: not chat(pilot).talking)
        await pilot.press("ctrl+n")
        await wait_for_workers(
            pilot, lambda: chat(pilot).conversation is None and chat(pilot).query("#welcome")
        )


async def test_what_is_typed_is_kept_without_being_sent(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    async with chatting() as pilot:
        await write(pilot, "half a thou")
        chat(pilot).keep_unsent()
        await wait_for_workers(pilot, lambda: locket.reader.unsent.get(None) == "half a thou")


async def test_many_facts_are_narrowed_by_words(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.reader.facts = [fact(f"x{n}", "user", "note", str(n), f"fact number {n}") for n in range(2000)]
    async with chatting() as pilot:
        await write(pilot, "/memory 1999")
        await pilot.press("enter")
        rows = chat(pilot).query_one("#fact-list", RecordList)
        await wait_for_workers(pilot, lambda: [r.id for r in rows.rows if r.id] == ["x1999"])


async def test_quitting_closes_the_locket(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    async with chatting() as pilot:
        await pilot.press("ctrl+q")
        await wait_for_workers(pilot, lambda: locket.closed)
    assert pilot.app.return_value == 0


async def test_locking_shows_no_word_of_the_conversation(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    async with chatting() as pilot:
        await say(pilot, wait_for_workers, "hi")
        await pilot.press("ctrl+l")
        await wait_for_workers(pilot, lambda: isinstance(pilot.app.screen, UnlockScreen) and locket.closed)
        assert not any(isinstance(s, ChatScreen) for s in pilot.app.screen_stack)
        assert "short answer" not in pilot.app.export_screenshot()
        left = [w for s in pilot.app.screen_stack for w in s.query("Inspector, Transcript, MessageView")]
        assert left == []


async def test_a_new_conversation_offers_what_was_left_open(chatting: Open, locket: FakeLocket) -> None:
    locket.reader.threads = [OpenThread("call the vet about Olive", "e1", "c1", NOW)]
    async with chatting() as pilot:
        welcome = str(pilot.app.screen.query_one("#welcome", Static).content)
        assert "You wanted to come back to:" in welcome
        assert "call the vet about Olive" in welcome
