#![no_main]

use libfuzzer_sys::fuzz_target;
use pentarchy_fair_fuzz::{Target, shares};
use std::cell::OnceCell;

thread_local! {
    static TARGET: OnceCell<Target> = const { OnceCell::new() };
}

fuzz_target!(|bytes: &[u8]| TARGET.with(|target| target.get_or_init(shares).check(bytes)));
