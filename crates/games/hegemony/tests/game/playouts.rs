//! Random games to the end, for all numbers of seats.

use pentarchy_engine::record::{Record, RecordEntry, Replay};
use pentarchy_engine::{Heuristic, Metrics, Node, Position, Rng};
use pentarchy_hegemony::{Hegemony, Options};

#[test]
fn random_games_end_within_the_cap() {
    let mut list = Vec::new();
    for seats in 1..=6 {
        let (mut decisions, mut rounds) = (0, 0);
        for seed in 0..200 {
            let options = Options { only_one: seed % 4 == 3, ..Options::default() };
            let mut position = Position::<Hegemony>::new(seats, &options).unwrap();
            let mut rng = Rng::stream(seats.into(), seed);
            let (outcome, n) = position
                .playout(&mut rng, &mut list)
                .unwrap_or_else(|e| panic!("seats {seats} seed {seed}: {e}"));
            assert_eq!(outcome.seats(), seats);
            decisions += n;
            rounds += u32::from(position.state().round());
        }
        println!("{seats} seats: {} decisions, {} rounds a game", decisions / 200, rounds / 200);
    }
}

/// The options with the widest ranges, at their ends: nothing overflows, and ratings stay in range.
#[test]
fn games_with_extreme_options_are_played() {
    let extremes =
        [(1, 1, 1), (1, 65_535, 65_535), (65_535, 1, 65_535), (65_535, 65_535, 1), (12, 65_535, 65_535)];
    let (mut list, mut rates) = (Vec::new(), Vec::new());
    for (seed, (cap, start, empire)) in (0..).zip(extremes) {
        let options = Options {
            round_cap: Some(cap),
            start_vp: start,
            empire_vp: Some(empire),
            only_one: seed % 2 == 1,
            ..Options::default()
        };
        let mut position = Position::<Hegemony>::new(3, &options).unwrap();
        let mut rng = Rng::stream(9, seed);
        for _ in 0..3000 {
            position.settle(&mut rng, &mut list).unwrap();
            let Node::Decide(seat) = position.node() else { break };
            position.legal(&mut list).unwrap();
            rates.clear();
            position.state().rate(&position.own(seat), &list, &mut rates);
            let chance = position.state().evaluate(&position.own(seat), seat);
            assert!((0..=1000).contains(&chance), "{chance}");
            Hegemony::standing(&position, seat).unwrap();
            // The best-rated action: whole games, not only random ones.
            let best = (0..list.len()).max_by_key(|&i| rates[i]).unwrap();
            position.play(list[best]).unwrap();
        }
        let outcome = position.playout(&mut rng, &mut list);
        assert!(outcome.is_ok() || cap == 65_535, "{outcome:?}");
    }
}

/// Version 2 has changed two rules; games of version 1 go on by the rules they were played by.
#[test]
fn records_of_version_1_replay_by_its_rules() {
    let mut list = Vec::new();
    for seed in 0..20 {
        let options = Options { only_one: true, ..Options::default() };
        let mut record = Record::new::<Hegemony>(3, &options, Some(seed)).unwrap();
        record.header.rules = 1;
        let mut position = Replay::<Hegemony>::start(&record).unwrap().position().clone();
        let mut rng = Rng::stream(4, seed);
        while position.node() != Node::Over {
            let (node, n) = (position.node(), record.entries.len() as u32 + 1);
            let line = match position.actor() {
                Some(_) => {
                    position.legal(&mut list).unwrap();
                    position.play_line(*rng.choose(&list).unwrap()).unwrap()
                }
                None => position.resolve_line(&mut rng).unwrap(),
            };
            record.entries.push(RecordEntry::of::<Hegemony>(n, node, &line, position.digest()));
        }
        let mut replay = Replay::<Hegemony>::start(&record).unwrap();
        while replay.step().unwrap().is_some() {}
        assert_eq!(replay.position().digest(), position.digest());
    }
    let mut old = Record::new::<Hegemony>(3, &Options::default(), None).unwrap();
    old.header.rules = 0;
    let error = Replay::<Hegemony>::start(&old).unwrap_err().to_string();
    assert!(error.contains("rules 0"), "{error}");
}
