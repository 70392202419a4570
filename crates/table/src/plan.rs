//! Maps the awaited node to the contributions that each seat owes, for all games.
//!
//! It looks at the lock of a token, the owner of the zone where it lies *now*, and who is to learn it.

use crate::cards::{Cards, fair_seat, fair_seats};
use pentarchy_engine::{AnyPosition, Audience, Back, Chance, Node, Seat, SeatSet, Set, Side, Token};
use pentarchy_fair::Seats;

/// Which ciphertext of a token a lock is taken off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Cell {
    /// That on the table.
    Main(Token),
    /// That which only the seat that takes its lock off can open: the token itself or the seat's copy.
    Own(Token),
    /// The encrypted back.
    Back(Token),
    /// The copy that a reader made in the phase before.
    View(Token),
}

/// What a seat owes in a phase. Everything that is not there is empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Duty {
    /// A value for a roll.
    pub(crate) dice: bool,
    /// Ciphertexts to take the own lock off.
    pub(crate) strips: Vec<Cell>,
    /// Own private dice to open: a dice value for each.
    pub(crate) open_dice: Vec<Token>,
    /// Own tokens to put under other locks, each with the seats of these locks.
    pub(crate) lifts: Vec<(Token, Seats)>,
    /// Joint tokens to copy for oneself.
    pub(crate) views: Vec<Token>,
    /// To shuffle the pile of the step.
    pub(crate) mix: bool,
    /// Stand in for dropped seats: take their locks off these.
    pub(crate) stands: Vec<(u8, Vec<Cell>)>,
    /// Stand in for dropped seats: open their private dice.
    pub(crate) stand_dice: Vec<(u8, Vec<Token>)>,
    /// Stand in for dropped seats: give their values for the roll that was open.
    pub(crate) rolls: Vec<u8>,
    /// To act.
    pub(crate) act: bool,
    /// To sign the end, and publish keys if the table asks for them.
    pub(crate) close: bool,
}

impl Duty {
    /// Returns whether the seat owes nothing.
    fn is_empty(&self) -> bool {
        *self == Duty::default()
    }
}

/// The seats that owe something in a phase, in order.
pub(crate) type Due = Vec<(u8, Duty)>;

/// What is mixed in a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mix {
    pub(crate) tokens: Vec<Token>,
    /// Under whose locks.
    pub(crate) lock: Seats,
    /// Whether the backs can be opened alone afterwards.
    pub(crate) backed: bool,
    /// Who must have mixed.
    pub(crate) by: Seats,
}

/// What has to happen before the next step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Plan {
    /// One of the constants in [`kind`].
    pub(crate) kind: u8,
    /// The acting or rearranging seat, or 255 for none.
    pub(crate) actor: u8,
    pub(crate) phases: Vec<Due>,
    /// What is shuffled or rearranged; `None` if nothing is.
    pub(crate) mix: Option<Mix>,
}

/// The kinds of steps, as they go into the identifier.
pub(crate) mod kind {
    pub(crate) const DECIDE: u8 = 0;
    pub(crate) const DECLARE: u8 = 1;
    pub(crate) const ROLL: u8 = 2;
    pub(crate) const PICK: u8 = 3;
    pub(crate) const SHUFFLE: u8 = 4;
    pub(crate) const REARRANGE: u8 = 5;
    pub(crate) const REVEAL: u8 = 6;
    pub(crate) const OVER: u8 = 7;
    pub(crate) const DEPART: u8 = 8;
    pub(crate) const CAST: u8 = 9;
}

const NOBODY: u8 = u8::MAX;

/// What is owed, by seat.
struct Owed(Vec<Duty>);

impl Owed {
    /// Creates empty duties for 8 seats.
    fn new() -> Self {
        Owed(vec![Duty::default(); 8])
    }

    /// Returns the duty of a seat, to add to it. Seats are taken modulo 8.
    fn of(&mut self, seat: u8) -> &mut Duty {
        &mut self.0[usize::from(seat & 7)]
    }

    /// Returns the seats that owe something, with their duties, ascending.
    fn due(self) -> Due {
        (0..).zip(self.0).filter(|(_, duty)| !duty.is_empty()).collect()
    }
}

