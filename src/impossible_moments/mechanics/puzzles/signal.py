"""The solver of signal puzzles: codes for a noisy channel that lead the receiver to the right act."""

from __future__ import annotations

import itertools
from typing import Final

from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.puzzles.channels import Channel
from impossible_moments.mechanics.puzzles.context import Context
from impossible_moments.mechanics.puzzles.forms import SignalPuzzle
from impossible_moments.mechanics.puzzles.reader import WORDS, Entry, Reader
from impossible_moments.mechanics.puzzles.search import Budget
from impossible_moments.mechanics.puzzles.solved import MOST_ANSWERS, Data, SolvedPuzzle, unsolved
from impossible_moments.mechanics.sorts import did_you_mean

MOST_SIGNALS: Final = 16
MOST_STATES: Final = 24
MOST_NODES: Final = 100_000
ACT: Final = "low_air = haul"
SIGNAL: Final = "two = two | one"
READ: Final = "two = slack"


def solve(form: SignalPuzzle, context: Context, findings: Findings, where: str) -> SolvedPuzzle:
    """Solve a signal puzzle: find the codes that lead to the right act whatever is heard."""
    reader = Reader(context, findings, where)
    _bounded(form, reader)
    acts = _acts(form, reader)
    hearings = _hearings(form, reader)
    reads = None if form.agreed else _reads(form, acts, hearings, reader)
    if form.agreed and form.reads:
        reader.refuse(
            "puzzle.form",
            f"{where}/reads",
            "with an agreed code there must be no `reads` lines",
            found=form.reads[0],
            expected="remove the `reads` lines, or set agreed: false",
        )
    if not reader.fine:
        return unsolved(form.name, form.kind)
    return _solved(form, Channel({state: acts[state] for state in form.states}, hearings, reads))


def _solved(form: SignalPuzzle, channel: Channel) -> SolvedPuzzle:
    budget = Budget(MOST_NODES)
    codes = channel.codes(budget)
    answers = tuple(_text(code) for code in itertools.islice(codes, MOST_ANSWERS))
    count = len(answers) + sum(1 for _ in codes)
    largest = channel.largest_apart() if channel.reads is None else ()
    # distinguishable signals, one for each act, form a code: the largest set decides whether there is one
    if not answers and channel.reads is None and len(largest) >= len(set(channel.acts.values())):
        answers, count = (_text(_one_for_each_act(channel, largest)),), 1
    facts: dict[str, Data] = {
        "codes": count,
        "codes_all_counted": budget.left > 0,
        "right_signals": {state: list(channel.right_for(state)) for state in channel.acts},
        "acts": len(set(channel.acts.values())),
        "largest_apart": list(largest),
    }
    return SolvedPuzzle(
        form.name,
        form.kind,
        tuple(sorted(answers)),
        facts,
        _explained(channel, answers, largest),
        exhausted=True,
        asks=tuple(channel.acts),
        fits=channel,
    )


def _text(code: dict[str, str]) -> str:
    return ", ".join(f"{state}={signal}" for state, signal in code.items())


def _one_for_each_act(channel: Channel, largest: tuple[str, ...]) -> dict[str, str]:
    signal_for = dict(zip(dict.fromkeys(channel.acts.values()), largest, strict=False))
    return {state: signal_for[act] for state, act in channel.acts.items()}


def _bounded(form: SignalPuzzle, reader: Reader) -> None:
    for section, names, most, example in (
        ("signals", form.signals, MOST_SIGNALS, SIGNAL),
        ("states", form.states, MOST_STATES, "low_air, snagged"),
    ):
        if len(names) > most:
            reader.refuse(
                "puzzle.not-exhausted",
                f"{reader.where}/{section}",
                f"there are too many {section} to try",
                found=f"{len(names)} {section}",
                expected=f"at most {most}",
            )
        if not names:
            reader.refuse(
                "puzzle.form",
                f"{reader.where}/{section}",
                f"there are no {section}",
                expected=f"two or more, such as `{example}`",
            )


