"""What is true of each conversation now: one row, replaced as a whole."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from memory.clock import to_text
from memory.ports import NewId
from memory.records import WorkingState
from memory.store import rows
from memory.store.sql import first, run

if TYPE_CHECKING:
    from sqlite_utils import Database

GET = """
SELECT state
FROM working_state
WHERE conversation = :conversation AND profile = :profile
ORDER BY key
"""

PUT = """
INSERT INTO working_state (id, profile, conversation, state, message, recorded_at)
VALUES (:id, :profile, :conversation, :state, :message, :now)
ON CONFLICT (conversation) DO UPDATE
SET state = excluded.state, message = excluded.message, recorded_at = excluded.recorded_at
-- a conversation of another profile is not ours to change
WHERE working_state.profile = excluded.profile
"""


def get_working_state(db: Database, profile: str, conversation: str) -> WorkingState:
    """Return a conversation's working state, an empty one when none was kept."""
    row = first(db, GET, profile=profile, conversation=conversation)
    return WorkingState() if row is None else rows.working_state(row)


def put_working_state(
    db: Database,
    profile: str,
    conversation: str,
    state: WorkingState,
    *,
    message: str | None,
    now: datetime,
    new_id: NewId,
) -> None:
    """Replace a conversation's working state; ``message`` is the one that changed it."""
    run(
        db,
        PUT,
        id=new_id(),
        profile=profile,
        conversation=conversation,
        state=rows.working_state_text(state),
        message=message,
        now=to_text(now),
    )
