"""Contamination: how near a scenario is to existing scenarios and to public puzzles, in figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from impossible_moments.agents.builtin.galileo.record_sections import count_record_lines
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.library import PuzzleResemblance, rank_puzzle_resemblances

NEAR_PUZZLE: Final = 0.5
"""The share of the words of a puzzle's structure from which a scenario is close to the puzzle."""
NEAR_SCENARIO: Final = 0.8
"""The part of the limit for copies from which an existing scenario is close."""


@dataclass(frozen=True)
class CorpusPosition:
    """What the orchestrator computed about the existing scenarios. `size` is None if nothing was computed."""

    size: int | None
    nearest: Sequence[Mapping[str, Any]] = ()
    figures: Mapping[str, Any] | None = None

    @classmethod
    def from_context(cls, nearest: object, corpus: object) -> CorpusPosition:
        """Read the figures of an assignment."""
        if not isinstance(corpus, Mapping):
            return cls(None)
        return cls(int(corpus["size"]), list(nearest) if isinstance(nearest, list) else [], corpus)

    @property
    def limit(self) -> float:
        """The similarity from which two scenarios count as copies."""
        return float(self.figures["similarity_limit"]) if self.figures is not None else 1.0

    @property
    def highest_similarity(self) -> float:
        """The similarity of the nearest scenario, or 0 if there is none."""
        return max((float(each["similarity"]) for each in self.nearest), default=0.0)

    @property
    def is_near(self) -> bool:
        """Whether an existing scenario is close, though not a copy."""
        return self.highest_similarity >= NEAR_SCENARIO * self.limit


@dataclass(frozen=True)
class ContaminationCheck:
    """The comparison of a scenario with the corpus and with public puzzles."""

    position: CorpusPosition
    puzzles: tuple[PuzzleResemblance, ...]
    drawn_quantities: int

    @property
    def near_puzzles(self) -> tuple[PuzzleResemblance, ...]:
        """The puzzles that the scenario is close to."""
        return tuple(each for each in self.puzzles if each.share >= NEAR_PUZZLE)

    @property
    def is_flagged(self) -> bool:
        """Whether an existing scenario or a public puzzle is close."""
        return self.position.is_near or bool(self.near_puzzles)

    def describe(self) -> str:
        """Return the figures of the comparison and what follows from them."""
        closest = self.puzzles[0]
        matched = f"{len(closest.words)} of {len(closest.puzzle.words)} words of its structure ({', '.join(closest.words) or 'none'}"
        sentences = [
            _describe_corpus(self.position),
            f"Of {len(self.puzzles)} public puzzles the closest is {closest.puzzle.name}, with {matched}; {closest.share:.0%}, close from {NEAR_PUZZLE:.0%}).",
            *(
                f"FLAGGED: a model may recall “{each.puzzle.idea}” from {each.puzzle.name} ({each.puzzle.source})."
                for each in self.near_puzzles
            ),
        ]
        if self.position.is_near:
            nearest, limit = self.position.highest_similarity, NEAR_SCENARIO * self.position.limit
            sentences.append(f"FLAGGED: an existing scenario is at {nearest:.2f}, close from {limit:.2f}.")
        sentences.append(
            f"The record states {self.drawn_quantities} quantities of this scenario alone, and an answer recalled from elsewhere has to fit them."
        )
        return " ".join(sentences)


def check_contamination(seed: SeedDocument, position: CorpusPosition) -> ContaminationCheck:
    """Compare a scenario with the existing scenarios and with public puzzles."""
    text = " ".join(
        (
            seed.scenario.narrative,
            seed.scenario.threat,
            *(row.name for row in seed.scenario.objects),
            *(each.text for each in seed.insight_chain),
        )
    )
    return ContaminationCheck(
        position, rank_puzzle_resemblances(text), count_record_lines(seed, "quantities")
    )


def _describe_corpus(position: CorpusPosition) -> str:
    if position.size is None:
        return "The existing scenarios were not available for comparison."
    if not position.nearest:
        return "No other scenario exists yet to compare with."
    nearest = ", ".join(
        f"{each['similarity']:.2f}"
        + (f" (shares {', '.join(each['shared_object_words'])})" if each["shared_object_words"] else "")
        for each in position.nearest
    )
    return f"Of {position.size} existing scenarios the nearest have similarities {nearest}; copies start at {position.limit:.2f}."
