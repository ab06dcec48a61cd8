"""Stems of words, so that `tied`, `ties` and `tie` are one word. Only this module imports snowballstemmer."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import snowballstemmer

_WORD: Final = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_IDLE: Final = frozenset(
    """a an the my your his her its their our of to in on at by for from with and or out up down into onto over under
    is are be it this that these those one some any each every as than then very own own's which who""".split()
)
_PARTICLES: Final = {
    **{word: word for word in "on up out down over under in one each every then".split()},
    "into": "in", "onto": "on", "upon": "on",
}  # fmt: skip
"""Idle words that belong to a deed if its wording has them: to switch on is not to switch."""
_STEMMER: Final = snowballstemmer.stemmer("english")
_IRREGULAR: Final = """
    bend bent; bind bound; bite bit bitten; blow blew blown; break broke broken; bring brought; build built; burn burnt; buy bought;
    catch caught; choose chose chosen; come came; creep crept; dig dug; do did done; draw drew drawn; drive drove driven; eat ate eaten;
    fall fell fallen; feed fed; feel felt; fight fought; find found; fling flung; fly flew flown; forget forgot; freeze froze frozen;
    get got gotten; give gave given; go went gone goes; grind ground; grow grew grown; hang hung; hear heard; hide hid hidden; hold held;
    keep kept; kneel knelt; know knew known; lay laid; lead led; lean leant; leave left; lend lent; lie lain; light lit; lose lost;
    make made; mean meant; meet met; pay paid; ride rode ridden; ring rang rung; rise rose risen; run ran; say said; see saw seen;
    seek sought; sell sold; send sent; sew sewn; shake shook shaken; shine shone; shoot shot; show shown; sing sang sung; sink sank sunk;
    sit sat; sleep slept; slide slid; speak spoke spoken; spend spent; spin spun; stand stood; steal stole stolen; stick stuck;
    strike struck; swear swore; sweep swept; swim swam; swing swung; take took taken; teach taught; tear tore torn; tell told;
    think thought; throw threw thrown; tread trod; wake woke; wear wore worn; weave wove woven; wind wound; wring wrung; write wrote written
"""
_BASE_FORMS: Final = {form: entry.split()[0] for entry in _IRREGULAR.split(";") for form in entry.split()[1:]}


def extract_word_stems(text: str) -> frozenset[str]:
    """Return the stems of the content words of a text."""
    return frozenset(list_word_stems(text))


def list_word_stems(text: str) -> list[str]:
    """Return the stems of the content words of a text, in their order."""
    return [stem_word(word) for word in _WORD.findall(text.lower()) if word not in _IDLE]


def extract_particles(text: str) -> frozenset[str]:
    """Return the particles of a text, such as `on` and `up`, which are not among its stems."""
    return frozenset(_PARTICLES[word] for word in _WORD.findall(text.lower()) if word in _PARTICLES)


@lru_cache(maxsize=20_000)
def stem_word(word: str) -> str:
    """Return the stem of a word: of its base form if it is an irregular form of a common verb."""
    plain = word.removesuffix("'s").removesuffix("s'")
    stem: str = _STEMMER.stemWord(_BASE_FORMS.get(plain, plain))
    return stem
