"""A corpus made by the built-in cast in one run: what was published, at which tiers, how alike, how fast, how hard.

`python -m benchmarks.corpus 20 FOLDER` makes twenty scenarios in each category and writes them to the folder.
`--seed 1000` uses the seeds from 1000 on.
"""

from __future__ import annotations

import re
import resource
import time
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles

from impossible_moments.agents.builtin.athena.offer_selection import (
    UnreachableBrief,
    find_fitting_offers,
    list_reachable_targets,
    order_offers,
)
from impossible_moments.agents.builtin.athena.scenario_draws import NoReadableDraw
from impossible_moments.agents.builtin.cast import BuiltinCast, load_builtin_cast
from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.gates.checks.seed_checks import extract_seed_essence
from impossible_moments.agents.orchestrator.open_points import collect_open_points
from impossible_moments.agents.orchestrator.orchestrator import CreationOutcome, create_scenario
from impossible_moments.agents.orchestrator.phases.refine_phase import DEMANDED
from impossible_moments.agents.orchestrator.rules import build_scenario_rules
from impossible_moments.agents.orchestrator.seed_changes import (
    RESTS_ON,
    collect_current_deliverables,
    is_expired,
)
from impossible_moments.agents.scripted_players import run_flow_with_player
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import HumanDecision, Option
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import (
    APPROVING_VOTES,
    DistractorReview,
    ReadinessVote,
    ReviewMemo,
)
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import FeasibilityCheck, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import CATEGORIES, HUMAN, ROLES, TIERS, Category
from impossible_moments.scenarios.scenario import Scenario
from impossible_moments.scenarios.similarity.corpus import Corpus as ComparedCorpus
from impossible_moments.scenarios.similarity.embedding import load_wordllama_embedder
from impossible_moments.scenarios.similarity.scenario_similarity import (
    ComparedScenario,
    compute_scenario_vectors,
    find_similar_rows,
)
from impossible_moments.solver.public_text import PublicText
from impossible_moments.solver.solver import solve_public_text
from impossible_moments.solver.strategies import STRATEGIES, is_successful_attempt

PER_SKIN = 5


@dataclass
class Made:
    """One published scenario, and what it took."""

    finished: CreationOutcome
    brief: GenerationBrief
    seconds: float

    @property
    def seed(self) -> SeedDocument:
        """Its seed document."""
        found = self.finished.dossier.find_latest_deliverable(SeedDocument)
        assert found is not None, "published scenarios have one"
        return found


@dataclass
class Corpus:
    """What came of a run."""

    made: list[Made] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)
    discarded: list[Dossier] = field(default_factory=list)
    """The dossiers of the runs that came to no publication."""
    asked_humans: int = 0
    essences: list[ComparedScenario] = field(default_factory=list)


def corpus(
    cast: BuiltinCast,
    per_category: int,
    categories: Sequence[Category] = CATEGORIES,
    *,
    first_seed: int = 0,
) -> Corpus:
    """So many scenarios in each category, statuses and tiers in turn, and no skin more than five times."""
    found, settings, embedder = Corpus(), load_configuration(), load_wordllama_embedder()
    skins: Counter[str] = Counter()
    for category in categories:
        made = 0
        for brief in _briefs(cast, category, skins, first_seed):
            if made == per_category:
                break
            numbered = brief.model_copy(update={"scenario_id": f"IM-{len(found.made) + 1:04d}"})
            rules = build_scenario_rules(
                settings,
                cast.library,
                embedder,
                corpus=ComparedCorpus.from_scenarios(found.essences, embedder) if found.essences else None,
                reader=cast.find_document_shortcoming,
            )
            began = time.process_time()
            try:
                finished = run_flow_with_player(
                    create_scenario(numbered, rules), lambda ask: _answer(cast, ask, found)
                )
            except (NoReadableDraw, UnreachableBrief) as problem:
                found.stopped.append(str(problem))
                continue
            if finished.documents is None:
                found.discarded.append(finished.dossier)
                found.stopped.append(
                    f"{category}, {brief.solution_status}, {brief.difficulty_tier}: {finished.reason}"
                )
                continue
            each = Made(finished, numbered, time.process_time() - began)
            found.made.append(each)
            found.essences.append(extract_seed_essence(each.seed, numbered.scenario_id))
            skins[_skin(cast, each)] += 1
            made += 1
    return found


def _answer(cast: BuiltinCast, ask: Ask, found: Corpus) -> LabelledModel:
    if ask.agent != HUMAN:
        return cast.answer(ask)
    found.asked_humans += 1
    return HumanDecision(option=Option.DISCARD, justification="nobody is at the desk during a benchmark")


def _briefs(
    cast: BuiltinCast, category: Category, skins: Counter[str], first_seed: int
) -> Iterator[GenerationBrief]:
    """Briefs in turn over all that is reachable, each offer once, the next of each in every round."""
    combinations = [each for each in list_reachable_targets(cast.catalogue) if each[0] == category]
    for turn in range(50):
        for _, status, tier in combinations:
            brief = GenerationBrief(
                category=category, difficulty_tier=tier, solution_status=status, seed=first_seed + turn
            )
            offers = find_fitting_offers(cast.catalogue, brief)
            first = next(order_offers(offers, brief))
            if turn < len(offers) and skins[f"{first.blueprint.name}/{first.skin.name}"] < PER_SKIN:
                yield brief


