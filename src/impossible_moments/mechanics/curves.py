"""Curves: states whose rates read what changes, followed step by step.

The size of a step follows its error, and a step ends where a rate turns or a state comes to a bound. What cannot be
followed is said, and not guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.moments import first_true
from impossible_moments.mechanics.scalars import UNDEFINED, Values
from impossible_moments.mechanics.stepping import Moving, State, Stepped, Stepper
from impossible_moments.mechanics.watches import Positions, Sides

BENDS: Final = 16
"""How many steps a curve is followed in, at least."""
ERROR: Final = 1e-6
EXACT: Final = 1e-9
"""How exactly a state must come to where it is to rest."""
MOST_STEPS: Final = 2_000
LEAST: Final = 1e-12
"""The shortest step, as a share of the whole time."""
SHORT: Final = 1e-6
STUCK: Final = 12
"""How many steps shorter than that share of the whole time, with none longer between them, show a rate that flips to and fro."""
LEAPS: Final = 1_500
"""How many steps such a rate is followed in."""
COARSEST: Final = 0.01
"""By which share of what it can be a state may move in one of them."""
STIFF: Final = 48
"""After how many steps, each time, it is tried whether the rates are stiff."""
LONGER: Final = 8


class TooFast(OverflowError):
    """Rates that cannot be followed over so long a time: what happens then is not known."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the time that passes. `at` gives the states at a moment, counted from the beginning of all stretches."""

    earlier: float
    later: float
    at: Callable[[float], State]


class Curve:
    """One time that passes in a world whose rates bend.

    `sides` tells where everything stands at which a rate turns; `alone` are the states whose rates read nothing else that
    changes.
    """

    def __init__(
        self,
        moving: Sequence[Moving],
        sides: Sides,
        values: Values,
        duration: float,
        *,
        alone: frozenset[int] = frozenset(),
    ) -> None:
        self._stepper = Stepper(moving, values)
        self._alone = alone
        self._resting: frozenset[int] = frozenset()
        self._sides = sides
        self._duration = duration
        self._least = duration * LEAST
        self._short = duration * SHORT
        self._steps = 0
        self._stuck = 0
        self._stiff = False
        self._start([float(values[each.place]) for each in moving])

    def stretches(self) -> Iterator[Stretch]:
        """The stretches in their order; each is to be looked at before the next is asked for."""
        done, step = 0.0, self._duration / BENDS
        while done < self._duration:
            left = self._duration - done
            step, longer = self._fitting(min(step, left, self._duration / BENDS))
            step = self._held_up(min(step, left))
            later = self._duration if step >= left * (1 - LEAST) else done + step
            yield Stretch(done, later, self._glimpse(done, later, step))
            after = self._made(step)[0]
            self._stepper.resting |= self._resting
            self._start(after)
            done, step = later, step * longer

    def _glimpse(self, done: float, later: float, step: float) -> Callable[[float], State]:
        return lambda moment: self._made(step if moment >= later else moment - done)[0]

    def _start(self, state: State) -> None:
        """Go on from a state: steps are made anew."""
        self._state = state
        self._before = self._standing(state)
        self._steps_made: dict[float, Stepped] = {0.0: (state, 0.0)}

    def _made(self, step: float) -> Stepped:
        found = self._steps_made.get(step)
        if found is None:
            make = self._stepper.implicit if self._stiff else self._stepper.explicit
            found = self._steps_made[step] = make(self._state, step)
        return found

    def _fitting(self, step: float) -> tuple[float, float]:
        """A step that is exact enough and in which nothing turns before its end, and how many times longer the next may be."""
        self._counted()
        if self._stuck > STUCK:
            return self._leap(), 1.0
        step, halved = self._tried_stiff(step), False
        while (error := self._error(step)) > ERROR:
            if step <= self._least:
                return self._tight(step), 1.0
            step, halved = max(step / 2, self._least), True
        low, high = (step, 2 * step) if halved and not self._turned(step) else (0.0, step)
        if not self._turned(high):
            self._stuck = 0 if step > self._short else self._stuck
            return step, 2.0 if error < ERROR / 32 else 1.0
        cut = max(first_true(self._turned, low, high), self._least)
        if self._error(cut) > ERROR and low > 0:
            return self._tight(step), 1.0
        return self._tight(cut), LONGER

    def _tight(self, step: float) -> float:
        """A step that could not be longer; many very short ones show a rate that flips to and fro."""
        self._stuck += step <= self._short
        return step

    def _counted(self) -> None:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise TooFast("the rates change too fast to be followed over so long a time")

    def _tried_stiff(self, step: float) -> float:
        """Now and then a much longer step of the other sort is tried; as long as it is exact enough, that sort is kept."""
        if self._stiff or self._steps % STIFF:
            if self._stiff and self._error(step) > ERROR:
                self._use(stiff=False)
            return step
        longer = min(step * LONGER, self._duration / BENDS)
        self._use(stiff=True)
        if longer > step and self._error(longer) <= ERROR and not self._turned(longer):
            return longer
        self._use(stiff=False)
        return step

    def _use(self, *, stiff: bool) -> None:
        self._stiff = stiff
        self._start(self._state)

    def _held_up(self, step: float) -> float:
        """The step, or one up to where a state that is alone is pushed back to from beyond: there it rests from then on."""
        if not self._pushed_back(step):
            return step
        cut = first_true(lambda shorter: bool(self._pushed_back(shorter)), 0.0, step)
        if self._error(cut) > EXACT and cut > self._least:
            return cut / 2
        self._resting = self._pushed_back(cut)
        return cut

    def _pushed_back(self, step: float) -> frozenset[int]:
        """The states that turn round in a step: what reads itself alone cannot, unless it is held where its rate flips."""
        if not self._alone:
            return frozenset()
        now, after = self._stepper.first_slopes(self._state), self._made(step)[0]
        then = self._stepper.slopes(after) if self._turned(step) else now
        return frozenset(
            number
            for number in self._alone
            if now[number] * then[number] < 0 or now[number] * (after[number] - self._state[number]) < 0
        )

    def _leap(self) -> float:
        """A step over a rate that flips to and fro, if the states hardly move in it."""
        step = self._duration / LEAPS
        self._use(stiff=False)
        after, error = self._made(step)
        far = (
            abs(new - old) / each.size(new)
            for new, old, each in zip(after, self._state, self._stepper.moving, strict=True)
        )
        if max(far) > COARSEST:
            raise TooFast("a rate flips to and fro too fast to be followed over so long a time")
        if error <= ERROR and not self._turned(step):
            self._stuck = 0
        return step

    def _error(self, step: float) -> float:
        """How far a step may be wrong; one on which a rate has no value is as wrong as can be."""
        try:
            return self._made(step)[1]
        except UNDEFINED:
            return float("inf")

    def _turned(self, step: float) -> bool:
        """Whether something has turned by the end of a step."""
        try:
            return self._standing(self._made(step)[0]) != self._before
        except UNDEFINED:
            return False

    def _standing(self, state: State) -> Positions:
        """Where everything stands that may turn: what the rates compare, and states at their bounds."""
        bounds = (
            float((value >= each.high) - (value <= each.low))
            for value, each in zip(state, self._stepper.moving, strict=True)
        )
        return (*self._sides(self._stepper.at(state)), *bounds)
