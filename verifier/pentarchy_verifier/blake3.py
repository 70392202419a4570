"""BLAKE3 in plain Python: `hash_bytes` and the key-derivation mode with extendable output.

One call of `_compress` works on many blocks at once. Each word of the BLAKE3 state is a Python integer with one
64-bit lane per block, of which 32 bits are used. All chunks of an input, all parents of one tree level and all
output blocks are independent of each other, so they are computed in parallel lanes.
"""

import struct
from functools import lru_cache

_IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
_CHUNK_START, _CHUNK_END, _PARENT, _ROOT = 1, 2, 4, 8
_DERIVE_KEY_CONTEXT, _DERIVE_KEY_MATERIAL = 32, 64
_PERMUTATION = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
_MIXES = (
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
)


def _schedule():
    """The calls of the mixing function of all seven rounds: four state indices and two message indices."""
    order = list(range(16))
    calls = []
    for _ in range(7):
        for i, mix in enumerate(_MIXES):
            calls.append((*mix, order[2 * i], order[2 * i + 1]))
        order = [order[i] for i in _PERMUTATION]
    return tuple(calls)


_SCHEDULE = _schedule()


@lru_cache(maxsize=None)
def _ones(lanes):
    """An integer with the value 1 in each lane."""
    return sum(1 << (64 * i) for i in range(lanes))


def _pack(values):
    """One integer with these values as its lanes."""
    return int.from_bytes(struct.pack(f"<{len(values)}Q", *values), "little")


def _unpack(word, lanes):
    return struct.unpack(f"<{lanes}Q", word.to_bytes(8 * lanes, "little"))


def _compress(cv, m, counter, block_len, flags, lanes):
    """The compression function. `cv`, `m` and `counter` are in lanes; the counter is below 2**32.

    Returns the sixteen words of the extended output, in lanes.
    """
    one = _ones(lanes)
    mask = one * 0xFFFFFFFF
    v = [*cv, *(w * one for w in _IV[:4]), counter, 0, block_len * one, flags * one]
    for a, b, c, d, x, y in _SCHEDULE:
        va, vb, vc, vd = v[a], v[b], v[c], v[d]
        va = (va + vb + m[x]) & mask
        vd ^= va
        vd = ((vd >> 16) | (vd << 16)) & mask
        vc = (vc + vd) & mask
        vb ^= vc
        vb = ((vb >> 12) | (vb << 20)) & mask
        va = (va + vb + m[y]) & mask
        vd ^= va
        vd = ((vd >> 8) | (vd << 24)) & mask
        vc = (vc + vd) & mask
        vb ^= vc
        v[a], v[b], v[c], v[d] = va, ((vb >> 7) | (vb << 25)) & mask, vc, vd
    return [v[i] ^ v[i + 8] for i in range(8)] + [v[i + 8] ^ cv[i] for i in range(8)]


class _Output:
    """The last compression of a tree, which gives the output stream."""

    def __init__(self, cv, m, block_len, flags):
        self.cv, self.m, self.block_len, self.flags = cv, m, block_len, flags

    def stream(self, length):
        lanes = max(1, -(-length // 64))
        one = _ones(lanes)
        cv = [w * one for w in self.cv]
        m = [w * one for w in self.m]
        words = _compress(cv, m, _pack(range(lanes)), self.block_len, self.flags | _ROOT, lanes)
        columns = [_unpack(w, lanes) for w in words]
        blocks = (struct.pack("<16I", *(column[i] for column in columns)) for i in range(lanes))
        return b"".join(blocks)[:length]


def _last_chunk(key, data, index, flags):
    """The output node of the last chunk, which may be shorter than the others."""
    cv = list(key)
    blocks = [data[i : i + 64] for i in range(0, len(data), 64)] or [b""]
    for i, block in enumerate(blocks):
        extra = (_CHUNK_START if i == 0 else 0) | (_CHUNK_END if i == len(blocks) - 1 else 0)
        m = struct.unpack("<16I", block.ljust(64, b"\0"))
        if i == len(blocks) - 1:
            return cv, m, index, len(block), flags | extra
        cv = _compress(cv, m, index, 64, flags | extra, 1)[:8]
    raise AssertionError("a chunk has at least one block")


def _full_chunks(key, data, lanes, flags):
    """The chaining values of full chunks, one list of eight words per chunk."""
    one = _ones(lanes)
    cv = [w * one for w in key]
    chunks = [struct.unpack("<256I", data[1024 * i : 1024 * (i + 1)]) for i in range(lanes)]
    counter = _pack(range(lanes))
    for block in range(16):
        extra = (_CHUNK_START if block == 0 else 0) | (_CHUNK_END if block == 15 else 0)
        m = [_pack([chunk[16 * block + w] for chunk in chunks]) for w in range(16)]
        cv = _compress(cv, m, counter, 64, flags | extra, lanes)[:8]
    return list(zip(*(_unpack(w, lanes) for w in cv)))


def _tree(key, data, flags):
    full = max(0, (len(data) - 1) // 1024)
    nodes = _full_chunks(key, data, full, flags) if full else []
    cv, m, index, block_len, chunk_flags = _last_chunk(key, data[1024 * full :], full, flags)
    if not full:
        return _Output(cv, m, block_len, chunk_flags)
    nodes.append(tuple(_compress(cv, m, index, block_len, chunk_flags, 1)[:8]))
    while len(nodes) > 2:
        pairs = len(nodes) // 2
        one = _ones(pairs)
        m = [_pack([nodes[2 * i][w] for i in range(pairs)]) for w in range(8)]
        m += [_pack([nodes[2 * i + 1][w] for i in range(pairs)]) for w in range(8)]
        words = _compress([w * one for w in key], m, 0, 64, flags | _PARENT, pairs)[:8]
        odd = nodes[2 * pairs :]
        nodes = list(zip(*(_unpack(w, pairs) for w in words))) + odd
    return _Output(key, (*nodes[0], *nodes[1]), 64, flags | _PARENT)


def hash_bytes(data, length=32):
    """BLAKE3 of `data`, without a key."""
    return _tree(_IV, bytes(data), 0).stream(length)


@lru_cache(maxsize=None)
def _context_key(context):
    key = _tree(_IV, context.encode(), _DERIVE_KEY_CONTEXT).stream(32)
    return struct.unpack("<8I", key)


def derive(context, data, length=32):
    """BLAKE3 in key-derivation mode: `length` bytes of the output for `data` under `context`."""
    return _tree(_context_key(context), bytes(data), _DERIVE_KEY_MATERIAL).stream(length)
