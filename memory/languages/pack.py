"""What a language file must say so that the rules can read that language.

Owns the shapes only; the words are in one file a language. One surprise: patterns are templates, ``{value}``,
``{who}``, ``{name}`` and ``{they}`` stand for the groups the reader fills in, and a pattern must match a whole
clause.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memory.records import Kind


@dataclass(frozen=True, slots=True)
class Slot:
    """One way to state an attribute of a subject."""

    attribute: str
    pattern: str
    many: bool = False
    """Whether the value is a list, one fact for each thing in it."""
    correction: bool = False
    """Whether saying it this way means that something has changed."""
    words: int = 12
    """A value of more words is not this statement."""
    kind: Kind | None = None
    """The kind when it is not the attribute's own."""
    proper: bool = False
    """Whether the value must look like a name."""
    dated: bool = False
    """Whether the clause must hold a date for the statement to count."""
    greeted: bool = False
    """Whether it counts only in a message that opens with a greeting: elsewhere it says something else."""
    instead: bool = False
    """Whether it counts only right after the end of the same attribute ("… any more, I'm at Finch now")."""


@dataclass(frozen=True, slots=True)
class Cue:
    """A sign that a whole sentence is worth keeping: a decision, promise, opinion, preference or event."""

    kind: Kind
    attribute: str
    pattern: str
    """Searched for in the sentence."""
    least: int = 4
    """Fewer words (or half as many characters of a script without spaces) are small talk."""
    unless: str = ""
    """Searched for as well: when found, the cue does not count."""
    needs: str = ""
    """Searched for as well: without it the cue does not count."""


@dataclass(frozen=True, slots=True)
class Lasting:
    """How a plain statement that no slot reads shows that what it says will still hold."""

    mine: str
    """Pattern of the opening of a statement of one's own."""
    opens: str
    """Pattern of words of time and place before such an opening."""
    never: str
    """Searched for: what is of the moment, of the task at hand or not the user's own."""
    shapes: tuple[tuple[int, str], ...]
    """Patterns of whole ways to put it, each with what it speaks for; one of them must be there."""
    signs: tuple[tuple[int, str], ...]
    """Patterns searched for that speak for it besides or, below zero, against it."""
    void: str = r"(?!)"
    """Searched for in the whole sentence: when found, none of its clauses is meant as true."""
    ahead: str = r"(?!)"
    """Pattern of words that speak of what is to come."""
    once: str = r"(?!)"
    """Pattern of words that put a statement in the past, without casting doubt on it."""
    habit: str = r"(?!)"
    """Pattern of words that make a day named one of many."""
    inquires: str = r"(?!)"
    """Pattern of a question for something lasting about the user, whose answer says little without it."""
    empty: str = r"(?!)"
    """Pattern of answers that say nothing by themselves."""
    asked: tuple[tuple[str, str], ...] = ()
    """Patterns of whole questions, each with the statement that an answer, as ``{value}``, makes."""
    fits: str = r"(?!)"
    """Pattern of answers that can stand in such a statement; its group ``value`` is what stands there."""
    least: int = 2
    """The sum from which a statement is kept."""


@dataclass(frozen=True, slots=True)
class Language:
    """The patterns of one language, as data."""

    code: str
    common: frozenset[str]
    """Frequent words, by which the language is recognised."""
    kin: Mapping[str, str]
    """Relatives, pets and things of one's own, each with its canonical subject."""
    my: str
    """Pattern of "my" and "our"."""
    pronouns: str
    """Pattern of he, she, it and they as a subject."""
    lead: str
    """Pattern of openers that say nothing ("well,", "by the way,")."""
    amend: str
    """Pattern of openers that announce a correction ("actually,", "no,")."""
    remember: str
    """Pattern of openers that ask to remember what follows."""
    breaks: str
    """Pattern after which, inside a sentence, a new clause begins."""
    cut: str
    """Pattern that ends a value inside its clause."""
    tail: str
    """Pattern of closing words that belong to no value ("now", "too")."""
    now: str
    """Pattern of words that say a thing has changed."""
    joins: str
    """Pattern between the things of a list."""
    articles: str
    """Pattern of articles before a value."""
    empty: str
    """Pattern of values that say nothing ("it", "that")."""
    question: str
    """Pattern of the opening of a question that may lack its mark."""
    doubt: str
    """Pattern of hypothesis in a clause."""
    fiction: str
    """Pattern after which nothing in the message is meant as true."""
    reported: str
    """Pattern of clauses that hand on what somebody else says."""
    imperative: str
    """Pattern of the opening of a request to the assistant."""
    slots: tuple[Slot, ...]
    cues: tuple[Cue, ...]
    rules: tuple[str, ...]
    """Patterns of standing orders to the assistant, searched for in a sentence."""
    forget: tuple[str, ...]
    """Patterns with ``{value}``: what the user asks to forget."""
    listing: str
    """Pattern of questions for everything that is known."""
    asks: tuple[tuple[str, str], ...]
    """Patterns of questions for one attribute, with the attribute."""
    amends: tuple[tuple[str, str], ...]
    """Patterns with ``{value}`` and perhaps ``{old}`` of corrections by a pronoun; the attribute, or "" for any."""
    ends: tuple[tuple[str, str], ...] = ()
    """Pattern and replacement that turn "I no longer work at X" into the statement that it ends."""
    called: str = ""
    """How to say that a subject has a name: ``{who}`` and ``{value}``."""
    preposition: str = ""
    """Pattern of what stands before each thing of a list and differs from thing to thing."""
    other: str = ""
    """Pattern of a clause that opens with a subject other than the user."""
    no_name: str = ""
    """Pattern of capitalised words that open a sentence and are no names, beside the frequent ones."""
    turns: tuple[tuple[str, str], ...] = ()
    """Pattern and replacement that bring another word order into the one the slots are written in."""
    plain: tuple[tuple[str, str], ...] = ()
    """Pattern and replacement, one after the other, that bring short and chatty ways to put it into full ones."""
    as_first: tuple[tuple[str, str], ...] = ()
    """Pattern and replacement that turn the opening of what is said of ``{they}`` into the first person."""
    at_hand: str = ""
    """Pattern of what belongs to the conversation itself ("the second version"): liking it says nothing lasting."""
    crowd: str = ""
    """Pattern of a clause that opens with people in general."""
    informs: str = ""
    """Pattern of openers after which a statement is meant to be known, whatever it is about."""
    splits: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Pattern of a clause that packs several statements, and each of them as a full one."""
    lasting: Lasting | None = None
    """How statements that no slot reads are told from talk of the moment."""
    puzzle: str = ""
    """Pattern of a question that only a sum or riddle ends with, so that its people are made up."""
    ellipsis: tuple[str, str] = ("", "")
    """Pattern before a verb whose subject was not repeated ("and work at"), and that subject."""
    goes_by: str = ""
    """How to state what the user wants to be called: ``{value}``."""
    addressed: str = ""
    """Pattern of the second person: what is said of "you" is not a note about the user."""
    todo: str = ""
    """Pattern of the opening of an act after "remember": a thing to do, not to know."""
    me: str = ""
    """Pattern of the first person at the start of a statement."""
    open_threads: str = ""
    """Pattern of things left to do."""
    spaced: bool = True
    """Whether words are separated by spaces."""
    months: Mapping[str, int] = field(default_factory=dict)
    weekdays: Mapping[str, int] = field(default_factory=dict)
    """Monday is 0."""
    dates: tuple[tuple[str, str], ...] = ()
    """Patterns of relative dates, each with the name of its reckoning in ``memory.dates``."""
