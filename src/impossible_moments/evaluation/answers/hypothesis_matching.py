"""Matching of free text against the hypotheses of a diagnosis puzzle.

A record gives each hypothesis a short name (`idle_in_harbour`). The text describes it by the figures that
only this hypothesis uses ("rumour says 18 weeks alongside"). An answer can therefore refer to a hypothesis by
its name, by its own figures, or by the words around them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from impossible_moments.evaluation.answers.figure_matching import find_mentioned_quantities
from impossible_moments.evaluation.answers.thing_names import extract_word_stems
from impossible_moments.mechanics.language import ExpressionError, parse_expression
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import DiagnosisPuzzle
from impossible_moments.mechanics.world import World

FIGURE_WEIGHT: Final = 2
"""Weight of a figure that only one hypothesis uses; a word weighs 1."""
LEAST_WEIGHT: Final = 2
_CLAUSE: Final = re.compile(r"[,;.:?!]")
_PLACEHOLDER: Final = re.compile(r"\{([^{}|]*)(?:\|[^{}]*)?\}")


def find_stated_hypothesis(text: str, form: DiagnosisPuzzle, world: World) -> str:
    """Return the name of the one hypothesis that a text states; empty if there is none or it is ambiguous."""
    words = extract_word_stems(text)
    names = {each.name: extract_word_stems(each.name.replace("_", " ")) for each in form.hypotheses}
    by_name = {name: len(own & words) for name, own in _keep_elements_unique_to_each_set(names).items()}
    figures, own_words = _collect_distinctive_figures(form, world), _collect_distinctive_words(form, world)
    weight = {
        name: by_name[name] * LEAST_WEIGHT
        + FIGURE_WEIGHT * len(find_mentioned_quantities(text, figures[name], world).paths)
        + len(own_words[name] & words)
        for name in names
    }
    first, *runners_up = sorted(weight.items(), key=lambda each: -each[1])
    if first[1] < LEAST_WEIGHT or any(value * 2 > first[1] for _, value in runners_up):
        return ""
    return first[0]


def _keep_elements_unique_to_each_set(sets: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    return {
        name: own - frozenset[str]().union(*(each for other, each in sets.items() if other != name))
        for name, own in sets.items()
    }


def _collect_distinctive_figures(form: DiagnosisPuzzle, world: World) -> dict[str, frozenset[str]]:
    """Return for each hypothesis the stated quantities that no other one uses."""
    return _keep_elements_unique_to_each_set(
        {
            each.name: frozenset(_iterate_predicted_quantities(each.predicts, world))
            for each in form.hypotheses
        }
    )


def _iterate_predicted_quantities(predicts: object, world: World) -> Iterator[str]:
    lines = predicts if isinstance(predicts, list) else re.split(r"[;\n]", str(predicts))
    for line in lines:
        body = str(line).partition("=")[2]
        try:
            tree = parse_expression(body.strip())
        except ExpressionError:
            continue
        yield from ex.collect_paths(tree) | world.collect_stated_quantities(tree)


def _collect_distinctive_words(form: DiagnosisPuzzle, world: World) -> dict[str, frozenset[str]]:
    """Return for each hypothesis the words that the narrative uses only around its own figures."""
    figures = _collect_distinctive_figures(form, world)
    found: dict[str, frozenset[str]] = dict.fromkeys(figures, frozenset())
    for clause in _CLAUSE.split(world.record.prose.narrative):
        named = set(_PLACEHOLDER.findall(clause))
        words = extract_word_stems(_PLACEHOLDER.sub(" ", clause))
        for name, own_figures in figures.items():
            if own_figures & named:
                found[name] |= words
    return _keep_elements_unique_to_each_set(found)
