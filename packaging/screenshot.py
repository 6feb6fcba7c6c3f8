"""Take the README's picture: the real program over a real store; only the model's answers are scripted.

    python packaging/screenshot.py [OUT.svg]

The clock stands still and the store is thrown away, so that the same program gives the same picture.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from assistant import wiring
from assistant.settings import Settings, load_settings
from assistant.tui.app import LocketApp
from assistant.tui.doors import real_doors
from assistant.tui.screens.chat import ChatScreen
from assistant.tui.screens.unlock import UnlockScreen
from assistant.tui.widgets.inspector import Inspector
from models.ports import ChatRuntime, EmbedRuntime
from models.scripted import HashEmbedder, ScriptedChat
from models.types import ModelCard

SIZE = (150, 38)
PASSPHRASE = "only for this picture"  # noqa: S105 - of a store that is thrown away
EARLIER = (
    (
        "My dog is called Biscuit and I'm allergic to peanuts.",
        "Nice to meet you both. I'll keep the peanuts out of it.",
    ),
    ("I live in Porto, and we walk along the river every morning.", "A good way to begin a day."),
)
QUESTION = "What is my dog called again, and what do we pack for the beach?"
ANSWER = """He is called **Biscuit**. For the two of you:

- water and a bowl, more than you think you need
- a towel each, and something that gives shade
- his lead: most beaches near Porto ask for one in summer

And read the label before you buy snacks on the way. *No peanuts.*"""


class Talker(ScriptedChat):
    """The scripted model under the name of the one that a new user gets."""

    @property
    def card(self) -> ModelCard:
        """Describe it."""
        return replace(super().card, name="qwen2.5-coder-0.5b")


class Scripted:
    """Engines that say what stands above."""

    def __init__(self) -> None:
        self.talker = Talker()

    def chat(self, settings: Settings) -> ChatRuntime:  # noqa: ARG002 - the port
        """Return the scripted model."""
        self.talker.open()
        return self.talker

    def embed(self, settings: Settings) -> EmbedRuntime:  # noqa: ARG002 - the port
        """Return the hashing embedder."""
        embedder = HashEmbedder()
        embedder.open()
        return embedder

    def give_up(self) -> None:
        """Nothing takes long here."""


async def until(pilot: Pilot[Any], true: Callable[[], object]) -> None:
    """Wait for something on the screen."""
    end = time.monotonic() + 60
    while not true():
        if time.monotonic() > end:
            raise TimeoutError
        await pilot.pause()


async def say(pilot: Pilot[Any], engines: Scripted, text: str, answer: str) -> None:
    """Say something and wait for the scripted answer."""
    screen = pilot.app.screen
    assert isinstance(screen, ChatScreen)
    engines.talker.enqueue(answer)
    count = len(screen.query("AnswerView"))
    screen.say(text)
    await until(pilot, lambda: len(screen.query("AnswerView")) > count and not screen.talking)


async def picture(settings: Settings) -> str:
    """Hold the conversation and return the screen as SVG."""
    engines = Scripted()
    doors = replace(
        real_doors(), open_locket=lambda given, secret: wiring.open_locket(given, secret, engines)
    )
    app = LocketApp(settings, doors, clock=lambda: 0.0)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(app.screen, UnlockScreen) and app.screen.query("#passphrase"))
        app.screen.query_one("#passphrase", Input).value = PASSPHRASE
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ChatScreen) and app.screen.query("#welcome"))
        for text, answer in EARLIER:
            await say(pilot, engines, text, answer)
        await pilot.press("ctrl+n")
        await until(pilot, lambda: app.screen.query("#welcome"))
        await say(pilot, engines, QUESTION, ANSWER)
        await pilot.press("f3")
        inspector = app.screen.query_one(Inspector)
        await until(pilot, lambda: inspector.query_one("#answer-list").has_focus and inspector.snapshot.facts)
        await pilot.press("escape")
        for field in app.screen.query("Input, TextArea"):
            assert isinstance(field, Input | TextArea)
            field.cursor_blink = False
        await pilot.pause()
        svg = app.export_screenshot(title="locket")
        await pilot.press("ctrl+q")
    return svg


def main() -> None:
    """Write the picture."""
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("screenshot.svg")
    with tempfile.TemporaryDirectory() as home:
        environment = {
            "LOCKET_HOME": home,
            "LOCKET_NOW": "2026-05-30T10:12:00+01:00",
            "LOCKET_TEST_CHEAP_KDF": "1",
        }
        settings = load_settings(environment)
        wiring.create_store(settings, PASSPHRASE)
        svg = asyncio.run(picture(settings))
    out.write_text(svg, encoding="utf-8")
    print(f"wrote {out}")


if __name__ == "__main__":
    main()
