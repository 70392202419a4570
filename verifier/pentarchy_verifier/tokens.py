"""The token table: the ciphertexts that lie on the table."""

from dataclasses import dataclass, field
from typing import Dict, List, Optional

from .blake3 import derive
from .proofs import ZERO, Invalid, Point
from .transcript import Drbg, back_point, face_point, u8, u16, u32
from .trace import HIDDEN_BACK


@dataclass(frozen=True)
class Cipher:
    """A ciphertext (a, b) with the locks of a set of seats, given as bits."""

    a: Point
    b: Point
    locks: int

    @staticmethod
    def open(point):
        """The trivial ciphertext of a face or back."""
        return Cipher(ZERO, point, 0)

    def without(self, seat, share):
        """The same after a seat has taken its lock off."""
        if not self.locks >> seat & 1:
            raise Invalid(f"seat {seat} has no lock on this token")
        locks = self.locks & ~(1 << seat)
        return Cipher(self.a if locks else ZERO, self.b - share, locks)

    def is_private(self):
        """Whether exactly one seat can open it."""
        return self.locks != 0 and self.locks & (self.locks - 1) == 0

    @property
    def owner(self):
        """The seat that alone can open it."""
        return self.locks.bit_length() - 1

    @property
    def bytes(self):
        return self.a.bytes + self.b.bytes


@dataclass(frozen=True)
class Die:
    """A private die: its face follows from its owner's dice value for its identifier."""

    id: bytes
    owner: int
    first: int
    sides: int

    @staticmethod
    def of(seed, token, owner, first, sides):
        """The die of a token after the joint roll of a cast with this seed."""
        return Die(derive("pentarchy die v1", seed + u16(token)), owner, first, sides)

    def face(self, value):
        """The number of the face, from the owner's value."""
        return self.first + Drbg(self.id + value.bytes, "roll").below(self.sides)

    @property
    def bytes(self):
        return u8(self.owner) + u8(self.first) + u8(self.sides) + self.id


@dataclass
class Slot:
    """What lies under one token number."""

    generation: int = 0
    main: Optional[Cipher] = None
    back: Optional[Cipher] = None
    copies: List[Cipher] = field(default_factory=list)
    die: Optional[Die] = None
    read: Optional[int] = None
    shown: Optional[int] = None

    def private_of(self, seat):
        """The ciphertext that this seat alone can open."""
        candidates = ([self.main] if self.main else []) + self.copies
        return next((c for c in candidates if c.locks == 1 << seat), None)

    @property
    def locks(self):
        return self.main.locks if self.main else 0


class Tokens:
    """All slots, and the points of all faces and backs."""

    def __init__(self, trace):
        self.back_of = trace.backs
        self.faces = [Point(face_point(f)) for f in range(len(trace.backs))]
        self.backs = [Point(back_point(k)) for k in range(max(trace.backs, default=0) + 1)]
        self._face_numbers = {point.bytes: f for f, point in enumerate(self.faces)}
        self._back_numbers = {point.bytes: k for k, point in enumerate(self.backs)}
        self.slots: Dict[int, Slot] = {token: Slot() for token in trace.facts}
        self.follow(trace.facts)

    def slot(self, token):
        return self.slots[token]

    def main(self, token):
        main = self.slots[token].main
        if main is None:
            raise Invalid(f"token {token} is not on the table")
        return main

    def face_of(self, cipher):
        """The number of the face of an open ciphertext."""
        face = None if cipher.locks else self._face_numbers.get(cipher.b.bytes)
        if face is None:
            raise Invalid("an opened token has no face of the game")
        return face

    def back_number(self, cipher):
        """The number of an opened back."""
        back = None if cipher.locks else self._back_numbers.get(cipher.b.bytes)
        if back is None:
            raise Invalid("an opened back is none of the game's")
        return back

    def open_face(self, token):
        """The face of a token that everybody can read although the rules hide it."""
        slot = self.slots[token]
        if slot.read is not None:
            return slot.read
        if slot.main is None or slot.main.locks:
            return None
        return self._face_numbers.get(slot.main.b.bytes)

    def reissue(self, token, main, back=None):
        """The token is issued anew, as after a shuffle."""
        self.slots[token] = Slot(self.slots[token].generation + 1, main, back)

    def cast(self, token, die):
        """The token becomes a private die."""
        self.slots[token] = Slot(self.slots[token].generation + 1, die=die)

    def dice_of(self, seat):
        """The private dice of a seat, ascending."""
        return [t for t in sorted(self.slots) if self.slots[t].die and self.slots[t].die.owner == seat]

    def lay_open(self, token, face):
        """The token is issued anew, and everybody can read it."""
        self.reissue(token, Cipher.open(self.faces[face]))

    def renew(self, token):
        """A vacant seat rearranges: the order stays, the token counts as issued anew."""
        face, slot = self.open_face(token), self.slots[token]
        slot.generation += 1
        slot.read, slot.copies, slot.shown = face, [], None

    def read_by_all(self, token, cipher):
        self.slots[token].read = self.face_of(cipher)

    def forget(self, gone):
        """Drops the copies of seats that are gone."""
        for slot in self.slots.values():
            slot.copies = [copy for copy in slot.copies if not gone >> copy.owner & 1]

    def follow(self, facts):
        """Public tokens are trivial ciphertexts of their faces."""
        for token, slot in self.slots.items():
            public = facts[token].public
            if public is not None and slot.shown != public:
                slot.main, slot.back = Cipher.open(self.faces[public]), None
                slot.copies, slot.die, slot.read = [], None, None
            slot.shown = public

    def public_back(self, fact):
        """What everybody knows of the back of a token; `HIDDEN_BACK` if nothing."""
        return fact.back if fact.public is None else self.back_of[fact.public]

    def pile_back(self, fact, token, lock):
        """The back of a token as the second column of a pile: public, or encrypted under the pile's lock."""
        back = self.public_back(fact)
        if back != HIDDEN_BACK:
            return Cipher.open(self.backs[back])
        cipher = self.slots[token].back
        return cipher if cipher and cipher.locks in (0, lock) else None

    def digest(self):
        """The digest of the token table."""
        out = bytearray()
        for token in sorted(self.slots):
            slot = self.slots[token]
            if slot.main is None and slot.die is None:
                continue
            out += u16(token) + u32(slot.generation)
            if slot.shown is not None:
                out += u8(0) + u8(slot.shown)
            elif slot.main is None:
                out += u8(2) + slot.die.bytes
            else:
                out += u8(1) + u32(slot.main.locks) + slot.main.bytes
            out += u8(1) + slot.back.bytes if slot.back else u8(0)
        return derive("pentarchy tokens v1", out)
