//! Texts for people: the summary, the table, labels, the log, and positions as readable data.

use crate::actions::{Action, Target};
use crate::cards::{FACTIONS, Faction, Myth, Thing};
use crate::forecast::CrisisResult;
use crate::map::{Corner, Hex};
use crate::state::{
    DECK, MAP, MARKET, Memo, Ozymandias, Pile, Sector, TILE_STACK, TRACK, Task, hand, tableau, vault,
};
use crate::table::{card_name, corner_name, sector_title};
use pentarchy_engine::describe::who;
use pentarchy_engine::{
    AppliedEvent, Describe, Event, Game, LoggedEventOf, Observer, Position, Seat, Stack, Token, Zone,
};
use serde_json::{Value, json};

impl Describe for Ozymandias {
    const SUMMARY: &'static str = include_str!("summary.txt");

    fn table(view: &Position<Self>) -> String {
        crate::table::table(view)
    }

    fn label(view: &Position<Self>, action: Action) -> String {
        label(view, action)
    }

    fn kind(action: Action) -> &'static str {
        match action {
            Action::Explore(_) => "Explore: sell a card, add a sector",
            Action::Expand(_) => "Expand: play a card, build a city",
            Action::Crisis => "Crisis: fight over a sector",
            Action::Place(_) => "Place the sector",
            Action::Build(_) => "Build the city",
            Action::Sector(_) => "Crisis at",
            Action::Activate(_) => "Use a tableau card",
            Action::Contribute(_) => "Contribute",
            Action::Buy(_) | Action::BuyDeck => "Buy",
            Action::Pickup(_) | Action::PickupAll => "Take back",
            Action::Choose(_) => "Choose",
            Action::Withdraw | Action::Done | Action::Pass => "Or",
        }
    }

    fn awaited(view: &Position<Self>) -> String {
        match view.actor() {
            Some(seat) if view.observer() == Observer::Seat(seat) => instruction(view, seat),
            Some(seat) => format!("{} {}.", who(seat), deed(view)),
            None => nature(view).to_string(),
        }
    }

    fn log(event: &AppliedEvent<'_, Self>) -> Option<String> {
        let AppliedEvent { before, line, after, .. } = *event;
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

    /// Returns a copy with the differences of a scenario: `values` and `influence`, `stacks` (all of them; the
    /// supplies follow), `sectors` (the hexes of the tiles in the zone `map`, in their order), `active`,
    /// `turn`.
    ///
    /// # Errors
    ///
    /// Fails if a difference is unknown or its value invalid.
    fn arranged(&self, differences: &Value) -> Result<Self, String> {
        let mut game = self.clone();
        let all = differences.as_object().ok_or("a position is a table")?;
        // Regardless of the order in the file, sectors come before the stacks that stand at them.
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
    /// Replaces the sectors by the tiles of the zone `map` at these hexes.
    ///
    /// # Errors
    ///
    /// Fails if a hex is malformed, or there are more or fewer hexes than tiles.
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

    /// Replaces the stacks by those of a scenario, and recomputes the supply.
    ///
    /// # Errors
    ///
    /// Fails if a corner or faction is invalid, or the supply is too small.
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
                    left.checked_sub(1).ok_or_else(|| format!("too few {faction} cities in the supply"))?;
                pile.put_on_top(faction);
            }
            self.cities.push(pile).map_err(|e| e.to_string())?;
        }
        self.cities.sort_unstable_by_key(|p| p.corner);
        Ok(())
    }
}

/// Returns the instruction for the acting seat, in at most eight words.
fn instruction(view: &Position<Ozymandias>, seat: Seat) -> String {
    let game = view.state();
    match game.step() {
        Task::Action if game.cities.is_empty() => "Choose a card to build a city".to_string(),
        Task::Action if game.tokens.is_empty(hand(seat)) => "Start a crisis".to_string(),
        Task::Action => "Choose a card, or start a crisis".to_string(),
        Task::Place => format!("Place {} next to a city", new_tile(view)),
        Task::Build(faction) => format!("Choose a corner for the {faction} city"),
        Task::Window(_) => "Use tableau cards, or continue".to_string(),
        Task::Prelude => "Take back tableau cards, or continue".to_string(),
        Task::Sector => "Choose where the crisis happens".to_string(),
        Task::Contribute(_) => "Contribute a card face down, or pass".to_string(),
        Task::Purchase(_) => format!("Buy a card (you have {} influence)", game.influence(seat)),
        Task::Choose { card, memo, .. } => aim(game, card, memo),
        _ => String::new(),
    }
}

