//! What a search imagines of hidden cards.

use crate::table::{decisions, start};
use crate::{in_every_game, test_games};
use pentarchy_engine::{Face, Game, Heuristic, Node, Position, Rng, Seat};
use pentarchy_vires::{Card, Vires, hand};

/// An imagined world agrees with all that the observer knows, holds the cards that there are, and can be
/// played on.
fn possible<G: Heuristic>(seats: u8) {
    let (mut rng, mut list) = (Rng::new(9), Vec::new());
    for truth in decisions::<G>(seats, 21, 5, 8) {
        let seat = truth.actor().unwrap();
        let (view, tokens) = (truth.view(seat), truth.state().tokens());
        let faces = |position: &Position<G>| -> Vec<Option<u8>> {
            tokens.all().map(|t| position.face(t).map(Face::index)).collect()
        };
        let cards = |position: &Position<G>| {
            let mut cards = faces(position);
            cards.sort_unstable();
            cards
        };
        let mut world = view.determinize_likely(&mut rng);
        assert_eq!(faces(&world.view(seat)), faces(&view));
        // A sealed choice has no group of cards it comes from.
        let dealt = tokens.all().all(|t| tokens.is_public(t) || tokens.same_group(t, t));
        assert!(!dealt || cards(&world) == cards(&truth));
        // A slip that is not laid yet shows nothing.
        for t in tokens.all().filter(|&t| !tokens.is_public(t)) {
            assert!(world.face(t).is_none_or(|face| tokens.may(t).has(face)), "{t}");
        }
        world.playout(&mut rng, &mut list).unwrap();
    }
}

in_every_game!(possible);

/// In games of Captains, who play what they can: what the others are imagined to hold after their turns is
/// closer to the truth than what chance would have dealt them.
#[test]
fn others_hold_what_they_would_have_kept() {
    let (mut rng, mut list, mut ratings) = (Rng::new(2), Vec::new(), Vec::new());
    // Actions that are played at once: in truth, as imagined, by chance.
    let mut found = [0u32; 3];
    for _ in 0..20 {
        let mut truth = start::<Vires>(2);
        while truth.settle(&mut rng, &mut list).is_ok()
            && let Node::Decide(seat) = truth.node()
        {
            let view = truth.view(seat);
            view.legal(&mut list).unwrap();
            if rng.below(8) == 0 && truth.state().active() == seat {
                let foe: Seat = seat.next(2);
                let worlds = [truth.clone(), view.determinize_likely(&mut rng), view.determinize(&mut rng)];
                for (count, world) in found.iter_mut().zip(&worlds) {
                    let held = view.state().tokens().iter(hand(foe)).filter(|&t| view.face(t).is_none());
                    let used = [Card::Sat, Card::Bull, Card::Scam, Card::Whale, Card::Bear, Card::Half];
                    *count +=
                        held.filter(|&t| world.face(t).is_some_and(|f| used.contains(&f))).count() as u32;
                }
            }
            ratings.clear();
            view.state().rate(&view.own(seat), &list, &mut ratings);
            let best = (0..list.len()).max_by_key(|&i| ratings[i]).unwrap();
            truth.play(list[best]).unwrap();
        }
    }
    let [truth, imagined, chance] = found;
    assert!(chance > 100 && truth * 4 < chance && imagined * 4 < chance, "{found:?}");
}
