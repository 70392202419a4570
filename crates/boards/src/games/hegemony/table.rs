//! The table: the Empire, the common pool, the other players, and the player at this screen.

use super::keys::{deck_key, first_twin, room_key, side_key, slot_key};
use super::{faces, fight, words};
use crate::card::{CardSize, card, twin};
use crate::icons::ic;
use crate::markup::{El, b, div, el, span};
use crate::ui::Ui;
use pentarchy_engine::{Game, Node, Position, Seat, Token};
use pentarchy_hegemony::places::{COMMON, deck, discard, hand, slot};
use pentarchy_hegemony::{Card, Hegemony, Side, Task};

type View = Position<Hegemony>;

/// Draws the whole board: Empire, middle row, the other players in seating order, and the slots of `ui.seat` unless
/// that seat is out. A spectator sees all players as others.
pub(super) fn draw(view: &View, ui: &Ui) -> El {
    let hands = ui.seat.is_none_or(|seat| view.state().tokens().is_empty(hand(seat)));
    let own = ui.seat.filter(|&seat| view.state().is_in(seat.into()));
    let others: Vec<Seat> = match ui.seat {
        Some(seat) => seat.ring(view.seats()).skip(1).collect(),
        None => (0..view.seats()).map(Seat).collect(),
    };
    div("heg")
        .class_if(hands, "tall")
        .kid(draw_empire(view, ui))
        .kid(draw_middle(view, ui))
        .kid_if((!others.is_empty()).then(|| {
            div(format!("foes n{}", others.len()))
                .set_if(ui.narrow, "tabindex", "0")
                .kids(others.iter().map(|&seat| draw_foe(view, ui, seat)))
        }))
        .kid_if(own.map(|seat| draw_own(view, ui, seat)))
}

/// Draws a named button on the board with the icon of this name; `None` while its key can be neither clicked nor is
/// selected.
fn draw_lever(ui: &Ui, key: &str, icon: &str, text: String) -> Option<El> {
    (ui.lit(key) || ui.chosen(key)).then(|| {
        let button = span("lever").kid(ic(icon)).text(text.clone());
        ui.piece(button, key, text)
    })
}

/// Draws the lever of a turn action, with key, icon name and text; `None` while it can be neither clicked nor is
/// selected, and on a narrow screen, where the prompt offers these actions in words.
fn draw_turn_lever(ui: &Ui, key: &str, icon: &str, text: &str) -> Option<El> {
    if ui.narrow { None } else { draw_lever(ui, key, icon, text.to_string()) }
}

/// Draws the levers that are `Some` at the right end of a row; `None` if there are none.
fn draw_levers(levers: impl IntoIterator<Item = Option<El>>) -> Option<El> {
    let levers: Vec<El> = levers.into_iter().flatten().collect();
    (!levers.is_empty()).then(|| div("levers").kids(levers))
}

/// Returns the points of the Empire at the start in standard difficulty with this number of seats: the full length of
/// its bar.
fn full_bar(view: &View) -> i32 {
    let n = view.state().tuning();
    n.standard_base + n.standard_each * i32::from(view.seats())
}

/// Draws the row of the Empire: its points (`fallen` once it is out) with a bar, its slots, and the buttons to trade
/// with it, target it or look at its deck, each while it can be clicked or is selected.
fn draw_empire(view: &View, ui: &Ui) -> El {
    let state = view.state();
    let side = Side::EMPIRE;
    let standing = state.is_in(side);
    let points = state.points(side);
    let part = (points.max(0) * 100 / full_bar(view).max(1)).min(100);
    let label = div("pl")
        .kid(span("lbl").kid(ic("imperial-crown")).text(" Empire"))
        .kid(div("num").tick("empire").text(if standing {
            words::number(points)
        } else {
            "fallen".to_string()
        }))
        .kid(div("bar2").kid(el("i").set("style", format!("width:{part}%"))));
    let levers = [
        draw_turn_lever(ui, "trade", "two-coins", "Trade"),
        draw_target_lever(view, ui, side),
        draw_lever(ui, &deck_key(side), "card-pick", "Its deck".to_string()),
    ];
    let last = state.occupied_slots(side).last().map_or(0, |i| i + 1);
    let slots = state.slot_count(side).max(last);
    let cards = (0..slots).map(|i| match state.tokens().top(slot(side, i)) {
        Some(t) => slot_card(view, ui, side, i, t, CardSize::M),
        None => empty_slot(ui, side, i, "M"),
    });
    let cards = div("cards").set("tabindex", "0").kids(cards);
    div("row emp").set("id", "empire-row").kid(label).kid(cards).kid_if(draw_levers(levers))
}

