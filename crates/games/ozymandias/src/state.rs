//! The public state: the map, the track, the market, the players, and the agenda.

use crate::cards::{FACTIONS, Faction, Factions, Kind, Myth, TILES, Thing};
use crate::map::{Corner, Hex};
use crate::options::Options;
use pentarchy_engine::{RuleError, Seat, Stack, Sz, Token, Tokens, Zone};
use serde::{Deserialize, Serialize};

/// 72 tokens (48 cards and 24 tiles) in 25 zones.
pub type Size = Sz<72, 25>;

/// The sector stack, face down.
pub const TILE_STACK: Zone = Zone(0);
/// The sectors on the map.
pub const MAP: Zone = Zone(1);
/// The sectors that have left the game.
pub const GONE: Zone = Zone(2);
/// The deck, face down.
pub const DECK: Zone = Zone(3);
/// The market: cards sold, and those that exploration turned up.
pub const MARKET: Zone = Zone(4);

/// Returns the zone of a seat's hand. The seat must be below 5.
pub const fn hand(seat: Seat) -> Zone {
    Zone(5 + seat.0)
}
/// Returns the zone of a seat's tableau: the cards that lie face up before it. The seat must be below 5.
pub const fn tableau(seat: Seat) -> Zone {
    Zone(10 + seat.0)
}
/// Returns the zone of the cards that a seat has locked in its vault, which count at the end; some may be
/// face down. The seat must be below 5.
pub const fn vault(seat: Seat) -> Zone {
    Zone(15 + seat.0)
}
/// Returns the zone of a seat's contribution to the crisis, at most one card. The seat must be below 5.
pub const fn laid(seat: Seat) -> Zone {
    Zone(20 + seat.0)
}

/// The history track: what a faction is worth on each space.
pub const TRACK: [u8; 12] = [6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 30];

/// The most cities that can stand on the map: four factions of twelve.
const CITIES: usize = 48;

/// A game of Ozymandias.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ozymandias {
    /// Number of players.
    pub(crate) seats: u8,
    /// Options and tuning numbers, fixed during a game.
    pub(crate) settings: Options,
    /// Number of turns that have ended.
    pub(crate) turn: u16,
    /// The seat whose turn it is.
    pub(crate) active: Seat,
    /// The spaces of the markers on the track, by faction: indices into [`TRACK`].
    pub(crate) markers: [u8; 4],
    /// Cities that are not on the map, by faction.
    pub(crate) supply: [u8; 4],
    /// Influence by seat; entries beyond `seats` are 0.
    pub(crate) influence: [i32; 5],
    /// Whether a marker has reached the end of the track; the game ends after this turn.
    pub(crate) ending: bool,
    /// The seat that could not pay for a card and so ended the game.
    pub(crate) bankrupt: Option<Seat>,
    /// Whether the last turn that the cap allows has ended the game.
    pub(crate) capped: bool,
    /// The sectors on the map, in the order in which they were placed.
    pub(crate) sectors: Stack<Sector, 24>,
    /// The stacks of cities, none of them empty, ascending by corner.
    pub(crate) cities: Stack<Pile, CITIES>,
    /// The current or last window of card effects.
    pub(crate) window: Window,
    /// The current or last crisis.
    pub(crate) crisis: Crisis,
    /// What is still to be done; the top comes first.
    pub(crate) agenda: Stack<Task, 24>,
    /// All cards and tiles: their zones, and who knows them.
    pub(crate) tokens: Tokens<Thing, Size>,
}

/// A sector on the map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sector {
    /// Where it lies.
    pub hex: Hex,
    /// Its tile.
    pub tile: Token,
}

/// A stack of cities on a corner: two bits a city (its `Faction::index`), the bottom one lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pile {
    /// Where it stands.
    pub corner: Corner,
    /// Number of cities.
    height: u8,
    /// The cities; bits above the top city are 0.
    cities: u128,
}

impl Pile {
    /// Creates an empty stack on a corner. Only stacks with a city may be on the map.
    pub fn at(corner: Corner) -> Self {
        Pile { corner, ..Self::default() }
    }

    /// Returns the number of cities in the stack.
    pub fn height(&self) -> usize {
        self.height as usize
    }

