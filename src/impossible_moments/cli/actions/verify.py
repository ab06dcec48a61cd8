"""Implementation of `im verify`: check mechanics records and print the results."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.progress import track

from impossible_moments.cli.actions.uncertain_actions.verification import (
    compute_world_exit_status,
    convert_world_to_dict,
    is_uncertain_file,
    print_verified_worlds,
    verify_world_file,
)
from impossible_moments.cli.checked_record import CheckedRecord
from impossible_moments.cli.exit_status import BAD_INPUT, DONE, FOUND_ERRORS
from impossible_moments.cli.output.terminal import Console
from impossible_moments.cli.output.verification_tables import print_record_report, print_records_summary
from impossible_moments.errors import ConfigurationError
from impossible_moments.library import load_everyday_library, load_library_file
from impossible_moments.mechanics.checks import build_report_data, verify_record
from impossible_moments.mechanics.execution import SearchBounds
from impossible_moments.mechanics.records import DocumentError, Library, load_document
from impossible_moments.scenarios import REGISTRY_FILE

ENDINGS = (".yaml", ".yml", ".json")


def verify_records(
    paths: list[Path], *, as_json: bool, library: Path | None, deep: bool, seconds: float = 60.0
) -> int:
    """Check every record and print the results. Return the exit status."""
    within = load_everyday_library() if library is None else load_library_file(library)
    found = list(_find_record_files(paths))
    worlds = [verify_world_file(path) for path in found if is_uncertain_file(path)]
    files = [path for path in found if path not in {each.path for each in worlds}]
    progress = Console(stderr=True)
    quiet = len(files) < 3 or not progress.is_terminal  # noqa: PLR2004 - two files need no progress bar
    checked = [
        _check_record_file(path, within, seconds)
        for path in (files if quiet else track(files, "checking", console=progress, transient=True))
    ]
    if as_json:
        json.dump(
            {
                "library": str(within),
                "records": [_convert_checked_record_to_dict(each, deep=deep) for each in checked],
                **({"uncertain": [convert_world_to_dict(each) for each in worlds]} if worlds else {}),
            },
            sys.stdout,
            indent=2,
            ensure_ascii=False,
        )
        sys.stdout.write("\n")
    else:
        if len(checked) == 1:
            print_record_report(checked[0], within, deep=deep)
        elif checked:
            print_records_summary(checked, within)
        print_verified_worlds(worlds)
    statuses = {_compute_exit_status(checked), compute_world_exit_status(worlds)}
    return BAD_INPUT if BAD_INPUT in statuses else max(statuses)


def _find_record_files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            # Beside the records of an output folder lies its registry, which is none.
            found = sorted(
                each for each in path.rglob("*") if each.suffix in ENDINGS and each.name != REGISTRY_FILE
            )
            if not found:
                raise ConfigurationError(
                    f"{path} contains no {', '.join(ENDINGS)} files. Name a record or a folder of records."
                )
            yield from found
        else:
            yield path


def _check_record_file(path: Path, library: Library, seconds: float) -> CheckedRecord:
    try:
        return CheckedRecord(
            path, verify_record(load_document(path), library, SearchBounds(stop=_create_time_limit(seconds)))
        )
    except DocumentError as problem:
        return CheckedRecord(path, None, str(problem))


def _create_time_limit(seconds: float) -> Callable[[], bool]:
    """Return a function that returns True once the given processor seconds have elapsed."""
    end = time.process_time() + seconds
    return lambda: time.process_time() > end


def _convert_checked_record_to_dict(checked: CheckedRecord, *, deep: bool) -> dict[str, object]:
    if checked.report is None:
        return {"path": str(checked.path), "problem": checked.problem}
    return {"path": str(checked.path), **build_report_data(checked.report, deep=deep)}


def _compute_exit_status(checked: list[CheckedRecord]) -> int:
    """Return 2 if a file could not be read, otherwise 5 if a check found errors, otherwise 0."""
    if any(each.report is None or each.report.is_unreadable for each in checked):
        return BAD_INPUT
    return (
        DONE if all(each.report is not None and each.report.is_accepted for each in checked) else FOUND_ERRORS
    )
