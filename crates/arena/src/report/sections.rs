//! The sections with plots: winners, length, course, endings, choices.

use super::svg::{self, Curve, ShareRow};
use super::text::{join_percent, listed, thousands};
use crate::balance::{Balance, POINTS};
use crate::lab::Findings;
use crate::statistics::{Histogram, Moments};
use maud::{Markup, PreEscaped, html};

/// Returns all sections with plots, in the order of the page: winners, length, course, endings, choices.
/// Sections without data are empty.
pub(super) fn all(findings: &Findings) -> Markup {
    html! {
        (section("Who wins", WINS, findings, &[wins]))
        (section("How long it takes", LENGTH, findings, &[rounds, turns, decisions, minutes]))
        (section("The course of a game", COURSE, findings, &[standing, leader_wins, changes, decided]))
        (section("How it ends", "", findings, &[endings]))
        (section("What there is to choose", CHOICES, findings, &[widths, widths_by_time]))
    }
}

/// The introduction of the section about winners.
const WINS: &str = "The dot is the share of games that a seat wins, the line its 95 % interval; the dashed line \
                    is a fair share. A shared victory is divided.";
/// The introduction of the section about the length of games.
const LENGTH: &str =
    "The bar that holds the median is marked. The longest hundredth of the games is not drawn.";
/// The introduction of the section about the course of a game.
const COURSE: &str = "From the first turn to the last, whatever the length: what the later winner has to show, \
                      and how far a lead can be trusted.";
/// The introduction of the section about choices.
const CHOICES: &str = "How many actions a bot has to choose from at a decision.";

/// A plot with its texts.
struct Plot {
    /// The heading.
    title: &'static str,
    /// The drawing, as SVG.
    drawing: String,
    /// The text below it.
    caption: String,
}

/// Draws a plot of a setting; `None` without data.
type DrawPlot = fn(&Balance) -> Option<Plot>;

/// Returns a section with this title and introduction (`lead`, may be empty) and one plot after the other,
/// each for all settings, which are named if there are several. Plots without data are left out; the section
/// is empty if there is none.
fn section(title: &str, lead: &str, findings: &Findings, plots: &[DrawPlot]) -> Markup {
    let pairs = plots.iter().flat_map(|plot| findings.settings.iter().map(move |finding| (plot, finding)));
    let drawn = pairs.filter_map(|(plot, finding)| Some((&finding.setting.name, plot(finding.balance())?)));
    let figures: Vec<Markup> = drawn
        .map(|(setting, plot)| {
            let Plot { title, drawing, caption } = plot;
            html! {
                figure {
                    @if findings.settings.len() > 1 { p.setting { (join_percent(setting)) } }
                    h3 { (title) }
                    (PreEscaped(drawing))
                    figcaption { (join_percent(&caption)) }
                }
            }
        })
        .collect();
    html! {
        @if !figures.is_empty() {
            section {
                h2 { (title) }
                @if !lead.is_empty() { p.lead { (lead) } }
                div.grid { @for figure in figures { (figure) } }
            }
        }
    }
}

/// Returns a part as a percentage of the whole; 0 if the whole is 0.
fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Returns the plot of wins by seat (from 1), in percent with 95 % intervals; a seat whose interval lacks
/// the fair share is marked as a fault. The caption names the fair share, and the shares of shared and of
/// missing victories if there are any. Never `None`; the type is that of all plots.
fn wins(balance: &Balance) -> Option<Plot> {
    let fair = 100.0 * balance.fair();
    let row = |seat: usize| {
        let interval = balance.interval(seat);
        let class = if interval.has(balance.fair()) { "" } else { "fault" };
        ShareRow {
            name: format!("Seat {}", seat + 1),
            value: 100.0 * balance.share(seat),
            low: 100.0 * interval.low,
            high: 100.0 * interval.high,
            class,
        }
    };
    let rows: Vec<ShareRow> = (0..usize::from(balance.seats)).map(row).collect();
    let mut caption = vec![format!("A fair share is {fair:.1} %.")];
    if balance.draws > 0 {
        caption.push(format!("{:.1} % of the victories are shared.", percent(balance.draws, balance.games)));
    }
    if balance.nobody > 0 {
        caption.push(format!("Nobody wins {:.1} % of the games.", percent(balance.nobody, balance.games)));
    }
    let drawing = svg::whiskers(&rows, fair, "Wins by seat with 95 % intervals");
    Some(Plot { title: "Wins by seat", drawing, caption: caption.join(" ") })
}

