//! The sentences of the log.

use pentarchy_engine::text_table;

text_table! {
    /// The sentences of the log. `player` and `enemy` are seats.
    pub(super) struct LogTexts, const LOG;
    map_drawn = "The map is drawn (seed {seed}).",
    round_began = "Round {round} begins.",
    income = "{player}: income {gross}. Home: {gold} gold.",
    income_upkeep = "{player}: income {gross} − upkeep {upkeep}. Home: {gold} gold.",
    starvation = "{player}: income {gross} − upkeep {upkeep}. {deaths}. Home: {gold} gold.",
    one_death = "{n} soldier dies",
    deaths = "{n} soldiers die",
    one_soldier = "{n} soldier",
    soldiers = "{n} soldiers",
    one_defender = "{n} defender",
    defenders = "{n} defenders",
    placed = "{player} places {soldiers}.",
    placed_more = "{player} places {soldiers} ({there} there).",
    built = "{player} builds {upgrade} for {price}.",
    took_free_land = "{player} takes free land with {soldiers}.",
    moved_home = "{player} moves {soldiers} into the Home (now {gold} gold).",
    moved = "{player} moves {soldiers}.",
    joined = "{player} joins armies: {there} + {n} = {now}.",
    fought = "{player} attacks {enemy}: {n} against {defence}{towers}. {result}",
    towers = " ({n} in Towers)",
    all_died = "All die, the attack fails.",
    failed = "The attack fails, {defenders} left.",
    captured = "{player} takes the {prize}, {left} left.",
    hex = "hex",
    eliminated = "{player} has no hex left and is out.",
    home_lost = "{player} loses the Home.",
    home_moved = "{player} gets a new Home with {gold} gold.",
    home_replaced = "{player} gets a new Home with {gold} gold in place of the {upgrade}.",
    last_home = "{player} has the last Home.",
    most_soldiers = "Round {round} was the last. {player} has the most soldiers and gold.",
    shared = "Round {round} was the last. {players} share the win.",
    and = " and ",
    a = "a {upgrade}",
    an = "an {upgrade}",
}
