"""The public part of a seed document: narrative and tables, filled from the record and the library."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from impossible_moments.agents.builtin.athena.declared_design import DeclaredDesign
from impossible_moments.blueprints import ObjectRowTemplate, ScenarioDraft
from impossible_moments.domain.seed import CapabilityRow, EnvironmentRow, ObjectRow, ScenarioNarrative
from impossible_moments.mechanics.execution import Move
from impossible_moments.mechanics.language import SPEED, TIME
from impossible_moments.mechanics.records import QuantityKind

MOST_CAPABILITIES: Final = 8
YOU: Final = "you"
APPROXIMATE: Final = "about "
_THING_LABEL: Final = re.compile(r"\{thing:(\w+)\}")


def build_scenario_narrative(draft: ScenarioDraft, declared: DeclaredDesign) -> ScenarioNarrative:
    """Build the scenario as a solver reads it. Cells that the record and the library leave open stay empty."""
    prose, tables, say = draft.prose, draft.tables, draft.render_template
    return ScenarioNarrative(
        name=draft.instance.record["title"],
        narrative=prose["narrative"],
        environment=tuple(
            EnvironmentRow(feature=_format_row_heading(say(feature)), specification=say(text))
            for feature, text in tables.environment
        ),
        threat=prose["threat"],
        position=prose["position"],
        objects=tuple(_build_object_rows(draft)),
        capabilities=tuple(_build_capability_rows(draft, declared)),
    )


def list_described_objects(draft: ScenarioDraft) -> tuple[ObjectRowTemplate, ...]:
    """Return the object rows that say something.

    If none does, each thing is described by its kind: a place, a person, a rule.
    """
    rows = draft.tables.objects
    kinds = {name: thing.kind for name, thing in draft.design.world.things.items()}
    found = tuple(row for row in rows if any((row.mass, row.size, row.material, row.notes)))
    return found or tuple(replace(row, notes=f"a {kinds[row.name]}") for row in rows)


def _build_object_rows(draft: ScenarioDraft) -> Iterator[ObjectRow]:
    say = draft.render_template
    for row in list_described_objects(draft):
        yield ObjectRow(
            name=say(row.label),
            mass=say(row.mass),
            dimensions=say(row.size),
            material=row.material,
            notes=say(row.notes),
        )


def _build_capability_rows(draft: ScenarioDraft, declared: DeclaredDesign) -> Iterator[CapabilityRow]:
    """Yield the stated capabilities, then those that plans and traps read: of the body, and times of actions.

    What another table already states of a thing is not repeated, so the table may be empty.
    """
    rows = {
        draft.render_template(parameter): draft.render_template(value)
        for parameter, value in draft.tables.capabilities
    }
    stated = " ".join(rows.values())
    elsewhere = _collect_table_texts(draft)
    for path in _list_capabilities_read(declared):
        if len(rows) >= MOST_CAPABILITIES:
            break
        parameter, value = _describe_capability(path, draft, declared)
        is_of_body = path.startswith(f"{YOU}.")
        is_repeated = value in stated if is_of_body else _is_stated(path, value, elsewhere)
        if parameter not in rows and not is_repeated:
            rows[parameter] = value
    for parameter, value in rows.items():
        yield CapabilityRow(parameter=parameter, value=value)


def _collect_table_texts(draft: ScenarioDraft) -> dict[str, str]:
    """Return what the environment and object tables state of each thing, and under no name what else they state."""
    say, tables = draft.render_template, draft.tables
    texts = {row.name: say(row.notes) for row in tables.objects}
    for feature, text in tables.environment:
        owner = _THING_LABEL.fullmatch(feature)
        name = owner[1] if owner else ""
        texts[name] = f"{texts.get(name, '')} {say(text)}"
    return texts


def _is_stated(path: str, value: str, texts: dict[str, str]) -> bool:
    """Return whether a table states the value of a quantity where it describes the owner of the quantity."""
    owner, number = path.rpartition(".")[0], re.escape(value.removeprefix(APPROXIMATE))
    return re.search(rf"(?<![\d.,]){number}(?!\w)", texts.get(owner, "")) is not None


def _list_capabilities_read(declared: DeclaredDesign) -> list[str]:
    """Return what the approaches ask of a person: numbers of the body, paces, and times that steps take."""
    body: dict[str, None] = {}
    paces: dict[str, None] = {}
    times_of_things: dict[str, None] = {}
    for plan in declared.plans.values():
        for move in plan:
            body |= dict.fromkeys(
                path for path in sorted(declared.collect_read_quantities(move)) if path.startswith(f"{YOU}.")
            )
            for path in sorted(_list_times_read(move, declared)):
                (times_of_things if "." in path else paces)[path] = None
    fixed = [path for path in body if _is_fixed_number(path, declared)]
    found = [*fixed, *(path for path in paces if path not in body)]
    return found or [path for path in times_of_things if path not in body]


def _list_times_read(move: Move, declared: DeclaredDesign) -> frozenset[str]:
    """Return the times and speeds behind the duration of a step that a person must attend."""
    if move.unattended or not move.own:
        return frozenset()
    return frozenset(
        path
        for path in declared.world.collect_stated_quantities(move.takes_tree)
        if declared.engine.get_quantity_type(path) in (TIME, SPEED) and _is_fixed_number(path, declared)
    )


def _is_fixed_number(path: str, declared: DeclaredDesign) -> bool:
    quantity = declared.world.quantities[path]
    is_stated = quantity.kind in {QuantityKind.GIVEN, QuantityKind.ASSUMED}
    return quantity.is_number and is_stated and path not in declared.world.mutable


def _describe_capability(path: str, draft: ScenarioDraft, declared: DeclaredDesign) -> tuple[str, str]:
    """Return the parameter and its value in the stated unit. An assumed value is said to be approximate."""
    owner, _, name = path.rpartition(".")
    words, quantity = draft.instance.notes.words, declared.world.quantities[path]
    phrase = (words.get(path) or words.get(name) or name).partition("|")[0].strip(" :").replace("_", " ")
    if owner and owner != YOU:
        phrase = f"{draft.render_template(f'{{thing:{owner}}}')}: {phrase}"
    elif not (words.get(path) or words.get(name)) and declared.engine.get_quantity_type(path) == TIME:
        phrase = f"time for {phrase}"
    unit = quantity.display_unit.text if quantity.display_unit is not None else "plain"
    value = draft.render_template(f"{{{path}|{unit}}}")
    return _format_row_heading(
        phrase
    ), f"{APPROXIMATE}{value}" if quantity.kind is QuantityKind.ASSUMED else value


def _format_row_heading(label: str) -> str:
    """Format a label as a row heading: without article, capitalized."""
    for article in ("The ", "A ", "An "):
        label = label.removeprefix(article)
    return label[:1].upper() + label[1:]
