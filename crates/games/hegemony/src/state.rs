//! The public state: who has how many points, whose marks lie where, and what is to happen next.

use crate::agenda::Step;
use crate::cards::{CARDS, Card, Category, KINDS};
use crate::options::{Options, Stats, Tuning, TurnOrder};
use pentarchy_engine::{Face, OptionsError, Seat, Seats, Stack, Sz, Token, Tokens, Zone};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The most players.
pub const MOST_SEATS: usize = 6;
/// The most slots of a player that tuning allows.
pub const MOST_SLOTS: u8 = 6;
/// The most slots of the Empire that tuning allows.
pub const MOST_EMPIRE_SLOTS: u8 = 12;
/// The most cards in a game: 169 and 16 for each player, with the numbers of the rules.
pub const TOKENS: usize = 265;
/// How many zones there are.
pub const ZONES: usize = FIRST_OF_PLAYERS as usize + MOST_SEATS * PER_PLAYER as usize;

/// How many cards and places there are.
pub type Size = Sz<TOKENS, ZONES>;

/// A player, or the Empire.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Side(pub u8);

impl Side {
    /// The United Empire.
    pub const EMPIRE: Side = Side(MOST_SEATS as u8);

    /// Whether this is the Empire.
    #[inline]
    pub const fn is_empire(self) -> bool {
        self.0 == Side::EMPIRE.0
    }

    /// The seat, unless this is the Empire.
    #[inline]
    pub const fn seat(self) -> Option<Seat> {
        if self.is_empire() { None } else { Some(Seat(self.0)) }
    }

    /// The side as an index into an array by side.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<Seat> for Side {
    #[inline]
    fn from(seat: Seat) -> Self {
        Side(seat.0)
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.seat() {
            Some(seat) => seat.fmt(f),
            None => f.write_str("e"),
        }
    }
}

/// The deck that feeds the common pool.
pub const POOL_DECK: Zone = Zone(0);
/// The cards for sale this round.
pub const COMMON: Zone = Zone(1);
/// What will be shuffled into the pool deck when it is empty.
pub const POOL_DISCARD: Zone = Zone(2);
/// Cards outside the game, for promotions.
pub const RESERVE: Zone = Zone(3);
/// The two cards that an Offer is about to exchange: the one taken, then the one given.
pub const ASIDE: Zone = Zone(4);
const EMPIRE_DECK: u8 = 5;
const EMPIRE_DISCARD: u8 = 6;
const FIRST_EMPIRE_SLOT: u8 = 7;
const FIRST_OF_PLAYERS: u8 = FIRST_EMPIRE_SLOT + MOST_EMPIRE_SLOTS;
const PER_PLAYER: u8 = 3 + MOST_SLOTS;

const fn of_player(seat: u8, what: u8) -> Zone {
    Zone(FIRST_OF_PLAYERS + seat * PER_PLAYER + what)
}

/// A side's draw deck.
#[inline]
pub const fn deck(side: Side) -> Zone {
    if side.is_empire() { Zone(EMPIRE_DECK) } else { of_player(side.0, 0) }
}

/// A side's discard pile.
#[inline]
pub const fn discard(side: Side) -> Zone {
    if side.is_empire() { Zone(EMPIRE_DISCARD) } else { of_player(side.0, 1) }
}

/// A player's hand.
#[inline]
pub const fn hand(seat: Seat) -> Zone {
    of_player(seat.0, 2)
}

/// A slot of a side.
#[inline]
pub const fn slot(side: Side, i: u8) -> Zone {
    if side.is_empire() { Zone(FIRST_EMPIRE_SLOT + i) } else { of_player(side.0, 3 + i) }
}

/// What a zone is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The pool deck, the common pool, the pool discard, the reserve, or the cards aside.
    Table,
    /// A side's deck.
    Deck(Side),
    /// A side's discard pile.
    Discard(Side),
    /// A player's hand.
    Hand(Seat),
    /// A slot of a side.
    Slot(Side, u8),
}

/// What this zone is.
#[inline]
pub const fn place(zone: Zone) -> Place {
    match zone.0 {
        EMPIRE_DECK => Place::Deck(Side::EMPIRE),
        EMPIRE_DISCARD => Place::Discard(Side::EMPIRE),
        z if z < FIRST_EMPIRE_SLOT => Place::Table,
        z if z < FIRST_OF_PLAYERS => Place::Slot(Side::EMPIRE, z - FIRST_EMPIRE_SLOT),
        z => {
            let (seat, what) = ((z - FIRST_OF_PLAYERS) / PER_PLAYER, (z - FIRST_OF_PLAYERS) % PER_PLAYER);
            match what {
                0 => Place::Deck(Side(seat)),
                1 => Place::Discard(Side(seat)),
                2 => Place::Hand(Seat(seat)),
                i => Place::Slot(Side(seat), i - 3),
            }
        }
    }
}

