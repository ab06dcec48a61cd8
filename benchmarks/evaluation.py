"""Evaluation: how many plans are scored in a second, and how long a large report takes.

`python -m benchmarks.evaluation` prints it alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import cycle, islice
from random import Random

from benchmarks.measuring import cpu
from impossible_moments.agents.builtin.cast import load_builtin_cast
from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.reports.html_page import render_html
from impossible_moments.evaluation.reports.report_card import build_report_card
from impossible_moments.evaluation.results import Results, ScenarioResult
from impossible_moments.evaluation.run_scoring import score_run
from impossible_moments.evaluation.runs.answer_collection import Reply
from impossible_moments.evaluation.scorer_attack import INJECTIONS, generate_mutants, generate_winning_answers
from impossible_moments.evaluation.scoring import score_answer
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.pipeline.completed_scenarios import ScenarioSetup, generate_builtin_scenarios
from impossible_moments.scenarios.similarity.embedding import TfidfEmbedder

SCENARIOS, ANSWERS = 24, 2_500


def speeds() -> Iterator[tuple[str, str, str]]:
    """What is measured, the measure and its goal."""
    keys = _keys()
    right = [(key, text) for key in keys for text in generate_winning_answers(key)]
    # the slowest: each is read in every way it can be before it loses
    wrong = [(key, text) for key in keys for text, _ in generate_mutants(key, Random(key.scenario_id))]  # noqa: S311
    for what, answers in (("right plans", right), ("winning plans made wrong", wrong)):
        _score(answers)  # a world's calls are made ready once
        seconds = cpu(partial(_score, answers), 3)
        yield f"{what} scored", f"{len(answers) / seconds:,.0f} /s", "> 1,000 /s"
    results = _results(keys)
    report = cpu(lambda: render_html(build_report_card(results)))
    yield f"a report on {ANSWERS:,} answers", f"{report:.1f} s", "< 10 s"


def _score(answers: list[tuple[AnswerKey, str]]) -> None:
    for key, text in answers:
        score_answer(text, key)


def _keys() -> list[AnswerKey]:
    stage = ScenarioSetup(load_configuration(), load_everyday_library(), TfidfEmbedder())
    found = []
    for each in islice(generate_builtin_scenarios(load_builtin_cast(), stage), SCENARIOS):
        seed = each.finished.dossier.find_latest_deliverable(SeedDocument)
        assert seed is not None
        found.append(AnswerKey.from_record(each.scenario, seed.mechanics, load_everyday_library()))
    return found


def _results(keys: list[AnswerKey]) -> Results:
    runs = 5
    scenarios = []
    for number, key in enumerate(islice(cycle(keys), ANSWERS // runs), start=1):
        texts = islice(cycle([*generate_winning_answers(key), *INJECTIONS[:3]]), runs)
        scenarios.append(
            ScenarioResult(
                scenario_id=f"IM-{number:04}",
                title=key.scenario_id,
                category=key.analysis.world.record.category,
                tier=("SPARK", "FRACTURE", "RUPTURE", "SINGULARITY", "IMPOSSIBLE")[number % 5],
                status=key.full_status,
                family=key.scenario_id,
                runs=tuple(score_run(at, Reply(text), key) for at, text in enumerate(texts, start=1)),
            )
        )
    return Results(model="builtin:solver", runs_per_scenario=runs, scenarios=tuple(scenarios))


def main() -> None:
    """Print a line for each measure."""
    for what, measured, goal in speeds():
        print(f"{what:<58}{measured:>16}{goal:>18}", flush=True)


if __name__ == "__main__":
    main()
