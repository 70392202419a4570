//! One random game with all checks.

use super::candidates::Pool;
use super::worlds::Shadow;
use super::{ConformancePlan, ConformanceReport, Law, LawError, LawResult, Scene, demand};
use pentarchy_engine::notation::{event_text, node_text, parse_event};
use pentarchy_engine::record::Record;
use pentarchy_engine::{
    Chance, Encode, Encoder, Exploration, Game, LoggedEventOf, Node, Position, Rng, RuleError, Seat, Set,
    Size, Token, TraceOf, Zone,
};

/// More events in a row without a decision count as an endless loop.
const MOST_EVENTS_BETWEEN_DECISIONS: u32 = 20_000;

/// A game with its copies for all observers, while it is played and checked.
pub(super) struct Trial<'t, G: Game> {
    /// How much is tested.
    pub(super) plan: &'t ConformancePlan,
    /// The omniscient position.
    pub(super) full: Position<G>,
    /// The copies of all seats, then that of a spectator.
    pub(super) views: Vec<Position<G>>,
    /// The list of the acting seat.
    pub(super) list: Vec<G::Action>,
    /// Generator of the game.
    play: Rng,
    /// Generator of the checks: a separate one, so that checks do not change the game.
    pub(super) dice: Rng,
    /// Where the game stands, for a violation.
    pub(super) scene: &'t mut Scene,
    /// Actions of this and earlier games, to try where they are illegal.
    pub(super) pool: &'t mut Pool<G>,
    /// Counts of what was tested.
    pub(super) report: &'t mut ConformanceReport,
    /// Number of decisions so far.
    decisions: u32,
    /// The tokens that take part in the game.
    present: Vec<Token>,
    /// The record of the game, if one is written.
    record: Option<Record>,
    /// A copy with other hidden faces that follows the game for some events.
    pub(super) shadow: Option<Shadow<G>>,
    /// Writes observations and actions as numbers.
    pub(super) encoder: Box<dyn Encoder<G>>,
}

impl<'t, G: Encode> Trial<'t, G> {
    /// Prepares a game at its first position `full`: a view of each seat and one of a spectator, two
    /// generators of `seed`, and the set of tokens at the start. The games of the first two seeds of the
    /// plan have a record, and one in six of the others at random. Nothing is played yet; `scene`, `pool`
    /// and `report` are only borrowed.
    ///
    /// # Errors
    ///
    /// Fails if `full` has another number of seats than the scene, or the options cannot be written.
    pub(super) fn new(
        plan: &'t ConformancePlan,
        full: Position<G>,
        seed: u64,
        options: &G::Options,
        scene: &'t mut Scene,
        pool: &'t mut Pool<G>,
        report: &'t mut ConformanceReport,
    ) -> LawResult<Self> {
        demand!(full.seats() == scene.seats, Basics, "`seats` says {}", full.seats());
        let mut views: Vec<_> = (0..full.seats()).map(|s| full.view(Seat(s))).collect();
        views.push(full.spectator());
        let present = full.state().tokens().all().collect();
        let (play, mut dice) = (Rng::stream(seed, 0), Rng::stream(seed, 1));
        let encoder = G::encoder(&full, options, Exploration::BRIEF);
        // Records are expensive: the first two games have one, and one in six of the others.
        let recorded = seed < plan.seed + 2 || dice.below(6) == 0;
        let record = recorded.then(|| Record::new::<G>(full.seats(), options, Some(seed)));
        let record = record.transpose();
        demand!(record.is_ok(), Record, "the options cannot be written: {:?}", record.err());
        Ok(Trial {
            plan,
            full,
            views,
            list: Vec::new(),
            play,
            dice,
            scene,
            pool,
            report,
            decisions: 0,
            present,
            record: record.unwrap_or_default(),
            shadow: None,
            encoder,
        })
    }

