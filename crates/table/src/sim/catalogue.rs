//! The attack catalogue: every way to cheat that can be tried at a table, and how it must end.

use super::cheats::Kind;

/// What the catalogue says of a cheat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expect {
    /// Honest peers hold evidence against the cheater, and no other seat.
    Evidence,
    /// It is rejected at once and has no effect: the game is played to its end.
    Harmless,
    /// The cheater is late, and the others drop it.
    Stall,
    /// The table does not open, and there is evidence against the cheater.
    NotOpened,
}

/// One way to cheat.
#[derive(Clone, Copy, Debug)]
pub struct Cheat {
    /// Its name on the command line.
    pub name: &'static str,
    /// The rows of the catalogue.
    pub rows: &'static str,
    /// What the cheater does.
    pub what: &'static str,
    /// How it ends.
    pub expect: Expect,
    /// The fewest seats at a table at which it can be tried.
    pub seats: u8,
    /// Whether it needs hidden tokens.
    pub hidden: bool,
    pub(super) way: Way,
}

/// What a cheater does to the messages of its session. [`CHEATS`] describes each way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    Shuffle(Bend),
    Strip,
    ReplayOwn,
    ReplayOther,
    Dice,
    Die,
    TwoFaced,
    Rewind,
    Unheld,
    Illegal,
    OutOfTurn,
    Proof,
    FalseClaim,
    Digest,
    Leave,
    LeaveRoll,
    LeaveShuffle,
    TwoKeys,
    TwoSeals,
    Garbage,
    Flood,
    Malleable,
    Forge,
    Accuse,
    CopiedKey,
    ZeroKey,
    Silent,
    TwoTongued,
    Expel,
    RefuseOpen,
    RefuseAudit,
    WrongSeal,
    FalseComplaint,
    FalseStand,
}

impl Way {
    /// Returns whether a cheater of this way withholds contributions of this kind: `LeaveRoll` dice,
    /// `LeaveShuffle` shuffles, `RefuseOpen` strips of own ciphertexts, every other way the signature of the
    /// end. Call it only for the ways that withhold something.
    pub(super) fn keeps(self, kind: Option<Kind>) -> bool {
        match self {
            Way::LeaveRoll => kind == Some(Kind::Dice),
            Way::LeaveShuffle => kind == Some(Kind::Mix),
            Way::RefuseOpen => kind == Some(Kind::Open),
            _ => kind == Some(Kind::Close),
        }
    }
}

/// How a cheater changes the message of its shuffle after it has made the proof: exchanges the first two tokens, puts
/// the first one twice, cuts off the end, or changes the last byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bend {
    Swap,
    Double,
    Drop,
    Response,
}

