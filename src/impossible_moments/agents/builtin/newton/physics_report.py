"""NEWTON's part of the validation report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from impossible_moments.agents.builtin.confidence import ConfidenceBasis, compute_share, derive_confidence
from impossible_moments.agents.builtin.newton.claim_verdicts import UNSURE_SOURCES, JudgedClaim, judge_claims
from impossible_moments.agents.builtin.newton.distractor_trials import (
    DistractorTrial,
    find_nearest_trial,
    find_working_trial,
    try_distractor,
    try_idea,
)
from impossible_moments.agents.builtin.newton.environment_effects import (
    describe_environment_effects,
    find_friction_faults,
)
from impossible_moments.agents.builtin.newton.human_limits import find_human_faults
from impossible_moments.agents.builtin.newton.material_checks import (
    MaterialJudgement,
    judge_object_properties,
)
from impossible_moments.agents.builtin.newton.physical_fault import Gravity, PhysicalFault
from impossible_moments.agents.builtin.newton.real_world_checks import (
    describe_real_world_comparison,
    find_unrealistic_figures,
)
from impossible_moments.agents.builtin.newton.seed_facts import YOU, SeedFacts
from impossible_moments.agents.builtin.newton.step_forces import (
    FailingStep,
    describe_step_conditions,
    find_failing_steps,
    find_least_step_margin,
)
from impossible_moments.agents.builtin.newton.threat_model import ThreatAnalysis, analyse_threat
from impossible_moments.agents.builtin.newton.unexpected_executions import find_unexpected_executions
from impossible_moments.agents.builtin.quantity_wording import (
    PropertySource,
    format_all,
    format_count,
    format_quantity,
)
from impossible_moments.agents.builtin.repair_values import find_repair
from impossible_moments.agents.builtin.seed_content import (
    CACHED_SEEDS,
    parse_seed_content,
    serialize_seed_content,
)
from impossible_moments.domain.seed import Distractor, SeedDocument
from impossible_moments.domain.validation import Correction, MaterialCheck, PhysicsReport
from impossible_moments.mechanics.language import TIME, ExpressionTypeError
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import Library
from impossible_moments.mechanics.world import WorldEngine

MOST_UNSTATED: Final = 4
MOST_PROBLEMS: Final = 3
JUDGED_BY_EXECUTION: Final = 0.5
"""The weight of a claim without numbers that execution has tried, among the claims that were not computed."""
THIN_MARGIN: Final = 0.02
"""A margin below this is within the spread of figures that are estimated or usual."""


@dataclass(frozen=True)
class PhysicalAnalysis:
    """Everything that NEWTON computed about a seed document."""

    facts: SeedFacts
    claims: tuple[JudgedClaim, ...]
    materials: tuple[MaterialJudgement, ...]
    faults: tuple[PhysicalFault, ...]
    threat: ThreatAnalysis
    trials: dict[str, tuple[DistractorTrial, ...]]
    """The executed trials of each distractor, by its name in the inventory."""

    @property
    def enabling_distractors(self) -> dict[str, DistractorTrial]:
        """The distractors with which a plan reaches the goal, with that plan."""
        found = {name: find_working_trial(trials) for name, trials in self.trials.items()}
        return {name: trial for name, trial in found.items() if trial is not None}

    @property
    def confidence_basis(self) -> ConfidenceBasis:
        """The facts that the confidence of the report is derived from."""
        sources = [source for claim in self.claims for source in claim.sources]
        margins = [abs(claim.margin) for claim in self.claims if claim.margin is not None]
        return ConfidenceBasis(
            least_margin=min(margins, default=None),
            estimates=compute_share(sum(each.source in UNSURE_SOURCES for each in sources), len(sources)),
            uncomputed=self._compute_uncomputed_share(),
            concerns=len(list_concerns(self)),
        )

    def _compute_uncomputed_share(self) -> float:
        """Return the share of the claims without numbers. One that execution has tried counts half."""
        weight = JUDGED_BY_EXECUTION if self.facts.approach_outcomes else 1.0
        return weight * compute_share(sum(not each.computed for each in self.claims), len(self.claims))


def analyse_physics(seed: SeedDocument, library: Library) -> PhysicalAnalysis:
    """Compute everything once for each content of a seed document."""
    return _analyse_content(serialize_seed_content(seed), library)


@lru_cache(maxsize=CACHED_SEEDS)
def _analyse_content(content: str, library: Library) -> PhysicalAnalysis:
    facts = SeedFacts(parse_seed_content(content), library)
    materials = judge_object_properties(facts)
    faults = (
        *(each.fault for each in materials if each.fault is not None),
        *find_human_faults(facts),
        *find_friction_faults(facts),
        *_find_step_faults(facts),
        *find_unrealistic_figures(facts),
    )
    trials = {
        each.name: found
        for each in facts.seed.distractor_inventory
        if (found := _try_distractor_or_idea(facts, each)) is not None
    }
    return PhysicalAnalysis(facts, judge_claims(facts), materials, faults, analyse_threat(facts), trials)


def _try_distractor_or_idea(facts: SeedFacts, distractor: Distractor) -> tuple[DistractorTrial, ...] | None:
    """Return the trials of a thing or an idea, or None if it is an idea that no approach of the record carries out."""
    thing = facts.find_thing(distractor.name)
    if thing is not None:
        return try_distractor(facts, thing.name)
    return try_idea(facts, distractor) or None


def build_physics_report(analysis: PhysicalAnalysis) -> PhysicsReport:
    """Build the physics report from what was computed."""
    facts, faults = analysis.facts, analysis.faults
    concerns = list_concerns(analysis)
    corrections = tuple(_list_corrections(analysis))
    vetoed = [fault for fault in faults if fault.gravity is Gravity.IMPOSSIBLE]
    confidence = derive_confidence(analysis.confidence_basis)
    invalid = bool(facts.problems or vetoed) or any(not claim.holds for claim in analysis.claims)
    return PhysicsReport(
        claims=tuple(each.verdict for each in analysis.claims),
        material_properties=tuple(
            MaterialCheck(thing=each.label, holds=each.fault is None, remark=each.remark)
            for each in analysis.materials
        ),
        force_and_motion=tuple(describe_step_conditions(facts)),
        environment=tuple(describe_environment_effects(facts)),
        threat_model=(
            *(analysis.threat.statements or (_describe_unmodelled_threat(analysis.threat),)),
            *describe_real_world_comparison(facts),
        ),
        feasibility="INVALID" if invalid else "VALID-WITH-CONCERNS" if concerns else "VALID",
        key_finding=find_key_finding(analysis),
        concerns=concerns,
        corrections_needed=corrections,
        edge_cases=tuple(_describe_edge_cases(analysis)),
        alternative_paths=tuple(
            f"With {name}: {' then '.join(trial.calls)}."
            for name, trial in sorted(analysis.enabling_distractors.items())
        ),
        mirage_convincing=_describe_misleading_things(analysis),
        challenges=tuple(
            fault.build_challenge(confidence) for fault in faults if fault.gravity is Gravity.DOUBTFUL
        ),
        vetoes=tuple(fault.build_veto() for fault in vetoed),
        confidence=confidence,
    )


def _describe_unmodelled_threat(threat: ThreatAnalysis) -> str:
    return f"Not modelled: {threat.missing or 'the text names no threat with an amount, rate or time'}."


def list_concerns(analysis: PhysicalAnalysis) -> tuple[str, ...]:
    """Return the doubts about a seed document, each with its numbers."""
    facts = analysis.facts
    weak = [
        f"{each.claim.claim_id} for the weakest person that the text admits: {each.weakest.describe()}"
        for each in analysis.claims
        if each.holds and each.weakest is not None and not each.weakest.holds
    ]
    thin = list(_describe_thin_claims(analysis.claims))
    missing = [f"The threat is not modelled: {analysis.threat.missing}"] if analysis.threat.missing else []
    faults = [f"{fault.subject}: {fault.problem}" for fault in analysis.faults]
    return (
        *faults,
        *weak,
        *thin,
        *missing,
        *find_unexpected_executions(facts),
        *(
            f"{name} is listed as a distractor, and {' then '.join(trial.calls)} reaches the goal with it"
            for name, trial in sorted(analysis.enabling_distractors.items())
        ),
        *_list_unstated_properties(analysis, facts),
    )


def _describe_thin_claims(claims: tuple[JudgedClaim, ...]) -> Iterator[str]:
    """Yield a doubt for each set of inexact figures that decides claims with a thin margin.

    Claims that hang on the same figures are one doubt.
    """
    thin: dict[tuple[str, ...], list[tuple[str, float]]] = {}
    for each in claims:
        inexact = _list_inexact_figures(each)
        if each.holds and each.margin is not None and each.margin < THIN_MARGIN and inexact:
            thin.setdefault(inexact, []).append((each.claim.claim_id, each.margin))
    for figures, found in thin.items():
        named, least = " and ".join(name for name, _ in found), min(margin for _, margin in found)
        verb, subject = ("holds", "it reads") if len(found) == 1 else ("hold", "they read")
        yield f"{named} {verb} by {least:.1%} only, and {subject} what is not stated exactly: {', '.join(figures)}"


def _list_inexact_figures(claim: JudgedClaim) -> tuple[str, ...]:
    """Return the figures of a claim that come from the library, are estimated or disputed.

    What the scenario states is exact, as EULER computes it, and a thin margin of such figures is an edge case only.
    """
    exact = {PropertySource.STATED, PropertySource.CONSTANT}
    return tuple(sorted(each.words for each in claim.sources if each.source not in exact))


def find_key_finding(analysis: PhysicalAnalysis) -> str:
    """Return the fact on which the feasibility turns.

    That is the worst fault, else a claim that is false, else the claim nearest to its limit. If no claim compares
    numbers, it is what the execution of the approaches showed.
    """
    if analysis.faults:
        worst = max(analysis.faults, key=lambda each: each.gravity)
        return f"{worst.subject}: {worst.problem}"
    claims = sorted(
        analysis.claims,
        key=lambda each: (
            each.holds,
            each.margin is None,
            abs(each.margin) if each.margin is not None else 0.0,
        ),
    )
    return f"{claims[0].claim.claim_id}: {claims[0].verdict.reasoning}" if claims else ""


def _list_corrections(analysis: PhysicalAnalysis) -> Iterator[Correction]:
    for problem in analysis.facts.problems[:MOST_PROBLEMS]:
        yield Correction(problem="The record cannot be read.", evidence=problem)
    for fault in analysis.faults:
        if fault.gravity is not Gravity.CONCERN:
            yield fault.build_correction()
    if analysis.threat.missing and not analysis.facts.problems:
        yield Correction(
            subject="threat",
            problem="The threat is not modelled.",
            evidence=analysis.threat.missing,
            proposal="State a deadline, a rate or a danger that follows from it.",
        )
    if not analysis.facts.problems:
        yield from (each.correction for each in analysis.claims if each.correction is not None)


def _list_unstated_properties(analysis: PhysicalAnalysis, facts: SeedFacts) -> Iterator[str]:
    """Yield properties of persons that decide a claim but that the text does not state."""
    found = {
        source.path: (source, claim.claim.claim_id)
        for claim in analysis.claims
        for source in claim.sources
        if source.path.startswith(f"{YOU}.") and source.source is not PropertySource.STATED
    }
    for path, (source, claim_id) in sorted(found.items())[:MOST_UNSTATED]:
        is_own = facts.world is not None and path in facts.world.own_paths
        if not is_own and not facts.is_capability_stated(path.removeprefix(f"{YOU}.")):
            yield f"`{path}` decides {claim_id} and is not stated: the library's value is taken ({source.reference})"


def _find_step_faults(facts: SeedFacts) -> Iterator[PhysicalFault]:
    """Yield the steps of the sketch that a physical condition stops at the stated numbers."""
    engine = facts.engine
    for step in find_failing_steps(facts):
        if engine is None or _compares_times(engine, step.compared.tree):
            continue  # whether the time suffices is for mathematics to say
        repair = find_repair(engine, step.compared.tree)
        name, proposal = _word_repair(engine, repair, step)
        yield PhysicalFault(
            name,
            f"{step.call} can be carried out.",
            f"`{step.condition}`: {step.compared.describe()}",
            f"the condition {ex.format_expression(step.compared.tree)} of the step",
            proposal,
            Gravity.IMPOSSIBLE,
            ex.format_expression(step.compared.tree),
        )


def _word_repair(engine: WorldEngine, repair: tuple[str, float] | None, step: FailingStep) -> tuple[str, str]:
    if repair is None:
        return step.call, "Replace the step: no change of a single number makes its condition hold."
    name, value = repair
    return (
        name,
        f"{name} = {format_quantity(engine.world, name, value)} lets the step succeed with 15 % to spare.",
    )


def _compares_times(engine: WorldEngine, tree: ex.Comparison) -> bool:
    try:
        return engine.infer_expression_type(tree.left) == TIME
    except ExpressionTypeError:
        return False


def _describe_edge_cases(analysis: PhysicalAnalysis) -> Iterator[str]:
    failing = [
        each for each in analysis.claims if each.holds and each.weakest is not None and not each.weakest.holds
    ]
    affected = [each for each in analysis.claims if each.weakest is not None]
    for each in failing:
        if each.weakest is not None:
            yield f"The weakest person that the text admits fails {each.claim.claim_id}: {each.weakest.describe()}."
    if affected and not failing:
        least = min(
            (each.weakest.margin for each in affected if each.weakest and each.weakest.margin is not None),
            default=None,
        )
        thinnest = f"; the thinnest margin is then {least:.0%}" if least is not None else ""
        yield f"The weakest person that the text admits meets {format_all(len(affected), 'claim')} on an assumed ability{thinnest}."
    if not affected and analysis.claims:
        yield f"Of {format_count(len(analysis.claims), 'claim')} none reads an assumed ability of the person, so it does not matter who acts."
    thinnest_step = find_least_step_margin(analysis.facts)
    if thinnest_step is not None:
        margin, call, condition = thinnest_step
        yield f"The step nearest to failing is {call}: a change of its numbers by {abs(margin):.1%} decides `{condition}`."
    measured = [each for each in analysis.claims if each.margin is not None]
    if measured:
        least_claim = min(measured, key=lambda each: abs(each.margin or 0.0))
        yield f"The claim nearest to its limit is {least_claim.claim.claim_id}, with a margin of {least_claim.margin:.1%}."


def _describe_misleading_things(analysis: PhysicalAnalysis) -> str:
    parts = []
    for name, trials in sorted(analysis.trials.items()):
        nearest = find_nearest_trial(trials)
        if nearest is not None and nearest.outcome.failing_margin is not None:
            parts.append(
                f"{name} misses by {abs(nearest.outcome.failing_margin):.0%} (`{nearest.outcome.end}`)"
            )
        elif trials:
            parts.append(f"{name} fails without a number (`{trials[0].outcome.end}`)")
        else:
            parts.append(f"{name} fits no action")
    count = len(analysis.facts.seed.distractor_inventory)
    if not parts:
        return f"No thing and no approach of the record stands for any of {format_count(count, 'distractor')}, so none was tried."
    untried = count - len(parts)
    rest = (
        f" {format_count(untried, 'idea')} without an approach in the record {'was' if untried == 1 else 'were'} not tried."
        if untried
        else ""
    )
    return f"Executed, {'; '.join(parts)}.{rest}"
