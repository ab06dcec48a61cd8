"""Scenarios whose records have a wording, and a translator that reads answers to them from a script."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from impossible_moments.blueprints.catalogue import build_catalogue
from impossible_moments.blueprints.instance_trials import InstanceTrial, draw_and_check_instance
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation import StepKind
from impossible_moments.evaluation.translation import (
    AnswerInterpretation,
    RecordTranslator,
    build_coded_record,
)
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.llm.connection_pool import ConnectionPool
from impossible_moments.llm.model_references import ModelReference
from impossible_moments.scenarios.scenario import Scenario
from support.golden_records import load_golden_record
from support.judge_scripts import ScriptedPanel, build_scenario
from support.providers.conversation import Question
from support.small_blueprints import FAMILIES, render_public_document
from support.worded_record import build_worded_record

BOTTLES: Final = "between_two_bottles"
SKIN: Final = "loop_in_yakutsk"
MIX, MIX_TWIN = "IM-0001", "IM-0002"
"""The scenario that a mixture solves, and its twin in which no mixture does."""
_VARIANTS: Final = {MIX: "proportion", MIX_TWIN: "same_side"}
Form = Mapping[str, Any]


@cache
def build_grate_key(status: str = "KS-Singular") -> AnswerKey:
    """Return the key of the keys under the grate; as PX, the lace is too short."""
    record = build_worded_record()
    if status == "PX":
        record = _close_grate(record)
    return AnswerKey.from_record("IM-0001", record, load_everyday_library())


def _close_grate(record: dict[str, Any]) -> dict[str, Any]:
    things = [
        {**each, "props": "length = 1.0[m]"} if each["name"] == "lace" else each for each in record["things"]
    ]
    approaches = [
        {**each, "ends": "blocked tie.l"} if each["name"] == "magnet_on_a_lace" else each
        for each in record["approaches"]
    ]
    block = {"claim": "PX", "conflict": ["tie.l", "reach_down.long_enough", "fish.hangs"]}
    return {**record, "things": things, "approaches": approaches, "status": {**block, "chains": ["by_hand"]}}


def build_grate_scenario() -> Scenario:
    """Return the public side of the keys under the grate; hidden sections contain the word UNSEEN."""
    text = "Your keys lie 1.2 m below the grate. You have a fridge magnet, a boot lace and a rolled umbrella."
    base = build_scenario("bin_nine")
    return replace(base, sections={**base.sections, "Scenario": text})


@cache
def draw_bottles(variant: str) -> InstanceTrial:
    """Draw a scenario of the family `between_two_bottles`."""
    folder = FAMILIES / "last_ingredient"
    catalogue = build_catalogue([folder / f"{BOTTLES}.yaml", folder / BOTTLES / f"{SKIN}.yaml"])
    offer = next(each for each in catalogue.iterate_offers() if each.name == f"{BOTTLES}/{SKIN}/{variant}")
    return draw_and_check_instance(offer, load_everyday_library(), 1, 0)


@cache
def build_bottles_key(scenario_id: str = MIX) -> AnswerKey:
    """Return the key of a scenario of the family."""
    return AnswerKey.from_record(
        scenario_id, draw_bottles(_VARIANTS[scenario_id]).instance.record, load_everyday_library()
    )


def create_bottles_folder(folder: Path) -> Path:
    """Write a folder with both scenarios of the family."""
    for name in ("public", "evaluation"):
        (folder / name).mkdir(parents=True)
    for scenario_id, variant in _VARIANTS.items():
        tried = draw_bottles(variant)
        text = render_public_document(tried).replace("IM-0007", scenario_id)
        (folder / "public" / f"{scenario_id}.md").write_text(text, encoding="utf-8")
        path = folder / "evaluation" / f"{scenario_id}_mechanics.json"
        path.write_text(json.dumps(tried.instance.record), encoding="utf-8")
    return folder


def find_code(key: AnswerKey, call: str) -> str:
    """Return the code of a call, or of the value of a decision."""
    return next(deed.code for deed in build_coded_record(key).deeds if deed.call == call)


def find_statement(statements: Mapping[str, str], text: str) -> str:
    """Return the code of a statement of a list."""
    return next(code for code, each in statements.items() if text in each)


def build_call(key: AnswerKey, call: str, quote: str, **said: str) -> dict[str, Any]:
    """Build an entry that maps a quote to a call, with the words for each needed statement."""
    statements = [{"name": name, "quote": words} for name, words in said.items()]
    return {"quote": quote, "kind": "call", "code": find_code(key, call), "said": statements}


def confirm_everything(question: Question) -> dict[str, Any]:
    """Call every line of a mapping faithful."""
    count = int(question.messages[0].text.rpartition("each of the ")[2].split()[0])
    return {"lines": [{"number": number, "faithful": True} for number in range(1, count + 1)]}


def refuse_lines_with(*words: str) -> Callable[[Question], dict[str, Any]]:
    """Return a second pass that refuses the lines whose words contain something."""

    def review(question: Question) -> dict[str, Any]:
        lines = []
        for text in question.messages[0].text.split("\n"):
            number, dot, rest = text.partition(". words: ")
            if dot and number.isdigit():
                refused = any(word in rest for word in words)
                lines.append(
                    {"number": int(number), "faithful": not refused, "why": "another deed" * refused}
                )
        return {"lines": lines}

    return review


def is_second_pass(question: Question) -> bool:
    """Return whether a question asks to confirm a mapping."""
    return "lines" in question.tools[0].schema["properties"]


@dataclass
class ScriptedTranslation:
    """A translator with a script for both passes, and the questions it was asked."""

    read: Form | Callable[[Question], Form]
    review: Callable[[Question], Form] = confirm_everything
    panel: ScriptedPanel = field(init=False)

    def __post_init__(self) -> None:
        self.panel = ScriptedPanel({"translator": self._answer})

    def _answer(self, question: Question) -> Form:
        if is_second_pass(question):
            return self.review(question)
        return self.read(question) if callable(self.read) else self.read

    @property
    def prompts(self) -> list[str]:
        """The first message of each question."""
        return [each.messages[0].text for each in self.panel.heard]

    def interpret(self, key: AnswerKey, text: str, scenario: Scenario | None = None) -> AnswerInterpretation:
        """Return an answer as the translator reads it."""

        async def work(exchange: ConnectionPool, models: tuple[ModelReference, ...]) -> AnswerInterpretation:
            translator = RecordTranslator(models[0], exchange, self.panel.budget)
            return await translator.interpret_answer(scenario or build_grate_scenario(), key, text)

        found: AnswerInterpretation = self.panel.run_with_server(work)
        return found


def build_worded_golden_key(name: str, **wording: Any) -> AnswerKey:
    """Return the key of a golden record with a wording."""
    record = {**load_golden_record(name), "wording": wording}
    return AnswerKey.from_record(name, record, load_everyday_library())


GRATE_ANSWER: Final = (
    "It can be done. I tie the fridge magnet to my boot lace. Then I fish the keys up through the grate."
)
"""A right answer to the keys under the grate."""


def build_tie(quote: str = "I tie the fridge magnet to my boot lace", **said: str) -> dict[str, Any]:
    """Build the entry for its first step; `said` replaces the words for a statement."""
    words = {"magnet": "the fridge magnet", "joined": "I tie the fridge magnet", "line": "my boot lace"}
    return build_call(build_grate_key(), "tie(magnet, lace)", quote, **{**words, **said})


def build_fish(quote: str = "I fish the keys up", **said: str) -> dict[str, Any]:
    """Build the entry for its second step."""
    words = {"up": "fish the keys up", "keys": "fish the keys", **said}
    return build_call(build_grate_key(), "fish(magnet, keys)", quote, **words)


def build_reading(*plan: Form, **more: Any) -> dict[str, Any]:
    """Build the reading of an answer that says that it can be done."""
    return {"verdict": "solvable", "verdict_quote": "It can be done", "plan": list(plan), **more}


def get_step_kinds(found: AnswerInterpretation) -> list[StepKind]:
    """Return what the steps of an answer were read as."""
    assert found.answer is not None, found.failure
    return [step.kind for step in found.answer.steps]
