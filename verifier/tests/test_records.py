"""Both verifiers agree on fresh records of all games, and on what is wrong with damaged ones."""

import copy
import io
import json
import random
import re
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path
from unittest import mock

import records
import worked_example
from pentarchy_verifier import group
from pentarchy_verifier.__main__ import main, verify
from pentarchy_verifier.log import Log, Unsound
from pentarchy_verifier.record import Claim, Head, Record, Statement, Unreadable
from pentarchy_verifier.trace import BadTrace, Trace

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "fair-play.md"
REJECTED = (Unsound, Unreadable, BadTrace)


class Agreement(unittest.TestCase):
    """Both verifiers say the same of sound records."""

    def agree(self, name):
        return self.agree_on(records.make(name))

    def agree_on(self, made):
        *said, _proofs = verify(made.record, made.trace, unfinished=True).splitlines()
        self.assertEqual(said, made.said.splitlines())
        return Log(Record.read(made.record), Trace(made.trace.decode())).verify()

    def test_every_game_and_every_kind_of_proof(self):
        records.memoize()
        proofs = set()
        for name in records.TABLES:
            with self.subTest(name):
                proofs.update(self.agree(name).proofs)
        every = "pok-lock pok-dice escrow-kem share vrf view lift shuffle shuffle2 mint category inequality branches stand-in"
        self.assertEqual(proofs, set(every.split()))

    def test_departures(self):
        records.memoize()
        self.assertEqual(self.agree("departure").ending, "played")
        self.assertNotEqual(self.agree("departure").vacant, 0)
        self.assertNotEqual(self.agree("dice-departure").vacant, 0)
        self.assertEqual(self.agree("end-without").ending, "without")
        self.assertIn(b"open_choice", records.make("vacant-choice").trace)

    def test_rolls_that_were_open_when_a_seat_left(self):
        records.memoize()
        made = records.make("roll-departure")
        proofs = self.agree("roll-departure").proofs
        self.assertGreater(proofs["stand-in"], 0)
        # Without the values of the seat that left, the roll is another one, or cannot be made.
        with mock.patch.object(Log, "_find_open_roll", lambda _: None):
            with self.assertRaises(Unsound):
                Log(Record.read(made.record), Trace(made.trace.decode())).verify()

    def test_machines_vote_and_leave_as_a_whole(self):
        records.memoize()
        self.assertEqual(self.agree("hosted").vacant, 0b11001)
        record = Record.read(records.make("hosted").record)
        self.assertEqual({s.seat for s in record.statements if s.unreachable is not None}, {1, 2})
        self.assertEqual(record.descriptor.holders(1), [0, 2])
        self.assertEqual(record.descriptor.holders(4), [1, 2])

    def test_records_of_version_1(self):
        records.memoize()
        for path in sorted(records.VERSION1.glob("*.table")):
            with self.subTest(path.name):
                made = records.read(str(path))
                self.assertEqual(Record.read(made.record).descriptor.version, 1)
                self.agree_on(made)

    def test_published_keys_are_checked(self):
        records.memoize()
        made = records.make("audit")
        record = Record.read(made.record)
        last = record.messages[-1]
        self.assertEqual((record.descriptor.audit, len(last.payload)), (True, 64))
        forged = replace(last, payload=last.payload[:63] + bytes([last.payload[63] ^ 1]))
        forged = replace(record, messages=record.messages[:-1] + [forged])
        with mock.patch.object(group, "verify_signature", lambda *_: True):
            with self.assertRaisesRegex(Unsound, f"seat {last.seat}: the published keys"):
                Log(forged, Trace(made.trace.decode())).verify()

    def test_claims_at_the_end_of_an_unfinished_log_are_told(self):
        records.memoize()
        made = records.make("numeral")
        record, trace = Record.read(made.record), made.trace.decode()
        log = Log(record, Trace(trace))
        log.verify()
        here, elsewhere = Claim(log.prev, 0b10), Claim(bytes(32), 0b100)
        said = [Statement(0, here, bytes(64)), Statement(1, here, bytes(64)), Statement(0, elsewhere, bytes(64))]
        claimed = replace(record, statements=said)
        with mock.patch.object(group, "verify_signature", lambda *_: True):
            verdict = Log(claimed, Trace(trace)).verify()
        self.assertEqual(verdict.claims, [(0, 0b10)])
        self.assertEqual(verdict.signatures, log.verdict.signatures + 2)
        with self.assertRaisesRegex(Unsound, "seat 0: a statement is not signed"):
            Log(claimed, Trace(trace)).verify()
        ignored = Log(replace(record, statements=said[2:]), Trace(trace)).verify()
        self.assertEqual(ignored.claims, [])

    def test_unfinished_games_are_named(self):
        made = records.make("numeral")
        with self.assertRaisesRegex(Unsound, "not finished"):
            verify(made.record, made.trace)

    def test_signatures_without_a_trace(self):
        made = records.make("leduc")
        self.assertIn("12 signatures", verify(made.record, None))


