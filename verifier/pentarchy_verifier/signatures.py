"""What can be verified without a trace of the rules: the opening and all signatures.

Without the rules nobody knows which token a proof is about, nor the digests that steps without an action hash.
So shuffles, shares, dice and claims are not verified here, and links only between actions.
"""

from . import group
from .blake3 import derive
from .log import Log, Unsound, phase_id, step_id
from .record import Head


def verify_signatures(record):
    """Verifies keys, sealed shares, the start, and every signature; returns the verdict so far."""
    log = Log(record, None)
    log.open()
    verdict = log.verdict
    phases, last = {}, None
    for message in record.messages:

        def fail(why):
            raise Unsound(f"event {message.seq + 1}, seat {message.seat}: {why}")

        if message.seat >= log.seats:
            fail("there is no such seat")
        place, anchor = message.place[:3], message.anchor
        if isinstance(anchor, Head):
            step = step_id(
                log.game, message.branch, message.seq, anchor.prev, anchor.kind, message.seat, anchor.body, anchor.digest
            )
            at = phase_id(step, 0, [])
        else:
            step, at = None, anchor
        content = message.content(at)
        if not group.verify_signature(log.keys[message.seat].session, content, message.signature):
            fail("the contribution is not signed by this seat")
        verdict.signatures += 1
        if phases.setdefault(place, at) != at:
            fail("the contribution belongs to another history: its phase differs")
        if step and last and last[:2] == (message.branch, message.seq - 1) and last[2] != anchor.prev:
            fail("the action belongs to another history: its link to the step before differs")
        if step:
            last = message.branch, message.seq, derive("pentarchy close v1", step + content)
    for statement in record.statements:
        if statement.said is not None and statement.seat < log.seats:
            log.signed_statement(statement)
    return verdict
