"""NEWTON's part of the validation report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.builtin.newton.environment_effects import (
    check_threats_are_modelled,
    find_environment_effects,
    find_implausible_friction,
)
from impossible_moments.agents.builtin.newton.human_limits import (
    GRAVITY,
    SLIDING_FRICTION,
    compute_quantities_of_weakest_person,
    evaluate_claim,
    find_immovable_things,
    find_impossible_speeds,
    find_superhuman_figures,
)
from impossible_moments.agents.builtin.newton.material_checks import (
    MaterialJudgement,
    judge_object_properties,
)
from impossible_moments.agents.builtin.newton.seed_facts import YOU, SeedFacts
from impossible_moments.domain.disputes import Challenge, Evidence, Veto
from impossible_moments.domain.seed import PhysicalClaim
from impossible_moments.domain.validation import ClaimVerdict, Correction, MaterialCheck, PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA

HIGH_CONFIDENCE: Final = 0.9
LOWER_CONFIDENCE: Final = 0.78
MOST_UNSTATED: Final = 4


def build_physics_report(facts: SeedFacts) -> PhysicsReport:
    """Build the physics report on a seed document."""
    materials = judge_object_properties(facts)
    impossible_things = [each for each in materials if not each.holds]
    strained = [
        *find_superhuman_figures(facts),
        *find_impossible_speeds(facts),
        *find_immovable_things(facts),
        *find_implausible_friction(facts),
    ]
    tight_passages = list(_find_tight_passages(facts))
    unmodelled = [text for text, modelled in check_threats_are_modelled(facts) if not modelled]
    claims = tuple(_judge_claim(claim, facts) for claim in facts.seed.solution_sketch.claims)
    vetoes = tuple(_build_vetoes(impossible_things, facts))
    challenges = tuple(_build_challenges(impossible_things, [*strained, *tight_passages], vetoes))
    concerns = [
        *(f"{each.label}: {each.remark}" for each in impossible_things),
        *strained,
        *tight_passages,
        *(f"Nothing in the record stands for it: {text}" for text in unmodelled),
        *_list_unstated_properties(facts),
    ]
    broken = bool(facts.problems) or any(each.verdict == "INVALID" for each in claims) or bool(vetoes)
    return PhysicsReport(
        claims=claims,
        material_properties=tuple(
            MaterialCheck(thing=each.label, holds=each.holds, remark=each.remark) for each in materials
        ),
        force_and_motion=tuple(_describe_motion_forces(facts)),
        environment=tuple(find_environment_effects(facts)),
        threat_model=tuple(text for text, _ in check_threats_are_modelled(facts)),
        feasibility="INVALID" if broken else "VALID-WITH-CONCERNS" if concerns else "VALID",
        concerns=tuple(concerns),
        corrections_needed=tuple(
            Correction(problem=f"The record cannot be read: {problem}") for problem in facts.problems[:3]
        ),
        edge_cases=tuple(_describe_edge_cases(facts)),
        mirage_convincing=_describe_misleading_things(facts),
        challenges=challenges,
        vetoes=vetoes,
        confidence=LOWER_CONFIDENCE if concerns else HIGH_CONFIDENCE,
    )


def _judge_claim(claim: PhysicalClaim, facts: SeedFacts) -> ClaimVerdict:
    holds = evaluate_claim(claim, facts)
    if holds is None and not facts.problems:
        return ClaimVerdict(
            claim_id=claim.claim_id,
            verdict="VALID",
            reasoning="No law of nature speaks against it; whether it follows is for mathematics to say.",
        )
    if holds is None:
        return ClaimVerdict(
            claim_id=claim.claim_id,
            verdict="INVALID",
            reasoning=f"The record cannot be read: {facts.problems[0]}",
        )
    reasoning = (
        "It holds for the person and things as stated." if holds else "At the stated values it does not hold."
    )
    if (
        holds
        and facts.engine is not None
        and evaluate_claim(claim, facts, compute_quantities_of_weakest_person(facts.engine)) is False
    ):
        reasoning += " For the weakest person that the words admit it would not."
    return ClaimVerdict(claim_id=claim.claim_id, verdict="VALID" if holds else "INVALID", reasoning=reasoning)


def _describe_motion_forces(facts: SeedFacts) -> Iterator[str]:
    """Yield the forces needed for each thing that the sketch moves."""
    lift = facts.get_number(f"{YOU}.lift")
    for thing in facts.own_things:
        mass = facts.get_number(f"{thing.name}.mass")
        if mass is None or thing.kind != "object" or not facts.is_used_in_sketch(thing.name):
            continue
        weight = GRAVITY * mass
        method = (
            "it is lifted and carried"
            if lift is None or mass <= lift
            else "it is shoved or tipped, not carried"
        )
        yield f"{thing.label} weighs {weight:.3g} N; {method}, and sliding it takes about {SLIDING_FRICTION * weight:.3g} N."


def _find_tight_passages(facts: SeedFacts) -> Iterator[str]:
    """Yield openings that the sketch passes but that are too narrow for a body."""
    width = facts.get_number(f"{YOU}.squeeze")
    for thing in facts.own_things:
        clear = facts.get_number(f"{thing.name}.clear")
        fits_through = any(
            step.call.startswith(("climb", "go_through", "crawl", "squeeze", "pass"))
            and thing.name in step.call
            for step in facts.seed.solution_sketch.steps
        )
        if fits_through and clear is not None and width is not None and clear < width:
            yield f"{thing.label} is {clear:.3g} m clear, and the narrowest opening that a body works through is {width:.3g} m"


def _list_unstated_properties(facts: SeedFacts) -> Iterator[str]:
    """Yield properties that claims read but the text does not state."""
    world = facts.world
    if world is None:
        return
    text = " ".join(claim.expression for claim in facts.seed.solution_sketch.claims)
    unstated = [
        name
        for name, quantity in world.quantities.items()
        if "." in name and name in text and name not in world.own_paths and quantity.kind == "assumed"
    ]
    for name in unstated[:MOST_UNSTATED]:
        yield f"`{name}` decides a claim and is not stated: the usual value is assumed"


def _describe_edge_cases(facts: SeedFacts) -> Iterator[str]:
    engine = facts.engine
    if engine is not None:
        weakest = compute_quantities_of_weakest_person(engine)
        failing = [
            claim.claim_id
            for claim in facts.seed.solution_sketch.claims
            if evaluate_claim(claim, facts, weakest) is False and evaluate_claim(claim, facts)
        ]
        if failing:
            yield f"The weakest person that the words admit fails at {', '.join(failing)}."
        else:
            yield "Whoever the words admit, down to the weakest, meets every claim that can be computed."
    for effect in find_environment_effects(facts):
        yield f"If it is worse than told: {effect[:1].lower()}{effect[1:]}"
    for thing in facts.own_things:
        if facts.is_used_in_sketch(thing.name) and thing.kind == "object":
            yield f"A flawed {thing.label.partition(' ')[2] or thing.label}, cracked or loose, may fail below its stated figures."
            return


def _describe_misleading_things(facts: SeedFacts) -> str:
    strong = sum(each.strength == "strong" for each in facts.seed.distractor_inventory)
    return f"The things look like what they are used for; {strong} of {len(facts.seed.distractor_inventory)} misleading ones nearly do the job."


def _build_vetoes(impossible_things: list[MaterialJudgement], facts: SeedFacts) -> Iterator[Veto]:
    """Yield a veto for each thing that cannot exist and that the sketch uses."""
    for each in impossible_things:
        if each.grave and facts.is_used_in_sketch(each.thing):
            yield Veto(
                claim=f"{each.label} is as stated.",
                law="mass is density times volume",
                proof=(Evidence(kind="derivation", text=each.remark),),
                corrective_proposal="State a mass that fits the size and the material, or another material.",
            )


def _build_challenges(
    impossible_things: list[MaterialJudgement], strained_figures: list[str], vetoes: tuple[Veto, ...]
) -> Iterator[Challenge]:
    halted = {veto.claim for veto in vetoes}
    for each in impossible_things:
        claim = f"{each.label} is as stated."
        if claim not in halted:
            yield _challenge_claim(claim, each.remark, "State figures that such a thing has.")
    for text in strained_figures:
        yield _challenge_claim("A person can do what is stated.", text, "State a figure that people reach.")


def _challenge_claim(claim: str, text: str, recommendation: str) -> Challenge:
    return Challenge(
        challenged=ATHENA,
        claim=claim,
        domain="physics",
        evidence=(Evidence(kind="calculation", text=text),),
        recommendation=recommendation,
        confidence=HIGH_CONFIDENCE,
    )
