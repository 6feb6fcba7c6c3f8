"""Downloads files of a model hub through the hub's own client, and goes on where an earlier try stopped.

Owns the unfinished file, the limits and the words for what went wrong; asking, redirecting and transferring
are the client's. Its one-call download is not used, because that throws away what an interrupt left. The
client is loaded here and nowhere else, late; it is told to send no token and to keep quiet about this machine.
"""

import hashlib
import io
import logging
import os
import re
from collections.abc import Callable
from pathlib import Path
from threading import Event

from models.catalogue import HubSource
from models.errors import Interrupted, PullFailed

_PATIENCE_S = 5.0
_BLOCK = 256 * 1024
_HEADERS = {"user-agent": "locket", "accept-encoding": "identity"}
_SHA256 = re.compile(r"[0-9a-f]{64}")

Told = Callable[[str, int, int], None]


def fetch_hub_files(
    source: HubSource,
    folder: Path,
    size: int,
    told: Told,
    stop: Event,
    *,
    hub: str | None = None,
    sha256: str = "",
) -> Path:
    """Download a source's files into a folder, keeping what is already there.

    Without a `hub` the client asks the one it is set up for. A `sha256` that the hub contradicts beforehand
    ends the matter before anything large is sent.
    """
    done = 0
    for name in source.files:
        target = folder / name
        if not target.exists():
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _fetch(source.repo, name, target, 2 * size, _offset(told, done, size), stop, hub, sha256)
        done += target.stat().st_size
    return folder


def _offset(told: Told, before: int, size: int) -> Callable[[int], None]:
    """Tell the progress of one file as a part of the whole."""
    return lambda done: told("downloading", before + done, size)


def _fetch(
    repo: str,
    name: str,
    target: Path,
    limit: int,
    told: Callable[[int], None],
    stop: Event,
    hub: str | None,
    sha256: str,
) -> None:
    """Ask what a file is, fetch what is missing of it, and give it its name once it is whole."""
    try:
        import httpx2  # noqa: PLC0415 - nothing but a download may load what reaches the network
        from huggingface_hub import close_session, constants, get_hf_file_metadata, hf_hub_url  # noqa: PLC0415
        from huggingface_hub.file_download import http_get  # noqa: PLC0415
        from huggingface_hub.utils.tqdm import silent_tqdm  # noqa: PLC0415
    except ImportError as error:
        raise PullFailed("The hub's client (the package huggingface-hub) is not installed.") from error
    except ValueError as error:  # it reads the environment when it is loaded
        raise PullFailed("The hub's client does not take its HF_… settings in the environment.") from error
    # Else it asks the hub, and notes in a file, which programs may be driving this one.
    constants.HF_HUB_DISABLE_TELEMETRY = True
    # What of a block has come when a connection breaks is lost, and a stop waits for a block's end.
    constants.DOWNLOAD_CHUNK_SIZE = _BLOCK
    logging.getLogger("huggingface_hub").setLevel(logging.CRITICAL)
    url = hf_hub_url(repo, name, endpoint=hub)
    try:
        found = get_hf_file_metadata(url, token=False, timeout=_PATIENCE_S, headers=_HEADERS, endpoint=hub)
        _refuse_others(found.size, found.etag, limit, sha256)
        with _Partial(_partial_path(target, found.etag), found.size or limit, told, stop) as partial:
            have = partial.keep(found.size)
            http_get(
                url,
                partial,
                resume_size=have,
                headers=_HEADERS,
                expected_size=found.size,
                tqdm_class=silent_tqdm,
            )
            os.fsync(partial.fileno())
    except (OSError, httpx2.HTTPError, httpx2.InvalidURL, ImportError, ValueError) as error:
        raise PullFailed(f"The hub did not give {target.name} ({_reason(error)}).") from error
    finally:
        close_session()
    _partial_path(target, found.etag).replace(target)


def _refuse_others(size: int | None, etag: str | None, limit: int, sha256: str) -> None:
    """Refuse what the hub itself says is something else; small files go by another kind of hash."""
    if size is not None and size > limit:
        raise PullFailed("The hub offers a file far larger than the catalogue says.")
    if sha256 and etag and _SHA256.fullmatch(etag) and etag != sha256:
        raise PullFailed("The hub has other bytes under this name than the catalogue says.")


def _partial_path(target: Path, etag: str | None) -> Path:
    """Name an unfinished file after the version it is of, so that two versions are never joined."""
    version = hashlib.sha256((etag or "").encode("utf-8", "replace")).hexdigest()[:12]
    return target.with_name(f"{target.name}.{version}.partial")


class _Partial(io.FileIO):
    """An unfinished file, as the client writes to it: it counts, tells, and ends what goes too far."""

    def __init__(self, path: Path, limit: int, told: Callable[[int], None], stop: Event) -> None:
        for other in path.parent.glob(f"{path.name.rsplit('.', 2)[0]}.*.partial"):
            if other != path:
                other.unlink()
        path.touch(mode=0o600)
        super().__init__(path, "r+")
        self._limit = limit
        self._told = told
        self._stop = stop

    def keep(self, size: int | None) -> int:
        """Go to the end of what can be continued, and give its length."""
        have = self.seek(0, io.SEEK_END)
        if size is None or have > size:
            self.truncate(0)
            have = self.seek(0)
        return have

    def write(self, block: "bytes | bytearray | memoryview") -> int:  # type: ignore[override]
        """Write a whole block, where the file itself might take a part of it."""
        rest = memoryview(block)
        while rest:
            rest = rest[super().write(rest) or 0 :]
        have = self.tell()
        self._told(have)
        if have > self._limit:
            raise PullFailed("The hub sends more than it or the catalogue says.")
        if self._stop.is_set():
            raise Interrupted("The download was stopped; it goes on from here next time.")
        return len(block)


def _reason(error: Exception) -> str:
    """Say in few words why a hub gave nothing."""
    from huggingface_hub import errors  # noqa: PLC0415

    match error:
        case errors.GatedRepoError():
            return "it wants an account that has agreed to the model's terms"
        case errors.RepositoryNotFoundError():
            return "it has no such repository, or keeps it to itself"
        case errors.RemoteEntryNotFoundError():
            return "it has no such file"
        case errors.OfflineModeIsEnabled():
            return "HF_HUB_OFFLINE is set, so it was not asked"
        case errors.HfHubHTTPError(response=response):
            return f"answer {response.status_code}"
        case ImportError():
            return "the proxy that is set is of a kind that needs another package"
        case ValueError():
            return "its address, or that of the proxy that is set, is none"
        case OSError(errno=int(), strerror=str(words)):
            return words
        case OSError():
            return "it ended before the file did"
        case _:
            return type(error).__name__
