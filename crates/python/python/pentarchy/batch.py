"""Batches: many matches that are stepped together, into arrays of the caller."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .games import Options, make


@dataclass(frozen=True)
class Arrays:
    """The arrays into which a batch of `n` matches writes. You may use your own, such as shared memory."""

    observations: NDArray[np.float32]
    """What the seat to act knows: `[n, observation_size]`, or `[0]` to leave it out."""
    features: NDArray[np.float32]
    """The features of its legal actions: `[n, max_actions, action_size]`, or `[0]` to leave them out.
    Rows from `counts` on hold old values."""
    counts: NDArray[np.int32]
    """Number of legal actions: `[n]`."""
    seats: NDArray[np.int32]
    """The seat to act: `[n]`."""
    rewards: NDArray[np.float32]
    """What each seat gets, if the match ended in this step, else 0: `[n, seats]`."""
    done: NDArray[np.uint8]
    """1 if the match ended in this step, 2 if it was cut off, else 0: `[n]`. The next match has begun then."""

    def mask(self) -> NDArray[np.bool_]:
        """Returns which rows of `features` are legal actions: `[n, max_actions]`. The features must be there."""
        if self.features.ndim != 3:
            raise ValueError("there are no features; compare `counts` with your own range")
        return np.arange(self.features.shape[1], dtype=np.int32) < self.counts[:, None]


class Batch:
    """Many matches of one game that are stepped together.

    Nature plays itself, and a match that has ended begins again. An action is an index into the legal list of
    its match. Equal arguments and actions give equal results, whatever the number of threads. The interpreter
    is released during a step.
    """

    def __init__(
        self,
        game: str,
        n: int,
        seats: int | None = None,
        options: Options | None = None,
        seed: int = 0,
        threads: int = 1,
        *,
        max_decisions: int = 0,
        max_actions: int = 0,
    ) -> None:
        """Begins `n` matches.

        A match is cut off after `max_decisions` decisions; 0 sets no limit. `max_actions` is the number of
        legal actions for which there is room: 0 takes the setup's, and a longer list is cut.
        """
        self.setup = make(game, seats, options)
        self._inner = self.setup.batch(n, seed, threads, max_decisions, max_actions)
        self.n: int = self._inner.n
        self.seats: int = self._inner.seats
        self.observation_size: int = self._inner.observation_size
        self.action_size: int = self._inner.action_size
        self.max_actions: int = self._inner.max_actions

    def arrays(self, *, observations: bool = True, features: bool = True) -> Arrays:
        """Returns new arrays of the right shapes, all 0."""
        n, room = self.n, self.max_actions
        return Arrays(
            observations=np.zeros((n, self.observation_size) if observations else (0,), np.float32),
            features=np.zeros((n, room, self.action_size) if features else (0,), np.float32),
            counts=np.zeros(n, np.int32),
            seats=np.zeros(n, np.int32),
            rewards=np.zeros((n, self.seats), np.float32),
            done=np.zeros(n, np.uint8),
        )

    def reset(self, out: Arrays, seed: int = 0) -> None:
        """Begins all matches again and writes their first decisions into `out`."""
        self._inner.reset(seed, out)

    def observe(self, out: Arrays) -> None:
        """Writes the awaited decisions into `out` without a step."""
        self._inner.observe(out)

    def step(self, actions: NDArray[np.int32] | Any, out: Arrays) -> None:
        """Plays one action in each match and writes the next decisions into `out`.

        Raises `IndexError` if an action is not in its legal list, and `ValueError` if an array does not fit;
        nothing has changed then.
        """
        self._inner.step(actions, out)

    def play_random(self, steps: int, out: Arrays) -> int:
        """Plays uniformly random actions for `steps` steps and returns the number of matches that ended."""
        return self._inner.play_random(steps, out)
