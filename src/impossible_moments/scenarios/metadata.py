"""Metadata of a finished scenario, as stored in the registry."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from impossible_moments.domain.vocabulary import Category, ImpossibilityType, Phase, Tier

ID_FORM: Final = r"^IM-\d{4,}$"
PROGRAM: Final = "builtin"
"""How the model names of agents that are programs begin."""
NO_CLOCK: Final = "the flow ran without a ledger, which holds the times"
NO_LEDGER: Final = "the flow ran without a ledger, which holds the calls"


class _FrozenRecord(BaseModel):
    """Frozen base model that forbids unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ClockReadings(_FrozenRecord):
    """Clock values. Only they differ between two identical runs, so comparisons ignore them."""

    created: str = ""
    pipeline_minutes: float | None = None
    """Minutes from the first request to the last answer."""
    compute_seconds: float | None = None
    """Seconds that agents spent on their answers, summed over all requests."""
    missing: str = NO_CLOCK
    """Why a value is missing. Empty if none is."""


class ToolCallRecord(_FrozenRecord):
    """A tool call of an agent, with its result."""

    phase: str
    tool: str
    arguments: str
    result: str


class AgentVersion(_FrozenRecord):
    """The model that played an agent, and the resources it used."""

    model: str = ""
    prompt: str = ""
    """Hash of the system prompt. Empty for a program, which reads none."""
    calls: int | None = None
    """Number of requests that were answered."""
    tokens: int | None = None
    peak_context: float | None = None
    """Largest share of the context window that was used."""
    cost: float | None = None
    """Price of all requests in US dollars."""
    missing: str = NO_LEDGER
    """Why a value is missing. Empty if none is."""
    look_ups: tuple[ToolCallRecord, ...] = ()

    @property
    def is_program(self) -> bool:
        """Whether the agent was a program, which reads no prompt and consumes no tokens."""
        return bool(self.model) and all(name.startswith(PROGRAM) for name in self.model.split(", "))


class ChallengeCounts(_FrozenRecord):
    """Number of challenges by outcome."""

    issued: int = 0
    resolved: int = 0
    escalated: int = 0


class VetoCounts(_FrozenRecord):
    """Number of vetoes by outcome."""

    issued: int = 0
    lifted: int = 0
    led_to_revision: int = 0


class ConstraintJudgement(_FrozenRecord):
    """A constraint or the inspiration of a brief, and whether the scenario keeps it."""

    text: str
    verdict: Literal["met", "unmet", "unjudged"]
    reason: str


class BriefDeviation(_FrozenRecord):
    """A status or tier other than the one that a brief asks for."""

    field: Literal["solution_status", "difficulty_tier"]
    wanted: str
    found: str

    def __str__(self) -> str:
        name = self.field.replace("_", " ")
        return f"The brief asks for {name} {self.wanted}, and the scenario is {self.found}."


class BriefFulfilment(_FrozenRecord):
    """What a brief asked for, and how far the scenario keeps it."""

    wanted_status: str
    wanted_tier: Tier
    deviations: tuple[BriefDeviation, ...] = ()
    constraints: tuple[ConstraintJudgement, ...] = ()
    inspiration: ConstraintJudgement | None = None

    @property
    def is_kept(self) -> bool:
        """Whether status and tier are as wanted and no constraint is unmet."""
        return not self.deviations and not self.list_constraints_judged("unmet")

    def list_constraints_judged(self, verdict: str) -> tuple[ConstraintJudgement, ...]:
        """Return the constraints with a verdict."""
        return tuple(each for each in self.constraints if each.verdict == verdict)


class VerificationRecord(_FrozenRecord):
    """The verification of a breakthrough for an open scenario, and what the registry stated before it."""

    candidate: str
    """The candidate of the breakthrough log, or the scenario itself if its own agents proposed the breakthrough."""
    tier: Literal["A", "B", "C", "D"]
    result: Literal["confirmed", "refuted"]
    by: tuple[str, ...]
    reason: str
    status_before: str
    tier_before: Tier
    tier_match_before: Literal["exact", "nearest"]


