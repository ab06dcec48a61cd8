"""Growth: what one more scenario costs when many exist, as CPU time of a new process.

The existing scenarios are invented: their rows are in the ledger, in the registry and in the index of vectors, and they
have no documents. `python -m benchmarks.growth 0 10000 100000` prints it alone.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np

from impossible_moments.ledger import LedgerTransaction, publications
from impossible_moments.pipeline.pipeline import Pipeline
from impossible_moments.scenarios import ScenarioRegistry
from impossible_moments.scenarios.similarity import CorpusFile, load_wordllama_embedder

SIZES = (0, 1_000, 10_000)
REPEATS = 3
_INSERT_SCENARIO = """
    INSERT INTO scenarios
    SELECT :scenario, brief, priority, 'accepted', phase, reason, '', beat, enrolled_at, changed_at, forked_from, :scenario,
        performers, begun_after
    FROM scenarios WHERE scenario = 'IM-0001'
"""
_INSERT_PUBLICATION = """
    INSERT INTO publications (scenario, signature, essence, metadata, number)
    SELECT :scenario, :scenario, essence, metadata, :number FROM publications WHERE number = 1
"""


def growth(sizes: Sequence[int] = SIZES) -> Iterator[tuple[str, str, str]]:
    """What is measured, the measure and its goal: CPU seconds of `im create`, and their ratio to an empty folder."""
    first = None
    for size in sizes:
        with TemporaryDirectory() as folder:
            _fill_folder(Path(folder), size)
            seconds = median(_create_scenario(Path(folder), seed) for seed in [7] * REPEATS)
        first = first or seconds
        yield f"im create beside {size:,} scenarios", f"{seconds:.2f} s", "< 1.2 s"
        if size != sizes[0]:
            yield f"im create beside {size:,} scenarios, share", f"{seconds / first:.2f}", "< 1.10"


def _create_scenario(folder: Path, seed: int) -> float:
    """Return the CPU seconds of one `im create`. Each run makes another scenario of one brief."""
    command = "import sys; from impossible_moments.cli.main import main; sys.exit(main())"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", command, "create", "--seed", str(seed), "--again", "--output", str(folder)],
        check=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _fill_folder(folder: Path, size: int) -> None:
    """Publish one scenario, and enter invented ones like it."""
    pipeline = Pipeline(output=folder)
    _create_scenario(folder, 1)
    registry = ScenarioRegistry(folder)
    (entry,) = registry.entries.values()
    names = [f"IM-{number:04d}" for number in range(2, size + 2)]
    registry.rebuild([entry, *(entry.model_copy(update={"scenario_id": name}) for name in names)])

    def enter_invented(transaction: LedgerTransaction) -> None:
        for number, name in enumerate(names, start=2):
            transaction.execute_change(_INSERT_SCENARIO, scenario=name)
            transaction.execute_change(_INSERT_PUBLICATION, scenario=name, number=number)
        publications.set_known_registry(transaction, registry.get_stamp())

    with pipeline.open_ledger() as store:
        store.commit_and_wait(enter_invented)
    embedder = load_wordllama_embedder()
    file = CorpusFile(folder, embedder, embedder.embed(["a text"]).shape[1])
    rows = np.zeros(size, file.row_type)
    rows["scenario"] = range(2, size + 2)
    rows["words"], rows["figures"], rows["objects"] = 200, 20, 6
    rng = np.random.default_rng(0)
    rows["vector"] = rng.standard_normal(rows["vector"].shape, np.float32)
    rows["vector"] /= np.linalg.norm(rows["vector"], axis=1, keepdims=True)
    file.append(len(file.read()), rows)


def main() -> None:
    """Print a line for each measure."""
    for what, measured, goal in growth(tuple(map(int, sys.argv[1:])) or SIZES):
        print(f"{what:<58}{measured:>16}{goal:>18}", flush=True)


if __name__ == "__main__":
    main()
