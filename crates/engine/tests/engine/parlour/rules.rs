//! The rules: the list of the seat that is asked, what an event does, what happens by itself.

use super::cards::{Card, PAIRS, flowers, matching};
use super::{Answer, BALLOTS, DECK, DISCARD, Do, Parlour, SALVER, TABLE, Task, hand};
use pentarchy_engine::{
    Audience, Chance, Cx, Event, FaceSet, Node, RuleError, Seat, SeatView, Set, Side, Token, Zone, ensure,
};

/// How many cards a peek is at.
const PEEK: usize = 3;
/// How many cakes make a feast.
const FEAST: u8 = 2;

// --- the list: only here faces are read that are not public, and only the decider's

impl Parlour {
    pub(super) fn list(&self, own: &SeatView<'_, Self>, out: &mut Vec<Do>) {
        match self.agenda.top() {
            Some(Task::Turn(seat)) => self.list_turn(seat, own, out),
            Some(Task::Choose(_)) => out.extend(self.different(SALVER, own).map(Do::Take)),
            Some(Task::Feast(seat, _)) => out.extend(self.first(seat, Card::Cake, own).map(Do::Show)),
            Some(Task::Answer(seat, _)) => {
                out.push(self.first(seat, Card::Fan, own).map_or(Do::Rest, Do::Show));
            }
            Some(Task::Vote(_)) => out.extend([Do::Vote(Answer::Yes), Do::Vote(Answer::No)]),
            _ => {}
        }
    }

    fn list_turn(&self, seat: Seat, own: &SeatView<'_, Self>, out: &mut Vec<Do>) {
        let cards = || self.different(hand(seat), own);
        let is = |card: Card| cards().filter(move |&t| own.is(t, card));
        out.extend(cards().filter(|&t| own.is_in(t, flowers())).map(Do::Offer));
        for (a, b) in PAIRS {
            out.extend(is(a).flat_map(|a| is(b).map(move |b| Do::Match(a, b))));
        }
        let cakes = self.tokens.iter(hand(seat)).filter(|&t| own.is(t, Card::Cake));
        if cakes.count() >= usize::from(FEAST) {
            out.push(Do::Feast);
        }
        out.extend(is(Card::Mask).map(Do::Leave));
        out.extend(self.others(seat).filter(|&x| self.may_have_fans(x)).map(Do::Ask));
        out.extend(self.others(seat).filter(|&x| self.can_swap(seat, x)).map(Do::Swap));
        if self.tokens.len(DECK) >= PEEK {
            out.push(Do::Peek);
        }
        out.push(Do::Pass);
    }

    /// The tokens of a zone, of twins only the first.
    fn different<'a>(&'a self, zone: Zone, own: &'a SeatView<'_, Self>) -> impl Iterator<Item = Token> + 'a {
        let twins =
            |t: Token, u: Token| own.face(t) == own.face(u) && self.tokens.known(t) == self.tokens.known(u);
        let first = move |t: Token| self.tokens.iter(zone).find(|&u| twins(t, u)) == Some(t);
        self.tokens.iter(zone).filter(move |&t| first(t))
    }

    fn first(&self, seat: Seat, card: Card, own: &SeatView<'_, Self>) -> Option<Token> {
        self.tokens.iter(hand(seat)).find(|&t| own.is(t, card))
    }

    // --- conditions that the list and the rules share, all of them public

    fn others(&self, seat: Seat) -> impl Iterator<Item = Seat> {
        seat.ring(self.seats).skip(1)
    }

    fn may_have_fans(&self, seat: Seat) -> bool {
        self.tokens.iter(hand(seat)).any(|t| self.tokens.may_be(t, FaceSet::only(Card::Fan)))
    }

    fn can_swap(&self, a: Seat, b: Seat) -> bool {
        a != b && b.0 < self.seats && !self.tokens.is_empty(hand(a)) && !self.tokens.is_empty(hand(b))
    }

    fn seen_by_others(&self, zone: Zone, seat: Seat) -> bool {
        self.tokens.len(zone) > 1 && self.tokens.iter(zone).any(|t| self.tokens.known(t).beyond(seat))
    }

    pub(super) fn ballot(&self, seat: Seat) -> Token {
        self.tokens.iter(BALLOTS).nth(seat.index()).unwrap_or_default()
    }
}

