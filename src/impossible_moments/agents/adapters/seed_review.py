"""Review of seed documents from language models: texts are rendered from the record and checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, TypeVar

from pydantic import BaseModel

from impossible_moments.agents.orchestrator.seed_computation import SeedComputation, compute_seed_results
from impossible_moments.blueprints import ScenarioNotes, build_scenario_tables
from impossible_moments.domain.seed import (
    CapabilityRow,
    EnvironmentRow,
    ObjectRow,
    ScenarioNarrative,
    SeedDocument,
)
from impossible_moments.mechanics.prose import (
    PlaceholderError,
    ProseRequirements,
    render_prose,
    render_template_text,
)
from impossible_moments.mechanics.records import Library, Record, format_short_text

_EMPTY: Final[Mapping[str, Any]] = {
    "narrative": "",
    "threat": "",
    "position": "",
    "environment": (),
    "objects": (),
    "capabilities": (),
}
"""The parts of a scenario that are taken from the record if they are empty."""
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z{])")
M = TypeVar("M", bound=BaseModel)


def complete_seed_document(seed: SeedDocument, library: Library) -> tuple[SeedDocument, SeedComputation]:
    """Return the seed document with its texts completed, and what was computed from it.

    Placeholders are rendered, and empty parts are taken from the record. If the record cannot be read, the
    document is returned unchanged.
    """
    found = compute_seed_results(seed, library)
    record, requirements = found.report.record, found.report.tie
    if record is None or requirements is None:
        return seed, found
    try:
        prose = render_prose(record.prose, requirements)
    except PlaceholderError:
        return seed, found  # the check of the record reports it
    completed = seed.model_copy(
        update={"scenario": _complete_scenario_narrative(seed, record, prose, requirements, library)}
    )
    without_record = completed.model_copy(update={"mechanics": {}})
    return _render_model_texts(without_record, requirements).model_copy(
        update={"mechanics": seed.mechanics}
    ), found


def restore_derived_parts(seed: SeedDocument, library: Library) -> SeedDocument:
    """Return a completed seed document with the parts empty that its record alone determines.

    A revision of the record then changes these parts too.
    """
    emptied = seed.model_copy(
        update={"scenario": seed.scenario.model_copy(update={name: _EMPTY[name] for name in _EMPTY})}
    )
    derived, _ = complete_seed_document(emptied, library)
    unchanged = {
        name: empty
        for name, empty in _EMPTY.items()
        if getattr(derived.scenario, name) == getattr(seed.scenario, name)
    }
    return seed.model_copy(update={"scenario": seed.scenario.model_copy(update=unchanged)})


def find_unpublished_prose(seed: SeedDocument, computation: SeedComputation) -> Iterator[str]:
    """Yield the parts of the record's prose that no solver would see, because the seed has another text there."""
    record, requirements = computation.report.record, computation.report.tie
    if record is None or requirements is None:
        return
    try:
        prose = render_prose(record.prose, requirements)
    except PlaceholderError:
        return  # the check of the record reports it
    published = {name: _join_texts(getattr(seed.scenario, name)) for name in _EMPTY}
    for name, text in prose.items():
        missing = [
            clause
            for _, sentence in _split_sentences_into_rows(text, "")
            for clause in sentence.split(";")  # a row of a table may divide a sentence at semicolons
            if text and name in published and _join_texts(clause) not in published[name]
        ]
        if missing:
            yield (
                f"mechanics/prose/{name} says `{format_short_text(missing[0])}`, but scenario/{name} does not, and only the "
                f"latter is published: leave scenario/{name} empty to publish the record's text, or put the same words into both"
            )


def _join_texts(value: object) -> str:
    """Return all texts in a value in lower case, with single spaces and without final stops."""
    match value:
        case str():
            return " ".join(value.lower().split()).rstrip(".")
        case BaseModel():
            return " ".join(_join_texts(getattr(value, name)) for name in type(value).model_fields)
        case tuple():
            return " ".join(map(_join_texts, value))
        case _:
            return ""


def _complete_scenario_narrative(
    seed: SeedDocument,
    record: Record,
    prose: Mapping[str, str],
    requirements: ProseRequirements,
    library: Library,
) -> ScenarioNarrative:
    scenario = seed.scenario
    return scenario.model_copy(
        update={
            "name": scenario.name or record.title,
            "narrative": scenario.narrative or prose.get("narrative", ""),
            "threat": scenario.threat or prose.get("threat", ""),
            "position": scenario.position or prose.get("position", ""),
            "environment": scenario.environment or tuple(_build_environment_rows(prose)),
            "objects": scenario.objects
            or tuple(_build_object_rows(seed.mechanics, prose, requirements, library)),
            "capabilities": scenario.capabilities or tuple(_build_capability_rows(prose)),
        }
    )


def _build_environment_rows(prose: Mapping[str, str]) -> Iterator[EnvironmentRow]:
    for head, text in _split_sentences_into_rows(prose.get("environment", ""), "Place"):
        yield EnvironmentRow(feature=head, specification=text)


def _build_capability_rows(prose: Mapping[str, str]) -> Iterator[CapabilityRow]:
    for head, text in _split_sentences_into_rows(prose.get("capabilities", ""), "You"):
        yield CapabilityRow(parameter=head, value=text)


def _split_sentences_into_rows(text: str, default_heading: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a text as rows of heading and text.

    `Head: words` has its own heading, others get `default_heading`.
    """
    for sentence in _SENTENCE.split(text) if text else ():
        head, colon, rest = sentence.strip().partition(": ")
        yield (head, rest.rstrip(".")) if colon and rest else (default_heading, sentence.strip().rstrip("."))


def _build_object_rows(
    mechanics: dict[str, Any], prose: Mapping[str, str], requirements: ProseRequirements, library: Library
) -> Iterator[ObjectRow]:
    """Yield a row for each thing with its sentence in the record, then rows for the other sentences."""
    described: dict[str, str] = {}
    for head, text in _split_sentences_into_rows(prose["objects"], "Also") if prose.get("objects") else ():
        described[head] = f"{described[head]}. {text}" if head in described else text
    for row in build_scenario_tables(mechanics, ScenarioNotes(), library).objects:
        label = _render_texts_in_value(row.label, requirements)
        head = next((each for each in described if _normalize_label(each) == _normalize_label(label)), "")
        yield ObjectRow(
            name=label,
            mass=row.mass,
            dimensions=row.size,
            material=row.material,
            notes=described.pop(head, "") or row.notes,
        )
    for head, text in described.items():
        yield ObjectRow(name=head, mass="", dimensions="", material="", notes=text)


def _normalize_label(label: str) -> str:
    """Return a label without its article, in lower case."""
    return re.sub(r"^(?:the|an?|your)\s+", "", label.strip().lower())


def _render_model_texts(part: M, requirements: ProseRequirements) -> M:
    """Return a copy of a model with all its texts rendered."""
    return part.model_copy(
        update={
            name: _render_texts_in_value(getattr(part, name), requirements)
            for name in type(part).model_fields
        }
    )


def _render_texts_in_value(value: Any, requirements: ProseRequirements) -> Any:  # noqa: ANN401 - any value of a deliverable
    match value:
        case str() if "{" in value:
            with suppress(PlaceholderError):
                return render_template_text(value, requirements)
            return value  # the gate reports the placeholder
        case tuple():
            return tuple(_render_texts_in_value(each, requirements) for each in value)
        case BaseModel():
            return _render_model_texts(value, requirements)
        case _:
            return value
