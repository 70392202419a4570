"""Records, hints and texts as Python values."""

from __future__ import annotations

import json
from dataclasses import dataclass

from . import _core
from ._core import Match, State


@dataclass(frozen=True)
class LegalAction:
    """One entry of a legal list."""

    canonical: str
    """The text of records, which names tokens."""
    spoken: str
    """The text that names faces."""
    label: str
    """The effect, in words."""
    kind: str
    """The heading of this action in a long list."""


@dataclass(frozen=True)
class Hint:
    """A recommended action."""

    action: int
    """Its index in the legal list."""
    value: float
    """Expected result, from 0 (last) to 1 (sole winner)."""
    weight: float
    """The share of visits that the action got."""
    chance: str
    why: str


@dataclass(frozen=True)
class VerifiedRecord:
    """The result of a record in which every event is legal and every digest is right."""

    game: str
    events: int
    ranks: list[int]
    scores: list[int]


@dataclass(frozen=True)
class ReplayedEvent:
    """A position of a replay, and the event that led to it (`None` for the first)."""

    event: str | None
    log: str | None
    awaited: str
    seat: int | None
    table: str
    digest: str


def legal_actions(place: Match | State) -> list[LegalAction]:
    """Returns the legal actions of the seat to act, with texts. Raises `GameError` if no seat is to act."""
    return [LegalAction(**action) for action in json.loads(place.legal_json())]


def hints(place: Match | State, budget: str = "0.2s", seed: int = 0) -> list[Hint]:
    """Searches for the seat to act, with what that seat knows, and returns up to three actions, the best first.

    `budget` is a time such as `0.2s`, or a number of iterations such as `500`, which gives the same hints on
    every machine.
    """
    return [Hint(**hint) for hint in json.loads(_core.hints(place, budget, seed))]


def verify(record: str) -> VerifiedRecord:
    """Checks a complete record. Raises `GameError` with the first wrong line."""
    return VerifiedRecord(**json.loads(_core.verify(record)))


def replay(record: str) -> list[ReplayedEvent]:
    """Replays a record and checks every line. Raises `GameError` with the first wrong line."""
    return [ReplayedEvent(**event) for event in json.loads(_core.replay(record))]