impl Plan {
    /// Returns whether the step is a joint roll of all live seats: a roll, pick or cast of the rules, or a
    /// roll that chooses for a bot.
    pub(crate) fn is_roll(&self) -> bool {
        self.phases.first().is_some_and(|due| due.iter().any(|(_, duty)| duty.dice))
    }

    /// Adds what completes a roll that was open when the seats `dropped` were dropped: each of `holders` (the
    /// seats that hold shares of their keys) that owes a value for the roll also stands in for them. If the
    /// roll is a cast that gives private dice to dropped seats, adds a second phase, in which the holders
    /// open these dice. Does nothing to a plan without phases.
    pub(crate) fn complete_roll(&mut self, rules: &dyn AnyPosition, holders: SeatSet, dropped: SeatSet) {
        let rolls: Vec<u8> = dropped.iter().map(|seat| seat.0).collect();
        let Some(due) = self.phases.first_mut() else { return };
        for (seat, duty) in due {
            if duty.dice && holders.has(Seat(*seat)) {
                duty.rolls.clone_from(&rolls);
            }
        }
        let Node::Chance(Chance::Cast { set, .. }) = rules.node() else { return };
        let tokens = rules.members(set);
        let owns = |seat: Seat, t: &Token| rules.token_info(*t).owner == Some(seat);
        let dice = |seat: Seat| (seat.0, tokens.iter().copied().filter(|t| owns(seat, t)).collect());
        let stand_dice = dropped.iter().map(dice).filter(|(_, dice): &(u8, Vec<Token>)| !dice.is_empty());
        let duty = Duty { stand_dice: stand_dice.collect(), ..Duty::default() };
        if !duty.is_empty() {
            self.phases.push(holders.iter().map(|seat| (seat.0, duty.clone())).collect());
        }
    }
}

/// The protocol has no procedure for what the rules ask for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the protocol has no way to do this: {0}")]
pub(crate) struct PlanError(pub(crate) String);

/// Returns the maximum number of phases of a step at a table of this size. A shuffle has one for each seat,
/// after one in which tokens are lifted; a rearrangement has four.
pub(crate) fn most_phases(seats: u8) -> u8 {
    (seats + 1).max(4)
}

