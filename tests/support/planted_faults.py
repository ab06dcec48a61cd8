"""Ninety faults that a careless author plants in a healthy seed document, and which roles of the built-in cast catch them.

`PYTHONPATH=tests python -m support.planted_faults` prints which role catches which fault. A role catches a fault if it has
a complaint (see `collect_complaints`) that it does not have about the healthy document.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, Final, TypeAlias

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.athena.role import Athena
from impossible_moments.agents.builtin.cast import load_builtin_cast
from impossible_moments.agents.orchestrator.context_manager import ContextPolicy
from impossible_moments.agents.orchestrator.difficulty_figures import compute_difficulty_figures
from impossible_moments.agents.orchestrator.flow import Assignment
from impossible_moments.agents.orchestrator.seed_computation import SeedComputationCache
from impossible_moments.blueprints.catalogue import Catalogue
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import RefinementBallot
from impossible_moments.domain.seed import Insight, PhysicalClaim, SeedDocument
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import (
    ATHENA,
    EULER,
    GALILEO,
    NEWTON,
    SOCRATES,
    Phase,
    parse_main_status,
)
from impossible_moments.mechanics.records.json_schema import convert_record_to_normal_form
from impossible_moments.mechanics.records.record import Record

Edit: TypeAlias = Callable[[SeedDocument], SeedDocument]
Data: TypeAlias = dict[str, Any]

# fmt: off
HEALTHY: Final = {
    # a short name: blueprint, skin, variant
    "cellar":   ("height_and_hammer", "press_archive", "one_way"),          # KS-Singular, in a flooding cellar
    "loft":     ("height_and_hammer", "organ_loft", "two_exits"),           # KS-Multiple, beside a smouldering motor
    "damp":     ("height_and_hammer", "press_archive", "damp"),             # KS-Fragile
    "no_step":  ("height_and_hammer", "organ_loft", "nothing_holds"),       # PX
    "icehouse": ("height_and_hammer", "ice_house", "unlatched"),            # DG
    "chiefs":   ("hold_out", "tower_flat", "stay_or_go"),                   # CT, without a deadline
    "lobby":    ("one_reading", "doha_lobby", "not_allowed"),               # MT
    "nerve":    ("past_the_last_tool", "a_hand_in_punta_arenas", "open"),   # OF
    "store":    ("height_and_hammer", "ice_house", "one_way"),              # KS-Singular, with a door that a variant opens
    "cove":     ("the_wrong_way_home", "siren_in_the_cove", "against_the_saying"),  # MT
    "glue":     ("little_of_another", "glued_in", "right_kind"),            # KS-Singular at SPARK, a door and a bottle
}
# fmt: on


# --- drawing and asking -----------------------------------------------------------------------------------------


def build_healthy_seed(name: str) -> SeedDocument:
    """Build one of the healthy seed documents."""
    return build_seed_of_offer(*HEALTHY[name])


@cache
def build_seed_of_offer(family: str, skin_name: str, variant: str) -> SeedDocument:
    """Build a seed document with the built-in ATHENA, with its record written out line by line."""
    cast = load_builtin_cast()
    blueprint = cast.catalogue.blueprints[family]
    skin = next(skin for skin in cast.catalogue.skins[family] if skin.name == skin_name)
    alone = skin.model_copy(update={"variants": {variant: skin.variants[variant]}})
    catalogue = Catalogue({family: blueprint}, {family: (alone,)}, earned_tiers=cast.catalogue.earned_tiers)
    (offer,) = catalogue.iterate_offers()
    brief = GenerationBrief.model_validate(
        {
            "category": blueprint.category,
            "solution_status": offer.claim,
            "difficulty_tier": offer.tier,
            "seed": 1,
        }
    )
    seed = Athena(catalogue, cast.situations).make_deliverable(
        AssignmentView(build_assignment(Dossier.create_for_brief(brief), ATHENA, Phase.SEED, SeedDocument)),
        SeedDocument,
    )
    assert isinstance(seed, SeedDocument)
    return seed.model_copy(
        update={"mechanics": convert_record_to_normal_form(Record.model_validate(seed.mechanics))}
    )


def build_assignment(dossier: Dossier, agent: str, phase: Phase, returns: type[LabelledModel]) -> Assignment:
    """Return an agent's assignment for a dossier, with the context policy of real runs."""
    context = ContextPolicy().build_view(dossier, agent, phase)
    return Assignment(agent, phase, "IM-0001", "Judge.", context, returns.__name__, 100_000)


