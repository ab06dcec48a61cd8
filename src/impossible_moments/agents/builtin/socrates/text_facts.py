"""Facts of a public text: its sentences, the things it names, and its measures with the words around them.

The text is read as a solver sees it: narrative, environment, threat, position, objects and capabilities. The
title and the section on why it looks impossible are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from impossible_moments.domain.threat_text import separate_rules
from impossible_moments.mechanics.language import parse_unit, parse_unit_at
from impossible_moments.mechanics.language.dimensions import Dimension
from impossible_moments.mechanics.numbers import WORDING_NUMBER

TIME: Final[Dimension] = parse_unit("s").dimension
LENGTH: Final[Dimension] = parse_unit("m").dimension
SPEED: Final[Dimension] = parse_unit("m/s").dimension
_NUMBER: Final = re.compile(WORDING_NUMBER)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])[\"”']?\s+(?=[\"“'(]?[A-Z])|\n+")
_CLAUSE_END: Final = re.compile(r";\s*")
_WORD: Final = re.compile(r"[a-z]{3,}")
_STEM: Final = 5
_SURROUNDING: Final = 60
"""Characters before a number that are read as its label in running text."""
_UNSTATED: Final = frozenset({"", "none stated", "—", "-", "n/a"})
_FUNCTION_WORDS: Final = frozenset(
    "the and for with that from its his her your you one out has have are was but not they them this into at on in of to be is by"
    " takes take least most time each".split()
)
_TIME_AT_HAND: Final = re.compile(r"\btime\b[^.]*\b(?:left|have|allowed|until|remains?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Measure:
    """A number with its unit in SI, the words that say what it measures, and the passage it stands in."""

    value: float
    dimension: Dimension
    printed: str
    label: str
    passage: str

    @property
    def stems(self) -> frozenset[str]:
        """The stems of the words of the label."""
        return collect_stems(self.label)


@dataclass(frozen=True, slots=True)
class NamedThing:
    """Something that a table row names and describes: an object, or a feature of the place."""

    name: str
    description: str
    material: str
    measures: tuple[Measure, ...]
    is_object: bool

    @property
    def spoken_name(self) -> str:
        """The name with an article, as it stands within a sentence."""
        if re.match(r"(?:the|an?|your|his|her|our)\s", self.name, re.IGNORECASE):
            return self.name[:1].lower() + self.name[1:]
        return f"the {self.name[:1].lower()}{self.name[1:]}"

    @property
    def head(self) -> str:
        """The name without its article, in lower case."""
        return re.sub(r"^(?:the|an?|your|his|her|our)\s+", "", self.name.strip(), flags=re.IGNORECASE).lower()


@dataclass(frozen=True)
class TextFacts:
    """What a reader takes from a public text before judging anything."""

    sentences: tuple[str, ...]
    threat: str
    position: str
    things: tuple[NamedThing, ...]
    conditions: tuple[Measure, ...]
    """Measures of the environment and the capabilities that belong to no thing."""
    narrative_measures: tuple[Measure, ...]
    rows: tuple[str, ...]
    """All table rows as `heading: text`."""

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> TextFacts:
        """Read the visible fields of a seed document."""
        scenario = fields["scenario"]
        statement, rules = separate_rules(scenario["threat"])
        sentences = (
            *split_sentences(scenario["narrative"]),
            *(sentence for rule in rules for sentence in split_sentences(rule)),
        )
        things = [_read_object(row) for row in scenario["objects"]]
        conditions: list[Measure] = []
        features = [(row["feature"], row["specification"]) for row in scenario["environment"]]
        abilities = [(row["parameter"], row["value"]) for row in scenario.get("capabilities", ())]
        for heading, text in (*features, *abilities):
            measures = tuple(_read_clauses(text, heading))
            if _is_plain_measure(text):
                conditions += measures
            elif (heading, text) in features:
                things.append(NamedThing(heading, text, "", measures, is_object=False))
        objects = [(thing.name, thing.description) for thing in things if thing.is_object]
        return cls(
            sentences,
            statement,
            scenario["position"],
            tuple(things),
            tuple(conditions),
            tuple(measure for sentence in sentences for measure in find_measures(sentence, sentence)),
            tuple(f"{heading}: {text}" for heading, text in (*features, *abilities, *objects)),
        )

    @cached_property
    def deadline(self) -> Measure | None:
        """The time that the threat leaves, or that a row states as left."""
        stated = [each for each in find_measures(self.threat, self.threat) if each.dimension == TIME]
        rows = [
            each for each in self.conditions if each.dimension == TIME and _TIME_AT_HAND.search(each.label)
        ]
        return min((*stated, *rows), key=lambda each: each.value, default=None)

    @cached_property
    def full_text(self) -> str:
        """All sentences and rows joined."""
        return " ".join((*self.sentences, self.threat, self.position, *self.rows))

    def find_sentences_naming(self, thing: NamedThing) -> tuple[str, ...]:
        """Return the sentences that name a thing."""
        last = thing.head.rpartition(" ")[2]
        return tuple(
            each for each in self.sentences if thing.head in each.lower() or f" {last}" in each.lower()
        )


def split_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text."""
    yield from (part.strip() for part in _SENTENCE_END.split(text) if part.strip())


def collect_stems(text: str) -> frozenset[str]:
    """Return the first letters of the content words of a text."""
    return frozenset(word[:_STEM] for word in _WORD.findall(text.lower()) if word not in _FUNCTION_WORDS)


def find_measures(text: str, passage: str, label: str = "") -> Iterator[Measure]:
    """Yield the numbers of a text. Without a label, the words before a number are its label."""
    for match in _NUMBER.finditer(text):
        if match.start() and (text[match.start() - 1].isalnum() or text[match.start() - 1] in ".,:"):
            continue
        unit, end = parse_unit_at(text, match.end())
        factor, dimension = (unit[0], unit[1]) if unit is not None else (1.0, parse_unit("1").dimension)
        digits = match.group().replace("−", "-").replace(",", "").replace(" ", "")
        try:
            value = float(digits)
        except ValueError:
            continue  # a power of ten in print
        words = label or text[max(0, match.start() - _SURROUNDING) : match.start()]
        yield Measure(value * factor, dimension, text[match.start() : end].strip(), words, passage)


def _read_object(row: Mapping[str, str]) -> NamedThing:
    stated = [(name, row.get(name, "")) for name in ("mass", "dimensions")]
    measures = [
        measure
        for name, text in stated
        if text.lower() not in _UNSTATED
        for measure in find_measures(text, f"{row['name']}: {text}", name)
    ]
    notes = row.get("notes", "")
    measures += _read_clauses(notes, row["name"])
    material = row.get("material", "")
    return NamedThing(
        row["name"], notes, "" if material.lower() in _UNSTATED else material, tuple(measures), is_object=True
    )


def _read_clauses(text: str, heading: str) -> Iterator[Measure]:
    """Yield the measures of a cell, each with the heading and the words of its own clause as label."""
    for clause in _CLAUSE_END.split(text):
        words = _NUMBER.sub("", clause)
        label = f"{heading} {words}" if _is_plain_measure(text) else words
        yield from find_measures(clause, f"{heading}: {clause}", label)


def _is_plain_measure(text: str) -> bool:
    """Return whether a cell holds one number and its unit and nothing else."""
    match = _NUMBER.match(text.strip())
    if match is None:
        return False
    _, end = parse_unit_at(text.strip(), match.end())
    return len(text.strip()[end:].strip()) <= 12 and ";" not in text  # noqa: PLR2004 - room for an unknown unit
