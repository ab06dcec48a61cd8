"""Challenges that were decided: an informed agent does not raise them again on the same evidence."""

from __future__ import annotations

import re
from typing import Final

from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import Challenge

_NUMBER: Final = re.compile(r"\d[\d.,]*(?:e[+-]?\d+)?")


def drop_decided_challenges(deliverable: LabelledModel, notices: tuple[str, ...]) -> LabelledModel:
    """Return a deliverable without the challenges of which a notice names the claim and all the evidence."""
    raised: tuple[Challenge, ...] = getattr(deliverable, "challenges", ())
    decided = tuple(map(_normalize, notices))
    kept = tuple(each for each in raised if not any(_is_decided(each, notice) for notice in decided))
    return deliverable if len(kept) == len(raised) else deliverable.model_copy(update={"challenges": kept})


def _is_decided(challenge: Challenge, notice: str) -> bool:
    words = (f"your challenge of `{challenge.claim}`", *(each.text for each in challenge.evidence))
    return all(_normalize(each) in notice for each in words)


def _normalize(text: str) -> str:
    """Return a text without its figures, which a revision changes and which are no new argument."""
    return _NUMBER.sub("#", " ".join(text.casefold().split()))
