"""Scenarios as an environment for training and for other harnesses: prompts in, rewards out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Final

from impossible_moments.domain.vocabulary import parse_main_status
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.answer_key import AnswerKey, has_worded_record
from impossible_moments.evaluation.episodes import interpret_transcript, limit_restarts
from impossible_moments.evaluation.interpretation import score_interpreted_answer
from impossible_moments.evaluation.menus import (
    build_action_menu,
    interpret_menu_answer,
    render_menu_instructions,
)
from impossible_moments.evaluation.record_kinds import split_scenarios
from impossible_moments.evaluation.results import RunState
from impossible_moments.evaluation.runs.presentation import AnswerForm, Presentation, build_answer_prompt
from impossible_moments.evaluation.scored_answer import ScoredAnswer
from impossible_moments.evaluation.scoring import score_answer
from impossible_moments.library import load_everyday_library
from impossible_moments.mechanics.records import Library
from impossible_moments.scenarios import Scenario, resolve_scenario_folder

KEYS: Final = "evaluation"
"""The folder of the answer keys, next to the public documents."""


@dataclass(frozen=True)
class Environment:
    """The scenarios of a folder. Each document and each key is read once, the keys on first use.

    It is deterministic: the same scenario and answer give the same number in any order and in any process.
    """

    folder: Path | str = field(default_factory=partial(resolve_scenario_folder, None))
    """The working folder `scenarios` if there is one, otherwise the shipped benchmark, if none is named."""
    library: Library = field(default_factory=load_everyday_library, repr=False)
    presentation: Presentation = Presentation.BLIND
    _keys: dict[str, AnswerKey] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def scenarios(self) -> Mapping[str, Scenario]:
        """All scenarios by ID, in order, without uncertain worlds. Raises `ConfigurationError` if there are none."""
        ordinary, _ = split_scenarios(Scenario.load_directory(self.folder), self.rubrics)
        found = {each.scenario_id: each for each in ordinary}
        if not found:
            raise ConfigurationError(
                f"{self.folder} contains no public documents such as `IM-0001.md`; name a folder that does."
            )
        return found

    @property
    def executable(self) -> tuple[str, ...]:
        """The scenarios whose answers are scored by execution alone. Open questions need a judge."""
        return tuple(
            name
            for name, each in self.scenarios.items()
            if parse_main_status(each.status) != "OF" and name not in self.unworded
        )

    @cached_property
    def unworded(self) -> frozenset[str]:
        """The scenarios whose records have no section `wording`, so that no answer to them can be scored."""
        return frozenset(name for name in self.scenarios if not has_worded_record(self.rubrics, name))

    def build_prompt(self, scenario_id: str, form: AnswerForm = AnswerForm.PLAN) -> str:
        """Return the prompt for a scenario, including the answer form and the menu if it asks for one."""
        menu = ""
        if form is AnswerForm.MENU:
            menu = render_menu_instructions(build_action_menu(self.load_key(scenario_id)))
        return build_answer_prompt(self._get_scenario(scenario_id), self.presentation, form, menu)

    def reward(self, scenario_id: str, answer: str, form: AnswerForm = AnswerForm.PLAN) -> float | None:
        """Return the value of an answer from 0 to 1, or None if it has no score.

        It depends on the scenario, the answer and the form alone, and changes nothing. `preload` reads all keys beforehand;
        without it the key of a scenario is read on first use.
        """
        score = self.score_answer(scenario_id, answer, form).score
        return None if score is None else score / 100

    def score_answer(self, scenario_id: str, answer: str, form: AnswerForm = AnswerForm.PLAN) -> ScoredAnswer:
        """Return the score of an answer with its components, or the reason why it has none."""
        key = self.load_key(scenario_id)
        if key.unscorable_reason:
            return ScoredAnswer(RunState.UNSCORED, None, key.unscorable_reason)
        match form:
            case AnswerForm.MENU:
                return score_interpreted_answer(
                    interpret_menu_answer(answer, build_action_menu(key), key), key
                )
            case AnswerForm.INTERACTIVE:
                interpreted, _ = interpret_transcript(limit_restarts(answer, 0), key)
                return score_interpreted_answer(interpreted, key)
            case AnswerForm.POLICY:
                raise ConfigurationError(
                    "Policies are for uncertain worlds, which an environment does not hold."
                )
            case _:
                return score_answer(answer, key)

    def preload(self) -> None:
        """Read all answer keys, so that nothing is read afterwards."""
        for name in self.scenarios:
            self.load_key(name)

    def load_key(self, scenario_id: str) -> AnswerKey:
        """Return the answer key of a scenario, loading it on first use."""
        found = self._keys.get(scenario_id)
        if found is None:
            found = AnswerKey.load(self.rubrics, self._get_scenario(scenario_id).scenario_id, self.library)
            self._keys[scenario_id] = found
        return found

    @cached_property
    def rubrics(self) -> Path:
        """The folder of the answer keys."""
        return find_key_folder(Path(self.folder))

    def get_document_path(self, scenario_id: str) -> Path:
        """Return the path of the public document of a scenario."""
        folder = Path(self.folder)
        public = folder / "public" if (folder / "public").is_dir() else folder
        return public / f"{self._get_scenario(scenario_id).scenario_id}.md"

    def _get_scenario(self, scenario_id: str) -> Scenario:
        found = self.scenarios.get(scenario_id)
        if found is None:
            raise ConfigurationError(
                f"{str(scenario_id)[:40]!r} is not a scenario of {self.folder}, which contains {_describe_id_range(self.scenarios)}."
            )
        return found


def _describe_id_range(scenarios: Mapping[str, Scenario]) -> str:
    first, *rest = scenarios
    return f"{len(scenarios)}, {first} to {rest[-1]}" if rest else first


def find_key_folder(scenarios: Path) -> Path:
    """Return the folder of the answer keys.

    It lies in the scenario folder, or next to the folder of the public documents.
    """
    return (scenarios if (scenarios / KEYS).is_dir() else scenarios.parent) / KEYS
