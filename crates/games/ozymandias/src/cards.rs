//! The 48 myths and the 24 sector tiles, as tables.

use pentarchy_engine::{Face, FaceSet, ParseError};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A galactic faction. Factions have no owner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Faction {
    /// The Tribes.
    #[default]
    Red,
    /// The Crusade.
    White,
    /// The Archive.
    Blue,
    /// The Cult.
    Black,
}

/// The factions in their order.
pub const FACTIONS: [Faction; 4] = [Faction::Red, Faction::White, Faction::Blue, Faction::Black];

impl Faction {
    /// Returns the number of the faction, 0 to 3 in the order red, white, blue, black: its index in
    /// [`FACTIONS`] and in arrays by faction.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns its colour, as a word: `red`, `white`, `blue` or `black`.
    pub const fn word(self) -> &'static str {
        ["red", "white", "blue", "black"][self.index()]
    }
}

impl fmt::Display for Faction {
    /// Writes the colour as a word; honours width and alignment.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for Faction {
    type Err = ParseError;
    /// Reads a faction: `red`, `white`, `blue` or `black`.
    ///
    /// # Errors
    ///
    /// Fails for any other text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        FACTIONS
            .into_iter()
            .find(|f| f.to_string() == text)
            .ok_or_else(|| ParseError::new(text, "red, white, blue or black"))
    }
}

/// A set of factions: bit [`Faction::index`] for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Factions(pub u8);

impl Factions {
    /// All four.
    pub const ALL: Factions = Factions(0b1111);

    /// Returns whether the faction is in the set.
    #[inline]
    pub const fn has(self, faction: Faction) -> bool {
        self.0 >> faction as u8 & 1 != 0
    }

    /// Adds a faction; no effect if it is in the set.
    #[inline]
    pub const fn insert(&mut self, faction: Faction) {
        self.0 |= 1 << faction as u8;
    }

    /// Returns a copy of the set without this faction.
    #[inline]
    pub const fn without(self, faction: Faction) -> Self {
        Factions(self.0 & !(1 << faction as u8))
    }

    /// Iterates over the factions of the set in the order red, white, blue, black.
    pub fn iter(self) -> impl Iterator<Item = Faction> {
        FACTIONS.into_iter().filter(move |&f| self.has(f))
    }

    /// Returns the set of all cards of these factions, twelve for each.
    pub fn cards(self) -> FaceSet<Thing> {
        let twelve = |f: Faction| if self.has(f) { 0xfff << (12 * f.index()) } else { 0 };
        FaceSet::from_bits(FACTIONS.into_iter().map(twelve).sum())
    }
}

/// When a card works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// In the tableau, when a sector of its faction is explored.
    Explore,
    /// In the tableau, when a stack with its faction is built on.
    Expand,
    /// As a contribution, before strengths are compared.
    Reveal,
    /// As a contribution, after the markers have moved.
    Aftermath,
}

/// The 48 cards, twelve a faction, two of each rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the table below says what each one is")]
#[repr(u8)]
pub enum Myth {
    #[default]
    JordaniScouts,
    ScorchedEarth,
    ThaniTribes,
    BloodFromAStone,
    EFeriCensus,
    Remembrance,
    ThaniWanderers,
    FiresAtNight,
    GrotlTreasureShips,
    BerserkersOfGrotl,
    GeminiCoup,
    GunsOfAugust,
    ShieldRhetoric,
    PeaceTalks,
    CherasRelic,
    CherasProtection,
    CherasTithe,
    CrusaderFleet,
    CrusadeOfTheSun,
    QuestForAncientEarth,
    BattleOfAgonSphere,
    PilgrimsOfChera,
    SilverSwordUprising,
    AgonsGames,
    ZeleResearchLabs,
    XinHarvest,
    SpymasterHuryThezal,
    BookOfChanges,
    TewellHistorianAdept,
    Psychohistory,
    XinPilgrims,
    AtifHistorianAdept,
    TreatyOfChengHuang,
    ZeleShieldFormula,
    TidalPools,
    SpymasterAtherNesimm,
    VaultsOfAtif,
    UnbreakableSpirit,
    BookOfLeeches,
    IonPulse,
    HaniosResistance,
    MaengalisDiscovery,
    WhispersInTheDeep,
    MaengalisAltar,
    HanianCultists,
    WreckageOfTheXyri,
    RafiasNightmare,
    CyrisTreachery,
}

