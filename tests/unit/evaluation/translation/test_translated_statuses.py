"""Assumptions, disputed quantities, further plans, puzzles and designs in translated answers."""

from __future__ import annotations

from typing import Any

import pytest

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import ParsedAnswer
from impossible_moments.evaluation.breakthroughs.frontier_filter import check_figures_against_envelope
from impossible_moments.evaluation.judging.judge_panel import JudgePanel, RecordCase
from impossible_moments.evaluation.judging.judgement_aggregation import Judgement
from impossible_moments.evaluation.results import RunState
from impossible_moments.evaluation.scored_answer import ScoredAnswer
from impossible_moments.evaluation.translation import AnswerInterpretation, build_coded_record
from impossible_moments.evaluation.translation.run_translation import build_claims_for_judges
from impossible_moments.llm.connection_pool import ConnectionPool
from impossible_moments.llm.model_references import ModelReference
from support.fair_answers import draw_key
from support.judge_scripts import ScriptedPanel, build_judges, build_scenario, build_verdict
from support.worded_scenarios import (
    ScriptedTranslation,
    build_call,
    build_worded_golden_key,
    find_code,
    find_statement,
    refuse_lines_with,
)


def build_action(call: str, deed: str, *needs: str) -> dict[str, Any]:
    return {"call": call, "menu": deed, "deed": deed, "needs_said": list(needs)}


# an assumption that nothing imposes

RAFT = build_worded_golden_key(
    "whoever_is_on_it",
    actions=[
        build_action("hang_on", "{a} hangs on to {r} in the water.", "who = {a}", "hung = hang on | hold on")
    ],
    premises=["wet = whoever is not on the raft stays behind"],
    decoy_premises=["the raft carries two", "the boy cannot swim", "time is short"],
)
SWIM = "Nobody says that all must be on the raft. It works: you hang on to the raft in the water while they paddle."


def read_raft(statement: str | None) -> dict[str, Any]:
    hang = build_call(RAFT, "hang_on(you, raft)", "you hang on to the raft", who="you", hung="hang on")
    form: dict[str, Any] = {
        "verdict": "solvable",
        "verdict_quote": "It works: you hang on",
        "plan": [hang],
    }
    if statement is not None:
        code = find_statement(build_coded_record(RAFT).premises, statement)
        form["premise"] = {"code": code, "quote": "Nobody says that all must be on the raft"}
    return form


def get_outcome(found: AnswerInterpretation, key: AnswerKey = RAFT) -> float:
    components = found.compute_score(key).components
    assert components is not None, found
    return components.outcome


def test_a_named_assumption_counts_and_a_decoy_or_none_does_not() -> None:
    named, decoy, none = (
        get_outcome(ScriptedTranslation(read_raft(each)).interpret(RAFT, SWIM))
        for each in ("stays behind", "the raft carries two", None)
    )
    assert named == 100
    assert decoy == none == 40


def test_an_assumption_that_the_second_pass_refuses_is_left_for_review() -> None:
    found = ScriptedTranslation(read_raft("stays behind"), refuse_lines_with("Nobody says")).interpret(
        RAFT, SWIM
    )
    scored = found.compute_score(RAFT)
    assert scored.state is RunState.REVIEW
    assert "the premise 'Nobody says" in scored.note


# a disputed quantity

BIN = build_worded_golden_key(
    "bin_nine",
    actions=[
        build_action("start", "{f} is started.", "fan = {f}", "started = start | run"),
        build_action("seal", "Everything is shut with {s}.", "cover = {s}", "shut = shut | cover | seal"),
        build_action("empty", "The bin is emptied with {a}.", "auger = {a}", "emptied = empty | clear"),
    ],
    uncertainties=[
        "fanned = how much the air feeds the nest",
        "choked = how warm it gets shut",
        "unload = how long it takes",
    ],
)
DISPUTED = (
    "It depends on how much air feeds the nest. If Sergei is right, run the floor fan and empty the bin with the sweep auger. "
    "If the captain is right, shut it with the tarpaulins and foam and empty the bin with the sweep auger."
)


