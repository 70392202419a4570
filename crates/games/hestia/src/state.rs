//! The public state: blocks, influence, and the agenda.

use crate::blocks::Unit;
use crate::cards::Card;
use crate::face::{Mode, Shown};
use crate::map::{Place, at};
use crate::options::Options;
use pentarchy_engine::{RuleError, Seat, SeatView, Stack, Sz, Token, Tokens, Zone};
use serde::{Deserialize, Serialize};

/// 172 tokens (two decks of 54, 62 blocks, two slips) in 126 zones.
pub type Size = Sz<172, 126>;

/// The number of the first block.
pub const FIRST_BLOCK: u16 = 108;

/// Lenisia.
pub const L: Seat = Seat(0);
/// Hathea.
pub const H: Seat = Seat(1);

/// Returns the zone of a seat's land units in a place; seas and boxes have one too. The place must exist and
/// the seat be 0 or 1.
pub const fn land(place: Place, seat: Seat) -> Zone {
    Zone(2 * place.0 + seat.0)
}

/// Returns the zone of a seat's ships in a sea or in the box of the Lenisian navy; `None` for other places.
pub fn ships(place: Place, seat: Seat) -> Option<Zone> {
    let harbour = match place {
        at::LNA => 7,
        sea if sea.is_sea() => sea.0 - at::S1.0,
        _ => return None,
    };
    Some(Zone(96 + 2 * harbour + seat.0))
}

/// Blocks that can be raised, face up.
pub const POOL: Zone = Zone(112);
/// Blocks that are gone for good.
pub const GONE: Zone = Zone(113);

/// Returns the zone of a seat's draw pile, face down. The seat must be 0 or 1.
pub const fn deck(seat: Seat) -> Zone {
    Zone(114 + seat.0)
}
/// Returns the zone of a seat's hand. The seat must be 0 or 1.
pub const fn hand(seat: Seat) -> Zone {
    Zone(116 + seat.0)
}
/// Returns the zone of a seat's discard pile. The seat must be 0 or 1.
pub const fn discard(seat: Seat) -> Zone {
    Zone(118 + seat.0)
}
/// Returns the zone of the card that a seat bids or leads with, at most one. The seat must be 0 or 1.
pub const fn lead(seat: Seat) -> Zone {
    Zone(120 + seat.0)
}
/// Returns the zone of the cards that a seat has played in this bid or battle, without the card that it leads
/// with now. The seat must be 0 or 1.
pub const fn played(seat: Seat) -> Zone {
    Zone(122 + seat.0)
}
/// Returns the zone of the slip that stands for a seat's sealed choice; it always holds exactly one token.
/// The seat must be 0 or 1.
pub const fn slip(seat: Seat) -> Zone {
    Zone(124 + seat.0)
}

/// Returns the other seat: 1 for 0 and 0 for 1; any other seat overflows.
pub const fn enemy(seat: Seat) -> Seat {
    Seat(1 - seat.0)
}

/// A game of The Hestian Civil Wars.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hestia {
    /// Options and tuning numbers, fixed during a game.
    pub(crate) settings: Options,
    /// The current year, from 1.
    pub(crate) year: u8,
    /// The last year, once the end has been triggered.
    pub(crate) last_year: Option<u8>,
    /// Number of extra years played after ties.
    pub(crate) extra: u8,
    /// The seat that won the last bid; Lenisia before the first.
    pub(crate) first: Seat,
    /// The seat whose turn it is, or was last.
    pub(crate) mover: Seat,
    /// The city-states with a face-down token of each seat, bit `i` for `CITIES[i]`.
    pub(crate) inactive: [u16; 2],
    /// The city-states with a face-up token of each seat, bit `i` for `CITIES[i]`.
    pub(crate) active: [u16; 2],
    /// The blocks that have moved or were raised this turn, a bit for each ([`Hestia::bit`]).
    pub(crate) moved: u64,
    /// Orders left; `None` for any number, and while no orders are given.
    pub(crate) orders: Option<u8>,
    /// Whether the mover has rallied; two cards allow only one rally.
    pub(crate) rallied: bool,
    /// The current or last army.
    pub(crate) army: Army,
    /// The additions in the current bid or clash.
    pub(crate) contest: Contest,
    /// The current or last battle.
    pub(crate) battle: Battle,
    /// What is still to be done; the top comes first.
    pub(crate) agenda: Stack<Task, 24>,
    /// All cards, blocks and slips: their zones, and who knows them.
    pub(crate) tokens: Tokens<Shown, Size>,
}

