"""Implementation of `im place`: list places, check the levels of a place, preview a draw."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from impossible_moments.cli.composed_briefs import parse_composed_status
from impossible_moments.cli.exit_status import DONE, FOUND_ERRORS
from impossible_moments.cli.output.formatting import escape_control_characters, print_json
from impossible_moments.cli.output.tables import create_table
from impossible_moments.cli.output.terminal import Console
from impossible_moments.composition import (
    LEVELS,
    ComposedDraw,
    ComposedOptions,
    LevelSurvey,
    PlaceForm,
    draw_from_place,
    get_place,
    load_place_file,
    load_shipped_places,
    survey_place,
)


def list_places(*, as_json: bool) -> int:
    """Print every packaged place."""
    places = load_shipped_places().values()
    if as_json:
        print_json(
            [
                {
                    "name": each.name,
                    "place": each.place,
                    "categories": list(each.categories),
                    "jobs": len(each.jobs),
                }
                for each in places
            ]
        )
        return DONE
    table = create_table(
        "place", "where", "categories", "stages", "jobs", whole=("place",), right=("stages", "jobs")
    )
    for each in places:
        table.add_row(
            each.name, each.place, ", ".join(each.categories), str(len(each.stages)), str(len(each.jobs))
        )
    Console().print(table)
    return DONE


def check_place(path: str, *, level: int | None, seeds: int, as_json: bool) -> int:
    """Draw the levels of a place and print what was found. Return the exit status."""
    place = find_place(path)
    found = survey_place(place, levels=LEVELS if level is None else (level,), seeds=seeds)
    if as_json:
        print_json([_convert_survey_to_dict(each) for each in found])
    else:
        _print_surveys(found)
    return FOUND_ERRORS if any(each.problem for each in found) else DONE


def find_place(path: str) -> PlaceForm:
    """Return the place of a file, or the packaged place of a name."""
    return load_place_file(Path(path)) if path.endswith((".yaml", ".yml", ".json")) else get_place(path)


def _convert_survey_to_dict(each: LevelSurvey) -> dict[str, object]:
    facts = asdict(each.draw.facts) if each.draw is not None else {}
    return {
        "level": each.level,
        "seed": each.seed,
        "problem": each.problem,
        "words": each.words,
        "cpu_seconds": round(each.seconds, 3),
        "tier": each.draw.trial.tier if each.draw is not None else None,
        **facts,
    }


def _print_surveys(found: tuple[LevelSurvey, ...]) -> None:
    figures = (
        "level", "seed", "steps", "states", "orders", "first", "random", "greedy", "late", "binding", "words", "CPU s",
    )  # fmt: skip
    table = create_table(*figures, "tier", whole=figures, right=figures)
    for each in found:
        if each.draw is None:
            cells = ["-"] * 9
        else:
            facts = each.draw.facts
            cells = [
                str(facts.steps),
                f"{facts.states:,}",
                f"{facts.winning_orders:,.0f}",
                f"{facts.winning_first_moves}/{facts.first_moves}",
                f"{facts.random_success:.2g}",
                f"{facts.greedy_success:.2g}",
                f"{facts.late_dead_ends}/{facts.wrong_turns}",
                str(facts.binding_limits),
                str(each.words),
            ]
        tier = str(each.draw.trial.tier) if each.draw is not None else ""
        table.add_row(str(each.level), str(each.seed), *cells, f"{each.seconds:.1f}", tier)
    console = Console()
    console.print(table)
    for each in found:
        if each.problem:
            text = escape_control_characters(f"level {each.level}, seed {each.seed}: {each.problem}")
            console.print(text, style="red", highlight=False, markup=False)
    console.print(
        "first: first jobs after which one can win, of all that are possible; late: wrong turns that allow three "
        "more jobs, of all wrong turns.",
        style="dim",
        highlight=False,
    )


def preview_place(path: str, *, level: int, seed: int, status: str, with_key: bool) -> int:
    """Print the public text of a draw, its facts and, if wanted, its key."""
    draw = draw_from_place(find_place(path), level, seed, ComposedOptions(parse_composed_status(status)))
    print_composed_draw(draw, with_key=with_key)
    return DONE


def print_composed_draw(draw: ComposedDraw, *, with_key: bool) -> None:
    """Print the texts, the tables and the facts of a draw."""
    console = Console()
    console.rule(escape_control_characters(f"{draw.record['title']} · {draw.offer.name}"))
    texts = draw.texts
    for name in ("narrative", "threat", "position"):
        console.print(f"\n{escape_control_characters(texts.get(name, ''))}", highlight=False, markup=False)
    console.print()
    for feature, cell in draw.trial.tables.environment:
        text = draw.trial.render_template(f"{feature}: {cell}.")
        console.print(escape_control_characters(f"- {text}"), highlight=False, markup=False)
    for row in draw.trial.tables.objects:
        if row.notes:
            text = draw.trial.render_template(f"{row.label}: {row.notes}.")
            console.print(escape_control_characters(f"- {text}"), highlight=False, markup=False)
    facts = draw.facts
    console.print(
        f"\n{draw.trial.status}, {draw.trial.tier}, level {facts.level}: {facts.steps} jobs, {facts.states:,} states, "
        f"{facts.winning_orders:,.0f} winning orders, {facts.winning_first_moves} of {facts.first_moves} first jobs can win, "
        f"random play wins {facts.random_success:.2%}, greedy play {facts.greedy_success:.0%}, "
        f"{facts.late_dead_ends} of {facts.wrong_turns} wrong turns show late.",
        style="dim",
        highlight=False,
    )
    if with_key:
        for approach in draw.trial.instance.record["approaches"]:
            calls = " → ".join(approach["plan"])
            console.print(f"{approach['name']}: {calls} ({approach['ends']})", highlight=False, markup=False)
