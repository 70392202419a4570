"""Runs on a Ray cluster of three nodes on this machine, one of which is lost. Skipped without Ray."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pentarchy
import pentarchy.ray
import pytest

# Nothing is reported to the makers of Ray, and a busy machine gets time to start processes.
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
# Nodes and drivers use the loopback address, as Ray does on systems where it forms no clusters between machines.
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
os.environ["RAY_agent_register_timeout_ms"] = "120000"
os.environ["RAY_raylet_start_wait_time_s"] = "120"
os.environ["RAY_worker_register_timeout_seconds"] = "120"
ray = pytest.importorskip("ray", reason="Ray is not installed: runs on a cluster are not tested")
from ray.cluster_utils import Cluster  # noqa: E402


def node() -> dict[str, Any]:
    """Returns the arguments of a small node. A node that chooses its ports itself gives up if that takes 15 s."""
    names = ("metrics_agent_port", "dashboard_agent_listen_port", "runtime_env_agent_port")
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in names]
    ports = {name: free.getsockname()[1] for name, free in zip(names, sockets)}
    for free in sockets:
        free.close()
    return {"num_cpus": 1, "object_store_memory": 80 << 20, **ports}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A cluster of three nodes."""
    cluster = Cluster(initialize_head=True, head_node_args={**node(), "include_dashboard": False})
    for _ in range(2):
        cluster.add_node(**node())
    cluster.wait_for_nodes()
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def test_the_report_is_that_of_one_process_although_a_node_is_lost(cluster: Any) -> None:
    run = pentarchy.lab("leduc", games=30_000, rivals="random,captain", rival_games=3000)
    nodes = pentarchy.ray._Cluster(cluster.address, 0)
    assert nodes.threads == 1 and nodes.slots() == 3

    # Finds the processes of each node. They wait for tasks then, so that the lost node has begun a part.
    def process() -> tuple[str, int]:
        time.sleep(0.2)
        return ray.get_runtime_context().get_node_id(), os.getpid()

    found: set[tuple[str, int]] = set()
    while len({name for name, _ in found}) < 3:
        found.update(nodes.results(process, [()] * 6))
    victim = cluster.list_all_nodes()[-1]

    def lose_a_node(done: int, parts: int) -> None:
        # The processes of a lost machine end at once; without this, they would end their tasks first.
        if done == 4:
            for name, pid in found:
                if name == victim.node_id:
                    os.kill(pid, signal.SIGKILL)
            cluster.remove_node(victim, allow_graceful=False)

    report = pentarchy.ray.play(run, parts=24, progress=lose_a_node)
    assert len(cluster.list_all_nodes()) == 2
    assert report == pentarchy.report(run)


def test_a_task_that_was_lost_is_repeated(
    cluster: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    # Nested functions are sent as a whole: the nodes do not have this file.
    def crash() -> None:
        os._exit(1)

    def crash_once(marker: str) -> str:
        if not Path(marker).exists():
            Path(marker).touch()
            os._exit(1)
        return marker

    nodes = pentarchy.ray._Cluster(cluster.address, 1)
    markers = [str(tmp_path / str(number)) for number in range(4)]
    Path(markers[1]).touch()
    assert list(nodes.results(crash_once, [(marker,) for marker in markers])) == markers
    assert len([record for record in caplog.records if "is repeated" in record.message]) == 3
    with pytest.raises(RuntimeError, match="task 1 of 1 was lost 5 times"):
        nodes.one(crash)


def test_errors_of_a_task_are_raised_as_they_are(cluster: Any) -> None:
    nodes = pentarchy.ray._Cluster(cluster.address, 1)
    with pytest.raises(ValueError, match="^there is no bot `capitan`"):
        next(pentarchy.ray.selfplay("kuhn", 5, bots="capitan", address=cluster.address))
    with pytest.raises(RuntimeError, match="has version .* of pentarchy, but 0.0.0 is needed there"):
        nodes.one(pentarchy.ray._check_version, "0.0.0")
    with pytest.raises(RuntimeError, match="no node of the cluster has 64 cores"):
        pentarchy.ray.sim("kuhn", address=cluster.address, threads=64)


def test_selfplay_on_a_cluster_is_that_of_one_process(cluster: Any) -> None:
    arguments: dict[str, Any] = {"bots": "captain", "seed": 5, "records": True}
    pieces = list(pentarchy.ray.selfplay("leduc", 300, address=cluster.address, seconds=0.01, **arguments))
    joined, whole = pentarchy.concatenate(pieces), pentarchy.selfplay("leduc", 300, **arguments)
    assert joined.records == whole.records and (joined.observations == whole.observations).all()
    assert (joined.returns() == whole.returns()).all()


def test_the_command_writes_the_report(cluster: Any, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    words = ["lab", "liars-dice", "--games", "40", "--set", "dice=2", "--sweep", "wild=ones,none", "--rivals", "none"]
    command = [sys.executable, "-m", "pentarchy.ray", *words, "--address", cluster.address, "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"The report is in {out}\n"), done.stderr
    sweep = {"wild": ["ones", "none"]}
    run = pentarchy.lab("liars-dice", games=40, options={"dice": 2}, sweep=sweep, rivals="none")
    assert out.read_text() == pentarchy.report(run).page
    wrong = subprocess.run([*command, "--seats", "99"], capture_output=True, text=True)
    assert wrong.returncode == 2 and wrong.stderr.startswith("error: ") and len(wrong.stderr.splitlines()) == 1
