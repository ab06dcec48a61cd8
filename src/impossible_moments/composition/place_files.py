"""Pydantic models of place files: one clock, stocks, equipment, and stages with alternative jobs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BeforeValidator, Field, model_validator

from impossible_moments.blueprints import InsightNote
from impossible_moments.mechanics.records import BaseForm, Category, Identifier, Sentence

LEVELS: Final = range(1, 11)
_RANGE: Final = re.compile(r"(\d+)(?:\s*\.\.\s*(\d+))?")

Level: TypeAlias = Annotated[int, Field(ge=1, le=10)]


class FigureRange(BaseForm):
    """The whole numbers from which a figure is drawn."""

    low: int = Field(ge=0)
    high: int


def _parse_range(value: object) -> object:
    if isinstance(value, int) and not isinstance(value, bool):
        return {"low": value, "high": value}
    if isinstance(value, str):
        found = _RANGE.fullmatch(value.strip())
        if found is None or int(found[1]) > int(found[2] or found[1]):
            raise ValueError(f"`{value}` is not a range such as 8..12")
        return {"low": int(found[1]), "high": int(found[2] or found[1])}
    return value


Figure: TypeAlias = Annotated[FigureRange, BeforeValidator(_parse_range)]


class StockForm(BaseForm):
    """An amount that jobs use, give, raise or lower."""

    name: Identifier
    label: str = Field(min_length=2, max_length=60)
    """The words of the table without an article, such as `battery` in `battery up by 198 Wh`."""
    unit: str
    from_level: Level = Field(default=1, alias="from")
    kind: Literal["store", "hazard"] = "store"
    """A store is used up, and a hazard must not rise too far."""
    start: Figure | None = None
    """The amount at the start. A store that no job fills needs none: it is computed."""
    limited: bool = False
    """Whether there is a most: the capacity of a store. A hazard always has one."""
    rises: Figure | None = None
    """For a hazard: by how much it rises each minute, whatever else goes on."""
    text: Sentence
    """A sentence of the text, with `{start}`, `{most}` and `{rises}`."""
    danger: str = ""
    """For a hazard that rises: the exact words of `text` that state what happens at its most."""

    @model_validator(mode="after")
    def _check_parts(self) -> StockForm:
        if self.rises is not None and (self.kind != "hazard" or not self.danger):
            raise ValueError(
                "`rises` needs `kind: hazard` and `danger`, the words of `text` that state the end"
            )
        if self.kind == "hazard" and self.start is None:
            raise ValueError("a hazard needs `start`")
        return self

    @property
    def has_most(self) -> bool:
        """Whether the stock has an upper limit."""
        return self.limited or self.kind == "hazard"


class MarkForm(BaseForm):
    """A threshold of a stock that some jobs need when they begin."""

    name: Identifier
    stock: Identifier
    side: Literal["at most", "at least"] = "at most"
    label: str
    """The head of its row in the table, such as `low clamp`."""
    text: Sentence
    """A sentence of the text, with `{mark}`."""
    condition: str
    """What must hold, as a part of a sentence, such as `the pit stands at {mark} or less`."""


class MachineForm(BaseForm):
    """Equipment that several jobs share."""

    name: Identifier
    label: str
    from_level: Level = Field(default=1, alias="from")
    swap: Figure | None = None
    """The minutes it takes to set it up for another purpose than the last one. None if there is nothing to set up."""
    rests_from: Level | None = None
    """The level from which it must rest during the job after each of its own. None if it never must."""
    text: Sentence
    """A sentence of the text, with `{swap}`; the rule of rest is added by itself."""


class ThingForm(BaseForm):
    """A thing that a job occupies for good, so that it can serve only one purpose."""

    name: Identifier
    label: str
    from_level: Level = Field(default=1, alias="from")
    text: Sentence


class InsightForm(InsightNote):
    """What a solver must realise to choose a job."""

    text: Sentence


class JobForm(BaseForm):
    """One piece of work. `uses`, `gives`, `clears` and `needs` are its ports to stocks."""

    name: Identifier
    do: str = Field(min_length=4, max_length=90)
    """The imperative of the table and of menus, such as `run the dynamo`."""
    deed: Sentence
    """What then happens, as a sentence."""
    said: str
    """Words by which an answer names the job: alternatives separated by `|`, groups that must all occur by `&`."""
    near_miss: str
    """A deed with the same things that is something else."""
    from_level: Level = Field(default=1, alias="from")
    until: Level = 10
    machine: Identifier | None = None
    setting: Identifier | None = None
    """What the machine is set up for."""
    takes: Figure
    uses: dict[Identifier, Figure] = Field(default={})
    gives: dict[Identifier, Figure] = Field(default={})
    carries: Identifier | None = None
    """A stock of which the job moves what it uses: it gives no more to other stocks of the same unit than it takes."""
    clears: Identifier | None = None
    """A stock that the job brings to zero."""
    needs: list[Identifier] = Field(default=[])
    """Marks that must hold when the job begins."""
    occupies: Identifier | None = None
    """A thing that must be free and is occupied for good."""
    learns: Identifier | None = None
    """Knowledge that the job gives, and that other jobs need."""
    knows: Identifier | None = None
    note: str = ""
    """Further words in the table."""
    insight: InsightForm | None = None


class StageForm(BaseForm):
    """A part of the work that must be done, by one of several jobs each time."""

    name: Identifier
    label: str
    """What is done, as in `the high clamps are cut`."""
    single: str = ""
    """The same for one piece, as in `the high clamp is cut`, if the count of a level is one."""
    count: dict[Level, int] = Field(default={1: 1})
    """How often it must be done, by the level from which this holds."""
    after: list[Identifier] = Field(default=[])
    """Stages that must be complete before."""
    from_level: Level = Field(default=1, alias="from")
    jobs: list[JobForm] = Field(min_length=1, max_length=4)

    def get_count(self, level: int) -> int:
        """Return how often the stage must be done at a level."""
        return next(self.count[start] for start in sorted(self.count, reverse=True) if start <= level)


class KnowledgeForm(BaseForm):
    """Something that can be found out."""

    name: Identifier
    label: str
    """What is known, as in `where the leak is`."""
    from_level: Level = Field(default=1, alias="from")


class PlaceForm(BaseForm):
    """A place: who is there, what is at stake, and everything that can be done."""

    format: Literal["im-place/1"]
    name: Identifier
    place: Sentence
    threat: Sentence
    categories: list[Category] = Field(min_length=1)
    levels: Figure = FigureRange(low=1, high=10)
    """The levels that the place serves."""
    titles: list[str] = Field(min_length=2)
    idea: Sentence
    person: str
    """The label of who or what is to be saved, such as `the miller`."""
    opening: str
    """Who you are, where, and what is at stake. It names `{person}`."""
    clock: Sentence
    """The sentence that states `{clock}`, the minutes that are left."""
    stakes: Sentence
    """What is lost when the time is over, with `{clock}`. It is printed below the story."""
    order_of_work: str = "the order of work"
    """The label of the rule that only one job is done at a time."""
    task: Sentence
    """The last sentence: what is wanted."""
    position: Sentence
    looks_impossible: Sentence
    excluded: Sentence
    category_match: dict[Category, Sentence] = Field(default={})
    harmless: list[str] = Field(min_length=3)
    names: dict[Identifier, str] = Field(default={})
    """Other names of things, separated by `|`."""
    stocks: list[StockForm] = Field(min_length=1)
    marks: list[MarkForm] = Field(default=[])
    machines: list[MachineForm] = Field(default=[])
    things: list[ThingForm] = Field(default=[])
    knowledge: list[KnowledgeForm] = Field(default=[])
    stages: list[StageForm] = Field(min_length=2)
    supplies: list[JobForm] = Field(default=[])
    """Jobs that belong to no stage: they fill stores, lower hazards, or find something out."""

    @model_validator(mode="after")
    def _check_references(self) -> PlaceForm:
        problems = list(_iterate_unknown_names(self))
        if problems:
            raise ValueError("; ".join(problems))
        return self

    @property
    def jobs(self) -> list[JobForm]:
        """All jobs: those of stages first."""
        return [*(job for stage in self.stages for job in stage.jobs), *self.supplies]


RESERVED_NAMES: Final = frozenset(
    {"you", "water", "air", "clock", "elapsed", "g", "pi", "rescued", "work_rule"}
)
"""Names that every record has already."""


def _iterate_unknown_names(place: PlaceForm) -> Iterator[str]:
    parts = (place.stocks, place.marks, place.machines, place.things, place.knowledge, place.stages)
    own = [each.name for part in parts for each in part]
    yield from (f"the name `{name}` is reserved" for name in own if name in RESERVED_NAMES)
    stocks = {each.name for each in place.stocks}
    known = {
        "mark": {each.name for each in place.marks},
        "machine": {each.name for each in place.machines},
        "thing": {each.name for each in place.things},
        "knowledge": {each.name for each in place.knowledge},
    }
    for mark in place.marks:
        if mark.stock not in stocks:
            yield f"the mark `{mark.name}` is about `{mark.stock}`, which is not a stock"
    for job in place.jobs:
        ports: list[str] = [*job.uses, *job.gives, *([job.clears] if job.clears else [])]
        yield from (
            f"the job `{job.name}` names `{name}`, which is not a stock"
            for name in ports
            if name not in stocks
        )
        for kind, names in (
            ("mark", job.needs),
            ("machine", [job.machine]),
            ("thing", [job.occupies]),
            ("knowledge", [job.learns, job.knows]),
        ):
            yield from (
                f"the job `{job.name}` names `{name}`, which is not a {kind}"
                for name in names
                if name is not None and name not in known[kind]
            )
    stages = [each.name for each in place.stages]
    for stage in place.stages:
        yield from (
            f"the stage `{stage.name}` comes after `{name}`, which is not a stage"
            for name in stage.after
            if name not in stages
        )
    units = {each.name: each.unit for each in place.stocks}
    for job in place.jobs:
        if job.carries is not None and (
            job.carries not in job.uses
            or units.get(job.carries) not in {units.get(name) for name in job.gives}
        ):
            yield (
                f"the job `{job.name}` carries `{job.carries}`, so it must use it and give a stock of the same unit"
            )
    names = [job.name for job in place.jobs]
    yield from (
        f"the job `{name}` occurs twice" for name in sorted({each for each in names if names.count(each) > 1})
    )
