"""What a person sees when an engine misbehaves; each with a process that really does.

Longer than most: a list of faults that share one way of starting an engine and of watching it fail.
"""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

import pytest
from contract_engine import finished, text_of, user
from fake_engine import ODD, ODD_CARDS

from models.engine.client import ChatEngine
from models.engine.log import MAX_FILE
from models.errors import (
    EngineClosed,
    EngineCrashed,
    EngineUnavailable,
    ModelChanged,
    ModelError,
    ModelMissing,
    ModelUnusable,
)
from models.types import (
    EngineSettings,
    Measured,
    Prefilled,
    Sampling,
    StopReason,
    StreamEvent,
    StreamFinished,
)

FAKE = Path(__file__).resolve().parents[1] / "fake_engine.py"
IMPATIENT = frozenset({"deaf", "never-reads", "stuck", "counts-for-ever"})
Make = Callable[[str], ChatEngine]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    made: list[ChatEngine] = []
    model = tmp_path / "model.gguf"
    model.write_bytes(b"any")

    def start(mode: str) -> ChatEngine:
        command = [sys.executable, "-P", str(FAKE), mode, str(tmp_path / "marker")]
        settings = EngineSettings(heartbeat_s=1.5 if mode in IMPATIENT else 30.0, stall_s=100.0)
        made.append(ChatEngine(model, settings, log_file=tmp_path / "engine.log", command=command))
        return made[-1]

    yield start
    for engine in made:
        engine.close()


def ask(engine: ChatEngine, stop: Event | None = None) -> list[StreamEvent]:
    return list(engine.stream([user("hello")], Sampling(), stop or Event()))


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(true: Callable[[], bool], seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.01)


def test_a_good_engine_answers(make: Make) -> None:
    events = ask(make("good"))
    assert text_of(events) == "whole"


def test_a_death_before_the_first_word_is_not_noticed(make: Make) -> None:
    events = ask(make("dies-once-before-words"))
    assert text_of(events) == "whole"
    assert finished(events).stop_reason is StopReason.END


def test_a_death_after_words_keeps_them_and_the_next_message_works(make: Make) -> None:
    engine = make("dies-after-words")
    events = ask(engine)
    assert text_of(events) == "half an"
    assert finished(events).stop_reason is StopReason.ENGINE_DIED
    assert engine.count(["x"]) == [1]


def test_two_deaths_on_one_model_are_enough(make: Make) -> None:
    engine = make("dies-before-words")
    with pytest.raises(EngineUnavailable):
        ask(engine)
    with pytest.raises(EngineUnavailable):
        ask(engine)
    assert engine.pid == 0


def test_deaths_after_words_count_too(make: Make) -> None:
    engine = make("dies-after-words")
    ask(engine)
    ask(engine)
    with pytest.raises(EngineUnavailable):
        ask(engine)


def test_opening_again_gives_another_chance(make: Make) -> None:
    engine = make("dies-before-words")
    with pytest.raises(EngineUnavailable):
        ask(engine)
    assert engine.open().name == "fake"


def test_a_question_of_size_is_asked_again_after_a_death(make: Make) -> None:
    assert make("dies-once-on-count").count(["x"]) == [1]


def test_a_question_of_size_that_keeps_killing_says_so(make: Make) -> None:
    with pytest.raises(EngineCrashed, match="SIGKILL"):
        make("dies-on-count").count(["x"])


@pytest.mark.parametrize(
    "mode", ["floods", "speaks-nonsense", "huge-frame", "half-frame", "bad-event", "unknown-event"]
)
def test_an_engine_that_breaks_the_protocol_is_given_up(make: Make, mode: str) -> None:
    engine = make(mode)
    begun = time.monotonic()
    if mode == "floods":
        events = engine.stream([user("hello")], Sampling(), Event())
        wait_for_flood = next(events)
        assert wait_for_flood is not None
        pid = engine.pid
        wait_until(lambda: not pid or not alive(pid) or engine.pid != pid)
        assert finished(list(events)).stop_reason is StopReason.ENGINE_DIED
    else:
        with pytest.raises((EngineCrashed, EngineUnavailable)):
            ask(engine)
    assert time.monotonic() - begun < 20


ASKED: dict[str, Callable[[ChatEngine], object]] = {
    "count": lambda engine: engine.count(["one"]),
    "measure": lambda engine: engine.measure([user("one")]),
    "stream": ask,
    "prefill": lambda engine: engine.prefill([user("one")], Event()),
    "complete": lambda engine: engine.complete([user("one")], {}, Sampling(), Event()),
    "evict": lambda engine: engine.evict(0, 1),
}
STEPS: dict[str, Callable[[ChatEngine], object]] = {
    "open": lambda engine: engine.open(),
    **ASKED,
    "reset": lambda engine: engine.reset(),
}


