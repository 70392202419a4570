//! Execution of a scenario: the script acts; nature answers from the seed where the script is silent.

use super::file::{RestNames, Scenario, ScenarioStep};
use super::{ExpectationError, ScenarioReport, expect, values};
use crate::arrange::{self, Layout, Rest};
use pentarchy_engine::describe::Describe;
use pentarchy_engine::notation::{ScriptError, node_text, zone_named};
use pentarchy_engine::{AppliedEvent, Chance, Game, LoggedEventOf, Node, Position, Rng, Size, Zone};
use toml::Spanned;

/// More events in a row without a decision count as an endless loop.
const MOST_EVENTS: usize = 100_000;

/// Runs a scenario of this game and returns its report: what happened, and each failed expectation
/// with its line. A scenario of another game fails. Never panics on what a file says.
pub fn run<G: Game + Describe>(scenario: &Scenario) -> ScenarioReport {
    let mut report = ScenarioReport::default();
    if scenario.game() != G::INFO.name {
        let message = format!("this is a scenario of {}, not of {}", scenario.game(), G::INFO.name);
        return ScenarioReport::failed(scenario.game_line(), message);
    }
    if !scenario.data.text.is_empty() {
        report.told.push(scenario.data.text.clone());
    }
    match Runner::<G>::begin(scenario, &mut report) {
        Ok(mut runner) => runner.steps(&mut report),
        Err(failure) => report.failures.push(failure),
    }
    report
}

/// A scenario that is run.
pub(super) struct Runner<'s, G: Game> {
    /// The scenario.
    scenario: &'s Scenario,
    /// The current position, of the simulator.
    pub(super) position: Position<G>,
    /// The generator of chance that the script leaves out; `None` without a seed.
    rng: Option<Rng>,
    /// Whether declarations, reveals and rearrangements that the script leaves out are resolved.
    auto: bool,
    /// Log entries of the current step.
    pub(super) log: Vec<String>,
    /// Number of log entries that the report contains already.
    told: usize,
}

/// Why a text of the script was not applied.
enum ScriptLineError {
    /// The text could not be parsed.
    Unreadable(String),
    /// The rules rejected it.
    Refused(String),
}

impl ScriptLineError {
    /// Returns the reason for which the text could not be read or was refused, in words.
    fn reason(&self) -> &str {
        match self {
            ScriptLineError::Unreadable(reason) | ScriptLineError::Refused(reason) => reason,
        }
    }
}

impl From<ScriptError> for ScriptLineError {
    /// Converts an error of a scripted event: unreadable stays unreadable, rejected becomes
    /// refused.
    fn from(error: ScriptError) -> Self {
        match error {
            ScriptError::Unreadable(e) => ScriptLineError::Unreadable(e.to_string()),
            ScriptError::Rejected(e) => ScriptLineError::Refused(e.to_string()),
        }
    }
}

impl<'s, G: Game + Describe> Runner<'s, G> {
    /// Creates a runner at the position where the scenario begins: after opening and layout, with the nodes
    /// resolved that the script leaves out. Adds a line about the opening to the report.
    ///
    /// # Errors
    ///
    /// Fails with a line if options, seats, opening or layout are invalid, or if the rules reject an event.
    fn begin(scenario: &'s Scenario, report: &mut ScenarioReport) -> Result<Self, ExpectationError> {
        let data = &scenario.data;
        let failure = |line, message: String| ExpectationError { line, step: None, message };
        let options = match &data.options {
            Some(given) => pentarchy_engine::options::from_value(given.get_ref())
                .map_err(|e| failure(scenario.line(given), e.to_string()))?,
            None => G::Options::default(),
        };
        let seats = data.seats.as_ref().map_or(G::INFO.default_seats, |s| *s.get_ref());
        let line = data.seats.as_ref().map_or(scenario.game_line(), |s| scenario.line(s));
        let position = Position::new(seats, &options).map_err(|e| failure(line, e.to_string()))?;
        let rng = data.seed.map(Rng::new);
        let mut runner = Runner { scenario, position, rng, auto: data.auto, log: Vec::new(), told: 0 };
        runner.opening(report)?;
        runner.lay_out()?;
        let first = data.step.first().map(Spanned::get_ref);
        let awaited = first.filter(|s| s.does.is_empty()).and_then(|s| s.node.as_ref());
        runner
            .settle(next_text(scenario, 0, 0), awaited.map(|n| n.get_ref().as_str()))
            .map_err(|e| failure(line, e))?;
        Ok(runner)
    }

