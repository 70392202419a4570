"""The verifiers of all proofs (docs/fair-play.md, "Primitives" to "Escrow").

A `Point` keeps its encoding beside its coordinates: transcripts hash encodings, equations use coordinates.
Every verifier raises `Invalid` if the proof does not hold.
"""

from . import group
from .group import BASE
from .transcript import Transcript, hash_to_group, u32


class Invalid(ValueError):
    """A proof that does not hold, or a value that is refused."""


class Point:
    """A group element with its encoding; either may be computed from the other on demand."""

    __slots__ = ("_xyzt", "_bytes")

    def __init__(self, xyzt=None, encoded=None):
        self._xyzt, self._bytes = xyzt, encoded

    @staticmethod
    def read(data):
        """Decodes a canonical encoding."""
        data = bytes(data)
        try:
            return Point(group.decode(data), data)
        except group.Malformed as e:
            raise Invalid(str(e)) from None

    @property
    def xyzt(self):
        return self._xyzt

    @property
    def bytes(self):
        if self._bytes is None:
            self._bytes = group.encode(self._xyzt)
        return self._bytes

    def __add__(self, other):
        return Point(group.add(self._xyzt, other._xyzt))

    def __sub__(self, other):
        return Point(group.subtract(self._xyzt, other._xyzt))

    def __eq__(self, other):
        return group.equal(self._xyzt, other._xyzt)

    __hash__ = None

    def is_zero(self):
        return group.is_zero(self._xyzt)


G = Point(BASE)
ZERO = Point(group.IDENTITY, bytes(32))


def linear(*terms):
    """The sum of scalar * Point."""
    kept = [(s, p.xyzt) for s, p in terms if p is G]
    return Point(group.combine([(s, p.xyzt) for s, p in terms if p is not G], kept))


def scalar(data):
    """Reads a canonical scalar."""
    try:
        return group.scalar_from(bytes(data))
    except group.Malformed as e:
        raise Invalid(str(e)) from None


def joined(points):
    return b"".join(p.bytes for p in points)


def split(data, size):
    return [data[i : i + size] for i in range(0, len(data), size)]


def sized(data, length):
    """Checks the length of a message before anything in it is decoded."""
    if len(data) != length:
        raise Invalid(f"{len(data)} bytes where {length} are expected")
    return data


def knowledge(label, context, y, proof):
    """Knowledge of the logarithm of y."""
    c, s = (scalar(part) for part in split(sized(proof, 64), 32))
    if y.is_zero():
        raise Invalid("the key is zero")
    t = Transcript(label, context)
    t.append("Y", y.bytes)
    t.append("t", linear((s, G), (-c, y)).bytes)
    if t.scalar("c") != c:
        raise Invalid(f"the proof of knowledge ({label}) does not hold")


def equal_logs(label, context, y, pairs, proof):
    """y = xG and D = xA for every pair (A, D)."""
    c, s = (scalar(part) for part in split(sized(proof, 64), 32))
    t = Transcript(label, context)
    t.append("Y", y.bytes)
    t.append("A", joined(a for a, _ in pairs))
    t.append("D", joined(d for _, d in pairs))
    weights = t.scalars("w", len(pairs)) if len(pairs) > 1 else [1]
    t.append("t1", linear((s, G), (-c, y)).bytes)
    terms = [(s * w, a) for w, (a, _) in zip(weights, pairs)] + [(-c * w, d) for w, (_, d) in zip(weights, pairs)]
    t.append("t2", linear(*terms).bytes)
    if t.scalar("c") != c:
        raise Invalid(f"the proof of equal logarithms ({label}) does not hold")


def shares(label, context, y, points, message):
    """The products x*a for all points a, with one proof of equal logarithms."""
    sized(message, 32 * len(points) + 64)
    if not points:
        raise Invalid("an empty batch of shares")
    values = [Point.read(part) for part in split(message[:-64], 32)]
    equal_logs(label, context, y, list(zip(points, values)), message[-64:])
    return values


