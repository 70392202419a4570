"""Short names and fingerprints of identities (docs/fair-play.md, "Identities")."""

import base64

from .blake3 import derive

CONSONANTS = "bdfghjklmnprstvz"
VOWELS = "aiou"


def short_name(public):
    """Three proquints of the first six bytes of the key's hash."""
    digest = derive("pentarchy identity name v1", public)
    return "-".join(_proquint(int.from_bytes(digest[i : i + 2], "big")) for i in (0, 2, 4))


def fingerprint(public):
    """160 bits of the key's hash as eight groups of four letters."""
    letters = base64.b32encode(derive("pentarchy identity name v1", public)[:20]).decode().lower()
    return " ".join(letters[i : i + 4] for i in range(0, len(letters), 4))


def identity_lines(players, names):
    """One line for each player: name, host if it is a bot, short name and fingerprint."""
    for player, name in zip(players, names):
        bot = "" if player.host is None else f", a bot of {names[player.host]}"
        yield f"{name}{bot}: {short_name(player.identity)} (fingerprint {fingerprint(player.identity)})"


def _proquint(bits):
    parts = ((CONSONANTS, 12), (VOWELS, 10), (CONSONANTS, 6), (VOWELS, 4), (CONSONANTS, 0))
    return "".join(letters[(bits >> shift) % len(letters)] for letters, shift in parts)
