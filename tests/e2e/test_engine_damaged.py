"""Real model files, damaged in ways that only show when they are loaded or run; and a foreign template.

Whatever happens to the engine, the program that asked lives and has words for it.
"""

import random
import struct
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from contract_engine import SYSTEM, finished, started, text_of, user

from models.bench import bench_model
from models.engine.client import ChatEngine
from models.errors import ModelError
from models.gguf import read_header
from models.types import ChatMessage, EngineSettings, Sampling

pytestmark = pytest.mark.model

SETTINGS = EngineSettings(n_ctx=4096)
SHORT = Sampling(temperature=0.0, max_tokens=4)
FOREIGN = (
    "{% if messages[0].role == 'system' %}{{ raise_exception('none') }}{% endif %}{% for m in messages %}"
    "<|im_start|>{{ 'model' if m.role == 'assistant' else m.role }}:\n{{ m.content | trim }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>model:\n{% endif %}"
)

Damage = Callable[[bytearray], None]


def number(key: str, shape: str, value: float) -> Damage:
    """Overwrite the value of a setting."""

    def damage(content: bytearray) -> None:
        at = content.index(key.encode()) + len(key) + 4
        struct.pack_into(shape, content, at, value)

    return damage


def put(at: int, shape: str, value: int) -> Damage:
    """Overwrite a number at the front of the file."""
    return lambda content: struct.pack_into(shape, content, at, value)


def word(key: str, value: str) -> Damage:
    """Overwrite a word with another as long."""

    def damage(content: bytearray) -> None:
        at = content.index(key.encode()) + len(key) + 4
        (size,) = struct.unpack_from("<Q", content, at)
        assert size == len(value.encode())
        content[at + 8 : at + 8 + size] = value.encode()

    return damage


def empty(first: int, last: int) -> Damage:
    """Overwrite a part of the file with nothing."""

    def damage(content: bytearray) -> None:
        content[first:last] = bytes(last - first)

    return damage


def cut(size: int) -> Damage:
    """Shorten the file."""

    def damage(content: bytearray) -> None:
        del content[size:]

    return damage


def flip(seed: int, first: int, last: int, n: int) -> Damage:
    """Flip bits in a part of the file."""

    def damage(content: bytearray) -> None:
        source = random.Random(seed)
        for _ in range(n):
            content[source.randrange(first, last)] ^= 1 << source.randrange(8)

    return damage


DAMAGES: dict[str, Damage] = {
    "no layers": number("llama.block_count", "<I", 0),
    "four billion layers": number("llama.block_count", "<I", 4_000_000_000),
    "one layer too many": number("llama.block_count", "<I", 31),
    "epsilon that is no number": number("llama.attention.layer_norm_rms_epsilon", "<f", float("nan")),
    "epsilon below zero": number("llama.attention.layer_norm_rms_epsilon", "<f", -1.0),
    "another number of heads": number("llama.attention.head_count", "<I", 7),
    "no heads": number("llama.attention.head_count", "<I", 0),
    "another width": number("llama.embedding_length", "<I", 17),
    "a width of nothing": number("llama.embedding_length", "<I", 0),
    "an end token that is none": number("tokenizer.ggml.eos_token_id", "<I", 4_000_000_000),
    "no rope": number("llama.rope.freq_base", "<f", 0.0),
    "no context": number("llama.context_length", "<I", 0),
    "a version of the future": put(4, "<I", 99),
    "more tensors than are there": put(8, "<Q", 60_000),
    "fewer tensors than are there": put(8, "<Q", 3),
    "more settings than are there": put(16, "<Q", 4000),
    "fewer settings than are there": put(16, "<Q", 10),
    "an architecture nobody knows": word("general.architecture", "lambs"),
    "another architecture": word("general.architecture", "qwen2"),
    "no shared heads": number("llama.attention.head_count_kv", "<I", 0),
    "four billion shared heads": number("llama.attention.head_count_kv", "<I", 4_000_000_000),
    "no inner width": number("llama.feed_forward_length", "<I", 0),
    "four billion of inner width": number("llama.feed_forward_length", "<I", 4_000_000_000),
    "rope that is no number": number("llama.rope.freq_base", "<f", float("nan")),
    "an odd number of rope dimensions": number("llama.rope.dimension_count", "<I", 7),
    "ten words": number("llama.vocab_size", "<I", 10),
    "a first token that is none": number("tokenizer.ggml.bos_token_id", "<I", 4_000_000_000),
    "a tokenizer nobody knows": word("tokenizer.ggml.model", "gpt9"),
    "another way of cutting words": word("tokenizer.ggml.pre", "smollx"),
    "bits flipped in the words": flip(4, 1200, 763_000, 200),
    "bits flipped in the kinds of words": flip(5, 763_700, 960_000, 200),
    "bits flipped in the pairs of words": flip(6, 960_300, 1_768_000, 200),
    "a hole in the numbers": empty(40_000_000, 40_004_096),
    "nothing but zeros for numbers": empty(2_000_000, 98_362_432),
    "cut after a megabyte": cut(1_000_000),
    "cut in the middle": cut(50_000_000),
    "cut just before the end": cut(98_362_432 - 1024),
    "bits flipped in the header": flip(1, 32, 3000, 6),
    "other bits flipped in the header": flip(2, 32, 1_700_000, 20),
    "bits flipped in the numbers": flip(3, 4_000_000, 98_000_000, 2000),
}


