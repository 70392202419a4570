//! The steps of the agenda: what is still to happen, and what each step has to know.

use crate::actions::Aim;
use pentarchy_engine::{Seat, Token};
use serde::{Deserialize, Serialize};

/// Something still to happen. What is to happen first lies on top; most steps wait for nothing and are run
/// off at the end of an event. A step carries what it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) enum Step {
    /// The game is over.
    #[default]
    Over,
    /// All Hands are laid open.
    LayOpen,

    // --- the turn
    /// The turn of the active player begins.
    Begin,
    /// The turn is over; the next player follows.
    Next,
    /// So many cards are still to be drawn; if the Deck is empty it is rebuilt, even for none.
    Draw(u8),
    /// The Deck is shuffled.
    Shuffle,
    /// Everyone learns whether the top card is an Event.
    Back(Token),
    /// An Event is shown, then its window opens.
    Announce(Token),
    /// A seat learns a token in its Hand.
    Tell(Token, Seat),
    /// Everyone learns a token drawn openly.
    Open(Token),
    /// The active player's main phase. With what public cards there are that serve as stake: to tell a card
    /// shown by an action from one that was public before.
    Main { hr: u8, fiat: bool },
    /// The end phase, with the public HR in the Hand for the same reason.
    End { hr: u8 },
    /// So many HR are still to be shown and spent on a Block.
    Mine(u8),

    // --- cards on the table
    /// A card on the table takes effect, unless it is cancelled.
    Effect(Token, Aim),
    /// A card on the table is done with.
    Discard(Token),
    /// A reaction takes effect on the window below, unless it is cancelled.
    React { card: Token, by: Seat, party: Option<Seat> },
    /// Who may cancel the card below: this seat, and then the following ones.
    Cancel { at: Seat, left: u8, unseen: bool },
    /// A player may protect himself from the loss below.
    Protect(Seat, Loss),
    /// Who may decide the challenge below before it is flipped.
    Challenge { of: Seat, duel: bool, fixed: Option<bool>, at: Seat, left: u8, unseen: bool },
    /// The coin of a challenge.
    Flip,

    // --- losses
    /// HR are paid.
    Pay(Bill),
    /// A Coin is lost, to a player or to the Pool.
    Coin { from: Seat, to: Option<Seat> },
    /// A Block is lost, to the active player or to the Pool, with its Coin or without.
    Block { from: Seat, stolen: bool, coin: bool },

    // --- longer effects
    /// A player shows HR until this many are public in the Hand; so many are now.
    Show { who: Seat, goal: u8, have: u8 },
    /// If the player has shown this many HR the challenge takes place, otherwise it is lost.
    Covered { who: Seat, goal: u8, case: Case },
    /// What depends on a challenge.
    Verdict(Case),
    /// These players lose so many HR each.
    LoseEach { at: Seat, left: u8, k: u8 },
    /// These players get so many HR each.
    GainEach { at: Seat, left: u8, k: u8 },
    /// DEX: the active player chooses what to offer to this one.
    Offer(Seat),
    /// PONZI goes on with this opponent.
    Ponzi { at: Seat, left: u8 },
    /// PONZI: the winner chooses what the opponent gives.
    Choose { by: Seat, from: Seat },
    /// BTFD goes on with this player.
    Btfd { at: Seat, left: u8 },
    /// SYBIL goes on with this player; only Chains of at least this length suffer.
    Sybil { at: Seat, left: u8, least: u8 },
    /// PoS: this player shows an HR.
    Pos { at: Seat, left: u8 },
    /// BYZ.: this player votes.
    Vote { at: Seat, left: u8, ballot: u8 },
    /// BYZ.: all ballots are opened.
    Count { ballot: u8 },
    /// KYC: the drawer chooses.
    Kyc,
    /// A seat learns a whole Hand.
    Look { of: Seat, by: Seat },
    /// Everyone learns the active player's Hand.
    ShowHand,
}

/// A challenge, by what depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) enum Case {
    /// ATH: the drawer flips for all.
    #[default]
    Ath,
    /// ATL: the drawer flips for all.
    Atl,
    /// P&D: the drawer flips for all.
    Pump,
    /// BTFD: this player flips for himself.
    Btfd(Seat),
    /// BOT and ICO: this player stakes so many HR.
    Stake(Seat, u8),
    /// PONZI: who wins chooses.
    Ponzi(Seat),
}

impl Case {
    /// Who flips; `active` is the player whose turn it is.
    pub(crate) const fn challenged(self, active: Seat) -> Seat {
        match self {
            Case::Ath | Case::Atl | Case::Pump => active,
            Case::Btfd(x) | Case::Stake(x, _) | Case::Ponzi(x) => x,
        }
    }
}

/// What is about to be lost: decides which card protects.
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
    /// Who pays.
    pub(crate) from: Seat,
    /// Who is paid; nobody: the Pool.
    pub(crate) to: Option<Seat>,
    /// How many HR are still owed; [`Bill::ALL`] at first: as many as there are in the Hand.
    pub(crate) left: u8,
    /// What happens when the Hand has been gone through.
    pub(crate) then: Then,
}

impl Bill {
    /// All HR of the Hand.
    pub(crate) const ALL: u8 = u8::MAX;
}

/// What happens when the Hand has been gone through.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) enum Then {
    /// Coins are swapped for the rest; what is still missing is forgotten.
    #[default]
    Swap,
    /// Coins are swapped for the rest; what is still missing comes from the Pool.
    Pool,
    /// Nothing more (REKT).
    Stop,
    /// The same as `Pool`, then the payer gets the offered card (DEX).
    Offer,
    /// The same as `Pool` up to the least that MINER yields, then the payer gets a Coin.
    Miner,
}
