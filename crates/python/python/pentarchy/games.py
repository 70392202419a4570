"""Games by name, and setups: a game with its seats, its options and its encoding."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import _core
from ._core import Match, Setup, State

Options = Mapping[str, Any]


@dataclass(frozen=True)
class Option:
    """An option of a game. Designers vary those with `tuning`; players choose the others."""

    name: str
    doc: str
    tuning: bool
    kind: dict[str, Any]


@dataclass(frozen=True)
class Preset:
    """A named set of options."""

    name: str
    about: str
    options: dict[str, Any]


@dataclass(frozen=True)
class GameInfo:
    """What there is to say about a game."""

    name: str
    title: str
    pitch: str
    designer: str
    min_seats: int
    max_seats: int
    default_seats: int
    rules_version: int
    classic: bool
    hidden_information: bool
    rules: str
    options: tuple[Option, ...]
    presets: tuple[Preset, ...]


def games() -> list[str]:
    """Returns the names of all games."""
    return _core.game_names()


@functools.lru_cache(maxsize=None)
def info(game: str) -> GameInfo:
    """Returns what there is to say about a game. Raises `ValueError` if there is none of this name."""
    data = json.loads(_core.game_info(game))
    data["options"] = tuple(Option(**option) for option in data["options"])
    data["presets"] = tuple(Preset(**preset) for preset in data["presets"])
    return GameInfo(**data)


@functools.lru_cache(maxsize=64)
def _make(game: str, seats: int | None, options: str) -> Setup:
    return Setup(game, seats, options)


def make(game: str, seats: int | None = None, options: Options | None = None) -> Setup:
    """Returns a game with its number of seats, its options and its encoding.

    `options` are those that differ from the defaults; nested ones are nested tables. The first call explores
    random games to fix the encoding, which takes up to a second; equal calls return the same setup. Raises
    `ValueError` if the game does not exist or does not allow these seats or options.
    """
    try:
        text = json.dumps(dict(options) if options else None, sort_keys=True)
    except TypeError as error:
        raise ValueError(f"options must be a table of names and values: {error}") from None
    return _make(game, seats, text)


def new_match(
    game: str,
    seats: int | None = None,
    options: Options | None = None,
    *,
    seed: int = 0,
    record: bool = False,
) -> Match:
    """Begins a match in which nature plays itself. Equal seeds and actions give equal matches."""
    return make(game, seats, options).start(seed, record)


def new_state(game: str, seats: int | None = None, options: Options | None = None) -> State:
    """Returns the root of the game tree, in which the results of nature are steps too."""
    return make(game, seats, options).tree()
