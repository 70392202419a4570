"""Which proofs an action needs for what it claims about hidden faces (docs/fair-play.md, "Claims, game by game")."""

from . import proofs
from .proofs import Invalid


class Claims:
    """The claims of one action, checked against the facts before it."""

    def __init__(self, tokens, facts, public_after, actor, key, context, open_die):
        self._tokens, self._facts, self._public_after = tokens, facts, public_after
        self._actor, self._key, self._context = actor, key, context
        self._open_die = open_die
        """Takes the value of a private die off the payload; gives its face."""

    def verify(self, claim, payload):
        """Verifies the proofs of a claim at the front of the payload; returns their labels."""
        kind = claim["kind"]
        if kind == "pair":
            return self._pair(*claim["tokens"], [tuple(pair) for pair in claim["pairs"]], payload)
        faces = int(claim["set"], 16)
        if kind == "in":
            return self._category(claim["token"], faces, payload)
        if kind == "none":
            return [label for token in claim["tokens"] for label in self._denial(token, faces, payload)]
        if kind == "some":
            named = [int.from_bytes(payload.take(2), "little") for _ in range(claim["count"])]
            if sorted(set(named)) != named or not set(named) <= set(claim["tokens"]):
                raise Invalid("the claim names tokens that it cannot be about")
            return [label for token in named for label in self._category(token, faces, payload)]
        raise Invalid(f"there is no claim `{kind}`")

    def _own(self, token):
        own = self._tokens.slot(token).private_of(self._actor)
        if own is None:
            raise Invalid(f"a claim about token {token}, which the seat cannot open")
        return own

    def _menu(self, faces):
        return [self._tokens.faces[f] for f in range(faces.bit_length()) if faces >> f & 1]

    def _category(self, token, faces, payload):
        """The face of a token is in a set."""
        face = self._tokens.open_face(token)
        if face is not None:
            if not faces >> face & 1:
                raise Invalid("the claim is false: everybody can see the face")
            return []
        may = self._facts[token].may
        if may & ~faces == 0:
            return []
        if may & faces == 0:
            raise Invalid("what is claimed is impossible")
        if self._tokens.slot(token).die:
            if not faces >> self._open_die(token) & 1:
                raise Invalid("the claim is false: the die shows another face")
            return []
        own, menu = self._own(token), self._menu(may & faces)
        proofs.category(self._context, self._key, own.a, own.b, menu, payload.take(64 * len(menu)))
        return ["category"]

    def _denial(self, token, faces, payload):
        """The face of a token is not in a set: by denying each face, or by a category of all others."""
        may = self._facts[token].may
        denied, left = bin(may & faces).count("1"), bin(may & ~faces).count("1")
        card = self._tokens.slot(token).die is None and self._tokens.open_face(token) is None
        if 0 < 2 * denied < left and card:
            own = self._own(token)
            for face in self._menu(may & faces):
                proofs.inequality(self._context, self._key, own.a, own.b - face, payload.take(128))
            return ["inequality"] * denied
        return self._category(token, ~faces, payload)

    def _pair(self, first, second, pairs, payload):
        """The faces of two tokens are one of the pairs."""
        x, y = self._seen(first), self._seen(second)
        if x is not None and y is not None:
            if (x, y) not in pairs:
                raise Invalid("the claim is false: everybody can see both faces")
            return []
        if x is not None:
            return self._category(second, sum({1 << b for a, b in pairs if a == x}), payload)
        if y is not None:
            return self._category(first, sum({1 << a for a, b in pairs if b == y}), payload)
        may = self._facts[first].may, self._facts[second].may
        possible = [(a, b) for a, b in pairs if may[0] >> a & 1 and may[1] >> b & 1]
        if not possible:
            raise Invalid("what is claimed is impossible")
        faces = self._tokens.faces
        conjunctions = [[(0, faces[a]), (1, faces[b])] for a, b in possible]
        owns = [(own.a, own.b) for own in (self._own(first), self._own(second))]
        proofs.branches(self._context, self._key, owns, conjunctions, payload.take(64 * len(possible)))
        return ["branches"]

    def _seen(self, token):
        public = self._public_after(token)
        return self._tokens.open_face(token) if public is None else public
