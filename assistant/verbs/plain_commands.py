"""Slash commands of the plain chat: the same words as on the screen, answered in lines."""

from __future__ import annotations

from typing import assert_never

from assistant.chat.commands import (
    CONTINUE,
    NO_PERSONA,
    PERSONA_APART,
    SPECS,
    Command,
    Misused,
    Unknown,
    Verb,
)
from assistant.problems import to_problem
from assistant.undone_words import undone_words
from assistant.verbs import plain_files, plain_messages
from assistant.verbs.plain_talk import Talk, listen, speak
from assistant.verbs.talking import first_code_block, tell_memory, why_lines
from assistant.visible import echo

NOTHING_SAID = "Say something first."


async def obey(talk: Talk, command: Command | Misused | Unknown) -> None:
    """Carry out a command and say what came of it; a known error is said, not raised."""
    if isinstance(command, Misused | Unknown):
        echo(command.reason)
        return
    try:
        await _obey(talk, command)
    except Exception as error:
        problem = to_problem(error)
        if problem is None:
            raise
        echo(f"({problem.title}. {problem.detail} {problem.hint})")


async def _obey(talk: Talk, command: Command) -> None:
    locket, rest = talk.locket, command.rest
    match command.verb:
        case Verb.HELP:
            for spec in SPECS:
                echo(f"{spec.usage:24} {spec.summary}")
        case Verb.QUIT | Verb.LOCK:
            talk.ended = True
        case Verb.NEW:
            _begin(talk, incognito=False)
            echo("A new conversation.")
        case Verb.INCOGNITO:
            _begin(talk, incognito=True)
            echo("An incognito conversation: nothing of it is kept, unless you say /keep.")
        case Verb.KEEP:
            await _keep(talk)
        case Verb.REMEMBER:
            fact = await locket.act(lambda memory: memory.add_fact(rest))
            echo(f"(remembered: {fact.text})")
        case Verb.REVIEW:
            for queued in await locket.read(lambda reader: reader.review_list()):
                echo(f"{queued.id}  {queued.candidate.text} ({queued.reason})")
            echo("`locket memory review accept|edit|reject ID` answers them.")
        case Verb.RULE if rest:
            rule = await locket.act(lambda memory: memory.add_rule(rest))
            echo(f"(from now on: {rule.text})")
        case Verb.RULE:
            for known in await locket.read(lambda reader: reader.list_rules()):
                echo(f"{known.id}  {known.text}")
        case Verb.UNDO:
            done = await locket.act(lambda memory: memory.undo())
            echo(f"(undone: {undone_words(done)})")
        case Verb.MEMORY:
            await _memory(talk, rest)
        case Verb.SEARCH if not rest:
            echo("Say what: /search WORDS")
        case Verb.SEARCH:
            for found in await locket.act(lambda memory: memory.search(rest)):
                echo(f"{found.item.kind}: {found.snippet}")
        case Verb.WHY:
            for line in why_lines(talk.last) if talk.last else ["There is no answer yet."]:
                echo(line)
        case Verb.TITLE | Verb.PAUSE if talk.incognito:
            echo("Nothing is kept of an incognito conversation anyway; /keep changes that.")
        case Verb.TITLE:
            await _title(talk, rest)
        case Verb.PAUSE if talk.conversation:
            await _pause(talk, talk.conversation)
        case Verb.REGENERATE if talk.conversation:
            await listen(talk, locket.regenerate(talk.conversation, incognito=talk.incognito))
        case Verb.PAUSE | Verb.REGENERATE:
            echo(NOTHING_SAID)
        case Verb.CONTINUE:
            await speak(talk, CONTINUE)
        case Verb.EDIT:
            await plain_messages.edit(talk)
        case Verb.BRANCH:
            await plain_messages.branch(talk)
        case Verb.FORGET:
            await plain_messages.forget(talk, rest)
        case Verb.PERSONA:
            await _persona(talk, rest)
        case Verb.ATTACH:
            await plain_files.attach(talk, rest)
        case Verb.EXPORT:
            await plain_files.export(talk, rest)
        case Verb.IMPORT:
            await plain_files.take_in(talk, rest)
        case Verb.COPY:
            answer = talk.last.answer.text if talk.last and talk.last.answer else ""
            echo((first_code_block(answer) or "") if rest == "code" else answer)
        case Verb.MODEL:
            if rest:
                await locket.use_model(rest)
            echo(f"model: {locket.status.model or locket.status.notice}")
        case Verb.CONTEXT:
            _context(talk)
        case _:
            assert_never(command.verb)


def _begin(talk: Talk, *, incognito: bool) -> None:
    if talk.incognito:
        talk.locket.end_incognito()
    talk.conversation, talk.last, talk.incognito = None, None, incognito
    talk.attached.clear()


async def _keep(talk: Talk) -> None:
    if not talk.incognito or talk.conversation is None:
        echo("There is no incognito conversation to keep.")
        return
    kept = await talk.locket.keep_incognito(talk.conversation)
    talk.conversation, talk.incognito = kept.conversation, False
    echo("(this conversation is kept)")
    for line in tell_memory(list(kept.decided)):
        echo(f"({line})")


async def _memory(talk: Talk, words: str) -> None:
    facts = await talk.locket.read(lambda reader: reader.list_facts())
    wanted = words.casefold()
    for fact in facts:
        if wanted in fact.text.casefold() or wanted in fact.subject.casefold():
            echo(f"{fact.id}  {fact.text}")


async def _pause(talk: Talk, conversation: str) -> None:
    here = await talk.locket.read(lambda reader: reader.get_conversation(conversation))
    remembering = not here.remembering
    await talk.locket.act(lambda memory: memory.set_remembering(conversation, remembering))
    echo("(remembering again)" if remembering else "(nothing said here is remembered from now on)")


async def _title(talk: Talk, words: str) -> None:
    here = talk.conversation
    if here is None:
        echo(NOTHING_SAID)
    elif words:
        await talk.locket.act(lambda memory: memory.set_title(here, words))
        echo(f"(title: {words})")
    else:
        known = await talk.locket.read(lambda reader: reader.get_conversation(here))
        echo(known.title or "This conversation has no title yet.")


async def _persona(talk: Talk, words: str) -> None:
    if words:
        kept = "" if words.casefold() in NO_PERSONA else words
        now = await talk.act(lambda memory: memory.set_persona(kept))
        echo(f"(from the next answer on: {now})" if now else "(no persona any more)")
    else:
        now = await talk.act(lambda memory: memory.persona)
        apart = PERSONA_APART if talk.incognito else ""
        echo((now or "None. /persona WORDS says how Locket should be.") + apart)


def _context(talk: Talk) -> None:
    if talk.last is None or talk.last.prompt is None:
        echo("There is no prompt yet.")
        return
    prompt = talk.last.prompt
    for section in prompt.sections:
        echo(f"{section.name:12} {section.tokens:6,} of {section.cap:,} tokens")
    echo(f"{'together':12} {prompt.tokens:6,} of {prompt.window - prompt.reserve:,} tokens")
