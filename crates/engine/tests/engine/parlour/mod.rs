//! Parlour: an evening of small courtesies, in which the engine shows everything it can do.
//!
//! Two to four guests hold a few cards each: flowers (`rose`, `lily`), sweets (`cake`) and trinkets (`fan`,
//! `mask`). Whose turn it is fills the hand up from the deck, then does one thing:
//!
//! | action | what it does | what it shows of the engine |
//! |---|---|---|
//! | `offer #t` | a flower, face down on the table: 1 point | claim `In`, `narrow` |
//! | `match #a #b` | rose and lily, or fan and mask, face down: 3 points | claim `Pair` |
//! | `feast` | two cakes, shown and eaten (only `crumbs` are left): 4 points | claim `Some`, duty, `promise`, `rewrite` |
//! | `leave #t` | a mask, face up on the deck: 1 point | `shows`; a public token on a hidden pile |
//! | `ask 1` | that guest hands over every fan, and assures that there is no more | duty, claim `NoneIn` |
//! | `swap 1` | the two hands change places | `exchange`, `Reveal` to one seat |
//! | `peek` | three cards of the deck, of which one is kept | a private look, `Rearrange` by a non-owner |
//! | `pass` | nothing | |
//!
//! After each round all guests secretly vote on a dance (slips). If more than half want it, a door opens at
//! random (`Pick`) and that guest's hand is seen by all; otherwise a die (`Roll`) says how many cards of the
//! deck show their backs. A hand that others have seen is mixed by its owner before their next turn
//! (`Rearrange`): so nobody can tell which card leaves it. An empty deck is made of the cards played
//! (`Shuffle`). At the end all hands are seen, and each rose is worth a point.
//!
//! The rooms are those of every game crate: `options`, `cards`, `actions`, `rules`, `describe`.

mod actions;
mod cards;
mod describe;
mod options;
mod rules;

pub(crate) use actions::{Answer, Do};
pub(crate) use cards::Card;
pub(crate) use options::ParlourOptions;

use pentarchy_engine::{
    Chance, Cx, Event, FaceSet, Game, GameInfo, MAX_SEATS, Node, OptionsError, Outcome, Promise, RuleError,
    Seat, SeatView, Slips, Stack, Sz, Token, Tokens, Zone,
};
use serde::{Deserialize, Serialize};

/// At most 30 cards and 4 ballots, in 9 zones.
pub(crate) type Size = Sz<34, 9>;

/// The parlour.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Parlour {
    seats: u8,
    hand_size: u8,
    rounds: u8,
    round: u8,
    points: [i16; 4],
    /// What is to happen, the next thing on top.
    agenda: Stack<Task, 12>,
    tokens: Tokens<Card, Size>,
}

/// Something that is to happen: a step that awaits an event, or one that is run off by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) enum Task {
    // Awaiting an event:
    /// Nothing more.
    #[default]
    Over,
    /// A shuffle, revelation or rearrangement after which the agenda just goes on.
    Await(Node),
    /// The seat takes its turn.
    Turn(Seat),
    /// The seat keeps one card of the salver.
    Choose(Seat),
    /// The seat shows this number of cakes.
    Feast(Seat, u8),
    /// The first seat hands all its fans to the second.
    Answer(Seat, Seat),
    /// The seat votes on a dance.
    Vote(Seat),
    /// A door opens: whose?
    Door,
    /// How many backs are seen?
    Die,

    // Run off by themselves:
    /// The turn of the seat begins.
    Begin(Seat),
    /// The seat fills its hand.
    Draw(Seat),
    /// The seat mixes the cards of a zone if others know one of them.
    Mix(Zone, Seat),
    /// The votes are counted.
    Count,
    /// The marks are taken away.
    Unmark,
    /// The round is over.
    EndRound,
    /// Roses are counted.
    Score,
}

/// Where the deck lies.
pub(crate) const DECK: Zone = Zone(4);
/// Where cards lie that were played face down.
pub(crate) const TABLE: Zone = Zone(5);
/// Where cards lie that were played face up.
pub(crate) const DISCARD: Zone = Zone(6);
/// Where the cards lie that somebody peeks at.
pub(crate) const SALVER: Zone = Zone(7);
/// Where the ballots lie: token `cards + seat` is the ballot of a seat.
pub(crate) const BALLOTS: Zone = Zone(8);

/// The hand of a seat.
pub(crate) const fn hand(seat: Seat) -> Zone {
    Zone(seat.0)
}

impl Game for Parlour {
    type Options = ParlourOptions;
    type Action = Do;
    type Face = Card;
    type Size = Size;
    type Fact = ();

    const INFO: GameInfo = GameInfo {
        name: "parlour",
        title: "Parlour",
        pitch: "An evening of small courtesies and smaller deceits.",
        designer: "the engine's tests",
        min_seats: 2,
        max_seats: 4,
        default_seats: 3,
        minutes: 0,
        rules_version: 1,
    };

