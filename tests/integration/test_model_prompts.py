"""What models are sent: the prompts of the five for a real scenario, word for word, and nothing that the matrix hides.

`IM_WRITE_GOLDEN=1 python -m pytest tests/integration/test_model_prompts.py` writes the golden prompts anew; read the
difference before committing it.
"""

import json
import os
import re
from functools import cache
from pathlib import Path

import pytest

from impossible_moments.agents.adapters.context_condensation import (
    LONGEST_READ,
    build_section_reader,
    condense_context,
)
from impossible_moments.agents.adapters.llm_adapter import LanguageModelAdapter
from impossible_moments.agents.adapters.replay_adapter import RunRecording
from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.agents.orchestrator.context.view_summaries import read_omitted_field
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.orchestrator import create_scenario
from impossible_moments.agents.orchestrator.rules import build_scenario_rules
from impossible_moments.agents.scripted_players import run_flow_with_player
from impossible_moments.domain.vocabulary import HUMAN, ROLES, Phase
from impossible_moments.errors import ConfigurationError
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.llm.model_references import parse_model_reference
from impossible_moments.pipeline.cast_selection import ModelResources, build_model_adapter
from impossible_moments.scenarios.similarity.embedding import TfidfEmbedder
from properties.test_phases import moments
from support.canaries import format_view

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests/golden/prompts"
RECORDED = ROOT / "examples/blast_room_run.json"
LEADING = ("seed", "physics", "mathematics", "grounding", "classification")


@cache
def adapter() -> LanguageModelAdapter:
    settings = load_configuration()
    models = dict.fromkeys(settings.roster, parse_model_reference("openai:gpt-4o"))
    return build_model_adapter(models, settings, load_everyday_library(), ModelResources(), needs_keys=False)


@cache
def asks() -> tuple[Ask, ...]:
    """All asks of the recorded scenario."""
    recording = RunRecording.load(RECORDED)
    brief = recording.brief.model_copy(update={"scenario_id": "IM-0001"})
    heard: list[Ask] = []
    run_flow_with_player(
        create_scenario(
            brief, build_scenario_rules(load_configuration(), load_everyday_library(), TfidfEmbedder())
        ),
        recording.answer,
        heard,
    )
    return tuple(heard)


@pytest.mark.parametrize("topic", LEADING)
def test_the_prompts_of_the_five_are_the_golden_ones(topic: str) -> None:
    ask = next(each for each in asks() if each.key.split("/")[2] == topic)
    sent = str(adapter().build_prompt(ask))
    path = GOLDEN / f"{ask.agent.lower()}_{topic}.txt"
    if os.environ.get("IM_WRITE_GOLDEN"):
        path.write_text(sent, encoding="utf-8")

    assert sent == path.read_text(encoding="utf-8")


def test_every_role_has_a_golden_prompt() -> None:
    assert {path.stem.partition("_")[0].upper() for path in GOLDEN.glob("*.txt")} == set(ROLES)


@pytest.mark.slow
@pytest.mark.parametrize("order", range(3))
def test_no_prompt_shows_what_the_view_does_not(order: int) -> None:
    for moment in moments(order):
        if moment.ask.agent == HUMAN:
            continue
        prompt = str(adapter().build_prompt(moment.ask))
        for written in moment.before:
            shown = [leaf.canary for leaf in written.leaves if leaf.canary and leaf.canary in prompt]
            assert [each for each in shown if each not in moment.text] == []


@pytest.mark.slow
def test_reading_on_demand_gives_the_view_and_no_more() -> None:
    for moment in moments(0):
        view = moment.ask.assignment.readable_context
        if moment.ask.agent == HUMAN:
            continue
        for place in condense_context(moment.ask).get("on_demand", ()):
            author, document = re.match(r"(\w+) (\w+)", place).groups()  # type: ignore[union-attr]
            for name in read_omitted_field(view, author, document):
                assert json.dumps(
                    read_omitted_field(view, author, document, name), ensure_ascii=False
                ) in format_view(view)


def test_everything_that_a_prompt_leaves_out_is_listed_and_can_be_read() -> None:
    for ask in asks():
        if ask.agent == HUMAN:
            continue
        whole, shown = ask.assignment.readable_context, condense_context(ask)
        listed = " ".join(shown.get("on_demand", ()))
        visible = {(each["author"], each["document"]): each["fields"] for each in shown["sections"]}
        reader = build_section_reader(whole, ask.assignment.phase)
        for section in whole["sections"]:
            place = (section["author"], section["document"])
            for name, value in section["fields"].items():
                if visible.get(place, {}).get(name) != value and value not in (None, "", [], {}):
                    assert " ".join(place) in listed
                    assert (
                        reader(*place, name)["value"] == json.dumps(value, ensure_ascii=False)[:LONGEST_READ]
                    )


def test_what_is_not_there_cannot_be_read() -> None:
    view = asks()[-1].assignment.readable_context
    reader = build_section_reader(view, Phase.DOCUMENT)

    with pytest.raises(
        ConfigurationError, match=r"No PhysicsReport of ZEUS in this context.*may read in DOCUMENT"
    ):
        reader("ZEUS", "PhysicsReport")
    with pytest.raises(ConfigurationError, match="`secret` is not among the fields concept_summary"):
        reader("ATHENA", "SeedDocument", "secret")
    with pytest.raises(ConfigurationError, match="give a start from 0 to"):
        reader("ATHENA", "SeedDocument", "scenario", start=10**6)
