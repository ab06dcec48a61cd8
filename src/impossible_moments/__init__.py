"""A benchmark of situations that look impossible, with mechanics a program can check.

The names of the interface are loaded when they are first used: a command that needs none of them starts at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__all__ = ["Evaluator", "GenerationBrief", "Pipeline", "Scenario"]

_HOMES = {
    "Evaluator": "impossible_moments.evaluation.evaluator",
    "GenerationBrief": "impossible_moments.domain.brief",
    "Pipeline": "impossible_moments.pipeline.pipeline",
    "Scenario": "impossible_moments.scenarios.scenario",
}

if TYPE_CHECKING:
    from impossible_moments.domain.brief import GenerationBrief
    from impossible_moments.evaluation.evaluator import Evaluator
    from impossible_moments.pipeline import Pipeline
    from impossible_moments.scenarios import Scenario
else:

    def __getattr__(name: str) -> object:
        """Return a public name from the module that defines it."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_HOMES[name]), name)
