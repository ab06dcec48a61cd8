"""Validators that lie: they approve a failing record, or reject a correct one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any, Final, TypeAlias

from pydantic_ai.messages import ModelResponse

from impossible_moments.domain.vocabulary import parse_main_status
from support.golden_records import list_records_claiming, load_golden_record
from support.nonsense.lines import BRIEFS, HonestModel, build_response, phrase_seed
from support.nonsense.questions import Question
from support.nonsense.records import iterate_places, mutate_record
from support.nonsense.stage import Mind

Data: TypeAlias = dict[str, Any]
Corruption: TypeAlias = Callable[[Data, str, Random], Data]
"""Function that corrupts a seed, given the ordered status."""
SURE: Final = 0.99
_MEASURE: Final = re.compile(r"(?<![\w.])(?P<number>\d+(?:\.\d+)?)\[(?P<unit>[^]]+)\]")
STATUSES: Final = {brief.scenario_id: brief.solution_status for brief in BRIEFS}
OTHER: Final = {"KS": "PX", "CT": "MT", "PX": "DG", "DG": "MT"}
"""A status that is not the brief's, of which there are golden records."""
SLOW: Final = frozenset({"clear_sky"})


def make_approving_model(prompter: HonestModel, seed: str, corruption: Corruption) -> Mind:
    """Make a model that corrupts the record and approves everything."""

    def mind(question: Question) -> ModelResponse:
        line = prompter.build_honest_answer(question)
        if question.asks_for_seed:
            # the same corruption at every try: this designer is not moved
            dice = Random(f"{seed}/{question.scenario}")  # noqa: S311 - dice, not keys
            corrupted = corruption(line, STATUSES[question.scenario], dice)
            return build_response(phrase_seed(corrupted, question))
        return build_response(_approve(line, question))

    return mind


def make_rejecting_model(prompter: HonestModel) -> Mind:
    """Make a model that hands in a correct seed, then rejects and vetoes it every time."""

    def mind(question: Question) -> ModelResponse:
        line = prompter.build_honest_answer(question)
        return build_response(
            phrase_seed(line, question) if question.asks_for_seed else _reject(line, question)
        )

    return mind


def keep_seed(seed: Data, _status: str, _dice: Random) -> Data:
    """Return the correct seed, as a control: the other seeds fail only because of their corruption."""
    return seed


def break_record(seed: Data, _status: str, dice: Random) -> Data:
    """Return the record with parts removed and leaves exchanged."""
    record = seed["mechanics"]
    for name in ("things", "quantities", "actions", "rules", "approaches"):
        part = record.get(name)
        if part and dice.random() < 0.5:
            record[name] = type(part)()
    return {**seed, "mechanics": mutate_record(record, dice, times=6)}


def distort_quantity(seed: Data, _status: str, dice: Random) -> Data:
    """Change one quantity strongly, consistently in the record and in the text."""
    record = seed["mechanics"]
    places = [
        (holder, key, found)
        for name in ("quantities", "things")
        for holder, key in [(record, name), *iterate_places(record[name])]
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


def replace_status(seed: Data, status: str, dice: Random) -> Data:
    """Return a correct record with a status that was not ordered."""
    others = [each for each in list_records_claiming(OTHER[status]) if each not in SLOW]
    return {**seed, "mechanics": load_golden_record(dice.choice(others))}


def _approve(line: dict[str, Any], question: Question) -> dict[str, Any]:
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
    return _mark_verdicts(_change_fields(line, question, changes), "VALID")


def _reject(line: dict[str, Any], question: Question) -> dict[str, Any]:
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
                "evidence": evidence,
                "confidence": SURE,
            }
        ],
        "satisfied": False,
        "choice": "CHALLENGER",
        "confidence": SURE,
    }
    return _mark_verdicts(_change_fields(line, question, changes), "INVALID")


def _change_fields(line: dict[str, Any], question: Question, changes: dict[str, Any]) -> dict[str, Any]:
    if question.kind == "RefinementBallot":
        return {name: _replace_known_fields(part, part, changes) for name, part in line.items()}
    return _replace_known_fields(line, question.schema.get("properties", {}), changes)


def _replace_known_fields(
    line: dict[str, Any], known: dict[str, Any], changes: dict[str, Any]
) -> dict[str, Any]:
    return {**line, **{name: value for name, value in changes.items() if name in known}}


def _mark_verdicts(line: dict[str, Any], verdict: str) -> dict[str, Any]:
    if "claims" in line:
        line["claims"] = [{**each, "verdict": verdict} for each in line["claims"]]
    return line
