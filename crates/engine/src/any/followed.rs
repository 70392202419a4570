//! A game under way as a table of peers needs it: facts about tokens, and lines without types.

use super::AnyError;
use super::position::Seen;
use crate::claims::Claim;
use crate::face::{Bits, Face, FaceSet};
use crate::game::Game;
use crate::line::{Annex, Line};
use crate::node::{Event, Set};
use crate::position::{LineOf, Observer};
use crate::rejected::{Rejected, ensure};
use crate::rng::Rng;
use crate::seat::{Known, Seat};
use crate::size::Size;
use crate::token::{Back, Token, Zone};

/// What is public about a token, and its face if this observer has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact {
    /// Where it lies; [`Zone::NOWHERE`] if it takes no part in this game.
    pub zone: Zone,
    /// Whose zone that is.
    pub owner: Option<Seat>,
    /// Who knows its face.
    pub known: Known,
    /// What its back shows.
    pub back: Back,
    /// The faces that it can have, as everybody has been assured: bit i for face number i.
    pub may: u128,
    /// The number of its face if everybody knows it.
    pub public: Option<u8>,
    /// The number of its face if this observer knows it.
    pub face: Option<u8>,
}

/// An action taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Act {
    /// The canonical text of its public form.
    pub public: String,
    /// The tokens that it turns up and that are not public yet, ascending.
    pub shows: Vec<Token>,
    /// The slip that it lays.
    pub slip: Option<SlipFact>,
}

/// A secret choice, faces as numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlipFact {
    /// The token that stands for it.
    pub token: Token,
    /// What could be chosen, ascending.
    pub menu: Vec<u8>,
    /// What was chosen, where the action says so.
    pub choice: Option<u8>,
}

/// What the rules see of an event, the action as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlainEvent {
    /// An action in its public form.
    Act(String),
    /// The number that nature gave.
    Rolled(u32),
    /// A shuffle, rearrangement or revelation has happened.
    Done,
}

/// A line without types: faces are numbers, and there is one annex at most, the reader's own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlainLine {
    /// What happened.
    pub event: PlainEvent,
    /// The faces that become public, by ascending token.
    pub shown: Vec<(Token, u8)>,
    /// The backs that become public, by ascending token.
    pub backs: Vec<(Token, Back)>,
    /// How this observer permuted the tokens, if it did.
    pub order: Vec<u16>,
    /// The faces that this observer learned, by ascending token.
    pub learned: Vec<(Token, u8)>,
    /// This observer's own action with its secret choice.
    pub sealed: Option<String>,
}

impl PlainLine {
    /// A line of this event that tells nothing else.
    pub fn new(event: PlainEvent) -> Self {
        PlainLine {
            event,
            shown: Vec::new(),
            backs: Vec::new(),
            order: Vec::new(),
            learned: Vec::new(),
            sealed: None,
        }
    }
}

/// A claim about hidden faces without types: sets of faces have bit i for face number i.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlainClaim {
    /// The face of the token is in the set.
    In(Token, u128),
    /// No token of the list has a face of the set.
    NoneIn(Vec<Token>, u128),
    /// At least so many tokens of the list have a face of the set.
    Some(Vec<Token>, u128, u8),
    /// The two faces are one of the pairs.
    Pair(Token, Token, Vec<(u8, u8)>),
}

/// What a peer asks of its own view of a game, and how it moves it.
pub trait Followed {
    /// How many kinds of faces the game has.
    fn kinds(&self) -> u8;

    /// What the back of a token with this face shows.
    fn back_of(&self, face: u8) -> Back;

    /// How many token numbers there are.
    fn token_count(&self) -> u16;

    /// What is known of a token.
    fn fact(&self, t: Token) -> Fact;

    /// The tokens of a set, ascending.
    fn members(&self, set: Set) -> Vec<Token>;

    /// Whether two hidden tokens may have changed places unseen.
    fn same_group(&self, a: Token, b: Token) -> bool;

    /// The faces of the hidden tokens that may have changed places with this one, as numbers, ascending: they
    /// are public together.
    fn group_faces(&self, t: Token) -> Vec<u8>;

    /// The canonical text of the legal action that a spoken or canonical text means.
    fn hear(&self, text: &str) -> Result<String, AnyError>;

    /// Takes an action apart, given as canonical text.
    fn act(&self, text: &str) -> Result<Act, AnyError>;

    /// The same action, in which each hidden token of the actor is replaced by a random one of its twins: same
    /// zone, face, knowledge and marks. So nobody learns anything from which of several equal cards was taken.
    /// Twins of which something is known already are preferred.
    fn vary(&self, text: &str, prefer: &[Token], rng: &mut Rng) -> Result<String, AnyError>;

    /// Checks a line and follows it; gives the claims that need a proof. On `Err` nothing has changed.
    fn follow_line(&mut self, line: &PlainLine) -> Result<Vec<PlainClaim>, AnyError>;
}