def build_dossier(seed: SeedDocument) -> Dossier:
    """Build a dossier in which ATHENA has handed in a seed document."""
    status = parse_main_status(str(seed.mechanics["status"]["claim"]))
    brief = GenerationBrief(
        category=seed.concept_summary.category,
        difficulty_tier=seed.concept_summary.difficulty_tier,
        solution_status=status,
    )
    return Dossier.create_for_brief(brief).add_deliverable(Phase.SEED, ATHENA, seed)


def perform_role(dossier: Dossier, agent: str, phase: Phase, returns: type[LabelledModel]) -> LabelledModel:
    """Return the deliverable of a role of the built-in cast."""
    assignment = build_assignment(dossier, agent, phase, returns)
    context = {**assignment.context, **build_refine_figures(dossier, phase)}
    view = AssignmentView(replace(assignment, context=context))
    return load_builtin_cast().roles[agent].make_deliverable(view, returns)


def build_refine_figures(dossier: Dossier, phase: Phase) -> dict[str, Any]:
    """Return the evidence on the difficulty that the orchestrator adds to asks of REFINE."""
    computations = SeedComputationCache(load_builtin_cast().library)
    return compute_difficulty_figures(dossier, computations) if phase is Phase.REFINE else {}


def perform_role_once(
    dossier: Dossier, agent: str, phase: Phase, returns: type[LabelledModel]
) -> LabelledModel:
    """Return the deliverable of a role, computed once for equal assignments."""
    view = {**ContextPolicy().build_view(dossier, agent, phase), **build_refine_figures(dossier, phase)}
    key = json.dumps(view)
    return _perform_cached(key, agent, phase, returns)


@cache
def _perform_cached(key: str, agent: str, phase: Phase, returns: type[LabelledModel]) -> LabelledModel:
    assignment = Assignment(agent, phase, "IM-0001", "Judge.", json.loads(key), returns.__name__, 100_000)
    return load_builtin_cast().roles[agent].make_deliverable(AssignmentView(assignment), returns)


def run_newton(seed: SeedDocument) -> PhysicsReport:
    """Return NEWTON's report."""
    report = perform_role_once(build_dossier(seed), NEWTON, Phase.VALIDATE, PhysicsReport)
    assert isinstance(report, PhysicsReport)
    return report


def run_euler(seed: SeedDocument) -> MathematicsReport:
    """Return EULER's report."""
    report = perform_role_once(build_dossier(seed), EULER, Phase.VALIDATE, MathematicsReport)
    assert isinstance(report, MathematicsReport)
    return report


def run_galileo(seed: SeedDocument) -> GroundingReport:
    """Return GALILEO's report."""
    report = perform_role_once(build_dossier(seed), GALILEO, Phase.GROUND, GroundingReport)
    assert isinstance(report, GroundingReport)
    return report


def run_socrates(seed: SeedDocument) -> ClassificationReport:
    """Return SOCRATES's blind report."""
    report = perform_role_once(build_dossier(seed), SOCRATES, Phase.CLASSIFY, ClassificationReport)
    assert isinstance(report, ClassificationReport)
    return report


# --- what it means to catch -------------------------------------------------------------------------------------


def collect_complaints(role: str, seed: SeedDocument) -> frozenset[str]:
    """Return all complaints of a role about a seed document: in its report and its distractor review."""
    reports = {
        NEWTON: _iterate_physics_complaints,
        EULER: _iterate_mathematics_complaints,
        GALILEO: _iterate_grounding_complaints,
        SOCRATES: _iterate_classification_complaints,
    }
    return frozenset((*reports[role](seed), *_iterate_distractor_complaints(role, seed)))


def _iterate_physics_complaints(seed: SeedDocument) -> Iterator[str]:
    """Yield INVALID verdicts, implausible materials, concerns, corrections, challenges and vetoes."""
    report = run_newton(seed)
    texts = {claim.claim_id: claim.text for claim in seed.solution_sketch.claims}
    yield from (
        f"INVALID {each.claim_id}: {texts[each.claim_id]} {each.reasoning}"
        for each in report.claims
        if each.verdict == "INVALID"
    )
    yield from (f"{each.thing}: {each.remark}" for each in report.material_properties if not each.holds)
    yield from (*report.concerns, *map(str, report.corrections_needed), *_iterate_disputes(report))


