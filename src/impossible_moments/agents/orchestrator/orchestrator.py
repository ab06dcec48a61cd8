"""The orchestrator: runs the six phases in order, and handles redesigns, splits and discards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.metadata import entry_points
from typing import Final

from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.phases.classify_phase import CLASSIFY
from impossible_moments.agents.orchestrator.phases.document_phase import DOCUMENT, assemble_documents
from impossible_moments.agents.orchestrator.phases.ground_phase import GROUND
from impossible_moments.agents.orchestrator.phases.phase_runner import PhaseSpec, run_phase
from impossible_moments.agents.orchestrator.phases.refine_phase import REFINE
from impossible_moments.agents.orchestrator.phases.seed_phase import SEED
from impossible_moments.agents.orchestrator.phases.validate_phase import VALIDATE
from impossible_moments.agents.orchestrator.rules import ScenarioRules
from impossible_moments.agents.orchestrator.run_stops import (
    DiscardStop,
    ReclassificationStop,
    RedesignStop,
    SplitStop,
    find_split_origin,
)
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.dossier import AgentNote, Dossier
from impossible_moments.domain.vocabulary import ATHENA, Phase
from impossible_moments.scenarios import ScenarioDocuments

PIPELINE: Final = (SEED, VALIDATE, GROUND, CLASSIFY, REFINE, DOCUMENT)
_PHASES: Final = tuple(spec.phase for spec in PIPELINE)


@dataclass(frozen=True)
class CreationOutcome:
    """The outcome of a brief: documents, the phase and reason of a discard, or two briefs after a split."""

    dossier: Dossier
    documents: ScenarioDocuments | None = None
    discarded_in: Phase | None = None
    reason: str = ""
    split_into: tuple[GenerationBrief, ...] = ()

    @property
    def is_accepted(self) -> bool:
        """Whether there is a scenario to publish."""
        return self.documents is not None


def create_scenario(brief: GenerationBrief, rules: ScenarioRules) -> Flow[CreationOutcome]:
    """Run all six phases in order, and return to SEED at most as often as the settings allow."""
    dossier, first = Dossier.create_for_brief(brief), Phase.SEED
    while True:
        try:
            for spec in _list_phases_from(first):
                dossier = yield from run_phase(spec, rules, dossier)
            return CreationOutcome(dossier, assemble_documents(rules, dossier))
        except RedesignStop as stop:
            dossier, first = stop.dossier, Phase.SEED
            if dossier.redesigns >= rules.configuration.limits.redesigns:
                return CreationOutcome(
                    dossier, discarded_in=stop.phase, reason=f"redesigned once already: {stop.reason}"
                )
            dossier = _send_back_to_seed(dossier, f"Redesign the scenario: {stop.reason}")
        except ReclassificationStop as stop:
            dossier, first = stop.dossier, Phase.VALIDATE
            if dossier.brief.solution_status == "PX":
                return CreationOutcome(dossier, discarded_in=stop.phase, reason=stop.reason)
            dossier = replace(dossier, brief=dossier.brief.model_copy(update={"solution_status": "PX"}))
            dossier = _send_back_to_seed(
                dossier, f"Nothing works, and that is proved: make it a paradox. {stop.reason}"
            )
        except SplitStop as stop:
            if rules.configuration.limits.splits < 1 or _is_brief_from_split_scenario(stop.dossier.brief):
                return CreationOutcome(
                    stop.dossier, discarded_in=stop.phase, reason=f"split once already: {stop.reason}"
                )
            return CreationOutcome(
                stop.dossier, discarded_in=stop.phase, reason=stop.reason, split_into=stop.briefs
            )
        except DiscardStop as stop:
            return CreationOutcome(stop.dossier, discarded_in=stop.phase, reason=stop.reason)


def _list_phases_from(first: Phase) -> tuple[PhaseSpec, ...]:
    return PIPELINE[_PHASES.index(first) :]


def _send_back_to_seed(dossier: Dossier, text: str) -> Dossier:
    return replace(dossier, redesigns=dossier.redesigns + 1).replace_notes(
        (AgentNote(ATHENA, text, Phase.SEED),)
    )


def _is_brief_from_split_scenario(brief: GenerationBrief) -> bool:
    return find_split_origin(brief) is not None


if __name__ == "__main__":
    # Specification 8.2 starts the command line here. The package registers it, as it does the command `im`.
    (command,) = entry_points(group="impossible_moments.scripts", name="orchestrator")
    command.load()()
