"""The engine: what was answered is never asked again, whatever happens in between."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.runs.answer_collection import (
    AnswerCollector,
    Reply,
    RunConditions,
    parse_reply_lines,
)
from impossible_moments.evaluation.runs.presentation import AnswerForm, Presentation
from impossible_moments.llm.model_failures import FailureKind, ModelFailure
from impossible_moments.scenarios.scenario import Scenario
from support.scored_scenarios import load_scenarios

Asked = Counter[str]
RUNS = 2


class Respondent:
    """Answers with a number, counts who was asked about what, and fails as it is told."""

    def __init__(
        self, fails: Callable[[int], Exception | None] = lambda _number: None, pause: float = 0
    ) -> None:
        self.asked: Asked = Counter()
        self.answered: Asked = Counter()
        self.under_way = self.most_at_once = 0
        self._fails, self._pause = fails, pause

    async def answer(self, scenario: Scenario, prompt: str) -> Reply:
        self.asked[scenario.scenario_id] += 1
        assert scenario.sections["Scenario"][:40] in prompt
        self.under_way += 1
        self.most_at_once = max(self.most_at_once, self.under_way)
        number = self.asked.total()
        await asyncio.sleep(self._pause)
        self.under_way -= 1
        if problem := self._fails(number):
            raise problem
        self.answered[scenario.scenario_id] += 1
        return Reply(f"answer {number}", 10, 20, "0.5", ("kept",))


def ask(
    folder: Path, respondent: Respondent, conditions: RunConditions | None = None, at_once: int = 8
) -> Mapping[tuple[str, int], Reply]:
    engine = AnswerCollector(
        conditions or RunConditions("a:model", runs=RUNS), respondent, folder, concurrency=at_once
    )
    return asyncio.run(engine.collect_answers(load_scenarios()))


def failure(kind: FailureKind) -> ModelFailure:
    return ModelFailure(kind, "a:model")


def test_every_run_of_every_scenario_is_asked_once(tmp_path: Path) -> None:
    respondent = Respondent()
    replies = ask(tmp_path, respondent)
    assert set(replies) == {(each.scenario_id, number) for each in load_scenarios() for number in (1, 2)}
    assert set(respondent.asked.values()) == {RUNS}


def test_running_again_asks_nobody_and_gives_the_same(tmp_path: Path) -> None:
    first = ask(tmp_path, Respondent())
    again = Respondent()
    assert ask(tmp_path, again) == first
    assert not again.asked


def test_more_runs_ask_for_what_is_missing(tmp_path: Path) -> None:
    first = ask(tmp_path, Respondent())
    again = Respondent()
    replies = ask(tmp_path, again, RunConditions("a:model", runs=RUNS + 1))
    assert set(again.asked.values()) == {1}
    assert {run: replies[run] for run in first} == first


@pytest.mark.parametrize("at_once", [1, 3, 8])
@pytest.mark.parametrize("after", [1, 5, 11, 15])
def test_what_was_answered_before_a_crash_is_not_asked_again(
    tmp_path: Path, at_once: int, after: int
) -> None:
    crashing = Respondent(lambda number: RuntimeError("crash") if number > after else None, pause=0.001)
    with pytest.raises(RuntimeError, match="crash"):
        ask(tmp_path, crashing, at_once=at_once)
    again = Respondent()
    replies = ask(tmp_path, again, at_once=at_once)
    assert crashing.answered + again.answered == Counter(
        {each.scenario_id: RUNS for each in load_scenarios()}
    )
    assert len(replies) == RUNS * len(load_scenarios())


def test_after_a_crash_nobody_else_is_asked(tmp_path: Path) -> None:
    crashing = Respondent(lambda number: RuntimeError("crash") if number == 3 else None)
    with pytest.raises(RuntimeError):
        ask(tmp_path, crashing, at_once=1)
    assert crashing.asked.total() == 3


def test_what_is_under_way_when_one_fails_is_kept(tmp_path: Path) -> None:
    """Money was spent on it: the first of four fails, and the other three answer later."""

    class Uneven(Respondent):
        async def answer(self, scenario: Scenario, prompt: str) -> Reply:
            if not self.asked:
                self.asked[scenario.scenario_id] += 1
                await asyncio.sleep(0.01)
                raise failure(FailureKind.SPENDING)
            return await super().answer(scenario, prompt)

    uneven, again = Uneven(pause=0.05), Respondent()
    with pytest.raises(ModelFailure):
        ask(tmp_path, uneven, at_once=4)
    assert uneven.answered.total() == 3
    ask(tmp_path, again)
    assert uneven.answered.total() + again.asked.total() == RUNS * len(load_scenarios())


def test_so_many_at_once_and_no_more(tmp_path: Path) -> None:
    respondent = Respondent(pause=0.002)
    ask(tmp_path, respondent, at_once=3)
    assert respondent.most_at_once == 3


# failures

OF_THE_CALL = [
    FailureKind.SERVER, FailureKind.RATE, FailureKind.TIMEOUT, FailureKind.CUT, FailureKind.OVERFLOW,
    FailureKind.UNREACHABLE, FailureKind.GARBLED, FailureKind.QUOTA, FailureKind.OVERLOADED,
]  # fmt: skip


@pytest.mark.parametrize("kind", OF_THE_CALL)
def test_a_failure_of_the_call_is_no_answer_and_is_asked_again(tmp_path: Path, kind: FailureKind) -> None:
    failing = Respondent(lambda number: failure(kind) if number <= 2 else None)
    replies = ask(tmp_path, failing, at_once=1)
    failed = [reply for reply in replies.values() if reply.failure]
    assert [reply.failure for reply in failed] == [str(failure(kind))] * 2
    again = Respondent()
    assert not any(reply.failure for reply in ask(tmp_path, again).values())
    assert again.asked.total() == 2


@pytest.mark.parametrize("kind", [FailureKind.REFUSED, FailureKind.TRUNCATED])
def test_what_the_model_does_is_its_answer_and_is_kept(tmp_path: Path, kind: FailureKind) -> None:
    def said(number: int) -> Exception | None:
        problem = failure(kind)
        problem.said = "The first step is"
        return problem if number == 1 else None

    replies = ask(tmp_path, Respondent(said), at_once=1)
    assert replies["IM-0001", 1] == Reply("The first step is", flags=(str(kind),))
    again = Respondent()
    assert ask(tmp_path, again) == replies
    assert not again.asked


@pytest.mark.parametrize(
    "kind",
    [
        FailureKind.WRONG_KEY, FailureKind.NO_KEY, FailureKind.NO_MODEL, FailureKind.NOT_INSTALLED,
        FailureKind.REJECTED, FailureKind.SPENDING,
    ],
)  # fmt: skip
def test_what_the_user_must_mend_stops_the_run(tmp_path: Path, kind: FailureKind) -> None:
    with pytest.raises(ModelFailure) as raised:
        ask(tmp_path, Respondent(lambda _number: failure(kind)))
    assert raised.value.kind is kind


# conditions


@pytest.mark.parametrize(
    "other",
    [
        RunConditions("another:model", runs=RUNS),
        RunConditions("a:model", Presentation.FULL, runs=RUNS),
        RunConditions("a:model", form=AnswerForm.FREE, runs=RUNS),
        RunConditions("a:model", runs=RUNS, temperature=0.0),
        RunConditions("a:model", runs=RUNS, temperature=None),
        RunConditions("a:model", runs=RUNS, most_tokens=100),
    ],
    ids=["model", "presentation", "form", "temperature", "no temperature", "tokens"],
)
def test_other_conditions_are_other_questions(tmp_path: Path, other: RunConditions) -> None:
    ask(tmp_path, Respondent())
    again = Respondent()
    ask(tmp_path, again, other)
    assert again.asked.total() == RUNS * len(load_scenarios())


def test_half_characters_are_kept_as_well_as_can_be(tmp_path: Path) -> None:
    class Odd(Respondent):
        async def answer(self, _scenario: Scenario, _prompt: str) -> Reply:
            return Reply("half a \ud800 character")

    ask(tmp_path, Odd())
    assert {reply.text for reply in ask(tmp_path, Respondent()).values()} == {"half a ? character"}


# answers made elsewhere


def test_lines_of_one_scenario_are_its_runs_in_order() -> None:
    found = parse_reply_lines(
        [{"scenario_id": "a", "answer": "1"}, {"id": "b", "text": "2"}, {"scenario_id": "a", "answer": "3"}]
    )
    assert {run: reply.text for run, reply in found.items()} == {("a", 1): "1", ("b", 1): "2", ("a", 2): "3"}


def test_an_answer_may_stand_in_its_line_as_an_object() -> None:
    found = parse_reply_lines([{"scenario_id": "a", "answer": {"verdict": "impossible"}}])
    assert found["a", 1].text == '{"verdict": "impossible"}'


@pytest.mark.parametrize("line", [{}, {"scenario_id": None}, {"scenario_id": ["a"], "answer": None}])
def test_odd_lines_are_read_without_an_error(line: dict[str, object]) -> None:
    assert len(parse_reply_lines([line])) == 1


def test_many_lines_of_one_scenario_are_read() -> None:
    assert len(parse_reply_lines({"scenario_id": "a", "answer": "1"} for _ in range(30_000))) == 30_000


def test_a_folder_that_cannot_be_made_is_an_error_before_anybody_is_asked(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    respondent = Respondent()
    with pytest.raises((OSError, ConfigurationError)):
        ask(tmp_path / "file" / "folder", respondent)
    assert not respondent.asked
