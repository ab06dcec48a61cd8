"""Shells on a hull, and three accounts of where it has been: a small world with a diagnosis."""

from __future__ import annotations

from functools import cache

from impossible_moments.evaluation.answer_key import AnswerKey
from support.scored_scenarios import build_small_key
from support.small_worlds import build_action, build_approach, build_thing


@cache
def build_shells_on_a_hull() -> AnswerKey:
    """Build the answer key: shells on a hull, and three accounts of where it has been."""
    return build_small_key(
        quantities=[
            "work = 5[min]",
            "crossing = 3[week]",
            "idle = 18[week]",
            "painted = 44[week]",
            "grows = 0.8[mm/week]",
            "shell = 14[mm]",
        ],
        things=[build_thing("hull", "known = false", "clean = false", kind="place")],
        actions=[build_action("scrape(h: hull)", "h.clean = true", when=("understood = h.known",))],
        goal="hull.clean",
        approaches=[build_approach("way", "answer(cause, 'idle_in_harbour'); scrape(hull)")],
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
