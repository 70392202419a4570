"""The log of a table, followed step by step: every signature, link, digest and proof."""

from collections import Counter
from dataclasses import dataclass, field
from typing import List, Optional, Tuple

from . import group, opening, proofs
from .blake3 import derive
from .claims import Claims
from .plan import CAST, DEPART, OVER, bits, departure, plan
from .proofs import Invalid
from .record import MAX_BODY, Claim, Head, Without
from .tokens import Cipher, Die, Tokens
from .trace import BadTrace
from .transcript import Drbg, hash_to_group, u8, u16, u32

STEP_LAYOUT = 1


class Unsound(ValueError):
    """The record is wrong; the message names the event and the seat."""


@dataclass
class Verdict:
    """What a verified record says."""

    events: int = 0
    signatures: int = 0
    proofs: Counter = field(default_factory=Counter)
    """How many proofs were verified, by their labels."""
    ending: Optional[str] = None
    """`played`, `without` or nothing if the game is not finished."""
    out: int = 0
    """For `without`: the seats that were missing."""
    vacant: int = 0
    """The seats that a bot has played."""
    live: int = 0
    winners: List[int] = field(default_factory=list)
    claims: List[Tuple[int, int]] = field(default_factory=list)
    votes: List[Tuple[int, int]] = field(default_factory=list)
    """The votes that dropped seats: the voter, and those of the dropped seats that it reached by no path."""

    @property
    def signers(self):
        """The seats whose signatures stand under the end."""
        return self.live & ~self.out if self.ending else 0


class Payload:
    """The bytes of a contribution, read from the front."""

    def __init__(self, data):
        self._data = data

    def take(self, count):
        if len(self._data) < count:
            raise Invalid("the contribution is cut short")
        part, self._data = self._data[:count], self._data[count:]
        return part

    def end(self):
        if self._data:
            raise Invalid("the contribution is too long")


class Step:
    """The step under way."""

    def __init__(self, number, digest):
        self.number, self.digest = number, digest
        self.id = None
        self.contents = []
        self.opened, self.lifted, self.views, self.stands = {}, {}, {}, []
        self.dice, self.pile = {}, None
        self.rolls = []
        self.open_dice, self.stand_dice = {}, []
        self.departed_dice = {}
        """The dice of seats that left while their cast was open."""


def step_id(game, branch, seq, prev, kind, actor, body, digest):
    body = body.encode()
    head = u16(STEP_LAYOUT) + game + u16(branch) + u32(seq) + prev + u8(kind) + u8(actor)
    return derive("pentarchy step v1", head + u32(len(body)) + body + digest)


def phase_id(step, phase, contents):
    return derive("pentarchy phase v1", step + u8(phase) + b"".join(contents))


