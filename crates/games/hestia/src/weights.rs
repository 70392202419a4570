//! The weights of the heuristic. `pentarchy tune bot:hestia` fits them.

use pentarchy_engine::weights;

weights! {
    /// Weights of the ratings; only ratings of one decision are comparable.
    pub struct Weights {
        /// Worth of a card per printed value.
        card_value = 2,
        /// Worth of a card per card that may join it.
        card_additions = 1,
        /// Rating of a forced march before the value of the card is taken off.
        force = 20,
        /// Number of cards in hand above which a forced march is worth one.
        force_hand = 3,
        /// Rating of adding a card in a battle, in addition to its value.
        add = 5,
        /// Rating of adding a card to a bid that would lose, in addition to its value.
        outbid = 5,
        /// Whether Lenisia bids for the first turn: if positive.
        eager_lenisia = 1,
        /// Whether Hathea bids for the first turn: if positive.
        eager_hathea = 0,
        /// Rating of a rally of land units on the map.
        rally = 50,
        /// Rating of a rally of ships.
        rally_ships = 12,
        /// Rating of a rally in the box BAT.
        rally_bat = 48,
        /// Rating of a rally in the box LNA.
        rally_lna = 46,
        /// Rating of a rally in the box LRE.
        rally_lre = 42,
        /// Number of cards in hand up to which none is spent on movement.
        idle_hand = 1,
        /// Number of cards in hand from which on two are spent on movement.
        two_cards_hand = 5,
        /// Number of land units near a goal from which on two cards are spent on movement.
        two_cards_units = 5,
        /// Number of spaces by which a city-state that has own blocks nearby counts as farther, from 0 to
        /// 100.
        claimed = 2,
        /// Loss of rating per space to the nearest goal; 100 at the goal.
        step = 10,
        /// Loss of rating for each inactive token left without an own land unit nearby.
        uncovered = 12,
        /// Rating of a move, in addition to that of its place.
        move_on = 1,
        /// Rating of leaving a block with a token before its strength is taken off.
        drop = 105,
        /// Rating of activating an army in a box.
        army_box = 80,
        /// Rating of activating an army if nothing is left to win.
        army_idle = 8,
        /// Rating of activating an army that guards a token at a goal.
        army_guard = 5,
        /// Best strength of the first block of an army.
        pick_strength = 3,
        /// Strength from which on an army takes no more blocks.
        army_strength = 3,
        /// Rating of an attack that is strong enough; others rate -500.
        attack = 130,
        /// Strength per enemy block that an attack must exceed, in tenths.
        attack_odds = 24,
        /// Least number of cards in hand for an attack.
        attack_cards = 2,
        /// Factor of the own strength, in tenths, which must reach the enemy's to fight on.
        stand_odds = 20,
        /// Rating of fighting a battle that goes badly, in addition to the value of the card; a retreat rates
        /// 60 less that value.
        fight_on = 40,
        /// What a commander is worth beyond its strength, against 5 per strength.
        commander = 50,
        /// What an elite block is worth beyond its strength, against 5 per strength.
        elite = 20,
    }
}
