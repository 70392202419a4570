//! Texts for people: the summary, the table, labels, the log, and positions as readable data.

mod log;
mod prompt;
mod texts;

use crate::actions::Action;
use crate::face::{Mode, Shown};
use crate::map::{CITIES, Place};
use crate::state::{H, Hestia, L, deck, discard, hand, land, lead, ships};
use pentarchy_engine::describe::who;
use pentarchy_engine::{AppliedEvent, Describe, Position, Seat, Token, Zone};
use serde_json::{Value, json};
use std::fmt::Write as _;

impl pentarchy_engine::Encode for Hestia {}

impl Hestia {
    /// Describes who won and what decided the game; `None` before the end. Seats are written `@0`.
    pub fn end_text(&self) -> Option<String> {
        log::ending(self)
    }
}

impl Describe for Hestia {
    const SUMMARY: &'static str = include_str!("summary.txt");

    /// Draws the table as text, with what the observer of the position knows: places with pieces, then
    /// tokens, piles and known cards of each seat.
    fn table(view: &Position<Self>) -> String {
        table(view)
    }

    /// Returns the text of an action of the deciding seat on a button, like `Bid Phalanx`, with cards and
    /// blocks as the observer knows them. Does not check that the action is legal.
    fn label(view: &Position<Self>, action: Action) -> String {
        prompt::label(view, action)
    }

