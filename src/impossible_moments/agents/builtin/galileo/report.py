"""GALILEO's scientific grounding report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from impossible_moments.agents.builtin.galileo.predictions import Chain, chain_of, predicted
from impossible_moments.domain.disputes import Challenge, Evidence
from impossible_moments.domain.grounding import BenchmarkComparison, Construct, GroundingReport
from impossible_moments.domain.seed import Insight, SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, Level
from impossible_moments.knowledge.benchmarks import benchmarks
from impossible_moments.mechanics.documents import loads

FURTHER: Final = (
    "newell1972human",
    "wu2024reasoning",
    "ullman2023large",
    "mirzadeh2025gsm",
    "chollet2019measure",
)
"""Works that every report cites, on search, recitation, alteration, perturbed numbers and measurement."""
COMPARED: Final = 4
SURE: Final = 0.82
LESS_SURE: Final = 0.66
LONG_CHAIN: Final = 3


@dataclass(frozen=True, slots=True)
class Habit:
    """The research on a habit of thought, or on the skill that a category tests."""

    construct: str
    seminal: str
    recent: str
    share: float = 0.6
    prediction: str = ""
    intuition: str = ""
    confounds: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def known() -> tuple[Mapping[str, Habit], Mapping[str, Habit]]:
    """Load the habits by type of insight, and the skills by category."""
    text = (
        files("impossible_moments.agents.builtin.galileo")
        .joinpath("constructs.yaml")
        .read_text(encoding="utf-8")
    )
    data: Any = loads(text, name="constructs.yaml")
    return _habits(data["habits"]), _habits(data["categories"])


def _habits(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, Habit]:
    return {
        name: Habit(**{**row, "confounds": tuple(row.get("confounds", ()))}) for name, row in rows.items()
    }


def grounding(seed: SeedDocument) -> GroundingReport:
    """Build the grounding report on a seed document."""
    habits, skills = known()
    category = seed.concept_summary.category
    skill = skills[category]
    found = [_habit(insight, habits) for insight in seed.insight_chain]
    chain = chain_of([habit.share for habit in found])
    constructs = (*_constructs(seed.insight_chain, found), _of_category(skill), *_of_distractors(seed))
    compared = tuple(_benchmarks(category))
    unknown = [
        insight.fixedness_type for insight in seed.insight_chain if insight.fixedness_type not in habits
    ]
    weak = _weaknesses(seed, chain)
    return GroundingReport(
        constructs=constructs,
        further_citations=FURTHER,
        benchmarks=compared,
        novelty_claim=_novelty(seed, [habit.construct for habit in found], compared),
        compositional_chain=_compositional(chain),
        counter_intuitive_demand=_demand(seed, found),
        contamination_resistance=_resistance(seed),
        predicted=predicted(chain),
        construct_validity=_validity(seed, chain),
        rubric_fits=_rubric(seed),
        confounds=skill.confounds,
        merit=_merit(seed, constructs, weak),
        recommendations=tuple(weak),
        challenges=tuple(_challenges(seed, unknown)),
        confidence=LESS_SURE if unknown or weak else SURE,
    )


def _habit(insight: Insight, habits: Mapping[str, Habit]) -> Habit:
    return habits.get(insight.fixedness_type, habits["surprise"])


def _constructs(insights: tuple[Insight, ...], found: list[Habit]) -> Iterator[Construct]:
    for number, (insight, habit) in enumerate(zip(insights, found, strict=True), 1):
        yield Construct(
            insight=number,
            construct_tested=habit.construct,
            citations=(habit.seminal, habit.recent),
            prediction=f"{habit.prediction} Here: {insight.text}",
        )


def _of_category(skill: Habit) -> Construct:
    return Construct(
        insight=1,
        construct_tested=skill.construct,
        citations=(skill.seminal, skill.recent),
        prediction=f"Beyond the single insights the scenario asks for {skill.construct}; systems that recall solutions gain little from recall here, because the numbers decide.",
    )


def _of_distractors(seed: SeedDocument) -> Iterator[Construct]:
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


def _benchmarks(category: str) -> Iterator[BenchmarkComparison]:
    """Yield comparisons with existing benchmarks. Those that name the category come first."""
    ordered = sorted(benchmarks().items(), key=lambda item: category not in item[1].categories)
    for name, entry in ordered[:COMPARED]:
        yield BenchmarkComparison(benchmark=name, tests=entry.tests, difference=entry.lacks)


def _novelty(seed: SeedDocument, constructs: list[str], compared: tuple[BenchmarkComparison, ...]) -> str:
    names = ", ".join(dict.fromkeys(constructs)) or "the constructs above"
    return (
        f"{seed.scenario.name} joins {names} with a record that is executed, searched and proved, so that an answer is right or wrong "
        f"by computation. None of {', '.join(each.benchmark for each in compared)} has that for a situation told in prose."
    )


def _compositional(chain: Chain) -> str:
    if not chain.length:
        return "No insight has to be chained; what is hard is to see that nothing is needed."
    return (
        f"{chain.length} insights must be found, each by about p = {chain.each:.2f} of solvers who answer at once; p^N = "
        f"{chain.each:.2f}^{chain.length} = {chain.found():.2f} find all of them, if they are found independently."
    )


def _demand(seed: SeedDocument, found: list[Habit]) -> str:
    if not found:
        return "No intuition has to be overridden."
    hardest = min(found, key=lambda habit: habit.share)
    return f"The strongest intuition against it: {hardest.intuition}. The false picture: {seed.impossibility_mirage.looks_impossible}"


def _resistance(seed: SeedDocument) -> str:
    numbers = len(seed.mechanics.get("quantities") or ())
    return (
        f"The outcome follows from {numbers} quantities that were drawn for this scenario; a change of some by 20 % gives another answer, so "
        "recall of a similar story does not decide it. Story and things were put together anew and stand in no public text."
    )


def _validity(seed: SeedDocument, chain: Chain) -> str:
    traps = len(seed.wrong_answers)
    return (
        f"An answer succeeds only if its plan executes, which takes all {chain.length} insights; {traps} wrong answers fail for a stated reason each, "
        "so that success without the construct is unlikely and failure shows what was missed."
    )


def _rubric(seed: SeedDocument) -> str:
    status = str((seed.mechanics.get("status") or {}).get("claim", ""))
    if status.startswith("KS"):
        return "Outcome by execution, insights by the calls they are tied to: both capture the skill."
    return f"The rubric of {status or 'its status'} rewards the reasons given and not the outcome alone, as it must where no single plan is right."


def _weaknesses(seed: SeedDocument, chain: Chain) -> list[str]:
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


def _merit(seed: SeedDocument, constructs: tuple[Construct, ...], weak: list[str]) -> Level:
    different = len({each.construct_tested for each in constructs})
    if weak or different < LONG_CHAIN:
        return "MEDIUM"
    return "HIGH" if len(seed.insight_chain) > 1 or different > LONG_CHAIN else "MEDIUM"


def _challenges(seed: SeedDocument, unknown: list[str]) -> Iterator[Challenge]:
    for name in unknown:
        yield Challenge(
            challenged=ATHENA,
            claim=f"The fixedness type `{name}` names a habit that has been studied.",
            domain="grounding",
            evidence=(
                Evidence(
                    kind="citation",
                    text="Nothing in the bibliography grounds a habit of that name; weisberg1981examination warns of inventing fixations.",
                ),
            ),
            recommendation="Name one of the habits that the bibliography grounds.",
            confidence=SURE,
        )
    if not seed.insight_chain:
        yield Challenge(
            challenged=ATHENA,
            claim="The scenario tests an insight.",
            domain="grounding",
            evidence=(
                Evidence(
                    kind="citation",
                    text="No insight is named; without one nothing is tested (ohlsson1992information).",
                ),
            ),
            confidence=SURE,
        )