    /// Plays the opening up to the point where the scenario begins: the events of the file, or without them
    /// everything up to the first decision, from the seed of the file or 1, as if the scenario were
    /// automatic. Adds a line about scripted events to the report. After an error the position must not be
    /// used.
    ///
    /// # Errors
    ///
    /// Fails with a line if a text of the opening cannot be read or does not fit the awaited node, or if the
    /// rules reject an event.
    fn opening(&mut self, report: &mut ScenarioReport) -> Result<(), ExpectationError> {
        let data = &self.scenario.data;
        let failure = |line, message: String| ExpectationError { line, step: None, message };
        // If tokens are laid out afterwards, the script begins after that.
        let arranged = !data.zones.is_empty() || data.position.is_some();
        let first = next_text(self.scenario, 0, 0).filter(|_| !arranged);
        let Some(opening) = &data.opening else {
            let (rng, auto) = (self.rng.clone(), self.auto);
            self.rng = Some(rng.clone().unwrap_or_else(|| Rng::new(1)));
            self.auto = true;
            let settled = self.settle(first, None);
            self.auto = auto;
            self.rng = self.rng.take().filter(|_| rng.is_some());
            return settled.map_err(|e| failure(self.scenario.game_line(), e));
        };
        for text in opening.iter() {
            let line = self.scenario.line(text);
            self.settle(Some(text.get_ref()), None).map_err(|e| failure(line, e))?;
            self.carry_out(text.get_ref()).map_err(|e| failure(line, self.explain(text.get_ref(), &e)))?;
        }
        report.told.push(format!("opening: {} events of the script", opening.len()));
        self.settle(first, None).map_err(|e| failure(self.scenario.game_line(), e))
    }

    /// Lays out the tokens, empties the zones listed as bare, and sets the values of the scenario; no effect
    /// if it has none of them. After an error the position must not be used.
    ///
    /// # Errors
    ///
    /// Fails with a line if a zone, face or value is unknown, or the layout is impossible.
    fn lay_out(&mut self) -> Result<(), ExpectationError> {
        let data = &self.scenario.data;
        let fail = |line, message: String| ExpectationError { line, step: None, message };
        let mut layouts = Vec::new();
        for (name, texts) in &data.zones {
            let line = self.scenario.line(name);
            let zone = find_zone::<G>(name.get_ref()).map_err(|e| fail(line, e))?;
            let (tokens, more) = expect::tokens_from::<G>(self.scenario, texts, self.position.seats())
                .map_err(|(line, message)| fail(line, message))?;
            layouts.push(Layout { zone, tokens, more });
        }
        for zone in (0..G::Size::ZONES as u8).map(Zone) {
            let name = G::zone_name(zone);
            let bare = data.bare.iter().any(|word| name.split(' ').next() == Some(word.get_ref().as_str()));
            let listed = layouts.iter().any(|l| l.zone == zone);
            if bare && !listed && !self.position.state().tokens().is_empty(zone) {
                layouts.push(Layout { zone, tokens: Vec::new(), more: false });
            }
        }
        if !layouts.is_empty() {
            let rest = self.rest()?;
            arrange::lay_out(&mut self.position, &layouts, &rest).map_err(|e| {
                let of = |name: &&Spanned<String>| e.zone.is_some_and(|z| G::zone_name(z) == *name.get_ref());
                let name = data.zones.keys().find(of).or_else(|| data.zones.keys().next());
                fail(name.map_or(1, |n| self.scenario.line(n)), e.message.clone())
            })?;
        }
        // Call `arranged` even without differences: a game may cache data that follows from the zones.
        let differences = data.position.as_ref();
        if differences.is_some() || !layouts.is_empty() {
            let line = differences.map_or(1, |given| self.scenario.line(given));
            let differences = differences
                .map_or_else(|| serde_json::json!({}), |given| values::with_nulls(given.get_ref()));
            let state = self.position.state().arranged(&differences).map_err(|e| fail(line, e))?;
            self.position = arrange::with_state(&self.position, state).map_err(|e| fail(line, e))?;
        }
        Ok(())
    }

    /// Finds the zones of the piles that the file names: one for all zones, or one for each named zone. The
    /// default, without piles, if the file names none.
    ///
    /// # Errors
    ///
    /// Fails, with the line of the names, if a zone is unknown.
    fn rest(&self) -> Result<Rest, ExpectationError> {
        let Some(names) = &self.scenario.data.rest else { return Ok(Rest::default()) };
        let zone = |name: &String| {
            let line = self.scenario.line(names);
            find_zone::<G>(name).map_err(|message| ExpectationError { line, step: None, message })
        };
        Ok(match names.get_ref() {
            RestNames::All(pile) => Rest { all: Some(zone(pile)?), each: Vec::new() },
            RestNames::Each(piles) => {
                let each = piles.iter().map(|(of, pile)| Ok((zone(of)?, zone(pile)?)));
                Rest { all: None, each: each.collect::<Result<_, ExpectationError>>()? }
            }
        })
    }

