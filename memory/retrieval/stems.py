"""What the full-text index makes of a word, asked of the same tokenizer.

Owns one private in-memory table that never holds anything but the word being asked about. Exists because which
words of a question an item matched decides how far its keyword score is believed.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any

import sqlcipher3

from memory.retrieval.grams import words

TOKENIZER = "porter unicode61 categories 'L* N* Co Mn Mc'"
"""The tokenizer of the ``item_fts`` table, word for word."""


class _Tokenizer:
    """A table with the index's tokenizer; one word goes in, its terms come out, nothing stays."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._connection: Any = sqlcipher3.connect(":memory:", check_same_thread=False)
        self._connection.execute(f'CREATE VIRTUAL TABLE asked USING fts5 (word, tokenize = "{TOKENIZER}")')
        self._connection.execute("CREATE VIRTUAL TABLE term USING fts5vocab (asked, 'instance')")

    def terms(self, text: str) -> tuple[str, ...]:
        """Return the index terms of a text in order."""
        with self._lock:
            self._connection.execute("INSERT INTO asked (rowid, word) VALUES (1, ?)", (text,))
            rows = self._connection.execute("SELECT term FROM term ORDER BY offset").fetchall()
            self._connection.execute("DELETE FROM asked")
        return tuple(str(row[0]) for row in rows)


@lru_cache(maxsize=1)
def _tokenizer() -> _Tokenizer:
    return _Tokenizer()


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the index term of one word; empty when the index would not keep it."""
    return next(iter(_tokenizer().terms(word)), "")


def split(text: str) -> list[str]:
    """Split a text into lower-case words as the index does."""
    return words(text.lower())


def stems(text: str) -> frozenset[str]:
    """Return the distinct index terms of a text."""
    return frozenset(map(stem, set(split(text))))
