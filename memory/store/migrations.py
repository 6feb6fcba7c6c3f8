"""The schema: one append-only chain of migrations, from the first table on.

A released migration is never edited and imports nothing of ours. Every table has a local integer key; ids
that leave the store are text and sort by time. ``said_at``, ``valid_from``, ``valid_to`` are world time,
``recorded_at`` and ``superseded_at`` are our time; all are UTC in one ISO 8601 form, so text order is time
order. Vector tables are made at run time, one per embedder. More than 300 lines: it is one schema.
"""

from __future__ import annotations

from memory.vault import driver  # isort: skip - before sqlite_utils, which looks for it

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

driver.check_sqlite_utils()

SCHEMA_VERSION = 1
"""Raised with each migration; a store with a larger number was made by a newer version."""

migrations = Migrations("memory")

PROFILE_AND_CONVERSATION = """
CREATE TABLE setting (
    key INTEGER PRIMARY KEY,
    profile TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    UNIQUE (profile, name)
) STRICT;
CREATE TABLE profile (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL
) STRICT;
CREATE TABLE conversation (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    profile TEXT NOT NULL REFERENCES profile (id),
    title TEXT NOT NULL DEFAULT '',
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    leaf TEXT,
    remembering INTEGER NOT NULL DEFAULT 1 CHECK (remembering IN (0, 1)),
    archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
    origin TEXT NOT NULL DEFAULT 'user_said'
        CHECK (origin IN ('user_said', 'user_confirmed', 'inferred', 'imported', 'document')),
    source TEXT,
    head TEXT,
    episode_upto TEXT,
    window_from TEXT,
    earlier TEXT
) STRICT;
CREATE INDEX conversation_recent ON conversation (profile, updated_at);
CREATE UNIQUE INDEX conversation_source ON conversation (profile, source) WHERE source IS NOT NULL;
CREATE TABLE message (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    profile TEXT NOT NULL REFERENCES profile (id),
    conversation TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    parent TEXT,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system')),
    speaker TEXT NOT NULL DEFAULT '',
    text TEXT NOT NULL,
    masked TEXT,
    said_at TEXT NOT NULL,
    zone TEXT NOT NULL DEFAULT '+00:00',
    origin TEXT NOT NULL DEFAULT 'user_said'
        CHECK (origin IN ('user_said', 'user_confirmed', 'inferred', 'imported', 'document')),
    pasted TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(pasted)),
    stop_reason TEXT,
    model TEXT,
    distilled_at TEXT,
    redacted_at TEXT,
    source TEXT
) STRICT;
CREATE INDEX message_conversation ON message (conversation, key);
CREATE INDEX message_parent ON message (parent);
CREATE UNIQUE INDEX message_source ON message (profile, conversation, source) WHERE source IS NOT NULL;
CREATE TABLE attachment (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    profile TEXT NOT NULL REFERENCES profile (id),
    conversation TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    message TEXT,
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    text TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    origin TEXT NOT NULL DEFAULT 'document',
    recorded_at TEXT NOT NULL
) STRICT;
CREATE INDEX attachment_conversation ON attachment (conversation);
CREATE TABLE draft (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    profile TEXT NOT NULL REFERENCES profile (id),
    conversation TEXT,
    kind TEXT NOT NULL CHECK (kind IN ('unsent', 'queued', 'history')),
    text TEXT NOT NULL,
    recorded_at TEXT NOT NULL
) STRICT;
CREATE TABLE working_state (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    profile TEXT NOT NULL REFERENCES profile (id),
    conversation TEXT NOT NULL UNIQUE REFERENCES conversation (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (json_valid(state)),
    message TEXT,
    recorded_at TEXT NOT NULL
) STRICT;
"""

