"""Scripted runs: the cast of The Blast Room, changes of single answers, and a program that can be killed.

`python -m support.scripted_runs FOLDER [--tied]` runs The Blast Room into a folder and prints how it ended; `--decide JSON`
answers its open question; `--kill KEY:AFTER ...` runs it once for each, killed inside that ask, when so many answers are in
the ledger, and started again.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from impossible_moments.agents.adapters.performer import PerformedAsk
from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.orchestrator import CreationOutcome, create_scenario
from impossible_moments.agents.orchestrator.rules import ScenarioRules, build_scenario_rules
from impossible_moments.agents.scripted_players import Player, build_scripted_player, run_flow_with_player
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import (
    Answer,
    Ballot,
    Challenge,
    ChallengeResponse,
    Evidence,
    HumanDecision,
    Option,
    Veto,
)
from impossible_moments.domain.open_points import PointAnswer
from impossible_moments.domain.refinement import RefinementBallot, ReviewMemo
from impossible_moments.domain.seed import PhysicalClaim, SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, HUMAN, NEWTON, SOCRATES, Phase
from impossible_moments.ledger import leases
from impossible_moments.ledger.answered_asks import list_answers
from impossible_moments.ledger.store import LedgerStore
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.pipeline.clock import SystemClock
from impossible_moments.pipeline.ledger_places import LEDGER
from impossible_moments.pipeline.pipeline import Pipeline
from impossible_moments.pipeline.review_desk import ReviewDesk
from impossible_moments.scenarios.documents import remove_clock_values
from impossible_moments.scenarios.registry import ScenarioRegistry
from impossible_moments.scenarios.similarity.embedding import TfidfEmbedder
from support.dossiers import BRIEF, build_accepted_seed, make_full_dossier
from support.performer_doubles import PlainPerformer

FALSE: Final = "chair.mass > table.mass"


def build_rules(**changes: Any) -> ScenarioRules:
    """Build the rules of a new scenario."""
    return build_scenario_rules(load_configuration(), load_everyday_library(), TfidfEmbedder(), **changes)


def make_obliging_player(option: Option = Option.RESOLVE, **decision: Any) -> Player:
    """Make the cast that gets The Blast Room accepted; a human, if asked, chooses `option`."""
    answers = {
        (entry.author, type(entry.deliverable)): entry.deliverable
        for entry in make_full_dossier(Phase.DOCUMENT).entries
    }
    return decline_open_points(
        build_scripted_player(
            answers, HumanDecision(option=option, justification="it was looked at", **decision)
        )
    )


def decline_open_points(player: Player) -> Player:
    """Return the player with every agent declining the points that it has to answer."""

    def answer(ask: Ask) -> LabelledModel:
        reply = player(ask)
        points = ask.assignment.readable_context.get("open_points", ())
        if not points:
            return reply
        answers = tuple(
            PointAnswer(point=each["point"], answer="declined", reason="The window is 1.2 m wide.")
            for each in points
        )
        if isinstance(reply, RefinementBallot):
            readiness = reply.readiness.model_copy(update={"answers": answers})
            return reply.model_copy(update={"readiness": readiness})
        return reply.model_copy(update={"answers": answers})

    return answer


Change = Callable[[Any, Ask], LabelledModel]
"""Function that changes a reply."""


def change_deliverables(
    player: Player, agent: str, kind: type[LabelledModel], change: Change, *, times: int = 99
) -> Player:
    """Return the player with the first `times` deliverables of an agent and kind changed."""
    left = times

    def answer(ask: Ask) -> LabelledModel:
        nonlocal left
        reply = player(ask)
        if not left or agent not in {"", ask.agent}:
            return reply
        if ask.returns is kind:
            left -= 1
            return change(reply, ask)
        if isinstance(reply, RefinementBallot) and kind in map(type, reply.parts):
            left -= 1
            changed = {name: change(part, ask) for name, part in reply if isinstance(part, kind)}
            return reply.model_copy(update=changed)
        return reply

    return answer


def change_fields(
    player: Player, agent: str, kind: type[LabelledModel], *, times: int = 99, **fields: Any
) -> Player:
    """Return the player with fields of an agent's deliverables of a kind replaced."""
    return change_deliverables(
        player, agent, kind, lambda reply, _ask: reply.model_copy(update=fields), times=times
    )


