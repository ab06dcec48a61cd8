"""What a methodology trace states, compared with the ledger of its run.

`find_false_statements` recounts every number of a trace and looks up every quotation in the answers that the ledger
holds. It uses no code that renders traces.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from statistics import median_low
from typing import Final

from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.disputes import Ballot, ChallengeResponse
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import (
    CalibrationVote,
    DesignVote,
    DistractorReview,
    ReadinessVote,
    ReviewMemo,
    StatusVote,
)
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import NEWTON, ROLES, Phase
from impossible_moments.library import decode_accents, load_research_works
from impossible_moments.library.classic_puzzles import load_classic_puzzles
from support.account_facts import count_account_facts
from support.ledger_runs import LedgerRun, iterate_texts, iterate_values

NOTHING: Final = "—"
_SCORED_PHASES: Final = tuple(Phase)[:5]
_QUOTATION: Final = re.compile(r"“([^“”]+)”")
_ADVANCEMENT: Final = "Scenario advancement past quality gates: "
ABSTENTION: Final = "ABSTAIN"
_DESIGN_VOTES: Final[dict[bool | None, str]] = {True: "approved", False: "rejected", None: ABSTENTION}
_DESIGN_FIELDS: Final = {
    "Scenario name": "approves_name",
    "Narrative style": "approves_style",
    "Object selection": "approves_objects",
}
_NEEDED: Final = {"Unanimous": 1.0, "Supermajority": 0.8, "Simple majority": 0.5}


@dataclass(frozen=True)
class TraceText:
    """A methodology trace, read by headings, lines and tables."""

    text: str

    @cached_property
    def sections(self) -> dict[str, str]:
        """The sections by heading of the second level."""
        parts = re.split(r"^## (.+)$", self.text, flags=re.MULTILINE)[1:]
        return {name: body.strip() for name, body in zip(parts[::2], parts[1::2], strict=True)}

    def get_part(self, section: str, heading: str) -> str:
        """Return the part of a section under a heading of the third level, or nothing."""
        parts = re.split(r"^### (.+)$", self.sections[section], flags=re.MULTILINE)[1:]
        return next((body for name, body in zip(parts[::2], parts[1::2], strict=True) if name == heading), "")

    def get_line(self, section: str, name: str, heading: str = "") -> str:
        """Return the value of a line `- Name: value`, or nothing."""
        body = self.get_part(section, heading) if heading else self.sections[section]
        found = re.search(rf"^- {re.escape(name)}: (.*)$", body, re.MULTILINE)
        return "" if found is None else found[1]

    def list_rows(self, section: str) -> list[list[str]]:
        """Return the rows of the first table of a section, without its header."""
        lines = [
            line for line in self.sections[section].split("\n\n")[0].splitlines() if line.startswith("|")
        ]
        return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines[2:]]


Check = Callable[[TraceText, LedgerRun], Iterator[str]]
"""Function that yields what a trace states falsely."""


def find_false_statements(text: str, run: LedgerRun) -> list[str]:
    """Return everything that a trace states and the ledger of its run does not bear out."""
    trace = TraceText(text)
    return [problem for check in CHECKS for problem in check(trace, run)]


def _compare(name: str, stated: object, counted: object) -> Iterator[str]:
    if str(stated) != str(counted):
        yield f"{name}: the trace states {stated}, the ledger has {counted}"


def check_creation_counts(trace: TraceText, run: LedgerRun) -> Iterator[str]:
    """Check the counts of loops, redesigns, challenges, vetoes, reviews and calls."""
    section = "Creation Metadata"
    stated = [int(each) for each in re.findall(r"Phase \d: (\d+)", trace.get_line(section, "Revision loops"))]
    decisions = Counter(row[0] for row in trace.list_rows("Vote Log"))
    redesigns = int(trace.get_line(section, "Redesigns"))
    if not redesigns:
        for phase, loops in zip(_SCORED_PHASES, stated, strict=True):
            yield from _compare(f"loops of {phase}", loops, decisions[f"{_ADVANCEMENT}{phase}"] - 1)
    yield from _compare("seeds in SEED", stated[0] + 1 + redesigns, run.count_rounds(Phase.SEED, "seed"))
    discussed = sum("after discussion" in row[3] for row in _list_vote_rows(trace, "Scenario readiness"))
    ballots = decisions["Scenario readiness"] + discussed
    yield from _compare("rounds of ballots", ballots, run.count_rounds(Phase.REFINE, "votes"))
    responses = len(run.list_deliverables(ChallengeResponse))
    issued, resolved, escalated = _find_numbers(trace.get_line(section, "Challenges issued"))
    yield from _compare("answered challenges", resolved + escalated, responses)
    if issued < len(run.challenges):
        yield f"challenges: the trace states {issued}, the ledger has {len(run.challenges)}"
    vetoes, lifted, _returned = _find_numbers(trace.get_line(section, "Vetoes issued"))
    yield from _compare("vetoes", vetoes, len(run.vetoes))
    if not run.human_decisions:
        yield from _compare("lifted vetoes", lifted, run.lifted_vetoes)
    asked = "YES" if run.human_decisions else "NO"
    yield from _compare("human review", trace.get_line(section, "Human review triggered"), asked)
    for agent in ROLES:
        row = next(line for line in trace.sections[section].splitlines() if line.startswith(f"| {agent} |"))
        yield from _compare(f"calls of {agent}", row.split("|")[4].strip(), run.calls[agent])
        own = trace.get_part("Agent Trace Archive", f"AGENT TRACE: {agent}")
        yield from _compare(f"own calls of {agent}", _search(r"- Calls: (\d+)", own), run.calls[agent])


def check_contributions(trace: TraceText, run: LedgerRun) -> Iterator[str]:
    """Check the counts and confidences of each agent's contribution."""
    seed, section = run.get_last(SeedDocument), "Agent Contributions"
    stated: dict[str, dict[str, object]] = {
        "ATHENA (Reasoning)": {
            "Concept origin": seed.concept_summary.concept,
            "Insights designed": "; ".join(each.text for each in seed.insight_chain),
            "Solution confidence": f"{seed.confidence:g}",
            "Revision count": run.revisions,
        },
        "NEWTON (Physics)": _count_physics(run),
        "EULER (Mathematics)": _count_mathematics(run),
        "GALILEO (Scientific)": _count_grounding(run),
        "SOCRATES (Philosophy)": _count_classification(run),
    }
    for heading, lines in stated.items():
        for name, expected in lines.items():
            found = trace.get_line(section, name, heading)
            yield from _compare(f"{heading}, {name}", found, expected)
    cited = trace.get_line(section, "Citations provided", "GALILEO (Scientific)")
    report = run.get_last(GroundingReport)
    keys = {key for each in report.constructs for key in each.citations} | {*report.further_citations}
    yield from _compare("citations", cited.partition(" ")[0], len(keys))
    yield from _compare("listed citations", len(re.findall(r"\(\d{4}\)", cited)), len(keys))
    works = trace.sections["Scientific Grounding Report"].partition("Works cited:")[2]
    yield from _compare("works cited", len(re.findall(r"^- ", works, re.MULTILINE)), len(keys))


