"""Finished scenarios: their documents, registry, templates, and similarity to each other."""

from impossible_moments.scenarios.corpus import Corpus, measure_scenarios
from impossible_moments.scenarios.corpus_file import CorpusFile, CorpusRows, build_rows, select_sizes
from impossible_moments.scenarios.document_template import fill_document_template
from impossible_moments.scenarios.documents import ScenarioDocuments
from impossible_moments.scenarios.embedding import (
    Embedder,
    TfidfEmbedder,
    Vectors,
    embed_texts,
    fold_case,
    load_wordllama_embedder,
    normalize_rows,
)
from impossible_moments.scenarios.file_lock import hold_file_lock
from impossible_moments.scenarios.markdown import (
    NOTHING,
    escape_block,
    escape_inline,
    join_paragraphs,
    render_bullet_list,
    render_numbered_list,
    render_table,
)
from impossible_moments.scenarios.metadata import (
    ID_FORM,
    AgentVersion,
    BriefDeviation,
    BriefFulfilment,
    ChallengeCounts,
    ClockReadings,
    ConstraintJudgement,
    ScenarioMetadata,
    ToolCallRecord,
    VerificationRecord,
    VetoCounts,
    build_agent_version,
    compute_canary,
    compute_prompt_hash,
)
from impossible_moments.scenarios.registry import (
    FILE as REGISTRY_FILE,
)
from impossible_moments.scenarios.registry import (
    RefusedPublication,
    ScenarioRegistry,
    parse_scenario_number,
    write_file_atomically,
)
from impossible_moments.scenarios.scenario import Scenario
from impossible_moments.scenarios.similarity import (
    ComparedScenario,
    SimilarPair,
    compute_scenario_vectors,
    find_near_duplicates,
    find_nearest_by_text,
)

__all__ = [
    "ID_FORM",
    "NOTHING",
    "REGISTRY_FILE",
    "AgentVersion",
    "BriefDeviation",
    "BriefFulfilment",
    "ChallengeCounts",
    "ClockReadings",
    "ComparedScenario",
    "ConstraintJudgement",
    "Corpus",
    "CorpusFile",
    "CorpusRows",
    "Embedder",
    "RefusedPublication",
    "Scenario",
    "ScenarioDocuments",
    "ScenarioMetadata",
    "ScenarioRegistry",
    "SimilarPair",
    "TfidfEmbedder",
    "ToolCallRecord",
    "Vectors",
    "VerificationRecord",
    "VetoCounts",
    "build_agent_version",
    "build_rows",
    "compute_canary",
    "compute_prompt_hash",
    "compute_scenario_vectors",
    "embed_texts",
    "escape_block",
    "escape_inline",
    "fill_document_template",
    "find_near_duplicates",
    "find_nearest_by_text",
    "fold_case",
    "hold_file_lock",
    "join_paragraphs",
    "load_wordllama_embedder",
    "measure_scenarios",
    "normalize_rows",
    "parse_scenario_number",
    "render_bullet_list",
    "render_numbered_list",
    "render_table",
    "select_sizes",
    "write_file_atomically",
]
