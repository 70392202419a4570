//! A player at an online table: connects network, lobby, session, disk and terminal.

use super::store::{Kept, Store};
use super::terminal::{Terminal, Typed};
use super::{Listing, Sitting, find, fresh};
use crate::command_error::{CommandError, Outcome};
use crate::play::{names, ranking};
use crate::signed::{named_identity, plain};
use crate::style::{BAD, DIM, TITLE, paint};
use pentarchy_bots::{AnyPlayer, Spec};
use pentarchy_engine::AnyPosition;
use pentarchy_fair::{Entropy, SigningSecret};
use pentarchy_identity::short_name;
use pentarchy_net::{
    Attendee, Chair, Dialer, Event, Invite, Native, Party, Path, Seating, Setup, Status, Step, Wish,
    fingerprint, limit_text, recovery_text,
};
use pentarchy_table::{Ending, Lateness, Output, Recovery, Session};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Interval between two ticks.
const TICK: Duration = Duration::from_millis(100);
/// How long the program stays connected after the end, so that the others receive it.
const LINGER: Duration = Duration::from_secs(3);
/// Silence after which a seat counts as stalled, in milliseconds.
const STALL_MS: u32 = 600_000;

/// A player at an online table.
pub(crate) struct Seat {
    net: Native,
    party: Party,
    name: String,
    store: Store,
    player: Who,
    listing: Option<Listing>,
    record: Option<PathBuf>,
    /// The terms that were printed last.
    terms: String,
    /// The folder for evidence.
    folder: PathBuf,
    over: Option<Instant>,
    failed: Option<String>,
    /// Bit set of the seats that this player was last asked to drop.
    asked: u8,
    /// Whether the bot of this player votes to drop them.
    agrees: bool,
}

/// Who decides for this seat.
enum Who {
    Person(Terminal),
    Bot(Spec, Option<Box<dyn AnyPlayer>>),
}

impl Seat {
    /// Opens the table: resumes from `persisted`, or joins a new one.
    ///
    /// # Errors
    ///
    /// Fails if the stored match is damaged or the network cannot be started.
    pub(crate) fn open_table(
        dialer: &Dialer,
        invite: &Invite,
        kept: &Kept,
        persisted: Vec<Vec<u8>>,
        store: Store,
        sitting: &Sitting,
        listing: Option<Listing>,
    ) -> Outcome<Self> {
        let identity = || SigningSecret::from_bytes(&kept.identity);
        let setup = match &kept.hosted {
            Some((game, seats, options)) => Some(Setup {
                game: find(game)
                    .ok_or_else(|| CommandError::usage(format_args!("there is no game `{game}`")))?,
                options: options.clone(),
                seats: *seats,
                recovery: kept
                    .recovery
                    .as_deref()
                    .and_then(|word| Recovery::named(word, *seats))
                    .unwrap_or_default(),
                stall_ms: STALL_MS,
                at_once: true,
            }),
            None => None,
        };
        let mut party =
            Party::new(find, identity(), &kept.name, invite.host, setup, *kept.seed, Entropy::new(fresh()?));
        if !persisted.is_empty() {
            party.resume(persisted.into_iter()).map_err(|error| {
                CommandError::usage(format_args!("the game that was kept cannot go on: {error}"))
            })?;
            if party.session().is_some() {
                print_styled(DIM, "Going on with the game that was kept.");
            }
        }
        print_styled(
            DIM,
            &format!("You play as {}, identity {}.", kept.name, short_name(identity().public().bytes())),
        );
        let net = Native::connect(dialer, invite, &identity(), fresh()?).map_err(CommandError::usage)?;
        let player = match sitting.bot {
            Some(spec) => Who::Bot(spec, None),
            None => Who::Person(Terminal::new()),
        };
        Ok(Self {
            net,
            party,
            name: kept.name.clone(),
            store,
            player,
            listing,
            record: sitting.record.clone(),
            terms: String::new(),
            folder: sitting.folder(),
            over: None,
            failed: None,
            asked: 0,
            agrees: false,
        })
    }