use Kind::{Aftermath, Expand, Explore, Reveal};
use Myth::*;

/// What is printed on a card: a row of [`CARDS`].
pub struct Printed {
    /// The card of this row.
    pub(crate) myth: Myth,
    /// The title.
    pub title: &'static str,
    /// The word of the notation.
    pub word: &'static str,
    /// The rank, 1 to 6.
    pub rank: u8,
    /// When it works.
    pub kind: Kind,
    /// Its effect.
    pub text: &'static str,
}

/// Creates a row of the card table. The rows must stand in the order of `Myth`, because a card is its index
/// into the table.
const fn card(
    myth: Myth,
    rank: u8,
    kind: Kind,
    title: &'static str,
    word: &'static str,
    text: &'static str,
) -> Printed {
    Printed { myth, title, word, rank, kind, text }
}

/// All cards: red, white, blue, black.
#[rustfmt::skip]
pub const CARDS: [Printed; 48] = [
    card(JordaniScouts, 1, Explore, "Jordani Scouts", "jordani-scouts", "Gain half of red's value plus the value of the new sector."),
    card(ScorchedEarth, 1, Aftermath, "Scorched Earth", "scorched-earth", "If red wins, you may remove the crisis sector. Not after Peace Talks, and never the last sector."),
    card(ThaniTribes, 2, Expand, "Thani Tribes", "thani-tribes", "Gain 2 for each sector at the corner."),
    card(BloodFromAStone, 2, Explore, "Blood from a Stone", "blood-from-a-stone", "Gain 4, plus 1 for each sector without a city, at most 8."),
    card(EFeriCensus, 3, Expand, "E'Feri Census", "eferi-census", "Gain half of red's value."),
    card(Remembrance, 3, Aftermath, "Remembrance", "remembrance", "You may raise a losing faction by 1 space. It must have had a city at the sector."),
    card(ThaniWanderers, 4, Explore, "Thani Wanderers", "thani-wanderers", "Move a ruling red city from another sector to a corner of the new sector. Gain 5."),
    card(FiresAtNight, 4, Expand, "Fires at Night", "fires-at-night", "Destroy the top city of another stack near the corner that red does not rule. Gain 3."),
    card(GrotlTreasureShips, 5, Aftermath, "Grotl Treasure Ships", "grotl-treasure-ships", "If red wins, gain 2 for each city destroyed in this crisis."),
    card(BerserkersOfGrotl, 5, Explore, "Berserkers of Grotl", "berserkers-of-grotl", "Destroy the top city of a stack that red does not rule, at the new sector or a neighbouring one. Gain 5."),
    card(GeminiCoup, 6, Expand, "Gemini Coup", "gemini-coup", "Put a red city on top of a single city that is not red, anywhere. Gain 3."),
    card(GunsOfAugust, 6, Reveal, "Guns of August", "guns-of-august", "You may destroy the top city of a stack that red does not rule, at a neighbouring sector but not at the crisis sector. It counts as destroyed in this crisis. No effect after Peace Talks."),
    card(ShieldRhetoric, 1, Expand, "Shield Rhetoric", "shield-rhetoric", "Choose a stack near the corner that white does not rule. Its highest white city moves to the top. Gain 3."),
    card(PeaceTalks, 1, Reveal, "Peace Talks", "peace-talks", "No city is destroyed and no sector removed in the rest of this crisis."),
    card(CherasRelic, 2, Explore, "Chera's Relic", "cheras-relic", "Gain half of white's value plus twice the value of the new sector."),
    card(CherasProtection, 2, Reveal, "Chera's Protection", "cheras-protection", "White cities at the sector are not destroyed, even if white loses."),
    card(CherasTithe, 3, Expand, "Chera's Tithe", "cheras-tithe", "Gain half of the highest value in the stack, plus 1 for each other faction in it."),
    card(CrusaderFleet, 3, Explore, "Crusader Fleet", "crusader-fleet", "You may sell a hand card of another faction for its value plus 3."),
    card(CrusadeOfTheSun, 4, Expand, "Crusade of the Sun", "crusade-of-the-sun", "Put a white city on a free corner of a sector at this corner. Gain 2."),
    card(QuestForAncientEarth, 4, Explore, "Quest for Ancient Earth", "quest-for-ancient-earth", "Gain 3, plus 2 for each sector of value 0, at most 9."),
    card(BattleOfAgonSphere, 5, Reveal, "Battle of Agon Sphere", "battle-of-agon-sphere", "This card gets +1 strength for each stack at the sector that white rules."),
    card(PilgrimsOfChera, 5, Explore, "Pilgrims of Chera", "pilgrims-of-chera", "Buy a white card from the market for white's value minus 4."),
    card(SilverSwordUprising, 6, Expand, "Silver Sword Uprising", "silver-sword-uprising", "Choose a faction other than white. Its highest covered city in the stack is destroyed. Gain 4."),
    card(AgonsGames, 6, Reveal, "Agon's Games", "agons-games", "Cards that resolve after this one lose their crisis effects."),
    card(ZeleResearchLabs, 1, Explore, "Zele Research Labs", "zele-research-labs", "Pay half the deck price and draw the top card of the deck."),
    card(XinHarvest, 1, Expand, "Xin Harvest", "xin-harvest", "Gain 2 plus the value of all sectors at the corner, at most 7."),
    card(SpymasterHuryThezal, 2, Explore, "Spymaster Hury Thezal", "spymaster-hury-thezal", "Draw the top card of the deck, then put a hand card in the market. Gain 4."),
    card(BookOfChanges, 2, Reveal, "Book of Changes", "book-of-changes", "You may take this card back and contribute another hand card face up. Its faction must have a city at the sector. It has no crisis effect."),
    card(TewellHistorianAdept, 3, Expand, "Tewell, Historian Adept", "tewell-historian-adept", "Put a blue city at the bottom of the stack. Gain 3."),
    card(Psychohistory, 3, Reveal, "Psychohistory", "psychohistory", "Gain 1 for each city at the sector."),
    card(XinPilgrims, 4, Explore, "Xin Pilgrims", "xin-pilgrims", "Put a blue city on a free corner of the new sector. Gain 5."),
    card(AtifHistorianAdept, 4, Expand, "Atif, Historian Adept", "atif-historian-adept", "Gain half of blue's value, plus 1 for each covered blue city on the map."),
    card(TreatyOfChengHuang, 5, Explore, "Treaty of Cheng-Huang", "treaty-of-cheng-huang", "You may show a hand card and exchange it for a market card. Pay the difference if that one is worth more. If you exchange, gain 4."),
    card(ZeleShieldFormula, 5, Aftermath, "Zele Shield Formula", "zele-shield-formula", "If blue does not win, gain 3 and take this card back into your hand."),
    card(TidalPools, 6, Expand, "Tidal Pools", "tidal-pools", "Choose a stack of 2 or more cities near the corner that blue does not rule. Its top city moves to the bottom. Gain 3."),
    card(SpymasterAtherNesimm, 6, Reveal, "Spymaster Ather Nesimm", "spymaster-ather-nesimm", "Look at another player's hand. Gain 3."),
    card(VaultsOfAtif, 1, Expand, "Vaults of Atif", "vaults-of-atif", "Gain 2, plus 2 for each card in your vault, at most 10."),
    card(UnbreakableSpirit, 1, Reveal, "Unbreakable Spirit", "unbreakable-spirit", "Covered cities at the sector are not destroyed."),
    card(BookOfLeeches, 2, Explore, "Book of Leeches", "book-of-leeches", "Gain half of black's value, plus 1 for each card in your hand."),
    card(IonPulse, 2, Reveal, "Ion Pulse", "ion-pulse", "Choose a faction at the sector. Its cities add no strength in this crisis."),
    card(HaniosResistance, 3, Expand, "Hanio's Resistance", "hanios-resistance", "Choose a stack of 2 or more cities near the corner. Its bottom city moves to the top. Gain 3."),
    card(MaengalisDiscovery, 3, Explore, "Maengali's Discovery", "maengalis-discovery", "You may put a hand card in your tableau. If you do, gain 5."),
    card(WhispersInTheDeep, 4, Expand, "Whispers in the Deep", "whispers-in-the-deep", "Put a black city at the bottom of a stack near the corner. Gain 3."),
    card(MaengalisAltar, 4, Aftermath, "Maengali's Altar", "maengalis-altar", "If black wins, you may pay the deck price to put a hand card face down in your vault."),
    card(HanianCultists, 5, Expand, "Hanian Cultists", "hanian-cultists", "Take up to 3 influence from a player who has more than you."),
    card(WreckageOfTheXyri, 5, Explore, "Wreckage of the Xyri", "wreckage-of-the-xyri", "Remove another sector with at most 1 city. Gain 5 plus twice its value."),
    card(RafiasNightmare, 6, Explore, "Rafia's Nightmare", "rafias-nightmare", "Choose a faction at the new sector with a value above 6. It falls by 1 space. Gain 4."),
    card(CyrisTreachery, 6, Reveal, "Cyri's Treachery", "cyris-treachery", "You may exchange your contribution with another player's."),
];

