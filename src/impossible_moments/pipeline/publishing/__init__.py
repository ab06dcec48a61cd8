"""Publication: what came of a flow is compared with what exists, entered into the ledger and written to a folder."""

from impossible_moments.pipeline.publishing.corpus_index import CorpusIndex
from impossible_moments.pipeline.publishing.earlier_scenarios import EarlierScenarios
from impossible_moments.pipeline.publishing.generation_results import GenerationError, GenerationResult
from impossible_moments.pipeline.publishing.publication import ScenarioPublisher, build_scenario_closing
from impossible_moments.pipeline.publishing.published_copies import copy_publications

__all__ = [
    "CorpusIndex",
    "EarlierScenarios",
    "GenerationError",
    "GenerationResult",
    "ScenarioPublisher",
    "build_scenario_closing",
    "copy_publications",
]
