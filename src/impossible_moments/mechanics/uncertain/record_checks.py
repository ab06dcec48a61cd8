"""Reading of an uncertain record: its form, its names, its probabilities, and that every episode ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, Final

from pydantic import ValidationError

from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.records import describe_form_problems
from impossible_moments.mechanics.uncertain.record_forms import (
    FORMAT,
    ActForm,
    ActKind,
    Chance,
    Condition,
    UncertainRecord,
    Value,
)

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"


class UncertainRecordError(ConfigurationError):
    """An uncertain record with faults. `problems` lists all of them."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(f"The uncertain record has faults: {' '.join(problems)}")
        self.problems = tuple(problems)


def is_uncertain_record(data: object) -> bool:
    """Return whether data is meant as an uncertain record."""
    return isinstance(data, Mapping) and data.get("format") == FORMAT


def parse_uncertain_record(data: object) -> UncertainRecord:
    """Return the record in data. Raise `UncertainRecordError` with every fault if it is not valid."""
    try:
        record = UncertainRecord.model_validate(data)
    except ValidationError as problem:
        raise UncertainRecordError(describe_form_problems(UncertainRecord, problem)) from None
    if problems := tuple(_find_problems(record)):
        raise UncertainRecordError(problems)
    return record


def build_uncertain_schema() -> dict[str, Any]:
    """Return the JSON Schema of uncertain records."""
    return {"$schema": DRAFT, **UncertainRecord.model_json_schema()}


def list_allowed_values(value: Value | list[Value]) -> tuple[Value, ...]:
    """Return the values that a condition allows for one name."""
    return tuple(value) if isinstance(value, list) else (value,)


def resolve_chances(chances: Sequence[Chance]) -> tuple[Fraction, ...]:
    """Return exact probabilities. Entries `rest` share equally what is left. Raise `ValueError` if they do not sum to 1."""
    given = [None if each == "rest" else Fraction(str(each)) for each in chances]
    stated = sum((each for each in given if each is not None), start=Fraction(0))
    shares, left = given.count(None), 1 - stated
    if left < 0 or (left > 0 and not shares):
        raise ValueError(f"the probabilities sum to {float(stated):g} instead of 1")
    return tuple(left / shares if each is None else each for each in given)


def _find_problems(record: UncertainRecord) -> Iterator[str]:
    names = [*record.hidden, *record.stocks, *record.marks]
    yield from (
        f"`{name}` names two things; give each its own name." for name in names if names.count(name) > 1
    )
    for name, variable in record.hidden.items():
        yield from _find_chance_problem(f"/hidden/{name}", [each.chance for each in variable.values.values()])
    for code, act in record.acts.items():
        yield from _find_act_problems(record, code, act)
    endings = {result.ends for act in record.acts.values() for case in act.cases for result in case.results}
    if "success" not in endings:
        yield "No result ends with success, so the goal cannot be reached."


def _find_chance_problem(place: str, chances: Sequence[Chance]) -> Iterator[str]:
    try:
        resolve_chances(chances)
    except ValueError as problem:
        yield f"At {place}, {problem}."


def _find_act_problems(record: UncertainRecord, code: str, act: ActForm) -> Iterator[str]:
    place = f"/acts/{code}"
    if not act.takes and act.at_most is None:
        yield f"At {place}, the act takes no time and has no `at_most`, so an episode might never end."
    for stock in act.uses:
        if stock not in record.stocks:
            yield f"At {place}/uses, `{stock}` is not a stock."
    yield from _find_condition_problems(record, f"{place}/needs", act.needs, with_hidden=False)
    for number, case in enumerate(act.cases):
        yield from _find_condition_problems(record, f"{place}/cases/{number}", case.when, with_hidden=True)
        yield from _find_chance_problem(f"{place}/cases/{number}", [each.chance for each in case.results])
    for name, value in act.aims.items():
        variable = record.hidden.get(name)
        if variable is None or value not in variable.values or variable.aimed is None:
            yield f"At {place}/aims, `{name}: {value}` is not a value of a hidden variable with `aimed`."
    changes = [act.sets, *(result.sets for case in act.cases for result in case.results)]
    for mark in {name for each in changes for name in each}:
        if mark not in record.marks:
            yield f"At {place}, `{mark}` is not a mark."
    ends = [result.ends for case in act.cases for result in case.results]
    if act.kind is ActKind.TEST and any(ends):
        yield f"At {place}, a test cannot end the episode; make it a step."
    yield from _find_gap(record, place, act)


def _find_condition_problems(
    record: UncertainRecord, place: str, condition: Condition, *, with_hidden: bool
) -> Iterator[str]:
    for name, value in condition.items():
        values = list_allowed_values(value)
        if name in record.hidden:
            if not with_hidden:
                yield f"At {place}, `{name}` is hidden, so an act cannot need it."
            known: set[Value] = set(record.hidden[name].values)
            yield from (
                f"At {place}, `{each}` is not a value of {name}." for each in values if each not in known
            )
        elif name in record.marks:
            if not all(isinstance(each, bool) for each in values):
                yield f"At {place}, `{name}` is a mark, so its value is true or false."
        elif name in record.stocks:
            if not all(isinstance(each, int) and not isinstance(each, bool) for each in values):
                yield f"At {place}, `{name}` is a stock, so its value is a whole number."
        else:
            yield f"At {place}, there is no hidden variable, stock or mark `{name}`."


def _find_gap(record: UncertainRecord, place: str, act: ActForm) -> Iterator[str]:
    """Yield a problem if no case of the act fits some combination of values."""
    named = sorted({name for case in act.cases for name in case.when})
    if any(name not in (*record.hidden, *record.marks, *record.stocks) for name in named):
        return
    domains = [_list_domain(record, name) for name in named]
    for values in product(*domains):
        point = dict(zip(named, values, strict=True))
        fits = any(
            all(point[name] in list_allowed_values(value) for name, value in case.when.items())
            for case in act.cases
        )
        if not fits:
            words = ", ".join(f"{name} = {value}" for name, value in point.items())
            yield f"At {place}/cases, no case fits {words}; add one, or a last case without a condition."
            return


def _list_domain(record: UncertainRecord, name: str) -> tuple[Value, ...]:
    if name in record.hidden:
        return tuple(record.hidden[name].values)
    if name in record.marks:
        return False, True
    return tuple(range(record.stocks[name].amount + 1))
