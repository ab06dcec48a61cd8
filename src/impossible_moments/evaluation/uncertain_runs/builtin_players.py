"""Built-in players of uncertain worlds. They act through the same episodes as a model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.runs.baselines import PREFIX
from impossible_moments.evaluation.uncertain_runs.player_episode import PlayerEpisode
from impossible_moments.evaluation.uncertain_runs.uncertain_key import UncertainKey
from impossible_moments.mechanics.uncertain import PolicyName, build_decision_tree, convert_tree_to_data

PLAYERS: Final[Mapping[str, str]] = {
    PolicyName.OPTIMAL: "does what has the highest probability of success",
    PolicyName.LOOKAHEAD: "does the act after which acting without further tests succeeds most often",
    PolicyName.GREEDY: "acts as if the most probable hidden state were certain",
    PolicyName.IGNORE: "acts as well as possible without any test",
    PolicyName.RANDOM: "draws one of the acts that can be done",
}


def find_player(model: str) -> PolicyName:
    """Return the player with a name such as `builtin:optimal`. Raise `ConfigurationError` if unknown."""
    name = model.removeprefix(PREFIX)
    if name not in PLAYERS:
        known = ", ".join(f"{PREFIX}{each}" for each in PLAYERS)
        raise ConfigurationError(
            f"`{model}` is not a built-in player of uncertain worlds. The players are {known}."
        )
    return PolicyName(name)


def play_world(name: PolicyName, key: UncertainKey, number: int) -> str:
    """Let a player act in one world and return the transcript."""
    player = PlayerEpisode(key, number)
    stream = Random(f"random player/{key.scenario_id}/{number}")  # noqa: S311 - repeatable, not secret
    while not player.is_over:
        node = player.episode.node
        if name is PolicyName.RANDOM:
            act: str | None = stream.choice(key.world.list_legal_acts(node.visible))
        else:
            act = key.policies.get_policy(name).choose_act(node)
        if act is None:
            break
        player.act(act)
    return player.to_text()


def write_policy(name: PolicyName, key: UncertainKey) -> str:
    """Return the decision tree of a player. Raise `ConfigurationError` for the random player, which has none."""
    if name is PolicyName.RANDOM:
        raise ConfigurationError(
            f"{PREFIX}random draws its acts and has no decision tree. Use --answer interactive."
        )
    tree = build_decision_tree(key.world, key.policies.get_policy(name))
    return json.dumps({"policy": convert_tree_to_data(tree)})