impl Myth {
    /// Returns the printed row of the card: title, word, rank, kind and text.
    #[inline]
    pub const fn printed(self) -> &'static Printed {
        &CARDS[self as usize]
    }

    /// Returns the faction of the card.
    #[inline]
    pub const fn faction(self) -> Faction {
        FACTIONS[self as usize / 12]
    }

    /// Returns the rank of the card, 1 to 6.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.printed().rank
    }

    /// Returns when the card works: at an exploration or expansion (in the tableau), or in a crisis when
    /// revealed or in its aftermath.
    #[inline]
    pub const fn kind(self) -> Kind {
        self.printed().kind
    }
}

/// A sector tile: a name and a value.
pub struct Tile {
    /// The name.
    pub title: &'static str,
    /// The word of the notation.
    pub word: &'static str,
    /// The value, 0 to 3.
    pub value: u8,
}

/// Creates a row of the tile table: the value (0 to 3), the title and the word of the notation.
const fn tile(value: u8, title: &'static str, word: &'static str) -> Tile {
    Tile { title, word, value }
}

/// All tiles.
#[rustfmt::skip]
pub const TILES: [Tile; 24] = [
    tile(0, "Grey's Nebula", "greys-nebula"),
    tile(0, "The Long Dark", "the-long-dark"),
    tile(0, "Broken Ring", "broken-ring"),
    tile(0, "Ash Belt", "ash-belt"),
    tile(1, "Gaia Project", "gaia-project"),
    tile(1, "Red Dunes", "red-dunes"),
    tile(1, "Quiet Reach", "quiet-reach"),
    tile(1, "Salt Moons", "salt-moons"),
    tile(1, "Old Beacon", "old-beacon"),
    tile(1, "Sunken Arcology", "sunken-arcology"),
    tile(1, "Hermit's Orbit", "hermits-orbit"),
    tile(1, "Dust Shoals", "dust-shoals"),
    tile(2, "Forest Moon", "forest-moon"),
    tile(2, "Nyri's Comet", "nyris-comet"),
    tile(2, "Twin Harbours", "twin-harbours"),
    tile(2, "Glass Steppe", "glass-steppe"),
    tile(2, "Ember Cradle", "ember-cradle"),
    tile(2, "Tidelock", "tidelock"),
    tile(2, "Lantern Drift", "lantern-drift"),
    tile(2, "Far Orchard", "far-orchard"),
    tile(3, "Core Sector", "core-sector"),
    tile(3, "Gas Giant", "gas-giant"),
    tile(3, "Holy City", "holy-city"),
    tile(3, "Kings' Crossing", "kings-crossing"),
];

