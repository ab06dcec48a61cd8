"""Similarity of scenarios: vectors of their texts, and the corpus that a new one is compared with."""

from impossible_moments.scenarios.similarity.corpus import Corpus, measure_scenarios
from impossible_moments.scenarios.similarity.corpus_file import (
    CorpusFile,
    CorpusRows,
    build_rows,
    select_sizes,
)
from impossible_moments.scenarios.similarity.embedding import (
    Embedder,
    TfidfEmbedder,
    Vectors,
    embed_texts,
    fold_case,
    load_wordllama_embedder,
    normalize_rows,
)
from impossible_moments.scenarios.similarity.scenario_similarity import (
    ComparedScenario,
    SimilarPair,
    compute_scenario_vectors,
    find_near_duplicates,
    find_nearest_by_text,
)

__all__ = [
    "ComparedScenario",
    "Corpus",
    "CorpusFile",
    "CorpusRows",
    "Embedder",
    "SimilarPair",
    "TfidfEmbedder",
    "Vectors",
    "build_rows",
    "compute_scenario_vectors",
    "embed_texts",
    "find_near_duplicates",
    "find_nearest_by_text",
    "fold_case",
    "load_wordllama_embedder",
    "measure_scenarios",
    "normalize_rows",
    "select_sizes",
]
