"""Implementation of `im release`: check, build, verify, private sets, retirement."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rich.console import Console

from impossible_moments.agents.orchestrator import load_configuration
from impossible_moments.cli.actions.production_actions.batch import BatchWanted, produce_batches
from impossible_moments.cli.cast_options import CastOptions
from impossible_moments.cli.exit_status import DONE, FOUND_ERRORS
from impossible_moments.cli.output.formatting import escape_for_terminal, print_json
from impossible_moments.cli.output.tables import create_table
from impossible_moments.errors import ConfigurationError
from impossible_moments.production import (
    QualityOptions,
    QualityReport,
    Release,
    ReleasedScenarios,
    build_release,
    choose_quick_set,
    choose_review_sample,
    find_changed_files,
    load_coverage_targets,
    load_secret_seed,
    require_outside_projects,
    run_quality_checks,
    write_new_secret,
    write_review_sample,
)
from impossible_moments.production import retire_scenario as retire
from impossible_moments.scenarios import ScenarioRegistry

_SHOWN = 10
"""How many problems of a check are printed; `--json` has all."""


def check_release(
    folder: Path, targets: Path | None, *, attacked: int, seed: int, draw_sample: bool, as_json: bool
) -> int:
    """Check a set and print the report. Return the exit status."""
    released = ReleasedScenarios(folder)
    if draw_sample:
        path = write_review_sample(released, seed)
        names = ", ".join(choose_review_sample(released, seed))
        Console(stderr=True).print(f"{path}: {names}", highlight=False)
    report = _run_checks(released, targets, QualityOptions(attacked, seed))
    if as_json:
        print_json(report.describe())
    else:
        _print_report(report)
    return DONE if report.is_passed else FOUND_ERRORS


def record_quick_set(folder: Path, *, as_json: bool) -> int:
    """Choose the quick set of a folder, record it in the registry and print it. Return the exit status."""
    registry = ScenarioRegistry(folder)
    names = choose_quick_set(registry.entries)
    if not names:
        raise ConfigurationError(
            f"{folder} has no published scenarios. Name the folder that was given as --output."
        )
    registry.set_quick(names)
    if as_json:
        print_json({"quick": list(names)})
    else:
        Console().print(f"{len(names)} scenarios: {', '.join(names)}", highlight=False)
    return DONE


def write_release(
    version: str, folder: Path, output: Path, targets: Path | None, *, attacked: int, config: Path | None
) -> int:
    """Check a set and write its release as a folder and as an archive. Return the exit status."""
    registry = ScenarioRegistry(folder)
    if registry.entries and not registry.quick:
        registry.set_quick(choose_quick_set(registry.entries))
    released = ReleasedScenarios(folder)
    report = _run_checks(released, targets, QualityOptions(attacked))
    if not report.is_passed:
        _print_report(report)
        return FOUND_ERRORS
    built = build_release(version, released, report, load_configuration(config))
    _write_files(built, output)
    Console().print(
        f"{output / built.name}: {len(built.files)} files of {len(released.entries)} scenarios\n"
        f"{output / built.name}.tar.gz: the same as one archive\n"
        f"`im release verify {output / built.name}` compares the files with their checksums.",
        highlight=False,
    )
    return DONE


def verify_release(folder: Path) -> int:
    """Compare the files of a release with its checksums. Return the exit status."""
    changed = find_changed_files(folder)
    for path in changed:
        Console().print(f"{escape_for_terminal(path)} is missing or differs", highlight=False)
    if not changed:
        Console().print(f"All files of {folder} are as released.", highlight=False)
    return FOUND_ERRORS if changed else DONE


def produce_private_set(
    seed_file: Path, output: Path, wanted: BatchWanted, *, new_seed: bool, as_json: bool
) -> int:
    """Make scenarios from a secret seed outside of projects. Return the exit status."""
    require_outside_projects(seed_file, "seed file")
    require_outside_projects(output, "set")
    if new_seed:
        write_new_secret(seed_file)
    seeded = replace(wanted, seed=load_secret_seed(seed_file))
    return produce_batches(seeded, cast=CastOptions(), output=output, config=None, as_json=as_json)


def retire_scenario(name: str, folder: Path, reason: str) -> int:
    """Retire a scenario and say how it is replaced. Return the exit status."""
    retired = retire(ScenarioRegistry(folder), name, reason)
    Console().print(
        f"{name} ({retired.category}, {retired.tier}, {retired.status}) is retired. Its files are in {folder / 'retired'}.\n"
        f"`im batch --output {folder}` makes a replacement.",
        highlight=False,
    )
    return DONE


def _run_checks(released: ReleasedScenarios, targets: Path | None, options: QualityOptions) -> QualityReport:
    console = Console(stderr=True)
    with console.status("checking") as status:
        return run_quality_checks(
            released,
            load_coverage_targets(targets),
            options,
            lambda name: status.update(f"checking {name} of {len(released.entries)} scenarios"),
        )


def _print_report(report: QualityReport) -> None:
    console = Console()
    table = create_table("check", "result", "what was checked", whole=("check", "result"))
    for check in report.checks:
        table.add_row(check.name, str(check.state), escape_for_terminal(check.summary))
    console.print(table)
    for check in report.checks:
        if check.problems:
            console.print(f"\n{check.name}: {len(check.problems)} problems", highlight=False)
            for problem in check.problems[:_SHOWN]:
                console.print(f"  {escape_for_terminal(problem)}", highlight=False)
            if len(check.problems) > _SHOWN:
                console.print(f"  {len(check.problems) - _SHOWN} more; `--json` lists all", highlight=False)
    console.print(
        f"\n{report.scenarios} scenarios: {'no check failed' if report.is_passed else 'not fit for a release'}",
        highlight=False,
    )


def _write_files(built: Release, output: Path) -> None:
    folder = output / built.name
    if folder.exists():
        raise ConfigurationError(f"{folder} exists; choose another version or another --output.")
    try:
        for path, content in built.files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        archive = output / f"{built.name}.tar.gz"
        part = archive.with_suffix(".part")
        part.write_bytes(built.build_archive())
        part.replace(archive)
    except OSError as problem:
        raise ConfigurationError(f"Cannot write to {output} ({problem.strerror}).") from problem
