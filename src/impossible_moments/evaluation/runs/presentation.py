"""The prompt for a model: the situation, a wrapper neutral about solvability, and the answer form."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from impossible_moments.evaluation.answers.common_verbs import render_verb_list
from impossible_moments.scenarios import Scenario


class Presentation(StrEnum):
    """How much of the public document is shown."""

    BLIND = "blind"
    FULL = "full"


class AnswerForm(StrEnum):
    """The form in which an answer is requested."""

    PLAN = "plan"
    FREE = "free"


WRAPPER: Final = """\
Below is a situation. It may have one way out, several or none; its description may rest on an assumption that nobody laid \
down; the answer may be in dispute or not yet known. Work out which it is, and what to do.

{situation}
"""
FREE: Final = """\
Answer in plain words: whether it can be done, what exactly you do step by step and why it works, or why nothing can.
"""
PLAN: Final = """\
Think first, as long as you like. Then end with one JSON object and nothing after it:

{{"verdict": "solvable" | "impossible" | "contested" | "open",
 "plan": [{{"do": VERB, "with": [THINGS], "to": THING, "value": TEXT}}, ...],
 "other_plans": [[...]],
 "assumption": "what everybody takes for granted here and nobody laid down, in the words of the text",
 "conflict": ["what stands against what, one line for each, with the things and figures"],
 "crux": "what the answer turns on, if it is contested",
 "uncertain": ["what you cannot know"],
 "claims": {{"NAME": "NUMBER UNIT"}},
 "because": ["what one must see to find this"]}}

Leave out what does not apply. Call things by the names of the text, and name in each step every thing it touches. \
One step does one thing. The verbs, the same for every situation:

{verbs}
"""


def build_answer_prompt(
    scenario: Scenario, presentation: Presentation = Presentation.BLIND, form: AnswerForm = AnswerForm.PLAN
) -> str:
    """Return the complete prompt for a scenario."""
    situation = scenario.blind if presentation is Presentation.BLIND else scenario.text
    asked = FREE if form is AnswerForm.FREE else PLAN.format(verbs=render_verb_list())
    return f"{WRAPPER.format(situation=situation.strip())}\n{asked}"
