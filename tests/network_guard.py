"""Refuses the network to the process it is switched on in.

Owns one audit hook, which sees what the socket module is asked for before it happens. Sockets between
processes of this machine are no network. The surprise: a refused attempt is remembered as well as raised,
so that code which swallows the error is still found out. A hook cannot be taken off again, hence one a process.
"""

import ipaddress
import socket
import sys
from typing import Any

_WITH_ADDRESS = frozenset({"socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"})
_BY_NAME = frozenset({"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"})
_LOOPBACK_NAMES = frozenset({"localhost", "localhost.localdomain", ""})


class NetworkForbidden(AssertionError):  # noqa: N818 - says what happened
    """A test, or what it tests, reached for the network."""


class NetworkGuard:
    """What is allowed at present, and what was tried all the same."""

    def __init__(self) -> None:
        self.active = False
        self.loopback_allowed = False
        self.attempts: list[str] = []

    def install(self) -> None:
        """Start watching; until `active` is set everything is allowed."""
        sys.addaudithook(self._watch)

    def _watch(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.active or not event.startswith("socket."):
            return
        if event in _WITH_ADDRESS:
            self._judge_address(event, *arguments[:2])
        elif event in _BY_NAME:
            self._judge_host(event, arguments[0])

    def _judge_address(self, event: str, asking: socket.socket, address: object) -> None:
        if asking.family not in {socket.AF_INET, socket.AF_INET6} or not isinstance(address, tuple):
            return
        self._judge_host(event, address[0])

    def _judge_host(self, event: str, host: str | bytes | None) -> None:
        name = host.decode("ascii", "replace") if isinstance(host, bytes) else host or ""
        if self.loopback_allowed and _is_loopback(name):
            return
        self.attempts.append(f"{event} {name!r}")
        raise NetworkForbidden(f"{event} {name!r}: tests run without a network")


def _is_loopback(name: str) -> bool:
    if name in _LOOPBACK_NAMES:
        return True
    try:
        return ipaddress.ip_address(name.partition("%")[0]).is_loopback
    except ValueError:
        return False
