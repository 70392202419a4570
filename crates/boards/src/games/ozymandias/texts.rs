//! The texts of the report of a crisis.

use pentarchy_engine::text_table;

text_table! {
    /// The texts of the report. `Factions` begins a sentence.
    pub(super) struct ReportTexts, const REPORT;
    title = "Crisis at {sector}",
    contribution = "{sum} · {owner} · to the {pile}",
    cancelled = "{sum} · {owner}, effect cancelled · to the {pile}",
    you = "You",
    vault = "vault",
    tableau = "tableau",
    hand = "hand",
    wins = "{Factions} wins with strength {strength}",
    tie = "{Factions} tie and win with strength {strength}",
    yours_to_vault = "Your card goes to your vault and scores at the end.",
    yours_to_tableau = "Your card goes to your tableau.",
    yours_to_hand = "Your card returns to your hand.",
    destroyed = "{faction}: {cities} destroyed",
    rises = "{faction} rises from {from} to {to}",
    falls = "{faction} falls from {from} to {to}",
    next_purchase = "Next: buy a card",
    must_buy = "You have {cards}, so you must buy one.",
}
