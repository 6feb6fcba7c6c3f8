"""Which models are on this machine, and which of them to use.

Owns the search of the models folder, the check that a file is what it claims to be, and the choice of a
default. Nothing is loaded and nothing is fetched here. A file that cannot be used is listed with the reason
rather than left out.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from models.catalogue import CatalogueEntry, find_entry, load_catalogue
from models.errors import ModelError, ModelMissing, ModelUnusable
from models.gguf import GgufHeader, read_header
from models.hashes import HashBook
from models.machine_memory import machine_memory

_SPARE = 1_500_000_000
"""Memory left to everything else when a model is recommended."""
_OVERHEAD = 300_000_000
MIN_WINDOW = 4096


@dataclass(frozen=True, slots=True)
class FoundModel:
    """A model ready to be opened."""

    name: str
    path: Path
    sha256: str
    entry: CatalogueEntry | None


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model in the folder, usable or not."""

    name: str
    path: Path
    role: str
    """`chat` or `embed`; empty when the file cannot be read."""
    header: GgufHeader | None
    entry: CatalogueEntry | None
    sha256: str
    """Empty until somebody had a reason to read the whole file."""
    problem: str
    """Why it cannot be used; empty when it can."""


def list_models(folder: Path) -> list[ListedModel]:
    """List what is in the models folder, by name."""
    book = HashBook(folder)
    files = sorted(path for path in folder.glob("*.gguf") if path.is_file())
    folders = sorted(path.parent for path in folder.glob("*/modules.json"))
    return [*(_listed(path, book) for path in files), *(_listed_folder(path) for path in folders)]


def choose_chat(folder: Path, wanted: str = "") -> FoundModel:
    """Choose the chat model: the wanted one, else the best installed one."""
    return _choose(folder, wanted, "chat")


def choose_embedder(folder: Path, wanted: str = "") -> FoundModel:
    """Choose the embedding model: the wanted one, else the one installed."""
    return _choose(folder, wanted, "embed")


def find_path(folder: Path, wanted: str) -> Path | None:
    """Find what a person means by a model: a catalogue name, a name in the folder, or a path."""
    entry = find_entry(wanted)
    candidates = [folder / entry.file] if entry else []
    candidates += [folder / wanted, folder / f"{wanted}.gguf"]
    candidates.append(Path(os.path.expanduser(wanted)))  # noqa: PTH111 - Path's raises for the ~name of nobody
    return next((path for path in candidates if _is_model(path)), None)


def _is_model(path: Path) -> bool:
    try:
        return path.is_file() or (path / "modules.json").is_file()
    except OSError:  # a name that no disk takes
        return False


def take_in(folder: Path, path: Path) -> Path:
    """Give a file a place in the models folder, by a link, so that it is listed and found by its name.

    Where links cannot be made the file is used from where it is.
    """
    if path.resolve().parent == folder.resolve():
        return folder / path.name
    place = folder / path.name
    if os.path.lexists(place):
        if place.exists() and place.samefile(path):
            return place
        if not place.is_symlink():
            raise ModelUnusable(
                f"Another file in the models folder is called {path.name}; rename one of them."
            )
        place.unlink()
    try:
        place.symlink_to(path.resolve())
    except OSError:
        return path
    return place


def describe(folder: Path, path: Path) -> ListedModel:
    """Say what one file or folder is, wherever it is."""
    return _listed_folder(path) if path.is_dir() else _listed(path, HashBook(folder))


def recommend(role: str = "chat", memory: int | None = None) -> CatalogueEntry:
    """Recommend a model for a machine with so much memory; None asks this machine."""
    room = (memory if memory is not None else machine_memory()) - _SPARE
    fitting = [entry for entry in load_catalogue() if role in entry.roles and entry.memory <= room]
    if fitting:
        return max(fitting, key=lambda entry: entry.memory)
    return min((e for e in load_catalogue() if role in e.roles), key=lambda entry: entry.memory)


def fitting_window(header: GgufHeader, wanted: int, memory: int | None = None) -> int:
    """Bound a window by what the file allows and memory carries."""
    window = min(wanted, header.n_ctx_train)
    room = (memory if memory is not None else machine_memory()) - _SPARE - _OVERHEAD
    if header.kv_bytes_per_token:
        window = min(window, max(0, room - 2 * header.file_bytes) // header.kv_bytes_per_token)
    least = min(MIN_WINDOW, wanted, header.n_ctx_train)
    return max(least, window // 256 * 256)


def _choose(folder: Path, wanted: str, role: str) -> FoundModel:
    if wanted:
        path = find_path(folder, wanted)
        if path is None:
            raise ModelMissing(f"There is no model {wanted} here.")
        return _found(folder, path, role)
    usable = [listed for listed in list_models(folder) if listed.role == role and not listed.problem]
    if not usable:
        raise ModelMissing(
            "There is no model for conversation here." if role == "chat" else "No embedder is here."
        )
    return _found(folder, max(usable, key=_preference).path, role)


def _preference(listed: ListedModel) -> tuple[bool, bool, int]:
    """Prefer files to folders, then files that are not known to be toys, then what was learned most."""
    size = listed.header.n_params if listed.header is not None else 0
    known = listed.entry is not None and (listed.entry.starter or listed.entry.name == recommend().name)
    return listed.header is not None, known, size


def _found(folder: Path, path: Path, role: str) -> FoundModel:
    if path.is_dir():
        if role != "embed":
            raise ModelUnusable(f"{path.name} is a folder of an embedding model, not a chat model.")
        return FoundModel(path.name, path, "", None)
    header = read_header(path)
    if role == "chat":
        header.check_chat()
    elif not header.is_embedder:
        raise ModelUnusable(f"{path.name} is not an embedding model.")
    entry = find_entry(path.name)
    sha256 = HashBook(folder).verify(path, entry.sha256 if entry else "")
    return FoundModel(entry.name if entry else path.stem, path, sha256, entry)


def _listed(path: Path, book: HashBook) -> ListedModel:
    entry = find_entry(path.name)
    name = entry.name if entry else path.stem
    sha256 = book.find_known(path) or ""
    try:
        header = read_header(path)
    except ModelError as error:
        return ListedModel(name, path, "", None, entry, sha256, error.detail)
    role, problem = ("embed" if header.is_embedder else "chat"), ""
    if role == "chat":
        try:
            header.check_chat()
        except ModelError as error:
            problem = error.detail
    if entry and sha256 and sha256 != entry.sha256:
        problem = f"{path.name} does not hold the bytes it should."
    return ListedModel(name, path, role, header, entry, sha256, problem)


def _listed_folder(path: Path) -> ListedModel:
    return ListedModel(path.name, path, "embed", None, None, "", "")
