"""How Locket should be stands in every prompt, belongs to a profile, and can be forgotten like anything else."""

from dataclasses import replace
from pathlib import Path

import pytest
from forget_builders import Life, open_test_vault
from talk_builders import Chat, count

from memory.errors import BadInput
from memory.forget import Selection
from memory.incognito import open_incognito
from memory.persona import LONGEST_PERSONA


@pytest.fixture
def chat() -> Chat:
    return Chat()


def top_of(chat: Chat, conversation: str | None = None) -> str:
    turn = chat.memory.begin_turn("How far is it?", conversation=conversation)
    return chat.memory.assemble(turn, chat.memory.recall(turn), count, 0, 8192).messages[0].text


def test_a_persona_stands_in_the_next_prompt(chat: Chat) -> None:
    assert (
        chat.memory.set_persona("  Speak like\n a lighthouse keeper. ") == "Speak like a lighthouse keeper."
    )
    assert "Speak like a lighthouse keeper." in top_of(chat)


def test_a_change_reaches_conversations_that_have_begun(chat: Chat) -> None:
    turn = chat.memory.begin_turn("Hello")
    prompt = chat.memory.assemble(turn, chat.memory.recall(turn), count, 0, 8192)
    chat.memory.finish_turn(turn, "Hello.", "end", prompt, None)
    chat.memory.set_persona("Be terse.")
    assert "Be terse." in top_of(chat, turn.conversation)


def test_an_empty_persona_goes_back_to_the_one_of_the_settings(chat: Chat) -> None:
    chat.core.settings = replace(chat.core.settings, persona="Be kind.")
    assert chat.memory.persona == "Be kind."
    assert chat.memory.set_persona("Be terse.") == "Be terse."
    assert chat.memory.set_persona("") == "Be kind."
    assert "Be kind." in top_of(chat)


@pytest.mark.parametrize("text", ["x" * (LONGEST_PERSONA + 1), "My card is 4111 1111 1111 1111"])
def test_what_cannot_stand_in_every_prompt_is_refused(chat: Chat, text: str) -> None:
    with pytest.raises(BadInput):
        chat.memory.set_persona(text)
    assert chat.memory.persona == ""


@pytest.mark.parametrize("lend", [True, False])
def test_an_incognito_conversation_has_it_only_when_memory_is_lent(chat: Chat, lend: bool) -> None:
    chat.memory.set_persona("Call me Captain.")
    apart = open_incognito(chat.core, lend=lend)
    assert apart.persona == ("Call me Captain." if lend else "")
    apart.set_persona("Be terse.")
    assert chat.memory.persona == "Call me Captain."
    apart.close()


def test_forgetting_its_words_takes_it_out_and_is_proved(vault_folder: Path) -> None:
    with open_test_vault(vault_folder) as vault:
        life = Life(vault)
        life.memory.set_persona("Never mention zubrowka to me.")
        life.turn("How far is it?")
        plan = life.memory.forget_preview(Selection(about="zubrowka"))
        assert [(one.kind, one.act) for one in plan.targets] == [("persona", "remove")]
        assert life.memory.forget(plan).certificate is not None
        assert life.memory.persona == ""
        assert life.held("zubrowka") == []


def test_what_merely_holds_a_forgotten_value_stays_and_is_told(vault_folder: Path) -> None:
    with open_test_vault(vault_folder) as vault:
        life = Life(vault)
        life.memory.set_persona("Bark like Biscuit.")
        life.turn("My dog is called Biscuit")
        plan = life.memory.forget_preview(Selection(ids=(life.fact("Biscuit").id,)))
        assert [one.kind for one in plan.listed] == ["persona"]
        outcome = life.memory.forget(plan)
        assert outcome.certificate is not None
        assert life.memory.persona == "Bark like Biscuit."
