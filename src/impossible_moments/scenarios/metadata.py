"""The metadata record of a finished scenario."""

from __future__ import annotations

import hashlib
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from impossible_moments.domain.vocabulary import Category, ImpossibilityType, Phase, Tier

ID_FORM: Final = r"^IM-\d{4,}$"


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Stamps(_Record):
    """What a clock said. These fields alone differ between two runs of the same; comparisons leave them out."""

    created: str = ""
    pipeline_minutes: float | None = None
    compute_seconds: float | None = None


class LookUp(_Record):
    """A tool call of an agent, with what came back."""

    phase: str
    tool: str
    arguments: str
    result: str


class AgentVersion(_Record):
    """Who spoke for an agent, and what it took."""

    model: str = ""
    prompt: str = ""
    """Hash of the system prompt."""
    tokens: int | None = None
    peak_context: float | None = None
    """The largest share of the context window that was used."""
    look_ups: tuple[LookUp, ...] = ()


class ChallengeCounts(_Record):
    """Challenges by what became of them."""

    issued: int = 0
    resolved: int = 0
    escalated: int = 0


class VetoCounts(_Record):
    """Vetoes by what became of them."""

    issued: int = 0
    lifted: int = 0
    led_to_revision: int = 0


class Metadata(_Record):
    """Everything about a scenario that is not the scenario."""

    scenario_id: str = Field(pattern=ID_FORM)
    name: str
    category: Category
    status: str
    """As the public document says it: KS, KS-Multiple, KS-Fragile, CT, OF, PX, MT or DG."""
    tier: Tier
    tier_match: Literal["exact", "nearest"]
    tier_basis: Literal["predicted", "measured"] = "predicted"
    """Predicted from the profile, until answers of solvers have been measured."""
    profile: str
    """I.D.C.B.T.X."""
    correct_outcome: str
    impossibility_type: ImpossibilityType | None = None
    agent_versions: dict[str, AgentVersion]
    revision_loops: dict[Phase, int]
    redesigns: int = 0
    challenges: ChallengeCounts = ChallengeCounts()
    vetoes: VetoCounts = VetoCounts()
    escalations: int = 0
    human_review: bool
    human_review_outcome: str = ""
    breakthrough_candidate: bool = False
    predicted: dict[str, float] = {}
    """GALILEO's prediction for each kind of system, 0 to 100."""
    library: str
    """Name, version and hash: every verdict holds within it."""
    canary: str
    seed: int | None = None
    """The seed of its brief: with it the same can be drawn again."""
    twin: str | None = Field(default=None, pattern=ID_FORM)
    """The scenario of the same situation that ends the other way. No public document tells it: it would give both away."""
    stamps: Stamps = Stamps()

    @property
    def comparable(self) -> Metadata:
        """The record without what a clock said, and without a twin, which may come later."""
        return self.model_copy(update={"stamps": Stamps(), "twin": None})


def canary_of(scenario_id: str, library: str) -> str:
    """A string that stands in no text but a scenario's own: a model that knows it has read the benchmark."""
    digest = hashlib.sha256(f"impossible-moments\n{scenario_id}\n{library}".encode()).hexdigest()
    return f"im-canary-{digest[:8]}-{digest[8:20]}"


def prompt_hash(prompt: str) -> str:
    """The hash that names a version of a prompt."""
    return hashlib.sha256(prompt.encode()).hexdigest()[:12]
