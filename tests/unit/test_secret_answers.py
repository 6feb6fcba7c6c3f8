"""A bare answer to a question for a secret is one, wherever the message goes; nothing else becomes one by it."""

from __future__ import annotations

import pytest
from talk_builders import Chat, count

from memory.forget import secret_texts
from memory.provenance import own_words
from memory.secret_answers import secrets_of, secrets_said
from memory.secrets import mask


@pytest.mark.parametrize(
    ("asked", "answer", "masked"),
    [
        ("What's your PIN?", "4821", "[PIN]"),
        ("What is the PIN for the card?", "it's 4821", "it's [PIN]"),
        ("Wie lautet deine PIN?", "4821", "[PIN]"),
        ("Was ist das WLAN-Passwort?", "tulpe", "[password]"),
        ("¿Cuál es tu contraseña?", "gato", "[password]"),
        ("C'est quoi le mdp ?", "soleil77", "[password]"),
        ("Qual è la tua password?", "gatto", "[password]"),
        ("Qual é a sua senha?", "gato99", "[password]"),
        ("Какой у тебя пин-код?", "4821", "[PIN]"),
        ("你的密码是什么？", "abc123", "[password]"),
        ("Can you tell me your password?", "hunter", "[password]"),
    ],
)
def test_a_bare_answer_to_a_question_for_a_secret_is_masked(asked: str, answer: str, masked: str) -> None:
    assert mask(answer, secrets_said(answer, asked)) == masked


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("What's your name?", "4821"),
        ("Shall I pass it on?", "definitely"),
        ("Could you pass the salt?", "gladly"),
        ("Is your password safe?", "definitely"),
        ("How many characters has your password?", "12"),
        ("Where did you write the PIN down?", "notebook"),
        ("Wann hast du deine PIN geändert?", "2020"),
        ("What's your PIN?", "no"),
        ("What's your PIN?", "I won't tell you that"),
        ("Your PIN is changed.", "thanks"),
    ],
)
def test_other_answers_are_left_alone(asked: str, answer: str) -> None:
    assert secrets_said(answer, asked) == ()


def test_the_message_remembers_which_of_its_words_are_secret() -> None:
    chat = Chat()
    turn = chat.memory.begin_turn("I cannot open my card app")
    prompt = chat.memory.assemble(turn, chat.memory.recall(turn), count, 0, 8192)
    chat.memory.finish_turn(turn, "Then tell me: what is your PIN?", "end", prompt, None)
    told = chat.memory.begin_turn("it's 4821", conversation=turn.conversation)
    assert told.message.masked == "it's [PIN]"
    assert told.notices
    assert own_words(told.message) == "it's [PIN]"
    assert secret_texts(told.message) == ["4821"]
    assert [secret.kind for secret in secrets_of(told.message)] == ["PIN"]
