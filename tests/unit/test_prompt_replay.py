from dataclasses import replace

from prompt_builders import MORNING, count, fact, hit, recalled, said

from memory.prompt import HeadParts, PromptRequest, assemble
from memory.records import Message, Trace, WorkingState
from memory.replay import ReplayOutcome, replay

DOG = fact("f1", "My dog is called Biscuit", "Biscuit")
WAFFLE = fact("f2", "My dog is called Waffle", "Waffle")
NAME = fact("f3", "My name is Marta", "Marta")


def sent() -> tuple[Trace, Message]:
    message = said("What is my dog called?")
    request = PromptRequest(
        message,
        recalled(
            hit(fact("f4", "I go climbing"), tentative=True),
            hit(fact("f5", "I like tea"), note="later: coffee"),
        ),
        head_parts=HeadParts(pinned=(NAME,)),
        updates=((DOG, WAFFLE),),
        state=WorkingState(goal="train the dog"),
        notices=("memory is thin",),
    )
    prompt = assemble(request, count)
    trace = Trace(
        "t1",
        "default",
        "c1",
        message.id,
        None,
        prompt.block,
        prompt.items,
        prompt.left_out,
        prompt.sections,
        None,
        MORNING,
    )
    return trace, message


def test_an_untouched_turn_renders_equal() -> None:
    trace, message = sent()
    assert len(trace.items) == 4
    assert replay(trace, message, lambda _: True).outcome is ReplayOutcome.EQUAL


def test_a_block_in_an_older_form_says_which_lines_differ() -> None:
    trace, message = sent()
    older = replace(trace, block=trace.block.replace("the user said", "user"))
    outcome = replay(older, message, lambda _: True)
    assert outcome.outcome is ReplayOutcome.RENDERER_CHANGED
    assert len(outcome.sent) == len(outcome.rendered) == 3
    assert all("user said" not in line for line in outcome.sent)


def test_a_forgotten_item_is_named_by_its_id() -> None:
    trace, message = sent()
    outcome = replay(trace, message, lambda ident: ident != "f2")
    assert (outcome.outcome, outcome.forgotten) == (ReplayOutcome.FORGOTTEN, ("f2",))


def test_a_line_that_was_taken_out_of_a_stored_block_shows_up() -> None:
    trace, message = sent()
    kept = [line for line in trace.block.split("\n") if "climbing" not in line]
    outcome = replay(replace(trace, block="\n".join(kept)), message, lambda _: True)
    assert outcome.outcome is ReplayOutcome.RENDERER_CHANGED
    assert outcome.rendered == ("- 2026-03-03, the user said, not confirmed since: I go climbing",)
