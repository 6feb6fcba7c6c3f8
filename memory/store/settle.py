"""Keeps old values from coming back through the words they were said in.

After facts changed, the messages and answers that said them are put where they belong: out of recall when
all they say is no longer current, back in when it is again. Works from the present rows alone, so doing it
twice changes nothing and undoing an act undoes this too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from memory.records import ItemState
from memory.store.items import set_state
from memory.store.mentions import folded, folded_mentions
from memory.store.sql import Row, listed, select, texts

if TYPE_CHECKING:
    from sqlite_utils import Database

SOURCES = """
SELECT DISTINCT parent
FROM derivation
WHERE role = 'source' AND child IN (SELECT value FROM json_each(:facts))
ORDER BY parent
"""

MESSAGES = """
SELECT
    message.id AS id,
    coalesce(sum(fact.state = 'active'), 0) AS current,
    coalesce(sum(fact.state IN ('superseded', 'expired', 'archived')), 0) AS closed
FROM message
LEFT JOIN derivation ON derivation.parent = message.id AND derivation.role = 'source'
LEFT JOIN fact ON fact.id = derivation.child AND +fact.profile = message.profile
WHERE message.profile = :profile AND message.id IN (SELECT value FROM json_each(:messages))
GROUP BY message.id
ORDER BY message.id
"""

# what was said after a source in its conversation may repeat it without having had it as a memory
ANSWERS = """
SELECT answer.id AS id, answer.text AS text
FROM derivation
JOIN message AS answer ON answer.id = derivation.child AND answer.role = 'assistant'
WHERE derivation.role = 'prompt'
    AND derivation.parent IN (SELECT value FROM json_each(:facts))
    AND answer.profile = :profile
UNION
SELECT answer.id, answer.text
FROM message AS source
JOIN message AS answer ON answer.conversation = source.conversation AND answer.role = 'assistant'
WHERE source.id IN (SELECT value FROM json_each(:messages))
    AND source.profile = :profile
    AND answer.said_at >= source.said_at
ORDER BY id
"""

KNOWN_TO = """
SELECT fact.id AS id, fact.value AS value, fact.state AS state, successor.value AS successor
FROM derivation
JOIN fact ON fact.id = derivation.parent AND +fact.profile = :profile
LEFT JOIN fact AS successor ON successor.id = fact.superseded_by
WHERE derivation.child = :answer AND derivation.role = 'prompt'
UNION
SELECT fact.id, fact.value, fact.state, successor.value
FROM message AS answer
JOIN message AS source ON source.conversation = answer.conversation AND source.said_at <= answer.said_at
JOIN derivation ON derivation.parent = source.id AND derivation.role = 'source'
JOIN fact ON fact.id = derivation.child AND +fact.profile = :profile
LEFT JOIN fact AS successor ON successor.id = fact.superseded_by
WHERE answer.id = :answer
ORDER BY id
"""

# an episode tells its messages again, and what its answers had in their prompts
EPISODE_KNOWS = """
SELECT fact.id AS id, fact.value AS value, fact.state AS state, successor.value AS successor
FROM derivation AS told
JOIN derivation AS said ON said.parent = told.parent AND said.role = 'source'
JOIN fact ON fact.id = said.child AND +fact.profile = :profile
LEFT JOIN fact AS successor ON successor.id = fact.superseded_by
WHERE told.child = :episode AND told.role = 'source'
UNION
SELECT fact.id, fact.value, fact.state, successor.value
FROM derivation AS told
JOIN derivation AS used ON used.child = told.parent AND used.role = 'prompt'
JOIN fact ON fact.id = used.parent AND +fact.profile = :profile
LEFT JOIN fact AS successor ON successor.id = fact.superseded_by
WHERE told.child = :episode AND told.role = 'source'
ORDER BY id
"""

EPISODES_OF_FACTS = """
SELECT DISTINCT told.child AS id
FROM derivation AS said
JOIN derivation AS told ON told.parent = said.parent AND told.role = 'source' AND told.child_kind = 'episode'
WHERE said.role = 'source' AND said.child IN (SELECT value FROM json_each(:facts))
UNION
SELECT told.child
FROM derivation AS used
JOIN derivation AS told ON told.parent = used.child AND told.role = 'source' AND told.child_kind = 'episode'
WHERE used.role = 'prompt' AND used.parent IN (SELECT value FROM json_each(:facts))
ORDER BY id
"""

EPISODE_WORDS = """
SELECT title || char(10) || goal || char(10) || summary || char(10) || detail AS words
FROM episode
WHERE +profile = :profile AND id = :episode AND state = 'active'
ORDER BY key
"""

MOVABLE = """
SELECT DISTINCT ref
FROM item
WHERE ref IN (SELECT value FROM json_each(:refs)) AND state IN ('active', 'outdated')
ORDER BY ref
"""

TEXT_OF = """
SELECT text
FROM message
WHERE profile = :profile AND id = :id
ORDER BY key
"""

VALUES = """
SELECT value
FROM fact
WHERE +profile = :profile AND id IN (SELECT value FROM json_each(:facts))
ORDER BY key
"""

LATER = """
WITH RECURSIVE chain (message, fact, successor, depth) AS (
    SELECT derivation.parent, fact.id, fact.superseded_by, 0
    FROM derivation
    JOIN fact ON fact.id = derivation.child AND +fact.profile = :profile
    WHERE derivation.role = 'source'
        AND derivation.parent IN (SELECT value FROM json_each(:messages))
        AND fact.state = 'superseded'
    UNION ALL
    SELECT chain.message, fact.id, fact.superseded_by, chain.depth + 1
    FROM chain
    JOIN fact ON fact.id = chain.successor AND +fact.profile = :profile
    WHERE chain.depth < 1000
)
SELECT DISTINCT chain.message AS message, fact.value AS value, fact.key
FROM chain
JOIN fact ON fact.id = chain.fact
WHERE fact.state = 'active'
    -- a message that itself says the present value needs no note
    AND NOT EXISTS (
        SELECT 1
        FROM derivation
        WHERE derivation.child = fact.id AND derivation.parent = chain.message AND derivation.role = 'source'
    )
