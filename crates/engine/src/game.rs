//! The `Game` trait: pure rules over public state.

use crate::claims::Cx;
use crate::face::{Face, FaceSet};
use crate::faces::UNKNOWN;
use crate::node::{Event, Node};
use crate::notation::ParseError;
use crate::options::{Options, OptionsError};
use crate::outcome::Outcome;
use crate::rejected::RuleError;
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

/// The token table of a game.
pub type TokensOf<G> = Tokens<<G as Game>::Face, <G as Game>::Size>;

/// An action of a game: small, with a canonical notation that can be parsed without context.
pub trait Action:
    Copy + Eq + Hash + Debug + Display + FromStr<Err = ParseError> + Send + Sync + 'static
{
}
impl<A> Action for A where
    A: Copy + Eq + Hash + Debug + Display + FromStr<Err = ParseError> + Send + Sync + 'static
{
}

/// Name, seats and version of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// The name in commands and records: lower case, words joined by hyphens.
    pub name: &'static str,
    /// The name as people write it.
    pub title: &'static str,
    /// One line that invites a player to try the game.
    pub pitch: &'static str,
    /// The designer of the game.
    pub designer: &'static str,
    /// Minimum number of seats.
    pub min_seats: u8,
    /// Maximum number of seats.
    pub max_seats: u8,
    /// Number of seats if none is given.
    pub default_seats: u8,
    /// Length of a game between people with the options that the page uses by default: the median of the
    /// lab's estimate, in minutes. 0 if there is no estimate.
    pub minutes: u16,
    /// Version of the rules. Raised whenever an older record could replay differently.
    pub rules_version: u32,
}

