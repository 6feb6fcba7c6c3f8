"""Many things forgotten at once cost as many statements as a few."""

import shutil
from pathlib import Path

import pytest
from forget_builders import Life, Statements, fill, open_test_vault

from memory.forget import Selection


def statements_for(number: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    with open_test_vault(folder) as vault:
        life = Life(vault)
        ids = fill(life, number)
        life.embed()
        counted = Statements(life, monkeypatch)
        plan = life.memory.forget_preview(Selection(ids=tuple(ids)))
        assert plan.counts == {"fact": number, "message": number}
        outcome = life.memory.forget(plan)
        assert outcome.certificate is not None, outcome.retry
        assert outcome.certificate.payload["checks"]["vectors"]["searched"] > 0
        assert not any("shade" in text for (text,) in vault.db.execute("SELECT text FROM item").fetchall())
        return counted.count


def test_the_number_of_statements_does_not_grow(
    pristine_vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = statements_for(40, Path(shutil.copytree(pristine_vault, tmp_path / "few")), monkeypatch)
    many = statements_for(400, Path(shutil.copytree(pristine_vault, tmp_path / "many")), monkeypatch)
    assert many == few
    assert few < 150


def test_progress_is_told_in_order(pristine_vault: Path, tmp_path: Path) -> None:
    with open_test_vault(Path(shutil.copytree(pristine_vault, tmp_path / "vault"))) as vault:
        life = Life(vault, embedder=False)
        ids = fill(life, 5)
        told: list[tuple[str, int, int]] = []
        life.memory.forget(
            life.memory.forget_preview(Selection(ids=tuple(ids))), lambda *step: told.append(step)
        )
        assert [done for _, done, _ in told] == sorted({done for _, done, _ in told})
        assert told[-1][1] == told[-1][2]
