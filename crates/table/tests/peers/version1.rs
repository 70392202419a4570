//! Records of version 1 of the protocol, made by the last program that wrote them: they still verify, by the old rules.

use pentarchy_engine::SeatSet;
use pentarchy_fair::{Entropy, SigningSecret};
use pentarchy_registry::find;
use pentarchy_table::{Ending, PeerSession, TableRecord};

const RECORDS: [(&str, &[u8], Option<Ending>, SeatSet); 3] = [
    ("leduc", include_bytes!("version1/leduc.table"), Some(Ending::Played), SeatSet::NONE),
    // A seat left and a bot took over.
    ("ozymandias", include_bytes!("version1/departure.table"), Some(Ending::Played), SeatSet(1)),
    // A seat left; rolls that follow are those of the others alone.
    ("numeral", include_bytes!("version1/dice-departure.table"), None, SeatSet(1)),
];

#[test]
fn records_of_version_1_still_verify() {
    for (name, bytes, ending, taken_over) in RECORDS {
        let game = find(name).unwrap();
        let record = TableRecord::decode(bytes).unwrap();
        assert_eq!(record.descriptor.version, 1);
        assert_eq!(record.encode(), bytes, "{name}");
        let verdict = record.verify(game).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!((verdict.ending, verdict.taken_over), (ending, taken_over), "{name}");
        assert_eq!(verdict.votes.len(), if taken_over.is_empty() { 0 } else { 2 }, "{name}");
        if ending.is_some() {
            game.verify(&verdict.public).unwrap();
        }
    }
}

#[test]
fn a_changed_record_of_version_1_does_not_verify() {
    let (name, bytes, ..) = RECORDS[2];
    for at in (18..bytes.len()).step_by(97) {
        let mut changed = bytes.to_vec();
        changed[at] ^= 0x40;
        if let Ok(changed) = TableRecord::decode(&changed) {
            assert!(changed.verify(find(name).unwrap()).is_err(), "byte {at}");
        }
    }
}

#[test]
fn tables_of_version_1_are_read_only() {
    let (name, bytes, ..) = RECORDS[0];
    let mut table = TableRecord::decode(bytes).unwrap().descriptor;
    let identity = SigningSecret::new(Entropy::new([1; 32]));
    table.players[0].identity = *identity.public().bytes();
    let refused = PeerSession::new(find(name).unwrap(), table, 0, &identity, [0; 32], Entropy::new([0; 32]))
        .map(|_| ())
        .unwrap_err();
    assert!(refused.to_string().contains("version 1"), "{refused}");
}
