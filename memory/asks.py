"""What the user asks of memory in plain words: to forget, to list everything, to look one thing up.

Owns the reading of such requests, in every language at once. Refuses to act on them: they are handed to the
screen as a suggestion, or to recall as an exact lookup.
"""

from __future__ import annotations

from memory.languages import detect
from memory.patterns import groups_of, reader
from memory.provenance import foreign_spans, own_text
from memory.records import USER, Message
from memory.sentences import iter_sentences

_EDGES = " \t\n,;:.!?…。！？，、\"'“”«»„“"


def forget_requests(message: Message) -> tuple[str, ...]:
    """Return what the user asks to forget, in the user's words."""
    own = own_text(message.text, foreign_spans(message.text, message.pasted))
    tongue = detect(own)
    found = []
    for sentence in iter_sentences(own):
        reads = reader(detect(sentence.text, tongue))
        text = sentence.text
        while (match := reads.opener.match(text)) and 0 < match.end() < len(text):
            text = text[match.end() :]
        for pattern in reads.forget:
            match = pattern.fullmatch(text)
            if match and (value := match["value"].strip(_EDGES)):
                found.append(value)
                break
    return tuple(found)


def asks_for_listing(text: str) -> bool:
    """Tell whether the text asks for everything that is known about the user."""
    own = own_text(text, foreign_spans(text))
    return bool(reader(detect(own)).listing.search(own))


def named_slots(text: str) -> tuple[tuple[str, str], ...]:
    """Return the subjects and attributes a question asks for by name."""
    own = own_text(text, foreign_spans(text))
    reads = reader(detect(own))
    found: dict[tuple[str, str], None] = {}
    for pattern, attribute in reads.asks:
        for match in pattern.finditer(own):
            groups = groups_of(match)
            if who := groups.get("who"):
                found[reads.pack.kin[who.casefold()], attribute] = None
            elif thing := groups.get("thing"):
                found[thing.strip().casefold(), attribute] = None
            else:
                found[USER, attribute] = None
    return tuple(found)
