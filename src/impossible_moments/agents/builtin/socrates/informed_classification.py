"""The informed classification: SOCRATES compares what was revealed with the definitions of the statuses.

The computed status of the record and the status that ATHENA claims are not read for the judgement. They are
compared with it afterwards, so that SOCRATES can disagree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from impossible_moments.agents.builtin.quantity_wording import format_count
from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import JointAssessment, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import IMPOSSIBILITY_TYPES, DifficultyDimension, Status

_PREMISE: Final = re.compile(r"@\s*premise:\s*(?P<words>.+)$", re.IGNORECASE | re.MULTILINE)
_DISPUTED: Final = re.compile(r"^(?P<name>\w+)[^@\n]*\bdisputed\s*@\s*(?P<sources>.+)$", re.MULTILINE)
_CHALLENGE_CALL: Final = re.compile(r"^challenge\(")
_HIGHEST: Final = 0.95
PLAIN_STEPS: Final = 2
"""A solution of at most so many steps that breaks no habit is trivially simple."""
_BASE: Final = 0.6
"""The confidence with a rule that matches and no evidence beyond it."""
_FOR_EACH: Final = 0.08
_AGAINST_EACH: Final = 0.12


@dataclass(frozen=True)
class RevealedEvidence:
    """What the sketch, the record and the validation show."""

    seed: SeedDocument
    physics: PhysicsReport | None
    mathematics: MathematicsReport | None
    joint: JointAssessment | None

    @property
    def acting_steps(self) -> int:
        """The number of steps of the sketch that do something, without the questioning of a premise."""
        return sum(not _CHALLENGE_CALL.match(step.call) for step in self.seed.solution_sketch.steps)

    @property
    def premise(self) -> str:
        """The words of a restriction that the record marks as only suggested, or an empty string."""
        found = _PREMISE.search(_join_lines(self.seed.mechanics.get("never")))
        return found["words"].strip() if found else ""

    @property
    def dispute(self) -> str:
        """The quantity on which the sources of the record differ, with the sources, or an empty string."""
        lines = [_join_lines(self.seed.mechanics.get("quantities"))]
        lines += [_join_lines(thing.get("props")) for thing in self.seed.mechanics.get("things") or ()]
        found = _DISPUTED.search("\n".join(lines))
        return f"{found['name']}: {found['sources'].strip()}" if found else ""

    @property
    def optimum_of_dispute(self) -> str:
        """What EULER found about the best plan over the range of the disputed quantity, or an empty string."""
        name, found = (
            self.dispute.partition(":")[0],
            self.mathematics.optimization if self.mathematics else "",
        )
        return found if name and name in found else ""

    @property
    def is_decided_by_dispute(self) -> bool:
        """Whether the best plan changes with the disputed quantity. Without EULER's report every dispute may decide."""
        return bool(self.dispute) and (self.mathematics is None or bool(self.optimum_of_dispute))

    @property
    def proof(self) -> str:
        """The proof that nothing works, as ATHENA gives it or as EULER found it, or an empty string."""
        found = self.mathematics.impossibility_proof if self.mathematics is not None else ""
        return self.seed.solution_sketch.impossibility_proof or found

    @property
    def invalid_claims(self) -> tuple[str, ...]:
        """The claims that a validator judged invalid."""
        physics = self.physics.claims if self.physics is not None else ()
        mathematics = self.mathematics.claims if self.mathematics is not None else ()
        found = {each.claim_id for each in physics if each.verdict == "INVALID"}
        return tuple(sorted(found | {each.claim_id for each in mathematics if each.verdict == "INVALID"}))

    @property
    def independent_paths(self) -> int:
        """The number of solutions that share no step: listed as ways in the record, or found by the validators."""
        ways = _count_listed_ways(self.seed.mechanics)
        found = len(self.joint.alternative_paths) if self.joint is not None else 0
        return max(ways, 1 + found if self.acting_steps else 0)

    @property
    def frontier(self) -> bool:
        """Whether the record marks limits of what is known."""
        return bool(self.seed.mechanics.get("frontier"))

    @property
    def margin(self) -> float | None:
        """The share of the deadline that the sketch leaves, as EULER computed it."""
        return self.mathematics.margin if self.mathematics is not None else None


