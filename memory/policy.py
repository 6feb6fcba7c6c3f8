"""What becomes of a candidate: the decision, its reasons and the numbers behind them.

Owns validation, normalised values, importance, expiry and the choice between add, confirm, merge, supersede,
review and ignore. Refuses to read the store: neighbours are handed in. One surprise: event time decides,
so a statement older than the current value is kept as closed history. Longer than most files because every
number and every reason of remembering is meant to stand in one place.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.attributes import attribute_named
from memory.provenance import touches
from memory.records import (
    Add,
    Candidate,
    Cardinality,
    Confirm,
    Decision,
    Fact,
    Ignore,
    Kind,
    Merge,
    Message,
    Origin,
    Review,
    Role,
    Stability,
    Supersede,
)
from memory.secrets import Secret

IMPORTANCE_CORRECTION = 0.9
IMPORTANCE_REMEMBER = 0.9
IMPORTANCE_PREFERENCE = 0.7
IMPORTANCE_OTHER = 0.5
CONFIDENCE_STATED = 0.9
CONFIDENCE_BOUND = 0.75
"""A pronoun whose subject was found."""
CONFIDENCE_UNBOUND = 0.3
CONFIDENCE_INFERRED = 0.6
CONFIDENCE_FLOOR = 0.5
"""Below this the user is asked."""
CONFIRM_STEP = 0.05
CONFIDENCE_TOP = 0.99
NEAR_COSINE = 0.95
PLAN_DAYS = 30
TENTATIVE_DAYS = 180
UNCONFIRMED_DAYS = 180
EPISODE_COLD_DAYS = 90
ARCHIVE_ABOVE = 2000
WRITES_PER_CONVERSATION = 20
WRITES_PER_DAY = 60
VALUE_LENGTH = 400
RULE_ANSWER = "answer"
"""The rule that reads an answer to a question of the assistant's."""

REASON_HISTORY = "older than the current value: kept as history"
REASON_FORGOTTEN = "you asked to forget this"
REASON_REJECTED = "you rejected this for good"
REASON_PERMISSION = "it would give a permission"
REASON_RULE = "it would change how answers are given"
REASON_NOT_YOURS = "not your own words"
REASON_UNBOUND = "it is not clear who is meant"
REASON_ANSWER = "an answer, kept without its question: edit it into a statement"
REASON_UNSURE = "not sure enough"
REASON_BURST_CONVERSATION = "many memories from one conversation"
REASON_BURST_DAY = "many memories in one day"
REASON_PINNED = "it contradicts a pinned fact"
REASON_SEVERAL = "several values could be meant"
REASON_KNOWN = "known already"

