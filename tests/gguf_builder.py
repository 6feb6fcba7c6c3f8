"""Makes small GGUF headers, right ones and hostile ones, byte by byte.

Owns the format's spelling only; what is in a header is said by the test.
"""

import struct
from collections.abc import Mapping, Sequence

U32, F32, TEXT, LIST, U64 = 4, 6, 8, 9, 10
CHAT: dict[str, object] = {
    "general.architecture": "llama",
    "general.name": "Tiny",
    "general.file_type": 15,
    "llama.context_length": 8192,
    "llama.embedding_length": 64,
    "llama.block_count": 2,
    "llama.attention.head_count": 4,
    "llama.attention.head_count_kv": 2,
    "tokenizer.ggml.model": "gpt2",
    "tokenizer.ggml.tokens": ["a", "b"],
    "tokenizer.chat_template": "{{ messages }}",
}


def text(value: str) -> bytes:
    """Spell a string."""
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def typed(value: object) -> bytes:
    """Spell a value with its type in front."""
    match value:
        case str():
            return struct.pack("<I", TEXT) + text(value)
        case float():
            return struct.pack("<If", F32, value)
        case int():
            return struct.pack("<II", U32, value)
        case list():
            inner = b"".join(text(str(item)) for item in value)
            return struct.pack("<IIQ", LIST, TEXT, len(value)) + inner
        case bytes():
            return value
        case _:
            raise TypeError(value)


def tensor(name: str, dims: Sequence[int], offset: int = 0) -> bytes:
    """Spell a tensor's description."""
    shape = b"".join(struct.pack("<Q", dim) for dim in dims)
    return text(name) + struct.pack("<I", len(dims)) + shape + struct.pack("<IQ", 0, offset)


def gguf(
    entries: Mapping[str, object] = CHAT,
    tensors: Sequence[bytes] = (),
    *,
    version: int = 3,
    n_entries: int | None = None,
    n_tensors: int | None = None,
    tail: bytes = b"\0" * 4096,
) -> bytes:
    """Spell a file."""
    head = struct.pack(
        "<4sIQQ",
        b"GGUF",
        version,
        len(tensors) if n_tensors is None else n_tensors,
        len(entries) if n_entries is None else n_entries,
    )
    body = b"".join(text(key) + typed(value) for key, value in entries.items())
    return head + body + b"".join(tensors) + tail
