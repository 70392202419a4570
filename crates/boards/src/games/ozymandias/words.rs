//! Texts of the board of Ozymandias: questions, rows, reasons.

use super::faces;
use super::keys::token_of;
use crate::board::{ActionRow, Ask, Key, Note};
use crate::words::{and, capital};
use pentarchy_engine::describe::who;
use pentarchy_engine::{Game, Position, Seat, Token};
use pentarchy_ozymandias::cards::{FACTIONS, Faction, Kind, Myth, TILES, Thing};
use pentarchy_ozymandias::map::{Corner, Hex};
use pentarchy_ozymandias::state::{MARKET, TILE_STACK, hand, tableau};
use pentarchy_ozymandias::{Action, DecisionKind, Ozymandias, Target};

type View = Position<Ozymandias>;

/// Returns the name of the sector on a hex; `an empty place` if there is none or the observer does not know its tile.
pub(super) fn sector(view: &View, hex: Hex) -> String {
    let found = view.state().sectors().iter().find(|s| s.hex == hex);
    match found.and_then(|s| view.face(s.tile)) {
        Some(Thing::Tile(i)) => TILES[usize::from(i)].title.to_string(),
        _ => "an empty place".to_string(),
    }
}

/// Returns the name of a corner: the first sector that touches it and a direction, `Thera, north`; `a corner` if no
/// sector touches it.
pub(super) fn corner(view: &View, corner: Corner) -> String {
    const NAMES: [&str; 6] = ["north", "north-east", "south-east", "south", "south-west", "north-west"];
    let found = view.state().sectors().iter().find(|s| corner.touches(s.hex));
    let Some(found) = found else { return "a corner".to_string() };
    let side = found.hex.corners().iter().position(|&c| c == corner).map_or("", |i| NAMES[i]);
    format!("{}, {side}", sector(view, found.hex))
}

/// Formats a number of cities: `1 city`, `3 cities`.
pub(super) fn cities(n: usize) -> String {
    if n == 1 { "1 city".to_string() } else { format!("{n} cities") }
}

/// Formats a number of cards: `1 card`, `3 cards`.
pub(super) fn cards(n: usize) -> String {
    if n == 1 { "1 card".to_string() } else { format!("{n} cards") }
}

/// Formats the cities at the corners of a sector, in the order of [`FACTIONS`]: `2 red and 1 blue`, or
/// `none`.
fn cities_at(view: &View, hex: Hex) -> String {
    let state = view.state();
    let here = FACTIONS.into_iter().filter(|&f| state.cities_of(f, hex) > 0);
    let here: Vec<String> = here.map(|f| format!("{} {f}", state.cities_of(f, hex))).collect();
    if here.is_empty() { "none".to_string() } else { and(&here) }
}

/// Returns the title of a card or tile for use in a sentence; `a card` if the observer does not know it.
pub(super) fn title(view: &View, t: Token) -> String {
    view.face(t).map_or("a card".to_string(), |face| face.title().to_string())
}

/// Returns the current value of a card's faction; 0 if the observer does not know the card.
pub(super) fn value(view: &View, t: Token) -> i32 {
    faces::myth(view, t).map_or(0, |m| view.state().value(m.faction()))
}

/// Returns the title of the tile that is about to be placed, the top one of the stack; `the new sector` if there is
/// none or the observer does not know it.
fn new_tile(view: &View) -> String {
    let tile = view.state().tokens().top(TILE_STACK).and_then(|t| view.face(t));
    tile.map_or("the new sector".to_string(), |face| face.title().to_string())
}

/// Formats the names of the sectors next to a hex, in the order of its directions: `Thera and Zele`; empty if there
/// are none.
fn neighbour_names(view: &View, hex: Hex) -> String {
    let near = hex.neighbours().into_iter().filter(|&n| view.state().has_sector(n));
    let names: Vec<String> = near.map(|n| sector(view, n)).collect();
    and(&names)
}

/// Describes a free hex by the sectors next to it: `north-east of Thera`, or `between Thera and Zele`; empty if there
/// are none.
fn place_name(view: &View, hex: Hex) -> String {
    // The directions of `Hex::neighbours`, seen from the neighbour.
    const FROM: [&str; 6] = ["west", "north-west", "north-east", "east", "south-east", "south-west"];
    let near: Vec<_> =
        hex.neighbours().into_iter().zip(FROM).filter(|(n, _)| view.state().has_sector(*n)).collect();
    match near[..] {
        [] => String::new(),
        [(only, from)] => format!("{from} of {}", sector(view, only)),
        _ => format!("between {}", neighbour_names(view, hex)),
    }
}