MEMORIES = """
CREATE TABLE episode (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    profile TEXT NOT NULL REFERENCES profile (id),
    conversation TEXT NOT NULL,
    first_message TEXT NOT NULL,
    last_message TEXT NOT NULL,
    title TEXT NOT NULL,
    goal TEXT NOT NULL DEFAULT '',
    summary TEXT NOT NULL,
    worded INTEGER NOT NULL DEFAULT 0 CHECK (worded IN (0, 1)),
    detail TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(detail)),
    started_at TEXT NOT NULL,
    ended_at TEXT NOT NULL,
    recorded_at TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'stale', 'archived', 'set_aside')),
    recalled INTEGER NOT NULL DEFAULT 0,
    recalled_at TEXT,
    origin TEXT NOT NULL DEFAULT 'user_said'
) STRICT;
CREATE INDEX episode_recent ON episode (profile, ended_at);
CREATE INDEX episode_conversation ON episode (conversation);
CREATE TABLE fact (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    profile TEXT NOT NULL REFERENCES profile (id),
    subject TEXT NOT NULL,
    attribute TEXT NOT NULL,
    value TEXT NOT NULL,
    value_norm TEXT NOT NULL,
    text TEXT NOT NULL,
    language TEXT NOT NULL DEFAULT 'en',
    kind TEXT NOT NULL CHECK (kind IN ('fact', 'preference', 'constraint', 'plan', 'event', 'decision',
        'opinion', 'commitment')),
    cardinality TEXT NOT NULL CHECK (cardinality IN ('single', 'multi')),
    stability TEXT NOT NULL CHECK (stability IN ('stable', 'slow', 'volatile')),
    origin TEXT NOT NULL
        CHECK (origin IN ('user_said', 'user_confirmed', 'inferred', 'imported', 'document')),
    message TEXT,
    span_start INTEGER,
    span_end INTEGER,
    quote TEXT NOT NULL DEFAULT '',
    said_at TEXT,
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    importance REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
    valid_from TEXT,
    valid_to TEXT,
    recorded_at TEXT NOT NULL,
    superseded_at TEXT,
    superseded_by TEXT,
    expires_at TEXT,
    confirmed_at TEXT,
    state TEXT NOT NULL DEFAULT 'active'
        CHECK (state IN ('active', 'superseded', 'expired', 'archived', 'set_aside')),
    pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    recalled INTEGER NOT NULL DEFAULT 0,
    recalled_at TEXT,
    source TEXT,
    CHECK (state <> 'superseded' OR superseded_at IS NOT NULL)
) STRICT;
-- the law of single-valued attributes, held by the store itself
CREATE UNIQUE INDEX fact_one_open ON fact (profile, subject, attribute)
    WHERE cardinality = 'single' AND state = 'active';
CREATE INDEX fact_slot ON fact (profile, subject, attribute, state);
CREATE INDEX fact_value ON fact (profile, subject, attribute, value_norm);
CREATE INDEX fact_message ON fact (message);
CREATE INDEX fact_pinned ON fact (profile) WHERE pinned = 1;
CREATE TABLE rule (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    profile TEXT NOT NULL,
    text TEXT NOT NULL,
    lineage TEXT NOT NULL,
    version INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'replaced', 'retired')),
    origin TEXT NOT NULL DEFAULT 'user_confirmed',
    message TEXT,
    recorded_at TEXT NOT NULL,
    UNIQUE (lineage, version)
) STRICT;
CREATE UNIQUE INDEX rule_one_current ON rule (lineage) WHERE state = 'active';
CREATE TABLE candidate (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    profile TEXT NOT NULL REFERENCES profile (id),
    conversation TEXT,
    message TEXT,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    payload TEXT NOT NULL CHECK (json_valid(payload)),
    reason TEXT NOT NULL,
    origin TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'pending'
        CHECK (state IN ('pending', 'accepted', 'rejected', 'rejected_always', 'set_aside')),
    result TEXT,
    recorded_at TEXT NOT NULL,
    decided_at TEXT
) STRICT;
CREATE INDEX candidate_pending ON candidate (profile, state);
CREATE TABLE derivation (
    key INTEGER PRIMARY KEY,
    child TEXT NOT NULL,
    child_kind TEXT NOT NULL,
    parent TEXT NOT NULL,
    parent_kind TEXT NOT NULL,
    role TEXT NOT NULL
        CHECK (role IN ('source', 'context', 'prompt', 'replaces', 'consolidated', 'accepted')),
    span_start INTEGER,
    span_end INTEGER,
    UNIQUE (child, parent, role)
) STRICT;
CREATE INDEX derivation_parent ON derivation (parent);
CREATE TABLE version (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    profile TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('fact', 'rule', 'episode', 'message', 'candidate', 'working_state')),
    ref TEXT NOT NULL,
    before TEXT CHECK (before IS NULL OR json_valid(before)),
    after TEXT CHECK (after IS NULL OR json_valid(after)),
    recorded_at TEXT NOT NULL
) STRICT;
CREATE INDEX version_ref ON version (ref);
"""

SEARCH = """
CREATE TABLE item (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('message', 'answer', 'fact', 'episode', 'attachment')),
    ref TEXT NOT NULL,
    part INTEGER NOT NULL DEFAULT 0,
    profile TEXT NOT NULL REFERENCES profile (id),
    conversation TEXT,
    text TEXT NOT NULL,
    context TEXT NOT NULL DEFAULT '',
    grams TEXT NOT NULL DEFAULT '',
    subject TEXT NOT NULL DEFAULT '',
    language TEXT NOT NULL DEFAULT '',
    origin TEXT NOT NULL DEFAULT 'user_said',
    importance REAL NOT NULL DEFAULT 0.5,
    state TEXT NOT NULL DEFAULT 'active'
        CHECK (state IN ('active', 'outdated', 'archived', 'review', 'set_aside')),
    recallable INTEGER NOT NULL DEFAULT 1 CHECK (recallable IN (0, 1)),
    said_at TEXT,
    expires_at INTEGER NOT NULL DEFAULT 253402300799,
    embedded_by INTEGER,
    UNIQUE (kind, ref, part)
) STRICT;
CREATE INDEX item_ref ON item (ref);
CREATE INDEX item_to_embed ON item (profile, embedded_by);
CREATE VIRTUAL TABLE item_fts USING fts5 (
    text, context, grams,
    content = 'item', content_rowid = 'key',
    tokenize = "porter unicode61 categories 'L* N* Co Mn Mc'"
);
CREATE TRIGGER item_ai AFTER INSERT ON item BEGIN
    INSERT INTO item_fts (rowid, text, context, grams)
    VALUES (new.key, new.text, new.context, new.grams);
END;
CREATE TRIGGER item_ad AFTER DELETE ON item BEGIN
    INSERT INTO item_fts (item_fts, rowid, text, context, grams)
    VALUES ('delete', old.key, old.text, old.context, old.grams);
END;
CREATE TRIGGER item_au AFTER UPDATE OF text, context, grams ON item BEGIN
    INSERT INTO item_fts (item_fts, rowid, text, context, grams)
    VALUES ('delete', old.key, old.text, old.context, old.grams);
    INSERT INTO item_fts (rowid, text, context, grams)
    VALUES (new.key, new.text, new.context, new.grams);
END;
CREATE VIRTUAL TABLE item_vocab USING fts5vocab (item_fts, 'row');
CREATE TABLE embedder (
    key INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    dims INTEGER NOT NULL CHECK (dims > 0),
    normalised INTEGER NOT NULL CHECK (normalised IN (0, 1)),
    state TEXT NOT NULL CHECK (state IN ('active', 'filling', 'kept')),
    background_mean REAL,
    background_sd REAL,
    background_items INTEGER NOT NULL DEFAULT 0,
    recorded_at TEXT NOT NULL,
    UNIQUE (sha256, dims, normalised)
) STRICT;
CREATE UNIQUE INDEX embedder_one_active ON embedder (state) WHERE state = 'active';
"""