/// Returns the plan for the node that the rules wait for in this position: who owes what, phase by phase. All
/// peers compute the same plan. `live` are the seats that were not dropped; bots play the others. `seq` is
/// the number of the step, which rotates the order of shuffles.
///
/// * A decision or declaration is owed by its seat, in one phase.
/// * A roll, a pick, a cast and the end are owed by all live seats, in one phase.
/// * A shuffle has one phase for lifts, if there are any, and one for each live seat.
/// * A rearrangement has one phase for lifts, if there are any, and one for its seat. Under a joint lock two
///   more follow, in which that seat copies the tokens and the others open the copies to it.
/// * A reveal has one phase, or two if a seat is shown tokens of which it has to make copies first.
/// * For a seat that a bot plays, the dice of all live seats choose. Its declarations and rearrangements need
///   no contribution.
///
/// # Errors
///
/// Fails if the ciphertexts of the tokens do not allow what the rules ask for.
pub(crate) fn plan(
    rules: &dyn AnyPosition,
    cards: &Cards,
    live: SeatSet,
    seq: u32,
) -> Result<Plan, PlanError> {
    let all = || live.iter().map(|seat| seat.0);
    let everybody = |duty: Duty| all().map(|seat| (seat, duty.clone())).collect::<Due>();
    let simple = |kind, actor, due| Plan { kind, actor, phases: vec![due], mix: None };
    let by_bot = |seat: u8| !live.has(Seat(seat));
    match rules.node() {
        // For a bot the dice choose, and its duties need no contribution.
        Node::Decide(seat) if by_bot(seat.0) => {
            Ok(simple(kind::DECIDE, seat.0, everybody(Duty { dice: true, ..Duty::default() })))
        }
        Node::Declare(seat) if by_bot(seat.0) => Ok(simple(kind::DECLARE, seat.0, Due::new())),
        Node::Rearrange { by, .. } if by_bot(by.0) => Ok(simple(kind::REARRANGE, by.0, Due::new())),
        Node::Decide(seat) => Ok(simple(kind::DECIDE, seat.0, acting(seat.0))),
        Node::Declare(seat) => Ok(simple(kind::DECLARE, seat.0, acting(seat.0))),
        Node::Chance(Chance::Roll { .. }) => {
            Ok(simple(kind::ROLL, NOBODY, everybody(Duty { dice: true, ..Duty::default() })))
        }
        Node::Chance(Chance::Pick { .. }) => {
            Ok(simple(kind::PICK, NOBODY, everybody(Duty { dice: true, ..Duty::default() })))
        }
        Node::Chance(Chance::Cast { .. }) => {
            Ok(simple(kind::CAST, NOBODY, everybody(Duty { dice: true, ..Duty::default() })))
        }
        Node::Over => Ok(simple(kind::OVER, NOBODY, everybody(Duty { close: true, ..Duty::default() }))),
        Node::Chance(Chance::Shuffle { pile }) => {
            let tokens = rules.members(Set::Zone(pile));
            let lock = fair_seats(live);
            let mut phases = lifts(cards, &tokens, lock)?;
            // The order rotates, so that no seat is always the last.
            let mut order: Vec<u8> = all().collect();
            let first = seq as usize % order.len().max(1);
            order.rotate_left(first);
            phases.extend(order.iter().map(|&seat| mixing(seat)));
            let backed = has_separate_backs(rules, cards, &tokens, lock);
            let mix = Mix { tokens, lock, backed, by: lock };
            Ok(Plan { kind: kind::SHUFFLE, actor: NOBODY, phases, mix: Some(mix) })
        }
        Node::Rearrange { set, by } => {
            let tokens = rules.members(set);
            let own = |t: &Token| {
                let slot = cards.slot(*t);
                slot.is_ok_and(|slot| slot.locks().is_empty() || slot.private_of(by.0).is_some())
            };
            let by_seat = Seats::one(fair_seat(by.0));
            let (lock, mut phases, backed) = if tokens.iter().all(own) {
                (by_seat, Vec::new(), false)
            } else {
                let lock = fair_seats(live);
                (lock, lifts(cards, &tokens, lock)?, has_separate_backs(rules, cards, &tokens, lock))
            };
            phases.push(mixing(by.0));
            if lock != by_seat {
                // The seat knows the order; this gives it ciphertexts that only it can open.
                phases.push(vec![(by.0, Duty { views: tokens.clone(), ..Duty::default() })]);
                let strips: Vec<Cell> = tokens.iter().map(|&t| Cell::View(t)).collect();
                let others = all().filter(|&seat| seat != by.0);
                let strip = |seat| (seat, Duty { strips: strips.clone(), ..Duty::default() });
                phases.push(others.map(strip).collect());
            }
            let mix = Mix { tokens, lock, backed, by: by_seat };
            Ok(Plan { kind: kind::REARRANGE, actor: by.0, phases, mix: Some(mix) })
        }
        Node::Reveal { set, to, side } => {
            let hidden: Vec<Token> =
                rules.members(set).into_iter().filter(|&t| rules.token_info(t).public.is_none()).collect();
            let phases = match (to, side) {
                (Audience::All, Side::Face) => reveal_to_all(rules, cards, &hidden, live)?,
                (Audience::Seat(seat), Side::Face) if by_bot(seat.0) => {
                    reveal_to_bot(rules, cards, &hidden, seat.0)?
                }
                (Audience::Seat(seat), Side::Face) => reveal_to(rules, cards, &hidden, seat.0)?,
                (_, Side::Back) => reveal_backs(rules, cards, &hidden)?,
            };
            Ok(Plan { kind: kind::REVEAL, actor: NOBODY, phases, mix: None })
        }
    }
}

/// Returns a phase in which this seat acts.
fn acting(seat: u8) -> Due {
    vec![(seat, Duty { act: true, ..Duty::default() })]
}

/// Returns a phase in which this seat shuffles the pile.
fn mixing(seat: u8) -> Due {
    vec![(seat, Duty { mix: true, ..Duty::default() })]
}

/// Returns the error that the protocol cannot do `what` (a verb phrase) with the token `t`.
fn no_way(what: &str, t: Token) -> PlanError {
    PlanError(format!("{what} {t}"))
}

