//! The functions that node calls.

#[path = "../../benches/operations/mod.rs"]
mod operations;
mod scenario;

use std::cell::RefCell;

thread_local! {
    static OPERATIONS: RefCell<Vec<operations::Operation>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Keeps bytes where node can read them, and returns where.
fn answer(bytes: &[u8]) -> *const u8 {
    ANSWER.with_borrow_mut(|answer| {
        *answer = bytes.to_vec();
        answer.as_ptr()
    })
}

/// Returns the length of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer_len() -> usize {
    ANSWER.with_borrow(Vec::len)
}

/// Returns 1 if all known answers are reproduced, otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn known_answers() -> u32 {
    u32::from(pentarchy_fair::selftest::known_answers().is_ok())
}

/// Returns the hash of all messages of the scripted game.
#[unsafe(no_mangle)]
pub extern "C" fn scenario() -> *const u8 {
    answer(&scenario::play())
}

/// Prepares the benches and returns their number.
#[unsafe(no_mangle)]
pub extern "C" fn prepare() -> usize {
    OPERATIONS.with_borrow_mut(|operations| {
        *operations = operations::all();
        operations.len()
    })
}

/// Returns the name of operation `i` and its native target in ms, separated by a tab.
#[unsafe(no_mangle)]
pub extern "C" fn name(i: usize) -> *const u8 {
    OPERATIONS.with_borrow(|operations| {
        let operation = &operations[i];
        let target = operation.target.map(|target| target.to_string()).unwrap_or_default();
        answer(format!("{}\t{target}", operation.name).as_bytes())
    })
}

/// Runs a bench once.
#[unsafe(no_mangle)]
pub extern "C" fn run(i: usize) {
    OPERATIONS.with_borrow_mut(|operations| (operations[i].run)());
}
