"""Planted faults in whole runs: ATHENA hands in a faulty document first, and the run shows who catches it and what follows.

`PYTHONPATH=tests python -m support.planted_runs [AGENT ...]` prints a line for each fault, or for those meant for some
agents: the first agents that object, the phase, what they hand in, and how the run ends.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

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


@dataclass(frozen=True)
class PlantedRun:
    """What a run with a planted fault came to."""

    fault: PlantedFault
    caught_by: tuple[str, ...]
    phase: str
    means: tuple[str, ...]
    """What the objecting agents handed in, such as a veto, a challenge, a correction or a vote."""
    seeds: int
    ending: str
    asked_human: bool

    @property
    def is_repaired(self) -> bool:
        """Whether a document without the fault was published after a revision."""
        return self.ending == "published" and self.seeds > 1


class FaultyAthena:
    """The built-in cast, in which the first document of ATHENA is replaced by a faulty one."""

    def __init__(self, fault: PlantedFault) -> None:
        self.fault, self.seeds, self.asked_human = fault, 0, False

    def answer(self, ask: Ask) -> LabelledModel:
        """Answer as the built-in cast does, except for ATHENA's first document. Humans discard."""
        if ask.agent == HUMAN:
            self.asked_human = True
            return HumanDecision(option=Option.DISCARD, justification="nobody is at the desk")
        if ask.agent == ATHENA and ask.returns is SeedDocument:
            self.seeds += 1
            if self.seeds == 1:
                return self.fault.faulty_seed
        return load_builtin_cast().answer(ask)


def run_with_fault(fault: PlantedFault) -> PlantedRun:
    """Run a scenario whose first document has a fault."""
    cast, player = load_builtin_cast(), FaultyAthena(fault)
    healthy = build_healthy_seed(fault.seed)
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
        registry=(),
        reader=cast.find_document_shortcoming,
    )
    numbered = brief.model_copy(update={"scenario_id": "IM-0001"})
    outcome = run_flow_with_player(create_scenario(numbered, rules), player.answer)
    caught_by, phase, means = find_first_objections(outcome.dossier)
    ending = "published" if outcome.documents is not None else "stopped"
    return PlantedRun(fault, caught_by, phase, means, player.seeds, ending, player.asked_human)


def find_first_objections(dossier: Dossier) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    """Return who objects first to the first document, in which phase, and by what."""
    entries = list(_list_entries_about_first_seed(dossier))
    for phase in Phase:
        found = {
            (entry.author, means) for entry in entries if entry.phase is phase for means in _list_means(entry)
        }
        if found:
            return (
                tuple(sorted({author for author, _ in found})),
                str(phase),
                tuple(sorted({means for _, means in found})),
            )
    seeds = [entry for entry in dossier.entries if isinstance(entry.deliverable, SeedDocument)]
    if len(seeds) > 1:  # no agent objected, and a gate sent the document back
        return (ORCHESTRATOR,), str(seeds[1].phase), ("gate",)
    return (), "", ()


def _list_entries_about_first_seed(dossier: Dossier) -> Iterator[DossierEntry]:
    seeds = 0
    for entry in dossier.entries:
        seeds += isinstance(entry.deliverable, SeedDocument)
        if seeds > 1:
            return
        if not isinstance(entry.deliverable, SeedDocument):
            yield entry


def _list_means(entry: DossierEntry) -> Iterator[str]:
    match entry.deliverable:
        case PhysicsReport() | MathematicsReport() as report:
            yield from ["veto"] if report.vetoes else []
            yield from ["challenge"] if report.challenges else []
            yield from ["correction"] if report.corrections_needed else []
            yield from ["INVALID"] if any(claim.verdict == "INVALID" for claim in report.claims) else []
        case JointAssessment() as joint if joint.computed_findings or joint.status != "VALIDATED":
            yield "computation"
        case FeasibilityCheck() as check if check.alternative_paths or check.disagreements:
            yield "feasibility check"
        case GroundingReport() as grounding:
            yield from ["challenge"] if grounding.challenges else []
            yield from ["validity concern"] if grounding.validity_concerns else []
            yield from ["recommendation"] if grounding.recommendations else []
        case ClassificationReport() as reading if reading.ethics.status != "PASS":
            yield f"ethical review {reading.ethics.status}"
        case ReviewMemo() as memo if memo.corrections or memo.concerns:
            yield "memo"
        case DistractorReview() as review if any(each.verdict != "right" for each in review.findings):
            yield "distractor"
        case ReadinessVote() as vote if vote.vote in {"REVISE", "DISCARD"}:
            yield "vote"


def iterate_run_lines(faults: tuple[PlantedFault, ...]) -> Iterator[str]:
    """Yield a line for each run, then the totals."""
    totals: Counter[str] = Counter()
    yield f"{'meant for':<9} {'fault':<56} {'caught by':<26} {'phase':<9} {'by means of':<44} seeds ending"
    for fault in faults:
        run = run_with_fault(fault)
        totals["caught"] += bool(run.caught_by)
        totals[f"by {fault.meant_for}, as meant"] += fault.meant_for in run.caught_by
        totals["published after a revision" if run.is_repaired else f"{run.ending} otherwise"] += 1
        by = ", ".join(run.caught_by) or "-"
        means = ", ".join(run.means)
        human = ", human asked" if run.asked_human else ""
        yield f"{fault.meant_for:<9} {fault.name:<56} {by:<26} {run.phase:<9} {means:<44} {run.seeds:<5} {run.ending}{human}"
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
