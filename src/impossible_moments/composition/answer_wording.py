"""The wording of a composed record: how an answer in plain words names its jobs and its conditions."""

from __future__ import annotations

from impossible_moments.blueprints import Data
from impossible_moments.composition.public_texts import label_stage
from impossible_moments.composition.record_parts import (
    PERSON,
    fill_stock_text,
    iterate_conditions,
    name_danger,
)
from impossible_moments.composition.structures import CLOCK, Figures, PlaceStructure, PlayedJob

_BOOKKEEPING = ("left", "after_", "known", "unknown", "some_")


def build_wording(structure: PlaceStructure, figures: Figures) -> Data:
    """Return the complete section `wording` of a record."""
    place = structure.place
    conditions, bookkeeping = [f"deadline = all is done within {{{CLOCK}|min}}"], []
    for job in structure.jobs:
        for line in iterate_conditions(structure, job, figures):
            name = line.partition(" ")[0]
            if name.startswith(_BOOKKEEPING):
                bookkeeping.append(f"{job.name}.{name}")
            else:
                conditions.append(f"{job.name}.{name} = {describe_condition(structure, job, name)}")
    conditions += [
        f"{name_danger(stock)} = {fill_stock_text(stock, stock.danger)}"
        for stock in structure.stocks
        if stock.rises is not None
    ]
    names = {"rescued" if name == "person" else name: text for name, text in place.names.items()}
    known = {PERSON, *(each.name for each in structure.machines), *(each.name for each in structure.things)}
    return {
        "actions": [_build_action_wording(job) for job in structure.jobs],
        "conditions": conditions,
        "bookkeeping": bookkeeping,
        "decoy_premises": _list_decoy_premises(structure),
        "uncertainties": _list_uncertainties(structure),
        "harmless": list(place.harmless),
        "names": [f"{name} = {text}" for name, text in names.items() if name in known],
    }


def _build_action_wording(job: PlayedJob) -> Data:
    groups = [part.strip() for part in job.form.said.split("&")]
    return {
        "call": job.name,
        "menu": f"{job.form.do[:1].upper()}{job.form.do[1:]}",
        "deed": job.form.deed,
        "needs_said": [f"said_{place} = {group}" for place, group in enumerate(groups, 1)],
        "also": [job.form.do],
        "near_misses": [job.form.near_miss],
    }


def describe_condition(structure: PlaceStructure, job: PlayedJob, name: str) -> str:
    """Return a condition of a job as a sentence of the text."""
    kind, _, subject = name.partition("_")
    stocks = {each.name: each for each in structure.stocks}
    if kind == "enough":
        amount = f"{{{job.name}_{subject}|{stocks[subject].unit}}}"
        return f"there is enough left, {amount} from the stock of {stocks[subject].label}, to {job.form.do}"
    if kind == "room":
        most = f"{{{subject}_most|{stocks[subject].unit}}}"
        return f"the stock of {stocks[subject].label} stays at or below {most} when you {job.form.do}"
    if kind == "at":
        mark = next(each for each in structure.marks if each.name == subject)
        return mark.condition.replace("{mark}", f"{{{mark.name}|{stocks[mark.stock].unit}}}")
    if name == "rested" and job.machine is not None:
        return f"{job.machine.label} has rested during one job before you {job.form.do}"
    if name == "free":
        label = next(each.label for each in structure.things if each.name == job.occupies)
        return f"{label} is still free when you {job.form.do}"
    if kind == "after" or name == "left":
        return f"what has to come before is done and something is left to do when you {job.form.do}"
    return f"what is needed is known and present when you {job.form.do}"


def _list_decoy_premises(structure: PlaceStructure) -> list[str]:
    stages = [label_stage(structure, stage) for stage in structure.stages]
    found = [f"there are {{{CLOCK}|min}} in all", "you do the work alone"]
    found += [f"{label} before the end" for label in stages[:2]]
    return [*found, "a job may be done as often as one likes"]


def _list_uncertainties(structure: PlaceStructure) -> list[str]:
    found = [f"{CLOCK} = how much time there is"]
    found += [
        f"{stock.name} = how much there is at the start of {stock.label}" for stock in structure.stocks[:3]
    ]
    found += [f"{job.name}_takes = how long it takes to {job.form.do}" for job in structure.jobs[:2]]
    return found
