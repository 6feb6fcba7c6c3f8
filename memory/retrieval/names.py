"""Words that only look common: a name or a thing spelled like a word that says nothing ("Will", "Ben", "Go", "C++").

Pure. Owns telling the two apart by how they are written, in any language at once. Refuses to guess at the start of a
sentence, and where everything has a capital letter. One surprise: what is a name in lower case is known from the
subjects of the store alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from memory.retrieval.grams import words
from memory.retrieval.stopwords import ENGLISH, GERMAN, GREETINGS

_CAPITAL = re.compile(r"(?<=[^\s.!?…:;])[ \t]+(?P<word>[^\W\d_]+)\b(?!['’](?!s\b))")
"""A word inside a sentence; what is cut off ("Don't") is none."""

_SIGNED = re.compile(r"(?<![\w+#])(?P<word>[A-Za-z])(?:\+\+|#)(?![\w+#])")

_MANNERS = """
i a o y e sie ihnen ihr ihre ihrem ihren ihrer ihres du dir dich dein deine deinem deinen deiner euch euer eure usted
ustedes vd the and or of in on at to for from by with as is it my me you he she we they this that what who how why when
where not no yes der die das ein eine und von vom zu am im el la los las de del le les des du di da do dos
"""
ALWAYS_CAPITAL = frozenset(_MANNERS.split())
"""Words with a capital letter that is manners, or part of a longer title or name."""

AT_HOME = frozenset(f"{ENGLISH} {GERMAN}".split())
"""Words that only a capital letter tells from a name, since people leave the letter out."""


def name_like(text: str, known: Collection[str] = ()) -> frozenset[str]:
    """Return the words of a text, in lower case, that name something though they look common.

    ``known`` are the names of the store's subjects among them; one that is no everyday word needs no capital letter.
    """
    found = {match["word"].lower() for match in _SIGNED.finditer(text)}
    found |= {name for name in known if name not in AT_HOME}
    if any(word[0].islower() for word in words(text)):
        inside = [match["word"] for match in _CAPITAL.finditer(text) if match["word"][0].isupper()]
        found |= {
            word.lower() for word in inside if _is_short_name(word) or word.lower() not in ALWAYS_CAPITAL
        }
    return frozenset(found - GREETINGS)


def _is_short_name(word: str) -> bool:
    """Tell whether a word is an abbreviation: "IT", "US"."""
    return len(word) > 1 and word.isupper()
