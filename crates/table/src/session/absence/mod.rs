//! Absence votes: how the peers agree to go on without seats that are late or have cheated.
//!
//! # The problem
//!
//! Every step of the log needs contributions of some seats. If one of them does not arrive, the table cannot tell a slow
//! player from one who has left, and different peers may have received different messages. The peers must agree which
//! seats to drop and after which step, although any message may be delayed. Otherwise two of them could continue with
//! different logs.
//!
//! # Terms
//!
//! | term | meaning |
//! | --- | --- |
//! | late | this peer's timeout for a seat has fired: the seat owes a contribution to the phase under way |
//! | voter | a live seat of a person. A machine has one vote: bots follow the vote of their host |
//! | proposal | a [`DropProposal`]: these seats, from this step of this epoch on, in this round |
//! | survivors | the voters that a proposal does not drop |
//! | vote, rejection | a signed statement for a proposal (`Drop`), or against it (`Reject`) |
//! | binding | a vote of this machine in the epoch under way that no survivor has rejected |
//! | quorum | *all* survivors, if they are a strict majority of the voters or all seats to drop are proved cheaters |
//! | settled | a proposal with a quorum of votes |
//! | dropped | a seat of a settled proposal; it never returns. Its machine is dropped as a whole |
//! | taken over | a dropped seat that a bot plays for all (module `takeover`) |
//!
//! # The protocol
//!
//! 1. *Timeout.* A peer that waits for longer than the table's time limit broadcasts a `Late` statement about each seat
//!    that is due. A player who is still there postpones the timeout (`Thinking`).
//! 2. *Proposal.* When a majority of the voters reports a seat as late, each of them asks its player. With the player's
//!    consent it votes to drop the seat. Proof of cheating needs neither timeout nor consent.
//! 3. *Voting.* A voter that has heard a majority joins it. A voter that has what the others lack rejects the proposal,
//!    and so does one that is bound to a conflicting proposal and has waited too long.
//! 4. *Rounds.* A rejected proposal can never be settled, so its voters are free again. They may vote for the same seats
//!    and step with a higher round number.
//! 5. *Decision.* A settled proposal ends the epoch. The survivors rewind their logs to its step and continue in the
//!    next epoch, or end the game.
//!
//! # Safety
//!
//! A voter with a binding vote is *frozen*: it accepts no contribution that would extend its log, and it votes only for
//! proposals that [supersede](DropProposal::supersedes) those it is bound to. It never acts on a superseded proposal. Two
//! quorums of an epoch are both majorities, so they share a survivor, and that survivor has voted for both. One proposal
//! therefore supersedes the other, and none of its survivors acts on the lesser one. So no two survivors continue with
//! different logs, however late messages are. A proved cheater may have shown different messages to different peers:
//! proposals against it cannot be rejected, and they rewind to the first step in which it cheated. If that is ahead of a
//! voter's log, the voter votes about the step under way, is frozen there, and cannot catch up. So the others vote about that
//! step, too, unless the voter has contributed to a later one. There is one exception to what cannot be rejected:
//! a survivor that has acted on a lesser proposal will never vote for this one. It rejects it for all rounds, and a voter
//! that has the votes for a lesser one is free to act on that.
//!
//! This holds for voters that do not contradict themselves. A voter that votes for a proposal at one peer and rejects it at
//! another can make two survivors act on different proposals; the table then stands still.
//!
//! A spectator has no vote, so it may hear the votes for the lesser proposal first and act on them. It rewinds to the end
//! of that epoch when it hears that the superseding proposal is settled, and follows the survivors again.

mod patience;
mod rewind;
mod voting;

pub(super) use patience::Patience;
pub(super) use rewind::OpenRoll;

use super::log::{ClosedStep, SeatDrop, SignedLog};
use super::misconduct::Misconduct;
use crate::descriptor::Descriptor;
use crate::record::Ending;
use crate::wire::{DropProposal, SignedStatement, Statement};
use pentarchy_engine::{Seat, SeatSet};

