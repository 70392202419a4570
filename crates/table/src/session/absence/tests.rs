//! The voting rules on their own: a table of five persons, or of some who host bots, and statements without signatures.

use super::*;
use crate::TablePlayer;
use crate::session::log::tests::numbered;
use crate::wire::{Anchor, Lateness, Place, Signed};

const LIMIT: u64 = 1000;
const PHASE: [u8; 32] = [77; 32];

/// A table with one seat for each host: `None` for a person, or the seat of the person who hosts a bot.
fn descriptor(hosts: &[Option<u8>]) -> Descriptor {
    let game = pentarchy_registry::find("ozymandias").unwrap();
    let player = |(i, host): (u8, &Option<u8>)| TablePlayer {
        identity: *pentarchy_fair::SigningSecret::new(pentarchy_fair::Entropy::new([i + 1; 32]))
            .public()
            .bytes(),
        name: String::new(),
        host: *host,
    };
    let players = (0..).zip(hosts).map(player).collect();
    Descriptor::new(game, &serde_json::json!({}), players, [9; 32]).unwrap()
}

/// A peer at a table of five seats with three closed steps.
struct Peer {
    descriptor: Descriptor,
    me: u8,
    log: SignedLog,
    misconduct: Misconduct,
    votes: AbsenceVotes,
}

impl Peer {
    fn new(me: u8) -> Self {
        Self::hosting(me, &[None; 5])
    }

    fn hosting(me: u8, hosts: &[Option<u8>]) -> Self {
        let (descriptor, log) = (descriptor(hosts), numbered(3));
        Peer { descriptor, me, log, misconduct: Misconduct::default(), votes: AbsenceVotes::new(5) }
    }

    fn electorate(&self) -> Electorate<'_> {
        let Peer { descriptor, me, log, misconduct, .. } = self;
        Electorate { descriptor, me: Some(*me), log, misconduct, ending: None }
    }

    /// A proposal about the step under way, in the first round.
    fn proposal(&self, seats: u8) -> DropProposal {
        let (prev, epoch, seq) = (self.log.head, self.log.epoch(), self.log.len());
        DropProposal { prev, epoch, seq, seats: SeatSet(seats), round: 0 }
    }

    fn say(&mut self, seat: u8, statement: Statement) {
        self.votes.statements.push(SignedStatement { seat, statement, signature: [0; 64].into() });
    }

    fn vote(&mut self, seats: &[u8], proposal: DropProposal) {
        for &seat in seats {
            self.say(seat, Statement::Drop { proposal, unreachable: SeatSet::NONE });
        }
    }

    fn report(&mut self, by: &[u8], accused: u8) {
        for &seat in by {
            self.say(seat, Statement::Late { phase: PHASE, accused, how: Lateness::Silent });
        }
    }

    fn convict(&mut self, seat: u8, seq: u32) {
        let place = Place { epoch: self.log.epoch(), seq, phase: 0, seat };
        let signed =
            Signed { place, anchor: Anchor::Phase([0; 32]), payload: Vec::new(), signature: [0; 64].into() };
        self.misconduct.seats.insert(Seat(seat));
        self.misconduct.proofs.push((place, vec![signed]));
    }

    fn to_drop(&self, elapsed: u64) -> SeatSet {
        self.votes.seats_to_drop(Some(PHASE), RoundTimer { elapsed, limit: LIMIT }, &self.electorate())
    }

    fn next_vote(&self, seats: u8, elapsed: u64) -> Option<DropProposal> {
        self.votes.next_vote(SeatSet(seats), RoundTimer { elapsed, limit: LIMIT }, &self.electorate())
    }

    fn answer(&self, proposal: &DropProposal, due: u8, is_stuck: bool) -> Answer {
        self.votes.answer(proposal, SeatSet(due), is_stuck, &self.electorate())
    }

    fn is_frozen(&self) -> bool {
        self.votes.is_frozen(&self.electorate())
    }

    fn settled(&self) -> Option<DropProposal> {
        self.votes.settled(&self.electorate())
    }
}

