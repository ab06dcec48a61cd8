"""CASSANDRA, the risk agent: warns of dangers if a reader takes the scenario as advice."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.builtin.additional_agents.additional_role import AdditionalRole, RoleAssessment
from impossible_moments.agents.builtin.assignment_view import AssignmentView


@dataclass(frozen=True, slots=True)
class Hazard:
    """An activity that injures people, recognized by a pattern of words, and whether it is grave."""

    words: str
    warning: str
    grave: bool = False


# fmt: off
HAZARDS: Final = (
    Hazard(r"\b(?:live wire|mains|fuse box|high voltage|terminals?|switchgear)\b", "Work on live conductors kills: the text must not read as an instruction for it."),
    Hazard(r"\b(?:chlorine|bleach|ammonia|acid|lye|carbon monoxide|fumes)\b", "Gases and corrosives: nobody should mix or breathe what the story handles."),
    Hazard(r"\b(?:dive|diving|apnoea|hold your breath|under the ice)\b", "Breath-holding and diving accidents are fast and silent."),
    Hazard(r"\b(?:climb|ledge|rope|abseil|scaffold)\b", "Improvised climbing gear fails without notice."),
    Hazard(r"\b(?:morphine|dose|injection|tourniquet|antibiotic|insulin|overdose)\b", "Medical figures may be taken for advice: they belong to the story."),
    Hazard(r"\b(?:explosive|detonator|gunpowder|nitroglycerin)\b", "Explosives: no quantity or preparation may be told.", grave=True),
    Hazard(r"\b(?:fire|torch|petrol|kerosene|flame)\b", "Open fire indoors spreads faster than the story's clock."),
)
# fmt: on


class Cassandra(AdditionalRole):
    """The agent that assesses the real-world risk of the public text."""

    name = "CASSANDRA"

    def assess_scenario(self, view: AssignmentView) -> RoleAssessment:
        """List the hazards that the text mentions."""
        scenario = view.get_document_fields("SeedDocument").get("scenario", {})
        text = " ".join(str(scenario.get(name, "")) for name in ("narrative", "threat", "position"))
        found = [hazard for hazard in HAZARDS if re.search(hazard.words, text, re.IGNORECASE)]
        grave = any(hazard.grave for hazard in found)
        if not found:
            return RoleAssessment("Nothing in it tempts to imitation.", (), 0.85)
        risk = "high" if grave else "moderate" if len(found) > 1 else "low"
        return RoleAssessment(
            f"Taken for advice it would be of {risk} risk; as a story with figures it is not advice.",
            tuple(hazard.warning for hazard in found),
            0.75,
            found[0].warning if grave else "",
        )
