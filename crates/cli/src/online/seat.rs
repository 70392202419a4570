//! A player at an online table: connects network, lobby, session, disk and terminal.

mod consent;

use super::store::{Kept, Store};
use super::terminal::{Terminal, Typed};
use super::turns::Notices;
use super::{Listing, Sitting, find, random_bytes};
use crate::command_error::{CommandError, Outcome};
use crate::play::{names, ranking};
use crate::signed::{named_identity, plain};
use crate::style::{BAD, DIM, TITLE, paint};
use consent::Consent;
use pentarchy_bots::{AnyPlayer, Spec};
use pentarchy_engine::{AnyPosition, SeatSet};
use pentarchy_identity::{IdentityKey, short_name};
use pentarchy_keys::{Entropy, SigningSecret};
use pentarchy_lobby::{Attendee, Lobby, LobbyAction, LobbyEvent, LobbyOutput, TableSetup, fingerprint};
use pentarchy_net::{Dialer, Invite, NativeTransport, NetEvent, PeerPath, PublicIdentity, ServerStatus};
use pentarchy_table::{Ending, Lateness, PeerSession, Recovery, SessionEvent};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Interval between two ticks.
const TICK: Duration = Duration::from_millis(100);
/// How long the program stays connected after the end, so that the others receive it.
const LINGER: Duration = Duration::from_secs(3);
/// How long the program waits at most, before it ends, until the server has everything that it was sent.
const LONGEST_FLUSH: Duration = Duration::from_secs(10);
/// The time limit of a seat, in milliseconds: after this silence it is late.
const STALL_MS: u32 = 600_000;

/// A player at an online table.
pub(crate) struct Seat {
    /// The connections to the relay and to the other peers.
    net: NativeTransport,
    /// The protocol before and during the match; it has the session.
    lobby: Lobby,
    /// The name of the player at the table.
    name: String,
    /// The file from which the seat can be resumed.
    store: Store,
    /// Who decides for this seat.
    player: Who,
    /// The entry in the list of open tables, until the match starts; `None` if the table is not listed.
    listing: Option<Listing>,
    /// Announces turns to a server that notifies players who are away.
    notices: Notices,
    /// Where the signed record goes when the match is over.
    record: Option<PathBuf>,
    /// The identity that takes the seat.
    identity: PublicIdentity,
    consent: Consent,
    /// The folder for evidence.
    folder: PathBuf,
    /// When the match ended for this player; `None` before.
    over: Option<Instant>,
    /// Why the program must stop with an error; set by events of the lobby and the session.
    failed: Option<String>,
    /// The seats that this player was last asked to drop.
    asked: SeatSet,
    /// Whether a bot that plays this seat votes to drop late players without being asked.
    agrees: bool,
    /// Whether something was posted since the person was last told that it is saved.
    has_posted: bool,
}

/// Who decides for this seat.
enum Who {
    /// A person at this terminal.
    Person(Terminal),
    /// A bot of this kind, which is created at its first decision.
    Bot(Spec, Option<Box<dyn AnyPlayer>>),
}

