//! Texts about cards, blocks and players, with numbers.

use super::cards::brief;
use super::lanes;
use crate::board::{ActionRow, Ask, Note};
use crate::ui::Ui;
use pentarchy_engine::describe::who;
use pentarchy_engine::{Describe, Game, Position, Seat, Token};
use pentarchy_vires::{Action, Aim, Card, Good, Kind, Phase, Vires, hand};

/// Describes what a seat is doing while it is awaited, in a few words: `May react`, `Mining and playing cards`,
/// `Ending the turn` or `Choosing`. Empty after the end. Not checked: whether the seat is awaited.
pub(super) fn doing(game: &Vires, seat: Seat) -> String {
    let says = match game.phase() {
        Phase::Reaction if super::middle::asked(game) == Some(seat) => "May react",
        Phase::Main => "Mining and playing cards",
        Phase::End => "Ending the turn",
        Phase::Draw | Phase::Reaction => "Choosing",
        Phase::Over => "",
    };
    says.to_string()
}

/// Returns the token that a key such as `#17` names; `None` if it names none. Not checked: whether the match has that
/// token.
fn token_of(key: &str) -> Option<Token> {
    key.strip_prefix('#')?.parse().ok().map(Token)
}

/// Returns how many HR cards in a seat's hand the observer of `view` knows.
fn count_known_hr(view: &Position<Vires>, seat: Seat) -> usize {
    view.state().tokens().iter(hand(seat)).filter(|&t| view.face(t) == Some(Card::Hr)).count()
}

/// Formats a count with the noun `one`, to which it adds `s` unless `n` is 1: `1 card`, `3 cards`.
pub(super) fn count(n: usize, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}

/// Formats a number of Coins: `1 Coin`, `0 Coins`, `3 Coins`.
fn format_coins(n: u8) -> String {
    count(n.into(), "Coin")
}

/// Returns the question before an action, with its consequence in numbers: for mining, playing, reacting, discarding
/// and offering. Seats are written `@0`. `None` for other actions, or if the observer does not know the card.
pub(super) fn ask(view: &Position<Vires>, action: Action) -> Option<Ask> {
    let game = view.state();
    let me = game.active();
    let ask = |question: String, consequence: String, verb: String| Some(Ask { question, consequence, verb });
    match action {
        Action::Mine => {
            let (cost, reward) = (game.cost(me), game.reward(me));
            let left = count_known_hr(view, me).saturating_sub(usize::from(cost));
            ask(
                format!("Mine Block {} for {cost} HR?", game.blocks(me)),
                format!("You get {} and keep {left} HR.", format_coins(reward)),
                format!("Mine for {cost} HR"),
            )
        }
        Action::Play { card, aim, .. } => {
            let face = view.face(card)?;
            let tuning = &game.rules().tuning;
            let on = match aim {
                Aim::At(seat) => format!(" on {}", who(seat)),
                Aim::Gain => format!(" to get {} HR", tuning.whale_gain),
                Aim::Attack => format!(": each opponent loses {} HR", tuning.whale_loss),
                Aim::Nothing => String::new(),
            };
            let verb = match (face.kind(), game.price(face)) {
                (Kind::Paid, price) if price > 0 => format!("Play for {}", format_coins(price)),
                _ => format!("Play {}", short(face)),
            };
            ask(format!("Play {}{on}?", short(face)), face.row().text.to_string(), verb)
        }
        Action::React { card, .. } => {
            let face = view.face(card)?;
            let does = Vires::label(view, action);
            ask(format!("{does}?"), face.row().text.to_string(), format!("Play {}", short(face)))
        }
        Action::Dismiss(card) => {
            let face = view.face(card)?;
            let pile = if face == Card::Hr { "the Pool" } else { "the Garbage" };
            ask(format!("Discard {}?", short(face)), format!("It goes to {pile}."), "Discard".into())
        }
        Action::Offer(card) => {
            let face = view.face(card)?;
            ask(format!("Offer {}?", short(face)), String::new(), format!("Offer {}", short(face)))
        }
        _ => None,
    }
}

/// Returns the prompt after the first click. On the Garbage: to choose a card to discard. On a card that needs a
/// player as its target: to choose the player, with the card's text (which STRONG and WEAK leave out). `None` without
/// exactly one click, and after any other. The prompts have no verb.
pub(super) fn narrowed(view: &Position<Vires>, ui: &Ui) -> Option<Ask> {
    let [key] = &ui.chosen[..] else { return None };
    if key == super::middle::GARBAGE_KEY {
        let question = "Choose a card to discard".to_string();
        let consequence = "After that you can only discard or end your turn.".to_string();
        return Some(Ask { question, consequence, ..Ask::default() });
    }
    let face = view.face(token_of(key)?)?;
    let seats = (0..view.seats()).map(Seat);
    if !seats.into_iter().any(|seat| ui.lit(&lanes::key(seat))) {
        return None;
    }
    let question = match face {
        Card::Strong => "STRONG: choose who wins the coin flip".to_string(),
        Card::Weak => "WEAK: choose who loses the coin flip".to_string(),
        _ => format!("{}: choose a player", short(face)),
    };
    let says_all = matches!(face, Card::Strong | Card::Weak);
    let consequence = if says_all { String::new() } else { face.row().text.to_string() };
    Some(Ask { question, consequence, ..Ask::default() })
}

