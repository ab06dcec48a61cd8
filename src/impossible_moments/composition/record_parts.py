"""The parts of the record of a composed scenario that follow from its structure and figures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.blueprints import Data
from impossible_moments.composition.place_files import StockForm
from impossible_moments.composition.structures import CLOCK, Figures, PlaceStructure, PlayedJob

PERSON: Final = "rescued"
RULE: Final = "work_rule"
LONGEST_PLAN: Final = 40
NO_SETTING: Final = "none"


def build_quantities(structure: PlaceStructure, figures: Figures) -> list[str]:
    """Return the lines of the quantities: clock, stocks, marks, machines, jobs and stages."""
    lines = [f"{CLOCK} = {figures[CLOCK]}[min]"]
    for stock in structure.stocks:
        bound = structure.compute_bound(stock)
        low = 0 if stock.rises is not None else -bound
        lines.append(f"{stock.name} = {figures[stock.name]}[{stock.unit}] ({low}..{bound}) state")
        if f"{stock.name}_most" in figures:
            lines.append(f"{stock.name}_most = {figures[f'{stock.name}_most']}[{stock.unit}]")
        if stock.rises is not None:
            lines.append(f"{stock.name}_rises = {figures[f'{stock.name}_rises']}[{stock.unit}/min]")
    units = {stock.name: stock.unit for stock in structure.stocks}
    lines += [f"{mark.name} = {figures[mark.name]}[{units[mark.stock]}]" for mark in structure.marks]
    lines += [
        f"{machine.name}_swap = {figures[f'{machine.name}_swap']}[min]"
        for machine in structure.machines
        if machine.swap is not None
    ]
    for job in structure.jobs:
        lines.append(f"{job.name}_takes = {figures[f'{job.name}_takes']}[min]")
        lines += [
            f"{job.name}_{name} = {figures[f'{job.name}_{name}']}[{units[name]}]"
            for name in (*job.uses, *job.gives)
        ]
    lines += [f"{stage.name}_left = {structure.count(stage)} (0..40) state" for stage in structure.stages]
    lines += [f"{each.name}_known = 0 (0..1) state" for each in structure.knowledge]
    return lines


def build_things(structure: PlaceStructure) -> list[Data]:
    """Return the things: who is to be saved, the rule of work, machines and things that can be occupied."""
    things: list[Data] = [
        {"name": PERSON, "label": structure.place.person, "kind": "person"},
        {"name": RULE, "label": structure.place.order_of_work, "kind": "rule"},
    ]
    for machine in structure.machines:
        props = [f"setting = '{NO_SETTING}'"] if machine.swap is not None else []
        props += ["hot = false"] if structure.must_rest(machine) else []
        things.append({"name": machine.name, "label": machine.label, "kind": "place", "props": props})
    things += [
        {"name": each.name, "label": each.label, "kind": "place", "props": ["taken = false"]}
        for each in structure.things
    ]
    return things


def format_call(job: PlayedJob) -> str:
    """Return the call of a job, as plans write it."""
    return f"{job.name}({job.machine.name if job.machine is not None else ''})"


def build_action(structure: PlaceStructure, job: PlayedJob, figures: Figures) -> Data:
    """Return the action of a job."""
    slot = f"m: {job.machine.name}" if job.machine is not None else ""
    takes = f"{job.name}_takes"
    if job.machine is not None and job.machine.swap is not None:
        setting = job.form.setting or job.name
        takes += f" + (0[s] if {job.machine.name}.setting == '{setting}' else {job.machine.name}_swap)"
    return {
        "do": f"{job.name}({slot})",
        "when": list(iterate_conditions(structure, job, figures)),
        "then": list(_iterate_effects(structure, job)),
        "takes": takes,
    }


def iterate_conditions(structure: PlaceStructure, job: PlayedJob, figures: Figures) -> Iterator[str]:
    """Yield the conditions of a job, with the same names and in the same order as in `JobWorld`."""
    rising = {each.name for each in structure.stocks if each.rises is not None}
    if job.stage is not None:
        yield f"left = {job.stage.name}_left >= 1"
        played = {each.name for each in structure.stages}
        yield from (f"after_{name} = {name}_left == 0" for name in job.stage.after if name in played)
    if job.knows is not None:
        yield f"known = {job.knows}_known >= 1"
    if job.learns is not None:
        yield f"unknown = {job.learns}_known == 0"
    if job.occupies is not None:
        yield f"free = not {job.occupies}.taken"
    if job.machine is not None and structure.must_rest(job.machine):
        yield f"rested = not {job.machine.name}.hot"
    for mark in structure.marks:
        if mark.name in job.needs:
            sign = "<=" if mark.side == "at most" else ">="
            yield f"at_{mark.name} = {mark.stock} {sign} {mark.name}"
    yield from (f"enough_{name} = {name} >= {job.name}_{name}" for name in job.uses if name not in rising)
    if job.clears is not None:
        yield f"some_{job.clears} = {job.clears} > 0[{_get_unit(structure, job.clears)}]"
    yield from (
        f"room_{name} = {name} + {job.name}_{name} <= {name}_most"
        for name in job.gives
        if f"{name}_most" in figures and name not in rising
    )


def _iterate_effects(structure: PlaceStructure, job: PlayedJob) -> Iterator[str]:
    if job.stage is not None:
        yield f"{job.stage.name}_left = {job.stage.name}_left - 1"
    yield from (f"{name} = {name} - {job.name}_{name}" for name in job.uses)
    yield from (f"{name} = {name} + {job.name}_{name}" for name in job.gives)
    if job.clears is not None:
        yield f"{job.clears} = 0[{_get_unit(structure, job.clears)}]"
    if job.occupies is not None:
        yield f"{job.occupies}.taken = true"
    if job.learns is not None:
        yield f"{job.learns}_known = 1"
    if job.machine is not None and job.machine.swap is not None:
        yield f"{job.machine.name}.setting = '{job.form.setting or job.name}'"
    for machine in structure.machines:
        if structure.must_rest(machine):
            yield f"{machine.name}.hot = {'true' if job.machine is machine else 'false'}"


def _get_unit(structure: PlaceStructure, name: str) -> str:
    return next(each.unit for each in structure.stocks if each.name == name)


def build_world_sections(structure: PlaceStructure, figures: Figures) -> Data:
    """Return the sections that are executed: quantities, things, actions, rates, dangers, goal and deadline."""
    rising = [each for each in structure.stocks if each.rises is not None]
    sections: Data = {
        "quantities": build_quantities(structure, figures),
        "things": build_things(structure),
        "actions": [build_action(structure, job, figures) for job in structure.jobs],
        "goal": f"{' + '.join(f'{stage.name}_left' for stage in structure.stages)} == 0",
        "deadline": CLOCK,
        "longest_plan": LONGEST_PLAN,
    }
    if rising:
        sections["rates"] = [f"{each.name} = {each.name}_rises" for each in rising]
        sections["never"] = [
            f"{name_danger(each)} = {each.name} >= {each.name}_most @ {fill_stock_text(each, each.danger)}"
            for each in rising
        ]
    return sections


def name_danger(stock: StockForm) -> str:
    """Return the name of the danger of a rising hazard."""
    return f"{stock.name}_too_high"


def fill_stock_text(stock: StockForm, text: str) -> str:
    """Return a text about a stock with the placeholders of the record."""
    return (
        text.replace("{start}", f"{{{stock.name}|{stock.unit}}}")
        .replace("{most}", f"{{{stock.name}_most|{stock.unit}}}")
        .replace("{rises}", f"{{{stock.name}_rises|{stock.unit}/min}}")
    )
