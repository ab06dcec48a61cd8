"""Library of everyday things, people, materials, operators, formulas and cited works."""

from impossible_moments.library.affordances import find_row_affordances, iterate_operator_uses
from impossible_moments.library.bibliography import CitedWork, load_figure_sources, load_research_works
from impossible_moments.library.classic_puzzles import (
    ClassicPuzzle,
    PuzzleResemblance,
    load_classic_puzzles,
    rank_puzzle_resemblances,
)
from impossible_moments.library.data_tables import (
    HumanCapability,
    Material,
    SourcedFigure,
    load_everyday_objects,
    load_human_capabilities,
    load_materials,
)
from impossible_moments.library.everyday_library import load_everyday_library, load_library_file
from impossible_moments.library.existing_benchmarks import ExistingBenchmark, load_existing_benchmarks
from impossible_moments.library.hazards import Hazard, find_hazards, load_hazards

__all__ = [
    "CitedWork",
    "ClassicPuzzle",
    "ExistingBenchmark",
    "Hazard",
    "HumanCapability",
    "Material",
    "PuzzleResemblance",
    "SourcedFigure",
    "find_hazards",
    "find_row_affordances",
    "iterate_operator_uses",
    "load_classic_puzzles",
    "load_everyday_library",
    "load_everyday_objects",
    "load_existing_benchmarks",
    "load_figure_sources",
    "load_hazards",
    "load_human_capabilities",
    "load_library_file",
    "load_materials",
    "load_research_works",
    "rank_puzzle_resemblances",
]
