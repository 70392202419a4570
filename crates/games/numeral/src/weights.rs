//! The weights of the heuristic. `pentarchy tune bot:numeral` fits them.

use pentarchy_engine::weights;

weights! {
    /// Weights of the ratings, in hundredths of gold unless said otherwise.
    pub struct Weights {
        /// Worth of a yield of 1 for a round.
        round = 100,
        /// Number of rounds for which a captured hex is expected to pay.
        horizon = 4,
        /// Additional worth of an enemy hex.
        enemy_hex = 300,
        /// Additional worth of an enemy Home.
        enemy_home = 1000,
        /// Additional worth of the last hex of its owner.
        last_hex = 3000,
        /// Worth of a hex that can be retaken immediately, in thirtieths.
        retaken = 20,
        /// Cost of a soldier's death against one rival.
        life_one = 30,
        /// Cost of a soldier's death against several rivals.
        life_many = 45,
        /// Number of soldiers and gold above which a death costs less, in inverse proportion.
        plenty = 30,
        /// Rating of placing soldiers beside neutral land that no soldier can take.
        claim = 2000,
        /// Additional rating for each such neutral hex.
        claim_each = 10,
        /// Rating of placing the soldiers that an attack lacks, in addition to its value.
        assault = 500,
        /// What each soldier that an attack lacks takes from its value.
        need = 5,
        /// Rating of placing soldiers next to enemy land, besides the soldiers already there.
        front = 10,
        /// Number of soldiers that the land feeds, in tenths of the gross income.
        fed = 15,
        /// Number of steps to enemy land from which on money goes into buildings.
        peace = 3,
        /// How often a building must pay back its cost before the end, in tenths.
        payback = 20,
        /// Rating of a building, before its yield, its safety and the budget are added.
        build = 1000,
        /// Rating of the additional yield of a building divided by its cost.
        build_yield = 300,
        /// Rating of each additional yield of a building that fits the budget.
        budget = 100,
        /// What each step between a target and the nearest enemy Home takes from its value.
        forward = 30,
        /// Weight of a step to the border in an approach.
        to_border = 2,
        /// Weight of a step to enemy land in an approach.
        to_enemy = 1,
    }
}
