//! Words for people: the summary, the table, labels, the log, and positions as readable data.

use crate::actions::{Act, Target};
use crate::cards::{FACTIONS, Faction, Thing};
use crate::map::{Corner, Hex};
use crate::state::{
    DECK, MAP, MARKET, Ozymandias, Pile, Sector, Step, TILE_STACK, TRACK, hand, laid, tableau, vault,
};
use pentarchy_engine::describe::{awaited_plainly, who};
use pentarchy_engine::{Describe, Event, Game, LineOf, Position, Seat, Stack, Token, Zone};
use serde_json::{Value, json};
use std::fmt::Write as _;

impl Describe for Ozymandias {
    const SUMMARY: &'static str = include_str!("summary.txt");

    fn table(view: &Position<Self>) -> String {
        table(view)
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
            Step::Place => format!("{who} places the new sector."),
            Step::Build(faction) => format!("{who} builds a {faction} city."),
            Step::Window(_) => format!("{who} may use cards of the tableau."),
            Step::Prelude => format!("{who} may pick up cards before the crisis."),
            Step::Sector => format!("{who} names the sector of the crisis."),
            Step::Contribute(_) => format!("{who} may lay a card for the crisis."),
            Step::Purchase(_) => format!("{who} must buy a card."),
            Step::Choose { card, .. } => format!("{who} chooses for {}.", card.printed().title),
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

fn stack_text(pile: &Pile) -> String {
    pile.iter().map(|f| f.to_string()).collect::<Vec<_>>().join(" < ")
}

fn at(game: &Ozymandias, corner: Corner) -> String {
    match game.pile(corner) {
        Some(pile) => format!("the stack at {corner} ({})", stack_text(pile)),
        None => format!("the corner {corner}"),
    }
}

fn target_text(view: &Position<Ozymandias>, target: Target) -> String {
    match target {
        Target::Card(t) => title(view, t),
        Target::Corner(corner) => at(view.state(), corner),
        Target::Sector(hex) => format!("the sector at {hex}"),
        Target::Faction(faction) => faction.to_string(),
        Target::Player(seat) => who(seat),
        Target::None => "none".to_string(),
    }
}

fn label(view: &Position<Ozymandias>, action: Act) -> String {
    let game = view.state();
    let value = |t| view.face(t).and_then(Thing::myth).map_or(0, |m| game.value(m.faction()));
    match action {
        Act::Explore(t) => format!("Sell {} for {} and explore", title(view, t), value(t)),
        Act::Expand(t) => format!("Lay {} and build a city", title(view, t)),
        Act::Crisis => "Call a crisis".to_string(),
        Act::Withdraw => "Take your tableau back into your hand".to_string(),
        Act::Place(hex) => {
            let here: Vec<String> = game.piles_at(hex).map(stack_text).collect();
            format!("Place the sector at {hex}, beside {}", here.join("; "))
        }
        Act::Build(corner) => format!("Build at {}", at(game, corner)),
        Act::Activate(t) => format!("Use {}: {}", title(view, t), effect(view, t)),
        Act::Done => "Done".to_string(),
        Act::Pickup(t) => format!("Take {} into your hand", title(view, t)),
        Act::PickupAll => "Take the whole tableau into your hand".to_string(),
        Act::Sector(hex) => {
            let here: Vec<String> = game.piles_at(hex).map(stack_text).collect();
            format!("The sector at {hex}: {}", here.join("; "))
        }
        Act::Contribute(t) => format!("Contribute {}", title(view, t)),
        Act::Pass => "Contribute nothing".to_string(),
        Act::BuyDeck => format!("Buy the top card of the deck for {}", game.deck_price()),
        Act::Buy(t) => format!("Buy {} for {}", title(view, t), value(t)),
        Act::Choose(target) => {
            let text = target_text(view, target);
            text.chars().take(1).flat_map(char::to_uppercase).chain(text.chars().skip(1)).collect()
        }
    }
}

fn effect(view: &Position<Ozymandias>, t: Token) -> &'static str {
    view.face(t).and_then(Thing::myth).map_or("", |m| m.printed().text)
}

fn table(view: &Position<Ozymandias>) -> String {
    let game = view.state();
    let mut out = String::new();
    let round = game.turn / u16::from(game.seats) + 1;
    let _ = writeln!(out, "Round {round}, turn of {}", who(game.active));
    let _ = writeln!(out, "\nHistory");
    for faction in FACTIONS {
        let space = game.markers[faction.index()] as usize;
        let track: String = (0..TRACK.len()).map(|i| if i == space { '#' } else { '.' }).collect();
        let _ = writeln!(
            out,
            "  {faction:<6}{track}  worth {:>2}, {} cities left",
            game.value(faction),
            game.supply[faction.index()]
        );
    }
    let _ = writeln!(out, "\nMap");
    let mut sectors = game.sectors;
    sectors.sort_unstable_by_key(|s| (s.hex.r, s.hex.q));
    for sector in sectors.iter() {
        let name = view.face(sector.tile).map_or("", |f| f.title());
        let here: Vec<String> =
            game.piles_at(sector.hex).map(|p| format!("{} [{}]", p.corner, stack_text(p))).collect();
        let _ = writeln!(
            out,
            "  {:>6}  {name}, value {}  {}",
            sector.hex.to_string(),
            game.sector_value(sector),
            here.join("  ")
        );
    }
    let market: Vec<String> = game.tokens.iter(MARKET).map(|t| title(view, t)).collect();
    let _ = writeln!(
        out,
        "\nMarket: {}",
        if market.is_empty() { "empty".to_string() } else { market.join(", ") }
    );
    let _ = writeln!(
        out,
        "Deck: {} cards at {}; sector stack: {} tiles",
        game.tokens.len(DECK),
        game.deck_price(),
        game.tokens.len(TILE_STACK)
    );
    for seat in (0..game.seats).map(Seat) {
        let list = |zone| game.tokens.iter(zone).map(|t| title(view, t)).collect::<Vec<_>>().join(", ");
        let _ = writeln!(
            out,
            "\n{}: influence {}, {} in hand, {} in the vault",
            who(seat),
            game.influence(seat),
            game.tokens.len(hand(seat)),
            game.tokens.len(vault(seat))
        );
        for (name, zone) in
            [("hand", hand(seat)), ("tableau", tableau(seat)), ("vault", vault(seat)), ("laid", laid(seat))]
        {
            let known = game.tokens.iter(zone).any(|t| view.face(t).is_some());
            if known || (name == "laid" && !game.tokens.is_empty(zone)) {
                let _ = writeln!(out, "  {name}: {}", list(zone));
            }
        }
    }
    out
}

fn log(
    before: &Position<Ozymandias>,
    line: &LineOf<Ozymandias>,
    after: &Position<Ozymandias>,
) -> Option<String> {
    let (old, new) = (before.state(), after.state());
    let Event::Act(act) = line.event else { return log_nature(before, line, after) };
    let seat = before.actor()?;
    let me = who(seat);
    let gained = new.influence(seat) - old.influence(seat);
    let money = match gained {
        0 => String::new(),
        g if g > 0 => format!(" and gains {g}"),
        g => format!(" and pays {}", -g),
    };
    Some(match act {
        Act::Explore(t) => format!("{me} sells {} for {gained} and explores.", title(after, t)),
        Act::Expand(t) => format!("{me} lays {}.", title(after, t)),
        Act::Crisis => format!("{me} calls a crisis."),
        Act::Withdraw => format!("{me} withdraws."),
        Act::Place(hex) => format!("{me} places the sector at {hex}."),
        Act::Build(corner) => format!("{me} builds at {}.", at(new, corner)),
        Act::Activate(t) => format!("{me} uses {}{money}.", title(after, t)),
        Act::Pickup(t) => format!("{me} takes {} back.", title(after, t)),
        Act::PickupAll => format!("{me} takes the whole tableau back."),
        Act::Sector(hex) => format!("The crisis is at {hex}."),
        Act::Contribute(_) => format!("{me} lays a card."),
        Act::Pass => format!("{me} lays no card."),
        Act::BuyDeck => format!("{me} buys a card of the deck{money}."),
        Act::Buy(t) => format!("{me} buys {}{money}.", title(after, t)),
        Act::Choose(Target::None) => format!("{me} chooses nothing."),
        Act::Choose(target) => format!("{me} chooses {}{money}.", target_text(after, target)),
        Act::Done => return None,
    })
}

fn log_nature(
    before: &Position<Ozymandias>,
    line: &LineOf<Ozymandias>,
    after: &Position<Ozymandias>,
) -> Option<String> {
    let (old, new) = (before.state(), after.state());
    match old.step() {
        Step::Start => Some(format!("{} begins.", who(new.active))),
        Step::Mix(seat) => Some(format!("{} mixes the hand.", who(seat))),
        Step::Look { at, by } => Some(format!("{} looks at the hand of {}.", who(by), who(at))),
        Step::Show(_) | Step::ShowMarked | Step::ShowMarket => {
            let shown: Vec<String> = line.shown.iter().map(|&(t, _)| title(after, t)).collect();
            let mut text = format!("Turned up: {}.", shown.join(", "));
            for faction in FACTIONS {
                let (was, is) = (old.value(faction), new.value(faction));
                if was != is {
                    let _ = write!(text, " {} goes from {was} to {is}.", Ozymandias::name(faction));
                }
            }
            Some(text)
        }
        _ => None,
    }
}

impl Ozymandias {
    fn name(faction: Faction) -> &'static str {
        ["Red", "White", "Blue", "Black"][faction.index()]
    }
}

const _: () = assert!(Ozymandias::INFO.max_seats == 5, "zones are laid out for five seats");
