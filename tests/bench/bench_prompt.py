"""What a turn costs with the starter model: tokens evaluated and time to the first word, beside two other layouts.

The other layouts are what most assistants do: memory in the system message, and a window that is read again once
it was cut. Numbers are printed; only ratios that no load of the machine explains are held to a floor.
"""

import asyncio
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import pytest
from prompt_builders import fact, hit, recalled, said
from textual.widgets import Static

from assistant.chat.counter import TokenCounter
from assistant.chat.prefix import Prefix, as_sent
from assistant.settings import load_settings
from assistant.tui.app import LocketApp
from assistant.tui.doors import real_doors
from assistant.wiring import create_store
from memory.budget import BudgetSettings
from memory.prompt import HeadParts, PromptRequest, SentTurn, assemble, render_head
from memory.records import AssembledPrompt, Recall
from memory.standing import Standing
from models.engine.client import ChatEngine
from models.types import (
    ChatMessage,
    Chunk,
    EngineSettings,
    PromptProgress,
    Sampling,
    StreamFinished,
    StreamStarted,
)

pytestmark = [pytest.mark.slow, pytest.mark.model, pytest.mark.timeout(3600)]

HISTORIES = (500, 1500, 3500)
WINDOW = 8192
PASSPHRASE = "otter lamp violet harbour"
STORY = "The lighthouse stood above the harbour and its keeper wrote down every ship that passed by. "
FACTS = (
    "My dog is called Biscuit and is three years old",
    "My sister Marta lives in Porto with two children",
    "I am allergic to peanuts and to cats",
    "I work as a nurse in the night shift",
    "My favourite tea is Assam with a little milk",
    "My bicycle stands in the cellar since October",
)


@dataclass(frozen=True)
class Cost:
    """One turn."""

    evaluated: int
    first_word_s: float
    cpu_s: float
    """What the engine worked for it on all cores, which other work on the machine hardly changes; 0 if unknown."""


@pytest.fixture(scope="module")
def engine(starter_model: Path) -> Iterator[ChatEngine]:
    opened = ChatEngine(starter_model, EngineSettings(n_ctx=WINDOW))
    opened.open()
    yield opened
    opened.close()


