"""The public age test vectors, fetched once with npm into the user's cache and never committed."""

import base64
import os
import re
import shutil
import subprocess
import tarfile
import zlib
from dataclasses import dataclass
from pathlib import Path

import pytest

PACKAGE = "cctv-age"
VERSION = "0.2.0"
IN_CI = os.environ.get("CI") == "true"
_VECTOR = re.compile(r'^// \.\./testdata/(\w+)\nvar \w+ = __toBinary\("([A-Za-z0-9+/=]*)"\);', re.MULTILINE)


@dataclass(frozen=True)
class Vector:
    """One file with how opening it must end."""

    name: str
    expect: str
    payload: str | None
    """SHA-256 of what is inside, as far as it may be handed out."""
    file_key: bytes | None
    passphrase: str | None
    armoured: bool
    file: bytes


def age_vectors() -> list[Vector]:
    """Return every vector; skip the test, or in CI fail it, when npm cannot bring them."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "locket" / "test-vectors"
    packed = cache / f"{PACKAGE}-{VERSION}.tgz"
    if not packed.exists():
        _fetch(cache, packed)
    with tarfile.open(packed) as archive:
        member = archive.extractfile("package/index.js")
        assert member is not None
        text = member.read().decode()
    return [_vector(name, base64.b64decode(content)) for name, content in _VECTOR.findall(text)]


def _fetch(cache: Path, packed: Path) -> None:
    npm = shutil.which("npm")
    reason = "npm is not installed"
    if npm is not None:
        cache.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [npm, "pack", f"{PACKAGE}@{VERSION}", "--silent"],
            cwd=cache,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        if done.returncode == 0 and packed.exists():
            return
        reason = f"npm could not fetch {PACKAGE}: {done.stderr[-300:]}"
    if IN_CI:
        pytest.fail(reason)
    pytest.skip(reason)


def _vector(name: str, content: bytes) -> Vector:
    head, _, file = content.partition(b"\n\n")
    fields = dict(line.split(": ", 1) for line in head.decode().splitlines())
    key = fields.get("file key")
    if fields.get("compressed") == "zlib":
        file = zlib.decompress(file)
    return Vector(
        name=name,
        expect=fields["expect"],
        payload=fields.get("payload"),
        file_key=None if key is None else bytes.fromhex(key),
        passphrase=fields.get("passphrase"),
        armoured=fields.get("armored") == "yes",
        file=file,
    )
