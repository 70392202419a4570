//! The public state: tokens in zones, markers, and the agenda of what is still to happen.

use crate::cards::{Card, FLASH};
use crate::options::{ForkReward, Sybil, Tuning, ViresOptions};
use pentarchy_engine::{OptionsError, Seat, Stack, Sz, Token, Tokens, Zone};
use serde::{Deserialize, Serialize};

pub use crate::agenda::Loss;
pub(crate) use crate::agenda::{Bill, Case, Step, Then};

/// The most players.
pub const MOST_SEATS: usize = 6;
/// The most cards, HashRates included.
pub const MOST_CARDS: usize = 174;

/// Cards and one ballot for each seat, in the zones below.
pub type Size = Sz<{ (MOST_CARDS + MOST_SEATS).next_multiple_of(64) }, 24>;

/// Face down, drawn from the top.
pub const DECK: Zone = Zone(0);
/// HashRates only, face up.
pub const POOL: Zone = Zone(1);
/// Used cards, face up.
pub const GARBAGE: Zone = Zone(2);
/// What is being played at this moment.
pub const TABLE: Zone = Zone(3);
/// The card offered with DEX, face down.
pub const OFFER: Zone = Zone(4);
/// The slips of the secret ballot.
pub const BALLOT: Zone = Zone(5);
pub(crate) const HANDS: u8 = 6;
pub(crate) const BANKS: u8 = HANDS + MOST_SEATS as u8;
const CHAINS: u8 = BANKS + MOST_SEATS as u8;

/// A player's cards, in order of arrival.
#[inline(always)]
pub const fn hand(p: Seat) -> Zone {
    Zone(HANDS + p.0)
}

/// A player's Coins.
#[inline(always)]
pub const fn bank(p: Seat) -> Zone {
    Zone(BANKS + p.0)
}

/// A player's Blocks, Genesis first.
#[inline(always)]
pub const fn chain(p: Seat) -> Zone {
    Zone(CHAINS + p.0)
}

/// What a zone is, and whose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// One of the zones of nobody in particular.
    Common(&'static str),
    /// A Hand.
    Hand(Seat),
    /// A Bank.
    Bank(Seat),
    /// A Chain.
    Chain(Seat),
}

/// What this zone is, and whose.
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

/// What of the options matters after the setup.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rules {
    /// The required length of a Chain.
    pub blocks: u8,
    /// The last round.
    pub max_rounds: u16,
    /// How many ballots BYZ. allows.
    pub byz_ballots: u8,
    /// Where the Coin of a stolen Block goes.
    pub fork_reward: ForkReward,
    /// Who loses a Block with SYBIL.
    pub sybil: Sybil,
    /// The numbers of the design.
    pub tuning: Tuning,
    /// How many copies of each Flash card there are, in the order of [`FLASH`].
    pub flash: [u8; FLASH.len()],
}

/// The markers of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Player {
    /// Added to the cost of the next Block.
    pub diff: i16,
    /// Added to the reward of the next Block.
    pub reward: i16,
    /// The turn after the next mined Block will be locked.
    pub timelock: bool,
    /// The next turn is locked.
    pub locked_next: bool,
    /// The Bank still holds the first Coin, which is safe in the first round.
    pub first_coin: bool,
}

/// What holds until the end of the turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Turn {
    /// A Block was gained.
    pub gained: bool,
    /// The next paid Action is free.
    pub double: bool,
    /// After a KYC: cards are drawn face up.
    pub open: bool,
    /// No main phase and no card may be played.
    pub locked: bool,
}

/// A card that was cancelled: its player may not play it again in this turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Barred {
    /// The card.
    pub token: Token,
    /// Who may not play it.
    pub seat: Seat,
}

/// The table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Vires {
    pub(crate) tokens: Tokens<Card, Size>,
    pub(crate) agenda: Stack<Step, 24>,
    pub(crate) seats: u8,
    pub(crate) active: Seat,
    pub(crate) round: u16,
    pub(crate) turn: Turn,
    pub(crate) players: [Player; MOST_SEATS],
    pub(crate) barred: Stack<Barred, 12>,
    /// The ballot of seat 0; the others' follow.
    pub(crate) ballots: u16,
    pub(crate) rules: Rules,
}

