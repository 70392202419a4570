//! Verdicts: the meaning of the figures, in plain words.

use crate::balance::{Balance, POINTS};
use crate::findings::{Finding, Findings, Worth, WorthState};
use crate::lab::Lab;
use crate::measure::{Mean, Measure};
use crate::options::{Mark, assess};
use crate::report::text::{listed, signed, thousands};
use crate::statistics::{Interval, z_for};
use pentarchy_bots::{Level, Spec};
use pentarchy_engine::Item;

/// The tone of a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// Good.
    Good,
    /// Worth knowing.
    Note,
    /// A fault to fix or to examine.
    Fault,
}

/// A finding in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BalanceVerdict {
    /// The topic, in a word or two.
    pub about: &'static str,
    /// The tone.
    pub tone: Tone,
    /// The sentence.
    pub text: String,
}

/// Percentage points that a seat may win above its share before it counts as a fault.
const BLEMISH: f64 = 2.0;

/// Part of a fair share that an option may be worth before it counts as a must.
const MUST: f64 = 0.2;

/// Factor above an equal share that a seat which leads halfway should win.
const LITTLE: f64 = 1.5;

/// Returns all verdicts about the first setting, and about the strategies, in the order of the report.
/// Judgements without data are left out; empty without settings.
pub fn verdicts(lab: &Lab, findings: &Findings) -> Vec<BalanceVerdict> {
    let Some(first) = findings.settings.first() else { return Vec::new() };
    let (balance, items) = (first.balance(), lab.game.items());
    let all = [
        seats(balance),
        nobody(balance),
        length(lab, balance),
        caps(balance),
        tension(balance),
        options(lab, balance, &items),
        worth(lab, findings, &items),
        choices(balance),
        strategies(lab, findings),
        games_needed(findings),
    ];
    all.into_iter().flatten().collect()
}

/// Creates a verdict from topic, tone and sentence. Never returns `None`; the type is that of all judgements.
fn verdict(about: &'static str, tone: Tone, text: impl Into<String>) -> Option<BalanceVerdict> {
    Some(BalanceVerdict { about, tone, text: text.into() })
}

/// Returns a part as a percentage of the whole; 0 if the whole is 0.
fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Judges whether seats win their share, with intervals corrected for the number of seats: good if the fair
/// share is in all of them, else a note or, if the share of one of those seats is off by 2 percentage
/// points or more, a fault. `None` for a game with one seat.
pub fn seats(balance: &Balance) -> Option<BalanceVerdict> {
    let n = usize::from(balance.seats);
    if n < 2 {
        return None;
    }
    // All seats are tested together, so the quantile is corrected for multiple comparisons.
    let (z, fair) = (z_for(n), balance.fair());
    let mut worst = 0.0;
    let mut odd = Vec::new();
    for seat in 0..n {
        let interval = balance.interval_at(seat, z);
        if !interval.has(fair) {
            let by = 100.0 * (balance.share(seat) - fair);
            let (low, high) = (100.0 * (interval.low - fair).abs(), 100.0 * (interval.high - fair).abs());
            let (least, most) = (low.min(high), low.max(high));
            let way = if by > 0.0 { "more" } else { "less" };
            worst = f64::max(worst, by.abs());
            odd.push(format!(
                "seat {} wins {:.1} points {way} than its share (between {least:.1} and {most:.1})",
                seat + 1,
                by.abs(),
            ));
        }
    }
    if odd.is_empty() {
        let widest = (0..n).map(|s| balance.interval_at(s, z).width()).fold(0.0, f64::max);
        return verdict(
            "Seats",
            Tone::Good,
            format!(
                "No seat wins more or less than its share of {:.1} % beyond noise; {} games would have shown a difference of {:.1} points.",
                100.0 * fair,
                thousands(balance.games),
                50.0 * widest,
            ),
        );
    }
    let (tone, end) = match worst {
        w if w < BLEMISH => (Tone::Note, "That is more than noise, but hardly to be felt at a table."),
        _ => (Tone::Fault, "That is more than noise."),
    };
    let mut text = format!("{}. {end}", listed(&odd));
    text[..1].make_ascii_uppercase();
    verdict("Seats", tone, text)
}

/// Judges how often no seat wins: a fault if that is more than half of the games, else a note; `None` if it
/// never happens.
fn nobody(balance: &Balance) -> Option<BalanceVerdict> {
    let share = percent(balance.nobody, balance.games);
    let tone = if share > 50.0 { Tone::Fault } else { Tone::Note };
    (balance.nobody > 0)
        .then(|| {
            verdict("Nobody", tone, format!("The game itself wins {share:.1} % of the time: no seat does."))
        })
        .flatten()
}

