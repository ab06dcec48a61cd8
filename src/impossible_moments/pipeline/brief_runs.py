"""The runs of a brief: which of them a new request continues, and with which cast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger import FINISHED, ScenarioRow, ScenarioState
from impossible_moments.pipeline.cast_records import CastRecord, parse_cast_record

_INTERRUPTED: Final = frozenset({ScenarioState.RUNNING, ScenarioState.FAILED})


def choose_earlier_run(runs: Sequence[ScenarioRow], *, again: bool) -> ScenarioRow | None:
    """Return the run of a brief that is continued, or None if a new one begins.

    It is the first one. With `again` it is the last one if that was interrupted, so that a repeated request for another
    scenario does not make a copy either.
    """
    if not runs:
        return None
    if not again:
        return runs[0]
    is_interrupted = len(runs) > 1 and runs[-1].state in _INTERRUPTED and not runs[-1].owner
    return runs[-1] if is_interrupted else None


def require_same_cast(row: ScenarioRow, cast: CastRecord) -> None:
    """Raise `ConfigurationError` if an unfinished run was begun with another cast or other settings."""
    begun = parse_cast_record(row.performers)
    if begun is None or not cast.models or begun == cast or row.state in FINISHED:
        return
    if begun.settings != cast.settings:
        raise ConfigurationError(
            f"{row.scenario} was begun from the same brief with other settings and is unfinished. Name the same --config, or ask "
            "for another scenario with --again."
        )
    raise ConfigurationError(
        f"{row.scenario} was begun from the same brief with the cast {begun} and is unfinished; now the cast is {cast}. "
        f"`im resume` continues it with its own cast. With --again another scenario is created."
    )
