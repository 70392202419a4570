"""The opening of a table: seat keys, sealed shares, signatures of the start."""

from dataclasses import dataclass
from typing import List

from . import group, proofs
from .blake3 import derive
from .proofs import Invalid, Point
from .record import MAX_OPENING
from .transcript import u8


@dataclass(frozen=True)
class SeatKeys:
    """The verified keys of a seat."""

    session: bytes
    lock: Point
    dice: Point
    lock_commitments: List[Point]
    dice_commitments: List[Point]

    def share_key(self, holder):
        """P: the public key of the share of the lock key that this holder has."""
        return self._share_key(holder, self.lock, self.lock_commitments)

    def dice_share_key(self, holder):
        """P: the public key of the share of the dice key that this holder has."""
        return self._share_key(holder, self.dice, self.dice_commitments)

    @staticmethod
    def _share_key(holder, key, commitments):
        x, power, terms = holder + 1, 1, [(1, key)]
        for commitment in commitments:
            power = power * x % group.L
            terms.append((power, commitment))
        return proofs.linear(*terms)


def seat_keys(descriptor, seat, body):
    """Verifies the keys of a seat: two proofs and the signature of the seat's identity."""
    game, identity = descriptor.id, descriptor.players[seat].identity
    try:
        group.verify_key(identity)
    except group.Malformed as e:
        raise Invalid(f"the identity is {e}") from None
    degree = (descriptor.threshold or 1) - 1
    if len(body) != 288 + 64 * degree or len(body) > MAX_OPENING:
        raise Invalid("the keys have the wrong length")
    signed, signature = body[:-64], body[-64:]
    digest = derive("pentarchy seat keys v1", game + u8(seat) + signed)
    if not group.verify_signature(identity, digest, signature):
        raise Invalid("the keys are not signed by the seat's identity")
    session = body[:32]
    try:
        group.verify_key(session)
    except group.Malformed as e:
        raise Invalid(f"the session key is {e}") from None
    lock, dice = Point.read(body[32:64]), Point.read(body[64:96])
    context = game + u8(seat) + identity + session
    proofs.knowledge("pok-lock", context, lock, body[96:160])
    proofs.knowledge("pok-dice", context, dice, body[160:224])
    commitments = [Point.read(part) for part in proofs.split(signed[224:], 32)]
    if any(point.is_zero() for point in commitments):
        raise Invalid("a commitment of the escrow is zero")
    return SeatKeys(session, lock, dice, commitments[:degree], commitments[degree:])


def seals(descriptor, keys, dealer, sealed):
    """Verifies the sealed shares of a seat: one signature and two proofs for each holder."""
    if sealed is None or sealed.seat != dealer:
        raise Invalid("its sealed shares are missing")
    if not group.verify_signature(keys[dealer].session, sealed.content(descriptor.id), sealed.signature):
        raise Invalid("its sealed shares are not signed by it")
    holders = descriptor.holders(dealer)
    parts = proofs.split(proofs.sized(sealed.body, 256 * len(holders)), 128)
    for i, part in enumerate(parts):
        holder, which = holders[i // 2], i % 2
        context = descriptor.id + bytes([dealer, holder, which])
        proofs.knowledge("escrow-kem", context, Point.read(part[:32]), part[64:])


def start_link(record):
    """The first link of the log, which every seat signs."""
    link = derive("pentarchy start v1", record.descriptor.id + b"".join(record.keys))
    if record.descriptor.threshold is None:
        return link
    return derive("pentarchy sealed start v1", link + b"".join(sealed.body for sealed in record.seals))
