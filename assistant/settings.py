"""What a person may set, read once at the start: defaults, then the TOML file, then the environment, then flags.

Owns the names and ranges of settings. An unknown key is an error that suggests the nearest known one. Below
this module nothing reads the environment.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from assistant.paths import Paths


class SettingsError(Exception):
    """A setting cannot be taken as it is; the message names it and the way out."""


class PassphraseError(SettingsError):
    """The passphrase does not come from where it should; the message says from where else it may."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting, validated."""

    paths: Paths
    profile: str = "default"
    model: str = ""
    """A catalogue name, a file name in the models folder, or a path; empty takes the best one found."""
    embedder: str = ""
    """A catalogue name, a GGUF file or a sentence-transformers folder; empty takes the best one found."""
    persona: str = ""
    """A sentence about how Locket should be; part of every prompt, unless a profile has its own (/persona)."""
    window: int = 16384
    """Tokens of the model's window to use, at most what the file and memory allow."""
    max_answer: int = 1024
    """Tokens of one answer at most."""
    temperature: float = 0.7
    repeat_penalty: float = 1.1
    """How much less likely the last words of an answer become, so that small models end their lists; 1 is off."""
    seed: int = -1
    """Fixed sampling seed; -1 draws one."""
    threads: int = 0
    """Threads for writing answers; 0 leaves one core free."""
    threads_batch: int = 0
    """Threads for reading prompts; 0 takes every core."""
    batch: int = 128
    """Tokens of a prompt read at a time: more is hardly faster without a graphics card, and stops later."""
    gpu_layers: int = 0
    """Layers of the model put on a graphics card, where llama.cpp was built for one; -1 puts all there."""
    remember: bool = True
    """Whether anything said becomes a memory."""
    model_memories: str = "auto"
    """What becomes of memories a model proposes: "review", "keep" or "auto" (kept from about 1.5B parameters)."""
    lock_minutes: int = 10
    """Idle minutes before Locket locks itself; 0 never does."""
    keyring: bool = True
    """Whether the system's keyring may unlock the store, where a key slot was made for it."""
    theme: str = "locket-dark"
    keymap: Mapping[str, str] = field(default_factory=dict)
    """Keys by the id of their binding."""
    remote_url: str = ""
    """Base address of a server the user runs; empty keeps everything on this computer."""
    remote_model: str = ""
    remote_incognito: bool = False
    """Whether incognito conversations may use the remote server."""
    incognito_recall: bool = False
    """Whether an incognito conversation may read what is remembered; it writes nothing either way."""
    now: datetime | None = None
    """A fixed clock, for tests and demonstrations."""
    cheap_kdf: bool = False
    """Tests only: a passphrase derivation that protects nothing."""


RANGES: dict[str, tuple[float, float]] = {
    "window": (4096, 1_048_576),
    "max_answer": (16, 65536),
    "temperature": (0, 2),
    "repeat_penalty": (1, 2),
    "threads": (0, 512),
    "threads_batch": (0, 512),
    "batch": (16, 2048),
    "gpu_layers": (-1, 1000),
    "lock_minutes": (0, 1440),
    "seed": (-1, 2**32 - 2),
}
YEARS = range(1970, 3000)
"""What a fixed clock may show."""
CHOICES = {
    "model_memories": ("auto", "review", "keep"),
    "theme": ("locket-dark", "locket-light", "locket-contrast"),
}
FILE_KEYS = frozenset(f.name for f in fields(Settings)) - {"paths", "now", "cheap_kdf"}
ENVIRONMENT = {
    "LOCKET_PROFILE": "profile",
    "LOCKET_MODEL": "model",
    "LOCKET_EMBEDDER": "embedder",
    "LOCKET_THEME": "theme",
    "LOCKET_WINDOW": "window",
    "LOCKET_TEMPERATURE": "temperature",
    "LOCKET_SEED": "seed",
}


