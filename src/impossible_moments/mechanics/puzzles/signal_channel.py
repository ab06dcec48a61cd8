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
    reads: Mapping[str, str] | None

    def list_safe_signals(self, state: str) -> tuple[str, ...]:
        """Return the signals that can stand for a state. Without an agreed code, misread ones are excluded."""
        return tuple(
            sorted(signal for signal in self.hearings if self.find_misreading(signal, state) is None)
        )

    def find_misreading(self, signal: str, state: str) -> str | None:
        """Return a hearing of the signal that leads to another act than the state needs, or None."""
        if self.reads is None:
            return None
        heard = self.hearings[signal]
        return next((each for each in heard if self.reads[each] != self.acts[state]), None)

    def are_distinguishable(self, one: str, other: str) -> bool:
        """Return whether two signals have no hearing in common."""
        return (one, other) in self._distinguishable_pairs

    @cached_property
    def _distinguishable_pairs(self) -> frozenset[tuple[str, str]]:
        heard = {signal: frozenset(hearings) for signal, hearings in self.hearings.items()}
        return frozenset((one, other) for one in heard for other in heard if not heard[one] & heard[other])

    def is_unambiguous_code(self, code: Mapping[str, str]) -> bool:
        """Return whether states of a code that need different acts have distinguishable signals."""
        sent = list(code.items())
        return all(
            self.acts[state] == self.acts[other] or self.are_distinguishable(signal, other_signal)
            for number, (state, signal) in enumerate(sent)
            for other, other_signal in sent[:number]
        )

    def __call__(self, given: Mapping[str, str]) -> bool:
        """Return whether an answer gives a right signal to each state and nothing else, ignoring case."""
        signals = {signal.casefold(): signal for signal in self.hearings}
        code = {state: signals.get(given.get(state.casefold(), ""), "") for state in self.acts}
        known = len(given) == len(code) and all(code.values())
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
        self, choices: Sequence[tuple[str, tuple[str, ...]]], begun: dict[str, str], budget: SearchBudget
    ) -> Iterator[dict[str, str]]:
        if len(begun) == len(choices):
            yield begun
            return
        state, signals = choices[len(begun)]
        for signal in signals:
            budget.spend_nodes()
            if all(
                self.acts[other] == self.acts[state] or self.are_distinguishable(signal, begun[other])
                for other in begun
            ):
                yield from self._enumerate_code_extensions(choices, {**begun, state: signal}, budget)

    def find_largest_distinguishable_set(self) -> tuple[str, ...]:
        """Find a largest set of pairwise distinguishable signals by exhaustive search."""
        return self._extend_distinguishable_set((), tuple(sorted(self.hearings)), ())

    def _extend_distinguishable_set(
        self, chosen: tuple[str, ...], left: tuple[str, ...], best: tuple[str, ...]
    ) -> tuple[str, ...]:
        if len(chosen) > len(best):
            best = chosen
        for number, signal in enumerate(left):
            if len(chosen) + len(left) - number <= len(best):
                break
            rest = tuple(other for other in left[number + 1 :] if self.are_distinguishable(signal, other))
            best = self._extend_distinguishable_set((*chosen, signal), rest, best)
        return best
