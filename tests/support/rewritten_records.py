"""Equivalent records: renamed, reordered, or in other units."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Final

from impossible_moments.mechanics.language.units import parse_unit
from impossible_moments.mechanics.records.lines import parse_line
from impossible_moments.mechanics.records.plans import parse_call, strip_quotes
from support.golden_records import Data

KEPT: Final = frozenset({"you", "water", "air", "ambient"})
"""Names with a meaning in the library or the language."""
REORDERED: Final = ("quantities", "things", "actions", "approaches")

_TOKEN: Final = re.compile(
    r"'[^']*'|\"[^\"]*\"|\[[^\]]*\]|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z]\w*(?:\.[A-Za-z]\w*)?"
)
_PLACEHOLDER: Final = re.compile(r"\{(thing:)?([\w.]+)((?:\|[^{}]*)?)\}")
_HEAD: Final = re.compile(r"(\w+)\(\s*(\w+)\s*\)")
_SLOT: Final = re.compile(r"(\w+)\s*:\s*(\w+)")
_NUMBER: Final = r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
_MEASURED: Final = re.compile(
    rf"(\s*)({_NUMBER})\[([^\[\]]+)\](?:(\s*)\(({_NUMBER})\.\.({_NUMBER})\))?((?![\s\S]*\[)[^*/+(]*)"
)

# fmt: off
OTHER_UNITS: Final[Mapping[str, tuple[str, ...]]] = {
    "m": ("cm", "km", "ft"), "cm": ("m", "inch"), "mm": ("um", "m"), "um": ("mm",), "km": ("m", "mile"),
    "s": ("min", "ms"), "min": ("s", "h"), "h": ("min", "day"), "day": ("h", "week"),
    "kg": ("g", "lb"), "g": ("mg", "kg"), "N": ("kN", "mN"), "kN": ("N", "MN"), "J": ("kJ", "cal"), "W": ("mW", "kW"), "mW": ("uW",),
    "K": ("degC", "degF"), "degC": ("K", "degF"), "bar": ("kPa", "psi"), "kPa": ("Pa", "bar"), "MPa": ("GPa", "bar"), "Pa": ("hPa",),
    "l": ("ml", "m**3"), "cm**3": ("ml", "l"), "m**3": ("l",), "m**2": ("cm**2", "ha"), "mm**2": ("cm**2",), "cm**2": ("m**2",),
    "m/s": ("km/h", "knot"), "km/h": ("m/s", "cm/s"), "cm/s": ("m/s",), "mm/s": ("m/min",), "m/min": ("m/s",), "l/min": ("m**3/h",),
    "m**3/min": ("l/s",), "K/h": ("K/min",), "W/K": ("kJ/(h*K)",), "V": ("mV",), "kV": ("V",), "deg": ("rad",), "kg/m**3": ("g/cm**3",),
}
# fmt: on


@dataclass(frozen=True, slots=True)
class Names:
    """The names in a record, by kind; as values, the new names."""

    things: Mapping[str, str]
    quantities: Mapping[str, str]
    verbs: Mapping[str, str]
    approaches: Mapping[str, str]


def collect_names(data: Data) -> dict[str, list[str]]:
    """Return everything in a record that can be renamed."""
    found = {
        "things": [thing["name"] for thing in data["things"]],
        "quantities": [parse_line(line, example="").head for line in data["quantities"]],
        "verbs": [action["do"].partition("(")[0].strip() for action in data["actions"]],
        "approaches": [approach["name"] for approach in data["approaches"]],
    }
    return {sort: [name for name in names if name not in KEPT] for sort, names in found.items()}


def rename_record(data: Data, names: Names) -> Data:
    """Return the record with all old names replaced by the new ones."""
    return _Renamer(names).rename_record(deepcopy(data))


def reorder_record(data: Data, random: Random) -> Data:
    """Return the record with its quantities, things, actions and approaches in another order."""
    data = deepcopy(data)
    for section in REORDERED:
        random.shuffle(data[section])
    return data


def convert_units(data: Data, random: Random) -> Data:
    """Return the record with its values written in other units, ranges included."""
    data = deepcopy(data)

    def rewrite(line: str) -> str:
        head, sign, body = line.partition("=")
        return head + sign + _convert_body(body, random)

    data["quantities"] = [rewrite(line) for line in data["quantities"]]
    for thing in data["things"]:
        thing["props"] = [rewrite(line) for line in thing["props"]]
    for action in data["actions"]:
        action["takes"] = _convert_body(action["takes"], random)
    return data


def _convert_body(body: str, random: Random) -> str:
    value, at, source = body.partition("@")
    found = _MEASURED.fullmatch(value)
    if found is None or found[3] not in OTHER_UNITS:
        return body
    old, new = parse_unit(found[3]), parse_unit(random.choice(OTHER_UNITS[found[3]]))

    def converted(number: str) -> str:
        return repr(new.from_si(old.to_si(float(number))))

    bounds = f"{found[4]}({converted(found[5])}..{converted(found[6])})" if found[5] is not None else ""
    return f"{found[1]}{converted(found[2])}[{new.text}]{bounds}{found[7]}{at}{source}"


class _Renamer:
    def __init__(self, names: Names) -> None:
        self._names = names

    def rename_record(self, data: Data) -> Data:
        data["quantities"] = [self._rename_line(line) for line in data["quantities"]]
        data["things"] = [self._rename_thing(thing) for thing in data["things"]]
        data["roles"] = [self._rename_rule(line) for line in data["roles"]]
        data["actions"] = [self._rename_action(action) for action in data["actions"]]
        for section in ("rates", "never", "agrees"):
            data[section] = [self._rename_line(line, heads=section == "rates") for line in data[section]]
        for field in ("goal", "deadline", "prefer"):
            if data[field] is not None:
                data[field] = self._rename_expression(data[field])
        data["puzzles"] = [self._rename_puzzle(puzzle) for puzzle in data["puzzles"]]
        data["approaches"] = [self._rename_approach(approach) for approach in data["approaches"]]
        data["insights"] = [self._rename_insight(line) for line in data["insights"]]
        data["cover"] = [self._rename_cover(line) for line in data["cover"]]
        data["status"] = self._rename_status(data["status"])
        data["prose"] = {name: text and self._rename_template(text) for name, text in data["prose"].items()}
        return self._rename_primitives(data)

    def _rename_primitives(self, data: Data) -> Data:
        if (scale := data["scale"]) is not None:
            scale["variable"] = self._rename_path(scale["variable"])
            scale["regimes"] = [self._rename_path(name) for name in scale["regimes"]]
            scale["flips"] = [
                self._rename_pair(line, self._names.approaches, self._rename_end) for line in scale["flips"]
            ]
        if (misdirection := data["misdirection"]) is not None:
            misdirection["obvious"] = self._names.approaches.get(
                misdirection["obvious"], misdirection["obvious"]
            )
            misdirection["clue"] = self._rename_template(misdirection["clue"])
            misdirection["hides"] = [self._rename_path(name) for name in misdirection["hides"]]
        if (missing := data["missing"]) is not None:
            missing["functions"] = [self._rename_rule(line) for line in missing["functions"]]
            missing["near"] = [self._rename_pair(line, self._names.things, str) for line in missing["near"]]
            missing["without"] = [self._names.approaches.get(name, name) for name in missing["without"]]
        if (frontier := data["frontier"]) is not None:
            claimed = frozenset(parse_line(line, example="").head for line in frontier["claims"])
            for section in ("envelope", "known"):
                frontier[section] = [
                    self._rename_line(line, heads=False, hidden=claimed) for line in frontier[section]
                ]
        return data

    def _rename_thing(self, thing: Data) -> Data:
        props = [self._rename_line(line, heads=False) for line in thing["props"]]
        return {**thing, "name": self._names.things.get(thing["name"], thing["name"]), "props": props}

    def _rename_action(self, action: Data) -> Data:
        verb, _, rest = action["do"].partition("(")
        slots = frozenset(name for name, _ in _SLOT.findall(rest))
        head = _SLOT.sub(lambda slot: f"{slot[1]}: {self._names.things.get(slot[2], slot[2])}", rest)
        value, at, source = action["takes"].partition("@")
        return {
            **action,
            "do": f"{self._names.verbs.get(verb.strip(), verb)}({head}",
            "when": [self._rename_line(line, heads=False, hidden=slots) for line in action["when"]],
            "then": [self._rename_effect(line, slots) for line in action["then"]],
            "takes": self._rename_expression(value, slots) + at + source,
        }

    def _rename_effect(self, line: str, hidden: frozenset[str] = frozenset()) -> str:
        parts = parse_line(line, example="", evidence=False)
        return (
            f"{self._rename_expression(parts.head, hidden)} = {self._rename_expression(parts.body, hidden)}"
        )

    def _rename_approach(self, approach: Data) -> Data:
        name = self._names.approaches.get(approach["name"], approach["name"])
        plan = [self._rename_call(call) for call in approach["plan"]]
        return {**approach, "name": name, "plan": plan, "ends": self._rename_end(approach["ends"])}

    def _rename_call(self, text: str) -> str:
        call = parse_call(text)
        arguments = [self._rename_argument(call.verb, argument) for argument in call.arguments]
        return f"{self._names.verbs.get(call.verb, call.verb)}({', '.join(arguments)})"

    def _rename_argument(self, verb: str, argument: str) -> str:
        match verb:
            case "answer" | "claim":
                return argument
            case "wait":
                return self._rename_expression(argument)
            case "wait_until" if argument != "*":
                return f'"{self._rename_expression(strip_quotes(argument))}"'
            case "choose":
                name, sign, value = argument.partition("=")
                return f"{self._rename_path(name.strip())}{sign}{value}"
            case "challenge":
                return self._rename_template(argument)
            case _:
                return self._names.things.get(
                    argument, self._rename_path(argument) if "." in argument else argument
                )

    def _rename_insight(self, line: str) -> str:
        parts = parse_line(line, example="", evidence=False)
        return f"{self._rename_call(parts.head)} = {parts.body}"

    def _rename_end(self, text: str) -> str:
        how, _, what = text.partition(" ")
        return f"{how} {self._rename_path(what)}" if how == "blocked" else text

    def _rename_cover(self, line: str) -> str:
        parts = parse_line(line, example="")
        body = self._names.approaches.get(parts.body, parts.body)
        evidence = f" @ {self._rename_template(parts.evidence)}" if parts.evidence else ""
        return f"{self._rename_path(parts.head)} = {body}{evidence}"

    def _rename_status(self, status: Data) -> Data:
        paths = {"fragile_in", "crux", "conflict"}

        def one(field: str, name: str) -> str:
            return self._rename_path(name) if field in paths else self._names.approaches.get(name, name)

        return {
            field: value
            if value is None or field in {"claim", "premise"}
            else [one(field, name) for name in value]
            if isinstance(value, list)
            else one(field, value)
            for field, value in status.items()
        }

    def _rename_puzzle(self, puzzle: Data) -> Data:
        puzzle["gives"] = [self._rename_effect(line) for line in puzzle["gives"]]
        match puzzle["kind"]:
            case "code":
                puzzle["items"] = [self._names.things.get(name, name) for name in puzzle["items"]]
                for section in ("keep", "order", "read"):
                    puzzle[section] = [self._rename_rule(line) for line in puzzle[section]]
                puzzle["clues"] = [self._rename_quote(line) for line in puzzle["clues"]]
            case "clues":
                unknown = frozenset(parse_line(line, example="").head for line in puzzle["unknowns"])
                puzzle["clues"] = [
                    self._rename_line(line, heads=False, hidden=unknown) for line in puzzle["clues"]
                ]
            case "signal":
                puzzle["told"] = [self._rename_template(quote) for quote in puzzle["told"]]
            case "diagnosis":
                puzzle["observations"] = [self._rename_quote(line) for line in puzzle["observations"]]
                for hypothesis in puzzle["hypotheses"]:
                    hypothesis["predicts"] = [
                        self._rename_line(line, heads=False) for line in hypothesis["predicts"]
                    ]
        return puzzle

    def _rename_quote(self, line: str) -> str:
        """Rename within a line in which only the quote may contain a name."""
        parts = parse_line(line, example="")
        return f"{parts.head} = {parts.body} @ {self._rename_template(parts.evidence)}"

    def _rename_rule(self, line: str) -> str:
        found = _HEAD.match(line)
        return self._rename_line(line, heads=False, hidden=frozenset({found[2]}) if found else frozenset())

    def _rename_line(self, line: str, *, heads: bool = True, hidden: frozenset[str] = frozenset()) -> str:
        parts = parse_line(line, example="")
        head = self._rename_path(parts.head) if heads else parts.head
        evidence = f" @ {self._rename_template(parts.evidence)}" if parts.evidence else ""
        return f"{head} = {self._rename_expression(parts.body, hidden)}{evidence}"

    def _rename_pair(self, line: str, heads: Mapping[str, str], body: Callable[[str], str]) -> str:
        head, _, rest = (part.strip() for part in line.partition("="))
        return f"{heads.get(head, head)} = {body(rest)}"

    def _rename_expression(self, text: str, hidden: frozenset[str] = frozenset()) -> str:
        def token(found: re.Match[str]) -> str:
            word = found.group()
            if word[0] in "'\"":
                return word[0] + self._names.things.get(word[1:-1], word[1:-1]) + word[0]
            if not word[0].isalpha() or word.partition(".")[0] in hidden:
                return word
            return self._rename_path(word)

        return _TOKEN.sub(token, text)

    def _rename_path(self, name: str) -> str:
        """Rename a quantity, a property, a condition or duration of a verb, or an end of a range."""
        first, dot, rest = name.partition(".")
        if not dot:
            return self._names.quantities.get(name, name)
        if first == "choose":
            return f"choose.{self._names.quantities.get(rest, rest)}"
        for names in (self._names.things, self._names.verbs, self._names.quantities):
            if first in names:
                return f"{names[first]}.{rest}"
        return name

    def _rename_template(self, text: str) -> str:
        def placeholder(found: re.Match[str]) -> str:
            name = self._names.things.get(found[2], found[2]) if found[1] else self._rename_path(found[2])
            return f"{{{found[1] or ''}{name}{found[3]}}}"

        return _PLACEHOLDER.sub(placeholder, text)
