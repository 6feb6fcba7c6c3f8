"""The locked screen: a name, a field, one line of words. The first thing painted, so it imports little.

Covers the moment of locking too: it is shown at once and takes the passphrase when everything is closed. Where a key
slot is for the system's keyring, that unlocks when the program starts; once locked, only when somebody presses enter.
The surprise: what the keyring gives is dropped when something is in the field, or half a passphrase would be typed
into the conversation.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual import events, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input, Static
from textual.worker import Worker, WorkerState

from assistant.tui.aside import aside
from assistant.tui.crash import in_one, problem_of
from assistant.tui.leftovers import drop_leftovers
from assistant.tui.ports import LocketPort
from assistant.tui.widgets.ordered_input import OrderedInput

if TYPE_CHECKING:
    from memory.vault.keys import Secret

LOGO = "◈  Locket"
TAGLINE = "Everything here is encrypted on this computer."
FOOT = "enter unlocks · f1 help · ctrl+q quits"
KEYRING_FOOT = "enter alone asks this computer's keyring · f1 help · ctrl+q quits"
WRONG_EXIT = 12


def pause_after(failures: int) -> float:
    """Seconds to wait after so many wrong passphrases in a row: 1, 2, 4, 8, then 15."""
    return min(15.0, 2.0 ** (failures - 1)) if failures else 0.0


def meant_for_the_conversation(secret: str | Secret, typed: str) -> str:
    """Return what was typed after enter, unless it may be the passphrase once more, which nobody must see."""
    if not isinstance(secret, str) or typed.startswith(secret) or secret.startswith(typed):
        return ""
    return typed


class PassphraseInput(OrderedInput):
    """The field; what is typed after enter is no part of the passphrase, however fast it is typed."""

    def __init__(self, take: Callable[[str], bool]) -> None:
        super().__init__(placeholder="passphrase", password=True, id="passphrase")
        self.take = take

    async def _on_key(self, event: events.Key) -> None:
        """Give the passphrase away in the order of the keys: a binding, which the app runs, comes too late."""
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            if self.take(self.value):
                self.value = ""


class UnlockScreen(Screen[None]):
    """Ask for the passphrase."""

    CSS_PATH = "unlock.tcss"
    TITLE = "Locket"

    @dataclass
    class Unlocked(Message):
        """The store is open."""

        locket: LocketPort
        typed: str
        """What was typed since."""
        meant: Callable[[str], str]
        """Picks what of it is for the conversation."""

    @dataclass
    class Opened(Message):
        """The store is open; keys that are still on their way belong to what comes next."""

        finish: Callable[[], object]

    def __init__(
        self,
        unlock: Callable[[str | Secret], LocketPort],
        *,
        reason: str = "",
        closing: Awaitable[None] | None = None,
        pause: Callable[[int], float] = pause_after,
        has_keyring: Callable[[], bool] = lambda: False,
        ask_keyring: Callable[[], Secret | None] = lambda: None,
    ) -> None:
        super().__init__()
        self.unlock = unlock
        self.reason = reason
        self.closing = closing
        self.pause = pause
        self.has_keyring = has_keyring
        self.ask_keyring = ask_keyring
        self.failures = 0
        self.busy = False
        self.locking = False
        """Whether the old keys are still being dropped."""
        self.by_keyring = False
        """Whether enter alone asks the keyring."""
        self.waiting = ""
        """A passphrase that was given meanwhile."""

    def compose(self) -> ComposeResult:
        """Lay out the box in the middle."""
        with Vertical(id="lock-box"):
            yield Static(Content.styled(LOGO, "bold $accent"), markup=False)
            yield Static(Content.styled(TAGLINE, "$muted"), markup=False)
            yield PassphraseInput(self.take)
            yield Static(self.reason, markup=False, id="lock-words")
            yield Static(Content.styled(FOOT, "$muted"), markup=False, id="lock-foot")

    def on_mount(self) -> None:
        """Wait for what is being closed, if anything is; else have the keyring open the store."""
        for field in self.query(Input):  # none when the program ends while this is put up
            self.set_focus(field)
        if self.closing is not None:
            self.wait_for_closing()
        else:
            self.call_after_refresh(self.look_for_keyring, at_once=True)

    @work(group="unlock", exit_on_error=False)
    async def wait_for_closing(self) -> None:
        """Take no passphrase before the old keys are gone."""
        closing, self.closing = self.closing, None
        if closing is None:
            return
        self.busy = self.locking = True
        self.say("Locking…")
        try:
            await closing
        except Exception as error:  # noqa: BLE001 - the edge of a worker
            self.say(in_one(problem_of(error)), wrong=True)
        else:
            self.say(self.reason)
        finally:
            self.busy = self.locking = False
            drop_leftovers()
        self.look_for_keyring(at_once=False)
        if waiting := self.waiting:
            self.waiting = ""
            self.submit(waiting)

    @work(group="keyring", exit_on_error=False)
    async def look_for_keyring(self, *, at_once: bool) -> None:
        """Say so when a keyring may open the store; at the start of the program, have it do so."""
        self.by_keyring = await asyncio.to_thread(self.has_keyring)
        if self.by_keyring:
            self.query_one("#lock-foot", Static).update(Content.styled(KEYRING_FOOT, "$muted"))
            if at_once and not self.busy:
                self.try_keyring()

    @work(exclusive=True, group="keyring", exit_on_error=False)
    async def try_keyring(self) -> None:
        """Get the secret out of the keyring; meanwhile a passphrase is taken as ever."""
        self.say("Asking this computer's keyring…")
        try:
            secret = await aside(self.ask_keyring)
        except Exception as error:  # noqa: BLE001 - the edge of a worker
            if not self.busy:
                self.say(in_one(problem_of(error)), wrong=True)
            return
        if self.busy:
            return
        self.say(self.reason)
        if secret is not None and not self.query_one(Input).value:
            self.busy = True
            self.say("Unlocking…")
            self.try_unlock(secret)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Put into words what went wrong in the background; the passphrase is taken all the same."""
        if event.state is not WorkerState.ERROR or event.worker.error is None:
            return
        if event.worker.group == "unlock":
            self.busy = False
        if not self.busy:  # the keyring's troubles are none of a passphrase's that is being tried
            self.say(in_one(problem_of(event.worker.error)), wrong=True)

    def take(self, passphrase: str) -> bool:
        """Try the passphrase, or the keyring when there is none; say whether it was taken out of the field."""
        if self.busy:
            if self.locking and passphrase:
                self.waiting = passphrase
            return self.locking
        if passphrase:
            self.submit(passphrase)
        elif self.by_keyring:
            self.try_keyring()
        return True

    def submit(self, passphrase: str) -> None:
        """Try a passphrase."""
        self.busy = True
        self.say("Unlocking…")
        self.try_unlock(passphrase)

    @work(exclusive=True, group="unlock", exit_on_error=False)
    async def try_unlock(self, secret: str | Secret) -> None:
        """Open the store away from the screen's own thread."""
        try:
            locket = await asyncio.to_thread(self.unlock, secret)
        except Exception as error:  # noqa: BLE001 - the edge of a worker
            self.refuse(error)
            return

        def hand_over() -> None:
            meant = partial(meant_for_the_conversation, secret)
            self.post_message(self.Unlocked(locket, self.query_one(Input).value, meant))

        # keys that were sent to the field already are in it when the field gets to this
        field = self.query_one(Input)
        self.post_message(self.Opened(partial(field.call_later, hand_over)))

    def refuse(self, error: Exception) -> None:
        """Say why not; a wrong passphrase also costs a moment."""
        problem = problem_of(error)
        words = in_one(problem)
        if problem.exit_code == WRONG_EXIT:
            self.failures += 1
            seconds = self.pause(self.failures)
            self.say(f"{words} Next try in {seconds:.0f} s." if seconds >= 1 else words, wrong=True)
            self.set_timer(seconds, self.allow) if seconds else self.allow()
        else:
            self.say(words, wrong=True)
            self.allow()

    def allow(self) -> None:
        """Take the next try."""
        self.busy = False
        words = self.query_one("#lock-words", Static)
        if words.has_class("-wrong"):
            plain = str(words.content).partition(" Next try in ")[0]
            words.update(Content(plain))

    def say(self, words: str, *, wrong: bool = False) -> None:
        """Show one paragraph under the field."""
        line = self.query_one("#lock-words", Static)
        line.update(Content(words))
        line.set_class(wrong, "-wrong")
