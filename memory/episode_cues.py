"""What an episode is made of, marked by the words in it and not by a model.

Owns goal, decisions, corrections, lessons, preferences, open threads, actions and artifacts of a run of
messages, all as the user's own sentences. Refuses to store or to word anything. One surprise: without any of
these there is no episode, and that is the usual outcome of small talk.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from memory.cues.message import candidates
from memory.languages import detect
from memory.patterns import reader
from memory.provenance import own_words
from memory.records import Candidate, Kind, Message, Role
from memory.sentences import Sentence, iter_sentences

TITLE_CHARACTERS = 60
TOPICS = 5
KEPT = 6
"""At most so many sentences of one sort."""

_GOAL = re.compile(
    r"\b(?:help me|i(?:['’]m| am) trying to|i want to|i need to|i(?:['’]d| would) like to|let['’]s|my goal is|how (?:do|can|should) i|"
    r"ich (?:möchte|will|muss|versuche)|hilf mir|wie kann ich|quiero|necesito|ayúdame|cómo puedo|je (?:veux|voudrais|dois|cherche)|"
    r"aide-moi|comment (?:je peux|puis-je)|voglio|vorrei|aiutami|quero|preciso|me ajude)\b|"
    r"(?:хочу|мне нужно|помоги|как мне)|(?:मदद|चाहता हूँ|चाहती हूँ)|(?:帮我|我想|我要|我需要|怎么)|(?:고 싶|도와|어떻게)",
    re.IGNORECASE,
)
_LESSON = re.compile(
    r"\b(?:learned|learnt|lesson|turns out|it (?:finally )?worked|the (?:fix|solution|cause) (?:is|was)|gelernt|stellte sich heraus|"
    r"aprendí|resultó que|j['’]ai appris|il s['’]avère|ho imparato|aprendi)\b|(?:понял|оказалось)|(?:पता चला|सीखा)|(?:发现|学到|原来)|(?:알고 보니|배웠)",
    re.IGNORECASE,
)
_ARTIFACT = re.compile(
    r"\b[\w./-]+\.(?:py|md|txt|pdf|docx?|xlsx?|csv|json|toml|ya?ml|html|js|ts|png|jpe?g|zip|gguf)\b|https?://[^\s)>\]]+"
)
_NAMED = re.compile(r"\b[A-ZÀ-ÞА-ЯЁ][\wÀ-ÿа-яё'’-]{2,}(?: [A-ZÀ-ÞА-ЯЁ][\wÀ-ÿа-яё'’-]+)*")


@dataclass(frozen=True, slots=True)
class EpisodeCues:
    """The marked parts of a run of messages, each in the order it was said."""

    title: str = ""
    goal: str = ""
    summary: str = ""
    topics: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    """What was agreed or promised to be done."""
    decisions: tuple[str, ...] = ()
    corrections: tuple[str, ...] = ()
    lessons: tuple[str, ...] = ()
    preferences: tuple[str, ...] = ()
    open_threads: tuple[str, ...] = ()
    artifacts: tuple[str, ...] = ()
    outcome: str = ""

    @property
    def is_worth_keeping(self) -> bool:
        """Whether there is an episode at all."""
        return bool(
            self.goal
            or self.decisions
            or self.corrections
            or self.lessons
            or self.preferences
            or self.open_threads
        )


def episode_cues(messages: Sequence[Message], stop: Callable[[], None] = lambda: None) -> EpisodeCues:
    """Return what the user's own words of these messages mark, secrets masked.

    ``stop`` is called before each message is read, and may raise to end it.
    """
    said = [message for message in messages if message.role is Role.USER]
    read = [(message, sentence) for message in said for sentence in _own_sentences(message)]
    found: list[Candidate] = []
    for message in said:
        stop()
        found += candidates(message)
    goals = [sentence.text for _, sentence in read if _GOAL.search(sentence.text)]
    lessons = [sentence.text for _, sentence in read if not sentence.asks and _LESSON.search(sentence.text)]
    decisions = _texts(found, Kind.DECISION)
    promised = _texts(found, Kind.COMMITMENT)
    open_threads = [*promised, *(text for text in _open(read) if text)]
    goal = goals[0] if goals else ""
    first = goal or (decisions[0] if decisions else (read[0][1].text if read else ""))
    return EpisodeCues(
        title=_shortened(first),
        goal=_shortened(goal, 160),
        summary=" ".join(_closed(part) for part in _kept([goal, *decisions, *lessons])[:3]),
        topics=_topics(read),
        actions=_kept(promised),
        decisions=_kept(decisions),
        corrections=_kept([candidate.text for candidate in found if candidate.is_correction]),
        lessons=_kept(lessons),
        preferences=_kept([*_texts(found, Kind.PREFERENCE), *_texts(found, Kind.CONSTRAINT)]),
        open_threads=_kept(open_threads),
        artifacts=_kept(
            [match[0].rstrip(".,") for _, sentence in read for match in _ARTIFACT.finditer(sentence.text)]
        ),
        outcome=_shortened(lessons[-1] if lessons else "", 160),
    )


def _own_sentences(message: Message) -> Iterator[Sentence]:
    yield from iter_sentences(own_words(message))


def _texts(found: Sequence[Candidate], kind: Kind) -> list[str]:
    return [candidate.text for candidate in found if candidate.kind is kind]


def _open(read: Sequence[tuple[Message, Sentence]]) -> Iterator[str]:
    for _, sentence in read:
        if not sentence.asks and reader(detect(sentence.text)).open_threads.search(sentence.text):
            yield sentence.text


def _kept(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the texts once each, the first so many."""
    once = {text.strip().casefold(): text.strip() for text in reversed(texts) if text.strip()}
    ordered = [
        text for text in dict.fromkeys(text.strip() for text in texts) if once.get(text.casefold()) == text
    ]
    return tuple(ordered[:KEPT])


def _topics(read: Sequence[tuple[Message, Sentence]]) -> tuple[str, ...]:
    """Return the names said most often, a sentence's first word left aside."""
    counts: Counter[str] = Counter()
    for _, sentence in read:
        counts.update(match[0] for match in _NAMED.finditer(sentence.text) if match.start() > 0)
    return tuple(name for name, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:TOPICS])


def _shortened(text: str, characters: int = TITLE_CHARACTERS) -> str:
    if len(text) <= characters:
        return text
    cut = text[: characters - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut[characters // 2 :] else cut) + "…"


def _closed(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…", "。", "।")) else f"{text}."
