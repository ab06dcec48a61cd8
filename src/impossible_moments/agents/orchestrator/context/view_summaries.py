"""Shorter forms of a view: the least needed parts are left out first, and the narrative never.

A shorter form only removes parts of a view that the context policy has cut, so it cannot reveal more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, TypeAlias

from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, ORCHESTRATOR, SOCRATES, Phase
from impossible_moments.errors import ConfigurationError
from impossible_moments.llm import DataSizes

View: TypeAlias = dict[str, Any]
Section: TypeAlias = dict[str, Any]
_LONG_LIMITS: Final = (240, 6)
_SHORT_LIMITS: Final = (80, 3)
"""The longest text and the most entries of a list in a summary."""
SHORT_DOCUMENT: Final = 12_000
"""Characters up to which a document is read on demand as a whole."""
_EMPTY: Final[tuple[object, ...]] = (None, "", [], {})


class SectionForm(StrEnum):
    """How much of a document is kept when the budget is too small."""

    FULL = "full"
    CLAIMS = "claims"
    SUMMARY = "summary"
    OUT = "left out"


def _map_readers_to_section_forms(*forms: SectionForm) -> Mapping[str, SectionForm]:
    return dict(zip((ATHENA, GALILEO, EULER, NEWTON, SOCRATES), forms, strict=True))


# fmt: off
_F, _C, _S, _O = SectionForm.FULL, SectionForm.CLAIMS, SectionForm.SUMMARY, SectionForm.OUT
RELEVANCE: Final[Mapping[str, Mapping[str, SectionForm]]] = {
    #                             ATHENA GALILEO EULER NEWTON SOCRATES
    "SeedDocument":           _map_readers_to_section_forms(_F,   _F,     _F,   _F,    _F),
    "PhysicsReport":          _map_readers_to_section_forms(_C,   _C,     _C,   _C,    _C),
    "MathematicsReport":      _map_readers_to_section_forms(_C,   _C,     _C,   _C,    _C),
    "ValidatedClaims":        _map_readers_to_section_forms(_F,   _F,     _F,   _F,    _F),
    "JointAssessment":        _map_readers_to_section_forms(_F,   _F,     _F,   _F,    _F),
    "GroundingReport":        _map_readers_to_section_forms(_S,   _S,     _S,   _S,    _S),  # a summary has no citations
    "ClassificationReport":   _map_readers_to_section_forms(_S,   _S,     _S,   _S,    _F),
    "InformedClassification": _map_readers_to_section_forms(_F,   _S,     _S,   _S,    _F),
    "ReviewMemo":             _map_readers_to_section_forms(_F,   _S,     _S,   _S,    _S),  # ATHENA uses them for revisions
    "FeasibilityCheck":       _map_readers_to_section_forms(_F,   _S,     _S,   _S,    _S),
    "StatusVote":             _map_readers_to_section_forms(_S,   _S,     _S,   _S,    _S),
    "DesignVote":             _map_readers_to_section_forms(_S,   _S,     _S,   _S,    _S),
    "CalibrationVote":        _map_readers_to_section_forms(_S,   _S,     _S,   _S,    _S),
    "DistractorReview":       _map_readers_to_section_forms(_F,   _S,     _O,   _S,    _S),
    "ReadinessVote":          _map_readers_to_section_forms(_F,   _S,     _S,   _S,    _S),
    "BreakthroughReview":     _map_readers_to_section_forms(_S,   _S,     _S,   _S,    _S),
    "ChallengeResponse":      _map_readers_to_section_forms(_O,   _O,     _O,   _O,    _O),
    "Ballot":                 _map_readers_to_section_forms(_O,   _O,     _O,   _O,    _O),
    "VetoReview":             _map_readers_to_section_forms(_O,   _O,     _O,   _O,    _O),
    "HumanDecision":          _map_readers_to_section_forms(_S,   _S,     _S,   _S,    _S),
    "AgentTrace":             _map_readers_to_section_forms(_O,   _O,     _O,   _O,    _O),
}

KEY_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    # Key findings, decisions and confidence scores.
    "PhysicsReport":          ("claims", "feasibility", "key_finding", "concerns", "corrections_needed", "alternative_paths", "vetoes", "confidence"),
    "MathematicsReport":      ("claims", "deadline_seconds", "margin", "dimensional_analysis", "fragile", "corrections_needed", "alternative_paths", "vetoes", "confidence"),
    "JointAssessment":        ("status", "changes_required", "violated", "unique", "open_points", "computed_status"),
    "GroundingReport":        ("novelty_claim", "predicted", "construct_validity", "validity_concerns", "confounds", "merit", "confidence"),
    "ClassificationReport":   ("status", "justification", "premise_named", "impossibility_type", "ethics", "profile", "preliminary_tier", "confidence"),
    "InformedClassification": ("status", "impossibility_type", "profile", "delta", "confidence"),
    "ReviewMemo":             ("corrections", "concerns", "suggestions", "confidence"),
    "FeasibilityCheck":       ("alternative_paths", "mirage_convincing", "disagreements", "corrections_needed"),
    "StatusVote":             ("status",),
    "DesignVote":             ("suggestion",),
    "CalibrationVote":        ("profile", "confidence"),
    "ReadinessVote":          ("vote", "changes", "confidence"),
    "AgentTrace":             ("found", "overall_confidence"),
}
UNCUT_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    # The narrative, and the record from which everything else is computed.
    "SeedDocument":           ("scenario", "impossibility_mirage", "mechanics"),
}
# fmt: on
_VERDICTS: Final = {"PhysicsReport": "reasoning", "MathematicsReport": "calculation"}
"""The reports that are reduced to one line for each claim, and the field that holds a verdict's reason."""


