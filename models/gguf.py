"""Reads the header of a GGUF file without loading it, and without believing it.

Owns what a header may ask of us: every count, size and nesting has a bound, and a file that goes past one
is `ModelUnusable`. Tensor data is never touched. Long lists (vocabularies) are walked over, not kept.
"""

import math
import os
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from models.errors import ModelMissing, ModelUnusable, NotAChatModel

MAGIC = b"GGUF"
MAX_HEADER_BYTES = 128 * 1024 * 1024
MAX_ENTRIES = 4096
MAX_TENSORS = 65_536
MAX_STRING = 1024 * 1024
MAX_KEY = 4096
MAX_ARRAY = 4_000_000
_KEPT_ARRAY = 512
_MAX_TITLE = 200
_ARCHITECTURE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_BLOCK = 1024 * 1024

Value: TypeAlias = int | float | bool | str | tuple[Any, ...]

_SCALARS = {
    0: struct.Struct("<B"),
    1: struct.Struct("<b"),
    2: struct.Struct("<H"),
    3: struct.Struct("<h"),
    4: struct.Struct("<I"),
    5: struct.Struct("<i"),
    6: struct.Struct("<f"),
    7: struct.Struct("<?"),
    10: struct.Struct("<Q"),
    11: struct.Struct("<q"),
    12: struct.Struct("<d"),
}
_STRING, _ARRAY = 8, 9
_U32, _U64 = struct.Struct("<I"), struct.Struct("<Q")

_FILE_TYPES = {
    0: "F32",
    1: "F16",
    2: "Q4_0",
    3: "Q4_1",
    7: "Q8_0",
    8: "Q5_0",
    9: "Q5_1",
    10: "Q2_K",
    11: "Q3_K_S",
    12: "Q3_K_M",
    13: "Q3_K_L",
    14: "Q4_K_S",
    15: "Q4_K_M",
    16: "Q5_K_S",
    17: "Q5_K_M",
    18: "Q6_K",
    19: "IQ2_XXS",
    20: "IQ2_XS",
    23: "IQ3_XXS",
    25: "IQ4_NL",
    30: "IQ4_XS",
    32: "BF16",
}
_EMBEDDERS = frozenset(
    {"bert", "nomic-bert", "nomic-bert-moe", "jina-bert-v2", "jina-bert-v3", "modern-bert", "neo-bert"}
    | {"eurobert", "t5encoder", "gemma-embedding", "llama-embed"}
)
_RANKING = 4
_NOT_TEXT = frozenset({"clip", "mmproj", "wavtokenizer-dec", "whisper", "sd", "flux"})


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """What a file says of itself, as far as it is of use."""

    path: Path
    file_bytes: int
    version: int
    architecture: str
    title: str
    n_ctx_train: int
    n_params: int
    """Counted from the tensors' shapes."""
    chat_template: str | None
    kv_bytes_per_token: int
    """For the cache in half precision; 0 when the file does not say enough."""
    quantisation: str
    tokenizer: str
    pooling: int = 0
    """How the vectors of tokens become one; 0 when they do not, or the file does not say."""

    @property
    def is_embedder(self) -> bool:
        """Tell whether the model makes vectors and not text: some are built like one that converses, and say so."""
        return not self.ranks and (self.architecture in _EMBEDDERS or self.pooling > 0)

    @property
    def ranks(self) -> bool:
        """Tell whether the model gives texts a score, and neither text nor vectors."""
        return self.pooling == _RANKING

    def check_chat(self) -> None:
        """Refuse a file that cannot hold a conversation."""
        if self.architecture in _NOT_TEXT:
            raise NotAChatModel(f"{self.path.name} is a part for images or sound, not a language model.")
        if self.ranks or self.is_embedder:
            what = "gives texts a score" if self.ranks else "makes vectors of texts"
            raise NotAChatModel(f"{self.path.name} {what}; it does not converse.")
        if not self.chat_template:
            raise NotAChatModel(
                f"{self.path.name} has no chat template, so it was not made for conversation."
            )


def read_header(path: Path) -> GgufHeader:
    """Read and check the header of a file."""
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):  # a pipe would be waited for, for ever
            raise ModelUnusable(f"{path.name} is not a file.")
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            return _read(path, _Cursor(file, path.name, min(size, MAX_HEADER_BYTES)), size)
    except FileNotFoundError as error:
        raise ModelMissing(f"There is no file {path.name}.") from error
    except OSError as error:
        raise ModelUnusable(f"{path.name} cannot be read: {error.strerror}.") from error


class _Cursor:
    """Reads forward, never past a bound, a large block at a time."""

    def __init__(self, file: BinaryIO, name: str, limit: int) -> None:
        self._file = file
        self._name = name
        self._left = limit
        self._block = b""
        self._at = 0

    def take(self, size: int) -> bytes:
        """Read exactly `size` bytes."""
        if self._at + size > len(self._block):
            self._refill(size)
        taken = self._block[self._at : self._at + size]
        self._at += size
        return taken

    def skip_texts(self, n: int) -> None:
        """Pass over `n` strings: this is where a header's time goes, hence the bare loop."""
        length_at, block, at = _U64.unpack_from, self._block, self._at
        for _ in range(n):
            if at + 8 > len(block):
                self._at = at
                self._refill(8)
                block, at = self._block, self._at
            (size,) = length_at(block, at)
            if size > MAX_STRING:
                raise self.bad(f"it claims {size} bytes of text in one place")
            at += 8 + size
            if at > len(block):
                self._at = at - size
                self._refill(size)
                block, at = self._block, self._at + size
        self._at = at

    def _refill(self, size: int) -> None:
        """Make sure that `size` more bytes are in the block."""
        rest = self._block[self._at :]
        wanted = max(size - len(rest), _BLOCK)
        more = self._file.read(min(wanted, self._left))
        self._left -= len(more)
        self._block, self._at = rest + more, 0
        if len(self._block) < size:
            raise self.bad("it ends inside its header, or the header is far too large")

    def number(self, shape: struct.Struct) -> Any:
        """Read one number."""
        return shape.unpack(self.take(shape.size))[0]

    def bounded(self, shape: struct.Struct, limit: int, what: str) -> int:
        """Read a count and refuse a hostile one."""
        value = int(self.number(shape))
        if value > limit:
            raise self.bad(f"it claims {value} {what}")
        return value

    def text(self, limit: int) -> str:
        """Read a string."""
        return self.take(self.bounded(_U64, limit, "bytes of text in one place")).decode("utf-8", "replace")

    def bad(self, why: str) -> ModelUnusable:
        """Make the error that says what is wrong."""
        return ModelUnusable(f"The file {self._name} is not a usable GGUF file: {why}.")


