"""Output of cost estimates for `im create --dry-run`."""

from __future__ import annotations

from decimal import Decimal

from impossible_moments.cli.output.formatting import print_json
from impossible_moments.cli.output.tables import create_table
from impossible_moments.cli.output.terminal import Console
from impossible_moments.pipeline import REQUESTS, ScenarioCostEstimate


def print_creation_estimate(estimate: ScenarioCostEstimate, *, as_json: bool = False) -> None:
    """Print an estimate as a table, or as JSON."""
    if as_json:
        print_json(_convert_estimate_to_dict(estimate))
        return
    numbers = ("calls", "tokens in", "tokens out", "cost")
    table = create_table("agent", "model", *numbers, whole=("agent", *numbers), right=numbers)
    for part in estimate.parts:
        figures = (part.calls, part.input_tokens, part.output_tokens)
        table.add_row(part.agent, part.model, *(f"{each:,}" for each in figures), _format_cost(part.cost))
    table.add_row(
        "all",
        "",
        *(f"{each:,}" for each in (estimate.calls, estimate.input_tokens, estimate.output_tokens)),
        _format_cost(estimate.cost),
        style="bold",
    )
    console = Console()
    console.print(table)
    turns = ", ".join(f"{count} for a {kind}" for kind, count in REQUESTS.items())
    console.print(
        f"Estimate for one scenario, without revisions requested by gates. Assumed calls: {turns}, otherwise 1. "
        f"Prices: {estimate.prices}. No model was called.",
        style="dim",
    )


def _convert_estimate_to_dict(estimate: ScenarioCostEstimate) -> dict[str, object]:
    return {
        "scenarios": 1,
        "calls": estimate.calls,
        "input_tokens": estimate.input_tokens,
        "output_tokens": estimate.output_tokens,
        "cost": None if estimate.cost is None else str(estimate.cost),
        "prices": estimate.prices,
        "agents": {
            part.agent: {
                "model": part.model,
                "calls": part.calls,
                "input_tokens": part.input_tokens,
                "output_tokens": part.output_tokens,
                "cost": None if part.cost is None else str(part.cost),
            }
            for part in estimate.parts
        },
    }


def _format_cost(cost: Decimal | None) -> str:
    return "unknown price" if cost is None else f"${cost:.4f}"
