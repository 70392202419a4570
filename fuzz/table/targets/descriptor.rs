#![no_main]

use libfuzzer_sys::fuzz_target;
use pentarchy_table_fuzz::descriptor_bytes;

fuzz_target!(|bytes: &[u8]| descriptor_bytes(bytes));
