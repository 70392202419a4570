//! The report of a finished battle or Hegemony roll: every card with its power and its fate, the die with its
//! modifiers, and the points that moved. All numbers come from the rules.

use super::{faces, words};
use crate::board::EventReport;
use crate::icons::{d20, ic};
use crate::markup::{El, b, div, el, signed, span};
use crate::ui::Ui;
use crate::words::plain;
use pentarchy_engine::{Describe, Event, Game, LoggedEventOf, Position, Seat, Token};
use pentarchy_hegemony::places::{POOL_DISCARD, Place, deck, place, slot};
use pentarchy_hegemony::{Action, Aftermath, Card, Fighter, Hegemony, Side, Task};

type View = Position<Hegemony>;
type Events<'a> = &'a [(View, LoggedEventOf<Hegemony>)];

/// The Hegemony roll with which the events began.
struct Roll {
    seat: Seat,
    natural: i32,
    total: i32,
    war: bool,
}

/// A combat roll.
struct Combat {
    token: Token,
    natural: i32,
    bonus: i32,
}

/// The report of what has just ended, if it was a battle or a Hegemony roll.
pub(super) fn report(events: Events<'_>, after: &View, ui: &Ui) -> Option<EventReport> {
    let (before, line) = events.first()?;
    let roll = roll_of(before, line);
    let sides = match (&roll, line.event) {
        (Some(roll), _) => roll.war.then_some([Side::EMPIRE, Side::from(roll.seat)]),
        (None, Event::Act(Action::War(on))) => Some([Side::from(before.actor()?), on]),
        _ => return None,
    };
    let own = ui.seat.map(Side::from);
    match sides {
        Some(sides) => {
            let battle = Battle::of(events, after, sides);
            let el =
                div("rep").kid(battle.heading(ui)).kid_if(roll.as_ref().map(|roll| strip(before, roll, ui)));
            Some(EventReport {
                el: el.kid(battle.totals_row(ui)).kid(battle.rows(ui)).kid(battle.points_row(ui)),
                concerns: own.is_some_and(|own| sides.contains(&own)),
                summary: plain(&battle.text(), ui),
            })
        }
        None => {
            // The die of somebody else's trade is shown by the shell.
            let roll = roll.filter(|roll| ui.seat == Some(roll.seat))?;
            let text = Hegemony::log(before, line, after).unwrap_or_default().replace('\n', " ");
            Some(EventReport {
                el: trade(before, after, &roll, ui),
                concerns: true,
                summary: plain(&words::slots_from_one(&text), ui),
            })
        }
    }
}

fn roll_of(before: &View, line: &LoggedEventOf<Hegemony>) -> Option<Roll> {
    let (Task::Die(seat), Event::Rolled(n)) = (before.state().step(), line.event) else { return None };
    let state = before.state();
    let total = n as i32 + state.explain_roll(seat, |t| state.tokens().public_face(t)).total;
    Some(Roll { seat, natural: n as i32, total, war: total <= state.tuning().war_up_to })
}

/// Whether the event is a Hegemony roll that means war.
pub(super) fn is_war(before: &View, line: &LoggedEventOf<Hegemony>) -> bool {
    roll_of(before, line).is_some_and(|roll| roll.war)
}

fn side_name(ui: &Ui, side: Side) -> String {
    side.seat().map_or("The Empire".to_string(), |seat| ui.name(seat).to_string())
}

fn colour(ui: &Ui, side: Side) -> String {
    side.seat().map_or("c0".to_string(), |seat| ui.c(seat))
}

fn mark(ui: &Ui, side: Side) -> El {
    side.seat().map_or_else(|| crate::icons::seat_mark(0), |seat| ui.mark(seat))
}

/// "You attack", "Sena attacks".
fn verb(ui: &Ui, side: Side, verb: &str) -> String {
    let name = side_name(ui, side);
    if name == "You" { format!("You {}", verb.trim_end_matches('s')) } else { format!("{name} {verb}") }
}