/// What people call a zone.
pub(crate) fn zone_name(zone: Zone) -> String {
    match (zone, place(zone)) {
        (POOL_DECK, _) => "pool deck".to_string(),
        (COMMON, _) => "common pool".to_string(),
        (POOL_DISCARD, _) => "pool discard".to_string(),
        (RESERVE, _) => "reserve".to_string(),
        (_, Place::Table) => "aside".to_string(),
        (_, Place::Deck(side)) => format!("deck {side}"),
        (_, Place::Discard(side)) => format!("discard {side}"),
        (_, Place::Hand(seat)) => format!("hand {seat}"),
        (_, Place::Slot(side, i)) => format!("slot {side} {i}"),
    }
}

/// A number for each card, in the order of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PerCard([u8; KINDS]);

impl PerCard {
    fn of(stats: &[Stats; KINDS], number: impl Fn(&Stats) -> i32) -> Self {
        PerCard(std::array::from_fn(|i| number(&stats[i]) as u8))
    }

    #[inline]
    pub(crate) fn get(&self, card: Card) -> i32 {
        i32::from(self.0[card as usize])
    }
}

impl Serialize for PerCard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0)
    }
}

impl<'de> Deserialize<'de> for PerCard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = Vec::<u8>::deserialize(deserializer)?;
        let wrong = |list: Vec<u8>| serde::de::Error::invalid_length(list.len(), &"a number for each card");
        list.try_into().map(PerCard).map_err(wrong)
    }
}

/// The rules of this very game: options and tuning in the form in which play needs them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rules {
    pub(crate) only_one: bool,
    pub(crate) fixed_order: bool,
    pub(crate) plunder: bool,
    pub(crate) postwar_income: bool,
    pub(crate) last_round: u16,
    pub(crate) cost: PerCard,
    pub(crate) attack: PerCard,
    pub(crate) defence: PerCard,
    pub(crate) n: Tuning,
}

/// What belongs to one player besides cards and points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Player {
    /// Slots under Sanctions, one bit each.
    pub(crate) sanctions: u8,
    /// Slots whose Diplomacy card lies face down, one bit each.
    pub(crate) down: u8,
    /// Trade cards are off in the next own turn.
    pub(crate) embargo: bool,
    /// Diplomacy cards are off in the next own turn.
    pub(crate) gridlock: bool,
    /// False Flag marks.
    pub(crate) flags: u8,
    /// What the Lobbyist in each slot has named.
    pub(crate) lobby: [Category; MOST_SLOTS as usize],
    /// The name designated last by a Scalper.
    pub(crate) scalped: Option<Card>,
    /// When the player was defeated: 1 for the first battle that defeated anybody; 0 while still in.
    pub(crate) fell: u8,
}

/// A Scalper's mark on a card of the common pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Mark {
    /// On this card.
    pub(crate) token: Token,
    /// By this seat.
    pub(crate) by: Seat,
}

/// How a battle went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Not yet decided.
    Open,
    /// The attacker won.
    Attacker,
    /// The defender won.
    Defender,
    /// Neither.
    Tie,
}

/// The battle that is being fought.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Battle {
    /// Who attacks.
    pub(crate) attacker: Side,
    /// Who defends.
    pub(crate) defender: Side,
    /// How it went.
    pub(crate) verdict: Verdict,
    /// Total attack, once it is known.
    pub(crate) attack: i32,
    /// Total defence, once it is known.
    pub(crate) defence: i32,
    /// What the attacker and the defender add to combat rolls.
    pub(crate) bonus: [i32; 2],
    /// Siege Towers that the victor has shown.
    pub(crate) towers: u8,
    /// Whether the attacker has shown a Catapult.
    pub(crate) catapult: bool,
    /// Whether cards have gone into the attacker's, the defender's deck.
    pub(crate) returned: [bool; 2],
}

impl Battle {
    pub(crate) fn loser(&self) -> Option<Side> {
        match self.verdict {
            Verdict::Attacker => Some(self.defender),
            Verdict::Defender => Some(self.attacker),
            _ => None,
        }
    }

