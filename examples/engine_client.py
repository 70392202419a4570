#!/usr/bin/env python3
"""Plays a game of Pentarchy through `pentarchy engine`, with nothing but Python's standard library.

    python3 examples/engine_client.py target/release/pentarchy leduc 7

Every seat takes a random action out of its own list, which it gets with its own eyes only.
docs/engine-protocol.md explains the protocol.
"""

import json
import random
import subprocess
import sys


class Refused(Exception):
    """The engine's answer was an error."""


class Engine:
    """A conversation with the engine: one request, one answer."""

    def __init__(self, program="pentarchy"):
        self.process = subprocess.Popen(
            [program, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self.asked = 0

    def ask(self, cmd, **fields):
        self.asked += 1
        request = {"id": self.asked, "cmd": cmd, **fields}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert answer.pop("id") == self.asked
        if "error" in answer:
            raise Refused(answer["error"])
        return answer

    def close(self):
        self.ask("quit")
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait()


def play(program, game, seed):
    engine, chance = Engine(program), random.Random(seed)
    status = engine.ask("new", game=game, seed=seed)
    while status["node"] != "over":
        view = engine.ask("view", eyes=status["seat"])["state"]  # All that this seat may know.
        assert view["observer"] == {"seat": status["seat"]}
        choice = chance.choice(engine.ask("legal")["legal"])
        status = engine.ask("play", action=choice["canonical"])
    for line in engine.ask("log", eyes="spectator")["log"]:
        print(line)
    print("ranks", status["outcome"]["ranks"], "scores", status["outcome"]["scores"])
    return engine.close()


if __name__ == "__main__":
    arguments = sys.argv[1:] + ["pentarchy", "leduc", "1"][len(sys.argv) - 1 :]
    sys.exit(play(arguments[0], arguments[1], int(arguments[2])))