/// Returns the instruction to choose a target for a card, in at most eight words.
fn aim(game: &Ozymandias, card: Myth, memo: Memo) -> String {
    let text = match card {
        Myth::ScorchedEarth => "Remove the crisis sector, or skip",
        Myth::Remembrance => "Choose a faction to raise by 1 space",
        Myth::ThaniWanderers if memo == Memo::Nothing => "Choose a red city to move",
        Myth::ThaniWanderers => "Choose a corner for the red city",
        Myth::FiresAtNight | Myth::BerserkersOfGrotl | Myth::GunsOfAugust => "Choose a city to destroy",
        Myth::GeminiCoup => "Choose a city to build a red city on",
        Myth::ShieldRhetoric => "Choose a stack for white to rule",
        Myth::CrusaderFleet => "Choose a hand card to sell",
        Myth::CrusadeOfTheSun => "Choose a corner for the white city",
        Myth::PilgrimsOfChera => "Choose a white card to buy",
        Myth::SilverSwordUprising => "Choose a faction that loses a city",
        Myth::SpymasterHuryThezal => "Choose a hand card for the market",
        Myth::BookOfChanges => "Choose a card to contribute instead",
        Myth::XinPilgrims => "Choose a corner for the blue city",
        Myth::TreatyOfChengHuang if memo == Memo::Nothing => "Choose a hand card to exchange",
        Myth::TreatyOfChengHuang => "Choose a market card to take",
        Myth::TidalPools => "Choose a stack: its top city moves down",
        Myth::SpymasterAtherNesimm => "Choose whose hand you look at",
        Myth::IonPulse => "Choose a faction to weaken",
        Myth::HaniosResistance => "Choose a stack: its bottom city moves up",
        Myth::MaengalisDiscovery => "Choose a hand card for your tableau",
        Myth::WhispersInTheDeep => "Choose a stack for the black city",
        Myth::MaengalisAltar => "Choose a hand card for your vault",
        Myth::HanianCultists => {
            return format!("Choose who loses {} influence to you", game.settings.cultists_take);
        }
        Myth::WreckageOfTheXyri => "Choose a sector to remove",
        Myth::RafiasNightmare => "Choose a faction to lower by 1 space",
        Myth::CyrisTreachery => "Choose who swaps contributions with you",
        _ => "Choose a target",
    };
    text.to_string()
}

/// Describes what another player is doing, to follow their name.
fn deed(view: &Position<Ozymandias>) -> String {
    match view.state().step() {
        Task::Action => "chooses an action".to_string(),
        Task::Place => format!("places {}", new_tile(view)),
        Task::Build(faction) => format!("builds a {faction} city"),
        Task::Window(_) => "uses tableau cards".to_string(),
        Task::Prelude => "takes back tableau cards".to_string(),
        Task::Sector => "chooses where the crisis happens".to_string(),
        Task::Contribute(_) => "chooses a card for the crisis".to_string(),
        Task::Purchase(_) => "buys a card".to_string(),
        Task::Choose { card, .. } => format!("chooses a target for {}", card.printed().title),
        _ => "is busy".to_string(),
    }
}

/// Describes what happens without a decision.
fn nature(view: &Position<Ozymandias>) -> &'static str {
    match view.state().step() {
        Task::ShuffleTiles => "Shuffling the sectors…",
        Task::ShuffleDeck => "Shuffling the deck…",
        Task::Deal(_) => "Dealing cards…",
        Task::Start => "Choosing who starts…",
        Task::Show(_) => "Drawing a sector…",
        Task::ShowMarket => "Dealing new cards to the market…",
        Task::ShowMarked if view.state().over() => "Opening the vaults…",
        Task::ShowMarked => "Revealing the contributions…",
        Task::Learn(..) => "Drawing a card…",
        Task::Look { .. } => "Showing a hand…",
        Task::Mix(_) => "Shuffling a hand…",
        _ => "The game is over.",
    }
}

/// Returns a card with faction and rank.
fn title(view: &Position<Ozymandias>, t: Token) -> String {
    match view.face(t) {
        Some(Thing::Myth(m)) => myth_title(m),
        Some(tile) => tile.title().to_string(),
        None => "a card".to_string(),
    }
}

/// Returns a card with faction and rank.
fn myth_title(m: Myth) -> String {
    format!("{} ({} {})", m.printed().title, m.faction(), m.rank())
}