    pub(crate) fn victor(&self) -> Option<Side> {
        match self.verdict {
            Verdict::Attacker => Some(self.attacker),
            Verdict::Defender => Some(self.defender),
            _ => None,
        }
    }

    /// The order of the aftermath: the loser first; after a tie the attacker.
    pub(crate) fn order(&self) -> [Side; 2] {
        match self.verdict {
            Verdict::Attacker => [self.defender, self.attacker],
            _ => [self.attacker, self.defender],
        }
    }

    #[inline]
    pub(crate) fn has(&self, side: Side) -> bool {
        side == self.attacker || side == self.defender
    }

    /// 0 for the attacker, 1 for the defender.
    #[inline]
    pub(crate) fn part(&self, side: Side) -> usize {
        usize::from(side != self.attacker)
    }
}

/// Why the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The Empire has fallen; the living players rank by Victory Points.
    Toppled,
    /// All players are defeated; the Empire has won.
    EmpireWins,
    /// Only One: at most one player is left and the Empire has fallen.
    LastOne,
    /// The last round is over. (A solo game is then won by the Empire.)
    Cap,
}

/// A game of Hegemony.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hegemony {
    pub(crate) rules: Rules,
    pub(crate) seats: u8,
    pub(crate) round: u16,
    /// Victory Points by side, the Empire last.
    pub(crate) vp: [i32; MOST_SEATS + 1],
    pub(crate) players: [Player; MOST_SEATS],
    pub(crate) living: Seats,
    /// Whether the Empire stands.
    pub(crate) standing: bool,
    /// Whose turn it is; nobody's between turns.
    pub(crate) turn: Option<Side>,
    pub(crate) battle: Option<Battle>,
    pub(crate) marks: Stack<Mark, 36>,
    pub(crate) agenda: Stack<Step, 128>,
    pub(crate) ending: Option<Ending>,
    pub(crate) tokens: Tokens<Card, Size>,
}

/// How many cards these numbers bring into the game, the reserve included.
pub(crate) fn most_tokens(stats: &[Stats; KINDS], seats: u8) -> usize {
    let in_play = |s: &Stats| s.pool + s.empire + s.start * i32::from(seats);
    let all: i32 = stats.iter().map(in_play).sum();
    (all + 2 * in_play(&stats[Card::Conscript as usize])) as usize
}

impl Hegemony {
    pub(crate) fn create(seats: u8, options: &Options) -> Result<Self, OptionsError> {
        let stats = options.cards.all();
        let rules = Rules {
            only_one: options.only_one,
            fixed_order: options.turn_order == TurnOrder::Fixed,
            plunder: options.imperial_plunder,
            postwar_income: options.postwar_income,
            last_round: options.last_round() as u16,
            cost: PerCard::of(&stats, |s| s.cost),
            attack: PerCard::of(&stats, |s| s.attack),
            defence: PerCard::of(&stats, |s| s.defence),
            n: options.tuning,
        };
        let player = Player {
            sanctions: 0,
            down: 0,
            embargo: false,
            gridlock: false,
            flags: 0,
            lobby: [Category::Military; MOST_SLOTS as usize],
            scalped: None,
            fell: 0,
        };
        let mut vp = [0; MOST_SEATS + 1];
        vp[..usize::from(seats)].fill(options.start_vp);
        vp[Side::EMPIRE.index()] = options.empire_start(seats);
        let mut game = Hegemony {
            rules,
            seats,
            round: 0,
            vp,
            players: [player; MOST_SEATS],
            living: Seats::first(seats),
            standing: true,
            turn: None,
            battle: None,
            marks: Stack::new(),
            agenda: Stack::new(),
            ending: None,
            tokens: Tokens::new(),
        };
        game.lay_out(&stats).map_err(|e| OptionsError::new(e.to_string()))?;
        game.set_up().map_err(|e| OptionsError::new(e.to_string()))?;
        Ok(game)
    }

    fn lay_out(&mut self, stats: &[Stats; KINDS]) -> Result<(), pentarchy_engine::Rejected> {
        let mut add = |zone, copies: &dyn Fn(&Stats) -> i32| {
            for (card, s) in CARDS.into_iter().zip(stats) {
                for _ in 0..copies(s) {
                    self.tokens.add(card, zone)?;
                }
            }
            Ok(())
        };
        add(POOL_DECK, &|s| s.pool)?;
        add(deck(Side::EMPIRE), &|s| s.empire)?;
        for seat in 0..self.seats {
            add(deck(Side(seat)), &|s| s.start)?;
        }
        let c = stats[Card::Conscript as usize];
        let conscripts = c.pool + c.empire + c.start * i32::from(self.seats);
        for card in [Card::Partisan, Card::ProfessionalSoldier] {
            for _ in 0..conscripts {
                self.tokens.add(card, RESERVE)?;
            }
        }
        Ok(())
    }

