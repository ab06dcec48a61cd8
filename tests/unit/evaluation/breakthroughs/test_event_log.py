"""The breakthrough log: only added to, whole after every crash, and silent about who answered until the panel decides."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.breakthroughs import event_log as log_module
from impossible_moments.evaluation.breakthroughs.candidates import CandidateStanding
from impossible_moments.evaluation.breakthroughs.event_log import (
    AUTHORS,
    EVENTS,
    AnswerAuthor,
    BreakthroughLog,
)
from impossible_moments.evaluation.breakthroughs.events import CandidateJudged
from support.breakthrough_answers import FLAGGED, build_collected_event, build_verified_event, build_vote

EVENT = build_collected_event('An answer\u2028with\x85odd "line" ends\r\n.')
NAME = EVENT.candidate
AUTHOR = AnswerAuthor(candidate=NAME, model="maker:model", run=1)


@pytest.fixture
def log(tmp_path: Path) -> BreakthroughLog:
    made = BreakthroughLog(tmp_path)
    with made.hold_lock():
        made.add([EVENT], [AUTHOR])
    return made


def text(log: BreakthroughLog, name: str = EVENTS) -> str:
    return (log.folder / name).read_text(encoding="utf-8")


def test_what_was_added_is_read_back_word_for_word(log: BreakthroughLog) -> None:
    assert log.get_candidate(NAME).collected == EVENT
    assert text(log).count("\n") == 1


def test_lines_are_added_and_never_changed(log: BreakthroughLog) -> None:
    for event in (
        CandidateJudged(candidate=NAME, judging=FLAGGED),
        build_vote("first expert", candidate=NAME),
        build_vote("second expert", candidate=NAME),
        build_verified_event(NAME),
    ):
        before = text(log)
        log.add([event])
        assert text(log).startswith(before)
        assert text(log).count("\n") == before.count("\n") + 1
    assert log.get_candidate(NAME).standing is CandidateStanding.VERIFIED
    assert log.get_candidate(NAME).judging == FLAGGED


def test_an_event_that_breaks_a_rule_leaves_the_log_as_it_was(log: BreakthroughLog) -> None:
    before = text(log), text(log, AUTHORS)
    with pytest.raises(ConfigurationError):
        log.add(
            [build_vote("first expert", candidate=NAME), build_verified_event(NAME)],
            [AUTHOR.model_copy(update={"run": 2})],
        )
    assert (text(log), text(log, AUTHORS)) == before


def test_who_answered_is_told_when_the_panel_has_decided(log: BreakthroughLog) -> None:
    log.add((), [AUTHOR, AnswerAuthor(candidate=NAME, model="other:model", run=3)])
    log.add([build_vote("first expert", candidate=NAME)])
    assert log.list_authors_after_panel_decision(log.get_candidate(NAME)) == ()
    log.add([build_vote("second expert", "valid", candidate=NAME)])
    assert log.list_authors_after_panel_decision(log.get_candidate(NAME)) == ()
    log.add([build_vote("third expert", "valid", candidate=NAME)])
    assert log.list_authors_after_panel_decision(log.get_candidate(NAME)) == ("maker:model", "other:model")


def test_the_log_that_experts_may_read_names_no_author(log: BreakthroughLog) -> None:
    assert "maker:model" not in text(log)
    assert "maker:model" in text(log, AUTHORS)


def test_the_same_author_stands_once(log: BreakthroughLog) -> None:
    log.add((), [AUTHOR])
    assert text(log, AUTHORS).count("\n") == 1


def test_a_folder_without_a_log_holds_no_candidate(tmp_path: Path) -> None:
    log = BreakthroughLog(tmp_path)
    assert log.candidates == {}
    assert not log.folder.exists()


@pytest.mark.parametrize("name", ["", "IM-0001", "../../etc/passwd", "IM-0001-000000000000", "\x1b[2J"])
def test_a_name_that_is_none_is_one_sentence(log: BreakthroughLog, name: str) -> None:
    with pytest.raises(ConfigurationError, match="is not a breakthrough candidate in") as told:
        log.get_candidate(name)
    assert "\x1b" not in str(told.value)


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "null",
        '{"event": "forged"}',
        json.dumps({"event": "voted", "candidate": "../x"}),
        EVENT.model_dump_json()[:-1] + ', "more": 1}',
    ],
)
def test_a_line_that_is_no_event_is_named(log: BreakthroughLog, line: str) -> None:
    (log.folder / EVENTS).write_text(text(log) + line + "\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"events\.jsonl, line 2, is not a valid entry"):
        _ = log.candidates


def test_a_crash_while_writing_leaves_the_log_whole(
    log: BreakthroughLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = text(log)

    def dies(_path: Path, _text: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(log_module, "write_file_atomically", dies)
    with pytest.raises(KeyboardInterrupt):
        log.add([build_vote("first expert", candidate=NAME)])
    assert text(log) == before


def test_votes_that_come_at_once_are_all_counted_and_no_more_than_decide(log: BreakthroughLog) -> None:
    refused: list[str] = []

    def cast(number: int) -> None:
        with log.hold_lock():
            try:
                log.add([build_vote(f"expert {number}", candidate=NAME)])
            except ConfigurationError as problem:
                refused.append(str(problem))

    threads = [threading.Thread(target=cast, args=(number,)) for number in range(6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(log.get_candidate(NAME).votes) == 2
    assert len(refused) == 4


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "breakthroughs").write_text("in the way", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="Cannot write to"), BreakthroughLog(tmp_path).hold_lock():
        pass