/// Points that moved: `You 21 → 26 +5`.
fn moved(ui: &Ui, side: Side, was: i32, is: i32) -> El {
    let by = is - was;
    let class = if by < 0 { "minus1" } else { "plus1" };
    span(format!("v {}", colour(ui, side)))
        .kid(mark(ui, side))
        .text(format!("{} ", side_name(ui, side)))
        .kid(el("s").text(format!("{} →", words::number(was))))
        .kid(b(words::number(is)).class("num"))
        .kid(b(signed(by.into())).class(class))
}

// --- The battle

struct Battle {
    sides: [Side; 2],
    fighters: [Vec<Fighter>; 2],
    totals: [i32; 2],
    rolls: Vec<Combat>,
    hidden: Vec<Token>,
    before: Hegemony,
    after: Hegemony,
    /// The position that has the points after the battle.
    ends: Hegemony,
    /// The side whose turn began with the event that ended the battle, if its income came with it.
    pays: Option<Side>,
}

impl Battle {
    fn of(events: Events<'_>, after: &View, sides: [Side; 2]) -> Self {
        let before = &events[0].0;
        let [attacker, defender] = sides;
        let tokens = before.state().tokens();
        // A card is known from before, from the revelation, or because it is one's own.
        let face = |t: Token| {
            let shown = || events.iter().flat_map(|(_, line)| &line.shown).find(|(u, _)| *u == t);
            tokens.public_face(t).or_else(|| shown().map(|(_, card)| *card)).or_else(|| before.face(t))
        };
        let fighters = before.state().fighters(attacker, defender, face);
        let totals = [0, 1].map(|k| fighters[k].iter().map(|f: &Fighter| f.power.total).sum());
        let rolls = events.iter().filter_map(|(view, line)| {
            let (Task::Combat(which, i, k), Event::Rolled(n)) = (view.state().step(), line.event) else {
                return None;
            };
            let battle = view.state().fought()?;
            let side = battle.rolling(which);
            let token = view.state().tokens().iter(slot(side, i)).nth(k.into())?;
            Some(Combat { token, natural: n as i32, bonus: battle.bonus_of(side) })
        });
        let all = fighters.iter().flatten().map(|f| f.token);
        // What is paid at the beginning of the next turn is no part of the battle.
        let last = &events[events.len() - 1].0;
        let decided = last.state().fought().is_some_and(|battle| battle.totals().is_some());
        let same_turn = after.state().turn() == before.state().turn();
        let ends = if same_turn || !decided { after } else { last };
        let pays = after.state().turn().filter(|_| !same_turn && !decided);
        Battle {
            sides,
            totals,
            rolls: rolls.collect(),
            hidden: all.filter(|&t| !tokens.is_public(t)).collect(),
            fighters,
            before: *before.state(),
            after: *after.state(),
            ends: *ends.state(),
            pays,
        }
    }

    /// The points of a side after the battle.
    fn end_points(&self, side: Side) -> i32 {
        if self.pays != Some(side) {
            return self.ends.points(side);
        }
        // Its turn began with the same event: its income is left out.
        let n = self.before.tuning();
        let margin = (self.totals[0] - self.totals[1]).abs();
        let change = match self.victor() {
            None => -n.tie_loss,
            Some(victor) if victor == side => margin,
            Some(victor) => {
                let army = &self.fighters[usize::from(victor != self.sides[0])];
                let looters = army.iter().filter(|fighter| fighter.card == Card::Mercenary).count() as i32;
                -margin - n.mercenary_loot * looters
            }
        };
        self.before.points(side) + change
    }

    fn victor(&self) -> Option<Side> {
        match self.totals[0].cmp(&self.totals[1]) {
            std::cmp::Ordering::Greater => Some(self.sides[0]),
            std::cmp::Ordering::Less => Some(self.sides[1]),
            std::cmp::Ordering::Equal => None,
        }
    }

    fn text(&self) -> String {
        let ([attacker, defender], [attack, defence]) = (self.sides, self.totals);
        Hegemony::battle_text(attacker, defender, attack, defence)
    }