/// Returns the name of the sector that is about to be placed.
fn new_tile(view: &Position<Ozymandias>) -> String {
    let tile = view.state().tokens.top(TILE_STACK).and_then(|tile| view.face(tile));
    tile.map_or("the new sector".to_string(), |tile| tile.title().to_string())
}

/// Returns a corner of the map with what stands there.
fn at(game: &Ozymandias, corner: Corner) -> String {
    let name = corner_name(game, corner);
    match game.pile(corner) {
        Some(pile) => format!("{name}: {}", stack_text(pile)),
        None => format!("{name}, free"),
    }
}

/// Returns a stack in words: "red rules 3 cities", "1 red city".
fn stack_text(pile: &Pile) -> String {
    match (pile.ruler(), pile.height()) {
        (Some(ruler), 1) => format!("1 {ruler} city"),
        (Some(ruler), height) => format!("{ruler} rules {height} cities"),
        (None, _) => "no city".to_string(),
    }
}

/// Describes the target of a card.
fn target_text(before: &Position<Ozymandias>, view: &Position<Ozymandias>, target: Target) -> String {
    match target {
        Target::Card(t) => title(view, t),
        Target::Corner(corner) => at(before.state(), corner),
        Target::Sector(hex) => sector_title(before.state(), hex),
        Target::Faction(faction) => faction.to_string(),
        Target::Player(seat) => who(seat),
        Target::None => "nothing".to_string(),
    }
}

/// Returns the sectors around an empty hex.
fn neighbours(game: &Ozymandias, hex: Hex) -> String {
    let near = hex.neighbours().into_iter().filter(|&n| game.has_sector(n));
    join(&near.map(|n| sector_title(game, n)).collect::<Vec<_>>())
}

/// Formats a list: `a, b and c`.
fn join(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Returns the label of an action.
fn label(view: &Position<Ozymandias>, action: Action) -> String {
    let game = view.state();
    let myth = |t| view.face(t).and_then(Thing::myth);
    let value = |t| myth(t).map_or(0, |m| game.value(m.faction()));
    match action {
        Action::Explore(t) => format!("Explore: sell {} for {}", card_name(view, t), value(t)),
        Action::Expand(t) => match myth(t) {
            Some(m) => format!("Expand with {}: build a {} city", card_name(view, t), m.faction()),
            None => "Expand with a card: build a city".to_string(),
        },
        Action::Crisis => "Start a crisis".to_string(),
        Action::Withdraw => "Take back your tableau".to_string(),
        Action::Place(hex) => format!("Place the sector next to {}", neighbours(game, hex)),
        Action::Build(corner) => format!("Build at {}", at(game, corner)),
        Action::Activate(t) => format!("Use {}: {}", title(view, t), effect(view, t)),
        Action::Done => "Continue".to_string(),
        Action::Pickup(t) => format!("Take back {}", card_name(view, t)),
        Action::PickupAll => match game.tokens.len(tableau(game.active)) {
            1 => "Take back 1 card".to_string(),
            cards => format!("Take back all cards ({cards})"),
        },
        Action::Sector(hex) => {
            let here = FACTIONS.into_iter().map(|f| (game.cities_of(f, hex), f)).filter(|(n, _)| *n > 0);
            let here: Vec<String> = here.map(|(n, f)| format!("{n} {f}")).collect();
            format!("Crisis at {}: {}", sector_title(game, hex), here.join(", "))
        }
        Action::Contribute(t) => match myth(t) {
            Some(m) => {
                let strength = game.strength_at(m, game.crisis.sector).total();
                format!("Contribute {}, strength {strength}", card_name(view, t))
            }
            None => "Contribute a card".to_string(),
        },
        Action::Pass => "Pass".to_string(),
        Action::BuyDeck => format!("Buy the top card of the deck for {}", game.deck_price()),
        Action::Buy(t) => format!("Buy {} for {}", card_name(view, t), value(t)),
        Action::Choose(Target::None) => "Skip".to_string(),
        Action::Choose(target) => capital(&target_text(view, view, target)),
    }
}

/// Returns the effect of a public card.
fn effect(view: &Position<Ozymandias>, t: Token) -> &'static str {
    view.face(t).and_then(Thing::myth).map_or("", |m| m.printed().text)
}

