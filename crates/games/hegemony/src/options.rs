//! Options of a game, and every number that a designer might vary.

use crate::cards::{KINDS, with_cards};
use crate::state::{TOKENS, most_tokens};
use pentarchy_engine::{Field, OptionKind, OptionsError};
use serde::{Deserialize, Serialize};

/// The Empire's strength at the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Difficulty {
    /// 10 Victory Points plus 20 per player.
    #[default]
    Standard,
    /// 20 Victory Points plus 35 per player.
    Experienced,
    /// 30 Victory Points plus 50 per player.
    Competitive,
}

/// Which seat begins a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TurnOrder {
    /// The next seat each round.
    #[default]
    Rotate,
    /// Always seat 0, or the next one that is still in the game.
    Fixed,
}

/// The options of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The Empire's strength at the start.
    pub difficulty: Difficulty,
    /// The game continues after the Empire's fall until one player is left.
    pub only_one: bool,
    /// Which seat begins a round.
    pub turn_order: TurnOrder,
    /// The Empire gains the points that it wins in war.
    pub imperial_plunder: bool,
    /// Income continues after the Empire's fall.
    pub postwar_income: bool,
    /// Number of the last round; `None`: the tuning number `cap`, or `cap_only_one` with `only_one`.
    pub round_cap: Option<i32>,
    /// Victory Points of each player at the start.
    pub start_vp: i32,
    /// Victory Points of the Empire at the start; `None`: by difficulty and players.
    pub empire_vp: Option<i32>,
    /// Numbers of the rules.
    pub tuning: Tuning,
    /// Numbers of the cards.
    pub cards: Cards,
}

impl Default for Options {
    /// Returns the options of a normal game: Standard difficulty, rotating turn order, income after the
    /// Empire's fall, 25 points each, printed numbers, and no other variant.
    fn default() -> Self {
        Options {
            difficulty: Difficulty::Standard,
            only_one: false,
            turn_order: TurnOrder::Rotate,
            imperial_plunder: false,
            postwar_income: true,
            round_cap: None,
            start_vp: 25,
            empire_vp: None,
            tuning: Tuning::default(),
            cards: Cards::default(),
        }
    }
}

impl Options {
    /// Returns the Empire's Victory Points at the start: `empire_vp` if it is given, else the base of the
    /// difficulty plus an amount for each of `seats` players.
    pub fn empire_start(&self, seats: u8) -> i32 {
        let t = &self.tuning;
        let (base, each) = match self.difficulty {
            Difficulty::Standard => (t.standard_base, t.standard_each),
            Difficulty::Experienced => (t.experienced_base, t.experienced_each),
            Difficulty::Competitive => (t.competitive_base, t.competitive_each),
        };
        self.empire_vp.unwrap_or(base + each * i32::from(seats))
    }

    /// Returns the number of the last round: `round_cap` if it is given, else the tuning number `cap`, or
    /// `cap_only_one` with `only_one`.
    pub fn last_round(&self) -> i32 {
        let usual = if self.only_one { self.tuning.cap_only_one } else { self.tuning.cap };
        self.round_cap.unwrap_or(usual)
    }
}

/// The options that players choose, as opposed to tuning numbers.
const CHOICES: &[Field] = &[
    Field::option(
        "difficulty",
        OptionKind::Choice(&["standard", "experienced", "competitive"]),
        "How many VP the Empire starts with.",
    ),
    Field::option(
        "only_one",
        OptionKind::Flag,
        "The game goes on after the Empire's fall until one player is left.",
    ),
    Field::option(
        "turn_order",
        OptionKind::Choice(&["rotate", "fixed"]),
        "Each round starts with the next player, or always with the first.",
    ),
    Field::option("imperial_plunder", OptionKind::Flag, "The Empire gains the VP that it wins in battles."),
    Field::option(
        "postwar_income",
        OptionKind::Flag,
        "In Only One, players get income after the Empire's fall.",
    ),
    Field::option(
        "round_cap",
        OptionKind::Maybe { min: 1, max: 65_535 },
        "The last round. If none is given: 40, in Only One 80.",
    ),
    Field::option("start_vp", OptionKind::Int { min: 1, max: 65_535 }, "VP of each player at the start."),
    Field::option(
        "empire_vp",
        OptionKind::Maybe { min: 1, max: 65_535 },
        "VP of the Empire at the start. If none are given, difficulty and number of players decide.",
    ),
];