@pytest.mark.parametrize("op", STEPS)
def test_an_engine_killed_at_any_step_costs_that_step_at_most(make: Make, op: str) -> None:
    engine = make(f"dies-once-at-{op}")
    if op != "open":
        engine.open()
    with suppress(EngineCrashed):
        STEPS[op](engine)
    engine.open()
    STEPS[op](engine)
    assert text_of(ask(engine)) == "whole"


@pytest.mark.parametrize("op", [op for op in STEPS if op != "reset"])  # a dead engine holds nothing to forget
def test_an_engine_killed_at_a_step_again_and_again_is_given_up_in_words(make: Make, op: str) -> None:
    engine = make(f"dies-at-{op}")
    with suppress(EngineCrashed):
        engine.open()
    for _ in range(3):
        with suppress(EngineCrashed, EngineUnavailable):
            STEPS["count" if op == "open" else op](engine)
    with pytest.raises((EngineCrashed, EngineUnavailable), match=r"^The engine .+\.$"):
        STEPS["count" if op == "open" else op](engine)


def test_an_engine_that_ponders_a_question_of_size_is_ended(make: Make) -> None:
    with pytest.raises((EngineCrashed, EngineUnavailable)):
        make("counts-for-ever").count(["one"])


@pytest.mark.parametrize("number", range(len(ODD)))
def test_a_reply_that_makes_no_sense_is_words_or_an_answer_never_anything_else(
    make: Make, number: int
) -> None:
    engine = make(f"odd-{number}")
    engine.open()
    for op, asked in ASKED.items():
        told: object = None
        with suppress(ModelError):
            told = asked(engine)
        if told is None:
            engine.open()
        else:
            assert_sound(op, told)


def assert_sound(op: str, told: object) -> None:
    """Look closely at what got through."""
    match op, told:
        case "count", [int()]:
            pass
        case "measure", Measured(per_message=shares, total=int()):
            assert all(isinstance(share, int) for share in shares)
        case "stream", [*_, StreamFinished()]:
            pass
        case "prefill", Prefilled(evaluated=int(), reused=int()):
            pass
        case "complete", str():
            pass
        case "evict", bool():
            pass
        case _:
            pytest.fail(f"{op} gave {told!r}")


@pytest.mark.parametrize("number", range(len(ODD_CARDS)))
def test_a_card_that_makes_no_sense_is_a_crash(make: Make, number: int) -> None:
    with pytest.raises(EngineCrashed, match="card"):
        make(f"card-{number}").open()


@pytest.mark.skipif(sys.platform != "linux", reason="such signals are Linux's")
def test_a_death_by_a_signal_without_a_name_is_a_death_like_others(make: Make) -> None:
    with pytest.raises((EngineCrashed, EngineUnavailable)):
        ask(make("dies-of-a-nameless-signal"))


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_engine_that_goes_deaf_is_ended(make: Make) -> None:
    with pytest.raises(EngineUnavailable):
        ask(make("deaf"))


def test_a_deaf_engine_can_be_stopped(make: Make) -> None:
    engine = make("deaf")
    stop = Event()
    polls: list[float] = []

    def poll() -> None:
        polls.append(time.monotonic())
        stop.set()

    events = list(engine.stream([user("hello")], Sampling(), stop, poll))
    assert finished(events).stop_reason is StopReason.STOPPED
    assert polls


def test_an_engine_that_is_stuck_in_one_step_is_ended(make: Make) -> None:
    with pytest.raises(EngineUnavailable):
        ask(make("stuck"))


def test_a_large_message_to_an_engine_that_never_reads_does_not_block(make: Make) -> None:
    engine = make("never-reads")
    with pytest.raises(EngineCrashed, match="stopped responding"):
        engine.count(["x" * 1_000_000])


def test_an_engine_of_another_version_is_refused(make: Make) -> None:
    with pytest.raises(EngineCrashed, match="another protocol"):
        make("newer").open()


def test_an_engine_that_cannot_start_says_its_last_words(make: Make) -> None:
    with pytest.raises(EngineCrashed, match="exit code 3") as caught:
        make("ends-at-once").open()
    assert "no such library" in caught.value.log_tail


