//! The rules: the awaited node, the accepted events, and the order of tasks.

mod blocks;
mod challenges;
mod draw;
mod effects;
mod ending;
mod events;
mod legal;
mod mining;
mod paying;
mod playable;
mod turn;
mod windows;

pub use ending::{Ending, TieBreak};

use crate::actions::Action;
use crate::facts::{Context, Fact};
use crate::state::{BALLOT, DECK, Task, Vires, hand};
use pentarchy_engine::{Audience, Chance, Event, Node, RuleError, Set, Side, Token};

/// Whether the top task waits for an event, or the agenda can continue.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    /// The top task waits for an event.
    Wait,
    /// The caller must perform the tasks on top.
    Go,
}

/// The result of a task or an event: how to continue, or why the rules reject it.
pub(crate) type FlowResult = Result<Flow, RuleError>;

impl Vires {
    /// Returns the node that the task on top of the agenda waits for: a decision or a declaration (HR to show
    /// or pay) of its player; the reveal of the back or face of a card, a Hand, the votes or the marked cards
    /// to all or to one player; the shuffle of the Deck; or a coin flip. `Over` at the end, with an empty
    /// agenda, and for tasks that never wait.
    #[inline(always)]
    pub(crate) fn awaited(&self) -> Node {
        let face = |set, to| Node::Reveal { set, to, side: Side::Face };
        let one = |t: Token| Set::One(t);
        // Matched in place: a whole-struct load after partial stores misses store forwarding.
        let Some(task) = self.agenda.last() else { return Node::Over };
        match *task {
            Task::Main { .. } | Task::End { .. } | Task::Offer(_) | Task::Kyc => Node::Decide(self.active),
            Task::Cancel { at, .. } | Task::Challenge { at, .. } | Task::Vote { at, .. } => Node::Decide(at),
            Task::Protect(who, _) | Task::Choose { by: who, .. } => Node::Decide(who),
            Task::Mine(_) => Node::Declare(self.active),
            Task::Pay(bill) => Node::Declare(bill.from),
            Task::Show { who, .. } => Node::Declare(who),
            Task::Back(t) => Node::Reveal { set: one(t), to: Audience::All, side: Side::Back },
            Task::Announce(t) | Task::Open(t) => face(one(t), Audience::All),
            Task::Tell(t, seat) => face(one(t), Audience::Seat(seat)),
            Task::Look { of, by } => face(Set::Zone(hand(of)), Audience::Seat(by)),
            Task::ShowHand => face(Set::Zone(hand(self.active)), Audience::All),
            Task::Count { .. } => face(Set::Zone(BALLOT), Audience::All),
            Task::LayOpen => face(Set::Marked, Audience::All),
            Task::Shuffle => Node::Chance(Chance::Shuffle { pile: DECK }),
            Task::Flip => Node::Chance(Chance::Pick { of: 2 }),
            _ => Node::Over,
        }
    }

    /// Checks an event, applies it, emits its facts, and performs tasks up to the next one that needs an
    /// event.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the event is not awaited or not legal. Fails with a partly changed state
    /// if more tasks follow than the agenda holds.
    #[inline(always)]
    pub(crate) fn event(&mut self, cx: &mut Context<'_>, event: Event<Action>) -> Result<(), RuleError> {
        let ran = match event {
            Event::Act(action) => self.act(cx, action)?,
            Event::Rolled(n) => self.flipped(cx, n)?,
            Event::Done => self.done(cx)?,
        };
        if ran == Flow::Go { self.run(cx) } else { Ok(()) }
    }

