//! The functions that node calls.

mod play;

use std::cell::RefCell;

thread_local! {
    /// The last answer, which node reads from the memory of the module.
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Plays a seeded match of every game of the registry and returns a pointer to the UTF-8 text of their
/// digests, or of the error if a game cannot be played. The text has a line for each position, with the name
/// of the game and the digest. It is valid until the next call; [`answer_len`] is its length.
#[unsafe(no_mangle)]
pub extern "C" fn digests() -> *const u8 {
    ANSWER.with_borrow_mut(|answer| {
        *answer = play::all().unwrap_or_else(|trouble| trouble).into_bytes();
        answer.as_ptr()
    })
}

/// Returns the length of the last answer in bytes; 0 before the first.
#[unsafe(no_mangle)]
pub extern "C" fn answer_len() -> usize {
    ANSWER.with_borrow(Vec::len)
}
