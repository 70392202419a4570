//! Queries of the public state for boards.

use crate::cards::Card;
use crate::face::Mode;
use crate::facts::TokenCount;
use crate::map::Place;
use crate::options::Options;
use crate::state::{FIRST_BLOCK, Hestia, L, Task};
use pentarchy_engine::{Seat, Token};

/// The kind of decision that the rules wait for, as user interfaces need it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecisionKind {
    /// Cards are put away at the turn of the year; this number is left to choose.
    Halve(u8),
    /// A card is bid for the first turn.
    Bid,
    /// Cards may join the lead.
    Add,
    /// How many cards are spent on movement.
    Cards,
    /// Which card is paid.
    Pay,
    /// Which cards are exchanged.
    Swap,
    /// Which army marches, what is raised.
    Orders,
    /// Which blocks join the army.
    Pick,
    /// Where the army marches.
    March,
    /// Which battle is next.
    ChooseBattle,
    /// A card for the clash.
    Clash,
    /// Which block loses strength.
    Loss,
    /// Which block regains strength.
    Heal,
    /// Where the beaten army is driven.
    Flee,
    /// Where an army gives way to.
    Withdraw,
    /// A die is about to be rolled for this seat.
    Roll(Seat),
    /// No seat decides.
    Nature,
}

/// The army that marches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Marching {
    /// Where it is.
    pub place: Place,
    /// How many spaces it may still go.
    pub spaces: u8,
    /// Whether it has made a step.
    pub stepped: bool,
}

/// The current battle. Lists of two numbers or modes are by seat, Lenisia first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fought {
    /// Where the battle is.
    pub place: Place,
    /// The seat that attacks.
    pub attacker: Seat,
    /// What each side does in this clash, once it is known.
    pub modes: [Option<Mode>; 2],
    /// The dice of this clash; 0 before they are rolled.
    pub dice: [u8; 2],
    /// The score of each side so far: worth, bonus and die.
    pub scores: [u8; 2],
    /// The value of the fighting card of each side; 0 without one.
    pub worth: [u8; 2],
    /// The side with the higher score so far; `None` if the scores are equal.
    pub winner: Option<Seat>,
    /// What the added cards of each side add to its score.
    pub bonus: [u8; 2],
    /// Number of cards that each side has added.
    pub added: [u8; 2],
    /// Strength that each side has still to lose.
    pub due: [u8; 2],
    /// Cards that each side has played in this battle.
    pub cards: [u8; 2],
    /// How far the retreating army still has to go.
    pub left: u8,
    /// The place that the retreating army has reached.
    pub at: Place,
}

impl Hestia {
    /// Returns the kind of decision or die that the rules wait for; `Nature` for everything else, the end of
    /// the game included.
    pub fn decision_kind(&self) -> DecisionKind {
        match self.step() {
            Task::Half(_, left) => DecisionKind::Halve(left),
            Task::Bid(_) => DecisionKind::Bid,
            Task::Add(_) => DecisionKind::Add,
            Task::Cards(_) => DecisionKind::Cards,
            Task::Pay(..) => DecisionKind::Pay,
            Task::Swap(..) => DecisionKind::Swap,
            Task::Orders(_) => DecisionKind::Orders,
            Task::Pick(_) => DecisionKind::Pick,
            Task::March(_) => DecisionKind::March,
            Task::ChooseBattle(_) => DecisionKind::ChooseBattle,
            Task::Choose(_) | Task::Duty(_) => DecisionKind::Clash,
            Task::Loss(_) => DecisionKind::Loss,
            Task::Heal(_) => DecisionKind::Heal,
            Task::Flee(_) => DecisionKind::Flee,
            Task::Withdraw(_) => DecisionKind::Withdraw,
            Task::Roll(seat, _) => DecisionKind::Roll(seat),
            _ => DecisionKind::Nature,
        }
    }

    /// Returns how many cards the deciding seat has put away for new ones so far; `None` unless it is
    /// replacing cards now.
    pub fn replaced(&self) -> Option<u8> {
        match self.step() {
            Task::Swap(_, replaced) => Some(replaced),
            _ => None,
        }
    }

    /// Returns the options that this game was created with.
    pub fn settings(&self) -> &Options {
        &self.settings
    }

    /// Returns the number of the current year, from 1.
    pub fn year(&self) -> u8 {
        self.year
    }