/// Returns the phase in which owners re-encrypt (lift) those tokens of a pile for the locks `lock` that only
/// they can open, as a list with this one phase; an empty list if there are none. Tokens that are public or
/// under `lock` need nothing.
///
/// # Errors
///
/// Fails if a token has no ciphertext, or is under another joint lock, so that no seat can lift it.
fn lifts(cards: &Cards, tokens: &[Token], lock: Seats) -> Result<Vec<Due>, PlanError> {
    let mut owed = Owed::new();
    for &t in tokens {
        let main = cards.main(t).map_err(|_| no_way("mix", t))?;
        let locks = main.locks();
        if locks.is_empty() || locks == lock {
            continue;
        }
        let owner = main.private().ok_or_else(|| no_way("lift", t))?.owner();
        owed.of(owner.index()).lifts.push((t, lock));
    }
    let due = owed.due();
    Ok(if due.is_empty() { Vec::new() } else { vec![due] })
}

/// Returns whether a mixed pile gets backs that can be opened separately: the rules hide a back or the backs
/// differ, and all tokens have one that can be mixed under `lock`.
fn has_separate_backs(rules: &dyn AnyPosition, cards: &Cards, tokens: &[Token], lock: Seats) -> bool {
    let public = |t: &Token| {
        let fact = rules.token_info(*t);
        fact.public.map_or(fact.back, |f| rules.back_of(f))
    };
    let first = tokens.first().map(public);
    let told = tokens.iter().all(|t| Some(public(t)) == first && public(t) != Back::HIDDEN);
    !told && tokens.iter().all(|&t| cards.back(rules, t, lock).is_some())
}

/// Plans the reveal of hidden tokens to all seats, in one phase. The owner of a private die publishes its
/// value. The owner of the zone, if live and able to read the token, opens its private ciphertext. Otherwise
/// all seats of the lock take their locks off. A token without locks needs nothing.
///
/// # Errors
///
/// Fails if there is no such token, or it has no ciphertext, as a slip that was not laid.
fn reveal_to_all(
    rules: &dyn AnyPosition,
    cards: &Cards,
    hidden: &[Token],
    live: SeatSet,
) -> Result<Vec<Due>, PlanError> {
    let mut owed = Owed::new();
    for &t in hidden {
        let slot = cards.slot(t).map_err(|_| no_way("reveal", t))?;
        if let Some(die) = slot.die {
            owed.of(die.owner).open_dice.push(t);
            continue;
        }
        let owner = rules.token_info(t).owner.map(|seat| seat.0);
        let owner = owner.filter(|&seat| live.has(Seat(seat)) && slot.private_of(seat).is_some());
        match owner {
            Some(seat) => owed.of(seat).strips.push(Cell::Own(t)),
            None if slot.main.is_none() => return Err(no_way("reveal", t)),
            None => {
                for seat in slot.locks().iter() {
                    owed.of(seat.index()).strips.push(Cell::Main(t));
                }
            }
        }
    }
    Ok(vec![owed.due()])
}

/// Plans the reveal of hidden tokens to the live seat `reader` alone, in one or two phases. A token under the
/// lock of one seat is re-encrypted by that seat for the reader (a lift). Of a joint lock the other seats take
/// theirs off the token if the reader owns its zone; otherwise the reader makes a copy of it in the first phase
/// (a view), and they take their locks off the copy in the second. Skips tokens that the reader can read or
/// that have no locks.
///
/// # Errors
///
/// Fails if there is no such token, or it is a private die, which can be shown to all only.
fn reveal_to(
    rules: &dyn AnyPosition,
    cards: &Cards,
    hidden: &[Token],
    reader: u8,
) -> Result<Vec<Due>, PlanError> {
    let (mut first, mut second) = (Owed::new(), Owed::new());
    let to = Seats::one(fair_seat(reader));
    for &t in hidden {
        let fact = rules.token_info(t);
        let slot = cards.slot(t).map_err(|_| no_way("show", t))?;
        if fact.known.to(pentarchy_engine::Seat(reader)) || slot.private_of(reader).is_some() {
            continue;
        }
        if slot.die.is_some() {
            return Err(no_way("show one seat the die", t));
        }
        let locks = slot.locks();
        match locks.single() {
            Some(owner) => first.of(owner.index()).lifts.push((t, to)),
            None if locks.is_empty() => {}
            None if fact.owner.is_some_and(|seat| seat.0 == reader) => {
                for seat in locks.minus(to).iter() {
                    first.of(seat.index()).strips.push(Cell::Main(t));
                }
            }
            None => {
                first.of(reader).views.push(t);
                for seat in locks.minus(to).iter() {
                    second.of(seat.index()).strips.push(Cell::View(t));
                }
            }
        }
    }
    let second = second.due();
    Ok(if second.is_empty() { vec![first.due()] } else { vec![first.due(), second] })
}