def _skin(cast: BuiltinCast, made: Made) -> str:
    title = made.seed.scenario.name
    for offer in cast.catalogue.iterate_offers(made.brief.category):
        if title in (*offer.skin.titles, *offer.skin.variants[offer.variant].titles):
            return f"{offer.blueprint.name}/{offer.skin.name}"
    return title


def report(cast: BuiltinCast, found: Corpus) -> Iterator[str]:
    """The figures, a line each."""
    count = len(found.made)
    documents = [each.finished.documents for each in found.made if each.finished.documents is not None]
    yield f"published {count}; stopped {len(found.stopped)}; humans asked {found.asked_humans}"
    yield f"by category: {dict(Counter(each.metadata.category for each in documents))}"
    yield f"by tier: {dict(Counter(each.metadata.tier for each in documents))}"
    yield f"by status: {dict(Counter(each.metadata.status for each in documents))}"
    missed = sum(
        each.finished.documents.metadata.tier != each.brief.difficulty_tier
        for each in found.made
        if each.finished.documents
    )
    yield f"tier voted other than asked for: {missed}"
    titles = Counter(each.seed.scenario.name for each in found.made)
    yield f"titles that stand twice: {[title for title, times in titles.items() if times > 1]}"
    skins = Counter(_skin(cast, each) for each in found.made)
    yield f"skins used: {len(skins)}, most often {skins.most_common(1)}"
    rows = compute_scenario_vectors(found.essences, load_wordllama_embedder())
    pairs = sorted(find_similar_rows(rows, 0.6), key=lambda pair: -pair[2])[:3]
    yield f"most alike: {[(found.essences[one].name, found.essences[other].name, round(cosine, 3)) for one, other, cosine in pairs]}"
    seconds = [each.seconds for each in found.made]
    yield f"CPU seconds a scenario: median {median(seconds):.2f}, 90 % within {quantiles(seconds, n=10)[-1]:.2f}, most {max(seconds):.2f}"
    yield f"largest memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB"
    yield from _disputes(found)
    yield from _difficulty(cast, found)


def _disputes(found: Corpus) -> Iterator[str]:
    dossiers = [*(each.finished.dossier for each in found.made), *found.discarded]
    count = max(len(dossiers), 1)
    for name, has in (
        ("a revision", lambda dossier: len(dossier.list_deliverables(SeedDocument)) > 1),
        (
            "a vote to revise",
            lambda dossier: any(vote.vote == "REVISE" for vote in dossier.list_deliverables(ReadinessVote)),
        ),
        (
            "a design that was seen through",
            lambda dossier: any(DEMANDED in each.consequence for each in dossier.blind_findings),
        ),
        ("a challenge", lambda dossier: bool(dossier.challenges)),
        ("a veto", lambda dossier: bool(dossier.vetoes)),
        ("an escalation", lambda dossier: bool(dossier.reviews)),
        ("any disagreement", lambda dossier: bool(dossier.disagreements)),
        ("a gate that asked for more", lambda dossier: any(loops > 1 for loops in dossier.loops.values())),
    ):
        yield f"with {name}: {sum(map(has, dossiers))} of {count}"
    topics = Counter(
        f"{line.kind}: {line.topic[:70]} ({line.outcome})"
        for dossier in dossiers
        for line in dossier.disagreements
    )
    yield from (f"  {times} {topic}" for topic, times in topics.most_common(12))
    demands = Counter(
        f"{note.demand.demanded_by} on {note.demand.subject or 'the whole'}: {note.demand.demand[:90]}"
        for dossier in dossiers
        for entry in dossier.entries
        for note in entry.answered_notes
        if note.demand is not None
    )
    yield f"changes demanded of ATHENA and answered: {demands.total()}, of {len(demands)} kinds"
    yield from (f"  {times} {text}" for text, times in demands.most_common(20))
    open_findings = [
        f"{each.brief.scenario_id}: {text}"
        for each in found.made
        for text in find_open_findings(each.finished.dossier)
    ]
    yield f"published with a finding that a role had raised and that is not settled: {len(open_findings)}"
    yield from (f"  {text}" for text in open_findings[:10])
    yield from _describe_points(found)
    blind: Counter[tuple[str, str]] = Counter()
    for dossier in dossiers:
        report_ = dossier.find_latest_deliverable(ClassificationReport)
        if report_ is not None:
            blind[dossier.brief.solution_status, report_.status] += 1
    agreed = sum(times for (one, other), times in blind.items() if one == other)
    yield f"read blind as what it is: {agreed} of {count}; else {[(pair, times) for pair, times in blind.items() if pair[0] != pair[1]]}"


