//! Checks of determinization: complete positions that an observer could be in.

use super::trial::Trial;
use super::{Law, LawError, LawResult, demand, sound};
use pentarchy_engine::{
    Chance, Encode, Event, Game, LoggedEventOf, Node, Observer, Position, RuleError, Seat, Size,
};

/// Number of events for which a determinized position follows the true game.
const SHADOWED: u32 = 16;

/// A copy of the game with other hidden faces, consistent with what an observer knows.
pub(super) struct Shadow<G: Game> {
    /// The copy.
    world: Position<G>,
    /// The observer that cannot tell it from the true game.
    observer: Observer,
    /// Number of events that it still follows.
    left: u32,
}

impl<G: Encode> Trial<'_, G> {
    /// Applies the event of `line`, which resolved `node`, to the copy with other hidden faces, if there is
    /// one: the public parts must stay equal to the omniscient position, which is the one after the event.
    /// Drops the copy after [`SHADOWED`] events, when a face or back becomes public, when its observer learns
    /// a face, and when another seat could not have acted so with other faces.
    ///
    /// # Errors
    ///
    /// Fails with the violated law.
    pub(super) fn shadow_follows(&mut self, node: Node, line: &LoggedEventOf<G>) -> LawResult {
        let Some(mut shadow) = self.shadow.take() else { return Ok(()) };
        if shadow.left == 0 || !line.shown.is_empty() || !line.backs.is_empty() {
            return Ok(());
        }
        let who = super::views::name(shadow.observer);
        let order = || line.annexes.iter().map(|a| &a.order).find(|o| !o.is_empty()).cloned();
        let followed = match (node, line.event) {
            (Node::Decide(seat) | Node::Declare(seat), Event::Act(action)) => {
                let sealed = line.annexes.iter().find_map(|a| a.sealed);
                let played = shadow.world.play(sealed.unwrap_or(action));
                if played.is_err() && shadow.observer != Observer::Seat(seat) {
                    // With other faces the other seat could not have done this.
                    return Ok(());
                }
                played
            }
            (Node::Chance(Chance::Roll { .. }), Event::Rolled(n)) => {
                shadow.world.resolve_with(n - 1, None).map(|_| ())
            }
            (_, Event::Rolled(n)) => shadow.world.resolve_with(n, None).map(|_| ()),
            _ => shadow.world.resolve_with(0, order()).map(|_| ()),
        };
        demand!(followed.is_ok(), Swap, "with other hidden faces {who} could not go on: {followed:?}");
        let awaited = shadow.world.node();
        demand!(awaited == self.full.node(), Swap, "with other hidden faces awaited is {awaited:?}");
        let same = shadow.world.encode() == self.full.encode();
        demand!(same, Swap, "faces that {who} does not know have changed the public state");
        self.report.swapped += 1;
        shadow.left -= 1;
        // An observer that has learned a face can exclude the copy.
        if line
            .annexes
            .iter()
            .all(|a| a.learned.is_empty() || Observer::Seat(a.to.unwrap_or_default()) != shadow.observer)
        {
            self.shadow = Some(shadow);
        }
        Ok(())
    }

    /// Checks that a determinized position of a random observer agrees with what it knows and with the public
    /// state, encodes to the same numbers for it, and can be played on. Starts a shadow copy if there is none.
    /// In a game without tokens checks only the numbers.
    ///
    /// # Errors
    ///
    /// Fails with the violated law.
    pub(super) fn check_worlds(&mut self) -> LawResult {
        if G::Size::TOKENS == 0 {
            let seat = Seat(self.dice.below(self.full.seats().into()) as u8);
            return self.check_observations(seat, &[&self.views[seat.index()]]);
        }
        let place = self.dice.below(self.views.len() as u32) as usize;
        let view = &self.views[place];
        let who = super::views::name(view.observer());
        let world = view.determinize(&mut self.dice);
        demand!(world.observer() == Observer::All, Determinize, "{who} imagines less than a whole game");
        let wrong =
            view.state().tokens().all().find(|&t| view.face(t).is_some_and(|f| world.face(t) != Some(f)));
        demand!(wrong.is_none(), Determinize, "{who} forgets what it knows of {wrong:?}");
        demand!(world.encode() == self.full.encode(), Determinize, "{who} imagines another public state");
        let fits = sound::groups::<G>(&world);
        fits.map_err(|b| LawError {
            law: Law::Determinize,
            detail: format!("{who} imagines what cannot be: {}", b.detail),
        })?;
        if self.full.actor().is_some_and(|s| view.observer() == Observer::Seat(s)) {
            let mut list = Vec::new();
            world.legal(&mut list).map_err(|e| determinize_error(&who, "there is no list", e))?;
            demand!(list == self.list, Determinize, "{who} imagines another list for itself: {list:?}");
        }
        if let Observer::Seat(seat) = view.observer() {
            self.check_observations(seat, &[view, &world])?;
        }
        if self.shadow.is_none() {
            self.shadow = Some(Shadow { world: world.clone(), observer: view.observer(), left: SHADOWED });
        }
        self.play_out(world, &who)?;
        self.report.worlds += 1;
        Ok(())
    }

    /// Plays a determinized position at random for up to 400 decisions and checks its groups at the end;
    /// `who` names the observer.
    ///
    /// # Errors
    ///
    /// Fails with the violated law.
    fn play_out(&mut self, mut world: Position<G>, who: &str) -> LawResult {
        let mut list = Vec::new();
        // A part of a long game finds as many errors as all of it.
        for _ in 0..400 {
            let settled = world.settle(&mut self.dice, &mut list);
            settled.map_err(|e| determinize_error(who, "it does not go on", e))?;
            if world.node() == Node::Over {
                break;
            }
            world.legal(&mut list).map_err(|e| determinize_error(who, "there is no list", e))?;
            demand!(!list.is_empty(), List, "the list of a game imagined by {who} is empty");
            let pick = self.dice.below(list.len() as u32) as usize;
            let played = world.play(list[pick]);
            played.map_err(|e| determinize_error(who, &format!("`{}` is refused", list[pick]), e))?;
        }
        sound::groups::<G>(&world)
    }
}

/// Returns the broken law [`Law::Determinize`] for a position, determinized for the observer `who`, that failed at
/// `what` because of `why`.
fn determinize_error(who: &str, what: &str, why: RuleError) -> LawError {
    LawError { law: Law::Determinize, detail: format!("a game imagined by {who}: {what}: {why}") }
}
