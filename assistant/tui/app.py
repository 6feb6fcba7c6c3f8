"""The program on the screen: locked, first run or conversation, and the way between them.

Owns the open Locket, the idle clock, themes and the keys that work everywhere. Imports the conversation only
when it is needed, so that the first words are painted early.
More than 300 lines: the order of starting, locking and ending is one story, told in one place.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import events, work
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widgets import Input, TextArea
from textual.worker import Worker, WorkerState

from assistant.lock_request import PATIENCE_SECONDS, obey_requests, take_request
from assistant.settings import Settings, write_setting
from assistant.tui.crash import in_one, problem_of
from assistant.tui.idle import IdleTimer, SleepWatch, asleep_clock, waking_clock
from assistant.tui.keys import ids_of
from assistant.tui.ports import Doors, LocketPort
from assistant.tui.screens.unlock import UnlockScreen
from assistant.tui.terminal import fall_silent, is_gone
from assistant.tui.themes import THEMES, next_theme

if TYPE_CHECKING:
    from assistant.tui.screens.chat import ChatScreen, Place
    from memory.ports import Clock

# ruff: noqa: PLC0415 - late imports are the point: the locked screen must not wait for the conversation's

LOCKED_BY_HAND = "Locked."
LOCKED_BY_TIME = "Locked, because nothing was typed for a while."
LOCKED_BY_SLEEP = "Locked, because the computer was asleep."
LOCKED_BY_REQUEST = "Locked, because another program of yours asked for it."


class LocketApp(App[int]):
    """Locket on a terminal."""

    CSS_PATH = "app.tcss"
    TITLE = "Locket"
    ENABLE_COMMAND_PALETTE = True
    BINDING_GROUP_TITLE = "Everywhere"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "help", id="app.help", priority=True),
        Binding("f2", "settings", "settings", id="app.settings", priority=True),
        Binding("ctrl+p", "command_palette", "everything by name", id="app.palette", priority=True),
        Binding("ctrl+l", "lock", "lock", id="app.lock", priority=True),
        Binding("ctrl+c", "interrupt", "copy a selection, else stop", id="app.interrupt", priority=True),
        Binding("ctrl+q", "quit", "quit", id="app.quit", priority=True),
    ]
    COMMAND_PALETTE_BINDING = "ctrl+p"

    def __init__(
        self,
        settings: Settings,
        doors: Doors,
        *,
        now: Clock | None = None,
        clock: Callable[[], float] = waking_clock,
        asleep: Callable[[], float] = asleep_clock,
        tick: float = 1.0,
    ) -> None:
        super().__init__()
        self.settings = settings
        self.doors = doors
        self.now = now or (lambda: settings.now or datetime.now().astimezone())
        self.idle = IdleTimer(settings.lock_minutes * 60, clock)
        self.sleep = SleepWatch(asleep)
        self.tick_seconds = tick
        self.locket: LocketPort | None = None
        self.place: Place | None = None
        self.asked_to_lock: float | None = None
        self.told = 0
        self.early: str | None = None
        """What is typed between the locked screen and the conversation; None when there is no such moment."""
        self.meant: Callable[[str], str] = str
        """Picks what of it is for the conversation."""
        self.is_left = False
        """Whether the terminal went away, and Locket with it."""
        self._interrupted = False
        for theme in THEMES:
            self.register_theme(theme)

    def on_mount(self) -> None:
        """Paint the locked screen, then look whether there is a store."""
        names = [theme.name for theme in THEMES]
        self.theme = self.settings.theme if self.settings.theme in names else names[0]
        self.set_keymap(dict(self.settings.keymap))
        self.push_screen(self.unlock_screen())
        obey_requests(asyncio.get_running_loop(), self.lock_when_asked, self.hang_up)
        self.set_interval(self.tick_seconds, self.tick)
        self.call_after_refresh(self.look_for_store)

    def unlock_screen(self, reason: str = "", closing: Awaitable[None] | None = None) -> UnlockScreen:
        """Make a locked screen; one that waits for what is being closed does not unlock by itself."""
        return UnlockScreen(
            partial(self.doors.open_locket, self.settings),
            reason=reason,
            closing=closing,
            has_keyring=partial(self.doors.has_keyring, self.settings),
            ask_keyring=partial(self.doors.ask_keyring, self.settings),
        )

    @work(group="start", exit_on_error=False)
    async def look_for_store(self) -> None:
        """Go to the first run when there is no store; warm up what comes next either way."""
        if not await asyncio.to_thread(self.doors.store_exists, self.settings):
            from assistant.tui.screens.first_run import FirstRunScreen

            await self.switch_screen(FirstRunScreen(self.settings, self.doors, self.collect_early))
        await asyncio.to_thread(warm_up)

    def on_unlock_screen_opened(self, event: UnlockScreen.Opened) -> None:
        """Keep what is typed from here on for the conversation."""
        self.early = ""
        event.finish()

    def on_unlock_screen_unlocked(self, event: UnlockScreen.Unlocked) -> None:
        """Show the conversation."""
        self.early, self.meant = event.typed + (self.early or ""), event.meant
        self.enter(event.locket)

    def on_first_run_screen_made(self, event: DOMNode) -> None:
        """Keep the chosen model and show the conversation."""
        if event.model:  # type: ignore[attr-defined]
            self.settings = replace(self.settings, model=event.model)  # type: ignore[attr-defined]
            self.keep_setting("model", event.model)  # type: ignore[attr-defined]
        self.enter(event.locket)  # type: ignore[attr-defined]

    def enter(self, locket: LocketPort) -> None:
        """Leave the locked screen for the conversation."""
        from assistant.tui.screens.chat import ChatScreen

        self.locket = locket
        self.idle.touch()
        place, self.place = self.place, None
        self.early = self.early or ""
        self.switch_screen(ChatScreen(locket, self.now, place, self.take_early))
        self.check_keymap()
        self.told = 0
        self.tell_notices(locket)

    def collect_early(self, wanted: bool) -> None:
        """Keep what is typed from here on for the conversation, or no longer."""
        self.early = "" if wanted else None

    def take_early(self) -> str:
        """Give what was typed before there was a conversation to type in; from now on there is."""
        early, self.early = self.meant(self.early or ""), None
        self.meant = str
        return early

    def tell_notices(self, locket: LocketPort) -> None:
        """Say, once each, what protects the store less than it should."""
        notices = locket.notices
        for words in notices[self.told :]:
            self.notify(words, severity="warning", markup=False, timeout=15)
        self.told = len(notices)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Give our own two colour names to themes that do not know them."""
        return {"muted": "#8b919e", "faint": "#4a505c"}

    def check_keymap(self) -> None:
        """Say which ids of the keymap name no key."""
        unknown = sorted(set(self.settings.keymap) - ids_of(owners()))
        if unknown:
            words = f"The keymap names no such key: {', '.join(unknown)}. The help (f1) lists what there is."
            self.notify(words, severity="warning", markup=False, timeout=15)

    def _fatal_error(self) -> None:
        """Leave with words that hold nothing of a conversation; textual would print every local variable."""
        self.bell()
        error = self._exception or RuntimeError()
        self._exit_renderables.append(Text(in_one(problem_of(error))))
        self._close_messages_no_wait()

    @property
    def chat(self) -> ChatScreen | None:
        """The conversation, wherever it is in the stack."""
        if self.locket is None:
            return None
        from assistant.tui.screens.chat import ChatScreen

        return next((s for s in self.screen_stack if isinstance(s, ChatScreen)), None)

    # -- locking --------------------------------------------------------------------------------------

    async def on_event(self, event: events.Event) -> None:
        """Notice that the user is there."""
        if isinstance(event, events.Key | events.Paste | events.MouseEvent):
            self.idle.touch()
            if isinstance(event, events.Key) and event.key != "ctrl+c":
                self._interrupted = False
            if self.early is not None and isinstance(event, events.Key) and event.is_printable:
                self.early += event.character or ""
                return
        await super().on_event(event)

    def tick(self) -> None:
        """Lock when it is time; show how long it is until then. A terminal that is gone is left, signal or not."""
        if not self.is_headless and is_gone():
            self.hang_up()
            return
        slept = self.sleep.has_slept() and self.idle.limit > 0
        if take_request(self.settings.paths.vault):
            self.lock_when_asked()
        chat = self.chat
        if chat is None:
            return
        asked = self.asked_to_lock
        if chat.is_mounted:
            self.asked_to_lock = None
        if slept:
            self.lock(LOCKED_BY_SLEEP)
        elif asked is not None and time.monotonic() - asked < PATIENCE_SECONDS:
            self.lock(LOCKED_BY_REQUEST)
        elif self.idle.is_due(talking=chat.talking):
            self.lock(LOCKED_BY_TIME)
        elif chat.is_mounted:
            chat.tick(self.idle.left)
            if self.locket is not None:
                self.tell_notices(self.locket)

    def on_work_got_on(self) -> None:
        """Count what the user waits for as the user's doing, within bounds."""
        self.idle.work_got_on()

    def action_lock(self) -> None:
        """Lock now."""
        if self.locket is not None:
            self.lock(LOCKED_BY_HAND)

    def lock_when_asked(self) -> None:
        """Lock for `locket vault lock`; a store that is just being opened is locked as soon as it is open."""
        if self.chat is None:
            self.asked_to_lock = time.monotonic()
        else:
            self.lock(LOCKED_BY_REQUEST)

    def hang_up(self) -> None:
        """Lock when the terminal goes, and leave when nobody can come back to it."""
        if self.is_headless or not is_gone():
            self.action_lock()
        elif not self.is_left:
            self.is_left = True
            fall_silent(self)
            self.leave()

    @work(group="quit", exit_on_error=False)
    async def leave(self) -> None:
        """Quit from where nothing can be awaited."""
        await self.action_quit()

    def lock(self, reason: str) -> None:
        """Blank the screen at once, then end engines and keys, then take a passphrase again."""
        locket, chat = self.locket, self.chat
        if locket is None or chat is None:
            return
        if not chat.is_mounted:  # it has only just been opened: in a moment
            self.asked_to_lock = time.monotonic()
            return
        self.locket = None
        chat.stop()
        self.place, unsent = chat.leave()
        cover = self.unlock_screen(reason, close(locket, self.place, unsent))
        self.clear_notifications()
        if self.clipboard:  # it was copied here; what came from elsewhere is not ours to clear
            self.copy_to_clipboard("")
        self.replace_everything(cover)

    @work(group="lock", exit_on_error=False)
    async def replace_everything(self, cover: Screen[None]) -> None:
        """Put one screen in place of all."""
        while len(self.screen_stack) > 2:
            await self.pop_screen()
        await self.switch_screen(cover)

    # -- keys -----------------------------------------------------------------------------------------

    def action_help(self) -> None:
        """Show every key."""
        from assistant.tui.screens.help import HelpScreen

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(key_groups(), self.settings.keymap))

    def action_settings(self) -> None:
        """Show the settings."""
        from assistant.tui.screens.settings import SettingsScreen

        if self.locket is not None and not isinstance(self.screen, SettingsScreen):
            model = self.locket.status.model or "none"
            self.push_screen(SettingsScreen(self.settings, self.theme, model))
            self.show_persona(self.locket)

    @work(exclusive=True, group="persona", exit_on_error=False)
    async def show_persona(self, locket: LocketPort) -> None:
        """Add to the settings what only the store knows."""
        from assistant.tui.screens.settings import SettingsScreen

        persona = await locket.read(lambda reader: reader.persona())
        if isinstance(self.screen, SettingsScreen):
            self.screen.show_persona(persona)

    def action_interrupt(self) -> None:
        """Copy what is selected, else stop the answer, else say how to quit."""
        selected = self.screen.get_selected_text() or ""
        if isinstance(self.focused, TextArea | Input) and not selected:
            selected = self.focused.selected_text
            if isinstance(self.focused, Input) and self.focused.password:
                selected = ""
        if selected:
            self.copy_to_clipboard(selected)
        elif not self._interrupted and (chat := self.chat) is not None and chat.stop():
            self._interrupted = True
        else:
            self.notify("ctrl+q quits.", markup=False)

    async def action_quit(self) -> None:
        """Close everything and leave."""
        locket, chat, self.locket = self.locket, self.chat, None
        if locket is not None and chat is not None:
            chat.stop()
            place, unsent = chat.leave()
            self.replace_everything(UnlockScreen(refuse, reason="Closing…"))
            try:
                await close(locket, place, unsent, leaving=True)
            except Exception as error:  # noqa: BLE001 - the last edge: say it, then leave all the same
                self.exit(1, message=in_one(problem_of(error)))
                return
        self.exit(0)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:  # noqa: ARG002 - textual gives it
        """List what the palette offers."""
        yield SystemCommand("Help", "every key and command", self.action_help)
        yield SystemCommand("Next theme", "dark, light, strong contrast", self.next_theme)
        yield SystemCommand("Quit", "close Locket", self.action_quit)
        if (chat := self.chat) is None:
            return
        from assistant.tui.widgets.inspector import TABS

        yield SystemCommand("Lock", "lock now", self.action_lock)
        yield SystemCommand("Settings", "what is set, and where everything is", self.action_settings)
        for binding in chat.BINDINGS:
            if isinstance(binding, Binding) and binding.id != "chat.back":
                run = partial(chat.run_action, binding.action)
                yield SystemCommand(binding.description.capitalize(), "", run)
        for tab in TABS:
            yield SystemCommand(f"Inspector: {tab}", "", partial(chat.show_tab, tab))

    # -- settings -------------------------------------------------------------------------------------

    def next_theme(self) -> None:
        """Take the next theme and keep it."""
        self.theme = next_theme(self.theme)
        self.keep_setting("theme", self.theme)

    def on_settings_screen_theme_wanted(self) -> None:
        """Take the next theme from the settings screen."""
        self.next_theme()
        self.redraw_settings()

    def on_settings_screen_lock_time_wanted(self) -> None:
        """Take the next lock time."""
        from assistant.tui.screens.settings import next_lock

        minutes = next_lock(self.settings.lock_minutes)
        self.settings = replace(self.settings, lock_minutes=minutes)
        self.idle.limit = minutes * 60
        self.keep_setting("lock_minutes", minutes)
        self.redraw_settings()

    def redraw_settings(self) -> None:
        """Show changed settings."""
        from assistant.tui.screens.settings import SettingsScreen

        if isinstance(self.screen, SettingsScreen):
            self.screen.show(self.settings, self.theme)

    @work(group="settings", exit_on_error=False)
    async def keep_setting(self, name: str, value: str | int) -> None:
        """Write one setting into the config file."""
        await asyncio.to_thread(write_setting, self.settings.paths.config, name, value)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Put into words what went wrong in a worker of the program itself."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            self.notify(in_one(problem_of(event.worker.error)), severity="error", markup=False, timeout=15)


