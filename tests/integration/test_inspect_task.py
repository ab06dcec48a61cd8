"""The task of Inspect: the same answers score the same as with this package's own evaluator."""

from __future__ import annotations

import gc
import json
import math
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.environment import Environment
from impossible_moments.evaluation.evaluator import Evaluator, build_results
from impossible_moments.evaluation.results import Results
from impossible_moments.evaluation.runs.answer_collection import RunConditions, parse_reply_lines
from impossible_moments.evaluation.runs.baselines import BASELINES
from support.sample_scenarios import SOLVABLE, create_benchmark

inspect_ai = pytest.importorskip("inspect_ai", reason="inspect_ai is not installed: pip install '.[inspect]'")
task = pytest.importorskip("impossible_moments.evaluation.task")
model = pytest.importorskip("inspect_ai.model")

# What Inspect leaves open or uses though it is deprecated is not ours to mend.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

STRANGE = json.dumps({"verdict": "solvable", "plan": [{"do": "transmogrify", "with": ["the door"]}]})
"""A verb that the executor does not know: for a human, and no 0."""
SAID: Mapping[str, str] = {"silence": "", "prose": "I would rather not say.", "strange": STRANGE}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return create_benchmark(tmp_path_factory.mktemp("scenarios"))


@pytest.fixture(autouse=True)
def _to_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Inspect keeps traces and a cache for each user; here they go with the test, and so does what it leaves open."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    yield
    gc.collect()


def answers_of(name: str, environment: Environment) -> dict[str, str]:
    if name in SAID:
        return dict.fromkeys(environment.scenarios, SAID[name])
    return {each: BASELINES[name](scenario) for each, scenario in environment.scenarios.items()}


def saying(environment: Environment, *runs: Mapping[str, str]) -> Any:
    """A model that gives each scenario its answers in turn."""
    scenario_of = {environment.build_prompt(name): name for name in environment.scenarios}
    waiting = {name: iter([run[name] for run in runs]) for name in environment.scenarios}

    def reply(messages: list[Any], *_: object) -> Any:
        output = model.ModelOutput.from_content("double", next(waiting[scenario_of[messages[-1].text]]))
        output.usage = model.ModelUsage()  # else a tokenizer is fetched
        return output

    return model.get_model("mockllm/model", custom_outputs=reply, memoize=False)


def evaluated(folder: Path, logs: Path, who: Any, **options: Any) -> Any:
    (log,) = inspect_ai.eval(
        task.moments(scenarios=str(folder)), model=who, log_dir=str(logs), display="none", **options
    )
    return log


def replayed(environment: Environment, *runs: Mapping[str, str]) -> Results:
    """What this package's own evaluator makes of a file of answers."""
    lines = [{"scenario_id": name, "answer": said} for run in runs for name, said in run.items()]
    evaluator = Evaluator(rubrics_path=environment.rubrics)
    scenarios = list(environment.scenarios.values())
    conditions = RunConditions("double", runs=len(runs), temperature=None)
    return build_results(
        scenarios,
        evaluator.load_keys(scenarios),
        parse_reply_lines(lines),
        conditions,
        library=str(evaluator.library),
    )


def values(log: Any) -> dict[str, float | None]:
    found = {sample.id: sample.scores["executed"].value for sample in log.samples}
    return {name: None if math.isnan(value) else value for name, value in found.items()}


@pytest.mark.parametrize("name", ["solver", "canonical", "quitter", "random", *SAID])
def test_the_same_answers_have_the_same_scores_three_ways(folder: Path, tmp_path: Path, name: str) -> None:
    environment = Environment(folder)
    said = answers_of(name, environment)
    log = evaluated(folder, tmp_path, saying(environment, said))
    results = replayed(environment, said)

    assert log.status == "success", log.error
    assert values(log) == {each.scenario_id: each.runs[0].score for each in results.scenarios}
    assert values(log) == {each: environment.score_answer(each, text).score for each, text in said.items()}
    for sample in log.samples:
        parts = environment.score_answer(sample.id, said[sample.id]).components
        told = sample.scores["executed"].metadata
        assert parts is None or parts.model_dump().items() <= told.items()


