"""The prompt for a model: the situation, a wrapper neutral about solvability, and the answer form."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from impossible_moments.scenarios import Scenario


class Presentation(StrEnum):
    """How much of the public document is shown."""

    BLIND = "blind"
    FULL = "full"


class AnswerForm(StrEnum):
    """The form in which an answer is requested."""

    PLAN = "plan"
    FREE = "free"
    MENU = "menu"
    """Lines of a menu, which are executed exactly."""
    INTERACTIVE = "interactive"
    """Acts that are carried out one by one, each with an observation."""
    POLICY = "policy"
    """A decision tree for an uncertain world, evaluated exactly."""


WRAPPER: Final = """\
Below is a situation. It may have one solution, several or none. Its description may suggest an assumption that no stated \
fact imposes. The answer may be disputed or not yet known. Work out which of these is the case, and what to do.

{situation}
"""
FREE: Final = """\
Answer in plain words. State whether it can be done. Then describe exactly what you do, step by step, and why it works, or explain \
why nothing works.
"""
PLAN: Final = """\
Think first, as long as you need. Then end with one JSON object, and write nothing after it:

{"verdict": "solvable" | "impossible" | "contested" | "open",
 "plan": [{"do": DEED, "with": [THINGS], "to": THING, "value": TEXT}, ...],
 "other_plans": [[...]],
 "assumption": "an assumption that the text suggests and no stated fact imposes, in the words of the text",
 "conflict": ["which conditions exclude each other, one line for each, with the things and figures"],
 "crux": "what the answer depends on, if it is contested",
 "uncertain": ["what you cannot know"],
 "claims": {"NAME": "NUMBER UNIT"},
 "because": ["what a solver must see to find this"]}

Leave out fields that do not apply. Call things by their names in the text, and name in each step every thing that it involves. \
One step does one thing. Say in "do" what is done, as you would say it to a person: "light", "tie", "pour out". "Use" says too little. \
A number with its unit, a time or a wording goes into "value". For example:

{"do": "wedge open", "with": ["the crate"], "to": "the hatch"}
"""


def build_answer_prompt(
    scenario: Scenario,
    presentation: Presentation = Presentation.BLIND,
    form: AnswerForm = AnswerForm.PLAN,
    menu: str = "",
    thinking: str = "",
) -> str:
    """Return the complete prompt for a scenario.

    `menu` is the rendered menu for an answer from it, and `thinking` a last sentence on how much to think.
    """
    situation = scenario.blind if presentation is Presentation.BLIND else scenario.text
    match form:
        case AnswerForm.MENU | AnswerForm.INTERACTIVE | AnswerForm.POLICY:
            instructions = menu
        case AnswerForm.FREE:
            instructions = FREE
        case _:
            instructions = PLAN
    prompt = f"{WRAPPER.format(situation=situation.strip())}\n{instructions}"
    return f"{prompt.rstrip()}\n\n{thinking}\n" if thinking else prompt
