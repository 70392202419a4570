//! The trait that a game implements: pure rules over public state.

use crate::claims::Cx;
use crate::face::{Face, FaceSet};
use crate::faces::UNKNOWN;
use crate::node::{Event, Node};
use crate::notation::ParseError;
use crate::options::{Options, OptionsError};
use crate::outcome::Outcome;
use crate::rejected::Rejected;
use crate::seat::Seat;
use crate::sim::Sim;
use crate::size::Size;
use crate::token::{Token, Zone};
use crate::tokens::Tokens;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

/// The tokens of a game.
pub type TokensOf<G> = Tokens<<G as Game>::Face, <G as Game>::Size>;

/// What an action is: small, and with a canonical notation that needs no context.
pub trait Action:
    Copy + Eq + Hash + Debug + Display + FromStr<Err = ParseError> + Send + Sync + 'static
{
}
impl<A> Action for A where
    A: Copy + Eq + Hash + Debug + Display + FromStr<Err = ParseError> + Send + Sync + 'static
{
}

/// What a game is, in a few words and numbers.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// The name in commands and records: lower case, words joined by hyphens.
    pub name: &'static str,
    /// The name as people write it.
    pub title: &'static str,
    /// One line that makes one want to play.
    pub pitch: &'static str,
    /// Who designed the game.
    pub designer: &'static str,
    /// The fewest seats.
    pub min_seats: u8,
    /// The most seats.
    pub max_seats: u8,
    /// The number of seats if nothing is said.
    pub default_seats: u8,
    /// How long a game between people takes with the numbers that the page plays by default: the median of the
    /// lab's estimate, in minutes. 0 where nothing is promised.
    pub minutes: u16,
    /// The version of the rules. Raised whenever a record made before could replay differently.
    pub rules_version: u32,
}

/// The rules of a game: a pure, deterministic function of public state and events.
///
/// The laws:
/// 1. *What happens next is public.* `node`, `apply` and `outcome` see public state, public faces and the
///    public form of the event. A rule that needs a hidden face gets a `Reveal`, `Declare` or `Decide` first.
/// 2. *Only the decider's own list reads hidden faces*, through [`Own`].
/// 3. *Events are public, their private part is an annex.*
/// 4. *Nothing is told by which token moves*: a `Rearrange` comes first where somebody else knows the zone.
/// 5. *Silence tells nothing*: a node is skipped only if public information leaves one action.
pub trait Game: Clone + Debug + Send + Sync + Serialize + DeserializeOwned + 'static {
    /// What can be chosen before the game, tuning included.
    type Options: Options;
    /// What a seat can do.
    type Action: Action;
    /// What tokens show; [`NoFace`](crate::NoFace) if there are none.
    type Face: Face;
    /// How many tokens and zones there are; `Sz<0, 0>` if none.
    type Size: Size;

    /// What the game is.
    const INFO: GameInfo;

    /// The oldest version of the rules whose records can still be replayed.
    const OLDEST_RULES: u32 = Self::INFO.rules_version;

    /// Plays by an older version of the rules from now on, at least [`OLDEST_RULES`](Self::OLDEST_RULES). Called once,
    /// before the first event of a record that was made by that version.
    fn set_rules_version(&mut self, _version: u32) {}

    /// The first position. All tokens lie face up; a `Shuffle` hides them.
    fn new(seats: u8, options: &Self::Options) -> Result<Self, OptionsError>;

    /// How many seats play.
    fn seats(&self) -> u8;

    /// The tokens.
    fn tokens(&self) -> &TokensOf<Self>;

    /// The tokens, for the engine's part of an event.
    fn tokens_mut(&mut self) -> &mut TokensOf<Self>;

    /// Whose zone this is; nobody's for a joint pile or the table.
    fn owner(&self, _zone: Zone) -> Option<Seat> {
        None
    }

    /// Whether tokens lie face up for everybody in this zone, as a rule: what a scenario that lays tokens
    /// there assumes. (In the other zones their owner knows them; nobody does in a joint pile.)
    fn open(&self, _zone: Zone) -> bool {
        false
    }

    /// What people call a zone, e.g. `hand 2`.
    fn zone_name(zone: Zone) -> String {
        format!("zone {}", zone.0)
    }

    /// What is awaited now.
    fn node(&self) -> Node;

    /// The list of the seat that decides or declares: never empty, without repeats, twins once.
    fn legal(&self, own: &Own<'_, Self>, out: &mut Vec<Self::Action>);

    /// One action of that list: `nth` is told how many there are and says which. A game in which that is
    /// much less work than writing the list may count instead; `list` is a buffer to reuse.
    #[inline(always)]
    fn choose(
        &self,
        own: &Own<'_, Self>,
        list: &mut Vec<Self::Action>,
        nth: impl FnOnce(usize) -> usize,
    ) -> Option<Self::Action> {
        list.clear();
        self.legal(own, list);
        list.get(nth(list.len())).copied()
    }

    /// The public form of an action and the slips it lays. Idempotent: of a public form it gives the
    /// same slips without choices.
    #[inline(always)]
    fn veil(&self, action: Self::Action) -> (Self::Action, Slips<Self::Face>) {
        (action, Slips::none())
    }

    /// The actor's own tokens that this (public) action turns up.
    #[inline(always)]
    fn shows(&self, _action: Self::Action, _out: &mut impl FnMut(Token)) {}

    /// The action with each token that it names replaced; for search and for spoken text.
    fn map_tokens(action: Self::Action, _map: &mut dyn FnMut(Token) -> Token) -> Self::Action {
        action
    }

    /// Checks the event and carries it out, or refuses it and changes nothing.
    fn apply(&mut self, cx: &mut Cx<'_, Self::Face>, event: Event<Self::Action>) -> Result<(), Rejected>;

    /// Plays on at random in a playout, as far as the rules know a shorter way than node by node: several
    /// events at once, what was listed not checked again. The rest is left to the engine, which asks again
    /// after the next event. What happens must be the same, down to the numbers that are drawn.
    #[inline(always)]
    fn play_on(&mut self, _sim: &mut Sim<'_, Self>) -> Result<(), Rejected> {
        Ok(())
    }

    /// Public constraints on a hidden token beyond [`Tokens::may`], for `determinize`.
    fn admits(&self, _token: Token, _face: Self::Face) -> bool {
        true
    }

    /// What a seat has claimed of a zone and is about to show token by token, for `determinize`.
    #[inline(always)]
    fn promise(&self) -> Option<Promise<Self::Face>> {
        None
    }

    /// Ranking and scores, once the node is `Over`.
    fn outcome(&self) -> Option<Outcome>;
}

/// "At least so many tokens of this zone have a face of this set": public from the moment a seat claimed it
/// ([`Cx::require_some`]) until it has shown them one by one.
#[derive(Clone, Copy, Debug)]
pub struct Promise<F: Face> {
    /// The zone.
    pub zone: Zone,
    /// The faces.
    pub set: FaceSet<F>,
    /// How many, public ones included.
    pub least: u8,
}

/// What the seat that decides may read: public faces and those that it knows.
#[derive(Debug)]
pub struct Own<'a, G: Game> {
    seat: Seat,
    tokens: &'a TokensOf<G>,
    faces: &'a FacesOf<G>,
}

