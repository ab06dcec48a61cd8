"""The report that compares several evaluations: a leaderboard, and the distance of each from the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from impossible_moments.domain.vocabulary import CATEGORIES, TIERS
from impossible_moments.evaluation.comparison import shared_scenarios
from impossible_moments.evaluation.leaderboard import Entry, leaderboard
from impossible_moments.evaluation.reports.form import (
    Column,
    Radar,
    Report,
    Section,
    Table,
    Whiskers,
    chance,
    columns,
    quoted,
    score,
    share,
    with_bar,
)
from impossible_moments.evaluation.reports.how_to_read import bars_in_words
from impossible_moments.evaluation.reports.run import what_was_run
from impossible_moments.evaluation.reports.twins import twins_compared
from impossible_moments.evaluation.results import Results

_MUST_AGREE: Final[Mapping[str, str]] = {
    "benchmark": "benchmark",
    "presentation": "presentation",
    "answer_form": "answer form",
    "runs_per_scenario": "runs of each scenario",
    "temperature_sent": "temperature sent",
    "judges": "judges",
    "library": "library",
}


def comparison(named: Mapping[str, Results], entries: Sequence[Entry] | None = None) -> Report:
    """Build the report on several evaluations. `entries` is their leaderboard, if already computed."""
    found = leaderboard(named) if entries is None else entries
    return Report(
        title=f"Impossible Moments: {len(found)} evaluations compared",
        summary=_summary(found),
        sections=(
            _board(named, found),
            _differences(found),
            _profiles(found),
            _by_tier(found),
            twins_compared({each.name: each.results for each in found}),
            _conditions(named),
            Section("How to read it", paragraphs=(*_ON_COMPARISONS, *bars_in_words())),
        ),
    )


_ON_COMPARISONS: Final = (
    (
        "IM-Score: the scenario scores averaged with the tier weights 1, 2, 4, 8, 16; a scenario's score is that of its best run. "
        "The best of many runs exceeds the best of few even if nothing else differs. With unequal numbers of runs, compare the means."
    ),
    (
        "Differences are computed scenario by scenario, so shared difficulty cancels out. Overlapping error bars of two models do not "
        "mean that they are equal: use the difference and its own error bar. p is the share of sign patterns over families that give a "
        "difference at least as large. Holm's method adjusts it for the number of comparisons. The best was selected because "
        "it ranks first, so its lead is somewhat overestimated."
    ),
)


def _summary(found: Sequence[Entry]) -> str:
    top = found[0]
    common = top.known.im_score.scenarios
    if top.known.im_score.value is None:
        return "No run of any evaluation was scored."
    return (
        f"{quoted(top.name, 60)} leads with IM-Score {with_bar(top.known.im_score)} over {common} scenarios."
    )


def _board(named: Mapping[str, Results], found: Sequence[Entry]) -> Section:
    rows = tuple(
        (
            str(place),
            quoted(each.name, 60),
            with_bar(each.known.im_score),
            with_bar(each.known.by_means),
            with_bar(each.known.pass_rate, "share"),
            str(each.results.im_frontier),
            score(each.whole),
            str(named[each.name].unscored),
        )
        for place, each in enumerate(found, start=1)
    )
    heads = (
        "#place",
        "model",
        "#IM-Score",
        "#by means",
        "#pass rate",
        "#IM-Frontier",
        "#over all its scenarios",
        "#unscored runs",
    )
    return Section(
        title="Leaderboard",
        figures=(
            Whiskers(
                "IM-Score, best run", tuple((quoted(each.name, 60), each.known.im_score) for each in found)
            ),
        ),
        tables=(Table(columns(*heads), rows, caption=_basis(named, found)),),
        notes=tuple(dict.fromkeys(each.known.im_score.note for each in found if each.known.im_score.note)),
    )


def _basis(named: Mapping[str, Results], found: Sequence[Entry]) -> str:
    if not shared_scenarios(tuple(named.values())):
        return "No scenario was scored in all of them: each figure covers different scenarios, and the order is meaningless."
    return f"Over the {len(found[0].results.scenarios)} scenarios scored in all of them; error bars are 95 % intervals, resampled by family."


def _differences(found: Sequence[Entry]) -> Section:
    rows = tuple(
        (
            quoted(each.name, 60),
            with_bar(each.behind.difference, "signed"),
            share(each.behind.share_above),
            chance(each.behind.p),
            chance(each.p),
            score(each.behind.detectable),
            with_bar(each.behind_by_means.difference, "signed"),
        )
        for each in found
        if each.behind is not None and each.behind_by_means is not None
    )
    heads = (
        "#lead of the best",
        "#resamples with a lead",
        "#p",
        "#p, Holm",
        "#smallest detectable lead",
        "#lead by means",
    )
    notes = [each.behind.difference.note for each in found if each.behind and each.behind.difference.note]
    return Section(
        title=f"Differences from the best, {quoted(found[0].name, 60)}",
        tables=(Table(columns("model", *heads), rows, otherwise="There is only one evaluation."),),
        notes=tuple(dict.fromkeys(notes)),
    )


def _profiles(found: Sequence[Entry]) -> Section:
    series = tuple((quoted(each.name, 60), tuple(each.results.im_profile.values())) for each in found)
    rows = tuple((name, *(score(each.results.im_profile[name]) for each in found)) for name in CATEGORIES)
    return Section(
        title="Categories: the IM-Profiles",
        figures=(Radar("IM-Profiles", tuple(CATEGORIES), series),),
        tables=(Table((Column("category"), *_names(found)), rows),),
    )


def _by_tier(found: Sequence[Entry]) -> Section:
    rows = tuple(
        (name, *(with_bar(each.known.tiers[at].best) for each in found)) for at, name in enumerate(TIERS)
    )
    return Section(title="Tiers", tables=(Table((Column("tier"), *_names(found)), rows),))


def _names(found: Sequence[Entry]) -> tuple[Column, ...]:
    return tuple(Column(quoted(each.name, 40), number=True) for each in found)


def _conditions(named: Mapping[str, Results]) -> Section:
    first = next(iter(named.values()))
    differ = [
        words
        for field, words in _MUST_AGREE.items()
        if any(getattr(each, field) != getattr(first, field) for each in named.values())
    ]
    sides = [what_was_run(each) for each in named.values()]
    rows = tuple((row[0][0], *(cell for _, cell in row)) for row in zip(*sides, strict=True))
    return Section(
        title="What was run",
        tables=(Table((Column(""), *(Column(quoted(name, 40)) for name in named)), rows),),
        notes=(f"The conditions differ ({', '.join(differ)}), which may explain differences in the scores.",)
        if differ
        else (),
    )