/// Judges the length of a game against the minutes that the game promises: a fault if the median is more
/// than a fifth longer, a note if the longest games (95 %) take more than four times as long as the
/// shortest (5 %), else good. Never returns `None`; the type is that of all judgements.
fn length(lab: &Lab, balance: &Balance) -> Option<BalanceVerdict> {
    let (low, middle, high) = (balance.minutes.at(5), balance.minutes.at(50), balance.minutes.at(95));
    let rounds = match balance.rounds.moments.count {
        0 => String::new(),
        _ => format!(" ({} rounds)", balance.rounds.at(50)),
    };
    let promised = u64::from(lab.game.info().minutes);
    // A game up to 20 % longer than promised is tolerated.
    let late = promised > 0 && 5 * middle > 6 * promised;
    let wide = high > 4 * low.max(1);
    let end = match (late, wide) {
        (true, _) => format!(" The game promises {promised} minutes."),
        (false, true) => " That is a wide range.".to_string(),
        (false, false) => String::new(),
    };
    let tone = match (late, wide) {
        (true, _) => Tone::Fault,
        (false, true) => Tone::Note,
        (false, false) => Tone::Good,
    };
    verdict(
        "Length",
        tone,
        format!(
            "Half of the games would take people {middle} minutes or less{rounds}, by estimate; nine of ten take between {low} and {high}.{end}"
        ),
    )
}

/// Judges how often games end at their cap: good if never, a note below 1 %, else a fault. Never returns
/// `None`; the type is that of all judgements.
fn caps(balance: &Balance) -> Option<BalanceVerdict> {
    let share = percent(balance.capped, balance.games);
    let text = format!("{share:.2} % of the games do not end by themselves but at the cap.");
    match balance.capped {
        0 => verdict(
            "Endings",
            Tone::Good,
            format!("All {} games end by themselves.", thousands(balance.games)),
        ),
        _ if share < 1.0 => verdict("Endings", Tone::Note, text),
        _ => verdict("Endings", Tone::Fault, text),
    }
}

/// Judges how long the winner stays open, by the median percentage of the turns after which the winner
/// leads for good: a fault below 30, a note below 55, a note too if the leader at half time wins less than
/// 1.5 times the fair share, else good. `None` if no game has standings or a leader at half time.
fn tension(balance: &Balance) -> Option<BalanceVerdict> {
    let middle = POINTS / 2;
    let (led, held) = (balance.course.led[middle], balance.course.held[middle]);
    if balance.decided.moments.count == 0 || led == 0 {
        return None;
    }
    let (half, leader) = (balance.decided.at(50), percent(held, led));
    let changes = balance.changes.moments.mean();
    let lost = 100.0 - leader;
    let (tone, judged) = match half {
        0..30 => (Tone::Fault, "Most games are decided early"),
        30..55 => (Tone::Note, "Many games are decided before they are half over or not much later"),
        _ if leader < LITTLE * 100.0 * balance.fair() => {
            (Tone::Note, "Games stay open so long that a lead means little")
        }
        _ => (Tone::Good, "Games stay open for long"),
    };
    verdict(
        "Tension",
        tone,
        format!(
            "{judged}: in half of them the winner leads for good after {half} % of the turns. The seat that leads at half time still loses {lost:.0} % of the games; the lead changes {changes:.1} times a game."
        ),
    )
}

/// Judges cards, buildings and actions: a fault if an item is dead or dominant, a note if one is weak, else
/// good. `None` if the game has no items or fewer than 100 games were played.
fn options(lab: &Lab, balance: &Balance, items: &[Item]) -> Option<BalanceVerdict> {
    if items.is_empty() || balance.games < 100 {
        return None;
    }
    let assessed = assess(balance, items);
    let named = |mark: Mark| -> Vec<String> {
        let marked = assessed.iter().filter(|a| a.mark == Some(mark));
        marked.map(|a| items[a.item].name.clone()).collect()
    };
    let mut parts = Vec::new();
    for (mark, what) in [
        (Mark::Dominant, "win far more than their share with"),
        (Mark::Weak, "win far less than their share with"),
        (Mark::Dead, "hardly ever take"),
    ] {
        let names = named(mark);
        if !names.is_empty() {
            parts.push(format!("{what} {}", shortened(&names)));
        }
    }
    if parts.is_empty() {
        return verdict("Options", Tone::Good, "No card, building or action is dead, and none is a must.");
    }
    let faulty = !named(Mark::Dead).is_empty() || !named(Mark::Dominant).is_empty();
    let tone = if faulty { Tone::Fault } else { Tone::Note };
    verdict("Options", tone, format!("{} {}.", players(lab), parts.join("; they ")))
}

