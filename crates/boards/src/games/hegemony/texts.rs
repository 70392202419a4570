//! The texts of the ledger, of the battle report and of the report of a Hegemony roll.

use pentarchy_engine::text_table;

text_table! {
    /// The texts of the ledger. `side` is a seat or the Empire.
    pub(super) struct LedgerTexts, const LEDGER;
    bought = "Bought {card}",
    sold = "Sold {card}",
    income = "Income",
    middleman = "Middleman",
    trade = "Trade with the Empire",
    battle = "Battle against {side}",
    title = "Your points since {round}",
    before = "Before",
    now = "Now",
}

text_table! {
    /// The texts of both reports. `name` is a player's or the Empire's.
    pub(super) struct ReportTexts, const REPORT;
    one_card = "{n} card",
    cards = "{n} cards",
    attack = "{name}’s attack",
    defence = "{name}’s defence",
    your_attack = "Your attack",
    your_defence = "Your defence",
    no_troops = "No Military cards.",
    printed = "printed {amount}",
    part = "{amount} {what}",
    roll_bonus = "{amount} to combat rolls",
    was_face_down = "was face down",
    lost = "Lost",
    defeated = "defeated",
    deserts = "Deserts",
    not_paid = "not paid",
    back_to_deck = "Back to deck",
    slot_emptied = "slot emptied",
    no_room = "no room left",
    stays = "Stays",
    discarded = "Discarded",
    promoted = "Now a {card}",
    needs = "{die}, needs {needs}",
    needs_with_bonus = "{die} {bonus}, needs {needs}",
    every_battle = "after every battle",
    tie = "tie",
    you_won = "you won",
    won = "won",
    you_lost = "you lost",
    side_lost = "lost",
    tie_costs = "A tie costs both {cost} VP.",
    loser_loses = "The loser loses the difference: {most} − {least} = {cost}.",
    winner_takes = "The winner takes the difference: {most} − {least} = {cost}.",
    scale = "Result {total}. Up to {war} is war, {trade} or more is trade",
    deals_with_you = "The Empire deals with you",
    deals_with = "The Empire deals with {name}",
    you_trade = "Trade. You gain {gain} VP.",
    trades = "Trade. {name} gains {gain} VP.",
    trade_parts = "{base} for the trade, and {per_card} for each active Trade card ({cards}).",
}