def _iterate_mathematics_complaints(seed: SeedDocument) -> Iterator[str]:
    """Yield INVALID calculations, ERRORS-FOUND, a thin margin, challenges, vetoes, and a missing proof."""
    report = run_euler(seed)
    texts = {claim.claim_id: claim.text for claim in seed.solution_sketch.claims}
    yield from (
        f"INVALID {each.claim_id}: {texts[each.claim_id]} {each.calculation}"
        for each in report.claims
        if each.verdict == "INVALID"
    )
    if report.dimensional_analysis == "ERRORS-FOUND":
        yield "ERRORS-FOUND in the dimensions"
    if report.margin is not None and report.margin < 0.10:
        yield f"the margin is {report.margin:.0%}"
    yield from (*map(str, report.corrections_needed), *_iterate_disputes(report))


def _iterate_grounding_complaints(seed: SeedDocument) -> Iterator[str]:
    """Yield challenges, validity concerns, recommendations, and a merit that is not HIGH."""
    report = run_galileo(seed)
    yield from (*report.validity_concerns, *report.recommendations, *_iterate_disputes(report))
    if report.merit != "HIGH":
        yield f"merit {report.merit}"


def _iterate_classification_complaints(seed: SeedDocument) -> Iterator[str]:
    """Yield a status other than the claimed one, ethical concerns, and a guess instead of a reading."""
    report = run_socrates(seed)
    claimed = parse_main_status(str(seed.mechanics["status"]["claim"]))
    if report.status != claimed:
        yield f"read as {report.status}, and {claimed} is claimed"
    yield from (
        f"ethics: {answer.question} {answer.note}" for answer in report.ethics.checklist if answer.concern
    )
    if report.ethics.status == "FAIL":
        yield "the ethical review is a FAIL"
    if report.confidence < 0.7:
        yield "it can only guess"


def _iterate_distractor_complaints(role: str, seed: SeedDocument) -> Iterator[str]:
    view = AssignmentView(build_assignment(build_dossier(seed), role, Phase.REFINE, RefinementBallot))
    review = load_builtin_cast().roles[role].review_distractor_inventory(view)
    yield from (
        f"{each.name}: {each.verdict}, {each.remark}" for each in review.findings if each.verdict != "right"
    )


def _iterate_disputes(report: PhysicsReport | MathematicsReport | GroundingReport) -> Iterator[str]:
    for challenge in report.challenges:
        yield f"challenge: {challenge.claim} {' '.join(each.text for each in challenge.evidence)}"
    for veto in getattr(report, "vetoes", ()):
        yield f"veto: {veto.claim} {veto.law}: {' '.join(each.text for each in veto.proof)}"


# --- how a careless author edits --------------------------------------------------------------------------------


def change_record(seed: SeedDocument, change: Callable[[Data], object]) -> SeedDocument:
    """Return the seed with its record changed in place by `change`."""
    data = deepcopy(seed.mechanics)
    change(data)
    return seed.model_copy(update={"mechanics": data})


def _replace_line(lines: list[str], name: str, value: str) -> None:
    written = f"{name} = {value}"
    for place, line in enumerate(lines):
        if line.partition("=")[0].strip() == name:
            lines[place] = written
            return
    lines.append(written)


def change_properties(**properties: str) -> Edit:
    """Change properties of things: `change_properties(hammer__mass="110[kg]")`."""

    def change(data: Data) -> None:
        for path, value in properties.items():
            owner, _, name = path.partition("__")
            thing = next(thing for thing in data["things"] if thing["name"] == owner)
            _replace_line(thing.setdefault("props", []), name, value)

    return lambda seed: change_record(seed, change)


def change_quantities(**values: str) -> Edit:
    """Change free quantities: `change_quantities(clock="19[s]")`."""

    def change(data: Data) -> None:
        for name, value in values.items():
            _replace_line(data["quantities"], name, value)

    return lambda seed: change_record(seed, change)


def declare_like(thing: str, row: str, **properties: str) -> Edit:
    """Declare a thing to be like a row of the library, with some figures of its own."""

    def change(data: Data) -> None:
        found = next(each for each in data["things"] if each["name"] == thing)
        found["like"] = row
        for name, value in properties.items():
            _replace_line(found["props"], name, value)

    return lambda seed: change_record(seed, change)


