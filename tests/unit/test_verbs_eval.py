"""`locket eval`: figures are printed, kept without any text, and compared."""

import asyncio
import json
import os
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from scripted_engines import ScriptedEngines
from talk_builders import Chat

from assistant.evaluation.answers import Compared, Wanted, compare, is_said, settings_for
from assistant.evaluation.dataset import BadDataset
from assistant.settings import load_settings
from assistant.verbs.eval import eval_verb
from assistant.wiring import create_store, memory_of, open_locket, open_store
from memory.errors import AmbiguousId, NotFound
from models.scripted import HashEmbedder, ScriptedChat

SET = {
    "dataset": "tiny",
    "licence": "none",
    "source": "written here",
    "conversations": [
        {
            "conv_id": "c1",
            "now": "2026-03-02T10:00:00",
            "speakers": ["Ada", "Ben"],
            "items": [
                {
                    "id": "t1",
                    "kind": "turn",
                    "text": "I bought a red Gazelle bicycle in Utrecht",
                    "speaker": "Ada",
                    "date": "2026-01-02T10:00:00",
                    "session": 1,
                    "refs": [],
                },
                {
                    "id": "t2",
                    "kind": "turn",
                    "text": "The lighthouse closes at nine",
                    "speaker": "Ben",
                    "date": "2026-01-02T10:01:00",
                    "session": 1,
                    "refs": [],
                },
            ],
            "questions": [
                {
                    "qid": "q1",
                    "category": "single",
                    "question": "Where did Ada buy the Gazelle bicycle?",
                    "answer": "Utrecht",
                    "evidence": ["t1"],
                    "unanswerable": False,
                    "extra": {},
                }
            ],
        }
    ],
}


def run(*arguments: str) -> str:
    done = CliRunner().invoke(eval_verb, list(arguments), standalone_mode=False)
    assert done.exception is None, done.output
    return done.stdout


def test_a_file_of_dialogues_is_measured_and_its_questions_are_listed(tmp_path: Path) -> None:
    path, details = tmp_path / "tiny.json", tmp_path / "details.jsonl"
    path.write_text(json.dumps(SET), encoding="utf-8")
    shape = json.loads(
        run("run", "--dataset", str(path), "--no-embedder", "--details", str(details), "--json")
    )
    assert shape["overall"]["recall@5"] == 1.0
    (line,) = details.read_text(encoding="utf-8").splitlines()
    assert set(json.loads(line)) >= {"qid", "category", "ranked", "scores", "injected", "ms"}
    assert json.loads(line)["ranked"][0] == "t1"


def test_details_of_an_earlier_run_stay_when_the_file_cannot_be_measured_with(tmp_path: Path) -> None:
    path, details = tmp_path / "odd.json", tmp_path / "details.jsonl"
    path.write_text("[]", encoding="utf-8")
    details.write_text("of yesterday\n", encoding="utf-8")
    arguments = ["run", "--no-embedder", "--dataset", str(path), "--details", str(details)]
    done = CliRunner().invoke(eval_verb, arguments, standalone_mode=False)
    assert isinstance(done.exception, BadDataset)
    assert details.read_text(encoding="utf-8") == "of yesterday\n"


def test_two_runs_are_compared_and_what_is_kept_holds_no_text(tmp_path: Path, locket_home: Path) -> None:
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps(SET), encoding="utf-8")
    for _ in range(2):
        run("run", "--dataset", str(path), "--no-embedder")
    (pair,) = json.loads(run("report", "--json"))["runs"]
    assert pair["before"]["overall"] == pair["after"]["overall"]
    kept = (locket_home / "logs" / "eval-runs.jsonl").read_text(encoding="utf-8")
    assert "Gazelle" not in kept
    assert "bicycle" not in kept


def test_a_report_without_runs_says_how_to_make_one() -> None:
    done = CliRunner().invoke(eval_verb, ["report"], standalone_mode=False)
    assert done.return_value == 1
    assert "locket eval run" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--kinds", "poem", "--dataset", "{set}"), "turn, observation, summary, not 'poem'"),
        (("--kinds", ",", "--dataset", "{set}"), "turn, observation, summary"),
        (("--kinds", "turn"), "--dataset"),
        (("--details", "d.jsonl"), "--dataset"),
        (("--golden", "--dataset", "{set}"), "choose one"),
        (("--golden", "--details", "d.jsonl"), "--dataset"),
        (("--answers",), "--golden"),
        (("--dataset", "{set}", "--details", "{folder}/nowhere/d.jsonl"), "cannot be written"),
        (("--dataset", "{set}", "--details", "{folder}"), "cannot be written"),
    ],
)
def test_a_wish_that_cannot_be_met_is_refused_before_anything_is_measured(
    tmp_path: Path, locket_home: Path, arguments: tuple[str, ...], words: str
) -> None:
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps(SET), encoding="utf-8")
    filled = [one.format(set=path, folder=tmp_path) for one in arguments]
    done = CliRunner().invoke(eval_verb, ["run", "--no-embedder", *filled], standalone_mode=False)
    assert isinstance(done.exception, click.UsageError)
    assert words in done.exception.message
    assert not (locket_home / "logs" / "eval-runs.jsonl").exists()


