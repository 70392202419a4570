//! The end screen: who won and why, playing again, the ranking, the scores over time, the three turning points.

use crate::app::{App, Sheet};
use crate::icons::{SHAPES, ic};
use crate::markup::{El, MarkupNode, el, g, path, short};
use crate::pages::club::publish_offer;
use crate::pages::online::{again, again_button};
use crate::play::PlayerKind;
use crate::result::{explanation, heading};
use crate::shell::{Drawn, glyph};
use crate::table::RaceSample;
use crate::turning::turning_points;
use crate::ui::Ui;
use leptos::prelude::*;
use pentarchy_engine::Seat;
use pentarchy_engine::sorting::{sort_by, sort_by_key};

/// Renders the end screen of the match at this page: who won and why, the buttons (save, share, replay, home,
/// play again), the rematch of an online table, the offer to publish it, the ranking, the chart of the scores, the turning points, and
/// what was verified. Renders a note if there is no match or it is not over. Reads the match once and does
/// not follow its changes.
pub fn end(app: App) -> impl IntoView {
    let play = app.play;
    let ui = play.ui(&[]);
    let data =
        play.with_match_untracked(|table| (table.outcome(), table.verdict(), table.info(), table.look()));
    let Some((Some(outcome), verdict, info, look)) = data else {
        return view! { <main class="endp"><p>"This game is not over yet."</p></main> }.into_any();
    };
    let me = play
        .players
        .with_untracked(|ps| ps.iter().position(|p| p.kind == PlayerKind::Me))
        .map(|s| Seat(s as u8));
    let names = Ui { seat: me, ..ui };
    let heading = heading(&outcome, info.title, &names);
    let why = explanation(&outcome, &verdict, &names);
    let winner = outcome.winner().map_or(0, |seat| names.colour(seat));
    let kinds = play.players.with_untracked(|ps| ps.iter().map(|p| p.kind).collect::<Vec<_>>());
    let mut order: Vec<Seat> = (0..outcome.seats()).map(Seat).collect();
    sort_by_key(&mut order, |seat| outcome.rank(*seat));
    let head = look.parts.iter().map(|part| view! { <span>{*part}</span> }).collect_view();
    let columns = format!("--parts:{}", look.parts.len());
    let rows = order.into_iter().map(|seat| {
        let parts = verdict.parts.get(seat.index()).cloned().unwrap_or_default();
        let cells = (0..look.parts.len())
            .map(|i| view! { <span class="x"><b>{parts.get(i).cloned().unwrap_or_default()}</b></span> });
        let (mark, name) = (names.mark(seat), names.name(seat).to_string());
        let tag = kinds.get(seat.index()).map_or("", |kind| kind.tag());
        let won = outcome.winners().any(|w| w == seat);
        view! {
            <li class=format!("rk {}", names.c(seat)) class:w=won>
                <span class="pat"></span>
                <span class="pl1">{outcome.rank(seat)}</span>
                <span class="nm1">
                    <Drawn nodes=Signal::derive(move || vec![mark.clone().into()])/>
                    {name}
                    {(!tag.is_empty()).then(|| view! { <span class="tag">{tag}</span> })}
                </span>
                {cells.collect_view()}
                <span class="num">{signed_number(i64::from(outcome.score(seat)))}</span>
            </li>
        }
    });
    let online = app.online.is_online();
    let signed = play.signed.get_untracked();
    let checked = match &signed {
        Some(signed) => format!("events verified on this device, the end signed by {}.", signed.signers()),
        None if online => "events verified and signed by all players.".to_string(),
        None => "events checked against the rules.".to_string(),
    };
    let signed = signed.is_some();
    let events = play.with_match_untracked(|table| table.entries().len()).unwrap_or(0);
    view! {
        <main class="endp" id="end">
            <div class="top1">
                <div class=format!("grow c{winner}")>
                    <div class="head1">
                        <span class="trophy"><Drawn nodes=Signal::derive(|| vec![ic("laurels-trophy").into()])/></span>
                        <h1 class="title">{heading}</h1>
                    </div>
                    <p class="why2">{why}</p>
                </div>
                <div class="acts3">
                    <button class="btn" id="save" on:click=move |_| app.save_record()>{glyph("down", 18)} {if online || signed { "Save the signed record" } else { "Save" }}</button>
                    {(!online).then(|| view! { <button class="btn" on:click=move |_| app.share_record()>{glyph("share", 18)} "Share"</button> })}
                    <button class="btn" id="replay-it" on:click=move |_| app.show_past(0)>{glyph("play", 18)} "Replay"</button>
                    <button class="btn" on:click=move |_| app.go_home()>"Home"</button>
                    {(!online && !signed).then(|| view! { <button class="btn go" id="rematch" on:click=move |_| app.rematch()>"Play again"</button> })}
                    {online.then_some(move || app.online.rematch.with(Option::is_none).then(|| again_button(app)))}
                </div>
            </div>
            {online.then(|| again(app, false))}
            {publish_offer(app)}
            <section aria-label="Ranking" style=columns>
                <div class="rkh"><span></span><span></span>{head}<span>"Score"</span></div>
                <ol class="rank">{rows.collect_view()}</ol>
            </section>
            {story(app, Race::Scores, &names)}
            <p class="verdict">
                <button class="link good" on:click=move |_| app.sheet.set(Some(Sheet::Trust))>{glyph("shield", 20)} {format!("{events} {checked}")}</button>
            </p>
        </main>
    }
    .into_any()
}

