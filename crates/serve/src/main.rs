//! `pentarchy-serve`: the server alone, for `cargo xtask play`. `pentarchy serve` is the same command in the program
//! with the games.

use clap::Parser;
use pentarchy_serve::ServeArgs;
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "pentarchy-serve", version)]
struct Cli {
    #[command(flatten)]
    args: ServeArgs,
}

/// Parses the arguments and serves without an extension until it is stopped. Prints an error with its hint and exits
/// with 2 if the server cannot start; wrong arguments also exit with 2.
fn main() -> ExitCode {
    match pentarchy_serve::run(&Cli::parse().args, None) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let red = anstyle::AnsiColor::Red.on_default().bold();
            anstream::eprintln!("{red}error{red:#}: {error}");
            if let Some(hint) = error.hint {
                anstream::eprintln!("  hint: {hint}");
            }
            ExitCode::from(2)
        }
    }
}
