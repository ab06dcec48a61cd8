"""The public text of a composed scenario: narrative and tables, from the same description as the record."""

from __future__ import annotations

from collections.abc import Iterator

from impossible_moments.composition.place_files import StageForm
from impossible_moments.composition.record_parts import PERSON, RULE, fill_stock_text
from impossible_moments.composition.structures import CLOCK, PlaceStructure, PlayedJob

ONE_AT_A_TIME = "one job at a time and each job whole"
NO_EXCEPTIONS = "there are no exceptions to it"
ONE_PAIR_OF_HANDS = "with one pair of hands it cannot be got round"


def build_narrative(structure: PlaceStructure) -> dict[str, str]:
    """Return the paragraphs of the narrative, by name."""
    place = structure.place
    clock = place.clock.replace("{clock}", f"{{{CLOCK}|min}}")
    opening = place.opening.replace("{person}", f"{{thing:{PERSON}}}")
    return {
        "opening": f"{opening} {clock}",
        "work": " ".join(_iterate_work_sentences(structure)),
        "rules": " ".join(_iterate_rule_sentences(structure)),
        "task": place.task,
    }


def _iterate_work_sentences(structure: PlaceStructure) -> Iterator[str]:
    parts = [describe_stage(structure, stage) for stage in structure.stages]
    yield f"This is the work: {'; '.join(parts)}."
    yield "All of it has to be done, and nothing else is asked of you."
    yield "The tables list every job that you can do, what it takes and what it changes."


def describe_stage(structure: PlaceStructure, stage: StageForm) -> str:
    """Return what a stage asks for, how often, and what must come before it."""
    played = {each.name: each for each in structure.stages}
    before = [label_stage(structure, played[name]) for name in stage.after if name in played]
    count = f" ({{{stage.name}_left|words}} in all, one at a time)" if structure.count(stage) > 1 else ""
    later = f", but only after {' and '.join(before)}" if before else ""
    return f"{label_stage(structure, stage)}{count}{later}"


def label_stage(structure: PlaceStructure, stage: StageForm) -> str:
    """Return the label of a stage, for one piece or for several."""
    return stage.single if structure.count(stage) == 1 and stage.single else stage.label


def _iterate_rule_sentences(structure: PlaceStructure) -> Iterator[str]:
    yield (
        f"You do {ONE_AT_A_TIME}, in any order and as often as you like; that is {{thing:{RULE}}}, "
        f"{NO_EXCEPTIONS}, and {ONE_PAIR_OF_HANDS}."
    )
    yield "What a job uses must be there when it begins, and what it changes is changed when it ends."
    if any(stock.rises is not None for stock in structure.stocks):
        yield "What rises by itself goes on rising during every job."
    yield "A job that would bring a stock below zero or above its most cannot be done."
    for machine in structure.machines:
        if structure.must_rest(machine):
            yield (
                f"After each of its jobs {{thing:{machine.name}}} is hot and must rest during the next job, "
                "which has to be a job without it."
            )
    yield "Waiting helps with nothing."


def build_environment(structure: PlaceStructure) -> dict[str, str]:
    """Return the rows of the environment table: stocks, marks, equipment and jobs."""
    rows: dict[str, str] = {}
    for stock in structure.stocks:
        rows[_capitalize(stock.label)] = fill_stock_text(stock, stock.text).rstrip(".")
    units = {stock.name: stock.unit for stock in structure.stocks}
    for mark in structure.marks:
        text = mark.text.replace("{mark}", f"{{{mark.name}|{units[mark.stock]}}}").rstrip(".")
        rows[_capitalize(mark.label)] = text
    for job in structure.jobs:
        rows[_capitalize(job.form.do)] = "; ".join(_iterate_job_cells(structure, job))
    return rows


def build_thing_notes(structure: PlaceStructure) -> dict[str, str]:
    """Return the notes of the object table: what machines and things are for."""
    notes: dict[str, str] = {}
    for machine in structure.machines:
        notes[machine.name] = machine.text.replace("{swap}", f"{{{machine.name}_swap|min}}").rstrip(".")
    notes |= {each.name: each.text.rstrip(".") for each in structure.things}
    return notes


def _iterate_job_cells(structure: PlaceStructure, job: PlayedJob) -> Iterator[str]:
    stocks = {stock.name: stock for stock in structure.stocks}
    knowledge = {each.name: each.label for each in structure.knowledge}
    if job.machine is not None:
        yield f"uses {job.machine.label}"
    yield f"takes {{{job.name}_takes|min}}"
    for name in job.uses:
        yield f"{stocks[name].label} down by {{{job.name}_{name}|{stocks[name].unit}}}"
    for name in job.gives:
        yield f"{stocks[name].label} up by {{{job.name}_{name}|{stocks[name].unit}}}"
    if job.clears is not None:
        yield f"{stocks[job.clears].label} down to zero, if there is any"
    if job.occupies is not None:
        label = next(each.label for each in structure.things if each.name == job.occupies)
        yield f"takes {label} for good"
    if job.knows is not None and job.knows in knowledge:
        yield f"only when you know {knowledge[job.knows]}"
    if job.learns is not None:
        yield f"you then know {knowledge[job.learns]}"
    if job.form.note:
        yield job.form.note


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]
