"""The strip of an executed plan: a bar for each step on a time axis, with the deadline and the margins."""

from __future__ import annotations

from typing import Final

from impossible_moments.evaluation.durations import format_duration
from impossible_moments.evaluation.interpretation.explained_execution import ExplainedExecution, TimedStep
from impossible_moments.evaluation.reports.svg_elements import (
    format_coordinate,
    render_drawing,
    render_line,
    render_text,
)

WIDTH: Final = 380
LEFT: Final = 26
RIGHT: Final = 310
ROW: Final = 20
TOP: Final = 20
_BAR: Final = 12
_LEAST_BAR: Final = 3.0
"""The width of a step that takes no time."""
MOST_ROWS: Final = 40


def render_plan_strip(execution: ExplainedExecution) -> str:
    """Render the steps below each other; empty if there is neither a step nor a blocked step to draw."""
    steps = execution.steps[:MOST_ROWS]
    rows = len(steps) + bool(execution.blocked_step)
    span = max(execution.deadline or 0.0, execution.time, *(each.started + each.took for each in steps), 0.0)
    if not rows or span <= 0:
        return ""
    bottom = TOP + ROW * rows
    parts = _render_axis(execution, span, bottom)
    for at, step in enumerate(steps):
        parts.append(_render_step(at, step, span))
    if execution.blocked_step:
        parts.append(_render_blocked_step(len(steps), execution, span))
    return render_drawing(
        parts,
        width=WIDTH,
        height=bottom + 22,
        title="The executed plan on the clock",
        description="The list after this drawing has the same steps in words.",
    )


def _compute_x(seconds: float, span: float) -> float:
    return LEFT + (RIGHT - LEFT) * min(max(seconds / span, 0.0), 1.0)


def _render_axis(execution: ExplainedExecution, span: float, bottom: float) -> list[str]:
    """Render the axis with its start, and the deadline or the end of the plan."""
    parts = [
        render_line((LEFT, bottom), (RIGHT, bottom), kind="ring"),
        render_text("0", LEFT, bottom + 16, anchor="start", kind="quiet"),
        render_text("margin", WIDTH, TOP - 6, anchor="end", kind="quiet"),
    ]
    if execution.deadline is None:
        parts.append(
            render_text(format_duration(span), RIGHT, bottom + 16, anchor="end", kind="quiet"),
        )
        return parts
    x = _compute_x(execution.deadline, span)
    parts.append(
        f'<line class="deadline" x1="{format_coordinate(x)}" y1="{TOP - 4}" x2="{format_coordinate(x)}" '
        f'y2="{format_coordinate(bottom)}" stroke="#b3261e" stroke-dasharray="4 3"/>'
    )
    words = f"deadline {format_duration(execution.deadline)}"
    parts.append(render_text(words, x, bottom + 16, anchor="end", kind="quiet"))
    if execution.deadline < span:
        parts.append(render_text(format_duration(span), RIGHT, TOP - 6, anchor="end", kind="quiet"))
    return parts


def _render_step(at: int, step: TimedStep, span: float) -> str:
    y = TOP + ROW * at + (ROW - _BAR) / 2
    start = _compute_x(step.started, span)
    width = max(_compute_x(step.started + step.took, span) - start, _LEAST_BAR)
    kind = "bar added" if step.is_added else "bar"
    margin = format_margin(step.margins[0][1]) if step.margins else ""
    return (
        render_text(str(at + 1), LEFT - 8, y + 10, anchor="end")
        + f'<rect class="{kind}" x="{format_coordinate(start)}" y="{format_coordinate(y)}" '
        f'width="{format_coordinate(width)}" height="{_BAR}" fill="#0b4f9e"/>'
        + render_text(margin, WIDTH, y + 10, anchor="end")
    )


def _render_blocked_step(at: int, execution: ExplainedExecution, span: float) -> str:
    y = TOP + ROW * at + ROW / 2
    x = _compute_x(execution.time, span)
    margin = "" if execution.failing_margin is None else format_margin(execution.failing_margin)
    return (
        render_text(str(at + 1), LEFT - 8, y + 4, anchor="end")
        + f'<path class="blocked" d="M{format_coordinate(x - 5)} {format_coordinate(y - 5)}l10 10m0 -10l-10 10" '
        'stroke="#b3261e" stroke-width="3" fill="none"/>'
        + render_text("blocked", min(x + 12, RIGHT - 52), y + 4, kind="quiet")
        + render_text(margin, WIDTH, y + 4, anchor="end")
    )


def format_margin(value: float) -> str:
    """Format a relative margin with its sign. A huge one is cut, because it only says that there is enough."""
    if value >= 10:  # noqa: PLR2004 - ten times what is needed
        return "over +999 %"
    return f"{value:+.0%}".replace("%", " %").replace("-", "−")