def test_the_scores_in_the_log_file_are_the_same_digits(folder: Path, tmp_path: Path) -> None:
    environment = Environment(folder)
    log = evaluated(folder, tmp_path, saying(environment, answers_of("canonical", environment)))

    assert values(pytest.importorskip("inspect_ai.log").read_eval_log(log.location)) == values(log)


def test_an_answer_without_a_score_is_left_out_and_the_count_shows_it(folder: Path, tmp_path: Path) -> None:
    environment = Environment(folder)
    said = answers_of("solver", environment) | {SOLVABLE: STRANGE}
    log = evaluated(folder, tmp_path, saying(environment, said))
    (score,) = log.results.scores

    assert [name for name, value in values(log).items() if value is None] == [SOLVABLE]
    assert (score.scored_samples, score.unscored_samples) == (3, 1)
    assert score.metrics["scored"].value == 3
    assert score.metrics["im_score"].value == replayed(environment, said).im_score


def test_the_best_of_several_runs_is_kept_whole(folder: Path, tmp_path: Path) -> None:
    environment = Environment(folder)
    runs = [answers_of(name, environment) for name in ("quitter", "solver", "silence")]
    log = evaluated(folder, tmp_path, saying(environment, *runs), epochs=3, max_samples=1)
    results = replayed(environment, *runs)
    (reduction,) = log.reductions

    assert reduction.reducer == "impossible_moments/best"
    assert log.results.scores[0].metrics["im_score"].value == results.im_score
    for each in reduction.samples:
        best = max(
            (
                run
                for run in results.per_scenario[each.sample_id].runs
                if run.components and run.score is not None
            ),
            key=lambda run: run.score or 0.0,
        )
        assert each.value == best.score
        assert best.components is not None
        assert best.components.model_dump().items() <= each.metadata.items()


def test_a_call_that_failed_is_no_answer_and_no_0(folder: Path, tmp_path: Path) -> None:
    def failing(*_: object) -> Any:
        raise RuntimeError("the line is down")

    who = model.get_model("mockllm/model", custom_outputs=failing, memoize=False)
    log = evaluated(folder, tmp_path, who, fail_on_error=False, score_on_error=True)

    assert set(values(log).values()) == {None}


@pytest.mark.parametrize("name", list(BASELINES))
def test_a_built_in_model_answers_the_scenario_of_its_sample(folder: Path, tmp_path: Path, name: str) -> None:
    log = evaluated(folder, tmp_path, f"impossible_moments/{name}")

    assert {each.id: each.output.completion for each in log.samples} == answers_of(name, Environment(folder))


def test_samples_are_the_scenarios_and_their_input_is_the_prompt(folder: Path) -> None:
    environment = Environment(folder)
    samples = list(task.moments(scenarios=str(folder), limit=2).dataset)

    assert {each.id: each.input for each in samples} == {
        name: environment.build_prompt(name) for name in list(environment.scenarios)[:2]
    }
    assert all(not each.target and "status" not in each.metadata for each in samples)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"presentation": "half"}, "it must be one of blind, full"),
        ({"answer": "free"}, "only supports `plan`"),
        ({"limit": 0}, "at least 1"),
        ({"scenarios": "nowhere"}, "No such folder: nowhere"),
    ],
)
def test_a_wrong_argument_is_one_sentence(folder: Path, wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        task.moments(**{"scenarios": str(folder), **wrong})


def test_the_command_of_inspect_runs_offline(folder: Path, tmp_path: Path) -> None:
    if not entry_points(group="inspect_ai", name="impossible_moments"):
        pytest.skip("the installed package is older than its entry point: pip install -e .")
    command = "from inspect_ai._cli.main import main; main()"
    run = subprocess.run(
        [
            sys.executable, "-c", command, "eval", "impossible_moments/moments", "-T", f"scenarios={folder}",
            "--model", "impossible_moments/solver", "--log-dir", str(tmp_path), "--display", "plain",
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )  # fmt: skip

    assert run.returncode == 0, run.stdout + run.stderr
    (written,) = tmp_path.glob("*.eval")
    log = pytest.importorskip("inspect_ai.log").read_eval_log(str(written))
    assert log.status == "success"
    assert {each.id: each.output.completion for each in log.samples} == answers_of(
        "solver", Environment(folder)
    )