def _acts(form: SignalPuzzle, reader: Reader) -> dict[str, str]:
    reader.wants_unique(form.states, "states", example="low_air, snagged")
    acts = {entry.name: _spaced(entry.body) for entry in reader.entries(form.acts, "acts", example=ACT)}
    for state in acts:
        reader.knows(state, form.states, f"{reader.where}/acts/{state}", called="state")
    for state in form.states:
        if state not in acts:
            reader.refuse(
                "puzzle.form",
                f"{reader.where}/acts",
                f"the state `{state}` has no act",
                found=", ".join(acts) or "no acts",
                expected=f"{state} = what the receiver should do, as in `{ACT}`",
            )
    return acts


def _hearings(form: SignalPuzzle, reader: Reader) -> dict[str, tuple[str, ...]]:
    entries = reader.entries(form.signals, "signals", example=SIGNAL)
    return {entry.name: _heard(entry, reader) for entry in entries}


def _heard(entry: Entry, reader: Reader) -> tuple[str, ...]:
    heard = [_spaced(part) for part in entry.body.split("|")]
    if not all(heard):
        reader.refuse(
            "puzzle.form",
            entry.where,
            f"a hearing of `{entry.name}` is empty",
            found=entry.body,
            expected=f"{SIGNAL}; name silence with a word, as in `one = one | none`",
        )
    return tuple(dict.fromkeys(heard))


def _reads(
    form: SignalPuzzle, acts: dict[str, str], hearings: dict[str, tuple[str, ...]], reader: Reader
) -> dict[str, str]:
    entries = reader.entries(form.reads, "reads", example=READ, head=WORDS)
    reads = {_spaced(entry.name): _spaced(entry.body) for entry in entries}
    for signal, heard in hearings.items():
        for each in heard:
            if each not in reads:
                reader.refuse(
                    "puzzle.form",
                    f"{reader.where}/reads",
                    f"`{signal}` may be heard as `{each}`, which is missing in `reads`{did_you_mean(each, reads)}",
                    found=", ".join(reads) or "no reads lines",
                    expected=f"{each} = act, as in `{READ}`",
                )
    for state, act in acts.items():
        if act not in reads.values():
            reader.refuse(
                "puzzle.form",
                f"{reader.where}/acts/{state}",
                f"no hearing in `reads` leads to the act `{act}`{did_you_mean(act, reads.values())}",
                found=act,
                expected=f"one of: {', '.join(sorted(set(reads.values())))}; or `heard = {act}` in reads",
            )
    return reads


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _explained(channel: Channel, answers: tuple[str, ...], largest: tuple[str, ...]) -> str:
    if answers and channel.reads is None:
        return f"With {answers[0]} nothing that may be heard of one message can be heard of another."
    if answers:
        return f"With {answers[0]} everything that may be heard leads to the right act."
    if channel.reads is None:
        count = len(set(channel.acts.values()))
        return (
            f"{_counted(count, 'act').capitalize()} must be told apart, but at most "
            f"{_counted(len(largest), 'signal')} stay{'s' * (len(largest) == 1)} apart "
            f"({', '.join(largest)}): "
            f"of any {_counted(len(largest) + 1, 'signal')} some two may be heard as the same."
        )
    state = next(state for state in channel.acts if not channel.right_for(state))
    misread = ((signal, channel.misread(signal, state) or "") for signal in list(channel.hearings)[:3])
    said = "; ".join(
        f"`{signal}` may be heard as `{heard}`, which means {channel.reads[heard]}"
        for signal, heard in misread
    )
    return f"No signal is safe for `{state}`, which needs {channel.acts[state]}: {said}."


_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def _counted(count: int, noun: str) -> str:
    number = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    return f"{number} {noun}{'s' * (count != 1)}"
