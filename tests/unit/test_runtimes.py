"""Whose words may go to a server, and when."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from gguf_builder import gguf

from assistant.problems import to_problem
from assistant.runtimes import LocalRuntimes, check_incognito, may_use_remote
from assistant.settings import Settings, load_settings
from models.scripted import ScriptedChat
from models.types import EngineSettings

URL = "http://127.0.0.1:8080"


@pytest.fixture
def settings(locket_home: Path) -> Settings:
    return load_settings(os.environ)


def test_a_server_needs_an_address_and_the_profiles_own_yes(settings: Settings) -> None:
    named = replace(settings, remote_url=URL)
    assert may_use_remote(named, agreed=True)
    assert not may_use_remote(named, agreed=False)
    assert not may_use_remote(settings, agreed=True)


def test_an_incognito_conversation_stays_here_unless_the_settings_let_it_go(settings: Settings) -> None:
    named = replace(settings, remote_url=URL)
    assert check_incognito(named, remote=False) is None
    assert check_incognito(replace(named, remote_incognito=True), remote=True) is None
    refused = check_incognito(named, remote=True)
    assert refused is not None
    problem = to_problem(refused)
    assert problem is not None
    assert problem.title == "This stays on this computer"


def test_what_is_tuned_in_the_settings_reaches_the_engine(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    tuned: list[EngineSettings] = []

    def start(path: Path, wanted: EngineSettings, **_: object) -> ScriptedChat:
        tuned.append(wanted)
        return ScriptedChat()

    monkeypatch.setattr("models.engine.client.ChatEngine", start)
    settings.paths.make_private()
    (settings.paths.models / "mine.gguf").write_bytes(gguf())
    LocalRuntimes(settings).chat(
        replace(settings, window=8192, threads=3, threads_batch=4, batch=64, gpu_layers=7)
    )
    assert tuned == [EngineSettings(n_ctx=8192, n_threads=3, n_threads_batch=4, n_batch=64, n_gpu_layers=7)]