ORDER BY chain.message, fact.key
"""

GONE_VALUES = frozenset({"superseded", "expired", "archived"})


def settle(db: Database, profile: str, facts: Iterable[str], gone: Sequence[str] = ()) -> None:
    """Put the words that said these facts in or out of recall; ``gone`` are values of deleted facts."""
    ids = listed(facts)
    messages = texts(db, SOURCES, facts=ids)
    _settle_messages(db, profile, messages)
    settle_episodes(db, profile, texts(db, EPISODES_OF_FACTS, facts=ids))
    values = [*texts(db, VALUES, profile=profile, facts=ids), *gone]
    _settle_answers(db, profile, ids, messages, [folded(value) for value in values if value])


def settle_episodes(db: Database, profile: str, episodes: Iterable[str]) -> None:
    """Keep episodes that tell a closed value out of prompts; bring them back when it is true again."""
    out: list[str] = []
    back: list[str] = []
    for episode in episodes:
        for words in texts(db, EPISODE_WORDS, profile=profile, episode=episode):
            known = select(db, EPISODE_KNOWS, profile=profile, episode=episode)
            (out if _says_what_is_gone(known, folded(words)) else back).append(episode)
    _move(db, out, ItemState.OUTDATED)
    _move(db, back, ItemState.ACTIVE)


def settle_answer(db: Database, profile: str, answer: str) -> None:
    """Keep a fresh answer out of recall when it repeats what was known to be over; called once it is linked."""
    for message in select(db, TEXT_OF, profile=profile, id=answer):
        if _repeats_what_is_gone(db, profile, answer, folded(message["text"])):
            _move(db, [answer], ItemState.OUTDATED)


def later_notes(db: Database, profile: str, messages: Iterable[str]) -> dict[str, str]:
    """Return, for messages that say something outdated, the words that tell the present value."""
    values: dict[str, list[str]] = {}
    for row in select(db, LATER, profile=profile, messages=listed(messages)):
        values.setdefault(row["message"], []).append(row["value"])
    return {message: f"later: {'; '.join(said)}" for message, said in values.items()}


def _settle_messages(db: Database, profile: str, messages: list[str]) -> None:
    counts = select(db, MESSAGES, profile=profile, messages=listed(messages))
    out = [row["id"] for row in counts if row["closed"] and not row["current"]]
    back = [row["id"] for row in counts if row["current"] or not row["closed"]]
    _move(db, out, ItemState.OUTDATED)
    _move(db, back, ItemState.ACTIVE)


def _settle_answers(db: Database, profile: str, facts: str, messages: list[str], values: list[str]) -> None:
    out: list[str] = []
    back: list[str] = []
    for answer in select(db, ANSWERS, profile=profile, facts=facts, messages=listed(messages)):
        text = folded(answer["text"])
        if any(folded_mentions(text, value) for value in values):
            stale = _repeats_what_is_gone(db, profile, answer["id"], text)
            (out if stale else back).append(answer["id"])
    _move(db, out, ItemState.OUTDATED)
    _move(db, back, ItemState.ACTIVE)


def _repeats_what_is_gone(db: Database, profile: str, answer: str, text: str) -> bool:
    """Tell whether an answer says a closed value without the one that took its place."""
    return _says_what_is_gone(select(db, KNOWN_TO, profile=profile, answer=answer), text)


def _says_what_is_gone(known: Sequence[Row], text: str) -> bool:
    current = {folded(row["value"]) for row in known if row["state"] == "active"}
    for row in known:
        value = folded(row["value"])
        if row["state"] not in GONE_VALUES or value in current or not folded_mentions(text, value):
            continue
        successor = row["successor"]
        if successor is None or not folded_mentions(text, folded(successor)):
            return True
    return False


def _move(db: Database, refs: list[str], state: ItemState) -> None:
    """Move items between recall and history; archived ones and those set aside stay where they are."""
    set_state(db, texts(db, MOVABLE, refs=listed(refs)), state)