@pytest.mark.parametrize(("crux", "points"), [("the air feeds", 100), ("how long it takes", None)])
def test_the_crux_and_a_plan_for_each_end_are_scored_without_judges(crux: str, points: float | None) -> None:
    empty = build_call(
        BIN, "empty(auger)", "empty the bin with the sweep auger", auger="sweep auger", emptied="empty"
    )
    blow = build_call(BIN, "start(fan)", "run the floor fan", fan="floor fan", started="run")
    choke = build_call(
        BIN, "seal(sheets)", "shut it with the tarpaulins and foam", cover="tarpaulins and foam", shut="shut"
    )
    form = {
        "verdict": "contested",
        "verdict_quote": "It depends on how much air",
        "plan": [blow, empty],
        "other_plans": [[choke, empty]],
        "crux": {
            "code": find_statement(build_coded_record(BIN).uncertainties, crux),
            "quote": "It depends on how much air feeds the nest",
        },
    }
    found = ScriptedTranslation(form).interpret(BIN, DISPUTED)
    scored = found.compute_score(BIN)
    assert scored.state is RunState.SCORED
    assert scored.components is not None
    assert (scored.components.outcome == points) is (points is not None)
    assert [each.kind for each in found.entries] == [
        "verdict", "call", "call", "other plan", "call", "call", "crux",
    ]  # fmt: skip


def test_a_bet_on_one_end_is_not_the_best_plan_where_a_safe_one_is_listed() -> None:
    text = (
        "It depends on how much air feeds the nest. Run the floor fan and empty the bin with the sweep auger."
    )
    form = {
        "verdict": "contested",
        "verdict_quote": "It depends on how much air",
        "plan": [
            build_call(BIN, "start(fan)", "Run the floor fan", fan="floor fan", started="Run"),
            build_call(
                BIN,
                "empty(auger)",
                "empty the bin with the sweep auger",
                auger="sweep auger",
                emptied="empty",
            ),
        ],
        "crux": {
            "code": find_statement(build_coded_record(BIN).uncertainties, "the air feeds"),
            "quote": "how much air feeds the nest",
        },
    }
    # 20 for a plan that works at one end, 20 for knowing that it is contested, 20 for the crux
    assert get_outcome(ScriptedTranslation(form).interpret(BIN, text), BIN) == 60


# a puzzle

HEAD = build_worded_golden_key(
    "uncle_orestes_eyes",
    actions=[
        build_action("crane_over", "{c} carries {h} over.", "crane = {c}", "carried = carry | swing"),
        build_action(
            "take_a_turn", "{r} is laid round {b} once.", "rope = {r}", "round = turn | round", "post = {b}"
        ),
        build_action("pay_out", "{r} is paid out by hand.", "rope = {r}", "out = pay out | let out"),
    ],
    values=[{"name": "colours", "label": "colour for above the neck, off centre and snagged"}],
)


def read_colours(colours: dict[str, str]) -> ScoredAnswer:
    """Score an answer that agrees on a colour for each state, each in a sentence of its own."""
    names = {"above_neck": "above the neck", "off_centre": "off centre", "snagged": "snagged"}
    sentences = {state: f"We agree on {colour} for {names[state]}" for state, colour in colours.items()}
    text = f"It works. {'. '.join(sentences.values())}. Then the crane may swing the head over."
    plan = []
    for state, colour in colours.items():
        code, quote = find_code(HEAD, f"colours.{state}"), sentences[state]
        value = {"code": code, "value": colour, "quote": quote}
        plan.append({"quote": quote, "kind": "call", "code": code, "values": [value]})
    quote = "the crane may swing the head over"
    plan.append(build_call(HEAD, "crane_over(crane, head)", quote, crane="the crane", carried="swing"))
    form = {"verdict": "solvable", "verdict_quote": sentences["above_neck"], "plan": plan}
    return ScriptedTranslation(form).interpret(HEAD, text).compute_score(HEAD)


@pytest.mark.parametrize(
    ("above", "off", "snagged", "reached"),
    [("amber", "blue", "white", True), ("green", "amber", "red", False)],
)
def test_the_answer_to_a_signal_puzzle_is_read_state_by_state(
    above: str, off: str, snagged: str, *, reached: bool
) -> None:
    scored = read_colours({"above_neck": above, "off_centre": off, "snagged": snagged})
    assert scored.components is not None, scored.note
    assert (scored.components.outcome == 100) is reached


def test_a_state_without_a_signal_is_named_and_left_for_review() -> None:
    scored = read_colours({"above_neck": "amber", "off_centre": "blue"})
    assert scored.state is RunState.REVIEW
    assert "no signal was read for 'snagged'" in scored.note


