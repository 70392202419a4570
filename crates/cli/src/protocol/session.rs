//! A conversation of the engine protocol: one response for each request.

use super::answer::{Answer, RequestError, answer, outcome};
use super::request::{AskBot, COMMANDS, Explicit, GiveChance, LoadGame, NewGame, PlayAction, Request, Who};
use super::table::{ProtocolMatch, chance_word};
use pentarchy_bots::Spec;
use pentarchy_engine::record::RecordKind;
use pentarchy_engine::{Node, Observer, Seat};
use pentarchy_registry::{GAMES, find};
use serde::Deserialize;
use serde_json::{Value, json};

/// Version of the protocol. Increased when a client for an older version could misunderstand.
const PROTOCOL: u32 = 1;

/// A conversation.
#[derive(Default)]
pub(super) struct ProtocolSession {
    /// The current match; `None` before `new` or `load`.
    table: Option<ProtocolMatch>,
    /// Whether the client has sent `quit`.
    over: bool,
}

impl ProtocolSession {
    /// Returns whether the client has sent `quit`.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// Handles one line, which holds one request in JSON, carries the request out, and returns the response. It repeats
    /// the value of the key `id` of the request, if that could be read and has one. A line that is not JSON, not an
    /// object or no known command gets an error response of the kind `request`. After an error response nothing has
    /// changed.
    pub(super) fn answer(&mut self, line: &str) -> Value {
        let mut request: Value = match serde_json::from_str(line) {
            Ok(request) => request,
            Err(e) => return answer(None, Err(RequestError::request(format_args!("this is not JSON: {e}")))),
        };
        let Some(fields) = request.as_object_mut() else {
            return answer(
                None,
                Err(RequestError::request("a request is an object, like {\"cmd\": \"help\"}")),
            );
        };
        let id = fields.remove("id");
        let given = Request::deserialize(request).map_err(RequestError::request);
        answer(id, given.and_then(|request| self.carry_out(request)))
    }

    /// Carries out a request and returns the fields of its response as a JSON object. Replaces or changes the current
    /// match, or ends the session, if the request says so.
    ///
    /// # Errors
    ///
    /// Fails if the request does not fit the state or the rules reject it; then nothing has changed.
    fn carry_out(&mut self, request: Request) -> Answer {
        match request {
            Request::Help {} => Ok(help()),
            Request::Games {} => Ok(games()),
            Request::Rules { game } => rules(&game),
            Request::Options { game } => options(&game),
            Request::New(new) => self.begin(new),
            Request::Load(load) => self.load(load),
            Request::Node {} => Ok(self.table()?.status()),
            Request::Legal {} => self.legal(),
            Request::Say { action } => self.action_forms(&action),
            Request::Bot(ask) => self.bot(&ask),
            Request::Play(play) => self.play(&play),
            Request::Chance(chance) => self.chance(&chance),
            Request::Undo(undo) => self.undo(undo.count.unwrap_or(1)),
            Request::State {} => Ok(json!({ "state": self.table()?.position().save() })),
            Request::View(eyes) => self.view(eyes.eyes),
            Request::Log(eyes) => self.log(eyes.eyes),
            Request::Record(eyes) => self.record(eyes.eyes),
            Request::Digest {} => Ok(json!({ "digest": self.table()?.position().digest().to_string() })),
            Request::Outcome {} => Ok(json!({ "outcome": outcome(self.table()?.position().outcome()) })),
            Request::Quit {} => {
                self.over = true;
                Ok(json!({ "bye": true }))
            }
        }
    }

    /// Returns the current match.
    ///
    /// # Errors
    ///
    /// Fails if there is none, with an error of the kind `request`.
    fn table(&self) -> Result<&ProtocolMatch, RequestError> {
        self.table.as_ref().ok_or_else(no_game)
    }

    /// Returns the current match, so that the caller can change or undo it.
    ///
    /// # Errors
    ///
    /// Fails if there is none, with an error of the kind `request`.
    fn table_mut(&mut self) -> Result<&mut ProtocolMatch, RequestError> {
        self.table.as_mut().ok_or_else(no_game)
    }

