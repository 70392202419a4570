"""Runs of the lab, the arena and the simulation, as the terminal has them: played in parts, joined to a report.

>>> import pentarchy
>>> run = pentarchy.lab("kuhn", games=100, rivals="none")
>>> pentarchy.report(run).save("kuhn.html")  # the page of `pentarchy lab kuhn --games 100 --rivals none`

`run.play(part, parts)` plays one of `parts` parts, in any process on any machine, and `join` makes one report of
all. `pentarchy.ray` does that on a cluster.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

from . import _core
from ._core import Run
from .games import Options
from .progress import ProgressBar

#: Bots: one name for all seats, or one for each, as a list or separated by commas.
Bots = str | Sequence[str]

#: Called with the number of finished parts and the number of all.
OnProgress = Callable[[int, int], None]


class RunOptions(TypedDict, total=False):
    """What all runs take."""

    games: int
    bots: Bots
    seats: int | None
    seed: int
    options: Options | None
    preset: str | None


class LabOptions(RunOptions, total=False):
    """What `lab` takes."""

    sweep: Mapping[str, Sequence[Any]] | None
    rivals: Bots
    rival_games: int | None
    restrict: bool
    restrict_games: int | None
    until: float | None


class ArenaOptions(RunOptions, total=False):
    """What `arena` takes."""

    interval: float | None


@dataclass(frozen=True)
class Report:
    """The results of a whole run. Equal runs have equal reports, however they were split."""

    command: str
    """`lab`, `arena` or `sim`."""
    text: str
    """The results as JSON: for arena and sim the file that the terminal writes with `--out`."""
    page: str | None
    """The balance report as HTML, which the terminal writes with `--out`; `None` for arena and sim."""

    @property
    def data(self) -> dict[str, Any]:
        """The results as a dictionary."""
        data: dict[str, Any] = json.loads(self.text)
        return data

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file, or the JSON text if there is no page or the name ends with `.json`.

        The file appears complete or not at all.
        """
        whole = Path(path)
        content = self.text if self.page is None or whole.suffix == ".json" else self.page
        part = whole.with_name(whole.name + ".part")
        try:
            part.write_bytes(content.encode())
            os.replace(part, whole)
        finally:
            part.unlink(missing_ok=True)


def _names(bots: Bots) -> list[str]:
    """Returns a list of bots; none for `none`."""
    listed = bots.split(",") if isinstance(bots, str) else list(bots)
    listed = [bot.strip() for bot in listed]
    return [] if listed == ["none"] else listed


def _text(value: Any) -> str:
    """Returns the value of an option as the terminal reads it."""
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _flat(options: Options | None, prefix: str = "") -> list[tuple[str, str]]:
    """Returns nested options as names with dots, and values as texts, in their order."""
    pairs = []
    for name, value in (options or {}).items():
        if isinstance(value, Mapping):
            pairs.extend(_flat(value, f"{prefix}{name}."))
        else:
            pairs.append((f"{prefix}{name}", _text(value)))
    return pairs


def _shown(command: str, game: str, *words: tuple[str, Any, Any]) -> str:
    """Returns the command line that plays the same run: each word is an option, its value and its default.

    Options with their defaults are left out; a list gives the option once for each entry.
    """
    line = ["pentarchy", command, game]
    for option, value, default in words:
        if value == default:
            continue
        for entry in value if isinstance(value, list) else [value]:
            line.append(option)
            if entry is not True:
                line.append(f"{entry:g}" if isinstance(entry, float) else str(entry))
    return " ".join(f"'{word}'" if " " in word or '"' in word else word for word in line)


def _positive(**numbers: int | None) -> None:
    """Raises `ValueError` if a number is there and is less than 1."""
    for name, number in numbers.items():
        if number is not None and number < 1:
            raise ValueError(f"`{name}` must be at least 1, not {number}")


def _points(**numbers: float | None) -> None:
    """Raises `ValueError` if a number of percentage points is there and out of range."""
    for name, number in numbers.items():
        if number is not None and not 0.01 <= number <= 100:
            raise ValueError(f"`{name}` takes points between 0.01 and 100, not {number}")


def _common(
    games: int, bots: Bots, seats: int | None, seed: int, options: Options | None, preset: str | None
) -> dict[str, Any]:
    """Returns the arguments that all runs share, for the compiled part."""
    _positive(games=games)
    names = _names(bots)
    if not names:
        raise ValueError("no bot is named")
    return {"seats": seats, "bots": names, "seed": seed, "games": games, "set": _flat(options), "preset": preset}


def _words(arguments: dict[str, Any], games: int, bots: str) -> list[tuple[str, Any, Any]]:
    """Returns the options of the terminal that all runs share, with the defaults `games` and `bots`."""
    return [
        ("--games", arguments["games"], games),
        ("--bots", ",".join(arguments["bots"]), bots),
        ("--seats", arguments["seats"], None),
        ("--seed", arguments["seed"], 1),
        ("--set", [f"{name}={value}" for name, value in arguments["set"]], []),
        ("--preset", arguments["preset"], None),
    ]


