"""Open points: everything that an agent asks of another, with its addressee and its end."""

from impossible_moments.agents.orchestrator.open_points.adopted_points import build_adoption_notes
from impossible_moments.agents.orchestrator.open_points.point_collection import (
    collect_open_points,
    describe_answers_for,
    describe_points_for,
)
from impossible_moments.agents.orchestrator.open_points.point_history import OpenPoint
from impossible_moments.agents.orchestrator.open_points.predictions import describe_contradicting_prediction

__all__ = [
    "OpenPoint",
    "build_adoption_notes",
    "collect_open_points",
    "describe_answers_for",
    "describe_contradicting_prediction",
    "describe_points_for",
]
