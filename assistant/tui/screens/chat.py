"""The conversation: transcript, prompt, list of conversations, inspector, status. Owns their state.

Children are told by call and tell by message. More than 300 lines: it is the one screen of the program and
every message of every child arrives here; turns, panes, acts and commands are in its neighbours.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input, Markdown, Static
from textual.worker import Worker, WorkerState

from assistant.chat.attached import unknown_spans
from assistant.chat.commands import Command, Misused, Unknown, as_message, parse_command
from assistant.chat.events import TurnEvent
from assistant.tui import acts, reads
from assistant.tui.crash import in_one, problem_of
from assistant.tui.messages import Act, ActAsked, UndoAsked
from assistant.tui.plain import one_line
from assistant.tui.ports import LocketPort
from assistant.tui.screens import chat_acts, chat_apart, chat_commands, chat_messages
from assistant.tui.screens.chat_panes import Panes
from assistant.tui.screens.chat_talk import Pasted, Talk
from assistant.tui.screens.confirm import ConfirmScreen
from assistant.tui.screens.search import Found, SearchScreen
from assistant.tui.snapshot import InspectorSnapshot
from assistant.tui.widgets.completions import Completions
from assistant.tui.widgets.conversations import ConversationList
from assistant.tui.widgets.drafts import Drafts
from assistant.tui.widgets.inspector import Inspector
from assistant.tui.widgets.prompt_input import PromptInput
from assistant.tui.widgets.status_line import StatusLine
from assistant.tui.widgets.transcript import Transcript
from memory.ports import Clock
from memory.records import Message as Stored

WELCOME = (
    "Write a message below. What matters of it is remembered; f3 shows what, and why.\n"
    "f1 lists every key, / every command."
)
"""What an empty conversation says."""


APART = "Incognito: nothing said here is kept, unless you say /keep.\nf1 lists every key, / every command."
"""What an empty incognito conversation says."""


def welcome(threads: Sequence[str], unfinished: Sequence[str] = (), *, apart: bool = False) -> str:
    """Add to what an empty conversation says what the user meant to do, and where something is not sent."""
    lines = [APART if apart else WELCOME]
    for words, found in (
        ("You wanted to come back to:", threads),
        ("Something you typed is not sent yet, in (ctrl+s goes there):", unfinished),
    ):
        if found:
            lines += ["", words, *(f"· {one_line(one, 100)}" for one in found)]
    return "\n".join(lines)


KEEP_SECONDS = 3.0
"""How often what is typed is kept."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the user was, without a word of what was there."""

    conversation: str | None = None
    scroll: float | None = None
    """None is the end."""
    pasted: Pasted | None = None
    """Which spans of the unsent text were pasted; None when that is not known."""
    incognito: bool = False
    """Whether nothing may be kept of where the user was."""


