"""Planted faults in whole runs: ATHENA hands in a faulty document first, and the run shows who catches it and what follows.

`PYTHONPATH=tests python -m support.planted_runs [AGENT ...]` prints a line for each fault, or for those meant for some
agents: the first agents that object, the phase, what they hand in, and how the run ends.

A fault is attributed by comparison: a run with the same document without the fault is made first, and what the agents
object to there does not count. Only objections that the healthy document does not draw are objections to the fault.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from impossible_moments.agents.builtin.cast import load_builtin_cast
from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.orchestrator import create_scenario
from impossible_moments.agents.orchestrator.rules import build_scenario_rules
from impossible_moments.agents.scripted_players import run_flow_with_player
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import HumanDecision, Option
from impossible_moments.domain.dossier import Dossier, DossierEntry
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import DistractorReview, ReadinessVote, ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import (
    FeasibilityCheck,
    JointAssessment,
    MathematicsReport,
    PhysicsReport,
)
from impossible_moments.domain.vocabulary import (
    ATHENA,
    HUMAN,
    ORCHESTRATOR,
    ROLES,
    Phase,
    parse_main_status,
)
from impossible_moments.scenarios.embedding import load_wordllama_embedder
from support.planted_faults import FAULTS, PlantedFault, build_healthy_seed


@dataclass(frozen=True, slots=True)
class Objection:
    """Something that an agent holds against the first document, and the means by which it is raised."""

    phase: Phase
    agent: str
    means: str
    """Such as a veto, a challenge, a correction or a vote."""
    text: str


@dataclass(frozen=True)
class FirstDocumentRun:
    """A run with a given first document: what was objected to it, and what became of the scenario."""

    objections: frozenset[Objection]
    revised_in: Phase | None
    """The phase in which the second document was handed in, or None if there is no second document."""
    seeds: int
    is_published: bool
    asked_human: bool


@dataclass(frozen=True)
class PlantedRun:
    """What a run with a planted fault came to, compared with the run of the healthy document."""

    fault: PlantedFault
    faulty: FirstDocumentRun
    healthy: FirstDocumentRun

    @property
    def new_objections(self) -> frozenset[Objection]:
        """The objections that the healthy document does not draw."""
        return self.faulty.objections - self.healthy.objections

    @property
    def first_objections(self) -> frozenset[Objection]:
        """The new objections of the first phase that has any."""
        first = next((each for each in Phase if any(one.phase is each for one in self.new_objections)), None)
        return frozenset(each for each in self.new_objections if each.phase is first)

    @property
    def caught_by(self) -> tuple[str, ...]:
        """The agents that object first; the orchestrator if only a gate sent the document back."""
        agents = tuple(sorted({each.agent for each in self.first_objections}))
        return agents or ((ORCHESTRATOR,) if self._is_sent_back_by_gate else ())

    @property
    def phase(self) -> str:
        """The phase of the first objections, or an empty text."""
        found = next(iter(self.first_objections), None)
        if found is not None:
            return str(found.phase)
        return str(self.faulty.revised_in) if self._is_sent_back_by_gate else ""

    @property
    def means(self) -> tuple[str, ...]:
        """What the first objecting agents handed in."""
        found = tuple(sorted({each.means for each in self.first_objections}))
        return found or (("gate",) if self._is_sent_back_by_gate else ())

    @property
    def ending(self) -> str:
        """How the run ended."""
        if not self.faulty.is_published:
            return "stopped"
        return "published" if self.faulty.seeds > 1 else "published unrevised"

    @property
    def is_repaired(self) -> bool:
        """Whether a document without the fault was published after a revision."""
        return self.faulty.is_published and self.faulty.seeds > 1

    @property
    def _is_sent_back_by_gate(self) -> bool:
        return self.faulty.revised_in is not None and self.faulty.revised_in != self.healthy.revised_in


class GivenFirstDocument:
    """The built-in cast, in which the first document of ATHENA is replaced by a given one."""

    def __init__(self, seed: SeedDocument) -> None:
        self.seed, self.seeds, self.asked_human = seed, 0, False

    def answer(self, ask: Ask) -> LabelledModel:
        """Answer as the built-in cast does, except for ATHENA's first document. Humans discard."""
        if ask.agent == HUMAN:
            self.asked_human = True
            return HumanDecision(option=Option.DISCARD, justification="nobody is at the desk")
        if ask.agent == ATHENA and ask.returns is SeedDocument:
            self.seeds += 1
            if self.seeds == 1:
                return self.seed
        return load_builtin_cast().answer(ask)


def run_with_fault(fault: PlantedFault) -> PlantedRun:
    """Run a scenario whose first document has a fault, and the same without it."""
    return PlantedRun(
        fault, _run_with_document(fault.seed, fault.faulty_seed), run_healthy_document(fault.seed)
    )


@cache
def run_healthy_document(name: str) -> FirstDocumentRun:
    """Run a scenario whose first document is one of the healthy ones."""
    return _run_with_document(name, build_healthy_seed(name))


