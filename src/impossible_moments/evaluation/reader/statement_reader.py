"""Reading of what an answer says beside its plan: the assumption, the conflict and the crux."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.figure_matching import (
    extract_figures_of_line,
    find_mentioned_quantities,
)
from impossible_moments.mechanics.wording import extract_word_stems

LEAST_SHARE: Final = 0.4
"""The share of the words of a sentence that a text must have to mean it."""
LEAST_LEAD: Final = 0.1
"""How much better than any other sentence the best one must fit."""
MOST_WORDS: Final = 40
"""The longest text that is compared. A longer one would share words by chance."""
FEWEST_FIGURES: Final = 2
LEAST_KNOWN_FIGURES: Final = 0.5
"""The share of the figures of a reason that must be figures of the record. The others may be computed."""
MOST_CONDITIONS: Final = 3
"""The most conditions that one reason names by its figures."""


def find_meant_sentence(text: str, sentences: Mapping[str, str]) -> str:
    """Return the name of the sentence that a text means, or an empty text if none fits clearly best."""
    stems = extract_word_stems(text)
    if not stems or len(stems) > MOST_WORDS:
        return ""
    shares = sorted(((_compute_share(stems, each), name) for name, each in sentences.items()), reverse=True)
    if not shares or shares[0][0] < LEAST_SHARE:
        return ""
    second = shares[1][0] if len(shares) > 1 else 0.0
    return shares[0][1] if shares[0][0] - second >= LEAST_LEAD else ""


def find_named_premise(text: str, key: AnswerKey) -> tuple[frozenset[str], bool]:
    """Return the premise that a text names, and whether it names another statement instead."""
    decoys = {f"decoy {at}": each for at, each in enumerate(key.wording.decoy_premises)}
    quotes = {
        rule.name: rule.evidence for rule in key.analysis.world.never_rules if rule.evidence in key.premises
    }
    sentences = {**quotes, **key.wording.premises, **decoys}
    found = find_meant_sentence(text, sentences) or find_meant_sentence(text, {**quotes, **decoys})
    return frozenset({found} - decoys.keys() - {""}), found in decoys


def find_named_conditions(lines: Sequence[str], key: AnswerKey) -> tuple[frozenset[str], ...]:
    """Return for each reason against the goal the conditions that it names, by its words or its figures.

    A reason whose figures belong to no quantity of the condition does not name it.
    """
    sentences = {
        name: text for name, text in key.wording.conditions.items() if name not in key.wording.bookkeeping
    }
    return tuple(_find_conditions_of_line(line, sentences, key) for line in lines)


def _find_conditions_of_line(line: str, sentences: Mapping[str, str], key: AnswerKey) -> frozenset[str]:
    by_words = find_meant_sentence(line, sentences)
    figures = extract_figures_of_line(line)
    if by_words and (not figures or _count_matching_figures(line, by_words, key)):
        return frozenset({by_words})
    known = len(find_mentioned_quantities(line, key.analysis.world.quantities, key.analysis.world).paths)
    if len(extract_word_stems(line)) > MOST_WORDS or known < LEAST_KNOWN_FIGURES * len(figures):
        return frozenset()
    by_figures = {name for name in sentences if _count_matching_figures(line, name, key) >= FEWEST_FIGURES}
    return frozenset(by_figures) if len(by_figures) <= MOST_CONDITIONS else frozenset()


def _count_matching_figures(line: str, condition: str, key: AnswerKey) -> int:
    paths = key.conditions.get_quantity_paths(condition)
    return len(find_mentioned_quantities(line, paths, key.analysis.world).paths)


def names_crux(text: str, key: AnswerKey) -> bool:
    """Return whether a text names the quantity on which a contested answer depends."""
    crux = getattr(key.block, "crux", None)
    return crux is not None and find_meant_sentence(text, key.wording.uncertainties) == crux


def _compute_share(stems: frozenset[str], sentence: str) -> float:
    """Return the common words as a share of the shorter text."""
    wanted = extract_word_stems(sentence)
    return len(wanted & stems) / min(len(wanted), len(stems)) if wanted and stems else 0.0
