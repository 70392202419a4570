//! The crisis panel: the four steps, the strength of each faction, what a card would do, the warning before bankruptcy.

use super::faces::{class, icon, myth, sigil};
use super::keys::{hex_of, token_of};
use super::words::{self, cities, faction_name, sector};
use super::{View, faces};
use crate::icons::ic;
use crate::markup::{El, b, div, el, span};
use crate::ui::Ui;
use pentarchy_engine::sorting::sort_by_key;
use pentarchy_engine::{Game, Seat};
use pentarchy_ozymandias::cards::{FACTIONS, Faction, Factions, Myth};
use pentarchy_ozymandias::forecast::{self, Fate, Forecast, Outlook, Purchase, Strength};
use pentarchy_ozymandias::map::Hex;
use pentarchy_ozymandias::state::hand;
use pentarchy_ozymandias::{Contributing, DecisionKind, Ozymandias};

/// The steps of a crisis.
const STEPS: [&str; 4] = ["Sector", "Contribute", "Reveal", "Aftermath"];

/// Returns the index of the crisis step under way in [`STEPS`]: 0 until the sector is named, 1 while cards are laid,
/// 2 while they are revealed, 3 once the winners are known. `None` without a crisis.
pub(super) fn step(state: &Ozymandias) -> Option<usize> {
    match state.decision_kind() {
        DecisionKind::Prelude | DecisionKind::Sector => return Some(0),
        _ => state.in_crisis()?,
    };
    let decided = state.crisis_winners() != Factions::default();
    Some(match state.decision_kind() {
        _ if decided => 3,
        DecisionKind::Contribute => 1,
        DecisionKind::Choose(_) => 2,
        _ if state.laid_cards().iter().any(|it| it.strength.is_some()) => 2,
        _ => 1,
    })
}

/// Returns the sector of the crisis: the one that was named, or, before that, the one that the player has
/// selected or the list points at. `None` if there is none yet.
pub(super) fn place(view: &View, ui: &Ui) -> Option<Hex> {
    match view.state().decision_kind() {
        DecisionKind::Sector => ui.chosen.first().or(ui.hinted.first()).and_then(|key| hex_of(key)),
        DecisionKind::Prelude => None,
        _ => view.state().in_crisis().map(|(hex, _)| hex),
    }
}

/// Draws the crisis panel: steps, heading, verdict, and rows once the sector is known: the strength that
/// each faction may reach, then the revealed contributions, at last those that are settled. While cards are
/// laid, also who has contributed. `None` without a crisis.
pub(super) fn panel(view: &View, ui: &Ui) -> Option<El> {
    let state = view.state();
    let step = step(state)?;
    let place = place(view, ui);
    let (heading, text) = panel_heading(view, ui, step, place);
    let rows = match (place, step) {
        (Some(hex), 0 | 1) => draw_expected(view, ui, hex),
        (Some(_), 2) => draw_revealed(view, ui),
        (Some(_), _) => draw_settled(view, ui),
        (None, _) => Vec::new(),
    };
    let chips = (step == 1).then(|| div("crc").kids(draw_chips(view, ui)));
    let panel = el("section")
        .class("crp")
        .set("aria-label", "Crisis")
        .set("tabindex", "0")
        .kid(strip(step))
        .kid(div("crh").kid(el("h3").text(heading)).kid(el("p").text(text)))
        .kid_if(draw_verdict(view, ui, step, place))
        .kid_if((!rows.is_empty()).then(|| el("ul").class("crf").kids(rows)))
        .kid_if(chips);
    Some(panel)
}

/// Draws the strip of the four steps with step `at` (0 to 3) as the current one and those before it as done.
pub(super) fn strip(at: usize) -> El {
    let step = |(i, name): (usize, &&'static str)| {
        el("li")
            .class_if(i < at, "d")
            .class_if(i == at, "on")
            .set_if(i == at, "aria-current", "step")
            .text(*name)
    };
    el("ol").class("crs").kids(STEPS.iter().enumerate().map(step))
}

