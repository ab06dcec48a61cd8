"""Shells on a hull, and three accounts of where it has been: a small world with a diagnosis."""

from __future__ import annotations

from functools import cache

from impossible_moments.evaluation.answer_key import AnswerKey
from support.scored_scenarios import small_key
from support.small_worlds import action, approach, thing


@cache
def shells() -> AnswerKey:
    """Shells on a hull, and three accounts of where it has been."""
    return small_key(
        quantities=[
            "work = 5[min]",
            "crossing = 3[week]",
            "idle = 18[week]",
            "painted = 44[week]",
            "grows = 0.8[mm/week]",
            "shell = 14[mm]",
        ],
        things=[thing("hull", "known = false", "clean = false", kind="place")],
        actions=[action("scrape(h: hull)", "h.clean = true", when=("understood = h.known",))],
        goal="hull.clean",
        approaches=[approach("way", "answer(cause, 'idle_in_harbour'); scrape(hull)")],
        puzzles=[
            {
                "kind": "diagnosis",
                "name": "cause",
                "observations": "size = true @ the shells are {shell|mm} across",
                "hypotheses": [
                    {
                        "name": "straight_across",
                        "predicts": "size = abs(crossing*grows - shell) <= 0.3*shell",
                    },
                    {"name": "idle_in_harbour", "predicts": "size = abs(idle*grows - shell) <= 0.3*shell"},
                    {"name": "bad_paint", "predicts": "size = abs(painted*grows - shell) <= 0.3*shell"},
                ],
                "gives": "hull.known = true",
            }
        ],
        prose={
            "narrative": "The log says {crossing|week} at sea. The mate says paint, {painted|week} old. Rumour says "
            "{idle|week} alongside. But the shells are {shell|mm} across, and they grow {grows|mm/week}."
        },
    )
