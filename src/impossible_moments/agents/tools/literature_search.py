"""Keyword search for works and benchmarks in the checked bibliography."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Final

from pydantic import Field

from impossible_moments.agents.tools.argument_checks import (
    ToolRefusal,
    find_similar_names,
    require_positive_integer_argument,
    require_text_argument,
)
from impossible_moments.agents.tools.tool_results import Data
from impossible_moments.library import (
    CitedWork,
    ExistingBenchmark,
    load_existing_benchmarks,
    load_research_works,
)

LONGEST_TOPIC: Final = 300
MOST_WORDS: Final = 16
MOST_WORKS: Final = 20
MOST_BENCHMARKS: Final = 12
_SHARED_PREFIX_LENGTH: Final = 5
"""Letters that two words must share at the start to count as forms of one word."""
_ENDINGS: Final = (
    "ations",
    "ation",
    "nesses",
    "ness",
    "ings",
    "ing",
    "ions",
    "ion",
    "ities",
    "ity",
    "ies",
    "als",
    "al",
    "ed",
    "es",
    "ly",
    "e",
    "y",
    "s",
)
_COMMON_WORDS: Final = frozenset(
    "a an and are as at be by can do does for from has have how in into is it its of on or that the their this to "
    "was what when where which who why with".split()
)

Topic = Annotated[
    str, Field(description="A few words that describe the topic, as in `functional fixedness tools`.")
]


def find_works(
    *,
    topic: Topic,
    limit: Annotated[int, Field(description=f"Number of works to list, 1 to {MOST_WORKS}.")] = 8,
) -> Data:
    """Find works in the bibliography by words of their title, venue, keywords, findings and authors. Only these works can be cited."""
    keywords, most_results = (
        _parse_topic(topic),
        require_positive_integer_argument(limit, "limit", MOST_WORKS),
    )
    found = _rank_matches(
        keywords, {key: _weight_work_fields(work) for key, work in load_research_works().items()}
    )
    data: Data = {
        "matching": len(found),
        "works": [_describe_work(load_research_works()[key]) for key in found[:most_results]],
    }
    return data if found else {**data, "note": _suggest_keywords(keywords)}


def find_benchmarks(
    *,
    topic: Topic,
    limit: Annotated[int, Field(description=f"Number of benchmarks to list, 1 to {MOST_BENCHMARKS}.")] = 6,
) -> Data:
    """Find existing benchmarks by words of their name, of what they test and leave untested, and of similar scenario categories."""
    keywords, most_results = (
        _parse_topic(topic),
        require_positive_integer_argument(limit, "limit", MOST_BENCHMARKS),
    )
    found = _rank_matches(
        keywords, {name: _weight_benchmark_fields(each) for name, each in load_existing_benchmarks().items()}
    )
    data: Data = {
        "matching": len(found),
        "benchmarks": [
            _describe_benchmark(load_existing_benchmarks()[name]) for name in found[:most_results]
        ],
    }
    return (
        data
        if found
        else {**data, "note": f"Nothing matches. The benchmarks are {', '.join(load_existing_benchmarks())}."}
    )


def stem_word(word: str) -> str:
    """Return a word without its ending, so that `planning` and `plans` match."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:  # noqa: PLR2004 - a shorter stem is not a word
            word = word.removesuffix(ending)
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word  # noqa: PLR2004 - plann, fitt


def _parse_topic(topic: object) -> tuple[str, ...]:
    words = _extract_stems(require_text_argument(topic, "topic", LONGEST_TOPIC))[:MOST_WORDS]
    if not words:
        raise ToolRefusal(
            "`topic` has no word to search for; name a subject, as in `insight and mental set`."
        )
    return words


def _extract_stems(written: str) -> tuple[str, ...]:
    words = re.findall(r"[^\W\d_]{2,}", written.lower())
    return tuple(dict.fromkeys(stem_word(word) for word in words if word not in _COMMON_WORDS))


def _rank_matches(keywords: tuple[str, ...], parts: Mapping[str, tuple[tuple[int, str], ...]]) -> list[str]:
    """Return the matching keys, sorted by the number of words matched, then by field weight, then by key."""
    ranked: list[tuple[int, int, str]] = []
    for key, weighted in parts.items():
        stems = [(weight, _extract_stems(written)) for weight, written in weighted]
        best = [
            max((weight for weight, known in stems if _has_matching_stem(word, known)), default=0)
            for word in keywords
        ]
        if any(best):
            ranked.append((-sum(map(bool, best)), -sum(best), key))
    return [key for _, _, key in sorted(ranked)]


def _has_matching_stem(word: str, known: Iterable[str]) -> bool:
    return any(
        word == each
        or (
            min(len(word), len(each)) >= _SHARED_PREFIX_LENGTH
            and (word.startswith(each) or each.startswith(word))
        )
        for each in known
    )


def _weight_work_fields(work: CitedWork) -> tuple[tuple[int, str], ...]:
    return (
        (4, " ".join(work.keywords)),
        (3, work.title),
        (2, work.authors),
        (1, work.fields.get("finding", "")),
        (1, work.venue),
    )


def _weight_benchmark_fields(benchmark: ExistingBenchmark) -> tuple[tuple[int, str], ...]:
    return (
        (4, benchmark.name),
        (3, " ".join(benchmark.categories)),
        (2, benchmark.tests),
        (1, benchmark.lacks),
    )


def _describe_work(work: CitedWork) -> Data:
    return {
        "key": work.key,
        "authors": work.authors,
        "year": work.year,
        "title": work.title,
        "venue": work.venue,
    }


def _describe_benchmark(benchmark: ExistingBenchmark) -> Data:
    return {
        "name": benchmark.name,
        "year": benchmark.year,
        "cite": benchmark.cite,
        "tests": benchmark.tests,
        "lacks": benchmark.lacks,
        "categories": list(benchmark.categories),
    }


def _suggest_keywords(topic_words: tuple[str, ...]) -> str:
    keywords = sorted({word for work in load_research_works().values() for word in work.keywords})
    close = list(dict.fromkeys(each for word in topic_words for each in find_similar_names(word, keywords)))
    hint = (
        f"Similar keywords are {', '.join(close[:8])}."
        if close
        else f"Some keywords are {', '.join(keywords[:30])}."
    )
    return f"No work matches. {hint}"