/// Draws the button that targets a side. In the phases of a turn it says `Attack 5 : 3 + 2?`, the attack of the
/// player whose turn it is against the known defence and the number of hidden cards, with these numbers in words for
/// tooltips and screen readers. Outside these phases it says `Target`. `None` if the side cannot be targeted, and on
/// a narrow screen in the phases of a turn, where the prompt offers it.
fn draw_target_lever(view: &View, ui: &Ui, side: Side) -> Option<El> {
    let key = side_key(side);
    let seat = match view.state().step() {
        // While cards are replaced or bought, an attack continues first.
        Task::Act(seat) | Task::Replace(seat, ..) | Task::Purchase(seat, _) => seat,
        _ => return draw_lever(ui, &key, "gladius", "Target".to_string()),
    };
    if ui.narrow {
        return None;
    }
    let powers = words::powers(view, seat.into(), side);
    let says = format!("Attack: your {}", words::against(view, seat.into(), side));
    let lever = draw_lever(ui, &key, "gladius", format!("Attack {powers}"))?;
    Some(lever.set("aria-label", says.clone()).set("title", says))
}

/// Returns the key that a click on card `t` in slot `i` of a side selects: that of the slot if only the slot can be
/// clicked or is selected, otherwise that of the card.
fn live_key(ui: &Ui, side: Side, i: u8, t: Token) -> String {
    let (own, whole) = (t.to_string(), slot_key(side, i));
    let live = |key: &str| ui.lit(key) || ui.chosen(key);
    if !live(&own) && live(&whole) { whole } else { own }
}

/// Draws card `t` of slot `i` in a size. An open card of the Empire has its current price while somebody trades; a
/// card that is switched off says by which card; one that others know although it lies face down has an eye.
fn slot_card(view: &View, ui: &Ui, side: Side, i: u8, t: Token, size: CardSize) -> El {
    let mut face = faces::slotted(view, t, live_key(ui, side, i, t));
    let state = view.state();
    if side.is_empire()
        && let Task::Trade(seat, ..) | Task::Answer(seat, _) = state.step()
        && let Some(price) = words::price(view, seat, t).filter(|_| state.tokens().is_public(t))
    {
        face.cost = view.face(t).map(|card| state.cost_of(card).to_string());
        face.now = Some(price.total.to_string());
    }
    let off = state.switched_off(side, i);
    let mut drawn = card(&face, size, ui).token(t);
    if let Some(cause) = off {
        drawn = drawn.set("data-off", cause.title());
    }
    drawn.kid_if(faces::is_seen(view, side, i, t).then(|| span("eye").kid(ic("semi-closed-eye"))))
}

/// Draws the empty slot `i` (from 0) of a side, with a `+` if it can be clicked. `size` is a CSS class: `M` or `S`.
fn empty_slot(ui: &Ui, side: Side, i: u8, size: &'static str) -> El {
    let key = slot_key(side, i);
    let shape = div(format!("slotE {size}"));
    let shape = if ui.lit(&key) { shape.text("+") } else { shape };
    ui.piece(shape, &key, format!("Empty slot {}", i + 1))
}

