//! Words for people: the summary, the table, labels, the log, and positions as readable data.

use crate::actions::{Act, Target};
use crate::cards::{FACTIONS, Faction, TILES, Thing};
use crate::map::{Corner, Hex};
use crate::state::{
    DECK, MAP, MARKET, Ozymandias, Pile, Sector, Step, TILE_STACK, TRACK, hand, tableau, vault,
};
use crate::table::{card_name, corner_name, stack_letters};
use pentarchy_engine::describe::{awaited_plainly, who};
use pentarchy_engine::{Describe, Event, Game, LineOf, Position, Seat, Stack, Token, Zone};
use serde_json::{Value, json};

impl Describe for Ozymandias {
    const SUMMARY: &'static str = include_str!("summary.txt");

    fn table(view: &Position<Self>) -> String {
        crate::table::table(view)
    }

    fn label(view: &Position<Self>, action: Act) -> String {
        label(view, action)
    }

    fn kind(action: Act) -> &'static str {
        match action {
            Act::Explore(_) => "Explore: sell a card, find a sector",
            Act::Expand(_) => "Expand: lay a card, build a city",
            Act::Crisis => "Crisis",
            Act::Activate(_) => "Use a card",
            Act::Contribute(_) => "Contribute",
            Act::Buy(_) | Act::BuyDeck => "Buy",
            Act::Pickup(_) | Act::PickupAll => "Pick up",
            _ => "Choose",
        }
    }

    fn awaited(view: &Position<Self>) -> String {
        let game = view.state();
        let Some(seat) = view.actor() else { return awaited_plainly::<Self>(view.node()) };
        let who = who(seat);
        match game.step() {
            Step::Action => format!("{who}: explore, expand, or call a crisis."),
            Step::Place => match game.tokens.top(TILE_STACK) {
                Some(tile) => format!("{who} places {}.", tile_text(view, tile)),
                None => format!("{who} places the new sector."),
            },
            Step::Build(faction) => format!("{who} builds a {faction} city."),
            Step::Window(_) => format!("{who} may use cards of the tableau."),
            Step::Prelude => format!("{who} may pick up cards before the crisis."),
            Step::Sector => format!("{who} names the sector of the crisis."),
            Step::Contribute(_) => {
                let here: Vec<String> = game.crisis.factions.iter().map(|f| f.to_string()).collect();
                format!("{who} may lay a card for the crisis at {}: {}.", game.crisis.sector, here.join(", "))
            }
            Step::Purchase(_) => format!("{who} must buy a card."),
            Step::Choose { card, .. } => {
                let card = card.printed();
                format!("{who} chooses for {}: {}", card.title, card.text)
            }
            _ => awaited_plainly::<Self>(view.node()),
        }
    }

    fn log(before: &Position<Self>, line: &LineOf<Self>, after: &Position<Self>) -> Option<String> {
        log(before, line, after)
    }

    fn card_text(face: Thing) -> Option<String> {
        let Thing::Myth(myth) = face else { return None };
        let card = myth.printed();
        let when = match card.kind {
            crate::cards::Kind::Explore => "exploration",
            crate::cards::Kind::Expand => "expansion",
            crate::cards::Kind::Reveal => "crisis, when revealed",
            crate::cards::Kind::Aftermath => "crisis, aftermath",
        };
        Some(format!("{} ({} {}, {when}): {}", card.title, myth.faction(), card.rank, card.text))
    }

    fn picture(&self) -> Value {
        let by_faction = |of: &dyn Fn(Faction) -> i32| {
            Value::Object(FACTIONS.into_iter().map(|f| (f.to_string(), of(f).into())).collect())
        };
        let by_seat =
            |of: &dyn Fn(Seat) -> Value| Value::Array((0..self.seats).map(|s| of(Seat(s))).collect());
        let count = |zone: &dyn Fn(Seat) -> Zone| by_seat(&|s| self.tokens.len(zone(s)).into());
        json!({
            "turn": self.turn,
            "round": self.turn / u16::from(self.seats) + 1,
            "active": self.active,
            "values": by_faction(&|f| self.value(f)),
            "supply": by_faction(&|f| self.supply[f.index()].into()),
            "influence": by_seat(&|s| self.influence(s).into()),
            "deck_price": self.deck_price(),
            "ending": self.ending,
            "bankrupt": self.bankrupt,
            "sectors": Value::Object(self.sectors.iter().map(|s| (s.hex.to_string(), self.sector_value(s).into())).collect()),
            "stacks": Value::Object(self.cities.iter().map(|p| {
                (p.corner.to_string(), p.iter().map(|f| f.to_string()).collect::<Vec<_>>().into())
            }).collect()),
            "deck": self.tokens.len(DECK),
            "tiles": self.tokens.len(TILE_STACK),
            "market": self.tokens.len(MARKET),
            "hands": count(&hand),
            "tableaus": count(&tableau),
            "vaults": count(&vault),
        })
    }

    /// Differences: `values` and `influence`, `stacks` (all of them; the supplies follow), `sectors` (the
    /// hexes of the tiles in the zone `map`, in their order), `active`, `turn`.
    fn arranged(&self, differences: &Value) -> Result<Self, String> {
        let mut game = self.clone();
        let all = differences.as_object().ok_or("a position is a table")?;
        // Whatever is given first, sectors come before the stacks that stand at them.
        if let Some(hexes) = all.get("sectors") {
            game.lay_sectors(hexes)?;
        }
        for (name, value) in all {
            match name.as_str() {
                "sectors" => {}
                "stacks" => game.raise_stacks(value)?,
                "values" => {
                    for (faction, value) in value.as_object().ok_or("`values` is a table by faction")? {
                        let faction: Faction = faction.parse().map_err(|e| format!("{e}"))?;
                        let space = TRACK.iter().position(|&v| Some(u64::from(v)) == value.as_u64());
                        let space = space.ok_or_else(|| format!("{value} is not on the track"))?;
                        game.markers[faction.index()] = space as u8;
                    }
                }
                "influence" => {
                    let given: Vec<i32> = serde_json::from_value(value.clone()).map_err(|e| e.to_string())?;
                    if given.len() != self.seats as usize {
                        return Err(format!("`influence` has {} seats, not {}", self.seats, given.len()));
                    }
                    game.influence[..given.len()].copy_from_slice(&given);
                }
                "active" => {
                    let seat =
                        value.as_u64().filter(|&s| s < self.seats.into()).ok_or("`active` is a seat")?;
                    game.active = Seat(seat as u8);
                }
                "turn" => game.turn = value.as_u64().ok_or("`turn` is a number")? as u16,
                other => return Err(format!("there is no `{other}` in a position of Ozymandias")),
            }
        }
        Ok(game)
    }
}

