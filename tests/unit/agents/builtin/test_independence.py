"""Independence: what two judges share is told here, name by name, and is nothing that judges."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

import impossible_moments

SOURCE: Final = Path(impossible_moments.__file__).parents[1]
CAST: Final = "impossible_moments.agents.builtin"

# fmt: off
ALLOWED: Final = {
    # the shape of what is handed in and read: data, no judgement
    "impossible_moments.domain":                    {"*"},
    "impossible_moments.errors":                    {"ImpossibleMomentsError"},
    "impossible_moments.agents.orchestrator.flow":  {"Assignment"},
    # how a role is asked, and how it finds its documents in what it is shown
    f"{CAST}.role":                                 {"DesignPart", "Role", "UnanswerableAsk", "complete_score_reasons"},
    f"{CAST}.assignment_view":                      {"AnsweredPoint", "AssignmentView"},
    # how any role answers in disputes and votes: rules about what was computed, not about a scenario
    f"{CAST}.ballots":                              {"*"},
    f"{CAST}.calibration_votes":                    {"*"},
    f"{CAST}.challenge_answers":                    {"*"},
    f"{CAST}.confidence":                           {"*"},
    f"{CAST}.decided_challenges":                   {"*"},
    f"{CAST}.position_evaluation":                  {"*"},
    f"{CAST}.proposal_reading":                     {"*"},
    f"{CAST}.readiness":                            {"*"},
    "impossible_moments.agents.orchestrator.conflicts.evidence_evaluation": {"EvidenceEvaluator", "ExpressionResult"},
    # wording and arithmetic: numbers in words, a value that repairs a condition, the plans of a sketch, a cache key
    f"{CAST}.figure_formats":                       {"*"},
    f"{CAST}.miss_factors":                         {"*"},
    f"{CAST}.quantity_wording":                     {"*"},
    f"{CAST}.repair_values":                        {"*"},
    f"{CAST}.seed_content":                         {"*"},
    f"{CAST}.sketch_plans":                         {"*"},
    # names: what the text calls a quantity, and which approach of the record a listed idea stands for
    "impossible_moments.mechanics.wording.quantity_names": {"QuantityNames"},
    # the language of records: reading an expression and putting numbers in, and no further
    "impossible_moments.mechanics.language.expressions":     {"*"},
    "impossible_moments.mechanics.language.expression_parser":         {"parse_expression", "ExpressionError"},
    "impossible_moments.mechanics.language.expression_types":           {"ExpressionTypeError", "NonNumericType"},
    "impossible_moments.mechanics.language.dimensions":      {"Dimension"},
    "impossible_moments.mechanics.language.scalar_evaluation": {"UNDEFINED", "Value"},
    "impossible_moments.mechanics.language.unit_text":       {"normalize_printed_unit"},
    "impossible_moments.mechanics.language.units":           {"Unit", "UnitError", "parse_unit"},
    "impossible_moments.mechanics.findings.finding":         {"Findings"},
    "impossible_moments.mechanics.records.record_validation": {"parse_record"},
    "impossible_moments.mechanics.world.building.world_builder": {"build_world"},
    "impossible_moments.mechanics.world.world_model":        {"CONSTANTS", "NeverRule", "World"},
    "impossible_moments.mechanics.world.engine":          {"WorldEngine"},
    "impossible_moments.mechanics.records.quantities":      {"QuantityKind"},
    # data types: the library of everyday things, and how a plan ended
    "impossible_moments.mechanics.records.library":         {"Library"},
    "impossible_moments.mechanics.execution.outcomes":        {"PlanOutcome"},
    "impossible_moments.mechanics.execution.moves":           {"Move"},
    "impossible_moments.mechanics.execution.move_arguments":  {"MoveError"},
    "impossible_moments.mechanics.records.plans":             {"PlanError"},
    # the executed record: NEWTON runs plans in it, EULER also searches and proves
    "impossible_moments.mechanics.checks.world_analysis":     {"WorldAnalysis"},
    # the evidence on the difficulty, which the orchestrator computes once and shows alike to all who vote
    "impossible_moments.agents.orchestrator.difficulty_figures": {"DIFFICULTY_EVIDENCE"},
    "impossible_moments.mechanics.difficulty.difficulty_evidence": {"DifficultyEvidence"},
    # tables of everyday things, and how a data file, a unit and a note are read
    "impossible_moments.library.data_tables":             {"load_everyday_objects"},
    "impossible_moments.mechanics.records.documents":     {"parse_document"},
    f"{CAST}.calibration_discussion":               {"parse_discussed_scores"},
}
# fmt: on


def _file(module: str) -> Path | None:
    path = SOURCE / Path(*module.split("."))
    if path.is_dir():
        return path / "__init__.py"
    return path.with_suffix(".py") if path.with_suffix(".py").is_file() else None


def _imported(module: str) -> Iterator[tuple[str, str]]:
    """Yield what a module imports of the package: defining module and name, `*` for a module itself.

    A name that is imported from a front door is followed to the module that defines it.
    """
    path = _file(module)
    assert path is not None, module
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((each.name, "*") for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for each in node.names:
                whole = f"{node.module}.{each.name}"
                yield (whole, "*") if _file(whole) else _follow(node.module, each.name)


def _follow(module: str, name: str) -> tuple[str, str]:
    """Return the module that defines a name which a front door exports."""
    path = _file(module)
    if path is None or path.name != "__init__.py":
        return module, name
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module and name in {each.name for each in node.names}:
            return _follow(node.module, name)
    return module, name


@cache
def _reached(role: str) -> frozenset[tuple[str, str]]:
    """Everything of the package that a role's modules import, through other modules of the cast as well."""
    waiting = [f"{CAST}.{role}.{path.stem}" for path in (SOURCE / Path(*CAST.split(".")) / role).glob("*.py")]
    waiting = [name.removesuffix(".__init__") for name in waiting]
    seen: set[str] = set()
    found: set[tuple[str, str]] = set()
    while waiting:
        module = waiting.pop()
        if module in seen:
            continue
        seen.add(module)
        for name, what in _imported(module):
            if name.startswith("impossible_moments"):
                found.add((name, what))
            if name.startswith(f"{CAST}."):
                waiting.append(name)
    return frozenset(found)


