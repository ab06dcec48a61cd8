"""Embedders answer vectors of unit length, offline, each text for itself."""

from __future__ import annotations

import logging
import subprocess
import sys

import numpy as np
import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.scenarios.similarity.embedding import (
    CHUNK,
    Embedder,
    TfidfEmbedder,
    load_wordllama_embedder,
    normalize_rows,
    split_into_chunks,
)

TEXTS = ("a sealed drum floats", "grain locks round the legs", "the dome motor is dead")
OFFLINE = """
import os, sys
from pathlib import Path
from impossible_moments.scenarios.similarity.embedding import load_wordllama_embedder
assert "wordllama" not in sys.modules, "the heavy package is loaded before it is needed"
print(load_wordllama_embedder().embed(["a sealed drum floats"]).tobytes().hex())
assert not (Path.home() / ".cache").exists(), "something was put into a cache"
"""


@pytest.fixture(params=["wordllama", "tfidf"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    return load_wordllama_embedder() if request.param == "wordllama" else TfidfEmbedder(TEXTS)


def test_vectors_are_single_precision_and_of_unit_length(embedder: Embedder) -> None:
    rows = embedder.embed(TEXTS)

    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-6)


def test_a_text_that_says_nothing_is_zero(embedder: Embedder) -> None:
    rows = embedder.embed(["", TEXTS[0], " \n\t"])

    assert not rows[[0, 2]].any()
    assert rows[1].any()
    assert embedder.embed([]).shape == (0, rows.shape[1])


def test_a_text_has_one_vector_whatever_stands_beside_it(embedder: Embedder) -> None:
    beside = embedder.embed([TEXTS[0], "a much longer text " * 200, "", TEXTS[0]])

    assert beside[0].tobytes() == beside[3].tobytes() == embedder.embed([TEXTS[0]])[0].tobytes()


def test_related_texts_are_nearer_than_unrelated_ones(embedder: Embedder) -> None:
    floats, also_floats, grain = embedder.embed([TEXTS[0], "a closed drum floats", TEXTS[1]])

    assert floats @ also_floats > floats @ grain


def test_the_fingerprint_tells_embedders_apart() -> None:
    assert TfidfEmbedder().fingerprint == TfidfEmbedder().fingerprint
    prints = {
        TfidfEmbedder().fingerprint,
        TfidfEmbedder(TEXTS).fingerprint,
        TfidfEmbedder(dimensions=512).fingerprint,
        load_wordllama_embedder().fingerprint,
    }
    assert len(prints) == 4


def test_words_that_every_text_uses_weigh_less() -> None:
    corpus = [f"{text} the the" for text in TEXTS]
    left, right = "the drum", "the grain"
    plain, weighted = TfidfEmbedder().embed([left, right]), TfidfEmbedder(corpus).embed([left, right])

    assert weighted[0] @ weighted[1] < plain[0] @ plain[1]


def test_rows_that_are_no_numbers_become_zero() -> None:
    rows = normalize_rows(np.array([[3.0, 4.0], [np.nan, 1.0], [np.inf, 1.0], [0.0, 0.0]]))

    assert rows == pytest.approx(np.array([[0.6, 0.8], [0, 0], [0, 0], [0, 0]]))


def test_chunks_keep_every_word_once() -> None:
    words = [f"w{place}" for place in range(2 * CHUNK + 5)]
    pieces = list(split_into_chunks(" \n".join(words)))

    assert [len(piece.split()) for piece in pieces] == [CHUNK, CHUNK, 5]
    assert " ".join(pieces).split() == words
    assert list(split_into_chunks(" ")) == []


def test_wordllama_needs_no_network_and_no_cache_and_every_process_gets_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    dead = "http://127.0.0.1:9"
    proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"), dead)
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", OFFLINE],
        env={**proxies, "HOME": str(tmp_path_factory.mktemp("home")), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == load_wordllama_embedder().embed(TEXTS[:1]).tobytes().hex()
    assert run.stderr == ""


def test_a_missing_wordllama_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordllama", None)
    load_wordllama_embedder.cache_clear()

    with pytest.raises(ConfigurationError, match="pip install wordllama"):
        load_wordllama_embedder()


def test_a_wordllama_without_its_weights_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("impossible_moments.scenarios.similarity.embedding._DIMENSIONS", 64)
    load_wordllama_embedder.cache_clear()

    with pytest.raises(ConfigurationError, match="Cannot load the weights"):
        load_wordllama_embedder()


def test_loading_wordllama_leaves_logging_as_it_was() -> None:
    code = (
        "import logging; from impossible_moments.scenarios.similarity.embedding import load_wordllama_embedder; "
        "load_wordllama_embedder(); print(logging.getLogger().handlers, logging.getLogger().level)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert run.stdout.strip() == f"[] {logging.WARNING}"