/// Returns the heading and the text of the panel for a step (0 to 3) and the sector of the crisis, if it is known.
/// The player whose turn it is gets instructions.
fn panel_heading(view: &View, ui: &Ui, step: usize, place: Option<Hex>) -> (String, String) {
    let state = view.state();
    let active = state.active();
    let mine = ui.seat == Some(active);
    let name = place.map(|hex| sector(view, hex));
    match (step, name) {
        (0, None) if state.decision_kind() == DecisionKind::Prelude && mine => (
            "A crisis begins".to_string(),
            "Only hand cards can be contributed: first take back what you need from your tableau."
                .to_string(),
        ),
        (0, None) if mine => (
            "Choose a sector".to_string(),
            "Only factions with a city there take part. The strongest card wins for its faction.".to_string(),
        ),
        (0, None) => {
            ("A crisis begins".to_string(), format!("{} chooses where it happens.", ui.name(active)))
        }
        (0, Some(name)) => (format!("A crisis at {name}?"), "Only these factions take part.".to_string()),
        (1, Some(name)) => (
            format!("Crisis at {name}"),
            "Each player may contribute one card face down. Strength = rank + cities.".to_string(),
        ),
        (2, Some(_)) => (
            "Cards are revealed".to_string(),
            "Effects happen in turn order. Then the highest strength wins.".to_string(),
        ),
        _ => (
            "Aftermath".to_string(),
            "Cards of the winners go to vaults, the others to tableaus.".to_string(),
        ),
    }
}

/// Returns the card that the player of this screen has selected in the hand (or the list points at), else the one
/// that they have laid. `None` if there is none, the observer does not know it, or its faction takes no part.
fn own_card(view: &View, ui: &Ui) -> Option<Myth> {
    let seat = ui.seat?;
    let chosen = ui.chosen.first().or(ui.hinted.first()).and_then(|key| token_of(key));
    let in_hand = chosen.filter(|&t| view.state().tokens().in_zone(t, hand(seat)));
    let laid = || view.state().laid_cards().iter().find(|it| it.holder == seat).map(|it| it.card);
    in_hand.or_else(laid).and_then(|t| myth(view, t)).filter(|m| match view.state().in_crisis() {
        Some((_, here)) => here.has(m.faction()),
        None => true,
    })
}

/// Returns the hand card of the player of this screen that is strongest at a sector (the last of equals); `None` for
/// a spectator, or if no faction of their cards takes part there.
fn best_card(view: &View, ui: &Ui, hex: Hex) -> Option<Myth> {
    let (state, seat) = (view.state(), ui.seat?);
    let here = match state.in_crisis() {
        Some((_, here)) => here,
        None => state.factions_of(hex),
    };
    let cards = state.tokens().iter(hand(seat)).filter_map(|t| myth(view, t));
    cards.filter(|m| here.has(m.faction())).max_by_key(|&m| state.strength_at(m, hex).total())
}

/// Formats the parts of a strength: `rank 6 + 2 cities + 1 by effect`. Without cities and bonus only the rank. If Ion
/// Pulse cancels all cities, they are named as ignored.
pub(super) fn sum(strength: Strength) -> String {
    let mut text = format!("rank {}", strength.rank);
    match (strength.cities, strength.ignored) {
        (0, 0) => {}
        (0, ignored) => text += &format!(", {} ignored (Ion Pulse)", cities(usize::from(ignored))),
        (n, _) => text += &format!(" + {}", cities(usize::from(n))),
    }
    if strength.bonus > 0 {
        text += &format!(" + {} by effect", strength.bonus);
    }
    text
}

/// Draws a row for a faction: sigil, name, title (may be empty), small print, and the element `number` at the end.
pub(super) fn row(faction: Faction, title: String, small: String, number: El) -> El {
    let name = span("fnm").text(faction_name(faction));
    let name = if title.is_empty() { name } else { name.text(": ") };
    el("li")
        .class(class(faction))
        .kid(span("sg2").kid(ic(sigil(faction))))
        .kid(span("w").kid(name).text(title).kid(el("small").text(small)))
        .kid(number)
}