/// The army that is picked or marches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Army {
    /// Where it is.
    pub(crate) place: Place,
    /// Its blocks, a bit for each ([`Hestia::bit`]).
    pub(crate) blocks: u64,
    /// Spaces that it may still go; 0 until it is complete.
    pub(crate) spaces: u8,
    /// Why it may not move on.
    pub(crate) halt: Halt,
    /// It has made its forced march.
    pub(crate) forced: bool,
    /// It has made a step.
    pub(crate) stepped: bool,
}

/// Why an army may not move on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Halt {
    /// It may move on.
    #[default]
    None,
    /// A river or a landing: a forced march helps.
    Terrain,
    /// Enemies: nothing helps.
    Enemy,
}

/// The cards that were added to the leads in a bid or a clash, by seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Contest {
    /// Number of cards.
    pub(crate) added: [u8; 2],
    /// What they add to the score.
    pub(crate) bonus: [u8; 2],
}

/// The current battle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Battle {
    /// Where it is.
    pub(crate) place: Place,
    /// The attacker, who is the mover.
    pub(crate) attacker: Seat,
    /// What each seat does in this clash; `None` before the choices are public, and for a side that has none.
    pub(crate) mode: [Option<Mode>; 2],
    /// The dice of this clash by seat; 0 before they are rolled.
    pub(crate) dice: [u8; 2],
    /// Strength that each seat has still to lose.
    pub(crate) due: [u8; 2],
    /// Cards played in this battle.
    pub(crate) cards: [u8; 2],
    /// Land units destroyed in this battle.
    pub(crate) destroyed: u8,
    /// Where the retreating army has come.
    pub(crate) at: Place,
    /// How many spaces it still has to go.
    pub(crate) left: u8,
    /// Where it has been, bit `n` for place `n`.
    pub(crate) trail: u64,
}

/// An entry of the agenda. Tasks that need no event are performed at the end of `apply`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Task {
    /// The game is over.
    #[default]
    Over,
    /// A draw pile is shuffled.
    Shuffle(Seat),
    /// A seat draws this number of cards.
    Draw(Seat, u8),
    /// A seat sees its hand.
    Learn(Seat),
    /// The seat discards half of its hand; this number of cards is left to choose.
    Half(Seat, u8),
    /// The discard of half of a hand begins.
    BeginHalf(Seat),
    /// The seat with the greater influence draws a card more.
    ExtraCard,
    /// The seat bids a card for the first turn.
    Bid(Seat),
    /// The bids become public.
    OpenLeads,
    /// The seat may add cards to its lead.
    Add(Seat),
    /// The bid is decided.
    SettleBid,
    /// The turn of a seat begins.
    Turn(Seat),
    /// The seat chooses how many cards to spend on movement.
    Cards(Seat),
    /// The seat chooses a card to spend; this number is left.
    Pay(Seat, u8),
    /// The seat may put cards away for new ones; this number has been put away.
    Swap(Seat, u8),
    /// The seat gives orders.
    Orders(Seat),
    /// The ships (`true`) or land units that may join the army are marked to be permuted.
    PrepareMix(Seat, bool),
    /// The seat permutes the marked blocks.
    Mix(Seat),
    /// The seat picks the blocks of the army.
    Pick(Seat),
    /// The army marches.
    March(Seat),
    /// The next battle of the attacker begins, if there is one.
    NextBattle(Seat),
    /// The attacker chooses the next battle.
    ChooseBattle(Seat),
    /// The blocks in the battle become public.
    Muster,
    /// A clash begins.
    Clash,
    /// The seat makes its sealed choice.
    Choose(Seat),
    /// The defender plays a card against an attacker without cards.
    Duty(Seat),
    /// The sealed choices become public.
    OpenModes,
    /// The marked cards, which fight, become public.
    ShowLeads,
    /// The dice are pushed.
    Dice,
    /// A die of this seat; this number is left, it included.
    Roll(Seat, u8),
    /// The clash is scored.
    Score,
    /// The seat chooses which blocks lose the strength that is due.
    Loss(Seat),
    /// The seat chooses a block that regains 1 strength.
    Heal(Seat),
    /// The battle goes on or ends.
    AfterClash,
    /// The winner drives the retreating army on by a space.
    Flee(Seat),
    /// The seat chooses where its army withdraws.
    Withdraw(Seat),
    /// The battle ends.
    EndBattle,
    /// Tokens become active.
    Influence,
    /// The year ends.
    EndYear,
    /// All blocks become public, for the comparison of strength.
    Count,
    /// The strengths of both sides are compared.
    Judge,
}

impl Hestia {
    // --- blocks

    /// Returns the bit of a block in a mask of blocks. The token must be a block or slip: a number below
    /// `FIRST_BLOCK` overflows.
    pub(crate) const fn bit(t: Token) -> u64 {
        1 << (t.0 - FIRST_BLOCK)
    }