def _count_physics(run: LedgerRun) -> dict[str, object]:
    reports = run.list_deliverables(PhysicsReport)
    last = reports[-1]
    once = {each.claim_id for report in reports for each in report.claims if each.verdict == "INVALID"}
    now = {each.claim_id for each in last.claims if each.verdict == "INVALID"}
    valid = sum(each.verdict == "VALID" for each in last.claims)
    vetoes = sum(agent == NEWTON for agent, _ in run.vetoes)
    counts = f"{len(last.claims)} (valid: {valid}, revised: {len(once - now)}, vetoed: {vetoes})"
    return {"Claims validated": counts, "Physics confidence": f"{last.confidence:g}"}


def _count_mathematics(run: LedgerRun) -> dict[str, object]:
    last = run.get_last(MathematicsReport)
    return {
        "Calculations performed": len(last.calculations) + len(last.claims),
        "Math confidence": f"{last.confidence:g}",
    }


def _count_grounding(run: LedgerRun) -> dict[str, object]:
    last = run.get_last(GroundingReport)
    constructs = dict.fromkeys(each.construct_tested for each in last.constructs)
    return {"Cognitive constructs mapped": "; ".join(constructs), "Scientific merit": last.merit}


def _count_classification(run: LedgerRun) -> dict[str, object]:
    blind, informed = run.get_last(ClassificationReport), run.get_last(InformedClassification)
    return {
        "Blind classification": f"{blind.status} (confidence: {blind.blind_confidence:g})",
        "Informed classification": f"{informed.status} (confidence: {informed.confidence:g})",
        "Ethical review": blind.ethics.status,
    }


