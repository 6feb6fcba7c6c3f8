"""What somebody must not eat, drink or take is a constraint in every language, whoever said so first."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory import policy
from memory.cues.message import candidates
from memory.records import Add, Kind, Message, Role

NOON = datetime(2026, 3, 11, 12, 0, tzinfo=UTC)


def read(text: str) -> list[tuple[str, str, str, Kind]]:
    found = candidates(Message("m", "default", "c", None, Role.USER, text, NOON))
    return [(one.subject, one.attribute, one.value, one.kind) for one in found]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I can't eat gluten since my diagnosis", "gluten"),
        ("My doctor told me to avoid salt", "salt"),
        ("The cardiologist said I can't have grapefruit", "grapefruit"),
        ("I can't take ibuprofen because of my kidneys", "ibuprofen"),
        ("Mein Arzt hat mir Salz verboten", "Salz"),
        ("mi doctor me prohibió la sal", "sal"),
        ("Le médecin m'a interdit le sel", "sel"),
        ("Il medico mi ha proibito il sale", "sale"),
        ("O médico me proibiu o sal", "sal"),
        ("Врач запретил мне соль", "соль"),
        ("डॉक्टर ने मुझे नमक मना किया है", "नमक"),
        ("医生不让我吃盐", "盐"),
        ("医者に塩分を止められています", "塩分"),
        ("의사가 소금을 먹지 말라고 했어요", "소금"),
    ],
)
def test_what_a_doctor_or_a_body_forbids_is_a_constraint(text: str, value: str) -> None:
    assert read(text) == [("user", "avoids", value, Kind.CONSTRAINT)]


def test_what_is_not_allowed_gives_no_permission_and_needs_no_review() -> None:
    said = Message("m", "default", "c", None, Role.USER, "I'm not allowed to drink alcohol", NOON)
    (found,) = candidates(said)
    assert isinstance(policy.decide(found, policy.Neighbours()), Add)


@pytest.mark.parametrize(
    "text",
    [
        "My doctor told me not to worry",
        "I'm not allowed to go out tonight",
        "If my doctor forbids me salt, what then?",
        "The doctor in my novel told me to avoid salt",
        "People with kidney disease must not eat salt",
        "Мне нельзя сегодня пить",
    ],
)
def test_what_forbids_nothing_for_good_is_no_constraint(text: str) -> None:
    assert not [found for found in read(text) if found[1] == "avoids"]
