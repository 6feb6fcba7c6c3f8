"""One turn on the chat screen, and the messages that wait for it to end.

Owns the answer that grows and the queue behind it. `apply` is the only place where a turn changes the
screen. Nothing durable happens here but keeping drafts: words are committed by the turn itself.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from assistant.chat.attached import shortened_files
from assistant.chat.commands import parse_command
from assistant.chat.events import (
    AnswerFinished,
    MemoryChanged,
    Notice,
    PromptAssembled,
    ReadingPrompt,
    Thinking,
    TokenDelta,
    TurnBegan,
    TurnEvent,
    TurnFailed,
)
from assistant.tui import acts
from assistant.tui.crash import problem_of
from assistant.tui.snapshot import Receipt
from assistant.tui.widgets.answer import AnswerView, UserView
from assistant.tui.widgets.drafts import Drafts
from assistant.tui.widgets.inspector import Inspector
from assistant.tui.widgets.prompt_input import PromptInput
from assistant.tui.widgets.transcript import Transcript
from memory.records import Decided, Ignore, Message, Turn, Usage

if TYPE_CHECKING:
    from assistant.tui.screens.chat import ChatScreen

Pasted = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A message that will be sent after the answer that is being made."""

    text: str
    pasted: Pasted
    draft: str
    """The id under which it is kept, so that a crash does not lose it; empty when nothing is to be kept."""


