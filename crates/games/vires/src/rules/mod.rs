//! The rules: what is awaited, which events are accepted, and how one step leads to the next.

mod blocks;
mod challenges;
mod draw;
mod effects;
mod events;
mod legal;
mod mining;
mod paying;
mod playable;
mod random;
mod turn;
mod windows;

use crate::actions::Action;
use crate::cards::Card;
use crate::state::{BALLOT, DECK, Step, Vires, hand};
use pentarchy_engine::{Chance, Cx, Event, Node, Rejected, Set, Side, To, Token};

/// Whether a step has to wait for an event, or has been run off.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    Wait,
    Go,
}

/// What a step or an event gives.
pub(crate) type Ran = Result<Flow, Rejected>;

impl Vires {
    /// What is awaited: read off the top of the agenda.
    #[inline(always)]
    pub(crate) fn awaited(&self) -> Node {
        let face = |set, to| Node::Reveal { set, to, side: Side::Face };
        let one = |t: Token| Set::One(t);
        // Read in place: a step has just been written field by field, and copying it whole would wait for that.
        let Some(step) = self.agenda.last() else { return Node::Over };
        match *step {
            Step::Main { .. } | Step::End { .. } | Step::Offer(_) | Step::Kyc => Node::Decide(self.active),
            Step::Cancel { at, .. } | Step::Challenge { at, .. } | Step::Vote { at, .. } => Node::Decide(at),
            Step::Protect(who, _) | Step::Choose { by: who, .. } => Node::Decide(who),
            Step::Mine(_) => Node::Declare(self.active),
            Step::Pay(bill) => Node::Declare(bill.from),
            Step::Show { who, .. } => Node::Declare(who),
            Step::Back(t) => Node::Reveal { set: one(t), to: To::All, side: Side::Back },
            Step::Announce(t) | Step::Open(t) => face(one(t), To::All),
            Step::Tell(t, seat) => face(one(t), To::Seat(seat)),
            Step::Look { of, by } => face(Set::Zone(hand(of)), To::Seat(by)),
            Step::ShowHand => face(Set::Zone(hand(self.active)), To::All),
            Step::Count { .. } => face(Set::Zone(BALLOT), To::All),
            Step::LayOpen => face(Set::Marked, To::All),
            Step::Shuffle => Node::Chance(Chance::Shuffle { pile: DECK }),
            Step::Flip => Node::Chance(Chance::Pick { of: 2 }),
            _ => Node::Over,
        }
    }

    /// Checks an event and carries it out, then runs on to the next thing that is awaited.
    #[inline(always)]
    pub(crate) fn event(&mut self, cx: &mut Cx<'_, Card>, event: Event<Action>) -> Result<(), Rejected> {
        let ran = match event {
            Event::Act(action) => self.act(cx, action)?,
            Event::Rolled(n) => self.flipped(n)?,
            Event::Done => self.done()?,
        };
        if ran == Flow::Go { self.run() } else { Ok(()) }
    }

    /// Carries out an action. Where it is plain which step comes next, that step is gone through at once,
    /// without a detour over `run`.
    #[inline(always)]
    fn act(&mut self, cx: &mut Cx<'_, Card>, action: Action) -> Ran {
        let wrong = Err(Rejected::new("this cannot be done now"));
        // Read in place, here as in `awaited`.
        let Some(step) = self.agenda.last() else { return wrong };
        match (step, action) {
            (&Step::Cancel { at, left, unseen }, Action::Pass) => {
                self.ask_to_cancel(self.after(at), left - 1, unseen)
            }
            (&Step::Challenge { .. }, Action::Pass) => self.pass_challenge(*step),
            (&Step::Protect(..), Action::Pass) => self.go_on(),
            (
                &(Step::Cancel { .. } | Step::Challenge { .. } | Step::Protect(..)),
                Action::React { card, party },
            ) => self.react(*step, card, party),
            (&Step::Main { .. }, Action::Mine) => self.mine(cx),
            (&Step::Main { hr, fiat }, Action::Play { card, aim, showing }) => {
                self.play(card, aim, showing, hr, fiat)
            }
            (&Step::Main { .. }, Action::End) => self.off().end_phase(),
            (&Step::End { .. }, Action::Done) => self.off().off().next_turn(),
            (&Step::End { hr }, Action::Dismiss(t)) => self.dismiss(t, hr),
            (&Step::End { .. }, Action::Play { card, aim, showing: None }) => self.play_flip(card, aim),
            (&Step::Mine(left), Action::Show(t)) => self.spend(t, left),
            (&Step::Pay(bill), Action::Show(t)) => self.pay_shown(t, bill),
            (&Step::Pay(bill), Action::Rest) => self.pay_no_more(cx, bill),
            (&Step::Show { who, goal, have }, Action::Show(t)) => self.shown(t, who, goal, have),
            (&Step::Show { who, .. }, Action::Rest) => self.shown_all(cx, who),
            (&Step::Offer(to), Action::Offer(t)) => self.offer(cx, t, to),
            (&Step::Choose { by, from }, Action::Choose(good)) => self.choose(by, from, good),
            (&Step::Vote { at, left, ballot }, Action::Vote(None)) => {
                self.swap_step(Step::Vote { at: self.after(at), left: left - 1, ballot })?;
                Ok(Flow::Go)
            }
            (&Step::Kyc, Action::Kyc { reveal }) => self.kyc(reveal),
            _ => wrong,
        }
    }

