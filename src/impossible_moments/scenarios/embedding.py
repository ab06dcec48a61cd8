"""Embedders: texts turned into vectors of unit length, offline and the same on every run."""

from __future__ import annotations

import hashlib
import logging
import math
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from impossible_moments.errors import ConfigurationError

Vectors: TypeAlias = NDArray[np.float32]
"""A row for each text: of unit length, or zero where the text says nothing."""

CHUNK: Final = 120
"""Words that are embedded together; longer texts blur."""

_BATCH: Final = 1024
_MODEL: Final = "l2_supercat"
_DIMENSIONS: Final = 256
_WORD: Final = re.compile(r"[^\W_]+")


class Embedder(Protocol):
    """Whatever turns texts into vectors; thresholds belong to its name and fingerprint."""

    @property
    def name(self) -> str:
        """How reports call it."""

    @property
    def fingerprint(self) -> str:
        """A hash of all that its vectors depend on besides the text."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """A row for each text. A text's row does not depend on the texts beside it."""


class TfidfEmbedder:
    """Words and pairs of neighbouring words, hashed and weighted by how rare they are in a corpus (equally without one)."""

    name: Final = "hashed-tfidf"

    def __init__(self, corpus: Sequence[str] = (), *, dimensions: int = 2048) -> None:
        self._dimensions = dimensions
        self._rarity = self._rarities(corpus)
        self.fingerprint: Final = hashlib.sha256(self._rarity.astype("<f8").tobytes()).hexdigest()[:16]

    def embed(self, texts: Sequence[str]) -> Vectors:
        """A row for each text."""
        rows = np.zeros((len(texts), self._dimensions))
        for row, text in zip(rows, texts, strict=True):
            for term, times in sorted(_terms(text).items()):
                place, sign = self._place(term)
                row[place] += sign * (1 + math.log(times)) * self._rarity[place]
        return unit_rows(rows)

    def _rarities(self, corpus: Sequence[str]) -> NDArray[np.float64]:
        """For each place the usual smoothed inverse of how many texts use it."""
        used = np.zeros(self._dimensions)
        for text in corpus:
            used[sorted({self._place(term)[0] for term in _terms(text)})] += 1
        return np.log((1 + len(corpus)) / (1 + used)) + 1

    def _place(self, term: str) -> tuple[int, float]:
        # One bit of the hash gives the sign, so that terms which share a place do not only add up.
        number = zlib.crc32(term.encode())
        return (number >> 1) % self._dimensions, 1.0 if number & 1 else -1.0


def _terms(text: str) -> Counter[str]:
    words = _WORD.findall(text.casefold())
    return Counter(words) + Counter(f"{left} {right}" for left, right in pairwise(words))


class _WordLlamaEmbedder:
    """Mean of the token vectors of a WordLlama model."""

    name: Final = f"wordllama-{_MODEL}-{_DIMENSIONS}"

    def __init__(self, model: Any, fingerprint: str) -> None:  # noqa: ANN401 - published without types
        self.fingerprint: Final = fingerprint
        self._tokenizer = model.tokenizer
        self._tokenizer.no_padding()
        self._weights: Vectors = model.embedding

    def embed(self, texts: Sequence[str]) -> Vectors:
        """A row for each text."""
        # The model's own pooling gives nan for an empty text and pads a text to the longest beside it.
        rows = np.zeros((len(texts), self._weights.shape[1]))
        encoded = self._tokenizer.encode_batch([text.strip() for text in texts], add_special_tokens=False)
        for place, tokens in enumerate(encoded):
            rows[place] = self._weights[tokens.ids].sum(axis=0, dtype=np.float64)
        return unit_rows(rows)


