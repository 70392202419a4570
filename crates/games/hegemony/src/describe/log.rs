//! Log entries: what an event did, in one or two sentences. Written from the facts of the event.

use super::texts::LOG;
use super::{View, ending, name, row, subject, the};
use crate::actions::Lie;
use crate::cards::Card;
use crate::facts::{Clash, CombatRoll, Fact, HegemonyRoll, Reason, Reveal};
use crate::places::Side;
use crate::rules::Aftermath;
use crate::state::Hegemony;
use pentarchy_engine::describe::{fill_count, who};
use pentarchy_engine::{AppliedEvent, Token, fill_text};

/// Describes an event from its facts as the observer of the event sees them. The lines are, in this order,
/// each only if there is something to say: what was done (one line per fact), a battle, the cards that left
/// after it, effects of used cards, changes of points, a new round, defeats, and the end of the game. `None`
/// if there is no line.
pub(super) fn log(event: &AppliedEvent<'_, Hegemony>) -> Option<String> {
    let AppliedEvent { facts, after, .. } = *event;
    let mut lines: Vec<String> = facts.iter().filter_map(|fact| done(event, fact)).collect();
    lines.extend(facts.iter().find_map(|fact| match fact {
        Fact::Fought(clash) => Some(clash.text()),
        _ => None,
    }));
    let sides = || (0..after.seats()).map(Side).chain([Side::EMPIRE]);
    lines.extend(joined(sides().flat_map(|side| lost(event, side)).collect()));
    let effects: Vec<String> = facts.iter().filter_map(|fact| effect(facts, fact)).collect();
    lines.extend(joined(effects));
    lines.extend(joined(sides().filter_map(|side| points(facts, side)).collect()));
    lines.extend(facts.iter().filter_map(|fact| match *fact {
        Fact::RoundBegan(round) => Some(fill_text!(LOG.round_began, round = round)),
        _ => None,
    }));
    lines.extend(facts.iter().filter_map(|fact| match *fact {
        Fact::Fell(side) => Some(match side.seat() {
            Some(seat) => fill_text!(LOG.defeated, player = who(seat)),
            None => LOG.fallen.to_string(),
        }),
        _ => None,
    }));
    lines.extend(ending(after.state()));
    if lines.is_empty() { None } else { Some(lines.join("\n")) }
}

/// Joins sentences with spaces into one line; `None` if there are none.
fn joined(sentences: Vec<String>) -> Option<String> {
    if sentences.is_empty() { None } else { Some(sentences.join(" ")) }
}

