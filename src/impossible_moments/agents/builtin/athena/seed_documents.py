"""The seed document of phase 1, built from an accepted draw."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from impossible_moments.agents.builtin.athena.physical_claims import derive_physical_claims
from impossible_moments.agents.builtin.athena.scenario_draws import AcceptedDraw
from impossible_moments.agents.builtin.athena.step_descriptions import describe_call_as_sentence
from impossible_moments.blueprints import InstanceTrial, Offer, find_failing_approaches
from impossible_moments.domain.seed import (
    CapabilityRow,
    ConceptSummary,
    Distractor,
    EnvironmentRow,
    ImpossibilityMirage,
    Insight,
    ObjectRow,
    PhysicalClaim,
    ScenarioNarrative,
    SeedDocument,
    SketchStep,
    SolutionSketch,
    WrongAnswer,
)
from impossible_moments.domain.vocabulary import parse_main_status
from impossible_moments.mechanics.checks import StatusVerdict, WorldAnalysis, find_numbers_behind_plan
from impossible_moments.mechanics.execution import PlanOutcome
from impossible_moments.mechanics.records import parse_line

NONE_STATED: Final = "none stated"
AS_NARRATED: Final = "as told above"
JUDGED_STATUSES: Final = frozenset({"CT", "OF", "PX", "MT", "DG"})
"""Statuses whose answers are judged by criteria as well as by a plan."""
LOWEST_CONFIDENCE: Final = 0.55
"""The confidence in a design without any margin. The tightest margin is added to it."""
HIGHEST_CONFIDENCE: Final = 0.95


def build_seed_document(draw: AcceptedDraw) -> SeedDocument:
    """Build the complete seed document of an accepted draw."""
    trial = draw.trial
    notes, record = trial.instance.notes, trial.instance.record
    analysis, verdict = trial.report.analysis, trial.report.verdict
    assert analysis is not None, "accepted draws were analysed"
    assert verdict is not None, "accepted draws have a verdict"
    assert trial.tier is not None, "accepted draws have a tier"
    status = parse_main_status(trial.status)
    return SeedDocument(
        concept_summary=ConceptSummary(
            concept=trial.render_template(notes.concept or ""),
            category=record["category"],
            difficulty_tier=trial.tier,
            why_it_matters=trial.render_template(notes.why_it_matters or ""),
        ),
        impossibility_mirage=ImpossibilityMirage(
            looks_impossible=trial.render_template(notes.looks_impossible or ""),
            excluded_by_model=trial.render_template(notes.excluded or ""),
        ),
        insight_chain=tuple(_build_insights(trial)),
        solution_sketch=_build_solution_sketch(trial, analysis, verdict, status),
        distractor_inventory=tuple(_build_distractors(trial)),
        scenario=_build_scenario_narrative(trial),
        open_questions=tuple(_list_open_questions(draw, analysis, verdict)),
        candidates=tuple(map(_describe_candidate, draw.candidates)),
        mechanics=record,
        wrong_answers=tuple(
            WrongAnswer(answer=trial.render_template(note.answer), why_wrong=trial.render_template(note.why))
            for name, note in notes.wrong.items()
            if name in analysis.outcomes and not analysis.outcomes[name].reaches_goal
        ),
        correct_outcome=trial.render_template(notes.correct_outcome or "").rstrip("."),
        category_match=trial.render_template(notes.category_match or ""),
    )


def _describe_candidate(offer: Offer) -> str:
    """Describe a candidate situation in one sentence."""
    place = offer.skin.place.rstrip(".")
    return f"{place[:1].upper()}{place[1:]}: {offer.blueprint.idea}"


def _build_insights(trial: InstanceTrial) -> Iterator[Insight]:
    record = trial.report.record
    for line, fact in zip(record.insights if record is not None else (), trial.insights, strict=True):
        yield Insight(
            text=parse_line(line, example="", evidence=False).body,
            fixedness_type=fact.type,
            depends_on=fact.needs,
            domain=fact.domain,
        )


def _build_distractors(trial: InstanceTrial) -> Iterator[Distractor]:
    analysis, notes = trial.report.analysis, trial.instance.notes
    assert analysis is not None, "accepted draws were analysed"
    reasons = {approach.name: approach.why for approach in analysis.world.record.approaches}
    for name, strength in trial.distractors.items():
        label = _label_distractor(name, trial, analysis)
        if name in notes.distractors:
            note = notes.distractors[name]
            texts = (note.use, note.tempts, note.fails)
        else:  # a wrong idea, which is tempting for the reason that its approach states
            texts = (
                notes.wrong[name].answer,
                _capitalize_and_end_with_period(reasons[name]),
                notes.wrong[name].why,
            )
        use, temptation, fails = map(trial.render_template, texts)
        yield Distractor(
            name=label,
            canonical_affordance=use,
            why_it_misleads=temptation,
            why_irrelevant=fails,
            strength=strength,
        )


def _label_distractor(name: str, trial: InstanceTrial, analysis: WorldAnalysis) -> str:
    """Return the label of a thing, or for a wrong idea the answer to which it leads."""
    if name in analysis.world.things:
        return analysis.world.things[name].label
    wrong_answer = trial.instance.notes.wrong.get(name)
    return (
        trial.render_template(wrong_answer.answer).rstrip(".")
        if wrong_answer is not None
        else name.replace("_", " ")
    )


def _capitalize_and_end_with_period(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _build_solution_sketch(
    trial: InstanceTrial, analysis: WorldAnalysis, verdict: StatusVerdict, status: str
) -> SolutionSketch:
    notes = trial.instance.notes
    outcomes = _select_outcomes_of_answering_approaches(trial, analysis, status)
    is_solved = status in {"KS", "CT", "MT", "DG"}
    return SolutionSketch(
        steps=tuple(_build_sketch_steps(trial, analysis, verdict, outcomes)) if is_solved else (),
        claims=derive_physical_claims(analysis, outcomes, find_failing_approaches(analysis), notes.words)
        or (_build_general_claim(status),),
        impossibility_proof=trial.render_template(notes.proof or "") if status == "PX" else "",
        evaluation_criteria=tuple(map(trial.render_template, notes.criteria))
        if status in JUDGED_STATUSES
        else (),
        confidence=_estimate_sketch_confidence(outcomes, status),
    )


def _select_outcomes_of_answering_approaches(
    trial: InstanceTrial, analysis: WorldAnalysis, status: str
) -> dict[str, PlanOutcome]:
    """Return the outcomes of the approaches that answer the scenario, or of all approaches if none does."""
    block = trial.instance.record["status"]
    found: dict[str, list[Any]] = {
        "KS": [block.get("ways")],
        "CT": [block.get("at_low"), block.get("at_high")],
        "MT": [block.get("outside")],
        "DG": [block.get("plan")],
    }
    # a status block names one approach or a list of them
    names = [
        name
        for each in found.get(status, [list(analysis.outcomes)])
        for name in (each if isinstance(each, list) else [each])
    ]
    return {name: analysis.outcomes[name] for name in names if name in analysis.outcomes}


def _build_sketch_steps(
    trial: InstanceTrial, analysis: WorldAnalysis, verdict: StatusVerdict, outcomes: dict[str, PlanOutcome]
) -> Iterator[SketchStep]:
    """Yield the calls of each plan with their times.

    A contested plan is run at the end of the range it suits.
    """
    wordings = trial.instance.notes.steps
    for name, outcome in outcomes.items():
        run = _run_plan_at_its_end_of_disputed_range(analysis, verdict, trial, name, outcome)
        seconds = {step.call: step.took for step in run.steps}
        for move in analysis.plans[name]:
            yield SketchStep(
                action=describe_call_as_sentence(move, analysis.world, wordings),
                seconds=seconds.get(move.text),
                call=move.text,
            )


def _run_plan_at_its_end_of_disputed_range(
    analysis: WorldAnalysis, verdict: StatusVerdict, trial: InstanceTrial, name: str, outcome: PlanOutcome
) -> PlanOutcome:
    if verdict.crux is None:
        return outcome
    quantity, block = analysis.world.quantities[verdict.crux.quantity], trial.instance.record["status"]
    value = quantity.low if name == block.get("at_low") else quantity.high
    changes = {} if value is None else {quantity.name: value}
    return analysis.executor.run_plan(analysis.plans[name], changes=changes)


def _build_general_claim(status: str) -> PhysicalClaim:
    """Build the claim of a scenario that does not rest on a single comparison of numbers."""
    text = {
        "PX": "The stated rules exclude each other, and no approach escapes them.",
        "CT": "Which plan is the better one turns on a value that is disputed.",
        "OF": "What the criteria demand lies beyond what has been shown, and no law forbids it.",
    }.get(status, "The clues and rules that the text states leave this answer and no other.")
    return PhysicalClaim(claim_id="C1", text=text)


def _estimate_sketch_confidence(outcomes: dict[str, PlanOutcome], status: str) -> float:
    """Estimate the confidence in the sketch from the tightest margin of its plans."""
    if status in {"OF", "CT"}:
        return LOWEST_CONFIDENCE
    margins = [outcome.least_margin for outcome in outcomes.values() if outcome.reaches_goal]
    tightest = min((margin for margin in margins if margin is not None), default=0.5)
    return round(min(LOWEST_CONFIDENCE + max(tightest, 0.0), HIGHEST_CONFIDENCE), 2)


def _build_scenario_narrative(trial: InstanceTrial) -> ScenarioNarrative:
    prose, tables, say = trial.prose, trial.tables, trial.render_template
    return ScenarioNarrative(
        name=trial.instance.record["title"],
        narrative=prose["narrative"],
        environment=tuple(
            EnvironmentRow(feature=_format_row_heading(say(feature)), specification=say(text))
            for feature, text in tables.environment
        )
        or (EnvironmentRow(feature="Place", specification=AS_NARRATED),),
        threat=prose["threat"],
        position=prose["position"],
        objects=tuple(
            ObjectRow(
                name=say(row.label),
                mass=say(row.mass) or NONE_STATED,
                dimensions=say(row.size) or NONE_STATED,
                material=row.material or NONE_STATED,
                notes=say(row.notes) or AS_NARRATED,
            )
            for row in tables.objects
        ),
        capabilities=tuple(
            CapabilityRow(parameter=say(parameter), value=say(value))
            for parameter, value in tables.capabilities
        )
        or (CapabilityRow(parameter="Body", value="an ordinary adult"),),
    )


def _format_row_heading(label: str) -> str:
    """Format a label as a row heading: without article, capitalized."""
    for article in ("The ", "A ", "An "):
        label = label.removeprefix(article)
    return label[:1].upper() + label[1:]


def _list_open_questions(
    draw: AcceptedDraw, analysis: WorldAnalysis, verdict: StatusVerdict
) -> Iterator[str]:
    """Yield open questions: those of the blueprint, its assumptions, and constraints it does not satisfy."""
    trial = draw.trial
    yield from map(trial.render_template, trial.instance.notes.open_questions)
    for name in _find_assumed_quantities(analysis, verdict):
        yield f"Does the plan still work over the whole range of `{name}`, which is assumed?"
    for constraint in draw.unmet_constraints:
        yield f"The brief asks for this, and the design does not keep it: {constraint}"


def _find_assumed_quantities(analysis: WorldAnalysis, verdict: StatusVerdict) -> list[str]:
    dependencies = [
        name for way in verdict.ways[:1] for name in find_numbers_behind_plan(analysis.executor, way.plan)
    ]
    return [name for name in dependencies if analysis.world.quantities[name].kind == "assumed"][:3]