/// Draws the middle row: the current battle; the cards that the player at this screen may take or give; a Hegemony
/// roll that is awaited; otherwise the pool.
fn draw_middle(view: &View, ui: &Ui) -> El {
    let state = view.state();
    if state.fought().is_some() {
        return fight::battle_line(view, ui);
    }
    match state.step() {
        Task::Take(seat, target) if ui.seat == Some(seat) => {
            draw_chooser(view, ui, "Take one of these", deck(target.into()))
        }
        Task::Give(seat) if ui.seat == Some(seat) => {
            draw_chooser(view, ui, "Give one of these", deck(seat.into()))
        }
        Task::Die(seat) => fight::roll_line(view, ui, seat),
        _ => draw_pool(view, ui),
    }
}

/// Draws the middle row for a choice of cards: `label`, and the cards of a zone that the observer knows, in their
/// order. Of equal cards only the first is drawn. Each has its token as key and can be clicked if `ui` says so.
fn draw_chooser(view: &View, ui: &Ui, label: &'static str, zone: pentarchy_engine::Zone) -> El {
    let state = view.state();
    let mut seen = Vec::new();
    let mut cards = Vec::new();
    for t in state.tokens().iter(zone) {
        let Some(face) = view.face(t).filter(|f| !seen.contains(f)) else { continue };
        seen.push(face);
        cards.push(card(&faces::open(state, face, t.to_string()), CardSize::M, ui));
    }
    div("row pool")
        .kid(div("pl").kid(span("lbl").text(label)))
        .kid(div("cards").set_if(ui.narrow, "tabindex", "0").kids(cards))
}

/// Draws the common pool, or `No cards for sale.` While the player at this screen buys, each card has its current
/// price. While they buy or mark a card, cards that cannot be clicked are greyed. The parts of the price of the
/// selected card are shown if there are several. Prices and discounts are those of the deciding seat; while no seat
/// decides, of the player at this screen.
fn draw_pool(view: &View, ui: &Ui) -> El {
    let state = view.state();
    let buyer = match view.node() {
        Node::Decide(seat) => seat,
        _ => ui.seat.unwrap_or(Seat(0)),
    };
    let buys = match state.step() {
        Task::Purchase(_, left) | Task::Upkeep(_, left) => left > 0,
        Task::Scalp(..) => true,
        _ => false,
    };
    let priced = buys && ui.mine && !matches!(state.step(), Task::Scalp(..));
    let cards = state.tokens().iter(COMMON).filter_map(|t| {
        let shown = view.face(t)?;
        let first = first_twin(view, t).to_string();
        let mut face = faces::open(state, shown, first.clone());
        face.usable = buys;
        let sum = words::price(view, buyer, t);
        if priced && let Some(sum) = &sum {
            face.now = Some(sum.total.to_string());
            face.spoken = format!("{}, now {}", face.spoken, sum.total);
        }
        let more = state.surcharge(t);
        let explained = ui.chosen(&first) && t.to_string() == first;
        let sum = sum.filter(|sum| explained && sum.parts.len() > 1);
        let bubble = sum.map(|sum| div("why up").text(words::sum(&sum)));
        let tag = (more > 0).then(|| span("scalp").text(format!("+{more} Scalper")));
        let drawn = card(&face, CardSize::M, ui).token(t);
        let drawn = if t.to_string() == first { drawn } else { twin(drawn) };
        Some(div("wrap").kid_if(tag).kid(drawn).kid_if(bubble))
    });
    let cards: Vec<El> = cards.collect();
    let note = describe_terms(view, buyer);
    let empty = cards.is_empty();
    div("row pool").kid(div("pl").kid(span("lbl").text("Common pool")).kid(el("p").text(note))).kid(
        div("cards")
            .set_if(ui.narrow, "tabindex", "0")
            .kids(cards)
            .kid_if(empty.then(|| el("p").class("none").text("No cards for sale."))),
    )
}

