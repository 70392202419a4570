//! The functions that node calls.

mod play;

use std::cell::RefCell;

thread_local! {
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Plays all games; returns where the text of their digests begins.
#[unsafe(no_mangle)]
pub extern "C" fn digests() -> *const u8 {
    ANSWER.with_borrow_mut(|answer| {
        *answer = play::all().unwrap_or_else(|trouble| trouble).into_bytes();
        answer.as_ptr()
    })
}

/// Returns the length of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer_len() -> usize {
    ANSWER.with_borrow(Vec::len)
}
