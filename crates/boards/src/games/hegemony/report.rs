//! The report of a finished battle or Hegemony roll: every card with its power and its fate, the die with its
//! modifiers, and the points that moved. All numbers come from the rules.

use super::texts::REPORT;
use super::{faces, words};
use crate::board::{EventReport, ReportDisplay, SeenEvent};
use crate::icons::{d20, ic};
use crate::markup::{El, b, div, el, signed, span};
use crate::ui::Ui;
use crate::words::plain;
use pentarchy_engine::describe::fill_count;
use pentarchy_engine::{Describe, Game, Position, fill_text};
use pentarchy_hegemony::{
    Aftermath, Card, Clash, CombatRoll, Fact, Fighter, Hegemony, HegemonyRoll, HegemonyTrade, Reason, Side,
};

type View = Position<Hegemony>;

/// Builds the report of a battle or Hegemony roll that the first of these events began; `after` is the position after
/// the last. A battle is a dialog for its two sides and a note for others. A roll that led to trade is shown only to
/// its seat, as a brief dialog. `None` for anything else, or if there are no events.
pub(super) fn report(events: &[SeenEvent<Hegemony>], after: &View, ui: &Ui) -> Option<EventReport> {
    let first = events.first()?;
    let facts = || events.iter().flat_map(|event| &event.facts);
    let roll = first.facts.iter().find_map(|fact| match fact {
        Fact::Rolled(roll) => Some(roll),
        _ => None,
    });
    let clash = facts().find_map(|fact| match fact {
        Fact::Fought(clash) => Some(&**clash),
        _ => None,
    });
    let own = ui.seat.map(Side::from);
    match (clash, roll) {
        (Some(clash), _) => {
            let battle = Battle::of(&first.before, clash, facts().collect());
            let el = div("rep").kid(battle.heading(ui)).kid_if(roll.map(|roll| draw_roll_strip(roll, ui)));
            Some(EventReport {
                el: el.kid(battle.totals_row(ui)).kid(battle.rows(ui)).kid(battle.points_row(ui)),
                display: ReportDisplay::dialog_if(own.is_some_and(|own| clash.sides.contains(&own))),
                summary: plain(&clash.text(), ui),
            })
        }
        // The shell shows the die of another player's trade.
        (None, Some(roll)) if ui.seat == Some(roll.seat) => {
            let trade = first.facts.iter().find_map(|fact| match fact {
                Fact::Traded(trade) => Some(trade),
                _ => None,
            })?;
            let text = Hegemony::log(&first.applied(after)).unwrap_or_default().replace('\n', " ");
            Some(EventReport {
                el: draw_trade(roll, trade, &first.facts, after.seats(), ui),
                display: ReportDisplay::BriefDialog,
                summary: plain(&text, ui),
            })
        }
        _ => None,
    }
}

/// Returns the name of a side: a player's (`You` for the player at this screen), or `The Empire`.
fn side_name(ui: &Ui, side: Side) -> String {
    side.seat().map_or("The Empire".to_string(), |seat| ui.name(seat).to_string())
}

/// Returns the CSS class of a side's colour: `c1` to `c6`, or `c0` for the Empire.
fn colour(ui: &Ui, side: Side) -> String {
    side.seat().map_or("c0".to_string(), |seat| ui.c(seat))
}

/// Draws the mark of a side: the shape of the seat's colour, or the crown for the Empire.
fn draw_mark(ui: &Ui, side: Side) -> El {
    side.seat().map_or_else(|| crate::icons::seat_mark(0), |seat| ui.mark(seat))
}

/// Formats a side with a verb: `You attack`, `Sena attacks`. `verb` is in the third person and must form the second
/// by dropping its `s`.
fn name_with_verb(ui: &Ui, side: Side, verb: &str) -> String {
    let name = side_name(ui, side);
    if name == "You" { format!("You {}", verb.trim_end_matches('s')) } else { format!("{name} {verb}") }
}

/// Draws a change of a side's points from `was` to `is`: `You 21 → 26 +5`. No change is `+0`.
fn draw_point_change(ui: &Ui, side: Side, was: i32, is: i32) -> El {
    let by = is - was;
    let class = if by < 0 { "minus1" } else { "plus1" };
    span(format!("v {}", colour(ui, side)))
        .kid(draw_mark(ui, side))
        .text(format!("{} ", side_name(ui, side)))
        .kid(el("s").text(format!("{} →", words::number(was))))
        .kid(b(words::number(is)).class("num"))
        .kid(b(signed(by.into())).class(class))
}

