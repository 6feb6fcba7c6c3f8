"""`locket memory consider`: the write path on any text, with its reasons, without a model and without a store."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import click

from assistant.cli import FORMAT, Context, print_json, shared_options
from assistant.paths import holds_store
from assistant.problems import Exit, to_problem
from assistant.times import in_json
from assistant.verbs.opening import writing
from assistant.verbs.shapes import decided_json
from assistant.visible import echo
from assistant.wiring import clock_of, memory_of, open_store
from memory.considering import Considered, consider, question_of
from memory.errors import BadInput
from memory.records import Decided, Ignore
from memory.secrets import secret_kinds
from memory.store.migrations import migrate
from memory.vault.ephemeral import open_ephemeral

LONGEST_LINE = 16_000_000


@click.command("consider")
@click.option("--store", is_flag=True, help="Keep what is found, as if it had been said.")
@click.argument("text")
@shared_options
def consider_verb(context: Context, store: bool, text: str) -> int:
    """Say what would be remembered of TEXT and why; with - read JSON lines, one result a line.

    A line is {"text", "said_at", "context", "existing"}; only "text" is needed. Lines are judged each for
    itself, against nothing but what they bring along.
    """
    if text == "-":
        if store:
            raise click.UsageError("--store takes one TEXT, not lines")
        return _lines(context)
    if store:
        with writing(context) as memory:
            turn = memory.begin_turn(text)
        decided = turn.decided
    elif holds_store(context.settings.paths.vault):
        with open_store(context.settings, context.secret(), writer=False) as vault:
            decided = memory_of(context.settings, vault).consider(text)
    else:
        now = clock_of(context.settings)()
        decided = consider(open_ephemeral(migrate), question_of({"text": text}, now)).decided
    shapes = [_shape(done) for done in decided]
    if context.as_json:
        print_json(text=text, decisions=shapes, secrets=secret_kinds(text))
        return int(Exit.OK)
    for shape in shapes:
        echo(
            f"{shape['decision']}: {shape['text']}  ({shape['subject']} · {shape['attribute']}; {shape['reason']})"
        )
    if kinds := secret_kinds(text):
        echo(f"It holds a secret ({', '.join(kinds)}), which is never remembered.")
    if not shapes:
        echo("Nothing would be remembered.")
    return int(Exit.OK)


def _lines(context: Context) -> int:
    db = open_ephemeral(migrate)
    failed = False
    for number, line in enumerate(_read(), 1):
        if not line.strip():
            continue
        now = clock_of(context.settings)()
        try:
            done = consider(db, question_of(_object(line), now))
        except (ValueError, OverflowError, BadInput) as error:
            failed = True
            problem = to_problem(error)
            words = (
                problem.detail if problem else "this cannot be judged: a time or a text in it is out of range"
            )
            click.echo(json.dumps({"format": FORMAT, "line": number, "error": words}, ensure_ascii=False))
            continue
        click.echo(json.dumps(_result(done), ensure_ascii=False))
    return int(Exit.PARTLY if failed else Exit.OK)


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        raise BadInput("the line is not UTF-8") from None
    except (ValueError, RecursionError):
        raise BadInput("the line is not valid JSON") from None
    if not isinstance(value, dict):
        raise BadInput("a line must be a JSON object")
    return value


def _read() -> Iterator[bytes]:
    """Yield the lines, the first one without the mark that some editors begin a file with."""
    source = sys.stdin.buffer
    first = True
    while line := source.readline(LONGEST_LINE):
        yield line.removeprefix(codecs.BOM_UTF8) if first else line
        first = False


def _result(done: Considered) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "text": done.text,
        "decisions": [_shape(one, done.existing) for one in done.decided],
        "secrets": secret_kinds(done.text),
    }


def _shape(done: Decided, names: Mapping[str, str] | None = None) -> dict[str, Any]:
    candidate = done.candidate
    shape = decided_json(done)
    known = names or {}
    shape["supersedes"] = [known.get(ident, ident) for ident in shape["supersedes"]]
    target = getattr(done.decision, "fact", "")
    shape["existing"] = known.get(target, target) or None
    if names is not None or isinstance(done.decision, Ignore):
        shape["id"] = None  # nothing was kept, so there is nothing to show
    return shape | {
        "start": candidate.start,
        "end": candidate.end,
        "language": candidate.language,
        "origin": str(candidate.origin),
        "confidence": round(candidate.confidence, 2),
        "importance": round(candidate.importance, 2),
        "expires_at": in_json(candidate.expires_at),
        "rule": candidate.rule,
    }
