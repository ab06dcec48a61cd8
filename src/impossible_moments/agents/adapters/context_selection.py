"""What a model needs for each deliverable: the documents and fields that are shown at once and in full.

Everything else that the isolation policy allows can be read on demand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, SOCRATES

Fields: TypeAlias = tuple[str, ...]
NeededFields: TypeAlias = Mapping[str, Fields]
"""The fields by document. `own` before a document means the reader's own one. No fields stand for all."""
ALL: Final[Fields] = ()
OWN: Final = "own "
EVERYONE: Final = ""
_EMPTY: Final[tuple[object, ...]] = (None, "", [], {})

# fmt: off
_PLAN: Final = ("solution_sketch/steps", "solution_sketch/impossibility_proof", "solution_sketch/evaluation_criteria")
"""The sketch without its claims, for readers that do not compute: the joint assessment says which of them fail."""
_OUTLINE: Final = ("concept_summary", "impossibility_mirage", "insight_chain", "distractor_inventory", "scenario", "wrong_answers",
                   "correct_outcome")
_DESIGN: Final = (*_OUTLINE, "solution_sketch")
_DESIGN_WITHOUT_CLAIMS: Final = (*_OUTLINE, *_PLAN)
_JOINT: Final = ("status", "changes_required", "violated", "unique", "alternative_paths", "open_points", "computed_status")
_PHYSICS: Final = ("claims", "feasibility", "concerns", "corrections_needed", "edge_cases", "alternative_paths", "mirage_convincing")
_MATHEMATICS: Final = ("claims", "timing_budget", "deadline_seconds", "margin", "dimensional_analysis", "fragile",
                       "impossibility_proof", "corrections_needed", "parameter_adjustments", "edge_cases", "alternative_paths")
_BLIND: Final = ("status", "justification", "premise_named", "impossibility_type", "ethics/status", "profile")
_CONSTRUCTS: Final = ("constructs/insight", "constructs/construct_tested", "constructs/prediction")
"""The constructs without the full references of the cited works."""
_EFFECTS: Final = ("predicted", "construct_validity", "validity_concerns", "confounds", "recommendations")

NEEDED_FIELDS: Final[Mapping[str, Mapping[str, NeededFields]]] = {
    "PhysicsReport": {
        EVERYONE: {"SeedDocument": (*_DESIGN, "open_questions", "mechanics"), "own PhysicsReport": ALL},
    },
    "MathematicsReport": {
        EVERYONE: {"SeedDocument": (*_DESIGN, "open_questions", "mechanics"), "own MathematicsReport": ALL},
    },
    "FeasibilityCheck": {
        EVERYONE: {
            "SeedDocument": ("impossibility_mirage", "solution_sketch", "scenario", "mechanics"),
            "PhysicsReport": _PHYSICS, "MathematicsReport": _MATHEMATICS,
        },
    },
    "GroundingReport": {
        EVERYONE: {
            "SeedDocument": _DESIGN_WITHOUT_CLAIMS, "own GroundingReport": ALL, "JointAssessment": _JOINT,
            "PhysicsReport": ("feasibility", "mirage_convincing"),
            "MathematicsReport": ("margin", "fragile", "mirage_convincing"),
        },
    },
    "InformedClassification": {
        EVERYONE: {
            "SeedDocument": _DESIGN_WITHOUT_CLAIMS, "own ClassificationReport": (*_BLIND, "approaches_seen"), "JointAssessment": _JOINT,
            "GroundingReport": ("predicted", "validity_concerns", "confounds"),
        },
    },
    "ReviewMemo": {
        EVERYONE: {
            "SeedDocument": _DESIGN, "JointAssessment": _JOINT, "InformedClassification": ("status", "profile", "delta"),
            "GroundingReport": ("predicted", "validity_concerns"), "FurtherValidation": ALL, "FurtherGrounding": ALL,
            "FurtherClassification": ALL,
        },
        ATHENA: {"SeedDocument": _DESIGN_WITHOUT_CLAIMS, "GroundingReport": ("predicted", "validity_concerns", "confounds", "recommendations")},
        NEWTON: {"own PhysicsReport": ("feasibility", "concerns", "edge_cases"), "GroundingReport": _EFFECTS},
        EULER: {"own MathematicsReport": ("timing_budget", "deadline_seconds", "margin", "sensitivity", "fragile", "edge_cases")},
        GALILEO: {"SeedDocument": _DESIGN_WITHOUT_CLAIMS, "own GroundingReport": (*_CONSTRUCTS, "novelty_claim", *_EFFECTS)},
        SOCRATES: {"SeedDocument": _DESIGN_WITHOUT_CLAIMS, "own ClassificationReport": _BLIND, "own InformedClassification": ALL},
    },
    "RefinementBallot": {
        EVERYONE: {
            "SeedDocument": ("impossibility_mirage", "insight_chain", *_PLAN, "distractor_inventory", "scenario"),
            "JointAssessment": ("status", "unique", "open_points"), "MathematicsReport": ("margin", "fragile"),
            "GroundingReport": ("predicted",), "ClassificationReport": ("status", "profile"),
            "InformedClassification": ("status", "profile", "delta"), "ReviewMemo": ("corrections", "concerns"),
        },
    },
    "RefinementRevote": {
        EVERYONE: {
            "SeedDocument": ("insight_chain", *_PLAN, "distractor_inventory"), "own CalibrationVote": ALL,
            "own DistractorReview": ALL, "own StatusVote": ALL, "InformedClassification": ("status", "profile", "delta"),
        },
    },
    "ClassificationReport": {EVERYONE: {"SeedDocument": ALL}},  # each blind reading starts from the text alone
    "AgentTrace": {
        EVERYONE: {
            "own SeedDocument": ("concept_summary", "insight_chain", "correct_outcome", "revision_notes"),
            "own PhysicsReport": ("feasibility", "concerns", "edge_cases", "mirage_convincing", "confidence"),
            "own MathematicsReport": ("timing_budget", "margin", "fragile", "impossibility_proof", "confidence"),
            "own FeasibilityCheck": ALL,
            "own GroundingReport": ("novelty_claim", *_EFFECTS, "merit", "confidence"),
            "own ClassificationReport": (*_BLIND, "confidence"), "own InformedClassification": ALL,
            "own ReviewMemo": ALL, "own CalibrationVote": ("profile", "tier", "confidence"),
            "own StatusVote": ALL, "own ReadinessVote": ALL,
            "own FurtherValidation": ALL, "own FurtherGrounding": ALL, "own FurtherClassification": ALL,
        },
    },
    "SeedRevision": {
        EVERYONE: {
            "SeedDocument": (*_DESIGN, "open_questions", "mechanics", "category_match", "revision_notes"),
            "JointAssessment": ("status", "open_points"), "InformedClassification": ("status", "delta"),
        },
    },
}
# fmt: on
_SECOND_MEMO: Final[NeededFields] = {"own ReviewMemo": ("concerns", "corrections")}
_SECOND_MEMO_DESIGN: Final[Fields] = ("solution_sketch", "distractor_inventory")
"""What a memo after a revision needs in place of the whole design, beside the list of changed values."""
KEEPS_SUPERSEDED: Final = frozenset({"PhysicsReport", "MathematicsReport", "GroundingReport", "ReviewMemo"})
"""The documents whose author starts from its last one, also if the scenario has changed since."""


