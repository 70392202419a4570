"""From what the rules await to what each seat owes (docs/fair-play.md, "From nodes to procedures")."""

from dataclasses import dataclass, field
from typing import Dict, List, Optional, Tuple

from .proofs import Invalid
from .trace import HIDDEN_BACK

DECIDE, DECLARE, ROLL, PICK, SHUFFLE, REARRANGE, REVEAL, OVER, DEPART, CAST = range(10)
NOBODY = 255

Cell = Tuple[str, int]
"""Which ciphertext of a token: ("main" | "own" | "back" | "view", number of the token)."""


@dataclass
class Duty:
    """What a seat owes in a phase, in the order in which it is sent."""

    dice: bool = False
    strips: List[Cell] = field(default_factory=list)
    open_dice: List[int] = field(default_factory=list)
    """Private dice of the seat whose values it publishes."""
    lifts: List[Tuple[int, int]] = field(default_factory=list)
    views: List[int] = field(default_factory=list)
    mix: bool = False
    stands: List[Tuple[int, List[Cell]]] = field(default_factory=list)
    stand_dice: List[Tuple[int, List[int]]] = field(default_factory=list)
    """Private dice of seats that are gone, which the holders of their shares open."""
    rolls: List[int] = field(default_factory=list)
    """Seats that left while the roll was open, whose values the holders of their shares give."""
    act: bool = False
    close: bool = False


@dataclass
class Mix:
    """A pile that is shuffled in a step."""

    tokens: List[int]
    lock: int
    backed: bool


@dataclass
class Plan:
    """What has to happen in a step: for every phase the duties by seat."""

    kind: int
    actor: int
    phases: List[Dict[int, Duty]]
    mix: Optional[Mix] = None

    @property
    def is_roll(self):
        """Whether the step is a roll of all live seats."""
        return any(duty.dice for duty in self.phases[0].values()) if self.phases else False

    def complete_roll(self, node, facts, holders, gone):
        """The roll was open when these seats left: the holders of their shares stand in for them.

        In a second phase of a cast they open the dice that it gives to these seats.
        """
        for seat, duty in self.phases[0].items():
            if duty.dice and holders >> seat & 1:
                duty.rolls = bits(gone)
        if node["kind"] == "cast":
            dice = [(seat, [t for t in node["tokens"] if facts[t].owner == seat]) for seat in bits(gone)]
            dice = [(seat, tokens) for seat, tokens in dice if tokens]
            if dice:
                self.phases.append({seat: Duty(stand_dice=dice) for seat in bits(holders)})


def bits(seats):
    """The seats of a set given as bits."""
    return [seat for seat in range(8) if seats >> seat & 1]


class _Owed(dict):
    def __missing__(self, seat):
        self[seat] = Duty()
        return self[seat]

    def due(self):
        return dict(sorted(self.items()))


def plan(node, facts, tokens, live, seq):
    """The plan for a node of the rules. `live` are the seats that still play, as bits."""
    kind = node["kind"]
    everybody = bits(live)
    if kind in ("decide", "declare"):
        number, seat = (DECIDE if kind == "decide" else DECLARE), node["seat"]
        if live >> seat & 1:
            return Plan(number, seat, [{seat: Duty(act=True)}])
        due = {other: Duty(dice=True) for other in everybody} if number == DECIDE else {}
        return Plan(number, seat, [due])
    if kind in ("roll", "pick", "cast"):
        number = {"roll": ROLL, "pick": PICK, "cast": CAST}[kind]
        return Plan(number, NOBODY, [{seat: Duty(dice=True) for seat in everybody}])
    if kind == "over":
        return Plan(OVER, NOBODY, [{seat: Duty(close=True) for seat in everybody}])
    if kind == "shuffle":
        pile = node["tokens"]
        first = seq % len(everybody)
        order = everybody[first:] + everybody[:first]
        phases = _lifts(tokens, pile, live) + [{seat: Duty(mix=True)} for seat in order]
        return Plan(SHUFFLE, NOBODY, phases, Mix(pile, live, _backed(facts, tokens, pile, live)))
    if kind == "rearrange":
        return _rearrange(node, facts, tokens, live)
    if kind == "reveal":
        hidden = [t for t in node["tokens"] if facts[t].public is None]
        if node["side"] == "back":
            phases = _reveal_backs(facts, tokens, hidden)
        elif node["to"] is None:
            phases = _reveal_to_all(facts, tokens, hidden, live)
        elif not live >> node["to"] & 1:
            phases = _reveal_to_vacant(facts, tokens, hidden, node["to"])
        else:
            phases = _reveal_to(facts, tokens, hidden, node["to"])
        return Plan(REVEAL, NOBODY, phases)
    raise Invalid(f"there is no node `{kind}`")


