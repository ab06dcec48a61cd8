"""The facts of a seed document that NEWTON reads: things, quantities, the acting person, the text and executed plans."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Final

from impossible_moments.agents.builtin.newton.sketch_runs import SketchRun, run_sketch_plan
from impossible_moments.agents.builtin.quantity_wording import format_quantity
from impossible_moments.agents.builtin.sketch_plans import split_sketch_into_plans
from impossible_moments.domain.seed import ObjectRow, SeedDocument
from impossible_moments.mechanics.checks import WorldAnalysis, build_analysis_without_search
from impossible_moments.mechanics.execution import PlanExecutor, PlanOutcome
from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.language import UNDEFINED, Dimension
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import Library, Quantity, parse_record
from impossible_moments.mechanics.world import World, WorldEngine, WorldThing, build_world

YOU: Final = "you"
CACHED_RECORDS: Final = 16


@dataclass(frozen=True, slots=True)
class RecordReading:
    """A record that was read and whose approaches were executed, or the problems that prevent it."""

    analysis: WorldAnalysis | None
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class SeedFacts:
    """The facts of a seed document. `engine` is None if the record cannot be read."""

    seed: SeedDocument
    library: Library
    reading: RecordReading = field(init=False, compare=False)

    def __post_init__(self) -> None:
        record = json.dumps(self.seed.mechanics, sort_keys=True, default=str)
        object.__setattr__(self, "reading", _read_record(record, self.library))

    @property
    def problems(self) -> tuple[str, ...]:
        """Why the record cannot be read."""
        return self.reading.problems

    @property
    def engine(self) -> WorldEngine | None:
        """The engine that evaluates expressions, or None."""
        return self.reading.analysis.engine if self.reading.analysis is not None else None

    @property
    def executor(self) -> PlanExecutor | None:
        """The executor of plans, or None."""
        return self.reading.analysis.executor if self.reading.analysis is not None else None

    @property
    def approach_outcomes(self) -> Mapping[str, PlanOutcome]:
        """How each approach of the record ends at stated values."""
        return self.reading.analysis.outcomes if self.reading.analysis is not None else {}

    @cached_property
    def sketch_runs(self) -> tuple[SketchRun, ...]:
        """The plans of the sketch, executed step by step."""
        analysis = self.reading.analysis
        if analysis is None:
            return ()
        plans = split_sketch_into_plans(self.seed, analysis.plans)
        return tuple(run_sketch_plan(analysis.executor, plan) for plan in plans)

    @property
    def world(self) -> World | None:
        """The world of the record, or None."""
        return self.engine.world if self.engine is not None else None

    @property
    def own_things(self) -> tuple[WorldThing, ...]:
        """The things that the record defines, except the acting person."""
        if self.world is None:
            return ()
        return tuple(thing for thing in self.world.things.values() if thing.own and thing.name != YOU)

    def find_thing(self, label: str) -> WorldThing | None:
        """Return the thing with a label, or None."""
        return next((each for each in self.own_things if each.label.lower() == label.lower()), None)

    def is_capability_stated(self, name: str) -> bool:
        """Return whether the capability table has a row for an ability of the person, by its name or its value."""
        words, rows = name.replace("_", " "), self.seed.scenario.capabilities
        path, number = f"{YOU}.{name}", self.get_number(f"{YOU}.{name}")
        value = "" if self.world is None or number is None else format_quantity(self.world, path, number)
        return any(
            row.value.strip() and (words in row.parameter.lower() or (value and row.value.endswith(value)))
            for row in rows
        )

    def get_number(self, path: str) -> float | None:
        """Return a stated or derived number in SI units, or None if there is none of that name."""
        if self.engine is None or not self.engine.has_name(path):
            return None
        try:
            value = self.engine.evaluate_expression(_parse_quantity_path(path))
        except UNDEFINED:
            return None
        return None if isinstance(value, bool | str) else float(value)

    def iterate_own_numbers(self, dimension: Dimension) -> Iterator[tuple[str, Quantity, float]]:
        """Yield the record's own stated numbers of one dimension: name, quantity and value."""
        if self.world is None:
            return
        for name, quantity in self.world.quantities.items():
            own = name in self.world.own_paths or "." not in name
            if own and isinstance(quantity.tree, ex.Number) and quantity.tree.dimension == dimension:
                yield name, quantity, quantity.tree.value

    def find_object_row(self, thing: WorldThing) -> ObjectRow | None:
        """Return the row of the object table about a thing, or None."""
        return next(
            (row for row in self.seed.scenario.objects if row.name.lower() == thing.label.lower()), None
        )

    def find_library_row_declared_alike(self, name: str) -> str | None:
        """Return the name of the library row that a thing is declared to be like, or None."""
        things: list[dict[str, Any]] = self.seed.mechanics.get("things") or []
        return next((thing.get("like") for thing in things if thing.get("name") == name), None)

    def is_used_in_sketch(self, name: str) -> bool:
        """Return whether the sketch uses a thing."""
        return any(
            name in step.call.replace("(", ",").replace(")", ",").replace(" ", "").split(",")
            for step in self.seed.solution_sketch.steps
        )

    @property
    def public_text(self) -> str:
        """The public text in lower case."""
        scenario = self.seed.scenario
        rows = [f"{row.feature} {row.specification}" for row in scenario.environment]
        return " ".join((scenario.narrative, scenario.threat, scenario.position, *rows)).lower()


@lru_cache(maxsize=CACHED_RECORDS)
def _read_record(record: str, library: Library) -> RecordReading:
    data: dict[str, Any] = json.loads(record)
    findings = Findings()
    parsed = parse_record(data, findings)
    if parsed is not None:
        build_world(parsed, library, findings)
    problems = tuple(map(str, findings.errors))
    if problems:
        return RecordReading(None, problems)
    return RecordReading(build_analysis_without_search(data, library))


def _parse_quantity_path(path: str) -> ex.Name | ex.Property:
    owner, _, name = path.rpartition(".")
    return ex.Property(owner, name) if owner else ex.Name(name)