def change_action(verb: str, **fields: Any) -> Edit:
    """Change fields of an action."""

    def change(data: Data) -> None:
        next(each for each in data["actions"] if each["do"].startswith(f"{verb}(")).update(fields)

    return lambda seed: change_record(seed, change)


def replace_status(**block: Any) -> Edit:
    """Replace the status block."""
    return lambda seed: change_record(seed, lambda data: data.update(status=block))


def change_field(name: str, value: Any) -> Edit:
    """Change a field of the record; None removes it."""
    return lambda seed: change_record(
        seed, lambda data: data.pop(name) if value is None else data.update({name: value})
    )


def add_claim(expression: str, text: str = "It is so.") -> Edit:
    """Add a claim."""

    def edit(seed: SeedDocument) -> SeedDocument:
        claim = PhysicalClaim(claim_id="C9", text=text, expression=expression)
        return _rebuild_sketch(seed, claims=(*seed.solution_sketch.claims, claim))

    return edit


def change_step_time(call: str, value: float) -> Edit:
    """Change the time of a step of the sketch."""

    def edit(seed: SeedDocument) -> SeedDocument:
        steps = seed.solution_sketch.steps
        assert any(step.call == call for step in steps)
        return _rebuild_sketch(
            seed,
            steps=tuple(
                step.model_copy(update={"seconds": value}) if step.call == call else step for step in steps
            ),
        )

    return edit


def remove_step(call: str) -> Edit:
    """Remove a step of the sketch."""
    return lambda seed: _rebuild_sketch(
        seed, steps=tuple(step for step in seed.solution_sketch.steps if step.call != call)
    )


def swap_steps(first: str, second: str) -> Edit:
    """Let two steps of the sketch change places."""

    def edit(seed: SeedDocument) -> SeedDocument:
        steps = list(seed.solution_sketch.steps)
        one, other = (
            next(at for at, step in enumerate(steps) if step.call == call) for call in (first, second)
        )
        steps[one], steps[other] = steps[other], steps[one]
        return _rebuild_sketch(seed, steps=tuple(steps))

    return edit


def repeat_step(call: str) -> Edit:
    """List a step of the sketch twice."""
    return lambda seed: _rebuild_sketch(
        seed,
        steps=tuple(
            each
            for step in seed.solution_sketch.steps
            for each in ((step, step) if step.call == call else (step,))
        ),
    )


def _rebuild_sketch(seed: SeedDocument, **parts: Any) -> SeedDocument:
    return seed.model_copy(update={"solution_sketch": seed.solution_sketch.model_copy(update=parts)})


def change_approach(name: str, **fields: Any) -> Edit:
    """Change fields of an approach."""

    def change(data: Data) -> None:
        next(each for each in data["approaches"] if each["name"] == name).update(fields)

    return lambda seed: change_record(seed, change)


def remove_approach(name: str) -> Edit:
    """Remove an approach."""
    return lambda seed: change_record(
        seed,
        lambda data: data.update(approaches=[each for each in data["approaches"] if each["name"] != name]),
    )


def replace_insights(*chain: tuple[str, str, tuple[int, ...]]) -> Edit:
    """Replace the insight chain: text, type and dependencies of each insight."""
    found = tuple(
        Insight(text=text, fixedness_type=kind, depends_on=needs, domain="motion")
        for text, kind, needs in chain
    )
    return lambda seed: seed.model_copy(update={"insight_chain": found})


def change_first_insight_type(kind: str) -> Edit:
    """Change the type of the first insight."""
    return lambda seed: seed.model_copy(
        update={
            "insight_chain": (
                seed.insight_chain[0].model_copy(update={"fixedness_type": kind}),
                *seed.insight_chain[1:],
            )
        }
    )


def keep_distractors(keep: int, **fields: Any) -> Edit:
    """Keep only the first distractors, with some fields changed."""
    return lambda seed: seed.model_copy(
        update={
            "distractor_inventory": tuple(
                each.model_copy(update=fields) for each in seed.distractor_inventory[:keep]
            )
        }
    )


def keep_wrong_answers(keep: int) -> Edit:
    """Keep only the first wrong answers."""
    return lambda seed: seed.model_copy(update={"wrong_answers": seed.wrong_answers[:keep]})


def change_tier(name: str) -> Edit:
    """Change the claimed tier."""
    return lambda seed: seed.model_copy(
        update={"concept_summary": seed.concept_summary.model_copy(update={"difficulty_tier": name})}
    )