impl Ozymandias {
    fn lay_sectors(&mut self, hexes: &Value) -> Result<(), String> {
        let hexes: Vec<String> = serde_json::from_value(hexes.clone()).map_err(|e| e.to_string())?;
        if hexes.len() != self.tokens.len(MAP) {
            return Err(format!("{} sectors for {} tiles on the map", hexes.len(), self.tokens.len(MAP)));
        }
        self.sectors = Stack::new();
        for (tile, text) in self.tokens.iter(MAP).zip(&hexes) {
            let hex: Hex = text.parse().map_err(|e| format!("{e}"))?;
            self.sectors.push(Sector { hex, tile }).map_err(|e| e.to_string())?;
        }
        Ok(())
    }

    fn raise_stacks(&mut self, stacks: &Value) -> Result<(), String> {
        self.cities = Stack::new();
        self.supply = [self.settings.cities; 4];
        for (text, cities) in stacks.as_object().ok_or("`stacks` is a table by corner")? {
            let corner: Corner = text.parse().map_err(|e| format!("{e}"))?;
            if self.sectors_at(corner).next().is_none() {
                return Err(format!("the corner {corner} is not on the map"));
            }
            let mut pile = Pile::at(corner);
            for name in serde_json::from_value::<Vec<String>>(cities.clone()).map_err(|e| e.to_string())? {
                let faction: Faction = name.parse().map_err(|e| format!("{e}"))?;
                let left = &mut self.supply[faction.index()];
                *left =
                    left.checked_sub(1).ok_or_else(|| format!("there are not so many {faction} cities"))?;
                pile.put_on_top(faction);
            }
            self.cities.push(pile).map_err(|e| e.to_string())?;
        }
        self.cities.sort_unstable_by_key(|p| p.corner);
        Ok(())
    }
}

fn title(view: &Position<Ozymandias>, t: Token) -> String {
    match view.face(t) {
        Some(Thing::Myth(m)) => format!("{} ({} {})", m.printed().title, m.faction(), m.rank()),
        Some(tile) => tile.title().to_string(),
        None => "a card".to_string(),
    }
}

fn tile_text(view: &Position<Ozymandias>, tile: Token) -> String {
    match view.face(tile) {
        Some(Thing::Tile(i)) => format!("{}, of value {}", TILES[i as usize].title, TILES[i as usize].value),
        _ => "a sector".to_string(),
    }
}