/// Maximum number of statements that are kept of one seat, besides those that this machine waits for.
const MAX_STATEMENTS: usize = 64;
/// Maximum number of rejections that this seat signs in one step.
const MAX_REJECTIONS: usize = 256;
/// The round in the rejection of a seat that will vote for a proposal in no round, because it has acted on another one.
/// No vote has this round.
const NO_ROUND: u8 = u8::MAX;

/// What this peer knows of late seats and of the votes about them.
pub(super) struct AbsenceVotes {
    /// Reports of late seats in the phase under way; votes and rejections of the epoch under way; the votes that settled
    /// earlier epochs; claims. About [`MAX_STATEMENTS`] of another seat.
    pub(super) statements: Vec<SignedStatement>,
    /// The seats for which this peer's timeout has fired since the last progress.
    pub(super) late: SeatSet,
    pub(super) patience: Patience,
    /// The claims against this seat that the caller knows: their authors and the seats that they name.
    pub(super) reported_claims: Vec<(u8, SeatSet)>,
}

/// Who votes, and where the log stands: what the voting rules read of a session.
#[derive(Clone, Copy)]
pub(super) struct Electorate<'a> {
    pub(super) descriptor: &'a Descriptor,
    /// This peer's seat; none for a spectator.
    pub(super) me: Option<u8>,
    pub(super) log: &'a SignedLog,
    pub(super) misconduct: &'a Misconduct,
    /// How the game ended for this peer.
    pub(super) ending: Option<Ending>,
}

/// The timeout of the round under way. It starts again with each accepted message and closed phase, with each own vote
/// that was not a mere answer, with a rejection after a timeout, and when the player wants to wait.
#[derive(Clone, Copy)]
pub(super) struct RoundTimer {
    /// Milliseconds since it started.
    pub(super) elapsed: u64,
    /// The time limit of the table, in milliseconds.
    pub(super) limit: u64,
}

/// What this seat does about a proposal that others have voted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// Nothing, for now or ever.
    Nothing,
    /// It votes for the proposal, if its player agrees.
    Vote,
    /// It rejects the proposal.
    Reject,
    /// It rejects the proposal, because the round has timed out, and restarts the timer.
    RejectAfterTimeout,
}

