//! Words for people: the summary, the table, labels, the log, and positions as readable data.

use crate::actions::Act;
use crate::face::{Mode, Shown};
use crate::map::{CITIES, Place};
use crate::state::{GONE, H, Hestia, L, POOL, Step, deck, discard, enemy, hand, land, lead, ships};
use pentarchy_engine::describe::{awaited_plainly, who};
use pentarchy_engine::{Describe, Event, LineOf, Node, Position, Seat, Token, Zone};
use serde_json::{Value, json};
use std::fmt::Write as _;

impl Describe for Hestia {
    const SUMMARY: &'static str = include_str!("summary.txt");

    fn table(view: &Position<Self>) -> String {
        table(view)
    }

    fn label(view: &Position<Self>, action: Act) -> String {
        label(view, action)
    }

    fn kind(action: Act) -> &'static str {
        match action {
            Act::Army(_) => "March with an army",
            Act::Rally(..) => "Rally",
            Act::Move(_) => "March",
            Act::Drop(_) => "Leave a block behind",
            Act::Force(_) => "Forced march",
            Act::Pick(_) => "Pick blocks",
            Act::Clash(_, Some(Mode::Fight)) | Act::Fight(_) => "Fight",
            Act::Clash(..) => "Retreat",
            _ => "Choose",
        }
    }

    fn awaited(view: &Position<Self>) -> String {
        let game = view.state();
        let Node::Decide(seat) = view.node() else { return awaited_plainly::<Self>(view.node()) };
        let (me, place) = (who(seat), game.battle.place.spot().name);
        match game.step() {
            Step::Half(_, left) => format!("{me} puts {left} more cards away."),
            Step::Bid(_) => format!("{me} bids a card for the first turn."),
            Step::Add(_) => format!("{me} may add cards to the lead."),
            Step::Cards(_) => format!("{me} spends cards on movement."),
            Step::Pay(..) => format!("{me} pays a card."),
            Step::Swap(..) => format!("{me} may exchange cards."),
            Step::Orders(_) => match game.orders {
                Some(left) => format!("{me} gives orders; {left} left."),
                None => format!("{me} gives orders."),
            },
            Step::Pick(_) => format!("{me} picks an army in {}.", game.army.place.spot().name),
            Step::March(_) => {
                format!(
                    "{me} marches; the army is in {} with {} spaces left.",
                    game.army.place.spot().name,
                    game.army.spaces
                )
            }
            Step::ChooseBattle(_) => format!("{me} chooses the next battle."),
            Step::Choose(_) | Step::Duty(_) => format!("{me} commits a card to the battle of {place}."),
            Step::Loss(_) => format!("{me} must lose {} strength.", game.battle.due[seat.index()]),
            Step::Heal(_) => format!("{me} restores a block."),
            Step::Flee(_) => format!("{me} drives the enemy on, {} spaces.", game.battle.left),
            Step::Withdraw(_) => format!("{me} withdraws from {place}."),
            _ => awaited_plainly::<Self>(view.node()),
        }
    }

    fn log(before: &Position<Self>, line: &LineOf<Self>, after: &Position<Self>) -> Option<String> {
        log(before, line, after)
    }

    fn card_text(face: Shown) -> Option<String> {
        match face {
            Shown::Card(card) => {
                let p = card.printed();
                Some(format!("{} ({:?} {}): {}", p.name, p.category, p.value, p.text))
            }
            Shown::Block(unit, _) if unit.is_naval() => Some(format!("{}: ships.", unit.name())),
            Shown::Block(unit, strength) => {
                let fate = if unit.is_irreplaceable() {
                    "gone for good when destroyed"
                } else {
                    "can be raised again"
                };
                Some(format!("{}: strength {strength} of {}, {fate}.", unit.name(), unit.full()))
            }
            Shown::Mode(_) => None,
        }
    }

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

    /// Differences: `year`, `last_year`, `extra`; `active` and `inactive` (a list of cities for each seat);
    /// `strength` (kinds of open blocks and their strength now); `phase`: `bid`, `turn`, `orders`, `battle`,
    /// `influence` or `year-end`, with `seat`, and for orders `cards`.
    fn arranged(&self, differences: &Value) -> Result<Self, String> {
        let mut game = self.clone();
        let all = differences.as_object().ok_or("a position is a table")?;
        let number = |name: &str| all.get(name).and_then(Value::as_u64).map(|n| n as u8);
        for (name, value) in all {
            match name.as_str() {
                "phase" | "seat" | "cards" => {}
                "year" => game.year = number(name).ok_or("`year` is a number")?,
                "last_year" => game.last_year = Some(number(name).ok_or("`last_year` is a number")?),
                "extra" => game.extra = number(name).ok_or("`extra` is a number")?,
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

/// A block or a card as the observer knows it.
fn name(view: &Position<Hestia>, t: Token) -> String {
    match view.face(t) {
        Some(Shown::Card(card)) => card.printed().name.to_string(),
        Some(Shown::Block(unit, 0)) => unit.name(),
        Some(Shown::Block(unit, strength)) => format!("{} {strength}", unit.name()),
        Some(Shown::Mode(mode)) => mode.to_string(),
        None => "a hidden one".to_string(),
    }
}

fn label(view: &Position<Hestia>, action: Act) -> String {
    let of = |t| name(view, t);
    let at = |p: Place| p.spot().name;
    match action {
        Act::Discard(t) => format!("Put {} away", of(t)),
        Act::Bid(t) => format!("Bid {}", of(t)),
        Act::Add(t) => format!("Add {}", of(t)),
        Act::Done => "Done".into(),
        Act::Cards(0) => "No movement: exchange cards".into(),
        Act::Cards(1) => format!("One card: {} orders", view.state().settings.orders),
        Act::Cards(_) => "Two cards: any number of armies, one rally".into(),
        Act::Pay(t) => format!("Pay {}", of(t)),
        Act::Swap(t) => format!("Exchange {}", of(t)),
        Act::Army(p) => format!("March from {}", at(p)),
        Act::Rally(p, None) => format!("Rally in {}", at(p)),
        Act::Rally(p, Some(sea)) => format!("Raise the ships of {} in {}", at(p), at(sea)),
        Act::End => "No more orders".into(),
        Act::Pick(t) => format!("Take {}", of(t)),
        Act::All => "Take all of them".into(),
        Act::Go => "March".into(),
        Act::Move(p) => format!("To {}", at(p)),
        Act::Influence => format!("Place a token in {}", at(view.state().army.place)),
        Act::Drop(t) => format!("Leave {} behind", of(t)),
        Act::Force(t) => format!("March on for {}", of(t)),
        Act::Stop => "Stay here".into(),
        Act::Battle(p) => format!("Fight in {}", at(p)),
        Act::Clash(t, Some(Mode::Retreat)) => format!("Retreat under cover of {}", of(t)),
        Act::Clash(t, _) | Act::Fight(t) => format!("Fight with {}", of(t)),
        Act::Hold(Some(Mode::Withdraw)) => "Withdraw".into(),
        Act::Hold(_) => "Stand".into(),
        Act::Lose(t) => format!("{} loses 1", of(t)),
        Act::Heal(t) => format!("{} regains 1", of(t)),
        Act::Flee(p) => format!("Drive them to {}", at(p)),
        Act::Withdraw(p) => format!("Withdraw to {}", at(p)),
    }
}

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

/// What a seat has in a place: its token, its blocks as far as they are known.
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
            // Whose it is the column tells.
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

fn log(before: &Position<Hestia>, line: &LineOf<Hestia>, after: &Position<Hestia>) -> Option<String> {
    let (old, new) = (before.state(), after.state());
    let Event::Act(act) = line.event else { return log_nature(before, line, after) };
    let me = who(before.actor()?);
    let at = |p: Place| p.spot().name;
    let text = match act {
        Act::Discard(_)
        | Act::Pay(_)
        | Act::Pick(_)
        | Act::Go
        | Act::All
        | Act::Stop
        | Act::End
        | Act::Done => return None,
        Act::Bid(_) => format!("{me} bids."),
        Act::Add(t) => format!("{me} adds {}.", name(after, t)),
        Act::Cards(0) => format!("{me} does not move."),
        Act::Cards(1) => format!("{me} spends a card on orders."),
        Act::Cards(n) => format!("{me} spends {n} cards on orders."),
        Act::Swap(_) => format!("{me} puts a card away."),
        Act::Army(p) => format!("{me} activates an army in {}.", at(p)),
        Act::Rally(p, None) => format!("{me} rallies in {}.", at(p)),
        Act::Rally(p, Some(sea)) => format!("{me} raises the ships of {} in {}.", at(p), at(sea)),
        Act::Move(p) => {
            let blocks = old.army.blocks.count_ones();
            let blocks = if blocks == 1 { "A block".to_string() } else { format!("{blocks} blocks") };
            format!("{blocks} of {me}: from {} to {}.", at(old.army.place), at(p))
        }
        Act::Influence => format!("{me} places a token in {}.", at(old.army.place)),
        Act::Drop(_) => format!("{me} leaves a block in {}.", at(old.army.place)),
        Act::Force(_) => format!("{me} forces the march."),
        Act::Battle(p) => format!("{me} gives battle in {}.", at(p)),
        Act::Clash(..) | Act::Fight(_) => format!("{me} commits a card."),
        Act::Hold(_) => format!("{me} has no card to commit."),
        Act::Lose(t) => format!("{} loses 1 strength.", name(before, t)),
        Act::Heal(t) => format!("{} regains 1 strength.", name(before, t)),
        Act::Flee(p) => format!("{} is driven to {}.", who(enemy(before.actor()?)), at(p)),
        Act::Withdraw(p) => format!("{me} withdraws to {}.", at(p)),
    };
    Some(text + &news(old, new))
}

fn log_nature(before: &Position<Hestia>, line: &LineOf<Hestia>, after: &Position<Hestia>) -> Option<String> {
    let (old, new) = (before.state(), after.state());
    let shown: Vec<String> = line.shown.iter().map(|&(t, _)| name(after, t)).collect();
    let text = match (old.step(), line.event) {
        (Step::OpenLeads, _) => format!("The bids: {}.", shown.join(" against ")),
        (Step::Muster, _) => format!("Battle in {}: {}.", old.battle.place.spot().name, shown.join(", ")),
        (Step::OpenModes, _) => format!("Opened: {}.", shown.join(" and ")),
        (Step::ShowLeads, _) => format!("Leading: {}.", shown.join(" against ")),
        (Step::Count, _) => "All blocks are shown, and their strengths added up.".to_string(),
        (Step::Roll(seat, _), Event::Rolled(n)) => format!("{} rolls {n}.", who(seat)),
        (Step::Mix(seat), _) => format!("{} mixes blocks.", who(seat)),
        (Step::Shuffle(seat), _) => format!("{} has the cards shuffled.", who(seat)),
        _ => return None,
    };
    Some(text + &news(old, new))
}

/// What happened by itself after an event.
fn news(old: &Hestia, new: &Hestia) -> String {
    let mut text = String::new();
    let bid = |game: &Hestia| game.tokens.top(lead(L)).or(game.tokens.top(lead(H))).is_some();
    if bid(old) && !bid(new) && old.battle.mode == [None; 2] && matches!(new.step(), Step::Cards(_)) {
        let _ = write!(text, " {} has the first turn.", who(new.first));
    }
    // A block that was on the map and is in the pool or gone has been destroyed.
    let fallen = old
        .tokens
        .all()
        .filter(|&t| old.tokens.zone(t).0 < POOL.0 && (POOL.0..=GONE.0).contains(&new.tokens.zone(t).0));
    for (unit, _) in fallen.filter_map(|t| new.block(t).ok()) {
        let _ = write!(text, " {} is destroyed.", unit.name());
    }
    // Retreats without a choice, and the end of those with one.
    let field = old.battle.place;
    for seat in [L, H] {
        let fled = |t: &Token| {
            let to = new.tokens.zone(*t);
            to.0 < 96 && to != land(field, seat)
        };
        let told = match old.step() {
            Step::March(_) | Step::Pick(_) | Step::Orders(_) => true,
            Step::Flee(_) => old.battle.left == 1,
            Step::Withdraw(own) => own == seat,
            _ => false,
        };
        if told {
            continue;
        }
        if let Some(t) = old.tokens.iter(land(field, seat)).find(fled) {
            let to = Place(new.tokens.zone(t).0 / 2).spot().name;
            let _ = write!(text, " {} falls back to {to}.", who(seat));
        }
    }
    for seat in [L, H] {
        let won = new.active[seat.index()] & !old.active[seat.index()];
        let lost = old.active[seat.index()] & !new.active[seat.index()];
        for (i, city) in CITIES.iter().enumerate() {
            if won >> i & 1 != 0 {
                let _ = write!(text, " {} is won over by {}.", city.spot().name, who(seat));
            }
            if lost >> i & 1 != 0 {
                let _ = write!(text, " {} is lost to {}.", city.spot().name, who(seat));
            }
        }
    }
    if let (None, Some(last)) = (old.last_year, new.last_year) {
        let _ = write!(text, " Year {last} will be the last.");
    }
    if new.year != old.year {
        let _ = write!(text, " Year {} begins.", new.year);
    }
    text
}
