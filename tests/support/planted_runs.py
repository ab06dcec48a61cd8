"""Planted faults in whole runs: ATHENA hands in a faulty document first, and the run shows who catches it and what follows.

`PYTHONPATH=tests python -m support.planted_runs [--texts] [AGENT ...]` prints a line for each fault, or for those meant
for some agents: who catches it, in which phase, by which means, and what became of the faulty values. With `--texts` it
also prints the objections and how the open points among them were settled.

A fault is attributed by comparison. A run with the same document without the fault is made first. What is objected to
there does not count, whatever figures it names. Only objections that the healthy document does not draw are objections to
the fault.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from impossible_moments.agents.builtin.cast import load_builtin_cast
from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.open_points import OpenPoint, collect_open_points
from impossible_moments.agents.orchestrator.orchestrator import create_scenario
from impossible_moments.agents.orchestrator.revision_history import list_changed_values
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
from impossible_moments.scenarios.similarity.embedding import load_wordllama_embedder
from support.planted_faults import FAULTS, PlantedFault, build_healthy_seed

_FIGURE: Final = re.compile(r"[-+−]?\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Objection:
    """Something that an agent or a gate holds against the first document, and the means by which it is raised."""

    phase: Phase
    agent: str
    means: str
    """Such as a veto, a challenge, a correction, a vote or a gate."""
    text: str

    @property
    def kind(self) -> tuple[str, str, str]:
        """What is compared with the healthy run: the objection without its figures, in whatever phase it is raised."""
        return self.agent, self.means, _FIGURE.sub("#", self.text)


@dataclass(frozen=True)
class FirstDocumentRun:
    """A run with a given first document: what was objected to it, and what became of the scenario."""

    objections: frozenset[Objection]
    revised_in: Phase | None
    """The phase in which the second document was handed in, or None if there is no second document."""
    documents: tuple[SeedDocument, ...]
    points: tuple[OpenPoint, ...]
    is_published: bool
    asked_human: bool


@dataclass(frozen=True)
class PlantedRun:
    """What a run with a planted fault came to, compared with the run of the healthy document."""

    fault: PlantedFault
    faulty: FirstDocumentRun
    healthy: FirstDocumentRun

    @property
    def new_objections(self) -> tuple[Objection, ...]:
        """The objections that the healthy document does not draw, in the order of phases, agents and means."""
        known = {each.kind for each in self.healthy.objections}
        found = (each for each in self.faulty.objections if each.kind not in known)
        order = tuple(Phase)
        return tuple(sorted(found, key=lambda one: (order.index(one.phase), one.agent, one.means, one.text)))

    @property
    def first_objections(self) -> tuple[Objection, ...]:
        """The new objections of the first phase that has any."""
        return tuple(each for each in self.new_objections if each.phase is self.new_objections[0].phase)

    @property
    def caught_by(self) -> tuple[str, ...]:
        """The agents that object first; the orchestrator if a gate does."""
        return tuple(sorted({each.agent for each in self.first_objections}))

    @property
    def catcher(self) -> str:
        """Who catches the fault first: the role that it is meant for, a gate, another role, or nobody."""
        if self.fault.meant_for in self.caught_by:
            return "role"
        if not self.caught_by:
            return "missed"
        return "gate" if self.caught_by == (ORCHESTRATOR,) else "other role"

    @property
    def phase(self) -> str:
        """The phase of the first objections, or an empty text."""
        return str(self.new_objections[0].phase) if self.new_objections else ""

    @property
    def means(self) -> tuple[str, ...]:
        """What the first objecting agents handed in."""
        return tuple(sorted({each.means for each in self.first_objections}))

    @property
    def is_named(self) -> bool:
        """Whether an objection contains the word by which the fault is known."""
        return any(self.fault.names.casefold() in each.text.casefold() for each in self.new_objections)

    @property
    def ending(self) -> str:
        """What became of the faulty values when the run ended."""
        if not self.faulty.is_published:
            return "stopped at a human"
        if len(self.faulty.documents) == 1:
            return "published unrevised"
        last = self.faulty.documents[-1]
        healthy, faulty = build_healthy_seed(self.fault.seed), self.fault.faulty_seed
        planted, changed = _list_changed_paths(healthy, faulty), _list_changed_paths(last, faulty)
        is_changed = any(path.startswith(changed) for path in planted)
        return "repaired" if is_changed else "published with the fault"

    @property
    def is_repaired(self) -> bool:
        """Whether a document was published in which the faulty values are not all the same."""
        return self.ending == "repaired"

    @property
    def settled_points(self) -> tuple[OpenPoint, ...]:
        """The open points of the run that raise one of the new objections."""
        texts = {each.text for each in self.new_objections}
        return tuple(each for each in self.faulty.points if each.text in texts)


def _list_changed_paths(before: SeedDocument, after: SeedDocument) -> tuple[str, ...]:
    changes = list_changed_values(before.model_dump(mode="json"), after.model_dump(mode="json"))
    return tuple(line.partition(": ")[0] for line in changes)


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
        outcome.dossier.list_deliverables(SeedDocument),
        collect_open_points(outcome.dossier),
        outcome.documents is not None,
        player.asked_human,
    )


def _collect_objections(dossier: Dossier) -> Iterator[Objection]:
    """Yield the objections to the first document: those handed in before the second one, and what the gates refuse."""
    for entry in _list_entries_about_first_seed(dossier):
        for means, text in _list_means(entry, str(dossier.brief.solution_status)):
            yield Objection(entry.phase, entry.author, means, text)
    yield from _list_gate_objections(dossier)


def _list_gate_objections(dossier: Dossier) -> Iterator[Objection]:
    """Yield what the gates demand of the second document, or what a human was asked about if there is none."""
    seeds = [each for each in dossier.entries if isinstance(each.deliverable, SeedDocument)]
    if len(seeds) == 1:
        yield from (Objection(each.phase, ORCHESTRATOR, "gate", each.question) for each in dossier.reviews)
        return
    for note in seeds[1].answered_notes:
        if note.demand is None or note.demand.demanded_by == ORCHESTRATOR:
            yield Objection(note.phase, ORCHESTRATOR, "gate", note.text)


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


def iterate_run_lines(faults: tuple[PlantedFault, ...], *, with_texts: bool = False) -> Iterator[str]:
    """Yield a line for each run, then the totals for each role that faults are meant for."""
    totals: dict[str, Counter[str]] = {}
    yield f"{'meant for':<9} {'fault':<56} {'catcher':<10} {'caught by':<24} {'phase':<9} {'by means of':<44} documents ending"
    for fault in faults:
        run = run_with_fault(fault)
        counts = totals.setdefault(fault.meant_for, Counter())
        counts.update((f"caught first by {run.catcher}", run.ending, f"in {run.phase or 'no phase'}"))
        counts["named"] += run.is_named
        by, means = ", ".join(run.caught_by) or "-", ", ".join(run.means)
        human = ", human asked" if run.faulty.asked_human else ""
        yield f"{fault.meant_for:<9} {fault.name:<56} {run.catcher:<10} {by:<24} {run.phase:<9} {means:<44} {len(run.faulty.documents):<9} {run.ending}{human}"
        if with_texts:
            yield from _iterate_text_lines(run)
    yield ""
    yield from (_describe_totals(role, counts) for role, counts in totals.items())


def _describe_totals(role: str, counts: Mapping[str, int]) -> str:
    return f"{role}: " + "; ".join(f"{name} {count}" for name, count in sorted(counts.items()))


def _iterate_text_lines(run: PlantedRun) -> Iterator[str]:
    for each in run.new_objections:
        yield f"    {each.phase} {each.agent} {each.means}: {each.text}"
    for point in run.settled_points:
        yield f"    open point {point.name} of {point.author}: {point.end or 'OPEN'}: {point.answer}"
    for number, document in enumerate(run.faulty.documents[1:], 2):
        yield f"    document {number}: {' | '.join(document.revision_notes)}"


def main() -> None:
    """Print the table."""
    agents = [each for each in sys.argv[1:] if each != "--texts"] or ROLES
    faults = tuple(fault for fault in FAULTS if fault.meant_for in agents)
    for line in iterate_run_lines(faults, with_texts="--texts" in sys.argv):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
