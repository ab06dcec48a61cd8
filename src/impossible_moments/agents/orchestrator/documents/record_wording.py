"""The names, values, calls and conditions of a record in the words of its public text and its library."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from impossible_moments.mechanics.checks import WorldAnalysis
from impossible_moments.mechanics.execution import Move
from impossible_moments.mechanics.language import Dimension, ExpressionTypeError
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.prose import (
    PlaceholderError,
    PlainText,
    PrintableValue,
    ProseRequirements,
    ShownValue,
    ThingLabel,
    choose_print_form,
    list_prose_parts,
    render_piece,
    render_template_text,
)
from impossible_moments.mechanics.records import ProseForm, QuantityKind, parse_call
from impossible_moments.mechanics.world import World

YOU: Final = "you"
RELATIONS: Final = {
    ">=": "at least",
    ">": "more than",
    "<=": "at most",
    "<": "less than",
    "==": "equal to",
    "!=": "other than",
}
_OPERATORS: Final = {"+": "plus", "-": "minus", "*": "times", "/": "divided by"}
_PARTS: Final = ("environment", "objects", "capabilities", "threat", "position", "narrative")
"""The parts of the prose in the order in which they are searched for the words of a quantity."""
_TABLES: Final = frozenset({"environment", "objects", "capabilities"})
_CLAUSE_END: Final = re.compile(r"[.;!?\n](?=\s|$)|\bwith\b|,")
_TABLE_CLAUSE_END: Final = re.compile(r"[.;!?\n](?=\s|$)")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_LONGEST_PHRASE: Final = 14
_SHORTEST_NARRATED_PHRASE: Final = 2
_MOST_DIGITS: Final = 6
_MOST_OPERANDS: Final = 3
_ENDS: Final = {
    "goal": "reaches the goal",
    "late": "comes too late",
    "short": "ends without reaching the goal",
}
_SPOKEN_CALLS: Final = {
    "wait": "Wait {0}",
    "wait_until": "Wait until {0}",
    "choose": "Settle on {0}",
    "answer": "Answer: {1}",
    "challenge": "Question an assumption: {0}",
    "claim": "State: {0}",
    "impossible": "Show that it cannot be done: {0}",
}


@dataclass(frozen=True, slots=True)
class ComparisonInWords:
    """A comparison of two quantities with their values at the start, where nothing changes them."""

    left: str
    left_value: str
    relation: str
    right: str
    right_value: str

    def __str__(self) -> str:
        known = f" is {self.left_value}; it" if self.left_value else ""
        needed = ", ".join(dict.fromkeys(part for part in (self.right, self.right_value) if part))
        return f"{self.left}{known} must be {self.relation} {needed}"


@dataclass(frozen=True)
class RecordWording:
    """Words for what a record names. `steps` holds the author's wording of calls by normalized call."""

    analysis: WorldAnalysis
    requirements: ProseRequirements
    prose: ProseForm
    steps: Mapping[str, str]

    @property
    def world(self) -> World:
        """The world of the record."""
        return self.analysis.world

    def name_thing(self, name: str) -> str:
        """Return the label of a thing, or the name in words."""
        thing = self.world.things.get(name)
        return thing.label if thing is not None else name.strip("'\"").replace("_", " ")

    def name_quantity(self, path: str) -> str:
        """Return what the public text, the library or the source of an estimate calls a quantity."""
        owner, _, prop = path.rpartition(".")
        words = self._find_phrase(path)[0]
        if not words and (inputs := self._list_inputs_of_derived_quantity(path)):
            return f"what follows from {' and '.join(inputs)}"
        words = words or self._describe_unprinted_quantity(path, prop or path)
        if not owner or owner == YOU or owner not in self.world.things:
            return f"“{words}”"
        return f"“{words}” of {self.name_thing(owner)}"

    def is_printed(self, path: str) -> bool:
        """Return whether the public text prints the value of a quantity."""
        return path in self._phrases

    def format_value(self, path: str, value: float | None = None, *, digits: int | None = None) -> str:
        """Format the value of a quantity as the public text does; `value` replaces the stated one."""
        printable = self.requirements.printable.get(path)
        if printable is None:
            quantity = self.world.quantities.get(path)
            if quantity is None:
                return ""
            number = quantity.value if value is None else value
            return "" if not isinstance(number, float) else self._format_tree_value(ex.Name(path), number)
        stated = printable.value if value is None else value
        form = self._find_phrase(path)[1] or choose_print_form(printable)
        return self._render(replace(printable, value=stated), form, digits)

    def render_text(self, text: str) -> str:
        """Return a quotation from the record with its placeholders printed as the public text prints them."""
        try:
            return render_template_text(text, self.requirements)
        except PlaceholderError:
            return text

    def describe_call(self, call: str) -> str:
        """Describe a call in the author's words, else by its verb and the labels of its arguments.

        The author's words for a call with the same verb serve for other arguments too.
        """
        known = self.steps.get(normalize_call(call)) or self._adapt_wording_of_same_verb(call)
        if known:
            return known.strip().rstrip(".")
        parsed = parse_call(call)
        arguments = [self._describe_argument(each) for each in parsed.arguments]
        if parsed.verb in _SPOKEN_CALLS:
            padded = [*arguments, "", ""]
            return _SPOKEN_CALLS[parsed.verb].format(*padded).strip()
        verb = parsed.verb.replace("_", " ")
        first, *others = arguments or [""]
        text = f"{verb} {first}{''.join(f', with {each}' for each in others)}".strip()
        return text[:1].upper() + text[1:]

    def _adapt_wording_of_same_verb(self, call: str) -> str:
        parsed = parse_call(call)
        labels = [self._describe_argument(each) for each in parsed.arguments]
        for known_call, text in self.steps.items():
            known = parse_call(known_call)
            known_labels = [self._describe_argument(each) for each in known.arguments]
            if (
                known.verb == parsed.verb
                and parsed.verb not in _SPOKEN_CALLS
                and len(labels) == len(known_labels) == len(set(known_labels))
                and all(text.count(label) == 1 for label in known_labels)
            ):
                return _rename_labels(text, dict(zip(known_labels, labels, strict=True)))
        return ""

    def describe_plan(self, calls: tuple[str, ...]) -> str:
        """Describe the calls of a plan in order, as one phrase."""
        texts = [self.describe_call(call) for call in calls]
        return "; then ".join([*texts[:1], *(each[:1].lower() + each[1:] for each in texts[1:])])

    def find_move(self, call: str) -> Move | None:
        """Return the compiled move of a call, if the record or the library has it."""
        return self._moves.get(normalize_call(call))

    def describe_condition(self, call: str, condition: str) -> ComparisonInWords | None:
        """Describe a numeric condition of a call, or return None if it compares no two quantities.

        `condition` has the form `verb.name`.
        """
        move = self.find_move(call)
        return self._describe_test(() if move is None else (move,), condition.rpartition(".")[2])

    def describe_condition_of_verb(self, verb: str, name: str) -> ComparisonInWords | None:
        """Describe a numeric condition by the first move of a verb that has it, or return None."""
        moves = tuple(move for _, move in sorted(self._moves.items()) if move.verb == verb)
        return self._describe_test(moves, name)

    def _describe_test(self, moves: tuple[Move, ...], name: str) -> ComparisonInWords | None:
        trees = (
            comparison
            for move in moves
            for test in move.tests
            if test.name.rpartition(".")[2] == name
            for comparison in _iterate_comparisons(test.tree)
        )
        return next((words for words in map(self.describe_comparison, trees) if words is not None), None)

    def describe_comparison(self, tree: ex.Comparison) -> ComparisonInWords | None:
        """Describe a comparison of numbers. Comparisons with zero and of words are left out."""
        if tree.operator not in RELATIONS or self._infer_dimension(tree.left) is None:
            return None
        if any(map(self._is_fixed_at_zero, (tree.left, tree.right))):
            return None
        return ComparisonInWords(
            self._describe_operand(tree.left),
            self._evaluate_side(tree.left),
            RELATIONS[tree.operator],
            self._describe_operand(tree.right),
            self._evaluate_side(tree.right),
        )

    def describe_tree(self, tree: ex.Expression) -> str:
        """Describe a condition of comparisons joined by `and` and `or`."""
        match tree:
            case ex.Comparison():
                words = self.describe_comparison(tree)
                return str(words) if words is not None else self._describe_operand(tree)
            case ex.Conjunction(parts):
                return ", and ".join(map(self.describe_tree, parts))
            case ex.Disjunction(parts):
                return ", or ".join(map(self.describe_tree, parts))
            case _:
                return self._describe_operand(tree)

    def describe_end(self, end: str, calls: tuple[str, ...]) -> str:
        """Describe how a plan ends: `goal`, `late`, `short`, `blocked verb.condition` or `never name`."""
        kind, _, name = end.partition(" ")
        if kind == "blocked":
            verb = name.partition(".")[0]
            own = [call for call in calls if parse_call(call).verb == verb]
            found = next(filter(None, (self.describe_condition(call, name) for call in own)), None)
            plain = name.rpartition(".")[2].replace("_", " ")
            return (
                f"stopped: {found}" if found is not None else f"stopped: the condition “{plain}” is not met"
            )
        if kind == "never":
            rule = next((each for each in self.world.never_rules if each.name == name), None)
            words = self.render_text(rule.evidence) if rule is not None else ""
            return f"fails: {words or name.replace('_', ' ')}"
        return _ENDS.get(kind, end)

    @cached_property
    def _phrases(self) -> dict[str, tuple[str, str]]:
        """The words before each printed value, and the form in which it is printed."""
        found: dict[str, tuple[str, str]] = {}
        for path, phrase, form in _iterate_prose_phrases(self.prose):
            words, known_form = found.get(path, ("", ""))
            found[path] = (words or phrase, known_form or form)
        return found

    def _find_phrase(self, path: str) -> tuple[str, str]:
        """Return the words and the form of a quantity; of a disputed one the text prints the ends of its range."""
        names = (path, f"{path}.low", f"{path}.high")
        return next((self._phrases[name] for name in names if name in self._phrases), ("", ""))

    @cached_property
    def _moves(self) -> dict[str, Move]:
        plans = (*self.analysis.plans.values(), self.analysis.executor.logistics)
        moves = {normalize_call(move.text): move for move in self.analysis.searcher.moves}
        return moves | {normalize_call(move.text): move for plan in plans for move in plan}

    @cached_property
    def _library_words(self) -> dict[str, str]:
        found = {}
        form = self.world.library.form
        for line in (*form.properties, *form.further):
            head, _, words = line.partition("=")
            found[re.split(r"[\[(]", head.strip())[0].strip()] = words.partition(";")[0].strip()
        return found

    def _list_inputs_of_derived_quantity(self, path: str) -> list[str]:
        """Return the names of the few printed quantities that a derived one is computed from, else nothing."""
        quantity = self.world.quantities.get(path)
        if quantity is None or quantity.kind is not QuantityKind.DERIVED:
            return []
        paths = sorted(ex.collect_paths(quantity.tree))
        is_told = len(paths) <= _MOST_OPERANDS and all(self._find_phrase(each)[0] for each in paths)
        return [self.name_quantity(each) for each in paths] if is_told else []

    def _describe_unprinted_quantity(self, path: str, prop: str) -> str:
        quantity = self.world.quantities.get(path)
        source = quantity.source.removeprefix("estimate").lstrip(": ") if quantity is not None else ""
        estimated = source if quantity is not None and quantity.source.startswith("estimate:") else ""
        return estimated.partition(";")[0] or self._library_words.get(prop, "") or prop.replace("_", " ")

    def _describe_argument(self, argument: str) -> str:
        return self.name_thing(argument.strip("'\""))

    def _describe_operand(self, tree: ex.Expression) -> str:
        match tree:
            case ex.Name(name):
                return "the deadline" if tree == self.world.deadline else self.name_quantity(name)
            case ex.Property():
                return self.name_quantity(tree.path)
            case ex.Number():
                return ""
            case ex.Arithmetic(operator, left, right) if len(ex.collect_paths(tree)) <= _MOST_OPERANDS:
                sides = [self._describe_operand(side) or self._evaluate_side(side) for side in (left, right)]
                return f" {_OPERATORS.get(operator, operator)} ".join(sides)
            case _:
                names = ", ".join(map(self.name_quantity, sorted(ex.collect_paths(tree))))
                return f"what follows from {names}" if names else ""

    def _evaluate_side(self, tree: ex.Expression) -> str:
        """Return the value of one side, or nothing if an action or a rate can change it."""
        if self.world.collect_stated_quantities(tree) & self.world.mutable:
            return ""
        if isinstance(tree, ex.Name | ex.Property):
            path = tree.name if isinstance(tree, ex.Name) else tree.path
            if printed_value := self.format_value(path):
                return printed_value
        value = self.analysis.engine.evaluate_expression(tree)
        is_number = isinstance(value, float) and not isinstance(value, bool)
        return self._format_tree_value(tree, value) if is_number else ""

    def _is_fixed_at_zero(self, tree: ex.Expression) -> bool:
        """Return whether a side is zero whatever is done, so that the comparison decides nothing."""
        if self.world.collect_stated_quantities(tree) & self.world.mutable:
            return False
        return self.analysis.engine.evaluate_expression(tree) == 0.0

    def _format_tree_value(self, tree: ex.Expression, value: float) -> str:
        dimension = self._infer_dimension(tree)
        if dimension is None or not math.isfinite(value):
            return ""
        printable = PrintableValue(value, dimension)
        return self._render(printable, choose_print_form(printable))

    def _infer_dimension(self, tree: ex.Expression) -> Dimension | None:
        try:
            found = self.analysis.engine.infer_expression_type(tree)
        except ExpressionTypeError:
            return None
        return found if isinstance(found, Dimension) else None

    def _render(self, printable: PrintableValue, form: str, digits: int | None = None) -> str:
        """Render a value, with as many digits as keep it within one per cent of the truth."""
        requirements = replace(self.requirements, printable={"value": printable})
        for shown_digits in (digits, *range(1, _MOST_DIGITS + 1)):
            try:
                return render_piece(ShownValue(0, "", "value", form, shown_digits), requirements)
            except PlaceholderError:
                continue
        return f"{printable.value:.4g}" if isinstance(printable.value, float) else str(printable.value)


