//! The interface of an online peer to a game in progress: information about tokens, and logged events without
//! generic types.

use super::AnyError;
use super::position::ErasedPosition;
use crate::claims::Claim;
use crate::face::{Bits, Face, FaceSet};
use crate::game::Game;
use crate::line::{Annex, LoggedEvent};
use crate::node::{Event, Set};
use crate::position::{LoggedEventOf, Observer};
use crate::rejected::{RuleError, ensure};
use crate::rng::Rng;
use crate::seat::{Known, Seat};
use crate::size::Size;
use crate::token::{Back, Token, Zone};

/// The public information about a token, and its face if this observer knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TokenInfo {
    /// The zone of the token; [`Zone::NOWHERE`] if it does not take part in this game.
    pub zone: Zone,
    /// The owner of that zone.
    pub owner: Option<Seat>,
    /// Who knows its face.
    pub known: Known,
    /// Its public back.
    pub back: Back,
    /// The faces that it can have according to public claims: bit i for face number i.
    pub may: u128,
    /// The number of its face if that is public.
    pub public: Option<u8>,
    /// The number of its face if this observer knows it.
    pub face: Option<u8>,
}

/// An action split into the parts that a peer needs for its proofs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Act {
    /// The canonical text of the public form.
    pub public: String,
    /// The hidden tokens that the action turns face up, ascending.
    pub shows: Vec<Token>,
    /// The slip that the action lays.
    pub slip: Option<SlipInfo>,
}

/// A secret choice, with faces as numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlipInfo {
    /// The token that stands for the choice.
    pub token: Token,
    /// The possible choices, ascending.
    pub menu: Vec<u8>,
    /// The choice; `None` in the public form of the action.
    pub choice: Option<u8>,
}

/// An event as the rules see it, with the action as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RawEventKind {
    /// The canonical text of an action in its public form.
    Act(String),
    /// The result of a roll or pick.
    Rolled(u32),
    /// The awaited shuffle, cast, rearrangement or reveal has happened.
    Done,
}

/// A logged event without generic types: faces are numbers, and the only annex is that of this observer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawEvent {
    /// The event.
    pub event: RawEventKind,
    /// Faces that become public, by ascending token.
    pub shown: Vec<(Token, u8)>,
    /// Backs that become public, by ascending token.
    pub backs: Vec<(Token, Back)>,
    /// The permutation, if this observer made it; empty otherwise.
    pub order: Vec<u16>,
    /// Faces that this observer learns, by ascending token.
    pub learned: Vec<(Token, u8)>,
    /// This observer's own action with its secret choice.
    pub sealed: Option<String>,
}

impl RawEvent {
    /// Creates a logged event without shown faces, backs or private parts.
    pub fn new(event: RawEventKind) -> Self {
        RawEvent {
            event,
            shown: Vec::new(),
            backs: Vec::new(),
            order: Vec::new(),
            learned: Vec::new(),
            sealed: None,
        }
    }
}

/// A claim about hidden faces without generic types: in sets of faces bit i stands for face number i.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RawClaim {
    /// The face of the token is in the set.
    In(Token, u128),
    /// No token of the list has a face of the set.
    NoneIn(Vec<Token>, u128),
    /// At least this number of tokens of the list have a face of the set.
    Some(Vec<Token>, u128, u8),
    /// The two faces are one of the pairs.
    Pair(Token, Token, Vec<(u8, u8)>),
}

/// The view of a game in progress that an online peer uses: queries about tokens and actions, and application
/// of verified events.
pub trait PeerView {
    /// Returns the number of kinds of faces; 0 for a game without tokens.
    fn kinds(&self) -> u8;

    /// Returns the back of a token with this face number; the plain back if there is no such face.
    fn back_of(&self, face: u8) -> Back;

    /// Returns the number of token numbers of the game, those that are not in use included.
    fn token_count(&self) -> u16;

    /// Returns the information about a token that this observer has. A number that is no token gives
    /// [`Zone::NOWHERE`] and nothing known.
    fn token_info(&self, t: Token) -> TokenInfo;

    /// Returns the tokens of a set, ascending; numbers that are not in use are left out. Empty if the set is.
    fn members(&self, set: Set) -> Vec<Token>;

    /// Returns whether two hidden tokens are in one group, i.e. they may have changed places; `false` for
    /// public tokens, slips, dice and numbers that are no tokens.
    fn same_group(&self, a: Token, b: Token) -> bool;

    /// Returns the faces of this token's group as numbers, ascending, with repetitions; empty for a token
    /// without a group. The multiset of a group is public.
    fn group_faces(&self, t: Token) -> Vec<u8>;

    /// Returns the canonical text of the legal action that has this spoken or canonical text; canonical text
    /// has priority.
    ///
    /// # Errors
    ///
    /// Fails if no legal action has this text, if no seat is to act, or, in a game with tokens, if this
    /// observer is another seat or a spectator.
    fn parse_legal(&self, text: &str) -> Result<String, AnyError>;

