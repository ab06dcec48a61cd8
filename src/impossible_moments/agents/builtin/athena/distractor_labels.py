"""Labels of distractors: what a solver would call a tempting thing or a wrong idea."""

from __future__ import annotations

from impossible_moments.blueprints import ScenarioDraft


def label_distractor(name: str, draft: ScenarioDraft) -> str:
    """Return the label of a thing, or for a wrong idea the answer to which it leads."""
    if name in draft.design.world.things:
        return draft.design.world.things[name].label
    wrong_answer = draft.instance.notes.wrong.get(name)
    return (
        draft.render_template(wrong_answer.answer).rstrip(".")
        if wrong_answer is not None
        else name.replace("_", " ")
    )
