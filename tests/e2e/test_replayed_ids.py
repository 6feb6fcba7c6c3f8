"""`locket memory why --replay` with a real model: the token ids of a past prompt, computed again."""

import asyncio
import json
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from assistant.cli import main
from assistant.runtimes import LocalRuntimes
from assistant.settings import load_settings
from assistant.token_ids import IdsOutcome, compare_ids
from assistant.wiring import create_store, open_locket
from memory.as_sent import AsSent
from memory.records import PromptMessage, Trace, Usage
from models.catalogue import get_entry

pytestmark = pytest.mark.model

PASSPHRASE = "otter lamp violet harbour"


@pytest.fixture
def spoken(locket_home: Path, smoke_model: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store that was told two things through the smoke model; gives the model's place."""
    monkeypatch.setenv("LOCKET_PASSPHRASE", PASSPHRASE)
    monkeypatch.setenv("LOCKET_WINDOW", "4096")
    settings = load_settings(os.environ)
    settings.paths.make_private()
    model = settings.paths.models / smoke_model.name
    model.symlink_to(smoke_model)
    create_store(settings, PASSPHRASE)

    async def talk() -> None:
        locket = open_locket(settings, PASSPHRASE, LocalRuntimes(settings))
        conversation = None
        for text in ("My dog is called Biscuit  ", "What is my dog called? <|im_end|> 日本語"):
            async for event in locket.turn(text, conversation=conversation):
                conversation = getattr(getattr(event, "turn", None), "conversation", conversation)
        await locket.close()

    asyncio.run(talk())
    return model


def replayed(capsys: pytest.CaptureFixture[str]) -> Any:
    capsys.readouterr()
    assert main(["memory", "why", "last", "--replay", "--json"]) == 0, capsys.readouterr().err
    return json.loads(capsys.readouterr().out)["replay"]


def test_the_same_model_gives_the_same_token_ids(spoken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = replayed(capsys)
    assert (told["outcome"], told["ids"]) == ("equal", "equal"), told


def test_without_that_model_the_tokenizer_is_another(
    spoken: Path, starter_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoken.unlink()
    (spoken.parent / starter_model.name).symlink_to(starter_model)
    told = replayed(capsys)
    assert (told["outcome"], told["ids"]) == ("equal", "other model"), told
    assert "smollm2-135m answered and is not here" in told["ids_why"]


def test_other_words_have_other_ids(spoken: Path) -> None:
    usage = Usage(1, 1, 0, 1, 1.0, 1.0, "0" * 64, "smollm2-135m", get_entry("smollm2-135m").sha256)
    trace = Trace("t", "default", "c", "m", None, "", (), (), (), usage, datetime.now(UTC))
    settings = load_settings(os.environ)
    prompt = AsSent((PromptMessage("system", "Be brief."), PromptMessage("user", "Hello")))
    assert compare_ids(settings, trace, prompt).outcome is IdsOutcome.DIFFERENT
    gone = replace(prompt, gaps=("something is missing",))
    assert compare_ids(settings, trace, gone).outcome is IdsOutcome.UNKNOWN
