//! Words about the table of Ozymandias: questions, rows, reasons.

use super::faces;
use super::keys::token_of;
use crate::board::{Ask, Note, Row};
use pentarchy_engine::describe::who;
use pentarchy_engine::{Game, Position, Seat, Token};
use pentarchy_ozymandias::cards::{FACTIONS, Faction, Kind, TILES, Thing};
use pentarchy_ozymandias::map::{Corner, Hex};
use pentarchy_ozymandias::state::{MARKET, TILE_STACK, hand, tableau};
use pentarchy_ozymandias::{Act, Moment, Ozymandias, Target};

type View = Position<Ozymandias>;

/// The name of the sector on a hex.
pub(super) fn sector(view: &View, hex: Hex) -> String {
    let found = view.state().sectors().iter().find(|s| s.hex == hex);
    match found.and_then(|s| view.face(s.tile)) {
        Some(Thing::Tile(i)) => TILES[usize::from(i)].title.to_string(),
        _ => format!("the place at {hex}"),
    }
}

/// The name of a corner: a sector and a direction.
pub(super) fn corner(view: &View, corner: Corner) -> String {
    const NAMES: [&str; 6] = ["north", "north-east", "south-east", "south", "south-west", "north-west"];
    let found = view.state().sectors().iter().find(|s| corner.touches(s.hex));
    let Some(found) = found else { return format!("corner {corner}") };
    let side = found.hex.corners().iter().position(|&c| c == corner).map_or("", |i| NAMES[i]);
    format!("{}, {side}", sector(view, found.hex))
}

/// A card in a sentence.
pub(super) fn title(view: &View, t: Token) -> String {
    view.face(t).map_or("a card".to_string(), |face| face.title().to_string())
}

fn value(view: &View, t: Token) -> i32 {
    faces::myth(view, t).map_or(0, |m| view.state().value(m.faction()))
}

/// The tile that is about to be placed.
fn new_tile(view: &View) -> String {
    let tile = view.state().tokens().top(TILE_STACK).and_then(|t| view.face(t));
    tile.map_or("the new sector".to_string(), |face| face.title().to_string())
}

/// The sectors around an empty hex.
fn beside(view: &View, hex: Hex) -> String {
    let near = hex.neighbours().into_iter().filter(|&n| view.state().has_sector(n));
    let names: Vec<String> = near.map(|n| sector(view, n)).collect();
    names.join(", ")
}

/// The question before an action.
pub(super) fn ask(view: &View, action: Act) -> Option<Ask> {
    let state = view.state();
    let seat = view.actor()?;
    let purse = state.influence(seat);
    let plain = |question: String, consequence: String, verb: &str| {
        Some(Ask { question, consequence, verb: verb.to_string() })
    };
    let buy = |what: String, price: i32| Ask {
        question: format!("Buy {what} for {price}?"),
        consequence: format!("You keep {} of {purse}.", purse - price),
        verb: format!("Buy for {price}"),
    };
    match action {
        Act::Crisis => plain(
            "Call a crisis?".to_string(),
            "You name a sector; everybody may lay a card, and the strongest faction rises.".to_string(),
            "Call it",
        ),
        Act::Place(hex) => plain(
            format!("Place {} here?", new_tile(view)),
            format!("Beside {}.", beside(view, hex)),
            "Place it",
        ),
        Act::Sector(hex) => {
            let here: Vec<String> = FACTIONS
                .into_iter()
                .filter(|&f| state.cities_of(f, hex) > 0)
                .map(|f| format!("{} {f}", state.cities_of(f, hex)))
                .collect();
            let cities = format!("Cities there: {}.", here.join(", "));
            plain(format!("A crisis at {}?", sector(view, hex)), cities, "Here")
        }
        Act::Build(at) => {
            let Moment::Build(faction) = state.moment() else { return None };
            let where_to = corner(view, at);
            match state.pile(at).and_then(|p| p.ruler()) {
                Some(ruler) => plain(
                    format!("Build the {faction} city on top of {ruler}, at {where_to}?"),
                    "It rules the stack.".to_string(),
                    "Build here",
                ),
                None => plain(
                    format!("Build the {faction} city at {where_to}?"),
                    "The corner is free.".to_string(),
                    "Build here",
                ),
            }
        }
        Act::Activate(t) => {
            let text = faces::myth(view, t).map_or("", |m| m.printed().text);
            plain(format!("Use {}?", title(view, t)), text.to_string(), "Use it")
        }
        Act::Contribute(t) => {
            let strength = strength(view, t);
            let text = format!("Strength {strength}. It is turned up with the others'.");
            plain(format!("Lay {} for the crisis?", title(view, t)), text, "Lay it")
        }
        Act::Buy(t) => Some(buy(title(view, t), value(view, t))),
        Act::BuyDeck => Some(buy("the top card of the deck".to_string(), state.deck_price())),
        Act::Choose(target) => plain(format!("{}?", target_name(view, target)), chooser_text(view), "Choose"),
        Act::Pickup(t) => plain(format!("Take {} into your hand?", title(view, t)), String::new(), "Take it"),
        _ => None,
    }
}