    /// Plays the game with random actions to its end, with all checks at each event, and adds it to
    /// the report. The expensive checks are done at one in `plan.every` events.
    ///
    /// # Errors
    ///
    /// Fails with the first violated law.
    pub(super) fn run(mut self) -> LawResult {
        let mut quiet = 0;
        loop {
            let node = self.full.node();
            self.scene.node = node_text::<G>(node);
            let dear = self.dice.below(self.plan.every.max(1)) == 0;
            self.check_state(node, dear)?;
            if node == Node::Over {
                break;
            }
            let (line, trace) = match node {
                Node::Decide(_) | Node::Declare(_) => {
                    if matches!(node, Node::Decide(_)) {
                        self.decisions += 1;
                        quiet = 0;
                        let (n, cap) = (self.decisions, self.plan.cap);
                        demand!(n <= cap, Ends, "{cap} decisions, and the game goes on");
                    }
                    let action = self.choose(node, dear)?;
                    self.act(action)?
                }
                _ => {
                    self.check_node(node)?;
                    if dear {
                        self.check_worlds()?;
                    }
                    let done = self.full.resolve_traced(&mut self.play);
                    done.map_err(|e| unexpected("what is awaited cannot happen", e))?
                }
            };
            quiet += 1;
            demand!(
                quiet < MOST_EVENTS_BETWEEN_DECISIONS,
                Ends,
                "{quiet} events in a row without a decision"
            );
            let text = event_text::<G>(node, line.event);
            let read = parse_event::<G>(&text);
            demand!(read.as_ref() == Ok(&line.event), Notation, "the event `{text}` is read as {read:?}");
            self.scene.add_event(text);
            if let Some(record) = &mut self.record {
                record.push::<G>(node, &line, self.full.digest());
            }
            self.shadow_follows(node, &line)?;
            self.views_follow(&line, &trace, dear || self.full.node() == Node::Over)?;
        }
        self.check_end()?;
        if let Some(record) = &self.record {
            super::records::check::<G>(record, &self.full, &mut self.dice)?;
        }
        self.report.games += 1;
        self.report.events += u64::from(self.scene.step);
        self.report.decisions += u64::from(self.decisions);
        self.report.longest = self.report.longest.max(self.decisions);
        Ok(())
    }

    /// Checks the list of the acting seat at `node` and returns a random entry, which is not played yet but
    /// stored in the pool. `dear` enables the expensive checks.
    ///
    /// # Errors
    ///
    /// Fails with the violated law.
    fn choose(&mut self, node: Node, dear: bool) -> LawResult<G::Action> {
        let (full, list) = (&self.full, &mut self.list);
        full.legal(list).map_err(|e| unexpected("there is no list", e))?;
        self.check_list(node)?;
        if dear {
            self.check_actions()?;
            self.check_worlds()?;
        }
        self.check_own_list()?;
        let action = self.play.choose(&self.list).copied();
        let action = action.ok_or(LawError { law: Law::List, detail: "the list is empty".to_string() })?;
        self.check_choose()?;
        self.pool.remember(action, &mut self.dice);
        Ok(action)
    }

    /// Checks that [`Game::choose`] calls its function once with the length of the list and returns the
    /// entry that was asked for, here a random one. Does nothing if no seat is to act.
    ///
    /// # Errors
    ///
    /// Fails with the violated law.
    fn check_choose(&mut self) -> LawResult {
        let Some(seat) = self.full.actor() else { return Ok(()) };
        let (mut buffer, mut told, k) = (Vec::new(), 0, self.dice.below(self.list.len() as u32) as usize);
        let nth = |n| {
            told = n;
            k
        };
        let chosen = self.full.state().choose(&self.full.own(seat), &mut buffer, nth);
        let listed = self.list.get(k).copied();
        demand!(
            told == self.list.len() && chosen == listed,
            List,
            "entry {k} of {} is {listed:?}; chosen by its number of {told} it is {chosen:?}",
            self.list.len()
        );
        Ok(())
    }

    /// Applies a listed action and returns the logged event, its claims and its facts. Unless the plan allows
    /// traceable tokens, checks that hidden ones cannot be traced.
    ///
    /// # Errors
    ///
    /// Fails if the action is refused or a token can be traced.
    fn act(&mut self, action: G::Action) -> LawResult<(LoggedEventOf<G>, TraceOf<G>)> {
        let before = (!self.plan.traceable).then(|| self.full.clone());
        let done = self.full.play_traced(action);
        let done = done.map_err(|e| unexpected(&format!("the listed `{action}` is refused"), e))?;
        if let Some(before) = before {
            self.check_untraceable(&before, action)?;
        }
        Ok(done)
    }

    /// Checks the invariants that hold between events, where `node` is awaited: the lists of zones, the
    /// faces of groups, that no token of the start is lost, and that there is an outcome exactly if the
    /// game is over. Checks that the state survives serialisation if `dear`, and always at the end.
    ///
    /// # Errors
    ///
    /// Fails with the violated law.
    fn check_state(&mut self, node: Node, dear: bool) -> LawResult {
        super::sound::tokens::<G>(&self.full)?;
        super::sound::groups::<G>(&self.full)?;
        let lost = self.present.iter().find(|&&t| self.full.state().tokens().zone(t) == Zone::NOWHERE);
        demand!(lost.is_none(), Tokens, "{lost:?} is lost");
        let over = node == Node::Over;
        demand!(
            self.full.outcome().is_some() == over,
            Outcome,
            "an outcome must be there exactly when the game is over"
        );
        if dear || over {
            super::sound::encoding::<G>(&self.full)?;
        }
        Ok(())
    }

