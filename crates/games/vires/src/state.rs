//! The public state: tokens in zones, markers, and the agenda.

use crate::cards::{Card, FLASH};
use crate::options::{ForkReward, Options, Sybil, Tuning};
use pentarchy_engine::{OptionsError, Seat, Stack, Sz, Token, Tokens, Zone};
use serde::{Deserialize, Serialize};

pub use crate::agenda::Loss;
pub(crate) use crate::agenda::{Bill, Case, Task, Then};

/// Maximum number of players.
pub const MOST_SEATS: usize = 6;
/// Maximum number of cards, HashRates included.
pub const MOST_CARDS: usize = 174;

/// Number of tokens (cards and one ballot per seat, rounded up to a multiple of 64) and zones.
pub type Size = Sz<{ (MOST_CARDS + MOST_SEATS).next_multiple_of(64) }, 24>;

/// The Deck: face down, drawn from the top.
pub const DECK: Zone = Zone(0);
/// The Pool: HashRates only, face up.
pub const POOL: Zone = Zone(1);
/// The Garbage: used cards, face up.
pub const GARBAGE: Zone = Zone(2);
/// The cards that are being played.
pub const TABLE: Zone = Zone(3);
/// The card offered with DEX, face down.
pub const OFFER: Zone = Zone(4);
/// The slips of the secret ballot.
pub const BALLOT: Zone = Zone(5);
/// Zone number of seat 0's Hand; those of the other seats follow.
pub(crate) const HANDS: u8 = 6;
/// Zone number of seat 0's Bank; those of the other seats follow.
pub(crate) const BANKS: u8 = HANDS + MOST_SEATS as u8;
/// Zone number of seat 0's Chain; those of the other seats follow.
const CHAINS: u8 = BANKS + MOST_SEATS as u8;

/// Returns the zone of a player's Hand, whose cards lie in order of arrival. The seat must be below 6.
#[inline(always)]
pub const fn hand(p: Seat) -> Zone {
    Zone(HANDS + p.0)
}

/// Returns the zone of a player's Bank, which holds their Coins. The seat must be below 6.
#[inline(always)]
pub const fn bank(p: Seat) -> Zone {
    Zone(BANKS + p.0)
}

/// Returns the zone of a player's Blocks, Genesis first. The seat must be below 6.
#[inline(always)]
pub const fn chain(p: Seat) -> Zone {
    Zone(CHAINS + p.0)
}

/// The kind of a zone, and its owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A zone without an owner, with its name.
    Common(&'static str),
    /// A Hand.
    Hand(Seat),
    /// A Bank.
    Bank(Seat),
    /// A Chain.
    Chain(Seat),
}

/// Returns the kind of a zone, and its owner; every number from the Chains on counts as a Chain.
pub const fn place(zone: Zone) -> Place {
    match zone.0 {
        0 => Place::Common("deck"),
        1 => Place::Common("pool"),
        2 => Place::Common("garbage"),
        3 => Place::Common("table"),
        4 => Place::Common("offer"),
        5 => Place::Common("ballot"),
        z if z < BANKS => Place::Hand(Seat(z - HANDS)),
        z if z < CHAINS => Place::Bank(Seat(z - BANKS)),
        z => Place::Chain(Seat(z - CHAINS)),
    }
}

/// The options that matter after the setup.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rules {
    /// Required length of a Chain.
    pub blocks: u8,
    /// Number of the last round.
    pub max_rounds: u16,
    /// Maximum number of ballots of BYZ.
    pub byz_ballots: u8,
    /// Where the Coin of a stolen Block goes.
    pub fork_reward: ForkReward,
    /// Which players lose a Block with SYBIL.
    pub sybil: Sybil,
    /// The numbers of the design.
    pub tuning: Tuning,
    /// Number of copies of each Flash card, in the order of [`FLASH`].
    pub flash: [u8; FLASH.len()],
}

/// The markers of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Player {
    /// Added to the cost of the next Block.
    pub diff: i16,
    /// Added to the reward of the next Block.
    pub reward: i16,
    /// Whether the turn after the next mined Block will be locked.
    pub timelock: bool,
    /// Whether the next turn is locked.
    pub locked_next: bool,
    /// Whether the Bank still holds the first Coin, which is safe in the first round.
    pub first_coin: bool,
}

/// The markers of the current turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Turn {
    /// Whether a Block was gained.
    pub gained: bool,
    /// Whether the next paid Action is free.
    pub double: bool,
    /// Whether cards are drawn face up (after KYC).
    pub open: bool,
    /// Whether the turn is locked: no main phase, and no card may be played.
    pub locked: bool,
}

