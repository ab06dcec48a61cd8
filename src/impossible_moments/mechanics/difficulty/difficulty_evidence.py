"""The evidence on the difficulty of a record, as data that every judge reads alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.checks import StatusVerdict, WorldAnalysis, matches_any_call
from impossible_moments.mechanics.difficulty.answering_plans import AnsweringPlan, list_answering_plan_groups
from impossible_moments.mechanics.difficulty.decision_depth import measure_decision_depth
from impossible_moments.mechanics.difficulty.failing_alternatives import (
    FailingAlternative,
    Strength,
    group_strong_distractors,
    list_failing_alternatives,
    measure_distractor_strength,
)
from impossible_moments.mechanics.difficulty.needed_insights import (
    InsightFact,
    NeededInsights,
    find_needed_insights,
)

DistractorStrength = Strength
TIGHT_MARGIN: Final = 0.5
"""A condition of an answering plan with at most this margin decides whether the plan works."""
LATE: Final = "late"


@dataclass(frozen=True, slots=True)
class DifficultyEvidence:
    """What execution shows about the difficulty of a record.

    - `listed_insights`, `needed_insights`: insights of the record, and those without which no answer is found
    - `insight_chain`: the longest chain of needed insights of which each depends on the one before
    - `drops_premise`: whether an unstated assumption must be dropped
    - `habits`, `domains`: fixedness types of the needed insights, and their domains if a condition of the call binds
    - `opposed_habits`: habits of needed insights for which an alternative fails only by the exchange of that call
    - `distractors`: strength of each distractor; `false_story`: most strong ones that one alternative uses together
    - `things`: things of the record other than persons
    - `has_deadline`, `time_left`: the largest share of the deadline that an answer leaves
    - `late`, `working`, `failing`: approaches that fail by time alone, answering plans, and failing approaches
    - `deep_alternatives`: failing alternatives that must be worked out; `trap_levels`: how many different numbers of
      calls succeed before they fail; `trap_ends`: how many different conditions stop them
    - `stepping_stones`: deep alternatives of which all calls that succeed belong to an answer
    - `decisions`, `calls_after_wrong_turn`: steps at which another possible move loses, and how late that shows; 0 for
      records without a state graph
    """

    status: str
    listed_insights: int
    needed_insights: int
    insight_chain: int
    drops_premise: bool
    habits: tuple[str, ...]
    opposed_habits: tuple[str, ...]
    domains: tuple[str, ...]
    distractors: Mapping[str, Strength]
    false_story: int
    things: int
    has_deadline: bool
    time_left: float | None
    late: int
    working: int
    failing: int
    deep_alternatives: int
    trap_levels: int
    trap_ends: int
    stepping_stones: int
    decisions: int = 0
    calls_after_wrong_turn: float = 0.0


def collect_difficulty_evidence(
    analysis: WorldAnalysis,
    verdict: StatusVerdict,
    insights: Sequence[InsightFact],
    distractors: Sequence[str],
) -> DifficultyEvidence:
    """Execute plans, alternatives and plans without insights, and return what they show."""
    alternatives = list_failing_alternatives(analysis, verdict)
    plans = tuple(plan for group in list_answering_plan_groups(analysis, verdict) for plan in group)
    needed = find_needed_insights(analysis, verdict, insights, alternatives)
    facts = tuple(insights[number - 1] for number in needed.numbers)
    strengths = {name: measure_distractor_strength(name, alternatives) for name in distractors}
    listed = [each for each in alternatives if each.is_listed]
    misleading = [each for each in alternatives if each.is_deep]
    # where each tool has its own verb, the state graph measures traps; exchanged tools only show which habits mislead
    deep = [each for each in misleading if not each.has_other_verb]
    own = [each for each in alternatives if not each.has_other_verb]
    depth = measure_decision_depth(analysis)
    margins = [margin for plan in plans if (margin := plan.run(analysis).time_margin) is not None]
    return DifficultyEvidence(
        status=verdict.status or "",
        listed_insights=len(insights),
        needed_insights=len(needed.numbers),
        insight_chain=needed.longest_chain,
        drops_premise=verdict.outside is not None,
        habits=tuple(each.type for each in facts),
        opposed_habits=_list_opposed_habits(facts, plans, misleading),
        domains=_list_binding_domains(analysis, needed, insights, plans, own),
        distractors=strengths,
        false_story=group_strong_distractors(strengths, alternatives),
        things=sum(thing.kind != "person" for thing in analysis.world.things.values()),
        has_deadline=analysis.executor.deadline is not None,
        time_left=max(margins, default=None),
        late=sum(each.end == LATE for each in listed),
        working=len(plans),
        failing=len(listed),
        deep_alternatives=len(deep),
        trap_levels=len({each.executed for each in deep}),
        trap_ends=len({each.end for each in deep}),
        stepping_stones=sum(_is_stepping_stone(each, plans) for each in deep),
        decisions=depth.decisions,
        calls_after_wrong_turn=depth.calls_after_wrong_turn,
    )


def _list_opposed_habits(
    facts: Sequence[InsightFact], plans: Sequence[AnsweringPlan], deep: Sequence[FailingAlternative]
) -> tuple[str, ...]:
    """Return the habits for which instinct goes as far as the call of the insight and must then be overridden."""
    return tuple(
        fact.type for fact in facts if any(_opposes(fact.call, plan, each) for plan in plans for each in deep)
    )


def _opposes(call: str, plan: AnsweringPlan, alternative: FailingAlternative) -> bool:
    """Return whether an alternative makes every call of the plan except those of the insight."""
    own = {each for each in plan.calls if matches_any_call(call, [each])}
    return bool(own) and set(plan.calls) - own <= set(alternative.calls) and not own & set(alternative.calls)


def _list_binding_domains(
    analysis: WorldAnalysis,
    needed: NeededInsights,
    insights: Sequence[InsightFact],
    plans: Sequence[AnsweringPlan],
    alternatives: Sequence[FailingAlternative],
) -> tuple[str, ...]:
    """Return the domains of needed insights whose calls have a condition that decides between plans."""
    stops = {each.end.removeprefix("blocked ") for each in alternatives}
    domains = [
        fact.domain
        for number in needed.numbers
        if (fact := insights[number - 1]).domain
        and (not plans or any(_binds(analysis, plan, fact.call, stops) for plan in plans))
    ]
    return tuple(dict.fromkeys(domains))


def _binds(analysis: WorldAnalysis, plan: AnsweringPlan, call: str, stops: set[str]) -> bool:
    """Return whether a condition of the insight's call stops an alternative or is met with a small margin."""
    if call.replace(" ", "").startswith("challenge("):
        return bool(plan.lifted)
    for step in plan.run(analysis).steps:
        if not matches_any_call(call, [step.call]):
            continue
        verb = step.call.partition("(")[0]
        for name, margin in step.margins:
            if f"{verb}.{name}" in stops or name in stops or (margin is not None and margin <= TIGHT_MARGIN):
                return True
    return False


def _is_stepping_stone(alternative: FailingAlternative, plans: Sequence[AnsweringPlan]) -> bool:
    """Return whether all calls that succeed, at least two, are calls of an answer."""
    executed = alternative.calls[: alternative.executed]
    return len(executed) > 1 and any(set(executed) <= set(plan.calls) for plan in plans)
