//! `pentarchy engine`: the games for programs in other languages, one JSON object a line.
//!
//! As UCI is for chess. A request is one line on standard input, its answer one line on standard output; an
//! error is an answer, never an exit. docs/engine-protocol.md explains every command.

mod answer;
mod request;
mod session;
mod table;

use crate::command_error::{CommandError, Outcome};
use session::ProtocolSession;
use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;

/// Maximum length of a request, in bytes.
const LONGEST_LINE: u64 = 1 << 22;

/// Serve the games to another program: JSON requests on standard input, JSON answers on standard output
///
/// As UCI is for chess: one object a line, one answer for each request, an error is an answer and never an
/// exit. The end of the input, or `quit`, ends it. docs/engine-protocol.md explains every command.
#[derive(clap::Args)]
#[command(after_long_help = "\
Example:
  $ pentarchy engine
  {\"cmd\": \"new\", \"game\": \"kuhn\", \"seed\": 7}
  {\"cmd\": \"legal\"}
  {\"cmd\": \"play\", \"action\": \"bet\"}
  {\"cmd\": \"help\"}
  {\"cmd\": \"quit\"}")]
pub(crate) struct Args {}

/// Runs `pentarchy engine`: answers requests on standard input until it ends or `quit` comes. Returns exit
/// code 0, also if the output is closed, and 2 if the input cannot be read. Bad requests do not affect it.
pub(crate) fn run(_args: &Args) -> ExitCode {
    match serve(&mut io::stdin().lock(), &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Reads requests, one per line, and writes one response per request, until the input ends or `quit` comes. Blank lines
/// are skipped; a bad request gets an error as its response. Each response is flushed before the next request is read.
///
/// # Errors
///
/// Fails if the input cannot be read or the output is closed.
fn serve(input: &mut impl BufRead, output: &mut impl Write) -> Outcome {
    let mut session = ProtocolSession::default();
    while let Some(line) = next_line(input)? {
        let answer = match line {
            Ok(line) if line.trim().is_empty() => continue,
            Ok(line) => session.answer(&line),
            Err(wrong) => answer::refused(None, answer::RequestError::request(wrong)),
        };
        serde_json::to_writer(&mut *output, &answer).map_err(io::Error::from)?;
        output.write_all(b"\n")?;
        output.flush()?;
        if session.is_over() {
            break;
        }
    }
    Ok(())
}

/// Reads the next line, with its line break; a last line without one counts. Returns `None` at the end of the input,
/// `Some(Ok)` with the line, or `Some(Err)` with an error text for a line of [`LONGEST_LINE`] bytes or more before its
/// line break ("the line is too long") or one that is not UTF-8 ("the line is not UTF-8"). Such a line is skipped, so
/// that the next call reads the one after it.
///
/// # Errors
///
/// Fails if the input cannot be read.
fn next_line(input: &mut impl BufRead) -> Result<Option<Result<String, &'static str>>, CommandError> {
    let mut bytes = Vec::new();
    input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        return Ok(Some(Err("the line is too long")));
    }
    Ok(Some(String::from_utf8(bytes).map_err(|_| "the line is not UTF-8")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    /// Serves an input to its end and returns the responses in order. Panics if serving fails.
    fn answers(input: &[u8]) -> Vec<Value> {
        let mut output = Vec::new();
        serve(&mut io::BufReader::new(input), &mut output).unwrap();
        String::from_utf8(output).unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect()
    }

    #[test]
    fn whatever_comes_in_is_answered_and_the_next_line_too() {
        let mut input =
            b"{\n\nnull\n[1, 2]\n\xff\xfe\n{\"id\": 4}\n{\"cmd\": \"dance\", \"id\": 5}\n".to_vec();
        input.extend(vec![b'['; LONGEST_LINE as usize + 10]);
        input.extend(b"\n{\"cmd\": \"play\", \"action\": 3}\n{\"cmd\": \"play\", \"move\": \"5\"}\n");
        input.extend("[".repeat(5_000).as_bytes());
        input.extend(b"\n{\"id\": {\"a\": [1]}, \"cmd\": \"help\"}"); // No newline: the last line counts.
        let all = answers(&input);
        let error = |i: usize| all[i]["error"].as_str().unwrap().to_string();
        assert_eq!(all.len(), 11);
        assert!(error(0).contains("not JSON"), "{}", error(0));
        assert!(error(1).contains("an object") && error(2).contains("an object"));
        assert!(error(3).contains("UTF-8"));
        assert!(error(4).contains("cmd") && all[4]["id"] == 4);
        assert!(error(5).contains("unknown variant `dance`") && all[5]["id"] == 5);
        assert!(error(6).contains("too long"));
        assert!(error(7).contains("expected a string"), "{}", error(7));
        assert!(error(8).contains("unknown field `move`"), "{}", error(8));
        assert!(error(9).contains("not JSON"));
        assert!(all[10]["commands"].is_array() && all[10]["id"]["a"][0] == 1);
    }

    #[test]
    fn quit_ends_it_though_more_comes() {
        let all = answers(b"{\"cmd\": \"quit\", \"id\": 1}\n{\"cmd\": \"help\"}\n");
        assert_eq!(all, [serde_json::json!({ "id": 1, "bye": true })]);
    }
}
