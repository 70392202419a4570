#![no_main]

use libfuzzer_sys::fuzz_target;
use pentarchy_table_fuzz::store_bytes;

fuzz_target!(|bytes: &[u8]| store_bytes(bytes));