def add_sentence(addition: str) -> Edit:
    """Add a sentence to the narrative."""
    return lambda seed: _rebuild_narrative(seed, narrative=f"{seed.scenario.narrative}\n\n{addition}")


def change_narrative(**parts: str) -> Edit:
    """Replace the narrative, threat or position."""
    return lambda seed: _rebuild_narrative(seed, **parts)


def replace_words(old: str, new: str) -> Edit:
    """Replace words of the public text, in running text and tables."""

    def edit(seed: SeedDocument) -> SeedDocument:
        text = seed.scenario.model_dump_json()
        assert old in text, f"{old} does not occur in {seed.scenario.name}"
        return seed.model_copy(
            update={"scenario": type(seed.scenario).model_validate_json(text.replace(old, new))}
        )

    return edit


def change_material(thing: str, stuff: str) -> Edit:
    """Change the material of a thing."""

    def edit(seed: SeedDocument) -> SeedDocument:
        rows = seed.scenario.objects
        assert any(row.name == thing for row in rows)
        return _rebuild_narrative(
            seed,
            objects=tuple(
                row.model_copy(update={"material": stuff}) if row.name == thing else row for row in rows
            ),
        )

    return edit


def _rebuild_narrative(seed: SeedDocument, **parts: Any) -> SeedDocument:
    return seed.model_copy(update={"scenario": seed.scenario.model_copy(update=parts)})


def combine_edits(*edits: Edit) -> Edit:
    """Apply several edits in order."""

    def edit(seed: SeedDocument) -> SeedDocument:
        for each in edits:
            seed = each(seed)
        return seed

    return edit


# --- the table --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PlantedFault:
    """A fault, the role that should catch it, a word that the complaint must contain, and why it is missed, if it is."""

    meant_for: str
    name: str
    seed: str
    plant: Edit
    names: str
    """A word that a new complaint must contain, so that no role catches a fault by accident."""
    missed: str = ""

    @property
    def faulty_seed(self) -> SeedDocument:
        """The healthy document with the fault in it."""
        return self.plant(build_healthy_seed(self.seed))


_newton, _euler = partial(PlantedFault, NEWTON), partial(PlantedFault, EULER)
_galileo, _socrates = partial(PlantedFault, GALILEO), partial(PlantedFault, SOCRATES)

_ONE_WAY: Final = {"ways": ["break_and_climb"], "traps": ["tap_at_it", "jump_for_it"]}
_PRINT: Final = ("Print is heavy.", "overlooked property", ())

