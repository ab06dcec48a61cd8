"""The dictionary knows English words in both spellings, and suggests what was meant."""

from __future__ import annotations

import pytest

from impossible_moments.audit.spelling.english_dictionary import load_english_dictionary

RIGHT = (
    "door", "doors", "unhappily", "re-enter", "neighbour", "realised", "metres", "travelled", "skilful", "defence",
    "catalogue", "verandah", "aluminium", "sulphur", "mould", "judgement", "plough", "aeroplane", "whisky", "storeys", "learnt",
    "glycerine", "queueing", "Paris", "Señor", "nanotubes",
)  # fmt: skip
WRONG = {
    "teh": "the",
    "recieve": "receive",
    "seperate": "separate",
    "occurance": "occurrence",
    "occured": "occurred",
    "neccessary": "necessary",
    "begining": "beginning",
    "untill": "until",
    "windwo": "window",
    "corridr": "corridor",
}


@pytest.mark.parametrize("word", [word for word in RIGHT if "-" not in word])
def test_a_word_is_known(word: str) -> None:
    assert load_english_dictionary().has_word(word)


@pytest.mark.parametrize(("word", "meant"), WRONG.items())
def test_a_misspelling_is_unknown_and_corrected(word: str, meant: str) -> None:
    dictionary = load_english_dictionary()
    assert not dictionary.has_word(word)
    assert dictionary.suggest_correction(word) == meant


@pytest.mark.parametrize("word", ["barangay", "vershok", "polybenzoxazole", "sastrugi", "Listvyanka"])
def test_a_foreign_word_has_no_correction(word: str) -> None:
    assert load_english_dictionary().suggest_correction(word) == ""


def test_a_very_long_row_of_letters_is_not_corrected() -> None:
    assert load_english_dictionary().suggest_correction("ab" * 5_000) == ""


def test_a_contraction_without_apostrophe_is_recognised() -> None:
    dictionary = load_english_dictionary()
    assert dictionary.lacks_apostrophe("doesnt")
    assert not dictionary.lacks_apostrophe("window")
