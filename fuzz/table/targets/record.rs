#![no_main]

use libfuzzer_sys::fuzz_target;
use pentarchy_table_fuzz::record_bytes;

fuzz_target!(|bytes: &[u8]| record_bytes(bytes));
