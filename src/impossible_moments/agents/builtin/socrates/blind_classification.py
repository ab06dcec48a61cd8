"""The blind classification report: the status that a first reader infers, with the passages it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.builtin.quantity_wording import format_count
from impossible_moments.agents.builtin.socrates.blind_difficulty import score_blind_profile
from impossible_moments.agents.builtin.socrates.blind_reading import BlindReading
from impossible_moments.agents.builtin.socrates.epistemology import analyse_epistemology
from impossible_moments.agents.builtin.socrates.ethical_review import review_ethics
from impossible_moments.domain.classification import ClassificationReport, EthicalReview, Rejected
from impossible_moments.domain.difficulty_tiers import choose_difficulty_tier
from impossible_moments.domain.vocabulary import (
    IMPOSSIBILITY_TYPES,
    STATUSES,
    DifficultyDimension,
    ImpossibilityType,
    Status,
)

# fmt: off
STATUS_MEANINGS: Final[dict[Status, str]] = {
    "KS": "a solution exists, and at least one plausible approach can be named",
    "CT": "several approaches are possible, and which of them is valid is uncertain",
    "OF": "no plausible approach can be named, and no proof of impossibility either",
    "PX": "an argument can be given that no solution exists: the constraints exclude each other",
    "MT": "as stated it is unsolvable, and something in the statement is an assumption that can be challenged",
    "DG": "it looks complex, and the answer is trivially simple",
}
_TYPE_MEANINGS: Final[dict[ImpossibilityType, str]] = {
    "I": "the impossibility is one of appearance",
    "II": "a way may exist in theory, and the text does not settle whether it can be carried out",
    "III": "the stated constraints exclude each other",
}
_WEIGHTS: Final = {"type": 0.4, "status": 0.2, "coverage": 0.2, "ethics": 0.2}
"""What each part of the report weighs in the confidence in the whole report."""
_ETHICS_CERTAINTY: Final = {"PASS": 0.95, "PASS-WITH-NOTES": 0.85, "FAIL": 0.75}
"""A passage that is quoted may have been misread."""
# fmt: on
_HIGHEST: Final = 0.95


def build_classification_report(reading: BlindReading) -> ClassificationReport:
    """Build the blind classification report from a reading."""
    facts, status = reading.facts, reading.status
    profile, reasons = score_blind_profile(reading)
    kind = IMPOSSIBILITY_TYPES[status]
    ethics = review_ethics((*facts.sentences, facts.threat, facts.position, *facts.rows))
    return ClassificationReport(
        status=status,
        justification=" ".join(_write_justification(reading)),
        alternatives=tuple(_list_rejected_statuses(reading)),
        approaches_seen=tuple(str(each) for each in reading.approaches),
        premise_named=reading.belief if status == "MT" else "",
        blind_confidence=round(min(reading.probabilities[status], _HIGHEST), 2),
        impossibility_type=kind,
        type_justification=_justify_type(reading, kind),
        ethics=ethics,
        epistemology=analyse_epistemology(reading),
        profile=profile,
        preliminary_tier=choose_difficulty_tier(profile.scores, status)[0],
        rationale={dimension.value: reasons[dimension.name] for dimension in DifficultyDimension},
        confidence=compute_report_confidence(reading, ethics),
    )


def describe_remaining_doubt(reading: BlindReading) -> str:
    """Return what a second reading leaves open between the two most probable statuses, and what would settle it."""
    status, rival = reading.ranking[:2]
    unknown = ", ".join(reading.unknown_things)
    settles = (
        f"a stated figure or use of {unknown}"
        if unknown
        else f"a stated fact that separates {status} from {rival}: {STATUS_MEANINGS[rival]}"
    )
    return (
        f"Read again, the same {len(reading.signs)} passages decide, and I keep {status} with "
        f"{reading.probabilities[status]:.0%} against {rival} with {reading.probabilities[rival]:.0%}. "
        f"What would settle it is {settles}."
    )


def compute_report_confidence(reading: BlindReading, ethics: EthicalReview) -> float:
    """Return the confidence in the whole report.

    It joins the probability of the type of impossibility and of the status, the share of the named things that
    were understood, and the certainty of the ethical review.
    """
    parts = {
        "type": _compute_type_probability(reading),
        "status": reading.probabilities[reading.status],
        "coverage": reading.coverage,
        "ethics": _ETHICS_CERTAINTY[ethics.status],
    }
    return round(min(sum(_WEIGHTS[name] * value for name, value in parts.items()), _HIGHEST), 2)


def _compute_type_probability(reading: BlindReading) -> float:
    kind = IMPOSSIBILITY_TYPES[reading.status]
    return sum(
        share for status, share in reading.probabilities.items() if IMPOSSIBILITY_TYPES[status] == kind
    )


def _write_justification(reading: BlindReading) -> Iterator[str]:
    """Yield the sentences of the justification, each with a fact of the text."""
    facts, status = reading.facts, reading.status
    names = ", ".join(thing.head for thing in facts.things) or "nothing by name"
    yield f"The text states the threat “{facts.threat}” and the position “{facts.position}”, and names {names}."
    if facts.conditions:
        stated = "; ".join(f"{each.passage}" for each in facts.conditions[:3])
        yield f"Of its {len(facts.conditions)} stated conditions the first are: {stated}."
    yield from _describe_comparisons(reading)
    open_approaches = [each for each in reading.approaches if not each.against]
    if open_approaches:
        yield f"Nothing stated speaks against this: {open_approaches[0].description}."
    else:
        yield "Against each of the approaches that come to mind first something is stated."
    for noticed in reading.signs:
        yield f"In “{noticed.passage}” {noticed.sign.meaning}."
    if reading.belief:
        yield f"“{reading.belief}” restricts what may be done, and no authority or sanction stands behind it."
    runner_up = reading.ranking[1]
    yield (
        f"Taken together this reads as {status}: {STATUS_MEANINGS[status]}. I give it {reading.probabilities[status]:.0%}, "
        f"and {runner_up} {reading.probabilities[runner_up]:.0%}; I know neither the title nor what the author intended, "
        f"and of {len(reading.options)} named things I understood {reading.coverage:.0%} beyond their names. "
        "The classes that I reject follow with what speaks against each in the text itself; if one of the quoted passages was misread, the class may change with it."
    )


def _describe_comparisons(reading: BlindReading) -> Iterator[str]:
    conflicts, holding = reading.conflicts, [each for each in reading.comparisons if each.holds]
    if conflicts:
        yield f"Figures conflict: {'; '.join(str(each) for each in conflicts[:3])}."
    if holding:
        yield f"Figures agree: {'; '.join(str(each) for each in holding[:2])}."
    if reading.limits_without_figure:
        passages = "; ".join(f"“{each}”" for each in reading.limits_without_figure[:3])
        yield f"A limit is stated without a figure that could be compared: {passages}."
    if not reading.comparisons:
        yield "No figure of a thing could be compared with a stated need, so that the figures alone decide nothing."


def _justify_type(reading: BlindReading, kind: ImpossibilityType) -> str:
    probability = _compute_type_probability(reading)
    evidence = f"{len(reading.conflicts)} stated figures end against an approach and {sum(not each.against for each in reading.approaches)} approaches stay open"
    return f"Type {kind}, {probability:.0%}: {_TYPE_MEANINGS[kind]}; {evidence}."


def _list_rejected_statuses(reading: BlindReading) -> Iterator[Rejected]:
    for other in STATUSES:
        if other != reading.status:
            yield Rejected(
                status=other,
                reason=f"{_explain_rejection(other, reading)} ({reading.probabilities[other]:.0%}).",
            )


def _explain_rejection(status: Status, reading: BlindReading) -> str:
    noticed = {each.sign.name: each.passage for each in reading.signs}
    open_count = sum(not each.against for each in reading.approaches)
    match status:
        case "KS":
            return f"Only {open_count} of {format_count(len(reading.approaches), 'approach')} stay open, and the passages quoted above weigh more"
        case "CT":
            found = noticed.get("stated dispute")
            return (
                f"“{found}” may be colour and not the crux"
                if found
                else "No figure or finding is reported as disputed"
            )
        case "OF":
            found = noticed.get("asks for a specification") or noticed.get("limit of what is known")
            return (
                f"“{found}” alone does not make it a frontier"
                if found
                else "Nothing marks the limit of what is known, and it asks for an act and not for a specification"
            )
        case "PX":
            closed = noticed.get("closed rule") or noticed.get("insistence that a way must exist")
            if closed:
                return f"“{closed}” closes a way, and not every way"
            return f"{format_count(len(reading.conflicts), 'conflicting figure')} exclude some things and leave {format_count(open_count, 'approach')} open"
        case "MT":
            return (
                f"“{reading.belief}” does not stand in the way of every approach"
                if reading.belief
                else "What restricts the solver is imposed by a figure, an authority or the place, and not only by a belief"
            )
        case "DG":
            plain = [option.thing.head for option in reading.plain_options]
            return (
                f"{plain[0]} is plain, and more than that has to be met"
                if plain
                else "No single named thing meets the need at once with much to spare"
            )
