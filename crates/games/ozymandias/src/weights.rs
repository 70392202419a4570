//! The weights of the heuristic. `pentarchy tune bot:ozymandias` fits them.

use pentarchy_engine::weights;

weights! {
    /// Weights of the ratings, in tenths of influence unless said otherwise.
    pub struct Weights {
        /// Worth of the top card of the deck.
        deck_card = 30,
        /// Worth of an expansion card.
        expand_card = 30,
        /// Worth of an exploration card.
        explore_card = 20,
        /// Worth of a card that works in a crisis.
        crisis_card = 10,
        /// Worth of a card per city of its faction.
        card_city = 3,
        /// Worth of a card per rank.
        card_rank = 2,
        /// Expected pay of a card of a tableau each time it works.
        window_pay = 40,
        /// Rating of exploring, in addition to what it pays.
        explore = 5,
        /// Percentage of the pay of the tableau that an exploration is expected to get.
        explore_window = 50,
        /// Percentage of its worth that selling a card costs.
        explore_loss = 25,
        /// Rating of expanding with an exploration card, which lies ready for later.
        laid_explore = 15,
        /// Rating of expanding with a card that works in a crisis.
        laid_crisis = 2,
        /// Expected pay of Xin Harvest and Thani Tribes.
        pay_strong = 40,
        /// Expected pay of Tidal Pools, Shield Rhetoric, Silver Sword Uprising and Fires at Night.
        pay_weak = 20,
        /// Expected pay of expansion cards without an own estimate.
        pay_other = 28,
        /// What a corner loses for each card of another tableau that works there.
        foreign_window = 20,
        /// Rating of a corner per city of the faction at its sectors.
        build_mine = 3,
        /// Rating of a corner per city in its stack.
        build_height = 2,
        /// Rating of a corner per city at its sectors.
        build_all = 6,
        /// Rating of activating a card of the tableau.
        activation = 30,
        /// Least rating of picking up a card that is no exploration card.
        pickup = 10,
        /// Least rating of picking up an exploration card per card that the hand has fewer than 3.
        pickup_explore = 5,
        /// What the best contribution must gain before a crisis is called.
        crisis_cost = 8,
        /// Expected rise of the values until the end, in sixtieths of the rest of the track.
        growth = 10,
        /// Rating of each point by which a faction rises, times 1 plus the seat's lead in vault cards of it.
        moved = 10,
        /// Addition to the prize of a win that ends the game with the seat ahead.
        end_ahead = 500,
        /// Addition to the prize of a win that ends the game with the seat behind.
        end_behind = -200,
        /// Expected rank of a rival's card.
        rival_rank = 4,
        /// Percent chance to win a crisis at equal strength against one rival.
        chance = 60,
        /// Percentage points per point of strength above the strongest rival expected.
        chance_strength = 12,
        /// Percentage points that each rival beyond the first takes from the chance.
        chance_rival = 8,
    }
}