class Mutations(unittest.TestCase):
    """A changed byte is rejected by this verifier exactly if the program rejects it."""

    def compare(self, name, flips, seed):
        records.memoize()
        made, rng = records.make(name), random.Random(seed)
        step = len(made.record) / flips
        places = [min(len(made.record) - 1, int(step * (i + rng.random()))) for i in range(flips)]
        changed = []
        for place in places:
            data = bytearray(made.record)
            data[place] ^= rng.randrange(1, 256)
            changed.append(bytes(data))
        with tempfile.TemporaryDirectory() as folder:
            paths = [str(Path(folder) / f"{i}.table") for i in range(flips)]
            for path, data in zip(paths, changed):
                Path(path).write_bytes(data)
            _, sound, _ = records.program("verify", "--unfinished", *paths)
        for place, path, data in zip(places, paths, changed):
            rust = f"{path}: sound" in sound
            try:
                verify(data, made.trace, unfinished=True)
                python, why = True, "accepted"
            except REJECTED as e:
                python, why = False, str(e)
            self.assertEqual(python, rust, f"byte {place} of {name}: {why}")

    def test_cards(self):
        self.compare("leduc", 120, 1)

    def test_dice_and_a_departure(self):
        self.compare("dice-departure", 80, 2)

    def test_cards_and_a_departure(self):
        self.compare("departure", 24, 3)

    def test_private_dice_and_a_departure_from_their_cast(self):
        self.compare("liars-dice-cast", 40, 7)

    def test_the_end_signed_without_a_seat(self):
        self.compare("end-without", 24, 4)

    def test_every_prefix_is_rejected(self):
        made = records.make("leduc")
        for end in range(0, len(made.record), 41):
            with self.assertRaises(REJECTED):
                verify(made.record[:end], made.trace)
        with self.assertRaises(Unreadable):
            verify(made.record + b"\0", made.trace)


class Proofs(unittest.TestCase):
    """Proofs are verified, not only signatures: here every signature is taken for valid."""

    def test_a_changed_payload_is_rejected_at_its_event_and_seat(self):
        records.memoize()
        rng, tried = random.Random(5), set()
        for name in ("leduc", "hegemony", "vires", "hestia", "departure", "liars-dice-cast"):
            made = records.make(name)
            record = Record.read(made.record)
            for index in self.samples(record, rng):
                message = record.messages[index]
                data = bytearray(message.payload)
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
                changed = list(record.messages)
                changed[index] = replace(message, payload=bytes(data))
                forged = replace(record, messages=changed)
                with mock.patch.object(group, "verify_signature", lambda *_: True):
                    with self.assertRaises(Unsound) as caught:
                        Log(forged, Trace(made.trace.decode())).verify()
                place = rf"event {message.seq + 1}(, phase \d+)?, seat {message.seat}: "
                self.assertRegex(str(caught.exception), place)
                self.assertNotIn("history", str(caught.exception))
                tried.add(re.sub(r"\d+", "", str(caught.exception).split(": ", 1)[1]))
        self.assertGreater(len(tried), 4, tried)

    @staticmethod
    def samples(record, rng):
        """Contributions with a payload: of each length the first, and two others."""
        full = [i for i, message in enumerate(record.messages) if message.payload]
        first = {len(record.messages[i].payload): i for i in reversed(full)}
        return sorted(set(list(first.values())[:12] + rng.sample(full, 2)))


