"""The common verbs: nothing of the catalogue is left out, everyday words find their verb, and nonsense finds none."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.answers import common_verbs
from impossible_moments.evaluation.answers.common_verbs import (
    GENERAL,
    find_common_verbs_for_answer_phrase,
    find_common_verbs_for_record_verb,
    list_common_verbs,
    render_verb_list,
)
from impossible_moments.mechanics.records.documents import load_document
from impossible_moments.mechanics.records.plans import LANGUAGE_VERBS

PACKAGE = Path(str(files("impossible_moments")))
LANGUAGE = {"answer", "wait", "choose", "challenge", "claim"}


def verb_names() -> set[str]:
    return {verb.verb for verb in list_common_verbs()}


def maps_under(data: object, field: str) -> Iterator[dict[str, object]]:
    """Every map that stands under the given field name, at any depth."""
    for key, value in data.items() if isinstance(data, dict) else ():
        if key == field and isinstance(value, dict):
            yield value
        else:
            yield from maps_under(value, field)


def own_verbs(record: dict[str, object]) -> Iterator[str]:
    actions = record.get("actions", [])
    assert isinstance(actions, list)
    for action in actions:
        yield re.split(r"\W", action["do"], maxsplit=1)[0]


@pytest.fixture(scope="module")
def blueprints() -> dict[str, dict[str, object]]:
    root = PACKAGE / "blueprints" / "families"
    return {str(path.relative_to(root)): load_document(path) for path in sorted(root.rglob("*.yaml"))}


@pytest.fixture(scope="module")
def known(blueprints: dict[str, dict[str, object]]) -> dict[str, str]:
    """Every verb of the catalogue and the library, with a file that has it."""
    found = dict.fromkeys(LANGUAGE_VERBS, "mechanics/records/plans.py")
    for name, blueprint in blueprints.items():
        for record in maps_under(blueprint, "record"):
            found |= dict.fromkeys(own_verbs(record), name)
    for path in sorted((PACKAGE / "library" / "operators").glob("*.yaml")):
        found |= dict.fromkeys(own_verbs(load_document(path)), path.name)
    return found


def test_every_verb_of_the_catalogue_and_the_library_has_its_families(known: dict[str, str]) -> None:
    listed = common_verbs._load_verb_table().actions
    missing = [
        f"verbs.yaml: `{verb}` of {where} is not under `actions`; add `{verb}: [...]` with the common verbs it is a case of."
        for verb, where in known.items()
        if verb not in listed
    ]
    assert len(known) > 600
    assert not missing, "\n".join(missing)


def test_the_table_lists_no_verb_that_nothing_has(known: dict[str, str]) -> None:
    assert [verb for verb in common_verbs._load_verb_table().actions if verb not in known] == []


def test_every_family_that_is_named_exists() -> None:
    table = common_verbs._load_verb_table()
    for word, families in (*table.actions.items(), *table.shared.items()):
        assert families, word
        assert set(families) <= verb_names(), word
        assert len(set(families)) == len(families), word
    assert set(GENERAL) <= verb_names()


def test_every_common_verb_is_of_use() -> None:
    used = {family for families in common_verbs._load_verb_table().actions.values() for family in families}
    assert sorted(verb_names() - used) == []
    assert used >= LANGUAGE


def test_the_verbs_of_the_language_mean_themselves() -> None:
    for verb in LANGUAGE:
        assert find_common_verbs_for_record_verb(verb)[0] == verb
        assert find_common_verbs_for_answer_phrase(verb) == (verb,)
    assert find_common_verbs_for_record_verb("wait_until") == ("wait",)


def test_the_wording_a_blueprint_gives_a_step_finds_its_action(
    blueprints: dict[str, dict[str, object]],
) -> None:
    read = 0
    for name, blueprint in blueprints.items():
        for telling in maps_under(blueprint, "telling"):
            steps = telling.get("steps", {})
            assert isinstance(steps, dict)
            for call, wording in steps.items():
                verb = re.split(r"\W", call, maxsplit=1)[0]
                said = find_common_verbs_for_answer_phrase(re.sub(r"\{[^}]*\}", "", wording))
                read += 1
                assert set(said) & set(find_common_verbs_for_record_verb(verb)), (
                    f"{name}: {verb}: {wording} reads as {said}"
                )
    assert read > 300


def test_the_list_has_a_bearable_length_and_each_name_once() -> None:
    assert 55 <= len(list_common_verbs()) <= 75
    assert len(verb_names()) == len(list_common_verbs())


def test_a_word_belongs_to_one_verb_unless_it_is_shared_on_purpose() -> None:
    table = common_verbs._load_verb_table()
    owners: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for verb in list_common_verbs():
        for word in (verb.verb, *verb.also):
            assert common_verbs._split_into_words(word), word
            owners[common_verbs._split_into_words(word)].append(verb.verb)
    assert {key: both for key, both in owners.items() if len(both) > 1} == {}
    for word, families in table.shared.items():
        assert len(families) > 1, word
        # a verb of the list may mean more in loose answers, and always itself first
        assert owners.get(common_verbs._split_into_words(word), list(families[:1])) == list(families[:1]), (
            word
        )
        assert word in verb_names() or common_verbs._split_into_words(word) not in owners, word


def test_every_other_word_for_a_verb_is_read_as_that_verb() -> None:
    for verb in list_common_verbs():
        assert find_common_verbs_for_answer_phrase(verb.verb)[0] == verb.verb
        for word in verb.also:
            assert verb.verb in find_common_verbs_for_answer_phrase(word), word
    for word, families in common_verbs._load_verb_table().shared.items():
        assert find_common_verbs_for_answer_phrase(word)[: len(families)] == families, word


def test_every_example_is_a_step_with_its_own_verb() -> None:
    for verb in list_common_verbs():
        assert verb.example.do == verb.verb
        assert verb.example.things or verb.example.to or verb.example.value
        assert verb.means.endswith("."), verb.verb


def test_what_a_solver_reads_is_short_and_names_every_verb() -> None:
    text = render_verb_list()
    assert len(text.encode()) <= 900 * 4
    for verb in list_common_verbs():
        assert f"\n{verb.verb}: {verb.means}" in text
    example = re.search(r"A step: (\{.*?\})\.", text)
    assert example is not None
    assert json.loads(example[1])["do"] in verb_names()


def test_what_a_solver_reads_names_no_verb_of_a_record(known: dict[str, str]) -> None:
    tell_tale = {verb for verb in known if "_" in verb}
    assert sorted(verb for verb in tell_tale if verb in render_verb_list()) == []


LOOSE = {
    "move": "shoving | carried | lift and carry",
    "fetch": "go and get",
    "take": "pick it up",
    "put": "placing | slide under",
    "lift": "lift_up | jack it up | hoisting",
    "lower": "let down",
    "throw": "throws | threw",
    "remove": "take off",
    "go": "head for | walk to",
    "pass": "go round | squeeze through",
    "climb": "clamber",
    "jump": "jumped",
    "swim": "swam",
    "use": "utilise",
    "push": "shove | carefully press down",
    "pull": "yank",
    "hit": "hammering",
    "break": "Smash",
    "pry": "lever it up | use the bar to pry",
    "cut": "saw through",
    "dig": "tunnel",
    "turn": "twist",
    "open": "unlock | try to open",
    "close": "shut the hatch",
    "hold": "gripping",
    "brace": "wedge it under",
    "join": "tie together | connect the wires",
    "release": "untie | untying | unplugged",
    "mix": "stir in",
    "separate": "strain",
    "make": "rig up",
    "repair": "mend",
    "pour": "pour it over",
    "fill": "top up",
    "drain": "pour out | bail water out",
    "seal": "plug the hole | stop the leak",
    "clean": "mop up",
    "spread": "strewing",
    "cover": "wrapped",
    "heat": "boil",
    "cool": "cool down | let the water cool",
    "light": "set fire to | set the dry hay on fire | lit",
    "extinguish": "put the fire out",
    "blow": "ventilate",
    "start": "turn on | press the button",
    "stop": "switch it off",
    "set": "dial",
    "signal": "wave at",
    "call": "phone | shout for help",
    "tell": "explain",
    "ask": "ask permission | ask the guard for the key",
    "show": "present",
    "write": "sign",
    "send": "dispatch",
    "answer": "figure out",
    "choose": "decide",
    "challenge": "reject the premise",
    "claim": "estimate",
    "trust": "rely on",
    "obey": "follow the rules",
    "defy": "go ahead anyway",
    "wait": "sit tight | stay put | wait until the tide turns",
    "prepare": "get ready",
    "do": "see it through",
    "give": "hand over | hand it over",
    "trade": "swap | bribe",
    "share": "split between",
    "treat": "bandage",
    "look": "keep watch",
    "measure": "weigh",
    "test": "try it out",
    "skip": "do without | do not open | don\N{RIGHT SINGLE QUOTATION MARK}t",
    "replace": "stand in for",
    "reduce": "need less",
}
PHRASES = [(phrase, verb) for verb, phrases in LOOSE.items() for phrase in phrases.split(" | ")]


@pytest.mark.parametrize(("phrase", "verb"), PHRASES, ids=[phrase for phrase, _ in PHRASES])
def test_a_loose_wording_lands_in_its_family(phrase: str, verb: str) -> None:
    assert verb in find_common_verbs_for_answer_phrase(phrase)


def test_the_loose_wordings_reach_every_common_verb() -> None:
    assert sorted(verb_names() - set(LOOSE)) == []
    assert len(PHRASES) >= 100


def test_a_plain_word_says_nothing_else() -> None:
    assert find_common_verbs_for_answer_phrase("smash") == ("break",)
    assert find_common_verbs_for_answer_phrase("untie") == ("release",)
    assert find_common_verbs_for_answer_phrase("set fire to") == ("light",)
    assert find_common_verbs_for_answer_phrase("go round") == ("pass",)
    assert find_common_verbs_for_answer_phrase("do not open") == ("skip",)
    assert find_common_verbs_for_answer_phrase("shove") == ("move", "push")
    assert find_common_verbs_for_answer_phrase("set the plank aside") == ("remove",)
    assert find_common_verbs_for_answer_phrase("set aside the assumption") == ("challenge",)


NONSENSE = ["", " ", "_", "the", "florble", "xyzzy plugh", "the quick brown fox", "42", "ing", "ed", "s"]
HOSTILE = [
    "\N{FIRE}\N{HAMMER}",
    "\N{NULL}",
    "\u043e\u0442\u043a\u0440\u044b\u0442\u044c",
    "d\u00e9lier",
    ", and , then ; /",
    "push " * 200_000,
    "a" * 1_000_000,
]


@pytest.mark.parametrize(
    "word",
    NONSENSE + HOSTILE,
    ids=lambda word: repr(word[:20]),
)
def test_nonsense_stands_for_nothing(word: str) -> None:
    assert find_common_verbs_for_answer_phrase(word) == ()
    assert find_common_verbs_for_record_verb(word) == ("use",)


def test_a_verb_of_a_contributed_record_is_read_by_its_name() -> None:
    assert find_common_verbs_for_record_verb("wedge_under") == ("brace",)
    assert find_common_verbs_for_record_verb("hurl_and_run") == ("throw", "start", "go")
    assert find_common_verbs_for_record_verb("shoving_over") == ("move", "push")
    assert find_common_verbs_for_record_verb("florble") == ("use",)


def test_the_best_family_stands_first() -> None:
    assert find_common_verbs_for_record_verb("swing_at")[0] == "break"
    assert find_common_verbs_for_record_verb("shove_under")[0] == "put"
    assert find_common_verbs_for_record_verb("climb_out")[0] == "climb"
    assert find_common_verbs_for_record_verb("send_by")[0] == "send"
    assert find_common_verbs_for_record_verb("carry_out")[0] == "do"
    assert find_common_verbs_for_record_verb("make_ready")[0] == "prepare"


def test_a_table_of_another_form_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "verbs.yaml").write_text("verbs: {}\nshared: {}\nforms: {}\nactions: {shove: push}\n")
    monkeypatch.setattr(common_verbs, "_TABLE", tmp_path / "verbs.yaml")
    with pytest.raises(ConfigurationError, match=r"verbs\.yaml: actions\.shove is not valid in the table"):
        common_verbs._load_verb_table.__wrapped__()