/// Draws a number in bold for the end of a [`row`].
pub(super) fn number(n: u8) -> El {
    b(n.to_string()).class("num")
}

/// Draws a row for each faction that takes part at the sector. That of the player's own card (laid or selected; their
/// best one before the sector is named) has its strength and comes first. The others, sorted by their number of
/// cities there, have the most that cards unseen by the player could reach, or `–` if none is left or nobody else can
/// contribute.
fn draw_expected(view: &View, ui: &Ui, hex: Hex) -> Vec<El> {
    let state = view.state();
    let named = state.in_crisis();
    let here = named.map_or_else(|| state.factions_of(hex), |(_, here)| here);
    let own = if named.is_some() { own_card(view, ui) } else { best_card(view, ui, hex) };
    let rivals = forecast::has_rivals(state, ui.seat);
    let unseen = forecast::unseen_cards(view, ui.seat);
    let mut factions: Vec<Faction> = here.iter().collect();
    sort_by_key(&mut factions, |&f| {
        (own.map(Myth::faction) != Some(f), std::cmp::Reverse(state.cities_of(f, hex)))
    });
    let each = |faction: Faction| {
        let count = state.cities_of(faction, hex);
        if let Some(card) = own.filter(|card| card.faction() == faction) {
            let strength = state.strength_at(card, hex);
            let title = card.printed().title.to_string();
            return row(faction, title, sum(strength), number(strength.total())).class("me");
        }
        let most = forecast::most(state, &unseen, faction, hex).filter(|_| rivals);
        let number = match most {
            Some(most) => b("").class("num").kid(el("small").text("up to ")).text(most.total().to_string()),
            None => b("–").class("num"),
        };
        let small = match most {
            Some(_) => format!("rank + {}", cities(count)),
            None => format!("{}, no card left", cities(count)),
        };
        row(faction, String::new(), small, number)
    };
    factions.into_iter().map(each).collect()
}

/// Draws a row for each contribution that is revealed, with its owner and its strength so far, the strongest first.
/// Each row is the piece of its card. Cards that the observer does not know are left out.
fn draw_revealed(view: &View, ui: &Ui) -> Vec<El> {
    let state = view.state();
    let mut laid = state.laid_cards();
    sort_by_key(&mut laid, |it| std::cmp::Reverse(it.strength.map(Strength::total)));
    let known = |it: &pentarchy_ozymandias::Laid| {
        let card = myth(view, it.card)?;
        let strength = it.strength?;
        let owner = ui.name(it.holder);
        let mute = if it.mute { ", no effect" } else { "" };
        let small = format!("{} · {owner}{mute}", sum(strength));
        let row = row(card.faction(), card.printed().title.to_string(), small, number(strength.total()));
        let row = row.class_if(ui.seat == Some(it.holder), "me");
        Some(ui.piece(row, &it.card.to_string(), card.printed().title))
    };
    laid.iter().filter_map(known).collect()
}

/// Draws a row for each contribution that the observer knows after the crisis was decided, in the order in which they
/// were laid, with its owner, where the card goes, and the value of its faction.
fn draw_settled(view: &View, ui: &Ui) -> Vec<El> {
    let state = view.state();
    let won = state.crisis_winners();
    let each = |it: &pentarchy_ozymandias::Laid| {
        let card = myth(view, it.card)?;
        let wins = won.has(card.faction());
        let fate = match it.fate? {
            Fate::Vault => "goes to the vault",
            Fate::Tableau => "goes to the tableau",
            Fate::Hand => "returns to the hand",
        };
        let small = format!("{} · {fate}", ui.name(it.holder));
        let value = b(state.value(card.faction()).to_string()).class("num");
        let row = row(card.faction(), card.printed().title.to_string(), small, value);
        let row = row.class_if(ui.seat == Some(it.holder), "me").class_if(!wins, "lost");
        Some(ui.piece(row, &it.card.to_string(), card.printed().title))
    };
    state.laid_cards().iter().filter_map(each).collect()
}

