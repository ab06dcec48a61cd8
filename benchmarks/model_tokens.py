"""Tokens of a whole model run, by role, phase, part of the request and place of its revision.

The built-in cast answers what models would be asked, and the requests are built as they are sent to models. A run has no
revision, or one in VALIDATE or in REFINE, that changes the text. All agents vote alike, so that no vote is repeated, and
nothing is read on demand. Documents count longer than those of the built-in cast, see `LENGTH`.
`python -m benchmarks.model_tokens` prints the tables.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from impossible_moments.agents.adapters.llm_adapter import LanguageModelAdapter
from impossible_moments.agents.adapters.seed_review import complete_seed_document
from impossible_moments.agents.builtin.cast import BuiltinCast, load_builtin_cast
from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.agents.orchestrator.context.reference_text import render_reference
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.orchestrator import create_scenario
from impossible_moments.agents.orchestrator.rules import build_scenario_rules
from impossible_moments.agents.scripted_players import run_flow_with_player
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import HumanDecision, Option
from impossible_moments.domain.refinement import CalibrationVote, RefinementBallot, ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.seed_revision import SeedRevision
from impossible_moments.domain.validation import Correction, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import HUMAN, Category, Phase
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.llm import estimate_first_prompt_tokens
from impossible_moments.llm.client import describe_tool
from impossible_moments.llm.consultation_tasks import describe_hand_in_tool
from impossible_moments.llm.model_references import parse_model_reference
from impossible_moments.llm.token_estimates import estimate_data_tokens, estimate_text_tokens
from impossible_moments.pipeline.cast_selection import ModelResources, build_model_adapter
from impossible_moments.pipeline.cost_estimate import REVISED
from impossible_moments.scenarios.similarity.embedding import TfidfEmbedder

CATEGORIES: Final[tuple[Category, ...]] = ("The Locked Room", "The Wrong Toolbox", "The Cascade")
PLACES: Final = ("", str(Phase.VALIDATE), str(Phase.REFINE))
"""Where the revision of a run takes place. The first run has none."""
GOALS: Final = {str(Phase.VALIDATE): (26, 240_000), str(Phase.REFINE): (36, 300_000)}
"""The most requests and tokens of a run with one revision."""
LENGTH: Final = 1.85
"""The length of documents relative to those of the built-in cast, so that The Locked Room has the size of recorded runs.

