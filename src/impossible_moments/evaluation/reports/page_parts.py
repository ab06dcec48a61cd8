"""Parts of a scenario page as HTML: long texts, and an executed plan with its strip and its steps in words."""

from __future__ import annotations

from typing import Final

from impossible_moments.evaluation.durations import format_duration
from impossible_moments.evaluation.interpretation.explained_execution import ExplainedExecution, TimedStep
from impossible_moments.evaluation.reports.plan_strip import format_margin, render_plan_strip
from impossible_moments.evaluation.reports.svg_elements import escape_text

LONGEST_ANSWER: Final = 20_000


def render_long_text(text: str, longest: int = LONGEST_ANSWER) -> str:
    """Render a text with its lines kept. Of a longer one the beginning and the end are shown."""
    if len(text) > longest:
        start, end = text[: longest // 3], text[-(longest - longest // 3) :]
        left = len(text) - longest
        text = f"{start}\n[… {left} characters left out; the result file has them …]\n{end}"
    lines = (escape_text(line.expandtabs(4)) for line in text.strip("\n").split("\n"))
    return "<pre>" + "\n".join(lines) + "</pre>"


def render_execution(found: ExplainedExecution, heading: str = "Executed") -> str:
    """Render an executed plan: the strip, each step in words, and how it ends."""
    title = f"{heading}: {found.title[0].lower()}{found.title[1:]}" if found.title else heading
    faults = "".join(f"<li>not allowed here: {escape_text(each)}</li>" for each in found.faults)
    steps = "".join(map(_render_timed_step, found.steps))
    margin = "" if found.failing_margin is None else f" ({format_margin(found.failing_margin)})"
    deadline = "" if found.deadline is None else f" of {format_duration(found.deadline)}"
    ending = f"Ends after {format_duration(found.time)}{deadline}: {found.end}{margin}."
    if found.blocked_step:
        words, why = escape_text(found.blocked_step), escape_text(f"{found.end}{margin}")
        steps += f'<li class="stop"><strong>{words}</strong><div>{why}</div></li>'
        ending = f"Ends after {format_duration(found.time)}{deadline}, at step {len(found.steps) + 1}."
    elif found.reaches_goal and found.deadline:
        left = (found.deadline - found.time) / found.deadline
        ending = f"Ends after {format_duration(found.time)}{deadline}, {left:.0%} of it left: {found.end}."
    kind = "passed" if found.reaches_goal else "failed"
    mark = "✓" if found.reaches_goal else "✕"
    later = "; ".join(found.not_reached)
    strip = render_plan_strip(found)
    return (
        f"<h5>{escape_text(title)}</h5>"
        + wrap('<div class="strip">', strip, "</div>")
        + wrap("<ul>", faults, "</ul>")
        + wrap('<ol class="steps">', steps, "</ol>")
        + f'<p><span class="{kind}" aria-hidden="true">{mark}</span> {escape_text(ending)}</p>'
        + wrap('<p class="small">Not reached: ', escape_text(later), "</p>")
    )


def wrap(start: str, text: str, end: str) -> str:
    """Return a rendered text between tags, or nothing if it is empty."""
    return f"{start}{text}{end}" if text else ""


def _render_timed_step(step: TimedStep) -> str:
    clock = f"after {format_duration(step.started)}, takes {format_duration(step.took)}"
    added = "; added, because it follows by itself" if step.is_added else ""
    margins = "".join(
        f"<li>{escape_text(f'{format_margin(margin)}: {words}')}</li>" for words, margin in step.margins
    )
    return (
        f'<li>{escape_text(step.words)} <span class="small">{escape_text(clock + added)}</span>'
        + wrap('<ul class="small">', margins, "</ul>")
        + "</li>"
    )