def dice(context, phase, key, message):
    """The value V of a roll."""
    sized(message, 96)
    h = Point(hash_to_group("vrf", phase))
    value = Point.read(message[:32])
    equal_logs("vrf", context, key, [(h, value)], message[32:])
    return value


def view(context, lock, a, b, message):
    """A re-masked copy (a', b') of a joint token."""
    sized(message, 128)
    a2, b2 = Point.read(message[:32]), Point.read(message[32:64])
    if a2 == a:
        raise Invalid("the view is not masked")
    equal_logs("view", context, a2 - a, [(lock, b2 - b)], message[64:])
    return a2, b2


def lift(context, owner, readers, a, b, message):
    """A private token (a, b) of `owner`, put under the key `readers`."""
    sized(message, 160)
    a2, b2 = Point.read(message[:32]), Point.read(message[32:64])
    c, sx, sr = (scalar(part) for part in split(message[64:], 32))
    if a2.is_zero():
        raise Invalid("the lift is not masked")
    t = Transcript("lift", context)
    t.append("YA", owner.bytes)
    t.append("YR", readers.bytes)
    t.append("io", joined((a, b, a2, b2)))
    t1 = linear((sx, G), (-c, owner))
    t2 = linear((sr, G), (-c, a2))
    t3 = linear((-sx, a), (sr, readers), (-c, b2), (c, b))
    t.append("t", joined((t1, t2, t3)))
    if t.scalar("c") != c:
        raise Invalid("the proof of the lift does not hold")
    return a2, b2


def _either_or(t, y, branches, proof):
    """One of the branches holds. A branch is a list of pairs (A, D) with D = xA and y = xG."""
    answers = [(scalar(part[:32]), scalar(part[32:])) for part in split(proof, 64)]
    commitments = []
    for pairs, (e, s) in zip(branches, answers):
        commitments.append(linear((s, G), (-e, y)))
        commitments += [linear((s, a), (-e, d)) for a, d in pairs]
    t.append("t", joined(commitments))
    if (t.scalar("c") - sum(e for e, _ in answers)) % group.L:
        raise Invalid("the either-or proof does not hold")


def category(context, y, a, b, menu, proof):
    """The face of the private token (a, b) is one of the points of the menu."""
    sized(proof, 64 * len(menu))
    if not menu:
        raise Invalid("an empty menu")
    t = Transcript("category", context)
    t.append("Y", y.bytes)
    t.append("ct", joined((a, b)))
    t.append("cat", joined(menu))
    _either_or(t, y, [[(a, b - m)] for m in menu], proof)


def branches(context, y, tokens, conjunctions, proof):
    """One of the conjunctions holds: lists of (index of a token, point of its face)."""
    sized(proof, 64 * len(conjunctions))
    if not conjunctions or not all(conjunctions):
        raise Invalid("an empty conjunction")
    t = Transcript("branches", context)
    t.append("Y", y.bytes)
    t.append("ct", b"".join(joined(token) for token in tokens))
    listed = u32(len(conjunctions))
    for conjunction in conjunctions:
        listed += u32(len(conjunction)) + b"".join(u32(i) + m.bytes for i, m in conjunction)
    t.append("br", listed)
    pairs = [[(tokens[i][0], tokens[i][1] - m) for i, m in conjunction] for conjunction in conjunctions]
    _either_or(t, y, pairs, proof)


def inequality(context, y, a, b, proof):
    """b is not x*a, where y = xG: the faces differ."""
    sized(proof, 128)
    blinded = Point.read(proof[:32])
    c, s_rho, s_mu = (scalar(part) for part in split(proof[32:], 32))
    if blinded.is_zero():
        raise Invalid("the faces are equal")
    t = Transcript("inequality", context)
    t.append("neq", joined((y, a, b, blinded)))
    t1 = linear((s_rho, b), (-s_mu, a), (-c, blinded))
    t2 = linear((s_rho, y), (-s_mu, G))
    t.append("t", joined((t1, t2)))
    if t.scalar("c") != c:
        raise Invalid("the proof of inequality does not hold")