    fn heading(&self, ui: &Ui) -> El {
        let [attacker, defender] = self.sides;
        let whom = side_name(ui, defender);
        let whom = match whom.as_str() {
            "You" => "you",
            "The Empire" => "the Empire",
            other => other,
        };
        div("bh").kid(el("h2").class("title").text(format!("{} {whom}", verb(ui, attacker, "attacks"))))
    }

    /// The totals at the outer ends, a bar between them, and who has won.
    fn totals_row(&self, ui: &Ui) -> El {
        let ([attacker, defender], [attack, defence]) = (self.sides, self.totals);
        let end = |k: usize, does: &str| {
            let side = self.sides[k];
            let number = span("num").text(self.totals[k].to_string());
            let count = match self.fighters[k].len() {
                1 => "1 card".to_string(),
                n => format!("{n} cards"),
            };
            let words = div("").kid(b(verb(ui, side, does))).text(count);
            let end = div(format!("end1 {}", colour(ui, side)));
            if k == 0 { end.kid(number).kid(words) } else { end.class("r").kid(words).kid(number) }
        };
        let bar = |k: usize| {
            let flex = self.totals[k].max(0) + i32::from(attack + defence == 0);
            el("i").class(format!("pat {}", colour(ui, self.sides[k]))).set("style", format!("flex:{flex}"))
        };
        let verdict = plain(&Hegemony::verdict_text(attacker, defender, attack, defence), ui);
        div("tug")
            .kid(end(0, "attacks").class("step1"))
            .kid(
                div("mid3")
                    .kid(el("p").class("step2").text(verdict.trim_end_matches('.').to_string()))
                    .kid(div("tbar step2").set("aria-hidden", "true").kid(bar(0)).kid(bar(1))),
            )
            .kid(end(1, "defends").class("step1"))
    }

    fn rows(&self, ui: &Ui) -> El {
        let column = |k: usize| {
            let side = self.sides[k];
            let what = if k == 0 { "attack" } else { "defence" };
            let name = side_name(ui, side);
            let whose = if name == "You" { "Your".to_string() } else { format!("{name}’s") };
            let head = el("h3").kid(mark(ui, side)).text(format!(" {whose} {what}"));
            let rows = self.fighters[k].iter().map(|fighter| self.row(ui, side, fighter));
            let none = self.fighters[k].is_empty().then(|| el("p").class("none").text("No Military cards."));
            div(format!("bside {}", colour(ui, side)))
                .kid(head)
                .kid(el("ul").class("bl").kids(rows))
                .kid_if(none)
        };
        div("bcols").kid(column(0)).kid(column(1))
    }

    fn row(&self, ui: &Ui, side: Side, fighter: &Fighter) -> El {
        let parts: Vec<String> = fighter
            .power
            .parts
            .iter()
            .enumerate()
            .map(|(i, part)| match i {
                0 => format!("printed {}", part.amount),
                _ => format!("{} {}", signed(part.amount.into()), part.what),
            })
            .collect();
        let n = self.before.tuning();
        let helps = match fighter.card {
            Card::Scout => format!(", {} to combat rolls", signed(n.scout_bonus.into())),
            Card::General => format!(", {} to combat rolls", signed(n.general_bonus.into())),
            _ => String::new(),
        };
        let roll = self.rolls.iter().find(|roll| roll.token == fighter.token);
        let (class, word, why) = self.fate(ui, side, fighter, roll);
        let die = match roll {
            Some(roll) => {
                span("dd").die(format!("combat {}", fighter.token), 20).text(roll.natural.to_string())
            }
            None => span("dd x").set("aria-hidden", "true").text("–"),
        };
        let hidden = self
            .hidden
            .contains(&fighter.token)
            .then(|| el("em").set("title", "was face down").kid(ic("eyeball")));
        el("li")
            .kid(span("th").set("aria-hidden", "true").kid(ic(faces::icon(fighter.card))).kid_if(hidden))
            .kid(span("nm").text(fighter.card.title()).kid(el("small").text(parts.join(", ") + &helps)))
            .kid(span("pw step1").text(words::number(fighter.power.total)))
            .kid(
                span(format!("fate {class} step4"))
                    .kid(die)
                    .kid(span("").kid(b(word)).kid(el("small").text(why))),
            )
    }