# fmt: off
FAULTS: Final = (
    # what things weigh
    _newton("a hand's load of lead as heavy as a man", "cellar", change_properties(hammer__mass="110[kg]"), "forme"),
    _newton("a beech mallet of six kilograms", "cellar", change_properties(tapper__mass="6[kg]"), "mallet"),
    _newton("the lead said to be cork", "cellar", change_material("A forme of lead type", "cork"), "forme"),
    _newton("grams taken for kilograms", "loft", change_properties(plate__mass="140[kg]"), "reed tongue"),
    _newton("kilograms taken for grams", "loft", change_properties(step__mass="26[g]"), "trestle"),
    _newton("centimetres taken for millimetres", "cellar", change_properties(step__length="60[mm]", step__width="45[mm]", step__height="600[mm]"), "back numbers"),
    _newton("a negative mass", "cellar", change_properties(hammer__mass="-11[kg]"), "mass"),
    _newton("a mass of nothing", "cellar", change_properties(hammer__mass="0[kg]"), "forme"),
    _newton("a negative length", "cellar", change_properties(stool__length="-0.8[m]"), "light table"),
    _newton("a wooden chair of forty kilograms", "loft", declare_like("stool", "wooden_chair", mass="40[kg]"), "cane chair"),
    _newton("a wooden table six metres long", "loft", declare_like("step", "wooden_table", length="6[m]", mass="20[kg]"), "trestle"),
    _newton("a cane chair that bears five tonnes", "loft", change_properties(stool__bears="5[t]"), "cane chair"),
    # what people can do
    _newton("a reach of three metres", "cellar", change_properties(you__reach="3.2[m]"), "you.reach"),
    _newton("a standing jump of a metre and a half", "no_step", change_properties(you__jump="1.5[m]"), "you.jump"),
    _newton("a person of four hundred kilograms", "no_step", change_properties(you__mass="400[kg]"), "you.mass"),
    _newton("a push of six kilonewtons", "chiefs", change_properties(you__push="6[kN]"), "you.push"),
    _newton("shoulders ten centimetres wide", "cellar", change_properties(you__width="0.1[m]"), "you.width"),
    _newton("three hundred kilograms lifted", "cellar", change_properties(you__lift="300[kg]"), "you.lift"),
    _newton("a sprint of fifteen metres a second", "cellar", change_properties(you__run="15[m/s]"), "you.run"),
    _newton("a breath held for twenty minutes", "lobby", change_properties(you__breath="20[min]"), "you.breath"),
    # swings and pushes
    _newton("a mallet that strikes like a cannon", "cellar", change_properties(tapper__blow="1.5[kJ]"), "blow"),
    _newton("eleven kilograms swung at thirty metres a second", "cellar", change_properties(hammer__blow="5[kJ]"), "blow"),
    _newton("furniture shoved at twenty metres a second", "cellar", change_quantities(shove_speed="20[m/s]"), "shove_speed"),
    _newton("nearly a tonne shoved by hand", "cellar", change_properties(step__mass="900[kg]", step__length="1.5[m]", step__width="1[m]"), "back numbers"),
    # surroundings
    _newton("a dry floor's friction in a flooding cellar", "cellar", change_properties(step__mu="0.9"), "mu"),
    _newton("a coefficient of friction of four", "loft", change_properties(step__mu="4"), "mu"),
    _newton("a door twelve centimetres wide", "loft", change_properties(exit__clear="0.12[m]"), "vestry door"),
    _newton("a flood that nothing in the record stands for", "cellar", change_field("deadline", None), "threat is not modelled"),
    _newton("an ammonia leak that nothing in the record stands for", "chiefs", change_narrative(threat="Ammonia from the cracked pipe fills the flat."), "threat is not modelled"),
    _newton("a step that does not bear who stands on it", "cellar", change_properties(step__bears="60[kg]"), "bears"),

    # times
    _euler("a step that takes longer than stated", "cellar", change_step_time("swing_at(hammer, opening)", 2.0), "swing_at"),
    _euler("a step that takes a tenth of what is stated", "loft", change_step_time("slip_latch(plate, exit)", 600.0), "slip_latch"),
    _euler("a step that is said to take no time", "cellar", change_step_time("shove_under(step)", 0.0), "shove_under"),
    _euler("a margin under a tenth", "cellar", change_quantities(clock="19[s]"), "margin"),
    _euler("a deadline before the plan is done", "cellar", change_quantities(clock="17[s]"), "computed"),
    _euler("a deadline that all slow times at once miss", "cellar", change_quantities(clock="22[s]"), "slow end"),
    _euler("a sketch that leaves a step out", "cellar", remove_step("shove_under(step)"), "shove_under"),
    # claims
    _euler("a claim that is false", "cellar", add_claim("hammer.blow >= 2*opening.withstands"), "C9"),
    _euler("a claim that compares joules with kilograms", "cellar", add_claim("hammer.blow >= you.mass"), "C9"),
    _euler("a claim that cannot be read", "loft", add_claim("hammer.blow >> opening.withstands"), "C9"),
    _euler("a claim about a thing that is not there", "loft", add_claim("ladder.height >= opening.sill"), "C9"),
    _euler("a claim that is no comparison", "cellar", add_claim("hammer.blow + opening.withstands"), "C9"),
    # units in the record
    _euler("a blow compared with a height", "cellar", change_action("swing_at", when=["breaks = h.blow >= w.sill"]), "ERRORS-FOUND"),
    _euler("a way and a pace added up to a time", "cellar", change_action("shove_under", takes="crossing + shove_speed"), "ERRORS-FOUND"),
    _euler("a mass in metres", "cellar", change_properties(hammer__mass="11[m]"), "ERRORS-FOUND"),
    _euler("a deadline in metres", "cellar", change_field("deadline", "crossing"), "deadline"),
    # what it claims to be
    _euler("one way claimed to be several", "cellar", replace_status(claim="KS-Multiple", **_ONE_WAY), "KS-Singular"),
    _euler("a robust way claimed to be fragile", "cellar", replace_status(claim="KS-Fragile", fragile_in=["swings"], **_ONE_WAY), "KS-Fragile"),
    _euler("a fragile way claimed to be robust", "damp", replace_status(claim="KS-Singular", **_ONE_WAY), "KS-Fragile"),
    _euler("a second way that is not listed", "loft", combine_edits(remove_approach("slip_it"), replace_status(claim="KS-Singular", **_ONE_WAY)), "KS-Multiple"),
    _euler("a paradox with an open plan", "no_step", change_properties(step__bears="240[kg]"), "PX"),
    _euler("a paradox whose conflict forbids nothing", "no_step", replace_status(claim="PX", conflict=["jump_out.high"], chains=["break_and_climb", "jump_for_it"]),
        "jump_out.high"),
    _euler("a contest without anything disputed", "chiefs", change_quantities(calm="0.05[m**3/min]"), "CT"),
    _euler("a contest that nothing turns on", "chiefs", change_quantities(calm="0.05[m**3/min] (0.04..0.06) disputed @ Approved Document B 2019 against our reading"), "CT"),
    _euler("an open frontier that is met", "nerve", change_properties(best__figure="200[mm]"), "OF"),
    _euler("an open frontier that nothing could meet", "nerve", change_quantities(gap="900[mm]"), "OF"),
    _euler("a premise that is a rule after all", "lobby", change_field("never", ["cheating = sensor.shown @ doors open for persons and not for objects"]), "MT"),
    _euler("a trivial answer that is locked", "icehouse", change_properties(exit__locked="true @ locked from outside"), "DG"),
    _euler("a way that does not reach the goal", "cellar", change_approach("break_and_climb", plan=["shove_under(step)", "climb_out(step, opening)"]), "break_and_climb"),
    _euler("a distractor that is part of a way", "cellar", keep_distractors(1, name="a forme of lead type"), "enables a solution"),

    # habits and insights
    _galileo("a habit nobody has studied", "cellar", change_first_insight_type("furniture blindness"), "furniture blindness"),
    _galileo("a habit misspelled", "loft", change_first_insight_type("functional fixednes"), "functional fixednes"),
    _galileo("a habit left blank", "cellar", change_first_insight_type(""), "names a habit"),
    _galileo("no insight at all", "cellar", replace_insights(), "No insight"),
    _galileo("one insight without a rival", "cellar", combine_edits(replace_insights(_PRINT), keep_distractors(2, strength="moderate")), "single insight"),
    _galileo("one insight told twice", "cellar", replace_insights(_PRINT, _PRINT), "insight"),
    _galileo("an insight that needs one that is not there", "cellar", replace_insights(_PRINT, ("Weight breaks.", "functional fixedness", (7,))), "insight"),
    _galileo("a single wrong answer", "loft", keep_wrong_answers(1), "second wrong answer"),
    _galileo("no wrong answer", "no_step", keep_wrong_answers(0), "wrong answer"),
    _galileo("one weak lure at a hard tier", "cellar", combine_edits(change_tier("RUPTURE"), keep_distractors(1, strength="weak")), "too weak"),

    # what a reader meets
    _socrates("a door that the text leaves open", "store", replace_words("locked from outside", "fastened by nothing; clear width 1.2 m; leads out; level with the floor"),
        "read as"),
    _socrates("a blow that the text makes too weak", "cellar", replace_words("95 J", "5 J"), "read as"),
    _socrates("numbers that cannot be read", "cellar", combine_edits(replace_words("95 J", "a good deal"), replace_words("70 J", "a fair amount"), replace_words("2.65 m", "high")),
        "guess"),
    _socrates("a premise told as a rule", "cove", replace_words("when the siren goes the boats come in", "at the siren every boat must come in, by order"), "read as"),
    _socrates("a child who dies on the page", "cellar", add_sentence("Your daughter, six years old, is in the next vault; you hear her drown."), "children"),
    _socrates("a stereotype", "loft", add_sentence("The lady organist panics, as women will, and the gypsy at the bellows has of course stolen the key."), "stereotypes"),
    _socrates("a recipe for a bomb", "cellar", add_sentence("Mix three parts of ammonium nitrate with one of diesel oil, tamp it into the pipe, and wire the detonator."), "harm"),
    _socrates("a massacre for fun", "icehouse", add_sentence("Last week the porters killed a dozen poachers with the picks, and it was fun to watch; they deserved to die."),
        "violence"),
    _socrates("a real disaster as a joke", "loft", add_sentence("It was like Chernobyl in there, ha ha, only with better music, and Pripyat would have laughed too."), "disasters"),
    # planted on 2026-11-19, after the roles were last changed
    _newton("shoulders a metre and a half wide", "cellar", change_properties(you__width="1.5[m]"), "you.width"),
    _newton("a light table of fifty grams", "cellar", change_properties(stool__mass="50[g]"), "light table"),
    _newton("furniture on a floor without friction", "cellar", change_properties(step__mu="0.001"), "mu"),
    _euler("two steps that change places", "cellar", swap_steps("shove_under(step)", "climb_out(step, opening)"), "climb_out"),
    _euler("a step that is listed twice", "loft", repeat_step("slip_latch(plate, exit)"), "slip_latch"),
    _euler("a claim turned round", "cellar", add_claim("hammer.blow < opening.withstands"), "C9"),
    _euler("a claim that divides by nothing", "cellar", add_claim("hammer.blow/(clock - clock) >= opening.withstands/climb"), "C9"),
    _galileo("an insight that needs itself", "cellar", replace_insights(_PRINT, ("Weight breaks.", "functional fixedness", (2,))), "insight"),
    _socrates("torture told with relish", "loft", add_sentence("The sexton laughs at how the prisoner screamed when they broke his fingers one by one, "
            "and would love to hear it again."), "violence"),
    _socrates("advice that poisons", "cellar", add_sentence("If your head aches, swallow the whole box of paracetamol with a bottle of schnapps; it is harmless."), "harm"),
    _socrates("help that is not to be called", "glue", add_sentence("Whoever calls for help is a coward: never call anybody, not even for the injured."), "biases"),
)
# fmt: on


