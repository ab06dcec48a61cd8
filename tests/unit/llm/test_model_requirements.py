"""A missing package or key is reported before any call, and a price list that is not installed is no error."""

from __future__ import annotations

import asyncio
import sys

import pytest

from impossible_moments.llm.api_keys import ApiKeys
from impossible_moments.llm.connection_pool import ConnectionPool
from impossible_moments.llm.model_failures import FailureKind, ModelFailure
from impossible_moments.llm.model_references import parse_model_reference
from impossible_moments.llm.price_table import PriceTable

MODEL = parse_model_reference("openai:gpt-4o")


@pytest.mark.parametrize("package", ["pydantic_ai", "openai"])
def test_a_model_without_its_packages_is_refused_with_what_to_install(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    pool = ConnectionPool(ApiKeys(for_all="k"))

    with pytest.raises(ModelFailure, match=r"pip install 'impossible-moments\[llm\]'") as refused:
        pool.require_packages([MODEL])
    assert refused.value.kind is FailureKind.NOT_INSTALLED
    with pytest.raises(ModelFailure, match="not installed"):
        asyncio.run(pool.open_connection(MODEL))


def test_a_model_without_a_key_is_refused() -> None:
    with pytest.raises(ModelFailure) as refused:
        ConnectionPool(ApiKeys()).require_keys_and_packages([MODEL])

    assert refused.value.kind is FailureKind.NO_KEY


def test_a_local_model_needs_no_key() -> None:
    ConnectionPool(ApiKeys()).require_keys_and_packages([parse_model_reference("local:small")])


def test_without_the_price_list_a_price_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "genai_prices", None)
    prices = PriceTable()

    assert (prices.compute_cost(MODEL, 10, 10), prices.get_context_window(MODEL)) == (None, None)
    assert "not installed" in prices.description
