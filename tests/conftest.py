"""What holds for every test: no connection leaves the machine, and a run can be repeated."""

import ipaddress
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import settings

# The same examples on every machine, and no limit of time that a busy one would break.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> Iterator[None]:
    """Refuse connections and name look-ups beyond this machine; loopback and Unix sockets work."""
    with pytest.MonkeyPatch.context() as patch:
        for method in ("connect", "connect_ex"):
            patch.setattr(socket.socket, method, _guarded_method(getattr(socket.socket, method)))
        patch.setattr(socket.socket, "sendto", _guarded_method(socket.socket.sendto))
        patch.setattr(socket, "getaddrinfo", _guarded_lookup(socket.getaddrinfo))
        yield


def _guarded_method(original: Callable[..., Any]) -> Callable[..., Any]:
    """`original`, a socket method whose last argument is an address, for this machine only."""

    def guarded(self: socket.socket, *args: Any) -> Any:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            _refuse_unless_local(args[-1][0])
        return original(self, *args)

    return guarded


def _guarded_lookup(original: Callable[..., Any]) -> Callable[..., Any]:
    """`original`, a name look-up, for this machine only."""

    def guarded(host: str | bytes | None, *args: Any, **kwargs: Any) -> Any:
        _refuse_unless_local(host)
        return original(host, *args, **kwargs)

    return guarded


def _refuse_unless_local(host: str | bytes | None) -> None:
    name = host.decode() if isinstance(host, bytes) else host
    if not _is_local(name):
        raise RuntimeError(
            f"A test tried to reach {name!r}. Tests use no network: pass a double, or serve on 127.0.0.1."
        )


def _is_local(name: str | None) -> bool:
    if name in (None, "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(str(name)).is_loopback
    except ValueError:
        return False
