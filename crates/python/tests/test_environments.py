"""The environments pass the tests of PettingZoo and Gymnasium."""

from __future__ import annotations

import types
import warnings
from typing import Any

import numpy as np
import pentarchy
import pytest
from gymnasium.utils.env_checker import check_env
from pentarchy import gym, zoo
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, seed_test

GAMES = pentarchy.games()
#: Few enough decisions for a test, and matches of all games are cut off or end.
CYCLES = 20


@pytest.fixture(autouse=True)
def quiet() -> Any:
    """PettingZoo warns that an observation with a mask is no array, for all games but its own."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("features", [False, True])
def test_api(game: str, features: bool) -> None:
    api_test(zoo.env(game, max_cycles=CYCLES, features=features), num_cycles=CYCLES)


@pytest.mark.parametrize("game", GAMES)
def test_parallel_api(game: str) -> None:
    parallel_api_test(zoo.parallel_env(game), num_cycles=CYCLES)


@pytest.mark.parametrize("game", GAMES)
def test_seeds(game: str) -> None:
    seed_test(lambda: zoo.env(game), num_cycles=CYCLES)
    parallel_seed_test(lambda: zoo.parallel_env(game, wrap=True), num_cycles=CYCLES)


def test_max_cycles() -> None:
    def seeded(make: Any) -> Any:
        # The test samples without a mask: with these seeds no column is full and no line is made.
        env = make("connect-four", max_cycles=4)
        for i, agent in enumerate(env.possible_agents):
            env.action_space(agent).seed(i)
        return env

    module = types.SimpleNamespace(
        env=lambda max_cycles: seeded(zoo.env), parallel_env=lambda max_cycles: seeded(zoo.parallel_env)
    )
    max_cycles_test(module)


@pytest.mark.parametrize("game", GAMES)
def test_gymnasium(game: str) -> None:
    check_env(gym.GymGame(game, wrap=True, bot="random"), skip_render_check=True)
    check_env(gym.GymGame(game, wrap=True, bot="random", seat=None, features=True), skip_render_check=True)


def test_a_whole_match_gives_its_rewards() -> None:
    env = zoo.env("tic-tac-toe", record=True, render_mode="ansi")
    env.reset(seed=1)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for move, agent in zip([0, 3, 0, 3, 0], env.agent_iter()):
        assert env.last()[1] == 0
        env.step(move)
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        assert terminated and not truncated
        totals[agent] += reward
        env.step(None)
    # Squares 1, 2, 3 against 5, 6: the first player has the row.
    assert totals == {"player_0": 1.0, "player_1": -1.0} and env.agents == []
    assert "X | X | X" in env.render()
    assert pentarchy.verify(env.match.record()).ranks == [1, 2]


def test_illegal_actions_are_refused() -> None:
    env = zoo.env("kuhn")
    env.reset(seed=1)
    with pytest.raises(IndexError, match="there is no action 2; the legal list has 2 entries"):
        env.step(2)
    with pytest.raises(ValueError, match="player_0 has not ended"):
        env.step(None)
    parallel = zoo.parallel_env("kuhn")
    _, infos = parallel.reset(seed=1)
    assert infos == {"player_0": {"acting": True}, "player_1": {"acting": False}}
    with pytest.raises(ValueError, match="player_0 is to act and has no action"):
        parallel.step({"player_1": 0})
    single = gym.GymGame("kuhn")
    single.reset(seed=1)
    with pytest.raises(IndexError):
        single.step(7)
    for arguments, error, text in [
        ({"seat": 2}, IndexError, "there is no seat 2"),
        ({"bot": "capitan"}, ValueError, "did you mean `captain`"),
        ({"render_mode": "human"}, ValueError, "there are ansi and svg"),
    ]:
        with pytest.raises(error, match=text):
            gym.GymGame("kuhn", **arguments)


def test_the_mask_of_a_seat_that_waits_is_a_distribution() -> None:
    env = zoo.parallel_env("connect-four")
    observations, _ = env.reset(seed=1)
    assert observations["player_0"]["action_mask"].sum() == 7
    assert observations["player_1"]["action_mask"].tolist() == [1, 0, 0, 0, 0, 0, 0]


def test_a_captain_beats_random_players_in_gymnasium() -> None:
    rng, total = np.random.default_rng(1), 0.0
    env = gym.GymGame("tic-tac-toe", bot="captain", seat=None)
    for seed in range(40):
        observed, _ = env.reset(seed=seed)
        while True:
            legal = int(observed["action_mask"].sum())
            observed, reward, terminated, _, info = env.step(int(rng.integers(legal)))
            if terminated:
                total += reward
                break
    assert total < -15
