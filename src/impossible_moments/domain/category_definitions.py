"""The categories of scenarios: what each tests, what its challenge is, and what its distractors are like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from impossible_moments.domain.vocabulary import Category


@dataclass(frozen=True, slots=True)
class CategoryDefinition:
    """One category of the framework."""

    tests: str
    challenge: str
    distractors: str

    def __str__(self) -> str:
        return f"tests {self.tests}; the challenge: {self.challenge}; the distractors: {self.distractors}"


CATEGORY_DEFINITIONS: Final[Mapping[Category, CategoryDefinition]] = {
    # framework, the twelve categories
    "The Locked Room": CategoryDefinition(
        "spatial reasoning and seeing objects anew under a clock",
        "get out of an enclosed space before a threat arrives",
        "at least one object with a strong, useless affordance",
    ),
    "The Wrong Toolbox": CategoryDefinition(
        "breaking functional fixedness",
        "build or repair with materials of the wrong kind",
        "things that look right for the job and have a disqualifying property",
    ),
    "The Misdirection": CategoryDefinition(
        "rejecting the salient and finding the buried signal",
        "the natural action fails or kills",
        "the most prominent object is the distractor",
    ),
    "The Cascade": CategoryDefinition(
        "systems thinking, side effects and order",
        "coupled failures, where every repair breaks something else",
        "none in the usual sense: the couplings are the difficulty",
    ),
    "The Babel Problem": CategoryDefinition(
        "theory of mind, coordination and narrow channels",
        "cooperate when knowledge and language are divided",
        "apparent cooperation that the divided knowledge forbids",
    ),
    "The Lilliput Conundrum": CategoryDefinition(
        "physics that changes with scale",
        "act at a microscopic, giant or astronomical scale",
        "tools whose affordance reverses with scale",
    ),
    "The Ticking Trade": CategoryDefinition(
        "rejecting a false dichotomy under a clock",
        "two bad options: find the third, or show that there is none",
        "the two obvious options, each of them half right",
    ),
    "The Ghost Machine": CategoryDefinition(
        "mechanistic reasoning and calibrated scepticism",
        "explain or refute a device that seems to break physics",
        "plausible wrong explanations",
    ),
    "The Last Ingredient": CategoryDefinition(
        "substitution from first principles",
        "one critical component is missing",
        "near substitutes that fail on one property",
    ),
    "The Invisible Wall": CategoryDefinition(
        "rules, protocols and strategic constraints",
        "nothing physical stops the solver, but the system of rules does",
        "loopholes that the rules have already closed",
    ),
    "The Memory Palace": CategoryDefinition(
        "pattern recognition and abduction",
        "the environment encodes the answer",
        "objects that fit a second, wrong encoding",
    ),
    "The Horizon Problem": CategoryDefinition(
        "scientific creativity",
        "a real unsolved problem as a concrete predicament",
        "known approaches that do not suffice",
    ),
}
