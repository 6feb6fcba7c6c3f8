import os
import struct
import time
from pathlib import Path

import pytest
from gguf_builder import CHAT, LIST, TEXT, U64, gguf, tensor, text
from hypothesis import given
from hypothesis import strategies as st

from models.errors import ModelError, ModelMissing, ModelUnusable, NotAChatModel
from models.gguf import MAX_ARRAY, MAX_ENTRIES, MAX_STRING, MAX_TENSORS, read_header

HUGE = 2**63
GOOD = gguf(tensors=[tensor("w", [64, 2])])


def raw(kind: int, *rest: bytes) -> bytes:
    return struct.pack("<I", kind) + b"".join(rest)


def u64(value: int) -> bytes:
    return struct.pack("<Q", value)


HOSTILE: dict[str, bytes] = {
    "empty": b"",
    "one byte": b"G",
    "text": b"this is no model at all, but a letter to my aunt",
    "zeros": b"\0" * 5000,
    "only the magic": b"GGUF",
    "magic of another format": b"ggjt" + GOOD[4:],
    "version 0": gguf(version=0),
    "version 1": gguf(version=1),
    "version of the future": gguf(version=99),
    "big endian version": gguf(version=3 << 24),
    "entries without end": gguf(n_entries=HUGE),
    "one entry over the bound": gguf(n_entries=MAX_ENTRIES + 1),
    "more entries than are there": gguf(n_entries=len(CHAT) + 50, tail=b""),
    "tensors without end": gguf(n_tensors=HUGE),
    "one tensor over the bound": gguf(n_tensors=MAX_TENSORS + 1),
    "more tensors than are there": gguf(n_tensors=50, tail=b""),
    "a key of exabytes": gguf({}, n_entries=1, tail=u64(HUGE)),
    "a key of a megabyte": gguf({}, n_entries=1, tail=u64(1 << 20) + b"k" * (1 << 20)),
    "a text of exabytes": gguf({"a": raw(TEXT, u64(HUGE))}),
    "a text over the bound": gguf({"a": raw(TEXT, u64(MAX_STRING + 1), b"x" * 100)}),
    "a text longer than the file": gguf({"a": raw(TEXT, u64(100_000), b"x")}, tail=b""),
    "a value of an unknown kind": gguf({"a": raw(77)}),
    "a list of exabytes": gguf({"a": raw(LIST, struct.pack("<I", TEXT), u64(HUGE))}),
    "a list over the bound": gguf({"a": raw(LIST, struct.pack("<I", U64), u64(MAX_ARRAY + 1))}),
    "a list longer than the file": gguf({"a": raw(LIST, struct.pack("<I", U64), u64(MAX_ARRAY))}),
    "a list of lists": gguf({"a": raw(LIST, struct.pack("<I", LIST), u64(2))}),
    "a list of an unknown kind": gguf({"a": raw(LIST, struct.pack("<I", 99), u64(2))}),
    "a list with a text of exabytes": gguf(
        {"a": raw(LIST, struct.pack("<I", TEXT), u64(2), text("a"), u64(HUGE))}
    ),
    "a tensor of many dimensions": gguf(tensors=[tensor("w", [1] * 40)]),
    "a tensor of exabytes": gguf(tensors=[tensor("w", [1 << 39, 1 << 39])]),
    "a tensor whose size wraps around": gguf(tensors=[tensor("w", [1 << 32, 1 << 32])]),
    "a tensor outside of the file": gguf(tensors=[tensor("w", [1], offset=1 << 40)]),
    "no architecture": gguf({key: value for key, value in CHAT.items() if "architecture" not in key}),
    "an architecture that is a number": gguf({**CHAT, "general.architecture": 7}),
    "an architecture that writes on the terminal": gguf({**CHAT, "general.architecture": "llama\x1b[2J"}),
    "an architecture as long as a book": gguf({**CHAT, "general.architecture": "llama" * 10_000}),
    "cut in the middle": GOOD[:100],
    "cut before the last entry": gguf(tail=b"")[:-5],
}