/// Defines [`Tuning`], its defaults and the table `NUMBERS` from lines of name, default, range and
/// documentation.
macro_rules! define_tuning {
    ($($name:ident = $value:literal in $min:literal..=$max:literal, $doc:literal;)*) => {
        /// The numbers of the rules that are not printed on cards.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Tuning {
            $(#[doc = $doc] pub $name: i32,)*
        }

        impl Default for Tuning {
            /// Returns the numbers of the rules as printed.
            fn default() -> Self {
                Tuning { $($name: $value,)* }
            }
        }

        /// The tuning numbers with their ranges, in the order of the table; their names begin with `tuning.`.
        const NUMBERS: &[Field] = &[
            $(Field::tuning(concat!("tuning.", stringify!($name)), $min, $max, $doc),)*
        ];
    };
}

define_tuning! {
    // The shape of a round
    slots              =  5 in 1..=6,   "Slots of each player.";
    empire_slots       =  5 in 0..=6,   "Slots of the Empire, plus one for each living player.";
    pool_size          =  3 in 0..=8,   "Cards dealt to the common pool each round, plus one for each living player.";
    draw               =  5 in 0..=8,   "Cards that a player draws each turn.";
    replace            =  2 in 0..=5,   "Slots that a player must replace each turn.";
    purchases          =  2 in 0..=5,   "Cards that a player may buy from the common pool each turn.";
    trade_purchases    =  2 in 0..=5,   "Cards that a player may buy from the Empire in a Trade action.";
    standard_base      = 10 in 1..=300, "VP of the Empire at the start, Standard.";
    standard_each      = 20 in 0..=100, "VP of the Empire for each player, Standard.";
    experienced_base   = 20 in 1..=300, "VP of the Empire at the start, Experienced.";
    experienced_each   = 35 in 0..=100, "VP of the Empire for each player, Experienced.";
    competitive_base   = 30 in 1..=300, "VP of the Empire at the start, Competitive.";
    competitive_each   = 50 in 0..=100, "VP of the Empire for each player, Competitive.";
    cap                = 40 in 1..=200, "The last round of a game.";
    cap_only_one       = 80 in 1..=200, "The last round of a game of Only One.";
    // The Hegemony Action
    war_up_to          = 10 in -10..=30, "The highest Hegemony roll that means war.";
    hegemony_gain      =  2 in 0..=10,  "VP that a player gains in a Hegemony trade.";
    hegemony_per_trade =  1 in 0..=5,   "VP that a player gains in a Hegemony trade for each active Trade card.";
    hegemony_tribute   =  2 in 0..=10,  "VP that the Empire gains in a Hegemony trade.";
    siege_tower_roll   = -3 in -10..=10, "Hegemony roll: bonus of Siege Tower.";
    barracks_roll      = -3 in -10..=10, "Hegemony roll: bonus of Barracks.";
    general_roll       = -5 in -10..=10, "Hegemony roll: bonus of General.";
    market_roll        =  2 in -10..=10, "Hegemony roll: bonus of Market.";
    trade_route_roll   =  3 in -10..=10, "Hegemony roll: bonus of Trade Route.";
    diplomat_roll      =  3 in -10..=10, "Hegemony roll: bonus of Diplomat.";
    pity_party_roll    =  3 in -10..=10, "Hegemony roll: bonus of Pity Party.";
    unholy_union_roll  =  5 in -10..=10, "Hegemony roll: bonus of Unholy Union.";
    false_flag_roll    = -5 in -10..=10, "Hegemony roll: bonus of each False Flag mark.";
    // Battle
    tie_loss           =  1 in 0..=5,   "VP that a tie costs both sides.";
    levy_stays         = 17 in 1..=40,  "Combat roll that makes a beaten Conscript a Partisan.";
    levy_natural       = 20 in 1..=21,  "Natural roll that makes a beaten Conscript a Professional Soldier.";
    partisan_rises     = 18 in 1..=40,  "Combat roll that makes a victorious Partisan a Professional Soldier.";
    mercenary_loot     =  1 in 0..=5,   "VP that the loser loses for each Mercenary of the winner.";
    mercenary_fee      =  2 in 0..=5,   "VP that a loser pays for each of their own Mercenaries.";
    professional_stays = 11 in 1..=40,  "Combat roll that keeps a beaten Professional Soldier.";
    cavalry_stays      = 14 in 1..=40,  "Combat roll that keeps Cavalry.";
    archer_stays       = 11 in 1..=40,  "Combat roll that keeps an Archer after an attack with a Catapult.";
    scout_bonus        =  2 in 0..=10,  "Bonus of a Scout to combat rolls.";
    general_bonus      =  2 in 0..=10,  "Bonus of a General to combat rolls.";
    general_lead       =  1 in 0..=5,   "Attack and defence that a General adds to every other Military card.";
    catapult_factor    =  2 in 1..=5,   "Factor of a Catapult's attack against Archers and Siege Towers.";
    fortification_drag =  5 in 0..=10,  "Attack that a Fortification takes from its slot.";
    siege_tower_room   =  1 in 0..=3,   "Soldiers that have room behind a Siege Tower.";
    barracks_room      =  3 in 0..=3,   "Military cards that have room behind Barracks.";
    fortification_room =  3 in 0..=3,   "Military cards that have room behind a Fortification.";
    pity               =  3 in 0..=10,  "VP that a Pity Party gives the loser of a battle.";
    // Trade
    laborer_income     =  1 in 0..=5,   "Income of a Laborer.";
    ship_income        =  2 in 0..=5,   "Income of a Cargo Ship.";
    ship_purchases     =  1 in 0..=3,   "Cards that a Cargo Ship may buy in the upkeep.";
    apprenticeship     =  1 in 0..=5,   "Income that an Apprenticeship adds to each Laborer.";
    middleman          =  1 in 0..=5,   "VP that a Middleman gets for each trade gain.";
    grifter            =  1 in 0..=5,   "Discount of a Grifter.";
    scalper            =  2 in 0..=5,   "Surcharge of a Scalper.";
    insider            =  1 in 0..=5,   "Discount of Insider Trading.";
    lobbyist           =  2 in 0..=5,   "Discount of a Lobbyist.";
    lobbyist_floor     =  1 in 0..=5,   "Lowest price that a Lobbyist can reach.";
    market_discount    =  1 in 0..=5,   "Discount of a Market.";
    market_fee         =  1 in 0..=5,   "VP that a Market takes off the printed cost of a sold card.";
    trade_route        =  1 in 0..=3,   "More cards that a Trade Route lets you buy in a Trade action.";
    factory_room       =  3 in 0..=3,   "Laborers that have room behind a Factory.";
}

