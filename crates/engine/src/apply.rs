//! Applying logged events. The same event advances the simulator, a seat and a spectator; each reads only the
//! parts of it that it may know.

use crate::claims::{Claim, Cx};
use crate::face::Face;
use crate::faces::UNKNOWN;
use crate::facts::TraceOf;
use crate::game::Game;
use crate::line::Annex;
use crate::node::{Audience, Chance, Event, Node, Set, Side};
use crate::position::{ActionUndo, LoggedEventOf, Observer, Position};
use crate::rejected::{RuleError, ensure};
use crate::seat::{Known, Seat};
use crate::size::Size;
use crate::token::Token;

/// Checks that `order` is a permutation of 0 … n − 1.
///
/// # Errors
///
/// Rejects an order of another length, with a repeated number or with a number out of range.
pub(crate) fn check_permutation(order: &[u16], n: usize) -> Result<(), RuleError> {
    let mut seen = vec![false; n];
    let fits = order.len() == n
        && order.iter().all(|&i| (i as usize) < n && !std::mem::replace(&mut seen[i as usize], true));
    ensure(fits, "this is not an order of the tokens that are mixed")
}

impl<G: Game> Position<G> {
    /// Checks a logged event against the awaited node and the rules, and applies it. Annexes that this
    /// observer may not read are ignored. Claims about faces that this observer does not know are checked
    /// against public information only. On `Err` nothing has changed.
    ///
    /// # Errors
    ///
    /// Rejects an event that does not resolve the awaited node, that the rules refuse, or that contradicts
    /// what this observer knows. If [`missing_face`](RuleError::missing_face) is set, the event lacks a face
    /// or an annex that this observer is entitled to.
    pub fn apply(&mut self, line: &LoggedEventOf<G>) -> Result<(), RuleError> {
        self.apply_claims(line).map(|_| ())
    }

    /// Checks a logged event, applies it, and returns the claims about hidden faces that its author must
    /// prove to the other peers, in the order of the rules. Claims about faces that this observer does not
    /// know are checked against public information only. On `Err` nothing has changed.
    ///
    /// # Errors
    ///
    /// Rejects an event that does not resolve the awaited node, that the rules refuse, or that contradicts
    /// what this observer knows. If [`missing_face`](RuleError::missing_face) is set, the event lacks a face
    /// or an annex that this observer is entitled to.
    pub fn apply_claims(&mut self, line: &LoggedEventOf<G>) -> Result<Vec<Claim<G::Face>>, RuleError> {
        self.apply_traced(line).map(|trace| trace.claims)
    }

    /// Checks a logged event, applies it, and returns its claims and facts, each in the order of the rules.
    /// Claims about faces that this observer does not know are checked against public information only. On
    /// `Err` nothing has changed.
    ///
    /// # Errors
    ///
    /// Rejects an event that does not resolve the awaited node, that the rules refuse, or that contradicts
    /// what this observer knows. If [`missing_face`](RuleError::missing_face) is set, the event lacks a face
    /// or an annex that this observer is entitled to.
    pub fn apply_traced(&mut self, line: &LoggedEventOf<G>) -> Result<TraceOf<G>, RuleError> {
        let mut trace = TraceOf::<G>::new();
        let mut next = self.clone();
        next.follow(line, &mut trace)?;
        *self = next;
        Ok(trace)
    }

    /// Checks a logged event against the awaited node and applies it, without rollback: after an error the
    /// position must be discarded. Appends claims and facts to `trace`.
    ///
    /// # Errors
    ///
    /// Fails if the event does not resolve the awaited node, a number is out of range, the event shows or
    /// hides what it must not, a known face contradicts it, or the rules reject it.
    fn follow(&mut self, line: &LoggedEventOf<G>, trace: &mut TraceOf<G>) -> Result<(), RuleError> {
        match (self.node(), line.event) {
            (Node::Decide(seat) | Node::Declare(seat), Event::Act(action)) => {
                return self.follow_act(seat, action, line, trace);
            }
            (Node::Chance(Chance::Roll { sides }), Event::Rolled(n)) => {
                ensure((1..=sides).contains(&n), "the die has no such side")?;
                ensure_shows_nothing(line)?;
            }
            (Node::Chance(Chance::Pick { of }), Event::Rolled(n)) => {
                ensure(n < of, "this number is out of range")?;
                ensure_shows_nothing(line)?;
            }
            (Node::Chance(Chance::Shuffle { pile }), Event::Done) => {
                self.follow_mix(Set::Zone(pile), None, line)?;
            }
            (Node::Chance(Chance::Cast { set, first, sides }), Event::Done) => {
                self.follow_cast(set, first, sides, line)?;
            }
            (Node::Rearrange { set, by }, Event::Done) => self.follow_mix(set, Some(by), line)?,
            (Node::Reveal { set, to, side }, Event::Done) => self.follow_reveal(set, to, side, line)?,
            (Node::Over, _) => return Err(RuleError::new("the game is over")),
            _ => return Err(RuleError::new("something else is awaited now")),
        }
        let mut cx = Cx::new(self.faces.face.as_ref(), Some(trace));
        self.state.apply(&mut cx, line.event)?;
        cx.failed().map_or(Ok(()), Err)
    }

