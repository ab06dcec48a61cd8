"""What a published data set says of itself to people: the card of a Hugging Face folder, its YAML header included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import yaml

from impossible_moments.scenarios.markdown import table
from impossible_moments.scenarios.metadata import canary_of
from impossible_moments.scenarios.scenario import Scenario

NAME: Final = "impossible-moments"
LICENCE: Final = "Apache-2.0"
SIZES: Final = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))
_LARGEST: Final = "100K<n<1M"
COLUMNS: Final[Mapping[str, str]] = {
    "id": "The number of the scenario.",
    "prompt": "All that a model is shown: the situation, a neutral wrapper and the form of an answer.",
    "presentation": "`blind`: neither status nor tier nor traps are part of the prompt.",
    "category": "One of twelve. Not part of the prompt.",
    "tier": "How hard it is meant to be. Not part of the prompt.",
    "canary": "A string that stands in no text but this scenario's own. Not part of the prompt.",
    "status": "Whether it can be done. Not part of the prompt.",
}


@dataclass(frozen=True)
class Origin:
    """Where a set of scenarios comes from, as far as its registry tells."""

    version: str
    library: str
    players: tuple[str, ...]
    published: str
    url: str


def card(scenarios: Sequence[Scenario], origin: Origin, *, data: str, columns: Sequence[str]) -> str:
    """The whole README.md."""
    header = yaml.safe_dump(_header(len(scenarios), data), sort_keys=False, allow_unicode=True)
    parts = _BODY.format(
        count=len(scenarios),
        data=data,
        licence=LICENCE,
        version=origin.version,
        library=origin.library or "not recorded",
        players=", ".join(origin.players) or "not recorded",
        canary=set_canary(scenarios, origin.library),
        columns=table(("Column", "What it is"), [(f"`{each}`", COLUMNS[each]) for each in columns]),
        categories=table(
            ("Category", "Scenarios"), sorted(Counter(each.category for each in scenarios).items())
        ),
    )
    return f"---\n{header}---\n\n{parts}"


def set_canary(scenarios: Sequence[Scenario], library: str) -> str:
    """The canary of a whole set; each scenario has its own beside it."""
    return canary_of(" ".join(each.scenario_id for each in scenarios), library)


def _header(count: int, data: str) -> dict[str, Any]:
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

{count} situations that look impossible. Some have a way out, some have several, some have none; some rest on an assumption
that nobody laid down, and of some the answer is in dispute or unknown. A model is told none of this. It answers with a plan
in common verbs, and the plan is executed against the mechanics of the scenario.

*Benchmark data; it should not be part of any training corpus. Canary: {canary}*

## Contents

One split, `test`, in `{data}`.

{columns}

{categories}

## How it was made

Five roles design a scenario, check its physics and its mathematics, ground it in research and classify it blind, in six
phases with a gate after each. Every scenario carries a formal record of its mechanics, which a program checks, searches,
proves and executes; what a document says of its answer was computed from that record. Made with impossible-moments
{version}; library of facts: {library}; roles played by: {players}.

## How answers are scored

    from impossible_moments.evaluation.environment import Environment

    environment = Environment("scenarios")
    environment.reward("IM-0001", answer)  # 0 to 1

Answer keys are not part of this data set unless a file `keys.jsonl` lies beside it. An answer that cannot be executed,
or of which only a judge could tell a part, has no score; that is no 0, and is counted apart.

## Intended use

Measuring how language models plan and reason under constraints, and whether they know when nothing can be done. Results
should name the presentation, the number of runs and how many answers had no score.

## Limits

- Verdicts hold within the library named above: a model of everyday physics, not all of it.
- Scenarios of one family share an idea. They are no independent evidence; error bars should respect that.
- Plans use a closed list of verbs. A good idea outside it is left to a human and not counted as wrong.
- Contested and open situations need judges for a part of their score.
- English only. The tiers are predicted from a profile until answers of solvers were measured.
- The situations are fiction and no advice for real danger.

## Licence

{licence}.
"""
