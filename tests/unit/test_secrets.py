from __future__ import annotations

import pytest

from memory.secrets import Secret, find_secrets, mask


def test_a_mask_keeps_nothing_of_the_secret() -> None:
    assert mask("My card is 4111 1111 1111 1111, thanks") == "My card is [card number], thanks"


def test_a_text_without_secrets_has_no_mask() -> None:
    assert mask("I paid 1200 euros with my card") is None


def test_a_secret_knows_its_place_and_kind() -> None:
    text = "password: hunter2!x"
    assert find_secrets(text) == (Secret(10, 19, "password"),)


def test_several_secrets_are_masked_in_place() -> None:
    said = "my pin is 4821 and my iban is DE89 3704 0044 0532 0130 00"
    assert mask(said) == "my pin is [PIN] and my iban is [IBAN]"


def test_a_masked_text_holds_no_further_secret() -> None:
    masked = mask("my password is hunter2 and my token is ghp_" + "a1B2" * 9)
    assert masked is not None
    assert mask(masked) is None


@pytest.mark.parametrize(
    "text",
    [
        "Order number 4111111111111111 has shipped",
        "fixed in commit 3f2a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a",
        "id 550e8400-e29b-41d4-a716-446655440000",
        "call me on +351 912 345 678",
        "the ISBN is 978-3-16-148410-0",
        "I forgot my password",
        "Mein Passwort ist abgelaufen.",
    ],
)
def test_numbers_of_daily_life_are_left_alone(text: str) -> None:
    assert find_secrets(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "4111 1111 1111 1112",
        "DE88 3704 0044 0532 0130 00",
        "123-45-0000",
        "529.982.247-26",
        "11010519491231002Y",
    ],
)
def test_a_wrong_check_digit_is_no_secret(text: str) -> None:
    assert find_secrets(f"here: {text}") == ()


def test_words_after_a_password_are_kept() -> None:
    assert mask("my password is hunter2 and my dog is Rex") == "my password is [password] and my dog is Rex"


def test_a_seed_phrase_is_found_without_being_announced() -> None:
    words = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    assert mask(words) == "[seed phrase]"


def test_twelve_plain_words_are_no_seed_phrase() -> None:
    assert find_secrets("the dog and the cat sat near the old red barn door") == ()


@pytest.mark.parametrize(
    "text", ["pw tulip99", "my pass tulip99", "wifi pass tulip99", "psw gatto99", "mi clave gato99x"]
)
def test_a_short_word_for_a_password_is_known(text: str) -> None:
    assert [secret.kind for secret in find_secrets(text)] == ["password"]


@pytest.mark.parametrize(
    "text",
    [
        "pass the salt",
        "pass me the 3rd plate",
        "boarding pass B12",
        "mountain pass 2500m",
        "pw reset needed",
        "season pass 2024",
    ],
)
def test_the_same_words_in_daily_life_are_not(text: str) -> None:
    assert find_secrets(text) == ()
