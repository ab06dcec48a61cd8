"""Exports of scenarios for other tools: JSON lines, a Hugging Face folder, lm-evaluation-harness, Inspect.

An export is computed completely before anything is written. The same scenarios give the same bytes.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.answer_key import FILE
from impossible_moments.evaluation.environment import Environment
from impossible_moments.evaluation.exports.croissant_metadata import render_croissant_metadata
from impossible_moments.evaluation.exports.dataset_card import (
    DatasetOrigin,
    compute_dataset_canary,
    render_dataset_card,
)
from impossible_moments.evaluation.exports.lm_eval_task import (
    DATA,
    TASK,
    render_scorer_module,
    render_task_file,
)
from impossible_moments.evaluation.statistics.twin_pairs import find_twins, load_declared_twins
from impossible_moments.mechanics.records import load_document
from impossible_moments.scenarios import ScenarioRegistry

KEYS: Final = "keys.jsonl"
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
Files = Mapping[str, bytes]


class ExportKind(StrEnum):
    """The formats of an export."""

    HF = "hf"
    INSPECT = "inspect"
    LM_EVAL = "lm-eval"
    JSONL = "jsonl"


@dataclass(frozen=True)
class ExportOptions:
    """Optional contents of an export, and facts that only the publisher knows."""

    status: bool = False
    """Whether rows include the solution status. It is never part of a prompt."""
    keys: bool = False
    """Whether the answer keys are written, into a separate file."""
    published: str = ""
    """The publication date for `hf`; the date of the newest scenario if it is empty."""
    url: str = ""
    """The address at which `hf` will be published."""


@dataclass(frozen=True)
class Export:
    """The files of an export by path, and messages for the user."""

    files: Files
    messages: tuple[str, ...]


def build_export(kind: ExportKind, scenarios: Path, options: ExportOptions) -> Export:
    """Build the export of a scenario folder in memory."""
    if options.keys and kind not in {ExportKind.JSONL, ExportKind.HF}:
        raise ConfigurationError(
            f"Answer keys cannot be exported with {kind}, which reads them from the scenario folder; use jsonl or hf."
        )
    return _KINDS[kind](Environment(scenarios), options)


def write_export(files: Files, folder: Path) -> None:
    """Write an export to a folder.

    Raises `ConfigurationError` if the folder contains other files, because keys of an earlier export would
    otherwise be published with it.
    """
    try:
        unexpected_file = _find_file_foreign_to_export(files, folder)
        if unexpected_file is not None:
            raise ConfigurationError(
                f"{folder} contains {unexpected_file}, which is not part of this export; name a new or an empty folder."
            )
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f".{path.name}.part")
            part.write_bytes(content)
            part.replace(path)
    except OSError as problem:
        raise ConfigurationError(
            f"Cannot write to {folder} ({problem.strerror}); name a folder that you may write to."
        ) from problem


def _find_file_foreign_to_export(files: Files, folder: Path) -> str | None:
    if not folder.exists():
        return None
    if not folder.is_dir():
        raise ConfigurationError(f"{folder} is a file; name a folder for the export.")
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and name.as_posix() not in files and not name.parts[0].startswith("."):
            return name.as_posix()
    return None


def build_rows(environment: Environment, options: ExportOptions) -> list[dict[str, str]]:
    """Return a row for each scenario.

    Only `prompt` is meant for a model. It is always the blind presentation, whatever else the row contains.
    """
    found = []
    for name, each in environment.scenarios.items():
        row = {
            "id": name,
            "prompt": environment.build_prompt(name),
            "presentation": str(environment.presentation),
            "category": each.category,
            "tier": each.tier,
            "canary": each.canary,
        }
        found.append(row | {"status": each.status} if options.status else row)
    return found


def _export_jsonl(environment: Environment, options: ExportOptions) -> Export:
    found = build_rows(environment, options)
    return Export(
        {"scenarios.jsonl": _format_json_lines(found), **_build_answer_key_file(environment, options)},
        (f"{len(found)} scenarios; show a model only `prompt`", *_list_key_warnings(options)),
    )


def _export_hugging_face(environment: Environment, options: ExportOptions) -> Export:
    found = build_rows(environment, options)
    columns = list(found[0])
    origin = _determine_dataset_origin(environment, options)
    content, data = _build_parquet(found), "data/test.parquet"
    messages: tuple[str, ...] = ()
    if content is None:
        content, data = _format_json_lines(found), "data/test.jsonl"
        messages = ("pyarrow is not installed, so the data is written as JSON lines instead of Parquet",)
    scenarios = list(environment.scenarios.values())
    files = {
        data: content,
        "README.md": render_dataset_card(scenarios, origin, data=data, columns=columns).encode(),
        "croissant.json": render_croissant_metadata(content, origin, data=data, columns=columns).encode(),
        **_build_answer_key_file(environment, options),
    }
    return Export(files, (f"{len(found)} scenarios in {data}", *messages, *_list_key_warnings(options)))


def _export_lm_eval(environment: Environment, options: ExportOptions) -> Export:
    found = build_rows(environment, options)
    files = {
        DATA: _format_json_lines(found),
        f"{TASK}.yaml": render_task_file().encode(),
        "utils.py": render_scorer_module(Path(environment.folder)).encode(),
    }
    return Export(
        files, (f"{len(found)} scenarios", f"lm_eval --tasks {TASK} --include_path FOLDER --model ...")
    )


def _export_inspect(environment: Environment, _options: ExportOptions) -> Export:
    folder = shlex.quote(str(environment.folder))
    count = len(environment.scenarios)
    return Export(
        {},
        (
            f"Inspect reads the {count} scenarios from their folder; there is nothing to export.",
            "pip install 'impossible-moments[inspect]'",
            f"inspect eval impossible_moments/moments -T scenarios={folder} --model impossible_moments/solver",
            f"inspect eval impossible_moments/moments -T scenarios={folder} --model openai/gpt-4o --epochs 5",
        ),
    )


_KINDS: Final[Mapping[ExportKind, Callable[[Environment, ExportOptions], Export]]] = {
    ExportKind.HF: _export_hugging_face,
    ExportKind.INSPECT: _export_inspect,
    ExportKind.LM_EVAL: _export_lm_eval,
    ExportKind.JSONL: _export_jsonl,
}


def _build_answer_key_file(environment: Environment, options: ExportOptions) -> Files:
    if not options.keys:
        return {}
    # not part of the scenario rows, because having a twin hints at the status
    paired = find_twins(
        {name: environment.load_key(name) for name in environment.scenarios},
        load_declared_twins(environment.rubrics.parent),
    )
    found = [
        {
            "id": name,
            "status": each.status,
            "correct_outcome": each.correct_outcome,
            "twin": paired.get(name),
            "mechanics": _load_mechanics(environment, name),
            "canary": each.canary,
        }
        for name, each in environment.scenarios.items()
    ]
    return {KEYS: _format_json_lines(found)}


def _load_mechanics(environment: Environment, name: str) -> Any:  # noqa: ANN401 - an unvalidated record
    environment.load_key(name)  # raises if the key cannot be executed
    return load_document(environment.rubrics / FILE.format(name))


def _list_key_warnings(options: ExportOptions) -> Sequence[str]:
    return (f"{KEYS} contains the answers: keep it separate",) if options.keys else ()


def _format_json_lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in rows).encode()


def _build_parquet(rows: Sequence[Mapping[str, str]]) -> bytes | None:
    try:
        from pyarrow import Table, schema, string  # noqa: PLC0415 - optional; only this module imports it
        from pyarrow.parquet import write_table  # noqa: PLC0415
    except ImportError:
        return None
    columns = schema([(name, string()) for name in rows[0]])
    buffer = BytesIO()
    write_table(Table.from_pylist(list(rows), schema=columns), buffer)
    return buffer.getvalue()


def _determine_dataset_origin(environment: Environment, options: ExportOptions) -> DatasetOrigin:
    folder = environment.rubrics.parent
    known = [each for name, each in ScenarioRegistry(folder).entries.items() if name in environment.scenarios]
    created = max((each.stamps.created for each in known), default="")[:10]
    published = options.published or created
    if not _DATE.fullmatch(published):
        reason = (
            f"is {published!r}"
            if published
            else f"is not given, and there is no registry in {folder} to take it from"
        )
        raise ConfigurationError(f"The publication date {reason}; give one such as --published 2026-01-31.")
    libraries = sorted({each.library for each in known})
    players = sorted({agent.model for each in known for agent in each.agent_versions.values() if agent.model})
    library = ", ".join(libraries)
    canary = compute_dataset_canary(list(environment.scenarios.values()), library)
    return DatasetOrigin(
        version("impossible-moments"),
        library,
        tuple(players),
        published,
        options.url or f"urn:impossible-moments:{canary}",
    )
