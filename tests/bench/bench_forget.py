"""What forgetting ten thousand facts costs, each said in a message of its own; prints one line a step."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from forget_builders import Life, Statements, fill, open_test_vault

from memory.forget import Selection

T = TypeVar("T")
FACTS = int(os.environ.get("LOCKET_BENCH_FACTS", "10000"))


def timed(name: str, work: Callable[[], T]) -> T:
    """Do something and print how long it took."""
    start = time.perf_counter()
    result = work()
    print(f"{name:<28}{time.perf_counter() - start:8.2f} s")
    return result


@pytest.mark.timeout(1800)
def test_ten_thousand_facts_are_forgotten(vault_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    print()
    with open_test_vault(vault_folder) as vault:
        life = Life(vault)
        ids = timed(f"put {FACTS:,} facts", lambda: fill(life, FACTS))
        timed("make their vectors", life.embed)
        counted = Statements(life, monkeypatch)
        plan = timed("preview", lambda: life.memory.forget_preview(Selection(ids=tuple(ids))))
        print(f"{'goes':<28}{plan.counts} with {dict(plan.follows)}")
        steps: list[tuple[str, float]] = []
        began = time.perf_counter()
        outcome = timed(
            "forget and prove",
            lambda: life.memory.forget(
                plan, lambda step, _done, _total: steps.append((step, time.perf_counter() - began))
            ),
        )
        for step, at in steps:
            print(f"  {step:<26}{at:8.2f} s")
        print(f"{'statements':<28}{counted.count:8d}")
        assert outcome.certificate is not None, outcome.retry
        print(outcome.certificate.payload["checks"])