def mint(context, y, menu, message):
    """A new private token whose face is on the menu."""
    sized(message, 64 + 64 * len(menu))
    a, b = Point.read(message[:32]), Point.read(message[32:64])
    if a.is_zero():
        raise Invalid("the new token is not masked")
    category(context, y, a, b, menu, message[64:])
    return a, b


def shuffle_length(count, columns):
    return (160 + 64 * columns) * count + 192 + 96 * columns


def shuffle(context, lock, entries, message):
    """A shuffle of entries, each a list of 2 (or, with backs, 4) points; returns the new entries.

    All equations are checked at once: their sum, with weights drawn from the transcript, must be zero.
    """
    n, columns = len(entries), len(entries[0]) // 2 if entries else 0
    if not 1 <= n <= 4096:
        raise Invalid("a pile has 1 to 4096 entries")
    sized(message, shuffle_length(n, columns))
    parts = split(message, 32)
    width = 2 * columns
    points = [Point.read(part) for part in parts[: (width + 3) * n + 3 + width]]
    scalars = [scalar(part) for part in parts[(width + 3) * n + 3 + width :]]
    new = [points[width * i : width * (i + 1)] for i in range(n)]
    cut = [width * n + k * n for k in range(4)]
    cp, ch, th = (points[cut[k] : cut[k + 1]] for k in range(3))
    t1, t2, t3, *t4 = points[cut[3] :]
    s1, s2, s3 = scalars[:3]
    s4 = scalars[3 : 3 + columns]
    s_hat, s_prime = scalars[3 + columns : 3 + columns + n], scalars[3 + columns + n :]

    t = Transcript("shuffle" if columns == 1 else "shuffle2", context)
    t.append("Y", lock.bytes)
    t.append("n", u32(n))
    t.append("in", b"".join(joined(entry) for entry in entries))
    t.append("out", b"".join(joined(entry) for entry in new))
    t.append("cp", joined(cp))
    u = t.scalars("u", n)
    t.append("ch", joined(ch))
    t.append("t", joined((t1, t2, t3, *t4)))
    t.append("th", joined(th))
    c = t.scalar("c")
    t.append("resp", b"".join(parts[(width + 3) * n + 3 + width :]))
    weights = t.scalars("batch", 3 + width + n)
    (r1, r2, r3), r4, gamma = weights[:3], weights[3 : 3 + width], [w % 2**128 for w in weights[3 + width :]]

    h = Point(hash_to_group("shuffle H", b""))
    hs = [Point(hash_to_group("shuffle h", u32(i))) for i in range(n)]
    product = 1
    for value in u:
        product = product * value % group.L
    # Each equation as "left - right", times its weight.
    base = r1 * s1 + r2 * s2 + r3 * s3 + sum(x * s for x, s in zip(gamma, s_hat))
    lock_factor = 0
    terms = [(-r1, t1), (-r2, t2), (-r3, t3)] + [(-r, p) for r, p in zip(r4, t4)]
    for column in range(columns):
        base -= r4[2 * column] * s4[column]
        lock_factor -= r4[2 * column + 1] * s4[column]
    h_factor = r2 * c * product + gamma[0] * s_prime[0]
    for i in range(n):
        terms.append((r1 * c + r3 * s_prime[i], hs[i]))
        terms.append((-r1 * c - r3 * c * u[i], cp[i]))
        for k in range(width):
            terms.append((r4[k] * s_prime[i], new[i][k]))
            terms.append((-r4[k] * c * u[i], entries[i][k]))
        chain = -gamma[i] * c
        if i + 1 < n:
            chain += gamma[i + 1] * s_prime[i + 1]
        else:
            chain -= r2 * c
        terms.append((chain, ch[i]))
        terms.append((-gamma[i], th[i]))
    terms += [(lock_factor, lock), (h_factor, h)]
    if not linear((base, G), *terms).is_zero():
        raise Invalid("the shuffle proof does not hold")
    return new


def interpolate(points):
    """The value at 0 of the polynomial "in the exponent" through (x, Point)."""
    terms = []
    for x, point in points:
        factor = 1
        for other, _ in points:
            if other != x:
                factor = factor * other * pow(other - x, -1, group.L) % group.L
        terms.append((factor, point))
    return linear(*terms)
