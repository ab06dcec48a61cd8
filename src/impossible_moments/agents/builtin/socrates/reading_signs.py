"""Signs in a text that bear on its solution status: what a careful first reader notices, with a weight for each.

A sign is a pattern of ordinary English, not of any one scenario. Its weights are natural logarithms of how much
likelier the sign is made by a text of that status than by another. They are judgements of a reader, rounded to
halves. They were set while reading scenarios of some skins and measured on others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import log
from typing import Final

from impossible_moments.agents.builtin.socrates.text_facts import TextFacts
from impossible_moments.domain.vocabulary import Status

_SHARES: Final[Mapping[Status, float]] = {"KS": 260, "CT": 80, "OF": 65, "PX": 55, "MT": 25, "DG": 15}
"""Specification 7.3: the planned number of scenarios of each status. A reader knows what is usual."""
PRIOR: Final[Mapping[Status, float]] = {
    status: log(count / sum(_SHARES.values())) for status, count in _SHARES.items()
}


@dataclass(frozen=True, slots=True)
class ReadingSign:
    """A kind of passage, what it tells a reader, and what its presence and absence weigh for each status."""

    name: str
    pattern: re.Pattern[str]
    meaning: str
    weights: Mapping[Status, float]
    absent: Mapping[Status, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NoticedSign:
    """A sign that was found, with the passage in which it stands."""

    sign: ReadingSign
    passage: str


def _compile(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE)


# fmt: off
SIGNS: Final = (
    ReadingSign("stated dispute",
        _compile(r"opinions? (?:differ|are divided)", r"\bdisagree\w*", r"\bdisput\w+", r"\bcontested\b", r"\bunsettled\b",
                 r"\bboth have (?:tables|data|proofs?)", r"\b(?:swears?|says?|finds?|has|reports?)\b[^.;]{3,60}[;,] (?:the other|another|her colleague|his rival|the second)\b"),
        "the text reports a figure or a finding on which informed people differ", {"CT": 3.0, "OF": 0.5}, absent={"CT": -1.5}),
    ReadingSign("limit of what is known",
        _compile(r"\bon record\b", r"\bpublished\b", r"\bin print\b", r"\bever (?:shown|proved|been|made|built|flown|measured|kept)\b",
                 r"\b(?:best|highest|longest|lowest|fastest|greatest) (?:\w+ ){0,4}(?:known|shown|proved|published|reported|recorded|in print)",
                 r"\bnobody (?:alive|has ever|has yet|knows how|knows why)", r"\bno (?:one|laboratory|method|machine) (?:has|is known|in the world)", r"\bso far\b"),
        "a figure is given as the best that has been reached anywhere", {"OF": 1.0, "DG": -0.5}),
    ReadingSign("asks for a specification",
        _compile(r"\b(?:what|how (?:good|many|small|long|much|little|far|often|high|big|fast))\b[^.?!]{0,80}\b(?:would|must|should|have to|needs? to)\b[^.?!]*\?",
                 r"\bwhat would (?:one|it|you|a)\b", r"\bmust be able to\b", r"\bwould have to (?:be|do|show|hold|last|give)\b",
                 r"\b(?:in|your) (?:figures|numbers)\b", r"\bnumbers, please\b", r"\bby what (?:share|rule|means|mechanism|factor)\b"),
        "it asks what an answer would have to achieve and not which of the things to use", {"OF": 2.0, "DG": -1.0}, absent={"OF": -1.0}),
    ReadingSign("closed rule",
        _compile(r"\bno exceptions?\b", r"\bwithout (?:any )?exception", r"\bmet by nothing else\b", r"\bcannot be complied\b", r"\bclosely watched\b",
                 r"\b(?:in|by) writing\b[^.]{0,40}\b(?:no|nor|shall not)\b", r"\bnor (?:may|be|can|shall)\b", r"\bsearche?s? every\b",
                 r"\b(?:guards?|launch|deacon|sergeant|officer|inspector)\b[^.]{0,30}\b(?:posted|stands|sits|sitting|both|every|either)\b"),
        "a rule is closed against exceptions and watched", {"PX": 2.0, "MT": -1.0, "DG": -0.5}, absent={"PX": -0.5}),
    ReadingSign("insistence that a way must exist",
        _compile(r"\bmust (?:fit|come out|be good for|be a (?:pair|way|combination)|exist)\b", r"\bsomewhere among\b", r"\bsomething must\b", r"\bso many of (?:them|it)\b",
                 r"\bcan't all be wrong\b", r"\bin any order\b", r"\bsome (?:mixture|combination|way)\b[^.]{0,30}\b(?:must|has to)\b", r"\bthere (?:has|have) to be\b",
                 r"\bin what order\b", r"\btake what you like\b"),
        "bystanders insist that some combination must work", {"PX": 1.5, "DG": -0.5}),
    ReadingSign("retold with a difference",
        _compile(r"\blast (?:time|week|month|year|spring|summer|autumn|winter|night)\b", r"\bme again\b", r"\bsame (?:\w+ ){1,2}(?:again|as before)\b", r"\bsame \w+, (?:same|next|different|new|another)\b",
                 r"\bsecond (?:night|story|voyage|instance|stroke|visit|evening|time|act|dive|letter)\b", r"\bnext (?:summer|year|season|evening)\b",
                 r"\ba (?:week|month|year) (?:later|older|on)\b", r"\byear after\b", r"\bby request\b", r"\bpostscript\b", r"\bannex\b", r"\banother one\?", r"\bas before\b", r"\bas ever\b", r"\bonce more\b", r"\bhave (?:read|learn\w+|heard) [^.]{0,30}(?:too|trick)\b"),
        "an earlier success is recalled, so that its trick is known and may not serve again", {"PX": 1.0, "DG": 1.5, "MT": -0.5}),
    ReadingSign("learned fuss",
        _compile(r"\bcommittee\b", r"\bprofessor\b", r"\btheor(?:y|em|ies)\b", r"\bcalculations?\b", r"\b(?:you have|you've|had) (?:prepared|rehearsed|read (?:up|blogs|books))", r"\blectures?\b", r"\bexperts?\b", r"\bblogs?\b", r"\bauthorities\b", r"\bblueprints?\b", r"\bplan of campaign\b"),
        "learned people make much of the matter", {"DG": 1.0, "OF": 0.5}),
    ReadingSign("ignored remark",
        _compile(r"\bwas (?:asked|told|made) to wait\b", r"\b(?:he|she|it|they) (?:only |just )?(?:waits|taps|coughs|points|nods|glitters)\b", r"\bnobody (?:looks|looked|listens|listened|reads|tried|has tried|pushed|turned)\b", r"\bcan wait\b",
                 r"\bone moment\b", r"\bby the way\b", r"\bfor completeness\b", r"\bbeside the (?:hat|door|cap)\b", r"\b(?:simply|just) (?:push|open|ask|read|walk|send|pull)\b", r"\bstanding open\b", r"\bis (?:not|n't) even (?:locked|shut)\b", r"\bunlocked\b", r"\bfull to the\b"),
        "something plain is mentioned in passing and nobody attends to it", {"DG": 2.0}, absent={"DG": -0.5}),
)
# fmt: on


def find_signs(facts: TextFacts) -> tuple[NoticedSign, ...]:
    """Return the signs of the text, each once with the first passage in which it stands."""
    passages = (*facts.sentences, facts.threat, facts.position, *facts.rows)
    return tuple(_find_first_passages(passages))


def _find_first_passages(passages: tuple[str, ...]) -> Iterator[NoticedSign]:
    for sign in SIGNS:
        passage = next((each for each in passages if sign.pattern.search(each)), None)
        if passage is not None:
            yield NoticedSign(sign, passage)


BELIEF_WEIGHT: Final[Mapping[Status, float]] = {"MT": 3.0}
BELIEF_ABSENT: Final[Mapping[Status, float]] = {"MT": -1.0}
_REPORTED: Final = _compile(
    r"\b(?:always|has|have|had) (?:said|held|sworn)\b", r"\bsaid what\b", r"\b(?:every child|every (?:sailor|cook|mason|driver|farmer)|everybody|everyone|people|they|old \w+|(?:my|your|his|her) (?:father|mother|uncle|aunt|grand\w+))\b[^.]{0,40}\b(?:knows?|says?|said|can say|tells?|swears?)\b",
    r"\bas (?:everyone|everybody|any \w+) knows\b", r"\b(?:the )?saying\b", r"\bproverb\b", r"\bcreed\b", r"\bcustom\b", r"\btradition\b", r"\bhabit\b", r"\bused to\b",
    r"\b(?:rule|card|notice|agenda|sentence|motto|line)\b[^.]{0,30}\b(?:on the wall|on the card|above the|has said|reads?|says?)\b", r"\breads? from (?:the|a) card\b", r"\bI was told\b", r"\bwas told by\b", r"\bask any(?:one|body)\b", r"\bsince (?:I|he|she|they|the war|anyone)\b", r"\bonly said\b", r"\bon a day like this\b", r"\bno(?:body| one) (?:ever|here)\b",
)  # fmt: skip
_RESTRICTIVE: Final = re.compile(
    r"\b(?:never|nobody|no one|no|not|nothing|none|always|only|without|must|stays?|needs?|belongs?|where [^.]{3,30} goes?|whatever|when [^.]{3,30} (?:goes|comes))\b",
    re.IGNORECASE,
)
_IMPOSED: Final = re.compile(
    r"\b(?:law|order|decree|fine[ds]?|penalt\w+|struck off|inspect\w*|police|guard\w*|court|statute|regulation\w*|clause|contract|insured|licen[cs]e\w*|signed|stamp\w*|watched|searche[sd]?)\b",
    re.IGNORECASE,
)


def find_reported_belief(facts: TextFacts) -> str:
    """Return a sentence that restricts what may be done only by reporting a belief or a custom, or an empty string.

    A sentence that names an authority or a sanction imposes its restriction and is not returned. Of several
    the shortest is returned, because a premise is usually one plain sentence.
    """
    found = [
        sentence
        for sentence in facts.sentences
        if _REPORTED.search(sentence)
        and _RESTRICTIVE.search(sentence)
        and not _IMPOSED.search(sentence)
        and not re.search(r"\d", sentence)
    ]
    return min(found, key=len, default="")
