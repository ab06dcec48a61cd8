"""Small worlds for tests: records from a few lines, and their computed results."""

from __future__ import annotations

from typing import Any

from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.checks.record_check import CheckReport, verify_record
from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.records.library import Library
from impossible_moments.mechanics.records.record import Record
from impossible_moments.mechanics.world.building.world_builder import build_world

WALL = {"name": "wall", "label": "the wall", "kind": "boundary", "like": "concrete_wall"}


def build_thing(name: str, *props: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "label": f"the {name}", "props": list(props), **more}


def build_action(
    do: str, *then: str, when: tuple[str, ...] = (), takes: str = "work", **more: Any
) -> dict[str, Any]:
    return {"do": do, "when": list(when), "then": list(then), "takes": takes, **more}


def build_approach(name: str, *plan: str, ends: str = "goal") -> dict[str, Any]:
    return {"name": name, "plan": list(plan), "ends": ends, "why": "it is worth a try"}


def build_record(**sections: Any) -> dict[str, Any]:
    """Build a record from the given sections, with minimal other parts."""
    plain: dict[str, Any] = {
        "format": "im-mechanics/1",
        "title": "Small",
        "category": "The Locked Room",
        "quantities": [],
        "approaches": [],
        "status": {"claim": "KS-Singular", "ways": ["way"], "traps": ["trap"]},
        "prose": {"narrative": "Nothing is told."},
    }
    return {**plain, **sections}


def analyse_record(data: dict[str, Any], library: Library | None = None) -> WorldAnalysis:
    """Return the analysis of a record that must build without errors."""
    findings = Findings()
    world, _ = build_world(Record.model_validate(data), library or load_everyday_library(), findings)
    assert not findings.errors, [str(finding) for finding in findings.errors]
    return WorldAnalysis(world)


def check_built_record(data: dict[str, Any]) -> CheckReport:
    return verify_record(data, load_everyday_library())


def check_disputed_places(high_begins: str) -> CheckReport:
    """Check a world in which the lower place fits up to 4 years, and the higher one from a value on."""
    record: dict[str, Any] = build_record(
        quantities=[
            "age = 2 (1..9) disputed @ one source against another",
            f"high_begins = {high_begins}",
            "longest = 10",
            "work = 5[min]",
            "limit = 1[h]",
        ],
        things=[
            WALL,
            build_thing("low_place", "least = 0", "most = 4", kind="object"),
            build_thing("high_place", "least = high_begins", "most = longest", kind="object"),
            build_thing("site", "filmed = false", kind="place"),
        ],
        goal="site.filmed",
        deadline="limit",
        actions=[
            build_action(
                "film(p: object)",
                "site.filmed = true",
                when=("old = age >= p.least", "young = age <= p.most"),
            ),
        ],
        approaches=[
            build_approach("lower", "film(low_place)"),
            build_approach("higher", "film(high_place)", ends="blocked film.old"),
        ],
        status={"claim": "CT", "crux": "age", "at_low": "lower", "at_high": "higher"},
    )
    return check_built_record(record)
