"""Errors of the store, apart from the vault's own.

StoreError (never raised itself)
├── NotFound            the id names nothing in this profile
│   └── NoReceipt       no finished answer has a receipt of that name
├── AmbiguousId         a shortened id names several things
├── BadInput            the caller's text or id cannot be taken as it is
├── EmbedderMismatch    vectors of another model or size
├── CannotUndo          the change was undone, forgotten or built upon
└── BudgetImpossible    the fixed parts alone exceed the window
"""

from __future__ import annotations


class StoreError(Exception):
    """Root of the store's errors; never raised itself."""


class NotFound(StoreError):  # noqa: N818 - an absence, and the word people read
    """The id names nothing in this profile."""

    def __init__(self, what: str, ident: str) -> None:
        super().__init__(f"there is no {what} {ident!r} here")
        self.what = what
        self.ident = ident


class NoReceipt(NotFound):
    """No finished answer with a receipt is what was named."""

    def __init__(self, ident: str) -> None:
        super().__init__("receipt for", ident)


class AmbiguousId(StoreError):  # noqa: N818 - as above
    """A shortened id names several things."""

    def __init__(self, ident: str, matches: int) -> None:
        super().__init__(f"{ident!r} is the start of {matches} ids; give more of it")
        self.ident = ident
        self.matches = matches


class BadInput(StoreError, ValueError):  # noqa: N818 - as above
    """The caller's text or id cannot be taken as it is."""


class EmbedderMismatch(StoreError):  # noqa: N818 - as above
    """The vectors are of another model or size than this table's."""


class CannotUndo(StoreError):  # noqa: N818 - as above
    """The change was undone before, forgotten, or built upon since."""


class BudgetImpossible(StoreError):  # noqa: N818 - as above
    """The fixed parts of the prompt alone exceed the window."""