// --- events: check first, then change

impl Parlour {
    pub(super) fn happen(&mut self, cx: &mut Cx<'_, Card>, event: Event<Do>) -> Result<(), RuleError> {
        match (self.agenda.top(), event) {
            (Some(Task::Await(_)), Event::Done) => self.done(),
            (Some(Task::Turn(seat)), Event::Act(action)) => self.turn(cx, seat, action),
            (Some(Task::Choose(seat)), Event::Act(Do::Take(t))) => self.take(seat, t),
            (Some(Task::Feast(seat, left)), Event::Act(Do::Show(t))) => self.eat(seat, left, t),
            (Some(Task::Answer(seat, to)), Event::Act(Do::Show(t))) => self.hand_over(seat, to, t),
            (Some(Task::Answer(seat, _)), Event::Act(Do::Rest)) => self.no_more_fans(cx, seat),
            // The engine has laid the ballot; the rules only move on.
            (Some(Task::Vote(_)), Event::Act(Do::Vote(_))) => self.done(),
            (Some(Task::Door), Event::Rolled(seat)) => {
                self.done()?;
                self.reveal(Set::Zone(Zone(seat as u8)), Audience::All, Side::Face)
            }
            (Some(Task::Die), Event::Rolled(n)) => {
                self.done()?;
                self.gossip(n as usize)
            }
            _ => Err(RuleError::new("this is not what is awaited")),
        }
    }

    fn turn(&mut self, cx: &mut Cx<'_, Card>, seat: Seat, action: Do) -> Result<(), RuleError> {
        let in_hand = |t: Token| ensure(self.tokens.in_zone(t, hand(seat)), "this card is not in the hand");
        match action {
            Do::Offer(t) => {
                in_hand(t)?;
                cx.require(&self.tokens, t, flowers())?;
                self.done()?;
                self.tokens.narrow(t, flowers());
                self.tokens.put(t, TABLE);
                self.gain(seat, 1);
            }
            Do::Match(a, b) => {
                in_hand(a)?;
                in_hand(b)?;
                ensure(a != b, "a match takes two cards")?;
                cx.require_pair(&self.tokens, a, b, &PAIRS)?;
                self.done()?;
                for (t, second) in [(a, false), (b, true)] {
                    self.tokens.narrow(t, matching(second));
                    self.tokens.put(t, TABLE);
                }
                self.gain(seat, 3);
            }
            Do::Feast => {
                cx.require_some(
                    &self.tokens,
                    self.tokens.iter(hand(seat)),
                    FaceSet::only(Card::Cake),
                    FEAST,
                )?;
                self.done()?;
                self.agenda.push(Task::Feast(seat, FEAST))?;
            }
            Do::Leave(t) => {
                in_hand(t)?;
                // The engine has turned it up: `shows` says so.
                ensure(self.tokens.face(t)? == Card::Mask, "only a mask can be left on the deck")?;
                self.done()?;
                self.tokens.put_on_top(t, DECK);
                self.gain(seat, 1);
            }
            Do::Ask(x) => {
                ensure(x != seat && x.0 < self.seats, "there is no such guest to ask")?;
                ensure(self.may_have_fans(x), "everybody knows that this guest has no fan")?;
                self.done()?;
                self.agenda.push(Task::Answer(x, seat))?;
            }
            Do::Swap(x) => {
                ensure(self.can_swap(seat, x), "these hands cannot change places")?;
                self.done()?;
                self.tokens.exchange(hand(seat), hand(x));
                self.reveal(Set::Zone(hand(x)), Audience::Seat(x), Side::Face)?;
                self.reveal(Set::Zone(hand(seat)), Audience::Seat(seat), Side::Face)?;
            }
            Do::Peek => {
                ensure(self.tokens.len(DECK) >= PEEK, "the deck is too small for a peek")?;
                self.done()?;
                for _ in 0..PEEK {
                    if let Some(t) = self.tokens.top(DECK) {
                        self.tokens.put(t, SALVER);
                    }
                }
                self.agenda.push(Task::Choose(seat))?;
                self.agenda.push(Task::Mix(SALVER, seat))?;
                self.reveal(Set::Zone(SALVER), Audience::Seat(seat), Side::Face)?;
            }
            Do::Pass => self.done()?,
            _ => return Err(RuleError::new("this is not done at a turn")),
        }
        Ok(())
    }