    /// Checks a logged action of `seat`, the acting seat, and applies it: tokens that it shows become public,
    /// its slip is laid, with the choice if this observer may read it in the annex, and the rules apply the
    /// action. `action` is the action of `line`. Appends claims and facts to `trace`, and removes notes that
    /// a shown face fulfils. Does not roll back: on `Err` the position must be discarded.
    ///
    /// # Errors
    ///
    /// Fails if the action is not in its public form, contradicts its annex or what this observer knows,
    /// lacks a face or a sealed choice that this observer is entitled to, or is illegal.
    fn follow_act(
        &mut self,
        seat: Seat,
        action: G::Action,
        line: &LoggedEventOf<G>,
        trace: &mut TraceOf<G>,
    ) -> Result<(), RuleError> {
        let (public, mut slips) = self.state.veil(action);
        ensure(public == action, "this action is not in its public form")?;
        if let Some(sealed) = self.annex(line, Some(seat)).and_then(|a| a.sealed) {
            let (veiled, opened) = self.state.veil(sealed);
            ensure(veiled == public, "the sealed choice belongs to another action")?;
            slips = opened;
        }
        let mut undo = ActionUndo::new();
        self.prepare(seat, public, &slips, Some(line), &mut undo)?;
        let mut cx = Cx::new(self.faces.face.as_ref(), Some(trace));
        self.state.apply(&mut cx, line.event)?;
        if let Some(refused) = cx.failed() {
            return Err(refused);
        }
        if !self.faces.notes.is_empty() {
            line.shown.iter().for_each(|(t, face)| self.faces.drop_note(*t, face.index()));
        }
        Ok(())
    }

    /// Applies a logged shuffle (`by` is `None`; no seat knows the tokens afterwards) or rearrangement by a
    /// seat (only it knows them). The tokens form one group afterwards. Permutes the faces by the order in
    /// the annex if this observer may know it: the simulator always, a seat after its own rearrangement.
    /// Other observers forget the faces. If another seat has rearranged only a part of a group, they keep a
    /// note of each face that they knew there. The rules are not called.
    ///
    /// # Errors
    ///
    /// Fails if the event shows faces or backs, or if this observer may know the order and it is missing or
    /// no permutation. Nothing has changed then.
    fn follow_mix(&mut self, set: Set, by: Option<Seat>, line: &LoggedEventOf<G>) -> Result<(), RuleError> {
        ensure_shows_nothing(line)?;
        let mut tokens = G::Size::tok(0u16);
        let n = self.state.tokens().collect(set, &mut tokens);
        let tokens = &tokens.as_ref()[..n];
        let knows = match self.observer {
            Observer::All => true,
            Observer::Seat(seat) => by == Some(seat),
            Observer::Spectator => false,
        };
        if knows {
            let order = self.annex(line, by).map(|a| a.order.clone());
            let order = order.ok_or(RuleError::new("the order of the mixed tokens is missing"))?;
            check_permutation(&order, n)?;
            self.permute(tokens, &order);
            self.state.tokens_mut().reissue(tokens, by.map_or(Known::NOBODY, Known::only));
            return Ok(());
        }
        let known: Vec<u8> = tokens.iter().filter_map(|&t| Some(self.face(Token(t))?.index())).collect();
        self.state.tokens_mut().reissue(tokens, by.map_or(Known::NOBODY, Known::only));
        // If the group is no larger than the mixed set, its public multiset already holds all that was known,
        // and no notes are needed.
        let in_group =
            |t: &Token| tokens.first().is_some_and(|&u| self.state.tokens().same_group(*t, Token(u)));
        let larger = self.state.tokens().all().filter(in_group).count() > n;
        let notes = if by.is_some() && larger { known } else { Vec::new() };
        self.faces.blur(tokens, &notes);
        Ok(())
    }