class Talk:
    """What is being said right now."""

    def __init__(self, screen: ChatScreen) -> None:
        self.screen = screen
        self.talking = False
        self.begun = True
        """Whether the store has what was said last."""
        self.queued: list[Waiting] = []
        self._draft = ""
        self._said: tuple[str, Pasted] = ("", ())
        self._kept: tuple[str, str | None] = ("", None)
        self._user: UserView | None = None
        self._answer: AnswerView | None = None

    # -- a turn ---------------------------------------------------------------------------------------

    def hand_over(
        self, text: str, pasted: Pasted, draft: str, instead_of: str | None
    ) -> AsyncIterator[TurnEvent]:
        """Give the words away to be committed, before anything is drawn: locking or a crash finds them in the store."""
        self.talking, self.begun = True, False
        self._draft, self._said = draft, (text, pasted)
        screen = self.screen
        return screen.locket.turn(
            text,
            conversation=screen.conversation,
            pasted=pasted,
            incognito=screen.incognito,
            instead_of=instead_of,
        )

    async def show(self, text: str, pasted: Pasted, events: AsyncIterator[TurnEvent]) -> None:
        """Show what was handed over, and the answer as it comes."""
        transcript = self.screen.query_one(Transcript)
        self._user = await transcript.say(text, pasted)
        self._answer = await transcript.begin_answer()
        await self._hear(events)

    async def again(self, conversation: str) -> None:
        """Make the last answer again; the earlier one stays as a branch."""
        self.talking = True
        transcript = self.screen.query_one(Transcript)
        await transcript.drop_last_answer()
        self._user, self._answer = None, await transcript.begin_answer()
        await self._hear(self.screen.locket.regenerate(conversation, incognito=self.screen.incognito))

    async def failed(self, error: BaseException) -> None:
        """Say under the answer what nobody foresaw, and go on; words that are not in the store can be sent again."""
        if self._answer is not None:
            await self._answer.finish(None, "")
            self._answer.failed(problem_of(error))
        prompt = self.screen.query_one(PromptInput)
        if not self.begun and not prompt.text:
            prompt.put(*self._said)
        self._over()

    async def _hear(self, events: AsyncIterator[TurnEvent]) -> None:
        async for event in events:
            await self.apply(event)
        self._over()

    async def apply(self, event: TurnEvent) -> None:
        """Change the screen as one event says."""
        answer = self._answer
        if answer is None:
            return
        match event:
            case TurnBegan(turn):
                await self._began(turn)
            case PromptAssembled(prompt, recall):
                self._show_receipt(Receipt.of_prompt(prompt, recall.query))
            case ReadingPrompt(done, total):
                answer.reading(done, total)
            case Thinking(text):
                answer.thinking(text)
            case TokenDelta(text):
                await answer.grow(text)
            case Notice(text):
                answer.notice(text)
            case AnswerFinished(message, reason, usage):
                await self._finished(answer, message, reason, usage)
            case MemoryChanged(decided):
                self._remembered(answer, decided)
            case TurnFailed(problem):
                await answer.finish(None, "")
                answer.failed(problem)

    async def _began(self, turn: Turn) -> None:
        self.begun, self._said = True, ("", ())
        screen = self.screen
        typed_in, screen.conversation = screen.conversation, turn.conversation
        if typed_in is None and not screen.incognito:  # it was kept for a conversation not yet begun
            await screen.locket.act(partial(acts.keep_unsent, conversation=None, text=""))
        screen.keep_unsent()
        if self._user is not None:
            self._user.settle(turn.message)
            screen.query_one(Transcript).settle(turn.message)
        inspector = screen.query_one(Inspector)
        inspector.snapshot = replace(inspector.snapshot, fresh=frozenset())
        draft, self._draft = self._draft, ""
        if draft:
            await screen.locket.act(lambda memory: memory.drop_draft(draft))
        screen.refresh_lists()

    async def _finished(self, answer: AnswerView, message: Message, reason: str, usage: Usage | None) -> None:
        await answer.finish(message, reason)
        self.screen.query_one(Transcript).settle(message)
        if (receipt := self.screen.query_one(Inspector).snapshot.receipt) is not None:
            self._show_receipt(receipt.with_usage(usage))
        self.screen.show_status(usage=usage)

    def _remembered(self, answer: AnswerView, decided: tuple[Decided, ...]) -> None:
        answer.remembered(decided)
        fresh = {one.id for one in decided if one.id and not isinstance(one.decision, Ignore)}
        inspector = self.screen.query_one(Inspector)
        inspector.snapshot = replace(inspector.snapshot, fresh=inspector.snapshot.fresh | fresh)
        self.screen.refresh_lists()

    def _show_receipt(self, receipt: Receipt) -> None:
        inspector = self.screen.query_one(Inspector)
        inspector.snapshot = replace(inspector.snapshot, receipt=receipt)

    def _over(self) -> None:
        self.talking, self.begun = False, True
        self.screen.show_status()
        self.screen.refresh_lists()
        self.screen.call_later(self.send_next)

    # -- what waits -----------------------------------------------------------------------------------

    async def queue(self, text: str, pasted: Pasted) -> None:
        """Keep a message until the answer is finished, and show that it waits."""
        conversation = self.screen.conversation
        draft = ""
        if not self.screen.incognito:
            draft = await self.screen.locket.act(lambda memory: memory.queue_draft(conversation, text))
        self.queued.append(Waiting(text, pasted, draft))
        self._show_queued()
        self.screen.keep_unsent()
        self.send_next()

    def send_next(self) -> None:
        """Send the first message that waits, unless an answer is being made; what waits while the user leaves is kept."""
        if self.queued and not self.talking and not self.screen.has_left:
            waiting = self.queued.pop(0)
            self._show_queued()
            self.screen.take_turn(waiting.text, waiting.pasted, waiting.draft)

    async def take_back(self) -> None:
        """Put the last waiting message back into the prompt."""
        if not self.queued:
            return
        waiting = self.queued.pop()
        self._show_queued()
        self.screen.query_one(PromptInput).put(waiting.text, waiting.pasted)
        if waiting.draft:
            await self.screen.locket.act(lambda memory: memory.drop_draft(waiting.draft))

    async def keep_unsent(self) -> None:
        """Keep what is typed, so that a crash does not lose it; what was just sent stays kept until it is committed."""
        if not self.begun:
            return
        text, conversation = self.screen.query_one(PromptInput).whole[0], self.screen.conversation
        if parse_command(text) is not None:
            text = ""  # a command is no message: forgetting would find its own words among what is typed
        if (text, conversation) != self._kept:
            self._kept = (text, conversation)
            await self.screen.locket.act(partial(acts.keep_unsent, conversation=conversation, text=text))

    def forget_everything(self) -> None:
        """Drop every word; what waits is kept in the store."""
        self.queued.clear()
        self._kept, self._said = ("", None), ("", ())
        self._user = self._answer = None
        self._show_queued()

    def _show_queued(self) -> None:
        self.screen.query_one(Drafts).show(
            queued=[shortened_files(waiting.text, waiting.pasted) for waiting in self.queued]
        )
