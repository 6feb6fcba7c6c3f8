from __future__ import annotations

import math
from array import array
from collections.abc import Sequence

import pytest
from retrieval_builders import NOW, BagEmbedder, FakeIdentity, new_store, put_item
from sqlite_utils import Database

from memory.errors import BadInput, EmbedderMismatch
from memory.retrieval import vectors
from memory.retrieval.background import UNRELATED, calibrate
from memory.retrieval.embedders import active_embedder, embedder_row


def never() -> bool:
    return False


def states(db: Database, table: str = "item_vec_1") -> dict[int, str]:
    return dict(db.execute(f"SELECT id, state FROM {table} ORDER BY id").fetchall())


def test_the_first_embedder_is_active_at_once() -> None:
    db = new_store()
    row = vectors.ensure_embedder(db, FakeIdentity(), NOW)
    assert (row.state, row.dims) == ("active", 64)
    assert vectors.list_tables(db) == ["item_vec_1"]
    assert active_embedder(db) == row


def test_a_second_embedder_fills_up_before_it_takes_over() -> None:
    db = new_store()
    first = BagEmbedder()
    second = BagEmbedder(FakeIdentity(name="other", sha256="e" * 64, dims=20))
    put_item(db, "the blue tin holds tea")
    put_item(db, "the bike lock code is on the shelf")
    vectors.ensure_embedder(db, first.identity, NOW)
    assert vectors.embed_pending(db, first, 10, never) == 2
    row = vectors.ensure_embedder(db, second.identity, NOW)
    assert row.state == "filling"
    assert vectors.embed_pending(db, second, 1, never) == 1
    assert embedder_row(db, row.key).state == "filling"
    assert vectors.embed_pending(db, second, 10, never) == 1
    assert [embedder_row(db, key).state for key in (1, 2)] == ["kept", "active"]


def test_switching_back_embeds_only_what_came_since() -> None:
    db = new_store()
    first, second = BagEmbedder(), BagEmbedder(FakeIdentity(sha256="e" * 64))
    put_item(db, "one")
    for model in (first, second):
        vectors.ensure_embedder(db, model.identity, NOW)
        vectors.embed_pending(db, model, 10, never)
    put_item(db, "two")
    assert vectors.ensure_embedder(db, first.identity, NOW).state == "filling"
    first.asked.clear()
    vectors.embed_pending(db, first, 10, never)
    assert [text for text in first.asked if text not in UNRELATED] == ["two"]
    assert active_embedder(db) == embedder_row(db, 1)


def test_the_same_weights_with_another_size_are_refused() -> None:
    db = new_store()
    vectors.ensure_embedder(db, FakeIdentity(), NOW)
    with pytest.raises(EmbedderMismatch, match="64"):
        vectors.ensure_embedder(db, FakeIdentity(dims=32), NOW)
    with pytest.raises(EmbedderMismatch, match="length one"):
        vectors.ensure_embedder(db, FakeIdentity(normalised=False), NOW)
    with pytest.raises(BadInput):
        vectors.ensure_embedder(db, FakeIdentity(sha256=""), NOW)


def test_a_model_of_the_same_size_but_other_weights_is_refused() -> None:
    db = new_store()
    vectors.ensure_embedder(db, FakeIdentity(), NOW)
    put_item(db, "hello there")
    with pytest.raises(EmbedderMismatch, match="introduced"):
        vectors.embed_pending(db, BagEmbedder(FakeIdentity(sha256="0" * 64)), 5, never)


@pytest.mark.parametrize("vector", [b"", bytes(63 * 4), array("f", [math.nan] * 64).tobytes()])
def test_a_vector_of_the_wrong_size_or_without_numbers_is_refused(vector: bytes) -> None:
    db = new_store()
    key = put_item(db, "hello there")
    vectors.ensure_embedder(db, FakeIdentity(), NOW)
    with pytest.raises(EmbedderMismatch):
        vectors.store(db, 1, [(key, vector)])


def test_sizes_that_are_not_whole_bytes_get_a_padded_binary_column() -> None:
    db = new_store()
    model = BagEmbedder(FakeIdentity(dims=21))
    put_item(db, "a walk by the river")
    vectors.ensure_embedder(db, model.identity, NOW)
    assert vectors.embed_pending(db, model, 5, never) == 1
    assert len(db.execute("SELECT bits FROM item_vec_1").fetchone()[0]) == 3


