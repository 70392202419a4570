//! Log entries, one sentence per fact.

use super::article;
use super::texts::LOG;
use crate::facts::{Captured, Destination, Fact};
use crate::state::{Numeral, Stage};
use crate::upgrades::Upgrade;
use pentarchy_engine::describe::{fill_count, who};
use pentarchy_engine::fill_text;

/// Describes an event with one line per fact, and the end of the game if `after` is over; `None` if there is
/// nothing to say.
pub(super) fn log(facts: &[Fact], after: &Numeral) -> Option<String> {
    let mut lines: Vec<String> = facts.iter().map(sentence).collect();
    if after.stage == Stage::Over {
        lines.push(ending(after));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Describes any fact in one line of one or more sentences, with its numbers; seats are written `@0`. Never
/// empty.
fn sentence(fact: &Fact) -> String {
    match *fact {
        Fact::MapDrawn(seed) => fill_text!(LOG.map_drawn, seed = seed),
        Fact::RoundBegan(round) => fill_text!(LOG.round_began, round = round),
        Fact::Income { seat, gross, upkeep, gold } => {
            let (player, debt) = (who(seat), upkeep.saturating_sub(gross));
            let deaths = fill_count(debt as usize, LOG.one_death, LOG.deaths);
            let template = match (upkeep, debt) {
                (0, _) => LOG.income,
                (_, 0) => LOG.income_upkeep,
                _ => LOG.starvation,
            };
            fill_text!(
                template,
                player = player,
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
                Destination::Army(there) => {
                    fill_text!(LOG.joined, player = player, there = there, n = n, now = there + n)
                }
            }
        }
        Fact::Fought { seat, enemy, soldiers, defence, towers, captured } => {
            let player = who(seat);
            let result = match (captured, defence - soldiers.min(defence)) {
                (Some(Captured { upgrade, left }), _) => {
                    let prize = if upgrade == Upgrade::None { LOG.hex } else { upgrade.name() };
                    fill_text!(LOG.captured, player = player, prize = prize, left = left)
                }
                (None, 0) => LOG.all_died.to_string(),
                (None, rest) => {
                    fill_text!(
                        LOG.failed,
                        defenders = fill_count(rest as usize, LOG.one_defender, LOG.defenders)
                    )
                }
            };
            let towers = if towers > 0 { fill_text!(LOG.towers, n = towers) } else { String::new() };
            fill_text!(
                LOG.fought,
                player = player,
                enemy = who(enemy),
                n = soldiers,
                defence = defence,
                towers = towers,
                result = result,
            )
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

/// Describes the end of the game: who has the last Home, or who won or shared the last round. The game must
/// be over.
fn ending(game: &Numeral) -> String {
    let outcome = game.ranking();
    let winners: Vec<String> = outcome.winners().map(who).collect();
    match &winners[..] {
        [winner] if game.players_left() == 1 => fill_text!(LOG.last_home, player = winner),
        [winner] => fill_text!(LOG.most_soldiers, round = game.round, player = winner),
        _ => fill_text!(LOG.shared, round = game.round, players = winners.join(LOG.and)),
    }
}