/// Judges the worth of options by restricted play: a fault if a seat that goes without one certainly loses a
/// fifth of its share, else a note; `None` without restricted play.
fn worth(lab: &Lab, findings: &Findings, items: &[Item]) -> Option<BalanceVerdict> {
    if findings.worths.is_empty() {
        return None;
    }
    let fair = 100.0 * findings.settings.first()?.balance().fair();
    let mut sure: Vec<(&Item, &Worth)> = items.iter().zip(&findings.worths).collect();
    sure.retain(|(_, worth)| worth.state == WorthState::Sure);
    sure.sort_by(|(_, a), (_, b)| b.mean().total_cmp(&a.mean()));
    let told = |(item, worth): &(&Item, &Worth)| {
        let Interval { low, high } = worth.interval();
        format!("{} {} ({} to {})", item.name, signed(worth.mean()), signed(low), signed(high))
    };
    let list = |all: Vec<String>| shortened(&all);
    let better: Vec<String> = sure.iter().filter(|(_, w)| w.mean() > 0.0).map(told).collect();
    let worse: Vec<String> = sure.iter().rev().filter(|(_, w)| w.mean() < 0.0).map(told).collect();
    let open = findings.worths.iter().filter(|w| w.state == WorthState::Open).count();
    let mut parts = Vec::new();
    if !better.is_empty() {
        parts.push(format!(
            "A seat of {} loses points of winning share without {}.",
            players(lab),
            list(better)
        ));
    }
    if !worse.is_empty() {
        parts.push(format!("It does better without {}.", list(worse)));
    }
    if parts.is_empty() {
        parts.push("No option is known to be worth anything alone: others replace it.".to_string());
    }
    parts.push(format!("{open} of {} options are open.", findings.worths.len()));
    let must = sure.iter().any(|(_, w)| w.interval().low > MUST * fair);
    let tone = if must { Tone::Fault } else { Tone::Note };
    verdict("Worth", tone, parts.join(" "))
}

/// Says after how many games the differences between seats were sure, or how many a difference of one point
/// takes; always a note. `None` with fewer than two seats.
fn games_needed(findings: &Findings) -> Option<BalanceVerdict> {
    let games = findings.settings.first()?.balance().games;
    if findings.seats.len() < 2 {
        return None;
    }
    let sure: Vec<String> = (findings.seats.iter().enumerate())
        .filter_map(|(seat, s)| Some(format!("seat {} after {}", seat + 1, thousands(s.sure_after?))))
        .collect();
    let point = findings.seats.iter().filter_map(|s| s.games_for_a_point).max();
    let point = point.map_or(String::new(), |n| {
        format!(" A difference of one point between seats takes about {} games.", thousands(n))
    });
    let text = match sure.is_empty() {
        true => format!("{} games do not show a difference between the seats.{point}", thousands(games)),
        false => format!("Sure to differ from a fair share: {}.{point}", listed(&sure)),
    };
    verdict("Games", Tone::Note, text)
}

/// Joins at most eight names, and says how many more there are: `a, b and c`, `a, … and 3 more`. Empty for no
/// names.
fn shortened(names: &[String]) -> String {
    const FEW: usize = 8;
    match names.len() {
        0..=FEW => listed(names),
        n => format!("{} and {} more", names[..FEW].join(", "), n - FEW),
    }
}

/// Judges how many legal actions the decisions have: a note if more than half of the decisions have only one,
/// else good. The sentence has the mean, the maximum and the share of decisions without a choice. Never
/// returns `None`; the type is that of all judgements.
fn choices(balance: &Balance) -> Option<BalanceVerdict> {
    let (mean, most) = (balance.widths.moments.mean(), balance.widths.most());
    let forced = percent(balance.forced, balance.widths.moments.count);
    let tone = if forced > 50.0 { Tone::Note } else { Tone::Good };
    verdict(
        "Choices",
        tone,
        format!(
            "At a decision there are {mean:.1} actions on average and {most} at the most; {forced:.0} % of the decisions leave no choice."
        ),
    )
}

