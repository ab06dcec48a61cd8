"""Check of approaches: each is executed, and its outcome is compared with the stated one."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import Final

from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from impossible_moments.mechanics.execution.executor import find_premises_matching_challenge
from impossible_moments.mechanics.execution.move_arguments import MoveError
from impossible_moments.mechanics.execution.moves import Move
from impossible_moments.mechanics.execution.outcomes import PlanOutcome
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language.expression_types import suggest_similar_name
from impossible_moments.mechanics.records.line_findings import parse_line_or_report
from impossible_moments.mechanics.records.plan_margins import LEAST_TIME_MARGIN
from impossible_moments.mechanics.records.plans import MAX_CALLS, PlanError, parse_call
from impossible_moments.mechanics.records.record import ApproachForm
from impossible_moments.mechanics.world.world_model import NeverRuleSource

FEWEST_APPROACHES: Final = 2
_END_PATTERN: Final = re.compile(r"(goal|late|short)|blocked\s+([\w.]+)|never\s+(\w+)")


def run_and_check_approaches(analysis: WorldAnalysis, findings: Findings) -> None:
    """Execute every approach and report outcomes that differ from the stated ones.

    The plans and outcomes are stored in the analysis.
    """
    record = analysis.world.record
    if len(record.approaches) < FEWEST_APPROACHES:
        findings.add(
            "approach.few",
            "/approaches",
            f"the record has too few approaches: {len(record.approaches)}",
            expected="the solutions, and the wrong answers worth naming",
        )
    plans: dict[str, tuple[Move, ...]] = {}
    outcomes: dict[str, PlanOutcome] = {}
    for approach in record.approaches:
        path = f"/approaches/{approach.name}"
        if approach.name in plans:
            findings.add(
                "name.twice",
                path,
                f"two approaches are named `{approach.name}`",
                found=approach.name,
                expected="another name",
            )
            continue
        moves = _read_approach_moves(analysis, approach, findings, path)
        ends = _parse_stated_plan_end(analysis, approach, findings, path)
        if moves is None:
            continue
        _report_challenges_without_premise(analysis, moves, findings, path)
        plans[approach.name] = moves
        outcomes[approach.name] = outcome = analysis.executor.run_plan(moves)
        if ends is not None and ends != outcome.end:
            findings.add(
                "approach.ends",
                path,
                f"the stated end is `{ends}`, but the plan {describe_outcome(outcome)}",
                found=ends,
                expected=f"ends: {outcome.end}, or change the record",
            )
    analysis.plans, analysis.outcomes = plans, outcomes


def _report_challenges_without_premise(
    analysis: WorldAnalysis, moves: tuple[Move, ...], findings: Findings, path: str
) -> None:
    premises = [never.evidence for never in analysis.world.never_rules if never.by is NeverRuleSource.PREMISE]
    for move in moves:
        if move.verb == "challenge" and not find_premises_matching_challenge(
            move, analysis.world.never_rules
        ):
            findings.add(
                "plan.argument", f"{path}/plan", f"the call `{move.text}` does not quote any premise of the record", found=move.text,
                expected=" or ".join(f"challenge('{quote}')" for quote in premises) or "a never-line with `@ premise: quote`",
            )  # fmt: skip


def describe_outcome(outcome: PlanOutcome) -> str:
    """Return a text with the end of a plan, its time and its margin."""
    margin = "" if outcome.failing_margin is None else f" (margin {outcome.failing_margin:+.0%})"
    of = f" of {outcome.deadline:.4g} s" if outcome.deadline else ""
    note = f"; {outcome.note}" if outcome.note else ""
    return f"ends `{outcome.end}` after {outcome.time:.4g} s{of}{margin}{note}"


def _read_approach_moves(
    analysis: WorldAnalysis, approach: ApproachForm, findings: Findings, path: str
) -> tuple[Move, ...] | None:
    most = analysis.world.record.longest_plan or MAX_CALLS
    if len(approach.plan) > most:
        findings.add(
            "plan.form",
            f"{path}/plan",
            f"a plan has at most {most} calls, this one has {len(approach.plan)}",
            found=len(approach.plan),
            expected="fewer calls",
        )
        return None
    moves: list[Move] = []
    for number, text in enumerate(approach.plan):
        try:
            moves.append(analysis.executor.moves.get_move(parse_call(text)))
        except PlanError as problem:
            findings.add(
                "plan.form", f"{path}/plan/{number}", str(problem), found=text, expected="wrap(tube, hose)"
            )
        except MoveError as problem:
            findings.add(
                problem.code, f"{path}/plan/{number}", str(problem), found=text, expected=problem.expected
            )
    return tuple(moves) if len(moves) == len(approach.plan) else None


def _parse_stated_plan_end(
    analysis: WorldAnalysis, approach: ApproachForm, findings: Findings, path: str
) -> str | None:
    text = " ".join(approach.ends.split())
    match = _END_PATTERN.fullmatch(text)
    world = analysis.world
    if match is None:
        findings.add(
            "approach.ends-form",
            f"{path}/ends",
            f"`{text}` is not a valid end of an approach",
            found=approach.ends,
            expected="goal | late | short | blocked verb.condition | blocked answer.puzzle | never name",
        )
        return None
    if match[3] and match[3] not in {never.name for never in world.never_rules}:
        known = [never.name for never in world.never_rules]
        findings.add(
            "approach.ends-form",
            f"{path}/ends",
            f"no such never-line: `{match[3]}`{suggest_similar_name(match[3], known)}",
            found=text,
            expected=f"one of {', '.join(known) or 'none: the record has no never-lines'}",
        )
        return None
    if match[2]:
        known = list_names_that_can_block_plan(analysis)
        if match[2] not in known:
            findings.add(
                "approach.ends-form",
                f"{path}/ends",
                f"no such condition: `{match[2]}`{suggest_similar_name(match[2], known)}",
                found=text,
                expected=f"blocked verb.condition or verb.slot: {', '.join(known[:30])}",
            )
            return None
    return text


def list_names_that_can_block_plan(analysis: WorldAnalysis) -> list[str]:
    """Return the names of everything that can block a plan.

    These are conditions, slots, durations and effects of actions, answers of puzzles, and decisions.
    """
    world = analysis.world
    names = [
        f"{action.verb}.{name}"
        for action in world.actions.values()
        for name in (
            *(slot.name for slot in action.slots),
            *(condition.name for condition in action.when),
            "takes",
            *(effect.target.name if hasattr(effect.target, "name") else "" for effect in action.then),
        )
    ]
    names += [f"answer.{name}" for name in world.effects_of_answers]
    names += [f"choose.{quantity.name}" for quantity in analysis.engine.decisions]
    return [*dict.fromkeys(names), "wait_until", "rates"]


def check_working_approaches(analysis: WorldAnalysis, findings: Findings) -> None:
    """Check approaches that reach the goal: idle calls, remaining time, mechanics and matching insights."""
    for name, outcome in analysis.outcomes.items():
        if not outcome.reaches_goal:
            continue
        path = f"/approaches/{name}"
        plan = analysis.plans[name]
        if outcome.time_margin is not None and outcome.time_margin < LEAST_TIME_MARGIN:
            findings.add(
                "timing.thin",
                path,
                f"the plan leaves too little time: it takes {outcome.time:.4g} s of {outcome.deadline:.4g} s",
                found=f"{outcome.time_margin:.1%} left",
                expected=f"at least {LEAST_TIME_MARGIN:.0%} left",
            )
        for move in plan:
            fewer = tuple(each for each in plan if each is not move)
            if (
                not (move.logistics or move.verb in {"claim", "impossible"})
                and fewer
                and analysis.executor.run_plan(fewer).reaches_goal
            ):
                findings.add(
                    "approach.idle-call",
                    path,
                    f"the plan works without its call `{move.text}`",
                    found=move.text,
                    expected="only calls that are needed",
                )
    _report_unmeasured_approaches(analysis, findings)
    _report_single_call_solutions(analysis, findings)
    _check_insight_patterns(analysis, findings)


FEWEST_READ: Final = 2


PRESSING_TIME_MARGIN: Final = 0.5


def _report_unmeasured_approaches(analysis: WorldAnalysis, findings: Findings) -> None:
    """Report approaches that reach the goal without any measured quantity, by flags alone."""
    for name, outcome in analysis.outcomes.items():
        if not outcome.reaches_goal or analysis.world.rates:
            continue
        margins = [margin for step in outcome.steps for _, margin in step.margins] + [
            margin for _, margin in outcome.dangers
        ]
        is_time_critical = outcome.time_margin is not None and outcome.time_margin < PRESSING_TIME_MARGIN
        if (
            not is_time_critical
            and all(margin is None for margin in margins)
            and not any(move.verb == "answer" for move in analysis.plans[name])
        ):
            findings.add(
                "status.no-mechanics",
                f"/approaches/{name}",
                "no condition of this plan compares numbers",
                found=" then ".join(move.text for move in analysis.plans[name]),
                expected="a condition on a number, a rate, a puzzle, or a tight deadline",
            )


def _report_single_call_solutions(analysis: WorldAnalysis, findings: Findings) -> None:
    """Report actions of the record that reach the goal in one call and read fewer than two quantities."""
    world = analysis.world
    for move in analysis.executor.moves.all_actions:
        if not move.own or move.decides:
            continue
        names_read = frozenset().union(
            *(
                world.collect_stated_quantities(tree)
                for tree in (*(test.tree for test in move.tests), move.takes_tree)
            )
        )
        if len(names_read) < FEWEST_READ and analysis.executor.run_plan((move,)).reaches_goal:
            findings.add(
                "action.whole-plan",
                f"/actions/{move.verb}",
                f"`{move.text}` reaches the goal in one call and reads only {', '.join(sorted(names_read)) or 'constants'}",
                found=move.text,
                expected="conditions and a duration that depend on the world",
            )


def _check_insight_patterns(analysis: WorldAnalysis, findings: Findings) -> None:
    calls = [move.text for plan in analysis.plans.values() for move in plan]
    for number, line in enumerate(analysis.world.record.insights):
        path = f"/insights/{number}"
        parts = parse_line_or_report(
            line,
            path,
            findings,
            example="bind(a_string, *) = A string wound tight is a clamp.",
            evidence=False,
        )
        if parts is None:
            continue
        unknown = _find_undefined_name_in_verdict_call(analysis, parts.head)
        if unknown:
            findings.add(
                "insight.unmet",
                path,
                f"no such condition, never-line or claim: `{unknown}`",
                found=parts.head,
                expected="conditions, never-lines, deadline or claims of this record",
            )
        elif not matches_any_call(parts.head, calls):
            findings.add(
                "insight.unmet",
                path,
                f"no call of an approach matches `{parts.head}`",
                found=parts.head,
                expected=f"a call of an approach, * for any arguments: {', '.join(dict.fromkeys(calls))}",
            )


def _find_undefined_name_in_verdict_call(analysis: WorldAnalysis, pattern: str) -> str:
    """Return a name in `impossible(...)` or `claim(...)` that the record does not define, or ''."""
    match = re.fullmatch(r"(impossible|claim)\((.*)\)", pattern.strip())
    if match is None:
        return ""
    frontier = analysis.world.record.frontier
    known = {
        *list_names_that_can_block_plan(analysis),
        "deadline",
        "goal",
        "*",
        *(never.name for never in analysis.world.never_rules),
    }
    known |= {line.partition("=")[0].strip() for line in frontier.claims} if frontier is not None else set()
    names = [part.partition("=")[0].strip() for part in match[2].split(",")]
    return next((name for name in names if name and name not in known), "")


def matches_any_call(pattern: str, calls: list[str]) -> bool:
    """Return whether a call pattern, with * for any arguments, matches one of the calls.

    Patterns of verdicts such as `impossible(...)` always match, because a verdict is not a call.
    """
    normalized = re.sub(r"\s+", "", pattern)
    if normalized.startswith(("impossible(", "claim(", "challenge(")):
        return True
    return any(fnmatchcase(re.sub(r"\s+", "", call), normalized.replace("[", "[[]")) for call in calls)
