"""Evidence on how hard a record is: needed insights, failing alternatives, binding domains and slack, all executed."""

from impossible_moments.mechanics.difficulty.difficulty_evidence import (
    DifficultyEvidence,
    DistractorStrength,
    collect_difficulty_evidence,
)
from impossible_moments.mechanics.difficulty.failing_alternatives import (
    FailingAlternative,
    find_failing_approaches,
    list_failing_alternatives,
    measure_distractor_strength,
)
from impossible_moments.mechanics.difficulty.needed_insights import InsightFact, list_insight_calls

__all__ = [
    "DifficultyEvidence",
    "DistractorStrength",
    "FailingAlternative",
    "InsightFact",
    "collect_difficulty_evidence",
    "find_failing_approaches",
    "list_failing_alternatives",
    "list_insight_calls",
    "measure_distractor_strength",
]
