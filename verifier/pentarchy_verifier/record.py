"""The file of a signed record and the descriptor in it (docs/fair-play.md, "The record file")."""

from dataclasses import dataclass
from typing import List, Optional, Tuple, Union

from .blake3 import derive
from .transcript import u8, u16, u32

MAGIC = b"pentarchy table 1\n"
PROTOCOLS = (1, 2)
MIN_STALL_MS = 30_000
MAX_MESSAGE = 1 << 20
MAX_BODY = 1024
MAX_OPENING = 4096
MAX_NAME = 64
MAX_OPTIONS = 1 << 16


class Unreadable(ValueError):
    """The file is not a record."""


class Reader:
    """Reads postcard. With `canonical` only the shortest form of a number is accepted."""

    def __init__(self, data, canonical=False):
        self.data, self.at, self.canonical = data, 0, canonical

    def take(self, count):
        end = self.at + count
        if end > len(self.data):
            raise Unreadable("it breaks off")
        part = self.data[self.at : end]
        self.at = end
        return part

    def u8(self):
        return self.take(1)[0]

    def _varint(self, bits):
        most = -(-bits // 7)
        value = 0
        for i in range(most):
            byte = self.u8()
            value |= (byte & 0x7F) << (7 * i)
            if byte < 0x80:
                if value >> bits or (self.canonical and i > 0 and byte == 0):
                    break
                return value
        raise Unreadable("a number is not encoded as it should be")

    def u16(self):
        return self._varint(16)

    def u32(self):
        return self._varint(32)

    def length(self):
        return self._varint(64)

    def bytes(self):
        return self.take(self.length())

    def text(self):
        try:
            return self.bytes().decode()
        except UnicodeDecodeError:
            raise Unreadable("a text is not UTF-8") from None

    def flag(self):
        value = self.u8()
        if value > 1:
            raise Unreadable("a flag is neither 0 nor 1")
        return value == 1

    def option(self, read):
        return read() if self.flag() else None

    def list(self, read):
        count = self.length()
        if count > len(self.data):
            raise Unreadable("it breaks off")
        return [read() for _ in range(count)]

    def variant(self, count):
        value = self._varint(32)
        if value >= count:
            raise Unreadable("there is no such variant")
        return value

    def end(self):
        if self.at != len(self.data):
            raise Unreadable("something follows its end")


def varint(value):
    """A number as postcard writes it."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


@dataclass(frozen=True)
class Player:
    identity: bytes
    name: str
    host: Optional[int]


@dataclass(frozen=True)
class Descriptor:
    """What the players agreed on before the game."""

    version: int
    game: str
    rules: int
    rules_hash: Optional[bytes]
    """The hash of the rules' data, which only somebody who has the rules can check; none in version 1."""
    options: str
    players: List[Player]
    threshold: Optional[int]
    stall_ms: int
    audit: bool
    nonce: bytes
    id: bytes

    @staticmethod
    def read(data):
        if len(data) > MAX_OPTIONS + 4096:
            raise Unreadable("the descriptor is too long")
        r = Reader(data, canonical=True)

        def player():
            return Player(r.take(32), r.text(), r.option(r.u8))

        fields = [r.u16(), r.text(), r.u32()]
        fields.append(None if fields[0] == 1 else r.take(32))
        fields += [r.text(), r.list(player)]
        fields.append(r.u8() if r.variant(2) else None)
        descriptor = Descriptor(*fields, r.u32(), r.flag(), r.take(32), derive("pentarchy game v1", data))
        r.end()
        descriptor._check()
        return descriptor

    def _check(self):
        seats = len(self.players)
        if self.version not in PROTOCOLS:
            raise Unreadable(f"it speaks version {self.version} of the protocol, not 1 or 2")
        if not 1 <= seats <= 8:
            raise Unreadable(f"a table has 1 to 8 seats, not {seats}")
        if len(self.options) > MAX_OPTIONS or any(len(p.name.encode()) > MAX_NAME for p in self.players):
            raise Unreadable("names or options are too long")
        if any(p.host is not None and p.host >= seats for p in self.players):
            raise Unreadable("a bot is hosted by a seat that does not exist")
        if self.version > 1 and any(self.players[p.host].host is not None for p in self.players if p.host is not None):
            raise Unreadable("a bot is hosted by another bot")
        if self.version > 1 and self.stall_ms < MIN_STALL_MS:
            raise Unreadable("its time limit is too short")
        if self.threshold is not None and not 2 <= self.threshold <= bin(self.voters).count("1") - 1:
            raise Unreadable("its seats cannot stand in for one that is gone")

    def machine(self, seat):
        """The seat of the person on whose machine a seat is played. In version 1 every seat was on its own."""
        host = self.players[seat].host
        return seat if self.version == 1 or host is None else host

    @property
    def voters(self):
        """The seats, as bits, that vote and hold shares: one for each machine."""
        return sum(1 << seat for seat in range(len(self.players)) if self.machine(seat) == seat)

    def whole_machines(self, seats):
        """All seats, as bits, of the machines on which these are played."""
        machines = {self.machine(seat) for seat in range(len(self.players)) if seats >> seat & 1}
        return sum(1 << seat for seat in range(len(self.players)) if self.machine(seat) in machines)

    def holders(self, dealer):
        """The seats that hold shares of a seat's keys, in order."""
        held = self.voters & ~self.whole_machines(1 << dealer)
        return [seat for seat in range(len(self.players)) if held >> seat & 1]


@dataclass(frozen=True)
class Head:
    """The header that an action brings along."""

    kind: int
    prev: bytes
    digest: bytes
    body: str


@dataclass(frozen=True)
class Contribution:
    """A seat's signed contribution to a step."""

    branch: int
    seq: int
    phase: int
    seat: int
    anchor: Union[Head, bytes]
    payload: bytes
    signature: bytes

    @property
    def place(self):
        return self.branch, self.seq, self.phase, self.seat

    def content(self, phase_id):
        """What is signed."""
        return derive(
            "pentarchy contribution v1",
            phase_id + u8(self.seat) + u16(self.branch) + u32(self.seq) + u8(self.phase) + self.payload,
        )


@dataclass(frozen=True)
class Without:
    """The statement that seats are out as of a step."""

    prev: bytes
    branch: int
    seq: int
    gone: int
    round: int

    def encode(self):
        return self.prev + varint(self.branch) + varint(self.seq) + u8(self.gone) + u8(self.round)


@dataclass(frozen=True)
class Claim:
    """The statement of one seat that it does not wait any longer for others."""

    prev: bytes
    gone: int

    def encode(self):
        return b"\x04" + self.prev + u8(self.gone)


@dataclass(frozen=True)
class Statement:
    """A signed statement; other kinds than votes (`Without`, in version 2 `Drop`) and `Claim` are ignored."""

    seat: int
    said: Union[Without, Claim, None]
    signature: bytes
    unreachable: Optional[int] = None
    """For a vote of version 2: the seats that the voter reached by no path."""

    @property
    def version(self):
        """The version of the protocol to which a vote belongs."""
        return 1 if self.unreachable is None else 2

    def content(self, game):
        said = self.said.encode()
        if isinstance(self.said, Without):
            said = b"\x02" + said if self.unreachable is None else b"\x06" + said + u8(self.unreachable)
        return derive("pentarchy saying v1", game + u8(self.seat) + said)


@dataclass(frozen=True)
class Seals:
    seat: int
    body: bytes
    signature: bytes

    def content(self, game):
        return derive("pentarchy seals v1", game + u8(self.seat) + self.body)


@dataclass(frozen=True)
class Record:
    """Everything that a table has signed."""

    descriptor: Descriptor
    keys: List[Optional[bytes]]
    seals: List[Optional[Seals]]
    starts: List[Optional[bytes]]
    messages: List[Contribution]
    statements: List[Statement]

    @staticmethod
    def read(data):
        """Reads a file; raises `Unreadable`."""
        if not data.startswith(MAGIC):
            raise Unreadable("it does not begin like one")
        r = Reader(data[len(MAGIC) :])

        def contribution():
            place = r.u16(), r.u32(), r.u8(), r.u8()
            anchor = r.take(32) if r.variant(2) else Head(r.u8(), r.take(32), r.take(32), r.text())
            return Contribution(*place, anchor, r.bytes(), r.take(64))

        def without():
            return Without(r.take(32), r.u16(), r.u32(), r.u8(), r.u8())

        def statement():
            seat, kind, said, unreachable = r.u8(), r.variant(8), None, None
            if kind == 0:
                r.take(33)
            elif kind == 1:
                without()
            elif kind == 2:
                said = without()
            elif kind == 3:
                r.u32(), r.text()
            elif kind == 4:
                said = Claim(r.take(32), r.u8())
            elif kind == 5:
                r.take(33), r.variant(2)
            elif kind == 6:
                said, unreachable = without(), r.u8()
            else:
                r.take(32), r.u32()
            return Statement(seat, said, r.take(64), unreachable)

        def seals():
            return Seals(r.u8(), r.bytes(), r.take(64))

        raw = r.bytes()
        fields = [
            r.list(lambda: r.option(r.bytes)),
            r.list(lambda: r.option(seals)),
            r.list(lambda: r.option(lambda: r.take(64))),
            r.list(contribution),
            r.list(statement),
        ]
        r.end()
        return Record(Descriptor.read(raw), *fields)
