"""The quantities of a record on which an answer rests."""

from __future__ import annotations

from collections.abc import Iterable

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.mechanics.checks import find_numbers_read_by_moves


def find_deciding_quantities(calls: Iterable[str], key: AnswerKey) -> frozenset[str]:
    """Return the stated quantities on which a plan depends, or those of the approaches if there is no plan.

    Steps that follow by themselves belong to every plan.
    """
    wanted = set(calls)
    moves = [move for move in key.analysis.executor.moves.all_actions if move.text in wanted]
    if not moves:
        moves = [move for plan in key.analysis.plans.values() for move in plan]
    moves += key.unsaid_moves
    found = frozenset(find_numbers_read_by_moves(key.analysis.world, moves))
    crux = getattr(key.block, "crux", None)
    return found if crux is None else found | {crux}
