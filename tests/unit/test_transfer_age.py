"""age files: the public vectors, and two other programs that read what is written here and the reverse."""

import hashlib
import io
import os
from pathlib import Path

import pyrage
import pytest
from age_vectors import Vector, age_vectors
from on_a_terminal import age_program, answer

from memory.transfer import age
from memory.transfer.age_header import read_header
from memory.transfer.errors import (
    ArchiveRefused,
    ForAKey,
    HeaderChanged,
    HeaderDamaged,
    NotAnArchive,
    PayloadDamaged,
    WrongArchivePassphrase,
)

WORDS = "correct horse battery staple"
ENDS: dict[str, tuple[type[ArchiveRefused], ...]] = {
    "header failure": (HeaderDamaged, NotAnArchive),
    "no match": (WrongArchivePassphrase, ForAKey),
    "HMAC failure": (HeaderChanged,),
    "payload failure": (PayloadDamaged,),
    "armor failure": (NotAnArchive,),
}
BY_FILE_KEY = ("header_", "hmac_", "stanza_", "stream_", "version_", "empty")
"""Vectors for a key whose point is not the key: opened here with the file's own key."""


def seal(content: bytes, words: str = WORDS, cost: int = age.CHEAPEST) -> bytes:
    sink = io.BytesIO()
    writer = age.Encryptor(sink, words, cost=cost, allow_cheap=True)
    writer.write(content)
    writer.finish()
    return sink.getvalue()


def unseal(content: bytes, words: str = WORDS) -> bytes:
    return b"".join(age.decrypt(io.BytesIO(content), words))


@pytest.fixture(scope="module")
def vectors() -> list[Vector]:
    found = age_vectors()
    assert len(found) > 100
    return found


def ended(vector: Vector) -> tuple[str, bytes, ArchiveRefused | None]:
    """Open a vector and return how that ended, what came out before, and the error."""
    source = io.BytesIO(vector.file)
    out = b""
    try:
        if vector.passphrase is not None:
            pieces = age.decrypt(source, vector.passphrase)
        else:
            assert vector.file_key is not None
            pieces = age.open_payload(read_header(source), vector.file_key, source)
        for piece in pieces:
            out += piece
    except ArchiveRefused as error:
        return "refused", out, error
    return "success", out, None


def check(vector: Vector) -> None:
    how, out, error = ended(vector)
    if vector.expect == "success":
        assert how == "success", f"{vector.name}: {error!r}"
        assert hashlib.sha256(out).hexdigest() == vector.payload, vector.name
    else:
        assert isinstance(error, ENDS[vector.expect]), f"{vector.name} ended with {error!r}"


def test_every_passphrase_vector_ends_as_it_must(vectors: list[Vector]) -> None:
    chosen = [one for one in vectors if one.passphrase is not None and not one.armoured]
    assert len(chosen) > 20
    for vector in chosen:
        check(vector)


def test_every_header_and_stream_vector_ends_as_it_must(vectors: list[Vector]) -> None:
    chosen = [one for one in vectors if one.name.startswith(BY_FILE_KEY)]
    assert len(chosen) > 40
    for vector in chosen:
        check(vector)


def test_files_for_a_key_are_refused_with_words(vectors: list[Vector]) -> None:
    chosen = [one for one in vectors if one.name.startswith(("x25519", "hybrid")) and one.passphrase is None]
    assert len(chosen) > 20
    said = set()
    for vector in chosen:
        with pytest.raises(ArchiveRefused) as refused:
            unseal(vector.file)
        said.add(str(refused.value))
    assert "this archive is for a key, not a passphrase" in said


def test_armoured_files_are_refused_with_a_way_out(vectors: list[Vector]) -> None:
    for vector in vectors:
        if vector.armoured:
            with pytest.raises((NotAnArchive, HeaderDamaged)) as refused:
                unseal(vector.file, vector.passphrase or WORDS)
            if vector.file.startswith(b"-----BEGIN AGE ENCRYPTED FILE-----\n"):
                assert "age -d" in str(refused.value)


