"""The breakthrough log of a scenario folder: one line per event, with the authors in a separate file.

Lines are appended and never changed. Authors are kept separate, so that experts may read the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.breakthroughs.candidates import (
    BreakthroughCandidate,
    rebuild_candidates_from_events,
)
from impossible_moments.evaluation.breakthroughs.events import CANDIDATE_FORM, EVENT, Event
from impossible_moments.scenarios import hold_file_lock, write_file_atomically

FOLDER: Final = "breakthroughs"
EVENTS: Final = "events.jsonl"
AUTHORS: Final = "authors.jsonl"

T = TypeVar("T")


class AnswerAuthor(BaseModel):
    """The model that gave an answer. Several models may give the same answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    candidate: str = Field(pattern=CANDIDATE_FORM)
    model: str
    run: int
    benchmark: str = ""


class BreakthroughLog:
    """The candidates of a scenario folder."""

    def __init__(self, scenarios: Path) -> None:
        self.folder = scenarios / FOLDER

    @property
    def candidates(self) -> dict[str, BreakthroughCandidate]:
        """All candidates by name, in the order of collection, read from disk each time."""
        return rebuild_candidates_from_events(self._read_lines(EVENTS, EVENT.validate_json))

    @property
    def authors(self) -> tuple[AnswerAuthor, ...]:
        """The authors of all answers."""
        return self._read_lines(AUTHORS, AnswerAuthor.model_validate_json)

    def get_candidate(self, name: str) -> BreakthroughCandidate:
        """Return the candidate of this name. Raises `ConfigurationError` if there is none."""
        found = self.candidates.get(name)
        if found is None:
            raise ConfigurationError(
                f"{name[:40]!a} is not a breakthrough candidate in {self.folder}; `im breakthroughs list` lists them."
            )
        return found

    def list_authors_after_panel_decision(self, candidate: BreakthroughCandidate) -> tuple[str, ...]:
        """Return the models that gave the answer, or nothing until the panel has decided."""
        if not candidate.is_decided:
            return ()
        return tuple(dict.fromkeys(each.model for each in self.authors if each.candidate == candidate.name))

    def add(self, events: Sequence[Event] = (), authors: Sequence[AnswerAuthor] = ()) -> None:
        """Append events and authors. If an event breaks a rule, it raises and writes nothing."""
        earlier = self._read_lines(EVENTS, EVENT.validate_json)
        rebuild_candidates_from_events((*earlier, *events))
        # authors first: an event without an author would be worse than an author without an event
        self._append_lines(AUTHORS, [each for each in authors if each not in self.authors])
        self._append_lines(EVENTS, events)

    def get_page_path(self, name: str) -> Path:
        """Return the path of the readable page of a candidate."""
        return self.folder / f"{name}.md"

    @contextmanager
    def hold_lock(self) -> Iterator[None]:
        """Hold the lock of the folder, so that only one process at a time writes to it."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = self.folder / ".lock"
            lock.touch()
        except OSError as problem:
            raise ConfigurationError(
                f"Cannot write to {self.folder} ({problem.strerror}). Name a scenario folder that you may write to."
            ) from problem
        with hold_file_lock(lock):
            yield

    def _append_lines(self, name: str, lines: Sequence[Event] | Sequence[AnswerAuthor]) -> None:
        if not lines:
            return
        path = self.folder / name
        earlier = path.read_text(encoding="utf-8") if path.exists() else ""
        # the file is replaced as a whole, so an interrupted process leaves no partial line
        write_file_atomically(path, earlier + "".join(f"{each.model_dump_json()}\n" for each in lines))

    def _read_lines(self, name: str, parse_line: Callable[[str], T]) -> tuple[T, ...]:
        path = self.folder / name
        if not path.exists():
            return ()
        found = []
        try:
            # split at \n only: an answer may contain other line separators
            lines = path.read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError):
            raise ConfigurationError(
                f"Cannot read {path}, the log of breakthrough candidates, as text; restore it from a backup."
            ) from None
        for number, line in enumerate(lines, start=1):
            if not line:
                continue
            try:
                found.append(parse_line(line))
            except ValidationError:
                raise ConfigurationError(
                    f"{path}, line {number}, is not a valid entry of the log of breakthrough candidates, which must not be edited. Restore it from a backup."
                ) from None
        return tuple(found)
