"""`python -m pentarchy`: what there is."""

from __future__ import annotations

import argparse
from typing import Any

from .games import games, info, make


def _table(names: list[str]) -> None:
    print(f"{'game':<14}{'seats':>7}  {'observation':>11}  {'action':>6}  {'room':>5}  {'hidden':<6}  title")
    for name in names:
        game, setup = info(name), make(name)
        seats = f"{game.min_seats}-{game.max_seats}" if game.min_seats < game.max_seats else f"{game.min_seats}"
        hidden = "yes" if game.hidden_information else "no"
        print(
            f"{name:<14}{seats:>7}  {setup.observation_size:>11}  {setup.action_size:>6}  {setup.max_actions:>5}"
            f"  {hidden:<6}  {game.title}: {game.pitch}"
        )
    print("\nSizes are those at the default number of seats and options: numbers of an observation and of an")
    print("action, and the number of legal actions for which arrays have room.")
    print("python -m pentarchy GAME lists the options of a game.")


def _game(name: str) -> None:
    game = info(name)
    print(f"{game.title}, by {game.designer}: {game.pitch}")
    print(f"Seats: {game.min_seats} to {game.max_seats}, {game.default_seats} by default.")
    for seats in range(game.min_seats, game.max_seats + 1):
        setup = make(name, seats)
        print(
            f"  {seats} seats: observation {setup.observation_size}, action {setup.action_size}, "
            f"room for {setup.max_actions} actions"
        )
    for preset in game.presets:
        print(f"Preset {preset.name}: {preset.about}")
    for title, tuning in (("Options", False), ("Tuning numbers", True)):
        options = [option for option in game.options if option.tuning == tuning]
        if options:
            print(f"{title}:")
        for option in options:
            print(f"  {option.name} ({_values(option.kind)}): {option.doc}")


def _values(kind: dict[str, Any]) -> str:
    """Says what values an option takes: `int, 1 to 6`."""
    if "choices" in kind:
        return " or ".join(kind["choices"])
    return f"{kind['type']}, {kind['min']} to {kind['max']}" if "min" in kind else str(kind["type"])


def main() -> None:
    """Prints all games, or the options of one."""
    parser = argparse.ArgumentParser(prog="python -m pentarchy", description="Lists games and their options.")
    parser.add_argument("game", nargs="?", choices=games(), help="a game whose options are listed")
    name: str | None = parser.parse_args().game
    if name is None:
        _table(games())
    else:
        _game(name)


if __name__ == "__main__":
    main()
