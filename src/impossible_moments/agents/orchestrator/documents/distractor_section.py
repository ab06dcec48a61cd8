"""Distractor analysis: what each distractor suggests, why it is wrong, and how it tests the solver."""

from __future__ import annotations

import re
from typing import Final

from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
from impossible_moments.agents.orchestrator.documents.wording.miss_wording import describe_miss
from impossible_moments.agents.orchestrator.documents.wording.record_wording import RecordWording
from impossible_moments.domain.refinement import DistractorReview
from impossible_moments.domain.seed import Distractor
from impossible_moments.domain.vocabulary import GALILEO
from impossible_moments.mechanics.checks import find_things_unused_by_plans
from impossible_moments.mechanics.execution import Move, PlanOutcome
from impossible_moments.mechanics.world import World
from impossible_moments.scenarios import join_paragraphs, render_table

_ARTICLE: Final = re.compile(r"^(?:the|an?)\s+")
_PORTABLE: Final = frozenset({"object", "substance"})
_HEADERS = ("Distractor", "What it suggests", "Why it's wrong", "How it tests the solver", "Strength")


def render_distractor_analysis(case: FinishedCase) -> str:
    """Render the distractors, then the things that no plan uses."""
    inventory = case.seed.distractor_inventory
    rows = [
        (
            each.name,
            _describe_suggestion(case, each),
            each.why_irrelevant,
            _describe_test(case, each),
            each.strength,
        )
        for each in inventory
    ]
    return join_paragraphs(
        render_table(_HEADERS, rows)
        if rows
        else "None is designed: the difficulty lies in how the failures are coupled.",
        _list_unused_things(case),
    )


def _describe_suggestion(case: FinishedCase, distractor: Distractor) -> str:
    """Return what a distractor suggests: the usual use of a thing, or what an idea is good for elsewhere."""
    use = distractor.canonical_affordance.rstrip(".")
    if use.casefold() == distractor.name.rstrip(".").casefold():
        return "that this is the whole answer"
    if use[:1].isupper() or "." in use:
        return use  # a sentence is what the distractor suggests, and no use of a thing
    is_idea = case.wording is not None and not _find_things_named(case.wording, distractor)
    return f"{use}: what this idea is good for elsewhere" if is_idea else f"its usual use: {use}"


def _describe_test(case: FinishedCase, distractor: Distractor) -> str:
    """State why it tempts, how a plan with it ends as executed, and which construct GALILEO says it tests."""
    sentences = [distractor.why_it_misleads.rstrip()]
    failed = _find_failed_use(case, case.wording, distractor) if case.wording is not None else None
    if failed is not None and case.wording is not None:
        plan, outcome = failed
        calls = tuple(move.text for move in plan)
        end = case.wording.describe_end(outcome.end, calls)
        end = f"is {end}" if end.startswith("stopped") else end
        miss = describe_miss(case.wording.analysis, plan, outcome)
        sentences.append(f"A solver who takes it must notice that the plan {end}. {miss}".rstrip())
    review = case.dossier.find_latest_deliverable(DistractorReview, GALILEO)
    remarks = [each.remark for each in review.findings if each.name == distractor.name] if review else []
    return " ".join([*sentences, *(f"GALILEO: {remark}" for remark in remarks if remark)])


def _find_failed_use(
    case: FinishedCase, wording: RecordWording, distractor: Distractor
) -> tuple[tuple[Move, ...], PlanOutcome] | None:
    """Return the failing approach that follows an idea, or that uses a thing alone, and its outcome.

    A plan that uses further things says nothing of this one, and a plan that stops at a call with another thing neither.
    """
    things = _find_things_named(wording, distractor)
    idea = distractor.name.strip().casefold()
    approaches = {
        each.approach for each in case.seed.wrong_answers if each.answer.strip(". ").casefold() == idea
    }
    outcomes = wording.analysis.outcomes
    found = [
        (plan, outcomes[key])
        for key, plan in wording.analysis.plans.items()
        if not outcomes[key].reaches_goal
        and (key in approaches or (things and _is_stopped_by(wording.world, things, plan, outcomes[key])))
    ]
    return max(found, key=lambda each: _rank_margin(each[1]), default=None)


def _is_stopped_by(world: World, things: set[str], plan: tuple[Move, ...], outcome: PlanOutcome) -> bool:
    """Return whether a plan uses no other object than these things, and does not stop at a call without them."""
    portable = {key for key, thing in world.things.items() if thing.own and thing.kind in _PORTABLE}
    used = {argument for move in plan for argument in move.arguments}
    if not used & things or used & portable - things:
        return False
    kind, _, name = outcome.end.partition(" ")
    stopped = [move for move in plan if any(test.name == name for test in move.tests)]
    return kind != "blocked" or not stopped or any(things & set(move.arguments) for move in stopped)


def _find_things_named(wording: RecordWording, distractor: Distractor) -> set[str]:
    name = _strip_article(distractor.name)
    return {key for key, thing in wording.world.things.items() if _strip_article(thing.label) == name}


def _strip_article(label: str) -> str:
    return _ARTICLE.sub("", label.strip().casefold())


def _rank_margin(outcome: PlanOutcome) -> float:
    return float("-inf") if outcome.failing_margin is None else outcome.failing_margin


def _list_unused_things(case: FinishedCase) -> str:
    analysis, verdict = case.report.analysis, case.report.verdict
    if analysis is None or verdict is None or not (verdict.ways or verdict.crux):
        return ""
    unused = find_things_unused_by_plans(analysis, verdict)
    labels = "; ".join(analysis.world.things[name].label for name in unused)
    return f"Things that no working plan uses: {labels}." if labels else ""