    /// Returns the heading under which a list of actions shows this one: `March with an army`, `Rally`,
    /// `March`, `Leave a block behind`, `Forced march`, `Take a block`, `Fight` (also the choice of a
    /// battle), `Retreat` (a card that covers one, or an unknown mode), `The enemy retreats`, `Bid`,
    /// `Discard`, `Replace`, `Spend cards`, `Choose a block`, or `Choose` for all others.
    fn kind(action: Action) -> &'static str {
        match action {
            Action::Army(_) => "March with an army",
            Action::Rally(..) => "Rally",
            Action::Move(_) => "March",
            Action::Drop(_) => "Leave a block behind",
            Action::Force(_) => "Forced march",
            Action::Pick(_) => "Take a block",
            Action::Clash(_, Some(Mode::Fight)) | Action::Fight(_) => "Fight",
            Action::Clash(..) | Action::Withdraw(_) => "Retreat",
            Action::Flee(_) => "The enemy retreats",
            Action::Bid(_) => "Bid",
            Action::Discard(_) => "Discard",
            Action::Swap(_) => "Replace",
            Action::Cards(_) | Action::Pay(_) => "Spend cards",
            Action::Battle(_) => "Fight",
            Action::Lose(_) | Action::Heal(_) => "Choose a block",
            _ => "Choose",
        }
    }

    /// Returns what is awaited: an instruction if the observer decides, else a sentence about the deciding
    /// seat or about what is resolved without a decision.
    fn awaited(view: &Position<Self>) -> String {
        prompt::awaited(view)
    }

    /// Describes an event for the log from its facts, as the observer sees it; `None` if it needs no entry.
    fn log(event: &AppliedEvent<'_, Self>) -> Option<String> {
        log::log(event)
    }

    /// Returns the text of a card (name, category, value, effect) or a block (name, strength, what happens
    /// when it is destroyed); `None` for a sealed choice.
    fn card_text(face: Shown) -> Option<String> {
        match face {
            Shown::Card(card) => {
                let p = card.printed();
                Some(format!("{} ({:?} {}): {}", p.name, p.category, p.value, p.text))
            }
            Shown::Block(unit, _) if unit.is_naval() => {
                Some(format!("{}: Ship. Carries land units; cannot be destroyed.", unit.name()))
            }
            Shown::Block(unit, strength) => {
                let fate = if unit.is_irreplaceable() {
                    "Leaves the game when destroyed."
                } else {
                    "Can be rallied again when destroyed."
                };
                Some(format!("{}: Strength {strength} of {}. {fate}", unit.name(), unit.full()))
            }
            Shown::Mode(_) => None,
        }
    }

    /// Returns the public state as data: a table with `year`, `last_year`, `first` (winner of the last bid),
    /// `mover`, `active` and `inactive` (ids of city-states), `tokens_left`, `hands`, `decks` and `discards`
    /// (numbers of cards), `orders`, `land` and `ships` (numbers of blocks by id of the place, only places
    /// with blocks), `army` (place, number of blocks, spaces) and `battle`. Values by seat are lists of two,
    /// Lenisia first.
    fn picture(&self) -> Value {
        let cities = |mask: u16| {
            let held = CITIES.iter().enumerate().filter(|(i, _)| mask >> i & 1 != 0);
            held.map(|(_, c)| c.to_string()).collect::<Vec<_>>()
        };
        let both = |of: &dyn Fn(Seat) -> Value| json!([of(L), of(H)]);
        let count = |zone: &dyn Fn(Seat) -> Zone| both(&|s| self.tokens.len(zone(s)).into());
        let places = Place::all()
            .filter(|&p| [L, H].iter().any(|&s| self.land_units(p, s) + self.ship_count(p, s) > 0));
        json!({
            "year": self.year,
            "last_year": self.last_year,
            "first": self.first,
            "mover": self.mover,
            "active": both(&|s| cities(self.active[s.index()]).into()),
            "inactive": both(&|s| cities(self.inactive[s.index()]).into()),
            "tokens_left": both(&|s| self.settings.tokens.saturating_sub(self.placed(s)).into()),
            "hands": count(&hand),
            "decks": count(&deck),
            "discards": count(&discard),
            "orders": self.orders,
            "land": Value::Object(places.clone().map(|p| (p.to_string(), both(&|s| self.land_units(p, s).into()))).collect()),
            "ships": Value::Object(places.filter(|&p| ships(p, L).is_some()).map(|p| {
                (p.to_string(), both(&|s| self.ship_count(p, s).into()))
            }).collect()),
            "army": { "place": self.army.place.to_string(), "blocks": self.army.blocks.count_ones(), "spaces": self.army.spaces },
            "battle": {
                "place": self.battle.place.to_string(),
                "cards": self.battle.cards,
                "dice": self.battle.dice,
                "scores": both(&|s| self.clash_score(s).into()),
                "due": self.battle.due,
                "destroyed": self.battle.destroyed,
            },
        })
    }

    /// Returns a copy with the differences of a scenario: `year`, `last_year`, `extra` (extra years played);
    /// `active` and `inactive` (a list of cities for each seat); `strength` (kinds of public blocks and their
    /// new strength); `phase`: `bid`, `turn`, `orders`, `battle`, `influence` or `year-end`, with `seat`
    /// (default 0, at most 1), and for orders `cards` (default 1). Without `phase` the agenda is unchanged.
    ///
    /// # Errors
    ///
    /// Fails if `differences` is no table, a name is unknown, a value is invalid, or the phase cannot be
    /// entered.
    fn arranged(&self, differences: &Value) -> Result<Self, String> {
        let mut game = self.clone();
        let all = differences.as_object().ok_or("a position is a table")?;
        let number = |name: &str| all.get(name).and_then(Value::as_u64).and_then(|n| u8::try_from(n).ok());
        for (name, value) in all {
            match name.as_str() {
                "phase" | "seat" | "cards" => {}
                "year" => game.year = number(name).ok_or("`year` is a number below 256")?,
                "last_year" => {
                    game.last_year = Some(number(name).ok_or("`last_year` is a number below 256")?);
                }
                "extra" => game.extra = number(name).ok_or("`extra` is a number below 256")?,
                "active" => game.active = cities_of(value)?,
                "inactive" => game.inactive = cities_of(value)?,
                "strength" => game.weakened(value)?,
                other => return Err(format!("there is no `{other}` in a position of Hestia")),
            }
        }
        if let Some(phase) = all.get("phase").and_then(Value::as_str) {
            let seat = Seat(number("seat").unwrap_or(0).min(1));
            game.enter(phase, seat, number("cards").unwrap_or(1)).map_err(|e| e.to_string())?;
        }
        Ok(game)
    }
}

/// Parses a list of city-states for each seat, like `[["COR"], []]`. Returns one bit mask per seat; bit i is
/// the city-state `CITIES[i]`.
///
/// # Errors
///
/// Fails if the value is not two lists of names, or a name is no city-state.
fn cities_of(value: &Value) -> Result<[u16; 2], String> {
    let lists: [Vec<String>; 2] = serde_json::from_value(value.clone()).map_err(|e| e.to_string())?;
    let mut masks = [0; 2];
    for (mask, list) in masks.iter_mut().zip(lists) {
        for name in list {
            let place: Place = name.parse().map_err(|e| format!("{e}"))?;
            *mask |= 1 << place.city().ok_or_else(|| format!("{place} is no city-state"))?;
        }
    }
    Ok(masks)
}

