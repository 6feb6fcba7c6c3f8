"""Recall of the rules on a labelled extraction set whose labels are English and whose texts are in many languages.

Owns one number a language: how many labels have a kept span in the sentence they speak of. That sentence is
found by shared words in the English text and by its place in the translations. Run it with the path of the set:
``python tests/eval/extraction_recall.py SET.json``. No precision comes from it: every text holds something.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1])]

from eval.write_path import message  # noqa: E402 - the path is set above, so that the file runs by itself

from memory.cues.message import candidates  # noqa: E402 - as above
from memory.records import Message  # noqa: E402 - as above
from memory.sentences import Sentence, iter_sentences  # noqa: E402 - as above

_WORD = re.compile(r"\w{3,}")


def words(text: str) -> set[str]:
    """Return the words of three letters or more, without endings."""
    return {word[:6] for word in _WORD.findall(text.casefold())}


def target(label: str, english: list[Sentence], sentences: list[Sentence]) -> Sentence:
    """Return the sentence of the text that the English label speaks of."""
    shared = [len(words(label) & words(sentence.text)) for sentence in english]
    place = shared.index(max(shared))
    if len(english) != len(sentences):
        place = min(len(sentences) - 1, round(place * len(sentences) / len(english)))
    return sentences[place]


def spans_of_rules(said: Message) -> list[tuple[int, int]]:
    """Return the spans that the rules would keep of a message."""
    return [(candidate.start, candidate.end) for candidate in candidates(said)]


def measure(
    rows: list[dict[str, Any]], spans_of: Callable[[Message], list[tuple[int, int]]] = spans_of_rules
) -> dict[str, tuple[int, int]]:
    """Return kept and wanted labels by language and, after a slash, by kind."""
    english = {row["conv_id"]: list(iter_sentences(row["text"])) for row in rows if row["lang"] == "en"}
    kept: dict[str, int] = defaultdict(int)
    wanted: dict[str, int] = defaultdict(int)
    for row in rows:
        spans = spans_of(message(row["text"]))
        sentences = list(iter_sentences(row["text"]))
        for memory in row["memories"]:
            goal = target(memory["content"], english[row["conv_id"]], sentences)
            covered = sum(max(0, min(goal.end, end) - max(goal.start, start)) for start, end in spans)
            for key in (row["lang"], f"{row['lang']}/{memory['type']}"):
                wanted[key] += 1
                kept[key] += covered >= 0.5 * (goal.end - goal.start)
    return {key: (kept[key], wanted[key]) for key in sorted(wanted)}


def main() -> None:
    """Print the recall of every language and kind."""
    rows = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["conversations"]
    for key, (kept, wanted) in measure(rows).items():
        print(f"{key:24} {kept:4}/{wanted:<4} {kept / wanted:.2f}")


if __name__ == "__main__":
    main()
