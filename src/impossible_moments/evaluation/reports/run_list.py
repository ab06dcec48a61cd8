"""The list of all runs: a table that a reader filters by category, tier, status, outcome and title."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from impossible_moments.domain.vocabulary import CATEGORIES, TIERS
from impossible_moments.evaluation.reports.report_elements import NOTHING, format_score, shorten_text
from impossible_moments.evaluation.reports.run_outcomes import OUTCOMES, classify_run
from impossible_moments.evaluation.reports.run_pages import RunPages, ScenarioPage
from impossible_moments.evaluation.reports.svg_elements import escape_text
from impossible_moments.evaluation.results import EvaluationRun

LIST: Final = "runs"
"""The anchor of the list."""
_FLAG_SEPARATOR: Final = "|"
MOST_FLAGS: Final = 40
_LABELS: Final = {
    "model": "Evaluation",
    "category": "Category",
    "tier": "Tier",
    "status": "Status",
    "outcome": "Outcome",
    "flag": "Flag",
    "differs": "Comparison",
}


def name_scenario_anchor(at: int) -> str:
    """Return the anchor of the page of a scenario by its position."""
    return f"p{at}"


def name_run_anchor(at: int, side: int, number: int) -> str:
    """Return the anchor of a run by the positions of its scenario and evaluation."""
    return f"p{at}-{side}-{number}"


def name_flag(flag: str) -> str:
    """Return a flag as the filter writes it."""
    return shorten_text(flag, 60).replace(_FLAG_SEPARATOR, "¦")


def render_run_list(pages: RunPages) -> str:
    """Render the filters and the list."""
    rows = "".join(
        _render_row(pages, page, at, side, run)
        for at, page in enumerate(pages.scenarios)
        for side, found in enumerate(page.sides)
        for answer in found.answers
        for run in answer.runs
    )
    model = '<th scope="col">evaluation</th>' if len(pages.names) > 1 else ""
    heads = (
        f'<th scope="col">run</th><th scope="col">title</th>{model}<th scope="col">category</th>'
        '<th scope="col">tier</th><th scope="col">status</th><th scope="col">outcome</th>'
        '<th scope="col" class="number">score</th>'
    )
    return (
        f'<section id="{LIST}"><h2>All runs</h2>'
        "<p>Each row leads to the answer, how it was read and executed, and what was credited.</p>"
        f"{_render_filters(pages)}"
        f'<div class="wide"><table id="run-list"><thead><tr>{heads}</tr></thead>\n<tbody>{rows}</tbody></table></div></section>'
    )


def _render_filters(pages: RunPages) -> str:
    selects = "".join(_render_select(name, values) for name, values in _iterate_choices(pages))
    return (
        '<form id="filters" class="filters" role="search" aria-label="Filter the runs" hidden>'
        '<label for="filter-title">Title or ID<input id="filter-title" type="search" autocomplete="off"></label>'
        f'{selects}<button type="button" id="filter-reset">Show all</button>'
        '<output id="run-count" aria-live="polite"></output></form>'
    )


def _iterate_choices(pages: RunPages) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield each filter that has a choice, with its values and their labels."""
    scenarios = [page.scenario for page in pages.scenarios]
    runs = [
        run for page in pages.scenarios for side in page.sides for each in side.answers for run in each.runs
    ]
    if len(pages.names) > 1:
        yield "model", [(str(at), shorten_text(name, 60)) for at, name in enumerate(pages.names)]
        yield "differs", [("yes", "different results"), ("no", "the same results")]
    found: dict[str, list[str]] = {
        "category": _select_known(CATEGORIES, {each.category for each in scenarios}),
        "tier": _select_known(TIERS, {each.tier for each in scenarios}),
        "status": sorted({one.status for one in scenarios}),
        "outcome": _select_known(OUTCOMES, set(map(classify_run, runs))),
        "flag": sorted({name_flag(flag) for run in runs for flag in run.flags})[:MOST_FLAGS],
    }
    for name, values in found.items():
        if values:
            yield name, [(each, shorten_text(each, 40)) for each in values]


def _select_known(names: Iterable[str], found: set[str]) -> list[str]:
    return [each for each in names if each in found]


def _render_select(name: str, values: list[tuple[str, str]]) -> str:
    options = "".join(
        f'<option value="{escape_text(value)}">{escape_text(label)}</option>' for value, label in values
    )
    return (
        f'<label for="filter-{name}">{_LABELS[name]}<select id="filter-{name}" name="{name}">'
        f'<option value="">all</option>{options}</select></label>'
    )


def _render_row(pages: RunPages, page: ScenarioPage, at: int, side: int, run: EvaluationRun) -> str:
    scenario, outcome = page.scenario, classify_run(run)
    name = page.sides[side].name
    data = {
        "model": str(pages.names.index(name)),
        "category": scenario.category,
        "tier": scenario.tier,
        "status": scenario.status,
        "outcome": outcome,
        "differs": "yes" if page.differs else "no",
        "text": f"{shorten_text(scenario.scenario_id, 40)} {shorten_text(scenario.title)}",
    }
    flags = escape_text(_FLAG_SEPARATOR.join(map(name_flag, run.flags)))
    attributes = "".join(f' data-{key}="{escape_text(value)}"' for key, value in data.items())
    model = f"<td>{escape_text(shorten_text(name, 40))}</td>" if len(pages.names) > 1 else ""
    score = NOTHING if run.score is None else format_score(run.score)
    return (
        f'<tr{attributes} data-flag="{flags}"><td class="short"><a href="#{name_run_anchor(at, side, run.number)}">'
        f"{escape_text(shorten_text(scenario.scenario_id, 40))}, run {run.number}</a></td>"
        f'<td class="title">{escape_text(shorten_text(scenario.title))}</td>{model}'
        f'<td>{escape_text(scenario.category)}</td><td class="short">{escape_text(scenario.tier)}</td>'
        f'<td class="short">{escape_text(shorten_text(scenario.status, 40))}</td>'
        f'<td class="{outcome}">{outcome}</td><td class="number">{score}</td></tr>\n'
    )
