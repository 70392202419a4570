//! The figures of one game, collected by a visitor, without the game's types.

use crate::play::Visitor;
use pentarchy_engine::{AppliedEvent, MAX_SEATS, Metrics, Outcome, Position, Seat, SeatSet, TurnId, Verb};
use std::collections::BTreeMap;

/// Number of verbs.
pub(crate) const VERBS: usize = Verb::ALL.len();

/// The figures of one game.
#[derive(Clone, Debug, Default)]
pub struct Story {
    /// Number of seats.
    pub seats: u8,
    /// Number of rounds; `None` for a game without rounds.
    pub rounds: Option<u32>,
    /// Number of turns.
    pub turns: u32,
    /// Estimated seconds of a game between people.
    pub seconds: u64,
    /// Estimated seconds by phase.
    pub phases: BTreeMap<&'static str, u64>,
    /// Standing of each seat at the beginning of each turn, and at the end; empty for a game without standings.
    pub standings: Vec<[i32; MAX_SEATS]>,
    /// Number of legal actions, by decision.
    pub widths: Vec<u16>,
    /// How the game ended.
    pub ending: &'static str,
    /// Number of uses of an item: by item, verb, seat.
    pub deeds: Vec<[[u16; MAX_SEATS]; VERBS]>,
    /// Number of decisions at which an item could be used: by item and verb.
    pub offered: Vec<[u32; VERBS]>,
    /// The seats that could use an item at some decision: by item and verb.
    pub offered_to: Vec<[SeatSet; VERBS]>,
    /// Number of decisions at which an item was used: by item and verb.
    pub taken: Vec<[u32; VERBS]>,
    /// Every decision, if wanted.
    pub decisions: Option<Vec<DecisionRow>>,
}

/// One decision of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecisionRow {
    /// The deciding seat.
    pub seat: Seat,
    /// The round; 0 for a game without rounds.
    pub round: u32,
    /// The turn, counted over all seats.
    pub turn: u32,
    /// Number of legal actions.
    pub actions: usize,
    /// Index of the chosen action in their list.
    pub chosen: usize,
    /// The chosen action in spoken text.
    pub action: String,
}

impl Story {
    /// Creates an empty story of a game with this number of items and seats. `decisions` says whether every
    /// decision is recorded.
    pub fn new(items: usize, seats: u8, decisions: bool) -> Self {
        Story {
            seats,
            deeds: vec![Default::default(); items],
            offered: vec![Default::default(); items],
            offered_to: vec![Default::default(); items],
            taken: vec![Default::default(); items],
            decisions: decisions.then(Vec::new),
            ..Story::default()
        }
    }
}

/// A visitor that fills in a story.
pub(crate) struct StoryRecorder<'a> {
    /// The story that is filled in.
    story: &'a mut Story,
    /// The last turn that has begun; `None` before the first, and in games without turn numbers.
    turn_id: Option<TurnId>,
    /// The last decision at which an item was on offer: by item and verb.
    seen: Vec<[u32; VERBS]>,
    /// Number of decisions so far.
    count: u32,
    /// The seat whose chosen action is applied next; `None` before an event without a decision.
    deciding: Option<Seat>,
}

impl<'a> StoryRecorder<'a> {
    /// Creates a recorder that fills in `story`, which must be new; visit one game with it.
    pub(crate) fn new(story: &'a mut Story) -> Self {
        let seen = vec![Default::default(); story.deeds.len()];
        StoryRecorder { story, turn_id: None, seen, count: 0, deciding: None }
    }

    /// Appends the standings of all seats in this position to the story; nothing if the game has no standing
    /// for one of them.
    fn note_standings<G: Metrics>(&mut self, at: &Position<G>) {
        let mut now = [0; MAX_SEATS];
        for (seat, place) in (0..at.seats()).map(Seat).zip(&mut now) {
            let Some(standing) = G::standing(at, seat) else { return };
            *place = standing;
        }
        self.story.standings.push(now);
    }

    /// Detects whether a turn begins at this position; if so, counts it, and records round and standings. A
    /// turn begins when the turn number differs from the last one, except between turns; in games without
    /// turn numbers, whenever a seat decides (`decides`).
    fn note_turn<G: Metrics>(&mut self, at: &Position<G>, decides: bool) {
        let turn_id = at.state().turn_id();
        let begins = match turn_id {
            Some(now) => now.turn != TurnId::BETWEEN && self.turn_id != turn_id,
            None => decides,
        };
        if begins {
            self.turn_id = turn_id;
            self.story.rounds = turn_id.map(|now| now.round);
            self.story.turns += 1;
            self.note_standings(at);
        }
    }

