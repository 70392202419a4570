"""A Gymnasium environment: one seat against bots."""

from __future__ import annotations

from typing import Any

import gymnasium

from ._core import Bot, Match
from .games import Options, make
from .show import show
from .spaces import Observation, View, check_action

#: Seeds are drawn below this number.
_SEEDS = 2**62


class GymGame(gymnasium.Env[Observation, int]):
    """One seat of a game; bots play the others.

    The reward comes at the end: from -1 (last) to 1 (sole winner), or the score in poker. With `wrap=True` an
    action beyond the legal list counts modulo its length; otherwise it raises `IndexError`.
    """

    metadata = {"render_modes": ["ansi", "svg"]}

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        options: Options | None = None,
        *,
        seat: int | None = 0,
        bot: str = "captain",
        max_decisions: int = 0,
        features: bool = False,
        wrap: bool = False,
        record: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Prepares the environment; `reset` begins a match.

        `seat` is the own seat; `None` draws one for each match. `bot` is the level of the others: `random`,
        `recruit`, `captain`, `emperor:500`. The match is cut off after `max_decisions` own decisions; 0 sets no
        limit.
        """
        setup = make(game, seats, options)
        if seat is not None and not 0 <= seat < setup.seats:
            raise IndexError(f"there is no seat {seat}; the match has {setup.seats} seats, counted from 0")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"there is no render mode {render_mode!r}; there are ansi and svg")
        Bot(game, bot)
        self._setup = setup
        self._view = View(setup, features)
        self._fixed_seat = seat
        self._level = bot
        self._limit = max_decisions
        self._wrap = wrap
        self._record = record
        self.render_mode = render_mode
        self.observation_space = self._view.observation_space()
        self.action_space = self._view.action_space()

    @property
    def match(self) -> Match:
        """The match: for hints, `show` and records."""
        return self._match

    @property
    def seat(self) -> int:
        """The own seat."""
        return self._seat

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a match and lets the bots play up to the first own decision; `options` is ignored."""
        super().reset(seed=seed)
        for _ in range(10_000):
            self._begin()
            if not self._match.over:
                return self._observe(), {"seat": self._seat}
        raise RuntimeError("the matches end before the own seat decides")

    def _observe(self) -> Observation:
        observed = self._view.observe(self._match, self._seat)
        # Gymnasium wants arrays that nothing else shares.
        observed["action_mask"] = observed["action_mask"].copy()
        return observed

    def _begin(self) -> None:
        drawn = self.np_random.integers(_SEEDS, size=2)
        seats = self._setup.seats
        self._seat = int(drawn[1] % seats) if self._fixed_seat is None else self._fixed_seat
        self._match = self._setup.start(int(drawn[0]), self._record)
        self._bots = [Bot(self._setup.game, self._level, int(drawn[0]) + 1 + other) for other in range(seats)]
        self._decisions = 0
        self._play_bots()

    def _play_bots(self) -> None:
        """Lets the bots play up to the next own decision or the end."""
        while not self._match.over and self._match.seat != self._seat:
            self._match.step(self._bots[self._match.seat](self._match))

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays an own action, and lets the bots play up to the next one or the end."""
        self._match.step(check_action(action, self._match.count, self._wrap))
        self._play_bots()
        self._decisions += 1
        over = self._match.over
        cut = not over and self._decisions == self._limit
        return self._observe(), float(self._match.rewards()[self._seat]), over, cut, {"seat": self._seat}

    def render(self) -> str | None:
        """Returns what the own seat sees as text (`ansi`) or as an SVG picture (`svg`)."""
        if self.render_mode == "ansi":
            return self._match.table(self._seat)
        return str(show(self._match, self._seat)) if self.render_mode == "svg" else None
