"""Implementation of `im difficulty`: measured difficulty of scenarios, and tiers that results contradict."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from impossible_moments.cli.actions.breakthroughs.breakthroughs import find_root_folder
from impossible_moments.cli.exit_status import DONE, FOUND_ERRORS
from impossible_moments.cli.output.formatting import print_json
from impossible_moments.cli.output.tables import create_table
from impossible_moments.cli.output.terminal import Console
from impossible_moments.domain.vocabulary import TIERS, Tier, parse_main_status
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation import AnswerKey, Results, find_key_folder
from impossible_moments.evaluation.difficulty import (
    DifficultyReport,
    SuccessRate,
    TierDisagreement,
    build_difficulty_report,
    climb_ladder,
    compute_scenario_rates,
    find_tier_disagreements,
    measure_tier,
    read_result_file,
)
from impossible_moments.library import load_everyday_library
from impossible_moments.scenarios import Scenario, ScenarioRegistry, write_file_atomically

_PUBLIC_TIER: Final = re.compile(r"(?m)^(\*\*Difficulty\*\*: )[A-Z]+")
_KEY_TIER: Final = re.compile(r"(?m)^(Tier: )[A-Z]+")
_PREDICTED: Final = "The tier is predicted: "
MOST_ITEMS: Final = 10
"""The most scenarios that are printed at either end of the scale."""


@dataclass(frozen=True)
class DifficultyOptions:
    """Options of `im difficulty`."""

    results: tuple[Path, ...]
    scenarios: Path
    ladder: bool = False
    write: bool = False


def report_difficulty(options: DifficultyOptions, *, as_json: bool) -> int:
    """Print measured difficulty and the tiers that results contradict. Return the exit status."""
    if not (options.results or options.ladder):
        raise ConfigurationError("Nothing to measure. Name result files of `im eval`, or add --ladder.")
    scenarios = {each.scenario_id: each for each in Scenario.load_directory(options.scenarios)}
    read = [read_result_file(path) for path in options.results]
    steps = climb_ladder(_load_keys(options.scenarios, scenarios)) if options.ladder else ()
    levels = _list_levels(options.scenarios)
    groups = {
        name: (each.tier, *levels.get(name, ()), parse_main_status(each.status), each.category)
        for name, each in scenarios.items()
    }
    report = build_difficulty_report([*steps, *(responses for responses, _ in read)], groups)
    rates = compute_scenario_rates([(responses, _count_runs(results)) for responses, results in read])
    predicted: dict[str, Tier] = {name: _get_tier(each) for name, each in scenarios.items()}
    found = find_tier_disagreements(predicted, rates)
    if as_json:
        print_json({**asdict(report), "disagreements": [asdict(each) for each in found]})
    else:
        _print_report(report, found)
    if options.write:
        _write_measured_tiers(options.scenarios, rates, found)
    return FOUND_ERRORS if any(each.needs_redesign for each in found) else DONE


def _list_levels(folder: Path) -> dict[str, tuple[str, ...]]:
    """Return the level of each composed scenario, as a group."""
    entries = ScenarioRegistry(find_root_folder(folder)).entries
    return {name: (f"level {each.level}",) for name, each in entries.items() if each.level is not None}


def _load_keys(folder: Path, scenarios: Mapping[str, Scenario]) -> dict[str, AnswerKey]:
    library, keys = load_everyday_library(), find_key_folder(folder)
    return {name: AnswerKey.load(keys, name, library) for name in scenarios}


def _count_runs(results: Results) -> dict[str, int]:
    return {each.scenario_id: len(each.scores) for each in results.scenarios}


def _get_tier(scenario: Scenario) -> Tier:
    for tier in TIERS:
        if tier == scenario.tier:
            return tier
    raise ConfigurationError(f"{scenario.scenario_id} states the unknown tier {scenario.tier}.")


def _print_report(report: DifficultyReport, found: Sequence[TierDisagreement]) -> None:
    console = Console()
    table = create_table("solver", "group", "solved", "share", "95 % interval", whole=("solved", "share"))
    for each in report.groups:
        if each.rate.share is not None:
            interval = f"{each.rate.low:.0%} to {each.rate.high:.0%}"
            solved = f"{each.rate.successes:g} of {each.rate.trials}"
            table.add_row(each.solver, each.group, solved, f"{each.rate.share:.0%}", interval)
    console.print(table)
    items = create_table("scenario", "difficulty", "error", "infit", "outfit", whole=("scenario",))
    shown = report.items
    if len(shown) > 2 * MOST_ITEMS:
        shown = (*shown[:MOST_ITEMS], *shown[-MOST_ITEMS:])
        console.print(
            f"The {MOST_ITEMS} easiest and the {MOST_ITEMS} hardest of {len(report.items)} scenarios:"
        )
    for item in shown:
        figures = (item.difficulty, item.error, item.infit, item.outfit)
        items.add_row(item.scenario_id, *(f"{figure:.2f}" for figure in figures))
    console.print(items)
    for disagreement in found:
        advice = " It goes back for redesign." if disagreement.needs_redesign else ""
        console.print(f"{disagreement}{advice}", highlight=False)


def _write_measured_tiers(
    folder: Path, rates: Mapping[str, SuccessRate], found: Sequence[TierDisagreement]
) -> None:
    """State the measured tiers. Scenarios that go back for redesign keep the predicted one."""
    redesigned = {each.scenario_id for each in found if each.needs_redesign}
    root = find_root_folder(folder)
    registry = ScenarioRegistry(root)
    for name, rate in rates.items():
        entry = registry.entries.get(name)
        tier = None if entry is None or name in redesigned else measure_tier(rate, entry.tier)
        if tier is None:
            continue
        registry.change_entry(name, tier=tier, tier_basis="measured")
        _replace_in_file(registry.get_public_path(name), _PUBLIC_TIER, rf"\g<1>{tier}")
        key = root / "evaluation" / f"{name}_eval.md"
        _replace_in_file(key, _KEY_TIER, rf"\g<1>{tier}")
        _replace_in_file(key, re.compile(re.escape(_PREDICTED)), _describe_measurement(tier, rate))


def _describe_measurement(tier: Tier, rate: SuccessRate) -> str:
    share = 0.0 if rate.share is None else rate.share
    return f"The tier is measured, {tier}: models solve {share:.0%} of {rate.trials} runs. By the profile it was predicted: "


def _replace_in_file(path: Path, pattern: re.Pattern[str], words: str) -> None:
    if path.is_file():
        text = path.read_text(encoding="utf-8")
        write_file_atomically(path, pattern.sub(words, text))
