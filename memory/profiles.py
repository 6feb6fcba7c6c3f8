"""The profiles of a store: made, renamed and deleted. Each is a person's, or one side of a person's, own memory.

Every function runs inside the caller's transaction. The surprise: the default profile can be renamed and never
deleted, so that a store always has one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memory.core import Core
from memory.errors import BadInput
from memory.records import DEFAULT_PROFILE, EVERY_PROFILE
from memory.store import profiles
from memory.store.profile_removal import remove_profile
from memory.store.stored import Profile

LONGEST_NAME = 60


def add_profile(core: Core, name: str) -> Profile:
    """Make an empty profile."""
    made = Profile(core.new_id(), _checked(name), core.now())
    profiles.insert_profile(core.db, made)
    return made


def rename_profile(core: Core, name: str, new_name: str) -> Profile:
    """Give a profile another name; what it remembers stays."""
    known = profiles.get_profile(core.db, name)
    profiles.rename_profile(core.db, known.id, _checked(new_name))
    return profiles.get_profile(core.db, known.id)


@dataclass(frozen=True, slots=True)
class Deleted:
    """What deleting a profile did."""

    name: str
    rows: Mapping[str, int]
    """How many rows went, by table."""
    log_emptied: bool = False
    """Whether the store's log holds nothing of it any more either."""


def delete_profile(core: Core, name: str) -> Deleted:
    """Delete a profile with all it remembers."""
    known = profiles.get_profile(core.db, name)
    if known.id == DEFAULT_PROFILE:
        raise BadInput("the first profile cannot be deleted; forget what is in it, or rename it")
    if known.id == core.profile:
        raise BadInput("this profile is in use; use another one first: locket profile use NAME")
    return Deleted(known.name, remove_profile(core.db, known.id))


def _checked(name: str) -> str:
    name = " ".join(name.split())
    if not name or name == EVERY_PROFILE or not name.isprintable():
        raise BadInput("a profile needs a name that can be read")
    if "/" in name or "\\" in name:
        raise BadInput("a profile's name holds no slashes")
    if len(name) > LONGEST_NAME:
        raise BadInput(f"a profile's name has at most {LONGEST_NAME} characters; this has {len(name)}")
    return name
