"""An evaluation with a translator and judges that is killed and interrupted ends as if nothing had happened."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

from support.eval_commands import read_results
from support.instruments import JUDGES, REPLY_COST, TRANSLATOR
from support.interrupted_evaluations import (
    AT_ONCE,
    INSTRUMENTS,
    RecordedProvider,
    interrupt_after,
    kill_after,
    run_whole,
)
from support.providers.server import serve_provider
from support.scored_scenarios import create_published_folder


@pytest.mark.slow
def test_an_evaluation_killed_and_interrupted_gives_the_same_results_and_repeats_only_what_was_under_way(
    tmp_path: Path,
) -> None:
    provider = RecordedProvider(create_published_folder())
    with serve_provider(provider, latency=0.6) as server:
        expected = run_whole(provider, server, tmp_path / "undisturbed")
        once = provider.asked.copy()
        provider.asked.clear()
        broken = tmp_path / "broken"
        kill_after(provider, server, broken, 3, "small-1")
        shown = interrupt_after(provider, server, broken, 3, *INSTRUMENTS)
        found = run_whole(provider, server, broken)
    assert "Run the same command again" in shown
    assert "Traceback" not in shown
    assert found == expected
    assert not [each for each, count in once.items() if count > 1]
    assert provider.asked.keys() == once.keys()
    repeated = Counter(provider.list_repeated())
    assert all(count <= 2 * AT_ONCE for count in repeated.values())
    assert max(provider.asked.values()) <= 3
    results = read_results(broken / "r.json")
    judged = sum(count for (model, _), count in once.items() if model in JUDGES)
    read = sum(count for (model, _), count in once.items() if model == TRANSLATOR)
    assert judged > 0
    assert read > 0
    assert Decimal(results.judge_cost or 0) == judged * REPLY_COST
    assert Decimal(results.translator_cost or 0) == read * REPLY_COST
    assert results.cost is not None
    assert Decimal(results.cost) == provider.count * REPLY_COST
