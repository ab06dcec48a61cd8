"""What holds for every test: no connection leaves the machine, a run can be repeated, matrices run on request."""

import gc
import ipaddress
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# The same examples on every machine, and no limit of time that a busy one would break.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")

BEGAN = time.monotonic()
MATRIX_FILES = "matrix_*.py"
"""Files that check every offer, mutation or hostile input; not even collected unless they are asked for."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Look for no garbage while collecting: what is made then is kept, and looking costs a quarter of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--matrix", action="store_true", help=f"also run the matrices, {MATRIX_FILES}")
    parser.addoption(
        "--start-within", type=float, metavar="SECONDS", help="skip the tests that would start later"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave matrices out unless `--matrix`, `-m matrix` or the file itself is given."""
    if not collection_path.match(MATRIX_FILES):
        return None
    asked = config.getoption("--matrix") or "matrix" in config.getoption("markexpr").split()
    return None if asked or collection_path in _given_paths(config) else True


def pytest_runtest_setup(item: pytest.Item) -> None:
    seconds = item.config.getoption("--start-within")
    if seconds is not None and time.monotonic() - BEGAN > seconds:
        pytest.skip(f"not started within {seconds:g} seconds; `make test` runs every test")


def pytest_itemcollected(item: pytest.Item) -> None:
    if item.path.name.startswith("matrix_"):
        item.add_marker(pytest.mark.matrix)


def _given_paths(config: pytest.Config) -> set[Path]:
    """The files that the command line names, without the tests in them."""
    folder = config.invocation_params.dir
    return {(folder / argument.partition("::")[0]).resolve() for argument in config.args}


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