/// Describes what a seat, the die or a reveal did, from one fact. `None` for facts about consequences (round,
/// war, effect, battle, defeat, points), which other sentences of the entry describe, for a reveal without
/// cards, and for cards drawn into slots that the observer does not see.
fn done(event: &AppliedEvent<'_, Hegemony>, fact: &Fact) -> Option<String> {
    let AppliedEvent { before, line, after, .. } = *event;
    let shown = || named(&line.shown.iter().map(|&(_, card)| card).collect::<Vec<_>>());
    Some(match *fact {
        Fact::Marked(seat, card) => {
            fill_text!(LOG.marked, player = who(seat), card = the(card.title()))
        }
        Fact::Bought { seat, card, price } => {
            fill_text!(LOG.bought, player = who(seat), card = the(card.title()), price = price)
        }
        Fact::Sold { seat, card, price } => {
            fill_text!(LOG.sold, player = who(seat), card = the(card.title()), price = price)
        }
        Fact::Placed { seat, card, slot, lie, drawn } => {
            // The opening hands, and drawn cards that the observer does not see, need no entry.
            let unseen = before.state().round == 0 || (lie != Lie::Up && before.face(card).is_none());
            if drawn && unseen {
                return None;
            }
            let card = match lie {
                Lie::Up => seen(after, card),
                Lie::Down(category) => match before.face(card) {
                    Some(face) => fill_text!(LOG.face_down, card = the(face.title())),
                    None => fill_text!(LOG.unknown_face_down, category = category.title()),
                },
            };
            fill_text!(LOG.placed, player = who(seat), card = card, slot = slot + 1)
        }
        Fact::Stationed { seat, card, slot } => {
            fill_text!(LOG.stationed, player = who(seat), card = seen(after, card), slot = slot + 1)
        }
        Fact::Lobbied(seat, category) => {
            fill_text!(LOG.lobbied, player = who(seat), category = category.title())
        }
        Fact::TradeBegan(seat) => fill_text!(LOG.trade_began, player = who(seat)),
        Fact::DrewFresh(seat) => fill_text!(LOG.drew_fresh, player = who(seat)),
        Fact::Asked(seat, slot) => fill_text!(LOG.asked, player = who(seat), slot = slot + 1),
        Fact::Drew(seat, n) => {
            fill_text!(LOG.drew, player = who(seat), cards = fill_count(n.into(), LOG.one_card, LOG.cards))
        }
        Fact::Revealed(Reveal::ForSale) => fill_text!(LOG.for_sale, cards = shown()),
        Fact::Revealed(_) if line.shown.is_empty() => return None,
        Fact::Revealed(Reveal::OfEmpire) => fill_text!(LOG.of_empire, cards = shown()),
        Fact::Revealed(Reveal::Troops) => troops(event),
        Fact::Revealed(Reveal::Others) => fill_text!(LOG.revealed, cards = shown()),
        Fact::UseBegan(seat, card) => {
            fill_text!(LOG.use_began, player = who(seat), card = the(card.title()))
        }
        Fact::TargetNamed(seat, target) => {
            fill_text!(LOG.target_named, player = who(seat), target = name(target))
        }
        Fact::SlotNamed { seat, card: Card::FalseFlag, slot, .. } => {
            fill_text!(LOG.own_slot_named, player = who(seat), slot = slot + 1)
        }
        Fact::SlotNamed { seat, target, slot, .. } => {
            fill_text!(LOG.slot_named, player = who(seat), target = name(target), slot = slot + 1)
        }
        Fact::Intrigued(card, leader) => {
            fill_text!(LOG.intrigued, card = card.title(), player = who(leader))
        }
        Fact::Sabotaged(side) => fill_text!(LOG.sabotaged, player = who(side.seat()?)),
        Fact::SawPool(seat, side) => {
            fill_text!(LOG.saw_pool, player = who(seat), target = name(side))
        }
        Fact::SawSlot(seat, target, slot) => {
            fill_text!(LOG.saw_slot, player = who(seat), target = name(target), slot = slot + 1)
        }
        Fact::Took(seat, card) => fill_text!(LOG.took, player = who(seat), card = seen(before, card)),
        Fact::Gave(seat, card) => fill_text!(LOG.gave, player = who(seat), card = seen(before, card)),
        Fact::Showed(seat, card) => fill_text!(LOG.showed, player = who(seat), card = the(card.title())),
        Fact::Rolled(ref roll) => rolled(roll),
        Fact::Fate { side, card, roll: Some(roll), result, .. } => combat(side, card, roll, result),
        Fact::Razed { by, loser, slot, .. } => {
            fill_text!(LOG.razed, side = subject(by), loser = name(loser), slot = slot + 1)
        }
        Fact::Ruined { by, loser, slot } => {
            fill_text!(LOG.ruined, side = subject(by), loser = name(loser), slot = slot + 1)
        }
        Fact::RoundBegan(_)
        | Fact::WarBegan(..)
        | Fact::UseWaits(_)
        | Fact::TookEffect(..)
        | Fact::WasBlocked(..)
        | Fact::Fought(_)
        | Fact::Traded(_)
        | Fact::Fate { roll: None, .. }
        | Fact::Deserted(..)
        | Fact::Crowded(..)
        | Fact::Fell(_)
        | Fact::Points { .. } => return None,
    })
}