    /// Splits an action, given as canonical text, into public form, shown tokens (ascending, each once) and
    /// slip. Does not check that it is legal; tokens that do not exist or are public are left out of the
    /// shown ones. Changes nothing.
    ///
    /// # Errors
    ///
    /// Fails if the text cannot be parsed.
    fn act(&self, text: &str) -> Result<Act, AnyError>;

    /// Replaces each hidden token of the actor in an action by a random one of its twins (same zone, face,
    /// back, possible faces, knowledge and mark; perhaps itself), so that the choice among equal cards
    /// reveals nothing. No token is chosen twice, and twins in `prefer` are taken first. Tokens whose faces
    /// this observer does not know stay. Returns the canonical text; `text` as it is if no seat is to act or
    /// the rules reject the replacement. Changes only `rng`.
    ///
    /// # Errors
    ///
    /// Fails if the text cannot be parsed.
    fn shuffle_twins(&self, text: &str, prefer: &[Token], rng: &mut Rng) -> Result<String, AnyError>;

    /// Checks a logged event, applies it, and returns the claims about hidden faces that its author must
    /// prove, in the order of the rules. Remembers it as the last event. Claims about faces that this
    /// observer does not know are checked against public information only: the caller must have the proofs
    /// verified. On `Err` nothing has changed.
    ///
    /// # Errors
    ///
    /// Fails if the event cannot be parsed, does not resolve the awaited node, lacks a face or an annex that
    /// this observer is entitled to, contradicts what this observer knows, or if the rules reject it.
    fn follow_line(&mut self, line: &RawEvent) -> Result<Vec<RawClaim>, AnyError>;
}

/// Returns a set of faces as bits: bit i for face number i.
fn plain<F: Face>(set: FaceSet<F>) -> u128 {
    set.bits().wide()
}

/// Returns the face with this number.
///
/// # Errors
///
/// Fails if the game has no such face.
fn face<G: Game>(index: u8) -> Result<G::Face, RuleError> {
    ensure(usize::from(index) < G::Face::KINDS, "there is no such face")?;
    Ok(G::Face::nth(index))
}

/// Converts a logged event without types into a typed one. If `observer` is a seat, the private parts become
/// the annex of that seat; else they are dropped.
///
/// # Errors
///
/// Fails if the text of an action cannot be parsed or a face does not exist.
fn typed<G: Game>(line: &RawEvent, observer: Observer) -> Result<LoggedEventOf<G>, AnyError> {
    let faces = |list: &[(Token, u8)]| -> Result<Vec<(Token, G::Face)>, RuleError> {
        list.iter().map(|&(t, f)| Ok((t, face::<G>(f)?))).collect()
    };
    let event = match &line.event {
        RawEventKind::Act(text) => Event::Act(text.parse()?),
        RawEventKind::Rolled(n) => Event::Rolled(*n),
        RawEventKind::Done => Event::Done,
    };
    let mut typed = LoggedEvent::new(event);
    typed.shown = faces(&line.shown)?;
    typed.backs.clone_from(&line.backs);
    if let Observer::Seat(seat) = observer {
        typed.annexes.push(Annex {
            to: Some(seat),
            order: line.order.clone(),
            learned: faces(&line.learned)?,
            sealed: line.sealed.as_ref().map(|text| text.parse()).transpose()?,
        });
    }
    Ok(typed)
}

/// Converts a claim into one without types: faces become numbers, sets become bits.
fn untyped<F: Face>(claim: &Claim<F>) -> RawClaim {
    match claim {
        Claim::In(t, set) => RawClaim::In(*t, plain(*set)),
        Claim::NoneIn(ts, set) => RawClaim::NoneIn(ts.clone(), plain(*set)),
        Claim::Some(ts, set, k) => RawClaim::Some(ts.clone(), plain(*set), *k),
        Claim::Pair(a, b, pairs) => {
            RawClaim::Pair(*a, *b, pairs.iter().map(|(x, y)| (x.index(), y.index())).collect())
        }
    }
}

impl<G: Game> PeerView for ErasedPosition<G> {
    /// Returns the number of kinds of faces of `G`.
    fn kinds(&self) -> u8 {
        G::Face::KINDS as u8
    }

    /// Returns the back of face number `index`; the plain back if there is no such face.
    fn back_of(&self, index: u8) -> Back {
        face::<G>(index).map_or(Back::PLAIN, Face::back)
    }

    /// Returns the number of token numbers of `G`, those that are not in use included.
    fn token_count(&self) -> u16 {
        G::Size::TOKENS as u16
    }

    /// Returns what is public about a token, and its face if this observer knows it. A number that is no
    /// token lies nowhere, and nothing is known about it.
    fn token_info(&self, t: Token) -> TokenInfo {
        let tokens = self.now.state().tokens();
        let zone = tokens.zone(t);
        let owner = if zone == Zone::NOWHERE { None } else { self.now.state().owner(zone) };
        TokenInfo {
            zone,
            owner,
            known: tokens.known(t),
            back: tokens.back(t),
            may: plain(tokens.may(t)),
            public: tokens.public_face(t).map(Face::index),
            face: self.now.face(t).map(Face::index),
        }
    }