    /// Starts a new match in place of the current one, with the default number of seats if none is given, and with the
    /// defaults of options that are not given. Plays at once what needs no decision: chance if there is a seed, reveals
    /// and duties unless `auto` is false; `undo` cannot take that back. Without a seed the client resolves chance.
    /// Returns the status of the match with the texts of these events as `happened`. The name of the game must be
    /// exact.
    ///
    /// # Errors
    ///
    /// Fails if the game is unknown, seats or options do not fit, both a seed and `chance` are given, or an event is
    /// rejected; the current match then stays.
    fn begin(&mut self, new: NewGame) -> Answer {
        let game = find(&new.game).map_err(RequestError::request)?;
        let seats = new.seats.unwrap_or(game.info().default_seats);
        let seed = chance_seed(new.seed, new.chance)?;
        let options = game.options(seats, &new.options, &[])?;
        let record = game.record(seats, &options, seed)?;
        let position = game.start(seats, &options)?;
        let (table, happened) = ProtocolMatch::begin(position, seed, new.auto.unwrap_or(true), Some(record))?;
        let answer = events_response(&table, happened);
        self.table = Some(table);
        Ok(answer)
    }

    /// Loads a position in place of the current match; there is no record then, and nothing to undo. Plays at once what
    /// needs no decision: chance if there is a seed, reveals and duties unless `auto` is false. A position that does
    /// not know everything plays nothing by itself. Without a seed the client resolves chance. Returns the status of
    /// the match with the texts of the events as `happened`.
    ///
    /// # Errors
    ///
    /// Fails if the game is unknown, the state is invalid, both a seed and `chance` are given, or an event is rejected;
    /// the current match then stays.
    fn load(&mut self, load: LoadGame) -> Answer {
        let name = load.state.get("game").and_then(Value::as_str);
        let name = name.ok_or_else(|| RequestError::request("`state` does not name its `game`"))?;
        let game = find(name).map_err(RequestError::request)?;
        let seed = chance_seed(load.seed, load.chance)?;
        let (table, happened) =
            ProtocolMatch::begin(game.load(&load.state)?, seed, load.auto.unwrap_or(true), None)?;
        let answer = events_response(&table, happened);
        self.table = Some(table);
        Ok(answer)
    }

    /// Returns the fields `seat` (who acts) and `legal`: the legal actions of that seat in the order of the rules, each
    /// an object with `canonical` (the text that names tokens), `spoken` (the text that names faces), `label` (in
    /// words) and `kind` (its heading). Changes nothing.
    ///
    /// # Errors
    ///
    /// Fails if there is no match, no seat is to act, or the position does not know what the seat knows.
    fn legal(&self) -> Answer {
        let position = self.table()?.position();
        let list = position.legal()?;
        Ok(json!({ "seat": position.actor(), "legal": list }))
    }

    /// Returns the legal action with this canonical or spoken text in all its forms: canonical, spoken, label
    /// and kind. Canonical text has priority. Plays nothing.
    ///
    /// # Errors
    ///
    /// Fails if there is no match, no seat is to act, the position does not know what the seat knows, or there
    /// is no such action.
    fn action_forms(&self, action: &str) -> Answer {
        let list = self.table()?.position().legal()?;
        let meant = list.iter().find(|c| c.canonical == action);
        let meant = meant.or_else(|| list.iter().find(|c| c.spoken == action));
        let meant = meant.ok_or_else(|| RequestError::rules(format_args!("`{action}` is not legal now")))?;
        Ok(json!(meant))
    }

    /// Returns the action that the bot of the request (by default the Captain) chooses for the acting seat, as an
    /// object with its `canonical` and `spoken` text, its `label` and its `kind`, without playing it. Equal seeds give
    /// equal choices, unless the budget of an Emperor is a time.
    ///
    /// # Errors
    ///
    /// Fails if there is no match, the bot is unknown, the game has no bots, no seat decides, or the position does not
    /// know what the seat knows.
    fn bot(&self, ask: &AskBot) -> Answer {
        let spec: Spec = ask.bot.as_deref().unwrap_or("captain").parse().map_err(RequestError::request)?;
        let position = self.table()?.position();
        let bots = pentarchy_registry::bots_of(position.game().info().name).map_err(RequestError::request)?;
        let chosen = bots.player(&spec, ask.seed).choose(position)?;
        let entry = position.legal()?.into_iter().nth(chosen);
        Ok(json!(entry.ok_or_else(|| RequestError::rules("the bot has chosen no legal action"))?))
    }

