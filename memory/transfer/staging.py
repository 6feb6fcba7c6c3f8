"""The rows of an archive on their way into the store, one at a time, inside the import's transaction.

Owns what becomes of each: added, the same, changed, kept as it is here, refused. Opens no transaction and
makes no items. One surprise: a refused message leaves a gap in its conversation, so what was said after it is
hung below what was said before it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Literal

from memory.clock import to_text
from memory.forgetting.marking import PERSONA, mark_of
from memory.policy import slot_hash
from memory.ports import NewId
from memory.store import rows
from memory.store.derivations import delete_derivations
from memory.store.versions import delete_versions, versions_of
from memory.store.whole_rows import (
    column_types,
    delete_row,
    find_row,
    has_row,
    insert_row,
    is_readable,
    iter_rows,
    replace_row,
)
from memory.transfer.collisions import place
from memory.transfer.errors import ContentRefused
from memory.transfer.guard import Guard, make_guard, standing_marks
from memory.transfer.merging import VERSIONED, verdict

if TYPE_CHECKING:
    from sqlite_utils import Database

Became = Literal["added", "same", "changed", "kept", "refused"]
Row = Mapping[str, Any]
KEPT_ONCE_FORGOTTEN: Final = frozenset({"episode", "working_state"})
"""Kinds that keep their place when they lose words: a later one of the archive may still have them."""
WITH_ITEMS: Final = frozenset({"message", "attachment", "episode", "fact"})


class Staging:
    """An import in progress."""

    def __init__(self, db: Database, own_key: bytes, now: datetime, new_id: NewId) -> None:
        self._db, self._own_key, self._now, self._new_id = db, own_key, now, new_id
        self.touched: dict[str, list[str]] = {table: [] for table in WITH_ITEMS}
        """Ids of what came or changed and has items."""
        self._counts: dict[Became, Counter[str]] = {}
        self._columns: dict[str, dict[str, tuple[type, ...]]] = {}
        self._marks = standing_marks(db)
        self._shared: list[str] = []
        self._new_hashes: set[str] = set()
        self._guard: Guard | None = None
        self._refused: set[str] = set()
        self._wordless: set[str] = set()
        """Messages and episodes whose words are gone on one side: their earlier versions must not stay."""
        self._above: dict[str, str | None] = {}
        """Refused message → the one before it."""
        self._gaps: set[str] = set()
        """Conversations that messages were refused of, or that were forgotten whole."""
        self._new_homes: set[str] = set()
        """Conversations that this import brought."""
        self._bereft: set[str] = set()
        """Episodes that rest on refused messages."""
        self._versions: dict[str, list[str]] = {}
        self._last_version: dict[str, str] = {}

    def take(self, table: str, row: Row) -> None:
        """Put one record where it belongs; raise ContentRefused when it is no record of the store."""
        if not self._fits(table, row) or not is_readable(table, row):
            raise ContentRefused(f"a record of kind {table} lacks what it must have or says what none does")
        ours = find_row(self._db, table, row)
        became: Became
        if ours is not None and table in KEPT_ONCE_FORGOTTEN and self._must_not_return(table, row):
            self._wordless.add(row["id"])
            became = "kept"
        elif ours is not None:
            became = self._meet(table, ours, self._without_forgotten(table, ours, row))
        elif table != "tombstone" and self._must_not_return(table, row):
            became = self._refuse(table, row)
        else:
            became = self._add(table, self._without_forgotten(table, {}, row))
        if table == "version":
            before = self._last_version.get(row["ref"], "")
            self._last_version[row["ref"]] = max(before, row["recorded_at"])
        self._count(became, table)

    def finish(self) -> None:
        """Mend what refused records leave open, once all records were taken."""
        episodes = [ident for ident in self.touched["episode"] if ident in self._bereft]
        for ident in episodes:
            delete_row(self._db, "episode", {"id": ident})
            self._move("added", "refused", "episode")
        delete_derivations(self._db, episodes)
        for ref in self._refused | self._wordless | set(episodes):
            for ident in self._versions.get(ref, ()):
                delete_row(self._db, "version", {"id": ident})
                self._move("added", "refused", "version")
        for ident in self._gaps:
            self._mend_conversation(ident)

    def counts(self, became: Became) -> dict[str, int]:
        """Return how many records of each kind ended so."""
        return {table: n for table, n in self._counts.get(became, Counter()).items() if n}

    def forgotten_elsewhere(self, keys: Iterable[bytes]) -> tuple[str, ...]:
        """Return the facts, episodes and rules here that marks of the archive speak of."""
        if not self._new_hashes:
            return ()
        keys = tuple(keys)
        came = {*self.touched["fact"], *self.touched["episode"]}
        return tuple(
            row["id"]
            for table in ("fact", "episode", "rule")
            for row in iter_rows(self._db, table)
            if row["id"] not in came
            and any(self._known_as(key, table, row) in self._new_hashes for key in keys)
        )

    @staticmethod
    def _known_as(key: bytes, table: str, row: Row) -> str:
        """Return the hash that a mark of this record has."""
        if table != "fact":
            return mark_of(key, row["profile"], table, row["id"])
        return slot_hash(key, row["profile"], row["subject"], row["attribute"], row["value"]).hex()

    def _fits(self, table: str, row: Row) -> bool:
        if table not in self._columns:
            self._columns[table] = column_types(self._db, table)
        types = self._columns[table]
        return row.keys() == types.keys() and all(
            cell is None or isinstance(cell, types[name]) for name, cell in row.items()
        )

    def _meet(self, table: str, ours: Row, theirs: Row) -> Became:
        if table == "tombstone":
            self._shared.append(theirs["id"])
        stands = verdict(
            table, ours, theirs, self._last_change(table, ours), self._last_version.get(theirs.get("id", ""))
        )
        if table == "message" and (ours["redacted_at"] is None) != (theirs["redacted_at"] is None):
            self._wordless.add(theirs["id"])
        if stands == "same":
            return "same"
        if stands == "ours":
            return "kept"
        if table == "message" and theirs["redacted_at"] is not None:
            delete_versions(self._db, ours["profile"], [ours["id"]])
        placed = place(self._db, table, theirs, self._now, self._new_id)
        replace_row(self._db, table, placed.row)
        placed.afterwards()
        self._touch(table, theirs)
        return "changed"

    def _add(self, table: str, row: Row) -> Became:
        if table == "message" and row["parent"] in self._above:
            row = {**row, "parent": self._standing(row["parent"])}
        placed = place(self._db, table, row, self._now, self._new_id)
        insert_row(self._db, table, placed.row)
        placed.afterwards()
        self._touch(table, row)
        if table == "version":
            self._versions.setdefault(row["ref"], []).append(row["id"])
        if table == "tombstone":
            self._new_hashes.add(row["hash"])
        if table == "conversation":
            self._new_homes.add(row["id"])
        return "added"

    def _refuse(self, table: str, row: Row) -> Became:
        if table == "derivation":
            if row["child_kind"] == "episode":
                self._bereft.add(row["child"])
            return "refused"
        if table == "setting":
            return "refused"
        self._refused.add(row["id"])
        if table == "message":
            self._above[row["id"]] = row["parent"]
            self._gaps.add(row["conversation"])
        return "refused"

    def _must_not_return(self, table: str, row: Row) -> bool:
        guard = self._standing_guard()
        gone = self._refused
        match table:
            case "fact":
                slot = (row["profile"], row["subject"], row["attribute"], row["value"])
                place_of = (row["message"], row["span_start"], row["span_end"])
                return guard.covers_slot(*slot) or guard.covers_place(*place_of)
            case "candidate":
                what = rows.candidate(row).candidate
                return guard.covers_slot(
                    row["profile"], what.subject, what.attribute, what.value
                ) or guard.covers_place(row["message"], what.start, what.end)
            case "message":
                return guard.covers_message(row["id"])
            case "attachment":
                return row["message"] in gone or self._is_forgotten("attachment", row)
            case "episode":
                rests_on_gone = row["first_message"] in gone or row["last_message"] in gone
                return rests_on_gone or self._is_forgotten("episode", row)
            case "rule" | "draft" | "golden":
                return self._is_forgotten(table, row)
            case "setting":
                return row["name"] == PERSONA and self._is_forgotten(PERSONA, row)
            case "working_state":
                home = {"id": row["conversation"], "profile": row["profile"]}
                return self._is_forgotten("working", row) or self._is_forgotten("conversation", home)
            case "derivation":
                return row["child"] in gone or row["parent"] in gone
            case "trace":
                sent = {one["id"] for one in json.loads(row["items"]) + json.loads(row["left_out"])}
                return not gone.isdisjoint({row["message"], row["answer"], *sent})
            case _:
                return False

    def _is_forgotten(self, kind: str, row: Row) -> bool:
        """Tell whether a text was forgotten here that is known by its id, or a note by its conversation's."""
        ident = row["conversation"] if kind == "working" else row.get("id", "")
        return self._standing_guard().covers_row(kind, ident, row["profile"])

    def _without_forgotten(self, table: str, ours: Row, theirs: Row) -> Row:
        """Return a conversation of the archive without the notes that were forgotten here."""
        if table != "conversation" or not self._standing_guard().hashes:
            return theirs
        home = self._is_forgotten("conversation", theirs)
        if home:
            self._gaps.add(theirs["id"])
        kept = {
            column: ours.get(column, nothing)
            for kind, column, nothing in (("title", "title", ""), ("summary", "earlier", None))
            if home or self._is_forgotten(kind, theirs)
        }
        return {**theirs, **kept, "head": ours.get("head")}

    def _standing_guard(self) -> Guard:
        if self._guard is None:  # marks come first in an archive, so all of its own are known by now
            self._guard = make_guard(self._db, self._own_key, self._marks, self._shared)
        return self._guard

    def _last_change(self, table: str, ours: Row) -> str | None:
        if table not in VERSIONED:
            return None
        came = set(self._versions.get(ours["id"], ()))
        known = versions_of(self._db, ours["profile"], ours["id"])
        return max((to_text(one.recorded_at) for one in known if one.id not in came), default=None)

    def _standing(self, message: str | None) -> str | None:
        """Climb from a refused message to one that is there."""
        seen: set[str] = set()
        while message is not None and message in self._above and message not in seen:
            seen.add(message)
            message = self._above[message]
        return None if message in seen else message

    def _mend_conversation(self, ident: str) -> None:
        home = find_row(self._db, "conversation", {"id": ident})
        if home is None:
            return
        if ident in self._new_homes and not has_row(self._db, "message", "conversation", ident):
            delete_row(self._db, "conversation", {"id": ident})
            self._move("added", "refused", "conversation")
        elif home["leaf"] in self._above:
            replace_row(
                self._db, "conversation", {**home, "leaf": self._standing(home["leaf"]), "head": None}
            )

    def _touch(self, table: str, row: Row) -> None:
        if table in WITH_ITEMS:
            self.touched[table].append(row["id"])

    def _count(self, became: Became, table: str, by: int = 1) -> None:
        self._counts.setdefault(became, Counter())[table] += by

    def _move(self, was: Became, became: Became, table: str) -> None:
        self._count(was, table, -1)
        self._count(became, table)
