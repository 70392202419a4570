//! `cargo xtask bench`: run the benchmarks and print one table.
//!
//! Every package with games has a bench target `playouts` (`harness = false`) that prints a line of
//! JSON for each game, see [`Figure`]; the bots have `searches`. Other lines are shown as they are.

use std::process::ExitCode;

use serde::Deserialize;

use crate::{
    peers,
    table::{Table, quantity},
    task_error::{Result, TaskError},
    tools::{self, Stream},
    workspace::Workspace,
};

/// The bench targets that are run.
const TARGETS: [&str; 2] = ["playouts", "searches"];

/// Run the benchmarks and print one table: playouts, decisions and iterations of the search per CPU second on
/// one thread.
///
/// A figure is the median of several runs; the range is from the slowest to the fastest of them.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only benchmarks whose names contain this, e.g. `connect-four`
    filter: Option<String>,

    /// Also measure OpenSpiel on the same games (installs it with pip into target/), ours beside theirs
    #[arg(long)]
    peers: bool,

    /// Fail if a figure is below its target
    #[arg(long)]
    strict: bool,
}

/// The result of a benchmark, as a bench target prints it: one JSON object per line.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub(crate) struct Figure {
    /// What was measured: `playout GAME`, `search GAME`.
    pub(crate) bench: String,
    /// Number per CPU second, the median of the runs.
    pub(crate) per_second: f64,
    /// The slowest run.
    pub(crate) low: f64,
    /// The fastest run.
    pub(crate) high: f64,
    /// Decisions per CPU second.
    #[serde(default)]
    pub(crate) decisions_per_second: Option<f64>,
    /// Minimum for `per_second`.
    #[serde(default)]
    pub(crate) target: Option<f64>,
    /// Minimum for `decisions_per_second`, where that is the target.
    #[serde(default)]
    pub(crate) decisions_target: Option<f64>,
}

impl Figure {
    /// Parses a line of a benchmark's output as a figure; `None` if it does not begin with `{` or is not a figure in
    /// JSON.
    pub(crate) fn read(line: &str) -> Option<Self> {
        line.starts_with('{').then(|| serde_json::from_str(line).ok()).flatten()
    }

    /// Returns the name of the game whose playouts were measured, or the whole name of another measurement.
    fn game(&self) -> &str {
        self.bench.strip_prefix("playout ").unwrap_or(&self.bench)
    }

    /// Returns whether the figure reaches all its targets; `true` if it has none. A figure equal to its target reaches
    /// it. A target of decisions is missed if they were not measured.
    fn meets_target(&self) -> bool {
        self.target.is_none_or(|target| self.per_second >= target)
            && self.decisions_target.is_none_or(|target| self.decisions_per_second >= Some(target))
    }

    /// Formats the target for the table, e.g. `90.0 k` or, if there is none per second, `1.20 M decisions`; `None` if
    /// there is none.
    fn goal(&self) -> Option<String> {
        let decisions = self.decisions_target.map(|target| format!("{} decisions", quantity(target)));
        self.target.map(quantity).or(decisions)
    }
}

