"""Constraints of a brief, judged by the words and things of a scenario."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from impossible_moments.domain.vocabulary import CATEGORIES
from impossible_moments.library import (
    collect_base_forms,
    find_word_families,
    list_base_forms,
    load_library_vocabulary,
    split_words,
)
from impossible_moments.scenarios import ConstraintJudgement

THREAT: Final = "threat"
OBJECTS: Final = "objects"
_NUMBERS: Final = {
    name: number
    for number, name in enumerate(
        "one two three four five six seven eight nine ten eleven twelve".split(), start=1
    )
}
_COUNT: Final = re.compile(
    rf"\b(?P<how>at least|at most|no more than|no fewer than|exactly|only)?\s*(?P<number>\d{{1,2}}|{'|'.join(_NUMBERS)})\s+(?:objects|things)\b",
    re.IGNORECASE,
)
_BOUNDS: Final = {"no more than": "at most", "no fewer than": "at least", "only": "exactly"}
_NEGATION: Final = re.compile(r"\b(?:without|no|not|never|avoid|avoids|avoiding|free of)\b", re.IGNORECASE)
_AS_THREAT: Final = re.compile(r"\b(?:threat|threaten\w*|danger|dangerous|hazard)\b", re.IGNORECASE)
_AS_OBJECT: Final = re.compile(r"\bas an? (?:object|tool|thing)\b", re.IGNORECASE)
_DUPLICATE: Final = re.compile(r"\bduplicat\w*", re.IGNORECASE)
_CATEGORY_NAME: Final = re.compile("|".join(map(re.escape, CATEGORIES)), re.IGNORECASE)
_TIME_PRESSURE: Final = re.compile(
    r"\b(?:time pressure|deadline|time limit|against the clock)\b", re.IGNORECASE
)
_NAMED_THING: Final = re.compile(r"\b(?:an?|the|inside|aboard)\s+([a-zà-ž -]+)", re.IGNORECASE)
_STOP_WORDS: Final = frozenset(
    """a an and any as at be by category danger dangerous exactly feature features for from hazard has have in include
    includes including inside outside aboard into involve involves involving is it its least more most must of on only or place scenario set
    setting should situation some somewhere story take takes task that the their there this threat threaten threatened
    threatening threatens to use uses using with without about no not never avoid avoids avoiding free than
    object thing""".split()
)
"""Words of a constraint that do not describe the situation."""
_SHORTEST_KEYWORD: Final = 3


@dataclass(frozen=True)
class ScenarioContent:
    """What a scenario is about: its texts by part, and the materials and properties of its things."""

    parts: Mapping[str, str]
    materials: frozenset[str] = frozenset()
    properties: frozenset[str] = frozenset()
    """Names of properties that things have with a value other than false."""
    object_count: int | None = None
    has_deadline: bool | None = None
    forms: Mapping[str, frozenset[str]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "forms", {part: collect_base_forms(text) for part, text in self.parts.items()}
        )


@dataclass(frozen=True)
class BriefConstraint:
    """A constraint of a brief."""

    text: str

    @property
    def is_negated(self) -> bool:
        """Whether the constraint excludes something."""
        return _NEGATION.search(_COUNT.sub(" ", self.text)) is not None

    @property
    def object_bound(self) -> tuple[str, int] | None:
        """`at most`, `at least` or `exactly`, with a number of objects, or None."""
        found = _COUNT.search(self.text)
        if found is None:
            return None
        how, number = (found["how"] or "exactly").lower(), found["number"].lower()
        return _BOUNDS.get(how, how), _NUMBERS.get(number) or int(number)

    @cached_property
    def keywords(self) -> tuple[str, ...]:
        """The words that describe the situation, in their order."""
        text = self.text
        for pattern in (_CATEGORY_NAME, _TIME_PRESSURE, _COUNT):
            text = pattern.sub(" ", text)
        return tuple(
            dict.fromkeys(
                word
                for word in split_words(text)
                if len(word) >= _SHORTEST_KEYWORD and not list_base_forms(word) & _STOP_WORDS
            )
        )

    def judge(self, content: ScenarioContent) -> ConstraintJudgement:
        """Judge the constraint by the content of a scenario."""
        if _DUPLICATE.search(self.text):
            return self._build("met", "the scenario was compared with all published ones")
        results = [each for each in (self._judge_count(content), self._judge_deadline(content)) if each]
        if self.keywords:
            results.append(self._judge_keywords(content))
        if not results:
            return self._build("unjudged", "it names nothing that can be computed")
        order = ("unmet", "unjudged", "met")
        return min(results, key=lambda each: order.index(each.verdict))

    def _judge_count(self, content: ScenarioContent) -> ConstraintJudgement | None:
        if self.object_bound is None:
            return None
        if content.object_count is None:
            return self._build("unjudged", "the number of objects is not known yet")
        how, number = self.object_bound
        found = content.object_count
        is_met = {"at least": found >= number, "at most": found <= number}.get(how, found == number)
        return self._build("met" if is_met else "unmet", f"there are {found} objects")

    def _judge_deadline(self, content: ScenarioContent) -> ConstraintJudgement | None:
        if not _TIME_PRESSURE.search(self.text):
            return None
        if content.has_deadline is None:
            return self._build("unjudged", "the deadline is not known yet")
        is_met = content.has_deadline is not self.is_negated
        return self._build(
            "met" if is_met else "unmet",
            "the record has a deadline" if content.has_deadline else "the record has no deadline",
        )

    def _judge_keywords(self, content: ScenarioContent) -> ConstraintJudgement:
        part = THREAT if _AS_THREAT.search(self.text) else OBJECTS if _AS_OBJECT.search(self.text) else None
        evidence = {word: next(_iterate_evidence(word, content, part), "") for word in self.keywords}
        present = [f"`{word}` by {found}" for word, found in evidence.items() if found]
        missing = [word for word, found in evidence.items() if not found]
        unknown = [word for word in missing if not _is_known_word(word) and not self._names_thing(word)]
        absent = [word for word in missing if word not in unknown]
        place = f" in the {part}" if part else ""
        if self.is_negated:
            if present:
                return self._build("unmet", f"found{place}: {'; '.join(present)}")
            if unknown:
                return self._build(
                    "unjudged", f"not found{place}, but not in the vocabulary: {', '.join(unknown)}"
                )
            return self._build("met", f"not found{place}: {', '.join(absent)}")
        if absent:
            return self._build("unmet", f"not found{place}: {', '.join(absent)}")
        if unknown:
            return self._build("unjudged", f"not in the vocabulary: {', '.join(unknown)}")
        return self._build("met", f"found{place}: {'; '.join(present)}")

    def _names_thing(self, word: str) -> bool:
        """Return whether a word names a thing or place, as in `inside a volcano`, and is not excluded by the constraint.

        A scenario that contains such a thing says so.
        """
        phrases = _NAMED_THING.findall(self.text)
        return not self.is_negated and any(word in split_words(phrase) for phrase in phrases)

    def _build(self, verdict: str, reason: str) -> ConstraintJudgement:
        return ConstraintJudgement.model_validate({"text": self.text, "verdict": verdict, "reason": reason})


def judge_inspiration(text: str, content: ScenarioContent) -> ConstraintJudgement:
    """Judge whether an inspiration shows in a scenario: at least half of its known words do."""
    keywords = [word for word in BriefConstraint(text).keywords if _is_known_word(word)]
    if not keywords:
        return ConstraintJudgement(
            text=text, verdict="unjudged", reason="none of its words is in the vocabulary"
        )
    present = [word for word in keywords if next(_iterate_evidence(word, content, None), "")]
    absent = [word for word in keywords if word not in present]
    is_met = len(present) * 2 >= len(keywords)
    reason = "; ".join(
        f"{label}: {', '.join(words)}"
        for label, words in (("found", present), ("not found", absent))
        if words
    )
    return ConstraintJudgement(text=text, verdict="met" if is_met else "unmet", reason=reason)


def _iterate_evidence(word: str, content: ScenarioContent, part: str | None) -> Iterator[str]:
    """Yield what shows that a scenario contains a word or its family, the word itself first."""
    parts = {name: forms for name, forms in content.forms.items() if part in {None, name}}
    own = list_base_forms(word)
    for name, forms in parts.items():
        if own & forms:
            yield f"the word in the {name}"
    for family in find_word_families(word):
        for name, forms in parts.items():
            if found := family.words & forms:
                yield f"the word `{min(found)}` in the {name}"
        if part in {None, OBJECTS}:
            if found := family.materials & content.materials:
                yield f"the material `{min(found)}`"
            if found := family.properties & content.properties:
                yield f"the property `{min(found)}` of a thing"


def _is_known_word(word: str) -> bool:
    """Return whether the absence of a word means something: it has a family, or the library names such things."""
    return word not in _NUMBERS and bool(
        find_word_families(word) or list_base_forms(word) & load_library_vocabulary()
    )
