//! Checks of legal lists: all listed actions work, all others are rejected.

use super::trial::{Trial, unexpected};
use super::{LawResult, demand};
use pentarchy_engine::notation::replace_tokens;
use pentarchy_engine::{Game, MOST_SHOWN, Node, Position, Size, Token, Zone};

/// Returns the tokens that an action names, in the order of `map_tokens`, repetitions included.
pub(super) fn tokens_of<G: Game>(action: G::Action) -> Vec<Token> {
    let mut tokens = Vec::new();
    G::map_tokens(action, &mut |t| {
        tokens.push(t);
        t
    });
    tokens
}

impl<G: Game> Trial<'_, G> {
    /// Checks the list of the acting seat at `node`: it is not empty, has no duplicates, and has one entry at
    /// a `Declare`.
    ///
    /// # Errors
    ///
    /// Fails with the violated law.
    pub(super) fn check_list(&self, node: Node) -> LawResult {
        let list = &self.list;
        demand!(!list.is_empty(), List, "the list is empty");
        for (i, action) in list.iter().enumerate() {
            demand!(!list[..i].contains(action), List, "`{action}` is listed twice");
        }
        if let Node::Declare(_) = node {
            demand!(list.len() == 1, Duty, "a duty with {} entries: {list:?}", list.len());
        }
        Ok(())
    }

    /// Checks up to 40 entries of the list, from a random one on: all their forms, hostile texts made from
    /// theirs, and that they are accepted. Then checks `plan.tries` actions that may be illegal. Everything
    /// is tried on copies, so the game does not change. Counts what was checked in the report. The list
    /// must not be empty.
    ///
    /// # Errors
    ///
    /// Fails with the violated law.
    pub(super) fn check_actions(&mut self) -> LawResult {
        let before = self.full.encode();
        // Sample long lists; over many games all kinds of entries are checked.
        let most = 40.min(self.list.len());
        let offset = self.dice.below(self.list.len() as u32) as usize;
        for i in 0..most {
            let action = self.list[(offset + i) % self.list.len()];
            self.check_text(action)?;
            self.check_forms(action)?;
            self.check_hostile_texts(action, &before)?;
            let mut copy = self.full.clone();
            let done = copy.play(action);
            done.map_err(|e| unexpected(&format!("the listed `{action}` is refused"), e))?;
            self.report.listed += 1;
            let sealed = self.full.state().veil(action).0;
            if sealed != action {
                self.must_be_refused(sealed, &before)?;
            }
        }
        for _ in 0..self.plan.tries {
            if let Some(action) = self.pool.candidate(&self.list, &mut self.dice) {
                self.check_candidate(action, &before)?;
            }
        }
        Ok(())
    }

    /// Checks that the canonical text of a listed action parses to it, that its spoken text parses to an
    /// action with that text, and that `map_tokens` replaces the tokens of the text.
    ///
    /// # Errors
    ///
    /// Fails with the violated law.
    fn check_text(&self, action: G::Action) -> LawResult {
        let text = action.to_string();
        let read = text.parse::<G::Action>();
        demand!(read.as_ref() == Ok(&action), Notation, "`{text}` is read as {read:?}, not {action:?}");
        let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
        demand!(plain == text && !text.is_empty(), Notation, "`{text}` has needless spaces");
        let first = text.split(' ').next().unwrap_or_default();
        demand!(!first.ends_with(':'), Notation, "`{text}` begins like an event of nature");
        let spoken = self.full.format_action(action);
        let heard = self.full.parse_legal(&spoken);
        demand!(heard.is_ok(), Notation, "`{spoken}` is not understood: {heard:?}");
        let again = heard.map(|a| self.full.format_action(a));
        demand!(again.as_ref() == Ok(&spoken), Notation, "`{spoken}` is heard as `{again:?}`");
        if G::Size::TOKENS > 0 {
            let other = |t: Token| Token((t.0 + 1) % G::Size::TOKENS as u16);
            let mapped = G::map_tokens(action, &mut |t| other(t)).to_string();
            let renamed = replace_tokens(&text, |t| other(t).to_string());
            demand!(
                mapped == renamed,
                MapTokens,
                "`map_tokens` of `{text}` gives `{mapped}`, not `{renamed}`: implement `Game::map_tokens`"
            );
            demand!(G::map_tokens(action, &mut |t| t) == action, MapTokens, "of `{text}` changes more");
        }
        Ok(())
    }

    /// Checks the public form of a listed action (it parses back, and hides nothing without a slip), its
    /// slip, and the tokens that it shows: few, no duplicates, each public or in the actor's own zone and
    /// known to the actor.
    ///
    /// # Errors
    ///
    /// Fails with the violated law.
    fn check_forms(&self, action: G::Action) -> LawResult {
        let state = self.full.state();
        let (public, slips) = state.veil(action);
        let (again, blank) = state.veil(public);
        demand!(again == public, Veil, "the public form of `{action}` is `{public}`, whose is `{again}`");
        let read = public.to_string().parse::<G::Action>();
        demand!(read.as_ref() == Ok(&public), Notation, "`{public}` is read as {read:?}");
        match (slips.0, blank.0) {
            (None, None) => demand!(public == action, Veil, "`{action}` hides a choice without a slip"),
            (Some(slip), Some(blank)) => {
                let same = slip.token == blank.token && slip.menu == blank.menu;
                demand!(same, Veil, "`{action}` and `{public}` lay different slips");
                demand!(blank.choice.is_none(), Veil, "the public form `{public}` tells the choice");
                demand!(slip.choice.is_some_and(|f| slip.menu.has(f)), Veil, "`{action}` is not on its menu");
                let lies = state.tokens().zone(slip.token) != Zone::NOWHERE;
                demand!(lies, Veil, "`{action}` lays {}, which is no token", slip.token);
            }
            _ => demand!(false, Veil, "only one form of `{action}` lays a slip"),
        }
        let actor = self.full.actor();
        let (mut shown, tokens) = (Vec::new(), state.tokens());
        state.shows(public, &mut |t| shown.push(t));
        demand!(shown.len() <= MOST_SHOWN, Shows, "`{action}` shows {} tokens", shown.len());
        for (i, &t) in shown.iter().enumerate() {
            demand!(!shown[..i].contains(&t), Shows, "`{action}` shows {t} twice");
            if tokens.zone(t) != Zone::NOWHERE && tokens.is_public(t) {
                continue;
            }
            let own = actor.is_some() && state.owner(tokens.zone(t)) == actor;
            demand!(own, Shows, "`{action}` shows {t}, which is not the actor's");
            demand!(actor.is_some_and(|s| tokens.known(t).to(s)), Shows, "`{action}` shows {t} blindly");
        }
        Ok(())
    }

    /// Checks an action that may be listed, a twin of a listed one, or illegal. Its texts can be written, and
    /// its canonical one parses back. A listed one is not tried. A twin may be accepted or rejected, any
    /// other must be rejected, and a rejection must change nothing. Counts it in the report. `before` is the
    /// encoded state; the game does not change.
    ///
    /// # Errors
    ///
    /// Fails with the violated law.
    pub(super) fn check_candidate(&mut self, action: G::Action, before: &[u8]) -> LawResult {
        let text = action.to_string();
        let read = text.parse::<G::Action>();
        demand!(read.as_ref() == Ok(&action), Notation, "`{text}` is read as {read:?}, not {action:?}");
        self.full.format_action(action);
        if self.list.contains(&action) {
            return Ok(());
        }
        let twin = self.list.iter().any(|&l| is_twin(&self.full, l, action));
        if !twin {
            return self.must_be_refused(action, before);
        }
        let mut copy = self.full.clone();
        match copy.play(action) {
            Ok(()) => self.report.twins += 1,
            Err(_) => demand!(copy.encode() == before, Atomic, "the refused `{action}` changed something"),
        }
        Ok(())
    }

    /// Checks that an illegal action is rejected, that this changes nothing, and that the rules read no
    /// hidden face for it. Counts it in the report. `before` is the encoded state. Works on a copy.
    ///
    /// # Errors
    ///
    /// Fails with the violated law.
    fn must_be_refused(&mut self, action: G::Action, before: &[u8]) -> LawResult {
        let mut copy = self.full.clone();
        let Err(why) = copy.play(action) else {
            let said = self.full.format_action(action);
            demand!(false, UnlistedRefused, "`{action}` ({said}) is not listed and was carried out");
            return Ok(());
        };
        let same = copy.encode() == before && copy.raw_faces() == self.full.raw_faces();
        demand!(same, Atomic, "the refused `{action}` changed something (refused because {why})");
        let read = why.missing_face();
        demand!(
            read.is_none(),
            FaceNeeded,
            "`{action}` made the rules read a face that is not public: {why}"
        );
        self.report.refused += 1;
        Ok(())
    }
}