/// Returns the name of a card in a sentence: `HR`, or the printed name without the full stop of AGREE. and BYZ.
pub(super) fn short(card: Card) -> &'static str {
    if card == Card::Hr { "HR" } else { card.name().trim_end_matches('.') }
}

/// Returns the text of a card that `by` has played, for the other players: names `by`, as `@0`, where the printed
/// text says "you". Flash cards keep their text, which says when they can be played.
pub(super) fn told_of(card: Card, by: Seat) -> String {
    const FORMS: [(&str, &str); 8] = [
        ("You get", "@ gets"),
        ("you get", "@ gets"),
        ("you lose", "@ loses"),
        ("you give", "@ gives"),
        ("give you", "give @"),
        ("gives you", "gives @"),
        ("Your ", "@'s "),
        ("your ", "@'s "),
    ];
    let text = card.row().text.to_string();
    if card.kind() == Kind::Flash {
        return text;
    }
    FORMS.iter().fold(text, |text, (printed, told)| text.replace(printed, told)).replace('@', &who(by))
}

/// Returns icon, label and value of an action in the list of actions. Mining: the Block and its cost in HR.
/// Playing: the card with its target or use, and for a paid card the price in Coins or `free`. Reacting:
/// the card and its effect. Discarding, offering and showing: the card. Passing, votes, choices, KYC and
/// the end of the turn have only an icon, so the list shows their full label. Empty if the observer does
/// not know the card, and for the declaration that no HR is left.
pub(super) fn row(view: &Position<Vires>, action: Action) -> ActionRow {
    let game = view.state();
    let of = |card: Token| view.face(card).map(|face| (brief(face).0, face));
    let plain = |icon, label: &str, value: Option<String>| ActionRow {
        icon: Some(icon),
        label: Some(label.to_string()),
        value,
    };
    match action {
        Action::Mine => {
            let me = game.active();
            let label = format!("Mine Block {}", game.blocks(me));
            plain("cube", &label, Some(format!("{} HR", game.cost(me))))
        }
        Action::Play { card, aim, .. } => {
            let Some((icon, face)) = of(card) else { return ActionRow::default() };
            let label = match aim {
                Aim::At(seat) => format!("{} on {}", face.name(), who(seat)),
                Aim::Gain => format!("{}: get {} HR", face.name(), game.rules().tuning.whale_gain),
                Aim::Attack => {
                    format!("{}: each opponent loses {} HR", face.name(), game.rules().tuning.whale_loss)
                }
                Aim::Nothing => face.name().to_string(),
            };
            let value = (face.kind() == Kind::Paid).then(|| match game.price(face) {
                0 => "free".to_string(),
                price => format_coins(price),
            });
            plain(icon, &label, value)
        }
        Action::React { card, party } => {
            let Some((icon, face)) = of(card) else { return ActionRow::default() };
            let label = match party {
                Some(seat) if face == Card::Strong => format!("STRONG: {} wins", who(seat)),
                Some(seat) => format!("{}: {} loses", face.name(), who(seat)),
                None => Vires::label(view, action),
            };
            plain(icon, &label, None)
        }
        Action::Dismiss(card) | Action::Offer(card) | Action::Show(card) => match of(card) {
            Some((icon, face)) => plain(icon, short(face), None),
            None => ActionRow::default(),
        },
        Action::Pass => ActionRow { icon: Some("play-button"), label: None, value: None },
        Action::End | Action::Done => ActionRow { icon: Some("hourglass"), label: None, value: None },
        Action::Choose(Good::Coin) | Action::Vote(Some(Good::Coin)) => {
            ActionRow { icon: Some("crown-coin"), label: None, value: None }
        }
        Action::Choose(Good::Hr) | Action::Vote(_) => {
            ActionRow { icon: Some("processor"), label: None, value: None }
        }
        Action::Kyc { .. } => ActionRow { icon: Some("id-card"), label: None, value: None },
        Action::Rest => ActionRow::default(),
    }
}

