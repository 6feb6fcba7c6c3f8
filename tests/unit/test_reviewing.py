"""The review queue: nothing in it counts before the user's yes, and the yes or no is remembered."""

import pytest
from talk_builders import Chat, count

from memory.errors import BadInput
from memory.records import Add, Candidate, Decided, Kind, Origin, Review, Rule, Supersede
from memory.store.apply import apply_decision
from memory.store.stored import QueuedCandidate


@pytest.fixture
def chat() -> Chat:
    return Chat()


def propose(
    chat: Chat, attribute: str, value: str, text: str, origin: Origin = Origin.INFERRED
) -> QueuedCandidate:
    """Have something wait that a model, or an import, believes."""
    candidate = Candidate(
        Kind.FACT, "user", attribute, value, text, value, 0, len(value), origin=origin, confidence=0.4
    )
    with chat.core.atomic():
        apply_decision(
            chat.core.db,
            candidate,
            Review("low confidence"),
            profile=chat.core.profile,
            conversation=None,
            message=None,
            now=chat.core.now(),
            new_id=chat.core.new_id,
            actor="auto",
        )
    return chat.memory.reader.review_list()[-1]


def waiting(chat: Chat) -> list[str]:
    return [queued.candidate.text for queued in chat.memory.reader.review_list()]


def test_what_waits_is_in_no_recall_no_prompt_and_no_top(chat: Chat) -> None:
    propose(chat, "home", "Zubrowka", "The user lives in Zubrowka")
    talk, _ = chat.turn("From now on always answer like a Zubrowka pirate")
    assert len(waiting(chat)) == 2
    turn = chat.memory.begin_turn("Where do I live, and how should you answer?")
    recalled = chat.memory.recall(turn)
    assert not [hit for hit in recalled.hits if hit.item.kind in ("fact", "rule")]
    prompt = chat.memory.assemble(turn, recalled, count, 0, 8192)
    assert "Zubrowka" not in prompt.head
    assert not [item for item in prompt.items if item.kind in ("fact", "rule")]
    assert "Zubrowka" not in (chat.memory.reader.get_conversation(talk.conversation).head or "")
    assert chat.memory.reader.list_rules() == []
    assert chat.memory.reader.list_facts(states=None) == []


def test_an_accepted_memory_is_the_users_own_word_and_recalled(chat: Chat) -> None:
    queued = propose(chat, "home", "Porto", "The user lives in Porto")
    done = chat.memory.accept(queued.id)
    assert isinstance(done, Decided)
    assert isinstance(done.decision, Add)
    (fact,) = chat.memory.reader.list_facts()
    assert (fact.value, fact.origin) == ("Porto", Origin.USER_CONFIRMED)
    assert waiting(chat) == []
    assert [hit.item.ref for hit in chat.recall("Where do I live?").hits] == [fact.id]


def test_an_accepted_value_takes_the_place_of_the_present_one(chat: Chat) -> None:
    chat.turn("I live in Lisbon")
    chat.clock.advance(minutes=1)
    queued = propose(chat, "home", "Porto", "The user lives in Porto")
    done = chat.memory.accept(queued.id)
    assert isinstance(done, Decided)
    assert isinstance(done.decision, Supersede)
    assert chat.values("user", "home") == ["Porto"]


def test_an_accepted_memory_can_be_reworded_on_the_way(chat: Chat) -> None:
    queued = propose(chat, "home", "Porto", "The user lives in Porto")
    chat.memory.accept(queued.id, "I live in  Porto, near the river")
    (fact,) = chat.memory.reader.list_facts()
    assert (fact.text, fact.value) == ("I live in Porto, near the river", "Porto")


@pytest.mark.parametrize("text", ["", " ", "My PIN is 4821 and my card 4111 1111 1111 1111"])
def test_a_rewording_that_cannot_be_kept_is_refused_and_it_waits_on(chat: Chat, text: str) -> None:
    queued = propose(chat, "home", "Porto", "The user lives in Porto")
    with pytest.raises(BadInput):
        chat.memory.accept(queued.id, text)
    assert waiting(chat) == ["The user lives in Porto"]


def test_a_rejected_memory_may_be_proposed_again_one_rejected_for_good_never(chat: Chat) -> None:
    first = propose(chat, "home", "Porto", "The user lives in Porto")
    chat.memory.reject(first.id)
    assert waiting(chat) == []
    talk, _ = chat.turn("From now on always answer in Latin")
    (rule,) = chat.memory.reader.review_list()
    chat.memory.reject(rule.id, always=True)
    chat.turn("From now on always answer in Latin", conversation=talk.conversation)
    chat.turn("From now on always answer in Latin")
    assert waiting(chat) == []


def test_what_was_decided_cannot_be_decided_again(chat: Chat) -> None:
    queued = propose(chat, "home", "Porto", "The user lives in Porto")
    chat.memory.accept(queued.id)
    for act in (lambda: chat.memory.accept(queued.id), lambda: chat.memory.reject(queued.id)):
        with pytest.raises(BadInput):
            act()


def test_an_accepted_proposal_of_a_rule_becomes_a_rule(chat: Chat) -> None:
    chat.turn("From now on always answer in Latin")
    (queued,) = chat.memory.reader.review_list()
    made = chat.memory.accept(queued.id, "Answer in Latin")
    assert isinstance(made, Rule)
    assert [rule.text for rule in chat.memory.reader.list_rules()] == ["Answer in Latin"]
    assert waiting(chat) == []
    assert chat.memory.reader.list_facts() == []


def test_a_yes_and_a_no_can_be_undone(chat: Chat) -> None:
    queued = propose(chat, "home", "Porto", "The user lives in Porto")
    chat.memory.reject(queued.id)
    chat.memory.undo()
    assert waiting(chat) == ["The user lives in Porto"]
    chat.memory.accept(queued.id)
    chat.memory.undo()
    assert waiting(chat) == ["The user lives in Porto"]
    assert chat.memory.reader.list_facts() == []
