"""Random playouts in OpenSpiel, as fast as its C++ core does them.

The loop over moves must not run in Python. OpenSpiel's `RandomRolloutEvaluator` plays random games in
C++, and a search of one simulation calls it exactly once, on the state that it is given: so one call
from Python plays a whole batch.

A search cannot start at a chance node. The poker games are therefore started from every possible deal
in turn, and the deal itself is not part of what is measured.

Prints one JSON object a line: the median and the range of several runs, per CPU second.
"""

import json
import statistics
import time

import pyspiel

GAMES = {
    "connect-four": "connect_four",
    "tic-tac-toe": "tic_tac_toe",
    "kuhn": "kuhn_poker",
    "leduc": "leduc_poker",
}
RUNS = 7
SECONDS = 0.7


def after_the_deal(state):
    """Every state at which the first decision may be taken."""
    if not state.is_chance_node():
        return [state]
    children = [state.child(action) for action, _ in state.chance_outcomes()]
    return [leaf for child in children for leaf in after_the_deal(child)]


def cpu_seconds(game, states, playouts, seed):
    """The CPU time of this many playouts from each of the states."""
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=playouts, seed=seed)
    bot = pyspiel.MCTSBot(
        game, evaluator, uct_c=1.0, max_simulations=1, max_memory_mb=10, solve=False, seed=seed, verbose=False
    )
    start = time.process_time()
    for state in states:
        bot.mcts_search(state)
    return time.process_time() - start


def main():
    for name, spiel_name in GAMES.items():
        game = pyspiel.load_game(spiel_name)
        states = after_the_deal(game.new_initial_state())
        trial = 20_000 // len(states)
        batch = max(trial, int(trial * SECONDS / cpu_seconds(game, states, trial, seed=1)))
        rates = sorted(batch * len(states) / cpu_seconds(game, states, batch, seed=run) for run in range(RUNS))
        figure = {
            "bench": f"playout {name}",
            "per_second": statistics.median(rates),
            "low": rates[0],
            "high": rates[-1],
        }
        print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()
