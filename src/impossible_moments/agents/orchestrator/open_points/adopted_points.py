"""Points that their addressee adopts: each becomes a revision that is owed."""

from __future__ import annotations

from collections.abc import Iterable

from impossible_moments.agents.orchestrator.open_points.point_collection import collect_open_points
from impossible_moments.domain.dossier import AgentNote, Dossier, RevisionDemand
from impossible_moments.domain.open_points import PointAnswer
from impossible_moments.domain.vocabulary import ATHENA, Phase


def build_adoption_notes(
    dossier: Dossier, answers: Iterable[PointAnswer], phase: Phase
) -> tuple[AgentNote, ...]:
    """Return a note to ATHENA for each point that it adopts. ATHENA owes the revision that it announces."""
    adopted = {each.point.strip(): each for each in answers if each.answer == "adopted"}
    return tuple(
        AgentNote(
            ATHENA,
            f"You adopted {point.name} of {point.author}: {point.text} You announced: {adopted[point.name].reason}",
            phase,
            owed=True,
            demand=RevisionDemand(point.author, point.text),
        )
        for point in collect_open_points(dossier)
        if point.name in adopted and point.addressee == ATHENA and not point.is_settled
    )
