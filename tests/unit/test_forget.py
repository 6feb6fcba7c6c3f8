"""Told, recalled, forgotten: nowhere; what only holds the same words is listed and stays."""

import pytest
from forget_builders import Life

from memory.errors import BadInput
from memory.forget import Seal, Selection
from memory.records import Ignore
from memory.store import jobs, messages, traces
from memory.vault.vault import Vault

DOG = "My dog is called Biscuit and I'm allergic to peanuts"


@pytest.fixture
def life(vault: Vault) -> Life:
    return Life(vault)


def test_a_fact_told_recalled_and_forgotten_is_nowhere(life: Life) -> None:
    turn, _ = life.turn(DOG, "Biscuit is a nice name for a dog.")
    life.clock.advance(days=1)
    _, repeated = life.turn("What is my dog called?", "Your dog is called Biscuit.")
    assert "Biscuit" in life.prompts[-1].block
    assert life.pages_with("Biscuit") > 0
    plan = life.memory.forget_preview(Selection(ids=(life.fact("Biscuit").id,)))
    assert {("message", turn.message.id), ("answer", repeated.id)} <= {(t.kind, t.id) for t in plan.ticked}

    outcome = life.memory.forget(plan)

    assert outcome.certificate is not None, outcome.retry
    assert life.held("Biscuit") == []
    assert life.pages_with("Biscuit") == 0
    said = messages.get_message(life.core.db, "default", turn.message.id).text
    assert "peanuts" in said
    assert "I'm allergic to peanuts" in said
    assert life.fact("peanuts").is_current
    assert "Biscuit" not in messages.get_message(life.core.db, "default", repeated.id).text


def test_an_answer_forgotten_takes_its_memory_along_and_no_word_of_the_question_was_in_it(life: Life) -> None:
    first, _ = life.turn("hello", "Zorbulon says hi. What is your favourite food?")
    turn, _ = life.turn("Sushi", "Noted.", conversation=first.conversation)
    kept = life.fact("Sushi")
    assert kept.text == "My favourite food is Sushi"
    outcome = life.memory.forget(life.memory.forget_preview(Selection(ids=(kept.id,))))
    assert outcome.certificate is not None
    assert life.held("Sushi") == []
    assert "Sushi" not in messages.get_message(life.core.db, "default", turn.message.id).text


def test_an_answer_we_have_no_words_for_waits_for_the_user_and_is_in_no_prompt(life: Life) -> None:
    first, _ = life.turn("hello", "Which of your doors does every answer go through?")
    life.turn("the teal one", "Noted.", conversation=first.conversation)
    (waiting,) = life.memory.reader.review_list()
    assert waiting.candidate.text == "The teal one"
    assert list(life.memory.reader.list_facts()) == []


def test_the_next_prompt_is_made_anew_without_it(life: Life) -> None:
    turn, _ = life.turn(DOG, "Biscuit it is.")
    life.turn("What is my dog called?", "Biscuit.", conversation=turn.conversation)
    life.memory.forget(life.memory.forget_preview(Selection(ids=(life.fact("Biscuit").id,))))
    life.turn("What is my dog called?", "I do not know.", conversation=turn.conversation)
    prompt = life.prompts[-1]
    assert prompt.rebuilt
    assert "Biscuit" not in "".join(message.text for message in prompt.messages)
    assert "peanuts" in "".join(message.text for message in prompt.messages)


def test_a_bare_mention_is_listed_and_stays_and_the_page_search_agrees(life: Life) -> None:
    life.turn("I like tea", "Tea is good.")
    life.turn("The tea shop at the corner steams instead of boiling", "I see.")
    plan = life.memory.forget_preview(Selection(ids=(life.fact("tea").id,)))
    assert [t.text for t in plan.listed if t.kind == "message"] == [
        "The tea shop at the corner steams instead of boiling"
    ]
    outcome = life.memory.forget(plan)
    assert outcome.certificate is not None, outcome.retry
    assert outcome.certificate.payload["checks"]["pages"]["same_words_left_alone"] > 0
    found = life.core.db.execute("SELECT text FROM item_fts WHERE item_fts MATCH 'text: tea'").fetchall()
    assert found == [("The tea shop at the corner steams instead of boiling",)]


def test_what_is_left_out_of_the_choice_stays(life: Life) -> None:
    _, answer = life.turn(DOG, "Biscuit is a nice name.")
    chosen = Selection(ids=(life.fact("Biscuit").id,))
    plan = life.memory.forget_preview(chosen.leaving(answer.id))
    assert answer.id in {t.id for t in plan.listed}
    outcome = life.memory.forget(plan)
    assert outcome.certificate is not None, outcome.retry
    assert "Biscuit" in messages.get_message(life.core.db, "default", answer.id).text