/// Describes an event; `None` if it needs no entry.
fn log(
    before: &Position<Ozymandias>,
    line: &LoggedEventOf<Ozymandias>,
    after: &Position<Ozymandias>,
) -> Option<String> {
    let mut all: Vec<String> = match line.event {
        Event::Act(act) => log_action(before, act, after),
        _ => log_nature(before, line, after),
    }
    .into_iter()
    .collect();
    news(before, line, after, &mut all);
    (!all.is_empty()).then(|| all.join(" "))
}

/// Describes an action; `None` if it needs no entry.
fn log_action(before: &Position<Ozymandias>, act: Action, after: &Position<Ozymandias>) -> Option<String> {
    let (old, new) = (before.state(), after.state());
    let seat = before.actor()?;
    let me = who(seat);
    let change = new.influence(seat) - old.influence(seat);
    // An effect pays the seat that used it: gain and action are one sentence.
    let gains = gains(change);
    Some(match act {
        Action::Explore(t) => format!("{me} explores and sells {} for {change}.", title(after, t)),
        Action::Expand(t) => format!("{me} expands with {}.", title(after, t)),
        Action::Withdraw => format!("{me} takes back the whole tableau."),
        Action::Place(hex) => {
            let value = new.sectors.iter().find(|s| s.hex == hex).map_or(0, |s| new.sector_value(s));
            format!("{me} places {} (value {value}).", sector_title(new, hex))
        }
        Action::Build(corner) => {
            let place = new.sectors_at(corner).min_by_key(|s| s.hex).map(|s| sector_title(new, s.hex));
            let place = place.unwrap_or_else(|| "the map".to_string());
            match new.pile(corner).and_then(|p| Some((p.ruler()?, p.height()))) {
                Some((ruler, height)) if height > 1 => {
                    format!("{me} builds on a stack at {place}: {ruler} now rules {height} cities.")
                }
                Some((ruler, _)) => format!("{me} builds a {ruler} city at {place}."),
                None => format!("{me} builds at {place}."),
            }
        }
        // The log line of the target says what the effect did.
        Action::Activate(_) if matches!(new.step(), Task::Choose { .. }) && change == 0 => return None,
        Action::Activate(t) if change < 0 => {
            format!("{me} uses {} and pays {} influence.", title(after, t), -change)
        }
        Action::Activate(t) => format!("{me} uses {}{gains}.", title(after, t)),
        Action::Pickup(t) => format!("{me} takes back {}.", title(after, t)),
        Action::PickupAll => format!("{me} takes back the whole tableau."),
        Action::Sector(hex) => format!("{me} starts a crisis at {}.", sector_title(old, hex)),
        Action::Contribute(_) => format!("{me} contributes a card face down."),
        Action::Pass => format!("{me} contributes nothing."),
        Action::BuyDeck => format!("{me} buys from the deck for {}.", -change),
        Action::Buy(t) => format!("{me} buys {} for {}.", title(after, t), -change),
        Action::Choose(target) => {
            let Task::Choose { card, memo, .. } = old.step() else { return None };
            return log_choice(&me, (card, memo), target, (before, after), change);
        }
        // The entry of the next event covers it.
        Action::Crisis | Action::Done => return None,
    })
}

/// Formats the influence that an effect paid, as the end of a sentence; empty if it paid none.
fn gains(change: i32) -> String {
    if change > 0 { format!(" and gains {change} influence") } else { String::new() }
}

