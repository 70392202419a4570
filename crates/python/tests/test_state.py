"""Game trees: equal to OpenSpiel's where the rules coincide."""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import pentarchy
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel has no wheel for this Python")

#: Ours, its options, OpenSpiel's, and the depth to which the trees are walked (None: all of it).
TREES: list[tuple[str, dict[str, Any], str, int | None]] = [
    ("tic-tac-toe", {}, "tic_tac_toe", 5),
    ("connect-four", {}, "connect_four", 4),
    ("kuhn", {}, "kuhn_poker", None),
    ("leduc", {}, "leduc_poker", None),
    ("liars-dice", {"dice": 1, "sides": 6, "wild": "highest"}, "liars_dice", 5),
    ("liars-dice", {"dice": 1, "sides": 3, "wild": "highest"}, "liars_dice(dice_sides=3)", None),
]


def census(root: Any, depth: int | None) -> tuple[Counter[Any], Counter[Any]]:
    """Returns the number of nodes by depth and kind, and of ends by the result of the first seat."""
    nodes: Counter[Any] = Counter()
    ends: Counter[Any] = Counter()

    def walk(state: Any, level: int) -> None:
        player = state.current_player()
        kind = "end" if state.is_terminal() else "chance" if state.is_chance_node() else player
        nodes[level, kind] += 1
        if state.is_terminal():
            ends[round(float(state.returns()[0]), 3)] += 1
        elif depth is None or level < depth:
            for action in state.legal_actions():
                walk(state.child(action), level + 1)

    walk(root, 0)
    return nodes, ends


@pytest.mark.parametrize(("ours", "options", "theirs", "depth"), TREES)
def test_trees_equal_those_of_open_spiel(ours: str, options: dict[str, Any], theirs: str, depth: int | None) -> None:
    found = census(pentarchy.new_state(ours, 2, options), depth)
    expected = census(pyspiel.load_game(theirs).new_initial_state(), depth)
    assert found == expected
    assert found[0].total() > 50


def test_whole_trees_have_the_published_numbers() -> None:
    assert census(pentarchy.new_state("kuhn"), None)[0].total() == 58
    assert census(pentarchy.new_state("leduc"), None)[0].total() == 9457


def expected_returns(state: Any) -> list[float]:
    """The mean result of uniformly random play."""
    if state.is_terminal():
        return list(state.returns())
    outcomes = state.chance_outcomes() if state.is_chance_node() else None
    outcomes = outcomes or [(a, 1 / len(state.legal_actions())) for a in state.legal_actions()]
    total = [0.0, 0.0]
    for action, probability in outcomes:
        for seat, value in enumerate(expected_returns(state.child(action))):
            total[seat] += probability * value
    return total


def test_chance_has_the_probabilities_of_open_spiel() -> None:
    for ours, theirs in [("kuhn", "kuhn_poker"), ("leduc", "leduc_poker")]:
        found = expected_returns(pentarchy.new_state(ours))
        expected = expected_returns(pyspiel.load_game(theirs).new_initial_state())
        assert found == pytest.approx(expected, abs=1e-9)


def test_information_sets_are_those_that_a_seat_can_tell_apart() -> None:
    sets: set[tuple[int, str]] = set()

    def walk(state: pentarchy.State) -> None:
        player = state.current_player()
        if player >= 0:
            sets.add((player, state.information_state_string(player)))
        for action in state.legal_actions():
            walk(state.child(action))

    walk(pentarchy.new_state("kuhn"))
    assert len(sets) == 12
    sets.clear()
    walk(pentarchy.new_state("leduc"))
    assert len(sets) == 936


def test_a_state_is_copied_and_refuses_what_is_wrong() -> None:
    state = pentarchy.new_state("kuhn")
    assert state.is_chance_node() and state.current_player() == -1 and state.num_players() == 2
    assert state.chance_outcomes() == [(0, pytest.approx(1 / 3)), (1, pytest.approx(1 / 3)), (2, pytest.approx(1 / 3))]
    with pytest.raises(pentarchy.GameError, match="no seat is to act"):
        state.observation_tensor()
    with pytest.raises(pentarchy.GameError, match="no seat is to act"):
        pentarchy.Bot("kuhn")(state)
    for copied in (state.clone(), copy.copy(state), copy.deepcopy(state)):
        copied.apply_action(0)
        copied.apply_action(0)
        assert copied.current_player() == 0 and state.is_chance_node()
        assert copied.action_to_string(1) == "bet"
        assert copied.observation_tensor().shape == copied.observation_tensor(1).shape
        assert copied.action_features().shape == (2, copied.setup.action_size)
    for wrong in (3, -1, 2**40):
        with pytest.raises(IndexError, match="there is no action"):
            state.apply_action(wrong)
    with pytest.raises(IndexError, match="there is no seat 2; the match has 2 seats"):
        state.observation_tensor(2)
    while not state.is_terminal():
        state.apply_action(0)
    assert state.current_player() == -4 and sum(state.returns()) == 0 and state.legal_actions() == []
    with pytest.raises(pentarchy.GameError, match="the match is over"):
        state.apply_action(0)


@pytest.mark.parametrize("game", pentarchy.games())
def test_every_game_can_be_walked_as_a_tree(game: str) -> None:
    state = pentarchy.new_state(game)
    for step in range(150):
        if state.is_terminal():
            break
        actions = state.legal_actions()
        assert actions
        if state.is_chance_node():
            assert sum(p for _, p in state.chance_outcomes()) == pytest.approx(1)
        else:
            assert state.action_features().shape[0] == len(actions)
        state.apply_action(actions[step * 7 % len(actions)])