    /// Plays the match to its end.
    ///
    /// # Errors
    ///
    /// Fails if the match cannot continue, or if the input ends.
    pub(crate) fn play(mut self) -> Outcome {
        let begin = Instant::now();
        let mut ticked = Instant::now();
        let mut steps = self.party.start();
        if self.party.session().is_none() && !self.party.is_host() {
            print_styled(DIM, "Waiting for the host. The game begins when all seats are taken.");
        }
        loop {
            while !steps.is_empty() {
                steps = self.perform_steps(steps)?;
            }
            if let Some(why) = self.failed.take() {
                return Err(CommandError::usage(why));
            }
            if self.over.is_some_and(|over| over.elapsed() > LINGER) {
                self.store.forget();
                return Ok(());
            }
            if let Some(listing) = &mut self.listing
                && self.party.session().is_none()
                && let Some(seating) = self.party.seating()
            {
                listing.renew(seating.players().count() as u8);
            }
            if std::mem::take(&mut self.agrees) {
                steps.extend(self.party.drop_seats(self.asked));
            }
            if let Some(event) = self.net.next(Duration::from_millis(20)) {
                self.print_network_event(&event);
                steps = self.party.event(event);
            }
            if let Who::Person(terminal) = &mut self.player {
                let typed = terminal.next_command();
                if terminal.take_activity() {
                    steps.extend(self.party.thinking());
                }
                match typed {
                    Some(Typed::Quit) => {
                        if let Some(listing) = &self.listing {
                            listing.remove();
                        }
                        print_styled(DIM, "Left. The same link goes on with the game.");
                        return Ok(());
                    }
                    Some(Typed::End) => steps.extend(self.party.give_up()),
                    Some(Typed::Drop(who)) => steps.extend(self.drop_named(&who)),
                    Some(Typed::Wait) => steps.extend(self.party.wait()),
                    Some(Typed::Say(text)) => steps.extend(self.party.chat(&text)),
                    Some(Typed::Mute { name, is_muted }) => self.mute(&name, is_muted),
                    Some(Typed::Remove(name)) => steps.extend(self.remove(&name)),
                    Some(Typed::Play(text)) => steps.extend(self.party.choose(&text)),
                    Some(Typed::Ready) => steps.extend(self.ready()),
                    None if terminal.is_closed() && self.over.is_none() => {
                        return Err(CommandError::Ended("the input has ended before the game".into()));
                    }
                    None => {}
                }
            }
            if ticked.elapsed() >= TICK {
                ticked = Instant::now();
                steps.extend(self.party.tick(begin.elapsed().as_millis() as u64));
            }
        }
    }

    /// Performs the steps: stores, sends and prints. Returns the steps that follow.
    ///
    /// # Errors
    ///
    /// Fails if the match cannot be stored or continued.
    fn perform_steps(&mut self, steps: Vec<Step>) -> Outcome<Vec<Step>> {
        let (mut choose, mut changed) = (false, false);
        for step in steps {
            match step {
                Step::Persist(bytes) => self.store.append(&bytes)?,
                Step::Send(peer, message) => {
                    self.store.sync()?;
                    self.net.send(peer, message);
                }
                Step::SendBulk(peer, message) => {
                    self.store.sync()?;
                    self.net.send_bulk(peer, message);
                }
                Step::Seats(seating) => self.print_seating(&seating),
                Step::Changed(why) => {
                    print_styled(BAD, &format!("{}. You are not ready any more.", capitalized(&why)));
                    changed = true;
                }
                Step::Begun => self.begun(),
                Step::Refused(why) => self.failed = Some(why),
                Step::Chat { name, text, .. } => anstream::println!("{name}: {text}"),
                Step::BotChooses(_) => {}
                Step::Session(output) => choose |= self.print_output(output)?,
            }
        }
        self.store.sync()?;
        if changed {
            match &mut self.player {
                Who::Person(_) => print_styled(BAD, "Type `ready` to play on these terms, or `quit`."),
                // A bot accepts any terms.
                Who::Bot(..) => return Ok(self.ready()),
            }
        }
        match self.party.session() {
            Some(session) if choose => self.request_decision(session.position().clone_box()),
            _ => Ok(Vec::new()),
        }
    }

