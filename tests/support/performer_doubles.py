"""The base of performers in tests: no reader, every brief is feasible, and nothing to close."""

from __future__ import annotations

from impossible_moments.domain.brief import GenerationBrief


class PlainPerformer:
    """What a performer needs besides answering asks."""

    @property
    def reader(self) -> None:
        """No reader."""

    def require_feasible_brief(self, brief: GenerationBrief) -> None:
        """Every brief is feasible."""

    async def close(self) -> None:
        """Nothing is open."""
