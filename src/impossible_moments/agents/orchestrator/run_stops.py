"""Exceptions by which a run leaves the sequence of phases: return, split or discard."""

from __future__ import annotations

from collections.abc import Mapping

from impossible_moments.domain.brief import DisputedReading, GenerationBrief
from impossible_moments.domain.disputes import Evidence
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, ORCHESTRATOR, Phase


class RunStop(Exception):
    """A run leaves the sequence of phases.

    The exception carries the dossier at that point and the readings of what was disputed: the positions of the
    parties. By default these are the positions that the human who decided had before them.
    """

    def __init__(
        self, dossier: Dossier, phase: Phase, reason: str, readings: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(reason)
        self.dossier = dossier
        self.phase = phase
        self.reason = reason
        self.readings = _list_decided_readings(dossier, reason) if readings is None else readings


def _list_decided_readings(dossier: Dossier, reason: str) -> dict[str, str]:
    review = dossier.reviews[-1] if dossier.reviews else None
    if review is None or review.decision.justification != reason:
        return {}
    return {
        agent: format_reading(words, review.evidence.get(agent, ()))
        for agent, words in review.positions.items()
    }


def format_reading(words: str, evidence: tuple[Evidence, ...] = ()) -> str:
    """Format a position as a reading: its words, and the expressions of its evidence."""
    expressions = ", ".join(f"`{each.expression}`" for each in evidence if each.expression)
    text = " ".join(words.split())
    return f"{text} ({expressions})" if expressions else text


class DiscardStop(RunStop):
    """The scenario is given up."""


class RedesignStop(RunStop):
    """The scenario returns to SEED."""

    @property
    def instruction(self) -> str:
        """What ATHENA is asked to redesign: the decision, and the positions on a dispute that it was party to.

        ATHENA may not read what other agents dispute among themselves.
        """
        if ATHENA not in self.readings:
            return f"Redesign the scenario: {self.reason}"
        positions = "; ".join(f"{agent}: {text}" for agent, text in self.readings.items())
        return f"Redesign the scenario: {self.reason} Disputed: {positions}"


class ReclassificationStop(RunStop):
    """Physics forbids every approach, so the scenario continues from VALIDATE as a paradox."""


class SplitStop(RunStop):
    """The scenario becomes two, one for each reading of the disputed point."""

    @property
    def briefs(self) -> tuple[GenerationBrief, GenerationBrief]:
        """The two briefs. Each takes one reading, and neither may be split again.

        The second brief has another random seed, so that it does not repeat the first.
        """
        brief = self.dossier.brief
        first, second = (
            brief.model_copy(
                update={
                    "reading": DisputedReading(of=brief.scenario_id, text=text),
                    "scenario_id": "",
                    "seed": brief.seed + number,
                }
            )
            for number, text in enumerate(self._choose_two_readings())
        )
        return first, second

    def _choose_two_readings(self) -> tuple[str, str]:
        """Return the first two positions. Where no agent took a position, the seed stands against the objection."""
        match [f"{agent}: {text}" for agent, text in self.readings.items()]:
            case [first, second, *_]:
                return first, second
            case _:
                seed = self.dossier.find_latest_deliverable(SeedDocument)
                concept = seed.concept_summary.concept if seed is not None else "the brief"
                question = self.dossier.reviews[-1].question if self.dossier.reviews else self.reason
                return (
                    f"{ATHENA}: as handed in: {concept}",
                    f"{ORCHESTRATOR}: as the objection requires: {question}",
                )
