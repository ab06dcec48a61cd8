"""Crossing of variants: the figures and the ending of one variant in the story of another.

A skin usually has different stories for its impossible and its solvable variant. With the same story for
both, the two scenarios differ only in the figures that decide the outcome. Whether the result is a valid
scenario is not known in advance, so it is checked like every other draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any, Final

from impossible_moments.blueprints.exchanged_things import (
    ENDING_SECTIONS,
    PROPERTIES,
    MergedLayers,
    UncrossableVariants,
    find_unexchangeable_relabelled_things,
)
from impossible_moments.blueprints.overlays import Data
from impossible_moments.mechanics.records import parse_line, split_lines

DEPTHS: Final = (0, 1, 2)
"""What is taken besides the draws: nothing, the quantities, or the quantities and properties of things."""
QUANTITIES: Final = 1
SHARED_NOTES: Final = ("wrong", "distractors", "words", "steps", "materials", "notes")
"""Sections taken from the story first, and from the own variant where the story has no entry."""


def combine_story_with_variant_ending(
    variant: MergedLayers, story: MergedLayers, depth: int, moved_draws: Set[str] = frozenset()
) -> MergedLayers:
    """Return the story with the figures and the ending of `variant`.

    `moved_draws` names the draws that differ and all draws computed from them. Raises `UncrossableVariants` if the
    story has a different thing in the place of one that matters, such as a cup of soup in the place of a
    flask.
    """
    if exchanged_things := tuple(find_unexchangeable_relabelled_things(variant, story, depth, moved_draws)):
        raise UncrossableVariants(
            f"the two blueprint variants cannot be combined: they have different things in the place of {', '.join(exchanged_things)}."
        )
    approaches = _merge_approaches(variant, story)
    record = {
        **story.record,
        "insights": variant.record.get("insights"),
        "approaches": list(approaches.values()),
        "status": _build_status_block(variant, approaches),
    }
    if depth >= QUANTITIES:
        record["quantities"] = _replace_shared_lines(
            story.record.get("quantities"), variant.record.get("quantities")
        )
    if depth >= PROPERTIES:
        props = {thing["name"]: thing.get("props") for thing in variant.record.get("things") or ()}
        record["things"] = [
            {**thing, "props": _replace_shared_lines(thing.get("props"), props.get(thing["name"]))}
            for thing in story.record.get("things") or ()
        ]
    things = {thing["name"] for thing in record.get("things") or ()}
    return MergedLayers(record, _merge_notes(variant, story, {*things, *approaches}))


def _merge_approaches(variant: MergedLayers, story: MergedLayers) -> dict[str, Any]:
    """Return the approaches of the story with the own endings, and the ways that only the variant has."""
    plans = (variant.status.get("plan"), *(variant.status.get("ways") or ()))
    found = {name: variant.approaches.get(name, each) for name, each in story.approaches.items()}
    return found | {name: variant.approaches[name] for name in plans if name in variant.approaches}


def _build_status_block(variant: MergedLayers, approaches: Mapping[str, Any]) -> Data:
    """Return the own status block, restricted to the approaches that exist."""
    block = dict(variant.status)
    if "traps" in block:
        block["traps"] = [name for name in approaches if name not in block["ways"]]
    for list_of in ("dressing", "chains"):
        if list_of in block:
            block[list_of] = [name for name in block[list_of] if name in approaches]
    return block


def _merge_notes(variant: MergedLayers, story: MergedLayers, present_things: Set[str]) -> Data:
    notes = {name: value for name, value in story.notes.items() if name not in ENDING_SECTIONS}
    notes |= {name: variant.notes[name] for name in ENDING_SECTIONS if name in variant.notes}
    for name in SHARED_NOTES:
        notes[name] = {**(variant.notes.get(name) or {}), **(story.notes.get(name) or {})}
    # an approach that fails for another reason keeps the note with that reason
    notes["wrong"] |= {
        name: note
        for name, note in (variant.notes.get("wrong") or {}).items()
        if _has_different_ending(name, variant, story)
    }
    for name in ("wrong", "distractors", "materials", "notes"):
        notes[name] = {key: value for key, value in notes[name].items() if key in present_things}
    return notes


def _has_different_ending(name: str, variant: MergedLayers, story: MergedLayers) -> bool:
    variant_approach, story_approach = variant.approaches.get(name), story.approaches.get(name)
    return (
        variant_approach is not None
        and story_approach is not None
        and variant_approach.get("ends") != story_approach.get("ends")
    )


def _replace_shared_lines(story: object, own: object) -> list[str]:
    """Return the lines of the story, each replaced by the own line of the same name if there is one."""
    lines = {_parse_line_name(line): line for line in split_lines(own)}
    return [lines.get(_parse_line_name(line), line) for line in split_lines(story)]


def _parse_line_name(line: str) -> str:
    return parse_line(line, example="rim = 3.6[m]").head
