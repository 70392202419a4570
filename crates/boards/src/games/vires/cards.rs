//! The cards of Vires: terminal stock, the code large, the kind in the footer.

use super::words::short;
use crate::board::Hand;
use crate::card::CardSize;
use crate::icons::ic;
use crate::markup::{El, b, div, span};
use crate::ui::Ui;
use pentarchy_engine::sorting::sort_by_key;
use pentarchy_engine::{Game, Position, Seat, Token};
use pentarchy_vires::{Card, Kind, Vires, hand};

/// Returns two texts of a card: the name of its icon in the icon set, and its effect in a few words.
pub(super) const fn brief(card: Card) -> (&'static str, &'static str) {
    match card {
        Card::Hr => ("processor", "Pays for Blocks"),
        Card::Attack51 => ("pie-chart", "Target loses a Block and a Coin"),
        Card::Agree => ("shaking-hands", "Keep a Block and its Coin"),
        Card::Ath => ("mountaintop", "Flip: everybody gets 1 HR"),
        Card::Atl => ("fall-down", "Flip: everybody loses 1 HR"),
        Card::Bear => ("bear-head", "Target loses 1 HR"),
        Card::Bot => ("vintage-robot", "Target flips: win or lose 1 HR"),
        Card::Btfd => ("shopping-cart", "Get 1 HR; others flip for 1 HR"),
        Card::Bull => ("bull", "Get 2 HR"),
        Card::Byz => ("byzantin-temple", "Vote: all get Coins or HR"),
        Card::Cex => ("bank", "Turn 1 HR into a Coin"),
        Card::Dca => ("calendar", "Pay 1 Coin, get 2 HR"),
        Card::Dex => ("card-exchange", "Trade a card for 2 HR"),
        Card::DiffDown => ("weight-lifting-down", "Your Block costs 1 HR less"),
        Card::DiffUp => ("weight-lifting-up", "Target's Block costs 1 HR more"),
        Card::Double => ("doubled", "Your next paid card is free"),
        Card::Fees => ("receive-money", "Your Block pays 1 more Coin"),
        Card::Fiat => ("banknote", "Nothing, but STABLE needs it"),
        Card::Flip => ("swap-bag", "Swap hands at turn's end"),
        Card::Fork => ("branch-arrow", "Steal target's latest Block"),
        Card::Half => ("scissors", "Target's Block pays 1 Coin less"),
        Card::Hodl => ("hand-grip", "Keep your HR or a Coin"),
        Card::Ico => ("rocket", "Target flips: win 2 HR or lose 1"),
        Card::Kyc => ("id-card", "Show your hand or skip turn"),
        Card::Margin => ("ringing-bell", "Target loses 1 Coin"),
        Card::Miner => ("war-pick", "Buy all HR of a hand for 1 Coin"),
        Card::NoCoin => ("wallet", "Fewest Coins: get 1 Coin"),
        Card::Nonce => ("perspective-dice-six-faces-random", "Mine with HR from the Pool"),
        Card::Offline => ("unplugged", "Keep all your HR"),
        Card::Oracle => ("crystal-ball", "Look at a hand"),
        Card::Pump => ("megaphone", "Flip: you win or lose 1 HR"),
        Card::Pos => ("stake-hammer", "Show an HR, get 1 more"),
        Card::Ponzi => ("great-pyramid", "Each opponent gives a Coin or HR"),
        Card::Rekt => ("skull-crack", "Target loses all HR"),
        Card::Sat => ("token", "Get 1 Coin"),
        Card::Scam => ("robber-mask", "Steal 2 HR"),
        Card::Stable => ("scales", "With FIAT: get 2 HR"),
        Card::Strong => ("biceps", "A player wins a coin flip"),
        Card::Sybil => ("double-face-mask", "All lose a Block and a Coin"),
        Card::TimeLock => ("sands-of-time", "Target is locked after a Block"),
        Card::Test => ("erlenmeyer", "Cancel a card"),
        Card::Weak => ("achilles-heel", "A player loses a coin flip"),
        Card::Whale => ("sperm-whale", "Get 2 HR, or others lose 1 HR"),
        Card::VoteCoin => ("crown-coin", "A Coin for everybody"),
        Card::VoteHr => ("processor", "An HR for everybody"),
    }
}

/// How cards of one kind look.
struct KindLook {
    /// The CSS class of its colours.
    class: &'static str,
    /// The name of its icon in the icon set.
    icon: &'static str,
    /// Its name for players.
    name: &'static str,
}