    /// What has become of a card: how it is coloured, in a word or two, and why.
    fn fate(
        &self,
        ui: &Ui,
        side: Side,
        fighter: &Fighter,
        roll: Option<&Combat>,
    ) -> (&'static str, String, String) {
        if !self.after.is_in(side) {
            return ("gone", "Lost".to_string(), "defeated".to_string());
        }
        let victor = self.victor();
        let (result, mut why) = match roll {
            Some(roll) => {
                let sum = if roll.bonus == 0 {
                    roll.natural.to_string()
                } else {
                    format!("{} {}", roll.natural, signed(roll.bonus.into()))
                };
                let needs = self.before.combat_needs(fighter.card);
                (
                    self.before.combat_result(fighter.card, roll.natural, roll.bonus),
                    format!("{sum}, needs {needs}"),
                )
            }
            None => {
                let you = side.seat().is_some() && side.seat() == ui.seat;
                let why = match (victor, you) {
                    (None, _) => "tie",
                    (Some(victor), true) if victor == side => "you won",
                    (Some(victor), false) if victor == side => "won",
                    (Some(_), true) => "you lost",
                    (Some(_), false) => "lost",
                };
                (Hegemony::unrolled(fighter.card, side, victor), why.to_string())
            }
        };
        // Razed slots and unpaid Mercenaries. (The Empire replaces its cards in the same breath.)
        let zone = self.after.tokens().zone(fighter.token);
        let slotted = matches!(place(zone), Place::Slot(at, _) if at == side);
        if result == Aftermath::Stays && !slotted && !side.is_empire() {
            if zone == POOL_DISCARD {
                return ("gone", "Deserts".to_string(), "not paid".to_string());
            }
            if zone == deck(side) {
                return ("gone", "Back to deck".to_string(), "slot emptied".to_string());
            }
        }
        match result {
            Aftermath::Stays => ("keep", "Stays".to_string(), why),
            Aftermath::Discarded => {
                if roll.is_none() && fighter.card == Card::Conscript {
                    why = "after every battle".to_string();
                }
                ("gone", "Discarded".to_string(), why)
            }
            Aftermath::IntoDeck => ("gone", "Back to deck".to_string(), why),
            Aftermath::Becomes(card) => ("up", format!("Now a {}", card.title()), why),
        }
    }

    fn points_row(&self, ui: &Ui) -> El {
        let chips = self.sides.into_iter().filter_map(|side| {
            let (was, is) = (self.before.points(side), self.end_points(side));
            (was != is).then(|| moved(ui, side, was, is))
        });
        let [attack, defence] = self.totals;
        let (most, least) = (attack.max(defence), attack.min(defence));
        let why = match self.victor() {
            None => format!("A tie costs both {} VP.", self.before.tuning().tie_loss),
            Some(Side::EMPIRE) => {
                format!("The loser loses the difference: {most} − {least} = {}.", most - least)
            }
            Some(_) => format!("The winner takes the difference: {most} − {least} = {}.", most - least),
        };
        div("vpm step3").kids(chips).kid(span("ex").text(why))
    }
}

// --- The roll

fn die(n: i32) -> El {
    div("die20").kid(d20()).kid(b(n.to_string()).class("num")).die("d20", 20)
}