#[test]
fn a_late_seat_is_dropped_when_a_majority_reports_it() {
    let mut peer = Peer::new(0);
    peer.votes.late = SeatSet(0b10000);
    peer.report(&[0, 1], 4);
    assert_eq!(peer.to_drop(5 * LIMIT), SeatSet::NONE, "two of five");
    peer.report(&[2], 4);
    assert_eq!(peer.to_drop(LIMIT), SeatSet::NONE, "seat 3 may still report");
    assert_eq!(peer.to_drop(2 * LIMIT), SeatSet(0b11000), "seat 3 neither reports nor delivers");
    peer.report(&[3], 4);
    assert_eq!(peer.to_drop(LIMIT), SeatSet(0b10000));
    peer.votes.restart();
    assert_eq!(peer.to_drop(9 * LIMIT), SeatSet::NONE, "the contribution came");
}

#[test]
fn a_cheater_is_dropped_at_once_and_from_the_step_in_which_it_cheated() {
    let mut peer = Peer::new(0);
    peer.convict(4, 1);
    assert_eq!(peer.to_drop(0), SeatSet(0b10000));
    let vote = peer.next_vote(0b10000, 0).unwrap();
    assert_eq!((vote.seq, vote.prev), (1, [2; 32]));
    peer.say(1, Statement::Reject(vote));
    peer.vote(&[0], vote);
    assert!(peer.is_frozen(), "a vote against a cheater cannot be rejected");
}

#[test]
fn a_voter_joins_those_who_are_frozen_at_an_earlier_step_by_their_vote_against_a_cheater() {
    let mut peer = Peer::new(0);
    let at = |seq: u32, seats| DropProposal {
        prev: [seq as u8 + 1; 32],
        epoch: 0,
        seq,
        seats: SeatSet(seats),
        round: 0,
    };
    let seq = |peer: &Peer| peer.next_vote(0b11000, 0).map(|vote| (vote.seq, vote.seats.0));
    peer.convict(4, 9);
    peer.vote(&[1], at(1, 0b11000));
    assert_eq!(seq(&peer), Some((3, 0b11000)), "only one of them is proved to have cheated");
    peer.convict(3, 9);
    assert_eq!(seq(&peer), Some((1, 0b11000)));
    let signed = |seat| {
        let place = Place { epoch: 0, seq: 2, phase: 0, seat };
        Signed { place, anchor: Anchor::Phase([0; 32]), payload: Vec::new(), signature: [0; 64].into() }
    };
    peer.log.steps[2].messages.push(signed(1));
    assert_eq!(seq(&peer), Some((3, 0b11000)), "the voter was further");
    peer.vote(&[3], at(1, 0b10000));
    peer.vote(&[2], at(1, 0));
    peer.vote(&[2], DropProposal { prev: [99; 32], ..at(1, 0b10000) });
    peer.vote(&[2], DropProposal { epoch: 1, ..at(1, 0b10000) });
    assert_eq!(seq(&peer), Some((3, 0b11000)), "of a cheater, nobody, another history or another epoch");
    peer.vote(&[0], at(3, 0b11000));
    assert_eq!(seq(&peer), None, "it has signed this one");
    peer.vote(&[1], at(2, 0b10000));
    assert_eq!(seq(&peer), Some((2, 0b11000)), "it contributed to this step and no later one");
    peer.vote(&[0], at(2, 0b11000));
    assert_eq!(peer.votes.binding(&peer.electorate()).last(), Some(at(2, 0b11000)));
}

#[test]
fn a_machine_is_dropped_as_a_whole_and_has_one_vote() {
    let mut peer = Peer::hosting(0, &[None, None, None, Some(2), Some(2)]);
    assert_eq!(peer.electorate().voters(), SeatSet(0b00111));
    peer.votes.late = SeatSet(0b01000);
    peer.report(&[0, 1], 3);
    assert_eq!(peer.to_drop(LIMIT), SeatSet(0b11100));
    let part = peer.proposal(0b01000);
    peer.vote(&[0, 1, 2], part);
    assert_eq!(peer.settled(), None, "it names a part of a machine");
    let whole = peer.proposal(0b11100);
    peer.vote(&[0, 1], whole);
    assert_eq!(peer.settled(), Some(whole));
}

#[test]
fn a_bot_is_frozen_by_the_vote_of_its_host() {
    let mut peer = Peer::hosting(3, &[None, None, None, Some(2), Some(2)]);
    let proposal = peer.proposal(0b00001);
    peer.vote(&[1], proposal);
    assert!(!peer.is_frozen());
    peer.vote(&[2], proposal);
    assert!(peer.is_frozen() && !peer.electorate().is_voter());
}

