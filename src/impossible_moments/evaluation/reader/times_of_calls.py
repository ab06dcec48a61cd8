"""Steps that wait for the time that another deed of the plan takes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.figure_matching import (
    extract_figures_of_line,
    is_figure_of_quantity,
)
from impossible_moments.mechanics.language import TIME

_WAITING: Final = re.compile(r"\W*(?:then |and |now )*(?:waits?|waiting|stays?|pauses?)\b", re.IGNORECASE)


def is_time_of_call(text: str, calls: Iterable[str], key: AnswerKey) -> bool:
    """Return whether a step only waits, for a stated time of which the time of a call of the plan is computed."""
    amounts = [each for each in extract_figures_of_line(text) if each.dimension == TIME]
    if len(amounts) != 1 or not _WAITING.match(text):
        return False
    wanted, world = set(calls), key.analysis.world
    moves = (move for move in key.analysis.executor.moves.all_actions if move.text in wanted)
    paths = {path for move in moves for path in world.collect_stated_quantities(move.takes_tree)}
    return any(is_figure_of_quantity(amounts[0], world.quantities[path]) for path in paths)
