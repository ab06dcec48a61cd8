"""Attack the scorer on a sample of the scenarios with answers that must not be accepted."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from impossible_moments.evaluation import AnswerKey, has_worded_record, run_scorer_attack
from impossible_moments.mechanics.uncertain import is_uncertain_record
from impossible_moments.production.quality.quality_report import CheckState, QualityCheck
from impossible_moments.production.quality.released_scenarios import ReleasedScenarios

MOST_FALSE_ACCEPTS: Final = 0.001
"""The largest share of hostile answers that may be accepted."""


def check_scorer_resistance(
    released: ReleasedScenarios,
    sample: int,
    seed: int,
    report_progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> QualityCheck:
    """Attack the scorer on `sample` scenarios, chosen by the seed. None are attacked if it is 0."""
    if sample == 0:
        return QualityCheck("scorer", CheckState.SKIPPED, "the scorer was not attacked")
    folder = released.folder / "evaluation"
    known = [
        name
        for name, record in released.records.items()
        if name in released.scenarios and not is_uncertain_record(record) and has_worded_record(folder, name)
    ]
    chosen = sorted(Random(f"scorer/{seed}").sample(known, min(sample, len(known))))  # noqa: S311 - a sample
    keys = {name: AnswerKey.from_record(name, released.records[name], released.library) for name in chosen}
    texts = {name: released.scenarios[name].blind for name in chosen}
    attack = run_scorer_attack(keys, report_progress=report_progress, texts=texts)
    problems = [f"false accept: {each[:160]}" for each in attack.false_accepts]
    problems += [f"mutant accepted: {each[:160]}" for each in attack.surviving_mutants]
    failed = attack.false_rate > MOST_FALSE_ACCEPTS or bool(attack.surviving_mutants)
    summary = (
        f"{attack.answers:,} hostile answers to {len(chosen)} scenarios, {len(attack.false_accepts)} false accepts "
        f"({attack.false_rate:.3%}, at most {MOST_FALSE_ACCEPTS:.1%}); {attack.mutants:,} mutants, "
        f"{len(attack.surviving_mutants)} accepted"
    )
    return QualityCheck(
        "scorer", CheckState.FAILED if failed else CheckState.PASSED, summary, tuple(problems)
    )