/// Returns `Explore or expand with Thera?` if the first key of `chosen` is a card and the action of the turn is
/// chosen; otherwise `None`.
pub(super) fn next(view: &View, chosen: &[Key]) -> Option<String> {
    let card = chosen.first().and_then(|key| token_of(key))?;
    (view.state().decision_kind() == DecisionKind::Action)
        .then(|| format!("Explore or expand with {}?", title(view, card)))
}

/// Returns the question before an action of the deciding seat, with its consequence in numbers; seats are written
/// `@0`. `None` if no seat decides, for passing, finishing, withdrawing and taking back all cards, for an expansion
/// with a card that the observer does not know, and for a city outside its decision.
pub(super) fn ask(view: &View, action: Action) -> Option<Ask> {
    let state = view.state();
    let seat = view.actor()?;
    let purse = state.influence(seat);
    let plain = |question: String, consequence: String, verb: &str| {
        Some(Ask { question, consequence, verb: verb.to_string() })
    };
    match action {
        Action::Explore(t) => {
            let value = value(view, t);
            let text = format!("You gain {value} and place a new sector. The card goes to the market.");
            plain(
                format!("Sell {} and explore?", title(view, t)),
                text,
                &format!("Explore: sell for {value}"),
            )
        }
        Action::Expand(t) => {
            let faction = faces::myth(view, t)?.faction();
            let text = "The card goes to your tableau.".to_string();
            let verb = format!("Expand: build {faction}");
            plain(format!("Expand with {}?", title(view, t)), text, &verb)
        }
        Action::Crisis => plain(
            "Start a crisis?".to_string(),
            "You choose a sector, and each player may contribute a card. The strongest faction rises."
                .to_string(),
            "Start a crisis",
        ),
        Action::Place(hex) => {
            let text = match state.tokens().top(TILE_STACK).and_then(|t| view.face(t)) {
                Some(Thing::Tile(i)) => match TILES[usize::from(i)].value {
                    0 => "Value 0: no card goes to the market.".to_string(),
                    1 => "Value 1: 1 card from the deck goes to the market.".to_string(),
                    n => format!("Value {n}: {n} cards from the deck go to the market."),
                },
                _ => String::new(),
            };
            let question = format!("Place {} next to {}?", new_tile(view), neighbour_names(view, hex));
            plain(question, text, "Place it")
        }
        Action::Sector(hex) => plain(
            format!("Start the crisis at {}?", sector(view, hex)),
            format!("Cities there: {}.", cities_at(view, hex)),
            "Start here",
        ),
        Action::Build(at) => {
            let DecisionKind::Build(faction) = state.decision_kind() else { return None };
            match state.pile(at).and_then(|p| p.ruler()) {
                Some(ruler) => plain(
                    format!("Build the {faction} city on top of {ruler}?"),
                    format!("{} then rules the stack.", faction_name(faction)),
                    "Build here",
                ),
                None => plain(format!("Build the {faction} city here?"), String::new(), "Build here"),
            }
        }
        Action::Activate(t) => {
            let text = faces::myth(view, t).map_or("", |m| m.printed().text);
            plain(format!("Use {}?", title(view, t)), text.to_string(), "Use it")
        }
        Action::Contribute(t) => Some(ask_contribution(view, seat, t)),
        Action::Buy(t) => Some(ask_purchase(view, seat, &title(view, t), value(view, t))),
        Action::BuyDeck => Some(ask_purchase(view, seat, "the top card of the deck", state.deck_price())),
        Action::Choose(Target::None) => {
            plain("Skip?".to_string(), "The card then has no effect.".to_string(), "Skip")
        }
        Action::Choose(Target::Player(other)) => {
            plain(format!("Choose {}?", who(other)), chooser_text(view), "Choose")
        }
        Action::Choose(target) => {
            let text = match state.decision_kind() {
                DecisionKind::Choose(Myth::MaengalisAltar) => {
                    format!("You pay {} and keep {}.", state.deck_price(), purse - state.deck_price())
                }
                _ => chooser_text(view),
            };
            plain(format!("Choose {}?", target_name(view, target)), text, "Choose")
        }
        Action::Pickup(t) => plain(format!("Take back {}?", title(view, t)), String::new(), "Take back"),
        _ => None,
    }
}

