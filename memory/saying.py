"""COMMIT 1: the user's words are safe, searchable and searched for memories before any model runs.

Owns how a message enters the store. The surprise: the raw text is kept as it is; everything derived from it
sees secrets masked.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC

from memory import boundaries, branches, remembering
from memory.core import Core
from memory.errors import BadInput
from memory.records import Conversation, Decided, Message, Role, Turn
from memory.secret_answers import secrets_said
from memory.secrets import Secret, kinds_of, mask
from memory.store import conversations, items, jobs, messages

LONGEST_MESSAGE = 8_000_000
"""Characters; longer text belongs in a file."""
LONGEST_TITLE = 60
SECRET_NOTICE = "This message holds a secret ({what}). It stays in the message itself and nowhere else."  # noqa: S105


def clean(text: str) -> str:
    """Return the text as it is stored: valid Unicode, one kind of line end, no NUL."""
    text = _tidy(text)
    text = text.encode("utf-8", "replace").decode("utf-8")
    if not text.strip():
        raise BadInput("the message is empty")
    if len(text) > LONGEST_MESSAGE:
        raise BadInput(f"the message has {len(text):,} characters; {LONGEST_MESSAGE:,} fit")
    return text


def _tidy(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")


def placed(text: str, spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return spans of a text as they lie in it once it is clean; what reaches past its end is cut off there."""
    found = [tuple(len(_tidy(text[: max(0, at)])) for at in span) for span in spans]
    return tuple((start, end) for start, end in found if start < end)


def begin_turn(
    core: Core,
    text: str,
    *,
    conversation: str | None = None,
    pasted: tuple[tuple[int, int], ...] = (),
    parent: str | None = None,
    instead_of: str | None = None,
) -> Turn:
    """Commit the user's words with what the rules find in them.

    Without a conversation one begins; without a parent the words follow the current leaf. ``instead_of`` is a
    message whose place they take on a branch of their own.
    """
    pasted = placed(text, pasted)
    text = clean(text)
    now = core.now()
    with core.atomic():
        home = _conversation(core, conversation, text)
        remembers = core.settings.remember and home.remembering
        while not remembers and not boundaries.is_closed(
            core, home.id
        ):  # what was said until now still counts
            boundaries.close_one(core, home.id)
        parent = _place(core, home, parent, instead_of)
        if parent != home.leaf:  # a branch: memory and the prompt are those of the words above it
            branches.switch(core, home.id, parent)
        above = messages.find_message(core.db, core.profile, parent) if parent else None
        secrets = secrets_said(text, above.safe_text if above and above.role is Role.ASSISTANT else "")
        message = Message(
            id=core.new_id(),
            profile=core.profile,
            conversation=home.id,
            parent=parent,
            role=Role.USER,
            text=text,
            said_at=now.astimezone(UTC),
            zone=core.zone(),
            masked=mask(text, secrets),
            pasted=pasted,
        )
        messages.insert_message(core.db, message)
        conversations.set_leaf(core.db, core.profile, home.id, message.id, now)
        items.write_message_items(core.db, message, above)
        decided: tuple[Decided, ...] = ()
        if not remembers:
            boundaries.leave_out(core, message)
        else:
            decided = remembering.judge(core, message, remembering.propose(core, message))
            jobs.enqueue(
                core.db, "distil", core.profile, {"conversation": home.id}, now=now, new_id=core.new_id
            )
    return Turn(home.id, message, decided, _notices(secrets))


def _conversation(core: Core, ident: str | None, text: str) -> Conversation:
    if ident is not None:
        return conversations.get_conversation(core.db, core.profile, ident)
    now = core.now()
    conversation = Conversation(
        id=core.new_id(), profile=core.profile, title=title_of(text), created_at=now, updated_at=now
    )
    conversations.create_conversation(core.db, conversation)
    return conversation


def _place(core: Core, home: Conversation, parent: str | None, instead_of: str | None) -> str | None:
    if instead_of is None:
        return parent or home.leaf
    edited = messages.find_message(core.db, core.profile, instead_of)
    if edited is None or edited.conversation != home.id:
        raise BadInput("the edited message is not in this conversation")
    return edited.parent


def title_of(text: str) -> str:
    """Return a conversation's first title: its first words, secrets masked."""
    start = text[:400]
    line = " ".join((mask(start) or start).split())
    if len(line) <= LONGEST_TITLE:
        return line
    cut = line[: LONGEST_TITLE - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut else cut) + "…"


def _notices(secrets: Sequence[Secret]) -> tuple[str, ...]:
    kinds = kinds_of(secrets)
    return (SECRET_NOTICE.format(what=", ".join(kinds)),) if kinds else ()
