"""Random valid replies to any ask: good, deficient or unrelated, with disputes added."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.scripted_players import Player
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import Breakthrough, HumanDecision, Option
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ROLES
from support.canaries import CanaryPlanter
from support.scripted_runs import (
    FALSE,
    build_challenge,
    build_evidence,
    build_other_seed,
    build_seed_with_claim,
    build_veto,
    make_obliging_player,
)

MOST_RAISED: Final = 2
"""Maximum number of vetoes and of challenges in one report."""
CLAIMS: Final = ("the table slides", "C1", "C2", "it is fair")
PROOFS: Final = (
    (),
    (build_evidence(),),
    (build_evidence("it seems tight"),),
    (build_evidence(kind="citation"),),
)


def draw_any_replies(order: Random, *, goodness: float) -> Player:
    """Draw replies of which about the share `goodness` is good; the others are valid models only."""
    good = make_obliging_player()

    def answer(ask: Ask) -> LabelledModel:
        if ask.returns is HumanDecision:
            option = order.choice(list(Option))
            prevails = order.choice(["", "CHALLENGER", "CHALLENGED"])
            return HumanDecision.model_validate(
                {"option": option, "justification": "so it is", "prevails": prevails}
            )
        reply = good(ask)
        if isinstance(reply, SeedDocument):
            reply = order.choice(
                [reply, build_other_seed(order.randint(1, 9)), build_seed_with_claim(FALSE)][
                    : order.randint(1, 3)
                ]
            )
        if order.random() > goodness:
            reply = _mix_fields(reply, order)
        return _add_disputes(reply, order) if order.random() > goodness else reply

    return answer


def _mix_fields(reply: LabelledModel, order: Random) -> LabelledModel:
    """Return the reply with some or all fields of a random instance."""
    model = type(reply)
    strange, _ = CanaryPlanter(order).plant(model)
    share = order.choice([0.1, 0.1, 0.5, 1.0])
    fields: dict[str, Any] = {
        name: getattr(strange if order.random() < share else reply, name) for name in model.model_fields
    }
    return model(**fields)


def _add_disputes(reply: LabelledModel, order: Random) -> LabelledModel:
    """Return the reply with challenges, vetoes, a breakthrough or an escalation, where its model has them."""
    fields: dict[str, Any] = {
        "challenges": tuple(
            build_challenge(
                order.choice(ROLES),
                claim=order.choice(CLAIMS),
                evidence=order.choice(PROOFS),
            )
            for _ in range(order.randint(0, MOST_RAISED))
        ),
        "vetoes": tuple(
            build_veto(
                claim=order.choice(CLAIMS),
                proof=order.choice(PROOFS),
                core=order.random() < 0.8,
                correctable=order.random() < 0.7,
                corrective_proposal=order.choice(["", "a heavier chair"]),
            )
            for _ in range(order.randint(0, MOST_RAISED))
        ),
        "breakthrough": order.choice([None, Breakthrough(proposal="fly", novelty="new", physics="lift")]),
        "escalation": order.choice([None, None, None, "look at this"]),
    }
    return reply.model_copy(
        update={name: value for name, value in fields.items() if name in type(reply).model_fields}
    )