def format_margin(margin: float | None) -> str:
    """Return a margin as a signed percentage, or as a factor if a limit is exceeded more than twofold."""
    if margin is None:
        return "no number decides"
    return f"{margin:+.0%}" if margin >= -1 else f"exceeded by a factor of {1 - margin:.3g}"


def normalize_call(call: str) -> str:
    """Return a call without spaces and with one kind of quotation marks."""
    return "".join(call.split()).replace('"', "'")


def parse_insight_patterns(lines: list[str]) -> dict[str, str]:
    """Return the explanations of calls in a record, by call pattern."""
    parted = (line.partition("=") for line in lines)
    return {pattern.strip(): text.strip() for pattern, _, text in parted}


def _rename_labels(text: str, labels: Mapping[str, str]) -> str:
    """Replace labels in a text by others, all at once."""
    if not labels:
        return text
    pattern = re.compile("|".join(map(re.escape, sorted(labels, key=len, reverse=True))))
    return pattern.sub(lambda found: labels[found[0]], text)


def _iterate_comparisons(tree: ex.Expression) -> Iterator[ex.Comparison]:
    match tree:
        case ex.Comparison():
            yield tree
        case ex.Conjunction(parts):
            for part in parts:
                yield from _iterate_comparisons(part)


def _iterate_prose_phrases(prose: ProseForm) -> Iterator[tuple[str, str, str]]:
    """Yield the path of each printed value with the words before it in its clause, and its form."""
    parts = {part.name: part for part in list_prose_parts(prose)}
    for name in _PARTS:
        before = ""
        for piece in parts[name].pieces if name in parts else ():
            match piece:
                case PlainText():
                    end = _TABLE_CLAUSE_END if name in _TABLES else _CLAUSE_END
                    before = end.split(before + piece.raw)[-1]
                case ThingLabel():
                    before = "" if name in _TABLES else f"{before}{{}}"
                case ShownValue():
                    yield piece.name, _clean_phrase(before, is_narrated=name not in _TABLES), piece.form
                    before = ""
                case _:
                    before = ""


def _clean_phrase(text: str, *, is_narrated: bool) -> str:
    """Return the words of a clause that name a value, or nothing if they do not."""
    if is_narrated and text.rstrip().endswith((":", "(", "–", "—")):
        return ""  # the words before it are a statement of their own
    phrase = " ".join(text.split()).strip(" :,;-–—(")
    words = _WORD.findall(phrase)
    fewest = _SHORTEST_NARRATED_PHRASE if is_narrated else 1
    if "{}" in phrase or not fewest <= len(words) or len(phrase.split()) > _LONGEST_PHRASE:
        return ""
    return phrase[:1].lower() + phrase[1:] if not is_narrated else phrase