fn plain<F: Face>(set: FaceSet<F>) -> u128 {
    set.bits().wide()
}

fn face<G: Game>(index: u8) -> Result<G::Face, Rejected> {
    ensure(usize::from(index) < G::Face::KINDS, "there is no such face")?;
    Ok(G::Face::nth(index))
}

fn typed<G: Game>(line: &PlainLine, observer: Observer) -> Result<LineOf<G>, AnyError> {
    let faces = |list: &[(Token, u8)]| -> Result<Vec<(Token, G::Face)>, Rejected> {
        list.iter().map(|&(t, f)| Ok((t, face::<G>(f)?))).collect()
    };
    let event = match &line.event {
        PlainEvent::Act(text) => Event::Act(text.parse()?),
        PlainEvent::Rolled(n) => Event::Rolled(*n),
        PlainEvent::Done => Event::Done,
    };
    let mut typed = Line::new(event);
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

fn untyped<F: Face>(claim: &Claim<F>) -> PlainClaim {
    match claim {
        Claim::In(t, set) => PlainClaim::In(*t, plain(*set)),
        Claim::NoneIn(ts, set) => PlainClaim::NoneIn(ts.clone(), plain(*set)),
        Claim::Some(ts, set, k) => PlainClaim::Some(ts.clone(), plain(*set), *k),
        Claim::Pair(a, b, pairs) => {
            PlainClaim::Pair(*a, *b, pairs.iter().map(|(x, y)| (x.index(), y.index())).collect())
        }
    }
}

impl<G: Game> Followed for Seen<G> {
    fn kinds(&self) -> u8 {
        G::Face::KINDS as u8
    }

    fn back_of(&self, index: u8) -> Back {
        face::<G>(index).map_or(Back::PLAIN, Face::back)
    }

    fn token_count(&self) -> u16 {
        G::Size::TOKENS as u16
    }

    fn fact(&self, t: Token) -> Fact {
        let tokens = self.now.state().tokens();
        let zone = tokens.zone(t);
        let owner = if zone == Zone::NOWHERE { None } else { self.now.state().owner(zone) };
        Fact {
            zone,
            owner,
            known: tokens.known(t),
            back: tokens.back(t),
            may: plain(tokens.may(t)),
            public: tokens.public_face(t).map(Face::index),
            face: self.now.face(t).map(Face::index),
        }
    }

    fn members(&self, set: Set) -> Vec<Token> {
        self.now.state().tokens().set(set).collect()
    }

    fn same_group(&self, a: Token, b: Token) -> bool {
        self.now.state().tokens().same_group(a, b)
    }

    fn group_faces(&self, t: Token) -> Vec<u8> {
        let tokens = self.now.state().tokens();
        let kinds = (0..G::Face::KINDS as u8).map(G::Face::nth);
        kinds.flat_map(|f| std::iter::repeat_n(f.index(), tokens.count_in_group(t, f))).collect()
    }

    fn hear(&self, text: &str) -> Result<String, AnyError> {
        Ok(self.now.hear(text)?.to_string())
    }

    fn act(&self, text: &str) -> Result<Act, AnyError> {
        let action: G::Action = text.parse()?;
        let state = self.now.state();
        let (public, slips) = state.veil(action);
        let mut shows = Vec::new();
        state.shows(public, &mut |t| shows.push(t));
        shows.retain(|&t| state.tokens().zone(t) != Zone::NOWHERE && !state.tokens().is_public(t));
        shows.sort_unstable();
        shows.dedup();
        let slip = slips.0.map(|slip| SlipFact {
            token: slip.token,
            menu: slip.menu.iter().map(Face::index).collect(),
            choice: slip.choice.map(Face::index),
        });
        Ok(Act { public: public.to_string(), shows, slip })
    }

    fn vary(&self, text: &str, prefer: &[Token], rng: &mut Rng) -> Result<String, AnyError> {
        let action: G::Action = text.parse()?;
        let Some(actor) = self.now.actor() else { return Ok(text.to_string()) };
        let (tokens, mut taken) = (self.now.state().tokens(), Vec::new());
        let twin = |t: Token, u: Token| {
            let same = |f: fn(&Fact) -> u128| f(&self.fact(t)) == f(&self.fact(u));
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
        // Rules may have marks of their own on tokens: what they do not accept is not a twin.
        let accepted = self.now.clone().play(varied).is_ok();
        Ok(if accepted { varied.to_string() } else { text.to_string() })
    }

    fn follow_line(&mut self, line: &PlainLine) -> Result<Vec<PlainClaim>, AnyError> {
        let line = typed::<G>(line, self.now.observer())?;
        let mut next = self.now.clone();
        let claims = next.apply_claims(&line)?;
        self.follow(next, line);
        Ok(claims.iter().map(untyped).collect())
    }
}
