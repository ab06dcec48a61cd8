"""Review of seed documents from language models: texts are rendered from the record and checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, TypeVar

from pydantic import BaseModel

from impossible_moments.agents.orchestrator.computed import Computed, computed
from impossible_moments.agents.orchestrator.gate_checks.public_text import strange_numbers, unsaid
from impossible_moments.blueprints.forms import Telling
from impossible_moments.blueprints.tables import tables_of
from impossible_moments.domain.seed import (
    CapabilityRow,
    EnvironmentRow,
    ObjectRow,
    ScenarioNarrative,
    SeedDocument,
)
from impossible_moments.mechanics.findings import Finding
from impossible_moments.mechanics.library import Library
from impossible_moments.mechanics.prose import PlaceholderError, Tie, printed_text, rendered
from impossible_moments.mechanics.record import Record

NOTHING: Final = "none stated"
AS_TOLD: Final = "as told above"
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z{])")
M = TypeVar("M", bound=BaseModel)


def completed(seed: SeedDocument, library: Library) -> tuple[SeedDocument, Computed]:
    """Return the seed document with its texts completed, and what was computed from it.

    Placeholders are rendered, and empty parts are taken from the record. If the record cannot be read, the
    document is returned unchanged.
    """
    found = computed(seed, library)
    record, tie = found.report.record, found.report.tie
    if record is None or tie is None:
        return seed, found
    try:
        prose = rendered(record.prose, tie)
    except PlaceholderError:
        return seed, found  # the check of the record reports it
    whole = seed.model_copy(update={"scenario": _scenario(seed, record, prose, tie, library)})
    without = whole.model_copy(update={"mechanics": {}})
    return _printed(without, tie).model_copy(update={"mechanics": seed.mechanics}), found


def faults_of(seed: SeedDocument, found: Computed, wanted: str | None) -> Iterator[str]:
    """Yield the faults of a seed document in terms that a designer can act on.

    `wanted` is the status that the brief asks for.
    """
    yield from map(_told, found.report.findings.errors)
    verdict = found.report.verdict
    if found.report.findings.errors:
        return  # other faults follow from these, or are found once these are fixed
    if verdict is None or found.status is None:
        yield "the status cannot be computed from the record"
    elif wanted is not None and found.status != wanted:
        yield f"the record computes as {found.full_status}, but the brief asks for {wanted}: {verdict.reason}"
    for spot in strange_numbers(seed, found.report):
        yield f"a number does not belong to any quantity of the record, in the {spot}"
    yield from unsaid(seed, found.report)
    for name in found.false_claims:
        yield f"claim {name} computes as false at the values of the record"


def _told(finding: Finding) -> str:
    return f"{finding}"


def _scenario(
    seed: SeedDocument, record: Record, prose: Mapping[str, str], tie: Tie, library: Library
) -> ScenarioNarrative:
    told = seed.scenario
    return told.model_copy(
        update={
            "name": told.name or record.title,
            "narrative": told.narrative or prose.get("narrative", ""),
            "threat": told.threat or prose.get("threat", ""),
            "position": told.position or prose.get("position", ""),
            "environment": told.environment or tuple(_environment(prose)),
            "objects": told.objects or tuple(_objects(seed.mechanics, prose, tie, library)),
            "capabilities": told.capabilities or tuple(_capabilities(prose)),
        }
    )


def _environment(prose: Mapping[str, str]) -> Iterator[EnvironmentRow]:
    for head, text in _rows(prose.get("environment", ""), "Place"):
        yield EnvironmentRow(feature=head, specification=text)


def _capabilities(prose: Mapping[str, str]) -> Iterator[CapabilityRow]:
    for head, text in _rows(prose.get("capabilities", ""), "You"):
        yield CapabilityRow(parameter=head, value=text)


def _rows(text: str, usual: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a text as rows of heading and text.

    `Head: words` has its own heading, others get `usual`.
    """
    for sentence in _SENTENCE.split(text) if text else (AS_TOLD,):
        head, colon, rest = sentence.strip().partition(": ")
        yield (head, rest.rstrip(".")) if colon and rest else (usual, sentence.strip().rstrip("."))


def _objects(
    mechanics: dict[str, Any], prose: Mapping[str, str], tie: Tie, library: Library
) -> Iterator[ObjectRow]:
    """Yield a row for each thing with its sentence in the record, then rows for the other sentences."""
    said = dict(_rows(prose["objects"], "Also")) if prose.get("objects") else {}
    for row in tables_of(mechanics, Telling(), library).objects:
        label = _value(row.label, tie)
        head = next((each for each in said if _bare(each) == _bare(label)), "")
        yield ObjectRow(
            name=label,
            mass=row.mass or NOTHING,
            dimensions=row.size or NOTHING,
            material=row.material or NOTHING,
            notes=said.pop(head, "") or row.notes or AS_TOLD,
        )
    for head, text in said.items():
        yield ObjectRow(name=head, mass=NOTHING, dimensions=NOTHING, material=NOTHING, notes=text)


def _bare(label: str) -> str:
    """Return a label without its article, in lower case."""
    return re.sub(r"^(?:the|an?|your)\s+", "", label.strip().lower())


def _printed(part: M, tie: Tie) -> M:
    """Return a copy of a model with all its texts rendered."""
    return part.model_copy(
        update={name: _value(getattr(part, name), tie) for name in type(part).model_fields}
    )


def _value(value: Any, tie: Tie) -> Any:  # noqa: ANN401 - any value of a deliverable
    match value:
        case str() if "{" in value:
            with suppress(PlaceholderError):
                return printed_text(value, tie)
            return value  # the gate reports the placeholder
        case tuple():
            return tuple(_value(each, tie) for each in value)
        case BaseModel():
            return _printed(value, tie)
        case _:
            return value
