"""Runs of the lab, the arena and the simulation, and self-play, on a cluster of Ray.

>>> import pentarchy.ray
>>> pentarchy.ray.lab("hegemony", games=100_000, address="auto").save("hegemony.html")

A task is a part of the run that takes seconds, and uses all cores of its node by threads of Rust. The part of a node
that is lost is played again. The report is byte for byte that of a single process, whatever the cluster. Every node
needs Ray and this package in the same version: `pip install "ray" ./crates/python`.
"""

from __future__ import annotations

import importlib
import logging
import os
import socket
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from importlib import metadata
from typing import TYPE_CHECKING, Any

from .._core import Run
from ..games import Options
from ..progress import ProgressBar
from ..runs import Bots, OnProgress, Report, join, measure, part_count
from ..runs import arena as _arena
from ..runs import lab as _lab
from ..runs import sim as _sim
from ..selfplay import Selfplay
from ..selfplay import selfplay as _selfplay

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..runs import ArenaOptions, LabOptions, RunOptions

__all__ = ["arena", "lab", "play", "selfplay", "sim"]

#: Seconds that a task should take. Ray needs milliseconds for each.
SECONDS = 4.0
#: How often a part is played before its loss is an error: a part that kills its nodes must not kill all of them.
MOST_TRIES = 5
#: Bytes of a piece of self-play, at most about.
PIECE_BYTES = 32 << 20
#: Seconds between two looks at the nodes of the cluster.
_LOOK_EVERY = 2.0
#: Bytes of the object store of a local Ray. Parts are small.
_STORE_BYTES = 256 << 20

_log = logging.getLogger(__name__)


def _import_ray() -> Any:
    """Imports Ray without its statistics of use. Raises `ImportError` that says how to install it."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # Turns off a warning about GPUs, of which no task uses one.
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise ImportError('pentarchy.ray needs Ray on every node: pip install "ray>=2.40"') from error


def _version() -> str:
    """Returns the version of this package."""
    return metadata.version("pentarchy")


def _check_version(wanted: str) -> None:
    """Raises `RuntimeError` on a node that has another version of this package than the one that asks."""
    if (found := _version()) != wanted:
        raise RuntimeError(f"{socket.gethostname()} has version {found} of pentarchy, but {wanted} is needed there")


def _play_part(version: str, run: Run, part: int, parts: int, threads: int) -> bytes:
    """The task of a run: plays a part on a node."""
    _check_version(version)
    return run.play(part, parts, threads)


def _measure_run(version: str, run: Run, threads: int) -> float:
    """The task that measures a run: returns the seconds that a single node needs for all of it."""
    _check_version(version)
    return measure(run, threads)


def _play_range(version: str, game: str, games: range, arguments: dict[str, Any]) -> Selfplay:
    """The task of self-play: plays some games on a node."""
    _check_version(version)
    return _selfplay(game, games, **arguments)


def _measure_games(version: str, game: str, arguments: dict[str, Any]) -> tuple[float, float]:
    """The task that measures self-play: returns seconds and bytes of a game."""
    _check_version(version)
    _selfplay(game, 1, **arguments)
    games = 1
    while True:
        begun = time.perf_counter()
        played = _selfplay(game, games, **arguments)
        spent = time.perf_counter() - begun
        if spent >= 0.3 or played.nbytes >= PIECE_BYTES or games >= 1 << 20:
            return spent / games, played.nbytes / games
        games *= 4


class _Cluster:
    """A Ray cluster, and the number of threads of a task."""

    def __init__(self, address: str | None, threads: int) -> None:
        """Connects to a cluster, unless this process has done so; without an address, starts Ray on this machine.

        `threads` 0 takes all cores of the smallest node. Raises `RuntimeError` if no node has as many.
        """
        self.ray = _import_ray()
        if not self.ray.is_initialized():
            local: dict[str, Any] = {"include_dashboard": False, "object_store_memory": _STORE_BYTES}
            local = local if address is None else {}
            self.ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **local)
        cores = self._cores()
        self.threads = threads or min(cores, default=1)
        if not any(count >= self.threads for count in cores):
            raise RuntimeError(f"no node of the cluster has {self.threads} cores: they have {cores or 'none'}")
        self.version = _version()
        self._looked = 0.0
        self._slots = 1

    def _cores(self) -> list[int]:
        """Returns the number of cores of every node that has some."""
        alive = [node["Resources"].get("CPU", 0) for node in self.ray.nodes() if node["Alive"]]
        return [int(cores) for cores in alive if cores >= 1]

    def slots(self) -> int:
        """Returns how many tasks can run at once; looks at the nodes every few seconds, since they come and go."""
        now = time.monotonic()
        if now - self._looked >= _LOOK_EVERY:
            self._looked = now
            self._slots = max(1, sum(cores // self.threads for cores in self._cores()))
        return self._slots

    def task(self, function: Callable[..., Any]) -> Any:
        """Returns a function as a task of Ray that uses the cores of its threads. Lost tasks are ours to repeat."""
        options = {"num_cpus": self.threads, "max_retries": 0, "scheduling_strategy": "SPREAD"}
        return self.ray.remote(function).options(**options)

    def results(self, function: Callable[..., Any], tasks: Sequence[tuple[Any, ...]]) -> Iterator[Any]:
        """Calls a function on the cluster with each of these arguments, and yields the results in their order.

        Only as many tasks are under way as keep all nodes busy, and only a bounded number of results waits for an
        earlier one. A task whose node or process was lost is repeated, first of all. An exception of the function
        ends everything and is raised here.
        """
        errors = self.ray.exceptions
        remote = self.task(function)
        left, tries = deque(range(len(tasks))), Counter[int]()
        running: dict[Any, int] = {}
        done: dict[int, Any] = {}
        wanted = 0
        try:
            while wanted < len(tasks):
                ahead = 2 * self.slots()
                while left and len(running) < ahead and left[0] < wanted + 4 * ahead:
                    index = left.popleft()
                    running[remote.remote(*tasks[index])] = index
                ready, _ = self.ray.wait(list(running), num_returns=1, timeout=_LOOK_EVERY)
                for reference in ready:
                    index = running.pop(reference)
                    try:
                        done[index] = self.ray.get(reference)
                    except errors.RayTaskError as error:
                        raise (error.cause or error) from None
                    except errors.RayError as error:
                        tries[index] += 1
                        if tries[index] == MOST_TRIES:
                            lost = f"task {index + 1} of {len(tasks)} was lost {MOST_TRIES} times"
                            raise RuntimeError(f"{lost}: {error}") from error
                        _log.warning("a node or process was lost; task %d is repeated", index + 1)
                        left.appendleft(index)
                while wanted in done:
                    yield done.pop(wanted)
                    wanted += 1
        finally:
            for reference in running:
                self.ray.cancel(reference)

    def one(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Calls a function once on the cluster and returns its result."""
        return next(self.results(function, [arguments]))