def find_open_findings(dossier: Dossier) -> Iterator[str]:
    """Yield what the newest work of the agents still demands, and what is about an earlier version.

    A change that a minority demands was outvoted, and a note to an approving vote was accepted with it. In REFINE the
    memos take the place of the validators' second look at both reports.
    """
    for kind in (each for each in RESTS_ON if each is not FeasibilityCheck):
        if dossier.list_deliverables(kind) and is_expired(dossier, kind):
            yield f"every {kind.__name__} is about an earlier version"
    reports: dict[str, PhysicsReport | MathematicsReport] = {
        **collect_current_deliverables(dossier, PhysicsReport),
        **collect_current_deliverables(dossier, MathematicsReport),
    }
    for author, judged in reports.items():
        yield from (f"{author}: {each}" for each in judged.corrections_needed)
        yield from (
            f"{author}: {each.claim_id} is INVALID" for each in judged.claims if each.verdict == "INVALID"
        )
    for author, grounding in collect_current_deliverables(dossier, GroundingReport).items():
        yield from (f"{author}: {each}" for each in grounding.validity_concerns)
    for author, vote in collect_current_deliverables(dossier, ReadinessVote).items():
        if vote.vote not in APPROVING_VOTES:
            yield f"{author} votes {vote.vote}: {' '.join(vote.changes) or vote.notes}"
    yield from _find_majority_demands(dossier)
    yield from (
        f"veto {case.outcome}: {case.veto.claim}" for case in dossier.vetoes if case.outcome == "UNRESOLVED"
    )
    yield from (f"a revision is owed: {note.text}" for note in dossier.notes if note.owed)


def _find_majority_demands(dossier: Dossier) -> Iterator[str]:
    """Yield the subjects that most agents want to be changed, in memos or reviews of distractors."""
    wanted: Counter[str] = Counter()
    for memo in collect_current_deliverables(dossier, ReviewMemo).values():
        wanted.update({each.subject for each in memo.corrections})
    for review in collect_current_deliverables(dossier, DistractorReview).values():
        wanted.update({each.name for each in review.findings if each.verdict != "right"})
    yield from (
        f"{times} agents want another {subject}"
        for subject, times in wanted.items()
        if 2 * times > len(ROLES)
    )


def _describe_points(found: Corpus) -> Iterator[str]:
    """Yield how the points were settled that agents raised in published runs, and what was declined most often."""
    points = [point for each in found.made for point in collect_open_points(each.finished.dossier)]
    ends = Counter(point.end or "open" for point in points)
    yield f"points that agents raised in published runs: {len(points)}, {dict(ends.most_common())}"
    declined = Counter(
        f"{point.author}: {re.sub(r'[“`][^”`]*[”`]|[0-9.,]+', '#', point.text)[:110]}"
        for point in points
        if point.end == "declined"
    )
    yield from (f"  {times} declined of {text}" for text, times in declined.most_common(12))


def _difficulty(cast: BuiltinCast, found: Corpus) -> Iterator[str]:
    """Success of each strategy and effort of the patient one, by tier."""
    success: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    effort: dict[str, list[int]] = defaultdict(list)
    for each in found.made:
        documents = each.finished.documents
        if documents is None:
            continue
        text = PublicText.from_scenario(Scenario.parse(documents.public, each.brief.scenario_id))
        status = str(each.seed.mechanics["status"]["claim"])
        if status == "OF":
            continue  # whoever gives up on an open problem says the right word: that shows nothing
        for name, strategy in STRATEGIES.items():
            success[name][documents.metadata.tier].append(
                is_successful_attempt(strategy(text, cast.situations), status)
            )
        effort[documents.metadata.tier].append(solve_public_text(text, cast.situations).effort)
    for name, by_tier in success.items():
        shares = ", ".join(
            f"{tier} {sum(by_tier[tier]) / len(by_tier[tier]):.0%}" for tier in TIERS if by_tier[tier]
        )
        yield f"{name} succeeds: {shares}"
    yield f"median effort in nodes: {', '.join(f'{tier} {median(effort[tier]):.0f}' for tier in TIERS if effort[tier])}"


def main() -> None:
    """Make a corpus and print what came of it."""
    parser = ArgumentParser(description="Make a corpus and print what came of it.")
    parser.add_argument("per_category", nargs="?", type=int, default=20, help="scenarios in each category")
    parser.add_argument("folder", nargs="?", type=Path, help="where the documents are written")
    parser.add_argument("--seed", type=int, default=0, help="first seed (default 0)")
    arguments = parser.parse_args()
    cast = load_builtin_cast()
    found = corpus(cast, arguments.per_category, first_seed=arguments.seed)
    if arguments.folder is not None:
        for each in found.made:
            if each.finished.documents is not None:
                for name, text in each.finished.documents.list_files_by_path().items():
                    path = arguments.folder / name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(text, encoding="utf-8")
    for line in report(cast, found):
        print(line, flush=True)
    for reason in found.stopped:
        print(f"stopped: {reason[:300]}")


if __name__ == "__main__":
    main()
