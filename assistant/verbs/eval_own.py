"""`locket eval run --golden` and the questions behind it: what memory should, and should not, find for its owner."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from assistant.cli import Context, print_json, shared_options
from assistant.verbs.opening import reading, writing
from assistant.visible import echo

if TYPE_CHECKING:
    from assistant.evaluation.answers import Compared, Wanted
    from memory.goldens import Checked
    from memory.reader import Reader


@click.command()
@click.argument("question")
@click.option("--should", "should", multiple=True, help="A memory that must be found (an id).")
@click.option("--should-not", "should_not", multiple=True, help="A memory that must not be found (an id).")
@shared_options
def add(context: Context, question: str, should: tuple[str, ...], should_not: tuple[str, ...]) -> None:
    """Keep a question of your own, with what it should or should not find."""
    if not should and not should_not:
        raise click.UsageError("say what it should find (--should ID) or should not (--should-not ID)")
    with writing(context, embedder=False) as memory:
        good, bad = ({memory.reader.full_id(one) for one in idents} for idents in (should, should_not))
        if good & bad:
            raise click.UsageError("one memory cannot be both what it should find and what it should not")
        kept = [
            memory.add_golden(question, idents, should=good)
            for idents, good in ((should, True), (should_not, False))
            if idents
        ]
    if context.as_json:
        print_json(added=kept)
    else:
        echo(f"kept: {question}")


@click.command()
@click.argument("ident")
@shared_options
def remove(context: Context, ident: str) -> None:
    """Drop a question of your own (an id, or the beginning of one)."""
    with writing(context, embedder=False) as memory:
        gone = memory.drop_golden(ident)
    if context.as_json:
        print_json(removed=gone)
    else:
        echo(f"dropped: {gone}")


def ask_own(context: Context, *, embedder: bool, answers: bool, tell: Any) -> dict[str, Any]:
    """Ask every question of the user's; with ``answers``, have the model answer it with memory and without."""
    with writing(context, embedder=embedder) as memory:
        results = memory.ask_goldens()
    passed = sum(one.passed for one in results)
    shape: dict[str, Any] = {
        "questions": len(results),
        "passed": passed,
        "results": [asdict(one) for one in results],
    }
    if answers:
        with reading(context) as reader:
            wanted = _wanted(reader, results)
        compared = asyncio.run(_compared(context, wanted, tell))
        shape |= {
            "answered": len(compared),
            "right_with_memory": sum(one.with_memory for one in compared),
            "right_without": sum(one.without_memory for one in compared),
        }
    return shape


def own_lines(shape: dict[str, Any]) -> list[str]:
    """Say in lines how the questions went."""
    lines = [
        f"{'ok  ' if one['passed'] else 'MISS'} {one['id']}  {one['question']}" for one in shape["results"]
    ]
    lines.append(f"{shape['passed']} of {shape['questions']} as they should be")
    if "answered" in shape:
        lines.append(
            f"answered rightly, of {shape['answered']}: {shape['right_with_memory']} with memory, "
            f"{shape['right_without']} without"
        )
    return lines


def _wanted(reader: Reader, results: tuple[Checked, ...]) -> list[Wanted]:
    from assistant.evaluation.answers import Wanted  # noqa: PLC0415 - only answers need it
    from memory.errors import NotFound  # noqa: PLC0415 - as above
    from memory.records import Fact  # noqa: PLC0415 - as above

    wanted = []
    for one in results:
        values = []
        for ident in one.expected if one.should else ():
            try:
                record = reader.get_any(ident)
            except NotFound:  # removed since
                continue
            values += [record.value] if isinstance(record, Fact) else []
        if values:
            wanted.append(Wanted(one.question, tuple(values)))
    return wanted


async def _compared(context: Context, wanted: list[Wanted], tell: Any) -> list[Compared]:
    from assistant.evaluation.answers import compare, settings_for  # noqa: PLC0415 - as above
    from assistant.wiring import open_locket  # noqa: PLC0415 - as above

    secret = await asyncio.to_thread(context.secret)
    locket = await asyncio.to_thread(open_locket, settings_for(context.settings), secret)
    try:
        return await compare(locket, wanted, tell)
    finally:
        await locket.close()
