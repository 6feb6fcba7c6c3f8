"""`locket model bench`, with a real model and the shortest of measurements."""

from pathlib import Path

import pytest
from real_home import Home, link_model

pytestmark = [pytest.mark.model, pytest.mark.timeout(300)]


def test_a_model_is_measured_with_the_threads_that_were_asked_for(tmp_path: Path, smoke_model: Path) -> None:
    home = Home(tmp_path / "home")
    link_model(smoke_model, home.path / "models")
    measured = home.json("model", "bench", "--quick", "--threads", "1,1", "--threads", "1,2")
    assert [(row["n_threads"], row["n_threads_batch"]) for row in measured["rows"]] == [(1, 1), (1, 2)]
    assert all(row["prompt_tokens_per_s"] > 0 for row in measured["rows"])
    assert all(row["repeat_first_token_ms"] > 0 for row in measured["rows"])


def test_threads_that_are_no_numbers_are_refused(tmp_path: Path, smoke_model: Path) -> None:
    home = Home(tmp_path / "home")
    link_model(smoke_model, home.path / "models")
    refused = home.run("model", "bench", "--threads", "many")
    assert refused.returncode == 2
    assert "two numbers" in refused.stderr
