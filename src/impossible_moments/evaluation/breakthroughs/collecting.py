"""Collection of breakthrough candidates: answers in a result file that experts should see, as log events.

The result file is not trusted where its content can be checked. The status comes from the record, the figures
are checked against the envelope again, and a flag that contradicts them is ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from impossible_moments.evaluation.breakthroughs.candidates import Candidate, candidate_name
from impossible_moments.evaluation.breakthroughs.events import Collected, Event, Judged, Judging
from impossible_moments.evaluation.breakthroughs.frontier_filter import (
    Filtered,
    frontier_filter,
    frontier_of,
    stated_figures,
)
from impossible_moments.evaluation.breakthroughs.log import Author
from impossible_moments.evaluation.breakthroughs.novelty import novelty
from impossible_moments.evaluation.environment import Environment
from impossible_moments.evaluation.judging.judgements import CANDIDATE
from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.reading.answers import LARGEST, Answer, read_answer
from impossible_moments.evaluation.results import Results, Run, ScenarioResult, State
from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.lines import split_line
from impossible_moments.mechanics.quantities import Quantity
from impossible_moments.scenarios.embedding import Embedder

OPEN: Final = "OF"
JUDGED: Final = "judged"
"""The flag of a run that a panel of judges has scored."""


@dataclass
class Collection:
    """The new events of a result file, and counts of the answers that were not collected."""

    events: list[Event] = field(default_factory=list)
    authors: list[Author] = field(default_factory=list)
    known: list[str] = field(default_factory=list)
    """Candidates that are already in the log."""
    unjudged: int = 0
    """Answers that passed the filter but have no judgement, if such answers are not accepted."""
    below: int = 0
    """Answers that the judges scored below the threshold."""
    short: int = 0
    """Answers whose figures do not pass the filter, regardless of their flags."""
    closed: int = 0
    """Answers to scenarios that are no longer open."""

    @property
    def collected(self) -> list[Collected]:
        """The new candidates."""
        return [each for each in self.events if isinstance(each, Collected)]


@dataclass(frozen=True)
class Collector:
    """Collects candidates from result files, using the records of one scenario folder."""

    environment: Environment
    embedder: Embedder
    unjudged: bool = False
    """Whether answers without a judgement are accepted. Their plausibility stage says so."""
    at: str = ""
    """The current time."""

    def refuse_strange(self, results: Results) -> None:
        """Raise `ConfigurationError` if the file answers open questions that the folder does not contain.

        This is checked before anything is written.
        """
        for each, _, _ in _answers(results, self.environment):
            self.environment.key(each.scenario_id)

    def collect(self, results: Results, known: Mapping[str, Candidate]) -> Collection:
        """Return the new events of a result file, given the candidates that are already known."""
        found = Collection()
        for each, run, text in _answers(results, self.environment):
            if self.environment.key(each.scenario_id).status != OPEN:
                found.closed += 1
                continue
            name = candidate_name(each.scenario_id, text)
            judging = _judging(run, results)
            if name in known:
                self._seen_again(found, known[name], judging)
            elif name not in {event.candidate for event in found.events} and not self._taken(
                found, each.scenario_id, text, judging
            ):
                continue
            author = Author(candidate=name, model=results.model, run=run.number, benchmark=results.benchmark)
            if author not in found.authors:
                found.authors.append(author)
        return found

    def _taken(self, found: Collection, scenario_id: str, text: str, judging: Judging | None) -> bool:
        """Return whether an answer was added as a candidate. Rejected answers are counted by reason."""
        filtered = frontier_filter(read_answer(text) or Answer(), self.environment.key(scenario_id))
        if (judging is None and not filtered.passes) or (judging is not None and _refuted(filtered)):
            found.short += 1
        elif judging is not None and not judging.flagged:
            found.below += 1
        elif judging is None and not self.unjudged:
            found.unjudged += 1
        else:
            found.events.append(self._collected(scenario_id, text, filtered, judging))
            return True
        return False

    def _seen_again(self, found: Collection, earlier: Candidate, judging: Judging | None) -> None:
        """Record a repeated answer. A new judgement is added if the earlier one had none."""
        if earlier.name in found.known:
            return
        found.known.append(earlier.name)
        if earlier.judging is None and judging is not None and not earlier.decided:
            found.events.append(Judged(candidate=earlier.name, judging=judging, at=self.at))

    def _collected(
        self, scenario_id: str, text: str, filtered: Filtered, judging: Judging | None
    ) -> Collected:
        key, scenario = self.environment.key(scenario_id), self.environment.scenarios[scenario_id]
        frontier, form = frontier_of(key), key.analysis.world.record.frontier
        assert form is not None  # otherwise build_frontier has raised
        figures = stated_figures(read_answer(text) or Answer(), key)
        return Collected(
            candidate=candidate_name(scenario_id, text),
            at=self.at,
            scenario_id=scenario_id,
            title=scenario.title,
            category=scenario.category,
            tier=scenario.tier,
            answer=text,
            figures={each: _shown(value, frontier.claims[each]) for each, value in figures.items()},
            claims=_written(form.claims),
            envelope=_written(form.envelope),
            quantities=_quantities(key),
            filtered=filtered,
            novelty=novelty(text, key, self.embedder),
            judging=judging,
        )


def _answers(results: Results, environment: Environment) -> Iterator[tuple[ScenarioResult, Run, str]]:
    """Yield the non-empty answers to scenarios that the file or the folder lists as open."""
    for each in results.scenarios:
        shown = environment.scenarios.get(each.scenario_id)
        if not each.status.startswith(OPEN) and (shown is None or not shown.status.startswith(OPEN)):
            continue
        for run in each.runs:
            if run.answer.strip():
                yield each, run, run.answer[-LARGEST:]


def _judging(run: Run, results: Results) -> Judging | None:
    """Return what the judges decided, or None if there were none or they could not agree."""
    flagged = CANDIDATE in run.flags
    if run.state is not State.SCORED or not (flagged or JUDGED in run.flags):
        return None
    return Judging(judges=results.judges, points=run.note, flagged=flagged)


def _refuted(filtered: Filtered) -> bool:
    """Return whether the answer states all figures itself and they fail, which no judge can change."""
    return not filtered.passes and not filtered.unstated


def _written(lines: list[str]) -> dict[str, str]:
    parts = [split_line(line, example="") for line in lines]
    return {each.head: f"{each.body} @ {each.evidence}" if each.evidence else each.body for each in parts}


def _quantities(key: AnswerKey) -> dict[str, str]:
    """Return the record lines of all quantities that conditions and limits depend on."""
    world, frontier = key.analysis.world, frontier_of(key)
    waiting = [*frontier.envelope.values(), *frontier.known.values()]
    read: set[str] = set()
    while waiting:
        new = ex.reads(waiting.pop()) - read
        read |= new
        waiting += [world.quantities[each].tree for each in sorted(new) if each in world.quantities]
    return {name: body for name, body in _written(world.record.quantities).items() if name in read}


def _shown(value: float, quantity: Quantity) -> str:
    if quantity.shown is None:
        return f"{value:.6g}"
    return f"{quantity.shown.from_si(value):.6g} {quantity.shown.text}"
