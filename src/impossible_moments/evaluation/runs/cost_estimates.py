"""Cost estimates of an evaluation, for answers, translations and judges, before any model is called."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.judging.judge_panel import RecordCase
from impossible_moments.evaluation.judging.judgement_aggregation import NEEDED_OPINIONS
from impossible_moments.evaluation.judging.open_run_resolution import read_evaluation_document
from impossible_moments.evaluation.menus import build_action_menu, render_menu_instructions
from impossible_moments.evaluation.runs.answer_collection import RunConditions
from impossible_moments.evaluation.runs.baselines import PREFIX
from impossible_moments.evaluation.runs.presentation import AnswerForm, build_answer_prompt
from impossible_moments.evaluation.scoring import is_scored_by_execution
from impossible_moments.evaluation.translation import (
    build_coded_record,
    build_mapping_task,
    build_reading_task,
    build_sample_items,
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
TURN: Final = 150
"""The expected tokens that a model writes in one turn of an episode."""
OBSERVATION: Final = 60
"""The expected tokens of what it observes after an act."""
MOST_TURNS: Final = 25
"""The most turns of an episode: 24 tool calls and the verdict."""
VERDICT: Final = 1_800
"""The expected tokens of a verdict, with all its quotes."""
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
    episodes: int = 0
    """The number of interactive episodes. Each of them takes several calls, one for each turn."""

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
    """Estimate the usage of an evaluation of scenarios with wording. `keys` are needed for all but plain answers."""
    form, runs = evaluation.conditions.form, evaluation.conditions.runs
    answers = _estimate_usage_for_answers(evaluation.conditions, scenarios, keys, prices)
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
    output_tokens = runs * VERDICT * len(cases)
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
        episodes=runs * len(scenarios) if form is AnswerForm.INTERACTIVE else 0,
    )


def _estimate_usage_for_answers(
    conditions: RunConditions,
    scenarios: Sequence[Scenario],
    keys: Mapping[str, AnswerKey],
    prices: PriceTable,
) -> ExpectedUsage:
    volumes = [_estimate_answer(conditions, each, keys.get(each.scenario_id)) for each in scenarios]
    calls, sent, written = (conditions.runs * sum(each) for each in zip(*volumes, strict=True))
    if conditions.model.startswith(PREFIX):
        return ExpectedUsage(conditions.model, calls, sent, written, Decimal(0))
    return _compute_expected_usage(parse_model_reference(conditions.model), (calls, sent, written), prices)


def _estimate_answer(
    conditions: RunConditions, scenario: Scenario, key: AnswerKey | None
) -> tuple[int, int, int]:
    """Return the calls, input tokens and output tokens of one answer."""
    menu = ""
    if key is not None and conditions.form in {AnswerForm.MENU, AnswerForm.INTERACTIVE}:
        with_unsaid = conditions.form is AnswerForm.INTERACTIVE
        menu = render_menu_instructions(build_action_menu(key, with_unsaid=with_unsaid))
    prompt = build_answer_prompt(scenario, conditions.presentation, conditions.form, menu)
    size = estimate_text_prompt_tokens(prompt)
    if key is None or conditions.form is not AnswerForm.INTERACTIVE:
        return 1, size, ANSWER
    turns = _estimate_turns(conditions, key)
    # each turn sends the prompt and all turns before it again
    sent = turns * size + (TURN + OBSERVATION) * turns * (turns - 1) // 2
    return turns, sent, turns * TURN


def _estimate_turns(conditions: RunConditions, key: AnswerKey) -> int:
    """Return the expected turns of an episode: the acts of the longest plan for each attempt, a look before each, a verdict."""
    longest = max((len(plan) for plan in key.analysis.plans.values()), default=1)
    return min((1 + conditions.restarts) * 2 * longest + 1, MOST_TURNS)


def _estimate_translator(
    evaluation: PlannedEvaluation,
    scenarios: Sequence[Scenario],
    keys: Mapping[str, AnswerKey],
    prices: PriceTable,
) -> ExpectedUsage | None:
    if evaluation.translator is None:
        return None
    runs = evaluation.conditions.runs
    text = _make_placeholder_answer(AnswerForm.FREE)
    # input and output tokens of each request
    requests: list[tuple[int, int]] = []
    for each in scenarios:
        requests += _estimate_both_passes(each, keys[each.scenario_id], text)
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
