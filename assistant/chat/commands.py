"""Slash commands as values: what the user typed after a slash, read once, for the screen and the plain chat alike.

Owns names, arguments and their one-line descriptions; does nothing itself. One surprise: a path
("/usr/bin/env") or a doubled slash ("//shrug") is a message, not a command.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from enum import StrEnum

CONTINUE = "Go on exactly where you stopped."
"""What /continue says to the model."""
NO_PERSONA = ("none", "off", "default")
PERSONA_HOLDS = " It then stands in every prompt of this profile."
PERSONA_APART = (
    " This conversation is incognito: the profile's persona is used here only when memory is lent"
    " (`incognito_recall`), and what you set here holds for this conversation only."
)
"""What takes a persona back."""


class Verb(StrEnum):
    """Every slash command."""

    HELP = "help"
    NEW = "new"
    INCOGNITO = "incognito"
    KEEP = "keep"
    PAUSE = "pause"
    CONTINUE = "continue"
    SEARCH = "search"
    REGENERATE = "regenerate"
    EDIT = "edit"
    BRANCH = "branch"
    COPY = "copy"
    TITLE = "title"
    PERSONA = "persona"
    MODEL = "model"
    CONTEXT = "context"
    WHY = "why"
    REMEMBER = "remember"
    FORGET = "forget"
    MEMORY = "memory"
    REVIEW = "review"
    RULE = "rule"
    UNDO = "undo"
    ATTACH = "attach"
    LOCK = "lock"
    EXPORT = "export"
    IMPORT = "import"
    QUIT = "quit"


class Wants(StrEnum):
    """Whether words may follow a command."""

    NOTHING = "nothing"
    MAYBE = "maybe"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Spec:
    """How one command is written and what it does."""

    verb: Verb
    argument: str
    """What follows, as shown to people; empty when nothing does."""
    summary: str
    wants: Wants

    @property
    def usage(self) -> str:
        """The command as it is typed."""
        return f"/{self.verb} {self.argument}".rstrip()


@dataclass(frozen=True, slots=True)
class Command:
    """A command that can be carried out."""

    verb: Verb
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Misused:
    """A known command with words missing or too many."""

    verb: Verb
    reason: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """No command of that name."""

    word: str
    nearest: Verb | None

    @property
    def reason(self) -> str:
        """Say so, with the way out."""
        near = f" Did you mean /{self.nearest}?" if self.nearest else ""
        return f"There is no command /{self.word}.{near} To send it as text, type //{self.word}."


Parsed = Command | Misused | Unknown | None


def _spec(verb: Verb, argument: str, summary: str) -> Spec:
    wants = Wants.NOTHING if not argument else Wants.MAYBE if argument.startswith("[") else Wants.WORDS
    return Spec(verb, argument, summary, wants)


SPECS: tuple[Spec, ...] = (
    _spec(Verb.HELP, "", "keys and commands"),
    _spec(Verb.NEW, "", "start a conversation"),
    _spec(Verb.INCOGNITO, "", "start one that leaves no trace"),
    _spec(Verb.KEEP, "", "keep this incognito conversation after all"),
    _spec(Verb.PAUSE, "", "stop or resume remembering in this conversation"),
    _spec(Verb.CONTINUE, "", "go on with an answer that was cut short"),
    _spec(Verb.SEARCH, "[WORDS]", "search everything"),
    _spec(Verb.REGENERATE, "", "answer the last message again"),
    _spec(Verb.EDIT, "", "change your last message and send it again"),
    _spec(Verb.BRANCH, "", "go on from the selected message, leaving the rest as it is"),
    _spec(Verb.COPY, "[code]", "copy the last answer, or only its code"),
    _spec(Verb.TITLE, "[WORDS]", "name this conversation"),
    _spec(Verb.PERSONA, "[WORDS]", "say how Locket should be; none takes it back"),
    _spec(Verb.MODEL, "[NAME or PATH]", "show or change the model"),
    _spec(Verb.CONTEXT, "", "what fills the model's window"),
    _spec(Verb.WHY, "", "why the last answer said what it said"),
    _spec(Verb.REMEMBER, "WORDS", "remember this"),
    _spec(Verb.FORGET, "WORDS", "forget what is known about this"),
    _spec(Verb.MEMORY, "[WORDS]", "what is remembered"),
    _spec(Verb.REVIEW, "", "memories that wait for your yes"),
    _spec(Verb.RULE, "[WORDS]", "how you want things done"),
    _spec(Verb.UNDO, "", "undo the last change of memory"),
    _spec(Verb.ATTACH, "FILE", "add a text file to the next message"),
    _spec(Verb.LOCK, "", "lock now"),
    _spec(Verb.EXPORT, "[FILE]", "write everything to an encrypted file"),
    _spec(Verb.IMPORT, "[FILE]", "take in such a file, or another program's export"),
    _spec(Verb.QUIT, "", "close Locket"),
)
BY_VERB: dict[Verb, Spec] = {spec.verb: spec for spec in SPECS}


def parse_command(text: str) -> Parsed:
    """Read a command; None means that the text is a message."""
    stripped = text.strip()
    if not stripped.startswith("/") or stripped.startswith("//") or stripped == "/":
        return None
    parts = stripped[1:].split(maxsplit=1)
    word, rest = parts[0], parts[1].strip() if len(parts) > 1 else ""
    if stripped[1].isspace() or not word.isalpha():
        return None
    try:
        verb = Verb(word.lower())
    except ValueError:
        return Unknown(word, nearest(word))
    wants = BY_VERB[verb].wants
    if wants is Wants.WORDS and not rest:
        return Misused(verb, f"Say what: {BY_VERB[verb].usage}")
    if wants is Wants.NOTHING and rest:
        return Misused(verb, f"/{verb} takes nothing after it. To send it as text, type //{verb} …")
    return Command(verb, rest)


def as_message(text: str) -> str:
    """Take one slash off a text that was escaped with two."""
    head = text.lstrip()
    return head[1:] if head.startswith("//") else text


def nearest(word: str) -> Verb | None:
    """Guess which command was meant."""
    lowered = word.lower()
    started = [verb for verb in Verb if verb.value.startswith(lowered)]
    if started:
        return started[0]
    close = difflib.get_close_matches(lowered, [verb.value for verb in Verb], n=1, cutoff=0.5)
    return Verb(close[0]) if close else None


def completions(typed: str) -> tuple[Spec, ...]:
    """List the commands that what is typed so far may become; none once the command is complete."""
    if not typed.startswith("/") or typed.startswith("//"):
        return ()
    word = typed[1:].lower()
    if word and not word.isalpha():
        return ()
    return tuple(spec for spec in SPECS if spec.verb.value.startswith(word))