    /// Votes to drop the player of this name. Returns no steps if the player was not asked about them.
    fn drop_named(&mut self, who: &str) -> Vec<Step> {
        let players = self.players();
        let asked = (0u8..8).zip(&players).filter(|(seat, _)| self.asked >> seat & 1 != 0);
        let found = asked.clone().any(|(_, name)| name.to_lowercase() == who.to_lowercase());
        if found {
            return self.party.drop_seats(self.asked);
        }
        let names = join_names(asked.map(|(_, name)| name.clone()).collect());
        print_styled(
            BAD,
            &match names.is_empty() {
                true => "Nobody is to be dropped now.".to_string(),
                false => format!("You are asked about {names}, not about `{who}`."),
            },
        );
        Vec::new()
    }

    /// Confirms the printed terms.
    fn ready(&mut self) -> Vec<Step> {
        let name = self.name.clone();
        self.party.wish(&name, Wish::Sit { seat: None, ready: true })
    }

    /// Returns the people at the table with this name. Prints a message if there is none.
    fn named(&self, name: &str) -> Vec<Attendee> {
        let short = |shown: &str| shown.trim_end_matches(" (watching)").to_lowercase();
        let mut people = self.party.attendees();
        let names: Vec<String> = people.iter().map(|person| plain(&person.name)).collect();
        people.retain(|person| short(&person.name) == short(name.trim()));
        if people.is_empty() {
            let who = if names.is_empty() { "nobody".to_owned() } else { names.join(", ") };
            print_styled(
                BAD,
                &format!("There is nobody called `{}` here. At the table: {who}.", plain(name.trim())),
            );
        }
        people
    }

    /// Mutes or unmutes the people of this name.
    fn mute(&mut self, name: &str, is_muted: bool) {
        for person in self.named(name) {
            self.party.mute(person.identity, is_muted);
            let what =
                if is_muted { "is muted: you do not see what they say" } else { "is not muted any more" };
            print_styled(DIM, &format!("{} {what}.", plain(&person.name)));
        }
    }

    /// Removes the people of this name from the table, as host.
    fn remove(&mut self, name: &str) -> Vec<Step> {
        if !self.party.is_host() {
            print_styled(
                BAD,
                "Only the host can remove somebody, before the game. `mute NAME` hides what they say.",
            );
            return Vec::new();
        }
        let mut steps = Vec::new();
        for person in self.named(name) {
            steps.extend(self.party.remove(person.identity));
            print_styled(DIM, &format!("{} is removed.", plain(&person.name)));
        }
        steps
    }

    /// Prints who has a seat, and the terms if they have changed.
    fn print_seating(&mut self, seating: &Seating) {
        let title = find(&seating.game).map_or(seating.game.as_str(), |game| game.info().title);
        let (limit, leaves) = (limit_text(seating.stall_ms), recovery_text(seating.recovery));
        let terms = format!("{title}. Time limit: {limit}. If a player leaves: {leaves}.");
        if self.terms != terms {
            print_styled(TITLE, &terms);
            self.terms = terms;
        }
        let called = |chair: &Chair| match chair.bot {
            Some(_) => format!("{} (bot)", chair.name),
            None => format!("{} ({})", chair.name, short_name(&chair.identity)),
        };
        let names: Vec<String> = seating.players().map(called).collect();
        print_styled(DIM, &format!("{} of {} seats: {}", names.len(), seating.seats(), names.join(", ")));
    }

    fn begun(&mut self) {
        if let Some(listing) = self.listing.take() {
            listing.remove();
        }
        if let Who::Person(terminal) = &mut self.player {
            terminal.note_begin();
        }
        let Some(session) = self.party.session() else { return };
        self.net.reserve(session.descriptor().players.iter().map(|player| player.identity).collect());
        let fingerprint = self.fingerprint();
        anstream::println!(
            "{}  {}",
            paint(TITLE, session.game().info().title),
            paint(DIM, format_args!("fingerprint {fingerprint}: the same for all at the table"))
        );
    }