def lab(
    game: str,
    *,
    games: int = 2000,
    bots: Bots = "captain",
    seats: int | None = None,
    seed: int = 1,
    options: Options | None = None,
    preset: str | None = None,
    sweep: Mapping[str, Sequence[Any]] | None = None,
    rivals: Bots = "random,recruit,captain,emperor:50",
    rival_games: int | None = None,
    restrict: bool = False,
    restrict_games: int | None = None,
    until: float | None = None,
) -> Run:
    """Returns a run of the lab with the arguments of `pentarchy lab`; `report` plays it.

    `options` differ from the defaults, `sweep` names values to compare, `until` is in percentage points. Raises
    `ValueError` if the game does not allow them.
    """
    _positive(rival_games=rival_games, restrict_games=restrict_games)
    _points(until=until)
    if restrict_games is not None and not restrict:
        raise ValueError("`restrict_games` needs `restrict=True`")
    arguments = _common(games, bots, seats, seed, options, preset)
    swept = [(name, [_text(value) for value in values]) for name, values in (sweep or {}).items()]
    against = _names(rivals)
    words = [
        *_words(arguments, 2000, "captain"),
        ("--sweep", [f"{name}={','.join(values)}" for name, values in swept], []),
        ("--rivals", ",".join(against) or "none", "random,recruit,captain,emperor:50"),
        ("--rival-games", rival_games, None),
        ("--restrict", restrict, False),
        ("--restrict-games", restrict_games, None),
        ("--until", until, None),
    ]
    more = {
        "sweep": swept,
        "rivals": against,
        "rival_games": rival_games,
        "restrict": restrict,
        "restrict_games": restrict_games,
        "until": None if until is None else until / 100,
    }
    return Run.lab(game, arguments, more, _shown("lab", game, *words))


def arena(
    game: str,
    *,
    games: int = 1000,
    bots: Bots = "captain,random",
    seats: int | None = None,
    seed: int = 1,
    options: Options | None = None,
    preset: str | None = None,
    interval: float | None = None,
) -> Run:
    """Returns a tournament with the arguments of `pentarchy arena`; `report` plays it.

    With `interval`, the report ends once the 95 % interval of every bot is at most this many points wide. Raises
    `ValueError` if the game does not allow the arguments.
    """
    _points(interval=interval)
    arguments = _common(games, bots, seats, seed, options, preset)
    words = [*_words(arguments, 1000, "captain,random"), ("--interval", interval, None)]
    width = None if interval is None else interval / 100
    return Run.arena(game, arguments, width, _shown("arena", game, *words))


def sim(
    game: str,
    *,
    games: int = 10_000,
    bots: Bots = "random",
    seats: int | None = None,
    seed: int = 1,
    options: Options | None = None,
    preset: str | None = None,
) -> Run:
    """Returns a simulation with the arguments of `pentarchy sim`; `report` plays it.

    Raises `ValueError` if the game does not allow the arguments.
    """
    arguments = _common(games, bots, seats, seed, options, preset)
    return Run.sim(game, arguments, _shown("sim", game, *_words(arguments, 10_000, "random")))


def join(command: str, parts: Iterable[bytes], names: Sequence[str] | None = None) -> Report:
    """Joins all parts of a run of `command`, in any order, to its report.

    `names` are those of the parts in errors. Raises `ValueError` if the parts do not make one whole run.
    """
    listed = list(parts)
    called = names or [f"part {number + 1} of the list" for number in range(len(listed))]
    text, page = _core.join_parts(command, list(zip(called, listed)))
    return Report(command, text, page)


def measure(run: Run, threads: int = 0, seconds: float = 0.5) -> float:
    """Plays first parts of growing length until one takes this long, and returns the estimated seconds of the run."""
    parts = run.most_parts
    while True:
        begun = time.perf_counter()
        run.play(1, parts, threads)
        spent = time.perf_counter() - begun
        if spent >= seconds or parts == 1:
            return spent * parts
        # At most four times as many games, so that a game that is longer than the others does no harm.
        parts = max(1, parts // 4)


def part_count(run: Run, whole: float, seconds: float) -> int:
    """Returns the number of parts of about `seconds` each of a run that takes `whole` seconds."""
    return int(min(max(1, round(whole / seconds)), run.most_parts))


def report(run: Run, *, threads: int = 0, progress: OnProgress | None = None) -> Report:
    """Plays a whole run in this process and returns its report.

    `threads` 0 takes all cores. It is played in parts of about a second, between which it can be interrupted.
    Without `progress`, a terminal shows a bar.
    """
    count = part_count(run, measure(run, threads), 1.0)
    with ProgressBar(run.games, count, "games", progress) as bar:
        parts = []
        for part in range(1, count + 1):
            parts.append(run.play(part, count, threads))
            bar.advance()
    return join(run.command, parts)
