//! `pentarchy simulate`: failing seeds and the commands that repeat them.

use crate::common::run;

/// Simulates with these arguments, expects a failure, and returns the line that names it. Runs the printed command as
/// well, and asserts that it reports exactly this failure, with its trace, each time.
fn failure(args: &[&str]) -> String {
    let first = run(&[&["simulate"], args].concat());
    assert_eq!(first.code, 1, "{args:?}: {}{}", first.out, first.err);
    let (_, again) = first.err.split_once("again: ").unwrap();
    let mut words = again.trim().split(' ');
    assert_eq!(words.next(), Some(env!("CARGO_BIN_EXE_pentarchy")));
    let words: Vec<&str> = words.collect();
    let (second, third) = (run(&words), run(&words));
    let failure = |err: &str| err.lines().find(|line| line.contains("seed ")).unwrap().to_owned();
    assert_eq!(failure(&first.err), failure(&second.err), "{again}");
    assert_eq!(second.code, 1);
    assert!(second.out.contains("faults: "), "there is no trace: {}", second.out);
    assert_eq!(second.out, third.out);
    failure(&first.err)
}

/// The failing seed is not the first of its range, so that the command has to name it.
#[test]
fn a_failing_seed_prints_a_command_that_fails_in_the_same_way() {
    let broken =
        failure(&["tic-tac-toe", "--mutant", "forgetsitslog", "--mix", "storage", "--seeds", "0..40"]);
    assert!(broken.contains("ms: "), "{broken}");
    failure(&["--mutant", "PostsNothing", "--faults=Apart", "--seeds", "0..20"]);
    let broken = failure(&["kuhn", "--mutant", "RoomWithoutPass", "--faults=", "--cheat", "rewind"]);
    assert!(broken.contains("room pass"), "{broken}");
}

#[test]
fn a_panic_names_its_seed_and_the_command() {
    let broken = failure(&["leduc", "--mutant", "PanicsAtReturn", "--faults=Crash", "--seeds", "3..20"]);
    assert!(broken.contains("no panic: machine "), "{broken}");
}

#[test]
fn wrong_arguments_list_the_right_ones() {
    let cases: &[(&[&str], &str)] = &[
        (&["--mix", "night"], "possible values: swarm, calm, relay"),
        (&["--faults=Drop,Rain"], "there is no `Rain`; there are Drop, Delay"),
        (&["--mutant", "Rain"], "there is no `Rain`; there are ConfirmsByItself"),
        (&["--cheat", "rain"], "`pentarchy peers list`"),
    ];
    for (args, expected) in cases {
        let said = run(&[&["simulate"], *args].concat());
        assert!(said.code == 2 && said.err.contains(expected), "{args:?}: {}", said.err);
    }
}
