"""What a model is asked about an uncertain world: to act in it with tools, or to write its policy as a decision tree."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from impossible_moments.evaluation.uncertain_runs.player_episode import PlayerEpisode
from impossible_moments.llm import ConsultationTask, ModelTool

SYSTEM: Final = """\
You are in the situation that the user describes, and you act in it with tools. Some facts are hidden. Their probabilities and the \
reliability of every test are stated, and what happens follows these figures. Play to maximise the probability of success. Nothing can be \
undone. `act` carries out one act by its code, `look` returns what is left and what was seen. When the episode is over, or if you stop, \
hand in your estimate of the probability of success that your way of playing had at the start.
"""
POLICY: Final = """\
Below is a situation in which some facts are hidden. Find the policy with the highest probability of success.

{situation}

Think first, as long as you need. Then end with one JSON object, and write nothing after it:

{{"policy": TREE, "estimate": PROBABILITY}}

TREE is {{"do": ACT, "then": {{OBSERVATION: TREE, ...}}}}. ACT is the code of an act. OBSERVATION is what you see after it, in the words of \
the tables without brackets, or "otherwise" for all observations that you do not list. The text "STOP" as a TREE ends the episode. Results that \
end the episode need no line. After an act with one result, "then" may be a TREE itself. An act that cannot be done ends the episode.
"""


class UncertainEnding(BaseModel):
    """What a model states at the end of an episode."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    estimate: Annotated[float, Field(ge=0, le=1)]
    """Estimated probability of success of the whole way of playing, judged at the start."""


def build_player_task(player: PlayerEpisode, situation: str) -> ConsultationTask[UncertainEnding]:
    """Build the task of a model in an episode. Its tools change the episode."""

    def look() -> str:
        return player.look()

    def act(code: str) -> str:
        return player.act(code)

    return ConsultationTask(
        SYSTEM,
        situation.strip(),
        UncertainEnding,
        (
            ModelTool("look", "Return what is left, what was done and seen, and what can be done now.", look),
            ModelTool("act", "Carry out one act, named by its code.", act),
        ),
    )


def build_policy_prompt(situation: str) -> str:
    """Return the prompt that asks for a decision tree."""
    return POLICY.format(situation=situation.strip())
