//! Matches that continue from stored items.

use super::*;
use crate::restore::{AGREED, CONFIRMED, MAIL_CURSOR, SIGNED_START};
use pentarchy_table::RestoreError;

#[test]
fn a_damaged_item_of_the_lobby_is_refused_whatever_it_is() {
    let mut hub = Hub::new(vec![lobby(0, Some(setup(true))), lobby(1, None)]);
    hub.tick();
    let mut disk = hub.disks[1].clone();
    disk.push(vec![MAIL_CURSOR, 1, 1]);
    disk.extend(hub.peers[1].confirmed_terms_item());
    lobby(1, None).restore(disk.iter().cloned()).unwrap();
    for mark in [SIGNED_START, AGREED, MAIL_CURSOR, CONFIRMED] {
        let at = disk.iter().position(|item| item[0] == mark).unwrap();
        for len in 1..disk[at].len() {
            let mut damaged = disk.clone();
            damaged[at].truncate(len);
            let restored = lobby(1, None).restore(damaged.into_iter());
            assert_eq!(restored, Err(RestoreError::Damaged(at)), "mark {mark}, {len} bytes");
        }
    }
}
