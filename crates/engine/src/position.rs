//! A game in progress as one observer sees it: public state plus the faces that the observer knows.

use crate::claims::{Claim, Cx};
use crate::face::Face;
use crate::faces::{Faces, UNKNOWN};
use crate::facts::TraceOf;
use crate::game::{Game, SeatView};
use crate::line::LoggedEvent;
use crate::node::{Event, Node};
use crate::options::OptionsError;
use crate::outcome::Outcome;
use crate::rejected::RuleError;
use crate::seat::Seat;
use crate::size::Size;
use crate::token::Token;
use crate::tokens_known::TokenUndo;
use arrayvec::ArrayVec;

/// The perspective of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observer {
    /// The simulator, or an auditor with all keys: knows every face.
    All,
    /// One seat: knows public faces and its private ones.
    Seat(Seat),
    /// A spectator: knows public faces only.
    Spectator,
}

/// Maximum number of tokens that one action may turn face up.
pub const MOST_SHOWN: usize = 8;

/// The type of a game's logged events.
pub type LoggedEventOf<G> = LoggedEvent<<G as Game>::Action, <G as Game>::Face>;

/// A logged event and its claims about hidden faces.
pub type Claimed<G> = (LoggedEventOf<G>, Vec<Claim<<G as Game>::Face>>);

/// Public state plus the faces that one observer knows.
#[derive(Clone, Debug)]
pub struct Position<G: Game> {
    /// The public state.
    pub(crate) state: G,
    /// The private faces that the observer knows.
    pub(crate) faces: Faces<G::Size>,
    /// The observer.
    pub(crate) observer: Observer,
    /// Whether the byte of each hidden token in [`Tokens`](crate::Tokens) is its true face. It saves the
    /// simulator a search when a face is shown. Never set in a position of another observer.
    pub(crate) aligned: bool,
}

impl<G: Game> Position<G> {
    /// Creates the initial position, for the simulator, which knows all faces. Checks the number of seats and
    /// the options.
    ///
    /// # Errors
    ///
    /// Fails if the game does not allow this number of seats or these options.
    pub fn new(seats: u8, options: &G::Options) -> Result<Self, OptionsError> {
        let info = G::INFO;
        if !(info.min_seats..=info.max_seats).contains(&seats) {
            let (min, max) = (info.min_seats, info.max_seats);
            let range = if min == max { format!("{min}") } else { format!("{min} to {max}") };
            return Err(OptionsError(format!("{} is for {range} seats, not {seats}", info.title)));
        }
        crate::options::validate(options, seats)?;
        let mut first = Self::from_state(G::new(seats, options)?, Observer::All);
        // All tokens are public at the start. Small games do not profit from the flag.
        first.aligned = G::Size::TOKENS > 16;
        Ok(first)
    }

    /// Creates a position of this state for an observer that knows no private face yet. For the simulator
    /// that is complete only if all tokens are public. For another observer, the order of the bytes of each
    /// group is made meaningless. Checks nothing.
    pub fn from_state(mut state: G, observer: Observer) -> Self {
        if observer != Observer::All {
            state.tokens_mut().disarrange();
        }
        Position { state, faces: Faces::none(), observer, aligned: false }
    }

    /// Returns the public state.
    #[inline]
    pub fn state(&self) -> &G {
        &self.state
    }

    /// Switches to an older version of the rules, at least [`Game::OLDEST_RULES`]. Must be called before the
    /// first event. Neither is checked; a game with only one version ignores the call.
    pub(crate) fn set_rules_version(&mut self, version: u32) {
        self.state.set_rules_version(version);
    }

    /// Returns the observer of this position.
    #[inline]
    pub fn observer(&self) -> Observer {
        self.observer
    }

    /// Returns the number of seats.
    #[inline]
    pub fn seats(&self) -> u8 {
        self.state.seats()
    }

    /// Returns the awaited node, i.e. the one thing that the rules wait for; [`Node::Over`] at the end.
    #[inline(always)]
    pub fn node(&self) -> Node {
        self.state.node()
    }

    /// Returns the final ranking and scores; `None` until the game is over.
    #[inline]
    pub fn outcome(&self) -> Option<Outcome> {
        self.state.outcome()
    }

    /// Returns the face of a token if it is public or this observer knows it; `None` otherwise, and for a
    /// number that is no token.
    #[inline]
    pub fn face(&self, t: Token) -> Option<G::Face> {
        self.state.tokens().public_face(t).or_else(|| self.faces.get(t).map(G::Face::nth))
    }

