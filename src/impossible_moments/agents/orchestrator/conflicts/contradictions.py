"""The table of contradictions between deliverables.

Each contradiction becomes a challenge. If the orchestrator computed it, the orchestrator is the challenger
and cannot be outvoted. If two agents contradict each other, the objecting agent challenges the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from impossible_moments.agents.orchestrator.conflicts.domain_authority import get_home_domain
from impossible_moments.agents.orchestrator.conflicts.evidence_evaluation import ExpressionResult
from impossible_moments.agents.orchestrator.conflicts.newest_deliverables import NewestDeliverables
from impossible_moments.domain.disputes import Domain, EvidenceKind
from impossible_moments.domain.thresholds import CONFIDENT_OBJECTION
from impossible_moments.domain.vocabulary import (
    ATHENA,
    EULER,
    GALILEO,
    NEWTON,
    ORCHESTRATOR,
    SOCRATES,
    parse_main_status,
)

ROUNDING: Final = 0.01
"""How far a margin may differ from the computed one, as a share of the deadline."""
AGENTS: Final = "any agent"


@dataclass(frozen=True, slots=True)
class DetectedContradiction:
    """A contradiction that a row of the table has detected."""

    challenger: str
    challenged: str
    claim: str
    objection: str
    expression: str = ""
    domains: tuple[Domain, Domain] | None = None
    """The domains of the claim and of the objection, if they differ from the row's."""


Detect: TypeAlias = Callable[[NewestDeliverables], Iterator[DetectedContradiction]]


def detect_feasible_but_late(deliverables: NewestDeliverables) -> Iterator[DetectedContradiction]:
    """Detect that NEWTON calls feasible what EULER's timing shows to be too slow."""
    physics, mathematics = deliverables.physics, deliverables.mathematics
    if physics is None or mathematics is None or mathematics.margin is None:
        return
    if physics.feasibility != "INVALID" and mathematics.margin < 0:
        objection = f"The timing budget exceeds the deadline: the margin is {mathematics.margin:.1%} of it."
        yield DetectedContradiction(
            EULER, NEWTON, f"The solution is physically {physics.feasibility}.", objection
        )


def detect_opposite_verdicts(deliverables: NewestDeliverables) -> Iterator[DetectedContradiction]:
    """Detect claims that one validator calls VALID and the other INVALID."""
    newton, euler = deliverables.verdicts.get(NEWTON, {}), deliverables.verdicts.get(EULER, {})
    for claim in sorted(newton.keys() & euler.keys()):
        if newton[claim] == euler[claim]:
            continue
        objector, other = (NEWTON, EULER) if newton[claim] == "INVALID" else (EULER, NEWTON)
        objection = (
            f"{objector} finds claim {claim} INVALID: {_get_verdict_reasoning(deliverables, objector, claim)}"
        )
        domains = get_home_domain(other), get_home_domain(objector)
        yield DetectedContradiction(objector, other, claim, objection, domains=domains)


def _get_verdict_reasoning(deliverables: NewestDeliverables, agent: str, claim: str) -> str:
    if agent == NEWTON and deliverables.physics is not None:
        return next((each.reasoning for each in deliverables.physics.claims if each.claim_id == claim), "")
    if deliverables.mathematics is not None:
        return next(
            (each.calculation for each in deliverables.mathematics.claims if each.claim_id == claim), ""
        )
    return ""


def detect_verdict_against_computation(deliverables: NewestDeliverables) -> Iterator[DetectedContradiction]:
    """Detect VALID verdicts on claims that the mechanics compute as false."""
    claims = deliverables.seed.solution_sketch.claims if deliverables.seed is not None else ()
    for claim in claims:
        if (
            not claim.expression
            or deliverables.evaluator.evaluate_expression(claim.expression) is not ExpressionResult.VIOLATED
        ):
            continue
        for agent, verdicts in deliverables.verdicts.items():
            if verdicts.get(claim.claim_id) == "VALID":
                objection = f"`{claim.expression}` computes as false."
                domains = get_home_domain(agent), get_home_domain(agent)
                yield DetectedContradiction(
                    ORCHESTRATOR, agent, claim.claim_id, objection, claim.expression, domains
                )


def detect_margin_against_timing_sum(deliverables: NewestDeliverables) -> Iterator[DetectedContradiction]:
    """Detect that EULER's own steps do not add up to the margin it reports."""
    report = deliverables.mathematics
    if report is None or report.margin is None or not report.deadline_seconds or not report.timing_budget:
        return
    total = sum(row.seconds for row in report.timing_budget)
    margin = (report.deadline_seconds - total) / report.deadline_seconds
    if abs(margin - report.margin) > ROUNDING:
        objection = f"The steps take {total:g} s of {report.deadline_seconds:g} s, which leaves {margin:.1%}."
        yield DetectedContradiction(
            ORCHESTRATOR, EULER, f"The margin is {report.margin:.1%} of the deadline.", objection
        )


