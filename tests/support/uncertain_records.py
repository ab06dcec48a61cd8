"""Uncertain worlds for tests, and a second, plain solver that shares no code with the one under test."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from impossible_moments.mechanics.records import load_document
from impossible_moments.mechanics.uncertain import UncertainRecord, UncertainWorld, parse_uncertain_record

GOLDEN = Path(__file__).parents[1] / "golden" / "uncertain"
SMALL: dict[str, Any] = {
    "format": "im-uncertain/1",
    "title": "Two Doors",
    "category": "The Misdirection",
    "family": "two_doors",
    "situation": ["You stand before two doors."],
    "goal": "You open the right door.",
    "clock": {"amount": 20},
    "hidden": {
        "door": {
            "label": "the right door",
            "values": {
                "left": {"label": "the left door", "chance": 0.6},
                "right": {"label": "the right door", "chance": "rest"},
            },
        }
    },
    "stocks": {"coins": {"label": "coins", "amount": 1}},
    "marks": {"lit": {"yes": "the lamp burns", "no": "the lamp is dark"}},
    "acts": {
        "LIGHT": {
            "label": "Light the lamp",
            "takes": 5,
            "at_most": 1,
            "sets": {"lit": True},
            "cases": [{"results": [{"see": "light"}]}],
        },
        "LOOK": {
            "label": "Look through the keyhole",
            "kind": "test",
            "takes": 5,
            "uses": {"coins": 1},
            "needs": {"lit": True},
            "cases": [
                {
                    "when": {"door": "left"},
                    "results": [{"see": "gold", "chance": 0.9}, {"see": "nothing"}],
                },
                {"results": [{"see": "gold", "chance": 0.2}, {"see": "nothing"}]},
            ],
        },
        "LEFT": {
            "label": "Open the left door",
            "takes": 10,
            "cases": [
                {"when": {"door": "left"}, "results": [{"see": "open", "ends": "success"}]},
                {"results": [{"see": "shut", "ends": "failure"}]},
            ],
        },
        "RIGHT": {
            "label": "Open the right door",
            "takes": 10,
            "cases": [
                {"when": {"door": "right"}, "results": [{"see": "open", "ends": "success"}]},
                {"results": [{"see": "shut", "ends": "failure"}]},
            ],
        },
    },
}
"""A world with the optimum 0.54 + 0.32 = 0.86: light the lamp, look, and open the door that it shows."""


def build_small_data(**changes: Any) -> dict[str, Any]:
    """The small record with changed sections."""
    return {**deepcopy(SMALL), **changes}


def build_small_world() -> UncertainWorld:
    return UncertainWorld(parse_uncertain_record(build_small_data()))


@cache
def load_golden_world(name: str) -> UncertainWorld:
    """A world of tests/golden/uncertain."""
    return UncertainWorld(parse_uncertain_record(load_document(GOLDEN / f"{name}.yaml")))


def list_results(
    record: UncertainRecord, code: str, hidden: Mapping[str, str], seen: Mapping[str, int | bool]
) -> list[tuple[float, Any]]:
    """The results of an act in one hidden state with their probabilities, read directly from the record."""
    point: dict[str, object] = {**hidden, **seen}
    for case in record.acts[code].cases:
        allowed = {name: value if isinstance(value, list) else [value] for name, value in case.when.items()}
        if all(point[name] in values for name, values in allowed.items()):
            given = sum(float(each.chance) for each in case.results if each.chance != "rest")
            shares = [each for each in case.results if each.chance == "rest"]
            left = (1 - given) / len(shares) if shares else 0.0
            return [(left if each.chance == "rest" else float(each.chance), each) for each in case.results]
    raise AssertionError(f"no case of {code} fits")


def begin_plainly(record: UncertainRecord) -> dict[str, int | bool]:
    """Everything that a player sees at the start, by name."""
    return {
        "clock": record.clock.amount,
        **{name: each.amount for name, each in record.stocks.items()},
        **{name: each.start for name, each in record.marks.items()},
        **{f"used {code}": 0 for code in record.acts},
    }


def can_begin(record: UncertainRecord, code: str, seen: Mapping[str, int | bool]) -> bool:
    act = record.acts[code]
    return (
        act.takes <= seen["clock"]
        and all(seen[name] >= amount for name, amount in act.uses.items())
        and (act.at_most is None or seen[f"used {code}"] < act.at_most)
        and all(
            seen[name] in (value if isinstance(value, list) else [value]) for name, value in act.needs.items()
        )
    )


def follow_result(
    record: UncertainRecord, code: str, result: Any, seen: Mapping[str, int | bool]
) -> dict[str, int | bool]:
    act, after = record.acts[code], dict(seen)
    after["clock"] = max(after["clock"] - act.takes - result.delay, 0)
    after[f"used {code}"] += 1
    for name, amount in act.uses.items():
        after[name] -= amount
    return {**after, **act.sets, **result.sets}


def list_hidden_states(record: UncertainRecord) -> list[tuple[float, dict[str, str]]]:
    states: list[tuple[float, dict[str, str]]] = [(1.0, {})]
    for name, variable in record.hidden.items():
        given = sum(float(each.chance) for each in variable.values.values() if each.chance != "rest")
        shares = sum(each.chance == "rest" for each in variable.values.values())
        states = [
            (
                chance * ((1 - given) / shares if each.chance == "rest" else float(each.chance)),
                {**state, name: value},
            )
            for chance, state in states
            for value, each in variable.values.items()
        ]
    return states


def find_best_value_by_enumeration(record: UncertainRecord) -> float:
    """The optimum, by trying every act after every history. No belief is merged or normalised."""

    def value(states: list[tuple[float, dict[str, str]]], seen: dict[str, int | bool]) -> float:
        return max(
            (value_of_act(code, states, seen) for code in record.acts if can_begin(record, code, seen)),
            default=0.0,
        )

    def value_of_act(
        code: str, states: list[tuple[float, dict[str, str]]], seen: dict[str, int | bool]
    ) -> float:
        total, open_branches = (
            0.0,
            dict[str, tuple[list[tuple[float, dict[str, str]]], dict[str, int | bool]]](),
        )
        for weight, hidden in states:
            for chance, result in list_results(record, code, hidden, seen):
                if not chance or not weight:
                    continue
                if result.ends is not None:
                    total += weight * chance * (result.ends == "success")
                    continue
                after = follow_result(record, code, result, seen)
                key = repr((result.see, sorted(after.items())))
                open_branches.setdefault(key, ([], after))[0].append((weight * chance, hidden))
        return total + sum(value(group, after) for group, after in open_branches.values())

    return value(list_hidden_states(record), begin_plainly(record))


def simulate_tree(record: UncertainRecord, tree: Any, stream: Random) -> bool:
    """Play a written decision tree once, with chance from a stream, directly on the record."""
    states = list_hidden_states(record)
    (hidden,) = stream.choices([state for _, state in states], [chance for chance, _ in states])
    seen = begin_plainly(record)
    while isinstance(tree, dict):
        code = tree["do"]
        if not can_begin(record, code, seen):
            return False
        results = list_results(record, code, hidden, seen)
        (result,) = stream.choices([each for _, each in results], [chance for chance, _ in results])
        if result.ends is not None:
            return bool(result.ends == "success")
        seen = follow_result(record, code, result, seen)
        tree = tree["then"].get(result.see.casefold(), tree["then"].get("otherwise"))
    return False
