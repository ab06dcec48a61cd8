"""Whether a menu gives away the idea of a scenario: deeds of its solutions that the public text does not name."""

from __future__ import annotations

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.mechanics.records import PlannedCall
from impossible_moments.mechanics.wording import extract_word_stems


def find_revealed_deeds(key: AnswerKey, blind_text: str) -> tuple[str, ...]:
    """Return the needed statements of working plans that no words of the text suggest, as `call: statement`.

    If there are none, the menu names nothing that the text does not name, and its result is comparable with an open
    answer. Otherwise the menu measures recognition.
    """
    words = extract_word_stems(blind_text)
    found: dict[str, None] = {}
    for name, outcome in key.analysis.outcomes.items():
        if not outcome.reaches_goal:
            continue
        for move in key.analysis.plans[name]:
            wording = key.wording.find_wording(PlannedCall(move.verb, move.arguments))
            if wording is None or wording.is_unsaid:
                continue
            for statement in wording.needed:
                if not any(extract_word_stems(each) <= words for each in statement.alternatives):
                    found[f"{move.text}: {statement.name}"] = None
    return tuple(found)
