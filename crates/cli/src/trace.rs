//! `pentarchy trace FILE`: what the rules asked and answered in a signed record, for verifiers that do not have the
//! rules.

use crate::command_error::{CommandError, Outcome};
use crate::records;
use crate::signed::Signed;
use pentarchy_engine::any::{RawClaim, RawEvent, RawEventKind};
use pentarchy_engine::record::{RecordEntry, RecordKind};
use pentarchy_engine::{AnyPosition, Audience, Chance, Node, Seat, Set, Side, Token};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// Print what the rules asked and answered at every event of a signed record, as JSON lines
///
/// The record is verified first. A verifier that does not have the rules reads this beside the record: the digests
/// in it are part of what the seats have signed, so a wrong trace does not verify. docs/fair-play.md describes the
/// lines.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pentarchy trace vires.table > vires.trace
  python3 verifier/verify.py vires.table vires.trace")]
pub(crate) struct Args {
    /// The signed record
    file: PathBuf,
}

/// Runs `pentarchy trace`: verifies a signed record, replays its public part, and prints a line of JSON for the start,
/// each event and the end. A secret choice that a bot made for a dropped seat is added to the line of its event as
/// `open_choice` (token and face). Nothing is printed if an event cannot be described.
///
/// # Errors
///
/// Fails if the file cannot be read, is not a signed record, does not verify or cannot be described, or if the output
/// is closed.
pub(crate) fn run(args: &Args) -> Outcome {
    let no_table = || {
        CommandError::file("trace", &args.file, "it is not the signed record of a table")
            .hint("`pentarchy replay --json` shows other records as data")
    };
    let Signed { game, verdict, .. } = Signed::read(&args.file)?.ok_or_else(no_table)?;
    let public = verdict.public;
    let words: Vec<String> = game.cards().into_iter().map(|(word, _)| word).collect();
    let mut tracer = Tracer { words, before: None, lines: Vec::new(), failed: None };
    let mut entries = public.entries.iter();
    let end = game.replay(&public, RecordKind::Public, public.entries.len(), &mut |position| {
        let entry = tracer.before.is_some().then(|| entries.next()).flatten();
        tracer.visit(entry, position);
    });
    let end = end.map_err(|e| records::unsound(&args.file, &e))?;
    if let Some(why) = tracer.failed {
        return Err(records::unsound(&args.file, &why));
    }
    for choice in &verdict.open_choices {
        if let Some(line) = tracer.lines.get_mut(choice.event as usize) {
            line["open_choice"] = json!([choice.token.0, choice.face]);
        }
    }
    let winners = end.outcome().map(|outcome| outcome.winners().map(|seat| seat.0).collect::<Vec<_>>());
    tracer.lines.push(json!({
        "digest": end.digest().to_string(), "node": node(&*end), "winners": winners,
    }));
    let mut out = anstream::stdout().lock();
    for line in tracer.lines {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Collects the lines of a trace while a record is replayed.
struct Tracer {
    /// The words of all faces, by number.
    words: Vec<String>,
    /// The position before the event.
    before: Option<Box<dyn AnyPosition>>,
    /// The lines so far.
    lines: Vec<Value>,
    /// Why the last event that could not be described failed; the lines are not used then.
    failed: Option<String>,
}

impl Tracer {
    /// Adds a line for a position that the replay reached, in the order of the events: the event `entry` that led to
    /// it, or the header for the first position and if there is no `entry`. If the event cannot be described, sets
    /// `failed` instead, in place of an earlier reason. Keeps the position for the next call.
    fn visit(&mut self, entry: Option<&RecordEntry>, position: &dyn AnyPosition) {
        match (self.before.take(), entry) {
            (Some(before), Some(entry)) => match self.event(&*before, entry, position) {
                Ok(line) => self.lines.push(line),
                Err(why) => self.failed = Some(format!("event {}: {why}", entry.n)),
            },
            _ => self.lines.push(header(position)),
        }
        self.before = Some(position.clone_box());
    }

    /// Returns the event `entry`, which led from `before` to `after`, as JSON: `digest` and `node` of `before`, `event`
    /// (its text), `shown` as pairs of token and face, `backs` as pairs of token and back, and `facts` (the public
    /// information about tokens that the event changed). All are numbers. For an action also `shows` (tokens that it
    /// has to show), `slip` (token and menu, or null) and `claims`. Whether `entry` leads to `after` is not checked.
    ///
    /// # Errors
    ///
    /// Fails if the entry is malformed or names an unknown face, or the rules reject its action.
    fn event(
        &self,
        before: &dyn AnyPosition,
        entry: &RecordEntry,
        after: &dyn AnyPosition,
    ) -> Result<Value, String> {
        let shown = self.shown(entry)?;
        let backs = entry.backs.iter().map(|text| {
            let (back, token) = split(text)?;
            Ok((token, back.parse::<u8>().map_err(|e| e.to_string())?))
        });
        let backs = backs.collect::<Result<Vec<_>, String>>()?;
        let mut line = json!({
            "digest": before.digest().to_string(), "node": node(before), "event": entry.event,
            "shown": shown, "backs": backs, "facts": facts(Some(before), after),
        });
        if before.actor().is_some() {
            let act = before.act(&entry.event).map_err(|e| e.to_string())?;
            let tokens: Vec<u16> = act.shows.iter().map(|t| t.0).collect();
            line["shows"] = json!(tokens);
            line["slip"] = json!(act.slip.map(|slip| (slip.token.0, slip.menu)));
            let mut plain = RawEvent::new(RawEventKind::Act(entry.event.clone()));
            plain.shown = shown.iter().map(|&(t, face)| (Token(t), face)).collect();
            let claims = before.clone_box().follow_line(&plain).map_err(|e| e.to_string())?;
            line["claims"] = claims.iter().map(claim).collect();
        }
        Ok(line)
    }

    /// Returns the tokens that an entry shows, as pairs of the number of the token and the number of its face, in the
    /// order of the entry.
    ///
    /// # Errors
    ///
    /// Fails if the entry is malformed or names an unknown face.
    fn shown(&self, entry: &RecordEntry) -> Result<Vec<(u16, u8)>, String> {
        let face = |text: &String| {
            let (word, token) = split(text)?;
            let face = self.words.iter().position(|other| other == word);
            Ok((token, face.ok_or_else(|| format!("there is no face `{word}`"))? as u8))
        };
        entry.shown.iter().map(face).collect()
    }
}

/// Splits `archer#17` at the last `#` into the word before it and the number of the token, in this order; the word may
/// be empty.
///
/// # Errors
///
/// Fails with a sentence if there is no `#` or no number from 0 to 65535 after it.
fn split(text: &str) -> Result<(&str, u16), String> {
    let (word, token) = text.rsplit_once('#').ok_or_else(|| format!("`{text}` names no token"))?;
    Ok((word, token.parse().map_err(|_| format!("`{text}` names no token"))?))
}

/// Returns the first line of the trace as JSON: `trace` (its version), `game`, `rules` (version),
/// `seats`, `backs` of all faces, and `facts` about all tokens in the first position.
fn header(position: &dyn AnyPosition) -> Value {
    let backs: Vec<u8> = (0..position.kinds()).map(|face| position.back_of(face).0).collect();
    let info = position.game().info();
    json!({
        "trace": 1, "game": info.name, "rules": info.rules_version, "seats": position.seats(),
        "backs": backs, "facts": facts(None, position),
    })
}

/// Returns the public information about each token for which it differs from the position before (about all
/// tokens without one), by ascending token: number, owner of the zone (null for none), seats that know the
/// face (bit n for seat n), back, possible faces (bits, as hexadecimal digits), public face (null if it is
/// not public).
fn facts(before: Option<&dyn AnyPosition>, position: &dyn AnyPosition) -> Vec<Value> {
    let fact = |position: &dyn AnyPosition, t: Token| {
        let fact = position.token_info(t);
        let known = (0..position.seats()).filter(|&seat| fact.known.to(Seat(seat)));
        let known = known.fold(0u8, |bits, seat| bits | 1 << seat);
        json!([t.0, fact.owner, known, fact.back.0, format!("{:x}", fact.may), fact.public])
    };
    let tokens = (0..position.token_count()).map(Token);
    let now = tokens.map(|t| (t, fact(position, t)));
    now.filter(|(t, now)| before.is_none_or(|before| fact(before, *t) != *now)).map(|(_, now)| now).collect()
}

/// Returns the node that the rules wait for as JSON, by `kind`: `decide` and `declare` with `seat`; `roll` and `pick`
/// with the number `of` results; `shuffle` with `tokens`; `cast` with the number `of` sides, the `first` face and
/// `tokens`; `rearrange` with `by` and `tokens`; `reveal` with `to` (null for all), `side` (`face` or `back`) and
/// `tokens`; `over` with nothing. Tokens are numbers.
fn node(position: &dyn AnyPosition) -> Value {
    let members = |set: Set| position.members(set).iter().map(|t| t.0).collect::<Vec<_>>();
    match position.node() {
        Node::Decide(seat) => json!({ "kind": "decide", "seat": seat }),
        Node::Declare(seat) => json!({ "kind": "declare", "seat": seat }),
        Node::Chance(Chance::Roll { sides }) => json!({ "kind": "roll", "of": sides }),
        Node::Chance(Chance::Pick { of }) => json!({ "kind": "pick", "of": of }),
        Node::Chance(Chance::Shuffle { pile }) => {
            json!({ "kind": "shuffle", "tokens": members(Set::Zone(pile)) })
        }
        Node::Chance(Chance::Cast { set, first, sides }) => {
            json!({ "kind": "cast", "first": first, "of": sides, "tokens": members(set) })
        }
        Node::Rearrange { set, by } => json!({ "kind": "rearrange", "by": by, "tokens": members(set) }),
        Node::Reveal { set, to, side } => {
            let to = match to {
                Audience::All => None,
                Audience::Seat(seat) => Some(seat),
            };
            let side = match side {
                Side::Face => "face",
                Side::Back => "back",
            };
            json!({ "kind": "reveal", "to": to, "side": side, "tokens": members(set) })
        }
        Node::Over => json!({ "kind": "over" }),
    }
}

/// Returns a claim about hidden faces as JSON by `kind`: `in` (the face of `token` is in `set`), `none` (no face of
/// `tokens` is in `set`), `some` (at least `count` of the `tokens` have a face in `set`), `pair` (the faces of two
/// `tokens` are one of `pairs`). Tokens are numbers; a set of faces is its bits as hexadecimal digits.
fn claim(claim: &RawClaim) -> Value {
    let numbers = |tokens: &[Token]| tokens.iter().map(|t| t.0).collect::<Vec<_>>();
    match claim {
        RawClaim::In(t, set) => json!({ "kind": "in", "token": t.0, "set": format!("{set:x}") }),
        RawClaim::NoneIn(ts, set) => {
            json!({ "kind": "none", "tokens": numbers(ts), "set": format!("{set:x}") })
        }
        RawClaim::Some(ts, set, k) => {
            json!({ "kind": "some", "tokens": numbers(ts), "set": format!("{set:x}"), "count": k })
        }
        RawClaim::Pair(a, b, pairs) => json!({ "kind": "pair", "tokens": [a.0, b.0], "pairs": pairs }),
    }
}
