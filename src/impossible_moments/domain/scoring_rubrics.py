"""Scoring rubrics of the framework: the five score components, and the outcome rubric of each status.

The scorer, the judges, the reports and the evaluation documents read these tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from impossible_moments.domain.evaluation_protocol import CANDIDATE_POINTS
from impossible_moments.domain.vocabulary import Status


@dataclass(frozen=True, slots=True)
class ScoreComponent:
    """A weighted component of the score of a run."""

    key: str
    """The field of the component in results."""
    name: str
    weight: float
    how: str


@dataclass(frozen=True, slots=True)
class RubricRow:
    """A row of a rubric: a response, its score, and the reason."""

    response: str
    score: str
    reasoning: str
    points: float = 0.0
    """The most points that the row earns. Rows without points of their own have 0."""


def _build_graded_rubric_row(response: str, points: int, reasoning: str) -> RubricRow:
    """Return a row that earns from 0 to a number of points."""
    return RubricRow(response, f"0-{points}", reasoning, float(points))


PASSES: Final = 80.0
"""The outcome from which a run counts as passed."""
FULL_OUTCOME: Final = 100.0
DISTRACTOR_DEDUCTION: Final = 20.0
"""Deduction from distractor handling for each distractor that a plan relies on."""
FURTHER_PATH_BONUS: Final = 10.0
"""KS-Multiple: the bonus on insight for each further valid path."""
MOST_INSIGHT: Final = 120.0
"""The most points for insight, with the bonus for further paths."""
STEADY_BONUS: Final = 5.0
"""KS-Fragile: the bonus on the scenario for a plan that holds on every perturbed variant."""
FALSE_SOLUTION_DEDUCTION: Final = 20.0
"""PX: the deduction from physical validity for a proposed solution."""
UNNAMED_ASSUMPTION_LIMIT: Final = 40.0
"""MT: the most points of an answer that does not name the assumption."""
FALSE_CLAIM_LIMIT: Final = 60.0
"""The most points of an answer that asserts something false on which it rests. What it only leaves out costs no more than its own points."""
CONTESTED_PLAN: Final = 20.0
"""CT: the points of a plan that works at an end of the disputed quantity and is not the best one there."""
SIMPLICITY: Final = ((200, 1.0), (500, 0.8), (1000, 0.6))
"""DG: the factor on the outcome for an answer of fewer tokens than the limit."""
LEAST_SIMPLE: Final = 0.4
"""DG: the factor for an answer of any greater length."""

# fmt: off
COMPONENTS: Final = (
    ScoreComponent("outcome",     "Outcome correctness",    0.40, "by the table above"),
    ScoreComponent("physical",    "Physical validity",      0.25, "share of the answer's physical claims that hold"),
    ScoreComponent("insight",     "Insight identification", 0.20, "share of the key insights found"),
    ScoreComponent("distractors", "Distractor handling",    0.10, f"100, less {DISTRACTOR_DEDUCTION:g} for each distractor built into the plan"),
    ScoreComponent("efficiency",  "Reasoning efficiency",   0.05, "100 less the share of unnecessary steps"),
)
CONTESTED_BEST: Final = _build_graded_rubric_row("The best solution for a value of the disputed quantity", 40, "by how well it holds there")
CONTESTED_AWARE: Final = _build_graded_rubric_row("Awareness that the answer is contested", 20, "said, not only hinted at")
CONTESTED_CRUX: Final = _build_graded_rubric_row("The crux named", 20, "the quantity on which the answer turns")
CONTESTED_HONESTY: Final = _build_graded_rubric_row("Honesty about what remains uncertain", 20, "no false certainty")
PARADOX_ASSERTED: Final = _build_graded_rubric_row("Impossibility asserted", 40, "clearly, not as a doubt")
PARADOX_CONFLICT: Final = _build_graded_rubric_row("The conflicting constraints named", 30, "those of the proof")
PARADOX_RIGOUR: Final = _build_graded_rubric_row("Rigour of the argument", 30, "no way left unexamined")
PARADOX_SOLUTION: Final = RubricRow("A proposed solution", "0", f"and {FALSE_SOLUTION_DEDUCTION:g} off physical validity")
ASSUMPTION_NAMED: Final = _build_graded_rubric_row("The hidden assumption identified", 30, "in its own words")
PROBLEM_REFRAMED: Final = _build_graded_rubric_row("The problem reframed", 30, "without the assumption")
REFRAMED_SOLVED: Final = _build_graded_rubric_row("The reframed problem solved", 40, "a plan that works once the assumption is dropped")
OUTCOME: Final[Mapping[Status, tuple[RubricRow, ...]]] = {
    "KS": (
        RubricRow("A plan that reaches the goal when it is executed", f"{FULL_OUTCOME:g}", "any plan that works is right, intended or not", FULL_OUTCOME),
        RubricRow("A plan that fails, comes too late or breaks a rule", "0", "there is no part credit for the outcome"),
        RubricRow("The claim that it cannot be done", "0", "a way is known"),
    ),
    "CT": (CONTESTED_BEST, CONTESTED_AWARE, CONTESTED_CRUX, CONTESTED_HONESTY),
    "OF": (
        _build_graded_rubric_row("Plausibility", 10, "no known law is broken"),
        _build_graded_rubric_row("Novelty", 10, "against the knowledge boundary"),
        _build_graded_rubric_row("Completeness", 10, "no condition of the envelope is dropped"),
        RubricRow("Outcome", "sum / 30, in percent", f"above {CANDIDATE_POINTS:g} on all three: breakthrough review"),
    ),
    "PX": (PARADOX_ASSERTED, PARADOX_CONFLICT, PARADOX_RIGOUR, PARADOX_SOLUTION),
    "MT": (
        ASSUMPTION_NAMED,
        PROBLEM_REFRAMED,
        REFRAMED_SOLVED,
        RubricRow("Solved without naming the assumption", f"at most {UNNAMED_ASSUMPTION_LIMIT:g}", "luck is not insight"),
    ),
    "DG": (
        *(
            RubricRow(f"The simple answer in under {tokens} tokens", f"{FULL_OUTCOME * factor:g}", f"simplicity factor {factor}", FULL_OUTCOME * factor)
            for tokens, factor in SIMPLICITY
        ),
        RubricRow("The simple answer at greater length", f"{FULL_OUTCOME * LEAST_SIMPLE:g}", f"simplicity factor {LEAST_SIMPLE}", FULL_OUTCOME * LEAST_SIMPLE),
        RubricRow("Another plan that works", "the same, by its length", "it reaches the goal, and more than it needed was done"),
        RubricRow("A plan that fails", "0", "the narrative has won"),
    ),
}
FURTHER: Final[Mapping[str, tuple[RubricRow, ...]]] = {
    "KS-Multiple": (RubricRow("Each further valid path named", f"+{FURTHER_PATH_BONUS:g} on insight", "any one path earns the full outcome"),),
    "KS-Fragile": (
        RubricRow("Solves the original and fails every perturbed variant", "fragility flag", "the plan was remembered, not found"),
        RubricRow("Consistent success on the variants", f"+{STEADY_BONUS:g} on the scenario", "the plan is understood"),
    ),
}
# fmt: on
