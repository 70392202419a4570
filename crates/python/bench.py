#!/usr/bin/env python3
"""Speed of the package, side by side with the Rust playouts, PettingZoo's classics and OpenSpiel, in one run.

Prints one JSON object per line, which `cargo xtask measure python` turns into a table. With names of games as
arguments, measures only these. OpenSpiel and PettingZoo's classics are left out where they are not installed.
"""

from __future__ import annotations

import importlib
import json
import random
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pentarchy
from pentarchy import zoo

#: Matches of a batch.
MATCHES = 1024
#: Runs of each figure, of which the best counts, and the seconds of a run.
RUNS, SECONDS = 5, 0.4
#: The same game elsewhere.
PETTING_ZOO = {"tic-tac-toe": "tictactoe_v3", "connect-four": "connect_four_v3"}
OPEN_SPIEL = {
    "tic-tac-toe": "tic_tac_toe",
    "connect-four": "connect_four",
    "kuhn": "kuhn_poker",
    "leduc": "leduc_poker",
}


def rate(some: Callable[[], int]) -> float:
    """The best number of decisions per second; `some` makes some decisions and returns how many."""
    some()
    best = 0.0
    for _ in range(RUNS):
        decisions, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < SECONDS:
            decisions += some()
        best = max(best, decisions / spent)
    return best


def playouts(setup: pentarchy.Setup) -> Callable[[], int]:
    """Random games inside Rust."""
    seeds = iter(range(10**9))
    return lambda: setup.playouts(20, next(seeds))


def batch(game: str, observations: bool, features: bool) -> Callable[[], int]:
    """Random actions in a batch, chosen in Python."""
    stepped = pentarchy.Batch(game, MATCHES, max_decisions=20_000)
    out = stepped.arrays(observations=observations, features=features)
    stepped.reset(out)
    rng = np.random.default_rng(1)

    def step() -> int:
        stepped.step((rng.random(MATCHES) * out.counts).astype(np.int32), out)
        return MATCHES

    return step


def aec(env: Any) -> Callable[[], int]:
    """Whole matches in the AEC interface: observations, masks, random legal actions."""
    chance = random.Random(1)

    def play() -> int:
        env.reset(seed=chance.getrandbits(30))
        decisions = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            mask = observation["action_mask"]
            env.step(chance.choice(mask.nonzero()[0]))
            decisions += 1
        return decisions

    return play


def aec_lean(env: Any) -> Callable[[], int]:
    """Whole matches in the AEC interface; the legal list is a prefix, so that its length is enough."""
    chance = random.Random(1).random

    def play() -> int:
        env.reset(seed=int(chance() * 2**30))
        decisions, playing, last, step = 0, env.match, env.last, env.step
        for _ in env.agent_iter():
            _, _, terminated, truncated, _ = last()
            if terminated or truncated:
                step(None)
            else:
                step(int(chance() * playing.count))
                decisions += 1
        return decisions

    return play


def tree(root: Callable[[], Any], observe: bool) -> Callable[[], int]:
    """Whole matches in the interface of OpenSpiel: legal actions, apply, perhaps observations."""
    chance = random.Random(1)

    def play() -> int:
        state, decisions = root(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(chance.choice(outcomes)[0])
                continue
            if observe:
                state.observation_tensor(state.current_player())
            state.apply_action(chance.choice(state.legal_actions()))
            decisions += 1
        return decisions

    return play


def petting_zoo(game: str) -> Any:
    """PettingZoo's own environment of the game; `None` if it is not installed."""
    if game not in PETTING_ZOO:
        return None
    try:
        return importlib.import_module(f"pettingzoo.classic.{PETTING_ZOO[game]}").env()
    except ImportError:
        return None


def open_spiel(game: str) -> Any:
    """OpenSpiel's game; `None` if it is not installed."""
    if game not in OPEN_SPIEL:
        return None
    try:
        import pyspiel
    except ImportError:
        return None
    return pyspiel.load_game(OPEN_SPIEL[game])


def measure(game: str) -> list[tuple[str, float]]:
    """All figures of a game."""
    setup = pentarchy.make(game)
    figures = [
        ("playouts", rate(playouts(setup))),
        ("batch", rate(batch(game, False, False))),
        ("batch, observations", rate(batch(game, True, False))),
        ("batch, all", rate(batch(game, True, True))),
        ("AEC loop", rate(aec(zoo.env(game, max_cycles=20_000)))),
        ("AEC loop, lean", rate(aec_lean(zoo.env(game, max_cycles=20_000)))),
    ]
    theirs = petting_zoo(game)
    if theirs is not None:
        figures.append(("PettingZoo's loop", rate(aec(theirs))))
    spiel = open_spiel(game)
    if spiel is not None:
        figures.append(("state", rate(tree(setup.tree, False))))
        figures.append(("OpenSpiel's loop", rate(tree(spiel.new_initial_state, False))))
        figures.append(("OpenSpiel's loop, observations", rate(tree(spiel.new_initial_state, True))))
    return figures


def main() -> None:
    warnings.simplefilter("ignore")
    for game in sys.argv[1:] or pentarchy.games():
        figures = [(name, f"{figure:,.0f}".replace(",", " ")) for name, figure in measure(game)]
        print(json.dumps({"row": game, "figures": figures}), flush=True)


if __name__ == "__main__":
    main()
