//! Kuhn poker: three cards, two players, one bet. The smallest game in which bluffing pays.
//!
//! Each player antes one chip and is dealt one of jack, queen and king. In turn they `check` or `bet` one
//! more; a bet is answered by `call` or `fold`. If no player folds, the higher card wins. H. W. Kuhn, 1950.

use crate::poker::{Betting, Limit, Rank, Say, Then, dealt_to, hand, words};
use pentarchy_engine::{
    AppliedEvent, Audience, Chance, Cx, Describe, Event, Game, GameInfo, Heuristic, NoOptions, NoWeights,
    Node, OptionsError, Outcome, Position, RuleError, SearchHints, Seat, SeatView, Set, Side, Sz,
    TableLayout, Tokens, TokensOf, Zone,
};
use serde::{Deserialize, Serialize};

/// A game of Kuhn poker.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Kuhn {
    /// What is awaited.
    stage: Stage,
    /// The chips and the bets.
    betting: Betting,
    /// The winner, once the game is over.
    winner: Option<Seat>,
    /// The cards.
    tokens: Tokens<Rank, Sz<3, 3>>,
}

/// What is awaited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Stage {
    /// The shuffle of the deck.
    Shuffle,
    /// Seat 0 looks at its card.
    DealFirst,
    /// Seat 1 looks at its card.
    DealSecond,
    /// An action of the betting round.
    Bet,
    /// Both hands are shown.
    Showdown,
    /// Nothing.
    Over,
}

/// One bet of one chip.
const LIMIT: Limit = Limit { size: 1, raises: 1 };
/// The deck; the hands are zones 0 and 1.
const DECK: Zone = Zone(2);

impl Kuhn {
    /// Moves the top card of the deck to the hand of a seat and sets the stage. With an empty deck only the
    /// stage changes.
    #[inline(always)]
    fn deal(&mut self, seat: Seat, stage: Stage) {
        if let Some(card) = self.tokens.top(DECK) {
            self.tokens.put(card, hand(seat));
        }
        self.stage = stage;
    }

    /// Ends the game: sets the stage `Over` and the winner of the pot.
    #[inline(always)]
    fn end(&mut self, winner: Seat) {
        (self.stage, self.winner) = (Stage::Over, Some(winner));
    }

    /// Returns the card in a seat's hand if it is public (after the showdown); `None` if it is hidden or not
    /// dealt.
    #[inline(always)]
    fn card(&self, seat: Seat) -> Option<Rank> {
        self.tokens.top(hand(seat)).and_then(|t| self.tokens.public_face(t))
    }
}

impl Game for Kuhn {
    type Options = NoOptions;
    type Action = Say;
    type Face = Rank;
    type Size = Sz<3, 3>;
    type Fact = ();

    const INFO: GameInfo = GameInfo {
        name: "kuhn",
        title: "Kuhn poker",
        pitch: "Three cards, one bet: the smallest game in which bluffing pays.",
        designer: "Harold W. Kuhn",
        min_seats: 2,
        max_seats: 2,
        default_seats: 2,
        minutes: 1,
        rules_version: 1,
    };

    /// Creates the state before the shuffle: three face-up cards in the deck and one chip paid by each of the
    /// two seats.
    ///
    /// # Errors
    ///
    /// Fails only if the token table has no room for the deck, which its size excludes.
    fn new(_seats: u8, _options: &NoOptions) -> Result<Self, OptionsError> {
        let mut tokens = Tokens::new();
        for card in Rank::ALL {
            tokens.add(card, DECK).map_err(|e| OptionsError::new(e.to_string()))?;
        }
        Ok(Kuhn { stage: Stage::Shuffle, betting: Betting::ANTES, winner: None, tokens })
    }

    /// Returns the number of seats, always 2.
    fn seats(&self) -> u8 {
        2
    }

    /// Returns the tokens: all cards, their zones and who knows them.
    #[inline(always)]
    fn tokens(&self) -> &TokensOf<Self> {
        &self.tokens
    }

    /// Returns the tokens for the engine, which applies shuffles and reveals to them.
    #[inline(always)]
    fn tokens_mut(&mut self) -> &mut TokensOf<Self> {
        &mut self.tokens
    }

    /// Returns the seat whose hand the zone is; `None` for the deck.
    fn owner(&self, zone: Zone) -> Option<Seat> {
        (zone != DECK).then_some(Seat(zone.0))
    }

    /// Returns the name of a zone: `deck`, `hand 0` or `hand 1`.
    fn zone_name(zone: Zone) -> String {
        if zone == DECK { "deck".to_string() } else { format!("hand {}", zone.0) }
    }

    /// Returns the next node: shuffle, a look at the dealt card for each seat, the decisions of the betting,
    /// and after equal bets the showdown; `Over` after it or after a fold.
    #[inline(always)]
    fn node(&self) -> Node {
        match self.stage {
            Stage::Shuffle => Node::Chance(Chance::Shuffle { pile: DECK }),
            Stage::DealFirst => dealt_to(Seat(0)),
            Stage::DealSecond => dealt_to(Seat(1)),
            Stage::Bet => Node::Decide(self.betting.speaker()),
            Stage::Showdown => Node::Reveal {
                set: Set::Zones(hand(Seat(0)), hand(Seat(1))),
                to: Audience::All,
                side: Side::Face,
            },
            Stage::Over => Node::Over,
        }
    }

