"""The outcome of an interpreted answer by the rubric of its status."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Final

from impossible_moments.domain.scoring_rubrics import (
    ASSUMPTION_NAMED,
    CONTESTED_AWARE,
    CONTESTED_BEST,
    CONTESTED_CRUX,
    CONTESTED_HONESTY,
    CONTESTED_PLAN,
    FALSE_SOLUTION_DEDUCTION,
    FULL_OUTCOME,
    FURTHER_PATH_BONUS,
    LEAST_SIMPLE,
    MOST_INSIGHT,
    PARADOX_ASSERTED,
    PARADOX_CONFLICT,
    PARADOX_RIGOUR,
    PROBLEM_REFRAMED,
    REFRAMED_SOLVED,
    SIMPLICITY,
    UNNAMED_ASSUMPTION_LIMIT,
)
from impossible_moments.domain.vocabulary import Status
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import AnswerVerdict
from impossible_moments.evaluation.interpretation.component_scores import (
    compute_insight_share,
    compute_physical_validity,
    find_needed_moves,
    is_shotgun,
)
from impossible_moments.evaluation.interpretation.conflict_shares import compute_conflict_share
from impossible_moments.evaluation.interpretation.fragile_variants import list_variant_flags
from impossible_moments.evaluation.interpretation.guess_correction import (
    NO_CHANCE,
    compute_chance_of_acts,
    compute_chance_of_conditions,
    compute_chance_of_crux,
    compute_chance_of_needed_acts,
    compute_chance_of_premise,
)
from impossible_moments.evaluation.interpretation.interpreted_answer import InterpretedAnswer
from impossible_moments.evaluation.interpretation.plan_execution import (
    ExecutedInterpretation,
    execute_interpreted_plan,
)
from impossible_moments.mechanics.language import Value
from impossible_moments.mechanics.world import NeverRuleSource

BARE_VERDICT_SHARE: Final = 0.25
"""PX and CT: the share of the points of a verdict that it earns without any reason."""
HALF_OF_THE_REASONS: Final = 0.5
"""PX and CT: the share of the reasons with which a verdict earns all its points."""


@dataclass(frozen=True)
class RubricOutcome:
    """Points by the rubric of a status, before weighting."""

    outcome: float
    physical: float
    insight: float
    note: str
    flags: tuple[str, ...] = ()
    executed: ExecutedInterpretation | None = None
    needs_judge: bool = False
    """Whether a part of the rubric cannot be computed."""
    chance: float = NO_CHANCE
    """The chance that a random choice from the menu gets as much right; 0 for what is right as a whole."""


def score_known_solution(answer: InterpretedAnswer, key: AnswerKey) -> RubricOutcome:
    """Score a plan for a situation that can be solved: 100 if it reaches the goal, else 0."""
    executed = execute_interpreted_plan(answer.calls, key)
    # a fragile plan really depends on an uncertain figure, so that calling it contested is no wrong verdict
    names_dependence = answer.verdict is AnswerVerdict.CONTESTED and key.full_status == "KS-Fragile"
    if answer.verdict not in {AnswerVerdict.SOLVABLE, AnswerVerdict.NONE} and not (
        names_dependence and executed.reaches_goal
    ):
        # even with a plan: an answer that gives both would be right for every scenario
        note = f"the verdict is {answer.verdict}, but the goal can be reached"
        flags_of_verdict = ("gave up",) if answer.verdict is AnswerVerdict.IMPOSSIBLE else ("wrong verdict",)
        return RubricOutcome(0.0, 0.0, 0.0, note, flags_of_verdict, executed)
    insight = compute_insight_share(executed, key)
    if executed.reaches_goal and is_shotgun(executed, answer, key):
        note = "the plan reaches the goal among many acts that it does not need, so it is not an answer"
        return RubricOutcome(0.0, 0.0, 0.0, note, ("shotgun",), executed)
    flags = ["unintended"] if executed.reaches_goal and not _contains_intended_plan(executed, key) else []
    if executed.reaches_goal and key.full_status == "KS-Multiple":
        insight += FURTHER_PATH_BONUS * _count_further_ways(answer, executed, key)
    if executed.reaches_goal and key.full_status == "KS-Fragile":
        flags += list_variant_flags(executed, key)
    return RubricOutcome(
        FULL_OUTCOME if executed.reaches_goal else 0.0,
        compute_physical_validity(executed),
        min(insight, MOST_INSIGHT),
        describe_ending(executed),
        tuple(flags),
        executed,
        chance=NO_CHANCE if executed.reaches_goal else _compute_chance_of_plan(executed, answer, key),
    )


def _contains_intended_plan(executed: ExecutedInterpretation, key: AnswerKey) -> bool:
    """Return whether the calls contain those of a working plan of the record."""
    calls = {move.text for move in executed.moves}
    return any(
        calls >= {move.text for move in key.analysis.plans[name]}
        for name, outcome in key.analysis.outcomes.items()
        if outcome.reaches_goal
    )


def _count_further_ways(answer: InterpretedAnswer, executed: ExecutedInterpretation, key: AnswerKey) -> int:
    """Count further plans that reach the goal and neither contain nor extend an earlier one."""
    seen = [frozenset(move.text for move in find_needed_moves(executed, key))]
    for steps in answer.other_plans:
        other = execute_interpreted_plan(replace(answer, steps=steps).calls, key)
        calls = frozenset(move.text for move in find_needed_moves(other, key)) if other.reaches_goal else None
        if calls is not None and not any(calls <= each or each <= calls for each in seen):
            seen.append(calls)
    return len(seen) - 1


def score_degenerate(answer: InterpretedAnswer, key: AnswerKey) -> RubricOutcome:
    """Score as a known solution, times a factor for the length of the answer itself.

    The thinking before the answer does not count.
    """
    found = score_known_solution(answer, key)
    factor = next((share for most, share in SIMPLICITY if answer.answer_tokens < most), LEAST_SIMPLE)
    return replace(found, outcome=found.outcome * factor)


def score_paradox(answer: InterpretedAnswer, key: AnswerKey) -> RubricOutcome:
    """Score the claim that the goal cannot be reached, by the conditions that the answer names."""
    if answer.verdict is not AnswerVerdict.IMPOSSIBLE:
        executed = execute_interpreted_plan(answer.calls, key)
        valid = max(compute_physical_validity(executed) - FALSE_SOLUTION_DEDUCTION, 0.0)
        flags = ("false solution",) if answer.steps else ()
        note = f"the goal cannot be reached; {describe_ending(executed)}"
        return RubricOutcome(0.0, valid, 0.0, note, flags, executed)
    is_chosen = not answer.is_argued
    found = compute_conflict_share(answer.conflict, key, is_chosen=is_chosen)
    named_share = found.share * found.relevance
    # in words, the conflict is named by what stops the serious attempts, and rigour is how much of it is closed
    conflict = named_share if is_chosen else found.relevance * found.names_main
    outcome = (
        grade_assertion(PARADOX_ASSERTED.points, named_share)
        + PARADOX_CONFLICT.points * conflict
        + PARADOX_RIGOUR.points * named_share
    )
    named = "; ".join(sorted(key.wording.conditions.get(each, each) for each in found.named))
    note = f"conflicts named: {named}" if named else "no condition that closes the goal is named"
    chance = compute_chance_of_conditions(answer, found.counted, len(found.named))
    return RubricOutcome(
        outcome,
        100.0 * conflict,
        100.0 * found.share,
        note,
        chance=NO_CHANCE if named_share == 1.0 else chance,
    )


def grade_assertion(points: float, reasons: float) -> float:
    """Return the points of a verdict. It earns all of them with half of its reasons, and few without any."""
    return points * (BARE_VERDICT_SHARE + (1 - BARE_VERDICT_SHARE) * min(reasons / HALF_OF_THE_REASONS, 1.0))


def score_metamorphic(answer: InterpretedAnswer, key: AnswerKey) -> RubricOutcome:
    """Score the named assumption, and a plan that acts without it."""
    unfounded = {rule.name for rule in key.analysis.world.never_rules if rule.by is NeverRuleSource.PREMISE}
    named = answer.premises & unfounded
    executed = execute_interpreted_plan(answer.calls, key, lifted=frozenset(named or unfounded))
    if answer.verdict is AnswerVerdict.IMPOSSIBLE and not named:
        return RubricOutcome(0.0, 0.0, 0.0, "no assumption is named", ("gave up",), executed)
    solves = executed.reaches_goal and not is_shotgun(executed, answer, key)
    solved = REFRAMED_SOLVED.points if solves else 0.0
    reframed = bool(named) and (solved > 0 or _breaks_premise(executed, named, key))
    outcome = ASSUMPTION_NAMED.points * bool(named) + PROBLEM_REFRAMED.points * reframed + solved
    if not named:
        outcome = min(outcome, UNNAMED_ASSUMPTION_LIMIT)
    insight = max(
        compute_insight_share(executed, key, named),
        100.0 * bool(named) / max(len(key.insights_of_solutions), 1),
    )
    words = "the assumption is named" if named else "the assumption is not named"
    return RubricOutcome(
        outcome,
        compute_physical_validity(executed),
        min(insight, 100.0),
        f"{words}; {describe_ending(executed)}",
        (),
        executed,
        chance=NO_CHANCE if named and solves else _compute_chance_of_reframing(executed, answer, key),
    )


def _compute_chance_of_reframing(
    executed: ExecutedInterpretation, answer: InterpretedAnswer, key: AnswerKey
) -> float:
    """Return the chance to choose the premise, if it is named, together with acts that show as much."""
    acts = _compute_chance_of_plan(executed, answer, key)
    return acts * compute_chance_of_premise(answer.offered) if answer.premises else acts


def _compute_chance_of_plan(
    executed: ExecutedInterpretation, answer: InterpretedAnswer, key: AnswerKey
) -> float:
    """Return the chance to choose the acts that a plan needs if it works, or else acts that show as much."""
    if not executed.reaches_goal:
        return compute_chance_of_acts(executed, answer, key)
    stated = [move for move in find_needed_moves(executed, key) if move.text not in executed.added]
    return compute_chance_of_needed_acts(len(stated), answer)


def _breaks_premise(executed: ExecutedInterpretation, named: frozenset[str], key: AnswerKey) -> bool:
    if not executed.moves:
        return False
    end = key.analysis.executor.run_plan(executed.moves).end
    return end in {f"never {name}" for name in named}


def score_contested(answer: InterpretedAnswer, key: AnswerKey) -> RubricOutcome:
    """Score a plan at both ends of the dispute, the verdict, the crux and the plan for the other end.

    If exactly one listed plan meets the goal at both ends, naming it as the solution is as good as calling the answer contested.
    """
    quantity = key.analysis.world.quantities[key.block.crux]
    ends = {
        "at_low": {quantity.name: quantity.low},
        "at_high": {quantity.name: quantity.high},
    }
    runs = {name: _execute_at(answer.calls, key, changes) for name, changes in ends.items()}
    if any(run.reaches_goal and is_shotgun(run, answer, key) for run in runs.values()):
        note = "the plan works among many acts that it does not need, so it is not an answer"
        return RubricOutcome(0.0, 0.0, 0.0, note, ("shotgun",), runs["at_low"])
    at = next((name for name, run in runs.items() if run.reaches_goal), "at_low")
    executed = runs[at]
    if answer.verdict in {AnswerVerdict.IMPOSSIBLE, AnswerVerdict.OPEN}:
        # even with a plan: an answer that gives both would be right for every scenario
        note = f"the verdict is {answer.verdict}, but a plan works at an end of the dispute"
        return RubricOutcome(0.0, 0.0, 0.0, note, ("wrong verdict",), executed)
    is_safe = all(run.reaches_goal for run in runs.values()) and _count_safe_plans(key, ends) == 1
    other = "at_high" if at == "at_low" else "at_low"
    covers_both = is_safe or (executed.reaches_goal and _covers_other_end(answer, key, other, ends))
    points = 0.0
    if executed.reaches_goal and answer.verdict in {AnswerVerdict.CONTESTED, AnswerVerdict.SOLVABLE}:
        # where a listed plan is safe at both ends, a bet on one end is not the best plan
        is_bet = not covers_both and _count_safe_plans(key, ends) == 1
        is_best = is_safe or (_is_best(executed, at, key) and not is_bet)
        points = CONTESTED_BEST.points if is_best else CONTESTED_PLAN
    calls_it_contested = answer.verdict is AnswerVerdict.CONTESTED
    takes_safe_plan = is_safe and answer.verdict is AnswerVerdict.SOLVABLE
    reasons = (answer.names_crux + executed.reaches_goal) / 2
    points_for_awareness = (
        grade_assertion(CONTESTED_AWARE.points, reasons) if calls_it_contested or takes_safe_plan else 0.0
    )
    points += points_for_awareness
    if answer.names_crux and points_for_awareness:
        points += CONTESTED_CRUX.points
    if points_for_awareness and covers_both:
        points += CONTESTED_HONESTY.points
    best_runs = _select_run_for_each_end(answer, key, runs, ends)
    chance = NO_CHANCE if is_safe else _compute_chance_of_plan(executed, answer, key)
    if answer.names_crux and calls_it_contested:
        chance *= compute_chance_of_crux(answer.offered)
    return RubricOutcome(
        points,
        fmean(map(compute_physical_validity, best_runs)),
        fmean(compute_insight_share(run, key) for run in best_runs),
        describe_ending(executed),
        ("safe at both ends",) if is_safe else (),
        executed,
        chance=chance,
    )


def _count_safe_plans(key: AnswerKey, ends: Mapping[str, Mapping[str, Value | None]]) -> int:
    """Return how many listed plans meet the goal at both ends. If several do, the preference of the text decides."""
    run_plan = key.analysis.executor.run_plan
    return sum(
        all(run_plan(plan, changes=_drop_missing(changes)).reaches_goal for changes in ends.values())
        for plan in key.analysis.plans.values()
    )


def _drop_missing(changes: Mapping[str, Value | None]) -> dict[str, Value]:
    return {name: value for name, value in changes.items() if value is not None}


def _select_run_for_each_end(
    answer: InterpretedAnswer,
    key: AnswerKey,
    runs: Mapping[str, ExecutedInterpretation],
    ends: Mapping[str, Mapping[str, Value | None]],
) -> list[ExecutedInterpretation]:
    """Return for each end at which something works the plan of the answer that works there, or its main plan."""
    found = []
    for name, run in runs.items():
        if getattr(key.block, name) is None:
            continue
        others = [
            _execute_at(replace(answer, steps=steps).calls, key, ends[name]) for steps in answer.other_plans
        ]
        found.append(next((each for each in (run, *others) if each.reaches_goal), run))
    return found or list(runs.values())


def _execute_at(
    calls: tuple[str, ...], key: AnswerKey, changes: Mapping[str, Value | None]
) -> ExecutedInterpretation:
    stated = {name: value for name, value in changes.items() if value is not None}
    return execute_interpreted_plan(calls, key, changes=stated)


def _is_best(executed: ExecutedInterpretation, at: str, key: AnswerKey) -> bool:
    best = getattr(key.block, at)
    return best is not None and set(executed.executed_calls) >= {
        move.text for move in key.analysis.plans[best] if move.verb != "challenge"
    }


def _covers_other_end(
    answer: InterpretedAnswer, key: AnswerKey, end: str, ends: Mapping[str, Mapping[str, Value | None]]
) -> bool:
    """Return whether the answer has a plan that works at the other end, or says rightly that none does."""
    others = [_execute_at(replace(answer, steps=steps).calls, key, ends[end]) for steps in answer.other_plans]
    if getattr(key.block, end) is None:
        return not any(each.reaches_goal for each in others) and answer.verdict is AnswerVerdict.CONTESTED
    return any(each.reaches_goal for each in others)


def score_open_frontier(answer: InterpretedAnswer, key: AnswerKey) -> RubricOutcome:
    """Record what could be executed of an answer to an open question. Judges decide the outcome."""
    executed = execute_interpreted_plan(answer.calls, key)
    return RubricOutcome(
        0.0,
        compute_physical_validity(executed),
        compute_insight_share(executed, key),
        "judges must score an answer to an open question",
        ("for judges",),
        executed,
        needs_judge=True,
    )


def describe_ending(executed: ExecutedInterpretation) -> str:
    """Return a note on how a plan ended."""
    if executed.faults:
        return f"the plan has a step that this situation does not allow: {executed.faults[0]}"
    if not executed.moves:
        return "the answer has no plan"
    return f"the plan ends: {executed.outcome.end}"


RUBRICS: Final[Mapping[Status, Callable[[InterpretedAnswer, AnswerKey], RubricOutcome]]] = {
    "KS": score_known_solution,
    "DG": score_degenerate,
    "PX": score_paradox,
    "MT": score_metamorphic,
    "CT": score_contested,
    "OF": score_open_frontier,
}
