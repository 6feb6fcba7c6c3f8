"""One message on the screen: the user's words as plain text, an answer as Markdown that may still be growing.

A user's text never meets a markup parser. Below an answer stand its notes: how far reading is, why it ended,
what was remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Markdown, Static
from textual.widgets.markdown import MarkdownStream

from assistant.chat.attached import shortened_files
from assistant.problems import Problem
from assistant.tui.days import said
from assistant.tui.plain import close_gaps, counted, shortened, visible
from memory.records import Add, Decided, Ignore, Message, Review, Supersede

ENDINGS = {
    "length": "cut short by the length limit · /continue goes on",
    "stopped": "stopped",
    "engine_died": "the model's process ended here · what was said is kept",
}


class MessageView(Vertical):
    """What both kinds share: who, when, and the record behind it."""

    def __init__(self, message: Message | None, text: str, now: datetime) -> None:
        super().__init__()
        self.message = message
        self.text = text
        self.now = now

    def header(self, who: str) -> Content:
        """Write who speaks, and when."""
        when = said(self.message.said_at, self.now) if self.message else ""
        return Content.assemble(
            (who, "bold $primary" if who == "you" else "bold $accent"), ("  " + when, "$muted")
        )

    def left_out_note(self, left: int) -> Content:
        """Say how much of a long text is not shown."""
        return Content.styled(f"… {counted(left, 'more character')} · y copies all of it", "$muted")


class UserView(MessageView):
    """What the user said; of an attached file only its name and size are shown."""

    def __init__(
        self,
        message: Message | None,
        text: str,
        now: datetime,
        pasted: tuple[tuple[int, int], ...] = (),
    ) -> None:
        super().__init__(message, text, now)
        self.pasted = message.pasted if message else pasted

    def compose(self) -> ComposeResult:
        """Lay out header and text."""
        shown, left = shortened(visible(close_gaps(shortened_files(self.text, self.pasted))))
        yield Static(self.header("you"), markup=False, classes="who")
        yield Static(Content(shown), markup=False, classes="words")
        if left:
            yield Static(self.left_out_note(left), markup=False)

    def settle(self, message: Message) -> None:
        """Take the stored message in place of what was typed."""
        self.message = message
        self.query_one(".who", Static).update(self.header("you"))


class AnswerView(MessageView):
    """What Locket says."""

    def __init__(self, message: Message | None, now: datetime) -> None:
        super().__init__(message, message.text if message else "", now)
        self._stream: MarkdownStream | None = None
        self._state = Content("")
        self._notes: list[Content] = []
        self._decided: tuple[Decided, ...] = ()
        self._is_last = True
        self._thought = 0
        if message is None:
            self._state = Content.styled("…", "$muted")
        elif ending := ENDINGS.get(message.stop_reason or ""):
            self._notes.append(Content.styled(ending, "$muted"))

    def compose(self) -> ComposeResult:
        """Lay out header, answer and notes."""
        shown, left = shortened(visible(close_gaps(self.text)), 40_000)
        yield Static(self.header("locket"), markup=False, classes="who")
        yield Markdown(shown, parser_factory=line_keeping_parser, open_links=False)
        foot = Static(self._foot(), markup=False, classes="foot")
        foot.display = bool(self._foot().plain)
        yield foot
        if left:
            yield Static(self.left_out_note(left), markup=False)

    def reading(self, done: int, total: int) -> None:
        """Show how much of the prompt has been read."""
        self._say(Content.styled(f"reading {done:,} of {total:,} tokens · esc stops", "$muted"))

    def thinking(self, text: str) -> None:
        """Show that the model thinks, not what."""
        self._thought += len(text.split())
        self._say(Content.styled(f"thinking · {counted(self._thought, 'word')}", "$muted"))

    async def grow(self, text: str) -> None:
        """Append the next words."""
        if self._stream is None:
            self._say(Content(""))
            self._stream = Markdown.get_stream(self.query_one(Markdown))
            self.add_class("-streaming")
        self.text += text
        await self._stream.write(visible(text))

    async def finish(self, message: Message | None, reason: str) -> None:
        """End the stream and say why, when it did not simply end."""
        if self._stream is not None:
            await self._stream.stop()
            self._stream = None
        self.remove_class("-streaming")
        if message is not None:
            if message.text.strip() != self.text.strip():
                await self.query_one(Markdown).update(shortened(visible(message.text), 40_000)[0])
            self.message, self.text = message, message.text
            self.query_one(".who", Static).update(self.header("locket"))
        self._say(Content(""))
        if ending := ENDINGS.get(reason):
            self.note(ending)

    def notice(self, words: str) -> None:
        """Show words about this turn; those that end in an ellipsis only until something else happens."""
        if words.endswith("…"):
            self._say(Content.styled(visible(words), "$muted"))
        else:
            self.note(words, "$warning")

    def note(self, words: str, style: str = "$muted") -> None:
        """Add a line below the answer."""
        line = Content.styled(visible(words), style)
        if line not in self._notes:
            self._notes.append(line)
        self._draw_foot()

    def remembered(self, decided: Sequence[Decided]) -> None:
        """Say what was remembered because of this turn."""
        self._decided += tuple(decided)
        self._draw_foot()

    def undone(self, journal: str, words: str) -> bool:
        """Say so when it was a change of this turn that was taken back, and no longer that it holds."""
        left = tuple(one for one in self._decided if one.journal != journal)
        if left == self._decided:
            return False
        self._decided = left
        self.note(words)
        return True

    def grow_old(self) -> None:
        """Offer no undo any more: it would take back what another turn changed."""
        self._is_last = False
        self._draw_foot()

    def failed(self, problem: Problem) -> None:
        """Say what went wrong and what to do."""
        self._say(Content(""))
        self.note(problem.title, "bold $error")
        for words in (problem.detail, problem.hint):
            if words:
                self.note(words)

    def _say(self, state: Content) -> None:
        self._state = state
        self._draw_foot()

    def _foot(self) -> Content:
        rows = [self._state] if self._state.plain else []
        rows += [Content.styled(visible(words), "$success") for words in self._remembered_words()]
        return Content("\n").join([*rows, *self._notes])

    def _remembered_words(self) -> list[str]:
        return remembered_words(self._decided, can_undo=self._is_last)

    def _draw_foot(self) -> None:
        foot = self.query(".foot")
        if foot:
            content = self._foot()
            foot.first(Static).update(content)
            foot.first(Static).display = bool(content.plain)


def remembered_words(decided: Sequence[Decided], *, can_undo: bool = True) -> list[str]:
    """Say in one line what is remembered now, each sentence once, and in another what waits for a yes."""
    kept, waiting = [], 0
    for one in decided:
        match one.decision:
            case Ignore():
                continue
            case Review():
                waiting += 1
            case Supersede():
                old = ", ".join(fact.value for fact in one.superseded)
                kept.append(f"{one.candidate.text} (was {old})" if old else one.candidate.text)
            case Add():
                kept.append(one.candidate.text)
            case _:
                kept.append(f"{one.candidate.text} (again)")
    back = f" · /undo takes {'it' if len(kept) == 1 else 'the last'} back" if can_undo else ""
    rows = [f"remembered: {'; '.join(dict.fromkeys(kept))}{back}"] if kept else []
    if waiting:
        rows.append(f"{counted(waiting, 'memory', 'memories')} waiting for your yes · /review")
    return rows


def line_keeping_parser() -> MarkdownIt:
    """Make a parser that keeps the line breaks of a paragraph: a poem or a count stands as it was written."""
    parser = MarkdownIt("gfm-like")
    parser.core.ruler.push("keep_lines", _keep_lines)
    return parser


def _keep_lines(state: StateCore) -> None:
    for block in state.tokens:
        for token in block.children or ():
            if token.type == "softbreak":
                token.type = "hardbreak"
