"""Rules on the chat screen: a new one, another wording, an earlier version, no longer followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.tui import reads
from assistant.tui.messages import Act, ActAsked
from assistant.tui.plain import one_line
from assistant.tui.screens.confirm import AskScreen
from assistant.tui.widgets.fact_card import version_line
from assistant.tui.widgets.inspector import Inspector
from assistant.tui.widgets.record_list import Row

if TYPE_CHECKING:
    from assistant.tui.screens.chat import ChatScreen


async def on_rule(screen: ChatScreen, asked: ActAsked) -> None:
    """Add, change or end a rule, or go back to an earlier version of it."""
    if asked.act is Act.ADD:
        text = await screen.app.push_screen_wait(AskScreen("How should things be done from now on?"))
        if text:
            await add_rule(screen, text)
        return
    ident = asked.ids[0]
    known = {rule.id: rule for rule in screen.query_one(Inspector).snapshot.rules}
    match asked.act:
        case Act.EDIT if ident in known:
            text = await screen.app.push_screen_wait(AskScreen("How should it be done?", known[ident].text))
            if not text or text == known[ident].text:
                return
            await screen.locket.act(lambda memory: memory.edit_rule(ident, text))
            screen.tell(f"From now on: {one_line(text, 80)} · u undoes")
        case Act.ARCHIVE:
            await screen.locket.act(lambda memory: memory.retire_rule(ident))
            screen.tell("This rule is no longer followed · u undoes")
        case Act.OPEN | Act.HISTORY:
            await rule_back(screen, ident)
            return
        case _:
            screen.tell("e edits a rule, h shows its versions, a ends it, n adds one.")
            return
    screen.refresh_lists()


async def rule_back(screen: ChatScreen, ident: str) -> None:
    """Show the versions of a rule; the one chosen is followed from now on."""
    from assistant.tui.screens.pick import PickScreen  # noqa: PLC0415 - rarely needed

    versions = await screen.locket.read(lambda reader: reads.rule_versions(reader, ident))
    now = screen.query_one(Inspector).now()
    rows = [Row(version_line(rule, now), rule.id) for rule in versions]
    chosen = await screen.app.push_screen_wait(PickScreen("Which version should be followed?", rows))
    wanted = next((rule for rule in versions if rule.id == chosen and rule.state != "active"), None)
    if wanted is not None:
        await screen.locket.act(lambda memory: memory.rule_back(wanted.id))
        screen.tell(f"From now on: {one_line(wanted.text, 80)} · u undoes")
        screen.refresh_lists()


async def add_rule(screen: ChatScreen, text: str) -> None:
    """Follow a rule from now on."""
    rule = await screen.locket.act(lambda memory: memory.add_rule(text))
    screen.tell(f"From now on: {one_line(rule.text, 80)} · u undoes")
    screen.refresh_lists()
