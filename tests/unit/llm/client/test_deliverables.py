"""How a deliverable is got out of a model: three tries, each told what was wrong with the one before."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from impossible_moments.llm.client.consultations import LARGEST_REPLY
from impossible_moments.llm.consultation_tasks import HAND_IN, ReviewedDeliverable
from impossible_moments.llm.model_failures import FailureKind
from support.model_conversations import BOTH_PROTOCOLS, GOOD, TASK, Note, consult_once
from support.providers.conversation import Brain, Call, Question, Reply, Usage
from support.providers.server import serve_provider

Answer = dict[str, object] | str | Reply


def saying(*answers: Answer) -> tuple[Brain, list[Question]]:
    """A model that hands in one after the other, the last for ever, and what it was asked."""
    heard: list[Question] = []

    def brain(question: Question) -> Reply:
        heard.append(question)
        answer = answers[min(len(heard), len(answers)) - 1]
        if isinstance(answer, Reply):
            return answer
        written = answer if isinstance(answer, str) else None
        return Reply(calls=(Call(HAND_IN, {} if isinstance(answer, str) else answer, written=written),))

    return brain, heard


def told(question: Question) -> str:
    """What the model was last told, whichever way the protocol carries it."""
    return "\n".join((question.last_message.text, *(result.text for result in question.last_message.results)))


WRONG: dict[str, tuple[Answer, str]] = {
    "no JSON": ('{"text": "a", oops', "at the whole: Invalid JSON"),
    "a missing field": ({"text": "a"}, "at mark: Field required"),
    "a wrong type": ({"text": "a", "mark": "three"}, "at mark: Input should be a valid integer"),
    "an unknown field": ({**GOOD, "colour": "red"}, "at colour: Extra inputs are not permitted"),
    "no object": ('["text"]', "at the whole: Input should be an object"),
    "nothing": ({}, "at text: Field required"),
    "prose": (Reply("I would rather talk about it."), f"Call the tool `{HAND_IN}`"),
    "silence": (Reply(""), f"Call the tool `{HAND_IN}`"),
}
EVERY_WRONG = pytest.mark.parametrize(
    ("wrong", "finding"), [pytest.param(*case, id=name) for name, case in WRONG.items()]
)


@BOTH_PROTOCOLS
@EVERY_WRONG
def test_the_model_is_told_what_is_wrong_and_a_second_try_counts(
    protocol: str, wrong: Answer, finding: str
) -> None:
    brain, heard = saying(wrong, GOOD)
    with serve_provider(brain) as server:
        came = consult_once(server, protocol)
    assert came.result is not None
    assert (came.result.deliverable, came.result.tries, len(heard)) == (Note(text="It floats.", mark=3), 2, 2)
    assert finding in told(heard[1])
    assert "2 of 3 tries are left" in told(heard[1])


@BOTH_PROTOCOLS
@EVERY_WRONG
def test_three_tries_and_then_there_is_no_deliverable(protocol: str, wrong: Answer, finding: str) -> None:
    brain, heard = saying(wrong)
    with serve_provider(brain) as server:
        came = consult_once(server, protocol)
        assert came.budget.output_tokens == server.bill.output_tokens
    assert (came.kind, len(heard)) == (FailureKind.NO_DELIVERABLE, 3)
    assert finding in told(heard[2])
    assert "1 of 3 tries are left" in told(heard[2])


@BOTH_PROTOCOLS
def test_a_deliverable_beyond_all_measure_is_not_read(protocol: str) -> None:
    much = Reply(calls=(Call(HAND_IN, {"text": "a" * LARGEST_REPLY, "mark": 1}),))
    brain, heard = saying(much, GOOD)
    with serve_provider(brain) as server:
        came = consult_once(server, protocol, most=LARGEST_REPLY)
    assert came.result is not None
    assert came.result.tries == 2
    assert f"The limit is {LARGEST_REPLY:,}." in told(heard[1])


@BOTH_PROTOCOLS
def test_a_usage_that_cannot_be_true_does_not_save_the_budget(protocol: str) -> None:
    much = Reply(calls=(Call(HAND_IN, {"text": "a" * LARGEST_REPLY, "mark": 1}),), usage=Usage(100, 100))
    brain, heard = saying(much, GOOD)
    with serve_provider(brain) as server:
        came = consult_once(server, protocol)
    assert (came.kind, len(heard)) == (FailureKind.BUDGET, 1)


@BOTH_PROTOCOLS
def test_a_role_whose_budget_is_gone_is_not_asked_again(protocol: str) -> None:
    brain, heard = saying(Reply("Let me think.", usage=Usage(100, 19_900)), GOOD)
    with serve_provider(brain) as server:
        came = consult_once(server, protocol)
    assert (came.kind, len(heard)) == (FailureKind.BUDGET, 1)


@BOTH_PROTOCOLS
def test_what_was_said_before_is_sent_again_in_the_form_of_the_protocol(protocol: str) -> None:
    brain, heard = saying('{"text": broken', {"text": "a"}, GOOD)
    with serve_provider(brain) as server:
        consult_once(server, protocol)
    opening, *rest = heard[2].messages
    assert (heard[2].system, opening.text) == (TASK.system, TASK.user)
    assert [message.role for message in rest] == ["assistant", "user", "assistant", "user"]
    for said, answered in zip(rest[::2], rest[1::2], strict=True):
        assert [call.id for call in said.calls] == [result.id for result in answered.results]
    assert heard[2].tool_choice in {"any", HAND_IN}


@BOTH_PROTOCOLS
@pytest.mark.parametrize("around", ["{}", "Here it is:\n```json\n{}\n```\nI hope it helps."])
def test_a_deliverable_that_is_written_instead_of_called_is_read(protocol: str, around: str) -> None:
    brain, heard = saying(Reply(around.replace("{}", json.dumps(GOOD))))
    with serve_provider(brain) as server:
        came = consult_once(server, protocol)
    assert came.result is not None
    assert (came.result.tries, len(heard)) == (1, 1)


def marked(least: int) -> Callable[[Note], ReviewedDeliverable[Note]]:
    """A review that wants a mark of so much."""
    return lambda note: ReviewedDeliverable(
        note, () if note.mark >= least else (f"the mark is {note.mark}, not {least}",)
    )


@BOTH_PROTOCOLS
def test_what_a_review_finds_goes_back_to_the_model(protocol: str) -> None:
    brain, heard = saying(GOOD, {**GOOD, "mark": 9})
    with serve_provider(brain) as server:
        came = consult_once(server, protocol, replace(TASK, review=marked(9)))
    assert "- the mark is 3, not 9" in told(heard[1])
    assert came.result is not None
    assert (came.result.deliverable.mark, came.result.faults, came.result.tries) == (9, (), 2)


@BOTH_PROTOCOLS
@pytest.mark.parametrize(
    "later", [GOOD, '{"text": broken', Reply("Enough.")], ids=["same", "broken", "prose"]
)
def test_what_is_readable_and_still_at_fault_is_handed_in_with_its_faults(
    protocol: str, later: Answer
) -> None:
    brain, heard = saying(GOOD, later)
    with serve_provider(brain) as server:
        came = consult_once(server, protocol, replace(TASK, review=marked(9)))
    assert came.result is not None
    assert (came.result.faults, came.result.tries, len(heard)) == (("the mark is 3, not 9",), 3, 3)


@BOTH_PROTOCOLS
def test_a_truncated_second_try_does_not_cost_the_first(protocol: str) -> None:
    brain, heard = saying(GOOD, Reply("It is", finish="length"))
    with serve_provider(brain) as server:
        came = consult_once(server, protocol, replace(TASK, review=marked(9)))
        assert came.budget.requests == server.bill.requests == 2
    assert came.result is not None
    assert (came.result.deliverable.mark, came.result.faults) == (3, ("the mark is 3, not 9",))
    assert len(heard) == 2


@BOTH_PROTOCOLS
def test_of_two_deliverables_in_one_answer_the_first_counts(protocol: str) -> None:
    twice = Reply(calls=(Call(HAND_IN, GOOD), Call(HAND_IN, {**GOOD, "mark": 9})))
    brain, _ = saying(twice)
    with serve_provider(brain) as server:
        came = consult_once(server, protocol)
    assert came.result is not None
    assert came.result.deliverable.mark == 3


@pytest.mark.parametrize(
    ("protocol", "name"),
    [("openai", "max_completion_tokens"), ("local", "max_tokens"), ("anthropic", "max_tokens")],
)
def test_every_request_says_how_much_may_be_written_and_never_more_than_is_left(
    protocol: str, name: str
) -> None:
    """Local servers know the older name alone, and write without end where they are told the newer one."""
    brain, heard = saying(Reply("Hm.", usage=Usage(10, 19_300)), Reply("Hm.", usage=Usage(10, 300)), GOOD)
    with serve_provider(brain) as server:
        came = consult_once(server, protocol)
    assert came.result is not None
    assert [question.raw[name] for question in heard] == [1_000, 700, 400]
    assert {"max_tokens", "max_completion_tokens"} & set(heard[0].raw) == {name}
