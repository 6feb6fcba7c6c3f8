"""What can be done on the inspector's tabs beside facts: the working state, rules, episodes, Review, changes."""

from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, Static
from tui.conftest import Open, Patient, write
from tui.fakes import EPISODE, NOW, STATE, FakeLocket, conversation, message, rule

from assistant.tui.screens.chat import ChatScreen
from assistant.tui.screens.confirm import AskScreen
from assistant.tui.screens.pick import PickScreen
from assistant.tui.widgets.inspector import Inspector
from assistant.tui.widgets.rules import RuleList
from assistant.tui.widgets.working import WorkingList
from memory.reader import Change
from memory.records import Candidate, JournalEntry, Kind, Role, WorkingState
from memory.store.stored import QueuedCandidate


def chat(pilot: Pilot[Any]) -> ChatScreen:
    screen = pilot.app.screen
    assert isinstance(screen, ChatScreen)
    return screen


async def at(pilot: Pilot[Any], wait: Patient, tab: str, talk: str | None = "c1") -> OptionList:
    """Open a conversation and a tab of the inspector, with the keyboard in its list."""
    screen = chat(pilot)
    screen.open_conversation(talk)
    await wait(pilot, lambda: screen.conversation == talk)
    names = {"working": "working-list", "rules": "rule-list", "episodes": "episode-list", "review": "review-list",
             "changes": "change-list"}  # fmt: skip
    shown = screen.query_one(f"#{names[tab]}", OptionList)
    screen.show_tab(tab)
    await wait(pilot, lambda: shown.has_focus)
    return shown


@pytest.fixture
def locket() -> FakeLocket:
    locket = FakeLocket()
    locket.reader.talks = [conversation("c1", "Trip to Oslo", 0)]
    locket.reader.said["c1"] = [message("m1", Role.USER, "I want to plan a trip to Oslo")]
    locket.reader.states["c1"] = STATE
    return locket


async def typed(pilot: Pilot[Any], wait: Patient, text: str) -> None:
    """Answer the question for one line."""
    await wait(pilot, lambda: isinstance(pilot.app.screen, AskScreen) and pilot.app.screen.query("#line"))
    pilot.app.screen.query_one("#line").value = ""  # type: ignore[attr-defined]
    await write(pilot, text)
    await pilot.press("enter")
    await wait(pilot, lambda: isinstance(pilot.app.screen, ChatScreen))


def to(shown: OptionList, ident: str) -> None:
    shown.highlighted = shown.get_option_index(ident)


