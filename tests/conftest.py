"""What every test stands on: no network, a home of its own, a clock that stands still, real models on request.

A test that asks for a real model file carries the `model` mark without saying so, and all of those run in
one worker, so that two large models are never in memory at once.
"""

import itertools
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fixed_clock import FixedClock
from hypothesis import HealthCheck, settings
from network_guard import NetworkGuard

import memory.vault.driver  # noqa: F401 - before anything imports sqlite_utils

if TYPE_CHECKING:
    from memory.vault.vault import Vault

IN_CI = os.environ.get("CI") == "true"
PASSPHRASE = "correct horse battery staple"
ARCHIVE_PASSPHRASE = "quite another set of words"
MODEL_FIXTURES = frozenset({"smoke_model", "starter_model", "minilm_folder", "minilm_model"})
KEPT_VARIABLES = frozenset({"LOCKET_TEST_MODELS", "LOCKET_CRASH_KILLS"})

_guard = NetworkGuard()
_guard.install()
_homes = itertools.count()

_patient = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
settings.register_profile("dev", max_examples=25, deadline=None, suppress_health_check=_patient)
settings.register_profile(
    "ci", max_examples=40, deadline=None, derandomize=True, print_blob=True, suppress_health_check=_patient
)
settings.register_profile("nightly", max_examples=5000, deadline=None, suppress_health_check=_patient)
settings.load_profile("ci" if IN_CI else "dev")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need a model file, keep them together and start them first: they take longest."""
    for item in items:
        if MODEL_FIXTURES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("model")
        if item.get_closest_marker("model"):
            item.add_marker(pytest.mark.xdist_group("model"))
    items.sort(key=lambda item: item.get_closest_marker("model") is None)


@pytest.fixture(autouse=True)
def no_network(request: pytest.FixtureRequest) -> Iterator[NetworkGuard]:
    """Forbid the network; `@pytest.mark.loopback` allows this machine talking to itself."""
    _guard.attempts.clear()
    _guard.loopback_allowed = request.node.get_closest_marker("loopback") is not None
    _guard.active = True
    yield _guard
    _guard.active = False
    assert not _guard.attempts, f"the network was tried: {_guard.attempts}"


@pytest.fixture(autouse=True)
def locket_home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the test a home of its own, not yet made, and hide the person's settings from it."""
    for variable in [name for name in os.environ if name.startswith("LOCKET_")]:
        if variable not in KEPT_VARIABLES:
            monkeypatch.delenv(variable)
    home = tmp_path_factory.getbasetemp() / "homes" / str(next(_homes))
    monkeypatch.setenv("LOCKET_HOME", str(home))
    monkeypatch.setenv("LOCKET_TEST_CHEAP_KDF", "1")
    return home


@pytest.fixture
def fixed_clock() -> FixedClock:
    """Give a clock that only the test moves."""
    return FixedClock()


@pytest.fixture(scope="session")
def smoke_model() -> Path:
    """Give the smallest chat model: right for plumbing, useless for answers."""
    return _model_file("smollm2-135m-instruct-q4_1.gguf")


@pytest.fixture(scope="session")
def starter_model() -> Path:
    """Give the model that a new user gets."""
    return _model_file("qwen2.5-coder-0.5b-instruct-q4_k_m.gguf")


@pytest.fixture(scope="session")
def minilm_folder() -> Path:
    """Give the embedding model as a sentence-transformers folder."""
    return _model_file("all-MiniLM-L6-v2")


@pytest.fixture(scope="session")
def minilm_model() -> Path:
    """Give the embedding model as the GGUF file that Locket makes of it."""
    return _model_file("all-minilm-l6-v2-f16.gguf")


def _model_file(name: str) -> Path:
    folder = os.environ.get("LOCKET_TEST_MODELS")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    path = (Path(folder) if folder else cache / "locket" / "models") / name
    if not path.exists():
        reason = f"{path} is missing; `make models-for-tests` fetches it"
        if IN_CI:
            pytest.fail(reason)
        pytest.skip(reason)
    return path


@pytest.fixture
def passphrase() -> str:
    """Give the words that open the vaults of the fixtures below."""
    return PASSPHRASE


@pytest.fixture
def archive_passphrase() -> str:
    """Give the words that encrypt what leaves `unlocked_home`, and open it again."""
    return ARCHIVE_PASSPHRASE


@pytest.fixture(scope="session")
def pristine_vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make one empty vault a session, for copying; never open it in place."""
    from memory.store.migrations import SCHEMA_VERSION, migrate
    from memory.vault.kdf import CHEAPEST
    from memory.vault.vault import create_vault

    folder = tmp_path_factory.mktemp("pristine") / "vault"
    create_vault(
        folder,
        PASSPHRASE,
        params=CHEAPEST,
        migrate=migrate,
        schema_version=SCHEMA_VERSION,
        allow_cheap=True,
    ).close()
    return folder


@pytest.fixture
def vault_folder(pristine_vault: Path, tmp_path: Path) -> Path:
    """Give a fresh, closed vault with every table and nothing in them."""
    return shutil.copytree(pristine_vault, tmp_path / "vault")


@pytest.fixture
def home_with_a_vault(locket_home: Path, pristine_vault: Path) -> Path:
    """Give the test's home a closed vault with every table and nothing in them."""
    shutil.copytree(pristine_vault, locket_home / "vault")
    return locket_home


@pytest.fixture
def unlocked_home(
    home_with_a_vault: Path, passphrase: str, archive_passphrase: str, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Give the same, and every passphrase to the verbs that are run in it."""
    monkeypatch.setenv("LOCKET_PASSPHRASE", passphrase)
    monkeypatch.setenv("LOCKET_ARCHIVE_PASSPHRASE", archive_passphrase)
    return home_with_a_vault


@pytest.fixture
def vault(vault_folder: Path) -> "Iterator[Vault]":
    """Give a fresh vault, open for writing."""
    from memory.store.migrations import SCHEMA_VERSION, migrate
    from memory.vault.keys import Passphrase
    from memory.vault.vault import open_vault

    with open_vault(
        vault_folder,
        Passphrase(PASSPHRASE),
        migrate=migrate,
        schema_version=SCHEMA_VERSION,
        allow_cheap=True,
    ) as opened:
        yield opened
