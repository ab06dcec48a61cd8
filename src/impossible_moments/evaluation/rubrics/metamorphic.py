"""Rubric for metamorphic scenarios (MT): an unstated assumption, and a plan that acts without it."""

from __future__ import annotations

from collections.abc import Iterable

from impossible_moments.domain.scoring_rubrics import (
    ASSUMPTION_NAMED,
    PASSES,
    PROBLEM_REFRAMED,
    REFRAMED_SOLVED,
)
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import AnswerVerdict, ParsedAnswer
from impossible_moments.evaluation.answers.common_verbs import find_common_verbs_for_answer_phrase
from impossible_moments.evaluation.answers.implied_diagnosis import prepend_implied_diagnosis
from impossible_moments.evaluation.answers.plan_execution import (
    ExecutedPlan,
    execute_plan_in_best_reading,
    find_challenged_premises,
)
from impossible_moments.evaluation.answers.plan_justification import has_plan_justification
from impossible_moments.evaluation.answers.step_resolution import find_named_premises
from impossible_moments.evaluation.answers.thing_names import extract_word_stems
from impossible_moments.evaluation.rubrics.rubric_result import (
    FEWEST_SHARED,
    MOST_WORDS,
    RubricResult,
    compute_insight_share,
    compute_physical_validity,
    describe_plan_ending,
)


def score_metamorphic_answer(answer: ParsedAnswer, key: AnswerKey) -> RubricResult:
    """Score an answer to a metamorphic scenario.

    Naming the assumption earns 30, acting without it 30, and a plan that then works 40. An answer that does
    not name the assumption earns at most 40.
    """
    named = find_named_premises(answer.assumption, key) | find_challenged_premises(answer.plan, key)
    if answer.assumption:
        named |= find_named_premises(" ".join([answer.assumption, *answer.because]), key)
    found = execute_plan_in_best_reading(
        prepend_implied_diagnosis(answer, key),
        key,
        lifted=_find_names_of_quoted_premises(named or key.premises, key),
    )
    if not named and found.outcome.reaches_goal:
        named = _find_paraphrased_premises(answer, key)
    if answer.verdict is AnswerVerdict.IMPOSSIBLE and not named:
        return RubricResult(
            0.0, 0.0, 0.0, f"no assumption is named; {describe_plan_ending(found)}", ("gave up",), found
        )
    guessed = found.read_loosely and not has_plan_justification(answer, found, key)
    solution_points = REFRAMED_SOLVED.points if found.outcome.reaches_goal and not guessed else 0.0
    reframed = bool(named) and (solution_points > 0 or _violates_named_premise(found, named, key))
    outcome = ASSUMPTION_NAMED.points * bool(named) + PROBLEM_REFRAMED.points * reframed + solution_points
    insight_share = max(compute_insight_share(found, key), 100.0 * bool(named) / max(len(key.insights), 1))
    review = outcome < PASSES and (bool(found.unknown) or guessed)
    words = "the assumption is named" if named else "no assumption is named"
    return RubricResult(
        outcome,
        compute_physical_validity(found),
        min(insight_share, 100.0),
        f"{words}; {describe_plan_ending(found)}",
        (),
        found,
        review,
    )


def _find_names_of_quoted_premises(quotes: Iterable[str], key: AnswerKey) -> frozenset[str]:
    held = set(quotes)
    return frozenset(never.name for never in key.analysis.world.never_rules if never.evidence in held)


def _violates_named_premise(
    executed_plan: ExecutedPlan, premise_names: frozenset[str], key: AnswerKey
) -> bool:
    """Check whether a plan does what one of the named premises forbids."""
    if not executed_plan.moves:
        return False
    end = key.analysis.executor.run_plan(executed_plan.moves).end
    return end in {f"never {name}" for name in _find_names_of_quoted_premises(premise_names, key)}


def _find_paraphrased_premises(answer: ParsedAnswer, key: AnswerKey) -> frozenset[str]:
    """Return the premises that an answer drops in its own words, by the words of what they forbid."""
    doubts = (
        f"{step.value} {' '.join(step.things)}"
        for step in answer.plan
        if "challenge" in find_common_verbs_for_answer_phrase(step.do)
    )
    stated_words = [extract_word_stems(each) for each in (answer.assumption, *doubts) if each]
    return frozenset(
        never.evidence
        for never in key.analysis.world.never_rules
        if never.evidence in key.premises
        and any(
            len(words & key.conditions.get_condition_words(never.name)) >= FEWEST_SHARED
            and len(words) <= MOST_WORDS
            for words in stated_words
        )
    )
