from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import vault_builders as build

from memory.vault.errors import BadRecoveryText, WrongPassphrase
from memory.vault.keys import Recovery
from memory.vault.recovery import group_matches, new_recovery, recovery_from_text, recovery_groups
from memory.vault.slots import add_slot

KNOWN = Recovery(bytes(range(32)))
GOLDEN = "000G-40R4-0M30-E209-185G-R38E-1W81-24GK-2GAH-C5RR-34D1-P70X-3RFZ-84TA"


def test_a_known_key_is_spelled_as_ever() -> None:
    assert "-".join(recovery_groups(KNOWN)) == GOLDEN


@pytest.mark.parametrize("spell", [str.lower, lambda text: text.replace("-", " "), lambda text: f" {text}\n"])
def test_a_key_is_read_however_it_is_typed(spell: Any) -> None:
    assert recovery_from_text(spell("-".join(recovery_groups(KNOWN)))) == KNOWN


def test_confusable_characters_are_read_as_what_they_stand_for() -> None:
    text = "".join(recovery_groups(KNOWN))
    assert recovery_from_text(text.replace("0", "O").replace("1", "l")) == KNOWN


def test_every_slip_of_one_character_is_found() -> None:
    text = "".join(recovery_groups(new_recovery()))
    for place in range(len(text)):
        other = "Z" if text[place] != "Z" else "Y"
        with pytest.raises(BadRecoveryText, match="mistyped"):
            recovery_from_text(text[:place] + other + text[place + 1 :])


def test_a_short_key_and_an_alien_character_have_their_own_words() -> None:
    text = "".join(recovery_groups(KNOWN))
    with pytest.raises(BadRecoveryText, match="55 were typed"):
        recovery_from_text(text[:-1])
    with pytest.raises(BadRecoveryText, match="group 2"):
        recovery_from_text(text[:4] + "U" + text[5:])


def test_keeping_it_is_confirmed_by_typing_one_group() -> None:
    assert group_matches(KNOWN, 3, recovery_groups(KNOWN)[3].lower())
    assert not group_matches(KNOWN, 3, recovery_groups(KNOWN)[4])


def test_a_recovery_key_opens_the_vault_and_another_does_not(tmp_path: Path) -> None:
    recovery = new_recovery()
    with build.make(tmp_path / "v") as vault:
        add_slot(vault, recovery, label="paper")
        build.say(vault, "hello")
    with build.reopen(tmp_path / "v", recovery_from_text("-".join(recovery_groups(recovery)))) as vault:
        assert build.said(vault) == ["hello"]
    with pytest.raises(WrongPassphrase):
        build.reopen(tmp_path / "v", new_recovery())
