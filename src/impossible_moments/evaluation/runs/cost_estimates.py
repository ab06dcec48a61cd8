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
from impossible_moments.evaluation.judging.judgement_aggregation import NEEDED_OPINIONS
from impossible_moments.evaluation.judging.open_run_resolution import read_evaluation_document
from impossible_moments.evaluation.runs.answer_collection import RunConditions
from impossible_moments.evaluation.runs.baselines import PREFIX
from impossible_moments.evaluation.runs.presentation import AnswerForm, build_answer_prompt
from impossible_moments.evaluation.scoring import is_scored_by_execution
from impossible_moments.evaluation.translation import (
    build_coded_record,
    build_mapping_task,
    build_reading_task,
    build_sample_items,
    has_wording,
)
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
READING: Final = 1_500
"""The expected tokens of an answer in codes, with its quotes."""
MAPPING_REVIEW: Final = 250
"""The expected tokens of the second pass of a translation."""
_SAMPLE_TEXT: Final = "some words of an answer "


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
    evaluation: PlannedEvaluation,
    scenarios: Sequence[Scenario],
    keys: Mapping[str, AnswerKey],
    prices: PriceTable,
) -> CostEstimate:
    """Estimate the usage of an evaluation. `keys` are needed only with judges or a translator."""
    form, runs = evaluation.conditions.form, evaluation.conditions.runs
    answers = _estimate_usage_for_answers(evaluation.conditions, scenarios, prices)
    cases = [
        RecordCase(
            each,
            keys[each.scenario_id],
            _make_placeholder_answer(form),
            read_evaluation_document(evaluation.rubrics, each.scenario_id),
        )
        for each in scenarios
        if evaluation.judges
        and (form is AnswerForm.FREE or not is_scored_by_execution(keys[each.scenario_id]))
    ]
    input_tokens = runs * sum(consultation_size(each.task) for each in cases)
    output_tokens = runs * sum(WHOLE_VERDICT if each.question.whole else VERDICT for each in cases)
    shares = [
        _compute_expected_usage(model, (runs * len(cases), input_tokens, output_tokens), prices)
        for model in evaluation.judges
    ]
    return CostEstimate(
        answers,
        tuple(shares[:NEEDED_OPINIONS]),
        tuple(shares[NEEDED_OPINIONS:]),
        _estimate_translator(evaluation, scenarios, keys, prices),
        judged_answers=runs * len(cases),
        reviews=runs * (len(scenarios) - len(cases)) if evaluation.judges else 0,
    )


def _estimate_usage_for_answers(
    conditions: RunConditions, scenarios: Sequence[Scenario], prices: PriceTable
) -> ExpectedUsage:
    prompts = (build_answer_prompt(each, conditions.presentation, conditions.form) for each in scenarios)
    calls = conditions.runs * len(scenarios)
    volume = (calls, conditions.runs * sum(map(estimate_text_prompt_tokens, prompts)), calls * ANSWER)
    if conditions.model.startswith(PREFIX):
        return ExpectedUsage(conditions.model, *volume, Decimal(0))
    return _compute_expected_usage(parse_model_reference(conditions.model), volume, prices)


def _estimate_translator(
    evaluation: PlannedEvaluation,
    scenarios: Sequence[Scenario],
    keys: Mapping[str, AnswerKey],
    prices: PriceTable,
) -> ExpectedUsage | None:
    if evaluation.translator is None:
        return None
    form, runs = evaluation.conditions.form, evaluation.conditions.runs
    text = _make_placeholder_answer(AnswerForm.FREE)
    # input and output tokens of each request
    requests: list[tuple[int, int]] = []
    for each in scenarios:
        key = keys[each.scenario_id]
        if has_wording(key):
            requests += _estimate_both_passes(each, key, text)
        elif form is AnswerForm.FREE and key.status != "OF":
            task = answer_translation.build_translation_task(each, text)
            requests.append((consultation_size(task), TRANSLATION))
    volume = (len(requests), sum(sent for sent, _ in requests), sum(given for _, given in requests))
    return _compute_expected_usage(
        evaluation.translator, (runs * volume[0], runs * volume[1], runs * volume[2]), prices
    )


def _estimate_both_passes(scenario: Scenario, key: AnswerKey, text: str) -> list[tuple[int, int]]:
    """Return the input and output tokens of a reading and of its review, for an answer that uses some deeds."""
    record = build_coded_record(key)
    items = build_sample_items(record, text)
    return [
        (consultation_size(build_reading_task(scenario, text, record)), READING),
        (consultation_size(build_mapping_task(items)), MAPPING_REVIEW),
    ]


def _compute_expected_usage(
    model: ModelReference, volume: tuple[int, int, int], prices: PriceTable
) -> ExpectedUsage:
    calls, input_tokens, output_tokens = volume
    return ExpectedUsage(
        str(model),
        calls,
        input_tokens,
        output_tokens,
        prices.compute_cost(model, input_tokens, output_tokens),
    )


def _make_placeholder_answer(form: AnswerForm) -> str:
    """Return a placeholder answer of typical length in the requested form."""
    text = (_SAMPLE_TEXT * ANSWER)[: 4 * ANSWER]
    return (
        text
        if form is AnswerForm.FREE
        else json.dumps({"verdict": "solvable", "plan": [], "because": [text]})
    )
