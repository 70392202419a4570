//! What happened in one game, as figures: told by a visitor, without the game's types.

use crate::play::Visitor;
use pentarchy_engine::{MAX_SEATS, Metrics, Moment, Outcome, Position, Seat, Verb};
use std::collections::BTreeMap;
use std::fmt::Write;

/// How many things can be done with an item.
pub(crate) const VERBS: usize = Verb::ALL.len();

/// The figures of one game.
#[derive(Clone, Debug, Default)]
pub struct Story {
    /// How many seats there were.
    pub seats: u8,
    /// The last round; none for a game without rounds.
    pub rounds: Option<u32>,
    /// How many turns there were.
    pub turns: u32,
    /// Estimated seconds that people would have taken.
    pub seconds: u64,
    /// The same seconds by phase of the game.
    pub phases: BTreeMap<&'static str, u64>,
    /// What each seat had to show for itself at the beginning of each turn, and at the end; empty for a game
    /// that cannot say.
    pub standings: Vec<[i32; MAX_SEATS]>,
    /// How many actions there were to choose from, by decision.
    pub widths: Vec<u16>,
    /// How the game ended.
    pub ending: &'static str,
    /// How often a seat did something with an item: by item, verb, seat.
    pub deeds: Vec<[[u16; MAX_SEATS]; VERBS]>,
    /// At how many decisions something could be done with an item: by item and verb.
    pub offered: Vec<[u32; VERBS]>,
    /// At how many of them it was done.
    pub taken: Vec<[u32; VERBS]>,
    /// A line of CSV for each decision, where wanted: seat, round, turn, width, chosen, action.
    pub decisions: Option<Vec<String>>,
}

impl Story {
    /// An empty story of a game that counts so many items.
    pub fn new(items: usize, seats: u8, decisions: bool) -> Self {
        Story {
            seats,
            deeds: vec![Default::default(); items],
            offered: vec![Default::default(); items],
            taken: vec![Default::default(); items],
            decisions: decisions.then(Vec::new),
            ..Story::default()
        }
    }
}

/// Watches a game and writes its story.
pub(crate) struct Teller<'a> {
    story: &'a mut Story,
    moment: Option<Moment>,
    /// The decision at which an item was last seen on offer: by item and verb.
    seen: Vec<[u32; VERBS]>,
    count: u32,
}

impl<'a> Teller<'a> {
    pub(crate) fn new(story: &'a mut Story) -> Self {
        let seen = vec![Default::default(); story.deeds.len()];
        Teller { story, moment: None, seen, count: 0 }
    }

    fn note_standings<G: Metrics>(&mut self, at: &Position<G>) {
        let mut now = [0; MAX_SEATS];
        for (seat, place) in (0..at.seats()).map(Seat).zip(&mut now) {
            let Some(standing) = G::standing(at, seat) else { return };
            *place = standing;
        }
        self.story.standings.push(now);
    }

    /// Notices that a turn begins.
    fn look<G: Metrics>(&mut self, at: &Position<G>, decides: bool) {
        let moment = at.state().moment();
        let begins = match moment {
            Some(now) => now.turn != Moment::BETWEEN && self.moment != moment,
            None => decides,
        };
        if begins {
            self.moment = moment;
            self.story.rounds = moment.map(|now| now.round);
            self.story.turns += 1;
            self.note_standings(at);
        }
    }

    fn note_deeds<G: Metrics>(&mut self, at: &Position<G>, action: Option<G::Action>) {
        G::deeds(at, action, &mut |deed| {
            let verbs = self.story.deeds.get_mut(usize::from(deed.item));
            if let Some(count) = verbs.and_then(|v| v[deed.verb.index()].get_mut(deed.seat.index())) {
                *count = count.saturating_add(1);
            }
        });
    }
}

impl<G: Metrics> Visitor<G> for Teller<'_> {
    fn decision(&mut self, at: &Position<G>, seat: Seat, list: &[G::Action], chosen: usize) {
        self.look(at, true);
        if self.count == 0 && self.story.standings.len() == 1 {
            // What a seat owns is dealt before the first decision: the course of the game starts there.
            self.story.standings.clear();
            self.note_standings(at);
        }
        self.count += 1;
        let Some(&action) = list.get(chosen) else { return };
        let (story, seen, count) = (&mut *self.story, &mut self.seen, self.count);
        for &other in list {
            G::deeds(at, Some(other), &mut |deed| {
                let (item, verb) = (usize::from(deed.item), deed.verb.index());
                if let Some(last) = seen.get_mut(item).filter(|last| last[verb] != count) {
                    last[verb] = count;
                    story.offered[item][verb] += 1;
                }
            });
        }
        G::deeds(at, Some(action), &mut |deed| {
            if let Some(taken) = story.taken.get_mut(usize::from(deed.item)) {
                taken[deed.verb.index()] += 1;
            }
        });
        story.widths.push(u16::try_from(list.len()).unwrap_or(u16::MAX));
        // Nobody is asked where there is nothing to choose.
        let seconds = if list.len() > 1 { u64::from(at.state().seconds(action)) } else { 0 };
        story.seconds += seconds;
        *story.phases.entry(G::phase(action)).or_default() += seconds;
        if let Some(rows) = &mut story.decisions {
            let (round, turn) = (story.rounds.unwrap_or(0), story.turns);
            let mut row = format!("{seat},{round},{turn},{},{chosen},", list.len());
            // Writing to a string does not fail.
            let _ = write!(row, "{}", crate::csv::quoted(&at.view(seat).format_action(action)));
            rows.push(row);
        }
        self.note_deeds(at, Some(action));
    }

    fn event(&mut self, at: &Position<G>, duty: Option<G::Action>) {
        self.look(at, false);
        self.note_deeds(at, duty);
    }

    fn over(&mut self, at: &Position<G>, _outcome: &Outcome) {
        self.note_standings(at);
        self.story.ending = at.state().ending();
        if let Some(moment) = at.state().moment() {
            self.story.rounds = Some(moment.round);
        }
    }
}