@dataclass
class ScenarioRun:
    """A completed run with all asks and replies."""

    end: CreationOutcome
    asks: list[Ask]
    replies: list[LabelledModel] = field(default_factory=list)

    @property
    def keys(self) -> list[str]:
        return [ask.key for ask in self.asks]

    @property
    def phases(self) -> list[Phase]:
        """The phases in order, repeated after each return to an earlier one."""
        found: list[Phase] = []
        for ask in self.asks:
            if not found or found[-1] != ask.assignment.phase:
                found.append(ask.assignment.phase)
        return found

    def list_asks_to(self, agent: str, kind: type[LabelledModel] | None = None) -> list[Ask]:
        return [ask for ask in self.asks if ask.agent == agent and kind in {None, ask.returns}]

    @property
    def human_asks(self) -> list[Ask]:
        return self.list_asks_to(HUMAN)

    @property
    def bytes(self) -> tuple[str, ...]:
        """All output of the run."""
        assert self.end.documents is not None
        return tuple(
            f"{name}\n{text}" for name, text in sorted(self.end.documents.list_files_by_path().items())
        )


def run_scenario(
    player: Player, brief: GenerationBrief = BRIEF, within: ScenarioRules | None = None
) -> ScenarioRun:
    """Create a scenario with a player."""
    asks: list[Ask] = []
    replies: list[LabelledModel] = []

    def remembered(ask: Ask) -> LabelledModel:
        reply = player(ask)
        replies.append(reply)
        return reply

    end = run_flow_with_player(create_scenario(brief, within or build_rules()), remembered, asks)
    return ScenarioRun(end, asks, replies)


def build_seed_with_claim(expression: str, claim_id: str = "false_one") -> SeedDocument:
    """Return the accepted seed with one more claim."""
    seed = build_accepted_seed()
    claim = PhysicalClaim(claim_id=claim_id, text="It holds.", expression=expression)
    sketch = seed.solution_sketch.model_copy(update={"claims": (*seed.solution_sketch.claims, claim)})
    return seed.model_copy(update={"solution_sketch": sketch})


def build_other_seed(number: int = 1) -> SeedDocument:
    """Build the accepted seed in other words: a revision without computed changes."""
    return build_accepted_seed().model_copy(update={"open_questions": (f"Is revision {number} better?",)})


def revise_every_time(player: Player) -> Player:
    """Return the player with ATHENA handing in another seed each time."""
    return change_deliverables(
        player, ATHENA, SeedDocument, lambda _reply, ask: build_other_seed(int(ask.key.split("/")[-1]))
    )


def build_evidence(text: str = "F = 30 N < 40 N", kind: Any = "calculation") -> Evidence:
    return Evidence(kind=kind, text=text)


def build_veto(**changes: Any) -> Veto:
    """Build a valid veto."""
    plain: dict[str, Any] = {
        "claim": "the pane breaks",
        "law": "conservation of energy",
        "proof": (build_evidence(),),
        "corrective_proposal": "a heavier chair",
    }
    return Veto(**{**plain, **changes})


def build_challenge(challenged: str, **changes: Any) -> Challenge:
    """Build a valid challenge."""
    plain: dict[str, Any] = {
        "claim": "the table slides",
        "evidence": (build_evidence(),),
        "confidence": 0.8,
    }
    return Challenge(**{"challenged": challenged, **plain, **changes})


# a program that can be killed

PUBLISHING: Final = "publishing"
CLOSING: Final = "closing"
"""Points besides asks at which a process can be killed: before and after the documents are written."""


def add_tied_dispute(player: Player) -> Player:
    """Add a dispute in REFINE that no rung settles: the authority abstains, and the two arbiters disagree."""
    disputed = build_challenge(
        ATHENA,
        claim="The scenario is KS.",
        evidence=(build_evidence("It is argued for nowhere.", "citation"),),
    )
    player = change_fields(player, GALILEO, ReviewMemo, times=1, challenges=(disputed,))
    choices = {NEWTON: "CHALLENGER", EULER: "CHALLENGED", SOCRATES: "ABSTAIN"}
    player = change_deliverables(
        player, "", Ballot, lambda reply, ask: reply.model_copy(update={"choice": choices[ask.agent]})
    )
    return change_fields(player, ATHENA, ChallengeResponse, answer=Answer.DEFEND, text="The claim stands.")


