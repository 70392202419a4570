//! The rules on one page, and what each card does, in our own words.

use crate::cards::Card;

pub(super) const SUMMARY: &str = "\
HEGEMONY   deck building, diplomacy, trade and war around a crumbling empire

You are a former vassal of the United Empire. Victory Points (VP) are your war
chest and your score. When the Empire's VP drop to 0 the game ends, and who has
the most VP wins. Lose your last VP in battle and you are out. If all players
are out, the Empire has won.

You have 5 slots. A slot holds one card, unless its base card has room for more.
Military cards always lie face down, Trade cards face up; some Diplomacy cards
may lie face down. Everybody sees of which category a face-down card is.

A ROUND   3 + players cards are dealt to the common pool. Each player takes a
turn (the first player changes every round), then the Empire does.

YOUR TURN
  Upkeep   Laborers and Cargo Ships pay. Scalpers mark a card. Each Cargo Ship
           may buy a card. You may use Diplomacy cards in your slots.
  1 Draw   5 cards.
  2 Place  Replace at least 2 slots with cards of your hand; the old cards go to
           your discard. You may also station cards where there is room. What is
           left of your hand is discarded.
  3 Buy    Up to 2 cards from the common pool, into your discard.
  4 Act    One of: WAR on a player or the Empire; TRADE: buy up to 2 cards from
           the Empire's slots (face-down ones: ask, look, take or leave);
           FRESH: replace all your cards from your deck.
  5 Refill Those involved may fill empty slots from their decks.

BATTLE   All active Military cards of both sides are shown. Attack of the
attacker against defence of the defender; the larger wins the difference in VP
from the loser. (The Empire's victories do not enrich it.) A tie costs both 1.
Then many cards roll a D20, leave or rise: `pentarchy cards hegemony` tells.

THE EMPIRE'S TURN   It takes what was left in the common pool, gets income,
plays Sanctions, Embargo, Gridlock and Assassin on the leader, and turns to
each player: roll a D20 with your modifiers.
  up to 10   War: the Empire attacks you.
  from 11    Trade: you gain 2 VP and 1 for each Trade card, the Empire 2.
Then it replaces all its cards.

A Sabotage may be played from a slot whenever somebody else uses a Diplomacy
card, even another Sabotage.";

/// What a card does.
pub(super) const fn card(card: Card) -> &'static str {
    match card {
        Card::Conscript => {
            "Leaves after every battle. After a defeat it rolls first: 17 or more and it stays as a Partisan, a natural 20 and it stays as a Professional Soldier."
        }
        Card::Partisan => {
            "Made from beaten Conscripts only. After a victory a roll of 18 makes it a Professional Soldier. A defeat sends it to your discard."
        }
        Card::Archer => "Stays whatever happens. Only Catapults can drive it away.",
        Card::Mercenary => {
            "If you win, the loser pays 1 VP more. If you lose, you pay 2 VP, or the Mercenary deserts to the pool discard."
        }
        Card::ProfessionalSoldier => {
            "After a defeat it stays on a roll of 11 or more; otherwise it goes to your discard."
        }
        Card::Cavalry => {
            "After every battle it stays on a roll of 14 or more; otherwise it goes back into your deck."
        }
        Card::Scout => "+2 to all your combat rolls. After a defeat it goes back into your deck.",
        Card::SiegeTower => {
            "Room for one soldier behind it. After a victory you may empty a Military slot of the loser into its deck. After a defeat it goes back into your deck. -3 to your Hegemony roll."
        }
        Card::Catapult => {
            "Attacking a side with an Archer or a Siege Tower it counts double, and if you win, the loser's Archers must roll 11 to stay. It stays."
        }
        Card::Barracks => {
            "Room for three Military cards behind it. -3 to your Hegemony roll. A building; it stays."
        }
        Card::Fortification => {
            "Room for three Military cards behind it, but the attack of its slot is reduced by 5. A building; it stays."
        }
        Card::General => {
            "+1 attack and defence to each of your other Military cards, +2 to your combat rolls, -5 to your Hegemony roll. A defeat sends it to your discard."
        }
        Card::Laborer => "+1 VP at the start of your turn.",
        Card::CargoShip => {
            "+2 VP at the start of your turn, and you may buy one card from the common pool then."
        }
        Card::Middleman => {
            "+1 VP each time any player, you included, gains by trade: income, a Hegemony Trade, a sale."
        }
        Card::Grifter => "Cards of the common pool cost you 1 less.",
        Card::Scalper => {
            "At the start of your turn, mark a card of the common pool: it costs everybody 2 more until your next turn. Not the same name twice running."
        }
        Card::Manager => "Every card you buy goes on top of your deck instead of into your discard.",
        Card::InsiderTrading => "Cards of the Empire cost you 1 less.",
        Card::Lobbyist => {
            "Name a category when it enters: such cards cost you 2 less everywhere, but never less than 1 by this."
        }
        Card::Market => {
            "Cards of the common pool cost you 1 less. You may sell your slotted cards for 1 less than their cost. +2 to your Hegemony roll. A building."
        }
        Card::Factory => "Room for three Laborers behind it. A building.",
        Card::TradeRoute => "One more purchase when you trade with the Empire. +3 to your Hegemony roll.",
        Card::Apprenticeship => "Each of your Laborers brings 1 VP more.",
        Card::Diplomat => "+3 to your Hegemony roll, then it is spent.",
        Card::SecretAgent => {
            "Upkeep: look at all cards in an opponent's deck and discard, or at the cards of one of its slots. May lie face down."
        }
        Card::Sabotage => "When anybody else uses a Diplomacy card: it has no effect. May lie face down.",
        Card::PityParty => {
            "+3 to your Hegemony roll, then it is spent. If you lose a battle: +3 VP, from the Empire if that has beaten you."
        }
        Card::FalseFlag => {
            "Upkeep: empty one of your Military slots; another player's next Hegemony roll gets -5. May lie face down."
        }
        Card::UnholyUnion => "+5 to your Hegemony roll, then it is spent.",
        Card::Offer => {
            "Upkeep: look through another player's deck and discard, take a card of it and give one of yours."
        }
        Card::Sanctions => "Upkeep: a slot of another player does nothing during its next turn or battle.",
        Card::CollateralDamage => {
            "After your next battle: if you have won, you may empty a Trade or Diplomacy slot of the loser. Spent in any case. May lie face down."
        }
        Card::Embargo => "Upkeep: another player's Trade cards do nothing during its next turn.",
        Card::Gridlock => "Upkeep: another player's Diplomacy cards do nothing during its next turn.",
        Card::Assassin => {
            "Upkeep: a slotted card of an opponent goes to the common pool, for sale. Not a building: if a face-down card turns out to be one, nothing happens. May lie face down."
        }
    }
}
