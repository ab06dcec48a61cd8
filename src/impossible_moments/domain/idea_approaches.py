"""Distractors that are ideas, and the approaches of the record that carry them out."""

from __future__ import annotations

from collections.abc import Collection

from impossible_moments.domain.seed import Distractor, SeedDocument


def find_idea_approaches(
    distractor: Distractor, seed: SeedDocument, approaches: Collection[str]
) -> tuple[str, ...]:
    """Return the approaches of the record that carry out a distractor that is an idea.

    An idea is listed under the wrong answer that it leads to, and a wrong answer names its approach. An idea may also
    be listed under the name of the approach itself. An idea tempts by what it says, and how far it misses shows only
    when it is carried out. So its distance is reported, and decides alone no verdict on its strength.
    """
    idea = _normalize(distractor.name)
    answers = (each.approach for each in seed.wrong_answers if _normalize(each.answer) == idea)
    named = (each for each in approaches if _normalize(each.replace("_", " ")) == idea)
    return tuple(dict.fromkeys(each for each in (*answers, *named) if each in approaches))


def _normalize(text: str) -> str:
    return " ".join(text.strip(" .").casefold().split())
