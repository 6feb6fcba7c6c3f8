"""Certificates of verified forgetting, kept for their owner; they hold no content."""

# ruff: noqa: S608 - only column lists are joined in

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.clock import to_text
from memory.errors import NotFound
from memory.store import rows
from memory.store.sql import canonical, first, insert, select
from memory.store.stored import Certificate

if TYPE_CHECKING:
    from sqlite_utils import Database

BY_ID = f"""
SELECT {rows.CERTIFICATE}
FROM certificate
WHERE id = :id AND profile = :profile
ORDER BY key
"""

LIST = f"""
SELECT {rows.CERTIFICATE}
FROM certificate
WHERE profile = :profile
ORDER BY recorded_at, key
"""


def signed_text(certificate: Certificate) -> str:
    """Return the text that a certificate's code authenticates: its payload in one form."""
    return canonical(certificate.payload)


def insert_certificate(db: Database, certificate: Certificate) -> None:
    """Keep a certificate."""
    row = {
        "id": certificate.id,
        "profile": certificate.profile,
        "payload": signed_text(certificate),
        "mac": certificate.mac,
        "recorded_at": to_text(certificate.recorded_at),
    }
    insert(db, "certificate", row)


def get_certificate(db: Database, profile: str, ident: str) -> Certificate:
    """Return a certificate by its whole id."""
    row = first(db, BY_ID, profile=profile, id=ident)
    if row is None:
        raise NotFound("certificate", ident)
    return rows.certificate(row)


def list_certificates(db: Database, profile: str) -> list[Certificate]:
    """List all certificates, oldest first."""
    return [rows.certificate(row) for row in select(db, LIST, profile=profile)]
