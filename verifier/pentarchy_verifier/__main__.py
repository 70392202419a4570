"""`python3 -m pentarchy_verifier FILE [TRACE]`."""

import argparse
import base64
import sys

from .identity import identity_lines
from .log import Log, Unsound
from .plan import bits
from .record import Record, Unreadable
from .signatures import verify_signatures
from .trace import BadTrace, Trace


def main(arguments=None):
    """Verifies a record; returns the exit code: 0 sound, 1 not sound, 2 a file cannot be read."""
    parser = argparse.ArgumentParser(
        prog="pentarchy_verifier",
        description="Verify the signed record of a Pentarchy table.",
        epilog="`pentarchy trace FILE > TRACE` writes the trace. Without one only signatures are verified.",
    )
    parser.add_argument("file", help="the signed record (.table)")
    parser.add_argument("trace", nargs="?", help="what the rules asked and answered, from `pentarchy trace`")
    parser.add_argument("--unfinished", action="store_true", help="accept a game that was left before its end")
    args = parser.parse_args(arguments)
    try:
        with open(args.file, "rb") as file:
            data = file.read()
        trace = None
        if args.trace:
            with open(args.trace, "rb") as file:
                trace = file.read()
    except OSError as e:
        print(f"error: cannot read {e.filename}: {e.strerror}", file=sys.stderr)
        return 2
    try:
        print(f"{args.file}: {verify(data, trace, args.unfinished)}")
        return 0
    except (Unsound, BadTrace) as e:
        print(f"error: {args.file}: {e}", file=sys.stderr)
    except Unreadable as e:
        print(f"error: {args.file}: this is not the record of a table: {e}", file=sys.stderr)
    return 1


def verify(data, trace, unfinished=False):
    """Verifies a record given as bytes, with its trace (bytes) or without; returns what was verified as text.

    Raises `Unsound`, `BadTrace` or `Unreadable`.
    """
    record = Record.read(data)
    names = [_name(seat, player.name) for seat, player in enumerate(record.descriptor.players)]
    letters = base64.b32encode(record.descriptor.id[:10]).decode().lower()
    fingerprint = " ".join(letters[i : i + 4] for i in range(0, 16, 4))
    if trace is None:
        verdict = verify_signatures(record)
        return (
            f"signatures sound  {record.descriptor.game}, {verdict.signatures} signatures and "
            f"{sum(verdict.proofs.values())} proofs of the opening verified; fingerprint {fingerprint}; "
            "a trace of the rules is needed to verify the rest"
        )
    try:
        verdict = Log(record, Trace(trace.decode())).verify()
    except UnicodeDecodeError:
        raise BadTrace("the trace is not UTF-8") from None
    end = _end(verdict, names)
    if not verdict.signers and not unfinished:
        raise Unsound(f"the game is {end}")
    kinds = ", ".join(f"{count} {label}" for label, count in sorted(verdict.proofs.items()))
    return (
        f"sound  {record.descriptor.game}, {verdict.events} events, {verdict.signatures} signatures and "
        f"{sum(verdict.proofs.values())} proofs verified; fingerprint {fingerprint}; {end}\n"
        + "".join(f"  {line}\n" for line in identity_lines(record.descriptor.players, names))
        + f"  proofs: {kinds}"
    )


def _name(seat, name):
    """The name of a player without control characters."""
    plain = "".join(c for c in name if not (ord(c) < 32 or 127 <= ord(c) < 160))
    return plain or f"Seat {seat}"


def _end(verdict, names):
    """How the game ended, who signed that, and whom the voters reached by no path."""

    def named(seats):
        *first, last = [names[seat] for seat in bits(seats)] or [""]
        return f"{', '.join(first)} and {last}" if first else last

    reach = (f"; {named(1 << seat)} reached {named(lost)} by no path" for seat, lost in verdict.votes if lost)
    return _signed_end(verdict, named) + "".join(reach)


def _signed_end(verdict, named):
    if verdict.ending == "played":
        won = named(sum(1 << seat for seat in verdict.winners)) or "nobody"
        out = f", not by {named(verdict.vacant)}, for whom a bot played on" if verdict.vacant else ""
        return f"signed by {named(verdict.signers)}{out}; won by {won}"
    if verdict.ending == "without":
        return f"ended without {named(verdict.out)}, signed by {named(verdict.signers)}"
    claims = (f"; {named(1 << seat)} has signed not to wait any longer for {named(gone)}" for seat, gone in verdict.claims)
    return "not finished" + "".join(claims)


if __name__ == "__main__":
    sys.exit(main())
