//! One's seat at a table with others: network, game, disk and terminal, tied together.

use super::store::{Kept, Store};
use super::terminal::{Terminal, Typed};
use super::{Listing, Sitting, find, fresh};
use crate::failure::{Failure, Outcome};
use crate::play::{names, ranking};
use crate::signed::plain;
use crate::style::{BAD, DIM, TITLE, paint};
use pentarchy_bots::{AnyPlayer, Spec};
use pentarchy_engine::AnyPosition;
use pentarchy_fair::SigningSecret;
use pentarchy_net::{
    Event, Invite, Native, Party, Path, Seating, Setup, Status, Step, Wish, fingerprint, limit_text,
    recovery_text,
};
use pentarchy_table::{Ending, Output, Recovery, Session};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How often the game hears the time.
const TICK: Duration = Duration::from_millis(100);
/// How long one stays after the end, so that the others have it too.
const LINGER: Duration = Duration::from_secs(3);
/// After so long a silence a seat is said to stall.
const STALL_MS: u32 = 600_000;

/// A seat at a table.
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
    /// Where evidence is kept.
    folder: PathBuf,
    over: Option<Instant>,
    failed: Option<String>,
}

/// Who decides.
enum Who {
    Person(Terminal),
    Bot(Spec, Option<Box<dyn AnyPlayer>>),
}

