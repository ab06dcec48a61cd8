"""The tools with which a model acts in an episode, and the statement with which it ends."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from impossible_moments.evaluation.episodes.action_episode import ActionEpisode
from impossible_moments.evaluation.menus.menu_prompt import render_menu_lists
from impossible_moments.llm import ConsultationTask, ModelTool

SYSTEM: Final = """\
You are in the situation that the user describes, and you act in it with tools. Think before you act: time passes, and nothing can be \
undone.{restarts} `act` carries out one line of the menu, `wait` lets time pass, `look` tells what has happened. Some lines lead nowhere, and the \
situation may be impossible as it stands. When you are done, or when you find that nothing can be done, hand in your verdict.
"""
RESTARTS: Final = " You may begin again from the start {times} times with `restart`. Restarts are counted, and your last attempt is scored."
USER: Final = """\
{situation}

{lists}
"""
_Code = Annotated[str, Field(max_length=40)]


class EpisodeEnding(BaseModel):
    """The verdict on the situation, with the codes of the statements it rests on. Empty where nothing applies."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    verdict: Literal["solvable", "impossible", "contested", "open"]
    assumption: _Code
    """The statement that is only an assumption, such as P2."""
    conflict: Annotated[tuple[_Code, ...], Field(max_length=20)]
    """The conditions that cannot all be met, such as C1 and C4."""
    crux: _Code
    """What the answer depends on, such as U1."""


def build_episode_task(episode: ActionEpisode, situation: str) -> ConsultationTask[EpisodeEnding]:
    """Build the task of a model in an episode. Its tools change the episode."""

    def look() -> str:
        return episode.look().text

    def act(line: str) -> str:
        return episode.act(line).text

    def wait(minutes: float) -> str:
        return episode.wait(60 * minutes).text

    def restart() -> str:
        return episode.restart().text

    allowed = episode.restarts_allowed
    restart_tools = (
        (ModelTool("restart", "Begin again from the start. Nothing that was done remains.", restart),)
        if allowed
        else ()
    )
    return ConsultationTask(
        SYSTEM.format(restarts=RESTARTS.format(times=allowed) if allowed else ""),
        USER.format(situation=situation.strip(), lists=render_menu_lists(episode.menu)),
        EpisodeEnding,
        (
            ModelTool("look", "Tell how much time has passed and is left, and what was done.", look),
            ModelTool(
                "act",
                "Carry out one line of the menu: its code, or CODE=VALUE where a value is asked for.",
                act,
            ),
            ModelTool("wait", "Let time pass, in minutes.", wait),
            *restart_tools,
        ),
    )
