"""`im show`: what the library knows, on the terminal and as JSON."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from impossible_moments.cli.main import app, main
from impossible_moments.library.everyday_library import load_everyday_library

run = CliRunner()


def test_the_library_is_shown_with_its_hash_and_its_counts() -> None:
    result = run.invoke(app, ["show", "library"])
    assert result.exit_code == 0
    assert str(load_everyday_library()) in result.stdout
    assert "operators" in result.stdout


def test_a_thing_is_shown_with_its_figures_and_what_can_be_done_with_it() -> None:
    result = run.invoke(app, ["show", "object", "stepladder"])
    assert result.exit_code == 0
    assert "mass = 6[kg]" in result.stdout
    assert "can serve as" in result.stdout


def test_a_thing_may_be_named_as_one_speaks() -> None:
    assert run.invoke(app, ["show", "object", "Wooden Table"]).exit_code == 0


def test_the_operators_for_a_ladder_have_leaning_among_them() -> None:
    result = run.invoke(app, ["show", "operators", "--for", "wooden_ladder", "--json"])
    verbs = [each["do"].partition("(")[0] for each in json.loads(result.stdout)]
    assert "lean_ladder" in verbs


def test_the_operators_of_a_domain_are_of_that_domain() -> None:
    result = run.invoke(app, ["show", "operators", "--domain", "fluids", "--json"])
    assert {each["domain"] for each in json.loads(result.stdout)} == {"fluids"}


def test_a_formula_is_shown_with_where_it_holds_and_an_example() -> None:
    result = run.invoke(app, ["show", "template", "orifice_flow"])
    assert "discharge*area*sqrt(2*g*head)" in result.stdout
    assert "for example" in result.stdout


@pytest.mark.parametrize("what", [["object", "stepladder"], ["library"], ["template"], ["operators"]])
def test_json_is_one_document(what: list[str]) -> None:
    result = run.invoke(app, ["show", *what, "--json"])
    assert json.loads(result.stdout)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["show", "object", "stepldr"], "Did you mean stepladder"),
        (["show", "operators", "--for", "unobtainium"], "no object unobtainium"),
        (["show", "operators", "--domain", "magic"], "The domains are"),
        (["show", "template", "orifice"], "Did you mean orifice_flow?"),
    ],
)
def test_what_does_not_exist_is_answered_with_a_sentence_and_status_2(
    arguments: list[str],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.argv", ["im", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert sentence in capsys.readouterr().err
