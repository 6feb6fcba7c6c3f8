"""The conversation as it is read: a window of mounted messages over the whole list, and the answer that grows.

Takes records and turn events, says what the user wants with a message. Only some dozens of messages are
mounted at a time; scrolling to either end brings the next ones and lets the far ones go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message as TextualMessage
from textual.widgets import Static

from assistant.tui.messages import UndoAsked
from assistant.tui.plain import counted
from assistant.tui.widgets.answer import AnswerView, MessageView, UserView
from memory.ports import Clock
from memory.records import Message, Role

PAGE = 20
MOUNTED = 60


class MessageAct(StrEnum):
    """What can be done with a selected message."""

    EDIT = "edit"
    COPY = "copy"
    COPY_CODE = "copy_code"
    BRANCH = "branch"
    WHY = "why"


class Transcript(VerticalScroll, can_focus=True):
    """All messages of one conversation, newest at the bottom."""

    BINDING_GROUP_TITLE = "On a selected message"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "select(-1)", "the message before", id="message.up"),
        Binding("down,j", "select(1)", "the message after", id="message.down"),
        Binding("g,home", "select_end(-1)", "the first one", id="message.first"),
        Binding("G,end", "select_end(1)", "the last one", id="message.last"),
        Binding("e", "want('edit')", "edit and send again", id="message.edit"),
        Binding("y", "want('copy')", "copy", id="message.copy"),
        Binding("c", "want('copy_code')", "copy its code", id="message.copy_code"),
        Binding("b", "want('branch')", "go on from here", id="message.branch"),
        Binding("w", "want('why')", "why this answer", id="message.why"),
        Binding("u", "undo", "undo what was remembered", id="message.undo"),
    ]

    @dataclass
    class Wanted(TextualMessage):
        """The user wants something done with a message."""

        act: MessageAct
        message: Message

    def __init__(self, now: Clock, *, id: str | None = None) -> None:  # noqa: A002 - textual's own name
        super().__init__(id=id)
        self.now = now
        self.messages: list[Message] = []
        self.selected: MessageView | None = None
        self._first = 0
        self._last = 0
        self._moving = False
        self.following = True

    @property
    def views(self) -> list[MessageView]:
        """The mounted messages in order."""
        return list(self.query_children(MessageView))

    @property
    def growing(self) -> AnswerView | None:
        """The answer at the bottom, finished or not."""
        views = self.views
        return views[-1] if views and isinstance(views[-1], AnswerView) else None

    def follow(self) -> None:
        """Stay at the end of what is said from now on, until the user scrolls away."""
        self.following = True
        self._anchor_when_full()

    def stay(self) -> None:
        """Stay where the user is."""
        self.following = False
        self.release_anchor()

    def watch_virtual_size(self) -> None:
        """Begin to follow the end once the conversation is longer than the screen."""
        self._anchor_when_full()

    def on_resize(self) -> None:
        """Do the same when the screen shrinks."""
        self._anchor_when_full()

    def _anchor_when_full(self) -> None:
        """Anchor only a full screen: an anchored short conversation would sink to the bottom."""
        full = self.virtual_size.height > self.container_size.height
        if self.following and full and not self.is_anchored:
            self.anchor()
        elif not full and self.is_anchored:
            self.anchor(anchor=False)
            self.scroll_to(y=0, animate=False, immediate=True, force=True)

    async def show(self, messages: Sequence[Message], welcome: str = "", at: str | None = None) -> None:
        """Show a conversation from its end, or around the message ``at``."""
        self.messages = [m for m in messages if m.role is not Role.SYSTEM]
        self.selected = None
        place = next((n for n, one in enumerate(self.messages) if one.id == at), len(self.messages))
        self._last = min(len(self.messages), place + PAGE)
        self._first = max(0, min(place, self._last) - PAGE)
        await self.remove_children()
        await self.mount_all([self._view(m) for m in self.messages[self._first : self._last]])
        if welcome and not self.messages:
            await self.mount(Static(Content.styled(welcome, "$muted"), markup=False, id="welcome"))
        await self._draw_ends()
        self.follow()

    def choose(self, ident: str) -> None:
        """Select a message that is mounted, and go to it."""
        view = next((v for v in self.views if v.message is not None and v.message.id == ident), None)
        if view is not None:
            self.focus()
            self._choose(view)

    async def say(self, text: str, pasted: tuple[tuple[int, int], ...] = ()) -> UserView:
        """Show what the user just sent and follow the conversation to its end."""
        await self._to_end()
        view = UserView(None, text, self.now(), pasted)
        await self.mount(view)
        self.follow()
        return view

    async def begin_answer(self) -> AnswerView:
        """Make room for an answer."""
        await self._to_end()
        for older in self.query_children(AnswerView):
            older.grow_old()
        view = AnswerView(None, self.now())
        await self.mount(view)
        self.follow()
        return view

    async def drop_last_answer(self) -> None:
        """Take the last answer off the screen; it lives on as a branch."""
        if (view := self.growing) is not None:
            if view.message is not None and self.messages and self.messages[-1].id == view.message.id:
                self.messages.pop()
                self._last = len(self.messages)
            await view.remove()

    def settle(self, message: Message) -> None:
        """Add a stored message whose view is on the screen already."""
        self.messages.append(message)
        self._last = len(self.messages)

    def action_select(self, step: int) -> None:
        """Select the message before or after."""
        views = [v for v in self.views if v.message is not None]
        if not views:
            return
        if self.selected not in views:
            self._choose(views[-1])
            return
        at = views.index(self.selected) + step
        if at < 0:
            self._page(-1)
        elif at >= len(views):
            self._page(1)
        self._choose(views[max(0, min(at, len(views) - 1))])

    def action_select_end(self, end: int) -> None:
        """Select the first or the last mounted message."""
        views = [v for v in self.views if v.message is not None]
        if views:
            self._choose(views[0 if end < 0 else -1])
            self._page(end)

    def action_want(self, act: str) -> None:
        """Say what is wanted with the selected message."""
        if self.selected is not None and self.selected.message is not None:
            self.post_message(self.Wanted(MessageAct(act), self.selected.message))

    def action_undo(self) -> None:
        """Ask for the last change of memory to be undone."""
        self.post_message(UndoAsked())

    def on_blur(self) -> None:
        """Select nothing once the focus has left."""
        self._choose(None)

    def watch_scroll_y(self, old: float, new: float) -> None:
        """Bring more messages when an end is reached."""
        super().watch_scroll_y(old, new)
        if new <= 0 < old:
            self._page(-1)
        elif new >= self.max_scroll_y > old:
            self._page(1)

    def _choose(self, view: MessageView | None) -> None:
        if self.selected is not None:
            self.selected.remove_class("-selected")
        self.selected = view
        if view is not None:
            view.add_class("-selected")
            self.stay()
            self.scroll_to_widget(view, animate=False)

    def _page(self, direction: int) -> None:
        wanted = self._first > 0 if direction < 0 else self._last < len(self.messages)
        if wanted and not self._moving:
            self._moving = True
            self.call_later(self._move_window, direction)

    async def _move_window(self, direction: int) -> None:
        """Mount the next page at one end and let go of what is too far at the other."""
        try:
            views = self.views
            if direction < 0:
                first = max(0, self._first - PAGE)
                fresh = [self._view(m) for m in self.messages[first : self._first]]
                keep = views[0] if views else None
                await self.mount_all(fresh, before=keep)
                self._first = first
                for view in self._too_many(views[::-1]):
                    await view.remove()
                    self._last -= 1
                if keep is not None:
                    self.scroll_to_widget(keep, animate=False, top=True)
            else:
                last = min(len(self.messages), self._last + PAGE)
                await self.mount_all([self._view(m) for m in self.messages[self._last : last]])
                self._last = last
                for view in self._too_many(views):
                    await view.remove()
                    self._first += 1
            await self._draw_ends()
        finally:
            self._moving = False

    def _too_many(self, far: list[MessageView]) -> list[MessageView]:
        excess = len(self.views) - MOUNTED
        return [v for v in far[: max(0, excess)] if v.message is not None]

    async def _to_end(self) -> None:
        await self.query("#welcome").remove()
        if self._last < len(self.messages):
            await self.show(self.messages)

    async def _draw_ends(self) -> None:
        await self.query(".more").remove()
        if self._first:
            words = f"↑ {counted(self._first, 'earlier message')}"
            await self.mount(Static(words, markup=False, classes="more"), before=0)
        if later := len(self.messages) - self._last:
            await self.mount(Static(f"↓ {counted(later, 'later message')}", markup=False, classes="more"))

    def _view(self, message: Message) -> MessageView:
        if message.role is Role.USER:
            return UserView(message, message.text, self.now())
        return AnswerView(message, self.now())
