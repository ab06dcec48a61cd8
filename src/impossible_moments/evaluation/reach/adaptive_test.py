"""The adaptive test: each item is drawn at the level that says most about the solver after all answers so far.

The levels follow from the answers alone, and the seed of an item from the seed of the test, the number and the level of
the item. Answers are stored, so a repeated test asks only for what is missing and takes the same course.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Protocol

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.reach.level_posterior import LevelPosterior
from impossible_moments.evaluation.reach.reach_results import ReachItemResult
from impossible_moments.scenarios import Scenario

ITEMS: Final = 20
MOST_UNSCORED: Final = 5
"""So many items may stay without a score before the test ends early."""
_SEED_BYTES: Final = 6


@dataclass(frozen=True)
class ReachItem:
    """A fresh draw at a level: the scenario that is shown, and the key by which an answer is scored."""

    scenario: Scenario
    key: AnswerKey
    level: int
    seed: int


class ReachItemSource(Protocol):
    """A source of fresh items at levels."""

    @property
    def name(self) -> str:
        """The name and version of the source, for the results."""
        ...

    @property
    def levels(self) -> Sequence[int]:
        """The levels at which items can be drawn."""
        ...

    def draw_item(self, level: int, seed: int) -> ReachItem:
        """Draw an item. The same level and seed give the same item."""
        ...


@dataclass(frozen=True)
class ReachTest:
    """An adaptive test of one solver under one thinking budget."""

    source: ReachItemSource
    ask: Callable[[int, ReachItem], Awaitable[ReachItemResult]]
    """Ask the solver for an item with its number, and score the answer."""
    seed: int
    items: int = ITEMS
    report_progress: Callable[[int, int], None] = lambda _done, _all: None

    async def run(self) -> tuple[ReachItemResult, ...]:
        """Ask one item after the other and return all of them.

        An item without a score is replaced by another one, until too many have none.
        """
        posterior, found = LevelPosterior(), list[ReachItemResult]()
        scored = 0
        while scored < self.items and len(found) - scored < MOST_UNSCORED:
            number = len(found) + 1
            level = posterior.choose_level(self.source.levels)
            item = self.source.draw_item(level, derive_item_seed(self.seed, number, level))
            result = await self.ask(number, item)
            found.append(result)
            if result.passed is not None:
                scored += 1
                posterior = posterior.add_outcome(level, passed=result.passed)
            self.report_progress(scored, self.items)
        return tuple(found)


def derive_item_seed(seed: int, number: int, level: int) -> int:
    """Return the seed of an item, which no other item of the test shares."""
    digest = sha256(f"im-reach {seed} {number} {level}".encode()).digest()
    return int.from_bytes(digest[:_SEED_BYTES], "big")