    /// Plays an action of the acting seat, given as canonical or spoken text, then what needs no decision: chance if
    /// the match has a seed, reveals and duties if it is automatic. All of it is one step for `undo`. Returns the
    /// status with the texts of all these events as `happened`. On `Err` nothing has changed.
    ///
    /// # Errors
    ///
    /// Fails if there is no match, `seat` is given and another seat is to act, the text is no action, or the rules
    /// reject it or an event that follows.
    fn play(&mut self, play: &PlayAction) -> Answer {
        let table = self.table_mut()?;
        if let (Some(seat), actor) = (play.seat, table.position().actor())
            && actor != Some(seat)
        {
            let node = table.position().node_text();
            return Err(RequestError::rules(format_args!("seat {seat} is not asked: the node is `{node}`")));
        }
        let happened = table.change(|position, _| Ok(position.play(&play.action)?))?;
        Ok(events_response(table, happened))
    }

    /// Resolves the awaited chance, rearrange or reveal node with the given outcome, else from the seed; then plays
    /// what needs no decision, as one step for `undo`. The outcome may begin with the word of the node and a colon
    /// (`roll: 4`). Without a seed and an outcome, a reveal or rearrange node resolves itself by an empty outcome; only
    /// chance needs one. Returns the status with the texts of all these events as `happened`. On `Err` nothing has
    /// changed.
    ///
    /// # Errors
    ///
    /// Fails if there is no match, if no such node is awaited, if the outcome is missing or does not fit, or if a
    /// following event is rejected.
    fn chance(&mut self, chance: &GiveChance) -> Answer {
        let table = self.table_mut()?;
        let (node, text) = (table.position().node(), table.position().node_text());
        let Some(word) = chance_word(node) else {
            return Err(RequestError::rules(format_args!("nature is not asked: the node is `{text}`")));
        };
        let happened = table.change(|position, rng| match (&chance.outcome, rng) {
            (Some(outcome), _) => match outcome.split_once(':') {
                Some((given, _)) if given.trim() != word => {
                    Err(RequestError::rules(format_args!("`{text}` is awaited, not `{outcome}`")))
                }
                _ => Ok(position.chance(outcome)?),
            },
            (None, Some(rng)) => Ok(position.advance(rng).map(|_| ())?),
            (None, None) if matches!(node, Node::Chance(_)) => {
                Err(RequestError::request(format_args!("`{text}` needs an `outcome`, like \"{word}: …\"")))
            }
            (None, None) => Ok(position.chance("")?),
        })?;
        Ok(events_response(table, happened))
    }

    /// Takes back the last `count` commands that changed the match (none for 0), each with the events that followed
    /// from it: position, record and generator of chance. Only the last 4,096 commands can be taken back, and none from
    /// before `new` or `load`. Returns the status with an empty `happened`.
    ///
    /// # Errors
    ///
    /// Fails if there is no match or fewer commands can be taken back; nothing has changed then.
    fn undo(&mut self, count: usize) -> Answer {
        let table = self.table_mut()?;
        table.undo(count)?;
        Ok(events_response(table, Vec::new()))
    }

    /// Returns the position as the observer sees it whom `who` names: `state` (data for `load`), `picture` (the state
    /// as readable JSON), `table` (the board as text) and `awaited` (what the rules wait for, in words). Changes
    /// nothing.
    ///
    /// # Errors
    ///
    /// Fails if there is no match or no such seat, or if the observer would see more than that of the match.
    fn view(&self, who: Who) -> Answer {
        let position = self.table()?.position();
        let observer = self.observer(who)?;
        let view = position.seen_by(observer);
        Ok(json!({
            "state": view.save(),
            "picture": view.picture(),
            "table": view.table(),
            "awaited": view.awaited(),
        }))
    }

    /// Returns the field `log`: the texts of all events so far as an observer reads them, in order, by replaying the
    /// record. Events without a text are left out. Changes nothing.
    ///
    /// # Errors
    ///
    /// Fails if there is no match or no record (the match was loaded), there is no such seat, the observer would see
    /// too much, or the replay fails.
    fn log(&self, who: Who) -> Answer {
        let table = self.table()?;
        let observer = self.observer(who)?;
        let mut log = Vec::new();
        let mut tell = |position: &dyn pentarchy_engine::AnyPosition| log.extend(position.last_log(observer));
        table.position().game().replay(table.record()?, RecordKind::Full, usize::MAX, &mut tell)?;
        Ok(json!({ "log": log }))
    }

    /// Returns the field `record`: the lines of the record so far as a list of texts, cut to what the observer may know
    /// whom `who` names (all for nobody). Changes nothing.
    ///
    /// # Errors
    ///
    /// Fails if there is no match, no record (the match was loaded) or no such seat, or if the observer would see more
    /// than that of the match.
    fn record(&self, who: Who) -> Answer {
        self.observer(who)?;
        let record = self.table()?.record()?.cut(who.into())?;
        // As texts: records are compared byte for byte, and a JSON library may reorder the keys of objects.
        Ok(json!({ "record": record.text().lines().collect::<Vec<_>>() }))
    }

