"""A Ray cluster of two nodes on this machine, one of which is killed while it advances scenarios.

`python -m support.ray_nodes URL FOLDER COUNT` prints the states of the scenarios as JSON.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import ray
from ray.cluster_utils import Cluster

from impossible_moments.ledger import LedgerStore, leases, parse_database_url
from impossible_moments.pipeline.pipeline import Pipeline
from impossible_moments.production.ray_placement import NodeSettings, RayPlacement
from support.chaos import make_briefs


def main(url: str, folder: Path, count: int) -> dict[str, object]:
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    lost = cluster.add_node(num_cpus=1)
    pipeline = Pipeline(output=folder, database_url=url)
    names = pipeline.enrol_all(make_briefs(count))
    placement = RayPlacement(cluster.address, NodeSettings(url))
    killed = threading.Event()

    def kill_node_at_work() -> None:
        """Kill the second node as soon as two scenarios are advanced, one on each node."""
        with LedgerStore(parse_database_url(url)) as store:
            while len(store.read_and_wait(leases.list_held_scenarios)) < 2:
                time.sleep(0.05)
        cluster.remove_node(lost, allow_graceful=False)
        killed.set()

    threading.Thread(target=kill_node_at_work, daemon=True).start()
    placement.advance_all(names)
    alive = sum(each["Alive"] for each in ray.nodes())
    placement.close()
    cluster.shutdown()
    with LedgerStore(parse_database_url(url)) as store:
        rows = store.read_and_wait(leases.list_scenario_rows)
    copied = pipeline.copy_publications()
    return {
        "states": Counter(str(row.state) for row in rows),
        "killed": killed.is_set(),
        "alive": alive,
        "copied": copied,
    }


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))))  # noqa: T201 - the result
