"""Whole scenarios through both protocols: what is paid, what a dying provider costs, and where no key ever is."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from functools import partial
from itertools import chain
from pathlib import Path

import pytest

from impossible_moments.cli.main import main
from impossible_moments.ledger.answered_asks import list_answers
from impossible_moments.ledger.leases import ScenarioState
from impossible_moments.llm import call_pacing
from impossible_moments.llm.model_failures import FailureKind, ModelFailure
from impossible_moments.pipeline.pipeline import Pipeline
from impossible_moments.pipeline.publishing.generation_results import GenerationError, GenerationResult
from support.model_conversations import BOTH_PROTOCOLS, QUICK, SECRET
from support.model_double import RecordedModel, record_scenarios
from support.model_players import (
    BRIEFS,
    RecordedProvider,
    build_model_name,
    build_pipeline,
    build_resources,
    compute_cost,
)
from support.providers import anthropic_messages, faults, openai_chat
from support.providers.conversation import Question
from support.providers.dialect import Error
from support.providers.faults import Break, Fault, plan_always
from support.providers.server import serve_provider

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> tuple[RecordedModel, tuple[GenerationResult, ...]]:
    return record_scenarios(BRIEFS, tmp_path_factory.mktemp("rehearsal"))


@pytest.fixture
def played(heard: tuple[RecordedModel, tuple[GenerationResult, ...]]) -> RecordedProvider:
    return RecordedProvider(heard[0])


@pytest.fixture
def undisturbed(heard: tuple[RecordedModel, tuple[GenerationResult, ...]]) -> GenerationResult:
    return heard[1][0]


@BOTH_PROTOCOLS
def test_what_a_scenario_took_is_the_bill_to_the_token(
    tmp_path: Path, protocol: str, played: RecordedProvider, undisturbed: GenerationResult
) -> None:
    given = build_resources(tmp_path)
    with serve_provider(played, key=SECRET) as server:
        result = build_pipeline(server, protocol, tmp_path, given).generate(BRIEFS[0])
        bill, budget = server.bill, given.budget
        assert (budget.requests, budget.input_tokens, budget.output_tokens) == (
            bill.requests,
            bill.input_tokens,
            bill.output_tokens,
        )
        assert budget.spent == compute_cost(server, protocol, given) > 0
    assert result.state is ScenarioState.ACCEPTED
    assert result.public_document == undisturbed.public_document
    assert result.metadata is not None
    told = [version.tokens or 0 for version in result.metadata.agent_versions.values()]
    assert sum(told) == bill.input_tokens + bill.output_tokens


DEATHS: list[tuple[Fault, FailureKind]] = [
    (faults.INTERNAL, FailureKind.SERVER),
    (faults.WRONG_KEY, FailureKind.WRONG_KEY),
    (Break.RESET_BEFORE, FailureKind.CUT),
]


@BOTH_PROTOCOLS
@pytest.mark.parametrize(("fault", "kind"), DEATHS, ids=[kind.name for _, kind in DEATHS])
def test_a_provider_that_dies_in_the_middle_costs_no_answer_twice(
    tmp_path: Path,
    protocol: str,
    fault: Fault,
    kind: FailureKind,
    played: RecordedProvider,
    undisturbed: GenerationResult,
) -> None:
    def dying(number: int, _question: Question) -> Fault | None:
        return fault if number >= 12 else None

    with serve_provider(played, faults=dying) as server:
        with pytest.raises(
            GenerationError, match=r"IM-0001 was not created: .*All answers so far are kept"
        ) as raised:
            build_pipeline(server, protocol, tmp_path, build_resources(tmp_path)).generate(BRIEFS[0])
        result = raised.value.result
        first_bill = server.bill
    assert result.state is ScenarioState.FAILED
    assert isinstance(result.error, ModelFailure)
    assert result.error.kind is kind
    assert result.reason.endswith(".")
    assert "\n" not in result.reason
    again = build_resources(tmp_path)
    with serve_provider(played) as server:
        (resumed,) = build_pipeline(server, protocol, tmp_path, again).resume(failed=["IM-0001"])
        assert again.budget.requests == server.bill.requests == len(server.requests)
        assert first_bill.requests + server.bill.requests == len(played.answered)
    assert set(played.answered.values()) == {1}
    assert resumed.state is ScenarioState.ACCEPTED
    assert resumed.public_document == undisturbed.public_document


@BOTH_PROTOCOLS
def test_a_scenario_stops_below_the_limit_and_goes_on_with_more_money(
    tmp_path: Path, protocol: str, played: RecordedProvider
) -> None:
    limit = Decimal("0.40" if protocol == "openai" else "0.60")  # the prices of the two differ
    given = build_resources(tmp_path, limit=str(limit))
    with serve_provider(played) as server:
        (result,) = build_pipeline(server, protocol, tmp_path, given).generate_all([BRIEFS[0]])
        assert given.budget.spent == compute_cost(server, protocol, given) <= limit
        assert isinstance(result.error, ModelFailure)
        assert (result.error.kind, server.bill.requests > 3) == (FailureKind.SPENDING, True)
        (resumed,) = build_pipeline(server, protocol, tmp_path, build_resources(tmp_path, "9")).resume(
            failed=["IM-0001"]
        )
    assert resumed.state is ScenarioState.ACCEPTED
    assert set(played.answered.values()) == {1}


def test_scenarios_side_by_side_share_the_places_at_a_model(
    tmp_path: Path, played: RecordedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IM_CALLS_AT_ONCE", "2")
    with serve_provider(played, faults=played.enters, latency=0.01) as server:
        results = build_pipeline(server, "openai", tmp_path, build_resources(tmp_path)).generate_all(BRIEFS)
    assert {result.state for result in results} == {ScenarioState.ACCEPTED}
    assert played.most_at_once == 2


def everything_written(folder: Path) -> Iterator[bytes]:
    """All files, and what the ledger holds packed."""
    yield from (path.read_bytes() for path in folder.rglob("*") if path.is_file())
    with sqlite3.connect(folder / "out" / "ledger.sqlite") as ledger:
        yield "\n".join(ledger.iterdump()).encode()
    ledger.close()
    with Pipeline(output=folder / "out").open_ledger() as store:
        answers = store.read_and_wait(partial(list_answers, scenario="IM-0001")).values()
    yield from (each.reply + repr(each).encode() for each in answers)


@BOTH_PROTOCOLS
@pytest.mark.parametrize("wanted", [SECRET, "sk-another"], ids=["right key", "wrong key"])
def test_a_key_is_written_nowhere_even_if_the_provider_sends_it_back(
    tmp_path: Path,
    protocol: str,
    wanted: str,
    played: RecordedProvider,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for errors in (openai_chat.ERRORS, anthropic_messages.ERRORS):
        echo = (*errors[Error.AUTHENTICATION][:-1], f"Incorrect API key provided: {SECRET}.")
        monkeypatch.setitem(errors, Error.AUTHENTICATION, echo)
    with serve_provider(played, key=wanted) as server:
        pipeline = build_pipeline(server, protocol, tmp_path, build_resources(tmp_path))
        (result,) = pipeline.generate_all([BRIEFS[0]])
    if wanted != SECRET:
        assert "does not accept the key" in result.reason
        assert "Incorrect API key provided: [key]." in result.reason
    shown = chain(capfd.readouterr(), [repr(result), repr(result.error), str(result.error)])
    for each in (*everything_written(tmp_path), *(text.encode() for text in shown)):
        assert SECRET.encode() not in each


Command = Callable[..., tuple[int, str]]


@pytest.fixture
def im(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """The command line with a key in the environment and no long waits: exit status, and all that was printed."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "1000")
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, SECRET)
    monkeypatch.setattr(call_pacing, "RetryPolicy", lambda: QUICK)

    def command(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["im", *arguments, "--output", str(tmp_path / "out")])
        with pytest.raises(SystemExit) as left:
            main()
        code = left.value.code
        return (code if isinstance(code, int) else 0), "".join(capfd.readouterr())

    return command