def load_settings(environment: Mapping[str, str], flags: Mapping[str, Any] | None = None) -> Settings:
    """Return the settings in force; raise SettingsError for a key or value that cannot be taken."""
    paths = Paths.find(environment)
    settings = _with(Settings(paths), _read_file(paths.config), str(paths.config))
    named = {name: environment[variable] for variable, name in ENVIRONMENT.items() if variable in environment}
    settings = _with(settings, named, "the environment")
    if text := environment.get("LOCKET_NOW"):
        settings = replace(settings, now=_instant(text))
    if environment.get("LOCKET_TEST_CHEAP_KDF") == "1":
        settings = replace(settings, cheap_kdf=True)
    return _with(settings, {k: v for k, v in (flags or {}).items() if v is not None}, "the command line")


def _read_file(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"cannot read {path}: {error}") from error
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path} is not valid TOML: {error}") from error


def _with(settings: Settings, values: Mapping[str, Any], where: str) -> Settings:
    changes: dict[str, Any] = {}
    for name, value in values.items():
        if name not in FILE_KEYS:
            near = difflib.get_close_matches(name, FILE_KEYS, n=1, cutoff=0.0)
            raise SettingsError(f"{where} sets {name!r}, which is no setting; did you mean {near[0]!r}?")
        changes[name] = _checked(name, value, getattr(settings, name), where)
    return replace(settings, **changes)


def _checked(name: str, value: object, present: object, where: str) -> object:
    expected = type(present) if not isinstance(present, Mapping) else dict
    try:
        taken = _converted(value, expected)
    except ValueError:
        raise SettingsError(f"{where} sets {name} to {value!r}; it must be {_word(expected)}") from None
    if name in RANGES and isinstance(taken, int | float):
        low, high = RANGES[name]
        if not low <= taken <= high:
            raise SettingsError(f"{where} sets {name} to {taken}; it must be between {low:g} and {high:g}")
    if isinstance(taken, str) and taken and not taken.isprintable():
        raise SettingsError(f"{where} sets {name} to {taken!r}; it must be one line that can be read")
    if name == "remote_url" and taken:
        _check_address(str(taken), where)
    if name in CHOICES and taken not in CHOICES[name]:
        raise SettingsError(f"{where} sets {name} to {taken!r}; it must be one of {', '.join(CHOICES[name])}")
    return taken


def _check_address(address: str, where: str) -> None:
    """Refuse what is no server's address, without repeating it: there may be a password in it."""
    from models.errors import RemoteFailed  # noqa: PLC0415 - only who uses a server needs this
    from models.remote_line import RemoteAddress  # noqa: PLC0415 - nothing is connected to

    try:
        RemoteAddress(address).check()
    except RemoteFailed as error:
        raise SettingsError(f"{where} sets remote_url to what cannot be used. {error}") from None


def _converted(value: object, expected: type) -> object:
    if expected is dict:
        if isinstance(value, Mapping) and all(isinstance(v, str) for v in value.values()):
            return dict(value)
        raise ValueError
    if expected is bool:
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in ("true", "false"):
            return value.lower() == "true"
        raise ValueError
    if isinstance(value, bool):
        raise ValueError  # noqa: TRY004 - the caller words it
    if expected is int and isinstance(value, int | str):
        return int(value)
    if expected is float and isinstance(value, int | float | str):
        return float(value)
    if expected is str and isinstance(value, str):
        return value
    raise ValueError


def _word(expected: type) -> str:
    return {
        dict: "a table of texts",
        bool: "true or false",
        int: "a whole number",
        float: "a number",
        str: "a text",
    }[expected]


def _instant(text: str) -> datetime:
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        raise SettingsError(f"LOCKET_NOW is {text!r}; it must be an ISO 8601 time") from None
    if instant.year not in YEARS:
        raise SettingsError(f"LOCKET_NOW is {text!r}; its year must be from {YEARS[0]} to {YEARS[-1]}")
    return instant if instant.tzinfo else instant.astimezone()


def write_setting(path: Path, name: str, value: str | float | bool) -> None:
    """Set one key in the config file and keep the rest of it, comments included."""
    import tomlkit  # noqa: PLC0415 - only the few verbs that write settings need it

    if name not in FILE_KEYS:
        raise SettingsError(f"{name!r} is no setting")
    try:
        document = tomlkit.parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        document = tomlkit.document()
    document[name] = value
    path = path.resolve()  # a link stays a link: settings are often kept elsewhere
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = path.with_name(path.name + ".new")
    temporary.write_text(tomlkit.dumps(document), encoding="utf-8")
    temporary.replace(path)
