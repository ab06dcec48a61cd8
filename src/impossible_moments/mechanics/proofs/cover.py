"""Cover: the matrix of all boundary things and all mechanisms that could overcome them.

A cell is closed in one of three ways. The library closes it if its operators for the mechanism apply to the
thing, so that the proof of impossibility includes them. An approach of the record closes it by trying the
mechanism. A quote of the prose closes it by ruling the mechanism out. With an empty cell impossibility is not
proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from impossible_moments.mechanics.execution.moves import Move
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language.expression_types import suggest_similar_name
from impossible_moments.mechanics.records.line_findings import parse_line_or_report
from impossible_moments.mechanics.world.building.library_actions import build_library_action_catalogue
from impossible_moments.mechanics.world.engine import WorldEngine
from impossible_moments.mechanics.world.world_model import World, WorldThing


@dataclass(frozen=True, slots=True)
class CoverCell:
    """One boundary thing and one mechanism.

    `closed_by` is `library`, `approach NAME` or `quote`. It is empty for an open cell, and `lacks` says why.
    """

    thing: str
    mechanism: str
    closed_by: str = ""
    lacks: str = ""

    @property
    def name(self) -> str:
        """Name of the cell in a record."""
        return f"{self.thing}.{self.mechanism}"


def build_cover(
    engine: WorldEngine, plans: Mapping[str, tuple[Move, ...]], findings: Findings
) -> tuple[CoverCell, ...]:
    """Return all cells of the cover and report invalid cover lines; `plans` are the record's approaches."""
    world = engine.world
    written_reasons = dict(_read_cover_lines(world, findings))
    cells = tuple(
        _build_cover_cell(
            engine, thing, mechanism, written_reasons.pop(f"{thing.name}.{mechanism}", None), plans, findings
        )
        for thing in world.things.values()
        if thing.own and thing.kind in world.library.kinds
        for mechanism in world.library.kinds[thing.kind].mechanisms
    )
    for name in written_reasons:
        known = [cell.name for cell in cells]
        findings.add(
            "cover.cell",
            f"/cover/{name}",
            f"no such cell: `{name}`{suggest_similar_name(name, known)}",
            found=name,
            expected=f"one of {', '.join(known) or 'none: the record has no boundary thing or rule'}",
        )
    return cells


def iterate_cover_quotes(world: World) -> Iterator[tuple[str, str]]:
    """Yield the place and text of each quote that closes a cell."""
    for name, (body, evidence) in _read_cover_lines(world, Findings()):
        if evidence and not body:
            yield f"/cover/{name}", evidence


def _read_cover_lines(world: World, findings: Findings) -> Iterator[tuple[str, tuple[str, str]]]:
    for number, line in enumerate(world.record.cover):
        parts = parse_line_or_report(
            line, f"/cover/{number}", findings, example="wall.climb = brace_climb", code="cover.cell"
        )
        if parts is None:
            continue
        yield parts.head, (parts.body, parts.evidence)


def _build_cover_cell(
    engine: WorldEngine,
    thing: WorldThing,
    mechanism: str,
    line: tuple[str, str] | None,
    plans: Mapping[str, tuple[Move, ...]],
    findings: Findings,
) -> CoverCell:
    path = f"/cover/{thing.name}.{mechanism}"
    if line is not None:
        body, _ = line
        if not body:
            return CoverCell(thing.name, mechanism, "quote")
        if body in plans:
            if any(_attempts_mechanism(move, thing, mechanism) for move in plans[body]):
                return CoverCell(thing.name, mechanism, f"approach {body}")
            findings.add(
                "cover.cell", path, f"approach `{body}` does not try `{mechanism}` on `{thing.name}`", found=body,
                expected=f"an approach that calls an action with `of: {mechanism}` on {thing.name}",
            )  # fmt: skip
        elif body != "library":
            findings.add(
                "cover.cell",
                path,
                f"`{body}` is not an approach{suggest_similar_name(body, plans)}",
                found=body,
                expected=f"one of {', '.join(plans)}; or @ exact quote",
            )
    missing_reason = _explain_open_cell(engine, thing, mechanism)
    return CoverCell(thing.name, mechanism, "" if missing_reason else "library", missing_reason)


def _attempts_mechanism(move: Move, thing: WorldThing, mechanism: str) -> bool:
    return thing.name in move.arguments and mechanism in {move.of, move.verb}


def _explain_open_cell(engine: WorldEngine, thing: WorldThing, mechanism: str) -> str:
    """Return why the library cannot judge a mechanism on a thing; empty if it can."""
    world = engine.world
    properties_read = build_library_action_catalogue(world.library).find_properties_read_by_mechanism(
        mechanism, thing.kind, thing.name
    )
    if properties_read is None:
        return "the library has no operator for it"
    needed_properties = properties_read & frozenset(world.library.kinds[thing.kind].needs)
    missing = sorted(
        f"{thing.name}.{name}" for name in needed_properties if f"{thing.name}.{name}" not in engine.places
    )
    return f"the library needs {', '.join(missing)}" if missing else ""