impl Vires {
    pub(crate) fn set_up(seats: u8, options: &ViresOptions) -> Result<Self, OptionsError> {
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
        let to_do = [Step::Begin, Step::Shuffle];
        // A game without a single card in the Deck would wait for a shuffle of nothing.
        let to_do = if tokens.is_empty(DECK) { &to_do[..1] } else { &to_do[..] };
        for &step in to_do {
            agenda.push(step).map_err(|e| OptionsError::new(e.to_string()))?;
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
        state.run().map_err(|e| OptionsError::new(e.to_string()))?;
        Ok(state)
    }

    /// How long a player's Chain is, Genesis included.
    #[inline(always)]
    pub fn blocks(&self, p: Seat) -> u8 {
        self.tokens.len(chain(p)) as u8
    }

    /// How many Coins a player has.
    #[inline(always)]
    pub fn coins(&self, p: Seat) -> u8 {
        self.tokens.len(bank(p)) as u8
    }

    /// How many cards a player holds.
    #[inline(always)]
    pub fn cards(&self, p: Seat) -> u8 {
        self.tokens.len(hand(p)) as u8
    }

    /// How many HR are in the Pool.
    #[inline(always)]
    pub fn pool(&self) -> u8 {
        self.tokens.len(POOL) as u8
    }

    /// The points of a player: Blocks and Coins.
    pub fn score(&self, p: Seat) -> u8 {
        self.blocks(p) + self.coins(p)
    }

    /// Whose turn it is.
    pub fn active(&self) -> Seat {
        self.active
    }

    /// The number of the round, from 1.
    pub fn round(&self) -> u16 {
        self.round
    }

    /// What holds until the end of the turn.
    pub fn turn(&self) -> Turn {
        self.turn
    }

    /// The markers of a player.
    pub fn player(&self, p: Seat) -> Player {
        self.players[p.index() % MOST_SEATS]
    }

    /// The rules of this game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    #[inline(always)]
    pub(crate) fn player_mut(&mut self, p: Seat) -> &mut Player {
        &mut self.players[p.index() % MOST_SEATS]
    }

    /// How many HR a player's next Block costs.
    #[inline]
    pub fn cost(&self, p: Seat) -> u8 {
        let cost =
            i16::from(self.blocks(p)) + i16::from(self.rules.tuning.cost) + self.players[p.index()].diff;
        cost.clamp(0, i16::from(u8::MAX)) as u8
    }

    /// How many Coins a player's next Block pays.
    #[inline]
    pub fn reward(&self, p: Seat) -> u8 {
        let reward = i16::from(self.rules.tuning.reward) + self.players[p.index()].reward;
        reward.clamp(0, i16::from(u8::MAX)) as u8
    }

    /// How many Coins a player can be made to lose.
    #[inline]
    pub fn losable(&self, p: Seat) -> u8 {
        let safe = self.round == 1 && self.players[p.index()].first_coin;
        self.coins(p).saturating_sub(u8::from(safe))
    }

    /// What a paid Action costs now.
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

    /// Whether this player may not play this card again in this turn.
    #[inline]
    pub fn is_barred(&self, token: Token, seat: Seat) -> bool {
        self.barred.contains(&Barred { token, seat })
    }

    /// How many HR of a Hand are public.
    #[inline]
    pub fn open_hr(&self, p: Seat) -> u8 {
        self.tokens.iter(hand(p)).filter(|&t| self.tokens.is_face(t, Card::Hr)).count() as u8
    }

    /// A public card of this face in a Hand.
    #[inline]
    pub(crate) fn open_card(&self, p: Seat, card: Card) -> Option<Token> {
        self.tokens.iter(hand(p)).find(|&t| self.tokens.is_face(t, card))
    }

    /// The hidden tokens of a Hand that, as everybody knows, could be HR.
    #[inline]
    pub(crate) fn maybe_hr(&self, p: Seat) -> impl Iterator<Item = Token> + Clone + '_ {
        self.tokens
            .iter(hand(p))
            .filter(|&t| !self.tokens.is_public(t) && self.tokens.may_be(t, Card::Hr.only()))
    }

    /// The players clockwise from the active one.
    pub(crate) fn ring(&self) -> impl Iterator<Item = Seat> + use<> {
        self.active.ring(self.seats)
    }

    /// The other players clockwise from the active one.
    pub(crate) fn others(&self) -> impl Iterator<Item = Seat> + use<> {
        self.ring().skip(1)
    }

    /// The next player clockwise.
    #[inline(always)]
    pub(crate) fn after(&self, p: Seat) -> Seat {
        p.next(self.seats)
    }

    /// The ballot of a player.
    #[inline]
    pub(crate) fn ballot(&self, p: Seat) -> Token {
        Token(self.ballots + u16::from(p.0))
    }
}
