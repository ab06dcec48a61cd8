"""Misspelled words of a document are found with a correction; names and terms are recognised by rules."""

from __future__ import annotations

import pytest

from impossible_moments.agents.orchestrator.gates.misspellings import collect_known_words, find_misspellings
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.checks.record_check import verify_record
from support.built_documents import BY_STATUS, build_golden_documents
from support.finished_dossiers import build_seed

# fmt: off
RIGHT = [
    "You meet Tebogo Mokwena at Listvyanka.",                    # names inside a sentence
    "Tebogo waits. You know that Tebogo waits.",                 # a name also at the start
    "# IM-0001: The Small Tip at Kaskö",                         # the title
    "You work on Tristan da Cunha for Doctor van der Meer.",     # particles inside names
    "It bears 30 kN and 5 mSv, no more.",                        # units
    "A seagrass meadow grows there.",                            # a closed compound
    "You climb to the stelling. The stelling is wet.",           # a term of the text
    "ok so azlan says it wont work. he is late.",                # a chat
    "The NASA report was read out.",                             # capitals
    "The captain's aunts' boats sank.",                          # possessives
    "It does not work; see `teh_thing` for that.",               # code
    "*Benchmark data. Canary: im-canary-abcdeffed-feed*",        # the canary
]
WRONG = [
    ("You see teh door.",                          "teh",      "the"),
    ("You see da door.",                           "da",       "ad"),
    ("The corridr is dark.",                       "corridr",  "corridor"),
    ("| A ladder | seperate | wood |",             "seperate", "separate"),
    ("One line.\n\nThe occured loss is small.",    "occured",  "occurred"),
    ("Recieve the parcel at noon.",                "Recieve",  "receive"),
]
# fmt: on


@pytest.mark.parametrize("text", RIGHT)
def test_what_is_right_is_let_pass(text: str) -> None:
    assert list(find_misspellings(text)) == []


@pytest.mark.parametrize(("text", "word", "meant"), WRONG)
def test_a_misspelling_is_named_with_its_correction(text: str, word: str, meant: str) -> None:
    (found,) = find_misspellings(text)
    assert (found.word, found.correction) == (word, meant)


def test_a_misspelling_is_named_with_its_line() -> None:
    (found,) = find_misspellings("One line.\n\nThe corridr is dark.")
    assert str(found) == "line 3: `corridr` is misspelled; did you mean `corridor`?"


def test_a_known_word_is_let_pass() -> None:
    assert list(find_misspellings("You climb to the stelling.", {"stelling"})) == []


def test_the_labels_of_a_record_are_known() -> None:
    report = verify_record(build_seed("blast_room").mechanics, load_everyday_library())
    assert {"banana", "chair"} <= collect_known_words(report)


@pytest.mark.parametrize("name", BY_STATUS.values())
def test_documents_of_ours_are_spelled_right(name: str) -> None:
    assert list(map(str, find_misspellings(build_golden_documents(name).public))) == []