impl Hestia {
    /// Sets the strength of public blocks on the map, in this state, to the values of a scenario: a table
    /// from the word of a block (`h-levy`) to its strength. Of several equal blocks only the first one
    /// changes. Entries before a wrong one have been applied.
    ///
    /// # Errors
    ///
    /// Fails if the value is no table, a strength is not 1 to 4, or no such block is public on the map.
    fn weakened(&mut self, value: &Value) -> Result<(), String> {
        for (word, strength) in value.as_object().ok_or("`strength` is a table by block")? {
            let strength =
                strength.as_u64().filter(|s| (1..=4).contains(s)).ok_or("a strength is 1 to 4")? as u8;
            let named = |t: &Token| {
                self.tokens.zone(*t).0 < 112 && self.block(*t).is_ok_and(|(unit, _)| unit.word() == *word)
            };
            let t = self.tokens.all().find(named).ok_or_else(|| format!("no block `{word}` lies open"))?;
            let (unit, _) = self.block(t).map_err(|e| e.to_string())?;
            self.tokens.rewrite(t, Shown::Block(unit, strength)).map_err(|e| e.to_string())?;
        }
        Ok(())
    }
}

/// Returns the name of a block, card or sealed choice if the observer knows it, a land unit with its
/// strength, like `Rasser (4)`; else `a hidden block`, also for a card.
fn name(view: &Position<Hestia>, t: Token) -> String {
    match view.face(t) {
        Some(Shown::Card(card)) => card.printed().name.to_string(),
        Some(Shown::Block(unit, 0)) => unit.name(),
        Some(Shown::Block(unit, strength)) => format!("{} ({strength})", unit.name()),
        Some(Shown::Mode(mode)) => mode.to_string(),
        None => "a hidden block".to_string(),
    }
}

/// Draws the table as text, as the observer sees it: one line per place with pieces (Lenisia left, Hathea
/// right), then tokens, piles and known cards of each seat.
fn table(view: &Position<Hestia>) -> String {
    let game = view.state();
    let mut out = String::new();
    let last = game.last_year.map_or(String::new(), |y| format!(", the last is {y}"));
    let _ = writeln!(out, "Year {}{last}", game.year);
    let _ = writeln!(out, "\n{:<20}{:<36}Hathea", "", "Lenisia");
    for place in Place::all() {
        let side = |seat: Seat| side_text(view, place, seat);
        let (left, right) = (side(L), side(H));
        if !left.is_empty() || !right.is_empty() {
            let _ = writeln!(
                out,
                "{place:<4}{:<16}{left:<34}  {right}",
                place.spot().name.chars().take(15).collect::<String>()
            );
        }
    }
    for seat in [L, H] {
        let _ = writeln!(
            out,
            "\n{}: {} active tokens, {} face down, {} left; {} cards in hand, {} to draw",
            who(seat),
            game.active_count(seat),
            game.placed(seat) - game.active_count(seat),
            game.settings.tokens.saturating_sub(game.placed(seat)),
            game.tokens.len(hand(seat)),
            game.tokens.len(deck(seat)),
        );
        let cards: Vec<String> =
            game.tokens.iter(hand(seat)).filter(|&t| view.face(t).is_some()).map(|t| name(view, t)).collect();
        if !cards.is_empty() {
            let _ = writeln!(out, "  hand: {}", cards.join(", "));
        }
        if let Some(t) = game.tokens.top(lead(seat)) {
            let _ = writeln!(out, "  leads: {}", name(view, t));
        }
    }
    out
}

/// Describes a seat's pieces in a place: its token (`(*)` active, `( )` face down), known blocks by name, and
/// the number of hidden ones. Empty if there is nothing.
fn side_text(view: &Position<Hestia>, place: Place, seat: Seat) -> String {
    let game = view.state();
    let mut parts = Vec::new();
    if game.has_token(place, seat) {
        parts.push(if game.is_active(place, seat) { "(*)".to_string() } else { "( )".to_string() });
    }
    for (zone, what) in [(Some(land(place, seat)), "land"), (ships(place, seat), "ship")] {
        let Some(zone) = zone else { continue };
        let mut known: Vec<(String, usize)> = Vec::new();
        for t in game.tokens.iter(zone).filter(|&t| view.face(t).is_some()) {
            // The column shows the owner.
            let long = name(view, t);
            let short = long.trim_start_matches("Lenisia ").trim_start_matches("Hathea ").to_string();
            match known.iter_mut().find(|(seen, _)| *seen == short) {
                Some((_, count)) => *count += 1,
                None => known.push((short, 1)),
            }
        }
        let hidden = game.tokens.len(zone) - known.iter().map(|(_, n)| n).sum::<usize>();
        parts.extend(known.into_iter().map(|(block, n)| if n > 1 { format!("{n}x {block}") } else { block }));
        if hidden > 0 {
            parts.push(format!("{hidden} {what}"));
        }
    }
    parts.join(", ")
}
