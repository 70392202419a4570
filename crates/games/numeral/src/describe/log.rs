//! Log entries, one sentence per fact.

use super::article;
use super::texts::LOG;
use crate::facts::{Captured, Destination, Fact};
use crate::rules::{EndReason, Ending, TieBreak};
use crate::state::Numeral;
use crate::upgrades::Upgrade;
use pentarchy_engine::describe::{fill_count, join_list, who};
use pentarchy_engine::{Seat, fill_text};

/// Describes an event with one line per fact, in their order, and a last line on how the game ended if
/// `after`, the state after the event, is over; `None` if there is no line.
pub(super) fn log(facts: &[Fact], after: &Numeral) -> Option<String> {
    let mut lines: Vec<String> = facts.iter().map(sentence).collect();
    lines.extend(ending(after));
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Describes any fact in one line of one or more sentences, with its numbers; seats are written `@0`. Never
/// empty.
fn sentence(fact: &Fact) -> String {
    match *fact {
        Fact::MapDrawn(_) => LOG.map_drawn.to_string(),
        Fact::RoundBegan(round) => fill_text!(LOG.round_began, round = round),
        Fact::Income { seat, gross, upkeep, deaths, gold } => {
            let template = match (upkeep, deaths) {
                (0, _) => LOG.income,
                (_, 0) => LOG.income_upkeep,
                _ => LOG.starvation,
            };
            let deaths = fill_count(deaths as usize, LOG.one_death, LOG.deaths);
            fill_text!(
                template,
                player = who(seat),
                gross = gross,
                upkeep = upkeep,
                deaths = deaths,
                gold = gold
            )
        }
        Fact::Placed { seat, soldiers: n, there } => {
            let template = if there == n { LOG.placed } else { LOG.placed_more };
            fill_text!(template, player = who(seat), soldiers = soldiers(n), there = there)
        }
        Fact::Built(seat, upgrade, price) => {
            fill_text!(LOG.built, player = who(seat), upgrade = article(upgrade.name()), price = price)
        }
        Fact::Marched { seat, soldiers: n, to } => {
            let (player, soldiers) = (who(seat), soldiers(n));
            match to {
                Destination::FreeLand => {
                    fill_text!(LOG.took_free_land, player = player, soldiers = soldiers)
                }
                Destination::Home(gold) => {
                    fill_text!(LOG.moved_home, player = player, soldiers = soldiers, gold = gold)
                }
                Destination::Empty => fill_text!(LOG.moved, player = player, soldiers = soldiers),
                Destination::Army { there, now } => {
                    fill_text!(LOG.joined, player = player, there = there, n = n, now = now)
                }
            }
        }
        Fact::Fought { seat, enemy, soldiers, defence, towers, result } => {
            let player = who(seat);
            let result = match result {
                Ok(Captured { upgrade, razed, left }) => {
                    let template = if razed { LOG.razed } else { LOG.captured };
                    let prize = if upgrade == Upgrade::None { LOG.hex } else { upgrade.name() };
                    fill_text!(template, player = player, prize = prize, left = left)
                }
                Err(0) => LOG.all_died.to_string(),
                Err(rest) => fill_count(rest as usize, LOG.failed_one, LOG.failed),
            };
            let template = if towers > 0 { LOG.fought_towers } else { LOG.fought };
            let enemy = who(enemy);
            let fought = fill_text!(
                template,
                player = player,
                enemy = enemy,
                n = soldiers,
                defence = defence,
                towers = towers
            );
            [fought, result].join(" ")
        }
        Fact::HomeLost(seat) => fill_text!(LOG.home_lost, player = who(seat)),
        Fact::HomeMoved { seat, gold, replaced: Upgrade::None | Upgrade::Home } => {
            fill_text!(LOG.home_moved, player = who(seat), gold = gold)
        }
        Fact::HomeMoved { seat, gold, replaced } => {
            fill_text!(LOG.home_replaced, player = who(seat), gold = gold, upgrade = replaced.name())
        }
        Fact::Eliminated(seat) => fill_text!(LOG.eliminated, player = who(seat)),
    }
}

/// Formats a number of soldiers: `1 soldier`, `2 soldiers`.
fn soldiers(n: u32) -> String {
    fill_count(n as usize, LOG.one_soldier, LOG.soldiers)
}

/// Describes in one line why the game ended, who won, and what broke a tie; `None` before the end. Seats are
/// written `@0`.
pub(super) fn ending(game: &Numeral) -> Option<String> {
    let Ending { reason, winners, leaders, total, tie_break } = game.ending()?;
    let names = |seats: &[Seat]| {
        join_list(&seats.iter().map(|&seat| who(seat)).collect::<Vec<_>>(), LOG.comma, LOG.and)
    };
    let won = names(&winners);
    if reason == EndReason::Conquest {
        return Some(fill_text!(LOG.last_home, player = won));
    }
    let mut sentences = vec![fill_text!(LOG.last_round, round = game.round)];
    sentences.push(match leaders.len() {
        1 => fill_text!(LOG.most_soldiers, player = won, total = total),
        _ => fill_text!(LOG.equal_total, players = names(&leaders), total = total),
    });
    let one = winners.len() == 1;
    sentences.extend(tie_break.map(|tie_break| {
        let template = match (tie_break, one) {
            (TieBreak::Hexes, true) => LOG.more_hexes,
            (TieBreak::Hexes, false) => LOG.more_hexes_each,
            (TieBreak::Income, true) => LOG.more_income,
            (TieBreak::Income, false) => LOG.more_income_each,
        };
        fill_text!(template, players = won)
    }));
    if !one {
        sentences.push(fill_text!(LOG.shared, players = won));
    }
    Some(sentences.join(" "))
}