def play(
    run: Run,
    *,
    address: str | None = None,
    threads: int = 0,
    seconds: float = SECONDS,
    parts: int | None = None,
    progress: OnProgress | None = None,
) -> Report:
    """Plays a run on a cluster and returns its report, which is that of a single process.

    `address` is that of the cluster (`auto` on one of its nodes); without one, Ray starts on this machine. A task has
    `threads` threads, 0 for all cores of the smallest node, and takes about `seconds`, which is measured first; or it
    is one of `parts` equal parts. Without `progress`, a terminal shows a bar. Raises `ImportError` without Ray, and
    `RuntimeError` if a part is lost again and again.
    """
    cluster = _Cluster(address, threads)
    version, threads = cluster.version, cluster.threads
    count = parts or part_count(run, cluster.one(_measure_run, version, run, threads), seconds)
    tasks = [(version, run, part, count, threads) for part in range(1, count + 1)]
    played = []
    with ProgressBar(run.games, count, "games", progress) as bar:
        for part in cluster.results(_play_part, tasks):
            played.append(part)
            bar.advance(f"{cluster.slots()} tasks at once")
    return join(run.command, played)


def lab(
    game: str,
    *,
    address: str | None = None,
    threads: int = 0,
    progress: OnProgress | None = None,
    **arguments: Unpack[LabOptions],
) -> Report:
    """Plays `pentarchy.lab` with these arguments on a cluster; see `play`."""
    return play(_lab(game, **arguments), address=address, threads=threads, progress=progress)


def arena(
    game: str,
    *,
    address: str | None = None,
    threads: int = 0,
    progress: OnProgress | None = None,
    **arguments: Unpack[ArenaOptions],
) -> Report:
    """Plays `pentarchy.arena` with these arguments on a cluster; see `play`."""
    return play(_arena(game, **arguments), address=address, threads=threads, progress=progress)


def sim(
    game: str,
    *,
    address: str | None = None,
    threads: int = 0,
    progress: OnProgress | None = None,
    **arguments: Unpack[RunOptions],
) -> Report:
    """Plays `pentarchy.sim` with these arguments on a cluster; see `play`."""
    return play(_sim(game, **arguments), address=address, threads=threads, progress=progress)


def selfplay(
    game: str,
    games: int,
    *,
    bots: Bots = "captain",
    seats: int | None = None,
    options: Options | None = None,
    seed: int = 0,
    vectors: bool = True,
    records: bool = False,
    address: str | None = None,
    threads: int = 0,
    seconds: float = SECONDS,
) -> Iterator[Selfplay]:
    """Plays games between bots on a cluster and yields them in order, in pieces of consecutive games.

    A piece takes about `seconds` and has at most about 32 MB. All pieces together are what `pentarchy.selfplay` gives
    in one process, whatever the cluster. The nodes play a few pieces ahead and wait for the caller then.
    """
    cluster = _Cluster(address, threads)
    arguments = {
        "bots": bots,
        "seats": seats,
        "options": options,
        "seed": seed,
        "vectors": vectors,
        "records": records,
        "threads": cluster.threads,
    }
    cost, size = cluster.one(_measure_games, cluster.version, game, arguments)
    length = max(1, int(min(seconds / max(cost, 1e-9), PIECE_BYTES / max(size, 1))))
    ranges = [range(first, min(first + length, games)) for first in range(0, games, length)]
    yield from cluster.results(_play_range, [(cluster.version, game, some, arguments) for some in ranges])