    /// Runs all steps, each by its script, its rejected texts and its expectations, and adds what happens
    /// and the failed expectations to the report. Stops after the first step whose script cannot be
    /// applied.
    fn steps(&mut self, report: &mut ScenarioReport) {
        for (number, step) in self.scenario.data.step.iter().enumerate() {
            (self.log, self.told) = (Vec::new(), 0);
            let line = self.scenario.line(step);
            let step = step.get_ref();
            let done = self.script(number, step, line, report);
            let fail = |(line, message)| ExpectationError { line, step: Some(number + 1), message };
            let failed = done.is_err();
            report.failures.extend(done.err().map(fail));
            if failed {
                return; // Whatever comes after would only repeat that the script broke off.
            }
            report.failures.extend(self.refusals(step, number, report.told.as_mut()).into_iter().map(fail));
            report.failures.extend(expect::check(self, self.scenario, step).into_iter().map(fail));
        }
    }

    /// Applies the actions of step number `number` (from 0), which begins at `line`, then resolves nodes that
    /// the script does not mention. A step without actions resolves nothing. Adds what happens to the report.
    /// After an error the position must not be used.
    ///
    /// # Errors
    ///
    /// Fails with the line of the first text that was not applied, or that another seat should have played,
    /// and with `line` if the rules reject an event after the last text.
    fn script(
        &mut self,
        number: usize,
        step: &'s ScenarioStep,
        line: usize,
        report: &mut ScenarioReport,
    ) -> Result<(), (usize, String)> {
        let told = |text: String| format!("step {}: {text}", number + 1);
        if !step.note.is_empty() {
            report.told.push(told(format!("({})", step.note)));
        }
        for text in step.does.iter() {
            let line = self.scenario.line(text);
            let text = text.get_ref();
            self.settle(Some(text), None).map_err(|e| (line, e))?;
            self.report_new_log(report);
            if let (Some(by), Some(actor)) = (&step.by, self.position.actor())
                && actor.0 != *by.get_ref()
            {
                let by = by.get_ref();
                return Err((line, format!("`{text}` should be by seat {by}, but seat {actor} is asked")));
            }
            self.carry_out(text).map_err(|e| (line, self.explain(text, &e)))?;
            report.told.push(told(text.clone()));
            self.report_new_log(report);
        }
        if step.does.is_empty() {
            return Ok(()); // Time moves with the script alone.
        }
        let data = &self.scenario.data;
        let after = data.step.get(number + 1).map(Spanned::get_ref).filter(|s| s.does.is_empty());
        let awaited = step.node.as_ref().or_else(|| after.and_then(|s| s.node.as_ref()));
        self.settle(next_text(self.scenario, number, step.does.len()), awaited.map(|n| n.get_ref().as_str()))
            .map_err(|e| (line, e))?;
        self.report_new_log(report);
        Ok(())
    }

    /// Appends the log entries of this step that the report does not have yet, indented, and notes that it
    /// has them.
    fn report_new_log(&mut self, report: &mut ScenarioReport) {
        report.told.extend(self.log[self.told..].iter().map(|text| format!("    {text}")));
        self.told = self.log.len();
    }

    /// Resolves nodes that the script leaves out: chance from the seed, declarations, reveals, and
    /// rearrangements, which keep the order. Stops at the next decision, at the end of the game, at the node
    /// that the text `next` is meant for, and at the node that `awaited` names. Also stops at chance without
    /// a seed, and at the others unless the scenario is automatic. Adds the log entries of the events to the
    /// current step. After an error the position must not be used.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject an event, or if none of the stops is reached within [`MOST_EVENTS`] events.
    fn settle(&mut self, next: Option<&str>, awaited: Option<&str>) -> Result<(), String> {
        for _ in 0..MOST_EVENTS {
            let node = self.position.node();
            let reached = awaited.is_some_and(|text| expect::is_node::<G>(node, text));
            if reached || next.is_some_and(|text| self.is_for(node, text)) {
                return Ok(());
            }
            match node {
                Node::Decide(_) | Node::Over => return Ok(()),
                Node::Chance(_) => {
                    let Some(rng) = &mut self.rng else { return Ok(()) };
                    let before = self.position.clone();
                    let line = self.position.resolve_line(rng).map_err(|e| self.stuck(&e.to_string()))?;
                    self.add_log(&before, &line);
                }
                _ if !self.auto => return Ok(()),
                Node::Declare(seat) => {
                    let duty = self.position.duty(seat, &mut Vec::new());
                    let duty = duty.map_err(|e| self.stuck(&e.to_string()))?;
                    let before = self.position.clone();
                    let line = self.position.play_line(duty).map_err(|e| self.stuck(&e.to_string()))?;
                    self.add_log(&before, &line);
                }
                Node::Rearrange { .. } | Node::Reveal { .. } => {
                    let before = self.position.clone();
                    let line = self.position.resolve_with(0, None).map_err(|e| self.stuck(&e.to_string()))?;
                    self.add_log(&before, &line);
                }
            }
        }
        Err(format!("no seat had to decide within {MOST_EVENTS} events"))
    }

