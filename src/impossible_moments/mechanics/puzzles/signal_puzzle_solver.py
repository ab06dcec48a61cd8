"""The solver of signal puzzles: codes for a noisy channel that lead the receiver to the right act."""

from __future__ import annotations

import itertools
from typing import Final

from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language.expression_types import suggest_similar_name
from impossible_moments.mechanics.puzzles.finite_domain_search import SearchBudget
from impossible_moments.mechanics.puzzles.puzzle_context import PuzzleContext
from impossible_moments.mechanics.puzzles.puzzle_reader import WORD_NAME, PuzzleEntry, PuzzleReader
from impossible_moments.mechanics.puzzles.signal_channel import SignalChannel
from impossible_moments.mechanics.records.puzzle_forms import SignalPuzzle
from impossible_moments.mechanics.world.puzzle_solution import (
    MOST_ANSWERS,
    Data,
    SolvedPuzzle,
    create_unsolved_puzzle,
)

MOST_SIGNALS: Final = 16
MOST_STATES: Final = 24
MOST_NODES: Final = 100_000
ACT: Final = "low_air = haul"
SIGNAL: Final = "two = two | one"
READ: Final = "two = slack"


def solve_signal_puzzle(
    form: SignalPuzzle, context: PuzzleContext, findings: Findings, path: str
) -> SolvedPuzzle:
    """Solve a signal puzzle: find the codes that lead to the right act whatever is heard."""
    reader = PuzzleReader(context, findings, path)
    _check_signal_counts(form, reader)
    acts = _read_acts_by_state(form, reader)
    hearings = _read_hearings_by_signal(form, reader)
    acts_by_hearing = None if form.agreed else _read_acts_by_hearing(form, acts, hearings, reader)
    if form.agreed and form.reads:
        reader.reject_puzzle(
            "puzzle.form",
            f"{path}/reads",
            "with an agreed code there must be no `reads` lines",
            found=form.reads[0],
            expected="remove the `reads` lines, or set agreed: false",
        )
    if not reader.is_valid:
        return create_unsolved_puzzle(form.name, form.kind)
    return _search_signal_codes(
        form, SignalChannel({state: acts[state] for state in form.states}, hearings, acts_by_hearing)
    )


def _search_signal_codes(form: SignalPuzzle, channel: SignalChannel) -> SolvedPuzzle:
    budget = SearchBudget(MOST_NODES)
    codes = channel.enumerate_codes(budget)
    answers = tuple(_format_signal_code(code) for code in itertools.islice(codes, MOST_ANSWERS))
    count = len(answers) + sum(1 for _ in codes)
    largest = channel.find_largest_distinguishable_set() if channel.acts_by_hearing is None else ()
    # distinguishable signals, one for each act, form a code: the largest set decides whether there is one
    if not answers and channel.acts_by_hearing is None and len(largest) >= len(set(channel.acts.values())):
        answers, count = (_format_signal_code(_assign_signal_to_each_act(channel, largest)),), 1
    facts: dict[str, Data] = {
        "codes": count,
        "codes_all_counted": budget.left > 0,
        "right_signals": {state: list(channel.list_safe_signals(state)) for state in channel.acts},
        "acts": len(set(channel.acts.values())),
        "largest_apart": list(largest),
    }
    return SolvedPuzzle(
        form.name,
        form.kind,
        tuple(sorted(answers)),
        facts,
        _explain_signal_code(channel, answers, largest),
        exhausted=True,
        asks=tuple(channel.acts),
        answer_check=channel,
    )


def _format_signal_code(code: dict[str, str]) -> str:
    return ", ".join(f"{state}={signal}" for state, signal in code.items())


def _assign_signal_to_each_act(channel: SignalChannel, largest: tuple[str, ...]) -> dict[str, str]:
    signal_for = dict(zip(dict.fromkeys(channel.acts.values()), largest, strict=False))
    return {state: signal_for[act] for state, act in channel.acts.items()}


def _check_signal_counts(form: SignalPuzzle, reader: PuzzleReader) -> None:
    for section, names, most, example in (
        ("signals", form.signals, MOST_SIGNALS, SIGNAL),
        ("states", form.states, MOST_STATES, "low_air, snagged"),
    ):
        if len(names) > most:
            reader.reject_puzzle(
                "puzzle.not-exhausted",
                f"{reader.path}/{section}",
                f"the signal puzzle has too many {section} to try",
                found=f"{len(names)} {section}",
                expected=f"at most {most}",
            )
        if not names:
            reader.reject_puzzle(
                "puzzle.form",
                f"{reader.path}/{section}",
                f"the signal puzzle has no {section}",
                expected=f"two or more, such as `{example}`",
            )


