"""An engine as a process: stopping it, killing it, and what it does when its parent dies."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread

import pytest
from contract_engine import FACTS, SYSTEM, finished, text_of, user

from models.engine.client import ChatEngine
from models.errors import Interrupted, ModelError
from models.types import Chunk, EngineSettings, PromptProgress, Sampling, StopReason, StreamEvent

pytestmark = pytest.mark.model

ROOT = Path(__file__).resolve().parents[2]
LONG = "a fairly long sentence about nothing in particular, "
GREEDY = Sampling(temperature=0.0, max_tokens=400)


@pytest.fixture
def engine(smoke_model: Path) -> Iterator[ChatEngine]:
    engine = ChatEngine(smoke_model, EngineSettings(n_ctx=4096))
    engine.open()
    yield engine
    engine.close()


def alive(pid: int) -> bool:
    """Tell whether a process runs; one that only waits to be collected does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def wait_until(true: Callable[[], bool], seconds: float = 10.0) -> float:
    begun = time.monotonic()
    while not true():
        assert time.monotonic() - begun < seconds, "it never happened"
        time.sleep(0.01)
    return time.monotonic() - begun


def test_reading_a_long_prompt_can_be_stopped_and_goes_on_from_there(engine: ChatEngine) -> None:
    stop = Event()
    prompt = [SYSTEM, user(LONG * 70)]
    begun = 0.0
    events: list[StreamEvent] = []
    for event in engine.stream(prompt, GREEDY, stop):
        events.append(event)
        if isinstance(event, PromptProgress) and not stop.is_set():
            begun = time.monotonic()
            stop.set()
    took = time.monotonic() - begun
    last = finished(events)
    assert last.stop_reason is StopReason.STOPPED
    assert took < 2
    assert 0 < last.evaluated < engine.measure(prompt).total
    again = list(engine.stream(prompt, Sampling(temperature=0.0, max_tokens=2), Event()))
    assert finished(again).reused >= last.evaluated


def test_a_command_runs_while_a_long_prompt_is_read(engine: ChatEngine) -> None:
    polls: list[float] = []
    read_until = 0.0
    for event in engine.stream(
        [SYSTEM, user(LONG * 40)], GREEDY, stop := Event(), lambda: polls.append(time.monotonic())
    ):
        if isinstance(event, PromptProgress):
            read_until = time.monotonic()
        if isinstance(event, Chunk):
            stop.set()
    assert len([at for at in polls if at < read_until]) > 3


def test_a_message_makes_background_work_give_way(engine: ChatEngine) -> None:
    outcome: list[str] = []

    def distil() -> None:
        try:
            engine.complete([SYSTEM, user(LONG * 120)], FACTS, GREEDY, Event())
            outcome.append("finished")
        except Interrupted:
            outcome.append("gave way")

    thread = Thread(target=distil)
    thread.start()
    short = Sampling(temperature=0.0, max_tokens=3)
    while thread.is_alive():  # the first message may be through before the work was even asked for
        assert finished(list(engine.stream([SYSTEM, user("hi")], short, Event()))).n_tokens > 0
    assert outcome == ["gave way"]


def test_an_engine_killed_in_the_middle_of_an_answer_keeps_the_words(engine: ChatEngine) -> None:
    events: list[StreamEvent] = []
    for event in engine.stream([SYSTEM, user("Count from one to one hundred, in words.")], GREEDY, Event()):
        events.append(event)
        if isinstance(event, Chunk) and engine.pid:
            os.kill(engine.pid, signal.SIGKILL)
    assert finished(events).stop_reason is StopReason.ENGINE_DIED
    assert text_of(events)
    assert text_of(
        list(engine.stream([SYSTEM, user("hello")], Sampling(temperature=0.0, max_tokens=5), Event()))
    )


def test_an_engine_killed_while_it_reads_answers_all_the_same(engine: ChatEngine) -> None:
    events: list[StreamEvent] = []
    killed = False
    for event in engine.stream([SYSTEM, user(LONG * 25)], Sampling(temperature=0.0, max_tokens=5), Event()):
        events.append(event)
        if isinstance(event, PromptProgress) and not killed:
            killed = True
            os.kill(engine.pid, signal.SIGKILL)
    assert finished(events).stop_reason is not StopReason.ENGINE_DIED
    assert text_of(events)


PARENT = """
import sys, time
from pathlib import Path
from threading import Event
from models.engine.client import ChatEngine
from models.types import ChatMessage, EngineSettings, Sampling
engine = ChatEngine(Path(sys.argv[1]), EngineSettings(n_ctx=4096))
engine.open()
print(engine.pid, flush=True)
if sys.argv[2] == "busy":
    prompt = [ChatMessage("user", "word " * 3000)]
    list(engine.stream(prompt, Sampling(), Event()))
time.sleep(60)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
@pytest.mark.parametrize("state", ["idle", "busy"])
def test_an_engine_is_gone_within_a_second_of_its_parent(smoke_model: Path, state: str) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(smoke_model), state], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    with parent.stdout:
        pid = int(parent.stdout.readline())
    assert alive(pid)
    parent.kill()
    parent.wait()
    assert wait_until(lambda: not alive(pid)) < 10  # ten times the promise, for machines with other work


def test_an_engine_starts_in_any_folder_even_one_with_a_models_folder(
    smoke_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "__init__.py").write_text("raise SystemExit('the wrong package')")
    monkeypatch.chdir(tmp_path)
    engine = ChatEngine(smoke_model, EngineSettings(n_ctx=4096))
    assert engine.open().template_kind == "chatml"
    engine.close()


def test_an_engine_sees_no_secret_of_the_environment(
    smoke_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCKET_PASSPHRASE", "a canary in the environment")
    engine = ChatEngine(smoke_model, EngineSettings(n_ctx=4096))
    engine.open()
    seen = Path(f"/proc/{engine.pid}/environ").read_bytes()
    engine.close()
    assert seen
    assert b"canary" not in seen


def test_nothing_is_printed_by_an_engine(smoke_model: Path, capfd: pytest.CaptureFixture[str]) -> None:
    engine = ChatEngine(smoke_model, EngineSettings(n_ctx=4096))
    engine.open()
    list(engine.stream([SYSTEM, user("hello")], Sampling(max_tokens=3), Event()))
    engine.close()
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(os.name != "posix", reason="files in use cannot be shortened elsewhere")
@pytest.mark.parametrize("use_mmap", [True, False])
def test_a_file_that_shrinks_while_loaded_costs_at_most_an_answer(
    smoke_model: Path, tmp_path: Path, use_mmap: bool
) -> None:
    path = tmp_path / "model.gguf"
    shutil.copyfile(smoke_model, path)
    engine = ChatEngine(path, EngineSettings(n_ctx=4096, use_mmap=use_mmap))
    engine.open()
    os.truncate(path, 1_000_000)
    outcome = ""
    try:
        outcome = text_of(list(engine.stream([SYSTEM, user("hello")], Sampling(max_tokens=3), Event())))
    except ModelError as error:
        outcome = error.detail
    finally:
        engine.close()
    assert outcome


def test_a_file_that_vanishes_while_loaded_goes_on_answering(smoke_model: Path, tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    shutil.copyfile(smoke_model, path)
    engine = ChatEngine(path, EngineSettings(n_ctx=4096))
    engine.open()
    path.unlink()
    events = list(engine.stream([SYSTEM, user("hello")], Sampling(max_tokens=3), Event()))
    engine.close()
    assert text_of(events)
