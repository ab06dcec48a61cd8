"""Quality assurance of a whole set of scenarios (specification 7.6): all checks, one report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from impossible_moments.production.coverage_targets import CoverageTargets
from impossible_moments.production.quality import QualityCheck, QualityReport, ReleasedScenarios
from impossible_moments.production.quality.completeness import check_completeness
from impossible_moments.production.quality.distinctness import check_distinctness
from impossible_moments.production.quality.distributions import check_distributions
from impossible_moments.production.quality.public_texts import check_public_texts
from impossible_moments.production.quality.review_sample import check_review_sample
from impossible_moments.production.quality.scorer_resistance import check_scorer_resistance
from impossible_moments.production.quality.stated_claims import check_claims
from impossible_moments.production.quality.tells import check_tells
from impossible_moments.production.quality.verified_mechanics import check_mechanics

ATTACKED: Final = 60
"""How many scenarios the scorer is attacked on by default."""


@dataclass(frozen=True)
class QualityOptions:
    """What a quality check covers."""

    attacked: int = ATTACKED
    """Scenarios on which the scorer is attacked; 0 for none."""
    seed: int = 0


def run_quality_checks(
    released: ReleasedScenarios,
    targets: CoverageTargets,
    options: QualityOptions | None = None,
    start_check: Callable[[str], None] = lambda _name: None,
) -> QualityReport:
    """Run all checks, one after the other. `start_check` is called with the name of each."""
    chosen = options or QualityOptions()
    checks: dict[str, Callable[[], QualityCheck]] = {
        "completeness": lambda: check_completeness(released),
        "claims": lambda: check_claims(released),
        "distributions": lambda: check_distributions(released, targets),
        "texts": lambda: check_public_texts(released),
        "tells": lambda: check_tells(released),
        "distinctness": lambda: check_distinctness(released),
        "mechanics": lambda: check_mechanics(released),
        "scorer": lambda: check_scorer_resistance(released, chosen.attacked, chosen.seed),
        "review sample": lambda: check_review_sample(released),
    }
    found = []
    for name, check in checks.items():
        start_check(name)
        found.append(check())
    return QualityReport(
        str(released.folder.name), len(released.entries), str(released.library), tuple(found)
    )