/// What a chart of a match shows for each seat.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Race {
    /// The scores.
    Scores,
    /// The estimated chances to win, in percent.
    Chances,
}

impl Race {
    /// Returns the title of the chart.
    fn title(self) -> &'static str {
        match self {
            Race::Scores => "Scores over time",
            Race::Chances => "Chance to win, in percent",
        }
    }

    /// Returns the numbers of a sample that the chart shows, by seat: the scores, or the chances rounded to
    /// percent (a sample has them in thousandths).
    fn values(self, sample: &RaceSample) -> Vec<i32> {
        match self {
            Race::Scores => sample.scores.clone(),
            Race::Chances => sample.chances.iter().map(|chance| (chance + 5) / 10).collect(),
        }
    }
}

/// Renders the chart of the match at this page and its turning points, each with a button that shows its
/// position. `names` has the players' names and colours. Reads the match once. Without a match the chart is
/// empty and there are no turning points.
pub fn story(app: App, race: Race, names: &Ui) -> impl IntoView + use<> {
    let observer = app.play.observer.get_untracked().0;
    let (moments, lines) =
        app.play.with_match_untracked(|table| (table.history(), table.log(0, observer))).unwrap_or_default();
    let turns = turning_points(&moments, &lines, names);
    let none = turns.is_empty();
    let marks: Vec<usize> = turns.iter().map(|turn| turn.at).collect();
    let drawing = vec![chart(&moments, race, &marks, names, crate::page::is_narrow()).into()];
    let points = turns.into_iter().enumerate().map(|(i, turn)| {
        let at = turn.at;
        let whose = names.name(turn.seat).to_string();
        let whose = if Some(turn.seat) == names.seat { "Your".to_string() } else { format!("{whose}’s") };
        let change = format!(" {whose} chance to win: {} → {} %. ", (turn.from + 5) / 10, (turn.to + 5) / 10);
        view! {
            <div class="tp1">
                <span class="n">{i + 1}</span>
                <p>
                    {(!turn.round.is_empty()).then(|| view! { <b>{turn.round} ". "</b> })}
                    {turn.text}
                    {change}
                    <button class="link" on:click=move |_| app.show_past(at)>"Show"</button>
                </p>
            </div>
        }
    });
    let points = points.collect_view();
    let title = race.title();
    view! {
        <div class="two">
            <section class="bx"><h2>{title}</h2><div class="chartbox" tabindex="0" role="region" aria-label=title><Drawn class="chart1" nodes=Signal::derive(move || drawing.clone())/></div></section>
            <section class="bx"><h2>"Turning points"</h2>{if none { view! { <p class="lbl2">"No single decision changed the chances much."</p> }.into_any() } else { points.into_any() }}</section>
        </div>
    }
}

/// Returns a name, shortened to `most` characters with an ellipsis at the end if it is longer. `most` must be
/// at least 1.
fn fitted(name: &str, most: usize) -> String {
    if name.chars().count() <= most {
        return name.to_string();
    }
    name.chars().take(most - 1).chain(['…']).collect()
}

/// Returns an integer as text, with a minus sign instead of a hyphen.
pub fn signed_number(n: i64) -> String {
    n.to_string().replace('-', "−")
}

/// Returns the round numbers between `low` and `high` (`low < high`), both included, at which the chart has lines: the
/// multiples of the smallest 1, 2 or 5 times a power of ten that gives at most five of them.
pub fn ticks(low: i64, high: i64) -> Vec<i64> {
    let mut steps = (0..18).flat_map(|power| [1, 2, 5].map(|first| first * 10_i64.pow(power)));
    let lines = |step: i64| (low.div_euclid(step)..=high.div_euclid(step)).map(move |n| n * step);
    let fits = |step: &i64| lines(*step).filter(|n| *n >= low).count() <= 5;
    let step = steps.find(fits).unwrap_or(high - low);
    lines(step).filter(|n| *n >= low).collect()
}