def choose_section_form_for_reader(section: Section, reader: str) -> SectionForm:
    """Return the form of a section for a reader when the budget is too small.

    The reader's own work stays whole.
    """
    if section["author"] == reader:
        return SectionForm.FULL
    return RELEVANCE.get(section["document"], {}).get(reader, SectionForm.SUMMARY)


def iterate_shorter_views(
    view: View, reader: str, *, keeps_own_seed: bool = True, sizes: DataSizes | None = None
) -> Iterator[View]:
    """Yield ever shorter forms of a view. The first one loses least.

    An author's own seed document stays whole if `keeps_own_seed`, because its author may have to revise it. `sizes`
    are those of the view, if it has been measured before.
    """
    omissions = _OmissionLister(view, sizes or DataSizes())
    sections = [
        each
        for each in view["sections"]
        if choose_section_form_for_reader(each, reader) is not SectionForm.OUT
    ]
    yield omissions.build_view(sections)
    sections = _replace_reports_by_claims(sections, reader)
    yield omissions.build_view(sections)
    whole_sections = sections
    for size in (_LONG_LIMITS, _SHORT_LIMITS):
        for position in _order_by_dispensability(sections, reader):
            section = whole_sections[position]
            if keeps_own_seed and section["author"] == reader and section["document"] == "SeedDocument":
                continue
            sections = [*sections]
            sections[position] = _summarize_section(section, size)
            yield omissions.build_view(sections)


def list_omitted_fields(view: View, sections: Sequence[Section]) -> list[dict[str, Any]]:
    """Return the fields of a view that these sections leave out or cut, with their sizes in characters."""
    return _OmissionLister(view, DataSizes()).list_omitted_fields(sections)