/// Describes the Military cards that were revealed for a battle: a sentence for each side that has revealed
/// cards, by seat, the Empire last. Cards are assigned to sides by their slots before the event.
fn troops(event: &AppliedEvent<'_, Hegemony>) -> String {
    let AppliedEvent { before, line, .. } = *event;
    let of = |t: Token| before.state().slot_of(t).map(|(side, _)| side);
    let sides = (0..before.seats()).map(Side).chain([Side::EMPIRE]);
    let sentences = sides.filter_map(|side| {
        let cards: Vec<Card> =
            line.shown.iter().filter(|&&(t, _)| of(t) == Some(side)).map(|&(_, card)| card).collect();
        (!cards.is_empty())
            .then(|| fill_text!(LOG.revealed_troops, side = subject(side), cards = named(&cards)))
    });
    sentences.collect::<Vec<_>>().join(" ")
}

/// Describes the cards that the side `wanted` lost after a battle without a roll, one sentence each: for
/// every Mercenary that left because it was not paid, for all cards discarded (also for lack of room), and
/// for all returned to the deck. Empty if there are none; cards that the observer does not know are left out.
fn lost(event: &AppliedEvent<'_, Hegemony>, wanted: Side) -> Vec<String> {
    let AppliedEvent { facts, after, .. } = *event;
    let left = facts.iter().filter(|fact| matches!(fact, Fact::Deserted(side, _) if *side == wanted));
    let mut sentences: Vec<String> = left.map(|_| fill_text!(LOG.deserted, side = name(wanted))).collect();
    let fell = |wish: Aftermath| {
        facts.iter().filter_map(move |fact| match *fact {
            Fact::Fate { side, card, roll: None, result, .. } if side == wanted && result == wish => {
                Some(card)
            }
            Fact::Crowded(side, t) if side == wanted && wish == Aftermath::Discarded => after.face(t),
            _ => None,
        })
    };
    for (result, template) in [(Aftermath::Discarded, LOG.discards), (Aftermath::IntoDeck, LOG.returns)] {
        let cards: Vec<Card> = fell(result).collect();
        if !cards.is_empty() {
            sentences.push(fill_text!(template, side = subject(wanted), cards = named(&cards)));
        }
    }
    sentences
}

/// Names cards within a sentence: a single one with its article, several as a list in which equal ones are
/// counted; `nothing` for none.
fn named(cards: &[Card]) -> String {
    match cards {
        [card] => the(card.title()),
        _ => row(cards.iter().copied()),
    }
}

/// Returns the name of a card with its article; `a card` if the observer does not know it.
fn seen(view: &View, t: Token) -> String {
    view.face(t).map_or_else(|| LOG.unknown_card.to_string(), |card| the(card.title()))
}

/// Describes a Hegemony roll: `@0 rolls 12 + 3 Market = 15. Trade: …`; without modifiers only the die and the
/// result.
fn rolled(roll: &HegemonyRoll) -> String {
    let player = who(roll.seat);
    let result = fill_text!(if roll.war { LOG.war } else { LOG.trade }, player = player);
    let part = |part: &crate::rules::Contribution| {
        fill_text!(LOG.modifier, sign = sign(part.amount), amount = part.amount.abs(), what = part.what)
    };
    let modifiers: String = roll.modifiers.parts.iter().map(part).collect();
    let template = if modifiers.is_empty() { LOG.rolled } else { LOG.rolled_sum };
    let (die, total) = (roll.natural, roll.total);
    let rolled = fill_text!(template, player = player, die = die, modifiers = modifiers, total = total);
    [rolled, result].join(" ")
}

