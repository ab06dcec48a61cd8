"""Review of a drawn scenario as readers see it: its text, its key and the everyday ideas that it leaves open."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from impossible_moments.blueprints.catalogue import Catalogue, Offer
from impossible_moments.blueprints.drawn_scenarios import DrawnScenario
from impossible_moments.blueprints.instances import draw_instance
from impossible_moments.blueprints.scenario_drafts import UnreadableDraft, read_draft
from impossible_moments.errors import ConfigurationError
from impossible_moments.library import CHECKED_STATUSES, IdeaCase, check_everyday_ideas
from impossible_moments.mechanics.checks import (
    CheckReport,
    check_claimed_orders,
    list_record_key_texts,
    list_things_used_by_plans,
    read_public_text,
    report_free_orders,
)
from impossible_moments.mechanics.content import (
    KeyText,
    PublicText,
    check_distractors,
    check_key_figures,
    check_key_words,
    check_proof,
    check_sibling_names,
    find_names,
)
from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.language import UnitError
from impossible_moments.mechanics.prose import PlaceholderError
from impossible_moments.mechanics.records import Library, Paradox, Record


@dataclass(frozen=True)
class SiblingWords:
    """The words and names of the other settings of a family."""

    stems: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()


NO_SIBLINGS = SiblingWords()


def review_content(
    scenario: DrawnScenario,
    report: CheckReport,
    distractors: Iterable[str],
    siblings: SiblingWords = NO_SIBLINGS,
) -> Findings:
    """Return what a reader would notice in the key of a drawn scenario, and the everyday ideas it leaves open.

    `distractors` are the names of the published ones.
    """
    findings = Findings()
    record, requirements = scenario.get_record(), scenario.get_requirements()
    text = None if record is None or requirements is None else read_public_text(record, requirements)
    if record is None or requirements is None or text is None:
        return findings
    text = _add_looks(text, scenario)
    key = list_key_texts(scenario)
    insights = [part for part in list_record_key_texts(record) if part.where.startswith("/insights")]
    check_key_words(key, text, findings, sibling_words=siblings.stems)
    check_key_words(insights, text, findings, sibling_words=siblings.stems, only_leftovers=True)
    check_sibling_names(text, siblings.names, findings)
    check_key_figures((*key, *insights), text, requirements, _list_answers(record), findings)
    _check_proof(scenario, record, text, findings)
    _check_distractors(scenario, report, distractors, findings)
    if report.analysis is not None and report.verdict is not None:
        check_claimed_orders(report.analysis, report.verdict, key, findings)
        report_free_orders(report.analysis, report.verdict, key, findings)
    if scenario.instance.offer.claim in CHECKED_STATUSES:
        check_everyday_ideas(_build_idea_case(scenario, text, key), findings)
    return findings


def list_key_texts(scenario: DrawnScenario) -> tuple[KeyText, ...]:
    """Return the texts of the notes that only the key has, with their values filled in."""
    notes = scenario.instance.notes
    templates = {
        "/telling/correct_outcome": notes.correct_outcome,
        "/telling/proof": notes.proof,
        **{f"/telling/criteria/{number}": text for number, text in enumerate(notes.criteria)},
        **{f"/telling/wrong/{name}/answer": note.answer for name, note in notes.wrong.items()},
        **{f"/telling/wrong/{name}/why": note.why for name, note in notes.wrong.items()},
        **{f"/telling/distractors/{name}/tempts": note.tempts for name, note in notes.distractors.items()},
        **{f"/telling/distractors/{name}/fails": note.fails for name, note in notes.distractors.items()},
    }
    return tuple(
        KeyText(where, text)
        for where, template in templates.items()
        if template and (text := _render(scenario, template))
    )


def collect_sibling_words(offer: Offer, catalogue: Catalogue, library: Library) -> SiblingWords:
    """Return the words and names of the public texts of the other skins of a family that the skin itself lacks."""
    own: set[str] = set()
    other: set[str] = set()
    own_names: set[str] = set()
    other_names: set[str] = set()
    for skin in catalogue.skins.get(offer.blueprint.name, ()):
        is_own = skin.name == offer.skin.name
        for variant in skin.variants:
            text = _draw_public_text(Offer(offer.blueprint, skin, variant), library)
            if text is not None:
                (own if is_own else other).update(text.stems)
                (own_names if is_own else other_names).update(find_names(text.whole))
    return SiblingWords(frozenset(other - own), frozenset(other_names - own_names))


def _draw_public_text(offer: Offer, library: Library) -> PublicText | None:
    try:
        draft = read_draft(draw_instance(offer, library, 0, 0), library)
    except (ConfigurationError, UnreadableDraft):
        return None  # the check of that skin reports it
    return read_public_text(draft.get_record(), draft.get_requirements())


def _add_looks(text: PublicText, scenario: DrawnScenario) -> PublicText:
    """Return the text with the public note on why the situation looks impossible, and the materials."""
    notes = scenario.instance.notes
    further = (_render(scenario, notes.looks_impossible or ""), *notes.materials.values())
    return PublicText(text.narrative, text.threat, text.position, text.rows, (*text.further, *further))


def _list_answers(record: Record) -> str:
    """Return the plans and the puzzle answers of a record as one text."""
    answers = [str(getattr(puzzle, "answer", "")) for puzzle in record.puzzles]
    return " ".join((*(call for each in record.approaches for call in each.plan), *answers))


def _check_proof(scenario: DrawnScenario, record: Record, text: PublicText, findings: Findings) -> None:
    if (
        isinstance(record.status, Paradox) and scenario.instance.notes.proof
    ):  # its absence is reported as missing
        bookkeeping = record.wording.bookkeeping if record.wording is not None else []
        proof = KeyText("/telling/proof", _render(scenario, scenario.instance.notes.proof or ""))
        check_proof(proof, text, record.status.conflict, bookkeeping, findings)


def _check_distractors(
    scenario: DrawnScenario, report: CheckReport, distractors: Iterable[str], findings: Findings
) -> None:
    analysis, verdict = report.analysis, report.verdict
    if analysis is not None and verdict is not None and (verdict.ways or verdict.outside):
        labels = {
            name: analysis.world.things[name].label if name in analysis.world.things else ""
            for name in distractors
        }
        outcome = _render(scenario, scenario.instance.notes.correct_outcome or "")
        check_distractors(labels, list_things_used_by_plans(analysis, verdict), outcome, findings)


def _build_idea_case(scenario: DrawnScenario, text: PublicText, key: tuple[KeyText, ...]) -> IdeaCase:
    record, notes = scenario.get_record(), scenario.instance.notes
    assert record is not None, "checked by the caller"
    attempts = tuple(part.text for part in key if part.where.endswith(("/answer", "/tempts")))
    return IdeaCase(
        record,
        text,
        attempts,
        {name: _render(scenario, quote) for name, quote in notes.closed_ideas.items()},
        dict(notes.modelled_ideas),
        dict(notes.inapplicable_ideas),
        frozenset(notes.distractors),
    )


def _render(scenario: DrawnScenario, template: str) -> str:
    try:
        return scenario.render_template(template)
    except (PlaceholderError, UnitError):
        return ""  # the check of the notes reports it