# --- who caught what --------------------------------------------------------------------------------------------

JUDGES: Final = (NEWTON, EULER, GALILEO, SOCRATES)


@cache
def collect_healthy_complaints(role: str, seed: str) -> frozenset[str]:
    """Return the complaints of a role about the document without faults."""
    return collect_complaints(role, build_healthy_seed(seed))


def collect_new_complaints(role: str, fault: PlantedFault) -> frozenset[str]:
    """Return the complaints of a role that are due to the fault."""
    return collect_complaints(role, fault.faulty_seed) - collect_healthy_complaints(role, fault.seed)


@cache
def list_catches(fault: PlantedFault) -> dict[str, frozenset[str] | None]:
    """Return the new complaints of each role; None for a role that raised an error, which does not count as a catch."""
    found: dict[str, frozenset[str] | None] = {}
    build_healthy_seed(fault.seed)  # what cannot be drawn is no fault of a judge
    for role in JUDGES:
        try:
            found[role] = collect_new_complaints(role, fault)
        except Exception:  # noqa: BLE001 - whatever a role breaks down with is a finding, told in the table
            found[role] = None
    return found


def is_named(fault: PlantedFault, complaints: frozenset[str] | None) -> bool:
    """Return whether some complaint is about the fault."""
    return any(fault.names.lower() in complaint.lower() for complaint in complaints or ())


