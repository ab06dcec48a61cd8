"""DARWIN, the evolutionary agent: computes counterfactual variants of a scenario."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from impossible_moments.agents.builtin.further.further_role import Account, FurtherRole
from impossible_moments.agents.builtin.views import View
from impossible_moments.mechanics.check import check
from impossible_moments.mechanics.figures import figure
from impossible_moments.mechanics.library import Library
from impossible_moments.mechanics.variants import variants_of

MOST: Final = 4


class Darwin(FurtherRole):
    """The agent that reports which single changes turn the scenario into another one."""

    name = "DARWIN"

    def __init__(self, library: Library) -> None:
        self.library = library

    def account(self, view: View) -> Account:
        """List the nearest variants, each computed by a new search."""
        found = tuple(self._variants(view))
        text = (
            f"{len(found)} single changes make another scenario of this one; the nearest comes first."
            if found
            else "No single number between a tenth and ten times its value changes the outcome."
        )
        return Account(text, found, 0.9)

    def _variants(self, view: View) -> Iterator[str]:
        report = check(self.seed(view).mechanics, self.library)
        if report.analysis is None or report.verdict is None:
            return
        for each in islice(variants_of(report.analysis, report.verdict), MOST):
            plan = f" by {' then '.join(each.plan)}" if each.plan else ""
            yield f"{figure(report.analysis.world, each.quantity, each.value)} ({each.factor:.3g} times as stated): {each.becomes}{plan}"
