//! Snapshots of verified state: a session that comes back verifies only what came after the last one.
//!
//! A snapshot is stored among the items of the log, between two steps. It is bound to the items before it by their hash, and
//! authenticated with a key that follows from the session's seed. One that is damaged, of another session or of another
//! version of the program is ignored: then an earlier one is used, or the whole log is verified. It holds the state as it
//! is, and of what only grows (links, entries, sealed choices) what was added since the snapshot before it: so the store
//! grows in proportion to the log.

use super::log::{ClosedStep, SeatDrop};
use super::takeover::BotSeat;
use super::{PeerSession, SessionRequest, SignedLog, TableState, Takeover};
use crate::cards::SavedSlot;
use crate::hash::hash;
use crate::record::OpenChoice;
use crate::trust::Trust;
use crate::wire::{Place, Signed, SignedStatement};
use pentarchy_engine::record::{PrivatePart, RecordEntry};
use pentarchy_engine::sorting::sort_by_key;
use pentarchy_engine::{Digest, Seat, SeatSet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use zeroize::Zeroizing;

/// The first byte of a stored snapshot: those of other items are smaller.
const FIRST: u8 = 3;
/// The last bytes, by which it is known even if its beginning is damaged. No other item ends so: they end with a
/// signature, whose last byte is small, or with text.
const LAST: [u8; 8] = *b"snapsho\xff";
/// The layout of a snapshot. What a game's state looks like changes with the program, so its version counts too.
const VERSION: &str = concat!("2 ", env!("CARGO_PKG_VERSION"));
/// Minimum number of steps between two snapshots.
const FEWEST_STEPS: usize = 32;
/// A snapshot is due when the log has grown by this many times the size of the last one.
const GROWTH: usize = 2;

/// What authenticates a snapshot.
type Tag = [u8; 32];

/// A snapshot as it was read from the store.
pub(super) struct PlacedSnapshot {
    /// Number and hash of the items of the log before it.
    pub(super) place: (u64, [u8; 32]),
    pub(super) item: Vec<u8>,
}

/// The stored form. The state is bytes, so that only the last snapshot needs to be decoded in full.
#[derive(Serialize, Deserialize)]
struct Stored {
    version: String,
    /// How many items of the log are before it, and their hash.
    items: u64,
    log: [u8; 32],
    /// The snapshot that it continues.
    base: Option<Tag>,
    added: Added,
    #[serde(with = "crate::wire::whole")]
    state: Vec<u8>,
}

/// What was added since the snapshot before.
#[derive(Serialize, Deserialize)]
struct Added {
    steps: Vec<SavedStep>,
    entries: Vec<SavedEntry>,
    sealed: Vec<(u32, String)>,
}

/// A closed step: its messages are in the log.
#[derive(Serialize, Deserialize)]
struct SavedStep {
    prev: [u8; 32],
    epoch: u16,
    messages: u16,
}

/// An [`RecordEntry`] in few bytes. (Its own form leaves out what is empty, which only a self-describing format can read.)
#[derive(Serialize, Deserialize)]
struct SavedEntry {
    event: String,
    shown: Vec<String>,
    backs: Vec<String>,
    digest: [u8; 32],
    annexes: Vec<SavedAnnex>,
}

#[derive(Serialize, Deserialize)]
struct SavedAnnex {
    to: Option<Seat>,
    order: Vec<u16>,
    learned: Vec<String>,
    sealed: Option<String>,
}

/// Everything else that a session knows between two steps.
#[derive(Serialize, Deserialize)]
struct State {
    rules: Vec<u8>,
    cards: Vec<SavedSlot>,
    /// The seats that bots play, and the position with the knowledge of each.
    bots: Vec<(u8, Vec<u8>)>,
    prev: [u8; 32],
    /// Of the public state and all ciphertexts.
    digest: [u8; 32],
    live: SeatSet,
    epoch: u16,
    drops: Vec<SeatDrop>,
    statements: Vec<SignedStatement>,
    crimes: Vec<(Place, Vec<Signed>)>,
    cheats: SeatSet,
    open_choices: Vec<OpenChoice>,
    /// By seat: the number of its last line of chat.
    chats: [u32; 8],
    trust: Trust,
}

/// What the last snapshot covers, which the next one continues.
#[derive(Clone, Copy)]
pub(super) struct Latest {
    tag: Tag,
    /// Its length in bytes.
    size: usize,
    /// How many steps and entries it covers, together with those that it continues.
    steps: usize,
    entries: usize,
    /// The step after the last sealed choice in it.
    sealed: u32,
}

/// Keeps account of the store, and says when the next snapshot is due.
pub(super) struct Saver {
    key: Zeroizing<[u8; 32]>,
    items: u64,
    log: [u8; 32],
    /// Bytes of the log since the last snapshot.
    grown: usize,
    /// Nothing if the next one has to hold everything.
    pub(super) latest: Option<Latest>,
}

impl Saver {
    /// Creates the account of an empty store. `key` authenticates the snapshots.
    pub(super) fn new(key: Zeroizing<[u8; 32]>) -> Self {
        Saver { key, items: 0, log: [0; 32], grown: 0, latest: None }
    }

    /// Notes an item of the log that is stored, or read again: counts it and adds it to the hash.
    pub(super) fn note(&mut self, item: &[u8]) {
        self.items += 1;
        self.grown += item.len();
        self.log = hash("pentarchy store v1", &[&self.log, item]);
    }

    /// Returns the number of items of the log so far, and their hash, for comparison with a snapshot.
    pub(super) fn place(&self) -> (u64, [u8; 32]) {
        (self.items, self.log)
    }

    /// Makes the next snapshot hold everything instead of continuing an earlier one. Called when the log is
    /// rewound.
    pub(super) fn forget_base(&mut self) {
        self.latest = None;
    }

    /// Returns whether a snapshot is due in a log of this many steps: since the last one [`FEWEST_STEPS`]
    /// steps were added, and [`GROWTH`] times its size in bytes. Before the first one, 8 KiB stand for its
    /// size.
    fn is_due(&self, steps: usize) -> bool {
        let (since, size) = self.latest.map_or((0, 8 << 10), |latest| (latest.steps, latest.size));
        steps >= since + FEWEST_STEPS && self.grown >= GROWTH * size
    }

    /// Returns the authentication tag of a snapshot. `body` is the item without its tag and last bytes.
    fn tag(&self, body: &[u8]) -> Tag {
        *blake3::keyed_hash(&self.key, body).as_bytes()
    }

    /// Encodes and authenticates a snapshot. Returns the item to store, and its tag; `None` if it cannot be
    /// encoded.
    fn seal(&self, stored: &Stored) -> Option<(Vec<u8>, Tag)> {
        let mut item = vec![FIRST];
        item.extend(postcard::to_allocvec(stored).ok()?);
        let tag = self.tag(&item);
        item.extend_from_slice(&tag);
        item.extend_from_slice(&LAST);
        Some((item, tag))
    }

    /// Authenticates and decodes an item, and returns the snapshot with its tag. Returns `None` if the item is no
    /// snapshot, is damaged, or is of another session or version of the program. Does not check that the snapshot
    /// fits its place in the log, that the snapshot it continues exists, or that its state can be decoded; the
    /// caller must.
    fn open(&self, item: &[u8]) -> Option<(Stored, Tag)> {
        let (body, tag) = item.strip_suffix(&LAST)?.split_last_chunk::<32>()?;
        // Constant time: `Hash` compares so.
        if blake3::Hash::from_bytes(*tag) != blake3::Hash::from_bytes(self.tag(body)) {
            return None;
        }
        let stored: Stored = postcard::from_bytes(body.strip_prefix(&[FIRST])?).ok()?;
        (stored.version == VERSION).then_some((stored, *tag))
    }
}

/// Returns whether a stored item begins or ends like a snapshot. It may be damaged.
pub(crate) fn is_snapshot(item: &[u8]) -> bool {
    item.first() == Some(&FIRST) || item.ends_with(&LAST)
}

impl PeerSession {
    /// Stores a snapshot if one is due. Call it between two steps only. Does nothing during a takeover, while
    /// this seat has a secret pending, while restoring, and for a spectator.
    pub(super) fn save_in_time(&mut self) {
        let between =
            !self.takeover.is_under_way() && self.turn.made.is_none() && self.turn.pledged.is_empty();
        let is_due = self.storage.snapshots.is_due(self.log.steps.len());
        if between && is_due && !self.storage.is_restoring() && self.me.is_some() {
            self.save();
        }
    }

    /// Requests that a snapshot is stored: the state, and what was added to the log since the last snapshot.
    /// The next snapshot continues this one. If the log is shorter than at the last one, stores nothing, and
    /// the next snapshot holds everything. Does nothing if an entry cannot be converted. Call it between two
    /// steps; that one is due is not checked.
    #[inline(never)]
    fn save(&mut self) {
        let latest = self.storage.snapshots.latest;
        let (steps, entries, sealed) = latest.map_or((0, 0, 0), |it| (it.steps, it.entries, it.sealed));
        let (Some(new_steps), Some(new_entries)) =
            (self.log.steps.get(steps..), self.log.entries.get(entries..))
        else {
            return self.storage.snapshots.forget_base();
        };
        let step = |step: &ClosedStep| SavedStep {
            prev: step.prev,
            epoch: step.epoch,
            messages: step.messages.len() as u16,
        };
        let Some(saved) = new_entries.iter().map(SavedEntry::new).collect::<Option<Vec<_>>>() else { return };
        let added = Added {
            steps: new_steps.iter().map(step).collect(),
            entries: saved,
            sealed: self.log.sealed.range(sealed..).map(|(seq, text)| (*seq, text.clone())).collect(),
        };
        let digest = self.state.digest();
        let state = State {
            rules: self.state.rules.to_bytes(),
            cards: self.state.cards.save(),
            bots: self.takeover.seats.iter().map(|bot| (bot.seat, bot.rules.to_bytes())).collect(),
            prev: self.log.head,
            digest,
            live: self.log.live(),
            epoch: self.log.epoch(),
            drops: self.log.drops.clone(),
            statements: self.absence.statements.clone(),
            crimes: self.misconduct.proofs.clone(),
            cheats: self.misconduct.seats,
            open_choices: self.log.open_choices.clone(),
            chats: self.sync.chat_numbers,
            trust: self.trust.clone(),
        };
        let Ok(state) = postcard::to_allocvec(&state) else { return };
        let (items, log) = self.storage.snapshots.place();
        let base = latest.map(|latest| latest.tag);
        let stored = Stored { version: VERSION.into(), items, log, base, added, state };
        if let Some((item, tag)) = self.storage.snapshots.seal(&stored) {
            self.storage.snapshots.grown = 0;
            self.storage.snapshots.latest = Some(self.latest(tag, item.len()));
            self.request(SessionRequest::Persist(item));
        }
    }

    /// Returns what the next snapshot needs to know of this one, with this tag and size in bytes: how many
    /// steps and entries it covers, and the step after the last sealed choice.
    fn latest(&self, tag: Tag, size: usize) -> Latest {
        let sealed = self.log.sealed.last_key_value().map_or(0, |(seq, _)| seq + 1);
        Latest { tag, size, steps: self.log.steps.len(), entries: self.log.entries.len(), sealed }
    }

    /// Continues from the last sound snapshot, and returns how many items of the log after the first it
    /// covers. Returns `None`, and changes nothing, if there is none. `steps` gives the contributions in the
    /// log after its first item, in order, and `None` for items that are something else. `snapshots` are in
    /// the order of the store. The opening must have been read.
    pub(super) fn load<'a, I: Iterator<Item = Option<&'a Signed>>>(
        &mut self,
        steps: impl Fn() -> I,
        snapshots: &[PlacedSnapshot],
    ) -> Option<usize> {
        let mut sound: BTreeMap<Tag, Stored> = BTreeMap::new();
        let mut order = Vec::new();
        for PlacedSnapshot { place, item } in snapshots {
            if let Some((stored, tag)) = self.storage.snapshots.open(item)
                && (stored.items, stored.log) == *place
            {
                order.push((tag, item.len()));
                sound.insert(tag, stored);
            }
        }
        order.into_iter().rev().find_map(|(tag, size)| self.load_one(steps(), &sound, tag, size))
    }

    /// Replaces log, position, ciphertexts, bots, statements, proofs of cheating, chat numbers and counters of
    /// this session by those of the snapshot with this tag and size in bytes. Returns how many items of the log
    /// after the first it covers. Returns `None`, and changes nothing, if one that it continues is missing or
    /// it does not fit the log. `steps` is as for [`Self::load`]; `sound` are all sound snapshots.
    fn load_one<'a>(
        &mut self,
        steps: impl Iterator<Item = Option<&'a Signed>>,
        sound: &BTreeMap<Tag, Stored>,
        tag: Tag,
        size: usize,
    ) -> Option<usize> {
        let last = sound.get(&tag)?;
        let mut chain = vec![last];
        while let Some(base) = chain.last()?.base {
            chain.push(sound.get(&base)?);
            // A chain that is longer than all there are goes in a circle.
            if chain.len() > sound.len() {
                return None;
            }
        }
        let covered = usize::try_from(last.items).ok()?.checked_sub(1)?;
        let mut groups: BTreeMap<(u16, u32), Vec<&Signed>> = BTreeMap::new();
        for signed in steps.take(covered).flatten() {
            groups.entry((signed.place.epoch, signed.place.seq)).or_default().push(signed);
        }
        let mut log = SignedLog::new(self.descriptor.seats());
        for added in chain.iter().rev().map(|stored| &stored.added) {
            for step in &added.steps {
                let mut of_step = groups.remove(&(step.epoch, log.len())).unwrap_or_default();
                sort_by_key(&mut of_step, |signed| signed.place);
                if of_step.len() != usize::from(step.messages) {
                    return None;
                }
                let messages = of_step.into_iter().cloned().collect();
                log.steps.push(ClosedStep { prev: step.prev, epoch: step.epoch, messages });
            }
            for entry in &added.entries {
                log.entries.push(entry.entry(log.entries.len() as u32 + 1));
            }
            log.sealed.extend(added.sealed.iter().cloned());
        }
        let state: State = postcard::from_bytes(&last.state).ok()?;
        (log.head, log.drops, log.open_choices) = (state.prev, state.drops, state.open_choices);
        let rules = self.game.load_bytes(&state.rules).ok()?;
        let mut table = TableState { rules, cards: self.state.cards.load(&state.cards)? };
        let bot =
            |(seat, bytes): (u8, Vec<u8>)| Some(BotSeat { seat, rules: self.game.load_bytes(&bytes).ok()? });
        let bots = state.bots.into_iter().map(bot).collect::<Option<Vec<_>>>()?;
        let own = &self.state.rules;
        let fits = table.rules.observer() == own.observer() && table.rules.seats() == own.seats();
        let agrees = (log.live(), log.epoch()) == (state.live, state.epoch) && table.digest() == state.digest;
        if !fits || !agrees {
            return None;
        }
        (self.state, self.log, self.step) = (table, log, None);
        self.takeover = Takeover { seats: bots, ..Takeover::default() };
        (self.absence.statements, self.absence.late) = (state.statements, SeatSet::NONE);
        (self.misconduct.proofs, self.misconduct.seats) = (state.crimes, state.cheats);
        (self.sync.chat_numbers, self.trust) = (state.chats, state.trust);
        (self.turn.made, self.turn.pledged) = (None, Vec::new());
        self.storage.snapshots.latest = Some(self.latest(tag, size));
        Some(covered)
    }
}

impl SavedEntry {
    /// Converts an entry for storage; `None` if its digest is malformed.
    fn new(entry: &RecordEntry) -> Option<Self> {
        let digest: Digest = entry.digest.parse().ok()?;
        let annex = |private: &PrivatePart| SavedAnnex {
            to: private.to,
            order: private.order.clone(),
            learned: private.learned.clone(),
            sealed: private.sealed.clone(),
        };
        Some(SavedEntry {
            event: entry.event.clone(),
            shown: entry.shown.clone(),
            backs: entry.backs.clone(),
            digest: digest.0,
            annexes: entry.annexes.iter().map(annex).collect(),
        })
    }

    /// Converts back to an entry of a record, with the number `n`.
    fn entry(&self, n: u32) -> RecordEntry {
        let private = |annex: &SavedAnnex| PrivatePart {
            to: annex.to,
            order: annex.order.clone(),
            learned: annex.learned.clone(),
            sealed: annex.sealed.clone(),
        };
        RecordEntry {
            n,
            event: self.event.clone(),
            shown: self.shown.clone(),
            backs: self.backs.clone(),
            digest: Digest(self.digest).to_string(),
            annexes: self.annexes.iter().map(private).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
