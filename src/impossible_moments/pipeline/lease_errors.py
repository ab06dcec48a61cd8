"""Why a runner does not work on a scenario: another one holds its lease, or has taken it over."""

from __future__ import annotations

from impossible_moments.errors import ImpossibleMomentsError


class LeaseHeldError(ImpossibleMomentsError):
    """Another runner is working on the scenario."""

    def __init__(self, scenario: str, owner: str) -> None:
        super().__init__(scenario, owner)
        self.scenario, self.owner = scenario, owner

    def __str__(self) -> str:
        return (
            f"{self.scenario} is being run by {self.owner}. Only one runner can work on a scenario at a time: "
            "wait for it, or stop it. Its work is taken over when its lease ends."
        )


class LeaseLostError(ImpossibleMomentsError):
    """Another runner has taken the scenario over, because this one did not renew its lease."""

    def __init__(self, scenario: str) -> None:
        super().__init__(scenario)
        self.scenario = scenario

    def __str__(self) -> str:
        return (
            f"{self.scenario} was taken over by another runner: this one did not renew its lease in time. "
            "Nothing is lost: all answers are in the ledger, and the other runner continues."
        )
