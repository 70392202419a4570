//! Parts of runs join to the files of a single run; what does not make a whole is rejected in one line.

use crate::common::{arg, folder, run};
use std::fs;
use std::path::{Path, PathBuf};

/// A small tuning run.
const TUNE: &[&str] = &[
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
];

/// Plays all parts of the run of these arguments, one after the other, and returns their files in `home`, in order.
/// Asserts that each succeeds without output.
fn parts(home: &Path, words: &[&str], parts: u32) -> Vec<PathBuf> {
    let play = |part: u32| {
        let path = home.join(format!("{}-{part}.bin", words[0]));
        let which = format!("{part}/{parts}");
        let said = run(&[words, &["--part", &which, "--out", arg(&path)]].concat());
        assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (0, "", ""));
        path
    };
    (1..=parts).map(play).collect()
}

/// Joins parts of a run of this command into the file `out` and returns its content. Asserts that it succeeds.
fn joined(command: &str, files: &[PathBuf], out: &Path) -> Vec<u8> {
    let files: Vec<&str> = files.iter().map(|file| arg(file)).collect();
    let said = run(&[&[command, "--join"], &files[..], &["--out", arg(out)]].concat());
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{}", said.out);
    fs::read(out).unwrap()
}

#[test]
fn parts_join_to_the_file_of_a_single_run() {
    let home = folder("parts");
    let runs: [&[&str]; 5] = [
        &["lab", "leduc", "--games", "230", "--restrict", "--rivals", "random,captain"],
        &["lab", "hestia", "--games", "60", "--restrict", "--restrict-games", "12", "--rivals", "none"],
        &["arena", "leduc", "--bots", "captain,random", "--games", "350", "--interval", "20"],
        &["sim", "leduc", "--bots", "captain,random", "--games", "333"],
        TUNE,
    ];
    for words in runs {
        let (whole, out) = (home.join("whole"), home.join("joined"));
        let said = run(&[words, &["--threads", "2", "--out", arg(&whole)]].concat());
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{}", said.out);
        let whole = fs::read(&whole).unwrap();
        for number in [1, 3] {
            let mut files = parts(&home, words, number);
            files.reverse();
            assert!(joined(words[0], &files, &out) == whole, "{words:?} in {number} parts");
        }
    }
}

#[test]
fn what_is_not_one_whole_run_is_rejected_and_nothing_is_written() {
    let home = folder("bad-parts");
    let words = ["sim", "kuhn", "--games", "40"];
    let files = parts(&home, &words, 3);
    let other = home.join("other.bin");
    let said = run(&["sim", "kuhn", "--games", "40", "--seed", "2", "--part", "2/3", "--out", arg(&other)]);
    assert_eq!(said.code, 0, "{}", said.err);
    let damaged = home.join("damaged.bin");
    let mut bytes = fs::read(&files[1]).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&damaged, bytes).unwrap();
    let text = home.join("text.bin");
    fs::write(&text, "no part").unwrap();
    let out = home.join("out.json");
    let [one, two, three] = [&files[0], &files[1], &files[2]].map(|file| arg(file));
    let cases: [(&[&str], &str); 10] = [
        (&["sim", "--join", one, three, "--out", arg(&out)], "of 3 parts, one is missing: 2"),
        (&["sim", "--join", one, two, two, three, "--out", arg(&out)], "part 2 is there twice"),
        (&["sim", "--join", one, arg(&other), three, "--out", arg(&out)], "different runs: the seed differs"),
        (
            &["sim", "--join", one, arg(&damaged), three, "--out", arg(&out)],
            "is damaged: its checksum is wrong",
        ),
        (&["sim", "--join", arg(&text), "--out", arg(&out)], "is no part of a run"),
        (&["sim", "--join", "nowhere.bin", "--out", arg(&out)], "cannot read nowhere.bin"),
        (&["lab", "--join", one, two, three, "--out", arg(&out)], "is a part of `sim`, not of `lab`"),
        (&["sim", "kuhn", "--part", "4/3", "--out", arg(&out)], "there is no part 4 of 3"),
        (&["sim", "kuhn", "--part", "1/3"], "--out"),
        (
            &["lab", "kuhn", "--restrict", "--out", arg(&out)],
            "kuhn names no cards or actions that can be denied",
        ),
    ];
    let before = fs::read_dir(&home).unwrap().count();
    for (args, message) in cases {
        let said = run(args);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{args:?}");
        assert!(said.err.contains(message), "{args:?}: {}", said.err);
        assert_eq!(fs::read_dir(&home).unwrap().count(), before, "{args:?}");
    }
}

#[test]
fn parts_of_tuning_take_the_search_from_its_journal() {
    let home = folder("tune-parts");
    let (search, preset, out) = (home.join("search"), home.join("preset.toml"), home.join("page.html"));
    let single = home.join("single.toml");
    let said = run(&[TUNE, &["--preset-out", arg(&single)]].concat());
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{}", said.out);
    let said = run(&[TUNE, &["--search-only", "--resume", arg(&search)]].concat());
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (0, "", ""));
    let searched = fs::read(&search).unwrap();
    let words = [TUNE, &["--resume", arg(&search)]].concat();
    let files = parts(&home, &words, 2);
    assert_eq!(fs::read(&search).unwrap(), searched);
    let [one, two] = [&files[0], &files[1]].map(|file| arg(file));
    let join = ["tune", "--join", one, two, "--preset-out", arg(&preset), "--out", arg(&out), "--json"];
    assert_eq!(run(&join).code, 0, "{}", run(&join).err);
    assert_eq!(fs::read(&preset).unwrap(), fs::read(&single).unwrap());

    let bots = ["tune", "bot:hestia", "--budget", "60", "--confirm", "40"];
    let fitted = home.join("weights");
    let files = parts(&folder("tune-bot-parts"), &bots, 3);
    let names: Vec<&str> = files.iter().map(|file| arg(file)).collect();
    let said = run(&[&["tune", "--weights-out", arg(&fitted), "--join"], &names[..]].concat());
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    assert_eq!(said.out, run(&bots).out);
    assert!(fs::read_to_string(&fitted).unwrap().contains("card_value = "));

    let cases: [(&[&str], &str); 6] = [
        (&["--join", one, "--out", arg(&out)], "of 2 parts"),
        (&["--join", one, names[1]], "different runs: the number of games differs"),
        (&["--join", names[0], names[1], names[2], "--preset-out", arg(&preset)], "not for bots"),
        (&["hestia", "--join", one], "cannot be used with"),
        (&["bot:hestia", "--search-only"], "--resume"),
        (&["bot:hestia", "--part", "1/2"], "--out"),
    ];
    for (args, message) in cases {
        let said = run(&[&["tune"], args].concat());
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{args:?}");
        assert!(said.err.contains(message), "{args:?}: {}", said.err);
    }
}