/// Returns the question before `seat` contributes card `t`, with its strength and where it goes. If the contribution
/// may lead to bankruptcy, it asks about that, with the influence of the seat and the cheapest price, and says
/// whether passing is safe.
fn ask_contribution(view: &View, seat: Seat, t: Token) -> Ask {
    let state = view.state();
    let myth = faces::myth(view, t);
    let title = title(view, t);
    let risk = state.risk(seat, myth);
    if let Some(purchase) = risk.winning.or(risk.losing) {
        let safe = if is_safe_to_pass(view, seat) { " Passing is safe." } else { "" };
        return Ask {
            question: format!("Contribute {title} and risk bankruptcy?"),
            consequence: format!("{}{safe}", super::crisis::unpaid(purchase)),
            verb: "Contribute anyway".to_string(),
        };
    }
    Ask {
        question: format!("Contribute {title} (strength {})?", strength(view, t)),
        consequence: "Win: it goes to your vault. Lose: it goes to your tableau.".to_string(),
        verb: "Contribute".to_string(),
    }
}

/// Returns whether a seat that contributes no card to this crisis can surely pay afterwards for a card that it must
/// buy, so that passing cannot make it bankrupt.
fn is_safe_to_pass(view: &View, seat: Seat) -> bool {
    !view.state().risk(seat, None).is_serious()
}

/// Returns passing as the safe alternative to a contribution that risks bankruptcy. `None` for other actions,
/// and if passing is not safe either.
pub(super) fn safer(view: &View, action: Action) -> Option<Action> {
    let Action::Contribute(t) = action else { return None };
    let seat = view.actor()?;
    let risky = view.state().risk(seat, faces::myth(view, t)).is_serious();
    (risky && is_safe_to_pass(view, seat)).then_some(Action::Pass)
}

/// Returns the question before the seat buys `what` for `price`. It says how much remains, whether the seat must buy
/// again next turn and at what price, and warns if that could not be paid.
fn ask_purchase(view: &View, seat: Seat, what: &str, price: i32) -> Ask {
    let state = view.state();
    let left = state.influence(seat) - price;
    let consequence = match state.purchase_after_buying(seat, price) {
        Some(next) if !next.is_affordable() => format!(
            "You keep {left} and risk bankruptcy: next turn you must buy again, and the cheapest card costs {}.",
            next.cheapest
        ),
        Some(next) => {
            format!(
                "You keep {left}. Next turn you must buy again: the cheapest card costs {}.",
                next.cheapest
            )
        }
        None => format!("You keep {left}."),
    };
    Ask { question: format!("Buy {what} for {price}?"), consequence, verb: format!("Buy for {price}") }
}

/// Returns the strength that a card has in the crisis under way: rank, cities of its faction at the sector, and
/// bonuses; 0 if the observer does not know it. Must be called in a crisis: otherwise it is that at the centre of the
/// map.
pub(super) fn strength(view: &View, t: Token) -> u8 {
    let Some(myth) = faces::myth(view, t) else { return 0 };
    let hex = view.state().in_crisis().map(|(hex, _)| hex).unwrap_or_default();
    view.state().strength_at(myth, hex).total()
}

/// Returns the text of the card whose effect is being aimed; empty outside that decision.
pub(super) fn chooser_text(view: &View) -> String {
    match view.state().decision_kind() {
        DecisionKind::Choose(myth) => myth.printed().text.to_string(),
        _ => String::new(),
    }
}

/// Formats the target of a card in a few words; a seat is written `@0`, no target `nothing`.
fn target_name(view: &View, target: Target) -> String {
    match target {
        Target::Card(t) => title(view, t),
        Target::Corner(at) => corner(view, at),
        Target::Sector(hex) => sector(view, hex),
        Target::Faction(faction) => faction_name(faction).to_string(),
        Target::Player(seat) => who(seat),
        Target::None => "nothing".to_string(),
    }
}

/// Returns the capitalized name of a faction: `Red`, `White`, `Blue` or `Black`.
pub(super) fn faction_name(faction: Faction) -> &'static str {
    ["Red", "White", "Blue", "Black"][faction.index()]
}

