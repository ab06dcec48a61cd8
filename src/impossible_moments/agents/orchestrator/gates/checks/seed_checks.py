"""The checks of specification 5.1."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.orchestrator.context.status_policies import SketchPart, get_status_policy
from impossible_moments.agents.orchestrator.gates.checks.table_cells import (
    collect_labels_of_bodiless_things,
    normalize_label,
    says_nothing,
)
from impossible_moments.agents.orchestrator.gates.gate_case import (
    Check,
    GateCase,
    is_blank_or_placeholder,
    make_confidence_check,
    make_seed_check,
)
from impossible_moments.domain.seed import ScenarioNarrative, SeedDocument
from impossible_moments.domain.thresholds import FEWEST_CANDIDATES, MOST_CANDIDATES
from impossible_moments.domain.vocabulary import ATHENA
from impossible_moments.mechanics.checks import CheckReport
from impossible_moments.mechanics.findings import Severity
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.prose import find_numerals, is_record_value
from impossible_moments.mechanics.world import World
from impossible_moments.scenarios.similarity import ComparedScenario, compute_scenario_vectors

CAPABILITY_TABLE: Final = "the capability table"


def extract_seed_essence(seed: SeedDocument, name: str) -> ComparedScenario:
    """Return the parts of a seed that are compared with other scenarios.

    These are the parts that its public document will contain, so that like is compared with like.
    """
    return ComparedScenario(
        name=name or seed.scenario.name,
        narrative=seed.scenario.narrative,
        objects=tuple(row.name for row in seed.scenario.objects),
        solution=seed.correct_outcome,
        insights=(),
    )


def _find_missing_sections(_case: GateCase, seed: SeedDocument) -> Iterator[str]:
    scenario = seed.scenario
    sections = {
        "the concept summary": seed.concept_summary.concept,
        "why the scenario matters": seed.concept_summary.why_it_matters,
        "what makes it look impossible": seed.impossibility_mirage.looks_impossible,
        "what the mental model excludes": seed.impossibility_mirage.excluded_by_model,
        "the scenario's name": scenario.name,
        "the scenario description": scenario.narrative,
        "the threat or challenge": scenario.threat,
        "the position or starting state": scenario.position,
        "the correct outcome": seed.correct_outcome,
    }
    tables = {
        "the environment table": [
            text for row in scenario.environment for text in (row.feature, row.specification)
        ],
        "the object table": [row.name for row in scenario.objects],
        CAPABILITY_TABLE: [row.parameter for row in scenario.capabilities],
    }
    missing = [name for name, text in sections.items() if is_blank_or_placeholder(text)]
    # Whether the record needs rows in the capability table is another row of the gate.
    missing += [
        name
        for name, cells in tables.items()
        if (not cells and name != CAPABILITY_TABLE) or any(map(is_blank_or_placeholder, cells))
    ]
    if missing:
        yield f"Write the missing parts of the template: {', '.join(missing)}."
    yield from _find_narrative_form_errors(scenario)


def _find_narrative_form_errors(scenario: ScenarioNarrative) -> Iterator[str]:
    """Yield what the narrative lacks of its form (6.1): 2 to 4 paragraphs, addressed to the solver."""
    count = sum(1 for paragraph in scenario.narrative.split("\n\n") if paragraph.strip())
    if count and not FEWEST_PARAGRAPHS <= count <= MOST_PARAGRAPHS:
        yield f"Tell the narrative in {FEWEST_PARAGRAPHS} to {MOST_PARAGRAPHS} paragraphs; it has {count}."
    # A narrative may quote a letter or a log. Then the position says who the solver is.
    if not _SECOND_PERSON.search(f"{scenario.narrative} {scenario.position}"):
        yield "Address the solver as `you`: neither the narrative nor the position does."


FEWEST_PARAGRAPHS: Final = 2
MOST_PARAGRAPHS: Final = 4
_SECOND_PERSON: Final = re.compile(r"\b(?:you|your|yours|yourself|thou|thee|thy)\b", re.IGNORECASE)


def _find_incomplete_objects(_case: GateCase, seed: SeedDocument) -> Iterator[str]:
    if not seed.scenario.objects:
        yield "List the objects, each with mass, dimensions, material and notes."
    bodiless = collect_labels_of_bodiless_things(seed)
    for row in seed.scenario.objects:
        cells = {"mass": row.mass, "dimensions": row.dimensions, "material": row.material, "notes": row.notes}
        required = ("notes",) if normalize_label(row.name) in bodiless else tuple(cells)
        missing = [name for name in required if says_nothing(cells[name])]
        if missing:
            yield f"Give the object `{row.name}` its {', '.join(missing)}."


def _find_objects_without_rules(_case: GateCase, seed: SeedDocument) -> Iterator[str]:
    if not seed.scenario.objects:
        yield "List what there is, each with notes that state its rule."
    for row in seed.scenario.objects:
        if says_nothing(row.notes):
            yield f"State in the notes what rule holds for `{row.name}`."


def _find_missing_capability_values(case: GateCase, seed: SeedDocument) -> Iterator[str]:
    rows = seed.scenario.capabilities
    if not rows and (case.computed is None or case.computed.report is None):
        yield "List the human parameters, each with its value."
    for row in rows:
        if is_blank_or_placeholder(row.parameter) or says_nothing(row.value):
            yield f"Give the capability `{row.parameter}` a value."
    report = case.computed.report if case.computed is not None else None
    values = [row.value for row in rows]
    unstated = (
        []
        if report is None
        else [
            name
            for name in _iterate_own_numbers_of_acting_person(report)
            if not _is_number_stated(name, values, report)
        ]
    )
    if unstated:
        yield f"The record states {', '.join(unstated)}, and the capability table does not."


def _iterate_own_numbers_of_acting_person(report: CheckReport) -> Iterator[str]:
    """Yield the record's own numbers of the acting person, which differ from the standard agent."""
    if report.analysis is None:
        return
    world = report.analysis.world
    for name in sorted(world.own_paths):
        agent = name.partition(".")[0]
        is_person = agent in world.things and world.things[agent].kind == "person"
        if is_person and agent in world.library.form.always and world.quantities[name].is_number:
            yield name


