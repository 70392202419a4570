//! The table as text: the history track, the map as a drawing, the market, and the players.

use crate::cards::{FACTIONS, Faction, Kind, Thing};
use crate::map::{Corner, Hex};
use crate::state::{DECK, MARKET, Ozymandias, Pile, TILE_STACK, TRACK, Task, hand, laid, tableau, vault};
use pentarchy_engine::describe::who;
use pentarchy_engine::{Position, Seat, Token, Zone};
use std::fmt::Write as _;

/// Columns of a terminal; the map becomes denser and lists of cards wrap beyond.
const WIDTH: usize = 80;

/// Draws the table as text of at most about 80 columns, with what the observer knows: track, map, market,
/// seats.
pub(crate) fn table(view: &Position<Ozymandias>) -> String {
    let game = view.state();
    let mut out = String::new();
    let round = game.turn / u16::from(game.seats) + 1;
    let _ = writeln!(out, "Round {round} of {}, turn of {}\n", game.settings.round_cap, who(game.active));
    write_track(game, &mut out);
    out.push('\n');
    write_map(game, &mut out);
    out.push('\n');
    let deck = match game.tokens.len(DECK) {
        0 => "empty".to_string(),
        cards => format!("{cards} cards at {}", game.deck_price()),
    };
    let _ = writeln!(out, "Deck: {deck} · tiles: {}", game.tokens.len(TILE_STACK));
    write_cards(view, "Market", MARKET, &mut out);
    out.push('\n');
    (0..game.seats).map(Seat).for_each(|seat| write_seat(view, seat, &mut out));
    out
}

/// Appends a heading with the values of the track's spaces to `out`, then a line for each faction: its
/// name, its marker (`#`) on the track, and the cities left in the supply.
fn write_track(game: &Ozymandias, out: &mut String) {
    let values: String = TRACK.iter().map(|v| format!("{v:>4}")).collect();
    let _ = writeln!(out, "History{values}   cities left");
    for faction in FACTIONS {
        let marker = game.markers[faction.index()] as usize;
        let spaces: String = (0..TRACK.len()).map(|i| if i == marker { "   #" } else { "   ." }).collect();
        let left = game.supply[faction.index()];
        let _ = writeln!(out, "{:>7}{spaces}   {left}", format!("{faction} {}", letter(faction)));
    }
}

/// Returns the letter of a faction on the map: `r`, `w`, `b`, and `k` for black, as among printers.
pub(crate) const fn letter(faction: Faction) -> char {
    ['r', 'w', 'b', 'k'][faction.index()]
}

/// Returns the letters of a stack from the bottom up, the ruling city as a capital: `rwB`. Empty for an empty
/// stack.
pub(crate) fn stack_letters(pile: &Pile) -> String {
    let mut text: String = pile.covered().map(letter).collect();
    text.extend(pile.ruler().map(|f| letter(f).to_ascii_uppercase()));
    text
}

