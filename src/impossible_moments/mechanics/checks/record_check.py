"""Complete check of a record: its findings, and everything that was computed from it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from impossible_moments.mechanics.checks.agreements import check_agreements
from impossible_moments.mechanics.checks.approaches import check_working_approaches, run_and_check_approaches
from impossible_moments.mechanics.checks.category_primitives import (
    check_scale_misdirection_and_missing_sections,
)
from impossible_moments.mechanics.checks.content_checks import check_content
from impossible_moments.mechanics.checks.decorative_mechanics import check_decorative_mechanics
from impossible_moments.mechanics.checks.prose_requirements import collect_prose_requirements
from impossible_moments.mechanics.checks.status import StatusVerdict, compute_status
from impossible_moments.mechanics.checks.status_claims import check_status_claim
from impossible_moments.mechanics.checks.wording_checks import check_wording
from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from impossible_moments.mechanics.execution.search_limits import SearchBounds
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language.scalar_evaluation import UNDEFINED
from impossible_moments.mechanics.proofs.cover import build_cover
from impossible_moments.mechanics.proofs.frontier import read_frontier
from impossible_moments.mechanics.prose import ProseRequirements, check_prose
from impossible_moments.mechanics.puzzles.puzzle_solver import WorldPuzzleContext, solve_puzzle
from impossible_moments.mechanics.records.library import Library
from impossible_moments.mechanics.records.record import Record
from impossible_moments.mechanics.records.record_validation import parse_record
from impossible_moments.mechanics.records.status_forms import Paradox
from impossible_moments.mechanics.world.building.formula_checks import check_formula_ranges
from impossible_moments.mechanics.world.building.world_builder import build_world, report_unused_quantities
from impossible_moments.mechanics.world.building.world_draft import WorldDraft
from impossible_moments.mechanics.world.engine import WorldEngine
from impossible_moments.mechanics.world.world_model import World


@dataclass(frozen=True)
class CheckReport:
    """Result of a check. `analysis` and `verdict` are None if the record could not be read."""

    findings: Findings
    record: Record | None = None
    analysis: WorldAnalysis | None = None
    verdict: StatusVerdict | None = None
    tie: ProseRequirements | None = None

    @property
    def is_accepted(self) -> bool:
        """Whether the record has no errors."""
        return not self.findings.errors

    @property
    def is_unreadable(self) -> bool:
        """Whether the record could not be read, so that nothing was computed."""
        return self.analysis is None


def verify_record(
    data: object, library: Library, bounds: SearchBounds | None = None, *, checks_texts: bool = True
) -> CheckReport:
    """Check a record given as plain data (a parsed document) or as a `Record`.

    `bounds` limits the search. Without `checks_texts`, prose, wording and what a reader notices are not examined, which
    halves the time. The verdict and everything that is executed are the same.
    """
    findings = Findings()
    record = data if isinstance(data, Record) else parse_record(data, findings)
    if record is None:
        return CheckReport(findings)
    world, draft = build_world(record, library, findings)
    if findings.errors:
        # A record that cannot be read cannot be executed. Its prose is checked once the record is valid.
        return CheckReport(findings, record)
    world = _solve_record_puzzles(world, draft)
    report_unused_quantities(draft, world)
    analysis = WorldAnalysis(world, bounds)
    if not _check_initial_state(analysis, findings):
        return CheckReport(findings, record, analysis)
    _check_longest_plan(analysis, findings)
    check_agreements(analysis.engine, findings)
    check_formula_ranges(draft, analysis.engine)
    check_decorative_mechanics(world, findings)
    run_and_check_approaches(analysis, findings)
    _report_unanswered_puzzles(analysis, findings)
    cells = build_cover(analysis.engine, analysis.plans, findings)
    frontier = read_frontier(record.frontier, draft, world) if record.frontier is not None else None
    verdict = compute_status(analysis, cells, frontier)
    check_status_claim(analysis, verdict, findings)
    check_working_approaches(analysis, findings)
    check_scale_misdirection_and_missing_sections(analysis, draft)
    requirements = collect_prose_requirements(analysis, verdict)
    if checks_texts:
        check_prose(record.prose, requirements, findings)
        check_wording(analysis, findings)
        check_content(analysis, verdict, requirements, findings)
    if not analysis.bounds.exhausted:
        findings.add(
            "search.not-exhausted",
            "/actions",
            f"the search reached its limit after {analysis.bounds.used} nodes",
            expected="fewer interchangeable things or actions",
        )
    return CheckReport(findings, record, analysis, verdict, requirements)


def build_analysis_without_search(data: object, library: Library) -> WorldAnalysis | None:
    """Return the analysis of a record with its approaches executed but without any search.

    Return None if the record cannot be read. Use it to execute plans in records that were checked before: it
    is about a hundred times faster than a check.
    """
    findings = Findings()
    record = data if isinstance(data, Record) else parse_record(data, findings)
    if record is None:
        return None
    world, draft = build_world(record, library, findings)
    if findings.errors:
        return None
    analysis = WorldAnalysis(_solve_record_puzzles(world, draft))
    run_and_check_approaches(analysis, findings)
    return analysis


def _solve_record_puzzles(world: World, draft: WorldDraft) -> World:
    """Return the world with its puzzles solved, and report puzzles without a right answer."""
    if not draft.record.puzzles:
        return world
    setting = WorldPuzzleContext(draft, WorldEngine(world))
    puzzles = {
        puzzle.name: solve_puzzle(puzzle, setting, draft.findings)
        for puzzle in draft.record.puzzles
        if puzzle.name in world.effects_of_answers
    }
    if not isinstance(draft.record.status, Paradox):
        for name, puzzle in puzzles.items():
            if not puzzle.answers and puzzle.exhausted:
                draft.findings.add(
                    "puzzle.no-answer",
                    f"/puzzles/{name}",
                    puzzle.explanation,
                    found="no right answer",
                    expected="clues that leave one answer",
                )
    return replace(world, puzzles=puzzles)


def _check_initial_state(analysis: WorldAnalysis, findings: Findings) -> bool:
    """Check that every quantity has a value, and that neither the goal nor a danger holds at the start."""
    for name in analysis.engine.undefined:
        findings.add(
            "value.undefined",
            "/quantities",
            f"the quantity or property `{name}` has no value: a division by zero or a root of a negative number",
            found=name,
            expected="an expression that has a value at stated values",
        )
    start = analysis.engine.build_start_values()
    for never in analysis.world.never_rules:
        if _is_danger_met_at_start(analysis, never.name):
            findings.add(
                "never.at-start",
                f"/never/{never.name}",
                f"danger `{never.name}` already holds at the start",
                found=never.name,
                expected="a danger that does not hold at the start",
            )
    try:
        if analysis.executor.goal(start):
            findings.add(
                "goal.trivial",
                "/goal",
                "the goal is already met at the start",
                found=analysis.world.record.goal or "",
                expected="a goal that is not met at the start",
            )
    except UNDEFINED:
        findings.add(
            "value.undefined",
            "/goal",
            "the goal has no value at the start",
            found=analysis.world.record.goal or "",
        )
    if analysis.executor.deadline is not None:
        try:
            deadline = analysis.executor.deadline(start)
        except UNDEFINED:
            deadline = float("nan")
        if not deadline > 0:
            findings.add(
                "deadline.form",
                "/deadline",
                f"the deadline is {deadline:g} s, but it must be above zero",
                found=analysis.world.record.deadline or "",
                expected="a time above zero",
            )
    return not findings.errors


def _is_danger_met_at_start(analysis: WorldAnalysis, name: str) -> bool:
    holds = next(each[1] for each in analysis.executor.never_rules if each[0] == name)
    try:
        return bool(holds(analysis.engine.build_start_values()))
    except UNDEFINED:
        return False


def _check_longest_plan(analysis: WorldAnalysis, findings: Findings) -> None:
    """Report a record with long plans whose states cannot be followed one by one."""
    longest = analysis.world.record.longest_plan
    if longest is not None and analysis.searcher.graph_obstacle:
        findings.add(
            "plan.longest",
            "/longest_plan",
            f"plans of up to {longest} calls need states that can be followed one by one, but {analysis.searcher.graph_obstacle}",
            found=longest,
            expected="no choices, unattended work or rates that help; or no `longest_plan`",
        )


def _report_unanswered_puzzles(analysis: WorldAnalysis, findings: Findings) -> None:
    """Report puzzles that no approach answers."""
    answered = {
        move.arguments[0]
        for plan in analysis.plans.values()
        for move in plan
        if move.verb == "answer" and move.arguments
    }
    for name in analysis.world.puzzles:
        if name not in answered:
            findings.add(
                "puzzle.unplayed",
                f"/puzzles/{name}",
                f"no approach answers the puzzle `{name}`",
                found=name,
                expected=f"answer({name}, 'value') in a plan",
            )
