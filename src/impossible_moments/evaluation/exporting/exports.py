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
from impossible_moments.evaluation.environment import Environment
from impossible_moments.evaluation.exporting.card import Origin, card, set_canary
from impossible_moments.evaluation.exporting.croissant import croissant
from impossible_moments.evaluation.exporting.lm_eval import DATA, TASK, module, task_file
from impossible_moments.evaluation.key import FILE
from impossible_moments.evaluation.twins import declared, partners
from impossible_moments.mechanics.documents import load
from impossible_moments.scenarios.registry import Registry

KEYS: Final = "keys.jsonl"
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
Files = Mapping[str, bytes]


class Kind(StrEnum):
    """The formats of an export."""

    HF = "hf"
    INSPECT = "inspect"
    LM_EVAL = "lm-eval"
    JSONL = "jsonl"


@dataclass(frozen=True)
class Options:
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
    told: tuple[str, ...]


def exported(kind: Kind, scenarios: Path, options: Options) -> Export:
    """Build the export of a scenario folder in memory."""
    if options.keys and kind not in {Kind.JSONL, Kind.HF}:
        raise ConfigurationError(
            f"Answer keys cannot be exported with {kind}, which reads them from the scenario folder; use jsonl or hf."
        )
    return _KINDS[kind](Environment(scenarios), options)


def write(files: Files, folder: Path) -> None:
    """Write an export to a folder.

    Raises `ConfigurationError` if the folder contains other files, because keys of an earlier export would
    otherwise be published with it.
    """
    try:
        strange = _strange(files, folder)
        if strange is not None:
            raise ConfigurationError(
                f"{folder} contains {strange}, which is not part of this export; name a new or an empty folder."
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


def _strange(files: Files, folder: Path) -> str | None:
    if not folder.exists():
        return None
    if not folder.is_dir():
        raise ConfigurationError(f"{folder} is a file; name a folder for the export.")
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and name.as_posix() not in files and not name.parts[0].startswith("."):
            return name.as_posix()
    return None


def rows(environment: Environment, options: Options) -> list[dict[str, str]]:
    """Return a row for each scenario.

    Only `prompt` is meant for a model. It is always the blind presentation, whatever else the row contains.
    """
    found = []
    for name, each in environment.scenarios.items():
        row = {
            "id": name,
            "prompt": environment.prompt(name),
            "presentation": str(environment.presentation),
            "category": each.category,
            "tier": each.tier,
            "canary": each.canary,
        }
        found.append(row | {"status": each.status} if options.status else row)
    return found


def _jsonl(environment: Environment, options: Options) -> Export:
    found = rows(environment, options)
    return Export(
        {"scenarios.jsonl": _lines(found), **_keys(environment, options)},
        (f"{len(found)} scenarios; show a model only `prompt`", *_told_of_keys(options)),
    )


def _hf(environment: Environment, options: Options) -> Export:
    found = rows(environment, options)
    columns = list(found[0])
    origin = _origin(environment, options)
    content, data = _parquet(found), "data/test.parquet"
    messages: tuple[str, ...] = ()
    if content is None:
        content, data = _lines(found), "data/test.jsonl"
        messages = ("pyarrow is not installed, so the data is written as JSON lines instead of Parquet",)
    shown = list(environment.scenarios.values())
    files = {
        data: content,
        "README.md": card(shown, origin, data=data, columns=columns).encode(),
        "croissant.json": croissant(content, origin, data=data, columns=columns).encode(),
        **_keys(environment, options),
    }
    return Export(files, (f"{len(found)} scenarios in {data}", *messages, *_told_of_keys(options)))


def _lm_eval(environment: Environment, options: Options) -> Export:
    found = rows(environment, options)
    files = {
        DATA: _lines(found),
        f"{TASK}.yaml": task_file().encode(),
        "utils.py": module(Path(environment.folder)).encode(),
    }
    return Export(
        files, (f"{len(found)} scenarios", f"lm_eval --tasks {TASK} --include_path FOLDER --model ...")
    )


def _inspect(environment: Environment, _options: Options) -> Export:
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


_KINDS: Final[Mapping[Kind, Callable[[Environment, Options], Export]]] = {
    Kind.HF: _hf,
    Kind.INSPECT: _inspect,
    Kind.LM_EVAL: _lm_eval,
    Kind.JSONL: _jsonl,
}


def _keys(environment: Environment, options: Options) -> Files:
    if not options.keys:
        return {}
    # not part of the scenario rows, because having a twin hints at the status
    paired = partners(
        {name: environment.key(name) for name in environment.scenarios}, declared(environment.rubrics.parent)
    )
    found = [
        {
            "id": name,
            "status": each.status,
            "correct_outcome": each.correct_outcome,
            "twin": paired.get(name),
            "mechanics": _record(environment, name),
            "canary": each.canary,
        }
        for name, each in environment.scenarios.items()
    ]
    return {KEYS: _lines(found)}


def _record(environment: Environment, name: str) -> Any:  # noqa: ANN401 - an unvalidated record
    environment.key(name)  # raises if the key cannot be executed
    return load(environment.rubrics / FILE.format(name))


def _told_of_keys(options: Options) -> Sequence[str]:
    return (f"{KEYS} contains the answers: keep it separate",) if options.keys else ()


def _lines(found: Iterable[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in found).encode()


def _parquet(found: Sequence[Mapping[str, str]]) -> bytes | None:
    try:
        from pyarrow import Table, schema, string  # noqa: PLC0415 - optional; only this module imports it
        from pyarrow.parquet import write_table  # noqa: PLC0415
    except ImportError:
        return None
    columns = schema([(name, string()) for name in found[0]])
    buffer = BytesIO()
    write_table(Table.from_pylist(list(found), schema=columns), buffer)
    return buffer.getvalue()


def _origin(environment: Environment, options: Options) -> Origin:
    folder = environment.rubrics.parent
    known = [each for name, each in Registry(folder).entries.items() if name in environment.scenarios]
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
    canary = set_canary(list(environment.scenarios.values()), library)
    return Origin(
        version("impossible-moments"),
        library,
        tuple(players),
        published,
        options.url or f"urn:impossible-moments:{canary}",
    )