async def close(locket: LocketPort, place: Place, unsent: str, *, leaving: bool = False) -> None:
    """Keep what was not sent, then end engines and drop keys; only who leaves has ended the conversation.

    An export or import ends first, or what is kept would wait behind all of it, keys and all.
    """
    from assistant.tui import acts

    locket.stop_carrying()
    keep = acts.keep_and_leave if leaving else acts.keep_unsent
    kept: asyncio.Future[None] | None = None
    if not place.incognito:
        kept = asyncio.ensure_future(locket.act(partial(keep, conversation=place.conversation, text=unsent)))
        await asyncio.sleep(0)  # it is queued now; closing ends what it may have to wait for, then does it
    await locket.close()
    if kept is not None:
        await kept


def refuse(secret: object) -> LocketPort:  # noqa: ARG001 - the shape of a door
    """Open nothing any more."""
    raise RuntimeError("Locket is closing")


def warm_up() -> None:
    """Import the conversation while the user types the passphrase."""
    from assistant.tui.screens import chat  # noqa: F401


def owners() -> list[type[DOMNode]]:
    """List every class that binds a key."""
    from assistant.tui.screens.carry import CarryScreen
    from assistant.tui.screens.confirm import AskScreen, ConfirmScreen
    from assistant.tui.screens.export import ExportScreen
    from assistant.tui.screens.first_run import FirstRunScreen
    from assistant.tui.screens.forget import ForgetScreen
    from assistant.tui.screens.help import HelpScreen
    from assistant.tui.screens.import_ import ImportScreen
    from assistant.tui.screens.pick import PickScreen
    from assistant.tui.screens.search import SearchScreen
    from assistant.tui.screens.settings import SettingsScreen

    dialogs: list[type[DOMNode]] = [
        AskScreen,
        CarryScreen,
        ConfirmScreen,
        ExportScreen,
        FirstRunScreen,
        ForgetScreen,
        HelpScreen,
        ImportScreen,
        PickScreen,
        SearchScreen,
        SettingsScreen,
    ]
    return [*(owner for _, owner in key_groups()), *dialogs]


def key_groups() -> list[tuple[str, type[DOMNode]]]:
    """List the classes whose keys the help shows, in its order."""
    from assistant.tui.screens.chat import ChatScreen
    from assistant.tui.widgets.inspector import Inspector
    from assistant.tui.widgets.prompt_input import PromptInput
    from assistant.tui.widgets.record_list import RecordList
    from assistant.tui.widgets.review import ReviewList
    from assistant.tui.widgets.rules import RuleList
    from assistant.tui.widgets.transcript import Transcript
    from assistant.tui.widgets.working import WorkingList

    return [
        ("Everywhere", LocketApp),
        ("In a conversation", ChatScreen),
        ("Writing", PromptInput),
        ("On a selected message", Transcript),
        ("In a list", RecordList),
        ("In Rules", RuleList),
        ("In Working", WorkingList),
        ("In Review", ReviewList),
        ("In the inspector", Inspector),
    ]