def test_a_file_that_aborts_its_engine_is_unusable(make: Make) -> None:
    with pytest.raises(ModelUnusable, match="damaged"):
        make("aborts-on-open").open()


@pytest.mark.parametrize("mode", ["bad-card"])
def test_an_unreadable_card_is_a_crash(make: Make, mode: str) -> None:
    with pytest.raises(EngineCrashed):
        make(mode).open()


def test_an_unreadable_measure_is_a_crash(make: Make) -> None:
    with pytest.raises(EngineCrashed):
        make("bad-measure").measure([user("x")])


def test_a_command_that_does_not_exist_says_so(tmp_path: Path) -> None:
    (tmp_path / "m.gguf").touch()
    engine = ChatEngine(tmp_path / "m.gguf", command=[str(tmp_path / "nothing")])
    with pytest.raises(EngineCrashed, match="could not be started"):
        engine.open()


def test_the_log_stays_small_and_its_end_can_be_shown(make: Make, tmp_path: Path) -> None:
    engine = make("chatters")
    ask(engine)
    engine.close()
    sizes = [path.stat().st_size for path in tmp_path.glob("engine.log*")]
    assert sizes
    assert max(sizes) <= MAX_FILE
    assert "\x1b" not in engine.log_tail
    assert "a line for the log" in engine.log_tail


def test_a_model_that_vanished_is_missing_on_restart(make: Make, tmp_path: Path) -> None:
    engine = make("dies-after-words")
    ask(engine)
    (tmp_path / "model.gguf").unlink()
    with pytest.raises(ModelMissing):
        ask(engine)


def test_a_model_that_changed_is_not_loaded_again(make: Make, tmp_path: Path) -> None:
    engine = make("dies-after-words")
    ask(engine)
    (tmp_path / "model.gguf").write_bytes(b"other bytes")
    with pytest.raises(ModelChanged):
        ask(engine)


def test_closing_ends_even_a_stopped_process_soon(make: Make) -> None:
    engine = make("good")
    engine.open()
    pid = engine.pid
    os.kill(pid, signal.SIGSTOP)
    begun = time.monotonic()
    engine.close()
    assert time.monotonic() - begun < 10
    wait_until(lambda: not alive(pid))


def test_a_closed_engine_is_not_restarted_by_a_question(make: Make) -> None:
    engine = make("good")
    engine.open()
    engine.close()
    with pytest.raises(EngineClosed):
        engine.count(["x"])


def test_an_engine_that_is_still_loading_can_be_closed(make: Make) -> None:
    engine = make("loads-for-ever")
    raised: list[ModelError] = []

    def start() -> None:
        try:
            engine.open()
        except ModelError as error:
            raised.append(error)

    thread = Thread(target=start)
    thread.start()
    wait_until(lambda: engine.pid != 0)
    begun = time.monotonic()
    engine.close()
    thread.join(10)
    assert time.monotonic() - begun < 10
    assert [type(error) for error in raised] == [EngineClosed]


def test_a_close_in_the_middle_of_an_answer_keeps_the_words(make: Make) -> None:
    engine = make("speaks-and-waits")
    events: list[StreamEvent] = []
    for event in engine.stream([user("hello")], Sampling(), Event()):
        events.append(event)
        engine.close()
    assert text_of(events) == "half an"
    assert finished(events).stop_reason is StopReason.STOPPED


def test_a_question_asked_by_the_poll_of_a_restart_is_refused_and_does_no_harm(make: Make) -> None:
    engine = make("dies-once-before-words")
    refused: list[str] = []

    def poll() -> None:
        try:
            engine.count(["x"])
        except ModelError as error:
            refused.append(error.detail)

    events = list(engine.stream([user("hello")], Sampling(), Event(), poll))
    assert text_of(events) == "whole"
    assert set(refused) <= {"The engine is just being started.", "The engine died (SIGKILL)."}


def test_a_start_under_an_answer_can_be_stopped_at_once_and_tried_again(make: Make, tmp_path: Path) -> None:
    engine = make("loads-for-ever-once")
    stop = Event()
    begun = [0.0]

    def poll() -> None:
        if (tmp_path / "marker").exists() and not stop.is_set():
            begun[0] = time.monotonic()
            stop.set()

    events = list(engine.stream([user("hello")], Sampling(), stop, poll))
    assert time.monotonic() - begun[0] < 20
    assert finished(events).stop_reason is StopReason.STOPPED
    assert text_of(ask(engine)) == "whole"
    assert text_of(ask(engine)) == "whole", "a start that was stopped is no crash"