#[test]
fn a_quorum_is_all_survivors_and_a_majority() {
    let mut peer = Peer::new(0);
    let proposal = peer.proposal(0b11000);
    peer.vote(&[0, 1], proposal);
    assert_eq!(peer.settled(), None, "a survivor has not voted");
    peer.vote(&[2], proposal);
    assert_eq!(peer.settled(), Some(proposal));
    let mut peer = Peer::new(0);
    let minority = peer.proposal(0b11100);
    peer.vote(&[0, 1], minority);
    assert_eq!(peer.settled(), None, "two survivors of five are no majority");
    assert_eq!(peer.next_vote(0b11100, LIMIT), None, "and it is not proposed");
    (2..5).for_each(|seat| peer.convict(seat, 3));
    assert_eq!(peer.settled(), Some(minority), "unless the others are proved to have cheated");
}

#[test]
fn a_proposal_about_another_history_is_not_settled() {
    let mut peer = Peer::new(0);
    let foreign = DropProposal { prev: [99; 32], ..peer.proposal(0b10000) };
    peer.vote(&[0, 1, 2, 3], foreign);
    assert_eq!(peer.settled(), None);
    let mut dropped = Peer::new(4);
    dropped.vote(&[0, 1, 2, 3], foreign);
    assert_eq!(dropped.settled(), Some(foreign), "a dropped seat need not share the history");
}

#[test]
fn a_rejection_frees_the_voters_for_the_next_round() {
    let mut peer = Peer::new(0);
    let first = peer.proposal(0b10000);
    peer.vote(&[0, 1], first);
    assert!(peer.is_frozen());
    assert_eq!(peer.next_vote(0b10000, LIMIT), None, "it has signed this one");
    peer.say(4, Statement::Reject(first));
    assert!(peer.is_frozen(), "the seat to drop has no say");
    peer.say(3, Statement::Reject(first));
    assert!(!peer.is_frozen());
    assert_eq!(peer.next_vote(0b10000, LIMIT / 2 - 1), None, "others may not have heard the rejection");
    assert_eq!(peer.next_vote(0b10000, LIMIT / 2), Some(DropProposal { round: 1, ..first }));
}

#[test]
fn a_bound_seat_votes_only_for_what_supersedes_its_vote() {
    let mut peer = Peer::new(0);
    let (small, other, large) = (peer.proposal(0b10000), peer.proposal(0b01000), peer.proposal(0b11000));
    peer.vote(&[0], small);
    assert_eq!(
        peer.next_vote(0b01000, LIMIT).map(|vote| vote.seats),
        Some(SeatSet(0b11000)),
        "it is extended"
    );
    peer.vote(&[1, 2, 4], other);
    assert_eq!(peer.answer(&other, 0b11000, false), Answer::Nothing, "it has a majority, but conflicts");
    assert_eq!(peer.answer(&other, 0b11000, true), Answer::RejectAfterTimeout);
    peer.vote(&[1, 2], large);
    assert_eq!(peer.answer(&large, 0b11000, false), Answer::Nothing, "no majority has voted for it");
    peer.vote(&[3], large);
    assert_eq!(peer.answer(&large, 0b11000, false), Answer::Vote);
    peer.vote(&[0], large);
    peer.vote(&[1, 2, 3], small);
    assert_eq!(peer.settled(), Some(large), "it never acts on the lesser of two settled proposals");
    // Its vote binds it before the larger proposal is settled, too.
    let mut peer = Peer::new(0);
    peer.vote(&[0, 1, 2, 3], small);
    assert_eq!(peer.settled(), Some(small));
    peer.vote(&[0], large);
    assert_eq!(peer.settled(), None);
}

#[test]
fn a_seat_that_lacks_nothing_rejects() {
    let mut peer = Peer::new(0);
    let proposal = peer.proposal(0b10000);
    peer.vote(&[1, 2, 3], proposal);
    assert_eq!(peer.answer(&proposal, 0b10000, false), Answer::Vote);
    assert_eq!(peer.answer(&proposal, 0b01000, false), Answer::Reject);
    assert_eq!(
        Peer::new(4).answer(&proposal, 0b01000, false),
        Answer::Nothing,
        "it is about this seat itself"
    );
    peer.say(0, Statement::Reject(proposal));
    assert_eq!(peer.answer(&proposal, 0b01000, false), Answer::Nothing, "once is enough");
    assert!(!peer.votes.can_reject(&proposal, &peer.electorate()));
}

