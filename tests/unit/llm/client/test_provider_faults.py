"""What a consultation makes of everything that goes wrong between a client and its provider."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from impossible_moments.llm.call_pacing import RetryPolicy
from impossible_moments.llm.model_failures import UNBILLED, FailureKind, ModelFailure
from support.model_conversations import EVERY_PROTOCOL, SECRET, ConsultationSetup, consult_once, hand_in_note
from support.providers import faults
from support.providers.dialect import Error
from support.providers.faults import Break, Failure, Fault, Slow, plan_always, plan_first
from support.providers.server import serve_provider

TRIES = 5
TWO_HOURS = 7_200.0

# fmt: off
FINAL: dict[str, tuple[Fault, FailureKind]] = {
    "used-up quota":     (faults.QUOTA,           FailureKind.QUOTA),
    "no credit":         (faults.CREDIT,          FailureKind.QUOTA),
    "wrong key":         (faults.WRONG_KEY,       FailureKind.WRONG_KEY),
    "forbidden":         (faults.FORBIDDEN,       FailureKind.WRONG_KEY),
    "no such model":     (faults.NO_MODEL,        FailureKind.NO_MODEL),
    "context overflow":  (faults.CONTEXT,         FailureKind.OVERFLOW),
    "bad request":       (faults.BAD_REQUEST,     FailureKind.REJECTED),
    "truncated":         (faults.TRUNCATED,       FailureKind.TRUNCATED),
    "refused":           (faults.REFUSED,         FailureKind.REFUSED),
    "filtered":          (faults.FILTERED,        FailureKind.REFUSED),
    "refused partway":   (faults.REFUSED_PARTWAY, FailureKind.REFUSED),
    "a page":            (Break.HTML,             FailureKind.GARBLED),
    "an empty body":     (Break.EMPTY,            FailureKind.GARBLED),
    "no JSON":           (Break.GARBLED,          FailureKind.GARBLED),
}
"""One request each: nothing is gained by asking again."""

PASSING: dict[str, tuple[Fault, FailureKind]] = {
    "rate limit":        (faults.RATE_LIMIT,      FailureKind.RATE),
    "overloaded":        (faults.OVERLOADED,      FailureKind.OVERLOADED),
    "unavailable":       (faults.UNAVAILABLE,     FailureKind.OVERLOADED),
    "error for a stream": (Break.ERROR_EVENT,     FailureKind.OVERLOADED),
    "internal error":    (faults.INTERNAL,        FailureKind.SERVER),
    "reset before":      (Break.RESET_BEFORE,     FailureKind.CUT),
    "reset in it":       (Break.RESET_MIDDLE,     FailureKind.CUT),
    "cut answer":        (Break.CUT,              FailureKind.CUT),
}
"""As many requests as retry_policy allows."""
# fmt: on

NO_DELIVERABLE = {
    "malformed arguments": faults.MALFORMED_ARGUMENTS,
    "wrong schema": faults.WRONG_SCHEMA,
}
"""Three tries: the model is told what is wrong."""

TABLE = [
    *(pytest.param(fault, kind, 1, id=name) for name, (fault, kind) in FINAL.items()),
    *(pytest.param(fault, kind, TRIES, id=name) for name, (fault, kind) in PASSING.items()),
    *(pytest.param(fault, FailureKind.NO_DELIVERABLE, 3, id=name) for name, fault in NO_DELIVERABLE.items()),
]


@EVERY_PROTOCOL
@pytest.mark.parametrize(("fault", "kind", "requests"), TABLE)
def test_a_fault_becomes_its_kind_after_so_many_requests_and_is_booked_as_charged(
    protocol: str, fault: Fault, kind: FailureKind, requests: int
) -> None:
    with serve_provider(hand_in_note, faults=plan_always(fault)) as server:
        came = consult_once(server, protocol)
        budget = came.budget
        assert (came.kind, len(server.requests)) == (kind, requests)
        if kind in UNBILLED:
            # the provider alone knows whether it charges; that is said, and nothing is made up
            assert (budget.requests, budget.broken) == (0, requests)
        else:
            booked = (budget.requests, budget.input_tokens, budget.output_tokens)
            assert booked == (server.bill.requests, server.bill.input_tokens, server.bill.output_tokens)
            assert budget.broken == 0
    assert_is_a_sentence(came.failure)


def assert_is_a_sentence(failure: ModelFailure | None) -> None:
    said = str(failure)
    assert said.endswith(".")
    assert "\n" not in said
    assert "small-1@http://127.0.0.1" in said
    assert SECRET not in said
    assert "Traceback" not in said
    assert len(said) < 500


@pytest.mark.parametrize("kind", FailureKind)
def test_every_kind_says_what_happened_and_what_to_do(kind: FailureKind) -> None:
    what, _, to_do = str(ModelFailure(kind, "openai:gpt-4o", "OPENAI_API_KEY")).partition("; ")
    assert "openai:gpt-4o" in what
    assert len(to_do.split()) >= 2


@EVERY_PROTOCOL
@pytest.mark.parametrize("fault", [pytest.param(fault, id=name) for name, (fault, _) in PASSING.items()])
def test_what_passes_is_not_noticed(protocol: str, fault: Fault) -> None:
    with serve_provider(hand_in_note, faults=plan_first(2, fault)) as server:
        came = consult_once(server, protocol)
        assert came.result is not None
        assert (len(server.requests), came.result.bill.requests, came.result.tries) == (3, 1, 1)


@EVERY_PROTOCOL
def test_an_answer_without_usage_is_kept_and_what_it_took_is_estimated(protocol: str) -> None:
    with serve_provider(hand_in_note, faults=plan_always(faults.NO_USAGE)) as server:
        came = consult_once(server, protocol)
        assert came.result is not None
        assert came.result.bill.estimated
        assert (came.budget.requests, came.budget.estimated) == (1, 1)
        assert came.budget.input_tokens == pytest.approx(server.bill.input_tokens, rel=0.2)
        assert came.budget.output_tokens == pytest.approx(server.bill.output_tokens, abs=3)


@EVERY_PROTOCOL
def test_a_megabyte_beside_the_deliverable_does_no_harm(protocol: str) -> None:
    with serve_provider(hand_in_note, faults=plan_always(faults.HUGE)) as server:
        came = consult_once(server, protocol)
        assert came.result is not None
        assert came.budget.output_tokens == server.bill.output_tokens > 200_000


@EVERY_PROTOCOL
@pytest.mark.parametrize("as_date", [False, True], ids=["seconds", "date"])
def test_a_provider_that_wants_two_hours_is_not_waited_for(protocol: str, *, as_date: bool) -> None:
    # The date is computed when the test runs: a suite can take longer than the tolerance.
    wanted = datetime.now(UTC) + timedelta(seconds=TWO_HOURS) if as_date else TWO_HOURS
    with serve_provider(hand_in_note, faults=plan_always(Failure(Error.RATE_LIMIT, wanted))) as server:
        came = consult_once(server, protocol)
        assert (came.kind, len(server.requests)) == (FailureKind.RATE, TRIES)
    assert came.failure is not None
    assert came.failure.retry_after == pytest.approx(TWO_HOURS, rel=0.2)


@EVERY_PROTOCOL
def test_a_provider_that_wants_a_pause_gets_as_much_as_patience_allows(protocol: str) -> None:
    retry_policy = RetryPolicy(first_wait=0.0, longest_wait=0.2)
    with serve_provider(hand_in_note, faults={1: Failure(Error.RATE_LIMIT, 1)}) as server:
        came = consult_once(server, protocol, means=ConsultationSetup(retry_policy))
        assert came.result is not None
        before, after = server.requests
        assert after.at - before.at >= 0.2


@EVERY_PROTOCOL
def test_an_answer_that_takes_too_long_is_asked_for_again(protocol: str) -> None:
    retry_policy = RetryPolicy(tries=2, first_wait=0.001, longest_answer=1.0)
    with serve_provider(hand_in_note, faults=plan_first(1, Slow(600))) as server:
        came = consult_once(server, protocol, means=ConsultationSetup(retry_policy))
        assert came.result is not None
        assert (len(server.requests), came.budget.broken) == (2, 1)


@EVERY_PROTOCOL
def test_a_model_that_never_answers_is_given_up(protocol: str) -> None:
    retry_policy = RetryPolicy(tries=2, first_wait=0.001, longest_answer=0.1)
    with serve_provider(hand_in_note, faults=plan_always(Slow(600))) as server:
        came = consult_once(server, protocol, means=ConsultationSetup(retry_policy))
        # On a busy machine a request may time out before it reaches the server, so the client counts.
        assert (came.kind, came.budget.broken) == (FailureKind.TIMEOUT, 2)


@EVERY_PROTOCOL
def test_a_server_that_is_not_there_cannot_be_reached_and_charges_nothing(protocol: str) -> None:
    with serve_provider(hand_in_note) as server:
        pass
    came = consult_once(server, protocol)
    assert (came.kind, came.budget.broken) == (FailureKind.UNREACHABLE, 0)
    assert_is_a_sentence(came.failure)
