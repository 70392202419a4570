"""The trace of the rules: what they asked and answered at each event (docs/fair-play.md, "The trace of the rules").

A trace is not trusted. The digests in it are part of what the seats have signed, and everything else in it decides
which tokens a proof is about: with a wrong trace a signature or a proof does not verify.
"""

import json
from dataclasses import dataclass
from typing import Optional

HIDDEN_BACK = 255
VERSION = 1


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
            _Schema(self._lines)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as e:
            raise BadTrace(f"the trace cannot be read: {e!r}") from None
        header = self._lines[0]
        self.game, self.rules, self.seats = header["game"], header["rules"], header["seats"]
        self.backs = header["backs"]
        self.facts = {}
        self._learn(header["facts"])
        self._at = 1

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


class _Schema:
    """Checks that all lines have all fields, and that numbers of tokens, faces and seats exist."""

    def __init__(self, lines):
        header, *events, last = lines
        if header["trace"] != VERSION:
            raise ValueError(f"version {header['trace']} is not known")
        self._seats = self._number(header["seats"], 9)
        self._faces = len(header["backs"])
        self._tokens = len(header["facts"])
        for back in header["backs"]:
            self._number(back, 256)
        self._check_facts(header["facts"])
        if [fact[0] for fact in header["facts"]] != list(range(self._tokens)):
            raise ValueError("the header does not list all tokens")
        for line in events:
            self._check_event(line)
        self._check_position(last)
        for seat in last["winners"] or []:
            self._number(seat, self._seats)

    @staticmethod
    def _number(value, limit):
        if type(value) is not int or not 0 <= value < limit:
            raise ValueError(f"{value!r} where a number below {limit} is expected")
        return value

    def _token(self, value):
        return self._number(value, self._tokens)

    def _face(self, value):
        return self._number(value, self._faces)

    def _set(self, value):
        self._number(int(value, 16), 1 << 128)

    def _check_facts(self, facts):
        for token, owner, known, back, may, public in facts:
            self._token(token)
            self._number(known, 256)
            self._number(back, 256)
            self._set(may)
            if owner is not None:
                self._number(owner, self._seats)
            if public is not None:
                self._face(public)

    def _check_position(self, line):
        node = line["node"]
        kind = node["kind"]
        if len(bytes.fromhex(line["digest"])) != 32:
            raise ValueError("a digest has 32 bytes")
        if kind in ("decide", "declare"):
            self._number(node["seat"], self._seats)
        elif kind in ("roll", "pick"):
            self._number(node["of"] - 1, 2**32 - 1)
        elif kind in ("shuffle", "cast", "rearrange", "reveal"):
            if kind == "cast" and self._number(node["of"], 256) == 0:
                raise ValueError("a die without sides")
            if kind == "cast" and self._number(node["first"], 256) + node["of"] > self._faces:
                raise ValueError("a die with sides that the game does not have")
            for token in node["tokens"]:
                self._token(token)
            if kind == "rearrange":
                self._number(node["by"], self._seats)
            if kind == "reveal":
                if node["side"] not in ("face", "back"):
                    raise ValueError("a side is `face` or `back`")
                if node["to"] is not None:
                    self._number(node["to"], self._seats)
        elif kind != "over":
            raise ValueError(f"there is no node {kind!r}")

    def _check_event(self, line):
        self._check_position(line)
        self._check_facts(line["facts"])
        line["event"].encode()
        for token, face in line["shown"]:
            self._token(token), self._face(face)
        for token, back in line["backs"]:
            self._token(token), self._number(back, 256)
        if "open_choice" in line:
            token, face = line["open_choice"]
            self._token(token), self._face(face)
        if line["node"]["kind"] not in ("decide", "declare"):
            return
        for token in line["shows"]:
            self._token(token)
        if line["slip"] is not None:
            token, menu = line["slip"]
            self._token(token)
            for face in menu:
                self._face(face)
        for claim in line["claims"]:
            self._check_claim(claim)

    def _check_claim(self, claim):
        kind = claim["kind"]
        if kind not in ("in", "none", "some", "pair"):
            raise ValueError(f"there is no claim {kind!r}")
        tokens = [claim["token"]] if kind == "in" else claim["tokens"]
        for token in tokens:
            self._token(token)
        if kind == "pair":
            first, second = tokens
            for one, other in claim["pairs"]:
                self._face(one), self._face(other)
        else:
            self._set(claim["set"])
        if kind == "some":
            self._number(claim["count"], 256)