def write(folder: Path, content: bytes) -> Path:
    path = folder / "model.gguf"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_file_is_refused_quickly_and_in_words(tmp_path: Path, kind: str) -> None:
    begun = time.process_time()
    with pytest.raises(ModelUnusable, match=r"model\.gguf") as caught:
        read_header(write(tmp_path, HOSTILE[kind]))
    assert time.process_time() - begun < 2
    assert caught.value.detail.endswith(".")


def test_a_good_header_is_read(tmp_path: Path) -> None:
    header = read_header(write(tmp_path, GOOD))
    assert (header.architecture, header.n_ctx_train, header.n_params) == ("llama", 8192, 128)
    assert header.quantisation == "Q4_K_M"
    assert header.kv_bytes_per_token == 2 * 2 * 2 * (16 + 16)
    header.check_chat()


def test_heads_may_differ_from_layer_to_layer(tmp_path: Path) -> None:
    heads = raw(LIST, struct.pack("<I", 4), u64(2), struct.pack("<II", 1, 3))
    entries = {**CHAT, "llama.attention.head_count_kv": heads}
    assert read_header(write(tmp_path, gguf(entries))).kv_bytes_per_token == 2 * 4 * 32


@pytest.mark.parametrize("heads", [float("nan"), float("inf"), -1.0, "many"])
def test_heads_that_are_no_number_give_no_estimate(tmp_path: Path, heads: object) -> None:
    content = gguf({**CHAT, "llama.attention.head_count_kv": heads})
    assert read_header(write(tmp_path, content)).kv_bytes_per_token == 0


def test_a_title_holds_nothing_but_letters(tmp_path: Path) -> None:
    content = gguf({**CHAT, "general.name": "Tiny\x1b]0;gone\x07\n" + "y" * 9000})
    title = read_header(write(tmp_path, content)).title
    assert title.isprintable()
    assert len(title) <= 200


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "model.gguf")
    with pytest.raises(ModelUnusable, match="not a file"):
        read_header(tmp_path / "model.gguf")


def test_an_absurd_number_of_layers_gives_no_estimate(tmp_path: Path) -> None:
    entries = {**CHAT, "llama.block_count": 4_000_000_000}
    assert read_header(write(tmp_path, gguf(entries))).kv_bytes_per_token == 0


def test_a_model_without_a_template_is_no_chat_model(tmp_path: Path) -> None:
    entries = {key: value for key, value in CHAT.items() if "template" not in key}
    header = read_header(write(tmp_path, gguf(entries)))
    with pytest.raises(NotAChatModel, match="no chat template"):
        header.check_chat()


@pytest.mark.parametrize(("architecture", "word"), [("clip", "images"), ("bert", "vectors")])
def test_a_model_of_another_trade_is_no_chat_model(tmp_path: Path, architecture: str, word: str) -> None:
    header = read_header(write(tmp_path, gguf({**CHAT, "general.architecture": architecture})))
    with pytest.raises(NotAChatModel, match=word):
        header.check_chat()


def test_a_missing_file_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing):
        read_header(tmp_path / "nothing.gguf")


def test_a_folder_is_unusable(tmp_path: Path) -> None:
    with pytest.raises(ModelUnusable):
        read_header(tmp_path)


@given(st.integers(0, len(GOOD) - 4097), st.integers(0, 255))
def test_a_flipped_byte_never_gives_anything_but_a_header_or_words(
    tmp_path_factory: pytest.TempPathFactory, at: int, value: int
) -> None:
    damaged = bytearray(GOOD)
    damaged[at] = value
    path = write(tmp_path_factory.mktemp("flipped"), bytes(damaged))
    try:
        header = read_header(path)
    except ModelError:
        return
    assert header.architecture


@pytest.mark.model
def test_the_real_models_are_read(smoke_model: Path) -> None:
    header = read_header(smoke_model)
    assert (header.architecture, header.n_ctx_train, header.n_params) == ("llama", 8192, 134_515_008)
    assert header.kv_bytes_per_token == 23_040
