//! The game at a party: it begins, and what its sessions say finds its way.

use crate::signed_start::Word;
use crate::{OWN, Party, SESSION, Step, TALK, Talk, WORD, local};
use pentarchy_engine::AnyGame;
use pentarchy_net::{Identity, PeerId};
use pentarchy_table::{Descriptor, Input, Output, Session, To, Unusable};

impl Party {
    /// The host begins by itself, if it was set up so.
    pub(crate) fn fill(&mut self) {
        if self.setup.as_ref().is_some_and(|setup| setup.at_once) {
            self.begin_all();
        }
    }

    pub(crate) fn begin_all(&mut self) {
        let (Some(seating), None, true) = (&self.seating, &self.session, self.is_host()) else { return };
        if !seating.is_ready() {
            return;
        }
        let word = Word::new(&self.identity, seating.descriptor().encode());
        let before = std::mem::take(&mut self.steps);
        let begun = self.begin(word.clone()).map(|()| word);
        // They hear what is played before they are sent the first of it.
        let first = std::mem::replace(&mut self.steps, before);
        match begun {
            Ok(word) => {
                let peers = self.welcome_peers();
                peers.into_iter().for_each(|peer| self.say(peer, &Talk::Begin(word.clone())));
            }
            Err(unusable) => self.steps.push(Step::Refused(unusable.to_string())),
        }
        self.steps.extend(first);
    }

    /// Tells a peer that comes late, or again, what is played.
    pub(crate) fn begin_at(&mut self, peer: PeerId) {
        if let Some(word) = self.word.clone() {
            self.say(peer, &Talk::Begin(word));
        }
    }

    pub(crate) fn begin(&mut self, word: Word) -> Result<(), Unusable> {
        let descriptor = Descriptor::decode(&word.descriptor)?;
        let game = self.game(&descriptor)?;
        let mine = *self.identity.public().bytes();
        let seat = descriptor.players.iter().position(|player| player.identity == mine);
        if seat.is_some() && !self.is_host() {
            self.check_consent(&word, &descriptor)?;
        }
        let outputs = match seat {
            Some(seat) => {
                let entropy = self.entropy();
                let (session, outputs) =
                    Session::new(game, descriptor.clone(), seat as u8, &self.identity, *self.seed, entropy)?;
                self.session = Some(session);
                outputs
            }
            None => {
                self.session = Some(Session::watch(game, descriptor.clone())?);
                Vec::new()
            }
        };
        self.steps.push(Step::Begun);
        if seat.is_some() {
            let mut item = vec![WORD];
            item.extend(postcard::to_allocvec(&word).unwrap_or_default());
            self.steps.push(Step::Persist(item));
        }
        self.word = Some(word);
        self.take(OWN, outputs);
        self.wake_bots(&descriptor)?;
        self.introduce();
        self.all(Input::Tick { now_ms: self.now });
        for player in &descriptor.players {
            self.tell_reach(&player.identity);
        }
        for peer in self.welcome_peers() {
            self.input(OWN, Input::Connected(peer));
        }
        Ok(())
    }

    /// Tells the sessions whether the machine of a player is reached.
    pub(crate) fn tell_reach(&mut self, identity: &Identity) {
        let Some(session) = &self.session else { return };
        let table = session.descriptor();
        let Some(seat) = table.players.iter().position(|player| player.identity == *identity) else { return };
        let seat = seat as u8;
        let own = *self.identity.public().bytes();
        let of_own = table.players.get(usize::from(table.machine(seat))).is_some_and(|p| p.identity == own);
        if table.machine(seat) == seat && !of_own {
            let reachable = self.present.values().any(|present| present == identity);
            self.all(Input::Reach { seat, reachable });
        }
    }

