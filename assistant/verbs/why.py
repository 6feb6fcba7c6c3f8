"""`locket memory why`: what an answer rested on, whether its memory would still be written so, and the prompt as sent.

Owns the words and the marks. The surprise: control tokens are never printed as the model gets them, so that a prompt
that is pasted somewhere opens no message there.
"""

from __future__ import annotations

from typing import Any

import click

from assistant.cli import Context, print_json, shared_options
from assistant.token_ids import SameIds, compare_ids
from assistant.verbs.opening import reading
from assistant.verbs.shapes import left_out_json, sent_json
from assistant.visible import echo
from memory.as_sent import AsSent, as_sent, replayed, trace_named
from memory.records import Trace
from memory.replay import Replay, ReplayOutcome

OUTCOMES = {
    ReplayOutcome.EQUAL: "Rendered again, the memory of this turn is equal to what was sent.",
    ReplayOutcome.RENDERER_CHANGED: "Rendered again, it differs: the renderer has changed since.",
    ReplayOutcome.FORGOTTEN: "Rendered again, it differs: an item has been forgotten since.",
}


@click.command()
@click.argument("message")
@click.option("--replay", "again", is_flag=True, help="Render its memory again and compare.")
@click.option("--prompt", "whole", is_flag=True, help="Print the prompt as it was sent.")
@shared_options
def why(context: Context, message: str, again: bool, whole: bool) -> None:
    """Say what an answer rested on; MESSAGE is an id, or "last"."""
    with reading(context) as reader:
        trace = trace_named(reader, message)
        compared = replayed(reader, trace) if again else None
        prompt = as_sent(reader, trace) if whole or again else None
    ids = compare_ids(context.settings, trace, prompt) if again and prompt is not None else None
    shown = prompt if whole else None
    if context.as_json:
        print_json(**why_json(trace, compared, ids, shown))
        return
    if compared is None and shown is None:
        _tell(trace)
    if compared is not None and ids is not None:
        _tell_replay(trace, compared, ids)
    if shown is not None:
        _tell_prompt(shown)


def why_json(
    trace: Trace, compared: Replay | None, ids: SameIds | None, prompt: AsSent | None
) -> dict[str, Any]:
    """Return the documented shape."""
    shape: dict[str, Any] = {
        "message": trace.message,
        "answer": trace.answer,
        "recalled": [sent_json(item) for item in trace.items],
        "left_out": [left_out_json(item) for item in trace.left_out],
        "sections": {s.name: s.tokens for s in trace.sections},
        "caps": {s.name: s.cap for s in trace.sections},
        "ids_sha256": trace.usage.ids_sha256 if trace.usage else None,
        "model_sha256": trace.usage.model_sha256 if trace.usage else None,
    }
    if compared is not None and ids is not None:
        shape["replay"] = {
            "outcome": str(compared.outcome),
            "forgotten": list(compared.forgotten),
            "sent": list(compared.sent),
            "rendered": list(compared.rendered),
            "ids": str(ids.outcome),
            "ids_why": ids.why,
        }
    if prompt is not None:
        shape["prompt"] = [{"role": one.role, "text": one.text} for one in prompt.messages]
        shape["prompt_gaps"] = list(prompt.gaps)
    return shape


def _tell(trace: Trace) -> None:
    for item in trace.items:
        parts = ", ".join(f"{name} {value:.2f}" for name, value in item.parts.items())
        score = f"score {item.score:.2f}: {parts}; " if parts else ""
        echo(f"used: {item.text}  ({score}{item.tokens} tokens; {item.reason})")
    for left in trace.left_out:
        echo(f"left out: {left.text}  ({left.reason})")
    if not trace.items and not trace.left_out:
        echo("Nothing from memory was used.")
    for section in trace.sections:
        if section.tokens:
            echo(f"{section.name:12} {section.tokens:>6,} of {section.cap:,} tokens")


def _tell_replay(trace: Trace, compared: Replay, ids: SameIds) -> None:
    echo(OUTCOMES[compared.outcome])
    echo(ids.why)
    for line in compared.sent:
        echo(f"sent:     {line}")
    for line in compared.rendered:
        echo(f"rendered: {line}")
    for ident in compared.forgotten:
        echo(f"forgotten: {ident}")
    if trace.usage is not None:
        echo(f"token ids and model, as sent: sha256 {trace.usage.ids_sha256}")


def _tell_prompt(prompt: AsSent) -> None:
    for gap in prompt.gaps:
        echo(f"({gap})", err=True)
    for one in prompt.messages:
        echo(f"⟦{one.role}⟧")
        echo(one.text)
        echo("⟦end⟧")
    echo("⟦assistant⟧")