def check_confidences(trace: TraceText, run: LedgerRun) -> Iterator[str]:
    """Check the heatmap and the overall confidences."""
    rows = {row[0]: row[1:] for row in trace.list_rows("Confidence Heatmap")}
    for agent in ROLES:
        stated: dict[tuple[Phase, str], float] = {}
        for each in run.answers:
            confidence = getattr(each.deliverable, "confidence", None)
            if (
                each.agent == agent
                and confidence is not None
                and not isinstance(each.deliverable, Ballot | DesignVote)
            ):
                stated[each.phase, type(each.deliverable).__name__] = confidence
        lowest = [
            min((value for (at, _), value in stated.items() if at is phase), default=None)
            for phase in _SCORED_PHASES
        ]
        overall = run.get_last(AgentTrace, agent).overall_confidence
        expected = [NOTHING if value is None else f"{value:.2f}" for value in (*lowest, overall)]
        yield from _compare(f"confidences of {agent}", rows.get(agent), expected)


def check_difficulty_votes(trace: TraceText, run: LedgerRun) -> Iterator[str]:
    """Check every score, the medians and the confidences of the difficulty votes."""
    votes = run.collect_last_by_agent(CalibrationVote)
    for at, row in enumerate(trace.list_rows("Difficulty Calibration Votes")):
        scores = [votes[agent].profile.scores[at] for agent in ROLES]
        expected = [str(score) for score in (*scores, median_low(scores))]
        yield from _compare(f"scores of {row[0]}", row[1:], expected)
    confidences = ", ".join(f"{agent} {votes[agent].confidence:g}" for agent in ROLES)
    if f"Confidence in these votes: {confidences}." not in trace.sections["Difficulty Calibration Votes"]:
        yield f"confidences of the difficulty votes are not {confidences}"