_ARTICLES = frozenset(
    re.findall(
        r"\S+",
        "a an the my our der die das den dem des ein eine einen einem einer mein meine el la los las "
        "un una unos unas mi le les l une des du mon ma mes il lo gli i o os as um uma",
    )
)
_MARKS = "".join(chr(c) for c in range(0x300, 0x1E00) if unicodedata.category(chr(c)) in ("Mn", "Mc"))
"""Vowel signs and accents, which regular expressions do not count as part of a word."""
_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{_MARKS}])*")
_TOKEN = re.compile(
    rf"(?:(?<!\w)-(?=\d)|[$€£¥₹]\s?(?=\d)|(?<!\w)\.(?=net\b))?[^\W_](?:[^\W_]|[{_MARKS}])*"
    r"(?:\+{1,2}(?!\w)|(?<=\b[a-z])[#*](?!\w)|\s?[%°€£](?!\w)|(?<=\b[abo])-(?!\w)|(?<=\bab)-(?!\w))?"
)
"""A word with the signs that make it another one: C, C++ and C#; A+ and A-; 5 and -5; 50, 50 % and 50 €."""
_BLOOD_GROUP = re.compile(r"\b([ao]) (?=(?:rh )?(?:pos|neg)(?:itive?|ative?)?$)")
"""A letter that is no article."""
_CYRILLIC_ENDING = re.compile(r"(?<=[а-яё]{3})[аеёиоуыэюяьй]{1,2}$")
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_ISO_DATE = re.compile(r"\(?\b\d{4}-\d\d(?:-\d\d)?(?:\s*(?:/|to|–)\s*\d{4}-\d\d-\d\d)?\b\)?")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_PERMISSION = re.compile(
    r"\b(?:admin(?:istrator)?|root|superuser|sudo|privileges?|permission|authori[sz]ed?|(?<!not )(?<!n[\'’]t )allowed to|grant(?:s|ed)?|access to (?:all|any|my)|"
    r"without (?:asking|confirmation|consent)|bypass|disable (?:the )?(?:safety|security|checks?)|trusted source|"
    r"berechtigung|erlaubnis|erlaube|genehmig\w+|permiso|autoriz\w+|permission de|autorise\w*|разреш\w+|полномоч\w+|администратор\w*|"
    r"अनुमति|权限|授权|管理员|許可|管理者|권한|관리자|permesso|autorizz\w+|permissão)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much may be written without asking, and how far a model is trusted."""

    writes_per_conversation: int = WRITES_PER_CONVERSATION
    writes_per_day: int = WRITES_PER_DAY
    keep_inferred: bool = False
    """Whether a model's checked proposals are kept; else they wait for the user."""
    keep_imported: bool = False
    """Whether the user trusts what an import brought."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What the store already knows around a candidate."""

    same: tuple[Fact, ...] = ()
    """Facts with the same subject, attribute and normalised value, closed ones included."""
    slot: tuple[Fact, ...] = ()
    """Current facts of the subject under the candidate's attribute or one related to it."""
    near: tuple[tuple[Fact, float], ...] = ()
    """Current facts with their cosine to the candidate."""
    tombstoned: bool = False
    rejected_always: bool = False
    writes_in_conversation: int = 0
    writes_today: int = 0


def decide(candidate: Candidate, neighbours: Neighbours, limits: Limits | None = None) -> Decision:
    """Choose what becomes of a valid candidate."""
    limits = limits or Limits()
    if blocked := _blocked(candidate, neighbours):
        return blocked
    if known := _known_already(candidate, neighbours):
        return known
    if asked := _must_ask(candidate, limits):
        return asked
    current = [fact for fact in neighbours.same if fact.is_current]
    if current:
        return Confirm(current[0].id, "said again")
    decision = _against_slot(candidate, neighbours)
    if isinstance(decision, Add | Supersede) and (burst := _burst(neighbours, limits)):
        return burst
    return decision


def _blocked(candidate: Candidate, neighbours: Neighbours) -> Decision | None:
    if neighbours.rejected_always:
        return Ignore(REASON_REJECTED)
    if neighbours.tombstoned:
        return Review(REASON_FORGOTTEN) if candidate.rule.startswith("remember") else Ignore(REASON_FORGOTTEN)
    return None


def _known_already(candidate: Candidate, neighbours: Neighbours) -> Decision | None:
    """Spare the user a question about what is believed anyway: nobody is asked twice, and only own words confirm."""
    if candidate.origin in (Origin.USER_SAID, Origin.USER_CONFIRMED) or candidate.kind is Kind.RULE:
        return None
    current = [fact for fact in neighbours.same if fact.is_current]
    for fact in current or neighbours.slot:
        if fact.attribute != candidate.attribute or not is_worded_alike(candidate.value, fact.value):
            continue
        later = None not in (fact.said_at, candidate.said_at) and fact.said_at < candidate.said_at  # type: ignore[operator]
        said_again = candidate.origin is Origin.INFERRED and later
        return Confirm(fact.id, "said again") if said_again else Ignore(REASON_KNOWN)
    return None


def _must_ask(candidate: Candidate, limits: Limits) -> Review | None:
    if candidate.kind is Kind.RULE:
        return Review(REASON_RULE)
    if _PERMISSION.search(candidate.text) or _PERMISSION.search(candidate.value):
        return Review(REASON_PERMISSION)
    match candidate.origin:
        case Origin.USER_SAID | Origin.USER_CONFIRMED:
            pass
        case Origin.INFERRED:
            if not limits.keep_inferred:
                return Review("proposed by a model")
        case Origin.IMPORTED:
            if not limits.keep_imported:
                return Review("imported")
        case Origin.DOCUMENT:
            return Review(REASON_NOT_YOURS)
    if candidate.confidence < CONFIDENCE_FLOOR:
        unclear = REASON_ANSWER if candidate.rule == RULE_ANSWER else REASON_UNSURE
        return Review(REASON_UNBOUND if candidate.pronoun else unclear)
    return None


def _burst(neighbours: Neighbours, limits: Limits) -> Review | None:
    if neighbours.writes_in_conversation >= limits.writes_per_conversation:
        return Review(REASON_BURST_CONVERSATION)
    if neighbours.writes_today >= limits.writes_per_day:
        return Review(REASON_BURST_DAY)
    return None


def _against_slot(candidate: Candidate, neighbours: Neighbours) -> Decision:
    own = tuple(fact for fact in neighbours.slot if fact.attribute == candidate.attribute)
    for fact in own:
        exact = normalise(candidate.value) == normalise(fact.value)
        if exact or (not candidate.is_correction and is_worded_alike(candidate.value, fact.value)):
            return Merge(fact.id, "the same in other words")
    closed = _closed_by(candidate, neighbours.slot)
    pointing = (
        candidate.is_correction
        and not candidate.closes
        and attribute_named(candidate.attribute).replaces_alone
    )
    if not closed and pointing and len(own) > 1:
        return Review(REASON_SEVERAL)
    if not closed:
        for fact, cosine in neighbours.near:
            if cosine >= NEAR_COSINE and says_the_same(candidate, fact):
                return Merge(fact.id, "nearly the same words")
        return Add(_add_reason(candidate))
    newer = [fact for fact in closed if _is_before(candidate, fact)]
    if newer:
        return Add(REASON_HISTORY)
    if any(fact.pinned for fact in closed):
        return Review(REASON_PINNED)
    reason = "you corrected this" if candidate.is_correction else "a newer value"
    return Supersede(tuple(fact.id for fact in closed), reason)


def _closed_by(candidate: Candidate, slot: Sequence[Fact]) -> list[Fact]:
    """Return the current facts that the candidate puts an end to."""
    own = [fact for fact in slot if fact.attribute == candidate.attribute]
    if candidate.cardinality is Cardinality.SINGLE:
        return [fact for fact in own if normalise(fact.value) != normalise(candidate.value)]
    attribute = attribute_named(candidate.attribute)
    named = normalise(candidate.closes) if candidate.closes else ""
    if named:
        return [fact for fact in own if _names(named, normalise(fact.value))]
    opposite = [fact for fact in slot if fact.attribute != candidate.attribute]
    turned = [fact for fact in opposite if normalise(fact.value) == normalise(candidate.value)]
    if turned:
        return turned
    if candidate.is_correction and attribute.replaces_alone and len(own) == 1:
        return own
    return []


def _names(named: str, value: str) -> bool:
    """Tell whether the words of one name the other."""
    a, b = set(named.split()), set(value.split())
    return bool(a and b) and (a <= b or b <= a)


def _is_before(candidate: Candidate, fact: Fact) -> bool:
    """Tell whether the candidate was said before the fact became true."""
    since = fact.valid_from or fact.recorded_at
    said = candidate.valid_from or candidate.said_at
    return said is not None and said < since


def says_the_same(candidate: Candidate | Fact, fact: Fact) -> bool:
    """Tell whether two close sentences cannot differ in what matters: who, what, numbers and polarity."""
    return (
        fact.subject == candidate.subject
        and fact.attribute == candidate.attribute
        and sorted(_NUMBER.findall(fact.text)) == sorted(_NUMBER.findall(candidate.text))
        and is_negative(fact.text) == is_negative(candidate.text)
    )


_NEGATIVE = re.compile(
    r"\b(?:not|no|never|n't|don't|doesn't|nicht|kein\w*|nie|no|nunca|ne|pas|jamais|не|нет|никогда|non|mai|não|नहीं)\b|不|没|ない|않|안 ",
    re.IGNORECASE,
)


def is_negative(text: str) -> bool:
    """Tell whether the text denies something."""
    return bool(_NEGATIVE.search(text)) or "n't" in text or "n’t" in text


def _add_reason(candidate: Candidate) -> str:
    if candidate.rule.startswith("remember"):
        return "you asked to remember it"
    if candidate.is_correction:
        return "you corrected this"
    return f"you said so ({candidate.attribute})"


def closes_at(candidate: Candidate, slot: Sequence[Fact]) -> datetime | None:
    """Return when a candidate added as history stopped being true: the start of the value that followed it."""
    later = [
        fact.valid_from or fact.recorded_at
        for fact in _closed_by(candidate, slot)
        if _is_before(candidate, fact)
    ]
    return min(later, default=None)


def timeline(facts: Sequence[Fact]) -> tuple[tuple[str, datetime | None, str | None], ...]:
    """Order the facts of one single-valued slot by event time: id, end, and the id of what followed."""
    ordered = sorted(facts, key=lambda f: (f.valid_from or f.recorded_at, f.recorded_at, f.id))
    followers = [*ordered[1:], None]
    return tuple(
        (fact.id, (after.valid_from or after.recorded_at) if after else None, after.id if after else None)
        for fact, after in zip(ordered, followers, strict=True)
    )


def normalise(value: str) -> str:
    """Return the value as it is compared: compatibility form, no case, articles, marks, plural s or Russian case endings."""
    folded = unicodedata.normalize("NFKC", value).casefold()
    words = ["".join(token.split()) for token in _TOKEN.findall(_BLOOD_GROUP.sub(r"\1", folded))]
    kept = [word for word in words[:-1] if word not in _ARTICLES] + words[-1:]
    return " ".join(_singular(word) for word in kept) or " ".join(words) or folded.strip()


def _singular(word: str) -> str:
    if _CYRILLIC_ENDING.search(word):
        return _CYRILLIC_ENDING.sub("", word)
    if not word.isascii() or len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    return word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]


