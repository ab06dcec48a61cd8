"""Tools in a consultation: called together, called wrongly, called too often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from impossible_moments.llm.client.consultations import MOST_LOOK_UPS
from impossible_moments.llm.consultation_tasks import HAND_IN, ConsultationTask, ModelTool
from impossible_moments.llm.model_failures import FailureKind
from support.model_conversations import BOTH_PROTOCOLS, GOOD, TASK, ConsultationRecord, Note, consult_once
from support.providers.conversation import Brain, Call, Question, Reply, Result
from support.providers.server import serve_provider

WEIGHTS = {"brick": 2.1, "feather": 0.001}


def weigh(thing: str, times: int = 1) -> dict[str, float]:
    """The weight of some things, in kilograms."""
    return {"kg": WEIGHTS[thing] * times / (1 if times else 0)}


WEIGHING: ConsultationTask[Note] = replace(
    TASK, tools=(ModelTool("weigh", "The weight of some things, in kilograms.", weigh),)
)


def calling(*turns: Sequence[Call]) -> tuple[Brain, list[Question]]:
    """A model that makes these calls turn by turn and then hands in; and what it was asked."""
    heard: list[Question] = []

    def brain(question: Question) -> Reply:
        heard.append(question)
        given = turns[len(heard) - 1] if len(heard) <= len(turns) else (Call(HAND_IN, GOOD),)
        return Reply(calls=tuple(given))

    return brain, heard


def asked(protocol: str, *turns: Sequence[Call]) -> tuple[ConsultationRecord, list[Question]]:
    brain, heard = calling(*turns)
    with serve_provider(brain) as server:
        return consult_once(server, protocol, WEIGHING), heard


def results(question: Question) -> list[str]:
    return [result.text for result in question.last_message.results]


@BOTH_PROTOCOLS
def test_several_calls_of_one_answer_are_all_answered_under_their_own_names(protocol: str) -> None:
    calls = (Call("weigh", {"thing": "brick"}, "a1"), Call("weigh", {"thing": "feather", "times": 3}, "a2"))
    came, heard = asked(protocol, calls)
    assert heard[1].last_message.results == (Result("a1", '{"kg": 2.1}'), Result("a2", '{"kg": 0.003}'))
    assert came.result is not None
    assert [dict(each) for each in came.result.look_ups] == [
        {"tool": "weigh", "arguments": '{"thing":"brick"}', "result": '{"kg": 2.1}'},
        {"tool": "weigh", "arguments": '{"thing":"feather","times":3}', "result": '{"kg": 0.003}'},
    ]
    assert came.result.tries == 1


@BOTH_PROTOCOLS
def test_a_look_up_beside_the_deliverable_is_kept_too(protocol: str) -> None:
    came, heard = asked(protocol, (Call(HAND_IN, GOOD), Call("weigh", {"thing": "brick"})))
    assert came.result is not None
    assert (len(came.result.look_ups), len(heard)) == (1, 1)


@BOTH_PROTOCOLS
def test_wrong_calls_are_told_how_they_would_be_right_and_cost_no_try(protocol: str) -> None:
    calls = (
        Call("weigh", {"thing": 7}),
        Call("weigh", {"thing": "brick", "colour": "red"}),
        Call("weigh", {}, written='{"thing": brick'),
        Call("weigh", {"thing": "ghost"}),
        Call("weigh", {"thing": "brick", "times": 0}),
        Call("levitate", {}),
    )
    came, heard = asked(protocol, calls)
    wrong, unknown, broken, missing, divided, nothing = results(heard[1])
    assert "at thing: Input should be a valid string" in wrong
    assert "at colour" in unknown
    assert "The call cannot be read." in broken
    assert "ghost" in missing
    assert "division" in divided
    assert nothing == f"There is no tool `levitate`. The tools are weigh, {HAND_IN}."
    assert came.result is not None
    assert (came.result.tries, len(came.result.look_ups)) == (1, len(calls))


@BOTH_PROTOCOLS
def test_after_the_last_look_up_the_tools_are_gone_and_what_was_found_has_to_do(protocol: str) -> None:
    came, heard = asked(protocol, (Call("weigh", {"thing": "brick"}),) * (MOST_LOOK_UPS + 2))
    *answered, first_refused, second_refused = results(heard[1])
    assert set(answered) == {'{"kg": 2.1}'}
    assert first_refused == second_refused
    assert f"All {MOST_LOOK_UPS} look-ups are used up" in first_refused
    assert [tool.name for tool in heard[0].tools] == ["weigh", HAND_IN]
    assert [tool.name for tool in heard[1].tools] == [HAND_IN]
    assert came.result is not None
    assert len(came.result.look_ups) == MOST_LOOK_UPS


@BOTH_PROTOCOLS
def test_a_model_that_looks_up_for_ever_is_stopped(protocol: str) -> None:
    came, heard = asked(protocol, *([(Call("weigh", {"thing": "brick"}),)] * 200))
    assert came.kind is FailureKind.NO_DELIVERABLE
    assert len(heard) == MOST_LOOK_UPS + 3


@BOTH_PROTOCOLS
def test_a_model_is_shown_what_a_tool_takes(protocol: str) -> None:
    _, heard = asked(protocol)
    weighing, handing_in = heard[0].tools
    assert weighing.description == "The weight of some things, in kilograms."
    assert weighing.schema["required"] == ["thing"]
    assert handing_in.schema["required"] == ["text", "mark"]
