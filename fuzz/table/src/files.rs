//! What is read from files: descriptors, records, evidence, stored sessions.

use crate::peers::{Peers, descriptor as honest_descriptor};
use crate::two::{SENT, game};
use pentarchy_fair::Entropy;
use pentarchy_fuzzkit::Corpus;
use pentarchy_table::sim::{CHEATS, SimPlan, run};
use pentarchy_table::{Descriptor, Evidence, PeerSession, TableRecord};

/// Target: decodes bytes as a descriptor and opens a spectator's session with it. Panics if the descriptor
/// does not encode to the same bytes.
pub(crate) fn descriptor(bytes: &[u8]) {
    if let Ok(read) = Descriptor::decode(bytes) {
        assert_eq!(read.encode(), bytes);
        let _ = PeerSession::watch(game(), read);
    }
}

/// Generates an honest descriptor and an empty input.
pub(crate) fn descriptor_corpus() -> Corpus {
    let honest = honest_descriptor(game(), 2).encode();
    Corpus::from([("honest".to_string(), honest), ("nothing-at-all".to_string(), Vec::new())])
}

/// Returns the length of the first line of a file, its line end included; 0 if it has none. The targets add
/// that line, so that mutants get past it.
fn first_line(file: &[u8]) -> usize {
    file.iter().position(|byte| *byte == b'\n').map_or(0, |end| end + 1)
}

/// Simulates an honest match of two seats and returns its record as a file. Equal in each run. Panics if the match does
/// not end.
fn honest_record() -> Vec<u8> {
    let report = run(game(), SimPlan::new(2, 1)).expect("honest peers finish");
    report.record.expect("there is a record").encode()
}

/// Target: decodes and verifies a record, given without its first line. Panics only if the decoder or the verifier
/// does. The first line is that of an honest record, which is simulated once per thread.
pub(crate) fn record(bytes: &[u8]) {
    thread_local! {
        static FIRST_LINE: Vec<u8> = with_first_line(honest_record());
    }
    let file = FIRST_LINE.with(|first| [first, bytes].concat());
    if let Ok(record) = TableRecord::decode(&file) {
        let _ = record.verify(game());
    }
}

/// Returns the first line of a file, its line end included; empty if the file has no line end.
fn with_first_line(file: Vec<u8>) -> Vec<u8> {
    file[..first_line(&file)].to_vec()
}

/// Generates an honest record without its first line.
pub(crate) fn record_corpus() -> Corpus {
    let honest = honest_record();
    Corpus::from([("honest".to_string(), honest[first_line(&honest)..].to_vec())])
}

/// Simulates a cheat at tables of two seats, with up to 12 seeds. Returns the first evidence against the
/// cheater as a file; `None` if there is none.
fn evidence_of(cheat: &'static pentarchy_table::sim::Cheat) -> Option<Vec<u8>> {
    let tried = (0..12).filter_map(|seed| run(game(), SimPlan::new(2, seed).cheating(0, cheat)).ok());
    let mut found = tried.filter_map(|report| report.evidence.into_iter().next());
    found.next().map(|(_, evidence)| evidence.encode())
}

/// Target: decodes and judges evidence, given without its first line. Panics only if the decoder or the judge does. The
/// first line is that of honest evidence, which is simulated once per thread.
pub(crate) fn evidence(bytes: &[u8]) {
    thread_local! {
        static FIRST_LINE: Vec<u8> =
            with_first_line(CHEATS.iter().find_map(evidence_of).expect("a cheat leaves evidence"));
    }
    let file = FIRST_LINE.with(|first| [first, bytes].concat());
    if let Ok(evidence) = Evidence::decode(&file) {
        let _ = evidence.judge(game());
    }
}

/// Generates evidence of each cheat that leaves some at a table of two, without its first line.
pub(crate) fn evidence_corpus() -> Corpus {
    let cheats = CHEATS.iter().filter(|cheat| cheat.seats <= 2);
    let found = cheats.filter_map(|cheat| Some((cheat.name.to_string(), evidence_of(cheat)?)));
    found.map(|(name, file)| (name, file[first_line(&file)..].to_vec())).collect()
}

/// Target: restores a session from items, each with its length in two bytes, little-endian. The last item is shorter if
/// bytes are missing; a single byte at the end is dropped. Panics only if the session does.
pub(crate) fn store(mut bytes: &[u8]) {
    let mut items = Vec::new();
    while let Some((len, rest)) = bytes.split_first_chunk::<2>() {
        let (item, rest) = rest.split_at(usize::from(u16::from_le_bytes(*len)).min(rest.len()));
        items.push(item.to_vec());
        bytes = rest;
    }
    let _ = PeerSession::restore(|_| Some(game()), items.into_iter(), Entropy::new([6; 32]));
}

/// Generates one input per seat of a table of two: all items that the seat has stored after [`SENT`] messages, each
/// behind its length in two bytes.
pub(crate) fn store_corpus() -> Corpus {
    let mut peers = Peers::new(game(), 2, true);
    (0..SENT).for_each(|_| drop(peers.step()));
    let framed = |items: &[Vec<u8>]| -> Vec<u8> {
        items.iter().flat_map(|item| [&(item.len() as u16).to_le_bytes()[..], item].concat()).collect()
    };
    let stores = peers.stored.iter().enumerate();
    stores.map(|(seat, items)| (format!("of-seat-{seat}"), framed(items))).collect()
}