    /// Iterates over the cities of the stack from the bottom up, by faction.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Faction> + DoubleEndedIterator + '_ {
        (0..self.height()).map(|i| FACTIONS[(self.cities >> (2 * i) & 3) as usize])
    }

    /// Returns the faction of the top city; `None` if the stack is empty.
    #[inline]
    pub fn ruler(&self) -> Option<Faction> {
        let top = self.height.checked_sub(1)?;
        Some(FACTIONS[(self.cities >> (2 * top) & 3) as usize])
    }

    /// Iterates over the cities below the top one, from the bottom up.
    pub fn covered(&self) -> impl ExactSizeIterator<Item = Faction> + DoubleEndedIterator + '_ {
        self.iter().take(self.height().saturating_sub(1))
    }

    /// Returns the factions that have a city here, at any height.
    #[inline]
    pub fn factions(&self) -> Factions {
        let here = |f: Faction| u8::from(self.places(f) != 0) << f as u8;
        Factions(FACTIONS.map(here).into_iter().sum())
    }

    /// Returns how many cities of a faction are in the stack, at any height.
    #[inline]
    pub fn count(&self, faction: Faction) -> usize {
        self.places(faction).count_ones() as usize
    }

    /// Returns a mask with the lower of two bits set at each height where a city of this faction is; the
    /// bottom city has bits 0 and 1.
    #[inline]
    fn places(&self, faction: Faction) -> u128 {
        /// The lower of the two bits of each city.
        const LOWER: u128 = u128::MAX / 3;
        let filled = LOWER & ((1 << (2 * self.height)) - 1);
        // Two bits are 0 where a city is of this faction.
        let other = self.cities ^ (LOWER * faction as u128);
        filled & !(other | other >> 1)
    }

    /// Puts a city on top, which then rules the stack. A stack holds fewer than 64 cities.
    pub fn put_on_top(&mut self, faction: Faction) {
        self.cities |= (faction as u128) << (2 * self.height);
        self.height += 1;
    }

    /// Puts a city at the bottom. A stack holds fewer than 64 cities.
    pub fn put_below(&mut self, faction: Faction) {
        self.cities = self.cities << 2 | faction as u128;
        self.height += 1;
    }

    /// Removes the city at index `place`, counted from the bottom from 0, and returns its faction; `None`,
    /// without a change, if there is none.
    pub fn take(&mut self, place: usize) -> Option<Faction> {
        let faction = self.iter().nth(place)?;
        let below = self.cities & ((1 << (2 * place)) - 1);
        self.cities = self.cities >> (2 * place + 2) << (2 * place) | below;
        self.height -= 1;
        Some(faction)
    }

    /// Removes the top city and returns its faction; `None` if the stack is empty.
    pub fn take_top(&mut self) -> Option<Faction> {
        self.take(self.height().checked_sub(1)?)
    }
}

/// The round of card effects after an exploration or an expansion. All of it is fixed when it opens, except
/// that used cards are removed from `candidates`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// Whether exploration cards work, rather than expansion cards.
    pub(crate) exploring: bool,
    /// The factions at the new sector, or in the stack just built on.
    pub(crate) factions: Factions,
    /// The cards that may still be activated, a bit for each.
    pub(crate) candidates: u64,
    /// The new sector, in an exploration.
    pub(crate) hex: Hex,
    /// The corner just built on, in an expansion.
    pub(crate) corner: Corner,
}

impl Window {
    /// Returns the kind of cards that work in this window: exploration or expansion.
    pub(crate) fn kind(&self) -> Kind {
        if self.exploring { Kind::Explore } else { Kind::Expand }
    }
}

/// The current crisis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crisis {
    /// Where the crisis is.
    pub(crate) sector: Hex,
    /// The factions at the sector when it began.
    pub(crate) factions: Factions,
    /// The contributions in resolving order.
    pub(crate) order: Stack<Contribution, 5>,
    /// Peace Talks have been resolved.
    pub(crate) peace: bool,
    /// White cities are safe.
    pub(crate) white_safe: bool,
    /// Covered cities are safe.
    pub(crate) covered_safe: bool,
    /// Factions whose cities give no strength.
    pub(crate) pulsed: Factions,
    /// Cities destroyed in the crisis so far.
    pub(crate) destroyed: u8,
    /// The factions that have won; empty before the crisis is decided.
    pub(crate) winners: Factions,
}

/// A card in a crisis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contribution {
    /// The card.
    pub(crate) card: Token,
    /// The seat that gets its payments, and to which it goes afterwards.
    pub(crate) holder: Seat,
    /// It has no crisis effect (any more).
    pub(crate) mute: bool,
    /// Strength that its own effect adds.
    pub(crate) bonus: u8,
    /// It goes back to its holder's hand.
    pub(crate) returns: bool,
}

