"""Validators who lie: all is well with a record that fails, or nothing is with one that holds."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any, Final, TypeAlias

from pydantic_ai.messages import ModelResponse

from impossible_moments.domain.vocabulary import parse_main_status
from support.golden_records import claiming, golden
from support.nonsense.lines import BRIEFS, Prompter, handing_in
from support.nonsense.questions import Question
from support.nonsense.records import mutated, places_in
from support.nonsense.stage import Mind

Data: TypeAlias = dict[str, Any]
Corruption: TypeAlias = Callable[[Data, str, Random], Data]
"""A seed made false, given the status that was ordered."""
SURE: Final = 0.99
_MEASURE: Final = re.compile(r"(?<![\w.])(?P<number>\d+(?:\.\d+)?)\[(?P<unit>[^]]+)\]")
STATUSES: Final = {brief.scenario_id: brief.solution_status for brief in BRIEFS}
OTHER: Final = {"KS": "PX", "CT": "MT", "PX": "DG", "DG": "MT"}
"""A status that is not the brief's, of which there are golden records."""
SLOW: Final = frozenset({"clear_sky"})


def swearing(prompter: Prompter, seed: str, corruption: Corruption) -> Mind:
    """A seed whose record was corrupted, and everybody swears that all is valid."""

    def mind(question: Question) -> ModelResponse:
        line = prompter.honest(question)
        if question.kind == "SeedDocument":
            # the same corruption at every try: this designer is not moved
            dice = Random(f"{seed}/{question.scenario}")  # noqa: S311 - dice, not keys
            return handing_in(corruption(line, STATUSES[question.scenario], dice))
        return handing_in(_praising(line, question))

    return mind


def damning(prompter: Prompter) -> Mind:
    """A true seed, and everybody finds it invalid, vetoes it and votes against it, always."""

    def mind(question: Question) -> ModelResponse:
        line = prompter.honest(question)
        return handing_in(line if question.kind == "SeedDocument" else _damning(line, question))

    return mind


def unchanged(seed: Data, _status: str, _dice: Random) -> Data:
    """The true seed: what it comes to shows that the others fail for what was done to them."""
    return seed


def broken(seed: Data, _status: str, dice: Random) -> Data:
    """The record with parts taken away and leaves exchanged."""
    record = seed["mechanics"]
    for name in ("things", "quantities", "actions", "rules", "approaches"):
        part = record.get(name)
        if part and dice.random() < 0.5:
            record[name] = type(part)()
    return {**seed, "mechanics": mutated(record, dice, times=6)}


def bent(seed: Data, _status: str, dice: Random) -> Data:
    """One measure made far smaller or larger, in the record and in what is told of it: no word gives the lie away."""
    record = seed["mechanics"]
    places = [
        (holder, key, found)
        for name in ("quantities", "things")
        for holder, key in [(record, name), *places_in(record[name])]
        if isinstance(holder[key], str)
        for found in _MEASURE.finditer(holder[key])
    ]
    holder, key, found = dice.choice(places)
    number, unit = found["number"], found["unit"]
    other = f"{float(number) * dice.choice([0.1, 0.3, 3, 10]):g}"
    holder[key] = holder[key].replace(found[0], f"{other}[{unit}]", 1)
    told = json.dumps(seed["scenario"], ensure_ascii=False)
    retold = re.sub(rf"(?<![\w.]){re.escape(f'{number} {unit}')}\b", f"{other} {unit}", told)
    return {**seed, "scenario": json.loads(retold)}


def of_another_status(seed: Data, status: str, dice: Random) -> Data:
    """A true record, of a status that was not ordered."""
    others = [each for each in claiming(OTHER[status]) if each not in SLOW]
    return {**seed, "mechanics": golden(dice.choice(others))}


def _praising(line: dict[str, Any], question: Question) -> dict[str, Any]:
    changes: dict[str, Any] = {
        "feasibility": "VALID",
        "dimensional_analysis": "CONSISTENT",
        "concerns": [],
        "validity_concerns": [],
        "corrections_needed": [],
        "merit": "HIGH",
        "vote": "APPROVE",
        "status": parse_main_status(STATUSES[question.scenario]),
        "challenges": [],
        "vetoes": [],
        "escalation": None,
        "choice": "CHALLENGED",
        "satisfied": True,
        "confidence": SURE,
        "blind_confidence": SURE,
        "overall_confidence": SURE,
    }
    return _valid(_changed(line, question, changes), "VALID")


def _damning(line: dict[str, Any], question: Question) -> dict[str, Any]:
    evidence = [{"kind": "proof", "text": "it cannot be, by all laws", "expression": ""}]
    changes: dict[str, Any] = {
        "feasibility": "INVALID",
        "dimensional_analysis": "ERRORS-FOUND",
        "vote": "DISCARD",
        "vetoes": [
            {"claim": "C1", "law": "all of them", "proof": evidence, "core": True, "correctable": False}
        ],
        "challenges": [
            {
                "challenged": "ATHENA",
                "claim": "it is possible",
                "domain": "physics",
                "evidence": evidence,
                "confidence": SURE,
            }
        ],
        "satisfied": False,
        "choice": "CHALLENGER",
        "confidence": SURE,
    }
    return _valid(_changed(line, question, changes), "INVALID")


def _changed(line: dict[str, Any], question: Question, changes: dict[str, Any]) -> dict[str, Any]:
    fields = question.schema.get("properties", {})
    return {**line, **{name: value for name, value in changes.items() if name in fields}}


def _valid(line: dict[str, Any], verdict: str) -> dict[str, Any]:
    if "claims" in line:
        line["claims"] = [{**each, "verdict": verdict} for each in line["claims"]]
    return line
