//! The log: one sentence per event. Events without news for a person get no line.

use super::name;
use super::prompt::list;
use super::texts::LOG;
use crate::face::Mode;
use crate::facts::{Fact, Purpose};
use crate::map::Place;
use crate::rules::DecidedBy;
use crate::state::{H, Hestia, L, enemy, land};
use crate::view::Fought;
use pentarchy_engine::describe::{fill_count, who};
use pentarchy_engine::sorting::sort_by_key;
use pentarchy_engine::{AppliedEvent, Seat, fill_text};

/// Describes an event in one or more sentences from its facts: what the seat did, dice, reveals, then what
/// followed. `None` if there is nothing to say.
pub(super) fn log(event: &AppliedEvent<'_, Hestia>) -> Option<String> {
    let facts = event.facts;
    let mut sentences: Vec<String> = facts.iter().filter_map(|fact| own(event, fact)).collect();
    sentences.extend(rolled(facts));
    sentences.extend(facts.iter().filter_map(|fact| shown(event, fact)));
    sentences.extend(news(facts));
    sentences.extend(ending(event.after.state()));
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// Describes who won and what decided the game; `None` before the end. Seats are written `@0`.
pub(super) fn ending(game: &Hestia) -> Option<String> {
    let ending = game.ending()?;
    let cities = |n: u8| fill_count(n.into(), LOG.one_city, LOG.cities);
    let [l, _] = ending.cities;
    let Some(winner) = ending.winner else { return Some(fill_text!(LOG.draw, cities = cities(l))) };
    let (own, other) = (winner.index(), enemy(winner).index());
    let player = who(winner);
    let more = match ending.by {
        DecidedBy::Cities => {
            let (own, other) = (ending.cities[own], ending.cities[other]);
            return Some(fill_text!(LOG.more_cities, player = player, own = cities(own), other = other));
        }
        DecidedBy::Blocks => {
            let blocks = fill_count(ending.blocks[own], LOG.one_block, LOG.blocks);
            fill_text!(LOG.more_blocks, player = player, own = blocks, other = ending.blocks[other])
        }
        DecidedBy::Strength => {
            let (own, other) = (ending.strength[own], ending.strength[other]);
            fill_text!(LOG.more_strength, player = player, own = own, other = other)
        }
    };
    Some([fill_text!(LOG.equal_cities, cities = cities(l)), more].join(" "))
}

/// Describes each die and, after the last one, the result of the clash, in the order of the facts. Empty if
/// nothing was rolled.
fn rolled(facts: &[Fact]) -> Vec<String> {
    let sentence = |fact: &Fact| match fact {
        Fact::Rolled(seat, die) => Some(fill_text!(LOG.rolls, player = who(*seat), die = die)),
        Fact::ClashScored(fought) => Some(clash(fought)),
        _ => None,
    };
    facts.iter().filter_map(sentence).collect()
}

/// Describes what a seat did, from one fact: discards, additions, payments, rallies, moves, tokens, changes
/// of strength. `None` for other facts.
fn own(event: &AppliedEvent<'_, Hestia>, fact: &Fact) -> Option<String> {
    let AppliedEvent { facts, after, .. } = *event;
    let at = |p: Place| p.spot().name;
    Some(match *fact {
        // One line for all discards, at the last one.
        Fact::Discarded(seat, _, Purpose::HalfComplete) => fill_text!(LOG.halves, player = who(seat)),
        Fact::Discarded(seat, _, Purpose::ForcedMarch) => fill_text!(LOG.forces, player = who(seat)),
        Fact::Exchanged(seat, n @ 1..) => {
            fill_text!(LOG.discards, player = who(seat), cards = cards(n.into()))
        }
        Fact::Added(seat, t) => fill_text!(LOG.adds, player = who(seat), card = name(after, t)),
        Fact::MovementPaid(seat, 0) => fill_text!(LOG.spends_nothing, player = who(seat)),
        Fact::MovementPaid(seat, n) => {
            fill_text!(LOG.spends, player = who(seat), cards = cards(n.into()))
        }
        Fact::Rallied(seat, place) => {
            let names = raised(facts);
            // The mercenaries are named after their place.
            let named = names.iter().any(|name| name == at(place));
            let template = if named { LOG.rallies } else { LOG.rallies_in };
            fill_text!(template, player = who(seat), blocks = list(&names), place = at(place))
        }
        Fact::Marched { seat, to, blocks } => {
            fill_text!(
                LOG.moves,
                player = who(seat),
                blocks = fill_count(blocks.into(), LOG.one_block, LOG.blocks),
                place = at(to)
            )
        }
        Fact::TokenPlaced(seat, place) => {
            fill_text!(LOG.places_token, player = who(seat), place = at(place))
        }
        Fact::LeftBlock(seat, place) => fill_text!(LOG.leaves, player = who(seat), place = at(place)),
        Fact::HeldWithoutCard(seat) => fill_text!(LOG.holds, player = who(seat)),
        Fact::StrengthChanged { unit, was, is } => {
            let template = if is < was { LOG.weakened } else { LOG.restored };
            fill_text!(template, block = unit.name(), was = was, is = is)
        }
        _ => return None,
    })
}

/// Formats a number of cards: `1 card`, `2 cards`.
fn cards(n: usize) -> String {
    fill_count(n, LOG.one_card, LOG.cards)
}

/// Returns the names of the blocks that a rally raised, in the order of the facts.
fn raised(facts: &[Fact]) -> Vec<String> {
    let unit = |fact: &Fact| match *fact {
        Fact::Raised(_, unit) => Some(unit.name()),
        _ => None,
    };
    facts.iter().filter_map(unit).collect()
}

/// Describes a reveal or a shuffle, from one fact: bids, armies, modes, cards, the final count, a reshuffle.
/// `None` for other facts. Cards and blocks are named as the observer knows them after the event.
fn shown(event: &AppliedEvent<'_, Hestia>, fact: &Fact) -> Option<String> {
    let AppliedEvent { before, after, .. } = *event;
    Some(match *fact {
        Fact::BidShown(seat, t) => fill_text!(LOG.bids, player = who(seat), card = name(after, t)),
        Fact::ArmiesShown { attacker, place } => {
            let army = |seat| {
                let blocks = before.state().tokens.iter(land(place, seat));
                list(&blocks.map(|t| name(after, t)).collect::<Vec<_>>())
            };
            let (a, d) = (attacker, enemy(attacker));
            fill_text!(LOG.armies, attacker = who(a), army = army(a), defender = who(d), defence = army(d))
        }
        Fact::ModeShown(seat, mode) => {
            let template = match mode {
                Mode::Fight => LOG.fights,
                Mode::Stand => LOG.stands,
                Mode::Retreat | Mode::Withdraw => LOG.gives_way,
            };
            fill_text!(template, player = who(seat))
        }
        Fact::CardShown(seat, t) => fill_text!(LOG.plays, player = who(seat), card = name(after, t)),
        Fact::BlocksShown => LOG.counted.to_string(),
        Fact::Reshuffled(seat) => fill_text!(LOG.reshuffles, player = who(seat)),
        _ => return None,
    })
}

/// Describes the result of a clash: the attacker's score against the defender's, then the strength that each
/// side loses, or that no side does.
fn clash(fought: &Fought) -> String {
    let attacker = fought.attacker;
    let (a, d) = (fought.scores[attacker.index()], fought.scores[enemy(attacker).index()]);
    let (attacker, defender) = (who(attacker), who(enemy(attacker)));
    let mut sentences =
        vec![fill_text!(LOG.clash, attacker = attacker, attack = a, defender = defender, defence = d)];
    sentences.extend(
        [L, H].into_iter().filter(|seat| fought.due[seat.index()] > 0).map(|seat| {
            fill_text!(LOG.loses_strength, player = who(seat), strength = fought.due[seat.index()])
        }),
    );
    if fought.due == [0; 2] {
        sentences.push(LOG.no_loss.to_string());
    }
    sentences.join(" ")
}

/// Describes what followed from an event without a decision, in a fixed order: bid, destroyed blocks,
/// retreats, battle, cities, last year, new year, drawn cards. Empty if nothing followed.
fn news(facts: &[Fact]) -> Vec<String> {
    let mut out = Vec::new();
    for fact in facts {
        if let Fact::BidSettled { first, .. } = *fact {
            out.push(fill_text!(LOG.moves_first, player = who(first)));
        }
    }
    let mut fallen: Vec<_> = facts
        .iter()
        .filter_map(|fact| match *fact {
            Fact::Destroyed(t, unit) => Some((t, unit.name())),
            _ => None,
        })
        .collect();
    sort_by_key(&mut fallen, |&(t, _)| t);
    if !fallen.is_empty() {
        let names: Vec<String> = fallen.into_iter().map(|(_, name)| name).collect();
        out.push(fill_text!(LOG.destroyed, blocks = list(&names)));
    }
    for seat in [L, H] {
        out.extend(facts.iter().filter_map(|fact| match *fact {
            Fact::Retreated(whose, to) if whose == seat => {
                Some(fill_text!(LOG.retreats, player = who(seat), place = to.spot().name))
            }
            _ => None,
        }));
    }
    out.extend(facts.iter().filter_map(|fact| match *fact {
        Fact::BattleBegan(place) => Some(fill_text!(LOG.battle, place = place.spot().name)),
        _ => None,
    }));
    for seat in [L, H] {
        out.extend(cities(facts, LOG.wins, seat, |fact| match *fact {
            Fact::CityWon(whose, place) if whose == seat => Some(place),
            _ => None,
        }));
        out.extend(cities(facts, LOG.loses, seat, |fact| match *fact {
            Fact::CityLost(whose, place) if whose == seat => Some(place),
            _ => None,
        }));
    }
    out.extend(facts.iter().filter_map(|fact| match *fact {
        Fact::LastYearFixed(year) => Some(fill_text!(LOG.last_year, year = year)),
        _ => None,
    }));
    out.extend(facts.iter().filter_map(|fact| match *fact {
        Fact::YearBegan(year) => Some(fill_text!(LOG.year, year = year)),
        _ => None,
    }));
    for seat in [L, H] {
        let drawn = facts.iter().map(|fact| match *fact {
            Fact::Drew(whose, n) if whose == seat => usize::from(n),
            _ => 0,
        });
        let drawn: usize = drawn.sum();
        if drawn > 0 {
            out.push(fill_text!(LOG.draws, player = who(seat), cards = cards(drawn)));
        }
    }
    out
}

/// Fills the names of the places that `of` picks from the facts into a template about `seat`; `None` if it
/// picks none.
fn cities(facts: &[Fact], template: &str, seat: Seat, of: impl Fn(&Fact) -> Option<Place>) -> Option<String> {
    let names: Vec<String> = facts.iter().filter_map(of).map(|place| place.spot().name.to_string()).collect();
    (!names.is_empty()).then(|| fill_text!(template, player = who(seat), cities = list(&names)))
}
