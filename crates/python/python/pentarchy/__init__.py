"""Games of hidden information for research: batches, environments, game trees, bots and records.

>>> import pentarchy
>>> pentarchy.games()[0]
'hegemony'

`Batch` steps many matches at once into numpy arrays. `new_match` and `new_state` give one match and one game
tree. `pentarchy.zoo` and `pentarchy.gym` are environments for PettingZoo and Gymnasium. `lab`, `arena` and `sim`
are the commands of the terminal, which `pentarchy.ray` plays on a cluster.
"""

from __future__ import annotations

from ._core import Bot, GameError, Match, Run, Setup, State
from .batch import Arrays, Batch
from .games import GameInfo, Option, Preset, games, info, make, new_match, new_state
from .records import Hint, LegalAction, ReplayedEvent, VerifiedRecord, hints, legal_actions, replay, verify
from .runs import Report, arena, join, lab, report, sim
from .selfplay import Selfplay, concatenate, selfplay
from .show import Picture, show

__all__ = [
    "Arrays",
    "Batch",
    "Bot",
    "GameError",
    "GameInfo",
    "Hint",
    "LegalAction",
    "Match",
    "Option",
    "Picture",
    "Preset",
    "ReplayedEvent",
    "Report",
    "Run",
    "Selfplay",
    "Setup",
    "State",
    "VerifiedRecord",
    "arena",
    "concatenate",
    "games",
    "hints",
    "info",
    "join",
    "lab",
    "legal_actions",
    "make",
    "new_match",
    "new_state",
    "replay",
    "report",
    "selfplay",
    "show",
    "sim",
    "verify",
]
