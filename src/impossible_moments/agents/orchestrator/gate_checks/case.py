"""The input of a gate check, and the deficiencies it yields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Final, Protocol, TypeAlias, TypeVar

from impossible_moments.agents.orchestrator.computed import Computations, Computed
from impossible_moments.agents.orchestrator.gate_checks.limits import LOWEST_CONFIDENCE, Limits
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.labels import Labelled
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, ROLES, Phase
from impossible_moments.knowledge.bibliography import Work
from impossible_moments.mechanics.check import Report
from impossible_moments.scenarios.documents import Documents
from impossible_moments.scenarios.embedding import Embedder, Vectors
from impossible_moments.scenarios.similarity import Essence, vectors

D = TypeVar("D", bound=Labelled)

_ORDER: Final = tuple(Phase)


class Remedy(StrEnum):
    """The remedy that a deficiency requires."""

    REVISION = "revision"
    DISCUSSION = "structured discussion"
    HUMAN = "human review"


@dataclass(frozen=True, slots=True)
class Lack:
    """A deficiency that a check found, as a note to the agent that must remedy it."""

    addressee: str
    text: str
    remedy: Remedy = Remedy.REVISION


Reader: TypeAlias = Callable[[str, Report], str | None]
"""Reads a public document and returns why it does not lead to the computed result, or None if it does."""


@dataclass(frozen=True)
class Bench:
    """Everything besides the dossier that gates need to judge one scenario."""

    computations: Computations
    embedder: Embedder
    works: Mapping[str, Work]
    """The works that may be cited, by key."""
    registry: tuple[Essence, ...] = ()
    """The scenarios that exist already."""
    taken: frozenset[str] = frozenset()
    """The identifiers of other scenarios."""
    limits: Limits = field(default_factory=Limits)
    reader: Reader | None = None
    """Tries to solve the public document, if the cast has such a reader."""

    @cached_property
    def registered(self) -> Vectors:
        """The embedding of each scenario of the registry, computed once for all attempts."""
        return vectors(self.registry, self.embedder)


@dataclass(frozen=True)
class Case:
    """A dossier before a gate, with its computed results. It lives for one decision."""

    dossier: Dossier
    bench: Bench
    documents: Documents | None = None

    @property
    def seed(self) -> SeedDocument | None:
        """The newest seed document."""
        return self.dossier.latest(SeedDocument)

    @cached_property
    def computed(self) -> Computed | None:
        """The computed results for the newest seed document."""
        return None if self.seed is None else self.bench.computations.of(self.seed)

    def since_revision(self, kind: type[D]) -> dict[str, D]:
        """Return each author's last deliverable of a kind that is newer than the seed document."""
        found: dict[str, D] = {}
        for entry in self.dossier.entries:
            if isinstance(entry.deliverable, SeedDocument):
                found = {}
            elif isinstance(entry.deliverable, kind):
                found[entry.author] = entry.deliverable
        return found

    def in_phase(self, kind: type[D], phase: Phase) -> dict[str, D]:
        """Return each author's last deliverable of a kind in a phase.

        Deliverables from before a return to an earlier phase are left out.
        """
        found: dict[str, D] = {}
        for entry in self.dossier.entries:
            if _ORDER.index(entry.phase) < _ORDER.index(phase):
                found = {}  # handed in before a redesign, so about an earlier version
            elif entry.phase is phase and isinstance(entry.deliverable, kind):
                found[entry.author] = entry.deliverable
        return found


Check: TypeAlias = Callable[[Case], Iterator[Lack]]
"""Yields what is missing, and nothing if the criterion is met."""


def seed_check(find: Callable[[Case, SeedDocument], Iterator[str]]) -> Check:
    """Make a check of the seed document whose deficiencies go to ATHENA.

    `find` yields a sentence for each deficiency.
    """

    def check(case: Case) -> Iterator[Lack]:
        if case.seed is None:
            yield Lack(ATHENA, "Hand in a seed document: there is none.")
            return
        yield from (Lack(ATHENA, text) for text in find(case, case.seed))

    return check


def report_check(kind: type[D], author: str, find: Callable[[Case, D], Iterator[str]]) -> Check:
    """Make a check of one agent's report, which must be newer than the seed document.

    `find` yields a sentence for each deficiency.
    """

    def check(case: Case) -> Iterator[Lack]:
        report = case.since_revision(kind).get(author)
        if report is None:
            yield Lack(author, f"Hand in a {kind.__name__} on the scenario as it stands: there is none.")
            return
        yield from (Lack(author, text) for text in find(case, report))

    return check


class Confident(Protocol):
    """A deliverable that states its author's confidence."""

    @property
    def confidence(self) -> float:
        """From 0 to 1."""


def confidence_of(author: str, find: Callable[[Case], Confident | None]) -> Check:
    """Make a check of an agent's own confidence.

    Below its threshold it is discussed, and below 0.5 a human decides.
    """

    def check(case: Case) -> Iterator[Lack]:
        report = find(case)
        if report is None:
            yield Lack(author, "Hand in your work with your confidence: there is none.")
            return
        confidence, threshold = report.confidence, case.bench.limits.confidence_of(author)
        if confidence < LOWEST_CONFIDENCE:
            text = f"Your confidence is {confidence:.2f}. Below {LOWEST_CONFIDENCE} a human decides."
            yield Lack(author, text, Remedy.HUMAN)
        elif confidence < threshold:
            text = (
                f"Your confidence is {confidence:.2f}, and {threshold} is needed. "
                "Name what you are unsure of, and what would settle it."
            )
            yield Lack(author, text, Remedy.DISCUSSION)

    return check


def one_from_each(kind: type[Labelled], phase: Phase, what: str) -> Check:
    """Make a check that all five roles have handed in a deliverable of a kind."""

    def check(case: Case) -> Iterator[Lack]:
        given = case.in_phase(kind, phase)
        yield from (
            Lack(agent, f"Hand in your {what}: there is none.") for agent in ROLES if agent not in given
        )

    return check


def is_blank(text: str) -> bool:
    """Return whether a text is empty or a placeholder."""
    return text.strip().strip(".").lower() in _BLANK


_BLANK: Final = frozenset({"", "-", "--", "–", "—", "?", "n/a", "na", "tbd", "todo", "tba", "xxx", "unknown"})