    /// Counts an item as offered to `seat` at the decision at hand, once per decision and verb. An unknown item
    /// is skipped.
    fn note_offer(&mut self, seat: Seat, verb: Verb, item: u16) {
        let (item, verb) = (usize::from(item), verb.index());
        let Some(last) = self.seen.get_mut(item) else { return };
        if std::mem::replace(&mut last[verb], self.count) != self.count {
            self.story.offered[item][verb] += 1;
            self.story.offered_to[item][verb].insert(seat);
        }
    }

    /// Counts the items that this action of `seat`, which is not taken, would use as offered. Tries the action
    /// on a copy if the game does not predict its uses. An action that the rules reject is skipped.
    fn note_offers<G: Metrics>(&mut self, at: &Position<G>, seat: Seat, action: G::Action) {
        if G::predict_deeds(at, action, &mut |verb, item| self.note_offer(seat, verb, item)) {
            return;
        }
        let mut after = at.clone();
        let Ok((line, facts)) = after.play_facts(action) else { return };
        let event = AppliedEvent { before: at, line: &line, facts: &facts, after: &after };
        G::deeds(&event, &mut |deed| self.note_offer(seat, deed.verb, deed.item));
    }
}

impl<G: Metrics> Visitor<G> for StoryRecorder<'_> {
    const WANTS_FACTS: bool = true;

    /// Records one decision of `seat` at `at`, who takes the action with index `chosen` of `list`: standings
    /// at the start of a turn, number of actions, estimated seconds in all and by phase (0 for a single
    /// action), and its row if rows are wanted. Counts the items that the other actions would use as offered;
    /// those of the chosen one are counted when it is applied. An index outside the list records only the
    /// turn.
    fn decision(&mut self, at: &Position<G>, seat: Seat, list: &[G::Action], chosen: usize) {
        self.note_turn(at, true);
        if self.count == 0 && self.story.standings.len() == 1 {
            // Cards are dealt before the first decision; the course of the game starts there.
            self.story.standings.clear();
            self.note_standings(at);
        }
        self.count += 1;
        let Some(&action) = list.get(chosen) else { return };
        // The uses of the chosen action are counted when it is applied.
        self.deciding = Some(seat);
        // Without items there is nothing to count, and each try costs a copy of the position.
        let tried = if self.seen.is_empty() { &[] } else { list };
        for (_, &other) in tried.iter().enumerate().filter(|(i, _)| *i != chosen) {
            self.note_offers(at, seat, other);
        }
        let story = &mut *self.story;
        story.widths.push(u16::try_from(list.len()).unwrap_or(u16::MAX));
        // A decision with one action takes people no time.
        let seconds = if list.len() > 1 { u64::from(at.state().seconds(action)) } else { 0 };
        story.seconds += seconds;
        *story.phases.entry(G::phase(action)).or_default() += seconds;
        if let Some(rows) = &mut story.decisions {
            rows.push(DecisionRow {
                seat,
                round: story.rounds.unwrap_or(0),
                turn: story.turns,
                actions: list.len(),
                chosen,
                action: at.view(seat).format_action(action),
            });
        }
    }

    /// Detects before an event without a decision whether a turn begins; if so, counts it and records round
    /// and standings. Only games with turn numbers begin a turn here.
    fn event(&mut self, at: &Position<G>) {
        self.note_turn(at, false);
    }

    /// Counts each use of an item in the event by item, verb and seat, at most 65,535 each; after a decision
    /// also as offered and taken there.
    fn applied(&mut self, event: &AppliedEvent<'_, G>) {
        let deciding = self.deciding.take();
        G::deeds(event, &mut |deed| {
            if let Some(seat) = deciding {
                self.note_offer(seat, deed.verb, deed.item);
                if let Some(taken) = self.story.taken.get_mut(usize::from(deed.item)) {
                    taken[deed.verb.index()] += 1;
                }
            }
            let verbs = self.story.deeds.get_mut(usize::from(deed.item));
            if let Some(count) = verbs.and_then(|v| v[deed.verb.index()].get_mut(deed.seat.index())) {
                *count = count.saturating_add(1);
            }
        });
    }

    /// Records the standings at the end, the ending (empty if the game names none) and the number of rounds.
    fn over(&mut self, at: &Position<G>, _outcome: &Outcome) {
        self.note_standings(at);
        self.story.ending = at.state().ending().unwrap_or_default();
        if let Some(turn_id) = at.state().turn_id() {
            self.story.rounds = Some(turn_id.round);
        }
    }
}