    fn new(seats: u8, options: &ParlourOptions) -> Result<Self, OptionsError> {
        let full = |e: RuleError| OptionsError::new(e.to_string());
        let mut tokens = Tokens::new();
        for (card, count) in options.deck.counts() {
            for _ in 0..count {
                tokens.add(card, DECK).map_err(full)?;
            }
        }
        for _ in 0..seats {
            tokens.add_slip(BALLOTS).map_err(full)?;
        }
        let mut agenda = Stack::new();
        agenda.push(Task::Begin(Seat(0))).map_err(full)?;
        // What is pushed last happens first: the shuffle, then seat 0 draws, then seat 1, …
        for seat in (0..seats).rev().map(Seat) {
            agenda.push(Task::Draw(seat)).map_err(full)?;
        }
        agenda.push(Task::Await(Node::Chance(Chance::Shuffle { pile: DECK }))).map_err(full)?;
        let (hand_size, rounds) = (options.hand, options.rounds);
        Ok(Parlour { seats, hand_size, rounds, round: 0, points: [0; 4], agenda, tokens })
    }

    fn seats(&self) -> u8 {
        self.seats
    }

    fn tokens(&self) -> &Tokens<Card, Size> {
        &self.tokens
    }

    fn tokens_mut(&mut self) -> &mut Tokens<Card, Size> {
        &mut self.tokens
    }

    fn owner(&self, zone: Zone) -> Option<Seat> {
        (zone.0 < 4).then_some(Seat(zone.0))
    }

    fn open(&self, zone: Zone) -> bool {
        zone == DISCARD
    }

    fn zone_name(zone: Zone) -> String {
        match zone {
            DECK => "deck".to_string(),
            TABLE => "table".to_string(),
            DISCARD => "discard".to_string(),
            SALVER => "salver".to_string(),
            BALLOTS => "ballots".to_string(),
            Zone(seat) => format!("hand {seat}"),
        }
    }

    fn node(&self) -> Node {
        match self.agenda.top() {
            Some(Task::Await(node)) => node,
            Some(Task::Turn(seat) | Task::Choose(seat) | Task::Vote(seat)) => Node::Decide(seat),
            Some(Task::Feast(seat, _) | Task::Answer(seat, _)) => Node::Declare(seat),
            Some(Task::Door) => Node::Chance(Chance::Pick { of: self.seats.into() }),
            Some(Task::Die) => Node::Chance(Chance::Roll { sides: 3 }),
            _ => Node::Over,
        }
    }

    fn legal(&self, own: &SeatView<'_, Self>, out: &mut Vec<Do>) {
        self.list(own, out);
    }

    fn veil(&self, action: Do) -> (Do, Slips<Card>) {
        let (Do::Vote(answer), Some(Task::Vote(seat))) = (action, self.agenda.top()) else {
            return (action, Slips::none());
        };
        let menu = FaceSet::from_iter([Card::Yes, Card::No]);
        let choice = match answer {
            Answer::Yes => Some(Card::Yes),
            Answer::No => Some(Card::No),
            Answer::Sealed => None,
        };
        (Do::Vote(Answer::Sealed), Slips::one(self.ballot(seat), menu, choice))
    }

    fn shows(&self, action: Do, out: &mut impl FnMut(Token)) {
        if let Do::Show(t) | Do::Leave(t) = action {
            out(t);
        }
    }

    fn map_tokens(action: Do, map: &mut dyn FnMut(Token) -> Token) -> Do {
        match action {
            Do::Offer(t) => Do::Offer(map(t)),
            Do::Match(a, b) => Do::Match(map(a), map(b)),
            Do::Leave(t) => Do::Leave(map(t)),
            Do::Take(t) => Do::Take(map(t)),
            Do::Show(t) => Do::Show(map(t)),
            other => other,
        }
    }

    fn apply(&mut self, cx: &mut Cx<'_, Card>, event: Event<Do>) -> Result<(), RuleError> {
        self.happen(cx, event)?;
        self.run_off()
    }

    /// During a feast it is public that the hand of the feasting seat has enough cakes.
    fn promise(&self) -> Option<Promise<Card>> {
        let Some(Task::Feast(seat, least)) = self.agenda.top() else { return None };
        Some(Promise { zone: hand(seat), set: FaceSet::only(Card::Cake), least })
    }

    fn outcome(&self) -> Option<Outcome> {
        let mut scores = [0; MAX_SEATS];
        for (score, points) in scores.iter_mut().zip(self.points) {
            *score = points.into();
        }
        (self.node() == Node::Over).then(|| Outcome::by_score(&scores[..self.seats.into()]))
    }
}
