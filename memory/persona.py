"""How Locket should be, in the user's own words: what the profile keeps in the vault, else what the settings say.

Stands at the top of every prompt, so a change asks for a new top in every conversation. One surprise: an
incognito memory has a persona of its own, because its settings rows are its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.core import Core
from memory.errors import BadInput
from memory.secrets import find_secrets
from memory.store import conversations
from memory.store import settings as vault_settings

if TYPE_CHECKING:
    from sqlite_utils import Database

SETTING = "persona"
LONGEST_PERSONA = 2000


def find_persona(db: Database, profile: str) -> str:
    """Return what a profile keeps in the vault; empty when it keeps none."""
    found: str = vault_settings.find_setting(db, profile, SETTING, "")
    return found


def persona_of(core: Core) -> str:
    """Return the persona in force."""
    return find_persona(core.db, core.profile) or core.settings.persona


def set_persona(core: Core, text: str) -> str:
    """Keep a persona for this profile and return it; an empty text goes back to that of the settings."""
    text = " ".join(text.split())
    if len(text) > LONGEST_PERSONA:
        raise BadInput(f"a persona has at most {LONGEST_PERSONA:,} characters; this has {len(text):,}")
    if found := find_secrets(text):
        raise BadInput(f"this looks like a secret ({found[0].kind}); it would stand in every prompt")
    if text:
        vault_settings.put_setting(core.db, core.profile, SETTING, text)
    else:
        vault_settings.delete_setting(core.db, core.profile, SETTING)
    conversations.drop_heads(core.db, core.profile)
    return persona_of(core)