def test_a_wrong_signal_is_wrong_whatever_is_left_out() -> None:
    scored = read_colours({"above_neck": "green", "off_centre": "blue"})
    assert scored.components is not None, scored.note
    assert scored.components.outcome == 0


# a step that follows by itself, at a place where it cannot be done

BEE = draw_key("no_such_machine_yet/bee_of_brass/nobody_said_so")


@pytest.mark.parametrize(("prepared_first", "state"), [(True, RunState.SCORED), (False, RunState.REVIEW)])
def test_a_step_that_follows_by_itself_may_be_mentioned_late(
    state: RunState, *, prepared_first: bool
) -> None:
    feed = build_call(
        BEE, "serve_from_outside(aid, job)", "feed the flyer through the hair-thin wires",
        aid="hair-thin wires", served="feed",
    )  # fmt: skip
    prepare = build_call(BEE, "make_ready(job)", "the stage is prepared")
    plan = [prepare, feed] if prepared_first else [feed, prepare]
    denied = "Nobody asked the bee to carry its own honey"
    text = f"{denied}. I feed the flyer through the hair-thin wires, and the stage is prepared for it."
    premise = {"code": find_statement(build_coded_record(BEE).premises, "what it carries"), "quote": denied}
    form = {"verdict": "solvable", "verdict_quote": "feed the flyer", "plan": plan, "premise": premise}
    scored = ScriptedTranslation(form).interpret(BEE, text).compute_score(BEE)
    assert scored.state is state, scored.note


# a design for an open question

ICE = build_worded_golden_key("ice_at_noon", harmless=["look up at the sky"])


def test_figures_of_a_design_are_read_for_the_envelope() -> None:
    text = (
        "Nobody knows one yet. My coat is white to 0.995 and clear to 0.9, and its leak is 0.05 W/(m**2*K)."
    )
    figures = [
        {"name": "white", "value": "0.995", "quote": "My coat is white to 0.995"},
        {"name": "clear", "value": "0.9", "quote": "and clear to 0.9"},
        {"name": "leak", "value": "7 W/(m**2*K)", "quote": "its leak is 0.05 W/(m**2*K)"},
    ]
    form = {"verdict": "open", "verdict_quote": "Nobody knows one yet", "plan": [], "figures": figures}
    found = ScriptedTranslation(form).interpret(ICE, text)
    assert found.answer is not None
    # the translator's figure for the leak is not in the answer
    assert found.answer.figures == {"white": 0.995, "clear": 0.9}
    claims = build_claims_for_judges(found, ICE)
    assert claims is not None
    assert check_figures_against_envelope(claims, ICE).unstated == ("leak",)
    right = {**form, "figures": [*figures[:2], {**figures[2], "value": "0.05 W/(m**2*K)"}]}
    found = ScriptedTranslation(right).interpret(ICE, text)
    claims = build_claims_for_judges(found, ICE)
    assert claims is not None
    assert check_figures_against_envelope(claims, ICE).unstated == ()
    scored = found.compute_score(ICE)
    assert (scored.state, scored.score) == (RunState.UNSCORED, None)
    assert scored.components is not None


@pytest.mark.parametrize(
    ("claims", "unstated"),
    [({"white": "0.995", "clear": "0.9"}, ("leak",)), (None, ("white", "clear", "leak"))],
)
def test_judges_get_the_figures_that_the_translator_read(
    claims: dict[str, str] | None, unstated: tuple[str, ...]
) -> None:
    text = "My coat is white to 0.995 and clear to 0.9."
    verdict = build_verdict("OF", (8, 9, 9), "My coat is white to 0.995")
    panel = ScriptedPanel(build_judges(verdict, verdict))
    case = RecordCase(
        build_scenario("ice_at_noon"),
        ICE,
        text,
        design=None if claims is None else ParsedAnswer(claims=claims),
    )

    async def work(exchange: ConnectionPool, models: tuple[ModelReference, ...]) -> Judgement:
        (found,), _ = await JudgePanel(models, exchange, panel.budget).judge_batch([case])
        return found

    judgement: Judgement = panel.run_with_server(work)
    assert judgement.filtered is not None
    assert judgement.filtered.unstated == unstated
