"""Eighty faults that a careless author plants in a healthy seed document, and which roles of the built-in cast catch them.

`python tests/planted_faults.py` prints who caught what. What "caught" means is decided once, in `complaints_of`: a role
catches a fault if it complains of something that it does not complain of in the healthy document.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final, TypeAlias

from impossible_moments.agents.builtin.athena.role import Athena
from impossible_moments.agents.builtin.cast import builtin_cast
from impossible_moments.agents.builtin.views import View
from impossible_moments.agents.orchestrator.context_manager import ContextPolicy
from impossible_moments.agents.orchestrator.flow import Assignment
from impossible_moments.blueprints.catalogue import Catalogue
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.labels import Labelled
from impossible_moments.domain.refinement import DistractorReview
from impossible_moments.domain.seed import Insight, PhysicalClaim, SeedDocument
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, SOCRATES, Phase, main_status
from impossible_moments.mechanics.record import Record
from impossible_moments.mechanics.schema import normal_form

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
    "glue":     ("little_of_another", "glued_in", "right_kind"),            # KS-Singular at SPARK, a door and a bottle
}
# fmt: on


# --- drawing and asking -----------------------------------------------------------------------------------------


@cache
def healthy(name: str) -> SeedDocument:
    """A seed document as the built-in ATHENA hands it in, its record written out line by line."""
    family, skin_name, variant = HEALTHY[name]
    cast = builtin_cast()
    blueprint = cast.catalogue.blueprints[family]
    skin = next(skin for skin in cast.catalogue.skins[family] if skin.name == skin_name)
    alone = skin.model_copy(update={"variants": {variant: skin.variants[variant]}})
    catalogue = Catalogue({family: blueprint}, {family: (alone,)})
    (offer,) = catalogue.offers()
    brief = GenerationBrief.model_validate(
        {
            "category": blueprint.category,
            "solution_status": offer.claim,
            "difficulty_tier": offer.tier,
            "seed": 1,
        }
    )
    seed = Athena(catalogue, cast.lore).perform(
        View(assigned(Dossier.opened_for(brief), ATHENA, Phase.SEED, SeedDocument)), SeedDocument
    )
    assert isinstance(seed, SeedDocument)
    return seed.model_copy(update={"mechanics": normal_form(Record.model_validate(seed.mechanics))})


def assigned(dossier: Dossier, agent: str, phase: Phase, returns: type[Labelled]) -> Assignment:
    """What an agent is given of a dossier, cut by the policy that runs use."""
    context = ContextPolicy().view(dossier, agent, phase)
    return Assignment(agent, phase, "IM-0001", "Judge.", context, returns.__name__, 100_000)


def opened(seed: SeedDocument) -> Dossier:
    """A dossier in which ATHENA has handed in a seed document."""
    status = main_status(str(seed.mechanics["status"]["claim"]))
    brief = GenerationBrief(
        category=seed.concept_summary.category,
        difficulty_tier=seed.concept_summary.difficulty_tier,
        solution_status=status,
    )
    return Dossier.opened_for(brief).file(Phase.SEED, ATHENA, seed)


def handed_in(dossier: Dossier, agent: str, phase: Phase, returns: type[Labelled]) -> Labelled:
    """What a role of the built-in cast hands in."""
    return builtin_cast().roles[agent].perform(View(assigned(dossier, agent, phase, returns)), returns)


def physics(seed: SeedDocument) -> PhysicsReport:
    """NEWTON's report."""
    report = handed_in(opened(seed), NEWTON, Phase.VALIDATE, PhysicsReport)
    assert isinstance(report, PhysicsReport)
    return report


def mathematics(seed: SeedDocument) -> MathematicsReport:
    """EULER's report."""
    report = handed_in(opened(seed), EULER, Phase.VALIDATE, MathematicsReport)
    assert isinstance(report, MathematicsReport)
    return report


def grounding(seed: SeedDocument) -> GroundingReport:
    """GALILEO's report."""
    report = handed_in(opened(seed), GALILEO, Phase.GROUND, GroundingReport)
    assert isinstance(report, GroundingReport)
    return report


def classification(seed: SeedDocument) -> ClassificationReport:
    """SOCRATES's blind report."""
    report = handed_in(opened(seed), SOCRATES, Phase.CLASSIFY, ClassificationReport)
    assert isinstance(report, ClassificationReport)
    return report


# --- what it means to catch -------------------------------------------------------------------------------------


def complaints_of(role: str, seed: SeedDocument) -> frozenset[str]:
    """Everything that a role says against a seed document: in its report, and in its review of the distractors."""
    reports = {
        NEWTON: _physical,
        EULER: _mathematical,
        GALILEO: _scientific,
        SOCRATES: _philosophical,
    }
    return frozenset((*reports[role](seed), *_misleading(role, seed)))