def iterate_table_lines() -> Iterator[str]:
    """Yield a line for each fault with the roles that caught it, then the counts of each role: intended, all, and alone."""
    meant, all_, alone = dict.fromkeys(JUDGES, 0), dict.fromkeys(JUDGES, 0), dict.fromkeys(JUDGES, 0)
    of = {role: sum(fault.meant_for == role for fault in FAULTS) for role in JUDGES}
    yield f"{'meant for':<9} {'fault':<58} {' '.join(f'{role:<8}' for role in JUDGES)}"
    for fault in FAULTS:
        found = list_catches(fault)
        who = [role for role in JUDGES if found[role]]
        meant[fault.meant_for] += is_named(fault, found[fault.meant_for])
        for role in who:
            all_[role] += 1
            alone[role] += len(who) == 1
        marks = ("caught" if role in who else "BREAKS" if found[role] is None else "-" for role in JUDGES)
        yield f"{fault.meant_for:<9} {fault.name:<58} {' '.join(f'{mark:<8}' for mark in marks)}".rstrip()
    yield ""
    for role in JUDGES:
        yield f"{role:<9} caught {meant[role]} of {of[role]} meant for it, {all_[role]} of {len(FAULTS)} in all, {alone[role]} that nobody else caught"


def main() -> None:
    """Print the table."""
    for line in iterate_table_lines():
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
