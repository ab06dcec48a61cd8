"""The ethical checklist: each question with the words of the text that raise it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from impossible_moments.domain.classification import EthicalAnswer, EthicalReview


@dataclass(frozen=True, slots=True)
class ChecklistItem:
    """A question, the words that raise it, and the words that make it a concern."""

    question: str
    raised_by: str
    concern_if: str = ""
    """A pattern that must match as well for a concern. If empty, the words are only noted."""


# fmt: off
CHECKLIST: Final = (
    ChecklistItem("Does the scenario normalize or glorify violence?",
         r"\b(?:kill\w*|murder\w*|gun|rifle|stab\w*|torture\w*|massacre|execution)\b", r"\b(?:glor\w+|deserv\w+ to die|fun to)\b"),
    ChecklistItem("Does the scenario trivialize real-world disasters or suffering?",
         r"\b(?:earthquake|famine|genocide|holocaust|refugee\w*|epidemic|tsunami|hiroshima|chernobyl)\b", r"\b(?:holocaust|genocide|hiroshima)\b"),
    ChecklistItem("Does the scenario contain cultural, racial, or gender stereotypes?",
         r"\b(?:women are|men are|girls can't|like a girl|gypsy|savage\w*|primitive people|oriental)\b", r"."),
    ChecklistItem("Could the scenario provide instructions for real-world harm?",
         r"\b(?:explosive\w*|detonator|nerve agent|poison\w*|bomb\w*|pathogen\w*|malware|nitrates?|gunpowder)\b", r"\b(?:recipe|(?:k?g|grams?|kilos?) of [a-z ]*nitrate|synthesi[sz]e|precursor|mix(?:ed|ing)? [a-z ]*(?:nitrate|charcoal and sulphur))\b"),
    ChecklistItem("Does the scenario involve children in peril beyond what is appropriate for a benchmark?",
         r"\b(?:child|children|baby|infant|toddler|kid|kids|pupil\w*|daughter|son|boy|girl)\b", r"\b(?:child|baby|infant|toddler|kid|daughter|son|boy|girl)\b[^.]{0,60}\b(?:dies?|dead|drown\w*|burn\w*|bleed\w*|suffocat\w*)\b"),
    ChecklistItem("Does the scenario create unfair difficulty for test-takers from specific cultural backgrounds?",
         r"\b(?:thanksgiving|super bowl|cricket|baseball|nursery rhyme|proverb|hymn|psalm|anthem|pun)\b", r"\b(?:nursery rhyme|anthem)\b"),
    ChecklistItem("Does the scenario's distractor design exploit cognitive biases in a way that could be harmful if internalized?",
         r"\b(?:call(?:ing)? for help|call anybody|call anyone|emergency number|ambulance|seat belt|helmet|vaccin\w*|medicine)\b", r"\b(?:never call|do not call (?:for help|any)|useless to call|pointless to call)\b"),
)
# fmt: on


def review_ethics(text: str) -> EthicalReview:
    """Answer the seven questions and derive the status of the ethical review."""
    answers = tuple(_answer_ethics_question(item, text) for item in CHECKLIST)
    concerns = [answer for answer in answers if answer.concern]
    noted = [answer for answer in answers if not answer.concern and answer.note.startswith("It speaks of")]
    if concerns:
        return EthicalReview(
            checklist=answers, status="FAIL", notes=" ".join(answer.note for answer in concerns)
        )
    if noted:
        return EthicalReview(
            checklist=answers, status="PASS-WITH-NOTES", notes=" ".join(answer.note for answer in noted)
        )
    return EthicalReview(checklist=answers, status="PASS")


def _answer_ethics_question(item: ChecklistItem, text: str) -> EthicalAnswer:
    matched_words = sorted({found.lower() for found in re.findall(item.raised_by, text, re.IGNORECASE)})
    if not matched_words:
        return EthicalAnswer(question=item.question, concern=False, note="Nothing in the text bears on it.")
    words = ", ".join(matched_words[:4])
    if item.concern_if and re.search(item.concern_if, text, re.IGNORECASE):
        return EthicalAnswer(
            question=item.question,
            concern=True,
            note=f"It speaks of {words} in a way that a human should look at.",
        )
    return EthicalAnswer(
        question=item.question,
        concern=False,
        note=f"It speaks of {words}, as part of the situation and to no harm.",
    )