/// The rules of a game: a pure, deterministic function of public state and events.
///
/// The laws:
/// 1. *What happens next is public.* `node`, `apply` and `outcome` see public state, public faces and the
///    public form of the event. A rule that needs a hidden face gets a `Reveal`, `Declare` or `Decide` first.
/// 2. *Only the decider's own list reads hidden faces*, through [`SeatView`].
/// 3. *Events are public, their private part is an annex.*
/// 4. *The choice of a token gives nothing away*: a `Rearrange` comes first if another seat knows the zone.
/// 5. *Skipping gives nothing away*: a node is skipped only if public information leaves one action.
pub trait Game: Clone + Debug + Send + Sync + Serialize + DeserializeOwned + 'static {
    /// The options that players choose before the game, and the tuning numbers of the design.
    type Options: Options;
    /// The actions of seats.
    type Action: Action;
    /// The faces of tokens; [`NoFace`](crate::NoFace) if there are none.
    type Face: Face;
    /// The number of tokens and zones; `Sz<0, 0>` if there are none.
    type Size: Size;
    /// What the rules report about an event they apply ([`Cx::emit`]); `()` if they report nothing.
    ///
    /// A fact holds public information only: a hidden card is named by its token, never by its face.
    type Fact: Clone + PartialEq + Debug + Send + Sync + 'static;

    /// Name, seats and version of the game.
    const INFO: GameInfo;

    /// Oldest version of the rules whose records can still be replayed.
    const OLDEST_RULES: u32 = Self::INFO.rules_version;

    /// Switches this state to an older version of the rules, at least [`OLDEST_RULES`](Self::OLDEST_RULES).
    /// Called once, before the first event of a record of that version. The default does nothing.
    fn set_rules_version(&mut self, _version: u32) {}

    /// Creates the initial state for `seats` seats. All tokens are face up; the first `Shuffle` hides them.
    /// [`Position::new`](crate::Position::new) has checked the number of seats and the ranges of the options.
    ///
    /// # Errors
    ///
    /// Fails with a sentence for players if the options do not fit together or do not fit the number of
    /// seats.
    fn new(seats: u8, options: &Self::Options) -> Result<Self, OptionsError>;

    /// Returns the number of seats.
    fn seats(&self) -> u8;

    /// Returns the tokens of this state.
    fn tokens(&self) -> &TokensOf<Self>;

    /// Returns the tokens for the engine's part of an event. Rules change tokens through their own fields.
    fn tokens_mut(&mut self) -> &mut TokensOf<Self>;

    /// Returns the seat that owns the zone, i.e. that may show its tokens; `None` for a joint pile or the
    /// board. The default is `None` for every zone.
    fn owner(&self, _zone: Zone) -> Option<Seat> {
        None
    }

    /// Returns whether tokens in this zone are usually face up. Scenarios use it when they lay out tokens: in
    /// other zones the owner knows the faces, and no seat does in a joint pile. The rules of a match do not
    /// read it. The default is `false`.
    fn open(&self, _zone: Zone) -> bool {
        false
    }

    /// Returns the name of a zone in notation and texts, e.g. `hand 2`. Names must be unique and must not
    /// change, because records contain them. The default is `zone 7`.
    fn zone_name(zone: Zone) -> String {
        format!("zone {}", zone.0)
    }

    /// Returns the awaited node. It follows from public information alone, and asking changes nothing.
    fn node(&self) -> Node;

    /// Appends all legal actions of the seat that decides or declares to `out`; `own` is the view of that
    /// seat. The list is never empty, has no duplicates, and names only the first of several twins. A
    /// `Declare` node has exactly one entry. The engine calls it at no other node.
    fn legal(&self, own: &SeatView<'_, Self>, out: &mut Vec<Self::Action>);

    /// Returns one legal action: calls `nth` with the length of the list and takes the entry with the
    /// returned index. The default replaces `list`, a reusable buffer, by the legal actions; a game may count
    /// instead if that is much cheaper. Returns `None` if the list is empty or the index is out of range.
    #[inline(always)]
    fn choose(
        &self,
        own: &SeatView<'_, Self>,
        list: &mut Vec<Self::Action>,
        nth: impl FnOnce(usize) -> usize,
    ) -> Option<Self::Action> {
        list.clear();
        self.legal(own, list);
        list.get(nth(list.len())).copied()
    }

    /// Splits an action into its public form and the slips that it lays. Idempotent: the public form gives
    /// itself and the slips without choices. The default is for games without secret choices: the action
    /// itself and no slip.
    #[inline(always)]
    fn veil(&self, action: Self::Action) -> (Self::Action, Slips<Self::Face>) {
        (action, Slips::none())
    }

    /// Calls `out` for each of the actor's tokens that this action (in its public form) turns face up, at
    /// most [`MOST_SHOWN`](crate::MOST_SHOWN); public tokens may be among them. The default calls it for
    /// none.
    #[inline(always)]
    fn shows(&self, _action: Self::Action, _out: &mut impl FnMut(Token)) {}

    /// Returns the action with each token that it names replaced by `map(token)`, which is called once for
    /// each token that the action names, always in the same order. Used by the search, by the exchange of
    /// twins and by encoders. The default is for actions that name no tokens: it returns the action and does
    /// not call `map`.
    fn map_tokens(action: Self::Action, _map: &mut dyn FnMut(Token) -> Token) -> Self::Action {
        action
    }

    /// Checks an event and applies it. The engine has already made shown faces public. Conditions on hidden
    /// faces and reports of what was done go through `cx`. The state must not depend on whether facts are
    /// recorded.
    ///
    /// # Errors
    ///
    /// Returns the reason if the event is not legal; the state is then unchanged. A claim that failed in `cx`
    /// rejects the event even if this function returns `Ok`; return its error, so that the state stays
    /// unchanged.
    fn apply(
        &mut self,
        cx: &mut Cx<'_, Self::Face, Self::Fact>,
        event: Event<Self::Action>,
    ) -> Result<(), RuleError>;

    /// Plays several events without checking listed actions again, then returns; the engine resolves the next
    /// node and calls it again. A shortcut for random playouts: it must draw the same random numbers and
    /// reach the same states as event-by-event play. The default does nothing.
    ///
    /// # Errors
    ///
    /// Fails only if the rules contradict themselves; the playout then ends.
    #[inline(always)]
    fn play_on(&mut self, _sim: &mut Sim<'_, Self>) -> Result<(), RuleError> {
        Ok(())
    }

    /// Returns whether public constraints of this game, beyond [`Tokens::may`] and backs, allow a hidden
    /// token to have this face. Used by `determinize`. The default is `true`.
    fn admits(&self, _token: Token, _face: Self::Face) -> bool {
        true
    }

    /// Returns the claim about a zone that a seat has made and is fulfilling token by token; `None` if there
    /// is none now. Used by `determinize`. The default is `None`.
    #[inline(always)]
    fn promise(&self) -> Option<Promise<Self::Face>> {
        None
    }

    /// Returns the final ranking and scores; `Some` exactly if the node is `Over`.
    fn outcome(&self) -> Option<Outcome>;
}

