//! Checks how a match advances in the page, without a browser: which decisions are left to a person, and what
//! undo does.

use crate::board::Board;
use crate::brain::{Brain, HINT, Mind, Task};
use crate::games::with_games;
use crate::gesture::AND;
use crate::local_match::LocalMatch;
use crate::table::GameView;
#[cfg(feature = "classics")]
use crate::ui::Ui;
use pentarchy_bots::{Level, Spec};
use pentarchy_engine::record::RecordKind;
use pentarchy_engine::{Node, Observer, Position, Rng, Seat};
use serde_json::{Value, json};

/// The seat of the person; Captains have the others.
const PERSON: Seat = Seat(0);

/// A game between a person who decides at random and Captains, driven as the page drives it.
struct Match<G: Board> {
    session: LocalMatch<G>,
    /// The same game with its types, for the bots.
    position: Position<G>,
    /// How many events the position has followed.
    told: usize,
    seed: u64,
    person: Rng,
    /// Decisions that were asked of the person.
    asked: usize,
    /// Moves that the page made for the person.
    made: usize,
    /// Decisions with one option that were asked of the person.
    empty: usize,
}

impl<G: Board> Match<G> {
    /// Starts a match with a seed and the default options.
    fn new(seed: u64) -> Self {
        let seats = G::INFO.default_seats;
        let session = LocalMatch::new(seats, &Value::Null, seed).unwrap();
        let position = Position::new(seats, &G::Options::default()).unwrap();
        let person = Rng::stream(seed, 1 << 40);
        Match { session, position, told: 0, seed, person, asked: 0, made: 0, empty: 0 }
    }

    /// Returns the number of events.
    fn events(&self) -> u64 {
        self.session.entries().len() as u64
    }

    /// Applies the new events of the session to the position.
    fn follow(&mut self) {
        for entry in &self.session.entries()[self.told..] {
            self.position.apply(&entry.line::<G>().unwrap()).unwrap();
        }
        self.told = self.session.entries().len();
    }

    /// Plays an action and follows it. Panics if it is rejected.
    fn play(&mut self, action: &str) {
        self.session.play(action).unwrap();
        self.follow();
    }

    /// Plays until the person is asked. Returns `false` if the game is over.
    fn run(&mut self) -> bool {
        loop {
            match self.session.node() {
                Node::Over => return false,
                Node::Decide(PERSON) => match self.session.auto_move() {
                    Some(auto) => {
                        self.made += 1;
                        self.play(&auto.action);
                    }
                    None => return true,
                },
                Node::Decide(seat) => {
                    let (view, mut list) = (self.position.view(seat), Vec::new());
                    view.legal(&mut list).unwrap();
                    let seed = self.seed.wrapping_add(self.events());
                    let chosen = Spec::new(Level::Captain).player::<G>(seed).choose(&view, &list);
                    self.play(&list[chosen].to_string());
                }
                _ => {
                    self.session.advance().unwrap();
                    self.follow();
                }
            }
        }
    }

    /// Chooses a random gesture for the person, and counts the decision.
    fn choose(&mut self) -> String {
        let choices = self.session.choices(usize::MAX, Observer::Seat(PERSON));
        self.asked += 1;
        self.empty += usize::from(choices.len() == 1);
        choices[self.person.below(choices.len() as u32) as usize].action.clone()
    }

    /// Takes the person's last decision back.
    fn undo(&mut self, back: usize) {
        self.session.take_back(back);
        self.position = Position::new(self.position.seats(), &G::Options::default()).unwrap();
        self.told = 0;
        self.follow();
    }

    /// Returns the digests after all events.
    fn digests(&self) -> Vec<String> {
        self.session.entries().iter().map(|entry| entry.digest.to_string()).collect()
    }
}

/// Plays whole games, and prints how many decisions were asked.
fn nothing_empty_is_asked<G: Board>(games: u64, most_events: u64) {
    let (mut asked, mut made, mut empty) = (0, 0, 0);
    for seed in 0..games {
        let mut game = Match::<G>::new(seed);
        while game.run() && game.events() < most_events {
            let action = game.choose();
            game.play(&action);
        }
        (asked, made, empty) = (asked + game.asked, made + game.made, empty + game.empty);
    }
    // As `cargo xtask measure` reads it.
    let figures = json!([
        ["games", games],
        ["decisions asked", asked],
        ["with one option", empty],
        ["moves made by the page", made]
    ]);
    println!("{}", json!({ "row": G::INFO.name, "figures": figures }));
    assert_eq!(empty, 0, "{}: decisions with one option were asked of a person", G::INFO.title);
    assert!(asked > 0);
}

/// Undoes decisions here and there: the position is the one before the decision, and the same decision leads to the same
/// game again.
fn undo_leads_back<G: Board>(seed: u64, most_events: u64) {
    let mut undone = 0;
    // One match of a tiny game may have nothing to undo.
    for seed in seed..seed + 20 {
        if undone == 0 || G::CLASSIC {
            undone += count_undone::<G>(seed, most_events);
        }
    }
    assert!(undone > 0, "{}: nothing could be undone", G::INFO.title);
}

