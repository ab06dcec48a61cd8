"""Uncertain worlds: hidden states with probabilities, noisy tests, acts that cannot be undone, and exact optima."""

from impossible_moments.mechanics.uncertain.belief_solver import MOST_NODES, BeliefSolver, NotExhausted
from impossible_moments.mechanics.uncertain.compiled_world import BeliefNode, Successor, UncertainWorld
from impossible_moments.mechanics.uncertain.decision_tables import (
    DecisionTree,
    DecisionTreeError,
    build_decision_tree,
    convert_tree_to_data,
    evaluate_decision_tree,
    parse_decision_tree,
    render_policy,
)
from impossible_moments.mechanics.uncertain.policies import Policy, PolicyName, PolicySet, evaluate_policy
from impossible_moments.mechanics.uncertain.public_text import WorldText, format_chance, render_world_text
from impossible_moments.mechanics.uncertain.record_checks import (
    UncertainRecordError,
    build_uncertain_schema,
    is_uncertain_record,
    parse_uncertain_record,
)
from impossible_moments.mechanics.uncertain.record_forms import FORMAT, ActKind, Ending, UncertainRecord
from impossible_moments.mechanics.uncertain.world_episode import WorldEpisode, play_policy, select_by_chance
from impossible_moments.mechanics.uncertain.world_measures import (
    LEAST_GAP,
    MOST_OPTIMUM,
    WorldMeasures,
    measure_world,
)

__all__ = [
    "FORMAT",
    "LEAST_GAP",
    "MOST_NODES",
    "MOST_OPTIMUM",
    "ActKind",
    "BeliefNode",
    "BeliefSolver",
    "DecisionTree",
    "DecisionTreeError",
    "Ending",
    "NotExhausted",
    "Policy",
    "PolicyName",
    "PolicySet",
    "Successor",
    "UncertainRecord",
    "UncertainRecordError",
    "UncertainWorld",
    "WorldEpisode",
    "WorldMeasures",
    "WorldText",
    "build_decision_tree",
    "build_uncertain_schema",
    "convert_tree_to_data",
    "evaluate_decision_tree",
    "evaluate_policy",
    "format_chance",
    "is_uncertain_record",
    "measure_world",
    "parse_decision_tree",
    "parse_uncertain_record",
    "play_policy",
    "render_policy",
    "render_world_text",
    "select_by_chance",
]
