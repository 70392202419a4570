//! The public state: points, marks, players, and the agenda.

use crate::agenda::Task;
use crate::cards::{CARDS, Card, Category, KINDS};
use crate::options::{Options, Stats, Tuning, TurnOrder};
use crate::places::{POOL_DECK, RESERVE, Side, ZONES, deck};
use pentarchy_engine::{OptionsError, Seat, SeatSet, Stack, Sz, Token, Tokens, Zone};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Maximum number of players.
pub const MOST_SEATS: usize = 6;
/// Maximum number of slots of a player that tuning allows.
pub const MOST_SLOTS: u8 = 6;
/// Maximum number of slots of the Empire that tuning allows.
pub const MOST_EMPIRE_SLOTS: u8 = 12;
/// Maximum number of cards in a game. With the default numbers there are 169, plus 16 per player.
pub const TOKENS: usize = 265;

/// Number of cards and zones.
pub type Size = Sz<TOKENS, ZONES>;

/// One number per card, in the order of the card table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PerCard([u8; KINDS]);

impl PerCard {
    /// Creates the table with the number that `number` returns for each card. A number outside 0 to 255 is
    /// truncated.
    fn of(stats: &[Stats; KINDS], number: impl Fn(&Stats) -> i32) -> Self {
        PerCard(std::array::from_fn(|i| number(&stats[i]) as u8))
    }

    /// Returns the number of a card in this table, 0 to 255.
    #[inline]
    pub(crate) fn get(&self, card: Card) -> i32 {
        i32::from(self.0[card as usize])
    }
}

impl Serialize for PerCard {
    /// Writes the numbers as a list in the order of the card table.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0)
    }
}

impl<'de> Deserialize<'de> for PerCard {
    /// Reads a list of one number from 0 to 255 for each card.
    ///
    /// # Errors
    ///
    /// Fails if the list has another length.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = Vec::<u8>::deserialize(deserializer)?;
        let wrong = |list: Vec<u8>| serde::de::Error::invalid_length(list.len(), &"a number for each card");
        list.try_into().map(PerCard).map_err(wrong)
    }
}

/// Options and tuning numbers of this game, in the form that the rules read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rules {
    /// Whether the game continues after the Empire's fall until one player is left.
    pub(crate) only_one: bool,
    /// Whether seat 0 begins every round.
    pub(crate) fixed_order: bool,
    /// Whether the Empire gains the points that it wins in war.
    pub(crate) plunder: bool,
    /// Whether players get income after the Empire's fall.
    pub(crate) postwar_income: bool,
    /// Number of the last round.
    pub(crate) last_round: u16,
    /// Costs of the cards in Victory Points.
    pub(crate) cost: PerCard,
    /// Attacks of the cards; 0 unless Military.
    pub(crate) attack: PerCard,
    /// Defences of the cards; 0 unless Military.
    pub(crate) defence: PerCard,
    /// The tuning numbers.
    pub(crate) n: Tuning,
}

/// The state of a player besides cards and points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Player {
    /// Slots under Sanctions, one bit each: until the end of the player's next turn or battle.
    pub(crate) sanctions: u8,
    /// Slots whose Diplomacy card lies face down, one bit each.
    pub(crate) down: u8,
    /// Whether Trade cards are disabled in the player's next turn, or in the current one until it ends.
    pub(crate) embargo: bool,
    /// Whether Diplomacy cards are disabled in the player's next turn, or in the current one until it ends.
    pub(crate) gridlock: bool,
    /// Number of False Flag marks.
    pub(crate) flags: u8,
    /// The category that the Lobbyist in each slot has named.
    pub(crate) lobby: [Category; MOST_SLOTS as usize],
    /// The card that this player's Scalpers marked last.
    pub(crate) scalped: Option<Card>,
    /// When the player was defeated: 1 for the first battle that defeated a player; 0 while in the game.
    pub(crate) fell: u8,
}

/// A Scalper's mark on a card of the common pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Mark {
    /// The marked card.
    pub(crate) token: Token,
    /// The seat of the Scalper.
    pub(crate) by: Seat,
}

/// The result of a battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Not yet decided.
    Open,
    /// The attacker won.
    Attacker,
    /// The defender won.
    Defender,
    /// A tie.
    Tie,
}

/// The current battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Battle {
    /// The attacking side.
    pub(crate) attacker: Side,
    /// The defending side.
    pub(crate) defender: Side,
    /// The result.
    pub(crate) verdict: Verdict,
    /// Total attack; 0 before powers are compared.
    pub(crate) attack: i32,
    /// Total defence; 0 before powers are compared.
    pub(crate) defence: i32,
    /// Bonus of the attacker and of the defender on combat rolls.
    pub(crate) bonus: [i32; 2],
    /// Number of Siege Towers that the victor has shown.
    pub(crate) towers: u8,
    /// Whether the attacker has shown a Catapult.
    pub(crate) catapult: bool,
    /// Whether cards have returned to the deck of the attacker, and of the defender.
    pub(crate) returned: [bool; 2],
}