@dataclass
class SelfKillingPerformer(PlainPerformer):
    """Logs every ask and kills the process inside one of them, once the ledger has a number of answers."""

    player: Player
    folder: Path
    kill_in: str | None = None
    after: int = 0

    async def perform(self, ask: Ask) -> PerformedAsk:
        with (self.folder / "asked.log").open("a", encoding="utf-8") as log:
            log.write(f"{ask.key}\n")
        if ask.key == self.kill_in:
            with LedgerStore(self.folder / LEDGER) as store:
                answers = partial(list_answers, scenario=BRIEF.scenario_id)
                while len(store.read_and_wait(answers)) < self.after:  # noqa: ASYNC110 - of the ledger's thread
                    await asyncio.sleep(0.002)
            os.kill(os.getpid(), signal.SIGKILL)
        return PerformedAsk(self.player(ask), {"tokens": 7}, model="script", prompt_hash="p")


def build_pipeline(folder: Path, player: Player | None = None, **options: Any) -> Pipeline:
    """Build a pipeline that runs one scenario at a time into a folder and logs the asks."""
    folder.mkdir(parents=True, exist_ok=True)
    performer = options.pop("performer", None) or SelfKillingPerformer(
        player or make_obliging_player(), folder
    )
    return Pipeline(performer=performer, output=folder, embedder=TfidfEmbedder(), **options)


def list_performed_asks(folder: Path) -> list[str]:
    """Return every ask that was performed for a folder, in all processes."""
    return (folder / "asked.log").read_text(encoding="utf-8").split()


def read_published_files(folder: Path) -> dict[str, str]:
    """Return everything published in a folder, without clock values."""
    files = {
        str(path.relative_to(folder)): remove_clock_values(path.read_text(encoding="utf-8"))
        for tier in ("public", "evaluation", "trace", "traces", "metadata")
        for path in sorted((folder / tier).rglob("*"))
        if path.is_file()
    }
    entries = ScenarioRegistry(folder).entries
    return files | {name: each.comparable_copy.model_dump_json() for name, each in entries.items()}


def _kill_own_process(*_arguments: object, **_options: object) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


def _run_in_process(work: Callable[[], object]) -> int:
    """Run some work in a forked process that shares only the disk, and return how it ended."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException:  # noqa: BLE001 - the process's edge
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1]


def _kill_and_restart(folder: Path, key: str, after: int) -> None:
    folder.mkdir(parents=True)

    def doomed() -> None:
        if key == PUBLISHING:
            ScenarioRegistry.publish = _kill_own_process  # type: ignore[method-assign]  # in this process alone
        if key == CLOSING:
            leases.close_scenario = _kill_own_process
        build_pipeline(
            folder, performer=SelfKillingPerformer(make_obliging_player(), folder, key, after)
        ).generate(BRIEF)

    ended = _run_in_process(doomed)
    if ended != signal.SIGKILL:
        raise SystemExit(f"{key}: the process was to die and ended with {ended}")
    if _run_in_process(lambda: build_pipeline(folder).resume()):
        raise SystemExit(f"{key}: the restart failed")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tied", action="store_true")
    parser.add_argument("--decide", default="")
    parser.add_argument("--kill", nargs="*", default=[], metavar="KEY:AFTER")
    options = parser.parse_args()
    make_full_dossier(Phase.DOCUMENT)  # made once for all processes
    for number, each in enumerate(options.kill):
        key, _, after = each.rpartition(":")
        _kill_and_restart(options.folder / f"{number:02d}", key, int(after))
    if options.kill:
        return
    made = build_pipeline(options.folder, add_tied_dispute(make_obliging_player()) if options.tied else None)
    if options.decide:
        with made.open_ledger() as store:
            desk = ReviewDesk(store, SystemClock(), "test")
            desk.record_decision(BRIEF.scenario_id, HumanDecision.model_validate_json(options.decide))
        return
    print(made.generate(BRIEF).state)  # noqa: T201 - the tests read it


if __name__ == "__main__":
    main()
