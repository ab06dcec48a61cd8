"""What follows from a human's decision: the run stops, or goes on with the changes that the human settled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from impossible_moments.agents.orchestrator.demand_merging import merge_equal_demands
from impossible_moments.agents.orchestrator.quality_gates import GateDecision, GateDeficiency, GateOutcome
from impossible_moments.agents.orchestrator.run_stops import DiscardStop, RedesignStop, SplitStop
from impossible_moments.domain.disputes import HumanDecision, Option
from impossible_moments.domain.dossier import AgentNote, Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, EULER, HUMAN, NEWTON, ORCHESTRATOR, Phase


def apply_human_decision(
    dossier: Dossier, phase: Phase, human: HumanDecision, decision: GateDecision | None = None
) -> Dossier:
    """Apply a human's decision to the run: continue, or raise the stop that it means.

    No decision overrides a failed computation.
    """
    match human.option:
        case Option.RESOLVE:
            failed = decision.failed_computations if decision is not None else ()
            if failed:
                raise DiscardStop(
                    dossier, phase, f"no decision overrides a failed computation: {failed[0].text}"
                )
            return dossier.replace_notes(())
        case Option.REDESIGN:
            raise RedesignStop(dossier, phase, human.justification)
        case Option.SPLIT:
            raise SplitStop(dossier, phase, human.justification)
        case _:
            raise DiscardStop(dossier, phase, human.justification)


def give_decided_demands(dossier: Dossier, human: HumanDecision, decision: GateDecision) -> Dossier:
    """Return the dossier after a human has settled a gate failure with RESOLVE.

    ATHENA owes the open demands of the gate, each with the human's reason word for word, unless nothing is to be
    changed. Every party is informed: the agents that demanded something and those that were asked for something.
    """
    owed = () if human.nothing_to_change else _iterate_owed_notes(human, decision)
    notes = merge_equal_demands(owed, dossier.find_latest_deliverable(SeedDocument))
    return dossier.replace_notes(notes).add_notices(_iterate_notices(human, decision, is_revised=bool(notes)))


def _iterate_owed_notes(human: HumanDecision, decision: GateDecision) -> Iterator[AgentNote]:
    if decision.phase is Phase.CLASSIFY:
        return  # nothing is revised between the blind report and the reveal
    for note in decision.notes:
        if note.addressee == ATHENA and note.demand is not None:
            demand = replace(note.demand, decision=human.justification)
            text = f"A human decided: {human.justification} It concerns: {note.text}"
            yield replace(note, text=text, author=HUMAN, owed=True, demand=demand)


def _iterate_notices(
    human: HumanDecision, decision: GateDecision, *, is_revised: bool
) -> Iterator[AgentNote]:
    concerns: dict[str, list[str]] = {}
    for deficiency in decision.deficiencies:
        for party in _list_parties(deficiency):
            concerns.setdefault(party, []).append(deficiency.text)
    consequence = "ATHENA revises the seed document accordingly." if is_revised else "The scenario stands."
    for party, texts in concerns.items():
        text = f"A human decided ({human.option}): {human.justification} {consequence} It concerns: {' '.join(texts)}"
        yield AgentNote(party, text, _select_notice_phase(party, decision.phase), author=HUMAN)


def _list_parties(deficiency: GateDeficiency) -> tuple[str, ...]:
    demanding = deficiency.demand.demanded_by.split(", ") if deficiency.demand is not None else ()
    parties = dict.fromkeys((*demanding, deficiency.addressee))
    return tuple(party for party in parties if party not in {ORCHESTRATOR, HUMAN})


def _select_notice_phase(party: str, phase: Phase) -> Phase:
    """Return the phase from which a party can read a notice. Validators revise in VALIDATE also during GROUND."""
    return Phase.VALIDATE if phase is Phase.GROUND and party in {ATHENA, NEWTON, EULER} else phase


def remove_decided_deficiencies(decision: GateDecision, decided: tuple[GateDecision, ...]) -> GateDecision:
    """Return a decision without the deficiencies that a human has already decided, word for word.

    A failed computation stays: no decision overrides it.
    """
    settled = {(each.criterion, each.addressee, each.text) for past in decided for each in past.deficiencies}
    left = tuple(
        each
        for each in decision.deficiencies
        if (each.criterion, each.addressee, each.text) not in settled or each in decision.failed_computations
    )
    if len(left) == len(decision.deficiencies):
        return decision
    return replace(decision, outcome=decision.outcome if left else GateOutcome.ADVANCE, deficiencies=left)