/// What a token shows: a card or a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Thing {
    /// A card.
    Myth(Myth),
    /// A tile, by its place in the table.
    Tile(u8),
}

impl Thing {
    /// Returns the card; `None` for a tile.
    #[inline]
    pub const fn myth(self) -> Option<Myth> {
        match self {
            Thing::Myth(myth) => Some(myth),
            Thing::Tile(_) => None,
        }
    }

    /// Returns the title for players of the card or tile, like `Peace Talks` or `Holy City`. A tile number of
    /// 24 or more panics.
    pub const fn title(self) -> &'static str {
        match self {
            Thing::Myth(myth) => myth.printed().title,
            Thing::Tile(i) => TILES[i as usize].title,
        }
    }

    /// Returns the word of the notation, which is unique among cards and tiles. A tile number of 24 or more
    /// panics.
    const fn word(self) -> &'static str {
        match self {
            Thing::Myth(myth) => myth.printed().word,
            Thing::Tile(i) => TILES[i as usize].word,
        }
    }
}

impl Face for Thing {
    type Bits = u128;
    const KINDS: usize = 72;

    /// Returns the number of the face: cards 0 to 47 in the order of the table, then tiles 48 to 71.
    #[inline]
    fn index(self) -> u8 {
        match self {
            Thing::Myth(myth) => myth as u8,
            Thing::Tile(i) => 48 + i,
        }
    }

