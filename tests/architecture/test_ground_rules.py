"""The fixtures that every other test relies on do what they say."""

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from fixed_clock import START, FixedClock
from network_guard import NetworkForbidden, NetworkGuard

from memory.vault.vault import Vault


def test_a_connection_to_the_outside_is_refused(no_network: NetworkGuard) -> None:
    with socket.socket() as outgoing, pytest.raises(NetworkForbidden):
        outgoing.connect(("192.0.2.1", 443))
    assert no_network.attempts == ["socket.connect '192.0.2.1'"]
    no_network.attempts.clear()


def test_asking_for_an_address_by_name_is_refused(no_network: NetworkGuard) -> None:
    with pytest.raises(NetworkForbidden):
        socket.getaddrinfo("example.org", 443)
    no_network.attempts.clear()


def test_an_attempt_whose_error_is_swallowed_is_still_known(no_network: NetworkGuard) -> None:
    with contextlib.suppress(AssertionError):
        socket.getaddrinfo("example.org", 443)
    assert len(no_network.attempts) == 1
    no_network.attempts.clear()


def test_loopback_needs_its_mark(no_network: NetworkGuard) -> None:
    with socket.socket() as listening, pytest.raises(NetworkForbidden):
        listening.bind(("127.0.0.1", 0))
    no_network.attempts.clear()


@pytest.mark.loopback
def test_a_marked_test_may_talk_to_this_machine_only(no_network: NetworkGuard) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
    with socket.socket() as outgoing, pytest.raises(NetworkForbidden):
        outgoing.connect(("192.0.2.1", 443))
    no_network.attempts.clear()


def test_an_event_loop_is_no_network() -> None:
    assert asyncio.run(asyncio.sleep(0, "done")) == "done"


def test_each_test_has_a_home_of_its_own(locket_home: Path) -> None:
    assert os.environ["LOCKET_HOME"] == str(locket_home)
    assert not locket_home.exists()


def test_a_child_process_sees_the_same_home(locket_home: Path) -> None:
    program = "import os; print(os.environ['LOCKET_HOME'])"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == str(locket_home)


def test_the_clock_moves_only_when_told(fixed_clock: FixedClock) -> None:
    assert fixed_clock() == fixed_clock() == START
    assert fixed_clock.advance(days=1, hours=2) == START + timedelta(hours=26)


def test_the_shared_vault_is_copied_not_lent(vault: Vault, pristine_vault: Path) -> None:
    assert vault.folder != pristine_vault
    assert {"message", "fact", "item", "trace"} <= set(vault.db.table_names())
