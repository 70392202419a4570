//! The rules on one page, the texts of the cards, and the sentences of the log.

use crate::cards::Card;
use pentarchy_engine::text_table;

text_table! {
    /// The sentences of the log. `player` is a seat; `side` begins a sentence; all others stand within one.
    pub(super) struct LogTexts, const LOG;
    round_began = "Round {round} begins.",
    marked = "{player} marks {card} with a Scalper.",
    bought = "{player} buys {card} for {price} VP.",
    sold = "{player} sells {card} for {price} VP.",
    placed = "{player} places {card} in slot {slot}.",
    stationed = "{player} stations {card} in slot {slot}.",
    face_down = "{card} face down",
    unknown_face_down = "a {category} card face down",
    unknown_card = "a card",
    lobbied = "{player} chooses {category} for a Lobbyist.",
    trade_began = "{player} trades with the Empire.",
    drew_fresh = "{player} draws fresh cards.",
    asked = "{player} asks to see the Empire's slot {slot}.",
    drew = "{player} draws {cards}.",
    for_sale = "New cards for sale: {cards}.",
    of_empire = "The Empire's new cards: {cards}.",
    revealed = "Turned face up: {cards}.",
    revealed_troops = "{side} reveals {cards}.",
    use_began = "{player} uses {card}.",
    target_named = "{player} chooses {target} as the target.",
    slot_named = "{player} chooses {target}'s slot {slot}.",
    own_slot_named = "{player} chooses slot {slot}.",
    intrigued = "The Empire uses the {card} on {player}.",
    sabotaged = "{player} plays a Sabotage.",
    blocked = "A Sabotage blocks {card}.",
    took_effect = "The {card} takes effect.",
    saw_pool = "{player} looks at {target}'s deck and discard pile.",
    saw_slot = "{player} looks at {target}'s slot {slot}.",
    took = "{player} takes {card}.",
    gave = "{player} gives {card}.",
    showed = "{player} shows {card}.",
    rolled = "{player} rolls {die}.",
    rolled_sum = "{player} rolls {die}{modifiers} = {total}.",
    modifier = " {sign} {amount} {what}",
    war = "War: the Empire attacks {player}.",
    trade = "Trade: the Empire trades with {player}.",
    fought = "{attacker} attacks {defender}: {attack} against {defence}.",
    wins = "{side} wins by {margin}.",
    tie = "Nobody wins.",
    combat = "{side} rolls {die} for {card}.",
    combat_sum = "{side} rolls {die} {sign} {bonus} = {total} for {card}.",
    becomes = "It becomes a {card}.",
    stays = "It stays.",
    into_deck = "It returns to the deck.",
    discarded = "It is discarded.",
    discards = "{side} discards {cards}.",
    returns = "{side} returns {cards} to the deck.",
    deserted = "A Mercenary leaves {side}, who cannot pay it.",
    razed = "{side} empties {loser}'s slot {slot} with a Siege Tower.",
    ruined = "{side} empties {loser}'s slot {slot} with Collateral Damage.",
    gains = "{side} gains {points} VP (now {now}).",
    gains_income = "{side} gains {points} VP of income (now {now}).",
    loses = "{side} loses {points} VP (now {now}).",
    defeated = "{player} is defeated.",
    fallen = "The Empire has fallen.",
    empire = "the Empire",
    empire_subject = "The Empire",
    the_card = "the {card}",
    several = "{n} × {card}",
    nothing = "nothing",
    one_card = "1 card",
    cards = "{n} cards",
    comma = ", ",
    and = " and ",
    over = "The game is over.",
    all_defeated = "All players are defeated. The Empire wins.",
    one_left = "The Empire has fallen, and one player is left.",
    last_round = "The last round is over.",
    none_left = "The Empire has fallen, and no player is left.",
    nobody_won = "Nobody wins.",
    one_won = "{player} wins with {points} VP.",
    tied = "{players} have {points} VP each.",
    won_by_cards = "{player} wins with more valuable cards: they cost {own} VP against {other} VP.",
    shared_by_cards = "{players} share the victory with more valuable cards: they cost {own} VP against {other} VP.",
    several_won = "{players} share the victory.",
}

/// The rules on one page, for players who want to begin: plain text of at most 80 columns.
pub(super) const SUMMARY: &str = "\
HEGEMONY   deck building, diplomacy, trade and war around a crumbling empire

Victory Points (VP) are your money and your score. When the Empire has no VP
left, the game ends and the player with the most VP wins. A player who loses
the last VP in battle is out. If all players are out, the Empire wins.

You have 5 slots. A slot holds one card; some base cards have room for more.
Military cards lie face down, Trade cards face up. Some Diplomacy cards may lie
face down. Everybody sees the category of a face-down card.

A ROUND   3 + players cards are dealt to the common pool. Each player takes a
turn (the first player changes every round), then the Empire does.

YOUR TURN
  Upkeep   Laborers and Cargo Ships pay. Scalpers mark a card. Each Cargo Ship
           may buy a card. You may use Diplomacy cards in your slots.
  Replace  Draw 5 cards. Replace at least 2 slots with cards of your hand; the
           old cards go to your discard pile, and so does the rest of the hand.
           You may also station cards where there is room.
  Purchase Buy up to 2 cards from the common pool. They go to your discard pile.
  Action   One of: WAR on a player or the Empire; TRADE: buy up to 2 cards from
           the Empire (face-down ones: ask, look, buy or pass);
           FRESH CARDS: replace all your slots from your deck.
  Refill   Fill empty slots from your deck.

