"""Games of bots against each other, as arrays for programs that learn, and as records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from . import _core
from .games import Options, make
from .runs import Bots, _names


@dataclass(frozen=True)
class Selfplay:
    """The decisions and results of consecutive games, in order. `d` decisions, `g` games."""

    observations: NDArray[np.float32]
    """What the seat to act knew: `[d, observation_size]`; `[0, observation_size]` without vectors."""
    features: NDArray[np.float32]
    """The features of the chosen actions: `[d, action_size]`; `[0, action_size]` without vectors."""
    seats: NDArray[np.int32]
    """The seat to act: `[d]`."""
    actions: NDArray[np.int32]
    """The index of the chosen action in the legal list: `[d]`."""
    counts: NDArray[np.int32]
    """Number of legal actions: `[d]`."""
    games: NDArray[np.int64]
    """The number of the game: `[d]`."""
    rewards: NDArray[np.float32]
    """What each seat got: `[g, seats]`."""
    records: list[str]
    """The record of each game; empty unless they are wanted."""
    first: int
    """The number of the first game."""

    def returns(self) -> NDArray[np.float32]:
        """Returns what the seat to act got in the end: `[d]`. The target of Monte Carlo learning."""
        found: NDArray[np.float32] = self.rewards[self.games - self.first, self.seats]
        return found

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays and records."""
        arrays = (self.observations, self.features, self.seats, self.actions, self.counts, self.games, self.rewards)
        return sum(array.nbytes for array in arrays) + sum(len(record) for record in self.records)


def selfplay(
    game: str,
    games: int | range,
    *,
    bots: Bots = "captain",
    seats: int | None = None,
    options: Options | None = None,
    seed: int = 0,
    threads: int = 0,
    vectors: bool = True,
    records: bool = False,
) -> Selfplay:
    """Plays games between bots and returns their decisions and results.

    `games` is a number, or a range of consecutive numbers. A game depends on the arguments and its number alone
    (unless a bot thinks in time), so that ranges which are played apart make the same whole. Threads 0 takes all
    cores; the interpreter is released. Raises `ValueError` if the game does not allow the arguments.
    """
    numbers = range(games) if isinstance(games, int) else games
    if numbers.step != 1 or numbers.start < 0:
        raise ValueError(f"games are consecutive numbers from 0 on, not {numbers}")
    setup = make(game, seats, options)
    arguments = {
        "bots": _names(bots),
        "seed": seed,
        "first": numbers.start,
        "last": max(numbers.start, numbers.stop),
        "threads": threads,
        "vectors": vectors,
        "records": records,
    }
    return Selfplay(*_core.selfplay(setup, arguments), numbers.start)


def concatenate(pieces: Sequence[Selfplay]) -> Selfplay:
    """Returns consecutive pieces of self-play as one. Raises `ValueError` if there are none, or they leave a gap."""
    if not pieces:
        raise ValueError("there is nothing to concatenate")
    for before, after in zip(pieces, pieces[1:]):
        if before.first + len(before.rewards) != after.first:
            raise ValueError(f"game {before.first + len(before.rewards)} is not where the next piece begins")
    return Selfplay(
        observations=np.concatenate([piece.observations for piece in pieces]),
        features=np.concatenate([piece.features for piece in pieces]),
        seats=np.concatenate([piece.seats for piece in pieces]),
        actions=np.concatenate([piece.actions for piece in pieces]),
        counts=np.concatenate([piece.counts for piece in pieces]),
        games=np.concatenate([piece.games for piece in pieces]),
        rewards=np.concatenate([piece.rewards for piece in pieces]),
        records=[record for piece in pieces for record in piece.records],
        first=pieces[0].first,
    )
