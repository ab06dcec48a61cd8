"""Checks that must hold after a run with a hostile model."""

from __future__ import annotations

import json
import re
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from impossible_moments.domain.vocabulary import parse_main_status
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.ledger.leases import ScenarioState
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.llm.client.consultations import MOST_LOOK_UPS
from impossible_moments.llm.consultation_tasks import TRIES
from impossible_moments.mechanics.checks.record_check import verify_record
from impossible_moments.pipeline.ledger_places import LEDGER
from impossible_moments.scenarios.registry import FILE, ScenarioRegistry
from support.nonsense.injections import MARK
from support.nonsense.questions import HEADINGS, Question, split_prompt
from support.nonsense.stage import KEY, HostileRun

MOST_REQUESTS: Final = MOST_LOOK_UPS + TRIES
"""Maximum number of calls for one ask."""
MOST_STORED: Final = 40_000_000
"""Maximum size in bytes of a ledger with a few scenarios."""
ENDS: Final = frozenset(
    {ScenarioState.ACCEPTED, ScenarioState.DISCARDED, ScenarioState.AWAITING_HUMAN, ScenarioState.FAILED}
)
FILES: Final = re.compile(
    r"ledger\.sqlite(-wal|-shm)?|\.?registry\.json(\.lock)?|\.corpus(-\w+)?\.\w+"
    r"|public/IM-\d{4}\.md|traces/IM-\d{4}_trace\.md|evaluation/IM-\d{4}_(eval\.md|mechanics\.json)"
)
_ACTS: Final = re.compile(
    rf"^\s{{0,3}}#{{1,4}}\s+{MARK}heading|^\s*(?:```|~~~){MARK}|^\s*=+\s*$|<(?:script|img|iframe|system|!--)|\]\(",
    re.MULTILINE,
)
"""Markup that injected text would produce if it were not escaped."""


def check_everything(played: HostileRun) -> None:
    """Check everything that must hold after a run with a hostile model."""
    check_scenario_states(played)
    check_request_counts(played)
    check_published_records(played)
    check_written_files(played)
    check_prompts(played)
    check_documents(played)
    check_key_is_secret(played)


def check_scenario_states(played: HostileRun) -> None:
    """Check that no bare exception ended a scenario and that errors are sentences."""
    for result in played.results:
        assert result.state in ENDS, (result.scenario_id, result.state)
        if result.state is ScenarioState.FAILED:
            error = result.error
            assert isinstance(error, ImpossibleMomentsError), f"{result.scenario_id}: {type(error)}: {error}"
            assert re.search(r"\w+ \w+ \w+", str(error)), f"no sentence: {error}"
            assert len(str(error)) < 2_000, f"no sentence has {len(str(error))} signs"


def check_request_counts(played: HostileRun) -> None:
    """Check that no ask was repeated without limit."""
    for question in played.seen:
        assert question.turn < MOST_REQUESTS, f"{question.role} was asked {question.turn + 1} times at once"


def check_published_records(played: HostileRun) -> None:
    """Check that every published record is accepted and has the ordered and published status."""
    accepted = {each.scenario_id for each in played.results if each.state is ScenarioState.ACCEPTED}
    entries = ScenarioRegistry(played.folder).entries
    assert set(entries) == accepted
    for name, metadata in entries.items():
        written = (played.folder / f"evaluation/{name}_mechanics.json").read_text(encoding="utf-8")
        report = verify_record(json.loads(written), load_everyday_library())
        assert not report.findings.errors, (name, list(map(str, report.findings.errors)))
        assert report.verdict is not None
        assert report.verdict.status is not None
        computed = parse_main_status(report.verdict.status)
        assert (
            computed == parse_main_status(metadata.status) == _read_ordered_statuses(played.folder)[name]
        ), name


def check_written_files(played: HostileRun) -> None:
    """Check that the output folder has the expected files and that nothing was written outside it."""
    for path in played.folder.rglob("*"):
        name = path.relative_to(played.folder).as_posix()
        assert path.is_dir() or FILES.fullmatch(name), f"{name} should not be there"
    assert [each.name for each in played.folder.parent.iterdir()] == [played.folder.name]
    assert sum(path.stat().st_size for path in played.folder.rglob("*") if path.is_file()) < MOST_STORED


def check_prompts(played: HostileRun) -> None:
    """Check that text by others is only in the JSON fence of each prompt, without invisible characters."""
    for user, system in {each.user: each.system for each in played.seen}.items():
        data, rest = split_prompt(user)
        json.loads(data)
        assert MARK not in rest, rest
        assert MARK not in system
        assert all(sign.isprintable() or sign == "\n" for sign in data)
        for heading in HEADINGS:
            lines = [line for line in user.splitlines() if line.startswith(heading)]
            assert len(lines) == 1, f"{heading} stands {len(lines)} times in a prompt"


def check_documents(played: HostileRun) -> None:
    """Check that injected text is printed in documents and has no effect on their markup."""
    for path in played.folder.rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        found = _ACTS.search(text)
        assert found is None, f"{path.name}: {text[max(0, found.start() - 60) : found.end() + 60]!r}"
        unseen = {sign for sign in text if not (sign.isprintable() or sign == "\n")}
        assert not unseen, f"{path.name}: {unseen!r}"


def check_key_is_secret(played: HostileRun) -> None:
    """Check that the key is in no file, ledger, error or prompt."""
    for path in played.folder.rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes(), f"{path.name} holds the key"
    for table, value in _iterate_ledger_values(played.folder):
        assert KEY not in value, f"the ledger's {table} hold the key"
    for result in played.results:
        notes = getattr(result.error, "__notes__", [])
        assert KEY not in f"{result.reason} {result.error!r} {notes}"
    assert not any(KEY in each.user for each in played.seen)


def list_requests_to(played: HostileRun, role: str) -> list[Question]:
    """Return the requests to a role."""
    return [each for each in played.seen if each.role == role]


def _read_ordered_statuses(folder: Path) -> dict[str, str]:
    """Return the status that each brief asks for."""
    with sqlite3.connect(folder / LEDGER) as ledger:
        rows = ledger.execute("SELECT scenario, brief FROM scenarios").fetchall()
    ledger.close()
    return {name: json.loads(brief)["solution_status"] for name, brief in rows}


def _iterate_ledger_values(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield every value of the ledger, unpacked."""
    ledger = sqlite3.connect(folder / LEDGER)
    for (table,) in ledger.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        for row in ledger.execute(f"SELECT * FROM {table}").fetchall():  # noqa: S608 - a name of its own
            for value in row:
                yield table, zlib.decompress(value).decode() if isinstance(value, bytes) else str(value)
    ledger.close()


assert FILES.fullmatch(FILE)