    // --- sides and seats

    /// Whether a side is still in the game.
    #[inline]
    pub fn is_in(&self, side: Side) -> bool {
        match side.seat() {
            Some(seat) => self.living.has(seat),
            None => self.standing,
        }
    }

    /// A side's Victory Points.
    pub fn points(&self, side: Side) -> i32 {
        self.vp[side.index()]
    }

    /// Why the game is over, once it is.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The number of the round, from 1.
    pub fn round(&self) -> u16 {
        self.round
    }

    /// The seats in this round's turn order, the defeated ones included.
    pub(crate) fn order(&self) -> impl Iterator<Item = Seat> + use<> {
        let first =
            if self.rules.fixed_order { 0 } else { self.round.saturating_sub(1) % u16::from(self.seats) };
        Seat(first as u8).ring(self.seats)
    }

    /// The living players in this round's turn order.
    pub(crate) fn living_in_order(&self) -> impl Iterator<Item = Seat> + use<> {
        let living = self.living;
        self.order().filter(move |&s| living.has(s))
    }

    /// How many slots a side has. (The Empire may keep a card in a slot beyond, until its turn ends.)
    #[inline]
    pub(crate) fn slots(&self, side: Side) -> u8 {
        if side.is_empire() { MOST_EMPIRE_SLOTS } else { self.rules.n.slots as u8 }
    }

    /// How many slots the Empire fills.
    pub(crate) fn empire_slots(&self) -> u8 {
        (self.rules.n.empire_slots as u8 + self.living.len()).min(MOST_EMPIRE_SLOTS)
    }

    // --- cards in slots

    /// The category of a card in a slot: always public.
    #[inline]
    pub(crate) fn category(&self, t: Token) -> Category {
        if self.tokens.may_be(t, Category::Military.set()) {
            Category::Military
        } else if self.tokens.may_be(t, Category::Trade.set()) {
            Category::Trade
        } else {
            Category::Diplomacy
        }
    }

    /// The base card of a slot.
    #[inline]
    pub(crate) fn base(&self, side: Side, i: u8) -> Option<Token> {
        self.tokens.top(slot(side, i))
    }

    /// The category of a slot: that of its base card.
    #[inline]
    pub(crate) fn slot_category(&self, side: Side, i: u8) -> Option<Category> {
        self.base(side, i).map(|t| self.category(t))
    }

    /// The occupied slots of a side.
    #[inline]
    pub(crate) fn occupied(&self, side: Side) -> Slots {
        let first = slot(side, 0).0;
        let filled = |i: u8| u16::from(!self.tokens.is_empty(Zone(first + i))) << i;
        Slots((0..self.slots(side)).fold(0, |slots, i| slots | filled(i)))
    }

    /// Whether a card in a slot lies face down: Military always, Diplomacy as its owner has laid it.
    pub(crate) fn lies_face_down(&self, side: Side, i: u8, t: Token) -> bool {
        match (self.category(t), side.seat()) {
            (Category::Military, _) => true,
            (Category::Diplomacy, Some(seat)) => self.players[seat.index()].down >> i & 1 != 0,
            _ => false,
        }
    }

    /// What of a side's cards is switched off now.
    #[inline]
    pub(crate) fn off(&self, side: Side) -> Off {
        let Some(seat) = side.seat() else { return Off::default() };
        let (player, own_turn) = (&self.players[seat.index()], self.turn == Some(side));
        let sanctioned = own_turn || self.battle.is_some_and(|b| b.has(side));
        Off {
            slots: if sanctioned { player.sanctions } else { 0 },
            trade: own_turn && player.embargo,
            diplomacy: own_turn && player.gridlock,
        }
    }

    /// The slots of one category, one bit each. (All cards of a slot have the category of its base.)
    #[inline]
    pub(crate) fn slots_of(&self, side: Side, category: Category) -> u16 {
        let set = category.set();
        let first = slot(side, 0).0;
        (0..self.slots(side)).fold(0, |slots, i| match self.tokens.top(Zone(first + i)) {
            Some(t) => slots | u16::from(self.tokens.may_be(t, set)) << i,
            None => slots,
        })
    }

