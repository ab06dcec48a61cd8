"""Validators who lie: all is well with a record that fails, or nothing is with one that holds."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any, Final, TypeAlias

from pydantic_ai.messages import ModelResponse

from golden_records import claiming, golden
from impossible_moments.domain.vocabulary import main_status
from nonsense.lines import BRIEFS, Prompter, handing_in
from nonsense.questions import Question
from nonsense.records import mutated, places_in
from nonsense.stage import Mind

Data: TypeAlias = dict[str, Any]
Corruption: TypeAlias = Callable[[Data, str, Random], Data]
"""A record made false, given the status that was ordered."""
SURE: Final = 0.99
_MEASURE: Final = re.compile(r"(?<![\w.])\d+(\.\d+)?(?=\[)")
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
            line["mechanics"] = corruption(line["mechanics"], STATUSES[question.scenario], dice)
            # left empty it is told from the record, so that no number in it can give the lie away
            told = {name: type(value)() for name, value in line["scenario"].items()}
            return handing_in({**line, "scenario": told})
        return handing_in(_praising(line, question))

    return mind


def damning(prompter: Prompter) -> Mind:
    """A true seed, and everybody finds it invalid, vetoes it and votes against it, always."""

    def mind(question: Question) -> ModelResponse:
        line = prompter.honest(question)
        return handing_in(line if question.kind == "SeedDocument" else _damning(line, question))

    return mind


def broken(record: Data, _status: str, dice: Random) -> Data:
    """The record with parts taken away and leaves exchanged."""
    for name in ("things", "quantities", "actions", "rules", "approaches"):
        part = record.get(name)
        if part and dice.random() < 0.5:
            record[name] = type(part)()
    return mutated(record, dice, times=6)


def bent(record: Data, _status: str, dice: Random) -> Data:
    """The record with one measure made far smaller or larger: it can be read, and computes as something else."""
    places = [
        (holder, key)
        for name, part in record.items()
        if name in {"quantities", "things", "actions", "rates"}
        for holder, key in [(record, name), *places_in(part)]
        if isinstance(holder[key], str) and _MEASURE.search(holder[key])
    ]
    holder, key = dice.choice(places)
    factor = dice.choice([0.1, 0.3, 3, 10])
    holder[key] = _MEASURE.sub(lambda found: f"{float(found[0]) * factor:g}", holder[key], count=1)
    return record


def of_another_status(_record: Data, status: str, dice: Random) -> Data:
    """A true record, of a status that was not ordered."""
    return golden(dice.choice([each for each in claiming(OTHER[status]) if each not in SLOW]))


def _praising(line: dict[str, Any], question: Question) -> dict[str, Any]:
    changes: dict[str, Any] = {
        "feasibility": "VALID",
        "dimensional_analysis": "CONSISTENT",
        "concerns": [],
        "validity_concerns": [],
        "corrections_needed": [],
        "merit": "HIGH",
        "vote": "APPROVE",
        "status": main_status(STATUSES[question.scenario]),
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