def _is_number_stated(name: str, values: list[str], report: CheckReport) -> bool:
    if report.tie is None:
        return True
    only = frozenset({name})
    return any(
        is_record_value(numeral, value[numeral.end :], report.tie, only)
        for value in values
        for numeral in find_numerals(value)
    )


def _find_missing_insights(_case: GateCase, seed: SeedDocument) -> Iterator[str]:
    if not any(not is_blank_or_placeholder(insight.text) for insight in seed.insight_chain):
        yield "Name at least one insight that the solution needs, with its fixedness type."


def _find_sketch_misfits(case: GateCase, seed: SeedDocument) -> Iterator[str]:
    """Yield what the status needs of a sketch and does not find, and what it forbids (3.4)."""
    policy = get_status_policy(case.dossier.brief.solution_status)
    for text in policy.list_sketch_deficiencies(seed.solution_sketch, ignored=_CHECKED_BY_ANOTHER_ROW):
        yield f"{text[:1].upper()}{text[1:]}"
    if any(is_blank_or_placeholder(step.action) for step in seed.solution_sketch.steps):
        yield "Every step of the sketch says what is done."


_CHECKED_BY_ANOTHER_ROW: Final = frozenset[SketchPart]({"claims"})


def _find_missing_proof(case: GateCase, seed: SeedDocument) -> Iterator[str]:
    yield from _find_sketch_misfits(case, seed)
    if seed.solution_sketch.impossibility_proof and is_blank_or_placeholder(
        seed.solution_sketch.impossibility_proof
    ):
        yield "Hand in the impossibility proof: which constraints conflict, and why nothing escapes them."


def _find_missing_criteria(case: GateCase, seed: SeedDocument) -> Iterator[str]:
    yield from _find_sketch_misfits(case, seed)
    criteria = seed.solution_sketch.evaluation_criteria
    if criteria and all(is_blank_or_placeholder(text) for text in criteria):
        yield "Hand in the evaluation criteria: what any valid answer must satisfy."


def _find_missing_distractors(_case: GateCase, seed: SeedDocument) -> Iterator[str]:
    if not seed.distractor_inventory:
        yield "Design at least one distractor, with its canonical affordance and why it misleads."


def _find_missing_failure_coupling(case: GateCase, seed: SeedDocument) -> Iterator[str]:
    report = case.computed.report if case.computed is not None else None
    world = report.analysis.world if report is not None and report.analysis is not None else None
    if not seed.distractor_inventory and (world is None or not _collect_coupled_properties(world)):
        yield "Couple the failures: in the record some action changes what a rate, a danger or the deadline reads. Or design a distractor."


def _collect_coupled_properties(world: World) -> frozenset[str]:
    """Return the properties that the record's actions change and that a rate, danger or deadline reads."""
    changed = {
        _get_last_path_part(_get_effect_target_path(effect.target))
        for action in world.actions.values()
        if action.own
        for effect in action.then
    }
    trees = [*world.rates.values(), *(never.tree for never in world.never_rules)]
    trees += [] if world.deadline is None else [world.deadline]
    return (
        frozenset(
            _get_last_path_part(name) for tree in trees for name in world.collect_stated_quantities(tree)
        )
        & changed
    )


def _get_effect_target_path(target: ex.Name | ex.Property) -> str:
    return target.name if isinstance(target, ex.Name) else target.path


def _get_last_path_part(path: str) -> str:
    return path.rpartition(".")[2]


