"""The checks of specification 5.6."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Final, get_args

from pydantic import BaseModel

from impossible_moments.agents.orchestrator.documents.apparent_impossibility import (
    FEWEST_SENTENCES,
    MOST_SENTENCES,
    count_sentences,
)
from impossible_moments.agents.orchestrator.documents.outcome_tokens import OutcomeToken
from impossible_moments.agents.orchestrator.documents.public_tables import is_filler
from impossible_moments.agents.orchestrator.documents.trace_parts.dispute_history import iterate_disagreements
from impossible_moments.agents.orchestrator.gates.document_style import find_style_slips
from impossible_moments.agents.orchestrator.gates.gate_case import (
    Check,
    CheckDeficiency,
    GateCase,
    is_blank_or_placeholder,
)
from impossible_moments.agents.orchestrator.gates.misspellings import collect_known_words, find_misspellings
from impossible_moments.agents.orchestrator.open_points import collect_open_points
from impossible_moments.audit.documents import MarkdownDocument, MarkdownSection
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.dossier import RevisionDemand
from impossible_moments.domain.vocabulary import ANSWER_HEADINGS, ATHENA, ORCHESTRATOR, ROLES, Phase
from impossible_moments.scenarios import AgentVersion, ClockReadings, ScenarioDocuments, ScenarioMetadata

# fmt: off
PUBLIC_SECTIONS: Final = (
    "Scenario", "Environment", "Threat / Challenge", "Position / Starting State", "Available Objects",
    "Agent Capabilities", "Why This Looks Impossible", "Common Wrong Answers",
)
HEADER: Final = ("Category", "Difficulty", "Status", "Correct Outcome")
# fmt: on
TEXT: Final = "text"
"""The subject of a demand that ATHENA revise the text that solvers read."""
TRACE: Final = "trace"
"""The subject of a demand that an agent complete its trace. It changes nothing in the scenario."""
OBJECTS: Final = "Available Objects"
LOOKS_IMPOSSIBLE: Final = "Why This Looks Impossible"
RUBRIC: Final = "Scoring Rubric"
EVALUATION_SECTIONS: Final = (
    "Step-by-step Solution", "Physics Validation", "Key Insights", "Distractor Analysis", RUBRIC,
    "Counterfactual Variants", "Difficulty Profile",
)  # fmt: skip
OUTCOME_TOKENS: Final = frozenset(get_args(OutcomeToken))
MOST_LISTED: Final = 20
_IDENTIFIER: Final = re.compile(r"IM-\d{4,}")
_CELL_BORDER: Final = re.compile(r"(?<!\\)\|")
_MAY_BE_EMPTY: Final = frozenset({"prompt", "missing"})
"""Fields of a version or of clock readings that are empty in a complete record."""


def _make_documents_check(
    find_deficiencies: Callable[[GateCase, ScenarioDocuments], Iterator[str]], addressee: str
) -> Check:
    def check_documents(case: GateCase) -> Iterator[CheckDeficiency]:
        if case.documents is None:
            yield CheckDeficiency(ORCHESTRATOR, "The documents are not assembled.")
            return
        for text in find_deficiencies(case, case.documents):
            demand = RevisionDemand(ORCHESTRATOR, text, TEXT) if addressee == ATHENA else None
            yield CheckDeficiency(addressee, text, demand=demand)

    return check_documents


def _find_missing_public_document_parts(_case: GateCase, documents: ScenarioDocuments) -> Iterator[str]:
    document = MarkdownDocument(documents.public)
    missing = [name for name in PUBLIC_SECTIONS if not _has_written_section(document, name)]
    if missing:
        yield f"The public document lacks {', '.join(missing)}."
    keys = {key: value.strip() for _, key, value in document.keys if value.strip()}
    lines = [name for name in HEADER if name not in keys]
    if lines:
        yield f"The header of the public document lacks {', '.join(lines)}."
    outcome = keys.get("Correct Outcome", "")
    if outcome and outcome not in OUTCOME_TOKENS:
        yield f"The Correct Outcome is `{outcome}`, which is none of {', '.join(sorted(OUTCOME_TOKENS))}."
    yield from _find_empty_public_rows(document)


def _find_empty_public_rows(document: MarkdownDocument) -> Iterator[str]:
    """Yield the rows of the tables that state nothing. An object without a mass needs notes that state its rule."""
    for section in document.sections:
        name = next((each for each in PUBLIC_SECTIONS if section.title.strip() == each), "")
        for cells in _iterate_table_rows(section.text):
            stated = [not is_filler(cell) for cell in cells]
            allows_gaps = name == OBJECTS and stated[0] and stated[-1]
            if name and not all(stated) and not allows_gaps:
                yield f"A row of {name} states nothing: {' | '.join(cells)}."


def _find_unexplained_impossibility(_case: GateCase, documents: ScenarioDocuments) -> Iterator[str]:
    section = next(
        (
            each
            for each in MarkdownDocument(documents.public).sections
            if each.title.strip() == LOOKS_IMPOSSIBLE
        ),
        None,
    )
    text = section.text.replace("---", "").strip() if section is not None else ""
    sentences = 0 if is_filler(text) else count_sentences(text)
    if not FEWEST_SENTENCES <= sentences <= MOST_SENTENCES:
        yield (
            f"`{LOOKS_IMPOSSIBLE}` has {sentences} {'sentence' if sentences == 1 else 'sentences'}, and "
            f"{FEWEST_SENTENCES} to {MOST_SENTENCES} are needed. Revise what makes the scenario look impossible."
        )


def _iterate_table_rows(text: str) -> Iterator[list[str]]:
    """Yield the cells of the rows below the head of each table."""
    rows = [line for line in text.split("\n") if line.startswith("|")]
    below_head = False
    for row in rows:
        cells = [cell.strip() for cell in _CELL_BORDER.split(row.strip().strip("|"))]
        if all(set(cell) <= set("-: ") for cell in cells):
            below_head = True
        elif below_head:
            yield cells


def _find_missing_evaluation_document_sections(case: GateCase, documents: ScenarioDocuments) -> Iterator[str]:
    document = MarkdownDocument(documents.evaluation)
    required_parts = (ANSWER_HEADINGS[case.dossier.brief.solution_status], *EVALUATION_SECTIONS)
    missing = [name for name in required_parts if not _has_written_section(document, name)]
    if missing:
        yield f"The evaluation document lacks {', '.join(missing)}."
    for section in document.sections:
        for cells in _iterate_table_rows(section.text):
            if section.title.strip() in EVALUATION_SECTIONS and any(map(is_filler, cells)):
                yield f"A row of {section.title.strip()} leaves a cell empty: {' | '.join(cells)}."


def _find_missing_metadata(_case: GateCase, documents: ScenarioDocuments) -> Iterator[str]:
    missing = sorted(_iterate_empty_metadata_fields(documents.metadata))
    if missing:
        yield f"The metadata record lacks {', '.join(missing)}."


def _find_style_slips(case: GateCase, documents: ScenarioDocuments) -> Iterator[str]:
    known_words = collect_known_words(case.computed.report if case.computed is not None else None)
    slips = chain(
        find_style_slips(documents.public, "public document"),
        map(str, find_misspellings(documents.public, known_words)),
    )
    for style_slip in islice(slips, MOST_LISTED):
        yield f"The public document departs from the style conventions, {style_slip}."


def check_traces_complete(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that all five agents handed in a trace with findings, decisions and a view on their disputes."""
    traces = case.dossier.find_deliverable_of_phase_by_author(AgentTrace, Phase.DOCUMENT)
    for agent in ROLES:
        if agent not in traces:
            yield _demand_trace(agent, "Hand in your trace: there is none.")
        else:
            missing = _list_missing_trace_parts(case, agent, traces[agent])
            if missing:
                yield _demand_trace(agent, f"Complete your trace: it lacks {', '.join(missing)}.")


