//! The sessions of this machine: the start of the match, and the routing of their messages.
//!
//! Session 0 is the player's, the others are those of the bots, in the order in which they were seated.

use crate::message::{LobbyMessage, SESSION};
use crate::restore::SIGNED_START;
use crate::signed_start::SignedStart;
use crate::{Lobby, LobbyAction, LobbyEvent, LocalMail};
use pentarchy_engine::AnyGame;
use pentarchy_net::{PeerId, PublicIdentity};
use pentarchy_table::{
    Descriptor, DescriptorError, Input, MAILBOX, PeerSession, Recipient, SessionEvent, SessionOutput,
    SessionRequest,
};

/// The number of the player's session.
pub(crate) const OWN: usize = 0;

impl Lobby {
    /// Starts the match, as host, if the setup wants an automatic start, all seats are taken, everybody is
    /// ready and no match has started. Otherwise does nothing.
    pub(crate) fn start_if_automatic(&mut self) {
        if self.setup.as_ref().is_some_and(|setup| setup.starts_automatically) {
            self.start_if_ready();
        }
    }

    /// Signs the descriptor, starts the sessions and sends the start to all peers, as host. Does nothing
    /// unless everybody is ready and no match has started. Emits `Refused` if the match cannot be played.
    pub(crate) fn start_if_ready(&mut self) {
        let (Some(seating), None, true) = (&self.seating, &self.session, self.is_host()) else { return };
        if !seating.is_ready() {
            return;
        }
        let start = SignedStart::new(&self.identity, seating.descriptor().encode());
        let before = std::mem::take(&mut self.outputs);
        let started = self.start_sessions(start.clone());
        // Peers must get the start before the first messages of the sessions.
        let first = std::mem::replace(&mut self.outputs, before);
        match started {
            Ok(()) => {
                let peers = self.welcome_peers();
                peers
                    .into_iter()
                    .for_each(|peer| self.send_message(peer, &LobbyMessage::Start(start.clone())));
            }
            Err(unusable) => self.emit(LobbyEvent::Refused(unusable.to_string())),
        }
        self.outputs.extend(first);
    }

    /// Sends the signed start to a peer that joins late or returns. Does nothing before the start, and if
    /// this peer has no signed start.
    pub(crate) fn send_start(&mut self, peer: PeerId) {
        if let Some(start) = self.signed_start.clone() {
            self.send_message(peer, &LobbyMessage::Start(start));
        }
    }

    /// Starts the sessions of this machine: of the player, or of a spectator if they have no seat, and of the
    /// bots. Persists the start if the player has a seat, emits `Started`, and reports to the sessions who is
    /// connected. The caller must have checked the signature and that no match has started.
    ///
    /// # Errors
    ///
    /// Fails with a sentence for the player if the descriptor is malformed or names an unknown game or
    /// invalid options, or this player has not agreed to it: then nothing has started. Fails also if the
    /// session of a bot cannot be created: then the player's session has started, and some bots have none.
    pub(crate) fn start_sessions(&mut self, start: SignedStart) -> Result<(), DescriptorError> {
        let descriptor = Descriptor::decode(&start.descriptor)?;
        let game = self.find_game(&descriptor)?;
        let mine = *self.identity.public().bytes();
        let seat = descriptor.players.iter().position(|player| player.identity == mine);
        if seat.is_some() && !self.is_host() {
            self.check_consent(&start, &descriptor)?;
        }
        let outputs = match seat {
            Some(seat) => {
                let entropy = self.draw_entropy();
                let (session, outputs) = PeerSession::new(
                    game,
                    descriptor.clone(),
                    seat as u8,
                    &self.identity,
                    *self.seed,
                    entropy,
                )?;
                self.session = Some(session);
                outputs
            }
            None => {
                self.session = Some(PeerSession::watch(game, descriptor.clone())?);
                Vec::new()
            }
        };
        self.emit(LobbyEvent::Started);
        if seat.is_some() {
            let mut item = vec![SIGNED_START];
            item.extend(postcard::to_allocvec(&start).unwrap_or_default());
            self.act(LobbyAction::Persist(item));
        }
        self.signed_start = Some(start);
        self.mail.owes_backlog = true;
        self.route(OWN, outputs, self.is_posting());
        self.start_bot_sessions(&descriptor)?;
        self.connect_local_sessions();
        self.feed_all(Input::Tick { now_ms: self.now });
        for player in &descriptor.players {
            self.report_reachability(&player.identity);
        }
        for peer in self.welcome_peers() {
            self.feed(OWN, Input::Connected(peer));
        }
        Ok(())
    }

    /// Reports to the sessions whether the machine of the player with this identity is reachable. Does
    /// nothing before the match, for spectators, for bots and for the seats of this machine.
    pub(crate) fn report_reachability(&mut self, identity: &PublicIdentity) {
        let Some(session) = &self.session else { return };
        let table = session.descriptor();
        let Some(seat) = table.players.iter().position(|player| player.identity == *identity) else { return };
        let seat = seat as u8;
        let own = *self.identity.public().bytes();
        let is_own = table.players.get(usize::from(table.machine(seat))).is_some_and(|p| p.identity == own);
        if table.machine(seat) == seat && !is_own {
            let reachable = self.present.values().any(|present| present == identity);
            self.feed_all(Input::Reach { seat, reachable });
        }
    }

