"""Offers of composed scenarios: a structure with figures as a blueprint, a skin and a variant without open draws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from impossible_moments.blueprints import BlueprintForm, BlueprintVariant, Data, Offer, SkinForm
from impossible_moments.composition.answer_wording import build_wording, describe_condition
from impossible_moments.composition.public_texts import (
    NO_EXCEPTIONS,
    ONE_AT_A_TIME,
    ONE_PAIR_OF_HANDS,
    build_environment,
    build_narrative,
    build_thing_notes,
)
from impossible_moments.composition.record_parts import RULE, build_world_sections, format_call
from impossible_moments.composition.structures import CLOCK, Figures, PlaceStructure
from impossible_moments.composition.wrong_plans import WrongPlan
from impossible_moments.domain.vocabulary import Category

THE_WAY: Final = "the_way"
SOLVABLE: Final = "solvable"
CLOSED: Final = "closed"
MOST_INSIGHTS: Final = 6
LONGEST_ANSWER: Final = 500
"""Characters from which a wrong answer names only its first steps and its last."""
SHOWN_STEPS: Final = 6


def build_offer(
    structure: PlaceStructure,
    figures: Figures,
    *,
    way: Sequence[int] = (),
    wrong: Sequence[WrongPlan] = (),
    conflict: Sequence[str] = (),
    category: Category | None = None,
) -> Offer:
    """Return the offer of a composed scenario. Without a way it is claimed to be impossible."""
    place = structure.place
    category = category or place.categories[0]
    variant = SOLVABLE if way else CLOSED
    blueprint = BlueprintForm(
        format="im-blueprint/1",
        name=place.name,
        category=category,
        idea=place.idea,
        variants={variant: BlueprintVariant()},
    )
    skin = SkinForm(
        blueprint=place.name,
        name=f"level_{structure.level}",
        place=place.place,
        voice="a plain account in the second person",
        threat=place.threat,
        titles=place.titles,
        record=_build_record(structure, figures, way, wrong, conflict),
        telling=_build_notes(structure, way, wrong, category),
        variants={variant: BlueprintVariant()},
    )
    return Offer(blueprint, skin, variant)


def _build_record(
    structure: PlaceStructure,
    figures: Figures,
    way: Sequence[int],
    wrong: Sequence[WrongPlan],
    conflict: Sequence[str],
) -> Data:
    place, jobs = structure.place, structure.jobs
    approaches = [
        {
            "name": each.name,
            "plan": [format_call(jobs[number]) for number in each.order],
            "ends": each.ends,
            "why": each.idea,
        }
        for each in wrong
    ]
    status: Data = {"claim": "PX", "conflict": list(conflict), "chains": [each.name for each in wrong[:2]]}
    if way:
        calls = [format_call(jobs[number]) for number in way]
        why = "every job leaves enough for the later ones"
        approaches.insert(0, {"name": THE_WAY, "plan": calls, "ends": "goal", "why": why})
        status = {"claim": "KS-Singular", "ways": [THE_WAY], "traps": [each.name for each in wrong]}
    record: Data = {
        **build_world_sections(structure, figures),
        "approaches": approaches,
        "insights": [f"{call} = {text}" for call, text, _ in _iterate_insights(structure, way, wrong)],
        "wording": build_wording(structure, figures),
        "status": status,
        "prose": {
            "narrative": build_narrative(structure),
            "threat": place.stakes.replace("{clock}", f"{{{CLOCK}|min}}"),
            "position": place.position,
        },
    }
    if not way:
        record["cover"] = [
            f"{RULE}.meet = @ {ONE_AT_A_TIME}",
            f"{RULE}.except = @ {NO_EXCEPTIONS}",
            f"{RULE}.defy = @ {ONE_PAIR_OF_HANDS}",
        ]
    return record


def _iterate_insights(
    structure: PlaceStructure, way: Sequence[int], wrong: Sequence[WrongPlan]
) -> Iterator[tuple[str, str, Data]]:
    """Yield the insights of jobs that the way makes, or that the wrong plans make if there is no way."""
    numbers = dict.fromkeys(way or [number for each in wrong for number in each.order])
    with_insight = [structure.jobs[number] for number in numbers if structure.jobs[number].form.insight]
    for job in with_insight[:MOST_INSIGHTS]:
        insight = job.form.insight
        assert insight is not None, "selected above"
        yield format_call(job), insight.text, {"type": insight.type, "domain": insight.domain}


def _build_notes(
    structure: PlaceStructure,
    way: Sequence[int],
    wrong: Sequence[WrongPlan],
    category: Category,
) -> Data:
    place = structure.place
    notes: Data = {
        "concept": f"{place.idea} Stocks, by-products and one clock join the parts of the work, and each part can be done in several ways.",
        "why_it_matters": "It measures whether a solver keeps one account over many dependent steps instead of choosing step by step.",
        "looks_impossible": place.looks_impossible,
        "excluded": place.excluded,
        "category_match": place.category_match.get(category, place.idea),
        "correct_outcome": _describe_outcome(structure, way),
        "insights": {call: note for call, _, note in _iterate_insights(structure, way, wrong)},
        "wrong": {each.name: _describe_wrong_plan(structure, each) for each in wrong},
        "distractors": {},
        "notes": build_thing_notes(structure),
        "environment": build_environment(structure),
        "steps": {job.name: f"{_capitalize(job.form.do)}." for job in structure.jobs},
    }
    if not way:
        notes["proof"] = (
            "Every order of jobs was followed until no further job is possible, and none completes the work; "
            + "; ".join(_describe_wrong_plan(structure, each)["why"].rstrip(".") for each in wrong[:2])
            + "."
        )
    return notes


def _describe_outcome(structure: PlaceStructure, way: Sequence[int]) -> str:
    if not way:
        return "No order of the jobs completes the work; each leaves some stock short or some limit passed."
    steps = "; ".join(structure.jobs[number].form.do for number in way)
    return f"The work is completed by these jobs, in an order such as this: {steps}."


def _describe_wrong_plan(structure: PlaceStructure, plan: WrongPlan) -> Data:
    names = [structure.jobs[number].form.do for number in plan.order]
    steps = ", ".join(names)
    if len(steps) > LONGEST_ANSWER:
        steps = f"{', '.join(names[:SHOWN_STEPS])}, and so on as long as it goes, then {names[-1]}"
    last = structure.jobs[plan.order[-1]]
    if plan.ends == "late":
        reason = f"The work is then done only after the {{{CLOCK}|min}} that there are."
    elif plan.ends.startswith("never "):
        stock = next(each for each in structure.stocks if each.rises is not None)
        reason = f"Then {stock.label} reaches {{{stock.name}_most|{stock.unit}}}."
    else:
        name = plan.ends.removeprefix("blocked ").partition(".")[2]
        reason = f"To {last.form.do} at the end, this would have to hold and does not: {describe_condition(structure, last, name)}."
    return {"answer": f"{_capitalize(steps)}.", "why": reason}


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]
