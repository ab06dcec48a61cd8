"""Scoring rubrics: the five score components, and the outcome rubric of each status.

Both the scorer and the evaluation documents read these tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from impossible_moments.domain.vocabulary import Status


@dataclass(frozen=True, slots=True)
class ScoreComponent:
    """A weighted component of the score of a run."""

    name: str
    weight: float
    how: str


@dataclass(frozen=True, slots=True)
class RubricRow:
    """A row of a rubric: a response, its score, and the reason."""

    response: str
    score: str
    reasoning: str


# fmt: off
COMPONENTS: Final = (
    ScoreComponent("Outcome correctness",    0.40, "by the table above"),
    ScoreComponent("Physical validity",      0.25, "share of the answer's physical claims that hold"),
    ScoreComponent("Insight identification", 0.20, "share of the key insights found"),
    ScoreComponent("Distractor handling",    0.10, "100, less 20 for each distractor built into the plan"),
    ScoreComponent("Reasoning efficiency",   0.05, "100 less the share of unnecessary steps"),
)
OUTCOME: Final[Mapping[Status, tuple[RubricRow, ...]]] = {
    "KS": (
        RubricRow("A plan that reaches the goal when it is executed", "100", "any plan that works is right, intended or not"),
        RubricRow("A plan that fails, comes too late or breaks a rule", "0", "there is no part credit for the outcome"),
        RubricRow("The claim that it cannot be done", "0", "a way is known"),
    ),
    "CT": (
        RubricRow("The best solution for a value of the disputed quantity", "0-40", "by how well it holds there"),
        RubricRow("Awareness that the answer is contested", "0-20", "said, not only hinted at"),
        RubricRow("The crux named", "0-20", "the quantity on which the answer turns"),
        RubricRow("Honesty about what remains uncertain", "0-20", "no false certainty"),
    ),
    "OF": (
        RubricRow("Plausibility", "0-10", "no known law is broken"),
        RubricRow("Novelty", "0-10", "against the knowledge boundary"),
        RubricRow("Completeness", "0-10", "no condition of the envelope is dropped"),
        RubricRow("Outcome", "sum / 30, in percent", "above 7 on all three: breakthrough review"),
    ),
    "PX": (
        RubricRow("Impossibility asserted", "0-40", "clearly, not as a doubt"),
        RubricRow("The conflicting constraints named", "0-30", "those of the proof"),
        RubricRow("Rigour of the argument", "0-30", "no way left unexamined"),
        RubricRow("A proposed solution", "0", "and 20 off physical validity"),
    ),
    "MT": (
        RubricRow("The hidden assumption identified", "0-30", "in its own words"),
        RubricRow("The problem reframed", "0-30", "without the assumption"),
        RubricRow("The reframed problem solved", "0-40", "a plan that works once the assumption is dropped"),
        RubricRow("Solved without naming the assumption", "at most 40", "luck is not insight"),
    ),
    "DG": (
        RubricRow("The simple answer in under 200 tokens", "100", "simplicity factor 1.0"),
        RubricRow("The simple answer in under 500 tokens", "80", "simplicity factor 0.8"),
        RubricRow("The simple answer in under 1000 tokens", "60", "simplicity factor 0.6"),
        RubricRow("The simple answer at greater length", "40", "simplicity factor 0.4"),
        RubricRow("Another plan that works", "the same, by its length", "it reaches the goal, and more than it needed was done"),
        RubricRow("A plan that fails", "0", "the narrative has won"),
    ),
}
FURTHER: Final[Mapping[str, tuple[RubricRow, ...]]] = {
    "KS-Multiple": (RubricRow("Each further valid path named", "+10 on insight", "any one path earns the full outcome"),),
    "KS-Fragile": (
        RubricRow("Solves the original and fails every perturbed variant", "fragility flag", "the plan was remembered, not found"),
        RubricRow("Consistent success on the variants", "+5 on the scenario", "the plan is understood"),
    ),
}
# fmt: on