class Log:
    """Follows a record. `trace` is what the rules say about it."""

    def __init__(self, record, trace):
        self.record, self.trace = record, trace
        self.descriptor = record.descriptor
        self.game, self.seats = self.descriptor.id, len(self.descriptor.players)
        self.verdict = Verdict(live=(1 << self.seats) - 1)
        self.branch, self.links = 0, []
        self.keys, self.tokens, self._locks = [], None, {}
        self._next = 0
        self._gone = 0
        self._open_roll = None
        """A roll that was open when seats left: its phase, and the seats that owe a value to it."""

    @property
    def live(self):
        return self.verdict.live

    @property
    def prev(self):
        return self.links[-1]

    @property
    def seq(self):
        """The number of the step under way."""
        return len(self.links) - 1

    def fail(self, why, seat=None, phase=None):
        place = f"event {self.seq + 1}" if self.links else "before the first event"
        if phase:
            place += f", phase {phase}"
        if seat is not None:
            place += f", seat {seat}"
        raise Unsound(f"{place}: {why}")

    @property
    def holders(self):
        """The live seats that hold shares, as bits."""
        return self.live & self.descriptor.voters

    def verify(self):
        """Verifies everything; returns the verdict."""
        self.open()
        for statement in self.record.statements:
            wrong = isinstance(statement.said, Without) and statement.version != self.descriptor.version
            if wrong and statement.seat < self.seats:
                self.fail("a statement of another version of the protocol", statement.seat)
        if (self.trace.game, self.trace.rules, self.trace.seats) != (
            self.descriptor.game,
            self.descriptor.rules,
            self.seats,
        ):
            raise BadTrace("the trace is of another game")
        self.tokens = Tokens(self.trace)
        while self._step():
            pass
        if self._next != len(self.record.messages):
            message = self.record.messages[self._next]
            self.fail("a contribution does not fit", message.seat)
        if not self.trace.is_at_end:
            raise BadTrace("the trace goes further than the record")
        self._claims()
        self.verdict.events = self.trace.events
        self.verdict.winners = self.trace.line["winners"] or []
        return self.verdict

    # --- the opening

    def open(self):
        """Verifies keys, sealed shares and the signatures of the start."""
        record, escrow = self.record, self.descriptor.threshold is not None
        for name, parts in (("keys", record.keys), ("signature of the start", record.starts)):
            if len(parts) != self.seats or None in parts:
                missing = parts.index(None) if None in parts else None
                self.fail(f"{name}: {len(parts)} where {self.seats} are due, or one is missing", missing)
        for seat, body in enumerate(record.keys):
            self._checked(seat, lambda: self.keys.append(opening.seat_keys(self.descriptor, seat, body)))
            self._proved("pok-lock", "pok-dice")
            self.verdict.signatures += 1
        if escrow and len(record.seals) != self.seats or not escrow and any(record.seals):
            self.fail("sealed shares are missing, or not due")
        for seat in range(self.seats) if escrow else ():
            self._checked(seat, lambda: opening.seals(self.descriptor, self.keys, seat, record.seals[seat]))
            self._proved(*["escrow-kem"] * (2 * len(self.descriptor.holders(seat))))
            self.verdict.signatures += 1
        link = opening.start_link(record)
        for seat, signature in enumerate(record.starts):
            if not group.verify_signature(self.keys[seat].session, link, signature):
                self.fail("the start is not signed by this seat", seat)
            self.verdict.signatures += 1
        self.links.append(link)

    def _checked(self, seat, check):
        try:
            check()
        except Invalid as e:
            self.fail(str(e), seat)

    def _proved(self, *labels):
        self.verdict.proofs.update(labels)

    # --- steps

    def _step(self):
        """Follows one step; false if the record ends here."""
        facts = self.trace.facts
        try:
            made = plan(self.trace.line["node"], facts, self.tokens, self.live, self.seq)
        except Invalid as e:
            self.fail(str(e))
        if self._open_roll:
            made.complete_roll(self.trace.line["node"], facts, self.holders, self._open_roll[1] & ~self.live)
        if not any(made.phases) and self.trace.is_at_end:
            return self._statements()
        if any(made.phases) and not self._has_contributions():
            return self._statements()
        self._follow(made, "")
        return made.kind != OVER

    def _has_contributions(self):
        messages = self.record.messages
        return self._next < len(messages) and messages[self._next].place[:2] == (self.branch, self.seq)

    def _digest(self):
        return derive("pentarchy table v1", bytes.fromhex(self.trace.line["digest"]) + self.tokens.digest())

    def _follow(self, made, body):
        """Takes all contributions to a step and closes it."""
        digest = self._digest()
        step = Step(self.seq, digest)
        acts = any(duty.act for due in made.phases for duty in due.values())
        if not acts:
            step.id = step_id(self.game, self.branch, self.seq, self.prev, made.kind, made.actor, body, digest)
        for phase, due in enumerate(made.phases):
            earlier = list(step.contents)
            if made.kind == CAST and phase == 1:
                self._name_departed_dice(step, due)
            for seat, duty in due.items():
                message = self._take(phase, seat)
                try:
                    self._contribution(step, made, phase, duty, message, earlier)
                except Invalid as e:
                    self.fail(str(e), seat, phase)
        try:
            self._close(step, made)
        except Invalid as e:
            self.fail(str(e))

    def _take(self, phase, seat):
        messages = self.record.messages
        place = (self.branch, self.seq, phase, seat)
        if self._next >= len(messages) or messages[self._next].place != place:
            self.fail("its contribution is missing", seat, phase)
        self._next += 1
        return messages[self._next - 1]

    def _contribution(self, step, made, phase, duty, message, earlier):
        seat, anchor = message.seat, message.anchor
        if isinstance(anchor, Head):
            named = step_id(
                self.game, self.branch, self.seq, anchor.prev, anchor.kind, seat, anchor.body, anchor.digest
            )
            at = phase_id(named, 0, [])
        else:
            named, at = None, anchor
        content = message.content(at)
        if not group.verify_signature(self.keys[seat].session, content, message.signature):
            raise Invalid("the contribution is not signed by this seat")
        self.verdict.signatures += 1
        if duty.act:
            if named is None:
                raise Invalid("an action without a header")
            if anchor.prev != self.prev:
                raise Invalid("the action belongs to another history: its link to the step before differs")
            if anchor.digest != step.digest:
                raise Invalid("the action belongs to another state: its digest of the table differs")
            if anchor.kind != made.kind or len(anchor.body.encode()) > MAX_BODY:
                raise Invalid("the action is of another kind than is due, or too long")
            if anchor.body != self.trace.line["event"]:
                raise BadTrace(f"event {self.seq + 1}: the trace tells another action than the record")
            step.id = named
        elif at != phase_id(step.id, phase, earlier):
            raise Invalid("the contribution belongs to another history or state: its phase differs")
        step.contents.append(content)
        payload = Payload(message.payload)
        context = self.game + at + u8(seat)
        if duty.act:
            self._act(seat, context, payload)
        else:
            self._duty(step, made, seat, duty, at, context, payload)
        payload.end()

    def lock(self, seats):
        """The joint key of a set of seats."""
        if seats not in self._locks:
            key = proofs.linear(*((1, self.keys[seat].lock) for seat in bits(seats)))
            if key.is_zero():
                raise Invalid("the keys of the seats cancel")
            self._locks[seats] = key
        return self._locks[seats]

    def _duty(self, step, made, seat, duty, at, context, payload):
        key = self.keys[seat]
        if duty.dice:
            roll = self._open_roll[0] if self._open_roll else at
            context_of_roll = self.game + roll + u8(seat)
            step.dice[seat] = proofs.dice(context_of_roll, roll, key.dice, payload.take(96))
            self._proved("vrf")
        if duty.strips:
            ciphers = [self._cell(step, seat, cell) for cell in duty.strips]
            shares = self._shares("share", context, key.lock, ciphers, payload)
            for cell, cipher, share in zip(duty.strips, ciphers, shares):
                step.opened[cell] = step.opened.get(cell, cipher).without(seat, share)
        for token in duty.open_dice:
            step.open_dice[token] = self._die_value(token, seat, payload)
        for token, to in duty.lifts:
            own = self.tokens.slot(token).private_of(seat)
            if own is None:
                raise Invalid(f"token {token} is not this seat's")
            a, b = proofs.lift(context, key.lock, self.lock(to), own.a, own.b, payload.take(160))
            step.lifted[token] = Cipher(a, b, to)
            self._proved("lift")
        for token in duty.views:
            joint = self._lying(step, made.mix, token)
            a, b = proofs.view(context, self.lock(joint.locks), joint.a, joint.b, payload.take(128))
            step.views[token] = Cipher(a, b, joint.locks)
            self._proved("view")
        if duty.mix:
            if step.pile is None:
                step.pile = self._pile(step, made.mix)
            columns = 2 if made.mix.backed else 1
            proof = payload.take(proofs.shuffle_length(len(step.pile), columns))
            step.pile = proofs.shuffle(context, self.lock(made.mix.lock), step.pile, proof)
            self._proved("shuffle2" if made.mix.backed else "shuffle")
        for gone, cells in duty.stands:
            ciphers = [self._cell(step, gone, cell) for cell in cells]
            share_key = self.keys[gone].share_key(seat)
            if share_key.is_zero():
                raise Invalid("a share key is zero")
            step.stands.append((gone, seat, self._shares("stand-in", context, share_key, ciphers, payload)))
        for gone, dice in duty.stand_dice:
            for token in dice:
                die = step.departed_dice.get(token) or self._die(token)
                step.stand_dice.append((token, seat, self._stand_for(gone, seat, die.id, payload)))
        for gone in duty.rolls:
            step.rolls.append((gone, seat, self._stand_for(gone, seat, self._open_roll[0], payload)))
        if duty.close and self.descriptor.audit:
            published = payload.take(64)
            for secret, public in ((published[:32], key.lock), (published[32:], key.dice)):
                if proofs.linear((proofs.scalar(secret), proofs.G)) != public:
                    raise Invalid("the published keys are not those of the seat")

    def _stand_for(self, gone, seat, phase, payload):
        """A holder's part of the dice value that a seat that is gone has for a phase or a die."""
        share_key = self.keys[gone].dice_share_key(seat)
        if share_key.is_zero():
            raise Invalid("a share key is zero")
        points = [proofs.Point(hash_to_group("vrf", phase))]
        context = self.game + phase + u8(seat)
        (value,) = proofs.shares("stand-in", context, share_key, points, payload.take(96))
        self._proved("stand-in")
        return value

    def _die(self, token):
        die = self.tokens.slot(token).die
        if die is None:
            raise Invalid(f"token {token} is no private die")
        return die

    def _die_value(self, token, seat, payload):
        """The value that a seat publishes for its private die."""
        die = self._die(token)
        if die.owner != seat:
            raise Invalid(f"the die {token} is another seat's")
        value = proofs.dice(self.game + die.id + u8(seat), die.id, self.keys[seat].dice, payload.take(96))
        self._proved("vrf")
        return value

    def _shares(self, label, context, key, ciphers, payload):
        message = payload.take(32 * len(ciphers) + 64)
        values = proofs.shares(label, context, key, [cipher.a for cipher in ciphers], message)
        self._proved(label)
        return values

    def _cell(self, step, seat, cell):
        """The ciphertext that a cell names."""
        which, token = cell
        slot = self.tokens.slot(token)
        found = {
            "main": slot.main,
            "own": slot.private_of(seat),
            "back": slot.back,
            "view": step.views.get(token),
        }[which]
        if found is None:
            raise Invalid(f"token {token} has no such ciphertext")
        return found

    def _lying(self, step, mix, token):
        """A token as it lies, or as it will once the pile of this step is laid down."""
        if mix is not None and step.pile is not None and token in mix.tokens:
            entry = step.pile[mix.tokens.index(token)]
            return Cipher(entry[0], entry[1], mix.lock)
        return self.tokens.main(token)

    def _pile(self, step, mix):
        """The pile as the first seat finds it."""
        entries = []
        for token in mix.tokens:
            main = step.lifted.get(token) or self.tokens.main(token)
            if main.locks not in (0, mix.lock):
                main = self.tokens.slot(token).private_of(mix.lock.bit_length() - 1)
            if main is None:
                raise Invalid(f"token {token} cannot be put into the pile")
            entry = [main.a, main.b]
            if mix.backed:
                back = self.tokens.pile_back(self.trace.facts[token], token, mix.lock)
                entry += [back.a, back.b]
            entries.append(entry)
        return entries

    # --- actions

    def _act(self, seat, context, payload):
        """An action: shares of what it shows, a new token for a secret choice, proofs of its claims."""
        line, facts, key = self.trace.line, self.trace.facts, self.keys[seat].lock
        faces = {token: self.tokens.open_face(token) for token in line["shows"]}
        closed = [token for token in line["shows"] if faces[token] is None]
        locked = [token for token in closed if self.tokens.slot(token).die is None]
        if locked:
            own = [self.tokens.slot(token).private_of(seat) for token in locked]
            if None in own:
                raise Invalid("it shows a token that it cannot open")
            for token, cipher, share in zip(locked, own, self._shares("share", context, key, own, payload)):
                faces[token] = self.tokens.face_of(cipher.without(seat, share))
        for token in closed:
            if token not in locked:
                faces[token] = self._die(token).face(self._die_value(token, seat, payload))
        self._expect_shown(faces)
        if line["slip"]:
            token, menu = line["slip"]
            points = [self.tokens.faces[face] for face in menu]
            minted = proofs.mint(context, key, points, payload.take(64 + 64 * len(points)))
            self._proved("mint")
            self._laid = token, Cipher(*minted, 1 << seat)
        after = {fact[0]: fact[5] for fact in line["facts"]}
        claims = Claims(
            self.tokens, facts, lambda token: after.get(token, facts[token].public), seat, key, context,
            lambda token: self._die(token).face(self._die_value(token, seat, payload)),
        )
        for claim in line["claims"]:
            self._proved(*claims.verify(claim, payload))

    def _expect_shown(self, faces):
        """What was opened must be what the rules were told."""
        told = {token: face for token, face in self.trace.line["shown"]}
        if told != faces:
            raise Invalid(f"the faces {faces} were opened, and the trace tells {told}")

    # --- the end of a step

    _laid = None

    def _close(self, step, made):
        if made.kind == DEPART:
            self._departed(step, made)
        elif made.kind != OVER:
            self._apply(step, made)
            self._open_roll = None
            self.trace.advance()
        self.tokens.follow(self.trace.facts)
        self.links.append(derive("pentarchy close v1", step.id + b"".join(step.contents)))
        if made.kind == OVER:
            self.verdict.ending = "played"

    def _apply(self, step, made):
        """What a step does to the tokens, compared with what the rules were told."""
        line, node = self.trace.line, self.trace.line["node"]
        kind, vacant = node["kind"], not self.live >> made.actor & 1 if made.actor < 8 else False
        if kind in ("decide", "declare"):
            if vacant:
                self._expect_shown({token: self.tokens.open_face(token) for token, _ in line["shown"]})
                self._laid = None
                if "open_choice" in line:
                    token, face = line["open_choice"]
                    self._laid = token, Cipher.open(self.tokens.faces[face])
            if self._laid:
                self.tokens.reissue(*self._laid)
                self._laid = None
        elif kind in ("roll", "pick"):
            seed = self._roll_seed(step)
            number = Drbg(seed, "roll").below(node["of"]) + (kind == "roll")
            if line["event"] != f"{kind}: {number}":
                raise Invalid(f"the roll gives {number}, and the trace tells `{line['event']}`")
        elif kind == "cast":
            self._cast(step, node)
        elif kind == "rearrange" and vacant:
            for token in node["tokens"]:
                self.tokens.renew(token)
        elif kind in ("shuffle", "rearrange"):
            self._mixed(step, made.mix)
        elif node["side"] == "back":
            backs = {}
            for token in node["tokens"]:
                if ("back", token) in step.opened:
                    backs[token] = self.tokens.back_number(step.opened[("back", token)])
                    self.tokens.slot(token).back = None
            if backs != {token: back for token, back in line["backs"]}:
                raise Invalid(f"the backs {backs} were opened, and the trace tells {line['backs']}")
        elif node["to"] is None:
            hidden = [token for token in node["tokens"] if self.trace.facts[token].public is None]
            self._expect_shown({token: self._revealed(step, token) for token in hidden})
        else:
            self._told(step, node["tokens"], node["to"])

    def _roll_seed(self, step):
        """The phase of a roll and the values of all who owe one, those of seats that left meanwhile among them."""
        if not self._open_roll:
            phase, values = phase_id(step.id, 0, []), step.dice
        else:
            phase, values = self._open_roll[0], dict(step.dice)
            for gone in bits(self._open_roll[1] & ~self.live):
                given = [(seat + 1, value) for who, seat, value in step.rolls if who == gone]
                values[gone] = proofs.interpolate(given[: self.descriptor.threshold])
        return phase + b"".join(values[seat].bytes for seat in sorted(values))

    def _cast(self, step, node):
        """Private dice: the values of all seats give a seed, from which each die has its identifier."""
        stream = Drbg(self._roll_seed(step), "roll")
        seed = stream.bytes(32)
        for token in node["tokens"]:
            owner = self.trace.facts[token].owner
            if owner is None:
                raise Invalid(f"the die {token} lies in a zone without an owner")
            if self.live >> owner & 1:
                self.tokens.cast(token, Die.of(seed, token, owner, node["first"], node["of"]))
            elif token in step.departed_dice:
                self.tokens.lay_open(token, step.departed_dice[token].face(self._recovered(step, token)))
            else:
                self.tokens.lay_open(token, node["first"] + stream.below(node["of"]))

    def _name_departed_dice(self, step, due):
        """The dice that a cast gives to seats that left while it was open: holders open them in its second phase."""
        node, seed = self.trace.line["node"], Drbg(self._roll_seed(step), "roll").bytes(32)
        for owner, dice in next(iter(due.values())).stand_dice:
            for token in dice:
                step.departed_dice[token] = Die.of(seed, token, owner, node["first"], node["of"])

    def _recovered(self, step, token):
        """The value of a die of a seat that is gone, from the parts of the holders."""
        given = [(holder + 1, value) for die, holder, value in step.stand_dice if die == token]
        return proofs.interpolate(given[: self.descriptor.threshold])

    def _revealed(self, step, token):
        """The face of a token that a step has revealed to all."""
        if token in step.open_dice:
            return self._die(token).face(step.open_dice[token])
        for cell in (("own", token), ("main", token)):
            if cell in step.opened:
                return self.tokens.face_of(step.opened[cell])
        return self.tokens.face_of(self.tokens.main(token))

    def _mixed(self, step, mix):
        for token, entry in zip(mix.tokens, step.pile):
            back = Cipher(entry[2], entry[3], mix.lock) if mix.backed else None
            self.tokens.reissue(token, Cipher(entry[0], entry[1], mix.lock), back)
            view = step.opened.get(("view", token))
            if view is not None and view.is_private():
                self.tokens.slot(token).copies.append(view)

    def _told(self, step, tokens, reader):
        """Faces were told to one seat: it has a ciphertext of each that it alone can open."""
        for token in tokens:
            fact = self.trace.facts[token]
            if fact.public is not None or fact.is_known_to(reader):
                continue
            owns, slot = fact.owner == reader, self.tokens.slot(token)
            opened = step.opened.get(("main", token))
            if not self.live >> reader & 1:
                if opened is not None:
                    self.tokens.read_by_all(token, opened)
                    if owns or not slot.main.is_private():
                        slot.main = opened
                continue
            lifted, view = step.lifted.get(token), step.opened.get(("view", token))
            if opened is not None:
                slot.main = opened
            elif lifted is not None:
                if owns and slot.main is not None and slot.main.is_private():
                    slot.copies.append(slot.main)
                    slot.main = lifted
                else:
                    slot.copies.append(lifted)
            elif view is not None and view.is_private():
                slot.copies.append(view)

    # --- departures

    def _statements(self):
        """The record has no further contribution to this branch: takes the statements that seats are out.

        True if the log goes on in the next branch.
        """
        signed, votes = {}, {}
        for statement in self.record.statements:
            it, seat = statement.said, statement.seat
            if not isinstance(it, Without) or it.branch != self.branch or seat >= self.seats:
                continue
            if it.seq >= len(self.links) or self.links[it.seq] != it.prev:
                continue
            if seat in signed.setdefault(it, set()):
                continue
            self.signed_statement(statement)
            if it.gone >> seat & 1 or not self.descriptor.voters >> seat & 1:
                continue
            signed[it].add(seat)
            votes.setdefault(it, []).append((seat, (statement.unreachable or 0) & it.gone))
            survivors = self.holders & ~it.gone
            majority = 2 * len(bits(survivors)) > len(bits(self.holders))
            whole = it.gone == self.descriptor.whole_machines(it.gone) & self.live
            if it.gone & ~self.live == 0 and whole and majority and set(bits(survivors)) <= signed[it]:
                self.verdict.votes += votes[it]
                return self._without(it)
        return False

    def signed_statement(self, statement):
        seat = statement.seat
        key, content = self.keys[seat].session, statement.content(self.game)
        if not group.verify_signature(key, content, statement.signature):
            self.fail("a statement is not signed by this seat", seat)
        self.verdict.signatures += 1

    def _without(self, it):
        """All survivors have signed that seats are out."""
        if it.seq != self.seq and self.descriptor.threshold is not None:
            self.fail(f"the seats that remain have taken the log back to event {it.seq + 1}")
        live, gone, open_roll = self.live & ~it.gone, it.gone | self._gone, self._find_open_roll()
        holders = self.holders & ~it.gone
        made = departure(self.trace.facts, self.tokens, holders, gone)
        enough = len(bits(holders)) >= (self.descriptor.threshold or 9)
        can_go_on = len(bits(holders)) >= 2 and (not (any(made.phases) or open_roll) or enough)
        if self.descriptor.threshold is None or not can_go_on:
            self.verdict.ending, self.verdict.out = "without", it.gone
            return False
        self.branch += 1
        self.verdict.live = live
        self._gone, self._open_roll = gone, open_roll
        if any(made.phases) and not self._has_contributions():
            # Others may have left before this departure was complete.
            return self._statements()
        self._follow(made, " ".join(str(seat) for seat in bits(gone)))
        return True

    def _find_open_roll(self):
        """The roll that is open now, or was when the seats left that are departing. Version 1 rolled again."""
        if self.descriptor.version == 1 or self._open_roll or self._gone:
            return self._open_roll
        made = plan(self.trace.line["node"], self.trace.facts, self.tokens, self.live, self.seq)
        if not made.is_roll:
            return None
        step = step_id(self.game, self.branch, self.seq, self.prev, made.kind, made.actor, "", self._digest())
        return phase_id(step, 0, []), self.live

    def _departed(self, step, made):
        """The locks of the seats that are gone come off, and what they alone could read lies open."""
        stands = next(iter(made.phases[0].values())).stands if made.phases[0] else []
        for gone, cells in stands:
            given = [(seat + 1, shares) for who, seat, shares in step.stands if who == gone]
            given = given[: self.descriptor.threshold]
            for i, cell in enumerate(cells):
                share = proofs.interpolate([(x, shares[i]) for x, shares in given])
                which, token = cell
                opened = self._cell(step, gone, cell).without(gone, share)
                slot = self.tokens.slot(token)
                if which == "main":
                    slot.main = opened
                elif which == "back":
                    slot.back = opened
                else:
                    self.tokens.read_by_all(token, opened)
        for seat in bits(self._gone):
            for token in self.tokens.dice_of(seat):
                self.tokens.lay_open(token, self._die(token).face(self._recovered(step, token)))
        self.tokens.forget(self._gone)
        for seat in bits(self._gone):
            for token, fact in self.trace.facts.items():
                if fact.public is None and fact.is_known_to(seat) and self.tokens.open_face(token) is None:
                    raise Invalid(f"what seat {seat} knew of token {token} is lost")
        self.verdict.vacant |= self._gone
        self._gone = 0

    def _claims(self):
        """Statements of seats that do not wait any longer; they bind nobody."""
        heard = set()
        for statement in self.record.statements:
            it, seat = statement.said, statement.seat
            if not isinstance(it, Claim) or it.prev != self.prev or seat >= self.seats or statement in heard:
                continue
            heard.add(statement)
            self.signed_statement(statement)
            if not self.verdict.ending and self.live & ~it.gone & 1 << seat:
                self.verdict.claims.append((seat, it.gone))
