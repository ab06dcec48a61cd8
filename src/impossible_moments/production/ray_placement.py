"""Placement on a Ray cluster: each task advances one scenario of a shared ledger.

Ray runs a task again elsewhere if its node is lost. The ledger makes that safe: what was answered is not asked again,
and a lease lets one task at a time advance a scenario.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.pipeline import Pipeline

if TYPE_CHECKING:
    import ray

FOR_EVER: Final = -1
"""How often Ray repeats the task of a lost node."""


@dataclass(frozen=True)
class NodeSettings:
    """What a node needs to advance scenarios. Keys of providers are read from the environment of the node."""

    database_url: str
    models: tuple[str, ...] = ()
    configuration: bytes | None = None
    """The settings file, if it is not the packaged one."""


class RayPlacement:
    """A Ray cluster that advances scenarios."""

    def __init__(self, address: str, settings: NodeSettings) -> None:
        """Connect to the cluster. Raise `ConfigurationError` if Ray is missing or the cluster cannot be reached."""
        _load_ray()
        self._settings = settings
        try:
            ray.init(address=address, log_to_driver=False, configure_logging=False)
        except (ConnectionError, RuntimeError, ValueError, OSError) as problem:
            reason = (str(problem).splitlines() or [type(problem).__name__])[0].rstrip(".")
            raise ConfigurationError(
                f"The Ray cluster {address} cannot be reached ({reason}). Name the address that `ray start` printed, or auto."
            ) from None

    def advance_all(
        self, scenarios: Sequence[str], on_done: Callable[[str], None] = lambda _scenario: None
    ) -> None:
        """Advance scenarios on the nodes, each to its end or to a question to a human. Wait until all are done.

        The ledger holds the results. A scenario whose task failed is left to the caller, as unfinished.
        """
        task = ray.remote(advance_on_node).options(num_cpus=1, max_retries=FOR_EVER)
        waiting = {task.remote(name, self._settings): name for name in scenarios}
        while waiting:
            finished, _ = ray.wait(list(waiting), num_returns=1)
            for each in finished:
                on_done(waiting.pop(each))

    def close(self) -> None:
        """Leave the cluster."""
        ray.shutdown()


def advance_on_node(scenario: str, settings: NodeSettings) -> str:
    """Advance one scenario in the process of a node, and return its state."""
    return str(_get_pipeline(settings).advance(scenario).state)


@lru_cache(maxsize=1)
def _get_pipeline(settings: NodeSettings) -> Pipeline:
    """Return the pipeline of this process. Its folder is a working copy, and the ledger holds what is published."""
    folder = Path(tempfile.mkdtemp(prefix="im-node-"))
    config = None
    if settings.configuration is not None:
        config = folder / "settings.yaml"
        config.write_bytes(settings.configuration)
    return Pipeline(
        config,
        settings.models,
        output=folder / "scenarios",
        database_url=settings.database_url,
    )


def _load_ray() -> None:
    global ray  # noqa: PLW0603 - the name is bound when it is first needed, because Ray is an extra
    try:
        import ray  # noqa: PLC0415 - see above
    except ImportError:
        raise ConfigurationError(
            "Placement on a cluster needs Ray: pip install 'impossible-moments[ray]'."
        ) from None
