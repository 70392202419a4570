//! The findings of the lab as JSON.

use crate::balance::Balance;
use crate::findings::{Duel, Finding, Findings, SeatFinding, Worth, WorthState};
use crate::lab::Lab;
use crate::measure::{Mean, Measure};
use crate::options::assess;
use crate::statistics::{Interval, Z95};
use crate::verdict::{BalanceVerdict, Tone, differences, verdicts};
use pentarchy_engine::{Item, Verb};
use serde_json::{Map, Value, json};

/// Returns all findings of a lab run as one JSON object: the parameters (`game` to `bots`), `verdicts`,
/// differences between settings in words (`changes`), the figures of each of the `settings`, the duels
/// (`rivals`), the worth of options (`worths`), the confidence sequences of the seats (`seats_known`), and
/// whether the run `stopped` early. Seats are lists in their order. `findings` must be those of this run.
pub fn as_data(lab: &Lab, findings: &Findings) -> Value {
    let (info, items) = (lab.game.info(), lab.game.items());
    json!({
        "game": info.name,
        "rules_version": info.rules_version,
        "seats": lab.seats(),
        "seed": lab.seed,
        "games": lab.games,
        "bots": lab.bots.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "verdicts": verdicts(lab, findings).iter().map(verdict).collect::<Vec<_>>(),
        "changes": differences(findings).iter().map(verdict).collect::<Vec<_>>(),
        "settings": findings.settings.iter().map(|f| setting(f, &items)).collect::<Vec<_>>(),
        "rivals": findings.duels.iter().map(duel).collect::<Vec<_>>(),
        "worths": items.iter().zip(&findings.worths).map(worth).collect::<Vec<_>>(),
        "seats_known": findings.seats.iter().map(seat).collect::<Vec<_>>(),
        "stopped": findings.stopped,
    })
}

/// Returns the worth of an option as JSON: name, verb, worth and interval in points of winning share, state
/// in words, and the counts of pairs; the interval is null before the first look.
fn worth((item, worth): (&Item, &Worth)) -> Value {
    let interval = worth.interval();
    let state = match worth.state {
        WorthState::NeverOffered => "never offered",
        WorthState::Sure => "sure",
        WorthState::Precise => "precise",
        WorthState::Open => "open",
    };
    json!({
        "name": item.name,
        "verb": item.verb.word(),
        "worth": worth.mean(),
        "interval": interval.width().is_finite().then(|| pair(interval)),
        "state": state,
        "pairs": worth.pairs(),
        "offered": worth.tally.offered,
        "forced": worth.tally.forced,
        "pairs_needed": worth.pairs_needed(),
    })
}

/// Returns what the confidence sequence of a seat shows as JSON; `sure_after` and `games_for_a_point` are
/// null if unknown.
fn seat(seat: &SeatFinding) -> Value {
    json!({
        "interval": pair(seat.interval),
        "sure_after": seat.sure_after,
        "games_for_a_point": seat.games_for_a_point,
    })
}

/// Returns an interval as a JSON pair: lower end, upper end.
fn pair(interval: Interval) -> Value {
    json!([interval.low, interval.high])
}

/// Returns a verdict as a JSON object: topic, tone in one word, sentence.
fn verdict(verdict: &BalanceVerdict) -> Value {
    let tone = match verdict.tone {
        Tone::Good => "good",
        Tone::Note => "note",
        Tone::Fault => "fault",
    };
    json!({ "about": verdict.about, "tone": tone, "text": verdict.text })
}

/// Returns the findings of a setting as JSON: counts, shares with intervals, measures with their differences
/// to the first setting, and `items`, which must be those of the game.
fn setting(finding: &Finding, items: &[Item]) -> Value {
    let balance = finding.balance();
    let seats = 0..usize::from(balance.seats);
    let measures = |of: &dyn Fn(Measure) -> Option<Mean>| -> Map<String, Value> {
        let all = Measure::all(balance.seats).into_iter();
        all.filter_map(|m| Some((m.word(), of(m)?.as_data()))).collect()
    };
    json!({
        "name": finding.setting.name,
        "options": finding.setting.options,
        "wins": balance.wins[seats.clone()],
        "shares": seats.clone().map(|s| balance.share(s)).collect::<Vec<_>>(),
        "intervals": seats.map(|s| pair(balance.interval(s))).collect::<Vec<_>>(),
        "draws": balance.draws,
        "nobody": balance.nobody,
        "capped": balance.capped,
        "endings": balance.endings,
        "branching": balance.widths.moments.mean(),
        "forced": balance.forced as f64 / balance.widths.moments.count.max(1) as f64,
        "measures": measures(&|m| finding.value(m)),
        "differences": measures(&|m| finding.difference(m)),
        "items": item_list(balance, items),
    })
}

/// Returns for each item, in the order of `items`, a JSON object: name, group, its use by the verb that it is
/// judged by (users, their share of wins with interval, offers, mark), and its uses per game by every verb.
/// `items` must be those of the figures.
fn item_list(balance: &Balance, items: &[Item]) -> Vec<Value> {
    let one = |a: &crate::options::Assessed| {
        let (item, uses) = (&items[a.item], &balance.items[a.item]);
        let found = &uses[a.verb.index()];
        let games = balance.games.max(1) as f64;
        let mut data = json!({
            "name": item.name,
            "group": item.group,
            "verb": a.verb.word(),
            "users": found.users,
            "share": found.share(),
            "interval": pair(found.interval(Z95)),
            "offered": found.offered,
            "taken": found.taken,
            "mark": a.mark.map(|m| m.word()),
        });
        for verb in Verb::ALL {
            data[verb.word()] = json!(uses[verb.index()].times as f64 / games);
        }
        data
    };
    assess(balance, items).iter().map(one).collect()
}

/// Returns a duel as JSON: both bots, the number of games, and the share of the single bot with its interval.
fn duel(duel: &Duel) -> Value {
    json!({
        "one": duel.one.to_string(),
        "others": duel.others.to_string(),
        "games": duel.tally.games,
        "share": duel.tally.share(0),
        "interval": pair(duel.tally.interval(0)),
    })
}
