"""Everyday ideas: which apply, how an author settles them, and what the check reports."""

from __future__ import annotations

from dataclasses import replace

from impossible_moments.blueprints.instance_trials import draw_and_check_instance
from impossible_moments.library.everyday_ideas import load_everyday_ideas
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.library.idea_checks import IdeaCase, check_everyday_ideas, find_open_ideas
from impossible_moments.mechanics.checks import read_public_text
from impossible_moments.mechanics.findings import Findings
from support.small_blueprints import load_room


def build_case() -> IdeaCase:
    offer = next(each for each in load_room().iterate_offers() if each.name.endswith("press_archive/one_way"))
    report = draw_and_check_instance(offer, load_everyday_library(), 0, 0).report
    assert report.record is not None
    assert report.tie is not None
    text = read_public_text(report.record, report.tie)
    assert text is not None
    return IdeaCase(report.record, text)


def find_codes(case: IdeaCase) -> dict[str, str]:
    findings = Findings()
    check_everyday_ideas(case, findings)
    return {each.where.rpartition("/")[2]: each.code for each in findings}


def test_there_are_at_least_sixty_ideas_and_each_says_how_to_close_it() -> None:
    ideas = load_everyday_ideas()
    assert len(ideas) >= 60
    assert all(idea.says.endswith(".") and idea.close for idea in ideas.values())


def test_an_idea_applies_by_record_and_text() -> None:
    found = {each.idea.name: each.applies for each in find_open_ideas(build_case())}
    assert "deadline" in found["phone"]
    assert "boundary" in found["another_entrance"]
    assert "animal" not in found  # no animal in the cellar


def test_a_guess_by_words_only_proposes() -> None:
    codes = find_codes(build_case())
    assert codes["lever"] == "idea.open"
    assert codes["break_it"] == "idea.proposed"


def test_a_quote_of_the_text_closes_ideas() -> None:
    case = replace(build_case(), closed={"phone, ask_for_more_time": "before the line went dead"})
    assert not {"phone", "ask_for_more_time"} & find_codes(case).keys()


def test_a_quote_that_the_text_does_not_have_is_an_error() -> None:
    case = replace(build_case(), closed={"phone": "there is no signal in the cellar"})
    assert find_codes(case)["phone"] == "idea.quote"


def test_a_model_must_exist_in_the_record() -> None:
    assert "break_it" not in find_codes(replace(build_case(), modelled={"break_it": "shoulder_the_door"}))
    assert find_codes(replace(build_case(), modelled={"break_it": "kick_it"}))["break_it"] == "idea.record"


def test_a_misspelt_idea_is_reported_with_a_suggestion() -> None:
    findings = Findings()
    check_everyday_ideas(replace(build_case(), inapplicable={"fone": "no such thing here"}), findings)
    (unknown,) = [each for each in findings if each.code == "idea.unknown"]
    assert unknown.expected == "did you mean `phone`?"


def test_words_that_the_text_only_mentions_make_no_idea_apply() -> None:
    case = build_case()
    told = replace(
        case.text, narrative=f"{case.text.narrative} Milk, water, oil and a fever: wet, damp and dry."
    )
    found = {each.idea.name for each in find_open_ideas(replace(case, text=told))}
    assert found == {each.idea.name for each in find_open_ideas(case)}
    assert not {"wet", "dry", "dilute", "bail"} & found


def test_more_time_is_asked_for_where_a_plan_comes_too_late() -> None:
    case = build_case()
    first, *others = case.record.approaches
    late = case.record.model_copy(update={"approaches": [first.model_copy(update={"ends": "late"}), *others]})
    assert "ask_for_more_time" not in {each.idea.name for each in find_open_ideas(case)}
    assert "ask_for_more_time" in {each.idea.name for each in find_open_ideas(replace(case, record=late))}


def test_a_property_counts_if_something_reads_it() -> None:
    case = build_case()
    things = [
        each.model_copy(update={"props": [*each.props, "insulation = 3"]}) for each in case.record.things
    ]
    assert (
        "insulation" not in replace(case, record=case.record.model_copy(update={"things": things})).properties
    )
    assert "bears" in case.properties
