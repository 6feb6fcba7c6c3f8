"""What every verb prints with `--json` is what `assistant/verbs/FORMAT.md` says, field by field.

More than 300 lines: one shape after the other.
"""

import io
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import pytest
from documented_shapes import PRIMITIVES, differences, documented
from gguf_builder import CHAT, gguf
from scripted_engines import ScriptedEngines

from assistant.cli import FORMAT, cli, main
from models.bench import BenchRow
from models.catalogue import load_catalogue
from models.scripted import HashEmbedder, ScriptedChat
from models.types import EmbedIdentity

NO_OBJECT = frozenset({"chat"})
"""A conversation; it takes `--json` because every verb does."""
OTHER = "quite another set of words"
DOG = "My dog is called Biscuit and I'm allergic to peanuts"
SAID = {
    "id": "t1",
    "kind": "turn",
    "text": "I live in Lisbon",
    "speaker": "Ada",
    "date": "2026-01-02T10:00:00",
}
ASKED = {"qid": "q1", "category": "single", "question": "Where does Ada live?", "answer": "Lisbon"}
TALK = {
    "conv_id": "c1",
    "now": "2026-03-02T10:00:00",
    "speakers": ["Ada", "Ben"],
    "items": [SAID | {"session": 1, "refs": []}],
    "questions": [ASKED | {"evidence": ["t1"], "unanswerable": False, "extra": {}}],
}
TINY_SET = {"dataset": "tiny", "licence": "none", "source": "written here", "conversations": [TALK]}


class Other(HashEmbedder):
    """Another embedding model."""

    @property
    def identity(self) -> EmbedIdentity:
        return EmbedIdentity("another", "b" * 64, self.dims, normalised=True)


@dataclass
class Shell:
    """Runs verbs in this process and holds what they print against the tables."""

    home: Path
    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch
    seen: dict[str, Any] = field(default_factory=dict)

    def __call__(self, verb: str, *arguments: str, code: int = 0, text: str = "") -> Any:
        """Run a verb, which must end with this code and print one object of its documented shape."""
        printed = self.lines(verb, *arguments, "--json", code=code, text=text)
        assert len(printed) == 1
        value = json.loads(printed[0])
        assert value.pop("format") == FORMAT
        assert list(differences(value, verb)) == []
        self.seen[verb] = value
        return value

    def lines(self, verb: str, *arguments: str, code: int = 0, text: str = "") -> list[str]:
        typed = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
        self.monkeypatch.setattr("sys.stdin", typed)
        ended = main([*verb.split(), *arguments])
        out, err = self.capsys.readouterr()
        assert ended == code, err
        return out.splitlines()