/// Describes the discount that the seat's open Grifters and Markets, in slots that are not switched off, give on the
/// pool: `Each card costs you 2 less.` Without one, the size of the pool's deck: `Deck: 5 cards`.
fn describe_terms(view: &View, seat: Seat) -> String {
    let state = view.state();
    let side = Side::from(seat);
    let has = |wanted: Card| {
        let slots = state.occupied_slots(side).filter(|&i| state.switched_off(side, i).is_none());
        let tokens = slots.flat_map(|i| state.tokens().iter(slot(side, i)));
        tokens.filter(|&t| state.tokens().public_face(t) == Some(wanted)).count() as i32
    };
    let n = state.tuning();
    let off = n.grifter * has(Card::Grifter) + n.market_discount * has(Card::Market);
    match off {
        0 => match state.tokens().len(pentarchy_hegemony::places::POOL_DECK) {
            1 => "Deck: 1 card".to_string(),
            n => format!("Deck: {n} cards"),
        },
        _ => format!("Each card costs you {off} less."),
    }
}

/// Draws another player: name, burdens, points and small slots with all their cards, and the buttons to target them
/// or look at their deck, each while it can be clicked or is selected. A player who is out has a note instead of
/// slots.
fn draw_foe(view: &View, ui: &Ui, seat: Seat) -> El {
    let state = view.state();
    let side = Side::from(seat);
    let burdens: Vec<String> = state
        .burdens(seat)
        .map(|(card, n)| if n > 1 { format!("{} × {n}", card.title()) } else { card.title().to_string() })
        .collect();
    let head = div("fh")
        .kid(ui.mark(seat))
        .kid(span("who").set("title", ui.name(seat).to_string()).text(ui.name(seat).to_string()))
        .kid_if((!burdens.is_empty()).then(|| span("mk").text(burdens.join(", "))))
        .kid_if(draw_target_lever(view, ui, side))
        .kid_if(draw_lever(ui, &deck_key(side), "card-pick", "Deck".to_string()))
        .kid(span("num").tick(format!("points {side}")).text(words::number(state.points(side))));
    let slots = (0..state.slot_count(side)).map(|i| {
        let mut cards = state.tokens().iter(slot(side, i)).peekable();
        if cards.peek().is_none() {
            return div("stack").kid(empty_slot(ui, side, i, "S"));
        }
        div("stack").kids(cards.map(|t| slot_card(view, ui, side, i, t, CardSize::S)))
    });
    let body = div("sl").kids(slots);
    el("section").class(format!("foe {}", ui.c(seat))).class_if(!state.is_in(side), "out").kid(head).kid(
        if state.is_in(side) { body } else { div("sl").kid(el("p").class("none").text("Out of the game.")) },
    )
}

/// Draws the row of the player at this screen (`seat`): slots with the cards behind them, burdens, attack on the
/// Empire, defence, and the roll bonus unless it is 0, each number with its key for the note. The levers
/// `Fresh cards` (not on a narrow screen) and `Place face up` are drawn while they can be clicked or are selected.
fn draw_own(view: &View, ui: &Ui, seat: Seat) -> El {
    let state = view.state();
    let side = Side::from(seat);
    let face = |t| view.face(t);
    let attack = state.explain_attack(side, Side::EMPIRE, face).total;
    let defence = state.explain_defence(side, face).total;
    let roll = state.explain_roll(seat, face).total;
    let burdens: Vec<&str> = state.burdens(seat).map(|(card, _)| card.title()).collect();
    let number = |what: &'static str, key: String, value: String| {
        let text = format!("{what} {value}");
        ui.piece(div("sum1").text(format!("{what} ")).kid(b(value)), &key, text)
    };
    let label = div("pl")
        .kid(span("lbl").text("Your slots"))
        .kid(number("Attack", format!("attack {side}"), attack.to_string()))
        .kid(number("Defence", format!("defence {side}"), defence.to_string()))
        .kid_if(
            (roll != 0).then(|| number("Roll", format!("roll {side}"), crate::markup::signed(roll.into()))),
        )
        .kid_if((!burdens.is_empty()).then(|| el("p").class("mk").text(burdens.join(", "))));
    let levers = [
        draw_turn_lever(ui, "fresh", "card-pick", "Fresh cards"),
        draw_lever(ui, "up", "eyeball", "Place face up".to_string()),
    ];
    let slots = (0..state.slot_count(side)).map(|i| own_slot(view, ui, seat, i));
    el("section")
        .class(format!("row own {}", ui.c(seat)))
        .set("id", "own-row")
        .kid(label)
        .kid(div("cards").set_if(ui.narrow, "tabindex", "0").kids(slots))
        .kid_if(draw_levers(levers))
}