    /// Returns the last year; `None` while it is not fixed. An extra year after a tie moves it.
    pub fn last_year(&self) -> Option<u8> {
        self.last_year
    }

    /// Returns the seat whose turn it is; during the bid the seat that moved last, seat 0 in the first year.
    pub fn mover(&self) -> Seat {
        self.mover
    }

    /// Returns whether the bid for the first turn is in progress or still to come this year.
    pub fn is_bidding(&self) -> bool {
        self.agenda.iter().any(|step| matches!(step, Task::SettleBid | Task::Bid(_)))
    }

    /// Returns whether a battle is on, or the mover chooses the next one. `false` between battles without a
    /// choice.
    pub fn is_fighting(&self) -> bool {
        self.fought().is_some() || self.step() == Task::ChooseBattle(self.mover)
    }

    /// Returns the number of orders left; `None` if any number may be given, or if no orders are being given.
    /// `decision_kind` tells these apart.
    pub fn orders_left(&self) -> Option<u8> {
        self.orders
    }

    /// Returns how many influence tokens a seat has left to place, at least 0.
    pub fn tokens_left(&self, seat: Seat) -> u8 {
        self.settings.tokens.saturating_sub(self.placed(seat))
    }

    /// Returns how many influence tokens of a seat are active, inactive on the map, and still to be placed.
    pub fn token_count(&self, seat: Seat) -> TokenCount {
        let (active, placed) = (self.active_count(seat), self.placed(seat));
        TokenCount { active, inactive: placed.saturating_sub(active), left: self.tokens_left(seat) }
    }

    /// Returns whether a block has not moved this turn; `false` for cards. Does not check whose block it is
    /// or whose turn.
    pub fn may_move(&self, t: Token) -> bool {
        t.0 >= FIRST_BLOCK && self.is_fresh(t)
    }

    /// Returns the place and the moves of the army that is picked or marches; `None` if there is none. It has
    /// 0 moves until it is complete.
    pub fn marching(&self) -> Option<Marching> {
        let open = self.agenda.iter().any(|step| matches!(step, Task::Pick(_) | Task::March(_)));
        let army = &self.army;
        open.then_some(Marching { place: army.place, spaces: army.spaces, stepped: army.stepped })
    }

    /// Returns whether a block belongs to the army that is picked or marches; `false` without such an army
    /// and for cards.
    pub fn marches(&self, t: Token) -> bool {
        self.marching().is_some() && t.0 >= FIRST_BLOCK && self.army.blocks & Self::bit(t) != 0
    }

    /// Returns the current battle, from its reveal until its cards are discarded; `None` outside of battles.
    pub fn fought(&self) -> Option<Fought> {
        let under_way = |step: &Task| {
            matches!(
                step,
                Task::Clash
                    | Task::Choose(_)
                    | Task::Duty(_)
                    | Task::OpenModes
                    | Task::ShowLeads
                    | Task::Dice
                    | Task::Roll(..)
                    | Task::Score
                    | Task::Loss(_)
                    | Task::Heal(_)
                    | Task::AfterClash
                    | Task::Flee(_)
                    | Task::Withdraw(_)
                    | Task::EndBattle
                    | Task::Muster
            )
        };
        self.agenda.iter().any(under_way).then(|| self.clash_under_way())
    }

    /// Returns the state of the current battle; after it, of the last one (the default before the first).
    pub(crate) fn clash_under_way(&self) -> Fought {
        let b = &self.battle;
        Fought {
            place: b.place,
            attacker: b.attacker,
            modes: b.mode,
            dice: b.dice,
            scores: [Seat(0), Seat(1)].map(|seat| self.clash_score(seat)),
            worth: [Seat(0), Seat(1)].map(|seat| self.worth(seat)),
            winner: self.clash_winner(),
            bonus: self.contest.bonus,
            added: self.contest.added,
            due: b.due,
            cards: b.cards,
            left: b.left,
            at: b.at,
        }
    }

    /// Returns the card that a seat leads with in a bid or clash; `None` if it has no lead or the card is not
    /// public.
    pub fn leads_with(&self, seat: Seat) -> Option<Card> {
        self.lead_card(seat)
    }

    /// Returns the name of the side that a seat plays: `Lenisia` for seat 0, `Hathea` for any other.
    pub fn side_name(seat: Seat) -> &'static str {
        if seat == L { "Lenisia" } else { "Hathea" }
    }
}