RECORDS = """
CREATE TABLE trace (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    profile TEXT NOT NULL REFERENCES profile (id),
    conversation TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    message TEXT NOT NULL,
    answer TEXT,
    block TEXT NOT NULL,
    items TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(items)),
    left_out TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(left_out)),
    sections TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(sections)),
    usage TEXT CHECK (usage IS NULL OR json_valid(usage)),
    head_sha256 TEXT,
    recorded_at TEXT NOT NULL
) STRICT;
CREATE INDEX trace_message ON trace (message);
CREATE INDEX trace_answer ON trace (answer);
CREATE INDEX trace_conversation ON trace (conversation);
CREATE TABLE journal (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    profile TEXT NOT NULL,
    act TEXT NOT NULL,
    kind TEXT NOT NULL,
    ref TEXT NOT NULL,
    versions TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(versions)),
    actor TEXT NOT NULL CHECK (actor IN ('auto', 'user', 'import')),
    conversation TEXT,
    message TEXT,
    recorded_at TEXT NOT NULL,
    undone_by TEXT
) STRICT;
CREATE INDEX journal_ref ON journal (ref);
CREATE INDEX journal_recent ON journal (profile, recorded_at);
CREATE INDEX journal_conversation ON journal (conversation);
CREATE TABLE job (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    profile TEXT NOT NULL,
    payload TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(payload)),
    state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'running', 'done', 'failed')),
    attempts INTEGER NOT NULL DEFAULT 0,
    recorded_at TEXT NOT NULL,
    changed_at TEXT NOT NULL
) STRICT;
CREATE INDEX job_pending ON job (state, key);
CREATE TABLE tombstone (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    profile TEXT NOT NULL,
    kind TEXT NOT NULL,
    hash TEXT NOT NULL,
    message TEXT,
    span_start INTEGER,
    span_end INTEGER,
    recorded_at TEXT NOT NULL
) STRICT;
CREATE INDEX tombstone_hash ON tombstone (profile, hash);
CREATE INDEX tombstone_message ON tombstone (message);
CREATE TABLE certificate (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    profile TEXT NOT NULL,
    payload TEXT NOT NULL CHECK (json_valid(payload)),
    mac TEXT NOT NULL,
    recorded_at TEXT NOT NULL
) STRICT;
CREATE TABLE golden (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    profile TEXT NOT NULL REFERENCES profile (id),
    question TEXT NOT NULL,
    expected TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(expected)),
    should INTEGER NOT NULL CHECK (should IN (0, 1)),
    recorded_at TEXT NOT NULL
) STRICT;
"""


def _run_script(db: Database, script: str) -> None:
    """Execute statement by statement: ``executescript`` would commit the migration's transaction."""
    statement = ""
    for line in script.splitlines():
        statement += line + "\n"
        inside_trigger = "CREATE TRIGGER" in statement and not statement.rstrip().endswith("END;")
        if line.rstrip().endswith(";") and not inside_trigger:
            db.execute(statement)
            statement = ""


@migrations()
def m0001_create_everything(db: Database) -> None:
    """Create every table of memory."""
    for script in (PROFILE_AND_CONVERSATION, MEMORIES, SEARCH, RECORDS):
        _run_script(db, script)
    # a deleted row's words leave the index at once, not at the next merge
    db.execute("INSERT INTO item_fts (item_fts, rank) VALUES ('secure-delete', 1)")
    db.execute(
        "INSERT INTO profile (id, name, created_at) VALUES ('default', 'default', :now)",
        {"now": "1970-01-01T00:00:00.000000Z"},
    )


def migrate(db: Database) -> None:
    """Bring a store to the present schema; each step commits together with its own record."""
    migrations.apply(db)