/// A cancelled card that its player may not play again this turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Barred {
    /// The card.
    pub token: Token,
    /// The player who may not play it.
    pub seat: Seat,
}

/// A game of Vires In Numeris.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Vires {
    /// All cards and ballots: their zones, and who knows them.
    pub(crate) tokens: Tokens<Card, Size>,
    /// What is still to be done; the top comes first.
    pub(crate) agenda: Stack<Task, 24>,
    /// Number of players.
    pub(crate) seats: u8,
    /// The player whose turn it is.
    pub(crate) active: Seat,
    /// Number of the round, from 1.
    pub(crate) round: u16,
    /// The markers of the current turn.
    pub(crate) turn: Turn,
    /// The markers of the players, by seat; entries beyond `seats` are unused.
    pub(crate) players: [Player; MOST_SEATS],
    /// The cards that were cancelled this turn.
    pub(crate) barred: Stack<Barred, 12>,
    /// Number of the token of seat 0's ballot; those of the other seats follow.
    pub(crate) ballots: u16,
    /// The options that matter after the setup, fixed during a game.
    pub(crate) rules: Rules,
}

impl Vires {
    /// Creates the initial state of round 1: each player has Genesis and the starting Coins, the Pool its HR,
    /// the Deck all other HR and the special cards, unshuffled; there is a ballot per seat. The tasks of the
    /// first turn are performed up to the first event, which is the shuffle of the Deck unless it is empty.
    /// The caller has checked the options.
    ///
    /// # Errors
    ///
    /// Fails if the options need more cards than there are tokens.
    pub(crate) fn set_up(seats: u8, options: &Options) -> Result<Self, OptionsError> {
        let tuning = options.tuning;
        let mut tokens = Tokens::new();
        let mut left = options.hashrates(seats);
        let mut lay = |zone: Zone, n: u8| -> Result<(), OptionsError> {
            for _ in 0..n.min(left) {
                tokens.add(Card::Hr, zone).map_err(|e| OptionsError::new(e.to_string()))?;
                left -= 1;
            }
            Ok(())
        };
        for p in (0..seats).map(Seat) {
            lay(chain(p), 1)?;
            lay(bank(p), tuning.coins)?;
        }
        lay(POOL, seats * tuning.pool)?;
        lay(DECK, u8::MAX)?;
        let mut cards = 0;
        for card in Card::specials() {
            for _ in 0..options.copies.of(card) {
                tokens.add(card, DECK).map_err(|e| OptionsError::new(e.to_string()))?;
                cards += 1;
            }
        }
        for _ in 0..seats {
            tokens.add_slip(BALLOT).map_err(|e| OptionsError::new(e.to_string()))?;
        }
        let mut agenda = Stack::new();
        let to_do = [Task::Begin, Task::Shuffle];
        // A Deck without cards cannot be shuffled.
        let to_do = if tokens.is_empty(DECK) { &to_do[..1] } else { &to_do[..] };
        for &task in to_do {
            agenda.push(task).map_err(|e| OptionsError::new(e.to_string()))?;
        }
        let first_coin = options.first_coin && tuning.coins > 0;
        let mut state = Vires {
            tokens,
            agenda,
            seats,
            active: Seat(0),
            round: 1,
            turn: Turn::default(),
            players: [Player { first_coin, ..Player::default() }; MOST_SEATS],
            barred: Stack::new(),
            ballots: u16::from(options.hashrates(seats)) + cards,
            rules: Rules {
                blocks: options.blocks(seats),
                max_rounds: options.max_rounds(seats),
                byz_ballots: options.byz_ballots,
                fork_reward: options.fork_reward,
                sybil: options.sybil,
                tuning,
                flash: FLASH.map(|c| options.copies.of(c)),
            },
        };
        state.run(&mut pentarchy_engine::Cx::silent()).map_err(|e| OptionsError::new(e.to_string()))?;
        Ok(state)
    }

    /// Returns the length of a player's Chain, Genesis included.
    #[inline(always)]
    pub fn blocks(&self, p: Seat) -> u8 {
        self.tokens.len(chain(p)) as u8
    }

    /// Returns the number of a player's Coins.
    #[inline(always)]
    pub fn coins(&self, p: Seat) -> u8 {
        self.tokens.len(bank(p)) as u8
    }

    /// Returns the number of cards in a player's Hand, hidden ones included.
    #[inline(always)]
    pub fn cards(&self, p: Seat) -> u8 {
        self.tokens.len(hand(p)) as u8
    }

    /// Returns the number of HR in the Pool.
    #[inline(always)]
    pub fn pool(&self) -> u8 {
        self.tokens.len(POOL) as u8
    }

