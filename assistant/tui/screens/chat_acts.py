"""What can be done with a memory or a conversation on the chat screen, one function for each kind of target.

Every change goes through `locket.act`; what it did is said in one passing note, with the way back.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.tui import reads
from assistant.tui.messages import Act, ActAsked
from assistant.tui.plain import counted, one_line
from assistant.tui.screens import chat_rules, chat_working
from assistant.tui.screens.confirm import AskScreen, ConfirmScreen
from assistant.tui.widgets.answer import AnswerView
from assistant.tui.widgets.inspector import Inspector
from assistant.tui.widgets.transcript import Transcript
from assistant.undone_words import undone_words

if TYPE_CHECKING:
    from assistant.tui.screens.chat import ChatScreen
    from memory.forget import Outcome, Selection

NOT_HERE = "That key does nothing with this."
JUDGED = frozenset({"item", "fact", "episode"})
"""Kinds of memories that a question may be said to miss, or to bring wrongly."""


async def on_memories(screen: ChatScreen, asked: ActAsked) -> None:
    """Do something with memories of one kind."""
    if asked.kind == "change":
        screen.tell("u takes this change back.")
        return
    if asked.kind == "working":
        await chat_working.on_working(screen, asked)
        return
    if asked.act is Act.FORGET:
        await forget_asked(screen, asked)
        return
    if asked.act in (Act.SHOULD, Act.SHOULD_NOT):
        await judge(screen, asked)
        return
    match asked.kind:
        case "conversation":
            await on_conversation(screen, asked)
        case "fact":
            await on_facts(screen, asked)
        case "item":
            await on_item(screen, asked)
        case "candidate":
            await on_waiting(screen, asked)
        case "rule":
            await chat_rules.on_rule(screen, asked)
        case "episode":
            await on_episodes(screen, asked)
        case _:
            if asked.act is not Act.OPEN:
                screen.tell(NOT_HERE)


async def forget_asked(screen: ChatScreen, asked: ActAsked) -> None:
    """Forget what was pointed at: memories, items of a receipt, or a conversation."""
    from memory.forget import Selection  # noqa: PLC0415 - the store is loaded by then

    if asked.kind == "conversation":
        await forget(screen, Selection(conversation=asked.ids[0]))
        return
    of_receipt = asked.kind == "item"
    ids = dict.fromkeys(ident.partition("-")[2] if of_receipt else ident for ident in asked.ids)
    await forget(screen, Selection(ids=tuple(ids)))


async def judge(screen: ChatScreen, asked: ActAsked) -> None:
    """Keep the question of the answer that is shown, with what it should, or should not, have brought."""
    receipt = screen.query_one(Inspector).snapshot.receipt
    should = asked.act is Act.SHOULD
    if asked.kind not in JUDGED:
        screen.tell(NOT_HERE)
    elif receipt is None or not receipt.question:
        screen.tell("Ask something first: this says what an answer's question should bring.")
    elif screen.incognito:
        screen.tell("Nothing is kept of an incognito conversation.")
    else:
        question, of_receipt = receipt.question, asked.kind == "item"
        ids = tuple(dict.fromkeys(i.partition("-")[2] if of_receipt else i for i in asked.ids))
        await screen.locket.act(lambda memory: memory.add_golden(question, ids, should=should))
        words = "should bring" if should else "should not bring"
        screen.tell(f"Kept: “{one_line(question, 60)}” {words} this. locket eval run --golden checks it.")


async def forget_words(screen: ChatScreen, words: str) -> None:
    """Forget whatever says these words."""
    from memory.forget import Selection  # noqa: PLC0415 - as above

    if not words:
        screen.tell("Say what: /forget WORDS. Or press d on a memory in the inspector (f3).")
        return
    await forget(screen, Selection(about=words))


async def forget(screen: ChatScreen, selection: Selection) -> None:
    """Show what a selection would forget, and do it on a yes."""
    from assistant.certificate import certificate_lines  # noqa: PLC0415 - rarely needed
    from assistant.tui.screens.forget import ForgetScreen  # noqa: PLC0415 - rarely needed

    def lines(outcome: Outcome) -> list[str]:
        return certificate_lines(outcome.certificate) if outcome.certificate else [outcome.retry]

    plan = await screen.locket.act(lambda memory: memory.forget_preview(selection))
    if plan.is_empty and not plan.listed:
        screen.tell("Nothing like that is remembered.")
        return
    outcome = await screen.app.push_screen_wait(ForgetScreen(plan, screen.locket.forget, lines))
    if outcome is None:
        return
    gone = selection.conversation is not None and selection.conversation == screen.conversation
    screen.open_conversation(None if gone else screen.conversation, apart=screen.incognito and not gone)
    await offer_new_backups(screen)


async def offer_new_backups(screen: ChatScreen) -> None:
    """Ask whether a backup of now is to take the place of those that may still hold what was forgotten."""
    from assistant.certificate import backups_line, counted_backups  # noqa: PLC0415 - rarely needed

    number = await asyncio.to_thread(screen.locket.count_backups)
    if not number:
        return
    question = ConfirmScreen(
        "Make the backup anew?", backups_line(number, "this"), yes="Renew", no="Leave them"
    )
    if await screen.app.push_screen_wait(question):
        screen.tell("Copying the store…")
        removed = await screen.locket.renew_backups(lambda _done, _total: None)
        screen.tell(f"The backup is new; {counted_backups(removed)} from before: removed.")


async def on_conversation(screen: ChatScreen, asked: ActAsked) -> None:
    """Open a conversation, or give it another title."""
    if asked.act is Act.EDIT:
        await rename(screen, asked.ids[0])
    elif asked.act is not Act.OPEN:
        screen.tell("Of a conversation: enter opens it, e renames it, d forgets it.")
    elif screen.talking:
        screen.tell("Stop this answer first (esc).")
    else:
        screen.open_conversation(asked.ids[0])
        screen.action_back()


async def rename(screen: ChatScreen, ident: str) -> None:
    """Ask for a conversation's new title."""
    known = await screen.locket.read(lambda reader: reader.get_conversation(ident))
    title = await screen.app.push_screen_wait(AskScreen("What is this conversation called?", known.title))
    if title and title != known.title:
        await screen.locket.act(lambda memory: memory.set_title(ident, title))
        screen.refresh_lists()


