//! Records as files: saved, shared, opened, dropped on the page.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/js/files.js")]
extern "C" {
    /// Saves a text as a file.
    pub fn download(name: &str, text: &str);
    /// Opens the share dialog of the device with a text as a file; saves it where there is none.
    pub fn share(name: &str, text: &str);
    /// Lets the player choose a file and passes it to the handler of [`on_drop`].
    pub fn pick();
    fn listen(heard: &js_sys::Function);
}

/// Sets the handler of files that are dropped on the page or picked; it gets their content. The handler is
/// never freed: call it once.
pub fn on_drop(heard: impl Fn(Vec<u8>) + 'static) {
    let heard = Closure::<dyn Fn(Vec<u8>)>::new(heard);
    listen(heard.as_ref().unchecked_ref());
    heard.forget();
}