impl Electorate<'_> {
    /// Returns the set of this peer's seat alone, also if it was dropped; empty for a spectator.
    fn own_seat(&self) -> SeatSet {
        self.me.map_or(SeatSet::NONE, |seat| SeatSet::only(Seat(seat)))
    }

    /// Returns the live seats that have a vote.
    pub(super) fn voters(&self) -> SeatSet {
        self.log.live() & self.descriptor.voters()
    }

    /// Returns whether this peer has a vote: its seat is live, and a person's.
    pub(super) fn is_voter(&self) -> bool {
        self.voters().meets(self.own_seat())
    }

    /// Returns whether these seats contain a strict majority of the voters.
    fn is_majority(&self, seats: SeatSet) -> bool {
        2 * (seats & self.voters()).len() > self.voters().len()
    }

    /// Returns all seats of the machines of which a seat is proved to have cheated, also those that were dropped.
    pub(super) fn guilty(&self) -> SeatSet {
        self.descriptor.whole_machines(self.misconduct.seats)
    }

    /// Returns whether a proposal drops seats from the step under way of this peer's log on: it names this epoch, the
    /// number of this step and the head of this log.
    fn is_current(&self, proposal: &DropProposal) -> bool {
        let here = (self.log.epoch(), self.log.len(), self.log.head);
        (proposal.epoch, proposal.seq, proposal.prev) == here
    }

    /// Returns whether this peer's log agrees with that of a proposal up to the proposal's step; `false` if
    /// it has not got there.
    fn shares_history(&self, proposal: &DropProposal) -> bool {
        self.log.link(proposal.seq) == Some(proposal.prev)
    }

    /// Returns the end of an earlier epoch that a proposal supersedes, on this peer's history; always `None` for a seat. A
    /// voter that has acted on a proposal never votes for one that supersedes it, so only a spectator can have acted on
    /// votes that the survivors had superseded.
    fn superseded_end(&self, proposal: &DropProposal) -> Option<SeatDrop> {
        let end = self.log.end_of(proposal.epoch).filter(|_| self.me.is_none())?;
        let ended = DropProposal { seq: end.seq, seats: end.seats, ..*proposal };
        (proposal.supersedes(&ended) && self.shares_history(proposal)).then_some(end)
    }

    /// Returns whether this peer has acted on another proposal of the epoch: the epoch ended otherwise, or the game ended
    /// without other seats.
    fn has_acted_otherwise(&self, proposal: &DropProposal) -> bool {
        match (self.log.end_of(proposal.epoch), self.ending) {
            (Some(end), _) => (end.seq, end.seats) != (proposal.seq, proposal.seats),
            (None, Some(Ending::Dropped(seats))) => {
                proposal.epoch == self.log.epoch() && seats != proposal.seats && !seats.meets(self.own_seat())
            }
            (None, _) => false,
        }
    }

    /// Returns the step from which on these seats are to be dropped: the first in which one of them cheated, else the
    /// step under way. All survivors have the same log up to there.
    fn first_step_without(&self, seats: SeatSet) -> u32 {
        let cheated = self.misconduct.first_step(seats, self.log.epoch());
        cheated.unwrap_or(u32::MAX).min(self.log.len())
    }

    /// Returns whether the author of a vote may be frozen at the vote's step, and can only be joined there: a survivor that
    /// votes on this peer's history to drop live proved cheaters and nobody else, and has contributed to no later step.
    fn may_be_frozen_at(&self, vote: &DropProposal, author: u8) -> bool {
        let has_contributed = |step: &ClosedStep| step.messages.iter().any(|m| m.place.seat == author);
        let guilty = self.guilty() & self.log.live();
        vote.epoch == self.log.epoch()
            && self.shares_history(vote)
            && !vote.seats.is_empty()
            && guilty.has_all(vote.seats)
            && (self.voters() - guilty).has(Seat(author))
            && !self.log.steps.iter().skip(vote.seq as usize + 1).any(has_contributed)
    }
}

impl AbsenceVotes {
    /// Creates the state of a table with this many seats: no seat is late, and there are no votes.
    pub(super) fn new(seats: usize) -> Self {
        AbsenceVotes {
            statements: Vec::new(),
            late: SeatSet::NONE,
            patience: Patience::new(seats),
            reported_claims: Vec::new(),
        }
    }

    /// Returns the proposals that have a vote, in the order in which the votes came; one for each vote.
    fn proposals(&self) -> impl Iterator<Item = DropProposal> {
        self.statements.iter().filter_map(|signed| signed.statement.vote())
    }

    /// Returns the seats with a statement for which `of` returns `true`.
    fn authors(&self, of: impl Fn(&Statement) -> bool) -> SeatSet {
        self.statements
            .iter()
            .filter(|signed| of(&signed.statement))
            .map(|signed| Seat(signed.seat))
            .collect()
    }

    /// Returns the seats that have voted for a proposal.
    fn votes_for(&self, proposal: &DropProposal) -> SeatSet {
        self.authors(|statement| statement.vote() == Some(*proposal))
    }

    /// Returns whether a survivor of a proposal, which is a voter that it does not drop, has rejected it and so will
    /// not vote for it. Proposals against proved cheaters cannot be rejected in their round. A rejection for all
    /// rounds counts if a proposal that this one supersedes has a quorum: then there is another one to act on, and no
    /// friend of a cheater can keep it at the table.
    fn is_rejected(&self, proposal: &DropProposal, of: &Electorate<'_>) -> bool {
        let survivors = of.voters() - proposal.seats;
        let rejects =
            |rejected: DropProposal| self.authors(|s| *s == Statement::Reject(rejected)).meets(survivors);
        let has_lesser =
            || self.proposals().any(|other| proposal.supersedes(&other) && self.has_quorum(&other, of));
        !proposal.seats.meets(of.guilty()) && rejects(*proposal)
            || rejects(DropProposal { round: NO_ROUND, ..*proposal }) && has_lesser()
    }

