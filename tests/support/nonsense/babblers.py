"""Models that hand in valid JSON and mean nothing by it."""

from __future__ import annotations

from pydantic_ai.messages import ModelResponse

from support.nonsense.instances import instance_of
from support.nonsense.lines import Prompter, handing_in
from support.nonsense.questions import Question
from support.nonsense.records import strange_record
from support.nonsense.stage import Mind


def babbling(prompter: Prompter, seed: str, *, honest_seed: bool) -> Mind:
    """A random instance of whatever is asked for; the designer may be honest, so that the others are reached."""

    def mind(question: Question) -> ModelResponse:
        if honest_seed and question.kind == "SeedDocument":
            return handing_in(prompter.honest(question))
        dice = question.stream(seed)
        said = instance_of(question.schema, dice)
        if question.kind == "SeedDocument":
            said["mechanics"] = strange_record(dice)
        return handing_in(said)

    return mind


def half_babbling(prompter: Prompter, seed: str, *, share: float) -> Mind:
    """Honest lines, of which a share is exchanged for nonsense, so that every later phase is reached by some."""

    def mind(question: Question) -> ModelResponse:
        dice = question.stream(seed)
        if question.kind == "SeedDocument" or dice.random() > share:
            return handing_in(prompter.honest(question))
        return handing_in(instance_of(question.schema, dice))

    return mind
