"""Check that every scenario has its four documents with all sections, and that no other file lies beside them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from impossible_moments.production.quality.quality_report import QualityCheck, build_check
from impossible_moments.production.quality.released_scenarios import ReleasedScenarios, ReleasedSet

EVALUATION_SECTIONS: Final = (
    "Physics Validation",
    "Key Insights",
    "Distractor Analysis",
    "Scoring Rubric",
    "Counterfactual Variants",
    "Difficulty Profile",
)
TRACE_SECTIONS: Final = (
    "Creation Metadata",
    "Agent Contributions",
    "Disagreement Log",
    "Confidence Heatmap",
    "Difficulty Calibration Votes",
)
_HEADING: Final = re.compile(r"^#{2,3} (.+)$", re.MULTILINE)
_OWN_FILES: Final = re.compile(r"IM-\d{4,}(?:_eval|_mechanics|_trace)?\.(?:md|json)")


def check_completeness(released: ReleasedScenarios) -> QualityCheck:
    """Check files, sections, canaries, and files without a registry entry."""
    problems = [f"{path} cannot be read: {reason}" for path, reason in released.unreadable.items()]
    for each in released.sets:
        problems += _find_missing_parts(released, each)
    problems += _find_canary_problems(released)
    problems += _find_unregistered_files(released)
    return build_check("completeness", f"{len(released.sets)} scenarios with four files each", problems)


def _find_missing_parts(released: ReleasedScenarios, files: ReleasedSet) -> Iterator[str]:
    scenario = released.scenarios.get(files.scenario_id)
    if scenario is not None:
        for name, section in scenario.sections.items():
            if not section.strip():
                yield f"{files.public} has nothing under {name!r}"
    for path, sections in ((files.evaluation, EVALUATION_SECTIONS), (files.trace, TRACE_SECTIONS)):
        text = released.read_text(path)
        if text is None:
            yield f"{path} is missing or cannot be read"
            continue
        headings = set(_HEADING.findall(text))
        for name in sections:
            if name not in headings:
                yield f"{path} has no section {name!r}"


def _find_canary_problems(released: ReleasedScenarios) -> Iterator[str]:
    counts = Counter(entry.canary for entry in released.entries.values())
    for files in released.sets:
        canary = released.entries[files.scenario_id].canary
        if counts[canary] > 1:
            yield f"{files.scenario_id} shares its canary with another scenario"
        for path in (files.public, files.evaluation):
            if canary not in (released.read_text(path) or ""):
                yield f"{path} does not contain its canary {canary}"


def _find_unregistered_files(released: ReleasedScenarios) -> Iterator[str]:
    known = {path for each in released.sets for path in each.paths}
    for folder in ("public", "evaluation", "traces"):
        for path in sorted((released.folder / folder).glob("*")):
            name = path.relative_to(released.folder).as_posix()
            if _OWN_FILES.fullmatch(path.name) and name not in known:
                yield f"{name} belongs to no registered scenario"
