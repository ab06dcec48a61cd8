"""The solver of diagnosis puzzles: the hypotheses that predict every observation survive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expression_types import suggest_similar_name
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.puzzles.puzzle_context import NO_VALUE, PuzzleContext
from impossible_moments.mechanics.puzzles.puzzle_reader import PuzzleEntry, PuzzleReader
from impossible_moments.mechanics.records.puzzle_forms import DiagnosisPuzzle, Hypothesis
from impossible_moments.mechanics.world.puzzle_solution import Data, SolvedPuzzle, create_unsolved_puzzle

OBSERVATION: Final = "shed = true @ it glows at midnight in the locked shed"
PREDICTION: Final = "lasts = glow*shone <= cell*hollow"


@dataclass(frozen=True, slots=True)
class HypothesisPrediction:
    """The prediction of a hypothesis for an observation, whether it agrees, and its margin."""

    predicted: bool
    agrees: bool
    margin: float | None
    depends_on_ranges: bool
    path: str

    @property
    def as_data(self) -> dict[str, Data]:
        """The prediction as a cell of the table of hypotheses and observations."""
        return {"predicted": self.predicted, "agrees": self.agrees, "margin": self.margin}


_PredictionTable = Mapping[str, Mapping[str, HypothesisPrediction]]


def solve_diagnosis_puzzle(
    form: DiagnosisPuzzle, context: PuzzleContext, findings: Findings, path: str
) -> SolvedPuzzle:
    """Solve a diagnosis puzzle: find the hypotheses that agree with every observation."""
    reader = PuzzleReader(context, findings, path)
    observations = _read_observations(form, reader)
    reader.require_unique_names(
        [each.name for each in form.hypotheses], "hypotheses", example="battery, sunlight"
    )
    table = {each.name: _read_predictions(each, observations, reader) for each in form.hypotheses}
    if not reader.is_valid:
        return create_unsolved_puzzle(form.name, form.kind)
    survivors = tuple(sorted(name for name, row in table.items() if _is_hypothesis_consistent(row)))
    if len(survivors) > 1:
        _report_indistinguishable_hypotheses(survivors, reader)
    _report_verdicts_that_depend_on_ranges(table, reader)
    killers = {
        name: _collect_contradicting_observations(row)
        for name, row in table.items()
        if not _is_hypothesis_consistent(row)
    }
    facts: dict[str, Data] = {
        "table": {name: {seen: cell.as_data for seen, cell in row.items()} for name, row in table.items()},
        "killers": {name: dict(row) for name, row in killers.items()},
        "survivors": list(survivors),
    }
    return SolvedPuzzle(
        form.name, form.kind, survivors, facts, _explain_diagnosis(survivors, killers), exhausted=True
    )


def _read_observations(form: DiagnosisPuzzle, reader: PuzzleReader) -> dict[str, bool]:
    entries = reader.read_entries(form.observations, "observations", example=OBSERVATION)
    if not form.observations:
        reader.reject_puzzle(
            "puzzle.form",
            f"{reader.path}/observations",
            "the diagnosis puzzle has no observations",
            expected=OBSERVATION,
        )
    observations: dict[str, bool] = {}
    for entry in entries:
        reader.require_quote(entry)
        if entry.body.lower() not in {"true", "false"}:
            reader.reject_puzzle(
                "puzzle.form",
                entry.path,
                f"the observation `{entry.name}` is neither true nor false",
                found=entry.body,
                expected=f"{entry.name} = true @ exact words of the prose",
            )
        observations[entry.name] = entry.body.lower() == "true"
    return observations


def _read_predictions(
    hypothesis: Hypothesis, observations: Mapping[str, bool], reader: PuzzleReader
) -> dict[str, HypothesisPrediction]:
    section = f"hypotheses/{hypothesis.name}/predicts"
    entries = {
        entry.name: entry for entry in reader.read_entries(hypothesis.predicts, section, example=PREDICTION)
    }
    for name, entry in entries.items():
        if name not in observations:
            reader.reject_puzzle(
                "puzzle.form",
                entry.path,
                f"the explanation `{hypothesis.name}` predicts `{name}`, which is not an observation{suggest_similar_name(name, observations)}",
                found=name,
                expected=f"one of: {', '.join(observations)}",
            )
    for name in observations:
        if name not in entries:
            reader.reject_puzzle(
                "puzzle.form",
                f"{reader.path}/{section}",
                f"the explanation `{hypothesis.name}` has no prediction for the observation `{name}`",
                found=", ".join(entries) or "no predictions",
                expected=f"{name} = true, {name} = false, or a condition such as `{PREDICTION}`",
            )
    predictions = {
        name: _compare_prediction_with_observation(entries[name], observations[name], reader)
        for name in observations
        if name in entries
    }
    return {name: cell for name, cell in predictions.items() if cell is not None}


def _compare_prediction_with_observation(
    entry: PuzzleEntry,
    observed: bool,  # noqa: FBT001 - an observation is true or false
    reader: PuzzleReader,
) -> HypothesisPrediction | None:
    tree = reader.parse_typed_expression(entry, variables={}, expected="condition")
    if tree is None:
        return None
    if isinstance(tree, ex.Truth):
        return HypothesisPrediction(
            tree.value, tree.value == observed, None, depends_on_ranges=False, path=entry.path
        )
    return _evaluate_prediction_condition(tree, entry, observed=observed, reader=reader)


def _evaluate_prediction_condition(
    tree: Expression, entry: PuzzleEntry, *, observed: bool, reader: PuzzleReader
) -> HypothesisPrediction | None:
    try:
        predicted, margin = reader.context.judge_condition(tree)
        depends = reader.context.decide_over_ranges(tree) is None
    except NO_VALUE:
        reader.reject_puzzle(
            "value.undefined",
            entry.path,
            f"the prediction `{entry.name}` has no value",
            found=entry.body,
            expected=f"a condition that has a value, such as `{PREDICTION}`",
        )
        return None
    return HypothesisPrediction(predicted, predicted == observed, margin, depends, entry.path)


def _is_hypothesis_consistent(row: Mapping[str, HypothesisPrediction]) -> bool:
    return all(cell.agrees for cell in row.values())


def _collect_contradicting_observations(row: Mapping[str, HypothesisPrediction]) -> dict[str, float | None]:
    return {seen: cell.margin for seen, cell in row.items() if not cell.agrees}


def _report_indistinguishable_hypotheses(survivors: tuple[str, ...], reader: PuzzleReader) -> None:
    named = " and ".join(f"`{name}`" for name in survivors[:2])
    reader.report_finding(
        "puzzle.ambiguous",
        f"{reader.path}/hypotheses",
        f"{named} agree with every observation: no observation distinguishes them",
        found=", ".join(survivors),
        expected=f"an observation on which they differ, such as `{OBSERVATION}`",
    )


def _report_verdicts_that_depend_on_ranges(table: _PredictionTable, reader: PuzzleReader) -> None:
    for name, row in table.items():
        survives = _is_hypothesis_consistent(row)
        certain_contradictions = [
            seen for seen, cell in row.items() if not cell.agrees and not cell.depends_on_ranges
        ]
        for seen, cell in row.items():
            if not cell.depends_on_ranges or cell.agrees is not survives:
                continue
            verb = "saves" if survives else "kills"
            certain_note = (
                f"; `{certain_contradictions[0]}` kills it over the whole range"
                if certain_contradictions
                else ""
            )
            reader.report_finding(
                "puzzle.unsafe" if survives else "puzzle.knife-edge",
                cell.path,
                f"observation `{seen}` {verb} `{name}` at stated values, but not over all ranges of what it reads, the "
                f"library's figures included{certain_note}",
                found=f"margin {_format_percent(cell.margin)} as stated",
                expected="narrower ranges with a source, a printed figure instead of an assumed one, or numbers that leave more room",
            )


def _explain_diagnosis(survivors: tuple[str, ...], killers: Mapping[str, Mapping[str, float | None]]) -> str:
    falls = "; ".join(
        f"`{name}` falls by "
        + ", ".join(
            f"`{seen}`" + (f" ({_format_percent(margin)})" if margin is not None else "")
            for seen, margin in row.items()
        )
        for name, row in killers.items()
    )
    if not survivors:
        return f"No explanation agrees with every observation: {falls}."
    agree = " and ".join(f"`{name}`" for name in survivors)
    return f"{agree} agree{'s' * (len(survivors) == 1)} with every observation" + (
        f"; {falls}." if falls else "."
    )


def _format_percent(margin: float | None) -> str:
    return "not measured" if margin is None else f"{margin:+.0%}"
