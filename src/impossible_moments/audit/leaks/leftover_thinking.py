"""Left-over thinking of the author in the text: restarts, self-corrections, notes to self."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.audit.documents.markdown import MarkdownDocument

_THINKING_PATTERNS: Final = (
    r"(?:^|[.:;(|*]\s*)(?:\*\*)?(?:hmm+|oops|hold on|no wait|scratch that|on second thought)\b",
    r"(?-i:\bWait) (?:--|—)|(?:--|—) wait,|\? No, still\b|\brevised (?:timeline|total|schedule|sequence)\b\s*:|(?-i:\bRevised): ",
    r"(?:^|[.;(|*]\s*)(?:\*\*)?wait\b\s*(?:,|--|—|–|!|\.\.\.|\. (?:let|this|that|actually|re|the|i)\b)|\.\.\. ?wait\b",
    r"\b(?:let me|let us|let's|i(?:'ll| will| should| need to| must)?) (?:re-?(?:calculat|comput|check|consider|examin|think|do|work|verif|phras|calibrat|evaluat|visit)\w*)",
    r"\blet me (?:check|verify|compute|calculate|think|fix|correct|try|adjust|clarify|redo|see|use)\b",
    r"(?:^|[.!?|*)]\s+|\n|[-*]\s+)(?:\*\*)?actually[,:]",
    r"\bthis (?:seems|looks|is) (?:far |much |way )?too (?:high|low|large|small|big|fast|slow)\b[^.]{0,40}(?:\.|,) ?(?:let|actually|so we|re-?)",
    r"(?:^|[.|(*]\s*)(?:\*\*)?(?:correction|corrected|recalculat(?:ing|ion)|re-?checking|revised (?:calculation|estimate|key insight|approach|plan|answer|solution))(?:\*\*)?\s*:",
    r"\brevised key insight\b",
    r"\b(?:TODO|FIXME|XXX|TBD)\b",
    r"\bi (?:made|think i|was wrong|mis(?:calculated|read|took)|meant|realize|forgot)\b",
    r"\b(?:that|this) (?:is not right|isn't right|is wrong|can't be right|cannot be right|doesn't work|does not work)\b[.,]? ?(?:let|so|actually|we need|instead|try)",
    r"\bwe need (?:a different|another|a narrower|a new) (?:\w+ ){0,3}(?:approach|mechanism|idea|solution|value|tube|number)",
    r"\bfor the scenario to work (?:as intended|we)\b",
    r"\bbut wait\b|\bre-?reading the (?:scenario|setup|problem|prompt)\b|\.\.\. ?no, (?:that|this|it)\b|\bmy (?:table|calculation|estimate) above\b",
    r"\bi need to (?:reconfigure|rework|revise|rewrite|redesign|fix|adjust)\b|\bcorrected (?:reading|calculation|version|approach|analysis)\b",
    r"\bfinal (?:clean version|concept revision|scenario concept|resolution of the (?:physics|problem|scenario))\b|\bsimplest correct approach\b",
    r"\bthis is (?:far |much |way )?too (?:slow|fast|high|low|weak|short|long)\b[^.]{0,40}\. (?:HOWEVER|BUT|However, if we|But if we)\b",
    r"\bthis seems (?:very|too|quite|far too|suspiciously) (?:low|high|small|large)\b|(?-i:\bCorrecting): |\bover-?complicates (?:it|things|this)\b|\bthis does not validate\b",
    r"\bthe original concept (?:says|was|said)\b",
    r"\b(?:re-?doing|starting over|try again|trying again)\b[:.,]",
)
_THINKING_EXPRESSIONS: Final = tuple(
    re.compile(pattern, re.IGNORECASE if "TODO" not in pattern else 0) for pattern in _THINKING_PATTERNS
)
_DOUBT_PATTERNS: Final = (
    # repeated or improved statements
    r"(?i:\bre-?(?:calculat|comput|check|evaluat|examin|think|consider|assess|estimat)(?:ing|e|ed)?\b\s*[:,])",
    r"(?i:\b(?:or rather|better yet|more (?:precisely|accurately|realistic(?:ally)?|careful(?:ly)?))\b\s*[:,]|(?:^|[.;)|]\s+)\**better\**:)",
    (
        r"(?i:\b(?:adjusted|updated|simplified|improved|modified|refined|final|revised|new) (?:approach|plan|calculation|estimate|design|scenario|solution|"
        r"sequence|method|timeline|version|total|answer|analysis)\s*\**\s*:)"
    ),
    # an approach that is tried and given up
    r"(?i:[.;)]\s+\**alternative(?:ly)?\**\s*[:,])|\b(?:BUT|HOWEVER)\b",
    (
        r"\b(?i:insufficient|problematic|unrealistic|implausible|not (?:enough|viable|sufficient|feasible)|too (?:short|slow|weak|long|low|high|small|large|heavy)|short)\b"
        r"[^.|]{0,40}[.;)]\s+\**(?:However|But|Instead|Better|So instead)\b"
    ),
    # notes to self
    r"\?\s+\**(?:No|Hmm|Not quite|Well|Maybe|Perhaps)\b[,.:; -]|(?i:(?:--|—)\s*(?:no|well|or rather|correction)\b[,:])",
    r"(?i:\blet me\b|\blet(?:'s| us) (?:say|assume|use|take|set|try|call|keep|make)\b)|\bI (?:think|believe|chose|used|assumed|guess|suppose)\b",
    r"(?i:\bwe(?:'ll| will| need to| must| should| can| have to)? (?:assume|adjust|reconsider|redefine|simplify|interpret|specify|pick)\b)",
    # open ends
    r"(?i:=\s*(?:requires?|needs?|unknown)\b|\?\?+|\.\.\.\s+(?:so|but|no|or)\b)",
    r"(?i:\b(?:needs?|should|must|has) (?:to )?be (?:verified|re-?checked|adjusted|recalculated|revised|clarified)\b)",
    r"(?i:\bdo(?:es)?(?: not|n't) (?:add up|work out|make sense|balance)\b)",
)
_DOUBT_EXPRESSIONS: Final = tuple(re.compile(pattern) for pattern in _DOUBT_PATTERNS)
_WEAK_DOUBT: Final = re.compile(
    r"(?:^|[.!?:)*]\s+)\**(?:But|However|Actually|Alternatively|Hence|Still|Instead)\b|\?|\b(?:we|I|my|our|us)\b|\bthe scenario\b|"
    r"\b(?:impractical|too (?:slow|low|high|small|large|short|long)|not (?:enough|how)|final|simplest|correct(?:ed)?|revised?|reconsider\w*)\b",
    re.IGNORECASE,
)
_QUOTED_SPEECH: Final = re.compile(r"[\"“][^\"”]*[\"”]")


@dataclass(frozen=True, slots=True)
class AuthorRemark:
    """Left-over remark of the author."""

    line: int
    quote: str


def find_author_remarks(document: MarkdownDocument) -> Iterator[AuthorRemark]:
    """Yield left-over remarks, at most one per line. Text in quotation marks is ignored as direct speech."""
    yield from _find_matching_lines(document, _THINKING_EXPRESSIONS)


def find_possible_author_remarks(document: MarkdownDocument) -> Iterator[AuthorRemark]:
    """Yield lines that seem to correct themselves or leave something open, but may be meant for the reader.

    In a section that contains a certain remark, weaker patterns are sufficient.
    """
    certain = {remark.line for remark in find_author_remarks(document)}
    lines_beside_remarks = {
        line.number
        for section in document.sections
        if any(line.number in certain for line in section.lines)
        for line in section.lines
    }
    remarks = {
        remark.line: remark
        for remark in _find_matching_lines(document, (_WEAK_DOUBT,))
        if remark.line in lines_beside_remarks
    }
    remarks |= {remark.line: remark for remark in _find_matching_lines(document, _DOUBT_EXPRESSIONS)}
    yield from (remarks[line] for line in sorted(remarks) if line not in certain)


def _find_matching_lines(
    document: MarkdownDocument, patterns: tuple[re.Pattern[str], ...]
) -> Iterator[AuthorRemark]:
    for line in document.lines:
        text = _QUOTED_SPEECH.sub('""', line.text)
        match = next((found for pattern in patterns if (found := pattern.search(text))), None)
        if match is not None:
            yield AuthorRemark(line.number, text[max(0, match.start() - 10) : match.end() + 60].strip())