/// Judges whether skill pays, from the duels of Captain against Random and Emperor against Captain: good if
/// the interval of each stronger bot lies above an equal share, else a note. `None` if neither was played.
fn strategies(lab: &Lab, findings: &Findings) -> Option<BalanceVerdict> {
    let find = |one: Level, others: Level| {
        findings.duels.iter().find(|d| d.one.level == one && d.others.level == others)
    };
    let fair = 100.0 / f64::from(lab.seats().max(1));
    let mut parts = Vec::new();
    let mut pays = true;
    for (one, others) in [(Level::Captain, Level::Random), (Level::Emperor, Level::Captain)] {
        let Some(duel) = find(one, others) else { continue };
        let (share, interval) = (100.0 * duel.tally.share(0), duel.tally.interval(0));
        pays &= 100.0 * interval.low > fair;
        let table = if lab.seats() == 2 { "against a" } else { "alone among bots of the level" };
        let (low, high) = (100.0 * interval.low, 100.0 * interval.high);
        parts.push(format!(
            "{} {} {table} {} wins {share:.0} % ({low:.0} to {high:.0})",
            if one == Level::Emperor { "an" } else { "a" },
            title(duel.one),
            title(duel.others)
        ));
    }
    if parts.is_empty() {
        return None;
    }
    let (tone, judged) = match pays {
        true => (Tone::Good, "Skill pays"),
        false => (Tone::Note, "It is not sure that skill pays"),
    };
    verdict("Skill", tone, format!("{judged}: {}. An equal would win {fair:.0} %.", parts.join("; ")))
}

/// Describes how each later setting differs from the first beyond noise, one verdict per setting in order;
/// empty with fewer than two settings.
pub fn differences(findings: &Findings) -> Vec<BalanceVerdict> {
    let Some(first) = findings.settings.first() else { return Vec::new() };
    let told = |finding: &Finding| {
        let changed = |measure: Measure| {
            let difference = finding.difference(measure).filter(Mean::is_sure)?;
            let (low, high) = (signed(difference.interval.low), signed(difference.interval.high));
            Some(format!("{} {} ({low} … {high})", measure.name(), signed(difference.mean)))
        };
        let changes: Vec<String> =
            Measure::all(first.balance().seats).into_iter().filter_map(changed).collect();
        let name = &finding.setting.name;
        let text = match changes.is_empty() {
            true => {
                format!("{name}: no difference beyond noise in {} games.", thousands(finding.balance().games))
            }
            false => format!("{name}: {}.", changes.join("; ")),
        };
        BalanceVerdict { about: "Change", tone: Tone::Note, text }
    };
    findings.settings.iter().skip(1).map(told).collect()
}

/// Returns the players of the games in the plural, by the names of their levels in the order of the seats:
/// "Captain bots". Equal neighbours are named once.
pub fn players(lab: &Lab) -> String {
    let mut bots: Vec<String> = lab.bots.iter().map(|&bot| title(bot)).collect();
    bots.dedup();
    format!("{} bots", listed(&bots))
}

/// Returns the name of a bot in a report: its level, with the budget of an Emperor in parentheses unless that
/// is the full one, e.g. `Emperor (500)`.
pub fn title(bot: Spec) -> String {
    let text = bot.to_string();
    match text.split_once(':') {
        Some((_, budget)) => format!("{} ({budget})", bot.level.title()),
        None => bot.level.title().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balance::WHOLE;

    fn balance(wins: &[u64]) -> Balance {
        let mut balance = Balance::new(wins.len() as u8, 0);
        balance.games = wins.iter().sum();
        wins.iter().enumerate().for_each(|(i, n)| balance.parts[i] = n * WHOLE);
        balance
    }

    #[test]
    fn an_odd_seat_is_told_from_noise() {
        let fair = seats(&balance(&[5020, 4980])).unwrap();
        assert_eq!(fair.tone, Tone::Good);
        assert!(
            fair.text
                .starts_with("No seat wins more or less than its share of 50.0 % beyond noise; 10,000 games")
        );
        let odd = seats(&balance(&[3300, 3700, 3000])).unwrap();
        assert_eq!(odd.tone, Tone::Fault);
        assert!(
            odd.text.starts_with("Seat 2 wins 3.7 points more than its share (between 2.5 and 4.8)"),
            "{}",
            odd.text
        );
        assert!(
            odd.text.contains("seat 3 wins 3.3 points less")
                && odd.text.ends_with("That is more than noise.")
        );
        let slight = seats(&balance(&[51_000, 49_000])).unwrap();
        assert_eq!(slight.tone, Tone::Note);
        assert_eq!(seats(&balance(&[100])), None);
    }
}
