#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pentarchy_net_fuzz::party(bytes));