/// Describes a combat roll of a side for a card, with its bonus and sum if there is a bonus, and what
/// happened to the card: it becomes another, stays, returns to the deck or is discarded.
fn combat(side: Side, card: Card, roll: CombatRoll, result: Aftermath) -> String {
    let fate = match result {
        Aftermath::Becomes(other) => fill_text!(LOG.becomes, card = other.title()),
        Aftermath::Stays => LOG.stays.to_string(),
        Aftermath::IntoDeck => LOG.into_deck.to_string(),
        Aftermath::Discarded => LOG.discarded.to_string(),
    };
    let CombatRoll { natural: die, bonus, total, .. } = roll;
    let (side, card, sign) = (subject(side), the(card.title()), sign(bonus));
    let template = if bonus == 0 { LOG.combat } else { LOG.combat_sum };
    let bonus = bonus.abs();
    let rolled =
        fill_text!(template, side = side, die = die, sign = sign, bonus = bonus, total = total, card = card);
    [rolled, fate].join(" ")
}

impl Clash {
    /// Describes the battle in two sentences, attack against defence and the result: `@0 attacks @1: 13
    /// against 8. @0 wins by 5.`; after a tie the second is `Nobody wins.`
    pub fn text(&self) -> String {
        let ([attacker, defender], [attack, defence]) = (self.sides, self.totals);
        let (attacker, defender) = (subject(attacker), name(defender));
        let fought = fill_text!(
            LOG.fought,
            attacker = attacker,
            defender = defender,
            attack = attack,
            defence = defence
        );
        [fought, self.verdict_text()].join(" ")
    }

    /// Describes the result of the battle: `@0 wins by 5.` with the difference of the totals, or `Nobody
    /// wins.` after a tie.
    pub fn verdict_text(&self) -> String {
        match self.victor {
            Some(victor) => fill_text!(LOG.wins, side = subject(victor), margin = self.cost),
            None => LOG.tie.to_string(),
        }
    }
}

/// Returns `−` for a negative number, else `+`.
fn sign(n: i32) -> char {
    if n < 0 { '−' } else { '+' }
}

/// Describes whether a used card takes effect or was blocked. `None` for other facts, and for a card whose use
/// began in the same event, whose facts are `facts`: nobody could answer it with a Sabotage.
fn effect(facts: &[Fact], fact: &Fact) -> Option<String> {
    let (card, text) = match *fact {
        Fact::WasBlocked(t, card) => (t, fill_text!(LOG.blocked, card = the(card.title()))),
        Fact::TookEffect(t, card) => (t, fill_text!(LOG.took_effect, card = card.title())),
        _ => return None,
    };
    let began = |fact: &Fact| matches!(*fact, Fact::UseWaits(used) if used == card);
    (!facts.iter().any(began)).then_some(text)
}

/// Describes the sum of a side's gains and losses in these facts, and its points after the last change; a
/// gain from income (and Middlemen) alone is called income. Purchases, and the sales of players, are left out
/// of the sum, as they have their own sentence; what the Empire earns by its cards counts. `None` if the sum
/// is 0.
fn points(facts: &[Fact], side: Side) -> Option<String> {
    let changes = || {
        facts.iter().filter_map(|fact| match *fact {
            Fact::Points { side: whose, by, now, why } if whose == side && by != 0 => Some((by, now, why)),
            _ => None,
        })
    };
    let (_, now, _) = changes().next_back()?;
    // What the Empire earns by its cards has no other sentence.
    let told = |why| match why {
        Reason::Bought(_) => true,
        Reason::Sold(_) => !side.is_empire(),
        _ => false,
    };
    let changes = || changes().filter(|&(_, _, why)| !told(why));
    let by: i32 = changes().map(|(by, ..)| by).sum();
    let income = changes().any(|(.., why)| why == Reason::Income)
        && changes().all(|(.., why)| matches!(why, Reason::Income | Reason::Middleman));
    let template = match by {
        0 => return None,
        ..0 => LOG.loses,
        _ if income => LOG.gains_income,
        _ => LOG.gains,
    };
    Some(fill_text!(template, side = subject(side), points = by.abs(), now = now))
}
