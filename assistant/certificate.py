"""A certificate of forgetting in words for people; what it says comes from its payload alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from assistant.times import minute

if TYPE_CHECKING:
    from memory.store.stored import Certificate

RENEW = "`locket vault backup` with `locket vault backups remove --all-but-newest` after it"
"""How the verbs do so."""


def certificate_lines(certificate: Certificate) -> list[str]:
    """Return a certificate as lines."""
    payload = certificate.payload
    checks = payload["checks"]
    what = ", ".join(f"{number} × {kind}" for kind, number in payload["what"].items())
    return [
        f"Certificate {certificate.id}",
        f"forgotten: {what}; left alone with the same words: {payload['left_alone']}",
        f"when: {minute(payload['forgotten_at'])}, proved {minute(payload['verified_at'])}",
        f"rows: {checks['rows']} ids gone; log {checks['log']}; search index {checks['index']}",
        f"vectors: {checks['vectors']['searched']} looked for, none left",
        f"pages: {_pages(checks['pages'])}",
        f"not reached: {'; '.join(payload['cannot_reach'])}",
    ]


def counted_backups(number: int) -> str:
    """Say how many backups."""
    return f"{number} backup" if number == 1 else f"{number} backups"


def backups_line(number: int, way: str) -> str:
    """Say that backups beside the store were made before, and the way to renew them."""
    return (
        f"{counted_backups(number)} beside the store may still hold it: {way} puts a new one in place of all."
    )


def _pages(pages: str | Mapping[str, Any]) -> str:
    if isinstance(pages, str):
        return pages
    words = (
        f"{pages['read']:,} decrypted and searched for {pages['texts']} wordings; "
        f"{pages['same_words_left_alone']} places belong to what stays, 0 unexplained"
    )
    if pages["not_searched"]:
        words += f"; {pages['not_searched']} wordings too short or too many to look for"
    return words
