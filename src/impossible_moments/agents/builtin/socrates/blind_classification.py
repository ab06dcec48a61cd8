"""The blind classification: the result of a first reading of the scenario, and its confidence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from impossible_moments.agents.builtin.socrates.ethical_review import review_ethics
from impossible_moments.domain.classification import (
    ClassificationReport,
    EpistemologicalAnalysis,
    Rejected,
)
from impossible_moments.domain.difficulty import (
    AMPLE_TIME,
    NEAR_MISS,
    Profile,
    score_time_pressure_of_late_approaches,
)
from impossible_moments.domain.difficulty_tiers import choose_difficulty_tier
from impossible_moments.domain.vocabulary import (
    IMPOSSIBILITY_TYPES,
    STATUSES,
    DifficultyDimension,
    ImpossibilityType,
    Level,
    Status,
    parse_main_status,
)
from impossible_moments.mechanics.execution import PlanOutcome
from impossible_moments.solver import QUICK_SEARCH_NODES, FirstReading, SolverResult

# fmt: off
_STATUS_MEANINGS: Final[dict[Status, str]] = {
    "KS": "a solution exists, and at least one plausible approach can be named",
    "CT": "several approaches are possible, and which of them is valid is uncertain",
    "OF": "no plausible approach can be named, and no proof of impossibility either",
    "PX": "an argument can be given that no solution exists: the constraints exclude each other",
    "MT": "as stated it is unsolvable, and something in the statement is an assumption that can be challenged",
    "DG": "it looks complex, and the answer is trivially simple",
}
_TYPE_WHY: Final[dict[ImpossibilityType, str]] = {
    "I": "The impossibility is one of appearance: a way can be imagined once the things are looked at for what they are.",
    "II": "A way may exist in theory; whether it can be carried out with what is there is what nobody can settle from the text.",
    "III": "The stated constraints exclude each other: no arrangement of what is there meets them all.",
}
# fmt: on
FOUND_CONFIDENCE: Final = 0.85
GUESSED_CONFIDENCE: Final = 0.62


def infer_blind_status(reading: FirstReading) -> Status:
    """Return the status that a first reader infers."""
    solver_result = reading.solved
    if reading.premise:
        return "MT"
    if solver_result.status in {"unread", "undecided"}:
        return "KS" if solver_result.plans else "OF"
    return parse_main_status(solver_result.status)


def build_classification_report(reading: FirstReading, fields: dict[str, Any]) -> ClassificationReport:
    """Build the blind classification report. `fields` are the visible fields of the seed document."""
    status = infer_blind_status(reading)
    solver_result = reading.solved
    text = " ".join(
        (fields["scenario"]["narrative"], fields["scenario"]["threat"], fields["scenario"]["position"])
    )
    profile, reasons = score_blind_profile(reading, fields)
    kind = IMPOSSIBILITY_TYPES[status]
    unstated_numbers = frozenset(solver_result.unstated_numbers) & solver_result.decisive_numbers
    confidence = (
        FOUND_CONFIDENCE
        if not unstated_numbers
        and solver_result.status not in {"unread", "undecided"}
        and not reading.limit_reached
        else GUESSED_CONFIDENCE
    )
    return ClassificationReport(
        status=status,
        justification=_write_justification(status, reading, fields),
        alternatives=tuple(_list_rejected_statuses(status, reading)),
        approaches_seen=tuple(" then ".join(plan) for plan in solver_result.plans[:3]),
        premise_named=reading.premise,
        blind_confidence=confidence,
        impossibility_type=kind,
        type_justification=_TYPE_WHY[kind],
        ethics=review_ethics(text),
        epistemology=_build_epistemological_analysis(status, fields, len(solver_result.plans)),
        profile=profile,
        preliminary_tier=choose_difficulty_tier(profile.scores, status)[0],
        rationale={dimension.value: reasons[dimension.name] for dimension in DifficultyDimension},
        confidence=confidence,
    )


def _write_justification(status: Status, reading: FirstReading, fields: dict[str, Any]) -> str:
    solver_result, scenario = reading.solved, fields["scenario"]
    things = [row["name"] for row in scenario["objects"]]
    task = scenario["threat"].rstrip(".").lower() or "a task"
    available_things = ", ".join(things) or "nothing"
    sentences = [
        f"Read without any knowledge of the answer, `{scenario['name']}` puts a reader before {task}, with {available_things} at hand.",
        f"The picture that the text paints is this: {fields['impossibility_mirage']['looks_impossible']}",
        f"I went through what can be done with each thing, up to some {QUICK_SEARCH_NODES} half-finished plans, and held each against the numbers that the tables state.",
    ]
    if solver_result.plans:
        sentences.append(f"One order of doing things goes through: {' then '.join(solver_result.plans[0])}.")
    elif reading.limit_reached:
        sentences.append("None that I came to went through, and I did not come to the end of them.")
    else:
        sentences.append(f"None of them goes through, and there are no more to try: {solver_result.reason}.")
    if reading.premise:
        sentences.append(
            f"What stands in the way is nowhere laid down; it is only suggested by the words `{reading.premise}`."
        )
    sentences.append(f"That is {status}: {_STATUS_MEANINGS[status]}.")
    sentences.append(
        "The other classes were considered in turn and are rejected below, each for a reason that lies in the text and not in any knowledge of what its author intended; "
        "should the numbers have been misread, the class would change with them."
    )
    return " ".join(sentences)


def _list_rejected_statuses(status: Status, reading: FirstReading) -> Iterator[Rejected]:
    has_plan = bool(reading.solved.plans)
    reasons: dict[Status, str] = {
        "KS": "no approach that was tried goes through"
        if not has_plan
        else "what goes through is better described otherwise",
        "CT": "nothing in the text is reported as disputed, on which the better approach would turn",
        "OF": "an approach goes through"
        if has_plan
        else "the search came to its end, so that more is known than that nothing was found",
        "PX": "an approach goes through" if has_plan else "no argument closes every path",
        "MT": "what stands in the way is laid down in so many words, or nothing stands in the way",
        "DG": "the approach needs more than one plain everyday step, or runs close to its limits"
        if has_plan
        else "no plain step suffices",
    }
    for other in STATUSES:
        if other != status:
            yield Rejected(status=other, reason=reasons[other][:1].upper() + reasons[other][1:] + ".")


def score_blind_profile(reading: FirstReading, fields: dict[str, Any]) -> tuple[Profile, dict[str, str]]:
    """Score the six dimensions as they appear to a first reader, with a reason for each."""
    solver_result, scenario = reading.solved, fields["scenario"]
    objects = [row["name"] for row in scenario["objects"]]
    steps = min((len(plan) for plan in solver_result.plans), default=0)
    analysis = solver_result.report.analysis if solver_result.report is not None else None
    used_things = {
        name
        for plan in solver_result.plans
        for call in plan
        for name in call.replace("(", ",").replace(")", ",").replace(" ", "").split(",")
    }
    names = (
        [name for name, thing in analysis.world.things.items() if thing.own and thing.kind == "object"]
        if analysis is not None
        else []
    )
    unused_things = [name for name in names if name not in used_things]
    failing = (
        [each for each in analysis.outcomes.values() if not each.reaches_goal] if analysis is not None else []
    )
    near_misses = [
        each for each in failing if each.failing_margin is not None and abs(each.failing_margin) < NEAR_MISS
    ]
    timed = analysis is not None and analysis.executor.deadline is not None
    scores = {
        "I": 5 if not steps and reading.limit_reached else 4 if not steps else min(max(steps - 1, 1), 4),
        "D": min(1 + len(unused_things), 4),
        "C": 4 if not steps else 2 + (len(near_misses) > 1) + (len(failing) > 3),  # noqa: PLR2004
        "B": 3 if len(objects) > 4 else 2,  # noqa: PLR2004
        "T": _score_time_pressure(solver_result, failing) if timed else 1,
        "X": min(1 + len(near_misses) + (len(failing) > 0), 5),
    }
    reasons = {
        "I": f"The shortest way that was seen takes {steps} steps."
        if steps
        else "No way was seen, so the insights needed are many or out of reach.",
        "D": f"{len(unused_things)} of {len(names) or len(objects)} things are in no way that was seen.",
        "C": "Nothing that comes to mind works."
        if not steps
        else f"{len(near_misses)} wrong ideas fail only narrowly.",
        "B": f"{len(objects)} things of different trades lie about.",
        "T": "A deadline is stated." if timed else "No deadline is stated.",
        "X": f"{len(failing)} ideas that come to mind fail, {len(near_misses)} of them narrowly.",
    }
    return Profile(**scores), reasons


def _score_time_pressure(solver_result: SolverResult, failing: list[PlanOutcome]) -> int:
    """Score time pressure: low if the plan found leaves much time, high if ideas fail by time alone."""
    late = sum(each.end == "late" for each in failing)
    if late:
        return score_time_pressure_of_late_approaches(late, len(failing))
    analysis = solver_result.report.analysis if solver_result.report is not None else None
    outcomes = (
        solver_result.report.verdict.ways
        if solver_result.report is not None and solver_result.report.verdict is not None
        else ()
    )
    left = (
        max((analysis.executor.run_plan(way.plan).time_margin or 0.0 for way in outcomes), default=0.0)
        if analysis is not None
        else 0.0
    )
    return 2 if left > AMPLE_TIME else 3


def _build_epistemological_analysis(
    status: Status, fields: dict[str, Any], plan_count: int
) -> EpistemologicalAnalysis:
    scenario = fields["scenario"]
    things = len(scenario["objects"])
    level: Level = "HIGH" if status in {"MT", "PX", "OF"} else "MEDIUM" if status in {"CT", "DG"} else "LOW"
    deep = {
        "KS": "whether things are seen by their properties and not by their names, and whether a tempting plan is calculated before it is begun",
        "CT": "whether a solver notices that the answer turns on something nobody has settled, and says so",
        "OF": "whether a solver knows where knowledge ends, and what an answer would have to show",
        "PX": "whether a solver can stop looking for a way and argue that there is none",
        "MT": "whether a solver questions what the text only suggests",
        "DG": "whether a solver can let the story go and do the plain thing",
    }[status]
    several, single = (
        "several ways lead there, so that one of them may be luck",
        "it says little of situations whose figures must first be found",
    )
    limit = several if plan_count > 1 else single
    return EpistemologicalAnalysis(
        surface_test=f"getting by with {things} things and what the place offers",
        deep_test=f"At bottom it tests {deep}.",
        metacognitive_demand=level,
        transferability=f"Success here predicts success where things must be judged by figures that are given; {limit}.",
    )