@contextmanager
def served(played: RecordedProvider, protocol: str, **house: object) -> Iterator[Sequence[str]]:
    with serve_provider(played, **house) as server:  # type: ignore[arg-type]
        yield ("--model", build_model_name(server, protocol))


EXITS: list[tuple[str, dict[str, object], int, str]] = [
    ("wrong key", {"key": "sk-another"}, 2, "does not accept the key; check that the key is correct"),
    ("unknown model", {"models": ("large-1",)}, 2, "check the name, and the address if one is given"),
    (
        "refused for ever",
        {"faults": plan_always(faults.RATE_LIMIT)},
        1,
        "refuses calls because there are too many; wait",
    ),
]


@BOTH_PROTOCOLS
@pytest.mark.parametrize(
    ("house", "status", "sentence"), [pytest.param(*case[1:], id=case[0]) for case in EXITS]
)
def test_the_command_says_what_to_do_and_goes_on_afterwards(
    im: Command, protocol: str, house: dict[str, object], status: int, sentence: str, played: RecordedProvider
) -> None:
    with served(played, protocol, **house) as named:
        code, said = im("create", *named, "--seed", "7")
    assert (code, sentence in said) == (status, True)
    assert SECRET not in said
    assert "Traceback" not in said
    with served(played, protocol) as named:
        code, said = im("resume", *named)
    assert (code, "IM-0001 is accepted" in said) == (0, True)


@BOTH_PROTOCOLS
def test_without_a_key_nothing_is_begun(
    im: Command, protocol: str, tmp_path: Path, played: RecordedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(f"{protocol.upper()}_API_KEY")
    with served(played, protocol) as named:
        code, said = im("create", *named)
    assert (code, f"set {protocol.upper()}_API_KEY" in said) == (2, True)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("place", "told"),
    [("elsewhere", (0, "IM-0001 is accepted")), ("project", (2, "is inside the project"))],
)
def test_keys_are_read_from_a_file_and_from_none_inside_the_project(
    im: Command,
    place: str,
    told: tuple[int, str],
    tmp_path: Path,
    played: RecordedProvider,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for folder in ("elsewhere", "project"):
        (tmp_path / folder).mkdir()
    (tmp_path / place / "keys.env").write_text(f"OPENAI_API_KEY={SECRET}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.setenv("IM_KEYS_FILE", str(tmp_path / place / "keys.env"))
    with served(played, "openai", key=SECRET) as named:
        code, said = im("create", *named, "--seed", "7")
    assert (code, told[1] in said) == (told[0], True)