def is_worded_alike(new: str, known: str) -> bool:
    """Tell whether a new value says no more than a known one: equal, or fewer of the same words."""
    a, b = normalise(new).split(), normalise(known).split()
    return bool(a) and (a == b or (len(a) < len(b) and set(a) <= set(b)))


def slot_hash_input(profile: str, subject: str, attribute: str, value: str) -> bytes:
    """Return the bytes that a tombstone's keyed hash is made over: the parts with their lengths before them."""
    parts = (profile, normalise(subject), attribute, normalise(value))
    return b"".join(len(raw).to_bytes(4, "big") + raw for raw in (part.encode() for part in parts))


def slot_hash(key: bytes, profile: str, subject: str, attribute: str, value: str) -> bytes:
    """Return the keyed hash by which a tombstone knows a forgotten fact without holding it."""
    return hmac.new(key, slot_hash_input(profile, subject, attribute, value), hashlib.sha256).digest()


def row_hash(key: bytes, kind: str, ident: str) -> bytes:
    """Return the keyed hash by which a tombstone knows a text again that has no slot: by its kind and its id."""
    return slot_hash(key, "", kind, ident, "")


def importance(candidate: Candidate) -> float:
    """Return the importance that follows from how the candidate was said."""
    if candidate.is_correction:
        return IMPORTANCE_CORRECTION
    if candidate.rule.startswith("remember"):
        return IMPORTANCE_REMEMBER
    if candidate.kind in (Kind.PREFERENCE, Kind.CONSTRAINT):
        return IMPORTANCE_PREFERENCE
    return IMPORTANCE_OTHER