/// The die and each modifier with its owner, then the result.
fn modifiers(before: &View, roll: &Roll, ui: &Ui) -> El {
    let state = before.state();
    let sum = state.explain_roll(roll.seat, |t| state.tokens().public_face(t));
    let row = |icon: &str, what: String, whose: String, value: String| {
        el("li")
            .kid(ic(icon))
            .kid(span("").text(format!("{what} ")).kid(el("small").text(whose)))
            .kid(b(value).class("num"))
    };
    let icon_of = |what: &str| {
        let named = pentarchy_hegemony::cards::CARDS.into_iter().find(|card| card.title() == what);
        named.map_or("quill-ink", faces::icon)
    };
    let whose =
        if ui.seat == Some(roll.seat) { "yours".to_string() } else { format!("{}’s", ui.name(roll.seat)) };
    let parts = sum.parts.iter().map(|part| {
        let whose = if part.what == "False Flag" { "by another player" } else { &whose };
        row(icon_of(part.what), part.what.to_string(), whose.to_string(), signed(part.amount.into()))
    });
    let parts: Vec<El> = parts.collect();
    let result =
        el("li").class("t step2").kid(span("").text("Result")).kid(b(words::number(roll.total)).class("num"));
    el("ul")
        .class("mods")
        .kid(
            row("dice-twenty-faces-twenty", "Die".to_string(), String::new(), roll.natural.to_string())
                .class("step2"),
        )
        .kids(parts)
        .kid(result)
}

/// The numbers from 1 to 20: what means war and what trade, what the die showed and what came of it.
fn bar(before: &View, roll: &Roll) -> El {
    let war = before.state().tuning().war_up_to;
    let at = roll.total.clamp(1, 20);
    let cell = |n: i32| {
        let (die, result) = (n == roll.natural, n == at);
        let label = match n {
            _ if result && roll.total < 1 => format!("← result {}", words::number(roll.total)),
            _ if result && roll.total > 20 => format!("result {} →", roll.total),
            _ if result => format!("result {n}"),
            _ if (roll.natural - at).abs() < 5 => String::new(),
            _ => format!("die {n}"),
        };
        el("i")
            .class_if(n > war, "t")
            .class_if(die, "raw")
            .class_if(result, "fin")
            .set_if(die || result, "data-l", label)
            .text(n.to_string())
    };
    let said = format!("Result {}. Up to {war} is war, {} or more is trade", roll.total, war + 1);
    div("thr").set("role", "img").set("aria-label", said).kid(div("tk step2").kids((1..=20).map(cell))).kid(
        div("lg2")
            .kid(span("").text(format!("{war} or less: ")).kid(b("war").class("bad")))
            .kid(span("").text(format!("{} or more: ", war + 1)).kid(b("trade").class("good"))),
    )
}

/// The roll that has led to the battle, in a strip.
fn strip(before: &View, roll: &Roll, ui: &Ui) -> El {
    div("rollg small")
        .kid(die(roll.natural))
        .kid(div("").kid(modifiers(before, roll, ui)).kid(bar(before, roll)))
}

/// A roll that has led to trade.
fn trade(before: &View, after: &View, roll: &Roll, ui: &Ui) -> El {
    let (was, is) = (before.state(), after.state());
    let side = Side::from(roll.seat);
    let whom = if ui.seat == Some(roll.seat) { "you".to_string() } else { ui.name(roll.seat).to_string() };
    let n = was.tuning();
    let gain = is.points(side) - was.points(side);
    let verdict = format!("Trade. {} {gain} VP.", verb(ui, side, "gains"));
    let why = format!(
        "{} for the trade, and {} for each active Trade card.",
        n.hegemony_gain, n.hegemony_per_trade
    );
    let sides = (0..before.seats()).map(Side).chain([Side::EMPIRE]);
    let chips = sides.filter(|&side| was.points(side) != is.points(side));
    let chips = chips.map(|side| moved(ui, side, was.points(side), is.points(side)));
    div("rep narrow1")
        .kid(div("bh").kid(el("h2").class("title").text(format!("The Empire deals with {whom}"))))
        .kid(div("rollg").kid(die(roll.natural)).kid(modifiers(before, roll, ui)))
        .kid(bar(before, roll))
        .kid(el("p").class("verdict step3").text(verdict).kid(el("small").text(why)))
        .kid(div("vpm step4").kids(chips))
}
