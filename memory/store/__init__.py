"""The encrypted tables: one file per family of rows, and no commit anywhere in here."""

import memory.vault.driver  # noqa: F401 - before any of these files imports sqlite_utils