def _demand_trace(agent: str, text: str) -> CheckDeficiency:
    return CheckDeficiency(agent, text, demand=RevisionDemand(ORCHESTRATOR, text, TRACE))


def _list_missing_trace_parts(case: GateCase, agent: str, trace: AgentTrace) -> list[str]:
    texts = {"where you are least confident": trace.least_confident, "what would help": trace.would_increase}
    missing = [name for name, text in texts.items() if is_blank_or_placeholder(text)]
    if not trace.decisions and not trace.justification.strip():
        missing.append("a key decision with its confidence, or why there was none to take")
    has_disputes = any(True for _ in iterate_disagreements(case.dossier, agent))
    if has_disputes and trace.resolution_confidence is None:
        missing.append("your confidence that your disputes were resolved correctly")
    return missing


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
    """Yield the names of the empty fields for which no reason is recorded."""
    yield from (name for name in _iterate_empty_fields(metadata) if name not in metadata.absent)
    parts: dict[str, ClockReadings | AgentVersion] = {**metadata.agent_versions, "stamps": metadata.stamps}
    for name, part in parts.items():
        if not part.missing:
            yield from (
                f"{name} {field}" for field in _iterate_empty_fields(part) if field not in _MAY_BE_EMPTY
            )
    for phase in Phase:
        if phase not in metadata.revision_loops:
            yield f"revision_loops of {phase}"
    for agent in ROLES:
        version = metadata.agent_versions.get(agent)
        if version is None or not (version.prompt or version.is_program):
            yield f"agent_versions of {agent}"


def _iterate_empty_fields(model: BaseModel) -> Iterator[str]:
    for name in type(model).model_fields:
        value = getattr(model, name)
        if value is None or (isinstance(value, str) and not value.strip()):
            yield name


_check_public_parts: Final[Check] = _make_documents_check(_find_missing_public_document_parts, ORCHESTRATOR)
check_evaluation_document_complete: Final[Check] = _make_documents_check(
    _find_missing_evaluation_document_sections, ORCHESTRATOR
)
check_metadata_complete: Final[Check] = _make_documents_check(_find_missing_metadata, ORCHESTRATOR)
_check_apparent_impossibility: Final[Check] = _make_documents_check(_find_unexplained_impossibility, ATHENA)
check_document_style: Final[Check] = _make_documents_check(_find_style_slips, ATHENA)


def check_public_document_complete(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that every section, header line and table row of the public document states something."""
    yield from _check_public_parts(case)
    if case.documents is not None:
        yield from _check_apparent_impossibility(case)


def check_open_points_settled(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that everything that an agent asked of another has been adopted, declined, superseded or decided."""
    for point in collect_open_points(case.dossier):
        if not point.is_settled:
            text = f"Answer {point.name} of {point.author} ({point.kind}): {point.text}"
            yield _demand_trace(point.addressee, text)
