"""Rubric for metamorphic scenarios (MT): an unstated assumption, and a plan that acts without it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.reading.answers import Answer, Verdict
from impossible_moments.evaluation.reading.findings import with_findings
from impossible_moments.evaluation.reading.naming import words_of
from impossible_moments.evaluation.reading.playing import Played, challenged_in, played
from impossible_moments.evaluation.reading.reasons import reasoned
from impossible_moments.evaluation.reading.resolution import premises_in
from impossible_moments.evaluation.reading.verbs import family_of
from impossible_moments.evaluation.results import PASSES
from impossible_moments.evaluation.rubrics.standing import Standing, insight, physical, told

_FEWEST_SHARED: Final = 2
"""Least number of words that an answer shares with a premise that it drops without quoting it."""
_MOST_SAID: Final = 30


def metamorphic(answer: Answer, key: AnswerKey) -> Standing:
    """Score an answer to a metamorphic scenario.

    Naming the assumption earns 30, acting without it 30, and a plan that then works 40. An answer that does
    not name the assumption earns at most 40.
    """
    named = premises_in(answer.assumption, key) | challenged_in(answer.plan, key)
    if answer.assumption:
        named |= premises_in(" ".join([answer.assumption, *answer.because]), key)
    found = played(with_findings(answer, key), key, lifted=_names_of(named or key.premises, key))
    if not named and found.outcome.reaches_goal:
        named = _in_other_words(answer, key)
    if answer.verdict is Verdict.IMPOSSIBLE and not named:
        return Standing(0.0, 0.0, 0.0, f"no assumption is named; {told(found)}", ("gave up",), found)
    guessed = found.read_loosely and not reasoned(answer, found, key)
    solved = 40.0 if found.outcome.reaches_goal and not guessed else 0.0
    reframed = bool(named) and (solved > 0 or _acts_against(found, named, key))
    outcome = 30.0 * bool(named) + 30.0 * reframed + solved
    seen = max(insight(found, key), 100.0 * bool(named) / max(len(key.insights), 1))
    review = outcome < PASSES and (bool(found.unknown) or guessed)
    words = "the assumption is named" if named else "no assumption is named"
    return Standing(outcome, physical(found), min(seen, 100.0), f"{words}; {told(found)}", (), found, review)


def _names_of(quotes: Iterable[str], key: AnswerKey) -> frozenset[str]:
    held = set(quotes)
    return frozenset(never.name for never in key.analysis.world.nevers if never.evidence in held)


def _acts_against(found: Played, named: frozenset[str], key: AnswerKey) -> bool:
    """Check whether a plan does what one of the named premises forbids."""
    if not found.moves:
        return False
    end = key.analysis.executor.run(found.moves).end
    return end in {f"never {name}" for name in _names_of(named, key)}


def _in_other_words(answer: Answer, key: AnswerKey) -> frozenset[str]:
    """Return the premises that an answer drops in its own words, by the words of what they forbid."""
    doubts = (
        f"{step.value} {' '.join(step.things)}" for step in answer.plan if "challenge" in family_of(step.do)
    )
    said = [words_of(each) for each in (answer.assumption, *doubts) if each]
    return frozenset(
        never.evidence
        for never in key.analysis.world.nevers
        if never.evidence in key.premises
        and any(
            len(words & key.conditions.words(never.name)) >= _FEWEST_SHARED and len(words) <= _MOST_SAID
            for words in said
        )
    )
