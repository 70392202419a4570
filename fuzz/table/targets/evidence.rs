#![no_main]

use libfuzzer_sys::fuzz_target;
use pentarchy_table_fuzz::evidence_bytes;

fuzz_target!(|bytes: &[u8]| evidence_bytes(bytes));