def detect_valid_report_with_invalid_claim(
    deliverables: NewestDeliverables,
) -> Iterator[DetectedContradiction]:
    """Detect that NEWTON calls the solution VALID and one of its claims INVALID."""
    if deliverables.physics is None or deliverables.physics.feasibility != "VALID":
        return
    invalid = [claim for claim, verdict in deliverables.verdicts[NEWTON].items() if verdict == "INVALID"]
    if invalid:
        objection = f"The same report finds INVALID: {', '.join(sorted(invalid))}."
        yield DetectedContradiction(ORCHESTRATOR, NEWTON, "The solution is physically VALID.", objection)


def detect_dimension_errors_in_valid_solution(
    deliverables: NewestDeliverables,
) -> Iterator[DetectedContradiction]:
    """Detect dimensional errors found by EULER in a solution that NEWTON calls VALID."""
    physics, mathematics = deliverables.physics, deliverables.mathematics
    if physics is None or mathematics is None:
        return
    if physics.feasibility == "VALID" and mathematics.dimensional_analysis == "ERRORS-FOUND":
        objection = "The dimensional analysis found errors: units do not agree."
        yield DetectedContradiction(EULER, NEWTON, "The solution is physically VALID.", objection)


def detect_grounding_of_missing_insight(deliverables: NewestDeliverables) -> Iterator[DetectedContradiction]:
    """Detect constructs that GALILEO maps to insights that are not in the insight chain."""
    if deliverables.seed is None or deliverables.grounding is None:
        return
    last = len(deliverables.seed.insight_chain)
    for construct in deliverables.grounding.constructs:
        if construct.insight > last:
            claim = f"Insight {construct.insight} tests {construct.construct_tested}."
            yield DetectedContradiction(
                ORCHESTRATOR, GALILEO, claim, f"The insight chain has {last} insights."
            )


def detect_low_scientific_merit(deliverables: NewestDeliverables) -> Iterator[DetectedContradiction]:
    """Detect that GALILEO is confident that the scenario has little scientific merit."""
    report = deliverables.grounding
    if report is not None and report.merit == "LOW" and report.confidence >= CONFIDENT_OBJECTION:
        reasons = "; ".join(report.validity_concerns) or report.construct_validity
        claim = "The scenario is worth making: it tests what it says it tests."
        yield DetectedContradiction(GALILEO, ATHENA, claim, f"The scientific merit is LOW: {reasons}")


def detect_approval_despite_failed_ethics(
    deliverables: NewestDeliverables,
) -> Iterator[DetectedContradiction]:
    """Detect approvals of a scenario that failed the ethical review."""
    if deliverables.blind is None or deliverables.blind.ethics.status != "FAIL":
        return
    for agent in deliverables.approving_agents:
        challenger = ORCHESTRATOR if agent == SOCRATES else SOCRATES
        objection = f"The ethical review failed: {deliverables.blind.ethics.notes or 'see its checklist'}"
        yield DetectedContradiction(
            challenger, agent, f"{agent}: the scenario is ready for documentation.", objection
        )


def detect_approval_against_own_finding(deliverables: NewestDeliverables) -> Iterator[DetectedContradiction]:
    """Detect that an agent approves without notes although its own report blocks the scenario."""
    for agent in deliverables.approving_agents:
        findings = deliverables.list_blocking_findings(agent)
        if findings:
            claim = f"{agent}: nothing of its own speaks against the scenario."
            domains = get_home_domain(agent), get_home_domain(agent)
            yield DetectedContradiction(
                ORCHESTRATOR, agent, claim, f"{'; '.join(findings)}.", domains=domains
            )


def detect_distractor_enabling_solution(deliverables: NewestDeliverables) -> Iterator[DetectedContradiction]:
    """Detect a distractor that, in a reviewer's opinion, enables a solution of a validated scenario."""
    if deliverables.joint is None or deliverables.joint.status != "VALIDATED":
        return
    for agent, review in deliverables.distractor_reviews.items():
        for finding in review.findings:
            if finding.verdict == "enables a solution":
                challenger = ORCHESTRATOR if agent == ATHENA else agent
                claim = f"{finding.name} is a distractor."
                yield DetectedContradiction(
                    challenger, ATHENA, claim, finding.remark or "It enables an unintended solution."
                )


def detect_status_against_computation(deliverables: NewestDeliverables) -> Iterator[DetectedContradiction]:
    """Detect that SOCRATES, after the reveal, names another status than the computed one."""
    if deliverables.informed is None or deliverables.joint is None or not deliverables.joint.computed_status:
        return
    computed_status = parse_main_status(deliverables.joint.computed_status)
    if deliverables.informed.status != computed_status:
        claim = f"The scenario is {deliverables.informed.status}."
        reason = deliverables.joint.computed_reason
        objection = f"The mechanics compute as {computed_status}{f': {reason}' if reason else ''}."
        yield DetectedContradiction(ORCHESTRATOR, SOCRATES, claim, objection)