    /// Returns the tokens of a set, ascending; numbers that are not in use are left out.
    fn members(&self, set: Set) -> Vec<Token> {
        self.now.state().tokens().set(set).collect()
    }

    /// Returns whether two hidden tokens are in one group; `false` for public tokens, slips and dice.
    fn same_group(&self, a: Token, b: Token) -> bool {
        self.now.state().tokens().same_group(a, b)
    }

    /// Returns the numbers of the faces of this token's group, ascending, with repetitions; empty without a
    /// group.
    fn group_faces(&self, t: Token) -> Vec<u8> {
        let tokens = self.now.state().tokens();
        let kinds = (0..G::Face::KINDS as u8).map(G::Face::nth);
        kinds.flat_map(|f| std::iter::repeat_n(f.index(), tokens.count_in_group(t, f))).collect()
    }

    /// Returns the canonical text of the legal action with this canonical or spoken text.
    ///
    /// # Errors
    ///
    /// Fails if no legal action has this text, if no seat is to act, or, in a game with tokens, if this
    /// observer is another seat or a spectator.
    fn parse_legal(&self, text: &str) -> Result<String, AnyError> {
        Ok(self.now.parse_legal(text)?.to_string())
    }

    /// Splits an action into its public form, the hidden tokens that it shows (ascending, each once) and its
    /// slip. Whether it is legal is not checked.
    ///
    /// # Errors
    ///
    /// Fails if the text is no action in canonical form.
    fn act(&self, text: &str) -> Result<Act, AnyError> {
        let action: G::Action = text.parse()?;
        let state = self.now.state();
        let (public, slips) = state.veil(action);
        let mut shows = Vec::new();
        state.shows(public, &mut |t| shows.push(t));
        shows.retain(|&t| state.tokens().zone(t) != Zone::NOWHERE && !state.tokens().is_public(t));
        shows.sort_unstable();
        shows.dedup();
        let slip = slips.0.map(|slip| SlipInfo {
            token: slip.token,
            menu: slip.menu.iter().map(Face::index).collect(),
            choice: slip.choice.map(Face::index),
        });
        Ok(Act { public: public.to_string(), shows, slip })
    }

    /// Returns the canonical text of the action with each hidden token of the actor replaced by a random
    /// twin, those in `prefer` first; `text` as it is if no seat is to act or the rules reject the result.
    ///
    /// # Errors
    ///
    /// Fails if the text is no action in canonical form.
    fn shuffle_twins(&self, text: &str, prefer: &[Token], rng: &mut Rng) -> Result<String, AnyError> {
        let action: G::Action = text.parse()?;
        let Some(actor) = self.now.actor() else { return Ok(text.to_string()) };
        let (tokens, mut taken) = (self.now.state().tokens(), Vec::new());
        let twin = |t: Token, u: Token| {
            let same = |f: fn(&TokenInfo) -> u128| f(&self.token_info(t)) == f(&self.token_info(u));
            tokens.zone(t) == tokens.zone(u)
                && tokens.known(t) == tokens.known(u)
                && tokens.back(t) == tokens.back(u)
                && tokens.is_marked(t) == tokens.is_marked(u)
                && same(|fact| fact.may)
                && self.now.face(t) == self.now.face(u)
        };
        let varied = G::map_tokens(action, &mut |t| {
            let mine = tokens.zone(t) != Zone::NOWHERE
                && !tokens.is_public(t)
                && self.now.state().owner(tokens.zone(t)) == Some(actor)
                && self.now.face(t).is_some();
            let mut twins: Vec<Token> = if mine {
                tokens.iter(tokens.zone(t)).filter(|&u| twin(t, u) && !taken.contains(&u)).collect()
            } else {
                Vec::new()
            };
            if twins.iter().any(|u| prefer.contains(u)) {
                twins.retain(|u| prefer.contains(u));
            }
            let chosen = rng.choose(&twins).copied().unwrap_or(t);
            taken.push(chosen);
            chosen
        });
        // A game may store its own data per token, so the rules decide whether the result is still legal.
        let accepted = varied == action || self.now.clone().play(varied).is_ok();
        Ok(if accepted { varied.to_string() } else { text.to_string() })
    }

    /// Checks a logged event, applies it as the last event, and returns its claims in the order of the rules.
    /// On `Err` nothing has changed.
    ///
    /// # Errors
    ///
    /// Fails if the event cannot be parsed, does not resolve the awaited node, lacks a face or an annex that
    /// this observer is entitled to, contradicts what this observer knows, or is rejected by the rules.
    fn follow_line(&mut self, line: &RawEvent) -> Result<Vec<RawClaim>, AnyError> {
        let line = typed::<G>(line, self.now.observer())?;
        let mut next = self.now.clone();
        let trace = next.apply_traced(&line)?;
        self.follow(next, line, trace.facts);
        Ok(trace.claims.iter().map(untyped).collect())
    }
}