    /// The active cards of one category: slot and card, in slot order, within a slot from the base.
    #[inline]
    pub(crate) fn active(&self, side: Side, category: Category) -> Active<'_> {
        let slots = self.slots_of(side, category) & self.off(side).leaves(category);
        Active { tokens: &self.tokens, first: slot(side, 0).0, slots, i: 0, at: None }
    }

    /// The active cards that everybody knows to be this one.
    pub(crate) fn count(&self, side: Side, card: Card) -> i32 {
        let is = |&(_, t): &(u8, Token)| self.tokens.public_face(t) == Some(card);
        self.active(side, card.category()).filter(is).count() as i32
    }

    /// Whether a card in this slot of this side is active.
    pub(crate) fn is_active(&self, side: Side, i: u8) -> bool {
        self.slot_category(side, i).is_some_and(|c| self.off(side).leaves_on(i, c))
    }

    /// Where a card lies among the slots.
    #[inline]
    pub(crate) fn slot_of(&self, t: Token) -> Option<(Side, u8)> {
        match place(self.tokens.zone(t)) {
            Place::Slot(side, i) if self.tokens.zone(t) != Zone::NOWHERE => Some((side, i)),
            _ => None,
        }
    }

    /// Whether a side's deck and discard pile are both empty.
    #[inline]
    pub(crate) fn pool_is_empty(&self, side: Side) -> bool {
        self.tokens.is_empty(deck(side)) && self.tokens.is_empty(discard(side))
    }

    /// How many cards fit behind this one.
    #[inline]
    pub(crate) fn room(&self, base: Card) -> i32 {
        match base {
            Card::SiegeTower => self.rules.n.siege_tower_room,
            Card::Barracks => self.rules.n.barracks_room,
            Card::Fortification => self.rules.n.fortification_room,
            Card::Factory => self.rules.n.factory_room,
            _ => 0,
        }
    }

    /// The printed cost of a card.
    #[inline]
    pub(crate) fn cost(&self, card: Card) -> i32 {
        self.rules.cost.get(card)
    }

    /// The first card of a zone that everybody knows to be this one.
    pub(crate) fn find(&self, zone: Zone, card: Card) -> Option<Token> {
        self.tokens.iter(zone).find(|&t| self.tokens.public_face(t) == Some(card))
    }
}

/// Some slots, one bit each, from the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slots(pub(crate) u16);

impl Iterator for Slots {
    type Item = u8;
    #[inline]
    fn next(&mut self) -> Option<u8> {
        let i = self.0.trailing_zeros() as u8;
        self.0 &= self.0.checked_sub(1)?;
        Some(i)
    }
}

/// What of a side's cards is switched off.
#[derive(Clone, Copy, Default)]
pub(crate) struct Off {
    slots: u8,
    trade: bool,
    diplomacy: bool,
}

impl Off {
    /// The slots, one bit each, whose cards are active if they have this category.
    #[inline]
    fn leaves(self, category: Category) -> u16 {
        let off = match category {
            Category::Military => false,
            Category::Trade => self.trade,
            Category::Diplomacy => self.diplomacy,
        };
        if off { 0 } else { !u16::from(self.slots) }
    }

    #[inline]
    pub(crate) fn leaves_on(self, i: u8, category: Category) -> bool {
        self.leaves(category) >> i & 1 != 0
    }
}

/// The cards of some slots of a side.
#[derive(Clone)]
pub(crate) struct Active<'a> {
    tokens: &'a Tokens<Card, Size>,
    /// The zone of slot 0.
    first: u8,
    /// The slots still to come, one bit each.
    slots: u16,
    /// The slot of the next card.
    i: u8,
    /// The next card.
    at: Option<Token>,
}

impl Iterator for Active<'_> {
    type Item = (u8, Token);
    #[inline]
    fn next(&mut self) -> Option<(u8, Token)> {
        while self.at.is_none() {
            if self.slots == 0 {
                return None;
            }
            self.i = self.slots.trailing_zeros() as u8;
            self.slots &= self.slots - 1;
            self.at = self.tokens.top(Zone(self.first + self.i));
        }
        let t = self.at?;
        self.at = self.tokens.below(t);
        Some((self.i, t))
    }
}

/// The cards that fit behind this one.
#[inline]
pub(crate) fn fits_behind(base: Card) -> u64 {
    match base {
        Card::SiegeTower => crate::cards::SOLDIERS,
        Card::Barracks | Card::Fortification => Category::Military.bits(),
        Card::Factory => 1 << Card::Laborer.index(),
        _ => 0,
    }
}