def cpu_of(pid: int) -> float:
    """Give the seconds that a process has worked, where the system tells."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(engine: ChatEngine, messages: Sequence[ChatMessage]) -> Cost:
    begun, first, evaluated = time.monotonic(), 0.0, 0
    worked = cpu_of(engine.pid)
    for event in engine.stream(messages, Sampling(temperature=0.0, max_tokens=2), Event()):
        match event:
            case StreamStarted():
                evaluated = event.evaluated
            case Chunk():
                first = first or time.monotonic() - begun
            case StreamFinished():
                first = first or time.monotonic() - begun
            case _:
                pass
    return Cost(evaluated, first, cpu_of(engine.pid) - worked)


def run_again(engine: ChatEngine, before: Sequence[ChatMessage], messages: Sequence[ChatMessage]) -> Cost:
    """Run the same turn three times after the same earlier one, and give the one in the middle."""
    costs = []
    for _ in range(3):
        run(engine, before)
        costs.append(run(engine, messages))
    return sorted(costs, key=lambda cost: cost.first_word_s)[1]


def history(count: TokenCounter, tokens: int) -> tuple[SentTurn, ...]:
    turns: list[SentTurn] = []
    total = 0
    while total < tokens:
        text, answer = f"Part {len(turns)}. {STORY * 4}", "I see, please go on."
        turns.append(SentTurn(f"m{len(turns)}", "", text, answer))
        total += sum(count([text, answer])) + 10
    return tuple(turns)


def request(count: TokenCounter, turns: tuple[SentTurn, ...], words: str, recall: Recall) -> PromptRequest:
    settings = BudgetSettings(window=WINDOW)
    head = render_head(HeadParts(), settings, count)
    return PromptRequest(
        said(words, f"n{len(words)}"),
        recall,
        head=head,
        turns=turns,
        settings=settings,
        frame_tokens=count.frame,
    )


def at_the_top(prompt: AssembledPrompt, words: str) -> list[ChatMessage]:
    """Lay the same memory out in the system message, where it is another one every turn."""
    top, *between, _ = as_sent(prompt.messages)
    return [ChatMessage("system", f"{prompt.block}\n{top.text}"), *between, ChatMessage("user", words)]


def test_a_turn_against_memory_at_the_top(engine: ChatEngine, capsys: pytest.CaptureFixture[str]) -> None:
    count = TokenCounter(engine)
    memories = recalled(*(hit(fact(f"f{n}", text)) for n, text in enumerate(FACTS)))
    rows = []
    with capsys.disabled():
        print("\nhistory  kept: evaluated  first word      cpu   top: evaluated  first word   ratio of both")
        for tokens in HISTORIES:
            turns = history(count, tokens)
            words = "What is my dog called?"
            plain = assemble(request(count, turns, "Hello", Recall("")), count)
            asked = assemble(request(count, turns, words, memories), count)
            engine.reset()
            kept = run_again(engine, as_sent(plain.messages), as_sent(asked.messages))
            engine.reset()
            run(engine, at_the_top(plain, "Hello"))
            top = run(engine, at_the_top(asked, words))
            rows.append((tokens, kept, top))
            print(
                f"{tokens:>7}  {kept.evaluated:>15}  {kept.first_word_s:>9.2f}s  {kept.cpu_s:>6.2f}s"
                f"  {top.evaluated:>15}"
                f"  {top.first_word_s:>9.2f}s   {top.evaluated / kept.evaluated:.1f}x"
                f"  {top.first_word_s / kept.first_word_s:.1f}x",
                flush=True,
            )
        few, many = rows[0][1], rows[-1][1]
        growth, work = many.first_word_s / few.first_word_s, many.cpu_s / (few.cpu_s or 1)
        print(
            f"first word at {HISTORIES[-1]} over first word at {HISTORIES[0]}: {growth:.2f} (goal 1.6);"
            f" work of the processor: {work:.2f}"
        )
    assert len({kept.evaluated for _, kept, _ in rows}) == 1, "what a turn evaluates does not grow"
    assert rows[-1][2].evaluated > 15 * rows[-1][1].evaluated


def test_turns_that_leave_against_reading_the_rest_again(
    engine: ChatEngine, capsys: pytest.CaptureFixture[str]
) -> None:
    count = TokenCounter(engine)
    turns = history(count, 3500)
    before = assemble(request(count, turns, "Hello", Recall("")), count)
    messages = as_sent(before.messages)
    leaving = len(turns) // 2
    kept = [messages[0], *messages[1 + 2 * leaving :]]
    engine.reset()
    run(engine, messages)
    shares = engine.measure(messages)
    begun = time.monotonic()
    start = shares.leading + shares.per_message[0]
    assert engine.evict(start, start + sum(shares.per_message[1 : 1 + 2 * leaving]))
    moved = time.monotonic() - begun
    cheap = run(engine, kept)
    engine.reset()
    run(engine, messages)
    whole = run(engine, kept)
    with capsys.disabled():
        print(
            f"\ncut and move: {moved:.3f}s, then {cheap.evaluated} evaluated, first word {cheap.first_word_s:.2f}s"
        )
        print(f"read again: {whole.evaluated} evaluated, first word {whole.first_word_s:.2f}s")
        print(f"cheaper by {whole.first_word_s / (moved + cheap.first_word_s):.1f}x (goal 20)")
    assert whole.evaluated > 20 * cheap.evaluated


def test_reading_ahead_leaves_only_the_words(engine: ChatEngine, capsys: pytest.CaptureFixture[str]) -> None:
    count = TokenCounter(engine)
    asked = assemble(request(count, history(count, 1500), "Hello", Recall("")), count)
    standing = Standing("c1", asked.messages[:-1], asked.head)
    engine.reset()
    begun = time.monotonic()
    assert Prefix(engine, count).read_ahead(standing, Event(), lambda _done, _total: None)
    ahead = time.monotonic() - begun
    cost = run(engine, as_sent(asked.messages))
    with capsys.disabled():
        print(
            f"\nread ahead in {ahead:.1f}s; then {cost.evaluated} evaluated, first word {cost.first_word_s:.2f}s"
        )
    assert cost.evaluated < 60


async def test_the_screen_redraws_while_a_long_prompt_is_read(
    smoke_model: Path, locket_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (locket_home / "models").mkdir(parents=True)
    (locket_home / "models" / smoke_model.name).symlink_to(smoke_model)
    settings = load_settings(os.environ)
    create_store(settings, PASSPHRASE)
    engine = ChatEngine(smoke_model, EngineSettings(n_ctx=4096))
    await asyncio.to_thread(engine.open)
    drawn: list[float] = []
    reading: list[float] = []

    def read() -> None:
        for event in engine.stream([ChatMessage("user", STORY * 110)], Sampling(max_tokens=1), Event()):
            if isinstance(event, PromptProgress):
                reading.append(time.monotonic())

    app = LocketApp(settings, real_doors())
    async with app.run_test(size=(120, 40)) as pilot:
        field = Static("0", id="ticker")
        await app.screen.mount(field)

        def tick() -> None:
            field.update(str(len(drawn)))
            app.call_after_refresh(lambda: drawn.append(time.monotonic()))

        app.set_interval(1 / 60, tick)
        await asyncio.to_thread(read)
        await pilot.pause()
    engine.close()
    inside = [at for at in drawn if reading[0] <= at <= reading[-1]]
    span = reading[-1] - reading[0]
    with capsys.disabled():
        print(
            f"\n{len(inside)} pictures in {span:.1f}s of reading: {len(inside) / span:.0f} a second (goal 30)"
        )
    assert len(inside) / span > 10
