"""The dataset card of a Hugging Face export, including its YAML header."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import yaml

from impossible_moments.scenarios import Scenario, compute_canary, render_table

NAME: Final = "impossible-moments"
LICENCE: Final = "Apache-2.0"
SIZES: Final = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))
_LARGEST: Final = "100K<n<1M"
COLUMNS: Final[Mapping[str, str]] = {
    "id": "The ID of the scenario.",
    "prompt": "The complete prompt: the situation, a neutral wrapper and the answer form.",
    "presentation": "`blind`: neither status nor tier nor traps are part of the prompt.",
    "category": "One of twelve. Not part of the prompt.",
    "tier": "The intended difficulty. Not part of the prompt.",
    "canary": "A string that occurs only in this scenario. Not part of the prompt.",
    "status": "Whether it can be solved. Not part of the prompt.",
}


@dataclass(frozen=True)
class DatasetOrigin:
    """The origin of a scenario set, as recorded in its registry."""

    version: str
    library: str
    players: tuple[str, ...]
    published: str
    url: str


def render_dataset_card(
    scenarios: Sequence[Scenario], origin: DatasetOrigin, *, data: str, columns: Sequence[str]
) -> str:
    """Render the complete `README.md` of a dataset whose data file is `data`."""
    header = yaml.safe_dump(
        _build_card_metadata_header(len(scenarios), data), sort_keys=False, allow_unicode=True
    )
    parts = _BODY.format(
        count=len(scenarios),
        data=data,
        licence=LICENCE,
        version=origin.version,
        library=origin.library or "not recorded",
        players=", ".join(origin.players) or "not recorded",
        canary=compute_dataset_canary(scenarios, origin.library),
        columns=render_table(("Column", "Meaning"), [(f"`{each}`", COLUMNS[each]) for each in columns]),
        categories=render_table(
            ("Category", "Scenarios"), sorted(Counter(each.category for each in scenarios).items())
        ),
    )
    return f"---\n{header}---\n\n{parts}"


def compute_dataset_canary(scenarios: Sequence[Scenario], library: str) -> str:
    """Return the canary of a whole set. Each scenario also has its own."""
    return compute_canary(
        " ".join(each.scenario_id for each in scenarios), library, " ".join(each.canary for each in scenarios)
    )


def _build_card_metadata_header(count: int, data: str) -> dict[str, Any]:
    return {
        "pretty_name": "Impossible Moments",
        "license": LICENCE.lower(),
        "language": ["en"],
        "task_categories": ["text-generation", "question-answering"],
        "tags": ["benchmark", "evaluation", "reasoning", "planning", "physics"],
        "annotations_creators": ["machine-generated"],
        "size_categories": [next((name for most, name in SIZES if count < most), _LARGEST)],
        "configs": [{"config_name": "default", "data_files": [{"split": "test", "path": data}]}],
    }


_BODY: Final = """\
# Impossible Moments

{count} situations that look impossible. Some have one solution, some have several and some have none. Some depend on an
assumption that is never stated, and for some the answer is contested or unknown. A model does not know which is which. It
answers with a plan in common verbs, and the plan is executed against the mechanics of the scenario.

*Benchmark data; it should not be part of any training corpus. Canary: {canary}*

## Contents

One split, `test`, in `{data}`.

{columns}

{categories}

## How it was made

Five agents design a scenario, check its physics and its mathematics, ground it in research and classify it blind, in six
phases with a quality gate after each. Every scenario has a formal record of its mechanics, which a program checks,
searches, proves and executes. The answer in each document was computed from that record. Made with impossible-moments
{version}; library of facts: {library}; agents run by: {players}.

## How answers are scored

    from impossible_moments.evaluation.environment import Environment

    environment = Environment("scenarios")
    environment.reward("IM-0001", answer)  # 0 to 1

Answer keys are not part of this data set unless it contains a file `keys.jsonl`. An answer that cannot be executed, or
that partly needs a judge, has no score. This is not a score of 0, and such answers are counted separately.

## Intended use

Measuring how language models plan and reason under constraints, and whether they recognise when nothing can be done.
Results should state the presentation, the number of runs and how many answers had no score.

## Limits

- Verdicts hold within the library named above: a model of everyday physics, not all of it.
- Scenarios of one family share an idea. They are not independent evidence, and error bars should take this into account.
- Plans use a closed list of verbs. A good idea outside it is reviewed by a human and not counted as wrong.
- Open situations, and contested ones whose record has no wording, need judges for part of their score.
- English only. The tiers are predicted from a difficulty profile, not yet measured with solvers.
- The situations are fictional and not advice for real emergencies.

## Licence

{licence}.
"""