/// Draws a chip for each player, in the order in which they contribute, with the state of their contribution:
/// `face down`, `no card`, `choosing` or `waiting`. The chip of a player who has laid a card carries that card's key
/// and token, for its note and its animation.
fn draw_chips(view: &View, ui: &Ui) -> Vec<El> {
    let state = view.state();
    let chip = |seat: Seat| {
        let said = match state.contributing(seat) {
            Contributing::Laid => "face down",
            Contributing::Nothing => "no card",
            Contributing::Asked => "choosing",
            Contributing::Waiting => "waiting",
        };
        let laid = state.laid_cards().into_iter().find(|it| it.holder == seat);
        let chip = span("ch").class_if(laid.is_none(), "q").kid(ui.mark(seat));
        let chip = chip.text(format!("{}: {said}", ui.name(seat)));
        match laid {
            Some(it) => chip.set("data-key", it.card.to_string()).token(it.card),
            None => chip,
        }
    };
    // In the order in which they contribute.
    state.active().ring(view.seats()).map(chip).collect()
}

/// Draws a box with a title and a text; `mood` is its CSS class: empty, `maybe` or `bad`.
fn draw_box(mood: &'static str, title: String, text: String) -> El {
    div("crv").class(mood).kid(b(title)).text(text)
}

/// Draws a verdict for a step (0 to 3). In steps 0 and 1, for the player of this screen: while they choose,
/// a warning of bankruptcy if there is one; else what they can expect from the card that they selected or
/// laid, or from their best one, or that none fits. In step 2 which factions lead, and in step 3 which have
/// won and their values. `None` in steps 0 and 1 for a spectator, without a sector, or for a player who
/// laid no card; in step 2 before a card is revealed.
fn draw_verdict(view: &View, ui: &Ui, step: usize, place: Option<Hex>) -> Option<El> {
    let state = view.state();
    match step {
        0 | 1 => {
            let (hex, seat) = (place?, ui.seat?);
            let asked = state.contributing(seat) == Contributing::Asked && step == 1;
            if step == 1
                && asked
                && let Some(warning) = draw_warning(view, seat, own_card(view, ui))
            {
                return Some(warning);
            }
            if step == 1 && !asked && own_card(view, ui).is_none() {
                return None;
            }
            let card = if step == 1 { own_card(view, ui) } else { None };
            match card.or_else(|| best_card(view, ui, hex)) {
                Some(best) => {
                    let forecast = forecast::forecast(view, seat, best, hex);
                    Some(draw_outlook(best, forecast, card.is_some()))
                }
                None => Some(draw_box(
                    "maybe",
                    "No card of yours fits".to_string(),
                    format!("You hold no card of a faction with a city at {}.", sector(view, hex)),
                )),
            }
        }
        2 => {
            let laid = state.laid_cards();
            let best = laid.iter().filter_map(|it| it.strength).map(Strength::total).max()?;
            let lead = laid.iter().filter(|it| it.strength.is_some_and(|s| s.total() == best));
            let lead: Vec<String> = lead
                .filter_map(|it| Some(faction_name(myth(view, it.card)?.faction()).to_string()))
                .collect();
            let verb = if lead.len() > 1 { "lead" } else { "leads" };
            let title = format!("{} {verb} with strength {best}", crate::words::and(&without_repeats(lead)));
            Some(draw_box("", title, effects(state)))
        }
        _ => {
            let won = state.crisis_winners();
            let names: Vec<String> = won.iter().map(|f| faction_name(f).to_string()).collect();
            let verb = if names.len() > 1 { "win" } else { "wins" };
            let rise: Vec<String> =
                won.iter().map(|f| format!("{} is now worth {}.", faction_name(f), state.value(f))).collect();
            Some(draw_box("", format!("{} {verb}", crate::words::and(&names)), rise.join(" ")))
        }
    }
}

/// Returns the names in their order, of equal neighbours only one.
fn without_repeats(mut names: Vec<String>) -> Vec<String> {
    names.dedup();
    names
}