/// The numbers of a Military card.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Troop {
    /// Attack.
    pub attack: i32,
    /// Defence.
    pub defence: i32,
    /// Cost in Victory Points.
    pub cost: i32,
    /// Copies in the pool deck.
    pub pool: i32,
    /// Copies in each player's deck.
    pub start: i32,
    /// Copies in the Empire's deck.
    pub empire: i32,
}

/// The numbers of a Trade or Diplomacy card.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Good {
    /// Cost in Victory Points.
    pub cost: i32,
    /// Copies in the pool deck.
    pub pool: i32,
    /// Copies in each player's deck.
    pub start: i32,
    /// Copies in the Empire's deck.
    pub empire: i32,
}

/// The numbers of a card of any category: powers, cost in Victory Points, and copies in the pool deck, in
/// each player's starting deck and in the Empire's deck.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stats {
    pub(crate) attack: i32,
    pub(crate) defence: i32,
    pub(crate) cost: i32,
    pub(crate) pool: i32,
    pub(crate) start: i32,
    pub(crate) empire: i32,
}

impl From<Troop> for Stats {
    /// Converts the numbers of a Military card, all of them unchanged.
    fn from(t: Troop) -> Self {
        let Troop { attack, defence, cost, pool, start, empire } = t;
        Stats { attack, defence, cost, pool, start, empire }
    }
}

impl From<Good> for Stats {
    /// Converts the numbers of a Trade or Diplomacy card; attack and defence are 0.
    fn from(g: Good) -> Self {
        let Good { cost, pool, start, empire } = g;
        Stats { attack: 0, defence: 0, cost, pool, start, empire }
    }
}

/// Names the type of a card's numbers by its category: [`Troop`] for Military cards, else [`Good`].
macro_rules! stats_type {
    (Military) => {
        Troop
    };
    ($other:ident) => {
        Good
    };
}

/// Builds the printed numbers of a card: attack, defence, cost and copies in the three decks. Trade and
/// Diplomacy cards drop the first two.
macro_rules! stats_of {
    (Military $a:literal $d:literal $c:literal $p:literal $s:literal $e:literal) => {
        Troop { attack: $a, defence: $d, cost: $c, pool: $p, start: $s, empire: $e }
    };
    ($other:ident $a:literal $d:literal $c:literal $p:literal $s:literal $e:literal) => {
        Good { cost: $c, pool: $p, start: $s, empire: $e }
    };
}

/// Maximum copies of one card in a starting deck.
const MOST_START: i64 = 4;

