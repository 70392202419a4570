//! The weights of the heuristic. `pentarchy tune bot:hegemony` fits them.

use pentarchy_engine::weights;

weights! {
    /// Weights of the ratings. Card names are worths in a slot, in tenths of a Victory Point per round.
    pub struct Weights {
        /// Worth of the card Conscript.
        conscript = 9,
        /// Worth of the card Partisan.
        partisan = 20,
        /// Worth of the card Archer.
        archer = 36,
        /// Worth of the card Mercenary.
        mercenary = 30,
        /// Worth of the card Professional Soldier.
        professional_soldier = 58,
        /// Worth of the card Cavalry.
        cavalry = 32,
        /// Worth of the card Scout.
        scout = 14,
        /// Worth of the card Siege Tower.
        siege_tower = 42,
        /// Worth of the card Catapult.
        catapult = 40,
        /// Worth of the card Barracks.
        barracks = 34,
        /// Worth of the card Fortification.
        fortification = 66,
        /// Worth of the card General.
        general = 120,
        /// Worth of a Laborer without Apprenticeships.
        laborer = 15,
        /// Worth of the card Cargo Ship.
        cargo_ship = 30,
        /// Worth of a Middleman per living player.
        middleman = 8,
        /// Worth of the card Grifter.
        grifter = 16,
        /// Worth of the card Scalper.
        scalper = 6,
        /// Worth of the card Manager.
        manager = 10,
        /// Worth of the card Insider Trading.
        insider_trading = 9,
        /// Worth of the card Lobbyist.
        lobbyist = 17,
        /// Worth of the card Market.
        market = 24,
        /// Worth of the card Factory.
        factory = 16,
        /// Worth of the card Trade Route.
        trade_route = 20,
        /// Worth of an Apprenticeship without Laborers.
        apprenticeship = 6,
        /// Worth of the card Diplomat.
        diplomat = 15,
        /// Worth of the card Secret Agent.
        secret_agent = 3,
        /// Worth of the card Sabotage.
        sabotage = 9,
        /// Worth of the card Pity Party.
        pity_party = 19,
        /// Worth of the card False Flag.
        false_flag = 4,
        /// Worth of the card Unholy Union.
        unholy_union = 23,
        /// Worth of the card Offer.
        offer = 14,
        /// Worth of the card Sanctions.
        sanctions = 13,
        /// Worth of the card Collateral Damage.
        collateral_damage = 11,
        /// Worth of the card Embargo.
        embargo = 11,
        /// Worth of the card Gridlock.
        gridlock = 6,
        /// Worth of the card Assassin.
        assassin = 26,
        /// Worth of each pair of a Laborer and an Apprenticeship, beyond their own.
        apprentice_bonus = 10,
        /// Worth of a card that the seat does not know.
        unknown_worth = 30,
        /// Mean defence of a face-down Military card of another player, in tenths.
        unknown_defence = 22,
        /// Mean defence of a face-down Military card of the Empire, in tenths.
        imperial_defence = 17,
        /// Maximum number of rounds for which a purchase is expected to pay.
        horizon = 5,
        /// What a slot yields per round without the bought card, in tenths of a point.
        upkeep = 14,
        /// Rating that a purchase loses per point of the price.
        price = 10,
        /// Rating that a purchase loses per point missing from the reserve after it.
        exposure = 15,
        /// Points to keep against a lost battle, besides `onslaught`.
        reserve = 12,
        /// Attack of the Empire in a bad round, in points; the seat's defence reduces it, not below 0.
        onslaught = 16,
        /// Rating of a target per Victory Point of the rival.
        rival_point = 10,
        /// Weight of a rival's loss in a war, in tenths of the margin, shared among the rivals.
        hurt = 10,
        /// Additional weight of a loss of the strongest rival, in tenths.
        threat = 5,
        /// Margin that a war on a player must exceed, in tenths of a point.
        war_cost = 8,
        /// Margin that a war on the Empire must exceed, in tenths of a point.
        siege_cost = 8,
        /// Rating of the Trade action, in sixtieths of the summed ratings of the two best purchases.
        trade = 10,
        /// Expected worth of a newly drawn card in a slot, in tenths of a point per round.
        fresh_card = 18,
        /// What drawing new cards must gain, in tenths of a point per round.
        fresh_cost = 10,
        /// Rating of using an Assassin.
        use_assassin = 80,
        /// Rating of using an Offer.
        use_offer = 30,
        /// Rating of using Sanctions or an Embargo.
        use_sanctions = 20,
        /// Rating of using a Gridlock or a Secret Agent.
        use_gridlock = 5,
        /// Rating of using a False Flag before the worth of the slot that it empties is taken off.
        use_false_flag = 10,
        /// Rating of a Sabotage against a card that is aimed at the seat or blocks its card.
        use_sabotage = 10,
        /// Rating of naming Military for a Lobbyist; Diplomacy rates 0.
        lobby_military = 3,
        /// Rating of naming Trade for a Lobbyist; Diplomacy rates 0.
        lobby_trade = 1,
        /// Rating of looking at the target's deck and discard pile; looking at a slot rates 0.
        look_pool = 1,
        /// Rating of stationing a card, in addition to its worth.
        station = 5,
        /// Rating of selling a card and of asking to see a card of the Empire; passing rates 0.
        sell = -20,
    }
}