/// What a card of the hand would be worth in the crisis.
fn strength(view: &View, t: Token) -> usize {
    let Some(myth) = faces::myth(view, t) else { return 0 };
    let hex = view.state().in_crisis().map(|(hex, _)| hex).unwrap_or_default();
    usize::from(myth.rank()) + view.state().cities_of(myth.faction(), hex)
}

/// The text of the card that is being aimed.
fn chooser_text(view: &View) -> String {
    match view.state().moment() {
        Moment::Choose(myth) => myth.printed().text.to_string(),
        _ => String::new(),
    }
}

/// What a card is aimed at, in a few words.
fn target_name(view: &View, target: Target) -> String {
    match target {
        Target::Card(t) => title(view, t),
        Target::Corner(at) => corner(view, at),
        Target::Sector(hex) => sector(view, hex),
        Target::Faction(faction) => faction_name(faction).to_string(),
        Target::Player(seat) => who(seat),
        Target::None => "Nothing".to_string(),
    }
}

/// The name of a faction at the beginning of a sentence.
pub(super) fn faction_name(faction: Faction) -> &'static str {
    ["Red", "White", "Blue", "Black"][faction.index()]
}

/// How the list shows an action.
pub(super) fn row(view: &View, action: Act) -> Row {
    let state = view.state();
    let icon_of = |t: Token| faces::myth(view, t).map(faces::icon);
    let card = |t: Token, value: Option<String>| Row { icon: icon_of(t), label: Some(title(view, t)), value };
    let at_corner = |at: Corner| {
        let ruler = state.pile(at).and_then(|p| p.ruler());
        let icon = ruler.map_or("egyptian-temple", faces::sigil);
        let stands = ruler.map_or("free".to_string(), |f| f.to_string());
        Row { icon: Some(icon), label: Some(corner(view, at)), value: Some(stands) }
    };
    match action {
        Act::Explore(t) => card(t, Some(format!("+{}", value(view, t)))),
        Act::Expand(t) => card(t, faces::myth(view, t).map(|m| format!("{} city", m.faction()))),
        Act::Contribute(t) => card(t, Some(format!("strength {}", strength(view, t)))),
        Act::Activate(t) | Act::Pickup(t) => card(t, None),
        Act::Buy(t) => card(t, Some(value(view, t).to_string())),
        Act::BuyDeck => Row {
            icon: Some("card-pick"),
            label: Some("The top card of the deck".to_string()),
            value: Some(state.deck_price().to_string()),
        },
        Act::Build(at) => at_corner(at),
        Act::Place(hex) => Row {
            icon: Some("telescope"),
            label: Some(format!("Beside {}", beside(view, hex))),
            value: Some(hex.to_string()),
        },
        Act::Sector(hex) => {
            let cities: usize = FACTIONS.into_iter().map(|f| state.cities_of(f, hex)).sum();
            let cities = if cities == 1 { "1 city".to_string() } else { format!("{cities} cities") };
            Row { icon: Some("crossed-swords"), label: Some(sector(view, hex)), value: Some(cities) }
        }
        Act::Crisis => Row { icon: Some("crossed-swords"), ..Row::default() },
        Act::Choose(target) => match target {
            Target::Card(t) => card(t, None),
            Target::Corner(at) => at_corner(at),
            Target::Sector(hex) => {
                Row { icon: Some("telescope"), label: Some(sector(view, hex)), value: None }
            }
            Target::Faction(faction) => Row {
                icon: Some(faces::sigil(faction)),
                label: Some(faction_name(faction).to_string()),
                value: Some(state.value(faction).to_string()),
            },
            _ => Row { icon: Some("play-button"), ..Row::default() },
        },
        _ => Row { icon: Some("play-button"), ..Row::default() },
    }
}

