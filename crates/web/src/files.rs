//! Records as files: saved, shared, opened, dropped on the page.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/js/files.js")]
extern "C" {
    /// Saves a text as a file.
    pub fn download(name: &str, text: &str);
    /// Hands a text on as a file, in the way this machine offers; else saves it.
    pub fn share(name: &str, text: &str);
    /// Lets the player choose a file, and gives it to the function that hears of drops.
    pub fn pick();
    fn listen(heard: &js_sys::Function);
}

/// Calls this with every file that is dropped on the page or picked.
pub fn on_drop(heard: impl Fn(Vec<u8>) + 'static) {
    let heard = Closure::<dyn Fn(Vec<u8>)>::new(heard);
    listen(heard.as_ref().unchecked_ref());
    heard.forget();
}