    /// Checks an action against the task on top of the agenda and applies it. A pass asks the next player, or
    /// lets the loss happen; `End` begins the end phase and `Done` the next turn; a vote, which comes without
    /// its sealed value, passes on to the next voter. After `Go` the caller must call `run`; after `Wait` the
    /// next task already waits for an event.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the action does not fit the top of the agenda or is not legal; or if the
    /// agenda is full.
    #[inline(always)]
    fn act(&mut self, cx: &mut Context<'_>, action: Action) -> FlowResult {
        let wrong = Err(RuleError::new("this cannot be done now"));
        // Matched in place, as in `awaited`.
        let Some(task) = self.agenda.last() else { return wrong };
        match (task, action) {
            (&Task::Cancel { at, left, unseen }, Action::Pass) => {
                self.ask_to_cancel(self.after(at), left - 1, unseen)
            }
            (&Task::Challenge { .. }, Action::Pass) => self.pass_challenge(cx, *task),
            (&Task::Protect(..), Action::Pass) => self.pop_and_continue(),
            (
                &(Task::Cancel { .. } | Task::Challenge { .. } | Task::Protect(..)),
                Action::React { card, party },
            ) => self.react(cx, *task, card, party),
            (&Task::Main { .. }, Action::Mine) => self.mine(cx),
            (&Task::Main { hr, fiat }, Action::Play { card, aim, showing }) => {
                self.play(cx, card, aim, showing, hr, fiat)
            }
            (&Task::Main { .. }, Action::End) => self.pop_tasks(1).end_phase(),
            (&Task::End { .. }, Action::Done) => self.pop_tasks(2).next_turn(),
            (&Task::End { hr }, Action::Dismiss(t)) => self.dismiss(cx, t, hr),
            (&Task::End { .. }, Action::Play { card, aim, showing: None }) => self.play_flip(cx, card, aim),
            (&Task::Mine(left), Action::Show(t)) => self.spend(cx, t, left),
            (&Task::Pay(bill), Action::Show(t)) => self.pay_shown(cx, t, bill),
            (&Task::Pay(bill), Action::Rest) => self.pay_no_more(cx, bill),
            (&Task::Show { who, goal, have }, Action::Show(t)) => self.shown(cx, t, who, goal, have),
            (&Task::Show { who, .. }, Action::Rest) => self.shown_all(cx, who),
            (&Task::Offer(to), Action::Offer(t)) => self.offer(cx, t, to),
            (&Task::Choose { by, from }, Action::Choose(good)) => self.choose(cx, by, from, good),
            (&Task::Vote { at, left, ballot }, Action::Vote(None)) => {
                self.agenda.replace_top(Task::Vote { at: self.after(at), left: left - 1, ballot });
                Ok(Flow::Go)
            }
            (&Task::Kyc, Action::Kyc { reveal }) => self.kyc(cx, reveal),
            _ => wrong,
        }
    }

    /// Continues after the awaited shuffle or reveal, which the engine has done: pops or replaces the task of a
    /// shuffle, a drawn card or an Event. Other reveals change nothing here: their tasks continue when they are
    /// run again. Emits what was shuffled or seen, except for the first round's shuffle, the back of a card,
    /// the votes, and the Hands at the end. After `Go` the caller must call `run`; after `Wait` the next task
    /// already waits for an event. `Go` with an empty agenda.
    ///
    /// # Errors
    ///
    /// Fails if something else is awaited, or the agenda is full.
    #[inline]
    fn done(&mut self, cx: &mut Context<'_>) -> FlowResult {
        let Some(task) = self.agenda.last() else { return Ok(Flow::Go) };
        match *task {
            // The two events of every draw, the most frequent ones.
            Task::Back(t) => self.drawn(t),
            Task::Tell(t, seat) => {
                let drawn = seat == self.active;
                cx.emit(move || Fact::Learned { seat, card: t, drawn });
                self.finish_telling(t, seat)
            }
            Task::Shuffle => {
                if self.round > 1 {
                    cx.emit(|| Fact::DeckRebuilt(self.tokens.len(DECK)));
                }
                self.pop_and_continue()
            }
            Task::Announce(t) => {
                let seat = self.active;
                cx.emit(move || Fact::EventDrawn(seat, t));
                self.pop_tasks(1).announce(t)
            }
            Task::Open(t) => {
                let seat = self.active;
                cx.emit(move || Fact::DrewOpenly(seat, t));
                Ok(Flow::Go)
            }
            Task::Look { of, by } => {
                cx.emit(move || Fact::Looked { by, of });
                Ok(Flow::Go)
            }
            Task::ShowHand => {
                let seat = self.active;
                cx.emit(move || Fact::ShowedHand(seat));
                Ok(Flow::Go)
            }
            Task::Count { .. } | Task::LayOpen => Ok(Flow::Go),
            _ => Err(RuleError::new("something else is awaited")),
        }
    }

