"""Prices of model calls: the table of the genai-prices package, overridden by a file of the user."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import cached_property
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.llm.model_references import LOCAL, ModelReference, parse_model_reference
from impossible_moments.mechanics.records import load_document

MILLION: Final = Decimal(1_000_000)
_FORM: Final = (
    "a line for each model: `openai:gpt-4o: {input: 2.5, output: 10}`, in dollars for a million tokens"
)


@dataclass(frozen=True)
class PriceTable:
    """Prices by model.

    Local models cost nothing. A model without a known price has no cost, not an estimated one.
    """

    user_prices: Mapping[str, tuple[Decimal, Decimal]] = field(default_factory=dict)
    """Dollars for a million input tokens and a million output tokens, from the user's file."""
    user_file_name: str = ""

    def compute_cost(self, model: ModelReference, input_tokens: int, output_tokens: int) -> Decimal | None:
        """Return the cost of a call in dollars, or None if the price of the model is not known."""
        plain = f"{model.provider}:{model.name}"
        given = self.user_prices.get(str(model), self.user_prices.get(plain))
        if given is not None:
            return (given[0] * input_tokens + given[1] * output_tokens) / MILLION
        if model.provider == LOCAL:
            return Decimal(0)
        return _compute_listed_cost(model, input_tokens, output_tokens)

    def get_context_window(self, model: ModelReference) -> int | None:
        """Return how many tokens a model can read, or None if that is not known."""
        if not _is_genai_prices_installed():
            return None
        from genai_prices.data_snapshot import get_snapshot  # noqa: PLC0415 - slow to import, see below

        try:
            _, found = get_snapshot().find_provider_model(model.name, None, model.provider, None)
        except LookupError:
            return None
        return found.context_window

    @cached_property
    def description(self) -> str:
        """The name and the date of the price table, for printing."""
        listed = _describe_listed_prices()
        return f"{self.user_file_name}, else {listed}" if self.user_prices else listed


def load_price_table(path: Path | None = None) -> PriceTable:
    """Load the price table. `path` names the user's file, whose prices take precedence."""
    return PriceTable() if path is None else PriceTable(dict(_read_user_prices(path)), path.name)


def _read_user_prices(path: Path) -> Iterator[tuple[str, tuple[Decimal, Decimal]]]:
    data: Any = load_document(path)
    if not isinstance(data, dict):
        raise ConfigurationError(f"{path.name} is not a price table. Write {_FORM}.")
    for name, given in data.items():
        try:
            pair = (Decimal(str(given["input"])), Decimal(str(given["output"])))
        except (KeyError, TypeError, InvalidOperation):
            pair = (Decimal(-1), Decimal(-1))
        if not all(each.is_finite() and each >= 0 for each in pair):
            raise ConfigurationError(f"{path.name}: the price of `{name}` cannot be read. Write {_FORM}.")
        yield str(parse_model_reference(str(name))), pair


def _is_genai_prices_installed() -> bool:
    """Return whether genai-prices is installed, which the `[llm]` extra brings."""
    return find_spec("genai_prices") is not None


def _describe_listed_prices() -> str:
    if not _is_genai_prices_installed():
        return "no listed prices, because genai-prices is not installed"
    newest = max(_iterate_price_dates(), default=None)
    return f"prices of genai-prices {version('genai-prices')}" + (f", newest of {newest}" if newest else "")


def _compute_listed_cost(model: ModelReference, input_tokens: int, output_tokens: int) -> Decimal | None:
    if not _is_genai_prices_installed():
        return None
    from genai_prices import Usage, calc_price  # noqa: PLC0415 - takes a second to import, and few commands need it

    try:
        usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens)
        return calc_price(usage, model.name, provider_id=model.provider).total_price
    except LookupError:
        return None


def _iterate_price_dates() -> Iterator[date]:
    """Yield the dates from which listed prices apply, up to today."""
    from genai_prices.data_snapshot import get_snapshot  # noqa: PLC0415

    for provider in get_snapshot().providers:
        for model in provider.models:
            conditions: list[Any] = model.prices if isinstance(model.prices, list) else []
            for each in conditions:
                start = getattr(each.constraint, "start_date", None)
                if isinstance(start, date) and start <= date.today():  # noqa: DTZ011 - price dates have no time zone
                    yield start
