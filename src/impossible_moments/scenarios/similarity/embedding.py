"""Embedders that turn texts into vectors of unit length, offline and deterministically."""

from __future__ import annotations

import hashlib
import math
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from impossible_moments.errors import ConfigurationError

Vectors: TypeAlias = NDArray[np.float32]
"""One row per text: of unit length, or zero if the text is empty."""

CHUNK: Final = 120
"""Number of words that are embedded together. The vectors of longer texts are less specific."""

_BATCH: Final = 1024
_MODEL: Final = "l2_supercat"
_TENSOR: Final = "embedding.weight"
_DIMENSIONS: Final = 256
_WORD: Final = re.compile(r"[^\W_]+")


class Embedder(Protocol):
    """Interface of embedders. Similarity thresholds are calibrated for a name and a fingerprint."""

    @property
    def name(self) -> str:
        """Name of the embedder in reports."""

    @property
    def fingerprint(self) -> str:
        """Hash of everything except the text that the vectors depend on."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row per text. The row of a text must not depend on the other texts."""


class TfidfEmbedder:
    """Embedder of hashed words and word pairs, weighted by their rarity in a corpus.

    Without a corpus all terms have equal weight.
    """

    name: Final = "hashed-tfidf"

    def __init__(self, corpus: Sequence[str] = (), *, dimensions: int = 2048) -> None:
        self._dimensions = dimensions
        self._rarity = self._compute_term_rarities(corpus)
        self.fingerprint: Final = hashlib.sha256(self._rarity.astype("<f8").tobytes()).hexdigest()[:16]

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row of weighted term counts per text."""
        rows = np.zeros((len(texts), self._dimensions))
        for row, text in zip(rows, texts, strict=True):
            for term, times in sorted(_count_terms(text).items()):
                place, sign = self._hash_term(term)
                row[place] += sign * (1 + math.log(times)) * self._rarity[place]
        return normalize_rows(rows)

    def _compute_term_rarities(self, corpus: Sequence[str]) -> NDArray[np.float64]:
        """Return the smoothed inverse document frequency of each vector component."""
        document_counts = np.zeros(self._dimensions)
        for text in corpus:
            document_counts[sorted({self._hash_term(term)[0] for term in _count_terms(text)})] += 1
        return np.log((1 + len(corpus)) / (1 + document_counts)) + 1

    def _hash_term(self, term: str) -> tuple[int, float]:
        # One bit of the hash gives the sign, so that terms that share a component can cancel out.
        number = zlib.crc32(term.encode())
        return (number >> 1) % self._dimensions, 1.0 if number & 1 else -1.0


def _count_terms(text: str) -> Counter[str]:
    words = _WORD.findall(text.casefold())
    return Counter(words) + Counter(f"{left} {right}" for left, right in pairwise(words))


class _WordLlamaEmbedder:
    """Embedder that averages the token vectors of a WordLlama model."""

    name: Final = f"wordllama-{_MODEL}-{_DIMENSIONS}"

    def __init__(self, tokenizer: Any, weights: NDArray[np.float16], fingerprint: str) -> None:  # noqa: ANN401 - published without types
        self.fingerprint: Final = fingerprint
        self._tokenizer = tokenizer
        self._weights = weights

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row of summed token vectors per text."""
        # The pooling of the model returns nan for an empty text and pads texts to the longest in the batch.
        rows = np.zeros((len(texts), self._weights.shape[1]))
        encoded = self._tokenizer.encode_batch([text.strip() for text in texts], add_special_tokens=False)
        for place, tokens in enumerate(encoded):
            rows[place] = self._weights[tokens.ids].sum(axis=0, dtype=np.float64)
        return normalize_rows(rows)


