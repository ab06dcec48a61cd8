"""Similar scenarios: how fast they are found, and with a folder of scenarios in Markdown, how well.

`python -m benchmarks.similarity` measures time. `python -m benchmarks.similarity FOLDER` also measures what the
thresholds in scenarios/similarity/scenario_similarity.py are taken from: distinct scenarios are the unrelated pairs, and edits of them
made here are the copies. One half of the scenarios chooses the thresholds, the other half checks them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.measuring import cpu
from impossible_moments.domain.thresholds import SIMILARITY
from impossible_moments.scenarios.similarity.embedding import (
    EmbeddedLines,
    Embedder,
    TfidfEmbedder,
    compute_line_agreement,
    load_wordllama_embedder,
)
from impossible_moments.scenarios.similarity.scenario_similarity import (
    ComparedScenario,
    compute_scenario_vectors,
    find_near_duplicates,
    find_similar_rows,
    get_similarity_thresholds,
)

Cosines: TypeAlias = NDArray[Any]
CHOOSING = 6
"""One scenario in so many, of the half that chooses, is edited for it."""

UNRELATED = 2_500
"""How much more an unrelated pair weighs than a copy: among 5,000 scenarios there are so many of them for each."""

KEPT, FOREIGN, FORGOTTEN = 0.6, 0.15, 0.25
"""Of a moderate rewrite: sentences kept, sentences of another scenario beside them, words of the solution left out."""

WORDS = ("room", "door", "window", "shelf", "water", "ladder", "reach", "locked", "above", "before")
SYNONYMS = dict(
    re.findall(
        r"(\w+)/(\w+)",
        """
    big/large large/big small/little start/begin room/chamber building/structure need/require
    must/should use/employ reach/attain approximately/roughly about/around only/just metal/steel
    steel/metal rope/cord wall/partition floor/ground ground/floor heavy/weighty light/lightweight
    quickly/fast locked/bolted sealed/shut hold/grip find/discover show/display move/shift water/liquid
    time/period near/beside above/over below/under inside/within outside/beyond tall/high wide/broad
    long/lengthy dangerous/hazardous injury/harm die/perish escape/flee exit/outlet help/aid
    build/construct make/create break/fracture cut/slice people/persons person/individual team/crew
    available/present contains/holds visible/seen enough/sufficient several/some different/various
    same/identical problem/difficulty plan/scheme carry/bear strong/sturdy weak/feeble hot/scorching
    cold/freezing dry/arid wet/damp dark/unlit old/aged new/recent empty/vacant full/filled top/crown
    bottom/base edge/rim side/flank box/crate container/vessel table/bench chair/seat glass/pane
    wood/timber wooden/timber plastic/polymer fire/blaze smoke/fumes air/atmosphere pressure/load
    weight/mass length/extent height/elevation distance/gap system/installation device/apparatus
    machine/engine power/energy emergency/crisis hospital/clinic patient/sufferer engineer/technician
    city/town river/stream ship/vessel road/street car/vehicle truck/lorry
    """,
    )
)


def main() -> None:
    """Print a line for each measure."""
    print(f"{'what':<58}{'measured':>16}{'goal':>18}")
    for what, measured, goal in speeds():
        print(f"{what:<58}{measured:>16}{goal:>18}", flush=True)
    for folder in sys.argv[1:]:
        essences = [read(path) for path in sorted(Path(folder).glob("*.md"))]
        for embedder in (load_wordllama_embedder(), TfidfEmbedder()):
            separation(essences, embedder)


def speeds() -> Iterator[tuple[str, str, str]]:
    """What is measured, the measure and its goal, all in CPU time."""
    yield "load wordllama", f"{cpu(load_wordllama_embedder) * 1e3:.0f} ms", ""
    rng = np.random.default_rng(0)
    essences = [_made_up(str(place), rng) for place in range(1_000)]
    for embedder in (load_wordllama_embedder(), TfidfEmbedder()):
        seconds = cpu(partial(compute_scenario_vectors, essences, embedder))
        yield f"embed scenarios of 550 words, {embedder.name}", f"{len(essences) / seconds:,.0f} docs/s", ""
    for size in (5_000, 50_000):
        rows = rng.standard_normal((size, 256), np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        seconds = cpu(partial(list, find_similar_rows(rows, SIMILARITY)))
        yield f"all pairs of {size:,} random vectors", f"{seconds:.1f} s", "< 2 s" if size == 5_000 else ""
    seconds = cpu(partial(find_near_duplicates, essences, load_wordllama_embedder()))
    yield "near-duplicates among 1,000 scenarios, from text to pairs", f"{seconds:.1f} s", ""


def _made_up(name: str, rng: np.random.Generator) -> ComparedScenario:
    def words(count: int) -> str:
        return " ".join(rng.choice(WORDS) + str(rng.integers(100)) for _ in range(count))

    return ComparedScenario(
        name, words(525), tuple(words(1) for _ in range(6)), words(12), tuple(words(8) for _ in range(5))
    )


def separation(essences: Sequence[ComparedScenario], embedder: Embedder) -> None:
    """Print how far apart copies and unrelated scenarios lie, and the threshold between."""
    rng = np.random.default_rng(0)
    others = [*essences[37:], *essences[:37]]
    edits = {
        "light": [light(each, rng) for each in essences],
        "moderate": [moderate(each, other, rng) for each, other in zip(essences, others, strict=True)],
        "new story": [
            replace(each, narrative=other.narrative) for each, other in zip(essences, others, strict=True)
        ],
    }
    rows = compute_scenario_vectors(essences, embedder)
    texts = {
        kind: (compute_scenario_vectors(edited, embedder) * rows).sum(axis=1)
        for kind, edited in edits.items()
    }
    told = [place for place, each in enumerate(essences) if each.insights]
    lines = EmbeddedLines.from_texts([essences[place].insights for place in told], embedder)
    insights = {}
    for kind in ("light", "moderate"):
        edited = EmbeddedLines.from_texts([edits[kind][place].insights for place in told], embedder)
        insights[kind] = np.diag(compute_line_agreement(edited, lines))
    print(f"\n{embedder.name} {embedder.fingerprint}, {len(essences)} scenarios")
    _report("texts", rows @ rows.T, texts, get_similarity_thresholds(embedder).copy)
    _report(
        "insights",
        compute_line_agreement(lines, lines),
        insights,
        get_similarity_thresholds(embedder).insight,
    )


def _report(what: str, among: Cosines, copies: dict[str, Cosines], now: float) -> None:
    known = np.concatenate([copies[kind][::CHOOSING] for kind in ("light", "moderate")])
    chosen = best_threshold(_upper(among[::2, ::2]), known)
    print(f"{what}: best threshold {chosen:.3f}, in use {now}; the half that did not choose it:")
    unrelated = _upper(among[1::2, 1::2])
    _row("unrelated", unrelated, (chosen, now, SIMILARITY))
    for kind, cosines in copies.items():
        _row(kind, cosines[1::2], (chosen, now, SIMILARITY))
        print(f"    area under the curve {np.mean(cosines[1::2, None] > unrelated):.5f}")


def _row(kind: str, cosines: Cosines, limits: Sequence[float]) -> None:
    shares = ", ".join(f"{np.mean(cosines >= limit):.2%} at {limit:.3f}" for limit in limits)
    low, early, middle, late, high = np.quantile(cosines, (0, 0.05, 0.5, 0.99, 1))
    print(
        f"  {kind:<10} n {len(cosines)} min {low:.3f} 5% {early:.3f} median {middle:.3f} 99% {late:.3f} max {high:.3f}: {shares}"
    )


def best_threshold(unrelated: Cosines, copies: Cosines) -> float:
    """The middle of the widest range of thresholds with the most copies found less unrelated pairs taken for copies."""
    edges = np.unique(np.concatenate([unrelated, copies]))
    scores = np.array(
        [np.mean(copies >= edge) - UNRELATED * np.mean(unrelated >= edge) for edge in edges[1:]]
    )
    gaps = np.where(scores >= scores.max() - 1e-12, np.diff(edges), 0)
    return float((edges[gaps.argmax()] + edges[gaps.argmax() + 1]) / 2)


def _upper(square: Cosines) -> Cosines:
    return square[np.triu_indices(len(square), 1)]


def light(each: ComparedScenario, rng: np.random.Generator) -> ComparedScenario:
    """Synonyms for most words that have one, other numbers, some sentences in another order."""
    sentences = _sentences(each.narrative)
    for place in range(0, len(sentences) - 1, 3):
        sentences[place : place + 2] = reversed(sentences[place : place + 2])
    return _reworded(replace(each, narrative=" ".join(sentences)), 0.7, rng)


def moderate(each: ComparedScenario, other: ComparedScenario, rng: np.random.Generator) -> ComparedScenario:
    """The same again, with sentences and lines left out, shuffled, and mixed with those of another scenario."""
    own, foreign = rng.permutation(_sentences(each.narrative)), rng.permutation(_sentences(other.narrative))
    kept = [*own[: max(1, round(KEPT * len(own)))], *foreign[: max(1, round(FOREIGN * len(own)))]]
    things, insights = list(rng.permutation(each.objects)), list(rng.permutation(each.insights))
    two_thirds = (2 * len(things) + 2) // 3
    edited = replace(
        each,
        narrative=" ".join(rng.permutation(kept)),
        objects=(*things[:two_thirds], *other.objects[: len(things) - two_thirds]),
        solution=" ".join(word for word in each.solution.split() if rng.random() >= FORGOTTEN),
        insights=(*insights[: max(1, 2 * len(insights) // 3)], *other.insights[:1]),
    )
    return _reworded(edited, 1.0, rng)


def _reworded(each: ComparedScenario, share: float, rng: np.random.Generator) -> ComparedScenario:
    def word(match: re.Match[str]) -> str:
        found = match.group()
        return SYNONYMS.get(found.lower(), found) if rng.random() < share else found

    def number(match: re.Match[str]) -> str:
        return f"{float(match.group()) * rng.choice((0.7, 0.8, 1.25, 1.5)):.3g}"

    def text(written: str) -> str:
        return re.sub(r"\d+(?:\.\d+)?", number, re.sub(r"[A-Za-z]+", word, written))

    return replace(
        each,
        narrative=text(each.narrative),
        objects=tuple(map(text, each.objects)),
        solution=text(each.solution),
        insights=tuple(map(text, each.insights)),
    )


def _sentences(text: str) -> list[str]:
    return [sentence for sentence in re.split(r"(?<=[.!?])\s+|\n+", text) if sentence.strip()]


def read(path: Path) -> ComparedScenario:
    """A published scenario: the prose of its story, the first column of its objects, its answer, its bold leads."""
    text = re.sub(r"[`_]", "", path.read_text(encoding="utf-8"))
    story = _section(text, "Scenario")
    prose = "\n".join(line for line in story.splitlines() if not line.startswith(("|", "#", "---")))
    table = re.search(
        r"^\|\W*(?:object|resource|item|tool|material|equipment|component|asset).*\n\|.*\n((?:\|.*\n?)+)",
        story,
        re.IGNORECASE | re.MULTILINE,
    )
    answer = re.search(r"^\*\*Correct (?:Answer|Outcome)\*\*: *(.*)", text, re.MULTILINE)
    leads = re.findall(r"^\s*(?:\d+\.|-)?\s*\*\*(.+?)\*\*", _section(text, "Key Insights"), re.MULTILINE)
    return ComparedScenario(
        path.stem,
        prose.replace("*", ""),
        tuple(row.split("|")[1].strip(" *") for row in table.group(1).splitlines()) if table else (),
        answer.group(1) if answer else "",
        tuple(leads),
    )


def _section(text: str, title: str) -> str:
    found = re.search(rf"^(##+) {title}.*\n((?:(?!^##? ).*\n?)*)", text, re.MULTILINE)
    return found.group(2) if found else ""


if __name__ == "__main__":
    main()