@pytest.fixture
def run(unlocked_home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A home with an empty store and models that need no file."""
    (unlocked_home / "models").mkdir()
    engines = ScriptedEngines(ScriptedChat(lambda _: "Noted.", n_ctx=8192), HashEmbedder())
    monkeypatch.setattr("assistant.runtimes.LocalRuntimes", lambda _: engines)
    return Shell(unlocked_home, capsys, monkeypatch)


# -- one function a group of verbs: they tell the whole story of each, so that every field is filled once ---


def dividing(run: Shell, _: Path) -> None:
    assert run("profile add", "work")["profile"]["name"] == "work"
    assert run("profile rename", "work", "job")["profile"]["used"] is False
    assert [one["used"] for one in run("profile list")["profiles"]] == [True, False]
    assert run("profile use", "job")["profile"]["used"] is True
    assert run("profile use", "default")["profile"]["name"] == "default"
    assert run("profile delete", "job", "--yes")["rows"]["profile"] == 1


def talking(run: Shell, _: Path) -> None:
    told = run("ask", DOG)
    assert [one["value"] for one in told["remembered"]] == ["Biscuit", "peanuts"]
    asked = run("ask", "-c", told["conversation"], "What is my dog called?")
    assert asked["recalled"]
    assert asked["tokens"]["sections"]
    assert run("conversations list")["conversations"]
    assert len(run("conversations show", told["conversation"])["messages"]) == 4
    (found,) = run("conversations search", "Biscuit")["conversations"]
    assert found["hits"][0]["kind"] == "message"
    assert "Biscuit" in run("conversations export", told["conversation"])["text"]
    assert run("memory why", "last")["sections"]
    assert {"replay", "prompt"} <= set(run("memory why", "last", "--replay", "--prompt"))
    assert run("conversations delete", told["conversation"], "--yes")["certificate"]["genuine"]


def remembering(run: Shell, _: Path) -> None:
    fact = run("memory add", DOG, "--subject", "dog", "--attribute", "name")["item"]
    assert run("memory edit", fact["id"], "My dog is called Waffle")["item"]["text"].endswith("Waffle")
    (fact,) = run("memory list")["items"]
    assert run("memory pin", fact["id"])["item"]["pinned"]
    assert run("memory archive", fact["id"])["item"]["state"] == "archived"
    assert run("memory changes")["changes"][0]["act"] == "archive"
    run("memory undo")
    assert run("memory search", "Waffle")["items"]
    assert run("memory show", fact["id"])["history"]
    assert len(run("memory history")["items"]) == 2
    assert run("memory history", "--at", "2200-01-01")["at"]
    assert run("memory stats")["counts"]["fact"]
    (found,) = run("memory consider", "I live in Lisbon")["decisions"]
    assert found["quote"] in "I live in Lisbon"
    assert run("memory consider", "--store", "I live in Lisbon")["decisions"]
    assert run("memory forget", "--about", "Waffle", "--dry-run")["plan"]["ticked"]
    assert run("memory forget", fact["id"], "--yes")["certificate"]["checks"]
    assert run("memory certificates")["certificates"]
    assert run("memory tombstones")["tombstones"]


def redacting(run: Shell, _: Path) -> None:
    told = run("ask", "My card is 4111 1111 1111 1111, please keep it")
    (message, _answer) = run("conversations show", told["conversation"])["messages"]
    run("memory redact", message["id"], "--yes")


def reviewing(run: Shell, tmp: Path) -> None:
    listed = tmp / "listed.txt"
    listed.write_text(
        "[2026-03-01] - I live in Lisbon\n[2026-03-02] - I play the cello\n[unknown] - I have a boat\n"
    )
    assert run("import", str(listed), "--format", "lines")["added"]
    waiting = run("memory review")["items"]
    assert run("memory show", waiting[0]["id"])["item"]["reason"]
    assert len(waiting) == 3
    run("memory review accept", waiting[0]["id"])
    run("memory review edit", waiting[1]["id"], "I play the viola")
    run("memory review reject", waiting[2]["id"], "--always")


def ruling(run: Shell, _: Path) -> None:
    rule = run("memory rule add", "Answer in one sentence")["item"]
    rule = run("memory rule edit", rule["id"], "Answer in two sentences")["item"]
    assert rule["version"] == 2
    assert run("memory list")["items"][0]["kind"] == "rule"
    (first, _) = run("memory rule list", "--all")["items"]
    run("memory rule back", first["id"])
    (rule,) = run("memory rule list")["items"]
    run("memory rule retire", rule["id"])


def working(run: Shell, _: Path) -> None:
    told = run("ask", "I want to plan a trip to Oslo. Where do I begin?")
    assert run("memory working")["working"]["goal"] == "I want to plan a trip to Oslo."
    run("memory working add", "step", "book the boat")
    run("memory working add", "known", "two people")
    run("memory working add", "question", "Which boat?")
    run("memory working edit", "step-1", "book the night boat")
    ticked = run("memory working tick", "step-1", "-c", told["conversation"])["working"]
    assert ticked["steps"] == [{"text": "book the night boat", "status": "done"}]
    assert run("memory working remove", "known-1")["working"]["known"] == []
    assert run("memory working clear")["working"]["goal"] is None


def looking_back(run: Shell, _: Path) -> None:
    run.lines("chat", "--plain", text="I want to plan a trip to Oslo.\n/quit\n")
    (episode,) = [one for one in run("memory list")["items"] if one["kind"] == "episode"]
    assert run("memory show", episode["id"])["item"]["goal"] == "I want to plan a trip to Oslo"
    assert run("memory archive", episode["id"])["item"]["state"] == "archived"
    assert episode["id"] not in [one["id"] for one in run("memory list")["items"]]
    assert episode["id"] in [one["id"] for one in run("memory list", "--all")["items"]]
    assert run("memory archive", episode["id"], "--off")["item"]["state"] == "active"


def moving(run: Shell, tmp: Path) -> None:
    run("memory add", DOG)
    assert run("export", str(tmp / "memory.age"))["encrypted"]
    assert run("import", str(tmp / "memory.age"))["same"]
    broken = tmp / "mem0.json"
    broken.write_text('[{"id": "1", "memory": "I live in Lisbon"}, 7]')
    assert run("import", str(broken), "--format", "mem0", code=3)["skipped"]


def keeping(run: Shell, tmp: Path) -> None:
    run("memory add", DOG)
    assert run("vault backup", str(tmp / "copy"))["backup"]["opens_with"]
    run("vault backup")
    assert run("vault status")["kept_backups"]
    assert run("vault check")["backups"]
    assert run("vault backups list")["backups"]
    (run.home / "vault" / "backups" / "rotten").mkdir()
    assert run("vault check")["unreadable_backups"] == ["rotten"]
    assert run("vault backups remove", "rotten", "--yes")["removed"] == ["rotten"]
    assert run("vault restore", str(tmp / "copy"), "--yes")["replaced"]
    (run.home / "vault" / "vault.key").write_bytes(b"rot")
    assert run("vault restore", str(tmp / "copy"), "--key-only")["replaced"]
    assert run("vault slots list")["slots"]
    added = run("vault slots add", "recovery", "--unconfirmed")
    assert added["key"]
    assert run("vault slots remove", added["slot"])["slots"]
    assert run("vault recovery", "--unconfirmed")["key"]
    assert run("vault rotate", "--yes")["dropped"]
    assert run("vault salvage", str(tmp / "saved"))["rows"]
    run("vault lock")
    run.monkeypatch.setenv("LOCKET_NEW_PASSPHRASE", OTHER)
    run("vault passphrase")
    shutil.rmtree(run.home / "vault")
    assert not run("vault status", code=10)["exists"]
    run("vault init")
    (run.home / "vault" / "vault.key").write_bytes(b"nonsense")
    assert run("vault status", code=15)["problem"]


def models(run: Shell, tmp: Path) -> None:
    file = tmp / "tiny.gguf"
    file.write_bytes(gguf(CHAT))
    run("model add", str(file))
    inside = run.home / "models" / "tiny.gguf"
    inside.write_bytes(file.read_bytes())
    assert run("model list")["installed"]
    run("model info", "tiny")
    assert run("model info", load_catalogue()[0].name)["licence"]
    run("model use", "tiny")
    (run.home / "models" / "other").mkdir()
    (run.home / "models" / "other" / "modules.json").write_text("[]")
    run("memory add", DOG)
    assert run("model reembed", "other")["in_use"]
    engines = ScriptedEngines(ScriptedChat(), Other())
    run.monkeypatch.setattr("assistant.runtimes.LocalRuntimes", lambda _: engines)
    run("model reembed", "other")
    assert [one["state"] for one in run("model embedders")["embedders"]] == ["kept", "active"]
    assert run("model drop-embedder", "hash-384", "--yes")["dropped"]["vectors"]
    run.monkeypatch.setattr("models.bench.bench_model", _measured)
    assert run("model bench", "tiny")["rows"]
    run("model remove", "tiny", "--yes")
    run.monkeypatch.setattr("models.pull.pull", lambda name, folder, *_: folder / name)
    run("model pull", load_catalogue()[0].name)
    assert run("model setup", "--yes")["fetched"]
    run("model remote", "http://127.0.0.1:9")
    assert run("model remote-key", text="a key\n")["kept"]


def _measured(*_: object, **__: object) -> list[BenchRow]:
    return [BenchRow(1, 2, 0.5, 100, 50.0, 10.0, 200.0)]


def measuring(run: Shell, tmp: Path) -> None:
    fact = run("memory add", DOG)["item"]
    assert run("eval add", "What is my dog called?", "--should", fact["id"])["added"]
    assert run("eval run", "--golden", "--answers")["results"][0]["passed"]
    (tmp / "set.json").write_text(json.dumps(TINY_SET))
    assert run("eval run", "--dataset", str(tmp / "set.json"), "--no-embedder")["overall"]
    assert run("eval report")["runs"]
    kept = run("eval run", "--golden")["results"][0]["id"]
    assert run("eval remove", kept)["removed"] == kept


def looking_around(run: Shell, _: Path) -> None:
    run("paths")
    run("config")
    run("config", "lock_minutes")
    assert run("doctor", code=1)["findings"]


STORIES: dict[Callable[[Shell, Path], None], frozenset[str]] = {
    talking: frozenset(
        {"ask", "memory why", *(f"conversations {verb}" for verb in ("list", "show", "search", "export", "delete"))}
    ),
    remembering: frozenset(
        f"memory {verb}"
        for verb in (
            "add", "edit", "list", "pin", "archive", "changes", "undo", "search", "show", "history", "stats", "consider",
            "forget", "certificates", "tombstones",
        )
    ),
    redacting: frozenset({"memory redact"}),
    reviewing: frozenset(
        {"memory review", "memory review accept", "memory review edit", "memory review reject"}
    ),
    ruling: frozenset(f"memory rule {verb}" for verb in ("add", "edit", "list", "back", "retire")),
    working: frozenset({"memory working"})
    | {f"memory working {verb}" for verb in ("add", "edit", "tick", "remove", "clear")},
    looking_back: frozenset({"memory show", "memory archive"}),
    moving: frozenset({"export", "import"}),
    dividing: frozenset(f"profile {verb}" for verb in ("list", "add", "use", "rename", "delete")),
    keeping: frozenset(
        f"vault {verb}"
        for verb in (
            "backup", "backups list", "backups remove", "status", "check", "restore", "slots list", "slots add", "slots remove", "recovery",
            "rotate", "salvage", "lock", "passphrase", "init",
        )
    ),
    models: frozenset(
        f"model {verb}"
        for verb in (
            "add", "list", "info", "use", "bench", "reembed", "embedders", "drop-embedder", "remove", "pull", "setup", "remote", "remote-key",
        )
    ),
    measuring: frozenset({"eval add", "eval remove", "eval run", "eval report"}),
    looking_around: frozenset({"paths", "config", "doctor"}),
}  # fmt: skip


def _verbs(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[str]:
    """Give every verb that takes `--json`, by its words."""
    if words and any("--json" in parameter.opts for parameter in command.params):
        yield " ".join(words)
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _verbs(inner, (*words, name))


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_a_verb_prints_what_is_documented(
    story: Callable[[Shell, Path], None], run: Shell, tmp_path: Path
) -> None:
    story(run, tmp_path)
    assert STORIES[story] <= set(run.seen)


def test_every_verb_is_documented_and_every_documented_verb_exists() -> None:
    """A table that is no verb is an object, and some field is of its kind."""
    verbs = set(_verbs(cli))
    assert verbs - set(documented()) == set()
    kinds = {
        kind.strip("[]") for shape in documented().values() for one in shape.values() for kind in one.types
    }
    assert set(documented()) - verbs - kinds == set()
    assert kinds - PRIMITIVES - set(documented()) == set()


def test_every_documented_verb_is_run_here() -> None:
    assert set(_verbs(cli)) - NO_OBJECT - frozenset().union(*STORIES.values()) == set()


def test_lines_of_json_are_answered_line_by_line(run: Shell) -> None:
    given = '{"text": "I live in Lisbon"}\nnonsense\n'
    good, bad = map(json.loads, run.lines("memory consider", "-", code=3, text=given))
    assert good.pop("format") == FORMAT
    assert list(differences(good, "memory consider")) == []
    assert set(bad) == {"format", "line", "error"}


def test_a_verb_that_fails_prints_no_object(run: Shell) -> None:
    assert run.lines("memory show", "nothing", "--json", code=2) == []