@lru_cache(maxsize=1)
def load_wordllama_embedder() -> Embedder:
    """Return the embedder that the thresholds are calibrated for.

    Its weights ship with the package wordllama. Raise `ConfigurationError` if they cannot be loaded.
    """
    folder = _find_wordllama_folder()
    weights = folder / "weights" / f"{_MODEL}_{_DIMENSIONS}.safetensors"
    tokens = folder / "tokenizers" / f"{_MODEL}_tokenizer_config.json"
    try:
        # Both files are read directly: importing wordllama takes longer, loads an HTTP client and changes logging.
        from safetensors.numpy import load  # noqa: PLC0415 - only needed here
        from tokenizers import Tokenizer  # noqa: PLC0415 - only needed here

        stored = weights.read_bytes()
        fingerprint = _hash_parts(stored, tokens.read_bytes())
        tokenizer = Tokenizer.from_file(str(tokens))
    except (ImportError, OSError) as problem:
        raise ConfigurationError(
            f"Cannot load the weights or the tokenizer of {_MODEL} ({problem}). "
            "Install a wheel of wordllama that contains them."
        ) from problem
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return _WordLlamaEmbedder(tokenizer, load(stored)[_TENSOR], fingerprint)


def _find_wordllama_folder() -> Path:
    """Return the folder of the installed package wordllama, without importing it."""
    found = find_spec("wordllama")
    if found is None or not found.submodule_search_locations:
        raise ConfigurationError(
            "The package wordllama, which finds similar scenarios, is not installed: pip install wordllama"
        )
    return Path(found.submodule_search_locations[0])


def _hash_parts(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()[:16]


def normalize_rows(rows: NDArray[Any]) -> Vectors:
    """Return the rows scaled to unit length. A row that is zero or not finite becomes zero."""
    rows = np.where(np.isfinite(rows).all(axis=1, keepdims=True), rows, 0.0).astype(np.float64)
    lengths = np.sqrt(np.square(rows).sum(axis=1, keepdims=True))
    return (rows / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)


def embed_texts(texts: Sequence[str], embedder: Embedder) -> Vectors:
    """Embed texts in batches. A row with nan becomes a zero row."""
    batches = [texts[at : at + _BATCH] for at in range(0, len(texts), _BATCH)]
    return np.concatenate([normalize_rows(embedder.embed(batch)) for batch in batches or [[]]])


def split_into_chunks(text: str) -> Iterator[str]:
    """Yield the case-folded text in pieces of at most `CHUNK` words."""
    words = fold_case(text).split()
    for at in range(0, len(words), CHUNK):
        yield " ".join(words[at : at + CHUNK])


def fold_case(text: str) -> str:
    """Return a text without capital letters."""
    # Solution lines are in capitals, which a word-piece model treats as different words.
    return text.casefold()


@dataclass(frozen=True, slots=True)
class EmbeddedLines:
    """Embedded lines of several owners, with the index of the first line of each.

    An owner is one scenario. An owner without lines has one zero row.
    """

    rows: Vectors
    starts: NDArray[np.intp]

    @classmethod
    def from_texts(cls, owners: Sequence[Sequence[str]], embedder: Embedder) -> EmbeddedLines:
        """Embed the lines of each owner and return them with the owners' start indices."""
        texts = [[fold_case(line) for line in owned if line.strip()] or [""] for owned in owners]
        starts = np.cumsum([0, *(len(lines) for lines in texts)], dtype=np.intp)
        return cls(embed_texts([line for lines in texts for line in lines], embedder), starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def select_owners(self, first: int, end: int) -> EmbeddedLines:
        """Return the lines of the owners from `first` up to, but not including, `end`."""
        starts = self.starts[first : min(end, len(self)) + 1]
        return EmbeddedLines(self.rows[starts[0] : starts[-1]], starts - starts[0])

    @property
    def counts(self) -> NDArray[np.intp]:
        """Number of lines of each owner."""
        return np.diff(self.starts)


def compute_line_agreement(left: EmbeddedLines, right: EmbeddedLines) -> NDArray[np.float64]:
    """Return a matrix with the similarity of each owner on the left and each owner on the right.

    The similarity is the mean cosine of each line with its best match, averaged over both directions. A
    single stock line that two owners share therefore has little weight. In a mean vector of all lines the
    subject would outweigh the idea.
    """
    products = left.rows.astype(np.float64) @ right.rows.T.astype(np.float64)
    best_for_left = np.maximum.reduceat(products, right.starts[:-1], axis=1)
    best_for_right = np.maximum.reduceat(products, left.starts[:-1], axis=0)
    best_for_left = np.add.reduceat(best_for_left, left.starts[:-1], axis=0) / left.counts[:, None]
    best_for_right = np.add.reduceat(best_for_right, right.starts[:-1], axis=1) / right.counts
    return (best_for_left + best_for_right) / 2
