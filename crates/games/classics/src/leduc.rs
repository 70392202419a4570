//! Leduc poker: six cards, two players, two rounds of betting with a board card between them.
//!
//! Two suits of jack, queen and king. Each player antes one chip and is dealt a card. After a round of
//! betting (raises of 2) one card is turned up. After a second round (raises of 4) a pair with the board
//! wins, else the higher rank; equal ranks split. At most two raises per round, the first bet included.
//! Southey and others, "Bayes' Bluff", 2005.

use crate::poker::{Betting, Limit, Rank, Say, Then, dealt_to, hand, words};
use pentarchy_engine::{
    AppliedEvent, Audience, Chance, Cx, Describe, Event, Face, FaceLook, Game, GameInfo, Heuristic,
    NoOptions, NoWeights, Node, OptionsError, Outcome, Position, RuleError, SearchHints, Seat, SeatView, Set,
    Side, Sz, TableLayout, Token, Tokens, TokensOf, Zone, faces,
};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// A game of Leduc poker.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Leduc {
    /// What is awaited.
    stage: Stage,
    /// The chips and the bets.
    betting: Betting,
    /// The winner, once the game is over; `None` if the pot is split.
    winner: Option<Seat>,
    /// The cards.
    tokens: Tokens<Card, Sz<6, 4>>,
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
    /// An action of the first betting round.
    First,
    /// The board card is turned up.
    Board,
    /// An action of the second betting round.
    Second,
    /// Both hands are shown.
    Showdown,
    /// Nothing.
    Over,
}

faces! {
    /// A card. Only its rank counts, but the two cards of a rank are different.
    pub enum Card: u8 {
        /// The jack of spades.
        JackOfSpades = "js",
        /// The jack of hearts.
        JackOfHearts = "jh",
        /// The queen of spades.
        QueenOfSpades = "qs",
        /// The queen of hearts.
        QueenOfHearts = "qh",
        /// The king of spades.
        KingOfSpades = "ks",
        /// The king of hearts.
        KingOfHearts = "kh",
    }
}

impl Card {
    /// Returns the rank of the card: jack, queen or king.
    #[inline(always)]
    pub fn rank(self) -> Rank {
        Rank::nth(self.index() / 2)
    }

    /// Returns whether the suit is hearts; otherwise it is spades.
    pub fn is_hearts(self) -> bool {
        self.index() % 2 == 1
    }
}

/// The limits of the first betting round.
const FIRST: Limit = Limit { size: 2, raises: 2 };
/// The limits of the second betting round.
const SECOND: Limit = Limit { size: 4, raises: 2 };
/// The deck; the hands are zones 0 and 1.
const DECK: Zone = Zone(2);
/// The board.
const BOARD: Zone = Zone(3);

impl Leduc {
    /// Moves the top card of the deck to a zone (a hand or the board) and sets the stage. With an empty deck
    /// only the stage changes.
    #[inline(always)]
    fn deal(&mut self, zone: Zone, stage: Stage) {
        if let Some(card) = self.tokens.top(DECK) {
            self.tokens.put(card, zone);
        }
        self.stage = stage;
    }

    /// Ends the game: sets the stage `Over` and the winner; `None` splits the pot.
    #[inline(always)]
    fn end(&mut self, winner: Option<Seat>) {
        (self.stage, self.winner) = (Stage::Over, winner);
    }

    /// Returns the limits of the betting round: raises of 2 chips in the first round, of 4 in every other
    /// stage.
    #[inline(always)]
    fn limit(&self) -> Limit {
        if self.stage == Stage::First { FIRST } else { SECOND }
    }

    /// Returns the rank of the top card in a zone if it is public; `None` if the zone is empty or the card is
    /// hidden.
    #[inline(always)]
    fn rank(&self, zone: Zone) -> Option<Rank> {
        self.tokens.top(zone).and_then(|t| self.tokens.public_face(t)).map(Card::rank)
    }

    /// Returns the seat with the better hand: a pair with the board beats all ranks, else the higher rank
    /// wins; `None` if both are equal. Both hands and the board must be public (after the showdown).
    #[inline(always)]
    fn better(&self) -> Option<Seat> {
        let board = self.rank(BOARD);
        // A pair beats all ranks.
        let strength = |seat| {
            let rank = self.rank(hand(seat));
            rank.map_or(0, Rank::index) + if rank == board { 3 } else { 0 }
        };
        match strength(Seat(0)).cmp(&strength(Seat(1))) {
            Ordering::Greater => Some(Seat(0)),
            Ordering::Less => Some(Seat(1)),
            Ordering::Equal => None,
        }
    }
}

impl Game for Leduc {
    type Options = NoOptions;
    type Action = Say;
    type Face = Card;
    type Size = Sz<6, 4>;
    type Fact = ();

