"""Any valid reply to any ask: the good one, a deficient one, or one that fits nothing, with disputes thrown in."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.scripted_players import Player
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import Breakthrough, HumanDecision, Option
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ROLES
from support.canaries import Planter
from support.scripted_runs import FALSE, a_challenge, a_veto, obliging, other_seed, shown_work, with_claim

MOST_RAISED: Final = 2
"""How many vetoes, and how many challenges, one report holds here at most."""
DOMAINS: Final = ("physics", "mathematics", "grounding", "classification", "design")
CLAIMS: Final = ("the table slides", "C1", "C2", "it is fair")
PROOFS: Final = ((), (shown_work(),), (shown_work("it seems tight"),), (shown_work(kind="citation"),))


def any_replies(order: Random, *, goodness: float) -> Player:
    """Replies of which about so many are good; the others are valid models and nothing more."""
    good = obliging()

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
                [reply, other_seed(order.randint(1, 9)), with_claim(FALSE)][: order.randint(1, 3)]
            )
        if order.random() > goodness:
            reply = _mixed(reply, order)
        return _disputing(reply, order) if order.random() > goodness else reply

    return answer


def _mixed(reply: LabelledModel, order: Random) -> LabelledModel:
    """The reply with some fields, or all, of an instance that fits nothing."""
    model = type(reply)
    strange, _ = Planter(order).planted(model)
    share = order.choice([0.1, 0.1, 0.5, 1.0])
    fields: dict[str, Any] = {
        name: getattr(strange if order.random() < share else reply, name) for name in model.model_fields
    }
    return model(**fields)


def _disputing(reply: LabelledModel, order: Random) -> LabelledModel:
    """The reply with challenges, vetoes, a breakthrough or a call for a human, where its model has them."""
    fields: dict[str, Any] = {
        "challenges": tuple(
            a_challenge(
                order.choice(ROLES),
                claim=order.choice(CLAIMS),
                domain=order.choice(DOMAINS),
                evidence=order.choice(PROOFS),
            )
            for _ in range(order.randint(0, MOST_RAISED))
        ),
        "vetoes": tuple(
            a_veto(
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
