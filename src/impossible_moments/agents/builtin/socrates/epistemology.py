"""The epistemological analysis: what a text seems to test, what it tests, and how far success would carry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.builtin.socrates.approaches import find_known_uses
from impossible_moments.agents.builtin.socrates.blind_reading import BlindReading
from impossible_moments.agents.builtin.socrates.knowledge_fields import find_knowledge_fields
from impossible_moments.domain.classification import EpistemologicalAnalysis
from impossible_moments.domain.vocabulary import Level

_MOST_NAMED: Final = 3
_REFLECTIVE: Final = frozenset(
    {"limit of what is known", "asks for a specification", "closed rule", "stated dispute"}
)
"""Signs that require a solver to judge what can be known instead of what to do."""
_TEMPTING: Final = frozenset(
    {"insistence that a way must exist", "retold with a difference", "learned fuss", "ignored remark"}
)
"""Signs that pull a solver's thinking in a direction it has to notice."""


def analyse_epistemology(reading: BlindReading) -> EpistemologicalAnalysis:
    """Analyse what the scenario tests, from the facts and signs of its text."""
    level, reason = _grade_metacognitive_demand(reading)
    demands = list(_list_deep_demands(reading))
    return EpistemologicalAnalysis(
        surface_test=_describe_surface_test(reading),
        deep_test=f"It tests {'; '.join(demands)}. {reason}",
        metacognitive_demand=level,
        transferability=_describe_transferability(reading),
    )


def _describe_surface_test(reading: BlindReading) -> str:
    facts = reading.facts
    salient = sorted(facts.things, key=lambda thing: (-len(facts.find_sentences_naming(thing)), thing.name))
    names = ", ".join(thing.head for thing in salient[:_MOST_NAMED])
    fields = find_knowledge_fields(facts)
    knowledge = f"practical {' and '.join(fields[:2])}" if fields else "practical sense"
    return f"{knowledge} with {names or 'what the place offers'}, under the threat: {facts.threat}"


def _list_deep_demands(reading: BlindReading) -> Iterator[str]:
    """Yield what the text asks of a solver's thinking, each with the fact that shows it."""
    if reading.belief:
        yield f"whether a restriction that is only reported is taken for a rule (“{reading.belief}”)"
    yield from (
        f"whether a solver sees that {each.sign.meaning} (“{each.passage}”)"
        for each in reading.signs
        if each.sign.name in _REFLECTIVE
    )
    if reading.conflicts:
        conflict = reading.conflicts[0]
        yield f"whether `{conflict.offered.passage}` is compared with `{conflict.needed.passage}` before the thing is relied on"
    changed = next(
        (
            thing
            for thing in reading.facts.things
            if thing.is_object and find_known_uses(thing) and thing.description
        ),
        None,
    )
    if changed is not None:
        stated, usual = changed.description.split(";")[0], find_known_uses(changed)[0].replace("_", " ")
        yield f"whether {changed.head} is judged by what is stated of it ({stated}) and not by its usual use as {usual}"
    if not (reading.belief or reading.conflicts or changed) and not any(
        each.sign.name in _REFLECTIVE for each in reading.signs
    ):
        things, conditions = len(reading.options), len(reading.facts.conditions)
        yield f"whether {things} named things are weighed against {conditions} stated conditions instead of being used in the order of their mention"


def _grade_metacognitive_demand(reading: BlindReading) -> tuple[Level, str]:
    reflective = [each.sign.name for each in reading.signs if each.sign.name in _REFLECTIVE]
    tempting = [each.sign.name for each in reading.signs if each.sign.name in _TEMPTING]
    warned = sum(bool(option.remarks) for option in reading.options)
    if reading.belief or reflective:
        named = ", ".join([*(["a reported belief"] if reading.belief else []), *reflective])
        return "HIGH", f"The solver has to examine the question itself ({named})."
    if tempting or warned >= _MOST_NAMED:
        named = ", ".join(tempting) or f"{warned} things the text itself speaks against"
        return "MEDIUM", f"The solver has to notice where the telling leads its thinking ({named})."
    return "LOW", "Nothing in the text requires the solver to doubt the question."


def _describe_transferability(reading: BlindReading) -> str:
    facts = reading.facts
    stated = len(facts.conditions) + sum(len(thing.measures) for thing in facts.things)
    compared = len(reading.comparisons)
    fields = find_knowledge_fields(facts)
    scope = (
        f"Success should carry over to problems that join {' and '.join(fields[:_MOST_NAMED])}"
        if len(fields) > 1
        else f"Success should carry over to problems of {fields[0] if fields else 'everyday life'}"
    )
    if compared * 2 >= stated:
        limit = f"most of the {stated} figures can be compared directly, so it says little of situations in which figures must first be sought or derived"
    else:
        limit = (
            f"{stated} figures are stated and only {compared} can be compared directly, so that knowledge which the "
            "text does not supply decides, and failure may show its absence"
        )
    return f"{scope}; {limit}."