/// One byte per token: the number of its face, or [`UNKNOWN`].
type FacesOf<G> = <<G as Game>::Size as Size>::Tok<u8>;

impl<G: Game> Clone for Own<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Game> Copy for Own<'_, G> {}

impl<'a, G: Game> Own<'a, G> {
    #[inline(always)]
    pub(crate) fn new(seat: Seat, tokens: &'a TokensOf<G>, faces: &'a FacesOf<G>) -> Self {
        Own { seat, tokens, faces }
    }

    /// The seat whose eyes these are.
    #[inline(always)]
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The face of a token if this seat knows it.
    #[inline(always)]
    pub fn face(&self, t: Token) -> Option<G::Face> {
        let face = self.number(t);
        (face != UNKNOWN).then(|| G::Face::nth(face))
    }

    /// The number of the token's face, if this seat knows it.
    #[inline(always)]
    fn number(&self, t: Token) -> u8 {
        let i = t.index();
        if i >= G::Size::TOKENS || !self.tokens.known[i].to(self.seat) {
            return UNKNOWN;
        }
        // Both are read and one is taken: whether a face is public would often be guessed wrongly.
        let (public, own) = (self.tokens.face[i], self.faces[i]);
        if self.tokens.known[i].is_public() { public } else { own }
    }

    /// Whether this seat knows that the token has this face.
    #[inline(always)]
    pub fn is(&self, t: Token, face: G::Face) -> bool {
        self.number(t) == face.index()
    }

    /// Whether this seat knows that the token's face is in the set.
    #[inline(always)]
    pub fn is_in(&self, t: Token, set: FaceSet<G::Face>) -> bool {
        let face = self.number(t);
        face != UNKNOWN && set.has_number(face)
    }
}

/// A secret choice that an action lays with a token.
#[derive(Clone, Copy, Debug)]
pub struct Slip<F: Face> {
    /// The token that stands for the choice.
    pub token: Token,
    /// What could be chosen.
    pub menu: FaceSet<F>,
    /// What was chosen; nothing in the public form of the action.
    pub choice: Option<F>,
}

/// The slips that an action lays: none, or one.
#[derive(Clone, Copy, Debug)]
pub struct Slips<F: Face>(pub Option<Slip<F>>);

impl<F: Face> Slips<F> {
    /// None.
    #[inline(always)]
    pub const fn none() -> Self {
        Slips(None)
    }

    /// One choice from a menu, laid with this token.
    #[inline]
    pub const fn one(token: Token, menu: FaceSet<F>, choice: Option<F>) -> Self {
        Slips(Some(Slip { token, menu, choice }))
    }
}
