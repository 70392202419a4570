//! Input and output of the terminal.

use crate::command_error::Outcome;
use crate::style::{KEY, paint};
use std::io::{self, BufRead, IsTerminal, Write};

/// Reads lines and prints text.
pub(super) struct Ui {
    /// Where lines are read from.
    input: Box<dyn BufRead>,
    /// Where text is printed.
    out: Box<dyn Write>,
    /// Whether input and output are terminals.
    live: bool,
}

impl Ui {
    /// Creates the interface on standard input and output, live if both are terminals. It holds the lock of
    /// standard input until it is dropped.
    pub(super) fn terminal() -> Self {
        let live = io::stdin().is_terminal() && io::stdout().is_terminal();
        Ui { input: Box::new(io::stdin().lock()), out: Box::new(anstream::stdout()), live }
    }

    /// Returns whether input and output are terminals, not pipes or files.
    pub(super) fn is_live(&self) -> bool {
        self.live
    }

    /// Prints a text, which may contain colours, without a line break; the output may be buffered. Colours are left out
    /// where the output does not support them.
    ///
    /// # Errors
    ///
    /// Fails if the output is closed.
    pub(super) fn text(&mut self, text: &str) -> Outcome {
        self.out.write_all(text.as_bytes())?;
        Ok(())
    }

    /// Prints a text, which may contain colours, and a line break; the output may be buffered. Colours are left out
    /// where the output does not support them.
    ///
    /// # Errors
    ///
    /// Fails if the output is closed.
    pub(super) fn line(&mut self, text: &str) -> Outcome {
        self.text(&format!("{text}\n"))
    }

    /// Prints a prompt and reads a line, without control characters and surrounding spaces; `None` if the input has
    /// ended. If input or output is no terminal, prints the line again, for a readable transcript. Invalid UTF-8 is
    /// replaced. A last line without a line break counts.
    ///
    /// # Errors
    ///
    /// Fails if the output is closed or the input cannot be read.
    pub(super) fn read_line(&mut self, prompt: &str) -> Outcome<Option<String>> {
        self.text(&paint(KEY, format_args!("{prompt}> ")))?;
        self.out.flush()?;
        let mut line = Vec::new();
        if self.input.read_until(b'\n', &mut line)? == 0 {
            self.line("")?;
            return Ok(None);
        }
        // Invalid bytes and control characters only make the line unknown; they do not end the match.
        let line: String = String::from_utf8_lossy(&line).chars().filter(|c| !c.is_control()).collect();
        let line = line.trim().to_string();
        if !self.live {
            // A terminal echoes what is typed; for a script, the echo makes the transcript readable.
            self.line(&line)?;
        }
        Ok(Some(line))
    }

    /// Clears the screen and its scroll buffer; no effect if input or output is no terminal.
    ///
    /// # Errors
    ///
    /// Fails if the output is closed.
    pub(super) fn wipe(&mut self) -> Outcome {
        if self.live {
            self.text("\x1b[2J\x1b[3J\x1b[H")?;
        }
        Ok(())
    }
}
