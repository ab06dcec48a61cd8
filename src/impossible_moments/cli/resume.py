"""`im resume`: go on with what was interrupted or failed; what was answered is not asked again."""

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
    """Go on, and say in a line each what came of it; returns the worst exit status."""
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
                f"Nothing in {output} is unfinished. `im status --output {output}` lists what there is."
            )
        if means.purse.requests:
            console.print(f"  models took {means.purse}", highlight=False)
    return max((status_of(each) for each in results), default=DONE)


def _failed(names: Collection[str], output: Path) -> frozenset[str]:
    """The scenarios that failed, all of them or those named."""
    with opened(output) as store:
        failed = {row.scenario for row in store.read_now(leases.scenarios) if row.state is State.FAILED}
    for name in names:
        if name not in failed:
            raise ConfigurationError(
                f"{name} is no scenario of {output} that failed; those are {', '.join(sorted(failed)) or 'none'}. "
                "Interrupted ones are gone on with in any case."
            )
    return frozenset(names or failed)