class Traces(unittest.TestCase):
    """A trace is not trusted."""

    def lines(self, name):
        return [json.loads(line) for line in records.make(name).trace.decode().splitlines()]

    def reject(self, name, change):
        lines = self.lines(name)
        change(lines)
        text = "\n".join(json.dumps(line) for line in lines).encode()
        with self.assertRaises(REJECTED):
            verify(records.make(name).record, text, unfinished=True)

    def test_lies_are_rejected(self):
        records.memoize()
        first = {line["node"]["kind"]: i for i, line in reversed(list(enumerate(self.lines("leduc")))) if i}
        for kind in ("shuffle", "reveal", "decide"):
            self.reject("leduc", lambda lines: lines[first[kind]].update(digest="00" * 32))
        self.reject("leduc", lambda lines: lines[first["decide"]].update(event="call"))
        self.reject("leduc", lambda lines: lines[first["reveal"]]["node"].update(tokens=[1]))
        self.reject("leduc", lambda lines: lines[first["reveal"]]["node"].update(to=1))
        self.reject("leduc", lambda lines: lines[first["shuffle"]]["node"]["tokens"].reverse())
        self.reject("leduc", lambda lines: lines.pop(2))
        self.reject("leduc", lambda lines: lines.insert(2, lines[2]))
        self.reject("leduc", lambda lines: lines[0].update(game="kuhn"))
        lines = self.lines("numeral")
        roll = next(i for i, line in enumerate(lines) if i and line["node"]["kind"] in ("roll", "pick"))
        self.reject("numeral", lambda lines: lines[roll].update(event="roll: 99"))
        lines = self.lines("ozymandias")
        shows = next(i for i, line in enumerate(lines) if line.get("shown"))
        self.reject("ozymandias", lambda lines: lines[shows].update(shown=[]))

    def test_damaged_traces_are_rejected(self):
        made, rng = records.make("leduc"), random.Random(6)
        damaged = [b"", b"\n", b"{}", b"[]\n[]\n[]", b"\xff", b"[" * 100_000, made.trace[:-20], made.trace[20:]]
        lines = self.lines("leduc")
        for _ in range(60):
            changed = copy.deepcopy(lines)
            line = rng.choice(changed)
            line[rng.choice(list(line))] = rng.choice([None, -1, 999, "x", [], {}, [[]], [999], [[1, 2]]])
            damaged.append("\n".join(json.dumps(line) for line in changed).encode())
        records.memoize()
        for trace in damaged:
            try:
                verify(made.record, trace)
            except REJECTED:
                pass


class WorkedExample(unittest.TestCase):
    """The hashes in docs/fair-play.md are those of a fresh record."""

    def test_hashes_of_the_document(self):
        records.memoize()
        text = DOCUMENT.read_text(encoding="utf-8")
        section = text[text.index("### Worked example") :]
        section = section[: section.index("\n## ")]
        written = re.findall(r"^\| `([^`]+)` \| `([0-9a-f]{64})` \|$", section, re.MULTILINE)
        hint = "verifier/tests/worked_example.py prints the table for the document"
        self.assertEqual(written, worked_example.rows(), hint)


class Command(unittest.TestCase):
    """The command line."""

    def run_main(self, *arguments):
        out, error = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(error):
            code = main(list(arguments))
        return code, out.getvalue(), error.getvalue()

    def test_exit_codes_and_messages(self):
        records.memoize()
        made = records.make("leduc")
        with tempfile.TemporaryDirectory() as folder:
            table, trace, bad = (str(Path(folder) / name) for name in ("a.table", "a.trace", "b.table"))
            Path(table).write_bytes(made.record)
            Path(trace).write_bytes(made.trace)
            record = Record.read(made.record)
            data = bytearray(made.record)
            last = record.messages[-1]
            self.assertNotIsInstance(last.anchor, Head)
            data[data.rindex(last.signature) + 5] ^= 1
            Path(bad).write_bytes(bytes(data))
            code, out, _ = self.run_main(table, trace)
            self.assertEqual((code, out.splitlines()[:-1]), (0, f"{table}: {made.said}".splitlines()))
            code, out, _ = self.run_main(table)
            self.assertEqual((code, "signatures sound" in out), (0, True))
            for arguments in ([bad, trace], [bad]):
                code, out, error = self.run_main(*arguments)
                self.assertEqual((code, out), (1, ""))
                self.assertIn(f"event {last.seq + 1}, seat {last.seat}: the contribution is not signed", error)
            code, _, error = self.run_main(trace)
            self.assertEqual((code, "not the record of a table" in error), (1, True))
            code, _, error = self.run_main(str(Path(folder) / "none"))
            self.assertEqual((code, "cannot read" in error), (2, True))


if __name__ == "__main__":
    unittest.main()