    /// Returns the points of a player: Blocks, Genesis included, and Coins.
    pub fn score(&self, p: Seat) -> u8 {
        self.blocks(p) + self.coins(p)
    }

    /// Returns the player whose turn it is; others may decide during it.
    pub fn active(&self) -> Seat {
        self.active
    }

    /// Returns the number of the round, from 1.
    pub fn round(&self) -> u16 {
        self.round
    }

    /// Returns the markers of the current turn: Block gained, next paid Action free, drawing openly, locked.
    pub fn turn(&self) -> Turn {
        self.turn
    }

    /// Returns a copy of the markers of a player: changes of the next Block, locks, the protected Coin. A
    /// seat of 6 or more wraps around.
    pub fn player(&self, p: Seat) -> Player {
        self.players[p.index() % MOST_SEATS]
    }

    /// Returns the rules of this game: the options that matter after the setup.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the markers of a player, to change them. A seat of 6 or more wraps around.
    #[inline(always)]
    pub(crate) fn player_mut(&mut self, p: Seat) -> &mut Player {
        &mut self.players[p.index() % MOST_SEATS]
    }

    /// Returns the HR that a player's next Block costs: the length of the Chain, the option `cost` and the
    /// player's modifiers, at least 0.
    #[inline]
    pub fn cost(&self, p: Seat) -> u8 {
        let cost =
            i16::from(self.blocks(p)) + i16::from(self.rules.tuning.cost) + self.players[p.index()].diff;
        cost.clamp(0, i16::from(u8::MAX)) as u8
    }

    /// Returns the Coins that a player's next Block pays, with its modifiers, at least 0.
    #[inline]
    pub fn reward(&self, p: Seat) -> u8 {
        let reward = i16::from(self.rules.tuning.reward) + self.players[p.index()].reward;
        reward.clamp(0, i16::from(u8::MAX)) as u8
    }

    /// Returns the number of Coins that a player can be forced to lose: all but the protected first one in
    /// round 1.
    #[inline]
    pub fn losable(&self, p: Seat) -> u8 {
        let safe = self.round == 1 && self.players[p.index()].first_coin;
        self.coins(p).saturating_sub(u8::from(safe))
    }

    /// Returns the price of an Action now, in Coins; 0 for cards without a price, and for all cards after
    /// DOUBLE until a paid card takes effect.
    #[inline]
    pub fn price(&self, card: Card) -> u8 {
        let tuning = &self.rules.tuning;
        match card {
            _ if self.turn.double => 0,
            Card::Attack51 => tuning.price_51,
            Card::Fork => tuning.price_fork,
            Card::Nonce => tuning.price_nonce,
            Card::Rekt => tuning.price_rekt,
            _ => 0,
        }
    }

    /// Returns whether the card of this player was cancelled in this turn and may not be played again in it.
    #[inline]
    pub fn is_barred(&self, token: Token, seat: Seat) -> bool {
        self.barred.contains(&Barred { token, seat })
    }

    /// Returns the number of public HR in a player's Hand; HR that only some players know are not counted.
    #[inline]
    pub fn open_hr(&self, p: Seat) -> u8 {
        self.tokens.iter(hand(p)).filter(|&t| self.tokens.is_face(t, Card::Hr)).count() as u8
    }

    /// Returns the first public card of this face in a player's Hand; `None` if there is none.
    #[inline]
    pub(crate) fn open_card(&self, p: Seat, card: Card) -> Option<Token> {
        self.tokens.iter(hand(p)).find(|&t| self.tokens.is_face(t, card))
    }

    /// Iterates over the hidden cards of a player's Hand that may be HR by public information, in order of
    /// arrival.
    #[inline]
    pub(crate) fn maybe_hr(&self, p: Seat) -> impl Iterator<Item = Token> + Clone + '_ {
        self.tokens
            .iter(hand(p))
            .filter(|&t| !self.tokens.is_public(t) && self.tokens.may_be(t, Card::Hr.only()))
    }

    /// Iterates over the players clockwise from the active one.
    pub(crate) fn ring(&self) -> impl Iterator<Item = Seat> + use<> {
        self.active.ring(self.seats)
    }

    /// Iterates over the other players clockwise from the active one.
    pub(crate) fn others(&self) -> impl Iterator<Item = Seat> + use<> {
        self.ring().skip(1)
    }

    /// Returns the player after `p`, clockwise; after the last one seat 0.
    #[inline(always)]
    pub(crate) fn after(&self, p: Seat) -> Seat {
        p.next(self.seats)
    }

    /// Returns the slip that stands for a player's vote in BYZ.; its face is the vote while one is cast.
    #[inline]
    pub(crate) fn ballot(&self, p: Seat) -> Token {
        Token(self.ballots + u16::from(p.0))
    }
}