def _lifts(tokens, pile, lock):
    """Tokens under another lock than the pile's are lifted by their owners first."""
    owed = _Owed()
    for token in pile:
        main = tokens.main(token)
        if main.locks in (0, lock):
            continue
        if not main.is_private():
            raise Invalid(f"token {token} cannot be put into the pile")
        owed[main.owner].lifts.append((token, lock))
    return [owed.due()] if owed else []


def _backed(facts, tokens, pile, lock):
    """Whether a pile gets a second column: the rules hide its backs, and every entry has one."""
    backs = [tokens.public_back(facts[token]) for token in pile]
    told = all(back == backs[0] and back != HIDDEN_BACK for back in backs)
    return not told and all(tokens.pile_back(facts[t], t, lock) is not None for t in pile)


def _rearrange(node, facts, tokens, live):
    by, pile = node["by"], node["tokens"]
    if not live >> by & 1:
        return Plan(REARRANGE, by, [{}])
    slots = [tokens.slot(t) for t in pile]
    if all(slot.locks == 0 or slot.private_of(by) for slot in slots):
        return Plan(REARRANGE, by, [{by: Duty(mix=True)}], Mix(pile, 1 << by, False))
    backed = _backed(facts, tokens, pile, live)
    phases = _lifts(tokens, pile, live)
    phases += [{by: Duty(mix=True)}, {by: Duty(views=list(pile))}]
    strips = [("view", token) for token in pile]
    phases.append({seat: Duty(strips=list(strips)) for seat in bits(live) if seat != by})
    return Plan(REARRANGE, by, phases, Mix(pile, live, backed))


def _reveal_to_all(facts, tokens, hidden, live):
    owed = _Owed()
    for token in hidden:
        slot, owner = tokens.slot(token), facts[token].owner
        if slot.die:
            owed[slot.die.owner].open_dice.append(token)
            continue
        if owner is not None and live >> owner & 1 and slot.private_of(owner):
            owed[owner].strips.append(("own", token))
            continue
        for seat in bits(tokens.main(token).locks):
            owed[seat].strips.append(("main", token))
    return [owed.due()]


def _reveal_to(facts, tokens, hidden, reader):
    first, second = _Owed(), _Owed()
    for token in hidden:
        fact, slot = facts[token], tokens.slot(token)
        if fact.is_known_to(reader) or slot.private_of(reader):
            continue
        if slot.die:
            raise Invalid(f"the die {token} cannot be shown to one seat")
        others = bits(slot.locks & ~(1 << reader))
        if slot.main is not None and slot.main.is_private():
            first[slot.main.owner].lifts.append((token, 1 << reader))
        elif slot.locks and fact.owner == reader:
            for seat in others:
                first[seat].strips.append(("main", token))
        elif slot.locks:
            first[reader].views.append(token)
            for seat in others:
                second[seat].strips.append(("view", token))
    return [first.due(), second.due()] if second else [first.due()]


def _reveal_to_vacant(facts, tokens, hidden, reader):
    owed = _Owed()
    for token in hidden:
        if facts[token].is_known_to(reader) or tokens.open_face(token) is not None:
            continue
        for seat in bits(tokens.slot(token).locks):
            owed[seat].strips.append(("main", token))
    return [owed.due()]


def _reveal_backs(facts, tokens, hidden):
    owed = _Owed()
    for token in hidden:
        if facts[token].back != HIDDEN_BACK:
            continue
        back = tokens.slot(token).back
        if back is None:
            raise Invalid(f"token {token} has no back that can be opened")
        for seat in bits(back.locks):
            owed[seat].strips.append(("back", token))
    return [owed.due()]


def departure(facts, tokens, holders, gone):
    """Seats are gone: the holders of their shares take their locks off everything."""
    stands = []
    for seat in bits(gone):
        cells = []
        for token in sorted(tokens.slots):
            slot = tokens.slot(token)
            if facts[token].public is not None:
                continue
            if slot.locks >> seat & 1:
                cells.append(("main", token))
            if slot.back is not None and slot.back.locks >> seat & 1:
                cells.append(("back", token))
            if any(copy.owner == seat for copy in slot.copies) and slot.locks != 1 << seat:
                cells.append(("own", token))
        if cells:
            stands.append((seat, cells))
    stand_dice = [(seat, tokens.dice_of(seat)) for seat in bits(gone) if tokens.dice_of(seat)]
    needed = stands or stand_dice
    due = {seat: Duty(stands=stands, stand_dice=stand_dice) for seat in bits(holders)} if needed else {}
    return Plan(DEPART, NOBODY, [due])
