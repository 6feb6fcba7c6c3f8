"""Slash commands on the chat screen: each verb leads to something the keys or the acts do as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from assistant.chat.commands import CONTINUE, NO_PERSONA, PERSONA_APART, PERSONA_HOLDS, Command, Verb
from assistant.tui.plain import one_line
from assistant.tui.screens import chat_acts, chat_apart, chat_carrying, chat_messages, chat_rules
from assistant.tui.widgets.transcript import Transcript
from memory.records import Message, Role

if TYPE_CHECKING:
    from assistant.tui.screens.chat import ChatScreen


async def run(screen: ChatScreen, command: Command) -> None:
    """Carry out one command."""
    match command.verb:
        case Verb.HELP:
            await screen.run_action("app.help")
        case Verb.NEW:
            screen.action_new()
        case Verb.INCOGNITO:
            chat_apart.begin(screen)
        case Verb.KEEP:
            await chat_apart.keep(screen)
        case Verb.PAUSE | Verb.TITLE if screen.incognito:
            screen.tell("Nothing is kept of an incognito conversation anyway; /keep changes that.")
        case Verb.CONTINUE:
            screen.say(CONTINUE)
        case Verb.SEARCH:
            screen.search(command.rest)
        case Verb.REGENERATE:
            screen.action_regenerate()
        case Verb.LOCK:
            await screen.run_action("app.lock")
        case Verb.QUIT:
            await screen.run_action("app.quit")
        case Verb.UNDO:
            await chat_acts.undo(screen, None)
        case Verb.REVIEW:
            screen.show_tab("review")
        case Verb.WHY | Verb.CONTEXT:
            screen.show_tab("answer")
        case Verb.MEMORY:
            screen.show_facts(command.rest)
        case Verb.PAUSE:
            await pause(screen)
        case Verb.TITLE:
            await title(screen, command.rest)
        case Verb.MODEL:
            await model(screen, command.rest)
        case Verb.REMEMBER:
            await remember(screen, command.rest)
        case Verb.FORGET:
            await chat_acts.forget_words(screen, command.rest)
        case Verb.COPY | Verb.EDIT | Verb.BRANCH:
            on_last(screen, command)
        case Verb.RULE if not command.rest:
            screen.show_tab("rules")
        case Verb.RULE:
            await chat_rules.add_rule(screen, command.rest)
        case Verb.PERSONA:
            await persona(screen, command.rest)
        case Verb.ATTACH:
            await chat_carrying.attach(screen, command.rest)
        case Verb.EXPORT:
            await chat_carrying.export(screen, command.rest)
        case Verb.IMPORT:
            await chat_carrying.take_in(screen, command.rest)
        case _:
            assert_never(command.verb)


def last(screen: ChatScreen, role: Role) -> Message | None:
    """Find the last message of one side."""
    for message in reversed(screen.query_one(Transcript).messages):
        if message.role is role:
            return message
    return None


def on_last(screen: ChatScreen, command: Command) -> None:
    """Do with the last message what a key does with a selected one."""
    answer, said = last(screen, Role.ASSISTANT), last(screen, Role.USER)
    target = said if command.verb is Verb.EDIT else answer
    if target is None:
        screen.tell("There is no message yet.")
    elif command.verb is Verb.COPY and command.rest == "code":
        chat_messages.copy_code(screen, target)
    elif command.verb is Verb.COPY:
        screen.app.copy_to_clipboard(target.text)
        screen.tell("Copied.")
    elif command.verb is Verb.EDIT:
        chat_apart.edit(screen, target)
    else:
        screen.branch(target)


async def pause(screen: ChatScreen) -> None:
    """Stop or resume remembering in this conversation."""
    ident = screen.conversation
    if ident is None:
        screen.tell("Say something first; then /pause stops remembering in that conversation.")
        return
    on = not screen.remembering
    await screen.locket.act(lambda memory: memory.set_remembering(ident, on))
    screen.remembering = on
    screen.show_status()
    screen.tell("Remembering again." if on else "Nothing said here is remembered until /pause again.")


async def title(screen: ChatScreen, words: str) -> None:
    """Show or change the title."""
    ident = screen.conversation
    if ident is None or not words:
        screen.tell(screen.title_words or "This conversation has no title yet.")
        return
    await screen.locket.act(lambda memory: memory.set_title(ident, words))
    screen.title_words = one_line(words, 200)
    screen.draw_title()
    screen.refresh_lists()


async def model(screen: ChatScreen, name: str) -> None:
    """Show or change the model."""
    if name and screen.talking:
        screen.tell("Stop this answer first (esc).")
    elif name:
        screen.tell(f"Loading {one_line(name, 60)}…")
        await screen.locket.use_model(name)
        screen.show_status(usage=None)
        screen.tell(f"{screen.locket.status.model or 'No model'} answers from now on.")
    else:
        status = screen.locket.status
        screen.tell(
            f"{status.model or 'No model'} · window {status.window:,} tokens. Change it with /model NAME or PATH."
        )


async def persona(screen: ChatScreen, words: str) -> None:
    """Show or change how Locket should be; beside an incognito conversation only for it."""
    act = screen.locket.act_incognito if screen.incognito else screen.locket.act
    if words:
        kept = "" if words.casefold() in NO_PERSONA else words
        now = await act(lambda memory: memory.set_persona(kept))
        screen.tell(f"From the next answer on: {one_line(now, 200)}" if now else "No persona any more.")
        return
    now = await act(lambda memory: memory.persona)
    apart = PERSONA_APART if screen.incognito else ""
    screen.tell(
        f"{one_line(now, 300)} · /persona WORDS changes it, /persona none takes it back.{apart}"
        if now
        else f"None. /persona WORDS says how Locket should be.{apart or PERSONA_HOLDS}"
    )


async def remember(screen: ChatScreen, words: str) -> None:
    """Keep something in the user's own words."""
    await screen.locket.act(lambda memory: memory.add_fact(words))
    screen.tell(f"Remembered: {one_line(words, 80)} · /undo takes it back")
    screen.refresh_lists()