    /// Returns the observer that a request names; for `all` and without a name, the observer of the match,
    /// which knows everything unless a view was loaded. A spectator is always possible.
    ///
    /// # Errors
    ///
    /// Fails if there is no match or no such seat, or if the observer would see more than that of the match.
    fn observer(&self, who: Who) -> Result<Observer, RequestError> {
        let position = self.table()?.position();
        let observer = Observer::from(who);
        match (observer, position.observer()) {
            (Observer::Seat(Seat(seat)), _) if seat >= position.seats() => {
                Err(RequestError::request(format_args!("there is no seat {seat}")))
            }
            (_, Observer::All) | (Observer::Spectator, _) => Ok(observer),
            (Observer::All, mine) => Ok(mine),
            (asked, mine) if asked == mine => Ok(observer),
            _ => Err(RequestError::rules("the loaded position does not know what that seat knows")),
        }
    }
}

/// Creates the error of the kind `request` that there is no match yet; its text names `new` and `load`.
fn no_game() -> RequestError {
    RequestError::request("there is no game yet: begin with `new` or `load`")
}

/// Returns the seed for chance events; `None` if the client resolves them, which is the default.
///
/// # Errors
///
/// Fails if a seed is given and the client wants to resolve chance, too.
fn chance_seed(seed: Option<u64>, chance: Option<Explicit>) -> Result<Option<u64>, RequestError> {
    match (seed, chance) {
        (Some(_), Some(Explicit::Explicit)) => {
            Err(RequestError::request("either `seed` or `chance`: nature answers, or the program does"))
        }
        (seed, _) => Ok(seed),
    }
}

/// Returns the status of the match as a JSON object, with the canonical texts of the events in the field `happened`, in
/// order.
fn events_response(table: &ProtocolMatch, happened: Vec<String>) -> Value {
    let mut status = table.status();
    status["happened"] = happened.into();
    status
}

/// Returns a JSON object with `protocol` (its version), `version` (of the program) and `commands`: a list with the name
/// `cmd` of each command and `what` it takes and does.
fn help() -> Value {
    let commands: Vec<Value> =
        COMMANDS.iter().map(|(name, what)| json!({ "cmd": name, "what": what })).collect();
    json!({ "protocol": PROTOCOL, "version": env!("CARGO_PKG_VERSION"), "commands": commands })
}

/// Returns the field `games`: each with `name`, `title`, `pitch`, `min_seats`, `max_seats`,
/// `default_seats`, `rules_version` and `hidden` (whether it hides anything).
fn games() -> Value {
    let games = GAMES.iter().map(|game| {
        let info = game.info();
        json!({
            "name": info.name,
            "title": info.title,
            "pitch": info.pitch,
            "min_seats": info.min_seats,
            "max_seats": info.max_seats,
            "default_seats": info.default_seats,
            "rules_version": info.rules_version,
            "hidden": game.hides(),
        })
    });
    json!({ "games": games.collect::<Vec<_>>() })
}

/// Returns the rules of the game with exactly this name as the fields `rules` (text), `zones` (names) and `faces` (each
/// with `face` and `text`, which is null for a face without a text).
///
/// # Errors
///
/// Fails if the game is unknown.
fn rules(name: &str) -> Answer {
    let game = find(name).map_err(RequestError::request)?;
    let cards = game.cards().into_iter().map(|(face, text)| json!({ "face": face, "text": text }));
    Ok(json!({
        "rules": game.summary(),
        "zones": game.zones(),
        "faces": cards.collect::<Vec<_>>(),
    }))
}

