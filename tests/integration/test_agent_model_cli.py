"""`im agent run --model`: one agent is asked, and what it hands in is printed."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from impossible_moments.cli.main import app
from impossible_moments.domain.validation import PhysicsReport
from impossible_moments.domain.vocabulary import Phase
from impossible_moments.llm.consultation_tasks import HAND_IN
from support.dossiers import BRIEF, make_full_dossier
from support.providers.conversation import Brain, Call, Question, Reply
from support.providers.server import serve_provider


@cache
def report() -> dict[str, Any]:
    """A report that NEWTON hands in."""
    return next(
        entry.deliverable.model_dump(mode="json")
        for entry in make_full_dossier(Phase.DOCUMENT).entries
        if isinstance(entry.deliverable, PhysicsReport)
    )


@pytest.fixture
def context(tmp_path: Path) -> Path:
    """A context file with a seed document."""
    sections = [
        {
            "author": entry.author,
            "phase": entry.phase,
            "document": type(entry.deliverable).__name__,
            "fields": entry.deliverable.model_dump(mode="json"),
        }
        for entry in make_full_dossier(Phase.SEED).entries
    ]
    path = tmp_path / "context.json"
    path.write_text(
        json.dumps({"brief": BRIEF.model_dump(mode="json"), "sections": sections}), encoding="utf-8"
    )
    return path


def newton(context: Path, *more: str) -> Result:
    arguments = ["agent", "run", "NEWTON", "--phase", "VALIDATE", "--context", str(context), *more]
    return CliRunner().invoke(app, arguments)


def asked(context: Path, brain: Brain, *more: str) -> Result:
    with serve_provider(brain) as server:
        return newton(context, "--model", f"local:one@{server.openai_url}", *more)


def looking_up_first(question: Question) -> Reply:
    """Looks something up, then hands in."""
    looked = any(message.results for message in question.messages)
    call = Call(HAND_IN, report()) if looked else Call("look_up", {"name": "water"})
    return Reply(calls=(call,))


def test_what_the_model_hands_in_is_printed_as_json(context: Path) -> None:
    result = asked(context, looking_up_first)

    assert (result.exit_code, json.loads(result.stdout)) == (0, report())
    assert "Model usage: 2 calls" in result.stderr


def test_json_has_the_look_ups_and_what_it_took(context: Path) -> None:
    data = json.loads(asked(context, looking_up_first, "--json").stdout)

    assert data["deliverable"] == report()
    assert [each["tool"] for each in data["look_ups"]] == ["look_up"]
    assert (data["returns"], data["key"]) == ("PhysicsReport", "VALIDATE/NEWTON/physics/1")
    assert (data["usage"]["requests"], data["faults"]) == (2, [])
    assert data["prompt"].startswith("newton_v1_")


def test_the_built_in_cast_can_be_asked_too(context: Path) -> None:
    data = json.loads(newton(context, "--model", "builtin", "--json").stdout)

    assert data["model"].startswith("builtin-")
    assert data["deliverable"]["claims"]


@pytest.mark.parametrize(
    ("brain", "sentence"),
    [
        (lambda _: Reply("No."), "handed in no valid deliverable"),
        (lambda _: Reply("", finish="filter"), "refuses to answer"),
    ],
)
def test_a_model_that_does_not_answer_is_a_sentence(context: Path, brain: Brain, sentence: str) -> None:
    assert sentence in str(asked(context, brain).exception)


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        ("nobody", "`nobody` is not a model reference"),
        ("replay:x.json", "A recording answers only the asks of its own run"),
        ("openai:gpt-4o", "there is no key for openai:gpt-4o"),
    ],
)
def test_a_model_that_cannot_be_asked_is_a_sentence(
    context: Path, model: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    assert sentence in str(newton(context, "--model", model).exception)