LENGTHS = [0, 1, age.CHUNK - 1, age.CHUNK, age.CHUNK + 1, 2 * age.CHUNK, 3 * age.CHUNK + 17]


@pytest.mark.parametrize("length", LENGTHS)
def test_what_is_written_here_another_implementation_reads(length: int) -> None:
    content = os.urandom(length)
    assert pyrage.passphrase.decrypt(seal(content), WORDS) == content


@pytest.fixture(scope="module")
def foreign_file() -> tuple[bytes, bytes]:
    """A file of several chunks that another implementation wrote; one, because it chooses a real cost."""
    content = os.urandom(2 * age.CHUNK + 5)
    return content, pyrage.passphrase.encrypt(content, WORDS)


def test_what_another_implementation_writes_is_read_here(foreign_file: tuple[bytes, bytes]) -> None:
    content, sealed = foreign_file
    assert unseal(sealed) == content


def test_a_file_may_be_written_in_any_portions() -> None:
    sink = io.BytesIO()
    writer = age.Encryptor(sink, WORDS, cost=age.CHEAPEST, allow_cheap=True)
    content = os.urandom(age.CHUNK * 2)
    for start in range(0, len(content), 999):
        writer.write(content[start : start + 999])
    writer.finish()
    assert unseal(sink.getvalue()) == content


def test_two_files_of_the_same_words_have_nothing_in_common_but_the_first_line() -> None:
    one, other = seal(b"same"), seal(b"same")
    assert one.split(b"\n")[0] == other.split(b"\n")[0]
    assert not set(one.split(b"\n")[1:]) & set(other.split(b"\n")[1:])


def test_a_cost_that_protects_nothing_is_refused_for_writing() -> None:
    with pytest.raises(ValueError, match="work factor"):
        age.Encryptor(io.BytesIO(), WORDS, cost=age.CHEAPEST)


def test_a_cost_that_would_take_all_memory_is_refused_before_any_work() -> None:
    sealed = seal(b"x").replace(b" 1\n", b" 21\n", 1)
    with pytest.raises(HeaderDamaged, match=r"2\^21"):
        unseal(sealed)


def test_any_cut_is_refused_and_so_is_anything_appended() -> None:
    sealed = seal(b"a small secret")
    for length in range(len(sealed)):
        with pytest.raises(ArchiveRefused):
            unseal(sealed[:length])
    with pytest.raises(PayloadDamaged):
        unseal(sealed + b"x")


def test_any_changed_byte_is_refused() -> None:
    sealed = seal(b"a small secret")
    for at in range(len(sealed)):
        changed = bytearray(sealed)
        changed[at] ^= 1
        with pytest.raises(ArchiveRefused):
            unseal(bytes(changed))


def test_chunks_in_another_order_are_refused() -> None:
    sealed = seal(bytes(3 * age.CHUNK))
    size = age.CHUNK + age.TAG
    start = len(sealed) - 3 * size
    swapped = (
        sealed[:start]
        + sealed[start + size : start + 2 * size]
        + sealed[start : start + size]
        + sealed[-size:]
    )
    with pytest.raises(PayloadDamaged):
        unseal(swapped)


def test_the_age_program_opens_what_is_written_here(tmp_path: Path) -> None:
    program = age_program()
    sealed, clear = tmp_path / "sealed.age", tmp_path / "clear"
    content = os.urandom(age.CHUNK + 10)
    sealed.write_bytes(seal(content))
    answer([program, "-d", "-o", str(clear), str(sealed)], [WORDS])
    assert clear.read_bytes() == content


def test_what_the_age_program_writes_is_opened_here(tmp_path: Path) -> None:
    program = age_program()
    sealed, clear = tmp_path / "sealed.age", tmp_path / "clear"
    clear.write_bytes(b"written elsewhere")
    answer([program, "-p", "-o", str(sealed), str(clear)], [WORDS, WORDS])
    assert unseal(sealed.read_bytes()) == b"written elsewhere"
