"""Parsing of a code puzzle into rules, clues and named readings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expression_types import NonNumericType
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.scalar_evaluation import Closure, compile_expression
from impossible_moments.mechanics.puzzles.code_readings import PARTS, ItemRule, ReadingRules
from impossible_moments.mechanics.puzzles.puzzle_context import Want
from impossible_moments.mechanics.puzzles.puzzle_reader import NAME_OF_ITEM, PuzzleEntry, PuzzleReader
from impossible_moments.mechanics.records.puzzle_forms import CodePuzzle

RulesOf: TypeAlias = Mapping[str, Sequence[ItemRule]]

CLUE: Final = "c_order = order == 'small_first' @ start with the small ones"
# part: (what a rule must return, an example)
_RULES: Final[Mapping[str, tuple[Want, str]]] = {
    "keep": ("condition", "used(i) = i.dust == 0"),
    "order": ("number", "small_first(i) = i.tall"),
    "read": ("number", "knot_count(i) = i.knots"),
}


@dataclass(frozen=True, slots=True)
class CodeClue:
    """A condition on the rules of a reading."""

    name: str
    path: str
    parts: frozenset[str]
    holds: Closure

    def allows_reading(self, rules: ReadingRules) -> bool:
        """Return whether the clue allows a reading with these rules."""
        return bool(self.holds(list(rules)))


def read_rival_rules(form: CodePuzzle, reader: PuzzleReader) -> RulesOf:
    """Read the rival rules of each part, and check the items and the length of the code."""
    reader.require_unique_names(form.items, "items", example="lamp, gull, kettle")
    for item in form.items:
        reader.check_known_name(item, reader.context.things, f"{reader.path}/items", description="thing")
    if form.length > len(form.items):
        reader.reject_puzzle(
            "puzzle.form",
            f"{reader.path}/length",
            "the code is longer than the row of items",
            found=form.length,
            expected=f"at most {len(form.items)}, or more items",
        )
    rules = {
        "keep": _read_part_rules(form.keep, "keep", reader),
        "order": _read_part_rules(form.order, "order", reader),
        "read": _read_part_rules(form.read, "read", reader),
    }
    if reader.is_valid and all(len(rules[part]) == 1 for part in PARTS):
        reader.reject_puzzle(
            "puzzle.form",
            reader.path,
            "only one reading is possible, so there is nothing to solve",
            found="one rule each in keep, order and read",
            expected="rival rules, such as `used(i) = i.dust == 0; tallest(i) = i.tall >= 27[cm]`",
        )
    return rules


def _read_part_rules(lines: Sequence[str], part: str, reader: PuzzleReader) -> list[ItemRule]:
    expected_sort, example = _RULES[part]
    if not lines:
        reader.reject_puzzle(
            "puzzle.form",
            f"{reader.path}/{part}",
            f"the code puzzle has no rule for {part}",
            expected=example,
        )
    rules: list[ItemRule] = []
    for entry in reader.read_entries(lines, part, example=example, head=NAME_OF_ITEM):
        tree = reader.parse_typed_expression(
            entry, variables={entry.variable: NonNumericType.TEXT}, expected=expected_sort
        )
        if tree is not None:
            rules.append(ItemRule(entry.name, entry.variable, tree))
    return rules


def read_code_clues(form: CodePuzzle, rules: RulesOf, reader: PuzzleReader) -> tuple[CodeClue, ...]:
    """Read the clues. Each must be a condition on keep, order and read alone."""
    clues: list[CodeClue] = []
    for entry in reader.read_entries(form.clues, "clues", example=CLUE):
        reader.require_quote(entry)
        tree = reader.parse_expression(entry)
        if tree is not None and _is_condition_on_rules(tree, entry, rules, reader):
            clues.append(
                CodeClue(
                    entry.name, entry.path, ex.collect_paths(tree), compile_expression(tree, PARTS.index)
                )
            )
    return tuple(clues)


def _is_condition_on_rules(
    tree: Expression, entry: PuzzleEntry, rules: RulesOf, reader: PuzzleReader
) -> bool:
    match tree:
        case ex.Conjunction(parts) | ex.Disjunction(parts):
            verdicts = [_is_condition_on_rules(part, entry, rules, reader) for part in parts]
            return all(verdicts)
        case ex.Negation(inner):
            return _is_condition_on_rules(inner, entry, rules, reader)
        case ex.Comparison("==" | "!=", ex.Name(part), ex.Text(rule)) | ex.Comparison(
            "==" | "!=", ex.Text(rule), ex.Name(part)
        ):
            return reader.check_known_name(
                part, PARTS, entry.path, description="part of a reading"
            ) and reader.check_known_name(
                rule, [each.name for each in rules[part]], entry.path, description=f"rule in {part}"
            )
        case _:
            reader.reject_puzzle(
                "puzzle.form",
                entry.path,
                "a clue must compare keep, order or read with a rule's name in quotes, joined by and, or, not",
                found=ex.format_expression(tree),
                expected=CLUE,
            )
            return False


def read_intended_reading(form: CodePuzzle, rules: RulesOf, reader: PuzzleReader) -> ReadingRules | None:
    """Read the intended reading, or return None after a finding."""
    return parse_reading(form.answer, rules, reader, f"{reader.path}/answer")


def parse_reading(text: str, rules: RulesOf, reader: PuzzleReader, at: str) -> ReadingRules | None:
    """Parse a reading `keep/order/read`. Return None after a finding if it is malformed or unknown."""
    names = [name.strip() for name in text.split("/")]
    if len(names) != len(PARTS):
        reader.reject_puzzle(
            "puzzle.form",
            at,
            "a reading must name three rules, keep/order/read",
            found=text,
            expected="used/small_first/knot_count",
        )
        return None
    known = [
        reader.check_known_name(name, [rule.name for rule in rules[part]], at, description=f"rule in {part}")
        for name, part in zip(names, PARTS, strict=True)
    ]
    return ReadingRules(*names) if all(known) else None
