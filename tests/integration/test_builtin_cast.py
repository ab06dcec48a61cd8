"""The built-in cast from a brief to published documents: in every category, the same bytes each time, refusals in a sentence."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner

from impossible_moments.agents.builtin.athena.offer_selection import UnreachableBrief, list_reachable_targets
from impossible_moments.agents.builtin.cast import BuiltinCast, load_builtin_cast
from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.orchestrator import CreationOutcome, create_scenario
from impossible_moments.agents.orchestrator.rules import ScenarioRules, build_scenario_rules
from impossible_moments.blueprints.catalogue import Catalogue
from impossible_moments.cli.main import app, main
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.vocabulary import CATEGORIES, ROLES, STATUSES, TIERS, Phase
from impossible_moments.ledger.leases import ScenarioState
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.pipeline.pipeline import Pipeline
from impossible_moments.pipeline.publishing.generation_results import GenerationResult
from impossible_moments.scenarios.documents import remove_clock_values
from impossible_moments.scenarios.similarity.embedding import load_wordllama_embedder

FURTHER: Final = ("DARWIN", "TURING", "HYPATIA", "CASSANDRA")

_RUNNER: Final = """
import json, sys
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.pipeline.pipeline import Pipeline
for name, brief in json.loads(sys.argv[1]).items():
    Pipeline(output=sys.argv[2] + "/" + name).generate(GenerationBrief.model_validate(brief))
