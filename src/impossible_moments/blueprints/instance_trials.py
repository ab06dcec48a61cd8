"""Trials: a drawn instance, checked and measured, that is accepted or refused with reasons."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from impossible_moments.blueprints.catalogue import Offer
from impossible_moments.blueprints.content_review import NO_SIBLINGS, SiblingWords, review_content
from impossible_moments.blueprints.difficulty_measurement import measure_difficulty
from impossible_moments.blueprints.drawn_scenarios import DrawnScenario
from impossible_moments.blueprints.instances import BlueprintInstance, DrawSource, draw_instance
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.difficulty_tiers import choose_difficulty_tier
from impossible_moments.domain.vocabulary import Strength, Tier, parse_main_status
from impossible_moments.mechanics.checks import CheckReport, find_things_unused_by_plans, verify_record
from impossible_moments.mechanics.difficulty import (
    find_failing_approaches,
    list_failing_alternatives,
    measure_distractor_strength,
)
from impossible_moments.mechanics.findings import Finding, Severity
from impossible_moments.mechanics.language import UnitError
from impossible_moments.mechanics.prose import PlaceholderError, ProseRequirements
from impossible_moments.mechanics.records import Library, Record

FEWEST_WORDS: Final = 100
MOST_WORDS: Final = 320
FEWEST_DISTRACTORS: Final = 1
PARAGRAPHS: Final = range(2, 5)
SAME_WORDS: Final = 11
"""Two rules that begin with so many equal words are one rule that was written twice."""
RULES_LISTED: Final = range(3, 15)
FEWEST_RULE_WORDS: Final = 3
MOST_RULE_WORDS: Final = 45
REQUIRED_NOTES: Final = (
    "concept",
    "why_it_matters",
    "looks_impossible",
    "excluded",
    "correct_outcome",
    "category_match",
)
RULE_PUZZLES: Final = frozenset({"The Babel Problem", "The Invisible Wall", "The Memory Palace"})
"""Categories whose things need neither mass nor size."""
READING_AREAS: Final = frozenset({"text", "key", "idea"})
"""First parts of the codes about what readers notice. Warnings of these areas ask for a review and refuse nothing."""
_SENTENCE: Final = re.compile(r"(?<=[.!?])[\"')\]]*\s+")
_SHORT: Final = 25
_SENTENCE_ENDS: Final = (".", "!", "?", '."', '!"', '?"', ".)")
"""The length in characters from which a sentence must not occur twice."""


@dataclass(frozen=True)
class InstanceTrial(DrawnScenario):
    """A drawn instance with the report computed from it."""

    instance: BlueprintInstance
    report: CheckReport
    library: Library
    siblings: SiblingWords = NO_SIBLINGS
    """What other skins of the family have and this one has not, if they were read."""

    @property
    def accepted(self) -> bool:
        """Whether there is no reason to refuse it."""
        return not self.reasons

    @cached_property
    def reasons(self) -> tuple[str, ...]:
        """Why it is refused. Each reason begins with a code."""
        return tuple(dict.fromkeys(self._find_refusals()))

    @cached_property
    def reading_findings(self) -> tuple[Finding, ...]:
        """What readers would notice in the text and the key, and the everyday ideas that are left open."""
        from_record = [each for each in self.report.findings if _is_about_reading(each)]
        return tuple(
            dict.fromkeys((*from_record, *review_content(self, self.report, self.distractors, self.siblings)))
        )

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """What a person should review. It does not refuse the trial."""
        return tuple(each for each in self.reading_findings if each.severity is Severity.WARNING)

    @property
    def status(self) -> str:
        """The computed status with its subtype."""
        verdict = self.report.verdict
        return (verdict.status if verdict is not None else None) or "undecided"

    @cached_property
    def distractors(self) -> dict[str, Strength]:
        """The distractors with their strengths: things that no solution needs, and those in the notes."""
        analysis, verdict = self.report.analysis, self.report.verdict
        if analysis is None or verdict is None:
            return {}
        unneeded_things, noted = (
            find_things_unused_by_plans(analysis, verdict),
            self.instance.notes.distractors,
        )
        named = [
            name for name in noted if name in unneeded_things or name in find_failing_approaches(analysis)
        ]
        # if nothing works, nothing is needed; then the notes name the distractors
        names = dict.fromkeys(named if not (verdict.ways or verdict.outside) else (*unneeded_things, *named))
        # if every thing is needed, the distractors are the wrong approaches
        names = names or dict.fromkeys(
            name for name in find_failing_approaches(analysis) if name in self.instance.notes.wrong
        )
        alternatives = list_failing_alternatives(analysis, verdict)
        return {name: measure_distractor_strength(name, alternatives) for name in names}

    @cached_property
    def profile(self) -> Profile | None:
        """The measured difficulty profile."""
        analysis, verdict = self.report.analysis, self.report.verdict
        if analysis is None or verdict is None:
            return None
        return measure_difficulty(analysis, verdict, self.insights, tuple(self.distractors))

    @cached_property
    def tier(self) -> Tier | None:
        """The tier of that profile."""
        if self.profile is None or self.status == "undecided":
            return None
        return choose_difficulty_tier(self.profile.scores, parse_main_status(self.status))[0]

    def get_record(self) -> Record | None:
        """Return the parsed record, or None if it cannot be read."""
        return self.report.record

    def get_requirements(self) -> ProseRequirements | None:
        """Return the values that texts print, or None if the record cannot be read."""
        return self.report.tie

    def _find_refusals(self) -> Iterator[str]:
        for finding in self.report.findings:
            if finding.severity is not Severity.NOTE and not _is_about_reading(finding):
                yield f"{finding.code} {finding}"
        for finding in self.reading_findings:
            if finding.severity is Severity.ERROR:
                yield f"{finding.code} {finding}"
        if self.report.verdict is not None and self.status != self.instance.offer.claim:
            yield f"status.other it computes as {self.status}, but {self.instance.offer.claim} is claimed: {self.report.verdict.reason}"
        if self.report.tie is not None and self.report.record is not None:
            yield from _find_note_problems(self)


def draw_and_check_instance(
    offer: Offer,
    library: Library,
    *names: object,
    turn: int | None = None,
    following: DrawSource | None = None,
    siblings: SiblingWords = NO_SIBLINGS,
) -> InstanceTrial:
    """Draw an instance and check it. `names` (seed, attempt) select the draw, and `turn` the title.

    `siblings` are the words of other skins of the family, which this one should not have.
    """
    instance = draw_instance(offer, library, *names, turn=turn, following=following)
    return InstanceTrial(instance, verify_record(instance.record, library), library, siblings)


def _is_about_reading(finding: Finding) -> bool:
    return finding.code.partition(".")[0] in READING_AREAS


def _find_note_problems(trial: InstanceTrial) -> Iterator[str]:
    """Yield the notes that are missing and the texts that read badly."""
    notes = trial.instance.notes
    for name in REQUIRED_NOTES:
        if not getattr(notes, name):
            yield f"telling.missing write `{name}` in a `telling` section"
    status = parse_main_status(trial.instance.offer.claim)
    if status == "PX" and not notes.proof:
        yield "telling.missing write `proof`: the argument in words"
    if status in {"OF", "CT", "MT", "DG"} and not notes.criteria:
        yield "telling.missing write `criteria`: the conditions that any valid answer must satisfy"
    for call in trial.insight_calls:
        if call not in notes.insights:
            yield f"telling.insight add the type and domain of the insight `{call}`"
    for note in notes.insights.values():
        for needed_insight in note.needs:
            if needed_insight not in notes.insights:
                yield f"telling.insight add the insight `{needed_insight}`, which another insight needs"
    yield from _find_missing_notes(trial)
    yield from _find_incomplete_rows(trial)
    yield from _find_template_errors(trial)
    yield from _find_style_problems(trial)


def _find_missing_notes(trial: InstanceTrial) -> Iterator[str]:
    notes, analysis = trial.instance.notes, trial.report.analysis
    if analysis is None:
        return
    for name in trial.distractors:
        if name not in notes.distractors and name not in notes.wrong:
            yield f"telling.distractor no solution needs `{name}`: write its `use`, how it `tempts` and why it `fails`"
    if len(trial.distractors) < FEWEST_DISTRACTORS:
        yield f"telling.distractor describe at least {FEWEST_DISTRACTORS} misleading things or approaches"
    for name in find_failing_approaches(analysis):
        if name not in notes.wrong and name not in _list_approaches_needing_no_note(trial):
            yield f"telling.wrong add the approach `{name}` as a wrong answer, with the reason"


def _find_incomplete_rows(trial: InstanceTrial) -> Iterator[str]:
    """Yield what the tables lack: any environment, and the mass, size or material of loose things except in rule puzzles."""
    if not trial.tables.environment:
        yield (
            "telling.table the environment table has no row, so no gate accepts the scenario: write a phrase for a free "
            "quantity, a boundary or a place in `telling.words`, such as `words: {clock: time until the water comes}`, or "
            "a row of its own in `telling.environment`"
        )
    loose_things = {
        thing.get("name")
        for thing in trial.instance.record.get("things") or ()
        if thing.get("kind") in {None, "object", "substance"}
    }
    for row in trial.tables.objects:
        cells = (
            ("notes",)
            if trial.instance.record["category"] in RULE_PUZZLES
            else ("mass", "size", "material", "notes")
        )
        missing_cells = [cell for cell in cells if not getattr(row, cell)]
        if row.name in loose_things and missing_cells:
            yield f"telling.table the object `{row.name}` has no {', '.join(missing_cells)}"


def _list_approaches_needing_no_note(trial: InstanceTrial) -> frozenset[str]:
    """Return the approaches that fail as stated and need no note as a wrong answer."""
    status = trial.instance.record.get("status") or {}
    named = [status.get(name) for name in ("outside", "at_low", "at_high")]
    return frozenset(str(each) for value in named for each in (value if isinstance(value, list) else [value]))


def _find_template_errors(trial: InstanceTrial) -> Iterator[str]:
    notes = trial.instance.notes
    texts = [
        notes.concept, notes.why_it_matters, notes.looks_impossible, notes.excluded, notes.correct_outcome,
        notes.category_match, notes.proof, *notes.criteria, *notes.open_questions,
        *(text for note in notes.distractors.values() for text in (note.use, note.tempts, note.fails)),
        *(text for note in notes.wrong.values() for text in (note.answer, note.why)),
        *(text for row in trial.tables.environment for text in row), *(text for row in trial.tables.capabilities for text in row),
        *(cell for row in trial.tables.objects for cell in (row.label, row.mass, row.size, row.material, row.notes)),
    ]  # fmt: skip
    for text in texts:
        try:
            trial.render_template(text or "")
        except (PlaceholderError, UnitError) as problem:
            yield f"telling.placeholder {problem}"


def _find_style_problems(trial: InstanceTrial) -> Iterator[str]:
    try:
        prose = trial.prose
    except PlaceholderError:
        return  # already reported
    narrative = prose.get("narrative", "")
    words, paragraphs = (
        len(narrative.split()),
        len([part for part in narrative.split("\n\n") if part.strip()]),
    )
    if not FEWEST_WORDS <= words <= MOST_WORDS:
        yield f"style.length the narrative has {words} words; write {FEWEST_WORDS} to {MOST_WORDS}"
    if paragraphs not in PARAGRAPHS:
        yield f"style.paragraphs the narrative has {paragraphs} paragraphs; write two to four"
    yield from _find_rule_problems(prose.get("threat", ""))
    for name in ("threat", "position"):
        if not prose.get(name, "").strip():
            yield f"telling.missing write `prose: {{{name}: ...}}` in the record"
    all_text = " ".join(
        (
            narrative,
            prose.get("threat", ""),
            prose.get("position", ""),
            trial.render_template(trial.instance.notes.looks_impossible or ""),
        )
    )
    sentences = Counter(
        part.strip().lower() for part in _SENTENCE.split(all_text) if len(part.strip()) >= _SHORT
    )
    for sentence, times in sentences.items():
        if times > 1:
            yield f"style.twice the sentence `{sentence[:60]}` occurs twice"


def _find_repeated_rules(rules: Iterable[str]) -> Iterator[str]:
    """Yield the sentences of rules that begin with the same words as an earlier one, or are the same."""
    sentences = [part.strip() for rule in rules for part in _SENTENCE.split(rule)]
    beginnings: dict[tuple[str, ...], str] = {}
    for sentence in sentences:
        words = tuple(sentence.lower().split()[:SAME_WORDS])
        if len(sentence) >= _SHORT and words in beginnings:
            yield f"style.twice two rules begin with `{sentence[:60]}`; to replace a rule, give it the same name, and to drop it, write `name: null`"
        beginnings.setdefault(words, sentence)


def _find_rule_problems(threat: str) -> Iterator[str]:
    """Yield what is wrong with the list of rules below the threat, if there is one."""
    rules = [line.removeprefix("- ") for line in threat.splitlines() if line.startswith("- ")]
    if rules and len(rules) not in RULES_LISTED:
        yield f"style.rules {len(rules)} rules are listed; list {RULES_LISTED[0]} to {RULES_LISTED[-1]}"
    yield from _find_repeated_rules(rules)
    for rule in rules:
        words = len(rule.split())
        if words < FEWEST_RULE_WORDS or not rule.endswith(_SENTENCE_ENDS):
            yield f"style.rules the rule `{rule[:60]}` is not a sentence; to drop a rule, write `name: null` without quotes"
        if words > MOST_RULE_WORDS:
            yield f"style.rules the rule `{rule[:60]}` has {words} words; write at most {MOST_RULE_WORDS}"