    /// Returns the message that the awaited node could not be resolved automatically, with the
    /// reason.
    fn stuck(&self, reason: &str) -> String {
        format!("the game is stuck at `{}`: {reason}", node_text::<G>(self.position.node()))
    }

    /// Returns whether a text of the script is meant for `node`, which would otherwise be resolved
    /// automatically: it names the duty of a declaration, or begins with the word of this kind of chance,
    /// rearrangement or reveal. `false` for decisions and at the end.
    fn is_for(&self, node: Node, text: &str) -> bool {
        match node {
            Node::Declare(_) => self.position.parse_legal(text).is_ok(),
            Node::Decide(_) | Node::Over => false,
            _ => nature_word(text).is_some_and(|word| word == kind(node)),
        }
    }

    /// Adds the log entry of an event, if it has one, to the current step. `before` is the position before
    /// it; the runner must hold the one after it.
    fn add_log(&mut self, before: &Position<G>, line: &LoggedEventOf<G>) {
        let facts = before.facts(line);
        let event = AppliedEvent { before, line, facts: &facts, after: &self.position };
        self.log.extend(G::log(&event));
    }

    /// Applies one text of the script, an action of the acting seat or an answer of nature, and adds its text
    /// to the log. A rejected action changes nothing; after a rejected answer of nature the position must not
    /// be used.
    ///
    /// # Errors
    ///
    /// Fails if the text cannot be read, does not fit the awaited node, or is rejected by the rules.
    fn carry_out(&mut self, text: &str) -> Result<(), ScriptLineError> {
        let before = self.position.clone();
        let line = match (self.position.node(), nature_word(text)) {
            (Node::Decide(_) | Node::Declare(_), None) => {
                let action = self.action(text)?;
                self.position.play_line(action).map_err(|e| ScriptLineError::Refused(e.to_string()))?
            }
            (Node::Over, _) => return Err(ScriptLineError::Refused("the game is over".to_string())),
            (node, word) => {
                let number = matches!(node, Node::Chance(Chance::Roll { .. } | Chance::Pick { .. }))
                    && text.trim().parse::<u32>().is_ok();
                if !number && word != Some(kind(node)) {
                    let awaited = node_text::<G>(node);
                    let hint = match node {
                        Node::Decide(_) | Node::Declare(_) => "",
                        _ => ": script it, or give a `seed`",
                    };
                    return Err(ScriptLineError::Refused(format!("`{awaited}` is awaited{hint}")));
                }
                self.position.script(text)?
            }
        };
        self.add_log(&before, &line);
        Ok(())
    }

    /// Parses an action of the acting seat, legal or not, from canonical or spoken text.
    ///
    /// # Errors
    ///
    /// Fails as unreadable if the text is no action, and as refused if it is one that cannot be found in
    /// this position.
    fn action(&self, text: &str) -> Result<G::Action, ScriptLineError> {
        self.position.parse_any(text).ok_or_else(|| match text.parse::<G::Action>() {
            Ok(_) => ScriptLineError::Refused("this is not one of the legal actions".to_string()),
            Err(e) => ScriptLineError::Unreadable(e.to_string()),
        })
    }

    /// Returns the sentence that a text of the script was not applied and why (`refusal`), and
    /// which actions would be legal if a seat is to act.
    fn explain(&self, text: &str, refusal: &ScriptLineError) -> String {
        let what = match refusal {
            ScriptLineError::Unreadable(_) => "cannot be read",
            ScriptLineError::Refused(_) => "was refused",
        };
        let legal = match self.position.actor() {
            Some(seat) => format!("; seat {seat} may: {}", expect::listed(&expect::spoken(&self.position))),
            None => String::new(),
        };
        format!("`{text}` {what}: {}{legal}", refusal.reason())
    }

