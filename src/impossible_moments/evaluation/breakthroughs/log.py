"""The breakthrough log of a folder of scenarios: one line for each event, and who answered, kept apart.

Lines are added and never changed. Who answered stands in a file of its own, so that an expert may read the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.breakthroughs.candidates import Candidate, replayed
from impossible_moments.evaluation.breakthroughs.events import CANDIDATE_FORM, EVENT, Event
from impossible_moments.scenarios.registry import write_whole

try:
    import fcntl
except ImportError:  # no such lock on this system: one process may write at a time
    fcntl = None  # type: ignore[assignment]

FOLDER: Final = "breakthroughs"
EVENTS: Final = "events.jsonl"
AUTHORS: Final = "authors.jsonl"

T = TypeVar("T")


class Author(BaseModel):
    """Who gave an answer; several may give the same."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    candidate: str = Field(pattern=CANDIDATE_FORM)
    model: str
    run: int
    benchmark: str = ""


class BreakthroughLog:
    """The candidates of a folder of scenarios."""

    def __init__(self, scenarios: Path) -> None:
        self.folder = scenarios / FOLDER

    @property
    def candidates(self) -> dict[str, Candidate]:
        """Every candidate by its name, in the order they were collected; read anew each time."""
        return replayed(self._read(EVENTS, EVENT.validate_json))

    @property
    def authors(self) -> tuple[Author, ...]:
        """Who gave which answer."""
        return self._read(AUTHORS, Author.model_validate_json)

    def candidate(self, name: str) -> Candidate:
        """One candidate; one that is not there is a sentence."""
        found = self.candidates.get(name)
        if found is None:
            raise ConfigurationError(
                f"{name[:40]!a} is no candidate of {self.folder}; `im breakthroughs list` names them."
            )
        return found

    def authors_of(self, candidate: Candidate) -> tuple[str, ...]:
        """The models that gave the answer, once the panel has decided; nobody before."""
        if not candidate.decided:
            return ()
        return tuple(dict.fromkeys(each.model for each in self.authors if each.candidate == candidate.name))

    def add(self, events: Sequence[Event] = (), authors: Sequence[Author] = ()) -> None:
        """Add lines. An event that breaks a rule is refused, and then nothing is written."""
        earlier = self._read(EVENTS, EVENT.validate_json)
        replayed((*earlier, *events))
        # an author without an event harms nothing; an event without an author would hide one
        self._append(AUTHORS, [each for each in authors if each not in self.authors])
        self._append(EVENTS, events)

    def page(self, name: str) -> Path:
        """Where the readable page of a candidate lies."""
        return self.folder / f"{name}.md"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """One writer at a time, over all processes of the machine; the lock falls with its process."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = (self.folder / ".lock").open("w")
        except OSError as problem:
            raise ConfigurationError(
                f"{self.folder} cannot be written ({problem.strerror}). Name a folder of scenarios that you may write to."
            ) from problem
        with lock:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _append(self, name: str, lines: Sequence[Event] | Sequence[Author]) -> None:
        if not lines:
            return
        path = self.folder / name
        earlier = path.read_text(encoding="utf-8") if path.exists() else ""
        # written whole and renamed: a process that dies leaves no half line
        write_whole(path, earlier + "".join(f"{each.model_dump_json()}\n" for each in lines))

    def _read(self, name: str, read: Callable[[str], T]) -> tuple[T, ...]:
        path = self.folder / name
        if not path.exists():
            return ()
        found = []
        try:
            # only \n ends a line: an answer may hold any other sign that ends one elsewhere
            lines = path.read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError):
            raise ConfigurationError(f"{path} cannot be read as text; restore it from a copy.") from None
        for number, line in enumerate(lines, start=1):
            if not line:
                continue
            try:
                found.append(read(line))
            except ValidationError:
                raise ConfigurationError(
                    f"{path}, line {number}, is no event of this program; a log is only added to. Restore it from a copy."
                ) from None
        return tuple(found)