/// A corner for a list: its name, and what stands there.
fn at(game: &Ozymandias, corner: Corner) -> String {
    match game.pile(corner) {
        Some(pile) => {
            format!("the stack {} on {} ({corner})", stack_letters(pile), corner_name(game, corner))
        }
        None => format!("{} ({corner})", corner_name(game, corner)),
    }
}

fn target_text(before: &Position<Ozymandias>, view: &Position<Ozymandias>, target: Target) -> String {
    match target {
        Target::Card(t) => title(view, t),
        Target::Corner(corner) => at(before.state(), corner),
        Target::Sector(hex) => format!("the sector at {hex}"),
        Target::Faction(faction) => faction.to_string(),
        Target::Player(seat) => who(seat),
        Target::None => "nothing".to_string(),
    }
}

fn label(view: &Position<Ozymandias>, action: Act) -> String {
    let game = view.state();
    let value = |t| view.face(t).and_then(Thing::myth).map_or(0, |m| game.value(m.faction()));
    let stacks = |hex| game.piles_at(hex).map(stack_letters).collect::<Vec<_>>().join(" ");
    match action {
        Act::Explore(t) => format!("Sell {} for {}, explore", card_name(view, t), value(t)),
        Act::Expand(t) => format!("Lay {}, build a city", card_name(view, t)),
        Act::Crisis => "Call a crisis".to_string(),
        Act::Withdraw => "Take your tableau back into your hand".to_string(),
        Act::Place(hex) => format!("Place the sector at {hex}, beside {}", stacks(hex)),
        Act::Build(corner) => match game.pile(corner) {
            Some(_) => format!("Build on {}", at(game, corner)),
            None => format!("Build on {}, which is free", at(game, corner)),
        },
        Act::Activate(t) => format!("Use {}: {}", title(view, t), effect(view, t)),
        Act::Done => "Done".to_string(),
        Act::Pickup(t) => format!("Take {} into your hand", card_name(view, t)),
        Act::PickupAll => "Take the whole tableau into your hand".to_string(),
        Act::Sector(hex) => format!("The sector at {hex}, with {}", stacks(hex)),
        Act::Contribute(t) => match view.face(t).and_then(Thing::myth) {
            Some(m) => {
                let cities: usize = game.piles_at(game.crisis.sector).map(|p| p.count(m.faction())).sum();
                format!("Contribute {}, strength {}", card_name(view, t), m.rank() as usize + cities)
            }
            None => "Contribute a card".to_string(),
        },
        Act::Pass => "Contribute nothing".to_string(),
        Act::BuyDeck => format!("Buy the top card of the deck for {}", game.deck_price()),
        Act::Buy(t) => format!("Buy {} for {}", card_name(view, t), value(t)),
        Act::Choose(target) => capital(&target_text(view, view, target)),
    }
}

fn effect(view: &Position<Ozymandias>, t: Token) -> &'static str {
    view.face(t).and_then(Thing::myth).map_or("", |m| m.printed().text)
}

fn log(
    before: &Position<Ozymandias>,
    line: &LineOf<Ozymandias>,
    after: &Position<Ozymandias>,
) -> Option<String> {
    let text = match line.event {
        Event::Act(act) => log_action(before, act, after),
        _ => log_nature(before, line, after),
    };
    let news = news(before, after);
    match (text, news.is_empty()) {
        (text, true) => text,
        (Some(text), false) => Some(format!("{text} {news}")),
        (None, false) => Some(news),
    }
}

fn log_action(before: &Position<Ozymandias>, act: Act, after: &Position<Ozymandias>) -> Option<String> {
    let (old, new) = (before.state(), after.state());
    let me = who(before.actor()?);
    Some(match act {
        Act::Explore(t) => format!("{me} sells {} and explores.", title(after, t)),
        Act::Expand(t) => format!("{me} lays {}.", title(after, t)),
        Act::Crisis => format!("{me} calls a crisis."),
        Act::Withdraw => format!("{me} takes the whole tableau back."),
        Act::Place(hex) => format!("{me} places the sector at {hex}."),
        Act::Build(corner) => match new.pile(corner) {
            Some(pile) => format!("{me} builds on {}: {}.", corner_name(old, corner), stack_letters(pile)),
            None => format!("{me} builds on {}.", corner_name(old, corner)),
        },
        Act::Activate(t) => format!("{me} uses {}.", title(after, t)),
        Act::Pickup(t) => format!("{me} takes {} back.", title(after, t)),
        Act::PickupAll => format!("{me} takes the whole tableau back."),
        Act::Sector(hex) => format!("The crisis is at {hex}."),
        Act::Contribute(_) => format!("{me} lays a card."),
        Act::Pass => format!("{me} lays no card."),
        Act::BuyDeck => format!("{me} buys a card of the deck."),
        Act::Buy(t) => format!("{me} buys {}.", title(after, t)),
        Act::Choose(Target::None) => format!("{me} chooses nothing."),
        Act::Choose(target) => format!("{me} chooses {}.", target_text(before, after, target)),
        Act::Done => return None,
    })
}

