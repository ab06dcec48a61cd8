"""Protocol of an evaluation: sampling defaults, judges, and the expert panel (framework, scoring an answer)."""

from __future__ import annotations

from typing import Final

TEMPERATURE: Final = 0.7
"""The sampling temperature of the tested model."""
RUNS: Final = 3
"""The answers to each scenario while developing. A published result needs more."""
MOST_TOKENS: Final = 4_096
"""The longest answer, in output tokens."""
LEAST_KAPPA: Final = 0.7
"""Below this agreement of two judges (Cohen's kappa), a third judge decides."""
CANDIDATE_POINTS: Final = 7.0
"""The points that every line of the open-frontier rubric must exceed for experts to be asked."""
PANEL: Final = 3
"""The experts that review a breakthrough candidate."""
LEAST_AGREEING_EXPERTS: Final = 2
"""The agreeing votes of the panel that decide."""
CONSENSUS: Final = 5
"""The experts that verification by consensus needs."""
