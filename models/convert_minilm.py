"""Turns the all-MiniLM-L6-v2 folder into one GGUF file, without torch.

Owns the names of this one family's tensors and the spelling of its vocabulary in the other format. The
same folder always gives the same bytes, so the result has a pinned hash. Run in a process of its own, since
it needs numpy: `python -m models.engine.server convert FOLDER FILE`.
"""

import json
import os
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from models.errors import ModelError, ModelMissing, ModelUnusable, RuntimeMissing

CONVERTED_SHA256 = "6e41d3ca71a90cbaa4a310661bcd93f97af8a2bae9eaf239c1461d2f64326a60"
_MAX_HEADER = 1024 * 1024
_F16 = 1
_MEAN_POOLING = 1
_WORD_START = "\u2581"
_NORMAL, _CONTROL = 1, 3

_TOP = {
    "embeddings.word_embeddings.weight": "token_embd.weight",
    "embeddings.position_embeddings.weight": "position_embd.weight",
    "embeddings.token_type_embeddings.weight": "token_types.weight",
    "embeddings.LayerNorm.weight": "token_embd_norm.weight",
    "embeddings.LayerNorm.bias": "token_embd_norm.bias",
}
_LAYER = {
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
}
_UNUSED = ("embeddings.position_ids", "pooler.")


def convert(folder: Path, target: Path) -> None:
    """Write the folder's model as a half-precision GGUF file; the file appears whole or not at all."""
    try:
        import gguf  # noqa: PLC0415 (only a conversion needs it)
        import numpy as np  # noqa: PLC0415
    except ImportError as error:
        raise RuntimeMissing(f"{error.name} is not installed, and the conversion needs it.") from error
    config = json.loads(_read(folder, "config.json"))
    words = _read(folder, "vocab.txt").decode("utf-8").split("\n")
    words = words[: int(config["vocab_size"])]
    partial = target.with_name(target.name + ".partial")
    writer: Any = gguf.GGUFWriter(str(partial), "bert")
    _write_settings(writer, config, folder)
    _write_vocabulary(writer, words)
    for name, kind, shape, raw in _tensors(folder / "model.safetensors"):
        values = np.frombuffer(raw, dtype=_NUMPY[kind]).reshape(shape)
        half = len(shape) > 1 and not name.startswith(("position_embd", "token_types"))
        writer.add_tensor(name, values.astype(np.float16 if half else np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    os.replace(partial, target)  # noqa: PTH105 (says what it does)


_NUMPY = {"F32": "<f4", "F16": "<f2"}


def _write_settings(writer: Any, config: dict[str, Any], folder: Path) -> None:
    pooling = json.loads(_read(folder, "1_Pooling/config.json"))
    if not pooling.get("pooling_mode_mean_tokens"):
        raise ModelUnusable(
            "The folder's model does not average its tokens, so this conversion does not fit it."
        )
    writer.add_name("all-MiniLM-L6-v2")
    writer.add_block_count(int(config["num_hidden_layers"]))
    writer.add_context_length(int(config["max_position_embeddings"]))
    writer.add_embedding_length(int(config["hidden_size"]))
    writer.add_feed_forward_length(int(config["intermediate_size"]))
    writer.add_head_count(int(config["num_attention_heads"]))
    writer.add_layer_norm_eps(float(config["layer_norm_eps"]))
    writer.add_file_type(_F16)
    writer.add_causal_attention(False)
    writer.add_uint32("bert.pooling_type", _MEAN_POOLING)
    writer.add_vocab_size(int(config["vocab_size"]))
    writer.add_token_type_count(int(config["type_vocab_size"]))


def _write_vocabulary(writer: Any, words: list[str]) -> None:
    special = {
        word: number for number, word in enumerate(words) if word.startswith("[") and word.endswith("]")
    }
    writer.add_tokenizer_model("bert")
    writer.add_token_list([_spell(word, is_mark=word in special) for word in words])
    writer.add_token_scores([-1000.0] * len(words))
    writer.add_token_types([_CONTROL if word in special else _NORMAL for word in words])
    writer.add_unk_token_id(special["[UNK]"])
    writer.add_sep_token_id(special["[SEP]"])
    writer.add_pad_token_id(special["[PAD]"])
    writer.add_bos_token_id(special["[CLS]"])
    writer.add_mask_token_id(special["[MASK]"])


def _spell(word: str, *, is_mark: bool) -> str:
    """Spell a word piece the other way round: there the beginnings are marked, not the continuations."""
    if is_mark:
        return word
    return word[2:] if word.startswith("##") else _WORD_START + word


def _tensors(path: Path) -> Iterator[tuple[str, str, tuple[int, ...], bytes]]:
    """Read the tensors in the order of their new names: name, kind, shape, bytes."""
    with path.open("rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        if size > _MAX_HEADER:
            raise ModelUnusable("The folder's weights begin with far too large a header.")
        header: dict[str, Any] = json.loads(file.read(size))
        header.pop("__metadata__", None)
        start = 8 + size
        renamed = {_rename(name): name for name in header if not name.startswith(_UNUSED)}
        for new in sorted(renamed, key=_order):
            entry = header[renamed[new]]
            first, last = entry["data_offsets"]
            if entry["dtype"] not in _NUMPY:
                raise ModelUnusable(f"The folder's weights are of the unknown kind {entry['dtype']}.")
            file.seek(start + int(first))
            yield new, entry["dtype"], tuple(entry["shape"]), file.read(int(last) - int(first))


def _rename(name: str) -> str:
    if name in _TOP:
        return _TOP[name]
    parts = name.split(".")
    middle, kind = ".".join(parts[3:-1]), parts[-1]
    if name.startswith("encoder.layer.") and middle in _LAYER:
        return f"blk.{int(parts[2])}.{_LAYER[middle]}.{kind}"
    raise ModelUnusable(f"The folder's weights hold {name}, which this conversion does not know.")


def _order(name: str) -> tuple[int, str]:
    return (int(name.split(".")[1]), name) if name.startswith("blk.") else (-1, name)


def _read(folder: Path, name: str) -> bytes:
    try:
        return (folder / name).read_bytes()
    except OSError as error:
        raise ModelMissing(f"The folder {folder.name} has no readable {name}.") from error


def main(arguments: list[str]) -> int:
    """Convert from the command line: a folder, then the file to make."""
    folder, target = map(Path, arguments)
    try:
        convert(folder, target)
    except ModelError as error:
        sys.stderr.write(error.detail + "\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