/// Plays one match, undoes every decision that can be undone, and returns their number.
fn count_undone<G: Board>(seed: u64, most_events: u64) -> usize {
    let (mut undone, mut refused, mut finals) = (0, 0, 0);
    let mut game = Match::<G>::new(seed);
    while game.run() && game.events() < most_events {
        let before = game.session.entries().len();
        let digest = game.session.digest();
        let action = game.choose();
        let is_final = game.session.is_final(&action);
        game.play(&action);
        // What follows by itself.
        while !matches!(game.session.node(), Node::Decide(_) | Node::Over) {
            game.session.advance().unwrap();
            game.follow();
        }
        let now = game.session.undoable(PERSON, &[PERSON]);
        assert!(is_final || now.is_ok(), "{}: `{action}` and undo: {now:?}", G::INFO.title);
        finals += usize::from(is_final);
        // Also after the bots have answered.
        let goes_on = game.run();
        match game.session.undoable(PERSON, &[PERSON]) {
            Ok(_) => {
                assert!(!is_final, "{}: the page asks before `{action}`, which can be undone", G::INFO.title);
                let then = game.digests();
                // The parts of a gesture may be undone one by one.
                for _ in action.split(AND) {
                    if game.session.entries().len() > before {
                        let back = game.session.undoable(PERSON, &[PERSON]).unwrap();
                        game.undo(back);
                    }
                }
                assert_eq!(game.session.entries().len(), before, "{}: undo of `{action}`", G::INFO.title);
                assert_eq!(game.session.digest(), digest, "{}: the position after undo", G::INFO.title);
                game.play(&action);
                assert_eq!(game.run(), goes_on);
                assert_eq!(game.digests(), then, "{}: the same decision again", G::INFO.title);
                undone += 1;
            }
            Err(why) => {
                assert!(why.starts_with("Can't undo: ") && why.ends_with('.'), "{why}");
                refused += 1;
            }
        }
    }
    println!("{}: {undone} decisions undone, {refused} refused, {finals} final at once", G::INFO.name);
    undone
}

/// Follows the hints for this number of decisions: each names one choice of the page, and a reason. Returns how many were
/// gestures of several actions.
fn count_joined_hints<G: Board>(seed: u64, decisions: usize) -> usize {
    let mut game = Match::<G>::new(seed);
    let mut mind = Brain::<G>::new(game.session.header(), PERSON.0).unwrap();
    let mut joined = 0;
    for _ in 0..decisions {
        if !game.run() {
            break;
        }
        for entry in &game.session.entries()[mind.event_count()..] {
            mind.follow(&entry.cut(RecordKind::Seat(PERSON))).unwrap();
        }
        let task = Task { level: HINT.to_string(), seed, millis: 0.0 };
        let thought = mind.think(&task, || 0.0).unwrap();
        let choices = game.session.choices(usize::MAX, Observer::Seat(PERSON));
        let named = choices.iter().any(|choice| choice.action == thought.action);
        assert!(named, "{}: the hint `{}` is not a choice", G::INFO.title, thought.action);
        assert!(thought.advice.is_some_and(|advice| !advice.why.is_empty()));
        joined += usize::from(thought.action.contains(AND));
        game.play(&thought.action);
    }
    joined
}

/// Games whose hints must name gestures of several actions.
const WITH_GESTURES: [&str; 3] = ["hegemony", "hestia", "numeral"];

#[cfg(feature = "hestia")]
#[test]
fn the_page_asks_before_every_sealed_choice() {
    // A bid, and a card of a clash.
    const SEALED: [&str; 2] = ["bid ", "clash "];
    let mut seen = [0; SEALED.len()];
    for seed in 1..=40 {
        let mut game = Match::<pentarchy_hestia::Hestia>::new(seed);
        while seen.contains(&0) && game.run() {
            for choice in game.session.choices(usize::MAX, Observer::Seat(PERSON)) {
                let Some(kind) = SEALED.iter().position(|word| choice.action.starts_with(word)) else {
                    continue;
                };
                seen[kind] += 1;
                assert!(game.session.is_final(&choice.action), "{} can be undone", choice.action);
                assert!(!choice.quick && choice.asks, "{} is not asked about", choice.action);
            }
            let action = game.choose();
            game.play(&action);
        }
    }
    assert!(!seen.contains(&0), "not every sealed choice was offered: {seen:?}");
}

macro_rules! flow_tests {
    ($([$board:ident] $name:ident: $game:ty,)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn nothing_empty() {
                nothing_empty_is_asked::<$game>(2, 400);
            }

            /// The figure of the measurements page.
            #[test]
            fn a_hundred_games() {
                nothing_empty_is_asked::<$game>(100, u64::MAX);
            }

            #[test]
            fn hints_name_whole_gestures() {
                let joined = count_joined_hints::<$game>(3, 60);
                assert!(joined > 0 || !WITH_GESTURES.contains(&stringify!($name)));
            }

            #[test]
            fn undo() {
                undo_leads_back::<$game>(7, 300);
            }
        }
    )*};
}
with_games!(flow_tests);

/// A showdown leaves time to read the cards.
#[cfg(feature = "classics")]
#[test]
fn the_page_pauses_longer_after_a_showdown() {
    let mut table = crate::games::find("kuhn").unwrap().start(2, &Value::Null, 1).unwrap();
    let ui = Ui { seat: Some(Seat(0)), ..Ui::default() };
    while table.advance().unwrap() {
        assert_eq!(table.weight(&ui), 1, "a card for one player");
    }
    for _ in 0..2 {
        table.play("check").unwrap();
        assert_eq!(table.weight(&ui), 1);
    }
    assert!(table.advance().unwrap(), "both cards are shown");
    assert_eq!(table.weight(&ui), 3);
}