    const INFO: GameInfo = GameInfo {
        name: "leduc",
        title: "Leduc poker",
        pitch: "Six cards, two rounds of betting: poker in a nutshell.",
        designer: "Finnegan Southey and others",
        min_seats: 2,
        max_seats: 2,
        default_seats: 2,
        minutes: 2,
        rules_version: 1,
    };

    /// Creates the state before the shuffle: six face-up cards in the deck and one chip paid by each of the
    /// two seats.
    ///
    /// # Errors
    ///
    /// Fails only if the token table has no room for the deck, which its size excludes.
    fn new(_seats: u8, _options: &NoOptions) -> Result<Self, OptionsError> {
        let mut tokens = Tokens::new();
        for card in Card::ALL {
            tokens.add(card, DECK).map_err(|e| OptionsError::new(e.to_string()))?;
        }
        Ok(Leduc { stage: Stage::Shuffle, betting: Betting::ANTES, winner: None, tokens })
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

    /// Returns the seat whose hand the zone is; `None` for the deck and the board.
    fn owner(&self, zone: Zone) -> Option<Seat> {
        (zone < DECK).then_some(Seat(zone.0))
    }

    /// Returns whether cards in this zone are face up: only the board.
    fn open(&self, zone: Zone) -> bool {
        zone == BOARD
    }

    /// Returns the name of a zone: `deck`, `board`, or `hand` with the number of the seat, like `hand 0`.
    fn zone_name(zone: Zone) -> String {
        match zone {
            DECK => "deck".to_string(),
            BOARD => "board".to_string(),
            Zone(seat) => format!("hand {seat}"),
        }
    }

    /// Returns the next node: shuffle, a look at the dealt card for each seat, bets, the board card, bets,
    /// and the showdown if nobody folded; `Over` after it or after a fold.
    #[inline(always)]
    fn node(&self) -> Node {
        match self.stage {
            Stage::Shuffle => Node::Chance(Chance::Shuffle { pile: DECK }),
            Stage::DealFirst => dealt_to(Seat(0)),
            Stage::DealSecond => dealt_to(Seat(1)),
            Stage::First | Stage::Second => Node::Decide(self.betting.speaker()),
            Stage::Board => Node::Reveal { set: Set::Zone(BOARD), to: Audience::All, side: Side::Face },
            Stage::Showdown => Node::Reveal {
                set: Set::Zones(hand(Seat(0)), hand(Seat(1))),
                to: Audience::All,
                side: Side::Face,
            },
            Stage::Over => Node::Over,
        }
    }

    /// Appends the actions that the bets of this round allow to the seat to act: check and bet, or fold, call
    /// and, while allowed, raise. The stage is not checked.
    #[inline(always)]
    fn legal(&self, _own: &SeatView<'_, Self>, out: &mut Vec<Say>) {
        self.betting.legal(self.limit(), out);
    }

    /// Applies an event: deals the next card after the shuffle and after the first look, lets the seat to act
    /// bet, deals the board card when the first round is even, begins the second round after its reveal, and
    /// compares the hands after the showdown. A fold ends the game at once.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if another kind of event is awaited, or if the bets so far do not allow the
    /// action.
    #[inline(always)]
    fn apply(&mut self, _cx: &mut Cx<'_, Card>, event: Event<Say>) -> Result<(), RuleError> {
        match (self.stage, event) {
            (Stage::Shuffle, Event::Done) => self.deal(hand(Seat(0)), Stage::DealFirst),
            (Stage::DealFirst, Event::Done) => self.deal(hand(Seat(1)), Stage::DealSecond),
            (Stage::DealSecond, Event::Done) => self.stage = Stage::First,
            (Stage::First | Stage::Second, Event::Act(say)) => match self.betting.say(say, self.limit())? {
                Then::Answer => {}
                Then::Even if self.stage == Stage::First => self.deal(BOARD, Stage::Board),
                Then::Even => self.stage = Stage::Showdown,
                Then::Won(seat) => self.end(Some(seat)),
            },
            (Stage::Board, Event::Done) => {
                self.betting.next_round();
                self.stage = Stage::Second;
            }
            (Stage::Showdown, Event::Done) => self.end(self.better()),
            _ => return Err(RuleError::new("something else is awaited")),
        }
        Ok(())
    }

    /// Returns the chips won and lost by each seat as scores once the game is over, 0 each if the pot is
    /// split; `None` before.
    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        (self.stage == Stage::Over).then(|| self.betting.outcome(self.winner))
    }
}

impl pentarchy_engine::Encode for Leduc {
    const MOST_ACTIONS: usize = 3;
}

impl Describe for Leduc {
    const SUMMARY: &'static str = "\
LEDUC POKER, for two

The deck is a jack, a queen and a king of spades and of hearts (js, qs, ks, jh,
qh, kh); suits do not count. Each player pays one chip into the pot and is
dealt one card, which the other does not see. Then they bet, the first player
first:

