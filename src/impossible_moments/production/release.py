"""A release: the files of a set of scenarios with versions, checksums and canaries, the same bytes from the same scenarios."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import tarfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Final

from impossible_moments.agents.orchestrator import Configuration
from impossible_moments.domain.vocabulary import CATEGORIES, STATUSES, TIERS, parse_main_status
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation import VERSION as ENGINE_VERSION
from impossible_moments.production.quality import QualityReport, ReleasedScenarios
from impossible_moments.production.retired_scenarios import RETIRED_FILE
from impossible_moments.scenarios import ScenarioRegistry, render_table

FORMAT: Final = "im-release/1"
MANIFEST: Final = "release.json"
CHECKSUMS: Final = "SHA256SUMS"
CANARIES: Final = "CANARIES.txt"
CARD: Final = "README.md"
QUALITY: Final = "quality.json"
_VERSION: Final = re.compile(r"\d+\.\d+(?:\.\d+)?(?:-[0-9a-z.]+)?")
_FIXED_TIME: Final = 0
"""The time of every file in the archive, in seconds since 1970. Archives of the same files are then equal."""


@dataclass(frozen=True)
class Release:
    """The files of a release by path, and the name of its folder."""

    name: str
    files: Mapping[str, bytes]

    def build_archive(self) -> bytes:
        """Return the release as a compressed archive. The same files give the same bytes."""
        packed = io.BytesIO()
        with (
            gzip.GzipFile(fileobj=packed, mode="wb", mtime=_FIXED_TIME, filename="") as compressed,
            tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as archive,
        ):
            for path, content in sorted(self.files.items()):
                entry = tarfile.TarInfo(f"{self.name}/{path}")
                entry.size, entry.mtime, entry.mode = len(content), _FIXED_TIME, 0o644
                archive.addfile(entry, io.BytesIO(content))
        return packed.getvalue()


def build_release(
    version: str, released: ReleasedScenarios, quality: QualityReport, configuration: Configuration
) -> Release:
    """Build the files of a release. Raise `ConfigurationError` if the version or the set is not fit for one."""
    if not _VERSION.fullmatch(version):
        raise ConfigurationError(f"The version is {version!r}; write it like 1.0 or 1.0.1.")
    if not quality.is_passed:
        failed = ", ".join(each.name for each in quality.checks if each.state == "failed")
        raise ConfigurationError(
            f"The set does not pass these checks: {failed}. `im release check` lists the problems."
        )
    files = _collect_scenario_files(released)
    files[CANARIES] = "".join(f"{each.canary}\n" for each in released.entries.values()).encode()
    files[QUALITY] = _encode(quality.describe())
    files[MANIFEST] = _encode(_describe_release(version, released, configuration))
    files[CARD] = _render_card(version, released).encode()
    retired = released.read_text(RETIRED_FILE)
    if retired is not None:
        files[RETIRED_FILE] = retired.encode()
    files[CHECKSUMS] = _list_checksums(files).encode()
    return Release(f"impossible-moments-{version}", files)


def find_changed_files(folder: Path) -> tuple[str, ...]:
    """Return the files of an unpacked release that are missing or differ from their checksums."""
    try:
        lines = (folder / CHECKSUMS).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(
            f"{folder} has no {CHECKSUMS}. Name the folder of an unpacked release."
        ) from None
    changed = []
    for line in lines:
        digest, _, path = line.partition("  ")
        file = folder / path
        if not file.is_file() or hashlib.sha256(file.read_bytes()).hexdigest() != digest:
            changed.append(path)
    return tuple(changed)


def _collect_scenario_files(released: ReleasedScenarios) -> dict[str, bytes]:
    registry = ScenarioRegistry(released.folder)
    paths = [path for each in released.sets for path in each.paths]
    return {
        "registry.json": registry.render_without_clock().encode(),
        **{path: registry.read_without_clock(path).encode() for path in paths},
    }


def _describe_release(
    version: str, released: ReleasedScenarios, configuration: Configuration
) -> dict[str, object]:
    return {
        "format": FORMAT,
        "benchmark": version,
        "scenarios": len(released.entries),
        "package": installed_version("impossible-moments"),
        "orchestrator": configuration.version,
        "evaluation_engine": ENGINE_VERSION,
        "library": str(released.library),
        "prompts": dict(sorted(configuration.prompt_versions.items())),
        "counts": {name: dict(counts) for name, counts in _count_properties(released).items()},
        "quick": list(ScenarioRegistry(released.folder).quick),
        "seeds": {name: entry.seed for name, entry in released.entries.items()},
        "content_hash": _hash_scenarios(released),
    }


def _hash_scenarios(released: ReleasedScenarios) -> str:
    """Return a hash of everything that decides a score: public documents and records."""
    digest = hashlib.sha256()
    for each in released.sets:
        for path in (each.public, each.mechanics):
            digest.update(f"{path}\n{released.read_text(path)}\n".encode())
    return digest.hexdigest()


def _count_properties(released: ReleasedScenarios) -> dict[str, Counter[str]]:
    entries = released.entries.values()
    return {
        "category": Counter({name: sum(each.category == name for each in entries) for name in CATEGORIES}),
        "tier": Counter({name: sum(each.tier == name for each in entries) for name in TIERS}),
        "status": Counter(
            {name: sum(parse_main_status(each.status) == name for each in entries) for name in STATUSES}
        ),
    }


def _render_card(version: str, released: ReleasedScenarios) -> str:
    counts = _count_properties(released)
    tables = "\n\n".join(
        render_table((name.capitalize(), "Scenarios"), [(key, str(value)) for key, value in rows.items()])
        for name, rows in counts.items()
    )
    return _CARD_TEXT.format(
        version=version,
        count=len(released.entries),
        library=released.library,
        tables=tables,
        checksums=CHECKSUMS,
    )


def _list_checksums(files: Mapping[str, bytes]) -> str:
    return "".join(f"{hashlib.sha256(files[path]).hexdigest()}  {path}\n" for path in sorted(files))


def _encode(data: Mapping[str, object]) -> bytes:
    return (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode()


_CARD_TEXT: Final = """\
# Impossible Moments {version}

{count} situations that look impossible. Each has a public document, an evaluation document with the answer key, a record of its
mechanics, and a trace of how it was made.

| Folder or file | Contents |
| --- | --- |
| `public/` | the documents that a solver may see; show a model only the blind presentation |
| `evaluation/` | answer keys and records; keep them away from models |
| `traces/` | how each scenario was made: contributions, disagreements, votes |
| `registry.json` | metadata of every scenario |
| `release.json` | versions of program, library, prompts and engine; counts; seeds; a hash of the contents |
| `quality.json` | the quality checks of the set |
| `CANARIES.txt` | a string for each scenario that no training corpus should contain |
| `{checksums}` | checksums of all files |

    im eval --model openai:gpt-4o --scenarios .
    im eval --model openai:gpt-4o --scenarios . --quick    # five scenarios of each category
    im release check .
    im release verify .

The verdicts hold within {library}. The documents are benchmark data and should not be part of any training corpus.

{tables}

Licence: Apache-2.0.
"""
