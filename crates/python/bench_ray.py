#!/usr/bin/env python3
"""What Ray costs: runs on a Ray of this machine, in tasks of five seconds. `cargo xtask measure ray` makes a table of it.

Every task measures the seconds that it plays. What the whole takes longer than its tasks is the overhead: sending,
scheduling, and waiting for the next task. A busy machine makes both longer alike.
"""

from __future__ import annotations

import json
import sys
import time

import pentarchy
from pentarchy import runs
from pentarchy.ray import _Cluster, _measure_run

#: Seconds of a task, and number of tasks.
SECONDS, TASKS = 5.0, 12
#: What is played, by the number of games.
RUNS = {
    "lab leduc": lambda games: pentarchy.lab("leduc", games=games, rivals="none"),
    "arena leduc": lambda games: pentarchy.arena("leduc", games=games),
}


def timed(run: pentarchy.Run, part: int, parts: int, threads: int) -> tuple[float, bytes]:
    """The task: plays a part, and returns the seconds that it took with it."""
    begun = time.perf_counter()
    played = run.play(part, parts, threads)
    return time.perf_counter() - begun, played


def main() -> None:
    # A script is no module of the nodes: its functions are sent as a whole.
    cluster = _Cluster(None, 0)
    for name, make in RUNS.items():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        sample = make(2000)
        seconds = cluster.one(_measure_run, cluster.version, sample, cluster.threads)
        run = make(max(TASKS, int(2000 * SECONDS * TASKS / seconds)))
        tasks = [(run, part, TASKS, cluster.threads) for part in range(1, TASKS + 1)]
        begun = time.perf_counter()
        played = list(cluster.results(timed, tasks))
        whole = time.perf_counter() - begun
        inside = sum(spent for spent, _ in played) / cluster.slots()
        runs.join(run.command, [part for _, part in played])
        figures = [
            ("tasks", TASKS),
            ("seconds of a task", f"{inside / TASKS:.1f}"),
            ("seconds of all tasks", f"{inside:.2f}"),
            ("seconds of the run", f"{whole:.2f}"),
            ("overhead", f"{100 * (whole - inside) / whole:.2f} %"),
            ("kB of a part", f"{sum(len(part) for _, part in played) / TASKS / 1000:.1f}"),
        ]
        print(json.dumps({"row": name, "figures": figures}), flush=True)


if __name__ == "__main__":
    main()