    /// Returns the fingerprint of the table, once the match has begun.
    fn fingerprint(&self) -> String {
        self.party.session().map_or(String::new(), |session| fingerprint(session.descriptor()))
    }

    /// Prints an output of the session. Returns whether it asks for a decision.
    ///
    /// # Errors
    ///
    /// Fails if the match cannot continue.
    fn print_output(&mut self, output: Output) -> Outcome<bool> {
        let players = self.players();
        let name = |seat: u8| players.get(usize::from(seat)).cloned().unwrap_or_default();
        match output {
            Output::Choose => return Ok(true),
            Output::Event { log, .. } => {
                if let Who::Person(terminal) = &mut self.player {
                    terminal.clear_decision();
                }
                if let Some(log) = log {
                    anstream::println!("{}", names::in_sentence(&log, &players));
                }
            }
            Output::Refused(why) => print_styled(BAD, &why),
            Output::Rejected { why, .. } => print_styled(DIM, &format!("A message was not accepted: {why}")),
            Output::AskDrop { seats, unreachable } => {
                self.asked = seats;
                let named =
                    |seats: u8| join_names((0..8).filter(|seat| seats >> seat & 1 != 0).map(name).collect());
                let (silent, lost) = (seats & !unreachable, seats & unreachable);
                let how = [(silent, "connected and silent"), (lost, "reached by no path")];
                let how = how.iter().filter(|(seats, _)| *seats != 0);
                let how: Vec<String> = how.map(|(seats, how)| format!("{}: {how}", named(*seats))).collect();
                print_styled(BAD, &format!("Go on without {}? ({})", named(seats), how.join("; ")));
                match &mut self.player {
                    Who::Person(terminal) => {
                        terminal.note_drop_question();
                        print_styled(BAD, "Type `drop NAME` to go on without them, or `wait`.");
                    }
                    // The bot decides this for its player.
                    Who::Bot(..) => self.agrees = true,
                }
            }
            Output::Stalled { seat, owes, how } => {
                let how = match how {
                    Lateness::Silent => "connected and silent",
                    Lateness::Unreachable => "reached by no path",
                };
                print_styled(BAD, &format!("{} is late ({how}): the table waits for {owes}.", name(seat)));
                if let Who::Person(terminal) = &mut self.player {
                    terminal.note_late_player();
                }
            }
            Output::Replaced { seat } => {
                print_styled(
                    BAD,
                    &format!(
                        "{} is out. A bot plays on for that seat, with its cards laid open.",
                        name(seat)
                    ),
                );
            }
            Output::Chat { seat, text } => anstream::println!("{}: {text}", name(seat)),
            Output::Evidence(evidence) => {
                let (who, seat) = (name(evidence.offender), evidence.offender);
                print_styled(BAD, &format!("{who} has cheated: {}.", evidence.crime));
                if let Some(identity) = evidence.identity() {
                    print_styled(BAD, &format!("Their identity is {}.", named_identity(identity)));
                }
                let letters = self.fingerprint().replace(' ', "");
                let path = self.folder.join(format!("{letters}-{seat}.evidence"));
                std::fs::write(&path, evidence.encode())
                    .map_err(|error| CommandError::file("write", &path, error))?;
                print_styled(
                    BAD,
                    &format!("The proof is in {}: `pentarchy verify` judges it.", path.display()),
                );
            }
            Output::Broken(why) => self.failed = Some(format!("the game cannot go on: {why}")),
            Output::Over(record) => {
                if let Some(path) = &self.record {
                    std::fs::write(path, record.encode())
                        .map_err(|error| CommandError::file("write", path, error))?;
                }
                self.ended(&players);
            }
            _ => {}
        }
        Ok(false)
    }

