"""What chance similarity looks like: a store's items against sentences that have nothing to do with its owner.

Owns those sentences and the measurement. One surprise: pairs of the owner's own items would not do, because a
person's sentences share a life; in a store about one hobby everything would seem to be chance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.ports import Embedder
from memory.retrieval.embedders import EmbedderRow, embedder_row, set_background
from memory.retrieval.floats import normalised

if TYPE_CHECKING:
    from sqlite_utils import Database

UNRELATED = (
    "Which river flows through Vienna?",
    "Explain how a diesel engine differs from a petrol engine.",
    "List the noble gases in order of atomic number.",
    "How is the area of a trapezium calculated?",
    "Write a shell command that counts the lines of a file.",
    "What does the word ephemeral mean?",
    "Who composed the Brandenburg concertos?",
    "Why is the sky blue?",
    "Describe the structure of a cell membrane.",
    "How many stanzas does a sonnet have?",
    "Convert twelve stone to kilograms.",
    "What is the difference between a list and a tuple in Python?",
    "When was the printing press invented?",
    "What is the currency of Denmark?",
    "Give three synonyms for abundant.",
    "How do glaciers form?",
    "Wie hoch ist der Mont Blanc?",
    "Erkläre den Unterschied zwischen Masse und Gewicht.",
    "¿Cuál es la capital de Mongolia?",
    "Quelle est la formule chimique de l'ammoniac ?",
    "Сколько спутников у Марса?",
    "प्रकाश संश्लेषण क्या है?",
    "地球到太阳的距离是多少？",
    "三角形の内角の和は何度ですか。",
)
"""Questions about the world, of which none is about anybody."""

SAMPLE = 256
"""Items drawn for one measurement."""

ENOUGH = 24
"""Items below which the sentences are measured against each other instead."""

GROWTH = 2
"""The measurement is repeated when the store has grown by this factor."""

LEAST_DEVIATION = 0.02


def calibrate(db: Database, row: EmbedderRow, embedder: Embedder, *, anew: bool = False) -> EmbedderRow:
    """Measure mean and deviation of chance similarity, unless that was done at about this size."""
    table = f"item_vec_{row.key:d}_rowids"
    items = int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608 - made of an integer
    measured = row.background_items
    if not anew and measured and items < GROWTH * max(measured, ENOUGH):
        return row
    unrelated = [normalised(vector) for vector in embedder.embed(UNRELATED)]
    values: dict[str, object] = {f"v{number}": vector for number, vector in enumerate(unrelated)}
    if items >= ENOUGH:
        values |= {"step": max(1, items // SAMPLE), "sample": SAMPLE}
        sql = _against_items_sql(row.key)
    else:
        sql = _ROWS_SQL + _AGAINST_EACH_OTHER
    mean, square = db.execute(sql, values).fetchone()
    if mean is not None:
        deviation = max(LEAST_DEVIATION, max(0.0, square - mean * mean) ** 0.5)
        set_background(db, row.key, mean, deviation, max(items, 1))
    return embedder_row(db, row.key)


_ROWS_SQL = f"""
WITH unrelated (nth, vector) AS (
    VALUES {", ".join(f"({number}, :v{number})" for number in range(len(UNRELATED)))}
)"""

_AGAINST_EACH_OTHER = """
SELECT avg(cosine), avg(cosine * cosine)
FROM (
    SELECT 1 - vec_distance_cosine(one.vector, other.vector) AS cosine
    FROM unrelated AS one
    JOIN unrelated AS other ON other.nth > one.nth
)
"""


def _against_items_sql(embedder_key: int) -> str:
    # evenly spaced items: the same store gives the same figures
    table = f"item_vec_{embedder_key:d}"
    return f"""{_ROWS_SQL},
drawn AS (
    SELECT id
    FROM (SELECT rowid AS id, row_number() OVER (ORDER BY rowid) AS place FROM {table}_rowids)
    WHERE place % :step = 0
    ORDER BY id
    LIMIT :sample
)
SELECT avg(cosine), avg(cosine * cosine)
FROM (
    SELECT 1 - vec_distance_cosine({table}.embedding, unrelated.vector) AS cosine
    FROM drawn
    CROSS JOIN {table} ON {table}.id = drawn.id
    CROSS JOIN unrelated
)
"""  # noqa: S608 - made of an integer and constants
