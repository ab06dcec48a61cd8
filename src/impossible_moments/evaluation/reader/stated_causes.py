"""The cause that an answer gives, if it answers no question of a diagnosis in so many words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation import InterpretedStep, StepKind
from impossible_moments.evaluation.reader.step_texts import remove_negated_clauses
from impossible_moments.mechanics.records import DiagnosisPuzzle
from impossible_moments.mechanics.wording import extract_word_stems

FEWEST_OWN_WORDS: Final = 2
"""The fewest words of one cause, which no other cause has, that an answer must use."""


def find_stated_causes(
    texts: Iterable[str], calls: Iterable[str], key: AnswerKey
) -> Iterator[InterpretedStep]:
    """Yield the answer to each diagnosis that the calls leave open and of which the texts name one cause alone.

    A text that also uses words of another cause weighs them, and names none.
    """
    said = extract_word_stems(" ".join(map(remove_negated_clauses, texts)))
    answered = tuple(calls)
    for puzzle in key.analysis.world.record.puzzles:
        if not isinstance(puzzle, DiagnosisPuzzle) or any(
            call.startswith(f"answer({puzzle.name},") for call in answered
        ):
            continue
        own = _list_own_words(puzzle, key)
        named = {name: len(words & said) for name, words in own.items() if words & said}
        if len(named) == 1 and (count := next(iter(named.items())))[1] >= FEWEST_OWN_WORDS:
            yield InterpretedStep(
                f"the cause that the answer names: {key.wording.answers[f'{puzzle.name}.{count[0]}'][0]}",
                StepKind.CALL,
                f"answer({puzzle.name}, '{count[0]}')",
            )


def _list_own_words(puzzle: DiagnosisPuzzle, key: AnswerKey) -> dict[str, frozenset[str]]:
    """Return for each hypothesis the words of its sentences that no other hypothesis has."""
    words = {
        each.name: extract_word_stems(" ".join(key.wording.answers.get(f"{puzzle.name}.{each.name}", ())))
        for each in puzzle.hypotheses
    }
    return {
        name: mine - frozenset().union(*(each for other, each in words.items() if other != name))
        for name, mine in words.items()
    }