#[test]
fn conflicting_proposals_that_cannot_reach_a_quorum_are_rejected() {
    let mut peer = Peer::new(0);
    let (own, other) = (peer.proposal(0b10000), peer.proposal(0b01000));
    peer.vote(&[0, 1], own);
    peer.vote(&[2], other);
    assert_eq!(peer.answer(&other, 0b11000, false), Answer::Reject, "each drops a seat that the other keeps");
    // A superset that drops only seats that have signed the smaller proposal: they will never be dropped by it.
    let wider = peer.proposal(0b10010);
    peer.vote(&[2], wider);
    assert_eq!(peer.answer(&wider, 0b10000, false), Answer::Reject);
    let undecided = peer.proposal(0b11000);
    peer.vote(&[2], undecided);
    assert_eq!(peer.answer(&undecided, 0b11000, false), Answer::Nothing, "seat 3 has signed nothing");
}

#[test]
fn votes_about_closed_steps_are_past() {
    let mut peer = Peer::new(0);
    let proposal = peer.proposal(0b10000);
    peer.vote(&[1], proposal);
    assert!(!peer.votes.is_past(&proposal, &peer.electorate()));
    peer.log.close([50; 32], Vec::new());
    assert!(peer.votes.is_past(&proposal, &peer.electorate()));
    let guilty = peer.electorate().guilty();
    peer.votes.forget_closed_steps(&peer.log, guilty);
    assert!(peer.votes.statements.is_empty());
    // In an epoch that ended otherwise, too.
    peer.log.begin_epoch(SeatSet(0b01000));
    assert!(
        peer.votes.is_past(&DropProposal { prev: peer.log.head, seq: 4, ..proposal }, &peer.electorate())
    );
    let ended_so = DropProposal { prev: peer.log.head, seq: 4, seats: SeatSet(0b01000), ..proposal };
    assert!(!peer.votes.is_past(&ended_so, &peer.electorate()));
}

#[test]
fn only_a_spectator_acts_on_a_proposal_that_supersedes_the_end_of_an_epoch() {
    let mut peer = Peer::new(0);
    let greater = peer.proposal(0b11100);
    let earlier = DropProposal { prev: peer.log.link(2).unwrap(), seq: 2, ..greater };
    peer.vote(&[0], greater);
    peer.log.begin_epoch(SeatSet(0b10000));
    let settled = |peer: &Peer| {
        let spectator = Electorate { me: None, ..peer.electorate() };
        (peer.settled(), peer.votes.settled(&spectator))
    };
    assert_eq!(settled(&peer), (None, None), "a survivor has not voted");
    peer.vote(&[1], greater);
    assert_eq!(settled(&peer), (None, None), "two are no majority of the four that the epoch left");
    (2..5).for_each(|seat| peer.misconduct.seats.insert(Seat(seat)));
    assert_eq!(settled(&peer), (None, Some(greater)), "unless the others are proved to have cheated");
    peer.misconduct.seats = SeatSet::NONE;
    let of_three = DropProposal { seats: SeatSet(0b11000), ..greater };
    peer.vote(&[0, 1, 2], of_three);
    assert_eq!(settled(&peer), (None, Some(of_three)));
    peer.log.drops[0].seats = SeatSet(0b01010);
    assert_eq!(settled(&peer), (None, None), "it keeps a seat that was dropped");
    peer.votes.statements.clear();
    peer.log.drops[0].seats = SeatSet(0b11000);
    peer.vote(&[0, 1], greater);
    assert_eq!(settled(&peer), (None, Some(greater)), "two of three could drop the third in the next epoch");
    peer.votes.statements.clear();
    peer.vote(&[0, 1], earlier);
    assert_eq!(settled(&peer), (None, None), "but without proof they cannot take steps back");
}

