"""The result of an attempt to prove that a goal cannot be reached."""

from __future__ import annotations

from dataclasses import dataclass

from impossible_moments.mechanics.proofs.certificates import Proof
from impossible_moments.mechanics.proofs.witnesses import Witness


@dataclass(frozen=True, slots=True)
class RefutedPlan:
    """A plan that is impossible everywhere in the box, with its proof."""

    calls: tuple[str, ...]
    proof: Proof
    rechecked: bool


@dataclass(frozen=True, slots=True)
class ImpossibilityResult:
    """Result of an attempt to prove impossibility over a box.

    - `proved`: no plan reaches the goal
    - `exhausted`: the search ended before its limits were reached
    - `blocking_conditions`: the conditions that stopped paths
    - `refuted_plans`: plans and conditions with a proof of their own
    - `open_plan`: a plan that may work somewhere; `witness` is a point where it works, if one was found
    - `approximated_names`: the free names that replaced values of the open plan that could not be followed
    """

    proved: bool
    exhausted: bool
    blocking_conditions: tuple[str, ...]
    refuted_plans: tuple[RefutedPlan, ...] = ()
    open_plan: tuple[str, ...] = ()
    witness: Witness | None = None
    approximated_names: tuple[str, ...] = ()
    nodes: int = 0