    /// What was awaited from nature, or was to be revealed, has happened. A step that waits for a revelation
    /// goes on by itself when it is run again.
    #[inline]
    fn done(&mut self) -> Ran {
        let Some(step) = self.agenda.last() else { return Ok(Flow::Go) };
        match *step {
            // The two of every draw, the most frequent of all events.
            Step::Back(t) => self.drawn(t),
            Step::Tell(t, seat) => self.told(t, seat),
            Step::Shuffle => self.go_on(),
            Step::Announce(t) => self.off().announce(t),
            Step::Open(_) | Step::Look { .. } | Step::ShowHand | Step::Count { .. } | Step::LayOpen => {
                Ok(Flow::Go)
            }
            _ => Err(Rejected::new("something else is awaited")),
        }
    }

    /// Runs off steps until one has to wait.
    #[inline]
    pub(crate) fn run(&mut self) -> Result<(), Rejected> {
        while let Some(step) = self.agenda.last() {
            // Some steps are gone through where they lie; the others are taken off, and put themselves back
            // if they have to wait.
            let ran = match *step {
                Step::Over
                | Step::Shuffle
                | Step::Flip
                | Step::Offer(_)
                | Step::Kyc
                | Step::Choose { .. } => Flow::Wait,
                Step::Cancel { at, left, unseen } => self.ask_to_cancel(at, left, unseen)?,
                Step::Main { .. } => self.main_phase()?,
                Step::End { .. } => self.end_phase()?,
                Step::Draw(left) => self.draw(left)?,
                Step::Back(t) => self.drawn(t)?,
                Step::Tell(t, seat) => self.told(t, seat)?,
                Step::Mine(left) => self.off().pay_for_block(left)?,
                Step::Begin => self.off().begin()?,
                Step::Next => self.off().next_turn()?,
                Step::Announce(t) => self.off().announce(t)?,
                Step::Open(t) => self.go_on_unless(!self.tokens.is_public(t))?,
                Step::Look { of, by } => {
                    self.go_on_unless(self.tokens.iter(hand(of)).any(|t| !self.tokens.known(t).to(by)))?
                }
                Step::ShowHand => {
                    let mut cards = self.tokens.iter(hand(self.active));
                    self.go_on_unless(cards.any(|t| !self.tokens.is_public(t)))?
                }
                Step::LayOpen => {
                    let hidden = |t| self.tokens.is_marked(t) && !self.tokens.is_public(t);
                    let needed = self.tokens.all().any(hidden);
                    self.go_on_unless(needed)?
                }
                Step::Effect(t, aim) => self.off().effect(t, aim)?,
                Step::Discard(t) => self.off().discard(t)?,
                Step::React { card, by, party } => self.off().stands(card, by, party)?,
                Step::Protect(who, loss) => self.off().ask_to_protect(who, loss)?,
                Step::Challenge { .. } => {
                    let window = *step;
                    self.off().ask_about_challenge(window)?
                }
                Step::Pay(bill) => self.off().pay(bill)?,
                Step::Coin { from, to } => self.off().lose_coin(from, to)?,
                Step::Block { from, stolen, coin } => self.off().lose_block(from, stolen, coin)?,
                Step::Show { who, goal, .. } => self.off().show(who, goal)?,
                Step::Covered { who, goal, case } => self.off().covered(who, goal, case)?,
                // A verdict is taken off together with the challenge above it.
                Step::Verdict(_) => return Err(Rejected::new("a challenge ended without a verdict")),
                Step::LoseEach { at, left, k } => self.off().lose_each(at, left, k)?,
                Step::GainEach { at, left, k } => self.off().gain_each(at, left, k)?,
                Step::Ponzi { at, left } => self.off().ponzi(at, left)?,
                Step::Btfd { at, left } => self.off().btfd(at, left)?,
                Step::Sybil { at, left, least } => self.off().sybil(at, left, least)?,
                Step::Pos { at, left } => self.off().pos(at, left)?,
                Step::Vote { left, ballot, .. } => {
                    let step = *step;
                    self.off().vote(step, left, ballot)?
                }
                Step::Count { ballot } => self.off().count(ballot)?,
            };
            if ran == Flow::Wait {
                return Ok(());
            }
        }
        Err(Rejected::new("nothing is left to do, and the game is not over"))
    }

    // --- the agenda

    /// Something more is to happen, before all that is on the agenda already.
    #[inline(always)]
    pub(crate) fn then(&mut self, step: Step) -> Result<(), Rejected> {
        self.agenda.push(step)
    }

    #[inline(always)]
    pub(crate) fn wait(&mut self, step: Step) -> Ran {
        self.then(step)?;
        Ok(Flow::Wait)
    }

    /// The top step is done with, unless it still has to wait.
    #[inline(always)]
    fn go_on_unless(&mut self, needed: bool) -> Ran {
        if needed { Ok(Flow::Wait) } else { self.go_on() }
    }

    /// Takes the top step off.
    #[inline(always)]
    pub(crate) fn off(&mut self) -> &mut Self {
        self.agenda.pop();
        self
    }

    /// The top step is done with.
    #[inline(always)]
    pub(crate) fn drop_step(&mut self) -> Result<(), Rejected> {
        self.agenda.pop();
        Ok(())
    }

    /// The top step is replaced.
    #[inline(always)]
    pub(crate) fn swap_step(&mut self, step: Step) -> Result<(), Rejected> {
        if let Some(top) = self.agenda.last_mut() {
            *top = step;
        }
        Ok(())
    }

    /// The top step, in another form, has to wait.
    #[inline(always)]
    pub(crate) fn wait_as(&mut self, step: Step) -> Ran {
        self.swap_step(step)?;
        Ok(Flow::Wait)
    }

    /// The top step is done with, and the next one follows.
    #[inline(always)]
    pub(crate) fn go_on(&mut self) -> Ran {
        self.drop_step()?;
        Ok(Flow::Go)
    }
}