/// The dash pattern of each colour's line.
const DASHES: [&str; 7] = ["", "", "10 5", "2 5", "16 4", "12 4 2 4", "6 3"];

/// Draws the chart of `race` over time from the samples `moments`, in the order of events: at most five
/// grid lines with their numbers, the first and the last round, one line per seat with its shape and its name
/// (shortened) at the right. Smaller if `narrow`. `marks` are the numbers of events of the turning points,
/// which get the numbers from 1. Without samples only the grid from 0 to 1 is drawn. All samples must have
/// the same number of seats.
fn chart(moments: &[RaceSample], race: Race, marks: &[usize], ui: &Ui, narrow: bool) -> El {
    let values: Vec<Vec<i32>> = moments.iter().map(|moment| race.values(moment)).collect();
    let (w, h) = if narrow { (340.0, 250.0) } else { (700.0, 250.0) };
    // Space for the names at the right.
    let side = if narrow { 112.0 } else { 134.0 };
    let seats = values.first().map_or(0, Vec::len);
    let last = moments.last().map_or(1, |m| m.at).max(1) as f32;
    let all = || values.iter().flatten().copied();
    let most = if race == Race::Chances { 100 } else { 1 };
    let (low, high) = (all().min().unwrap_or(0).min(0) as f32, all().max().unwrap_or(1).max(most) as f32);
    let x = |at: usize| 40.0 + at as f32 / last * (w - side - 40.0);
    let y = |v: f32| h - 26.0 - (v - low) / (high - low).max(1.0) * (h - 60.0);
    let label = |x: f32, y: f32, anchor: &'static str, text: String| {
        el("text").num("x", x).num("y", y).set("text-anchor", anchor).text(text)
    };
    let mut out: Vec<MarkupNode> = Vec::new();
    for tick in ticks(low as i64, high as i64) {
        let at = y(tick as f32);
        out.push(path("gl", format!("M40 {}H{}", short(at), short(w - side))).into());
        out.push(label(32.0, at + 4.0, "end", signed_number(tick)).into());
    }
    for (anchor, moment) in [("start", moments.first()), ("end", moments.last())] {
        if let Some(moment) = moment {
            out.push(label(x(moment.at), h - 6.0, anchor, moment.round.clone()).into());
        }
    }
    // Keep the names at the right apart.
    let mut ends: Vec<(usize, f32)> =
        (0..seats).map(|s| (s, values.last().map_or(0.0, |v| y(v[s] as f32)))).collect();
    sort_by(&mut ends, |a, b| a.1.total_cmp(&b.1));
    for i in 1..ends.len() {
        ends[i].1 = ends[i].1.max(ends[i - 1].1 + 15.0);
    }
    for seat in 0..seats {
        let colour = ui.colour(Seat(seat as u8));
        let paint = format!("var(--s{colour})");
        let mut d = String::new();
        for (moment, values) in moments.iter().zip(&values) {
            let (px, py) = (short(x(moment.at)), short(y(values[seat] as f32)));
            d.push_str(&if d.is_empty() { format!("M{px} {py}") } else { format!("L{px} {py}") });
        }
        let line = path("", d).set("fill", "none").set("stroke", paint.clone()).set("stroke-width", "3");
        out.push(
            line.set("stroke-linejoin", "round").set("stroke-dasharray", DASHES[usize::from(colour)]).into(),
        );
        let at = ends.iter().find(|(s, _)| *s == seat).map_or(0.0, |(_, y)| *y);
        let shape = path("", SHAPES[usize::from(colour)]).set("fill", paint);
        let place = format!("translate({} {}) scale(.9)", short(w - side + 4.0), short(at - 7.0));
        out.push(g("").set("transform", place).kid(shape).into());
        let name = el("text").num("x", w - side + 23.0).num("y", at + 4.0).class("who1");
        out.push(name.text(fitted(ui.name(Seat(seat as u8)), if narrow { 11 } else { 13 })).into());
    }
    for (i, &at) in marks.iter().enumerate() {
        let top = moments.iter().zip(&values).rfind(|(moment, _)| moment.at <= at);
        let v = top.and_then(|(_, values)| values.iter().max()).copied().unwrap_or(0) as f32;
        let (mx, my) = (x(at), (y(v) - 30.0).max(14.0));
        out.push(el("circle").num("cx", mx).num("cy", my).set("r", "11").set("fill", "var(--text)").into());
        out.push(label(mx, my + 4.5, "middle", (i + 1).to_string()).class("mk").into());
    }
    el("svg")
        .class("chart scores")
        .set("viewBox", format!("0 0 {w} {h}"))
        .set("width", "100%")
        .set("role", "img")
        .set("aria-label", race.title())
        .kids(out)
}
