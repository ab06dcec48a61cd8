"""Assembly of the final documents, the metadata and the mechanics of a finished dossier.

The same dossier gives the same bytes. Times and model names come in `stamps` and `versions`, in fields of
their own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType

from impossible_moments.agents.orchestrator.document_metadata import Undocumented, metadata_of
from impossible_moments.agents.orchestrator.documents.case import Case
from impossible_moments.agents.orchestrator.documents.evaluation import evaluation_document
from impossible_moments.agents.orchestrator.documents.public import public_document
from impossible_moments.agents.orchestrator.documents.trace import trace_document
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.mechanics.check import check
from impossible_moments.mechanics.library import Library
from impossible_moments.scenarios.documents import Documents
from impossible_moments.scenarios.metadata import AgentVersion, Stamps

_NOBODY: Mapping[str, AgentVersion] = MappingProxyType({})
_NO_STAMPS = Stamps()


def build(
    dossier: Dossier,
    library: Library,
    *,
    prompts: Mapping[str, str],
    versions: Mapping[str, AgentVersion] = _NOBODY,
    stamps: Stamps = _NO_STAMPS,
    draft: Documents | None = None,
) -> Documents:
    """Build everything that is published for a scenario.

    `prompts` holds the text of each agent's system prompt. A `draft` of the same dossier provides the public
    and the evaluation document, which no clock and no version changes. Raises `IncompleteDossierError`
    without a seed document.
    """
    seed = dossier.latest(SeedDocument)
    if seed is None:
        raise Undocumented("the dossier has no seed document; documents are built at the end of a pipeline.")
    report = check(seed.mechanics, library)
    metadata = metadata_of(dossier, report, library, prompts=prompts, versions=versions, stamps=stamps)
    case = Case(dossier, seed, report, metadata)
    return Documents(
        public=public_document(case) if draft is None else draft.public,
        evaluation=evaluation_document(case) if draft is None else draft.evaluation,
        trace=trace_document(case),
        metadata=metadata,
        mechanics=json.dumps(seed.mechanics, indent=2) + "\n",
    )
