"""The proof after a forget: log emptied, ids gone, index and vectors in step, pages searched; then a certificate.

Owns what counts as proof. One surprise: a reader that is in the middle of something keeps the log from being
emptied, quietly; then there is no certificate yet, and the job stays for an idle moment.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from memory.clock import to_text
from memory.core import Core
from memory.forgetting.applying import JOB, Applied
from memory.forgetting.searching import PageCheck, search_pages
from memory.forgetting.vectors import VectorCheck, check, marks_from
from memory.forgetting.wording import Wordings
from memory.records import Job
from memory.store import certificates, jobs, leftovers, purge
from memory.store.stored import Certificate
from memory.vault.crashpoints import point
from memory.vault.driver_errors import store_errors
from memory.vault.errors import StoreDamaged

if TYPE_CHECKING:
    from memory.vault.vault import Vault

CANNOT_REACH: Final = (
    "exports made before",
    "backups made before: make new ones and remove these",
    "copies on other devices",
    "blocks that the disk itself keeps; they are encrypted",
)
MAKER_DIGITS: Final = 16
UNKNOWN_WORDS = "not searched: it was interrupted, and the words were gone already"
BUSY = "Forgotten. The proof waits: something else is reading the store. Locket tries again when idle."
NOT_PROVED = "Forgotten, but the proof failed: {what}. Locket tries again when idle."


class Seal(StrEnum):
    """What the code of a certificate tells; only this store and profile can check their own."""

    FITS = "fits"
    BROKEN = "broken"
    """It says that it was made here, and the code does not fit."""
    ELSEWHERE = "elsewhere"
    """It says that another store or profile made it."""
    UNKNOWN = "unknown"
    """It does not fit, and the certificate is too old to say who made it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a forget: a certificate, or the words that say why there is none yet."""

    certificate: Certificate | None
    retry: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)


def finish(core: Core, job: Job, applied: Applied | None) -> Outcome:
    """Prove one forget and keep its certificate; ``applied`` is None when a crash took the words."""
    counts: Mapping[str, int] = job.payload["counts"]
    vault = core.vault
    if vault is None or not vault.checkpoint_truncate():
        return Outcome(None, BUSY, counts)
    point("forget.truncated")
    vectors = check(core.db, marks_from(job.payload["vectors"]))
    wrong = _wrong(core, job, vectors)
    pages = None if wrong or applied is None else _search(core, job, applied)
    if pages is not None and pages.unexplained:
        wrong = f"{pages.unexplained} places in the store's pages still hold the words"
    if pages is not None and pages.damaged:
        wrong = f"{pages.damaged} pages cannot be read"
    point("forget.verified")
    if wrong:
        return Outcome(None, NOT_PROVED.format(what=wrong), counts)
    certificate = _certificate(core, job, vectors, pages)
    with core.atomic():
        certificates.insert_certificate(core.db, certificate)
        purge.remove_job(core.db, job.id)
    point("forget.certified")
    vault.checkpoint_truncate()
    return Outcome(certificate, "", counts)


def _wrong(core: Core, job: Job, vectors: VectorCheck) -> str:
    """Say what is still there; nothing when all is gone."""
    if left := leftovers.count_still_there(core.db, job.payload["removed"]):
        return f"{left} rows are still there"
    if vectors.left or vectors.strays:
        return f"{vectors.left + vectors.strays} vectors are still there"
    try:
        with store_errors():
            leftovers.check_index(core.db)
    except StoreDamaged:
        return "the search index does not agree with what is left"
    return ""


def _search(core: Core, job: Job, applied: Applied) -> PageCheck:
    assert core.vault is not None
    with core.vault.pages() as reader:
        return search_pages(
            core.db,
            reader,
            applied.words,
            Wordings(applied.said),
            profile=core.profile,
            left=applied.left,
            newer_than=job.id,
        )


def _certificate(core: Core, job: Job, vectors: VectorCheck, pages: PageCheck | None) -> Certificate:
    now = core.now()
    payload: dict[str, Any] = {
        "what": dict(sorted(job.payload["counts"].items())),
        "left_alone": job.payload["left"],
        "forgotten_at": job.payload["at"],
        "verified_at": to_text(now),
        "checks": {
            "rows": len(job.payload["removed"]),
            "log": "emptied",
            "index": "agrees with what is left",
            "vectors": {"searched": vectors.searched, "found": 0, "shared": vectors.shared},
            "pages": UNKNOWN_WORDS
            if pages is None
            else {
                "read": pages.pages,
                "texts": pages.searched,
                "not_searched": pages.skipped,
                "same_words_left_alone": pages.hits,
                "unexplained": 0,
            },
        },
        "cannot_reach": list(CANNOT_REACH),
        "made_by": maker(_vault(core), core.profile),
    }
    unsigned = Certificate(core.new_id(), core.profile, payload, "", now)
    return Certificate(unsigned.id, core.profile, payload, seal(_vault(core), unsigned), now)


def seal(vault: Vault, certificate: Certificate) -> str:
    """Return the code that only this vault can make for a certificate."""
    signed = f"{certificate.id}\n{certificate.profile}\n{certificates.signed_text(certificate)}"
    return _code(vault, signed)


def maker(vault: Vault, profile: str) -> str:
    """Return the name of this store and profile as a certificate's maker; it tells nothing else about them."""
    return _code(vault, f"maker\n{profile}")[:MAKER_DIGITS]


def list_sealed(vault: Vault, profile: str) -> list[tuple[Certificate, Seal]]:
    """List the certificates of earlier forgets, and what the seal of each tells; needs no writer."""
    found = certificates.list_certificates(vault.db, profile)
    return [(certificate, check_seal(vault, profile, certificate)) for certificate in found]


def check_seal(vault: Vault, profile: str, certificate: Certificate) -> Seal:
    """Tell whether a certificate was made here and says what it said then; one made elsewhere cannot be checked."""
    if hmac.compare_digest(seal(vault, certificate), certificate.mac):
        return Seal.FITS
    named = certificate.payload.get("made_by")
    if named is None:
        return Seal.UNKNOWN
    return Seal.BROKEN if named == maker(vault, profile) else Seal.ELSEWHERE


def _vault(core: Core) -> Vault:
    if core.vault is None:
        raise ValueError("a certificate needs the vault's key")
    return core.vault


def _code(vault: Vault, signed: str) -> str:
    return hmac.new(vault.key("certificates"), signed.encode(), hashlib.sha256).hexdigest()


def waiting(core: Core) -> list[Job]:
    """List the forgets whose proof is still to come."""
    return [
        job
        for job in jobs.list_jobs(core.db)
        if job.kind == JOB and job.profile == core.profile and job.state in ("pending", "running")
    ]
