//! The two ends of the terminal: lines in, text out.

use crate::failure::Outcome;
use crate::style::{KEY, paint};
use std::io::{self, BufRead, IsTerminal, Write};

/// Where lines come from and text goes.
pub(super) struct Ui {
    input: Box<dyn BufRead>,
    out: Box<dyn Write>,
    /// Whether people sit at both ends.
    live: bool,
}

impl Ui {
    /// The terminal or the pipe that this program has.
    pub(super) fn terminal() -> Self {
        let live = io::stdin().is_terminal() && io::stdout().is_terminal();
        Ui { input: Box::new(io::stdin().lock()), out: Box::new(anstream::stdout()), live }
    }

    /// Whether people sit at both ends, rather than programs or files.
    pub(super) fn is_live(&self) -> bool {
        self.live
    }

    /// Prints text that ends its own lines.
    pub(super) fn text(&mut self, text: &str) -> Outcome {
        self.out.write_all(text.as_bytes())?;
        Ok(())
    }

    /// Prints a line.
    pub(super) fn line(&mut self, text: &str) -> Outcome {
        self.text(&format!("{text}\n"))
    }

    /// Asks for a line; nothing if the input has ended.
    pub(super) fn ask(&mut self, prompt: &str) -> Outcome<Option<String>> {
        self.text(&paint(KEY, format_args!("{prompt}> ")))?;
        self.out.flush()?;
        let mut line = Vec::new();
        if self.input.read_until(b'\n', &mut line)? == 0 {
            self.line("")?;
            return Ok(None);
        }
        // A stray byte or key that is no text only makes the line unknown; it is no reason to break off.
        let line: String = String::from_utf8_lossy(&line).chars().filter(|c| !c.is_control()).collect();
        let line = line.trim().to_string();
        if !self.live {
            // What a person types is on the screen already; a script's lines make the transcript readable.
            self.line(&line)?;
        }
        Ok(Some(line))
    }

    /// Takes everything off the screen, what has scrolled away included.
    pub(super) fn wipe(&mut self) -> Outcome {
        if self.live {
            self.text("\x1b[2J\x1b[3J\x1b[H")?;
        }
        Ok(())
    }
}
