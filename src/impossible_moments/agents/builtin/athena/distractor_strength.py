"""Labels of distractors, and their strength, computed from how the record says that the approaches with them fail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from impossible_moments.agents.builtin.athena.claims.comparison_trees import list_failing_comparisons
from impossible_moments.agents.builtin.athena.declared_design import LATE, DeclaredDesign, DeclaredStop
from impossible_moments.agents.builtin.figure_formats import format_share
from impossible_moments.agents.builtin.miss_factors import FAR, compute_miss_factor
from impossible_moments.blueprints import ScenarioDraft
from impossible_moments.domain.difficulty import NEAR_MISS
from impossible_moments.domain.vocabulary import TIERS, Strength
from impossible_moments.mechanics.language import UNDEFINED

Verdict: TypeAlias = Literal["right", "too weak", "too strong", "enables a solution"]

ALMOST_WORKS: Final = 0.02
"""A wrong answer that misses by less is decided by rounding, and more compelling than the solution."""
HOPELESS: Final = 0.95
"""A wrong answer that misses by more is dismissed at a glance."""


@dataclass(frozen=True, slots=True)
class TrapMeasure:
    """How near a wrong answer comes to working."""

    approach: str
    steps_done: int
    """Steps before the one at which it is stated to fail."""
    margin: float | None
    """By what share it misses the condition that stops it. None if that condition has no measure."""
    is_late: bool
    is_exact: bool = False
    """Whether it compares plain numbers that differ in the digits in which they are stated: counts, levels, scores."""

    @property
    def is_deep(self) -> bool:
        """Whether it survives a step, fails narrowly, or only runs out of time."""
        is_near = self.margin is not None and abs(self.margin) <= NEAR_MISS
        return self.steps_done > 0 or is_near or self.is_late

    @property
    def is_far(self) -> bool:
        """Whether it misses by orders of magnitude, so that a reader sees it before any step is tried."""
        if self.margin is None or self.margin >= 0:
            return False
        return compute_miss_factor(LATE if self.is_late else "", self.margin) >= FAR


def measure_trap(declared: DeclaredDesign, approach: str) -> TrapMeasure:
    """Measure how near a wrong answer comes to working, from its stated end."""
    stop = declared.find_stop(approach)
    steps = declared.plans[approach]
    if stop is not None:
        is_exact = _differs_when_rounded(stop, declared)
        return TrapMeasure(approach, stop.step.number - 1, stop.margin, is_late=False, is_exact=is_exact)
    end = declared.ends.get(approach, "")
    is_wrong_answer = end.startswith("blocked answer.")
    blocked_at = next((number for number, move in enumerate(steps) if move.verb == "answer"), 0)
    is_dangerous = end.startswith("never ")  # a danger that comes with the last step
    done = blocked_at if is_wrong_answer else len(steps) - is_dangerous
    left = declared.estimate_time_left(approach) if end == LATE else None
    return TrapMeasure(approach, done, left, is_late=end == LATE)


def _differs_when_rounded(stop: DeclaredStop, declared: DeclaredDesign) -> bool:
    """Return whether a condition fails by a comparison of plain numbers that are not equal in the digits of the limit.

    A share of such a number shows nothing: 95 and 93 decibels are 2 % apart, and so are the years 752 and 765.
    """
    for tree in list_failing_comparisons(stop.tree, declared.engine, stop.step.values):
        try:
            sides = [
                declared.engine.evaluate_expression(each, stop.step.values)
                for each in (tree.left, tree.right)
            ]
        except UNDEFINED:
            continue
        numbers = [each for each in sides if isinstance(each, float)]
        if len(numbers) == len(sides) and declared.engine.is_plain_number(tree.left):
            digits = len(f"{numbers[1]:.4g}".partition(".")[2])
            return round(numbers[0], digits) != round(numbers[1], digits)
    return False


def label_distractor(name: str, draft: ScenarioDraft) -> str:
    """Return the label of a thing, or for a wrong idea the answer to which it leads."""
    if name in draft.design.world.things:
        return draft.design.world.things[name].label
    wrong_answer = draft.instance.notes.wrong.get(name)
    return (
        draft.render_template(wrong_answer.answer).rstrip(".")
        if wrong_answer is not None
        else name.replace("_", " ")
    )


def find_traps_with(declared: DeclaredDesign, name: str) -> tuple[str, ...]:
    """Return the wrong answers that are an idea of this name or use a thing of this name."""
    return tuple(
        trap
        for trap in declared.traps
        if name == trap or any(name in move.arguments for move in declared.plans[trap])
    )


def measure_strength(declared: DeclaredDesign, name: str) -> Strength:
    """Return how strongly a thing or an idea misleads: weak if no wrong answer uses it, strong if one is deep.

    One that misses by far is not strong, except at an open frontier, which everything known misses by far.
    """
    traps = [measure_trap(declared, trap) for trap in find_traps_with(declared, name)]
    if not traps:
        return "weak"
    is_frontier = declared.design.record.frontier is not None
    is_strong = any(trap.is_deep and (is_frontier or not trap.is_far) for trap in traps)
    return "strong" if is_strong else "moderate"


def judge_strength(
    declared: DeclaredDesign, name: str, tier: str, others: tuple[str, ...] = ()
) -> tuple[Verdict, str]:
    """Judge whether a distractor suits the tier, with the figures that decide it.

    The strongest wrong answer with it counts: how near it comes to working is computed from the condition at which
    it is stated to fail. A hard tier needs one strong distractor, so a feeble one is enough beside strong `others`.
    """
    traps = [measure_trap(declared, trap) for trap in find_traps_with(declared, name)]
    strength = measure_strength(declared, name)
    if not traps:
        remark = f"no wrong answer uses it, so it only stands about; at {tier} that is background"
        return "right", remark
    nearest = min(
        traps, key=lambda trap: (not trap.is_deep, abs(trap.margin) if trap.margin is not None else 1.0)
    )
    figures = _describe_trap(nearest)
    if nearest.margin is not None and nearest.margin >= 0:
        return "enables a solution", f"{figures}, so the condition that should stop it holds"
    if nearest.margin is not None and -nearest.margin < ALMOST_WORKS and not nearest.is_exact:
        return (
            "too strong",
            f"{figures}, less than {ALMOST_WORKS:.0%}: a careful reader could round it into a solution",
        )
    is_hard = TIERS.index(tier) > TIERS.index("FRACTURE") if tier in TIERS else False
    is_hopeless = nearest.margin is not None and -nearest.margin > HOPELESS and not nearest.steps_done
    has_strong_other = any(measure_strength(declared, each) == "strong" for each in others if each != name)
    # where nothing works, known approaches fall short by any amount, and that is what they are there to show
    is_solvable = bool(declared.answering) and not declared.block.get("crux")
    if is_solvable and is_hard and is_hopeless and not nearest.is_late and not has_strong_other:
        return "too weak", f"{figures}, and fails at once: at {tier} it misleads no reader"
    return "right", f"{strength}, as {tier} needs: {figures}"


def _describe_trap(trap: TrapMeasure) -> str:
    done = f"`{trap.approach}` survives {trap.steps_done} step{'s' if trap.steps_done != 1 else ''}"
    if trap.margin is None:
        return (
            f"{done} and then fails on a fact without measure" if not trap.is_late else f"{done} and is late"
        )
    return f"{done} and misses by {format_share(-trap.margin)}"
