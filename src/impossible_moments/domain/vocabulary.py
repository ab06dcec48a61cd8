"""Vocabulary of the specification: agents, phases, statuses, tiers, dimensions and message types."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, get_args

from impossible_moments.mechanics.language import suggest_similar_name
from impossible_moments.mechanics.records import Category as Category  # noqa: PLC0414 - one list of categories for all

ATHENA: Final = "ATHENA"
GALILEO: Final = "GALILEO"
EULER: Final = "EULER"
NEWTON: Final = "NEWTON"
SOCRATES: Final = "SOCRATES"
ORCHESTRATOR: Final = "ORCHESTRATOR"
HUMAN: Final = "HUMAN"
ROLES: Final = (ATHENA, GALILEO, EULER, NEWTON, SOCRATES)
"""The five agents in the order of the specification's tables."""


class Phase(StrEnum):
    """The six phases, in order."""

    SEED = "SEED"
    VALIDATE = "VALIDATE"
    GROUND = "GROUND"
    CLASSIFY = "CLASSIFY"
    REFINE = "REFINE"
    DOCUMENT = "DOCUMENT"


CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)
Status: TypeAlias = Literal["KS", "CT", "OF", "PX", "MT", "DG"]
STATUSES: Final[tuple[Status, ...]] = get_args(Status)
SOLVABLE_STATUSES: Final[frozenset[Status]] = frozenset({"KS", "DG"})
"""The statuses of scenarios with a known solution. Their outcome is all or nothing."""
IMPOSSIBLE_STATUS: Final[Status] = "PX"
ANSWER_HEADINGS: Final[Mapping[Status, str]] = MappingProxyType(
    {
        "KS": "Verified Solution",
        "CT": "Best Known Approaches",
        "OF": "Evaluation Criteria",
        "PX": "Evaluation Criteria",
        "MT": "Evaluation Criteria",
        "DG": "Evaluation Criteria",
    }
)
"""6.1, tier 2: the heading of the answer in the evaluation document."""
Subtype: TypeAlias = Literal["KS-Singular", "KS-Multiple", "KS-Fragile"]
SUBTYPES: Final[tuple[Subtype, ...]] = get_args(Subtype)
Tier: TypeAlias = Literal["SPARK", "FRACTURE", "RUPTURE", "SINGULARITY", "IMPOSSIBLE"]
TIERS: Final[tuple[Tier, ...]] = get_args(Tier)
ImpossibilityType: TypeAlias = Literal["I", "II", "III"]
IMPOSSIBILITY_TYPES: Final[Mapping[Status, ImpossibilityType]] = MappingProxyType(
    {"KS": "I", "DG": "I", "MT": "I", "CT": "II", "OF": "II", "PX": "III"}
)
"""4.3 of phase 4: the usual impossibility type of each status."""
Strength: TypeAlias = Literal["weak", "moderate", "strong"]
Level: TypeAlias = Literal["LOW", "MEDIUM", "HIGH"]


class DifficultyDimension(StrEnum):
    """The six difficulty dimensions, in the order of the profile I.D.C.B.T.X."""

    I = "Insight Depth"  # noqa: E741 - the specification's letter
    D = "Distractor Density"
    C = "Counter-Intuitive Index"
    B = "Domain Bridge"
    T = "Temporal Pressure"
    X = "Trap Depth"


class MessageType(StrEnum):
    """The purpose of a message."""

    DELIVERABLE = "DELIVERABLE"
    CHALLENGE = "CHALLENGE"
    RESPONSE = "RESPONSE"
    VOTE = "VOTE"
    VETO = "VETO"
    ESCALATION = "ESCALATION"
    BREAKTHROUGH = "BREAKTHROUGH"


def parse_wanted_status(status: str) -> Status:
    """Return the main status of a status or subtype that a user asks for.

    Raise `ValueError` for any other text, an unknown subtype such as KS-Other included.
    """
    if status not in STATUSES and status not in SUBTYPES:
        raise ValueError(
            f"`{status}` is not a solution status{suggest_similar_name(status, (*STATUSES, *SUBTYPES))}; the statuses are "
            f"{', '.join(STATUSES)}, and the subtypes of KS are {', '.join(SUBTYPES)}"
        )
    return parse_main_status(status)


def parse_main_status(status: str) -> Status:
    """Return the status without its subtype, such as KS for KS-Fragile.

    Raise `ValueError` if the text is not a solution status.
    """
    found = status.partition("-")[0]
    for known in STATUSES:
        if known == found:
            return known
    raise ValueError(f"`{status}` is not a solution status; the statuses are {', '.join(STATUSES)}")