def test_a_vector_carries_the_state_of_its_item() -> None:
    db = new_store()
    model = BagEmbedder()
    first, second = put_item(db, "one apple"), put_item(db, "a long answer", recallable=False)
    vectors.ensure_embedder(db, model.identity, NOW)
    vectors.embed_pending(db, model, 5, never)
    assert states(db) == {first: "active", second: "unrecalled"}
    vectors.set_state(db, [first, second], state="outdated", expires_at=5)
    assert states(db) == {first: "outdated", second: "unrecalled"}
    assert db.execute("SELECT DISTINCT expires_at FROM item_vec_1").fetchall() == [(5,)]


@pytest.mark.parametrize("many", [3, 90])
def test_deleting_reaches_every_table(many: int) -> None:
    db = new_store()
    models = BagEmbedder(), BagEmbedder(FakeIdentity(sha256="e" * 64))
    keys = [put_item(db, f"item number {n}") for n in range(100)]
    for model in models:
        vectors.ensure_embedder(db, model.identity, NOW)
        vectors.embed_pending(db, model, 1000, never)
    vectors.delete(db, keys[:many])
    for table in vectors.list_tables(db):
        assert set(states(db, table)) == set(keys[many:])
    assert vectors.count_pending(db, 2) == many


def test_embedding_stops_between_batches() -> None:
    db = new_store()
    model = BagEmbedder()
    for n in range(100):
        put_item(db, f"item number {n}")
    vectors.ensure_embedder(db, model.identity, NOW)
    calls = iter([False, True])
    assert vectors.embed_pending(db, model, 100, lambda: next(calls)) == vectors.EMBED_BATCH
    assert vectors.count_pending(db, 1) == 100 - vectors.EMBED_BATCH


def test_where_somebody_may_come_the_engine_is_given_little_at_once_and_what_is_made_is_kept() -> None:
    db, model = new_store(), BagEmbedder()
    for text in ("short", "x " * 300, "y " * 150, "brief", "terse"):  # the newest is embedded first
        put_item(db, text)
    vectors.ensure_embedder(db, model.identity, NOW)
    sizes: list[int] = []
    real = model.embed

    def embed(texts: Sequence[str]) -> list[bytes]:
        sizes.append(len(texts))
        return real(texts)

    model.embed = embed  # type: ignore[method-assign]
    calls = iter([False, False, True])
    assert vectors.embed_pending(db, model, 10, lambda: next(calls), vectors.GIVES_WAY) == 4
    assert sizes[:2] == [3, 1]
    assert vectors.count_pending(db, 1) == 1


def test_newest_items_are_embedded_first() -> None:
    db = new_store()
    vectors.ensure_embedder(db, FakeIdentity(), NOW)
    keys = [put_item(db, f"item {n}") for n in range(5)]
    assert [key for key, _ in vectors.pending(db, 1, 2)] == [keys[4], keys[3]]


def test_the_background_is_measured_and_repeatable() -> None:
    db = new_store()
    model = BagEmbedder()
    vectors.ensure_embedder(db, model.identity, NOW)
    for n in range(300):
        put_item(db, f"alpha{n} beta{n * 7} gamma{n % 13}")
    vectors.embed_pending(db, model, 1000, never)
    row = embedder_row(db, 1)
    assert abs(row.background_mean) < 0.1
    assert 0.05 < row.background_sd < 0.3
    assert row.background_items == 300
    assert calibrate(db, row, model, anew=True) == row


def test_the_background_is_measured_again_only_when_the_store_has_grown() -> None:
    db = new_store()
    model = BagEmbedder()
    vectors.ensure_embedder(db, model.identity, NOW)
    sizes = []
    for n in range(200):
        put_item(db, f"alpha{n} beta{n * 7}")
        vectors.embed_pending(db, model, 10, never)
        sizes.append(embedder_row(db, 1).background_items)
    assert sorted(set(sizes)) == [1, 48, 96, 192]
    assert model.asked.count(UNRELATED[0]) == 4


def test_the_active_embedder_cannot_be_dropped_and_a_kept_one_leaves_nothing() -> None:
    db = new_store()
    models = BagEmbedder(), BagEmbedder(FakeIdentity(sha256="e" * 64))
    put_item(db, "one")
    for model in models:
        vectors.ensure_embedder(db, model.identity, NOW)
        vectors.embed_pending(db, model, 10, never)
    with pytest.raises(EmbedderMismatch):
        vectors.drop_embedder(db, 2)
    vectors.drop_embedder(db, 1)
    assert vectors.list_tables(db) == ["item_vec_2"]


def test_warming_reads_the_active_vectors() -> None:
    db = new_store()
    assert not vectors.warm(db)
    model = BagEmbedder()
    vectors.ensure_embedder(db, model.identity, NOW)
    assert not vectors.warm(db)
    put_item(db, "one")
    vectors.embed_pending(db, model, 10, never)
    assert vectors.warm(db)
