"""Reading of what an answer says beside its plan: the assumption, the conflict and the crux."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.condition_quantities import DEADLINE
from impossible_moments.evaluation.reader.condition_figures import ConditionFigures
from impossible_moments.evaluation.reader.named_deadlines import names_deadline
from impossible_moments.mechanics.wording import extract_word_stems

LEAST_SHARE: Final = 0.4
"""The share of the words of a sentence that a text must have to mean it."""
LEAST_LEAD: Final = 0.1
"""How much better than any other sentence the best one must fit."""
MOST_WORDS: Final = 40
"""The longest text that is compared. A longer one would share words by chance."""
FEWEST_FIGURES: Final = 2
FEWEST_COMMON_WORDS: Final = 2
"""The fewest words that a clause of a reason, or a reason of several words, must share with the condition that it names."""
_CLAUSE: Final = re.compile(r"[,;:]|\b(?:and|but|where|while|whereas|because|so|yet)\b", re.IGNORECASE)
_FIGURE: Final = re.compile(r"\d[\d.,]*\s*(?:[a-zA-Zµ°%²³]{1,3}(?:/[a-z]+)?(?![a-zA-Z]))?")
"""A figure with its unit. The words of a condition name it, its figures are compared apart."""
_LIST: Final = re.compile(
    r"(?<![\w.])-?\d+(?:[.,]\d+)*(?:\s?[a-zA-Zµ°%²³/]{1,4}\b|%)?"
    r"(?:\s*(?:,|;|\band\b)\s*-?\d+(?:[.,]\d+)*(?:\s?[a-zA-Zµ°%²³/]{1,4}\b|%)?){2,}"
)
"""At least three figures with nothing said between them. They are listed, and not compared."""
_DENIED: Final = re.compile(r"\b(?:no|not any|not a single|without)\s+([a-z]+)\b", re.IGNORECASE)
"""The word that a reason denies, such as `exception` in "no exception"."""
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

    A reason with a wrong figure of the kind that a condition compares does not name it.
    """
    sentences = {
        name: text for name, text in key.wording.conditions.items() if name not in key.wording.bookkeeping
    }
    figures = ConditionFigures(key)
    return tuple(_find_conditions_of_line(line, sentences, figures) for line in lines)


def _find_conditions_of_line(
    line: str, sentences: Mapping[str, str], figures: ConditionFigures
) -> frozenset[str]:
    if len(extract_word_stems(line)) > MOST_WORDS:
        return frozenset()
    plain = {name: remove_figures(each) for name, each in sentences.items()}
    fewest = min(FEWEST_COMMON_WORDS, len(extract_word_stems(remove_figures(line))))
    by_words = _find_meant_conditions(remove_figures(line), plain, fewest).union(
        *(_find_meant_conditions(remove_figures(clause), plain) for clause in list_clauses(line))
    )
    named = {name for name in by_words if not figures.has_wrong_figure(line, name)}
    if DEADLINE in sentences and names_deadline(line, figures.key):
        named.add(DEADLINE)
    return frozenset(named or _find_conditions_by_figures(line, sentences, figures))


def _find_meant_conditions(
    text: str, sentences: Mapping[str, str], fewest: int = FEWEST_COMMON_WORDS
) -> frozenset[str]:
    """Return the condition that a reason or a clause of it names, by some of its words or by denying it.

    Limits of one act that fit equally well are named together, such as its least and its most.
    """
    stems = extract_word_stems(text)
    shares = {name: _compute_share(stems, each) for name, each in sentences.items()}
    best = max(shares.values(), default=0.0)
    if best >= LEAST_SHARE:
        found = {name for name, share in shares.items() if share > best - LEAST_LEAD}
        common = min(len(stems & extract_word_stems(sentences[name])) for name in found)
        if len({name.partition(".")[0] for name in found}) == 1 and common >= fewest:
            return frozenset(found)
    return frozenset({_find_denied_condition(text, sentences)} - {""})


def _find_denied_condition(text: str, sentences: Mapping[str, str]) -> str:
    """Return the condition of which a clause denies a word that no other condition has, such as "no exception"."""
    denied = frozenset[str]().union(*(extract_word_stems(each) for each in _DENIED.findall(text)))
    named = [name for name, each in sentences.items() if denied and denied <= extract_word_stems(each)]
    return named[0] if len(named) == 1 else ""


def _find_conditions_by_figures(
    line: str, sentences: Mapping[str, str], figures: ConditionFigures
) -> set[str]:
    compared = _LIST.sub(" ", line)
    by_figures = {
        name
        for name in sentences
        if figures.count_own_figures(compared, name) >= FEWEST_FIGURES
        and not figures.has_wrong_figure(line, name)
    }
    return by_figures if len(by_figures) <= MOST_CONDITIONS else set()


def list_clauses(line: str) -> list[str]:
    """Return the clauses of a reason, if it has several. Each may name a condition of its own."""
    found = [each.strip() for each in _CLAUSE.split(line) if each.strip()]
    return found if len(found) > 1 else []


def remove_figures(text: str) -> str:
    """Return a text without its figures and their units."""
    return _FIGURE.sub(" ", text)


def names_crux(text: str, key: AnswerKey) -> bool:
    """Return whether a text names the quantity on which a contested answer depends."""
    crux = getattr(key.block, "crux", None)
    return crux is not None and find_meant_sentence(text, key.wording.uncertainties) == crux


def _compute_share(stems: frozenset[str], sentence: str) -> float:
    """Return the common words as a share of the shorter text."""
    wanted = extract_word_stems(sentence)
    return len(wanted & stems) / min(len(wanted), len(stems)) if wanted and stems else 0.0
