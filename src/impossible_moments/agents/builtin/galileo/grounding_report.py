"""GALILEO's scientific grounding report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.builtin.galileo.cognitive_constructs import (
    TestedConstruct,
    find_habit_of_insight,
    list_tested_constructs,
    load_habits_and_skills,
)
from impossible_moments.agents.builtin.galileo.contamination import (
    ContaminationCheck,
    CorpusPosition,
    check_contamination,
)
from impossible_moments.agents.builtin.galileo.cues import describe_primed_insight
from impossible_moments.agents.builtin.galileo.measurement_validity import (
    RubricFit,
    compare_rubric_with_constructs,
    describe_corpus_place,
    find_confounds,
)
from impossible_moments.agents.builtin.galileo.performance_prediction import (
    NOTHING_MEASURED,
    InsightChain,
    MeasuredAttempts,
    build_insight_chain,
    compare_with_tier,
    predict_performance,
    rank_hardest_insights,
)
from impossible_moments.agents.builtin.quantity_wording import format_count
from impossible_moments.domain.disputes import Challenge, Evidence
from impossible_moments.domain.grounding import BenchmarkComparison, GroundingReport
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, TIERS, Level
from impossible_moments.library import load_existing_benchmarks

GENERAL_CITATIONS: Final = (
    "newell1972human",
    "wu2024reasoning",
    "ullman2023large",
    "mirzadeh2025gsm",
    "chollet2019measure",
)
"""Works that every report cites, on search, recitation, alteration, perturbed numbers and measurement."""
MOST_COMPARED_BENCHMARKS: Final = 4
CHALLENGE_CONFIDENCE: Final = 0.8
MANY_CONSTRUCTS: Final = 4
FEWEST_WRONG_ANSWERS: Final = 2
RIVAL_TIERS: Final = frozenset(TIERS[2:])
"""The tiers at which an alternative that almost works belongs to the difficulty."""
# fmt: off
_CONFIDENCE_PARTS: Final = {
    # what a report rests on, and what it adds to the confidence
    "base":      0.48,
    "habits":    0.12,  # share of the insights whose habit has been studied
    "corpus":    0.10,  # the existing scenarios were compared
    "measured":  0.10,  # weak solvers were run
    "rubric":    0.05,  # share of the constructs that a component measures
    "sound":     0.10,  # no weakness of the design was found
}
# fmt: on


@dataclass(frozen=True)
class GroundingEvidence:
    """Everything that a grounding report is computed from."""

    seed: SeedDocument
    constructs: tuple[TestedConstruct, ...]
    chain: InsightChain
    measured: MeasuredAttempts
    contamination: ContaminationCheck
    rubric: RubricFit
    unknown_habits: tuple[str, ...]
    recommendations: tuple[str, ...]
    """What a change of the design can meet."""
    limits: tuple[str, ...]
    """What weakens the measurement and follows from the situation as a whole, so that no change is asked for."""

    @property
    def is_sound(self) -> bool:
        """Whether nothing weakens the design."""
        return not self.recommendations and not self.limits


def collect_grounding_evidence(
    seed: SeedDocument,
    position: CorpusPosition | None = None,
    measured: MeasuredAttempts = NOTHING_MEASURED,
) -> GroundingEvidence:
    """Compute the evidence for the report. `position` and `measured` are what others computed, if available."""
    habits, _ = load_habits_and_skills()
    constructs = list_tested_constructs(seed)
    chain = build_insight_chain(seed)
    contamination = check_contamination(seed, position or CorpusPosition(None))
    rubric = compare_rubric_with_constructs(seed, constructs)
    unknown = tuple(each.fixedness_type for each in seed.insight_chain if each.fixedness_type not in habits)
    return GroundingEvidence(
        seed, constructs, chain, measured, contamination, rubric, unknown,
        recommendations=tuple(_list_recommendations(seed, chain, contamination)),
        limits=tuple(_list_limits(seed, chain)),
    )  # fmt: skip


def build_grounding_report(evidence: GroundingEvidence) -> GroundingReport:
    """Build the grounding report from its evidence."""
    seed, contamination = evidence.seed, evidence.contamination
    comparisons = tuple(_compare_benchmarks(evidence))
    return GroundingReport(
        constructs=tuple(each.construct for each in evidence.constructs),
        further_citations=GENERAL_CITATIONS,
        benchmarks=comparisons,
        novelty_claim=_describe_novelty(evidence, comparisons),
        compositional_chain=_describe_insight_chain(evidence),
        counter_intuitive_demand=_describe_counter_intuitive_demand(seed),
        contamination_resistance=contamination.describe(),
        predicted=predict_performance(evidence.chain, evidence.measured),
        construct_validity=_describe_construct_validity(evidence),
        rubric_fits=str(evidence.rubric),
        confounds=find_confounds(seed, contamination.position),
        merit=grade_scientific_merit(evidence),
        recommendations=evidence.recommendations,
        challenges=tuple(_build_challenges(seed, evidence.unknown_habits)),
        confidence=compute_grounding_confidence(evidence),
    )


def compute_grounding_confidence(evidence: GroundingEvidence) -> float:
    """Return the confidence: what was compared, measured and known, and whether the design has weaknesses."""
    insights = len(evidence.seed.insight_chain)
    tested = max(len(evidence.constructs), 1)
    shares = {
        "base": 1.0,
        "habits": 1 - len(evidence.unknown_habits) / insights if insights else 0.0,
        "corpus": float(bool(evidence.contamination.position.size)),
        "measured": float(bool(evidence.measured.successes)),
        "rubric": 1 - len(evidence.rubric.unmeasured) / tested,
        "sound": float(evidence.is_sound),
    }
    return round(sum(_CONFIDENCE_PARTS[name] * share for name, share in shares.items()), 2)


MOST_MISSED_MERITS: Final = 2
"""With more points missed the merit is LOW."""


def grade_scientific_merit(evidence: GroundingEvidence) -> Level:
    """Grade the merit: one point for each of breadth, novelty, measurability and sound design."""
    missed = len(list(_list_missed_merits(evidence)))
    return "HIGH" if not missed else "MEDIUM" if missed <= MOST_MISSED_MERITS else "LOW"


def _list_missed_merits(evidence: GroundingEvidence) -> Iterator[str]:
    """Yield each of the four points of merit that the scenario does not earn, with what was computed."""
    different = {each.construct.construct_tested for each in evidence.constructs}
    contamination = evidence.contamination
    if len(different) < MANY_CONSTRUCTS:
        yield f"breadth: it tests {format_count(len(different), 'construct')} of the {MANY_CONSTRUCTS} asked for"
    if contamination.is_flagged:
        near = ", ".join(each.puzzle.name for each in contamination.near_puzzles)
        yield f"novelty: {f'it is near to {near}' if near else f'an existing scenario is at similarity {contamination.position.highest_similarity:.2f}'}"
    if evidence.rubric.unmeasured:
        names = ", ".join(construct for construct, _ in evidence.rubric.unmeasured)
        yield f"measurability: no component of the rubric measures {names}"
    if not evidence.is_sound or evidence.unknown_habits:
        habits = (f"nothing grounds the habit {each or 'left blank'}." for each in evidence.unknown_habits)
        first = next(iter((*evidence.recommendations, *evidence.limits, *habits)))
        yield f"sound design: {first[:1].lower()}{first[1:].rstrip('.')}"


def _describe_merit(evidence: GroundingEvidence) -> str:
    missed = list(_list_missed_merits(evidence))
    if not missed:
        return "It earns all four points of merit."
    return f"Of the four points of merit it misses {len(missed)}: {'; '.join(missed)}."


def _compare_benchmarks(evidence: GroundingEvidence) -> Iterator[BenchmarkComparison]:
    """Yield comparisons with existing benchmarks. Those that name the category come first."""
    category = evidence.seed.concept_summary.category
    names = tuple(dict.fromkeys(each.construct.construct_tested for each in evidence.constructs))
    ordered = sorted(load_existing_benchmarks().items(), key=lambda item: category not in item[1].categories)
    for name, entry in ordered[:MOST_COMPARED_BENCHMARKS]:
        added = [each for each in names if not _mentions(entry.tests, each)]
        addition = f" This scenario adds {', '.join(added)}." if added else ""
        yield BenchmarkComparison(benchmark=name, tests=entry.tests, difference=f"{entry.lacks}{addition}")


def _mentions(text: str, construct: str) -> bool:
    """Return whether a text mentions most content words of a construct."""
    words = [word for word in construct.lower().split() if len(word) > 4]  # noqa: PLR2004 - content words
    return bool(words) and 2 * sum(word[:6] in text.lower() for word in words) > len(words)


def _describe_novelty(evidence: GroundingEvidence, comparisons: tuple[BenchmarkComparison, ...]) -> str:
    names = ", ".join(dict.fromkeys(each.construct.construct_tested for each in evidence.constructs))
    place = describe_corpus_place(evidence.contamination.position)
    return " ".join(
        filter(
            None,
            (
                f"{evidence.seed.scenario.name} joins {names} in one text with a record that is executed and searched.",
                f"None of {', '.join(each.benchmark for each in comparisons)} joins these constructs with a computed outcome.",
                place,
            ),
        )
    )


def _describe_insight_chain(evidence: GroundingEvidence) -> str:
    chain = evidence.chain
    if not chain.length:
        return "No insight has to be chained; what is hard is to see that nothing is needed."
    return (
        f"{format_count(chain.length, 'insight')} must be found, each by about p = {chain.mean_share:.2f} of solvers who answer at once; p^N = "
        f"{chain.mean_share:.2f}^{chain.length} = {chain.compute_share_finding_all():.2f} find all of them, if they are found independently. "
        f"Measured on the public text: {evidence.measured}."
    )


def _describe_counter_intuitive_demand(seed: SeedDocument) -> str:
    ranked = rank_hardest_insights(seed)
    if not ranked:
        return "No intuition has to be overridden."
    share, hardest = ranked[0]
    strength = "strong" if share < 0.4 else "moderate" if share < 0.6 else "weak"  # noqa: PLR2004 - thirds of the usual range
    return (
        f"The intuition to override is {strength}: {find_habit_of_insight(hardest).intuition} ({hardest.fixedness_type}, overcome by about {share:.0%}). "
        f"The false picture: {seed.impossibility_mirage.looks_impossible}"
    )


def _describe_construct_validity(evidence: GroundingEvidence) -> str:
    seed, chain = evidence.seed, evidence.chain
    lucky = [name for name, works in evidence.measured.successes.items() if works]
    luck = (
        f"Of the measured solvers {', '.join(lucky)} succeed without insight into the constructs, by search."
        if lucky
        else "No measured solver succeeds without the insights."
        if evidence.measured.successes
        else "Whether a solver succeeds without the insights was not measured."
    )
    return (
        f"{_describe_merit(evidence)} Success takes the whole chain ({format_count(chain.length, 'insight')}), and each wrong answer "
        f"({len(seed.wrong_answers)}) fails for a stated reason, so that a failure shows what was missed. {luck}"
        + "".join(f" {each}" for each in evidence.limits)
    )


def _lacks_strong_distractor(seed: SeedDocument) -> bool:
    inventory = seed.distractor_inventory
    return bool(inventory) and not any(each.strength == "strong" for each in inventory)


def _list_limits(seed: SeedDocument, chain: InsightChain) -> Iterator[str]:
    """Yield how the share of solvers that the chain predicts differs from the tier.

    It is not asked to be repaired. The votes on the difficulty decide about the tier.
    """
    if chain.length:
        yield from filter(None, (compare_with_tier(chain, seed.concept_summary.difficulty_tier),))


def _list_recommendations(
    seed: SeedDocument, chain: InsightChain, contamination: ContaminationCheck
) -> Iterator[str]:
    yield from _list_missing_rivals(seed, chain)
    for each in contamination.near_puzzles:
        yield f"Move away from {each.puzzle.name}: {len(each.words)} of {len(each.puzzle.words)} words of its structure occur ({', '.join(each.words)})."
    if contamination.position.is_near:
        yield f"An existing scenario is at similarity {contamination.position.highest_similarity:.2f}: change the setting or the objects."
    primed = describe_primed_insight(seed)
    if primed:
        yield primed


def _list_missing_rivals(seed: SeedDocument, chain: InsightChain) -> Iterator[str]:
    """Yield which alternatives to the solution are missing, by the tier."""
    tier = seed.concept_summary.difficulty_tier
    if tier in RIVAL_TIERS and seed.wrong_answers and _lacks_strong_distractor(seed):
        yield f"No distractor is strong, which is little for {tier}: bring a wrong answer nearer to working."
    elif chain.length == 1 and tier != TIERS[0] and _lacks_strong_distractor(seed):
        yield f"A single insight without a strong rival is found by chance too often for {tier}: add a tempting alternative."
    if len(seed.wrong_answers) < FEWEST_WRONG_ANSWERS:
        yield "State a second wrong answer, so that failures can be distinguished."


def _find_chain_errors(seed: SeedDocument) -> Iterator[tuple[str, str, str]]:
    """Yield what the insight chain must keep, how it breaks it, and what would repair it."""
    texts = [each.text.strip().lower() for each in seed.insight_chain]
    if len(set(texts)) < len(texts):
        yield (
            "The insight chain names different insights.",
            "Two insights say the same, and insight depth counts insights (ohlsson1992information).",
            "Name each insight once.",
        )
    if any(not 0 < number <= len(texts) for each in seed.insight_chain for number in each.depends_on):
        yield (
            "The insight chain has every insight that one of its insights needs.",
            f"An insight needs one that the chain of {len(texts)} does not have (ohlsson1992information).",
            "Correct its dependencies.",
        )
    circle = _list_insights_without_beginning(seed)
    if circle:
        numbers = " and ".join(map(str, circle))
        why = "each needs itself or another of them" if len(circle) > 1 else "it needs itself"
        subject = f"Insight{'s' if len(circle) > 1 else ''} {numbers}"
        yield (
            "The insight chain has a beginning, so that one insight can come first.",
            f"{subject} can never come first, because {why} (ohlsson1992information).",
            "Correct the dependencies.",
        )


def _list_insights_without_beginning(seed: SeedDocument) -> tuple[int, ...]:
    """Return the numbers of the insights that need each other in a circle, or that need one of such a circle."""
    left = dict(enumerate((set(each.depends_on) for each in seed.insight_chain), 1))
    while ready := [number for number, needed in left.items() if not needed & left.keys()]:
        for number in ready:
            del left[number]
    return tuple(left)


def _build_challenges(seed: SeedDocument, unknown: tuple[str, ...]) -> Iterator[Challenge]:
    for name in unknown:
        yield Challenge(
            challenged=ATHENA,
            claim=f"The fixedness type `{name.strip() or 'left blank'}` names a habit that has been studied.",
            evidence=(
                Evidence(
                    kind="citation",
                    text="Nothing in the bibliography grounds a habit of that name; weisberg1981examination warns of inventing fixations.",
                ),
            ),
            recommendation="Name one of the habits that the bibliography grounds.",
            confidence=CHALLENGE_CONFIDENCE,
        )
    for claim, error, repair in _find_chain_errors(seed):
        yield Challenge(
            challenged=ATHENA,
            claim=claim,
            evidence=(Evidence(kind="citation", text=error),),
            recommendation=repair,
            confidence=CHALLENGE_CONFIDENCE,
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
            confidence=CHALLENGE_CONFIDENCE,
        )
