"""Implementation of `im report`: a report card of one result file, or a comparison of several."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from math import isfinite
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import ValidationError
from rich.table import Table as Drawn

from impossible_moments.cli.choices import suggest_names
from impossible_moments.cli.exit_status import DONE
from impossible_moments.cli.options import SCENARIOS
from impossible_moments.cli.output.evaluation import iterate_form_lines
from impossible_moments.cli.output.formatting import (
    escape_control_characters,
    escape_for_terminal,
    print_json,
)
from impossible_moments.cli.output.tables import choose_column_widths
from impossible_moments.cli.output.terminal import Console
from impossible_moments.domain.vocabulary import CATEGORIES, STATUSES, TIERS
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation import VERSION, Results, ScenarioResult
from impossible_moments.evaluation.imported_scenarios import (
    ImportedResults,
    build_imported_results_report,
    read_imported_results,
)
from impossible_moments.evaluation.reports import (
    NOTHING,
    EvaluationReport,
    ReportSection,
    ReportTable,
    ScenarioMaterials,
    build_comparison_report,
    build_report_card,
    build_run_pages,
    convert_twins_to_data,
    load_scenario_materials,
    render_html,
    render_markdown,
    shorten_text,
)
from impossible_moments.evaluation.statistics import (
    EvaluationFigures,
    LeaderboardEntry,
    build_leaderboard,
    compute_figures,
    summarize_results,
)
from impossible_moments.evaluation.uncertain_runs import (
    UncertainResults,
    build_uncertain_results_report,
    read_uncertain_results,
)
from impossible_moments.scenarios import write_file_atomically

HIGHEST_SCORE: Final = 110.0
"""100 plus the bonuses for additional solution paths and consistent success."""


def report_results(
    paths: Sequence[Path],
    *,
    html: Path | None,
    markdown: Path | None,
    sources: tuple[Path | None, Path | None] = (None, None),
    as_json: bool,
) -> int:
    """Report one evaluation or compare several. Return the exit status.

    `sources` are the folders of the scenarios and of their keys, from which the HTML page explains the runs.
    """
    _require_writable_targets(paths, [each for each in (html, markdown) if each is not None])
    if (imported := _read_imported_results(paths)) is not None:
        return _write_and_print_report(
            build_imported_results_report(imported),
            imported.model_dump(mode="json"),
            html,
            markdown,
            as_json=as_json,
        )
    if (uncertain := _read_uncertain_results(paths)) is not None:
        return _write_and_print_report(
            build_uncertain_results_report(uncertain),
            uncertain.model_dump(mode="json"),
            html,
            markdown,
            as_json=as_json,
        )
    named = _label_evaluations({path: read_results(path) for path in paths})
    if len(named) == 1:
        ((name, results),) = named.items()
        known = compute_figures(results)
        made, data = build_report_card(results, known), _convert_evaluation_to_dict(name, results, known)
    else:
        entries = build_leaderboard(named)
        made, data = (
            build_comparison_report(named, entries),
            {"leaderboard": [_convert_leaderboard_entry_to_dict(each) for each in entries]},
        )
    made = replace(made, sections=(*made.sections, *_build_form_sections(named)))
    if html is not None:
        made = replace(made, runs=build_run_pages(named, _load_materials(list(named.values()), *sources)))
    return _write_and_print_report(made, data, html, markdown, as_json=as_json)


def _load_materials(
    results: Sequence[Results], scenarios: Path | None, rubrics: Path | None
) -> ScenarioMaterials | None:
    """Load the scenarios of the result files, or return None if no folder was named and the usual one is missing."""
    if scenarios is None and not SCENARIOS.is_dir():
        return None
    return load_scenario_materials(scenarios or SCENARIOS, results, rubrics)


def _build_form_sections(named: Mapping[str, Results]) -> tuple[ReportSection, ...]:
    """Return a section on what menus and episodes measure beside the IM-Score, or none if there is nothing."""
    lines = [
        f"{name}: {line}."
        for name, results in named.items()
        for line in iterate_form_lines(results, summarize_results(results))
    ]
    return (ReportSection("Recognition and acts", paragraphs=tuple(lines)),) if lines else ()


def _write_and_print_report(
    made: EvaluationReport,
    data: Mapping[str, Any],
    html: Path | None,
    markdown: Path | None,
    *,
    as_json: bool,
) -> int:
    _write_rendered_report(html, render_html, made)
    _write_rendered_report(markdown, render_markdown, made)
    if as_json:
        print_json(data)
    else:
        _print_report(made)
        for written in (html, markdown):
            if written is not None:
                Console(stderr=True).print(f"Wrote {escape_for_terminal(written)}", soft_wrap=True)
    return DONE


def _read_imported_results(paths: Sequence[Path]) -> ImportedResults | None:
    """Return results on imported scenarios, or None if the files contain executed ones.

    Reject comparisons of the former.
    """
    found = {path: read_imported_results(path) for path in paths}
    foreign = [each for each in found.values() if each is not None]
    if foreign and len(paths) > 1:
        raise ConfigurationError(
            "Results on imported scenarios are judged, not executed, and cannot be compared with others. Report one file at a time."
        )
    return foreign[0] if foreign else None


def _read_uncertain_results(paths: Sequence[Path]) -> UncertainResults | None:
    """Return results on uncertain worlds, or None if the files contain others. Reject comparisons of the former."""
    found = [each for path in paths if (each := read_uncertain_results(path)) is not None]
    if found and len(paths) > 1:
        raise ConfigurationError(
            "Results on uncertain worlds have success and regret instead of an IM-Score. Report one file at a time."
        )
    return found[0] if found else None


def read_results(path: Path) -> Results:
    """Read and validate a result file. Raise a ConfigurationError that states what is wrong with it."""
    try:
        results = Results.model_validate_json(path.read_bytes())
    except OSError as problem:
        raise ConfigurationError(
            f"Cannot read {path} ({problem.strerror}). Name a file written by `im eval`."
        ) from problem
    except ValidationError as problem:
        raise ConfigurationError(_describe_validation_error(path, problem)) from problem
    if results.version != VERSION:
        raise ConfigurationError(
            f"{path}: unknown result version {shorten_text(results.version, 20)}. This program reads version {VERSION}."
        )
    seen: set[str] = set()
    for each in results.scenarios:
        if (wrong := _find_entry_problem(each, seen)) is not None:
            raise ConfigurationError(f"{path}: scenario {shorten_text(each.scenario_id, 40)} {wrong}")
        seen.add(each.scenario_id)
    return results


def _describe_validation_error(path: Path, problem: ValidationError) -> str:
    first = problem.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(each) for each in first["loc"])
    where = f" at {shorten_text(place, 80)}" if place else ""
    return f"{path} is not a result file: {shorten_text(first['msg'], 160)}{where}. Name a file written by `im eval`."


def _find_entry_problem(each: ScenarioResult, seen: set[str]) -> str | None:
    """Return what is wrong with an entry (duplicate, unknown vocabulary, score out of range), or None."""
    if each.scenario_id in seen:
        return "occurs twice. Each scenario has one entry with all its runs."
    for kind, value, known in (
        ("category", each.category, CATEGORIES),
        ("tier", each.tier, TIERS),
        ("status", each.status.partition("-")[0], STATUSES),
    ):
        if value not in known:
            return f"has an unknown {kind}: {shorten_text(value, 40) or '(empty)'}.{suggest_names(value, known)} Known values are {', '.join(known)}."
    if each.predicted is not None and not 0 <= each.predicted <= 100:  # noqa: PLR2004 - the scale of scores
        return f"has the prediction {each.predicted}. A prediction must be between 0 and 100."
    for run in each.runs:
        if run.score is not None and not (isfinite(run.score) and 0 <= run.score <= HIGHEST_SCORE):
            return f"has the score {run.score} in run {run.number}. A score must be between 0 and {HIGHEST_SCORE:.0f}."
    return None


def _label_evaluations(found: Mapping[Path, Results]) -> dict[str, Results]:
    """Return each evaluation by its model name. Add the file name where a model occurs twice."""
    if not found:
        raise ConfigurationError("No result file was named. Name at least one file written by `im eval`.")
    models = [results.model for results in found.values()]
    return {
        results.model if models.count(results.model) == 1 else f"{results.model} ({path})": results
        for path, results in found.items()
    }


def _require_writable_targets(paths: Sequence[Path], targets: Sequence[Path]) -> None:
    """Reject output paths that cannot be written, before any work is done."""
    read = {path.resolve() for path in paths}
    for target in targets:
        if target.resolve() in read:
            raise ConfigurationError(f"{target} is an input file. Write the report to another file.")
        if target.is_dir() or not target.parent.is_dir():
            raise ConfigurationError(
                f"Cannot write {target}: it must be a file in an existing folder. Create the folder or name another file."
            )
    if len({target.resolve() for target in targets}) < len(targets):
        raise ConfigurationError(
            f"{targets[0]} is named for both HTML and Markdown. Name two different files."
        )


def _write_rendered_report(
    path: Path | None, rendered: Callable[[EvaluationReport], str], made: EvaluationReport
) -> None:
    if path is None:
        return
    try:
        write_file_atomically(path, rendered(made))
    except OSError as problem:
        raise ConfigurationError(
            f"Cannot write {path} ({problem.strerror}). Name a file in a folder you may write to."
        ) from problem


def _convert_evaluation_to_dict(name: str, results: Results, known: EvaluationFigures) -> dict[str, Any]:
    return {
        "model": name,
        "im_profile": dict(results.im_profile),
        "im_frontier": results.im_frontier,
        "summary": summarize_results(results).model_dump(),
        "unscored": results.unscored,
        "twins": convert_twins_to_data(results),
        **asdict(known),
    }


def _convert_leaderboard_entry_to_dict(each: LeaderboardEntry) -> dict[str, Any]:
    return {
        **_convert_evaluation_to_dict(each.name, each.results, each.figures),
        "im_score_over_its_own_scenarios": each.own_im_score,
        "behind": None if each.behind is None else asdict(each.behind),
        "behind_by_means": None if each.behind_by_means is None else asdict(each.behind_by_means),
        "p_holm": each.p,
    }


def _print_report(made: EvaluationReport) -> None:
    console = Console()
    console.print(f"[bold]{escape_for_terminal(made.title)}[/]", soft_wrap=True)
    console.print(escape_for_terminal(made.summary), highlight=False)
    for section in made.sections:
        console.print(f"\n[bold]{escape_for_terminal(section.title)}[/]")
        for each in section.paragraphs:
            console.print(escape_for_terminal(each), highlight=False)
        for table in section.tables:
            _print_table(console, table)
        for each in section.notes:
            console.print(f"[dim]{escape_for_terminal(each)}[/]", highlight=False)


def _print_table(console: Console, table: ReportTable) -> None:
    if not table.rows:
        console.print(
            escape_for_terminal(f"{table.caption}. {table.empty_text}" if table.caption else table.empty_text)
        )
        return
    console.print()
    if table.caption:
        console.print(f"[dim]{escape_for_terminal(table.caption)}[/]", highlight=False)
    heads = [escape_control_characters(column.head) for column in table.columns]
    rows = [[escape_control_characters(cell) or NOTHING for cell in row] for row in table.rows]
    widths = choose_column_widths(heads, rows, console.width)
    drawn = Drawn(box=None, pad_edge=False, collapse_padding=True)
    for column, head, width in zip(table.columns, heads, widths, strict=True):
        justify: Literal["left", "right"] = "right" if column.number else "left"
        drawn.add_column(escape_for_terminal(head), justify=justify, overflow="fold", width=width)
    for row in rows:
        drawn.add_row(*map(escape_for_terminal, row))
    console.print(drawn)
