"""Fairness of a distractor: whether something that the public text states excludes it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.builtin.socrates.blind_reading import read_public_text
from impossible_moments.agents.builtin.socrates.ethical_review import review_ethics
from impossible_moments.agents.builtin.socrates.text_facts import collect_stems, find_measures
from impossible_moments.domain.refinement import DistractorFinding
from impossible_moments.domain.seed import Distractor, SeedDocument

_SHARED_WORDS: Final = 2
_NUMBERS: Final = re.compile(r"\d[\d.,]*")


@dataclass(frozen=True, slots=True)
class Exclusion:
    """What excludes a distractor, and where the text states it. An empty passage means that nothing was found."""

    passage: str
    by: str


def review_distractor_fairness(distractor: Distractor, seed: SeedDocument) -> DistractorFinding:
    """Return `right` if the text states what excludes the distractor and nothing in it is harmful, else `unfair`."""
    ethics = review_ethics(
        (distractor.why_it_misleads, distractor.canonical_affordance, distractor.why_irrelevant)
    )
    if ethics.status == "FAIL":
        return _make_finding(distractor, "unfair", f"How it misleads is ethically doubtful: {ethics.notes}")
    exclusion = find_stated_exclusion(distractor, seed)
    if exclusion.passage:
        return _make_finding(distractor, "right", f"It is fair: {exclusion.by}, “{exclusion.passage}”.")
    return _make_finding(
        distractor,
        "unfair",
        f"It fails because {distractor.why_irrelevant.rstrip('.')}, and no passage of the public text states that. State it, or take the distractor out.",
    )


def find_stated_exclusion(distractor: Distractor, seed: SeedDocument) -> Exclusion:
    """Return the passage from which a solver can see that the distractor fails."""
    reading = read_public_text(seed.model_dump(mode="json"))
    option = next(
        (each for each in reading.options if collect_stems(each.thing.head) & collect_stems(distractor.name)),
        None,
    )
    if option is not None and option.failures:
        return Exclusion(
            f"{option.failures[0].offered.passage}; {option.failures[0].needed.passage}",
            "two stated figures exclude it",
        )
    passages = (*reading.facts.sentences, reading.facts.threat, reading.facts.position, *reading.facts.rows)
    reason = f"{distractor.why_irrelevant} {distractor.why_it_misleads}"
    figures = {each.printed for each in find_measures(reason, reason)} | set(_NUMBERS.findall(reason))
    for passage in passages:
        if any(re.search(rf"(?<![\d.]){re.escape(figure)}(?!\d)", passage) for figure in figures):
            return Exclusion(passage, "the figure that decides is stated")
    if option is not None and option.remarks:
        return Exclusion(option.remarks[0], "the text speaks against it")
    return _find_best_overlap(distractor, passages)


def _find_best_overlap(distractor: Distractor, passages: tuple[str, ...]) -> Exclusion:
    """Return the passage that shares most words with the reason why the distractor fails."""
    words = collect_stems(f"{distractor.why_irrelevant} {distractor.name}")
    best = max(passages, key=lambda passage: len(collect_stems(passage) & words), default="")
    if len(collect_stems(best) & words) >= _SHARED_WORDS:
        return Exclusion(best, "the reason can be read from the text")
    return Exclusion("", "")


def _make_finding(distractor: Distractor, verdict: str, remark: str) -> DistractorFinding:
    return DistractorFinding.model_validate(
        {"name": distractor.name, "verdict": verdict, "strength": distractor.strength, "remark": remark}
    )