/// Returns the histogram of a measure; the caption has its median, 5 % and 95 % quantiles, mean with its
/// interval and maximum. `None` if there are no data. `unit` is the label of the axis.
fn spread(of: &Histogram, title: &'static str, unit: &str) -> Option<Plot> {
    if of.moments.count == 0 {
        return None;
    }
    let (low, middle, high) = (of.at(5), of.at(50), of.at(95));
    let interval = of.moments.interval();
    let half = interval.width() / 2.0;
    let caption = format!(
        "Median {}; nine of ten between {} and {}; mean {:.1} ± {half:.1}; longest {}.",
        thousands(middle),
        thousands(low),
        thousands(high),
        of.moments.mean(),
        thousands(of.most()),
    );
    Some(Plot { title, drawing: svg::histogram(&of.bars(24), of.moments.count, middle, unit), caption })
}

/// Returns the histogram of the rounds of a game, with median, quantiles, mean and maximum in its caption; `None`
/// if the game has no rounds.
fn rounds(balance: &Balance) -> Option<Plot> {
    spread(&balance.rounds, "Rounds", "rounds")
}

/// Returns the histogram of the turns of a game, with median, quantiles, mean and maximum in its caption; `None` if
/// there are no data.
fn turns(balance: &Balance) -> Option<Plot> {
    spread(&balance.turns, "Turns", "turns of all seats")
}

/// Returns the histogram of the decisions of a game, with median, quantiles, mean and maximum in its caption;
/// `None` if there are no data.
fn decisions(balance: &Balance) -> Option<Plot> {
    spread(&balance.decisions, "Decisions", "decisions of all seats")
}

/// Returns the chart of estimated minutes by phase, with each phase's share of the time, the longest first;
/// the caption has the mean and the median of a game. `None` if no time was estimated.
fn minutes(balance: &Balance) -> Option<Plot> {
    let all: u64 = balance.phases.values().sum();
    let mean = |seconds: u64| seconds as f64 / 60.0 / balance.games.max(1) as f64;
    let mut rows: Vec<(String, f64)> = balance
        .phases
        .iter()
        .map(|(name, &seconds)| (format!("{name}: {:.1} min", mean(seconds)), percent(seconds, all)))
        .collect();
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    (all > 0).then(|| {
        let caption = format!(
            "Estimated for people: {:.0} minutes a game on average, {} in the median game.",
            mean(all),
            balance.minutes.at(50)
        );
        let names: Vec<String> = rows.iter().map(|row| row.0.clone()).collect();
        let drawing = svg::parts(&rows, &format!("Minutes by phase: {}", listed(&names)));
        Plot { title: "Minutes by phase", drawing, caption }
    })
}

/// Returns two curves over the course of the games: the mean score of the later winner, and that of each
/// other seat. `None` if the game has no standings.
fn standing(balance: &Balance) -> Option<Plot> {
    let means = |of: &[Moments; POINTS]| of.iter().map(Moments::mean).collect::<Vec<_>>();
    let (winner, others) = (means(&balance.course.winner), means(&balance.course.others));
    (balance.course.winner[0].count > 0).then(|| {
        let caption = format!(
            "Halfway the later winner has {:.1}, each of the others {:.1}; at the end {:.1} and {:.1}.",
            winner[POINTS / 2],
            others[POINTS / 2],
            winner[POINTS - 1],
            others[POINTS - 1],
        );
        let curves = [
            Curve { name: "the winner", colour: 'a', values: winner },
            Curve { name: "each other seat", colour: 'b', values: others },
        ];
        let drawing = svg::curves(&curves, "", None, None, "Mean score of winner and others");
        Plot { title: "Score over time", drawing, caption }
    })
}