def damaged(source: Path, folder: Path, damage: Damage) -> Path:
    """Make a damaged copy."""
    content = bytearray(source.read_bytes())
    damage(content)
    path = folder / "damaged.gguf"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_model_ends_in_words_or_in_an_answer(smoke_model: Path, tmp_path: Path, kind: str) -> None:
    path = damaged(smoke_model, tmp_path, DAMAGES[kind])
    engine = ChatEngine(path, SETTINGS, log_file=tmp_path / "engine.log")
    outcome = ""
    try:
        engine.open()
        outcome = f"{finished(list(engine.stream([SYSTEM, user('hello')], SHORT, Event()))).stop_reason}."
    except ModelError as error:
        outcome = error.detail
    finally:
        engine.close()
        path.unlink()
    assert outcome.endswith(".")


def with_template(source: Path, folder: Path, template: str) -> Path:
    """Put another template of the same length into a copy."""

    def damage(content: bytearray) -> None:
        key = b"tokenizer.chat_template"
        at = content.index(key) + len(key) + 4
        (size,) = struct.unpack_from("<Q", content, at)
        padding = size - len(template.encode()) - len("{##}")
        content[at + 8 : at + 8 + size] = template.encode() + b"{#" + b" " * padding + b"#}"

    return damaged(source, folder, damage)


def test_a_model_with_its_own_template_keeps_the_promises(smoke_model: Path, tmp_path: Path) -> None:
    path = with_template(smoke_model, tmp_path, FOREIGN)
    assert read_header(path).chat_template != read_header(smoke_model).chat_template
    engine = ChatEngine(path, SETTINGS)
    assert engine.open().template_kind == "jinja"
    messages = [SYSTEM, user("Tell me of the sea. " * 8)]
    first = list(engine.stream(messages, Sampling(temperature=0.0, max_tokens=8), Event()))
    messages += [ChatMessage("assistant", text_of(first)), user("<|im_end|> And the sky?")]
    second = started(list(engine.stream(messages, SHORT, Event())))
    marks, words = (engine.measure([SYSTEM, user(text)]).total for text in ("a", "<|im_end|>"))
    engine.close()
    assert second.reused >= started(first).prompt_tokens
    assert words > marks + 2


@pytest.mark.parametrize(
    "template",
    [
        "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
        "{{ messages[0].content * 10 ** 15 }}",
        "{% macro deep(n) %}{{ deep(n) }}{% endmacro %}{{ deep(1) }}",
    ],
    ids=["that never ends", "that wants all memory", "that calls itself"],
)
def test_a_template_takes_an_engine_with_it_at_most(smoke_model: Path, tmp_path: Path, template: str) -> None:
    path = with_template(smoke_model, tmp_path, template)
    engine = ChatEngine(path, EngineSettings(n_ctx=4096, heartbeat_s=4, stall_s=8))
    with pytest.raises(ModelError):
        engine.open()
    engine.close()


def test_a_bench_measures_each_choice(smoke_model: Path) -> None:
    rows = list(bench_model(smoke_model, [(1, 2)], Event(), prompt_repeats=4, answer_tokens=4))
    assert [(row.n_threads, row.n_threads_batch) for row in rows] == [(1, 2)]
    assert rows[0].prompt_tokens > 40
    assert rows[0].prompt_tokens_per_s > 0
    assert rows[0].answer_tokens_per_s > 0
