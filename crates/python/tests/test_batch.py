"""Batches: determinism, rewards, arrays, bad input."""

from __future__ import annotations

import numpy as np
import pentarchy
import pytest
from pentarchy import Arrays, Batch

GAMES = pentarchy.games()


def snapshots(batch: Batch, steps: int, seed: int = 3) -> list[bytes]:
    """Plays random actions and returns what the batch wrote after each step."""
    rng, out, seen = np.random.default_rng(seed), batch.arrays(), []
    batch.reset(out, seed=11)
    for _ in range(steps):
        # Rows beyond the counts hold old values, which are no part of the result.
        out.features[~out.mask()] = 0
        arrays = (out.observations, out.features, out.counts, out.seats, out.rewards, out.done)
        seen.append(b"".join(array.tobytes() for array in arrays))
        batch.step((rng.random(batch.n) * out.counts).astype(np.int32), out)
    return seen


@pytest.mark.parametrize("game", GAMES)
def test_equal_seeds_give_equal_results_whatever_the_number_of_threads(game: str) -> None:
    steps = 60
    one = snapshots(Batch(game, 7), steps)
    assert one == snapshots(Batch(game, 7, threads=3), steps)
    assert one != snapshots(Batch(game, 7), steps, seed=4)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_written_is_in_range(game: str) -> None:
    batch = Batch(game, 5, max_decisions=40)
    out = batch.arrays()
    batch.reset(out)
    rng = np.random.default_rng(1)
    ended = 0
    for _ in range(80):
        assert (out.counts >= 1).all() and (out.counts <= batch.max_actions).all()
        assert (0 <= out.seats).all() and (out.seats < batch.seats).all()
        assert np.abs(out.observations).max() <= 2 and np.abs(out.features).max() <= 2
        assert (out.observations[np.arange(5), out.seats] == 1).all(), "the first numbers are the own seat"
        assert (out.rewards[out.done != 1] == 0).all()
        ended += int((out.done != 0).sum())
        batch.step((rng.random(5) * out.counts).astype(np.int32), out)
    assert ended >= 5, "each match ends or is cut off after 40 decisions"


def test_rewards_of_a_game_for_two_add_up_to_nothing() -> None:
    for game in ("tic-tac-toe", "kuhn", "leduc"):
        batch = Batch(game, 64)
        out = batch.arrays(observations=False, features=False)
        batch.reset(out)
        rng, total = np.random.default_rng(1), np.zeros(2)
        for _ in range(200):
            batch.step((rng.random(64) * out.counts).astype(np.int32), out)
            assert np.allclose(out.rewards.sum(axis=1), 0)
            total += np.abs(out.rewards).sum(axis=0)
        assert (total > 100).all()


def test_a_batch_and_a_match_show_the_same() -> None:
    batch, playing = Batch("leduc", 1, seed=5), None
    out = batch.arrays()
    batch.observe(out)
    setup = batch.setup
    for seed in range(300):
        candidate = setup.start(seed)
        if (candidate.observation(candidate.seat) == out.observations[0]).all():
            playing = candidate
            break
    assert playing is not None, "one of 300 deals is the batch's"
    assert (playing.features() == out.features[0, : out.counts[0]]).all()


def test_play_random_plays_whole_matches() -> None:
    batch = Batch("connect-four", 32, threads=2)
    out = batch.arrays(observations=False, features=False)
    assert 100 < batch.play_random(200, out) < 32 * 200 / 7


def test_wrong_actions_and_arrays_are_refused_and_change_nothing() -> None:
    batch = Batch("tic-tac-toe", 3)
    out = batch.arrays()
    batch.reset(out)
    before = out.observations.copy()
    for actions, error, text in [
        ([0, 9, 0], IndexError, "match 1: there is no action 9; the legal list has 9 entries"),
        ([0, 0, -1], IndexError, "match 2: there is no action -1"),
        ([0, 0], ValueError, "the array `actions` has 2 entries; 3 are needed"),
    ]:
        with pytest.raises(error, match=text):
            batch.step(np.array(actions, np.int32), out)
    with pytest.raises(ValueError, match="`actions` must be a numpy array of int32"):
        batch.step(np.zeros(3, np.int64), out)
    with pytest.raises(ValueError, match="`actions` must be a numpy array of int32"):
        batch.step([0, 0, 0], out)
    batch.observe(out)
    assert (out.observations == before).all()

    def changed(**arrays: np.ndarray) -> Arrays:
        return Arrays(**{**vars(batch.arrays()), **arrays})

    for wrong, text in [
        (changed(counts=np.zeros(4, np.int32)), "`counts` has 4 entries; 3 are needed"),
        (changed(observations=np.zeros((3, 2), np.float32)), "`observations` has 6 entries"),
        (changed(rewards=np.zeros((3, 2), np.float64)), "`rewards` must be a writeable numpy array of float32"),
        (changed(done=np.zeros(6, np.uint8)[::2]), "`done` is not contiguous"),
    ]:
        with pytest.raises(ValueError, match=text):
            batch.observe(wrong)
    locked = batch.arrays()
    locked.counts.setflags(write=False)
    with pytest.raises(ValueError, match="writeable"):
        batch.observe(locked)


def test_wrong_setups_are_refused() -> None:
    for call, text in [
        (lambda: Batch("chess", 1), "there is no game `chess`"),
        (lambda: Batch("Connect Four", 1), "did you mean `connect-four`"),
        (lambda: Batch("kuhn", 1, seats=3), "is for 2 seats, not 3"),
        (lambda: Batch("kuhn", 1, seats=-1), "is not for -1 seats"),
        (lambda: Batch("kuhn", 1, seats=300), "is not for 300 seats"),
        (lambda: Batch("kuhn", 0), "a batch has 1 to"),
        (lambda: Batch("kuhn", 1, threads=0), "1 to 1024 threads, not 0"),
        (lambda: Batch("liars-dice", 1, options={"dice": 99}), "dice"),
        (lambda: Batch("liars-dice", 1, options={"dices": 2}), "dices"),
        (lambda: Batch("liars-dice", 1, options={"dice": {1}}), "options must be a table"),
    ]:
        with pytest.raises(ValueError, match=text):
            call()
    with pytest.raises(OverflowError):
        Batch("kuhn", -1)


def test_a_long_list_is_cut_to_the_room() -> None:
    batch = Batch("tic-tac-toe", 2, max_actions=4)
    out = batch.arrays()
    batch.reset(out)
    assert batch.max_actions == 4 and (out.counts == 4).all() and out.features.shape[1] == 4