/// Describes the crisis effects in force, one sentence each; empty if there are none.
pub(super) fn effects(state: &Ozymandias) -> String {
    let now = state.crisis_effects();
    let mut all: Vec<String> = Vec::new();
    let pulsed = FACTIONS.into_iter().filter(|&f| now.pulsed.has(f));
    all.extend(pulsed.map(|f| format!("Ion Pulse: {f} cities add nothing.")));
    if now.peace {
        all.push("Peace Talks: no city is destroyed.".to_string());
    }
    if now.white_safe {
        all.push("Chera’s Protection: white cities are safe.".to_string());
    }
    if now.covered_safe {
        all.push("Unbreakable Spirit: covered cities are safe.".to_string());
    }
    all.join(" ")
}

/// Draws how a card compares with what the others may hold: `You would win`, `You would win or tie` or
/// `You could lose`, with the reason. `tries` is whether the player has selected or laid the card; otherwise it is
/// presented as their best one.
fn draw_outlook(card: Myth, forecast: Forecast, tries: bool) -> El {
    let total = forecast.strength.total();
    let rival =
        forecast.rival.map(|(faction, most)| format!("{} could reach {most}.", faction_name(faction)));
    let rival = rival.unwrap_or_default();
    let odds = match forecast.beaten_by {
        0 => String::new(),
        n => format!("{n} of {} unseen cards would beat it.", forecast.of),
    };
    let (mood, title) = match forecast.outlook {
        Outlook::Wins => ("", "You would win"),
        Outlook::WinsOrTies => ("", "You would win or tie"),
        Outlook::MayLose => ("maybe", "You could lose"),
    };
    let known = match forecast.outlook {
        Outlook::Wins if forecast.of == 0 => "Nobody else can contribute.".to_string(),
        Outlook::Wins => "No card of another faction can reach it.".to_string(),
        Outlook::WinsOrTies => format!("{rival} In a tie both factions win."),
        Outlook::MayLose => format!("{rival} {odds}"),
    };
    if tries {
        let effects = if forecast.of == 0 { "" } else { " Card effects can still change this." };
        return draw_box(mood, title.to_string(), format!("{known}{effects}"));
    }
    let title = format!("Your best card: {}, strength {total}", card.faction());
    draw_box(mood, title, format!("{}: {}. {known}", card.printed().title, sum(forecast.strength)))
}

/// Formats a purchase as `You have 3 influence; the cheapest card costs 5.` Not checked: whether it cannot be paid.
pub(super) fn unpaid(purchase: Purchase) -> String {
    format!("You have {} influence; the cheapest card costs {}.", purchase.influence, purchase.cheapest)
}

/// Draws a warning if contributing this card, or passing for `None`, can lead to the bankruptcy of the seat in the
/// crisis under way; `None` if it cannot. A screen reader announces it.
fn draw_warning(view: &View, seat: Seat, card: Option<Myth>) -> Option<El> {
    let risk = view.state().risk(seat, card);
    let (title, purchase) = match (risk.winning, risk.losing) {
        (Some(_), Some(purchase)) => ("This would bankrupt you", purchase),
        (Some(purchase), None) => ("Winning would bankrupt you", purchase),
        (None, Some(purchase)) if card.is_some() => ("Losing could bankrupt you", purchase),
        (None, Some(purchase)) => ("Passing could bankrupt you", purchase),
        (None, None) => return None,
    };
    let why = match (risk.winning, card) {
        (Some(_), Some(_)) => "A winning card goes to your vault: ",
        _ => "",
    };
    let cards = purchase.cards;
    let text = format!(
        "{}{} left, so you must buy one. {} The game would end with you last.",
        why,
        words::cards(cards),
        unpaid(purchase)
    );
    Some(draw_box("bad", title.to_string(), crate::words::capital(&text)).set("role", "alert"))
}

/// Draws a small picture of a card in its faction's colour, with its rank. It is no piece.
pub(super) fn swatch(card: Myth) -> El {
    span(format!("sw {}", faces::class(card.faction())))
        .kid(ic(icon(card)))
        .kid(b(card.rank().to_string()).class("rnk"))
}
