"""The schema is what it is meant to be, and no table or column of it escapes the registry."""

import pytest
from builders import DAY_ZERO, open_memory_store
from sqlite_utils import Database

from memory.retrieval.vectors import ensure_embedder
from memory.store.migrations import SCHEMA_VERSION, migrate, migrations
from memory.store.registry import ENTRIES, exported_tables, find_entry, tables_with_words
from memory.vault.identity import write_identity

TABLES = """
_sqlite_migrations attachment candidate certificate conversation derivation draft embedder episode fact golden
item item_fts item_vocab job journal message profile rule setting tombstone trace version working_state
"""
INDEXES = """
attachment_conversation candidate_pending conversation_recent conversation_source derivation_parent
embedder_one_active episode_conversation episode_recent fact_message fact_one_open fact_pinned fact_slot fact_value
idx__sqlite_migrations_migration_set_name item_ref item_to_embed job_pending journal_conversation
journal_recent journal_ref message_conversation message_parent message_source rule_one_current tombstone_hash tombstone_message
trace_answer trace_conversation trace_message version_ref
"""
TRIGGERS = "item_ad item_ai item_au"


class Identity:
    name = "letters"
    sha256 = "00" * 32
    dims = 8
    normalised = True


@pytest.fixture
def db() -> Database:
    """A store as complete as one in use: with the vault's own table and one embedder's vectors."""
    db = open_memory_store()
    write_identity(db, bytes(16))
    with db.atomic():
        ensure_embedder(db, Identity(), DAY_ZERO)
    return db


def names(db: Database, kind: str) -> set[str]:
    found = db.execute(
        "SELECT name FROM sqlite_master WHERE type = ? AND name NOT LIKE 'sqlite_auto%'", [kind]
    )
    return {row[0] for row in found.fetchall()}


def without_words_columns(db: Database, table: str) -> set[str]:
    """Columns that can hold only numbers are of no concern."""
    found = db.execute(f'PRAGMA table_xinfo("{table}")').fetchall()
    return {row[1] for row in found if row[2] not in ("INTEGER", "REAL")}


def test_a_fresh_store_has_these_tables_indexes_and_triggers() -> None:
    db = open_memory_store()
    shadow = ("item_fts_config", "item_fts_data", "item_fts_docsize", "item_fts_idx")
    assert names(db, "table") == {*TABLES.split(), *shadow}
    assert names(db, "index") == set(INDEXES.split())
    assert names(db, "trigger") == set(TRIGGERS.split())


def test_our_own_tables_are_strict_and_have_an_integer_key() -> None:
    db = open_memory_store()
    for table in set(TABLES.split()) - {"_sqlite_migrations", "item_fts", "item_vocab"}:
        sql = db.execute("SELECT sql FROM sqlite_master WHERE name = ?", [table]).fetchone()[0]
        assert sql.rstrip().endswith("STRICT"), table
        assert "key INTEGER PRIMARY KEY" in sql, table


def test_migrating_twice_changes_nothing() -> None:
    db = open_memory_store()
    before = db.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall()
    migrate(db)
    assert db.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall() == before
    assert len(migrations.applied(db)) == SCHEMA_VERSION


def test_every_table_is_in_the_registry(db: Database) -> None:
    missing = {table for table in names(db, "table") if find_entry(table) is None}
    assert missing == set()


def test_every_column_that_can_hold_text_is_in_the_registry(db: Database) -> None:
    for table in sorted(names(db, "table")):
        entry = find_entry(table)
        assert entry is not None
        unnamed = without_words_columns(db, table) - {*entry.words, *entry.plain}
        assert unnamed == set(), table


def test_the_registry_names_nothing_that_is_not_there(db: Database) -> None:
    tables = names(db, "table")
    for entry in ENTRIES:
        own = [table for table in tables if find_entry(table) is entry]
        assert own, entry.name
        columns = set().union(*(without_words_columns(db, table) for table in own))
        named = {*entry.words, *entry.plain} - {"rank", "doc", "cnt", "distance", "k"}
        assert named - columns == set(), entry.name


def test_a_table_with_words_says_how_they_leave(db: Database) -> None:
    for entry in ENTRIES:
        assert entry.forgotten
        assert bool(entry.words) != (entry.forgotten == ("no text",)) or entry.name in ("derivation", "job")
        assert not set(entry.words) & set(entry.plain)


def test_archived_tables_come_after_what_they_refer_to(db: Database) -> None:
    order = exported_tables()
    for table in order:
        for row in db.execute(f'PRAGMA foreign_key_list("{table}")').fetchall():
            assert order.index(row[2]) < order.index(table)


def test_leftover_words_are_looked_for_in_real_columns(db: Database) -> None:
    for table, columns in tables_with_words().items():
        db.execute(f"SELECT {', '.join(columns)} FROM {table} LIMIT 0").fetchall()
    assert "message" in tables_with_words()


def test_deleted_words_leave_the_full_text_index_at_once() -> None:
    db = open_memory_store()
    setting = db.execute("SELECT v FROM item_fts_config WHERE k = 'secure-delete'").fetchone()
    assert setting == (1,)
