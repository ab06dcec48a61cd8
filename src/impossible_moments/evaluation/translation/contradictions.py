"""Facts of an answer that a sentence of the situation rules out: which are refuted by figures, and what rests on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from impossible_moments.audit.numbers import Amount, find_amounts
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.figure_matching import (
    extract_figures_of_line,
    is_figure_of_quantity,
)
from impossible_moments.evaluation.interpretation.deciding_quantities import find_deciding_quantities
from impossible_moments.evaluation.interpretation.known_amounts import is_known_amount, is_printed_amount
from impossible_moments.evaluation.translation.reading_forms import Contradiction


class Standing(StrEnum):
    """What follows from a contradiction."""

    DECIDES = "false"
    """Its figure is wrong, and the plan or the conflict depends on the quantity."""
    ASIDE = "false, and nothing depends on it"
    OPEN = "for review"
    """It contradicts words, or gives a figure that stands elsewhere in the situation: a person has to read it."""


@dataclass(frozen=True)
class ContradictionJudge:
    """Compares contradictions that a translator reports with the record."""

    key: AnswerKey
    situation: str

    def judge(self, found: Contradiction, calls: Iterable[str]) -> Standing:
        """Return what follows from a contradiction for an answer that makes some calls."""
        stated, right = extract_figures_of_line(found.quote), extract_figures_of_line(found.situation)
        wrong = [each for each in stated if self._is_wrong(each, right)]
        if not wrong:
            return Standing.OPEN
        kinds = {each.dimension for each in wrong}
        meant = [each for each in right if each.dimension in kinds]
        quantities = self.key.analysis.world.quantities
        deciding = find_deciding_quantities(calls, self.key)
        decides = any(
            is_figure_of_quantity(each, quantities.get(path)) for path in deciding for each in meant
        )
        return Standing.DECIDES if decides else Standing.ASIDE

    def _is_wrong(self, amount: Amount, right: Iterable[Amount]) -> bool:
        """Return whether an amount is of the kind of a figure of a sentence, and stands nowhere in the situation."""
        compared = [each for each in right if each.dimension == amount.dimension]
        printed = tuple(find_amounts(self.situation))
        return (
            bool(compared)
            and not is_printed_amount(amount, printed)
            and not is_known_amount(amount, self.key)
        )
