"""Fresh records of simulated tables, made by the program whose path is in the variable PENTARCHY."""

import os
import subprocess
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pentarchy_verifier import blake3, group

PROGRAM = os.environ.get("PENTARCHY") or str(Path(__file__).resolve().parents[2] / "target" / "debug" / "pentarchy")

TABLES = {
    "leduc": "leduc --seats 2 --seeds 0..1",
    "hegemony": "hegemony --seats 2 --seeds 5..6 --bot captain --events 215",
    "peek": "hegemony --seats 2 --seeds 21..22 --events 114",
    "branches": "hegemony --seats 2 --seeds 10..11 --events 114",
    "vires": "vires --seats 3 --seeds 1..2 --bot captain --events 180",
    "hestia": "hestia --seats 2 --seeds 5..6 --bot captain --events 140",
    "ozymandias": "ozymandias --seats 2 --seeds 2..3",
    "liars-dice": "liars-dice --seats 3 --seeds 0..1",
    "liars-dice-departure": "liars-dice --seats 4 --seeds 1..2 --leave 7",
    "liars-dice-cast": "liars-dice --seats 4 --seeds 1..2 --cheat leave-roll",
    "numeral": "numeral --seats 4 --seeds 0..1 --events 60",
    "departure": "ozymandias --seats 3 --seeds 0..1 --leave 12",
    "dice-departure": "numeral --seats 3 --seeds 0..1 --leave 12 --events 40",
    "audit": "ozymandias --seats 3 --seeds 2..3 --cheat refuse-audit",
    "end-without": "ozymandias --seats 3 --seeds 0..1 --leave 14 --recovery end",
    "roll-departure": "numeral --seats 3 --seeds 0..1 --cheat leave-roll --events 60",
    "hosted": "ozymandias --seats 5 --hosted 2 --seeds 0..1 --leave 14",
    "vacant-choice": "vires --seats 4 --seeds 4..5 --cheat two-faced --events 150",
}
"""What `pentarchy peers` plays."""


@dataclass(frozen=True)
class Made:
    """A record and its trace, and what the program says of the record."""

    record: bytes
    trace: bytes
    said: str


def program(*arguments):
    """Runs the program; returns its exit code, output and errors."""
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


VERSION1 = Path(__file__).resolve().parents[2] / "crates" / "table" / "tests" / "peers" / "version1"
"""Records that the last program of version 1 of the protocol made."""


@lru_cache(maxsize=None)
def make(name):
    """Plays a table and verifies its record with the program."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "game.table")
        code, _, error = program("peers", *TABLES[name].split(), "--threads", "1", "--record", path)
        if code:
            raise RuntimeError(f"`pentarchy peers {TABLES[name]}` failed: {error}")
        return read(path)


@lru_cache(maxsize=None)
def read(path):
    """A record in a file, verified with the program."""
    code, said, error = program("verify", "--unfinished", path)
    if code:
        raise RuntimeError(f"the program rejects {path}: {error}")
    code, trace, error = program("trace", path)
    if code:
        raise RuntimeError(f"no trace of {path}: {error}")
    return Made(Path(path).read_bytes(), trace.encode(), said.removeprefix(f"{path}: ").strip())


def memoize():
    """Keeps the results of the slow functions, so that many versions of one record verify quickly."""
    if hasattr(group.combine, "is_memoized"):
        return
    combine = group.combine
    kept = lru_cache(maxsize=None)(lambda terms, others: combine(terms, others))

    def memoized(terms, kept_terms=(), **named):
        return kept(tuple(terms), tuple(named.get("kept", kept_terms)))

    memoized.is_memoized = True
    group.combine = memoized
    group._sqrt_ratio = lru_cache(maxsize=None)(group._sqrt_ratio)
    blake3._tree = lru_cache(maxsize=None)(blake3._tree)
    blake3._Output.stream = lru_cache(maxsize=None)(blake3._Output.stream)
