"""Takes another program's conversations and memories in: what can be, in one transaction, the rest by name.

Owns ids that are the same at every import, so that importing again changes nothing and what was forgotten stays
so. The surprise: without the user's trust nothing of it is recalled. Messages are searchable and no more, and
memories wait in Review; importing once more with trust opens the same rows and hears what they state.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from memory.core import Core
from memory.errors import BadInput
from memory.ids import RANDOM_BITS, encode
from memory.records import (
    Conversation,
    ItemState,
    Message,
    Origin,
    Role,
)
from memory.saying import clean, title_of
from memory.secrets import mask
from memory.store import conversations, messages, tombstones
from memory.store.attachments import insert_attachment, list_attachments
from memory.store.items import set_state, write_attachment_items, write_message_items
from memory.store.stored import Attachment
from memory.transfer.foreign_memories import storable, take_memory
from memory.transfer.mining import mine
from memory.transfer.remaking import set_branches_aside
from memory.transfer.report import ImportReport, Skipped, TakenBack, go_on_unless
from memory.transfer.sources.opening import Kind as SourceKind
from memory.transfer.sources.shapes import Piece, SourceConversation, SourceMemory, SourceMessage
from memory.vault.crashpoints import point

_TOKEN: Final = re.compile(r"[A-Za-z0-9._:-]{1,80}")
LONGEST_MODEL: Final = 80
"""Characters of a model's name."""


def import_pieces(
    core: Core, source: SourceKind, pieces: Iterable[Piece], *, trust: bool = False, dry_run: bool = False
) -> ImportReport:
    """Take in all pieces that can be taken; nothing is kept when it fails or is only tried."""
    taking = _Taking(core, source, trust=trust)
    try:
        with core.atomic():
            for piece in pieces:
                taking.take(piece)
            point("import.rows")
            go_on_unless(dry_run)
    except TakenBack:
        pass
    return taking.report()


