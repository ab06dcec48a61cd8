"""GALILEO's scientific grounding report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from impossible_moments.agents.builtin.galileo.performance_prediction import (
    InsightChain,
    build_insight_chain,
    predict_performance,
)
from impossible_moments.domain.disputes import Challenge, Evidence
from impossible_moments.domain.grounding import BenchmarkComparison, Construct, GroundingReport
from impossible_moments.domain.seed import Insight, SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, Level
from impossible_moments.library import load_existing_benchmarks
from impossible_moments.mechanics.records import parse_document

GENERAL_CITATIONS: Final = (
    "newell1972human",
    "wu2024reasoning",
    "ullman2023large",
    "mirzadeh2025gsm",
    "chollet2019measure",
)
"""Works that every report cites, on search, recitation, alteration, perturbed numbers and measurement."""
MOST_COMPARED_BENCHMARKS: Final = 4
HIGH_CONFIDENCE: Final = 0.82
LOWER_CONFIDENCE: Final = 0.66
LONG_CHAIN: Final = 3


@dataclass(frozen=True, slots=True)
class ThinkingHabit:
    """The research on a habit of thought, or on the skill that a category tests."""

    construct: str
    seminal: str
    recent: str
    share: float = 0.6
    prediction: str = ""
    intuition: str = ""
    confounds: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def load_habits_and_skills() -> tuple[Mapping[str, ThinkingHabit], Mapping[str, ThinkingHabit]]:
    """Load the habits by type of insight, and the skills by category."""
    text = (
        files("impossible_moments.agents.builtin.galileo")
        .joinpath("constructs.yaml")
        .read_text(encoding="utf-8")
    )
    data: Any = parse_document(text, name="constructs.yaml")
    return _parse_habits(data["habits"]), _parse_habits(data["categories"])


def _parse_habits(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, ThinkingHabit]:
    return {
        name: ThinkingHabit(**{**row, "confounds": tuple(row.get("confounds", ()))})
        for name, row in rows.items()
    }


def build_grounding_report(seed: SeedDocument) -> GroundingReport:
    """Build the grounding report on a seed document."""
    habits, skills = load_habits_and_skills()
    category = seed.concept_summary.category
    skill = skills[category]
    found = [_find_thinking_habit_of_insight(insight, habits) for insight in seed.insight_chain]
    chain = build_insight_chain([habit.share for habit in found])
    constructs = (
        *_build_insight_constructs(seed.insight_chain, found),
        _build_category_construct(skill),
        *_build_distractor_constructs(seed),
    )
    comparisons = tuple(_compare_benchmarks(category))
    unknown = [
        insight.fixedness_type for insight in seed.insight_chain if insight.fixedness_type not in habits
    ]
    weak = _find_design_weaknesses(seed, chain)
    return GroundingReport(
        constructs=constructs,
        further_citations=GENERAL_CITATIONS,
        benchmarks=comparisons,
        novelty_claim=_describe_novelty(seed, [habit.construct for habit in found], comparisons),
        compositional_chain=_describe_insight_chain(chain),
        counter_intuitive_demand=_describe_counter_intuitive_demand(seed, found),
        contamination_resistance=_describe_contamination_resistance(seed),
        predicted=predict_performance(chain),
        construct_validity=_describe_construct_validity(seed, chain),
        rubric_fits=_describe_rubric_fit(seed),
        confounds=skill.confounds,
        merit=_grade_scientific_merit(seed, constructs, weak),
        recommendations=tuple(weak),
        challenges=tuple(_build_challenges(seed, unknown)),
        confidence=LOWER_CONFIDENCE if unknown or weak else HIGH_CONFIDENCE,
    )


def _find_thinking_habit_of_insight(insight: Insight, habits: Mapping[str, ThinkingHabit]) -> ThinkingHabit:
    return habits.get(insight.fixedness_type, habits["surprise"])


def _build_insight_constructs(
    insights: tuple[Insight, ...], habits: list[ThinkingHabit]
) -> Iterator[Construct]:
    for number, (insight, habit) in enumerate(zip(insights, habits, strict=True), 1):
        yield Construct(
            insight=number,
            construct_tested=habit.construct,
            citations=(habit.seminal, habit.recent),
            prediction=f"{habit.prediction} Here: {insight.text}",
        )


def _build_category_construct(skill: ThinkingHabit) -> Construct:
    return Construct(
        insight=1,
        construct_tested=skill.construct,
        citations=(skill.seminal, skill.recent),
        prediction=f"Beyond the single insights the scenario asks for {skill.construct}; systems that recall solutions gain little from recall here, because the numbers decide.",
    )


def _build_distractor_constructs(seed: SeedDocument) -> Iterator[Construct]:
    """Yield the constructs that distractors and a deadline test."""
    strong = [each for each in seed.distractor_inventory if each.strength == "strong"]
    if strong:
        yield Construct(
            insight=1,
            construct_tested="rejection of near misses",
            citations=("bilalic2008why", "chollet2019measure"),
            prediction=f"{strong[0].name} is built into many plans: {strong[0].why_it_misleads}",
        )
    else:
        yield Construct(
            insight=1,
            construct_tested="knowing what to ignore",
            citations=("chollet2019measure", "sperber1986relevance"),
            prediction="Whatever is listed is used: plans grow by things that do nothing in them.",
        )
    if seed.mechanics.get("deadline"):
        yield Construct(
            insight=1,
            construct_tested="decision under a deadline",
            citations=("klein1998sources", "easterbrook1959effect"),
            prediction="Durations are named and not added up; plans that come too late are presented as fitting.",
        )


def _compare_benchmarks(category: str) -> Iterator[BenchmarkComparison]:
    """Yield comparisons with existing benchmarks. Those that name the category come first."""
    ordered = sorted(load_existing_benchmarks().items(), key=lambda item: category not in item[1].categories)
    for name, entry in ordered[:MOST_COMPARED_BENCHMARKS]:
        yield BenchmarkComparison(benchmark=name, tests=entry.tests, difference=entry.lacks)


def _describe_novelty(
    seed: SeedDocument, constructs: list[str], comparisons: tuple[BenchmarkComparison, ...]
) -> str:
    names = ", ".join(dict.fromkeys(constructs)) or "the constructs above"
    return (
        f"{seed.scenario.name} joins {names} with a record that is executed, searched and proved, so that an answer is right or wrong "
        f"by computation. None of {', '.join(each.benchmark for each in comparisons)} has that for a situation told in prose."
    )


def _describe_insight_chain(chain: InsightChain) -> str:
    if not chain.length:
        return "No insight has to be chained; what is hard is to see that nothing is needed."
    return (
        f"{chain.length} insights must be found, each by about p = {chain.mean_share:.2f} of solvers who answer at once; p^N = "
        f"{chain.mean_share:.2f}^{chain.length} = {chain.compute_share_finding_all():.2f} find all of them, if they are found independently."
    )


def _describe_counter_intuitive_demand(seed: SeedDocument, habits: list[ThinkingHabit]) -> str:
    if not habits:
        return "No intuition has to be overridden."
    hardest = min(habits, key=lambda habit: habit.share)
    return f"The strongest intuition against it: {hardest.intuition}. The false picture: {seed.impossibility_mirage.looks_impossible}"


def _describe_contamination_resistance(seed: SeedDocument) -> str:
    numbers = len(seed.mechanics.get("quantities") or ())
    return (
        f"The outcome follows from {numbers} quantities that were drawn for this scenario; a change of some by 20 % gives another answer, so "
        "recall of a similar story does not decide it. Story and things were put together anew and stand in no public text."
    )


def _describe_construct_validity(seed: SeedDocument, chain: InsightChain) -> str:
    traps = len(seed.wrong_answers)
    return (
        f"An answer succeeds only if its plan executes, which takes all {chain.length} insights; {traps} wrong answers fail for a stated reason each, "
        "so that success without the construct is unlikely and failure shows what was missed."
    )


def _describe_rubric_fit(seed: SeedDocument) -> str:
    status = str((seed.mechanics.get("status") or {}).get("claim", ""))
    if status.startswith("KS"):
        return "Outcome by execution, insights by the calls they are tied to: both capture the skill."
    return f"The rubric of {status or 'its status'} rewards the reasons given and not the outcome alone, as it must where no single plan is right."


def _find_design_weaknesses(seed: SeedDocument, chain: InsightChain) -> list[str]:
    found = []
    if chain.length == 1 and not any(each.strength == "strong" for each in seed.distractor_inventory):
        found.append(
            "A single insight without a strong rival is found by chance too often: add a tempting alternative."
        )
    texts = [each.text.strip().lower() for each in seed.insight_chain]
    if len(set(texts)) < len(texts):
        found.append("Two insights say the same: name each once.")
    if any(not 0 < number <= len(texts) for each in seed.insight_chain for number in each.depends_on):
        found.append("An insight needs one that the chain does not have: correct its dependencies.")
    if len(seed.wrong_answers) < 2:  # noqa: PLR2004 - a single failure may be chance
        found.append("Tell a second wrong answer, so that failures can be told apart.")
    return found


def _grade_scientific_merit(
    seed: SeedDocument, constructs: tuple[Construct, ...], weaknesses: list[str]
) -> Level:
    different = len({each.construct_tested for each in constructs})
    if weaknesses or different < LONG_CHAIN:
        return "MEDIUM"
    return "HIGH" if len(seed.insight_chain) > 1 or different > LONG_CHAIN else "MEDIUM"


def _build_challenges(seed: SeedDocument, unknown: list[str]) -> Iterator[Challenge]:
    for name in unknown:
        yield Challenge(
            challenged=ATHENA,
            claim=f"The fixedness type `{name}` names a habit that has been studied.",
            evidence=(
                Evidence(
                    kind="citation",
                    text="Nothing in the bibliography grounds a habit of that name; weisberg1981examination warns of inventing fixations.",
                ),
            ),
            recommendation="Name one of the habits that the bibliography grounds.",
            confidence=HIGH_CONFIDENCE,
        )
    if not seed.insight_chain:
        yield Challenge(
            challenged=ATHENA,
            claim="The scenario tests an insight.",
            evidence=(
                Evidence(
                    kind="citation",
                    text="No insight is named; without one nothing is tested (ohlsson1992information).",
                ),
            ),
            confidence=HIGH_CONFIDENCE,
        )
