"""Whether words and layout give away a label: a classifier trained on half of the texts and tested on the rest."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from random import Random
from statistics import mean
from typing import Final

import numpy as np
from numpy.typing import NDArray

SPLITS: Final = 20
RIDGE: Final = 0.3
FEWEST_SKINS: Final = 3
SEED: Final = 41
FEWEST_TEXTS: Final = 6
TELLING_SHARE: Final = 0.8


@dataclass(frozen=True)
class LabelledText:
    """A text with what must not be readable from it."""

    skin: str
    """The group of texts that must not be in both halves."""
    features: frozenset[str]
    labels: Mapping[str, str]


def list_features(prose: Mapping[str, str]) -> Iterator[str]:
    """Generate the words, pairs of words and layout features of a text."""
    words = re.findall(r"[a-z]+", " ".join(prose.values()).lower())
    yield from words
    yield from (f"{first} {second}" for first, second in pairwise(words))
    for part, text in prose.items():
        yield f"layout:{part} sentences {min(text.count('.') // 3, 8)}"
        yield f"layout:{part} numbers {min(len(re.findall(r'[0-9]+', text)) // 4, 8)}"
    yield f"layout:questions {prose.get('narrative', '').count('?')}"


def build_vectors(texts: Sequence[LabelledText]) -> NDArray[np.float64]:
    """Return a row for each text: its features weighted by rarity, of length one."""
    skins: dict[str, set[str]] = defaultdict(set)
    for each in texts:
        for feature in each.features:
            skins[feature].add(each.skin)
    known = {
        name: place
        for place, name in enumerate(sorted(n for n, w in skins.items() if len(w) >= FEWEST_SKINS))
    }
    rows = np.zeros((len(texts), len(known)))
    for row, each in zip(rows, texts, strict=True):
        for feature in each.features & known.keys():
            row[known[feature]] = log(len(texts) / len(skins[feature]))
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return rows


def predict_labels(
    kernel: NDArray[np.float64], labels: Sequence[str], training: Sequence[int], unseen: Sequence[int]
) -> list[str]:
    """Return the label of each unseen text by ridge regression on the labels of the training texts."""
    names = sorted(set(labels))
    wanted = np.array([[float(labels[place] == name) for name in names] for place in training])
    means = wanted.mean(axis=0)
    inner = kernel[np.ix_(training, training)] + RIDGE * np.eye(len(training))
    weights = np.linalg.solve(inner, wanted - means)
    scores = kernel[np.ix_(unseen, training)] @ weights + means
    return [names[place] for place in scores.argmax(axis=1)]


def measure_label(texts: Sequence[LabelledText], label: str) -> tuple[float, float]:
    """Return the accuracy on unseen skins and the share of the most frequent label, over several splits."""
    skins = sorted({each.skin for each in texts})
    vectors = build_vectors(texts)
    kernel, labels = vectors @ vectors.T, [each.labels[label] for each in texts]
    accuracies, majorities = [], []
    for split in range(SPLITS):
        chosen = set(Random(f"{SEED}/{split}").sample(skins, len(skins) // 2))  # noqa: S311 - a split, not a key
        training = [place for place, each in enumerate(texts) if each.skin in chosen]
        unseen = [place for place, each in enumerate(texts) if each.skin not in chosen]
        predicted = predict_labels(kernel, labels, training, unseen)
        accuracies.append(
            mean(guess == labels[place] for guess, place in zip(predicted, unseen, strict=True))
        )
        most = Counter(labels[place] for place in training).most_common(1)[0][0]
        majorities.append(mean(labels[place] == most for place in unseen))
    return mean(accuracies), mean(majorities)


def list_telling_features(texts: Sequence[LabelledText], label: str) -> Iterator[tuple[str, str, int, int]]:
    """Generate features of several skins that nearly always go with one label which is rare elsewhere."""
    shares = Counter(each.labels[label] for each in texts)
    where: dict[str, list[LabelledText]] = defaultdict(list)
    for each in texts:
        for feature in each.features:
            where[feature].append(each)
    for feature, holders in where.items():
        name, count = Counter(each.labels[label] for each in holders).most_common(1)[0]
        if (
            len({each.skin for each in holders}) >= FEWEST_TEXTS
            and count >= TELLING_SHARE * len(holders)
            and shares[name] < len(texts) / 2
        ):
            yield feature, name, count, len(holders)
