"""Comparison of an answer's last line with the stated outcome, word by word: same, different, or for review.

This is a weak measure. Right answers in other words are mostly left for review. An answer scores 0 only if it
clearly differs from the outcome.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from impossible_moments.evaluation.answers.answer_parser import AnswerVerdict
from impossible_moments.evaluation.imported_scenarios.stated_keys import StatedKey
from impossible_moments.mechanics.wording import extract_word_stems

WEAK: Final = (
    "compared with a stated outcome word by word, which is a weak measure; nothing was executed or judged"
)
LAST_LINES: Final = 3
"""Number of last lines searched for the answer line, since a code fence may be closed after it."""
MOST_WORDS: Final = 60
"""Maximum words of the answer line; a longer one may name every possible answer."""
LEAST_SAME_SHARE: Final = 0.6
"""Least share of an outcome's distinctive words in an answer that says the same."""
LEAST_DIFFERENCE: Final = 0.2
"""Least difference between the shares of the outcome and of any wrong answer."""
MOST_WRONG_SHARE: Final = 0.34
"""Share of the outcome below which a match with a wrong answer is clear."""
LEAST_POINT: Final = 0.35
"""Least share of an answer's own words that must match, so that listing everything does not count."""
PAIR_LENGTH: Final = 2
"""Least number of words that must match; a single number is enough."""
_LINE: Final = re.compile(r"[\s>*_#`-]*ANSWER[\s*_`]*[:=][\s*_`]*(.*?)[\s*_`]*", re.IGNORECASE)
_VERDICT: Final = re.compile(
    r"(?:it is |this is )?(?:(not (?:possible|solvable))|(solvable|possible)|(impossible|unsolvable)|(contested|disputed)|"
    r"(open)(?! (?:the|a|an|it|up|both|all)\b))\b",
    re.IGNORECASE,
)
_IN_OUTCOME: Final[Mapping[AnswerVerdict, re.Pattern[str]]] = {
    AnswerVerdict.IMPOSSIBLE: re.compile(
        r"\bimpossib\w+|\bcannot\b|\bunsolvable\b|\bno way\b", re.IGNORECASE
    ),
    AnswerVerdict.CONTESTED: re.compile(r"\bcontested\b|\bdisput\w+|\bdisagree", re.IGNORECASE),
    AnswerVerdict.OPEN: re.compile(
        r"\bopen[ -]frontier\b|\bno (?:\w+ ){0,3}(?:solution|approach)\b|\bunsolved\b", re.IGNORECASE
    ),
}
_CLAUSE: Final = re.compile(r"--|[—–;:.]")
"""End of the clause in which an outcome states its verdict."""
_BY_STATUS: Final = {"PX": AnswerVerdict.IMPOSSIBLE, "CT": AnswerVerdict.CONTESTED, "OF": AnswerVerdict.OPEN}
_NEGATED_PHRASE: Final = re.compile(
    r"\b(?:not|never|without|instead of|rather than|nor|don't|no)\b[^,;:.()—–]*?(?=[,;:.()—–]|--|$|\bbut\b)",
    re.IGNORECASE,
)
_RIGHT: Final = re.compile(r"(?:correct|full|excellent|right|complete|best)", re.IGNORECASE)
_FALSE: Final = re.compile(r"(?:wrong|incorrect|fail|false)", re.IGNORECASE)
_COMMON_WORDS: Final = frozenset(
    """use using make build get go put take do does let then first after before while will can could would should must only
    way not no solvable impossible contested open possible answer""".split()
)


class OutcomeMatch(StrEnum):
    """Result of comparing an answer with the stated outcome."""

    SAME = "same"
    OTHER = "other"
    REVIEW = "review"


@dataclass(frozen=True, slots=True)
class OutcomeComparison:
    """The result of a comparison, with the reason."""

    outcome_match: OutcomeMatch
    why: str


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """The answer line at the end of an answer: verdict and text."""

    verdict: AnswerVerdict
    text: str


def parse_answer_line(answer: str) -> AnswerLine | None:
    """Parse the line `ANSWER: ...` at the end of an answer; return None if there is none."""
    lines = [each for each in answer[-20_000:].splitlines() if each.strip()][-LAST_LINES:]
    found = next((match for each in reversed(lines) if (match := _LINE.fullmatch(each[:4_000]))), None)
    if found is None:
        return None
    verdict_match = _VERDICT.match(found[1])
    if verdict_match is None:
        return AnswerLine(AnswerVerdict.NONE, found[1])
    kinds = (
        AnswerVerdict.IMPOSSIBLE,
        AnswerVerdict.SOLVABLE,
        AnswerVerdict.IMPOSSIBLE,
        AnswerVerdict.CONTESTED,
        AnswerVerdict.OPEN,
    )
    verdict = next(kind for kind, part in zip(kinds, verdict_match.groups(), strict=True) if part)
    return AnswerLine(verdict, found[1][verdict_match.end() :].lstrip(" *_`-–—:;,."))


