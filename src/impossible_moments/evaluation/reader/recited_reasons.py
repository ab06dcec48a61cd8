"""Reasons against the goal that only repeat the situation: they state what is demanded or offered, not what is missing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.figure_matching import convert_number_words_to_digits
from impossible_moments.evaluation.reader.condition_figures import ConditionFigures
from impossible_moments.mechanics.prose import list_prose_parts
from impossible_moments.mechanics.wording import extract_word_stems

FEWEST_WORDS: Final = 2
"""The fewest words of a quotation, without figures."""
_SENTENCE_END: Final = re.compile(r"[.!?]\s+|\n+")
_FIGURE: Final = re.compile(r"-?\d[\d.,]*\s*[^\s\d]*")
"""A figure with the word after it, which may be its unit."""
_LABEL: Final = re.compile(r"\{thing:(\w+)\}")
_VALUE: Final = re.compile(r"\{[^{}]*\}")
_LINKING: Final = extract_word_stems("because therefore thus hence since so but yet also")
"""Words that link statements and state nothing themselves."""


def list_doubts_about_reasons(
    lines: Sequence[str], named: Sequence[frozenset[str]], key: AnswerKey
) -> tuple[str, ...]:
    """Return a doubt if all reasons that name a condition of the conflict only repeat a sentence of the situation.

    To quote a demand is not to show that it cannot be met. Whether the quotation is meant as a reason is left for review.
    The sentence of the condition itself is a reason.
    """
    naming = [line for line, names in zip(lines, named, strict=False) if names & set(key.conflict)]
    if not naming:
        return ()
    counted = set(key.conflict) - key.wording.bookkeeping
    own = {_extract_words(text) for name, text in key.wording.conditions.items() if name in counted}
    others = [text for name, text in key.wording.conditions.items() if name not in counted]
    figures = ConditionFigures(key)
    stated = [_extract_words(each) for each in (*_list_sentences(key), *key.wording.decoy_premises, *others)]
    if all(_repeats((own, stated), line) and not figures.has_computed_figure(line) for line in naming):
        return (f"every reason only repeats what the situation states, such as {naming[0][:120]!r}",)
    return ()


def _repeats(sentences: tuple[set[frozenset[str]], list[frozenset[str]]], line: str) -> bool:
    """Return whether a reason has only words of one stated sentence, and is not the sentence of a condition itself.

    A reason of very few words sets figures against each other, and quotes nothing.
    """
    own, stated = sentences
    words = _extract_words(line)
    return len(words) >= FEWEST_WORDS and words not in own and any(words <= each for each in stated)


def _extract_words(text: str) -> frozenset[str]:
    """Return the words of a text without figures, their units and words that only link statements."""
    return extract_word_stems(_FIGURE.sub(" ", convert_number_words_to_digits(text))) - _LINKING


def _list_sentences(key: AnswerKey) -> list[str]:
    """Return the sentences of the public text, with the names of things and without values."""
    world = key.analysis.world
    texts = (part.text for part in list_prose_parts(world.record.prose))
    labelled = (_LABEL.sub(lambda found: world.things[found[1]].label, text) for text in texts)
    return [each for text in labelled for each in _SENTENCE_END.split(_VALUE.sub(" ", text)) if each.strip()]
