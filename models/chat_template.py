"""How messages are laid out for a model, as pieces that say whether they are marks or somebody's words.

Owns the layout and the choice of it; knows neither tokens nor models. The whole point: words are never
mixed with marks, so a mark typed by a person stays plain text. A file's own template runs in a sandbox and
sees only placeholders in the place of words.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, Protocol

from models.answer_text import OPEN_MARK
from models.errors import ModelUnusable, NotAChatModel, RuntimeMissing
from models.types import ChatMessage

FRAMING = -1
"""Stands for the message a piece belongs to when it belongs to none."""
_MAX_TEMPLATE = 256 * 1024


@dataclass(frozen=True, slots=True)
class Piece:
    """Some text of a prompt."""

    text: str
    is_mark: bool
    message: int


class Template(Protocol):
    """A way of laying out messages."""

    @property
    def kind(self) -> Literal["chatml", "jinja"]:
        """Name the way."""
        ...

    @property
    def stops(self) -> tuple[str, ...]:
        """Give the marks that end an answer even when the model spells them out."""
        ...

    @property
    def opens_thinking(self) -> bool:
        """Tell whether an answer begins inside the model's thoughts."""
        ...

    def pieces(self, messages: Sequence[ChatMessage], *, answer: bool) -> list[Piece]:
        """Lay out messages, and the opening of an answer if asked."""
        ...


class ChatML:
    """The layout with `<|im_start|>` and `<|im_end|>`, written out here."""

    kind: Literal["chatml", "jinja"] = "chatml"
    stops: tuple[str, ...] = ("<|im_end|>", "<|im_start|>", "<|endoftext|>")
    opens_thinking = False

    def pieces(self, messages: Sequence[ChatMessage], *, answer: bool) -> list[Piece]:
        """Lay out messages, and the opening of an answer if asked."""
        pieces: list[Piece] = []
        for index, message in enumerate(messages):
            pieces += (
                Piece(f"<|im_start|>{message.role}\n", is_mark=True, message=index),
                Piece(message.text.strip(), is_mark=False, message=index),
                Piece("<|im_end|>\n", is_mark=True, message=index),
            )
        if answer:
            pieces.append(Piece("<|im_start|>assistant\n", is_mark=True, message=FRAMING))
        return pieces


class JinjaTemplate:
    """The layout that a model file brings along."""

    kind: Literal["chatml", "jinja"] = "jinja"

    def __init__(self, source: str, *, bos: str = "", eos: str = "") -> None:
        self._render = _compile(source, bos, eos)
        self.stops: tuple[str, ...] = tuple(
            mark for mark in ("<|im_end|>", "<|eot_id|>", "<end_of_turn>", "<|end|>") if mark in source
        )
        probe = [ChatMessage("system", "s"), ChatMessage("user", "u")]
        self._folds_system = False
        try:
            self.pieces(probe, answer=True)
        except ModelUnusable:
            self._folds_system = True
        opening = self.pieces(probe, answer=True)[-1].text
        self.opens_thinking = opening.rstrip().endswith(OPEN_MARK)

    def pieces(self, messages: Sequence[ChatMessage], *, answer: bool) -> list[Piece]:
        """Lay out messages, and the opening of an answer if asked."""
        marked: _Marked = [(message.role, _placeholder(index)) for index, message in enumerate(messages)]
        if self._folds_system:
            marked = _fold_system(marked)
        try:
            rendered = self._render(marked, answer)
        except ModelUnusable:
            rendered = self._render(_merge_neighbours(marked), answer)
        return _split(rendered, messages, answer=answer)


def choose_template(source: str | None, *, bos: str = "", eos: str = "") -> Template:
    """Choose the layout for a file's template: ours when it says exactly the same."""
    if not source:
        raise NotAChatModel("The model has no chat template, so it was not made for conversation.")
    if len(source) > _MAX_TEMPLATE:
        raise ModelUnusable("The model's chat template is unreasonably long.")
    template = JinjaTemplate(source, bos=bos, eos=eos)
    probe = [
        ChatMessage("system", "a"),
        ChatMessage("user", "b"),
        ChatMessage("assistant", "c"),
        ChatMessage("user", "d"),
    ]
    ours, theirs = ("".join(p.text for p in kind.pieces(probe, answer=True)) for kind in (ChatML(), template))
    return ChatML() if ours == theirs else template


_Marked = list[tuple[str, str]]
_Render = Callable[[_Marked, bool], str]


def _compile(source: str, bos: str, eos: str) -> _Render:
    """Compile a template of unknown origin so that it can only make text."""
    try:
        from jinja2 import TemplateError, nodes  # noqa: PLC0415 (only an engine needs it)
        from jinja2.ext import Extension  # noqa: PLC0415
        from jinja2.parser import Parser  # noqa: PLC0415
        from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415
    except ImportError as error:
        raise RuntimeMissing("jinja2 is not installed, and the model's chat template needs it.") from error

    def refuse(reason: object) -> NoReturn:
        raise TemplateError(str(reason)[:200])

    class Generation(Extension):
        """Knows the tag that marks, for training, what a model is to write; here it changes nothing."""

        tags = {"generation"}  # noqa: RUF012 (the library's own way)

        def parse(self, parser: Parser) -> list[nodes.Node]:
            next(parser.stream)
            return parser.parse_statements(("name:endgeneration",), drop_needle=True)

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols", Generation]
    )
    environment.globals["raise_exception"] = refuse
    # a date in the prompt's top would have all of it read again after midnight; each message tells its own
    environment.globals["strftime_now"] = lambda _: ""
    failures = (
        TemplateError,
        ArithmeticError,
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        RecursionError,
    )
    try:
        template = environment.from_string(source)
    except failures as error:
        raise ModelUnusable("The model's chat template cannot be read.") from error

    def render(marked: _Marked, answer: bool) -> str:
        context: dict[str, Any] = {
            "messages": [{"role": role, "content": content} for role, content in marked],
            "add_generation_prompt": answer,
            "tools": None,
            "documents": None,
            "bos_token": bos,
            "eos_token": eos,
        }
        try:
            return template.render(context)
        except failures as error:
            raise ModelUnusable("The model's chat template refuses this conversation.") from error

    return render


def _placeholder(index: int) -> str:
    return f"QxWordsOf{index:05d}xQ"


def _fold_system(marked: _Marked) -> _Marked:
    """Put the system's words in front of the user's first, for templates without a system role."""
    if len(marked) < 2 or marked[0][0] != "system":
        return marked
    (_, system), (role, first), *rest = marked
    return [(role, f"{system}\n\n{first}"), *rest]


def _merge_neighbours(marked: _Marked) -> _Marked:
    """Join messages of one speaker in a row, for templates that insist on turns."""
    merged: _Marked = []
    for role, content in marked:
        if merged and merged[-1][0] == role:
            merged[-1] = (role, f"{merged[-1][1]}\n\n{content}")
        else:
            merged.append((role, content))
    return merged


def _split(rendered: str, messages: Sequence[ChatMessage], *, answer: bool) -> list[Piece]:
    """Cut a rendering at the placeholders and put the words in."""
    pieces: list[Piece] = []
    rest = rendered
    for index, message in enumerate(messages):
        mark, found, rest = rest.partition(_placeholder(index))
        if not found or _placeholder(index) in rest:
            raise ModelUnusable("The model's chat template leaves out or repeats messages.")
        pieces += (
            Piece(mark, is_mark=True, message=index),
            Piece(message.text.strip(), is_mark=False, message=index),
        )
    last = FRAMING if answer or not messages else len(messages) - 1
    pieces.append(Piece(rest, is_mark=True, message=last))
    return pieces
