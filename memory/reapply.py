"""Carries what was forgotten from a store that goes to an older copy that takes its place.

Owns the comparison; forgetting itself is done as when a person asks for it, and its proof follows in an idle
moment. What a mark names is forgotten again; a message that lost words loses them in the copy too. The surprise:
something that is merely absent from the store that goes is kept, since a damaged store may have lost it. What is known
by its id alone is in ``reapply_rows``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory.clock import to_text
from memory.core import Core
from memory.forgetting import applying, rewriting
from memory.forgetting.preview import preview
from memory.forgetting.selection import Selection
from memory.forgetting.wording import Said, Wordings, has_words
from memory.policy import slot_hash
from memory.ports import Clock, NewId
from memory.reapply_rows import carry_rows, clean_receipts
from memory.store import (
    candidates,
    conversations,
    facts,
    messages,
    profiles,
    purge,
    redactions,
    tombstones,
)
from memory.vault.identity import read_identity
from memory.vault.keys import subkey

if TYPE_CHECKING:
    from sqlite_utils import Database


def carry_forgetting(old: Database, new: Database, *, clock: Clock, new_id: NewId) -> None:
    """Forget in ``new`` what was forgotten in ``old`` since ``new`` was copied from it."""
    identity = read_identity(new)
    if read_identity(old) != identity:
        return  # another vault's backup: neither its ids nor its marks mean anything there
    key = subkey(identity.seal, "tombstones", identity.file_id)
    for profile in profiles.list_profiles(old):
        if profiles.find_profile(new, profile.id) is not None:
            _Carrying(old, Core(new, profile.id, clock, new_id, key)).run()


@dataclass(frozen=True, slots=True)
class _Carrying:
    """One profile's share."""

    old: Database
    core: Core

    def run(self) -> None:
        """Carry marks over, then forget what they name, then take words out of messages."""
        core = self.core
        marks = tombstones.list_tombstones(self.old, core.profile)
        known = {mark.id for mark in tombstones.list_tombstones(core.db, core.profile)}
        with core.atomic():
            for mark in marks:
                tombstones.insert_tombstone(core.db, mark)
            gone = {mark.message for mark in marks if mark.kind == "message" and mark.message}
            for conversation in redactions.conversations_wholly_among(core.db, core.profile, gone):
                applying.apply(core, preview(core, Selection(conversation=conversation)))
            named = [*self._slots({mark.hash for mark in marks}), *self._messages(gone)]
            if named:
                applying.apply(core, preview(core, Selection(ids=tuple(named))))
            self._take_words_out()
            carry_rows(self.old, core, {mark.hash for mark in marks if mark.id not in known})

    def _slots(self, hashes: set[str]) -> list[str]:
        """Return the facts and candidates that a mark names by what they say."""
        core = self.core
        said = [
            (fact.id, fact.subject, fact.attribute, fact.value)
            for fact in facts.list_facts(core.db, core.profile, states=None)
        ]
        for queued in candidates.every_candidate(core.db, core.profile):
            what = queued.candidate
            said.append((queued.id, what.subject, what.attribute, what.value))
        return [
            ident
            for ident, *slot in said
            if slot_hash(core.tombstone_key, core.profile, *slot).hex() in hashes
        ]

    def _messages(self, gone: set[str]) -> list[str]:
        """Return those messages that still have a text."""
        found = messages.list_messages(self.core.db, self.core.profile, gone)
        return [message.id for message in found if has_words(message.text)]

    def _take_words_out(self) -> None:
        core = self.core
        shorter = {message.id: message for message in redactions.redacted_messages(self.old, core.profile)}
        found = messages.list_messages(core.db, core.profile, shorter)
        pairs = [(was, shorter[was.id]) for was in found if was.text != shorter[was.id].text]
        if not pairs:
            return
        now = to_text(core.now())
        rows = [{"id": new.id, "text": new.text, "masked": new.masked, "pasted": None} for _, new in pairs]
        purge.rewrite(core.db, core.profile, "message", rows, now)
        texts = {new.id: new.safe_text for _, new in pairs}
        purge.rewrite_items(core.db, {ident: (text, None) for ident, text in texts.items()})
        purge.rewrite_contexts(
            core.db, {ident: text if has_words(text) else "" for ident, text in texts.items()}
        )
        purge.remove_versions(core.db, core.profile, list(texts))
        changed, inside = {new.id for _, new in pairs}, {new.conversation for _, new in pairs}
        words = [word for was, new in pairs for word in rewriting.removed_words(was.text, new.text)]
        clean_receipts(core, changed, inside, words)
        wordings = Wordings(tuple(Said("", word, everywhere=True) for word in dict.fromkeys(words)))
        titles = [
            {"id": there.id, "title": wordings.without(there.title)}
            for ident in sorted(inside)
            if (there := conversations.find_conversation(core.db, core.profile, ident)) is not None
        ]
        purge.rewrite(core.db, core.profile, "conversation", titles, now)
        purge.reset_heads(core.db, core.profile, inside)
