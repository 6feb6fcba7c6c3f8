"""What a model may add: fixed schemas, the prompts that ask for them, and checks on every line that comes back.

Owns the words sent to the model and the reading of its answers. Refuses to trust either: each proposal passes
the same validation as the rules' candidates, its confidence is set here, and small models only propose. One
surprise: a summary loses every sentence that names a name or a number the transcript does not hold.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from memory import policy
from memory.attributes import ATTRIBUTES, attribute_named
from memory.dates import end_of, find_dates, local_day
from memory.languages import detect, language
from memory.patterns import reader
from memory.provenance import foreign_spans, own_words
from memory.records import USER, Candidate, Ignore, Kind, Message, Origin, PromptMessage, Role, Stability
from memory.secret_answers import secrets_of
from memory.sentences import iter_sentences

KEEPS_FROM_PARAMETERS: Final = 1_400_000_000
"""From about 1.5 billion parameters on a model's checked proposals may be kept; below it they wait for the user."""
MOST_FACTS: Final = 5
MOST_CHARACTERS: Final = 200
_PROPOSED = tuple(name for name in ATTRIBUTES if name not in ("rule", "note", "date", "appointment", "state"))

FACTS_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "maxItems": MOST_FACTS,
            "items": {
                "type": "object",
                "properties": {
                    "quote": {"type": "string", "maxLength": MOST_CHARACTERS},
                    "subject": {"type": "string", "maxLength": 40},
                    "attribute": {"type": "string", "enum": list(_PROPOSED)},
                    "value": {"type": "string", "maxLength": MOST_CHARACTERS},
                },
                "required": ["quote", "subject", "attribute", "value"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["facts"],
    "additionalProperties": False,
}
SUMMARY_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "maxLength": 60},
        "summary": {"type": "string", "maxLength": 600},
    },
    "required": ["title", "summary"],
    "additionalProperties": False,
}

_FACTS_TASK = (
    "You read one message that a person wrote. List lasting facts the person states about themselves or about people, animals "
    'and things in their life. "quote" is copied letter by letter from the message. "subject" is "user" for the person, else a '
    'word such as "sister" or a name. "value" uses only words of the quote, in their language. Questions, wishes, jokes, '
    "guesses, orders to you and text by others hold no facts. Most messages hold none: then the list is empty."
)
_FACTS_SHOTS: Final[tuple[tuple[str, list[dict[str, str]]], ...]] = (
    ("could you make that shorter?", []),
    (
        "we adopted a beagle, Juno, she sleeps on the stairs",
        [{"quote": "we adopted a beagle, Juno", "subject": "beagle", "attribute": "name", "value": "Juno"}],
    ),
    ("what would I need if I moved to Norway?", []),
    (
        "since the accident my knee cannot take long stairs",
        [
            {
                "quote": "my knee cannot take long stairs",
                "subject": USER,
                "attribute": "condition",
                "value": "knee cannot take long stairs",
            }
        ],
    ),
)
_SUMMARY_TASK = (
    "You read a conversation. Give it a title of a few words and a summary of two or three sentences: what the person wanted, "
    "what was found or decided, what is left open. Use only names and numbers that occur in it. Write in its language."
)
_OWN: Final = {
    "en": re.compile(r"\b(?:i|me|my|mine|myself|we|us|our|ours)\b|\bi['’]", re.IGNORECASE),
    "de": re.compile(r"\b(?:ich|mich|mir|mein\w*|wir|uns|unser\w*)\b", re.IGNORECASE),
    "fr": re.compile(r"\b(?:je|moi|me|mon|ma|mes|nous|notre|nos)\b|\b[jm]['’]", re.IGNORECASE),
}
"""How somebody speaks of what is theirs, in languages where that cannot stay unsaid."""
_NAME = re.compile(r"[A-ZÀ-ÞА-ЯЁ][\wÀ-ÿа-яё'’-]+")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A model's candidate and, when a check failed, why it is dropped."""

    candidate: Candidate
    refused: Ignore | None = None


def keeps_proposals(parameters: int | None) -> bool:
    """Tell whether a model of this many parameters may write without asking; an unknown size may not."""
    return parameters is not None and parameters >= KEEPS_FROM_PARAMETERS


def facts_prompt(message: Message) -> tuple[PromptMessage, ...]:
    """Return the prompt that asks for facts in the user's own words, secrets masked and foreign text blanked."""
    shots = [
        part
        for said, facts in _FACTS_SHOTS
        for part in (PromptMessage("user", said), PromptMessage("assistant", json.dumps({"facts": facts})))
    ]
    text = " ".join(own_words(message).split())
    return (PromptMessage("system", _FACTS_TASK), *shots, PromptMessage("user", text))


def summary_prompt(messages: Sequence[Message]) -> tuple[PromptMessage, ...]:
    """Return the prompt that asks for the wording of an episode, secrets masked."""
    lines = [f"{message.role.value}: {' '.join(message.safe_text.split())}" for message in messages]
    return (PromptMessage("system", _SUMMARY_TASK), PromptMessage("user", "\n".join(lines)))


def parse_facts(answer: str, message: Message) -> tuple[Proposal, ...]:
    """Read a model's answer and check each proposal; an answer of another shape holds none."""
    foreign, secrets = foreign_spans(message.text, message.pasted), secrets_of(message)
    proposals = []
    for entry in _entries(answer):
        candidate = _candidate(entry, message)
        if candidate is None:
            continue
        refused = policy.validate(candidate, message, foreign, secrets) or _wrong_mood(candidate, message)
        proposals.append(Proposal(candidate, refused or _not_theirs(candidate, message)))
    return tuple(proposals)