/// Why nothing can be done with a piece now.
pub(super) fn why_not(view: &View, key: &str) -> Option<String> {
    let state = view.state();
    let seat = view.actor()?;
    let purse = state.influence(seat);
    let dear = |price: i32| (price > purse).then(|| format!("Costs {price}, you have {purse}."));
    if key == "deck" {
        return match state.moment() {
            Moment::Buy => dear(state.deck_price()),
            _ => Some("Cards are bought at the end of a turn, by who has too few.".to_string()),
        };
    }
    let t = token_of(key)?;
    let zone = state.tokens().zone(t);
    let myth = faces::myth(view, t);
    if zone == MARKET {
        return match state.moment() {
            Moment::Buy => dear(value(view, t)),
            _ => Some("Cards are bought at the end of a turn, by who has too few.".to_string()),
        };
    }
    let myth = myth?;
    let faction = myth.faction();
    match state.moment() {
        Moment::Contribute if zone == hand(seat) => {
            let (hex, here) = state.in_crisis()?;
            (!here.has(faction))
                .then(|| format!("{} has no city at {}.", faction_name(faction), sector(view, hex)))
        }
        Moment::Effects if zone == tableau(seat) => {
            let (kind, here) = state.working()?;
            if myth.kind() != kind {
                let when = if myth.kind() == Kind::Explore { "explored" } else { "built on" };
                let when =
                    if matches!(myth.kind(), Kind::Explore | Kind::Expand) { when } else { "in crisis" };
                return Some(format!("It works when something is {when}."));
            }
            if here.has(faction) {
                return Some("It has been used, or came too late for this.".to_string());
            }
            Some(format!("{} has no city there.", faction_name(faction)))
        }
        Moment::Effects | Moment::Place | Moment::Build(_) if zone == hand(seat) => {
            Some("Cards of the hand do not work; lay them first.".to_string())
        }
        Moment::Action if zone == hand(seat) && state.supply(faction) == 0 => {
            Some(format!("No {faction} city is left to build, and no sector to find."))
        }
        _ => None,
    }
}

/// What a piece is, in full.
pub(super) fn explain(view: &View, key: &str) -> Option<Note> {
    let state = view.state();
    if let Some(t) = token_of(key) {
        let myth = faces::myth(view, t)?;
        let (_, when) = faces::kind(myth.kind());
        let when = match myth.kind() {
            Kind::Reveal => "Crisis, when revealed",
            Kind::Aftermath => "Crisis, in the aftermath",
            _ => when,
        };
        let title = myth.printed().title.to_string();
        let faction = faction_name(myth.faction());
        return Some(Note {
            title,
            text: format!("{faction} {}. {when}: {}", myth.rank(), myth.printed().text),
        });
    }
    let (what, rest) = key.split_once(' ').unwrap_or((key, ""));
    match what {
        "hex" => {
            let hex: Hex = rest.parse().ok()?;
            let found = state.sectors().iter().find(|s| s.hex == hex)?;
            let cities: Vec<String> = FACTIONS
                .into_iter()
                .filter(|&f| state.cities_of(f, hex) > 0)
                .map(|f| format!("{} {f}", state.cities_of(f, hex)))
                .collect();
            let cities = if cities.is_empty() { "No city".to_string() } else { cities.join(", ") };
            let text = format!("Value {}. At its corners: {cities}.", state.sector_value(found));
            Some(Note { title: sector(view, hex), text })
        }
        "corner" => {
            let at: Corner = rest.parse().ok()?;
            let pile = state.pile(at)?;
            let cities: Vec<String> = pile.iter().map(|f| f.to_string()).collect();
            Some(Note {
                title: corner(view, at),
                text: format!("From the bottom up: {}.", cities.join(", ")),
            })
        }
        "faction" => {
            let faction: Faction = rest.parse().ok()?;
            let (value, left) = (state.value(faction), state.supply(faction));
            let text = format!("Its cards are worth {value}. {left} cities are left to build.");
            Some(Note { title: faction_name(faction).to_string(), text })
        }
        "deck" => Some(Note {
            title: "The deck".to_string(),
            text: "Its top card costs the second highest value of the track.".to_string(),
        }),
        _ => None,
    }
}

/// What a seat is doing while it is awaited.
pub(super) fn doing(view: &View, _seat: Seat) -> String {
    match view.state().moment() {
        Moment::Action => "Choosing an action".to_string(),
        Moment::Place => "Placing a sector".to_string(),
        Moment::Build(faction) => format!("Building a {faction} city"),
        Moment::Effects => "Using cards".to_string(),
        Moment::Prelude => "Picking up cards".to_string(),
        Moment::Sector => "Naming a sector".to_string(),
        Moment::Contribute => "Laying a card".to_string(),
        Moment::Choose(myth) => format!("Aiming {}", myth.printed().title),
        Moment::Buy => "Buying a card".to_string(),
        Moment::Nature => String::new(),
    }
}

/// A sentence in which sectors have their names instead of coordinates.
pub(super) fn places_by_name(view: &View, sentence: &str) -> String {
    let word = |word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_ascii_digit() && c != '-');
        if let Ok(hex) = bare.parse::<Hex>().map_err(|_| ())
            && view.state().has_sector(hex)
        {
            return Some(word.replace(bare, &sector(view, hex)));
        }
        // A corner in brackets only repeats what was said.
        let corner = word.starts_with('(') && bare.parse::<Corner>().is_ok();
        if corner {
            Some(word.trim_start_matches('(').replace(bare, "").replace(')', ""))
        } else {
            Some(word.to_string())
        }
    };
    let words: Vec<String> = sentence.split(' ').filter_map(word).collect();
    words.join(" ").replace(" ,", ",").replace(" .", ".").trim_end().to_string()
}