def compare_with_stated_outcome(answer: str, key: StatedKey) -> OutcomeComparison:
    """Compare the last line of an answer with the outcome that a key states."""
    if not answer.strip():
        return OutcomeComparison(OutcomeMatch.OTHER, "nothing was answered")
    line = parse_answer_line(answer)
    if line is None:
        return OutcomeComparison(OutcomeMatch.REVIEW, "it does not end with a line `ANSWER: ...`")
    if len(line.text.split()) > MOST_WORDS:
        return OutcomeComparison(OutcomeMatch.REVIEW, f"its last line has more than {MOST_WORDS} words")
    first = _CLAUSE.split(key.outcome, maxsplit=1)[0]
    expected = {verdict for verdict, pattern in _IN_OUTCOME.items() if pattern.search(first)}
    usual = _BY_STATUS.get(key.main_status)
    if usual is not None and expected:
        return _compare_verdict_with_outcome(line, expected | {usual}, key)
    return _compare_words_with_outcome(line, key, gives_up=usual is None)


def _compare_verdict_with_outcome(
    line: AnswerLine, expected: set[AnswerVerdict], key: StatedKey
) -> OutcomeComparison:
    verdicts = " or ".join(sorted(expected))
    if line.verdict in expected:
        return OutcomeComparison(OutcomeMatch.SAME, f"it says {line.verdict}, as the outcome does")
    if (
        line.verdict is AnswerVerdict.SOLVABLE
        and expected == {AnswerVerdict.IMPOSSIBLE}
        and _compute_largest_share_of_asserted_words(line.text, _iterate_right_answers(key))
        < MOST_WRONG_SHARE
    ):
        return OutcomeComparison(OutcomeMatch.OTHER, "it says solvable where the outcome says impossible")
    if _compute_largest_share_of_asserted_words(line.text, _iterate_wrong_answers(key)) >= LEAST_SAME_SHARE:
        return OutcomeComparison(OutcomeMatch.OTHER, "it is one of the known wrong answers")
    return OutcomeComparison(OutcomeMatch.REVIEW, f"it says {line.verdict} where the outcome says {verdicts}")


def _compare_words_with_outcome(line: AnswerLine, key: StatedKey, *, gives_up: bool) -> OutcomeComparison:
    line_words = extract_word_stems(line.text)
    if (
        line_words
        and line_words == extract_word_stems(key.outcome)
        and line.verdict is not AnswerVerdict.IMPOSSIBLE
    ):
        return OutcomeComparison(OutcomeMatch.SAME, "it is the outcome, word for word")
    right = _compute_largest_share_of_asserted_words(line.text, _iterate_right_answers(key))
    wrong_share = _compute_largest_share_of_asserted_words(line.text, _iterate_wrong_answers(key))
    if gives_up and line.verdict is AnswerVerdict.IMPOSSIBLE:
        if right >= LEAST_SAME_SHARE:
            return OutcomeComparison(OutcomeMatch.REVIEW, "it says impossible in the words of the outcome")
        return OutcomeComparison(OutcomeMatch.OTHER, "it says impossible where the outcome is a solution")
    shares = f"{right:.0%} of the outcome's words, {wrong_share:.0%} of a wrong answer's"
    if right >= LEAST_SAME_SHARE and right - wrong_share >= LEAST_DIFFERENCE:
        return OutcomeComparison(OutcomeMatch.SAME, shares)
    if wrong_share >= LEAST_SAME_SHARE and right < MOST_WRONG_SHARE:
        return OutcomeComparison(OutcomeMatch.OTHER, shares)
    return OutcomeComparison(OutcomeMatch.REVIEW, shares)


def _iterate_right_answers(key: StatedKey) -> Iterator[str]:
    yield key.outcome
    yield from (each.response for each in key.criteria if _RIGHT.match(each.score))


def _iterate_wrong_answers(key: StatedKey) -> Iterator[str]:
    yield from (each.response for each in key.wrong_answers)
    yield from (each.response for each in key.criteria if _FALSE.match(each.score))


def _compute_largest_share_of_asserted_words(text: str, others: Iterator[str]) -> float:
    """Return the largest share of another text's distinctive words that a text asserts, denying none."""
    asserted, denied = _split_asserted_and_denied_words(text)
    best = 0.0
    for other in others:
        words, _ = _split_asserted_and_denied_words(other)
        common = words & asserted
        number = any(each.isdigit() and len(each) > 1 for each in common)
        is_concise = bool(asserted) and len(common) >= LEAST_POINT * len(asserted)
        if words and is_concise and not words & denied and (len(common) >= PAIR_LENGTH or number):
            best = max(best, len(common) / len(words))
    return best


def _split_asserted_and_denied_words(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the distinctive words that a text asserts, and those that it only denies."""
    denied = extract_word_stems(" ".join(_NEGATED_PHRASE.findall(text)))
    asserted = extract_word_stems(_NEGATED_PHRASE.sub(" ", text)) - _COMMON_WORDS
    return asserted, denied - asserted - _COMMON_WORDS
