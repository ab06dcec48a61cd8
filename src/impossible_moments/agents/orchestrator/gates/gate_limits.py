"""The thresholds of the gates. Settings may tighten them and never loosen them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from impossible_moments.domain.thresholds import (
    ATTEMPTS,
    CONFIDENCE,
    LOWEST_CONFIDENCE,
    LOWEST_SIMILARITY,
    SIMILARITY,
    TIMING_MARGIN,
)
from impossible_moments.domain.vocabulary import Phase
from impossible_moments.errors import ConfigurationError


@dataclass(frozen=True)
class GateLimits:
    """The specification's thresholds, tightened by settings.

    Raises `ConfigurationError` if a setting loosens one.
    """

    confidence: Mapping[str, float] = field(default_factory=lambda: CONFIDENCE)
    timing_margin: float = TIMING_MARGIN
    similarity: float = SIMILARITY
    """The cosine similarity from which two scenarios count as the same."""
    attempts: Mapping[Phase, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for agent, value in sorted(self.confidence.items()):
            _require_within_range(
                f"the confidence {agent} needs", value, CONFIDENCE.get(agent, LOWEST_CONFIDENCE), 1.0
            )
        _require_within_range("the timing margin", self.timing_margin, TIMING_MARGIN, 1.0)
        _require_within_range("the similarity threshold", self.similarity, LOWEST_SIMILARITY, SIMILARITY)
        for phase, attempts in self.attempts.items():
            _require_within_range(f"the number of attempts in {phase}", attempts, 1, ATTEMPTS)

    def get_confidence_threshold(self, agent: str) -> float:
        """Return the confidence that an agent must reach."""
        return self.confidence.get(agent, CONFIDENCE.get(agent, LOWEST_CONFIDENCE))


def _require_within_range(setting_name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise ConfigurationError(
            f"{setting_name} is set to {value:g}. Settings may tighten a gate and never loosen it: "
            f"give a number from {low:g} to {high:g}."
        )