    fn take(&mut self, seat: Seat, t: Token) -> Result<(), RuleError> {
        ensure(self.tokens.in_zone(t, SALVER), "this card is not on the salver")?;
        self.done()?;
        self.tokens.put(t, hand(seat));
        // The others go back where they came from; the seat that peeked still knows them.
        while let Some(t) = self.tokens.bottom(SALVER) {
            self.tokens.put_on_top(t, DECK);
        }
        Ok(())
    }

    fn eat(&mut self, seat: Seat, left: u8, t: Token) -> Result<(), RuleError> {
        let is_cake = self.tokens.in_zone(t, hand(seat)) && self.tokens.face(t)? == Card::Cake;
        ensure(is_cake, "this is no cake in the hand")?;
        self.done()?;
        self.tokens.rewrite(t, Card::Crumbs)?;
        self.tokens.put(t, DISCARD);
        self.gain(seat, 2);
        if left > 1 { self.agenda.push(Task::Feast(seat, left - 1)) } else { Ok(()) }
    }

    fn hand_over(&mut self, seat: Seat, to: Seat, t: Token) -> Result<(), RuleError> {
        let is_fan = self.tokens.in_zone(t, hand(seat)) && self.tokens.face(t)? == Card::Fan;
        ensure(is_fan, "this is no fan in the hand")?;
        self.tokens.put(t, hand(to));
        // The same duty again, unless everybody knows that it is fulfilled.
        if self.may_have_fans(seat) { Ok(()) } else { self.done() }
    }

    fn no_more_fans(&mut self, cx: &mut Cx<'_, Card>, seat: Seat) -> Result<(), RuleError> {
        let fans = FaceSet::only(Card::Fan);
        cx.require_none(&self.tokens, self.tokens.iter(hand(seat)), fans)?;
        self.done()?;
        let mut next = self.tokens.top(hand(seat));
        while let Some(t) = next {
            self.tokens.narrow(t, fans.complement());
            next = self.tokens.below(t);
        }
        Ok(())
    }

    fn gossip(&mut self, cards: usize) -> Result<(), RuleError> {
        let mut next = self.tokens.top(DECK);
        for _ in 0..cards {
            let Some(t) = next else { break };
            self.tokens.mark(t);
            next = self.tokens.below(t);
        }
        self.agenda.push(Task::Unmark)?;
        self.reveal(Set::Marked, Audience::All, Side::Back)
    }

    fn gain(&mut self, seat: Seat, points: i16) {
        self.points[seat.index()] += points;
    }
}

// --- what happens by itself

impl Parlour {
    /// The step on top has been fulfilled.
    fn done(&mut self) -> Result<(), RuleError> {
        self.agenda.pop().map(|_| ()).ok_or(RuleError::new("the evening is over"))
    }

    fn reveal(&mut self, set: Set, to: Audience, side: Side) -> Result<(), RuleError> {
        self.agenda.push(Task::Await(Node::Reveal { set, to, side }))
    }