    /// Returns the face of a token if both this observer and `seat` know it; `None` otherwise.
    pub fn face_seen_by(&self, seat: Seat, t: Token) -> Option<G::Face> {
        self.face(t).filter(|_| self.state.tokens().known(t).to(seat))
    }

    /// Returns the interface through which a seat's list of legal actions reads faces: those that `seat`
    /// knows, as far as this observer knows them too.
    #[inline(always)]
    pub fn own(&self, seat: Seat) -> SeatView<'_, G> {
        SeatView::new(seat, self.state.tokens(), &self.faces.face)
    }

    /// Returns a copy whose observer is `seat` and that knows only what this seat may know. Faces that this
    /// observer lacks stay unknown, so the copy is complete only if made by the simulator or by the seat
    /// itself. Notes about mixed tokens are kept only in the latter case. Whether the game has this seat is
    /// not checked.
    pub fn view(&self, seat: Seat) -> Self {
        let mut view = self.clone();
        view.observer = Observer::Seat(seat);
        if self.aligned {
            view.state.tokens_mut().disarrange();
            view.aligned = false;
        }
        if self.observer != view.observer {
            view.faces.notes.clear();
        }
        view.forget(|known| known.to(seat));
        view
    }

    /// Returns a copy that knows only public faces and has no notes about mixed tokens.
    pub fn spectator(&self) -> Self {
        let mut view = Self::from_state(self.state.clone(), Observer::Spectator);
        view.forget(|known| known.is_public());
        view
    }

    /// Forgets the private faces of all tokens for which `keeps`, called with who knows the token, returns
    /// `false`.
    fn forget(&mut self, keeps: impl Fn(crate::seat::Known) -> bool) {
        for i in 0..G::Size::TOKENS {
            let t = Token(i as u16);
            if !keeps(self.state.tokens().known(t)) {
                self.faces.face[i] = UNKNOWN;
            }
        }
    }

    /// Returns the seat that decides or declares now; `None` at any other node.
    #[inline(always)]
    pub fn actor(&self) -> Option<Seat> {
        match self.node() {
            Node::Decide(seat) | Node::Declare(seat) => Some(seat),
            _ => None,
        }
    }

    /// Replaces `out` by the legal actions of the seat that decides or declares, in the order of the rules,
    /// which names only the first of several twins.
    ///
    /// # Errors
    ///
    /// Fails if no seat is to act (`out` is then unchanged), or, in a game with tokens, if this observer is
    /// another seat or a spectator (`out` is then empty).
    #[inline(always)]
    pub fn legal(&self, out: &mut Vec<G::Action>) -> Result<(), RuleError> {
        let seat = self.asked()?;
        self.list_of(seat, out)
    }

    /// Returns the seat that decides or declares now.
    ///
    /// # Errors
    ///
    /// Fails if the rules wait for nature or the game is over.
    #[inline(always)]
    fn asked(&self) -> Result<Seat, RuleError> {
        self.actor().ok_or(RuleError::new("nobody is asked now"))
    }

    /// Replaces `out` by the legal actions of `seat`, which the caller guarantees to be the acting seat.
    ///
    /// # Errors
    ///
    /// Fails, in a game with tokens, if this observer is another seat or a spectator; `out` is then empty.
    #[inline(always)]
    pub(crate) fn list_of(&self, seat: Seat, out: &mut Vec<G::Action>) -> Result<(), RuleError> {
        out.clear();
        if G::Size::TOKENS > 0 && self.observer != Observer::All && self.observer != Observer::Seat(seat) {
            return Err(RuleError::new("only the seat that is asked has a list"));
        }
        self.state.legal(&self.own(seat), out);
        Ok(())
    }

    /// Applies an action of the acting seat, given with its secret choice: tokens that it shows become
    /// public, its slip gets the choice, and the rules check it and apply it. What it claims about faces that
    /// this observer does not know is checked against public information only. Does not check that this
    /// observer is the acting seat. On `Err` nothing has changed.
    ///
    /// # Errors
    ///
    /// Fails if no seat is to act, with the reason of the rules if the action is illegal, or if this observer
    /// lacks a face that the action shows.
    #[inline(always)]
    pub fn play(&mut self, action: G::Action) -> Result<(), RuleError> {
        self.act(self.asked()?, action, None, None)
    }

    /// Applies an action of the acting seat, given with its secret choice, and returns the logged event: the
    /// action in its public form, and the faces that it showed. A secret choice is in the annex of the acting
    /// seat, which the caller must cut before other seats get it ([`LoggedEvent::for_seat`]). The rules check
    /// the action; what it claims about faces that this observer does not know is checked against public
    /// information only. Does not check that this observer is the acting seat. On `Err` nothing has changed.
    ///
    /// # Errors
    ///
    /// Fails if no seat is to act, with the reason of the rules if the action is illegal, or if this observer
    /// lacks a face that the action shows.
    pub fn play_line(&mut self, action: G::Action) -> Result<LoggedEventOf<G>, RuleError> {
        let mut line = LoggedEvent::new(Event::Act(action));
        self.act(self.asked()?, action, Some(&mut line), None)?;
        Ok(line)
    }

    /// Applies an action of the acting seat, given with its secret choice, and returns the logged event (the
    /// action in its public form, and the faces that it showed) and its claims about hidden faces, in the
    /// order of the rules. A secret choice is in the annex of the acting seat, which the caller must cut
    /// before other seats get it ([`LoggedEvent::for_seat`]). Claims about faces that this observer does not
    /// know are checked against public information only. Does not check that this observer is the acting
    /// seat. On `Err` nothing has changed.
    ///
    /// # Errors
    ///
    /// Fails if no seat is to act, with the reason of the rules if the action is illegal, or if this observer
    /// lacks a face that the action shows.
    pub fn play_claims(&mut self, action: G::Action) -> Result<Claimed<G>, RuleError> {
        let (line, trace) = self.play_traced(action)?;
        Ok((line, trace.claims))
    }

    /// Applies an action of the acting seat, given with its secret choice, and returns the logged event (the
    /// action in its public form, and the faces that it showed) and its claims and facts, each in the order
    /// of the rules. A secret choice is in the annex of the acting seat, which the caller must cut before
    /// other seats get it ([`LoggedEvent::for_seat`]). Claims about faces that this observer does not know
    /// are checked against public information only. Does not check that this observer is the acting seat. On
    /// `Err` nothing has changed.
    ///
    /// # Errors
    ///
    /// Fails if no seat is to act, with the reason of the rules if the action is illegal, or if this observer
    /// lacks a face that the action shows.
    pub fn play_traced(&mut self, action: G::Action) -> Result<(LoggedEventOf<G>, TraceOf<G>), RuleError> {
        let (mut line, mut trace) = (LoggedEvent::new(Event::Act(action)), TraceOf::<G>::new());
        self.act(self.asked()?, action, Some(&mut line), Some(&mut trace))?;
        Ok((line, trace))
    }

    /// Applies an action of `seat`, which must be the acting seat: tokens that it shows become public, its
    /// slip gets the choice, the rules apply it, and notes that a shown face fulfils are removed. If given,
    /// `line` gets the public form of the action, the faces it shows and the annex with a secret choice (none
    /// of these in a game without tokens), and claims and facts are appended to `trace`. On `Err` the
    /// position is unchanged if the rules returned the error; if they ignored a false claim, their changes
    /// stay. `trace` may then have got claims and facts.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject the action, if a claim is false, or if a face is missing.
    #[inline(always)]
    pub(crate) fn act(
        &mut self,
        seat: Seat,
        action: G::Action,
        line: Option<&mut LoggedEventOf<G>>,
        trace: Option<&mut TraceOf<G>>,
    ) -> Result<(), RuleError> {
        if G::Size::TOKENS == 0 {
            return self.state.apply(&mut Cx::new(&[], trace), Event::Act(action));
        }
        let (public, slips) = self.state.veil(action);
        let mut undo = ActionUndo::<G>::new();
        let done = 'done: {
            if let Err(refused) = self.prepare(seat, public, &slips, None, &mut undo) {
                break 'done Err(refused);
            }
            let mut cx = Cx::new(self.faces.face.as_ref(), trace);
            let done = self.state.apply(&mut cx, Event::Act(public));
            match cx.failed() {
                Some(refused) => Err(refused),
                None => done,
            }
        };
        if let Err(refused) = done {
            if !undo.is_empty() {
                self.take_back(&undo);
            }
            return Err(refused);
        }
        if !undo.is_empty() && !self.faces.notes.is_empty() {
            undo.shown().for_each(|(t, face)| self.faces.drop_note(t, face));
        }
        if let Some(line) = line {
            line.event = Event::Act(public);
            line.shown = undo.shown().map(|(t, face)| (t, G::Face::nth(face))).collect();
            line.shown.sort_unstable_by_key(|&(t, _)| t);
            if slips.0.is_some() {
                line.annex(Some(seat)).sealed = Some(action);
            }
        }
        Ok(())
    }

    /// Applies an action from the list of `seat`, the acting seat, in a playout. Skips the checks that the
    /// list guarantees and keeps no undo data: after an error the position is invalid. An action that lays a
    /// slip, and every action while the position has notes, is applied with all checks instead.
    ///
    /// # Errors
    ///
    /// Fails if the action shows more than [`MOST_SHOWN`] tokens, if a shown face is unknown, or if the rules
    /// reject it. Debug builds also check that shown tokens belong to the seat.
    #[inline(always)]
    pub(crate) fn act_listed(&mut self, seat: Seat, action: G::Action) -> Result<(), RuleError> {
        if G::Size::TOKENS == 0 {
            return self.state.apply(&mut Cx::new(&[], None), Event::Act(action));
        }
        let (public, slips) = self.state.veil(action);
        if slips.0.is_some() || !self.faces.notes.is_empty() {
            return self.act_in_full(seat, action);
        }
        let (mut shown, mut n) = ([Token(0); MOST_SHOWN], 0);
        self.state.shows(public, &mut |t| {
            if !self.state.tokens().is_public(t) {
                shown[n % MOST_SHOWN] = t;
                n += 1;
            }
        });
        if n > MOST_SHOWN {
            return Err(RuleError::new("this shows more tokens than an action may"));
        }
        for &t in &shown[..n] {
            // The list guarantees it; checked only where assertions are on.
            if cfg!(debug_assertions) && self.state.owner(self.state.tokens().zone(t)) != Some(seat) {
                return Err(RuleError::of("this token is not the actor's to show", t));
            }
            self.open_own(t)?;
        }
        let mut cx = Cx::new(self.faces.face.as_ref(), None);
        self.state.apply(&mut cx, Event::Act(public))?;
        cx.verdict()
    }

    /// Applies an action of `seat`, the acting seat, with all checks. On `Err` the position is unchanged,
    /// unless the rules ignored a false claim: then their changes stay. A separate function: inlined, it
    /// would bloat the loop of a playout.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject the action, a claim is false, or a face is missing.
    #[inline(never)]
    fn act_in_full(&mut self, seat: Seat, action: G::Action) -> Result<(), RuleError> {
        self.act(seat, action, None, None)
    }

    /// Carries out the engine's part of an action of `seat`, before the rules see it: turns the tokens that
    /// `public` shows face up and lays the slip. Faces come from this observer's knowledge, or from `given`,
    /// the logged event of another peer, which must then show exactly these tokens. Records each change in
    /// `undo`.
    ///
    /// # Errors
    ///
    /// Fails if the action shows too many tokens or one that the actor may not show, if a face contradicts
    /// public or private knowledge, if a face or the choice of the slip is missing or not on the menu, or if
    /// the slip is no free slip. The caller then rolls back with `undo`.
    #[inline(always)]
    pub(crate) fn prepare(
        &mut self,
        seat: Seat,
        public: G::Action,
        slips: &crate::game::Slips<G::Face>,
        given: Option<&LoggedEventOf<G>>,
        undo: &mut ActionUndo<G>,
    ) -> Result<(), RuleError> {
        let mut shown = [Token(0); MOST_SHOWN];
        let mut n = 0;
        self.state.shows(public, &mut |t| {
            if let Some(place) = shown.get_mut(n) {
                *place = t;
            }
            n += 1;
        });
        let Some(shown) = shown.get(..n) else {
            return Err(RuleError::new("this shows more tokens than an action may"));
        };
        let mut opened = 0;
        for &t in shown {
            if self.state.tokens().zone(t) == crate::token::Zone::NOWHERE {
                return Err(RuleError::of("there is no such token", t));
            }
            if self.state.tokens().is_public(t) {
                continue;
            }
            if self.state.owner(self.state.tokens().zone(t)) != Some(seat) {
                return Err(RuleError::of("this token is not the actor's to show", t));
            }
            if !self.state.tokens().known(t).to(seat) {
                return Err(RuleError::of("the actor does not know this token", t));
            }
            let told = given.and_then(|l| l.shown.iter().find(|(u, _)| *u == t)).map(|(_, f)| f.index());
            let own = self.faces.get(t);
            let face = match (told, own) {
                (Some(told), Some(own)) if told != own => {
                    return Err(RuleError::of("the shown face is not the face of this token", t));
                }
                (None, _) if given.is_some() => return Err(RuleError::face_needed(t)),
                (told, own) => told.or(own).ok_or(RuleError::face_needed(t))?,
            };
            undo.push(self.open(t, face)?);
            opened += 1;
        }
        if given.is_some_and(|l| l.shown.len() != opened || !l.backs.is_empty()) {
            return Err(RuleError::new("the line shows faces that this action does not show"));
        }
        if let Some(slip) = slips.0 {
            let choice = match slip.choice {
                Some(f) if !slip.menu.has(f) => return Err(RuleError::new("this choice is not on the menu")),
                Some(f) => f.index(),
                // The actor must know the choice; an observer of another seat does not learn it.
                None if given.is_some()
                    && self.observer != Observer::All
                    && self.observer != Observer::Seat(seat) =>
                {
                    UNKNOWN
                }
                None if given.is_some() => return Err(RuleError::face_needed(slip.token)),
                None => return Err(RuleError::new("this choice is already sealed")),
            };
            let grouped = self.state.tokens().same_group(slip.token, slip.token);
            if grouped || self.state.tokens().zone(slip.token) == crate::token::Zone::NOWHERE {
                return Err(RuleError::of("no choice can be laid with this token", slip.token));
            }
            let old = self.faces.face[slip.token.index()];
            undo.push((self.state.tokens_mut().lay(slip.token, slip.menu, seat), old));
            undo.slip = true;
            self.faces.face[slip.token.index()] = choice;
        }
        Ok(())
    }

    /// Makes the face (by number) of a hidden token public and removes it from the private faces. Returns the
    /// data to undo it: the change of the token, and the number of the private face before it ([`UNKNOWN`] if
    /// there was none).
    ///
    /// # Errors
    ///
    /// Fails if the token cannot have this face; nothing has changed then.
    #[inline(always)]
    pub(crate) fn open(&mut self, t: Token, face: u8) -> Result<(TokenUndo<G::Face>, u8), RuleError> {
        let old = self.faces.face[t.index()];
        let undo = self.state.tokens_mut().show(t, face)?;
        self.faces.face[t.index()] = UNKNOWN;
        Ok((undo, old))
    }

    /// Makes the face of a hidden token public, as this observer knows it, and returns the number of the
    /// face. Cannot be undone.
    ///
    /// # Errors
    ///
    /// Fails if the observer does not know the face, or if public information contradicts it; nothing has
    /// changed then. The second is not checked if the position is aligned.
    #[inline(always)]
    pub(crate) fn open_own(&mut self, t: Token) -> Result<u8, RuleError> {
        let face = self.faces.get(t).ok_or(RuleError::face_needed(t))?;
        if self.aligned {
            // The byte in the token table is the true face, so no search and no check is needed.
            self.state.tokens_mut().turn_up(t, face);
            self.faces.face[t.index()] = UNKNOWN;
        } else {
            self.open(t, face)?;
        }
        Ok(face)
    }

    /// Removes notes that are fulfilled because the face of `t` became known to this observer; no effect if
    /// it is unknown.
    #[cold]
    pub(crate) fn drop_note(&mut self, t: Token) {
        if let Some(face) = self.face(t) {
            self.faces.drop_note(t, face.index());
        }
    }

    /// Rolls back the changes of tokens that [`prepare`](Self::prepare) recorded, the last one first. The
    /// rules must not have changed the tokens since.
    #[cold]
    pub(crate) fn take_back(&mut self, undo: &ActionUndo<G>) {
        for (change, face) in undo.items.iter().rev() {
            self.state.tokens_mut().take_back(change);
            self.faces.face[change.token().index()] = *face;
        }
    }
}

/// The changes of tokens that an action made before the rules saw it, for a rollback.
pub(crate) struct ActionUndo<G: Game> {
    /// Each change of a token, in order, with the private face before it.
    items: ArrayVec<(TokenUndo<G::Face>, u8), { MOST_SHOWN + 1 }>,
    /// Whether the last change is a slip that was laid.
    slip: bool,
}

impl<G: Game> ActionUndo<G> {
    /// Creates an empty list of changes.
    #[inline(always)]
    pub(crate) fn new() -> Self {
        ActionUndo { items: ArrayVec::new(), slip: false }
    }

    /// Returns whether there is no change.
    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Records a change of a token and the private face before it. There is room for [`MOST_SHOWN`] + 1
    /// changes; panics at one more.
    #[inline(always)]
    fn push(&mut self, change: (TokenUndo<G::Face>, u8)) {
        self.items.push(change);
    }

    /// Iterates over the tokens that were turned face up, in the order of the changes, with the private faces
    /// they had before. The rules may have rewritten the faces since; the slip is left out.
    fn shown(&self) -> impl Iterator<Item = (Token, u8)> {
        let shown = self.items.len() - usize::from(self.slip);
        self.items[..shown].iter().map(|(undo, face)| (undo.token(), *face))
    }
}
