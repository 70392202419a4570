//! Facts: what the rules did while they applied an event. The log, the ledger and the battle report are
//! written from them.
//!
//! A fact holds public information only. A card that may be hidden is named by its token; the observer's
//! position knows whether it may be named.

use crate::actions::Lie;
use crate::cards::{Card, Category};
use crate::places::Side;
use crate::rules::{Aftermath, Fighter, Reckoned};
use pentarchy_engine::{Cx, Seat, Token};

/// The context of the rules.
pub(crate) type Context<'a> = Cx<'a, Card, Fact>;

/// What a rule of Hegemony did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    // --- the turn of a player
    /// A round began.
    RoundBegan(u16),
    /// A seat marked a card of the common pool with a Scalper.
    Marked(Seat, Card),
    /// A seat bought a card for this price.
    Bought {
        /// The buyer.
        seat: Seat,
        /// The card.
        card: Card,
        /// The price.
        price: i32,
    },
    /// A seat sold a card at a Market for this price.
    Sold {
        /// The seller.
        seat: Seat,
        /// The card.
        card: Card,
        /// The price.
        price: i32,
    },
    /// A seat placed a card in a slot, or chose how a card drawn into it lies.
    Placed {
        /// The owner.
        seat: Seat,
        /// The card.
        card: Token,
        /// The slot.
        slot: u8,
        /// How the card lies.
        lie: Lie,
        /// Whether it came from the deck, not from the hand.
        drawn: bool,
    },
    /// A seat stationed a card behind the base card of a slot.
    Stationed {
        /// The owner.
        seat: Seat,
        /// The card.
        card: Token,
        /// The slot.
        slot: u8,
    },
    /// A seat named the category of a Lobbyist.
    Lobbied(Seat, Category),
    /// A seat made war on a side.
    WarBegan(Seat, Side),
    /// A seat began to trade with the Empire.
    TradeBegan(Seat),
    /// A seat discarded its slots to draw fresh cards.
    DrewFresh(Seat),
    /// A seat asked to see the card in this slot of the Empire.
    Asked(Seat, u8),
    /// A seat drew this number of cards.
    Drew(Seat, u8),
    /// Cards were turned face up; the line of the event names them.
    Revealed(Reveal),

    // --- Diplomacy cards
    /// A seat began to use a Diplomacy card.
    UseBegan(Seat, Card),
    /// A seat named the target of its card.
    TargetNamed(Seat, Side),
    /// A seat aimed its card at a slot of this side.
    SlotNamed {
        /// The user of the card.
        seat: Seat,
        /// The card.
        card: Card,
        /// The target of the card.
        target: Side,
        /// The slot; for a False Flag a slot of the user.
        slot: u8,
    },
    /// The Empire aimed its card at the leader.
    Intrigued(Card, Seat),
    /// A used card waits for its effect: a Sabotage may block it. If nobody can answer, its effect follows in
    /// the same event.
    UseWaits(Token),
    /// A side played a Sabotage.
    Sabotaged(Side),
    /// A used card took effect.
    TookEffect(Token, Card),
    /// A used card was blocked by a Sabotage.
    WasBlocked(Token, Card),
    /// A seat saw the deck and the discard pile of a side.
    SawPool(Seat, Side),
    /// A seat saw the cards in a slot.
    SawSlot(Seat, Side, u8),
    /// A seat took a card for an Offer.
    Took(Seat, Token),
    /// A seat gave a card for an Offer.
    Gave(Seat, Token),

    // --- the Hegemony Action
    /// A seat showed a card because a rule asked for it.
    Showed(Seat, Card),
    /// The Hegemony roll of a seat.
    Rolled(HegemonyRoll),
    /// The Empire traded with a seat after its Hegemony roll.
    Traded(HegemonyTrade),

    // --- battle
    /// A side attacked another, and powers were compared.
    Fought(Box<Clash>),
    /// What happened to a card after the battle.
    Fate {
        /// The side of the card.
        side: Side,
        /// The card.
        token: Token,
        /// Its face in the battle.
        card: Card,
        /// The combat roll; `None` if the card did not roll.
        roll: Option<CombatRoll>,
        /// What happened to it.
        result: Aftermath,
    },
    /// A Mercenary left because its side could not pay.
    Deserted(Side, Token),
    /// A card was discarded because it has no room behind the base card of its slot any more.
    Crowded(Side, Token),
    /// The victor emptied a slot of the loser with a Siege Tower.
    Razed {
        /// The victor.
        by: Side,
        /// The loser.
        loser: Side,
        /// The slot.
        slot: u8,
        /// The cards, which returned to the deck.
        cards: Vec<Token>,
    },
    /// The victor used Collateral Damage on a slot of the loser.
    Ruined {
        /// The victor.
        by: Side,
        /// The loser.
        loser: Side,
        /// The slot.
        slot: u8,
    },
    /// A side left the game.
    Fell(Side),

    // --- points
    /// The points of a side changed.
    Points {
        /// The side.
        side: Side,
        /// The change.
        by: i32,
        /// The points after it.
        now: i32,
        /// The reason.
        why: Reason,
    },
}

/// Which cards were turned face up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reveal {
    /// The new cards of the common pool.
    ForSale,
    /// The Empire's new cards.
    OfEmpire,
    /// The Military cards of both sides of a battle.
    Troops,
    /// Other cards.
    Others,
}

/// Why points changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The side bought this card.
    Bought(Card),
    /// The side sold this card.
    Sold(Card),
    /// Income at the start of the side's turn.
    Income,
    /// A share in the gain of a player.
    Middleman,
    /// A Hegemony roll that led to trade.
    Trade,
    /// A battle against this side: its result, loot, Mercenaries and Pity Parties.
    Battle(Side),
}

/// A Hegemony roll.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HegemonyRoll {
    /// The seat that the Empire deals with.
    pub seat: Seat,
    /// The die.
    pub natural: i32,
    /// The modifiers.
    pub modifiers: Reckoned,
    /// The result: the die plus all modifiers.
    pub total: i32,
    /// The highest result that means war.
    pub war_up_to: i32,
    /// Whether the Empire attacks; otherwise it trades.
    pub war: bool,
}

/// What a seat gains by a Hegemony trade, without the shares of Middlemen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HegemonyTrade {
    /// The seat.
    pub seat: Seat,
    /// The gain for the trade.
    pub base: i32,
    /// The gain for each active Trade card.
    pub per_card: i32,
    /// The number of active Trade cards.
    pub cards: i32,
    /// The whole gain.
    pub gain: i32,
}

/// A battle at the moment when powers are compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clash {
    /// The attacker and the defender.
    pub sides: [Side; 2],
    /// Their cards with their powers.
    pub fighters: [Vec<Fighter>; 2],
    /// The total attack and defence.
    pub totals: [i32; 2],
    /// The victor; `None` after a tie.
    pub victor: Option<Side>,
    /// The points that the totals cost the loser, their difference; after a tie what both sides lose.
    pub cost: i32,
    /// The part of the cost that the victor gains; 0 after a tie.
    pub spoils: i32,
}

/// A combat roll.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CombatRoll {
    /// The die.
    pub natural: i32,
    /// The bonus of the side.
    pub bonus: i32,
    /// The die plus the bonus.
    pub total: i32,
    /// What the total must reach.
    pub needs: i32,
}
