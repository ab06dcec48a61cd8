"""Every performer has the whole port; a mixed cast asks the designer what only the designer knows."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

from impossible_moments.agents.adapters.builtin_adapter import BuiltinAdapter
from impossible_moments.agents.adapters.performer import PerformedAsk, Performer
from impossible_moments.agents.builtin.athena.offer_selection import UnreachableBrief
from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.vocabulary import ATHENA, NEWTON, Phase
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.pipeline.cast_selection import ModelResources, build_cast, select_models
from impossible_moments.pipeline.performers import RolePerformer, ScriptedPerformer
from support.performer_doubles import PlainPerformer
from support.small_flow import Idea, build_ask

UNREACHABLE = GenerationBrief(
    category="The Locked Room", difficulty_tier="IMPOSSIBLE", solution_status="DG", constraints=()
)


@dataclass
class Counting(PlainPerformer):
    """Counts how often it is asked and closed."""

    asked: int = 0
    closed: int = 0

    async def perform(self, ask: Ask) -> PerformedAsk:
        self.asked += 1
        return PerformedAsk(Idea(text=ask.key))

    async def close(self) -> None:
        self.closed += 1


def cast_of(*names: str) -> Performer:
    settings = load_configuration()
    models = select_models(names, settings, environ={})
    return build_cast(models, settings, load_everyday_library(), ModelResources(api_key="k"))


def test_an_ask_goes_to_the_performer_of_its_role() -> None:
    designer, validator = Counting(), Counting()
    cast = RolePerformer({ATHENA: designer, NEWTON: validator})
    asyncio.run(cast.perform(build_ask(NEWTON, Phase.VALIDATE, "idea", [], Idea)))

    assert (designer.asked, validator.asked) == (0, 1)


def test_a_performer_of_several_roles_is_closed_once() -> None:
    both = Counting()
    asyncio.run(RolePerformer({ATHENA: both, NEWTON: both}).close())

    assert both.closed == 1


@pytest.mark.parametrize("names", [("builtin",), ("openai:gpt-4o", "ATHENA=builtin")])
def test_a_cast_with_the_built_in_designer_reads_documents_and_refuses_what_it_cannot_make(
    names: tuple[str, ...],
) -> None:
    cast = cast_of(*names)

    assert cast.reader is not None
    with pytest.raises(UnreachableBrief):
        cast.require_feasible_brief(UNREACHABLE)


@pytest.mark.parametrize("names", [("openai:gpt-4o",), ("ATHENA=openai:gpt-4o",)])
def test_a_cast_with_a_model_as_designer_has_no_reader_and_may_make_anything(names: tuple[str, ...]) -> None:
    cast = cast_of(*names)
    cast.require_feasible_brief(UNREACHABLE)

    assert cast.reader is None


def test_a_script_and_the_built_in_cast_have_nothing_to_close() -> None:
    performers: list[Performer] = [
        ScriptedPerformer(lambda ask: Idea(text=ask.key)),
        BuiltinAdapter(),
    ]
    for performer in performers:
        asyncio.run(performer.close())
