"""The benchmark as a task of lm-evaluation-harness: a YAML file and a module that scores answers."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from impossible_moments.domain.evaluation_protocol import MOST_TOKENS, TEMPERATURE

TASK: Final = "impossible_moments"
DATA: Final = "scenarios.jsonl"
VARIABLE: Final = "IMPOSSIBLE_MOMENTS_SCENARIOS"
"""The environment variable with the scenario folder, if it was moved after the export."""

_YAML: Final = """\
# lm_eval --tasks {task} --include_path THIS_FOLDER --model ...
task: {task}
custom_dataset: !function utils.scenarios
test_split: test
output_type: generate_until
doc_to_text: "{{{{prompt}}}}"
doc_to_target: "{{{{id}}}}"
process_results: !function utils.process_results
num_fewshot: 0
generation_kwargs:
  until: []  # no stop sequences: plans contain blank lines
  max_gen_toks: {tokens}
  do_sample: true
  temperature: {temperature}
metric_list:
  - metric: reward
    aggregation: nanmean  # an answer without a score does not count as 0
    higher_is_better: true
  - metric: unscored
    aggregation: mean
    higher_is_better: false
metadata:
  version: 1.0
"""
_MODULE: Final = '''\
"""Impossible Moments for lm-evaluation-harness: documents from the file next to this one, scores by execution."""

import json
import math
import os
from functools import cache
from pathlib import Path

from impossible_moments.evaluation.environment import Environment

SCENARIOS = os.environ.get("{variable}", {folder!r})


def scenarios(**_arguments):
    """Load the documents, which contain the prompts and no answers."""
    import datasets  # comes with the harness

    lines = (Path(__file__).parent / "{data}").read_text(encoding="utf-8").split("\\n")
    rows = [json.loads(line) for line in lines if line]
    return datasets.DatasetDict({{"test": datasets.Dataset.from_list(rows)}})


def process_results(doc, results):
    """Return the reward of an answer, from 0 to 1, or NaN if it has no score."""
    environment = _environment()
    if environment.score_answer(doc["id"], results[0]).score is None:
        return {{"reward": math.nan, "unscored": 1.0}}
    return {{"reward": environment.reward(doc["id"], results[0]), "unscored": 0.0}}


@cache
def _environment():
    return Environment(SCENARIOS)
'''


def render_task_file() -> str:
    """Render the YAML task file of the harness."""
    return _YAML.format(task=TASK, tokens=MOST_TOKENS, temperature=TEMPERATURE)


def render_scorer_module(scenarios: Path) -> str:
    """Render the Python module of the task. Answer keys are read from the scenario folder, not copied."""
    return _MODULE.format(variable=VARIABLE, folder=str(scenarios.resolve()), data=DATA)
