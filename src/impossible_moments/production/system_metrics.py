"""Metrics of all scenarios of a folder, beside those of its batches (specification, appendix D)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from impossible_moments.domain.thresholds import LEAST_BREAKTHROUGH_RATE
from impossible_moments.domain.vocabulary import CATEGORIES, Phase
from impossible_moments.ledger import ScenarioState
from impossible_moments.production.batch_metrics import compute_share
from impossible_moments.production.scenario_outcomes import ScenarioOutcome


@dataclass(frozen=True, slots=True)
class SystemMetrics:
    """Metrics of all scenarios of a folder (appendix D). A share of nothing is None."""

    agreement_by_phase: Mapping[str, float]
    """The share of accepted scenarios that passed a phase without a revision."""
    veto_rate_by_category: Mapping[str, float]
    blind_accuracy: float | None
    """The share of scenarios whose blind classification was the informed one."""
    breakthrough_rate: float | None
    """The share of open scenarios for which the agents propose a solution."""

    def list_red_flags(self) -> tuple[str, ...]:
        """Return what is not as the specification expects it."""
        found = []
        if self.blind_accuracy == 1:
            found.append("SOCRATES classified every scenario blind as it did informed: no scenario deceives")
        if self.breakthrough_rate is not None and self.breakthrough_rate <= LEAST_BREAKTHROUGH_RATE:
            found.append(
                f"{self.breakthrough_rate:.0%} of open scenarios have a proposal; more than 10 % are expected"
            )
        return tuple(found)


def measure_system(outcomes: Sequence[ScenarioOutcome]) -> SystemMetrics:
    """Return the metrics of all scenarios of a folder. How predictions agree with results is in `im report`."""
    accepted = [each for each in outcomes if each.state is ScenarioState.ACCEPTED]
    classified = [each for each in outcomes if each.blind_status and each.final_status]
    open_scenarios = [each for each in accepted if each.is_breakthrough_candidate is not None]
    by_category = {name: [each for each in accepted if each.category == name] for name in CATEGORIES}
    return SystemMetrics(
        {
            str(phase): 1 - fmean(phase in each.revised_phases for each in accepted)
            for phase in Phase
            if accepted
        },
        {
            name: compute_share(group, lambda each: each.has_veto)
            for name, group in by_category.items()
            if group
        },
        compute_share(classified, lambda each: each.blind_status == each.final_status)
        if classified
        else None,
        compute_share(open_scenarios, lambda each: bool(each.is_breakthrough_candidate))
        if open_scenarios
        else None,
    )