def test_extraction_does_not_bring_it_back_in_other_words_of_the_same_value(life: Life) -> None:
    life.turn(DOG)
    life.memory.forget(life.memory.forget_preview(Selection(ids=(life.fact("Biscuit").id,))))
    for words in (
        "My dog is called Biscuit",
        "My dog's name is biscuit",
        "Actually, my dog is called BISCUIT",
    ):
        turn, _ = life.turn(words)
        assert all(isinstance(done.decision, Ignore) for done in turn.decided), words
    assert not [f for f in life.memory.reader.list_facts(states=None) if f.attribute == "name"]
    for mark in life.memory.tombstones():
        life.memory.remove_tombstone(mark.id)
    turn, _ = life.turn("My dog is called Biscuit")
    assert [done.candidate.value for done in turn.decided if done.id] == ["Biscuit"]


def test_a_reader_in_the_way_means_no_certificate_until_it_is_gone(life: Life) -> None:
    life.turn(DOG)
    reader = life.vault.read_only()
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM message").fetchall()
    outcome = life.memory.forget(life.memory.forget_preview(Selection(ids=(life.fact("Biscuit").id,))))
    assert outcome.certificate is None
    assert "idle" in outcome.retry
    assert not [f for f in life.memory.reader.list_facts() if f.value == "Biscuit"]
    reader.execute("COMMIT")
    (done,) = life.memory.finish_forgetting()
    assert done.certificate is not None, done.retry
    assert done.certificate.payload["checks"]["pages"]["unexplained"] == 0
    assert life.memory.finish_forgetting() == []


def test_a_certificate_holds_no_content_and_is_known_as_genuine(life: Life) -> None:
    life.turn(DOG)
    life.memory.forget(life.memory.forget_preview(Selection(ids=(life.fact("Biscuit").id,))))
    ((certificate, seal),) = life.memory.certificates()
    assert seal is Seal.FITS
    assert "biscuit" not in str(certificate.payload).casefold()
    life.core.db.execute("UPDATE certificate SET payload = json_set(payload, '$.left_alone', 99)")
    assert [seal for _, seal in life.memory.certificates()] == [Seal.BROKEN]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("json_set(payload, '$.made_by', 'another store')", Seal.ELSEWHERE),
        ("json_remove(payload, '$.made_by')", Seal.UNKNOWN),
    ],
)
def test_a_certificate_of_another_store_is_not_called_false(life: Life, change: str, told: Seal) -> None:
    life.turn(DOG)
    life.memory.forget(life.memory.forget_preview(Selection(ids=(life.fact("Biscuit").id,))))
    life.core.db.execute(f"UPDATE certificate SET payload = {change}")
    assert [seal for _, seal in life.memory.certificates()] == [told]


def test_the_job_holds_no_words(life: Life) -> None:
    life.turn(DOG, "Biscuit!")
    reader = life.vault.read_only()
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM message").fetchall()
    life.memory.forget(life.memory.forget_preview(Selection(ids=(life.fact("Biscuit").id,))))
    (job,) = [job for job in jobs.list_jobs(life.core.db) if job.kind == "forget-verify"]
    assert "biscuit" not in str(job.payload).casefold()
    assert job.payload["vectors"][0]["marks"]
    reader.execute("COMMIT")


def test_a_receipt_keeps_that_something_was_forgotten_and_not_what(life: Life) -> None:
    life.turn(DOG)
    fact = life.fact("Biscuit")
    turn, _ = life.turn("What is my dog called?", "Biscuit.")
    life.memory.forget(life.memory.forget_preview(Selection(ids=(fact.id,))))
    trace = traces.trace_for(life.core.db, "default", turn.message.id)
    (sent,) = [item for item in trace.items if item.id == fact.id]
    assert sent.text == "[…]"
    assert "Biscuit" not in trace.block


def test_receipts_lose_what_an_answer_said_of_it_in_other_words(life: Life) -> None:
    """A receipt keeps the texts of what was recalled, and its block is sent to the model again."""
    told, _ = life.turn("My brother works as a beekeeper in Porto")
    life.turn(
        "And?", "Beehives: your brother the beekeeper works there, in Porto.", conversation=told.conversation
    )
    life.turn("Where are the beehives?", "There.")
    held = str(list(life.core.db.query("SELECT items, left_out, block FROM trace")))
    assert "Beehives" in held
    (fact,) = life.memory.reader.list_facts()
    outcome = life.memory.forget(life.memory.forget_preview(Selection(ids=(fact.id,))))
    assert outcome.certificate is not None, outcome.retry
    assert life.held("beekeeper", "your brother the") == []


def test_words_go_wherever_they_stand(life: Life) -> None:
    life.turn(DOG)
    life.turn("Mein Zubrowka steht im Schrank", "Zubrowka, verstanden.")
    plan = life.memory.forget_preview(Selection(about="zubrowka"))
    assert {t.kind for t in plan.targets} >= {"message", "answer", "title"}
    outcome = life.memory.forget(plan)
    assert outcome.certificate is not None, outcome.retry
    assert life.held("Zubrowka") == []
    assert life.pages_with("Zubrowka") == 0
    assert life.fact("Biscuit").is_current