"""


@cache
def _reachable() -> Sequence[tuple[str, str, str]]:
    return list_reachable_targets(load_builtin_cast().catalogue)


def test_every_category_has_a_blueprint() -> None:
    assert {category for category, _, _ in _reachable()} == set(CATEGORIES)


def _briefs(category: str) -> Iterator[GenerationBrief]:
    """The briefs of a category, those that need the shortest search first."""
    ways = ("KS", "DG", "CT", "MT", "PX", "OF")
    for _, status, tier in sorted(
        (each for each in _reachable() if each[0] == category),
        key=lambda each: (ways.index(each[1]), TIERS.index(each[2])),
    ):
        yield GenerationBrief.model_validate(
            {"category": category, "solution_status": status, "difficulty_tier": tier, "seed": 1}
        )


class _Made:
    """The first brief of each category that is accepted, what came of it, and what the briefs before it came to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tries: dict[str, list[str]] = {}
        self.results: dict[str, GenerationResult] = {}
        self.briefs: dict[str, GenerationBrief] = {}
        for category in CATEGORIES:
            self._make(category)

    def _make(self, category: str) -> None:
        for number, brief in enumerate(_briefs(category)):
            result = Pipeline(output=self.folder / "tries" / f"{_short(category)}-{number}").generate(brief)
            self.tries.setdefault(category, []).append(
                f"{brief.solution_status} at {brief.difficulty_tier}: {result.state} {result.reason}"
            )
            if result.state is ScenarioState.ACCEPTED:
                self.results[category], self.briefs[category] = result, brief
                return

    def again(self, hash_seed: str) -> Path:
        """All of them made again by another interpreter."""
        folder = self.folder / f"hash-{hash_seed}"
        wanted = {_short(name): brief.model_dump(mode="json") for name, brief in self.briefs.items()}
        done = subprocess.run(
            [sys.executable, "-c", _RUNNER, json.dumps(wanted), str(folder)],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return folder


def _short(category: str) -> str:
    return category.lower().replace(" ", "_")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> _Made:
    return _Made(tmp_path_factory.mktemp("made"))


@pytest.mark.slow
@pytest.mark.parametrize("category", CATEGORIES)
def test_a_scenario_of_every_category_is_published(made: _Made, category: str) -> None:
    assert category in made.results, made.tries[category]
    documents = made.results[category].documents
    assert documents is not None
    assert documents.metadata.category == category
    assert len(documents.public) > 1000


@pytest.mark.slow
@pytest.mark.parametrize("category", CATEGORIES)
def test_all_five_stand_in_the_trace_and_nobody_else(made: _Made, category: str) -> None:
    trace = made.results[category].methodology_trace
    assert [name for name in ROLES if name not in trace] == []
    assert [name for name in FURTHER if name in trace] == []


@pytest.mark.slow
def test_a_second_run_under_another_hash_seed_publishes_the_same_bytes_but_for_what_a_clock_said(
    made: _Made,
) -> None:
    folder = made.again(hash_seed="4242")
    different = []
    for category, result in made.results.items():
        assert result.documents is not None
        for path, text in result.documents.list_files_by_path().items():
            other = (folder / _short(category) / path).read_text(encoding="utf-8")
            if path.startswith("traces/"):
                text, other = remove_clock_values(text), remove_clock_values(other)  # noqa: PLW2901 - the same text without stamps
            if text != other:
                different.append(f"{category}: {path}")
    assert made.results
    assert different == []


def test_two_seeds_of_one_brief_are_two_scenarios(tmp_path: Path) -> None:
    brief = GenerationBrief(
        category="The Locked Room", solution_status="KS", difficulty_tier="FRACTURE", seed=1
    )
    pipeline = Pipeline(output=tmp_path)
    first, second = pipeline.generate_all([brief, brief.model_copy(update={"seed": 2})])
    assert (first.state, second.state) == (ScenarioState.ACCEPTED, ScenarioState.ACCEPTED)
    assert first.public_document != second.public_document
    assert {first.scenario_id, second.scenario_id} == {"IM-0001", "IM-0002"}


def test_further_agents_stand_in_the_trace_when_they_are_switched_on(tmp_path: Path) -> None:
    brief = GenerationBrief(
        category="The Locked Room", solution_status="KS", difficulty_tier="FRACTURE", seed=3
    )
    result = Pipeline(output=tmp_path, further_agents=FURTHER).generate(brief)
    assert result.state is ScenarioState.ACCEPTED, result.reason
    trace = result.methodology_trace
    assert [name for name in FURTHER if name not in trace] == []
    # a line of what each reported, and not the name alone
    said = {
        "DARWIN": r"mutations of \d+ quantities|No single number",
        "TURING": r"Solved by|No strategy finds a plan",
        "HYPATIA": r"A learner of .* needs",
        "CASSANDRA": r"Taken for advice|has a hazard in the library",
    }
    assert [name for name, words in said.items() if not re.search(words, trace)] == []
    (variant,) = result.variants
    assert (variant.state, variant.scenario_id) == (ScenarioState.ACCEPTED, "IM-0002")
    assert variant.metadata is not None
    assert variant.metadata.parent == result.scenario_id
    assert result.scenario_id not in variant.public_document + variant.evaluation_document
    assert variant.public_document != result.public_document
    again = Pipeline(output=tmp_path, further_agents=FURTHER).generate(
        brief.model_copy(update={"scenario_id": result.scenario_id})
    )
    assert [each.scenario_id for each in again.variants] == ["IM-0002"]


def test_create_prints_one_json_document_that_names_the_files(tmp_path: Path) -> None:
    flags = ["--category", "The Locked Room", "--solution-status", "KS", "--difficulty-tier", "FRACTURE"]
    done = CliRunner().invoke(app, ["create", *flags, "--output", str(tmp_path), "--json"])
    data = json.loads(done.stdout)
    assert (done.exit_code, data["state"]) == (0, "accepted")
    assert len(data["files"]) == 4
    assert all(Path(name).is_file() for name in data["files"])
    assert data["metadata"]["category"] == "The Locked Room"


def test_create_without_any_wish_makes_something(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["create", "--output", str(tmp_path), "--json"])
    assert json.loads(done.stdout)["state"] == "accepted"


def _unreachable() -> tuple[str, str, str]:
    return next(
        (category, status, tier)
        for category in CATEGORIES
        for status in STATUSES
        for tier in TIERS
        if (category, status, tier) not in _reachable()
    )


def test_what_no_blueprint_makes_is_refused_in_one_sentence_with_status_2(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    category, status, tier = _unreachable()
    flags = ["--category", category, "--solution-status", status, "--difficulty-tier", tier]
    monkeypatch.setattr("sys.argv", ["im", "create", *flags, "--output", str(tmp_path)])
    with pytest.raises(SystemExit) as stop:
        main()
    said = capsys.readouterr().err
    assert stop.value.code == 2
    assert "no blueprint makes" in said
    assert category in said
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == []


def test_a_pipeline_begins_nothing_that_no_blueprint_makes(tmp_path: Path) -> None:
    category, status, tier = _unreachable()
    brief = GenerationBrief.model_validate(
        {"category": category, "solution_status": status, "difficulty_tier": tier}
    )
    with pytest.raises(UnreachableBrief, match=f"no blueprint makes {category}"):
        Pipeline(output=tmp_path).generate(brief)
    assert list(tmp_path.iterdir()) == []


# --- the gate before publication --------------------------------------------------------------------------------


@cache
def _cellar() -> tuple[ScenarioRules, CreationOutcome]:
    """The cast led through all six phases with one situation in its catalogue: a cellar, a pane and a heavy thing."""
    whole = load_builtin_cast().catalogue
    skin = next(skin for skin in whole.skins["height_and_hammer"] if skin.name == "press_archive")
    alone = skin.model_copy(update={"variants": {"one_way": skin.variants["one_way"]}})
    name = "height_and_hammer"
    cast = BuiltinCast(Catalogue({name: whole.blueprints[name]}, {name: (alone,)}), load_everyday_library())
    rules = build_scenario_rules(
        load_configuration(None),
        load_everyday_library(),
        load_wordllama_embedder(),
        reader=cast.find_document_shortcoming,
    )
    brief = GenerationBrief(
        category="The Locked Room",
        solution_status="KS",
        difficulty_tier="FRACTURE",
        seed=1,
        scenario_id="IM-0001",
    )
    return rules, _led(create_scenario(brief, rules), cast)


def _led(flow: Flow[CreationOutcome], cast: BuiltinCast) -> CreationOutcome:
    """A flow to its end, with the cast's answers."""
    asks = next(flow)
    while True:
        try:
            asks = flow.send(tuple(cast.answer(ask) for ask in asks))
        except StopIteration as end:
            finished: CreationOutcome = end.value
            return finished


def _refused(change: tuple[str, str] | None) -> list[str]:
    """What the gate of DOCUMENT says of the public document, with every place of some words changed."""
    rules, finished = _cellar()
    documents = finished.documents
    assert documents is not None
    public = documents.public
    if change is not None:
        assert change[0] in public
        public = public.replace(*change)
    decision = rules.gates[Phase.DOCUMENT].decide(
        finished.dossier, 1, resources=rules.gate_resources, documents=replace(documents, public=public)
    )
    return [lack.criterion for lack in decision.deficiencies]


def test_the_gate_lets_the_document_pass_as_it_is() -> None:
    assert _refused(None) == []


@pytest.mark.parametrize(
    "change", [("95 J", "5 J"), ("2.65 m", "3.65 m"), ("240 kg", "24 kg")], ids=lambda each: each[0]
)
def test_the_gate_refuses_a_document_with_a_wrong_number(change: tuple[str, str]) -> None:
    assert "Public text suffices" in _refused(change)


@pytest.mark.parametrize("number", ["2.65 m", "95 J", "70 J", "240 kg", "75 s"])
def test_the_gate_refuses_a_document_with_a_number_removed(number: str) -> None:
    assert "Public text suffices" in _refused((number, "some"))
