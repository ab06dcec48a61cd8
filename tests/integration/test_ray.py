"""Scenarios are advanced by the nodes of a Ray cluster, and a lost node loses none of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.postgres_server import PostgresServer

pytestmark = pytest.mark.slow
TESTS = Path(__file__).parents[1]


def test_a_batch_is_finished_although_a_node_is_killed(
    postgres_server: PostgresServer, tmp_path: Path
) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install -e '.[ray]'")
    url = postgres_server.create_database()
    environment = {**os.environ, "PYTHONPATH": str(TESTS), "RAY_USAGE_STATS_ENABLED": "0"}
    finished = subprocess.run(
        [sys.executable, "-m", "support.ray_nodes", url, str(tmp_path), "4"],
        cwd=TESTS,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )

    assert finished.returncode == 0, finished.stderr
    assert json.loads(finished.stdout.splitlines()[-1]) == {
        "states": {"accepted": 4}, "killed": True, "alive": 1, "copied": 4,
    }  # fmt: skip
