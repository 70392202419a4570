//! Plays whole games with the boards: every legal action must be within reach of clicks, and every text readable.

mod faults;
mod flow;
mod guided;
mod merits;
mod minutes;
mod plain;
mod prompts;
mod reach;
mod scan;
mod sticks;
mod template;
mod texts;