/// "At least `least` tokens of `zone` have a face of `set`": public from the moment a seat claims it
/// ([`Cx::require_some`]) until it has shown those tokens one by one.
#[derive(Clone, Copy, Debug)]
pub struct Promise<F: Face> {
    /// The zone that the claim is about.
    pub zone: Zone,
    /// The faces that count.
    pub set: FaceSet<F>,
    /// Minimum number of such tokens, public ones included.
    pub least: u8,
}

/// What the deciding seat may read: public faces and its private ones.
#[derive(Debug)]
pub struct SeatView<'a, G: Game> {
    /// The seat.
    seat: Seat,
    /// The tokens of the state.
    tokens: &'a TokensOf<G>,
    /// The private faces of the observer, perhaps more than the seat knows.
    faces: &'a FacesOf<G>,
}

/// One byte per token: the number of its face, or [`UNKNOWN`].
type FacesOf<G> = <<G as Game>::Size as Size>::Tok<u8>;

impl<G: Game> Clone for SeatView<'_, G> {
    /// Copies the references.
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Game> Copy for SeatView<'_, G> {}

impl<'a, G: Game> SeatView<'a, G> {
    /// Creates the view of a seat. `faces` may contain more than the seat knows; every read is filtered by
    /// who knows the token.
    #[inline(always)]
    pub(crate) fn new(seat: Seat, tokens: &'a TokensOf<G>, faces: &'a FacesOf<G>) -> Self {
        SeatView { seat, tokens, faces }
    }

    /// Returns the seat whose knowledge this is.
    #[inline(always)]
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Returns the face of a token if this seat knows it; `None` if it does not, or for a number that is no
    /// token.
    #[inline(always)]
    pub fn face(&self, t: Token) -> Option<G::Face> {
        let face = self.number(t);
        (face != UNKNOWN).then(|| G::Face::nth(face))
    }

    /// Returns the number of the token's face if this seat knows it, else [`UNKNOWN`]; also that for a number
    /// that is no token.
    #[inline(always)]
    fn number(&self, t: Token) -> u8 {
        let i = t.index();
        if i >= G::Size::TOKENS || !self.tokens.known[i].to(self.seat) {
            return UNKNOWN;
        }
        // Branch-free: loads both bytes and selects one. Whether a face is public is unpredictable.
        let (public, own) = (self.tokens.face[i], self.faces[i]);
        if self.tokens.known[i].is_public() { public } else { own }
    }

    /// Returns whether this seat knows that the token has this face. `false` also means unknown, or that
    /// there is no such token.
    #[inline(always)]
    pub fn is(&self, t: Token, face: G::Face) -> bool {
        self.number(t) == face.index()
    }

    /// Returns whether this seat knows that the token's face is in the set. `false` also means unknown, or
    /// that there is no such token.
    #[inline(always)]
    pub fn is_in(&self, t: Token, set: FaceSet<G::Face>) -> bool {
        let face = self.number(t);
        face != UNKNOWN && set.has_number(face)
    }
}

/// A secret choice that an action makes; a token stands for it until it is revealed.
#[derive(Clone, Copy, Debug)]
pub struct Slip<F: Face> {
    /// The token that stands for the choice.
    pub token: Token,
    /// The possible choices.
    pub menu: FaceSet<F>,
    /// The choice; `None` in the public form of the action.
    pub choice: Option<F>,
}

/// The slips that an action lays: none or one.
#[derive(Clone, Copy, Debug)]
pub struct Slips<F: Face>(pub Option<Slip<F>>);

impl<F: Face> Slips<F> {
    /// Returns no slip.
    #[inline(always)]
    pub const fn none() -> Self {
        Slips(None)
    }

    /// Returns one slip: `token` stands for a choice from `menu`. `choice` is `None` in the public form of
    /// the action.
    #[inline]
    pub const fn one(token: Token, menu: FaceSet<F>, choice: Option<F>) -> Self {
        Slips(Some(Slip { token, menu, choice }))
    }
}
