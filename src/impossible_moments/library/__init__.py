"""Library of everyday things, people, materials, operators, formulas and cited works."""

from impossible_moments.library.affordances import find_row_affordances, iterate_operator_uses
from impossible_moments.library.bibliography import CitedWork, load_figure_sources, load_research_works
from impossible_moments.library.bibtex_accents import decode_accents
from impossible_moments.library.classic_puzzles import (
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
from impossible_moments.library.everyday_ideas import load_everyday_ideas
from impossible_moments.library.everyday_library import load_everyday_library, load_library_file
from impossible_moments.library.existing_benchmarks import ExistingBenchmark, load_existing_benchmarks
from impossible_moments.library.hazard_names import find_named_hazards, load_named_hazards
from impossible_moments.library.hazards import (
    HAZARD_MEANINGS,
    ThingHazard,
    find_reaction_hazards,
    find_thing_hazards,
    load_hazard_tags,
)
from impossible_moments.library.idea_checks import CHECKED_STATUSES, IdeaCase, check_everyday_ideas
from impossible_moments.library.real_world_figures import (
    RealWorldFigure,
    collect_quantity_words,
    load_real_world_figures,
)
from impossible_moments.library.thing_materials import find_materials_in_text, find_materials_of_row
from impossible_moments.library.word_families import (
    collect_base_forms,
    find_word_families,
    list_base_forms,
    load_library_vocabulary,
    split_words,
)

__all__ = [
    "CHECKED_STATUSES",
    "HAZARD_MEANINGS",
    "CitedWork",
    "ExistingBenchmark",
    "HumanCapability",
    "IdeaCase",
    "Material",
    "PuzzleResemblance",
    "RealWorldFigure",
    "SourcedFigure",
    "ThingHazard",
    "check_everyday_ideas",
    "collect_base_forms",
    "collect_quantity_words",
    "decode_accents",
    "find_materials_in_text",
    "find_materials_of_row",
    "find_named_hazards",
    "find_reaction_hazards",
    "find_row_affordances",
    "find_thing_hazards",
    "find_word_families",
    "iterate_operator_uses",
    "list_base_forms",
    "load_classic_puzzles",
    "load_everyday_ideas",
    "load_everyday_library",
    "load_everyday_objects",
    "load_existing_benchmarks",
    "load_figure_sources",
    "load_hazard_tags",
    "load_human_capabilities",
    "load_library_file",
    "load_library_vocabulary",
    "load_materials",
    "load_named_hazards",
    "load_real_world_figures",
    "load_research_works",
    "rank_puzzle_resemblances",
    "split_words",
]
