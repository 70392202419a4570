//! Fuzz targets for every decoder of `pentarchy-table`. Nothing panics, bytes that no seat signed have no effect, and what a
//! seat signs wrongly is held against that seat and no other.

mod files;
mod peers;
mod three;
mod two;

use pentarchy_fuzzkit::FuzzTarget;

/// Returns all targets of this package, with their corpora and the number of mutants of their smoke tests. Nothing is
/// prepared yet.
pub fn targets() -> Vec<FuzzTarget> {
    vec![
        FuzzTarget {
            name: "message",
            prepare: || Box::new(two::message),
            corpus: two::message_corpus,
            mutants: 2000,
        },
        FuzzTarget {
            name: "signed",
            prepare: || Box::new(two::signed),
            corpus: two::signed_corpus,
            mutants: 300,
        },
        FuzzTarget {
            name: "descriptor",
            prepare: || Box::new(files::descriptor),
            corpus: files::descriptor_corpus,
            mutants: 2000,
        },
        FuzzTarget {
            name: "record",
            prepare: || Box::new(files::record),
            corpus: files::record_corpus,
            mutants: 200,
        },
        FuzzTarget {
            name: "evidence",
            prepare: || Box::new(files::evidence),
            corpus: files::evidence_corpus,
            mutants: 200,
        },
        FuzzTarget {
            name: "store",
            prepare: || Box::new(files::store),
            corpus: files::store_corpus,
            mutants: 200,
        },
        FuzzTarget {
            name: "escrow",
            prepare: || three::prepare(three::sealing),
            corpus: || three::corpus(three::sealing),
            mutants: 500,
        },
        FuzzTarget {
            name: "departure",
            prepare: || three::prepare(three::departing),
            corpus: || three::corpus(three::departing),
            mutants: 60,
        },
        FuzzTarget {
            name: "branch",
            prepare: || three::prepare(three::branched),
            corpus: || three::corpus(three::branched),
            mutants: 60,
        },
        FuzzTarget {
            name: "cast",
            prepare: || three::prepare(three::casting),
            corpus: || three::corpus(three::casting),
            mutants: 60,
        },
    ]
}
