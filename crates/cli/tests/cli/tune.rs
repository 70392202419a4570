//! `pentarchy tune`, matches with `--sprt`, and preset files.

use crate::common::{arg, folder, run};
use serde_json::Value;

/// Runs the program with these arguments and returns the JSON that it prints. Asserts that it succeeds.
fn json(args: &[&str]) -> Value {
    let said = run(args);
    assert_eq!(said.code, 0, "{}", said.err);
    serde_json::from_str(&said.out).unwrap()
}

#[test]
fn a_match_ends_by_its_test_and_resumes() {
    let home = folder("sprt");
    let journal = home.join("match");
    let base = ["arena", "connect-four", "--bots", "captain,random", "--sprt", "0.50,0.60", "--json"];
    let whole = json(&base);
    assert_eq!(whole["match"]["sprt"]["verdict"], "high");
    assert!(whole["games"].as_u64().unwrap() < 200);
    let resume = [&base[..], &["--resume", arg(&journal)]].concat();
    let first = json(&[&resume[..], &["--games", "4"]].concat());
    assert_eq!((&first["match"]["sprt"]["verdict"], &first["games"]), (&"open".into(), &4.into()));
    let rest = json(&resume);
    assert_eq!(rest["match"], whole["match"]);
    assert_eq!(json(&resume)["match"], whole["match"]);
}

#[test]
fn a_tuned_preset_is_read_by_other_commands_and_a_run_resumes() {
    let home = folder("tune");
    let (page, preset, journal) = (home.join("page.html"), home.join("short.toml"), home.join("journal"));
    let base = [
        "tune",
        "hestia",
        "--goal",
        "minutes=0..1",
        "--vary",
        "first_hand=5..7",
        "--bots",
        "captain",
        "--budget",
        "120",
        "--confirm",
        "20",
        "--json",
        "--resume",
        arg(&journal),
        "--out",
        arg(&page),
        "--preset-out",
        arg(&preset),
    ];
    let mut first = json(&base);
    let mut again = json(&base);
    for data in [&mut first, &mut again] {
        data["seconds"] = Value::Null;
    }
    assert_eq!(first, again);
    assert!(std::fs::read_to_string(&page).unwrap().contains("Trade-offs"));
    let text = std::fs::read_to_string(&preset).unwrap();
    assert!(text.contains("game = \"hestia\"") && text.contains("[options]"), "{text}");
    let sim = ["sim", "hestia", "--games", "2", "--bots", "captain", "--preset", arg(&preset)];
    assert_eq!(run(&sim).code, 0, "{}", run(&sim).err);
    let other = run(&["sim", "vires", "--games", "2", "--preset", arg(&preset)]);
    assert!(other.code == 2 && other.err.contains("it is a preset of hestia, not of vires"), "{}", other.err);
    std::fs::write(&preset, "game = \"hestia\"\n[options]\nfirst_hnd = 5\n").unwrap();
    assert!(run(&sim).err.contains("did you mean `first_hand`?"), "{}", run(&sim).err);
    std::fs::write(&preset, "[options]\n").unwrap();
    assert!(run(&sim).err.contains("it is no preset: missing field `game`"), "{}", run(&sim).err);
    let mut damaged = std::fs::read(&journal).unwrap();
    damaged[40] ^= 1;
    std::fs::write(&journal, &damaged).unwrap();
    let refused = run(&base);
    assert!(refused.code == 2 && refused.err.contains("line 1 is damaged"), "{}", refused.err);
    assert_eq!(std::fs::read(&journal).unwrap(), damaged);
}

#[test]
fn bad_arguments_get_one_line_and_leave_no_file() {
    let home = folder("tune-bad");
    let page = home.join("page.html");
    let vary = ["--vary", "first_hand=5..7"];
    let goal = ["--goal", "seats=fair"];
    let cases: [(&[&[&str]], &str); 12] = [
        (&[&["hestia"], &vary], "there is no goal"),
        (&[&["hestia"], &goal], "nothing is varied"),
        (&[&["hestia", "--goal", "sets=fair"], &vary], "there is no goal `sets`"),
        (&[&["hestia", "--goal", "minutes=9..3"], &vary], "the range of the goal `minutes=9..3` is empty"),
        (&[&["hestia", "--goal", "minutes=1..3", "--goal", "minutes=5..9"], &vary], "contradict each other"),
        (&[&["hestia", "--vary", "first_hand=9..5"], &goal], "the range of `first_hand=9..5` is empty"),
        (&[&["hestia", "--vary", "frist_hand=5..9"], &goal], "there is no option `frist_hand`"),
        (&[&["hestia", "--vary", "first_hand=1..99"], &goal], "cannot be `16`"),
        (&[&["hestia", "--vary", "first_hand"], &goal], "has no range"),
        (&[&["hestia"], &goal, &vary, &vary], "`first_hand` is varied twice"),
        (&[&["hestai"], &goal, &vary], "hestai"),
        (&[&["bot:kuhn"]], "the bots of kuhn have no weights"),
    ];
    for (args, expected) in cases {
        let out: &[&str] = if args[0][0].starts_with("bot:") { &[] } else { &["--out", arg(&page)] };
        let said = run(&[&["tune"], &args.concat()[..], out].concat());
        assert!(said.code == 2 && said.err.contains(expected), "{args:?}: {}", said.err);
        assert!(std::fs::read_dir(&home).unwrap().next().is_none(), "{args:?} left a file");
    }
    for (args, expected) in [
        (["arena", "hestia", "--bots", "emperor:0.1s,captain", "--sprt", "0.5,0.6"], "wall-clock time"),
        (["arena", "hestia", "--bots", "captain,random", "--sprt", "0.6,0.5"], "must rise"),
        (["arena", "hestia", "--bots", "captain,random", "--sprt", "0.6"], "two scores"),
    ] {
        let said = run(&args);
        assert!(said.code == 2 && said.err.contains(expected), "{args:?}: {}", said.err);
    }
}
