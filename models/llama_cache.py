"""What the context still knows of earlier prompts, and how much of it the next one can use.

Owns the choice between the live sequence and saved ones: a prompt continues whichever shares the longest
beginning with it. Inside an engine only. Nothing here may survive `clear()`: a forgotten text must not
live on in a saved state.
"""

from collections.abc import Sequence

from models.llama_context import LlamaContext, SavedSequence

MAX_SAVED_BYTES = 256 * 1024 * 1024
_WORTH_SAVING = 256
"""Tokens; fewer are evaluated again as fast as they are copied."""


class SequenceCache:
    """The live sequence and a few that were set aside."""

    def __init__(self, context: LlamaContext) -> None:
        self._context = context
        self._aside: list[SavedSequence] = []
        self._background: SavedSequence | None = None

    def adopt(self, ids: Sequence[int]) -> int:
        """Make the context hold the longest known beginning of a prompt, and tell how long it is.

        The last token is always left to evaluate, since its scores choose what comes next.
        """
        live = common_prefix(self._context.held, ids)
        best = max(self._aside, key=lambda saved: common_prefix(saved.tokens, ids), default=None)
        better = best is not None and common_prefix(best.tokens, ids) > live + _WORTH_SAVING // 4
        if better or len(self._context.held) - live >= _WORTH_SAVING:
            self._set_aside()
        if better and best is not None:
            self._aside = [saved for saved in self._aside if saved is not best]
            self._context.restore(best)
            live = common_prefix(self._context.held, ids)
        return self._context.keep(min(live, len(ids) - 1))

    def enter_background(self) -> SavedSequence | None:
        """Make room for a prompt that is no conversation; the result goes back to `leave_background`."""
        saved = self._context.save()
        self._context.restore(self._background)
        return saved

    def leave_background(self, saved: SavedSequence | None, prompt_tokens: int) -> None:
        """Put the conversation back, remembering the background prompt for the next one like it."""
        if len(self._context.held) >= prompt_tokens >= _WORTH_SAVING // 4:
            self._context.keep(prompt_tokens)
            self._background = self._context.save()
        self._context.restore(saved)

    def clear(self) -> None:
        """Drop everything evaluated, live or saved."""
        self._aside.clear()
        self._background = None
        self._context.clear()

    def _set_aside(self) -> None:
        """Save the live sequence, forgetting the oldest ones for it."""
        saved = self._context.save()
        if saved is None or saved.size > MAX_SAVED_BYTES:
            return
        self._aside.append(saved)
        while sum(one.size for one in self._aside) > MAX_SAVED_BYTES:
            self._aside.pop(0)


def common_prefix(held: Sequence[int], ids: Sequence[int]) -> int:
    """Give the length of the common beginning of two rows of tokens."""
    for index, (one, other) in enumerate(zip(held, ids, strict=False)):
        if one != other:
            return index
    return min(len(held), len(ids))
