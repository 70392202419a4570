//! Scenarios pass and fail as they should, and say why.

use crate::pantry::Pantry;
use pentarchy_testkit::scenario::{self, Scenario, ScenarioReport};

fn run(text: &str) -> ScenarioReport {
    let text = format!("title = \"a test\"\ngame = \"pantry\"\n{text}");
    match Scenario::parse(&text) {
        Ok(scenario) => scenario::run::<Pantry>(&scenario),
        Err(e) => ScenarioReport::failed(e.line, e.message),
    }
}

/// The failures of a scenario; its first two lines are the title and the game.
fn failures(text: &str) -> Vec<String> {
    run(text).failures.iter().map(ToString::to_string).collect()
}

#[track_caller]
fn passes(text: &str) {
    assert_eq!(failures(text), Vec::<String>::new());
}

#[track_caller]
fn fails(text: &str, with: &[&str]) {
    let failures = failures(text);
    assert_eq!(failures.len(), with.len(), "{failures:#?}");
    for (failure, with) in failures.iter().zip(with) {
        assert!(failure.contains(with), "{failure}\nshould contain\n{with}");
    }
}

const HANDS: &str = r#"
[zones]
"hand 0" = ["apple", "knife@all", "fork@0,1"]
"hand 1" = ["2 pear", "fork@none"]
"deck" = ["knife", "..."]
"#;

#[test]
fn a_whole_ruling() {
    passes(&format!(
        r#"
rule = ["E1", "R2"]
text = "Everything that a scenario can say."
options = {{ limit = 4 }}
{HANDS}
[position]
score = [1, 0]
last = "null"

[[step]]
note = "the start"
node = "decide 0"
legal = {{ has = ["draw", "eat apple"], lacks = ["eat pear", "rest*"], count = 7 }}
value = {{ "score" = [1, 0], "score.0" = ">= 1", "score.#" = 2, "last" = "null", "tokens.zones.#" = 5 }}
zone = {{ "hand 0" = ["apple@0", "knife", "fork"], "hand 1" = ["2 pear", "fork"], "deck" = ["knife@none", "..."] }}
holds = {{ "hand 0" = ["fork", "apple", "knife@all"], "wishes" = ["..."] }}
known = {{ "hand 0" = ["0", "all", "0,1"], "hand 1" = ["1", "1", "none"], "deck" = ["none", "..."] }}
over = false

[[step]]
reject = ["eat knife", "eat #12", "show knife"]
[[step]]
reject = "eat knife"
because = "only fruit"
[[step]]
reject = "devour"
because = "something to do"
[[step]]
reject = ["join apple fork", "join knife #12", "join #1 #2"]
because = "these do not go together"
[[step]]
note = "seat 0 knows only one apple"
reject = "join apple apple"
because = "is not a token"

[[step]]
by = 0
do = "draw"
zone = {{ "hand 0" = ["apple", "knife", "fork", "knife@0"] }}
[[step]]
do = ["eat pear", "roll: 2"]
log = ["@1 eats a fine pear.", "@1 scores 2."]
value = {{ "score.1" = 2 }}
[[step]]
do = "eat apple"
node = "roll 6"
[[step]]
reject = "roll: 7"
because = "from 1 to 6"
[[step]]
do = "6"
over = true
node = "over"
outcome = {{ ranks = [1, 2], scores = [7, 2], winners = [0], capped = false }}
"#
    ));
}

#[test]
fn duties_and_revelations_happen_by_themselves_or_by_the_script() {
    let honest = "[[step]]\ndo = \"honest\"\n";
    passes(&format!("{HANDS}{honest}node = \"decide 1\""));
    // Seat 0 shows its knife only if it is hidden: then it is the next text of the script …
    let knife = "[zones]\n\"hand 0\" = [\"knife\"]\n";
    passes(&format!("{knife}{honest}[[step]]\ndo = [\"show knife\", \"draw\"]\nnode = \"decide 0\""));
    // … or it happens by itself, and may be awaited in the same step or the next one.
    passes(&format!("{knife}{honest}log = \"@0 shows a knife\"\nnode = \"decide 1\""));
    passes(&format!("{knife}{honest}node = \"declare 0\"\nlegal = {{ is = [\"show knife\"] }}"));
    passes(&format!(
        "{knife}{honest}[[step]]\nnode = \"declare\"\n[[step]]\nreject = \"rest\"\nbecause = \"denied\"\n\
         [[step]]\ndo = \"draw\"\nnode = \"decide 0\""
    ));
    passes(&format!(
        "auto = false\n{knife}{honest}node = \"declare 0\"\n[[step]]\ndo = \"show knife\"\nover = false"
    ));
    passes(
        "auto = false\n[[step]]\ndo = \"draw\"\nnode = \"reveal back of\"\n[[step]]\ndo = [\"reveal:\", \"reveal: it\"]\nnode = \"decide 1\"",
    );
    passes(&format!(
        "{HANDS}[[step]]\ndo = [\"mix\", \"rearrange: fork apple\"]\nzone = {{ \"hand 0\" = [\"fork\", \"apple\", \"knife@0\"] }}"
    ));
    passes(&format!(
        "{HANDS}[[step]]\ndo = \"mix\"\nzone = {{ \"hand 0\" = [\"apple\", \"knife\", \"fork@0\"] }}"
    ));
}