    /// Performs the tasks on top of the agenda until one needs an event or the game is over; emits the facts
    /// of what they do. A task is popped when it is done; one that still has to wait stays or is pushed
    /// again. Call it after an event that returned `Go`, and after pushing tasks outside of an event.
    ///
    /// # Errors
    ///
    /// Fails if a task cannot be performed, or if the agenda runs empty.
    #[inline]
    pub(crate) fn run(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        while let Some(task) = self.agenda.last() {
            // Some tasks are performed while on the agenda; the others are popped, and push themselves again
            // if they have to wait.
            let ran = match *task {
                Task::Over
                | Task::Shuffle
                | Task::Flip
                | Task::Offer(_)
                | Task::Kyc
                | Task::Choose { .. } => Flow::Wait,
                Task::Cancel { at, left, unseen } => self.ask_to_cancel(at, left, unseen)?,
                Task::Main { .. } => self.main_phase()?,
                Task::End { .. } => self.end_phase()?,
                Task::Draw(left) => self.draw(left)?,
                Task::Back(t) => self.drawn(t)?,
                Task::Tell(t, seat) => self.finish_telling(t, seat)?,
                Task::Mine(left) => self.pop_tasks(1).pay_for_block(cx, left)?,
                Task::Begin => self.pop_tasks(1).begin()?,
                Task::Next => self.pop_tasks(1).next_turn()?,
                Task::Announce(t) => self.pop_tasks(1).announce(t)?,
                Task::Open(t) => self.continue_unless(!self.tokens.is_public(t))?,
                Task::Look { of, by } => {
                    self.continue_unless(self.tokens.iter(hand(of)).any(|t| !self.tokens.known(t).to(by)))?
                }
                Task::ShowHand => {
                    let mut cards = self.tokens.iter(hand(self.active));
                    self.continue_unless(cards.any(|t| !self.tokens.is_public(t)))?
                }
                Task::LayOpen => {
                    let hidden = |t| self.tokens.is_marked(t) && !self.tokens.is_public(t);
                    let needed = self.tokens.all().any(hidden);
                    self.continue_unless(needed)?
                }
                Task::Effect(t, aim) => self.pop_tasks(1).effect(cx, t, aim)?,
                Task::Discard(t) => self.pop_tasks(1).discard(t)?,
                Task::React { card, by, party } => self.pop_tasks(1).stands(cx, card, by, party)?,
                Task::Protect(who, loss) => self.pop_tasks(1).ask_to_protect(who, loss)?,
                Task::Challenge { .. } => {
                    let window = *task;
                    self.pop_tasks(1).ask_about_challenge(cx, window)?
                }
                Task::Pay(bill) => self.pop_tasks(1).pay(cx, bill)?,
                Task::Coin { from, to } => self.pop_tasks(1).lose_coin(cx, from, to)?,
                Task::Block { from, stolen, coin } => self.pop_tasks(1).lose_block(cx, from, stolen, coin)?,
                Task::Show { who, goal, .. } => self.pop_tasks(1).show(who, goal)?,
                Task::Covered { who, goal, case } => self.pop_tasks(1).covered(cx, who, goal, case)?,
                // A verdict is popped together with the challenge above it.
                Task::Verdict(_) => return Err(RuleError::new("a challenge ended without a verdict")),
                Task::LoseEach { at, left, k } => self.pop_tasks(1).lose_each(at, left, k)?,
                Task::GainEach { at, left, k } => self.pop_tasks(1).gain_each(cx, at, left, k)?,
                Task::Ponzi { at, left } => self.pop_tasks(1).ponzi(at, left)?,
                Task::Btfd { at, left } => self.pop_tasks(1).btfd(cx, at, left)?,
                Task::Sybil { at, left, least } => self.pop_tasks(1).sybil(at, left, least)?,
                Task::Pos { at, left } => self.pop_tasks(1).pos(cx, at, left)?,
                Task::Vote { left, ballot, .. } => {
                    let task = *task;
                    self.pop_tasks(1).vote(task, left, ballot)?
                }
                Task::Count { ballot } => self.pop_tasks(1).count(cx, ballot)?,
            };
            if ran == Flow::Wait {
                return Ok(());
            }
        }
        Err(RuleError::new("nothing is left to do, and the game is not over"))
    }

    // --- the agenda

    /// Pushes a task on top of the agenda. The task to do first is pushed last.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    #[inline(always)]
    pub(crate) fn push_task(&mut self, task: Task) -> Result<(), RuleError> {
        self.agenda.push(task)
    }

    /// Pushes a task that needs an event. Returns `Wait`.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    #[inline(always)]
    pub(crate) fn push_and_wait(&mut self, task: Task) -> FlowResult {
        self.push_task(task)?;
        Ok(Flow::Wait)
    }

    /// Pops the top task and returns `Go`; with `needed`, if its event is still to come, returns `Wait` without
    /// a change.
    ///
    /// # Errors
    ///
    /// Never fails.
    #[inline(always)]
    fn continue_unless(&mut self, needed: bool) -> FlowResult {
        if needed { Ok(Flow::Wait) } else { self.pop_and_continue() }
    }

    /// Pops the top `n` tasks, or as many as there are, and returns `self` for chained calls.
    #[inline(always)]
    pub(crate) fn pop_tasks(&mut self, n: usize) -> &mut Self {
        for _ in 0..n {
            self.agenda.pop();
        }
        self
    }

    /// Pops the top task; no effect on an empty agenda. Never fails.
    #[inline(always)]
    pub(crate) fn pop_task(&mut self) -> Result<(), RuleError> {
        self.agenda.pop();
        Ok(())
    }

    /// Replaces the top task by one that needs an event. Returns `Wait`; never fails.
    #[inline(always)]
    pub(crate) fn replace_and_wait(&mut self, task: Task) -> FlowResult {
        self.agenda.replace_top(task);
        Ok(Flow::Wait)
    }

    /// Pops the top task. Returns `Go`; never fails.
    #[inline(always)]
    pub(crate) fn pop_and_continue(&mut self) -> FlowResult {
        self.pop_task()?;
        Ok(Flow::Go)
    }
}
