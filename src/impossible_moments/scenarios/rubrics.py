"""Scoring rubrics: the five score components, and the outcome rubric of each status.

Both the scorer and the evaluation documents read these tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from impossible_moments.domain.vocabulary import Status


@dataclass(frozen=True, slots=True)
class Component:
    """A weighted component of the score of a run."""

    name: str
    weight: float
    how: str


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a rubric: a response, its score, and the reason."""

    response: str
    score: str
    reasoning: str


# fmt: off
COMPONENTS: Final = (
    Component("Outcome correctness",    0.40, "by the table above"),
    Component("Physical validity",      0.25, "share of the answer's physical claims that hold"),
    Component("Insight identification", 0.20, "share of the key insights found"),
    Component("Distractor handling",    0.10, "100, less 20 for each distractor built into the plan"),
    Component("Reasoning efficiency",   0.05, "100 less the share of unnecessary steps"),
)
OUTCOME: Final[Mapping[Status, tuple[Line, ...]]] = {
    "KS": (
        Line("A plan that reaches the goal when it is executed", "100", "any plan that works is right, intended or not"),
        Line("A plan that fails, comes too late or breaks a rule", "0", "there is no part credit for the outcome"),
        Line("The claim that it cannot be done", "0", "a way is known"),
    ),
    "CT": (
        Line("The best solution for a value of the disputed quantity", "0-40", "by how well it holds there"),
        Line("Awareness that the answer is contested", "0-20", "said, not only hinted at"),
        Line("The crux named", "0-20", "the quantity on which the answer turns"),
        Line("Honesty about what remains uncertain", "0-20", "no false certainty"),
    ),
    "OF": (
        Line("Plausibility", "0-10", "no known law is broken"),
        Line("Novelty", "0-10", "against the knowledge boundary"),
        Line("Completeness", "0-10", "no condition of the envelope is dropped"),
        Line("Outcome", "sum / 30, in percent", "above 7 on all three: breakthrough review"),
    ),
    "PX": (
        Line("Impossibility asserted", "0-40", "clearly, not as a doubt"),
        Line("The conflicting constraints named", "0-30", "those of the proof"),
        Line("Rigour of the argument", "0-30", "no way left unexamined"),
        Line("A proposed solution", "0", "and 20 off physical validity"),
    ),
    "MT": (
        Line("The hidden assumption identified", "0-30", "in its own words"),
        Line("The problem reframed", "0-30", "without the assumption"),
        Line("The reframed problem solved", "0-40", "a plan that works once the assumption is dropped"),
        Line("Solved without naming the assumption", "at most 40", "luck is not insight"),
    ),
    "DG": (
        Line("The simple answer in under 200 tokens", "100", "simplicity factor 1.0"),
        Line("The simple answer in under 500 tokens", "80", "simplicity factor 0.8"),
        Line("The simple answer in under 1000 tokens", "60", "simplicity factor 0.6"),
        Line("The simple answer at greater length", "40", "simplicity factor 0.4"),
        Line("Another plan that works", "the same, by its length", "it reaches the goal, and more than it needed was done"),
        Line("A plan that fails", "0", "the narrative has won"),
    ),
}
FURTHER: Final[Mapping[str, tuple[Line, ...]]] = {
    "KS-Multiple": (Line("Each further valid path named", "+10 on insight", "any one path earns the full outcome"),),
    "KS-Fragile": (
        Line("Solves the original and fails every perturbed variant", "fragility flag", "the plan was remembered, not found"),
        Line("Consistent success on the variants", "+5 on the scenario", "the plan is understood"),
    ),
}
# fmt: on
