"""Orders of the only way: how many permutations of its calls reach the goal as well."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice, permutations
from typing import Final

from impossible_moments.mechanics.checks.status import StatusVerdict
from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from impossible_moments.mechanics.content import KeyText
from impossible_moments.mechanics.execution.moves import Move
from impossible_moments.mechanics.findings.finding import Findings

MOST_ORDERS: Final = 720
"""All orders of six calls."""
_ORDER_CLAIMED: Final = re.compile(
    r"\b(?:only (?:this |one |the )?order|only in (?:this|that) order|no other order|in (?:just|exactly) this order|"
    r"the only (?:one|order|sequence) that|any other order|the other way round|wrong order|(?:must|has to) (?:go|come) (?:first|last))\b",
    re.IGNORECASE,
)

_ORDER_FREE: Final = re.compile(
    r"\b(?:in (?:either|any) order|either order|any order|order (?:of \w+(?: \w+)? )?(?:does not matter|is free|makes no difference)|"
    r"counts? as the same way|before or after|whichever (?:comes|is done) first)\b",
    re.IGNORECASE,
)
OUTCOME: Final = "/telling/correct_outcome"
"""The text of the key in which an author says which orders count as the same."""


def check_claimed_orders(
    analysis: WorldAnalysis, verdict: StatusVerdict, key: Iterable[KeyText], findings: Findings
) -> None:
    """Report a KS-Singular whose key insists on an order although other orders of the same calls work."""
    claims = [(part, claim) for part in key if (claim := _ORDER_CLAIMED.search(part.text)) is not None]
    if verdict.status != "KS-Singular" or not verdict.ways or not claims:
        return
    working, tried = count_working_orders(analysis, verdict.ways[0].plan)
    for part, claim in claims if working > 1 else ():
        findings.add(
            "key.order-claimed",
            part.where,
            f"the key insists on an order (`{claim.group()}`), but {working} of {tried} orders of the same calls work",
            found=part.text,
            expected="conditions that exclude the other orders, or a key that allows them",
        )


def report_free_orders(
    analysis: WorldAnalysis, verdict: StatusVerdict, key: Iterable[KeyText], findings: Findings
) -> None:
    """Note how many orders of the only way reach the goal, if there are several and the key does not say so."""
    if any(part.where == OUTCOME and _ORDER_FREE.search(part.text) for part in key):
        return
    if verdict.status != "KS-Singular" or not verdict.ways:
        return
    working, tried = count_working_orders(analysis, verdict.ways[0].plan)
    if working > 1:
        findings.add(
            "key.order-free",
            "/status/ways",
            f"{working} of {tried} orders of the only way reach the goal; they count as the same way",
            found=" then ".join(verdict.ways[0].calls),
            expected="a sentence in `telling.correct_outcome` that says which orders count as the same, such as "
            "`The two may be done in either order.`",
        )


def count_working_orders(analysis: WorldAnalysis, plan: tuple[Move, ...]) -> tuple[int, int]:
    """Return how many orders of a plan reach the goal, and how many were executed."""
    outcomes = [
        analysis.executor.run_plan(order).reaches_goal for order in islice(permutations(plan), MOST_ORDERS)
    ]
    return sum(outcomes), len(outcomes)
