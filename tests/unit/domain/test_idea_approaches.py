"""Distractors that are ideas are measured by the approaches that carry them out."""

from __future__ import annotations

from impossible_moments.domain.idea_approaches import find_idea_approaches
from support.planted_faults import build_healthy_seed


def test_an_idea_is_found_by_the_wrong_answer_or_by_the_name_of_its_approach() -> None:
    seed = build_healthy_seed("cellar")
    approaches = {each["name"] for each in seed.mechanics["approaches"]}
    answer = next(each for each in seed.wrong_answers if each.approach)
    thing = seed.distractor_inventory[0]
    idea = thing.model_copy(update={"name": answer.answer.rstrip(".").upper()})
    assert find_idea_approaches(idea, seed, approaches) == (answer.approach,)
    named = thing.model_copy(update={"name": answer.approach.replace("_", " ")})
    assert find_idea_approaches(named, seed, approaches) == (answer.approach,)
    unknown = thing.model_copy(update={"name": "Wait for a miracle"})
    assert find_idea_approaches(unknown, seed, approaches) == ()