/// Builds the tuning fields of a card, named `cards.FIELD.NUMBER`: attack and defence from 0 to 9 (Military
/// only), cost from 0 to 30, copies from 0 to the maximum of the card (in a player's deck also at most
/// `MOST_START`).
macro_rules! stats_fields {
    (Military $field:ident $title:literal $most:literal) => {
        &[
            Field::tuning(
                concat!("cards.", stringify!($field), ".attack"),
                0,
                9,
                concat!($title, ": attack."),
            ),
            Field::tuning(
                concat!("cards.", stringify!($field), ".defence"),
                0,
                9,
                concat!($title, ": defence."),
            ),
            Field::tuning(concat!("cards.", stringify!($field), ".cost"), 0, 30, concat!($title, ": cost.")),
            Field::tuning(
                concat!("cards.", stringify!($field), ".pool"),
                0,
                $most,
                concat!($title, ": copies in the pool deck."),
            ),
            Field::tuning(
                concat!("cards.", stringify!($field), ".start"),
                0,
                least($most, MOST_START),
                concat!($title, ": copies in a player's deck."),
            ),
            Field::tuning(
                concat!("cards.", stringify!($field), ".empire"),
                0,
                $most,
                concat!($title, ": copies in the Empire's deck."),
            ),
        ]
    };
    ($other:ident $field:ident $title:literal $most:literal) => {
        &[
            Field::tuning(concat!("cards.", stringify!($field), ".cost"), 0, 30, concat!($title, ": cost.")),
            Field::tuning(
                concat!("cards.", stringify!($field), ".pool"),
                0,
                $most,
                concat!($title, ": copies in the pool deck."),
            ),
            Field::tuning(
                concat!("cards.", stringify!($field), ".start"),
                0,
                least($most, MOST_START),
                concat!($title, ": copies in a player's deck."),
            ),
            Field::tuning(
                concat!("cards.", stringify!($field), ".empire"),
                0,
                $most,
                concat!($title, ": copies in the Empire's deck."),
            ),
        ]
    };
}

/// Returns the smaller of two numbers, usable in constants.
const fn least(a: i64, b: i64) -> i64 {
    if a < b { a } else { b }
}

/// Defines [`Cards`], its defaults and the table `OF_CARDS` from the lines of `with_cards!`.
macro_rules! define_stats {
    ($($category:ident { $($card:ident $field:ident $word:literal $title:literal
        $attack:literal $defence:literal $cost:literal
        $pool:literal $start:literal $empire:literal $most:literal;)* })*) => {
        /// The numbers of all cards.
        #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Cards {
            $($(#[doc = $title] pub $field: stats_type!($category),)*)*
        }

        impl Default for Cards {
            /// Returns the printed numbers of all cards.
            fn default() -> Self {
                Cards { $($($field: stats_of!($category $attack $defence $cost $pool $start $empire),)*)* }
            }
        }

        impl Cards {
            /// Returns the numbers of all cards in the order of [`CARDS`](crate::cards::CARDS).
            pub(crate) fn all(&self) -> [Stats; KINDS] {
                [$($(self.$field.into(),)*)*]
            }
        }

        /// The tuning fields of each card, in the order of the card table.
        const OF_CARDS: &[&[Field]] = &[$($(stats_fields!($category $field $title $most),)*)*];
    };
}

with_cards!(define_stats);

/// Number of all fields: options, numbers of the rules, numbers of the cards.
const COUNT: usize = CHOICES.len() + NUMBERS.len() + count(OF_CARDS);

/// Returns the number of fields in all lists together; usable in constants.
const fn count(lists: &[&[Field]]) -> usize {
    let (mut n, mut i) = (0, 0);
    while i < lists.len() {
        n += lists[i].len();
        i += 1;
    }
    n
}

/// Joins all tables of fields into one array: options, numbers of the rules, numbers of the cards.
const fn joined() -> [Field; COUNT] {
    let mut all = [CHOICES[0]; COUNT];
    let mut n = 0;
    let mut i = 0;
    while i < CHOICES.len() {
        all[n] = CHOICES[i];
        (n, i) = (n + 1, i + 1);
    }
    i = 0;
    while i < NUMBERS.len() {
        all[n] = NUMBERS[i];
        (n, i) = (n + 1, i + 1);
    }
    i = 0;
    while i < OF_CARDS.len() {
        let mut k = 0;
        while k < OF_CARDS[i].len() {
            all[n] = OF_CARDS[i][k];
            (n, k) = (n + 1, k + 1);
        }
        i += 1;
    }
    all
}

impl pentarchy_engine::Options for Options {
    const FIELDS: &'static [Field] = &joined();

    /// Checks that the cards of all decks and of the reserve fit, with `seats` players. The ranges of single
    /// options and the number of seats are not checked here.
    ///
    /// # Errors
    ///
    /// Fails if there are more cards than `TOKENS`.
    fn check(&self, seats: u8) -> Result<(), OptionsError> {
        let tokens = most_tokens(&self.cards.all(), seats);
        if tokens > TOKENS {
            return Err(OptionsError(format!(
                "the decks and the reserve come to {tokens} cards; there is room for {TOKENS}"
            )));
        }
        Ok(())
    }
}
