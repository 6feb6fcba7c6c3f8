"""Downloads where the environment says how the network is reached, and says it wrongly."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from models.catalogue import HubSource, get_entry
from models.errors import PullFailed
from models.pull import pull

ROOT = Path(__file__).resolve().parents[2]
ONLY_HUB = replace(get_entry("smollm2-135m"), sources=(HubSource("owner/repo", ("m.gguf",)),))


@pytest.mark.parametrize(
    ("proxy", "words"),
    [("socks5://127.0.0.1:9", "needs another package"), ("carrier-pigeon://127.0.0.1:9", "is none")],
)
def test_a_proxy_that_cannot_be_used_is_said_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, proxy: str, words: str
) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTP_PROXY", proxy)
    with pytest.raises(PullFailed, match=words):
        pull("m", tmp_path, entry=ONLY_HUB, hub="http://hub.invalid")


def test_settings_that_the_hubs_client_does_not_take_are_said(tmp_path: Path) -> None:
    """It reads them when it is loaded, so it is loaded in a process of its own."""
    script = "from pathlib import Path; from models.pull import pull; from models.errors import PullFailed\n"
    script += (
        "try: pull('smollm2-135m', Path('models'), pip=['false'])\nexcept PullFailed as error: print(error)"
    )
    told = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={"PATH": os.defpath, "PYTHONPATH": str(ROOT), "HF_ENDPOINT": "http://127.0.0.1:99999"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "does not take its HF_" in told.stdout
