"""Goals of remarks about the text or the key: a draw of the design on which the gate would not remark them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.builtin.athena.declared_design import DeclaredDesign
from impossible_moments.agents.builtin.athena.scenario_draws import ProposedDraw
from impossible_moments.agents.builtin.athena.seed_documents import build_seed_document
from impossible_moments.agents.builtin.athena.targeted_changes import DesignChange, DesignChanger
from impossible_moments.agents.orchestrator.gates.checks.content_checks import list_reading_problems
from impossible_moments.blueprints import ScenarioDraft
from impossible_moments.domain.vocabulary import Tier

_REMARK: Final = re.compile(r"^(?P<code>(?:text|key)\.[a-z-]+), (?P<where>[^:]+): ")


class ReadingGoal:
    """The goal that a reader no longer notices what a remark of the SEED gate is about."""

    def __init__(self, code: str, where: str, draft: ScenarioDraft, tier: Tier) -> None:
        self.code, self.where, self.tier = code, where, tier
        self.before = self._list_problems(draft)
        self.aim = f"a text or key without `{code}` ({where})"

    def is_met(self, draft: ScenarioDraft) -> bool:
        """Return whether a draw has fewer problems of this kind at this place, and not more of others."""
        problems = self._list_problems(draft)
        return len(problems) <= len(self.before) and self._count(problems) < self._count(self.before)

    def describe(self, draft: ScenarioDraft) -> str:
        """Return how often a draw has the problem, and the words that its options could change."""
        skin = draft.instance.offer.skin
        free = [name for name, group in skin.options.items() if len(group.of) > group.take]
        count = self._count(self._list_problems(draft))
        kept = f"it is found {count} times in it" if count != 1 else "it is found once in it"
        return f"{kept}, and its wording changes only with {len(free)} groups of options"

    def list_changes(self, changer: DesignChanger) -> Iterator[DesignChange | None]:
        """Yield the changes that could meet the goal: other words, then other things."""
        yield changer.change_wording()
        for thing in DeclaredDesign(changer.draft.design).find_unneeded_things():
            yield changer.exchange_thing(thing)

    def _list_problems(self, draft: ScenarioDraft) -> tuple[str, ...]:
        return list_reading_problems(build_seed_document(ProposedDraw(draft, self.tier)))

    def _count(self, problems: tuple[str, ...]) -> int:
        return sum(each.startswith(f"{self.code}, {self.where}:") for each in problems)


def find_reading_goal(text: str, draft: ScenarioDraft, tier: Tier) -> ReadingGoal | None:
    """Return the goal of a remark about the text or the key, or None if the text is no such remark."""
    found = _REMARK.match(text)
    return None if found is None else ReadingGoal(found["code"], found["where"], draft, tier)
