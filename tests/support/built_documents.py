"""Documents built once from golden records, for every test that reads them."""

from __future__ import annotations

from functools import cache
from typing import Final

from impossible_moments.agents.orchestrator.document_builder import build_documents
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.scenarios.documents import ScenarioDocuments
from support.finished_dossiers import PROMPTS, finished

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
def built(name: str = "blast_room") -> ScenarioDocuments:
    """The documents of a golden record."""
    return build_documents(finished(name), load_everyday_library(), prompts=PROMPTS)
