"""The report on one evaluation, as data in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from impossible_moments.evaluation.reports.form import (
    NOTHING,
    Radar,
    Report,
    Section,
    Table,
    Whiskers,
    columns,
    quoted,
    score,
    signed,
    with_bar,
)
from impossible_moments.evaluation.reports.how_to_read import how_to_read
from impossible_moments.evaluation.reports.notable import false_solutions, fragility, notable
from impossible_moments.evaluation.reports.run import flags_raised, reasons_unscored, what_was_run
from impossible_moments.evaluation.reports.twins import in_a_line, twins
from impossible_moments.evaluation.results import TIER_WEIGHTS, Components, Results, Run, State
from impossible_moments.evaluation.statistics import Figures, Group, figures

# fmt: off
COMPONENTS: Final[Mapping[str, tuple[str, str]]] = {
    #               name                        weight
    "outcome":     ("outcome correctness",      "40 %"),
    "physical":    ("physical validity",        "25 %"),
    "insight":     ("insight identification",   "20 %"),
    "distractors": ("distractor handling",      "10 %"),
    "efficiency":  ("reasoning efficiency",     "5 %"),
}
EXPECTED: Final[Mapping[str, str]] = {  # the share solved, of strong models
    "SPARK": "60-80 %", "FRACTURE": "30-50 %", "RUPTURE": "10-25 %", "SINGULARITY": "0-10 %", "IMPOSSIBLE": "0-2 %",
}
# fmt: on


def report_card(results: Results, found: Figures | None = None) -> Report:
    """Build the complete report on one evaluation. `found` are its figures, if already computed."""
    known = figures(results) if found is None else found
    return Report(
        title=f"Impossible Moments: {quoted(results.model, 80)}",
        summary=_summary(results, known),
        sections=(
            _card(results, known),
            _tiers(known),
            _statuses(known),
            _categories(results, known),
            _components(results),
            _calibration(known),
            notable(results),
            fragility(results),
            false_solutions(results),
            twins(results),
            how_to_read(known),
        ),
    )


def _summary(results: Results, known: Figures) -> str:
    scored = known.im_score.scenarios
    if known.im_score.value is None:
        return (
            f"No run was scored: {results.unscored} runs of {len(results.scenarios)} scenarios have no score."
        )
    return (
        f"IM-Score {with_bar(known.im_score)} by the best run of each scenario, {with_bar(known.by_means)} by the "
        f"mean of its runs; {scored} of {len(results.scenarios)} scenarios scored."
    )


def _card(results: Results, known: Figures) -> Section:
    open_scenarios = sum(each.status == "OF" for each in results.scenarios)
    runs = sum(len(each.runs) for each in results.scenarios)
    main = (
        ("IM-Score (best run)", with_bar(known.im_score)),
        ("IM-Score by means", with_bar(known.by_means)),
        *_while_open(results),
        ("pass rate", with_bar(known.pass_rate, "share")),
        ("IM-Profile", _range_of_profile(results)),
        ("IM-Frontier", f"{results.im_frontier} of {open_scenarios} open scenarios flagged for experts"),
        *in_a_line(results),
        ("unscored", f"{results.unscored} of {runs} runs"),
    )
    return Section(
        title="Report card",
        tables=(
            Table(
                columns("figure", "value"),
                main,
                caption="Error bars are 95 % intervals, resampled by family.",
            ),
            Table(columns("what was run", ""), what_was_run(results)),
            Table(
                columns("why runs have no score", "state", "#runs"),
                reasons_unscored(results),
                otherwise="Every run was scored.",
            ),
            Table(
                columns("flag", "#runs", "#scenarios"), flags_raised(results), otherwise="No run was flagged."
            ),
        ),
        notes=tuple(dict.fromkeys(each.note for each in (known.im_score, known.pass_rate) if each.note)),
    )


def _while_open(results: Results) -> Iterator[tuple[str, str]]:
    """Yield a row with the bounds of the score while answers wait for review."""
    if results.im_bounds is not None:
        low, high = results.im_bounds
        waiting = sum(run.state is State.REVIEW for each in results.scenarios for run in each.runs)
        yield (
            f"IM-Score after the pending reviews ({waiting})",
            f"between {score(low)} (all fail) and {score(high)} (all pass)",
        )


def _range_of_profile(results: Results) -> str:
    """Return the weakest and the strongest category. The full profile has its own section."""
    known = [(value, name) for name, value in results.im_profile.items() if value is not None]
    if not known:
        return NOTHING
    (low, weakest), (high, strongest) = min(known), max(known)
    return f"{score(low)} ({weakest}) to {score(high)} ({strongest}), {len(known)} of {len(results.im_profile)} categories"


def _tiers(known: Figures) -> Section:
    rows = tuple(
        (each.name, str(TIER_WEIGHTS[each.name]), *_cells(each), EXPECTED[each.name]) for each in known.tiers
    )
    return Section(
        title="Tiers",
        figures=(Whiskers("Score by tier, best run", tuple((each.name, each.best) for each in known.tiers)),),
        tables=(
            Table(
                columns("tier", "#weight", *_HEADS, "#expected"),
                rows,
                caption="Expected: the share that strong models solve.",
            ),
        ),
        notes=_missing_bars(known.tiers),
    )


_HEADS: Final = ("#scenarios", "#runs", "#unscored", "#score (best run)", "#mean", "#pass rate")


def _cells(each: Group) -> tuple[str, ...]:
    counts = (str(each.scenarios), str(each.runs), str(each.unscored))
    return (*counts, with_bar(each.best), with_bar(each.mean), with_bar(each.pass_rate, "share"))


def _missing_bars(groups: Iterable[Group]) -> tuple[str, ...]:
    """Return one sentence for all rows that have a figure but no error bar."""
    names = [
        quoted(each.name, 40) for each in groups if each.best.value is not None and each.best.low is None
    ]
    if not names:
        return ()
    return (f"No error bar with scored scenarios of fewer than 5 families: {', '.join(names)}.",)


def _statuses(known: Figures) -> Section:
    rows = tuple((quoted(each.name, 40), *_cells(each)) for each in known.statuses)
    return Section(
        title="Solution statuses",
        tables=(Table(columns("status", *_HEADS), rows, otherwise="No scenario was run."),),
        notes=_missing_bars(known.statuses),
    )


def _categories(results: Results, known: Figures) -> Section:
    values = tuple(results.im_profile.values())
    profile = Radar("IM-Profile", tuple(results.im_profile), ((quoted(results.model, 60), values),))
    return Section(
        title="Categories: the IM-Profile",
        paragraphs=("The plain mean of the scenario scores in each of the twelve categories.",),
        figures=(profile,),
        tables=(
            Table(
                columns("category", *_HEADS), tuple((each.name, *_cells(each)) for each in known.categories)
            ),
        ),
        notes=_missing_bars(known.categories),
    )


def _components(results: Results) -> Section:
    every = [run for each in results.scenarios for run in each.runs if run.components is not None]
    top = [run for each in results.scenarios if (run := _best_run(each.runs)) is not None]
    rows = tuple(
        (name, weight, score(_mean_of(every, field)), score(_mean_of(top, field)))
        for field, (name, weight) in COMPONENTS.items()
    )
    return Section(
        title="Components",
        paragraphs=(
            (
                f"Means over {len(every)} runs with components and over the best run of {len(top)} scenarios, with equal weights. "
                "Insight may exceed 100 if further valid paths are named."
            ),
        ),
        tables=(Table(columns("component", "#weight", "#all runs", "#best runs"), rows),),
    )


def _best_run(runs: Sequence[Run]) -> Run | None:
    scored = [(run.score, -run.number, run) for run in runs if run.score is not None and run.components]
    return max(scored, key=lambda each: each[:2])[2] if scored else None


def _mean_of(runs: Sequence[Run], field: str) -> float | None:
    assert field in Components.model_fields
    values = [float(getattr(run.components, field)) for run in runs]
    return sum(values) / len(values) if values else None


def _calibration(known: Figures) -> Section:
    found = known.calibration
    if found.note:
        return Section("Calibration of GALILEO's predictions", paragraphs=(found.note,))
    rows = tuple(
        (
            f"{each.low} to {each.high}",
            str(each.scenarios),
            score(each.predicted),
            score(each.scored),
            signed(each.scored - each.predicted),
        )
        for each in found.bins
    )
    return Section(
        title="Calibration of GALILEO's predictions",
        paragraphs=(
            (
                f"Over {found.scenarios} scenarios with a prediction the mean score differs by {with_bar(found.bias, 'signed')} points "
                f"from the prediction (above 0: better than predicted). The mean absolute error is {score(found.absolute_error)} points."
            ),
        ),
        tables=(
            Table(columns("predicted", "#scenarios", "#mean prediction", "#mean score", "#difference"), rows),
        ),
        notes=(found.bias.note,) if found.bias.note else (),
    )