fn log_nature(
    before: &Position<Ozymandias>,
    line: &LineOf<Ozymandias>,
    after: &Position<Ozymandias>,
) -> Option<String> {
    let old = before.state();
    match old.step() {
        Step::Start => Some(format!("{} begins.", who(after.state().active))),
        Step::Mix(seat) => Some(format!("{} mixes the hand.", who(seat))),
        Step::Look { at, by } => Some(format!("{} looks at the hand of {}.", who(by), who(at))),
        Step::Show(tile) => Some(format!("Turned up: {}.", tile_text(after, tile))),
        Step::ShowMarked if !old.crisis.order.is_empty() && old.agenda.height() > 2 => {
            let laid = old
                .crisis
                .order
                .iter()
                .map(|it| format!("{} has laid {}", who(it.holder), title(after, it.card)));
            Some(format!("{}.", laid.collect::<Vec<_>>().join(", ")))
        }
        Step::ShowMarked | Step::ShowMarket => {
            let shown: Vec<String> = line.shown.iter().map(|&(t, _)| title(after, t)).collect();
            let place = if old.step() == Step::ShowMarket { "To the market" } else { "Turned up" };
            Some(format!("{place}: {}.", shown.join(", ")))
        }
        _ => None,
    }
}

/// What an event has changed for all to see: who won a crisis, prices, cities, purses, vaults, the end.
fn news(before: &Position<Ozymandias>, after: &Position<Ozymandias>) -> String {
    let (old, new) = (before.state(), after.state());
    let mut all = Vec::new();
    let won = new.crisis.winners;
    if won != old.crisis.winners && won != Default::default() {
        let names: Vec<&str> = won.iter().map(Ozymandias::name).collect();
        all.push(format!("{} {}.", names.join(" and "), if names.len() > 1 { "win" } else { "wins" }));
    }
    if matches!(old.step(), Step::Contribute(_))
        && new.crisis.order.is_empty()
        && !matches!(new.step(), Step::Contribute(_) | Step::Mix(_))
    {
        all.push("Nobody contributes: the crisis comes to nothing.".to_string());
    }
    for faction in FACTIONS {
        let (was, is) = (old.value(faction), new.value(faction));
        if was != is {
            all.push(format!("{} goes from {was} to {is}.", Ozymandias::name(faction)));
        }
    }
    let fallen = FACTIONS.into_iter().filter_map(|f| {
        let back = new.supply[f.index()].saturating_sub(old.supply[f.index()]);
        (back > 0).then(|| format!("{back} {f}"))
    });
    let fallen: Vec<String> = fallen.collect();
    if !fallen.is_empty() {
        all.push(format!("Destroyed: {}.", fallen.join(", ")));
    }
    for seat in (0..new.seats).map(Seat) {
        for card in new.tokens.iter(vault(seat)).filter(|&t| !old.tokens.in_zone(t, vault(seat))) {
            all.push(format!("{} goes to the vault of {}.", capital(&title(after, card)), who(seat)));
        }
    }
    let purses = (0..new.seats).map(Seat).filter_map(|s| {
        let gained = new.influence(s) - old.influence(s);
        (gained != 0).then(|| format!("{} {}{}", who(s), if gained > 0 { "+" } else { "−" }, gained.abs()))
    });
    let purses: Vec<String> = purses.collect();
    if !purses.is_empty() {
        all.push(format!("({})", purses.join(", ")));
    }
    if new.over() && !old.over() {
        all.push(match new.bankrupt {
            Some(seat) => format!("{} must buy and cannot pay: bankrupt. The game is over.", who(seat)),
            None if new.capped => "The last round is over.".to_string(),
            None => "History is at its end, and so is the game.".to_string(),
        });
    }
    all.join(" ")
}

fn capital(text: &str) -> String {
    text.chars().take(1).flat_map(char::to_uppercase).chain(text.chars().skip(1)).collect()
}

impl Ozymandias {
    fn name(faction: Faction) -> &'static str {
        ["Red", "White", "Blue", "Black"][faction.index()]
    }

    /// Whether the last turn is over; vaults may still have to be turned up.
    fn over(&self) -> bool {
        self.agenda.first() == Some(&Step::Over)
    }
}

const _: () = assert!(Ozymandias::INFO.max_seats == 5, "zones are laid out for five seats");
