//! Browser functions: document, timers, screen size, address and history.

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Document, Element, Window};

/// Returns the window; `None` in a worker.
pub fn window() -> Option<Window> {
    web_sys::window()
}

/// Returns the document; `None` outside a page.
pub fn document() -> Option<Document> {
    window()?.document()
}

/// Returns the root element, which carries theme and game; `None` outside a page.
pub fn root() -> Option<Element> {
    document()?.document_element()
}

/// Sets an attribute of the root element. Does nothing outside a page.
pub fn set_root(name: &str, value: &str) {
    if let Some(root) = root() {
        let _ = root.set_attribute(name, value);
    }
}

/// Returns the size of text as a multiple of 16 pixels; 1 outside a page, or if the browser does not tell it.
pub fn text_scale() -> f64 {
    let style = root().and_then(|root| window()?.get_computed_style(&root).ok().flatten());
    let size = style.and_then(|style| style.get_property_value("font-size").ok());
    size.and_then(|size| size.trim_end_matches("px").parse::<f64>().ok()).map_or(1.0, |size| size / 16.0)
}

/// Returns whether the screen is narrow, like a phone's: at most 47.5 em wide. `false` outside a
/// page.
pub fn is_narrow() -> bool {
    has_media_match("(max-width: 47.5em)")
}

/// Returns whether the match is drawn as on a phone: the screen is at most 47.5 em wide, or at most
/// 34 em high, like that of a phone in landscape or any screen with very large text. `false`
/// outside a page. The style sheets use the same condition: `bundle` adds the height to their
/// queries.
pub fn is_compact() -> bool {
    has_media_match("(max-width: 47.5em), (max-height: 34em)")
}

/// Returns whether the player prefers reduced motion; `false` outside a page.
pub fn has_reduced_motion() -> bool {
    has_media_match("(prefers-reduced-motion: reduce)")
}

/// Returns whether a media query matches; `false` outside a page.
fn has_media_match(query: &str) -> bool {
    window().and_then(|w| w.match_media(query).ok().flatten()).is_some_and(|m| m.matches())
}

/// Scrolls the page to its beginning. Does nothing outside a page.
pub fn scroll_up() {
    if let Some(window) = window() {
        window.scroll_to_with_x_and_y(0.0, 0.0);
    }
}

/// Waits this number of milliseconds; with 0, until the next turn of the event loop. Never returns in a
/// worker.
pub async fn sleep(millis: i32) {
    let promise = js_sys::Promise::new(&mut |done, _| {
        if let Some(window) = window() {
            let _ = window.set_timeout_with_callback_and_timeout_and_arguments_0(&done, millis);
        }
    });
    let _ = JsFuture::from(promise).await;
}

thread_local! {
    /// Resolvers of the running naps.
    static NAPS: std::cell::RefCell<Vec<js_sys::Function>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// Waits this number of milliseconds, or until [`wake`] is called. Several naps may run at a time. In a worker it
/// waits for [`wake`] alone.
pub async fn nap(millis: i32) {
    let mut own = None;
    let promise = js_sys::Promise::new(&mut |done, _| {
        if let Some(window) = window() {
            let _ = window.set_timeout_with_callback_and_timeout_and_arguments_0(&done, millis);
        }
        own = Some(done.clone());
        NAPS.with_borrow_mut(|naps| naps.push(done));
    });
    let _ = JsFuture::from(promise).await;
    NAPS.with_borrow_mut(|naps| naps.retain(|nap| Some(nap) != own.as_ref()));
}

/// Ends the running naps before their time. Does nothing if there are none.
pub fn wake() {
    for done in NAPS.take() {
        let _ = done.call0(&JsValue::NULL);
    }
}

/// Returns the message of a JavaScript error, or the error itself if it is a text; otherwise "the
/// browser refused".
pub fn error_text(error: &JsValue) -> String {
    let text = js_sys::Reflect::get(error, &"message".into()).ok().and_then(|m| m.as_string());
    text.or_else(|| error.as_string()).unwrap_or_else(|| "the browser refused".to_string())
}

/// Returns whether the address is that of an online table: its path contains `/t/`. Then its fragment is the
/// key of the table, and must not be read or changed as the id of a match. `false` outside a page.
pub fn is_at_table() -> bool {
    window().and_then(|w| w.location().pathname().ok()).is_some_and(|path| path.contains("/t/"))
}

/// Returns the value of the first parameter of the address with this name (`/?learn=vires`), not
/// percent-decoded; `None` if it is missing or has no `=`, and outside a page.
pub fn query(name: &str) -> Option<String> {
    let query = window()?.location().search().ok()?;
    parameter(query.trim_start_matches('?'), name)
}

/// Returns the value of the first parameter with this name in a query (`a=1&b=2`), not percent-decoded;
/// `None` if it is missing or has no `=`.
pub fn parameter(query: &str, name: &str) -> Option<String> {
    let pairs = query.split('&');
    let pair = pairs.filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name);
    pair.map(|(_, value)| value.to_string())
}

