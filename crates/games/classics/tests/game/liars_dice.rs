//! Liar's dice: published numbers of the one-round game, advice by binomial odds, and strength.

use pentarchy_classics::LiarsDice;
use pentarchy_classics::liars_dice::{Action, LiarsDiceOptions, Wild, cup};
use pentarchy_engine::{Face, Game, Position, Rng, Seat, best_rated, rate_actions};
use pentarchy_testkit::exact::{self, Tree};

/// The game with one die each in which the six is wild, as OpenSpiel plays it.
fn one_round() -> Position<LiarsDice> {
    let options = LiarsDiceOptions { dice: 1, wild: Wild::Highest, ..LiarsDiceOptions::default() };
    Position::new(2, &options).expect("two seats")
}

/// There are 12 bids, so 4,096 ascending sequences of them. A seat decides after each, knowing one of 6
/// sides: 6 · 4,096 information sets. For each of 36 rolls there are 4,096 decisions and 4,095 challenges,
/// after 1 + 6 chance nodes. The value -7/258 is that of OpenSpiel's `sequence_form_lp_test`, which refers to
/// Neller and Lanctot.
#[test]
fn the_one_round_game_has_the_expected_size_and_the_published_value() {
    let tree = Tree::new(&one_round(), 300_000).expect("a small game");
    assert_eq!(tree.information_sets(), 6 * 4_096);
    assert_eq!(tree.histories(), 1 + 6 + 36 * (4_096 + 4_095));
    let solution = exact::solve(&tree, 200);
    let value = -7.0 / 258.0;
    assert!(solution.at_least < value && value < solution.at_most, "{solution:?}");
    assert!((solution.value - value).abs() < 5e-3, "{}", solution.value);
}

/// The probability that at least `k` of `n` dice match, if each does with probability `p`.
fn tail(n: i32, k: i32, p: f64) -> f64 {
    let choose = |j: i32| (0..j).fold(1.0, |c, i| c * f64::from(n - i) / f64::from(i + 1));
    (k.max(0)..=n).map(|j| choose(j) * p.powi(j) * (1.0 - p).powi(n - j)).sum()
}

#[test]
fn a_bid_is_rated_by_the_odds_of_the_unseen_dice() {
    for (wild, sides, dice) in [(Wild::Ones, 6, 5), (Wild::None, 10, 6), (Wild::Highest, 3, 2)] {
        let options = LiarsDiceOptions { dice, sides, wild };
        let mut game = Position::<LiarsDice>::new(6, &options).expect("six seats");
        game.resolve(&mut Rng::new(5)).expect("a cast");
        let joker = match wild {
            Wild::Ones => 1,
            Wild::Highest => sides,
            Wild::None => 0,
        };
        let dice_of = game.state().tokens().iter(cup(Seat(0)));
        let own: Vec<u8> = dice_of.filter_map(|t| game.face(t)).map(|pip| pip.index() + 1).collect();
        let (mut list, mut ratings) = (Vec::new(), Vec::new());
        game.legal(&mut list).expect("a decision");
        rate_actions(&game, &list, &mut ratings);
        for (action, rating) in list.iter().zip(ratings) {
            let Action::Bid(bid) = action else { continue };
            let mine = own.iter().filter(|&&face| face == bid.face || face == joker).count() as i32;
            let good = if joker == 0 || bid.face == joker { 1.0 } else { 2.0 };
            let exact = tail(5 * i32::from(dice), i32::from(bid.count) - mine, good / f64::from(sides));
            assert!((f64::from(rating) - 1000.0 * exact).abs() < 2.0, "{action}: {rating}, {exact}");
        }
    }
}

/// Who follows the advice wins nearly always against random play, at every number of seats.
#[test]
fn advice_beats_random_play() {
    let (mut rng, mut list, mut ratings) = (Rng::new(11), Vec::new(), Vec::new());
    for seats in 2..=6 {
        let mut won = 0;
        for game in 0..60u8 {
            let advised = Seat(game % seats);
            let mut position =
                Position::<LiarsDice>::new(seats, &LiarsDiceOptions::default()).expect("these seats");
            let outcome = loop {
                position.settle(&mut rng, &mut list).expect("nature answers");
                let Some(seat) = position.actor() else { break position.outcome() };
                position.legal(&mut list).expect("a list");
                let chosen = if seat == advised {
                    rate_actions(&position.view(seat), &list, &mut ratings);
                    best_rated(&ratings, &mut rng).expect("an action")
                } else {
                    rng.below(list.len() as u32) as usize
                };
                position.play(list[chosen]).expect("a listed action");
            };
            won += u32::from(outcome.expect("an end").winner() == Some(advised));
        }
        assert!(won >= 54, "{won} of 60 with {seats} seats");
    }
}