    /// Returns how many land units a seat has in a place, hidden ones included.
    #[inline]
    pub fn land_units(&self, place: Place, seat: Seat) -> usize {
        self.tokens.len(land(place, seat))
    }

    /// Returns how many ships a seat has in a place; 0 where ships cannot be.
    #[inline]
    pub fn ship_count(&self, place: Place, seat: Seat) -> usize {
        ships(place, seat).map_or(0, |zone| self.tokens.len(zone))
    }

    /// Iterates over the ships (`naval`) or the land units of a seat in a place, hidden ones included. Empty
    /// where ships cannot be.
    pub(crate) fn blocks(&self, place: Place, seat: Seat, naval: bool) -> impl Iterator<Item = Token> + '_ {
        let zone = if naval { ships(place, seat) } else { Some(land(place, seat)) };
        zone.into_iter().flat_map(|z| self.tokens.iter(z))
    }

    /// Returns whether a block has not moved (or been raised) this turn. The token must be a block; this is
    /// not checked.
    #[inline]
    pub(crate) fn is_fresh(&self, t: Token) -> bool {
        self.moved & Self::bit(t) == 0
    }

    /// Returns the kind and strength of a public block; the strength of ships is 0.
    ///
    /// # Errors
    ///
    /// Fails if the token is hidden or no block.
    pub(crate) fn block(&self, t: Token) -> Result<(Unit, u8), RuleError> {
        self.tokens.face(t)?.block().ok_or(RuleError::of("this is no block", t))
    }

    /// Returns the card of a public token.
    ///
    /// # Errors
    ///
    /// Fails if the token is hidden or no card.
    pub(crate) fn card(&self, t: Token) -> Result<Card, RuleError> {
        self.tokens.face(t)?.card().ok_or(RuleError::of("this is no card", t))
    }

    // --- influence

    /// Returns whether a seat has an active token in a place; `false` if it is no city-state.
    #[inline]
    pub fn is_active(&self, place: Place, seat: Seat) -> bool {
        place.city().is_some_and(|c| self.active[seat.index()] >> c & 1 != 0)
    }

    /// Returns whether a seat has a token in a place, active or not; `false` if it is no city-state.
    pub fn has_token(&self, place: Place, seat: Seat) -> bool {
        let all = self.active[seat.index()] | self.inactive[seat.index()];
        place.city().is_some_and(|c| all >> c & 1 != 0)
    }

    /// Returns how many tokens a seat has placed, active or not; 0 to 14.
    pub(crate) fn placed(&self, seat: Seat) -> u8 {
        (self.active[seat.index()] | self.inactive[seat.index()]).count_ones() as u8
    }

    /// Returns how many active tokens a seat has, which is its score.
    pub fn active_count(&self, seat: Seat) -> u8 {
        self.active[seat.index()].count_ones() as u8
    }

    /// Returns whether the river between `a` and `b` is open to a seat like a plain border: they are Maudret
    /// and Zekula, in any order, and the seat has an active token in both.
    pub(crate) fn is_bridged(&self, a: Place, b: Place, seat: Seat) -> bool {
        let bridge = [at::MAU, at::ZEK];
        bridge.contains(&a) && bridge.contains(&b) && bridge.iter().all(|&p| self.is_active(p, seat))
    }

    // --- lists

    /// Calls `out` for the first token of each different face among `tokens`, in their order. A token that
    /// the viewing seat does not know counts as different from all others.
    pub(crate) fn each_kind(
        &self,
        own: &SeatView<'_, Self>,
        tokens: impl Iterator<Item = Token>,
        out: &mut impl FnMut(Token),
    ) {
        let mut seen = 0u128;
        for t in tokens {
            let bit = own.face(t).map_or(0, |f| 1u128 << pentarchy_engine::Face::index(f));
            if bit == 0 || seen & bit == 0 {
                seen |= bit;
                out(t);
            }
        }
    }

    /// Returns the task on top of the agenda; `Over` if the agenda is empty.
    #[inline]
    pub(crate) fn step(&self) -> Task {
        self.agenda.top().unwrap_or(Task::Over)
    }

    /// Pushes a task. The task to do first is pushed last.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(crate) fn push_task(&mut self, task: Task) -> Result<(), RuleError> {
        self.agenda.push(task)
    }

    /// Pushes several tasks, given in the order in which they are to be done.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(crate) fn push_tasks(&mut self, steps: &[Task]) -> Result<(), RuleError> {
        steps.iter().rev().try_for_each(|&step| self.push_task(step))
    }
}
