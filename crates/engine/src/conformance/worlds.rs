//! Determinizations: whole games that an observer could be in.

use super::trial::{Trial, unexpected};
use super::{Kept, demand, sound};
use crate::game::Game;
use crate::node::Node;
use crate::position::{Observer, Position};
use crate::size::Size;

impl<G: Game> Trial<'_, G> {
    /// A determinized game of a random observer agrees with what he knows and can be played to the end.
    pub(super) fn worlds(&mut self) -> Kept {
        if G::Size::TOKENS == 0 {
            return Ok(());
        }
        let place = self.dice.below(self.views.len() as u32) as usize;
        let view = &self.views[place];
        let who = super::views::name(view);
        let world = view.determinize(&mut self.dice);
        demand!(world.observer == Observer::All, Determinize, "{who} imagines less than a whole game");
        let wrong =
            view.state.tokens().all().find(|&t| view.face(t).is_some_and(|f| world.face(t) != Some(f)));
        demand!(wrong.is_none(), Determinize, "{who} forgets what it knows of {wrong:?}");
        demand!(world.encode() == self.full.encode(), Determinize, "{who} imagines another public state");
        let fits = sound::groups::<G>(&world);
        fits.map_err(|b| super::Broken {
            law: super::Law::Determinize,
            detail: format!("{who} imagines what cannot be: {}", b.detail),
        })?;
        if self.full.actor().is_some_and(|s| view.observer == Observer::Seat(s)) {
            let mut list = Vec::new();
            world.legal(&mut list).map_err(|e| unexpected("an imagined game has no list", e))?;
            demand!(list == self.list, Determinize, "{who} imagines another list for itself: {list:?}");
        }
        self.play_out(world, &who)?;
        self.report.worlds += 1;
        Ok(())
    }

    fn play_out(&mut self, mut world: Position<G>, who: &str) -> Kept {
        let mut list = Vec::new();
        // The rest of a long game is not played out each time: a stretch of it tells as much.
        for _ in 0..400 {
            let settled = world.settle(&mut self.dice, &mut list);
            settled.map_err(|e| unexpected(&format!("a game imagined by {who} does not go on"), e))?;
            if world.node() == Node::Over {
                break;
            }
            world.legal(&mut list).map_err(|e| unexpected("an imagined game has no list", e))?;
            demand!(!list.is_empty(), List, "the list of an imagined game is empty");
            let pick = self.dice.below(list.len() as u32) as usize;
            let played = world.play(list[pick]);
            played.map_err(|e| unexpected(&format!("`{}` in a game imagined by {who}", list[pick]), e))?;
        }
        sound::groups::<G>(&world)
    }
}
