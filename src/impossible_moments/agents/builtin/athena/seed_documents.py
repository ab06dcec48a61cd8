"""The seed document of phase 1, written from a draft."""

from __future__ import annotations

from collections.abc import Iterator

from impossible_moments.agents.builtin.athena.claims.physical_claims import derive_physical_claims
from impossible_moments.agents.builtin.athena.declared_design import DeclaredDesign
from impossible_moments.agents.builtin.athena.design_facts import derive_confidence
from impossible_moments.agents.builtin.athena.distractor_strength import label_distractor, measure_strength
from impossible_moments.agents.builtin.athena.scenario_draws import ProposedDraw
from impossible_moments.agents.builtin.athena.scenario_texts import build_scenario_narrative
from impossible_moments.agents.builtin.athena.step_descriptions import describe_call_as_sentence
from impossible_moments.blueprints import ScenarioDraft
from impossible_moments.domain.seed import (
    ConceptSummary,
    Distractor,
    ImpossibilityMirage,
    Insight,
    SeedDocument,
    SketchStep,
    SolutionSketch,
    WrongAnswer,
)
from impossible_moments.domain.vocabulary import parse_main_status
from impossible_moments.mechanics.records import QuantityKind, parse_line

JUDGED_STATUSES = frozenset({"CT", "OF", "PX", "MT", "DG"})
"""Statuses whose answers are judged by criteria as well as by a plan."""
SKETCHED_STATUSES = frozenset({"KS", "CT", "MT", "DG"})
MOST_ASSUMPTIONS = 3


def build_seed_document(proposal: ProposedDraw) -> SeedDocument:
    """Build the complete seed document of a proposed draw. Nothing in it was validated."""
    draft = proposal.draft
    notes, record, say = draft.instance.notes, draft.instance.record, draft.render_template
    declared = DeclaredDesign(draft.design)
    return SeedDocument(
        concept_summary=ConceptSummary(
            concept=_describe_concept(draft),
            category=record["category"],
            difficulty_tier=proposal.tier,
            why_it_matters=say(notes.why_it_matters or ""),
        ),
        impossibility_mirage=ImpossibilityMirage(
            looks_impossible=say(notes.looks_impossible or ""), excluded_by_model=say(notes.excluded or "")
        ),
        insight_chain=tuple(_build_insights(draft)),
        solution_sketch=_build_solution_sketch(draft, declared, len(proposal.revision_notes)),
        distractor_inventory=tuple(_build_distractors(draft, declared)),
        scenario=build_scenario_narrative(draft, declared),
        open_questions=tuple(_list_open_questions(proposal, declared)),
        candidates=proposal.candidates,
        mechanics=record,
        wrong_answers=tuple(
            WrongAnswer(answer=say(note.answer), why_wrong=say(note.why), approach=name)
            for name, note in notes.wrong.items()
            if name in declared.traps
        ),
        correct_outcome=say(notes.correct_outcome or "").rstrip("."),
        category_match=say(notes.category_match or ""),
        revision_notes=proposal.revision_notes,
        drawn_as=proposal.drawn_as,
    )


def _build_insights(draft: ScenarioDraft) -> Iterator[Insight]:
    for line, fact in zip(draft.design.record.insights, draft.insights, strict=True):
        yield Insight(
            text=parse_line(line, example="", evidence=False).body,
            fixedness_type=fact.type,
            depends_on=fact.needs,
            domain=fact.domain,
        )


def list_distractor_names(draft: ScenarioDraft, declared: DeclaredDesign) -> tuple[str, ...]:
    """Return the distractors of a design: things that no stated solution needs, and what the notes name.

    If nothing solves the scenario, nothing is needed, and the notes name the distractors. If every thing is
    needed, the wrong answers are the distractors.
    """
    notes, unneeded = draft.instance.notes, declared.find_unneeded_things()
    named = [name for name in notes.distractors if name in unneeded or name in declared.traps]
    described = [name for name in unneeded if name in notes.distractors or name in notes.wrong]
    found = dict.fromkeys((*described, *named) if declared.answering else named)
    return tuple(found or dict.fromkeys(name for name in declared.traps if name in notes.wrong))


def _build_distractors(draft: ScenarioDraft, declared: DeclaredDesign) -> Iterator[Distractor]:
    notes = draft.instance.notes
    reasons = {approach.name: approach.why for approach in draft.design.record.approaches}
    for name in list_distractor_names(draft, declared):
        if name in notes.distractors:
            note = notes.distractors[name]
            texts = (note.use, note.tempts, note.fails)
        else:  # a wrong idea, which is tempting for the reason that its approach states
            texts = (
                notes.wrong[name].answer,
                _capitalize_and_end_with_period(reasons[name]),
                notes.wrong[name].why,
            )
        use, temptation, fails = map(draft.render_template, texts)
        yield Distractor(
            name=label_distractor(name, draft),
            canonical_affordance=use,
            why_it_misleads=temptation,
            why_irrelevant=fails,
            strength=measure_strength(declared, name),
        )


def _describe_concept(draft: ScenarioDraft) -> str:
    """Return the idea of the blueprint and the setting in which this scenario carries it out."""
    place = draft.instance.offer.skin.place.rstrip(".")
    concept = draft.render_template(draft.instance.notes.concept or "").rstrip()
    return f"{concept} Here: {place}." if concept and place else concept


def _capitalize_and_end_with_period(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _build_solution_sketch(draft: ScenarioDraft, declared: DeclaredDesign, revisions: int) -> SolutionSketch:
    notes, say = draft.instance.notes, draft.render_template
    status = parse_main_status(declared.status)
    wrong_answers = {name: say(note.answer) for name, note in notes.wrong.items()}
    words = {name: say(phrase) for name, phrase in notes.words.items()}
    return SolutionSketch(
        steps=tuple(_build_sketch_steps(draft, declared)) if status in SKETCHED_STATUSES else (),
        claims=derive_physical_claims(declared, words, wrong_answers),
        impossibility_proof=say(notes.proof or "") if status == "PX" else "",
        evaluation_criteria=tuple(map(say, notes.criteria)) if status in JUDGED_STATUSES else (),
        confidence=derive_confidence(declared, revisions)[0],
    )


def _build_sketch_steps(draft: ScenarioDraft, declared: DeclaredDesign) -> Iterator[SketchStep]:
    """Yield the stated calls of each answering approach with their stated times.

    What goes on by itself while other steps are done takes no time of the person who acts.
    """
    for name in declared.answering:
        for step in declared.list_steps(name):
            yield SketchStep(
                action=describe_call_as_sentence(step.move, declared.world, draft.instance.notes.steps),
                seconds=0.0 if step.move.unattended else step.seconds,
                call=step.move.text,
            )


def _list_open_questions(proposal: ProposedDraw, declared: DeclaredDesign) -> Iterator[str]:
    """Yield the questions of the blueprint, its assumptions, and what the design does not keep."""
    yield from map(proposal.draft.render_template, proposal.draft.instance.notes.open_questions)
    read = dict.fromkeys(
        path
        for name in declared.answering[:1]
        for move in declared.plans[name]
        for path in sorted(declared.collect_read_quantities(move))
    )
    assumed = [path for path in read if declared.world.quantities[path].kind is QuantityKind.ASSUMED]
    for name in assumed[:MOST_ASSUMPTIONS]:
        yield f"Does the plan still work over the whole range of `{name}`, which is assumed?"
    for constraint in proposal.unmet_constraints:
        yield f"The brief asks for this, and the design does not keep it: {constraint}"
    yield from proposal.unmet_demands