#[test]
fn nature_answers_where_the_script_is_silent_and_a_seed_is_given() {
    let eat = "[zones]\n\"hand 0\" = [\"apple\"]\n\"hand 1\" = [\"2 apple\"]\n[[step]]\ndo = \"eat apple\"\n";
    passes(&format!("seed = 3\n{eat}node = \"decide 1\"\nvalue = {{ \"score.0\" = \">= 1\" }}"));
    passes(&format!(
        "seed = 3\n{eat}node = \"roll 6\"\n[[step]]\ndo = [\"roll: 5\"]\nvalue = {{ \"score.0\" = 5 }}"
    ));
    passes(&format!("seed = 3\n{eat}[[step]]\nnode = \"roll 6\""));
    passes(&format!("{eat}node = \"roll 6\""));
    fails(
        &format!("{eat}[[step]]\ndo = \"draw\""),
        &["line 9, step 2: `draw` was refused: `roll 6` is awaited: script it"],
    );
    let same = |seed: u64| {
        run(&format!("seed = {seed}\n[[step]]\nvalue = {{ score = [9, 9] }}\nzone = {{ \"deck\" = [] }}"))
    };
    assert_eq!(same(5), same(5));
    assert_ne!(same(5), same(6));
}

#[test]
fn the_opening_is_scripted_or_settled() {
    let deal = "opening = [\"shuffle: apple pear knife fork\"]\n";
    passes(&format!(
        "{deal}[[step]]\nnode = \"decide 0\"\nzone = {{ \"hand 0\" = [\"apple\", \"knife\", \"apple\"] }}"
    ));
    // The first text of the script may be the shuffle itself.
    passes("[[step]]\ndo = \"shuffle: pear\"\nzone = { \"hand 0\" = [\"pear\", \"...\"] }");
    passes("opening = []\n[[step]]\nnode = \"shuffle deck\"");
    passes("seed = 1\nopening = []\n[[step]]\nnode = \"decide 0\"");
    fails(
        "opening = [\"shuffle: plum\"]\n",
        &["line 3: `shuffle: plum` cannot be read: `plum` is not a thing"],
    );
    fails("opening = [\"draw\"]\n", &["line 3: `draw` was refused: `shuffle deck` is awaited: script it"]);
}

#[test]
fn failing_expectations_say_what_was_there() {
    fails(
        &format!("{HANDS}[[step]]\nnode = \"decide 1\""),
        &["line 9, step 1: the node should be `decide 1`, but is `decide 0`"],
    );
    fails(
        "[[step]]\nover = true\noutcome = { ranks = [1, 1] }",
        &[
            "line 5, step 1: there should be an outcome, but the node is `decide 0`",
            "line 4, step 1: the game should be over",
        ],
    );
    fails(
        "[[step]]\ndo = \"stop\"\nover = false\noutcome = { ranks = [2, 1], scores = [1, 0], winners = [1], capped = true }",
        &[
            "ranks should be [2,1], but are [1,1]",
            "scores should be [1,0], but are [0,0]",
            "winners should be [1], but are [0,1]",
            "did not end at its cap",
            "line 5, step 1: the game should not be over, but the node is `over`",
        ],
    );
    fails(
        &format!(
            "{HANDS}[[step]]\nlegal = {{ has = [\"eat pear\"], lacks = [\"eat*\"], is = [\"draw\", \"rest\"], count = 2 }}"
        ),
        &[
            "line 9, step 1: `eat pear` should be legal; legal is: `draw`, `eat apple`",
            "`eat*` should not be legal; legal is: `draw`",
            "the legal list is another: `rest` is missing, `eat apple`, `mix`",
            "there should be 2 legal actions, but there are 7",
        ],
    );
    fails(
        &format!("{HANDS}[[step]]\nlegal = {{ count = {{ \"wish*\" = 3, \"eat apple\" = 1 }} }}"),
        &["there should be 3 legal actions `wish*`, but there are 2"],
    );
    fails(
        "[[step]]\ndo = \"stop\"\nlegal = { has = [\"draw\"] }",
        &["`draw` should be legal; nobody is asked: the node is `over`"],
    );
    fails(
        "[[step]]\nvalue = { \"score\" = [1, 0], \"scores.1\" = 3, \"limit\" = \"< 3\" }",
        &[
            "`limit` should be \"< 3\", but is 10",
            "`score` should be [1,0], but is [0,0]",
            "no value `scores.1`; there is",
        ],
    );
    fails(
        &format!(
            "{HANDS}[[step]]\nzone = {{ \"hand 0\" = [\"apple\"], \"hand 1\" = [\"2 pear@0\", \"...\"] }}\n\
             holds = {{ \"hand 1\" = [\"3 pear\"] }}\nknown = {{ \"hand 0\" = [\"all\", \"...\"] }}"
        ),
        &[
            "line 9, step 1: the hand 0 should hold: apple, but there is: apple | knife | fork",
            "the hand 1 should hold: 2 pear@0 | ..., but there is: pear@1 | pear@1 | fork@none",
            "line 10, step 1: the hand 1 should hold: 3 pear, but there is: pear | pear | fork",
            "line 11, step 1: the hand 0 should be known to: all, but there is: 0 | all | 0,1",
        ],
    );
    fails(
        "[[step]]\nzone = { \"hand 9\" = [] }\nholds = { \"cellar\" = [] }\nknown = { \"hand 0\" = [\"5\"] }",
        &[
            "line 4, step 1: there is no zone `hand 9`; did you mean `hand ",
            "there are: `hand 0`",
            "`5` is not `all`",
        ],
    );
    fails(
        "[[step]]\ndo = \"draw\"\nlog = \"a fine pear\"",
        &["line 5, step 1: the log should say `a fine pear`, but says: nothing"],
    );
}