def _find_wording_gaps(case: GateCase, _seed: SeedDocument) -> Iterator[str]:
    """Yield what the wording of the record lacks, so that answers to the scenario can be scored."""
    report = case.computed.report if case.computed is not None else None
    for finding in report.findings if report is not None else ():
        if finding.code == "wording.none" or (
            finding.code.startswith("wording.") and finding.severity is Severity.ERROR
        ):
            expected = f" Add: {finding.expected}." if finding.expected else ""
            yield f"Complete the section `wording` of the record ({finding.where}): {finding.what}.{expected}"


def _find_claim_gaps(_case: GateCase, seed: SeedDocument) -> Iterator[str]:
    claims = seed.solution_sketch.claims
    if not claims:
        yield "Flag the claims that need validation, each with an identifier."
    twice = [name for name, times in Counter(claim.claim_id for claim in claims).items() if times > 1]
    if twice:
        yield f"Give each claim an identifier of its own: {', '.join(twice)} stands for several."
    for claim in claims:
        if is_blank_or_placeholder(claim.text):
            yield f"Say in words what claim {claim.claim_id} claims."


def _find_candidate_gaps(_case: GateCase, seed: SeedDocument) -> Iterator[str]:
    count = len(seed.candidates)
    if not FEWEST_CANDIDATES <= count <= MOST_CANDIDATES:
        yield f"Hand in {FEWEST_CANDIDATES} to {MOST_CANDIDATES} candidate situations, the chosen one included; there are {count}."
    for number, each in enumerate(seed.candidates, 1):
        constraints = each.constraints
        parts = {
            "its situation": each.situation,
            "what makes it look impossible": constraints.looks_impossible,
            "what must be seen differently": constraints.reconceived,
            "which time or resource removes other approaches": constraints.pruned_by,
        }
        missing = [name for name, text in parts.items() if says_nothing(text)]
        if missing:
            yield f"State for candidate {number}: {', '.join(missing)}."
    situations = [each.situation.strip().lower() for each in seed.candidates]
    if len(set(situations)) < len(situations):
        yield "Consider different situations: two candidates are the same."


def _find_duplicate_concept(case: GateCase, seed: SeedDocument) -> Iterator[str]:
    own_id, twin = case.dossier.brief.scenario_id, case.dossier.brief.twin
    # A twin is meant to be similar to its sibling, and to no other scenario.
    excluded_ids = {own_id, *([] if twin is None else [twin.of])} - {""}
    resources = case.resources
    nearest = 0.0
    if resources.corpus is not None:
        (vector,) = compute_scenario_vectors([extract_seed_essence(seed, own_id)], resources.embedder)
        nearest = resources.corpus.without(excluded_ids).find_greatest_cosine(vector)
    if nearest >= case.resources.limits.similarity:
        # The other scenario is not named: agents must not learn about other scenarios.
        yield (
            f"The concept is too near to a scenario that exists (cosine {nearest:.2f}, the limit is {case.resources.limits.similarity:g}). "
            "Choose another situation, other objects or another solution."
        )


def _find_category_mismatch(case: GateCase, seed: SeedDocument) -> Iterator[str]:
    briefed_category = case.dossier.brief.category
    for where, found in (
        ("concept summary", seed.concept_summary.category),
        ("record", seed.mechanics.get("category")),
    ):
        if found != briefed_category:
            yield f"The {where} says {found}, and the brief asks for {briefed_category}."
    if is_blank_or_placeholder(seed.category_match):
        yield f"Say why the scenario fits {briefed_category} and the skill it tests."


check_narrative_complete: Final[Check] = make_seed_check(_find_missing_sections)
check_object_table_complete: Final[Check] = make_seed_check(_find_incomplete_objects)
check_rule_table_complete: Final[Check] = make_seed_check(_find_objects_without_rules)
check_capability_table_complete: Final[Check] = make_seed_check(_find_missing_capability_values)
check_insight_named: Final[Check] = make_seed_check(_find_missing_insights)
check_sketch_present: Final[Check] = make_seed_check(_find_sketch_misfits)
check_proof_present: Final[Check] = make_seed_check(_find_missing_proof)
check_criteria_present: Final[Check] = make_seed_check(_find_missing_criteria)
check_distractor_designed: Final[Check] = make_seed_check(_find_missing_distractors)
check_failures_coupled: Final[Check] = make_seed_check(_find_missing_failure_coupling)
check_wording_complete: Final[Check] = make_seed_check(_find_wording_gaps)
check_claims_flagged: Final[Check] = make_seed_check(_find_claim_gaps)
check_candidates_considered: Final[Check] = make_seed_check(_find_candidate_gaps)
check_no_duplicate_exists: Final[Check] = make_seed_check(_find_duplicate_concept)
check_category_matches_brief: Final[Check] = make_seed_check(_find_category_mismatch)

check_athena_confidence: Final[Check] = make_confidence_check(ATHENA, lambda case: case.seed)
