"""Leaks: the answer, the status, the insight or wrong answers in the text that is shown to a solver.

The whole document up to the solution is shown. The published template itself contains status, outcome and
wrong answers, which leak the answer too. The blind presentation omits them, so a blind audit checks only the
text of the scenario.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.audit.documents.markdown import (
    MarkdownDocument,
    MarkdownLine,
    MarkdownSection,
    strip_emphasis,
)
from impossible_moments.audit.documents.parts import (
    INSIGHTS,
    LOOKS_IMPOSSIBLE,
    WRONG_ANSWERS,
    DocumentParts,
    find_last_header_line,
)

_ANSWER: Final = re.compile(
    r"^(?:correct |expected |intended |verified )?(?:answer|outcome|solution)$", re.IGNORECASE
)
_STATUS: Final = re.compile(r"^(?:solution )?status$|^solvab", re.IGNORECASE)
_REVEALING_PHRASE: Final = re.compile(
    r"\b(?:distractors?|red herrings?|decoys?)\b|\b(?:most|many|some|AI|language) (?:models|solvers|systems)\b|\bmodels (?:will|may|often|tend|might)\b|"
    r"\bthe (?:intended |correct |verified )?solution (?:is|does|requires|lies|depends|involves|uses)\b|\bkey insight\b|\bis the mechanism\b|"
    r"\bcritical property\b|\b(?:this|which) is the (?:key|trick|answer)\b|\bcorrect answer\b",
    re.IGNORECASE,
)
DISMISSES: Final = re.compile(
    r"\bnot (?:an option|viable|hard enough|strong enough|suitable|useful|practical|effective|sufficient|relevant|directly useful|"
    r"load-bearing|enough for|applicable|designed for)\b|\binsufficient\b|\binadequate\b|\bunnecessary\b|\buseless\b|\birrelevant\b|"
    r"\b(?:useful only|only useful|nothing useful|no use|less effective|not the immediate)\b|\bcannot (?:be completed|operate)\b|"
    r"\b(?:will not|won't) work\b|\bdoes not (?:help|solve)\b|\bphysically impossible\b|\bevery known \w+ (?:\w+ )?fails\b|"
    r"\btoo (?:weak|short|small|slow|thin|heavy|soft|dull) (?:to|for)\b",
    re.IGNORECASE,
)
SUGGESTING_PHRASE: Final = re.compile(
    r"\bcan be (?:used|swung|heated|leached|melted|burned|bent|shaped|repurposed|turned|torn|unscrewed|removed|crushed|dissolved|magnetized)\b|"
    r"\b(?:could|might|may) be (?:used|useful|repurposed)\b|\b(?:suitable|ideal|perfect|useful) (?:for|as)\b|\bsturdy enough\b|"
    r"\bcontrolled method\b|\b(?:key|critical) (?:property|detail|capability|point|fact)\b|\bdo(?:es)? not need to\b|\bnot independent\b|"
    r"\bcould serve\b|\b(?:serves?|works|acts|doubles|functions) as\b|\bmakes? (?:it|them) (?:ideal|useful|suitable)\b|"
    r"\bor (?:does|is|are|so) (?:it|they)\b|\bthe real (?:danger|problem|issue|question)\b|\bthis is exactly\b",
    re.IGNORECASE,
)
_ABILITY: Final = re.compile(r"\|?\s*\**(?:can|able to|knows how to)\b", re.IGNORECASE)
_EXPLAINING_PHRASE: Final = re.compile(
    r"\b(?:most|many|some|AI|language|these|frontier) (?:models|solvers|people|humans|systems|LLMs)\b|\bmodels (?:will|may|often|tend|might|must|should)\b|"
    r"\b(?:a|the) (?:model|solver) (?:will|may|must|might|that|should)\b|\b(?:solution|answer|insight|trick|key is|the key|root cause|in fact|"
    r"the real|reframe|recogni[sz]e|reali[sz]e|(?:the|a) trap|the catch|overlook\w*|miss(?:es)? that|hidden assumption|open[- ]frontier|"
    r"no known)\b",
    re.IGNORECASE,
)
_BOLD: Final = re.compile(r"\*\*([^*]{25,400})\*\*")
_COMMON_WORDS: Final = frozenset(
    """
    about after also around because been before being between both cannot could does down each even
    every from have here into just kept less like make many more most much must near need none only onto
    other over same should some such take than that their them then there these they this those through
    under until upon very what when where which while will with within without would your yourself
    """.split()
)
MOST_TELLING_LINES: Final = 4
"""Most lines of the scenario that a telling word occurs in. More frequent words describe the situation."""
FEWEST_TELLING_WORDS: Final = 4
FEWEST_TELLING_LETTERS: Final = 9
"""Least number of characters of a meaningful answer or insight."""


@dataclass(frozen=True, slots=True)
class Leak:
    """Line that reveals something about the solution."""

    line: int
    code: str
    what: str
    quote: str


def find_leaks(document: MarkdownDocument, parts: DocumentParts, *, blind: bool = False) -> Iterator[Leak]:
    """Yield all leaks of a document. `blind` restricts the search to the text of the scenario."""
    if not blind:
        yield from _find_header_leaks(document)
        yield from _find_teaser_leaks(document, parts)
    yield from _find_scenario_leaks(document, parts)


def _find_header_leaks(document: MarkdownDocument) -> Iterator[Leak]:
    last = find_last_header_line(document)
    for line, key, value in document.keys:
        if line.number > last or not value:
            continue
        if _ANSWER.match(key):
            yield Leak(
                line.number, "leak.answer", "the answer is shown above the scenario", line.text.strip()
            )
        elif _STATUS.match(key):
            yield Leak(
                line.number, "leak.status", "the status is shown above the scenario", line.text.strip()
            )


def _find_teaser_leaks(document: MarkdownDocument, parts: DocumentParts) -> Iterator[Leak]:
    terms = _collect_insight_stems(document)
    for section in parts.teaser:
        if WRONG_ANSWERS.search(section.title):
            yield Leak(
                section.number,
                "leak.wrong-answers",
                "wrong answers are shown to the solver",
                section.title,
            )
        elif LOOKS_IMPOSSIBLE.search(section.title):
            yield from _find_leaks_in_impossibility_reason(section, terms)


def _find_leaks_in_impossibility_reason(section: MarkdownSection, terms: frozenset[str]) -> Iterator[Leak]:
    message = "the reason why it looks impossible explains the solution or the mistakes of others"
    for line in section.lines:
        match = _EXPLAINING_PHRASE.search(line.text)
        if match is not None:
            yield Leak(section.number, "leak.why", message, _quote_match(line, match))
            return
    shared = extract_word_stems(section.text) & terms
    if len(shared) >= 2 * FEWEST_TELLING_WORDS:
        words = ", ".join(sorted(shared))
        yield Leak(
            section.number,
            "leak.hint",
            f"the reason why it looks impossible uses words of the answer: {words}",
            section.title,
        )


def _find_scenario_leaks(document: MarkdownDocument, parts: DocumentParts) -> Iterator[Leak]:
    terms = _collect_insight_stems(document)
    word_counts = Counter(word for line in parts.scenario for word in extract_word_stems(line.text))
    for line in parts.scenario:
        match = _REVEALING_PHRASE.search(line.text)
        if match is not None:
            yield Leak(
                line.number,
                "leak.given-away",
                "the scenario mentions its own solution or its solvers",
                _quote_match(line, match),
            )
            continue
        shared = {
            word for word in extract_word_stems(line.text) & terms if word_counts[word] <= MOST_TELLING_LINES
        }
        if _ABILITY.match(line.text.strip()) and len(shared) > 1:
            yield Leak(
                line.number,
                "leak.given-away",
                f"an ability is described in words of the answer: {', '.join(sorted(shared))}",
                line.text.strip()[:120],
            )
            continue
        hint = _find_hint_in_line(line, terms, shared)
        if hint is not None:
            yield hint


def _find_hint_in_line(line: MarkdownLine, terms: frozenset[str], shared: set[str]) -> Leak | None:
    dismissed, suggested = DISMISSES.search(line.text), SUGGESTING_PHRASE.search(line.text)
    if dismissed is not None:
        return Leak(
            line.number,
            "leak.hint",
            "an object or approach is called useless in the text shown to the solver",
            _quote_match(line, dismissed),
        )
    if suggested is not None:
        return Leak(
            line.number,
            "leak.hint",
            "a use is suggested in the text shown to the solver",
            _quote_match(line, suggested),
        )
    bold = _BOLD.search(line.text)
    if bold is not None and len(extract_word_stems(bold[1]) & terms) > 1:
        return Leak(line.number, "leak.hint", "words that matter for the solution are in bold", bold[1][:120])
    if len(shared) >= FEWEST_TELLING_WORDS:
        return Leak(
            line.number,
            "leak.hint",
            f"the line uses words of the key insight: {', '.join(sorted(shared))}",
            line.text.strip()[:120],
        )
    return None


def _collect_insight_stems(document: MarkdownDocument) -> frozenset[str]:
    """Return the word stems of the answer and of the names of the insights."""
    return extract_word_stems(" ".join(extract_answer_texts(document))) - {"insight"}


def extract_answer_texts(document: MarkdownDocument) -> tuple[str, ...]:
    """Return the texts of the answer and of the insights, as the document states them."""
    texts = [value for _, key, value in document.keys if _ANSWER.match(key)]
    for section in document.sections:
        if INSIGHTS.search(section.title):
            texts += [
                section.title.partition(":")[2] or section.title,
                *re.findall(r"\*\*([^*]{3,200})\*\*", section.text),
            ]
    return tuple(dict.fromkeys(strip_emphasis(text) for text in texts if len(text) >= FEWEST_TELLING_LETTERS))


def extract_word_stems(text: str) -> frozenset[str]:
    """Return the stems of the content words of a text."""
    words = (
        word for word in re.findall(r"[a-z]{4,}", strip_emphasis(text).lower()) if word not in _COMMON_WORDS
    )
    return frozenset(re.sub(r"(?:ing|ed|es|s|ly|ion)$", "", word) for word in words)


def _quote_match(line: MarkdownLine, match: re.Match[str]) -> str:
    return line.text[max(0, match.start() - 50) : match.end() + 50].strip()