def _read_acts_by_state(form: SignalPuzzle, reader: PuzzleReader) -> dict[str, str]:
    reader.require_unique_names(form.states, "states", example="low_air, snagged")
    acts = {
        entry.name: _normalize_spaces(entry.body)
        for entry in reader.read_entries(form.acts, "acts", example=ACT)
    }
    for state in acts:
        reader.check_known_name(state, form.states, f"{reader.path}/acts/{state}", description="state")
    for state in form.states:
        if state not in acts:
            reader.reject_puzzle(
                "puzzle.form",
                f"{reader.path}/acts",
                f"the state `{state}` has no act",
                found=", ".join(acts) or "no acts",
                expected=f"{state} = what the receiver should do, as in `{ACT}`",
            )
    return acts


def _read_hearings_by_signal(form: SignalPuzzle, reader: PuzzleReader) -> dict[str, tuple[str, ...]]:
    entries = reader.read_entries(form.signals, "signals", example=SIGNAL)
    return {entry.name: _parse_hearings(entry, reader) for entry in entries}


def _parse_hearings(entry: PuzzleEntry, reader: PuzzleReader) -> tuple[str, ...]:
    hearings = [_normalize_spaces(part) for part in entry.body.split("|")]
    if not all(hearings):
        reader.reject_puzzle(
            "puzzle.form",
            entry.path,
            f"a hearing of `{entry.name}` is empty",
            found=entry.body,
            expected=f"{SIGNAL}; name silence with a word, as in `one = one | none`",
        )
    return tuple(dict.fromkeys(hearings))


def _read_acts_by_hearing(
    form: SignalPuzzle, acts: dict[str, str], hearings: dict[str, tuple[str, ...]], reader: PuzzleReader
) -> dict[str, str]:
    entries = reader.read_entries(form.reads, "reads", example=READ, head=WORD_NAME)
    acts_by_hearing = {_normalize_spaces(entry.name): _normalize_spaces(entry.body) for entry in entries}
    for signal, heard in hearings.items():
        for each in heard:
            if each not in acts_by_hearing:
                reader.reject_puzzle(
                    "puzzle.form",
                    f"{reader.path}/reads",
                    f"the signal `{signal}` may be heard as `{each}`, which is missing in `reads`{suggest_similar_name(each, acts_by_hearing)}",
                    found=", ".join(acts_by_hearing) or "no reads lines",
                    expected=f"{each} = act, as in `{READ}`",
                )
    for state, act in acts.items():
        if act not in acts_by_hearing.values():
            reader.reject_puzzle(
                "puzzle.form",
                f"{reader.path}/acts/{state}",
                f"no hearing in `reads` leads to the act `{act}`{suggest_similar_name(act, acts_by_hearing.values())}",
                found=act,
                expected=f"one of: {', '.join(sorted(set(acts_by_hearing.values())))}; or `heard = {act}` in reads",
            )
    return acts_by_hearing


def _normalize_spaces(text: str) -> str:
    return " ".join(text.split())


def _explain_signal_code(channel: SignalChannel, answers: tuple[str, ...], largest: tuple[str, ...]) -> str:
    if answers and channel.acts_by_hearing is None:
        return f"With {answers[0]} nothing that may be heard of one message can be heard of another."
    if answers:
        return f"With {answers[0]} everything that may be heard leads to the right act."
    if channel.acts_by_hearing is None:
        count = len(set(channel.acts.values()))
        return (
            f"{_format_count(count, 'act').capitalize()} must be distinguished, but at most "
            f"{_format_count(len(largest), 'signal')} stay{'s' * (len(largest) == 1)} apart "
            f"({', '.join(largest)}): "
            f"of any {_format_count(len(largest) + 1, 'signal')} some two may be heard as the same."
        )
    state = next(state for state in channel.acts if not channel.list_safe_signals(state))
    misread = (
        (signal, channel.find_misreading(signal, state) or "") for signal in list(channel.hearings)[:3]
    )
    code_text = "; ".join(
        f"`{signal}` may be heard as `{heard}`, which means {channel.acts_by_hearing[heard]}"
        for signal, heard in misread
    )
    return f"No signal is safe for `{state}`, which needs {channel.acts[state]}: {code_text}."


_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def _format_count(count: int, noun: str) -> str:
    number = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    return f"{number} {noun}{'s' * (count != 1)}"
