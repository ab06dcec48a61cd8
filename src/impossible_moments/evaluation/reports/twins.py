"""The report section on twins: the joint score, and which of the two scenarios was right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from impossible_moments.evaluation.reports.form import (
    Section,
    Table,
    columns,
    quoted,
    share,
    with_bar,
)
from impossible_moments.evaluation.results import Results
from impossible_moments.evaluation.twins import Joint, Right, joint

TITLE: Final = "Twins"
MEANING: Final = (
    "Twins are two scenarios of one situation, one solvable and one impossible. A pair earns the lower of the two scores, "
    "and only if both are right, so a model that always or never finds a solution earns nothing."
)
_SHORT: Final = {
    Right.BOTH: "both right",
    Right.SOLVABLE: "only solvable",
    Right.IMPOSSIBLE: "only impossible",
    Right.NEITHER: "neither",
}
NO_PAIR: Final = "No pair of twins was run."


def twins(results: Results) -> Section:
    """Build the section on the twins of one evaluation."""
    found = joint(results)
    if not found.pairs:
        return Section(TITLE, paragraphs=(NO_PAIR,))
    rows = tuple(
        (str(way), str(count), share(found.share(way)))
        for way, count in found.right.items()
        if count or way is not Right.UNSCORED
    )
    return Section(
        TITLE,
        paragraphs=(MEANING,),
        tables=(
            Table(
                columns("figure", "value"),
                (
                    ("pairs", str(found.pairs)),
                    ("joint score (best runs)", with_bar(found.score)),
                    ("joint score by means", with_bar(found.by_means)),
                ),
            ),
            Table(columns("of each pair", "#pairs", "#share"), rows),
        ),
        notes=(found.score.note,) if found.score.note else (),
    )


def in_a_line(results: Results) -> tuple[tuple[str, str], ...]:
    """Return the row on twins for a report card, or nothing if no pair was run."""
    found = joint(results)
    if not found.pairs:
        return ()
    both = f"{found.right[Right.BOTH]} of {found.pairs} pairs both right"
    return (("twins", f"{with_bar(found.score)}, {both}"),)


def twins_compared(named: Mapping[str, Results]) -> Section:
    """Build the section on the twins of several evaluations, with a row for each."""
    rows = tuple(
        (quoted(name, 60), *_cells(found))
        for name, results in named.items()
        if (found := joint(results)).pairs
    )
    heads = ("model", "#pairs", "#joint score", "#by means", *(f"#{short}" for short in _SHORT.values()))
    if not rows:
        return Section(TITLE, paragraphs=(NO_PAIR,))
    return Section(TITLE, paragraphs=(MEANING,), tables=(Table(columns(*heads), rows),))


def as_data(results: Results) -> dict[str, Any]:
    """Return the joint figures as data for JSON output."""
    found = joint(results)
    return {
        "pairs": found.pairs,
        "joint_score": found.score.value,
        "joint_score_by_means": found.by_means.value,
        "pairs_by_what_was_right": {str(way): count for way, count in found.right.items()},
    }


def _cells(found: Joint) -> tuple[str, ...]:
    shares = (share(found.share(way)) for way in _SHORT)
    return (str(found.pairs), with_bar(found.score), with_bar(found.by_means), *shares)