/// Returns the options of the game with exactly this name as the field `options`: each with `name`, `takes` (its
/// range), `default` (for the default number of seats), `tuning` (whether it is a number of the design) and `doc`.
///
/// # Errors
///
/// Fails if the game is unknown.
fn options(name: &str) -> Answer {
    let game = find(name).map_err(RequestError::request)?;
    let defaults = game.options(game.info().default_seats, &Value::Null, &[])?;
    let fields = game.fields().iter().map(|field| {
        json!({
            "name": field.name,
            "takes": field.kind.to_string(),
            "default": pentarchy_engine::options::get(&defaults, field.name),
            "tuning": field.tuning,
            "doc": field.doc,
        })
    });
    Ok(json!({ "options": fields.collect::<Vec<_>>() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the responses to some requests in one conversation, in order.
    fn talk<const N: usize>(requests: [Value; N]) -> [Value; N] {
        let mut session = ProtocolSession::default();
        requests.map(|request| session.answer(&request.to_string()))
    }

    /// Asserts that a response is an error of this kind whose message contains the text `with`.
    fn refused(answer: &Value, kind: &str, with: &str) {
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(error.contains(with) && answer["kind"] == kind, "{answer}");
    }

    #[test]
    fn every_command_is_in_the_help_and_nothing_else() {
        for (name, _) in COMMANDS {
            let error = talk([json!({ "cmd": name })])[0]["error"].as_str().unwrap_or_default().to_string();
            assert!(!error.contains("unknown variant"), "{name}: {error}");
        }
        let unknown = talk([json!({ "cmd": "?" })])[0]["error"].as_str().unwrap().to_string();
        let listed = unknown.split("expected one of").nth(1).unwrap().matches('`').count() / 2;
        assert_eq!(listed, COMMANDS.len(), "{unknown}");
    }

    #[test]
    fn without_a_game_every_command_about_it_says_so() {
        for cmd in ["node", "legal", "state", "digest", "outcome", "undo", "view", "log", "record", "bot"] {
            refused(&talk([json!({ "cmd": cmd })])[0], "request", "there is no game yet");
        }
    }

    #[test]
    fn a_seed_answers_for_nature() {
        let [new, legal, bet, wrong, call, outcome, undo, again] = talk([
            json!({ "cmd": "new", "game": "kuhn", "seed": 7 }),
            json!({ "cmd": "legal" }),
            json!({ "cmd": "play", "action": "bet", "seat": 0 }),
            json!({ "cmd": "play", "action": "call", "seat": 0 }),
            json!({ "cmd": "play", "action": "call" }),
            json!({ "cmd": "outcome" }),
            json!({ "cmd": "undo", "count": 2 }),
            json!({ "cmd": "undo" }),
        ]);
        assert_eq!(new["happened"], json!(["shuffle: deck", "reveal: hand 0 to 0", "reveal: hand 1 to 1"]));
        assert_eq!((&new["node"], &new["seat"], &new["events"]), (&json!("decide 0"), &json!(0), &json!(3)));
        assert_eq!(legal["legal"].as_array().map(Vec::len), Some(2));
        assert_eq!(bet["happened"], json!(["bet"]));
        refused(&wrong, "refused", "seat 0 is not asked");
        assert_eq!(call["happened"], json!(["call", "reveal: hand 0 and hand 1 to all"]));
        assert_eq!(call["node"], "over");
        assert_eq!(call["outcome"], outcome["outcome"]);
        assert_eq!((&undo["node"], &undo["events"]), (&json!("decide 0"), &json!(3)));
        refused(&again, "refused", "only 0 commands can be taken back");
    }

    #[test]
    fn a_program_may_answer_for_nature() {
        let [new, wrong, unread, none, shuffled, state, not_now] = talk([
            json!({ "cmd": "new", "game": "kuhn", "chance": "explicit" }),
            json!({ "cmd": "chance", "outcome": "roll: 3" }),
            json!({ "cmd": "chance", "outcome": "shuffle: ace" }),
            json!({ "cmd": "chance" }),
            json!({ "cmd": "chance", "outcome": "shuffle: king jack" }),
            json!({ "cmd": "state" }),
            json!({ "cmd": "chance", "outcome": "roll: 3" }),
        ]);
        assert_eq!(new["node"], "shuffle deck");
        refused(&wrong, "refused", "`shuffle deck` is awaited");
        refused(&unread, "request", "jack, queen or king");
        refused(&none, "request", "needs an `outcome`");
        assert_eq!(shuffled["node"], "decide 0");
        let faces = state["state"]["faces"].as_array().unwrap();
        assert_eq!(faces.len(), 3);
        refused(&not_now, "refused", "nature is not asked");
        let [both] = talk([json!({ "cmd": "new", "game": "kuhn", "seed": 1, "chance": "explicit" })]);
        refused(&both, "request", "either `seed` or `chance`");
    }

    #[test]
    fn nothing_happens_by_itself_if_that_is_wished() {
        let [new, first, second] = talk([
            json!({ "cmd": "new", "game": "kuhn", "auto": false }),
            json!({ "cmd": "chance", "outcome": "shuffle: queen" }),
            json!({ "cmd": "chance" }),
        ]);
        assert_eq!(new["node"], "shuffle deck");
        assert_eq!(first["node"], "reveal hand 0 to 0");
        assert_eq!(second["node"], "reveal hand 1 to 1");
    }

    #[test]
    fn a_view_tells_what_a_seat_may_know_and_can_be_played_on() {
        let mut session = ProtocolSession::default();
        let mut ask = |request: Value| session.answer(&request.to_string());
        ask(json!({ "cmd": "new", "game": "kuhn" }));
        ask(json!({ "cmd": "chance", "outcome": "shuffle: king jack" }));
        let view = ask(json!({ "cmd": "view", "eyes": 1 }));
        let spectator = ask(json!({ "cmd": "view", "eyes": "spectator" }));
        assert_eq!(view["state"]["faces"], json!([[1, "jack"]]));
        assert_eq!(spectator["state"].get("faces"), None);
        let digest = ask(json!({ "cmd": "digest" }));
        let told = ask(json!({ "cmd": "log", "eyes": 1 }));
        assert_eq!(told["log"], json!(["@0 is dealt a card.", "@1 is dealt jack."]));
        refused(&ask(json!({ "cmd": "view", "eyes": 2 })), "request", "there is no seat 2");
        refused(&ask(json!({ "cmd": "view", "eyes": "me" })), "request", "the number of a seat");

        let loaded = ask(json!({ "cmd": "load", "state": view["state"] }));
        assert_eq!(loaded["node"], "decide 0");
        assert_eq!(ask(json!({ "cmd": "digest" })), digest);
        refused(&ask(json!({ "cmd": "view", "eyes": 0 })), "refused", "does not know what that seat knows");
        refused(&ask(json!({ "cmd": "legal" })), "refused", "only the seat that is asked");
        refused(&ask(json!({ "cmd": "record" })), "refused", "a loaded game has no record");
        assert_eq!(ask(json!({ "cmd": "play", "action": "bet" }))["node"], "decide 1");
        assert_eq!(ask(json!({ "cmd": "legal" }))["legal"][1]["spoken"], "call");
    }

    #[test]
    fn a_loaded_position_goes_on_like_the_game_it_came_from() {
        let mut session = ProtocolSession::default();
        let mut ask = |request: Value| session.answer(&request.to_string());
        ask(json!({ "cmd": "new", "game": "leduc", "seed": 3 }));
        let state = ask(json!({ "cmd": "state" }))["state"].clone();
        for action in ["bet", "call", "check", "check"] {
            ask(json!({ "cmd": "play", "action": action }));
        }
        let end = ask(json!({ "cmd": "outcome" }));
        ask(json!({ "cmd": "load", "state": state }));
        for action in ["bet", "call", "check", "check"] {
            ask(json!({ "cmd": "play", "action": action }));
        }
        assert_eq!(ask(json!({ "cmd": "outcome" })), end);
        let mut broken = state;
        broken["state"]["stage"] = json!("Nap");
        refused(&ask(json!({ "cmd": "load", "state": broken })), "request", "this is no position");
        refused(&ask(json!({ "cmd": "load", "state": {} })), "request", "does not name its `game`");
        assert_eq!(ask(json!({ "cmd": "outcome" })), end, "a refused load leaves the game as it was");
    }

    #[test]
    fn the_record_of_a_game_replays_and_undo_cuts_it() {
        let mut session = ProtocolSession::default();
        let mut ask = |request: Value| session.answer(&request.to_string());
        ask(json!({ "cmd": "new", "game": "leduc", "seed": 3 }));
        for _ in 0..40 {
            let bot = ask(json!({ "cmd": "bot", "bot": "random", "seed": 5 }));
            if bot.get("error").is_some() {
                break;
            }
            ask(json!({ "cmd": "play", "action": bot["canonical"] }));
            ask(json!({ "cmd": "undo" }));
            ask(json!({ "cmd": "play", "action": bot["canonical"] }));
        }
        let record = ask(json!({ "cmd": "record" }));
        let lines = record["record"].as_array().unwrap();
        let text: String = lines.iter().map(|line| format!("{}\n", line.as_str().unwrap())).collect();
        let record = pentarchy_engine::record::Record::read(text.as_bytes()).unwrap();
        find("leduc").unwrap().verify(&record).unwrap();
        assert_eq!(record.entries.len(), ask(json!({ "cmd": "node" }))["events"]);
        let public = ask(json!({ "cmd": "record", "eyes": "spectator" }));
        assert!(!public.to_string().contains("annexes") && !public.to_string().contains("seed"));
    }
}
