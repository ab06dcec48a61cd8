"""The classifier reads a label that words give away, and no other."""

from __future__ import annotations

from random import Random

from impossible_moments.production.quality import LabelledText, list_features, measure_label

WORDS = ("river", "stone", "lamp", "winter", "clock", "harbour", "bread", "wire", "glass", "engine")


def make_texts(*, with_tell: bool) -> list[LabelledText]:
    random = Random(3)  # noqa: S311 - a test text
    texts = []
    for number in range(120):
        status = ("KS", "PX")[number % 2]
        words = " ".join(random.choices(WORDS, k=30))
        tell = " no exception" if with_tell and status == "PX" else ""
        features = frozenset(list_features({"narrative": words + tell}))
        texts.append(LabelledText(str(number), features, {"status": status}))
    return texts


def test_a_phrase_that_goes_with_a_label_is_read() -> None:
    accuracy, majority = measure_label(make_texts(with_tell=True), "status")
    assert accuracy > majority + 0.3


def test_words_drawn_at_random_say_nothing() -> None:
    accuracy, majority = measure_label(make_texts(with_tell=False), "status")
    assert abs(accuracy - majority) < 0.1