class _Taking:
    """One import in progress."""

    def __init__(self, core: Core, source: SourceKind, *, trust: bool) -> None:
        self._core, self._source, self._trust = core, source, trust
        self._added: Counter[str] = Counter()
        self._same: Counter[str] = Counter()
        self._changed: Counter[str] = Counter()
        self._refused: Counter[str] = Counter()
        self._skipped: list[Skipped] = []
        self._memories = 0

    def take(self, piece: Piece) -> None:
        """Take in one piece."""
        match piece:
            case Skipped():
                self._skipped.append(Skipped(storable(piece.what), storable(piece.reason)))
            case SourceConversation():
                self._conversation(piece)
            case SourceMemory():
                self._memories += 1
                self._statement(piece)

    def report(self) -> ImportReport:
        """Return what became of everything so far."""
        return ImportReport(
            added=dict(self._added),
            same=dict(self._same),
            changed=dict(self._changed),
            refused=dict(self._refused),
            skipped=tuple(self._skipped),
        )

    def _statement(self, piece: SourceMemory) -> None:
        outcome = take_memory(self._core, self._source, piece, trust=self._trust)
        if isinstance(outcome, str):
            self._skipped.append(Skipped(f"memory {self._memories}", outcome))
            return
        counts = {"added": self._added, "same": self._same, "refused": self._refused}
        for taken in outcome:
            counts[taken.became][taken.kind] += 1

    # -- conversations --------------------------------------------------------------------------------

    def _conversation(self, piece: SourceConversation) -> None:
        db, profile = self._core.db, self._core.profile
        source = f"{self._source}:{_named(piece.id)}"
        home = conversations.find_imported_conversation(db, profile, source)
        fresh = home is None
        if home is None:
            home = Conversation(
                id=_ident(profile, source, piece.created_at),
                profile=profile,
                title=title_of(storable(piece.title)),
                created_at=piece.created_at,
                updated_at=max(piece.created_at, piece.updated_at),
                remembering=self._trust,
                origin=Origin.IMPORTED,
                source=source,
            )
            conversations.create_conversation(db, home)
        branch = _Branch(home, {one.source: one for one in messages.all_messages(db, profile, home.id)})
        for one in piece.messages:
            self._message(branch, one)
        if fresh and not branch.known:
            conversations.delete_conversation(db, profile, home.id)
            self._refused["conversation"] += 1
            return
        opened = self._trust and not home.remembering
        self._count_conversation(home, branch, fresh=fresh)
        leaf = branch.places.get(piece.leaf)
        ends_with_import = home.leaf is None or home.leaf in branch.imported
        if branch.fresh and leaf is not None and ends_with_import:
            conversations.set_leaf(db, profile, home.id, leaf, piece.updated_at)
        if self._trust or home.remembering:
            set_branches_aside(db, profile, home.id)
        if self._trust:
            path = messages.path(db, profile, conversations.get_conversation(db, profile, home.id).leaf)
            self._added += mine(self._core, [one for one in path if opened or one.id in branch.fresh])

    def _count_conversation(self, home: Conversation, branch: _Branch, *, fresh: bool) -> None:
        db, profile = self._core.db, self._core.profile
        if self._trust and not home.remembering:
            conversations.set_remembering(db, profile, home.id, True)
            set_state(db, [*branch.imported, *self._attached(home.id)], ItemState.ACTIVE)
            self._changed["conversation"] += 1
        elif fresh:
            self._added["conversation"] += 1
        else:
            (self._changed if branch.fresh else self._same)["conversation"] += 1

    def _message(self, branch: _Branch, one: SourceMessage) -> None:
        db, profile = self._core.db, self._core.profile
        source = _named(one.id)
        known = branch.known.get(source)
        if known is not None:
            branch.places[one.id] = known.id
            self._same["message"] += 1
            return
        above = branch.places.get(one.parent or "")
        ident = _ident(profile, f"{branch.home.source}:{source}", one.said_at)
        if tombstones.is_covered(db, profile, ident, 0, len(one.text) + 1):
            branch.places[one.id] = above
            self._refused["message"] += 1
            return
        try:
            text = clean(one.text)
        except BadInput as error:
            branch.places[one.id] = above
            self._skipped.append(Skipped(f"a message of {branch.home.title!r}", str(error)))
            return
        message = Message(
            id=ident,
            profile=profile,
            conversation=branch.home.id,
            parent=above,
            role=Role(one.role),
            text=text,
            said_at=one.said_at,
            masked=mask(text),
            origin=Origin.IMPORTED,
            model=None if one.model is None else storable(one.model)[:LONGEST_MODEL],
            source=source,
        )
        messages.insert_message(db, message)
        write_message_items(db, message, branch.by_id.get(above or ""))
        branch.add(one.id, message)
        self._added["message"] += 1
        refs = [ident, *self._attachments(message, one)]
        if not self._trust and not branch.home.remembering:
            set_state(db, refs, ItemState.REVIEW)

    def _attachments(self, message: Message, one: SourceMessage) -> list[str]:
        idents = []
        for number, found in enumerate(one.attachments):
            text = storable(found.text)
            attachment = Attachment(
                id=_ident(message.profile, f"{message.id}:{number}", one.said_at),
                profile=message.profile,
                conversation=message.conversation,
                message=message.id,
                name=storable(found.name)[:200],
                media_type="text/plain",
                text=mask(text) or text,
                sha256=hashlib.sha256(text.encode()).hexdigest(),
                recorded_at=one.said_at,
            )
            insert_attachment(self._core.db, attachment)
            write_attachment_items(self._core.db, attachment)
            idents.append(attachment.id)
            self._added["attachment"] += 1
        return idents

    def _attached(self, conversation: str) -> list[str]:
        found = list_attachments(self._core.db, self._core.profile, conversation)
        return [attachment.id for attachment in found]


@dataclass(slots=True)
class _Branch:
    """A conversation while its messages arrive."""

    home: Conversation
    known: dict[str | None, Message]
    """By the id that the source gave."""
    places: dict[str, str | None] = field(default_factory=dict)
    """The source's id → the message here, or for what was left out the one above it."""
    by_id: dict[str, Message] = field(default_factory=dict)
    fresh: set[str] = field(default_factory=set)
    """Ids of the messages that came with this import."""

    def __post_init__(self) -> None:
        self.by_id = {one.id: one for one in self.known.values()}

    @property
    def imported(self) -> set[str]:
        """Ids of the messages that were ever imported."""
        return {one.id for source, one in self.known.items() if source is not None}

    def add(self, theirs: str, message: Message) -> None:
        """Note a message that came, and the id it had in the source."""
        self.known[message.source] = self.by_id[message.id] = message
        self.places[theirs] = message.id
        self.fresh.add(message.id)


def _named(theirs: str) -> str:
    """Return a source's id as it is kept: a plain one as it is, of any other only what tells it apart."""
    if _TOKEN.fullmatch(theirs):
        return theirs
    return "#" + hashlib.sha256(theirs.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _ident(profile: str, key: str, when: datetime) -> str:
    """Return the id of something imported: sorted by its time, and the same at every import."""
    digest = hashlib.sha256(f"{profile}\x1f{key}".encode("utf-8", "replace")).digest()
    low = int.from_bytes(digest[:8], "big") & ((1 << RANDOM_BITS) - 1)
    return encode((max(int(when.timestamp() * 1000), 0) << RANDOM_BITS) | low)