/// Describes what a card did with its target; `None` if there is nothing to tell.
fn log_choice(
    me: &str,
    (card, memo): (Myth, Memo),
    target: Target,
    (before, after): (&Position<Ozymandias>, &Position<Ozymandias>),
    change: i32,
) -> Option<String> {
    let (old, new) = (before.state(), after.state());
    let gains = gains(change);
    let name = card.printed().title;
    let ruler = |corner: Corner| old.pile(corner).and_then(Pile::ruler).map_or("a", Faction::word);
    let now = |corner: Corner| {
        new.pile(corner)
            .and_then(Pile::ruler)
            .map_or(String::new(), |f| format!(" {} now rules it.", capital(f.word())))
    };
    let place = |corner: Corner| {
        let sector = old.sectors_at(corner).min_by_key(|s| s.hex);
        sector.map_or("the map".to_string(), |s| sector_title(old, s.hex))
    };
    Some(match (card, target) {
        // The first of two choices: the entry of the second one covers both.
        (Myth::ThaniWanderers, _) if memo == Memo::Nothing => return None,
        (Myth::TreatyOfChengHuang, Target::Card(t)) if memo == Memo::Nothing => {
            format!("{me} shows {} for the {name}.", title(after, t))
        }
        (_, Target::None) => return None,
        (Myth::FiresAtNight | Myth::BerserkersOfGrotl | Myth::GunsOfAugust, Target::Corner(corner)) => {
            format!("{me} destroys a {} city at {} with {name}{gains}.", ruler(corner), place(corner))
        }
        (Myth::ThaniWanderers, Target::Corner(corner)) => {
            format!("{me} moves a red city to {} with {name}{gains}.", place(corner))
        }
        (Myth::TidalPools | Myth::ShieldRhetoric | Myth::HaniosResistance, Target::Corner(corner)) => {
            format!("{me} changes a stack at {} with {name}{gains}.{}", place(corner), now(corner))
        }
        (_, Target::Corner(corner)) => {
            format!("{me} builds a {} city at {} with {name}{gains}.", card.faction(), place(corner))
        }
        (Myth::CrusaderFleet, Target::Card(t)) => {
            format!("{me} sells {} for {change} with {name}.", title(after, t))
        }
        (Myth::PilgrimsOfChera, Target::Card(t)) => {
            format!("{me} buys {} for {} with {name}.", title(after, t), -change)
        }
        (Myth::SpymasterHuryThezal, Target::Card(t)) => {
            format!("{me} puts {} in the market{gains}.", title(after, t))
        }
        (Myth::BookOfChanges, Target::Card(t)) => {
            format!("{me} contributes {} instead.", title(after, t))
        }
        (Myth::TreatyOfChengHuang, Target::Card(t)) => format!("{me} takes {}.", title(after, t)),
        (Myth::MaengalisDiscovery, Target::Card(t)) => {
            format!("{me} puts {} in the tableau with {name}{gains}.", title(after, t))
        }
        (Myth::MaengalisAltar, Target::Card(_)) => {
            format!("{me} pays {} influence and hides a card in the vault.", -change)
        }
        (_, Target::Card(t)) => format!("{me} chooses {}.", title(after, t)),
        (_, Target::Sector(hex)) => format!("{me} removes {} with {name}{gains}.", sector_title(old, hex)),
        (Myth::IonPulse, Target::Faction(faction)) => {
            format!("{me} weakens {faction}: {faction} cities add no strength.")
        }
        (Myth::SilverSwordUprising, Target::Faction(faction)) => {
            format!("{me} destroys a covered {faction} city with {name}{gains}.")
        }
        (_, Target::Faction(faction)) => format!("{me} uses {name} on {faction}{gains}."),
        (Myth::CyrisTreachery, Target::Player(seat)) => {
            format!("{me} swaps contributions with {}.", who(seat))
        }
        (Myth::SpymasterAtherNesimm, Target::Player(seat)) => {
            format!("{me} looks at {}'s hand{gains}.", who(seat))
        }
        (_, Target::Player(seat)) => format!("{me} takes {change} influence from {} with {name}.", who(seat)),
    })
}

/// Describes an event of nature; `None` if it needs no entry.
fn log_nature(
    before: &Position<Ozymandias>,
    line: &LoggedEventOf<Ozymandias>,
    after: &Position<Ozymandias>,
) -> Option<String> {
    let old = before.state();
    match old.step() {
        Task::Start => Some(format!("{} takes the first turn.", who(after.state().active))),
        Task::ShowMarked if !old.over() => {
            let cards = old.crisis.order.iter();
            let cards = cards.map(|it| format!("{} reveals {}.", who(it.holder), title(after, it.card)));
            Some(cards.collect::<Vec<_>>().join(" "))
        }
        Task::ShowMarked | Task::ShowMarket => {
            let shown: Vec<String> = line.shown.iter().map(|&(t, _)| title(after, t)).collect();
            let place =
                if old.step() == Task::ShowMarket { "New in the market" } else { "Revealed in vaults" };
            (!shown.is_empty()).then(|| format!("{place}: {}.", join(&shown)))
        }
        // Shuffles, deals and draws tell nothing that the event before them did not.
        _ => None,
    }
}

