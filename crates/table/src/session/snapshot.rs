//! Snapshots of verified state: a session that comes back verifies only what came after the last one.
//!
//! A snapshot is stored among the items of the log, between two steps. It is bound to the items before it by their hash, and
//! authenticated with a key that follows from the session's seed. One that is damaged, of another session or of another
//! version of the program is ignored: then an earlier one is used, or the whole log is verified. It holds the state as it
//! is, and of what only grows (links, entries, sealed choices) what was added since the snapshot before it: so the store
//! grows in proportion to the log.

use super::{Closed, Session};
use crate::cards::{Cards, SavedSlot};
use crate::hash::hash;
use crate::record::OpenChoice;
use crate::trust::Trust;
use crate::wire::{Place, Said, Signed};
use pentarchy_engine::record::{PrivatePart, RecordEntry};
use pentarchy_engine::{Digest, Seat};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use zeroize::Zeroizing;

/// The first byte of a stored snapshot: those of other items are smaller.
const FIRST: u8 = 3;
/// The last bytes, by which it is known even if its beginning is damaged. No other item ends so: they end with a
/// signature, whose last byte is small, or with text.
const LAST: [u8; 8] = *b"snapsho\xff";
/// The layout of a snapshot. What a game's state looks like changes with the program, so its version counts too.
const VERSION: &str = concat!("1 ", env!("CARGO_PKG_VERSION"));
/// A snapshot is due after so many steps at the earliest,
const FEWEST_STEPS: usize = 32;
/// and when the log has grown by so many times the size of the last one.
const GROWTH: usize = 2;

/// What authenticates a snapshot.
type Tag = [u8; 32];

/// A snapshot as it was read from the store.
pub(super) struct PlacedSnapshot {
    /// Number and hash of the items of the log before it.
    pub(super) place: (u64, [u8; 32]),
    pub(super) item: Vec<u8>,
}

/// What is stored: state as bytes, so that whoever looks for the last one need not read all.
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
    branch: u16,
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
    vacant: Vec<(u8, Vec<u8>)>,
    prev: [u8; 32],
    /// Of the public state and all ciphertexts.
    digest: [u8; 32],
    live: u8,
    branch: u16,
    departures: Vec<(u32, u8)>,
    said: Vec<Said>,
    crimes: Vec<(Place, Vec<Signed>)>,
    cheats: u8,
    open_choices: Vec<OpenChoice>,
    /// By seat: the number of its last line of chat.
    chats: [u32; 8],
    trust: Trust,
}

/// Where the last snapshot was.
#[derive(Clone, Copy)]
struct Latest {
    tag: Tag,
    size: usize,
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
    latest: Option<Latest>,
}

impl Saver {
    pub(super) fn new(key: Zeroizing<[u8; 32]>) -> Self {
        Saver { key, items: 0, log: [0; 32], grown: 0, latest: None }
    }

    /// An item of the log is stored, or read again.
    pub(super) fn note(&mut self, item: &[u8]) {
        self.items += 1;
        self.grown += item.len();
        self.log = hash("pentarchy store v1", &[&self.log, item]);
    }

    /// How far the store goes: items of the log, and their hash.
    pub(super) fn place(&self) -> (u64, [u8; 32]) {
        (self.items, self.log)
    }

    /// The log was taken back: what snapshots hold of it is not its beginning any more.
    pub(super) fn rewound(&mut self) {
        self.latest = None;
    }

    fn is_due(&self, steps: usize) -> bool {
        let (since, size) = self.latest.map_or((0, 8 << 10), |latest| (latest.steps, latest.size));
        steps >= since + FEWEST_STEPS && self.grown >= GROWTH * size
    }

    fn tag(&self, body: &[u8]) -> Tag {
        *blake3::keyed_hash(&self.key, body).as_bytes()
    }

    /// The item of a snapshot, and its tag.
    fn seal(&self, stored: &Stored) -> Option<(Vec<u8>, Tag)> {
        let mut item = vec![FIRST];
        item.extend(postcard::to_allocvec(stored).ok()?);
        let tag = self.tag(&item);
        item.extend_from_slice(&tag);
        item.extend_from_slice(&LAST);
        Some((item, tag))
    }

    /// Reads an item that this session has sealed.
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

/// Whether a stored item is a snapshot, sound or damaged.
pub(crate) fn is_snapshot(item: &[u8]) -> bool {
    item.first() == Some(&FIRST) || item.ends_with(&LAST)
}

impl Session {
    /// Stores a snapshot if one is due. To be called between two steps.
    pub(super) fn save_in_time(&mut self) {
        let leaving = self.departing.is_some() || self.open_roll.is_some();
        let between = !leaving && self.mine.is_none() && self.pledged.is_empty();
        if between && !self.restoring && self.me.is_some() && self.saver.is_due(self.log.len()) {
            self.save();
        }
    }

