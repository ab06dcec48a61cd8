"""Cost estimates of an evaluation, for answers, translations and judges, before any model is called."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.judging import answer_translation
from impossible_moments.evaluation.judging.judge_panel import RecordCase
from impossible_moments.evaluation.judging.judgement_aggregation import ENOUGH
from impossible_moments.evaluation.judging.open_run_resolution import read_evaluation_document
from impossible_moments.evaluation.runs.answer_collection import RunConditions
from impossible_moments.evaluation.runs.baselines import PREFIX
from impossible_moments.evaluation.runs.presentation import AnswerForm, build_answer_prompt
from impossible_moments.evaluation.scoring import JUDGED
from impossible_moments.llm import (
    ModelReference,
    PriceTable,
    estimate_text_prompt_tokens,
    parse_model_reference,
)
from impossible_moments.llm import estimate_first_prompt_tokens as consultation_size
from impossible_moments.scenarios import Scenario

ANSWER: Final = 1_200
"""The expected tokens of an answer."""
VERDICT: Final = 600
"""The expected tokens of a verdict on the parts that cannot be executed."""
WHOLE_VERDICT: Final = 1_800
"""The expected tokens of a verdict on a whole answer, with all its quotes."""
TRANSLATION: Final = 900
"""The expected tokens of an answer in the plan form, with its quotes."""
_WORDS: Final = "some words of an answer "


@dataclass(frozen=True)
class ExpectedUsage:
    """The expected calls, tokens and cost of one model."""

    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    cost: Decimal | None
    """US dollars, or None if no price is known."""


@dataclass(frozen=True)
class CostEstimate:
    """The expected usage of all models in an evaluation."""

    answers: ExpectedUsage
    judges: tuple[ExpectedUsage, ...] = ()
    """The judges that read every answer that is certain to need them."""
    reserve_judges: tuple[ExpectedUsage, ...] = ()
    """The judges that read an answer only if earlier judges differ or fail; an upper bound."""
    translator: ExpectedUsage | None = None
    judged_answers: int = 0
    """The number of answers that need judges, or may all need them."""
    reviews: int = 0
    """The number of answers that need judges only if part of them cannot be parsed."""

    @property
    def total_cost(self) -> Decimal | None:
        """US dollars for everything, including reserve judges, or None if a price is not known."""
        translator = (self.translator,) if self.translator is not None else ()
        costs = [each.cost for each in (self.answers, *self.judges, *self.reserve_judges, *translator)]
        return None if None in costs else sum((each for each in costs if each is not None), Decimal(0))


@dataclass(frozen=True)
class PlannedEvaluation:
    """The models of an evaluation and the conditions under which they are asked."""

    conditions: RunConditions
    judges: tuple[ModelReference, ...] = ()
    translator: ModelReference | None = None
    rubrics: Path = Path()
    """The folder of the evaluation documents, which judges read."""


def estimate_evaluation_cost(
    inquiry: PlannedEvaluation,
    scenarios: Sequence[Scenario],
    keys: Mapping[str, AnswerKey],
    prices: PriceTable,
) -> CostEstimate:
    """Estimate the usage of an evaluation. `keys` are needed only with judges or a translator."""
    form, runs = inquiry.conditions.form, inquiry.conditions.runs
    answers = _estimate_answers(inquiry.conditions, scenarios, prices)
    cases = [
        RecordCase(
            each,
            keys[each.scenario_id],
            _make_placeholder_answer(form),
            read_evaluation_document(inquiry.rubrics, each.scenario_id),
        )
        for each in scenarios
        if inquiry.judges and (form is AnswerForm.FREE or keys[each.scenario_id].status in JUDGED)
    ]
    sent = runs * sum(consultation_size(each.task) for each in cases)
    written = runs * sum(WHOLE_VERDICT if each.question.whole else VERDICT for each in cases)
    shares = [_compute_usage(model, (runs * len(cases), sent, written), prices) for model in inquiry.judges]
    return CostEstimate(
        answers,
        tuple(shares[:ENOUGH]),
        tuple(shares[ENOUGH:]),
        _estimate_translator(inquiry, scenarios, keys, prices),
        judged_answers=runs * len(cases),
        reviews=runs * (len(scenarios) - len(cases)) if inquiry.judges else 0,
    )


def _estimate_answers(
    conditions: RunConditions, scenarios: Sequence[Scenario], prices: PriceTable
) -> ExpectedUsage:
    prompts = (build_answer_prompt(each, conditions.presentation, conditions.form) for each in scenarios)
    calls = conditions.runs * len(scenarios)
    taken = (calls, conditions.runs * sum(map(estimate_text_prompt_tokens, prompts)), calls * ANSWER)
    if conditions.model.startswith(PREFIX):
        return ExpectedUsage(conditions.model, *taken, Decimal(0))
    return _compute_usage(parse_model_reference(conditions.model), taken, prices)


def _estimate_translator(
    inquiry: PlannedEvaluation,
    scenarios: Sequence[Scenario],
    keys: Mapping[str, AnswerKey],
    prices: PriceTable,
) -> ExpectedUsage | None:
    if inquiry.translator is None:
        return None
    runs, text = inquiry.conditions.runs, _make_placeholder_answer(AnswerForm.FREE)
    sizes = [
        consultation_size(answer_translation.build_translation_task(each, text))
        for each in scenarios
        if keys[each.scenario_id].status != "OF"
    ]
    taken = (runs * len(sizes), runs * sum(sizes), runs * len(sizes) * TRANSLATION)
    return _compute_usage(inquiry.translator, taken, prices)


def _compute_usage(model: ModelReference, taken: tuple[int, int, int], prices: PriceTable) -> ExpectedUsage:
    calls, sent, written = taken
    return ExpectedUsage(str(model), calls, sent, written, prices.compute_cost(model, sent, written))


def _make_placeholder_answer(form: AnswerForm) -> str:
    """Return a placeholder answer of typical length in the requested form."""
    text = (_WORDS * ANSWER)[: 4 * ANSWER]
    return (
        text
        if form is AnswerForm.FREE
        else json.dumps({"verdict": "solvable", "plan": [], "because": [text]})
    )
