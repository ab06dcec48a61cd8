"""Publication of uncertain worlds in the same folder and registry as other scenarios, after the gates that apply."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from impossible_moments.audit import audit_document
from impossible_moments.mechanics.records import parse_document
from impossible_moments.mechanics.uncertain import UncertainWorld, parse_uncertain_record, render_world_text
from impossible_moments.scenarios import (
    ClockReadings,
    RefusedPublication,
    Scenario,
    ScenarioDocuments,
    ScenarioRegistry,
)
from impossible_moments.uncertain_worlds.world_documents import build_world_documents
from impossible_moments.uncertain_worlds.world_generation import GeneratedWorld


def publish_world(
    found: GeneratedWorld,
    folder: Path,
    *,
    seed: int,
    stamps: ClockReadings,
    reserved: Collection[str] = (),
) -> ScenarioDocuments:
    """Publish a generated world under the next identifier and return its documents.

    Identifiers in `reserved` are not used. A world that the folder already holds keeps its identifier and is not written again. Raise `RefusedPublication` if a
    gate refuses the world.
    """
    registry = ScenarioRegistry(folder)
    earlier = find_published_copy(found, registry)
    documents = build_world_documents(
        found, earlier or registry.choose_next_id(reserved), seed=seed, stamps=stamps
    )
    if objections := find_publication_objections(documents, found):
        raise RefusedPublication(
            f"{found.family.name}/{found.skin} is not published: {'; '.join(objections)}."
        )
    registry.publish(documents)
    return documents


def find_published_copy(found: GeneratedWorld, registry: ScenarioRegistry) -> str | None:
    """Return the scenario that holds the same world, or None."""
    mechanics = build_world_documents(found, "IM-0000", seed=0, stamps=ClockReadings()).mechanics
    for name in registry.entries:
        path = registry.folder / "evaluation" / f"{name}_mechanics.json"
        if path.is_file() and path.read_text(encoding="utf-8") == mechanics:
            return name
    return None


def find_publication_objections(documents: ScenarioDocuments, found: GeneratedWorld) -> tuple[str, ...]:
    """Return why documents may not be published: the value of the world, its text, or what a re-reading gives."""
    objections = list(found.measures.find_objections())
    public = Scenario.parse(documents.public, documents.metadata.scenario_id)
    audit = audit_document(documents.public, documents.metadata.scenario_id, blind=True)
    objections += [f"the audit of the text reports {each.code} in line {each.line}" for each in audit.errors]
    stored = parse_uncertain_record(parse_document(documents.mechanics, name="mechanics"))
    text = render_world_text(UncertainWorld(stored))
    if stored != found.world.record or any(part not in documents.public for part in text.sections):
        objections.append("the stored record does not give the published text again")
    if documents.metadata.canary not in public.text or public.canary != documents.metadata.canary:
        objections.append("the public document has no canary")
    return tuple(objections)