async def on_item(screen: ChatScreen, asked: ActAsked) -> None:
    """Show where an item of a receipt came from, when it is a fact."""
    ident = asked.ids[0].partition("-")[2]
    if any(fact.id == ident for fact in screen.query_one(Inspector).snapshot.facts):
        screen.show_tab("facts")
        await on_facts(screen, ActAsked(asked.act, "fact", (ident,)))
        return
    screen.show_message(ident)


async def on_facts(screen: ChatScreen, asked: ActAsked) -> None:
    """Open, pin, archive or edit facts."""
    locket, ids = screen.locket, asked.ids
    match asked.act:
        case Act.OPEN | Act.HISTORY:
            await show_detail(screen, ids[0])
            return
        case Act.PIN:
            known = {fact.id: fact for fact in screen.query_one(Inspector).snapshot.facts}
            for ident in ids:
                on = not known[ident].pinned if ident in known else True
                await locket.act(lambda memory, i=ident, p=on: memory.pin(i, p))  # type: ignore[misc]
            screen.tell("Pins changed · u undoes")
        case Act.ARCHIVE:
            for ident in ids:
                await locket.act(lambda memory, i=ident: memory.archive(i))  # type: ignore[misc]
            screen.tell(f"{counted(len(ids), 'fact')} archived: kept, but not recalled · u undoes")
        case Act.EDIT:
            await edit_fact(screen, ids[0])
        case _:
            screen.tell(NOT_HERE)
            return
    screen.refresh_lists()


async def on_episodes(screen: ChatScreen, asked: ActAsked) -> None:
    """Show one in full, or archive some."""
    inspector = screen.query_one(Inspector)
    match asked.act:
        case Act.OPEN:
            known = {episode.id: episode for episode in inspector.snapshot.episodes}
            inspector.snapshot = replace(inspector.snapshot, episode=known.get(asked.ids[0]))
        case Act.ARCHIVE:
            for ident in asked.ids:
                await screen.locket.act(lambda memory, i=ident: memory.archive(i))  # type: ignore[misc]
            screen.tell(f"{counted(len(asked.ids), 'episode')} archived: kept, but not recalled · u undoes")
            screen.refresh_lists()
        case _:
            screen.tell("An episode can be opened, archived or forgotten.")


async def on_waiting(screen: ChatScreen, asked: ActAsked) -> None:
    """Say yes or no to what waits, or yes in other words."""
    locket, ids = screen.locket, asked.ids
    match asked.act:
        case Act.ACCEPT:
            for ident in ids:
                await locket.act(lambda memory, i=ident: memory.accept(i))  # type: ignore[misc]
            screen.tell(f"{counted(len(ids), 'memory', 'memories')} kept · u undoes")
        case Act.REJECT | Act.ARCHIVE:
            always = asked.act is Act.ARCHIVE
            for ident in ids:
                await locket.act(lambda memory, i=ident: memory.reject(i, always=always))  # type: ignore[misc]
            screen.tell("Not remembered, and never proposed again." if always else "Not remembered.")
        case Act.EDIT:
            waiting = {one.id: one for one in screen.query_one(Inspector).snapshot.review}
            text = await screen.app.push_screen_wait(
                AskScreen("What should be remembered?", waiting[ids[0]].candidate.text)
            )
            if text:
                await locket.act(lambda memory: memory.accept(ids[0], text))
                screen.tell(f"Kept: {one_line(text, 80)} · u undoes")
        case Act.OPEN:
            source = {one.id: one.message for one in screen.query_one(Inspector).snapshot.review}.get(ids[0])
            if source is None:
                screen.tell("It did not come from a message.")
            else:
                screen.show_message(source)
            return
        case _:
            screen.tell("y remembers it, n does not, a never proposes it again, e edits it.")
            return
    screen.refresh_lists()


async def show_detail(screen: ChatScreen, ident: str) -> None:
    """Show one fact with its source and history."""
    detail = await screen.locket.read(lambda reader: reads.fact_detail(reader, ident))
    inspector = screen.query_one(Inspector)
    inspector.snapshot = replace(inspector.snapshot, detail=detail)


async def edit_fact(screen: ChatScreen, ident: str) -> None:
    """Ask for the new wording of a fact and keep the old one as history."""
    detail = await screen.locket.read(lambda reader: reads.fact_detail(reader, ident))
    text = await screen.app.push_screen_wait(AskScreen("What is true now?", detail.fact.text))
    if not text or text == detail.fact.text:
        return
    new = await screen.locket.act(lambda memory: memory.edit_fact(ident, text))
    screen.tell(f"Now: {one_line(text, 80)} · u undoes")
    await show_detail(screen, new.id)


async def undo(screen: ChatScreen, journal: str | None) -> None:
    """Undo a change of memory and say which."""
    done = await screen.locket.act(lambda memory: memory.undo(journal))
    words = one_line(f"undone: {undone_words(done)}", 200)
    for view in reversed(screen.query_one(Transcript).views):
        if isinstance(view, AnswerView) and view.undone(done.entry.id, words):
            break
    screen.tell(words[0].upper() + words[1:])
    screen.refresh_lists()
