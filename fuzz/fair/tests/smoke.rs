//! The fuzz targets as ordinary tests: their corpora and a fixed number of mutants.

use pentarchy_fuzzkit::{check_corpus, smoke};
use std::path::Path;

const CORPORA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus");

#[test]
fn no_stored_input_and_no_mutant_breaks_a_target() {
    pentarchy_fair_fuzz::targets().iter().for_each(|target| smoke(target, Path::new(CORPORA)));
}

#[test]
fn the_golden_corpora_are_current() {
    pentarchy_fair_fuzz::targets().iter().for_each(|target| check_corpus(target, Path::new(CORPORA)));
}
