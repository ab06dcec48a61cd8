"""GALILEO's search for earlier proposals: in the bibliography, and among what the scenario reports as tried and known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from impossible_moments.agents.builtin.proposal_reading import list_unaddressed_criteria
from impossible_moments.domain.disputes import BreakthroughReview
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.library import load_research_works

SAME: Final = 0.5
"""The share of the words of a tried approach, or of a work's title, from which a proposal repeats it."""
_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_WORK: Final = re.compile(r"@\s*([^@\n]+)")


def review_prior_proposals(proposal: str, seed: SeedDocument | None) -> BreakthroughReview:
    """Review whether a proposal was made before (4.4, step 5).

    Before GROUND the scenario is hidden from GALILEO. Then only the bibliography is searched.
    """
    titles = {work.title: work.title for work in load_research_works().values()}
    parts = [f"Of {len(titles)} works of the bibliography {_describe_nearest(proposal, titles)}."]
    repeated = _find_repeated(proposal, titles)
    if seed is not None:
        tried = {each.answer: f"{each.answer} {each.why_wrong}" for each in seed.wrong_answers}
        works = list_boundary_works(seed)
        parts.append(f"Of {len(tried)} tried approaches {_describe_nearest(proposal, tried)}.")
        parts.append(f"The boundary is documented by {'; '.join(works) or 'no work'}.")
        repeated = repeated or _find_repeated(proposal, tried)
        missing = list_unaddressed_criteria(proposal, seed.solution_sketch.evaluation_criteria)
        if missing:
            parts.append(
                f"It cannot be distinguished from known techniques, because it leaves open: {'; '.join(missing)}"
            )
            return BreakthroughReview(survives=False, text=" ".join(parts))
    if repeated:
        parts.append(f"It repeats “{repeated}”.")
    return BreakthroughReview(survives=not repeated, text=" ".join(parts))


def list_boundary_works(seed: SeedDocument) -> tuple[str, ...]:
    """Return the works that the known limits of a frontier cite, each once."""
    frontier = seed.mechanics.get("frontier")
    lines = frontier.get("known") if isinstance(frontier, dict) else None
    text = lines if isinstance(lines, str) else "\n".join(map(str, lines or ()))
    return tuple(dict.fromkeys(work.strip() for work in _WORK.findall(text)))


def _describe_nearest(proposal: str, texts: Mapping[str, str]) -> str:
    shares = _compute_shares(proposal, texts)
    nearest = max(shares, key=lambda name: shares[name], default=None)
    if nearest is None or not shares[nearest]:
        return "none shares a word with it"
    return f"the nearest is “{nearest.rstrip('.')}”, with {shares[nearest]:.0%} of its words"


def _find_repeated(proposal: str, texts: Mapping[str, str]) -> str:
    return next((name for name, share in _compute_shares(proposal, texts).items() if share >= SAME), "")


def _compute_shares(proposal: str, texts: Mapping[str, str]) -> dict[str, float]:
    """Return the share of the words of each text that a proposal contains."""
    said = _collect_words(proposal)
    words = {name: _collect_words(text) for name, text in texts.items()}
    return {name: len(each & said) / len(each) for name, each in words.items() if each}


def _collect_words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(text))
