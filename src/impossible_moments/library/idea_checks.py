"""Check that a scenario closes or models every everyday idea that applies to it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from impossible_moments.library.everyday_ideas import EverydayIdea, IdeaCondition, load_everyday_ideas
from impossible_moments.mechanics.content import PublicText, split_sentences
from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.prose import collapse_whitespace
from impossible_moments.mechanics.records import LineError, Record, parse_line
from impossible_moments.mechanics.wording import extract_word_stems

CHECKED_STATUSES: Final = frozenset({"KS-Singular", "PX", "OF"})
"""Statuses that one overlooked way refutes."""
YOU: Final = "you"
_WORD: Final = re.compile(r"[a-zà-ž]+")
_IDENTIFIER: Final = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True)
class IdeaCase:
    """A scenario as the check of everyday ideas sees it."""

    record: Record
    text: PublicText
    key: tuple[str, ...] = ()
    """Wrong answers, ideas of distractors and other texts about attempts that the record models."""
    closed: Mapping[str, str] = field(default_factory=dict)
    """For an idea, the words of the text that close it."""
    modelled: Mapping[str, str] = field(default_factory=dict)
    """For an idea, the approach, action or distractor that models it."""
    inapplicable: Mapping[str, str] = field(default_factory=dict)
    """For an idea that does not apply, the reason."""
    distractors: frozenset[str] = frozenset()

    @cached_property
    def settled(self) -> frozenset[str]:
        """The ideas that the author has closed, modelled or called inapplicable."""
        entries = (*self.closed, *self.modelled, *self.inapplicable)
        return frozenset(name for entry in entries for name in split_idea_names(entry))

    @cached_property
    def sentences(self) -> tuple[tuple[str, frozenset[str]], ...]:
        """Sentences and table rows of the public text, with their stems."""
        parts = [*self.text.running.values(), *(row.text for row in self.text.rows)]
        return tuple(
            (sentence, extract_word_stems(sentence)) for part in parts for sentence in split_sentences(part)
        )

    @cached_property
    def needs(self) -> str:
        """Everything that decides a plan, as one text: conditions, durations, rates, dangers, goal and deadline."""
        record = self.record
        lines = [line for each in record.actions for line in (*each.when, *each.then, str(each.takes or ""))]
        lines += [*record.rates, *record.never, str(record.goal or ""), str(record.deadline or "")]
        return " ".join(line.partition("@")[0] for line in lines)

    @cached_property
    def needed_words(self) -> frozenset[str]:
        """The words of what decides a plan: names that conditions read, verbs, and the things that they are about.

        What the text only mentions is not among them.
        """
        calls = " ".join(call for each in self.record.approaches for call in each.plan)
        slots = " ".join(each.do for each in self.record.actions)
        named = frozenset(_IDENTIFIER.findall(f"{self.needs} {calls} {slots}".lower()))
        labels = [thing.label for thing in self.record.things if thing.name != YOU and thing.name in named]
        return frozenset(_list_words(" ".join((*named, *labels)).replace("_", " ").lower()))

    def is_about(self, word: str) -> bool:
        """Return whether a word, in any inflection, is among those of what decides a plan."""
        forms = {f"{word}{ending}" for ending in ("", "s", "es", "d", "ed", "ing")}
        forms |= {f"{word[:-1]}{ending}" for ending in ("ies", "ied", "ing") if word[-1:] in {"y", "e"}}
        return not forms.isdisjoint(self.needed_words)

    @cached_property
    def attempts(self) -> dict[str, frozenset[str]]:
        """What the record lets a solver try, by name, with the stems of its words."""
        found = {
            f"approach {each.name}": extract_word_stems(f"{each.name.replace('_', ' ')} {each.why}")
            for each in self.record.approaches
        }
        found |= {f"action {verb}": extract_word_stems(verb.replace("_", " ")) for verb in self.verbs}
        found |= {f"`{text}`": extract_word_stems(text) for text in self.key}
        return found

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The verbs of the record's own actions."""
        return frozenset(each.do.partition("(")[0].strip() for each in self.record.actions)

    @cached_property
    def properties(self) -> frozenset[str]:
        """The properties of things but `you` that a condition, a role or a computed quantity reads."""
        read = f"{self.needs} {' '.join((*self.record.roles, *self.record.quantities))}"
        return frozenset(
            name
            for thing in self.record.things
            if thing.name != YOU
            for name in _list_line_names(thing.props)
            if re.search(rf"\.{re.escape(name)}\b", read)
        )

    @cached_property
    def written_quantities(self) -> str:
        """All lines with quantities as one text, to find units in it."""
        lines = [*self.record.quantities, *(line for thing in self.record.things for line in thing.props)]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class OpenIdea:
    """An idea that applies and is neither closed nor modelled, with a passage that may do so."""

    idea: EverydayIdea
    applies: str
    """Why it applies, in words."""
    proposal: str = ""
    """A passage of the text or a part of the record that seems to close it."""
    is_modelled: bool = False
    """Whether the proposal is a part of the record."""