impl Seat {
    /// Opens the seat that `kept` describes: restores the match from the journal `persisted`, or starts without one if
    /// that is empty. A host's table starts by itself once its seats are taken; an unknown word for its recovery counts
    /// as the default. Connects to the server of the invitation in the background and retries. Prints who plays; no
    /// message of the match is sent before [`play`](Self::play). What follows is appended to `store`. `sitting` says
    /// who plays (a person or a bot), and where the record and evidence go. `listing` is the entry in the list of open
    /// tables, if any.
    ///
    /// # Errors
    ///
    /// Fails if the game is unknown, the stored match is damaged, the system gives no random numbers, or the network
    /// cannot be started.
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
            Some((game, seats, options)) => Some(TableSetup {
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
                starts_automatically: true,
                tag: None,
            }),
            None => None,
        };
        let mut lobby = Lobby::new(
            find,
            identity(),
            &kept.name,
            invite.host,
            setup,
            *kept.seed,
            Entropy::new(random_bytes()?),
        );
        if !persisted.is_empty() {
            lobby.restore(persisted.into_iter()).map_err(|error| {
                CommandError::usage(format_args!("the stored match cannot be resumed: {error}"))
            })?;
            if lobby.session().is_some() {
                print_styled(DIM, "Resuming the stored match.");
            }
        }
        print_styled(
            DIM,
            &format!("You play as {}, identity {}.", kept.name, short_name(identity().public().bytes())),
        );
        let net = NativeTransport::connect(dialer, invite, &identity(), random_bytes()?)
            .map_err(CommandError::usage)?;
        let notices = Notices::new(dialer, invite, IdentityKey::from_bytes(*kept.identity), sitting.notify);
        let player = match sitting.bot {
            Some(spec) => Who::Bot(spec, None),
            None => Who::Person(Terminal::new()),
        };
        Ok(Self {
            net,
            lobby,
            name: kept.name.clone(),
            store,
            player,
            listing,
            notices,
            record: sitting.record.clone(),
            identity: *identity().public().bytes(),
            consent: Consent::default(),
            folder: sitting.folder(),
            over: None,
            failed: None,
            asked: SeatSet::NONE,
            agrees: false,
            has_posted: false,
        })
    }

    /// Plays the match to its end, or until the person leaves: performs what the lobby asks for, handles events of the
    /// network, and carries out what the person types. Asks a guest about the terms of the table before the match,
    /// unless [all are accepted](Self::accepting_terms). Until the match starts it renews the entry in the list of open
    /// tables; it announces turns to the server. Typed lines postpone the timeouts that others count for this seat.
    ///
    /// After the end it stays connected for 3 s, and for up to 10 s until the server has all messages; then it
    /// announces the end to the server, waiting up to 5 s, and deletes the stored match. A person who leaves takes the
    /// entry off the list and waits up to 10 s for unsent messages and up to 5 s for the announcement of the turn; the
    /// match stays stored.
    ///
    /// # Errors
    ///
    /// Fails if the match cannot continue or be stored, if the table refuses this player, or if the input of a person
    /// ends before the match is over.
    pub(crate) fn play(mut self) -> Outcome {
        let begin = Instant::now();
        let mut ticked = Instant::now();
        let mut outputs = self.request_first_seat();
        outputs.extend(self.lobby.start());
        if self.lobby.session().is_none() && !self.lobby.is_host() {
            print_styled(
                DIM,
                "Waiting for the host. The game begins when all seats are taken and everybody is ready.",
            );
        }
        loop {
            while !outputs.is_empty() {
                outputs = self.perform_outputs(outputs)?;
            }
            if let Some(why) = self.failed.take() {
                return Err(CommandError::usage(why));
            }
            self.ask_about_terms();
            if let Some(over) = self.over.filter(|over| over.elapsed() > LINGER)
                && (!self.net.has_unsent() || over.elapsed() > LONGEST_FLUSH)
            {
                self.notices.finish(&self.lobby);
                self.store.forget();
                return Ok(());
            }
            if let Some(listing) = &mut self.listing {
                listing.renew(&self.lobby);
            }
            let event = self.net.next_event(Duration::from_millis(20));
            outputs = self.vote_and_handle(event);
            if let Who::Person(terminal) = &mut self.player {
                let typed = terminal.next_command();
                if terminal.take_activity() {
                    outputs.extend(self.lobby.report_thinking());
                }
                match typed {
                    Some(Typed::Quit) => {
                        if let Some(listing) = &self.listing {
                            listing.remove();
                        }
                        self.flush();
                        self.notices.finish(&self.lobby);
                        print_styled(DIM, "Left. The same link goes on with the game.");
                        return Ok(());
                    }
                    Some(Typed::End) => outputs.extend(self.lobby.give_up()),
                    Some(Typed::Drop(who)) => outputs.extend(self.drop_named(&who)),
                    Some(Typed::Wait) => outputs.extend(self.lobby.wait_for_late()),
                    Some(Typed::Say(text)) => outputs.extend(self.lobby.send_chat(&text)),
                    Some(Typed::Mute { name, is_muted }) => self.set_muted(&name, is_muted),
                    Some(Typed::Remove(name)) => outputs.extend(self.remove_guests(&name)),
                    Some(Typed::Play(text)) => outputs.extend(self.lobby.choose_action(&text)),
                    Some(Typed::Accept) => outputs.extend(self.accept_terms()),
                    None if terminal.is_closed() && self.over.is_none() => {
                        return Err(CommandError::Ended("the input has ended before the game".into()));
                    }
                    None => {}
                }
            }
            if ticked.elapsed() >= TICK {
                ticked = Instant::now();
                outputs.extend(self.lobby.tick(begin.elapsed().as_millis() as u64));
                if let Some(words) = self.notices.step(&self.lobby, false) {
                    print_styled(DIM, &words);
                }
            }
        }
    }

    /// Votes to drop the seats that this player was last asked about, if a bot plays and agreed to it since the last
    /// call. Then passes `event` of the network, if there is one, to the lobby. Prints changes of the connection, and
    /// that moves are saved for people who are away when the server has stored a message that was posted. Returns the
    /// outputs of both in this order; they must be performed.
    fn vote_and_handle(&mut self, event: Option<NetEvent>) -> Vec<LobbyOutput> {
        let mut outputs = Vec::new();
        if std::mem::take(&mut self.agrees) {
            outputs.extend(self.lobby.vote_to_drop(self.asked));
        }
        if let Some(event) = event {
            self.print_connection_change(&event);
            if let NetEvent::MailStored = event
                && std::mem::take(&mut self.has_posted)
                && let Some(names) = self.absent_names()
            {
                let verb = if self.lobby.absent_seats().len() == 1 { "is" } else { "are" };
                print_styled(DIM, &format!("Saved for {names}, who {verb} offline."));
            }
            outputs.extend(self.lobby.handle_event(event));
        }
        outputs
    }

    /// Performs outputs of the lobby in order: stores, sends, prints. What is stored reaches the disk before anything
    /// is sent, and at the end. A message for absent people that cannot be posted is only reported to the person. Notes
    /// a refusal of the table, which [`play`](Self::play) returns. If the terms have changed and the player accepts
    /// all, returns the outputs of that. Else, if a session asks for a decision, shows it to the person, or lets the
    /// bot choose and returns the outputs of its choice. Returned outputs must be performed next.
    ///
    /// # Errors
    ///
    /// Fails if the match, its record or evidence cannot be stored, or if the decision cannot be shown or made.
    fn perform_outputs(&mut self, outputs: Vec<LobbyOutput>) -> Outcome<Vec<LobbyOutput>> {
        let (mut choose, mut follow) = (false, Vec::new());
        self.store_confirmed_terms()?;
        for output in outputs {
            match output {
                LobbyOutput::Action(LobbyAction::Persist(bytes)) => self.store.append(&bytes)?,
                LobbyOutput::Action(LobbyAction::Send(peer, message)) => {
                    self.store.sync()?;
                    self.net.send(peer, message);
                }
                LobbyOutput::Action(LobbyAction::SendBulk(peer, message)) => {
                    self.store.sync()?;
                    self.net.send_bulk(peer, message);
                }
                LobbyOutput::Action(LobbyAction::Post(message)) => {
                    self.store.sync()?;
                    match self.net.post(message) {
                        Ok(()) => self.has_posted = true,
                        Err(error) => self.print_unsaved(&error.to_string()),
                    }
                }
                LobbyOutput::Action(LobbyAction::FetchMail(after)) => self.net.fetch_mail(after),
                LobbyOutput::Event(LobbyEvent::SeatingChanged(seating)) => self.print_seating(&seating),
                LobbyOutput::Event(LobbyEvent::TermsChanged(why)) => {
                    follow.extend(self.handle_changed_terms(&why));
                }
                LobbyOutput::Event(LobbyEvent::Started) => self.handle_start(),
                LobbyOutput::Event(LobbyEvent::Refused(why)) => self.failed = Some(why),
                LobbyOutput::Event(LobbyEvent::Chat { name, text, .. }) => {
                    anstream::println!("{name}: {text}");
                }
                LobbyOutput::Event(LobbyEvent::BotMustChoose(_)) => {}
                LobbyOutput::Event(LobbyEvent::Session(output)) => choose |= self.handle_event(output)?,
            }
        }
        self.store.sync()?;
        if !follow.is_empty() {
            return Ok(follow);
        }
        match self.lobby.session() {
            Some(session) if choose => self.request_decision(session.position().clone_box()),
            _ => Ok(Vec::new()),
        }
    }

    /// Votes to drop all players that this seat was asked about, if one of them has this name (ignoring case), and
    /// returns the outputs of the lobby, which must be performed. Otherwise prints a message and returns none. It says
    /// whom the seat is asked about, if anybody.
    fn drop_named(&mut self, who: &str) -> Vec<LobbyOutput> {
        let players = self.players();
        let asked = || self.asked.iter().filter_map(|seat| players.get(seat.index()));
        let found = asked().any(|name| name.to_lowercase() == who.to_lowercase());
        if found {
            return self.lobby.vote_to_drop(self.asked);
        }
        let names = join_names(asked().cloned().collect());
        print_styled(
            BAD,
            &match names.is_empty() {
                true => "Nobody is to be dropped now.".to_string(),
                false => format!("You are asked about {names}, not about `{who}`."),
            },
        );
        Vec::new()
    }

    /// Returns the names of the people of the match who are not connected and were not dropped, joined with ` and `;
    /// `None` if there is nobody, and before the match.
    fn absent_names(&self) -> Option<String> {
        let players = self.players();
        let absent = self.lobby.absent_seats();
        let names = absent.iter().filter_map(|seat| players.get(usize::from(*seat)).cloned()).collect();
        (!absent.is_empty()).then(|| join_names(names))
    }

    /// Prints that what this player sends is not saved for the people who are away, with `why` in brackets. Prints
    /// nothing if nobody is away.
    fn print_unsaved(&self, why: &str) {
        if let Some(names) = self.absent_names() {
            let text = format!("Not saved ({why}): your moves reach {names} only while you are both online.");
            print_styled(BAD, &text);
        }
    }

    /// Blocks until the transport has nothing unsent to the other peers and to the server, at most [`LONGEST_FLUSH`].
    /// Gives up silently then.
    fn flush(&self) {
        let begin = Instant::now();
        while self.net.has_unsent() && begin.elapsed() < LONGEST_FLUSH {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Returns the people at the table with this name, ignoring case, surrounding spaces and a final ` (watching)`;
    /// spectators included. Prints a message with the names at the table if there is none.
    fn people_named(&self, name: &str) -> Vec<Attendee> {
        let short = |shown: &str| shown.trim_end_matches(" (watching)").to_lowercase();
        let mut people = self.lobby.attendees();
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

    /// Mutes the chat of all people of this name (ignoring case) for this player, or unmutes it if `is_muted` is false,
    /// and prints it for each. Nobody else learns of it. If there is nobody of this name, prints that with the names at
    /// the table.
    fn set_muted(&mut self, name: &str, is_muted: bool) {
        for person in self.people_named(name) {
            self.lobby.set_muted(person.identity, is_muted);
            let what =
                if is_muted { "is muted: you do not see what they say" } else { "is not muted any more" };
            print_styled(DIM, &format!("{} {what}.", plain(&person.name)));
        }
    }

    /// Removes all guests of this name (ignoring case) from the lobby, prints it, and returns the outputs of the lobby,
    /// which must be performed. Prints a message and returns none if this player is not the host or there is nobody of
    /// this name. The lobby ignores the removal of the host, of a bot, and after the start of the match; it is printed
    /// all the same.
    fn remove_guests(&mut self, name: &str) -> Vec<LobbyOutput> {
        if !self.lobby.is_host() {
            print_styled(
                BAD,
                "Only the host can remove somebody, before the game. `mute NAME` hides what they say.",
            );
            return Vec::new();
        }
        let mut outputs = Vec::new();
        for person in self.people_named(name) {
            outputs.extend(self.lobby.remove_guest(person.identity));
            print_styled(DIM, &format!("{} is removed.", plain(&person.name)));
        }
        outputs
    }

    /// Handles the start of the match: removes the listing from the server, reserves connections for the players, so
    /// that other peers cannot displace them, tells the terminal, and prints the title and the fingerprint of the
    /// table. Without a session, does only what concerns the listing and the terminal.
    fn handle_start(&mut self) {
        if let Some(listing) = self.listing.take() {
            listing.remove();
        }
        if let Who::Person(terminal) = &mut self.player {
            terminal.note_begin();
        }
        let Some(session) = self.lobby.session() else { return };
        self.net.reserve(session.descriptor().players.iter().map(|player| player.identity).collect());
        let fingerprint = self.fingerprint();
        anstream::println!(
            "{}  {}",
            paint(TITLE, session.game().info().title),
            paint(DIM, format_args!("fingerprint {fingerprint}: the same for all at the table"))
        );
    }

    /// Returns the fingerprint of the table: letters computed from its descriptor, equal for all players, which people
    /// compare to be sure that they see the same table. Empty before the match.
    fn fingerprint(&self) -> String {
        self.lobby.session().map_or(String::new(), |session| fingerprint(session.descriptor()))
    }

    /// Prints an event of the session in words, and reacts to it; events that people need not know are ignored. A
    /// question to drop seats is noted as the last one, and a person is asked to type `drop` or `wait`; a bot agrees,
    /// so that the next [`vote_and_handle`](Self::vote_and_handle) votes. Evidence of cheating is written to
    /// `FINGERPRINT-SEAT.evidence` in the folder of matches, and the record at the end to the file of `--record`, if
    /// given. The end starts the time to linger, and a failure is noted for [`play`](Self::play). An applied event
    /// clears the decision that is shown. Returns `true` only if the session asks this seat for a decision.
    ///
    /// # Errors
    ///
    /// Fails if the record or evidence cannot be written.
    fn handle_event(&mut self, output: SessionEvent) -> Outcome<bool> {
        let players = self.players();
        let name = |seat: u8| players.get(usize::from(seat)).cloned().unwrap_or_default();
        match output {
            SessionEvent::Choose => return Ok(true),
            SessionEvent::Applied { log, .. } => {
                if let Who::Person(terminal) = &mut self.player {
                    terminal.clear_decision();
                }
                if let Some(log) = log {
                    anstream::println!("{}", names::in_sentence(&log, &players));
                }
            }
            SessionEvent::Refused(why) => print_styled(BAD, &why),
            SessionEvent::Rejected { why, .. } => {
                print_styled(DIM, &format!("A message was not accepted: {why}"));
            }
            SessionEvent::AskDrop { seats, unreachable } => {
                self.asked = seats;
                let named = |seats: SeatSet| join_names(seats.iter().map(|seat| name(seat.0)).collect());
                let (silent, lost) = (seats - unreachable, seats & unreachable);
                let how = [(silent, "connected and silent"), (lost, "reached by no path")];
                let how = how.iter().filter(|(seats, _)| !seats.is_empty());
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
            SessionEvent::Stalled { seat, owes, how } => {
                let how = match how {
                    Lateness::Silent => "connected and silent",
                    Lateness::Unreachable => "reached by no path",
                };
                print_styled(BAD, &format!("{} is late ({how}): the table waits for {owes}.", name(seat)));
                if let Who::Person(terminal) = &mut self.player {
                    terminal.note_late_player();
                }
            }
            SessionEvent::Replaced { seat } => {
                print_styled(
                    BAD,
                    &format!(
                        "{} is out. A bot plays on for that seat, with its cards laid open.",
                        name(seat)
                    ),
                );
            }
            SessionEvent::Abandoned { by, .. } if self.over.is_none() => {
                let by = name(by);
                print_styled(
                    BAD,
                    &format!("{by} has ended the game because you were late. It has no winner."),
                );
                self.note_end();
            }
            SessionEvent::Chat { seat, text } => anstream::println!("{}: {text}", name(seat)),
            SessionEvent::Evidence(evidence) => {
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
            SessionEvent::Broken(why) => self.failed = Some(format!("the match cannot continue: {why}")),
            SessionEvent::Over(record) => {
                if let Some(path) = &self.record {
                    std::fs::write(path, record.encode())
                        .map_err(|error| CommandError::file("write", path, error))?;
                }
                self.handle_end(&players);
            }
            _ => {}
        }
        Ok(false)
    }

    /// Notes that the match is over: starts the time during which the program stays connected, and tells the terminal
    /// of a person, which accepts no actions any more.
    fn note_end(&mut self) {
        self.over = Some(Instant::now());
        if let Who::Person(terminal) = &mut self.player {
            terminal.note_end();
        }
    }

    /// Handles the end of the match: starts the time to linger, and prints the ranking if the match was played, who has
    /// signed which end, how many events, signatures and proofs were checked, and where the record is. `players` are
    /// the names by seat. Without a session it only starts the time.
    fn handle_end(&mut self, players: &[String]) {
        self.note_end();
        let Some(session) = self.lobby.session() else { return };
        anstream::println!("\n{}", paint(TITLE, "The game is over."));
        let named = |seats: SeatSet| {
            let names = seats.iter().filter_map(|seat| players.get(seat.index()));
            names.map(String::as_str).collect::<Vec<_>>().join(" and ")
        };
        let agreed = match session.ending() {
            Some(Ending::Played) => {
                if let Some(outcome) = session.position().outcome() {
                    anstream::print!("{}", ranking(&outcome, players));
                }
                match session.taken_over() {
                    SeatSet::NONE => "all seats agree".to_string(),
                    seats => format!("all agree but {}, for whom a bot played on", named(seats)),
                }
            }
            Some(Ending::Dropped(seats))
                if session.seat().is_some_and(|me| seats.has(pentarchy_engine::Seat(me))) =>
            {
                "you were away for too long, and the others have signed that they go on without you".into()
            }
            Some(Ending::Dropped(seats)) => {
                format!("all others have signed the end without {}", named(seats))
            }
            Some(Ending::Claimed(late)) => {
                format!("you have ended it without {}, which is your claim alone", named(late))
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

    /// Returns the names of the players by seat, bots included, without characters that a terminal would interpret;
    /// empty before the match.
    fn players(&self) -> Vec<String> {
        let session = self.lobby.session();
        session.map_or(Vec::new(), |s| s.descriptor().players.iter().map(|p| plain(&p.name)).collect())
    }

    /// Requests the decision of this seat in `position`: shows it to a person and returns no outputs, or lets the bot
    /// choose and returns the outputs of the lobby, which must be performed. Creates the bot with a random seed at its
    /// first decision. Returns none if the bot chooses an action that is not listed.
    ///
    /// # Errors
    ///
    /// Fails if the decision cannot be shown, there are no bots of the game, the system gives no random numbers, or the
    /// bot cannot choose.
    fn request_decision(&mut self, position: Box<dyn AnyPosition>) -> Outcome<Vec<LobbyOutput>> {
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
                    *player = Some(bots.player(spec, u64::from_le_bytes(random_bytes()?)));
                }
                let Some(player) = player else { return Ok(Vec::new()) };
                let chosen = player.choose(&*position)?;
                let Some(choice) = position.legal()?.into_iter().nth(chosen) else { return Ok(Vec::new()) };
                Ok(self.lobby.choose_action(&choice.canonical))
            }
        }
    }

    /// Prints a change of the connection that people want to know: connected to the server or retrying, a player of the
    /// match is here, a direct path to a peer, mail that the server refuses to store. Prints nothing for other events
    /// and unknown people.
    fn print_connection_change(&self, event: &NetEvent) {
        let name = |identity: &[u8; 32]| {
            let player = |session: &PeerSession| {
                session.descriptor().players.iter().find(|p| p.identity == *identity).map(|p| plain(&p.name))
            };
            self.lobby.session().and_then(player)
        };
        match event {
            NetEvent::Server(ServerStatus::Connected) => {
                print_styled(DIM, "Connected, by the relay of the server.");
            }
            NetEvent::Server(ServerStatus::Retrying { after_ms, why }) => {
                print_styled(
                    DIM,
                    &format!("No connection ({why}); trying again in {:.1} s.", *after_ms as f64 / 1000.0),
                );
            }
            NetEvent::PeerUp { identity, .. } => {
                if let Some(name) = name(identity) {
                    print_styled(DIM, &format!("{name} is here."));
                }
            }
            NetEvent::PathChanged(_, PeerPath::Direct) => print_styled(DIM, "Connected directly."),
            NetEvent::MailRefused(why) => self.print_unsaved(&why.to_string()),
            _ => {}
        }
    }
}

/// Joins all names with ` and ` for a sentence; empty for none.
fn join_names(names: Vec<String>) -> String {
    names.join(" and ")
}

/// Returns the text with its first letter in upper case; empty for an empty text.
fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Prints a text in a style and a line break to standard output, without colours where those are not supported. Panics
/// if standard output cannot be written.
fn print_styled(style: anstyle::Style, text: &str) {
    anstream::println!("{}", paint(style, text));
}
