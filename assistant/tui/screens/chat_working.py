"""What can be done with the working state of the conversation on the screen; each act writes the whole state once.

Reads the state anew in the very act, so that a turn that ends meanwhile loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from assistant.tui.messages import Act, ActAsked
from assistant.tui.plain import one_line
from assistant.tui.screens.confirm import AskScreen
from assistant.tui.widgets.working import ADDS, NEW, WorkingList
from memory.working_edits import added, edited, piece, removed, ticked

if TYPE_CHECKING:
    from assistant.tui.screens.chat import ChatScreen
    from memory.memory import Memory
    from memory.records import WorkingState

Change = Callable[["WorkingState"], "WorkingState"]


async def on_working(screen: ChatScreen, asked: ActAsked) -> None:
    """Add, edit, tick or take out one piece, or take the last change back."""
    shown = screen.query_one(WorkingList)
    state, place = shown.state, asked.ids[0] if asked.ids else ""
    if state is None:
        return
    is_new = place.startswith(ADDS)
    match asked.act:
        case Act.UNDO if shown.before is not None:
            before = shown.before
            await change(screen, lambda _: before)
            screen.tell("As it was before.")
        case Act.UNDO:
            screen.tell("Nothing was changed here yet.")
        case Act.ADD:
            await add(screen, place.removeprefix(ADDS).partition("-")[0])
        case Act.OPEN | Act.EDIT if is_new:
            await add(screen, place.removeprefix(ADDS))
        case Act.OPEN | Act.EDIT:
            before_text = piece(state, place)
            text = await screen.app.push_screen_wait(AskScreen("What is it now?", before_text))
            if text and text != before_text:
                await change(screen, lambda now: edited(now, place, text))
        case Act.TICK if place.startswith("step-"):
            await change(screen, lambda now: ticked(now, place))
        case Act.FORGET if not is_new:
            await change(screen, lambda now: removed(now, place))
            screen.tell(f"Taken out: {one_line(piece(state, place), 80)} · u undoes")
        case _:
            screen.tell("Only a step can be ticked; e edits, n adds, d takes out.")


async def add(screen: ChatScreen, part: str) -> None:
    """Ask for a new piece and add it."""
    text = await screen.app.push_screen_wait(AskScreen(f"Add {NEW[part]}"))
    if text:
        await change(screen, lambda now: added(now, part, text))


async def change(screen: ChatScreen, to: Change) -> None:
    """Write the state anew and show it."""
    ident = screen.conversation
    if ident is None:
        return

    def act(memory: Memory) -> tuple[WorkingState, WorkingState]:
        before = memory.reader.working_state(ident)
        memory.set_working(ident, to(before))
        return before, memory.reader.working_state(ident)

    before, after = await screen.locket.act(act)
    shown = screen.query_one(WorkingList)
    if before != after:
        shown.before = before
    screen.refresh_lists()