/// Returns whether two actions are equal except for tokens that the acting seat cannot tell apart in `full`. An
/// action is a twin of itself.
fn is_twin<G: Game>(full: &Position<G>, a: G::Action, b: G::Action) -> bool {
    let blank = |action| G::map_tokens(action, &mut |_| Token(0));
    let (first, second) = (tokens_of::<G>(a), tokens_of::<G>(b));
    blank(a) == blank(b)
        && first.len() == second.len()
        && first.into_iter().zip(second).all(|(t, u)| t == u || is_alike(full, t, u))
}

/// Returns whether two tokens lie in the same zone, with the same mark, both public or both hidden, and look
/// the same to the acting seat; `false` if no seat is to act. A seat may take any of several equal hidden
/// tokens, even if another seat knows one of them: no observer could check it. At a `Declare` only the face
/// counts, because the order is free.
fn is_alike<G: Game>(full: &Position<G>, t: Token, u: Token) -> bool {
    let (tokens, zone) = (full.state().tokens(), full.state().tokens().zone(t));
    let Some(actor) = full.actor() else { return false };
    let duty = matches!(full.node(), Node::Declare(_));
    zone != Zone::NOWHERE
        && tokens.in_zone(u, zone)
        && (duty || tokens.is_public(t) == tokens.is_public(u) && tokens.is_marked(t) == tokens.is_marked(u))
        && full.face_seen_by(actor, t) == full.face_seen_by(actor, u)
}
