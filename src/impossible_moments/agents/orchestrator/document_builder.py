"""Assembly of the final documents, the metadata and the mechanics of a finished dossier.

The same dossier gives the same bytes. Times and model names come in `stamps` and `versions`, in fields of
their own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType

from impossible_moments.agents.orchestrator.documents.evaluation_document import render_evaluation_document
from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
from impossible_moments.agents.orchestrator.documents.metadata_record import (
    IncompleteDossierError,
    build_metadata,
)
from impossible_moments.agents.orchestrator.documents.public_document import render_public_document
from impossible_moments.agents.orchestrator.documents.trace_document import render_trace_document
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.mechanics.checks import verify_record_by_content
from impossible_moments.mechanics.records import Library
from impossible_moments.scenarios import AgentVersion, ClockReadings, ScenarioDocuments

_NO_AGENTS: Mapping[str, AgentVersion] = MappingProxyType({})
_NO_STAMPS = ClockReadings()


def build_documents(
    dossier: Dossier,
    library: Library,
    *,
    prompts: Mapping[str, str],
    versions: Mapping[str, AgentVersion] = _NO_AGENTS,
    stamps: ClockReadings = _NO_STAMPS,
    draft: ScenarioDocuments | None = None,
) -> ScenarioDocuments:
    """Build everything that is published for a scenario.

    `prompts` holds the text of each agent's system prompt. A `draft` of the same dossier provides the public
    and the evaluation document, which no clock and no version changes. Raises `IncompleteDossierError`
    without a seed document.
    """
    seed = dossier.find_latest_deliverable(SeedDocument)
    if seed is None:
        raise IncompleteDossierError(
            "the dossier has no seed document; documents are built at the end of a pipeline."
        )
    report = verify_record_by_content(seed.mechanics, library)
    metadata = build_metadata(dossier, report, library, prompts=prompts, versions=versions, stamps=stamps)
    case = FinishedCase(dossier, seed, report, metadata)
    return ScenarioDocuments(
        public=render_public_document(case) if draft is None else draft.public,
        evaluation=render_evaluation_document(case) if draft is None else draft.evaluation,
        trace=render_trace_document(case),
        metadata=metadata,
        mechanics=json.dumps(seed.mechanics, indent=2) + "\n",
    )
