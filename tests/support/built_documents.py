"""Documents built once from golden records, for every test that reads them."""

from __future__ import annotations

from functools import cache
from typing import Final

from impossible_moments.agents.orchestrator.document_builder import build_documents
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.scenarios.documents import ScenarioDocuments
from support.finished_dossiers import PROMPTS, build_finished_dossier

BY_STATUS: Final = {
    "KS": "blast_room",
    "KS-Multiple": "bore_that_sings",
    "KS-Fragile": "the_good_track",
    "CT": "gecko_gloves",
    "OF": "ten_per_cent",
    "PX": "sealed_cage",
    "MT": "whoever_is_on_it",
    "DG": "walking_pace",
}
"""A golden record of each status that is computed quickly."""


@cache
def build_golden_documents(name: str = "blast_room") -> ScenarioDocuments:
    """Build the documents of a golden record."""
    return build_documents(build_finished_dossier(name), load_everyday_library(), prompts=PROMPTS)