class ScenarioMetadata(_FrozenRecord):
    """Everything that is recorded about a scenario except its texts and mechanics."""

    scenario_id: str = Field(pattern=ID_FORM)
    name: str
    category: Category
    status: str
    """Status as in the public document: KS, KS-Multiple, KS-Fragile, CT, OF, PX, MT or DG."""
    tier: Tier
    tier_match: Literal["exact", "nearest"]
    tier_basis: Literal["predicted", "measured"] = "predicted"
    """`predicted` from the profile until answers of solvers have been measured."""
    profile: str
    """Difficulty profile I.D.C.B.T.X."""
    correct_outcome: str
    """What a right answer does, as one of the specification's words such as ESCAPE or PROVE-IMPOSSIBLE."""
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
    """GALILEO's predicted score for each kind of system, 0 to 100."""
    library: str
    """Name, version and hash of the library. Every verdict refers to this library."""
    canary: str
    seed: int | None = None
    """Seed of the brief. The same scenario can be generated again with it."""
    twin: str | None = Field(default=None, pattern=ID_FORM)
    """Scenario with the same situation and the opposite outcome. Public documents never name it."""
    # The following are omitted when they are None: the text of earlier registries must not change.
    parent: str | None = Field(default=None, pattern=ID_FORM, exclude_if=lambda value: value is None)
    """Scenario of which this one is a variant with one changed quantity. Public documents never name it."""
    blueprints: str | None = Field(default=None, exclude_if=lambda value: value is None)
    """Name and hash of a contributor's blueprints that were used beside the shipped ones."""
    level: int | None = Field(default=None, exclude_if=lambda value: value is None)
    """Level of a composed scenario, from 1 to 10."""
    place: str | None = Field(default=None, exclude_if=lambda value: value is None)
    """Place from which a composed scenario was drawn."""
    brief: BriefFulfilment | None = Field(default=None, exclude_if=lambda value: value is None)
    """How far the scenario keeps its brief. None if there is nothing to report."""
    verifications: tuple[VerificationRecord, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Verifications of breakthroughs, the first one first. A confirmed one changed the status from OF to KS."""
    absent: dict[str, str] = {}
    """Why a field is empty, by its name. Every empty field is listed."""
    stamps: ClockReadings = ClockReadings()

    @property
    def comparable_copy(self) -> ScenarioMetadata:
        """Copy without clock values and without what may be added later: the twin and verifications."""
        changes: dict[str, object] = {"stamps": ClockReadings(), "twin": None, "verifications": ()}
        if self.verifications:
            first = self.verifications[0]
            changes |= {
                "status": first.status_before,
                "tier": first.tier_before,
                "tier_match": first.tier_match_before,
            }
        return self.model_copy(update=changes)


def build_agent_version(
    *,
    model: str,
    prompt: str,
    usages: Sequence[Mapping[str, Any]],
    look_ups: tuple[ToolCallRecord, ...] = (),
) -> AgentVersion:
    """Build the version of an agent from what the ledger holds of its requests. `model` names all its models."""
    if not usages:
        return AgentVersion(model=model, prompt=prompt, calls=0, missing="the agent was not asked")
    if AgentVersion(model=model).is_program:
        return AgentVersion(
            model=model,
            calls=len(usages),
            tokens=0,
            peak_context=0.0,
            cost=0.0,
            missing="",
            look_ups=look_ups,
        )
    shares = [float(each["context_window_usage"]) for each in usages if each.get("context_window_usage")]
    prices = [float(each["cost"]) for each in usages if each.get("cost") is not None]
    tokens = [int(each["tokens"]) for each in usages if "tokens" in each]
    found: dict[str, float | None] = {
        "tokens": sum(tokens) if tokens else None,
        "peak_context": max(shares, default=None),
        "cost": round(sum(prices), 6) if len(prices) == len(usages) else None,
    }
    unknown = [name.replace("_", " ") for name, value in found.items() if value is None]
    return AgentVersion.model_validate(
        {
            "model": model,
            "prompt": prompt,
            "calls": len(usages),
            **found,
            "missing": f"the provider did not report {', '.join(unknown)}" if unknown else "",
            "look_ups": look_ups,
        }
    )


def compute_canary(scenario_id: str, library: str, content: str) -> str:
    """Return a string that occurs only in this scenario. A model that knows it has seen the benchmark.

    It depends on the content, so that the first scenarios of two benchmarks differ, and equal seeds give equal files.
    """
    digest = hashlib.sha256(f"impossible-moments\n{scenario_id}\n{library}\n{content}".encode()).hexdigest()
    return f"im-canary-{digest[:8]}-{digest[8:20]}"


def compute_prompt_hash(prompt: str) -> str:
    """Return the hash that identifies a version of a prompt."""
    return hashlib.sha256(prompt.encode()).hexdigest()[:12]
