"""One episode: acts are executed one by one in the world of a scenario. Nothing can be undone, but it may begin again."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.durations import format_duration
from impossible_moments.evaluation.menus.action_menu import ActionMenu, LineKind, MenuLine, build_action_menu
from impossible_moments.evaluation.menus.menu_values import (
    MenuValueError,
    build_answer_call,
    build_choose_call,
)
from impossible_moments.mechanics.execution import Move, MoveError, PlanRun, RunTermination
from impossible_moments.mechanics.records import PlanError, PlannedCall, parse_call

MOST_ACTS: Final = 60
"""The most acts of an episode, harmless ones included."""
RESTART: Final = "restart"
"""The act that begins an episode again."""
LONGEST_WAIT: Final = 1e7
"""The longest wait that an act may ask for, in seconds."""


class EpisodeState(StrEnum):
    """How far an episode has come."""

    RUNNING = "running"
    SOLVED = "solved"
    FAILED = "failed"
    """Something happened that must not happen, or time is over."""
    FINISHED = "finished"
    """The solver ended it, or used up its acts."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What the solver observes after an act."""

    text: str
    state: EpisodeState
    is_valid: bool = True
    """Whether the act could be carried out."""


@dataclass
class ActionEpisode:
    """A running episode. Its acts are the lines of the menu, with their values."""

    key: AnswerKey
    restarts_allowed: int = 0
    """How often the episode may begin again."""
    menu: ActionMenu = field(init=False)
    state: EpisodeState = EpisodeState.RUNNING
    acts: list[str] = field(default_factory=list)
    """Every act as the solver wrote it, restarts included."""
    calls: list[str] = field(default_factory=list)
    """The calls that were carried out since the last restart, in order."""
    invalid_acts: int = 0
    """Acts that could not be carried out, over all attempts."""
    wasted_acts: int = 0
    """Acts without an effect, over all attempts."""
    restarts: int = 0
    useless_acts_before: int = 0
    """Invalid and wasted acts of the attempts before the last restart."""

    def __post_init__(self) -> None:
        self.menu = build_action_menu(self.key, with_unsaid=True)
        self._run = self._start_run()

    def _start_run(self) -> PlanRun:
        executor = self.key.analysis.executor
        # premises are only suggested, so nothing happens if an act breaks one
        lifted = frozenset(
            rule.name for rule in self.key.analysis.world.never_rules if rule.evidence in self.key.premises
        )
        return PlanRun(executor, executor.engine.build_start_values(), lifted, measured=True)

    @property
    def useless_acts(self) -> int:
        """Invalid and wasted acts since the last restart."""
        return self.invalid_acts + self.wasted_acts - self.useless_acts_before

    def look(self) -> Observation:
        """Describe the time that has passed, the time that is left, and what was done."""
        done = [self._describe_call(call) for call in self.calls]
        summary = f" Done so far: {'; '.join(done)}." if done else " Nothing has been done yet."
        return Observation(f"{self._describe_time()}{summary}", self.state)

    def act(self, line: str) -> Observation:
        """Carry out a line of the menu, written as its code or as `code=value`."""
        if self.state is not EpisodeState.RUNNING:
            return Observation(f"The episode is over: {self.state}.", self.state, is_valid=False)
        self.acts.append(line)
        code, _, given = line.partition("=")
        found = self.menu.by_code.get(code.strip().upper())
        if found is None:
            return self._refuse("There is no such action.")
        if found.kind in {LineKind.HARMLESS, LineKind.NEAR_MISS}:
            self.wasted_acts += found.kind is LineKind.NEAR_MISS
            return self._conclude(f"Done: {found.text}. It changes nothing that matters here.")
        try:
            move = self._compile_line(found, given.strip())
        except (MenuValueError, MoveError, PlanError) as problem:
            return self._refuse(f"This cannot be done: {problem}.")
        return self._carry_out(move)

    def wait(self, seconds: float) -> Observation:
        """Let time pass."""
        if self.state is not EpisodeState.RUNNING:
            return Observation(f"The episode is over: {self.state}.", self.state, is_valid=False)
        self.acts.append(f"wait={seconds:.10g}")
        if not math.isfinite(seconds) or not 0 < seconds <= LONGEST_WAIT:
            return self._refuse("This is not a time that one can wait.")
        return self._carry_out(self._get_move(f"wait({seconds:.10g}[s])"))

    def restart(self) -> Observation:
        """Begin again from the start. A solved episode, and one that used up its acts, stays as it is."""
        if self.state not in {EpisodeState.RUNNING, EpisodeState.FAILED} or len(self.acts) >= MOST_ACTS:
            return Observation(f"The episode is over: {self.state}.", self.state, is_valid=False)
        self.acts.append(RESTART)
        if self.restarts >= self.restarts_allowed:
            self.invalid_acts += 1
            return Observation("It cannot begin again.", self.state, is_valid=False)
        self.restarts += 1
        self.useless_acts_before = self.invalid_acts + self.wasted_acts
        self.calls.clear()
        self.state = EpisodeState.RUNNING
        self._run = self._start_run()
        left = self.restarts_allowed - self.restarts
        return Observation(
            f"Everything is as it was at the start. {left} restarts are left. {self._describe_time()}",
            self.state,
        )

    def finish(self) -> Observation:
        """End the episode."""
        if self.state is EpisodeState.RUNNING:
            self.state = EpisodeState.FINISHED
        return Observation(f"The episode is over: {self.state}.", self.state)

    def _compile_line(self, line: MenuLine, given: str) -> Move:
        match line.kind:
            case LineKind.VALUE:
                return self._get_move(build_choose_call(line.call, given, self.key))
            case LineKind.ANSWER:
                return self._get_move(build_answer_call(line.call, given, self.key))
            case _:
                return self._get_move(line.call)

    def _get_move(self, call: str) -> Move:
        return self.key.analysis.executor.moves.get_move(parse_call(call))

    def _carry_out(self, move: Move) -> Observation:
        began = self._run.time
        try:
            self._run.execute_move(move)
        except RunTermination as ended:
            return self._report_termination(ended)
        self.calls.append(move.text)
        took = self._run.time - began
        spent = f" It took {format_duration(took)}." if took > 0 else ""
        return self._conclude(f"Done: {self._describe_call(move.text)}.{spent}")

    def _report_termination(self, ended: RunTermination) -> Observation:
        kind, _, name = ended.end.partition(" ")
        reason = self.key.wording.conditions.get(name, "")
        if kind == "never":
            self.state = EpisodeState.FAILED
            return Observation(
                f"It goes wrong: {reason or 'something happens that must not happen'}.", self.state
            )
        words = f": it would have to hold that {reason}" if reason else ""
        return self._refuse(f"It does not work{words}.")

    def _refuse(self, text: str) -> Observation:
        self.invalid_acts += 1
        found = self._conclude(text)
        return Observation(found.text, found.state, is_valid=False)

    def _conclude(self, text: str) -> Observation:
        if self._run.is_goal_met():
            self.state = EpisodeState.FAILED if self._run.is_late else EpisodeState.SOLVED
            ending = (
                "The goal is reached."
                if self.state is EpisodeState.SOLVED
                else "The goal is reached too late."
            )
            return Observation(f"{text} {ending}", self.state)
        if self._run.is_late:
            self.state = EpisodeState.FAILED
            return Observation(f"{text} The time is over.", self.state)
        if len(self.acts) >= MOST_ACTS:
            self.state = EpisodeState.FINISHED
        return Observation(f"{text} {self._describe_time()}", self.state)

    def _describe_call(self, call: str) -> str:
        parsed = parse_call(call)
        found = self.key.wording.find_wording(PlannedCall(parsed.verb, parsed.arguments))
        if found is not None:
            return found.menu
        line = self.menu.find_line_of_call(call)
        return line.text if line is not None else call.replace("_", " ")

    def _describe_time(self) -> str:
        deadline = self._run.deadline
        if deadline is None:
            return f"{format_duration(self._run.time)} have passed."
        left = max(deadline - self._run.time, 0.0)
        return f"{format_duration(self._run.time)} have passed, {format_duration(left)} are left."
