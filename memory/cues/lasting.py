"""Whether a plain statement that no finer pattern reads says something that will still hold next month.

Owns the sum of the signs. Refuses to say what the statement means: it is kept whole, as a note. One surprise:
words of time before the subject are read behind it, so that one set of patterns serves both orders.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from memory.languages import language
from memory.sentences import iter_sentences

_QUESTION_LENGTH = 120
_BEFORE = r"(?:[^,?]{0,40}[,:] |¿|(?:and|so|ok|okay|great|und|also|y|e|et|entonces|alors|allora|então) )*"
"""What a question may open with."""
_BEHIND = r"(?:,? (?:(?:that )?i should (?:know|be aware)(?: about| of)?|then|exactly|these days|at the moment|currently|again|by the way|if (?:i may ask|you don['’]t mind)[^?]{0,30}|denn|eigentlich|gerade|derzeit|ahora|actualmente|en ce moment|adesso|ora|agora|hoje em dia))?\W*"
_PLACING = frozenset(
    [
        "in",
        "at",
        "near",
        "from",
        "to",
        "on",
        "outside",
        "with",
        "im",
        "bei",
        "beim",
        "am",
        "an",
        "auf",
        "aus",
        "gegen",
        "als",
        "für",
        "nahe",
        "à",
        "au",
        "aux",
        "en",
        "chez",
        "dans",
        "de",
        "du",
        "des",
        "près",
        "a",
        "ad",
        "al",
        "alla",
        "alle",
        "agli",
        "ai",
        "allo",
        "da",
        "dal",
        "dalla",
        "di",
        "nel",
        "nella",
        "presso",
        "em",
        "no",
        "na",
        "nos",
        "nas",
        "ao",
        "às",
        "do",
        "das",
    ]
)
"""Words before a place, a day or a cause, of which an answer's own stands instead of ours."""
_REPEATED = re.compile(
    r"\W*(?:years?(?: old| of age)?|yrs?|yo|jahre?(?: alt)?|ans|años|anni|anos)\W*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Signs:
    """The compiled signs of one language."""

    mine: re.Pattern[str]
    opens: re.Pattern[str]
    never: re.Pattern[str]
    void: re.Pattern[str]
    shapes: tuple[tuple[int, re.Pattern[str]], ...]
    signs: tuple[tuple[int, re.Pattern[str]], ...]
    ahead: re.Pattern[str]
    once: re.Pattern[str]
    habit: re.Pattern[str]
    inquires: re.Pattern[str]
    empty: re.Pattern[str]
    asked: tuple[tuple[re.Pattern[str], str], ...]
    fits: re.Pattern[str]
    least: int


@cache
def _signs(code: str) -> _Signs | None:
    """Return the signs of a language, compiled on first use; None when it has none."""
    lasting = language(code).lasting
    if lasting is None:
        return None
    return _Signs(
        mine=_any(rf"^(?:{lasting.mine})"),
        opens=_any(rf"^(?:{lasting.opens})"),
        never=_any(lasting.never),
        void=_any(lasting.void),
        shapes=tuple((weight, _any(pattern)) for weight, pattern in lasting.shapes),
        signs=tuple((weight, _any(pattern)) for weight, pattern in lasting.signs),
        ahead=_any(lasting.ahead),
        once=_any(lasting.once),
        habit=_any(lasting.habit),
        inquires=_any(rf"^(?:{lasting.inquires})"),
        empty=_any(rf"^(?:{lasting.empty})$"),
        asked=tuple((_any(rf"^{_BEFORE}(?:{pattern}){_BEHIND}$"), says) for pattern, says in lasting.asked),
        fits=_any(rf"^(?:{lasting.fits})$"),
        least=lasting.least,
    )


def is_lasting(text: str, code: str) -> bool:
    """Tell whether a statement of the user's own is one that lasts."""
    signs = _signs(code)
    if signs is None:
        return False
    if (opened := signs.opens.match(text)) and opened.end() < len(text):
        text = f"{text[opened.end() :]} {opened[0].strip(' ,')}"
    if not signs.mine.match(text) or signs.never.search(text):
        return False
    shape = max((weight for weight, shape in signs.shapes if shape.search(text)), default=0)
    return shape > 0 and shape + sum(w for w, sign in signs.signs if sign.search(text)) >= signs.least


def is_void(sentence: str, code: str) -> bool:
    """Tell whether a sentence supposes, jokes or hands on, so that no clause of it is a statement."""
    signs = _signs(code)
    return signs is not None and signs.void.search(sentence) is not None


def question_about_user(asked: str, code: str) -> str:
    """Return the question that the assistant's words end with when it asks for something lasting, else nothing."""
    signs, sentences = _signs(code), list(iter_sentences(asked))
    if signs is None or not sentences or not sentences[-1].asks:
        return ""
    last = sentences[-1].text
    return f"{last}?" if len(last) <= _QUESTION_LENGTH and signs.inquires.search(last) else ""


def statement_of(question: str, answer: str, code: str) -> str:
    """Return what an answer states in words that are ours and the user's, nothing when none of ours fit."""
    signs = _signs(code)
    fits = signs.fits.match(answer) if signs else None
    if signs is None or fits is None:
        return ""
    for pattern, says in signs.asked:
        if match := pattern.match(question):
            before, _, behind = match.expand(says).partition("{value}")
            value = fits["value"].strip(" .!")
            lead, own = before.split()[-1].casefold(), value.split(maxsplit=1)[0].casefold() if value else ""
            if lead == own and value[len(lead) :].strip():
                value = value[len(lead) :].strip()
            elif lead in _PLACING and own in _PLACING:  # "aux noix" says it better than "à" does
                before = before.rstrip()[: -len(lead)]
            if behind:
                value = _REPEATED.sub("", value)
            return f"{before}{value}{behind}" if value else ""
    return ""


def is_answer(text: str, code: str) -> bool:
    """Tell whether a reply says something of its own that is not of the moment."""
    signs = _signs(code)
    return signs is not None and not signs.empty.search(text) and not signs.never.search(text)


def is_ahead(text: str, code: str) -> bool:
    """Tell whether the text speaks of a day to come, and not of one among many."""
    signs = _signs(code)
    return signs is not None and bool(signs.ahead.search(text)) and not signs.habit.search(text)


def as_if_now(text: str, code: str) -> str:
    """Return the text without the words that only put it in the past."""
    signs = _signs(code)
    return signs.once.sub("", text) if signs else text


def _any(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