/// Appends sentences about what an event has changed for all: a decided crisis, values, fallen cities, vaults,
/// influence, the end.
fn news(
    before: &Position<Ozymandias>,
    line: &LoggedEventOf<Ozymandias>,
    after: &Position<Ozymandias>,
    all: &mut Vec<String>,
) {
    let (old, new) = (before.state(), after.state());
    if let Some(result) = Ozymandias::crisis_result(old, new) {
        all.push(result_text(&result));
    }
    if matches!(old.step(), Task::Contribute(_))
        && new.crisis.order.is_empty()
        && !matches!(new.step(), Task::Contribute(_) | Task::Mix(_))
    {
        all.push("Nobody contributes: the crisis changes nothing.".to_string());
    }
    for faction in FACTIONS {
        let (was, is) = (old.value(faction), new.value(faction));
        if was != is {
            let verb = if is > was { "rises" } else { "falls" };
            all.push(format!("{} {verb} from {was} to {is}.", capital(faction.word())));
        }
    }
    let chosen = matches!(line.event, Event::Act(Action::Choose(Target::Corner(_) | Target::Faction(_))));
    let fallen: Vec<String> = FACTIONS
        .into_iter()
        .map(|f| (new.supply[f.index()].saturating_sub(old.supply[f.index()]), f))
        .filter(|(back, _)| *back > 0)
        .map(|(back, f)| format!("{back} {f}"))
        .collect();
    // A single city that a card destroys has its entry already.
    let told_already = chosen && fallen.len() == 1 && !is_decided(old, new);
    if !fallen.is_empty() && !told_already {
        all.push(format!("Cities destroyed: {}.", join(&fallen)));
    }
    for seat in (0..new.seats).map(Seat) {
        for card in new.tokens.iter(vault(seat)).filter(|&t| !old.tokens.in_zone(t, vault(seat))) {
            // A card on the altar has its entry already.
            if new.tokens.is_public(card) {
                all.push(format!("{} locks {} in the vault.", who(seat), title(after, card)));
            }
        }
    }
    let told = before.actor().filter(|_| matches!(line.event, Event::Act(_)));
    for seat in (0..new.seats).map(Seat).filter(|&s| Some(s) != told) {
        match new.influence(seat) - old.influence(seat) {
            0 => {}
            gained if gained > 0 => all.push(format!("{} gains {gained} influence.", who(seat))),
            lost => all.push(format!("{} loses {} influence.", who(seat), -lost)),
        }
    }
    if new.over() && !old.over() {
        all.push(match new.bankrupt {
            Some(seat) => {
                let cheapest = new.cheapest().unwrap_or_default();
                let purse = new.influence(seat);
                format!(
                    "{} has {purse} influence and goes bankrupt: the cheapest card costs {cheapest}.",
                    who(seat)
                )
            }
            None if new.capped => "The last round is over.".to_string(),
            None => "A faction has reached 30: the game is over.".to_string(),
        });
    }
}

/// Returns whether a crisis was decided between two states.
fn is_decided(old: &Ozymandias, new: &Ozymandias) -> bool {
    Ozymandias::crisis_result(old, new).is_some()
}

/// Describes the result of a crisis: `Blue wins with strength 8 against white 4 and black 3.`
fn result_text(result: &CrisisResult) -> String {
    let winners: Vec<String> = result.winners.iter().map(|f| f.to_string()).collect();
    let best = result.cards.first().map_or(0, |it| it.strength.total());
    let losers = result.cards.iter().filter(|it| !result.winners.has(it.myth.faction()));
    let mut counted: Vec<(String, usize)> = Vec::new();
    for text in losers.map(|it| format!("{} {}", it.myth.faction(), it.strength.total())) {
        match counted.iter_mut().find(|(same, _)| *same == text) {
            Some((_, cards)) => *cards += 1,
            None => counted.push((text, 1)),
        }
    }
    let losers: Vec<String> = counted
        .into_iter()
        .map(|(text, cards)| if cards > 1 { format!("{text} ({cards} cards)") } else { text })
        .collect();
    let verb = if winners.len() > 1 { "tie and win" } else { "wins" };
    let against = if losers.is_empty() { String::new() } else { format!(" against {}", join(&losers)) };
    format!("{} {verb} with strength {best}{against}.", capital(&join(&winners)))
}

/// Capitalises the first letter.
fn capital(text: &str) -> String {
    text.chars().take(1).flat_map(char::to_uppercase).chain(text.chars().skip(1)).collect()
}

impl Ozymandias {
    /// Returns whether the last turn is over; vaults may still have to be opened.
    fn over(&self) -> bool {
        self.agenda.first() == Some(&Task::Over)
    }
}

const _: () = assert!(Ozymandias::INFO.max_seats == 5, "zones are laid out for five seats");