/// Appends the map as a drawing to `out`: each sector with its hex and value, its corners with their stacks
/// around it. While a sector is to be placed, also the hexes where it may go.
fn write_map(game: &Ozymandias, out: &mut String) {
    // Columns in halves of a hex, lines in quarters of its height.
    /// Columns of half a hex, if the map fits.
    const HALF: i32 = 5;
    let centre = |hex: Hex| (2 * i32::from(hex.q) + i32::from(hex.r), 3 * i32::from(hex.r));
    let mut marks: Vec<(i32, i32, String)> = Vec::new();
    for sector in game.sectors.iter() {
        let (x, y) = centre(sector.hex);
        marks.push((y, x, format!("{} ({})", sector.hex, game.sector_value(sector))));
        for corner in sector.hex.corners() {
            let (x, y) = centre(Hex { q: corner.q, r: corner.r });
            let y = if corner.k == 0 { y - 2 } else { y + 2 };
            marks.push((y, x, game.pile(corner).map_or(".".to_string(), stack_letters)));
        }
    }
    if game.step() == Task::Place {
        game.frontier(&mut |hex| {
            let (x, y) = centre(hex);
            marks.push((y, x, format!("{hex} ?")));
        });
    }
    marks.sort();
    marks.dedup();
    let left = marks.iter().map(|&(_, x, _)| x).min().unwrap_or(0);
    let right = marks.iter().map(|&(_, x, _)| x).max().unwrap_or(0);
    let fits = (right - left + 1) * HALF <= WIDTH as i32;
    let half = if fits { HALF } else { 4 };
    let _ = writeln!(out, "Map: sectors with their value; stacks from the bottom up, the ruler a capital");
    let first = marks.first().map_or(0, |m| m.0);
    for y in first..=marks.last().map_or(first, |m| m.0) {
        let mut line = String::new();
        for (_, x, text) in marks.iter().filter(|m| m.0 == y) {
            let middle = ((x - left) * half + half) as usize;
            let start = middle.saturating_sub(text.len() / 2);
            let gap = start.saturating_sub(line.len()).max(usize::from(!line.is_empty()));
            line.push_str(&" ".repeat(gap));
            line.push_str(text);
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// Appends a seat to `out`: influence and the numbers of its cards, then the cards of its hand, tableau and
/// vault, each if the observer knows one of them, and its contribution if there is one.
fn write_seat(view: &Position<Ozymandias>, seat: Seat, out: &mut String) {
    let game = view.state();
    let count = |zone: Zone| game.tokens.len(zone);
    let _ = write!(out, "{}: {} influence, {} in hand", who(seat), game.influence(seat), count(hand(seat)));
    let _ = writeln!(out, ", {} in the tableau, {} in the vault", count(tableau(seat)), count(vault(seat)));
    for (name, zone) in [
        ("  hand", hand(seat)),
        ("  tableau", tableau(seat)),
        ("  vault", vault(seat)),
        ("  laid", laid(seat)),
    ] {
        let known = game.tokens.iter(zone).any(|t| view.face(t).is_some());
        if known || (zone == laid(seat) && count(zone) > 0) {
            write_cards(view, name, zone, out);
        }
    }
}

/// Appends the cards of a zone to `out` under `name`, as the observer knows them, in lines of at most 80
/// columns; `empty` without cards.
fn write_cards(view: &Position<Ozymandias>, name: &str, zone: Zone, out: &mut String) {
    let tokens = &view.state().tokens;
    if tokens.is_empty(zone) {
        let _ = writeln!(out, "{name}: empty");
        return;
    }
    let mut line = format!("{name}: ");
    let last = tokens.len(zone) - 1;
    for (i, card) in tokens.iter(zone).enumerate() {
        let text = card_name(view, card) + if i < last { ", " } else { "" };
        if line.chars().count() + text.trim_end().chars().count() > WIDTH {
            let _ = writeln!(out, "{}", line.trim_end());
            line = "    ".to_string();
        }
        line += &text;
    }
    let _ = writeln!(out, "{line}");
}

/// Formats a card with faction, rank and kind, like `Ion Pulse (black 2, crisis)`; `a card` if the observer
/// does not know it.
pub(crate) fn card_name(view: &Position<Ozymandias>, t: Token) -> String {
    match view.face(t).and_then(Thing::myth) {
        Some(m) => format!("{} ({} {}, {})", m.printed().title, m.faction(), m.rank(), kind_word(m.kind())),
        None => "a card".to_string(),
    }
}

/// Returns the word for a kind of card: `exploration`, `expansion` or `crisis`.
pub(crate) const fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Explore => "exploration",
        Kind::Expand => "expansion",
        Kind::Reveal | Kind::Aftermath => "crisis",
    }
}

/// Describes a corner from a sector: "the north-east corner of Holy City". From the new sector while its
/// effects are resolved, else from the sector there with the lowest hex; by its coordinates if it is not on
/// the map.
pub(crate) fn corner_name(game: &Ozymandias, corner: Corner) -> String {
    /// The names of the corners of a hex, clockwise from north.
    const NAMES: [&str; 6] = ["north", "north-east", "south-east", "south", "south-west", "north-west"];
    // Seen from the new sector, in an exploration; else from the first one that has this corner.
    let new = matches!(game.step(), Task::Choose { .. } | Task::Window(_)) && game.window.exploring;
    let new = game.sectors_at(corner).find(|s| new && s.hex == game.window.hex);
    let Some(sector) = new.or_else(|| game.sectors_at(corner).min_by_key(|s| s.hex)) else {
        return format!("the corner {corner}");
    };
    let side = sector.hex.corners().iter().position(|&c| c == corner).map_or("", |i| NAMES[i]);
    format!("the {side} corner of {}", sector_title(game, sector.hex))
}

/// Returns the title of the sector on a hex; the coordinates in brackets if there is none or its tile is not
/// public.
pub(crate) fn sector_title(game: &Ozymandias, hex: Hex) -> String {
    let sector = game.sectors.iter().find(|s| s.hex == hex);
    let title = sector.and_then(|s| game.tokens.public_face(s.tile)).map(|face| face.title().to_string());
    title.unwrap_or_else(|| format!("({hex})"))
}
