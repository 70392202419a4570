//! What an event moved, as sentences: "@1 loses 1 Block and 1 Coin."

use super::texts::LOG;
use super::{and, blocks, coins, hr};
use crate::facts::{BlockSource, Fact};
use crate::state::{MOST_SEATS, Place, place};
use pentarchy_engine::describe::who;
use pentarchy_engine::sorting::sort_by_key;
use pentarchy_engine::{Seat, Token, Zone, fill_text};

/// The gains (positive) and losses (negative) of a player in one event.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Delta {
    blocks: i8,
    coins: i8,
    hr: i8,
}

/// HR, Coins or Blocks that moved from one player to another. `all`: all HR of the Hand were due.
#[derive(Clone, Copy, Default)]
struct Handed {
    from: Seat,
    to: Seat,
    hr: u8,
    all: bool,
    blocks: u8,
    coins: u8,
}

/// All moves of one event: `deltas` by seat for moves from and to the Pool, `handed` for those between
/// players.
#[derive(Default)]
struct Moves {
    deltas: [Delta; MOST_SEATS],
    handed: Vec<Handed>,
}

/// Returns the sentences about what the facts of one event moved, in the order Blocks, payments, goods from
/// player to player, gains and losses, markers. Empty if nothing moved. `active` is the player whose turn it
/// was, `seats` the number of players.
pub(super) fn sentences(facts: &[Fact], active: Seat, seats: u8) -> Vec<String> {
    let mut out = Vec::new();
    let mut moves = Moves::of(facts);
    for fact in facts {
        if let Fact::Mined { seat, .. } = *fact {
            out.extend(mined(fact));
            // The sentence about the Block names what was spent on it and what it paid.
            moves.deltas[seat.index()] = Delta::default();
        }
    }
    moves.close_payments(facts, &mut out);
    out.extend(moves.handed.iter().map(given));
    let priced = facts.iter().any(|fact| matches!(fact, Fact::Moved { price: true, .. }));
    out.extend(gained_and_lost(&moves.deltas, active, seats, priced));
    out.extend(facts.iter().filter_map(marked));
    out
}

/// Describes a Block that was mined, what paid for it and the Coins gained; `None` for other facts.
fn mined(fact: &Fact) -> Option<String> {
    let Fact::Mined { seat, block, source, cost, coins: gained } = *fact else { return None };
    let template = match source {
        BlockSource::Hand => LOG.mined,
        BlockSource::Pool => LOG.mined_from_pool,
    };
    let gained = if gained == 0 { LOG.no_coin.to_string() } else { coins(gained) };
    Some(fill_text!(template, player = who(seat), block = block, hr = hr(cost), coins = gained))
}

impl Moves {
    /// Adds up the moves of an event. A token that moved twice counts as moved once, from its first zone to
    /// its last one; one that came back does not count.
    fn of(facts: &[Fact]) -> Self {
        let mut tokens: Vec<(Token, Zone, Zone)> = Vec::new();
        for fact in facts {
            if let Fact::Moved { token, from, to, .. } = *fact {
                match tokens.iter_mut().find(|moved| moved.0 == token) {
                    Some(moved) => moved.2 = to,
                    None => tokens.push((token, from, to)),
                }
            }
        }
        sort_by_key(&mut tokens, |moved| moved.0);
        let mut moves = Moves::default();
        for (_, from, to) in tokens.into_iter().filter(|(_, from, to)| from != to) {
            moves.add(place(from), place(to));
        }
        moves
    }

    /// Adds the move of one token from place `old` to place `new`: between two players' Hands, Chains or from
    /// a Bank to `handed`, otherwise to the deltas of the owners.
    fn add(&mut self, old: Place, new: Place) {
        match (old, new) {
            (Place::Hand(x), Place::Hand(p)) => self.between(x, p).hr += 1,
            (Place::Chain(x), Place::Chain(p)) => self.between(x, p).blocks += 1,
            // A Coin that is paid into a hand becomes an HR.
            (Place::Bank(x), Place::Hand(p) | Place::Bank(p)) if x != p => self.between(x, p).coins += 1,
            (old, new) => {
                self.count(old, -1);
                self.count(new, 1);
            }
        }
    }

    /// Adds `by` to the HR (Hand), Coins (Bank) or Blocks (Chain) of the owner of a place; no effect for
    /// common zones like the Pool.
    fn count(&mut self, place: Place, by: i8) {
        match place {
            Place::Hand(p) => self.deltas[p.index()].hr += by,
            Place::Bank(p) => self.deltas[p.index()].coins += by,
            Place::Chain(p) => self.deltas[p.index()].blocks += by,
            Place::Common(_) => {}
        }
    }

    /// Returns the entry of what `from` gave to `to`; creates an empty one if there is none.
    fn between(&mut self, from: Seat, to: Seat) -> &mut Handed {
        let found = self.handed.iter().position(|h| (h.from, h.to) == (from, to));
        let place = found.unwrap_or(self.handed.len());
        if found.is_none() {
            self.handed.push(Handed { from, to, ..Handed::default() });
        }
        &mut self.handed[place]
    }

