"""What the environments of PettingZoo and Gymnasium share: spaces, masks and observations."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ._core import Match, Setup

#: Largest absolute value of an encoded number.
MOST_ENCODED = 2.0

Observation = dict[str, NDArray[Any]]


class View:
    """Observations of a setup as dictionaries: `observation`, `action_mask` and, if wanted, `action_features`.

    The mask of a seat that is not to act allows action 0 alone, which then does nothing: a mask without a legal
    action is no distribution. Masks are shared and read-only.
    """

    def __init__(self, setup: Setup, features: bool) -> None:
        self.setup = setup
        self.room = setup.max_actions
        self.features = features
        steps = np.arange(self.room)
        self.masks = [(steps < max(count, 1)).astype(np.int8) for count in range(self.room + 1)]
        for mask in self.masks:
            mask.setflags(write=False)

    def observation_space(self) -> spaces.Space[Observation]:
        """Returns a new space of observations."""
        box: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(-MOST_ENCODED, MOST_ENCODED, (self.setup.observation_size,), np.float32),
            "action_mask": spaces.Box(0, 1, (self.room,), np.int8),
        }
        if self.features:
            shape = (self.room, self.setup.action_size)
            box["action_features"] = spaces.Box(-MOST_ENCODED, MOST_ENCODED, shape, np.float32)
        space: spaces.Space[Any] = spaces.Dict(box)
        return space

    def action_space(self) -> spaces.Space[Any]:
        """Returns a new space of actions: indices into the legal list."""
        return spaces.Discrete(self.room)

    def observe(self, playing: Match, seat: int) -> Observation:
        """Returns what a seat knows and may do."""
        count = playing.count if playing.seat == seat else 1
        observed: Observation = {
            "observation": playing.observation(seat),
            "action_mask": self.masks[count] if count <= self.room else self.masks[self.room],
        }
        if self.features:
            padded = np.zeros((self.room, self.setup.action_size), np.float32)
            if playing.seat == seat:
                rows = playing.features()[: self.room]
                padded[: len(rows)] = rows
            observed["action_features"] = padded
        return observed


def check_action(action: Any, count: int, wrap: bool) -> int:
    """Returns an index as an `int`; with `wrap` an index beyond the legal list counts modulo its length."""
    index = int(action)
    return index % count if wrap and count else index