def detect_impossibility_type_against_status(
    deliverables: NewestDeliverables,
) -> Iterator[DetectedContradiction]:
    """Detect a known solution of impossibility type III, or a paradox of another type."""
    informed = deliverables.informed
    if informed is None:
        return
    is_contradictory = {
        "KS": informed.impossibility_type == "III",
        "PX": informed.impossibility_type != "III",
    }
    if is_contradictory.get(informed.status, False):
        claim = f"A {informed.status} scenario of impossibility type {informed.impossibility_type}."
        yield DetectedContradiction(
            ORCHESTRATOR, SOCRATES, claim, "PX is impossible in principle (type III), and KS is not."
        )


@dataclass(frozen=True, slots=True)
class ContradictionRule:
    """One kind of contradiction."""

    name: str
    between: tuple[str, str]
    """The parties. The orchestrator can take the place of the one that objects, such as to that agent's own claim."""
    claim_domain: Domain
    evidence_domain: Domain
    kind: EvidenceKind
    detect: Detect

    def find_contradictions(self, deliverables: NewestDeliverables) -> tuple[DetectedContradiction, ...]:
        """Return the contradictions of this kind, if both parties have handed in something."""
        named = {party for party in self.between if party not in {ORCHESTRATOR, AGENTS}}
        if not named <= deliverables.authors:
            return ()
        found = tuple(self.detect(deliverables))
        for each in found:
            if not self.is_between(each):
                raise ValueError(
                    f"`{self.name}` is between {' and '.join(self.between)}, not between {each.challenger} and {each.challenged}"
                )
        return found

    def is_between(self, found: DetectedContradiction) -> bool:
        """Return whether the parties of a contradiction are those of this kind, in either order."""
        return any(
            found.challenger in {one, ORCHESTRATOR} | _list_meant_agents(one, found.challenger)
            and found.challenged in {other} | _list_meant_agents(other, found.challenged)
            for one, other in (self.between, self.between[::-1])
        )


def _list_meant_agents(party: str, agent: str) -> set[str]:
    return {agent} if party == AGENTS else set()


# fmt: off
CONTRADICTIONS: Final = (
    #    what                                                              between                    claim             evidence          kind              how it is found
    ContradictionRule("feasible, but the timing does not work",            (EULER, NEWTON),           "physics",        "mathematics",    "calculation",    detect_feasible_but_late),
    ContradictionRule("a claim VALID for one and INVALID for the other",   (NEWTON, EULER),           "physics",        "mathematics",    "derivation",     detect_opposite_verdicts),
    ContradictionRule("VALID, but it computes as false",                   (ORCHESTRATOR, AGENTS),    "physics",        "physics",        "calculation",    detect_verdict_against_computation),
    ContradictionRule("the timing sum against its own margin",             (ORCHESTRATOR, EULER),     "mathematics",    "mathematics",    "calculation",    detect_margin_against_timing_sum),
    ContradictionRule("feasible, but a claim is INVALID",                  (ORCHESTRATOR, NEWTON),    "physics",        "physics",        "calculation",    detect_valid_report_with_invalid_claim),
    ContradictionRule("VALID, but dimensions do not agree",                (EULER, NEWTON),           "physics",        "mathematics",    "calculation",    detect_dimension_errors_in_valid_solution),
    ContradictionRule("grounding of an insight that does not exist",       (ORCHESTRATOR, GALILEO),   "grounding",      "grounding",      "calculation",    detect_grounding_of_missing_insight),
    ContradictionRule("little merit, and sure of it",                      (GALILEO, ATHENA),         "grounding",      "grounding",      "citation",       detect_low_scientific_merit),
    ContradictionRule("approved, but the ethical review failed",           (SOCRATES, AGENTS),        "classification", "classification", "epistemology",   detect_approval_despite_failed_ethics),
    ContradictionRule("approved, but its own report blocks the scenario",  (ORCHESTRATOR, AGENTS),    "design",         "design",         "calculation",    detect_approval_against_own_finding),
    ContradictionRule("a distractor enables a solution",                   (AGENTS, ATHENA),          "design",         "design",         "unfairness",     detect_distractor_enabling_solution),
    ContradictionRule("another status than the mechanics compute",         (ORCHESTRATOR, SOCRATES),  "classification", "classification", "calculation",    detect_status_against_computation),
    ContradictionRule("impossibility type against status",                 (ORCHESTRATOR, SOCRATES),  "classification", "classification", "epistemology",   detect_impossibility_type_against_status),
)
# fmt: on