/// An entry of the agenda. Tasks that need no event are performed at the end of `apply`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Task {
    /// The game is over.
    #[default]
    Over,
    /// The tile stack is shuffled.
    ShuffleTiles,
    /// The deck is shuffled.
    ShuffleDeck,
    /// A seat sees its starting hand.
    Deal(Seat),
    /// Nature picks the first seat.
    Start,
    /// A token becomes public.
    Show(Token),
    /// All marked tokens become public.
    ShowMarked,
    /// The cards of the market become public.
    ShowMarket,
    /// A seat learns a card it has drawn.
    Learn(Token, Seat),
    /// A seat looks at another's hand.
    Look {
        /// The seat whose hand is seen.
        at: Seat,
        /// The seat that looks.
        by: Seat,
    },
    /// A seat mixes its hand.
    Mix(Seat),
    /// The active seat chooses its action.
    Action,
    /// The active seat places the new sector.
    Place,
    /// The active seat builds a city of this faction.
    Build(Faction),
    /// The window of card effects opens.
    OpenWindow,
    /// The place in turn order whose cards may work now.
    Window(u8),
    /// The active seat may pick up cards of its tableau before a crisis.
    Prelude,
    /// The active seat names the sector of the crisis.
    Sector,
    /// The place in turn order that is to contribute next, if it can.
    AskContribution(u8),
    /// A seat contributes a card, or passes.
    Contribute(Seat),
    /// The contributions are collected and revealed.
    CrisisReveal,
    /// The reveal effect of the contribution at this index of the order.
    RevealEffect(u8),
    /// The winners of the crisis are determined.
    Decide,
    /// The aftermath effect of the contribution at this index of the order.
    AftermathEffect(u8),
    /// The contributions go to where they belong.
    Leave,
    /// A card needs a target.
    Choose {
        /// The seat that chooses.
        by: Seat,
        /// The card.
        card: Myth,
        /// What the card remembers until then.
        memo: Memo,
    },
    /// The place in turn order that buys next, if it must.
    AskPurchase(u8),
    /// A seat buys a card.
    Purchase(Seat),
    /// The turn ends.
    EndTurn,
}

/// What a card remembers between two choices.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Memo {
    /// Nothing: the first or only choice of a tableau card.
    #[default]
    Nothing,
    /// The corner chosen first.
    Corner(Corner),
    /// The card chosen first.
    Card(Token),
    /// The place of the effect in the resolving order.
    Entry(u8),
}

impl Ozymandias {
    /// Returns the seat at index `place` of the turn order, the active one at 0; `None` beyond the last.
    pub(crate) fn in_turn(&self, place: u8) -> Option<Seat> {
        let seat = self.active.0 + place;
        (place < self.seats).then_some(Seat(if seat < self.seats { seat } else { seat - self.seats }))
    }

    /// Returns the current value of a faction on the track, 6 to 30: the price of its cards in influence.
    pub fn value(&self, faction: Faction) -> i32 {
        i32::from(TRACK[self.markers[faction.index()] as usize])
    }

    /// Returns half of the current value of a faction; all values are even.
    pub fn half(&self, faction: Faction) -> i32 {
        self.value(faction) / 2
    }

    /// Returns the price of the top card of the deck: the second highest value of the four factions, which is
    /// the highest if two factions share it.
    pub fn deck_price(&self) -> i32 {
        let mut markers = self.markers;
        markers.sort_unstable();
        i32::from(TRACK[markers[2] as usize])
    }

    /// Returns the influence of a seat, which is its money and part of its score.
    pub fn influence(&self, seat: Seat) -> i32 {
        self.influence[seat.index()]
    }

    /// Returns the card of a public token.
    ///
    /// # Errors
    ///
    /// Fails if its face is not public, or it is a tile.
    pub(crate) fn myth(&self, t: Token) -> Result<Myth, RuleError> {
        self.tokens.face(t)?.myth().ok_or(RuleError::of("this is a tile, not a card", t))
    }

    /// Returns the value of a sector on the map, 0 to 3; 0 while its tile is not public.
    pub fn sector_value(&self, sector: &Sector) -> i32 {
        match self.tokens.public_face(sector.tile) {
            Some(Thing::Tile(i)) => i32::from(TILES[i as usize].value),
            _ => 0,
        }
    }