def _physical(seed: SeedDocument) -> Iterator[str]:
    """INVALID verdicts, materials that do not hold, concerns, corrections, challenges and vetoes."""
    report = physics(seed)
    texts = {claim.claim_id: claim.text for claim in seed.solution_sketch.claims}
    yield from (
        f"INVALID {each.claim_id}: {texts[each.claim_id]} {each.reasoning}"
        for each in report.claims
        if each.verdict == "INVALID"
    )
    yield from (f"{each.thing}: {each.remark}" for each in report.material_properties if not each.holds)
    yield from (*report.concerns, *report.corrections_needed, *_disputes(report))


def _mathematical(seed: SeedDocument) -> Iterator[str]:
    """INVALID calculations, ERRORS-FOUND, a thin margin, challenges, vetoes, and an argument that cannot be given."""
    report = mathematics(seed)
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
    yield from _disputes(report)


def _scientific(seed: SeedDocument) -> Iterator[str]:
    """Challenges, recommendations, and a merit that is not HIGH."""
    report = grounding(seed)
    yield from (*report.recommendations, *_disputes(report))
    if report.merit != "HIGH":
        yield f"merit {report.merit}"


def _philosophical(seed: SeedDocument) -> Iterator[str]:
    """The class, if it is not the one that the author claims; ethical concerns; a guess in the place of a reading."""
    report = classification(seed)
    claimed = main_status(str(seed.mechanics["status"]["claim"]))
    if report.status != claimed:
        yield f"read as {report.status}, and {claimed} is claimed"
    yield from (
        f"ethics: {answer.question} {answer.note}" for answer in report.ethics.checklist if answer.concern
    )
    if report.ethics.status == "FAIL":
        yield "the ethical review is a FAIL"
    if report.confidence < 0.7:
        yield "it can only guess"


def _misleading(role: str, seed: SeedDocument) -> Iterator[str]:
    review = handed_in(opened(seed), role, Phase.REFINE, DistractorReview)
    assert isinstance(review, DistractorReview)
    yield from (
        f"{each.name}: {each.verdict}, {each.remark}" for each in review.findings if each.verdict != "right"
    )


def _disputes(report: PhysicsReport | MathematicsReport | GroundingReport) -> Iterator[str]:
    for challenge in report.challenges:
        yield f"challenge: {challenge.claim} {' '.join(each.text for each in challenge.evidence)}"
    for veto in getattr(report, "vetoes", ()):
        yield f"veto: {veto.claim} {veto.law}: {' '.join(each.text for each in veto.proof)}"


# --- how a careless author edits --------------------------------------------------------------------------------


def recorded(seed: SeedDocument, change: Callable[[Data], object]) -> SeedDocument:
    """The seed with its record changed in place by `change`."""
    data = deepcopy(seed.mechanics)
    change(data)
    return seed.model_copy(update={"mechanics": data})


def _line(lines: list[str], name: str, value: str) -> None:
    written = f"{name} = {value}"
    for place, line in enumerate(lines):
        if line.partition("=")[0].strip() == name:
            lines[place] = written
            return
    lines.append(written)


def prop(**properties: str) -> Edit:
    """Properties of things: `prop(hammer__mass="110[kg]")`."""

    def change(data: Data) -> None:
        for path, value in properties.items():
            owner, _, name = path.partition("__")
            thing = next(thing for thing in data["things"] if thing["name"] == owner)
            _line(thing.setdefault("props", []), name, value)

    return lambda seed: recorded(seed, change)


def quantity(**values: str) -> Edit:
    """Free quantities: `quantity(clock="19[s]")`."""

    def change(data: Data) -> None:
        for name, value in values.items():
            _line(data["quantities"], name, value)

    return lambda seed: recorded(seed, change)


def like(thing: str, row: str, **properties: str) -> Edit:
    """A thing said to be like a row of the library, with some figures of its own."""

    def change(data: Data) -> None:
        found = next(each for each in data["things"] if each["name"] == thing)
        found["like"] = row
        for name, value in properties.items():
            _line(found["props"], name, value)

    return lambda seed: recorded(seed, change)


def action(verb: str, **fields: Any) -> Edit:
    """Fields of an action."""

    def change(data: Data) -> None:
        next(each for each in data["actions"] if each["do"].startswith(f"{verb}(")).update(fields)

    return lambda seed: recorded(seed, change)


def status(**block: Any) -> Edit:
    """Another status block."""
    return lambda seed: recorded(seed, lambda data: data.update(status=block))


def field(name: str, value: Any) -> Edit:
    """A field of the record; None takes it out."""
    return lambda seed: recorded(
        seed, lambda data: data.pop(name) if value is None else data.update({name: value})
    )


