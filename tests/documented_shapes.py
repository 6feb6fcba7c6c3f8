"""Reads the tables of `assistant/verbs/FORMAT.md` and says where a printed object is not what they promise."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from memory.clock import to_text

FORMAT_MD = Path(__file__).resolve().parents[1] / "assistant" / "verbs" / "FORMAT.md"
SECTION = re.compile(r"^### ([^\n]+)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| (`[^|]+) \| ([^|]+) \| [^|]+ \|$", re.MULTILINE)
PRIMITIVES = frozenset({"text", "number", "flag", "time", "counts", "object", "null"})


@dataclass(frozen=True, slots=True)
class Field:
    """One row of a table."""

    types: tuple[str, ...]
    always: bool


Shape = Mapping[str, Field]


@cache
def documented() -> Mapping[str, Shape]:
    """Return every table by its heading: objects by their name, verbs by their words."""
    found: dict[str, Shape] = {}
    for heading, body in SECTION.findall(FORMAT_MD.read_text(encoding="utf-8")):
        shape = dict(_fields(body))
        for name in re.findall(r"`([^`]+)`", heading) or [heading]:
            assert name not in found, f"{name} is described twice"
            found[name] = shape
    return found


def _fields(body: str) -> Iterator[tuple[str, Field]]:
    for names, kind in ROW.findall(body):
        types, _, condition = kind.partition(", only ")
        for name in re.findall(r"`([^`]+)`", names):
            yield name, Field(tuple(types.split(" or ")), not condition)


def differences(value: Mapping[str, Any], name: str, where: str = "") -> Iterator[str]:
    """Say what in an object is not as its table has it."""
    shape = documented()[name]
    at = where or name
    yield from (f"{at}: {key} is not described" for key in value if key not in shape)
    for key, field in shape.items():
        if key in value:
            yield from _wrong(value[key], field.types, f"{at}.{key}")
        elif field.always:
            yield f"{at}: {key} is missing"


def _wrong(value: object, types: tuple[str, ...], where: str) -> Iterator[str]:
    """Give the complaints of the type that fits best."""
    yield from min((list(_complaints(value, kind, where)) for kind in types), key=len)


def _complaints(value: object, kind: str, where: str) -> Iterator[str]:
    if kind.startswith("["):
        if not isinstance(value, list):
            yield f"{where} is no list: {value!r}"
            return
        for number, one in enumerate(value):
            yield from _complaints(one, kind[1:-1], f"{where}[{number}]")
    elif kind not in PRIMITIVES:
        if isinstance(value, dict):
            yield from differences(value, kind, where)
        else:
            yield f"{where} is no {kind}: {value!r}"
    elif not _is(value, kind):
        yield f"{where} is no {kind}: {value!r}"


def _is(value: object, kind: str) -> bool:
    match kind:
        case "text":
            return isinstance(value, str)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "flag":
            return isinstance(value, bool)
        case "time":
            return isinstance(value, str) and to_text(datetime.fromisoformat(value)) == value
        case "counts":
            return isinstance(value, dict) and all(type(number) is int for number in value.values())
        case "object":
            return isinstance(value, dict)
        case _:
            return value is None