/// Plans the reveal of hidden tokens to the dropped seat `reader`, which a bot plays, in one phase: all seats
/// whose locks are on a token take them off, so that all peers learn the face, because each of them runs the
/// bot. Skips tokens that the reader knows or all peers can read.
///
/// # Errors
///
/// Fails if there is no such token, or it is a private die, which can be shown to all only.
fn reveal_to_bot(
    rules: &dyn AnyPosition,
    cards: &Cards,
    hidden: &[Token],
    reader: u8,
) -> Result<Vec<Due>, PlanError> {
    let mut owed = Owed::new();
    for &t in hidden {
        let known = rules.token_info(t).known.to(pentarchy_engine::Seat(reader));
        if known || cards.open_face(t).is_some() {
            continue;
        }
        let slot = cards.slot(t).map_err(|_| no_way("show", t))?;
        if slot.die.is_some() {
            return Err(no_way("show one seat the die", t));
        }
        for seat in slot.locks().iter() {
            owed.of(seat.index()).strips.push(Cell::Main(t));
        }
    }
    Ok(vec![owed.due()])
}

/// Returns the plan of a takeover, which has one phase: the seats `holders` take the locks of the dropped
/// seats off all ciphertexts, and open what only these seats could read, their private dice included. The
/// phase is empty if there is nothing to open. The caller must make sure that the holders have shares of the
/// keys of the dropped seats.
pub(crate) fn departure(rules: &dyn AnyPosition, cards: &Cards, holders: SeatSet, dropped: SeatSet) -> Plan {
    let stands: Vec<(u8, Vec<Cell>)> = dropped
        .iter()
        .map(|Seat(seat)| (seat, departed_cells(rules, cards, seat)))
        .filter(|(_, cells)| !cells.is_empty())
        .collect();
    let stand_dice: Vec<(u8, Vec<Token>)> = dropped
        .iter()
        .map(|Seat(seat)| (seat, cards.dice_of(seat)))
        .filter(|(_, dice)| !dice.is_empty())
        .collect();
    let duty = Duty { stands, stand_dice, ..Duty::default() };
    let due =
        if duty.is_empty() { Due::new() } else { holders.iter().map(|s| (s.0, duty.clone())).collect() };
    Plan { kind: kind::DEPART, actor: NOBODY, phases: vec![due], mix: None }
}

/// Returns all ciphertexts with the lock of the seat `gone`, by ascending token: the token, its back, the
/// seat's own copy. Public tokens are skipped.
fn departed_cells(rules: &dyn AnyPosition, cards: &Cards, gone: u8) -> Vec<Cell> {
    let seat = fair_seat(gone);
    let mut cells = Vec::new();
    for t in (0..rules.token_count()).map(Token) {
        let Ok(slot) = cards.slot(t) else { continue };
        if rules.token_info(t).public.is_some() {
            continue;
        }
        if slot.locks().contains(seat) {
            cells.push(Cell::Main(t));
        }
        if slot.back.is_some_and(|back| back.locks().contains(seat)) {
            cells.push(Cell::Back(t));
        }
        if slot.copies.iter().any(|copy| copy.owner() == seat) && slot.locks().single() != Some(seat) {
            cells.push(Cell::Own(t));
        }
    }
    cells
}

/// Plans the reveal of the hidden backs of these tokens to all seats, in one phase: the seats whose locks are
/// on a back take them off. Backs that the rules show need nothing.
///
/// # Errors
///
/// Fails if a token has no back that can be opened.
fn reveal_backs(rules: &dyn AnyPosition, cards: &Cards, hidden: &[Token]) -> Result<Vec<Due>, PlanError> {
    let mut owed = Owed::new();
    for &t in hidden.iter().filter(|&&t| rules.token_info(t).back == Back::HIDDEN) {
        let slot = cards.slot(t).map_err(|_| no_way("open the back of", t))?;
        let back = slot.back.as_ref().ok_or_else(|| no_way("open the back of", t))?;
        for seat in back.locks().iter() {
            owed.of(seat.index()).strips.push(Cell::Back(t));
        }
    }
    Ok(vec![owed.due()])
}
