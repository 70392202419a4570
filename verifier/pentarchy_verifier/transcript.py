"""Hash to group, generator and Fiat-Shamir transcript of the protocol (docs/fair-play.md, "Primitives")."""

import struct
from functools import lru_cache

from . import group
from .blake3 import derive


def u8(n):
    return struct.pack("<B", n)


def u16(n):
    return struct.pack("<H", n)


def u32(n):
    return struct.pack("<I", n)


def u64(n):
    return struct.pack("<Q", n)


def frame(label):
    """A label with its length."""
    return u32(len(label)) + label.encode()


@lru_cache(maxsize=None)
def hash_to_group(label, data):
    """H2G(label, data)."""
    return group.from_uniform(derive("pentarchy hash-to-group v1", frame(label) + data, 64))


def face_point(face):
    """M_f: the point of a face."""
    return hash_to_group("face", u32(face))


def back_point(back):
    """B_k: the point of a back."""
    return hash_to_group("back", u32(back))


class Drbg:
    """The deterministic generator from which dice are read."""

    def __init__(self, seed, label):
        self._input = frame(label) + seed
        self._read = 0

    def bytes(self, count):
        """The next bytes of the stream."""
        end = self._read + count
        out = derive("pentarchy drbg v1", self._input, end)[self._read :]
        self._read = end
        return out

    def scalar(self):
        return group.scalar_wide(self.bytes(64))

    def below(self, n):
        """A number from 0 to n - 1, without bias."""
        while True:
            value = int.from_bytes(self.bytes(4), "little")
            if value < 2**32 - 2**32 % n:
                return value % n

    def perm(self, n):
        """A permutation of 0..n."""
        order = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order


class Transcript:
    """T(label, context): everything that a challenge depends on."""

    def __init__(self, label, context):
        self._data = bytearray()
        self.append(label, context)

    def append(self, label, data):
        self._data += frame(label) + u64(len(data)) + data

    def _stream(self, label, length):
        self.append("challenge", label.encode())
        out = derive("pentarchy transcript v1", self._data, max(length, 32))
        self.append("ratchet", out[:32])
        return out[:length]

    def bytes(self, label, length):
        """A challenge as bytes."""
        return self._stream(label, length)

    def scalars(self, label, count):
        """A challenge of `count` scalars."""
        out = self._stream(label, 64 * count)
        return [group.scalar_wide(out[64 * i : 64 * (i + 1)]) for i in range(count)]

    def scalar(self, label):
        """A challenge of one scalar."""
        return self.scalars(label, 1)[0]
