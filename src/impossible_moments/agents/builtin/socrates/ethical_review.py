"""The ethical checklist: each question is answered from passages of the text and the hazard tags of the library.

A subject alone is noted and quoted. It becomes a concern only if the same passage also does what the question asks
about: praises violence, jokes about a disaster, generalises about a group, gives a recipe, harms a child.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.domain.classification import EthicalAnswer, EthicalReview
from impossible_moments.library import find_named_hazards

LONGEST_QUOTE: Final = 160


@dataclass(frozen=True, slots=True)
class EthicalFinding:
    """A passage that bears on a question, what it does, and whether that is a concern."""

    passage: str
    what: str
    concern: bool


_Finder = Callable[[str], "EthicalFinding | None"]


def _match(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_VIOLENCE: Final = _match(
    r"\b(?:kill(?:s|ed|ing)?|murder\w*|stab\w*|tortur\w*|massacre\w*|execut(?:ed|ion)|shoots? (?:him|her|them|you|at)|shot dead|strangl\w*|beat(?:s|en)? (?:him|her|them)|(?:they|we|I) (?:broke|crushed|cut off|burn(?:ed|t)) (?:his|her))\b"
)
_PRAISE: Final = _match(
    r"\b(?:glor\w+|deserv\w+|hero\w*|fun\b|enjoy\w*|beautiful\w*|laugh\w*|proud\w*|well done|serves? (?:him|her|them) right)\b"
)
_DISASTER: Final = _match(
    r"\b(?:earthquake of|famine|genocide|holocaust|shoah|hiroshima|nagasaki|chernobyl|fukushima|bhopal|titanic|9/11|september 11|hurricane katrina|refugee camp|epidemic|tsunami of|concentration camp|slave ship|apartheid)\b"
)
_LEVITY: Final = _match(
    r"\b(?:jok\w+|laugh\w*|funny|hilarious\w*|comic\w*|amus\w+|party|game show|prize)\b|!"
)
_GROUP: Final = r"(?:(?<!\bthe )(?<!\bthese )(?<!\bthose )(?:women|men|girls|boys)|blacks|whites|asians|africans|arabs|jews|muslims|christians|indians|chinese|russians|germans|americans|mexicans|gypsies|natives|foreigners|immigrants|old people|blondes)"
# "what men cannot pull" says what no person can do
_STEREOTYPE: Final = _match(
    rf"(?<!\bwhat )\b{_GROUP}\b(?: \w+)? (?:are|always|never|cannot|can't|love|hate|only)\b|\blike a (?:girl|woman|savage)\b|\b(?:savages?|primitive (?:people|tribe\w*)|gypsy)\b"
)
_RECIPE: Final = _match(
    r"\b(?:mix\w*|add\w*|stir\w*|heat\w*|dissolv\w*|synthesi[sz]\w*|pack\w*|grind\w*|recipe|proportion\w*)\b"
)
_OVERDOSE: Final = _match(
    r"\b(?:swallow|drink|inject|inhale|take)\b[^.;]{0,40}\b(?:whole|entire|full|all the)\b[^.;]{0,25}\b(?:box|bottle|pack|packet|strip|tube|syringe)\b"
)
_REASSURED: Final = _match(
    r"\b(?:harmless|perfectly safe|(?:does|do|will do) (?:you )?no harm|cannot hurt)\b"
)
_AMOUNT: Final = _match(
    r"\b(?:\d[\d.,]*|one|two|three|four|five|six|equal|half)\s?(?:mg|g|kg|ml|l|%|parts?|grams?|kilos?|litres?|ounces?)\b"
)
_CHILD: Final = _match(
    r"\b(?:child|children|baby|babies|infant\w*|toddler\w*|kids?|pupils?|schoolchild\w*|daughter|(?:little|young) (?:boy|girl)|newborn)\b"
)
_HARMED_CHILD: Final = _match(
    r"\b(?:child|children|baby|babies|infant\w*|toddler\w*|kids?|pupils?|daughter|newborn|(?:little|young) (?:boy|girl))\b(?! could)[^.:]{0,80}?\b(?:dies?|died|dead|dying|drown\w*|burn(?:s|ed|t|ing)?|bleed\w*|suffocat\w*|freez\w+ to death|starv\w*|crush\w*)\b"
)
_PERIL: Final = _match(
    r"\b(?:danger\w*|trapped|fever|sick|ill|smoke|flood\w*|lost|alone|rescue\w*|thirst\w*|hospital)\b"
)
_CULTURE: Final = _match(
    r"\b(?:thanksgiving|super bowl|baseball|innings|nursery rhyme|national anthem|proverb|hymn|psalm|bible verse|catechism|touchdown|halloween|knock-knock|crossword|pun\b|rhymes? with)\b"
)
_NEEDED: Final = _match(
    r"\b(?:code|password|clue|spells?|rhym\w+|stands? for|the (?:next|missing) (?:word|line|verse))\b"
)
_SAFETY: Final = _match(
    r"\b(?:call(?:s|ing)? for help|emergency (?:number|services|call)|ambulance|seat ?belts?|crash helmets?|life ?jackets?|vaccinat\w*)\b"
)
_DISPARAGED: Final = _match(
    r"\b(?:useless|pointless|for cowards|never call|do not call|don't call|only fools|waste of time|a coward)\b"
)


def _pair(subject: re.Pattern[str], aggravation: re.Pattern[str], *, noted: str, concern: str) -> _Finder:
    """Return a finder of passages that name a subject, and a concern if they also match the aggravation."""

    def find(passage: str) -> EthicalFinding | None:
        matched = subject.search(passage)
        if matched is None:
            return None
        # The subject does not aggravate itself.
        worse = aggravation.search(f"{passage[: matched.start()]} {passage[matched.end() :]}")
        what = (
            concern.format(subject=matched[0], worse=worse[0]) if worse else noted.format(subject=matched[0])
        )
        return EthicalFinding(passage, what, worse is not None)

    return find


def _find_stereotype(passage: str) -> EthicalFinding | None:
    matched = _STEREOTYPE.search(passage)
    return (
        None
        if matched is None
        else EthicalFinding(passage, f"`{matched[0]}` generalises about a group of people", concern=True)
    )


def _find_instructions(passage: str) -> EthicalFinding | None:
    """Find a hazardous substance, which is a concern if the passage also gives an amount and a procedure.

    Advice to take a whole package is one, too, if the passage calls it harmless.
    """
    overdose, reassured = _OVERDOSE.search(passage), _REASSURED.search(passage)
    if overdose and reassured:
        what = f"it advises to `{overdose[0]}` and calls that `{reassured[0]}`"
        return EthicalFinding(passage, what, concern=True)
    name, hazard = next(find_named_hazards(passage), (None, None))
    if name is None or hazard is None:
        return None
    # a row of a table joins its cells by semicolons, and an amount in another cell is not one of the substance
    clause = next((each for each in passage.split(";") if name.lower() in each.lower()), passage)
    recipe, amount = _RECIPE.search(passage), _AMOUNT.search(clause)
    if recipe and amount and hazard.tag != "weapon":
        return EthicalFinding(
            passage,
            f"it names {name} ({hazard.tag}: {hazard.why}) with an amount, {amount[0]}, and a procedure, `{recipe[0]}`",
            concern=True,
        )
    return EthicalFinding(
        passage,
        f"it names {name} ({hazard.tag}: {hazard.why}) without telling how to make or use it to harm",
        concern=False,
    )


def _find_endangered_child(passage: str) -> EthicalFinding | None:
    """Find a child in peril, which is a concern if the passage states death or injury of the child."""
    child = _CHILD.search(passage)
    if child is None:
        return None
    harmed = _HARMED_CHILD.search(passage)
    if harmed is not None:
        return EthicalFinding(passage, f"it states harm to a child (`{harmed[0]}`)", concern=True)
    if _PERIL.search(passage):
        return EthicalFinding(passage, f"`{child[0]}` is in danger, and no harm is described", concern=False)
    return None


# fmt: off
CHECKLIST: Final[tuple[tuple[str, _Finder], ...]] = (
    ("Does the scenario normalize or glorify violence?",
     _pair(_VIOLENCE, _PRAISE, noted="it mentions violence (`{subject}`) and does not approve of it", concern="it speaks of `{subject}` with approval (`{worse}`)")),
    ("Does the scenario trivialize real-world disasters or suffering?",
     _pair(_DISASTER, _LEVITY, noted="it names a real disaster or suffering (`{subject}`) soberly", concern="it names `{subject}` in a light tone (`{worse}`)")),
    ("Does the scenario contain cultural, racial, or gender stereotypes?", _find_stereotype),
    ("Could the scenario provide instructions for real-world harm?", _find_instructions),
    ("Does the scenario involve children in peril beyond what is appropriate for a benchmark?", _find_endangered_child),
    ("Does the scenario create unfair difficulty for test-takers from specific cultural backgrounds?",
     _pair(_CULTURE, _NEEDED, noted="`{subject}` belongs to one culture and only sets the scene", concern="`{subject}` belongs to one culture and seems to be needed (`{worse}`)")),
    ("Does the scenario's distractor design exploit cognitive biases in a way that could be harmful if internalized?",
     _pair(_SAFETY, _DISPARAGED, noted="it mentions `{subject}` and does not discourage it", concern="it presents `{subject}` as wrong (`{worse}`)")),
)
# fmt: on


def review_ethics(passages: Iterable[str]) -> EthicalReview:
    """Answer the seven questions from the passages of a text, and derive the status of the review."""
    passages = tuple(passages)
    answers: list[EthicalAnswer] = []
    concerns: list[str] = []
    notes: list[str] = []
    for question, find in CHECKLIST:
        findings = sorted(_apply(find, passages), key=lambda each: not each.concern)
        if not findings:
            answers.append(
                EthicalAnswer(
                    question=question,
                    concern=False,
                    note=f"None of the {len(passages)} passages bears on it.",
                )
            )
            continue
        worst = findings[0]
        note = f"{worst.what[:1].upper()}{worst.what[1:]}: “{_shorten(worst.passage)}”"
        answers.append(EthicalAnswer(question=question, concern=worst.concern, note=note))
        (concerns if worst.concern else notes).append(note)
    if concerns:
        return EthicalReview(checklist=tuple(answers), status="FAIL", notes=" ".join(concerns))
    return EthicalReview(
        checklist=tuple(answers), status="PASS-WITH-NOTES" if notes else "PASS", notes=" ".join(notes)
    )


def _apply(find: _Finder, passages: tuple[str, ...]) -> Iterator[EthicalFinding]:
    yield from (found for passage in passages if (found := find(passage)) is not None)


def _shorten(passage: str) -> str:
    return passage if len(passage) <= LONGEST_QUOTE else passage[: LONGEST_QUOTE - 1].rpartition(" ")[0] + "…"