@dataclass(frozen=True, slots=True)
class StatusRule:
    """A rule of judgement: when it applies, what it concludes, and the words for the evidence."""

    status: Status
    applies: Callable[[RevealedEvidence], bool]
    describe: Callable[[RevealedEvidence], str]


def _is_plain(evidence: RevealedEvidence) -> bool:
    """Return whether few steps suffice that break no habit."""
    habits = {each.fixedness_type for each in evidence.seed.insight_chain}
    in_time = evidence.margin is None or evidence.margin >= 0
    return evidence.acting_steps <= PLAIN_STEPS and habits <= {"surprise"} and in_time


def _describe_open_problem(evidence: RevealedEvidence) -> str:
    criteria = len(evidence.seed.solution_sketch.evaluation_criteria)
    frontier = ", and the record marks the limits of what is known" if evidence.frontier else ""
    return f"There is neither a plan nor a proof; {criteria} criteria say what an answer must meet{frontier}."


def _describe_sketched_plan(evidence: RevealedEvidence) -> str:
    claims = format_count(len(evidence.seed.solution_sketch.claims), "claim")
    settled = (
        f" The sources differ on {evidence.dispute}, and EULER finds no value of it at which another plan becomes the best."
        if evidence.dispute
        else ""
    )
    return (
        f"A plan of {format_count(evidence.acting_steps, 'step')} is sketched, and the validators judged "
        f"{claims} behind it.{settled}"
    )


def _describe_plain_solution(evidence: RevealedEvidence) -> str:
    first = evidence.seed.solution_sketch.steps[0].action
    left = "" if evidence.margin is None else f", and {evidence.margin:.0%} of the time is left"
    return (
        f"No habit has to be broken, and {evidence.acting_steps} plain steps suffice, first `{first}`{left}."
    )


# fmt: off
RULES: Final = (
    # The first rule that applies decides. The order is that of the definitions: what excludes a solution comes first.
    StatusRule("PX", lambda e: bool(e.proof) and not e.seed.solution_sketch.steps,
               lambda e: f"No step is sketched, and a proof excludes every way: {e.proof}"),
    StatusRule("OF", lambda e: not e.seed.solution_sketch.steps, _describe_open_problem),
    StatusRule("MT", lambda e: bool(e.premise),
               lambda e: f"The plan works only when “{e.premise}” is questioned, and the record has it as a suggestion and not as a rule."),
    StatusRule("CT", lambda e: e.is_decided_by_dispute,
               lambda e: f"Which plan is right turns on a disputed quantity, {e.dispute}. {e.optimum_of_dispute}".strip()),
    StatusRule("DG", _is_plain, _describe_plain_solution),
    StatusRule("KS", lambda _: True, _describe_sketched_plan),
)
# fmt: on


def judge_revealed_evidence(evidence: RevealedEvidence) -> tuple[Status, str]:
    """Return the status that the evidence supports, and the evidence in words."""
    rule = next(rule for rule in RULES if rule.applies(evidence))
    return rule.status, rule.describe(evidence)


def build_informed_classification(
    evidence: RevealedEvidence, blind: ClassificationReport | None, profile: Profile
) -> InformedClassification:
    """Classify with full knowledge, and compare with the blind report dimension by dimension."""
    status, words = judge_revealed_evidence(evidence)
    supporting, opposing = _weigh_evidence(evidence, status)
    sentences = [
        words,
        *supporting,
        *opposing,
        *_describe_subtype(evidence, status),
        *_compare_with_computation(evidence, status),
    ]
    return InformedClassification(
        status=status,
        justification=" ".join(sentences),
        impossibility_type=IMPOSSIBILITY_TYPES[status],
        profile=profile,
        delta=describe_delta(blind, status, profile, evidence),
        confidence=round(
            min(max(_BASE + _FOR_EACH * len(supporting) - _AGAINST_EACH * len(opposing), 0.05), _HIGHEST), 2
        ),
    )


