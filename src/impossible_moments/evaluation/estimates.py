"""Cost estimates of an evaluation, for answers, translations and judges, before any model is called."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final

from impossible_moments.evaluation.baselines import PREFIX
from impossible_moments.evaluation.engine import Conditions
from impossible_moments.evaluation.judges import Case
from impossible_moments.evaluation.judging import translation
from impossible_moments.evaluation.judging.judgements import ENOUGH
from impossible_moments.evaluation.judging.settling import document_of
from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.presentation import Form, prompt_of
from impossible_moments.evaluation.scoring import JUDGED
from impossible_moments.models.consultation import prompt_size as consultation_size
from impossible_moments.models.prices import PriceTable
from impossible_moments.models.references import ModelReference, reference
from impossible_moments.models.speaking import prompt_size
from impossible_moments.scenarios.scenario import Scenario

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
class Share:
    """The expected calls, tokens and cost of one model."""

    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    cost: Decimal | None
    """US dollars, or None if no price is known."""


@dataclass(frozen=True)
class Estimate:
    """The expected usage of all models in an evaluation."""

    answers: Share
    judges: tuple[Share, ...] = ()
    """The judges that read every answer that is certain to need them."""
    standing_by: tuple[Share, ...] = ()
    """The judges that read an answer only if earlier judges differ or fail; an upper bound."""
    translator: Share | None = None
    judged: int = 0
    """The number of answers that need judges, or may all need them."""
    reviews: int = 0
    """The number of answers that need judges only if part of them cannot be parsed."""

    @property
    def whole(self) -> Decimal | None:
        """US dollars for everything, including reserve judges, or None if a price is not known."""
        translator = (self.translator,) if self.translator is not None else ()
        costs = [each.cost for each in (self.answers, *self.judges, *self.standing_by, *translator)]
        return None if None in costs else sum((each for each in costs if each is not None), Decimal(0))


@dataclass(frozen=True)
class Inquiry:
    """The models of an evaluation and the conditions under which they are asked."""

    conditions: Conditions
    judges: tuple[ModelReference, ...] = ()
    translator: ModelReference | None = None
    rubrics: Path = Path()
    """The folder of the evaluation documents, which judges read."""


def estimated(
    inquiry: Inquiry, scenarios: Sequence[Scenario], keys: Mapping[str, AnswerKey], prices: PriceTable
) -> Estimate:
    """Estimate the usage of an evaluation. `keys` are needed only with judges or a translator."""
    form, runs = inquiry.conditions.form, inquiry.conditions.runs
    answers = _answers(inquiry.conditions, scenarios, prices)
    cases = [
        Case(each, keys[each.scenario_id], _stand_in(form), document_of(inquiry.rubrics, each.scenario_id))
        for each in scenarios
        if inquiry.judges and (form is Form.FREE or keys[each.scenario_id].status in JUDGED)
    ]
    sent = runs * sum(consultation_size(each.task) for each in cases)
    written = runs * sum(WHOLE_VERDICT if each.question.whole else VERDICT for each in cases)
    shares = [_share(model, (runs * len(cases), sent, written), prices) for model in inquiry.judges]
    return Estimate(
        answers,
        tuple(shares[:ENOUGH]),
        tuple(shares[ENOUGH:]),
        _translator(inquiry, scenarios, keys, prices),
        judged=runs * len(cases),
        reviews=runs * (len(scenarios) - len(cases)) if inquiry.judges else 0,
    )


def _answers(conditions: Conditions, scenarios: Sequence[Scenario], prices: PriceTable) -> Share:
    prompts = (prompt_of(each, conditions.presentation, conditions.form) for each in scenarios)
    calls = conditions.runs * len(scenarios)
    taken = (calls, conditions.runs * sum(map(prompt_size, prompts)), calls * ANSWER)
    if conditions.model.startswith(PREFIX):
        return Share(conditions.model, *taken, Decimal(0))
    return _share(reference(conditions.model), taken, prices)


def _translator(
    inquiry: Inquiry, scenarios: Sequence[Scenario], keys: Mapping[str, AnswerKey], prices: PriceTable
) -> Share | None:
    if inquiry.translator is None:
        return None
    runs, text = inquiry.conditions.runs, _stand_in(Form.FREE)
    sizes = [
        consultation_size(translation.task_of(each, text))
        for each in scenarios
        if keys[each.scenario_id].status != "OF"
    ]
    taken = (runs * len(sizes), runs * sum(sizes), runs * len(sizes) * TRANSLATION)
    return _share(inquiry.translator, taken, prices)


def _share(model: ModelReference, taken: tuple[int, int, int], prices: PriceTable) -> Share:
    calls, sent, written = taken
    return Share(str(model), calls, sent, written, prices.cost(model, sent, written))


def _stand_in(form: Form) -> str:
    """Return a placeholder answer of typical length in the requested form."""
    text = (_WORDS * ANSWER)[: 4 * ANSWER]
    return text if form is Form.FREE else json.dumps({"verdict": "solvable", "plan": [], "because": [text]})
