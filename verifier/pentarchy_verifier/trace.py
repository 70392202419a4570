"""The trace of the rules: what they asked and answered at each event (docs/fair-play.md, "The trace of the rules").

A trace is not trusted. The digests in it are part of what the seats have signed, and everything else in it decides
which tokens a proof is about: with a wrong trace a signature or a proof does not verify.
"""

import json
from dataclasses import dataclass
from typing import Optional

HIDDEN_BACK = 255


class BadTrace(ValueError):
    """The trace cannot be read, or does not fit the record."""


@dataclass(frozen=True)
class Fact:
    """What is public about a token."""

    owner: Optional[int]
    known: int
    back: int
    may: int
    public: Optional[int]

    def is_known_to(self, seat):
        return self.known >> seat & 1 != 0


class Trace:
    """The lines of a trace, and the facts about tokens as of the next event."""

    def __init__(self, text):
        try:
            self._lines = [json.loads(line) for line in text.splitlines()]
            header = self._lines[0]
            if header["trace"] != 1:
                raise BadTrace(f"version {header['trace']} of traces is not known")
            self.game, self.rules, self.seats = header["game"], header["rules"], header["seats"]
            self.backs = header["backs"]
            self.facts = {}
            self._learn(header["facts"])
            self._at = 1
            self.line
        except BadTrace:
            raise
        except (ValueError, KeyError, IndexError, TypeError) as e:
            raise BadTrace(f"the trace cannot be read: {e!r}") from None

    @property
    def line(self):
        """What the rules await, and what comes of it."""
        return self._lines[self._at]

    @property
    def is_at_end(self):
        return self._at == len(self._lines) - 1

    @property
    def events(self):
        """How many events have passed."""
        return self._at - 1

    def advance(self):
        """The event has happened."""
        if self.is_at_end:
            raise BadTrace("the trace ends before the record")
        self._learn(self.line["facts"])
        self._at += 1

    def _learn(self, facts):
        for token, owner, known, back, may, public in facts:
            self.facts[token] = Fact(owner, known, back, int(may, 16), public)