With the requests of commit d9e4e921 it gives 261,000 tokens with a revision in VALIDATE and 354,000 with one in REFINE.
Recorded model runs with one revision had 261,000 to 267,000 and 346,000 to 354,000.
"""
WANTED: Final = (Correction(subject="narrative", problem="It gives too little of the place."),)
ADDED: Final = " Nothing else in the place is of any use."
RECORD: Final = "mechanics"
KINDS: Final = {
    "SeedDocument": "design and text",
    "PhysicsReport": "validation reports",
    "MathematicsReport": "validation reports",
    "FeasibilityCheck": "validation reports",
    "JointAssessment": "validation reports",
    "GroundingReport": "grounding report",
    "ClassificationReport": "classifications",
    "InformedClassification": "classifications",
}
REFERENCE: Final = tuple(render_reference().split("\n\n**"))
FENCE: Final = re.compile(r"^(?P<ticks>`{3,})json\n(?P<context>.*?)\n(?P=ticks)$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class RequestSize:
    """The tokens of one request and of its answer, by part."""

    agent: str
    phase: str
    deliverable: str
    parts: Counter[str]

    @property
    def total(self) -> int:
        """All tokens that are sent and written."""
        return sum(self.parts.values())


class _RevisingPlayer:
    """The built-in cast as models play: one revision where it is wanted, and votes that agree."""

    def __init__(self, cast: BuiltinCast, place: str) -> None:
        self._cast = cast
        self._place = place
        self._seed: SeedDocument | None = None
        self._vote: CalibrationVote | None = None
        self.said: list[tuple[Ask, LabelledModel]] = []

    def answer(self, ask: Ask) -> LabelledModel:
        if ask.agent == HUMAN:
            return HumanDecision(
                option=Option.RESOLVE, justification="a measurement decides nothing", nothing_to_change=True
            )
        reply = self._reply(ask)
        self.said.append((ask, reply))
        return reply

    def _reply(self, ask: Ask) -> LabelledModel:
        if ask.returns is SeedDocument:
            self._seed = self._write_seed(ask)
            return self._seed
        reply = self._cast.answer(ask)
        is_first = ask.key.endswith("/1")
        match reply:
            case PhysicsReport() | MathematicsReport() if is_first and self._place == Phase.VALIDATE:
                return reply.model_copy(update={"corrections_needed": WANTED})
            case ReviewMemo() if is_first and self._place == Phase.REFINE:
                return reply.model_copy(update={"corrections": WANTED})
            case RefinementBallot():
                self._vote = self._vote or reply.calibration
                return reply.model_copy(update={"calibration": self._vote})
        return reply

    def _write_seed(self, ask: Ask) -> SeedDocument:
        if self._seed is not None:
            return _add_sentence(self._seed)
        seed = self._cast.answer(ask)
        assert isinstance(seed, SeedDocument)
        return seed


def _add_sentence(seed: SeedDocument) -> SeedDocument:
    """Return a seed document with one more sentence in the narrative of its record and of its scenario."""
    record: dict[str, Any] = dict(seed.mechanics)
    record["prose"] = {**record["prose"], "narrative": record["prose"]["narrative"] + ADDED}
    scenario = seed.scenario.model_copy(update={"narrative": ""})
    revised = seed.model_copy(update={"mechanics": record, "scenario": scenario})
    return complete_seed_document(revised, load_everyday_library())[0]


@cache
def _build_adapter() -> LanguageModelAdapter:
    settings = load_configuration()
    models = dict.fromkeys(settings.roster, parse_model_reference("openai:gpt-4o"))
    return build_model_adapter(models, settings, load_everyday_library(), ModelResources(), needs_keys=False)


def play_run(category: Category, place: str) -> list[tuple[Ask, LabelledModel]]:
    """Return all asks of a run with their answers."""
    cast = load_builtin_cast()
    brief = GenerationBrief(
        category=category, difficulty_tier="FRACTURE", solution_status="KS", scenario_id="IM-0001"
    )
    rules = build_scenario_rules(load_configuration(), load_everyday_library(), TfidfEmbedder(), reader=None)
    player = _RevisingPlayer(cast, place)
    run_flow_with_player(create_scenario(brief, rules), player.answer)
    return player.said


def measure_request(ask: Ask, reply: LabelledModel) -> RequestSize:
    """Measure one request: its prompt as it is sent, its tools, and the answer."""
    task = _build_adapter().build_task(ask)
    tools = [describe_tool(each) for each in task.tools]
    documents, lists = _measure_context(task.user)
    fixed = Counter(
        {
            "reference": sum(estimate_text_tokens(each) for each in REFERENCE if each in task.system),
            "deliverable schema": estimate_data_tokens(describe_hand_in_tool(task.returns).parameters),
            "tools": sum(estimate_data_tokens(each.parameters) for each in tools),
            "list of what is left out": lists,
        }
    )
    fixed["role prompt"] = estimate_text_tokens(task.system) - fixed["reference"]
    prompt = estimate_first_prompt_tokens(task)
    fixed["task, notes and form"] = prompt - fixed.total() - documents.total()
    share = REVISED if task.returns is SeedRevision else 1.0
    documents["answer"] = round(estimate_text_tokens(reply.model_dump_json()) * share)
    longer = {name: round(size * LENGTH) for name, size in documents.items()}
    return RequestSize(
        ask.agent, str(ask.assignment.phase), task.returns.__name__, Counter({**fixed, **longer})
    )


def _measure_context(user: str) -> tuple[Counter[str], int]:
    """Return the tokens of the documents in a prompt by kind, and of the list of what was left out."""
    fence = FENCE.search(user)
    assert fence is not None, "a prompt has its context in a fence"
    context = json.loads(fence["context"])
    sizes: Counter[str] = Counter()
    for section in context["sections"]:
        head, fields = next(iter(section.items()))
        for name, value in fields.items():
            kind = "record" if name == RECORD else KINDS.get(head.partition(" ")[2], "memos and votes")
            sizes[kind] += estimate_data_tokens({name: value})
    return sizes, estimate_data_tokens(context.get("on_demand", []))


def measure_run(category: Category, place: str) -> list[RequestSize]:
    """Measure all requests of a run."""
    return [measure_request(ask, reply) for ask, reply in play_run(category, place)]


def runs() -> Iterator[tuple[str, str, str]]:
    """For each place of a revision: the requests and tokens of a run, over several categories."""
    for place in PLACES:
        played = [measure_run(category, place) for category in CATEGORIES]
        requests = max(map(len, played))
        tokens = [sum(each.total for each in run) for run in played]
        most_requests, most_tokens = GOALS.get(place, (0, 0))
        yield (
            f"model run, {f'one revision in {place}' if place else 'no revision'}",
            f"{requests} requests, {min(tokens):,}-{max(tokens):,}",
            f"<= {most_requests}, {most_tokens:,}" if place in GOALS else "",
        )


def tables(category: Category = CATEGORIES[0]) -> Iterator[str]:
    """Yield the lines of the tables of one category: tokens by part, role, phase and deliverable."""
    measured = {place or "none": measure_run(category, place) for place in PLACES}
    titles: Sequence[tuple[str, Callable[[RequestSize], Counter[str]]]] = (
        ("part", lambda each: each.parts),
        ("role", lambda each: Counter({each.agent: each.total})),
        ("phase", lambda each: Counter({each.phase: each.total})),
        ("deliverable", lambda each: Counter({each.deliverable: each.total})),
    )
    for title, split in titles:
        sums = {place: sum(map(split, run), Counter[str]()) for place, run in measured.items()}
        yield f"{f'tokens by {title}; revision in':<34}" + "".join(f"{place:>12}" for place in sums)
        for name, _ in sums[PLACES[-1]].most_common():
            yield f"  {name:<32}" + "".join(f"{each[name]:>12,}" for each in sums.values())
        yield f"  {'all':<32}" + "".join(f"{each.total():>12,}" for each in sums.values())


def main() -> None:
    """Print the tables of one category and a line for each place of a revision."""
    for line in tables():
        print(line)
    for what, measured, goal in runs():
        print(f"{what:<44}{measured:>32}{goal:>18}", flush=True)


if __name__ == "__main__":
    main()