    /// Runs off the steps that await nothing, up to one that does.
    pub(super) fn run_off(&mut self) -> Result<(), RuleError> {
        while let Some(step) = self.agenda.top() {
            match step {
                Task::Await(node) if self.tokens.idle(node) => self.done()?,
                Task::Begin(seat) => {
                    self.done()?;
                    self.begin(seat)?;
                }
                Task::Draw(seat) => self.draw(seat)?,
                Task::Mix(zone, seat) => {
                    self.done()?;
                    self.mix_if_seen(zone, seat)?;
                }
                Task::Count => {
                    self.done()?;
                    self.count()?;
                }
                Task::Unmark => {
                    self.done()?;
                    self.tokens.unmark_all();
                }
                Task::EndRound => {
                    self.done()?;
                    self.end_round()?;
                }
                Task::Score => {
                    self.done()?;
                    self.score_roses()?;
                }
                _ => return Ok(()),
            }
        }
        Ok(())
    }

    /// A turn: the seat fills its hand, mixes it if others have seen it, does something; the next follows.
    fn begin(&mut self, seat: Seat) -> Result<(), RuleError> {
        let next = seat.next(self.seats);
        self.agenda.push(if next == Seat(0) { Task::EndRound } else { Task::Begin(next) })?;
        self.agenda.push(Task::Turn(seat))?;
        self.agenda.push(Task::Mix(hand(seat), seat))?;
        self.agenda.push(Task::Draw(seat))
    }

    /// Law 4: where others know a card of the zone, it is mixed before one leaves it unseen.
    fn mix_if_seen(&mut self, zone: Zone, by: Seat) -> Result<(), RuleError> {
        if !self.seen_by_others(zone, by) {
            return Ok(());
        }
        self.agenda.push(Task::Await(Node::Rearrange { set: Set::Zone(zone), by }))
    }

    /// Draws one card; the step stays until the hand is full.
    fn draw(&mut self, seat: Seat) -> Result<(), RuleError> {
        if self.tokens.len(hand(seat)) >= self.hand_size.into() {
            return self.done();
        }
        if let Some(t) = self.tokens.top(DECK) {
            self.tokens.put(t, hand(seat));
            return self.reveal(Set::One(t), Audience::Seat(seat), Side::Face);
        }
        self.tokens.put_all(DISCARD, DECK);
        self.tokens.put_all(TABLE, DECK);
        if self.tokens.is_empty(DECK) {
            return self.done();
        }
        self.agenda.push(Task::Await(Node::Chance(Chance::Shuffle { pile: DECK })))
    }

    fn end_round(&mut self) -> Result<(), RuleError> {
        self.round += 1;
        if self.round == self.rounds {
            self.agenda.push(Task::Over)?;
            self.agenda.push(Task::Score)?;
            for (a, b) in [(2, 3), (0, 1)] {
                self.reveal(Set::Zones(Zone(a), Zone(b)), Audience::All, Side::Face)?;
            }
            return Ok(());
        }
        self.agenda.push(Task::Begin(Seat(0)))?;
        self.agenda.push(Task::Count)?;
        self.reveal(Set::Zone(BALLOTS), Audience::All, Side::Face)?;
        for seat in (0..self.seats).rev().map(Seat) {
            self.agenda.push(Task::Vote(seat))?;
        }
        Ok(())
    }

    fn count(&mut self) -> Result<(), RuleError> {
        let yes = |t: Token| self.tokens.public_face(t) == Some(Card::Yes);
        let ayes = self.tokens.iter(BALLOTS).filter(|&t| yes(t)).count();
        self.agenda.push(if 2 * ayes > usize::from(self.seats) { Task::Door } else { Task::Die })
    }

    fn score_roses(&mut self) -> Result<(), RuleError> {
        for seat in (0..self.seats).map(Seat) {
            let mut roses = 0;
            for t in self.tokens.iter(hand(seat)) {
                roses += i16::from(self.tokens.face(t)? == Card::Rose);
            }
            self.gain(seat, roses);
        }
        Ok(())
    }
}