    /// Returns the game that a descriptor names. Compares neither versions nor options.
    ///
    /// # Errors
    ///
    /// Fails with a sentence for the player if this program does not have the game.
    fn find_game(&self, descriptor: &Descriptor) -> Result<&'static dyn AnyGame, DescriptorError> {
        let game = (self.find)(&descriptor.game);
        game.ok_or_else(|| {
            DescriptorError(format!("this program does not have the game `{}`", descriptor.game))
        })
    }

    /// Creates a session for every bot of this machine that has a seat in the match and no session yet, and
    /// routes its first outputs: items to persist and messages.
    ///
    /// # Errors
    ///
    /// Fails with a sentence for the player if the game is unknown or the session of a bot cannot be
    /// created; the bots before that have their sessions.
    pub(crate) fn start_bot_sessions(&mut self, descriptor: &Descriptor) -> Result<(), DescriptorError> {
        let game = self.find_game(descriptor)?;
        for number in 0..self.bots.len() {
            let entropy = self.draw_entropy();
            let (bot, None) = &self.bots[number] else { continue };
            let identity = *bot.identity.public().bytes();
            let seat = descriptor.players.iter().position(|player| player.identity == identity);
            let Some(seat) = seat else { continue };
            let (session, outputs) =
                PeerSession::new(game, descriptor.clone(), seat as u8, &bot.identity, *bot.seed, entropy)?;
            self.bots[number].1 = Some(session);
            self.route(number + 1, outputs, self.is_posting());
        }
        Ok(())
    }

    /// Reports all sessions of this machine to each other as connected. Their messages are delivered by
    /// [`take_outputs`](Self::take_outputs).
    pub(crate) fn connect_local_sessions(&mut self) {
        for one in 0..=self.bots.len() {
            for other in (0..=self.bots.len()).filter(|&other| other != one) {
                self.feed(one, Input::Connected(local_peer(other)));
            }
        }
    }

    /// Passes an input to all sessions of this machine, the player's first, and routes their outputs.
    pub(crate) fn feed_all(&mut self, input: Input<'_>) {
        for number in 0..=self.bots.len() {
            self.feed(number, input);
        }
    }

    /// Passes an input to the session with this number and routes its outputs: messages, items to store and
    /// events. What it broadcasts is posted, too, if somebody was away before the input. Does nothing if
    /// the session does not exist.
    pub(crate) fn feed(&mut self, number: usize, input: Input<'_>) {
        // Before the session may drop a seat: the vote that does must reach its player.
        let is_posting = self.is_posting();
        let session = match number.checked_sub(1) {
            None => self.session.as_mut(),
            Some(bot) => self.bots.get_mut(bot).and_then(|(_, session)| session.as_mut()),
        };
        if let Some(session) = session {
            let outputs = session.handle(input);
            self.route(number, outputs, is_posting);
        }
    }

    /// Turns the outputs of session `number` into outputs of the lobby, in order. Of a bot's session only its
    /// messages, stored items and decisions are passed on. Lines of chat over the rate limit or of muted
    /// players are dropped. If `is_posting`, durable messages to all are posted, too.
    fn route(&mut self, number: usize, outputs: Vec<SessionOutput>, is_posting: bool) {
        for output in outputs {
            match output {
                SessionOutput::Request(SessionRequest::Persist(bytes)) => {
                    let mut item = Vec::with_capacity(bytes.len() + 1);
                    item.push(number as u8);
                    item.extend_from_slice(&bytes);
                    self.act(LobbyAction::Persist(item));
                }
                SessionOutput::Request(SessionRequest::Send { to, bytes }) => {
                    self.route_message(number, to, bytes, is_posting);
                }
                SessionOutput::Event(SessionEvent::Chat { seat, .. })
                    if number == OWN && !self.admits_chat_of_seat(seat) => {}
                SessionOutput::Event(SessionEvent::Choose) if number != OWN => {
                    self.emit(LobbyEvent::BotMustChoose(number - 1));
                }
                SessionOutput::Event(event) if number == OWN => self.emit(LobbyEvent::Session(event)),
                SessionOutput::Event(_) => {}
            }
        }
    }

    /// Delivers a message of session `number` to another session of this machine, to one peer, or to all
    /// sessions and peers that are not removed. Answers of bots to a peer are dropped, because the player's
    /// session answers too. If `is_posting`, a durable message to all is posted, too.
    pub(crate) fn route_message(&mut self, number: usize, to: Recipient, bytes: Vec<u8>, is_posting: bool) {
        let bytes = match number {
            OWN => self.forgery.replace(self.session.as_ref(), bytes),
            _ => bytes,
        };
        let mut message = Vec::with_capacity(bytes.len() + 1);
        message.push(SESSION);
        message.extend_from_slice(&bytes);
        match to {
            Recipient::Peer(peer) if peer > local_peer(self.bots.len() + 1) => {
                let to = (PeerId::MAX - peer) as usize;
                self.local_mail.push_back(LocalMail { from: number, to, bytes });
            }
            // Nobody reads an answer to mail.
            Recipient::Peer(MAILBOX) => {}
            // All sessions of this machine get a peer's request. Only the player's session answers it.
            Recipient::Peer(peer) if number == OWN => self.act(LobbyAction::SendBulk(peer, message)),
            Recipient::Peer(_) => {}
            Recipient::All => {
                let others = (0..=self.bots.len()).filter(|&other| other != number);
                let mail = others.map(|to| LocalMail { from: number, to, bytes: bytes.clone() });
                self.local_mail.extend(mail);
                let peers = self.welcome_peers();
                peers.into_iter().for_each(|peer| self.act(LobbyAction::Send(peer, message.clone())));
                if is_posting {
                    self.post_broadcast(&bytes);
                }
            }
        }
    }
}

/// Returns the peer number by which the other sessions of this machine know session `number`. They count down
/// from the highest number; the transport counts up from 0.
pub(crate) fn local_peer(number: usize) -> PeerId {
    PeerId::MAX - number as PeerId
}