def _run_with_document(name: str, seed: SeedDocument) -> FirstDocumentRun:
    cast, player = load_builtin_cast(), GivenFirstDocument(seed)
    healthy = build_healthy_seed(name)
    brief = GenerationBrief(
        category=healthy.concept_summary.category,
        difficulty_tier=healthy.concept_summary.difficulty_tier,
        solution_status=parse_main_status(str(healthy.mechanics["status"]["claim"])),
        seed=1,
    )
    rules = build_scenario_rules(
        load_configuration(),
        cast.library,
        load_wordllama_embedder(),
        reader=cast.find_document_shortcoming,
    )
    numbered = brief.model_copy(update={"scenario_id": "IM-0001"})
    outcome = run_flow_with_player(create_scenario(numbered, rules), player.answer)
    documents = [entry for entry in outcome.dossier.entries if isinstance(entry.deliverable, SeedDocument)]
    return FirstDocumentRun(
        frozenset(_collect_objections(outcome.dossier)),
        documents[1].phase if len(documents) > 1 else None,
        player.seeds,
        outcome.documents is not None,
        player.asked_human,
    )


def _collect_objections(dossier: Dossier) -> Iterator[Objection]:
    """Yield the objections to the first document: those handed in before the second one."""
    for entry in _list_entries_about_first_seed(dossier):
        for means, text in _list_means(entry, str(dossier.brief.solution_status)):
            yield Objection(entry.phase, entry.author, means, text)


def _list_entries_about_first_seed(dossier: Dossier) -> Iterator[DossierEntry]:
    seeds = 0
    for entry in dossier.entries:
        seeds += isinstance(entry.deliverable, SeedDocument)
        if seeds > 1:
            return
        if not isinstance(entry.deliverable, SeedDocument):
            yield entry


def _list_means(entry: DossierEntry, claimed: str) -> Iterator[tuple[str, str]]:
    """Yield each objection of a deliverable: the means and the text."""
    match entry.deliverable:
        case PhysicsReport() | MathematicsReport() as report:
            yield from (("veto", f"{each.claim} {each.law}") for each in report.vetoes)
            yield from (
                ("challenge", each.model_dump_json(exclude={"confidence"})) for each in report.challenges
            )
            yield from (("correction", str(each)) for each in report.corrections_needed)
            yield from (("INVALID", each.claim_id) for each in report.claims if each.verdict == "INVALID")
        case JointAssessment() as joint:
            yield from (("computation", str(each)) for each in joint.computed_findings)
            if joint.status != "VALIDATED":
                yield "computation", str(joint.status)
        case FeasibilityCheck() as check:
            yield from (
                ("feasibility check", str(each)) for each in (*check.alternative_paths, *check.disagreements)
            )
        case GroundingReport() as grounding:
            yield from (
                ("challenge", each.model_dump_json(exclude={"confidence"})) for each in grounding.challenges
            )
            yield from (("validity concern", str(each)) for each in grounding.validity_concerns)
            yield from (("recommendation", str(each)) for each in grounding.recommendations)
        case ClassificationReport() as reading:
            yield from _list_classification_means(reading, claimed)
        case ReviewMemo() as memo:
            yield from (("memo", str(each)) for each in (*memo.corrections, *memo.concerns))
        case DistractorReview() as review:
            yield from (
                ("distractor", f"{each.name}: {each.verdict}")
                for each in review.findings
                if each.verdict != "right"
            )
        case ReadinessVote() as vote if vote.vote in {"REVISE", "DISCARD"}:
            yield "vote", str(vote.vote)


def _list_classification_means(reading: ClassificationReport, claimed: str) -> Iterator[tuple[str, str]]:
    """Yield the concerns of the ethical review, the challenges, and a status other than the claimed one."""
    if reading.ethics.status != "PASS":
        yield f"ethical review {reading.ethics.status}", str(reading.ethics.status)
    yield from (("ethical concern", answer.question) for answer in reading.ethics.checklist if answer.concern)
    yield from (("challenge", each.claim) for each in reading.challenges)
    if reading.status != claimed:
        yield "other status read", str(reading.status)


def iterate_run_lines(faults: tuple[PlantedFault, ...]) -> Iterator[str]:
    """Yield a line for each run, then the totals."""
    totals: Counter[str] = Counter()
    yield f"{'meant for':<9} {'fault':<56} {'caught by':<26} {'phase':<9} {'by means of':<44} seeds ending"
    for fault in faults:
        run = run_with_fault(fault)
        totals["caught"] += bool(run.caught_by)
        totals[f"by {fault.meant_for} among the first, as meant"] += fault.meant_for in run.caught_by
        totals["published after a revision" if run.is_repaired else run.ending] += 1
        by = ", ".join(run.caught_by) or "-"
        means = ", ".join(run.means)
        human = ", human asked" if run.faulty.asked_human else ""
        revised = f", revised in {run.faulty.revised_in}" if run.faulty.revised_in is not None else ""
        yield f"{fault.meant_for:<9} {fault.name:<56} {by:<26} {run.phase:<9} {means:<44} {run.faulty.seeds:<5} {run.ending}{revised}{human}"
    yield ""
    yield f"{len(faults)} faults: " + "; ".join(f"{name} {count}" for name, count in sorted(totals.items()))


def main() -> None:
    """Print the table."""
    agents = sys.argv[1:] or ROLES
    for line in iterate_run_lines(tuple(fault for fault in FAULTS if fault.meant_for in agents)):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