async def test_a_step_is_ticked_round_and_round(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    async with chatting(size=(120, 40)) as pilot:
        shown = await at(pilot, wait_for_workers, "working")
        await wait_for_workers(pilot, lambda: shown.option_count > 5)
        to(shown, "step-3")
        for status in ("doing", "done", "open"):
            await pilot.press("space")
            await wait_for_workers(pilot, lambda s=status: locket.reader.states["c1"].steps[2][1] == s)  # type: ignore[misc]
            await wait_for_workers(
                pilot, lambda: chat(pilot).query_one(WorkingList).state == locket.reader.states["c1"]
            )


async def test_pieces_are_added_edited_and_taken_out_and_u_takes_the_last_back(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    def state() -> WorkingState:
        return locket.reader.states["c1"]

    async def settled(pilot: Pilot[Any], wanted: WorkingState) -> None:
        await wait_for_workers(pilot, lambda: state() == wanted)
        await wait_for_workers(pilot, lambda: chat(pilot).query_one(WorkingList).state == wanted)

    async with chatting(size=(120, 40)) as pilot:
        shown = await at(pilot, wait_for_workers, "working")
        await wait_for_workers(pilot, lambda: shown.option_count > 5)
        to(shown, "question-1")
        await pilot.press("n")
        await typed(pilot, wait_for_workers, "Which day?")
        more = replace(STATE, questions=("Which boat?", "Which day?"))
        await settled(pilot, more)
        to(shown, "goal")
        await pilot.press("e")
        await typed(pilot, wait_for_workers, "go north")
        north = replace(more, goal="go north")
        await settled(pilot, north)
        to(shown, "known-2")
        await pilot.press("d")
        await settled(pilot, replace(north, gathered=("two people",)))
        await pilot.press("u")
        await settled(pilot, north)
        to(shown, "new-step")
        await pilot.press("enter")
        await typed(pilot, wait_for_workers, "pay")
        await settled(pilot, replace(north, steps=(*STATE.steps, ("pay", "open"))))


async def test_without_a_conversation_there_is_nothing_to_edit(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    async with chatting(size=(120, 40)) as pilot:
        shown = await at(pilot, wait_for_workers, "working", None)
        await pilot.press("n", "d", "space", "u")
        await wait_for_workers(pilot)
        assert "say something first" in str(shown.get_option_at_index(0).prompt)
        assert locket.reader.states == {"c1": STATE}


async def test_locking_drops_what_could_be_taken_back(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    async with chatting(size=(120, 40)) as pilot:
        shown = await at(pilot, wait_for_workers, "working")
        await wait_for_workers(pilot, lambda: shown.option_count > 5)
        to(shown, "goal")
        await pilot.press("d")
        working = chat(pilot).query_one(WorkingList)
        await wait_for_workers(pilot, lambda: working.before == STATE)
        chat(pilot).leave()
        assert (working.before, working.state) == (None, None)


async def test_a_rule_is_added_and_an_earlier_version_comes_back(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.reader.rules = [
        rule("r1", "Answer in one sentence", state="replaced"),
        rule("r2", "Answer in two sentences", "r1", version=2),
    ]
    async with chatting(size=(120, 40)) as pilot:
        shown = await at(pilot, wait_for_workers, "rules")
        await wait_for_workers(pilot, lambda: shown.option_count == 1)
        await pilot.press("g", "h")
        await wait_for_workers(pilot, lambda: isinstance(pilot.app.screen, PickScreen))
        await wait_for_workers(pilot, lambda: pilot.app.screen.query_one("#pick").has_focus)
        await pilot.press("j", "enter")
        await wait_for_workers(pilot, lambda: isinstance(pilot.app.screen, ChatScreen))
        await wait_for_workers(
            pilot, lambda: [one.text for one in locket.reader.list_rules()] == ["Answer in one sentence"]
        )
        await pilot.press("n")
        await typed(pilot, wait_for_workers, "Use metric units")
        await wait_for_workers(pilot, lambda: len(chat(pilot).query_one(RuleList).rows) == 2)


async def test_an_episode_is_shown_in_full_and_archived(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    locket.reader.episodes = [EPISODE]
    async with chatting(size=(120, 40)) as pilot:
        shown = await at(pilot, wait_for_workers, "episodes")
        await wait_for_workers(pilot, lambda: shown.option_count == 1)
        await pilot.press("g", "enter")
        card = chat(pilot).query_one("#episode-card", Static)
        await wait_for_workers(pilot, lambda: "pack for rain" in str(card.content))
        assert "We take the night boat" in str(card.content)
        await pilot.press("a")
        await wait_for_workers(pilot, lambda: locket.reader.episodes[0].state == "archived")
        await wait_for_workers(pilot, lambda: chat(pilot).query_one(Inspector).snapshot.episodes == ())


async def test_enter_on_what_waits_goes_to_where_it_was_said(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient
) -> None:
    text = "From now on answer in Latin"
    locket.reader.talks.append(conversation("c2", "Latin", 1))
    locket.reader.said["c2"] = [replace(message("m2", Role.USER, text), conversation="c2")]
    candidate = Candidate(Kind.RULE, "assistant", "rule", text, text, text, 0, len(text))
    locket.reader.waiting = [QueuedCandidate("q1", "default", "c2", "m2", candidate, "a rule", NOW)]
    async with chatting(size=(120, 40)) as pilot:
        shown = await at(pilot, wait_for_workers, "review")
        await wait_for_workers(pilot, lambda: shown.option_count == 1)
        await pilot.press("g", "enter")
        await wait_for_workers(pilot, lambda: chat(pilot).conversation == "c2")


async def test_what_this_conversation_changed_comes_first(
    chatting: Open, locket: FakeLocket, wait_for_workers: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        JournalEntry(f"j{n}", "default", "add", "fact", f"f{n}", ("v",), "auto", NOW, f"c{n}") for n in (2, 1)
    ]
    monkeypatch.setattr(
        locket.reader, "changes", lambda *_: [Change(one, "words") for one in lines], raising=False
    )
    async with chatting(size=(120, 40)) as pilot:
        shown = await at(pilot, wait_for_workers, "changes")
        await wait_for_workers(pilot, lambda: shown.option_count == 4)
        assert [shown.get_option_at_index(n).id for n in range(4)] == [None, "j1", None, "j2"]
