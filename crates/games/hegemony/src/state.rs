//! The public state: who has how many points, whose marks lie where, and what is to happen next.

use crate::agenda::Step;
use crate::cards::{CARDS, Card, Category, KINDS};
use crate::options::{Options, Stats, Tuning, TurnOrder};
use crate::places::{POOL_DECK, RESERVE, Side, ZONES, deck};
use pentarchy_engine::{OptionsError, Seat, Seats, Stack, Sz, Token, Tokens, Zone};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The most players.
pub const MOST_SEATS: usize = 6;
/// The most slots of a player that tuning allows.
pub const MOST_SLOTS: u8 = 6;
/// The most slots of the Empire that tuning allows.
pub const MOST_EMPIRE_SLOTS: u8 = 12;
/// The most cards in a game: 169 and 16 for each player, with the numbers of the rules.
pub const TOKENS: usize = 265;

/// How many cards and places there are.
pub type Size = Sz<TOKENS, ZONES>;

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
    /// A battle whose powers have not been compared yet.
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

/// What lies in the slots, by side: said once when a card comes to lie there, so that nobody need look at the
/// cards to find out. It follows from the cards and is therefore not written down; after reading a state it
/// is looked up anew.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Kinds {
    /// Which slots are occupied, one bit each.
    pub(crate) full: [u16; MOST_SEATS + 1],
    /// Which slots are Trade and which Diplomacy slots, one bit each.
    pub(crate) civil: [[u16; 2]; MOST_SEATS + 1],
    /// The Trade and Diplomacy cards that may lie in each slot, one bit each. What has left it may still be
    /// named; of a card that lies face down all that it may be are.
    pub(crate) names: [[u32; MOST_EMPIRE_SLOTS as usize]; MOST_SEATS + 1],
    /// The same for all slots of a side together.
    pub(crate) any: [u32; MOST_SEATS + 1],
    /// The seats that may be under Sanctions, an Embargo or a Gridlock, one bit each.
    pub(crate) hampered: u8,
    /// The seats that may own a card behind which others can be stationed, one bit each.
    pub(crate) roomy: u8,
    /// Whether this has been said of all slots.
    pub(crate) sure: bool,
}

/// A game of Hegemony. (`Copy`, because then a clone is one block.)
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
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
    #[serde(skip)]
    pub(crate) kinds: Kinds,
    /// Whether this game is played by version 1 of the rules. (Not part of the digest: each version has its own records.)
    #[serde(skip)]
    pub(crate) first_rules: bool,
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
            kinds: Kinds::default(),
            first_rules: false,
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
        self.first().ring(self.seats)
    }

    /// The seat at this place of this round's turn order.
    pub(crate) fn in_order(&self, k: u8) -> Option<Seat> {
        self.clockwise(self.first(), k)
    }

    fn first(&self) -> Seat {
        let rounds = if self.rules.fixed_order { 0 } else { self.round.saturating_sub(1) };
        Seat((rounds % u16::from(self.seats)) as u8)
    }

    /// The seat so many places clockwise from another, if that is not once around the table.
    #[inline]
    pub(crate) fn clockwise(&self, from: Seat, k: u8) -> Option<Seat> {
        let seat = from.0 + k;
        (k < self.seats).then_some(Seat(if seat < self.seats { seat } else { seat - self.seats }))
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
