"""Report rows on the conditions of an evaluation and on runs without a score."""

from __future__ import annotations

from collections import Counter
from typing import Final

from impossible_moments.evaluation.reports.report_elements import NOTHING, shorten_text
from impossible_moments.evaluation.results import Results

MOST_REASONS: Final = 8


def list_run_conditions(results: Results) -> tuple[tuple[str, str], ...]:
    """Return the conditions of an evaluation as rows of name and value."""
    runs = [run for each in results.scenarios for run in each.runs]
    tokens_in, tokens_out = sum(run.input_tokens for run in runs), sum(run.output_tokens for run in runs)
    return (
        ("model", shorten_text(results.model)),
        ("presentation", shorten_text(results.presentation)),
        ("answer form", shorten_text(results.answer_form)),
        ("runs of each scenario", str(results.runs_per_scenario)),
        ("temperature requested", _format_temperature(results.temperature_asked, "the provider's default")),
        ("temperature sent", _format_temperature(results.temperature_sent, "none, or not known")),
        ("judges", shorten_text(", ".join(results.judges), 200) or "none"),
        ("judges' agreement", _format_judge_agreement(results)),
        *((("judges' remark", shorten_text(results.judge_note, 200)),) if results.judge_note else ()),
        *((("translator", shorten_text(results.translator)),) if results.translator else ()),
        ("library", shorten_text(results.library) or NOTHING),
        ("benchmark", shorten_text(results.benchmark) or NOTHING),
        ("created", shorten_text(results.created) or NOTHING),
        ("tokens", f"{tokens_in:,} in, {tokens_out:,} out"),
        ("cost", shorten_text(results.cost) if results.cost else "not known"),
        *((("judges' cost", shorten_text(results.judge_cost)),) if results.judge_cost else ()),
        *((("translator's cost", shorten_text(results.translator_cost)),) if results.translator_cost else ()),
    )


def _format_temperature(value: float | None, unset_text: str) -> str:
    return unset_text if value is None else f"{value:g}"


def list_unscored_reasons(results: Results) -> tuple[tuple[str, ...], ...]:
    """Return the reasons for runs without a score, the most frequent first."""
    counts = Counter(
        (shorten_text(run.note) or "no reason was recorded", run.state)
        for each in results.scenarios
        for run in each.runs
        if run.score is None
    )
    rows = [(reason, str(state), str(count)) for (reason, state), count in counts.most_common(MOST_REASONS)]
    if (left := len(counts) - len(rows)) > 0:
        other_count = sum(counts.values()) - sum(int(count) for *_, count in rows)
        rows.append((f"{left} further reasons", NOTHING, str(other_count)))
    return tuple(rows)


def count_flags(results: Results) -> tuple[tuple[str, ...], ...]:
    """Return each flag with the number of runs and scenarios that have it."""
    runs: Counter[str] = Counter()
    scenarios: Counter[str] = Counter()
    for each in results.scenarios:
        flags = [shorten_text(flag, 60) for run in each.runs for flag in dict.fromkeys(run.flags)]
        runs.update(flags)
        scenarios.update(set(flags))
    return tuple((flag, str(count), str(scenarios[flag])) for flag, count in sorted(runs.items()))


def _format_judge_agreement(results: Results) -> str:
    """Return the agreement of the judges and the leniency of each."""
    if not results.judges:
        return NOTHING
    figures = {"kappa": results.judge_kappa, "alpha": results.judge_alpha}
    parts = [f"{name} {value:.2f}" for name, value in figures.items() if value is not None]
    parts += [
        f"{shorten_text(name)} gives {value:+.0%}"
        for name, value in results.judge_leniency.items()
        if value is not None
    ]
    return ", ".join(parts) or "too few verdicts"