/// Returns the id of the match in the fragment of the address, without `/end`; empty if there is
/// none, and at an online table.
pub fn hash() -> String {
    address().trim_end_matches(END).to_string()
}

/// Returns whether the address is that of the end of a match: its fragment ends with `/end`.
/// `false` at an online table.
pub fn is_at_end() -> bool {
    address().ends_with(END)
}

/// Suffix of the fragment for the end of a match.
pub const END: &str = "/end";

/// Returns the part of the address after `#`; empty if there is none, and on the page of an online table,
/// where it is a key.
fn address() -> String {
    if is_at_table() {
        return String::new();
    }
    let hash = window().and_then(|w| w.location().hash().ok()).unwrap_or_default();
    hash.trim_start_matches('#').to_string()
}

#[wasm_bindgen(module = "/js/history.js")]
extern "C" {
    /// Returns whether the current history entry belongs to a dialog.
    pub fn is_sheet_entry() -> bool;
    /// Adds a history entry for a dialog, so that Back closes it. Does nothing if the current entry is one.
    pub fn push_sheet();
    /// Removes the history entry of a dialog that was closed otherwise, by going back. Does nothing if the
    /// current entry is none.
    pub fn pop_sheet();
    /// Returns whether the last move in the history only removed the entry of a closed dialog, and resets the mark.
    pub fn take_popped() -> bool;
    /// Adds a history entry with this address, or puts it in place of the entry of a dialog. The page is not
    /// loaded.
    fn go(url: &str);
}

/// Adds a history entry with the fragment `name`, usually the id of a match, so that a reload continues with
/// it; an empty one leads home. Replaces the entry of an open dialog. Does not load or change the screen.
/// Does nothing if the address has this fragment already, and at an online table.
pub fn navigate(name: &str) {
    if is_at_table() || address() == name {
        return;
    }
    let path = window().and_then(|w| w.location().pathname().ok()).unwrap_or_default();
    go(&if name.is_empty() { path } else { format!("{path}#{name}") });
}

thread_local! {
    static MADE: std::cell::RefCell<String> = const { std::cell::RefCell::new(String::new()) };
}

/// Sets the folder of the client's generated files, with a final slash, for [`fetch_text`]. Called once at
/// the start.
pub fn set_made(made: &str) {
    MADE.set(made.to_string());
}

/// Fetches the generated file of this name as text. [`set_made`] must have been called.
///
/// # Errors
///
/// Fails with a text for the player if the server cannot be reached or does not have the file.
pub async fn fetch_text(name: &str) -> Result<String, String> {
    let address = MADE.with_borrow(|made| format!("{made}{name}"));
    let get = async {
        let window = window().ok_or(JsValue::NULL)?;
        let answer: web_sys::Response = JsFuture::from(window.fetch_with_str(&address)).await?.dyn_into()?;
        if !answer.ok() {
            return Err(JsValue::from_str("it is not there"));
        }
        JsFuture::from(answer.text()?).await
    };
    let text = get.await.map_err(|e: JsValue| error_text(&e))?;
    Ok(text.as_string().unwrap_or_default())
}
