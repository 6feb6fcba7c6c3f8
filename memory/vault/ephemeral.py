"""A store that exists in memory only: for what must leave no trace, and for trying things out.

Same driver, same guards, a random key that nobody keeps. Closing it is forgetting it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memory.vault.connection import connect_in_memory
from memory.vault.migration import Migrate

if TYPE_CHECKING:
    from sqlite_utils import Database


def open_ephemeral(migrate: Migrate) -> Database:
    """Make an empty store in memory, at the newest schema."""
    database = connect_in_memory(os.urandom(32))
    migrate(database)
    return database
