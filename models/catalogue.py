"""The list of models known by name, read from the file beside this module.

Owns the shape of that list and its checks; knows nothing of disks or networks. A catalogue that does not
fit the shape is a defect of this program, so it fails loudly and early.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from models.errors import ModelMissing

_FILE = Path(__file__).with_name("catalogue.toml")


@dataclass(frozen=True, slots=True)
class HubSource:
    """Files of a repository on a model hub."""

    repo: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WheelSource:
    """Files inside wheels of a package index; several parts are joined in the order of their numbers."""

    requirements: tuple[str, ...]
    member: str
    """A pattern for the files' paths; its group is the part's number, or the path to keep."""


Source: TypeAlias = HubSource | WheelSource


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """One model."""

    name: str
    title: str
    roles: tuple[str, ...]
    file: str
    size: int
    """Bytes to download."""
    memory: int
    """Bytes of memory a running engine takes."""
    licence: str
    sha256: str
    """Of the file as it is kept, after a conversion if there is one."""
    note: str
    sources: tuple[Source, ...]
    starter: bool = False
    convert: str = ""
    """Names the conversion that the downloaded folder goes through; empty for none."""


@cache
def load_catalogue(path: Path = _FILE) -> tuple[CatalogueEntry, ...]:
    """Read the list."""
    with path.open("rb") as file:
        return tuple(_entry(fields) for fields in tomllib.load(file)["model"])


def find_entry(name: str) -> CatalogueEntry | None:
    """Find a model by its name or its file's name."""
    return next((entry for entry in load_catalogue() if name in {entry.name, entry.file}), None)


def get_entry(name: str) -> CatalogueEntry:
    """Get a model by its name."""
    entry = find_entry(name)
    if entry is None:
        known = ", ".join(entry.name for entry in load_catalogue())
        raise ModelMissing(f"No model is called {name}; known are {known}.")
    return entry


def _entry(fields: dict[str, Any]) -> CatalogueEntry:
    rest = {key: value for key, value in fields.items() if key not in {"source", "roles"}}
    sources = tuple(_source(source) for source in fields["source"])
    return CatalogueEntry(**rest, roles=tuple(fields["roles"]), sources=sources)


def _source(fields: dict[str, Any]) -> Source:
    match fields["kind"]:
        case "hub":
            return HubSource(fields["repo"], tuple(fields["files"]))
        case "wheel" | "wheel-parts":
            return WheelSource(tuple(fields["requirements"]), fields["member"])
        case kind:
            raise ValueError(f"the catalogue names an unknown kind of source: {kind}")