    fn ended(&mut self, players: &[String]) {
        self.over = Some(Instant::now());
        if let Who::Person(terminal) = &mut self.player {
            terminal.note_end();
        }
        let Some(session) = self.party.session() else { return };
        anstream::println!("\n{}", paint(TITLE, "The game is over."));
        let named = |seats: u8| {
            let names = (0..8).zip(players).filter(|(seat, _)| seats >> seat & 1 != 0);
            names.map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(" and ")
        };
        let agreed = match session.ending() {
            Some(Ending::Played) => {
                if let Some(outcome) = session.position().outcome() {
                    anstream::print!("{}", ranking(&outcome, players));
                }
                match session.vacant_seats() {
                    0 => "all seats agree".to_string(),
                    out => format!("all agree but {}, for whom a bot played on", named(out)),
                }
            }
            Some(Ending::Without(out)) if session.seat().is_some_and(|me| out >> me & 1 != 0) => {
                "you were away for too long, and the others have signed that they go on without you".into()
            }
            Some(Ending::Without(out)) => format!("all others have signed the end without {}", named(out)),
            Some(Ending::Claimed(out)) => {
                format!("you have ended it without {}, which is your claim alone", named(out))
            }
            None => "nobody has signed an end".into(),
        };
        let trust = session.trust();
        let (events, signatures, proofs) = (trust.events, trust.signatures, trust.proofs);
        print_styled(
            DIM,
            &format!("{events} events, {signatures} signatures and {proofs} proofs checked; {agreed}."),
        );
        if let Some(path) = &self.record {
            print_styled(
                DIM,
                &format!("The signed record is in {0}: `pentarchy replay {0}` shows it.", path.display()),
            );
        }
    }

    fn players(&self) -> Vec<String> {
        let session = self.party.session();
        session.map_or(Vec::new(), |s| s.descriptor().players.iter().map(|p| plain(&p.name)).collect())
    }

    /// Asks the person or the bot of this seat for a decision.
    ///
    /// # Errors
    ///
    /// Fails if the bot fails or the output is closed.
    fn request_decision(&mut self, position: Box<dyn AnyPosition>) -> Outcome<Vec<Step>> {
        let players = self.players();
        match &mut self.player {
            Who::Person(terminal) => {
                terminal.show_decision(&*position, &players)?;
                Ok(Vec::new())
            }
            Who::Bot(spec, player) => {
                let bots =
                    pentarchy_registry::bots_of(position.game().info().name).map_err(CommandError::usage)?;
                if player.is_none() {
                    *player = Some(bots.player(spec, u64::from_le_bytes(fresh()?)));
                }
                let Some(player) = player else { return Ok(Vec::new()) };
                let chosen = player.choose(&*position)?;
                let Some(choice) = position.legal()?.into_iter().nth(chosen) else { return Ok(Vec::new()) };
                Ok(self.party.choose(&choice.canonical))
            }
        }
    }

    /// Prints the state of the network.
    fn print_network_event(&self, event: &Event) {
        let name = |identity: &[u8; 32]| {
            let player = |session: &Session| {
                session.descriptor().players.iter().find(|p| p.identity == *identity).map(|p| plain(&p.name))
            };
            self.party.session().and_then(player)
        };
        match event {
            Event::Server(Status::Connected) => print_styled(DIM, "Connected, by the relay of the server."),
            Event::Server(Status::Retrying { after_ms, why }) => {
                print_styled(
                    DIM,
                    &format!("No connection ({why}); trying again in {:.1} s.", *after_ms as f64 / 1000.0),
                );
            }
            Event::Up { identity, .. } => {
                if let Some(name) = name(identity) {
                    print_styled(DIM, &format!("{name} is here."));
                }
            }
            Event::Path(_, Path::Direct) => print_styled(DIM, "Connected directly."),
            _ => {}
        }
    }
}

/// Joins names to a list for a sentence.
fn join_names(names: Vec<String>) -> String {
    names.join(" and ")
}

/// Returns the text with a capital first letter.
fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn print_styled(style: anstyle::Style, text: &str) {
    anstream::println!("{}", paint(style, text));
}
