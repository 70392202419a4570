//! All targets of this package for libFuzzer; the environment variable `FUZZ_TARGET` names the one to run.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| pentarchy_fuzzkit::fuzz(&pentarchy_table_fuzz::targets(), input));
