"""A mistyped name of a closed list: one sentence with the similar name, and status 2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from impossible_moments.cli.main import main
from impossible_moments.domain.vocabulary import STATUSES, SUBTYPES
from support.scored_scenarios import create_published_folder

ROOT = Path(__file__).parents[2]
BLUEPRINT = ROOT / "src/impossible_moments/blueprints/families/wrong_toolbox/two_strangers.yaml"
RECORDING = ROOT / "examples" / "blast_room_run.json"
SHOWN = ["show", "prompt"]
# fmt: off
MISTYPED = [
    (["create", "--category", "The Lockd Room"],            "Did you mean The Locked Room?"),
    (["create", "--category", "cascade"],                   "Did you mean The Cascade?"),
    (["create", "--difficulty-tier", "ruptur"],             "Did you mean RUPTURE?"),
    (["create", "--solution-status", "ks"],                 "Did you mean KS?"),
    (["create", "--solution-status", "KS-Fragil"],          "Did you mean KS-Fragile?"),
    (["create", "--model", "ATENA=openai:gpt-4o"],          "Did you mean ATHENA?"),
    (["create", "--with", "DARWN"],                         "Did you mean DARWIN?"),
    (["export", "jsonlines"],                               "Did you mean jsonl?"),
    (["show", "object", "stepldr"],                         "Did you mean stepladder"),
    (["show", "operators", "--domain", "fluid"],            "Did you mean fluids?"),
    (["show", "operators", "--for", "stepldr"],             "Did you mean stepladder"),
    (["show", "template", "orifice"],                       "Did you mean orifice_flow?"),
    (["show", "gates", "VALIDAT"],                          "Did you mean VALIDATE?"),
    (["show", "protocol", "chalenge"],                      "Did you mean challenge?"),
    ([*SHOWN, "NEWTN", "VALIDATE"],                         "Did you mean NEWTON?"),
    ([*SHOWN, "NEWTON", "valdate"],                         "Did you mean VALIDATE?"),
    ([*SHOWN, "NEWTON", "REFINE", "--topic", "vote"],       "Did you mean votes?"),
    (["prompts", "diff", "EULR", "--prompt", "new.md"],     "Did you mean EULER?"),
]
# fmt: on


def failed(arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    monkeypatch.setattr("sys.argv", ["im", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    shown = capsys.readouterr().err
    assert stop.value.code == 2, shown
    return " ".join(shown.replace("│", " ").split())


@pytest.mark.parametrize(("arguments", "question"), MISTYPED, ids=lambda each: " ".join(each)[:60])
def test_a_mistyped_name_is_answered_with_the_similar_one(
    arguments: list[str],
    question: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)

    assert question in failed(arguments, monkeypatch, capsys)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "question"),
    [
        (["--model", "builtin:solvr"], "`builtin:solvr` is not a built-in model. Did you mean solver?"),
        (["--presentation", "blnd"], "Did you mean blind?"),
        (["--answer", "plann"], "Did you mean plan?"),
    ],
)
def test_a_mistyped_option_of_an_evaluation_has_a_suggestion(
    options: list[str],
    question: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = [
        "eval",
        "--scenarios",
        str(create_published_folder()),
        "--output",
        str(tmp_path / "r.json"),
        *options,
    ]

    assert question in failed(arguments, monkeypatch, capsys)


def test_a_mistyped_variant_is_answered_with_all_variants(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = failed(["blueprint", "preview", str(BLUEPRINT), "--variant", "nothing"], monkeypatch, capsys)

    assert "contains no skin for the variant nothing. " in shown
    assert "The variants are " in shown


@pytest.mark.parametrize(
    ("arguments", "question"),
    [
        (["review", "decide", "IM-0001", "RESOLV", "--reason", "x"], "Did you mean RESOLVE?"),
        (["review", "decide", "IM-0001", "SPLIT", "--reason", "x", "--prevails", "challengr"], "CHALLENGER"),
        ([*SHOWN, "NEWTON", "SEED", "--status", "KSS"], "Did you mean KS?"),
    ],
)
def test_a_mistyped_value_of_a_fixed_list_has_a_suggestion(
    arguments: list[str], question: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert question in failed(arguments, monkeypatch, capsys)


@pytest.mark.parametrize("status", ["KS-Banana", "PX-Fragile", "KS-", "KS-singular"])
def test_an_unknown_subtype_is_rejected_before_anything_is_written(
    status: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = failed(["create", "--solution-status", status], monkeypatch, capsys)

    assert f"--solution-status is `{status}`." in shown
    assert f"It must be one of {', '.join((*STATUSES, *SUBTYPES))}." in shown
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_subtype_in_a_recording_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = json.loads(RECORDING.read_text(encoding="utf-8"))
    data["brief"]["solution_status"] = "KS-Banana"
    path = tmp_path / "run.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    shown = failed(
        ["create", "--model", f"replay:{path}", "--output", str(tmp_path / "out")], monkeypatch, capsys
    )

    assert "at solution_status, `KS-Banana` is not a solution status; the statuses are KS, CT," in shown


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("solution_status", "KS-Banana", "at brief/solution_status: `KS-Banana` is not a solution status"),
        ("solution_status", "KS-Fragil", "(did you mean `KS-Fragile`?)"),
        ("category", "The Lockd Room", "Did you mean The Locked Room?"),
        ("target_difficulty_tier", "RUPTUR", "Did you mean RUPTURE?"),
    ],
)
def test_an_unknown_name_in_the_brief_of_a_context_file_is_a_sentence(
    field: str,
    value: str,
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    brief = {"category": "The Cascade", "difficulty_tier": "SPARK", "solution_status": "KS"}
    brief.pop(field.removeprefix("target_"))
    path = tmp_path / "context.json"
    path.write_text(json.dumps({"brief": {**brief, field: value}}), encoding="utf-8")
    shown = failed(
        ["agent", "run", "NEWTON", "--phase", "VALIDATE", "--context", str(path)], monkeypatch, capsys
    )

    assert sentence in shown
