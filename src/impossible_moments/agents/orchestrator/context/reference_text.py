"""The first level of context: template, classification framework, rubrics (3.2).

The text is generated from the tables that the gates, the calibration and the scorer use. Every prompt begins with the
template and the classification. The difficulty tables and the rubrics follow where they are applied. The text depends
only on the type of the deliverable, so that it reveals nothing and providers can cache it as the start of a prompt.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from impossible_moments.agents.orchestrator.context.token_budgets import ALWAYS_LOADED
from impossible_moments.domain.difficulty_tiers import BOUNDS, EXPECTED_SHARES, IMPOSSIBLE
from impossible_moments.domain.scoring_rubrics import COMPONENTS, FURTHER, OUTCOME, RubricRow
from impossible_moments.domain.thresholds import RANGE_TO_DISCUSS
from impossible_moments.domain.vocabulary import DifficultyDimension, Status
from impossible_moments.errors import ConfigurationError
from impossible_moments.llm import estimate_text_tokens

# fmt: off
DIFFICULTY_SCALE: Final[Mapping[DifficultyDimension, tuple[str, str, str, str, str]]] = {
    # Framework, the six difficulty dimensions: the meaning of the scores 1 to 5
    DifficultyDimension.I: ("one easy insight", "two independent ones", "three, some dependent", "a chain of four or more", "the whole picture must be replaced"),
    DifficultyDimension.D: ("no distractor", "one mild", "two or three, one of them tempting", "several that tell one false story", "most of the text misleads"),
    DifficultyDimension.C: ("surprising only", "a weak intuition to override", "a moderate one", "the opposite of instinct", "feels wrong even when explained"),
    DifficultyDimension.B: ("one field", "two related fields", "two unrelated fields", "three or more", "fields without a visible connection"),
    DifficultyDimension.T: ("no deadline", "a loose one", "must fit into a window", "the window excludes most working plans", "the clock is the puzzle"),
    DifficultyDimension.X: ("no trap", "one weak trap", "one that survives several steps of thought", "traps at several levels", "the trap is a step of the answer"),
}
STATUS_MEANINGS: Final[Mapping[Status, str]] = {
    "KS": "a solution is known (Singular: one way; Multiple: several; Fragile: fails within an assumed range)",
    "CT": "contested: which candidate is right depends on a disputed quantity",
    "OF": "open frontier: no solution is known, and no proof that there is none",
    "PX": "paradox: provably impossible within the stated constraints",
    "MT": "metamorphic: impossible as read, possible once an assumption that no fact imposes is dropped",
    "DG": "degenerate: a simple act solves it, and the rest is decoration",
}
# fmt: on
TEMPLATE: Final = """\
**Template.** A solver is shown: Scenario, Environment, Threat / Challenge, Position / Starting State, Available \
Objects, Agent Capabilities. Published, but not shown to a solver: name, category, tier, status, Why This Looks \
Impossible, Common Wrong Answers, and the evaluation document (answer, Physics Validation, Key Insights, Distractor \
Analysis, Scoring Rubric, Counterfactual Variants, Difficulty Profile).\
"""
TYPES: Final = """\
**Impossibility.** Type I looks impossible and can be solved by insight (usually KS, MT, DG). Type II could be done in \
theory and fails on precision, time or human limits, or is unresolved (usually CT, OF). Type III contradicts itself (PX).\
"""
CALIBRATION: Final = f"""\
A tier is matched from the hardest down. A profile that matches none gets the nearest tier by the summed distance \
outside its bounds, the harder one on a tie; IMPOSSIBLE is never the nearest. Every agent scores all six dimensions, \
and the median of each dimension counts. A dimension whose scores differ by more than {RANGE_TO_DISCUSS} is discussed \
and scored again. Score from the view of a solver who does not know the answer, and give a reason for each score. Two \
errors are common: scores too high because a hard scenario is impressive, and too low because the answer is known.\
"""


@cache
def render_reference(*, scores: bool = True, rubrics: bool = True) -> str:
    """Return the reference text of a prompt: the template, the statuses and the types of impossibility.

    `scores` adds the scale of difficulty and the tiers, for agents that score or judge scores, and `rubrics` the scoring
    of answers. Raise `ConfigurationError` if the text exceeds the tokens that are reserved for it.
    """
    parts = [
        "# Reference",
        TEMPLATE,
        "\n".join(("**Status.**", *(f"- {name}: {text}" for name, text in STATUS_MEANINGS.items()))),
        TYPES,
    ]
    if scores:
        parts += [
            f"**Difficulty I.D.C.B.T.X**, each from 1 to 5.\n{_render_difficulty_scale()}",
            f"**Tiers.**\n{_render_tier_bounds()}\n{CALIBRATION}",
        ]
    if rubrics:
        outcomes = "\n".join(f"- {status}: {_render_outcome_line(status)}" for status in OUTCOME)
        parts.append(
            f"**Scoring of an answer**, 0 to 100.\n{_render_score_components()}\nOutcome by status:\n{outcomes}"
        )
    return limit_reference_size("\n\n".join(parts) + "\n")


def limit_reference_size(text: str, most: int = ALWAYS_LOADED) -> str:
    """Return the reference text, or raise `ConfigurationError` if it is too long for the first level."""
    size = estimate_text_tokens(text)
    if size > most:
        raise ConfigurationError(
            f"The reference text of every prompt has {size:,} tokens, and {most:,} are allowed. Shorten its tables."
        )
    return text


def render_scenario_rubric(claim: str) -> str:
    """Return the scoring rubric of one scenario in full, by the status or subtype that its record claims."""
    status = claim.partition("-")[0]
    rows = (*OUTCOME[_require_status(status)], *FURTHER.get(claim, ()))
    return "\n".join(
        (
            f"## Scoring Rubric of This Scenario ({claim})",
            "| answer | outcome | reason |",
            "|---|---|---|",
            *(f"| {row.response} | {row.score} | {row.reasoning} |" for row in rows),
            "",
            f"The outcome counts {COMPONENTS[0].weight:.0%}. The rest: {_render_score_components(first=1)}",
        )
    )


def _require_status(text: str) -> Status:
    for status in OUTCOME:
        if status == text:
            return status
    raise ConfigurationError(f"`{text}` is not a solution status. The statuses are {', '.join(OUTCOME)}.")


def _render_difficulty_scale() -> str:
    head = ("| | 1 | 2 | 3 | 4 | 5 |", "|---|---|---|---|---|---|")
    rows = (
        f"| {dimension.name} {dimension.value} | {' | '.join(texts)} |"
        for dimension, texts in DIFFICULTY_SCALE.items()
    )
    return "\n".join((*head, *rows))


def _render_tier_bounds() -> str:
    letters = [dimension.name for dimension in DifficultyDimension]
    lines = ["| tier | " + " | ".join(letters) + " | solved by strong models |", "|---" * 8 + "|"]
    for tier in reversed(tuple(BOUNDS)):
        cells = (f"{low}-{high}" for low, high in BOUNDS[tier])
        lines.append(f"| {tier} | {' | '.join(cells)} | {EXPECTED_SHARES[tier]} |")
    lines.append(f"\nIMPOSSIBLE ({EXPECTED_SHARES['IMPOSSIBLE']}): {IMPOSSIBLE}.")
    return "\n".join(lines)


def _render_score_components(first: int = 0) -> str:
    parts = (
        f"{each.name} {each.weight:.0%} ({'by status, below' if number == 0 else each.how})"
        for number, each in enumerate(COMPONENTS)
        if number >= first
    )
    return "; ".join(parts) + "."


def _render_outcome_line(status: Status) -> str:
    return "; ".join(_iterate_outcome_parts(OUTCOME[status])) + "."


def _iterate_outcome_parts(rows: tuple[RubricRow, ...]) -> Iterator[str]:
    for row in rows:
        yield f"{row.response[0].lower()}{row.response[1:]} {row.score}"
