"""The file that keeps the vector and the sizes of every publication, so that none is embedded twice.

A row has a fixed length, and row `n` belongs to publication `n + 1`. Rows are only appended. The file is mapped into
memory, so that processes share it and nothing is copied. It can be deleted at any time and is then written again.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from impossible_moments.scenarios.file_lock import hold_file_lock
from impossible_moments.scenarios.similarity.embedding import Embedder, Vectors

FORMAT: Final = 1
NO_CODE: Final = 0
CorpusRows: TypeAlias = NDArray[Any]
"""Rows with the fields of `build_row_type`."""
_SIZES: Final = ("words", "figures", "objects")


@dataclass(frozen=True)
class CorpusFile:
    """The rows of the publications of a folder for one embedder."""

    folder: Path
    embedder: Embedder
    dimensions: int

    @property
    def path(self) -> Path:
        """The path of the file. Another embedder has another one."""
        content = f"{FORMAT} {self.embedder.name} {self.embedder.fingerprint} {self.dimensions}"
        return self.folder / f".corpus-{sha256(content.encode()).hexdigest()[:16]}.rows"

    @property
    def row_type(self) -> np.dtype[Any]:
        """The fields of a row: numbers of the scenario and of its parent, a code of its place, sizes and vector."""
        names = ("scenario", "parent", *_SIZES)
        return np.dtype(
            [*((name, "<i4") for name in names), ("place", "<u4"), ("vector", "<f4", (self.dimensions,))]
        )

    def read(self) -> CorpusRows:
        """Return the complete rows, mapped into memory. There are none if the file is missing."""
        try:
            count = self.path.stat().st_size // self.row_type.itemsize
        except OSError:
            count = 0
        if not count:
            return np.zeros(0, self.row_type)
        return np.memmap(self.path, self.row_type, mode="r", shape=(count,))

    def append(self, first: int, rows: CorpusRows) -> None:
        """Write rows from position `first` on, unless another process has written them.

        What follows the last complete row was left by an interrupted process and is replaced.
        """
        with self._lock(), self.path.open("ab") as file:
            count = file.seek(0, os.SEEK_END) // self.row_type.itemsize
            missing = rows[max(count - first, 0) :]
            if count < first or not len(missing):
                return
            file.truncate(count * self.row_type.itemsize)
            file.write(missing.tobytes())

    def clear(self) -> None:
        """Remove all rows."""
        with self._lock():
            self.path.unlink(missing_ok=True)

    def _lock(self) -> Any:  # noqa: ANN401 - a context manager
        return hold_file_lock(self.folder / ".corpus.lock")


def select_sizes(rows: CorpusRows) -> NDArray[np.int32]:
    """Return the sizes of rows, as `measure_scenarios` does."""
    return np.stack([rows[name] for name in _SIZES], axis=1)


def build_rows(
    row_type: np.dtype[Any],
    scenarios: Sequence[tuple[int, int, int]],
    sizes: NDArray[np.int32],
    vectors: Vectors,
) -> CorpusRows:
    """Build rows. `scenarios` holds the number, the number of the parent and the code of the place of each."""
    rows = np.zeros(len(scenarios), row_type)
    for place, name in enumerate(("scenario", "parent", "place")):
        rows[name] = [each[place] for each in scenarios]
    for place, name in enumerate(_SIZES):
        rows[name] = sizes[:, place]
    rows["vector"] = vectors
    return rows