/// Returns the curve of how often the seat that leads alone wins, in percent; `None` if nobody led halfway in
/// any game. Points at which fewer than a twentieth of the won games had a leader show the fair share.
fn leader_wins(balance: &Balance) -> Option<Plot> {
    let course = &balance.course;
    let rate = |i: usize| percent(course.held[i], course.led[i]);
    // At the beginning hardly any seat leads.
    let fair = 100.0 / f64::from(balance.seats.max(1));
    let values: Vec<f64> =
        (0..POINTS).map(|i| if course.led[i] * 20 < balance.won() { fair } else { rate(i) }).collect();
    (course.led[POINTS / 2] > 0).then(|| {
        let caption = format!(
            "Who leads after a quarter of the game wins {:.0} % of the time, halfway {:.0} %, after three quarters {:.0} %.",
            values[POINTS / 4],
            values[POINTS / 2],
            values[3 * POINTS / 4],
        );
        let curves = [Curve { name: "the leader wins", colour: 'c', values }];
        let drawing = svg::curves(&curves, "%", Some(0.0), Some(100.0), "Share of leaders who win");
        Plot { title: "How safe a lead is", drawing, caption }
    })
}

/// Returns the histogram of how often the lead changes in a game, with median, quantiles, mean and maximum in its
/// caption; `None` if there are no data.
fn changes(balance: &Balance) -> Option<Plot> {
    spread(&balance.changes, "Changes of the lead", "changes of the lead in a game")
}

/// Returns the histogram of the percentage of the turns after which the winner leads for good; the caption
/// has its quartiles. `None` if there are no data.
fn decided(balance: &Balance) -> Option<Plot> {
    let decided = &balance.decided;
    (decided.moments.count > 0).then(|| {
        let caption = format!(
            "In half of the games the winner leads for good after {} % of the turns, in a quarter after {} %, in \
             three quarters after {} %.",
            decided.at(50),
            decided.at(25),
            decided.at(75),
        );
        let drawing =
            svg::histogram(&decided.bars(20), decided.moments.count, decided.at(50), "% of the turns");
        Plot { title: "When the winner is decided", drawing, caption }
    })
}

/// Returns the chart of how games end, the most frequent ending first; the caption says how many games hit
/// their cap. Never `None`; the type is that of all plots.
fn endings(balance: &Balance) -> Option<Plot> {
    let mut rows: Vec<(String, f64)> =
        balance.endings.iter().map(|(name, &n)| (name.clone(), percent(n, balance.games))).collect();
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    let caption = match balance.capped {
        0 => "No game hit its cap.".to_string(),
        n => format!(
            "{} of {} games hit the cap ({:.2} %).",
            thousands(n),
            thousands(balance.games),
            percent(n, balance.games)
        ),
    };
    let names: Vec<String> = rows.iter().map(|row| row.0.clone()).collect();
    let drawing = svg::parts(&rows, &format!("How games end: {}", listed(&names)));
    Some(Plot { title: "The game ends …", drawing, caption })
}

/// Returns the histogram of the number of legal actions of a decision; the caption has mean, median,
/// maximum and the share of decisions without a choice. `None` if there are no data.
fn widths(balance: &Balance) -> Option<Plot> {
    let widths = &balance.widths;
    (widths.moments.count > 0).then(|| {
        let caption = format!(
            "Mean {:.1}, median {}, at the most {}; {:.0} % of the decisions leave no choice.",
            widths.moments.mean(),
            widths.at(50),
            thousands(widths.most()),
            percent(balance.forced, widths.moments.count),
        );
        let drawing =
            svg::histogram(&widths.bars(24), widths.moments.count, widths.at(50), "actions to choose from");
        Plot { title: "Branching factor", drawing, caption }
    })
}

/// Returns the curve of the mean number of legal actions by tenth of the game; the caption names the first
/// and the last. `None` if there are no data.
fn widths_by_time(balance: &Balance) -> Option<Plot> {
    let values: Vec<f64> = balance.widths_by_time.iter().map(Moments::mean).collect();
    (balance.widths.moments.count > 0).then(|| {
        let caption =
            format!("First tenth of a game: {:.1} actions; last tenth: {:.1}.", values[0], values[9]);
        let curves = [Curve { name: "actions to choose from", colour: 'c', values }];
        let drawing = svg::curves(&curves, "", Some(0.0), None, "Mean branching factor over time");
        Plot { title: "Over the course of a game", drawing, caption }
    })
}
