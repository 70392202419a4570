//! Facts: what the rules did while they applied an event. The log and the lab are written from them.
//!
//! A fact holds public information only. A card that may be hidden is named by its token; the observer's
//! position knows whether it may be named.

use crate::actions::{Aim, Good};
use crate::cards::Card;
use crate::state::MOST_SEATS;
use pentarchy_engine::{Cx, Seat, Token, Zone};

/// The context of the rules.
pub(crate) type Context<'a> = Cx<'a, Card, Fact>;

/// What a rule of Vires In Numeris did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    // --- what players do
    /// A player played an Action or FLIP.
    Played {
        /// The player.
        seat: Seat,
        /// The card.
        card: Token,
        /// What it is aimed at.
        aim: Aim,
        /// The card of the Hand that was shown for it.
        showing: Option<Token>,
    },
    /// A player played a Flash card in a reaction window.
    Reacted {
        /// The player.
        seat: Seat,
        /// The Flash card.
        card: Token,
        /// The party of the challenge that it favours or harms.
        party: Option<Seat>,
        /// The card on the table that it answers, if its face is public.
        against: Option<Card>,
    },
    /// A player discarded a card at the end of the turn.
    Dismissed(Seat, Token),
    /// A player offered a card with DEX.
    Offered(Seat, Token),
    /// A player chose what is given for PONZI.
    Chose(Seat, Good),
    /// A player answered KYC.
    AnsweredKyc {
        /// The player.
        seat: Seat,
        /// Whether the player shows the Hand; otherwise the rest of the turn is skipped.
        reveal: bool,
    },
    /// A player showed an HR for a stake or an Event.
    ShowedHr(Seat),
    /// A player declared that no further HR is in the Hand.
    ShowedAllHr(Seat),
    /// A player drew an Event.
    EventDrawn(Seat, Token),

    // --- shuffles and reveals
    /// An empty Deck was rebuilt from this number of cards and shuffled, after the first round.
    DeckRebuilt(usize),
    /// A player learned a card in the Hand.
    Learned {
        /// The player.
        seat: Seat,
        /// The card.
        card: Token,
        /// Whether it was drawn in the player's turn; otherwise it came from elsewhere.
        drawn: bool,
    },
    /// A player drew a card that became public.
    DrewOpenly(Seat, Token),
    /// A player saw the whole Hand of a player, perhaps the new own one.
    Looked {
        /// Who saw it.
        by: Seat,
        /// Whose Hand it is.
        of: Seat,
    },
    /// The Hand of a player became public.
    ShowedHand(Seat),
    /// The votes of a ballot were counted.
    VotesCounted {
        /// The vote of each seat; `None` for seats that do not exist.
        votes: [Option<Card>; MOST_SEATS],
        /// What all voted for; `None` if the votes differ.
        agreed: Option<Card>,
        /// Whether another ballot follows, because the votes differ and the options allow one.
        again: bool,
    },

    // --- Blocks and payments
    /// A player began to mine a Block, and pays for it.
    MiningBegan(Seat),
    /// A player gained a Block from the Pool.
    Mined {
        /// The player.
        seat: Seat,
        /// The number of the Block in the Chain; Genesis is 0.
        block: u8,
        /// What paid for it.
        source: BlockSource,
        /// The HR that it cost, if the Hand paid.
        cost: u8,
        /// The Coins that it paid.
        coins: u8,
    },
    /// An HR, a Coin or a Block moved.
    Moved {
        /// The token.
        token: Token,
        /// The zone that it left.
        from: Zone,
        /// The zone that it went to.
        to: Zone,
        /// Whether the player paid it of their own will: the price of a card, or an HR that becomes a Coin.
        price: bool,
    },
    /// A player has to show hidden HR before the payment is complete.
    PaymentPending(Seat),
    /// A payment that needed hidden HR is complete, as far as HR go.
    PaymentClosed {
        /// The player who paid.
        from: Seat,
        /// The player who was paid; `None`: the Pool.
        to: Option<Seat>,
        /// The HR that were paid in all.
        hr: u8,
        /// Whether all HR of the Hand were due.
        all: bool,
    },
    /// The next Block of a player costs this number of HR now.
    NextCost(Seat, u8),
    /// The next Block of a player pays this number of Coins now.
    NextReward(Seat, u8),
    /// The turn after the next mined Block of a player will be locked.
    TimeLocked(Seat),
    /// The next turn of a player is locked.
    NextTurnLocked(Seat),
    /// The next paid card of a player is free this turn.
    NextCardFree(Seat),

    // --- windows and challenges
    /// A card was cancelled.
    Cancelled(Card),
    /// A reaction saved a player from a loss.
    Kept {
        /// The player.
        seat: Seat,
        /// What was kept.
        what: Kept,
        /// Whether the trade of a DEX was called off.
        no_trade: bool,
    },
    /// A player did not cover the stake of this card's challenge and lost it.
    Uncovered(Seat, Card),
    /// A challenge was decided.
    Decided {
        /// The challenged player.
        seat: Seat,
        /// The card that demanded the challenge.
        card: Card,
        /// Whether the challenged player won.
        won: bool,
        /// Whether a coin was flipped; otherwise a reaction decided.
        flipped: bool,
        /// Whether nothing follows from the result.
        idle: bool,
    },
}

/// What pays for a Block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockSource {
    /// The HR of the Hand.
    Hand,
    /// The Pool (NONCE).
    Pool,
}

/// What a reaction saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// The Block and the Coin that goes with it.
    BlockAndCoin,
    /// The Coin.
    Coin,
    /// All HR.
    Hr,
}
