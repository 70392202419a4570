//! Playing through a pipe.

use crate::common::{arg, folder, run, talk};
use std::fs;

const TWO: [&str; 4] = ["play", "tic-tac-toe", "--seats", "human,human"];

#[test]
fn a_whole_game_of_tic_tac_toe_is_played_through_a_pipe() {
    let said = talk(&[&TWO[..], &["--names", "Ada,Bob"]].concat(), "5\n1\n3\n7\n4\n6\n2\n8\n9\n");
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{}", said.out);
    assert!(said.out.contains("The game is over."), "{}", said.out);
    assert!(said.out.contains("A draw."), "{}", said.out);
    assert!(said.out.contains("Ada> 5") && said.out.contains("Bob> 1"), "{}", said.out);
    assert!(!said.out.contains('\x1b'), "no colours in a pipe");
    assert!(!said.out.contains('@'), "seats have names");
}

#[test]
fn the_winner_comes_first() {
    let said = talk(&[&TWO[..], &["--names", "Ada,Bob"]].concat(), "1\n4\n2\n5\n9\n6\n");
    let ranking: Vec<&str> =
        said.out.lines().skip_while(|line| *line != "The game is over.").skip(1).collect();
    assert!(ranking[0].contains("1.  Bob") && ranking[1].contains("2.  Ada"), "{}", said.out);
}

#[test]
fn input_that_ends_early_ends_the_game_with_a_message_and_a_code() {
    let said = talk(&TWO, "5\n");
    assert_eq!(said.code, 3);
    assert_eq!(said.err, "error: the input ended before the game did\n");
    let said = talk(&["play"], "");
    assert_eq!(said.code, 3);
    assert_eq!(said.err, "error: the input ended before a game was picked\n");
}

#[test]
fn a_game_is_picked_by_number_or_name_and_mistakes_are_forgiven() {
    let said = talk(&["play", "--seats", "human,human"], "99\nkuhm\nKuhn Poker\nquit\n");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("there is no game `99`"), "{}", said.out);
    assert!(said.out.contains("did you mean `kuhn`?"), "{}", said.out);
    assert!(said.out.contains("Player 1 is to choose."), "{}", said.out);
    let said = talk(&["play"], "");
    let listed = said.out.lines().find(|line| line.contains("  Tic-tac-toe  2 seats")).unwrap();
    let number = listed.split_whitespace().next().unwrap();
    let said = talk(&["play", "--seats", "human,human"], &format!("{number}\nquit\n"));
    assert!(said.out.contains("\nTic-tac-toe  seed "), "{}", said.out);
}

#[test]
fn refusals_say_why_and_change_nothing() {
    let said = talk(&TWO, "5\n5\nnonsense\n55\nquit\n");
    assert_eq!(said.code, 0);
    assert!(said.out.contains("not possible: this square is taken"), "{}", said.out);
    assert!(said.out.contains("nothing in the list fits `nonsense`"), "{}", said.out);
    assert!(said.out.contains("nothing in the list fits `55`"), "{}", said.out);
    assert_eq!(said.out.matches("Player 2> ").count(), 4, "{}", said.out);
}

#[test]
fn commands_help_and_undo_goes_back_to_the_own_last_decision() {
    let said = talk(&TWO, "undo\nhelp\nrules\nlog\ntable\nlist\n5\n1\nundo\n9\nlog\nquit\n");
    assert_eq!(said.code, 0);
    assert!(said.out.contains("this is your first decision"), "{}", said.out);
    assert!(said.out.contains("Back to your last decision."), "{}", said.out);
    let log: Vec<&str> = said.out.lines().skip_while(|line| *line != "Player 2> log").skip(1).collect();
    assert_eq!(log[0], "· Player 1 takes 9.", "the first 5 and the answer are undone: {}", said.out);
    assert!(log[1].starts_with("Player 2> quit"), "{}", said.out);
}

#[test]
fn a_hint_names_the_winning_square_and_levels_play_to_the_end() {
    let said = talk(&TWO, "1\n4\n2\n5\nhint\n3\n");
    assert_eq!(said.code, 0, "{}", said.err);
    let hint = said.out.lines().skip_while(|line| *line != "Player 1> hint").nth(1);
    assert!(hint.is_some_and(|line| line.starts_with("   3 ") && line.ends_with("100 %")), "{}", said.out);
    for bots in ["recruit,captain", "emperor:50,recruit", "random,emperor:5ms"] {
        let said = run(&["play", "kuhn", "--seats", bots, "--seed", "3"]);
        assert_eq!(said.code, 0, "{}", said.err);
        assert!(said.out.contains("The game is over."), "{}", said.out);
    }
    let said = run(&["play", "kuhn", "--seats", "human,caesar"]);
    assert!(said.code != 0 && said.err.contains("human, random, recruit, captain, emperor"), "{}", said.err);
}

#[test]
fn words_filter_and_enter_takes_what_is_left() {
    let args = ["play", "kuhn", "--seats", "human,human", "--seed", "1"];
    let said = talk(&args, "pay\n\ncall\n");
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    assert!(said.out.contains("Enter takes it."), "{}", said.out);
    assert!(said.out.contains("The game is over."), "{}", said.out);
}

