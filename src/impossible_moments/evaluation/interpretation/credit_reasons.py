"""The reason for the points of each component of a score, computed from the answer and its execution."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from impossible_moments.domain import scoring_rubrics as rubrics
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import AnswerVerdict
from impossible_moments.evaluation.interpretation.component_scores import (
    FREE_VERBS,
    find_needed_moves,
    has_too_many_acts,
    list_telling_calls,
)
from impossible_moments.evaluation.interpretation.conflict_shares import compute_conflict_share
from impossible_moments.evaluation.interpretation.false_claims import FALSE_CLAIM, list_wrong_conclusions
from impossible_moments.evaluation.interpretation.interpreted_answer import InterpretedAnswer, StepKind
from impossible_moments.evaluation.interpretation.interpreted_scoring import LEAST_FOR_MANNER
from impossible_moments.evaluation.interpretation.outcome_rubrics import grade_assertion
from impossible_moments.evaluation.interpretation.plain_words import describe_condition, describe_end
from impossible_moments.evaluation.interpretation.plan_execution import ExecutedInterpretation
from impossible_moments.evaluation.results import ScoreComponents
from impossible_moments.evaluation.scored_answer import ScoredAnswer

JUDGED = "judged"
"""Flag of a run that a panel of judges scored."""
_NO_MANNER = f"not counted, because the outcome is below {LEAST_FOR_MANNER:g}"


def explain_components(
    answer: InterpretedAnswer,
    scored: ScoredAnswer,
    key: AnswerKey,
    executions: Sequence[ExecutedInterpretation],
) -> Mapping[str, str]:
    """Return why each component has its points, by the key of the component; empty without components."""
    if scored.components is None:
        return {}
    executed = _select_scored_execution(executions)
    return {
        "outcome": _explain_outcome(answer, scored, key, executions),
        "physical": _explain_physical(answer, scored.components, key, executed),
        "insight": _explain_insight(answer, scored.components, key, executed),
        "distractors": _explain_distractors(scored.components, key, executed),
        "efficiency": _explain_efficiency(answer, scored.components, key, executed),
    }


def _select_scored_execution(executions: Sequence[ExecutedInterpretation]) -> ExecutedInterpretation | None:
    """Return the execution that reaches the goal, or the first if none does."""
    return next((each for each in executions if each.reaches_goal), executions[0] if executions else None)


def _explain_outcome(
    answer: InterpretedAnswer,
    scored: ScoredAnswer,
    key: AnswerKey,
    executions: Sequence[ExecutedInterpretation],
) -> str:
    if JUDGED in scored.flags:
        return f"by the judges: {scored.note}"
    if "shotgun" in scored.flags:
        return "the plan does so much that it does not say which acts matter, so it is not an answer"
    assert scored.components is not None
    reason = _explain_outcome_by_status(answer, scored.components, key, executions)
    if FALSE_CLAIM in scored.flags:
        return f"{reason}; at most {rubrics.FALSE_CLAIM_LIMIT:.0f} of 100, because it asserts something false on which it rests"
    return reason


def _explain_outcome_by_status(
    answer: InterpretedAnswer,
    components: ScoreComponents,
    key: AnswerKey,
    executions: Sequence[ExecutedInterpretation],
) -> str:
    executed = _select_scored_execution(executions)
    match key.status:
        case "PX":
            return _explain_paradox(answer, key)
        case "MT":
            return _explain_metamorphic(answer, components.outcome, executed)
        case "CT":
            return _explain_contested(answer, components.outcome, executions)
        case "OF":
            return "only judges can score an answer to an open question"
        case _:
            return _explain_known_solution(answer, key, executed)


def _explain_known_solution(
    answer: InterpretedAnswer, key: AnswerKey, executed: ExecutedInterpretation | None
) -> str:
    if answer.verdict not in {AnswerVerdict.SOLVABLE, AnswerVerdict.NONE}:
        return f"the verdict is “{answer.verdict}”, but the goal can be reached"
    reason = _describe_result(executed, key)
    if key.status == "DG" and executed is not None and executed.reaches_goal:
        limits = (share for most, share in rubrics.SIMPLICITY if answer.answer_tokens < most)
        share = next(limits, rubrics.LEAST_SIMPLE)
        reason += f"; an answer of about {answer.answer_tokens} tokens keeps {share:.0%} of the points"
    return reason


def _describe_result(executed: ExecutedInterpretation | None, key: AnswerKey) -> str:
    if executed is None or (not executed.moves and not executed.faults):
        return "the answer has no act that could be executed"
    if executed.faults:
        return "the plan has a step that this situation does not allow"
    return describe_end(executed.outcome.end, key, find_stopping_call(executed))


def find_stopping_call(executed: ExecutedInterpretation) -> str:
    """Return the call at which a plan was blocked or ended, or an empty text."""
    if executed.outcome.end.partition(" ")[0] not in {"blocked", "never"}:
        return ""
    done = len(executed.executed_calls) + len(executed.outcome.said)
    return executed.moves[done].text if done < len(executed.moves) else ""


def _explain_paradox(answer: InterpretedAnswer, key: AnswerKey) -> str:
    if answer.verdict is not AnswerVerdict.IMPOSSIBLE:
        return "the goal cannot be reached, and the answer does not say so"
    found = compute_conflict_share(answer.conflict, key, is_chosen=not answer.is_argued)
    counted = sorted(frozenset(key.conflict) - key.wording.bookkeeping)
    missing = [describe_condition(name, key) for name in counted if name not in found.named]
    named = f"{len(found.named)} of {len(counted)} conditions that close the goal are named"
    missed = f"; not named: {'; '.join(missing)}" if missing else ""
    beside = "" if found.relevance >= 1 or not answer.conflict else "; other reasons lower the points"
    return f"the answer says that it cannot be done; {named}{missed}{beside}"


def _explain_metamorphic(
    answer: InterpretedAnswer, outcome: float, executed: ExecutedInterpretation | None
) -> str:
    named = rubrics.ASSUMPTION_NAMED.points if answer.premises else 0.0
    solved = rubrics.REFRAMED_SOLVED.points if executed is not None and executed.reaches_goal else 0.0
    reframed = min(max(outcome - named - solved, 0.0), rubrics.PROBLEM_REFRAMED.points)
    parts = (
        ("assumption named", named, rubrics.ASSUMPTION_NAMED.points),
        ("problem reframed", reframed, rubrics.PROBLEM_REFRAMED.points),
        ("reframed problem solved", solved, rubrics.REFRAMED_SOLVED.points),
    )
    return _list_points(parts)


def _explain_contested(
    answer: InterpretedAnswer, outcome: float, executions: Sequence[ExecutedInterpretation]
) -> str:
    """Return the points of the rubric. The plan and the honesty about the other end are credited together."""
    reaches_goal = any(each.reaches_goal for each in executions)
    is_safe = bool(executions) and all(each.reaches_goal for each in executions)
    is_aware = answer.verdict is AnswerVerdict.CONTESTED or (
        is_safe and answer.verdict is AnswerVerdict.SOLVABLE
    )
    reasons = (answer.names_crux + reaches_goal) / 2
    aware = grade_assertion(rubrics.CONTESTED_AWARE.points, reasons) if is_aware else 0.0
    crux = rubrics.CONTESTED_CRUX.points if answer.names_crux and is_aware else 0.0
    parts = (
        (
            "a plan for one end of the dispute, and honesty about the other",
            max(outcome - aware - crux, 0.0),
            rubrics.CONTESTED_BEST.points + rubrics.CONTESTED_HONESTY.points,
        ),
        ("awareness that it is contested", aware, rubrics.CONTESTED_AWARE.points),
        ("the crux named", crux, rubrics.CONTESTED_CRUX.points),
    )
    return _list_points(parts)


def _list_points(parts: Iterable[tuple[str, float, float]]) -> str:
    return "; ".join(f"{words}: {points:.0f} of {most:.0f}" for words, points, most in parts)


def _explain_physical(
    answer: InterpretedAnswer,
    components: ScoreComponents,
    key: AnswerKey,
    executed: ExecutedInterpretation | None,
) -> str:
    if key.status == "PX" and answer.verdict is AnswerVerdict.IMPOSSIBLE:
        return "by how far the reasons hold and are about the conflict"
    if executed is None or not (executed.moves or executed.faults):
        return "no act was executed"
    if executed.reaches_goal and components.physical > 0:
        claims = len((*answer.false_claims, *answer.false_asides, *list_wrong_conclusions(answer, key)))
        beside = f"; {claims} of its claims are false" if claims else ""
        return f"all acts of a plan that reaches the goal hold{beside}"
    acts = [
        move.text
        for move in executed.moves
        if move.verb not in FREE_VERBS and move.text not in executed.added
    ]
    done, tried = sum(call in acts for call in executed.executed_calls), len(acts) + len(executed.faults)
    counts = f"acts that could be carried out: {min(done, tried)} of {tried}"
    if key.status == "PX":
        return f"{counts}; {rubrics.FALSE_SOLUTION_DEDUCTION:g} off for a proposed solution"
    return f"{counts}{_explain_uncounted_acts(answer, key)}" if components.physical == 0 and done else counts


def _explain_uncounted_acts(answer: InterpretedAnswer, key: AnswerKey) -> str:
    """Return why acts that were carried out earn nothing."""
    if key.status in {"KS", "DG"} and answer.verdict not in {AnswerVerdict.SOLVABLE, AnswerVerdict.NONE}:
        return "; not counted, because the verdict is wrong"
    if has_too_many_acts(answer, key):
        return (
            "; not counted, because the plan fails and has so many acts that good ones may be there by chance"
        )
    return "; not counted, because the plan fails and they show no insight"


def _explain_insight(
    answer: InterpretedAnswer,
    components: ScoreComponents,
    key: AnswerKey,
    executed: ExecutedInterpretation | None,
) -> str:
    if key.status == "PX":
        return "by the share of the conflict that is named"
    calls = () if executed is None else list_telling_calls(executed, key, answer.premises)
    insights = key.insights_of_solutions
    shown = [each.text for each in insights if each.is_shown_by(calls)]
    missing = [each.text for each in insights if each.text not in shown]
    parts = [f"shown by the plan: {_quote(shown)}"] if shown else ["no insight is shown by the plan"]
    if missing and components.insight < rubrics.FULL_OUTCOME:
        parts.append(f"not shown: {_quote(missing)}")
    if shown and not components.insight:
        parts.append(_explain_uncounted_acts(answer, key).removeprefix("; "))
    if components.insight > rubrics.FULL_OUTCOME:
        parts.append(f"{rubrics.FURTHER_PATH_BONUS:g} more for each further way")
    if key.status == "MT" and answer.premises:
        parts.append("the assumption is named")
    return "; ".join(parts)


def _quote(texts: Sequence[str]) -> str:
    return ", ".join(f"“{each.rstrip('.')}”" for each in texts)


def _explain_distractors(
    components: ScoreComponents, key: AnswerKey, executed: ExecutedInterpretation | None
) -> str:
    if components.outcome < LEAST_FOR_MANNER:
        return _NO_MANNER
    if executed is None or not executed.reaches_goal:
        return "the answer depends on no distractor"
    used = {argument for move in find_needed_moves(executed, key) for argument in move.arguments}
    labels = sorted(key.analysis.world.things[name].label for name in used & key.idle_tools)
    if not labels:
        return "the plan depends on no distractor"
    return f"the plan depends on {', '.join(labels)}: {rubrics.DISTRACTOR_DEDUCTION:g} off for each"


def _explain_efficiency(
    answer: InterpretedAnswer,
    components: ScoreComponents,
    key: AnswerKey,
    executed: ExecutedInterpretation | None,
) -> str:
    if components.outcome < LEAST_FOR_MANNER:
        return _NO_MANNER
    if executed is None or not executed.moves:
        return "the answer has no act that it does not need"
    if not executed.reaches_goal:
        return "the plan does not reach the goal"
    needed = len(find_needed_moves(executed, key))
    near_misses = sum(step.kind is StepKind.NEAR_MISS for step in answer.steps)
    done = min(len(executed.executed_calls) + len(executed.outcome.said), len(executed.moves))
    return f"acts that were needed: {needed} of {done + near_misses}"
