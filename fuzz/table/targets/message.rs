#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| pentarchy_table_fuzz::message(bytes));