class ChatScreen(Screen[None]):
    """The unlocked screen."""

    CSS_PATH = "chat.tcss"
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - the shape of textual.Screen
        (0, "-narrow"),
        (100, "-medium"),
        (140, "-wide"),
    ]
    BINDING_GROUP_TITLE = "In a conversation"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "stop, then back", id="chat.back"),
        Binding("ctrl+n", "new", "new conversation", id="chat.new", priority=True),
        Binding("ctrl+t", "incognito", "incognito conversation", id="chat.incognito", priority=True),
        Binding("ctrl+s", "conversations", "conversations", id="chat.conversations", priority=True),
        Binding("f3", "inspector", "inspector", id="chat.inspector", priority=True),
        Binding("ctrl+f", "search", "search everything", id="chat.search", priority=True),
        Binding("ctrl+r", "regenerate", "answer again", id="chat.regenerate", priority=True),
        Binding("ctrl+up,alt+up", "select", "select a message", id="chat.select", priority=True),
    ]

    class Ready(Message):
        """A conversation is on the screen."""

    def __init__(
        self,
        locket: LocketPort,
        now: Clock,
        place: Place | None = None,
        take_early: Callable[[], str] = str,
    ) -> None:
        super().__init__()
        self.locket = locket
        self.now = now
        self.place = place or Place()
        self.take_early = take_early
        self.conversation: str | None = None
        self.title_words = ""
        self.remembering = True
        self.incognito = False
        self.editing: str | None = None
        """The message whose place the next one takes."""
        self.lock_in: float | None = None
        self.has_left = False
        """Whether the store behind this screen is being closed: what still fails is of no interest."""
        self.talk = Talk(self)
        self.panes = Panes(self)

    def compose(self) -> ComposeResult:
        """Lay out three columns over the status line."""
        with Horizontal(id="columns"):
            yield ConversationList(self.now, id="conversations")
            with Vertical(id="chat"):
                yield Static(markup=False, id="title")
                yield Transcript(self.now, id="transcript")
                with Vertical(id="writing"):
                    yield Completions()
                    yield Drafts()
                    yield PromptInput(id="prompt")
            yield Inspector(self.now, id="inspector")
        yield StatusLine(id="status")

    def on_mount(self) -> None:
        """Go where the user was."""
        prompt = self.query_one(PromptInput)
        self.set_focus(prompt)  # at once: what is typed from the next moment on goes there
        if early := self.take_early():
            prompt.put(early)
        self.open_conversation(self.place.conversation, self.place.scroll, arriving=True)
        self.show_status()
        self._keeping = self.set_interval(KEEP_SECONDS, self.keep_unsent)

    # -- what is on the screen ------------------------------------------------------------------------

    @work(exclusive=True, group="open", exit_on_error=False)
    async def open_conversation(
        self,
        ident: str | None,
        scroll: float | None = None,
        *,
        at: str | None = None,
        apart: bool = False,
        arriving: bool = False,
    ) -> None:
        """Show a conversation from its end, or around the message ``at``; None is a new one.

        Only who stays ``apart`` keeps incognito words.
        """
        if not apart or ident is None:
            chat_apart.end(self)
        self.incognito, self.editing = apart, None
        shown = await chat_apart.opened(self, ident)
        self.conversation = shown.id
        self.title_words = shown.title
        self.remembering = shown.remembering
        transcript = self.query_one(Transcript)
        await transcript.show(shown.messages, welcome(shown.threads, shown.unfinished, apart=apart), at)
        prompt = self.query_one(PromptInput)
        for said in shown.said:
            prompt.remember(said.text, said.pasted)
        if shown.unsent and (arriving or not prompt.text):
            # what of a kept text was pasted is not kept beyond a crash, so all of it counts as pasted
            spans, self.place = self.place.pasted, Place()
            spans = unknown_spans(shown.unsent) if spans is None else spans
            since, pasted = prompt.whole  # typed while the conversation was being read
            spans += tuple((start + len(shown.unsent), end + len(shown.unsent)) for start, end in pasted)
            prompt.put(shown.unsent + since, spans)
        if shown.queued and not apart:
            again = partial(acts.unqueue, conversation=ident, drafts=shown.queued, text=shown.unsent)
            await self.locket.act(again)
        self.query_one(Inspector).snapshot = InspectorSnapshot()
        self.draw_title()
        self.refresh_lists()
        self.show_status(usage=None)
        if at is not None:
            self.call_after_refresh(transcript.choose, at)
        elif scroll is not None:
            transcript.stay()
            self.call_after_refresh(transcript.scroll_to, y=scroll, animate=False)
        self.post_message(self.Ready())

    @work(exclusive=True, group="lists", exit_on_error=False)
    async def refresh_lists(self) -> None:
        """Read conversations and memories again."""
        current = None if self.incognito else self.conversation
        words = self.query_one(ConversationList).words
        conversations = await self.locket.read(lambda reader: reads.conversations(reader, words))
        self.query_one(ConversationList).show(conversations, current)
        for one in conversations:
            if one.id == self.conversation:
                self.title_words = one.title
        self.draw_title()
        inspector = self.query_one(Inspector)
        window, last = self.locket.status.window, self.last_answer
        fresh = await self.locket.read(lambda reader: reads.memories(reader, current))
        receipt = inspector.snapshot.receipt
        if receipt is None and last is not None:
            receipt = await chat_apart.read(self, lambda reader: reads.receipt(reader, last, window))
        inspector.snapshot = replace(
            inspector.snapshot,
            receipt=receipt,
            facts=fresh.facts,
            episodes=fresh.episodes,
            rules=fresh.rules,
            working=fresh.working,
            review=fresh.review,
            changes=fresh.changes,
        )

    @property
    def last_answer(self) -> str | None:
        """The id of the last answer on the screen."""
        messages = self.query_one(Transcript).messages
        return messages[-1].id if messages and messages[-1].role == "assistant" else None

    def draw_title(self) -> None:
        """Write the title line."""
        title = self.title_words or ("new conversation" if self.conversation is None else "untitled")
        self.query_one("#title", Static).update(
            Content.assemble(
                ("◈ ", "$accent"), (one_line(title, 200), "bold" if self.title_words else "$muted")
            )
        )

    def show_status(self, **changes: object) -> None:
        """Bring the status line up to date."""
        lines = self.query(StatusLine)
        if not lines:  # not laid out yet, or being taken down
            return
        line, engine = lines.first(), self.locket.status
        line.status = replace(
            line.status,
            model=engine.model,
            window=engine.window,
            notice=engine.notice,
            loading=engine.loading,
            remote=engine.remote,
            reading=engine.reading,
            paused=not self.remembering,
            incognito=self.incognito,
            lock_in=self.lock_in,
            **changes,  # type: ignore[arg-type]
        )

    def tick(self, lock_in: float | None) -> None:
        """Take the seconds until the lock."""
        self.lock_in = lock_in
        self.show_status()

    # -- one turn -------------------------------------------------------------------------------------

    def on_prompt_input_submitted(self, event: PromptInput.Submitted) -> None:
        """Carry out a command, queue while an answer is made, else say it."""
        event.stop()
        match parse_command(event.text):
            case Command() as command:
                self.run_command(command)
            case Misused(_, reason):
                self.tell(reason)
            case Unknown() as unknown:
                self.tell(unknown.reason)
            case None:
                text = as_message(event.text)
                off = len(event.text) - len(text)  # the slash that was taken off
                self.say(text, tuple((max(0, a - off), max(0, b - off)) for a, b in event.pasted))

    @property
    def talking(self) -> bool:
        """Whether an answer is being made."""
        return self.talk.talking

    def say(self, text: str, pasted: Pasted = ()) -> None:
        """Send a message now, or after the answer that is being made."""
        instead_of, self.editing = self.editing, None
        if self.talking:
            self.queue(text, pasted)
        else:
            self.take_turn(text, pasted, instead_of=instead_of)

    def take_turn(self, text: str, pasted: Pasted, draft: str = "", instead_of: str | None = None) -> None:
        """Say something and show the answer as it comes."""
        events = self.talk.hand_over(text, pasted, draft, instead_of)
        self.show_turn(text, pasted, events, instead_of)

    @work(exclusive=True, group="turn", exit_on_error=False)
    async def show_turn(
        self, text: str, pasted: Pasted, events: AsyncIterator[TurnEvent], instead_of: str | None
    ) -> None:
        """Show what was said, and the answer as it comes."""
        if instead_of is not None:
            await chat_apart.show_up_to(self, instead_of)
        await self.talk.show(text, pasted, events)

    @work(exclusive=True, group="turn", exit_on_error=False)
    async def answer_again(self, conversation: str) -> None:
        """Make the last answer again."""
        await self.talk.again(conversation)

    @work(group="draft", exit_on_error=False)
    async def queue(self, text: str, pasted: Pasted) -> None:
        """Keep a message for after this answer."""
        await self.talk.queue(text, pasted)

    @work(group="draft", exit_on_error=False)
    async def take_back(self) -> None:
        """Put the last waiting message back into the prompt."""
        await self.talk.take_back()

    @work(exclusive=True, group="unsent", exit_on_error=False)
    async def keep_unsent(self) -> None:
        """Keep what is typed, unless nothing is to be kept."""
        if not self.incognito:
            await self.talk.keep_unsent()

    async def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Put what went wrong in a worker into words; the screen stays usable."""
        if event.state is not WorkerState.ERROR or event.worker.error is None or self.has_left:
            return
        if event.worker.group == "turn":
            await self.talk.failed(event.worker.error)
        else:
            self.tell(in_one(problem_of(event.worker.error)), wrong=True)

    def tell(self, words: str, *, wrong: bool = False) -> None:
        """Show a passing note."""
        self.notify(words, severity="error" if wrong else "information", markup=False, timeout=8)

    # -- keys -----------------------------------------------------------------------------------------

    def action_back(self) -> None:
        """Close what is open, stop the answer, come back to the prompt: the first that applies."""
        prompt = self.query_one(PromptInput)
        if prompt.close_completions():
            return
        if self.talking:
            self.stop()
        elif chat_apart.stop_editing(self):
            prompt.focus()
        elif not prompt.has_focus:
            self.panes.uncover()
            prompt.focus()

    def stop(self) -> bool:
        """Stop the answer that is being made; say whether there was one."""
        if self.talking:
            self.locket.stop()
        return self.talking

    def action_new(self) -> None:
        """Begin a conversation."""
        if self.talking:
            self.tell("Stop this answer first (esc).")
            return
        self.panes.uncover()
        self.open_conversation(None)
        self.query_one(PromptInput).focus()

    def action_incognito(self) -> None:
        """Begin a conversation that leaves no trace."""
        chat_apart.begin(self)

    def action_regenerate(self) -> None:
        """Answer the last message again."""
        if self.conversation is None:
            self.tell("There is nothing to answer again.")
        elif not self.talking:
            self.answer_again(self.conversation)

    def action_select(self) -> None:
        """Take back a queued message, or select the last one said."""
        prompt, transcript = self.query_one(PromptInput), self.query_one(Transcript)
        if self.talk.queued and prompt.has_focus and not prompt.text:
            self.take_back()
            return
        transcript.focus()
        transcript.action_select(-1)

    def action_search(self) -> None:
        """Search everything."""
        self.search()

    def search(self, words: str = "") -> None:
        """Open the search with these words."""

        async def look(query: str) -> list[Found]:
            found = await self.locket.act(lambda memory: acts.search(memory, query))
            return [*found, *await self.locket.read(lambda reader: reads.titled(reader, query))]

        self.app.push_screen(SearchScreen(look, self.now, words), self.go_to)

    def go_to(self, found: Found | None) -> None:
        """Show what a search found."""
        if found is None:
            return
        if found.kind == "fact":
            self.show_tab("facts")
            self.act_on(ActAsked(Act.OPEN, "fact", (found.id,)))
        elif self.talking:
            self.tell(chat_apart.STOP_FIRST)
        elif found.kind in ("message", "answer"):
            self.show_message(found.id)
        elif found.conversation is not None:
            self.open_conversation(found.conversation)

    # -- panes ----------------------------------------------------------------------------------------

    def action_conversations(self) -> None:
        """Show the list and go there; from there, hide it."""
        pane = self.query_one(ConversationList)
        if self.panes.is_shown("conversations") and pane.has_focus_within:
            self.panes.hide("conversations")
            self.query_one(PromptInput).focus()
        else:
            self.panes.show("conversations")
            pane.query_one("#conversation-list").focus()

    def action_inspector(self) -> None:
        """Show the inspector and go there; from there, hide it."""
        pane = self.query_one(Inspector)
        if self.panes.is_shown("inspector") and pane.has_focus_within:
            self.panes.hide("inspector")
            self.query_one(PromptInput).focus()
        else:
            self.panes.show("inspector")
            self.call_after_refresh(pane.focus_list)

    def show_tab(self, tab: str) -> None:
        """Open the inspector at a tab."""
        self.panes.show("inspector")
        self.query_one(Inspector).open_tab(tab)

    def show_facts(self, words: str) -> None:
        """Open the facts that hold these words."""
        self.show_tab("facts")
        self.query_one("#fact-filter", Input).value = words

    @work(exclusive=True, group="why", exit_on_error=False)
    async def show_why(self, message: Stored) -> None:
        """Open the receipt of an answer, or of the answer to a message."""
        window = self.locket.status.window
        receipt = await chat_apart.read(self, lambda reader: reads.receipt(reader, message.id, window))
        inspector = self.query_one(Inspector)
        inspector.snapshot = replace(inspector.snapshot, receipt=receipt)
        self.show_tab("answer")

    @work(exclusive=True, group="open", exit_on_error=False)
    async def show_message(self, ident: str) -> None:
        """Go to a message, on the branch it stands on."""
        place = await self.locket.read(lambda reader: reads.place_of(reader, ident))
        if place is None or self.talking:
            self.tell("It cannot be shown here." if place is None else chat_apart.STOP_FIRST)
            return
        if place.leaf is not None:
            leaf = place.leaf
            await self.locket.act(lambda memory: memory.switch_branch(place.conversation, leaf))
            self.tell("It stands on another branch, which is the current one from now on.")
        self.panes.uncover()
        self.open_conversation(place.conversation, at=ident)

    # -- what children say ----------------------------------------------------------------------------

    def on_prompt_input_completing(self, event: PromptInput.Completing) -> None:
        """Offer commands."""
        offered = self.query_one(Completions)
        offered.show(event.specs)
        self.query_one(PromptInput).chosen = offered.chosen

    def on_prompt_input_completion_moved(self, event: PromptInput.CompletionMoved) -> None:
        """Move in the offered commands."""
        offered = self.query_one(Completions)
        offered.move(event.step)
        self.query_one(PromptInput).chosen = offered.chosen

    def on_prompt_input_pastes_changed(self, event: PromptInput.PastesChanged) -> None:
        """Show what goes along with the text."""
        self.query_one(Drafts).show(beside=event.beside)

    def on_conversation_list_searched(self) -> None:
        """Narrow the list."""
        self.refresh_lists()

    def on_transcript_wanted(self, event: Transcript.Wanted) -> None:
        """Do something with a message."""
        chat_messages.on_message(self, event.act, event.message)

    def on_act_asked(self, event: ActAsked) -> None:
        """Do something with memories."""
        event.stop()
        self.act_on(event)

    def on_undo_asked(self, event: UndoAsked) -> None:
        """Undo the last change of memory."""
        event.stop()
        self.undo(event.journal)

    def on_markdown_link_clicked(self, event: Markdown.LinkClicked) -> None:
        """Ask before anything leaves for a browser."""
        event.stop()
        address = event.href

        def answered(yes: bool | None) -> None:
            if yes:
                self.app.open_url(address)

        question = "Open this address in the browser?"
        self.app.push_screen(ConfirmScreen(question, one_line(address, 300), yes="Open", no="Stay"), answered)

    @work(group="act", exit_on_error=False)
    async def act_on(self, asked: ActAsked) -> None:
        """Carry out an act on memories."""
        await chat_acts.on_memories(self, asked)

    @work(group="act", exit_on_error=False)
    async def branch(self, message: Stored) -> None:
        """Go to another branch."""
        await chat_apart.branch(self, message)

    @work(group="act", exit_on_error=False)
    async def undo(self, journal: str | None = None) -> None:
        """Undo a change of memory."""
        await chat_acts.undo(self, journal)

    @work(group="command", exit_on_error=False)
    async def run_command(self, command: Command) -> None:
        """Carry out a slash command."""
        await chat_commands.run(self, command)

    # -- leaving --------------------------------------------------------------------------------------

    def leave(self) -> tuple[Place, str]:
        """Return where the user is and what is not sent yet, and drop every word from the widgets."""
        self.has_left = True
        self._keeping.stop()
        transcript, prompt = self.query_one(Transcript), self.query_one(PromptInput)
        at_end = transcript.scroll_y >= transcript.max_scroll_y - 1
        scroll = None if at_end else transcript.scroll_y
        unsent, spans = prompt.whole
        place = Place(self.conversation, scroll, None if self.talk.queued else spans)
        if self.incognito:
            place, unsent = Place(incognito=True), ""
        prompt.forget_everything()
        self.talk.forget_everything()
        transcript.messages = []
        self.query_one(Inspector).snapshot = InspectorSnapshot()
        self.query_one(ConversationList).conversations = ()
        self.title_words = ""
        return place, unsent
