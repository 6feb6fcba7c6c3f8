"""What came from what: the links that make forgetting, branches and "why" exact.

Both ends are the public ids of facts, messages, episodes, rules or candidates, never of items, which are made
anew. One surprise: a link may outlive its child when an act was undone; readers join with what exists.
"""

# ruff: noqa: S608 - only column lists are joined in

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memory.store import rows
from memory.store.sql import insert, listed, run, select, texts
from memory.store.stored import Derivation, DerivationRole

if TYPE_CHECKING:
    from sqlite_utils import Database

PARENTS = f"""
SELECT {rows.DERIVATION}
FROM derivation
WHERE child IN (SELECT value FROM json_each(:ids))
ORDER BY key
"""

CHILDREN = f"""
SELECT {rows.DERIVATION}
FROM derivation
WHERE parent IN (SELECT value FROM json_each(:ids))
ORDER BY key
"""

DESCENDANTS = """
WITH RECURSIVE below (id) AS (
    SELECT value FROM json_each(:ids)
    UNION
    SELECT derivation.child
    FROM below
    JOIN derivation ON derivation.parent = below.id
    WHERE derivation.role IN (SELECT value FROM json_each(:roles))
)
SELECT id
FROM below
WHERE id NOT IN (SELECT value FROM json_each(:ids))
ORDER BY id
"""

DELETE = """
DELETE FROM derivation
WHERE child IN (SELECT value FROM json_each(:ids))
    OR parent IN (SELECT value FROM json_each(:ids))
"""

MADE_OF: tuple[DerivationRole, ...] = ("source", "prompt", "consolidated", "accepted")
"""The roles in which a child holds content of its parent; a neighbour only lends keywords."""


def derive(db: Database, derivation: Derivation) -> bool:
    """Link a child to its parent; return whether the link is new."""
    row = {
        "child": derivation.child,
        "child_kind": derivation.child_kind,
        "parent": derivation.parent,
        "parent_kind": derivation.parent_kind,
        "role": derivation.role,
        "span_start": derivation.start,
        "span_end": derivation.end,
    }
    return insert(db, "derivation", row, unless_there=True)


def derive_answer(db: Database, answer: str, used: Iterable[tuple[str, str]]) -> None:
    """Link an answer to the kind and id of everything its prompt carried."""
    for kind, ident in used:
        derive(db, Derivation(answer, "answer", ident, kind, "prompt"))


def list_parents(db: Database, children: Iterable[str]) -> list[Derivation]:
    """List what these were made from."""
    return [rows.derivation(row) for row in select(db, PARENTS, ids=listed(children))]


def list_children(db: Database, parents: Iterable[str]) -> list[Derivation]:
    """List what was made directly from these."""
    return [rows.derivation(row) for row in select(db, CHILDREN, ids=listed(parents))]


def list_descendants(
    db: Database, parents: Iterable[str], roles: Iterable[DerivationRole] = MADE_OF
) -> list[str]:
    """List the ids of everything made from these, at any distance."""
    return texts(db, DESCENDANTS, ids=listed(parents), roles=listed(roles))


def delete_derivations(db: Database, idents: Iterable[str]) -> int:
    """Remove every link from or to these."""
    return run(db, DELETE, ids=listed(idents))