class _OmissionLister:
    """Lister of what forms of a view leave out. Each pair of a section and its shorter form is compared once."""

    def __init__(self, view: View, sizes: DataSizes) -> None:
        self._view = view
        self._sizes = sizes
        self._known: dict[tuple[int, int], tuple[Mapping[str, Any], dict[str, Any]]] = {}

    def build_view(self, sections: Sequence[Section]) -> View:
        """Return a view of these sections with a list of the fields available on demand."""
        return {**self._view, "sections": [*sections], "on_demand": self.list_omitted_fields(sections)}

    def list_omitted_fields(self, sections: Sequence[Section]) -> list[dict[str, Any]]:
        """Return the fields that these sections leave out or cut, with their sizes in characters."""
        kept = {(each["author"], each["document"]): each["fields"] for each in sections}
        found = (
            self._compare_section(section, kept.get((section["author"], section["document"]), {}))
            for section in self._view["sections"]
        )
        return [omitted for omitted in found if omitted["fields"]]

    def _compare_section(self, section: Section, kept_fields: Mapping[str, Any]) -> dict[str, Any]:
        key = (id(section["fields"]), id(kept_fields) if kept_fields else 0)
        if key not in self._known:
            sizes = dict(_iterate_omitted_sizes(section["fields"], kept_fields, self._sizes))
            omitted = {"author": section["author"], "document": section["document"], "fields": sizes}
            # The fields are kept as well, so that no others can get the same identity.
            self._known[key] = (kept_fields, omitted)
        return self._known[key][1]


def _iterate_omitted_sizes(
    fields: Mapping[str, Any], kept: Mapping[str, Any], sizes: DataSizes
) -> Iterator[tuple[str, int]]:
    """Yield the path and size of each field that is missing or cut; a field of a field if only that is missing."""
    if kept is fields:
        return
    for name, value in fields.items():
        if (name in kept and kept[name] == value) or value in _EMPTY:
            continue
        kept_value = kept.get(name)
        if isinstance(value, dict) and isinstance(kept_value, dict) and kept_value:
            yield from (
                (f"{name}/{inner}", size) for inner, size in _iterate_omitted_sizes(value, kept_value, sizes)
            )
        else:
            yield name, sizes.count_characters(value)


def read_omitted_field(view: View, author: str, document: str, field: str = "") -> Any:  # noqa: ANN401 - any plain data
    """Return a field of a document in a view. Without a field, return a short document whole, else the sizes of its fields.

    A field may be a path such as `mechanics/prose`. Raise `ConfigurationError` if the view has no such document or
    field. The view has passed the context policy, so nothing can be read that is hidden from the reader.
    """
    for section in reversed(view.get("sections", ())):
        if (section["author"], section["document"]) == (author.upper(), document):
            return _follow_field_path(section["fields"], document, field)
    available = ", ".join(f"{each['author']} {each['document']}" for each in view.get("sections", ()))
    raise ConfigurationError(
        f"No {document} of {author} in this context. Available: {available or 'nothing'}."
    )


def _follow_field_path(fields: Mapping[str, Any], document: str, path: str) -> Any:  # noqa: ANN401 - any plain data
    value: Any = fields
    for step in path.strip("/").split("/") if path.strip("/") else ():
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            raise ConfigurationError(
                f"{document} has no field `{path}`: `{step}` is not among {_describe_members(value)}."
            )
    if value is not fields or _measure(fields) <= SHORT_DOCUMENT:
        return value
    return {name: _measure(each) for name, each in fields.items()}


def measure_document(view: Mapping[str, Any], author: str, document: str) -> int:
    """Return the size of the newest document of an author and type in a view, in characters."""
    for section in reversed(view["sections"]):
        if (section["author"], section["document"]) == (author, document):
            return _measure(section["fields"])
    return 0


def _measure(value: object) -> int:
    return DataSizes().count_characters(value)


def _describe_members(value: object) -> str:
    match value:
        case dict():
            return f"the fields {', '.join(value)}"
        case list():
            return f"the {len(value)} entries of the list, counted from 0"
        case _:
            return "the fields, because there is only a single value"


def _order_by_dispensability(sections: Sequence[Section], reader: str) -> list[int]:
    """Return the positions of sections in the order in which they are summarised.

    Older sections come before newer ones, and the seed document last. The reader's own work is never summarised: an
    agent that reports on its work must not read a part of it.
    """

    def rank_section(position: int) -> tuple[bool, bool, int]:
        section = sections[position]
        return (
            section["document"] == "SeedDocument",
            choose_section_form_for_reader(section, reader) is SectionForm.FULL,
            position,
        )

    others = [at for at, section in enumerate(sections) if section["author"] != reader]
    return sorted(others, key=rank_section)