def repeats(proposal: Candidate, heard: Sequence[Candidate]) -> bool:
    """Tell whether the rules heard this in the same message: the same value, or other words of it of the same subject."""
    return any(
        not policy.unsupported(one.value, proposal.value)
        or (
            not policy.unsupported(proposal.value, one.quote)
            and (_is_about(proposal.subject, one.subject) or 2 * len(proposal.value) >= len(one.value))
        )
        for one in heard
    )


def _is_about(subject: str, other: str) -> bool:
    """Tell whether two subjects can be the same: "sister" and "sister Ingrid"."""
    a, b = set(subject.casefold().split()), set(other.casefold().split())
    return a <= b or b <= a


def parse_summary(answer: str, messages: Sequence[Message]) -> tuple[str, str]:
    """Read title and summary from a model's answer, each rid of what the transcript does not support."""
    try:
        read = json.loads(answer)
    except ValueError:
        return "", ""
    if not isinstance(read, dict):
        return "", ""
    transcript = "\n".join(message.safe_text for message in messages)
    title, summary = str(read.get("title", "")), str(read.get("summary", ""))
    return supported(title, transcript), supported(summary, transcript)


def supported(wording: str, transcript: str) -> str:
    """Return the wording without the sentences whose names or numbers do not occur in the transcript."""
    held = transcript.casefold()
    kept = []
    for sentence in iter_sentences(wording):
        names = [match[0] for match in _NAME.finditer(sentence.text) if match.start() > 0]
        unknown = [word for word in (*names, *_NUMBER.findall(sentence.text)) if word.casefold() not in held]
        if not unknown:
            kept.append(wording[sentence.start : sentence.end])
    mark = "。" if detect(wording) == "zh" else ". "
    text = mark.join(kept).strip()
    return text + wording.rstrip()[-1] if text and wording.rstrip()[-1:] in ".!?。！？" else text


def _entries(answer: str) -> Sequence[Mapping[str, Any]]:
    try:
        read = json.loads(answer)
    except ValueError:
        return []
    facts = read.get("facts") if isinstance(read, dict) else None
    if not isinstance(facts, list):
        return []
    return [entry for entry in facts if isinstance(entry, dict)][:MOST_FACTS]


def _candidate(entry: Mapping[str, Any], message: Message) -> Candidate | None:
    """Build a candidate from one entry; None when a field is missing or the attribute is not on the list."""
    fields = [entry.get(key) for key in ("quote", "subject", "attribute", "value")]
    if not all(isinstance(part, str) and part.strip() for part in fields):
        return None
    quote, subject, attribute, value = (str(part).strip() for part in fields)
    if attribute not in _PROPOSED:
        return None
    start = message.text.find(quote)
    code, behaves = detect(quote, detect(message.text)), attribute_named(attribute)
    pack = language(code)
    known = pack.kin.get(subject.casefold(), subject.casefold() if subject.islower() else subject)
    made = Candidate(
        kind=behaves.kind,
        subject=USER if subject.casefold() in (USER, "i", "me", "the user") else known,
        attribute=attribute,
        value=value,
        text=quote[:1].upper() + quote[1:],
        quote=quote,
        start=max(start, 0),
        end=max(start, 0) + len(quote),
        language=code,
        origin=Origin.INFERRED,
        cardinality=behaves.cardinality,
        stability=behaves.stability,
        confidence=policy.CONFIDENCE_INFERRED,
        said_at=message.said_at,
        valid_from=message.said_at,
        rule="model",
    )
    dates = find_dates(quote, message.said_at, message.zone, pack)
    ahead = [dated.last for dated in dates if dated.last >= local_day(message.said_at, message.zone)]
    if behaves.stability is Stability.VOLATILE and ahead:
        made = replace(made, expires_at=end_of(max(ahead), message.zone))
    return replace(made, importance=policy.importance(made))


def _not_theirs(candidate: Candidate, message: Message) -> Ignore | None:
    """Refuse what is said of the world at large, and what says of a subject only its own word."""
    if candidate.subject == USER:
        return None
    if not policy.unsupported(candidate.value, candidate.subject):
        return Ignore("it says nothing of its subject")
    own = _OWN.get(candidate.language)
    for sentence in iter_sentences(message.text):
        inside = sentence.start <= candidate.start < sentence.end
        if inside and own is not None and not own.search(sentence.text):
            return Ignore("it is not about you or yours")
    return None


def _wrong_mood(candidate: Candidate, message: Message) -> Ignore | None:
    """Refuse what stands in a question, a hypothesis, a story, a report or an order."""
    if candidate.kind is Kind.RULE or message.role is not Role.USER:
        return Ignore("not a statement")
    for sentence in iter_sentences(message.text):
        if not sentence.start <= candidate.start < sentence.end:
            continue
        reads = reader(detect(sentence.text, candidate.language))
        if sentence.asks or reads.question.search(sentence.text):
            return Ignore("a question")
        if reads.doubt.search(candidate.quote) or reads.fiction.search(message.text):
            return Ignore("not meant as true")
        if reads.reported.search(sentence.text):
            return Ignore("somebody else's words")
        if any(rule.search(sentence.text) for rule in reads.rules) or reads.imperative.search(sentence.text):
            return Ignore("a request to the assistant")
        if policy.is_negative(candidate.quote) != policy.is_negative(
            candidate.value
        ) and candidate.attribute in ("likes", "prefers"):
            return Ignore("its polarity was lost")
    return None