    /// Returns whether all survivors have voted for a proposal, and are enough to settle it. Bots are dropped with their
    /// host, and all seats of the proposal must be live in its epoch. For a spectator, and a proposal that supersedes the
    /// end of its epoch at the same step, a majority of the voters that the epoch left is enough: they could drop the other
    /// seats in the next epoch.
    fn has_quorum(&self, proposal: &DropProposal, of: &Electorate<'_>) -> bool {
        let live = of.log.live_in(proposal.epoch);
        let voters = live & of.descriptor.voters();
        let survivors = voters - proposal.seats;
        let superseded = of.superseded_end(proposal).filter(|end| end.seq == proposal.seq);
        let left = superseded.map_or(voters, |end| voters - end.seats);
        live.has_all(proposal.seats)
            && proposal.seats == of.descriptor.whole_machines(proposal.seats) & live
            && !survivors.is_empty()
            && self.votes_for(proposal).has_all(survivors)
            && (2 * survivors.len() > left.len() || of.guilty().has_all(proposal.seats))
    }

    /// Returns the proposals to drop seats to which this machine is bound: those that it has voted for in the epoch
    /// under way and that no survivor has [rejected](Self::is_rejected). They are in the order in which the votes
    /// were signed: each supersedes those before it. The vote of a host binds the session of its bot, too. Empty for
    /// a spectator.
    pub(super) fn binding<'a>(&'a self, of: &'a Electorate<'a>) -> impl Iterator<Item = DropProposal> + 'a {
        let machine = of.me.map(|seat| of.descriptor.machine(seat));
        let own = self.statements.iter().filter(move |signed| Some(signed.seat) == machine);
        let votes = own.filter_map(|signed| signed.statement.vote());
        votes.filter(|vote| vote.epoch == of.log.epoch() && !self.is_rejected(vote, of))
    }

    /// Returns whether this machine is bound by a vote to drop seats (see [`Self::binding`]). Then it must not accept
    /// or sign contributions that extend its log until the vote is settled or rejected.
    pub(super) fn is_frozen(&self, of: &Electorate<'_>) -> bool {
        self.binding(of).next().is_some()
    }

    /// Returns the voters whose votes are missing for the last proposal to which this machine is
    /// [bound](Self::binding): those that it does not drop and that have not voted for it. Empty if this machine is
    /// not bound.
    pub(super) fn missing_votes(&self, of: &Electorate<'_>) -> SeatSet {
        match self.binding(of).last() {
            Some(vote) => of.voters() - vote.seats - self.votes_for(&vote),
            None => SeatSet::NONE,
        }
    }

    /// Returns whether this seat is a survivor of a proposal and can never vote for it: it has acted on another one, or its
    /// log has passed the proposal's step. A log that has passed the step in which a proved cheater cheated is rewound.
    pub(super) fn is_past(&self, proposal: &DropProposal, of: &Electorate<'_>) -> bool {
        let survives = (of.log.live() - proposal.seats).meets(of.own_seat());
        let passed = proposal.epoch == of.log.epoch()
            && proposal.seq < of.log.len()
            && !proposal.seats.meets(of.guilty());
        survives && (passed || of.has_acted_otherwise(proposal)) && of.shares_history(proposal)
    }

    /// Returns whether this peer has use for a statement where it stands. Chat always; reports of late seats and signs of
    /// activity in the phase under way (`phase`, `None` between steps); claims at a link of this log. Of votes and
    /// rejections, those of this epoch on this history, those that drop this peer's seat, those about a proposal that
    /// supersedes the end of an earlier epoch, and those that this seat rejects because it has passed them. Statements
    /// about places ahead are not kept: their authors send them again when this peer gets there.
    pub(super) fn concerns(
        &self,
        statement: &Statement,
        phase: Option<[u8; 32]>,
        of: &Electorate<'_>,
    ) -> bool {
        match statement {
            Statement::Chat { .. } => true,
            Statement::LateV1 { phase: at, .. }
            | Statement::Late { phase: at, .. }
            | Statement::Thinking { phase: at, .. } => phase == Some(*at),
            // A seat that was away may have gone on by itself before it hears of the claim.
            Statement::Claim { prev, .. } => of.log.find_link(prev).is_some(),
            Statement::DropV1(proposal) | Statement::Drop { proposal, .. } | Statement::Reject(proposal) => {
                let drops_me = proposal.seats.meets(of.own_seat());
                let here = proposal.epoch == of.log.epoch() && of.shares_history(proposal);
                let supersedes = of.superseded_end(proposal).is_some();
                proposal.epoch <= of.log.epoch()
                    && (drops_me || here || supersedes || self.is_past(proposal, of))
            }
        }
    }

    /// Returns whether there is room for a statement. Always for own statements. For those of another author:
    ///
    /// - a report of a late seat has room if that seat is live and the author has not reported it in this phase;
    /// - a claim has room if it is further in the log than the claim of the author that is kept, which
    ///   [`add`](Self::add) then replaces. A claim at a link that this log lacks has room only if nothing of the
    ///   author is kept;
    /// - a vote or rejection has room if fewer than [`MAX_STATEMENTS`] of the author are kept, not counting reports, or
    ///   if it is about a proposal that this machine has voted for: junk must not crowd out what it waits for.
    fn has_room(&self, signed: &SignedStatement, of: &Electorate<'_>) -> bool {
        if Some(signed.seat) == of.me {
            return true;
        }
        let others = || self.statements.iter().filter(|other| other.seat == signed.seat);
        let place = |statement: &Statement| of.log.find_link(statement.claimed_end()?);
        if signed.statement.claimed_end().is_some() {
            return others().all(|other| place(&other.statement) < place(&signed.statement));
        }
        let Some((phase, accused)) = signed.statement.late_seat() else {
            let counted = others().filter(|other| other.statement.late_seat().is_none());
            return counted.count() < MAX_STATEMENTS || self.is_awaited(&signed.statement, of);
        };
        let is_known = others().any(|other| other.statement.late_seat() == Some((phase, accused)));
        accused < 8 && of.log.live().has(Seat(accused)) && !is_known
    }

    /// Keeps a statement. A claim replaces the earlier one of its author. The caller must have checked the signature,
    /// that the statement is new, and that there [is room](Self::has_room).
    fn add(&mut self, signed: SignedStatement) {
        if signed.statement.claimed_end().is_some() {
            let is_replaced = |other: &SignedStatement| {
                other.seat == signed.seat && other.statement.claimed_end().is_some()
            };
            self.statements.retain(|other| !is_replaced(other));
        }
        self.statements.push(signed);
    }

    /// Returns whether a statement is a vote or a rejection about a proposal that this machine has voted for, in its round
    /// or for all rounds.
    fn is_awaited(&self, statement: &Statement, of: &Electorate<'_>) -> bool {
        let about = match statement {
            Statement::Reject(proposal) => Some(*proposal),
            other => other.vote(),
        };
        let Some(about) = about else { return false };
        let machine = of.me.map(|seat| of.descriptor.machine(seat));
        let own = self.statements.iter().filter(|signed| Some(signed.seat) == machine);
        let mut votes = own.filter_map(|signed| signed.statement.vote());
        votes.any(|vote| vote == about || about == DropProposal { round: NO_ROUND, ..vote })
    }

    /// Returns whether this seat may still sign a rejection of a proposal: it has a vote, has not rejected
    /// this proposal, and has signed fewer than [`MAX_REJECTIONS`].
    fn can_reject(&self, proposal: &DropProposal, of: &Electorate<'_>) -> bool {
        let is_own = |signed: &&SignedStatement| {
            Some(signed.seat) == of.me && matches!(signed.statement, Statement::Reject(_))
        };
        let own = self.statements.iter().filter(is_own);
        let known = own.clone().any(|signed| signed.statement == Statement::Reject(*proposal));
        of.is_voter() && !known && own.count() < MAX_REJECTIONS
    }

    /// Forgets late seats and the reports of them, signs of activity, and what the player was asked about
    /// late seats. Called when the table has made progress. Votes, rejections and claims stay.
    pub(super) fn restart(&mut self) {
        self.late = SeatSet::NONE;
        self.statements.retain(|signed| signed.statement.late_seat().is_none());
        self.patience.restart();
    }

    /// Forgets the votes of the current epoch about earlier steps, except those against proved cheaters, and
    /// all rejections about them. Called when a step is closed. A peer that is still bound by such a vote
    /// sends it again and gets a rejection.
    pub(super) fn forget_closed_steps(&mut self, log: &SignedLog, guilty: SeatSet) {
        let (epoch, seq) = (log.epoch(), log.len());
        self.statements.retain(|signed| match (signed.statement.vote(), &signed.statement) {
            (Some(vote), _) => vote.epoch != epoch || vote.seq >= seq || vote.seats.meets(guilty),
            (None, Statement::Reject(vote)) => vote.epoch != epoch || vote.seq >= seq,
            _ => true,
        });
    }

    /// Forgets everything except votes, and of the epoch of a settled proposal everything except the votes for it. A
    /// spectator keeps the votes for proposals that supersede it, too: they may still be settled.
    fn keep_settled(&mut self, settled: &DropProposal, is_spectator: bool) {
        let keeps = |vote: DropProposal| {
            let may_follow = is_spectator && vote.supersedes(settled);
            vote.epoch != settled.epoch || vote == *settled || may_follow
        };
        self.statements.retain(|signed| signed.statement.vote().is_some_and(keeps));
    }

    /// Returns the seats that this seat should vote to drop, all of them live: proved cheaters, and each seat
    /// that is late for this peer and that a majority of the voters reports as late in `phase`. A voter is
    /// *silent* about such a seat if it has not reported it and its own machine is not late. While a voter is
    /// silent, the late seat is not returned; after two time limits it is, together with the silent voters.
    /// Seats are returned with their whole machines. `phase` is the phase under way; without one only cheaters
    /// are returned.
    pub(super) fn seats_to_drop(
        &self,
        phase: Option<[u8; 32]>,
        timer: RoundTimer,
        of: &Electorate<'_>,
    ) -> SeatSet {
        let mut drop = of.guilty() & of.log.live();
        let Some(phase) = phase else { return drop };
        let late = self.late & of.log.live();
        let absent = of.descriptor.whole_machines(late);
        let may_still_report = timer.elapsed < 2 * timer.limit;
        for seat in late.iter() {
            let reported = of.voters() & self.authors(|s| s.late_seat() == Some((phase, seat.0)));
            let silent = of.voters() - absent - reported;
            if (silent.is_empty() || !may_still_report) && of.is_majority(reported) {
                drop |= of.descriptor.whole_machines(silent | SeatSet::only(seat));
            }
        }
        drop
    }

    /// Returns the vote that this seat should sign to drop `seats` and the seats of all its binding votes, in
    /// the first round that is not rejected. `None` if it has signed it, if it could not reach a quorum, if
    /// all rounds are rejected, or if the timer of a later round has run for less than half a time limit. It
    /// drops them from the earliest of these steps on: the first in which one of them cheated, the step under
    /// way, the steps of its binding votes, and each step at which another voter
    /// [may be frozen](Electorate::may_be_frozen_at) by its vote to drop some of the seats.
    pub(super) fn next_vote(
        &self,
        seats: SeatSet,
        timer: RoundTimer,
        of: &Electorate<'_>,
    ) -> Option<DropProposal> {
        let seats = self.binding(of).fold(seats, |seats, vote| seats | vote.seats);
        let others =
            self.statements.iter().filter_map(|signed| Some((signed.statement.vote()?, signed.seat)));
        let frozen =
            others.filter(|(vote, author)| seats.has_all(vote.seats) && of.may_be_frozen_at(vote, *author));
        let frozen_at = frozen.map(|(vote, _)| vote.seq).fold(of.first_step_without(seats), u32::min);
        let seq = self.binding(of).fold(frozen_at, |seq, vote| seq.min(vote.seq));
        let (prev, epoch) = (of.log.link(seq)?, of.log.epoch());
        let mut rounds = (0..u8::MAX).map(|round| DropProposal { prev, epoch, seq, seats, round });
        let proposal = rounds.find(|proposal| !self.is_rejected(proposal, of))?;
        let can_settle = of.is_majority(of.log.live() - seats) || of.guilty().has_all(seats);
        // Before the next round every peer gets time to hear what the others have.
        let too_soon = proposal.round > 0 && timer.elapsed < timer.limit / 2;
        let signed = self.votes_for(&proposal).meets(of.own_seat());
        (can_settle && !too_soon && !signed).then_some(proposal)
    }

    /// Decides how this seat answers a proposal that others have voted for. `Nothing` if the proposal is not
    /// about the step under way, drops this seat or a proved cheater, or was answered before. Otherwise
    /// `Vote` if a seat of the proposal owes something, a majority has voted for it and it supersedes all
    /// binding votes of this seat; `Reject` if none of its seats owes anything or it cannot reach a quorum;
    /// `RejectAfterTimeout` if `is_stuck`; else `Nothing`. `due` are the seats that owe a contribution now;
    /// `is_stuck` says that a binding vote of this seat has not been settled within two time limits.
    pub(super) fn answer(
        &self,
        proposal: &DropProposal,
        due: SeatSet,
        is_stuck: bool,
        of: &Electorate<'_>,
    ) -> Answer {
        let answered = |s: &Statement| s.vote() == Some(*proposal) || *s == Statement::Reject(*proposal);
        let exempt = (of.own_seat() & of.log.live()) | of.guilty();
        if !of.is_current(proposal)
            || proposal.seats.meets(exempt)
            || self.authors(answered).meets(of.own_seat())
        {
            return Answer::Nothing;
        }
        let lacks = due.meets(proposal.seats);
        if lacks
            && of.is_majority(self.votes_for(proposal))
            && self.binding(of).all(|own| proposal.supersedes(&own))
        {
            Answer::Vote
        } else if !lacks || self.cannot_reach_quorum(proposal, of) {
            Answer::Reject
        } else if is_stuck {
            Answer::RejectAfterTimeout
        } else {
            Answer::Nothing
        }
    }

    /// Returns whether a binding vote of this seat keeps a proposal from ever being settled: each drops a seat that the
    /// other keeps and the proposal has no majority yet, or all voters that it drops in addition have signed that vote.
    fn cannot_reach_quorum(&self, proposal: &DropProposal, of: &Electorate<'_>) -> bool {
        self.binding(of).any(|own| {
            let (beyond, short) = (proposal.seats - own.seats, own.seats - proposal.seats);
            let conflicts = !short.is_empty() && !of.is_majority(self.votes_for(proposal));
            let lost_voters = beyond & of.descriptor.voters();
            !beyond.is_empty() && (conflicts || self.votes_for(&own).has_all(lost_voters))
        })
    }

    /// Returns whether a proposal has a quorum, and this peer may act on it: it is dropped by it, or shares its history
    /// and is not bound by a proposal that supersedes it.
    ///
    /// A spectator also acts on a proposal of an earlier epoch that supersedes the one by which that epoch ended: all its
    /// survivors have voted for it, so none of them has acted on the lesser one.
    fn is_settled(&self, proposal: &DropProposal, of: &Electorate<'_>) -> bool {
        let may_act = || {
            of.superseded_end(proposal).is_some()
                || proposal.epoch == of.log.epoch()
                    && of.shares_history(proposal)
                    && !self.binding(of).any(|own| own.supersedes(proposal))
        };
        proposal.epoch <= of.log.epoch()
            && self.has_quorum(proposal, of)
            && (proposal.seats.meets(of.own_seat()) || may_act())
    }

    /// Returns the settled proposal on which this peer has to act; of several the one of the first epoch that supersedes
    /// the others. `None` if none is settled.
    pub(super) fn settled(&self, of: &Electorate<'_>) -> Option<DropProposal> {
        let settled = self.proposals().filter(|proposal| self.is_settled(proposal, of));
        settled.reduce(|one, two| if two.epoch < one.epoch || two.supersedes(&one) { two } else { one })
    }
}

#[cfg(test)]
mod tests;
