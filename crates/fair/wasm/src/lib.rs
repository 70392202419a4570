//! The functions that node calls.

#[path = "../../benches/operations/mod.rs"]
mod operations;
mod scenario;

use std::cell::RefCell;

thread_local! {
    /// The operations that [`prepare`] has built.
    static OPERATIONS: RefCell<Vec<operations::Operation>> = const { RefCell::new(Vec::new()) };
    /// The last answer, which node reads from the memory of the module.
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Copies bytes to where node can read them and returns their address. It is valid until the next call;
/// [`answer_len`] gives the length.
fn answer(bytes: &[u8]) -> *const u8 {
    ANSWER.with_borrow_mut(|answer| {
        *answer = bytes.to_vec();
        answer.as_ptr()
    })
}

/// Returns the length in bytes of the last answer of `scenario` or `name`; 0 before the first.
#[unsafe(no_mangle)]
pub extern "C" fn answer_len() -> usize {
    ANSWER.with_borrow(Vec::len)
}

/// Returns 1 if all known answers are reproduced, otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn known_answers() -> u32 {
    u32::from(pentarchy_fair::selftest::known_answers().is_ok())
}

/// Plays the scripted game and returns the address of the 32-byte hash of all its messages, valid until the
/// next answer.
#[unsafe(no_mangle)]
pub extern "C" fn scenario() -> *const u8 {
    answer(&scenario::play())
}

/// Builds the operations and returns their number. Call it before `name` and `run`.
#[unsafe(no_mangle)]
pub extern "C" fn prepare() -> usize {
    OPERATIONS.with_borrow_mut(|operations| {
        *operations = operations::all();
        operations.len()
    })
}

/// Returns the address of an answer: the name of operation `i` and its native target in ms (empty without
/// one), separated by a tab. Panics if `i` is not below the number that `prepare` returned.
#[unsafe(no_mangle)]
pub extern "C" fn name(i: usize) -> *const u8 {
    OPERATIONS.with_borrow(|operations| {
        let operation = &operations[i];
        let target = operation.target.map(|target| target.to_string()).unwrap_or_default();
        answer(format!("{}\t{target}", operation.name).as_bytes())
    })
}

/// Runs operation `i` once. Panics if `i` is not below the number that `prepare` returned.
#[unsafe(no_mangle)]
pub extern "C" fn run(i: usize) {
    OPERATIONS.with_borrow_mut(|operations| (operations[i].run)());
}