#[test]
fn failing_scripts_say_what_was_possible() {
    fails(
        &format!(
            "{HANDS}[[step]]\ndo = [\n  \"draw\",\n  \"eat apple\",\n  \"stop\"]\n[[step]]\nover = true"
        ),
        &["line 11, step 1: `eat apple` "],
    );
    fails(
        &format!("{HANDS}[[step]]\ndo = \"eat knife\""),
        &["was refused: only fruit can be eaten; seat 0 may: `draw`, `eat apple`"],
    );
    fails(
        "[[step]]\ndo = \"devour\"",
        &["line 4, step 1: `devour` cannot be read: `devour` is not something to do"],
    );
    fails(
        "[[step]]\nby = 1\ndo = \"draw\"",
        &["line 5, step 1: `draw` should be by seat 1, but seat 0 is asked"],
    );
    fails("[[step]]\ndo = [\"stop\", \"draw\"]", &["`draw` was refused: the game is over"]);
    fails("[[step]]\ndo = \"roll: 4\"", &["`roll: 4` was refused: `decide 0` is awaited; seat 0 may"]);
}

#[test]
fn wrong_refusals_are_found() {
    fails(
        "[[step]]\nreject = \"spoil\"",
        &["line 4, step 1: `spoil` was refused, but it changed the position"],
    );
    fails("[[step]]\nreject = \"draw\"", &["line 4, step 1: `draw` should be refused, but was accepted"]);
    fails(
        "[[step]]\nreject = \"rest\"\nbecause = \"too late\"",
        &["line 5, step 1: `rest` should be refused because `too late`, but: nobody asked"],
    );
    fails(
        "[[step]]\nreject = \"devour\"",
        &["`devour` cannot be read: `devour` is not something to do in the pantry (if"],
    );
}

#[test]
fn files_that_are_no_scenarios_name_the_line() {
    fails("seets = 2", &["line 3: unknown field `seets`"]);
    fails("seats = 2\n[[step]]\nrejects = \"draw\"", &["line 5: unknown field `rejects`"]);
    fails("[[step]]\ndo = 3", &["line 4: invalid type: integer `3`, expected a text or a list of texts"]);
    fails("[[step]]\nnote = \"nothing\"", &["line 3: this step does and expects nothing"]);
    fails("seats = 3", &["line 3: Pantry is for 2 seats, not 3"]);
    fails("options = { limt = 3 }", &["line 3: there is no option `limt`; did you mean `limit`?"]);
    fails("[zones]\n\"hand 0\" = [\n\"apple\",\n\"plum\"]", &["line 6: `plum` is not a thing"]);
    fails("[zones]\n\"hand 0\" = [\"apple@7\"]", &["line 4: `7` is not `all`, `none` or a list of seats"]);
    fails("[zones]\n\"hand 0\" = [\"...\", \"apple\"]", &["line 4: `...` must be the last entry"]);
    fails(
        "[zones]\n\"deck\" = []\n\"hand 1\" = [\"3 knife\"]",
        &["line 5: there is no `knife` left for the hand 1: the game has 2, and all are listed"],
    );
    fails(
        "[zones]\n\"hand 1\" = [\"yes\"]",
        &["line 4: there is no `yes` for the hand 1: no token of this game has that face"],
    );
    fails("rest = \"cellar\"\n[zones]\n\"hand 1\" = []", &["line 3: there is no zone `cellar`"]);
    fails("rest = \"hand 1\"\n[zones]\n\"hand 1\" = []", &["the hand 1 cannot take the rest"]);
    fails("[position]\nscores = [1, 2]", &["line 3: there is no `scores` in the position"]);
    fails("[position]\nscore = \"many\"", &["line 3: invalid type"]);
    let other = Scenario::parse("title = \"x\"\ngame = \"larder\"").unwrap();
    assert!(scenario::run::<Pantry>(&other).failures[0].to_string().contains("of larder, not of pantry"));
}
