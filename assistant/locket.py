"""An unlocked Locket: one session thread that writes, one thread that reads, two engines that come and go.

Owns their order of starting and ending. The surprise: engines load on a thread of their own, and a turn that
comes before they are ready waits for them while commands still run. More than 300 lines: everything that
needs the session, the reader and the engines at once meets here.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from assistant import carrying
from assistant.chat import turn as pipeline
from assistant.chat.bridge import SessionThread
from assistant.chat.counter import TokenCounter
from assistant.chat.distiller import ChatDistiller
from assistant.chat.events import Notice, TurnEvent, TurnFailed
from assistant.chat.prefix import Prefix
from assistant.daily_backup import DailyBackup
from assistant.problems import to_problem
from assistant.reading_ahead import ReadingAhead
from assistant.runtimes import REMOTE_KEY, REMOTE_YES, Runtimes, check_incognito, may_use_remote, remote_chat
from assistant.settings import Settings
from assistant.wiring import memory_of, reader_of
from memory.errors import NotFound
from memory.forget import Outcome, Selection
from memory.forgetting.applying import Progress, silent
from memory.incognito import Incognito, Kept
from memory.memory import Memory
from memory.reader import Reader
from memory.records import Turn
from memory.vault.backup import list_backups
from memory.vault.renewing import renew_backups
from memory.vault.vault import Vault
from models.errors import (
    EngineUnavailable,
    Interrupted,
    ModelChanged,
    ModelError,
    ModelMissing,
    RemoteFailed,
)
from models.ports import ChatRuntime, EmbedRuntime
from models.types import Sampling

if TYPE_CHECKING:
    from memory.transfer.archive import Manifest, What
    from memory.transfer.report import ImportReport

T = TypeVar("T")
KEYWORDS_ONLY = "Search uses words only: the embedding model did not load."
NO_GPU = "gpu_layers is set, but llama.cpp was built without a graphics card: the processor does all."
UNFORESEEN = "The model could not be started, for a reason that nobody foresaw."
GENTLY = 0.5
"""Seconds in which an answer that is told to stop has stopped and is kept; locking is done within one."""
PREPARING = "Memories are being prepared for"
"""How the notice begins that says so; search uses words only meanwhile."""
GIVEN_UP = (EngineUnavailable, ModelChanged, ModelMissing)
"""What no second try mends: from then on there is no model, until one is chosen."""


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """What is known of the engines without asking them."""

    model: str | None = None
    notice: str = ""
    window: int = 0
    embedder: bool = False
    remote: bool = False
    loading: bool = True
    reading: tuple[int, int] | None = None
    """Tokens of the open conversation that are read ahead of time, and all of them; None when that is done."""


class Locket:
    """What screens and verbs talk to."""

    def __init__(self, settings: Settings, vault: Vault, runtimes: Runtimes, *, sealed: bool = False) -> None:
        self.settings = settings
        self.vault = vault
        self._runtimes = runtimes
        self._memory = memory_of(settings, vault)
        self._reader = reader_of(settings, vault)
        self._chat: ChatRuntime | None = None
        self._embed: EmbedRuntime | None = None
        self._count: TokenCounter | None = None
        self._prefix: Prefix | None = None
        self._ahead = ReadingAhead(self._tell_reading)
        self._unavailable: Exception | None = None
        self._status = EngineStatus()
        self._ready = threading.Event()
        self._stop = threading.Event()
        self._halt = threading.Event()
        self._closed = False
        self._here: str | None = None
        self._sealed = sealed
        self._apart: Incognito | None = self._open_apart() if sealed else None
        self._daily = DailyBackup(vault)
        self._session = SessionThread(self._idle)
        self._session.start()
        self._readers = concurrent.futures.ThreadPoolExecutor(1, thread_name_prefix="reader")
        self._loader = threading.Thread(target=self._load, name="loader", daemon=True)
        self._loader.start()

    # engines ---------------------------------------------------------------------------------------

    @property
    def status(self) -> EngineStatus:
        """Describe the engines; cheap, asks nobody."""
        return self._status

    @property
    def notices(self) -> tuple[str, ...]:
        """What protects the store less than it should, in words."""
        return self.vault.notices

    def _load(self) -> None:
        """Start both engines; what fails is said in the status and at the first turn."""
        with self._loading():
            try:
                embed = self._runtimes.embed(self.settings)
            except ModelError:
                self._status = replace(self._status, notice=KEYWORDS_ONLY)
            else:
                self._embed = embed
                with suppress(RuntimeError):  # closed while loading
                    self._session.submit(lambda: self._searched.use_embedder(embed)).result()
                    self._status = replace(self._status, embedder=True)
            key: str | None = None
            with suppress(RuntimeError):  # closed while loading
                key = self._session.submit(self._remote_key).result()
            self._load_chat(key)

    @contextmanager
    def _loading(self) -> Iterator[None]:
        """Let nobody wait for ever: what nobody foresaw is told by the next turn, as the crash that it is."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - the edge of the thread
            self._without_model(error)
        finally:
            self._ready.set()
            self._session.wake_idle()

    def _ask_server_again(self) -> None:
        """Try the user's server once more, beside the session: it may be up by now, or slow to say that it is not."""
        key = self._remote_key()
        self._ready.clear()

        def load() -> None:
            with self._loading():
                self._load_chat(key)

        threading.Thread(target=load, name="loader", daemon=True).start()

    def _remote_key(self) -> str | None:
        """Give the key to the user's server; None when this profile does not use one."""
        agreed = bool(self._memory.setting(REMOTE_YES, default=False))
        if not may_use_remote(self.settings, agreed=agreed):
            return None
        return str(self._memory.setting(REMOTE_KEY, default=""))

    def _load_chat(self, remote_key: str | None) -> None:
        try:
            if remote_key is None:
                chat = self._runtimes.chat(self.settings)
            else:
                chat = remote_chat(self.settings, remote_key)
        except ModelError as error:
            self._without_model(error)
        else:
            notice = "" if self._status.embedder else KEYWORDS_ONLY
            if self.settings.gpu_layers and chat.card.path is not None and not chat.card.offloads:
                notice = " ".join(filter(None, (NO_GPU, notice)))
            self._status = replace(
                self._status,
                model=chat.card.name,
                window=chat.card.n_ctx,
                notice=notice,
                loading=False,
                remote=remote_key is not None,
            )
            self._ahead.again()
            count = TokenCounter(chat)
            self._chat, self._count, self._prefix, self._unavailable = chat, count, Prefix(chat, count), None
        if self._closed:
            self._end_engines()

    def _without_model(self, error: Exception) -> None:
        """Go on without a model, and say why in the status."""
        if self._chat is not None:
            self._chat.close()
        self._chat = self._count = self._prefix = None
        self._unavailable = error
        problem = to_problem(error)
        words = f"{problem.title}. {problem.hint}" if problem else UNFORESEEN
        self._status = replace(self._status, model=None, notice=words, loading=False, remote=False)

    def _tell_reading(self, reading: tuple[int, int] | None) -> None:
        self._status = replace(self._status, reading=reading)

    @property
    def chat_pid(self) -> int:
        """The process that answers; 0 when none of our own does."""
        return int(getattr(self._chat, "pid", 0))

    async def use_model(self, model: str) -> None:
        """Answer with another model from now on; the conversation stays, and so does a model that works."""
        await asyncio.to_thread(self._ready.wait)

        def change() -> Exception | None:
            before, worked = self.settings, self._chat is not None
            if self._chat is not None:
                self._chat.close()
                self._chat = self._count = self._prefix = None
            self.settings = replace(before, model=model)
            self._load_chat(self._remote_key())
            refused = self._unavailable
            if refused is not None and worked:
                self.settings = before
                self._load_chat(self._remote_key())
            return refused

        refused = await asyncio.wrap_future(self._session.submit(change))
        if refused is not None:
            raise refused

    # talking ---------------------------------------------------------------------------------------

    def open_conversation(self, conversation: str | None) -> None:
        """Have a conversation's prompt read in idle time; None is one not yet begun. The one left is closed."""
        left, self._here = self._here, conversation
        if left is not None and left != conversation:
            with suppress(RuntimeError):  # closed meanwhile
                self._session.submit(lambda: self._leave(left))
        self._ahead.open(conversation)
        self._session.wake_idle()

    def _leave(self, conversation: str) -> None:
        if self._apart is not None:  # nothing is written beside it; half an hour of silence ends this one too
            return
        with suppress(NotFound):  # forgotten meanwhile
            self._memory.close_episode(conversation)

    def turn(
        self,
        text: str,
        *,
        conversation: str | None,
        pasted: tuple[tuple[int, int], ...] = (),
        use_memory: bool = True,
        incognito: bool = False,
        instead_of: str | None = None,
    ) -> AsyncIterator[TurnEvent]:
        """Say something and hear the answer; None begins a conversation.

        ``instead_of`` is a message whose place the words take on a branch of their own.
        """
        self._stop.clear()
        return self._session.stream(
            lambda: self.turn_now(
                text,
                conversation=conversation,
                pasted=pasted,
                use_memory=use_memory,
                incognito=incognito,
                instead_of=instead_of,
            )
        )

    def turn_now(
        self,
        text: str,
        *,
        conversation: str | None,
        pasted: tuple[tuple[int, int], ...] = (),
        use_memory: bool = True,
        incognito: bool = False,
        instead_of: str | None = None,
    ) -> Iterator[TurnEvent]:
        """Take a turn on the thread that calls, which must be the session's."""
        memory = self._apart_now() if incognito else self._memory
        turn = memory.begin_turn(text, conversation=conversation, pasted=pasted, instead_of=instead_of)
        if not incognito:
            self._here = turn.conversation
        yield from pipeline.opening(turn)
        yield from self._answer(turn, use_memory=use_memory, incognito=incognito)

    def regenerate(self, conversation: str, *, incognito: bool = False) -> AsyncIterator[TurnEvent]:
        """Answer the last user message again; the old answer stays as a branch."""
        self._stop.clear()

        def again() -> Iterator[TurnEvent]:
            memory = self._apart_now() if incognito else self._memory
            yield from self._answer(memory.turn_again(conversation), incognito=incognito)

        return self._session.stream(again)

    def _answer(self, turn: Turn, *, use_memory: bool = True, incognito: bool = False) -> Iterator[TurnEvent]:
        if self._ready.is_set() and isinstance(self._unavailable, RemoteFailed) and not self._closed:
            yield Notice("The server is asked again…")
            self._ask_server_again()
        elif not self._ready.is_set():
            yield Notice("The model is loading…")
        while not self._ready.wait(0.05):
            self._session.run_waiting()
            if self._stop.is_set() and not self._closed:
                yield from _stopped_while_loading()
                return
        refused = check_incognito(self.settings, remote=incognito and self._status.remote)
        speaker = pipeline.Speaker(
            None if refused else self._chat,
            self._count,
            self._sampling(),
            refused or self._unavailable,
            self._prefix,
        )
        for event in pipeline.answer(
            self._apart_now() if incognito else self._memory,
            speaker,
            turn,
            stop=self._stop,
            poll=self._session.run_waiting,
            use_memory=use_memory,
        ):
            if isinstance(event, TurnFailed) and isinstance(event.error, GIVEN_UP) and not refused:
                self._without_model(event.error)
            yield event
        if not incognito:
            self._ahead.open(turn.conversation)

    def _sampling(self) -> Sampling:
        seed = self.settings.seed
        return Sampling(
            temperature=self.settings.temperature,
            repeat_penalty=self.settings.repeat_penalty,
            seed=None if seed < 0 else seed,
            max_tokens=self.settings.max_answer,
        )

    def stop(self) -> None:
        """End the answer that is being made, keeping what was said, and whatever is read ahead of time."""
        self._stop.set()
        self._ahead.give_up()
        with suppress(RuntimeError):  # closed meanwhile
            self._session.submit(lambda: None)

    # incognito -------------------------------------------------------------------------------------

    @property
    def _searched(self) -> Memory:
        """The memory that is told of the embedding model; in a sealed store nothing may note it."""
        return self._apart if self._sealed and self._apart is not None else self._memory

    def _open_apart(self) -> Incognito:
        return self._memory.incognito(lend=self.settings.incognito_recall)

    def _apart_now(self) -> Incognito:
        if self._apart is None:
            self._apart = self._open_apart()
        return self._apart

    async def act_incognito(self, fn: Callable[[Memory], T]) -> T:
        """Change or read the incognito conversation."""
        return await asyncio.wrap_future(self._session.submit(lambda: fn(self._apart_now())))

    async def keep_incognito(self, conversation: str) -> Kept:
        """Make the incognito conversation an ordinary one, remembered like any other."""

        def keep() -> Kept:
            kept = self._apart_now().keep(conversation, self._memory)
            self._end_apart()
            return kept

        return await asyncio.wrap_future(self._session.submit(keep))

    def end_incognito(self) -> None:
        """Forget the incognito conversation, in the engine too; what had to wait for its end goes on."""
        with suppress(RuntimeError):  # closed meanwhile
            self._session.submit(self._end_apart)
        self._session.wake_idle()

    def _end_apart(self) -> None:
        apart, self._apart = self._apart, None
        if apart is None:
            return
        apart.close()
        if self._prefix is not None:  # its words are in what the engine has evaluated
            self._prefix.reset()
        self._ahead.again()

    # memory ----------------------------------------------------------------------------------------

    async def act(self, fn: Callable[[Memory], T]) -> T:
        """Change memory, also between two chunks of an answer."""
        return await asyncio.wrap_future(self._session.submit(lambda: fn(self._memory)))

    async def read(self, fn: Callable[[Reader], T]) -> T:
        """Look into the store on a connection of its own, without disturbing the answer."""
        return await asyncio.wrap_future(self._readers.submit(fn, self._reader))

    def act_now(self, fn: Callable[[Memory], T]) -> T:
        """Change memory from a thread without an event loop."""
        return self._session.submit(lambda: fn(self._memory)).result()

    async def forget(self, selection: Selection, progress: Progress = silent) -> Outcome:
        """Forget for good: the answer that is being made ends first, and nobody reads meanwhile.

        What is reached is weighed only then, since that answer may have said it too.
        """
        return await asyncio.to_thread(self.forget_now, selection, progress)

    def forget_now(self, selection: Selection, progress: Progress = silent) -> Outcome:
        """As ``forget``, from a thread without an event loop; ``progress`` is called on the session's."""
        self._stop.set()

        def run() -> Outcome:
            self._stop.clear()  # the answer has ended
            try:
                return self._memory.forget(self._memory.forget_preview(selection), progress)
            finally:
                if self._prefix is not None:  # what the engine has evaluated was said with the words in it
                    self._prefix.reset()
                self._ahead.again()

        with self._readers_held():
            return self._session.submit_alone(run).result()

    def count_backups(self) -> int:
        """Return how many backups are beside the store."""
        return len(list_backups(self.vault.folder))

    async def renew_backups(self, tell: carrying.Tell) -> int:
        """Put a backup of now in the place of all others and say how many those were; ``tell`` is called on the session's thread."""
        self._halt.clear()
        told = self._unless_halted(tell)
        renew = partial(renew_backups, self.vault, progress=told)
        return await asyncio.wrap_future(self._session.submit_alone(renew))

    # carrying --------------------------------------------------------------------------------------

    async def export_file(self, file: Path, passphrase: str, what: What, tell: carrying.Tell) -> Manifest:
        """Write an encrypted archive beside the conversation; ``tell`` is called on the reading thread."""
        self._halt.clear()
        key = self.vault.key("tombstones")
        return await self.read(
            lambda reader: carrying.export_to(
                self.settings, reader.db, key, file, passphrase, what, self._unless_halted(tell)
            )
        )

    async def import_file(
        self, file: Path, passphrase: str | None, tell: carrying.Tell, *, trust: bool, dry_run: bool
    ) -> ImportReport:
        """Take a file in once no answer is being made; ``tell`` is called on the session's thread."""
        self._halt.clear()

        def run() -> ImportReport:
            report = carrying.import_from(
                self.settings,
                self.vault,
                file,
                passphrase,
                trust=trust,
                dry_run=dry_run,
                tell=self._unless_halted(tell),
            )
            if not dry_run:
                self._ahead.again()
            return report

        return await asyncio.wrap_future(self._session.submit_alone(run))

    def stop_carrying(self) -> None:
        """End an export or import; nothing of it is left."""
        self._halt.set()

    def _unless_halted(self, tell: carrying.Tell) -> carrying.Tell:
        def told(done: int, total: int) -> None:
            if self._halt.is_set():
                raise carrying.CarryStopped
            tell(done, total)

        return told

    @contextmanager
    def _readers_held(self) -> Iterator[None]:
        """Let no read begin, since one in progress keeps the log from being emptied."""
        free = threading.Event()
        held = self._readers.submit(free.wait)
        while not (held.running() or held.done()):  # reads are short; this one is next
            threading.Event().wait(0.001)
        try:
            yield
        finally:
            free.set()

    def _idle(self, disturbed: threading.Event) -> bool:
        if (
            disturbed.is_set() or self._apart is not None
        ):  # nothing is written beside an incognito conversation
            return False
        if self._embedded_some(disturbed.is_set):
            return True
        if self._chat is not None and self._count is not None and self._prefix is not None:
            self._ahead.step(self._memory, self._prefix, self._count, self._chat.card, disturbed)
        if not disturbed.is_set():
            self._memory.finish_forgetting()
        if self._ready.is_set() and self._memory.idle(disturbed.is_set, self._distiller(disturbed)):
            return True
        if self._ready.is_set():
            self._daily.step(disturbed)
        return False

    async def make_vectors(self) -> bool:
        """Make a few of the vectors that are due; say whether there may be more."""
        return await asyncio.wrap_future(self._session.submit(self._embedded_some))

    def _embedded_some(self, stop: Callable[[], bool] | None = None) -> bool:
        """Make a few vectors; an embedding model that is gone for good ends that, and the status says so."""
        try:
            more = self._memory.embed_some(stop=stop)
        except ModelError:
            self._memory.use_embedder(None)
            self._status = replace(self._status, embedder=False, notice=KEYWORDS_ONLY)
            return False
        if more or self._status.notice.startswith(PREPARING):
            self._tell_filling()
        return more

    def _tell_filling(self) -> None:
        """Say how far the vectors of another embedding model are, until they are all there."""
        now = self._memory.filling()
        if now is not None and not now.in_use:
            notice = f"{PREPARING} {now.name}: {now.done:,} of {now.total:,}"
            self._status = replace(self._status, notice=notice)
        elif self._status.notice.startswith(PREPARING):
            self._status = replace(self._status, notice="")

    def _distiller(self, disturbed: threading.Event) -> ChatDistiller | None:
        """The model for memory's own work; another's server is not kept busy with it."""
        if self._chat is None or self._chat.card.path is None:
            return None
        return ChatDistiller(self._chat, disturbed)

    # ending ----------------------------------------------------------------------------------------

    def _end_engines(self) -> None:
        for engine in (self._chat, self._embed):
            if engine is not None:
                engine.close()
        self._chat = self._embed = self._prefix = None

    def close_now(self) -> None:
        """Stop the answer and commit it, end both engines, close the store and drop its keys."""
        if self._closed:
            return
        self._closed = True
        self._stop.set()
        self._halt.set()
        self._ready.set()
        self._runtimes.give_up()
        self._session.close(GENTLY)
        self._end_engines()  # what asks one still, such as vectors that are being made, has its end now
        self._session.close()
        self._readers.shutdown(wait=True, cancel_futures=True)
        if self._apart is not None:
            self._apart.close()
        self.vault.close()

    async def close(self) -> None:
        """As ``close_now``, without holding up the event loop."""
        await asyncio.to_thread(self.close_now)


def _stopped_while_loading() -> Iterator[TurnEvent]:
    """End a turn that nobody could answer yet."""
    error = Interrupted("The model was still loading.")
    problem = to_problem(error)
    assert problem is not None
    yield TurnFailed(replace(problem, hint="Your words are kept; /regenerate has them answered."), error)
