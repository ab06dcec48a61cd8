"""A noisy channel: what may be heard of each signal, and which signals are distinguishable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from impossible_moments.mechanics.puzzles.finite_domain_search import BudgetExhaustedError, SearchBudget


@dataclass(frozen=True)
class SignalChannel:
    """The right act for each state, the hearings of each signal, and the act that each hearing leads to.

    `reads` is None if sender and receiver agreed on a code. An instance is callable as the check of an
    answer.
    """

    acts: Mapping[str, str]
    hearings: Mapping[str, tuple[str, ...]]
    acts_by_hearing: Mapping[str, str] | None

    def list_safe_signals(self, state: str) -> tuple[str, ...]:
        """Return the signals that can stand for a state. Without an agreed code, misread ones are excluded."""
        return tuple(
            sorted(signal for signal in self.hearings if self.find_misreading(signal, state) is None)
        )

    def find_misreading(self, signal: str, state: str) -> str | None:
        """Return a hearing of the signal that leads to another act than the state needs, or None."""
        if self.acts_by_hearing is None:
            return None
        hearings = self.hearings[signal]
        return next((each for each in hearings if self.acts_by_hearing[each] != self.acts[state]), None)

    def are_distinguishable(self, first: str, second: str) -> bool:
        """Return whether two signals have no hearing in common."""
        return (first, second) in self._distinguishable_pairs

    @cached_property
    def _distinguishable_pairs(self) -> frozenset[tuple[str, str]]:
        hearing_sets = {signal: frozenset(hearings) for signal, hearings in self.hearings.items()}
        return frozenset(
            (one, other)
            for one in hearing_sets
            for other in hearing_sets
            if not hearing_sets[one] & hearing_sets[other]
        )

    def is_unambiguous_code(self, code: Mapping[str, str]) -> bool:
        """Return whether states of a code that need different acts have distinguishable signals."""
        pairs = list(code.items())
        return all(
            self.acts[state] == self.acts[other] or self.are_distinguishable(signal, other_signal)
            for number, (state, signal) in enumerate(pairs)
            for other, other_signal in pairs[:number]
        )

    def __call__(self, answer: Mapping[str, str]) -> bool:
        """Return whether an answer gives a right signal to each state and nothing else, ignoring case."""
        signals = {signal.casefold(): signal for signal in self.hearings}
        code = {state: signals.get(answer.get(state.casefold(), ""), "") for state in self.acts}
        known = len(answer) == len(code) and all(code.values())
        return (
            known
            and all(code[state] in self.list_safe_signals(state) for state in code)
            and self.is_unambiguous_code(code)
        )

    def enumerate_codes(self, budget: SearchBudget) -> Iterator[dict[str, str]]:
        """Yield all right codes in the order of their text. Stop early when the budget is spent."""
        choices = [(state, self.list_safe_signals(state)) for state in self.acts]
        if not all(signals for _, signals in choices):
            return
        try:
            yield from self._enumerate_code_extensions(choices, {}, budget)
        except BudgetExhaustedError:
            return

    def _enumerate_code_extensions(
        self,
        choices: Sequence[tuple[str, tuple[str, ...]]],
        partial_code: dict[str, str],
        budget: SearchBudget,
    ) -> Iterator[dict[str, str]]:
        if len(partial_code) == len(choices):
            yield partial_code
            return
        state, signals = choices[len(partial_code)]
        for signal in signals:
            budget.spend_nodes()
            if all(
                self.acts[other] == self.acts[state] or self.are_distinguishable(signal, partial_code[other])
                for other in partial_code
            ):
                yield from self._enumerate_code_extensions(choices, {**partial_code, state: signal}, budget)

    def find_largest_distinguishable_set(self) -> tuple[str, ...]:
        """Find a largest set of pairwise distinguishable signals by exhaustive search."""
        return self._extend_distinguishable_set((), tuple(sorted(self.hearings)), ())

    def _extend_distinguishable_set(
        self, signals: tuple[str, ...], left: tuple[str, ...], best: tuple[str, ...]
    ) -> tuple[str, ...]:
        if len(signals) > len(best):
            best = signals
        for number, signal in enumerate(left):
            if len(signals) + len(left) - number <= len(best):
                break
            rest = tuple(other for other in left[number + 1 :] if self.are_distinguishable(signal, other))
            best = self._extend_distinguishable_set((*signals, signal), rest, best)
        return best