    /// Checks that the texts of `reject` are rejected for the stated reason and that this changes nothing.
    /// Tries them on copies. Returns a message with its line per failed check, and adds the reasons to
    /// `told`. `number` is the step, from 0.
    fn refusals(&self, step: &ScenarioStep, number: usize, told: &mut Vec<String>) -> Vec<(usize, String)> {
        let mut wrong = Vec::new();
        for text in step.reject.iter() {
            let line = self.scenario.line(text);
            let text = text.get_ref();
            let mut trial = Runner {
                scenario: self.scenario,
                position: self.position.clone(),
                rng: None,
                auto: self.auto,
                log: Vec::new(),
                told: 0,
            };
            let refusal = match trial.carry_out(text) {
                Ok(()) => {
                    wrong.push((line, format!("`{text}` should be refused, but was accepted")));
                    continue;
                }
                Err(refusal) => refusal,
            };
            let reason = refusal.reason();
            told.push(format!("step {}: {text} is refused: {reason}", number + 1));
            let as_expected = step.because.as_ref().map(|b| reason.contains(b.get_ref().as_str()));
            match (as_expected, &step.because, &refusal) {
                (Some(false), Some(because), _) => wrong.push((
                    self.scenario.line(because),
                    format!("`{text}` should be refused because `{}`, but: {reason}", because.get_ref()),
                )),
                (None, _, ScriptLineError::Unreadable(_)) => wrong.push((
                    line,
                    format!(
                        "`{text}` cannot be read: {reason} (if this is the point, say so with `because`)"
                    ),
                )),
                _ => {}
            }
            let asked = self.position.actor().is_some();
            if asked && !expect::is_same_position(&trial.position, &self.position) {
                wrong.push((line, format!("`{text}` was refused, but it changed the position")));
            }
        }
        wrong
    }
}

/// Returns the word before the colon of a scripted event of nature: `roll`, `pick`, `shuffle`, `cast`,
/// `rearrange` or `reveal`; `None` for other texts.
fn nature_word(text: &str) -> Option<&str> {
    let (word, _) = text.trim().split_once(':')?;
    ["roll", "pick", "shuffle", "cast", "rearrange", "reveal"].contains(&word).then_some(word)
}

/// Returns the first word of the notation of a node: "decide", "declare", "roll", "pick",
/// "shuffle", "cast", "rearrange", "reveal" or "over".
fn kind(node: Node) -> &'static str {
    match node {
        Node::Decide(_) => "decide",
        Node::Declare(_) => "declare",
        Node::Chance(Chance::Roll { .. }) => "roll",
        Node::Chance(Chance::Pick { .. }) => "pick",
        Node::Chance(Chance::Shuffle { .. }) => "shuffle",
        Node::Chance(Chance::Cast { .. }) => "cast",
        Node::Rearrange { .. } => "rearrange",
        Node::Reveal { .. } => "reveal",
        Node::Over => "over",
    }
}

/// Returns the next text of the script (an action or a rejected one), starting at index `from` of the actions
/// of step `number` (from 0); `None` at its end.
fn next_text(scenario: &Scenario, number: usize, from: usize) -> Option<&str> {
    let steps = scenario.data.step.get(number..)?;
    let mut skip = from;
    steps.iter().find_map(|step| {
        let step = step.get_ref();
        let does = step.does.iter().skip(std::mem::take(&mut skip));
        does.chain(step.reject.iter()).next().map(|text| text.get_ref().as_str())
    })
}

/// Returns the zone of the game with exactly this name.
///
/// # Errors
///
/// Fails if there is none, with a message that suggests a similar name, lists the zones, or says that the game has no
/// tokens.
pub(super) fn find_zone<G: Game>(name: &str) -> Result<Zone, String> {
    use pentarchy_engine::Size;
    zone_named::<G>(name).ok_or_else(|| {
        let names: Vec<String> = (0..G::Size::ZONES as u8).map(|z| G::zone_name(Zone(z))).collect();
        if names.is_empty() {
            return format!("there is no zone `{name}`: this game has no tokens");
        }
        let near = pentarchy_engine::notation::nearest(name, names.iter().map(String::as_str));
        let hint = near.map_or_else(
            || format!("there are: {}", expect::listed(&names)),
            |n| format!("did you mean `{n}`?"),
        );
        format!("there is no zone `{name}`; {hint}")
    })
}