def expiry(candidate: Candidate, now: datetime) -> datetime | None:
    """Return when the candidate leaves recall by itself, None when only the user ends it."""
    if candidate.expires_at is not None:
        return candidate.expires_at
    start = candidate.said_at or now
    if candidate.stability is Stability.VOLATILE:
        return start + timedelta(days=PLAN_DAYS)
    if candidate.origin in (Origin.INFERRED, Origin.IMPORTED, Origin.DOCUMENT):
        return start + timedelta(days=UNCONFIRMED_DAYS)
    return None


def is_tentative(fact: Fact, now: datetime) -> bool:
    """Tell whether a slow-changing fact was not confirmed for so long that it must be marked."""
    last = fact.confirmed_at or fact.valid_from or fact.recorded_at
    return fact.stability is Stability.SLOW and now - last > timedelta(days=TENTATIVE_DAYS)


def confirmed_confidence(confidence: float) -> float:
    """Return the confidence after the same was said again."""
    return min(CONFIDENCE_TOP, confidence + CONFIRM_STEP)


def validate(
    candidate: Candidate, message: Message, foreign: Sequence[tuple[int, int]], secrets: Sequence[Secret]
) -> Ignore | None:
    """Return why the candidate must not be kept, None when every check passes."""
    if message.role is not Role.USER:
        return Ignore("only your own messages become memories")
    if candidate.kind not in Kind:
        return Ignore("unknown kind")
    if not candidate.value.strip() or not candidate.text.strip() or not candidate.subject.strip():
        return Ignore("nothing is said")
    if len(candidate.value) > VALUE_LENGTH:
        return Ignore("too long for one fact")
    if candidate.start >= candidate.end or message.text[candidate.start : candidate.end] != candidate.quote:
        return Ignore("the quote is not in your message")
    if touches(foreign, candidate.start, candidate.end):
        return Ignore(REASON_NOT_YOURS)
    if touches([(s.start, s.end) for s in secrets], candidate.start, candidate.end):
        return Ignore("it holds a secret")
    if missing := unsupported(candidate.value, candidate.quote):
        return Ignore(f"{len(missing)} of its words are not in the quote")
    return None


def unsupported(value: str, quote: str) -> tuple[str, ...]:
    """Return the words and numbers of the value that the quote does not hold, resolved dates left aside."""
    said = unicodedata.normalize("NFKC", quote).casefold()
    claimed = unicodedata.normalize("NFKC", _ISO_DATE.sub(" ", value)).casefold()
    numbers = [number for number in _NUMBER.findall(claimed) if number not in _NUMBER.findall(said)]
    held = set(_WORD.findall(said))
    words = [word for word in _WORD.findall(claimed) if word not in held and not _is_inside(word, said)]
    return tuple(dict.fromkeys([*words, *numbers]))


def _is_inside(word: str, said: str) -> bool:
    """Tell whether the word occurs in a text whose words are not set apart by spaces."""
    return bool(_UNSPACED.search(said)) and word in said
