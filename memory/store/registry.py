"""What becomes of every table when memory is exported and when something is forgotten.

Owns one entry a table and names each text column: those that may hold the user's words and those that cannot.
A table or column without an entry fails a test, so nothing new can escape forgetting unnoticed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Exported = Literal["records", "remade", "no"]
"""As records of the archive; made anew from them after an import; or not at all."""

Forgotten = Literal["row", "ref", "message", "rewrite", "cascade", "trigger", "no text"]
"""How words leave a table.

``row`` the row itself is what is forgotten · ``ref`` rows that point at it go · ``message`` rows of its message
go · ``rewrite`` its words are taken out and the row stays · ``cascade`` it goes with its conversation ·
``trigger`` it follows another table · ``no text`` there is nothing of the user's in it.
"""


@dataclass(frozen=True, slots=True)
class TableEntry:
    """One table, or one family of tables whose names begin alike."""

    name: str
    exported: Exported
    forgotten: tuple[Forgotten, ...]
    words: tuple[str, ...] = ()
    """Text columns that may hold what the user or an answer said."""
    plain: tuple[str, ...] = ()
    """Text columns that hold ids, times, states and other words of the program."""
    is_family: bool = False
    """Whether ``name`` is only how the names begin."""


def _names(written: str) -> tuple[str, ...]:
    return tuple(written.split())


ENTRIES: Final = (
    TableEntry("vault_meta", "no", ("no text",), plain=_names("name value")),
    TableEntry("_sqlite_migrations", "no", ("no text",), plain=_names("migration_set name applied_at")),
    TableEntry("sqlite_sequence", "no", ("no text",), plain=_names("name seq")),
    TableEntry("setting", "records", ("rewrite",), _names("value"), _names("profile name")),
    TableEntry("profile", "records", ("row",), _names("name"), _names("id created_at")),
    TableEntry(
        "conversation",
        "records",
        ("row", "rewrite"),
        _names("title head earlier source"),
        _names("id profile created_at updated_at leaf origin episode_upto window_from"),
    ),
    TableEntry(
        "message",
        "records",
        ("row", "rewrite", "cascade"),
        _names("text masked speaker source"),
        _names(
            "id profile conversation parent role said_at zone origin pasted stop_reason model distilled_at"
            " redacted_at"
        ),
    ),
    TableEntry(
        "attachment",
        "records",
        ("row", "cascade"),
        _names("name text sha256"),
        _names("id profile conversation message media_type origin recorded_at"),
    ),
    TableEntry(
        "draft", "records", ("row",), _names("text"), _names("id profile conversation kind recorded_at")
    ),
    TableEntry(
        "working_state",
        "records",
        ("rewrite", "cascade"),
        _names("state"),
        _names("id profile conversation message recorded_at"),
    ),
    TableEntry(
        "episode",
        "records",
        ("row", "rewrite"),
        _names("title goal summary detail"),
        _names(
            "id profile conversation first_message last_message started_at ended_at recorded_at state"
            " recalled_at origin"
        ),
    ),
    TableEntry(
        "fact",
        "records",
        ("row",),
        _names("subject attribute value value_norm text quote source"),
        _names(
            "id profile language kind cardinality stability origin message said_at valid_from valid_to"
            " recorded_at superseded_at superseded_by expires_at confirmed_at state recalled_at"
        ),
    ),
    TableEntry(
        "rule",
        "records",
        ("row",),
        _names("text"),
        _names("id profile lineage state origin message recorded_at"),
    ),
    TableEntry(
        "candidate",
        "records",
        ("row", "message"),
        _names("text payload"),
        _names("id profile conversation message kind reason origin state result recorded_at decided_at"),
    ),
    TableEntry("derivation", "records", ("ref",), plain=_names("child child_kind parent parent_kind role")),
    TableEntry(
        "version",
        "records",
        ("ref",),
        _names("before after"),
        _names("id profile kind ref recorded_at"),
    ),
    TableEntry(
        "item",
        "remade",
        ("ref", "rewrite"),
        _names("text context grams subject"),
        _names("id kind ref profile conversation language origin state said_at"),
    ),
    TableEntry(
        "item_fts",
        "remade",
        ("trigger",),
        _names("text context grams item_fts term block"),
        _names("rank k v segid pgno sz"),
        is_family=True,
    ),
    TableEntry("item_vocab", "remade", ("trigger",), _names("term"), _names("doc cnt")),
    TableEntry(
        "item_vec_",
        "remade",
        ("ref",),
        _names("embedding bits vectors"),
        _names(
            "id profile kind state expires_at distance k key value data partition00 validity rowids rowid"
        ),
        is_family=True,
    ),
    TableEntry("embedder", "no", ("no text",), plain=_names("name sha256 state recorded_at")),
    TableEntry(
        "trace",
        "records",
        ("row", "rewrite", "cascade"),
        _names("block items left_out"),
        _names("id profile conversation message answer sections usage head_sha256 recorded_at"),
    ),
    TableEntry(
        "journal",
        "records",
        ("no text",),
        plain=_names("id profile act kind ref versions actor conversation message recorded_at undone_by"),
    ),
    TableEntry(
        "job",
        "no",
        ("ref",),
        plain=_names("id kind profile payload state recorded_at changed_at"),
    ),
    TableEntry(
        "tombstone", "records", ("no text",), plain=_names("id profile kind hash message recorded_at")
    ),
    TableEntry("certificate", "records", ("no text",), plain=_names("id profile payload mac recorded_at")),
    TableEntry(
        "golden",
        "records",
        ("row", "rewrite"),
        _names("question"),
        _names("id profile expected recorded_at"),
    ),
)


def find_entry(table: str) -> TableEntry | None:
    """Find the entry of a table; an exact name goes before a family."""
    for entry in ENTRIES:
        if entry.name == table:
            return entry
    families = [entry for entry in ENTRIES if entry.is_family and table.startswith(entry.name)]
    return max(families, key=lambda entry: len(entry.name), default=None)


def exported_tables() -> tuple[str, ...]:
    """Return the tables whose rows an archive carries, in the order an import must write them."""
    return tuple(entry.name for entry in ENTRIES if entry.exported == "records")


def tables_with_words() -> dict[str, tuple[str, ...]]:
    """Return the columns that a search for leftover words has to read, by table."""
    return {entry.name: entry.words for entry in ENTRIES if entry.words and not entry.is_family}