  check  pay nothing, while there is no bet
  bet    pay 2 chips; the other must answer:
         call   pay the same
         raise  pay the same and 2 more, which the other must answer; once
         fold   give up the pot

When both have paid the same, a third card is turned up on the board, and
there is a second round of the same kind in which bets and raises are 4 chips.

If nobody has folded, both show their cards. A pair with the board wins. If
nobody has a pair, the higher card wins. Equal ranks split the pot.

With best play the first player loses 0.0856 chips a game.
";

    const LESSON: [&'static str; 3] = [
        "The deck has two jacks, two queens and two kings. A pair with the board wins, else the higher card.",
        "You have one card. After the first round of bets one more is turned up for both: the board.",
        "Check or bet. A bet is called, raised or folded. Bets are 2 chips, in the second round 4.",
    ];

    const CLASSIC: bool = true;

    /// Formats the board card (`–` before it is dealt), then one line per seat with its card as this observer
    /// knows it and the chips that it has paid.
    fn table(view: &Position<Self>) -> String {
        let board = match words::card(view, BOARD) {
            card if card.is_empty() => "–".to_string(),
            card => card,
        };
        format!("board {board}\n{}", words::players(view, &view.state().betting))
    }

    /// Describes an action of the seat to act with the chips that it costs, like `raise: pay 4 chips`.
    fn label(view: &Position<Self>, action: Say) -> String {
        words::label(&view.state().betting, view.state().limit().size, action)
    }

    /// Draws a card with its rank and suit: `K♥`, `king of hearts`.
    fn face_look(face: Card) -> FaceLook {
        let rank = ["J", "Q", "K"][face.rank() as usize];
        let suit = if face.is_hearts() { '♥' } else { '♠' };
        FaceLook::Card { sign: format!("{rank}{suit}"), name: Self::card_text(face).unwrap_or_default() }
    }

    /// Returns the chips that each seat has paid, and the pot. Never `None`.
    fn layout(view: &Position<Self>) -> Option<TableLayout> {
        Some(words::layout(&view.state().betting))
    }

    /// Describes a deal, the board card, an action or the showdown, with the result if it ends the game;
    /// `None` for the shuffle.
    fn log(event: &AppliedEvent<'_, Self>) -> Option<String> {
        let AppliedEvent { before, line, after, .. } = *event;
        words::log(before, line, after)
    }

    /// Returns the card in words, like `king of hearts`; never `None`.
    fn card_text(face: Card) -> Option<String> {
        Some(format!("{} of {}", face.rank(), if face.is_hearts() { "hearts" } else { "spades" }))
    }
}

impl Leduc {
    /// Rates the hand of the viewing seat by what it knows, from 1 to 10: 2, 5 or 8 for jack, queen or king
    /// before the board card; after it 10 for a pair with the board, else 1, 3 or 6. 5 if its own card is
    /// unknown.
    fn strength(&self, own: &SeatView<'_, Self>) -> i32 {
        let rank = |zone| self.tokens.top(zone).and_then(|t: Token| own.face(t)).map(Card::rank);
        match (rank(hand(own.seat())), rank(BOARD)) {
            (Some(mine), Some(board)) if mine == board => 10,
            (Some(mine), None) => [2, 5, 8][mine as usize],
            (Some(mine), Some(_)) => [1, 3, 6][mine as usize],
            (None, _) => 5,
        }
    }
}

impl Heuristic for Leduc {
    type Weights = NoWeights;

    /// Appends one rating per action of `list` by the strength `s` of the hand, 1 to 10: `2s - 8` for bets
    /// and raises, `s + 1` for checks and calls, `5 - s` for folds.
    fn rate_with(&self, own: &SeatView<'_, Self>, _weights: &NoWeights, list: &[Say], out: &mut Vec<i32>) {
        let strength = self.strength(own);
        out.extend(list.iter().map(|say| match say {
            Say::Bet | Say::Raise => 2 * strength - 8,
            Say::Check | Say::Call => strength + 1,
            Say::Fold => 5 - strength,
        }));
    }

    /// Estimates the chance of `seat` to win, in thousandths: 100 to 900 by the strength of the deciding
    /// seat's hand; the opponent gets the rest.
    fn evaluate(&self, own: &SeatView<'_, Self>, seat: Seat) -> i32 {
        let chance = 100 * self.strength(own).clamp(1, 9);
        if seat == own.seat() { chance } else { 1000 - chance }
    }

    /// Returns the settings of the search: results count by chips, at most 13, and the ratings are ignored in
    /// the tree, because advice would make the search predictable.
    fn search_hints() -> SearchHints {
        SearchHints { bias: 0, stakes: 13, ..SearchHints::DEFAULT }
    }
}
