"""Words and quantities by which answers may refer to the named conditions of a record."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from impossible_moments.evaluation.answers.thing_names import extract_word_stems
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.world import World

DEADLINE: Final = "deadline"
_CLAUSE: Final = re.compile(r"[;.?!](?:\s|$)")
_PLACEHOLDER: Final = re.compile(r"\{([^{}|]*)(?:\|[^{}]*)?\}")


@dataclass(frozen=True)
class ConditionTerms:
    """The words, quantities and expressions of the conditions of one world."""

    world: World
    _words: dict[str, frozenset[str]] = field(default_factory=dict)
    _paths: dict[str, frozenset[str]] = field(default_factory=dict)

    def get_condition_words(self, condition: str) -> frozenset[str]:
        """Return the word stems of a condition, from the labels of the things and quantities it compares."""
        if condition not in self._words:
            self._words[condition] = extract_word_stems(
                " ".join(self._iterate_condition_descriptions(condition))
            )
        return self._words[condition]

    def get_quantity_paths(self, condition: str) -> frozenset[str]:
        """Return the paths of the stated quantities that a condition depends on, for any slot values."""
        if condition not in self._paths:
            found: set[str] = set()
            for tree in self.list_tested_expressions(condition):
                found |= self._find_stated_quantities(tree)
            self._paths[condition] = frozenset(found)
        return self._paths[condition]

    def list_tested_expressions(self, condition: str) -> list[ex.Expression]:
        """Return the expressions that a condition tests."""
        verb, _, name = condition.partition(".")
        found = [each.tree for each in self.world.never_rules if each.name == condition]
        if condition == DEADLINE and self.world.deadline is not None:
            found.append(self.world.deadline)
        if verb in self.world.actions:
            action = self.world.actions[verb]
            found += [each.tree for each in action.when if each.name.rpartition(".")[2] == name]
            # the role test of a slot is a condition too
            roles = (self.world.roles.get(slot.type) for slot in action.slots if slot.name == name)
            found += [role.test for role in roles if role is not None]
        return found

    def _iterate_condition_descriptions(self, condition: str) -> Iterator[str]:
        yield condition.replace(".", " ").replace("_", " ")
        yield from (each.evidence for each in self.world.never_rules if each.name == condition)
        if condition == DEADLINE:
            yield "deadline time late clock"
        action = self.world.actions.get(condition.partition(".")[0])
        if action is not None:
            for slot in action.slots:
                only = self.world.things.get(slot.type)
                yield only.label if only is not None else slot.type.replace("_", " ")
        for tree in self.list_tested_expressions(condition):
            for path in sorted(ex.collect_paths(tree) | self.world.collect_stated_quantities(tree)):
                thing, _, prop = path.partition(".")
                yield (prop or path).replace("_", " ")
                if thing in self.world.things:
                    yield self.world.things[thing].label
                yield " ".join(sorted(self.table_words.get(prop or path, ())))

    def _find_stated_quantities(self, tree: ex.Expression) -> set[str]:
        """Return the quantities an expression depends on; for states also those of effects that set them."""
        world = self.world
        found = set(
            self._expand_property_paths(ex.collect_paths(tree) | world.collect_stated_quantities(tree))
        )
        for path in found & world.mutable:
            for effect in self._effect_expressions.get(path.rpartition(".")[2], ()):
                found = found | set(
                    self._expand_property_paths(
                        ex.collect_paths(effect) | world.collect_stated_quantities(effect)
                    )
                )
        return found

    def _expand_property_paths(self, paths: frozenset[str]) -> Iterator[str]:
        for path in paths:
            thing, _, prop = path.partition(".")
            if thing in self.world.things or not prop:
                yield path
            else:
                yield from self._paths_by_property.get(prop, ())

    @cached_property
    def _paths_by_property(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, list[str]] = defaultdict(list)
        for path in self.world.quantities:
            found[path.partition(".")[2]].append(path)
        return {prop: tuple(paths) for prop, paths in found.items()}

    @cached_property
    def _effect_expressions(self) -> Mapping[str, tuple[ex.Expression, ...]]:
        """Expressions of the effects that set each state or property, by the last part of its name."""
        found: dict[str, list[ex.Expression]] = defaultdict(list)
        for action in self.world.actions.values():
            for effect in action.then if action.own else ():
                found[effect.target.name].append(effect.tree)
        return {name: tuple(trees) for name, trees in found.items()}

    @cached_property
    def table_words(self) -> Mapping[str, frozenset[str]]:
        """Word stems around the placeholder of each quantity or property in the tables of the text."""
        prose = self.world.record.prose
        found: dict[str, set[str]] = defaultdict(set)
        for text in (prose.environment, prose.objects):
            for clause in _CLAUSE.split(text or ""):
                names = [each.strip() for each in _PLACEHOLDER.findall(clause)]
                words = extract_word_stems(_PLACEHOLDER.sub(" ", clause))
                for name in names:
                    if not name.startswith(("thing:", "say:")):
                        found[name.partition(".")[2] or name] |= words
        return {name: frozenset(words) for name, words in found.items()}
