//! The terms of a table in words, and the first difference between two tables.

use pentarchy_table::{Descriptor, Recovery, TablePlayer};
use serde_json::Value;

/// Formats a time limit in milliseconds: `600 s`, or `1500 ms` if it is not whole seconds.
pub fn limit_text(ms: u32) -> String {
    if ms.is_multiple_of(1000) { format!("{} s", ms / 1000) } else { format!("{ms} ms") }
}

/// Describes for players what happens when one of them leaves for good, as a phrase without a full stop: that the
/// game ends, or that a bot takes over, with the number of machines that together can then read a hand.
pub fn recovery_text(recovery: Recovery) -> String {
    match recovery {
        Recovery::End => "the game ends".to_owned(),
        Recovery::Escrow(t) => format!("a bot takes over; any {t} other machines together can read a hand"),
    }
}

/// Returns why a bot cannot take over at a table with this many machines, as sentences for the host; `None`
/// if it can.
pub fn takeover_refusal(machines: u8) -> Option<&'static str> {
    (Recovery::for_machines(machines) == Recovery::End).then_some(
        "A bot cannot take over here: that needs three machines, and a player and the bots that they host are one. \
         With fewer, one machine alone could read another player's cards.",
    )
}

/// Describes the first difference in what a player confirms before they sit down: everything except the
/// identities and names of players and the nonce. Which seats are bots of the host is included. Returns
/// `None` if all is equal. Seats count from 1 in the text.
pub fn changed_terms(shown: &Descriptor, now: &Descriptor) -> Option<String> {
    let change =
        |what: &str, from: &str, to: &str| Some(format!("the host changed {what} from {from} to {to}"));
    if shown.game != now.game {
        return change("the game", &shown.game, &now.game);
    }
    if (shown.version, shown.rules) != (now.version, now.rules) {
        let version = |table: &Descriptor| format!("{}.{}", table.version, table.rules);
        return change("the version of the rules", &version(shown), &version(now));
    }
    if shown.rules_hash != now.rules_hash {
        return Some("the host changed the data of the rules".to_owned());
    }
    if shown.players.len() != now.players.len() {
        let seats = |table: &Descriptor| table.players.len().to_string();
        return change("the number of seats", &seats(shown), &seats(now));
    }
    if shown.options != now.options {
        return Some(changed_option(&shown.options, &now.options));
    }
    if shown.recovery != now.recovery {
        let what = "what happens when a player leaves";
        return change(what, &recovery_text(shown.recovery), &recovery_text(now.recovery));
    }
    if shown.stall_ms != now.stall_ms {
        return change("the time limit", &limit_text(shown.stall_ms), &limit_text(now.stall_ms));
    }
    if shown.audit != now.audit {
        let audit = |table: &Descriptor| if table.audit { "published" } else { "kept secret" };
        return change("what happens to the keys after the game", audit(shown), audit(now));
    }
    (1..).zip(shown.players.iter().zip(&now.players)).find_map(|(seat, (before, after))| {
        match (before.host.is_some(), after.host.is_some()) {
            (false, true) => Some(format!("the host put a bot in seat {seat}")),
            (true, false) => Some(format!("the host removed the bot from seat {seat}")),
            _ => None,
        }
    })
}

/// Describes the first difference between the table that was shown and the one that starts: first the terms,
/// then by seat, from 1, the player, the name and the host of a bot; a general sentence for anything else,
/// such as the nonce. Returns `None` if they are equal.
pub(crate) fn changed_table(shown: &Descriptor, started: &Descriptor) -> Option<String> {
    if shown == started {
        return None;
    }
    let player = |(seat, (before, after)): (usize, (&TablePlayer, &TablePlayer))| {
        if before.identity != after.identity {
            Some(format!("the host put another player in seat {seat}"))
        } else if before.name != after.name {
            Some(format!("the host renamed the player in seat {seat}"))
        } else if before.host != after.host {
            Some(format!("the host changed who runs the bot in seat {seat}"))
        } else {
            None
        }
    };
    let players = || (1..).zip(shown.players.iter().zip(&started.players)).find_map(player);
    let other = || "the host changed the table after you agreed to it".to_owned();
    Some(changed_terms(shown, started).or_else(players).unwrap_or_else(other))
}

/// Describes the first option that differs between two JSON texts, from `shown` to `now`, as a sentence for players;
/// a general sentence if no value differs. A text that cannot be parsed counts as null.
fn changed_option(shown: &str, now: &str) -> String {
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
    match first_change("", &read(shown), &read(now)) {
        Some(change) => format!("the host changed the option {change}"),
        None => "the host changed the options".to_owned(),
    }
}

/// Describes the first difference between two JSON values as "NAME from VALUE to VALUE", where the name is the path
/// of keys below `name`, joined by dots; `None` if they are equal. Objects are compared key by key, and a missing key
/// counts as null. Other values, arrays too, are compared as a whole.
fn first_change(name: &str, shown: &Value, now: &Value) -> Option<String> {
    let (Value::Object(before), Value::Object(after)) = (shown, now) else {
        return (shown != now).then(|| format!("{name} from {shown} to {now}"));
    };
    before.keys().chain(after.keys()).find_map(|key| {
        let value = |of: &'_ serde_json::Map<String, Value>| of.get(key).cloned().unwrap_or_default();
        let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
        first_change(&name, &value(before), &value(after))
    })
}