/// Returns the look of a kind of card. The classes are `t-HR`, `t-A` (also for ballots), `t-P`, `t-F` and `t-E`.
const fn kind_look(kind: Kind) -> KindLook {
    let (class, icon, name) = match kind {
        Kind::HashRate => ("t-HR", "processor", "HashRate"),
        Kind::Action => ("t-A", "play-button", "Action"),
        Kind::Paid => ("t-P", "pay-money", "Action, 1 Coin"),
        Kind::Flash => ("t-F", "focused-lightning", "Flash"),
        Kind::Event => ("t-E", "falling-star", "Event"),
        Kind::Ballot => ("t-A", "play-button", "Vote"),
    };
    KindLook { class, icon, name }
}

/// Draws a card in a size, without a key: the caller makes it a piece. If `copies` is more than 1, the corner shows
/// the number instead of the kind's icon.
pub(super) fn shape(card: Card, size: CardSize, copies: usize) -> El {
    let (icon, text) = brief(card);
    let KindLook { class, icon: sign, name: kind } = kind_look(card.kind());
    let name = if card == Card::Hr { "HR" } else { card.name() };
    let corner = if copies > 1 { b(format!("×{copies}")) } else { ic(sign) };
    let sized = match size {
        CardSize::L => "L",
        CardSize::M => "M",
        CardSize::S => "S",
    };
    div(format!("card vi {sized} {class}"))
        .kid(div("vh1").kid(span("").text(name)).kid(corner))
        .kid(div("art").kid(ic(icon)))
        .kid(div("tx").set("title", text).text(text))
        .kid(div("kind").text(kind))
}

/// Draws the back of a card in size L; it is not a piece, so it cannot be clicked. Animations follow it as `token`.
fn draw_back(token: Token) -> El {
    div("card vi L down").kid(div("art").kid(ic("mesh-network"))).token(token)
}

/// Equal cards of a hand, drawn as one.
struct Pile {
    /// Their common face.
    card: Card,
    /// Whether everybody knows their faces.
    open: bool,
    /// The cards, at least one, in the order of the hand.
    tokens: Vec<Token>,
}

/// Draws the hand of `seat`, the player at this screen, with the number of HR and the cost of the next Block. Equal
/// cards lie on one pile, apart from those that all know; the piles are sorted by card, HR come last. Cards that the
/// observer does not know are drawn as backs after them and are not counted as HR.
pub(super) fn hand_of(view: &Position<Vires>, seat: Seat, ui: &Ui) -> Hand {
    let game = view.state();
    let mut piles: Vec<Pile> = Vec::new();
    let mut unknown = Vec::new();
    for token in game.tokens().iter(hand(seat)) {
        let Some(card) = view.face(token) else {
            unknown.push(token);
            continue;
        };
        let open = game.tokens().public_face(token).is_some();
        match piles.iter_mut().find(|pile| pile.card == card && pile.open == open) {
            Some(pile) => pile.tokens.push(token),
            None => piles.push(Pile { card, open, tokens: vec![token] }),
        }
    }
    sort_by_key(&mut piles, |pile| (pile.card == Card::Hr, pile.card, pile.open));
    let mut cards: Vec<El> = piles.iter().map(|pile| draw_pile(pile, ui)).collect();
    cards.extend(unknown.into_iter().map(draw_back));
    let rates =
        piles.iter().filter(|pile| pile.card == Card::Hr).map(|pile| pile.tokens.len()).sum::<usize>();
    let note = format!("{rates} HR. Next Block: {} HR.", game.cost(seat));
    Hand { label: "Your hand".into(), note: note.into(), cards, beside: None }
}

/// Draws a pile of equal cards. A click selects the first of them that can be clicked or is selected; if none can
/// while the player decides, the pile is greyed. Must have at least one card.
fn draw_pile(pile: &Pile, ui: &Ui) -> El {
    let keys = || pile.tokens.iter().map(Token::to_string);
    let key = keys().find(|key| ui.lit(key) || ui.chosen(key)).or_else(|| keys().next()).unwrap_or_default();
    let shape = shape(pile.card, CardSize::L, pile.tokens.len());
    let shape = shape.kid_if(pile.open.then(|| span("ctag").text("known to all")));
    let kind = kind_look(pile.card.kind()).name;
    let copies =
        if pile.tokens.len() > 1 { format!(", {} of them", pile.tokens.len()) } else { String::new() };
    let seen = if pile.open { ", known to all" } else { "" };
    let says = format!("{}, {kind}{copies}{seen}", short(pile.card));
    ui.usable(shape, &key, says).token(key)
}
