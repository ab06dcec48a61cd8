"""The checks of specification 5.6."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final

from impossible_moments.agents.orchestrator.gate_checks.case import (
    Case,
    Check,
    Lack,
    one_from_each,
)
from impossible_moments.agents.orchestrator.gate_checks.spelling import slips
from impossible_moments.audit.markdown import Document, Section
from impossible_moments.domain.tracing import AgentTrace
from impossible_moments.domain.vocabulary import ATHENA, ORCHESTRATOR, ROLES, Phase, Status
from impossible_moments.scenarios.documents import Documents
from impossible_moments.scenarios.metadata import Metadata

# fmt: off
PUBLIC_SECTIONS: Final = (
    "Scenario", "Environment", "Threat / Challenge", "Position / Starting State", "Available Objects",
    "Agent Capabilities", "Why This Looks Impossible", "Common Wrong Answers",
)
HEADER: Final = ("Category", "Difficulty", "Status", "Correct Outcome")
ANSWER: Final[Mapping[Status, str]] = {
    "KS": "Verified Solution",
    "CT": "Best Known Approaches",
    "OF": "Evaluation Criteria", "PX": "Evaluation Criteria", "MT": "Evaluation Criteria", "DG": "Evaluation Criteria",
}
# fmt: on
RUBRIC: Final = "Scoring Rubric"
MOST_LISTED: Final = 20
_IDENTIFIER: Final = re.compile(r"IM-\d{4,}")
_MAY_BE_EMPTY: Final = frozenset({"human_review_outcome", "twin"})


def _of_documents(find: Callable[[Case, Documents], Iterator[str]], addressee: str) -> Check:
    def check(case: Case) -> Iterator[Lack]:
        if case.documents is None:
            yield Lack(ORCHESTRATOR, "The documents are not assembled.")
            return
        yield from (Lack(addressee, text) for text in find(case, case.documents))

    return check


def _public(_case: Case, documents: Documents) -> Iterator[str]:
    document = Document(documents.public)
    missing = [name for name in PUBLIC_SECTIONS if not _is_written(document, name)]
    if missing:
        yield f"The public document lacks {', '.join(missing)}."
    keys = {key for _, key, value in document.keys if value.strip()}
    lines = [name for name in HEADER if name not in keys]
    if lines:
        yield f"The header of the public document lacks {', '.join(lines)}."


def _evaluation(case: Case, documents: Documents) -> Iterator[str]:
    document = Document(documents.evaluation)
    wanted = (ANSWER[case.dossier.brief.solution_status], RUBRIC)
    missing = [name for name in wanted if not _is_written(document, name)]
    if missing:
        yield f"The evaluation document lacks {', '.join(missing)}."


def _metadata(_case: Case, documents: Documents) -> Iterator[str]:
    missing = sorted(_unpopulated(documents.metadata))
    if missing:
        yield f"The metadata record lacks {', '.join(missing)}."


def _form(_case: Case, documents: Documents) -> Iterator[str]:
    for slip in islice(slips(documents.public, "public document"), MOST_LISTED):
        yield f"The public document departs from the style conventions, {slip}."


def identifier_is_unique(case: Case) -> Iterator[Lack]:
    """Check that the scenario has an identifier of its own in the form IM-0001."""
    own = case.dossier.brief.scenario_id
    if not _IDENTIFIER.fullmatch(own):
        yield Lack(ORCHESTRATOR, f"The scenario has no identifier in the form IM-0001, but `{own}`.")
    elif own in case.bench.taken:
        yield Lack(ORCHESTRATOR, f"The identifier {own} belongs to another scenario.")


def _is_written(document: Document, name: str) -> bool:
    """Return whether a section exists and has text, in itself or in a subsection."""
    sections = document.sections
    return any(
        section.level > 0
        and section.title.strip().startswith(name)
        and any(map(_says, _with_those_below(sections, at)))
        for at, section in enumerate(sections)
    )


def _with_those_below(sections: tuple[Section, ...], at: int) -> Iterator[Section]:
    yield sections[at]
    for below in sections[at + 1 :]:
        if below.level <= sections[at].level:
            return
        yield below


def _says(section: Section) -> bool:
    return bool(section.text.strip(" \n-"))


def _unpopulated(metadata: Metadata) -> Iterator[str]:
    """Yield the names of the empty fields.

    Times, models and tokens are stamped by the runtime after the gate.
    """
    for name in type(metadata).model_fields:
        value = getattr(metadata, name)
        if name not in _MAY_BE_EMPTY and (value is None or (isinstance(value, str) and not value.strip())):
            yield name
    if metadata.human_review and not metadata.human_review_outcome.strip():
        yield "human_review_outcome"
    for phase in Phase:
        if phase not in metadata.revision_loops:
            yield f"revision_loops of {phase}"
    for agent in ROLES:
        if agent not in metadata.agent_versions or not metadata.agent_versions[agent].prompt:
            yield f"agent_versions of {agent}"


public_document_is_complete: Final[Check] = _of_documents(_public, ORCHESTRATOR)
evaluation_document_is_complete: Final[Check] = _of_documents(_evaluation, ORCHESTRATOR)
all_traces_are_present: Final[Check] = one_from_each(AgentTrace, Phase.DOCUMENT, "trace")
metadata_are_complete: Final[Check] = _of_documents(_metadata, ORCHESTRATOR)
document_follows_the_style: Final[Check] = _of_documents(_form, ATHENA)