    /// Returns the face of a number: a card below 48, else a tile. The number must be below 72; above, the
    /// tile does not exist and reading its title or word panics.
    #[inline]
    fn nth(index: u8) -> Self {
        if index < 48 { Thing::Myth(CARDS[index as usize].myth) } else { Thing::Tile(index - 48) }
    }
}

impl fmt::Display for Thing {
    /// Writes the word of the notation, like `holy-city`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Thing {
    type Err = ParseError;
    /// Reads a card or tile by its word of the notation.
    ///
    /// # Errors
    ///
    /// Fails for any other text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        (0..Thing::KINDS as u8)
            .map(Thing::nth)
            .find(|t| t.word() == text)
            .ok_or_else(|| ParseError::new(text, "the name of a card or a sector"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_hold_what_the_rules_count() {
        for (i, card) in CARDS.iter().enumerate() {
            assert_eq!(card.myth as usize, i);
        }
        for faction in FACTIONS {
            let of = |rank| CARDS.iter().filter(|c| c.myth.faction() == faction && c.rank == rank).count();
            assert_eq!((1..=6).map(of).collect::<Vec<_>>(), [2; 6]);
            let kind = |wanted: &[Kind]| {
                CARDS.iter().filter(|c| c.myth.faction() == faction && wanted.contains(&c.kind)).count()
            };
            assert_eq!([kind(&[Explore]), kind(&[Expand]), kind(&[Reveal, Aftermath])], [4; 3]);
        }
        for set in (0..16).map(Factions) {
            let fits = |thing: Thing| thing.myth().is_some_and(|m| set.has(m.faction()));
            assert_eq!(set.cards(), FaceSet::filter(fits));
        }
        let value = |v| TILES.iter().filter(|t| t.value == v).count();
        assert_eq!([value(0), value(1), value(2), value(3)], [4, 8, 8, 4]);
        let mut words: Vec<_> = (0..72).map(|i| Thing::nth(i).to_string()).collect();
        words.sort();
        words.dedup();
        assert_eq!(words.len(), 72);
    }
}