    fn game(&self, descriptor: &Descriptor) -> Result<&'static dyn AnyGame, Unusable> {
        let game = (self.find)(&descriptor.game);
        game.ok_or_else(|| Unusable(format!("there is no game `{}` here", descriptor.game)))
    }

    /// Every bot of this peer that has no session yet gets one.
    pub(crate) fn wake_bots(&mut self, descriptor: &Descriptor) -> Result<(), Unusable> {
        let game = self.game(descriptor)?;
        for number in 0..self.bots.len() {
            let entropy = self.entropy();
            let (bot, None) = &self.bots[number] else { continue };
            let identity = *bot.identity.public().bytes();
            let seat = descriptor.players.iter().position(|player| player.identity == identity);
            let Some(seat) = seat else { continue };
            let (session, outputs) =
                Session::new(game, descriptor.clone(), seat as u8, &bot.identity, *bot.seed, entropy)?;
            self.bots[number].1 = Some(session);
            self.take(number + 1, outputs);
        }
        Ok(())
    }

    /// The sessions at this peer hear of each other.
    pub(crate) fn introduce(&mut self) {
        for one in 0..=self.bots.len() {
            for other in (0..=self.bots.len()).filter(|&other| other != one) {
                self.input(one, Input::Connected(local(other)));
            }
        }
    }

    /// All sessions at this peer hear this.
    pub(crate) fn all(&mut self, input: Input<'_>) {
        for who in 0..=self.bots.len() {
            self.input(who, input);
        }
    }

    pub(crate) fn input(&mut self, who: usize, input: Input<'_>) {
        let session = match who.checked_sub(1) {
            None => self.session.as_mut(),
            Some(number) => self.bots.get_mut(number).and_then(|(_, session)| session.as_mut()),
        };
        if let Some(session) = session {
            let outputs = session.handle(input);
            self.take(who, outputs);
        }
    }

    fn take(&mut self, who: usize, outputs: Vec<Output>) {
        for output in outputs {
            match output {
                Output::Persist(bytes) => {
                    let mut item = Vec::with_capacity(bytes.len() + 1);
                    item.push(who as u8);
                    item.extend_from_slice(&bytes);
                    self.steps.push(Step::Persist(item));
                }
                Output::Send { to, bytes } => self.send(who, to, bytes),
                Output::Chat { seat, .. } if who == OWN && !self.admits_seat(seat) => {}
                Output::Choose if who != OWN => self.steps.push(Step::BotChooses(who - 1)),
                other if who == OWN => self.steps.push(Step::Session(other)),
                _ => {}
            }
        }
    }

    fn send(&mut self, who: usize, to: To, bytes: Vec<u8>) {
        #[cfg(feature = "cheat")]
        let bytes = match &self.session {
            Some(session) if who == OWN => {
                self.forging.and_then(|forgery| session.forged(forgery, &bytes)).unwrap_or(bytes)
            }
            _ => bytes,
        };
        let mut message = Vec::with_capacity(bytes.len() + 1);
        message.push(SESSION);
        message.extend_from_slice(&bytes);
        match to {
            To::Peer(peer) if peer > local(self.bots.len() + 1) => {
                self.inbox.push_back((who, (PeerId::MAX - peer) as usize, bytes));
            }
            // What a peer asks is answered once, by this peer's own session.
            To::Peer(peer) if who == OWN => self.steps.push(Step::SendBulk(peer, message)),
            To::Peer(_) => {}
            To::All => {
                let others = (0..=self.bots.len()).filter(|&other| other != who);
                self.inbox.extend(others.map(|other| (who, other, bytes.clone())));
                let peers = self.present.keys();
                self.steps.extend(peers.map(|&peer| Step::Send(peer, message.clone())));
            }
        }
    }

    /// Sends what nobody asked for, once.
    #[cfg(feature = "cheat")]
    pub(crate) fn send_uncalled(&mut self) {
        let session = self.session.as_ref();
        let message = self.forging.and_then(|forgery| session?.uncalled(forgery));
        if let Some(message) = message {
            self.forging = None;
            self.send(OWN, To::All, message);
        }
    }

    pub(crate) fn say(&mut self, peer: PeerId, talk: &Talk) {
        let mut message = vec![TALK];
        message.extend(postcard::to_allocvec(talk).unwrap_or_default());
        self.steps.push(Step::Send(peer, message));
    }
}