impl Battle {
    /// Creates a battle whose powers have not been compared: undecided, all numbers 0.
    pub(crate) fn open(attacker: Side, defender: Side) -> Self {
        Battle {
            attacker,
            defender,
            verdict: Verdict::Open,
            attack: 0,
            defence: 0,
            bonus: [0; 2],
            towers: 0,
            catapult: false,
            returned: [false; 2],
        }
    }

    /// Returns the loser; `None` after a tie or before the battle is decided.
    pub(crate) fn loser(&self) -> Option<Side> {
        match self.verdict {
            Verdict::Attacker => Some(self.defender),
            Verdict::Defender => Some(self.attacker),
            _ => None,
        }
    }

    /// Returns the victor; `None` after a tie or before the battle is decided.
    pub(crate) fn victor(&self) -> Option<Side> {
        match self.verdict {
            Verdict::Attacker => Some(self.attacker),
            Verdict::Defender => Some(self.defender),
            _ => None,
        }
    }

    /// Returns both sides in the order in which their cards are processed afterwards: the loser first; after
    /// a tie the attacker.
    pub(crate) fn order(&self) -> [Side; 2] {
        match self.verdict {
            Verdict::Attacker => [self.defender, self.attacker],
            _ => [self.attacker, self.defender],
        }
    }

    /// Returns whether a side is the attacker or the defender of the battle.
    #[inline]
    pub(crate) fn has(&self, side: Side) -> bool {
        side == self.attacker || side == self.defender
    }

    /// Returns the index of a side in arrays by part: 0 for the attacker, 1 for any other side.
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
    /// The last round is over. In a solo game the Empire has won then.
    Cap,
}

/// Cache of the contents of the slots, by side, updated when a card enters or leaves a slot. Derived from the
/// cards, so it is neither serialised nor hashed; it is rebuilt after loading. `debug_assert`s compare it
/// with a recomputation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SlotCache {
    /// Occupied slots, one bit each.
    pub(crate) occupied: [u16; MOST_SEATS + 1],
    /// Trade slots and Diplomacy slots, one bit each.
    pub(crate) civil: [[u16; 2]; MOST_SEATS + 1],
    /// The Trade and Diplomacy cards that each slot may hold, one bit each. Cards that have left may still be
    /// listed; for a face-down card all its possible faces are.
    pub(crate) possible: [[u32; MOST_EMPIRE_SLOTS as usize]; MOST_SEATS + 1],
    /// The union of `possible` over all slots of a side.
    pub(crate) possible_any: [u32; MOST_SEATS + 1],
    /// Seats that may be under Sanctions, an Embargo or a Gridlock.
    pub(crate) restricted: SeatSet,
    /// Seats that may own a card that others can be stationed behind.
    pub(crate) has_base: SeatSet,
    /// Whether the cache has been built.
    pub(crate) valid: bool,
}

/// A game of Hegemony. `Copy`, so that a clone copies one block.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Hegemony {
    /// Options and tuning numbers, fixed during a game.
    pub(crate) rules: Rules,
    /// Number of players at the start.
    pub(crate) seats: u8,
    /// Number of the round, from 1; 0 during the setup.
    pub(crate) round: u16,
    /// Victory Points by side, the Empire last.
    pub(crate) vp: [i32; MOST_SEATS + 1],
    /// The players' marks and memories, by seat; entries beyond `seats` are unused.
    pub(crate) players: [Player; MOST_SEATS],
    /// The players who are not defeated.
    pub(crate) living: SeatSet,
    /// Whether the Empire stands.
    pub(crate) standing: bool,
    /// The side whose turn it is; `None` between turns.
    pub(crate) turn: Option<Side>,
    /// The current battle; `None` outside of battles.
    pub(crate) battle: Option<Battle>,
    /// The Scalpers' marks in the order in which they were made.
    pub(crate) marks: Stack<Mark, 36>,
    /// What is still to be done; the top comes first.
    pub(crate) agenda: Stack<Task, 128>,
    /// Why the game is over; `None` before.
    pub(crate) ending: Option<Ending>,
    /// Cache of the slots' contents.
    #[serde(skip)]
    pub(crate) slot_cache: SlotCache,
    /// Whether this game follows version 1 of the rules. Not part of the digest: each version has its own
    /// records.
    #[serde(skip)]
    pub(crate) first_rules: bool,
    /// All cards: their zones, and who knows them.
    pub(crate) tokens: Tokens<Card, Size>,
}

