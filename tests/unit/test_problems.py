"""Every error that we raise on purpose has words, a way out and an exit code."""

import inspect
from collections.abc import Iterator
from datetime import UTC, datetime
from types import ModuleType

import pytest

from assistant import settings
from assistant.problems import KNOWN, Exit, to_problem
from memory import errors as store_errors
from memory.transfer import errors as transfer_errors
from memory.vault import errors as vault_errors
from models import errors as model_errors

ROOTS = {store_errors.StoreError, vault_errors.VaultError, model_errors.ModelError}


def leaves(*modules: ModuleType) -> Iterator[type[BaseException]]:
    for module in modules:
        for _, kind in inspect.getmembers(module, inspect.isclass):
            own = kind.__module__ == module.__name__
            if own and issubclass(kind, BaseException) and kind not in ROOTS:
                yield kind


@pytest.mark.parametrize(
    "kind", list(leaves(store_errors, vault_errors, model_errors, settings)), ids=lambda k: k.__name__
)
def test_every_error_of_ours_becomes_a_problem_with_a_way_out(kind: type[BaseException]) -> None:
    assert kind in KNOWN
    title, hint, code = KNOWN[kind]
    assert title
    assert hint
    assert code != Exit.OK


@pytest.mark.parametrize(
    "kind",
    [kind for kind in leaves(transfer_errors) if kind is not transfer_errors.TransferError],
    ids=lambda k: k.__name__,
)
def test_every_refusal_of_an_archive_has_words_and_exit_17_unless_it_is_newer(
    kind: type[BaseException],
) -> None:
    known = next(base for base in kind.__mro__ if base in KNOWN)
    if issubclass(kind, transfer_errors.ArchiveRefused):
        assert KNOWN[known][2] == Exit.ARCHIVE_REFUSED
    assert KNOWN[transfer_errors.ArchiveNewer][2] == Exit.NEWER_VERSION


def test_the_five_failures_of_a_store_have_five_exit_codes_and_titles() -> None:
    five = [
        vault_errors.WrongPassphrase,
        vault_errors.KeyFileDamaged,
        vault_errors.StoreDamaged,
        vault_errors.NewerVersion,
        vault_errors.StoreInUse,
    ]
    assert [int(KNOWN[kind][2]) for kind in five] == [12, 15, 13, 16, 11]
    assert len({KNOWN[kind][0] for kind in five}) == 5


def test_a_detail_becomes_a_sentence() -> None:
    problem = to_problem(vault_errors.NoStore("the folder holds no vault"))
    assert problem is not None
    assert problem.detail == "The folder holds no vault."


@pytest.mark.parametrize("name", ["em.gguf", "smollm2-135m", "a/file"])
def test_a_name_that_a_detail_begins_with_is_kept_as_it_is(name: str) -> None:
    """Whoever types it as it was shown would not find the file."""
    problem = to_problem(model_errors.ModelUnusable(f"{name} cannot be loaded"))
    assert problem is not None
    assert problem.detail == f"{name} cannot be loaded."


def test_a_store_in_use_says_once_who_has_it_and_since_when_by_the_clock_here() -> None:
    problem = to_problem(vault_errors.StoreInUse(1208, "2026-11-30T03:38:18.294346+00:00"))
    assert problem is not None
    here = datetime(2026, 11, 30, 3, 38, tzinfo=UTC).astimezone()
    assert problem.detail == f"Process 1208 has had it open since {here:%Y-%m-%d %H:%M}."
    unknown = to_problem(vault_errors.StoreInUse(None, None))
    assert unknown is not None
    assert unknown.detail == "Another program has it open."
    other = to_problem(vault_errors.StoreInUse(None, None, vault_errors.READ_BY_ANOTHER))
    assert other is not None
    assert other.detail == "The store is open for reading by another connection."
    half = to_problem(vault_errors.StoreInUse(None, None, vault_errors.HALF_RESTORED))
    assert half is not None
    assert half.detail == "The store is half restored: open it once for writing."
    assert "finishes the restore" in half.hint


def test_an_answer_without_a_receipt_is_not_looked_for_in_the_list_of_memories() -> None:
    problem = to_problem(store_errors.NoReceipt("last"))
    assert problem is not None
    assert "no finished answer" in problem.title
    assert "memory list" not in problem.hint


@pytest.mark.parametrize(
    ("what", "verb"),
    [
        ("fact", "memory list"),
        ("conversation", "conversations list"),
        ("profile", "profile list"),
        ("question", "eval run --golden"),
        ("embedding model", "model embedders"),
    ],
)
def test_what_is_not_found_is_looked_for_where_it_would_be_listed(what: str, verb: str) -> None:
    problem = to_problem(store_errors.NotFound(what, "nobody"))
    assert problem is not None
    assert f"`locket {verb}`" in problem.hint


def test_an_error_nobody_foresaw_is_no_problem_but_a_crash() -> None:
    assert to_problem(ZeroDivisionError("division by zero")) is None


def test_a_page_that_does_not_read_is_a_damaged_store_also_where_nobody_expected_it() -> None:
    from sqlcipher3 import dbapi2

    problem = to_problem(dbapi2.DatabaseError("database disk image is malformed"))
    assert problem is not None
    assert problem.exit_code == Exit.STORE_DAMAGED
    assert to_problem(dbapi2.IntegrityError("UNIQUE constraint failed")) is None
