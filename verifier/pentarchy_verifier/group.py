"""The group ristretto255 (RFC 9496) and Ed25519 verification (RFC 8032), on plain integers.

Points are tuples (X, Y, Z, T) of extended Edwards coordinates. Nothing here is constant-time: a verifier has no secrets.
"""

import hashlib
from functools import lru_cache

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
D2 = 2 * D % P
SQRT_M1 = pow(2, (P - 1) // 4, P)
IDENTITY = (0, 1, 1, 0)


def add(p, q):
    """p + q."""
    x1, y1, z1, t1 = p
    x2, y2, z2, t2 = q
    a = (y1 - x1) * (y2 - x2) % P
    b = (y1 + x1) * (y2 + x2) % P
    c = t1 * t2 % P * D2 % P
    d = 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def double(p):
    """p + p."""
    x, y, z, _ = p
    a = x * x % P
    b = y * y % P
    e = a + b - (x + y) * (x + y) % P
    g = a - b
    h = a + b
    f = 2 * z * z % P + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def negate(p):
    """-p."""
    x, y, z, t = p
    return -x % P, y, z, -t % P


def subtract(p, q):
    """p - q."""
    return add(p, negate(q))


def total(points):
    """The sum of points."""
    result = IDENTITY
    for point in points:
        result = add(result, point)
    return result


def _naf(scalar, width):
    """The non-adjacent form of a scalar, lowest digit first: (position, odd digit) pairs."""
    digits, position = [], 0
    modulus, half = 1 << width, 1 << (width - 1)
    while scalar:
        zeros = (scalar & -scalar).bit_length() - 1
        scalar >>= zeros
        position += zeros
        digit = scalar & (modulus - 1)
        if digit >= half:
            digit -= modulus
        digits.append((position, digit))
        scalar -= digit
    return digits


def _odd_multiples(point, width):
    twice = double(point)
    table = [point]
    for _ in range((1 << (width - 2)) - 1):
        table.append(add(table[-1], twice))
    return table


@lru_cache(maxsize=256)
def _kept_multiples(point):
    return _odd_multiples(point, 8)


def combine(terms, kept=()):
    """The sum of scalar * point over `terms`.

    `kept` are terms with points that occur again and again, such as keys: tables of their multiples are kept.
    """
    terms = [(s % L, p) for s, p in terms if s % L]
    if len(terms) > 60:
        rest = combine((), kept) if kept else IDENTITY
        return add(_pippenger(terms), rest)
    at = {}
    for scalar, point in terms:
        _place(at, scalar, _odd_multiples(point, 5), 5)
    for scalar, point in kept:
        _place(at, scalar % L, _kept_multiples(point), 8)
    result = IDENTITY
    for position in range(max(at, default=-1), -1, -1):
        result = double(result)
        for point in at.get(position, ()):
            result = add(result, point)
    return result


def _place(at, scalar, table, width):
    for position, digit in _naf(scalar, width):
        point = table[digit >> 1] if digit > 0 else negate(table[-digit >> 1])
        at.setdefault(position, []).append(point)


def _pippenger(terms):
    """A sum of many terms: points with the same digit are added before they are multiplied."""
    width = 6 if len(terms) < 400 else 7 if len(terms) < 1200 else 8
    mask = (1 << width) - 1
    bits = max(scalar.bit_length() for scalar, _ in terms)
    result = IDENTITY
    for shift in range((bits - 1) // width * width, -1, -width):
        for _ in range(width):
            result = double(result)
        buckets = [None] * (mask + 1)
        for scalar, point in terms:
            digit = scalar >> shift & mask
            if digit:
                there = buckets[digit]
                buckets[digit] = point if there is None else add(there, point)
        running, partial = None, None
        for bucket in reversed(buckets[1:]):
            if bucket is not None:
                running = bucket if running is None else add(running, bucket)
            if running is not None:
                partial = running if partial is None else add(partial, running)
        if partial is not None:
            result = add(result, partial)
    return result


def multiply(scalar, point):
    """scalar * point."""
    return combine([(scalar, point)])


def _sqrt_ratio(u, v):
    """(True, sqrt(u / v)), or (False, sqrt(SQRT_M1 * u / v)) if u / v is no square; the root is non-negative."""
    v3 = v * v % P * v % P
    r = u * v3 % P * pow(u * v3 % P * v3 % P * v % P, (P - 5) // 8, P) % P
    check = v * r % P * r % P
    u %= P
    square = check == u
    flipped = check == P - u if u else False
    flipped_i = check == -u * SQRT_M1 % P
    if flipped or flipped_i:
        r = r * SQRT_M1 % P
    if r & 1:
        r = P - r
    return square or flipped, r


INVSQRT_A_MINUS_D = _sqrt_ratio(1, (-1 - D) % P)[1]
SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235
ONE_MINUS_D_SQ = (1 - D * D) % P
D_MINUS_ONE_SQ = (D - 1) * (D - 1) % P


class Malformed(ValueError):
    """Bytes that are not the canonical encoding of a point or scalar."""


def scalar_from(data):
    """The scalar with this canonical encoding."""
    value = int.from_bytes(data, "little")
    if len(data) != 32 or value >= L:
        raise Malformed("not a canonical scalar")
    return value


def scalar_wide(data):
    """64 bytes modulo the group order."""
    return int.from_bytes(data, "little") % L


def decode(data):
    """The point with this canonical ristretto255 encoding."""
    s = int.from_bytes(data, "little")
    if len(data) != 32 or s >= P or s & 1:
        raise Malformed("not a canonical point")
    ss = s * s % P
    u1, u2 = 1 - ss, 1 + ss
    u2_sqr = u2 * u2 % P
    v = (-D * u1 % P * u1 - u2_sqr) % P
    square, invsqrt = _sqrt_ratio(1, v * u2_sqr % P)
    den_x = invsqrt * u2 % P
    den_y = invsqrt * den_x % P * v % P
    x = 2 * s * den_x % P
    if x & 1:
        x = P - x
    y = u1 * den_y % P
    t = x * y % P
    if not square or t & 1 or y == 0:
        raise Malformed("not a canonical point")
    return x, y, 1, t


def encode(point):
    """The ristretto255 encoding of a point."""
    x0, y0, z0, t0 = point
    u1 = (z0 + y0) * (z0 - y0) % P
    u2 = x0 * y0 % P
    _, invsqrt = _sqrt_ratio(1, u1 * u2 % P * u2 % P)
    den1, den2 = invsqrt * u1 % P, invsqrt * u2 % P
    z_inv = den1 * den2 % P * t0 % P
    if t0 * z_inv % P & 1:
        x, y, den_inv = y0 * SQRT_M1 % P, x0 * SQRT_M1 % P, den1 * INVSQRT_A_MINUS_D % P
    else:
        x, y, den_inv = x0, y0, den2
    if x * z_inv % P & 1:
        y = -y
    s = den_inv * (z0 - y) % P
    if s & 1:
        s = P - s
    return s.to_bytes(32, "little")


def equal(p, q):
    """Whether two points are the same element of ristretto255."""
    return (p[0] * q[1] - p[1] * q[0]) % P == 0 or (p[1] * q[1] - p[0] * q[0]) % P == 0


def is_zero(p):
    """Whether a point is the identity of ristretto255."""
    return equal(p, IDENTITY)


def _map(data):
    t = int.from_bytes(data, "little") % 2**255 % P
    r = SQRT_M1 * t % P * t % P
    u = (r + 1) * ONE_MINUS_D_SQ % P
    v = (-1 - r * D) * (r + D) % P
    square, s = _sqrt_ratio(u, v)
    if not square:
        s_prime = s * t % P
        s = -s_prime % P if not s_prime & 1 else s_prime
        c = r
    else:
        c = P - 1
    n = (c * (r - 1) % P * D_MINUS_ONE_SQ - v) % P
    w0, w1 = 2 * s * v % P, n * SQRT_AD_MINUS_ONE % P
    w2, w3 = (1 - s * s) % P, (1 + s * s) % P
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


def from_uniform(data):
    """The one-way map from 64 bytes to a point."""
    return add(_map(data[:32]), _map(data[32:64]))


def _edwards_decode(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if len(data) != 32 or y >= P:
        raise Malformed("not a canonical Ed25519 point")
    square, x = _sqrt_ratio((y * y - 1) % P, (D * y * y + 1) % P)
    if not square or (x == 0 and sign):
        raise Malformed("not an Ed25519 point")
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def _same_edwards(p, q):
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0


def _is_small(p):
    return _same_edwards(double(double(double(p))), IDENTITY)


BASE = _edwards_decode(bytes([0x58] + [0x66] * 31))
"""The base point of Ed25519, and G of ristretto255."""


@lru_cache(maxsize=64)
def verify_key(data):
    """The point of an Ed25519 public key; a key of small order is refused."""
    point = _edwards_decode(data)
    if _is_small(point):
        raise Malformed("an Ed25519 key of small order")
    return point


def verify_signature(key, message, signature):
    """Strict Ed25519 verification: canonical encodings, no points of small order, no cofactor."""
    try:
        a = verify_key(bytes(key))
        r = _edwards_decode(signature[:32])
        s = scalar_from(signature[32:])
    except Malformed:
        return False
    if len(signature) != 64 or _is_small(r):
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    return _same_edwards(combine((), kept=[(s, BASE), (-k, a)]), r)