    /// Iterates over the sectors on the map that meet at a corner, at most three, in the order in which they
    /// were placed.
    pub(crate) fn sectors_at(&self, corner: Corner) -> impl Iterator<Item = &Sector> {
        self.sectors.iter().filter(move |s| corner.touches(s.hex))
    }

    /// Returns whether there is a sector on this hex.
    pub fn has_sector(&self, hex: Hex) -> bool {
        self.sectors.iter().any(|s| s.hex.number() == hex.number())
    }

    /// Returns the stack on a corner; `None` if there is none.
    pub fn pile(&self, corner: Corner) -> Option<&Pile> {
        self.cities.iter().find(|p| p.corner == corner)
    }

    /// Iterates over the stacks on the corners of a hex, ascending by corner.
    pub(crate) fn piles_at(&self, hex: Hex) -> impl Iterator<Item = &Pile> {
        self.cities.iter().filter(move |p| p.corner.touches(hex))
    }

    /// Returns the factions with a city on a corner of a hex, at any height.
    pub(crate) fn factions_at(&self, hex: Hex) -> Factions {
        Factions(self.piles_at(hex).fold(0, |set, p| set | p.factions().0))
    }

    /// Returns how many cities stand on the corners of a hex, covered ones included.
    pub(crate) fn cities_at(&self, hex: Hex) -> usize {
        self.piles_at(hex).map(Pile::height).sum()
    }

    /// Returns whether a stack stands at one of the sectors that meet at `corner`; the stack on the corner
    /// itself does.
    pub(crate) fn is_near(&self, pile: &Pile, corner: Corner) -> bool {
        self.sectors_at(corner).any(|s| pile.corner.touches(s.hex))
    }

    /// Returns whether a corner is on the map, empty, and no stack is one edge away.
    pub(crate) fn is_free(&self, corner: Corner) -> bool {
        self.sectors_at(corner).next().is_some() && !self.is_crowded(corner)
    }

    /// Returns whether a stack is on this corner or one edge away, so that no new stack may be founded here.
    #[inline]
    fn is_crowded(&self, corner: Corner) -> bool {
        self.cities.iter().any(|p| corner.crowds(p.corner))
    }

    /// Returns whether some corner of the map is free for a new stack.
    pub(crate) fn has_free_corner(&self) -> bool {
        self.sectors.iter().flat_map(|s| s.hex.corners()).any(|c| !self.is_crowded(c))
    }

    /// Returns whether a city of this faction may be put on the corner: on a stack that it does not rule, or
    /// on a free corner. Does not check the supply.
    pub(crate) fn is_open(&self, corner: Corner, faction: Faction) -> bool {
        match self.pile(corner) {
            Some(pile) => pile.ruler() != Some(faction),
            None => self.is_free(corner),
        }
    }

    /// Calls `out` for each corner of the map on which a city of this faction may be put, ascending, each
    /// once. Does not check the supply.
    pub(crate) fn open_corners(&self, faction: Faction, out: &mut impl FnMut(Corner)) {
        // As integers, because sorting is most of the work. There is room: each stack stands on a corner of a
        // sector, and 24 sectors have at most 144.
        let mut open: Stack<u32, 144> = Stack::new();
        for pile in self.cities.iter().filter(|p| p.ruler() != Some(faction)) {
            let _ = open.push(pile.corner.number());
        }
        for corner in self.sectors.iter().flat_map(|s| s.hex.corners()) {
            if !self.is_crowded(corner) {
                let _ = open.push(corner.number());
            }
        }
        open.sort_unstable();
        let mut last = None;
        for &number in open.iter().filter(|&&n| last.replace(n) != Some(n)) {
            out(Corner::numbered(number));
        }
    }

    /// Calls `out` for each hex where a new sector may go, ascending, each once: without a sector, with a
    /// stack on a corner. Whether a tile is left is not checked.
    pub(crate) fn frontier(&self, out: &mut impl FnMut(Hex)) {
        let mut all: Stack<Hex, 144> = Stack::new();
        for hex in self.cities.iter().flat_map(|p| p.corner.hexes()) {
            if !self.has_sector(hex) {
                // 48 stacks have at most 144 hexes.
                let _ = all.push(hex);
            }
        }
        all.sort_unstable();
        let mut last = None;
        all.iter().filter(|&&h| last.replace(h) != Some(h)).for_each(|&h| out(h));
    }
}