@lru_cache(maxsize=1)
def wordllama_embedder() -> Embedder:
    """The embedder that the thresholds are made for; its weights come with the package wordllama."""
    with _root_logger_kept():
        try:
            import wordllama  # noqa: PLC0415 - heavy, and this is its only door
        except ImportError as problem:
            raise ConfigurationError(
                f"Similar scenarios are sought with the package wordllama, which cannot be imported ({problem}): pip install wordllama"
            ) from problem
    folder = Path(wordllama.__file__).parent
    try:
        # Without the folder as its cache the package asks the network for a tokenizer that it carries.
        model = wordllama.WordLlama.load(_MODEL, cache_dir=folder, dim=_DIMENSIONS, disable_download=True)
        fingerprint = _hash_of(
            folder / "weights" / f"{_MODEL}_{_DIMENSIONS}.safetensors",
            folder / "tokenizers" / f"{_MODEL}_tokenizer_config.json",
        )
    except OSError as problem:
        raise ConfigurationError(
            f"The installed package wordllama lacks the weights or the tokenizer of {_MODEL} ({problem}): install a wheel of it that carries them"
        ) from problem
    return _WordLlamaEmbedder(model, fingerprint)


@contextmanager
def _root_logger_kept() -> Iterator[None]:
    """Undo what wordllama does when it is imported: it makes every package of the process log to the terminal."""
    root = logging.getLogger()
    level, handlers = root.level, root.handlers[:]
    try:
        yield
    finally:
        root.setLevel(level)
        root.handlers[:] = handlers


def _hash_of(*paths: Path) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def unit_rows(rows: NDArray[Any]) -> Vectors:
    """Rows brought to unit length; a row that is zero or holds what is no number becomes zero."""
    rows = np.where(np.isfinite(rows).all(axis=1, keepdims=True), rows, 0.0).astype(np.float64)
    lengths = np.sqrt(np.square(rows).sum(axis=1, keepdims=True))
    return (rows / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)


def embedded(texts: Sequence[str], embedder: Embedder) -> Vectors:
    """The texts' rows; an embedder that answers nan is taken to say nothing."""
    batches = [texts[at : at + _BATCH] for at in range(0, len(texts), _BATCH)]
    return np.concatenate([unit_rows(embedder.embed(batch)) for batch in batches or [[]]])


def chunks(text: str) -> Iterator[str]:
    """A text in pieces that an embedder takes one at a time."""
    words = folded(text).split()
    for at in range(0, len(words), CHUNK):
        yield " ".join(words[at : at + CHUNK])


def folded(text: str) -> str:
    """A text without capitals."""
    # Solution lines come in capitals, which a model of word pieces reads as other words.
    return text.casefold()


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of several owners, embedded, and where those of each begin; an owner without any has one zero row."""

    rows: Vectors
    starts: NDArray[np.intp]

    @classmethod
    def of(cls, owners: Sequence[Sequence[str]], embedder: Embedder) -> Lines:
        """Embed the lines of each owner."""
        texts = [[folded(line) for line in owned if line.strip()] or [""] for owned in owners]
        starts = np.cumsum([0, *(len(lines) for lines in texts)], dtype=np.intp)
        return cls(embedded([line for lines in texts for line in lines], embedder), starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def part(self, first: int, end: int) -> Lines:
        """The lines of some of the owners."""
        starts = self.starts[first : min(end, len(self)) + 1]
        return Lines(self.rows[starts[0] : starts[-1]], starts - starts[0])

    @property
    def counts(self) -> NDArray[np.intp]:
        """How many lines each owner has."""
        return np.diff(self.starts)


def agreement(left: Lines, right: Lines) -> NDArray[np.float64]:
    """For each owner on the left and each on the right: how near a line's best match is, in the mean of both sides.

    One stock line that two owners share weighs little so; in a mean vector of all lines their subject outweighs their idea.
    """
    products = left.rows.astype(np.float64) @ right.rows.T.astype(np.float64)
    there = np.maximum.reduceat(products, right.starts[:-1], axis=1)
    back = np.maximum.reduceat(products, left.starts[:-1], axis=0)
    there = np.add.reduceat(there, left.starts[:-1], axis=0) / left.counts[:, None]
    back = np.add.reduceat(back, right.starts[:-1], axis=1) / right.counts
    return (there + back) / 2
