//! Fuzz targets as data. A package of targets lists them as [`FuzzTarget`]s; from that list follow
//!
//! * a libFuzzer program for all of them ([`fuzz`]), run by `cargo xtask soak --fuzz`,
//! * a smoke test ([`smoke`]): every input of the corpus and a fixed number of mutants, without a fuzzer,
//! * the corpus itself ([`check_corpus`]): generated, so that it follows every change of a format.

mod mutate;

pub use mutate::Mutator;

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Names the target that a libFuzzer program runs.
pub const TARGET_VARIABLE: &str = "FUZZ_TARGET";

/// Takes an input, and panics if something that must hold does not.
pub type Check = Box<dyn Fn(&[u8])>;

/// Inputs by file name.
pub type Corpus = BTreeMap<String, Vec<u8>>;

/// One fuzz target.
pub struct FuzzTarget {
    /// Its name: also that of the folder of its corpus.
    pub name: &'static str,
    /// Prepares the check. Called once for each thread, since a check may keep state between inputs.
    pub prepare: fn() -> Check,
    /// Makes the inputs to start from. The same ones each time.
    pub corpus: fn() -> Corpus,
    /// How many mutants the smoke test tries: fewer for a slow target.
    pub mutants: u32,
}

/// Runs one input of libFuzzer on the target that [`TARGET_VARIABLE`] names. The target is prepared at the first call
/// of a thread and kept. Later changes of the variable, and other `targets`, have no effect on the thread.
///
/// # Panics
///
/// If the variable names no target, and if the check fails.
#[expect(clippy::panic, reason = "a panic is how a fuzz target reports")]
pub fn fuzz(targets: &[FuzzTarget], input: &[u8]) {
    thread_local! {
        /// The prepared check of this thread.
        static CHECK: OnceCell<Check> = const { OnceCell::new() };
    }
    CHECK.with(|check| {
        let check = check.get_or_init(|| {
            let name = std::env::var(TARGET_VARIABLE).unwrap_or_default();
            match targets.iter().find(|target| target.name == name) {
                Some(target) => (target.prepare)(),
                None => panic!("{TARGET_VARIABLE} is `{name}`; the targets are {}", names(targets)),
            }
        });
        check(input);
    });
}

/// Returns the names of the targets in their order, separated by spaces.
pub fn names(targets: &[FuzzTarget]) -> String {
    targets.iter().map(|target| target.name).collect::<Vec<_>>().join(" ")
}

/// Runs a target on every input of its folder in `corpora`, in the order of their names, and on its number of mutants
/// of them. Deterministic. Stops at the first failure.
///
/// # Panics
///
/// If there is no corpus, or a check fails: the message has the input in hexadecimal.
#[expect(clippy::panic, reason = "it is a test")]
pub fn smoke(target: &FuzzTarget, corpora: &Path) {
    let stored: Vec<Vec<u8>> = stored(&corpora.join(target.name)).into_values().collect();
    assert!(!stored.is_empty(), "{} has no corpus: run `cargo xtask golden corpora`", target.name);
    let check = (target.prepare)();
    let mut mutator = Mutator::new(target.name);
    let mutants = (0..target.mutants).map(|_| mutator.mutant(&stored)).collect::<Vec<_>>();
    for input in stored.iter().chain(&mutants) {
        if catch_unwind(AssertUnwindSafe(|| check(input))).is_err() {
            let hex: String = input.iter().map(|byte| format!("{byte:02x}")).collect();
            panic!("{} fails on {hex}", target.name);
        }
    }
}

/// Compares the folder of a target in `corpora` with what the target generates. With `UPDATE_GOLDEN` set to any value
/// in the environment it writes the folder instead, and deletes files that are not generated: `cargo xtask golden
/// corpora`. Files that cannot be read, or whose names are no Unicode, do not count as stored.
///
/// # Panics
///
/// If they differ, or the folder cannot be written; the message names the files that differ.
#[expect(clippy::panic, reason = "it is a test")]
pub fn check_corpus(target: &FuzzTarget, corpora: &Path) {
    let folder = corpora.join(target.name);
    let generated = (target.corpus)();
    let stored = stored(&folder);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let write = || -> std::io::Result<()> {
            fs::create_dir_all(&folder)?;
            for name in stored.keys().filter(|name| !generated.contains_key(*name)) {
                fs::remove_file(folder.join(name))?;
            }
            generated.iter().try_for_each(|(name, input)| fs::write(folder.join(name), input))
        };
        return write().unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    }
    let missing = generated.keys().filter(|name| !stored.contains_key(*name));
    let changed =
        stored.iter().filter(|(name, input)| generated.get(*name) != Some(input)).map(|(name, _)| name);
    let differs: Vec<&String> = missing.chain(changed).collect();
    assert!(
        differs.is_empty(),
        "the corpus of {} is not what its program writes ({differs:?}): run `cargo xtask golden corpora`",
        target.name
    );
}

/// Returns the inputs in a folder, by file name; skips files that cannot be read or whose names are no Unicode. Empty
/// if there is no folder.
fn stored(folder: &Path) -> Corpus {
    let files = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    files
        .filter_map(|file| Some((file.file_name().into_string().ok()?, fs::read(file.path()).ok()?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_are_the_same_each_time_and_differ_from_each_other() {
        let inputs = [b"first input".to_vec(), vec![], vec![0; 70]];
        let draw = |name| {
            let mut mutator = Mutator::new(name);
            (0..500).map(|_| mutator.mutant(&inputs)).collect::<Vec<_>>()
        };
        assert_eq!(draw("a"), draw("a"));
        assert_ne!(draw("a"), draw("b"));
        let distinct: std::collections::BTreeSet<_> = draw("a").into_iter().collect();
        assert!(distinct.len() > 250, "{}", distinct.len());
    }

    #[test]
    #[should_panic(expected = "strict fails on")]
    fn a_smoke_test_fails_on_what_the_target_rejects() {
        let folder = std::env::temp_dir().join("pentarchy-fuzzkit-smoke");
        fs::create_dir_all(folder.join("strict")).unwrap();
        fs::write(folder.join("strict").join("one"), [1, 2, 3]).unwrap();
        let prepare: fn() -> Check = || Box::new(|input| assert_eq!(input, [1, 2, 3]));
        smoke(&FuzzTarget { name: "strict", prepare, corpus: Corpus::new, mutants: 100 }, &folder);
    }
}
