//! Words for people: the summary, the table, labels, the log, and positions as readable data.

mod arrange;
mod labels;
mod log;
mod names;
mod prompt;
mod texts;

use crate::actions::Action;
use crate::cards::{FACTIONS, Faction, Kind, Thing};
use crate::state::{DECK, MARKET, Ozymandias, TILE_STACK, hand, tableau, vault};
use pentarchy_engine::{AppliedEvent, Describe, Game, Position, Seat, Zone};
use serde_json::{Value, json};

/// A position of Ozymandias.
type View = Position<Ozymandias>;

impl pentarchy_engine::Encode for Ozymandias {}

impl Ozymandias {
    /// Describes why the game ended, who won, and the tie-break; `None` before the end. Seats are written
    /// `@0`.
    pub fn end_text(&self) -> Option<String> {
        log::ending(self)
    }
}

impl Describe for Ozymandias {
    const SUMMARY: &'static str = include_str!("../summary.txt");

    /// Draws the table as text of about 80 columns, with what the observer of the position knows: track, map,
    /// market, seats.
    fn table(view: &Position<Self>) -> String {
        crate::table::table(view)
    }

    /// Returns the text of an action of the deciding seat on a button, with what it pays or costs and cards
    /// as the observer knows them. Does not check that the action is legal.
    fn label(view: &Position<Self>, action: Action) -> String {
        labels::label(view, action)
    }

    /// Returns the heading under which a list of actions shows this one: `Explore: sell a card, add a
    /// sector`, `Expand: play a card, build a city`, `Crisis: fight over a sector`, `Place the sector`,
    /// `Build the city`, `Crisis at`, `Use a tableau card`, `Contribute`, `Buy`, `Take back`, `Choose`, or
    /// `Or` for withdrawing, passing and being done.
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

    /// Returns what is awaited: an instruction if the observer decides, else a sentence about the deciding
    /// seat or about what is resolved without a decision.
    fn awaited(view: &Position<Self>) -> String {
        prompt::awaited(view)
    }

    /// Describes an event for the log from its facts, as the observer sees it; `None` if it needs no entry.
    fn log(event: &AppliedEvent<'_, Self>) -> Option<String> {
        log::log(event)
    }

    /// Returns the text of a card: title, faction, rank, when it works, effect. `None` for a tile.
    fn card_text(face: Thing) -> Option<String> {
        let Thing::Myth(myth) = face else { return None };
        let card = myth.printed();
        let when = match card.kind {
            Kind::Explore => "exploration",
            Kind::Expand => "expansion",
            Kind::Reveal => "crisis, when revealed",
            Kind::Aftermath => "crisis, aftermath",
        };
        Some(format!("{} ({} {}, {when}): {}", card.title, myth.faction(), card.rank, card.text))
    }

    /// Returns the public state as data: turn (from 0), round (from 1), active seat, values and supply by
    /// faction, influence by seat, deck price, whether the end of the track is reached, the bankrupt seat,
    /// sector values by hex, stacks by corner (bottom city first), and the sizes of all piles.
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

    /// Returns a copy with the differences of a scenario: `values` and `influence`, `stacks` (all of them;
    /// the supplies follow), `sectors` (the hexes of the tiles in the zone `map`, in their order), `active`,
    /// `turn`. What is not named stays; the agenda is unchanged.
    ///
    /// # Errors
    ///
    /// Fails if a name is unknown or a value is malformed or impossible.
    fn arranged(&self, differences: &Value) -> Result<Self, String> {
        self.with_differences(differences)
    }
}

const _: () = assert!(Ozymandias::INFO.max_seats == 5, "zones are laid out for five seats");