    /// Appends the actions that the bets so far allow to the seat to act: check and bet, or fold and call.
    /// The stage is not checked.
    #[inline(always)]
    fn legal(&self, _own: &SeatView<'_, Self>, out: &mut Vec<Say>) {
        self.betting.legal(LIMIT, out);
    }

    /// Applies an event: deals the next card after the shuffle and after the first look, lets the seat to act
    /// bet, and compares the public cards after the showdown: the higher one wins. A fold ends the game at
    /// once, without a showdown.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if another kind of event is awaited, or if the bets so far do not allow the
    /// action.
    #[inline(always)]
    fn apply(&mut self, _cx: &mut Cx<'_, Rank>, event: Event<Say>) -> Result<(), RuleError> {
        match (self.stage, event) {
            (Stage::Shuffle, Event::Done) => self.deal(Seat(0), Stage::DealFirst),
            (Stage::DealFirst, Event::Done) => self.deal(Seat(1), Stage::DealSecond),
            (Stage::DealSecond, Event::Done) => self.stage = Stage::Bet,
            (Stage::Bet, Event::Act(say)) => match self.betting.say(say, LIMIT)? {
                Then::Answer => {}
                Then::Even => self.stage = Stage::Showdown,
                Then::Won(seat) => self.end(seat),
            },
            (Stage::Showdown, Event::Done) => {
                let first_wins = self.card(Seat(0)) > self.card(Seat(1));
                self.end(Seat(u8::from(!first_wins)));
            }
            _ => return Err(RuleError::new("something else is awaited")),
        }
        Ok(())
    }

    /// Returns the chips won and lost by each seat as scores once the game is over; `None` before.
    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        (self.stage == Stage::Over).then(|| self.betting.outcome(self.winner))
    }
}

impl pentarchy_engine::Encode for Kuhn {
    const MOST_ACTIONS: usize = 2;
}

impl Describe for Kuhn {
    const SUMMARY: &'static str = "\
KUHN POKER, for two

The deck is a jack, a queen and a king. Each player pays one chip into the pot
and is dealt one card, which the other does not see; the third card stays
unseen. Then, beginning with the first player:

  check  pay nothing; the other may still bet
  bet    pay one more chip; the other must answer:
         call   pay one chip too
         fold   give up the pot

If nobody folds, both show their cards and the higher one wins: one chip from
the other player, or two if there was a bet.

With best play the first player loses an eighteenth of a chip each game. This
needs bluffs: sometimes the first player bets with a jack.
";

    const LESSON: [&'static str; 3] = [
        "The deck is a jack, a queen and a king. The higher card wins the pot, unless somebody folds.",
        "You have one card; the other player has one of the other two. Each has paid 1 chip.",
        "Check, or bet 1 chip. After a bet the other player calls, or folds and gives up the pot.",
    ];

    const CLASSIC: bool = true;

    /// Formats one line per seat: its card as this observer knows it, and the chips that it has paid.
    fn table(view: &Position<Self>) -> String {
        words::players(view, &view.state().betting)
    }

    /// Describes an action of the seat to act with the chips that it costs, like `bet: pay 1 chip`.
    fn label(view: &Position<Self>, action: Say) -> String {
        words::label(&view.state().betting, LIMIT.size, action)
    }

    /// Returns the chips that each seat has paid, and the pot. Never `None`.
    fn layout(view: &Position<Self>) -> Option<TableLayout> {
        Some(words::layout(&view.state().betting))
    }

    /// Describes a deal, an action or the showdown, with the result if it ends the game; `None` for the
    /// shuffle.
    fn log(event: &AppliedEvent<'_, Self>) -> Option<String> {
        let AppliedEvent { before, line, after, .. } = *event;
        words::log(before, line, after)
    }
}

impl Heuristic for Kuhn {
    type Weights = NoWeights;

    /// Appends one rating per action of `list` to `out`: 10 for betting and calling with a king, checking and
    /// folding with a jack, checking with a queen; 6 and 5 for calling and folding with a queen; 4 for a
    /// bluff with a jack; else 0.
    fn rate_with(&self, own: &SeatView<'_, Self>, _weights: &NoWeights, list: &[Say], out: &mut Vec<i32>) {
        let card = self.tokens.top(hand(own.seat())).and_then(|t| own.face(t));
        out.extend(list.iter().map(|say| match (card, say) {
            (Some(Rank::King), Say::Bet | Say::Call) | (Some(Rank::Jack), Say::Check | Say::Fold) => 10,
            (Some(Rank::Queen), Say::Check) => 10,
            (Some(Rank::Queen), Say::Call) => 6,
            (Some(Rank::Queen), Say::Fold) => 5,
            // An occasional bluff is right.
            (Some(Rank::Jack), Say::Bet) => 4,
            _ => 0,
        }));
    }

    /// Estimates the chance of `seat` to win, in thousandths, from the deciding seat's card alone: 900 with a
    /// king, 100 with a jack, else 500; the opponent gets the rest.
    fn evaluate(&self, own: &SeatView<'_, Self>, seat: Seat) -> i32 {
        let chance = match self.tokens.top(hand(own.seat())).and_then(|t| own.face(t)) {
            Some(Rank::King) => 900,
            Some(Rank::Jack) => 100,
            _ => 500,
        };
        if seat == own.seat() { chance } else { 1000 - chance }
    }

    /// Returns the settings of the search: results count by chips, at most 2, the ratings are ignored, and
    /// the whole game is solved to draw actions from a mixed strategy.
    fn search_hints() -> SearchHints {
        SearchHints { bias: 0, stakes: 2, mixed: true, ..SearchHints::DEFAULT }
    }
}
