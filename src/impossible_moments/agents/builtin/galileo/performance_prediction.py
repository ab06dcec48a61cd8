"""Predicted performance: the share of solvers that find every insight, joined with what weak solvers achieved."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from typing import Final

from impossible_moments.agents.builtin.galileo.cognitive_constructs import find_habit_of_insight
from impossible_moments.domain.difficulty_tiers import EXPECTED_SHARES, UNSOLVED_SCORE
from impossible_moments.domain.grounding import PredictedPerformance
from impossible_moments.domain.seed import Insight, SeedDocument
from impossible_moments.domain.vocabulary import Tier
from impossible_moments.library import load_everyday_objects
from impossible_moments.solver import STRATEGIES, KnownSituations, PublicText, is_successful_attempt

# fmt: off
GAINS: Final = {
    # how far each kind of system moves the share for one insight towards 1
    "direct_answer":      0.00,
    "chain_of_thought":   0.15,
    "extended_reasoning": 0.35,
    "agentic":            0.45,
}
COMPARABLE: Final[Mapping[str, str]] = {
    # the solver strategy whose effort is comparable to each kind of system
    "direct_answer":      "the first idea",
    "chain_of_thought":   "two steps",
    "extended_reasoning": "a first reading",
    "agentic":            "a patient search",
}
# fmt: on
MEASURED_WEIGHT: Final = 0.3
"""What one measured attempt of a weak solver weighs against the estimate from the chain."""
RIVAL_USE: Final = 0.05
"""The share by which each usual use that the library knows for a thing makes another use harder to see."""
MOST_RIVAL_USES: Final = 4
_OBJECT_HABITS: Final = frozenset({"functional fixedness", "overlooked property"})


@dataclass(frozen=True, slots=True)
class InsightChain:
    """The insights of a scenario, each as the share of solvers expected to find it."""

    shares: tuple[float, ...]

    @property
    def length(self) -> int:
        """The number of insights, N."""
        return len(self.shares)

    @property
    def mean_share(self) -> float:
        """The geometric mean of the shares, p."""
        return prod(self.shares) ** (1 / self.length) if self.shares else 1.0

    def compute_share_finding_all(self, gain: float = 0.0) -> float:
        """Return the share that finds all insights: the product of shares, each moved towards 1 by `gain`."""
        return prod(share + (1 - share) * gain for share in self.shares)


@dataclass(frozen=True, slots=True)
class MeasuredAttempts:
    """Which solver strategies succeeded on the public text, by name. Empty if none was run."""

    successes: Mapping[str, bool]

    def __str__(self) -> str:
        if not self.successes:
            return "no solver was run"
        return ", ".join(
            f"{name} {'succeeds' if works else 'fails'}" for name, works in self.successes.items()
        )


NOTHING_MEASURED: Final = MeasuredAttempts({})


def build_insight_chain(seed: SeedDocument) -> InsightChain:
    """Build the chain of insights: the share of each by its habit and by the usual uses of the thing it is about."""
    return InsightChain(tuple(compute_insight_share(insight) for insight in seed.insight_chain))


def compute_insight_share(insight: Insight) -> float:
    """Return the share expected to find an insight.

    For an insight about the use of a thing, every usual use that the library lists for the thing lowers it.
    """
    share = find_habit_of_insight(insight).share
    if insight.fixedness_type not in _OBJECT_HABITS:
        return share
    return share * (1 - RIVAL_USE * min(_count_usual_uses(insight.text), MOST_RIVAL_USES))


def _count_usual_uses(text: str) -> int:
    """Return the number of usual uses of the library's object that a text names, or 0."""
    words = set(re.findall(r"[a-z]+", text.lower()))
    named = [
        each
        for each in load_everyday_objects().values()
        if set(each.label.lower().split()) - {"a", "an"} <= words
    ]
    return max((len(each.uses) for each in named), default=0)


def measure_weak_solvers(seed: SeedDocument, situations: KnownSituations) -> MeasuredAttempts:
    """Run the comparable solver strategies on the public text.

    Naming an open problem as open shows nothing, so nothing is measured for OF.
    """
    status = str((seed.mechanics.get("status") or {}).get("claim", ""))
    if not status or status == "OF":
        return NOTHING_MEASURED
    text = PublicText.from_seed_document(seed.model_dump(mode="json"))
    return MeasuredAttempts(
        {
            name: is_successful_attempt(STRATEGIES[name](text, situations), status)
            for name in dict.fromkeys(COMPARABLE.values())
        }
    )


def predict_performance(
    chain: InsightChain, measured: MeasuredAttempts = NOTHING_MEASURED
) -> PredictedPerformance:
    """Predict scores as 100 * (P + 0.25 * (1 - P)).

    P is the share that finds the whole chain. Where a comparable solver was run, its result counts with
    `MEASURED_WEIGHT`. A stronger system is never predicted to do worse than a weaker one.
    """
    shares = [chain.compute_share_finding_all(gain) for gain in GAINS.values()]
    if measured.successes:
        reached = accumulate((float(measured.successes[COMPARABLE[kind]]) for kind in GAINS), max)
        shares = [
            (1 - MEASURED_WEIGHT) * share + MEASURED_WEIGHT * result
            for share, result in zip(shares, reached, strict=True)
        ]
    scores = (round(100 * _compute_expected_score(share)) for share in shares)
    return PredictedPerformance(**dict(zip(GAINS, scores, strict=True)))


def _compute_expected_score(share: float) -> float:
    return share + UNSOLVED_SCORE * (1 - share)


def compare_with_tier(chain: InsightChain, tier: Tier) -> str:
    """Return how the share of extended reasoners that find all insights differs from what the tier expects, or "".

    A difference counts if the share lies outside the expected range by more than the range is wide.
    """
    share = chain.compute_share_finding_all(GAINS["extended_reasoning"])
    low, high = (float(end) / 100 for end in re.findall(r"\d+", EXPECTED_SHARES[tier]))
    width = high - low
    if low - width <= share <= high + width:
        return ""
    direction = "easier" if share > high else "harder"
    return f"The chain alone predicts that {share:.0%} of extended reasoners find everything, and {tier} expects {EXPECTED_SHARES[tier]}: it is {direction} than its tier."


def rank_hardest_insights(seed: SeedDocument) -> Sequence[tuple[float, Insight]]:
    """Return the insights with their shares, the hardest first."""
    return sorted(
        ((compute_insight_share(each), each) for each in seed.insight_chain),
        key=lambda pair: (pair[0], pair[1].text),
    )
