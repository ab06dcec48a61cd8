"""The domain of a claim follows from where it stands and what it is about."""

from __future__ import annotations

from typing import Any

import pytest

from impossible_moments.agents.orchestrator.conflicts.claim_domain import (
    ClaimPlacement,
    DisputedClaim,
    decide_claim_domains,
    list_dispute_domains,
    list_evidence_domains,
)
from impossible_moments.agents.orchestrator.conflicts.evidence_evaluation import EvidenceEvaluator
from impossible_moments.domain.disputes import Evidence
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import ObjectRow, PhysicalClaim, SeedDocument, SketchStep
from impossible_moments.domain.validation import (
    ClaimCalculation,
    ClaimVerdict,
    MathematicsReport,
    PhysicsReport,
)
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, SOCRATES, Phase
from impossible_moments.library.everyday_library import load_everyday_library
from support.dispute_cases import CLAIM, STRONG, build_dossier, build_evidence, build_seed


def seed_with_claims(*expressions: str) -> SeedDocument:
    seed = build_seed()
    claims = tuple(
        PhysicalClaim(claim_id=f"K{number}", text=f"Claim number {number} holds.", expression=expression)
        for number, expression in enumerate(expressions, start=1)
    )
    sketch = seed.solution_sketch.model_copy(
        update={"claims": claims, "steps": (SketchStep(action="Put the bar under the rim."),)}
    )
    table = ObjectRow(name="the oak table", mass="15 kg", dimensions="1 m", material="oak")
    scenario = seed.scenario.model_copy(update={"objects": (table,)})
    return seed.model_copy(update={"solution_sketch": sketch, "scenario": scenario})


EXPRESSIONS = (
    STRONG,
    "left + left <= 2[s]",
    "2 * left > 1[s] and pull > limit",
    "limit / pull < 2",
    "lid.open",
)
DOSSIER = (
    build_dossier(document=seed_with_claims(*EXPRESSIONS))
    .add_deliverable(
        Phase.VALIDATE,
        NEWTON,
        PhysicsReport(
            claims=(ClaimVerdict(claim_id="K1", verdict="VALID", reasoning="The rim bends before the bar."),),
            feasibility="VALID",
            concerns=("The bar may slip off the rim.",),
            confidence=0.9,
        ),
    )
    .add_deliverable(
        Phase.VALIDATE,
        EULER,
        MathematicsReport(
            claims=(ClaimCalculation(claim_id="K1", verdict="VALID", calculation="3 N > 2 N"),),
            dimensional_analysis="CONSISTENT",
            confidence=0.9,
        ),
    )
)


def decide(challenged: str, text: str, dossier: Dossier = DOSSIER) -> ClaimPlacement:
    evaluator = EvidenceEvaluator(dossier.find_latest_deliverable(SeedDocument), load_everyday_library())
    return decide_claim_domains(DisputedClaim(dossier, challenged, text, evaluator))


# fmt: off
CLAIMS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "forces compared":                (ATHENA,   "K1",                                        ("physics",)),
    "a claim by its text":            (ATHENA,   "claim number 1 holds",                      ("physics",)),
    "a sum of times":                 (ATHENA,   "K2",                                        ("mathematics",)),
    "forces and times":               (ATHENA,   "K3",                                        ("physics", "mathematics")),
    "a ratio of forces":              (ATHENA,   "K4",                                        ("physics",)),
    "a condition of state":           (ATHENA,   "K5",                                        ("design",)),
    "a validator's verdict":          (NEWTON,   "K1",                                        ("physics",)),
    "the other's verdict":            (EULER,    "K1",                                        ("mathematics",)),
    "part of a report":               (NEWTON,   "The bar may slip",                          ("physics",)),
    "a step":                         (ATHENA,   "Put the bar under the rim",                 ("physics",)),
    "an object":                      (ATHENA,   "The oak table is as stated.",               ("physics",)),
    "a fixedness type":               (ATHENA,   "The type `functional` has been studied.",   ("grounding",)),
    "an insight":                     (ATHENA,   "a bar is a lever",                          ("design",)),
    "a status":                       (ATHENA,   "The scenario is KS.",                       ("classification",)),
    "quantities in words":            (ATHENA,   "A person pushes 15 kg at 3.5 m/s.",         ("physics",)),
    "a time in words":                (ATHENA,   "The way back takes 20 seconds.",            ("mathematics",)),
    "nothing that can be placed":     (ATHENA,   "It is a fair riddle.",                      ("design",)),
    "EULER's arithmetic":             (EULER,    "2 + 2 = 4",                                 ("mathematics",)),
    "GALILEO's opinion":              (GALILEO,  "It is novel.",                              ("grounding",)),
    "SOCRATES's opinion":             (SOCRATES, "It is hard.",                               ("classification",)),
}
EVIDENCE: dict[str, tuple[dict[str, Any], set[str]]] = {
    "an expression of forces":        ({"kind": "proof", "text": "see", "expression": STRONG},       {"physics"}),
    "an expression of times":         ({"kind": "derivation", "text": "see", "expression": "left > 1[s]"}, {"mathematics"}),
    "a calculation of forces":        ({"kind": "calculation", "text": "30 N < 40 N"},               {"physics"}),
    "a calculation of times":         ({"kind": "calculation", "text": "12 s > 10 s"},               {"mathematics"}),
    "a proof in words":               ({"kind": "proof", "text": "by induction"},                    {"mathematics"}),
    "a proof about forces":           ({"kind": "proof", "text": "30 N < 40 N"},                     {"physics"}),
    "a principle":                    ({"kind": "physical principle", "text": "levers"},             {"physics"}),
    "epistemology":                   ({"kind": "epistemology", "text": "nothing is tested"},        {"classification"}),
    "unfairness":                     ({"kind": "unfairness", "text": "it is hidden"},               {"design"}),
    "a citation":                     ({"kind": "citation", "text": "Zatsiorsky 2002"},              set()),
}
# fmt: on


@pytest.mark.parametrize(("challenged", "text", "domains"), CLAIMS.values(), ids=CLAIMS.keys())
def test_the_domain_of_a_claim(challenged: str, text: str, domains: tuple[str, ...]) -> None:
    assert decide(challenged, text).domains == domains


@pytest.mark.parametrize(("fields", "domains"), EVIDENCE.values(), ids=EVIDENCE.keys())
def test_the_domain_of_evidence(fields: dict[str, Any], domains: set[str]) -> None:
    evaluator = EvidenceEvaluator(build_seed(), load_everyday_library())
    assert list_evidence_domains(Evidence(**fields), evaluator) == domains


def test_evidence_that_may_overrule_the_authority_lies_in_the_domain_of_the_claim() -> None:
    evaluator = EvidenceEvaluator(build_seed(), load_everyday_library())
    proof = (build_evidence("by induction", kind="proof"),)
    assert list_dispute_domains(("physics",), {EULER: proof}, evaluator) == ("physics",)
    assert list_dispute_domains(("physics",), {GALILEO: proof}, evaluator) == ("physics", "mathematics")


def test_the_rule_that_decided_is_named() -> None:
    assert decide(ATHENA, CLAIM, build_dossier()).rule == "a claim of the solution sketch"
