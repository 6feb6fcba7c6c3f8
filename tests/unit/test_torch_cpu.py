"""Which torch is installed: a CPU build from wherever there is one, or none."""

import http.client
import json
import subprocess
from pathlib import Path
from typing import Any, Self

import pytest
import torch_cpu


@pytest.fixture
def commands(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Note what would be run; an index has nothing, pip's own choice is a CPU build that installs."""
    ran: list[list[str]] = []
    cuda = getattr(request, "param", False)

    def run(command: list[str], **_: object) -> "subprocess.CompletedProcess[str]":
        ran.append(command)
        failed = "--index-url" in command or "-c" in command
        needs = ["nvidia-cublas"] if cuda else []
        report = (
            json.dumps({"install": [{"metadata": {"requires_dist": needs}}]}) if "--report" in command else ""
        )
        return subprocess.CompletedProcess(command, int(failed), report, "")

    monkeypatch.setattr("torch_cpu.subprocess.run", run)
    monkeypatch.setattr("torch_cpu.sys.platform", "linux")
    return ran


def answer(monkeypatch: pytest.MonkeyPatch, what: Exception | None) -> None:
    class Page:
        status = 200

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            """Nothing to close."""

    def opened(*_: Any, **__: Any) -> Page:
        if what is not None:
            raise what
        return Page()

    monkeypatch.setattr("torch_cpu.urllib.request.urlopen", opened)


def test_an_index_that_answers_without_this_version_gives_way_to_pips_own(
    monkeypatch: pytest.MonkeyPatch, commands: list[list[str]]
) -> None:
    answer(monkeypatch, None)
    assert torch_cpu.install_torch(Path("python"))
    assert [("--index-url" in one, "--report" in one) for one in commands[1:]] == [
        (True, False),
        (False, True),
        (False, False),
    ]


@pytest.mark.parametrize(
    "failure", [http.client.BadStatusLine("<html>"), TimeoutError(), OSError("unreachable")]
)
def test_an_index_that_says_anything_else_is_not_asked(
    monkeypatch: pytest.MonkeyPatch, commands: list[list[str]], failure: Exception
) -> None:
    answer(monkeypatch, failure)
    assert torch_cpu.install_torch(Path("python"))
    assert not any("--index-url" in one for one in commands)


@pytest.mark.parametrize("commands", [True], indirect=True)
def test_a_download_that_fails_is_not_taken_for_a_torch_that_does_not_exist(
    monkeypatch: pytest.MonkeyPatch, commands: list[list[str]]
) -> None:
    answer(monkeypatch, None)
    with pytest.raises(subprocess.CalledProcessError):
        torch_cpu.install_torch(Path("python"))
    assert not any("--index-url" not in one and "--report" not in one for one in commands[1:])


@pytest.mark.parametrize("commands", [True], indirect=True)
def test_gigabytes_for_graphics_cards_are_declined(
    monkeypatch: pytest.MonkeyPatch, commands: list[list[str]]
) -> None:
    answer(monkeypatch, OSError("unreachable"))
    assert not torch_cpu.install_torch(Path("python"))
    assert len(commands) == 2
