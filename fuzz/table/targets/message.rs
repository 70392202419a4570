#![no_main]

use libfuzzer_sys::fuzz_target;
use pentarchy_table_fuzz::Peers;
use std::cell::RefCell;

thread_local! {
    static PEERS: RefCell<Peers> = RefCell::new(Peers::new());
}

fuzz_target!(|bytes: &[u8]| PEERS.with_borrow_mut(|peers| peers.feed(bytes)));