    #[inline(never)]
    fn save(&mut self) {
        let latest = self.saver.latest;
        let (steps, entries, sealed) = latest.map_or((0, 0, 0), |it| (it.steps, it.entries, it.sealed));
        let (Some(new_steps), Some(new_entries)) = (self.log.get(steps..), self.entries.get(entries..))
        else {
            return self.saver.rewound();
        };
        let step = |step: &Closed| SavedStep {
            prev: step.prev,
            branch: step.branch,
            messages: step.messages.len() as u16,
        };
        let Some(saved) = new_entries.iter().map(SavedEntry::new).collect::<Option<Vec<_>>>() else { return };
        let added = Added {
            steps: new_steps.iter().map(step).collect(),
            entries: saved,
            sealed: self.sealed.range(sealed..).map(|(seq, text)| (*seq, text.clone())).collect(),
        };
        let digest = self.table_digest();
        let state = State {
            rules: self.rules.to_bytes(),
            cards: self.cards.save(),
            vacant: self.vacant.iter().map(|vacant| (vacant.seat, vacant.rules.to_bytes())).collect(),
            prev: self.prev,
            digest,
            live: self.live,
            branch: self.branch,
            departures: self.departures.clone(),
            said: self.said.clone(),
            crimes: self.crimes.clone(),
            cheats: self.cheats,
            open_choices: self.open_choices.clone(),
            chats: self.chats,
            trust: self.trust.clone(),
        };
        let Ok(state) = postcard::to_allocvec(&state) else { return };
        let (items, log) = self.saver.place();
        let base = latest.map(|latest| latest.tag);
        let stored = Stored { version: VERSION.into(), items, log, base, added, state };
        if let Some((item, tag)) = self.saver.seal(&stored) {
            self.saver.grown = 0;
            self.saver.latest = Some(self.latest(tag, item.len()));
            self.out.push(super::Output::Persist(item));
        }
    }

    fn latest(&self, tag: Tag, size: usize) -> Latest {
        let sealed = self.sealed.last_key_value().map_or(0, |(seq, _)| seq + 1);
        Latest { tag, size, steps: self.log.len(), entries: self.entries.len(), sealed }
    }

    /// Goes on from the last sound snapshot, if there is one: `steps` are the contributions in the log after its first item
    /// (none for items that are something else), and `snapshots` all snapshots with their places. The opening must have been read. Gives how many items after the first are covered.
    pub(super) fn load<'a, I: Iterator<Item = Option<&'a Signed>>>(
        &mut self,
        steps: impl Fn() -> I,
        snapshots: &[PlacedSnapshot],
    ) -> Option<usize> {
        let mut sound: BTreeMap<Tag, Stored> = BTreeMap::new();
        let mut order = Vec::new();
        for PlacedSnapshot { place, item } in snapshots {
            if let Some((stored, tag)) = self.saver.open(item)
                && (stored.items, stored.log) == *place
            {
                order.push((tag, item.len()));
                sound.insert(tag, stored);
            }
        }
        order.into_iter().rev().find_map(|(tag, size)| self.load_one(steps(), &sound, tag, size))
    }

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
            groups.entry((signed.place.branch, signed.place.seq)).or_default().push(signed);
        }
        let (mut log, mut entries, mut sealed) = (Vec::new(), Vec::new(), BTreeMap::new());
        for added in chain.iter().rev().map(|stored| &stored.added) {
            for step in &added.steps {
                let key = (step.branch, log.len() as u32);
                let mut of_step = groups.remove(&key).unwrap_or_default();
                of_step.sort_by_key(|signed| signed.place);
                if of_step.len() != usize::from(step.messages) {
                    return None;
                }
                let messages = of_step.into_iter().cloned().collect();
                log.push(Closed { prev: step.prev, branch: step.branch, messages });
            }
            for entry in &added.entries {
                entries.push(entry.entry(entries.len() as u32 + 1));
            }
            sealed.extend(added.sealed.iter().cloned());
        }
        let state: State = postcard::from_bytes(&last.state).ok()?;
        let rules = self.game.load_bytes(&state.rules).ok()?;
        let cards = self.cards.load(&state.cards)?;
        let vacant = state
            .vacant
            .into_iter()
            .map(|(seat, bytes)| Some(super::Vacant { seat, rules: self.game.load_bytes(&bytes).ok()? }));
        let vacant = vacant.collect::<Option<Vec<_>>>()?;
        let same_eyes = rules.observer() == self.rules.observer() && rules.seats() == self.rules.seats();
        if !same_eyes || !is_digest(&*rules, cards.clone(), &state.digest) {
            return None;
        }
        (self.rules, self.cards, self.vacant) = (rules, cards, vacant);
        (self.log, self.entries, self.sealed) = (log, entries, sealed);
        (self.prev, self.live, self.branch) = (state.prev, state.live, state.branch);
        (self.departures, self.said) = (state.departures, state.said);
        (self.crimes, self.cheats) = (state.crimes, state.cheats);
        (self.open_choices, self.chats, self.trust) = (state.open_choices, state.chats, state.trust);
        self.pledged.clear();
        (self.step, self.mine, self.late) = (None, None, 0);
        (self.departing, self.open_roll) = (None, None);
        self.saver.latest = Some(self.latest(tag, size));
        Some(covered)
    }
}

