"""Published test vectors of the primitives, and the known answers of docs/fair-play.md."""

import re
import unittest
from pathlib import Path

from pentarchy_verifier import blake3, group, proofs
from pentarchy_verifier.proofs import Point
from pentarchy_verifier.transcript import Drbg, Transcript, face_point, hash_to_group, u32

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "fair-play.md"


class Blake3(unittest.TestCase):
    """https://github.com/BLAKE3-team/BLAKE3/blob/master/test_vectors/test_vectors.json"""

    CONTEXT = "BLAKE3 2019-12-27 16:29:52 test vectors context"
    VECTORS = [
        (0, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262", "2cc39783c223154fea8dfb7c1b1660f2ac2dcbd1c1de8277b0b0dd39b7e50d7d"),
        (1, "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213", "b3e2e340a117a499c6cf2398a19ee0d29cca2bb7404c73063382693bf66cb06c"),
        (64, "4eed7141ea4a5cd4b788606bd23f46e212af9cacebacdc7d1f4c6dc7f2511b98", "a5c4a7053fa86b64746d4bb688d06ad1f02a18fce9afd3e818fefaa7126bf73e"),
        (65, "de1e5fa0be70df6d2be8fffd0e99ceaa8eb6e8c93a63f2d8d1c30ecb6b263dee", "51fd05c3c1cfbc8ed67d139ad76f5cf8236cd2acd26627a30c104dfd9d3ff8a8"),
        (1023, "10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11", "74a16c1c3d44368a86e1ca6df64be6a2f64cce8f09220787450722d85725dea5"),
        (1024, "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7", "7356cd7720d5b66b6d0697eb3177d9f8d73a4a5c5e968896eb6a689684302706"),
        (1025, "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444", "effaa245f065fbf82ac186839a249707c3bddf6d3fdda22d1b95a3c970379bcb"),
        (2049, "5f4d72f40d7a5f82b15ca2b2e44b1de3c2ef86c426c95c1af0b6879522563030", "2ea477c5515cc3dd606512ee72bb3e0e758cfae7232826f35fb98ca1bcbdf273"),
        (3073, "7124b49501012f81cc7f11ca069ec9226cecb8a2c850cfe644e327d22d3e1cd3", "72613c9ec9ff7e40f8f5c173784c532ad852e827dba2bf85b2ab4b76f7079081"),
        (7169, "a003fc7a51754a9b3c7fae0367ab3d782dccf28855a03d435f8cfe74605e7817", "554b0a5efea9ef183f2f9b931b7497995d9eb26f5c5c6dad2b97d62fc5ac31d9"),
        (31744, "62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47", "39772aef80e0ebe60596361e45b061e8f417429d529171b6764468c22928e28e"),
        (102400, "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085", "4652cff7a3f385a6103b5c260fc1593e13c778dbe608efb092fe7ee69df6e9c6"),
    ]

    def test_published_vectors(self):
        for length, hashed, derived in self.VECTORS:
            data = bytes(i % 251 for i in range(length))
            self.assertEqual(blake3.hash_bytes(data).hex(), hashed, length)
            self.assertEqual(blake3.derive(self.CONTEXT, data).hex(), derived, length)

    def test_output_is_one_stream(self):
        data = bytes(i % 251 for i in range(1025))
        long = blake3.hash_bytes(data, 131).hex()
        self.assertEqual(
            long,
            "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444f4c4a22b4b399155358a994e52bf255de60035742ec7"
            "1bd08ac275a1b51cc6bfe332b0ef84b409108cda080e6269ed4b3e2c3f7d722aa4cdc98d16deb554e5627be8f955c98e1d5f9565a919"
            "4cad0c4285f93700062d9595adb992ae68ff12800ab67a",
        )


class Ristretto(unittest.TestCase):
    """RFC 9496, appendix A."""

    MULTIPLES = """
        0000000000000000000000000000000000000000000000000000000000000000
        e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76
        6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919
        94741f5d5d52755ece4f23f044ee27d5d1ea1e2bd196b462166b16152a9d0259
        da80862773358b466ffadfe0b3293ab3d9fd53c5ea6c955358f568322daf6a57
        e882b131016b52c1d3337080187cf768423efccbb517bb495ab812c4160ff44e
        f64746d3c92b13050ed8d80236a7f0007c3b3f962f5ba793d19a601ebb1df403
        44f53520926ec81fbd5a387845beb7df85a96a24ece18738bdcfa6a7822a176d
        903293d8f2287ebe10e2374dc1a53e0bc887e592699f02d077d5263cdd55601c
        02622ace8f7303a31cafc63f8fc48fdc16e1c8c8d234b2f0d6685282a9076031
        20706fd788b2720a1ed2a5dad4952b01f413bcf0e7564de8cdc816689e2db95f
        bce83f8ba5dd2fa572864c24ba1810f9522bc6004afe95877ac73241cafdab42
        e4549ee16b9aa03099ca208c67adafcafa4c3f3e4e5303de6026e3ca8ff84460
        aa52e000df2e16f55fb1032fc33bc42742dad6bd5a8fc0be0167436c5948501f
        46376b80f409b29dc2b5f6f0c52591990896e5716f41477cd30085ab7f10301e
        e0c418f7c8d9c4cdd7395b93ea124f3ad99021bb681dfc3302a9d99a2e53e64e
    """.split()
    INVALID = """
        00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
        ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
        f3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
        edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
        0100000000000000000000000000000000000000000000000000000000000000
        01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
        ed57ffd8c914fb201471d1c3d245ce3c746fcbe63a3679d51b6a516ebebe0e20
        c34c4e1826e5d403b78e246e88aa051c36ccf0aafebffe137d148a2bf9104562
        c940e5a4404157cfb1628b108db051a8d439e1a421394ec4ebccb9ec92a8ac78
        47cfc5497c53dc8e61c91d17fd626ffb1c49e2bca94eed052281b510b1117a24
        f1c6165d33367351b0da8f6e4511010c68174a03b6581212c71c0e1d026c3c72
        87260f7a2f12495118360f02c26a470f450dadf34a413d21042b43b9d93e1309
        26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371
        4eac077a713c57b4f4397629a4145982c661f48044dd3f96427d40b147d9742f
        de6a7b00deadc788eb6b6c8d20c0ae96c2f2019078fa604fee5b87d6e989ad7b
        bcab477be20861e01e4a0e295284146a510150d9817763caf1a6f4b422d67042
        2a292df7e32cababbd9de088d1d1abec9fc0440f637ed2fba145094dc14bea08
        f4a9e534fc0d216c44b218fa0c42d99635a0127ee2e53c712f70609649fdff22
        8268436f8c4126196cf64b3c7ddbda90746a378625f9813dd9b8457077256731
        2810e5cbc2cc4d4eece54f61c6f69758e289aa7ab440b3cbeaa21995c2f4232b
        d483fe813c6ba647ebbfd3ec41adca1c6130c2beeee9d9bf065c8d151c5f396e
        8a2e1d30050198c65a54483123960ccc38aef6848e1ec8f5f780e8523769ba32
        32888462f8b486c68ad7dd9610be5192bbeaf3b443951ac1a8118419d9fa097b
        227142501b9d4355ccba290404bde41575b037693cef1f438c47f8fbf35d1165
        5c37cc491da847cfeb9281d407efc41e15144c876e0170b499a96a22ed31e01e
        445425117cb8c90edcbc7c1cc0e74f747f2c1efa5630a967c64f287792a48a4b
        ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
    """.split()
    UNIFORM = [
        ("5d1be09e3d0c82fc538112490e35701979d99e06ca3e2b5b54bffe8b4dc772c14d98b696a1bbfb5ca32c436cc61c16563790306c79eaca7705668b47dffe5bb6", "3066f82a1a747d45120d1740f14358531a8f04bbffe6a819f86dfe50f44a0a46"),
        ("f116b34b8f17ceb56e8732a60d913dd10cce47a6d53bee9204be8b44f6678b270102a56902e2488c46120e9276cfe54638286b9e4b3cdb470b542d46c2068d38", "f26e5b6f7d362d2d2a94c5d0e7602cb4773c95a2e5c31a64f133189fa76ed61b"),
        ("8422e1bbdaab52938b81fd602effb6f89110e1e57208ad12d9ad767e2e25510c27140775f9337088b982d83d7fcf0b2fa1edffe51952cbe7365e95c86eaf325c", "006ccd2a9e6867e6a2c5cea83d3302cc9de128dd2a9a57dd8ee7b9d7ffe02826"),
        ("2cdc11eaeb95daf01189417cdddbf95952993aa9cb9c640eb5058d09702c74622c9965a697a3b345ec24ee56335b556e677b30e6f90ac77d781064f866a3c982", "80bd07262511cdde4863f8a7434cef696750681cb9510eea557088f76d9e5065"),
    ]

    def test_multiples_of_the_generator(self):
        point = group.IDENTITY
        for i, encoded in enumerate(self.MULTIPLES):
            self.assertEqual(group.encode(point).hex(), encoded)
            self.assertEqual(group.encode(group.multiply(i, group.BASE)).hex(), encoded)
            self.assertTrue(group.equal(group.decode(bytes.fromhex(encoded)), point))
            point = group.add(point, group.BASE)

    def test_invalid_encodings_are_refused(self):
        for encoded in self.INVALID:
            with self.assertRaises(group.Malformed, msg=encoded):
                group.decode(bytes.fromhex(encoded))

    def test_one_way_map(self):
        for uniform, encoded in self.UNIFORM:
            self.assertEqual(group.encode(group.from_uniform(bytes.fromhex(uniform))).hex(), encoded)

    def test_long_sums_agree_with_single_products(self):
        terms = [(pow(3, 100 + i, group.L), group.multiply(i + 2, group.BASE)) for i in range(70)]
        expected = sum(s * (i + 2) for i, (s, _) in enumerate(terms))
        self.assertTrue(group.equal(group.combine(terms), group.multiply(expected, group.BASE)))


class Ed25519(unittest.TestCase):
    """RFC 8032, section 7.1."""

    VECTORS = [
        ("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "", "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
        ("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72", "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
        ("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82", "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
    ]

    def test_published_vectors(self):
        for key, message, signature in self.VECTORS:
            key, message, signature = map(bytes.fromhex, (key, message, signature))
            self.assertTrue(group.verify_signature(key, message, signature))
            self.assertFalse(group.verify_signature(key, message + b"x", signature))
            for i in (0, 31, 32, 63):
                bad = bytearray(signature)
                bad[i] ^= 1
                self.assertFalse(group.verify_signature(key, message, bytes(bad)))

    def test_other_forms_of_a_signature_are_refused(self):
        key, message, signature = map(bytes.fromhex, self.VECTORS[1])
        s = int.from_bytes(signature[32:], "little") + group.L
        self.assertFalse(group.verify_signature(key, message, signature[:32] + s.to_bytes(32, "little")))
        small = bytes([1]) + bytes(31)
        self.assertFalse(group.verify_signature(small, message, small + bytes(32)))


class KnownAnswers(unittest.TestCase):
    """The table of docs/fair-play.md."""

    @classmethod
    def setUpClass(cls):
        text = DOCUMENT.read_text(encoding="utf-8")
        section = text[text.index("## Known answers") :]
        section = section[: section.index("\n## ", 5)]
        cls.answers = dict(re.findall(r"^\| `([^`]+)` \| [^|]+ \| `([^`]+)` \|$", section, re.MULTILINE))

    def expect(self, name, value):
        self.assertEqual(self.answers[name], value)

    def test_points(self):
        self.expect("face 0", group.encode(face_point(0)).hex())
        self.expect("face 109", group.encode(face_point(109)).hex())
        self.expect("H", group.encode(hash_to_group("shuffle H", b"")).hex())
        self.expect("h_0", group.encode(hash_to_group("shuffle h", u32(0))).hex())
        self.expect("h_1", group.encode(hash_to_group("shuffle h", u32(1))).hex())

    def test_transcript(self):
        transcript = Transcript("kat", b"ctx")
        transcript.append("x", b"abc")
        for name in ("challenge 1", "challenge 2"):
            self.expect(name, transcript.scalar("c").to_bytes(32, "little").hex())

    def test_generator(self):
        drbg = Drbg(b"seed", "label")
        self.expect("scalar", drbg.scalar().to_bytes(32, "little").hex())
        self.expect("below", " ".join(str(drbg.below(20)) for _ in range(8)))
        self.expect("perm", " ".join(map(str, Drbg(b"seed", "perm").perm(10))))

    def test_roll(self):
        phase = blake3.hash_bytes(b"event")
        h = hash_to_group("vrf", phase)
        values = [group.encode(group.multiply(k, h)) for k in (1, 2, 3)]
        self.expect("V_1", values[0].hex())
        dice = [Drbg(phase + b"".join(values), "roll").below(sides) + 1 for sides in (6, 20, 100)]
        self.expect("dice", " ".join(map(str, dice)))

    def test_equal_logs(self):
        y, a = (Point(group.multiply(k, group.BASE)) for k in (7, 11))
        d = Point(group.multiply(7, a.xyzt))
        proof = bytes.fromhex(self.answers["equal logs"])
        proofs.equal_logs("kat", b"ctx", y, [(a, d)], proof)
        for i in (0, 40):
            bad = bytearray(proof)
            bad[i] ^= 1
            with self.assertRaises(proofs.Invalid):
                proofs.equal_logs("kat", b"ctx", y, [(a, d)], bytes(bad))


if __name__ == "__main__":
    unittest.main()
