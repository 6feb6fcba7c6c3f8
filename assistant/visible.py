"""Foreign words on their way to a terminal: what it would act on is made visible.

Owns which characters those are, and the one way a verb prints or asks. Knows nothing of JSON, which escapes by itself.
One surprise: every character maps to exactly one, so a stream may be cleaned chunk by chunk.
"""

from __future__ import annotations

import io
import re
import sys
from typing import Any

import click

_PICTURES = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\n\t\r"}
_REORDERING = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_HIDDEN = dict.fromkeys((*range(0x80, 0xA0), *_REORDERING), 0xFFFD)
_TABLE = {**_PICTURES, 0x0D: 0x20, 0x7F: 0x2421, **_HIDDEN}
"""Pictures for C0; a replacement mark for C1 and for marks that reorder the text after them."""

_LAST_BLANKS = re.compile(r"(?<=\[…\]) +(?=[.,;:!?)]|$)", re.MULTILINE)
_BLANKS = re.compile(r"(?<=\[…\]) {2,}")


def visible(text: str) -> str:
    """Replace what a terminal would act on by what a person can see."""
    return text.translate(_TABLE)


def close_gaps(text: str) -> str:
    """Draw together the blanks that keep a text's length where words of it were forgotten."""
    return _BLANKS.sub(" ", _LAST_BLANKS.sub("", text))


def echo(words: object = "", *, nl: bool = True, err: bool = False) -> None:
    """Print words for a person."""
    click.echo(visible(str(words)), nl=nl, err=err)


def agrees(question: str, *, abort: bool = False) -> bool:
    """Ask a person yes or no; with ``abort`` a no ends the verb."""
    return click.confirm(visible(question), abort=abort, err=True)


def ask(question: str, **how: Any) -> str:
    """Ask a person for a line; ``how`` is click's."""
    return str(click.prompt(visible(question), err=True, **how))


def say_misuse(error: click.UsageError) -> None:
    """Say what was used wrongly, which may quote an argument, and how it is used."""
    words = io.StringIO()
    error.show(words)
    echo(words.getvalue(), nl=False, err=True)


def hand_over(text: str) -> None:
    """Print a document or code: as it is into a file or a pipe, made visible on a terminal."""
    click.echo(visible(text) if sys.stdout.isatty() else text, nl=False)
