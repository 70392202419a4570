//! The texts of the battle dialog and of the reports.

use pentarchy_engine::text_table;

text_table! {
    /// The texts of the battle dialog. `name` is a player's.
    pub(super) struct BattleTexts, const BATTLE;
    title = "Battle of {place}",
    cards_played = "Cards played: {own} to {other}",
    scores = "{attacker} to {defender}",
    clashes = "Clashes",
    clash = "Clash {n}",
    past_clash = "Clash {n}: {scores}",
    you_attack = "You attack",
    you_defend = "You defend",
    attacks = "{name} attacks",
    defends = "{name} defends",
    retreats_covered = "Retreats. The card stays hidden.",
    retreats = "Retreats without a card.",
    stands = "Stands without a card.",
    no_cards_left = "No cards left.",
    no_card_yet = "No card yet",
    added = "added {n}",
    die = "die {n}",
    die_of = "{name}: die {n}",
    against = "against",
    tie = "A tie",
    you_lose = "You lose {n} strength",
    loses = "{name} loses {n} strength",
    destroyed = "destroyed",
    hidden = "hidden",
    due = "{n} to lose",
    bid = "The bid",
    bid_rule = "The higher bid moves first.",
}

text_table! {
    /// The texts of the reports of a bid and of a year.
    pub(super) struct ReportTexts, const REPORT;
    bid_tie = "A tie: {side} moves first.",
    year_over = "Year {year} is over",
    cities_won = "City-states won",
    tokens = "Tokens: {inactive} inactive, {left} left",
}
