"""A whole scenario with a model for each role, over the providers' real protocols, on this machine alone."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.ledger.leases import ScenarioState
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.pipeline.cast_selection import ModelResources, build_cast, select_models
from impossible_moments.pipeline.ledger_places import LEDGER
from impossible_moments.pipeline.pipeline import Pipeline
from impossible_moments.pipeline.publishing.generation_results import GenerationResult
from support.model_double import RecordedModel, record_scenarios
from support.providers.conversation import Brain, Call, Question, Reply
from support.providers.server import Server, serve_provider

pytestmark = pytest.mark.slow
BRIEF = GenerationBrief(
    category="The Locked Room", difficulty_tier="FRACTURE", solution_status="KS", scenario_id="IM-0001"
)
KEYS = {"OPENAI_API_KEY": "sk-open-4f1c99", "ANTHROPIC_API_KEY": "sk-ant-77ab02"}
UNKNOWN = "nobody2099nothing"


def brain(understudy: RecordedModel) -> Brain:
    """NEWTON looks a material up before it reports; GALILEO cites, besides, a work that there is not."""

    def answer(question: Question) -> Reply:
        user = next(each.text for each in question.messages if each.role == "user")
        line = understudy.find_recorded_answer(question.system, user)
        looked_up = any(each.calls for each in question.messages)
        if "# NEWTON" in question.system and "PHASE: VALIDATE" in user and not looked_up:
            return Reply(calls=(Call("look_up", {"kind": "material", "name": "oak"}),), finish="tool")
        if "# GALILEO" in question.system and "further_citations" in line:
            line = {**line, "further_citations": [*line["further_citations"], UNKNOWN]}
        return Reply(calls=(Call("hand_in", line),), finish="tool")

    return answer


@pytest.fixture(scope="module")
def played(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[GenerationResult, GenerationResult, Server, Path]]:
    """The scenario as the built-in cast made it, as five models made it again, and where."""
    folder = tmp_path_factory.mktemp("models")
    understudy, (rehearsal,) = record_scenarios([BRIEF], folder / "rehearsal")
    settings = load_configuration()
    with pytest.MonkeyPatch.context() as patch, serve_provider(brain(understudy)) as server:
        for name, key in KEYS.items():
            patch.setenv(name, key)
        models = (
            f"openai:gpt-4o@{server.openai_url}",
            f"NEWTON=anthropic:claude-sonnet-5-5@{server.anthropic_url}",
            f"EULER=anthropic:claude-opus-5-5@{server.anthropic_url}",
            f"GALILEO=local:tiny@{server.openai_url}",
            f"SOCRATES=openai/gpt-4o-mini@{server.openai_url}",
        )
        cast = build_cast(
            select_models(models, settings), settings, load_everyday_library(), ModelResources()
        )
        result = Pipeline(output=folder / "out", performer=cast).generate(BRIEF)
        yield rehearsal, result, server, folder / "out"


def test_five_models_make_the_scenario_they_know(
    played: tuple[GenerationResult, GenerationResult, Server, Path],
) -> None:
    rehearsal, result, _, _ = played

    assert result.state is ScenarioState.ACCEPTED, result.reason
    assert result.public_document == rehearsal.public_document
    assert result.evaluation_document == rehearsal.evaluation_document


def test_each_role_is_asked_by_its_own_model_in_its_own_protocol(
    played: tuple[GenerationResult, GenerationResult, Server, Path],
) -> None:
    server = played[2]
    asked = Counter((each.protocol, (each.body or {}).get("model")) for each in server.requests)

    assert set(asked) == {
        ("openai", "gpt-4o"),
        ("openai", "gpt-4o-mini"),
        ("openai", "tiny"),
        ("anthropic", "claude-sonnet-5-5"),
        ("anthropic", "claude-opus-5-5"),
    }


def test_a_look_up_stands_in_the_trace_with_its_result(
    played: tuple[GenerationResult, GenerationResult, Server, Path],
) -> None:
    trace = played[1].methodology_trace

    assert "#### LOOK-UPS" in trace
    assert '| VALIDATE | look_up | {"kind":"material","name":"oak"} |' in trace
    assert "density" in trace.partition("#### LOOK-UPS")[2].partition("###")[0]


def test_a_work_outside_the_bibliography_is_marked_and_counts_for_nothing(
    played: tuple[GenerationResult, GenerationResult, Server, Path],
) -> None:
    assert f"unverified: {UNKNOWN}" in played[1].methodology_trace


def test_models_and_prompt_versions_are_in_metadata_and_trace(
    played: tuple[GenerationResult, GenerationResult, Server, Path],
) -> None:
    metadata = played[1].metadata
    assert metadata is not None
    newton = metadata.agent_versions["NEWTON"]

    assert newton.model.startswith("anthropic:claude-sonnet-5-5@http://127.0.0.1")
    assert newton.tokens is not None
    assert newton.peak_context is not None


def test_no_key_is_in_anything_that_was_written(
    played: tuple[GenerationResult, GenerationResult, Server, Path],
) -> None:
    _, _, server, folder = played
    written = [path for path in folder.rglob("*") if path.is_file()]

    assert folder / LEDGER in written
    for key in KEYS.values():
        assert any(key in str(request.headers) for request in server.requests)
        assert [path.name for path in written if key.encode() in path.read_bytes()] == []