/// Runs the benchmarks whose names contain the filter, or all, with `--peers` also those of OpenSpiel, and prints the
/// table. Builds and runs the bench targets of all packages of the workspace one after the other; other lines of their
/// output are passed on.
///
/// # Errors
///
/// Fails if a benchmark or the peer fails, if nothing is to be measured or, with `--strict`, if a result is below its
/// target.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    let metadata = workspace.metadata()?;
    // First, so that a missing Python is reported before minutes of benchmarks.
    let peer = args.peers.then(|| peers::prepare(workspace, &metadata.target_directory)).transpose()?;
    let mut ours = Vec::new();
    let own = metadata.packages.iter().filter(|package| package.source.is_none());
    let benches = own.flat_map(|package| TARGETS.map(|target| (package, target)));
    for (package, target) in benches.filter(|(package, target)| package.has_bench(target)) {
        let mut cargo = tools::cargo(workspace);
        cargo.args(["bench", "-p", &package.name, "--bench", target]);
        if let Some(filter) = &args.filter {
            cargo.args(["--", filter]);
        }
        let status = tools::listen(&mut cargo, Stream::Out, |line| {
            let figure = Figure::read(line);
            let shown = figure.is_none();
            ours.extend(figure);
            shown
        })?;
        if !status.success() {
            return Err(TaskError::new(format!("`{}` failed ({status})", tools::typed(&cargo))));
        }
    }
    if let Some(filter) = &args.filter {
        ours.retain(|figure| figure.bench.contains(filter.as_str()));
    }
    if ours.is_empty() {
        return Err(TaskError::new(format!(
            "there is nothing to measure: no bench target `{}` printed a figure",
            TARGETS.join("` or `")
        )));
    }
    let theirs = peer.as_ref().map(peers::Peer::measure).transpose()?;
    println!(
        "\nRandom playouts, and iterations of the search, on one thread, per CPU second; median of several runs.\n"
    );
    print!("{}", render(&ours, theirs.as_deref()));
    if args.peers {
        println!("\n{}", peers::NOTE);
    }
    let below = ours.iter().filter(|figure| !figure.meets_target()).count();
    if args.strict && below > 0 {
        return Err(TaskError::new(format!("figures below their targets: {below}")));
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the table of the results `ours` in their order, with `met` or `BELOW` if there is a target, with those of
/// `theirs` (the peer) for the same benchmarks beside them if given. A row without a counterpart at the peer ends
/// before its columns.
fn render(ours: &[Figure], theirs: Option<&[Figure]>) -> Table {
    let mut headings = vec!["game", ">a second", ">range", ">decisions/s", ">target", ""];
    if theirs.is_some() {
        headings.extend([">OpenSpiel", ">range", ">ours/theirs"]);
    }
    let range = |figure: &Figure| format!("{} – {}", quantity(figure.low), quantity(figure.high));
    let mut table = Table::new(&headings);
    for figure in ours {
        let goal = figure.goal();
        let verdict = match goal {
            None => "",
            Some(_) if figure.meets_target() => "met",
            Some(_) => "BELOW",
        };
        let mut row = vec![
            figure.game().to_owned(),
            quantity(figure.per_second),
            range(figure),
            figure.decisions_per_second.map(quantity).unwrap_or_default(),
            goal.unwrap_or_default(),
            verdict.to_owned(),
        ];
        if let Some(their) = theirs.and_then(|all| all.iter().find(|their| their.bench == figure.bench)) {
            let times = figure.per_second / their.per_second;
            row.extend([quantity(their.per_second), range(their), format!("{times:.1} ×")]);
        }
        table.row(row);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"bench":"playout connect-four","per_second":2600000,"low":2.5e6,"high":2700000.0,"decisions_per_second":55e6,"target":2500000}"#;

    #[test]
    fn figures_are_read() {
        let figure = Figure::read(LINE).unwrap();
        assert_eq!((figure.game(), figure.per_second, figure.low), ("connect-four", 2.6e6, 2.5e6));
        assert!(figure.meets_target());
        let bare = Figure::read(r#"{"bench":"clone hestia","per_second":1,"low":1,"high":1}"#).unwrap();
        assert_eq!((bare.game(), bare.target), ("clone hestia", None));
        assert_eq!(Figure::read("warming up"), None);
    }

    #[test]
    fn the_table_says_which_targets_are_met() {
        let met = Figure::read(LINE).unwrap();
        let below = Figure { bench: "playout kuhn".to_owned(), target: Some(3e6), ..met };
        let expected = "\
game          a second            range  decisions/s  target
------------  --------  ---------------  -----------  ------  -----
connect-four    2.60 M  2.50 M – 2.70 M       55.0 M  2.50 M  met
kuhn            2.60 M  2.50 M – 2.70 M       55.0 M  3.00 M  BELOW
";
        assert_eq!(render(&[met, below], None).to_string(), expected);
    }

    #[test]
    fn peers_stand_beside_ours() {
        let ours = Figure::read(LINE).unwrap();
        let theirs = Figure { per_second: 1.3e5, low: 1.2e5, high: 1.4e5, ..ours.clone() };
        let other = Figure { bench: "playout hegemony".to_owned(), ..ours };
        let text = render(&[ours, other], Some(&[theirs])).to_string();
        assert!(text.contains("130 k  120 k – 140 k       20.0 ×"), "{text}");
    }
}