def _replace_reports_by_claims(sections: Sequence[Section], reader: str) -> list[Section]:
    """Replace validation reports by one section with the verdicts on each claim."""
    reports = [
        each for each in sections if choose_section_form_for_reader(each, reader) is SectionForm.CLAIMS
    ]
    lines = _format_claims_with_verdicts(reports, _collect_claim_texts(sections))
    if not lines:
        return [*sections]
    claims = {
        "author": ORCHESTRATOR,
        "phase": str(Phase.VALIDATE),
        "document": "ValidatedClaims",
        "iteration": 0,
        "fields": {"claims": lines},
        "form": str(SectionForm.CLAIMS),
    }
    found: list[Section] = []
    for section in sections:
        if section in reports:
            if claims not in found:
                found.append(claims)
            kept = {
                name: value
                for name, value in section["fields"].items()
                if name in _list_fields_besides_claims(section)
            }
            found.append({**section, "fields": kept, "form": str(SectionForm.CLAIMS)})
        else:
            found.append(section)
    return found


def _list_fields_besides_claims(section: Section) -> tuple[str, ...]:
    return tuple(name for name in KEY_FIELDS[section["document"]] if name != "claims")


def _collect_claim_texts(sections: Sequence[Section]) -> dict[str, str]:
    return {
        claim["claim_id"]: claim["text"]
        for section in sections
        if section["document"] == "SeedDocument"
        for claim in section["fields"].get("solution_sketch", {}).get("claims", ())
    }


def _format_claims_with_verdicts(reports: Sequence[Section], texts: Mapping[str, str]) -> list[str]:
    """Return one line for each claim: its text, and each validator's verdict with its reason."""
    verdicts: dict[str, list[str]] = {}
    for report in reports:
        verdict_field = _VERDICTS[report["document"]]
        for claim in report["fields"].get("claims", ()):
            word = f"{report['author']}: {claim['verdict']} ({claim[verdict_field]})."
            verdicts.setdefault(claim["claim_id"], []).append(word)
    return [
        f"Claim: {texts.get(claim_id, claim_id).rstrip('.')}. {' '.join(words)}"
        for claim_id, words in verdicts.items()
    ]


def _summarize_section(section: Section, size: tuple[int, int]) -> Section:
    document = section["document"]
    uncut_fields = UNCUT_FIELDS.get(document, ())
    names = KEY_FIELDS.get(document, tuple(section["fields"]))
    fields = {
        name: value if name in uncut_fields else _shorten_texts_and_lists(value, size)
        for name, value in section["fields"].items()
        if name in names or name in uncut_fields
    }
    summary = {**section, "fields": fields, "form": str(SectionForm.SUMMARY)}
    cuts = {
        path: f"{shown} of {all_entries}; the rest: read_section({section['author']}, {document}, {path})"
        for path, shown, all_entries in _iterate_cut_lists(section["fields"], fields)
    }
    return {**summary, "cut_lists": cuts} if cuts else summary


def _iterate_cut_lists(
    whole: Mapping[str, Any], shortened: Mapping[str, Any], path: str = ""
) -> Iterator[tuple[str, int, int]]:
    """Yield the path of each list that a summary cuts, with the number of entries that are left and were there."""
    for name, value in whole.items():
        left, place = shortened.get(name), f"{path}{name}"
        if isinstance(value, dict) and isinstance(left, dict):
            yield from _iterate_cut_lists(value, left, f"{place}/")
        elif isinstance(value, list) and isinstance(left, list) and len(left) < len(value):
            yield place, len(left), len(value)


def _shorten_texts_and_lists(value: object, size: tuple[int, int]) -> object:
    longest, most_items = size
    match value:
        case str() if len(value) > longest:
            start = value[: longest - 1]
            return (start.rpartition(" ")[0] or start).rstrip() + "…"
        case list():
            return [_shorten_texts_and_lists(each, size) for each in value[:most_items]]
        case dict():
            return {key: _shorten_texts_and_lists(each, size) for key, each in value.items()}
        case _:
            return value