def test_a_memory_that_says_named_words_goes_with_all_that_repeats_the_rest_of_it(life: Life) -> None:
    """In an answer, “I have […] since 2019” would still tell what the word was about."""
    told, _ = life.turn("I have lupus since 2019", "Noted: I have lupus since 2019. Take care.")
    life.turn("And?", "You have lupus since 2019, you said.", conversation=told.conversation)
    life.turn("Since May I sleep well", "Good.")
    outcome = life.memory.forget(life.memory.forget_preview(Selection(about="lupus")))
    assert outcome.certificate is not None, outcome.retry
    assert life.held("lupus", "since 2019") == []
    assert life.pages_with("since 2019") == 0
    assert ("message", "text") in life.held("Since May I sleep well")
    kept = life.turn("I have lupus since 2020", "Noted.")[0].message
    plan = life.memory.forget_preview(Selection(about="lupus").leaving("fact"))
    assert "fact" not in plan.counts
    assert "message" in plan.counts, "the word itself goes all the same"
    assert kept.id in plan.ids("message")


def test_a_conversation_goes_with_what_was_made_of_it(life: Life) -> None:
    turn, _ = life.turn(DOG, "Biscuit is a nice name.")
    life.turn("The harbour was quiet", "Yes.")
    outcome = life.memory.forget(life.memory.forget_preview(Selection(conversation=turn.conversation)))
    assert outcome.certificate is not None, outcome.retry
    assert life.held("Biscuit", "peanut", "peanuts") == []
    assert [c.title for c in life.memory.reader.list_conversations()] == ["The harbour was quiet"]


def test_a_time_goes_and_the_conversation_stays_whole(life: Life) -> None:
    life.turn("The harbour was quiet", "Yes.")
    since = life.clock.advance(hours=1)
    turn, _ = life.turn(DOG, "Biscuit is a nice name.")
    until = life.clock.advance(hours=1)
    life.turn("It rains today", "Indeed.", conversation=turn.conversation)
    outcome = life.memory.forget(life.memory.forget_preview(Selection(since=since, until=until)))
    assert outcome.certificate is not None, outcome.retry
    assert life.held("Biscuit") == []
    texts = [message.text for message in life.memory.reader.messages(turn.conversation)]
    assert texts == ["[…]", "[…]", "It rains today", "Indeed."]


def test_a_whole_message_goes_on_request(life: Life) -> None:
    turn, _ = life.turn(DOG)
    fact = life.fact("Biscuit")
    plan = life.memory.forget_preview(Selection(ids=(fact.id,), whole=True))
    life.memory.forget(plan)
    assert messages.get_message(life.core.db, "default", turn.message.id).text == "[…]"


def test_the_value_before_is_not_chosen_with_it(life: Life) -> None:
    turn, _ = life.turn("My dog is called Biscuit")
    life.turn("Actually, he's called Waffle", "Waffle, noted.", conversation=turn.conversation)
    old, new = life.fact("Biscuit"), life.fact("Waffle")
    outcome = life.memory.forget(life.memory.forget_preview(Selection(ids=(old.id,))))
    assert outcome.certificate is not None, outcome.retry
    assert life.held("Biscuit") == []
    assert life.fact("Waffle").id == new.id


def test_secrets_are_redacted_in_the_message_itself(life: Life) -> None:
    turn, _ = life.turn("my card is 4111 1111 1111 1111, keep it safe")
    outcome = life.memory.forget(life.memory.redact_preview(turn.message.id))
    assert outcome.certificate is not None, outcome.retry
    assert life.held("4111 1111 1111 1111") == []
    assert "keep it safe" in messages.get_message(life.core.db, "default", turn.message.id).text


def test_nothing_chosen_is_refused(life: Life) -> None:
    with pytest.raises(BadInput):
        life.memory.forget_preview(Selection())
    with pytest.raises(BadInput):
        life.memory.forget(life.memory.forget_preview(Selection(about="zubrowka")))


@pytest.mark.slow
def test_a_megabyte_in_overflow_pages_is_gone_too(vault: Vault) -> None:
    life = Life(vault, embedder=False)
    filler = " ".join(f"word{number} teapot steam" for number in range(22_500))
    turn = life.memory.begin_turn(f"{filler}. My dog is called Zubrowka. {filler}")
    assert len(turn.message.text) > 1_000_000
    life.turn("The teapot was warm", "Yes.")
    plan = life.memory.forget_preview(Selection(ids=(turn.message.id,)))
    outcome = life.memory.forget(plan)
    assert outcome.certificate is not None, outcome.retry
    assert life.pages_with("word22499", "Zubrowka") == 0