impl Seat {
    /// Sits down: at a table that was kept, or at a new one.
    pub(crate) fn take(
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
                game: find(game).ok_or_else(|| Failure::usage(format_args!("there is no game `{game}`")))?,
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
        let mut party = Party::new(find, identity(), &kept.name, invite.host, setup, kept.seed);
        if !persisted.is_empty() {
            party.resume(persisted.into_iter()).map_err(|error| {
                Failure::usage(format_args!("the game that was kept cannot go on: {error}"))
            })?;
            if party.session().is_some() {
                say(DIM, "Going on with the game that was kept.");
            }
        }
        let net = Native::connect(invite, &identity(), fresh()?).map_err(Failure::usage)?;
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
        })
    }

    /// Plays to the end.
    pub(crate) fn play(mut self) -> Outcome {
        let begin = Instant::now();
        let mut ticked = Instant::now();
        let mut steps = self.party.start();
        if self.party.session().is_none() && !self.party.is_host() {
            say(DIM, "Waiting for the host. The game begins when all seats are taken.");
        }
        loop {
            while !steps.is_empty() {
                steps = self.follow(steps)?;
            }
            if let Some(why) = self.failed.take() {
                return Err(Failure::usage(why));
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
            if let Some(event) = self.net.next(Duration::from_millis(20)) {
                self.tell(&event);
                steps = self.party.event(event);
            }
            if let Who::Person(terminal) = &mut self.player {
                match terminal.typed() {
                    Some(Typed::Quit) => {
                        if let Some(listing) = &self.listing {
                            listing.remove();
                        }
                        say(DIM, "Left. The same link goes on with the game.");
                        return Ok(());
                    }
                    Some(Typed::End) => steps.extend(self.party.give_up()),
                    Some(Typed::Say(text)) => steps.extend(self.party.chat(&text)),
                    Some(Typed::Play(text)) => steps.extend(self.party.choose(&text)),
                    Some(Typed::Ready) => steps.extend(self.ready()),
                    None if terminal.is_closed() && self.over.is_none() => {
                        return Err(Failure::Ended("the input has ended before the game".into()));
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

    /// Does what is to be done, and gives what follows from it.
    fn follow(&mut self, steps: Vec<Step>) -> Outcome<Vec<Step>> {
        let (mut choose, mut changed) = (false, false);
        for step in steps {
            match step {
                Step::Persist(bytes) => self.store.append(&bytes)?,
                Step::Send(peer, message) => {
                    self.store.sync()?;
                    self.net.send(peer, message);
                }
                Step::Seats(seating) => self.show(&seating),
                Step::Changed(why) => {
                    say(BAD, &format!("{}. You are not ready any more.", capitalized(&why)));
                    changed = true;
                }
                Step::Begun => self.begun(),
                Step::Refused(why) => self.failed = Some(why),
                Step::Chat { name, text, .. } => anstream::println!("{name}: {text}"),
                Step::BotChooses(_) => {}
                Step::Session(output) => choose |= self.session(output)?,
            }
        }
        self.store.sync()?;
        if changed {
            match &mut self.player {
                Who::Person(_) => say(BAD, "Type `ready` to play on these terms, or `quit`."),
                // A bot plays on any terms.
                Who::Bot(..) => return Ok(self.ready()),
            }
        }
        match self.party.session() {
            Some(session) if choose => self.ask(session.position().clone_box()),
            _ => Ok(Vec::new()),
        }
    }

    /// The player is ready to play on the terms that were shown.
    fn ready(&mut self) -> Vec<Step> {
        let name = self.name.clone();
        self.party.wish(&name, Wish::Sit { seat: None, ready: true })
    }

    /// Prints who has sat down, and the terms when they are new.
    fn show(&mut self, seating: &Seating) {
        let title = find(&seating.game).map_or(seating.game.as_str(), |game| game.info().title);
        let (limit, leaves) = (limit_text(seating.stall_ms), recovery_text(seating.recovery));
        let terms = format!("{title}. Time limit: {limit}. If a player leaves: {leaves}.");
        if self.terms != terms {
            say(TITLE, &terms);
            self.terms = terms;
        }
        let names: Vec<&str> = seating.players().map(|chair| chair.name.as_str()).collect();
        say(DIM, &format!("{} of {} seats: {}", names.len(), seating.seats(), names.join(", ")));
    }

    fn begun(&mut self) {
        if let Some(listing) = self.listing.take() {
            listing.remove();
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

    /// The fingerprint of the table, once the game has begun.
    fn fingerprint(&self) -> String {
        self.party.session().map_or(String::new(), |session| fingerprint(session.descriptor()))
    }

    /// Tells what the session says; true if it asks for a decision.
    fn session(&mut self, output: Output) -> Outcome<bool> {
        let players = self.players();
        let name = |seat: u8| players.get(usize::from(seat)).cloned().unwrap_or_default();
        match output {
            Output::Choose => return Ok(true),
            Output::Event { log, .. } => {
                if let Who::Person(terminal) = &mut self.player {
                    terminal.settled();
                }
                if let Some(log) = log {
                    anstream::println!("{}", names::in_sentence(&log, &players));
                }
            }
            Output::Refused(why) => say(BAD, &why),
            Output::Rejected { why, .. } => say(DIM, &format!("A message was not accepted: {why}")),
            Output::Stalled { seat, owes } => {
                say(BAD, &format!("{} is late: the table waits for {owes}.", name(seat)));
                if let Who::Person(terminal) = &mut self.player {
                    terminal.waits();
                }
            }
            Output::Replaced { seat } => {
                say(
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
                say(BAD, &format!("{who} has cheated: {}.", evidence.crime));
                let letters = self.fingerprint().replace(' ', "");
                let path = self.folder.join(format!("{letters}-{seat}.evidence"));
                std::fs::write(&path, evidence.encode())
                    .map_err(|error| Failure::file("write", &path, error))?;
                say(BAD, &format!("The proof is in {}: `pentarchy verify` judges it.", path.display()));
            }
            Output::Broken(why) => self.failed = Some(format!("the game cannot go on: {why}")),
            Output::Over(record) => {
                if let Some(path) = &self.record {
                    std::fs::write(path, record.encode())
                        .map_err(|error| Failure::file("write", path, error))?;
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
            terminal.finished();
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
        say(DIM, &format!("{events} events, {signatures} signatures and {proofs} proofs checked; {agreed}."));
        if let Some(path) = &self.record {
            say(
                DIM,
                &format!("The signed record is in {0}: `pentarchy replay {0}` shows it.", path.display()),
            );
        }
    }

    fn players(&self) -> Vec<String> {
        let session = self.party.session();
        session.map_or(Vec::new(), |s| s.descriptor().players.iter().map(|p| plain(&p.name)).collect())
    }

    /// Asks whoever decides.
    fn ask(&mut self, position: Box<dyn AnyPosition>) -> Outcome<Vec<Step>> {
        let players = self.players();
        match &mut self.player {
            Who::Person(terminal) => {
                terminal.ask(&*position, &players)?;
                Ok(Vec::new())
            }
            Who::Bot(spec, player) => {
                let bots =
                    pentarchy_registry::bots_of(position.game().info().name).map_err(Failure::usage)?;
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

    /// Tells how it stands with the network.
    fn tell(&self, event: &Event) {
        let name = |identity: &[u8; 32]| {
            let player = |session: &Session| {
                session.descriptor().players.iter().find(|p| p.identity == *identity).map(|p| plain(&p.name))
            };
            self.party.session().and_then(player)
        };
        match event {
            Event::Server(Status::Connected) => say(DIM, "Connected, by the relay of the server."),
            Event::Server(Status::Retrying { after_ms, why }) => {
                say(
                    DIM,
                    &format!("No connection ({why}); trying again in {:.1} s.", *after_ms as f64 / 1000.0),
                );
            }
            Event::Up { identity, .. } => {
                if let Some(name) = name(identity) {
                    say(DIM, &format!("{name} is here."));
                }
            }
            Event::Path(_, Path::Direct) => say(DIM, "Connected directly."),
            _ => {}
        }
    }
}

/// A sentence from a phrase that begins in lower case.
fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn say(style: anstyle::Style, text: &str) {
    anstream::println!("{}", paint(style, text));
}
