"""Laws of forgetting: what was told and forgotten is nowhere, what merely holds the word is untouched, indexes agree."""

import struct

from builders import World, day, multi
from hypothesis import given
from hypothesis import strategies as st

from memory.core import Core
from memory.forget import Selection, preview
from memory.forgetting import applying
from memory.forgetting.wording import MARK, Wordings, blot, pattern
from memory.forgetting.wording import Said as Wanted
from memory.records import FactState
from memory.retrieval import vectors
from memory.store import leftovers
from memory.store.facts import list_facts

WORDS = ("zubrowka", "heron", "quince")
VECTOR = struct.pack("<8f", 1, *[0] * 7)

told = st.tuples(st.just("tell"), st.sampled_from(["dog", "boat"]), st.sampled_from(WORDS))
bare = st.tuples(st.just("bare"), st.just(""), st.sampled_from(WORDS))
repeated = st.tuples(st.just("answer"), st.just(""), st.sampled_from(WORDS))
forgotten = st.tuples(st.just("forget"), st.sampled_from(["dog", "boat"]), st.sampled_from(WORDS))
steps = st.lists(st.one_of(told, bare, repeated, forgotten), min_size=1, max_size=12)


class Letters:
    """An embedder's name; only the bookkeeping of its vectors is looked at."""

    name = "letters"
    sha256 = "00" * 32
    dims = 8
    normalised = True


class Life:
    """A world, and beside it which texts must still hold which words."""

    def __init__(self) -> None:
        self.world = World()
        self.core = Core(
            self.world.db, "default", lambda: self.world.now, self.world.new_id, tombstone_key=b"k" * 32
        )
        self.embedder = vectors.ensure_embedder(self.world.db, Letters(), self.world.now)
        self.bare: dict[str, str] = {}

    def step(self, number: int, what: str, subject: str, word: str) -> None:
        """Do one thing."""
        world = self.world
        world.now = day(number)
        match what:
            case "tell":
                text = f"my {subject} has {word}"
                message = world.say(text)
                start = text.index(word)
                stated = multi(
                    subject,
                    "thing",
                    word,
                    text=text,
                    quote=text,
                    start=0,
                    end=start + len(word),
                    said_at=world.now,
                )
                world.decide(stated, message=message)
            case "bare":
                message = world.say(f"a {word} passed by")
                self.bare[message.id] = message.text
            case "answer":
                used = [fact.id for fact in list_facts(world.db, "default") if fact.value == word]
                if used:
                    world.answer(f"You said {word}.", *used)
            case _:
                self.forget(subject, word)
        self.embed()

    def forget(self, subject: str, word: str) -> None:
        """Forget every fact of a subject with this value, then look for it."""
        facts = list_facts(self.world.db, "default", states=None)
        chosen = [fact.id for fact in facts if (fact.subject, fact.value) == (subject, word)]
        if not chosen:
            return
        plan = preview(self.core, Selection(ids=tuple(chosen)))
        with self.core.atomic():
            applying.apply(self.core, plan)
        if not any(fact.value == word and fact.id not in chosen for fact in facts):
            holding = leftovers.texts_holding(self.world.db, [word])
            owners = {
                one.owner for one in holding if one.table in ("message", "item") and one.column != "context"
            }
            assert owners == {ident for ident, text in self.bare.items() if word in text}
            assert {one.table for one in holding} <= {"message", "item"}

    def embed(self) -> None:
        """Make the missing vectors."""
        waiting = vectors.pending(self.world.db, self.embedder.key, 1000)
        with self.core.atomic():
            vectors.store(self.world.db, self.embedder.key, [(key, VECTOR) for key, _ in waiting])

    def check(self) -> None:
        """Base rows, index, vectors and links agree; bare mentions are as they were said."""
        db = self.world.db
        leftovers.check_index(db)
        items = {row[0] for row in db.execute("SELECT key FROM item WHERE text <> ''").fetchall()}
        assert {row[0] for row in db.execute("SELECT id FROM item_vec_1").fetchall()} == items
        said = dict(db.execute("SELECT id, text FROM message").fetchall())
        assert {ident: said[ident] for ident in self.bare} == self.bare
        facts = {fact.id for fact in list_facts(db, "default", states=None)}
        links = db.execute("SELECT child FROM derivation WHERE child_kind = 'fact'").fetchall()
        assert {row[0] for row in links} <= facts
        assert all(f.state is FactState.ACTIVE for f in list_facts(db, "default"))


@given(steps)
def test_what_is_forgotten_is_nowhere_and_what_is_not_stays(played: list[tuple[str, str, str]]) -> None:
    life = Life()
    for number, (what, subject, word) in enumerate(played):
        life.step(number, what, subject, word)
        life.check()


texts = st.text(st.sampled_from("ab c.é狗T"), max_size=30)


@given(texts, st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=5))
def test_taking_words_out_keeps_the_length_and_everything_else(
    text: str, spans: list[tuple[int, int]]
) -> None:
    new = blot(text, spans)
    assert len(new) == len(text)
    hidden = {place for start, end in spans for place in range(start, end)}
    assert all(
        now == was for place, (was, now) in enumerate(zip(text, new, strict=True)) if place not in hidden
    )


@given(
    st.sampled_from(["tea", "Calle Mayor 5", "狗", "день рождения", "हिन्दी किताब", "peanuts"]), texts, texts
)
def test_a_value_is_found_in_any_case_as_a_word_of_its_own_and_then_gone(
    value: str, before: str, after: str
) -> None:
    text = f"{before} {value.upper()} {after}"
    wordings = Wordings([Wanted("f", value)])
    assert wordings.says(text)
    gone = wordings.without(text)
    assert pattern(value).search(gone) is None
    assert MARK[:1] in gone or "…" in gone
