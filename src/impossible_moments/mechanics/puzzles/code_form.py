"""Parsing of a code puzzle into rules, clues and named readings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.puzzles.context import Want
from impossible_moments.mechanics.puzzles.forms import CodePuzzle
from impossible_moments.mechanics.puzzles.reader import NAME_OF_ITEM, Entry, Reader
from impossible_moments.mechanics.puzzles.readings import PARTS, Rule, Rules
from impossible_moments.mechanics.scalars import Closure, compiled
from impossible_moments.mechanics.sorts import Sort

RulesOf: TypeAlias = Mapping[str, Sequence[Rule]]

CLUE: Final = "c_order = order == 'small_first' @ start with the small ones"
# part: (what a rule must return, an example)
_RULES: Final[Mapping[str, tuple[Want, str]]] = {
    "keep": ("condition", "used(i) = i.dust == 0"),
    "order": ("number", "small_first(i) = i.tall"),
    "read": ("number", "knot_count(i) = i.knots"),
}


@dataclass(frozen=True, slots=True)
class Clue:
    """A condition on the rules of a reading."""

    name: str
    where: str
    parts: frozenset[str]
    holds: Closure

    def allows(self, rules: Rules) -> bool:
        """Return whether the clue allows a reading with these rules."""
        return bool(self.holds(list(rules)))


def rules_of(form: CodePuzzle, reader: Reader) -> RulesOf:
    """Read the rival rules of each part, and check the items and the length of the code."""
    reader.wants_unique(form.items, "items", example="lamp, gull, kettle")
    for item in form.items:
        reader.knows(item, reader.context.things, f"{reader.where}/items", called="thing")
    if form.length > len(form.items):
        reader.refuse(
            "puzzle.form",
            f"{reader.where}/length",
            "the code is longer than the row of items",
            found=form.length,
            expected=f"at most {len(form.items)}, or more items",
        )
    rules = {
        "keep": _rules(form.keep, "keep", reader),
        "order": _rules(form.order, "order", reader),
        "read": _rules(form.read, "read", reader),
    }
    if reader.fine and all(len(rules[part]) == 1 for part in PARTS):
        reader.refuse(
            "puzzle.form",
            reader.where,
            "only one reading is possible, so there is nothing to solve",
            found="one rule each in keep, order and read",
            expected="rival rules, such as `used(i) = i.dust == 0; tallest(i) = i.tall >= 27[cm]`",
        )
    return rules


def _rules(lines: Sequence[str], part: str, reader: Reader) -> list[Rule]:
    want, example = _RULES[part]
    if not lines:
        reader.refuse(
            "puzzle.form", f"{reader.where}/{part}", f"there is no rule for {part}", expected=example
        )
    rules: list[Rule] = []
    for entry in reader.entries(lines, part, example=example, head=NAME_OF_ITEM):
        tree = reader.tree(entry, variables={entry.variable: Sort.TEXT}, want=want)
        if tree is not None:
            rules.append(Rule(entry.name, entry.variable, tree))
    return rules


def clues_of(form: CodePuzzle, rules: RulesOf, reader: Reader) -> tuple[Clue, ...]:
    """Read the clues. Each must be a condition on keep, order and read alone."""
    clues: list[Clue] = []
    for entry in reader.entries(form.clues, "clues", example=CLUE):
        reader.wants_quote(entry)
        tree = reader.parsed(entry)
        if tree is not None and _speaks_of_rules(tree, entry, rules, reader):
            clues.append(Clue(entry.name, entry.where, ex.reads(tree), compiled(tree, PARTS.index)))
    return tuple(clues)


def _speaks_of_rules(tree: Expression, entry: Entry, rules: RulesOf, reader: Reader) -> bool:
    match tree:
        case ex.All(parts) | ex.AnyOf(parts):
            verdicts = [_speaks_of_rules(part, entry, rules, reader) for part in parts]
            return all(verdicts)
        case ex.Not(inner):
            return _speaks_of_rules(inner, entry, rules, reader)
        case ex.Comparison("==" | "!=", ex.Name(part), ex.Text(rule)) | ex.Comparison(
            "==" | "!=", ex.Text(rule), ex.Name(part)
        ):
            return reader.knows(part, PARTS, entry.where, called="part of a reading") and reader.knows(
                rule, [each.name for each in rules[part]], entry.where, called=f"rule in {part}"
            )
        case _:
            reader.refuse(
                "puzzle.form",
                entry.where,
                "a clue must compare keep, order or read with a rule's name in quotes, joined by and, or, not",
                found=ex.written(tree),
                expected=CLUE,
            )
            return False


def answer_of(form: CodePuzzle, rules: RulesOf, reader: Reader) -> Rules | None:
    """Read the intended reading, or return None after a finding."""
    return reading_named(form.answer, rules, reader, f"{reader.where}/answer")


def reading_named(text: str, rules: RulesOf, reader: Reader, at: str) -> Rules | None:
    """Parse a reading `keep/order/read`. Return None after a finding if it is malformed or unknown."""
    names = [name.strip() for name in text.split("/")]
    if len(names) != len(PARTS):
        reader.refuse(
            "puzzle.form",
            at,
            "a reading must name three rules, keep/order/read",
            found=text,
            expected="used/small_first/knot_count",
        )
        return None
    known = [
        reader.knows(name, [rule.name for rule in rules[part]], at, called=f"rule in {part}")
        for name, part in zip(names, PARTS, strict=True)
    ]
    return Rules(*names) if all(known) else None
