"""The publication check: the public document must contain all that is needed to solve the scenario."""

from __future__ import annotations

from impossible_moments.domain.vocabulary import parse_main_status
from impossible_moments.mechanics.checks import CheckReport
from impossible_moments.mechanics.execution import MoveError
from impossible_moments.mechanics.records import PlanError, parse_call
from impossible_moments.scenarios import Scenario
from impossible_moments.solver.known_situations import KnownSituations
from impossible_moments.solver.public_text import PublicText
from impossible_moments.solver.solver import SolverResult, solve_public_text


def explain_insufficient_document(
    document: str, report: CheckReport, situations: KnownSituations
) -> str | None:
    """Return why a public document is insufficient, or None if it is sufficient.

    It is sufficient if the solver, given only the document, arrives at the result that the record computes.
    """
    solver_result = solve_public_text(
        PublicText.from_scenario(Scenario.parse(document, "the public document")), situations
    )
    return explain_solver_mismatch(solver_result, report)


def explain_solver_mismatch(solver_result: SolverResult, report: CheckReport) -> str | None:
    """Return how the result of the solver differs from the computed report, or None if they agree."""
    verdict = report.verdict
    status = (verdict.status if verdict is not None else None) or "undecided"
    if solver_result.status == "unread":
        return f"A solver that has only the public text cannot reconstruct the situation: {solver_result.reason}."
    if _strip_status_subtype(solver_result.status) != _strip_status_subtype(status):
        return f"A solver that has only the public text finds {solver_result.status}, but the record computes as {status}: {solver_result.reason}."
    unstated = [name for name in solver_result.unstated_numbers if name in solver_result.decisive_numbers]
    if unstated:
        return f"The public text does not state {', '.join(unstated)}, on which the outcome depends."
    contradictory = [
        name for name in solver_result.reading.contradictions if name in solver_result.decisive_numbers
    ]
    if contradictory:
        return f"The story and the tables contradict each other on {', '.join(contradictory)}."
    working_calls = {way.calls for way in verdict.ways} if verdict is not None else set()
    if (
        working_calls
        and not working_calls & set(solver_result.plans)
        and not any(_is_working_plan(plan, report) for plan in solver_result.plans)
    ):
        found = " then ".join(solver_result.plans[0]) if solver_result.plans else "nothing"
        return f"A solver that has only the public text finds {found}, which is not a solution of the record."
    return None


def _is_working_plan(plan: tuple[str, ...], report: CheckReport) -> bool:
    """Return whether a plan reaches the goal in the record.

    A plan may choose other values than the record does and still work.
    """
    if report.analysis is None:
        return False
    executor = report.analysis.executor
    try:
        return executor.run_plan([executor.moves.get_move(parse_call(call)) for call in plan]).reaches_goal
    except (MoveError, PlanError):
        return False


def _strip_status_subtype(status: str) -> str:
    """Return the status without its subtype; unknown words are returned unchanged."""
    try:
        return parse_main_status(status)
    except ValueError:
        return status
