"""The design of a record as its author states it: the parsed world and the stated plans, with nothing executed.

Reading a design checks syntax, names and dimensions. It runs no plan, searches nothing and proves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from impossible_moments.mechanics.execution.move_arguments import MoveError
from impossible_moments.mechanics.execution.move_factory import MoveFactory
from impossible_moments.mechanics.execution.moves import Move, compile_state_change
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.prose import ProseRequirements, build_rendering_requirements
from impossible_moments.mechanics.records.library import Library
from impossible_moments.mechanics.records.plans import PlanError, PlannedCall, parse_call
from impossible_moments.mechanics.records.record import Record
from impossible_moments.mechanics.records.record_validation import parse_record
from impossible_moments.mechanics.world.building.world_builder import build_world
from impossible_moments.mechanics.world.engine import WorldEngine
from impossible_moments.mechanics.world.world_model import World


@dataclass(frozen=True)
class RecordDesign:
    """A readable record: its world, the compiled steps of each approach, and the values that texts can print."""

    record: Record
    world: World
    engine: WorldEngine
    plans: dict[str, tuple[Move, ...]]
    requirements: ProseRequirements


def read_record_design(data: object, library: Library) -> tuple[RecordDesign | None, Findings]:
    """Read a record without executing anything. Return None and the findings if it cannot be read."""
    findings = Findings()
    record = data if isinstance(data, Record) else parse_record(data, findings)
    if record is None:
        return None, findings
    world, _ = build_world(record, library, findings)
    if findings.errors:
        return None, findings
    engine = WorldEngine(world)
    plans = _read_plans(engine, record, findings)
    if findings.errors:
        return None, findings
    requirements = build_rendering_requirements(engine, library.catalogue)
    return RecordDesign(record, world, engine, plans, requirements), findings


def _read_plans(engine: WorldEngine, record: Record, findings: Findings) -> dict[str, tuple[Move, ...]]:
    moves = MoveFactory(engine)
    plans: dict[str, tuple[Move, ...]] = {}
    for approach in record.approaches:
        found: list[Move] = []
        for number, text in enumerate(approach.plan):
            path = f"/approaches/{approach.name}/plan/{number}"
            try:
                call = parse_call(text)
                found.append(
                    _build_stated_answer(engine, call) if call.verb == "answer" else moves.get_move(call)
                )
            except PlanError as problem:
                findings.add("plan.form", path, str(problem), found=text, expected="wrap(tube, hose)")
            except MoveError as problem:
                findings.add(problem.code, path, str(problem), found=text, expected=problem.expected)
        plans[approach.name] = tuple(found)
    return plans


def _build_stated_answer(engine: WorldEngine, call: PlannedCall) -> Move:
    """Build an answer to a puzzle with its stated effects. Whether it is right is not examined."""
    effects = engine.world.effects_of_answers.get(call.arguments[0] if call.arguments else "")
    if effects is None:
        raise MoveError("plan.argument", f"`{call}` does not name a puzzle", "answer(shelf, '8274')")
    changes = tuple(compile_state_change(engine, effect, {}, call=call) for effect in effects)
    return Move(str(call), "answer", call.arguments, changes=changes)
