"""The thresholds of the gates. Settings may tighten them and never loosen them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, SOCRATES, Phase
from impossible_moments.errors import ConfigurationError
from impossible_moments.scenarios import SPECIFIED

LOWEST_CONFIDENCE: Final = 0.5
"""1.7: below this confidence in a critical deliverable, a human decides."""
CONFIDENCE: Final[Mapping[str, float]] = MappingProxyType(
    {ATHENA: LOWEST_CONFIDENCE, NEWTON: 0.7, EULER: 0.7, GALILEO: 0.6, SOCRATES: 0.6}
)
TIMING_MARGIN: Final = 0.10
ATTEMPTS: Final = 3
"""1.2: three attempts in a phase. In REFINE these are the first one and two more."""


@dataclass(frozen=True)
class GateLimits:
    """The specification's thresholds, tightened by settings.

    Raises `ConfigurationError` if a setting loosens one.
    """

    confidence: Mapping[str, float] = field(default_factory=lambda: CONFIDENCE)
    timing_margin: float = TIMING_MARGIN
    similarity: float = SPECIFIED
    """The cosine similarity from which two scenarios count as the same."""
    attempts: Mapping[Phase, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for agent, value in sorted(self.confidence.items()):
            _require_within_range(
                f"the confidence {agent} needs", value, CONFIDENCE.get(agent, LOWEST_CONFIDENCE), 1.0
            )
        _require_within_range("the timing margin", self.timing_margin, TIMING_MARGIN, 1.0)
        _require_within_range("the similarity threshold", self.similarity, 0.01, SPECIFIED)
        for phase, attempts in self.attempts.items():
            _require_within_range(f"the number of attempts in {phase}", attempts, 1, ATTEMPTS)

    def get_confidence_threshold(self, agent: str) -> float:
        """Return the confidence that an agent must reach."""
        return self.confidence.get(agent, CONFIDENCE.get(agent, LOWEST_CONFIDENCE))


def _require_within_range(what: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise ConfigurationError(
            f"{what} is set to {value:g}. Settings may tighten a gate and never loosen it: "
            f"give a number from {low:g} to {high:g}."
        )