/// Returns icon, label and value (price, strength, gain or number of cities) of an action in the list of actions.
/// Actions without a card, place or target have only an icon, so the list shows their full label. A card that the
/// observer does not know has no icon.
pub(super) fn row(view: &View, action: Action) -> ActionRow {
    let state = view.state();
    let icon_of = |t: Token| faces::myth(view, t).map(faces::icon);
    let card =
        |t: Token, value: Option<String>| ActionRow { icon: icon_of(t), label: Some(title(view, t)), value };
    let at_corner = |at: Corner| {
        let ruler = state.pile(at).and_then(|p| p.ruler());
        let icon = ruler.map_or("egyptian-temple", faces::sigil);
        let stands = ruler.map_or("free".to_string(), |f| f.to_string());
        ActionRow { icon: Some(icon), label: Some(corner(view, at)), value: Some(stands) }
    };
    match action {
        Action::Explore(t) => card(t, Some(format!("+{}", value(view, t)))),
        Action::Expand(t) => card(t, faces::myth(view, t).map(|m| format!("{} city", m.faction()))),
        Action::Contribute(t) => card(t, Some(strength(view, t).to_string())),
        Action::Activate(t) | Action::Pickup(t) => card(t, None),
        Action::Buy(t) => card(t, Some(value(view, t).to_string())),
        Action::BuyDeck => ActionRow {
            icon: Some("card-pick"),
            label: Some("Top card of the deck".to_string()),
            value: Some(state.deck_price().to_string()),
        },
        Action::Build(at) => at_corner(at),
        Action::Place(hex) => {
            ActionRow { icon: Some("telescope"), label: Some(capital(&place_name(view, hex))), value: None }
        }
        Action::Sector(hex) => {
            let all: usize = FACTIONS.into_iter().map(|f| state.cities_of(f, hex)).sum();
            ActionRow {
                icon: Some("crossed-swords"),
                label: Some(sector(view, hex)),
                value: Some(cities(all)),
            }
        }
        Action::Crisis => ActionRow { icon: Some("crossed-swords"), ..ActionRow::default() },
        Action::Choose(target) => match target {
            Target::Card(t) => card(t, None),
            Target::Corner(at) => at_corner(at),
            Target::Sector(hex) => {
                ActionRow { icon: Some("telescope"), label: Some(sector(view, hex)), value: None }
            }
            Target::Player(seat) => {
                let held = format!("{} influence", state.influence(seat));
                ActionRow { icon: Some("person"), label: Some(who(seat)), value: Some(held) }
            }
            Target::Faction(faction) => ActionRow {
                icon: Some(faces::sigil(faction)),
                label: Some(faction_name(faction).to_string()),
                value: Some(state.value(faction).to_string()),
            },
            _ => ActionRow { icon: Some("play-button"), ..ActionRow::default() },
        },
        _ => ActionRow { icon: Some("play-button"), ..ActionRow::default() },
    }
}

/// Returns the sentence that says when cards are bought, with the hand size of the options.
fn purchase_rule(view: &View) -> String {
    let enough = view.state().settings().hand_size;
    format!("Cards are bought at the end of each turn, by players with fewer than {enough} cards.")
}

/// Explains why a card or the deck cannot be used now by the deciding seat. The deck and the market: too expensive,
/// or when cards are bought. A hand card: its faction takes no part in the crisis, effects work from the tableau, or
/// no city is left. A tableau card while effects are used: when it works, that it was used or has no target, or that
/// its faction has no city there. `None` for other keys, unknown cards and decisions without such a reason. Not
/// checked: whether it can in fact be used.
pub(super) fn why_not(view: &View, key: &str) -> Option<String> {
    let state = view.state();
    let seat = view.actor()?;
    let purse = state.influence(seat);
    let dear = |price: i32| (price > purse).then(|| format!("Costs {price} influence, you have {purse}."));
    if key == "deck" {
        return match state.decision_kind() {
            DecisionKind::Buy => dear(state.deck_price()),
            _ => Some(purchase_rule(view)),
        };
    }
    let t = token_of(key)?;
    let zone = state.tokens().zone(t);
    let myth = faces::myth(view, t);
    if zone == MARKET {
        return match state.decision_kind() {
            DecisionKind::Buy => dear(value(view, t)),
            _ => Some(purchase_rule(view)),
        };
    }
    let myth = myth?;
    let faction = myth.faction();
    match state.decision_kind() {
        DecisionKind::Contribute if zone == hand(seat) => {
            let (hex, here) = state.in_crisis()?;
            (!here.has(faction))
                .then(|| format!("{} has no city at {}.", faction_name(faction), sector(view, hex)))
        }
        DecisionKind::Effects if zone == tableau(seat) => {
            let (kind, here) = state.working()?;
            if myth.kind() != kind {
                return Some(format!("Works {}.", describe_when(myth.kind())));
            }
            if here.has(faction) {
                return Some("It was used already, or it has no target now.".to_string());
            }
            Some(format!("{} has no city there.", faction_name(faction)))
        }
        DecisionKind::Effects | DecisionKind::Place | DecisionKind::Build(_) if zone == hand(seat) => {
            Some("Effects work from the tableau, not from the hand.".to_string())
        }
        DecisionKind::Action if zone == hand(seat) && state.supply(faction) == 0 => {
            Some(format!("No {faction} city is left to build, and no sector can be explored."))
        }
        _ => None,
    }
}

