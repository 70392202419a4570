//! Words for people.

use super::{BALLOTS, DECK, DISCARD, Do, Parlour, SALVER, TABLE, hand};
use pentarchy_engine::{
    AppliedEvent, Describe, Event, Game, Heuristic, NoWeights, Position, Seat, Token, Zone, describe::who,
};
use std::fmt::Write as _;

impl Heuristic for Parlour {
    type Weights = NoWeights;
}

impl pentarchy_engine::Encode for Parlour {}

impl Describe for Parlour {
    const SUMMARY: &'static str =
        "Offer flowers, match pairs, feast on cakes; after each round vote on a dance.";

    fn table(view: &Position<Self>) -> String {
        let (game, mut out) = (view.state(), String::new());
        let seat = |t: Token| view.face(t).map_or_else(|| "?".to_string(), |f| f.to_string());
        let cards = |z: Zone| game.tokens().iter(z).map(seat).collect::<Vec<_>>().join(" ");
        let _ = writeln!(out, "round {} of {}", (game.round + 1).min(game.rounds), game.rounds);
        for s in (0..game.seats).map(Seat) {
            let _ = writeln!(out, "{}: {} points, {}", who(s), game.points[s.index()], cards(hand(s)));
        }
        for z in [DECK, TABLE, DISCARD, SALVER, BALLOTS] {
            let _ = writeln!(out, "{}: {}", Self::zone_name(z), cards(z));
        }
        out
    }

    fn log(event: &AppliedEvent<'_, Self>) -> Option<String> {
        let AppliedEvent { before, line, after, .. } = *event;
        let seat = before.actor()?;
        let Event::Act(action) = line.event else { return None };
        let (name, gained) =
            (who(seat), after.state().points[seat.index()] - before.state().points[seat.index()]);
        let said = match action {
            Do::Offer(_) => format!("{name} offers a flower"),
            Do::Match(..) => format!("{name} lays a matching pair"),
            Do::Feast => format!("{name} calls for a feast"),
            Do::Leave(_) => format!("{name} leaves a mask on the deck"),
            Do::Ask(x) => format!("{name} asks {} for fans", who(x)),
            Do::Swap(x) => format!("{name} and {} exchange their hands", who(x)),
            Do::Peek => format!("{name} peeks at the deck"),
            Do::Show(_) => format!("{name} shows {}", line.shown.first()?.1),
            Do::Rest => format!("{name} has no more"),
            Do::Take(_) | Do::Pass | Do::Vote(_) => return None,
        };
        Some(if gained == 0 { format!("{said}.") } else { format!("{said}: {gained} points.") })
    }
}
