"""The scoring rubric of a scenario: rows by status, its own wrong answers, and the five components."""

from __future__ import annotations

from typing import Final

from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
from impossible_moments.domain.scoring_rubrics import COMPONENTS, FURTHER, OUTCOME
from impossible_moments.domain.vocabulary import SOLVABLE_STATUSES
from impossible_moments.scenarios import join_paragraphs, render_table

_HEADERS: Final = ("Response", "Score", "Reasoning")


def render_scoring_rubric(case: FinishedCase) -> str:
    """Render the outcome scores by response, then the weights of the components."""
    lines = (*OUTCOME[case.status], *FURTHER.get(case.metadata.status, ()))
    rows = [(line.response, line.score, line.reasoning) for line in lines]
    # other statuses grade an outcome by several marks, so a wrong answer may still score
    if case.status in SOLVABLE_STATUSES:
        rows += [(each.answer, "0", each.why_wrong) for each in case.seed.wrong_answers]
    return join_paragraphs(
        f"Outcome of an answer to a scenario of status {case.metadata.status}, of 100:",
        render_table(_HEADERS, rows),
        "A run is scored by five components, each of 100:",
        render_table(
            ("Component", "Weight", "How"),
            ((each.name, f"{each.weight:.0%}", each.how) for each in COMPONENTS),
        ),
    )
