//! Comparison of sessions that should have the same state: one restored from a snapshot, one from the whole log.

use crate::session::{PeerSession, TableState};

impl PeerSession {
    /// Returns whether this session was restored from a snapshot or has written one, and its log was not
    /// rewound since.
    pub(crate) fn is_shortened(&self) -> bool {
        self.storage.snapshots.latest.is_some()
    }

    /// Returns the first part in which this session differs from another one that should have the same state, in
    /// words (such as `the log`); `None` if in none. Compared are log, table, bots, step under way, own secrets,
    /// votes, proofs of cheating and entries; clocks, counters and connections are not.
    pub(crate) fn difference(&self, other: &Self) -> Option<&'static str> {
        let digest = |session: &Self| {
            let (rules, cards) = (session.state.rules.clone_box(), session.state.cards.clone());
            TableState { rules, cards }.digest()
        };
        let bots = |session: &Self| {
            let bots = session.takeover.seats.iter().map(|bot| (bot.seat, bot.rules.to_bytes()));
            bots.collect::<Vec<_>>()
        };
        let step = |session: &Self| {
            let step = session.step.as_ref();
            step.map(|step| (step.digest, step.id, step.phase, step.got.clone()))
        };
        let agreed = |session: &Self| {
            let takeover = (session.takeover.departing, session.takeover.open_roll);
            (session.log.drops.clone(), session.misconduct.seats, session.status, takeover)
        };
        let (log, others) = (&self.log, &other.log);
        let same = [
            ("the log", log.head == others.head && log.steps == others.steps),
            ("the digest of the table", digest(self) == digest(other)),
            ("what it knows", self.state.rules.to_bytes() == other.state.rules.to_bytes()),
            ("what bots know", bots(self) == bots(other)),
            ("the step under way", step(self) == step(other)),
            ("who plays", agreed(self) == agreed(other)),
            ("its own secrets", (&self.turn.made, &log.sealed) == (&other.turn.made, &others.sealed)),
            ("the votes", self.absence.statements == other.absence.statements),
            ("the proofs of cheating", self.misconduct.proofs == other.misconduct.proofs),
            ("the entries", log.entries == others.entries && log.open_choices == others.open_choices),
        ];
        same.into_iter().find(|(_, same)| !same).map(|(what, _)| what)
    }
}