/// Describes when a card of this kind works, as the end of a sentence that begins with `Works`.
fn describe_when(kind: Kind) -> &'static str {
    match kind {
        Kind::Explore => "in your tableau, after an exploration next to its faction",
        Kind::Expand => "in your tableau, after an expansion with its faction in the stack",
        Kind::Reveal => "as a contribution, when it is revealed",
        Kind::Aftermath => "as a contribution, after the crisis",
    }
}

/// Returns the note about the piece that a key names: a card, sector, stack, faction or the deck. `None` for other
/// keys, cards that the observer does not know, hexes without a sector and corners without a stack.
pub(super) fn explain(view: &View, key: &str) -> Option<Note> {
    let state = view.state();
    if let Some(t) = token_of(key) {
        let myth = faces::myth(view, t)?;
        let (faction, rank) = (faction_name(myth.faction()), myth.rank());
        let (value, vault) = (state.value(myth.faction()), state.vault_worth(myth));
        let text = format!(
            "{faction}, rank {rank}. {} Works {}. Worth {value} now, {vault} in a vault.",
            myth.printed().text,
            describe_when(myth.kind())
        );
        return Some(Note { title: myth.printed().title.to_string(), text });
    }
    let (what, rest) = key.split_once(' ').unwrap_or((key, ""));
    match what {
        "hex" => {
            let hex: Hex = rest.parse().ok()?;
            let found = state.sectors().iter().find(|s| s.hex == hex)?;
            let (value, cities) = (state.sector_value(found), cities_at(view, hex));
            let text = format!("Value {value}. Cities at its corners: {cities}.");
            Some(Note { title: sector(view, hex), text })
        }
        "corner" => {
            let at: Corner = rest.parse().ok()?;
            let pile = state.pile(at)?;
            let covered: Vec<String> = pile.covered().rev().map(|f| f.to_string()).collect();
            let ruler = pile.ruler().map_or("", faction_name);
            let text = match covered.len() {
                0 => format!("1 {} city.", ruler.to_lowercase()),
                _ => format!("{ruler} rules. Covered, from the top: {}.", covered.join(", ")),
            };
            Some(Note { title: corner(view, at), text })
        }
        "faction" => {
            let faction: Faction = rest.parse().ok()?;
            let (value, left) = (state.value(faction), state.supply(faction));
            let text = format!(
                "Value {value}: its cards cost {value}, sell for {value} and score {value} or more in a vault. {} left to build.",
                capital(&cities(left.into()))
            );
            Some(Note { title: faction_name(faction).to_string(), text })
        }
        "deck" => Some(Note {
            title: "Deck".to_string(),
            text: "The top card, unseen. It costs the second highest of the four values.".to_string(),
        }),
        _ => None,
    }
}

/// Describes what the current decision is about, in a few words for the panel of the seat that decides, such as
/// `Placing a sector`; empty while nature is awaited. `_seat` is not used: the text is equal for all seats.
pub(super) fn doing(view: &View, _seat: Seat) -> String {
    match view.state().decision_kind() {
        DecisionKind::Action => "Choosing an action".to_string(),
        DecisionKind::Place => "Placing a sector".to_string(),
        DecisionKind::Build(faction) => format!("Building a {faction} city"),
        DecisionKind::Effects => "Using tableau cards".to_string(),
        DecisionKind::Prelude => "Taking back cards".to_string(),
        DecisionKind::Sector => "Choosing a sector".to_string(),
        DecisionKind::Contribute => "Contributing".to_string(),
        DecisionKind::Choose(myth) => format!("Using {}", myth.printed().title),
        DecisionKind::Buy => "Buying a card".to_string(),
        DecisionKind::Nature => String::new(),
    }
}
