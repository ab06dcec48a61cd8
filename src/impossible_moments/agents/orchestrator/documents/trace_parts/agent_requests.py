"""What an agent was asked in each phase, read from the answers in the dossier."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.vocabulary import Phase

# fmt: off
REQUESTS: Final[Mapping[str, tuple[str, str]]] = {
    # The deliverable, what its first request asks for, and what a repeated one asks for.
    "SeedDocument":           ("design the scenario",                          "revise the scenario"),
    "PhysicsReport":          ("judge the physical claims",                    "judge the physical claims again"),
    "MathematicsReport":      ("verify the mathematics",                       "verify the mathematics again"),
    "GroundingReport":        ("ground the scenario in research",              "revise the grounding"),
    "ClassificationReport":   ("classify the scenario without its solution",   "classify the scenario without its solution again"),
    "InformedClassification": ("classify the scenario after the reveal",       "classify the scenario again"),
    "ReviewMemo":             ("review the whole scenario",                    "review the whole scenario again"),
    "FeasibilityCheck":       ("compare both validation reports",              "compare both validation reports again"),
    "ReadinessVote":          ("vote on difficulty, distractors, status, design and readiness", "vote again"),
    "ChallengeResponse":      ("answer a challenge",                           "answer another challenge"),
    "Ballot":                 ("vote on a dispute of others",                  "vote on another dispute"),
    "VetoReview":             ("say whether a revision meets the veto",        "say whether another revision meets the veto"),
    "BreakthroughReview":     ("review a proposed breakthrough",               "review another proposed breakthrough"),
    "AgentTrace":             ("hand in the trace",                            "correct the trace"),
}
# fmt: on
BALLOT_PARTS: Final = frozenset({"CalibrationVote", "DistractorReview", "StatusVote", "DesignVote"})
"""Parts of a ballot that are filed beside its vote on readiness, which stands for the request."""
_CAPITAL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


def list_agent_requests(dossier: Dossier, agent: str) -> tuple[str, ...]:
    """Return the requests to an agent as one line for each phase, in order."""
    requests = _list_requests(dossier, agent)
    return tuple(
        f"{phase}: {_describe_requests(requests, phase)}"
        for phase in Phase
        if any(each is phase for each, _ in requests)
    )


def count_agent_requests(dossier: Dossier, agent: str) -> int:
    """Return how many requests an agent answered."""
    return len(_list_requests(dossier, agent))


def _list_requests(dossier: Dossier, agent: str) -> list[tuple[Phase, str]]:
    """Return the phase and the kind of every answer of an agent.

    Every answer is an entry of the dossier, except reviews of breakthroughs, which stand in their cases.
    """
    answers = [
        (entry.phase, type(entry.deliverable).__name__) for entry in dossier.entries if entry.author == agent
    ]
    answers += [(case.phase, "BreakthroughReview") for case in dossier.breakthroughs if agent in case.reviews]
    return [(phase, kind) for phase, kind in answers if kind not in BALLOT_PARTS]


def _describe_requests(requests: list[tuple[Phase, str]], phase: Phase) -> str:
    order = tuple(Phase)
    earlier = {kind for each, kind in requests if order.index(each) < order.index(phase)}
    kinds = Counter(kind for each, kind in requests if each is phase)
    return "; ".join(
        _describe_repeated_request(kind, times, was_asked_before=kind in earlier)
        for kind, times in kinds.items()
    )


def _describe_repeated_request(kind: str, times: int, *, was_asked_before: bool) -> str:
    words = _CAPITAL.sub(" ", kind).lower()
    first, repeated = REQUESTS.get(kind, (f"hand in a {words}", f"hand in a {words} again"))
    again = times if was_asked_before else times - 1
    parts = [] if was_asked_before else [first]
    if again:
        parts.append(repeated if again == 1 else f"{repeated} ({again} times)")
    return ", then ".join(parts)