BATTLE   All active Military cards of both sides are revealed. Attack of the
attacker against defence of the defender; the winner takes the difference in VP
from the loser. (The Empire gains nothing by winning.) A tie costs both 1 VP.
Then many cards roll a d20 to stay: see `pentarchy cards hegemony`.

THE EMPIRE'S TURN   It takes the unsold cards of the common pool, gets income,
uses Sanctions, Embargo, Gridlock and Assassin on the leader, and then deals
with each player: roll a d20 plus your bonuses.
  10 or less   War: the Empire attacks you.
  11 or more   Trade: you gain 2 VP and 1 per Trade card; the Empire gains 2.
Then it replaces all its cards.

When another player uses a Diplomacy card, you may cancel it with a Sabotage in
your slots. A Sabotage can be sabotaged, too.";

/// Returns the effect of a card as sentences for players, with the printed numbers; options and tuning do not
/// change it.
pub(super) const fn card(card: Card) -> &'static str {
    match card {
        Card::Conscript => {
            "After a defeat, roll a d20: on 17 or more it becomes a Partisan and stays, on a natural 20 a Professional Soldier. Otherwise it is discarded after the battle."
        }
        Card::Partisan => {
            "Cannot be bought: Conscripts become Partisans. After a victory, roll a d20: on 18 or more it becomes a Professional Soldier. After a defeat it is discarded."
        }
        Card::Archer => {
            "Stays after a battle. If you lose against an attack with a Catapult, it stays only on a roll of 11 or more."
        }
        Card::Mercenary => {
            "If you win, the loser loses 1 VP more. If you lose, you pay 2 VP; if you cannot, the Mercenary leaves."
        }
        Card::ProfessionalSoldier => {
            "After a defeat it stays on a roll of 11 or more. Otherwise it is discarded."
        }
        Card::Cavalry => {
            "After every battle it stays on a roll of 14 or more. Otherwise it returns to your deck."
        }
        Card::Scout => "+2 to your combat rolls. After a defeat it returns to your deck.",
        Card::SiegeTower => {
            "Room for 1 soldier. After a victory you may empty a Military slot of the loser. After a defeat it returns to your deck. -3 to your Hegemony roll."
        }
        Card::Catapult => {
            "When you attack a side with an Archer or a Siege Tower, its attack is doubled. If you win that attack, the loser's Archers stay only on a roll of 11 or more."
        }
        Card::Barracks => "Room for 3 Military cards. -3 to your Hegemony roll. A building: it stays.",
        Card::Fortification => {
            "Room for 3 Military cards, but the attack of its slot is 5 less. A building: it stays."
        }
        Card::General => {
            "+1 attack and defence for each of your other Military cards. +2 to your combat rolls. -5 to your Hegemony roll. After a defeat it is discarded."
        }
        Card::Laborer => "+1 VP at the start of your turn.",
        Card::CargoShip => "+2 VP at the start of your turn. Then you may buy 1 card from the common pool.",
        Card::Middleman => {
            "+1 VP each time any player, you included, gains VP by income, a trade roll or a sale."
        }
        Card::Grifter => "Cards that you buy from the common pool cost 1 less.",
        Card::Scalper => {
            "At the start of your turn, mark a card in the common pool: it costs everyone 2 more until your next turn. Not the same name twice in a row."
        }
        Card::Manager => "Cards that you buy go on top of your deck, not to your discard pile.",
        Card::InsiderTrading => "Cards that you buy from the Empire cost 1 less.",
        Card::Lobbyist => {
            "Choose a category when you place it. Cards of that category cost you 2 less, but at least 1."
        }
        Card::Market => {
            "Cards that you buy from the common pool cost 1 less. You may sell cards in your slots for 1 less than their cost. +2 to your Hegemony roll. A building."
        }
        Card::Factory => "Room for 3 Laborers. A building.",
        Card::TradeRoute => {
            "When you trade with the Empire, you may buy 1 card more. +3 to your Hegemony roll."
        }
        Card::Apprenticeship => "Each of your Laborers pays 1 VP more.",
        Card::Diplomat => "+3 to your next Hegemony roll, then it is discarded.",
        Card::SecretAgent => {
            "Upkeep: look at an opponent's deck and discard pile, or at one of their slots with a face-down card. May lie face down."
        }
        Card::Sabotage => {
            "When somebody else uses a Diplomacy card, you may play this: their card has no effect. May lie face down."
        }
        Card::PityParty => {
            "+3 to your next Hegemony roll, then it is discarded. Or, if you lose a battle: +3 VP, taken from the Empire if it won."
        }
        Card::FalseFlag => {
            "Upkeep: empty one of your Military slots. -5 to another player's next Hegemony roll. May lie face down."
        }
        Card::UnholyUnion => "+5 to your next Hegemony roll, then it is discarded.",
        Card::Offer => {
            "Upkeep: look at another player's deck and discard pile, take 1 card and give 1 of yours."
        }
        Card::Sanctions => {
            "Upkeep: switch off a slot of another player for their next turn or battle, whichever comes first."
        }
        Card::CollateralDamage => {
            "After your next battle: if you won, you may empty a Trade or Diplomacy slot of the loser. Discarded in any case. May lie face down."
        }
        Card::Embargo => "Upkeep: switch off another player's Trade cards for their next turn.",
        Card::Gridlock => "Upkeep: switch off another player's Diplomacy cards for their next turn.",
        Card::Assassin => {
            "Upkeep: move an opponent's slotted card to the common pool. No effect on buildings. May lie face down."
        }
    }
}
