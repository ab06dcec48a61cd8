"""Models that hand in valid but meaningless JSON."""

from __future__ import annotations

from pydantic_ai.messages import ModelResponse

from support.nonsense.instances import draw_instance
from support.nonsense.lines import HonestModel, build_response, phrase_seed
from support.nonsense.questions import Question
from support.nonsense.records import draw_strange_record
from support.nonsense.stage import Mind


def make_random_model(prompter: HonestModel, seed: str, *, honest_seed: bool) -> Mind:
    """Make a model that hands in random instances; with `honest_seed`, ATHENA is honest so that later phases are reached."""

    def mind(question: Question) -> ModelResponse:
        if honest_seed and question.asks_for_seed:
            return build_response(phrase_seed(prompter.build_honest_answer(question), question))
        dice = question.create_random(seed)
        said = draw_instance(question.schema, dice)
        if question.kind == "SeedProposal":
            said["mechanics"] = draw_strange_record(dice)
        return build_response(said)

    return mind


def make_partly_random_model(prompter: HonestModel, seed: str, *, share: float) -> Mind:
    """Make a model that replaces a share of honest answers by random ones, so that every phase is reached."""

    def mind(question: Question) -> ModelResponse:
        dice = question.create_random(seed)
        if question.asks_for_seed or dice.random() > share:
            return build_response(phrase_seed(prompter.build_honest_answer(question), question))
        return build_response(draw_instance(question.schema, dice))

    return mind
