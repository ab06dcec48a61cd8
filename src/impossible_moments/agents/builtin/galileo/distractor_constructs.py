"""Distractors and constructs: which construct a distractor tests, and whether the scenario means to test it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.builtin.galileo.cognitive_constructs import find_habit_of_insight
from impossible_moments.domain.refinement import DistractorFinding
from impossible_moments.domain.seed import Distractor, SeedDocument
from impossible_moments.domain.vocabulary import TIERS

_WORD: Final = re.compile(r"[a-z]{4,}")
_ARTICLE: Final = re.compile(r"^(?:the|an?)\s+")
_FIGURE: Final = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class DistractorConstruct:
    """The construct that a distractor tests, the reason, and the wrong answer that shows it."""

    name: str
    reason: str
    wrong_answer: str


def identify_distractor_construct(distractor: Distractor, seed: SeedDocument) -> DistractorConstruct:
    """Return the construct that a distractor tests, by what it is and why it fails."""
    is_thing = _strip_article(distractor.name) in {_strip_article(row.name) for row in seed.scenario.objects}
    use = distractor.canonical_affordance.strip()
    # A whole sentence says what the distractor suggests. It is no use of a thing.
    shown = "" if not use or use[0].isupper() or "." in use else f" ({use})"
    answer = _find_wrong_answer(distractor, seed)
    if _FIGURE.search(distractor.why_irrelevant) and distractor.strength == "strong":
        return DistractorConstruct(
            "rejection of near misses", "the reason against it is stated with a figure", answer
        )
    if is_thing:
        return DistractorConstruct(
            "functional fixedness", f"it is a thing whose usual use{shown} suggests itself", answer
        )
    return DistractorConstruct(
        "Einstellung effect", f"it is a familiar procedure{shown} and not a thing", answer
    )


def _strip_article(name: str) -> str:
    return _ARTICLE.sub("", name.strip().casefold())


def _find_wrong_answer(distractor: Distractor, seed: SeedDocument) -> str:
    """Return the wrong answer that has most words in common with a distractor's name, or nothing.

    Words that several distractors have in their names, such as `cells`, tell none of them apart.
    """
    others = [each.name for each in seed.distractor_inventory if each.name != distractor.name]
    common = {word for name in others for word in _WORD.findall(name.lower())}
    own = set(_WORD.findall(distractor.name.lower()))
    wanted = own - common or own
    shared = {
        each.answer: len(wanted & set(_WORD.findall(each.answer.lower()))) for each in seed.wrong_answers
    }
    best = max(shared, key=lambda answer: shared[answer], default="")
    return best if shared.get(best) else ""


def review_distractor_construct(distractor: Distractor, seed: SeedDocument) -> DistractorFinding:
    """Judge whether a distractor tests an intended construct at a strength that suits the tier.

    The tier follows from the measured traps, so strong distractors cannot be too many for it.
    """
    tested = identify_distractor_construct(distractor, seed)
    intended = {find_habit_of_insight(each).construct for each in seed.insight_chain}
    tier = seed.concept_summary.difficulty_tier
    relation = "as an insight does" if tested.name in intended else "as no insight does"
    # An answer is found by common words only, so that none found proves nothing.
    is_itself = _strip(tested.wrong_answer) == _strip(distractor.name)
    named = tested.wrong_answer and not is_itself
    shown = f" Failing it shows as the answer “{tested.wrong_answer}”" if named else ""
    remark = f"It tests {tested.name}, {relation}, because {tested.reason}.{shown}"
    if TIERS.index(tier) > 1 and all(each.strength == "weak" for each in seed.distractor_inventory):
        return _make_finding(
            distractor,
            "too weak",
            f"{remark} All {len(seed.distractor_inventory)} lures are weak, which at {tier} separates no solvers.",
        )
    return _make_finding(distractor, "right", remark)


def _strip(text: str) -> str:
    return text.strip(" .").casefold()


def _make_finding(distractor: Distractor, verdict: str, remark: str) -> DistractorFinding:
    return DistractorFinding.model_validate(
        {"name": distractor.name, "verdict": verdict, "strength": distractor.strength, "remark": remark}
    )