def select_needed_fields(returns: str, reader: str) -> NeededFields | None:
    """Return what a reader needs for a deliverable, or None if it needs the whole context."""
    by_reader = NEEDED_FIELDS.get(returns)
    return None if by_reader is None else {**by_reader[EVERYONE], **by_reader.get(reader, {})}


def select_needed_sections(view: Mapping[str, Any], returns: str, reader: str) -> list[dict[str, Any]]:
    """Return the sections of a view with the fields that a reader needs for a deliverable.

    Work on an earlier version of the scenario is left out, except the report that its author continues.
    """
    needed = select_needed_fields(returns, reader)
    assert needed is not None, "the deliverable has a selection"
    if returns == "ReviewMemo" and "last_revision" in view and _has_own(view, returns, reader):
        design = tuple(
            path for path in needed["SeedDocument"] if path.partition("/")[0] in _SECOND_MEMO_DESIGN
        )
        needed = {**needed, **_SECOND_MEMO, "SeedDocument": design}
    found = []
    for section in view["sections"]:
        is_own = section["author"] == reader
        document = section["document"]
        fields = needed.get(f"{OWN}{document}") if is_own else None
        fields = needed.get(document) if fields is None else fields
        is_continued = is_own and document == returns and document in KEEPS_SUPERSEDED
        if fields is None or (section.get("superseded") and not is_continued):
            continue
        kept = _keep_fields(section["fields"], fields)
        if kept:
            found.append({**section, "fields": kept})
    return found


def _has_own(view: Mapping[str, Any], document: str, reader: str) -> bool:
    return any((each["author"], each["document"]) == (reader, document) for each in view["sections"])


def _keep_fields(fields: Mapping[str, Any], wanted: Fields) -> dict[str, Any]:
    """Return the wanted fields that are not empty. `constructs/name` keeps only the names of the constructs."""
    if wanted == ALL:
        return {name: value for name, value in fields.items() if value not in _EMPTY}
    inner: dict[str, Fields] = {}
    for path in wanted:
        name, _, rest = path.partition("/")
        inner[name] = (*inner.get(name, ()), rest) if rest else ALL
    kept = {name: _keep_inner(fields.get(name), paths) for name, paths in inner.items()}
    return {name: value for name, value in kept.items() if value not in _EMPTY}


def _keep_inner(value: object, paths: Fields) -> object:
    match value:
        case _ if paths == ALL:
            return value
        case dict():
            return _keep_fields(value, paths)
        case list():
            return [_keep_inner(each, paths) for each in value]
        case _:
            return None