def check_everyday_ideas(case: IdeaCase, findings: Findings) -> None:
    """Add a finding for each open idea, and for each faulty entry of `closed_ideas` and `modelled_ideas`."""
    _check_idea_names(case, findings)
    _check_closed_ideas(case, findings)
    _check_modelled_ideas(case, findings)
    for each in find_open_ideas(case):
        section = "modelled_ideas" if each.is_modelled else "closed_ideas"
        findings.add(
            "idea.proposed" if each.proposal else "idea.open",
            f"/telling/{section}/{each.idea.name}",
            f"{each.idea.says.rstrip('.')}? It applies because {each.applies}, and nothing states why it fails",
            found=f"perhaps {each.proposal}" if each.proposal else "",
            expected=each.idea.close,
        )


def find_open_ideas(case: IdeaCase) -> tuple[OpenIdea, ...]:
    """Return the ideas that apply to a scenario and that its author has neither closed nor modelled."""
    return tuple(
        _propose_closing(case, idea, applies)
        for idea in load_everyday_ideas().values()
        if idea.name not in case.settled and (applies := explain_why_applies(idea, case)) is not None
    )


def explain_why_applies(idea: EverydayIdea, case: IdeaCase) -> str | None:
    """Return why an idea applies to a scenario, or None if it does not."""
    reasons = []
    for condition in idea.when:
        reason = _explain_condition(condition, case)
        if reason is None:
            return None
        reasons.append(reason)
    return " and ".join(reasons) or "anybody can do that"


def _explain_condition(condition: IdeaCondition, case: IdeaCase) -> str | None:
    record = case.record
    evidence = [name for name in sorted(condition.fields) if getattr(record, name, None)]
    evidence += [thing.name for thing in record.things if thing.kind in condition.kinds and thing.name != YOU]
    evidence += [each.name for each in record.approaches if each.ends.partition(" ")[0] in condition.ends]
    evidence += sorted(condition.properties & case.properties)
    evidence += [unit for unit in sorted(condition.units) if f"[{unit}]" in case.written_quantities]
    evidence += [word for word in condition.words if case.is_about(word)]
    return f"{condition.says} ({evidence[0]})" if evidence else None


def _propose_closing(case: IdeaCase, idea: EverydayIdea, applies: str) -> OpenIdea:
    for name, stems in case.attempts.items():
        if any(extract_word_stems(word) <= stems for word in idea.modelled):
            return OpenIdea(idea, applies, name, is_modelled=True)
    for sentence, stems in case.sentences:
        if any(len(words := extract_word_stems(phrase)) > 1 and words <= stems for phrase in idea.closed):
            return OpenIdea(idea, applies, f"`{sentence}`")
    return OpenIdea(idea, applies)


def _check_closed_ideas(case: IdeaCase, findings: Findings) -> None:
    text = collapse_whitespace(case.text.whole).lower()
    for name, quote in case.closed.items():
        where = f"/telling/closed_ideas/{name}"
        if len(quote.split()) < 2 or collapse_whitespace(quote).lower() not in text:  # noqa: PLR2004 - a word is no fact
            findings.add(
                "idea.quote",
                where,
                f"the words that close `{name}` do not occur in the public text",
                found=quote,
                expected=_find_closest_sentence(quote, case)
                or "at least two words of the text, word for word",
            )


def _check_modelled_ideas(case: IdeaCase, findings: Findings) -> None:
    known = {*(each.name for each in case.record.approaches), *case.verbs, *case.distractors}
    for name, model in case.modelled.items():
        where = f"/telling/modelled_ideas/{name}"
        if model not in known:
            findings.add(
                "idea.record",
                where,
                f"`{model}` is not an approach, an action or a distractor of this record",
                found=model,
                expected=_suggest(model, known),
            )


def _check_idea_names(case: IdeaCase, findings: Findings) -> None:
    ideas = load_everyday_ideas()
    sections = {
        "closed_ideas": case.closed,
        "modelled_ideas": case.modelled,
        "inapplicable_ideas": case.inapplicable,
    }
    for section, entries in sections.items():
        for name in (name for entry in entries for name in split_idea_names(entry)):
            if name not in ideas:
                findings.add(
                    "idea.unknown",
                    f"/telling/{section}/{name}",
                    f"the library has no everyday idea `{name}`",
                    found=name,
                    expected=_suggest(name, ideas),
                )


def split_idea_names(entry: str) -> list[str]:
    """Return the ideas that an entry is about: one, or several separated by commas."""
    return [name.strip() for name in entry.split(",") if name.strip()]


def _suggest(name: str, known: Iterable[str]) -> str:
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1)
    return f"did you mean `{close[0]}`?" if close else f"one of {', '.join(names)}"


def _find_closest_sentence(quote: str, case: IdeaCase) -> str:
    close = difflib.get_close_matches(quote, [sentence for sentence, _ in case.sentences], n=1, cutoff=0.4)
    return close[0] if close else ""


def _list_words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _list_line_names(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        try:
            yield parse_line(line, example="mass = 4[kg]").head
        except LineError:
            continue  # the check of the record reports it
