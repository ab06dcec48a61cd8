"""The pages of scenarios as HTML: prompt, answers, executed plans, credit and key, folded until they are opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from impossible_moments.evaluation.interpretation.score_explanation import ExplainedStep, ScoreExplanation
from impossible_moments.evaluation.reports.page_parts import (
    LONGEST_ANSWER,
    render_execution,
    render_long_text,
    wrap,
)
from impossible_moments.evaluation.reports.report_elements import format_score, shorten_text
from impossible_moments.evaluation.reports.run_list import LIST, name_run_anchor, name_scenario_anchor
from impossible_moments.evaluation.reports.run_outcomes import classify_run
from impossible_moments.evaluation.reports.run_pages import (
    AnswerPage,
    EvaluationSide,
    RunPages,
    ScenarioPage,
)
from impossible_moments.evaluation.reports.svg_elements import escape_text
from impossible_moments.evaluation.results import ReadingEntry

ANSWER_BUDGET: Final = 6_000_000
"""The characters that all answers of a page may have together."""
LEAST_ANSWER: Final = 2_000
SHORT_TEXT: Final = 700
"""The longest answer that is shown unfolded."""
MOST_FURTHER_PLANS: Final = 5


def render_scenario_pages(pages: RunPages) -> str:
    """Render the pages of all scenarios."""
    answers = sum(len(side.answers) for page in pages.scenarios for side in page.sides)
    longest = min(LONGEST_ANSWER, max(ANSWER_BUDGET // max(answers, 1), LEAST_ANSWER))
    note = f'<p class="note">{escape_text(pages.note)}</p>' if pages.note else ""
    shared = "".join(
        f"<details><summary>{title}</summary>{render_long_text(text)}</details>"
        for title, text in zip(
            ("What every prompt begins with", "What every prompt ends with"), pages.shared_prompt, strict=True
        )
        if text.strip()
    )
    each = "".join(_render_scenario(page, at, longest) for at, page in enumerate(pages.scenarios))
    differing = _render_differing_scenarios(pages) if len(pages.names) > 1 else ""
    return f'<section id="scenarios"><h2>Scenarios</h2>{note}{differing}{shared}{each}</section>'


def _render_differing_scenarios(pages: RunPages) -> str:
    """Render links to the scenarios on which evaluations have different results."""
    links = [
        f'<a href="#{name_scenario_anchor(at)}">{escape_text(shorten_text(page.scenario.scenario_id, 40))}</a>'
        for at, page in enumerate(pages.scenarios)
        if page.differs
    ]
    if not links:
        return "<p>All scenarios have the same results in all evaluations.</p>"
    count = f"{len(links)} of {len(pages.scenarios)} scenarios have different results"
    return f"<details><summary>{count}</summary><p>{', '.join(links)}</p></details>"


def _render_scenario(page: ScenarioPage, at: int, longest: int) -> str:
    scenario = page.scenario
    title = f"{shorten_text(scenario.scenario_id, 40)}: {shorten_text(scenario.title)}"
    scores = ", ".join(
        f"{shorten_text(side.name, 40)} {format_score(side.best)}"
        if len(page.sides) > 1
        else format_score(side.best)
        for side in page.sides
    )
    differs = " · different results" if page.differs else ""
    status = shorten_text(scenario.status, 40)
    sides = "".join(_render_side(page, side, (at, number), longest) for number, side in enumerate(page.sides))
    prompts, key = "".join(_render_prompts(page)), "".join(_render_key(page))
    return (
        f'<details class="scenario"><summary>{escape_text(title)} <span class="small">'
        f"{escape_text(f'{scenario.tier}, {status}: best {scores}{differs}')}</span></summary>"
        f'<article id="{name_scenario_anchor(at)}"><h3>{escape_text(title)}</h3>'
        f'<p class="key">{escape_text(scenario.category)} · {escape_text(scenario.tier)} · {escape_text(status)} · '
        f'<a href="#{LIST}">all runs</a></p>'
        f'{prompts}<div class="sides">{sides}</div>{key}</article></details>\n'
    )


def _render_prompts(page: ScenarioPage) -> Iterator[str]:
    for label, text in page.prompts:
        words = f"What the solver was shown{f' ({shorten_text(label, 80)})' if label else ''}"
        yield f"<details><summary>{escape_text(words)}</summary>{render_long_text(text)}</details>"


def _render_side(page: ScenarioPage, side: EvaluationSide, place: tuple[int, int], longest: int) -> str:
    head = f"<h4>{escape_text(shorten_text(side.name, 80))}</h4>" if len(page.sides) > 1 else ""
    answers = "".join(_render_answer(each, place, longest) for each in side.answers)
    return f"<div>{head}{answers or '<p>No run.</p>'}</div>"


def _render_answer(page: AnswerPage, place: tuple[int, int], longest: int) -> str:
    anchors = "".join(f'<span id="{name_run_anchor(*place, run.number)}"></span>' for run in page.runs)
    numbers = ", ".join(str(run.number) for run in page.runs)
    label = f"Runs {numbers} (the same answer)" if len(page.runs) > 1 else f"Run {numbers}"
    run, outcome = page.run, classify_run(page.run)
    score = "" if run.score is None else f", score {format_score(run.score)}"
    answer = render_long_text(run.answer, longest) if run.answer.strip() else "<p>There is no answer.</p>"
    if len(run.answer) > SHORT_TEXT:
        answer = f"<details><summary>The answer, {len(run.answer):,} characters</summary>{answer}</details>"
    flags = escape_text(", ".join(shorten_text(each, 60) for each in run.flags))
    return (
        f'<div class="answer">{anchors}<h4>{label}: <span class="{outcome}">{outcome}</span>{score}</h4>'
        f"{answer}{_render_remarks(run.reading)}{_render_explanation(page)}"
        + wrap('<p class="small">Flags: ', flags, "</p>")
        + "</div>"
    )


def _render_remarks(entries: Sequence[ReadingEntry]) -> str:
    """Render what a translator wrote about an answer, as far as it gives reasons."""
    lines = "".join(
        f"<li>“{escape_text(shorten_text(each.text, 200))}”: {escape_text(shorten_text(each.reason, 300))}</li>"
        for each in entries
        if each.reason
    )
    return wrap('<h5>Remarks of the translator</h5><ul class="small">', lines, "</ul>")


def _render_explanation(page: AnswerPage) -> str:
    found, run = page.explanation, page.run
    if found is None:
        note = f"<p>{escape_text(shorten_text(run.note, 800))}</p>" if run.note else ""
        calls = "; ".join(shorten_text(each, 100) for each in run.executed)
        executed = f'<p class="small">Executed: {escape_text(calls)}</p>' if calls else ""
        why = f'<p class="small">{escape_text(page.why_not_explained)}</p>' if page.why_not_explained else ""
        return f"{note}{executed}{why}{_render_plain_components(page)}"
    return "".join(
        (
            _render_reading(found),
            *(render_execution(each) for each in found.executions),
            "" if found.executions else '<h5>Executed</h5><p class="small">No act was executed.</p>',
            _render_credits(found),
        )
    )


def _render_plain_components(page: AnswerPage) -> str:
    if page.run.components is None:
        return ""
    values = ", ".join(f"{name} {value:.0f}" for name, value in page.run.components.model_dump().items())
    return f'<p class="small">Components, of 100: {escape_text(values)}</p>'


def _render_reading(found: ScoreExplanation) -> str:
    plans = [_render_steps(found.steps)] if found.steps else ['<p class="small">It has no plan.</p>']
    for number, plan in enumerate(found.other_plans[:MOST_FURTHER_PLANS], start=1):
        plans.append(f'<p class="small">Further plan {number}</p>{_render_steps(plan)}')
    lines = "".join(f"<li>{escape_text(each)}</li>" for each in (*found.statements, *found.unread_lines))
    extra = f'<ul class="small">{lines}</ul>' if lines else ""
    verdict = escape_text(found.verdict)
    return f'<h5>How it was read</h5><p class="small">Verdict: {verdict}</p>' + "".join(plans) + extra


def _render_steps(steps: Sequence[ExplainedStep]) -> str:
    return wrap('<ol class="steps">', "".join(map(_render_step, steps)), "</ol>")


def _render_step(step: ExplainedStep) -> str:
    words = ", ".join(f"“{each}”" for each in step.recognized_by)
    by = f" (recognized by {words})" if words else ""
    is_literal = step.is_act and step.text.rstrip(".") == step.reading.rstrip(".")
    reading = f"read as it is written{by}" if is_literal else f"read as: {step.reading}{by}"
    return f'<li>“{escape_text(step.text)}”<div class="small">{escape_text(reading)}</div></li>'


def _render_credits(found: ScoreExplanation) -> str:
    if not found.credits:
        return f"<h5>Not credited</h5><p>{escape_text(found.note)}</p>{_render_advice(found)}"
    rows = "".join(
        f'<tr><td>{escape_text(each.name)}</td><td class="number">{each.value:.0f}&nbsp;of&nbsp;100</td>'
        f'<td class="number">×&nbsp;{each.weight:.0%}&nbsp;=&nbsp;{each.points:.1f}</td><td>{escape_text(each.reason)}</td></tr>'
        for each in found.credits
    )
    total = "no score" if found.score is None else f"{found.score:.1f}"
    bonus = (
        f" with {found.bonus:g} points for a plan that also works with other numbers" if found.bonus else ""
    )
    differs = f'<p class="note">{escape_text(found.disagreement)}</p>' if found.disagreement else ""
    note = f'<p class="small">{escape_text(found.note)}</p>' if found.score is None else ""
    return (
        '<h5>Credited</h5><div class="wide"><table class="credits"><thead><tr><th scope="col">component</th>'
        '<th scope="col" class="number">value</th><th scope="col" class="number">adds</th><th scope="col">why</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div><p><strong>Score: {total}</strong>{bonus}</p>{note}{differs}"
        f"{_render_advice(found)}"
    )


def _render_advice(found: ScoreExplanation) -> str:
    return f'<p class="small">{escape_text(found.advice)}</p>' if found.advice else ""


def _render_key(page: ScenarioPage) -> Iterator[str]:
    """Render the approaches of the record for comparison; those that reach the goal come first."""
    if not page.approaches:
        return
    goals = [each for each in page.approaches if each.execution.reaches_goal]
    others = [each for each in page.approaches if not each.execution.reaches_goal]
    yield "<h4>The key, for comparison</h4>"
    if page.conflict:
        lines = "".join(f"<li>{escape_text(each)}</li>" for each in page.conflict)
        yield f"<p>The goal cannot be reached, because these conditions exclude each other:</p><ul>{lines}</ul>"
    for each in goals:
        yield render_execution(each.execution, "A way of the key")
    if page.insights:
        lines = "".join(f"<li>{escape_text(each)}</li>" for each in page.insights)
        yield f'<details><summary>What has to be seen</summary><ul class="small">{lines}</ul></details>'
    if others:
        parts = "".join(
            render_execution(each.execution, "An attempt of the key that fails") for each in others
        )
        yield f"<details><summary>Attempts of the key that fail ({len(others)})</summary>{parts}</details>"
