"""Check that words and layout of the public texts do not give away status or tier."""

from __future__ import annotations

from typing import Final

from impossible_moments.domain.vocabulary import parse_main_status
from impossible_moments.production.quality.quality_report import CheckState, QualityCheck
from impossible_moments.production.quality.released_scenarios import ReleasedScenarios
from impossible_moments.production.quality.text_classifier import LabelledText, list_features, measure_label

MOST_ABOVE_CHANCE: Final = 0.10
"""How far a classifier may be above the share of the most frequent label."""
FEWEST_SCENARIOS: Final = 100
"""Below this number the classifier has too little to learn from, and says nothing."""
LABELS: Final = ("status", "tier")


def check_tells(released: ReleasedScenarios) -> QualityCheck:
    """Train a word-count classifier on half of the texts and test it on the other half, in twenty splits."""
    texts = [
        LabelledText(
            skin=released.entries[name].place or name,
            features=frozenset(list_features({"narrative": scenario.blind})),
            labels={"status": parse_main_status(scenario.status), "tier": str(scenario.tier)},
        )
        for name, scenario in released.scenarios.items()
    ]
    if len(texts) < FEWEST_SCENARIOS:
        summary = f"{len(texts)} texts are too few for a classifier; {FEWEST_SCENARIOS} are needed"
        return QualityCheck("tells", CheckState.SKIPPED, summary)
    figures, problems = [], []
    for label in LABELS:
        accuracy, majority = measure_label(texts, label)
        figures.append(f"{label} {accuracy:.2f} against {majority:.2f}")
        if accuracy > majority + MOST_ABOVE_CHANCE:
            problems.append(
                f"words and layout give away the {label}: {accuracy:.0%} right, {majority:.0%} by the most frequent one"
            )
    state = CheckState.FAILED if problems else CheckState.PASSED
    return QualityCheck(
        "tells", state, f"by words, against the most frequent: {', '.join(figures)}", tuple(problems)
    )
