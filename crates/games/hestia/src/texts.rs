//! The sentences of the log.

use pentarchy_engine::text_table;

text_table! {
    /// The sentences of the log. `player` is a seat.
    pub(crate) struct LogTexts, const LOG;
    halves = "{player} discards half of the hand.",
    discards = "{player} discards {cards}.",
    adds = "{player} adds {card}.",
    spends_nothing = "{player} spends no card.",
    spends = "{player} spends {cards} on movement.",
    rallies = "{player} rallies {blocks}.",
    rallies_in = "{player} rallies {blocks} in {place}.",
    moves = "{player} moves {blocks} to {place}.",
    places_token = "{player} places a token in {place}.",
    leaves = "{player} leaves 1 block in {place}.",
    forces = "{player} spends a card for 1 more move.",
    holds = "{player} has no card to play.",
    strength = "{block}: strength {was} to {is}.",
    bids = "{player} bids {card}.",
    plays = "{player} plays {card}.",
    armies = "{attacker} attacks with {army}. {defender} defends with {defence}.",
    fights = "{player} fights.",
    stands = "{player} stands.",
    gives_way = "{player} retreats.",
    counted = "All blocks are revealed and counted.",
    reshuffles = "{player} reshuffles the discard pile.",
    rolls = "{player} rolls {die}.",
    clash = "Clash: {attack} to {defence}.",
    loses_strength = "{player} loses {strength} strength.",
    no_loss = "Nobody loses strength.",
    moves_first = "{player} moves first.",
    destroyed = "Destroyed: {blocks}.",
    retreats = "{player} retreats to {place}.",
    battle = "Battle of {place}.",
    wins = "{player} wins {cities}.",
    loses = "{player} loses {cities}.",
    last_year = "Year {year} will be the last.",
    year = "Year {year} begins.",
    draws = "{player} draws {cards}.",
}