#[test]
fn a_voter_is_free_if_a_survivor_has_acted_on_a_lesser_proposal_against_cheaters() {
    let mut peer = Peer::new(0);
    (3..5).for_each(|seat| peer.convict(seat, 3));
    let (lesser, greater) = (peer.proposal(0b10000), peer.proposal(0b11000));
    let in_no_round = DropProposal { round: NO_ROUND, ..greater };
    peer.vote(&[0, 1, 2], lesser);
    peer.vote(&[0], greater);
    peer.say(1, Statement::Reject(in_no_round));
    assert_eq!((peer.settled(), peer.is_frozen()), (None, true), "no lesser proposal has a quorum");
    assert_eq!(peer.next_vote(0b11000, LIMIT), None, "it has signed the greater one");
    peer.votes.statements.retain(|signed| !matches!(signed.statement, Statement::Reject(_)));
    peer.vote(&[3], lesser);
    peer.say(1, Statement::Reject(greater));
    peer.say(3, Statement::Reject(in_no_round));
    assert_eq!(peer.settled(), None, "of one round, or of a seat that is to be dropped");
    peer.say(1, Statement::Reject(in_no_round));
    assert_eq!(peer.settled(), Some(lesser));
    // The survivor that has acted on it rejects the greater one, although it is against proved cheaters.
    let electorate = peer.electorate();
    assert!(!peer.votes.is_past(&greater, &electorate));
    let ended = Electorate { ending: Some(Ending::Dropped(lesser.seats)), ..electorate };
    assert!(peer.votes.is_past(&greater, &ended) && ended.has_acted_otherwise(&greater));
    peer.log.begin_epoch(lesser.seats);
    let electorate = peer.electorate();
    assert!(peer.votes.is_past(&greater, &electorate) && !peer.votes.is_past(&lesser, &electorate));
}

/// Adds a statement of a seat if there is room for it; returns whether there is.
fn hear(peer: &mut Peer, seat: u8, statement: Statement) -> bool {
    let signed = SignedStatement { seat, statement, signature: [0; 64].into() };
    let has_room = peer.votes.has_room(&signed, &peer.electorate());
    if has_room {
        peer.votes.add(signed);
    }
    has_room
}

#[test]
fn of_the_claims_of_a_seat_the_one_furthest_in_the_log_is_kept() {
    let mut peer = Peer::new(0);
    let links: Vec<[u8; 32]> = peer.log.steps.iter().map(|step| step.prev).chain([peer.log.head]).collect();
    let claim = |at: usize| Statement::Claim { prev: links[at], seats: SeatSet(0b100) };
    assert!(hear(&mut peer, 1, claim(1)) && hear(&mut peer, 3, claim(0)));
    assert!(!hear(&mut peer, 1, claim(0)) && !hear(&mut peer, 1, claim(1)));
    assert!(hear(&mut peer, 1, claim(3)) && !hear(&mut peer, 1, claim(2)));
    let kept: Vec<_> = peer.votes.statements.iter().map(|signed| (signed.seat, &signed.statement)).collect();
    assert_eq!(kept, [(3, &claim(0)), (1, &claim(3))]);
}

#[test]
fn statements_of_one_seat_are_bounded() {
    let mut peer = Peer::new(0);
    let junk = |peer: &Peer, round| Statement::Reject(DropProposal { round, ..peer.proposal(0b10000) });
    let mut added = 0;
    for round in 0..=u8::MAX {
        let statement = junk(&peer, round);
        added += usize::from(hear(&mut peer, 1, statement));
    }
    assert_eq!((added, peer.votes.statements.len()), (MAX_STATEMENTS, MAX_STATEMENTS));
    for accused in 0..=u8::MAX {
        for how in [Lateness::Silent, Lateness::Unreachable] {
            added += usize::from(hear(&mut peer, 1, Statement::Late { phase: PHASE, accused, how }));
        }
    }
    assert_eq!(added, MAX_STATEMENTS + 5, "one report of each seat");
}

#[test]
fn there_is_always_room_for_what_a_machine_waits_for() {
    let mut peer = Peer::new(0);
    let (mine, other) = (peer.proposal(0b10000), peer.proposal(0b11000));
    for round in 100..200 {
        hear(&mut peer, 1, Statement::Reject(DropProposal { round, ..other }));
    }
    let vote = |proposal| Statement::Drop { proposal, unreachable: SeatSet::NONE };
    assert!(!hear(&mut peer, 1, vote(mine)), "it has not voted for it");
    peer.vote(&[0], mine);
    assert!(hear(&mut peer, 1, vote(mine)) && hear(&mut peer, 1, Statement::Reject(mine)));
    assert!(hear(&mut peer, 1, Statement::Reject(DropProposal { round: NO_ROUND, ..mine })));
    assert!(!hear(&mut peer, 1, vote(other)) && !hear(&mut peer, 1, vote(DropProposal { round: 9, ..mine })));
    // What a seat has signed itself is never forgotten, also when it is read from the store.
    for round in 0..200 {
        assert!(hear(&mut peer, 0, Statement::Reject(DropProposal { round, ..other })));
    }
    assert!(hear(&mut peer, 0, vote(other)));
}
