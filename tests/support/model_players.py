"""Whole scenarios through a local provider that answers with recorded deliverables."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Final

from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.llm.consultation_tasks import HAND_IN
from impossible_moments.llm.model_references import parse_model_reference
from impossible_moments.llm.price_table import load_price_table
from impossible_moments.pipeline.cast_selection import ModelResources
from impossible_moments.pipeline.pipeline import Pipeline
from support.model_conversations import QUICK, SECRET
from support.model_double import RecordedModel
from support.providers.conversation import Call, Question, Reply
from support.providers.faults import Fault
from support.providers.server import Server

PRICES: Final = "openai:small-1: {input: 2.5, output: 10}\nanthropic:small-1: {input: 3, output: 15}\n"


def build_brief(number: int, seed: int) -> GenerationBrief:
    return GenerationBrief(
        category="The Locked Room",
        difficulty_tier="FRACTURE",
        solution_status="KS",
        seed=seed,
        scenario_id=f"IM-{number:04}",
    )


BRIEFS: Final = (build_brief(1, 7), build_brief(2, 11))


class RecordedProvider:
    """A recorded model behind a provider that counts the answers to each ask and the largest number at once."""

    def __init__(self, understudy: RecordedModel) -> None:
        self._understudy = understudy
        understudy._said.clear()
        self.answered: Counter[tuple[str, str]] = Counter()
        self.under_way = self.most_at_once = 0

    def __call__(self, question: Question) -> Reply:
        self.under_way -= 1
        ask = (question.system, question.messages[0].text)
        self.answered[ask] += 1
        return Reply(calls=(Call(HAND_IN, self._understudy.find_recorded_answer(*ask)),))

    def enters(self, _number: int, _question: Question) -> Fault | None:
        self.under_way += 1
        self.most_at_once = max(self.most_at_once, self.under_way)
        return None


def build_model_name(server: Server, protocol: str) -> str:
    return f"{protocol}:small-1@{server.anthropic_url if protocol == 'anthropic' else server.openai_url}"


def build_resources(tmp_path: Path, limit: str | None = None) -> ModelResources:
    (tmp_path / "prices.yaml").write_text(PRICES, encoding="utf-8")
    return ModelResources(
        api_key=SECRET,
        spending_limit=Decimal(limit) if limit else None,
        prices=tmp_path / "prices.yaml",
        retry_policy=QUICK,
    )


def build_pipeline(server: Server, protocol: str, folder: Path, given: ModelResources) -> Pipeline:
    return Pipeline(output=folder / "out", model_provider=build_model_name(server, protocol), means=given)


def compute_cost(server: Server, protocol: str, given: ModelResources) -> Decimal:
    bill, table = server.bill, load_price_table(given.prices)
    cost = table.compute_cost(
        parse_model_reference(build_model_name(server, protocol)), bill.input_tokens, bill.output_tokens
    )
    assert cost is not None
    return cost