    /// Replaces the moves of payments that took several events: removes those of a pending payment, and sets
    /// the whole sum of a complete one. Appends a sentence to `out` if nothing or all HR were paid.
    fn close_payments(&mut self, facts: &[Fact], out: &mut Vec<String>) {
        for fact in facts {
            if let Fact::PaymentPending(from) = *fact {
                let paid = &mut self.deltas[from.index()].hr;
                *paid = (*paid).max(0);
                self.handed.retain(|h| h.from != from);
            }
        }
        for fact in facts {
            let Fact::PaymentClosed { from, to, hr, all } = *fact else { continue };
            match to {
                Some(to) if hr > 0 || self.handed.iter().any(|h| (h.from, h.to) == (from, to)) => {
                    let entry = self.between(from, to);
                    (entry.hr, entry.all) = (hr, all);
                }
                Some(_) => {}
                None => self.deltas[from.index()].hr = -(hr.min(100) as i8),
            }
            let delta = &mut self.deltas[from.index()];
            if hr == 0 && *delta == Delta::default() && !self.handed.iter().any(|h| h.from == from) {
                out.push(fill_text!(LOG.nothing_to_pay, player = who(from)));
            } else if all && to.is_none() {
                delta.hr = 0;
                out.push(fill_text!(LOG.loses_all_hr, player = who(from)));
            }
        }
    }
}

/// Describes what one player gave to another (`@0 gives @1 2 HR.`), or that a Block was stolen (`@1 steals
/// …`); HR that moved together with a Block are not named. `all HR` stands for the number if all were due.
fn given(h: &Handed) -> String {
    let mut goods = Vec::new();
    goods.extend((h.blocks > 0).then(|| blocks(h.blocks)));
    if h.hr > 0 && h.blocks == 0 {
        goods.push(if h.all { LOG.all_hr.to_string() } else { hr(h.hr) });
    }
    goods.extend((h.coins > 0).then(|| coins(h.coins)));
    let (giver, taker) = (who(h.from), who(h.to));
    let goods = goods.join(LOG.and);
    if h.blocks > 0 {
        fill_text!(LOG.steals, player = taker, goods = goods, target = giver)
    } else {
        fill_text!(LOG.gives, player = giver, target = taker, goods = goods)
    }
}

/// Describes gains from the Pool and losses to it from `deltas` by seat: sentences with a loss first, each
/// part in turn order from `active`; empty if nothing changed. Players with equal changes share one sentence.
/// `priced`: the active player paid a price; they then have a sentence of their own, and their losses are
/// described as paid, unless a Block is among them. `seats` is the number of players.
fn gained_and_lost(deltas: &[Delta; MOST_SEATS], active: Seat, seats: u8, priced: bool) -> Vec<String> {
    let mut groups: Vec<(Delta, Vec<Seat>)> = Vec::new();
    for p in active.ring(seats) {
        let delta = deltas[p.index()];
        if delta == Delta::default() {
            continue;
        }
        // What the active player pays and what others lose are two sentences.
        let joins = |(d, players): &&mut (Delta, Vec<Seat>)| {
            *d == delta && !(priced && players.first() == Some(&active))
        };
        match groups.iter_mut().find(joins) {
            Some((_, players)) => players.push(p),
            None => groups.push((delta, vec![p])),
        }
    }
    // Losses first: some cards distribute what others have just lost.
    sort_by_key(&mut groups, |(delta, _)| goods(*delta, -1).is_empty());
    let sentence = |(delta, players): (Delta, Vec<Seat>)| {
        let pays = priced && players == [active] && delta.blocks >= 0;
        let (subject, one) = match players[..] {
            [p] => (who(p), true),
            _ if players.len() == usize::from(seats) => (LOG.everybody.to_string(), true),
            _ => (and(players.iter().map(|&p| who(p)).collect()), false),
        };
        let (lost, gained) = (goods(delta, -1), goods(delta, 1));
        let template = match (lost.is_empty(), gained.is_empty()) {
            (true, _) => [LOG.gets, LOG.get_each, LOG.gets],
            (false, true) => [LOG.loses_goods, LOG.lose_each, LOG.pays],
            (false, false) => [LOG.loses_and_gets, LOG.lose_and_get_each, LOG.pays_and_gets],
        }[if pays { 2 } else { usize::from(!one) }];
        fill_text!(template, players = subject, lost = lost.join(LOG.and), gained = gained.join(LOG.and))
    };
    groups.into_iter().map(sentence).collect()
}

/// Lists the gains (`sign` 1) or losses (`sign` -1) of a player: Blocks, Coins, HR. Empty if there are none.
fn goods(delta: Delta, sign: i8) -> Vec<String> {
    let number = |n: i8| u8::try_from(n * sign).ok().filter(|&n| n > 0);
    let mut out = Vec::new();
    out.extend(number(delta.blocks).map(blocks));
    out.extend(number(delta.coins).map(coins));
    out.extend(number(delta.hr).map(hr));
    out
}

/// Describes a change of what a player's next Block costs or pays, of a locked turn, or that the next paid
/// card is free; `None` for other facts.
fn marked(fact: &Fact) -> Option<String> {
    Some(match *fact {
        Fact::NextCost(p, cost) => fill_text!(LOG.next_cost, player = who(p), hr = hr(cost)),
        Fact::NextReward(p, reward) => fill_text!(LOG.next_reward, player = who(p), coins = coins(reward)),
        Fact::TimeLocked(p) => fill_text!(LOG.time_locked, player = who(p)),
        Fact::NextTurnLocked(p) => fill_text!(LOG.next_turn_locked, player = who(p)),
        Fact::NextCardFree(p) => fill_text!(LOG.next_card_free, player = who(p)),
        _ => return None,
    })
}
