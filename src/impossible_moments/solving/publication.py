"""The publication check: a scenario that its public document does not let a stranger solve is not published."""

from __future__ import annotations

from impossible_moments.domain.vocabulary import main_status
from impossible_moments.mechanics.check import Report
from impossible_moments.mechanics.move_arguments import MoveError
from impossible_moments.mechanics.plans import PlanError, read_call
from impossible_moments.scenarios.scenario import Scenario
from impossible_moments.solving.lore import Lore
from impossible_moments.solving.solver import Solved, solve
from impossible_moments.solving.text import PublicText


def shortcoming(document: str, report: Report, lore: Lore) -> str | None:
    """Why a public document does not suffice, in words; None if whoever reads it comes to what the record computes."""
    solved = solve(PublicText.of_document(Scenario.read(document, "the public document")), lore)
    return compared(solved, report)


def compared(solved: Solved, report: Report) -> str | None:
    """What a solver's answer lacks beside what the record computes."""
    verdict = report.verdict
    status = (verdict.status if verdict is not None else None) or "undecided"
    if solved.status == "unread":
        return f"A solver who has only the public text cannot set the situation up: {solved.reason}."
    if _plain(solved.status) != _plain(status):
        return f"A solver who has only the public text finds {solved.status}, and the record computes as {status}: {solved.reason}."
    silent = [name for name in solved.untold if name in solved.rests_on]
    if silent:
        return f"The public text does not tell {', '.join(silent)}, on which the outcome rests."
    torn = [name for name in solved.reading.differing if name in solved.rests_on]
    if torn:
        return f"Story and tables contradict each other on {', '.join(torn)}."
    needed = {way.calls for way in verdict.ways} if verdict is not None else set()
    if needed and not needed & set(solved.plans) and not any(_works(plan, report) for plan in solved.plans):
        found = " then ".join(solved.plans[0]) if solved.plans else "nothing"
        return f"A solver who has only the public text finds {found}, which is not a way of the record."
    return None


def _works(plan: tuple[str, ...], report: Report) -> bool:
    """Whether a plan ends well in the record: of what can be chosen, other values than the record's may do."""
    if report.analysis is None:
        return False
    executor = report.analysis.executor
    try:
        return executor.run([executor.moves.move(read_call(call)) for call in plan]).reaches_goal
    except (MoveError, PlanError):
        return False


def _plain(status: str) -> str:
    """The status without its subtype, whatever else it may be called."""
    try:
        return main_status(status)
    except ValueError:
        return status