/// Returns the points of a side before the first and after the last of its changes among these facts that have a
/// reason which `counts`; `None` if there is none.
fn moved_points<'a>(
    facts: impl Iterator<Item = &'a Fact>,
    side: Side,
    counts: impl Fn(Reason) -> bool,
) -> Option<(i32, i32)> {
    facts.fold(None, |moved, fact| match *fact {
        Fact::Points { side: whose, by, now, why } if whose == side && counts(why) => {
            Some((moved.map_or(now - by, |(was, _)| was), now))
        }
        _ => moved,
    })
}

// --- The battle

/// A finished battle, with the data of its report.
struct Battle<'a> {
    /// The sides, fighters, totals and victor.
    clash: &'a Clash,
    /// All facts of the episode.
    facts: Vec<&'a Fact>,
    /// The state before the battle.
    before: &'a Hegemony,
}

/// What a battle report says about the fate of one card.
struct FateText {
    /// The CSS class: `gone`, `keep` or `up`.
    class: &'static str,
    /// A word or two, like `Discarded`.
    word: String,
    /// The reason, like `7 +2, needs 11`.
    why: String,
}

impl FateText {
    /// Creates the text from its three parts, without a check.
    fn new(class: &'static str, word: impl Into<String>, why: impl Into<String>) -> Self {
        FateText { class, word: word.into(), why: why.into() }
    }
}

impl<'a> Battle<'a> {
    /// Collects the data of a battle: its result, the facts of all its events, and the state before it.
    fn of(before: &'a View, clash: &'a Clash, facts: Vec<&'a Fact>) -> Self {
        Battle { clash, facts, before: before.state() }
    }

    /// Returns whether the events of the battle have this fact, with exactly these values.
    fn has(&self, fact: &Fact) -> bool {
        self.facts.contains(&fact)
    }

    /// Draws the title: who attacks whom, with names from `ui`.
    fn heading(&self, ui: &Ui) -> El {
        let [attacker, defender] = self.clash.sides;
        let whom = side_name(ui, defender);
        let whom = match whom.as_str() {
            "You" => "you",
            "The Empire" => "the Empire",
            other => other,
        };
        div("bh")
            .kid(el("h2").class("title").text(format!("{} {whom}", name_with_verb(ui, attacker, "attacks"))))
    }

    /// Draws the totals of both sides with their number of cards at the outer ends, and between them who has won and
    /// a bar divided in the ratio of the totals (in halves if their sum is 0).
    fn totals_row(&self, ui: &Ui) -> El {
        let [attack, defence] = self.clash.totals;
        let end = |k: usize, does: &str| {
            let side = self.clash.sides[k];
            let number = span("num").text(self.clash.totals[k].to_string());
            let count = fill_count(self.clash.fighters[k].len(), REPORT.one_card, REPORT.cards);
            let words = div("").kid(b(name_with_verb(ui, side, does))).text(count);
            let end = div(format!("end1 {}", colour(ui, side)));
            if k == 0 { end.kid(number).kid(words) } else { end.class("r").kid(words).kid(number) }
        };
        let bar = |k: usize| {
            let flex = self.clash.totals[k].max(0) + i32::from(attack + defence == 0);
            el("i")
                .class(format!("pat {}", colour(ui, self.clash.sides[k])))
                .set("style", format!("flex:{flex}"))
        };
        let verdict = plain(&self.clash.verdict_text(), ui);
        div("tug")
            .kid(end(0, "attacks").class("step1"))
            .kid(
                div("mid3")
                    .kid(el("p").class("step2").text(verdict.trim_end_matches('.').to_string()))
                    .kid(div("tbar step2").set("aria-hidden", "true").kid(bar(0)).kid(bar(1))),
            )
            .kid(end(1, "defends").class("step1"))
    }

    /// Draws a column for each side, attacker first, headed by its name, with a row for each of its fighters, or
    /// `No Military cards.`
    fn rows(&self, ui: &Ui) -> El {
        let column = |k: usize| {
            let side = self.clash.sides[k];
            let name = side_name(ui, side);
            let title = match (name == "You", k) {
                (true, 0) => REPORT.your_attack,
                (true, _) => REPORT.your_defence,
                (false, 0) => REPORT.attack,
                (false, _) => REPORT.defence,
            };
            let title = fill_text!(title, name = name);
            let head = el("h3").kid(draw_mark(ui, side)).text(format!(" {title}"));
            let rows = self.clash.fighters[k].iter().map(|fighter| self.row(ui, side, fighter));
            let none =
                self.clash.fighters[k].is_empty().then(|| el("p").class("none").text(REPORT.no_troops));
            div(format!("bside {}", colour(ui, side)))
                .kid(head)
                .kid(el("ul").class("bl").kids(rows))
                .kid_if(none)
        };
        div("bcols").kid(column(0)).kid(column(1))
    }