def _weigh_evidence(evidence: RevealedEvidence, status: Status) -> tuple[list[str], list[str]]:
    """Return what the reports add for and against a status."""
    supporting: list[str] = []
    opposing: list[str] = []
    if evidence.physics is not None:
        feasible = evidence.physics.feasibility != "INVALID"
        (supporting if feasible else opposing).append(
            f"NEWTON judges the physics {evidence.physics.feasibility}."
        )
    if evidence.mathematics is not None:
        consistent = evidence.mathematics.dimensional_analysis == "CONSISTENT"
        (supporting if consistent else opposing).append(
            f"EULER finds the dimensions {evidence.mathematics.dimensional_analysis.lower()}."
        )
        if status in {"KS", "DG"} and evidence.margin is not None:
            (supporting if evidence.margin >= 0 else opposing).append(
                f"{evidence.margin:.0%} of the deadline is left."
            )
    if status == "PX" and evidence.mathematics is not None and evidence.mathematics.impossibility_proof:
        supporting.append("EULER confirms the proof with one of his own.")
    if evidence.invalid_claims:
        opposing.append(f"These claims were judged invalid: {', '.join(evidence.invalid_claims)}.")
    if evidence.joint is not None:
        validated = evidence.joint.status == "VALIDATED"
        (supporting if validated else opposing).append(f"The joint assessment is {evidence.joint.status}.")
    return supporting, opposing


def _describe_subtype(evidence: RevealedEvidence, status: Status) -> Iterator[str]:
    if status != "KS":
        return
    if evidence.independent_paths > 1:
        yield f"{evidence.independent_paths} independent ways lead to the goal, so it is KS-Multiple."
    elif evidence.mathematics is not None and evidence.mathematics.fragile:
        yield "EULER finds the plan fragile, so it is KS-Fragile."
    else:
        yield "One way leads to the goal, so it is KS-Singular."


def _compare_with_computation(evidence: RevealedEvidence, status: Status) -> Iterator[str]:
    computed = evidence.joint.computed_status if evidence.joint is not None else ""
    if computed:
        agrees = computed.partition("-")[0] == status
        yield f"The record computes as {computed}, {'which agrees' if agrees else f'and I disagree: what is shown fits the definition of {status}'}."


def describe_delta(
    blind: ClassificationReport | None, status: Status, profile: Profile, evidence: RevealedEvidence
) -> str:
    """Describe the difference between the blind and the informed judgement, dimension by dimension."""
    if blind is None:
        return f"There is no blind report to compare with; the profile is {profile}."
    if blind.status == status:
        head = f"None in class: read blind it was {status}, and the evidence supports that."
    else:
        head = f"Read blind it was {blind.status}, and it is {status}. What the blind reading could not see: {evidence.seed.impossibility_mirage.excluded_by_model}"
    moved = [
        f"{dimension.value} {before} to {after} ({_explain_move(dimension, evidence)})"
        for dimension in DifficultyDimension
        if (before := getattr(blind.profile, dimension.name)) != (after := getattr(profile, dimension.name))
    ]
    moves = f" By dimension: {'; '.join(moved)}." if moved else " No dimension moved."
    return f"{head} The profile moved from {blind.profile} to {profile}.{moves}"


def _explain_move(dimension: DifficultyDimension, evidence: RevealedEvidence) -> str:
    """Return the revealed fact that a dimension is judged by."""
    seed = evidence.seed
    match dimension.name:
        case "I":
            chained = sum(bool(each.depends_on) for each in seed.insight_chain)
            return f"{format_count(len(seed.insight_chain), 'insight')}, {chained} of them dependent"
        case "D":
            strong = sum(each.strength == "strong" for each in seed.distractor_inventory)
            return f"{format_count(len(seed.distractor_inventory), 'distractor')}, {strong} strong"
        case "C":
            return f"habits to break: {', '.join(dict.fromkeys(each.fixedness_type for each in seed.insight_chain)) or 'none'}"
        case "B":
            return f"domains: {', '.join(sorted({each.domain for each in seed.insight_chain if each.domain})) or 'one'}"
        case "T":
            return (
                "no deadline is computed"
                if evidence.margin is None
                else f"{evidence.margin:.0%} of the time is left"
            )
        case _:
            return f"{format_count(len(seed.wrong_answers), 'wrong answer')}"


def _count_listed_ways(mechanics: dict[str, Any]) -> int:
    """Return how many solutions the record lists."""
    ways = (mechanics.get("status") or {}).get("ways") or ()
    return len(ways) if isinstance(ways, list | tuple) else 0


def _join_lines(value: object) -> str:
    return "\n".join(str(each) for each in value) if isinstance(value, list | tuple) else str(value or "")
