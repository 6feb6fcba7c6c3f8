"""The prompt of one turn: everything sent before, untouched, and a new block above the user's newest words.

Owns the order of the messages and the receipt of what each part costs. Pure: the same request and the same
tokenizer give the same prompt. The surprise: earlier blocks are repeated as stored and never rendered again,
so that an engine evaluates only what is new.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory.blocks import STATE, as_told, line_of, render_block, render_line, sent_item, words_of
from memory.budget import NO_ROOM, SECTIONS, BudgetSettings, CountCache, Section, TurnSection, allocate
from memory.errors import BudgetImpossible
from memory.head import Head, HeadParts, build_head
from memory.plan import NO_ANSWER, Planner, TurnPlan, carried, section_of, unsent
from memory.ports import CountTokens
from memory.prompt_request import PromptRequest, SentTurn
from memory.records import AssembledPrompt, LeftOut, PromptMessage, SectionUse, SentItem

__all__ = ["HeadParts", "PromptRequest", "SentTurn", "assemble", "render_head", "standing", "summary_after"]


def render_head(
    parts: HeadParts, settings: BudgetSettings, count: CountTokens, earlier_summary: str = ""
) -> str:
    """Render the top of a conversation, to be stored with it and sent unchanged until a rebuild."""
    return build_head(parts, allocate(settings), count, earlier_summary).text


def assemble(request: PromptRequest, count: CountTokens) -> AssembledPrompt:
    """Assemble a prompt that fits the window minus the reserve, or refuse the message with words."""
    counts = CountCache(count)
    allocation = allocate(request.settings)
    head = Head(request.head or "")
    rebuilt = request.head is None or request.rebuild
    if rebuilt:
        head = build_head(request.head_parts, allocation, counts, request.earlier_summary)
    planner = Planner(request, head.text, allocation, counts)
    leaving, plan = planner.choose()
    kept = sum(planner.turn_costs[leaving:]) + 3 * request.frame_tokens
    again = None if leaving else _as_before(request, head.text, plan, kept, allocation.room, counts)
    plan, block, total = again or _fit(request, head.text, plan, kept, allocation.room, counts)
    messages = standing(head.text, plan.window.turns)
    messages.append(PromptMessage("user", block + words_of(request.message.text)))
    return AssembledPrompt(
        messages=tuple(messages),
        head=head.text,
        block=block,
        items=(*_top_items(plan, request, counts), *(sent_item(line, cost) for line, cost in plan.lines)),
        left_out=(*head.left_out, *plan.left_out, *request.recall.left_out),
        sections=_sections(request.settings, head.text, plan, total, counts),
        tokens=total,
        window=allocation.window,
        reserve=allocation.reserve,
        dropped_turns=tuple(turn.message_id for turn in request.turns[:leaving]),
        leaving=tuple(standing(head.text, request.turns[:leaving])[1:]),
        rebuilt=rebuilt,
    )


def standing(head: str, turns: Sequence[SentTurn]) -> list[PromptMessage]:
    """Give what a prompt holds before its newest turn: the top, and every turn as it was sent."""
    messages = [PromptMessage("system", head)]
    for turn in turns:
        messages += [
            PromptMessage("user", turn.content),
            PromptMessage("assistant", turn.answer or NO_ANSWER),
        ]
    return messages


def summary_after(request: PromptRequest, prompt: AssembledPrompt) -> str:
    """Give the running summary to keep once this prompt has been sent."""
    gone = request.turns[: len(prompt.dropped_turns)]
    if not gone:
        return request.earlier_summary
    return request.summarise(request.earlier_summary, [(turn.text, turn.answer) for turn in gone])


def _as_before(
    request: PromptRequest, head: str, plan: TurnPlan, kept: int, room: int, count: CountTokens
) -> tuple[TurnPlan, str, int] | None:
    """Take the block that this message was sent with before; None when there is none or it no longer fits."""
    before = request.again
    if before is None:
        return None
    total = kept + sum(count([head, before.block + words_of(request.message.text)]))
    if total > room:
        return None
    told = tuple(line.removeprefix(STATE) for line in before.block.split("\n") if line.startswith(STATE))
    lines = tuple((line_of(item), item.tokens) for item in before.block_items)
    return replace(plan, lines=lines, earlier="", state=told, notices=()), before.block, total


def _fit(
    request: PromptRequest, head: str, plan: TurnPlan, kept: int, room: int, count: CountTokens
) -> tuple[TurnPlan, str, int]:
    """Render the block and drop the least of it until the exact count fits."""
    words = words_of(request.message.text)
    while True:
        block = render_block(
            request.message,
            [render_line(line, request.message.zone) for line in as_told(line for line, _ in plan.lines)],
            earlier=plan.earlier,
            state=plan.state,
            notices=plan.notices,
        )
        total = kept + sum(count([head, block + words]))
        if total <= room:
            return plan, block, total
        if plan.lines:
            last = unsent(plan.lines[-1][0], NO_ROOM, plan.lines[-1][1])
            plan = replace(plan, lines=plan.lines[:-1], left_out=(last, *plan.left_out))
        elif plan.earlier or plan.state or plan.notices:
            kinds = (("state", plan.state), ("notice", plan.notices), ("summary", (plan.earlier,)))
            cut = [LeftOut(kind, kind, text, NO_ROOM) for kind, texts in kinds for text in texts if text]
            plan = replace(plan, earlier="", state=(), notices=(), left_out=(*plan.left_out, *cut))
        else:
            (tokens,) = count([words])
            raise BudgetImpossible(
                f"this message has {tokens:,} tokens, but only {max(0, tokens - total + room):,} fit into the "
                "model's window beside the rest of the prompt"
            )


def _top_items(plan: TurnPlan, request: PromptRequest, count: CountTokens) -> tuple[SentItem, ...]:
    top = plan.window.top
    costs = count([render_line(line, request.head_parts.zone) + "\n" for line in top]) if top else []
    return tuple(sent_item(line, cost) for line, cost in zip(top, costs, strict=True))


def _sections(
    settings: BudgetSettings, head: str, plan: TurnPlan, total: int, count: CountTokens
) -> tuple[SectionUse, ...]:
    """Split the whole prompt into its sections; the turns have what no other section claims."""
    sizes = count(
        [head, *(part + "\n" for part in (*plan.window.pinned, *plan.window.episodes, *plan.state))]
    )
    pins, told = len(plan.window.pinned), len(plan.window.episodes)
    pinned, episodes = sum(sizes[1 : 1 + pins]), sum(sizes[1 + pins : 1 + pins + told])

    def in_blocks(section: TurnSection) -> int:
        fresh = sum(cost for line, cost in plan.lines if section_of(line.kind) == section)
        return carried(plan.window.turns, section) + fresh

    used: dict[Section, int] = {
        "system": max(0, sizes[0] - pinned - episodes),
        "pinned": pinned,
        "episodes": episodes + in_blocks("episodes"),
        "memory": in_blocks("memory"),
        "state": sum(sizes[1 + pins + told :]),
        "attachments": in_blocks("attachments"),
    }
    used["turns"] = max(0, total - sum(used.values()))
    caps = dict(allocate(settings).grants)
    caps["turns"] = allocate(settings, used).grants["turns"]
    return tuple(SectionUse(name, used[name], caps[name]) for name in SECTIONS)
