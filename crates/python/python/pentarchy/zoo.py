"""Environments for PettingZoo: agents `player_0`, `player_1`, … in turn, or all at once.

An action is an index into the legal list. The mask says how long the list is; with `features=True` the
observation also has the features of each legal action. A seat that has several decisions in a row is selected
several times. With `wrap=True` an index beyond the list counts modulo its length; otherwise it raises
`IndexError`.
"""

from __future__ import annotations

import secrets
from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from ._core import Match
from .games import Options, make
from .show import show
from .spaces import Observation, View, check_action

#: Bits of a seed that is drawn if none is given.
_SEED_BITS = 63


class _Table:
    """The match, the spaces and the agents of an environment."""

    def __init__(self, game: str, seats: int | None, options: Options | None, features: bool, record: bool) -> None:
        self.setup = make(game, seats, options)
        self.view = View(self.setup, features)
        self.agents = [f"player_{seat}" for seat in range(self.setup.seats)]
        self.seat_of = {agent: seat for seat, agent in enumerate(self.agents)}
        self.observation_spaces = {agent: self.view.observation_space() for agent in self.agents}
        self.action_spaces = {agent: self.view.action_space() for agent in self.agents}
        self.record = record
        self.next_seed: int | None = None

    def start(self, seed: int | None) -> Match:
        """Begins a match: with this seed, or with the next one, or with a random one."""
        if seed is None:
            seed = secrets.randbits(_SEED_BITS) if self.next_seed is None else self.next_seed
        self.next_seed = seed + 1
        return self.setup.start(seed, self.record)


class _Environment:
    """What both environments have in common: setup, spaces, the match and its pictures."""

    _match: Match

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        options: Options | None = None,
        *,
        max_cycles: int = 0,
        features: bool = False,
        wrap: bool = False,
        record: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Prepares the environment; `reset` begins a match.

        `max_cycles` cuts the match off: after this many decisions per seat in turn, or steps of all at once. 0 sets no
        limit.
        """
        super().__init__()
        self._table = _Table(game, seats, options, features, record)
        self.metadata = {
            "name": f"pentarchy_{game.replace('-', '_')}_v0",
            "render_modes": ["ansi", "svg"],
            "is_parallelizable": False,
        }
        self.possible_agents = list(self._table.agents)
        self.agents: list[str] = []
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self._wrap = wrap
        self._observe = self._table.view.observe
        self._seat_of = self._table.seat_of

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """Returns the space of an agent's observations."""
        return self._table.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of an agent's actions."""
        return self._table.action_spaces[agent]

    @property
    def match(self) -> Match:
        """The match: for bots, hints, `show` and records."""
        return self._match

    def render(self) -> str | None:
        """Returns what is public as text (`ansi`) or as an SVG picture (`svg`)."""
        if self.render_mode == "ansi":
            return self._match.table()
        return str(show(self._match)) if self.render_mode == "svg" else None

    def close(self) -> None:
        """Does nothing: there is nothing to close."""


class AecGame(_Environment, AECEnv):  # type: ignore[misc]
    """A game as a PettingZoo AEC environment: one agent acts at a time."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a match. Without a seed, the one after the last; `options` is ignored."""
        self._match = self._table.start(seed)
        self._decisions = 0
        self._limit = self.max_cycles * len(self.possible_agents)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[max(self._match.seat, 0)]
        if self._match.over:
            self._finish()

    def observe(self, agent: str) -> Observation:
        """Returns what an agent knows and may do."""
        return self._observe(self._match, self._seat_of[agent])

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Returns observation, reward since its last turn, end, cut-off and info of the selected agent."""
        agent = self.agent_selection
        return (
            self._observe(self._match, self._seat_of[agent]) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def step(self, action: int | None) -> None:
        """Plays an action of the selected agent; `None` if it has ended."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if self._wrap:
            action = check_action(action, self._match.count, True)
        if action is None:
            raise ValueError(f"{agent} has not ended: its action must be an index into the legal list")
        # Rewards come at the end only, so that all of them are 0 until then.
        seat = self._match.step(action)
        self._decisions += 1
        if seat < 0:
            self._finish()
        else:
            self.agent_selection = self.possible_agents[seat]
            if self._decisions == self._limit:
                self.truncations = dict.fromkeys(self.agents, True)

    def _finish(self) -> None:
        """Ends the match for all agents and gives them their rewards."""
        for agent, reward in zip(self.agents, self._match.rewards()):
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] += reward
            self.terminations[agent] = True


class ParallelGame(_Environment, ParallelEnv):  # type: ignore[misc]
    """A game as a PettingZoo parallel environment: only the action of the seat to act counts.

    `infos[agent]["acting"]` says which seat that is; the mask of the others allows action 0 alone.
    """

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._observe(self._match, self._seat_of[agent]) for agent in self.agents}

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: {"acting": self._match.seat == self._seat_of[agent]} for agent in self.agents}

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begins a match. Without a seed, the one after the last; `options` is ignored."""
        self._match = self._table.start(seed)
        self._steps = 0
        self.agents = list(self.possible_agents)
        return self._observations(), self._infos()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Plays the action of the seat to act. Raises `ValueError` if it has none."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        acting = self.possible_agents[self._match.seat]
        if acting not in actions:
            raise ValueError(f"{acting} is to act and has no action")
        self._match.step(check_action(actions[acting], self._match.count, self._wrap))
        self._steps += 1
        over = self._match.over
        cut = not over and self._steps == self.max_cycles
        rewards = dict(zip(self.agents, self._match.rewards()))
        ended = dict.fromkeys(self.agents, over)
        cut_off = dict.fromkeys(self.agents, cut)
        result = (self._observations(), rewards, ended, cut_off, self._infos())
        if over or cut:
            self.agents = []
        return result


def env(game: str, seats: int | None = None, options: Options | None = None, **more: Any) -> AecGame:
    """Returns a game as an AEC environment."""
    return AecGame(game, seats, options, **more)


def parallel_env(game: str, seats: int | None = None, options: Options | None = None, **more: Any) -> ParallelGame:
    """Returns a game as a parallel environment."""
    return ParallelGame(game, seats, options, **more)