    /// Checks that the awaited `node`, which is no decision, can be resolved: a roll or pick has a possible
    /// result, a shuffle has a pile, a cast, reveal or rearrangement names existing tokens and has an effect,
    /// a seat rearranges only tokens that it knows, and slips and dice are never mixed.
    ///
    /// # Errors
    ///
    /// Fails with the violated law.
    fn check_node(&self, node: Node) -> LawResult {
        let tokens = self.full.state().tokens();
        let exists = |set: Set| match set {
            Set::One(t) => tokens.zone(t) != Zone::NOWHERE,
            Set::Zone(z) => z.index() < G::Size::ZONES,
            Set::Zones(a, b) => a.index().max(b.index()) < G::Size::ZONES,
            Set::Marked => true,
        };
        // A hidden token without a group is a slip or a die: its face is in no public multiset.
        let loose = |set: Set| tokens.set(set).any(|t| !tokens.is_public(t) && !tokens.same_group(t, t));
        match node {
            Node::Chance(Chance::Roll { sides: n } | Chance::Pick { of: n }) => {
                demand!(n > 0, Node, "nature is asked for one of no outcomes");
            }
            Node::Chance(Chance::Shuffle { pile }) => {
                demand!(exists(Set::Zone(pile)), Node, "no such pile");
                demand!(!loose(Set::Zone(pile)), Node, "a slip or a die is shuffled");
            }
            Node::Chance(Chance::Cast { set, .. }) => {
                demand!(exists(set) && !tokens.idle(node), Node, "there are no dice to be cast");
            }
            Node::Rearrange { set, by } => {
                demand!(exists(set) && by.0 < self.full.seats(), Node, "there is no such set or seat");
                demand!(tokens.set(set).next().is_some(), Node, "nothing is there to be rearranged");
                let unknown = tokens.set(set).find(|&t| !tokens.known(t).to(by));
                demand!(!loose(set), Node, "a slip or a die is rearranged");
                demand!(unknown.is_none(), Node, "{by} rearranges what it does not know: {unknown:?}");
            }
            Node::Reveal { set, .. } => {
                demand!(exists(set), Node, "there is no such set");
                demand!(!tokens.idle(node), Node, "nothing is left to be revealed");
            }
            _ => {}
        }
        Ok(())
    }

    /// Checks law 4 after an action, where `before` is the position before it: if a hidden token that the
    /// action names has left a zone of the actor and stays hidden, no other seat may know a token of that
    /// zone. A move to another zone of the actor and a zone with one token are exempt.
    ///
    /// # Errors
    ///
    /// Fails with the violated law.
    fn check_untraceable(&self, before: &Position<G>, action: G::Action) -> LawResult {
        let (old, new) = (before.state().tokens(), self.full.state().tokens());
        let Some(actor) = before.actor() else { return Ok(()) };
        for t in super::actions::tokens_of::<G>(action) {
            let zone = old.zone(t);
            let left_unseen = zone != Zone::NOWHERE
                && before.state().owner(zone) == Some(actor)
                && new.zone(t) != zone
                && !old.is_public(t)
                && !new.is_public(t)
                && before.state().owner(new.zone(t)) != Some(actor);
            if left_unseen && old.len(zone) > 1 {
                let known = old.iter(zone).find(|&u| old.known(u).beyond(actor));
                demand!(
                    known.is_none(),
                    Untraceable,
                    "`{action}` moves {t} unseen out of {}, where others know {known:?}: rearrange first",
                    G::zone_name(zone)
                );
            }
        }
        Ok(())
    }

    /// Checks the end of the game, which must be over: a valid outcome with consistent ranks, and that
    /// stored actions and events of chance are refused and change nothing.
    ///
    /// # Errors
    ///
    /// Fails with the first violated law.
    fn check_end(&mut self) -> LawResult {
        let seats = self.full.seats();
        let outcome = self.full.outcome();
        let outcome =
            outcome.ok_or(LawError { law: Law::Outcome, detail: "there is no outcome".to_string() })?;
        demand!(outcome.seats() == seats, Outcome, "the outcome is for {} seats", outcome.seats());
        for (seat, &rank) in outcome.ranks().iter().enumerate() {
            let better = outcome.ranks().iter().filter(|&&r| r < rank).count();
            demand!(usize::from(rank) == better + 1, Outcome, "seat {seat} is ranked {rank} behind {better}");
        }
        let before = self.full.encode();
        for action in self.pool.actions().iter().take(4) {
            demand!(self.full.play(*action).is_err(), UnlistedRefused, "`{action}` after the end");
        }
        demand!(self.full.resolve(&mut self.dice).is_err(), UnlistedRefused, "an event after the end");
        demand!(self.full.encode() == before, Atomic, "a refusal after the end changed something");
        Ok(())
    }
}

/// Returns the broken law for an event that the rules should have accepted: `FaceNeeded` if they read a hidden face,
/// else `ListedApplies`. Its detail is `what`, which says what failed, and `why`.
pub(super) fn unexpected(what: &str, why: RuleError) -> LawError {
    let law = if why.missing_face().is_some() { Law::FaceNeeded } else { Law::ListedApplies };
    LawError { law, detail: format!("{what}: {why}") }
}