#[test]
fn a_seed_gives_the_same_game_and_nobody_sees_a_hidden_card() {
    let args = ["play", "kuhn", "--seats", "random,captain", "--seed", "7"];
    let (one, two) = (run(&args), run(&args));
    assert_eq!(one.code, 0, "{}", one.err);
    assert_eq!(one.out, two.out);
    for seed in 0..20 {
        let seed = seed.to_string();
        let said = talk(&["play", "kuhn", "--seats", "human,random", "--seed", &seed], "quit\n");
        let cards = ["jack", "queen", "king"].map(|card| usize::from(said.out.contains(card)));
        assert_eq!(cards.iter().sum::<usize>(), 1, "only the own card: {}", said.out);
    }
}

#[test]
fn a_game_is_kept_and_resumed_and_goes_on_as_if_nothing_had_been() {
    let file = folder("resume").join("game.jsonl");
    let seats = ["--seats", "human,random"];
    let start = ["play", "connect-four", "--seed", "11"];
    // Ten columns that are not full yet, whatever the bot does, then as many as it takes.
    let moves = ["a", "b", "c", "d", "e", "f", "g"].repeat(12);
    let whole = folder("resume-whole").join("whole.jsonl");
    let said = talk(&[&start[..], &seats, &["--save", arg(&whole)]].concat(), &(moves.join("\n") + "\n"));
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);

    let first = moves[..3].join("\n") + "\nquit\n";
    let said = talk(&[&start[..], &seats, &["--save", arg(&file)]].concat(), &first);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("--resume") && said.out.contains("--seats human,random"), "{}", said.out);
    assert_eq!(run(&["verify", arg(&file)]).code, 1, "it is not over yet");
    assert_eq!(run(&["verify", "--unfinished", arg(&file)]).code, 0);

    let resume = [&["play", "--resume", arg(&file)], &seats[..]].concat();
    let said = talk(&resume, &(moves[3..].join("\n") + "\n"));
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    assert_eq!(run(&["verify", arg(&file)]).code, 0);
    assert_eq!(fs::read_to_string(&file).unwrap(), fs::read_to_string(&whole).unwrap());
}

#[test]
fn a_resumed_game_keeps_its_options() {
    for option in [["--preset", "standard"], ["--set", "a=1"], ["--options", "a.toml"], ["--seed", "1"]] {
        let said = run(&[&["play", "--resume", "game.jsonl"], &option[..]].concat());
        assert_eq!(said.code, 2, "{option:?}");
        assert!(said.err.contains("cannot be used with"), "{option:?}: {}", said.err);
    }
}

#[test]
fn a_resumed_game_can_be_taken_back() {
    let file = folder("resume-undo").join("game.jsonl");
    let said = talk(&TWO, &format!("5\n1\n9\nsave {}\nquit\n", arg(&file)));
    assert_eq!(said.code, 0, "{}", said.err);
    let said = talk(&["play", "--resume", arg(&file), "--seats", "human,human"], "undo\nlog\nquit\n");
    let log: Vec<&str> = said.out.lines().skip_while(|line| *line != "Player 2> log").skip(1).collect();
    assert_eq!(log[0], "· Player 1 takes 5.", "{}", said.out);
    assert!(log[1].starts_with("Player 2> quit"), "{}", said.out);
}

#[test]
fn nothing_is_half_written() {
    let folder = folder("nothing");
    let missing = folder.join("missing").join("game.jsonl");
    let said = talk(&TWO, &format!("5\nsave {}\nquit\n", arg(&missing)));
    assert_eq!(said.code, 0);
    assert!(said.out.contains("cannot write"), "{}", said.out);
    let said = talk(&[&TWO[..], &["--save", arg(&missing)]].concat(), "5\n");
    assert_eq!(said.code, 2, "{}", said.out);
    assert!(said.err.starts_with("error: cannot write"), "{}", said.err);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn impossible_seats_and_names_are_refused_in_one_line() {
    let cases: &[(&[&str], &str)] = &[
        (&["--seats", "human"], "Tic-tac-toe is for 2 seats, not 1"),
        (&["--seats", "5"], "Tic-tac-toe is for 2 seats, not 5"),
        (&["--seats", "human,humon"], "did you mean `human`?"),
        (&["--names", "A,B,C"], "3 names are given for 2 seats"),
        (&["--names", "A,A"], "two players are called `A`"),
        (&["--names", "A@B"], "cannot be a name"),
        (&["--set", "size=4"], "there is no option `size`; this game has none"),
        (&["--set", "size"], "it takes a name and a value"),
        (&["--options", "/no/such/file"], "cannot read /no/such/file"),
        (&["--resume", "x"], "cannot be used with"),
    ];
    for (args, expected) in cases {
        let said = run(&[&["play", "tic-tac-toe"], *args].concat());
        assert_eq!(said.code, 2, "{args:?}: {}", said.err);
        assert!(said.err.starts_with("error: "), "{args:?}: {}", said.err);
        assert!(said.err.contains(expected), "{args:?}: {}", said.err);
        assert_eq!(said.out, "", "{args:?}");
    }
}
