"""Measurement validity: which rubric component measures which construct, and what else affects the score."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.builtin.galileo.cognitive_constructs import (
    ConstructOrigin,
    TestedConstruct,
    load_habits_and_skills,
)
from impossible_moments.agents.builtin.galileo.contamination import CorpusPosition
from impossible_moments.agents.builtin.galileo.record_sections import count_record_lines
from impossible_moments.domain.scoring_rubrics import COMPONENTS, OUTCOME
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import STATUSES, Status

_COMPONENT_NAMES: Final = {each.key: each.name for each in COMPONENTS}
_MEASURED_BY: Final = {
    ConstructOrigin.INSIGHT: "insight",
    ConstructOrigin.CATEGORY: "outcome",
    ConstructOrigin.DISTRACTOR: "distractors",
    ConstructOrigin.DEADLINE: "outcome",
}
_EXECUTED: Final = frozenset({"KS", "DG", "MT", "CT"})
"""The statuses whose outcome rubric looks at a plan, so that a deadline is measured by executing it."""
LONG_WORD: Final = 9
RARE_SHARE: Final = 0.12
"""The share of long words from which vocabulary may decide."""
MANY_FIGURES: Final = 16
LONG_TEXT: Final = 260
HIGH_PERCENTILE: Final = 0.9
_WORD: Final = re.compile(r"[A-Za-z]+")
_FIGURE: Final = re.compile(r"\d[\d.,]*")


@dataclass(frozen=True)
class RubricFit:
    """The component that measures each construct, and the constructs that none measures."""

    status: Status
    measured: tuple[tuple[str, str], ...]
    unmeasured: tuple[tuple[str, str], ...]
    """Constructs with the reason why no component measures them."""

    def __str__(self) -> str:
        rows = "; ".join(row.response.lower() for row in OUTCOME[self.status])
        by_component: dict[str, list[str]] = {}
        for construct, component in self.measured:
            by_component.setdefault(component, []).append(construct)
        found = "; ".join(
            f"{component} measures {', '.join(dict.fromkeys(names))}"
            for component, names in by_component.items()
        )
        missing = "; ".join(f"{construct}: {reason}" for construct, reason in self.unmeasured)
        return f"The rubric of {self.status} scores: {rows}. {found}. " + (
            f"No component measures {missing}." if missing else "Every construct is measured by a component."
        )


def read_status(seed: SeedDocument) -> Status:
    """Return the status whose rubric applies, by the claim of the record."""
    claim = str((seed.mechanics.get("status") or {}).get("claim", "KS")).partition("-")[0]
    return next((status for status in STATUSES if status == claim), "KS")


def compare_rubric_with_constructs(seed: SeedDocument, constructs: tuple[TestedConstruct, ...]) -> RubricFit:
    """Find the component that measures each construct."""
    status = read_status(seed)
    measured, unmeasured = [], []
    tied = count_record_lines(seed, "insights")
    for each in constructs:
        name = each.construct.construct_tested
        reason = _explain_unmeasured(each, status, tied)
        if reason:
            unmeasured.append((name, reason))
        else:
            measured.append((name, _COMPONENT_NAMES[_MEASURED_BY[each.origin]]))
    return RubricFit(status, tuple(measured), tuple(dict.fromkeys(unmeasured)))


def _explain_unmeasured(tested: TestedConstruct, status: Status, tied_insights: int) -> str:
    """Return why no component measures a construct, or an empty string."""
    match tested.origin:
        case ConstructOrigin.DEADLINE if status not in _EXECUTED:
            return f"the outcome of {status} is argued and not executed, so that adding up durations earns nothing"
        case ConstructOrigin.INSIGHT if tested.construct.insight > tied_insights:
            return (
                f"insight {tested.construct.insight} is tied to no part of the record that the scorer checks"
            )
        case _:
            return ""


def find_confounds(seed: SeedDocument, position: CorpusPosition) -> tuple[str, ...]:
    """Return what besides the constructs may decide, with its figure: vocabulary, arithmetic, length, background."""
    return tuple(_iterate_confounds(seed, position))


def _iterate_confounds(seed: SeedDocument, position: CorpusPosition) -> Iterator[str]:
    text = seed.scenario.narrative
    words = _WORD.findall(text)
    long_words = [word for word in words if len(word) >= LONG_WORD]
    share = len(long_words) / max(len(words), 1)
    if share >= RARE_SHARE:
        yield f"vocabulary: {share:.0%} of the words have {LONG_WORD} letters or more ({', '.join(dict.fromkeys(long_words[:3]))})"
    figures = len(_FIGURE.findall(text))
    if figures >= MANY_FIGURES or _is_high(position, "figures_percentile"):
        yield f"arithmetic: {figures} figures stand in the narrative{_describe_percentile(position, 'figures_percentile')}"
    if len(words) >= LONG_TEXT or _is_high(position, "length_percentile"):
        yield f"length: {len(words)} words{_describe_percentile(position, 'length_percentile')}"
    _, skills = load_habits_and_skills()
    yield from (f"background: {each}" for each in skills[seed.concept_summary.category].confounds)


def _is_high(position: CorpusPosition, name: str) -> bool:
    value = position.figures.get(name) if position.figures is not None else None
    return value is not None and value >= HIGH_PERCENTILE


def _describe_percentile(position: CorpusPosition, name: str) -> str:
    value = position.figures.get(name) if position.figures is not None else None
    return "" if value is None else f", more than in {value:.0%} of the existing scenarios"


def describe_corpus_place(position: CorpusPosition) -> str:
    """Return where the scenario lies among the existing ones, or an empty string if there are none."""
    if position.figures is None or not position.size:
        return ""
    names = {
        "length_percentile": "length",
        "figures_percentile": "number of figures",
        "objects_percentile": "number of objects",
    }
    places = ", ".join(
        f"{word} {position.figures[name]:.0%}"
        for name, word in names.items()
        if position.figures.get(name) is not None
    )
    return f"Among {position.size} existing scenarios it lies at these percentiles: {places}."