    /// Draws the row of one fighter of a side: the parts of its power, the total, its combat roll (`–` without one)
    /// and its fate. A card that lay face down before the battle gets an eye. A card whose fate no fact names stays.
    fn row(&self, ui: &Ui, side: Side, fighter: &Fighter) -> El {
        let parts: Vec<String> = fighter
            .power
            .parts
            .iter()
            .enumerate()
            .map(|(i, part)| match i {
                0 => fill_text!(REPORT.printed, amount = part.amount),
                _ => fill_text!(REPORT.part, amount = signed(part.amount.into()), what = part.what),
            })
            .collect();
        let helps = match fighter.roll_bonus {
            0 => String::new(),
            bonus => format!(", {}", fill_text!(REPORT.roll_bonus, amount = signed(bonus.into()))),
        };
        let fate = self.facts.iter().find_map(|fact| match **fact {
            Fact::Fate { token, roll, result, .. } if token == fighter.token => Some((roll, result)),
            _ => None,
        });
        let (roll, result) = fate.unwrap_or((None, Aftermath::Stays));
        let FateText { class, word, why } = self.fate(ui, side, fighter, roll, result);
        let die = match roll {
            Some(roll) => {
                span("dd").die(format!("combat {}", fighter.token), 20).text(roll.natural.to_string())
            }
            None => span("dd x").set("aria-hidden", "true").text("–"),
        };
        let hidden = (!self.before.tokens().is_public(fighter.token))
            .then(|| el("em").set("title", REPORT.was_face_down).kid(ic("eyeball")));
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

    /// Describes the fate of a fighter of a side and its reason. `roll` is its combat roll, if it had one, and
    /// `result` its outcome. A defeated side, desertion and, for a card that stayed, an emptied slot come
    /// before the result. Without a roll the reason is `after every battle` for a discarded Conscript, otherwise the
    /// result of the battle, addressed to the player at this screen if it is their side.
    fn fate(
        &self,
        ui: &Ui,
        side: Side,
        fighter: &Fighter,
        roll: Option<CombatRoll>,
        result: Aftermath,
    ) -> FateText {
        if self.has(&Fact::Fell(side)) {
            return FateText::new("gone", REPORT.lost, REPORT.defeated);
        }
        if self.has(&Fact::Deserted(side, fighter.token)) {
            return FateText::new("gone", REPORT.deserts, REPORT.not_paid);
        }
        if self.has(&Fact::Crowded(side, fighter.token)) {
            return FateText::new("gone", REPORT.discarded, REPORT.no_room);
        }
        let razed =
            |fact: &&Fact| matches!(fact, Fact::Razed { cards, .. } if cards.contains(&fighter.token));
        if result == Aftermath::Stays && self.facts.iter().any(razed) {
            return FateText::new("gone", REPORT.back_to_deck, REPORT.slot_emptied);
        }
        let why = match roll {
            Some(CombatRoll { natural, bonus: 0, needs, .. }) => {
                fill_text!(REPORT.needs, die = natural, needs = needs)
            }
            Some(CombatRoll { natural, bonus, needs, .. }) => {
                let bonus = signed(bonus.into());
                fill_text!(REPORT.needs_with_bonus, die = natural, bonus = bonus, needs = needs)
            }
            None if result == Aftermath::Discarded && fighter.card == Card::Conscript => {
                REPORT.every_battle.to_string()
            }
            None => {
                let you = side.seat().is_some() && side.seat() == ui.seat;
                let why = match (self.clash.victor, you) {
                    (None, _) => REPORT.tie,
                    (Some(victor), true) if victor == side => REPORT.you_won,
                    (Some(victor), false) if victor == side => REPORT.won,
                    (Some(_), true) => REPORT.you_lost,
                    (Some(_), false) => REPORT.side_lost,
                };
                why.to_string()
            }
        };
        match result {
            Aftermath::Stays => FateText::new("keep", REPORT.stays, why),
            Aftermath::Discarded => FateText::new("gone", REPORT.discarded, why),
            Aftermath::IntoDeck => FateText::new("gone", REPORT.back_to_deck, why),
            Aftermath::Becomes(card) => {
                FateText::new("up", fill_text!(REPORT.promoted, card = card.title()), why)
            }
        }
    }

    /// Draws the points of both sides that the battle changed, and a sentence with the rule that set the amount. A
    /// side without a change is left out.
    fn points_row(&self, ui: &Ui) -> El {
        let in_battle = |why: Reason| matches!(why, Reason::Battle(_));
        let chips = self.clash.sides.into_iter().filter_map(|side| {
            let (was, is) = moved_points(self.facts.iter().copied(), side, in_battle)?;
            (was != is).then(|| draw_point_change(ui, side, was, is))
        });
        let Clash { totals: [attack, defence], cost, spoils, .. } = *self.clash;
        let (most, least) = (attack.max(defence), attack.min(defence));
        let why = match self.clash.victor {
            None => REPORT.tie_costs,
            Some(_) if spoils == 0 => REPORT.loser_loses,
            Some(_) => REPORT.winner_takes,
        };
        let why = fill_text!(why, most = most, least = least, cost = cost);
        div("vpm step3").kids(chips).kid(span("ex").text(why))
    }
}

// --- The roll

/// Draws the d20 of a Hegemony roll that shows this number. When it appears or the number changes, it tumbles.
fn draw_die(n: i32) -> El {
    div("die20").kid(d20()).kid(b(n.to_string()).class("num")).die("d20", 20)
}

/// Draws the list of a Hegemony roll: the die, each modifier with its owner (`by another player` for a False Flag),
/// then the result. A modifier that is not the name of a card has the icon of Diplomacy.
fn draw_modifiers(roll: &HegemonyRoll, ui: &Ui) -> El {
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
    let parts = roll.modifiers.parts.iter().map(|part| {
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

/// Draws the scale from 1 to 20: which numbers mean war and which trade, what the die showed, and the result. A
/// result outside is marked at the nearer end. The die has a label only if it is at least 5 away from the result.
fn bar(roll: &HegemonyRoll) -> El {
    let (total, war) = (roll.total, roll.war_up_to);
    let at = total.clamp(1, 20);
    let cell = |n: i32| {
        let (die, result) = (n == roll.natural, n == at);
        let label = match n {
            _ if result && total < 1 => format!("← result {}", words::number(total)),
            _ if result && total > 20 => format!("result {total} →"),
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
    let said = fill_text!(REPORT.scale, total = total, war = war, trade = war + 1);
    div("thr").set("role", "img").set("aria-label", said).kid(div("tk step2").kids((1..=20).map(cell))).kid(
        div("lg2")
            .kid(span("").text(format!("{war} or less: ")).kid(b("war").class("bad")))
            .kid(span("").text(format!("{} or more: ", war + 1)).kid(b("trade").class("good"))),
    )
}

/// Draws the Hegemony roll that led to a battle, as a small strip for the top of its report: the die, the list of its
/// modifiers with the result, and the scale of war and trade.
fn draw_roll_strip(roll: &HegemonyRoll, ui: &Ui) -> El {
    div("rollg small").kid(draw_die(roll.natural)).kid(div("").kid(draw_modifiers(roll, ui)).kid(bar(roll)))
}

/// Draws a Hegemony roll that led to the trade `trade`: the die with its modifiers, the gain of its seat, and the
/// points of all of the `seats` and of the Empire that the facts of the event changed.
fn draw_trade(roll: &HegemonyRoll, trade: &HegemonyTrade, facts: &[Fact], seats: u8, ui: &Ui) -> El {
    let own = ui.seat == Some(roll.seat);
    let name = ui.name(roll.seat);
    let title = fill_text!(if own { REPORT.deals_with_you } else { REPORT.deals_with }, name = name);
    let HegemonyTrade { base, per_card, cards, gain, .. } = *trade;
    let verdict = fill_text!(if own { REPORT.you_trade } else { REPORT.trades }, name = name, gain = gain);
    let why = fill_text!(REPORT.trade_parts, base = base, per_card = per_card, cards = cards);
    let sides = (0..seats).map(Side).chain([Side::EMPIRE]);
    let chips = sides.filter_map(|side| {
        let (was, is) = moved_points(facts.iter(), side, |_| true)?;
        (was != is).then(|| draw_point_change(ui, side, was, is))
    });
    div("rep narrow1")
        .kid(div("bh").kid(el("h2").class("title").text(title)))
        .kid(div("rollg").kid(draw_die(roll.natural)).kid(draw_modifiers(roll, ui)))
        .kid(bar(roll))
        .kid(el("p").class("verdict step3").text(verdict).kid(el("small").text(why)))
        .kid(div("vpm step4").kids(chips))
}