impl Session {
    /// Whether this session has gone on from a snapshot, or written one.
    pub(crate) fn is_shortened(&self) -> bool {
        self.saver.latest.is_some()
    }

    /// In what another session differs that should stand at the same place with the same state.
    pub(crate) fn difference(&self, other: &Self) -> Option<&'static str> {
        let log = |session: &Self| {
            let steps = session.log.iter().map(|step| (step.prev, step.branch, step.messages.clone()));
            (session.prev, steps.collect::<Vec<_>>())
        };
        let digest = |session: &Self| super::steps::digest_of(&*session.rules, &mut session.cards.clone());
        let vacant = |session: &Self| {
            let vacant = session.vacant.iter().map(|vacant| (vacant.seat, vacant.rules.to_bytes()));
            vacant.collect::<Vec<_>>()
        };
        let step = |session: &Self| {
            let step = session.step.as_ref();
            step.map(|step| (step.digest, step.id, step.phase, step.got.clone()))
        };
        let agreed = |session: &Self| {
            let leaving = (session.departing, session.open_roll);
            (session.live, session.branch, session.cheats, session.ending, leaving, session.stopped)
        };
        let own = |session: &Self| (session.mine.clone(), session.sealed.clone());
        let same = [
            ("the log", log(self) == log(other)),
            ("the digest of the table", digest(self) == digest(other)),
            ("what it knows", self.rules.to_bytes() == other.rules.to_bytes()),
            ("what vacant seats know", vacant(self) == vacant(other)),
            ("the step under way", step(self) == step(other)),
            ("who plays", agreed(self) == agreed(other) && self.departures == other.departures),
            ("its own secrets", own(self) == own(other)),
            ("what was said", self.said == other.said && self.crimes == other.crimes),
            ("the entries", self.entries == other.entries && self.open_choices == other.open_choices),
        ];
        same.into_iter().find(|(_, same)| !same).map(|(what, _)| what)
    }
}

/// Whether state and cards have this digest.
fn is_digest(rules: &dyn pentarchy_engine::AnyPosition, mut cards: Cards, digest: &[u8; 32]) -> bool {
    super::steps::digest_of(rules, &mut cards) == *digest
}

impl SavedEntry {
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
mod tests {
    use super::super::testbed::Testbed;
    use super::*;
    use crate::session::{Input, Output};
    use pentarchy_engine::Rng;

    /// What is done, but for the snapshots: when they are due depends on those before.
    fn plain(outputs: Vec<Output>) -> Vec<String> {
        let plain = |output: &Output| !matches!(output, Output::Persist(item) if is_snapshot(item));
        outputs.iter().filter(|output| plain(output)).map(|output| format!("{output:?}")).collect()
    }

    fn without_snapshots(disk: &[Vec<u8>]) -> Vec<Vec<u8>> {
        disk.iter().filter(|item| !is_snapshot(item)).cloned().collect()
    }

    /// Plays a game, with all that each seat was sent.
    fn played(name: &str, seats: u8, seed: u8, events: u32) -> Testbed {
        let mut bed = Testbed::new(name, seats, seed);
        bed.play(events);
        bed
    }

    #[test]
    fn a_session_from_a_snapshot_equals_one_from_the_whole_log() {
        let mut rng = Rng::new(5);
        let mut shortened = 0;
        for (name, seats, seed) in [
            ("connect-four", 2, 1),
            ("ozymandias", 3, 2),
            ("vires", 3, 3),
            ("hegemony", 3, 4),
            ("numeral", 2, 5),
            ("hestia", 2, 6),
        ] {
            let bed = played(name, seats, seed, 110);
            for _ in 0..4 {
                let seat = rng.below(seats.into()) as usize;
                let disk = &bed.disks[seat];
                // A crash anywhere: also in the middle of a step, and of what is stored for it.
                let disk = &disk[..1 + rng.below(disk.len() as u32) as usize];
                let mut one = bed.restored(disk, [1; 32]);
                let mut two = bed.restored(&without_snapshots(disk), [1; 32]);
                assert_eq!(one.difference(&two), None, "{name}: seat {seat} after {} items", disk.len());
                assert!(!two.is_shortened());
                shortened += u32::from(one.is_shortened());
                // From here on both do the same, whatever comes.
                let mut both = |input: Input<'_>| {
                    let (first, second) = (plain(one.handle(input)), plain(two.handle(input)));
                    assert_eq!(first, second, "{name}: seat {seat} after {} items", disk.len());
                };
                both(Input::Tick { now_ms: 10 });
                both(Input::Connected(9));
                let others = (0..usize::from(seats)).filter(|&other| other != seat);
                let heard = others.flat_map(|other| without_snapshots(&bed.disks[other]));
                for item in heard.skip(3) {
                    // What is stored of a message, after its mark and length, is what was sent.
                    if let Ok(super::super::store::Stored::Message(bytes)) = postcard::from_bytes(&item) {
                        both(Input::Message { from: 9, bytes: &bytes });
                    }
                }
                both(Input::Tick { now_ms: 2000 });
                assert_eq!(one.difference(&two), None, "{name}: later");
            }
        }
        assert!(shortened > 8, "only {shortened} had a snapshot");
    }

