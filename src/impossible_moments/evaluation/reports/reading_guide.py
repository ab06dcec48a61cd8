"""The section that explains the figures: best of several runs, error bars and detectable differences."""

from __future__ import annotations

from impossible_moments.evaluation.reports.report_elements import (
    ReportSection,
    ReportTable,
    format_estimate,
    format_score,
    make_columns,
)
from impossible_moments.evaluation.statistics.resampling import FEWEST_FAMILIES, RESAMPLES
from impossible_moments.evaluation.statistics.summary_figures import (
    BestOfN,
    DetectableDifference,
    EvaluationFigures,
)


def build_reading_guide(figures: EvaluationFigures) -> ReportSection:
    """Build the section that explains the figures of a report."""
    return ReportSection(
        title="How to read it",
        paragraphs=(
            (
                "IM-Score: the scenario scores averaged with the tier weights 1, 2, 4, 8, 16. A scenario's score is that of its "
                "best run; the mean of its runs is given as well. Runs without a score are left out and counted, never treated as a 0."
            ),
            "Other figures (pass rate, tiers, statuses, categories) are plain means over scenarios. A run passes if its outcome is at least 80.",
            *explain_error_bars(),
            _explain_best_of_n(figures.best_of_n),
            _explain_detectable_difference(figures.detectable),
        ),
        tables=(_build_best_of_n_table(figures.best_of_n),) if figures.best_of_n.expected else (),
    )


def explain_error_bars() -> tuple[str, ...]:
    """Return the paragraph that explains all error bars."""
    return (
        (
            f"Error bars are 95 % intervals from {RESAMPLES:,} resamples of whole families, because scenarios of one family "
            f"share an idea. With fewer than {FEWEST_FAMILIES} families there is no error bar. The error bar shows how the figure might "
            "differ on other scenarios of this kind. It does not cover errors of judges or of the benchmark."
        ),
    )


def _explain_best_of_n(best_of_n: BestOfN) -> str:
    if best_of_n.note:
        return best_of_n.note
    return (
        f"The best of several runs overestimates a model: here it is {format_estimate(best_of_n.gap)} points above the mean, computed from "
        f"the runs themselves (up to {best_of_n.runs} of a scenario). Compare only results with equal numbers of runs, or compare means."
    )


def _build_best_of_n_table(best_of_n: BestOfN) -> ReportTable:
    """Return a table of the expected IM-Score with fewer runs."""
    rows = tuple((str(runs), format_score(value)) for runs, value in enumerate(best_of_n.expected, start=1))
    return ReportTable(
        make_columns("#runs of each scenario", "#expected IM-Score"),
        rows,
        caption="The effect of taking the best: means over all choices of this many scored runs.",
    )


def _explain_detectable_difference(difference: DetectableDifference) -> str:
    size = f"{difference.scenarios} scored scenarios of {difference.families} families, {difference.runs} scored runs"
    if difference.apart is None and difference.together is None:
        return f"No smallest detectable difference can be computed for {size}. {difference.note}".strip()
    parts = []
    if difference.apart is not None:
        parts.append(
            f"{format_score(difference.apart)} points against a model whose scores are unrelated to these"
        )
    if difference.together is not None:
        parts.append(
            f"at least {format_score(difference.together)} points by means against a model on the same scenarios, "
            "if only chance between runs differs"
        )
    return (
        f"The smallest difference in IM-Score that is detected in 80 of 100 cases at the 5 % level, two-sided, with {size}: "
        f"{'; '.join(parts)}. A comparison of two result files states its own. {difference.note}"
    ).strip()
