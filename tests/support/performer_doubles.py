"""Base class of performers in tests: no reader, every brief feasible, nothing to close."""

from __future__ import annotations

from impossible_moments.domain.brief import GenerationBrief


class PlainPerformer:
    """The methods of a performer besides answering asks."""

    @property
    def reader(self) -> None:
        """No reader."""

    def require_feasible_brief(self, brief: GenerationBrief) -> None:
        """Accept every brief."""

    async def close(self) -> None:
        """Do nothing."""
