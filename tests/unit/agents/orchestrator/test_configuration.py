"""The configuration: what a file may say, and the sentence that a wrong one gets."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from impossible_moments.agents.orchestrator.configuration import (
    PACKAGED_CONFIGURATION,
    Configuration,
    load_configuration,
)
from impossible_moments.agents.orchestrator.rules import build_scenario_rules
from impossible_moments.domain.content_labels import ContentLabel
from impossible_moments.domain.vocabulary import EULER, GALILEO, NEWTON, ROLES, SOCRATES, Phase
from impossible_moments.errors import ConfigurationError
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.records.documents import parse_document
from impossible_moments.scenarios.similarity.embedding import TfidfEmbedder

SOURCE = Path(__file__).parents[4] / "src/impossible_moments"
TURING = {
    "prompt": "agents/prompts/socrates_v1.md",
    "phases": ["VALIDATE", "REFINE", "DOCUMENT"],
    "context_policy": {"VALIDATE": ["narrative"], "REFINE": ["all"], "DOCUMENT": ["all"]},
}
GONE: Any = object()


def packaged() -> dict[str, Any]:
    data = parse_document(
        (SOURCE / PACKAGED_CONFIGURATION).read_text(encoding="utf-8"), name=PACKAGED_CONFIGURATION
    )
    assert isinstance(data, dict)
    return data


def changed(key: str, value: object, **agents: object) -> dict[str, Any]:
    """The packaged data with one key set to a value, or taken out."""
    data = packaged()
    data["agents"] |= copy.deepcopy(agents)
    *way, last = key.split("/")
    place = data
    for part in way:
        place = place.setdefault(part, {})
    place[last] = value
    if value is GONE:
        del place[last]
    return data


def written(folder: Path, data: object) -> Path:
    file = folder / "mine.yaml"
    file.write_text(json.dumps(data), encoding="utf-8")
    return file


def read(folder: Path, key: str, value: object, **agents: object) -> Configuration:
    return load_configuration(written(folder, changed(key, value, **agents)))


def test_the_packaged_file_is_read_by_the_path_the_specification_gives() -> None:
    assert load_configuration("agents/orchestrator/config.yaml") == load_configuration()


def test_the_packaged_file_names_the_five() -> None:
    assert tuple(load_configuration().roster) == ROLES


def test_a_further_agent_comes_after_the_five(tmp_path: Path) -> None:
    data = packaged()
    data["agents"].pop("turing")
    data["agents"] = {"turing": TURING, **data["agents"]}

    assert tuple(load_configuration(written(tmp_path, data)).roster) == (*ROLES, "TURING")


def test_a_phase_is_worked_on_by_those_who_list_it(tmp_path: Path) -> None:
    found = load_configuration(written(tmp_path, changed("agents/turing", TURING)))

    assert found.list_agents_in_phase(Phase.VALIDATE) == ("ATHENA", "EULER", "NEWTON", "TURING")


def test_a_prompt_beside_the_file_comes_before_any_other(tmp_path: Path) -> None:
    (tmp_path / "agents/prompts").mkdir(parents=True)
    (tmp_path / "agents/prompts/athena_v1.md").write_text("You are somebody else.", encoding="utf-8")

    found = load_configuration(written(tmp_path, packaged()))

    assert found.prompts["ATHENA"] == "You are somebody else."


def test_a_prompt_is_looked_for_here_before_it_is_looked_for_in_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "agents/prompts").mkdir(parents=True)
    (tmp_path / "agents/prompts/athena_v1.md").write_text("You are somebody else.", encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    assert load_configuration().prompts["ATHENA"] == "You are somebody else."


def test_a_prompt_version_is_its_name_with_a_hash_of_its_text(tmp_path: Path) -> None:
    (tmp_path / "mine_v2.md").write_text("You are ATHENA.", encoding="utf-8")

    found = read(tmp_path, "agents/athena/prompt", "mine_v2.md")

    assert found.prompt_versions["ATHENA"] == "mine_v2_b3a432"


@pytest.mark.parametrize("prompt", sorted(SOURCE.glob("agents/prompts/*.md")), ids=lambda path: path.name)
def test_every_packaged_prompt_is_named_in_the_packaged_file(prompt: Path) -> None:
    assert f"agents/prompts/{prompt.name}" in {entry.prompt for entry in load_configuration().agents.values()}


def test_the_entry_for_athena_in_the_specification_is_accepted(tmp_path: Path) -> None:
    entry = {
        "prompt": "agents/prompts/athena_v1.md",
        "phases": ["SEED", "REFINE", "DOCUMENT"],
        "lead_phases": ["SEED"],
        "can_veto": False,
    }

    assert read(tmp_path, "agents/athena", entry).roster["ATHENA"].phases == ("SEED", "REFINE", "DOCUMENT")


# fmt: off
TIGHTER = [
    ("agents/newton/confidence_threshold", 0.9),
    ("agents/euler/max_token_budget",      1_000),
    ("agents/galileo/context_policy",      {"GROUND": ["narrative"]}),
    ("agents/galileo/context_policy",      {"GROUND": ["Scenario narrative"]}),
    ("agents/socrates/context_policy",     {"CLASSIFY": []}),
    ("gates/attempts",                     {"SEED": 1}),
    ("gates/timing_margin",                0.5),
    ("gates/similarity",                   0.4),
    ("limits/challenges_per_agent",        0),
    ("limits/vetoes_per_agent",            0),
    ("limits/redesigns",                   0),
    ("limits/splits",                      0),
]
# fmt: on


@pytest.mark.parametrize(("key", "value"), TIGHTER)
def test_settings_may_tighten_a_rule(key: str, value: object, tmp_path: Path) -> None:
    rules = build_scenario_rules(read(tmp_path, key, value), load_everyday_library(), TfidfEmbedder())

    assert rules.list_agents_in_phase(Phase.REFINE) == ROLES


# fmt: off
NO_PHASE = "'SEED', 'VALIDATE', 'GROUND', 'CLASSIFY', 'REFINE' or 'DOCUMENT'"
WRONG = [
    # key                                   wrong value                           what the sentence says of the choices
    ("version",                             1.0,                                  "text"),
    ("version",                             GONE,                                 "version and agents"),
    ("agent",                               {},                                   "version, agents, gates, limits"),
    ("agents",                              GONE,                                 "version and agents"),
    ("agents",                              [],                                   "a map of settings"),
    ("agents/newton",                       GONE,                                 "athena, galileo, euler, newton, socrates"),
    ("agents/newton",                       "on",                                 "a map of settings"),
    ("agents/newton/prompt",                GONE,                                 "prompt and phases"),
    ("agents/newton/prompt",                "nowhere.md",                         "it is neither in the working folder nor in the package"),
    ("agents/newton/prompts",               "x.md",                               "prompt, phases, lead_phases, can_veto"),
    ("agents/newton/phases",                "VALIDATE",                           "a list"),
    ("agents/newton/phases",                ["REVIEW"],                           NO_PHASE),
    ("agents/newton/phases",                ["validate", "REFINE", "DOCUMENT"],   NO_PHASE),
    ("agents/newton/phases",                ["VALIDATE", "REFINE"],               "newton works in VALIDATE, REFINE, DOCUMENT"),
    ("agents/newton/phases",                ["GROUND", "VALIDATE", "REFINE", "DOCUMENT"], "newton works in VALIDATE, REFINE, DOCUMENT"),
    ("agents/newton/lead_phases",           ["SEED"],                             "which are VALIDATE, REFINE, DOCUMENT"),
    ("agents/newton/can_veto",              False,                                "EULER and NEWTON can veto"),
    ("agents/newton/can_veto",              GONE,                                 "EULER and NEWTON can veto"),
    ("agents/newton/can_veto",              "perhaps",                            "true or false"),
    ("agents/athena/can_veto",              True,                                 "EULER and NEWTON can veto"),
    ("agents/newton/confidence_threshold",  0.6,                                  "from 0.7 to 1"),
    ("agents/newton/confidence_threshold",  0.2,                                  "from 0.5 to 1"),
    ("agents/newton/confidence_threshold",  1.2,                                  "from 0.5 to 1"),
    ("agents/newton/confidence_threshold",  "high",                               "from 0.5 to 1"),
    ("agents/newton/max_token_budget",      30_000,                               "from 1000 to 20000"),
    ("agents/newton/max_token_budget",      0,                                    "from 1000 to 200000"),
    ("agents/newton/max_token_budget",      True,                                 "from 1000 to 200000"),
    ("agents/newton/context_policy",        {"REVIEW": []},                       NO_PHASE),
    ("agents/newton/context_policy",        {"VALIDATE": ["answer"]},             "it can show narrative, solution, physics"),
    ("agents/newton/context_policy",        {"VALIDATE": ["athena_confidence"]},  "it can show narrative, solution, physics"),
    ("agents/newton/context_policy",        {"VALIDATE": ["mathematics"]},        "it can show narrative, solution, physics"),
    ("agents/newton/context_policy",        {"GROUND": ["narrative"]},            "it can show nothing"),
    ("agents/socrates/context_policy",      {"CLASSIFY": ["solution"]},           "it can show narrative, classification, socrates_confidence"),
    ("agents/turing/phases",                [],                                   "VALIDATE, GROUND, CLASSIFY, REFINE, DOCUMENT"),
    ("agents/turing/phases",                ["SEED"],                             "VALIDATE, GROUND, CLASSIFY, REFINE, DOCUMENT"),
    ("agents/turing/context_policy",        {"CLASSIFY": ["solution"]},           "it can show narrative, classification"),
    ("agents/turing/context_policy",        {"VALIDATE": ["validator_confidence"]}, "it can show narrative, solution, physics, mathematics, appearance, brief"),
    ("agents/turing/context_policy",        {"GROUND": ["extension"]},            "it can show narrative, solution, physics, mathematics, grounding"),
    ("agents/turing/confidence_threshold",  0.4,                                  "from 0.5 to 1"),
    ("agents/human",                        TURING,                               "use any name other than ATHENA"),
    ("agents/Orchestrator",                 TURING,                               "use any name other than ATHENA"),
    ("agents/TURING",                       TURING,                               "upper and lower case make no difference"),
    ("agents/alan turing",                  TURING,                               "letters, digits and _"),
    ("gates/attempts/SEED",                 4,                                    "from 1 to 3"),
    ("gates/attempts/SEED",                 0,                                    "from 1 to 3"),
    ("gates/attempts/SEED",                 1.5,                                  "from 1 to 3"),
    ("gates/attempts/REVIEW",               1,                                    NO_PHASE),
    ("gates/timing_margin",                 0.05,                                 "from 0.1 to 0.9"),
    ("gates/similarity",                    0.9,                                  "from 0.01 to 0.85"),
    ("gates/strictness",                    1,                                    "attempts, timing_margin, similarity"),
    ("limits/challenges_per_agent",         4,                                    "from 0 to 3"),
    ("limits/vetoes_per_agent",             3,                                    "from 0 to 2"),
    ("limits/redesigns",                    2,                                    "from 0 to 1"),
    ("limits/splits",                       -1,                                   "from 0 to 1"),
    ("limits/patience",                     1,                                    "challenges_per_agent, vetoes_per_agent, redesigns, splits"),
]
# fmt: on
IDS = [f"{key}={'nothing' if value is GONE else value}"[:60] for key, value, _ in WRONG]


def refused(folder: Path, key: str, value: object) -> str:
    data = changed(key, value, turing=TURING)
    if isinstance(value, dict) and key == "agents/turing/context_policy":
        data["agents"]["turing"]["phases"] = list(Phase)[1:]
    with pytest.raises(ConfigurationError) as caught:
        load_configuration(written(folder, data))
    return str(caught.value)


@pytest.mark.parametrize(("key", "value", "choices"), WRONG, ids=IDS)
def test_a_wrong_file_is_answered_with_its_name(
    key: str, value: object, choices: str, tmp_path: Path
) -> None:
    assert refused(tmp_path, key, value).startswith(f"{tmp_path / 'mine.yaml'}: "), choices


@pytest.mark.parametrize(("key", "value", "choices"), WRONG, ids=IDS)
def test_a_wrong_value_is_answered_with_its_key(
    key: str, value: object, choices: str, tmp_path: Path
) -> None:
    named = "agents" if key == "agents/newton" and value is GONE else key

    assert f"`{named}" in refused(tmp_path, key, value), choices


@pytest.mark.parametrize(("key", "value", "choices"), WRONG, ids=IDS)
def test_a_wrong_value_is_answered_with_the_choices(
    key: str, value: object, choices: str, tmp_path: Path
) -> None:
    assert choices in refused(tmp_path, key, value)


@pytest.mark.parametrize(("key", "value", "choices"), WRONG, ids=IDS)
def test_a_wrong_value_is_answered_in_one_sentence(
    key: str, value: object, choices: str, tmp_path: Path
) -> None:
    sentence = refused(tmp_path, key, value)

    assert sentence.endswith("."), choices
    assert ". " not in sentence
    assert "\n" not in sentence


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(
        ConfigurationError,
        match=r"^No such file: nowhere\.yaml; it is neither in the working folder nor in the package",
    ):
        load_configuration("nowhere.yaml")


def test_a_folder_is_no_configuration(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="it is neither in the working folder nor in the package"):
        load_configuration(tmp_path)


def test_a_file_that_is_no_map_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"^mine\.yaml: the document is a list"):
        load_configuration(written(tmp_path, ["agents"]))


def test_a_blank_prompt_is_refused(tmp_path: Path) -> None:
    (tmp_path / "blank.md").write_text(" \n", encoding="utf-8")

    with pytest.raises(ConfigurationError, match=r"`agents/newton/prompt` is 'blank\.md', an empty file"):
        read(tmp_path, "agents/newton/prompt", "blank.md")


def test_a_prompt_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "image.md").write_bytes(b"\xff\xfe\x00")

    with pytest.raises(ConfigurationError, match=r"`agents/newton/prompt`: .* is not a text file in UTF-8"):
        read(tmp_path, "agents/newton/prompt", "image.md")


def test_what_is_left_out_of_an_entry_is_the_specification_s(tmp_path: Path) -> None:
    found = read(tmp_path, "agents/newton/confidence_threshold", GONE)

    rules = build_scenario_rules(found, load_everyday_library(), TfidfEmbedder())

    assert rules.gate_resources.limits.get_confidence_threshold(NEWTON) == 0.7


def test_a_narrowed_view_reaches_the_rules(tmp_path: Path) -> None:
    found = read(tmp_path, "agents/galileo/context_policy", {"GROUND": ["narrative"]})

    rules = build_scenario_rules(found, load_everyday_library(), TfidfEmbedder())

    assert rules.desk.policy.list_visible_contents(GALILEO, Phase.GROUND) == {ContentLabel.NARRATIVE}


def test_no_setting_of_one_agent_changes_what_another_reads(tmp_path: Path) -> None:
    found = read(tmp_path, "agents/galileo/context_policy", {"GROUND": ["narrative"]})

    rules = build_scenario_rules(found, load_everyday_library(), TfidfEmbedder())

    assert rules.desk.policy.list_visible_contents(SOCRATES, Phase.CLASSIFY) >= {ContentLabel.NARRATIVE}
    assert rules.desk.policy.list_visible_contents(EULER, Phase.VALIDATE) >= {ContentLabel.MATHEMATICS}
