"""Collection of breakthrough candidates: answers in a result file that experts should see, as log events.

The result file is not trusted where its content can be checked. The status comes from the record, the figures
are checked against the envelope again, and a flag that contradicts them is ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import LARGEST_ANSWER, ParsedAnswer, parse_answer
from impossible_moments.evaluation.breakthroughs.candidates import (
    BreakthroughCandidate,
    compute_candidate_name,
)
from impossible_moments.evaluation.breakthroughs.event_log import AnswerAuthor
from impossible_moments.evaluation.breakthroughs.events import (
    CandidateCollected,
    CandidateJudged,
    Event,
    JudgingSummary,
)
from impossible_moments.evaluation.breakthroughs.frontier_filter import (
    FilterResult,
    build_frontier,
    check_figures_against_envelope,
    extract_stated_figures,
)
from impossible_moments.evaluation.breakthroughs.novelty import evaluate_novelty
from impossible_moments.evaluation.environment import Environment
from impossible_moments.evaluation.judging.judgement_aggregation import CANDIDATE
from impossible_moments.evaluation.results import EvaluationRun, Results, RunState, ScenarioResult
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import Quantity, parse_line
from impossible_moments.scenarios.similarity import Embedder

OPEN_STATUS: Final = "OF"
JUDGED_FLAG: Final = "judged"
"""The flag of a run that a panel of judges has scored."""


@dataclass
class CandidateCollection:
    """The new events of a result file, and counts of the answers that were not collected."""

    events: list[Event] = field(default_factory=list)
    authors: list[AnswerAuthor] = field(default_factory=list)
    known_candidates: list[str] = field(default_factory=list)
    """Candidates that are already in the log."""
    unjudged_answers: int = 0
    """Answers that passed the filter but have no judgement, if such answers are not accepted."""
    answers_below_threshold: int = 0
    """Answers that the judges scored below the threshold."""
    answers_failing_filter: int = 0
    """Answers whose figures do not pass the filter, regardless of their flags."""
    answers_to_closed_scenarios: int = 0
    """Answers to scenarios that are no longer open."""

    @property
    def new_candidates(self) -> list[CandidateCollected]:
        """The new candidates."""
        return [each for each in self.events if isinstance(each, CandidateCollected)]


@dataclass(frozen=True)
class CandidateCollector:
    """Collects candidates from result files, using the records of one scenario folder."""

    environment: Environment
    embedder: Embedder
    accepts_unjudged: bool = False
    """Whether answers without a judgement are accepted. Their plausibility stage says so."""
    at: str = ""
    """The current time."""

    def check_known_scenarios(self, results: Results) -> None:
        """Raise `ConfigurationError` if the file answers open questions that the folder does not contain.

        This is checked before anything is written.
        """
        for each, _, _ in _iterate_open_answers(results, self.environment):
            self.environment.load_key(each.scenario_id)

    def collect(self, results: Results, known: Mapping[str, BreakthroughCandidate]) -> CandidateCollection:
        """Return the new events of a result file, given the candidates that are already known."""
        found = CandidateCollection()
        for each, run, text in _iterate_open_answers(results, self.environment):
            if self.environment.load_key(each.scenario_id).status != OPEN_STATUS:
                found.answers_to_closed_scenarios += 1
                continue
            name = compute_candidate_name(each.scenario_id, text)
            judging = _extract_judges_decision(run, results)
            if name in known:
                self._record_repeated_answer(found, known[name], judging)
            elif name not in {event.candidate for event in found.events} and not self._add_if_candidate(
                found, each.scenario_id, text, judging
            ):
                continue
            author = AnswerAuthor(
                candidate=name, model=results.model, run=run.number, benchmark=results.benchmark
            )
            if author not in found.authors:
                found.authors.append(author)
        return found

    def _add_if_candidate(
        self, collection: CandidateCollection, scenario_id: str, text: str, judging: JudgingSummary | None
    ) -> bool:
        """Return whether an answer was added as a candidate. Rejected answers are counted by reason."""
        filter_result = check_figures_against_envelope(
            parse_answer(text) or ParsedAnswer(), self.environment.load_key(scenario_id)
        )
        if (judging is None and not filter_result.passes) or (
            judging is not None and _is_refuted_by_own_figures(filter_result)
        ):
            collection.answers_failing_filter += 1
        elif judging is not None and not judging.flagged:
            collection.answers_below_threshold += 1
        elif judging is None and not self.accepts_unjudged:
            collection.unjudged_answers += 1
        else:
            collection.events.append(self._create_collected_event(scenario_id, text, filter_result, judging))
            return True
        return False

    def _record_repeated_answer(
        self, collection: CandidateCollection, earlier: BreakthroughCandidate, judging: JudgingSummary | None
    ) -> None:
        """Record a repeated answer. A new judgement is added if the earlier one had none."""
        if earlier.name in collection.known_candidates:
            return
        collection.known_candidates.append(earlier.name)
        if earlier.judging is None and judging is not None and not earlier.is_decided:
            collection.events.append(CandidateJudged(candidate=earlier.name, judging=judging, at=self.at))

    def _create_collected_event(
        self, scenario_id: str, text: str, filter_result: FilterResult, judging: JudgingSummary | None
    ) -> CandidateCollected:
        key, scenario = self.environment.load_key(scenario_id), self.environment.scenarios[scenario_id]
        frontier, form = build_frontier(key), key.analysis.world.record.frontier
        assert form is not None  # otherwise build_frontier has raised
        figures = extract_stated_figures(parse_answer(text) or ParsedAnswer(), key)
        return CandidateCollected(
            candidate=compute_candidate_name(scenario_id, text),
            at=self.at,
            scenario_id=scenario_id,
            title=scenario.title,
            category=scenario.category,
            tier=scenario.tier,
            answer=text,
            figures={each: _format_quantity(value, frontier.claims[each]) for each, value in figures.items()},
            claims=_index_record_lines_by_name(form.claims),
            envelope=_index_record_lines_by_name(form.envelope),
            quantities=_collect_lines_of_quantities_in_limits(key),
            filtered=filter_result,
            novelty=evaluate_novelty(text, key, self.embedder),
            judging=judging,
        )


def _iterate_open_answers(
    results: Results, environment: Environment
) -> Iterator[tuple[ScenarioResult, EvaluationRun, str]]:
    """Yield the non-empty answers to scenarios that the file or the folder lists as open."""
    for each in results.scenarios:
        scenario = environment.scenarios.get(each.scenario_id)
        if not each.status.startswith(OPEN_STATUS) and (
            scenario is None or not scenario.status.startswith(OPEN_STATUS)
        ):
            continue
        for run in each.runs:
            if run.answer.strip():
                yield each, run, run.answer[-LARGEST_ANSWER:]


def _extract_judges_decision(run: EvaluationRun, results: Results) -> JudgingSummary | None:
    """Return what the judges decided, or None if there were none or they could not agree."""
    flagged = CANDIDATE in run.flags
    if run.state is not RunState.SCORED or not (flagged or JUDGED_FLAG in run.flags):
        return None
    return JudgingSummary(judges=results.judges, points=run.note, flagged=flagged)


def _is_refuted_by_own_figures(filter_result: FilterResult) -> bool:
    """Return whether the answer states all figures itself and they fail, which no judge can change."""
    return not filter_result.passes and not filter_result.unstated


def _index_record_lines_by_name(lines: list[str]) -> dict[str, str]:
    parts = [parse_line(line, example="") for line in lines]
    return {each.head: f"{each.body} @ {each.evidence}" if each.evidence else each.body for each in parts}


def _collect_lines_of_quantities_in_limits(key: AnswerKey) -> dict[str, str]:
    """Return the record lines of all quantities that conditions and limits depend on."""
    world, frontier = key.analysis.world, build_frontier(key)
    pending = [*frontier.envelope.values(), *frontier.known.values()]
    read_names: set[str] = set()
    while pending:
        new_names = ex.collect_paths(pending.pop()) - read_names
        read_names |= new_names
        pending += [world.quantities[each].tree for each in sorted(new_names) if each in world.quantities]
    return {
        name: body
        for name, body in _index_record_lines_by_name(world.record.quantities).items()
        if name in read_names
    }


def _format_quantity(value: float, quantity: Quantity) -> str:
    if quantity.display_unit is None:
        return f"{value:.6g}"
    return f"{quantity.display_unit.from_si(value):.6g} {quantity.display_unit.text}"