def _read(path: Path, cursor: _Cursor, file_bytes: int) -> GgufHeader:
    if file_bytes < 24 or cursor.take(4) != MAGIC:
        raise cursor.bad("it does not begin like one")
    version = int(cursor.number(_U32))
    if version not in (2, 3):
        raise cursor.bad(f"its version is {version}")
    n_tensors = cursor.bounded(_U64, MAX_TENSORS, "tensors")
    n_entries = cursor.bounded(_U64, MAX_ENTRIES, "settings")
    entries: dict[str, Value] = {}
    for _ in range(n_entries):
        key = cursor.text(MAX_KEY)
        entries[key] = _value(cursor, cursor.number(_U32))
    n_params = sum(_tensor(cursor, file_bytes) for _ in range(n_tensors))
    return _summary(path, entries, version, n_params, file_bytes)


def _value(cursor: _Cursor, kind: int) -> Value:
    if kind in _SCALARS:
        scalar: Value = cursor.number(_SCALARS[kind])
        return scalar
    if kind == _STRING:
        return cursor.text(MAX_STRING)
    if kind != _ARRAY:
        raise cursor.bad(f"it holds a value of the unknown kind {kind}")
    inner = int(cursor.number(_U32))
    length = cursor.bounded(_U64, MAX_ARRAY, "values in a list")
    if inner == _STRING:
        cursor.skip_texts(length)
        return ()
    if inner not in _SCALARS:
        raise cursor.bad("it holds lists of lists")
    shape = _SCALARS[inner]
    if length > _KEPT_ARRAY:
        cursor.take(shape.size * length)
        return ()
    return tuple(cursor.number(shape) for _ in range(length))


def _tensor(cursor: _Cursor, file_bytes: int) -> int:
    """Read one tensor's description and give its number of values."""
    cursor.text(MAX_KEY)
    n_dims = cursor.bounded(_U32, 4, "dimensions of a tensor")
    values = math.prod(cursor.bounded(_U64, 1 << 40, "rows of a tensor") for _ in range(n_dims))
    cursor.take(4)
    offset = int(cursor.number(_U64))
    if offset > file_bytes or values > file_bytes * 16:
        raise cursor.bad("its tensors do not fit into it")
    return values


def _summary(
    path: Path, entries: Mapping[str, Value], version: int, n_params: int, file_bytes: int
) -> GgufHeader:
    architecture = _text(entries, "general.architecture")
    if not _ARCHITECTURE.fullmatch(architecture):  # it is shown, and may hold anything
        raise ModelUnusable(f"The file {path.name} is not a usable GGUF file: it names no architecture.")
    template = _text(entries, "tokenizer.chat_template")
    return GgufHeader(
        path=path,
        file_bytes=file_bytes,
        version=version,
        architecture=architecture,
        title="".join(filter(str.isprintable, _text(entries, "general.name")))[:_MAX_TITLE],
        n_ctx_train=_whole(entries, f"{architecture}.context_length"),
        n_params=n_params,
        chat_template=template or None,
        kv_bytes_per_token=_kv_bytes(entries, architecture),
        quantisation=_FILE_TYPES.get(_whole(entries, "general.file_type", -1), "unknown"),
        tokenizer=_text(entries, "tokenizer.ggml.model"),
        pooling=_whole(entries, f"{architecture}.pooling_type"),
    )


def _kv_bytes(entries: Mapping[str, Value], architecture: str) -> int:
    """Give the bytes that one token takes in a cache of half precision."""
    layers = _whole(entries, f"{architecture}.block_count")
    heads = _whole(entries, f"{architecture}.attention.head_count")
    if not 0 < layers <= 1024 or heads <= 0:
        return 0
    kv_heads = entries.get(f"{architecture}.attention.head_count_kv", heads)
    head = _whole(entries, f"{architecture}.embedding_length") // heads
    key = _whole(entries, f"{architecture}.attention.key_length", head)
    value = _whole(entries, f"{architecture}.attention.value_length", head)
    if isinstance(kv_heads, tuple):
        total_heads = sum(n for n in kv_heads if isinstance(n, int))
    else:
        total_heads = layers * kv_heads if isinstance(kv_heads, int) else 0
    return max(0, 2 * total_heads * (key + value))


def _text(entries: Mapping[str, Value], key: str) -> str:
    value = entries.get(key)
    return value if isinstance(value, str) else ""


def _whole(entries: Mapping[str, Value], key: str, default: int = 0) -> int:
    value = entries.get(key)
    return int(value) if isinstance(value, int) else default
