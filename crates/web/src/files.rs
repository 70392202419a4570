//! Files: records that are saved, shared, opened or dropped on the page, and small texts such as presets.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/js/files.js")]
extern "C" {
    /// Saves a text as a file with this name in the browser's folder for downloads.
    pub fn download(name: &str, text: &str);
    /// Opens the share dialog of the device with a text as a file of this name; saves the file
    /// where there is none. Does nothing more if the player cancels.
    pub fn share(name: &str, text: &str);
    /// Lets the player choose a file, and passes its content to the handler of [`on_drop`], cut to 256 MB.
    /// Nothing happens if they cancel.
    pub fn pick();
    /// Lets the player choose a file with one of the endings of `accept`, such as `.json,.toml`, and passes its name and
    /// its text, cut to 1 MB, to `chosen`. Nothing happens if they cancel.
    #[wasm_bindgen(js_name = pick_text)]
    fn choose(accept: &str, chosen: &js_sys::Function);
    /// Makes `heard` the handler of the content of picked files, and of the first of several files that are
    /// dropped on the page. The content is cut to 256 MB.
    fn listen(heard: &js_sys::Function);
}

/// Sets the handler of files that are dropped on the page or picked; it gets their content, cut to 256 MB. Of
/// several dropped files only the first is read. Call it once: the handler is never freed, and its listeners
/// stay.
pub fn on_drop(heard: impl Fn(Vec<u8>) + 'static) {
    let heard = Closure::<dyn Fn(Vec<u8>)>::new(heard);
    listen(heard.as_ref().unchecked_ref());
    heard.forget();
}

/// Lets the player choose a text file with one of the endings of `accept`, such as `.json,.toml`, and calls `chosen` once
/// with its name and its text, cut to 1 MB. Nothing happens if they cancel.
pub fn pick_text(accept: &str, chosen: impl FnOnce(String, String) + 'static) {
    let chosen = Closure::once_into_js(chosen);
    choose(accept, chosen.unchecked_ref());
}