def claimed(expression: str, text: str = "It is so.") -> Edit:
    """One more claim."""

    def edit(seed: SeedDocument) -> SeedDocument:
        claim = PhysicalClaim(claim_id="C9", text=text, expression=expression)
        return _sketched(seed, claims=(*seed.solution_sketch.claims, claim))

    return edit


def seconds(call: str, value: float) -> Edit:
    """Another time for a step of the sketch."""

    def edit(seed: SeedDocument) -> SeedDocument:
        steps = seed.solution_sketch.steps
        assert any(step.call == call for step in steps)
        return _sketched(
            seed,
            steps=tuple(
                step.model_copy(update={"seconds": value}) if step.call == call else step for step in steps
            ),
        )

    return edit


def without_step(call: str) -> Edit:
    """A step forgotten in the sketch."""
    return lambda seed: _sketched(
        seed, steps=tuple(step for step in seed.solution_sketch.steps if step.call != call)
    )


def _sketched(seed: SeedDocument, **parts: Any) -> SeedDocument:
    return seed.model_copy(update={"solution_sketch": seed.solution_sketch.model_copy(update=parts)})


def approach(name: str, **fields: Any) -> Edit:
    """Fields of an approach."""

    def change(data: Data) -> None:
        next(each for each in data["approaches"] if each["name"] == name).update(fields)

    return lambda seed: recorded(seed, change)


def insights(*chain: tuple[str, str, tuple[int, ...]]) -> Edit:
    """Another insight chain: text, type and dependencies of each."""
    found = tuple(
        Insight(text=text, fixedness_type=kind, depends_on=needs, domain="motion")
        for text, kind, needs in chain
    )
    return lambda seed: seed.model_copy(update={"insight_chain": found})


def habit(kind: str) -> Edit:
    """Another type for the first insight."""
    return lambda seed: seed.model_copy(
        update={
            "insight_chain": (
                seed.insight_chain[0].model_copy(update={"fixedness_type": kind}),
                *seed.insight_chain[1:],
            )
        }
    )


def distractors(keep: int, **fields: Any) -> Edit:
    """The first distractors only, with some fields changed."""
    return lambda seed: seed.model_copy(
        update={
            "distractor_inventory": tuple(
                each.model_copy(update=fields) for each in seed.distractor_inventory[:keep]
            )
        }
    )


def wrong_answers(keep: int) -> Edit:
    """The first wrong answers only."""
    return lambda seed: seed.model_copy(update={"wrong_answers": seed.wrong_answers[:keep]})


def tier(name: str) -> Edit:
    """Another tier claimed."""
    return lambda seed: seed.model_copy(
        update={"concept_summary": seed.concept_summary.model_copy(update={"difficulty_tier": name})}
    )


def said(addition: str) -> Edit:
    """A sentence more in the narrative."""
    return lambda seed: _told(seed, narrative=f"{seed.scenario.narrative}\n\n{addition}")


def told(**parts: str) -> Edit:
    """Narrative, threat or position told otherwise."""
    return lambda seed: _told(seed, **parts)


def retold(old: str, new: str) -> Edit:
    """Words of the public text replaced, in running text and tables alike."""

    def edit(seed: SeedDocument) -> SeedDocument:
        text = seed.scenario.model_dump_json()
        assert old in text, f"{old} does not occur in {seed.scenario.name}"
        return seed.model_copy(
            update={"scenario": type(seed.scenario).model_validate_json(text.replace(old, new))}
        )

    return edit


def material(thing: str, stuff: str) -> Edit:
    """A thing made of something else."""

    def edit(seed: SeedDocument) -> SeedDocument:
        rows = seed.scenario.objects
        assert any(row.name == thing for row in rows)
        return _told(
            seed,
            objects=tuple(
                row.model_copy(update={"material": stuff}) if row.name == thing else row for row in rows
            ),
        )

    return edit


def _told(seed: SeedDocument, **parts: Any) -> SeedDocument:
    return seed.model_copy(update={"scenario": seed.scenario.model_copy(update=parts)})


def all_of(*edits: Edit) -> Edit:
    """Several edits, one after the other."""

    def edit(seed: SeedDocument) -> SeedDocument:
        for each in edits:
            seed = each(seed)
        return seed

    return edit


# --- the table --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fault:
    """A fault, whom it is meant for, what its complaint must name, and why it is missed if it is."""

    meant_for: str
    name: str
    seed: str
    plant: Edit
    names: str
    """A word that a new complaint must hold, so that nobody catches a fault by accident."""
    missed: str = ""

    @property
    def faulty(self) -> SeedDocument:
        """The healthy document with the fault in it."""
        return self.plant(healthy(self.seed))


_newton, _euler = partial(Fault, NEWTON), partial(Fault, EULER)
_galileo, _socrates = partial(Fault, GALILEO), partial(Fault, SOCRATES)
