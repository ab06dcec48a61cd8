"""The checks of specification 5.6."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from impossible_moments.agents.orchestrator.gates.document_style import find_style_slips
from impossible_moments.agents.orchestrator.gates.gate_case import (
    Check,
    CheckDeficiency,
    GateCase,
    make_completeness_check,
)
from impossible_moments.audit.documents import MarkdownDocument, MarkdownSection
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.vocabulary import ANSWER_HEADINGS, ATHENA, ORCHESTRATOR, ROLES, Phase
from impossible_moments.scenarios import ScenarioDocuments, ScenarioMetadata

# fmt: off
PUBLIC_SECTIONS: Final = (
    "Scenario", "Environment", "Threat / Challenge", "Position / Starting State", "Available Objects",
    "Agent Capabilities", "Why This Looks Impossible", "Common Wrong Answers",
)
HEADER: Final = ("Category", "Difficulty", "Status", "Correct Outcome")
# fmt: on
RUBRIC: Final = "Scoring Rubric"
MOST_LISTED: Final = 20
_IDENTIFIER: Final = re.compile(r"IM-\d{4,}")
_OPTIONAL_FIELDS: Final = frozenset({"human_review_outcome", "twin", "parent", "brief"})


def _make_documents_check(
    find_deficiencies: Callable[[GateCase, ScenarioDocuments], Iterator[str]], addressee: str
) -> Check:
    def check_documents(case: GateCase) -> Iterator[CheckDeficiency]:
        if case.documents is None:
            yield CheckDeficiency(ORCHESTRATOR, "The documents are not assembled.")
            return
        yield from (CheckDeficiency(addressee, text) for text in find_deficiencies(case, case.documents))

    return check_documents


def _find_missing_public_document_parts(_case: GateCase, documents: ScenarioDocuments) -> Iterator[str]:
    document = MarkdownDocument(documents.public)
    missing = [name for name in PUBLIC_SECTIONS if not _has_written_section(document, name)]
    if missing:
        yield f"The public document lacks {', '.join(missing)}."
    keys = {key for _, key, value in document.keys if value.strip()}
    lines = [name for name in HEADER if name not in keys]
    if lines:
        yield f"The header of the public document lacks {', '.join(lines)}."


def _find_missing_evaluation_document_sections(case: GateCase, documents: ScenarioDocuments) -> Iterator[str]:
    document = MarkdownDocument(documents.evaluation)
    required_parts = (ANSWER_HEADINGS[case.dossier.brief.solution_status], RUBRIC)
    missing = [name for name in required_parts if not _has_written_section(document, name)]
    if missing:
        yield f"The evaluation document lacks {', '.join(missing)}."


def _find_missing_metadata(_case: GateCase, documents: ScenarioDocuments) -> Iterator[str]:
    missing = sorted(_iterate_empty_metadata_fields(documents.metadata))
    if missing:
        yield f"The metadata record lacks {', '.join(missing)}."


def _find_style_slips(_case: GateCase, documents: ScenarioDocuments) -> Iterator[str]:
    for style_slip in islice(find_style_slips(documents.public, "public document"), MOST_LISTED):
        yield f"The public document departs from the style conventions, {style_slip}."


def check_identifier_unique(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that the scenario has an identifier of its own in the form IM-0001."""
    own_id = case.dossier.brief.scenario_id
    if not _IDENTIFIER.fullmatch(own_id):
        yield CheckDeficiency(
            ORCHESTRATOR, f"The scenario has no identifier in the form IM-0001, but `{own_id}`."
        )
    elif own_id in case.resources.taken_ids:
        yield CheckDeficiency(ORCHESTRATOR, f"The identifier {own_id} belongs to another scenario.")


def _has_written_section(document: MarkdownDocument, name: str) -> bool:
    """Return whether a section exists and has text, in itself or in a subsection."""
    sections = document.sections
    return any(
        section.level > 0
        and section.title.strip().startswith(name)
        and any(map(_has_section_text, _iterate_section_with_subsections(sections, at)))
        for at, section in enumerate(sections)
    )


def _iterate_section_with_subsections(
    sections: tuple[MarkdownSection, ...], at: int
) -> Iterator[MarkdownSection]:
    yield sections[at]
    for below in sections[at + 1 :]:
        if below.level <= sections[at].level:
            return
        yield below


def _has_section_text(section: MarkdownSection) -> bool:
    return bool(section.text.strip(" \n-"))


def _iterate_empty_metadata_fields(metadata: ScenarioMetadata) -> Iterator[str]:
    """Yield the names of the empty fields.

    Times, models and tokens are stamped by the runtime after the gate.
    """
    for name in type(metadata).model_fields:
        value = getattr(metadata, name)
        if name not in _OPTIONAL_FIELDS and (value is None or (isinstance(value, str) and not value.strip())):
            yield name
    if metadata.human_review and not metadata.human_review_outcome.strip():
        yield "human_review_outcome"
    for phase in Phase:
        if phase not in metadata.revision_loops:
            yield f"revision_loops of {phase}"
    for agent in ROLES:
        if agent not in metadata.agent_versions or not metadata.agent_versions[agent].prompt:
            yield f"agent_versions of {agent}"


check_public_document_complete: Final[Check] = _make_documents_check(
    _find_missing_public_document_parts, ORCHESTRATOR
)
check_evaluation_document_complete: Final[Check] = _make_documents_check(
    _find_missing_evaluation_document_sections, ORCHESTRATOR
)
check_all_traces_present: Final[Check] = make_completeness_check(AgentTrace, Phase.DOCUMENT, "trace")
check_metadata_complete: Final[Check] = _make_documents_check(_find_missing_metadata, ORCHESTRATOR)
check_document_style: Final[Check] = _make_documents_check(_find_style_slips, ATHENA)
