"""Which side panes of the chat screen are shown: by width until the user says otherwise."""

from __future__ import annotations

from textual.screen import Screen

SIDES = ("conversations", "inspector")


class Panes:
    """The two panes beside the conversation."""

    def __init__(self, screen: Screen[None]) -> None:
        self._screen = screen
        self._wanted: dict[str, bool] = {}

    @property
    def cover(self) -> bool:
        """Whether panes lie over the conversation, because the screen is narrow."""
        return self._screen.has_class("-narrow")

    def is_shown(self, pane: str) -> bool:
        """Whether a pane is on the screen."""
        return self._wanted.get(pane, self._screen.has_class("-wide"))

    def show(self, pane: str) -> None:
        """Show a pane; where there is no room for both, in place of the other."""
        if not self._screen.has_class("-wide"):
            for other in SIDES:
                if other != pane:
                    self._set(other, shown=False)
        self._set(pane, shown=True)

    def hide(self, pane: str) -> None:
        """Hide a pane."""
        self._set(pane, shown=False)

    def uncover(self) -> None:
        """Hide what lies over the conversation."""
        if self.cover:
            for pane in SIDES:
                if self.is_shown(pane):
                    self.hide(pane)

    def _set(self, pane: str, *, shown: bool) -> None:
        self._wanted[pane] = shown
        widget = self._screen.query_one(f"#{pane}")
        widget.set_class(shown, "-shown")
        widget.set_class(not shown, "-hidden")
