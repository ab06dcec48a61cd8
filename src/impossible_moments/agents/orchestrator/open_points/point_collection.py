"""The open points of a dossier with their ends, and what the addressee of a point is shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.orchestrator.open_points.point_ends import (
    describe_challenge_end,
    describe_veto_end,
    find_point_end,
)
from impossible_moments.agents.orchestrator.open_points.point_history import (
    OpenPoint,
    trace_point_histories,
)
from impossible_moments.agents.orchestrator.open_points.predictions import (
    describe_contradicting_prediction,
    find_prediction_end,
)
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.vocabulary import ATHENA, GALILEO, ORCHESTRATOR, Phase

DISPUTED_KINDS: Final = frozenset({"prediction", "challenge", "veto"})
"""The points that a vote or a protocol settles and not an answer."""


def collect_open_points(dossier: Dossier) -> tuple[OpenPoint, ...]:
    """Return everything that an agent has asked of another, each with its end if it has one."""
    points = [
        OpenPoint(
            each.name, each.phase, each.author, each.raised.kind, each.raised.text, each.raised.addressee,
            *(find_point_end(dossier, each) or ()),
        )
        for each in trace_point_histories(dossier)
    ]  # fmt: skip
    return (*points, *_iterate_predictions(dossier), *_iterate_disputes(dossier))


def _iterate_predictions(dossier: Dossier) -> Iterator[OpenPoint]:
    text = describe_contradicting_prediction(dossier)
    if text:
        end = find_prediction_end(dossier) or ()
        yield OpenPoint("T1", Phase.GROUND, GALILEO, "prediction", text, ORCHESTRATOR, *end)


def _iterate_disputes(dossier: Dossier) -> Iterator[OpenPoint]:
    number = 0
    for case in dossier.challenges:
        number += 1
        challenge = case.challenge
        text = " ".join((challenge.claim, *(each.text for each in challenge.evidence)))
        end = describe_challenge_end(case) or ()
        yield OpenPoint(
            f"D{number}", case.phase, case.challenger, "challenge", text, challenge.challenged, *end
        )
    for veto in dossier.vetoes:
        number += 1
        end = describe_veto_end(veto) or ()
        yield OpenPoint(f"D{number}", veto.phase, veto.raised_by, "veto", veto.veto.claim, ATHENA, *end)


def describe_answers_for(dossier: Dossier, author: str) -> list[dict[str, str]]:
    """Return the points of an author that are not met, each with the reason that it was given, as plain data."""
    return [
        {"point": each.name, "text": each.text, "end": each.end, "answer": each.answer}
        for each in collect_open_points(dossier)
        if each.author == author and each.kind not in DISPUTED_KINDS and each.end in {"declined", "human"}
    ]


def describe_points_for(dossier: Dossier, agent: str) -> list[dict[str, str]]:
    """Return the open points that an agent has to answer, as plain data."""
    return [
        {"point": each.name, "raised_by": each.author, "kind": each.kind, "text": each.text}
        for each in collect_open_points(dossier)
        if each.addressee == agent and not each.is_settled
    ]