def _is_allowed(module: str, name: str) -> bool:
    return any(
        (module == known or (known == "impossible_moments.domain" and module.startswith(f"{known}.")))
        and ("*" in names or name in names)
        for known, names in ALLOWED.items()
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("newton", "euler"),
        ("newton", "galileo"),
        ("newton", "socrates"),
        ("euler", "galileo"),
        ("euler", "socrates"),
        ("galileo", "socrates"),
    ],
)
def test_two_judges_share_nothing_that_judges(one: str, other: str) -> None:
    shared = _reached(one) & _reached(other)
    assert shared, "the walk found no imports at all"
    assert sorted(f"{module}.{name}" for module, name in shared if not _is_allowed(module, name)) == []


@pytest.mark.parametrize("role", ["newton", "euler", "galileo", "socrates"])
def test_no_judge_imports_another_role(role: str) -> None:
    others = [
        f"{CAST}.{name}."
        for name in ("athena", "newton", "euler", "galileo", "socrates", "additional_agents")
        if name != role
    ]
    assert [module for module, _ in _reached(role) if module.startswith(tuple(others))] == []


def test_newton_executes_and_neither_searches_nor_proves() -> None:
    judging = ("checks", "proofs", "execution.plan_search", "execution.minimal_plans")
    prefixes = tuple(f"impossible_moments.mechanics.{name}" for name in judging)
    # the record with its approaches executed, without any search
    executed = {("record_check", "build_analysis_without_search"), ("world_analysis", "WorldAnalysis")}
    found = {
        (module.rpartition(".")[2], name)
        for module, name in _reached("newton")
        if module.startswith(prefixes)
    }
    assert found == executed


def test_newton_uses_neither_searcher_nor_prover_of_the_executed_record() -> None:
    folder = SOURCE / Path(*CAST.split(".")) / "newton"
    used = {
        node.attr
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
    }
    assert "executor" in used
    assert used.isdisjoint(
        {"searcher", "plan_finder", "minimal_plans", "create_prover", "minimal_approach_plans"}
    )


def test_euler_reads_no_table_of_everyday_things() -> None:
    assert [
        module for module, _ in _reached("euler") if module.startswith("impossible_moments.library")
    ] == []


def test_socrates_knows_neither_the_catalogue_nor_its_solver() -> None:
    known = ("impossible_moments.solver", "impossible_moments.blueprints")
    assert [module for module, _ in _reached("socrates") if module.startswith(known)] == []