    #[test]
    fn a_game_is_played_on_from_snapshots() {
        let mut bed = Testbed::new("ozymandias", 3, 7);
        let mut rng = Rng::new(1);
        for events in (20..400).step_by(20) {
            bed.play(events);
            let seat = rng.below(3) as usize;
            let session = bed.restored(&bed.disks[seat], [events as u8; 32]);
            assert_eq!(session.difference(&bed.sessions[seat]), None, "after {events}");
            bed.sessions[seat] = session;
            // It asks the player again.
            bed.handle(seat, Input::Tick { now_ms: 1 });
        }
        assert!(bed.sessions.iter().all(Session::is_over));
        assert!(bed.sessions[0].record().verify(bed.game).unwrap().outcome.is_some());
    }

    #[test]
    fn a_damaged_or_foreign_snapshot_is_ignored() {
        let bed = played("vires", 3, 8, 220);
        let (disk, foreign) = (&bed.disks[0], &bed.disks[1]);
        let whole = bed.restored(&without_snapshots(disk), [1; 32]);
        let places: Vec<usize> = (0..disk.len()).filter(|&i| is_snapshot(&disk[i])).collect();
        assert!(places.len() >= 2, "{} snapshots", places.len());
        assert!(bed.restored(disk, [1; 32]).is_shortened());
        let mut rng = Rng::new(3);
        for round in 0..40 {
            let mut disk = disk.clone();
            // All of them are damaged, each in its way, so that nothing is left to go on from.
            for &at in &places {
                let item = &mut disk[at];
                let n = item.len() as u32;
                match (round + at) % 4 {
                    // The first and the last bytes are marks; it is known by one of them.
                    0 => item[rng.below(n) as usize] ^= 1 << rng.below(8),
                    1 => item.truncate(1 + rng.below(n - 1) as usize),
                    2 => item.clone_from(foreign.iter().find(|item| is_snapshot(item)).unwrap()),
                    _ => item.extend_from_slice(b"more"),
                }
            }
            let session = bed.restored(&disk, [1; 32]);
            assert_eq!(session.difference(&whole), None, "round {round}");
            assert!(!session.is_shortened(), "round {round}");
        }
        // One that is sound and stands in another place of the log.
        let mut moved = without_snapshots(disk);
        moved.push(disk[places[0]].clone());
        assert!(!bed.restored(&moved, [1; 32]).is_shortened());
        // Without the first, the second has nothing to continue.
        let mut lone = disk.clone();
        lone.remove(places[0]);
        let session = bed.restored(&lone, [1; 32]);
        assert_eq!(session.difference(&whole), None);
    }

    #[test]
    fn a_log_that_was_changed_before_a_snapshot_is_not_covered_by_it() {
        let bed = played("vires", 3, 8, 220);
        let disk = &bed.disks[0];
        let last = (0..disk.len()).rfind(|&i| is_snapshot(&disk[i])).unwrap();
        // An item of the log is gone: the hash is that of another log, and the log itself does not verify.
        let mut cut = disk.clone();
        cut.remove(last - 1);
        let game = bed.game;
        let entropy = pentarchy_fair::Entropy::new([1; 32]);
        assert!(Session::restore(|_| Some(game), cut.into_iter(), entropy).is_err());
    }

    #[test]
    fn the_store_grows_in_proportion_to_the_log() {
        let bed = played("numeral", 2, 5, 600);
        let disk = &bed.disks[0];
        let bytes = |snapshots: bool| -> usize {
            disk.iter().filter(|item| is_snapshot(item) == snapshots).map(Vec::len).sum()
        };
        let count = disk.iter().filter(|item| is_snapshot(item)).count();
        assert!(count >= 2 && bytes(true) <= bytes(false), "{count}: {} and {}", bytes(true), bytes(false));
    }
}