def check_decisions(trace: TraceText, run: LedgerRun) -> Iterator[str]:
    """Check the votes of every counted decision, what was needed, and what was decided."""
    last = {row[0]: row for row in trace.list_rows("Vote Log")}
    for name, row in last.items():
        expected = _list_expected_votes(name, run)
        if expected is not None:
            yield from _compare(f"votes on {name}", row[1], ", ".join(expected))
        level, _, needed = row[2].partition(": ")
        stated = [re.sub(r" \(.*", "", each).partition(" ")[2] for each in row[1].split(", ")]
        positions = [each for each in stated if each != ABSTENTION]  # an abstention is not a vote
        share = _NEEDED[level] * len(positions)
        least = int(share) + 1 if level == "Simple majority" else -int(-share // 1)
        yield from _compare(f"votes needed for {name}", needed, least)
        choice, most = Counter("APPROVE" if "APPROVE" in each else each for each in positions).most_common(1)[
            0
        ]
        winner = choice if most >= least else "undecided"
        yield from _compare(f"decision on {name}", row[3].partition(", ")[0], winner)


def _list_expected_votes(name: str, run: LedgerRun) -> list[str] | None:
    """Return the last votes on a decision, or None for decisions that no ballot holds."""
    decision, _, subject = name.partition(": ")
    match decision:
        case "Scenario readiness":
            ready = run.list_last_rounds(ReadinessVote)[0]
            return [f"{agent} {ready[agent].vote} ({ready[agent].confidence:g})" for agent in ROLES]
        case "Final solution status classification":
            status = run.list_last_rounds(StatusVote)[0]
            return [f"{agent} {status[agent].status} ({status[agent].confidence:g})" for agent in ROLES]
        case "Distractor classification":
            rounds = (_list_strengths(reviews, subject) for reviews in run.list_last_rounds(DistractorReview))
            return next((votes for votes in rounds if votes), [])
        case "Scenario name" | "Narrative style" | "Object selection":
            field = _DESIGN_FIELDS[decision]
            design = run.list_last_rounds(DesignVote)[0]
            return [
                f"{agent} {_DESIGN_VOTES[getattr(design[agent], field)]} ({design[agent].confidence:g})"
                for agent in ROLES
            ]
        case _:
            return None


def _list_strengths(reviews: Mapping[str, DistractorReview], name: str) -> list[str]:
    return [
        f"{agent} {finding.strength} ({reviews[agent].confidence:g})"
        for agent in ROLES
        for finding in reviews[agent].findings
        if finding.name == name
    ]


def check_revisions(trace: TraceText, run: LedgerRun) -> Iterator[str]:
    """Check that every revision is listed, and that its old and new values stand in the two versions."""
    body = trace.sections["Revision Log"]
    parts = re.split(r"^\*\*Revision (\d+)\*\*", body, flags=re.MULTILINE)[1:]
    yield from _compare("revisions in the log", len(parts) // 2, run.revisions)
    seeds = run.list_deliverables(SeedDocument)
    for number, part in zip(parts[::2], parts[1::2], strict=True):
        if int(number) >= len(seeds):
            yield f"revision {number} is not in the ledger"
            continue
        before, after = (_join_texts(seeds[int(number) - 1 + at]) for at in (0, 1))
        for line in re.findall(r"^- (.+ became .+)$", part.partition("Changed:")[2], re.MULTILINE):
            old, _, new = line.partition(" became ")
            # a name before the old value may itself contain a colon
            values = [old.split(": ", at)[-1] for at in range(1, old.count(": ") + 1)]
            if not any(value == "nothing" or _flatten(value) in before for value in values):
                yield f"revision {number}: the old value of `{line}` is not in the seed document before it"
            if new != "nothing" and _flatten(new) not in after:
                yield f"revision {number}: `{new}` is not in the seed document after it"


def check_quotations(trace: TraceText, run: LedgerRun) -> Iterator[str]:
    """Check that every text in quotation marks stands in an answer or request that does not itself quote it.

    The ideas of public puzzles and the titles of works are quoted from the library. Rows of tables are quoted as their cells, joined by colons, semicolons and full stops.
    """
    puzzles = {each.idea for each in load_classic_puzzles().values()}
    titles = {decode_accents(work.title) for work in load_research_works().values()}
    sources = [_flatten(_QUOTATION.sub(" ", text)) for text in run.texts | run.requests | puzzles | titles]
    for quoted in dict.fromkeys(_QUOTATION.findall(trace.text)):
        words = _flatten(quoted).rstrip(".,… ").lstrip(".… ")
        cells = [words] if any(words in source for source in sources) else re.split(r"[;:.] ", words)
        missing = [cell for cell in cells if not any(cell in source for source in sources)]
        if missing:
            yield f"“{quoted}” is quoted and stands in no answer"


def check_deliverables(trace: TraceText, run: LedgerRun) -> Iterator[str]:
    """Check that the deliverables that the trace prints hold every text of the last answers, and no others."""
    printed = {
        "Validation Report": (PhysicsReport, MathematicsReport),
        "Scientific Grounding Report": (GroundingReport,),
        "Classification Report": (ClassificationReport, InformedClassification),
        "Cross-Review Memos": (DistractorReview, StatusVote, DesignVote, ReadinessVote),
    }
    for section, kinds in printed.items():
        for kind in kinds:
            for agent, deliverable in run.collect_last_by_agent(kind).items():
                part = _flatten(trace.get_part(section, f"{agent}: {kind.__name__}"))
                missing = [text for text in iterate_texts(deliverable) if _flatten(text) not in part]
                yield from (f"{section}: {agent} wrote `{text}`, which is not printed" for text in missing)


def check_agent_accounts(trace: TraceText, run: LedgerRun) -> Iterator[str]:
    """Check the counts in the agents' own accounts and memos against what they handed in."""
    for agent in ROLES:
        own = run.get_last(AgentTrace, agent)
        part = _flatten(trace.get_part("Agent Trace Archive", f"AGENT TRACE: {agent}"))
        missing = [text for text in iterate_texts(own) if _flatten(text) not in part]
        yield from (f"the trace of {agent} does not print `{text}`" for text in missing)
        memo = run.get_last(ReviewMemo, agent).text
        account = " ".join([own.found, *(each.description for each in own.decisions), memo])
        for pattern, expected in count_account_facts(run).items():
            for found in re.finditer(pattern, account):
                yield from _compare(f"{agent}: {found[0]}", ", ".join(found.groups()), expected)


CHECKS: Final[tuple[Check, ...]] = (
    check_creation_counts,
    check_contributions,
    check_confidences,
    check_difficulty_votes,
    check_decisions,
    check_revisions,
    check_quotations,
    check_deliverables,
    check_agent_accounts,
)


def _find_numbers(text: str) -> tuple[int, int, int]:
    first, second, third = map(int, re.findall(r"\d+", text))
    return first, second, third


def _flatten(text: str) -> str:
    """Return a text without escapes, spaces at line ends and differences in case."""
    return " ".join(text.replace("\\|", "|").replace("&lt;", "<").replace("\\", "").split()).casefold()


def _join_texts(seed: SeedDocument) -> str:
    """Return all values of a seed document in one text."""
    return _flatten(" ".join(iterate_values(seed.model_dump(mode="json"))))


def _list_vote_rows(trace: TraceText, name: str) -> list[list[str]]:
    return [row for row in trace.list_rows("Vote Log") if row[0] == name]


def _search(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    return "" if found is None else found[1]
