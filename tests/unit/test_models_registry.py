import os
from pathlib import Path

import pytest
from gguf_builder import CHAT, gguf

from models import registry
from models.catalogue import HubSource, WheelSource, find_entry, get_entry, load_catalogue
from models.errors import ModelChanged, ModelError, ModelMissing, ModelUnusable, NotAChatModel
from models.hashes import BOOK_NAME, HashBook, hash_file

EMBEDDER = {**CHAT, "general.architecture": "bert"}


def put(folder: Path, name: str, entries: dict[str, object] = CHAT) -> Path:
    path = folder / name
    path.write_bytes(gguf(entries))
    return path


def test_every_model_of_the_catalogue_is_complete() -> None:
    for entry in load_catalogue():
        assert len(entry.sha256) == 64
        assert entry.size > 1_000_000
        assert entry.memory > 0
        assert entry.licence
        assert entry.roles in {("chat",), ("embed",)}
        assert isinstance(entry.sources[0], HubSource)
        assert isinstance(entry.sources[-1], WheelSource)
        assert all("==" in requirement for requirement in entry.sources[-1].requirements)


def test_the_catalogue_has_one_starter_for_each_role() -> None:
    starters = [entry.roles[0] for entry in load_catalogue() if entry.starter]
    assert sorted(starters) == ["chat", "embed"]


def test_a_model_is_found_by_its_name_or_its_file() -> None:
    entry = get_entry("smollm2-135m")
    assert find_entry(entry.file) is entry
    with pytest.raises(ModelMissing, match=r"smollm2-135m"):
        get_entry("gpt-5")


def test_an_empty_folder_has_no_model(tmp_path: Path) -> None:
    assert registry.list_models(tmp_path) == []
    with pytest.raises(ModelMissing):
        registry.choose_chat(tmp_path)
    with pytest.raises(ModelMissing):
        registry.choose_embedder(tmp_path / "nothing")


def test_the_models_of_a_folder_are_listed_with_what_is_wrong_with_them(tmp_path: Path) -> None:
    put(tmp_path, "chat.gguf")
    put(tmp_path, "vectors.gguf", EMBEDDER)
    put(tmp_path, "mute.gguf", {key: value for key, value in CHAT.items() if "template" not in key})
    (tmp_path / "torn.gguf").write_bytes(b"GGUF")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "modules.json").touch()
    listed = {model.name: (model.role, bool(model.problem)) for model in registry.list_models(tmp_path)}
    assert listed == {
        "chat": ("chat", False),
        "vectors": ("embed", False),
        "mute": ("chat", True),
        "torn": ("", True),
        "folder": ("embed", False),
    }


def test_the_only_usable_model_is_chosen(tmp_path: Path) -> None:
    path = put(tmp_path, "mine.gguf")
    put(tmp_path, "vectors.gguf", EMBEDDER)
    (tmp_path / "torn.gguf").write_bytes(b"GGUF")
    found = registry.choose_chat(tmp_path)
    assert (found.name, found.path, found.sha256) == ("mine", path, hash_file(path))
    assert registry.choose_embedder(tmp_path).name == "vectors"


@pytest.mark.parametrize("wanted", ["mine", "mine.gguf", "{folder}/mine.gguf"])
def test_a_model_can_be_wanted_by_name_file_or_path(tmp_path: Path, wanted: str) -> None:
    put(tmp_path, "mine.gguf")
    put(tmp_path, "other.gguf")
    assert registry.choose_chat(tmp_path, wanted.format(folder=tmp_path)).name == "mine"


@pytest.mark.parametrize("wanted", ["~nobody-at-all/m.gguf", "a" * 400, "~"], ids=["nobody", "long", "home"])
def test_a_name_that_no_disk_takes_is_a_model_that_is_not_there(tmp_path: Path, wanted: str) -> None:
    with pytest.raises(ModelMissing):
        registry.choose_chat(tmp_path, wanted)


def test_a_wanted_model_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="unicorn"):
        registry.choose_chat(tmp_path, "unicorn")


def test_a_model_of_the_other_role_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "chat.gguf")
    put(tmp_path, "vectors.gguf", EMBEDDER)
    with pytest.raises(NotAChatModel):
        registry.choose_chat(tmp_path, "vectors")
    with pytest.raises(ModelUnusable):
        registry.choose_embedder(tmp_path, "chat")


def test_a_file_that_changed_since_its_first_use_is_noticed(tmp_path: Path) -> None:
    put(tmp_path, "mine.gguf")
    registry.choose_chat(tmp_path)
    put(tmp_path, "mine.gguf", {**CHAT, "general.name": "Another"})
    with pytest.raises(ModelChanged, match="used before"):
        registry.choose_chat(tmp_path)


def test_a_file_with_a_known_name_and_other_bytes_is_refused(tmp_path: Path) -> None:
    put(tmp_path, get_entry("smollm2-135m").file)
    with pytest.raises(ModelChanged, match="should"):
        registry.choose_chat(tmp_path)


def test_a_touched_file_with_the_same_bytes_is_the_same_model(tmp_path: Path) -> None:
    path = put(tmp_path, "mine.gguf")
    before = registry.choose_chat(tmp_path)
    os.utime(path, (1, 1))
    assert registry.choose_chat(tmp_path) == before


def test_a_known_hash_is_not_computed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path, "mine.gguf")
    sha256 = HashBook(tmp_path).verify(path)

    def fail(*_: object) -> str:
        raise AssertionError

    monkeypatch.setattr("models.hashes.hash_file", fail)
    assert HashBook(tmp_path).verify(path) == sha256


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"a": 1, "b": {"sha256": 3}}'])
def test_a_damaged_hash_book_costs_only_time(tmp_path: Path, content: bytes) -> None:
    (tmp_path / BOOK_NAME).write_bytes(content)
    put(tmp_path, "mine.gguf")
    assert registry.choose_chat(tmp_path).name == "mine"


def test_a_forgotten_pin_lets_a_new_file_in(tmp_path: Path) -> None:
    path = put(tmp_path, "mine.gguf")
    registry.choose_chat(tmp_path)
    put(tmp_path, "mine.gguf", {**CHAT, "general.name": "Another"})
    HashBook(tmp_path).forget(path)
    assert registry.choose_chat(tmp_path).name == "mine"


def test_a_recommendation_fits_the_machine() -> None:
    assert registry.recommend(memory=16_000_000_000).name == "qwen2.5-coder-1.5b"
    assert registry.recommend(memory=3_000_000_000).name == "qwen2.5-coder-0.5b"
    assert registry.recommend(memory=500_000_000).name == "smollm2-135m"


def test_a_window_is_bounded_by_the_file_and_by_memory(tmp_path: Path) -> None:
    header = registry.list_models(put(tmp_path, "m.gguf").parent)[0].header
    assert header is not None
    assert registry.fitting_window(header, 16_384, memory=64_000_000_000) == 8192
    assert registry.fitting_window(header, 16_384, memory=1_000_000) == registry.MIN_WINDOW


def test_a_path_that_is_a_folder_is_no_chat_model(tmp_path: Path) -> None:
    (tmp_path / "st").mkdir()
    (tmp_path / "st" / "modules.json").touch()
    with pytest.raises(ModelError):
        registry.choose_chat(tmp_path, "st")
    assert registry.choose_embedder(tmp_path, "st").path == tmp_path / "st"
