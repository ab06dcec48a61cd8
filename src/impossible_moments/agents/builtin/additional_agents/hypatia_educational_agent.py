"""HYPATIA, the educational agent: states what solving a scenario teaches."""

from __future__ import annotations

from impossible_moments.agents.builtin.additional_agents.additional_role import AdditionalRole, RoleAssessment
from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.domain.seed import Insight

# fmt: off
_LESSONS = {
    "surprise":              "A fact worth knowing, and worth asking for.",
    "functional fixedness":  "List what a thing is made of and can do before you list what it is for.",
    "overlooked property":   "Read the figures of a thing again when it seems useless.",
    "implicit constraint":   "Write the rules down, and strike out those that nobody stated.",
    "mental set":            "When a method nearly works for the second time, stop and count what it would take.",
    "misleading salience":   "Ask what the quietest sentence of the story is there for.",
    "causal misattribution": "Look for the one observation that your explanation does not fit.",
    "scale intuition":       "Before you trust your hands, ask which force wins at that size.",
    "inversion":             "Try what makes matters worse at first.",
    "frame":                 "Doubt the question before you doubt yourself.",
}
# fmt: on


class Hypatia(AdditionalRole):
    """The agent that derives lessons from insights."""

    name = "HYPATIA"

    def assess_scenario(self, view: AssignmentView) -> RoleAssessment:
        """Give a lesson for each insight, and the fields that the scenario practises."""
        seed = self.require_seed_document(view)
        fields = sorted({each.domain for each in seed.insight_chain if each.domain})
        lines = tuple(_format_lesson(each) for each in seed.insight_chain)
        why_wrong = seed.wrong_answers[0].why_wrong if seed.wrong_answers else ""
        text = f"Whoever has worked it out has practised {', '.join(fields) or 'careful reading'} on a case. {why_wrong}".strip()
        return RoleAssessment(text, lines, 0.8)


def _format_lesson(insight: Insight) -> str:
    return f"{_LESSONS.get(insight.fixedness_type, 'Look again.')} Here: {insight.text}"