/// Draws slot `i` (from 0) of the player at this screen (`seat`): the base card with the cards and the free places
/// behind it, or an empty slot, with its number below. Of the free places only the first can be clicked. A slot whose
/// key can be clicked is marked as a target.
fn own_slot(view: &View, ui: &Ui, seat: Seat, i: u8) -> El {
    let state = view.state();
    let side = Side::from(seat);
    let cards: Vec<Token> = state.tokens().iter(slot(side, i)).collect();
    let key = slot_key(side, i);
    let lit = ui.lit(&key);
    let inner = match cards.split_first() {
        None => empty_slot(ui, side, i, "M"),
        Some((&base, behind)) => {
            let room = view.face(base).map_or(0, |card| state.room_behind(card));
            let drawn = slot_card(view, ui, side, i, base, CardSize::M);
            if room == 0 && behind.is_empty() {
                drawn
            } else {
                let free = (behind.len()..room).enumerate().map(|(n, _)| {
                    let key = if n == 0 { room_key(side, i) } else { format!("free {side} {i}") };
                    let place = div("slotE");
                    let place = if ui.lit(&key) { place.class("can").text("+") } else { place };
                    ui.piece(place, &key, "Room for one more card".to_string())
                });
                let stationed = behind.iter().map(|&t| slot_card(view, ui, side, i, t, CardSize::S));
                let class = if view.face(base) == Some(Card::Factory) { "behind tra" } else { "behind" };
                div("stk").kid(drawn).kid(div(class).kids(stationed).kids(free))
            }
        }
    };
    let number = el("i").class("no1").set("aria-hidden", "true").text((i + 1).to_string());
    div("tgt1").class_if(lit, "tgt").kid(inner).kid(number)
}

/// Draws the cards of a seat's hand in size L, in their order. Cards of the same face share the key of the first;
/// cards that the observer does not know are drawn as backs. In this seat's step of replacing slots, cards that
/// cannot be clicked are greyed while the player at this screen decides.
pub(super) fn hand_cards(view: &View, ui: &Ui, seat: Seat) -> Vec<El> {
    let state = view.state();
    let replacing = matches!(state.step(), Task::Replace(s, ..) if s == seat);
    let cards = state.tokens().iter(hand(seat)).map(|t| match view.face(t) {
        Some(shown) => {
            let first = first_twin(view, t);
            let mut face = faces::open(state, shown, first.to_string());
            face.usable = replacing;
            let drawn = card(&face, CardSize::L, ui).token(t);
            if t == first { drawn } else { twin(drawn) }
        }
        None => card(&hidden_face(t), CardSize::L, ui),
    });
    cards.collect()
}

/// Builds the back of a card whose face and category are unknown, with the token as its key.
fn hidden_face(t: Token) -> crate::card::CardFace {
    crate::card::CardFace {
        key: t.to_string(),
        class: "down".into(),
        name: "Hidden".into(),
        icon: "laurel-crown".into(),
        ..Default::default()
    }
}

/// Returns the number of cards in a seat's deck, discard pile and hand, in this order.
pub(super) fn piles(state: &Hegemony, seat: Seat) -> [usize; 3] {
    let (side, tokens) = (Side::from(seat), state.tokens());
    [tokens.len(deck(side)), tokens.len(discard(side)), tokens.len(hand(seat))]
}
