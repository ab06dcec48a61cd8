"""Names of quantities in the words of the public text, of the section `wording`, or of the library."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from impossible_moments.mechanics.language import ExpressionError, parse_expression
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records.lines import LineError, parse_line
from impossible_moments.mechanics.records.quantities import Quantity, QuantityKind
from impossible_moments.mechanics.wording.prose_phrases import ProsePhrase, collect_prose_phrases
from impossible_moments.mechanics.world.world_model import World

YOU: Final = "you"
MOST_INPUTS: Final = 3
"""A derived quantity is named by at most so many of the quantities that it is computed from."""
_THING: Final = re.compile(r"\{thing:([a-z][a-z0-9_]*)\}")
_VERB_BEFORE_VALUE: Final = re.compile(r"(?<=\w) (?:is|are|was|were)$")
"""The verb between the name of a quantity and its value in running text: `The frequency is 50 Hz`."""
_NO_PHRASE: Final = ProsePhrase("", "", is_narrated=False)
_ESTIMATE: Final = "estimate:"


@dataclass(frozen=True)
class QuantityNames:
    """Words for the things and quantities of a world.

    A quantity is named, in this order, by the words before its value in a table of the public text, by what the
    section `wording` says that it is, by the library if only the running text states it, by the running text, by what
    it is computed from or compared with, by the note of an estimate, by the library, and by its name in the record.
    Only words of the public text stand in quotation marks. Words of the running text break off before the value, which
    an ellipsis shows unless they are a noun alone.
    """

    world: World
    free_values: Mapping[str, Quantity] = field(default_factory=dict)
    """What an answer to an open question may state, by name."""

    def name_thing(self, name: str) -> str:
        """Return the label of a thing, or the name in words."""
        thing = self.world.things.get(name)
        return thing.label if thing is not None else name.strip("'\"").replace("_", " ")

    def name_quantity(self, path: str, *, with_note: bool = True) -> str:
        """Return the name of a quantity, with its owner unless that is the solver.

        `with_note` adds the note of an estimate to a name that no reader can know otherwise.
        """
        if path in self.free_values:
            return f"the answer's “{path.replace('_', ' ')}”"
        phrase, described = self.find_phrase(path), self._descriptions.get(path, "")
        if phrase.words and not phrase.is_narrated:
            return self._add_owner(f"“{phrase.words}”", path)
        if described:
            return described
        if phrase.words:
            return self._name_narrated_quantity(phrase.words, path)
        inputs = self._list_inputs_of_derived_quantity(path)
        if inputs:
            return f"what follows from {' and '.join(inputs)}"
        if path in self._names_by_comparison:
            return self._names_by_comparison[path]
        return self._name_unprinted_quantity(path, with_note=with_note)

    def _name_narrated_quantity(self, words: str, path: str) -> str:
        """Return the library's word for a property of a thing, else what the running text says before the value."""
        owner, _, prop = path.rpartition(".")
        if owner in self.world.things and self._library_words.get(prop):
            return self._name_by_library(owner, self._library_words[prop])
        subject = _VERB_BEFORE_VALUE.sub("", words)
        return self._add_owner(f"“{subject}”" if subject != words else f"“{words} …”", path)

    def _name_by_library(self, owner: str, known: str) -> str:
        return known if owner == YOU else f"{known} ({self.name_thing(owner)})"

    def find_description(self, path: str) -> str:
        """Return what the section `wording` says that a quantity is, or an empty text."""
        return self._descriptions.get(path, "")

    def find_phrase(self, path: str) -> ProsePhrase:
        """Return the phrase of a quantity in the public text. Of a disputed one, the ends of its range are printed."""
        names = (path, f"{path}.low", f"{path}.high")
        return next((self._phrases[name] for name in names if name in self._phrases), _NO_PHRASE)

    def is_printed(self, path: str) -> bool:
        """Return whether the public text prints the value of a quantity."""
        return path in self._phrases

    def _add_owner(self, words: str, path: str) -> str:
        owner = path.rpartition(".")[0]
        if not owner or owner == YOU or owner not in self.world.things:
            return words
        return f"{words} of {self.name_thing(owner)}"

    def _name_unprinted_quantity(self, path: str, *, with_note: bool) -> str:
        owner, _, prop = path.rpartition(".")
        quantity = self.world.quantities.get(path)
        if owner in self.world.things and quantity is not None and isinstance(quantity.tree, ex.Truth):
            label = self.name_thing(owner)
            verb = "are" if owner == YOU or _is_plural(label) else "is"
            return f"whether {label} {verb} {prop.replace('_', ' ')}"
        source = quantity.source if quantity is not None else ""
        note = (
            source.removeprefix(_ESTIMATE).partition(";")[0].strip() if source.startswith(_ESTIMATE) else ""
        )
        known = self._library_words.get(prop, "") if owner else ""
        named = self._add_owner(prop.replace("_", " "), path)
        if known:
            named = self._name_by_library(owner, known)
        return f"{named} (an estimate: {note})" if note and with_note else named

    @cached_property
    def _phrases(self) -> Mapping[str, ProsePhrase]:
        return collect_prose_phrases(self.world.record.prose.model_dump_json())

    @cached_property
    def _descriptions(self) -> Mapping[str, str]:
        """What the section `wording` says that each quantity is, such as `how long the glue takes to soften`."""
        form = self.world.record.wording
        found: dict[str, str] = {}
        for line in form.uncertainties if form is not None else ():
            try:
                parts = parse_line(line, example="arm = how far down an arm reaches", evidence=False)
            except LineError:
                continue
            words = _THING.sub(lambda match: self.name_thing(match[1]), parts.body)
            if "{" not in words:
                found[parts.head] = words
        return found

    @cached_property
    def _names_by_comparison(self) -> Mapping[str, str]:
        """Names of quantities that no text names, by what the record compares them with.

        What changes by itself counts against a limit of a danger or of the goal. A bound of an open question is the
        best value that was shown.
        """
        found: dict[str, str] = {}
        rules = (*(rule.tree for rule in self.world.never_rules), self.world.goal)
        for tree in (node for rule in rules for node in ex.walk_nodes(rule)):
            match tree:
                case ex.Comparison(
                    "<" | "<=" | ">" | ">=", ex.Name(name), ex.Name() | ex.Property() as limit
                ) if name in self.world.rates and name not in found:
                    path = limit.name if isinstance(limit, ex.Name) else limit.path
                    if self.find_phrase(path).words or path in self._descriptions:
                        found[name] = f"what counts towards {self.name_quantity(path)}"
        for name, counted_towards in self._iterate_summed_states():
            found.setdefault(name, f"what counts so far towards {counted_towards}")
        for tree in self._iterate_shown_bounds():
            match tree:
                case ex.Comparison(_, ex.Name(name), ex.Name(bound)) if name not in self.world.quantities:
                    found.setdefault(bound, f"the best “{name.replace('_', ' ')}” that was shown")
                case ex.Comparison(_, ex.Name(name), bound_tree) if name not in self.world.quantities:
                    for path in sorted(ex.collect_paths(bound_tree) & self.world.quantities.keys()):
                        found.setdefault(path, f"the best figure shown for “{name.replace('_', ' ')}”")
        return found

    def _iterate_summed_states(self) -> Iterator[tuple[str, str]]:
        """Yield each state that a condition of an action adds up towards a limit with a name, and that name."""
        tests = (test.tree for action in self.world.actions.values() for test in action.when)
        for tree in (node for test in tests for node in ex.walk_nodes(test)):
            match tree:
                case ex.Comparison(">" | ">=" | "<" | "<=", left, ex.Name() | ex.Property() as limit):
                    path = limit.name if isinstance(limit, ex.Name) else limit.path
                    if self.find_phrase(path).words or path in self._descriptions:
                        for name in sorted(ex.collect_paths(left) & self.world.mutable):
                            if "." not in name and not self.find_phrase(name).words:
                                yield name, self.name_quantity(path)

    def _iterate_shown_bounds(self) -> Iterator[ex.Expression]:
        form = self.world.record.frontier
        for line in form.known if form is not None else ():
            try:
                tree = parse_expression(
                    parse_line(line, example="best = height <= shown").body, self.world.library.templates
                )
            except (LineError, ExpressionError):
                continue
            yield from ex.walk_nodes(tree)

    @cached_property
    def _library_words(self) -> Mapping[str, str]:
        found = {}
        form = self.world.library.form
        for line in (*form.properties, *form.further):
            head, _, words = line.partition("=")
            found[re.split(r"[\[(]", head.strip())[0].strip()] = words.partition(";")[0].strip()
        return found

    def _list_inputs_of_derived_quantity(self, path: str) -> list[str]:
        """Return the names of the first printed quantities that a derived one is computed from."""
        quantity = self.world.quantities.get(path)
        if quantity is None or quantity.kind is not QuantityKind.DERIVED:
            return []
        paths = sorted(ex.collect_paths(quantity.tree))
        named = [each for each in paths if self.find_phrase(each).words or each in self._descriptions]
        shown = [self.name_quantity(each) for each in named[:MOST_INPUTS]]
        return [*shown, "other figures"] if shown and len(paths) > len(shown) else shown


def _is_plural(label: str) -> bool:
    """Return whether a label is a plural: one that ends in `s` and has no article of the singular."""
    return (
        label.endswith("s") and not label.endswith(("ss", "us", "is")) and not label.startswith(("a ", "an "))
    )
