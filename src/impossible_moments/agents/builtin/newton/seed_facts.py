"""The facts of a seed document that NEWTON reads: things, quantities, the acting person and the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from impossible_moments.domain.seed import SeedDocument
from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.language import Dimension
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import Library, Quantity, parse_record
from impossible_moments.mechanics.world import World, WorldEngine, WorldThing, build_world

YOU = "you"


@dataclass(frozen=True)
class SeedFacts:
    """The facts of a seed document. `engine` is None if the record cannot be read."""

    seed: SeedDocument
    library: Library
    problems: list[str] = field(default_factory=list)

    @cached_property
    def engine(self) -> WorldEngine | None:
        """The engine that evaluates expressions at stated values, or None."""
        findings = Findings()
        record = parse_record(self.seed.mechanics, findings)
        if record is None:
            self.problems.extend(map(str, findings.errors))
            return None
        world, _ = build_world(record, self.library, findings)
        if findings.errors:
            self.problems.extend(map(str, findings.errors))
            return None
        return WorldEngine(world)

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

    def get_number(self, path: str) -> float | None:
        """Return a stated or derived number in SI units, or None if there is none of that name."""
        if self.engine is None or not self.engine.has_name(path):
            return None
        try:
            value = self.engine.evaluate_expression(_parse_quantity_path(path))
        except (ZeroDivisionError, ValueError, OverflowError):
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


def _parse_quantity_path(path: str) -> ex.Name | ex.Property:
    owner, _, name = path.rpartition(".")
    return ex.Property(owner, name) if owner else ex.Name(name)
