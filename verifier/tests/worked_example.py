#!/usr/bin/env python3
"""The worked example of docs/fair-play.md: prints its table for a fresh record.

Run it after a change of the protocol, and put what it prints into the document.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import records  # noqa: E402
from pentarchy_verifier.log import Log, phase_id  # noqa: E402
from pentarchy_verifier.record import Record  # noqa: E402
from pentarchy_verifier.trace import Trace  # noqa: E402

STEPS = {0: "shuffle", 3: "decide"}


class Watched(Log):
    """Notes the hashes of some steps."""

    def __init__(self, record, trace):
        super().__init__(record, trace)
        self.rows = [("game_id", self.game)]

    def _close(self, step, made):
        name = STEPS.get(step.number)
        if name:
            if step.number == 0:
                self.rows.append(("start", self.prev))
            self._note(name, "engine digest", bytes.fromhex(self.trace.line["digest"]))
            self._note(name, "token table", self.tokens.digest())
            self._note(name, "digest", step.digest)
            self._note(name, "step_id", step.id)
            for phase, content in enumerate(step.contents):
                self._note(name, f"phase_id {phase}", phase_id(step.id, phase, step.contents[:phase]))
                self._note(name, f"content {phase}", content)
        super()._close(step, made)
        if name:
            self._note(name, "close", self.prev)

    def _note(self, step, name, value):
        self.rows.append((f"{step}: {name}", value))


def rows():
    """The rows of the table: names and values in hexadecimal."""
    made = records.make("leduc")
    log = Watched(Record.read(made.record), Trace(made.trace.decode()))
    log.verify()
    return [(name, value.hex()) for name, value in log.rows]


if __name__ == "__main__":
    for name, value in rows():
        print(f"| `{name}` | `{value}` |")