/// All cheats of the catalogue.
pub const CHEATS: &[Cheat] = &[
    cheat("swap-cards", "1", "exchanges two cards after proving a shuffle", Way::Shuffle(Bend::Swap))
        .hidden(),
    cheat("double-card", "1", "puts one card twice into a shuffled pile", Way::Shuffle(Bend::Double))
        .hidden(),
    cheat("drop-card", "1", "leaves the last card out of a shuffled pile", Way::Shuffle(Bend::Drop)).hidden(),
    cheat("bend-proof", "2, 3, 4", "changes a response of a shuffle proof", Way::Shuffle(Bend::Response))
        .hidden(),
    cheat("old-proof", "5", "sends what it sent for an earlier step", Way::ReplayOwn).hidden(),
    cheat("borrowed-proof", "5", "sends another seat's contribution as its own", Way::ReplayOther).hidden(),
    cheat("false-share", "7", "takes its lock off with a wrong share", Way::Strip).hidden(),
    cheat("copied-key", "8", "brings another seat's lock key as its own, proof and all", Way::CopiedKey)
        .expect(Expect::NotOpened),
    cheat("zero-key", "8", "brings a zero lock key", Way::ZeroKey).expect(Expect::NotOpened),
    cheat("false-dice", "15", "sends a false value for a roll", Way::Dice),
    cheat("false-die", "36", "shows other faces of its private dice than it rolled", Way::Die).hidden(),
    cheat("rewind", "16", "takes its move back after sending it and makes another", Way::Rewind),
    cheat("leave-roll", "17", "keeps its part of a roll to itself", Way::LeaveRoll)
        .expect(Expect::Stall)
        .seats(3),
    cheat("leave-shuffle", "17", "keeps its part of a shuffle to itself", Way::LeaveShuffle)
        .expect(Expect::Stall)
        .seats(3)
        .hidden(),
    cheat("two-keys", "18", "sends different keys to different players", Way::TwoKeys)
        .expect(Expect::NotOpened),
    cheat("two-seals", "18", "seals different shares for different players", Way::TwoSeals)
        .expect(Expect::NotOpened)
        .seats(3),
    cheat("leave", "17c", "leaves in the middle of the game", Way::Leave).expect(Expect::Stall).seats(3),
    cheat("silent-friend", "17b", "neither confirms a stall nor brings the message", Way::Silent)
        .expect(Expect::Stall)
        .seats(5),
    cheat("two-faced", "18", "tells different players different moves", Way::TwoFaced),
    cheat("unheld-card", "20", "plays a token that is not its own", Way::Unheld).hidden(),
    cheat("false-claim", "21", "says of hidden cards what is not true, with forged proofs", Way::FalseClaim)
        .hidden(),
    cheat("bend-claim", "21, 22", "changes what it shows, seals or proves of hidden cards", Way::Proof)
        .hidden(),
    cheat("refuse-open", "23", "keeps shut what it has to open", Way::RefuseOpen)
        .expect(Expect::Stall)
        .seats(3)
        .hidden(),
    cheat("wrong-seal", "24", "seals a wrong share of its keys to a seat", Way::WrongSeal)
        .expect(Expect::NotOpened)
        .seats(3),
    cheat("false-stand-in", "24", "stands in wrongly for a seat that is gone", Way::FalseStand)
        .seats(4)
        .hidden(),
    cheat("false-complaint", "25", "complains about a share that is right", Way::FalseComplaint)
        .expect(Expect::NotOpened)
        .seats(3),
    cheat("other-rules", "26", "makes a move that the rules do not allow", Way::Illegal),
    cheat("out-of-turn", "19", "acts while another seat is to decide", Way::OutOfTurn),
    cheat("other-state", "26", "computes another state than everybody else", Way::Digest),
    cheat(
        "two-tongued",
        "34",
        "signs for some that a seat is out, and refuses it for others",
        Way::TwoTongued,
    )
    .expect(Expect::Harmless)
    .seats(4),
    cheat("expel", "27", "claims over and over that players stall who do not", Way::Expel)
        .expect(Expect::Harmless)
        .seats(3),
    cheat("garbage", "28", "sends bytes that are no messages", Way::Garbage).expect(Expect::Harmless),
    cheat("flood", "29", "repeats its messages over and over, and sends many for later places", Way::Flood)
        .expect(Expect::Harmless),
    cheat("other-signature", "30", "repeats messages with changed signatures", Way::Malleable)
        .expect(Expect::Harmless),
    cheat("refuse-audit", "32", "does not publish its keys after the game", Way::RefuseAudit)
        .expect(Expect::Stall)
        .seats(3),
    cheat("forge", "19", "sends moves in the name of others", Way::Forge).expect(Expect::Harmless),
    cheat("accuse", "19, 30", "accuses others with messages that prove nothing", Way::Accuse)
        .expect(Expect::Harmless),
];

/// Creates a cheat that must end with evidence, needs two seats and no hidden cards. `rows` are its rows of
/// the catalogue, `what` says what the cheater does.
const fn cheat(name: &'static str, rows: &'static str, what: &'static str, way: Way) -> Cheat {
    Cheat { name, rows, what, expect: Expect::Evidence, seats: 2, hidden: false, way }
}

impl Cheat {
    /// Returns the cheat with another expected end.
    const fn expect(mut self, expect: Expect) -> Self {
        self.expect = expect;
        self
    }

    /// Returns the cheat with another minimum number of seats.
    const fn seats(mut self, seats: u8) -> Self {
        self.seats = seats;
        self
    }

    /// Returns the cheat marked as one that needs hidden cards.
    const fn hidden(mut self) -> Self {
        self.hidden = true;
        self
    }

    /// Returns whether honest peers may have different histories until they compare them.
    pub fn splits(&self) -> bool {
        matches!(self.way, Way::TwoFaced | Way::Rewind)
    }

    /// Returns whether another seat has to leave before it can be tried.
    pub fn needs_leaver(&self) -> bool {
        matches!(self.way, Way::Silent | Way::TwoTongued | Way::FalseStand)
    }

    /// Returns whether the seats must publish their keys after the game for it.
    pub(super) fn needs_audit(&self) -> bool {
        self.way == Way::RefuseAudit
    }

    /// Returns the cheat with this name on the command line; `None` if there is none.
    pub fn find(name: &str) -> Option<&'static Cheat> {
        CHEATS.iter().find(|cheat| cheat.name == name)
    }
}
