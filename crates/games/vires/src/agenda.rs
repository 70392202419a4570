//! The tasks of the agenda, each with the data that it needs.

use crate::actions::Aim;
use pentarchy_engine::{Seat, Token};
use serde::{Deserialize, Serialize};

/// An entry of the agenda. The next one is on top. Most tasks need no event and are performed at the end of
/// `apply`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) enum Task {
    /// The game is over.
    #[default]
    Over,
    /// All Hands become public.
    LayOpen,

    // --- the turn
    /// The turn of the active player begins.
    Begin,
    /// The turn is over; the next player follows.
    Next,
    /// This number of cards is still to be drawn. An empty Deck is rebuilt, even for 0.
    Draw(u8),
    /// The Deck is shuffled.
    Shuffle,
    /// The back of the top card becomes public, which shows whether it is an Event.
    Back(Token),
    /// An Event becomes public, then its window opens.
    Announce(Token),
    /// A seat learns a card in its Hand.
    Tell(Token, Seat),
    /// A card that is drawn openly becomes public.
    Open(Token),
    /// The active player's main phase. `hr` and `fiat` are the public HR, and whether a FIAT is public,
    /// before an action shows a card.
    Main { hr: u8, fiat: bool },
    /// The end phase. `hr` is the number of public HR before an action shows a card.
    End { hr: u8 },
    /// This number of HR is still to be shown and spent on a Block.
    Mine(u8),

    // --- cards on the table
    /// A card on the table takes effect, unless it is cancelled.
    Effect(Token, Aim),
    /// A card on the table goes to the Garbage.
    Discard(Token),
    /// The reaction of `by` takes effect on the window below, unless it is cancelled; STRONG and WEAK name a
    /// `party`.
    React { card: Token, by: Seat, party: Option<Seat> },
    /// Window: `at` and the `left` − 1 seats after it may cancel the card below. `unseen`: a copy of TEST is
    /// not public.
    Cancel { at: Seat, left: u8, unseen: bool },
    /// Window: a player may react to the loss below.
    Protect(Seat, Loss),
    /// Window: `at` and the `left` − 1 seats after it may decide the challenge of `of` below before the flip.
    /// `duel`: the active player is a party too. `fixed`: whether `of` wins, once a reaction has decided it.
    /// `unseen`: a copy of STRONG or WEAK is not public.
    Challenge { of: Seat, duel: bool, fixed: Option<bool>, at: Seat, left: u8, unseen: bool },
    /// The coin flip of a challenge.
    Flip,

    // --- losses
    /// HR are paid.
    Pay(Bill),
    /// A Coin is lost, to a player or to the Pool.
    Coin { from: Seat, to: Option<Seat> },
    /// A Block is lost: to the active player if `stolen`, else to the Pool; `coin`: its Coin is lost too.
    Block { from: Seat, stolen: bool, coin: bool },

    // --- longer effects
    /// A player shows HR until `goal` are public in the Hand; `have` are now.
    Show { who: Seat, goal: u8, have: u8 },
    /// If the player has shown `goal` HR the challenge takes place; otherwise it is lost.
    Covered { who: Seat, goal: u8, case: Case },
    /// The effect of a challenge.
    Verdict(Case),
    /// The `left` players from `at` on lose `k` HR each.
    LoseEach { at: Seat, left: u8, k: u8 },
    /// The `left` players from `at` on get `k` HR each.
    GainEach { at: Seat, left: u8, k: u8 },
    /// DEX: the active player chooses what to offer to this one.
    Offer(Seat),
    /// PONZI continues with this opponent.
    Ponzi { at: Seat, left: u8 },
    /// PONZI: the winner chooses what the opponent gives.
    Choose { by: Seat, from: Seat },
    /// BTFD continues with this player.
    Btfd { at: Seat, left: u8 },
    /// SYBIL continues with this player; it affects only Chains of at least this length.
    Sybil { at: Seat, left: u8, least: u8 },
    /// PoS: this player shows an HR.
    Pos { at: Seat, left: u8 },
    /// BYZ.: this player votes in ballot number `ballot`, from 1; `left` votes are to come.
    Vote { at: Seat, left: u8, ballot: u8 },
    /// BYZ.: all votes of this ballot become public and are counted.
    Count { ballot: u8 },
    /// KYC: the drawer chooses.
    Kyc,
    /// A seat learns a whole Hand.
    Look { of: Seat, by: Seat },
    /// The active player's Hand becomes public.
    ShowHand,
}

/// The kind of a challenge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) enum Case {
    /// ATH: the drawer flips for all.
    #[default]
    Ath,
    /// ATL: the drawer flips for all.
    Atl,
    /// P&D: the drawer flips for all.
    Pump,
    /// BTFD: this player flips for themselves.
    Btfd(Seat),
    /// BOT and ICO: this player stakes this number of HR.
    Stake(Seat, u8),
    /// PONZI: this opponent is challenged; the winner chooses.
    Ponzi(Seat),
}

impl Case {
    /// Returns the player who flips the coin of this challenge and wins it with heads: `active`, the player
    /// whose turn it is, for Events that are flipped for all, else the player that the case names.
    pub(crate) const fn challenged(self, active: Seat) -> Seat {
        match self {
            Case::Ath | Case::Atl | Case::Pump => active,
            Case::Btfd(x) | Case::Stake(x, _) | Case::Ponzi(x) => x,
        }
    }
}

/// What a player is about to lose; decides which cards protect.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Loss {
    /// HashRates.
    #[default]
    Hr,
    /// A Coin.
    Coin,
    /// A Block.
    Block,
}

/// A forced payment of HR.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Bill {
    /// The player who pays.
    pub(crate) from: Seat,
    /// The player who is paid; `None`: the Pool.
    pub(crate) to: Option<Seat>,
    /// HR still owed. [`Bill::ALL`] at first: all HR in the Hand.
    pub(crate) left: u8,
    /// What happens when the Hand has no more HR.
    pub(crate) then: Then,
}

impl Bill {
    /// All HR of the Hand.
    pub(crate) const ALL: u8 = u8::MAX;
}

/// What happens to the rest of a bill when the Hand has no more HR.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) enum Then {
    /// Coins are paid instead; the rest is dropped.
    #[default]
    Swap,
    /// Coins are paid instead; the Pool pays the rest.
    Pool,
    /// Nothing more (REKT).
    Stop,
    /// Coins are paid instead, the Pool pays the rest, then the payer gets the offered card (DEX).
    Offer,
    /// Coins and the Pool pay up to the minimum yield of MINER, then the payer gets a Coin.
    Miner,
}