/// Explains why mining (`mine`) or a card of a hand cannot be used now. `None` for other keys, cards that the
/// observer does not know, and cards in no hand. Not checked: whether it can in fact be used.
pub(super) fn why_not(view: &Position<Vires>, key: &str) -> Option<String> {
    let game = view.state();
    let me = game.active();
    if key == "mine" {
        let (cost, have) = (game.cost(me), count_known_hr(view, me));
        return Some(match game.phase() {
            Phase::Main if game.turn().gained => "You gain at most 1 Block per turn.".to_string(),
            Phase::Main => format!("Costs {cost} HR, you have {have}."),
            _ if game.turn().locked => "You are locked this turn: no mining.".to_string(),
            _ => "You can mine before you end your turn.".to_string(),
        });
    }
    let card = token_of(key)?;
    let face = view.face(card)?;
    let owner =
        (0..game.seats()).map(Seat).find(|&seat| game.tokens().iter(hand(seat)).any(|t| t == card))?;
    let name = short(face);
    let says = match (face.kind(), game.phase()) {
        (Kind::HashRate, _) => {
            "HR pay for Blocks. Choose the next Block of your Chain to mine it.".to_string()
        }
        (Kind::Flash, Phase::Reaction) => format!("{name} does not help here."),
        (Kind::Flash, _) => "Flash cards are reactions. You are asked when you can play one.".to_string(),
        (_, Phase::Reaction) => "Only Flash cards are played as reactions.".to_string(),
        (_, Phase::Main) if game.is_barred(card, owner) => {
            format!("{name} was cancelled. You can play it again next turn.")
        }
        (Kind::Paid, Phase::Main) if game.price(face) > game.coins(owner) => {
            format!("Costs {}, you have {}.", format_coins(game.price(face)), game.coins(owner))
        }
        (_, Phase::Main) => explain_unplayable(game, face, owner),
        (_, Phase::End) if game.turn().locked => "You are locked this turn: no cards.".to_string(),
        _ => "You can play it in your turn, before you discard.".to_string(),
    };
    Some(says)
}

/// Describes what is missing for player `me` to play an Action card in their main phase, by the card: a
/// Block or HR of the Pool, an HR, Coin or other card in hand, FIAT, or a target. Cards without a reason of
/// their own get `No opponent has anything to lose.` Not checked: whether the card can in fact be played.
fn explain_unplayable(game: &Vires, face: Card, me: Seat) -> String {
    let says = match face {
        Card::Flip => "FLIP is played at the end of your turn, when you discard.",
        Card::Fork | Card::Nonce if game.turn().gained => "You gain at most 1 Block per turn.",
        Card::Fork | Card::Attack51 => "No opponent has a Block besides Genesis.",
        Card::Nonce => {
            return format!("The Pool has {} HR, the Block costs {}.", game.pool(), game.cost(me));
        }
        Card::Bot | Card::Ico | Card::Cex => "You need an HR in your hand.",
        Card::Stable if game.pool() > 0 => "FIAT is neither in the Garbage nor in your hand.",
        Card::Bull | Card::Sat | Card::Stable | Card::Whale => "The Pool is empty.",
        Card::Dca | Card::Miner => "You have no Coin.",
        Card::Dex => "You need another card to offer.",
        Card::DiffDown => "Your next Block already costs nothing.",
        Card::TimeLock => "Every opponent is locked already.",
        Card::Rekt | Card::Oracle => "No opponent has a card.",
        Card::Margin => "No opponent has a Coin to lose.",
        _ => "No opponent has anything to lose.",
    };
    says.to_string()
}

/// Returns the note about the piece that a key names: mining with its cost in parts, a player with their points and
/// markers, the Garbage, or the text of a card. `None` for other keys and cards that the observer does not know.
pub(super) fn explain(view: &Position<Vires>, key: &str) -> Option<Note> {
    let game = view.state();
    if key == "mine" {
        let me = game.active();
        let blocks = game.blocks(me);
        let change = i16::from(game.cost(me)) - i16::from(blocks);
        let cost = game.cost(me);
        let parts = match change {
            0 => format!("{cost} HR, as many as your Chain has Blocks"),
            n if n < 0 => format!("{blocks} HR − {} = {cost} HR", -n),
            n => format!("{blocks} HR + {n} = {cost} HR"),
        };
        let text = format!("Costs {parts}. Pays {}.", format_coins(game.reward(me)));
        return Some(Note { title: format!("Mine Block {blocks}"), text });
    }
    if let Some(seat) = key.strip_prefix("seat ").and_then(|n| n.parse().ok()).map(Seat) {
        if seat.0 >= game.seats() {
            return None;
        }
        let marks = lanes::markers(view, seat).join(". ");
        let (blocks, money) = (count(game.blocks(seat).into(), "Block"), format_coins(game.coins(seat)));
        let points = count(game.score(seat).into(), "point");
        let mut text = format!("{blocks} + {money} = {points}.");
        if !marks.is_empty() {
            text += &format!(" {marks}.");
        }
        return Some(Note { title: who(seat), text });
    }
    if key == super::middle::GARBAGE_KEY {
        let text = "Used and discarded cards. They return when the Deck is empty.".to_string();
        return Some(Note { title: "Garbage".to_string(), text });
    }
    let face = view.face(token_of(key)?)?;
    Some(Note { title: short(face).to_string(), text: Vires::card_text(face)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_of_another_player_names_that_player() {
        let ponzi = told_of(Card::Ponzi, Seat(2));
        assert!(ponzi.contains("gives @2 a Coin or an HR"), "{ponzi}");
        let bot = told_of(Card::Bot, Seat(1));
        assert!(bot.contains("they give @1 1 HR") && bot.contains("@1 gives them 1 HR"), "{bot}");
        for card in Card::specials().filter(|card| card.kind() != Kind::Flash) {
            let text = told_of(card, Seat(1));
            let addresses = text.split(|c: char| !c.is_alphabetic()).any(|word| {
                let word = word.to_lowercase();
                word == "you" || word == "your"
            });
            assert!(!addresses, "{}: {text}", short(card));
        }
    }
}