def test_a_run_that_was_cut_short_by_a_full_disk_is_left_out_of_the_report(
    tmp_path: Path, locket_home: Path
) -> None:
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps(SET), encoding="utf-8")
    run("run", "--dataset", str(path), "--no-embedder")
    kept = locket_home / "logs" / "eval-runs.jsonl"
    whole = kept.read_text(encoding="utf-8")
    kept.write_text(f'{whole}[]\n{{"name": "your questions"}}\n{whole[:50]}', encoding="utf-8")
    (pair,) = json.loads(run("report", "--json"))["runs"]
    assert pair["before"] == pair["after"]


def test_without_questions_of_ones_own_it_is_said_how_to_keep_one_and_nothing_is_noted(
    locket_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCKET_PASSPHRASE", "otter lamp violet harbour")
    create_store(load_settings(os.environ), "otter lamp violet harbour")
    done = CliRunner().invoke(eval_verb, ["run", "--golden", "--no-embedder"], standalone_mode=False)
    assert done.return_value == 1
    assert "locket eval add" in done.stderr
    assert not (locket_home / "logs" / "eval-runs.jsonl").exists()


def test_a_question_is_kept_whole_or_not_at_all(locket_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCKET_PASSPHRASE", "otter lamp violet harbour")
    settings = load_settings(os.environ)
    create_store(settings, "otter lamp violet harbour")
    with open_store(settings, "otter lamp violet harbour") as vault:
        fact = memory_of(settings, vault).add_fact("The spare key hangs in the boathouse")
    for other, refusal in (("nobody", NotFound), (fact.id, click.UsageError)):
        wish = ["add", "Where is the key?", "--should", fact.id, "--should-not", other]
        done = CliRunner().invoke(eval_verb, wish, standalone_mode=False)
        assert isinstance(done.exception, refusal)
    with open_store(settings, "otter lamp violet harbour") as vault:
        assert memory_of(settings, vault).ask_goldens() == ()


@pytest.mark.parametrize("good", [True, False])
def test_a_question_of_the_users_own_passes_when_it_finds_what_it_should(good: bool) -> None:
    memory = Chat().memory
    fact = memory.add_fact("The spare key hangs in the boathouse")
    memory.add_golden("Where does the spare key hang?", (fact.id,), should=good)
    (checked,) = memory.ask_goldens()
    assert checked.passed is good
    assert (checked.missing, checked.unwanted) == ((), () if good else (fact.id,))


def test_a_fact_stands_for_the_message_it_was_taken_from() -> None:
    chat = Chat()
    turn, _ = chat.turn("My dog is called Biscuit")
    chat.memory.add_golden("What is my dog called?", (turn.message.id,), should=True)
    assert [hit.item.kind for hit in chat.recall("What is my dog called?").hits] == ["fact"]
    (checked,) = chat.memory.ask_goldens()
    assert checked.passed


def test_a_question_is_dropped_by_the_beginning_of_its_id() -> None:
    memory = Chat().memory
    fact = memory.add_fact("The spare key hangs in the boathouse")
    first = memory.add_golden("Where is the key?", (fact.id,), should=True)
    second = memory.add_golden("Which key is it?", (fact.id,), should=True)
    assert second.startswith(first[:4])
    with pytest.raises(AmbiguousId):
        memory.drop_golden(first[:4])
    assert memory.drop_golden(first) == first
    assert [one.id for one in memory.ask_goldens()] == [second]
    with pytest.raises(NotFound):
        memory.drop_golden(first)


def test_answers_with_memory_are_compared_with_answers_without_and_nothing_is_kept(locket_home: Path) -> None:
    settings = settings_for(load_settings(os.environ))
    create_store(settings, "otter lamp violet harbour")
    repeating = ScriptedChat(lambda messages: messages[-1].text, n_ctx=8192)
    engines = ScriptedEngines(repeating, HashEmbedder())
    locket = open_locket(settings, "otter lamp violet harbour", engines)
    try:
        locket.act_now(lambda memory: memory.add_fact("My dog is called Biscuit"))
        before = locket.act_now(lambda memory: memory.reader.stats().counts)
        wanted = [Wanted("What is my dog called?", ("Biscuit",))]
        found = asyncio.run(compare(locket, wanted, lambda *_: None))
        assert found == [Compared("What is my dog called?", with_memory=True, without_memory=False)]
        assert locket.act_now(lambda memory: memory.reader.stats().counts) == before
    finally:
        locket.close_now()


def test_an_answer_says_a_value_whatever_the_case() -> None:
    assert is_said(("Porto", "Braga"), "You live in PORTO now.")
    assert not is_said(("Porto",), "I do not know.")
    assert not is_said(("",), "anything")


def test_a_report_names_what_was_changed_between_two_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps(SET), encoding="utf-8")
    run("run", "--dataset", str(path), "--no-embedder")
    monkeypatch.setenv("LOCKET_WINDOW", "8192")
    run("run", "--dataset", str(path), "--no-embedder")
    assert "window: 16384 → 8192" in run("report")