    /// Applies a logged reveal: checks that it shows exactly the hidden tokens of `set` that `to` does not
    /// know yet, and records the faces or backs. Faces shown to all become public. Faces shown to one seat
    /// are read from its annex by that seat and by the simulator only; for all observers the seat is then one
    /// of those who know them. Backs become public whatever `to` is. Notes that a learned face fulfils are
    /// removed. The rules are not called.
    ///
    /// # Errors
    ///
    /// Fails if the event or the annex names other tokens, lacks a face, has faces for backs or the reverse,
    /// or contradicts a known face or public information. The position must then be discarded.
    fn follow_reveal(
        &mut self,
        set: Set,
        to: Audience,
        side: Side,
        line: &LoggedEventOf<G>,
    ) -> Result<(), RuleError> {
        let hidden: Vec<Token> =
            self.state.tokens().set(set).filter(|&t| !self.state.tokens().is_public(t)).collect();
        match (to, side) {
            (Audience::All, Side::Face) => {
                ensure(line.backs.is_empty(), "faces are awaited, not backs")?;
                let told: Vec<Token> = line.shown.iter().map(|&(t, _)| t).collect();
                if let Some(&t) = hidden.iter().find(|t| !told.contains(t)) {
                    return Err(RuleError::face_needed(t));
                }
                ensure(told == hidden, "the line shows other tokens than are awaited")?;
                for &(t, face) in &line.shown {
                    let own = self.faces.get(t);
                    ensure(
                        own.is_none_or(|f| f == face.index()),
                        "the shown face is not the face of this token",
                    )?;
                    self.open(t, face.index())?;
                    self.drop_note(t);
                }
            }
            (Audience::Seat(seat), Side::Face) => {
                ensure_shows_nothing(line)?;
                let learns = self.observer == Observer::Seat(seat);
                let new: Vec<Token> =
                    hidden.iter().copied().filter(|&t| !self.state.tokens().known(t).to(seat)).collect();
                if learns || self.observer == Observer::All {
                    let learned = self.annex(line, Some(seat)).map(|a| a.learned.clone()).unwrap_or_default();
                    if let Some(&t) = new.iter().find(|t| learned.iter().all(|(u, _)| u != *t)) {
                        return Err(RuleError::face_needed(t));
                    }
                    ensure(learned.len() == new.len(), "the annex tells of other tokens than are awaited")?;
                    for (t, face) in learned {
                        let own = self.faces.get(t);
                        ensure(
                            own.is_none_or(|f| f == face.index()),
                            "the told face is not the face of this token",
                        )?;
                        ensure(self.can_be(t, face), "this token is known to be something else")?;
                        self.faces.face[t.index()] = face.index();
                        if learns {
                            self.drop_note(t);
                        }
                    }
                }
                for t in new {
                    self.state.tokens_mut().add_knower(t, seat);
                }
            }
            (_, Side::Back) => {
                ensure(line.shown.is_empty(), "backs are awaited, not faces")?;
                let awaited: Vec<Token> = hidden
                    .into_iter()
                    .filter(|&t| self.state.tokens().back(t) == crate::Back::HIDDEN)
                    .collect();
                let told: Vec<Token> = line.backs.iter().map(|&(t, _)| t).collect();
                ensure(told == awaited, "the line shows other backs than are awaited")?;
                for &(t, back) in &line.backs {
                    if let Some(face) = self.faces.get(t) {
                        ensure(G::Face::nth(face).back() == back, "the back does not go with the face")?;
                    }
                    let possible = self.state.tokens().may(t).iter();
                    let possible = possible.filter(|f| f.back() == back).any(|f| self.can_be(t, f));
                    ensure(possible, "no face that this token can have goes with the back")?;
                    self.state.tokens_mut().show_back(t, back);
                }
            }
        }
        Ok(())
    }

    /// Returns whether public information allows the hidden token `t` to have this face: its possible faces,
    /// its back and the multiset of its group.
    fn can_be(&self, t: Token, face: G::Face) -> bool {
        let tokens = self.state.tokens();
        let shows = tokens.back(t);
        tokens.may(t).has(face)
            && (shows == crate::Back::HIDDEN || shows == face.back())
            && (!tokens.same_group(t, t) || tokens.count_in_group(t, face) > 0)
    }

    /// Returns the annex that is addressed to `to` (`None`: the order of a shuffle); `None` if the event has
    /// none or this observer may not read it.
    pub(crate) fn annex<'l>(
        &self,
        line: &'l LoggedEventOf<G>,
        to: Option<Seat>,
    ) -> Option<&'l Annex<G::Action, G::Face>> {
        let may = match self.observer {
            Observer::All => true,
            Observer::Seat(seat) => to == Some(seat),
            Observer::Spectator => false,
        };
        line.annexes.iter().find(|a| may && a.to == to)
    }

    /// Returns whether this observer holds private faces of exactly those hidden tokens whose faces it is
    /// entitled to know. `false` means that the position is incomplete or leaks; a check for tests and for
    /// positions from outside.
    pub fn holds_exactly_its_faces(&self) -> bool {
        self.state.tokens().all().all(|t| {
            let known = self.state.tokens().known(t);
            let laid = !self.state.tokens().may(t).is_empty();
            let granted = match self.observer {
                Observer::All => laid,
                Observer::Seat(seat) => known.to(seat),
                Observer::Spectator => known.is_public(),
            };
            let held = self.faces.face[t.index()] != UNKNOWN;
            if known.is_public() { !held } else { granted == held }
        })
    }
}

/// Checks that a logged event shows no faces or backs; annexes are not read.
///
/// # Errors
///
/// Fails if it shows any.
pub(crate) fn ensure_shows_nothing<A, F>(line: &crate::line::LoggedEvent<A, F>) -> Result<(), RuleError> {
    ensure(line.shown.is_empty() && line.backs.is_empty(), "this event shows nothing")
}