/// Returns the number of cards of a game with these numbers and seats: all decks, and two cards of the
/// reserve for each Conscript.
pub(crate) fn most_tokens(stats: &[Stats; KINDS], seats: u8) -> usize {
    let in_play = |s: &Stats| s.pool + s.empire + s.start * i32::from(seats);
    let all: i32 = stats.iter().map(in_play).sum();
    (all + 2 * in_play(&stats[Card::Conscript as usize])) as usize
}

impl Hegemony {
    /// Creates a game for `seats` players with laid out decks, and runs the setup up to the first event,
    /// which is a shuffle. The caller has checked the options and the number of seats.
    ///
    /// # Errors
    ///
    /// Fails if the options need more cards than there are tokens.
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
            living: SeatSet::first(seats),
            standing: true,
            turn: None,
            battle: None,
            marks: Stack::new(),
            agenda: Stack::new(),
            ending: None,
            slot_cache: SlotCache::default(),
            first_rules: false,
            tokens: Tokens::new(),
        };
        game.lay_out(&stats).map_err(|e| OptionsError::new(e.to_string()))?;
        game.set_up().map_err(|e| OptionsError::new(e.to_string()))?;
        Ok(game)
    }

    /// Adds the cards of all decks in the order of the table, face up and unshuffled, and a Partisan and a
    /// Professional Soldier for each Conscript to the reserve. Call it once, on a state without cards.
    ///
    /// # Errors
    ///
    /// Fails if there are more cards than tokens; the cards added before stay.
    fn lay_out(&mut self, stats: &[Stats; KINDS]) -> Result<(), pentarchy_engine::RuleError> {
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

    /// Returns whether a side is still in the game: not defeated or fallen.
    #[inline]
    pub fn is_in(&self, side: Side) -> bool {
        match side.seat() {
            Some(seat) => self.living.has(seat),
            None => self.standing,
        }
    }

    /// Returns a side's Victory Points; they may be negative.
    pub fn points(&self, side: Side) -> i32 {
        self.vp[side.index()]
    }

    /// Returns why the game ended; `None` before. It is set a little before the node is `Over`: cards of tied
    /// players may still have to be shown.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Returns the number of the round, from 1; 0 during the setup.
    pub fn round(&self) -> u16 {
        self.round
    }

    /// Iterates over the seats in this round's turn order, defeated ones included.
    pub(crate) fn order(&self) -> impl Iterator<Item = Seat> + use<> {
        self.first().ring(self.seats)
    }

    /// Returns the seat at index `k` of this round's turn order, defeated ones included; `None` beyond its
    /// end.
    pub(crate) fn in_order(&self, k: u8) -> Option<Seat> {
        self.clockwise(self.first(), k)
    }

    /// Returns the seat that begins this round, defeated or not: the next one every round, or always seat 0.
    fn first(&self) -> Seat {
        let rounds = if self.rules.fixed_order { 0 } else { self.round.saturating_sub(1) };
        Seat((rounds % u16::from(self.seats)) as u8)
    }

    /// Returns the seat `k` places clockwise from `from`, itself for 0; `None` if `k` is the number of seats
    /// or more.
    #[inline]
    pub(crate) fn clockwise(&self, from: Seat, k: u8) -> Option<Seat> {
        let seat = from.0 + k;
        (k < self.seats).then_some(Seat(if seat < self.seats { seat } else { seat - self.seats }))
    }

    /// Iterates over the players who are not defeated now, in this round's turn order.
    pub(crate) fn living_in_order(&self) -> impl Iterator<Item = Seat> + use<> {
        let living = self.living;
        self.order().filter(move |&s| living.has(s))
    }

    /// Returns the number of slots of a side to look at. For the Empire this is the maximum: it may keep a
    /// card in a slot beyond those that it fills, until its turn ends.
    #[inline]
    pub(crate) fn slots(&self, side: Side) -> u8 {
        if side.is_empire() { MOST_EMPIRE_SLOTS } else { self.rules.n.slots as u8 }
    }

    /// Returns the number of slots that the Empire fills: the tuning number `empire_slots` plus one per
    /// living player, at most [`MOST_EMPIRE_SLOTS`].
    pub(crate) fn empire_slots(&self) -> u8 {
        (self.rules.n.empire_slots as u8 + self.living.len()).min(MOST_EMPIRE_SLOTS)
    }

    /// Returns how many cards fit behind this one in its slot, all in all: the tuning number of Siege Tower,
    /// Barracks, Fortification or Factory; 0 for all other cards.
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

    /// Returns the cost of a card in this game, without discounts and surcharges.
    #[inline]
    pub(crate) fn cost(&self, card: Card) -> i32 {
        self.rules.cost.get(card)
    }

    /// Returns the topmost public card of this name in a zone; `None` if there is none.
    pub(crate) fn find(&self, zone: Zone, card: Card) -> Option<Token> {
        self.tokens.iter(zone).find(|&t| self.tokens.public_face(t) == Some(card))
    }
}
