"""Implementation of `im resume`: continue interrupted and failed scenarios."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from rich.console import Console

from impossible_moments.agents.configuration import configuration
from impossible_moments.casting.choosing import Means, cast_of, chosen
from impossible_moments.cli.casts import Cast, Told, status_of
from impossible_moments.cli.outcome import DONE
from impossible_moments.cli.output_folder import opened
from impossible_moments.cli.printing import print_json, said
from impossible_moments.errors import ConfigurationError
from impossible_moments.knowledge.everyday import everyday
from impossible_moments.ledger import leases
from impossible_moments.ledger.leases import State
from impossible_moments.pipeline import Pipeline


def resume(names: Collection[str], *, cast: Cast, output: Path, config: Path | None, as_json: bool) -> int:
    """Continue unfinished scenarios and print one line for each result. Return the worst exit status."""
    failed = _failed(names, output)
    settings = configuration(config)
    means = Means(spending_limit=cast.spending_limit, prices=cast.prices)
    performer = cast_of(chosen(cast.models, settings), settings, everyday(), means)
    results = Pipeline(config, performer=Told(performer), output=output).resume(failed=failed)
    if as_json:
        rows = [
            {"scenario_id": each.scenario_id, "state": str(each.state), "reason": each.reason}
            for each in results
        ]
        print_json({"scenarios": rows, "cost": str(means.purse.spent)})
    else:
        console = Console()
        for each in results:
            why = f": {said(each.reason)}" if each.reason else "."
            console.print(f"{each.scenario_id} is {each.state}{why}", highlight=False)
        if not results:
            console.print(
                f"{output} has no unfinished scenarios. `im status --output {output}` lists all scenarios."
            )
        if means.purse.requests:
            console.print(f"  model usage: {means.purse}", highlight=False)
    return max((status_of(each) for each in results), default=DONE)


def _failed(names: Collection[str], output: Path) -> frozenset[str]:
    """Return the failed scenarios, or the named ones.

    Raise a ConfigurationError if a named one has not failed.
    """
    with opened(output) as store:
        failed = {row.scenario for row in store.read_now(leases.scenarios) if row.state is State.FAILED}
    for name in names:
        if name not in failed:
            raise ConfigurationError(
                f"{name} is not a failed scenario of {output}. Failed scenarios: {', '.join(sorted(failed)) or 'none'}. "
                "Interrupted scenarios are always continued."
            )
    return frozenset(names or failed)
