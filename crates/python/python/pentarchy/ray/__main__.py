"""`python -m pentarchy.ray lab hegemony --address auto`: the commands of the terminal on a cluster of Ray."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from .. import runs
from ..games import games
from . import play


def _pair(text: str) -> tuple[str, str]:
    """Parses `NAME=VALUE`."""
    name, found, value = text.partition("=")
    if not found:
        raise argparse.ArgumentTypeError(f"`{text}` is no NAME=VALUE")
    return name.strip(), value.strip()


def _parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line. Arguments that are not given are not in its result."""
    parser = argparse.ArgumentParser(
        prog="python -m pentarchy.ray",
        description="Plays lab, arena or sim of `pentarchy` on a cluster of Ray; the result is the same file.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for command, about in (
        ("lab", "the balance report of a game, as a page"),
        ("arena", "bots against each other, as JSON"),
        ("sim", "many games with fixed seats, as JSON"),
    ):
        one = commands.add_parser(command, help=about, argument_default=argparse.SUPPRESS)
        one.add_argument("game", choices=games(), metavar="GAME", help="the game, as `python -m pentarchy` lists them")
        one.add_argument("--games", type=int, metavar="N", help="number of games")
        one.add_argument("--bots", metavar="BOT,…", help="one for all seats, or one for each")
        one.add_argument("--seats", type=int, metavar="N")
        one.add_argument("--seed", type=int, metavar="S")
        one.add_argument("--set", type=_pair, action="append", metavar="NAME=VALUE", dest="options", help="an option")
        one.add_argument("--preset", metavar="NAME")
        one.add_argument("--out", metavar="FILE", help="where the report goes [default: GAME-COMMAND.html or .json]")
        one.add_argument("--address", metavar="ADDRESS", help="the cluster: auto on a node [default: this machine]")
        one.add_argument("--threads", type=int, metavar="N", help="threads of a task [default: all of a node]")
        if command == "lab":
            one.add_argument("--sweep", type=_pair, action="append", metavar="NAME=A,B,…", help="values to compare")
            one.add_argument("--rivals", metavar="BOT,…", help="strategies to compare, or none")
            one.add_argument("--rival-games", type=int, metavar="N")
            one.add_argument("--restrict", action="store_true", help="restricted play")
            one.add_argument("--restrict-games", type=int, metavar="N")
            one.add_argument("--until", type=float, metavar="POINTS")
        if command == "arena":
            one.add_argument("--interval", type=float, metavar="POINTS")
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit code: 2 if the arguments are wrong."""
    given: dict[str, Any] = vars(_parser().parse_args(words))
    command, game = given.pop("command"), given.pop("game")
    out = given.pop("out", f"{game}-{command}.{'html' if command == 'lab' else 'json'}")
    cluster = {name: given.pop(name) for name in ("address", "threads") if name in given}
    if "options" in given:
        given["options"] = dict(given["options"])
    if "sweep" in given:
        given["sweep"] = {name: values.split(",") for name, values in given["sweep"]}
    try:
        run = getattr(runs, command)(game, **given)
        report = play(run, **cluster)
        report.save(out)
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    print(f"The report is in {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
