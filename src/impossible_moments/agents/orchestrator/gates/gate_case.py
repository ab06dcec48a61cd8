"""The input of a gate check, and the deficiencies it yields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Final, Protocol, TypeAlias, TypeVar

from impossible_moments.agents.orchestrator.gates.gate_limits import GateLimits
from impossible_moments.agents.orchestrator.seed_changes import RESTS_ON, collect_current_deliverables
from impossible_moments.agents.orchestrator.seed_computation import SeedComputation, SeedComputationCache
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.dossier import Dossier, RevisionDemand
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.thresholds import LOWEST_CONFIDENCE
from impossible_moments.domain.vocabulary import ATHENA, ROLES, Phase
from impossible_moments.library import CitedWork
from impossible_moments.mechanics.checks import CheckReport
from impossible_moments.scenarios import ScenarioDocuments
from impossible_moments.scenarios.similarity import Corpus, Embedder

D = TypeVar("D", bound=LabelledModel)


class Remedy(StrEnum):
    """The remedy that a deficiency requires."""

    REVISION = "revision"
    SUBMISSION = "missing deliverable"
    """Nothing has to be changed: the phase asks for the deliverable when it is repeated."""
    DISCUSSION = "structured discussion"
    HUMAN = "human review"


@dataclass(frozen=True, slots=True)
class CheckDeficiency:
    """A deficiency that a check found, as a note to the agent that must remedy it."""

    addressee: str
    text: str
    remedy: Remedy = Remedy.REVISION
    demand: RevisionDemand | None = None
    """The change demanded by an agent or a finding. None if the text itself is the demand."""

    @classmethod
    def from_demand(cls, addressee: str, demand: RevisionDemand) -> CheckDeficiency:
        """Return the deficiency that repeats a demand word for word."""
        said = " ".join(filter(None, (demand.demand, demand.evidence, demand.proposal)))
        about = f" on {demand.subject}" if demand.subject else ""
        return cls(addressee, f"{demand.demanded_by}{about}: {said}", demand=demand)


Reader: TypeAlias = Callable[[str, CheckReport], str | None]
"""Reads a public document and returns why it does not lead to the computed result, or None if it does."""


@dataclass(frozen=True)
class GateResources:
    """Everything besides the dossier that gates need to judge one scenario."""

    computations: SeedComputationCache
    embedder: Embedder
    works: Mapping[str, CitedWork]
    """The works that may be cited, by key."""
    corpus: Corpus | None = None
    """The scenarios that exist already, or None if there are none."""
    taken_ids: frozenset[str] = frozenset()
    """The identifiers of other scenarios."""
    limits: GateLimits = field(default_factory=GateLimits)
    reader: Reader | None = None
    """Tries to solve the public document, if the cast has such a reader."""


@dataclass(frozen=True)
class GateCase:
    """A dossier before a gate, with its computed results. It lives for one decision."""

    dossier: Dossier
    resources: GateResources
    documents: ScenarioDocuments | None = None

    @property
    def seed(self) -> SeedDocument | None:
        """The newest seed document."""
        return self.dossier.find_latest_deliverable(SeedDocument)

    @cached_property
    def computed(self) -> SeedComputation | None:
        """The computed results for the newest seed document."""
        return None if self.seed is None else self.resources.computations.get_computation(self.seed)

    def collect_deliverables_since_revision(self, kind: type[D]) -> dict[str, D]:
        """Return each author's last deliverable of a kind that is about the seed document as it stands."""
        return collect_current_deliverables(self.dossier, kind)


Check: TypeAlias = Callable[[GateCase], Iterator[CheckDeficiency]]
"""Yields what is missing, and nothing if the criterion is met."""


def make_seed_check(
    find_deficiencies: Callable[[GateCase, SeedDocument], Iterator[str | RevisionDemand]],
) -> Check:
    """Make a check of the seed document whose deficiencies go to ATHENA.

    `find_deficiencies` yields a sentence or a demand for each deficiency.
    """

    def check_seed(case: GateCase) -> Iterator[CheckDeficiency]:
        if case.seed is None:
            yield CheckDeficiency(ATHENA, "Hand in a seed document: there is none.", Remedy.SUBMISSION)
            return
        for found in find_deficiencies(case, case.seed):
            if isinstance(found, RevisionDemand):
                yield CheckDeficiency.from_demand(ATHENA, found)
            else:
                yield CheckDeficiency(ATHENA, found)

    return check_seed


def make_report_check(
    kind: type[D], author: str, find_deficiencies: Callable[[GateCase, D], Iterator[str]]
) -> Check:
    """Make a check of one agent's report, which must be newer than the seed document.

    `find_deficiencies` yields a sentence for each deficiency.
    """

    def check_report(case: GateCase) -> Iterator[CheckDeficiency]:
        report = case.collect_deliverables_since_revision(kind).get(author)
        if report is None:
            text = f"Hand in a {kind.__name__} on the scenario as it stands: there is none."
            yield CheckDeficiency(author, text, Remedy.SUBMISSION)
            return
        yield from (CheckDeficiency(author, text) for text in find_deficiencies(case, report))

    return check_report


class ConfidentDeliverable(Protocol):
    """A deliverable that states its author's confidence."""

    @property
    def confidence(self) -> float:
        """From 0 to 1."""


def make_confidence_check(
    author: str, find_deliverable: Callable[[GateCase], ConfidentDeliverable | None]
) -> Check:
    """Make a check of an agent's own confidence.

    Below its threshold it is discussed, and below 0.5 a human decides.
    """

    def check_confidence(case: GateCase) -> Iterator[CheckDeficiency]:
        report = find_deliverable(case)
        if report is None:
            yield CheckDeficiency(
                author, "Hand in your work with your confidence: there is none.", Remedy.SUBMISSION
            )
            return
        confidence, threshold = report.confidence, case.resources.limits.get_confidence_threshold(author)
        if confidence < LOWEST_CONFIDENCE:
            text = f"Your confidence is {confidence:.2f}. Below {LOWEST_CONFIDENCE} a human decides."
            yield CheckDeficiency(author, text, Remedy.HUMAN)
        elif confidence < threshold:
            text = (
                f"Your confidence is {confidence:.2f}, and {threshold} is needed. "
                "Name what you are unsure of, and what would settle it."
            )
            yield CheckDeficiency(author, text, Remedy.DISCUSSION)

    return check_confidence


def make_completeness_check(kind: type[LabelledModel], phase: Phase, deliverable_name: str) -> Check:
    """Make a check that all five roles have handed in a deliverable of a kind on the scenario as it stands."""

    def check_completeness(case: GateCase) -> Iterator[CheckDeficiency]:
        deliverables = (
            case.collect_deliverables_since_revision(kind)
            if kind in RESTS_ON
            else case.dossier.find_deliverable_of_phase_by_author(kind, phase)
        )
        yield from (
            CheckDeficiency(agent, f"Hand in your {deliverable_name}: there is none.", Remedy.SUBMISSION)
            for agent in ROLES
            if agent not in deliverables
        )

    return check_completeness


def is_blank_or_placeholder(text: str) -> bool:
    """Return whether a text is empty or a placeholder."""
    return text.strip().strip(".").lower() in _BLANK


_BLANK: Final = frozenset({"", "-", "--", "–", "—", "?", "n/a", "na", "tbd", "todo", "tba", "xxx", "unknown"})
