"""Departures: what a handed-in seed document states otherwise than the design that it was built from.

The two differ if somebody changed the document after it was built. Where a demand is about such a part, the part is
restored, and the design stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from impossible_moments.agents.builtin.assignment_view import RevisionDemand
from impossible_moments.agents.builtin.athena.demand_subjects import DemandTarget
from impossible_moments.agents.orchestrator.revision_history import list_changed_values
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.mechanics.records import Record

# fmt: off
_PARTS: Final = (
    # field, its name, and the words of a demand that is about it
    ("insight_chain",         "the insights",                re.compile(r"\binsights?\b|\bhabit\b|fixedness", re.IGNORECASE)),
    ("wrong_answers",         "the wrong answers",           re.compile(r"wrong answer", re.IGNORECASE)),
    ("distractor_inventory",  "the distractors",             re.compile(r"\bdistractors?\b|\blures?\b|\brival\b|tempting", re.IGNORECASE)),
    ("solution_sketch",       "the sketch and its claims",   re.compile(r"\bsketch\b|\bstated end\b|\bC\d{1,3}\b", re.IGNORECASE)),
    ("scenario",              "the public text",             re.compile(r"\bprose\b|drift apart|belongs to no quantity|\bthreat\b|narrative", re.IGNORECASE)),
    ("mechanics",             "the record",                  re.compile(r"\brecord\b|computes? as|\bstatus\b", re.IGNORECASE)),
)
# fmt: on
_THING: Final = re.compile(r"^things/([a-z]\w*)/(?:props/)?([a-z]\w*)")
_QUANTITY: Final = re.compile(r"^quantities/([a-z]\w*)")


@dataclass(frozen=True)
class Departures:
    """The parts of a document that differ from its design, and the quantities of the record that do."""

    parts: frozenset[str]
    paths: frozenset[str]

    def find_restored_part(self, demand: RevisionDemand, target: DemandTarget) -> str:
        """Return the part that a demand is about and that departs from the design, in words, or an empty text."""
        named = {*target.paths, *target.things} & self.paths
        if named:
            return f"`{min(named)}`"
        text = f"{demand.subject} {demand.demand} {demand.evidence}"
        return next(
            (words for field, words, about in _PARTS if field in self.parts and about.search(text)), ""
        )


def find_departures(handed_in: SeedDocument, built: SeedDocument) -> Departures:
    """Return what a handed-in document states otherwise than the one that its design builds."""
    before, after = (_normalize_document(each) for each in (built, handed_in))
    parts = frozenset(field for field, _, _ in _PARTS if before[field] != after[field])
    paths: set[str] = set()
    if "mechanics" in parts:
        for line in list_changed_values(before["mechanics"], after["mechanics"]):
            place = line.partition(": ")[0]
            thing, quantity = _THING.match(place), _QUANTITY.match(place)
            if thing is not None:
                paths |= {thing[1], f"{thing[1]}.{thing[2]}"}
            elif quantity is not None:
                paths.add(quantity[1])
    return Departures(parts, frozenset(paths))


def _normalize_document(seed: SeedDocument) -> dict[str, Any]:
    """Return the compared fields as plain data, with the record written out if it can be read."""
    data = seed.model_dump(mode="json")
    data["solution_sketch"] = {**data["solution_sketch"], "confidence": None}
    try:
        data["mechanics"] = Record.model_validate(seed.mechanics).model_dump(mode="json")
    except ValidationError:
        data["mechanics"] = seed.mechanics
    return data
